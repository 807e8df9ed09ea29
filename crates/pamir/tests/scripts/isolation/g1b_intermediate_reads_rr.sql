# G1b: intermediate reads at REPEATABLE READ (Hermitage).
> create table test (id int primary key, value int)
> insert into test (id, value) values (1, 10), (2, 20)
ERROR 42601: syntax error at or near "insert"

> @T1 begin isolation level repeatable read
> @T2 begin isolation level repeatable read
> @T1 update test set value = 101 where id = 1
> @T2 select * from test order by id
> @T1 update test set value = 11 where id = 1
> @T1 commit
> @T2 select * from test order by id
> @T2 commit
ERROR 42601: syntax error at or near "@"
