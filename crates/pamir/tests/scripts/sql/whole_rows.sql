# Whole rows: as values, their fields, their comparison.
> create table t (id int primary key, a int[], b text)
CREATE TABLE

> insert into t values (1, '{1,2}', 'x'), (2, null, 'y'), (3, '{}', null)
INSERT 0 3

> select (t).id, (t).b from t order by 1
id:int4 | b:text
1 | x
2 | y
3 | NULL
SELECT 3

> select (t).* from t order by 1
id:int4 | a:_int4 | b:text
1 | {1,2} | x
2 | NULL | y
3 | {} | NULL
SELECT 3

> select (t).*, 5 as five from t order by 1 limit 1
id:int4 | a:_int4 | b:text | five:int4
1 | {1,2} | x | 5
SELECT 1

> select (x.y).* from (select t as y from t) x order by 1
id:int4 | a:_int4 | b:text
1 | {1,2} | x
2 | NULL | y
3 | {} | NULL
SELECT 3

> select ((select t from t where id = 2)).*
id:int4 | a:_int4 | b:text
2 | NULL | y
SELECT 1

> insert into t select (s.r).* from (select row(9, null, 'r')::t as r) s
INSERT 0 1

> select row(t.*), row(t.*, 1), row(1, t.*) from t where id = 1
row:record | row:record | row:record
(1,"{1,2}",x) | (1,"{1,2}",x,1) | (1,1,"{1,2}",x)
SELECT 1

> select t.* is not null, t.* is null from t order by id
?column?:bool | ?column?:bool
t | f
f | f
f | f
f | f
SELECT 4

> select count(t.*), count(t) from t
count:int8 | count:int8
4 | 4
SELECT 1

> select row_to_json(t.*), to_json(t.*), to_jsonb(t) from t where id = 1
row_to_json:json | to_json:json | to_jsonb:jsonb
{"id":1,"a":[1,2],"b":"x"} | {"id":1,"a":[1,2],"b":"x"} | {"a": [1, 2], "b": "x", "id": 1}
SELECT 1

> select json_agg(t.* order by id) from t where id < 3
json_agg:json
[{"id":1,"a":[1,2],"b":"x"}, \n {"id":2,"a":null,"b":"y"}]
SELECT 1

> select t = t, t <> t, t.* = t.* from t order by id
?column?:bool | ?column?:bool | ?column?:bool
t | f | t
t | f | t
t | f | t
t | f | t
SELECT 4

> select a.id, b.id from t a join t b on a.* = b.* order by 1
id:int4 | id:int4
1 | 1
2 | 2
3 | 3
9 | 9
SELECT 4

> select a.id from t a, t b where a < b order by 1
ERROR 42702: column reference "a" is ambiguous

> select row(1, null) = row(1, null), row(1, 2) = row(1, 2), row(1, 2) < row(1, 3)
?column?:bool | ?column?:bool | ?column?:bool
NULL | t | t
SELECT 1

> select t is distinct from t from t order by id
?column?:bool
f
f
f
f
SELECT 4

> select null::t is null
?column?:bool
t
SELECT 1

> select to_json(row(1, '{1}', 'z')::t)
to_json:json
{"id":1,"a":[1],"b":"z"}
SELECT 1

> select (row(1, '{1}', 'z')::t).b
b:text
z
SELECT 1

> select (row(1, '{1}')::t).b
ERROR 42846: cannot cast type record to t
DETAIL: Input has too few columns.

> select (id).x from t
ERROR 42809: column notation .x applied to type integer, which is not a composite type

> select (id).* from t
ERROR 42809: type integer is not composite

> select nope.* is null from t
ERROR 42P01: missing FROM-clause entry for table "nope"

> select row(nope.*) from t
ERROR 42P01: missing FROM-clause entry for table "nope"

> select null::nope
ERROR 42704: type "nope" does not exist

> select id from t where t.* is not null order by t.id
id:int4
1
SELECT 1

> select row(1, '{1}', 'z', 4)::t
ERROR 42846: cannot cast type record to t
DETAIL: Input has too many columns.

> select a.id from t a where row(a.*) = row(1, '{1,2}'::int[], 'x')
id:int4
1
SELECT 1

> select a.id from t a where (select c from t c where c.id = 1) = a.*
id:int4
1
SELECT 1

> update t set b = 'new' where (t).id = 3 returning (t).*
id:int4 | a:_int4 | b:text
3 | {} | new
UPDATE 1

> create table c ("is" int, t int)
CREATE TABLE

> select c.* is null from c
?column?:bool
SELECT 0
