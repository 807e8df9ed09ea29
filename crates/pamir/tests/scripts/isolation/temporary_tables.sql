# Temporary tables of two sessions: neither sees the other's, both see what is shared.

> @T1 create temp table t (a int primary key, b text)
> @T1 insert into t values (1, 'one')
> @T2 select * from t
> @T2 create temp table t (x int)
> @T2 insert into t values (5)
> @T2 select * from t
> @T1 select * from t
> @T2 create table perm (a int)
> @T2 insert into perm values (1), (2)
> @T1 select count(*) from perm
> @T1 select * from t join perm using (a)
> @T1 begin
> @T1 insert into t values (2, 'two')
> @T2 alter table perm add column b int default 7
> @T1 select * from t join perm using (a) order by a
> @T1 rollback
> @T1 select * from t
> @T1 begin
> @T1 create temp table u (a int)
> @T1 insert into u values (1)
> @T2 create table perm2 (a int)
> @T2 insert into perm2 values (1)
> @T2 drop table t
> @T1 select * from u join perm2 using (a)
> @T1 create table perm3 as select * from u
> @T1 create temp table v as select * from perm3
> @T1 commit
> @T1 select * from v
> @T1 select * from perm3
> @T2 select * from perm3
> @T2 select * from u
> @T1 begin
> @T1 drop table u
> @T1 drop table perm3
> @T2 select * from perm3
> @T1 rollback
> @T1 select * from u
> @T2 select * from perm3
> @T1 begin isolation level repeatable read
> @T1 select * from t
> @T1 insert into t values (3, 'three')
> @T2 insert into perm2 values (2)
> @T1 select * from perm2
> @T1 select * from t order by a
> @T1 update t set a = a + 10
> @T1 select * from t order by a
> @T1 commit
> @T1 select * from t order by a
> @T1 select count(*) from perm2
> @T1 begin isolation level serializable
> @T1 select * from t order by a
> @T1 delete from t where a = 11
> @T1 insert into perm2 select a from t
> @T1 commit
> @T2 select * from perm2 order by a
> @T1 prepare p as select * from perm2 order by a
> @T1 execute p
> @T1 create temp table perm2 (z text)
> @T1 drop table perm2
> @T1 execute p
> @T1 deallocate p
> @T1 lock table t
> @T1 begin
> @T1 lock table t in exclusive mode
> @T1 select * from t order by a
> @T1 commit
> @T1 begin
> @T1 select * from t for update
> @T1 update t set b = 'x' returning *
> @T1 rollback
> @T1 select * from t
> @T1 discard temp
> @T1 select * from t
> @T2 create temp table t (y int)
> @T2 drop table perm, perm2, perm3
> @T1 select * from t
