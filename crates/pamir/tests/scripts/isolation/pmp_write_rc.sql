# PMP with write predicates at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level read committed
BEGIN

> @T2 begin isolation level read committed
BEGIN

> @T1 update test set value = value + 10
UPDATE 2

> @T2 delete from test where value = 20
(waits)

> @T1 commit
COMMIT
T2 resumes:
DELETE 0

> @T2 select * from test order by id
id:int4 | value:int4
1 | 20
2 | 30
SELECT 2

> @T2 rollback
ROLLBACK

