# PMP: predicate-many-preceders at SERIALIZABLE (Hermitage).
# Strict two-phase locking makes a session wait where the Hermitage goes on with it, so its next step comes after the other session's end.
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T1 select * from test where value = 30
id:int4 | value:int4
SELECT 0

> @T2 insert into test (id, value) values (3, 30)
(waits)

> @T1 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T2 commit
COMMIT

