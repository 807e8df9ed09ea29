# CREATE SCHEMA with its objects.

> create schema so1 create view v as select * from t create table t (a int primary key, b text default 'x') create index ti on t (b) grant select on t to public create sequence q
CREATE SCHEMA

> select relname, relkind from pg_class where relnamespace = 'so1'::regnamespace order by 1
relname:name | relkind:char
q | S
t | r
t_pkey | i
ti | i
v | v
SELECT 5

> select relacl is not null from pg_class where oid = 'so1.t'::regclass
?column?:bool
t
SELECT 1

> show search_path
search_path:text
"$user", public
SHOW

> create schema so2 create table so3.t (a int)
ERROR 42P15: CREATE specifies a schema (so3) different from the one being created (so2)

> create schema so2 create table t (a int) create view v as select nosuch from t
ERROR 42703: column "nosuch" does not exist

> create schema if not exists so1 create table abc (a int)
ERROR 0A000: CREATE SCHEMA IF NOT EXISTS cannot include schema elements

> select count(*) from pg_namespace where nspname in ('so2', 'so3')
count:int8
0
SELECT 1

> create role so_r superuser
CREATE ROLE

> create schema authorization so_r create table so_r.tab (id int) create table tab2 (id int)
CREATE SCHEMA

> select relname, pg_get_userbyid(relowner) from pg_class where relnamespace = 'so_r'::regnamespace order by 1
relname:name | pg_get_userbyid:name
tab | so_r
tab2 | so_r
SELECT 2

> create type so_e as enum ('a')
CREATE TYPE

> alter type so_e owner to so_r
ALTER TYPE

> create role so_q
CREATE ROLE

> reassign owned by so_r to so_q
REASSIGN OWNED

> select pg_get_userbyid(typowner) from pg_type where typname = 'so_e'
pg_get_userbyid:name
so_q
SELECT 1

> drop owned by so_q
DROP OWNED

> drop role so_r, so_q
DROP ROLE
