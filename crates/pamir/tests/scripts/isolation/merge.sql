# MERGE beside other transactions.

> @T1 create table t (id int primary key, v int)
> @T1 insert into t values (1, 10), (2, 20), (3, 30)
> @T1 create table s (id int, v int)
> @T1 insert into s values (1, 100), (2, 200), (4, 400)
# A row changed meanwhile: asked again.
> @T1 begin
> @T1 update t set v = 11 where id = 1
> @T2 merge into t using s on t.id = s.id when matched and t.v = 11 then update set v = -11 when matched then update set v = t.v + s.v when not matched then insert values (s.id, s.v)
> @T1 commit
> @T1 select * from t order by id
# ... and ON does not hold any more.
> @T1 begin
> @T1 update t set v = 777 where id = 2
> @T2 merge into t using s on t.id = s.id and t.v < 500 when matched then update set v = 0 when not matched and s.id = 2 then insert values (22, 22) when not matched then do nothing
> @T1 commit
> @T1 select * from t order by id
# Deleted meanwhile.
> @T1 begin
> @T1 delete from t where id = 1
> @T2 merge into t using s on t.id = s.id and s.id = 1 when matched then update set v = 1 when not matched and s.id = 1 then insert values (1, 1111)
> @T1 commit
> @T1 select * from t order by id
# Rolled back.
> @T1 begin
> @T1 delete from t where id = 1
> @T2 merge into t using s on t.id = s.id and s.id = 1 when matched then update set v = 1 when not matched and s.id = 1 then insert values (1, 2222)
> @T1 rollback
> @T1 select * from t order by id
# Repeatable read.
> @T2 begin isolation level repeatable read
> @T2 select count(*) from t
> @T1 update t set v = 5 where id = 2
> @T2 merge into t using s on t.id = s.id when matched then update set v = 9
> @T2 rollback
# Another inserts the same key.
> @T1 begin
> @T1 insert into t values (40, 1)
> @T2 merge into t using (values (40)) w (i) on id = i when not matched then insert values (i, 2)
> @T1 commit
# DO NOTHING waits for nobody.
> @T1 begin
> @T1 update t set v = 6 where id = 2
> @T2 merge into t using s on t.id = s.id when matched and t.id = 2 then do nothing when matched and t.id = 1 then update set v = 3 when not matched then do nothing
> @T1 rollback
> @T1 select * from t order by id
