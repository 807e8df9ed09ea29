> create schema dd
CREATE SCHEMA

> create table dd.t (a int primary key, b int, c int generated always as (a + b) stored, d int)
CREATE TABLE

> create type dd.mood as enum ('sad', 'ok')
CREATE TYPE

> create domain dd.dm as dd.mood
CREATE DOMAIN

> create table dd.u (m dd.mood, n dd.mood[], x dd.dm, t dd.t, k int references dd.t)
CREATE TABLE

> create function dd.f(int) returns int language sql immutable as 'select $1'
CREATE FUNCTION

> create function dd.g(dd.mood) returns int language sql as 'select 1'
CREATE FUNCTION

> create cast (dd.mood as int) with function dd.g(dd.mood)
CREATE CAST

> create function dd.o(dd.mood, int) returns bool language sql as 'select true'
CREATE FUNCTION

> create operator dd.=== (leftarg = dd.mood, rightarg = int, function = dd.o)
CREATE OPERATOR

> create function dd.s(int, int) returns int language sql as 'select $1'
CREATE FUNCTION

> create aggregate dd.agg(int) (sfunc = dd.s, stype = int)
CREATE AGGREGATE

> create table dd.w (a int check (dd.f(a) > 0), b int default dd.f(1))
CREATE TABLE

> create index w_f on dd.w (dd.f(a))
CREATE INDEX

> create view dd.v1 as select t from dd.t t
CREATE VIEW

> create view dd.v2 as select d from dd.t
CREATE VIEW

> create view dd.v3 as select * from dd.v2 where dd.f(d) > 0
CREATE VIEW

> create function dd.body() returns bigint language sql begin atomic select count(*) from dd.v3; end
CREATE FUNCTION

> create domain dd.checked as int check (dd.f(value) > 0) default dd.f(3)
CREATE DOMAIN

> create function dd.defaulted(x int default dd.f(1)) returns int language sql as 'select x'
CREATE FUNCTION

> create rule r as on delete to dd.w do instead delete from dd.u where k = old.b
CREATE RULE

> drop table dd.t
ERROR 2BP01: cannot drop table dd.t because other objects depend on it
DETAIL: column t of table dd.u depends on type dd.t\nconstraint u_k_fkey on table dd.u depends on table dd.t\nview dd.v1 depends on table dd.t\nview dd.v2 depends on table dd.t\nview dd.v3 depends on view dd.v2\nfunction dd.body() depends on view dd.v3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop type dd.mood
ERROR 2BP01: cannot drop type dd.mood because other objects depend on it
DETAIL: column n of table dd.u depends on type dd.mood[]\ntype dd.dm depends on type dd.mood\ncolumn x of table dd.u depends on type dd.dm\ncolumn m of table dd.u depends on type dd.mood\nfunction dd.g(dd.mood) depends on type dd.mood\ncast from dd.mood to integer depends on type dd.mood\nfunction dd.o(dd.mood,integer) depends on type dd.mood\noperator dd.===(dd.mood,integer) depends on type dd.mood
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop domain dd.dm
ERROR 2BP01: cannot drop type dd.dm because other objects depend on it
DETAIL: column x of table dd.u depends on type dd.dm
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function dd.f(int)
ERROR 2BP01: cannot drop function dd.f(integer) because other objects depend on it
DETAIL: default value for column b of table dd.w depends on function dd.f(integer)\nconstraint w_a_check on table dd.w depends on function dd.f(integer)\nindex dd.w_f depends on function dd.f(integer)\nview dd.v3 depends on function dd.f(integer)\nfunction dd.body() depends on view dd.v3\ntype dd.checked depends on function dd.f(integer)\nfunction dd.defaulted(integer) depends on function dd.f(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function dd.g(dd.mood)
ERROR 2BP01: cannot drop function dd.g(dd.mood) because other objects depend on it
DETAIL: cast from dd.mood to integer depends on function dd.g(dd.mood)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function dd.o(dd.mood, int)
ERROR 2BP01: cannot drop function dd.o(dd.mood,integer) because other objects depend on it
DETAIL: operator dd.===(dd.mood,integer) depends on function dd.o(dd.mood,integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function dd.s(int, int)
ERROR 2BP01: cannot drop function dd.s(integer,integer) because other objects depend on it
DETAIL: function dd.agg(integer) depends on function dd.s(integer,integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop view dd.v2
ERROR 2BP01: cannot drop view dd.v2 because other objects depend on it
DETAIL: view dd.v3 depends on view dd.v2\nfunction dd.body() depends on view dd.v3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table dd.t drop column b
ERROR 2BP01: cannot drop column b of table dd.t because other objects depend on it
DETAIL: column c of table dd.t depends on column b of table dd.t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table dd.t drop column d
ERROR 2BP01: cannot drop column d of table dd.t because other objects depend on it
DETAIL: view dd.v2 depends on column d of table dd.t\nview dd.v3 depends on view dd.v2\nfunction dd.body() depends on view dd.v3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table dd.w drop column b
ERROR 2BP01: cannot drop column b of table dd.w because other objects depend on it
DETAIL: rule r on table dd.w depends on column b of table dd.w
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table dd.t drop constraint t_pkey
ERROR 2BP01: cannot drop constraint t_pkey on table dd.t because other objects depend on it
DETAIL: constraint u_k_fkey on table dd.u depends on index dd.t_pkey
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table dd.t, dd.u
ERROR 2BP01: cannot drop desired object(s) because other objects depend on them
DETAIL: rule r on table dd.w depends on table dd.u\nview dd.v1 depends on table dd.t\nview dd.v2 depends on table dd.t\nview dd.v3 depends on view dd.v2\nfunction dd.body() depends on view dd.v3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table dd.t, dd.u, dd.w
ERROR 2BP01: cannot drop desired object(s) because other objects depend on them
DETAIL: view dd.v1 depends on table dd.t\nview dd.v2 depends on table dd.t\nview dd.v3 depends on view dd.v2\nfunction dd.body() depends on view dd.v3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> begin
BEGIN

> drop type dd.mood cascade
NOTICE 00000: drop cascades to 8 other objects
DETAIL: drop cascades to column n of table dd.u\ndrop cascades to type dd.dm\ndrop cascades to column x of table dd.u\ndrop cascades to column m of table dd.u\ndrop cascades to function dd.g(dd.mood)\ndrop cascades to cast from dd.mood to integer\ndrop cascades to function dd.o(dd.mood,integer)\ndrop cascades to operator dd.===(dd.mood,integer)
DROP TYPE

> select attname from pg_attribute where attrelid = 'dd.u'::regclass and attnum > 0 and not attisdropped order by attnum
attname:name
t
k
SELECT 2

> rollback
ROLLBACK

> begin
BEGIN

> drop function dd.f(int) cascade
NOTICE 00000: drop cascades to 7 other objects
DETAIL: drop cascades to default value for column b of table dd.w\ndrop cascades to constraint w_a_check on table dd.w\ndrop cascades to index dd.w_f\ndrop cascades to view dd.v3\ndrop cascades to function dd.body()\ndrop cascades to type dd.checked\ndrop cascades to function dd.defaulted(integer)
DROP FUNCTION

> select relname from pg_class where relnamespace = 'dd'::regnamespace order by 1
relname:name
t
t_pkey
u
v1
v2
w
SELECT 6

> select column_default from information_schema.columns where table_schema = 'dd' and table_name = 'w' order by ordinal_position
column_default:varchar
NULL
NULL
SELECT 2

> select typname, typdefault from pg_type where typnamespace = 'dd'::regnamespace and typtype = 'd' order by 1
typname:name | typdefault:text
dm | NULL
SELECT 1

> rollback
ROLLBACK

> begin
BEGIN

> alter table dd.t drop column a cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to column c of table dd.t\ndrop cascades to constraint u_k_fkey on table dd.u
ALTER TABLE

> select * from dd.v1
t:user
SELECT 0

> select relname from pg_class where relnamespace = 'dd'::regnamespace order by 1
relname:name
t
u
v1
v2
v3
w
w_f
SELECT 7

> rollback
ROLLBACK

> begin
BEGIN

> drop table dd.t cascade
NOTICE 00000: drop cascades to 6 other objects
DETAIL: drop cascades to column t of table dd.u\ndrop cascades to constraint u_k_fkey on table dd.u\ndrop cascades to view dd.v1\ndrop cascades to view dd.v2\ndrop cascades to view dd.v3\ndrop cascades to function dd.body()
DROP TABLE

> rollback
ROLLBACK

> drop operator dd.=== (dd.mood, int)
DROP OPERATOR

> create table dd.op (a dd.mood check (a operator(dd.===) 1))
ERROR 42883: operator does not exist: dd.mood dd.=== integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> create operator dd.=== (leftarg = dd.mood, rightarg = int, function = dd.o)
CREATE OPERATOR

> create table dd.op (a dd.mood check (a operator(dd.===) 1))
CREATE TABLE

> drop operator dd.=== (dd.mood, int)
ERROR 2BP01: cannot drop operator dd.===(dd.mood,integer) because other objects depend on it
DETAIL: constraint op_a_check on table dd.op depends on operator dd.===(dd.mood,integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop operator dd.=== (dd.mood, int) cascade
NOTICE 00000: drop cascades to constraint op_a_check on table dd.op
DROP OPERATOR

> drop schema dd
ERROR 2BP01: cannot drop schema dd because other objects depend on it
DETAIL: table dd.t depends on schema dd\ntype dd.mood depends on schema dd\ntype dd.dm depends on schema dd\ntable dd.u depends on schema dd\nfunction dd.f(integer) depends on schema dd\nfunction dd.g(dd.mood) depends on schema dd\ncast from dd.mood to integer depends on function dd.g(dd.mood)\nfunction dd.o(dd.mood,integer) depends on schema dd\nfunction dd.s(integer,integer) depends on schema dd\nfunction dd.agg(integer) depends on schema dd\ntable dd.w depends on schema dd\nview dd.v1 depends on schema dd\nview dd.v2 depends on schema dd\nview dd.v3 depends on schema dd\nfunction dd.body() depends on schema dd\ntype dd.checked depends on schema dd\nfunction dd.defaulted(integer) depends on schema dd\ntable dd.op depends on schema dd
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop schema dd cascade
NOTICE 00000: drop cascades to 18 other objects
DETAIL: drop cascades to table dd.t\ndrop cascades to type dd.mood\ndrop cascades to type dd.dm\ndrop cascades to table dd.u\ndrop cascades to function dd.f(integer)\ndrop cascades to function dd.g(dd.mood)\ndrop cascades to cast from dd.mood to integer\ndrop cascades to function dd.o(dd.mood,integer)\ndrop cascades to function dd.s(integer,integer)\ndrop cascades to function dd.agg(integer)\ndrop cascades to table dd.w\ndrop cascades to view dd.v1\ndrop cascades to view dd.v2\ndrop cascades to view dd.v3\ndrop cascades to function dd.body()\ndrop cascades to type dd.checked\ndrop cascades to function dd.defaulted(integer)\ndrop cascades to table dd.op
DROP SCHEMA
