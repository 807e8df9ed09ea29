# Rows within rows, and what is refused because it would mean something else.
> select r is null, r is not null from (values (1, row(1, 2)), (1, row(null, null)), (1, null), (null, row(1, 2)), (null, row(null, null)), (null, null)) r(a, b)
?column?:bool | ?column?:bool
f | t
f | t
f | f
f | f
f | f
t | f
SELECT 6

> with r(a, b) as materialized (values (1, row(1, 2)), (1, row(null, null)), (1, null), (null, row(1, 2)), (null, row(null, null)), (null, null)) select r is null, r is not null from r
?column?:bool | ?column?:bool
f | t
f | t
f | f
f | f
f | f
t | f
SELECT 6

> select row(null, row(null, null)) is null, row(1, row(null, null)) is not null, row(null, null) is null, row(1, null) is not null
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
f | t | t | f
SELECT 1

> select row(1, 2) in (row(3, 4), row(1, 2::int8)), row(1, 2) not in (row(3, 4), row(1, 2.5)), row(1, 2) in (row(1, 2))
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select row(1, 2) in (row(1, 2, 3), row(1, 2))
ERROR 42601: unequal number of entries in row expressions

> create table ra(a int, b int)
CREATE TABLE

> insert into ra values (1, 2), (3, 4)
INSERT 0 2

> select * from (ra x cross join ra y) j(p, q, r, s) order by 1, 3
p:int4 | q:int4 | r:int4 | s:int4
1 | 2 | 1 | 2
1 | 2 | 3 | 4
3 | 4 | 1 | 2
3 | 4 | 3 | 4
SELECT 4

> select * from (ra x cross join ra y) j(p, q, r, s, t)
ERROR 42P10: join expression "j" has 4 columns available but 5 columns specified

> select * from ra x join (ra x cross join ra y(c, d)) j on x.a = j.c order by 1, 2, 3, 4
a:int4 | b:int4 | a:int4 | b:int4 | c:int4 | d:int4
1 | 2 | 1 | 2 | 1 | 2
1 | 2 | 3 | 4 | 1 | 2
3 | 4 | 1 | 2 | 3 | 4
3 | 4 | 3 | 4 | 3 | 4
SELECT 4

> select * from ra x join (ra x cross join ra y(c, d)) j on x.a = y.c
ERROR 42P01: invalid reference to FROM-clause entry for table "y"
HINT: There is an entry for table "y", but it cannot be referenced from this part of the query.

> select * from ra x join ra x on true
ERROR 42712: table name "x" specified more than once

> select a from ra order by a fetch first 1 row with ties for update skip locked
ERROR 42601: SKIP LOCKED and WITH TIES options cannot be used together

> select a from ra order by a fetch first 1 row with ties
a:int4
1
SELECT 1

> select * from (with t as (delete from ra returning *) select * from t) s
ERROR 0A000: WITH clause containing a data-modifying statement must be at the top level

> select (with t as (delete from ra returning a) select max(a) from t)
ERROR 0A000: WITH clause containing a data-modifying statement must be at the top level

> with o as (with t as (delete from ra returning a) select a from t) select * from o
ERROR 0A000: WITH clause containing a data-modifying statement must be at the top level

> with o as (with t as (delete from ra returning a) insert into ra select 7, 8 from t returning a) select * from o
ERROR 0A000: WITH clause containing a data-modifying statement must be at the top level

> with o as (with t as (select a from ra) delete from ra using t where ra.a = t.a and t.a = 1 returning ra.a) select * from o
a:int4
1
SELECT 1

> insert into ra with t as (select 5 as a, 6 as b) select * from t
INSERT 0 1

> select * from ra order by a
a:int4 | b:int4
3 | 4
5 | 6
SELECT 2

> with recursive x(n) as (select 1 union all select x.n + 1 from ra left join x on x.n = ra.a where n < 10) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within an outer join

> with recursive x(n) as (select 1 union all select x.n + 1 from x right join ra on x.n = ra.a where n < 10) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within an outer join

> with recursive x(n) as (select 1 union all select x.n + 1 from x full join ra on x.n = ra.a where n < 10) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within an outer join

> with recursive x(n) as (select 1 union all select x.n + 1 from x left join ra on x.n = ra.a where n < 4) select * from x
n:int4
1
2
3
4
SELECT 4

> with recursive x(n) as (select 1 union all select x.n + 1 from ra right join x on x.n = ra.a where n < 4) select * from x
n:int4
1
2
3
4
SELECT 4

> select rank() over (order by 1), count(*) from ra group by 1
ERROR 42P20: window functions are not allowed in GROUP BY

> select rank() over (order by a) r from ra group by r
ERROR 42P20: window functions are not allowed in GROUP BY

> select jsonb_delete('{"a": 1, "b": 2}', 'a'), jsonb_delete('{"a": 1, "b": 2}', 'a', 'b'), jsonb_delete('[1, 2]', 0)
jsonb_delete:jsonb | jsonb_delete:jsonb | jsonb_delete:jsonb
{"b": 2} | {} | [2]
SELECT 1

> select '[]'::jsonb #- '{a}', '{}'::jsonb #- '{a,b}', jsonb_set('[]', '{a}', '1', false), jsonb_set('[1]', '{a}', '1', false)
ERROR 22P02: path element at position 1 is not an integer: "a"

> select json_object('{{a,1},{b,2}}', '{{a,1},{b,2}}')
ERROR 2202E: wrong number of array subscripts

> select jsonb_populate_record(row(1, 2), '{"f1": 0, "f2": 1}'), json_populate_record(row(1, 2), '{"f2": 7}')
jsonb_populate_record:record | json_populate_record:record
(0,1) | (1,7)
SELECT 1

> select json_populate_recordset(row(1, 50), '[{"f1": "42"}, {"f2": "43"}]')
json_populate_recordset:record
(42,50)
(1,43)
SELECT 2

> select json_populate_record(null::record, '{"x": 0}')
json_populate_record:record
ERROR 0A000: could not determine row type for result of json_populate_record
HINT: Provide a non-null record argument, or call the function in the FROM clause using a column definition list.

> drop table ra
DROP TABLE
