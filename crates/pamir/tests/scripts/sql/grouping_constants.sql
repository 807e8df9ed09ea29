# Constants, and calls that become constants, beside grouping sets: a key is NULL in the totals, a constant that is no key stays.
> create table t2 (id int4, a int4range, b text, c text, primary key (id))
CREATE TABLE

> create function f2(text) returns int4 stable language sql as $f$select ('2'::int2)::int4$f$
CREATE FUNCTION

> select from t2 x1 where x1.a in ('(-1,)') group by rollup (f2(x1.c), x1.b) having count(*) <> 2
|
|
SELECT 1

> select from t2 x1 group by rollup (f2(x1.c), x1.b)
|
|
SELECT 1

> select 1 from t2 x1 group by rollup (f2(x1.c), x1.b)
?column?:int4
1
SELECT 1

> select 1 from t2 x1 group by rollup (x1.b)
?column?:int4
1
SELECT 1

> select count(*) from t2 x1 group by rollup (f2(x1.c))
count:int8
0
SELECT 1

> select from t2 x1 group by rollup (x1.c)
|
|
SELECT 1

> select 1 from t2 x1 group by rollup (2, x1.c)
ERROR 42P10: GROUP BY position 2 is not in select list

> select count(*) from t2 x1 group by rollup (f2('a'))
count:int8
0
SELECT 1

> select count(*) from t2 x1 group by grouping sets ((f2('a')), ())
count:int8
0
SELECT 1

> select f2('a') from t2 x1 group by grouping sets ((f2('a'), x1.b), ())
f2:int4
NULL
SELECT 1

> select f2('a'), b from t2 x1 group by rollup (1, 2)
f2:int4 | b:text
NULL | NULL
SELECT 1

> select f2(c), b from t2 x1 group by cube (1, 2)
f2:int4 | b:text
NULL | NULL
SELECT 1

> select from t2 x1 group by rollup (f2(x1.c), x1.b) having count(*) <> 2
|
|
SELECT 1

> select from t2 x1 group by rollup (f2(x1.c)) having count(*) <> 2
|
|
SELECT 1

> select from t2 x1 group by rollup (x1.c) having count(*) <> 2
|
|
SELECT 1

> select 1 from t2 x1 group by rollup (x1.c) having count(*) <> 2
?column?:int4
1
SELECT 1

> select 1 from t2 x1 group by rollup (x1.c, x1.b) having count(*) <> 2
?column?:int4
1
SELECT 1

> select from t2 x1 where x1.a in ('(-1,)') group by rollup (x1.c, x1.b) having count(*) <> 2
|
|
SELECT 1

> select from t2 x1 where x1.a in ('(-1,)') group by rollup (x1.c, x1.b)
|
|
SELECT 1

> select from t2 x1 where x1.b = 'x' group by rollup (x1.c, x1.b)
|
|
SELECT 1

> select from t2 x1 where false group by rollup (x1.c, x1.b)
|
|
SELECT 1

> select count(*) from t2 x1 where false group by rollup (x1.c, x1.b)
count:int8
0
SELECT 1

> select count(*) from t2 x1 where false group by rollup (x1.c, x1.b) having count(*) <> 2
count:int8
0
SELECT 1

> insert into t2 values (1,null,'a','c'),(2,null,'b','c')
INSERT 0 2

> select f2(c), 2, count(*) from t2 group by rollup (f2(c)) order by 1
f2:int4 | ?column?:int4 | count:int8
2 | 2 | 2
NULL | 2 | 2
SELECT 2

> select 1+1, 2, count(*) from t2 group by rollup (1+1) order by 1
?column?:int4 | ?column?:int4 | count:int8
2 | 2 | 2
NULL | 2 | 2
SELECT 2

> select f2(c), 2, count(*) from t2 group by f2(c) having count(*) = 2
f2:int4 | ?column?:int4 | count:int8
2 | 2 | 2
SELECT 1