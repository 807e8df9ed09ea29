# Aggregates, GROUP BY, HAVING, DISTINCT.
> create table s (id int primary key, grp text, v int, n numeric, f float8)
CREATE TABLE

> insert into s values (1, 'a', 10, 1.5, 1.5), (2, 'a', 20, 2.25, 2.5), (3, 'b', 30, 3, 3.5), (4, 'b', null, null, null), (5, null, 50, 5.125, 5.5)
INSERT 0 5

> select count(*), count(v), count(distinct grp), sum(v), avg(v), min(v), max(v) from s
count:int8 | count:int8 | count:int8 | sum:int8 | avg:numeric | min:int4 | max:int4
5 | 4 | 2 | 110 | 27.5000000000000000 | 10 | 50
SELECT 1

> select sum(n), avg(n), min(n), max(n) from s
sum:numeric | avg:numeric | min:numeric | max:numeric
11.875 | 2.9687500000000000 | 1.5 | 5.125
SELECT 1

> select sum(f), avg(f), min(f), max(f) from s
sum:float8 | avg:float8 | min:float8 | max:float8
13 | 3.25 | 1.5 | 5.5
SELECT 1

> select grp, count(*), sum(v) from s group by grp order by grp
grp:text | count:int8 | sum:int8
a | 2 | 30
b | 2 | 30
NULL | 1 | 50
SELECT 3

> select grp, count(*) from s group by grp having count(*) > 1 order by 1
grp:text | count:int8
a | 2
b | 2
SELECT 2

> select grp, v from s group by grp
ERROR 42803: column "s.v" must appear in the GROUP BY clause or be used in an aggregate function

> select v, count(*) from s
ERROR 42803: column "s.v" must appear in the GROUP BY clause or be used in an aggregate function

> select count(*) from s where false
count:int8
0
SELECT 1

> select sum(v), max(grp) from s where false
sum:int8 | max:text
NULL | NULL
SELECT 1

> select sum(v) filter (where grp = 'a'), count(*) filter (where v > 15) from s
sum:int8 | count:int8
30 | 3
SELECT 1

> select grp, string_agg(v::text, ',' order by v desc) from s group by grp order by grp
grp:text | string_agg:text
a | 20,10
b | 30
NULL | 50
SELECT 3

> select array_agg(v order by id) from s
array_agg:_int4
{10,20,30,NULL,50}
SELECT 1

> select array_agg(distinct grp) from s
array_agg:_text
{a,b,NULL}
SELECT 1

> select bool_and(v > 5), bool_or(v > 40), every(v is not null) from s
bool_and:bool | bool_or:bool | every:bool
t | t | f
SELECT 1

> select distinct grp from s order by grp
grp:text
a
b
NULL
SELECT 3

> select distinct on (grp) grp, v from s order by grp, v desc
grp:text | v:int4
a | 20
b | NULL
NULL | 50
SELECT 3

> select count(distinct v) from s
count:int8
4
SELECT 1

> select sum(distinct v) from s
sum:int8
110
SELECT 1

> select grp as g, sum(v) as total from s group by g order by total nulls last
g:text | total:int8
a | 30
b | 30
NULL | 50
SELECT 3

> select upper(grp), count(*) from s group by upper(grp) order by 1
upper:text | count:int8
A | 2
B | 2
NULL | 1
SELECT 3

> select grp, count(*) from s group by 1 order by 2, 1
grp:text | count:int8
NULL | 1
a | 2
b | 2
SELECT 3

> select v % 20, count(*) from s group by v % 20 order by 1
?column?:int4 | count:int8
0 | 1
10 | 3
NULL | 1
SELECT 3

> select max(v) - min(v) as spread from s
spread:int4
40
SELECT 1

> select count(*) + 1 from s
?column?:int8
6
SELECT 1

> select sum(v) from s having sum(v) > 1000
sum:int8
SELECT 0

> select sum(v) from s having sum(v) > 100
sum:int8
110
SELECT 1

> select sum(count(*)) from s
ERROR 42803: aggregate function calls cannot be nested

> select count(*) from s where count(*) > 1
ERROR 42803: aggregate functions are not allowed in WHERE

> select grp from s where sum(v) > 1 group by grp
ERROR 42803: aggregate functions are not allowed in WHERE

> select stddev(v), variance(v), stddev_pop(v) from s
stddev:numeric | variance:numeric | stddev_pop:numeric
17.0782512765993306 | 291.6666666666666667 | 14.7901994577490401
SELECT 1

> select bit_and(v), bit_or(v) from s
bit_and:int4 | bit_or:int4
0 | 62
SELECT 1

> select grp, sum(v) from s group by rollup (grp) order by 1, 2
grp:text | sum:int8
a | 30
b | 30
NULL | 50
NULL | 110
SELECT 4

> select grp, v > 15, count(*) from s group by cube (grp, v > 15) order by 1, 2, 3
grp:text | ?column?:bool | count:int8
a | f | 1
a | t | 1
a | NULL | 2
b | t | 1
b | NULL | 1
b | NULL | 2
NULL | f | 1
NULL | t | 1
NULL | t | 3
NULL | NULL | 1
NULL | NULL | 1
NULL | NULL | 5
SELECT 12

> select grp, count(*) from s group by grouping sets ((grp), ()) order by 1, 2
grp:text | count:int8
a | 2
b | 2
NULL | 1
NULL | 5
SELECT 4

> select sum(v::int8), sum(v::int2), avg(v::float8) from s
sum:numeric | sum:int8 | avg:float8
110 | 110 | 27.5
SELECT 1

> select min(grp), max(grp) from s
min:text | max:text
a | b
SELECT 1

> select min(id) from s where grp = 'b'
min:int4
3
SELECT 1

> select grp, min(v), max(v), avg(v)::numeric(10,2) from s group by grp order by grp
grp:text | min:int4 | max:int4 | avg:numeric
a | 10 | 20 | 15.00
b | 30 | 30 | 30.00
NULL | 50 | 50 | 50.00
SELECT 3

> select s.grp, s2.c from s join (select grp, count(*) c from s group by grp) s2 on s.grp = s2.grp order by s.id
grp:text | c:int8
a | 2
a | 2
b | 2
b | 2
SELECT 4

> select id, grp from s group by id order by id
id:int4 | grp:text
1 | a
2 | a
3 | b
4 | b
5 | NULL
SELECT 5

> select s.* from s group by s.id order by id limit 2
id:int4 | grp:text | v:int4 | n:numeric | f:float8
1 | a | 10 | 1.5 | 1.5
2 | a | 20 | 2.25 | 2.5
SELECT 2

> select count(*), v is null from s group by v is null order by 1
count:int8 | ?column?:bool
1 | t
4 | f
SELECT 2

> select sum(1), sum(1.5), avg(1), count(1)
sum:int8 | sum:numeric | avg:numeric | count:int8
1 | 1.5 | 1.00000000000000000000 | 1
SELECT 1

> select max('a'::text), min('2020-01-01'::date)
max:text | min:date
a | 2020-01-01
SELECT 1

> select json_agg(v) from s
json_agg:json
[10, 20, 30, null, 50]
SELECT 1

> select jsonb_agg(grp order by id) from s
jsonb_agg:jsonb
["a", "a", "b", "b", null]
SELECT 1

> select json_object_agg(id, v) from s where id < 3
json_object_agg:json
{ "1" : 10, "2" : 20 }
SELECT 1

> select count(grp, v) from s
ERROR 42883: function count(text, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select nosuchagg(v) from s
ERROR 42883: function nosuchagg(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select sum(grp) from s
ERROR 42883: function sum(text) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select avg(true)
ERROR 42883: function avg(boolean) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

