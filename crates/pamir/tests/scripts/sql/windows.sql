# Window functions. Expectations by PostgreSQL 15.
> create table e (id int primary key, dept text, pay int, hired date, note text)
CREATE TABLE

> insert into e values (1,'a',100,'2020-01-01','x'),(2,'a',200,'2020-02-01',null),(3,'a',200,'2020-03-15','y'),(4,'b',50,'2020-01-10','z'),(5,'b',70,'2021-01-01','w'),(6,'b',null,'2020-01-12','v'),(7,null,10,'2019-12-31','u'),(8,'c',300,null,'t')
INSERT 0 8

# The functions.
> select id, row_number() over (order by id), rank() over (order by pay), dense_rank() over (order by pay), percent_rank() over (order by pay), cume_dist() over (order by pay) from e order by id
id:int4 | row_number:int8 | rank:int8 | dense_rank:int8 | percent_rank:float8 | cume_dist:float8
1 | 1 | 4 | 4 | 0.42857142857142855 | 0.5
2 | 2 | 5 | 5 | 0.5714285714285714 | 0.75
3 | 3 | 5 | 5 | 0.5714285714285714 | 0.75
4 | 4 | 2 | 2 | 0.14285714285714285 | 0.25
5 | 5 | 3 | 3 | 0.2857142857142857 | 0.375
6 | 6 | 8 | 7 | 1 | 1
7 | 7 | 1 | 1 | 0 | 0.125
8 | 8 | 7 | 6 | 0.8571428571428571 | 0.875
SELECT 8

> select id, ntile(3) over (order by id), ntile(100) over (order by id), ntile(1) over (order by id) from e order by id
id:int4 | ntile:int4 | ntile:int4 | ntile:int4
1 | 1 | 1 | 1
2 | 1 | 2 | 1
3 | 1 | 3 | 1
4 | 2 | 4 | 1
5 | 2 | 5 | 1
6 | 2 | 6 | 1
7 | 3 | 7 | 1
8 | 3 | 8 | 1
SELECT 8

> select id, dept, lag(id) over (partition by dept order by id), lead(id) over (partition by dept order by id), lag(id, 2) over (order by id), lead(id, 2, -1) over (order by id), lag(id, 0) over (order by id), lag(id, -1) over (order by id), lag(note, 1, 'none') over (order by id) from e order by id
id:int4 | dept:text | lag:int4 | lead:int4 | lag:int4 | lead:int4 | lag:int4 | lag:int4 | lag:text
1 | a | NULL | 2 | NULL | 3 | 1 | 2 | none
2 | a | 1 | 3 | NULL | 4 | 2 | 3 | x
3 | a | 2 | NULL | 1 | 5 | 3 | 4 | NULL
4 | b | NULL | 5 | 2 | 6 | 4 | 5 | y
5 | b | 4 | 6 | 3 | 7 | 5 | 6 | z
6 | b | 5 | NULL | 4 | 8 | 6 | 7 | w
7 | NULL | NULL | NULL | 5 | -1 | 7 | 8 | v
8 | c | NULL | NULL | 6 | -1 | 8 | NULL | u
SELECT 8

> select id, lag(pay, null) over (order by id), lead(pay, id % 3) over (order by id), lag(id, 1, 2.5) over (order by id) from e order by id
id:int4 | lag:int4 | lead:int4 | lag:numeric
1 | NULL | 200 | 2.5
2 | NULL | 50 | 1
3 | NULL | 200 | 2
4 | NULL | 70 | 3
5 | NULL | 10 | 4
6 | NULL | NULL | 5
7 | NULL | 300 | 6
8 | NULL | NULL | 7
SELECT 8

> select id, first_value(note) over w, last_value(note) over w, nth_value(note, 2) over w, nth_value(id, id) over (order by id rows between unbounded preceding and unbounded following) from e window w as (partition by dept order by id) order by id
id:int4 | first_value:text | last_value:text | nth_value:text | nth_value:int4
1 | x | x | NULL | 1
2 | x | NULL | NULL | 2
3 | x | y | NULL | 3
4 | z | z | NULL | 4
5 | z | w | w | 5
6 | z | v | w | 6
7 | u | u | NULL | 7
8 | t | t | NULL | 8
SELECT 8

> select id, nth_value(id, null) over (order by id), ntile(null) over (order by id) from e order by id
id:int4 | nth_value:int4 | ntile:int4
1 | NULL | NULL
2 | NULL | NULL
3 | NULL | NULL
4 | NULL | NULL
5 | NULL | NULL
6 | NULL | NULL
7 | NULL | NULL
8 | NULL | NULL
SELECT 8

> select ntile(0) over (order by id) from e
ntile:int4
ERROR 22014: argument of ntile must be greater than zero

> select nth_value(id, 0) over (order by id) from e
nth_value:int4
ERROR 22016: argument of nth_value must be greater than zero

# Aggregates over windows.
> select id, dept, sum(pay) over (partition by dept), count(*) over (partition by dept), avg(pay) over (partition by dept), min(pay) over (partition by dept), max(note) over () from e order by id
id:int4 | dept:text | sum:int8 | count:int8 | avg:numeric | min:int4 | max:text
1 | a | 500 | 3 | 166.6666666666666667 | 100 | z
2 | a | 500 | 3 | 166.6666666666666667 | 100 | z
3 | a | 500 | 3 | 166.6666666666666667 | 100 | z
4 | b | 120 | 3 | 60.0000000000000000 | 50 | z
5 | b | 120 | 3 | 60.0000000000000000 | 50 | z
6 | b | 120 | 3 | 60.0000000000000000 | 50 | z
7 | NULL | 10 | 1 | 10.0000000000000000 | 10 | z
8 | c | 300 | 1 | 300.0000000000000000 | 300 | z
SELECT 8

> select id, sum(pay) over (order by id), sum(pay) over (order by pay), count(pay) over (order by pay), sum(pay) over (order by pay desc nulls last) from e order by id
id:int4 | sum:int8 | sum:int8 | count:int8 | sum:int8
1 | 100 | 230 | 4 | 800
2 | 300 | 630 | 6 | 700
3 | 500 | 630 | 6 | 700
4 | 550 | 60 | 2 | 920
5 | 620 | 130 | 3 | 870
6 | 620 | 930 | 7 | 930
7 | 630 | 10 | 1 | 930
8 | 930 | 930 | 7 | 300
SELECT 8

> select id, sum(id) over (partition by dept order by id rows unbounded preceding), array_agg(id) over (order by id rows between 1 preceding and 1 following), string_agg(note, ',') over (order by id rows between 2 preceding and current row) from e order by id
id:int4 | sum:int8 | array_agg:_int4 | string_agg:text
1 | 1 | {1,2} | x
2 | 3 | {1,2,3} | x
3 | 6 | {2,3,4} | x,y
4 | 4 | {3,4,5} | y,z
5 | 9 | {4,5,6} | y,z,w
6 | 15 | {5,6,7} | z,w,v
7 | 7 | {6,7,8} | w,v,u
8 | 8 | {7,8} | v,u,t
SELECT 8

> select id, count(*) filter (where pay > 60) over (order by id), sum(pay) filter (where dept = 'a') over () from e order by id
id:int4 | count:int8 | sum:int8
1 | 1 | 500
2 | 2 | 500
3 | 3 | 500
4 | 3 | 500
5 | 4 | 500
6 | 4 | 500
7 | 4 | 500
8 | 5 | 500
SELECT 8

> select id, json_agg(id) over (order by id), jsonb_object_agg(id, pay) over (order by id rows 1 preceding), bool_and(pay > 60) over (order by id), every(pay > 10) over (partition by dept order by id) from e where id < 5 order by id
id:int4 | json_agg:json | jsonb_object_agg:jsonb | bool_and:bool | every:bool
1 | [1] | {"1": 100} | t | t
2 | [1, 2] | {"1": 100, "2": 200} | t | t
3 | [1, 2, 3] | {"2": 200, "3": 200} | t | t
4 | [1, 2, 3, 4] | {"3": 200, "4": 50} | f | t
SELECT 4

> select id, sum(pay::numeric) over w, sum(pay::float8) over w, avg(pay::float8) over w, stddev(pay) over w, min(pay) over w, max(pay) over w from e window w as (order by id rows between 2 preceding and 1 preceding) order by id
id:int4 | sum:numeric | sum:float8 | avg:float8 | stddev:numeric | min:int4 | max:int4
1 | NULL | NULL | NULL | NULL | NULL | NULL
2 | 100 | 100 | 100 | NULL | 100 | 100
3 | 300 | 300 | 150 | 70.7106781186547524 | 100 | 200
4 | 400 | 400 | 200 | 0 | 200 | 200
5 | 250 | 250 | 125 | 106.0660171779821287 | 50 | 200
6 | 120 | 120 | 60 | 14.1421356237309505 | 50 | 70
7 | 70 | 70 | 70 | NULL | 70 | 70
8 | 10 | 10 | 10 | NULL | 10 | 10
SELECT 8

> select id, sum(pay) over (order by id rows between 1 following and 3 following), sum(pay) over (order by id rows between current row and unbounded following), sum(pay) over (order by id rows between 3 preceding and 2 preceding), count(*) over (order by id rows between 100 preceding and 100 following), sum(id) over (order by id rows between 0 preceding and 0 following) from e order by id
id:int4 | sum:int8 | sum:int8 | sum:int8 | count:int8 | sum:int8
1 | 450 | 930 | NULL | 8 | 1
2 | 320 | 830 | NULL | 8 | 2
3 | 120 | 630 | 100 | 8 | 3
4 | 80 | 430 | 300 | 8 | 4
5 | 310 | 380 | 400 | 8 | 5
6 | 310 | 310 | 250 | 8 | 6
7 | 300 | 310 | 120 | 8 | 7
8 | NULL | 300 | 70 | 8 | 8
SELECT 8

> select sum(id) over (rows between 5 following and 9223372036854775807 following), count(*) over (rows between 9223372036854775807 preceding and 9223372036854775807 following) from e
sum:int8 | count:int8
21 | 8
15 | 8
8 | 8
NULL | 8
NULL | 8
NULL | 8
NULL | 8
NULL | 8
SELECT 8

# RANGE and GROUPS.
> select id, pay, sum(id) over (order by pay range between 50 preceding and 50 following), sum(id) over (order by pay desc range between 50 preceding and current row), count(*) over (order by pay nulls first range between 100 preceding and unbounded following) from e order by id
id:int4 | pay:int4 | sum:int8 | sum:int8 | count:int8
1 | 100 | 10 | 1 | 7
2 | 200 | 5 | 5 | 4
3 | 200 | 5 | 5 | 4
4 | 50 | 17 | 10 | 7
5 | 70 | 10 | 6 | 7
6 | NULL | 6 | 6 | 8
7 | 10 | 11 | 11 | 7
8 | 300 | 8 | 8 | 3
SELECT 8

> select id, pay, sum(id) over (order by pay range between 60 preceding and 40 preceding), sum(id) over (order by pay range between 10 following and 110 following), sum(id) over (order by pay desc nulls first range between 10 following and unbounded following) from e order by id
id:int4 | pay:int4 | sum:int8 | sum:int8 | sum:int8
1 | 100 | 4 | 5 | 16
2 | 200 | NULL | 8 | 17
3 | 200 | NULL | 8 | 17
4 | 50 | 7 | 6 | 7
5 | 70 | 7 | 1 | 11
6 | NULL | 6 | 6 | 36
7 | 10 | NULL | 10 | NULL
8 | 300 | NULL | NULL | 22
SELECT 8

> select id, hired, array_agg(id) over (order by hired range between '1 month' preceding and '10 days' following) from e order by id
id:int4 | hired:date | array_agg:_int4
1 | 2020-01-01 | {7,1,4}
2 | 2020-02-01 | {1,4,6,2}
3 | 2020-03-15 | {3}
4 | 2020-01-10 | {7,1,4,6}
5 | 2021-01-01 | {5}
6 | 2020-01-12 | {7,1,4,6}
7 | 2019-12-31 | {7,1,4}
8 | NULL | {8}
SELECT 8

> select id, hired, array_agg(id) over (order by hired desc range between interval '1 year' preceding and current row) from e order by id
id:int4 | hired:date | array_agg:_int4
1 | 2020-01-01 | {5,3,2,6,4,1}
2 | 2020-02-01 | {5,3,2}
3 | 2020-03-15 | {5,3}
4 | 2020-01-10 | {5,3,2,6,4}
5 | 2021-01-01 | {5}
6 | 2020-01-12 | {5,3,2,6}
7 | 2019-12-31 | {3,2,6,4,1,7}
8 | NULL | {8}
SELECT 8

> select x, sum(x) over (order by x range between 0.5 preceding and 0.5 following) from (values (1.0), (1.4), (1.5), (2.0), (2.6)) v(x)
x:numeric | sum:numeric
1.0 | 3.9
1.4 | 3.9
1.5 | 5.9
2.0 | 3.5
2.6 | 2.6
SELECT 5

> select x, sum(x) over (order by x range between 0.5 preceding and 0.5 following) from (values (1.0::float8), (1.4), (1.5), (2.0), (2.6)) v(x)
x:float8 | sum:float8
1 | 3.9
1.4 | 3.9
1.5 | 5.9
2 | 3.5
2.6 | 2.6
SELECT 5

> select t, count(*) over (order by t range between '1 hour' preceding and current row) from (values ('2024-01-01 10:00'::timestamp), ('2024-01-01 10:30'), ('2024-01-01 11:15'), ('2024-01-01 11:30')) v(t)
t:timestamp | count:int8
2024-01-01 10:00:00 | 1
2024-01-01 10:30:00 | 2
2024-01-01 11:15:00 | 2
2024-01-01 11:30:00 | 3
SELECT 4

> select t, count(*) over (order by t range between '1 hour' preceding and '1 hour' following) from (values ('1 hour'::interval), ('90 minutes'), ('3 hours'), (null)) v(t)
t:interval | count:int8
01:00:00 | 2
01:30:00 | 2
03:00:00 | 1
NULL | 1
SELECT 4

> select x, count(*) over (order by x range between 2147483647 preceding and 2147483647 following) from (values (-2147483648), (0), (2147483647)) v(x)
x:int4 | count:int8
-2147483648 | 1
0 | 2
2147483647 | 2
SELECT 3

> select id, pay, sum(id) over (order by pay groups between 1 preceding and 1 following), sum(id) over (order by pay groups current row), sum(id) over (order by pay groups between 1 following and 2 following), sum(id) over (order by pay groups between 3 preceding and 2 preceding), sum(id) over (order by pay groups between unbounded preceding and 1 preceding) from e order by pay, id
id:int4 | pay:int4 | sum:int8 | sum:int8 | sum:int8 | sum:int8 | sum:int8
7 | 10 | 11 | 7 | 9 | NULL | NULL
4 | 50 | 16 | 4 | 6 | NULL | 7
5 | 70 | 10 | 5 | 6 | 7 | 11
1 | 100 | 11 | 1 | 13 | 11 | 16
2 | 200 | 14 | 5 | 14 | 9 | 17
3 | 200 | 14 | 5 | 14 | 9 | 17
8 | 300 | 19 | 8 | 6 | 6 | 22
6 | NULL | 14 | 6 | NULL | 6 | 30
SELECT 8

> select id, pay, first_value(pay) over (order by pay range between 100 preceding and current row), last_value(pay) over (order by pay groups between current row and 1 following), nth_value(id, 2) over (order by id rows between 1 preceding and 1 following) from e order by pay, id
id:int4 | pay:int4 | first_value:int4 | last_value:int4 | nth_value:int4
7 | 10 | 10 | 50 | 7
4 | 50 | 10 | 70 | 4
5 | 70 | 10 | 100 | 5
1 | 100 | 10 | 200 | 2
2 | 200 | 100 | 300 | 2
3 | 200 | 100 | 300 | 3
8 | 300 | 200 | NULL | 8
6 | NULL | NULL | NULL | 6
SELECT 8

# EXCLUDE.
> select id, pay, array_agg(id) over (order by pay, id rows between 1 preceding and 1 following exclude current row) from e order by pay, id
id:int4 | pay:int4 | array_agg:_int4
7 | 10 | {4}
4 | 50 | {7,5}
5 | 70 | {4,1}
1 | 100 | {5,2}
2 | 200 | {1,3}
3 | 200 | {2,8}
8 | 300 | {3,6}
6 | NULL | {8}
SELECT 8

> select id, pay, sum(id) over (order by pay rows between unbounded preceding and unbounded following exclude group), sum(id) over (order by pay range between unbounded preceding and unbounded following exclude ties), sum(id) over (order by pay groups between 1 preceding and 1 following exclude no others) from e order by id
id:int4 | pay:int4 | sum:int8 | sum:int8 | sum:int8
1 | 100 | 35 | 36 | 11
2 | 200 | 31 | 33 | 14
3 | 200 | 31 | 34 | 14
4 | 50 | 32 | 36 | 16
5 | 70 | 31 | 36 | 10
6 | NULL | 30 | 36 | 14
7 | 10 | 29 | 36 | 11
8 | 300 | 28 | 36 | 19
SELECT 8

> select id, pay, first_value(id) over w, last_value(id) over w, nth_value(id, 2) over w from e window w as (partition by dept order by pay, id rows between unbounded preceding and unbounded following exclude current row) order by dept, pay, id
id:int4 | pay:int4 | first_value:int4 | last_value:int4 | nth_value:int4
1 | 100 | 2 | 3 | 3
2 | 200 | 1 | 3 | 3
3 | 200 | 1 | 2 | 2
4 | 50 | 5 | 6 | 6
5 | 70 | 4 | 6 | 6
6 | NULL | 4 | 5 | 5
8 | 300 | NULL | NULL | NULL
7 | 10 | NULL | NULL | NULL
SELECT 8

> select id, sum(id) over (w rows between 1 preceding and 1 following exclude ties) from e window w as (partition by dept order by pay) order by dept, id
id:int4 | sum:int8
1 | 3
2 | 3
3 | 3
4 | 9
5 | 15
6 | 11
8 | 8
7 | 7
SELECT 8

# Several windows, windows over groups, over expressions, in ORDER BY, in subqueries, DISTINCT, LIMIT.
> select id, rank() over (partition by dept order by pay), rank() over (order by pay desc), sum(pay) over (partition by pay > 60 order by id), row_number() over (partition by dept, pay order by id) from e order by id
id:int4 | rank:int8 | rank:int8 | sum:int8 | row_number:int8
1 | 1 | 5 | 100 | 1
2 | 2 | 3 | 300 | 1
3 | 2 | 3 | 500 | 2
4 | 1 | 7 | 50 | 1
5 | 2 | 6 | 570 | 1
6 | 3 | 1 | NULL | 1
7 | 1 | 8 | 60 | 1
8 | 1 | 2 | 870 | 1
SELECT 8

> select dept, sum(pay), rank() over (order by sum(pay) desc nulls last), sum(sum(pay)) over (order by dept), count(*) over () from e group by dept order by dept
dept:text | sum:int8 | rank:int8 | sum:numeric | count:int8
a | 500 | 1 | 500 | 4
b | 120 | 3 | 620 | 4
c | 300 | 2 | 920 | 4
NULL | 10 | 4 | 930 | 4
SELECT 4

> select dept, count(*) as n, row_number() over (partition by count(*) > 2 order by dept) from e group by dept having count(*) >= 1 order by dept
dept:text | n:int8 | row_number:int8
a | 3 | 1
b | 3 | 2
c | 1 | 1
NULL | 1 | 2
SELECT 4

> select dept || '!', max(pay) - lag(max(pay)) over (order by dept || '!') from e group by dept || '!' order by 1
?column?:text | ?column?:int4
a! | NULL
b! | -130
c! | 230
NULL | -290
SELECT 4

> select dept, rank() over (order by id) from e group by dept
ERROR 42803: column "e.id" must appear in the GROUP BY clause or be used in an aggregate function

> select id from e order by row_number() over (order by pay desc, id), id
id:int4
6
8
2
3
1
5
4
7
SELECT 8

> select id, pay * 100 / sum(pay) over () from e order by rank() over (order by pay), id limit 3
id:int4 | ?column?:int8
7 | 1
4 | 5
5 | 7
SELECT 3

> select * from (select id, row_number() over (partition by dept order by pay desc, id) rn from e) x where rn = 1 order by id
id:int4 | rn:int8
2 | 1
6 | 1
7 | 1
8 | 1
SELECT 4

> select distinct count(*) over (partition by dept) from e order by 1
count:int8
1
3
SELECT 2

> select distinct on (dept) dept, id, rank() over (partition by dept order by id desc) from e order by dept, id desc
dept:text | id:int4 | rank:int8
a | 3 | 1
b | 6 | 1
c | 8 | 1
NULL | 7 | 1
SELECT 4

> select id, (select count(*) from e f where f.pay < e.pay) = rank() over (order by pay) - 1 from e where pay is not null order by id
id:int4 | ?column?:bool
1 | t
2 | t
3 | t
4 | t
5 | t
7 | t
8 | t
SELECT 7

> with w as (select id, sum(id) over (order by id) s from e) select max(s), sum(s) over () from w group by s order by 1 limit 2
max:int8 | sum:numeric
1 | 120
3 | 120
SELECT 2

> select a.id, b.id, row_number() over (order by a.id, b.id desc) from e a join e b on a.dept = b.dept where a.pay < b.pay order by 3
id:int4 | id:int4 | row_number:int8
1 | 3 | 1
1 | 2 | 2
4 | 5 | 3
SELECT 3

> select id, case when row_number() over (order by id) % 2 = 0 then 'even' else 'odd' end, coalesce(lag(id) over (order by id), 0) + 1 from e order by id
id:int4 | case:text | ?column?:int4
1 | odd | 1
2 | even | 2
3 | odd | 3
4 | even | 4
5 | odd | 5
6 | even | 6
7 | odd | 7
8 | even | 8
SELECT 8

> select generate_series(1, 2), row_number() over (order by id) from e where id < 3 order by 2, 1
generate_series:int4 | row_number:int8
1 | 1
2 | 1
1 | 2
2 | 2
SELECT 4

> select row_number() over () from e where false
row_number:int8
SELECT 0

> select count(*) over () from e limit 1
count:int8
8
SELECT 1

> values ((select sum(id) over (order by id) from e order by 1 desc limit 1))
column1:int8
36
SELECT 1

> select id, sum(pay) over (order by id rows (select 1) preceding) from e order by id limit 2
id:int4 | sum:int8
1 | 100
2 | 300
SELECT 2

> select sum(x) over (order by x), y from (select sum(id) x, dept y from e group by dept) q order by y
sum:numeric | y:text
6 | a
36 | b
21 | c
13 | NULL
SELECT 4

> prepare w(int) as select id, sum(id) over (order by id rows $1 preceding) from e order by id
PREPARE

> execute w(1)
id:int4 | sum:int8
1 | 1
2 | 3
3 | 5
4 | 7
5 | 9
6 | 11
7 | 13
8 | 15
SELECT 8

> execute w(0)
id:int4 | sum:int8
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5
6 | 6
7 | 7
8 | 8
SELECT 8

> select sum(1) over (order by id rows between -1 preceding and current row) from e
sum:int8
ERROR 22013: frame starting offset must not be negative

> select sum(1) over (order by pay range between -1 preceding and current row) from e
sum:int8
ERROR 22013: invalid preceding or following size in window function

> select sum(1) over (order by hired range between '-1 day' preceding and current row) from e
sum:int8
ERROR 22013: invalid preceding or following size in window function

> select sum(1) over (order by pay range between null preceding and current row) from e
sum:int8
ERROR 22004: frame starting offset must not be null

# Named windows.
> select id, sum(pay) over w, rank() over (w order by pay), count(*) over (w rows unbounded preceding) from e window w as (partition by dept) order by id
id:int4 | sum:int8 | rank:int8 | count:int8
1 | 500 | 1 | 1
2 | 500 | 2 | 2
3 | 500 | 2 | 3
4 | 120 | 1 | 1
5 | 120 | 2 | 2
6 | 120 | 3 | 3
7 | 10 | 1 | 1
8 | 300 | 1 | 1
SELECT 8

> select id, rank() over w2 from e window w as (partition by dept), w2 as (w order by pay) order by id
id:int4 | rank:int8
1 | 1
2 | 2
3 | 2
4 | 1
5 | 2
6 | 3
7 | 1
8 | 1
SELECT 8

> select rank() over w from e
ERROR 42704: window "w" does not exist

> select rank() over (w partition by id) from e window w as (order by id)
ERROR 42P20: cannot override PARTITION BY clause of window "w"

> select rank() over (w order by pay) from e window w as (order by id)
ERROR 42P20: cannot override ORDER BY clause of window "w"

> select rank() over (w) from e window w as (order by id rows unbounded preceding)
ERROR 42P20: cannot copy window "w" because it has a frame clause
HINT: Omit the parentheses in this OVER clause.

> select rank() over (w rows 1 preceding) from e window w as (order by id rows unbounded preceding)
ERROR 42P20: cannot copy window "w" because it has a frame clause

> select rank() over w from e window w as (order by id), w as (order by pay)
ERROR 42P20: window "w" is already defined

> select rank() over w from e window w as (w2), w2 as (order by id)
ERROR 42704: window "w2" does not exist

# What is refused.
> select id from e where row_number() over () = 1
ERROR 42P20: window functions are not allowed in WHERE

> select dept from e group by dept having rank() over () = 1
ERROR 42P20: window functions are not allowed in HAVING

> select dept from e group by rank() over ()
ERROR 42P20: window functions are not allowed in GROUP BY

> select 1 from e a join e b on rank() over () = 1
ERROR 42P20: window functions are not allowed in JOIN conditions

> select rank() over (order by rank() over ()) from e
ERROR 42P20: window functions are not allowed in window definitions

> select sum(rank() over ()) from e
ERROR 42803: aggregate function calls cannot contain window function calls

> select sum(sum(id) over ()) over () from e
ERROR 42P20: window function calls cannot be nested

> select rank() from e
ERROR 42809: window function rank requires an OVER clause

> select lag(1) from e
ERROR 42809: window function lag requires an OVER clause

> select upper('a') over ()
ERROR 42809: OVER specified, but upper is not a window function nor an aggregate function

> select nosuch(1) over ()
ERROR 42883: function nosuch(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select ntile('x') over () from e
ERROR 22P02: invalid input syntax for type integer: "x"

> select ntile(1, 2) over () from e
ERROR 42883: function ntile(integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select lag() over () from e
ERROR 42883: function lag() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select lag('x') over () from e
ERROR 42804: could not determine polymorphic type because input has type unknown

> select lag(id, 1, 'x') over () from e
ERROR 22P02: invalid input syntax for type integer: "x"

> select lag(id, 1, note) over () from e
ERROR 42883: function lag(integer, integer, text) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select count(distinct id) over () from e
ERROR 0A000: DISTINCT is not implemented for window functions

> select array_agg(id order by id) over () from e
ERROR 0A000: aggregate ORDER BY is not implemented for window functions

> select rank() filter (where true) over () from e
ERROR 0A000: FILTER is not implemented for non-aggregate window functions

> select sum(id) over (order by id rows between unbounded following and current row) from e
ERROR 42P20: frame start cannot be UNBOUNDED FOLLOWING

> select sum(id) over (order by id rows between current row and unbounded preceding) from e
ERROR 42P20: frame end cannot be UNBOUNDED PRECEDING

> select sum(id) over (order by id rows between current row and 1 preceding) from e
ERROR 42P20: frame starting from current row cannot have preceding rows

> select sum(id) over (order by id rows between 1 following and current row) from e
ERROR 42P20: frame starting from following row cannot have preceding rows

> select sum(id) over (order by id rows 1 following) from e
ERROR 42P20: frame starting from following row cannot end with current row

> select sum(id) over (order by id rows unbounded following) from e
ERROR 42P20: frame start cannot be UNBOUNDED FOLLOWING

> select sum(id) over (order by id rows id preceding) from e
ERROR 42P10: argument of ROWS must not contain variables

> select sum(id) over (order by id rows 'x' preceding) from e
ERROR 22P02: invalid input syntax for type bigint: "x"

> select sum(id) over (order by id rows 1.5 preceding) from e
sum:int8
1
3
6
9
12
15
18
21
SELECT 8

> select sum(id) over (order by id rows now() preceding) from e
ERROR 42804: argument of ROWS must be type bigint, not type timestamp with time zone

> select sum(id) over (range 1 preceding) from e
ERROR 42P20: RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column

> select sum(id) over (order by id, pay range 1 preceding) from e
ERROR 42P20: RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column

> select sum(id) over (groups 1 preceding) from e
ERROR 42P20: GROUPS mode requires an ORDER BY clause

> select sum(id) over (order by note range 1 preceding) from e
ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type text

> select sum(id) over (order by pay range '1 day'::interval preceding) from e
ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type integer and offset type interval
HINT: Cast the offset value to an appropriate type.

> select sum(id) over (order by hired range 1 preceding) from e
ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type date and offset type integer
HINT: Cast the offset value to an appropriate type.

> select rank() over (order by id) from e for update
ERROR 0A000: FOR UPDATE is not allowed with window functions

> update e set pay = rank() over ()
ERROR 42P20: window functions are not allowed in UPDATE

> insert into e values (rank() over ())
ERROR 42P20: window functions are not allowed in VALUES

> delete from e where rank() over () = 1
ERROR 42P20: window functions are not allowed in WHERE

> update e set pay = 1 where id = 1 returning rank() over ()
ERROR 42P20: window functions are not allowed in RETURNING

> select 1 limit rank() over ()
ERROR 42P20: window functions are not allowed in LIMIT

> drop table e
DROP TABLE

# Frames by an infinite distance: infinities and NaN.

> CREATE TABLE w_inf (id int, f4 float4, f8 float8, n numeric)
CREATE TABLE

> INSERT INTO w_inf VALUES (0, '-infinity', '-infinity', '-infinity'), (1, -3, -3, -3), (2, 0, 0, 0), (3, 1.5, 1.5, 1.5), (8, 'infinity', 'infinity', 'infinity'), (9, 'NaN', 'NaN', 'NaN'), (10, NULL, NULL, NULL)
INSERT 0 7

> SELECT id, f4, first_value(id) OVER w, last_value(id) OVER w FROM w_inf WINDOW w AS (ORDER BY f4 RANGE BETWEEN 'inf' PRECEDING AND 'inf' FOLLOWING) ORDER BY id
id:int4 | f4:float4 | first_value:int4 | last_value:int4
0 | -Infinity | 0 | 8
1 | -3 | 0 | 8
2 | 0 | 0 | 8
3 | 1.5 | 0 | 8
8 | Infinity | 0 | 8
9 | NaN | 9 | 9
10 | NULL | 10 | 10
SELECT 7

> SELECT id, f8, first_value(id) OVER w, last_value(id) OVER w FROM w_inf WINDOW w AS (ORDER BY f8 RANGE BETWEEN 'inf' PRECEDING AND 'inf' PRECEDING) ORDER BY id
id:int4 | f8:float8 | first_value:int4 | last_value:int4
0 | -Infinity | 0 | 0
1 | -3 | 0 | 0
2 | 0 | 0 | 0
3 | 1.5 | 0 | 0
8 | Infinity | 0 | 8
9 | NaN | 9 | 9
10 | NULL | 10 | 10
SELECT 7

> SELECT id, n, first_value(id) OVER w, last_value(id) OVER w FROM w_inf WINDOW w AS (ORDER BY n RANGE BETWEEN 'inf' FOLLOWING AND 'inf' FOLLOWING) ORDER BY id
id:int4 | n:numeric | first_value:int4 | last_value:int4
0 | -Infinity | 0 | 8
1 | -3 | 8 | 8
2 | 0 | 8 | 8
3 | 1.5 | 8 | 8
8 | Infinity | 8 | 8
9 | NaN | 9 | 9
10 | NULL | 10 | 10
SELECT 7

> SELECT id, f8, first_value(id) OVER w, last_value(id) OVER w FROM w_inf WINDOW w AS (ORDER BY f8 DESC RANGE BETWEEN 'inf' PRECEDING AND 'inf' FOLLOWING) ORDER BY id
id:int4 | f8:float8 | first_value:int4 | last_value:int4
0 | -Infinity | 8 | 0
1 | -3 | 8 | 0
2 | 0 | 8 | 0
3 | 1.5 | 8 | 0
8 | Infinity | 8 | 0
9 | NaN | 9 | 9
10 | NULL | 10 | 10
SELECT 7

> SELECT id, n, first_value(id) OVER w, last_value(id) OVER w FROM w_inf WINDOW w AS (ORDER BY n DESC NULLS LAST RANGE BETWEEN 'inf' PRECEDING AND 'inf' PRECEDING) ORDER BY id
id:int4 | n:numeric | first_value:int4 | last_value:int4
0 | -Infinity | 8 | 0
1 | -3 | 8 | 8
2 | 0 | 8 | 8
3 | 1.5 | 8 | 8
8 | Infinity | 8 | 8
9 | NaN | 9 | 9
10 | NULL | 10 | 10
SELECT 7

> SELECT id, n, count(*) OVER w FROM w_inf WINDOW w AS (ORDER BY n DESC RANGE BETWEEN 'inf' FOLLOWING AND 'inf' FOLLOWING) ORDER BY id
id:int4 | n:numeric | count:int8
0 | -Infinity | 1
1 | -3 | 1
2 | 0 | 1
3 | 1.5 | 1
8 | Infinity | 5
9 | NaN | 1
10 | NULL | 1
SELECT 7

> SELECT id, n, count(*) OVER w FROM w_inf WINDOW w AS (ORDER BY n RANGE BETWEEN 1 PRECEDING AND 'inf' FOLLOWING) ORDER BY id
id:int4 | n:numeric | count:int8
0 | -Infinity | 5
1 | -3 | 4
2 | 0 | 3
3 | 1.5 | 2
8 | Infinity | 1
9 | NaN | 1
10 | NULL | 1
SELECT 7
