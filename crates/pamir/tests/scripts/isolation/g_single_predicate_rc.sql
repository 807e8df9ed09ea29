# G-single with predicate dependencies at READ COMMITTED (Hermitage).
> create table test (id int primary key, value int)
> insert into test (id, value) values (1, 10), (2, 20)
ERROR 42601: syntax error at or near "insert"

> @T1 begin isolation level read committed
> @T2 begin isolation level read committed
> @T1 select * from test where value % 5 = 0 order by id
> @T2 update test set value = 12 where value = 10
> @T2 commit
> @T1 select * from test where value % 3 = 0
> @T1 commit
ERROR 42601: syntax error at or near "@"
