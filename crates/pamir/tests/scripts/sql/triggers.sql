# Triggers: timing, order, what NEW and OLD are, what they return, errors; recorded from PostgreSQL 15.
> create table t (id int primary key, a int, b text default 'd', g int generated always as (a * 2) stored)

> create table log (n int generated always as identity, what text)

> create function note() returns trigger language plpgsql as $$
> begin
>   insert into log (what) values (tg_name || ' ' || tg_when || ' ' || tg_level || ' ' || tg_op || ' ' || tg_table_schema || '.' || tg_table_name || ' ' || tg_relname || ' ' || tg_nargs || ' ' || coalesce(tg_argv[0], '-') || ' ' || coalesce(tg_argv[1], '-') || ' d' || pg_trigger_depth());
>   if tg_level = 'ROW' then
>     insert into log (what) values ('  old ' || coalesce(old::text, 'null') || ' new ' || coalesce(new::text, 'null'));
>   end if;
>   if tg_op = 'DELETE' then return old; end if;
>   return new;
> end $$

> create trigger b_row before insert or update or delete on t for each row execute function note('x', 7)

> create trigger b_stmt before insert or update or delete or truncate on t execute function note()

> create trigger a_row after insert or update or delete on t for each row execute function note()

> create trigger a_stmt after insert or update or delete or truncate on t for each statement execute procedure note('s')

> insert into t values (1, 10), (2, 20)

> select what from log order by n

> truncate log restart identity

> update t set a = a + 1

> select what from log order by n

> truncate log restart identity

> delete from t where id = 1

> select what from log order by n

> truncate log restart identity

> update t set a = 1 where id = 77

> delete from t where id = 77

> insert into t select 5, 6 where false

> select what from log order by n

> truncate log restart identity

> truncate t

> select what from log order by n

> truncate log restart identity

> insert into t values (1, 1) on conflict (id) do update set a = 5

> insert into t values (1, 1) on conflict (id) do update set a = excluded.a + 100 returning *

> insert into t values (1, 1) on conflict do nothing

> select what from log order by n

> drop trigger b_row on t

> drop trigger b_stmt on t

> drop trigger a_row on t

> drop trigger a_stmt on t

> drop trigger a_stmt on t

> truncate log restart identity

# What a trigger gives becomes the row.
> create function bump() returns trigger language plpgsql as $$
> begin
>   new.a := new.a * 10;
>   new.b := new.b || '!';
>   return new;
> end $$

> create trigger bump before insert or update on t for each row execute function bump()

> insert into t values (2, 2, 'two') returning *

> update t set a = 3 where id = 2 returning *

> insert into t (id, a) values (3, null) returning *

> create function skip_odd() returns trigger language plpgsql as $$
> begin
>   if new.id % 2 = 1 then return null; end if;
>   return new;
> end $$

> create trigger a_skip before insert or update on t for each row execute function skip_odd()

> insert into t values (10, 1), (11, 1), (12, 1) returning id, a

> update t set b = 'u' where id in (3, 10, 12) returning id

> select * from t order by id

> create function keep() returns trigger language plpgsql as $$ begin return null; end $$

> create trigger keep before delete on t for each row when (old.id > 10) execute function keep()

> delete from t

> select * from t order by id

# NEW in DELETE and OLD in INSERT are rows of NULLs.
> create function peek() returns trigger language plpgsql as $$
> begin
>   raise notice 'new.id % old.id % new is null % old is null %', new.id, old.id, new is null, old is null;
>   return coalesce(new, old);
> end $$

> create trigger peek before insert or update or delete on t for each row execute function peek()

> insert into t values (20, 1)

> update t set a = 5 where id = 20

> delete from t where id = 20

> create function stmt_peek() returns trigger language plpgsql as $$ begin raise notice '%', new.id; return null; end $$

> create trigger stmt_peek before insert on t execute function stmt_peek()

> insert into t values (20, 1)

> drop trigger stmt_peek on t

> drop trigger peek on t

# RETURN OLD, a row made by hand, the wrong row.
> create table u (a int, b text)

> insert into u values (1, 'x')

> create function ret() returns trigger language plpgsql as $$
> declare r record;
> begin
>   if tg_argv[0] = 'old' then return old; end if;
>   if tg_argv[0] = 'row' then select 5, 'five'::text into r; return r; end if;
>   if tg_argv[0] = 'short' then select 5 as a into r; return r; end if;
>   if tg_argv[0] = 'type' then select 5 as a, 6 as b into r; return r; end if;
>   if tg_argv[0] = 'int' then return 5; end if;
> end $$

> create function ret() returns trigger language plpgsql as $$
> declare r record;
> begin
>   if tg_argv[0] = 'old' then return old; end if;
>   if tg_argv[0] = 'row' then select 5, 'five'::text into r; return r; end if;
>   if tg_argv[0] = 'short' then select 5 as a into r; return r; end if;
>   if tg_argv[0] = 'type' then select 5 as a, 6 as b into r; return r; end if;
> end $$

> create trigger ret before update on u for each row execute function ret('old')

> update u set a = 2 returning *

> drop trigger ret on u

> create trigger ret before update on u for each row execute function ret('row')

> update u set a = 2 returning *

> drop trigger ret on u

> create trigger ret before update on u for each row execute function ret('short')

> update u set a = 2 returning *

> drop trigger ret on u

> create trigger ret before update on u for each row execute function ret('type')

> update u set a = 2 returning *

> drop trigger ret on u

> create trigger ret before update on u for each row execute function ret('none')

> update u set a = 2 returning *

> drop trigger ret on u

> select * from u

> select ret()

# WHEN.
> create function say() returns trigger language plpgsql as $$ begin raise notice '% %', tg_name, tg_op; return new; end $$

> create trigger w1 before update on u for each row when (old.a is distinct from new.a) execute function say()

> create trigger w2 after update on u for each row when (old.* is distinct from new.*) execute function say()

> create trigger w3 after update of b on u for each row execute function say()

> create trigger w4 after update of b, a on u for each statement when (current_user = 'postgres') execute function say()

> create trigger w5 after insert on u for each row when (new.a > 5 and new.b is not null) execute function say()

> update u set a = a

> update u set a = a + 1

> update u set b = b

> update u set b = 'z', a = 9

> insert into u values (6, 'q'), (7, null), (1, 'n')

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'u'::regclass order by tgname

> select pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = 'u'::regclass order by tgname

> alter table u rename column a to aa

> alter table u add column c int

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'u'::regclass order by tgname

> update u set c = 1 where aa = 6

> alter table u drop column b

> alter table u alter column aa type bigint

> alter table u drop column b cascade

> select tgname from pg_trigger where tgrelid = 'u'::regclass order by tgname

> update u set aa = 100 where aa = 6

# Order is by name, byte by byte; a later one sees what an earlier one made.
> create table o (a text)

> create function app() returns trigger language plpgsql as $$ begin new.a := new.a || tg_name; return new; end $$

> create trigger b before insert on o for each row execute function app()

> create trigger "B" before insert on o for each row execute function app()

> create trigger a before insert on o for each row execute function app()

> create trigger _ before insert on o for each row execute function app()

> insert into o values ('>') returning a

> alter trigger a on o rename to z

> alter trigger a on o rename to z

> alter trigger z on o rename to b

> insert into o values ('>') returning a

# The function's errors.
> create function boom() returns trigger language plpgsql as $$ begin raise exception 'boom %', new.a using errcode = 'P1234', hint = 'h'; end $$

> create trigger boom after insert on o for each row execute function boom()

> insert into o values ('x')

> select count(*) from o

> drop function boom()

> drop function boom() cascade

> insert into o values ('x')

> drop function app() cascade

> create function nothing() returns trigger language plpgsql as $$ begin end $$

> create trigger nothing before insert on o for each row execute function nothing()

> insert into o values ('x')

> drop trigger nothing on o

> create function sqltrig() returns trigger language sql as 'select 1'

> create function notrig() returns int language sql as 'select 1'

> create trigger n before insert on o for each row execute function notrig()

> create trigger n before insert on o for each row execute function nosuch()

> create trigger n before insert on o for each row execute function no.such()
