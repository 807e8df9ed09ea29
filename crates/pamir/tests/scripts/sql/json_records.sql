# JSON objects as rows: json(b)_to_record(set), json(b)_populate_record(set), rows out of arrays.
> create table jt(a int, b text, c int[], d jsonb, e date, f varchar(3), g numeric(6,2), h boolean)
CREATE TABLE

> select * from json_to_record('{"a": 1, "b": "x", "z": 5}') as t(a int, b text, c date)
a:int4 | b:text | c:date
1 | x | NULL
SELECT 1

> select * from jsonb_to_record('{"a": 1, "b": {"x":  [1, 2]}, "c": [1, null, 3], "d": "{4,5}"}') as t(a text, b json, c int[], d int[])
a:text | b:json | c:_int4 | d:_int4
1 | {"x": [1, 2]} | {1,NULL,3} | {4,5}
SELECT 1

> select * from json_to_record('{"b": {"x":  [1, 2]}, "b2": [1,  2], "n": null, "t": true, "s": "a\nb"}') as t(b json, b2 text, n json, t boolean, s text)
b:json | b2:text | n:json | t:bool | s:text
{"x":  [1, 2]} | [1,  2] | NULL | t | a\nb
SELECT 1

> select * from json_to_recordset('[{"a": 1, "b": "foo"}, {"a": "2", "c": "bar"}]') as x(a int, b text)
a:int4 | b:text
1 | foo
2 | NULL
SELECT 2

> select * from jsonb_to_recordset('[{"a": 1, "b": "foo"}, {"a": "2", "c": "bar"}, {}]') x(a int, b text)
a:int4 | b:text
1 | foo
2 | NULL
NULL | NULL
SELECT 3

> select x.*, ordinality from jsonb_to_recordset('[{"a": 1}, {"a": 2}]') with ordinality as x(a, ordinality)
ERROR 42601: a column definition list is required for functions returning "record"

> select count(*) from jsonb_to_recordset('[]') as x(a int)
count:int8
0
SELECT 1

> select * from jsonb_to_recordset(null) as x(a int)
a:int4
SELECT 0

> select * from json_to_record(null) as x(a int, b text)
a:int4 | b:text
NULL | NULL
SELECT 1

> select * from json_to_record('{"a": 1}') as (a int, b text)
a:int4 | b:text
1 | NULL
SELECT 1

> select a from json_to_recordset('[{"a": 1}, {"a": 7}]') as (a int) where a > 1
a:int4
7
SELECT 1

> select * from jsonb_populate_record(null::jt, '{"a": 5, "b": "q", "c": [1, 2], "d": {"k": [1]}, "e": "2024-02-03", "f": "abc", "g": 12.345, "h": "yes"}')
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
5 | q | {1,2} | {"k": [1]} | 2024-02-03 | abc | 12.35 | t
SELECT 1

> select * from json_populate_record(row(1, 'base', '{9}', '1', null, 'z', 3, true)::jt, '{"a": 5, "c": null}')
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
5 | base | NULL | 1 | NULL | z | 3.00 | t
SELECT 1

> select * from jsonb_populate_recordset(null::jt, '[{"a": 1}, {"b": "two"}]')
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
1 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
NULL | two | NULL | NULL | NULL | NULL | NULL | NULL
SELECT 2

> select (jsonb_populate_record(null::jt, '{"a": 5, "b": "q"}')).b
b:text
q
SELECT 1

> select (json_populate_record(null::jt, '{"a": 5, "b": "q"}')).*
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
5 | q | NULL | NULL | NULL | NULL | NULL | NULL
SELECT 1

> select json_populate_recordset(null::jt, '[{"a": 1}, {"b": "two"}]')::text
json_populate_recordset:text
(1,,,,,,,)
(,two,,,,,,)
SELECT 2

> insert into jt select * from jsonb_populate_record(null::jt, '{"a": 5, "b": "q", "g": 1.005}') returning *
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
5 | q | NULL | NULL | NULL | NULL | 1.01 | NULL
INSERT 0 1

> insert into jt(a, b) select a, b from json_to_recordset('[{"a": 11, "b": "i"}, {"a": 12}]') as t(a int, b text) returning a, b
a:int4 | b:text
11 | i
12 | NULL
INSERT 0 2

> update jt set b = x.b from jsonb_to_recordset('[{"a": 11, "b": "up"}]') as x(a int, b text) where x.a = jt.a returning jt.a, jt.b
a:int4 | b:text
11 | up
UPDATE 1

> select jt.a, r.* from jt, lateral jsonb_to_record(jsonb_build_object('p', jt.a, 'q', jt.b)) as r(p int, q text) order by jt.a
a:int4 | p:int4 | q:text
5 | 5 | q
11 | 11 | up
12 | 12 | NULL
SELECT 3

> select jt.a, r.* from jt left join lateral jsonb_to_recordset(jsonb_build_array(jsonb_build_object('p', jt.a))) as r(p int, q text) on r.p > 11 order by jt.a
a:int4 | p:int4 | q:text
5 | NULL | NULL
11 | NULL | NULL
12 | 12 | NULL
SELECT 3

> select * from jsonb_to_record('{"c": [[1,2],[3,4]], "d": [], "e": ["a", null]}') as t(c int[], d int[], e text[])
c:_int4 | d:_int4 | e:_text
{{1,2},{3,4}} | {} | {a,NULL}
SELECT 1

> select * from jsonb_to_record('{"c": [[1,2],[3]]}') as t(c int[])
c:_int4
ERROR 22P02: malformed JSON array
DETAIL: Multidimensional arrays must have sub-arrays with matching dimensions.

> select * from jsonb_to_record('{"c": [[1,2],3]}') as t(c int[])
c:_int4
ERROR 22P02: expected JSON array
HINT: See the array element [1] of key "c".

> select * from jsonb_to_record('{"c": [1,[3]]}') as t(c int[])
c:_int4
ERROR 22P02: invalid input syntax for type integer: "[3]"

> select * from jsonb_to_record('{"c": 5}') as t(c int[])
c:_int4
ERROR 22P02: expected JSON array
HINT: See the value of key "c".

> select * from jsonb_to_record('{"c": [{"a": 1}, [2]]}') as t(c jsonb[])
c:_jsonb
{"{\"a\": 1}",[2]}
SELECT 1

> select * from json_to_record('{"a": "xyz"}') as t(a int)
a:int4
ERROR 22P02: invalid input syntax for type integer: "xyz"

> select * from json_to_record('{"f": "abcd"}') as t(f varchar(3))
f:varchar
ERROR 22001: value too long for type character varying(3)

> select * from json_to_record('{"f": "abcd  "}') as t(f char(6))
f:bpchar
abcd  
SELECT 1

> select * from json_to_record('[]') as t(f int)
f:int4
ERROR 22023: cannot call populate_composite on an array

> select * from json_to_record('5') as t(f int)
f:int4
ERROR 22023: cannot call populate_composite on a scalar

> select * from jsonb_to_record('[]') as t(f int)
f:int4
ERROR 22023: cannot call populate_composite on an array

> select * from jsonb_to_record('"x"') as t(f int)
f:int4
ERROR 22023: cannot call populate_composite on a scalar

> select * from json_to_recordset('{}') as t(f int)
f:int4
ERROR 22023: cannot call json_to_recordset on an object

> select * from json_to_recordset('5') as t(f int)
f:int4
ERROR 22023: cannot call json_to_recordset on a scalar

> select * from jsonb_to_recordset('{}') as t(f int)
f:int4
ERROR 22023: cannot call jsonb_to_recordset on a non-array

> select * from jsonb_to_recordset('5') as t(f int)
f:int4
ERROR 22023: cannot call jsonb_to_recordset on a non-array

> select * from jsonb_to_recordset('[5]') as t(f int)
f:int4
ERROR 22023: argument of jsonb_to_recordset must be an array of objects

> select * from json_to_recordset('[[5]]') as t(f int)
f:int4
ERROR 22023: argument of json_to_recordset must be an array of objects

> select * from json_to_record('{}')
ERROR 42601: a column definition list is required for functions returning "record"

> select * from json_to_recordset('[]')
ERROR 42601: a column definition list is required for functions returning "record"

> select json_to_record('{"a": 1}')
json_to_record:record
ERROR 0A000: could not determine row type for result of json_to_record
HINT: Provide a non-null record argument, or call the function in the FROM clause using a column definition list.

> select * from json_each('{}') as t(a int, b text)
ERROR 42601: a column definition list is redundant for a function with OUT parameters

> select * from generate_series(1, 2) as t(a int)
ERROR 42601: a column definition list is only allowed for functions returning "record"

> select * from jsonb_populate_record(null::jt, '{}') as t(a int, b text)
ERROR 42601: a column definition list is redundant for a function returning a named composite type

> select * from jsonb_populate_record(null::int, '{}')
jsonb_populate_record:int4
ERROR 42804: first argument of jsonb_populate_record must be a row type

> prepare jp as select * from jsonb_to_recordset($1) as t(a int, b text)
PREPARE

> execute jp('[{"a": 1, "b": "p"}]')
a:int4 | b:text
1 | p
SELECT 1

> select t from jsonb_to_recordset('[{"a": 1}]') as t(a int, b text)
t:record
(1,)
SELECT 1

> select array_agg(x.a order by x.a desc) from jsonb_to_recordset('[{"a": 1}, {"a": 2}]') as x(a int)
array_agg:_int4
{2,1}
SELECT 1

> select x.a from jsonb_to_recordset('[{"A": 1, "a": 3}]') as x("A" int, a int)
a:int4
3
SELECT 1

> insert into jt(a, b) values (100, 'u'), (101, 'v')
INSERT 0 2

> select * from unnest((select array_agg(jt order by a) from jt where a >= 100))
a:int4 | b:text | c:_int4 | d:jsonb | e:date | f:varchar | g:numeric | h:bool
100 | u | NULL | NULL | NULL | NULL | NULL | NULL
101 | v | NULL | NULL | NULL | NULL | NULL | NULL
SELECT 2

> select x.a, x.b, y from (select array_agg(jt order by a) as r from jt where a >= 100) q, unnest(q.r) with ordinality as x(a, b, c, d, e, f, g, h, y)
a:int4 | b:text | y:int8
100 | u | 1
101 | v | 2
SELECT 2

> select x.b from (select array_agg(jt order by a) as r from jt where a >= 100) q, unnest(q.r) x
b:text
u
v
SELECT 2

> select (unnest(r)).b from (select array_agg(jt order by a) as r from jt where a >= 100) q
b:text
u
v
SELECT 2
