# P4: lost update at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 select * from test where id = 1

> @T2 select * from test where id = 1

> @T1 update test set value = 11 where id = 1

> @T2 update test set value = 11 where id = 1

> @T1 commit

> @T2 rollback

