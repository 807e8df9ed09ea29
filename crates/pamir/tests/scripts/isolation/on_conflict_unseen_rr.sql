# ON CONFLICT at REPEATABLE READ meets a row that its snapshot does not see.
> create table u (id int primary key, v text)
CREATE TABLE

> insert into u values (1, 'a')
INSERT 0 1

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select * from u
id:int4 | v:text
1 | a
SELECT 1

> @T2 insert into u values (9, 'z')
INSERT 0 1

> @T1 insert into u values (1, 'b') on conflict do nothing
INSERT 0 0

> @T1 insert into u values (9, 'y') on conflict do nothing
ERROR 40001: could not serialize access due to concurrent update

> @T1 rollback
ROLLBACK
