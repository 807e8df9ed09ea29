# G-single with predicate dependencies at SERIALIZABLE (Hermitage).
# Strict two-phase locking makes a session wait where the Hermitage goes on with it, so its next step comes after the other session's end.
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T1 select * from test where value % 5 = 0 order by id
id:int4 | value:int4
1 | 10
2 | 20
SELECT 2

> @T2 update test set value = 12 where value = 10
(waits)

> @T1 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T1 commit
COMMIT
T2 resumes:
UPDATE 1

> @T2 commit
COMMIT

> @T1 select * from test order by id
id:int4 | value:int4
1 | 12
2 | 20
SELECT 2

