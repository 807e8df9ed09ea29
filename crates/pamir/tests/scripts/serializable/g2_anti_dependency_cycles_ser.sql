# G2: anti-dependency cycles at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T3 begin isolation level serializable
BEGIN

> @T1 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T2 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T1 insert into test (id, value) values (3, 30)
(waits)

> @T2 insert into test (id, value) values (4, 42)
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ShareLock on transaction N; blocked by process N.\nProcess N waits for ShareLock on transaction N; blocked by process N.
HINT: See server log for query details.
T1 resumes:
INSERT 0 1

> @T1 commit
COMMIT

> @T2 commit
ROLLBACK

> @T3 select * from test where value % 3 = 0 order by id
id:int4 | value:int4
3 | 30
SELECT 1

> @T3 commit
COMMIT

