# A subquery with WITH in it, written twice, is one expression: DISTINCT's and GROUP BY's ORDER BY, and the views that keep them.

> create table t2 (a int, b int)
CREATE TABLE

> insert into t2 values (1,2),(3,4)
INSERT 0 2

> create view w8 as with q as materialized (select b from t2) select b from q
CREATE VIEW

> create view w9 as select distinct (select '\x0001'::bytea from w8 limit 1) as c0 from t2 order by 1
CREATE VIEW

> select pg_get_viewdef('w9')
pg_get_viewdef:text
 SELECT DISTINCT ( SELECT '\x0001'::bytea AS bytea\n           FROM w8\n         LIMIT 1) AS c0\n   FROM t2\n  ORDER BY ( SELECT '\x0001'::bytea AS bytea\n           FROM w8\n         LIMIT 1);
SELECT 1

> select c0 from w9
c0:bytea
\x0001
SELECT 1

> create view w10 as select distinct (with q as materialized (select t2.a x) select x from q) as c0 from t2 order by 1
CREATE VIEW

> select * from w10
c0:int4
1
3
SELECT 2

> create view w11 as with q as materialized (select b from t2) select distinct (select count(*) from q) as c0, (with recursive r as (select 1 as n union all select n + 1 from r where n < t2.a) select sum(n) from r) as s from t2 order by 2, 1
CREATE VIEW

> select * from w11
c0:int8 | s:int8
2 | 1
2 | 6
SELECT 2

> create view w12 as with q as materialized (select b from t2) select (select count(*) from q) as c0, count(*) from t2 group by 1 order by 1
CREATE VIEW

> select * from w12
c0:int8 | count:int8
2 | 2
SELECT 1

> select distinct (with q as materialized (select b from t2) select count(*) from q) from t2 order by (with q as materialized (select b from t2) select count(*) from q)
count:int8
2
SELECT 1

> select distinct (with q as materialized (select b from t2) select count(*) from q) from t2 order by (with q as materialized (select a from t2) select count(*) from q)
ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list

> select distinct (with q as materialized (select b from t2) select count(*) from q) from t2 order by (with p as materialized (select b from t2) select count(*) from p)
ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list

> select distinct (with recursive q as (select 1 as n union all select n + 1 from q where n < 3) select sum(n) from q) from t2 order by (with recursive q as (select 1 as n union all select n + 1 from q where n < 3) select sum(n) from q)
sum:int8
6
SELECT 1

> select distinct (with recursive q as (select 1 as n union all select n + 1 from q where n < 3) select sum(n) from q) from t2 order by (with recursive q as (select 1 as n union all select n + 1 from q where n < 4) select sum(n) from q)
ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list

> select (with q as materialized (select a from t2 u where u.a=t2.a) select max(a) from q), count(*) from t2 group by (with q as materialized (select a from t2 u where u.a=t2.a) select max(a) from q) order by 1
max:int4 | count:int8
1 | 1
3 | 1
SELECT 2

> drop view w9, w8, w10, w11, w12; drop table t2
DROP VIEW
DROP TABLE
