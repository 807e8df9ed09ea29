# Orders that the rows of a join do not have, though its outer side is one row or is sorted.
> create table o (id int primary key, name text); create table i (oid int, line int, qty int, primary key (oid, line)); create index i_qty on i (qty)
CREATE TABLE
CREATE TABLE
CREATE INDEX

> insert into o select g, 'o' || g from generate_series(1, 50) g
INSERT 0 50

> insert into i select 1 + g % 50, g, (g * 37) % 101 from generate_series(1, 500) g
INSERT 0 500

> analyze o, i
ANALYZE

> select i.line, i.qty from o join i on i.oid = o.id where o.id = 42 order by i.qty
line:int4 | qty:int4
41 | 2
391 | 24
241 | 29
91 | 34
441 | 56
291 | 61
141 | 66
491 | 88
341 | 93
191 | 98
SELECT 10

> select i.qty % 5 as m, count(*) from o join i on i.oid = o.id where o.id = 42 group by 1 order by 1
m:int4 | count:int8
1 | 3
2 | 1
3 | 3
4 | 3
SELECT 4

> select i.qty, count(*), array_agg(i.line order by i.line) from o join i on i.oid in (o.id, 7) where o.id = 42 group by i.qty order by i.qty desc
qty:int4 | count:int8 | array_agg:_int4
98 | 1 | {191}
93 | 1 | {341}
88 | 1 | {491}
84 | 1 | {106}
79 | 1 | {256}
74 | 1 | {406}
66 | 1 | {141}
61 | 1 | {291}
56 | 1 | {441}
52 | 1 | {56}
47 | 1 | {206}
42 | 1 | {356}
34 | 1 | {91}
29 | 1 | {241}
24 | 1 | {391}
20 | 1 | {6}
15 | 1 | {156}
10 | 1 | {306}
5 | 1 | {456}
2 | 1 | {41}
SELECT 20

> select distinct on (i.qty % 3) i.qty % 3 as m, i.qty, i.line from o join i on i.oid = o.id where o.id = 42 order by i.qty % 3, i.qty desc, i.line
m:int4 | qty:int4 | line:int4
0 | 93 | 341
1 | 88 | 491
2 | 98 | 191
SELECT 3

> select distinct on (i.qty) i.qty, i.line from o join i on i.oid = o.id where o.id = 42
qty:int4 | line:int4
2 | 41
24 | 391
29 | 241
34 | 91
56 | 441
61 | 291
66 | 141
88 | 491
93 | 341
98 | 191
SELECT 10

> select i.line, i.qty, rank() over (order by i.qty), sum(i.qty) over (order by i.qty, i.line) from o join i on i.oid = o.id where o.id = 42 order by i.line
line:int4 | qty:int4 | rank:int8 | sum:int8
41 | 2 | 1 | 2
91 | 34 | 4 | 89
141 | 66 | 7 | 272
191 | 98 | 10 | 551
241 | 29 | 3 | 55
291 | 61 | 6 | 206
341 | 93 | 9 | 453
391 | 24 | 2 | 26
441 | 56 | 5 | 145
491 | 88 | 8 | 360
SELECT 10

> select min(i.qty), max(i.qty) from o join i on i.oid = o.id where o.id = 42
min:int4 | max:int4
2 | 98
SELECT 1

> select min(i.qty) from o join i on i.oid = o.id where o.id = 42
min:int4
2
SELECT 1

> select o.name, i.qty from o left join i on i.oid = o.id and i.line < 300 where o.id in (3, 42) order by i.qty desc, o.name limit 5
name:text | qty:int4
o42 | 98
o3 | 74
o3 | 69
o42 | 66
o42 | 61
SELECT 5

> select o.id, i.qty from o, i where i.oid = o.id and o.id = 5 and i.oid = 5 order by o.id, i.qty
id:int4 | qty:int4
5 | 0
5 | 5
5 | 10
5 | 32
5 | 37
5 | 42
5 | 47
5 | 69
5 | 74
5 | 79
SELECT 10

> select x.a, i.qty from (select 42 as a) x join i on i.oid = x.a order by x.a, i.qty
a:int4 | qty:int4
42 | 2
42 | 24
42 | 29
42 | 34
42 | 56
42 | 61
42 | 66
42 | 88
42 | 93
42 | 98
SELECT 10

> select a.id, s.q from o a, lateral (select i.qty as q, a.id as b from i where i.oid = a.id order by b, i.qty) s where a.id = 42 order by 1, 2
id:int4 | q:int4
42 | 2
42 | 24
42 | 29
42 | 34
42 | 56
42 | 61
42 | 66
42 | 88
42 | 93
42 | 98
SELECT 10

# A hash join that is scanned again.
> create table n (id int, parent int); create table e (a int, b int)
CREATE TABLE
CREATE TABLE

> insert into n select g, g / 2 from generate_series(1, 40) g; insert into e select g, g + 1 from generate_series(1, 40) g
INSERT 0 40
INSERT 0 40

> set enable_nestloop = off
SET

> select o.id, (select count(*) from n join e on e.a = n.id where n.parent = o.id) from o where o.id < 6 order by 1
id:int4 | count:int8
1 | 2
2 | 2
3 | 2
4 | 2
5 | 2
SELECT 5

> select o.id, s.c from o, lateral (select count(*) as c, min(e.b) from n join e on e.a = n.id where n.parent >= o.id) s where o.id < 6 order by 1
id:int4 | c:int8
1 | 39
2 | 37
3 | 35
4 | 33
5 | 31
SELECT 5

> select o.id, count(s.id) from o left join (n join e on e.a = n.id) s(id, parent, a, b) on s.parent < o.id group by o.id having o.id < 6 order by 1
id:int4 | count:int8
1 | 1
2 | 3
3 | 5
4 | 7
5 | 9
SELECT 5

> with recursive r(id, depth) as (select id, 0 from n where id = 1 union all select n.id, depth + 1 from r join n on n.parent = r.id join e on e.a = n.id) select depth, count(*) from r group by depth order by depth
depth:int4 | count:int8
0 | 1
1 | 2
2 | 4
3 | 8
4 | 16
5 | 9
SELECT 6

> with recursive r(id, depth) as (select 1, 0 union select n.id, depth + 1 from n join r on n.parent = r.id) select depth, count(*), sum(id) from r group by depth order by depth
depth:int4 | count:int8 | sum:int8
0 | 1 | 1
1 | 2 | 5
2 | 4 | 22
3 | 8 | 92
4 | 16 | 376
5 | 9 | 324
SELECT 6

> with recursive r(id) as (select 1 union select s.b from r left join (n join e on e.a = n.id) s(id, parent, a, b) on s.id = r.id where r.id < 20) select count(*), max(id) from r
count:int8 | max:int4
20 | 20
SELECT 1

> select o.id, (select string_agg(x.k || ':' || coalesce(x.c::text, '-'), ',' order by x.k) from (select n.id % 3 as k, sum(e.b) as c from n full join e on e.a = n.id + o.id group by 1) x) from o where o.id < 4 order by 1
id:int4 | string_agg:text
1 | 0:299,1:273,2:286
2 | 0:270,1:286,2:299
3 | 0:282,1:299,2:270
SELECT 3

> select o.id, (select count(*) from (select n.id from n where n.parent > o.id union select e.b from e except select 5) x) from o where o.id < 4 order by 1
id:int4 | count:int8
1 | 39
2 | 39
3 | 39
SELECT 3

> select o.id, (select sum(r) from (select rank() over (partition by n.id % 2 order by n.parent) as r from n where n.id > o.id * 10) x) from o where o.id < 4 order by 1
id:int4 | sum:numeric
1 | 240
2 | 110
3 | 30
SELECT 3

> select o.id, (select count(*) from (select distinct n.parent from n where n.id > o.id * 10) x), exists (select from n join e on e.a = n.id where n.parent = o.id * 6) from o where o.id < 5 order by 1
id:int4 | count:int8 | exists:bool
1 | 16 | t
2 | 11 | t
3 | 6 | t
4 | 0 | f
SELECT 4

> set work_mem = '64kB'
SET

> create table big as select g as a, repeat('x', 100) || g as t from generate_series(1, 3000) g
SELECT 3000

> select o.id, (select count(*) from big x join big y on y.t = x.t where x.a > o.id * 500), (select count(distinct t) from big where a > o.id * 500), (select max(rn) from (select row_number() over (order by t) as rn from big where a > o.id * 500) w) from o where o.id < 4 order by 1
id:int4 | count:int8 | count:int8 | max:int8
1 | 2500 | 2500 | 2500
2 | 2000 | 2000 | 2000
3 | 1500 | 1500 | 1500
SELECT 3

> select o.id, (select count(*) from (select t from big where a > o.id union select t from big where a < 100) u), (select count(*) from (select t from big except select t from big where a > o.id * 700) u), (select count(*) from (select t, count(*) from big where a > o.id group by t) u) from o where o.id < 4 order by 1
id:int4 | count:int8 | count:int8 | count:int8
1 | 3000 | 700 | 2999
2 | 3000 | 1400 | 2998
3 | 3000 | 2100 | 2997
SELECT 3

> with recursive r(id, n) as (select 1, 0 union all select r.id + 1, (select count(*)::int from big x join big y on y.t = x.t where x.a <= r.id * 700) from r where r.id < 4) select * from r order by id
id:int4 | n:int4
1 | 0
2 | 700
3 | 1400
4 | 2100
SELECT 4

> reset work_mem; reset enable_nestloop
RESET
RESET

# What a LATERAL side says of the other side's columns is NULL with the rest of its row.
> create table ta (x int, y int); create table tb (x int, y int); insert into ta values (1, 1), (2, 2), (3, 3), (null, 4); insert into tb values (1, 10), (1, 11), (3, -1), (-1, 5)
CREATE TABLE
CREATE TABLE
INSERT 0 4
INSERT 0 4

> select a.x, s.ax, s.y from ta a left join lateral (select a.x as ax, b.y from tb b where b.x = a.x) s on true order by 1, 3
x:int4 | ax:int4 | y:int4
1 | 1 | 10
1 | 1 | 11
2 | NULL | NULL
3 | 3 | -1
NULL | NULL | NULL
SELECT 5

> select a.x, s.ax, s.ay is null as n from ta a left join lateral (select a.x as ax, a.y as ay from tb b where b.x = a.x and b.y > 10) s on s.ax = 1 order by a.y
x:int4 | ax:int4 | n:bool
1 | 1 | f
2 | NULL | t
3 | NULL | t
NULL | NULL | t
SELECT 4

> select a.y, s.v from ta a left join lateral (select t.v from (select a.y as v) t where t.v > 2) s on true order by 1
y:int4 | v:int4
1 | NULL
2 | NULL
3 | 3
4 | 4
SELECT 4

> select a.y, s.v from ta a left join lateral (select a.y as v where a.y > 2) s on true where s.v is null order by 1
y:int4 | v:int4
1 | NULL
2 | NULL
SELECT 2

> select a.y, s.v, t.w from ta a left join lateral (select a.y as v where a.y > 2) s on true left join lateral (select s.v as w where s.v > 3) t on true order by 1
y:int4 | v:int4 | w:int4
1 | NULL | NULL
2 | NULL | NULL
3 | 3 | NULL
4 | 4 | 4
SELECT 4

> select a.y, u.v from ta a cross join lateral (select a.x as v union all select a.y) u order by 1, 2
y:int4 | v:int4
1 | 1
1 | 1
2 | 2
2 | 2
3 | 3
3 | 3
4 | 4
4 | NULL
SELECT 8

> select a.x, b.x, b.y, ss.x from ta a join tb b on true join lateral (values (a.x), (-1)) ss(x) on b.y = ss.x order by 1, 2, 3, 4
x:int4 | x:int4 | y:int4 | x:int4
1 | 3 | -1 | -1
2 | 3 | -1 | -1
3 | 3 | -1 | -1
NULL | 3 | -1 | -1
SELECT 4

> select a.x, b.x, b.y, ss.x from ta a, tb b, lateral (values (a.x), (-1)) ss(x) where b.x = ss.x order by 1, 2, 3, 4
x:int4 | x:int4 | y:int4 | x:int4
1 | -1 | 5 | -1
1 | 1 | 10 | 1
1 | 1 | 11 | 1
2 | -1 | 5 | -1
3 | -1 | 5 | -1
3 | 3 | -1 | 3
NULL | -1 | 5 | -1
SELECT 7

> select a.x, b.y, ss.x from ta a join tb b on b.x = a.x join lateral (select a.x union select b.y) ss(x) on ss.x <> 1 order by 1, 2, 3
x:int4 | y:int4 | x:int4
1 | 10 | 10
1 | 11 | 11
3 | -1 | -1
3 | -1 | 3
SELECT 4

> select a.y, (select count(s.v) from (select a.x as v) s full join tb b on b.x = s.v) from ta a order by 1
y:int4 | count:int8
1 | 2
2 | 1
3 | 1
4 | 0
SELECT 4

# Grouping and DISTINCT without hashing.
> set enable_hashagg = off
SET

> explain (costs off) select qty % 3, count(*) from i group by 1
QUERY PLAN:text
GroupAggregate
  Group Key: (qty % 3)
  ->  Sort
        Sort Key: (qty % 3)
        ->  Seq Scan on i
EXPLAIN

> select qty % 3 as m, count(*), sum(line) from i group by 1 having count(*) > 1 order by 1
m:int4 | count:int8 | sum:int8
0 | 167 | 41466
1 | 168 | 41919
2 | 165 | 41865
SELECT 3

> select count(*) from (select distinct qty, line % 2 from i) x
count:int8
202
SELECT 1

> reset enable_hashagg
RESET

# An aggregate with DISTINCT and ORDER BY of the same subquery.
> select o.id % 2 as m, array_agg(distinct (select min(i.qty) from i where i.oid = o.id) order by (select min(i.qty) from i where i.oid = o.id)) from o where o.id < 9 group by 1 order by 1
m:int4 | array_agg:_int4
0 | {0,5,10}
1 | {0,5,17}
SELECT 2

# The right side's own columns are the left's.
> create table lat (id int4, a int4, b text, primary key (id, a))
CREATE TABLE

> insert into lat values (0, 1, 'abc'), (1, 0, ''), (2, 0, 'abc')
INSERT 0 3

> select x1.id, x2.* from lat x1 left join lateral (values (1, x1.b), (2, x1.b)) x2(v0, v1) on x1.b = x2.v1 order by 1, 2
id:int4 | v0:int4 | v1:text
0 | 1 | abc
0 | 2 | abc
1 | 1 | 
1 | 2 | 
2 | 1 | abc
2 | 2 | abc
SELECT 6

> select count(*) from lat x1 left join lateral (values (1, x1.a), (2, x1.a)) x2(v0, v1) on x1.a = x2.v1
count:int8
6
SELECT 1

> select x1.id, v0 from lat x1 join lateral (values (x1.a), (-1)) x2(v0) on x1.id = x2.v0 order by 1, 2
id:int4 | v0:int4
SELECT 0

# What nobody reads is not computed, but what has an effect is.
> select count(*) from (select a / 0 as n, b from lat) s
count:int8
3
SELECT 1

> select id from lat x where exists (select *, y.a / 0 from lat y where y.id > x.id) order by 1
id:int4
0
1
SELECT 2

> create sequence lat_q
CREATE SEQUENCE

> select count(*) from (select nextval('lat_q'), b from lat) s
count:int8
3
SELECT 1

> select currval('lat_q')
currval:int8
3
SELECT 1

> select count(*) from (select generate_series(1, 3), b from lat) s
count:int8
9
SELECT 1

> select s.id from (select id, a, b from lat) s, lateral (select s.a + 1 as n) t where t.n = 2
id:int4
0
SELECT 1

> select id from lat x where not exists (select 1 from lat y where y.id = x.id and y.b <> x.b) order by 1
id:int4
0
1
2
SELECT 3

> select count(*) from lat x left join lat y on x.id = y.id and false
count:int8
3
SELECT 1

> select count(*) from (select * from lat where false) x right join lat y on x.id = y.id
count:int8
3
SELECT 1
