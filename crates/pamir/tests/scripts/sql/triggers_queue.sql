# AFTER triggers: constraint triggers put off, transition tables, foreign keys' actions, statements within statements.
> create table t (id int primary key, a int)
CREATE TABLE

> create table log (n int generated always as identity, what text)
CREATE TABLE

> create function note() returns trigger language plpgsql as $$
> begin
>   insert into log (what) values (tg_name || ' ' || tg_op || ' ' || coalesce(old::text, '-') || ' ' || coalesce(new::text, '-') || ' rows ' || (select count(*) from t));
>   return null;
> end $$
CREATE FUNCTION

> create constraint trigger c1 after insert or update or delete on t deferrable initially deferred for each row execute function note()
CREATE TRIGGER

> create constraint trigger c2 after insert on t deferrable initially immediate for each row when (new.a > 0) execute function note()
CREATE TRIGGER

> create constraint trigger c3 after insert on t not deferrable for each row execute function note()
CREATE TRIGGER

> begin
BEGIN

> insert into t values (1, 1), (2, 0)
INSERT 0 2

> select what from log order by n
what:text
c2 INSERT - (1,1) rows 2
c3 INSERT - (1,1) rows 2
c3 INSERT - (2,0) rows 2
SELECT 3

> update t set a = 5 where id = 1
UPDATE 1

> select what from log order by n
what:text
c2 INSERT - (1,1) rows 2
c3 INSERT - (1,1) rows 2
c3 INSERT - (2,0) rows 2
SELECT 3

> commit
COMMIT

> select what from log order by n
what:text
c2 INSERT - (1,1) rows 2
c3 INSERT - (1,1) rows 2
c3 INSERT - (2,0) rows 2
c1 INSERT - (1,1) rows 2
c1 INSERT - (2,0) rows 2
c1 UPDATE (1,1) (1,5) rows 2
SELECT 6

> truncate log
TRUNCATE TABLE

> begin
BEGIN

> set constraints c1 immediate
SET CONSTRAINTS

> insert into t values (3, 3)
INSERT 0 1

> select what from log order by n
what:text
c1 INSERT - (3,3) rows 3
c2 INSERT - (3,3) rows 3
c3 INSERT - (3,3) rows 3
SELECT 3

> set constraints all deferred
SET CONSTRAINTS

> insert into t values (4, 4)
INSERT 0 1

> select what from log order by n
what:text
c1 INSERT - (3,3) rows 3
c2 INSERT - (3,3) rows 3
c3 INSERT - (3,3) rows 3
c3 INSERT - (4,4) rows 4
SELECT 4

> savepoint s
SAVEPOINT

> set constraints c1, c2 immediate
SET CONSTRAINTS

> select what from log order by n
what:text
c1 INSERT - (3,3) rows 3
c2 INSERT - (3,3) rows 3
c3 INSERT - (3,3) rows 3
c3 INSERT - (4,4) rows 4
c1 INSERT - (4,4) rows 4
c2 INSERT - (4,4) rows 4
SELECT 6

> rollback to s
ROLLBACK

> select what from log order by n
what:text
c1 INSERT - (3,3) rows 3
c2 INSERT - (3,3) rows 3
c3 INSERT - (3,3) rows 3
c3 INSERT - (4,4) rows 4
SELECT 4

> set constraints c3 deferred
ERROR 42809: constraint "c3" is not deferrable

> rollback to s
ROLLBACK

> set constraints nope deferred
ERROR 42704: constraint "nope" does not exist

> rollback to s
ROLLBACK

> alter table t add column x int
ERROR 55006: cannot ALTER TABLE "t" because it has pending trigger events

> rollback to s
ROLLBACK

> commit
COMMIT

> select what from log order by n
what:text
c1 INSERT - (3,3) rows 3
c2 INSERT - (3,3) rows 3
c3 INSERT - (3,3) rows 3
c3 INSERT - (4,4) rows 4
c1 INSERT - (4,4) rows 4
c2 INSERT - (4,4) rows 4
SELECT 6

> truncate log
TRUNCATE TABLE

> begin
BEGIN

> delete from t where id = 4
DELETE 1

> savepoint s
SAVEPOINT

> delete from t where id = 3
DELETE 1

> rollback to s
ROLLBACK

> commit
COMMIT

> select what from log order by n
what:text
c1 DELETE (4,4) - rows 3
SELECT 1

# An error at COMMIT undoes it all.
> create function refuse() returns trigger language plpgsql as $$
> begin
>   if (select count(*) from t) > 4 then raise exception 'too many rows: %', (select count(*) from t); end if;
>   return null;
> end $$
CREATE FUNCTION

> create constraint trigger c4 after insert on t initially deferred for each row execute function refuse()
CREATE TRIGGER

> begin
BEGIN

> insert into t values (10, 1)
INSERT 0 1

> insert into t values (11, 1)
INSERT 0 1

> commit
ERROR P0001: too many rows: 5

> select count(*) from t
count:int8
3
SELECT 1

> insert into t values (10, 1), (11, 1)
ERROR P0001: too many rows: 5

> begin
BEGIN

> insert into t values (10, 1), (11, 1)
INSERT 0 2

> delete from t where id = 11
DELETE 1

> commit
COMMIT

> select * from t order by id
id:int4 | a:int4
1 | 5
2 | 0
3 | 3
10 | 1
SELECT 4

# A deferred trigger that asks for more of them.
> create function chain() returns trigger language plpgsql as $$
> begin
>   if new.id < 105 then insert into t values (new.id + 1, 0); end if;
>   return null;
> end $$
CREATE FUNCTION

> drop trigger c4 on t
DROP TRIGGER

> create constraint trigger c5 after insert on t initially deferred for each row when (new.id >= 100) execute function chain()
CREATE TRIGGER

> begin
BEGIN

> insert into t values (100, 0)
INSERT 0 1

> select count(*) from t where id >= 100
count:int8
1
SELECT 1

> commit
COMMIT

> select count(*) from t where id >= 100
count:int8
6
SELECT 1

> delete from t where id >= 100
DELETE 6

> drop trigger c5 on t
DROP TRIGGER

> drop trigger c1 on t
DROP TRIGGER

> drop trigger c2 on t
DROP TRIGGER

> drop trigger c3 on t
DROP TRIGGER

> truncate log
TRUNCATE TABLE

# Transition tables.
> create function trans() returns trigger language plpgsql as $$
> begin
>   if tg_op = 'INSERT' then
>     insert into log (what) select tg_name || ' new ' || n::text from newt n order by n.id;
>   elsif tg_op = 'DELETE' then
>     insert into log (what) select tg_name || ' old ' || o::text from oldt o order by o.id;
>   else
>     insert into log (what) select tg_name || ' ' || o.a || '->' || n.a from oldt o join newt n using (id) order by id;
>   end if;
>   insert into log (what) select 'level ' || tg_level || ' depth ' || pg_trigger_depth();
>   return null;
> end $$
CREATE FUNCTION

> create trigger ti after insert on t referencing new table as newt for each statement execute function trans()
CREATE TRIGGER

> create trigger tu after update on t referencing old table as oldt new table as newt for each statement execute function trans()
CREATE TRIGGER

> create trigger td after delete on t referencing old table oldt execute function trans()
CREATE TRIGGER

> insert into t select g, g from generate_series(50, 52) g
INSERT 0 3

> update t set a = a + 1 where id >= 50
UPDATE 3

> update t set a = 0 where id = 1000
UPDATE 0

> delete from t where id >= 51
DELETE 2

> insert into t values (50, 7), (60, 8) on conflict (id) do update set a = excluded.a
INSERT 0 2

> merge into t using (values (50, 1), (61, 1), (60, -1)) s(id, d) on t.id = s.id when matched and s.d < 0 then delete when matched then update set a = 99 when not matched then insert values (s.id, 61)
MERGE 3

> with d as (delete from t where id = 50 returning *), i as (insert into t select id + 20, a from d returning *) select * from i
id:int4 | a:int4
70 | 99
SELECT 1

> select what from log order by n
what:text
ti new (50,50)
ti new (51,51)
ti new (52,52)
level STATEMENT depth 1
tu 50->51
tu 51->52
tu 52->53
level STATEMENT depth 1
level STATEMENT depth 1
td old (51,52)
td old (52,53)
level STATEMENT depth 1
tu 51->7
level STATEMENT depth 1
ti new (60,8)
level STATEMENT depth 1
td old (60,8)
level STATEMENT depth 1
tu 7->99
level STATEMENT depth 1
ti new (61,61)
level STATEMENT depth 1
td old (50,99)
level STATEMENT depth 1
ti new (70,99)
level STATEMENT depth 1
SELECT 26

> select * from newt
ERROR 42P01: relation "newt" does not exist

> truncate log
TRUNCATE TABLE

> create trigger tr after update on t referencing old table as oldt new table as newt for each row execute function trans()
CREATE TRIGGER

> update t set a = a + 1 where id >= 61
UPDATE 2

> select what from log order by n
what:text
tr 61->62
tr 99->100
level ROW depth 1
tr 61->62
tr 99->100
level ROW depth 1
tu 61->62
tu 99->100
level STATEMENT depth 1
SELECT 9

> create function cols() returns trigger language plpgsql as $$
> declare r record;
> begin
>   for r in execute 'select id + 1 as x, t.* from newt t where id > 60 order by id' loop
>     raise notice '%', r;
>   end loop;
>   perform helper();
>   return null;
> end $$
CREATE FUNCTION

> create function helper() returns int language plpgsql as $$ begin return (select count(*) from newt); end $$
CREATE FUNCTION

> drop trigger tr on t
DROP TRIGGER

> drop trigger tu on t
DROP TRIGGER

> create trigger tc after update on t referencing new table as newt execute function cols()
CREATE TRIGGER

> update t set a = 1 where id > 60
NOTICE 00000: (62,61,1)
NOTICE 00000: (71,70,1)
ERROR 42P01: relation "newt" does not exist

> drop trigger tc on t
DROP TRIGGER

> drop trigger ti on t
DROP TRIGGER

> drop trigger td on t
DROP TRIGGER

# Foreign keys' actions fire triggers of the table that they change.
> truncate log
TRUNCATE TABLE

> create table p (id int primary key)
CREATE TABLE

> create table c (id int primary key, p int default 0 references p on delete cascade on update cascade, q int references p on delete set null)
CREATE TABLE

> create function say() returns trigger language plpgsql as $$
> begin
>   raise notice '% % % % % %', tg_name, tg_when, tg_level, tg_op, coalesce(old::text, '-'), coalesce(new::text, '-');
>   return coalesce(new, old);
> end $$
CREATE FUNCTION

> create trigger br before insert or update or delete on c for each row execute function say()
CREATE TRIGGER

> create trigger ar after insert or update or delete on c for each row execute function say()
CREATE TRIGGER

> create trigger bs before insert or update or delete on c for each statement execute function say()
CREATE TRIGGER

> create trigger "As" after insert or update or delete on c for each statement execute function say()
CREATE TRIGGER

> create trigger u after update of q on c for each row execute function say()
CREATE TRIGGER

> insert into p values (1), (2), (3)
INSERT 0 3

> insert into c values (1, 1, 2), (2, 1, 3), (3, 3, 3)
NOTICE 00000: bs BEFORE STATEMENT INSERT - -
NOTICE 00000: br BEFORE ROW INSERT - (1,1,2)
NOTICE 00000: br BEFORE ROW INSERT - (2,1,3)
NOTICE 00000: br BEFORE ROW INSERT - (3,3,3)
NOTICE 00000: ar AFTER ROW INSERT - (1,1,2)
NOTICE 00000: ar AFTER ROW INSERT - (2,1,3)
NOTICE 00000: ar AFTER ROW INSERT - (3,3,3)
NOTICE 00000: As AFTER STATEMENT INSERT - -
INSERT 0 3

> update p set id = 10 where id = 1
NOTICE 00000: bs BEFORE STATEMENT UPDATE - -
NOTICE 00000: br BEFORE ROW UPDATE (1,1,2) (1,10,2)
NOTICE 00000: br BEFORE ROW UPDATE (2,1,3) (2,10,3)
NOTICE 00000: ar AFTER ROW UPDATE (1,1,2) (1,10,2)
NOTICE 00000: ar AFTER ROW UPDATE (2,1,3) (2,10,3)
NOTICE 00000: As AFTER STATEMENT UPDATE - -
UPDATE 1

> delete from p where id = 2
NOTICE 00000: bs BEFORE STATEMENT DELETE - -
NOTICE 00000: bs BEFORE STATEMENT UPDATE - -
NOTICE 00000: br BEFORE ROW UPDATE (1,10,2) (1,10,)
NOTICE 00000: As AFTER STATEMENT DELETE - -
NOTICE 00000: ar AFTER ROW UPDATE (1,10,2) (1,10,)
NOTICE 00000: u AFTER ROW UPDATE (1,10,2) (1,10,)
NOTICE 00000: As AFTER STATEMENT UPDATE - -
DELETE 1

> delete from c where id = 2
NOTICE 00000: bs BEFORE STATEMENT DELETE - -
NOTICE 00000: br BEFORE ROW DELETE (2,10,3) -
NOTICE 00000: ar AFTER ROW DELETE (2,10,3) -
NOTICE 00000: As AFTER STATEMENT DELETE - -
DELETE 1

> delete from p where id = 10
NOTICE 00000: bs BEFORE STATEMENT DELETE - -
NOTICE 00000: br BEFORE ROW DELETE (1,10,) -
NOTICE 00000: bs BEFORE STATEMENT UPDATE - -
NOTICE 00000: ar AFTER ROW DELETE (1,10,) -
NOTICE 00000: As AFTER STATEMENT DELETE - -
NOTICE 00000: As AFTER STATEMENT UPDATE - -
DELETE 1

> delete from p
NOTICE 00000: bs BEFORE STATEMENT DELETE - -
NOTICE 00000: br BEFORE ROW DELETE (3,3,3) -
NOTICE 00000: bs BEFORE STATEMENT UPDATE - -
NOTICE 00000: ar AFTER ROW DELETE (3,3,3) -
NOTICE 00000: As AFTER STATEMENT DELETE - -
NOTICE 00000: As AFTER STATEMENT UPDATE - -
DELETE 1

> select * from c
id:int4 | p:int4 | q:int4
SELECT 0

# The check of a foreign key comes before the triggers behind it by name, and after those before it.
> create table c2 (id int, p int references p)
CREATE TABLE

> create function parent() returns trigger language plpgsql as $$ begin insert into p values (new.p) on conflict do nothing; return null; end $$
CREATE FUNCTION

> create trigger z_late after insert on c2 for each row execute function parent()
CREATE TRIGGER

> insert into c2 values (1, 77)
ERROR 23503: insert or update on table "c2" violates foreign key constraint "c2_p_fkey"
DETAIL: Key (p)=(77) is not present in table "p".

> drop trigger z_late on c2
DROP TRIGGER

> create trigger "A_early" after insert on c2 for each row execute function parent()
CREATE TRIGGER

> insert into c2 values (1, 77)
INSERT 0 1

> select * from p
id:int4
77
SELECT 1

# A trigger that keeps a row from a foreign key's action.
> create function never() returns trigger language plpgsql as $$ begin return null; end $$
CREATE FUNCTION

> create table c3 (p int references p on delete cascade)
CREATE TABLE

> create trigger never before delete on c3 for each row execute function never()
CREATE TRIGGER

> insert into c3 values (77)
INSERT 0 1

> delete from c2
DELETE 1

> delete from p
NOTICE 00000: bs BEFORE STATEMENT DELETE - -
NOTICE 00000: bs BEFORE STATEMENT UPDATE - -
NOTICE 00000: As AFTER STATEMENT DELETE - -
NOTICE 00000: As AFTER STATEMENT UPDATE - -
DELETE 1

> select * from c3, (select count(*) from p) x
p:int4 | count:int8
77 | 0
SELECT 1

# A foreign key's action is a trigger, too: how deep those of its rows are.
> create table dp (id int primary key)
CREATE TABLE

> create table dc (id int primary key, p int references dp on delete set null on update cascade)
CREATE TABLE

> create function deep() returns trigger language plpgsql as $$ begin raise notice '% % depth %', tg_when, tg_op, pg_trigger_depth(); return coalesce(new, old); end $$
CREATE FUNCTION

> create trigger d1 before update on dc for each row execute function deep()
CREATE TRIGGER

> create trigger d2 after update on dc for each row execute function deep()
CREATE TRIGGER

> create trigger d3 before update on dc for each row when (pg_trigger_depth() = 1) execute function deep()
CREATE TRIGGER

> insert into dp values (1), (2)
INSERT 0 2

> insert into dc values (1, 1), (2, 2)
INSERT 0 2

> update dc set p = 1 where id = 1
NOTICE 00000: BEFORE UPDATE depth 1
NOTICE 00000: AFTER UPDATE depth 1
UPDATE 1

> update dp set id = 3 where id = 2
NOTICE 00000: BEFORE UPDATE depth 2
NOTICE 00000: BEFORE UPDATE depth 2
NOTICE 00000: AFTER UPDATE depth 1
UPDATE 1

> delete from dp where id = 1
NOTICE 00000: BEFORE UPDATE depth 2
NOTICE 00000: BEFORE UPDATE depth 2
NOTICE 00000: AFTER UPDATE depth 1
DELETE 1
