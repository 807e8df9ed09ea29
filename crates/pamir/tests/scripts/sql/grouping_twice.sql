# Output columns of one expression are keys of their own for grouping sets; vectors are elements of arrays.
> create table g (a int, b int)
CREATE TABLE

> insert into g values (1, 1), (1, 2), (2, 1)
INSERT 0 3

> select count(*), sum(x), sum(y), sum(n) from (select a as x, a as y, count(*) as n from g group by x, rollup(y)) s
count:int8 | sum:int8 | sum:int8 | sum:numeric
4 | 6 | 3 | 6
SELECT 1

> select count(*), sum(x), sum(y), sum(n) from (select a + 0 as x, a + 0 as y, count(*) as n from g group by x, rollup(y)) s
count:int8 | sum:int8 | sum:int8 | sum:numeric
4 | 6 | 3 | 6
SELECT 1

> select count(*), sum(x), sum(y), sum(n), sum(k) from (select a as x, a as y, count(*) as n, grouping(a) as k from g group by rollup(x), rollup(y)) s
count:int8 | sum:int8 | sum:int8 | sum:numeric | sum:int8
7 | 6 | 6 | 12 | 3
SELECT 1

> select count(*), sum(x), sum(y), sum(n) from (select a as x, a as y, b, count(*) as n from g group by x, cube(y, b)) s
count:int8 | sum:int8 | sum:int8 | sum:numeric
10 | 14 | 7 | 12
SELECT 1

> select count(*), sum(x), sum(y), sum(z) from (select a + b as x, a + b as y, a + b + 1 as z from g group by cube(x, y)) s
count:int8 | sum:int8 | sum:int8 | sum:int8
7 | 10 | 10 | 14
SELECT 1

> select count(*), sum(x), sum(y) from (select a as x, a as y from g group by grouping sets ((1), (2)) having a = 1) s
count:int8 | sum:int8 | sum:int8
1 | 1 | NULL
SELECT 1

> select a as x, a as y, count(*) from g group by x, y order by 1
x:int4 | y:int4 | count:int8
1 | 1 | 2
2 | 2 | 1
SELECT 2

> select array['1 2'::int2vector, '3 4'::int2vector]
array:_int2vector
{"1 2","3 4"}
SELECT 1

> select (array['1 2'::int2vector, '3 4'::int2vector])[2]
array:int2vector
3 4
SELECT 1

> select unnest(array['1 2'::int2vector, '3 4'::int2vector])
unnest:int2vector
1 2
3 4
SELECT 2

> select array['1 2'::oidvector, null], '1 2'::oidvector = any (array['1 2'::oidvector])
array:_oidvector | ?column?:bool
{"1 2",NULL} | t
SELECT 1

> select array[array['1 2'::int2vector], array['2 3'::int2vector]], array_length(array['1 2'::int2vector], 1)
array:_int2vector | array_length:int4
{{"1 2"},{"2 3"}} | 1
SELECT 1

> create table iv (v int2vector[])
CREATE TABLE

> insert into iv values (array['1 2'::int2vector]), ('{"1 2"}'), (array['1 2']::int2vector[])
INSERT 0 3

> select v, v[1] from iv
v:_int2vector | v:int2vector
{"1 2"} | 1 2
{"1 2"} | 1 2
{"1 2"} | 1 2
SELECT 3
