# INSTEAD OF triggers of views, and their statement triggers.
> create table t (id int primary key, a int, b text default 'd')
CREATE TABLE

> insert into t values (1, 10, 'x'), (2, 20, 'y')
INSERT 0 2

> create view v as select id, a * 2 as twice, b || '!' as bb from t where id < 100
CREATE VIEW

> create function via() returns trigger language plpgsql as $$
> begin
>   raise notice '% % % % %', tg_name, tg_when, tg_op, coalesce(old::text, '-'), coalesce(new::text, '-');
>   if tg_op = 'INSERT' then
>     if new.id < 0 then return null; end if;
>     insert into t values (new.id, new.twice / 2, new.bb);
>     new.bb := 'made';
>     return new;
>   elsif tg_op = 'UPDATE' then
>     update t set a = new.twice / 2 where id = old.id;
>     return new;
>   end if;
>   delete from t where id = old.id;
>   if not found then return null; end if;
>   return old;
> end $$
CREATE FUNCTION

> create function st() returns trigger language plpgsql as $$ begin raise notice '% % %', tg_when, tg_level, tg_op; return null; end $$
CREATE FUNCTION

> create trigger i instead of insert or update or delete on v for each row execute function via()
CREATE TRIGGER

> create trigger s1 before insert or update or delete on v execute function st()
CREATE TRIGGER

> create trigger s2 after insert or update or delete on v execute function st()
CREATE TRIGGER

> insert into v values (3, 6, 'three')
NOTICE 00000: BEFORE STATEMENT INSERT
NOTICE 00000: i INSTEAD OF INSERT - (3,6,three)
NOTICE 00000: AFTER STATEMENT INSERT
INSERT 0 1

> insert into v (id) values (4), (-5)
NOTICE 00000: BEFORE STATEMENT INSERT
NOTICE 00000: i INSTEAD OF INSERT - (4,,)
NOTICE 00000: i INSTEAD OF INSERT - (-5,,)
NOTICE 00000: AFTER STATEMENT INSERT
INSERT 0 1

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 10 | x
2 | 20 | y
3 | 3 | three
4 | NULL | NULL
SELECT 4

> create table got (id int, twice int, bb text)
CREATE TABLE

> with x as (insert into v values (5, 10, 'q') returning *) insert into got select * from x
NOTICE 00000: BEFORE STATEMENT INSERT
NOTICE 00000: i INSTEAD OF INSERT - (5,10,q)
NOTICE 00000: AFTER STATEMENT INSERT
INSERT 0 1

> update v set twice = twice + 2 where bb like 'x%'
NOTICE 00000: BEFORE STATEMENT UPDATE
NOTICE 00000: i INSTEAD OF UPDATE (1,20,x!) (1,22,x!)
NOTICE 00000: AFTER STATEMENT UPDATE
UPDATE 1

> with x as (update v set twice = 100 where id = 3 returning id, twice, bb) insert into got select * from x
NOTICE 00000: BEFORE STATEMENT UPDATE
NOTICE 00000: i INSTEAD OF UPDATE (3,6,three!) (3,100,three!)
NOTICE 00000: AFTER STATEMENT UPDATE
INSERT 0 1

> update v set twice = s.x from (values (1, 50), (2, 60)) s(i, x) where v.id = s.i
NOTICE 00000: BEFORE STATEMENT UPDATE
NOTICE 00000: i INSTEAD OF UPDATE (1,22,x!) (1,50,x!)
NOTICE 00000: i INSTEAD OF UPDATE (2,40,y!) (2,60,y!)
NOTICE 00000: AFTER STATEMENT UPDATE
UPDATE 2

> delete from v where id > 3
NOTICE 00000: BEFORE STATEMENT DELETE
NOTICE 00000: i INSTEAD OF DELETE (4,,) -
NOTICE 00000: i INSTEAD OF DELETE (5,10,q!) -
NOTICE 00000: AFTER STATEMENT DELETE
DELETE 2

> with x as (delete from v where id = 3 returning *) insert into got select * from x
NOTICE 00000: BEFORE STATEMENT DELETE
NOTICE 00000: i INSTEAD OF DELETE (3,100,three!) -
NOTICE 00000: AFTER STATEMENT DELETE
INSERT 0 1

> delete from v using t where t.id = v.id and t.id = 2
NOTICE 00000: BEFORE STATEMENT DELETE
NOTICE 00000: i INSTEAD OF DELETE (2,60,y!) -
NOTICE 00000: AFTER STATEMENT DELETE
DELETE 1

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 25 | x
SELECT 1

> select * from got
id:int4 | twice:int4 | bb:text
5 | 10 | made
3 | 100 | three!
3 | 100 | three!
SELECT 3

> update v set nope = 1
ERROR 42703: column "nope" of relation "v" does not exist

> insert into v (id, nope) values (1, 2)
ERROR 42703: column "nope" of relation "v" does not exist

> merge into v using (values (1)) s(x) on v.id = s.x when matched then delete
ERROR 0A000: cannot execute MERGE on relation "v"
DETAIL: This operation is not supported for views.

> select pg_get_triggerdef(oid) from pg_trigger order by tgname
pg_get_triggerdef:text
CREATE TRIGGER i INSTEAD OF INSERT OR DELETE OR UPDATE ON public.v FOR EACH ROW EXECUTE FUNCTION via()
CREATE TRIGGER s1 BEFORE INSERT OR DELETE OR UPDATE ON public.v FOR EACH STATEMENT EXECUTE FUNCTION st()
CREATE TRIGGER s2 AFTER INSERT OR DELETE OR UPDATE ON public.v FOR EACH STATEMENT EXECUTE FUNCTION st()
SELECT 3

> select is_trigger_updatable, is_trigger_deletable, is_trigger_insertable_into from information_schema.views where table_name = 'v'
is_trigger_updatable:varchar | is_trigger_deletable:varchar | is_trigger_insertable_into:varchar
YES | YES | YES
SELECT 1

> create view w as select count(*) as n from t
CREATE VIEW

> create trigger wi instead of delete on w for each row execute function st()
CREATE TRIGGER

> delete from w
NOTICE 00000: INSTEAD OF ROW DELETE
DELETE 0

> alter view v rename column twice to double
ALTER VIEW

> drop view v
DROP VIEW

> drop view w cascade
DROP VIEW

> select count(*) from pg_trigger
count:int8
0
SELECT 1
