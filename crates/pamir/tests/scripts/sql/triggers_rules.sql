# CREATE TRIGGER: what is refused, and how; OR REPLACE, COMMENT, catalogs.
> create table t (id int primary key, a int, b text, g int generated always as (a + 1) stored)

> create view v as select id, a from t

> create sequence s

> create function f() returns trigger language plpgsql as $$ begin return new; end $$

> create trigger x instead of insert on t for each row execute function f()

> create trigger x before insert on v for each row execute function f()

> create trigger x before truncate on v execute function f()

> create trigger x instead of insert on v execute function f()

> create trigger x instead of insert on v for each row when (new.id > 1) execute function f()

> create trigger x instead of update of a on v for each row execute function f()

> create trigger x before insert on s for each row execute function f()

> create trigger x before insert on t_pkey for each row execute function f()

> create trigger x before insert on pg_class for each row execute function f()

> create trigger x before insert on nope for each row execute function f()

> create trigger x before truncate on t for each row execute function f()

> create trigger x before insert or insert on t for each row execute function f()

> create trigger x before update of nope on t for each row execute function f()

> create trigger x before update of a, a on t for each row execute function f()

> create trigger x before insert on t referencing new table as n for each row execute function f()

> create trigger x after insert on t referencing old table as n for each row execute function f()

> create trigger x after delete on t referencing new table as n for each row execute function f()

> create trigger x after insert or update on t referencing new table as n for each row execute function f()

> create trigger x after update of a on t referencing new table as n for each row execute function f()

> create trigger x after truncate on t referencing new table as n execute function f()

> create trigger x after update on t referencing new table as n new table as m execute function f()

> create trigger x after update on t referencing new table as n old table as n execute function f()

> create trigger x after update on t referencing new row as n execute function f()

> create trigger x before insert on t for each row when (old.a > 1) execute function f()

> create trigger x before delete on t for each row when (new.a > 1) execute function f()

> create trigger x before update on t execute function f() 

> drop trigger x on t

> create trigger x before update on t when (old.a > 1) execute function f()

> create trigger x before update on t for each row when (new.g > 1) execute function f()

> create trigger x before update on t for each row when (new is not null) execute function f()

> create trigger x before update on t for each row when (a > 1) execute function f()

> create trigger x before update on t for each row when (old.nope > 1) execute function f()

> create trigger x before update on t for each row when (other.a > 1) execute function f()

> create trigger x before update on t for each row when (old.a) execute function f()

> create trigger x before update on t for each row when (exists (select 1)) execute function f()

> create trigger x before update on t for each row when (sum(old.a) > 1) execute function f()

> create trigger x before update on t for each row when (generate_series(1, old.a) > 1) execute function f()

> create trigger x before update on t for each row when (row_number() over () > 1) execute function f()

> create trigger x before update on t for each row when (old.a > $1) execute function f()

> create constraint trigger x before insert on t for each row execute function f()

> create constraint trigger x after insert on t for each statement execute function f()

> create or replace constraint trigger x after insert on t for each row execute function f()

> create constraint trigger x after insert on t not deferrable initially deferred for each row execute function f()

> create constraint trigger x after insert on v for each row execute function f()

> create trigger x before insert on t for each row execute function f()

> create trigger x before insert on t for each row execute function f()

> create or replace trigger x after update of b, a or delete on t for each row when (old.a > 0) execute function f('it''s', 5, 1.50, word)

> select tgname, tgtype, tgenabled, tgisinternal, tgdeferrable, tginitdeferred, tgnargs, tgattr, tgargs, tgconstraint, tgparentid, tgoldtable, tgnewtable, tgfoid::regproc, tgrelid::regclass from pg_trigger where tgname = 'x'

> create constraint trigger c after insert on t deferrable initially deferred for each row execute function f()

> create constraint trigger c2 after update on t from s for each row execute function f()

> create table r (x int)

> create constraint trigger c2 after update on t from r for each row execute function f()

> create constraint trigger c3 after update or delete on t deferrable for each row execute function f()

> create or replace trigger c after insert on t for each row execute function f()

> select tgname, pg_get_triggerdef(oid), tgdeferrable, tginitdeferred, tgconstraint <> 0 as has, tgconstrrelid::regclass from pg_trigger where tgrelid = 't'::regclass and not tgisinternal order by 1

> select conname, contype, condeferrable, condeferred, convalidated, conrelid::regclass, pg_get_constraintdef(oid) from pg_constraint where contype = 't' order by 1

> drop table r

> drop table r cascade

> comment on trigger x on t is 'about x'

> comment on trigger y on t is 'about x'

> select obj_description(oid, 'pg_trigger'), obj_description(oid) from pg_trigger where tgname = 'x'

> select description from pg_description where classoid = 'pg_trigger'::regclass

> comment on trigger x on t is null

> select count(*) from pg_description where classoid = 'pg_trigger'::regclass

> drop trigger nope on t

> drop trigger if exists nope on t

> drop trigger x on nope

> drop trigger if exists x on nope

> drop trigger if exists x on no.pe

> alter trigger nope on t rename to x2

> create trigger ins before insert or update on t for each row when (new.b = 'q') execute function f()

> create trigger st after insert or delete or truncate on t execute function f()

> create trigger tr after update on t referencing old table as o new table as n execute function f()

> select trigger_name, event_manipulation, event_object_table, action_order, action_condition, action_statement, action_orientation, action_timing, action_reference_old_table, action_reference_new_table from information_schema.triggers order by 1, 2

> select trigger_name, event_object_column from information_schema.triggered_update_columns order by 1, 2

> select relhastriggers from pg_class where relname in ('t', 's', 'v') order by relname

> select hastriggers from pg_tables where tablename = 't'

> alter table t disable trigger nope

> alter table t disable trigger ins

> alter table t enable replica trigger st

> alter table t enable always trigger tr

> select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass order by 1

> alter table t disable trigger user

> select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass order by 1

> alter table t enable trigger all

> select distinct tgenabled from pg_trigger where tgrelid = 't'::regclass

> alter table t rename to tt

> alter table tt rename column b to bb

> select pg_get_triggerdef(oid) from pg_trigger where tgname = 'ins'

> create schema sc

> alter table tt set schema sc

> select pg_get_triggerdef(oid) from pg_trigger where tgname = 'ins'

> alter function f() rename to ff

> select pg_get_triggerdef(oid), pg_get_triggerdef(oid, true) from pg_trigger where tgname = 'ins'

> alter table sc.tt drop column bb

> drop function ff()

> drop function ff() cascade

> select count(*) from pg_trigger

> select pg_get_triggerdef(1)

> drop table sc.tt cascade

# Privileges.
> create role trig_r

> create table p (a int)

> create function pf() returns trigger language plpgsql as $$ begin return new; end $$

> grant all on schema public to trig_r

> grant select, insert on p to trig_r

> set role trig_r

> create trigger x before insert on p for each row execute function pf()

> reset role

> grant trigger on p to trig_r

> revoke execute on function pf() from public

> set role trig_r

> create trigger x before insert on p for each row execute function pf()

> reset role

> grant execute on function pf() to trig_r

> set role trig_r

> create trigger x before insert on p for each row execute function pf()

> drop trigger x on p

> alter table p disable trigger x

> alter trigger x on p rename to y

> reset role

> revoke execute on function pf() from trig_r

> set role trig_r

> insert into p values (1)

> reset role

> drop owned by trig_r

> drop role trig_r
