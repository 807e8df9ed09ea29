# Triggers: timing, order, what NEW and OLD are, what they return, errors; recorded from PostgreSQL 15.
> create table t (id int primary key, a int, b text default 'd', g int generated always as (a * 2) stored)
CREATE TABLE

> create table log (n int generated always as identity, what text)
CREATE TABLE

> create function note() returns trigger language plpgsql as $$
> begin
>   insert into log (what) values (tg_name || ' ' || tg_when || ' ' || tg_level || ' ' || tg_op || ' ' || tg_table_schema || '.' || tg_table_name || ' ' || tg_relname || ' ' || tg_nargs || ' ' || coalesce(tg_argv[0], '-') || ' ' || coalesce(tg_argv[1], '-') || ' d' || pg_trigger_depth());
>   if tg_level = 'ROW' then
>     insert into log (what) values ('  old ' || coalesce(old::text, 'null') || ' new ' || coalesce(new::text, 'null'));
>   end if;
>   if tg_op = 'DELETE' then return old; end if;
>   return new;
> end $$
CREATE FUNCTION

> create trigger b_row before insert or update or delete on t for each row execute function note('x', 7)
CREATE TRIGGER

> create trigger b_stmt before insert or update or delete or truncate on t execute function note()
CREATE TRIGGER

> create trigger a_row after insert or update or delete on t for each row execute function note()
CREATE TRIGGER

> create trigger a_stmt after insert or update or delete or truncate on t for each statement execute procedure note('s')
CREATE TRIGGER

> insert into t values (1, 10), (2, 20)
INSERT 0 2

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT INSERT public.t t 0 - - d1
b_row BEFORE ROW INSERT public.t t 2 x 7 d1
  old null new (1,10,d,)
b_row BEFORE ROW INSERT public.t t 2 x 7 d1
  old null new (2,20,d,)
a_row AFTER ROW INSERT public.t t 0 - - d1
  old null new (1,10,d,20)
a_row AFTER ROW INSERT public.t t 0 - - d1
  old null new (2,20,d,40)
a_stmt AFTER STATEMENT INSERT public.t t 1 s - d1
SELECT 10

> truncate log restart identity
TRUNCATE TABLE

> update t set a = a + 1
UPDATE 2

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT UPDATE public.t t 0 - - d1
b_row BEFORE ROW UPDATE public.t t 2 x 7 d1
  old (1,10,d,20) new (1,11,d,)
b_row BEFORE ROW UPDATE public.t t 2 x 7 d1
  old (2,20,d,40) new (2,21,d,)
a_row AFTER ROW UPDATE public.t t 0 - - d1
  old (1,10,d,20) new (1,11,d,22)
a_row AFTER ROW UPDATE public.t t 0 - - d1
  old (2,20,d,40) new (2,21,d,42)
a_stmt AFTER STATEMENT UPDATE public.t t 1 s - d1
SELECT 10

> truncate log restart identity
TRUNCATE TABLE

> delete from t where id = 1
DELETE 1

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT DELETE public.t t 0 - - d1
b_row BEFORE ROW DELETE public.t t 2 x 7 d1
  old (1,11,d,22) new null
a_row AFTER ROW DELETE public.t t 0 - - d1
  old (1,11,d,22) new null
a_stmt AFTER STATEMENT DELETE public.t t 1 s - d1
SELECT 6

> truncate log restart identity
TRUNCATE TABLE

> update t set a = 1 where id = 77
UPDATE 0

> delete from t where id = 77
DELETE 0

> insert into t select 5, 6 where false
INSERT 0 0

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT UPDATE public.t t 0 - - d1
a_stmt AFTER STATEMENT UPDATE public.t t 1 s - d1
b_stmt BEFORE STATEMENT DELETE public.t t 0 - - d1
a_stmt AFTER STATEMENT DELETE public.t t 1 s - d1
b_stmt BEFORE STATEMENT INSERT public.t t 0 - - d1
a_stmt AFTER STATEMENT INSERT public.t t 1 s - d1
SELECT 6

> truncate log restart identity
TRUNCATE TABLE

> truncate t
TRUNCATE TABLE

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT TRUNCATE public.t t 0 - - d1
a_stmt AFTER STATEMENT TRUNCATE public.t t 1 s - d1
SELECT 2

> truncate log restart identity
TRUNCATE TABLE

> insert into t values (1, 1) on conflict (id) do update set a = 5
INSERT 0 1

> insert into t values (1, 1) on conflict (id) do update set a = excluded.a + 100 returning *
id:int4 | a:int4 | b:text | g:int4
1 | 101 | d | 202
INSERT 0 1

> insert into t values (1, 1) on conflict do nothing
INSERT 0 0

> select what from log order by n
what:text
b_stmt BEFORE STATEMENT INSERT public.t t 0 - - d1
b_stmt BEFORE STATEMENT UPDATE public.t t 0 - - d1
b_row BEFORE ROW INSERT public.t t 2 x 7 d1
  old null new (1,1,d,)
a_row AFTER ROW INSERT public.t t 0 - - d1
  old null new (1,1,d,2)
a_stmt AFTER STATEMENT UPDATE public.t t 1 s - d1
a_stmt AFTER STATEMENT INSERT public.t t 1 s - d1
b_stmt BEFORE STATEMENT INSERT public.t t 0 - - d1
b_stmt BEFORE STATEMENT UPDATE public.t t 0 - - d1
b_row BEFORE ROW INSERT public.t t 2 x 7 d1
  old null new (1,1,d,)
b_row BEFORE ROW UPDATE public.t t 2 x 7 d1
  old (1,1,d,2) new (1,101,d,)
a_row AFTER ROW UPDATE public.t t 0 - - d1
  old (1,1,d,2) new (1,101,d,202)
a_stmt AFTER STATEMENT UPDATE public.t t 1 s - d1
a_stmt AFTER STATEMENT INSERT public.t t 1 s - d1
b_stmt BEFORE STATEMENT INSERT public.t t 0 - - d1
b_row BEFORE ROW INSERT public.t t 2 x 7 d1
  old null new (1,1,d,)
a_stmt AFTER STATEMENT INSERT public.t t 1 s - d1
SELECT 22

> drop trigger b_row on t
DROP TRIGGER

> drop trigger b_stmt on t
DROP TRIGGER

> drop trigger a_row on t
DROP TRIGGER

> drop trigger a_stmt on t
DROP TRIGGER

> drop trigger a_stmt on t
ERROR 42704: trigger "a_stmt" for table "t" does not exist

> truncate log restart identity
TRUNCATE TABLE

# What a trigger gives becomes the row.
> create function bump() returns trigger language plpgsql as $$
> begin
>   new.a := new.a * 10;
>   new.b := new.b || '!';
>   return new;
> end $$
CREATE FUNCTION

> create trigger bump before insert or update on t for each row execute function bump()
CREATE TRIGGER

> insert into t values (2, 2, 'two') returning *
id:int4 | a:int4 | b:text | g:int4
2 | 20 | two! | 40
INSERT 0 1

> update t set a = 3 where id = 2 returning *
id:int4 | a:int4 | b:text | g:int4
2 | 30 | two!! | 60
UPDATE 1

> insert into t (id, a) values (3, null) returning *
id:int4 | a:int4 | b:text | g:int4
3 | NULL | d! | NULL
INSERT 0 1

> create function skip_odd() returns trigger language plpgsql as $$
> begin
>   if new.id % 2 = 1 then return null; end if;
>   return new;
> end $$
CREATE FUNCTION

> create trigger a_skip before insert or update on t for each row execute function skip_odd()
CREATE TRIGGER

> insert into t values (10, 1), (11, 1), (12, 1) returning id, a
id:int4 | a:int4
10 | 10
12 | 10
INSERT 0 2

> update t set b = 'u' where id in (3, 10, 12) returning id
id:int4
10
12
UPDATE 2

> select * from t order by id
id:int4 | a:int4 | b:text | g:int4
1 | 101 | d | 202
2 | 30 | two!! | 60
3 | NULL | d! | NULL
10 | 100 | u! | 200
12 | 100 | u! | 200
SELECT 5

> create function keep() returns trigger language plpgsql as $$ begin return null; end $$
CREATE FUNCTION

> create trigger keep before delete on t for each row when (old.id > 10) execute function keep()
CREATE TRIGGER

> delete from t
DELETE 4

> select * from t order by id
id:int4 | a:int4 | b:text | g:int4
12 | 100 | u! | 200
SELECT 1

# NEW in DELETE and OLD in INSERT are rows of NULLs.
> create function peek() returns trigger language plpgsql as $$
> begin
>   raise notice 'new.id % old.id % new is null % old is null %', new.id, old.id, new is null, old is null;
>   return coalesce(new, old);
> end $$
CREATE FUNCTION

> create trigger peek before insert or update or delete on t for each row execute function peek()
CREATE TRIGGER

> insert into t values (20, 1)
NOTICE 00000: new.id 20 old.id <NULL> new is null f old is null t
INSERT 0 1

> update t set a = 5 where id = 20
NOTICE 00000: new.id 20 old.id 20 new is null f old is null f
UPDATE 1

> delete from t where id = 20
DELETE 0

> create function stmt_peek() returns trigger language plpgsql as $$ begin raise notice '%', new.id; return null; end $$
CREATE FUNCTION

> create trigger stmt_peek before insert on t execute function stmt_peek()
CREATE TRIGGER

> insert into t values (20, 1)
NOTICE 00000: <NULL>
NOTICE 00000: new.id 20 old.id <NULL> new is null f old is null t
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(20) already exists.

> drop trigger stmt_peek on t
DROP TRIGGER

> drop trigger peek on t
DROP TRIGGER

# RETURN OLD, a row made by hand, the wrong row.
> create table u (a int, b text)
CREATE TABLE

> insert into u values (1, 'x')
INSERT 0 1

> create function ret() returns trigger language plpgsql as $$
> declare r record;
> begin
>   if tg_argv[0] = 'old' then return old; end if;
>   if tg_argv[0] = 'row' then select 5, 'five'::text into r; return r; end if;
>   if tg_argv[0] = 'short' then select 5 as a into r; return r; end if;
>   if tg_argv[0] = 'type' then select 5 as a, 6 as b into r; return r; end if;
>   if tg_argv[0] = 'int' then return 5; end if;
> end $$
CREATE FUNCTION

> create function ret() returns trigger language plpgsql as $$
> declare r record;
> begin
>   if tg_argv[0] = 'old' then return old; end if;
>   if tg_argv[0] = 'row' then select 5, 'five'::text into r; return r; end if;
>   if tg_argv[0] = 'short' then select 5 as a into r; return r; end if;
>   if tg_argv[0] = 'type' then select 5 as a, 6 as b into r; return r; end if;
> end $$
ERROR 42723: function "ret" already exists with same argument types

> create trigger ret before update on u for each row execute function ret('old')
CREATE TRIGGER

> update u set a = 2 returning *
a:int4 | b:text
1 | x
UPDATE 1

> drop trigger ret on u
DROP TRIGGER

> create trigger ret before update on u for each row execute function ret('row')
CREATE TRIGGER

> update u set a = 2 returning *
a:int4 | b:text
5 | five
UPDATE 1

> drop trigger ret on u
DROP TRIGGER

> create trigger ret before update on u for each row execute function ret('short')
CREATE TRIGGER

> update u set a = 2
ERROR 42804: returned row structure does not match the structure of the triggering table
DETAIL: Number of returned columns (1) does not match expected column count (2).

> drop trigger ret on u
DROP TRIGGER

> create trigger ret before update on u for each row execute function ret('type')
CREATE TRIGGER

> update u set a = 2
ERROR 42804: returned row structure does not match the structure of the triggering table
DETAIL: Returned type integer does not match expected type text in column 2.

> drop trigger ret on u
DROP TRIGGER

> create trigger ret before update on u for each row execute function ret('none')
CREATE TRIGGER

> update u set a = 2
ERROR 2F005: control reached end of trigger procedure without RETURN

> drop trigger ret on u
DROP TRIGGER

> select * from u
a:int4 | b:text
5 | five
SELECT 1

> select ret()
ret:trigger
ERROR 0A000: trigger functions can only be called as triggers

# WHEN.
> create function say() returns trigger language plpgsql as $$ begin raise notice '% %', tg_name, tg_op; return new; end $$
CREATE FUNCTION

> create trigger w1 before update on u for each row when (old.a is distinct from new.a) execute function say()
CREATE TRIGGER

> create trigger w2 after update on u for each row when (old.* is distinct from new.*) execute function say()
CREATE TRIGGER

> create trigger w3 after update of b on u for each row execute function say()
CREATE TRIGGER

> create trigger w4 after update of b, a on u for each statement when (current_user = 'postgres') execute function say()
CREATE TRIGGER

> create trigger w5 after insert on u for each row when (new.a > 5 and new.b is not null) execute function say()
CREATE TRIGGER

> update u set a = a
NOTICE 00000: w4 UPDATE
UPDATE 1

> update u set a = a + 1
NOTICE 00000: w1 UPDATE
NOTICE 00000: w2 UPDATE
NOTICE 00000: w4 UPDATE
UPDATE 1

> update u set b = b
NOTICE 00000: w3 UPDATE
NOTICE 00000: w4 UPDATE
UPDATE 1

> update u set b = 'z', a = 9
NOTICE 00000: w1 UPDATE
NOTICE 00000: w2 UPDATE
NOTICE 00000: w3 UPDATE
NOTICE 00000: w4 UPDATE
UPDATE 1

> insert into u values (6, 'q'), (7, null), (1, 'n')
NOTICE 00000: w5 INSERT
INSERT 0 3

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'u'::regclass order by tgname
pg_get_triggerdef:text
CREATE TRIGGER w1 BEFORE UPDATE ON public.u FOR EACH ROW WHEN ((old.a IS DISTINCT FROM new.a)) EXECUTE FUNCTION say()
CREATE TRIGGER w2 AFTER UPDATE ON public.u FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION say()
CREATE TRIGGER w3 AFTER UPDATE OF b ON public.u FOR EACH ROW EXECUTE FUNCTION say()
CREATE TRIGGER w4 AFTER UPDATE OF b, a ON public.u FOR EACH STATEMENT WHEN ((CURRENT_USER = 'postgres'::name)) EXECUTE FUNCTION say()
CREATE TRIGGER w5 AFTER INSERT ON public.u FOR EACH ROW WHEN (((new.a > 5) AND (new.b IS NOT NULL))) EXECUTE FUNCTION say()
SELECT 5

> select pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = 'u'::regclass order by tgname
pg_get_triggerdef:text
CREATE TRIGGER w1 BEFORE UPDATE ON u FOR EACH ROW WHEN (old.a IS DISTINCT FROM new.a) EXECUTE FUNCTION say()
CREATE TRIGGER w2 AFTER UPDATE ON u FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION say()
CREATE TRIGGER w3 AFTER UPDATE OF b ON u FOR EACH ROW EXECUTE FUNCTION say()
CREATE TRIGGER w4 AFTER UPDATE OF b, a ON u FOR EACH STATEMENT WHEN (CURRENT_USER = 'postgres'::name) EXECUTE FUNCTION say()
CREATE TRIGGER w5 AFTER INSERT ON u FOR EACH ROW WHEN (new.a > 5 AND new.b IS NOT NULL) EXECUTE FUNCTION say()
SELECT 5

> alter table u rename column a to aa
ALTER TABLE

> alter table u add column c int
ALTER TABLE

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'u'::regclass order by tgname
pg_get_triggerdef:text
CREATE TRIGGER w1 BEFORE UPDATE ON public.u FOR EACH ROW WHEN ((old.aa IS DISTINCT FROM new.aa)) EXECUTE FUNCTION say()
CREATE TRIGGER w2 AFTER UPDATE ON public.u FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION say()
CREATE TRIGGER w3 AFTER UPDATE OF b ON public.u FOR EACH ROW EXECUTE FUNCTION say()
CREATE TRIGGER w4 AFTER UPDATE OF b, aa ON public.u FOR EACH STATEMENT WHEN ((CURRENT_USER = 'postgres'::name)) EXECUTE FUNCTION say()
CREATE TRIGGER w5 AFTER INSERT ON public.u FOR EACH ROW WHEN (((new.aa > 5) AND (new.b IS NOT NULL))) EXECUTE FUNCTION say()
SELECT 5

> update u set c = 1 where aa = 6
NOTICE 00000: w2 UPDATE
UPDATE 1

> alter table u drop column b
ERROR 2BP01: cannot drop column b of table u because other objects depend on it
DETAIL: trigger w3 on table u depends on column b of table u\ntrigger w4 on table u depends on column b of table u\ntrigger w5 on table u depends on column b of table u
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table u alter column aa type bigint
ERROR 0A000: cannot alter type of a column used in a trigger definition
DETAIL: trigger w1 on table u depends on column "aa"

> alter table u drop column b cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to trigger w3 on table u\ndrop cascades to trigger w4 on table u\ndrop cascades to trigger w5 on table u
ALTER TABLE

> select tgname from pg_trigger where tgrelid = 'u'::regclass order by tgname
tgname:name
w1
w2
SELECT 2

> update u set aa = 100 where aa = 6
NOTICE 00000: w1 UPDATE
NOTICE 00000: w2 UPDATE
UPDATE 1

# UPDATE OF a generated column: what it is computed from counts.
> create table gen (id int primary key, a int, b int, g int generated always as (a * 2) stored)
CREATE TABLE

> insert into gen values (1, 1, 1)
INSERT 0 1

> create trigger gof after update of g on gen for each row execute function say()
CREATE TRIGGER

> create trigger gst before update of g on gen for each statement execute function say()
CREATE TRIGGER

> update gen set b = 2
UPDATE 1

> update gen set a = 2
NOTICE 00000: gst UPDATE
NOTICE 00000: gof UPDATE
UPDATE 1

> update gen set a = a, b = 3
NOTICE 00000: gst UPDATE
NOTICE 00000: gof UPDATE
UPDATE 1

> insert into gen values (1, 5, 5) on conflict (id) do update set a = 9
NOTICE 00000: gst UPDATE
NOTICE 00000: gof UPDATE
INSERT 0 1

# Order is by name, byte by byte; a later one sees what an earlier one made.
> create table o (a text)
CREATE TABLE

> create function app() returns trigger language plpgsql as $$ begin new.a := new.a || tg_name; return new; end $$
CREATE FUNCTION

> create trigger b before insert on o for each row execute function app()
CREATE TRIGGER

> create trigger "B" before insert on o for each row execute function app()
CREATE TRIGGER

> create trigger a before insert on o for each row execute function app()
CREATE TRIGGER

> create trigger _ before insert on o for each row execute function app()
CREATE TRIGGER

> insert into o values ('>') returning a
a:text
>B_ab
INSERT 0 1

> alter trigger a on o rename to z
ALTER TRIGGER

> alter trigger a on o rename to z
ERROR 42704: trigger "a" for table "o" does not exist

> alter trigger z on o rename to b
ERROR 42710: trigger "b" for relation "o" already exists

> insert into o values ('>') returning a
a:text
>B_bz
INSERT 0 1

# The function's errors.
> create function boom() returns trigger language plpgsql as $$ begin raise exception 'boom %', new.a using errcode = 'P1234', hint = 'h'; end $$
CREATE FUNCTION

> create trigger boom after insert on o for each row execute function boom()
CREATE TRIGGER

> insert into o values ('x')
ERROR P1234: boom xB_bz
HINT: h

> select count(*) from o
count:int8
2
SELECT 1

> drop function boom()
ERROR 2BP01: cannot drop function boom() because other objects depend on it
DETAIL: trigger boom on table o depends on function boom()
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function boom() cascade
NOTICE 00000: drop cascades to trigger boom on table o
DROP FUNCTION

> insert into o values ('x')
INSERT 0 1

> drop function app() cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to trigger b on table o\ndrop cascades to trigger B on table o\ndrop cascades to trigger z on table o\ndrop cascades to trigger _ on table o
DROP FUNCTION

> create function nothing() returns trigger language plpgsql as $$ begin end $$
CREATE FUNCTION

> create trigger nothing before insert on o for each row execute function nothing()
CREATE TRIGGER

> insert into o values ('x')
ERROR 2F005: control reached end of trigger procedure without RETURN

> drop trigger nothing on o
DROP TRIGGER

> create function sqltrig() returns trigger language sql as 'select 1'
ERROR 42P13: SQL functions cannot return type trigger

> create function notrig() returns int language sql as 'select 1'
CREATE FUNCTION

> create trigger n before insert on o for each row execute function notrig()
ERROR 42P17: function notrig must return type trigger

> create trigger n before insert on o for each row execute function nosuch()
ERROR 42883: function nosuch() does not exist

> create trigger n before insert on o for each row execute function no.such()
ERROR 3F000: schema "no" does not exist
