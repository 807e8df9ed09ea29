# CREATE TRIGGER: what is refused, and how; OR REPLACE, COMMENT, catalogs.
> create table t (id int primary key, a int, b text, g int generated always as (a + 1) stored)
CREATE TABLE

> create view v as select id, a from t
CREATE VIEW

> create sequence s
CREATE SEQUENCE

> create function f() returns trigger language plpgsql as $$ begin return new; end $$
CREATE FUNCTION

> create trigger x instead of insert on t for each row execute function f()
ERROR 42809: "t" is a table
DETAIL: Tables cannot have INSTEAD OF triggers.

> create trigger x before insert on v for each row execute function f()
ERROR 42809: "v" is a view
DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

> create trigger x before truncate on v execute function f()
ERROR 42809: "v" is a view
DETAIL: Views cannot have TRUNCATE triggers.

> create trigger x instead of insert on v execute function f()
ERROR 0A000: INSTEAD OF triggers must be FOR EACH ROW

> create trigger x instead of insert on v for each row when (new.id > 1) execute function f()
ERROR 0A000: INSTEAD OF triggers cannot have WHEN conditions

> create trigger x instead of update of a on v for each row execute function f()
ERROR 0A000: INSTEAD OF triggers cannot have column lists

> create trigger x before insert on s for each row execute function f()
ERROR 42809: relation "s" cannot have triggers
DETAIL: This operation is not supported for sequences.

> create trigger x before insert on t_pkey for each row execute function f()
ERROR 42809: "t_pkey" is an index

> create trigger x before insert on pg_class for each row execute function f()
ERROR 42501: permission denied: "pg_class" is a system catalog

> create trigger x before insert on nope for each row execute function f()
ERROR 42P01: relation "nope" does not exist

> create trigger x before truncate on t for each row execute function f()
ERROR 0A000: TRUNCATE FOR EACH ROW triggers are not supported

> create trigger x before insert or insert on t for each row execute function f()
ERROR 42601: duplicate trigger events specified at or near "insert"

> create trigger x before update of nope on t for each row execute function f()
ERROR 42703: column "nope" of relation "t" does not exist

> create trigger x before update of a, a on t for each row execute function f()
ERROR 42701: column "a" specified more than once

> create trigger x before insert on t referencing new table as n for each row execute function f()
ERROR 42P17: transition table name can only be specified for an AFTER trigger

> create trigger x after insert on t referencing old table as n for each row execute function f()
ERROR 42P17: OLD TABLE can only be specified for a DELETE or UPDATE trigger

> create trigger x after delete on t referencing new table as n for each row execute function f()
ERROR 42P17: NEW TABLE can only be specified for an INSERT or UPDATE trigger

> create trigger x after insert or update on t referencing new table as n for each row execute function f()
ERROR 0A000: transition tables cannot be specified for triggers with more than one event

> create trigger x after update of a on t referencing new table as n for each row execute function f()
ERROR 0A000: transition tables cannot be specified for triggers with column lists

> create trigger x after truncate on t referencing new table as n execute function f()
ERROR 0A000: TRUNCATE triggers with transition tables are not supported

> create trigger x after update on t referencing new table as n new table as m execute function f()
ERROR 42P17: NEW TABLE cannot be specified multiple times

> create trigger x after update on t referencing new table as n old table as n execute function f()
ERROR 42P17: OLD TABLE name and NEW TABLE name cannot be the same

> create trigger x after update on t referencing new row as n execute function f()
ERROR 0A000: ROW variable naming in the REFERENCING clause is not supported
HINT: Use OLD TABLE or NEW TABLE for naming transition tables.

> create trigger x before insert on t for each row when (old.a > 1) execute function f()
ERROR 42P17: INSERT trigger's WHEN condition cannot reference OLD values

> create trigger x before delete on t for each row when (new.a > 1) execute function f()
ERROR 42P17: DELETE trigger's WHEN condition cannot reference NEW values

> create trigger x before update on t execute function f() 
CREATE TRIGGER

> drop trigger x on t
DROP TRIGGER

> create trigger x before update on t when (old.a > 1) execute function f()
ERROR 42P17: statement trigger's WHEN condition cannot reference column values

> create trigger x before update on t for each row when (new.g > 1) execute function f()
ERROR 42P17: BEFORE trigger's WHEN condition cannot reference NEW generated columns
DETAIL: Column "g" is a generated column.

> create trigger x before update on t for each row when (new is not null) execute function f()
ERROR 42P17: BEFORE trigger's WHEN condition cannot reference NEW generated columns
DETAIL: A whole-row reference is used and the table contains generated columns.

> create trigger x before update on t for each row when (a > 1) execute function f()
ERROR 42702: column reference "a" is ambiguous

> create trigger x before update on t for each row when (old.nope > 1) execute function f()
ERROR 42703: column old.nope does not exist

> create trigger x before update on t for each row when (other.a > 1) execute function f()
ERROR 42P01: missing FROM-clause entry for table "other"

> create trigger x before update on t for each row when (old.a) execute function f()
ERROR 42804: argument of WHEN must be type boolean, not type integer

> create trigger x before update on t for each row when (exists (select 1)) execute function f()
ERROR 0A000: cannot use subquery in trigger WHEN condition

> create trigger x before update on t for each row when (sum(old.a) > 1) execute function f()
ERROR 42803: aggregate functions are not allowed in trigger WHEN conditions

> create trigger x before update on t for each row when (generate_series(1, old.a) > 1) execute function f()
ERROR 0A000: set-returning functions are not allowed in trigger WHEN conditions

> create trigger x before update on t for each row when (row_number() over () > 1) execute function f()
ERROR 42P20: window functions are not allowed in trigger WHEN conditions

> create trigger x before update on t for each row when (old.a > $1) execute function f()
ERROR 42P02: there is no parameter $1

> create constraint trigger x before insert on t for each row execute function f()
ERROR 42601: syntax error at or near "before"

> create constraint trigger x after insert on t for each statement execute function f()
ERROR 42601: syntax error at or near "statement"

> create or replace constraint trigger x after insert on t for each row execute function f()
ERROR 0A000: CREATE OR REPLACE CONSTRAINT TRIGGER is not supported

> create constraint trigger x after insert on t not deferrable initially deferred for each row execute function f()
ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE

> create constraint trigger x after insert on v for each row execute function f()
ERROR 42809: "v" is a view
DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

> create trigger x before insert on t for each row execute function f()
CREATE TRIGGER

> create trigger x before insert on t for each row execute function f()
ERROR 42710: trigger "x" for relation "t" already exists

> create or replace trigger x after update of b, a or delete on t for each row when (old.a > 0) execute function f('it''s', 5, 1.50, word)
CREATE TRIGGER

> select tgname, tgtype, tgenabled, tgisinternal, tgdeferrable, tginitdeferred, tgnargs, tgattr, tgargs, tgconstraint, tgparentid, tgoldtable, tgnewtable, tgfoid::regproc, tgrelid::regclass from pg_trigger where tgname = 'x'
tgname:name | tgtype:int2 | tgenabled:char | tgisinternal:bool | tgdeferrable:bool | tginitdeferred:bool | tgnargs:int2 | tgattr:int2vector | tgargs:bytea | tgconstraint:oid | tgparentid:oid | tgoldtable:name | tgnewtable:name | tgfoid:regproc | tgrelid:regclass
x | 25 | O | f | f | f | 4 | 3 2 | \x69742773003500312e353000776f726400 | 0 | 0 | NULL | NULL | f | t
SELECT 1

> create constraint trigger c after insert on t deferrable initially deferred for each row execute function f()
CREATE TRIGGER

> create table r (x int)
CREATE TABLE

> create constraint trigger c2 after update on t from r for each row execute function f()
CREATE TRIGGER

> create constraint trigger c3 after update or delete on t deferrable for each row execute function f()
CREATE TRIGGER

> create or replace trigger c after insert on t for each row execute function f()
ERROR 42710: trigger "c" for relation "t" is a constraint trigger

> select tgname, pg_get_triggerdef(oid), tgdeferrable, tginitdeferred, tgconstraint <> 0 as has, tgconstrrelid::regclass from pg_trigger where tgrelid = 't'::regclass and not tgisinternal order by 1
tgname:name | pg_get_triggerdef:text | tgdeferrable:bool | tginitdeferred:bool | has:bool | tgconstrrelid:regclass
c | CREATE CONSTRAINT TRIGGER c AFTER INSERT ON public.t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f() | t | t | t | -
c2 | CREATE CONSTRAINT TRIGGER c2 AFTER UPDATE ON public.t FROM r NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION f() | f | f | t | r
c3 | CREATE CONSTRAINT TRIGGER c3 AFTER DELETE OR UPDATE ON public.t DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION f() | t | f | t | -
x | CREATE TRIGGER x AFTER DELETE OR UPDATE OF b, a ON public.t FOR EACH ROW WHEN ((old.a > 0)) EXECUTE FUNCTION f('it''s', '5', '1.50', 'word') | f | f | f | -
SELECT 4

> select conname, contype, condeferrable, condeferred, convalidated, conrelid::regclass, pg_get_constraintdef(oid) from pg_constraint where contype = 't' order by 1
conname:name | contype:char | condeferrable:bool | condeferred:bool | convalidated:bool | conrelid:regclass | pg_get_constraintdef:text
c | t | t | t | t | t | TRIGGER DEFERRABLE INITIALLY DEFERRED
c2 | t | f | f | t | t | TRIGGER
c3 | t | t | f | t | t | TRIGGER DEFERRABLE
SELECT 3

> drop table r
DROP TABLE

> drop table r cascade
ERROR 42P01: table "r" does not exist

> comment on trigger x on t is 'about x'
COMMENT

> comment on trigger y on t is 'about x'
ERROR 42704: trigger "y" for table "t" does not exist

> select obj_description(oid, 'pg_trigger'), obj_description(oid) from pg_trigger where tgname = 'x'
obj_description:text | obj_description:text
about x | about x
SELECT 1

> select description from pg_description where classoid = 'pg_trigger'::regclass
description:text
about x
SELECT 1

> comment on trigger x on t is null
COMMENT

> select count(*) from pg_description where classoid = 'pg_trigger'::regclass
count:int8
0
SELECT 1

> drop trigger nope on t
ERROR 42704: trigger "nope" for table "t" does not exist

> drop trigger if exists nope on t
NOTICE 00000: trigger "nope" for relation "t" does not exist, skipping
DROP TRIGGER

> drop trigger x on nope
ERROR 42P01: relation "nope" does not exist

> drop trigger if exists x on nope
NOTICE 00000: relation "nope" does not exist, skipping
DROP TRIGGER

> drop trigger if exists x on no.pe
NOTICE 00000: schema "no" does not exist, skipping
DROP TRIGGER

> alter trigger nope on t rename to x2
ERROR 42704: trigger "nope" for table "t" does not exist

> create trigger ins before insert or update on t for each row when (new.b = 'q') execute function f()
CREATE TRIGGER

> create trigger st after insert or delete or truncate on t execute function f()
CREATE TRIGGER

> create trigger tr after update on t referencing old table as o new table as n execute function f()
CREATE TRIGGER

> select trigger_name, event_manipulation, event_object_table, action_order, action_condition, action_statement, action_orientation, action_timing, action_reference_old_table, action_reference_new_table from information_schema.triggers order by 1, 2
trigger_name:name | event_manipulation:varchar | event_object_table:name | action_order:int4 | action_condition:varchar | action_statement:varchar | action_orientation:varchar | action_timing:varchar | action_reference_old_table:name | action_reference_new_table:name
c | INSERT | t | 1 | NULL | EXECUTE FUNCTION f() | ROW | AFTER | NULL | NULL
c3 | DELETE | t | 1 | NULL | EXECUTE FUNCTION f() | ROW | AFTER | NULL | NULL
c3 | UPDATE | t | 1 | NULL | EXECUTE FUNCTION f() | ROW | AFTER | NULL | NULL
ins | INSERT | t | 1 | (new.b = 'q'::text) | EXECUTE FUNCTION f() | ROW | BEFORE | NULL | NULL
ins | UPDATE | t | 1 | (new.b = 'q'::text) | EXECUTE FUNCTION f() | ROW | BEFORE | NULL | NULL
st | DELETE | t | 1 | NULL | EXECUTE FUNCTION f() | STATEMENT | AFTER | NULL | NULL
st | INSERT | t | 1 | NULL | EXECUTE FUNCTION f() | STATEMENT | AFTER | NULL | NULL
tr | UPDATE | t | 1 | NULL | EXECUTE FUNCTION f() | STATEMENT | AFTER | o | n
x | DELETE | t | 2 | (old.a > 0) | EXECUTE FUNCTION f('it''s', '5', '1.50', 'word') | ROW | AFTER | NULL | NULL
x | UPDATE | t | 2 | (old.a > 0) | EXECUTE FUNCTION f('it''s', '5', '1.50', 'word') | ROW | AFTER | NULL | NULL
SELECT 10

> select trigger_name, event_object_column from information_schema.triggered_update_columns order by 1, 2
trigger_name:name | event_object_column:name
x | a
x | b
SELECT 2

> select relhastriggers from pg_class where relname in ('t', 's', 'v') order by relname
relhastriggers:bool
f
t
f
SELECT 3

> select hastriggers from pg_tables where tablename = 't'
hastriggers:bool
t
SELECT 1

> alter table t disable trigger nope
ERROR 42704: trigger "nope" for table "t" does not exist

> alter table t disable trigger ins
ALTER TABLE

> alter table t enable replica trigger st
ALTER TABLE

> alter table t enable always trigger tr
ALTER TABLE

> select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass order by 1
tgname:name | tgenabled:char
c | O
c3 | O
ins | D
st | R
tr | A
x | O
SELECT 6

> alter table t disable trigger user
ALTER TABLE

> select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass order by 1
tgname:name | tgenabled:char
c | D
c3 | D
ins | D
st | D
tr | D
x | D
SELECT 6

> alter table t enable trigger all
ALTER TABLE

> select distinct tgenabled from pg_trigger where tgrelid = 't'::regclass
tgenabled:char
O
SELECT 1

> alter table t rename to tt
ALTER TABLE

> alter table tt rename column b to bb
ALTER TABLE

> select pg_get_triggerdef(oid) from pg_trigger where tgname = 'ins'
pg_get_triggerdef:text
CREATE TRIGGER ins BEFORE INSERT OR UPDATE ON public.tt FOR EACH ROW WHEN ((new.bb = 'q'::text)) EXECUTE FUNCTION f()
SELECT 1

> create schema sc
CREATE SCHEMA

> alter table tt set schema sc
ALTER TABLE

> select pg_get_triggerdef(oid) from pg_trigger where tgname = 'ins'
pg_get_triggerdef:text
CREATE TRIGGER ins BEFORE INSERT OR UPDATE ON sc.tt FOR EACH ROW WHEN ((new.bb = 'q'::text)) EXECUTE FUNCTION f()
SELECT 1

> alter function f() rename to ff
ALTER FUNCTION

> select pg_get_triggerdef(oid), pg_get_triggerdef(oid, true) from pg_trigger where tgname = 'ins'
pg_get_triggerdef:text | pg_get_triggerdef:text
CREATE TRIGGER ins BEFORE INSERT OR UPDATE ON sc.tt FOR EACH ROW WHEN ((new.bb = 'q'::text)) EXECUTE FUNCTION ff() | CREATE TRIGGER ins BEFORE INSERT OR UPDATE ON sc.tt FOR EACH ROW WHEN (new.bb = 'q'::text) EXECUTE FUNCTION ff()
SELECT 1

> alter table sc.tt drop column bb
ERROR 2BP01: cannot drop column bb of table sc.tt because other objects depend on it
DETAIL: trigger x on table sc.tt depends on column bb of table sc.tt\ntrigger ins on table sc.tt depends on column bb of table sc.tt
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function ff()
ERROR 2BP01: cannot drop function ff() because other objects depend on it
DETAIL: trigger x on table sc.tt depends on function ff()\ntrigger c on table sc.tt depends on function ff()\ntrigger c3 on table sc.tt depends on function ff()\ntrigger ins on table sc.tt depends on function ff()\ntrigger st on table sc.tt depends on function ff()\ntrigger tr on table sc.tt depends on function ff()
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function ff() cascade
NOTICE 00000: drop cascades to 6 other objects
DETAIL: drop cascades to trigger x on table sc.tt\ndrop cascades to trigger c on table sc.tt\ndrop cascades to trigger c3 on table sc.tt\ndrop cascades to trigger ins on table sc.tt\ndrop cascades to trigger st on table sc.tt\ndrop cascades to trigger tr on table sc.tt
DROP FUNCTION

> select count(*) from pg_trigger
count:int8
0
SELECT 1

> select pg_get_triggerdef(1)
pg_get_triggerdef:text
NULL
SELECT 1

> drop table sc.tt cascade
NOTICE 00000: drop cascades to view v
DROP TABLE

# Privileges.
> create role trig_r
CREATE ROLE

> create table p (a int)
CREATE TABLE

> create function pf() returns trigger language plpgsql as $$ begin return new; end $$
CREATE FUNCTION

> grant all on schema public to trig_r
GRANT

> grant select, insert on p to trig_r
GRANT

> set role trig_r
SET

> create trigger x before insert on p for each row execute function pf()
ERROR 42501: permission denied for table p

> reset role
RESET

> grant trigger on p to trig_r
GRANT

> revoke execute on function pf() from public
REVOKE

> set role trig_r
SET

> create trigger x before insert on p for each row execute function pf()
ERROR 42501: permission denied for function pf

> reset role
RESET

> grant execute on function pf() to trig_r
GRANT

> set role trig_r
SET

> create trigger x before insert on p for each row execute function pf()
CREATE TRIGGER

> drop trigger x on p
ERROR 42501: must be owner of relation p

> alter table p disable trigger x
ERROR 42501: must be owner of table p

> alter trigger x on p rename to y
ERROR 42501: must be owner of table p

> reset role
RESET

> revoke execute on function pf() from trig_r
REVOKE

> set role trig_r
SET

> insert into p values (1)
INSERT 0 1

> reset role
RESET

> drop owned by trig_r
DROP OWNED

> drop role trig_r
DROP ROLE
