# Rows that another session moves to another partition.
> @T1 create table moving (id int, at int, v text, primary key (id, at)) partition by range (at)
CREATE TABLE

> @T1 create table moving_1 partition of moving for values from (0) to (10)
CREATE TABLE

> @T1 create table moving_2 partition of moving for values from (10) to (20)
CREATE TABLE

> @T1 insert into moving select g, g, 'v' || g from generate_series(1, 9) g
INSERT 0 9

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from moving
count:int8
9
SELECT 1

> @T2 select count(*) from moving
count:int8
9
SELECT 1

> @T1 update moving set at = 11 where id = 1
UPDATE 1

> @T2 update moving set v = 'mine' where id = 1
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from moving
count:int8
9
SELECT 1

> @T1 update moving set at = at + 10 where id = 2
UPDATE 1

> @T2 delete from moving where id = 2
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from moving
count:int8
9
SELECT 1

> @T1 update moving set at = at + 10 where id = 3
UPDATE 1

> @T2 select * from moving where id = 3 for update
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | at:int4 | v:text
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from moving
count:int8
9
SELECT 1

# Within its partition, its key another one.
> @T1 update moving set at = 9, v = 'nine' where id = 4
UPDATE 1

> @T2 update moving set v = v || ' mine' where id = 4
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: could not serialize access due to concurrent update

> @T2 commit
ROLLBACK

> @T1 begin isolation level repeatable read
BEGIN

> @T1 update moving set at = 12 where id = 5
UPDATE 1

> @T2 update moving set v = 'mine' where id = 5
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
UPDATE 1

> @T1 begin isolation level repeatable read
BEGIN

> @T1 update moving set at = 3 where id = 1
UPDATE 1

> @T2 merge into moving m using (values (1)) s(id) on m.id = s.id when matched then update set v = 'merged'
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: tuple to be locked was already moved to another partition due to concurrent update

> @T1 select * from moving order by id, at
id:int4 | at:int4 | v:text
1 | 3 | v1
2 | 12 | v2
3 | 13 | v3
4 | 9 | nine
5 | 5 | mine
6 | 6 | v6
7 | 7 | v7
8 | 8 | v8
9 | 9 | v9
SELECT 9

> @T1 drop table moving
DROP TABLE
