# What row locks may be asked of, and the test of rows that changed while a lock was waited for.
> create table t (id int primary key, a int, b int)
CREATE TABLE
> create table u (id int primary key, v int)
CREATE TABLE
> insert into t values (1, 1, 1), (2, 2, 2), (3, 3, 3)
INSERT 0 3
> insert into u values (1, 1), (2, 2), (3, 3)
INSERT 0 3
> select a from t group by a for update
ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause
> select distinct a from t for update
ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause
> select count(*) from t for update
ERROR 0A000: FOR UPDATE is not allowed with aggregate functions
> select a from t having true for share
ERROR 0A000: FOR SHARE is not allowed with HAVING clause
> select a from t union select v from u for update
ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT
> values (1) for update
ERROR 0A000: FOR UPDATE cannot be applied to VALUES
> select a from t for update of x
ERROR 42P01: relation "x" in FOR UPDATE clause not found in FROM clause
> select * from (select distinct a from t) s for update
ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause
> select * from (select count(*) from t) s for no key update
ERROR 0A000: FOR NO KEY UPDATE is not allowed with aggregate functions
> select * from (select a from t union select v from u) s for share
ERROR 0A000: FOR SHARE is not allowed with UNION/INTERSECT/EXCEPT
> select * from t left join u on u.id = t.id for update
ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join
> select t.id, u.v from t left join u on u.id = t.id order by t.id for update of t
id:int4 | v:int4
1 | 1
2 | 2
3 | 3
SELECT 3
> with c as (select * from t) select * from c where id = 1 for update
id:int4 | a:int4 | b:int4
1 | 1 | 1
SELECT 1
# A join condition that no longer holds.
> @A begin
BEGIN
> @A update t set a = 30 where id = 3
UPDATE 1
> @B select t.id, t.a, u.v from t join u on u.v = t.a where t.id >= 2 order by t.id for update of t
(waits)
> @A commit
COMMIT
B resumes:
id:int4 | a:int4 | v:int4
2 | 2 | 2
SELECT 1
# A WHERE condition that still holds: the new version is read.
> @A begin
BEGIN
> @A update t set b = 20 where id = 2
UPDATE 1
> @B select t.id, t.b, u.v from t join u on u.v = t.a where t.id >= 2 and t.b > 1 order by t.id for update
(waits)
> @A commit
COMMIT
B resumes:
id:int4 | b:int4 | v:int4
2 | 20 | 2
SELECT 1
# An outer join whose condition fails on the new version.
> @A begin
BEGIN
> @A update t set a = 9 where id = 1
UPDATE 1
> @B select t.id, t.a, u.v from t left join u on u.v = t.a where t.id = 1 for update of t
(waits)
> @A commit
COMMIT
B resumes:
id:int4 | a:int4 | v:int4
1 | 9 | NULL
SELECT 1
# Two tables that changed.
> @A begin
BEGIN
> @A update t set a = 2 where id = 1
UPDATE 1
> @A update u set v = 2 where id = 1
UPDATE 1
> @B select t.id, t.a, u.id, u.v from t join u on u.id = t.id and u.v < 3 where t.id = 1 for update
(waits)
> @A commit
COMMIT
B resumes:
id:int4 | a:int4 | id:int4 | v:int4
1 | 2 | 1 | 2
SELECT 1
# A row that goes.
> @A begin
BEGIN
> @A delete from t where id = 2
DELETE 1
> @B select id from t where id in (2, 3) order by id for update
(waits)
> @A commit
COMMIT
B resumes:
id:int4
3
SELECT 1
# One left row against several right rows, the left one changed.
> delete from u
DELETE 3
> insert into u values (1, 3), (2, 30), (3, 31)
INSERT 0 3
> @A begin
BEGIN
> @A update t set a = 31, b = 4 where id = 3
UPDATE 1
> @B select t.id, t.a, u.v from t join u on u.v in (t.a, t.a + 1) where t.id = 3 order by u.id for update of t
(waits)
> @A commit
COMMIT
B resumes:
id:int4 | a:int4 | v:int4
3 | 31 | 31
SELECT 1
> @A begin
BEGIN
> @A update t set a = 2 where id = 3
UPDATE 1
> @B update t set b = u.v from u where t.id = 3 and u.v > t.a returning t.id, t.a, t.b > 0 as done
id:int4 | a:int4 | done:bool
UPDATE 0
> @A commit
COMMIT
