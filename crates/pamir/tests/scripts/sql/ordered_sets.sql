# Ordered-set and hypothetical-set aggregates.
> create table o(g int, i int, n numeric, f float8, t text, c char(3), v interval, d date, s smallint)
CREATE TABLE

> insert into o select k % 3, k % 7, k / 3.0, sqrt(k), 'w' || k % 5, 'c' || k % 4, k * interval '1 hour 3 min', date '2024-01-01' + k, k % 6 from generate_series(1, 20) k
INSERT 0 20

> insert into o values (1, null, null, null, null, null, null, null, null), (9, null, null, null, null, null, null, null, null)
INSERT 0 2

> select g, percentile_cont(0.5) within group (order by i), percentile_disc(0.5) within group (order by i), mode() within group (order by i) from o group by g order by g
g:int4 | percentile_cont:float8 | percentile_disc:int4 | mode:int4
0 | 3.5 | 3 | 1
1 | 3 | 3 | 0
2 | 3 | 3 | 0
9 | NULL | NULL | NULL
SELECT 4

> select percentile_cont(0.25) within group (order by n), percentile_cont(0.9) within group (order by f desc), percentile_cont(0.3) within group (order by v) from o
percentile_cont:float8 | percentile_cont:float8 | percentile_cont:interval
1.9166666666666667 | 1.7002670830492985 | 07:02:06
SELECT 1

> select percentile_disc(0.25) within group (order by n), percentile_disc(0.9) within group (order by t desc), percentile_disc(0.3) within group (order by v), percentile_disc(0) within group (order by d), percentile_disc(1) within group (order by c), percentile_disc(0.01) within group (order by s) from o
percentile_disc:numeric | percentile_disc:text | percentile_disc:interval | percentile_disc:date | percentile_disc:bpchar | percentile_disc:int2
1.6666666666666667 | w0 | 06:18:00 | 2024-01-02 | c3  | 0
SELECT 1

> select percentile_cont(array[0, 0.25, null, 1]) within group (order by i), percentile_disc(array[[0.1, 0.2], [0.3, 0.9]]) within group (order by t), percentile_cont(array[0.5]) within group (order by v), percentile_disc('{}'::float8[]) within group (order by i) from o
percentile_cont:_float8 | percentile_disc:_text | percentile_cont:_interval | percentile_disc:_int4
{0,1.75,NULL,6} | {{w0,w0},{w1,w4}} | {11:01:30} | {}
SELECT 1

> select mode() within group (order by t), mode() within group (order by t desc), mode() within group (order by c), mode() within group (order by d) from o
mode:text | mode:text | mode:bpchar | mode:date
w0 | w4 | c0  | 2024-01-02
SELECT 1

> select percentile_cont(0.5) within group (order by i) filter (where g = 1), count(*) from o
percentile_cont:float8 | count:int8
3 | 22
SELECT 1

> select percentile_cont(null) within group (order by i) from o
percentile_cont:float8
NULL
SELECT 1

> select percentile_cont(0.5) within group (order by i) from o where false
percentile_cont:float8
NULL
SELECT 1

> select percentile_cont(1.5) within group (order by i) from o
percentile_cont:float8
ERROR 22003: percentile value 1.5 is not between 0 and 1

> select percentile_disc(-0.1) within group (order by i) from o
percentile_disc:int4
ERROR 22003: percentile value -0.1 is not between 0 and 1

> select percentile_cont('nan') within group (order by i) from o
percentile_cont:float8
ERROR 22003: percentile value NaN is not between 0 and 1

> select g, percentile_cont(g / 10.0) within group (order by i) from o group by g order by g
g:int4 | percentile_cont:float8
0 | 1
1 | 0.6000000000000001
2 | 1.2000000000000002
9 | NULL
SELECT 4

> select g, percentile_cont(i / 10.0) within group (order by i) from o group by g order by g
ERROR 42803: column "o.i" must appear in the GROUP BY clause or be used in an aggregate function
DETAIL: Direct arguments of an ordered-set aggregate must use only grouped columns.

> select rank(3) within group (order by i), dense_rank(3) within group (order by i), percent_rank(3) within group (order by i), cume_dist(3) within group (order by i) from o
rank:int8 | dense_rank:int8 | percent_rank:float8 | cume_dist:float8
9 | 4 | 0.36363636363636365 | 0.5217391304347826
SELECT 1

> select g, rank(3) within group (order by i desc), dense_rank(3) within group (order by i desc nulls last), percent_rank(3) within group (order by i), cume_dist(3) within group (order by i nulls first) from o group by g order by g
g:int4 | rank:int8 | dense_rank:int8 | percent_rank:float8 | cume_dist:float8
0 | 4 | 4 | 0.3333333333333333 | 0.5714285714285714
1 | 5 | 4 | 0.375 | 0.6666666666666666
2 | 4 | 4 | 0.42857142857142855 | 0.625
9 | 2 | 1 | 0 | 1
SELECT 4

> select rank('w3', 2) within group (order by t, i), dense_rank('w3', 2) within group (order by t desc, i), cume_dist('w3', null) within group (order by t, i) from o
rank:int8 | dense_rank:int8 | cume_dist:float8
14 | 7 | 0.7391304347826086
SELECT 1

> select rank(null) within group (order by i), rank(null) within group (order by i nulls first), cume_dist(null) within group (order by i), dense_rank(null) within group (order by i) from o
rank:int8 | rank:int8 | cume_dist:float8 | dense_rank:int8
21 | 1 | 1 | 8
SELECT 1

> select rank(1) within group (order by i), dense_rank(1) within group (order by i), percent_rank(1) within group (order by i), cume_dist(1) within group (order by i) from o where false
rank:int8 | dense_rank:int8 | percent_rank:float8 | cume_dist:float8
1 | 1 | 0 | 1
SELECT 1

> select rank(1.5) within group (order by i), rank(2) within group (order by n), rank('w3') within group (order by t) filter (where g <> 1) from o
rank:int8 | rank:int8 | rank:int8
6 | 6 | 9
SELECT 1

> select rank(1, 2) within group (order by i) from o
ERROR 42883: function rank(integer, integer, integer) does not exist
HINT: To use the hypothetical-set aggregate rank, the number of hypothetical direct arguments (here 2) must match the number of ordering columns (here 1).

> select rank('x') within group (order by i) from o
ERROR 22P02: invalid input syntax for type integer: "x"

> select percentile_cont(0.5) within group (order by t) from o
ERROR 42883: function percentile_cont(numeric, text) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select percentile_cont(0.5) from o
ERROR 42883: function percentile_cont(numeric) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select percentile_cont(0.5, i) from o
ERROR 42809: WITHIN GROUP is required for ordered-set aggregate percentile_cont

> select mode() from o
ERROR 42883: function mode() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select sum(i) within group (order by i) from o
ERROR 42883: function sum(integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select upper(t) within group (order by i) from o
ERROR 42883: function upper(text, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select percentile_cont(0.5) within group (order by i) over () from o
ERROR 0A000: OVER is not supported for ordered-set aggregate percentile_cont

> select percentile_cont(0.5) within group (order by i, g) from o
ERROR 42883: function percentile_cont(numeric, integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select percentile_cont(0.5) within group (order by sum(i)) from o
ERROR 42803: aggregate function calls cannot be nested

> select i from o where percentile_cont(0.5) within group (order by i) > 1
ERROR 42803: aggregate functions are not allowed in WHERE

> select g from o group by g having percentile_disc(0.5) within group (order by i) > 2 order by percentile_cont(0.5) within group (order by f) desc
g:int4
2
0
1
SELECT 3

> select (select percentile_disc(0.5) within group (order by o.i) from (values (1)) x) from o
percentile_disc:int4
3
SELECT 1

> select x.g, (select percentile_disc(0.5) within group (order by o.i) from o where o.g = x.g) from (values (0), (1), (7)) x(g)
g:int4 | percentile_disc:int4
0 | 3
1 | 3
7 | NULL
SELECT 3

> select aggkind, aggnumdirectargs, count(*) from pg_aggregate where aggkind = 'o' group by 1, 2 order by 1, 2
aggkind:char | aggnumdirectargs:int2 | count:int8
o | 0 | 1
o | 1 | 6
SELECT 2

> select g, i, sum(count(*)) over (order by percentile_cont(0.5) within group (order by f)) from o group by rollup (g, i) order by 1, 2 limit 5
g:int4 | i:int4 | sum:numeric
0 | 1 | 58
0 | 2 | 9
0 | 3 | 3
0 | 4 | 61
0 | 5 | 55
SELECT 5

> prepare p(float8) as select percentile_cont($1) within group (order by i) from o
PREPARE

> execute p(0.25)
percentile_cont:float8
1.75
SELECT 1
