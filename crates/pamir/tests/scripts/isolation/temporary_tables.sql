# Temporary tables of two sessions: neither sees the other's, both see what is shared.

> @T1 create temp table t (a int primary key, b text)
CREATE TABLE

> @T1 insert into t values (1, 'one')
INSERT 0 1

> @T2 select * from t
ERROR 42P01: relation "t" does not exist

> @T2 create temp table t (x int)
CREATE TABLE

> @T2 insert into t values (5)
INSERT 0 1

> @T2 select * from t
x:int4
5
SELECT 1

> @T1 select * from t
a:int4 | b:text
1 | one
SELECT 1

> @T2 create table perm (a int)
CREATE TABLE

> @T2 insert into perm values (1), (2)
INSERT 0 2

> @T1 select count(*) from perm
count:int8
2
SELECT 1

> @T1 select * from t join perm using (a)
a:int4 | b:text
1 | one
SELECT 1

> @T1 begin
BEGIN

> @T1 insert into t values (2, 'two')
INSERT 0 1

> @T2 alter table perm add column b int default 7
ALTER TABLE

> @T1 select * from t join perm using (a) order by a
a:int4 | b:text | b:int4
1 | one | 7
2 | two | 7
SELECT 2

> @T1 rollback
ROLLBACK

> @T1 select * from t
a:int4 | b:text
1 | one
SELECT 1

> @T1 begin
BEGIN

> @T1 create temp table u (a int)
CREATE TABLE

> @T1 insert into u values (1)
INSERT 0 1

> @T2 create table perm2 (a int)
CREATE TABLE

> @T2 insert into perm2 values (1)
INSERT 0 1

> @T2 drop table t
DROP TABLE

> @T1 select * from u join perm2 using (a)
a:int4
1
SELECT 1

> @T1 create table perm3 as select * from u
SELECT 1

> @T1 create temp table v as select * from perm3
SELECT 1

> @T1 commit
COMMIT

> @T1 select * from v
a:int4
1
SELECT 1

> @T1 select * from perm3
a:int4
1
SELECT 1

> @T2 select * from perm3
a:int4
1
SELECT 1

> @T2 select * from u
ERROR 42P01: relation "u" does not exist

> @T1 begin
BEGIN

> @T1 drop table u
DROP TABLE

> @T1 drop table perm3
DROP TABLE

> @T2 select * from perm3
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
a:int4
1
SELECT 1

> @T1 select * from u
a:int4
1
SELECT 1

> @T2 select * from perm3
a:int4
1
SELECT 1

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select * from t
a:int4 | b:text
1 | one
SELECT 1

> @T1 insert into t values (3, 'three')
INSERT 0 1

> @T2 insert into perm2 values (2)
INSERT 0 1

> @T1 select * from perm2
a:int4
1
SELECT 1

> @T1 select * from t order by a
a:int4 | b:text
1 | one
3 | three
SELECT 2

> @T1 update t set a = a + 10
UPDATE 2

> @T1 select * from t order by a
a:int4 | b:text
11 | one
13 | three
SELECT 2

> @T1 commit
COMMIT

> @T1 select * from t order by a
a:int4 | b:text
11 | one
13 | three
SELECT 2

> @T1 select count(*) from perm2
count:int8
2
SELECT 1

> @T1 begin isolation level serializable
BEGIN

> @T1 select * from t order by a
a:int4 | b:text
11 | one
13 | three
SELECT 2

> @T1 delete from t where a = 11
DELETE 1

> @T1 insert into perm2 select a from t
INSERT 0 1

> @T1 commit
COMMIT

> @T2 select * from perm2 order by a
a:int4
1
2
13
SELECT 3

> @T1 prepare p as select * from perm2 order by a
PREPARE

> @T1 execute p
a:int4
1
2
13
SELECT 3

> @T1 create temp table perm2 (z text)
CREATE TABLE

> @T1 drop table perm2
DROP TABLE

> @T1 execute p
a:int4
1
2
13
SELECT 3

> @T1 deallocate p
DEALLOCATE

> @T1 lock table t
ERROR 25P01: LOCK TABLE can only be used in transaction blocks

> @T1 begin
BEGIN

> @T1 lock table t in exclusive mode
LOCK TABLE

> @T1 select * from t order by a
a:int4 | b:text
13 | three
SELECT 1

> @T1 commit
COMMIT

> @T1 begin
BEGIN

> @T1 select * from t for update
a:int4 | b:text
13 | three
SELECT 1

> @T1 update t set b = 'x' returning *
a:int4 | b:text
13 | x
UPDATE 1

> @T1 rollback
ROLLBACK

> @T1 select * from t
a:int4 | b:text
13 | three
SELECT 1

> @T1 discard temp
DISCARD TEMP

> @T1 select * from t
ERROR 42P01: relation "t" does not exist

> @T2 create temp table t (y int)
CREATE TABLE

> @T2 drop table perm, perm2, perm3
DROP TABLE

> @T1 select * from t
ERROR 42P01: relation "t" does not exist

