# G-single with predicate dependencies at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level read committed
BEGIN

> @T2 begin isolation level read committed
BEGIN

> @T1 select * from test where value % 5 = 0 order by id
id:int4 | value:int4
1 | 10
2 | 20
SELECT 2

> @T2 update test set value = 12 where value = 10
UPDATE 1

> @T2 commit
COMMIT

> @T1 select * from test where value % 3 = 0
id:int4 | value:int4
1 | 12
SELECT 1

> @T1 commit
COMMIT

