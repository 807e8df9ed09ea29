# Two foreign keys over the same columns: the one that was made first looks first.
> create table p (id int primary key); create table c (a int, foreign key (a) references p, constraint d foreign key (a) references p on delete cascade); insert into p values (1); insert into c values (1)
CREATE TABLE
CREATE TABLE
INSERT 0 1
INSERT 0 1

> delete from p
ERROR 23503: update or delete on table "p" violates foreign key constraint "c_a_fkey" on table "c"
DETAIL: Key (id)=(1) is still referenced from table "c".

> alter table c drop constraint c_a_fkey, add constraint c_a_fkey foreign key (a) references p
ALTER TABLE

> delete from p
DELETE 1

> select * from p; select * from c
id:int4
SELECT 0
a:int4
SELECT 0

# Through another table.
> create table p2 (id int primary key); create table d2 (id int primary key references p2 on delete cascade); create table c2 (a int references p2, b int references d2 on delete cascade); insert into p2 values (1), (2); insert into d2 values (1), (2); insert into c2 values (1, 1), (2, 2)
CREATE TABLE
CREATE TABLE
CREATE TABLE
INSERT 0 2
INSERT 0 2
INSERT 0 2

> delete from p2
ERROR 23503: update or delete on table "p2" violates foreign key constraint "c2_a_fkey" on table "c2"
DETAIL: Key (id)=(1) is still referenced from table "c2".

> create table p3 (id int primary key); create table c3 (a int references p3 on delete set null); alter table c3 add constraint n foreign key (a) references p3; insert into p3 values (1), (2), (3); insert into c3 values (1), (2)
CREATE TABLE
CREATE TABLE
ALTER TABLE
INSERT 0 3
INSERT 0 2

> delete from p3; select * from c3; select * from p3
DELETE 3
a:int4
NULL
NULL
SELECT 2
id:int4
SELECT 0

# A table that refers to itself.
> create table s (id int primary key, up int references s, foreign key (up) references s on delete cascade); insert into s values (1, null), (2, 1), (3, 2)
CREATE TABLE
INSERT 0 3

> delete from s where id = 1
ERROR 23503: update or delete on table "s" violates foreign key constraint "s_up_fkey" on table "s"
DETAIL: Key (id)=(1) is still referenced from table "s".

> delete from s where id = 3
DELETE 1

> delete from s
DELETE 2

> select * from s order by id
id:int4 | up:int4
SELECT 0

> create table u (id int primary key); create table uc (a int references u on update cascade, constraint k foreign key (a) references u); insert into u values (1); insert into uc values (1)
CREATE TABLE
CREATE TABLE
INSERT 0 1
INSERT 0 1

> update u set id = 2; select * from u; select * from uc
UPDATE 1
id:int4
2
SELECT 1
a:int4
2
SELECT 1
