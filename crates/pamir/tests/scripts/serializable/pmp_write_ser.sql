# PMP with write predicates at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T1 update test set value = value + 10
UPDATE 2

> @T2 delete from test where value = 20
(waits)

> @T1 commit
COMMIT
T2 resumes:
DELETE 1

> @T2 select * from test order by id
id:int4 | value:int4
2 | 30
SELECT 1

> @T2 rollback
ROLLBACK

