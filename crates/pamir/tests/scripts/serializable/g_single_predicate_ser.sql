# G-single with predicate dependencies at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 select * from test where value % 5 = 0 order by id

> @T2 update test set value = 12 where value = 10

> @T2 commit

> @T1 select * from test where value % 3 = 0

> @T1 commit

