# Triggers between sessions: what a BEFORE trigger sees of a row that changed meanwhile, triggers made and dropped while others write, plans that follow.

> @T1 create table t (id int primary key, a int, note text)
CREATE TABLE

> @T1 insert into t values (1, 1), (2, 2)
INSERT 0 2

> @T1 create function seen() returns trigger language plpgsql as $$ begin new.note := coalesce(old.note, '') || ' ' || old.a || '>' || new.a; return new; end $$
CREATE FUNCTION

> @T1 create trigger seen before update on t for each row when (old.a < 100) execute function seen()
CREATE TRIGGER

> @T1 begin
BEGIN

> @T1 update t set a = a + 10 where id = 1
UPDATE 1

> @T2 update t set a = a + 5 where a < 50
(waits)

> @T1 commit
COMMIT
T2 resumes:
UPDATE 2

> @T2 select * from t order by id
id:int4 | a:int4 | note:text
1 | 16 |  1>11 11>16
2 | 7 |  2>7
SELECT 2

> @T1 begin
BEGIN

> @T1 update t set a = 200 where id = 2
UPDATE 1

> @T2 update t set a = a + 1 where id = 2
(waits)

> @T1 commit
COMMIT
T2 resumes:
UPDATE 1

> @T2 select * from t order by id
id:int4 | a:int4 | note:text
1 | 16 |  1>11 11>16
2 | 201 |  2>7 7>200
SELECT 2

> @T1 begin
BEGIN

> @T1 delete from t where id = 2
DELETE 1

> @T2 update t set a = 0 where id = 2
(waits)

> @T1 commit
COMMIT
T2 resumes:
UPDATE 0

> @T2 prepare up as update t set a = a + 1 where id = 1
PREPARE

> @T2 execute up
UPDATE 1

> @T1 begin
BEGIN

> @T1 insert into t values (3, 3)
INSERT 0 1

> @T2 drop trigger seen on t
(waits)

> @T1 commit
COMMIT
T2 resumes:
DROP TRIGGER

> @T1 update t set a = 0 where id = 3
UPDATE 1

> @T2 begin
BEGIN

> @T2 create trigger seen before update on t for each row execute function seen()
CREATE TRIGGER

> @T1 update t set a = 7 where id = 3
(waits)

> @T2 commit
COMMIT
T1 resumes:
UPDATE 1

> @T2 execute up
UPDATE 1

> @T1 select * from t order by id
id:int4 | a:int4 | note:text
1 | 18 |  1>11 11>16 16>17 17>18
3 | 7 |  0>7
SELECT 2

> @T1 begin isolation level repeatable read
BEGIN

> @T1 select count(*) from t
count:int8
2
SELECT 1

> @T2 update t set a = 50 where id = 3
UPDATE 1

> @T1 update t set a = 51 where id = 3
ERROR 40001: could not serialize access due to concurrent update

> @T1 rollback
ROLLBACK

> @T1 create function deep() returns trigger language plpgsql as $$ begin perform pg_sleep(0); update t set a = a + 1 where id = 1; return null; end $$
CREATE FUNCTION

> @T1 create constraint trigger late after insert on t initially deferred for each row execute function deep()
CREATE TRIGGER

> @T1 begin
BEGIN

> @T1 insert into t values (4, 4)
INSERT 0 1

> @T2 begin
BEGIN

> @T2 update t set a = 1000 where id = 1
UPDATE 1

> @T1 commit
(waits)

> @T2 commit
COMMIT
T1 resumes:
COMMIT

> @T2 select * from t order by id
id:int4 | a:int4 | note:text
1 | 1001 |  1>11 11>16 16>17 17>18 18>1000 1000>1001
3 | 50 |  0>7 7>50
4 | 4 | NULL
SELECT 3
