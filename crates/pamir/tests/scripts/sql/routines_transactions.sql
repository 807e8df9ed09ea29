# Deferred checks seen by functions, the time and the modes of transactions that routines begin.
> create table root (a int primary key)
CREATE TABLE

> create table leaf (a int references root deferrable initially deferred)
CREATE TABLE

> create function now_checked() returns text language plpgsql as $$ begin begin set constraints all immediate; exception when foreign_key_violation then return 'caught'; end; return 'holds'; end $$
CREATE FUNCTION

> create function put_off() returns void language plpgsql as $$ begin set constraints all deferred; end $$
CREATE FUNCTION

> begin
BEGIN

> insert into leaf values (1)
INSERT 0 1

> select now_checked()
now_checked:text
caught
SELECT 1

> insert into root values (1)
INSERT 0 1

> select now_checked()
now_checked:text
holds
SELECT 1

> commit
COMMIT

> alter table leaf alter constraint leaf_a_fkey deferrable initially immediate
ALTER TABLE

> begin
BEGIN

> select put_off()
put_off:void
|
SELECT 1

> insert into leaf values (2)
INSERT 0 1

> insert into root values (2)
INSERT 0 1

> commit
COMMIT

> create table times (a int)
CREATE TABLE

> create procedure moves() language plpgsql as $$ declare t1 timestamptz := now(); s1 timestamptz := statement_timestamp(); begin perform pg_sleep(0.002); commit; raise notice '% %', now() > t1, statement_timestamp() = s1; perform pg_sleep(0.002); t1 := now(); rollback; raise notice '%', now() > t1; end $$
CREATE PROCEDURE

> call moves()
NOTICE 00000: t t
NOTICE 00000: t
CALL

> do $$ begin commit; set transaction isolation level repeatable read; raise notice '%', current_setting('transaction_isolation'); perform 1; commit; raise notice '%', current_setting('transaction_isolation'); end $$
NOTICE 00000: repeatable read
NOTICE 00000: read committed
DO

> do $$ begin commit; perform 1 from times; set transaction isolation level repeatable read; end $$
ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

> do $$ begin commit; set transaction read only; insert into times values (1); end $$
ERROR 25006: cannot execute INSERT in a read-only transaction

> create procedure chained() language plpgsql as $$ begin rollback; set transaction isolation level repeatable read; for i in 0..3 loop raise notice '%', current_setting('transaction_isolation'); insert into times values (i); if i % 2 = 0 then commit and chain; else rollback and chain; end if; end loop; end $$
CREATE PROCEDURE

> call chained()
NOTICE 00000: repeatable read
NOTICE 00000: repeatable read
NOTICE 00000: repeatable read
NOTICE 00000: repeatable read
CALL

> select * from times
a:int4
0
2
SELECT 2

> create procedure wrong() language plpgsql as $$ begin return 1; end $$
ERROR 42601: RETURN cannot have a parameter in a procedure

