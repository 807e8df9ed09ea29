# An action that reads nothing of the rows that a statement changes is run once, not once a row, unless the statement's condition reads them.

> create table a (i int)
CREATE TABLE

> create table l (i int)
CREATE TABLE

> create table b (i int)
CREATE TABLE

> insert into a values (1), (2), (3)
INSERT 0 3

> insert into b values (1), (2)
INSERT 0 2

> create view av as select i from a where i > 0
CREATE VIEW

> create rule rd as on delete to a do instead insert into l values (42)
CREATE RULE

> delete from a
DELETE 0

> select * from l
i:int4
42
SELECT 1

> delete from a where true
DELETE 0

> delete from a where exists (select from b)
DELETE 0

> delete from a where false
DELETE 0

> select count(*) from l
count:int8
3
SELECT 1

> delete from a where i > 1
DELETE 0

> select count(*) from l
count:int8
5
SELECT 1

> delete from a using b
DELETE 0

> select count(*) from l
count:int8
7
SELECT 1

> delete from a using b where b.i = 1
DELETE 0

> delete from a using b where b.i = a.i
DELETE 0

> select count(*) from l
count:int8
10
SELECT 1

> with t as (delete from a) select 1
?column?:int4
1
SELECT 1

> select count(*) from l
count:int8
11
SELECT 1

> delete from av
DELETE 0

> delete from av where i > 2
DELETE 0

> select count(*) from l
count:int8
15
SELECT 1

> truncate a
TRUNCATE TABLE

> delete from a
DELETE 0

> select count(*) from l
count:int8
16
SELECT 1

> drop rule rd on a
DROP RULE

> insert into a values (1), (2), (3)
INSERT 0 3

> truncate l
TRUNCATE TABLE

> create rule ru as on update to a do also insert into l values (43)
CREATE RULE

> update a set i = i + 1
UPDATE 3

> update a set i = i where i > 2
UPDATE 2

> select * from l
i:int4
43
43
43
SELECT 3

> truncate l
TRUNCATE TABLE

> create or replace rule ru as on update to a where current_user is not null do also insert into l values (44)
CREATE RULE

> update a set i = i + 1
UPDATE 3

> select * from l
i:int4
44
SELECT 1

> create or replace rule ru as on update to a where old.i > 3 do also insert into l values (45)
CREATE RULE

> update a set i = i + 1
UPDATE 3

> select * from l
i:int4
44
45
45
SELECT 3

> create or replace rule ru as on update to a do also insert into l select new.i
CREATE RULE

> update a set i = 7
UPDATE 3

> select * from l order by i
i:int4
7
7
7
44
45
45
SELECT 6

> create rule vd as on delete to av do instead delete from l
CREATE RULE

> delete from av where i = 100
DELETE 0

> select count(*) from l
count:int8
6
SELECT 1

> delete from av
DELETE 6

> select count(*) from l
count:int8
0
SELECT 1

> drop view av
DROP VIEW

> drop table a, b, l
DROP TABLE
