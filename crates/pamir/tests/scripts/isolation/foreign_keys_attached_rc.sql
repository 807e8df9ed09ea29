# A partition that is attached gets its parent's foreign keys: what they refer to stays while that is checked, in the partitions of the other table too.
> create table pk (a int primary key) partition by list (a)
CREATE TABLE

> create table pk1 partition of pk for values in (1)
CREATE TABLE

> insert into pk values (1)
INSERT 0 1

> create table fk (a int references pk) partition by list (a)
CREATE TABLE

> create table fk1 (a int not null)
CREATE TABLE

> insert into fk1 values (1)
INSERT 0 1

> @T1 begin
BEGIN

> @T1 delete from pk1 where a = 1
DELETE 1

> @T2 alter table fk attach partition fk1 for values in (1)
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23503: insert or update on table "fk1" violates foreign key constraint "fk_a_fkey"
DETAIL: Key (a)=(1) is not present in table "pk".

> insert into pk values (1)
INSERT 0 1

> @T2 begin
BEGIN

> @T2 alter table fk attach partition fk1 for values in (1)
ALTER TABLE

> @T1 delete from pk where a = 1
(waits)

> @T2 rollback
ROLLBACK
T1 resumes:
DELETE 1

> insert into pk values (1)
INSERT 0 1

> create table plain (a int)
CREATE TABLE

> insert into plain values (1)
INSERT 0 1

> @T1 begin
BEGIN

> @T1 delete from pk1 where a = 1
DELETE 1

> @T2 alter table plain add foreign key (a) references pk
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23503: insert or update on table "plain" violates foreign key constraint "plain_a_fkey"
DETAIL: Key (a)=(1) is not present in table "pk".
