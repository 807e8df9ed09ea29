# Aggregates whose arguments are columns of an outer query belong to that query.
> create table o (id int primary key, g int, x int)
CREATE TABLE
> create table i (id int primary key, y int)
CREATE TABLE
> insert into o values (1, 1, 10), (2, 1, 20), (3, 2, 5)
INSERT 0 3
> insert into i values (1, 100), (2, 200)
INSERT 0 2
> select (select sum(o.x)) as s from o
s:int8
35
SELECT 1
> select (select sum(o.x) from i where i.id = 1) as s from o
s:int8
35
SELECT 1
> select g, (select sum(o.x) from i where i.id = 1) as s from o group by g order by g
g:int4 | s:int8
1 | 30
2 | 5
SELECT 2
> select g, (select count(*) from i where i.id <= count(o.x)) as n from o group by g order by g
g:int4 | n:int8
1 | 2
2 | 1
SELECT 2
> select g from o group by g having exists (select 1 from i where i.id = count(o.id)) order by g
g:int4
1
2
SELECT 2
> select id, (select sum(o.x + i.y) from i) as s from o order by id
id:int4 | s:int8
1 | 320
2 | 340
3 | 310
SELECT 3
> select g, (select max(o.x) + sum(i.y) from i) as s from o group by g order by g
g:int4 | s:int8
1 | 320
2 | 305
SELECT 2
> select g, (select (select sum(o.x)) + count(*) from i) as s from o group by g order by g
g:int4 | s:int8
1 | 32
2 | 7
SELECT 2
> select g from o where exists (select 1 from i having sum(o.x) > 1)
ERROR 42803: aggregate functions are not allowed in WHERE
> select (select sum(o.x) filter (where o.g = 1)) as s from o
s:int8
30
SELECT 1
> select (select string_agg(o.x::text, ',' order by o.x desc)) as s from o
s:text
20,10,5
SELECT 1
> select (select count(*) from i) as n, (select sum(1)) as s from o
n:int8 | s:int8
2 | 1
2 | 1
2 | 1
SELECT 3
> select sum((select sum(o.x))) from o
ERROR 42803: aggregate function calls cannot be nested
> select * from o, lateral (select sum(o.x) as s) l
ERROR 42803: aggregate functions are not allowed in FROM clause of their own query level
> update o set x = (select sum(o.x))
ERROR 42803: aggregate functions are not allowed in UPDATE
> select (select sum(o.x)), x from o
ERROR 42803: column "o.x" must appear in the GROUP BY clause or be used in an aggregate function
> select sum(o.x), (select sum(o.x)) from o
sum:int8 | sum:int8
35 | 35
SELECT 1
