# G1b: intermediate reads at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level serializable
BEGIN

> @T2 begin isolation level serializable
BEGIN

> @T1 update test set value = 101 where id = 1
UPDATE 1

> @T2 select * from test order by id
(waits)

> @T1 update test set value = 11 where id = 1
UPDATE 1

> @T1 commit
COMMIT
T2 resumes:
id:int4 | value:int4
1 | 11
2 | 20
SELECT 2

> @T2 select * from test order by id
id:int4 | value:int4
1 | 11
2 | 20
SELECT 2

> @T2 commit
COMMIT

