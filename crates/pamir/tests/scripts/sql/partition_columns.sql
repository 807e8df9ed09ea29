# Rows are routed to partitions whose columns have other places, before and after columns come and go.

> create table r(a int, b text, c int) partition by range(a)
CREATE TABLE

> create table r1(c int, junk int, a int, b text)
CREATE TABLE

> alter table r1 drop column junk
ALTER TABLE

> alter table r attach partition r1 for values from (0) to (10)
ALTER TABLE

> create table r2 partition of r for values from (10) to (20)
CREATE TABLE

> insert into r values (1,'x',5),(11,'y',6)
INSERT 0 2

> alter table r add column d int default 7, add constraint ck check (d > 0)
ALTER TABLE

> insert into r values (2,'x',5),(12,'y',6)
INSERT 0 2

> update r set a = a+10 where a < 10 returning *
a:int4 | b:text | c:int4 | d:int4
11 | x | 5 | 7
12 | x | 5 | 7
UPDATE 2

> update r set a = a-10 where a > 10 returning *
a:int4 | b:text | c:int4 | d:int4
1 | y | 6 | 7
2 | y | 6 | 7
1 | x | 5 | 7
2 | x | 5 | 7
UPDATE 4

> select tableoid::regclass,* from r order by 1,2,3
tableoid:regclass | a:int4 | b:text | c:int4 | d:int4
r1 | 1 | x | 5 | 7
r1 | 1 | y | 6 | 7
r1 | 2 | x | 5 | 7
r1 | 2 | y | 6 | 7
SELECT 4

> alter table r drop column b
ALTER TABLE

> insert into r values (3,5,1),(13,6,2) returning *
a:int4 | c:int4 | d:int4
3 | 5 | 1
13 | 6 | 2
INSERT 0 2

> insert into r values (3,5,-1)
ERROR 23514: new row for relation "r1" violates check constraint "ck"
DETAIL: Failing row contains (3, 5, -1).

> insert into r values (33,5,-1)
ERROR 23514: no partition of relation "r" found for row
DETAIL: Partition key of the failing row contains (a) = (33).

> alter table r alter column c type text, add column e int not null default 3
ALTER TABLE

> insert into r values (4,'k',1),(14,'l',2) returning *
a:int4 | c:text | d:int4 | e:int4
4 | k | 1 | 3
14 | l | 2 | 3
INSERT 0 2

> select tableoid::regclass,* from r order by 1,2,3,4
tableoid:regclass | a:int4 | c:text | d:int4 | e:int4
r1 | 1 | 5 | 7 | 3
r1 | 1 | 6 | 7 | 3
r1 | 2 | 5 | 7 | 3
r1 | 2 | 6 | 7 | 3
r1 | 3 | 5 | 1 | 3
r1 | 4 | k | 1 | 3
r2 | 13 | 6 | 2 | 3
r2 | 14 | l | 2 | 3
SELECT 8

> merge into r using (values (4,1),(5,2),(15,3)) v(a,x) on r.a=v.a when matched then update set a = r.a+10 when not matched then insert (a,c,d) values (v.a,'m',v.x)
MERGE 3

> select tableoid::regclass,* from r order by 1,2,3,4
tableoid:regclass | a:int4 | c:text | d:int4 | e:int4
r1 | 1 | 5 | 7 | 3
r1 | 1 | 6 | 7 | 3
r1 | 2 | 5 | 7 | 3
r1 | 2 | 6 | 7 | 3
r1 | 3 | 5 | 1 | 3
r1 | 5 | m | 2 | 3
r2 | 13 | 6 | 2 | 3
r2 | 14 | k | 1 | 3
r2 | 14 | l | 2 | 3
r2 | 15 | m | 3 | 3
SELECT 10

