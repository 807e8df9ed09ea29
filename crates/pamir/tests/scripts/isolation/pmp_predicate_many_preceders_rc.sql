# PMP: predicate-many-preceders at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
> insert into test (id, value) values (1, 10), (2, 20)
ERROR 42601: syntax error at or near "insert"

> @T1 begin isolation level read committed
> @T2 begin isolation level read committed
> @T1 select * from test where value = 30
> @T2 insert into test (id, value) values (3, 30)
> @T2 commit
> @T1 select * from test where value % 3 = 0
> @T1 commit
ERROR 42601: syntax error at or near "@"
