# What a name stands for: foreign keys along the search path, functions without parentheses, the catalogs' vectors as arrays, names of roles.
> create table t (id int primary key)
CREATE TABLE

> create schema s
CREATE SCHEMA

> create table s.t (id1 int, foreign key (id1) references t (id))
CREATE TABLE

> create table s.u (id int primary key, up int references u (id))
ERROR 42P01: relation "u" does not exist

> create table s.u (id int primary key, up int references s.u (id))
CREATE TABLE

> create table v (id int primary key, up int references v)
CREATE TABLE

> set search_path = s, public
SET

> create table t2 (id int primary key, up int references t2, t int references t)
ERROR 42704: there is no primary key for referenced table "t"

> drop table t
DROP TABLE

> drop table s.u, s.t
ERROR 42P01: table "t" does not exist

> create table t (id int primary key, up int references t)
CREATE TABLE

> create table public.t3 (id int primary key, t int references t)
CREATE TABLE

> select conname, conrelid::regclass, confrelid::regclass from pg_constraint where contype = 'f' order by 1
conname:name | conrelid:regclass | confrelid:regclass
t3_t_fkey | t3 | t
t_up_fkey | t | t
u_up_fkey | u | u
v_up_fkey | v | v
SELECT 4

> select current_date = d from current_date d
?column?:bool
t
SELECT 1

> select * from session_user
session_user:name
postgres
SELECT 1

> select x from current_user as u (x)
x:name
postgres
SELECT 1

> select * from "current_user"
ERROR 42P01: relation "current_user" does not exist

> select generate_subscripts(indkey, 1), array_length(indkey, 1), array_upper(indkey, 1), 1 = any(indkey), array_to_string(indkey, ',') from pg_index where indrelid = 'public.t'::regclass
generate_subscripts:int4 | array_length:int4 | array_upper:int4 | ?column?:bool | array_to_string:text
0 | 1 | 0 | t | 1
SELECT 1

> select array_append(indkey, 3::int2), array_cat(indkey, indkey), to_json(indkey) from pg_index where indrelid = 'public.t'::regclass
array_append:_int2 | array_cat:_int2 | to_json:json
[0:1]={1,3} | [0:1]={1,1} | [1]
SELECT 1

> create role "a ""b' c"
CREATE ROLE

> set session authorization "a ""b' c"
SET

> select current_user
current_user:name
a "b' c
SELECT 1

> reset session authorization
RESET

> set session authorization 'a "b'' c'
SET

> select session_user
session_user:name
a "b' c
SELECT 1

> set session authorization default
SET

> drop role "a ""b' c"
DROP ROLE

> drop sequence public.nothere
ERROR 42P01: sequence "nothere" does not exist

> drop index public.nothere
ERROR 42704: index "nothere" does not exist

> drop table if exists public.nothere
NOTICE 00000: table "nothere" does not exist, skipping
DROP TABLE
