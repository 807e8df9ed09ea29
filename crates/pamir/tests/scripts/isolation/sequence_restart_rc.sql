# ALTER SEQUENCE ... RESTART in an open transaction holds others' nextval back.
> create sequence s
CREATE SEQUENCE

> select nextval('s'), nextval('s')
nextval:int8 | nextval:int8
1 | 2
SELECT 1

> @T1 begin
BEGIN

> @T1 alter sequence s restart with 100
ALTER SEQUENCE

> @T1 select nextval('s')
nextval:int8
100
SELECT 1

> @T2 select nextval('s')
(waits)

> @T1 commit
COMMIT
T2 resumes:
nextval:int8
101
SELECT 1

> @T2 select nextval('s')
nextval:int8
102
SELECT 1

> @T1 begin
BEGIN

> @T1 alter sequence s restart with 500
ALTER SEQUENCE

> @T2 select setval('s', 7)
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
setval:int8
7
SELECT 1

> @T2 select nextval('s')
nextval:int8
8
SELECT 1

> @T1 begin
BEGIN

> @T1 alter sequence s increment 10
ALTER SEQUENCE

> @T2 insert into nosuch values (1)
ERROR 42P01: relation "nosuch" does not exist

> @T2 select nextval('s')
(waits)

> @T1 commit
COMMIT
T2 resumes:
nextval:int8
18
SELECT 1

> select nextval('s')
nextval:int8
28
SELECT 1

