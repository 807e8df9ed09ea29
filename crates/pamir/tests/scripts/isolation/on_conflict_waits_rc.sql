# Whom ON CONFLICT waits for: not for those who meet the same row, refer to it or lock it against going; for who deletes it or inserts it.
> create table tags (id int primary key, name text unique, v int)
CREATE TABLE

> create table uses (id int primary key, tag int references tags)
CREATE TABLE

> insert into tags values (1, 'a', 0), (2, 'b', 0)
INSERT 0 2

> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into tags values (1, 'x', 1) on conflict do nothing
INSERT 0 0

> @T2 insert into tags values (2, 'x', 1) on conflict do nothing
INSERT 0 0

> @T1 insert into tags values (2, 'x', 1) on conflict (id) do nothing
INSERT 0 0

> @T2 insert into tags values (9, 'a', 1) on conflict (name) do nothing
INSERT 0 0

> @T1 commit
COMMIT

> @T2 commit
COMMIT

> @T1 begin
BEGIN

> @T1 insert into uses values (1, 1)
INSERT 0 1

> @T2 insert into tags values (1, 'y', 5) on conflict (id) do update set v = excluded.v
INSERT 0 1

> @T2 insert into tags values (8, 'a', 6) on conflict (name) do update set v = excluded.v
INSERT 0 1

> @T1 commit
COMMIT

> @T1 begin
BEGIN

> @T1 insert into tags values (1, 'y', 7) on conflict (id) do update set v = tags.v + excluded.v
INSERT 0 1

> @T2 insert into uses values (2, 1)
INSERT 0 1

> @T1 commit
COMMIT

> @T1 begin
BEGIN

> @T1 delete from tags where id = 2
DELETE 1

> @T2 insert into tags values (2, 'new', 9) on conflict do nothing
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T1 begin
BEGIN

> @T1 insert into tags values (3, 'c', 1)
INSERT 0 1

> @T2 insert into tags values (3, 'c', 2) on conflict (id) do update set v = tags.v + excluded.v
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T1 begin
BEGIN

> @T1 delete from tags where id = 3
DELETE 1

> @T2 insert into tags values (3, 'z', 9) on conflict do nothing
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
INSERT 0 0

> select * from tags order by id
id:int4 | name:text | v:int4
1 | a | 13
2 | new | 9
3 | c | 3
SELECT 3
