# G-single with a write predicate at SERIALIZABLE (Hermitage).
# Strict two-phase locking makes a session wait where the Hermitage goes on with it, so its next step comes after the other session's end.
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T1 select * from test where id = 1
id:int4 | value:int4
1 | 10
SELECT 1

> @T2 select * from test order by id
id:int4 | value:int4
1 | 10
2 | 20
SELECT 2

> @T2 update test set value = 12 where id = 1
(waits)

> @T1 delete from test where value = 20
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ShareLock on transaction N; blocked by process N.\nProcess N waits for ShareLock on transaction N; blocked by process N.
HINT: See server log for query details.
T2 resumes:
UPDATE 1

> @T1 rollback
ROLLBACK

> @T2 update test set value = 18 where id = 2
UPDATE 1

> @T2 commit
COMMIT

> @T1 select * from test order by id
id:int4 | value:int4
1 | 12
2 | 18
SELECT 2

