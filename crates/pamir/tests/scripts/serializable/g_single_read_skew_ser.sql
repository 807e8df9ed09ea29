# G-single: read skew at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 select * from test where id = 1

> @T2 select * from test where id = 1

> @T2 select * from test where id = 2

> @T2 update test set value = 12 where id = 1

> @T2 update test set value = 18 where id = 2

> @T2 commit

> @T1 select * from test where id = 2

> @T1 commit

