# G0: write cycles at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level read committed
BEGIN

> @T2 begin isolation level read committed
BEGIN

> @T3 begin isolation level read committed
BEGIN

> @T1 update test set value = 11 where id = 1
UPDATE 1

> @T2 update test set value = 12 where id = 1
(waits)

> @T1 update test set value = 21 where id = 2
UPDATE 1

> @T1 commit
COMMIT
T2 resumes:
UPDATE 1

> @T3 select * from test order by id
id:int4 | value:int4
1 | 11
2 | 21
SELECT 2

> @T2 update test set value = 22 where id = 2
UPDATE 1

> @T2 commit
COMMIT

> @T3 select * from test order by id
id:int4 | value:int4
1 | 12
2 | 22
SELECT 2

> @T3 commit
COMMIT

