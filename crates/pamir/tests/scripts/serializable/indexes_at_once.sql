# Two sessions make indexes of one table: the second waits for the first, and both stand.
> create table t (id int primary key, a int, b int)
CREATE TABLE

> @T1 begin
BEGIN

> @T1 create index t_a on t (a)
CREATE INDEX

> @T2 create index t_b on t (b)
(waits)

> @T1 commit
COMMIT
T2 resumes:
CREATE INDEX

> select indexrelid::regclass from pg_index where indrelid = 't'::regclass order by 1
indexrelid:regclass
t_pkey
t_a
t_b
SELECT 3
