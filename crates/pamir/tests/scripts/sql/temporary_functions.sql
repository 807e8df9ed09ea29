# Functions in pg_temp: a session's own, found only where the schema is written.

> create function pg_temp.f(x int) returns int language sql as 'select x + 1'
CREATE FUNCTION

> select pg_temp.f(1)
f:int4
2
SELECT 1

> select f(1)
ERROR 42883: function f(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create or replace function pg_temp.f(x int) returns int language sql as 'select x + 2'
CREATE FUNCTION

> select pg_temp.f(1), 'pg_temp.f(int)'::regprocedure is not null
f:int4 | ?column?:bool
3 | t
SELECT 1

> create function pg_temp.f(x int) returns int language sql as 'select x + 3'
ERROR 42723: function "f" already exists with same argument types

> create temp table kept as select generate_series(1, 3) as n
SELECT 3

> create function pg_temp.rows() returns setof kept language sql as 'select * from kept'
CREATE FUNCTION

> select * from pg_temp.rows()
n:int4
1
2
3
SELECT 3

> select count(*) from pg_proc where pronamespace = pg_my_temp_schema()
count:int8
2
SELECT 1

> begin
BEGIN

> create or replace function pg_temp.testfunc(out a int, out b text) returns record as $$ begin a := 1; b := 'x'; end $$ language plpgsql
CREATE FUNCTION

> select (testfunc.a), testfunc.b from pg_temp.testfunc()
a:int4 | b:text
1 | x
SELECT 1

> drop function if exists pg_temp.testfunc()
DROP FUNCTION

> create function pg_temp.taken_back() returns int language sql as 'select 1'
CREATE FUNCTION

> select pg_temp.taken_back()
taken_back:int4
1
SELECT 1

> rollback
ROLLBACK

> select pg_temp.taken_back()
ERROR 42883: function pg_temp.taken_back() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> drop function pg_temp.f(int)
DROP FUNCTION

> select pg_temp.f(1)
ERROR 42883: function pg_temp.f(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create procedure pg_temp.doubled(inout a int) language plpgsql as $$ begin a := a * 2; end $$
CREATE PROCEDURE

> call pg_temp.doubled(21)
a:int4
42
CALL

> create function pg_temp.stamp() returns trigger language plpgsql as $$ begin new.n := 9; return new; end $$
CREATE FUNCTION

> create trigger stamped before insert on kept for each row execute function pg_temp.stamp()
CREATE TRIGGER

> insert into kept values (1) returning n
n:int4
9
INSERT 0 1

> drop function pg_temp.stamp() cascade
NOTICE 00000: drop cascades to trigger stamped on table kept
DROP FUNCTION

> discard temp
DISCARD TEMP

> select pg_temp.rows()
ERROR 42883: function pg_temp.rows() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create table lasting (n int)
CREATE TABLE

> insert into lasting values (1)
INSERT 0 1

> select n from lasting
n:int4
1
SELECT 1

> drop table lasting
DROP TABLE
