# An array's type gives way to a type or a table that comes to its name, and takes the next name that is free.
> create type custom as (i int); create type _custom as (f float)
CREATE TYPE
CREATE TYPE

> create type e1 as enum ('x'); create table _e1 (a int)
CREATE TYPE
CREATE TABLE

> create type _q as enum ('r'); create type q as enum ('s')
CREATE TYPE
CREATE TYPE

> create table tt (c custom[], d _custom, e e1[], f _q, g q[], h _q[])
CREATE TABLE

> select t.typname, e.typname as element, t.typelem = 0 as is_own from pg_type t left join pg_type e on e.oid = t.typelem where t.typname ~ '^_*(custom|e1|q)$' order by t.typname collate "C"
typname:name | element:name | is_own:bool
___custom | _custom | f
___e1 | _e1 | f
___q | q | f
__custom | custom | f
__e1 | e1 | f
__q | _q | f
_custom | NULL | t
_e1 | NULL | t
_q | NULL | t
custom | NULL | t
e1 | NULL | t
q | NULL | t
SELECT 12

> select column_name, udt_name from information_schema.columns where table_name = 'tt' order by ordinal_position
column_name:name | udt_name:name
c | __custom
d | _custom
e | __e1
f | _q
g | ___q
h | __q
SELECT 6

> select attname, format_type(atttypid, -1) from pg_attribute where attrelid = 'tt'::regclass and attnum > 0 order by attnum
attname:name | format_type:text
c | custom[]
d | _custom
e | e1[]
f | _q
g | q[]
h | _q[]
SELECT 6

> insert into tt values (array[row(1)::custom], row(2.5), '{x}', 'r', '{s}', '{r,r}'); select * from tt
INSERT 0 1
c:user | d:user | e:user | f:user | g:user | h:user
{(1)} | (2.5) | {x} | r | {s} | {r,r}
SELECT 1

> select '{(1)}'::__custom, 'r'::_q, '{s}'::___q, '{r}'::__q
__custom:user | _q:user | ___q:user | __q:user
{(1)} | r | {s} | {r}
SELECT 1

> create type _q as (a int)
ERROR 42710: type "_q" already exists

> create table _custom (a int)
ERROR 42P07: relation "_custom" already exists

> alter type custom rename to _custom
ERROR 42P07: relation "_custom" already exists

> alter type q rename to zz; alter type zz rename to _zz; create type zz as enum ('k')
ALTER TYPE
ALTER TYPE
CREATE TYPE

> select t.typname, e.typname as element from pg_type t left join pg_type e on e.oid = t.typelem where t.typname ~ '^_*zz$' order by t.typname collate "C"
typname:name | element:name
___zz | zz
__zz | _zz
_zz | NULL
zz | NULL
SELECT 4
