# Tables made of queries, locks and constraints' modes within functions; CREATE TABLE AS EXECUTE.
> create function tmp(n int) returns bigint language plpgsql as $$ begin create temp table tt as select generate_series(1, n) g; return (select sum(g) from tt); end $$
CREATE FUNCTION

> select tmp(3)
tmp:int8
6
SELECT 1

> drop table tt
DROP TABLE

> select tmp(4)
tmp:int8
10
SELECT 1

> create function tmp2(n int) returns void language sql as $$ create table t9 as select 1 as a; $$
CREATE FUNCTION

> select tmp2(3)
tmp2:void
NULL
SELECT 1

> select * from t9
a:int4
1
SELECT 1

> do $$ begin lock table t9 in access exclusive mode; end $$
DO

> do $$ declare n int; begin create table t10 as select * from t9; get diagnostics n = row_count; raise notice '%', n; execute 'create table t11 as select 5 as b union select 6'; get diagnostics n = row_count; raise notice '%', n; create materialized view mv as select * from t11; refresh materialized view mv; end $$
NOTICE 00000: 1
NOTICE 00000: 2
DO

> select * from t11 order by 1; select * from mv order by 1
b:int4
5
6
SELECT 2
b:int4
5
6
SELECT 2

> do $$ begin execute 'select * into t12 from t11'; end $$
ERROR 0A000: EXECUTE of SELECT ... INTO is not implemented
HINT: You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead.

> select * from t12 order by 1
ERROR 42P01: relation "t12" does not exist

> create function ev() returns event_trigger language plpgsql as $$ begin raise notice '% %', tg_event, tg_tag; end $$; create event trigger e1 on ddl_command_start execute function ev(); create event trigger e2 on ddl_command_end execute function ev()
CREATE FUNCTION
CREATE EVENT TRIGGER
CREATE EVENT TRIGGER

> create materialized view m as select 1 as a; refresh materialized view m; create table t13 as select 1; select 2 into t14
NOTICE 00000: ddl_command_start CREATE MATERIALIZED VIEW
NOTICE 00000: ddl_command_end CREATE MATERIALIZED VIEW
SELECT 1
NOTICE 00000: ddl_command_start REFRESH MATERIALIZED VIEW
NOTICE 00000: ddl_command_end REFRESH MATERIALIZED VIEW
REFRESH MATERIALIZED VIEW
NOTICE 00000: ddl_command_start CREATE TABLE AS
NOTICE 00000: ddl_command_end CREATE TABLE AS
SELECT 1
NOTICE 00000: ddl_command_start SELECT INTO
NOTICE 00000: ddl_command_end SELECT INTO
SELECT 1

> drop event trigger e1; drop event trigger e2
DROP EVENT TRIGGER
DROP EVENT TRIGGER

> do $$ begin set constraints all deferred; end $$
DO

> do $$ begin listen ch; end $$
DO

> unlisten *
UNLISTEN

> create table t13x as execute q
ERROR 26000: prepared statement "q" does not exist

> drop table t9,t10,t11,t12,t13,t14 cascade; drop function tmp, tmp2, ev; drop materialized view m
ERROR 42P01: table "t12" does not exist

> set constraints nope deferred
WARNING 25P01: SET CONSTRAINTS can only be used in transaction blocks
ERROR 42704: constraint "nope" does not exist

> begin; lock table nope; rollback
BEGIN
ERROR 42P01: relation "nope" does not exist

> lock table pg_class
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> prepare qq(int) as select $1 as a, 'x'::text b
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> create table t15 as execute qq(7)
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> select * from t15
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> drop table if exists t15
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block
