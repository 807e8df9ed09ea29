# G1b: intermediate reads at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 update test set value = 101 where id = 1

> @T2 select * from test order by id

> @T1 update test set value = 11 where id = 1

> @T1 commit

> @T2 select * from test order by id

> @T2 commit

