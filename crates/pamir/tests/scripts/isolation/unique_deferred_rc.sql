# Sessions that write the same deferrable unique keys: the second one's check waits for the first one's end.
> create table t (id int primary key, u int constraint t_u unique deferrable, d int constraint t_d unique deferrable initially deferred)
CREATE TABLE

> insert into t values (1, 1, 1), (2, 2, 2)
INSERT 0 2

# Immediate: the statement waits.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (10, 10, 10)
INSERT 0 1

> @T2 insert into t values (11, 10, 11)
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(10) already exists.

> @T2 rollback
ROLLBACK

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (12, 12, 12)
INSERT 0 1

> @T2 insert into t values (13, 12, 13)
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
INSERT 0 1

> @T2 commit
COMMIT

> select * from t order by id
id:int4 | u:int4 | d:int4
1 | 1 | 1
2 | 2 | 2
10 | 10 | 10
13 | 12 | 13
SELECT 4

# Deferred: the commit waits.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (20, 20, 20)
INSERT 0 1

> @T2 insert into t values (21, 21, 20)
INSERT 0 1

> @T2 commit
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(20) already exists.

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (22, 22, 22)
INSERT 0 1

> @T2 insert into t values (23, 23, 22)
INSERT 0 1

> @T2 commit
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
COMMIT

# The first to commit wins.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (30, 30, 30)
INSERT 0 1

> @T2 insert into t values (31, 31, 30)
INSERT 0 1

> @T1 commit
COMMIT

> @T2 commit
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(30) already exists.

# A key that is being given up.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 delete from t where id = 1
DELETE 1

> @T2 insert into t values (40, 1, 40)
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T2 commit
COMMIT

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 update t set u = 1000 where id = 2
UPDATE 1

> @T2 insert into t values (41, 2, 41)
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(2) already exists.

> @T2 rollback
ROLLBACK

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 update t set d = 2000 where id = 2
UPDATE 1

> @T2 insert into t values (42, 42, 2)
INSERT 0 1

> @T2 commit
(waits)

> @T1 commit
COMMIT
T2 resumes:
COMMIT

# Savepoints: what is undone lets others through.
> @T1 begin
BEGIN

> @T1 savepoint s
SAVEPOINT

> @T1 insert into t values (50, 50, 50)
INSERT 0 1

> @T2 begin
BEGIN

> @T2 insert into t values (51, 50, 51)
(waits)

> @T1 rollback to s
ROLLBACK
T2 resumes:
INSERT 0 1

> @T1 commit
COMMIT

> @T2 commit
COMMIT

> @T1 begin
BEGIN

> @T1 insert into t values (60, 60, 60)
INSERT 0 1

> @T1 savepoint s
SAVEPOINT

> @T1 set constraints t_d immediate
SET CONSTRAINTS

> @T1 rollback to s
ROLLBACK

> @T2 begin
BEGIN

> @T2 insert into t values (61, 61, 60)
INSERT 0 1

> @T2 commit
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(60) already exists.

> select * from t order by id
id:int4 | u:int4 | d:int4
2 | 2 | 2000
10 | 10 | 10
13 | 12 | 13
20 | 20 | 20
23 | 23 | 22
30 | 30 | 30
40 | 1 | 40
42 | 42 | 2
51 | 50 | 51
60 | 60 | 60
SELECT 10

# Updates of several rows against each other.
> @T1 begin
BEGIN

> @T1 update t set u = -u
UPDATE 10

> @T2 insert into t values (70, -40, 70)
INSERT 0 1

> @T1 commit
COMMIT

> @T2 insert into t values (71, -40, 71)
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(-40) already exists.

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 set constraints all deferred
SET CONSTRAINTS

> @T2 set constraints all deferred
SET CONSTRAINTS

> @T1 insert into t values (80, 80, 80), (81, 80, 81)
INSERT 0 2

> @T2 insert into t values (82, 80, 82)
INSERT 0 1

> @T1 update t set u = 81 where id = 81
UPDATE 1

> @T2 set constraints all immediate
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_u"
DETAIL: Key (u)=(80) already exists.

> @T2 rollback
ROLLBACK

# Two that wait for each other.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into t values (90, 90, 90)
INSERT 0 1

> @T2 insert into t values (91, 91, 91)
INSERT 0 1

> @T1 insert into t values (92, 91, 92)
(waits)

> @T2 rollback
ROLLBACK
T1 resumes:
INSERT 0 1

> @T1 commit
COMMIT

> select id, u, d from t order by id
id:int4 | u:int4 | d:int4
2 | -2 | 2000
10 | -10 | 10
13 | -12 | 13
20 | -20 | 20
23 | -23 | 22
30 | -30 | 30
40 | -1 | 40
42 | -42 | 2
51 | -50 | 51
60 | -60 | 60
70 | -40 | 70
80 | 80 | 80
81 | 81 | 81
90 | 90 | 90
92 | 91 | 92
SELECT 15

# A prepared transaction keeps its keys.
> @T1 begin
BEGIN

> @T1 insert into t values (100, 100, 100)
INSERT 0 1

> @T1 prepare transaction 'keys'
PREPARE TRANSACTION

> @T2 begin
BEGIN

> @T2 insert into t values (101, 101, 100)
INSERT 0 1

> @T2 commit
(waits)

> @T1 commit prepared 'keys'
COMMIT PREPARED
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_d"
DETAIL: Key (d)=(100) already exists.

> select id, u, d from t where id >= 90 order by id
id:int4 | u:int4 | d:int4
90 | 90 | 90
92 | 91 | 92
100 | 100 | 100
SELECT 3

