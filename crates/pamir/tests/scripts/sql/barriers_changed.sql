# Changes through views behind a security barrier whose conditions have subqueries: which conditions are asked of which rows.
> create table o(x int, y int)
CREATE TABLE

> create table t(a int primary key, b int)
CREATE TABLE

> insert into o select i, i % 7 from generate_series(1, 10) i
INSERT 0 10

> insert into t select i, i % 5 from generate_series(1, 10) i
INSERT 0 10

> create function told(int) returns bool language plpgsql cost 0.0001 as 'begin if $1 not in (select x from o where y < 5) then raise exception ''told %'', $1; end if; return true; end'
CREATE FUNCTION

> create view v with (security_barrier) as select a, b from t where a in (select x from o where y < 5)
CREATE VIEW

> create view vv with (security_barrier) as select a, b from v where exists (select from o where o.x = v.b)
CREATE VIEW

> select a from v where told(a) and a > 7 order by a
a:int4
8
9
10
SELECT 3

> select a from vv where a = 6 and told(a)
a:int4
SELECT 0

> with u as (update vv set b = b + 0 where told(a) and a in (select x from o where y < 4) returning a, b) select * from u order by a
a:int4 | b:int4
1 | 1
2 | 2
3 | 3
7 | 2
8 | 3
9 | 4
SELECT 6

> update v set b = 1 where a = 5 and told(a)
UPDATE 0

> delete from v where a in (select x from o where y < 3) returning a
a:int4
1
2
7
8
9
DELETE 5

> with d as (delete from vv where told(a) returning a, b) select * from d order by a
a:int4 | b:int4
3 | 3
4 | 4
SELECT 2

> insert into v values (11, 1) on conflict (a) do update set b = 7
INSERT 0 1

> insert into v values (5, 1) on conflict (a) do update set b = 7
ERROR 55000: conflicting row is not visible through view "v"

> select * from t order by a
a:int4 | b:int4
5 | 0
6 | 1
10 | 0
11 | 1
SELECT 4

> drop view vv, v
DROP VIEW

> drop function told(int)
DROP FUNCTION

> drop table t, o
DROP TABLE
