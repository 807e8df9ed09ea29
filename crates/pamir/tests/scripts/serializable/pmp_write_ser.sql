# PMP with write predicates at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 update test set value = value + 10

> @T2 delete from test where value = 20

> @T1 commit

> @T2 select * from test order by id

> @T2 rollback

