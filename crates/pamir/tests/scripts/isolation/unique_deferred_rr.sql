# At REPEATABLE READ a deferrable key's check looks at the newest state, not at the snapshot.
> create table t (id int primary key, u int constraint t_u unique deferrable, d int constraint t_d unique deferrable initially deferred)
CREATE TABLE

> insert into t values (1, 1, 1), (2, 2, 2)
INSERT 0 2

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from t
count:int8
2
SELECT 1

> insert into t values (3, 3, 3)
INSERT 0 1

> @T1 insert into t values (4, 3, 4)
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(3) already exists.

> @T1 rollback
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from t
count:int8
3
SELECT 1

> insert into t values (5, 5, 5)
INSERT 0 1

> @T1 insert into t values (6, 6, 5)
INSERT 0 1

> @T1 select id from t where d = 5
id:int4
6
SELECT 1

> @T1 commit
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(5) already exists.

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from t
count:int8
4
SELECT 1

> delete from t where id = 5
DELETE 1

> @T1 insert into t values (7, 5, 5)
INSERT 0 1

> @T1 commit
COMMIT

> select * from t order by id
id:int4 | u:int4 | d:int4
1 | 1 | 1
2 | 2 | 2
3 | 3 | 3
7 | 5 | 5
SELECT 4

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 insert into t values (10, 10, 10)
INSERT 0 1

> @T2 insert into t values (11, 11, 10)
INSERT 0 1

> @T1 commit
COMMIT

> @T2 commit
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(10) already exists.

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 insert into t values (12, 12, 12)
INSERT 0 1

> @T2 insert into t values (13, 12, 13)
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(12) already exists.

> @T2 rollback
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 delete from t where id = 2
DELETE 1

> @T2 insert into t values (14, 2, 14)
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T2 commit
COMMIT

> select * from t order by id
id:int4 | u:int4 | d:int4
1 | 1 | 1
3 | 3 | 3
7 | 5 | 5
10 | 10 | 10
12 | 12 | 12
14 | 2 | 14
SELECT 6

