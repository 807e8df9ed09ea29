# Views: what depends on them, names that change under them, privileges, catalogs.
> create table t1(a int primary key, b int, c text, v varchar(10), n numeric(10,2), ts timestamp, arr int[], j jsonb)
CREATE TABLE

> create table t2(a int, d int)
CREATE TABLE

> create table t3(a bigint, e text)
CREATE TABLE

> create view v0 as select a, b from t1
CREATE VIEW

> insert into t1 values (1,10,'x','v',1.5,'2020-01-01','{1,2}','{"a":1}'),(2,20,'y','w',2.5,'2020-02-01','{3}','{}'),(3,null,null,null,null,null,null,null)
INSERT 0 3

> insert into t2 values (1,100),(2,200),(2,201)
INSERT 0 3

> create view j as select t1.a, b, d from t1 join t2 using (a)
CREATE VIEW

> create view jj as select a, sum(d) as s from j group by a
CREATE VIEW

> select * from jj order by 1
a:int4 | s:int8
1 | 100
2 | 401
SELECT 2

> select * from j natural join jj order by 1,2,3
a:int4 | b:int4 | d:int4 | s:int8
1 | 10 | 100 | 100
2 | 20 | 200 | 401
2 | 20 | 201 | 401
SELECT 3

> drop table t1
ERROR 2BP01: cannot drop table t1 because other objects depend on it
DETAIL: view v0 depends on table t1\nview j depends on table t1\nview jj depends on view j
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop view j
ERROR 2BP01: cannot drop view j because other objects depend on it
DETAIL: view jj depends on view j
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table t2 cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to view j\ndrop cascades to view jj
DROP TABLE

> select * from jj
ERROR 42P01: relation "jj" does not exist

> create table t2(a int, d int)
CREATE TABLE

> insert into t2 values (1,100),(2,200),(2,201)
INSERT 0 3

> create view j as select t1.a, b, d from t1 join t2 using (a)
CREATE VIEW

> create view jj(x, y) as select a, sum(d) from j group by a
CREATE VIEW

> alter table t2 rename column d to dd
ALTER TABLE

> alter table t2 rename to t22
ALTER TABLE

> select pg_get_viewdef('j'), pg_get_viewdef('jj')
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t22.dd AS d\n   FROM (t1\n     JOIN t22 USING (a)); |  SELECT j.a AS x,\n    sum(j.d) AS y\n   FROM j\n  GROUP BY j.a;
SELECT 1

> alter view j rename column d to q
ALTER VIEW

> alter view j rename to k
ALTER VIEW

> select pg_get_viewdef('jj')
pg_get_viewdef:text
 SELECT k.a AS x,\n    sum(k.q) AS y\n   FROM k\n  GROUP BY k.a;
SELECT 1

> create schema s2
CREATE SCHEMA

> alter table t22 set schema s2
ALTER TABLE

> alter view k set schema s2
ALTER VIEW

> select pg_get_viewdef('s2.k'), pg_get_viewdef('jj')
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t22.dd AS q\n   FROM (t1\n     JOIN s2.t22 USING (a)); |  SELECT k.a AS x,\n    sum(k.q) AS y\n   FROM s2.k\n  GROUP BY k.a;
SELECT 1

> select * from jj order by 1
x:int4 | y:int8
1 | 100
2 | 401
SELECT 2

> alter table s2.t22 drop column dd
ERROR 2BP01: cannot drop column dd of table s2.t22 because other objects depend on it
DETAIL: view s2.k depends on column dd of table s2.t22\nview jj depends on view s2.k
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table s2.t22 alter column dd type bigint
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view s2.k depends on column "dd"

> alter table s2.t22 add column n text
ALTER TABLE

> alter schema s2 rename to s3
ALTER SCHEMA

> select pg_get_viewdef('s3.k'), pg_get_viewdef('jj')
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t22.dd AS q\n   FROM (t1\n     JOIN s3.t22 USING (a)); |  SELECT k.a AS x,\n    sum(k.q) AS y\n   FROM s3.k\n  GROUP BY k.a;
SELECT 1

> create or replace view jj(x, y) as select a, 1 from s3.k
ERROR 42P16: cannot change data type of view column "y" from bigint to integer

> create or replace view jj as select a, 1 from s3.k
ERROR 42P16: cannot change name of view column "x" to "a"
HINT: Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.

> create or replace view jj(x, y, z) as select a, sum(q), count(*) from s3.k group by a
CREATE VIEW

> select * from jj order by x
x:int4 | y:int8 | z:int8
1 | 100 | 1
2 | 401 | 2
SELECT 2

> select relkind, relname, relhasrules from pg_class where relname in ('k','jj','t1') order by 2
relkind:char | relname:name | relhasrules:bool
v | jj | t
v | k | t
r | t1 | f
SELECT 3

> select schemaname, viewname, definition from pg_views where schemaname in ('public','s3') order by 2
schemaname:name | viewname:name | definition:text
public | jj |  SELECT k.a AS x,\n    sum(k.q) AS y,\n    count(*) AS z\n   FROM s3.k\n  GROUP BY k.a;
s3 | k |  SELECT t1.a,\n    t1.b,\n    t22.dd AS q\n   FROM (t1\n     JOIN s3.t22 USING (a));
public | v0 |  SELECT t1.a,\n    t1.b\n   FROM t1;
SELECT 3

> select table_name, view_definition from information_schema.views where table_schema='s3'
table_name:name | view_definition:varchar
k |  SELECT t1.a,\n    t1.b,\n    t22.dd AS q\n   FROM (t1\n     JOIN s3.t22 USING (a));
SELECT 1

> select table_name, table_type from information_schema.tables where table_schema in ('s3') order by 1
table_name:name | table_type:varchar
k | VIEW
t22 | BASE TABLE
SELECT 2

> select column_name, data_type from information_schema.columns where table_name='jj' order by 1
column_name:name | data_type:varchar
x | integer
y | bigint
z | bigint
SELECT 3

> drop schema s3
ERROR 2BP01: cannot drop schema s3 because other objects depend on it
DETAIL: table s3.t22 depends on schema s3\nview s3.k depends on schema s3\nview jj depends on view s3.k
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop schema s3 cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to table s3.t22\ndrop cascades to view s3.k\ndrop cascades to view jj
DROP SCHEMA

> create view dup as select 1 as a, 2 as a
ERROR 42701: column "a" specified more than once

> create view dup(a,b) as select 1
ERROR 42601: CREATE VIEW specifies more column names than columns

> create view t1 as select 1
ERROR 42P07: relation "t1" already exists

> create or replace view t1 as select 1
ERROR 42809: "t1" is not a view

> create view v1 with (security_barrier) as select a, b from t1 where b > 5
CREATE VIEW

> create view v2 with (security_barrier=false, security_invoker=true) as select * from t1
CREATE VIEW

> create view v3 with (foo) as select 1
ERROR 22023: unrecognized parameter "foo"

> select relname, reloptions from pg_class where relname in ('v1','v2') order by 1
relname:name | reloptions:_text
v1 | {security_barrier=true}
v2 | {security_barrier=false,security_invoker=true}
SELECT 2

> select * from v1 where a < 100
a:int4 | b:int4
1 | 10
2 | 20
SELECT 2

> create recursive view rv(n) as select 1 union all select n + 1 from rv where n < 5
CREATE VIEW

> select * from rv
n:int4
1
2
3
4
5
SELECT 5

> select pg_get_viewdef('rv')
pg_get_viewdef:text
 WITH RECURSIVE rv(n) AS (\n         SELECT 1 AS "?column?"\n        UNION ALL\n         SELECT (rv_1.n + 1)\n           FROM rv rv_1\n          WHERE (rv_1.n < 5)\n        )\n SELECT rv.n\n   FROM rv;
SELECT 1

> drop view rv, v1, v2
DROP VIEW

> drop view if exists nothere
NOTICE 00000: view "nothere" does not exist, skipping
DROP VIEW

> drop table v0
ERROR 42809: "v0" is not a table
HINT: Use DROP VIEW to remove a view.

> drop view t1
ERROR 42809: "t1" is not a view
HINT: Use DROP TABLE to remove a table.

> truncate v0
ERROR 42809: "v0" is not a table

> create index on v0(a)
ERROR 42809: cannot create index on relation "v0"
DETAIL: This operation is not supported for views.

> alter table v0 add column x int
ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "v0"
DETAIL: This operation is not supported for views.

> create view par as select $1::int
ERROR 42P02: there is no parameter $1

> create view p1 as select a from t1
CREATE VIEW

> create role golden_views_r1
CREATE ROLE

> grant select on p1 to golden_views_r1
GRANT

> set role golden_views_r1
SET

> select * from p1
a:int4
1
2
3
SELECT 3

> select * from t1
ERROR 42501: permission denied for table t1

> reset role
RESET

> revoke select on p1 from golden_views_r1
REVOKE

> set role golden_views_r1
SET

> select * from p1
ERROR 42501: permission denied for view p1

> reset role
RESET

> copy p1 to stdout
ERROR 42809: cannot copy from view "p1"
HINT: Try the COPY (SELECT ...) TO variant.

> create or replace view p1 as select * from p1
CREATE VIEW

> select * from p1
ERROR 42P17: infinite recursion detected in rules for relation "p1"

> analyze p1
WARNING 01000: skipping "p1" --- cannot analyze non-tables or special system tables
ANALYZE

> comment on view p1 is 'hello'
COMMENT

> select obj_description('p1'::regclass)
obj_description:text
hello
SELECT 1

> drop owned by golden_views_r1
DROP OWNED

> drop role golden_views_r1
DROP ROLE

> create table ct as select * from jj
ERROR 42P01: relation "jj" does not exist

> select * from ct order by 1
ERROR 42P01: relation "ct" does not exist

> create table lk (like v0)
CREATE TABLE

> select * from v0 for update
a:int4 | b:int4
1 | 10
2 | 20
3 | NULL
SELECT 3

> begin
BEGIN

> create view bv as select 1 as one
CREATE VIEW

> select * from bv
one:int4
1
SELECT 1

> rollback
ROLLBACK

> select * from bv
ERROR 42P01: relation "bv" does not exist

> prepare pp as select count(*) from v0
PREPARE

> execute pp
count:int8
3
SELECT 1

> create or replace view v0 as select a, b from t1 where a = 1
CREATE VIEW

> execute pp
count:int8
1
SELECT 1

