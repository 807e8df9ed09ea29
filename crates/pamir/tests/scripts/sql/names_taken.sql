# A new name, or a new schema, where the name is taken: one answer for all kinds.
> create schema s; create table t (id int primary key, a int unique, b int, constraint bc check (b > 0)); create index i on t (b); create table t2 (id int primary key); create view v as select 1 as x; create sequence q; create materialized view m as select 1 as x; create type mood as enum ('a'); create type comp as (x int); create domain dom as int
CREATE SCHEMA
CREATE TABLE
CREATE INDEX
CREATE TABLE
CREATE VIEW
CREATE SEQUENCE
SELECT 1
CREATE TYPE
CREATE TYPE
CREATE DOMAIN

> alter index i rename to t_pkey
ERROR 42P07: relation "t_pkey" already exists

> alter index i rename to t2_pkey
ERROR 42P07: relation "t2_pkey" already exists

> alter index i rename to t
ERROR 42P07: relation "t" already exists

> alter index i rename to v
ERROR 42P07: relation "v" already exists

> alter index i rename to i
ERROR 42P07: relation "i" already exists

> alter table t rename to t_pkey
ERROR 42P07: relation "t_pkey" already exists

> alter table t rename to i
ERROR 42P07: relation "i" already exists

> alter table t rename to t2
ERROR 42P07: relation "t2" already exists

> alter table t rename to t
ERROR 42P07: relation "t" already exists

> alter table t rename to mood
ERROR 42710: type "mood" already exists

> alter table t rename to dom
ERROR 42710: type "dom" already exists

> alter table t rename to comp
ERROR 42P07: relation "comp" already exists

> alter view v rename to comp
ERROR 42P07: relation "comp" already exists

> alter view v rename to mood
ERROR 42710: type "mood" already exists

> alter view v rename to t
ERROR 42P07: relation "t" already exists

> alter view v rename to q
ERROR 42P07: relation "q" already exists

> alter materialized view m rename to i
ERROR 42P07: relation "i" already exists

> alter materialized view m rename to mood
ERROR 42710: type "mood" already exists

> alter sequence q rename to t
ERROR 42P07: relation "t" already exists

> alter sequence q rename to mood
ALTER SEQUENCE

> alter type mood rename to t
ERROR 42710: type "t" already exists

> alter type mood rename to dom
ERROR 42710: type "dom" already exists

> alter type comp rename to i
ERROR 42P07: relation "i" already exists

> alter type comp rename to t
ERROR 42P07: relation "t" already exists

> alter domain dom rename to mood
ERROR 42710: type "mood" already exists

> alter domain dom rename to v
ERROR 42710: type "v" already exists

> alter index i rename to mood; alter index mood rename to i
ERROR 42P07: relation "mood" already exists

> alter table t rename constraint t_pkey to i
ERROR 42P07: relation "i" already exists

> alter table t rename constraint t_a_key to t_pkey
ERROR 42P07: relation "t_pkey" already exists

> alter table t rename constraint t_a_key to t2_pkey
ERROR 42P07: relation "t2_pkey" already exists

> alter table t rename constraint t_a_key to bc
ERROR 42710: constraint "bc" for relation "t" already exists

> alter table t rename constraint bc to t_a_key
ERROR 42710: constraint "t_a_key" for relation "t" already exists

> alter table t rename constraint t_a_key to t2
ERROR 42P07: relation "t2" already exists

> alter table t add constraint bc unique (b)
ERROR 42710: constraint "bc" for relation "t" already exists

> alter table t add constraint t2 unique (b)
ERROR 42P07: relation "t2" already exists

> alter table t add constraint t_pkey check (b > 1)
ERROR 42710: constraint "t_pkey" for relation "t" already exists

> create function f(int) returns int language sql as 'select 1'; create function g(int) returns int language sql as 'select 2'; create function g(text) returns int language sql as 'select 3'
CREATE FUNCTION
CREATE FUNCTION
CREATE FUNCTION

> alter function f(int) rename to g
ERROR 42723: function g(integer) already exists in schema "public"

> alter function g(text) rename to f
ALTER FUNCTION

> create function s.f(int) returns int language sql as 'select 1'
CREATE FUNCTION

> alter function f(int) set schema s
ERROR 42723: function f(integer) already exists in schema "s"

> create table s.i (a int); create table s.t2 (a int); create sequence s.q; create view s.v as select 1 as x; create type s.mood as enum ('z'); create domain s.dom as text; create type s.comp as (y text); create table s.m (a int)
CREATE TABLE
CREATE TABLE
CREATE SEQUENCE
CREATE VIEW
CREATE TYPE
CREATE DOMAIN
CREATE TYPE
CREATE TABLE

> alter table t set schema s
ERROR 42P07: relation "i" already exists in schema "s"

> alter table t2 set schema s
ERROR 42P07: relation "t2" already exists in schema "s"

> alter view v set schema s
ERROR 42P07: relation "v" already exists in schema "s"

> alter materialized view m set schema s
ERROR 42P07: relation "m" already exists in schema "s"

> alter sequence q set schema s
ERROR 42P01: relation "q" does not exist

> alter type mood set schema s
ERROR 42710: type "mood" already exists in schema "s"

> alter domain dom set schema s
ERROR 42710: type "dom" already exists in schema "s"

> alter type comp set schema s
ERROR 42710: type "comp" already exists in schema "s"

> create table w (a int); create type s.w as enum ('k')
CREATE TABLE
CREATE TYPE

> alter table w set schema s
ERROR 42710: type "w" already exists in schema "s"

> create type cc as (a int); create table s.cc (a int)
CREATE TYPE
CREATE TABLE

> alter type cc set schema s
ERROR 42710: type "cc" already exists in schema "s"

> create type rr as enum ('k'); create table s.rr (a int)
CREATE TYPE
CREATE TABLE

> alter type rr set schema s
ERROR 42710: type "rr" already exists in schema "s"

> create table ww (a serial); create sequence s.ww_a_seq
CREATE TABLE
CREATE SEQUENCE

> alter table ww set schema s
ERROR 42P07: relation "ww_a_seq" already exists in schema "s"

> create schema s2
CREATE SCHEMA

> alter schema s2 rename to s
ERROR 42P06: schema "s" already exists

> select relname, relkind, nspname from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 's') order by 3, 1
relname:name | relkind:char | nspname:name
cc | c | public
comp | c | public
i | i | public
m | m | public
mood | S | public
t | r | public
t2 | r | public
t2_pkey | i | public
t_a_key | i | public
t_pkey | i | public
v | v | public
w | r | public
ww | r | public
ww_a_seq | S | public
cc | r | s
comp | c | s
i | r | s
m | r | s
q | S | s
rr | r | s
t2 | r | s
v | v | s
ww_a_seq | S | s
SELECT 23

> create statistics st on a, b from t; create statistics st2 on a, b from t; create statistics s.st on a, b from t
CREATE STATISTICS
CREATE STATISTICS
CREATE STATISTICS

> alter statistics st rename to st2
ERROR 42710: statistics object "st2" already exists in schema "public"

> alter statistics st set schema s
ERROR 42710: statistics object "st" already exists in schema "s"

> create function tf() returns trigger language plpgsql as 'begin return new; end'; create trigger t1 before insert on t for each row execute function tf(); create trigger t2 before insert on t for each row execute function tf()
CREATE FUNCTION
CREATE TRIGGER
CREATE TRIGGER

> alter trigger t1 on t rename to t2
ERROR 42710: trigger "t2" for relation "t" already exists

> create rule r1 as on insert to t2 do nothing; create rule r2 as on insert to t2 do nothing
CREATE RULE
CREATE RULE

> alter rule r1 on t2 rename to r2
ERROR 42710: rule "r2" for relation "t2" already exists

> alter type comp rename attribute x to x
ERROR 42701: column "x" of relation "comp" already exists

> alter type comp add attribute y int
ALTER TYPE

> alter type comp rename attribute x to y
ERROR 42701: column "y" of relation "comp" already exists

> alter table t rename a to b
ERROR 42701: column "b" of relation "t" already exists

> alter table t rename a to ctid
ERROR 42701: column name "ctid" conflicts with a system column name
