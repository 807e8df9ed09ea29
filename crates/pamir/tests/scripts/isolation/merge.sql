# MERGE beside other transactions.

> @T1 create table t (id int primary key, v int)
CREATE TABLE

> @T1 insert into t values (1, 10), (2, 20), (3, 30)
INSERT 0 3

> @T1 create table s (id int, v int)
CREATE TABLE

> @T1 insert into s values (1, 100), (2, 200), (4, 400)
INSERT 0 3

# A row changed meanwhile: asked again.
> @T1 begin
BEGIN

> @T1 update t set v = 11 where id = 1
UPDATE 1

> @T2 merge into t using s on t.id = s.id when matched and t.v = 11 then update set v = -11 when matched then update set v = t.v + s.v when not matched then insert values (s.id, s.v)
(waits)

> @T1 commit
COMMIT
T2 resumes:
MERGE 3

> @T1 select * from t order by id
id:int4 | v:int4
1 | -11
2 | 220
3 | 30
4 | 400
SELECT 4

# ... and ON does not hold any more.
> @T1 begin
BEGIN

> @T1 update t set v = 777 where id = 2
UPDATE 1

> @T2 merge into t using s on t.id = s.id and t.v < 500 when matched then update set v = 0 when not matched and s.id = 2 then insert values (22, 22) when not matched then do nothing
(waits)

> @T1 commit
COMMIT
T2 resumes:
MERGE 3

> @T1 select * from t order by id
id:int4 | v:int4
1 | 0
2 | 777
3 | 30
4 | 0
22 | 22
SELECT 5

# Deleted meanwhile.
> @T1 begin
BEGIN

> @T1 delete from t where id = 1
DELETE 1

> @T2 merge into t using s on t.id = s.id and s.id = 1 when matched then update set v = 1 when not matched and s.id = 1 then insert values (1, 1111)
(waits)

> @T1 commit
COMMIT
T2 resumes:
MERGE 1

> @T1 select * from t order by id
id:int4 | v:int4
1 | 1111
2 | 777
3 | 30
4 | 0
22 | 22
SELECT 5

# Rolled back.
> @T1 begin
BEGIN

> @T1 delete from t where id = 1
DELETE 1

> @T2 merge into t using s on t.id = s.id and s.id = 1 when matched then update set v = 1 when not matched and s.id = 1 then insert values (1, 2222)
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
MERGE 1

> @T1 select * from t order by id
id:int4 | v:int4
1 | 1
2 | 777
3 | 30
4 | 0
22 | 22
SELECT 5

# Repeatable read.
> @T2 begin isolation level repeatable read
BEGIN

> @T2 select count(*) from t
count:int8
5
SELECT 1

> @T1 update t set v = 5 where id = 2
UPDATE 1

> @T2 merge into t using s on t.id = s.id when matched then update set v = 9
ERROR 40001: could not serialize access due to concurrent update

> @T2 rollback
ROLLBACK

# Another inserts the same key.
> @T1 begin
BEGIN

> @T1 insert into t values (40, 1)
INSERT 0 1

> @T2 merge into t using (values (40)) w (i) on id = i when not matched then insert values (i, 2)
(waits)

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(40) already exists.

# DO NOTHING waits for nobody.
> @T1 begin
BEGIN

> @T1 update t set v = 6 where id = 2
UPDATE 1

> @T2 merge into t using s on t.id = s.id when matched and t.id = 2 then do nothing when matched and t.id = 1 then update set v = 3 when not matched then do nothing
MERGE 1

> @T1 rollback
ROLLBACK

> @T1 select * from t order by id
id:int4 | v:int4
1 | 3
2 | 5
3 | 30
4 | 0
22 | 22
40 | 1
SELECT 6

