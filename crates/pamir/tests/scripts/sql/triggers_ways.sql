# Triggers from COPY, MERGE, WITH, temporary tables; what they change themselves; roles of replication; depth.
> create table t (id int primary key, a int, b text)
CREATE TABLE

> create function say() returns trigger language plpgsql as $$
> begin
>   raise notice '% % % % % %', tg_name, tg_when, tg_level, tg_op, coalesce(old::text, '-'), coalesce(new::text, '-');
>   return coalesce(new, old);
> end $$
CREATE FUNCTION

> create function bump() returns trigger language plpgsql as $$ begin new.b := coalesce(new.b, '') || '+'; if new.a < 0 then return null; end if; return new; end $$
CREATE FUNCTION

> create trigger b before insert or update on t for each row execute function bump()
CREATE TRIGGER

> create trigger s1 before insert or update or delete on t execute function say()
CREATE TRIGGER

> create trigger s2 after insert or update or delete on t execute function say()
CREATE TRIGGER

> create trigger r after insert or update or delete on t for each row execute function say()
CREATE TRIGGER

> create table counts (x int, y int)
CREATE TABLE

> copy t from stdin
< 1	1	x
< 2	-1	y
< 3	3	\N
NOTICE 00000: s1 BEFORE STATEMENT INSERT - -
NOTICE 00000: r AFTER ROW INSERT - (1,1,x+)
NOTICE 00000: r AFTER ROW INSERT - (3,3,+)
NOTICE 00000: s2 AFTER STATEMENT INSERT - -
COPY 2

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 1 | x+
3 | 3 | +
SELECT 2

> copy t (id, a) from stdin
< 4	1
< 1	1
NOTICE 00000: s1 BEFORE STATEMENT INSERT - -
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> merge into t using (values (1, 5), (3, -5), (9, 9)) s(id, a) on t.id = s.id when matched then update set a = s.a when not matched then insert values (s.id, s.a, 'm')
NOTICE 00000: s1 BEFORE STATEMENT INSERT - -
NOTICE 00000: s1 BEFORE STATEMENT UPDATE - -
NOTICE 00000: r AFTER ROW UPDATE (1,1,x+) (1,5,x++)
NOTICE 00000: r AFTER ROW INSERT - (9,9,m+)
NOTICE 00000: s2 AFTER STATEMENT UPDATE - -
NOTICE 00000: s2 AFTER STATEMENT INSERT - -
MERGE 2

> merge into t using (values (1), (9)) s(id) on t.id = s.id when matched and t.id = 9 then delete when matched then do nothing
NOTICE 00000: s1 BEFORE STATEMENT DELETE - -
NOTICE 00000: r AFTER ROW DELETE (9,9,m+) -
NOTICE 00000: s2 AFTER STATEMENT DELETE - -
MERGE 1

> with x as (insert into t values (20, 1), (21, -1) returning *), y as (update t set a = a + 1 where id = 1 returning *) insert into counts select (select count(*) from x), (select count(*) from y)
NOTICE 00000: s1 BEFORE STATEMENT INSERT - -
NOTICE 00000: s1 BEFORE STATEMENT UPDATE - -
NOTICE 00000: r AFTER ROW INSERT - (20,1,+)
NOTICE 00000: s2 AFTER STATEMENT INSERT - -
NOTICE 00000: r AFTER ROW UPDATE (1,5,x++) (1,6,x+++)
NOTICE 00000: s2 AFTER STATEMENT UPDATE - -
INSERT 0 1

> select * from counts
x:int4 | y:int4
1 | 1
SELECT 1

> insert into t select 20 + g, g from generate_series(10, 11) g
NOTICE 00000: s1 BEFORE STATEMENT INSERT - -
NOTICE 00000: r AFTER ROW INSERT - (30,10,+)
NOTICE 00000: r AFTER ROW INSERT - (31,11,+)
NOTICE 00000: s2 AFTER STATEMENT INSERT - -
INSERT 0 2

> create table t2 as select * from t with no data
CREATE TABLE AS

> select count(*) from t2
count:int8
0
SELECT 1

> drop trigger r on t
DROP TRIGGER

> drop trigger s1 on t
DROP TRIGGER

> drop trigger s2 on t
DROP TRIGGER

# A row that its own trigger changes.
> create function self() returns trigger language plpgsql as $$
> begin
>   if pg_trigger_depth() > 1 then return coalesce(new, old); end if;
>   if tg_argv[0] = 'update' then update t set a = 1000 where id = old.id; end if;
>   if tg_argv[0] = 'delete' then delete from t where id = old.id; end if;
>   if tg_argv[0] = 'other' then update t set a = a + 1000 where id <> old.id; end if;
>   if tg_argv[0] = 'otherdel' then delete from t where id <> old.id; end if;
>   return coalesce(new, old);
> end $$
CREATE FUNCTION

> create trigger self before update on t for each row execute function self('update')
CREATE TRIGGER

> update t set b = 'x' where id = 1
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> drop trigger self on t
DROP TRIGGER

> create trigger self before update or delete on t for each row execute function self('delete')
CREATE TRIGGER

> update t set b = 'x' where id = 1
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> delete from t where id = 1
ERROR 27000: tuple to be deleted was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> drop trigger self on t
DROP TRIGGER

> create trigger self before update or delete on t for each row execute function self('other')
CREATE TRIGGER

> update t set b = 'x'
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> delete from t where id < 5
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> update t set b = 'x' where id = 1
UPDATE 1

> drop trigger self on t
DROP TRIGGER

> create trigger self before update or delete on t for each row execute function self('otherdel')
CREATE TRIGGER

> delete from t
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> update t set a = 0
ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

> drop trigger self on t
DROP TRIGGER

> create trigger self after update on t for each row execute function self('other')
CREATE TRIGGER

> update t set a = 1 where id = 1
UPDATE 1

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 1 | x++
3 | 2003 | +++
20 | 2001 | +++
30 | 2010 | +++
31 | 2011 | +++
SELECT 5

> drop trigger self on t
DROP TRIGGER

# A key that a trigger changes.
> create function rekey() returns trigger language plpgsql as $$ begin new.id := new.id + 100; return new; end $$
CREATE FUNCTION

> create trigger rekey before update on t for each row execute function rekey()
CREATE TRIGGER

> update t set a = 7 where id < 4
UPDATE 2

> select id, a from t order by id
id:int4 | a:int4
20 | 2001
30 | 2010
31 | 2011
101 | 7
103 | 7
SELECT 5

> update t set a = 8 where id = 101 returning id
id:int4
201
UPDATE 1

> update t set id = 3 where id = 20
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(103) already exists.

> drop trigger rekey on t
DROP TRIGGER

# Triggers that fire each other have an end.
> create function rec() returns trigger language plpgsql as $$ begin insert into t values (new.id + 1, 0); return new; end $$
CREATE FUNCTION

> create trigger rec after insert on t for each row when (pg_trigger_depth() < 3) execute function rec()
CREATE TRIGGER

> insert into t values (1000, 0)
INSERT 0 1

> select count(*) from t where id >= 1000
count:int8
4
SELECT 1

> drop trigger rec on t
DROP TRIGGER

> delete from t where id >= 1000
DELETE 4

# NOT NULL, CHECK, unique and generated columns see what the trigger made.
> create table k (id int primary key, n int not null, p int check (p > 0), g int generated always as (n * 2) stored, u int unique)
CREATE TABLE

> create function fill() returns trigger language plpgsql as $$ begin raise notice 'g is %', new.g; new.n := coalesce(new.n, 5); new.p := -new.p; new.g := 77; return new; end $$
CREATE FUNCTION

> create trigger fill before insert or update on k for each row execute function fill()
CREATE TRIGGER

> insert into k (id, p) values (1, -3)
NOTICE 00000: g is <NULL>
INSERT 0 1

> select * from k
id:int4 | n:int4 | p:int4 | g:int4 | u:int4
1 | 5 | 3 | 10 | NULL
SELECT 1

> insert into k (id, p) values (2, 3)
NOTICE 00000: g is <NULL>
ERROR 23514: new row for relation "k" violates check constraint "k_p_check"
DETAIL: Failing row contains (2, 5, -3, 10, null).

> update k set p = -9, n = 6
NOTICE 00000: g is <NULL>
UPDATE 1

> select * from k
id:int4 | n:int4 | p:int4 | g:int4 | u:int4
1 | 6 | 9 | 12 | NULL
SELECT 1

> update k set p = 9
NOTICE 00000: g is <NULL>
ERROR 23514: new row for relation "k" violates check constraint "k_p_check"
DETAIL: Failing row contains (1, 6, -9, 12, null).

> select * from k
id:int4 | n:int4 | p:int4 | g:int4 | u:int4
1 | 6 | 9 | 12 | NULL
SELECT 1

# session_replication_role.
> create table rr (a int)
CREATE TABLE

> create trigger o before insert on rr for each row execute function say()
CREATE TRIGGER

> create trigger rep before insert on rr for each row execute function say()
CREATE TRIGGER

> create trigger alw before insert on rr for each row execute function say()
CREATE TRIGGER

> create trigger dis before insert on rr for each row execute function say()
CREATE TRIGGER

> alter table rr enable replica trigger rep
ALTER TABLE

> alter table rr enable always trigger alw
ALTER TABLE

> alter table rr disable trigger dis
ALTER TABLE

> insert into rr values (1)
NOTICE 00000: alw BEFORE ROW INSERT - (1)
NOTICE 00000: o BEFORE ROW INSERT - (1)
INSERT 0 1

> set session_replication_role = replica
SET

> insert into rr values (2)
NOTICE 00000: alw BEFORE ROW INSERT - (2)
NOTICE 00000: rep BEFORE ROW INSERT - (2)
INSERT 0 1

> set session_replication_role = local
SET

> insert into rr values (3)
NOTICE 00000: alw BEFORE ROW INSERT - (3)
NOTICE 00000: o BEFORE ROW INSERT - (3)
INSERT 0 1

> reset session_replication_role
RESET

> create table pp (id int primary key)
CREATE TABLE

> create table cc (p int references pp on delete cascade)
CREATE TABLE

> set session_replication_role = replica
SET

> insert into cc values (5)
INSERT 0 1

> reset session_replication_role
RESET

> insert into cc values (6)
ERROR 23503: insert or update on table "cc" violates foreign key constraint "cc_p_fkey"
DETAIL: Key (p)=(6) is not present in table "pp".

> alter table cc disable trigger all
ALTER TABLE

> insert into cc values (6)
INSERT 0 1

> select tgname ~ '^RI_ConstraintTrigger_c_[0-9]+$' as c, tgenabled, tgisinternal, tgtype from pg_trigger where tgrelid = 'cc'::regclass order by tgtype
c:bool | tgenabled:char | tgisinternal:bool | tgtype:int2
t | D | t | 5
t | D | t | 17
SELECT 2

> alter table cc enable trigger all
ALTER TABLE

> insert into cc values (6)
ERROR 23503: insert or update on table "cc" violates foreign key constraint "cc_p_fkey"
DETAIL: Key (p)=(6) is not present in table "pp".

> alter table pp disable trigger all
ALTER TABLE

> insert into pp values (8)
INSERT 0 1

> insert into cc values (8)
INSERT 0 1

> delete from pp
DELETE 1

> alter table pp enable trigger all
ALTER TABLE

> select * from cc order by 1
p:int4
5
6
8
SELECT 3

# suppress_redundant_updates_trigger
> create table red (id int primary key, a int, b numeric)
CREATE TABLE

> insert into red values (1, 1, 1.0), (2, 2, 2.0)
INSERT 0 2

> create trigger z_red before update on red for each row execute function suppress_redundant_updates_trigger()
CREATE TRIGGER

> update red set a = 1
UPDATE 1

> update red set b = 1.00 where id = 1
UPDATE 1

> create trigger wrong before insert on red for each row execute function suppress_redundant_updates_trigger()
CREATE TRIGGER

> insert into red values (3, 3, 3)
ERROR 39P01: suppress_redundant_updates_trigger: must be called on update

> drop trigger wrong on red
DROP TRIGGER

> create trigger wrong after update on red for each row execute function suppress_redundant_updates_trigger()
CREATE TRIGGER

> update red set a = 10 where id = 1
ERROR 39P01: suppress_redundant_updates_trigger: must be called before update

> drop trigger wrong on red
DROP TRIGGER

> create trigger wrong before update on red execute function suppress_redundant_updates_trigger()
CREATE TRIGGER

> update red set a = 10 where id = 1
ERROR 39P01: suppress_redundant_updates_trigger: must be called for each row

> drop trigger wrong on red
DROP TRIGGER

> select pg_get_triggerdef(oid) from pg_trigger where tgname = 'z_red'
pg_get_triggerdef:text
CREATE TRIGGER z_red BEFORE UPDATE ON public.red FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()
SELECT 1

# Temporary tables.
> create temporary table tt (a int)
CREATE TABLE

> create trigger tb before insert on tt for each row execute function say()
CREATE TRIGGER

> create trigger ta after insert on tt referencing new table as n for each statement execute function say()
CREATE TRIGGER

> insert into tt values (1), (2)
NOTICE 00000: tb BEFORE ROW INSERT - (1)
NOTICE 00000: tb BEFORE ROW INSERT - (2)
NOTICE 00000: ta AFTER STATEMENT INSERT - -
INSERT 0 2

> alter trigger tb on tt rename to tb2
ALTER TRIGGER

> select tgname, tgrelid::regclass from pg_trigger where tgrelid = 'tt'::regclass order by 1
tgname:name | tgrelid:regclass
ta | tt
tb2 | tt
SELECT 2

> drop trigger ta on tt
DROP TRIGGER

> insert into tt values (3)
NOTICE 00000: tb2 BEFORE ROW INSERT - (3)
INSERT 0 1

> drop function say() cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to trigger o on table rr\ndrop cascades to trigger rep on table rr\ndrop cascades to trigger alw on table rr\ndrop cascades to trigger dis on table rr\ndrop cascades to trigger tb2 on table tt
DROP FUNCTION

> insert into tt values (4)
INSERT 0 1

> drop table tt
DROP TABLE

# What a trigger does to its own table while it fires.
> create table busy (a int)
CREATE TABLE

> create function ddl() returns trigger language plpgsql as $$ begin execute tg_argv[0]; return new; end $$
CREATE FUNCTION

> create trigger ddl before insert on busy for each row execute function ddl('alter table busy add column x int')
CREATE TRIGGER

> insert into busy values (1)
ERROR 55006: cannot ALTER TABLE "busy" because it is being used by active queries in this session

> drop trigger ddl on busy
DROP TRIGGER

> create trigger ddl before insert on busy for each row execute function ddl('drop table busy')
CREATE TRIGGER

> insert into busy values (1)
ERROR 55006: cannot DROP TABLE "busy" because it is being used by active queries in this session

> drop trigger ddl on busy
DROP TRIGGER

> create trigger ddl after insert on busy for each row execute function ddl('truncate busy')
CREATE TRIGGER

> insert into busy values (1)
ERROR 55006: cannot TRUNCATE "busy" because it is being used by active queries in this session

> drop trigger ddl on busy
DROP TRIGGER

> select * from busy
a:int4
SELECT 0

# Plans are made anew.
> create function inc() returns trigger language plpgsql as $$ begin new.a := new.a + 1; return new; end $$
CREATE FUNCTION

> prepare ins as insert into busy values ($1) returning a
PREPARE

> execute ins(1)
a:int4
1
INSERT 0 1

> execute ins(2)
a:int4
2
INSERT 0 1

> create trigger inc before insert on busy for each row execute function inc()
CREATE TRIGGER

> execute ins(3)
a:int4
4
INSERT 0 1

> alter table busy disable trigger inc
ALTER TABLE

> execute ins(4)
a:int4
4
INSERT 0 1

> alter table busy enable trigger inc
ALTER TABLE

> create or replace function inc() returns trigger language plpgsql as $$ begin new.a := new.a * 100; return new; end $$
CREATE FUNCTION

> execute ins(5)
a:int4
500
INSERT 0 1

> drop trigger inc on busy
DROP TRIGGER

> execute ins(6)
a:int4
6
INSERT 0 1

# SECURITY DEFINER and SET.
> create role trig_low
CREATE ROLE

> create table secret (a int)
CREATE TABLE

> create function sec() returns trigger language plpgsql security definer set search_path = public as $$ begin insert into secret values (new.a); return new; end $$
CREATE FUNCTION

> create trigger sec after insert on busy for each row execute function sec()
CREATE TRIGGER

> grant insert on busy to trig_low
GRANT

> set role trig_low
SET

> insert into busy values (50)
INSERT 0 1

> reset role
RESET

> select * from secret
a:int4
50
SELECT 1

> drop trigger sec on busy
DROP TRIGGER

> revoke all on busy from trig_low
REVOKE

> drop role trig_low
DROP ROLE
