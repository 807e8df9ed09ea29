# Materialized views: made, filled, refreshed, altered, dropped.
> create table t(id int primary key, g int, v text)
CREATE TABLE

> insert into t select i, i % 3, 'v' || i from generate_series(1, 9) i
INSERT 0 9

> create materialized view m as select g, count(*) as n, max(id) as most from t group by g
SELECT 3

> select * from m order by g
g:int4 | n:int8 | most:int4
0 | 3 | 9
1 | 3 | 7
2 | 3 | 8
SELECT 3

> insert into t values (10, 0, 'v10')
INSERT 0 1

> select * from m order by g
g:int4 | n:int8 | most:int4
0 | 3 | 9
1 | 3 | 7
2 | 3 | 8
SELECT 3

> refresh materialized view m
REFRESH MATERIALIZED VIEW

> select * from m order by g
g:int4 | n:int8 | most:int4
0 | 4 | 10
1 | 3 | 7
2 | 3 | 8
SELECT 3

> create materialized view if not exists m as select 1
NOTICE 42P07: relation "m" already exists, skipping
CREATE MATERIALIZED VIEW

> create materialized view m as select 1
ERROR 42P07: relation "m" already exists

> create materialized view e as select id, v from t with no data
CREATE MATERIALIZED VIEW

> select * from e
ERROR 55000: materialized view "e" has not been populated
HINT: Use the REFRESH MATERIALIZED VIEW command.

> select count(*) from e
ERROR 55000: materialized view "e" has not been populated
HINT: Use the REFRESH MATERIALIZED VIEW command.

> create view over_e as select id from e
CREATE VIEW

> select * from over_e
ERROR 55000: materialized view "e" has not been populated
HINT: Use the REFRESH MATERIALIZED VIEW command.

> refresh materialized view concurrently e
ERROR 0A000: CONCURRENTLY cannot be used when the materialized view is not populated

> refresh materialized view e
REFRESH MATERIALIZED VIEW

> select * from e where id < 3
id:int4 | v:text
1 | v1
2 | v2
SELECT 2

> refresh materialized view concurrently e
ERROR 55000: cannot refresh materialized view "public.e" concurrently
HINT: Create a unique index with no WHERE clause on one or more columns of the materialized view.

> create unique index e_id on e(id)
CREATE INDEX

> create index on e(v)
CREATE INDEX

> refresh materialized view concurrently e
REFRESH MATERIALIZED VIEW

> refresh materialized view concurrently e with no data
ERROR 42601: CONCURRENTLY and WITH NO DATA options cannot be used together

> select * from e where id = 5
id:int4 | v:text
5 | v5
SELECT 1

> explain (costs off) select * from m where n > 1
QUERY PLAN:text
Seq Scan on m
  Filter: (n > 1)
EXPLAIN

> refresh materialized view e with no data
REFRESH MATERIALIZED VIEW

> select * from e
ERROR 55000: materialized view "e" has not been populated
HINT: Use the REFRESH MATERIALIZED VIEW command.

> refresh materialized view e
REFRESH MATERIALIZED VIEW

> insert into e values (1, 'x')
ERROR 42809: cannot change materialized view "e"

> update e set v = 'x'
ERROR 42809: cannot change materialized view "e"

> delete from e
ERROR 42809: cannot change materialized view "e"

> truncate e
ERROR 42809: "e" is not a table

> merge into e using t on e.id = t.id when matched then delete
ERROR 0A000: cannot execute MERGE on relation "e"
DETAIL: This operation is not supported for materialized views.

> select * from e where id = 1 for update
ERROR 42809: cannot lock rows in materialized view "e"

> refresh materialized view t
ERROR 0A000: "t" is not a materialized view

> refresh materialized view nope
ERROR 42P01: relation "nope" does not exist

> create view pv as select 1 as one
CREATE VIEW

> refresh materialized view pv
ERROR 42809: "pv" is not a table or materialized view

> drop view m
ERROR 42809: "m" is not a view
HINT: Use DROP MATERIALIZED VIEW to remove a materialized view.

> drop table m
ERROR 42809: "m" is not a table
HINT: Use DROP MATERIALIZED VIEW to remove a materialized view.

> drop materialized view pv
ERROR 42809: "pv" is not a materialized view
HINT: Use DROP VIEW to remove a view.

> drop materialized view t
ERROR 42809: "t" is not a materialized view
HINT: Use DROP TABLE to remove a table.

> drop materialized view nope
ERROR 42P01: materialized view "nope" does not exist

> drop materialized view if exists nope
NOTICE 00000: materialized view "nope" does not exist, skipping
DROP MATERIALIZED VIEW

> select relname, relkind, relispopulated, relhasindex from pg_class where relname in ('m', 'e', 'e_id') order by 1
relname:name | relkind:char | relispopulated:bool | relhasindex:bool
e | m | t | t
e_id | i | t | f
m | m | t | f
SELECT 3

> select * from pg_matviews order by matviewname
schemaname:name | matviewname:name | matviewowner:name | tablespace:name | hasindexes:bool | ispopulated:bool | definition:text
public | e | postgres | NULL | t | t |  SELECT t.id,\n    t.v\n   FROM t;
public | m | postgres | NULL | f | t |  SELECT t.g,\n    count(*) AS n,\n    max(t.id) AS most\n   FROM t\n  GROUP BY t.g;
SELECT 2

> select pg_get_viewdef('m'), pg_get_viewdef('e', true)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT t.g,\n    count(*) AS n,\n    max(t.id) AS most\n   FROM t\n  GROUP BY t.g; |  SELECT t.id,\n    t.v\n   FROM t;
SELECT 1

> select tablename, indexname, indexdef from pg_indexes where tablename = 'e' order by 2
tablename:name | indexname:name | indexdef:text
e | e_id | CREATE UNIQUE INDEX e_id ON public.e USING btree (id)
e | e_v_idx | CREATE INDEX e_v_idx ON public.e USING btree (v)
SELECT 2

> select table_name, table_type from information_schema.tables where table_schema = 'public' order by 1
table_name:name | table_type:varchar
over_e | VIEW
pv | VIEW
t | BASE TABLE
SELECT 3

> create materialized view named(a, b) as select id, v from t
SELECT 10

> select * from named where a = 2
a:int4 | b:text
2 | v2
SELECT 1

> create materialized view named2(a, b, c) as select id, v from t
ERROR 42601: too many column names were specified

> create materialized view dup as select 1 as a, 2 as a
ERROR 42701: column "a" specified more than once

> alter materialized view named rename to renamed
ALTER MATERIALIZED VIEW

> alter materialized view renamed rename column a to aa
ALTER MATERIALIZED VIEW

> select pg_get_viewdef('renamed')
pg_get_viewdef:text
 SELECT t.id AS aa,\n    t.v AS b\n   FROM t;
SELECT 1

> refresh materialized view renamed
REFRESH MATERIALIZED VIEW

> select aa from renamed where aa = 3
aa:int4
3
SELECT 1

> alter table t rename column v to w
ALTER TABLE

> select pg_get_viewdef('renamed')
pg_get_viewdef:text
 SELECT t.id AS aa,\n    t.w AS b\n   FROM t;
SELECT 1

> refresh materialized view renamed
REFRESH MATERIALIZED VIEW

> alter materialized view renamed add column x int
ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "renamed"
DETAIL: This operation is not supported for materialized views.

> alter table renamed add column x int
ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "renamed"
DETAIL: This operation is not supported for materialized views.

> alter materialized view renamed alter column aa set default 1
ERROR 42809: ALTER action ALTER COLUMN ... SET DEFAULT cannot be performed on relation "renamed"
DETAIL: This operation is not supported for materialized views.

> alter view renamed rename to q
ERROR 42809: "renamed" is not a view

> alter materialized view t rename to q
ERROR 42809: "t" is not a materialized view

> alter materialized view nope rename to q
ERROR 42P01: relation "nope" does not exist

> alter materialized view if exists nope rename to q
NOTICE 00000: relation "nope" does not exist, skipping
ALTER MATERIALIZED VIEW

> comment on materialized view renamed is 'kept rows'
COMMENT

> select obj_description('renamed'::regclass)
obj_description:text
kept rows
SELECT 1

> comment on materialized view t is 'no'
ERROR 42809: "t" is not a materialized view

> alter materialized view renamed set (fillfactor = 70)
ALTER MATERIALIZED VIEW

> select reloptions from pg_class where relname = 'renamed'
reloptions:_text
{fillfactor=70}
SELECT 1

> drop table t
ERROR 2BP01: cannot drop table t because other objects depend on it
DETAIL: materialized view m depends on table t\nmaterialized view e depends on table t\nview over_e depends on materialized view e\nmaterialized view renamed depends on table t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table t cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to materialized view m\ndrop cascades to materialized view e\ndrop cascades to view over_e\ndrop cascades to materialized view renamed
DROP TABLE

> create materialized view vals as values (1, 'a'), (2, 'b')
SELECT 2

> select * from vals
column1:int4 | column2:text
1 | a
2 | b
SELECT 2

> create unique index vals_u on vals(column1)
CREATE INDEX

> create materialized view mm as select column1 * 2 as d from vals
SELECT 2

> drop materialized view vals
ERROR 2BP01: cannot drop materialized view vals because other objects depend on it
DETAIL: materialized view mm depends on materialized view vals
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop materialized view vals cascade
NOTICE 00000: drop cascades to materialized view mm
DROP MATERIALIZED VIEW

> create temp table tt(a int)
CREATE TABLE

> create materialized view tm as select * from tt
ERROR 0A000: materialized views must not use temporary tables or views

> create materialized view pm as with d as (delete from tt returning *) select * from d
ERROR 0A000: materialized views must not use data-modifying statements in WITH

> create table dups(a int)
CREATE TABLE

> insert into dups values (1)
INSERT 0 1

> create materialized view dm as select * from dups
SELECT 1

> create unique index dm_a on dm(a)
CREATE INDEX

> insert into dups values (1)
INSERT 0 1

> refresh materialized view dm
ERROR 23505: could not create unique index "dm_a"
DETAIL: Key (a)=(1) is duplicated.

> select * from dm
a:int4
1
SELECT 1

> create schema s
CREATE SCHEMA

> alter materialized view dm set schema s
ALTER MATERIALIZED VIEW

> select * from s.dm
a:int4
1
SELECT 1

> analyze s.dm
ANALYZE

> begin
BEGIN

> refresh materialized view s.dm with no data
REFRESH MATERIALIZED VIEW

> rollback
ROLLBACK

> select * from s.dm
a:int4
1
SELECT 1

> reindex table s.dm
REINDEX

> drop schema s cascade
NOTICE 00000: drop cascades to materialized view s.dm
DROP SCHEMA

> drop materialized view dm
ERROR 42P01: materialized view "dm" does not exist

# COPY, functions, changes in one transaction
> create table src(a int)
CREATE TABLE

> insert into src values (1), (2)
INSERT 0 2

> create materialized view cm as select a from src
SELECT 2

> copy cm from stdin
ERROR 42809: cannot copy to materialized view "cm"

> copy cm to stdout
ERROR 42809: cannot copy from materialized view "cm"
HINT: Try the COPY (SELECT ...) TO variant.

> create function renew() returns int language plpgsql as 'begin insert into src values (3); refresh materialized view cm; return (select count(*) from cm); end'
CREATE FUNCTION

> select renew()
renew:int4
3
SELECT 1

> select * from cm order by a
a:int4
1
2
3
SELECT 3

> begin
BEGIN

> insert into src values (4)
INSERT 0 1

> refresh materialized view cm
REFRESH MATERIALIZED VIEW

> savepoint s
SAVEPOINT

> delete from src
DELETE 4

> refresh materialized view cm
REFRESH MATERIALIZED VIEW

> select count(*) from cm
count:int8
0
SELECT 1

> rollback to s
ROLLBACK

> select count(*) from cm
count:int8
4
SELECT 1

> commit
COMMIT

> select count(*) from cm
count:int8
4
SELECT 1

> refresh materialized view concurrently cm
ERROR 55000: cannot refresh materialized view "public.cm" concurrently
HINT: Create a unique index with no WHERE clause on one or more columns of the materialized view.

> create unique index on cm((a + 1))
CREATE INDEX

> refresh materialized view concurrently cm
ERROR 55000: cannot refresh materialized view "public.cm" concurrently
HINT: Create a unique index with no WHERE clause on one or more columns of the materialized view.

> create unique index on cm(a)
CREATE INDEX

> refresh materialized view concurrently cm
REFRESH MATERIALIZED VIEW

> alter materialized view cm rename to cm2
ALTER MATERIALIZED VIEW

> create materialized view cm as select a, random() as r from src
SELECT 4

> create unique index on cm(a)
CREATE INDEX

> insert into src values (null), (4)
INSERT 0 2

> refresh materialized view concurrently cm
ERROR 23505: duplicate key value violates unique constraint "cm_a_idx1"
DETAIL: Key (a)=(4) already exists.

> select count(*) from cm
count:int8
4
SELECT 1
