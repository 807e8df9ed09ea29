# A row that another session changed meanwhile is asked again: its ctid is another one, and what a subquery gives for it must not disturb the join that goes on.
> create table heap (b int, c text)
CREATE TABLE

> insert into heap select i % 5, 'x' || i from generate_series(1, 40) i
INSERT 0 40

> create table keyed (a int primary key, b int, n int default 0)
CREATE TABLE

> insert into keyed select i, i % 3 from generate_series(1, 30) i
INSERT 0 30

> create index on keyed (b)
CREATE INDEX

> create table wanted (b int)
CREATE TABLE

> insert into wanted values (1), (2)
INSERT 0 2

> analyze
ANALYZE

> @T1 begin
BEGIN

> @T1 update heap set b = 99 where c in ('x12', 'x22')
UPDATE 2

> @T2 with gone as (delete from heap where ctid in (select ctid from heap where b = 2 limit 3) returning c) select * from gone order by c
(waits)

> @T1 commit
COMMIT
T2 resumes:
c:text
x2
x7
SELECT 2

> @T1 begin
BEGIN

> @T1 update heap set c = c || 'y' where c in ('x17', 'x27')
UPDATE 2

> @T2 with changed as (update heap set b = b + 100 where ctid in (select ctid from heap where b = 2 order by c limit 3) returning b, c) select * from changed order by c
(waits)

> @T1 commit
COMMIT
T2 resumes:
b:int4 | c:text
102 | x32
SELECT 1

> @T1 begin
BEGIN

> @T1 update heap set b = 3 where c = 'x3'
UPDATE 1

> @T2 select c from heap where ctid = (select ctid from heap where c = 'x3') for update
(waits)

> @T1 commit
COMMIT
T2 resumes:
c:text
SELECT 0

> @T1 begin
BEGIN

> @T1 update keyed set n = n + 1 where a in (4, 5, 13, 14, 22)
UPDATE 5

> @T2 with changed as (update keyed set n = n + 10 where b in (select b from wanted) returning a, n) select * from changed order by a
(waits)

> @T1 commit
COMMIT
T2 resumes:
a:int4 | n:int4
1 | 10
2 | 10
4 | 11
5 | 11
7 | 10
8 | 10
10 | 10
11 | 10
13 | 11
14 | 11
16 | 10
17 | 10
19 | 10
20 | 10
22 | 11
23 | 10
25 | 10
26 | 10
28 | 10
29 | 10
SELECT 20

> @T1 begin
BEGIN

> @T1 update keyed set b = 0 where a in (4, 5)
UPDATE 2

> @T2 with changed as (update keyed set n = n + 100 where b in (select b from wanted) and a in (select a from keyed where b > 0) returning a, n) select * from changed order by a
(waits)

> @T1 commit
COMMIT
T2 resumes:
a:int4 | n:int4
1 | 110
2 | 110
7 | 110
8 | 110
10 | 110
11 | 110
13 | 111
14 | 111
16 | 110
17 | 110
19 | 110
20 | 110
22 | 111
23 | 110
25 | 110
26 | 110
28 | 110
29 | 110
SELECT 18

> @T1 begin
BEGIN

> @T1 update keyed set n = 7 where a = 1
UPDATE 1

> @T2 begin
BEGIN

> @T2 declare cur cursor for select * from keyed where a = 1 for update
DECLARE CURSOR

> @T1 commit
COMMIT

> select a, b, n from keyed order by a
a:int4 | b:int4 | n:int4
1 | 1 | 7
2 | 2 | 110
3 | 0 | 0
4 | 0 | 11
5 | 0 | 11
6 | 0 | 0
7 | 1 | 110
8 | 2 | 110
9 | 0 | 0
10 | 1 | 110
11 | 2 | 110
12 | 0 | 0
13 | 1 | 111
14 | 2 | 111
15 | 0 | 0
16 | 1 | 110
17 | 2 | 110
18 | 0 | 0
19 | 1 | 110
20 | 2 | 110
21 | 0 | 0
22 | 1 | 111
23 | 2 | 110
24 | 0 | 0
25 | 1 | 110
26 | 2 | 110
27 | 0 | 0
28 | 1 | 110
29 | 2 | 110
30 | 0 | 0
SELECT 30

> select b, c from heap where b in (2, 99, 102) order by c
b:int4 | c:text
99 | x12
2 | x17y
99 | x22
2 | x27y
102 | x32
2 | x37
SELECT 6
