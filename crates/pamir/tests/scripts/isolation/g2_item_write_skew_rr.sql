# G2-item: write skew at REPEATABLE READ (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 select * from test where id in (1, 2) order by id
id:int4 | value:int4
1 | 10
2 | 20
SELECT 2

> @T2 select * from test where id in (1, 2) order by id
id:int4 | value:int4
1 | 10
2 | 20
SELECT 2

> @T1 update test set value = 11 where id = 1
UPDATE 1

> @T2 update test set value = 21 where id = 2
UPDATE 1

> @T1 commit
COMMIT

> @T2 commit
COMMIT

