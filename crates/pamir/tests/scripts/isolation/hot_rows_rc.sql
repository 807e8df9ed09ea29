# A row passed from hand to hand: what each of those who waited sees, changes, and tells.
> create table hot (id int primary key, n int, note text, unique (note))
CREATE TABLE

> create table other (id int primary key, hot int references hot, v int)
CREATE TABLE

> insert into hot values (1, 0, 'a'), (2, 0, 'b')
INSERT 0 2

> insert into other values (1, null, 10)
INSERT 0 1

> @T1 begin
BEGIN

> @T1 update hot set n = n + 1 where id = 1 returning n
n:int4
1
UPDATE 1

> @T2 update hot set n = n + 1 where id = 1 returning n
(waits)

> @T3 update hot set n = n * 10 where id = 1 and n = 2 returning n
n:int4
UPDATE 0

> @T4 update hot set n = n * 100 where id = 1 and n = 999 returning n
n:int4
UPDATE 0

> @T1 update other set v = 11
UPDATE 1

> @T1 commit
COMMIT
T2 resumes:
n:int4
2
UPDATE 1

> select * from hot order by id
id:int4 | n:int4 | note:text
1 | 2 | a
2 | 0 | b
SELECT 2

# The next statement sees all of the transaction that was waited for.
> @T1 begin
BEGIN

> @T1 update hot set n = n + 1 where id = 1
UPDATE 1

> @T2 begin
BEGIN

> @T2 update hot set n = n + 1, note = (select 'v' || v from other) where id = 1 returning n, note
(waits)

> @T1 update other set v = 12
UPDATE 1

> @T1 commit
COMMIT
T2 resumes:
n:int4 | note:text
4 | v11
UPDATE 1

> @T2 select v from other
v:int4
12
SELECT 1

> @T3 select n from hot where id = 1 for update
(waits)

> @T2 rollback
ROLLBACK
T3 resumes:
n:int4
3
SELECT 1

> select * from hot order by id
id:int4 | n:int4 | note:text
1 | 3 | a
2 | 0 | b
SELECT 2

# A deleted row, a row deleted and inserted again, a unique key given up and taken.
> @T1 begin
BEGIN

> @T1 delete from hot where id = 2
DELETE 1

> @T2 update hot set n = 77 where id = 2 returning *
(waits)

> @T3 insert into hot values (3, 3, 'b')
(waits)

> @T4 insert into other values (2, 2, 0)
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | n:int4 | note:text
UPDATE 0
T3 resumes:
INSERT 0 1
T4 resumes:
ERROR 23503: insert or update on table "other" violates foreign key constraint "other_hot_fkey"
DETAIL: Key (hot)=(2) is not present in table "hot".

> @T1 begin
BEGIN

> @T1 insert into hot values (2, 5, 'c')
INSERT 0 1

> @T2 insert into hot values (2, 6, 'd')
(waits)

> @T3 insert into hot values (4, 6, 'c') on conflict (note) do update set n = hot.n + excluded.n returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "hot_pkey"
DETAIL: Key (id)=(2) already exists.
T3 resumes:
id:int4 | n:int4 | note:text
2 | 11 | c
INSERT 0 1

> select * from hot order by id
id:int4 | n:int4 | note:text
1 | 3 | a
2 | 11 | c
3 | 3 | b
SELECT 3

# Snapshots that are older than what was handed over.
> @T1 begin
BEGIN

> @T1 update hot set n = n + 1 where id = 1
UPDATE 1

> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from hot
count:int8
3
SELECT 1

> @T2 update hot set n = n + 1 where id = 1
(waits)

> @T3 update hot set n = n + 1 where id = 1 returning n
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 40001: could not serialize access due to concurrent update
T3 resumes:
n:int4
5
UPDATE 1

> @T2 rollback
ROLLBACK

# A locked row as a mutex.
> @T1 begin
BEGIN

> @T1 select id from hot where id = 1 for update
id:int4
1
SELECT 1

> @T2 begin
BEGIN

> @T2 select id from hot where id = 1 for update
(waits)

> @T1 update other set v = 100 where id = 1
UPDATE 1

> @T1 commit
COMMIT
T2 resumes:
id:int4
1
SELECT 1

> @T2 update other set v = v + 1 where id = 1 returning v
v:int4
101
UPDATE 1

> @T3 select id from hot where id = 1 for no key update
(waits)

> @T2 commit
COMMIT
T3 resumes:
id:int4
1
SELECT 1

> select * from other order by id
id:int4 | hot:int4 | v:int4
1 | NULL | 101
SELECT 1
