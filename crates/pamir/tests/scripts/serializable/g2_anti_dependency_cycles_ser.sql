# G2: anti-dependency cycles at SERIALIZABLE (Hermitage).
> create table test (id int primary key, value int)

> insert into test (id, value) values (1, 10), (2, 20)

> @T1 begin isolation level serializable

> @T2 begin isolation level serializable

> @T3 begin isolation level serializable

> @T1 select * from test where value % 3 = 0

> @T2 select * from test where value % 3 = 0

> @T1 insert into test (id, value) values (3, 30)

> @T2 insert into test (id, value) values (4, 42)

> @T1 commit

> @T2 commit

> @T3 select * from test where value % 3 = 0 order by id

> @T3 commit

