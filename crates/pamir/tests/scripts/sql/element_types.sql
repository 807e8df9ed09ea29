# What information_schema says of arrays' elements, and of columns of types with modifiers, domains and extensions.
> create schema el
CREATE SCHEMA

> set search_path = el, public
SET

> create extension if not exists hstore
CREATE EXTENSION

> create type mood as enum ('a')
CREATE TYPE

> create domain must as int not null
CREATE DOMAIN

> create domain many as int[]
CREATE DOMAIN

> create domain still as must
CREATE DOMAIN

> create type pair as (x int, y text[])
CREATE TYPE

> create function el.takes(a int, b text[], out c mood[]) language sql as 'select null::mood[]'
CREATE FUNCTION

> create table arrays (a int[], c varchar(5)[], m mood[], h hstore[], d many, p pair[], o oidvector, n int)
CREATE TABLE

> create view shown as select a, n from arrays
CREATE VIEW

> create table typed (d must, s still, iv interval day to second(2), i3 interval(3), iy interval year, ih interval hour to minute, bt bit(5), vb varbit(8), b bit, vv varbit, hs hstore, ha hstore[], m many)
CREATE TABLE

> select regexp_replace(object_name, '_[0-9]+$', '_N') as name, object_type, collection_type_identifier, data_type, udt_schema, udt_name, dtd_identifier, character_maximum_length from information_schema.element_types where object_schema = 'el' order by 1, 3, 2
name:text | object_type:varchar | collection_type_identifier:name | data_type:varchar | udt_schema:name | udt_name:name | dtd_identifier:name | character_maximum_length:int4
akeys_N | ROUTINE | 0 | text | pg_catalog | text | a0 | NULL
arrays | TABLE | 1 | integer | pg_catalog | int4 | a1 | NULL
arrays | TABLE | 2 | character varying | pg_catalog | varchar | a2 | NULL
arrays | TABLE | 3 | USER-DEFINED | el | mood | a3 | NULL
arrays | TABLE | 4 | USER-DEFINED | el | hstore | a4 | NULL
arrays | TABLE | 6 | USER-DEFINED | el | pair | a6 | NULL
arrays | TABLE | 7 | oid | pg_catalog | oid | a7 | NULL
avals_N | ROUTINE | 0 | text | pg_catalog | text | a0 | NULL
delete_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
exists_all_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
exists_any_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
hstore_N | ROUTINE | 1 | text | pg_catalog | text | a1 | NULL
hstore_N | ROUTINE | 1 | text | pg_catalog | text | a1 | NULL
hstore_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
hstore_to_array_N | ROUTINE | 0 | text | pg_catalog | text | a0 | NULL
hstore_to_matrix_N | ROUTINE | 0 | text | pg_catalog | text | a0 | NULL
many | DOMAIN | 1 | integer | pg_catalog | int4 | a1 | NULL
pair | USER-DEFINED TYPE | 2 | text | pg_catalog | text | a2 | NULL
shown | TABLE | 1 | integer | pg_catalog | int4 | a1 | NULL
slice_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
slice_array_N | ROUTINE | 0 | text | pg_catalog | text | a0 | NULL
slice_array_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
takes_N | ROUTINE | 0 | USER-DEFINED | el | mood | a0 | NULL
takes_N | ROUTINE | 2 | text | pg_catalog | text | a2 | NULL
takes_N | ROUTINE | 3 | USER-DEFINED | el | mood | a3 | NULL
typed | TABLE | 12 | USER-DEFINED | el | hstore | a12 | NULL
SELECT 26

> select object_name, collection_type_identifier, data_type, udt_name from information_schema.element_types where object_schema = 'pg_catalog' and object_type = 'TABLE' and object_name in ('pg_class', 'pg_index', 'pg_proc') order by 1, 2
object_name:name | collection_type_identifier:name | data_type:varchar | udt_name:name
pg_class | 31 | aclitem | aclitem
pg_class | 32 | text | text
pg_index | 16 | smallint | int2
pg_index | 17 | oid | oid
pg_index | 18 | oid | oid
pg_index | 19 | smallint | int2
pg_proc | 20 | oid | oid
pg_proc | 21 | oid | oid
pg_proc | 22 | "char" | char
pg_proc | 23 | text | text
pg_proc | 25 | oid | oid
pg_proc | 29 | text | text
pg_proc | 30 | aclitem | aclitem
SELECT 13

> select column_name, data_type, is_nullable, interval_type, interval_precision, character_maximum_length, character_octet_length, datetime_precision, udt_schema, udt_name, domain_name from information_schema.columns where table_name = 'typed' order by ordinal_position
column_name:name | data_type:varchar | is_nullable:varchar | interval_type:varchar | interval_precision:int4 | character_maximum_length:int4 | character_octet_length:int4 | datetime_precision:int4 | udt_schema:name | udt_name:name | domain_name:name
d | integer | NO | NULL | NULL | NULL | NULL | NULL | pg_catalog | int4 | must
s | USER-DEFINED | YES | NULL | NULL | NULL | NULL | NULL | el | must | still
iv | interval | YES | DAY TO SECOND(2) | NULL | NULL | NULL | 2 | pg_catalog | interval | NULL
i3 | interval | YES | NULL | NULL | NULL | NULL | 3 | pg_catalog | interval | NULL
iy | interval | YES | YEAR | NULL | NULL | NULL | 6 | pg_catalog | interval | NULL
ih | interval | YES | HOUR TO MINUTE | NULL | NULL | NULL | 6 | pg_catalog | interval | NULL
bt | bit | YES | NULL | NULL | 5 | NULL | NULL | pg_catalog | bit | NULL
vb | bit varying | YES | NULL | NULL | 8 | NULL | NULL | pg_catalog | varbit | NULL
b | bit | YES | NULL | NULL | 1 | NULL | NULL | pg_catalog | bit | NULL
vv | bit varying | YES | NULL | NULL | NULL | NULL | NULL | pg_catalog | varbit | NULL
hs | USER-DEFINED | YES | NULL | NULL | NULL | NULL | NULL | el | hstore | NULL
ha | ARRAY | YES | NULL | NULL | NULL | NULL | NULL | el | _hstore | NULL
m | ARRAY | YES | NULL | NULL | NULL | NULL | NULL | pg_catalog | _int4 | many
SELECT 13

> drop schema el cascade
NOTICE 00000: drop cascades to 10 other objects
DETAIL: drop cascades to extension hstore\ndrop cascades to type mood\ndrop cascades to type must\ndrop cascades to type many\ndrop cascades to type still\ndrop cascades to type pair\ndrop cascades to function takes(integer,text[])\ndrop cascades to table arrays\ndrop cascades to view shown\ndrop cascades to table typed
DROP SCHEMA
