# information_schema: what constraints, views, generated columns and routines are about.

> create schema app
CREATE SCHEMA

> set search_path = app
SET

> create domain mail as text check (value ~ '@')
CREATE DOMAIN

> create table parent (id int primary key, n name)
CREATE TABLE

> create table t (c int check (c > 0), d int generated always as (c * 2) stored, e mail[], f int references parent, constraint u unique nulls not distinct (c, d), constraint k primary key (c), constraint both_small check (c < 100 and f < 100))
CREATE TABLE

> alter table t add constraint late check (c <> 50) not valid
ALTER TABLE

> create view v as select c, d from t where f is not null
CREATE VIEW

> create view vv as select c + 1 as c1, n from v, parent
CREATE VIEW

> create function f(a int, b text default 'x', out r t) language sql as 'select t from app.t t'
CREATE FUNCTION

> create function g(a int) returns setof t language sql as 'select * from app.t'
CREATE FUNCTION

> create procedure p(a int, inout b text) language sql as 'select b'
CREATE PROCEDURE

> create aggregate ag(int) (sfunc = int4pl, stype = int)
CREATE AGGREGATE

> create view calls as select f(1) as r
CREATE VIEW

> select specific_schema, ordinal_position, parameter_mode, parameter_name, data_type, udt_schema, udt_name, parameter_default, dtd_identifier from information_schema.parameters where specific_schema = 'app' order by split_part(specific_name, '_', 1), 2
specific_schema:name | ordinal_position:int4 | parameter_mode:varchar | parameter_name:name | data_type:varchar | udt_schema:name | udt_name:name | parameter_default:varchar | dtd_identifier:name
app | 1 | IN | NULL | integer | pg_catalog | int4 | NULL | 1
app | 1 | IN | a | integer | pg_catalog | int4 | NULL | 1
app | 2 | IN | b | text | pg_catalog | text | 'x'::text | 2
app | 3 | OUT | r | USER-DEFINED | app | t | NULL | 3
app | 1 | IN | a | integer | pg_catalog | int4 | NULL | 1
app | 1 | IN | a | integer | pg_catalog | int4 | NULL | 1
app | 2 | INOUT | b | text | pg_catalog | text | NULL | 2
SELECT 7

> select routine_name, routine_type, data_type, type_udt_schema, type_udt_name, routine_body, external_language, is_deterministic, is_null_call, security_type, schema_level_routine, max_dynamic_result_sets, dtd_identifier, as_locator, is_udt_dependent from information_schema.routines where routine_schema = 'app' order by 1
routine_name:name | routine_type:varchar | data_type:varchar | type_udt_schema:name | type_udt_name:name | routine_body:varchar | external_language:varchar | is_deterministic:varchar | is_null_call:varchar | security_type:varchar | schema_level_routine:varchar | max_dynamic_result_sets:int4 | dtd_identifier:name | as_locator:varchar | is_udt_dependent:varchar
ag | NULL | integer | pg_catalog | int4 | EXTERNAL | INTERNAL | YES | NO | INVOKER | YES | 0 | 0 | NO | NO
f | FUNCTION | USER-DEFINED | app | t | SQL | SQL | NO | NO | INVOKER | YES | 0 | 0 | NO | NO
g | FUNCTION | USER-DEFINED | app | t | SQL | SQL | NO | NO | INVOKER | YES | 0 | 0 | NO | NO
p | PROCEDURE | NULL | NULL | NULL | SQL | SQL | NO | NULL | INVOKER | YES | 0 | NULL | NO | NO
SELECT 4

> select table_name, constraint_name from information_schema.constraint_table_usage where constraint_schema = 'app' order by 1, 2
table_name:name | constraint_name:name
parent | parent_pkey
parent | t_f_fkey
t | k
t | u
SELECT 4

> select table_name, column_name, constraint_name from information_schema.constraint_column_usage where constraint_schema = 'app' order by 1, 2, 3
table_name:name | column_name:name | constraint_name:name
parent | id | parent_pkey
parent | id | t_f_fkey
t | c | both_small
t | c | k
t | c | late
t | c | t_c_check
t | c | u
t | d | u
t | f | both_small
SELECT 9

> select constraint_name, check_clause from information_schema.check_constraints where constraint_schema = 'app' and constraint_name !~ 'not_null' order by 1
constraint_name:name | check_clause:varchar
both_small | (((c < 100) AND (f < 100)))
late | ((c <> 50)) NOT VALID
mail_check | ((VALUE ~ '@'::text))
t_c_check | ((c > 0))
SELECT 4

> select constraint_name, constraint_type, nulls_distinct from information_schema.table_constraints where table_schema = 'app' and constraint_name !~ 'not_null' order by 1
constraint_name:name | constraint_type:varchar | nulls_distinct:varchar
both_small | CHECK | NULL
k | PRIMARY KEY | NULL
late | CHECK | NULL
parent_pkey | PRIMARY KEY | NULL
t_c_check | CHECK | NULL
t_f_fkey | FOREIGN KEY | NULL
u | UNIQUE | NO
SELECT 7

> select view_name, table_name from information_schema.view_table_usage where view_schema = 'app' order by 1, 2
view_name:name | table_name:name
v | t
vv | parent
vv | v
SELECT 3

> select view_name, table_name, column_name from information_schema.view_column_usage where view_schema = 'app' order by 1, 2, 3
view_name:name | table_name:name | column_name:name
v | t | c
v | t | d
v | t | f
vv | parent | n
vv | v | c
SELECT 5

> select table_name, split_part(specific_name, '_', 1) from information_schema.view_routine_usage where table_schema = 'app'
table_name:name | split_part:text
calls | f
SELECT 1

> select table_name, column_name, dependent_column from information_schema.column_column_usage where table_schema = 'app'
table_name:name | column_name:name | dependent_column:name
t | c | d
SELECT 1

> select object_name, object_type, data_type, udt_schema, udt_name, collection_type_identifier from information_schema.element_types where object_schema = 'app' order by 1, 2
object_name:name | object_type:varchar | data_type:varchar | udt_schema:name | udt_name:name | collection_type_identifier:name
t | TABLE | USER-DEFINED | app | mail | 3
SELECT 1

> select object_type, dtd_identifier, count(*) from information_schema.data_type_privileges where object_schema = 'app' group by 1, 2 order by 1, 2
object_type:varchar | dtd_identifier:name | count:int8
DOMAIN | 1 | 1
ROUTINE | 0 | 3
ROUTINE | 1 | 4
ROUTINE | 2 | 2
ROUTINE | 3 | 1
ROUTINE | NULL | 1
TABLE | 1 | 5
TABLE | 2 | 4
TABLE | 3 | 1
TABLE | 4 | 1
SELECT 10

> select table_name, column_name, udt_schema, udt_name, collation_name from information_schema.columns where table_schema = 'app' order by 1, ordinal_position
table_name:name | column_name:name | udt_schema:name | udt_name:name | collation_name:name
calls | r | app | t | NULL
parent | id | pg_catalog | int4 | NULL
parent | n | pg_catalog | name | C
t | c | pg_catalog | int4 | NULL
t | d | pg_catalog | int4 | NULL
t | e | app | _mail | NULL
t | f | pg_catalog | int4 | NULL
v | c | pg_catalog | int4 | NULL
v | d | pg_catalog | int4 | NULL
vv | c1 | pg_catalog | int4 | NULL
vv | n | pg_catalog | name | C
SELECT 11

> select column_name, udt_schema, udt_name from information_schema.column_udt_usage where table_schema = 'app' and table_name = 't' order by 1
column_name:name | udt_schema:name | udt_name:name
c | pg_catalog | int4
d | pg_catalog | int4
e | app | _mail
f | pg_catalog | int4
SELECT 4

> select routine_name, privilege_type from information_schema.routine_privileges where routine_schema = 'app' and grantee = 'PUBLIC' order by 1
routine_name:name | privilege_type:varchar
ag | EXECUTE
f | EXECUTE
g | EXECUTE
p | EXECUTE
SELECT 4

> select grantee, role_name from information_schema.applicable_roles where role_name = 'pg_database_owner'
grantee:name | role_name:name
postgres | pg_database_owner
SELECT 1

> select collation_name, pad_attribute from information_schema.collations where collation_name in ('C', 'default') order by 1
collation_name:name | pad_attribute:varchar
C | NO PAD
default | NO PAD
SELECT 2

> select character_set_name from information_schema.collation_character_set_applicability where collation_name = 'C'
character_set_name:name
UTF8
SELECT 1

> drop schema app cascade
NOTICE 00000: drop cascades to 10 other objects
DETAIL: drop cascades to type mail\ndrop cascades to table parent\ndrop cascades to table t\ndrop cascades to view v\ndrop cascades to view vv\ndrop cascades to function f(integer,text)\ndrop cascades to function g(integer)\ndrop cascades to function p(integer,text)\ndrop cascades to function ag(integer)\ndrop cascades to view calls
DROP SCHEMA

> reset search_path
RESET
