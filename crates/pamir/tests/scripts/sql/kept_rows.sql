# Operators that keep rows over nested loops that they read on from.
> create table t1 (id int4 primary key, a int4, b text)
CREATE TABLE

> insert into t1 select g, (g * 7) % 5, 'w' || g from generate_series(1, 20) g
INSERT 0 20

> update t1 set a = null where id % 6 = 0
UPDATE 3

> create index t1_1 on t1 (a desc)
CREATE INDEX

> create index t1_2 on t1 (a, id)
CREATE INDEX

> analyze t1
ANALYZE

> select x1.id, count(*) over (partition by x1.a order by x1.id) from t1 x1 join lateral (values (x1.b), (x1.b)) x2 on true order by x1.a, x1.id
id:int4 | count:int8
5 | 2
5 | 2
10 | 4
10 | 4
15 | 6
15 | 6
20 | 8
20 | 8
3 | 2
3 | 2
8 | 4
8 | 4
13 | 6
13 | 6
1 | 2
1 | 2
11 | 4
11 | 4
16 | 6
16 | 6
4 | 2
4 | 2
9 | 4
9 | 4
14 | 6
14 | 6
19 | 8
19 | 8
2 | 2
2 | 2
7 | 4
7 | 4
17 | 6
17 | 6
6 | 2
6 | 2
12 | 4
12 | 4
18 | 6
18 | 6
SELECT 40

> select x1.a, x1.id, sum(x1.id) over (partition by x1.a) from t1 x1 join lateral (select x1.b union all select x1.b) x2 on true where x1.a > 1 order by x1.a, x1.id
a:int4 | id:int4 | sum:int8
2 | 1 | 56
2 | 1 | 56
2 | 11 | 56
2 | 11 | 56
2 | 16 | 56
2 | 16 | 56
3 | 4 | 92
3 | 4 | 92
3 | 9 | 92
3 | 9 | 92
3 | 14 | 92
3 | 14 | 92
3 | 19 | 92
3 | 19 | 92
4 | 2 | 52
4 | 2 | 52
4 | 7 | 52
4 | 7 | 52
4 | 17 | 52
4 | 17 | 52
SELECT 20

> select x1.a, x1.b, x2.n from t1 x1 join lateral (values (2), (1), (x1.id)) x2(n) on true order by x1.a, x2.n, x1.id limit 25
a:int4 | b:text | n:int4
0 | w5 | 1
0 | w10 | 1
0 | w15 | 1
0 | w20 | 1
0 | w5 | 2
0 | w10 | 2
0 | w15 | 2
0 | w20 | 2
0 | w5 | 5
0 | w10 | 10
0 | w15 | 15
0 | w20 | 20
1 | w3 | 1
1 | w8 | 1
1 | w13 | 1
1 | w3 | 2
1 | w8 | 2
1 | w13 | 2
1 | w3 | 3
1 | w8 | 8
1 | w13 | 13
2 | w1 | 1
2 | w1 | 1
2 | w11 | 1
2 | w16 | 1
SELECT 25

> select x1.a, x1.id, last_value(x2.n) over (partition by x1.a order by x1.id, x2.n rows between current row and 1 following) from t1 x1 cross join lateral generate_series(x1.id, x1.id + 1) x2(n) order by x1.a, x1.id, x2.n
a:int4 | id:int4 | last_value:int4
0 | 5 | 6
0 | 5 | 10
0 | 10 | 11
0 | 10 | 15
0 | 15 | 16
0 | 15 | 20
0 | 20 | 21
0 | 20 | 21
1 | 3 | 4
1 | 3 | 8
1 | 8 | 9
1 | 8 | 13
1 | 13 | 14
1 | 13 | 14
2 | 1 | 2
2 | 1 | 11
2 | 11 | 12
2 | 11 | 16
2 | 16 | 17
2 | 16 | 17
3 | 4 | 5
3 | 4 | 9
3 | 9 | 10
3 | 9 | 14
3 | 14 | 15
3 | 14 | 19
3 | 19 | 20
3 | 19 | 20
4 | 2 | 3
4 | 2 | 7
4 | 7 | 8
4 | 7 | 17
4 | 17 | 18
4 | 17 | 18
NULL | 6 | 7
NULL | 6 | 12
NULL | 12 | 13
NULL | 12 | 18
NULL | 18 | 19
NULL | 18 | 19
SELECT 40

> select x1.a, count(*), min(x2.n) from t1 x1 cross join lateral generate_series(x1.id, x1.id + 1) x2(n) group by x1.a order by x1.a
a:int4 | count:int8 | min:int4
0 | 8 | 5
1 | 6 | 3
2 | 6 | 1
3 | 8 | 4
4 | 6 | 2
NULL | 6 | 6
SELECT 6

> select distinct on (x1.a) x1.a, x1.id, x2.n from t1 x1 cross join lateral generate_series(x1.id, x1.id + 1) x2(n) order by x1.a, x1.id desc, x2.n desc
a:int4 | id:int4 | n:int4
0 | 20 | 21
1 | 13 | 14
2 | 16 | 17
3 | 19 | 20
4 | 17 | 18
NULL | 18 | 19
SELECT 6

> select x1.a from t1 x1 cross join lateral generate_series(x1.id, x1.id + 1) x2(n) order by x1.a fetch first 3 rows with ties
a:int4
0
0
0
0
0
0
0
0
SELECT 8

> select y.id, y.c, z.id from (select x1.id, x1.a, count(*) over (partition by x1.a) as c from t1 x1 join lateral (values (x1.b), (x1.b)) x2 on true) y join t1 z on z.id = y.c where z.id < y.id order by y.id, z.id, y.c
id:int4 | c:int8 | id:int4
7 | 6 | 6
7 | 6 | 6
8 | 6 | 6
8 | 6 | 6
9 | 8 | 8
9 | 8 | 8
10 | 8 | 8
10 | 8 | 8
11 | 6 | 6
11 | 6 | 6
12 | 6 | 6
12 | 6 | 6
13 | 6 | 6
13 | 6 | 6
14 | 8 | 8
14 | 8 | 8
15 | 8 | 8
15 | 8 | 8
16 | 6 | 6
16 | 6 | 6
17 | 6 | 6
17 | 6 | 6
18 | 6 | 6
18 | 6 | 6
19 | 8 | 8
19 | 8 | 8
20 | 8 | 8
20 | 8 | 8
SELECT 28
