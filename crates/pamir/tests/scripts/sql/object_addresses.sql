# Objects in words: pg_describe_object and its like.

> create schema s2
CREATE SCHEMA

> create table t(a serial primary key check (a > 0), b text default 'x')
CREATE TABLE

> create table s2."T 2"(x int references t(a))
CREATE TABLE

> create function f(int, text) returns int language sql as 'select 1'
CREATE FUNCTION

> create procedure pr(int) language sql as ''
CREATE PROCEDURE

> create aggregate ag(int4) (sfunc = int4pl, stype = int4)
CREATE AGGREGATE

> create type en as enum ('a')
CREATE TYPE

> create domain dm as int constraint dc check (value > 0)
CREATE DOMAIN

> create type s2.ct as (a int)
CREATE TYPE

> create view v as select * from t
CREATE VIEW

> create materialized view mv as select 1 x
SELECT 1

> create index ix on s2."T 2"(x)
CREATE INDEX

> create function tf() returns trigger language plpgsql as 'begin return new; end'
CREATE FUNCTION

> create trigger tr before insert on t for each row execute function tf()
CREATE TRIGGER

> create policy pp on t
CREATE POLICY

> create rule r1 as on insert to s2."T 2" do also nothing
CREATE RULE

> create statistics st on a, b from t
CREATE STATISTICS

> create function opf(en, en) returns bool language sql as 'select true'
CREATE FUNCTION

> create operator === (leftarg=en, rightarg=en, function=opf)
CREATE OPERATOR

> create cast (en as dm) with function f2(en)
WARNING 42809: cast will be ignored because the target data type is a domain
ERROR 42883: function f2(en) does not exist

> create function f2(en) returns int language sql as 'select 1'
CREATE FUNCTION

> create cast (en as int) with function f2(en)
CREATE CAST

> create table x(class oid, id oid, sub int)
CREATE TABLE

> insert into x select 'pg_class'::regclass, oid, 0 from pg_class where relnamespace in ('public'::regnamespace,'s2'::regnamespace) and relname not like 'pg_toast%' and relkind <> 'c'
INSERT 0 8

> insert into x select 'pg_class'::regclass, attrelid, attnum from pg_attribute where attrelid in ('t'::regclass,'v'::regclass,'s2."T 2"'::regclass) and attnum > 0
INSERT 0 5

> insert into x select 'pg_proc'::regclass, oid, 0 from pg_proc where pronamespace='public'::regnamespace or proname in ('lower') and pronargs=1
INSERT 0 9

> insert into x select 'pg_type'::regclass, oid, 0 from pg_type where typnamespace='public'::regnamespace and typname in ('en','dm','t') or typname in ('int4','text','_int4','_text','varchar','ct')
INSERT 0 9

> insert into x select 'pg_constraint'::regclass, oid, 0 from pg_constraint where connamespace in ('public'::regnamespace,'s2'::regnamespace)
INSERT 0 4

> insert into x select 'pg_attrdef'::regclass, oid, 0 from pg_attrdef
INSERT 0 2

> insert into x select 'pg_rewrite'::regclass, oid, 0 from pg_rewrite where ev_class in ('v'::regclass, 's2."T 2"'::regclass)
INSERT 0 2

> insert into x select 'pg_trigger'::regclass, oid, 0 from pg_trigger where tgname='tr'
INSERT 0 1

> insert into x select 'pg_policy'::regclass, oid, 0 from pg_policy
INSERT 0 1

> insert into x select 'pg_statistic_ext'::regclass, oid, 0 from pg_statistic_ext
INSERT 0 1

> insert into x select 'pg_operator'::regclass, oid, 0 from pg_operator where oprname='===' or oprname='+' and oprleft='int4'::regtype and oprright='int4'::regtype
INSERT 0 2

> insert into x select 'pg_cast'::regclass, oid, 0 from pg_cast where castsource='en'::regtype
INSERT 0 1

> insert into x select 'pg_namespace'::regclass, oid, 0 from pg_namespace where nspname in ('s2','public','pg_catalog')
INSERT 0 3

> insert into x select 'pg_authid'::regclass, oid, 0 from pg_authid where rolname='postgres'
INSERT 0 1

> insert into x select 'pg_database'::regclass, oid, 0 from pg_database where datname='postgres'
INSERT 0 1

> insert into x values ('pg_class'::regclass, 0, 0), ('pg_class'::regclass, 't'::regclass, 99)
INSERT 0 2

> select class::regclass, pg_describe_object(class,id,sub) d from x order by 1,2
class:regclass | d:text
pg_type | type character varying
pg_type | type dm
pg_type | type en
pg_type | type integer
pg_type | type integer[]
pg_type | type s2.ct
pg_type | type t
pg_type | type text
pg_type | type text[]
pg_proc | function ag(integer)
pg_proc | function f(integer,text)
pg_proc | function f2(en)
pg_proc | function lower(anymultirange)
pg_proc | function lower(anyrange)
pg_proc | function lower(text)
pg_proc | function opf(en,en)
pg_proc | function pr(integer)
pg_proc | function tf()
pg_class | column a of table t
pg_class | column a of view v
pg_class | column b of table t
pg_class | column b of view v
pg_class | column x of table s2."T 2"
pg_class | index s2.ix
pg_class | index t_pkey
pg_class | materialized view mv
pg_class | sequence t_a_seq
pg_class | table s2."T 2"
pg_class | table t
pg_class | table x
pg_class | view v
pg_class | NULL
pg_class | NULL
pg_authid | role postgres
pg_database | database postgres
pg_attrdef | default value for column a of table t
pg_attrdef | default value for column b of table t
pg_cast | cast from en to integer
pg_constraint | constraint T 2_x_fkey on table s2."T 2"
pg_constraint | constraint dc
pg_constraint | constraint t_a_check on table t
pg_constraint | constraint t_pkey on table t
pg_namespace | schema pg_catalog
pg_namespace | schema public
pg_namespace | schema s2
pg_operator | operator +(integer,integer)
pg_operator | operator ===(en,en)
pg_rewrite | rule _RETURN on view v
pg_rewrite | rule r1 on table s2."T 2"
pg_trigger | trigger tr on table t
pg_policy | policy pp on table t
pg_statistic_ext | statistics object st
SELECT 52

> select (pg_identify_object(class,id,sub)).* from x order by 1,4
type:text | schema:text | name:text | identity:text
aggregate | public | NULL | public.ag(integer)
cast | NULL | NULL | (public.en AS integer)
database | NULL | postgres | postgres
default value | NULL | NULL | for public.t.a
default value | NULL | NULL | for public.t.b
domain constraint | public | NULL | dc on public.dm
function | pg_catalog | NULL | pg_catalog.lower(pg_catalog.anymultirange)
function | pg_catalog | NULL | pg_catalog.lower(pg_catalog.anyrange)
function | pg_catalog | NULL | pg_catalog.lower(pg_catalog.text)
function | public | NULL | public.f(integer,pg_catalog.text)
function | public | NULL | public.f2(public.en)
function | public | NULL | public.opf(public.en,public.en)
function | public | NULL | public.tf()
index | public | t_pkey | public.t_pkey
index | s2 | ix | s2.ix
materialized view | public | mv | public.mv
operator | pg_catalog | NULL | pg_catalog.+(integer,integer)
operator | public | NULL | public.===(public.en,public.en)
policy | NULL | NULL | pp on public.t
procedure | public | NULL | public.pr(integer)
relation | NULL | NULL | NULL
role | NULL | postgres | postgres
rule | NULL | NULL | "_RETURN" on public.v
rule | NULL | NULL | r1 on s2."T 2"
schema | NULL | pg_catalog | pg_catalog
schema | NULL | public | public
schema | NULL | s2 | s2
sequence | public | t_a_seq | public.t_a_seq
statistics object | public | st | public.st
table | public | t | public.t
table | public | x | public.x
table | s2 | "T 2" | s2."T 2"
table column | public | t | public.t.a
table column | public | t | public.t.b
table column | s2 | "T 2" | s2."T 2".x
table column | NULL | NULL | NULL
table constraint | s2 | NULL | "T 2_x_fkey" on s2."T 2"
table constraint | public | NULL | t_a_check on public.t
table constraint | public | NULL | t_pkey on public.t
trigger | NULL | NULL | tr on public.t
type | pg_catalog | "varchar" | character varying
type | pg_catalog | int4 | integer
type | pg_catalog | _int4 | integer[]
type | pg_catalog | text | pg_catalog.text
type | pg_catalog | _text | pg_catalog.text[]
type | public | dm | public.dm
type | public | en | public.en
type | public | t | public.t
type | s2 | ct | s2.ct
view | public | v | public.v
view column | public | v | public.v.a
view column | public | v | public.v.b
SELECT 52

> select (pg_identify_object_as_address(class,id,sub)).* from x order by 1,2,3
type:text | object_names:_text | object_args:_text
aggregate | {public,ag} | {integer}
cast | {public.en} | {integer}
database | {postgres} | {}
default value | {public,t,a} | {}
default value | {public,t,b} | {}
domain constraint | {public.dm} | {dc}
function | {pg_catalog,lower} | {pg_catalog.anymultirange}
function | {pg_catalog,lower} | {pg_catalog.anyrange}
function | {pg_catalog,lower} | {pg_catalog.text}
function | {public,f} | {integer,pg_catalog.text}
function | {public,f2} | {public.en}
function | {public,opf} | {public.en,public.en}
function | {public,tf} | {}
index | {public,t_pkey} | {}
index | {s2,ix} | {}
materialized view | {public,mv} | {}
operator | {pg_catalog,+} | {integer,integer}
operator | {public,===} | {public.en,public.en}
policy | {public,t,pp} | {}
procedure | {public,pr} | {integer}
relation | NULL | NULL
role | {postgres} | {}
rule | {public,v,_RETURN} | {}
rule | {s2,"T 2",r1} | {}
schema | {pg_catalog} | {}
schema | {public} | {}
schema | {s2} | {}
sequence | {public,t_a_seq} | {}
statistics object | {public,st} | {}
table | {public,t} | {}
table | {public,x} | {}
table | {s2,"T 2"} | {}
table column | {public,t,a} | {}
table column | {public,t,b} | {}
table column | {s2,"T 2",x} | {}
table column | NULL | NULL
table constraint | {public,t,t_a_check} | {}
table constraint | {public,t,t_pkey} | {}
table constraint | {s2,"T 2","T 2_x_fkey"} | {}
trigger | {public,t,tr} | {}
type | {"character varying"} | {}
type | {integer} | {}
type | {integer[]} | {}
type | {pg_catalog.text} | {}
type | {pg_catalog.text[]} | {}
type | {public.dm} | {}
type | {public.en} | {}
type | {public.t} | {}
type | {s2.ct} | {}
view | {public,v} | {}
view column | {public,v,a} | {}
view column | {public,v,b} | {}
SELECT 52
