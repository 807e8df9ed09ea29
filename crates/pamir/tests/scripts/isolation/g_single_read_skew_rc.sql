# G-single: read skew at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level read committed
BEGIN

> @T2 begin isolation level read committed
BEGIN

> @T1 select * from test where id = 1
id:int4 | value:int4
1 | 10
SELECT 1

> @T2 select * from test where id = 1
id:int4 | value:int4
1 | 10
SELECT 1

> @T2 select * from test where id = 2
id:int4 | value:int4
2 | 20
SELECT 1

> @T2 update test set value = 12 where id = 1
UPDATE 1

> @T2 update test set value = 18 where id = 2
UPDATE 1

> @T2 commit
COMMIT

> @T1 select * from test where id = 2
id:int4 | value:int4
2 | 18
SELECT 1

> @T1 commit
COMMIT

