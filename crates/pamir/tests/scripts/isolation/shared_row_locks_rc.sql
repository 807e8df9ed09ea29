# A shared row lock joins those that are held, whoever waits for their end.
> create table parent (a int primary key, t text)
CREATE TABLE

> create table child (a int references parent)
CREATE TABLE

> insert into parent values (1, 'x')
INSERT 0 1

> @T1 begin
BEGIN

> @T1 insert into child values (1)
INSERT 0 1

> @T2 delete from parent where a = 1
(waits)

> @T3 insert into child values (1)
INSERT 0 1

> @T3 begin
BEGIN

> @T3 select * from parent for share
a:int4 | t:text
1 | x
SELECT 1

> @T1 rollback
ROLLBACK

> @T3 rollback
ROLLBACK
T2 resumes:
ERROR 23503: update or delete on table "parent" violates foreign key constraint "child_a_fkey" on table "child"
DETAIL: Key (a)=(1) is still referenced from table "child".

> select count(*) from child
count:int8
1
SELECT 1

> create table other (a int references parent on delete cascade)
CREATE TABLE

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from other
count:int8
0
SELECT 1

> @T2 insert into other values (1)
INSERT 0 1

> @T1 delete from child
DELETE 1

> @T1 delete from parent where a = 1
ERROR 40001: could not serialize access due to concurrent update

> @T1 rollback
ROLLBACK
