# CREATE, REINDEX and DROP INDEX CONCURRENTLY wait for those who were there before, and nobody waits for them.
> create table t (a int primary key, b int, c text)
CREATE TABLE

> insert into t select i, i % 10, 'x' || i from generate_series(1, 1000) i
INSERT 0 1000

> @T1 begin
BEGIN

> @T1 insert into t values (2001, 7, 'new')
INSERT 0 1

> @T1 delete from t where a = 7
DELETE 1

> @T2 create index concurrently t_b on t (b)
(waits)

> @T3 insert into t values (2002, 7, 'later')
INSERT 0 1

> @T3 update t set b = 7 where a = 18
UPDATE 1

> @T3 select indexrelid::regclass, indisvalid from pg_index where indrelid = 't'::regclass order by 1::text
indexrelid:regclass | indisvalid:bool
t_pkey | t
t_b | f
SELECT 2

> @T1 commit
COMMIT
T2 resumes:
CREATE INDEX

> set enable_seqscan = off
SET

> select count(*), sum(a) from t where b = 7
count:int8 | sum:int8
102 | 54214
SELECT 1

> @T1 begin
BEGIN

> @T1 update t set b = 8 where a = 28
UPDATE 1

> @T2 reindex index concurrently t_b
(waits)

> @T3 update t set b = 7 where a = 38
UPDATE 1

> @T3 delete from t where a = 17
DELETE 1

> @T1 rollback
ROLLBACK
T2 resumes:
REINDEX

> select count(*), sum(a) from t where b = 7
count:int8 | sum:int8
102 | 54235
SELECT 1

> select indexrelid::regclass, indisvalid from pg_index where indrelid = 't'::regclass order by 1::text
indexrelid:regclass | indisvalid:bool
t_pkey | t
t_b | t
SELECT 2

> @T1 begin
BEGIN

> @T1 select count(*) from t where b = 7
count:int8
102
SELECT 1

> @T2 drop index concurrently t_b
(waits)

> @T3 insert into t values (2003, 7, 'last')
INSERT 0 1

> @T3 select count(*) from t where b = 7
count:int8
103
SELECT 1

> @T1 commit
COMMIT
T2 resumes:
DROP INDEX

> select indexrelid::regclass, indisvalid from pg_index where indrelid = 't'::regclass order by 1::text
indexrelid:regclass | indisvalid:bool
t_pkey | t
SELECT 1

> @T1 begin
BEGIN

> @T1 insert into t values (3001, 3, 'twice')
INSERT 0 1

> @T2 create unique index concurrently t_c on t (c)
(waits)

> @T1 insert into t values (3002, 3, 'twice')
INSERT 0 1

> @T1 commit
COMMIT
T2 resumes:
ERROR 23505: could not create unique index "t_c"
DETAIL: Key (c)=(twice) is duplicated.

> drop index concurrently t_c
DROP INDEX

> create unique index concurrently t_c on t (c) where a < 3000
CREATE INDEX
