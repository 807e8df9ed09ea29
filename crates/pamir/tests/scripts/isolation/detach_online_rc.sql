# DETACH PARTITION CONCURRENTLY waits for those who read the table, and nobody stands behind it.
> create table p (a int) partition by list (a)
CREATE TABLE

> create table p1 partition of p for values in (1)
CREATE TABLE

> create table p2 partition of p for values in (2)
CREATE TABLE

> insert into p values (1), (2)
INSERT 0 2

> @T1 begin
BEGIN

> @T1 select * from p order by a
a:int4
1
2
SELECT 2

> @T2 alter table p detach partition p2 concurrently
(waits)

> @T3 insert into p values (1)
INSERT 0 1

> @T3 select count(*) from p where a = 1
count:int8
2
SELECT 1

> @T1 commit
COMMIT
T2 resumes:
ALTER TABLE

> select * from p order by a
a:int4
1
1
SELECT 2

> select * from p2
a:int4
2
SELECT 1

> @T1 begin
BEGIN

> @T1 alter table p detach partition p1 concurrently
ERROR 25001: ALTER TABLE ... DETACH CONCURRENTLY cannot run inside a transaction block

> @T1 rollback
ROLLBACK

> create table pd partition of p default
CREATE TABLE

> alter table p detach partition p1 concurrently
ERROR 55000: cannot detach partitions concurrently when a default partition exists
