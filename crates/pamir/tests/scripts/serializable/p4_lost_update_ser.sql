# P4: lost update at SERIALIZABLE (Hermitage).
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

> @T2 select * from test where id = 1
id:int4 | value:int4
1 | 10
SELECT 1

> @T1 update test set value = 11 where id = 1
(waits)

> @T2 update test set value = 11 where id = 1
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ShareLock on transaction N; blocked by process N.\nProcess N waits for ShareLock on transaction N; blocked by process N.
HINT: See server log for query details.
T1 resumes:
UPDATE 1

> @T1 commit
COMMIT

> @T2 rollback
ROLLBACK

