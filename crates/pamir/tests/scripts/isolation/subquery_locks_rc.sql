# A lock over a subquery takes the rows that the conditions outside leave; the others are anybody's. What changed meanwhile is tested again.
> @T1 create table sl (id int primary key, a int)
CREATE TABLE

> @T1 insert into sl values (1, 1), (2, 2), (3, 3)
INSERT 0 3

> @T1 begin
BEGIN

> @T1 select * from (select * from sl) s where s.id = 1 for update
id:int4 | a:int4
1 | 1
SELECT 1

> @T2 update sl set a = 9 where id = 2
UPDATE 1

> @T2 update sl set a = 8 where ctid = (select ctid from sl order by id limit 1 for update skip locked) returning id
id:int4
2
UPDATE 1

> @T1 update sl set a = 100 where id = 3
UPDATE 1

> @T2 select * from (select * from sl) s where s.a < 50 and s.id = 3 for update
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | a:int4
SELECT 0

> @T1 drop table sl
DROP TABLE
