# G2: anti-dependency cycles at REPEATABLE READ (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T3 begin isolation level repeatable read
BEGIN

> @T1 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T2 select * from test where value % 3 = 0
id:int4 | value:int4
SELECT 0

> @T1 insert into test (id, value) values (3, 30)
INSERT 0 1

> @T2 insert into test (id, value) values (4, 42)
INSERT 0 1

> @T1 commit
COMMIT

> @T2 commit
COMMIT

> @T3 select * from test where value % 3 = 0 order by id
id:int4 | value:int4
3 | 30
4 | 42
SELECT 2

> @T3 commit
COMMIT

