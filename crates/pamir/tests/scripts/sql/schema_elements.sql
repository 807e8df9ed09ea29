# CREATE SCHEMA with its objects: their order, names, owner.

> create schema s1 create table abc (a serial, b int unique) create view abcd as select a + 8 as a, b + 5.5 as b from abc
CREATE SCHEMA

> select * from s1.abcd
a:int4 | b:numeric
SELECT 0

> create schema s2 create table s1.foo (a int)
ERROR 42P15: CREATE specifies a schema (s1) different from the one being created (s2)

> create schema s3 create view v3 as select * from t3 create table t3 (a int)
CREATE SCHEMA

> select * from s3.v3
a:int4
SELECT 0

> drop schema s1 cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to table s1.abc\ndrop cascades to view s1.abcd
DROP SCHEMA

> create schema s4 create view vv as select a from tt create index ii on tt (a) create table tt (a int references uu (id)) grant select on tt to public
ERROR 42P01: relation "uu" does not exist

> create schema s5 create table uu (id int primary key) create table tt (a int references uu (id)) create index ii on tt (a) create view vv as select a from tt create sequence ss grant select on tt to public
CREATE SCHEMA

> insert into s5.uu values (nextval('s5.ss'))
INSERT 0 1

> insert into s5.tt values (1)
INSERT 0 1

> select * from s5.vv
a:int4
1
SELECT 1

> select relname, relkind from pg_class where relnamespace = 's5'::regnamespace order by 1
relname:name | relkind:char
ii | i
ss | S
tt | r
uu | r
uu_pkey | i
vv | v
SELECT 6

> create schema s6 create schema s7
ERROR 42601: syntax error at or near "schema"

> create schema s8 create table s9.t (a int)
ERROR 42P15: CREATE specifies a schema (s9) different from the one being created (s8)

> create schema if not exists s8 create table t (a int)
ERROR 0A000: CREATE SCHEMA IF NOT EXISTS cannot include schema elements

> create role golden_schema_owner
CREATE ROLE

> create schema authorization golden_schema_owner create table t (a int)
CREATE SCHEMA

> select nspname, pg_get_userbyid(nspowner), relname, pg_get_userbyid(relowner) from pg_namespace n join pg_class c on relnamespace = n.oid where nspname = 'golden_schema_owner'
nspname:name | pg_get_userbyid:name | relname:name | pg_get_userbyid:name
golden_schema_owner | golden_schema_owner | t | golden_schema_owner
SELECT 1

> drop schema golden_schema_owner cascade
NOTICE 00000: drop cascades to table golden_schema_owner.t
DROP SCHEMA

> drop role golden_schema_owner
DROP ROLE

> show search_path
search_path:text
"$user", public
SHOW

> select current_user
current_user:name
postgres
SELECT 1
