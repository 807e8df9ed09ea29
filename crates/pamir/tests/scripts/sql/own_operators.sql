# Operators that are named with their schema; COPY FREEZE; ages and times for monitors.

> create schema evil
CREATE SCHEMA

> create function evil.bad_eq(oid, integer) returns boolean as $$ begin raise notice 'bad %', current_user; return oideq($1, $2::oid); end $$ language plpgsql
CREATE FUNCTION

> create operator evil.= (procedure = evil.bad_eq, leftarg = oid, rightarg = integer)
CREATE OPERATOR

> create function evil.vv(varchar, varchar) returns boolean as $$ begin raise notice 'bad vv'; return true; end $$ language plpgsql
CREATE FUNCTION

> create operator evil.= (procedure = evil.vv, leftarg = varchar, rightarg = varchar)
CREATE OPERATOR

> set search_path = pg_catalog, evil
SET

> select oid operator(pg_catalog.=) 16 from pg_type where oid=16::oid
?column?:bool
t
SELECT 1

> select 'a'::varchar operator(pg_catalog.=) 'b'::varchar
?column?:bool
f
SELECT 1

> select 'a'::varchar operator(pg_catalog.=) any (array['b'::varchar])
?column?:bool
f
SELECT 1

> select (1,'a'::varchar) operator(pg_catalog.=) (1,'b'::varchar)
?column?:bool
f
SELECT 1

> select 'a'::varchar operator(pg_catalog.=) any (select 'b'::varchar)
?column?:bool
f
SELECT 1

> reset search_path
RESET

> select 'a'::varchar operator(pg_catalog.=) 'b'::varchar
?column?:bool
f
SELECT 1

> select 'a'::varchar operator(pg_catalog.~) '^(a)$'
?column?:bool
t
SELECT 1

> select 1 operator(pg_catalog.+) 2, operator(pg_catalog.-) 2
?column?:int4 | ?column?:int4
3 | -2
SELECT 1

> create extension citext
CREATE EXTENSION

> select 'a'::citext operator(pg_catalog.=) 'A'::citext, 'a'::citext operator(public.=) 'A'::citext, 'a'::citext = 'A'::citext
?column?:bool | ?column?:bool | ?column?:bool
f | t | t
SELECT 1

> create table fz(a int)
CREATE TABLE

> copy fz from stdin freeze
< 1
ERROR 55000: cannot perform COPY FREEZE because the table was not created or truncated in the current subtransaction

> begin
BEGIN

> begin
WARNING 25001: there is already a transaction in progress
BEGIN

> truncate fz
TRUNCATE TABLE

> copy fz from stdin freeze
< 1
COPY 1

> commit
COMMIT

> begin
BEGIN

> truncate fz
TRUNCATE TABLE

> release a
ERROR 3B001: savepoint "a" does not exist

> copy fz from stdin freeze
< 1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> commit
ROLLBACK

> select datname, age(datfrozenxid) < 100000, mxid_age(datminmxid) < 1000 from pg_database where datname='postgres'
datname:name | ?column?:bool | ?column?:bool
postgres | t | t
SELECT 1

> select age('1'::xid), age('2'::xid)
age:int4 | age:int4
2147483647 | 2147483647
SELECT 1

> select pg_stat_get_last_analyze_time('pg_class'::regclass), pg_stat_get_last_autoanalyze_time(1), pg_stat_get_last_vacuum_time(1), pg_stat_get_last_autovacuum_time(1), pg_stat_get_analyze_count(1), pg_stat_get_vacuum_count(1)
pg_stat_get_last_analyze_time:timestamptz | pg_stat_get_last_autoanalyze_time:timestamptz | pg_stat_get_last_vacuum_time:timestamptz | pg_stat_get_last_autovacuum_time:timestamptz | pg_stat_get_analyze_count:int8 | pg_stat_get_vacuum_count:int8
NULL | NULL | NULL | NULL | 0 | 0
SELECT 1

> select pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()
pg_last_wal_receive_lsn:pg_lsn | pg_last_wal_replay_lsn:pg_lsn
NULL | NULL
SELECT 1

> select coalesce(restart_lsn, '0/0'::pg_lsn) from pg_replication_slots
coalesce:pg_lsn
SELECT 0

> select pg_typeof(sent_lsn), pg_typeof(replay_lsn) from pg_stat_replication right join (select 1) x on true
pg_typeof:regtype | pg_typeof:regtype
pg_lsn | pg_lsn
SELECT 1
