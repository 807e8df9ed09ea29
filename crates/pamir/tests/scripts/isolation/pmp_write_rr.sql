# PMP with write predicates at REPEATABLE READ (Hermitage).
> create table test (id int primary key, value int)
CREATE TABLE

> insert into test (id, value) values (1, 10), (2, 20)
INSERT 0 2

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 update test set value = value + 10
UPDATE 2

> @T2 delete from test where value = 20
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: could not serialize access due to concurrent update

> @T2 select * from test order by id
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> @T2 rollback
ROLLBACK

