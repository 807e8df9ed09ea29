# Functions that need a transaction, in a routine that has just ended one.
> do $$ begin commit; perform pg_advisory_lock(1); raise notice 'x'; end $$
NOTICE 00000: x
DO

> select pg_advisory_unlock(1)
pg_advisory_unlock:bool
t
SELECT 1

> do $$ declare a xid8; begin commit; a := pg_current_xact_id(); raise notice '%', a is null; end $$
NOTICE 00000: f
DO

> do $$ declare a oid; begin commit; a := lo_create(0); raise notice '%', a is null; end $$
NOTICE 00000: f
DO

> create sequence sq
CREATE SEQUENCE

> do $$ declare a int; begin commit; a := nextval('sq'); raise notice '%', a; commit; a := currval('sq'); raise notice '%', a; commit; perform setval('sq',5); raise notice '%', lastval(); end $$
NOTICE 00000: 1
NOTICE 00000: 1
NOTICE 00000: 5
DO

> do $$ declare a int; begin commit; perform set_config('work_mem','1MB',true); raise notice '%', current_setting('work_mem'); commit; raise notice '%', current_setting('work_mem'); end $$
NOTICE 00000: 1MB
NOTICE 00000: 4MB
DO

> do $$ declare a int; begin commit; perform pg_notify('a','b'); commit; raise notice '%', txid_current() > 0; end $$
NOTICE 00000: t
DO

> do $$ declare a regclass; begin commit; a := 'pg_class'; raise notice '% %', a, pg_size_pretty(pg_relation_size(a))<>''; commit; raise notice '%', to_regclass('pg_type'); end $$
NOTICE 00000: pg_class t
NOTICE 00000: pg_type
DO

> do $$ declare c refcursor; begin commit; open c for select 1; commit; close c; exception when others then raise notice '%', sqlerrm; end $$
NOTICE 00000: cannot commit while a subtransaction is active
DO

> do $$ begin commit; perform pg_advisory_xact_lock(1); raise notice '%', (select count(*) from pg_locks where locktype='advisory'); commit; raise notice '%', (select count(*) from pg_locks where locktype='advisory'); end $$
NOTICE 00000: 1
NOTICE 00000: 0
DO

> create procedure pp() language plpgsql as $$ begin rollback; perform pg_try_advisory_xact_lock_shared(2); raise notice '%', now() is not null; commit; raise notice '%', pg_try_advisory_lock(3); end $$
CREATE PROCEDURE

> call pp()
NOTICE 00000: t
NOTICE 00000: t
CALL

