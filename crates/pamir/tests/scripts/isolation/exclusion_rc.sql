# Sessions whose rows an exclusion constraint does not allow beside each other: the second one's check waits for the first one's end.

> create extension btree_gist
CREATE EXTENSION

> create table t (id int primary key, room int, r int4range, exclude using gist (room with =, r with &&))
CREATE TABLE

> insert into t values (1, 1, '[1,5)'), (2, 2, '[1,5)')
INSERT 0 2

# Who goes is waited for, and gone.

> @T1 begin
BEGIN

> @T1 delete from t where id = 1
DELETE 1

> @T2 insert into t values (3, 1, '[3,8)')
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

# ... or stays.

> @T1 begin
BEGIN

> @T1 delete from t where id = 3
DELETE 1

> @T2 insert into t values (4, 1, '[3,8)')
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
ERROR 23P01: conflicting key value violates exclusion constraint "t_room_r_excl"
DETAIL: Key (room, r)=(1, [3,8)) conflicts with existing key (room, r)=(1, [3,8)).

# Who moves away.

> @T1 begin
BEGIN

> @T1 update t set room = 3 where id = 3
UPDATE 1

> @T2 insert into t values (4, 1, '[3,8)')
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

# Rows that are not yet there.

> @T1 begin
BEGIN

> @T1 insert into t values (5, 5, '[1,5)')
INSERT 0 1

> @T2 insert into t values (7, 5, '[4,5)') on conflict do nothing
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 0

> @T1 begin
BEGIN

> @T1 insert into t values (8, 8, '[1,5)')
INSERT 0 1

> @T2 insert into t values (9, 8, '[2,5)')
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
INSERT 0 1

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from t
count:int8
5
SELECT 1

> @T2 insert into t values (10, 10, '[1,5)')
INSERT 0 1

> @T1 insert into t values (11, 10, '[1,5)')
ERROR 23P01: conflicting key value violates exclusion constraint "t_room_r_excl"
DETAIL: Key (room, r)=(10, [1,5)) conflicts with existing key (room, r)=(10, [1,5)).

> @T1 rollback
ROLLBACK

> select * from t order by id
id:int4 | room:int4 | r:int4range
2 | 2 | [1,5)
3 | 3 | [3,8)
4 | 1 | [3,8)
5 | 5 | [1,5)
9 | 8 | [2,5)
10 | 10 | [1,5)
SELECT 6
