# Correlated aggregates over rows that no index finds: by key, a value for each, also for keys that have no row and for NULL.
> create table outer_rows (id int primary key, k int, t text, n numeric, c char(4), b bigint)
CREATE TABLE

> create table inner_rows (id int primary key, k int, t text, n numeric, c char(4), v int, d int)
CREATE TABLE

> insert into outer_rows select g, case when g % 7 = 0 then null else g % 6 end, 't' || g % 4, (g % 3)::numeric / 2, 'c' || g % 3, g % 5 from generate_series(1, 20) g
INSERT 0 20

> insert into inner_rows select g, case when g % 11 = 0 then null else g % 5 end, 't' || g % 3, round((g % 3)::numeric / 2, 2), 'c' || g % 2, g, g % 5 from generate_series(1, 60) g
INSERT 0 60

> select id, k, (select sum(v) from inner_rows i where i.k = o.k) s from outer_rows o order by id
id:int4 | k:int4 | s:int8
1 | 1 | 331
2 | 2 | 332
3 | 3 | 333
4 | 4 | 334
5 | 5 | NULL
6 | 0 | 335
7 | NULL | NULL
8 | 2 | 332
9 | 3 | 333
10 | 4 | 334
11 | 5 | NULL
12 | 0 | 335
13 | 1 | 331
14 | NULL | NULL
15 | 3 | 333
16 | 4 | 334
17 | 5 | NULL
18 | 0 | 335
19 | 1 | 331
20 | 2 | 332
SELECT 20

> select id, k, (select count(*) from inner_rows i where i.k = o.k) c from outer_rows o order by id
id:int4 | k:int4 | c:int8
1 | 1 | 11
2 | 2 | 11
3 | 3 | 11
4 | 4 | 11
5 | 5 | 0
6 | 0 | 11
7 | NULL | 0
8 | 2 | 11
9 | 3 | 11
10 | 4 | 11
11 | 5 | 0
12 | 0 | 11
13 | 1 | 11
14 | NULL | 0
15 | 3 | 11
16 | 4 | 11
17 | 5 | 0
18 | 0 | 11
19 | 1 | 11
20 | 2 | 11
SELECT 20

> select id, (select coalesce(max(v), -1) + 1 from inner_rows i where o.k = i.k and i.v > 55) m from outer_rows o order by id
id:int4 | m:int4
1 | 57
2 | 58
3 | 59
4 | 60
5 | 0
6 | 61
7 | 0
8 | 58
9 | 59
10 | 60
11 | 0
12 | 61
13 | 57
14 | 0
15 | 59
16 | 60
17 | 0
18 | 61
19 | 57
20 | 58
SELECT 20

> select id, (select count(*) || ':' || coalesce(min(v)::text, 'none') from inner_rows i where i.t = o.t and i.k = o.k) m from outer_rows o order by id
id:int4 | m:text
1 | 4:1
2 | 4:2
3 | 0:none
4 | 4:9
5 | 0:none
6 | 4:5
7 | 0:none
8 | 4:12
9 | 4:13
10 | 3:14
11 | 0:none
12 | 4:15
13 | 4:1
14 | 0:none
15 | 0:none
16 | 4:9
17 | 0:none
18 | 4:5
19 | 0:none
20 | 4:12
SELECT 20

> select id from outer_rows o where b > (select 0.01 * avg(v) from inner_rows i where i.n = o.n) order by id
id:int4
1
2
3
4
6
7
8
9
11
12
13
14
16
17
18
19
SELECT 16

> select id, (select sum(v) from inner_rows i where i.c = o.c) s from outer_rows o order by id
id:int4 | s:int8
1 | 900
2 | NULL
3 | 930
4 | 900
5 | NULL
6 | 930
7 | 900
8 | NULL
9 | 930
10 | 900
11 | NULL
12 | 930
13 | 900
14 | NULL
15 | 930
16 | 900
17 | NULL
18 | 930
19 | 900
20 | NULL
SELECT 20

> select id, (select sum(v) from inner_rows i where i.k = o.b) s from outer_rows o order by id
id:int4 | s:int8
1 | 331
2 | 332
3 | 333
4 | 334
5 | 335
6 | 331
7 | 332
8 | 333
9 | 334
10 | 335
11 | 331
12 | 332
13 | 333
14 | 334
15 | 335
16 | 331
17 | 332
18 | 333
19 | 334
20 | 335
SELECT 20

> select id, (select sum(v) from inner_rows i where i.k = o.k + 1 and i.t = 't1') s from outer_rows o order by id
id:int4 | s:int8
1 | 96
2 | 142
3 | 106
4 | NULL
5 | NULL
6 | 94
7 | NULL
8 | 142
9 | 106
10 | NULL
11 | NULL
12 | 94
13 | 96
14 | NULL
15 | 106
16 | NULL
17 | NULL
18 | 94
19 | 96
20 | 142
SELECT 20

> select id, (select array_agg(v order by v desc) from inner_rows i where i.k = o.k and v < 20) s from outer_rows o order by id
id:int4 | s:_int4
1 | {16,6,1}
2 | {17,12,7,2}
3 | {18,13,8,3}
4 | {19,14,9,4}
5 | NULL
6 | {15,10,5}
7 | NULL
8 | {17,12,7,2}
9 | {18,13,8,3}
10 | {19,14,9,4}
11 | NULL
12 | {15,10,5}
13 | {16,6,1}
14 | NULL
15 | {18,13,8,3}
16 | {19,14,9,4}
17 | NULL
18 | {15,10,5}
19 | {16,6,1}
20 | {17,12,7,2}
SELECT 20

> select id, (select count(distinct t) from inner_rows i where i.k = o.k) s from outer_rows o order by id
id:int4 | s:int8
1 | 3
2 | 3
3 | 3
4 | 3
5 | 0
6 | 3
7 | 0
8 | 3
9 | 3
10 | 3
11 | 0
12 | 3
13 | 3
14 | 0
15 | 3
16 | 3
17 | 0
18 | 3
19 | 3
20 | 3
SELECT 20

> select id, (select sum(i.v) from inner_rows i join outer_rows x on x.id = i.id where i.k = o.k and x.k = o.k) s from outer_rows o order by id
id:int4 | s:int8
1 | 1
2 | 2
3 | 3
4 | 4
5 | NULL
6 | NULL
7 | NULL
8 | 2
9 | 3
10 | 4
11 | NULL
12 | NULL
13 | 1
14 | NULL
15 | 3
16 | 4
17 | NULL
18 | NULL
19 | 1
20 | 2
SELECT 20

> select k, count(*) from outer_rows o group by k having count(*) > (select count(*) / 5 from inner_rows i where i.k = o.k) order by k
k:int4 | count:int8
0 | 3
1 | 3
2 | 3
3 | 3
4 | 3
5 | 3
NULL | 2
SELECT 7

# A key that is never asked for has no value: 0 is k's least.
> select id, (select 100 / min(d) from inner_rows i where i.k = o.k) s from outer_rows o where k > 0 order by id
id:int4 | s:int4
1 | 100
2 | 50
3 | 33
4 | 25
5 | NULL
8 | 50
9 | 33
10 | 25
11 | NULL
13 | 100
15 | 33
16 | 25
17 | NULL
19 | 100
20 | 50
SELECT 15

> select id, (select 100 / min(d) from inner_rows i where i.k = o.k) s from outer_rows o order by id
id:int4 | s:int4
1 | 100
2 | 50
3 | 33
4 | 25
5 | NULL
ERROR 22012: division by zero

# Correlated otherwise: nothing to make a table of.
> select id, (select sum(v) from inner_rows i where i.k = o.k and i.v > o.id) s from outer_rows o order by id
id:int4 | s:int8
1 | 330
2 | 330
3 | 330
4 | 330
5 | NULL
6 | 330
7 | NULL
8 | 323
9 | 322
10 | 321
11 | NULL
12 | 320
13 | 324
14 | NULL
15 | 309
16 | 307
17 | NULL
18 | 305
19 | 308
20 | 294
SELECT 20

> select id, (select sum(v + o.id) from inner_rows i where i.k = o.k) s from outer_rows o order by id
id:int4 | s:int8
1 | 342
2 | 354
3 | 366
4 | 378
5 | NULL
6 | 401
7 | NULL
8 | 420
9 | 432
10 | 444
11 | NULL
12 | 467
13 | 474
14 | NULL
15 | 498
16 | 510
17 | NULL
18 | 533
19 | 540
20 | 552
SELECT 20

> select id, (select sum(v) from inner_rows i where i.k = o.k having sum(v) > 130) s from outer_rows o order by id
id:int4 | s:int8
1 | 331
2 | 332
3 | 333
4 | 334
5 | NULL
6 | 335
7 | NULL
8 | 332
9 | 333
10 | 334
11 | NULL
12 | 335
13 | 331
14 | NULL
15 | 333
16 | 334
17 | NULL
18 | 335
19 | 331
20 | 332
SELECT 20

> select id, (select v from inner_rows i where i.k = o.k order by v limit 1) s from outer_rows o order by id
id:int4 | s:int4
1 | 1
2 | 2
3 | 3
4 | 4
5 | NULL
6 | 5
7 | NULL
8 | 2
9 | 3
10 | 4
11 | NULL
12 | 5
13 | 1
14 | NULL
15 | 3
16 | 4
17 | NULL
18 | 5
19 | 1
20 | 2
SELECT 20

> select id, (select v from inner_rows i where i.k = o.k) s from outer_rows o where id < 3 order by id
id:int4 | s:int4
ERROR 21000: more than one row returned by a subquery used as an expression

> update outer_rows o set b = (select count(*) from inner_rows i where i.k = o.k) where exists (select 1 from inner_rows i where i.d = o.k)
UPDATE 15

> select id, b from outer_rows order by id
id:int4 | b:int8
1 | 11
2 | 11
3 | 11
4 | 11
5 | 0
6 | 11
7 | 2
8 | 11
9 | 11
10 | 11
11 | 1
12 | 11
13 | 11
14 | 4
15 | 11
16 | 11
17 | 2
18 | 11
19 | 11
20 | 11
SELECT 20

> prepare p(int) as select id, (select sum(v) from inner_rows i where i.k = o.k and i.d <> $1) s from outer_rows o order by id
PREPARE

> execute p(1)
id:int4 | s:int8
1 | NULL
2 | 332
3 | 333
4 | 334
5 | NULL
6 | 335
7 | NULL
8 | 332
9 | 333
10 | 334
11 | NULL
12 | 335
13 | NULL
14 | NULL
15 | 333
16 | 334
17 | NULL
18 | 335
19 | NULL
20 | 332
SELECT 20

> execute p(2)
id:int4 | s:int8
1 | 331
2 | NULL
3 | 333
4 | 334
5 | NULL
6 | 335
7 | NULL
8 | NULL
9 | 333
10 | 334
11 | NULL
12 | 335
13 | 331
14 | NULL
15 | 333
16 | 334
17 | NULL
18 | 335
19 | 331
20 | NULL
SELECT 20

# In a subquery that runs again itself.
> select x.id, (select sum((select max(v) from inner_rows i where i.k = o.k)) from outer_rows o where o.id < x.id) s from outer_rows x order by id
id:int4 | s:int8
1 | NULL
2 | 56
3 | 113
4 | 171
5 | 230
6 | 230
7 | 290
8 | 290
9 | 347
10 | 405
11 | 464
12 | 464
13 | 524
14 | 580
15 | 580
16 | 638
17 | 697
18 | 697
19 | 757
20 | 813
SELECT 20

# Equalities that follow from others, so that any two of the relations may be joined first.
> select count(*), sum(a.id) from outer_rows a, outer_rows b, outer_rows c where a.k = b.k and b.k = c.k
count:int8 | sum:int8
162 | 1701
SELECT 1

> select count(*), sum(i.id) from outer_rows a, inner_rows i, outer_rows c where a.k = i.k and i.k = c.k and i.d = a.k and i.v < 30
count:int8 | sum:int8
243 | 3618
SELECT 1

> select a.id, c.id from outer_rows a join inner_rows i on i.id = a.id join inner_rows j on j.id = i.id and j.k = i.d join outer_rows c on c.id = j.id and c.k = a.k order by 1, 2
id:int4 | id:int4
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5
6 | 6
8 | 8
9 | 9
10 | 10
12 | 12
13 | 13
15 | 15
16 | 16
17 | 17
18 | 18
19 | 19
20 | 20
SELECT 17

> select count(*) from outer_rows a, inner_rows i, outer_rows c where a.k = i.k and i.k = c.k and a.k = c.k and a.k = i.d
count:int8
495
SELECT 1

> select count(*), count(c.id) from outer_rows a join inner_rows i on a.k = i.k left join outer_rows c on c.k = i.k and c.id = a.id
count:int8 | count:int8
165 | 165
SELECT 1

> select count(*) from (outer_rows a left join inner_rows i on a.k = i.k) join outer_rows c on c.k = i.k join outer_rows d on d.k = c.k
count:int8
1485
SELECT 1

> select count(*) from outer_rows a, lateral (select i.k from inner_rows i where i.k = a.k limit 2) l, outer_rows c where c.k = l.k
count:int8
90
SELECT 1

> select count(*) from outer_rows a, outer_rows b, outer_rows c where a.t = b.t and b.t = c.t and a.c = b.c and c.c = b.c and a.n = c.n
count:int8
68
SELECT 1

> select count(*) from outer_rows a where a.k in (select i.k from inner_rows i, outer_rows b where i.k = b.k and b.k = a.k)
count:int8
15
SELECT 1

> drop table outer_rows, inner_rows
DROP TABLE

