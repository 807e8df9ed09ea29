# GROUPING(): which keys a row's set lacks.
> create table s (a int, b text, v int)
CREATE TABLE

> insert into s values (1, 'x', 10), (1, 'y', 20), (2, 'x', 30), (null, 'x', 40)
INSERT 0 4

> select a, b, grouping(a), grouping(b), grouping(a, b), grouping(b, a), sum(v) from s group by rollup(a, b) order by 5, 1, 2
a:int4 | b:text | grouping:int4 | grouping:int4 | grouping:int4 | grouping:int4 | sum:int8
1 | x | 0 | 0 | 0 | 0 | 10
1 | y | 0 | 0 | 0 | 0 | 20
2 | x | 0 | 0 | 0 | 0 | 30
NULL | x | 0 | 0 | 0 | 0 | 40
1 | NULL | 0 | 1 | 1 | 2 | 30
2 | NULL | 0 | 1 | 1 | 2 | 30
NULL | NULL | 0 | 1 | 1 | 2 | 40
NULL | NULL | 1 | 1 | 3 | 3 | 100
SELECT 8

> select a, b, grouping(a, b), count(*) from s group by cube(a, b) order by 3, 1, 2
a:int4 | b:text | grouping:int4 | count:int8
1 | x | 0 | 1
1 | y | 0 | 1
2 | x | 0 | 1
NULL | x | 0 | 1
1 | NULL | 1 | 2
2 | NULL | 1 | 1
NULL | NULL | 1 | 1
NULL | x | 2 | 3
NULL | y | 2 | 1
NULL | NULL | 3 | 4
SELECT 10

> select a, b, grouping(a, b) from s group by grouping sets ((a), (b), ()) order by 3, 1, 2
a:int4 | b:text | grouping:int4
1 | NULL | 1
2 | NULL | 1
NULL | NULL | 1
NULL | x | 2
NULL | y | 2
NULL | NULL | 3
SELECT 6

> select a, sum(v) from s group by rollup(a) having grouping(a) = 0 order by a
a:int4 | sum:int8
1 | 30
2 | 30
NULL | 40
SELECT 3

> select a, sum(v) from s group by rollup(a) order by grouping(a) desc, a
a:int4 | sum:int8
NULL | 100
1 | 30
2 | 30
NULL | 40
SELECT 4

> select case when grouping(a) = 1 then 'all' else coalesce(a::text, 'none') end as a, sum(v) from s group by rollup(a) order by grouping(a), 1
a:text | sum:int8
1 | 30
2 | 30
none | 40
all | 100
SELECT 4

> select a + 1, grouping(a + 1) from s group by rollup(a + 1) order by 2, 1
?column?:int4 | grouping:int4
2 | 0
3 | 0
NULL | 0
NULL | 1
SELECT 4

> select grouping(a), grouping(a, b) from s group by a, b order by 1, 2 limit 1
grouping:int4 | grouping:int4
0 | 0
SELECT 1

> select grouping(v) from s group by rollup(a)
ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level

> select grouping(v) from s group by a
ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level

> select grouping(a) from s
ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level

> select a, rank() over (partition by grouping(a) order by sum(v) desc) from s group by rollup(a) order by grouping(a), 2, 1
a:int4 | rank:int8
NULL | 1
1 | 2
2 | 2
NULL | 1
SELECT 4

> select grouping(a), count(*) from s where false group by rollup(a)
grouping:int4 | count:int8
1 | 0
SELECT 1
