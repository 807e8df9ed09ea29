# VACUUM and ANALYZE of families, and what is told of them; CREATE LANGUAGE without a handler; catalogs' rows by several keys; passwords stored as MD5.

> create or replace language plpgsql
NOTICE 42710: extension "plpgsql" already exists, skipping
CREATE EXTENSION

> create language plpgsql
ERROR 42710: extension "plpgsql" already exists

> create procedural language plperl
ERROR 0A000: extension "plperl" is not available
DETAIL: Could not open extension control file "/usr/share/postgresql/15/extension/plperl.control": No such file or directory.
HINT: The extension must first be installed on the system where PostgreSQL is running.

> create table s(id serial primary key, t text)
CREATE TABLE

> insert into s(t) select 'x' from generate_series(1,2000)
INSERT 0 2000

> vacuum analyze s
VACUUM

> select last_vacuum is not null, vacuum_count, analyze_count from pg_stat_user_tables where relname='s'
?column?:bool | vacuum_count:int8 | analyze_count:int8
t | 1 | 1
SELECT 1

> vacuum s
VACUUM

> analyze s
ANALYZE

> select last_vacuum is not null, vacuum_count, analyze_count, pg_stat_get_last_vacuum_time(relid) is not null from pg_stat_user_tables where relname='s'
?column?:bool | vacuum_count:int8 | analyze_count:int8 | ?column?:bool
t | 2 | 2 | t
SELECT 1

> create role vr
CREATE ROLE

> create table vp(a int, b int) partition by range(a)
CREATE TABLE

> create table vp1 partition of vp for values from (0) to (10)
CREATE TABLE

> create table vp2 partition of vp for values from (10) to (20)
CREATE TABLE

> alter table vp1 owner to vr
ALTER TABLE

> set role vr
SET

> vacuum vp
WARNING 01000: skipping "vp" --- only table or database owner can vacuum it
WARNING 01000: skipping "vp2" --- only table or database owner can vacuum it
VACUUM

> analyze vp
WARNING 01000: skipping "vp" --- only table or database owner can analyze it
WARNING 01000: skipping "vp2" --- only table or database owner can analyze it
ANALYZE

> vacuum (analyze) vp
WARNING 01000: skipping "vp" --- only table or database owner can vacuum it
WARNING 01000: skipping "vp2" --- only table or database owner can vacuum it
VACUUM

> vacuum analyze vp1
VACUUM

> vacuum pg_authid
WARNING 01000: skipping "pg_authid" --- only superuser can vacuum it
VACUUM

> reset role
RESET

> analyze vp(a,b,a)
ERROR 42701: column "a" of relation "vp" appears more than once

> vacuum analyze vp(a,a)
ERROR 42701: column "a" of relation "vp" appears more than once

> analyze vp(c)
ERROR 42703: column "c" of relation "vp" does not exist

> vacuum vp(a)
ERROR 0A000: ANALYZE option must be specified when a column list is provided

> insert into vp values (1,1),(11,2)
INSERT 0 2

> analyze vp
ANALYZE

> select relname, reltuples from pg_class where relname like 'vp%' order by 1
relname:name | reltuples:float4
vp | 2
vp1 | 1
vp2 | 1
SELECT 3

> create view vv as select 1
CREATE VIEW

> vacuum vv
WARNING 01000: skipping "vv" --- cannot vacuum non-tables or special system tables
VACUUM

> analyze vv
WARNING 01000: skipping "vv" --- cannot analyze non-tables or special system tables
ANALYZE

> vacuum nosuch
ERROR 42P01: relation "nosuch" does not exist

> drop owned by vr
DROP OWNED

> drop role vr
DROP ROLE

> create table kt(a serial primary key, b text)
CREATE TABLE

> create table ku(x int)
CREATE TABLE

> select relname from pg_class where oid = any(array['kt'::regclass,'ku'::regclass,'kt'::regclass,null]::oid[]) order by 1
relname:name
kt
ku
SELECT 2

> select relname from pg_class where oid in ('kt'::regclass,'ku'::regclass,'kt_pkey'::regclass) order by 1
relname:name
kt
kt_pkey
ku
SELECT 3

> select relname from pg_class where relname in ('kt','kt_pkey','nosuch') order by 1
relname:name
kt
kt_pkey
SELECT 2

> select attrelid::regclass, attname from pg_attribute where attrelid = any('{kt,ku}'::regclass[]) and attnum > 0 order by 1,2
attrelid:regclass | attname:name
kt | a
kt | b
ku | x
SELECT 3

> select typname from pg_type where oid = any(array[23,25,1007]::oid[]) order by 1
typname:name
_int4
int4
text
SELECT 3

> select typname from pg_type where oid = any('{}'::oid[])
typname:name
SELECT 0

> select typname from pg_type where oid = any(null::oid[])
typname:name
SELECT 0

> select typname from pg_type t where exists (select 1 from (values (23),(25)) v(o) where t.oid = any(array[v.o,16]::oid[])) order by 1
typname:name
bool
int4
text
SELECT 3

> select v.o, t.typname from (values (array[23,25]),(array[16,23])) v(o) join pg_type t on t.oid = any(v.o::oid[]) order by 1,2
o:_int4 | typname:name
{16,23} | bool
{16,23} | int4
{23,25} | int4
{23,25} | text
SELECT 4

> prepare p(oid[]) as select typname from pg_type where oid = any($1) order by 1
PREPARE

> execute p('{23,25}')
typname:name
int4
text
SELECT 2

> execute p('{16}')
typname:name
bool
SELECT 1

> execute p(null)
typname:name
SELECT 0

> select regtype(23), regclass(1259)
regtype:regtype | regclass:regclass
integer | pg_class
SELECT 1

> create role mu login password 'md5aabbccddeeff00112233445566778899'
CREATE ROLE

> select rolpassword from pg_authid where rolname='mu'
rolpassword:text
md5aabbccddeeff00112233445566778899
SELECT 1

> alter role mu rename to mu2
NOTICE 00000: MD5 password cleared because of role rename
ALTER ROLE

> select rolpassword from pg_authid where rolname='mu2'
rolpassword:text
NULL
SELECT 1

> create role mt login password 'md5xyz'
CREATE ROLE

> select left(rolpassword,6) from pg_authid where rolname='mt'
left:text
SCRAM-
SELECT 1

> drop role mu2, mt
DROP ROLE
