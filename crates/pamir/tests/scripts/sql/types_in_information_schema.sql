# Types in information_schema.

> create type iu_e as enum ('a')
CREATE TYPE

> create type iu_c as (x int, y iu_e, z varchar(5))
CREATE TYPE

> create domain iu_d as numeric(6, 2) check (value > 0)
CREATE DOMAIN

> create domain iu_dd as iu_d not null default 5
CREATE DOMAIN

> create table iu(a int, b iu_e, c iu_c, d iu_d, e text[], f iu_e[])
CREATE TABLE

> select column_name, udt_schema, udt_name from information_schema.column_udt_usage where table_name = 'iu' order by 1
column_name:name | udt_schema:name | udt_name:name
a | pg_catalog | int4
b | public | iu_e
c | public | iu_c
d | pg_catalog | numeric
e | pg_catalog | _text
f | public | _iu_e
SELECT 6

> select column_name, domain_name from information_schema.column_domain_usage where table_name = 'iu' order by 1
column_name:name | domain_name:name
d | iu_d
SELECT 1

> select domain_name, udt_schema, udt_name from information_schema.domain_udt_usage where domain_name like 'iu%' order by 1
domain_name:name | udt_schema:name | udt_name:name
iu_d | pg_catalog | numeric
iu_dd | public | iu_d
SELECT 2

> select domain_name, data_type, numeric_precision, numeric_scale, domain_default, udt_name from information_schema.domains where domain_name like 'iu%' order by 1
domain_name:name | data_type:varchar | numeric_precision:int4 | numeric_scale:int4 | domain_default:varchar | udt_name:name
iu_d | numeric | 6 | 2 | NULL | numeric
iu_dd | USER-DEFINED | NULL | NULL | 5 | iu_d
SELECT 2

> select domain_name, constraint_name, is_deferrable from information_schema.domain_constraints where domain_name like 'iu%' order by 1
domain_name:name | constraint_name:name | is_deferrable:varchar
iu_d | iu_d_check | NO
SELECT 1

> select user_defined_type_name, user_defined_type_category from information_schema.user_defined_types where user_defined_type_name like 'iu%'
user_defined_type_name:name | user_defined_type_category:varchar
iu_c | STRUCTURED
SELECT 1

> select udt_name, attribute_name, ordinal_position, data_type, character_maximum_length, attribute_udt_name from information_schema.attributes where udt_name like 'iu%' order by 3
udt_name:name | attribute_name:name | ordinal_position:int4 | data_type:varchar | character_maximum_length:int4 | attribute_udt_name:name
iu_c | x | 1 | integer | NULL | int4
iu_c | y | 2 | USER-DEFINED | NULL | iu_e
iu_c | z | 3 | character varying | 5 | varchar
SELECT 3

> select udt_name, udt_schema from information_schema.column_udt_usage where table_name = 'pg_class' and column_name = 'oid'
udt_name:name | udt_schema:name
oid | pg_catalog
SELECT 1

> drop table iu
DROP TABLE

> drop type iu_c, iu_e
DROP TYPE

> drop domain iu_dd, iu_d
DROP DOMAIN
