# A row that leaves its partition: gone to the keys that refer to the partition, changed to those that refer to the table.
> create table r (a int, b text) partition by range(a)
CREATE TABLE

> create table r1 partition of r for values from (1) to (10)
CREATE TABLE

> create table r2 partition of r for values from (10) to (20)
CREATE TABLE

> create unique index on r1(a)
CREATE INDEX

> create table bar (a int references r1(a))
CREATE TABLE

> insert into r values (7,'x'),(8,'y')
INSERT 0 2

> insert into bar values (8)
INSERT 0 1

> update r set a = 11 where a = 7
UPDATE 1

> update r set a = 12 where a = 8
ERROR 23503: update or delete on table "r1" violates foreign key constraint "bar_a_fkey" on table "bar"
DETAIL: Key (a)=(8) is still referenced from table "bar".

> select tableoid::regclass, * from r order by a
tableoid:regclass | a:int4 | b:text
r1 | 8 | y
r2 | 11 | x
SELECT 2

> delete from bar
DELETE 1

> update r set a = 12 where a = 8
UPDATE 1

> select tableoid::regclass, * from r order by a
tableoid:regclass | a:int4 | b:text
r2 | 11 | x
r2 | 12 | y
SELECT 2

> create table s (a int primary key, b text) partition by range(a)
CREATE TABLE

> create table s1 partition of s for values from (1) to (10)
CREATE TABLE

> create table s2 partition of s for values from (10) to (20)
CREATE TABLE

> create table bas (a int references s1(a) on delete cascade)
CREATE TABLE

> create table bat (a int references s(a) on update cascade on delete set null)
CREATE TABLE

> insert into s values (3,'a'),(4,'b')
INSERT 0 2

> insert into bas values (3)
INSERT 0 1

> insert into bat values (4),(3)
INSERT 0 2

> update s set a = 13 where a = 3
UPDATE 1

> update s set a = 14 where a = 4
UPDATE 1

> select * from bas
a:int4
SELECT 0

> select * from bat order by a
a:int4
13
14
SELECT 2

> select tableoid::regclass, * from s order by a
tableoid:regclass | a:int4 | b:text
s2 | 13 | a
s2 | 14 | b
SELECT 2

> create table bau (a int references s1(a) on delete set null on update cascade)
CREATE TABLE

> insert into s values (5,'c')
INSERT 0 1

> insert into bau values (5)
INSERT 0 1

> update s set a = 15 where a=5
UPDATE 1

> select * from bau
a:int4
NULL
SELECT 1

> create table bav (a int references s1(a) on update cascade)
CREATE TABLE

> insert into s values (6,'c')
INSERT 0 1

> insert into bav values (6)
INSERT 0 1

> update s set a = 16 where a=6
ERROR 23503: update or delete on table "s1" violates foreign key constraint "bav_a_fkey" on table "bav"
DETAIL: Key (a)=(6) is still referenced from table "bav".

> select * from bav
a:int4
6
SELECT 1

