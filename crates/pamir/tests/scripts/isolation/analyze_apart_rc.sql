# ANALYZE of several tables holds one at a time, and says what it passes by.
> create table a (x int)
CREATE TABLE

> create table b (x int)
CREATE TABLE

> insert into a select generate_series(1, 100)
INSERT 0 100

> @T1 begin
BEGIN

> @T1 lock table a in share mode
LOCK TABLE

> @T2 analyze b, a
(waits)

> @T1 drop table b
DROP TABLE

> @T1 commit
COMMIT
T2 resumes:
ANALYZE

> select relname, reltuples from pg_class where relname in ('a', 'b')
relname:name | reltuples:float4
a | 100
SELECT 1

> create table b (x int)
CREATE TABLE

> @T1 begin
BEGIN

> @T1 lock table a in share mode
LOCK TABLE

> @T2 analyze a, b
(waits)

> @T1 drop table b
DROP TABLE

> @T1 commit
COMMIT
T2 resumes:
WARNING 42P01: skipping analyze of "b" --- relation no longer exists
ANALYZE

> @T1 begin
BEGIN

> @T1 lock table a in share mode
LOCK TABLE

> @T2 analyze (skip_locked) a
WARNING 55P03: skipping analyze of "a" --- lock not available
ANALYZE

> @T1 commit
COMMIT
