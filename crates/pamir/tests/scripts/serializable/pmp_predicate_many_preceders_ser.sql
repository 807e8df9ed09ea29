# PMP: predicate-many-preceders at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T1 select * from test where value = 30

> @T2 insert into test (id, value) values (3, 30)

> @T2 commit

> @T1 select * from test where value % 3 = 0

> @T1 commit

