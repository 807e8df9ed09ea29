# Statements that wait for another session's DDL see what it made of the table.
> create table test (id int primary key)
CREATE TABLE

> insert into test values (1)
INSERT 0 1

> @T1 begin
BEGIN

> @T1 alter table test add column c int default 7
ALTER TABLE

> @T2 select * from test
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | c:int4
1 | 7
SELECT 1

> @T2 select * from test
id:int4 | c:int4
1 | 7
SELECT 1

> @T1 begin
BEGIN

> @T1 alter table test drop column c
ALTER TABLE

> @T2 insert into test values (2) returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4
2
INSERT 0 1

> @T1 begin
BEGIN

> @T1 alter table test add column d text
ALTER TABLE

> @T2 select * from test where id = 2
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | d:text
2 | NULL
SELECT 1
