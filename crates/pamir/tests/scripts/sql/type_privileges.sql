# GRANT and REVOKE on types and domains.

> create role ty_a
CREATE ROLE

> create type gmood as enum ('x', 'y')
CREATE TYPE

> create domain gdom as int
CREATE DOMAIN

> create type gcomp as (a int)
CREATE TYPE

> select typname, typacl from pg_type where typname in ('gmood', 'gdom', 'gcomp') order by 1
typname:name | typacl:_aclitem
gcomp | NULL
gdom | NULL
gmood | NULL
SELECT 3

> grant usage on type gmood to ty_a
GRANT

> grant usage on domain gdom to ty_a with grant option
GRANT

> grant all on type gcomp to public
GRANT

> select typname, typacl from pg_type where typname in ('gmood', 'gdom', 'gcomp', '_gmood') order by 1
typname:name | typacl:_aclitem
_gmood | NULL
gcomp | {=U/postgres,postgres=U/postgres}
gdom | {=U/postgres,postgres=U/postgres,ty_a=U*/postgres}
gmood | {=U/postgres,postgres=U/postgres,ty_a=U/postgres}
SELECT 4

> revoke usage on type gmood from public
REVOKE

> revoke usage on type gcomp, gdom from public
REVOKE

> select typname, typacl from pg_type where typname in ('gmood', 'gdom', 'gcomp') order by 1
typname:name | typacl:_aclitem
gcomp | {postgres=U/postgres}
gdom | {postgres=U/postgres,ty_a=U*/postgres}
gmood | {postgres=U/postgres,ty_a=U/postgres}
SELECT 3

> grant select on type gmood to ty_a
ERROR 0LP01: invalid privilege type SELECT for type

> grant usage on type gmood[] to ty_a
ERROR 42601: syntax error at or near "["

> grant usage on domain gmood to ty_a
ERROR 42809: "gmood" is not a domain

> grant usage on type nosuch to ty_a
ERROR 42704: type "nosuch" does not exist

> grant usage on domain gdom to nosuchrole
ERROR 42704: role "nosuchrole" does not exist

> create schema gs authorization ty_a
CREATE SCHEMA

> revoke usage on type gmood from ty_a
REVOKE

> set role ty_a
SET

> create table gs.t(a gmood)
ERROR 42501: permission denied for type gmood

> create table gs.t(a gmood[])
ERROR 42501: permission denied for type gmood

> create table gs.t(a gcomp)
ERROR 42501: permission denied for type gcomp

> create table gs.t(a gdom)
CREATE TABLE

> create type gs.c as (m gmood)
ERROR 42501: permission denied for type gmood

> create domain gs.d as gmood
ERROR 42501: permission denied for type gmood

> alter table gs.t add column m gmood
ERROR 42501: permission denied for type gmood

> select 'x'::gmood
gmood:user
x
SELECT 1

> grant usage on type gmood to public
ERROR 42501: permission denied for type gmood

> reset role
RESET

> select typname, typacl from pg_type where typname in ('gmood', 'gdom', 'gcomp') order by 1
typname:name | typacl:_aclitem
gcomp | {postgres=U/postgres}
gdom | {postgres=U/postgres,ty_a=U*/postgres}
gmood | {postgres=U/postgres}
SELECT 3

> drop schema gs cascade
NOTICE 00000: drop cascades to table gs.t
DROP SCHEMA

> revoke all on domain gdom from ty_a
REVOKE

> drop type gmood, gcomp
DROP TYPE

> drop domain gdom
DROP DOMAIN

> drop role ty_a
DROP ROLE
