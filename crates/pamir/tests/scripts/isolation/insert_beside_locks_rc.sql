# Who inserts a key that is there hears so at once, whoever has locked its row, and waits for who takes it away.
> create table slots (id int primary key, name text unique, v int)
CREATE TABLE

> create table uses (id int primary key, slot int references slots)
CREATE TABLE

> insert into slots values (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)
INSERT 0 3

> @T1 begin
BEGIN

> @T1 select id from slots where id = 1 for update
id:int4
1
SELECT 1

> @T2 insert into slots values (1, 'x', 1) on conflict do nothing
INSERT 0 0

> @T2 insert into slots values (7, 'g', 1), (1, 'x', 1) on conflict (id) do nothing
INSERT 0 1

> @T2 insert into slots values (1, 'x', 1)
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(1) already exists.

> @T2 insert into slots values (8, 'a', 1)
ERROR 23505: duplicate key value violates unique constraint "slots_name_key"
DETAIL: Key (name)=(a) already exists.

> @T2 insert into slots values (8, 'a', 1) on conflict (name) do nothing
INSERT 0 0

> @T2 insert into slots select 1, 'x', 1
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(1) already exists.

> @T2 merge into slots s using (values (20)) n(id) on s.id = n.id when not matched then insert values (1, 'x', 1)
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(1) already exists.

> @T2 update slots set id = 1 where id = 7
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(1) already exists.

> @T2 insert into slots values (1, 'x', 1) on conflict (id) do update set v = slots.v + 1
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

# Others keep a row by what refers to it.
> @T1 begin
BEGIN

> @T1 insert into uses values (1, 2)
INSERT 0 1

> @T1 select id from slots where id = 3 for share
id:int4
3
SELECT 1

> @T2 insert into slots values (2, 'x', 1)
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(2) already exists.

> @T2 insert into slots values (3, 'x', 1)
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(3) already exists.

> @T2 insert into slots values (3, 'x', 1) on conflict do nothing
INSERT 0 0

> @T1 rollback
ROLLBACK

# Who locked the row takes it away.
> @T1 begin
BEGIN

> @T1 select id from slots where id = 1 for update
id:int4
1
SELECT 1

> @T1 delete from slots where id = 1
DELETE 1

> @T2 insert into slots values (1, 'new', 1) on conflict do nothing
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T1 begin
BEGIN

> @T1 select id from slots where id = 3 for update
id:int4
3
SELECT 1

> @T1 update slots set id = 30 where id = 3
UPDATE 1

> @T2 insert into slots values (3, 'new3', 1)
(waits)

> @T1 commit
COMMIT
T2 resumes:
INSERT 0 1

> @T1 begin
BEGIN

> @T1 select id from slots where id = 2 for update
id:int4
2
SELECT 1

> @T1 delete from slots where id = 2
DELETE 1

> @T2 insert into slots values (2, 'b', 1)
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "slots_pkey"
DETAIL: Key (id)=(2) already exists.

# Met twice, then locked by both: the second waits, nobody is in a circle.
> @T1 begin
BEGIN

> @T2 begin
BEGIN

> @T1 insert into slots values (2, 'z', 1) on conflict do nothing
INSERT 0 0

> @T2 insert into slots values (2, 'z', 1) on conflict do nothing
INSERT 0 0

> @T1 select v from slots where id = 2 for update
v:int4
0
SELECT 1

> @T2 select v from slots where id = 2 for update
(waits)

> @T1 update slots set v = v + 1 where id = 2
UPDATE 1

> @T1 delete from uses
DELETE 0

> @T1 delete from slots where id = 2
DELETE 1

> @T1 commit
COMMIT
T2 resumes:
v:int4
SELECT 0

> @T2 commit
COMMIT

# A savepoint gives the stronger lock back, and keeps the weaker one.
> @T1 begin
BEGIN

> @T1 select id from slots where id = 1 for update
id:int4
1
SELECT 1

> @T1 savepoint s
SAVEPOINT

> @T1 delete from slots where id = 1
DELETE 1

> @T1 rollback to s
ROLLBACK

> @T2 insert into slots values (1, 'x', 1) on conflict do nothing
INSERT 0 0

> @T2 update slots set v = 5 where id = 1
(waits)

> @T1 commit
COMMIT
T2 resumes:
UPDATE 1

> select * from slots order by id
id:int4 | name:text | v:int4
1 | new | 5
3 | new3 | 1
7 | g | 1
30 | c | 0
SELECT 4

