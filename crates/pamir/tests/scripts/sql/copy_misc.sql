# COPY out, EXPLAIN forms, catalogs.
> create table t (id int primary key, a int, b text)
CREATE TABLE

> insert into t values (1, 10, 'x'), (2, null, E'tab\there'), (3, 30, 'comma, "q"')
INSERT 0 3

> copy t to stdout
1	10	x
2	\N	tab\there
3	30	comma, "q"
COPY 3

> copy t (id, b) to stdout
1	x
2	tab\there
3	comma, "q"
COPY 3

> copy (select id, a from t order by id desc) to stdout
3	30
2	\N
1	10
COPY 3

> copy t to stdout with (format csv)
1,10,x
2,,tab	here
3,30,"comma, ""q"""
COPY 3

> copy t to stdout with (format csv, header)
id,a,b
1,10,x
2,,tab	here
3,30,"comma, ""q"""
COPY 3

> copy t to stdout with (format csv, delimiter ';', null 'NULL')
1;10;x
2;NULL;tab	here
3;30;"comma, ""q"""
COPY 3

> copy t to stdout with (delimiter '|', null '')
1|10|x
2||tab\there
3|30|comma, "q"
COPY 3

> copy t to stdout (format csv, force_quote (b))
1,10,"x"
2,,"tab	here"
3,30,"comma, ""q"""
COPY 3

> copy nosuch to stdout
ERROR 42P01: relation "nosuch" does not exist

> copy t (nosuch) to stdout
ERROR 42703: column "nosuch" of relation "t" does not exist

> copy t from stdin
COPY 0

> copy t to stdout with (format nosuch)
ERROR 22023: COPY format "nosuch" not recognized

> select relname, relkind from pg_class where relname in ('t', 't_pkey') order by 1
relname:name | relkind:char
t | r
t_pkey | i
SELECT 2

> select attname, atttypid::regtype, attnotnull from pg_attribute where attrelid = 't'::regclass and attnum > 0 order by attnum
attname:name | atttypid:regtype | attnotnull:bool
id | integer | t
a | integer | f
b | text | f
SELECT 3

> select conname, contype from pg_constraint where conrelid = 't'::regclass
conname:name | contype:char
t_pkey | p
SELECT 1

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass
pg_get_constraintdef:text
PRIMARY KEY (id)
SELECT 1

> select pg_get_indexdef(indexrelid) from pg_index where indrelid = 't'::regclass
pg_get_indexdef:text
CREATE UNIQUE INDEX t_pkey ON public.t USING btree (id)
SELECT 1

> select nspname from pg_namespace where nspname in ('public', 'pg_catalog', 'information_schema') order by 1
nspname:name
information_schema
pg_catalog
public
SELECT 3

> select table_name, table_type from information_schema.tables where table_schema = 'public'
table_name:name | table_type:varchar
t | BASE TABLE
SELECT 1

> select column_name, data_type, is_nullable from information_schema.columns where table_name = 't' order by ordinal_position
column_name:name | data_type:varchar | is_nullable:varchar
id | integer | NO
a | integer | YES
b | text | YES
SELECT 3

> select typname, typlen from pg_type where oid in (16, 23, 25, 1700) order by oid
typname:name | typlen:int2
bool | 1
int4 | 4
text | -1
numeric | -1
SELECT 4

> select format_type(1043, 24), format_type(1700, 655366), format_type(23, null), format_type(1007, -1)
format_type:text | format_type:text | format_type:text | format_type:text
character varying(20) | numeric(10,2) | integer | integer[]
SELECT 1

> select 't'::regclass::oid = 't'::regclass, 't'::regclass
?column?:bool | regclass:regclass
t | t
SELECT 1

> select pg_table_is_visible('t'::regclass)
pg_table_is_visible:bool
t
SELECT 1

> select datname from pg_database where datname in ('postgres', 'template1') order by 1
datname:name
postgres
template1
SELECT 2

> select rolname, rolsuper from pg_roles where rolname = 'postgres'
rolname:name | rolsuper:bool
postgres | t
SELECT 1

> select to_regclass('t'), to_regclass('nosuch')
to_regclass:regclass | to_regclass:regclass
t | NULL
SELECT 1

> select has_table_privilege('t', 'select')
has_table_privilege:bool
t
SELECT 1

> select pg_get_serial_sequence('t', 'id')
pg_get_serial_sequence:text
NULL
SELECT 1

> select count(*) > 100 from pg_proc
?column?:bool
t
SELECT 1

> select proname from pg_proc where proname = 'upper' limit 1
proname:name
upper
SELECT 1

> select oprname from pg_operator where oprname = '||' limit 1
oprname:name
||
SELECT 1

> select name, setting from pg_settings where name = 'server_encoding'
name:text | setting:text
server_encoding | UTF8
SELECT 1

> select version() like 'PostgreSQL 15%'
?column?:bool
t
SELECT 1

> select current_setting('server_version_num')::int >= 150000
?column?:bool
t
SELECT 1

> select tablename, tableowner from pg_tables where schemaname = 'public'
tablename:name | tableowner:name
t | postgres
SELECT 1

> select schemaname, tablename, indexname from pg_indexes where tablename = 't'
schemaname:name | tablename:name | indexname:name
public | t | t_pkey
SELECT 1

> select a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), (select substring(pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) for 128) from pg_catalog.pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum and a.atthasdef) from pg_catalog.pg_attribute a where a.attrelid = 't'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum
attname:name | format_type:text | substring:text
id | integer | NULL
a | integer | NULL
b | text | NULL
SELECT 3

> grant select on t to public
GRANT

> revoke all on t from public
REVOKE

> create role r1
CREATE ROLE

> create role r1
ERROR 42710: role "r1" already exists

> drop role r1
DROP ROLE

> drop role r1
ERROR 42704: role "r1" does not exist

> create user u1 password 'x'
CREATE ROLE

> alter user u1 with superuser
ALTER ROLE

> drop user u1
DROP ROLE

> select pg_size_pretty(1024::bigint), pg_size_pretty(123456789::bigint)
pg_size_pretty:text | pg_size_pretty:text
1024 bytes | 118 MB
SELECT 1

> select pg_column_size(1), pg_backend_pid() > 0
pg_column_size:int4 | ?column?:bool
4 | t
SELECT 1

> create database nosuch_template template nosuchdb
ERROR 3D000: template database "nosuchdb" does not exist

> drop database nosuchdb
ERROR 3D000: database "nosuchdb" does not exist

> drop database if exists nosuchdb
NOTICE 00000: database "nosuchdb" does not exist, skipping
DROP DATABASE

> alter table t owner to postgres
ALTER TABLE

> alter table t owner to nosuchrole
ERROR 42704: role "nosuchrole" does not exist

> set role postgres
SET

> reset role
RESET

> select session_user = current_user
?column?:bool
t
SELECT 1

> merge into t using t s on t.id = s.id when matched then do nothing
MERGE 0

