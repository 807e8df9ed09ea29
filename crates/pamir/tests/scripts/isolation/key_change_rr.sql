# A row whose primary key another transaction changed, at REPEATABLE READ: 40001.
> @T1 create table t (k int primary key, v int)
CREATE TABLE

> @T1 insert into t values (1, 10), (2, 20), (3, 30)
INSERT 0 3

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
3
SELECT 1

> @T1 update t set k = 101 where k = 1
UPDATE 1

> @T2 update t set v = 0 where k = 1
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
3
SELECT 1

> @T1 update t set k = 102 where k = 2
UPDATE 1

> @T2 update t set v = 0 where v = 20
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
3
SELECT 1

> @T1 update t set k = 103 where k = 3
UPDATE 1

> @T2 delete from t where v = 30
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
3
SELECT 1

> @T1 begin
BEGIN

> @T1 update t set k = 104 where k = 103
UPDATE 1

> @T2 select * from t where v = 30 for update
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
3
SELECT 1

> @T1 delete from t where k = 104
DELETE 1

> @T2 select * from t where v = 30 for update
k:int4 | v:int4
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T1 drop table t
DROP TABLE
