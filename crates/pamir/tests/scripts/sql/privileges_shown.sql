# information_schema's views of privileges, and privileges through views with security_invoker.
> create role giver
CREATE ROLE

> create role taker
CREATE ROLE

> create role member in role taker
CREATE ROLE

> create table t(a int, b int)
CREATE TABLE

> alter table t owner to giver
ALTER TABLE

> create table shown(x int)
CREATE TABLE

> grant usage, create on schema public to giver, taker
GRANT

> set role giver
SET

> grant select, insert on t to taker with grant option
GRANT

> grant update (b) on t to member
GRANT

> grant select on t to public
GRANT

> reset role
RESET

> select * from information_schema.table_privileges where table_name = 't' order by grantee, privilege_type
grantor:name | grantee:name | table_catalog:name | table_schema:name | table_name:name | privilege_type:varchar | is_grantable:varchar | with_hierarchy:varchar
giver | PUBLIC | golden_sql_privileges_shown | public | t | SELECT | NO | YES
giver | giver | golden_sql_privileges_shown | public | t | DELETE | YES | NO
giver | giver | golden_sql_privileges_shown | public | t | INSERT | YES | NO
giver | giver | golden_sql_privileges_shown | public | t | REFERENCES | YES | NO
giver | giver | golden_sql_privileges_shown | public | t | SELECT | YES | YES
giver | giver | golden_sql_privileges_shown | public | t | TRIGGER | YES | NO
giver | giver | golden_sql_privileges_shown | public | t | TRUNCATE | YES | NO
giver | giver | golden_sql_privileges_shown | public | t | UPDATE | YES | NO
giver | taker | golden_sql_privileges_shown | public | t | INSERT | YES | NO
giver | taker | golden_sql_privileges_shown | public | t | SELECT | YES | YES
SELECT 10

> select grantor, grantee, column_name, privilege_type, is_grantable from information_schema.column_privileges where table_name = 't' and privilege_type = 'UPDATE' order by 2, 3
grantor:name | grantee:name | column_name:name | privilege_type:varchar | is_grantable:varchar
giver | giver | a | UPDATE | YES
giver | giver | b | UPDATE | YES
giver | member | b | UPDATE | NO
SELECT 3

> set role member
SET

> select * from information_schema.role_table_grants where table_name = 't' order by grantee, privilege_type
grantor:name | grantee:name | table_catalog:name | table_schema:name | table_name:name | privilege_type:varchar | is_grantable:varchar | with_hierarchy:varchar
giver | taker | golden_sql_privileges_shown | public | t | INSERT | YES | NO
giver | taker | golden_sql_privileges_shown | public | t | SELECT | YES | YES
SELECT 2

> select * from information_schema.enabled_roles order by 1
role_name:name
member
taker
SELECT 2

> select * from information_schema.applicable_roles order by 1, 2
grantee:name | role_name:name | is_grantable:varchar
member | taker | NO
SELECT 1

> reset role
RESET

> create function f() returns int language sql as 'select 1'
CREATE FUNCTION

> select grantor, grantee, routine_name, privilege_type, is_grantable from information_schema.routine_privileges where routine_name = 'f' order by 2
grantor:name | grantee:name | routine_name:name | privilege_type:varchar | is_grantable:varchar
postgres | PUBLIC | f | EXECUTE | NO
postgres | postgres | f | EXECUTE | YES
SELECT 2

> create sequence s
CREATE SEQUENCE

> select count(*) from information_schema.usage_privileges where object_name = 's'
count:int8
0
SELECT 1

> grant usage on sequence s to taker
GRANT

> create domain d as int
CREATE DOMAIN

> select grantor, grantee, object_name, object_type, is_grantable from information_schema.usage_privileges where object_name in ('s', 'd') order by 3, 2
grantor:name | grantee:name | object_name:name | object_type:varchar | is_grantable:varchar
postgres | PUBLIC | d | DOMAIN | NO
postgres | postgres | d | DOMAIN | YES
postgres | postgres | s | SEQUENCE | YES
postgres | taker | s | SEQUENCE | NO
SELECT 4

> create type pt as (a int)
CREATE TYPE

> select grantor, grantee, udt_name, privilege_type, is_grantable from information_schema.udt_privileges where udt_name in ('pt', 't') order by 3, 2
grantor:name | grantee:name | udt_name:name | privilege_type:varchar | is_grantable:varchar
postgres | PUBLIC | pt | TYPE USAGE | NO
postgres | postgres | pt | TYPE USAGE | YES
giver | PUBLIC | t | TYPE USAGE | NO
giver | giver | t | TYPE USAGE | YES
SELECT 4

> set role giver
SET

> create view v1 with (security_invoker = true) as select a, b from t
CREATE VIEW

> grant select, update on v1 to taker
GRANT

> revoke all on t from public, taker, member cascade
REVOKE

> reset role
RESET

> create role viewer
CREATE ROLE

> set role taker
SET

> create view v2 as select * from v1
CREATE VIEW

> grant select, update on v2 to viewer
GRANT

> select * from v2
ERROR 42501: permission denied for table t

> reset role
RESET

> set role giver
SET

> grant select, update on t to taker
GRANT

> reset role
RESET

> set role taker
SET

> select * from v2
a:int4 | b:int4
SELECT 0

> reset role
RESET

> set role viewer
SET

> select * from v2
ERROR 42501: permission denied for table t

> update v2 set a = 1
ERROR 42501: permission denied for table t

> reset role
RESET

> grant select, update (a) on t to viewer
GRANT

> set role viewer
SET

> select * from v2
a:int4 | b:int4
SELECT 0

> update v2 set a = 1
UPDATE 0

> update v2 set b = 1
ERROR 42501: permission denied for table t

> reset role
RESET

> begin
BEGIN

> declare c cursor for select 1
DECLARE CURSOR

> select name, statement from pg_cursors
name:text | statement:text
c | declare c cursor for select 1
SELECT 1

> commit
COMMIT

> drop owned by giver, taker, member, viewer cascade
DROP OWNED

> drop role giver, taker, member, viewer
DROP ROLE

