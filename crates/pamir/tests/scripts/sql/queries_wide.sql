# Queries over several tables: joins, grouping, subqueries, CTEs, set operations.
> create table emp (id int primary key, name text not null, dept int, salary numeric(10,2), hired date, boss int)
CREATE TABLE

> create table dept (id int primary key, name varchar(20) unique, budget bigint)
CREATE TABLE

> insert into dept values (1, 'eng', 1000000), (2, 'ops', 500000), (3, 'hr', null), (4, 'empty', 10)
INSERT 0 4

> insert into emp values (1, 'ann', 1, 5000.50, '2015-03-01', null), (2, 'bob', 1, 4000, '2016-07-15', 1), (3, 'cid', 2, 3000.25, '2017-01-01', 1), (4, 'dot', 2, 3000.25, '2018-12-31', 3), (5, 'eve', 3, null, null, 3), (6, 'fay', null, 2500, '2020-02-29', 2)
INSERT 0 6

> select e.name, d.name from emp e join dept d on d.id = e.dept order by 1
name:text | name:varchar
ann | eng
bob | eng
cid | ops
dot | ops
eve | hr
SELECT 5

> select e.name, d.name from emp e left join dept d on d.id = e.dept order by 1
name:text | name:varchar
ann | eng
bob | eng
cid | ops
dot | ops
eve | hr
fay | NULL
SELECT 6

> select d.name, e.name from emp e right join dept d on d.id = e.dept order by 1, 2
name:varchar | name:text
empty | NULL
eng | ann
eng | bob
hr | eve
ops | cid
ops | dot
SELECT 6

> select d.name, e.name from emp e full join dept d on d.id = e.dept order by 1, 2
name:varchar | name:text
empty | NULL
eng | ann
eng | bob
hr | eve
ops | cid
ops | dot
NULL | fay
SELECT 7

> select e.name as emp, b.name as boss, bb.name as top from emp e left join emp b on b.id = e.boss left join emp bb on bb.id = b.boss order by e.id
emp:text | boss:text | top:text
ann | NULL | NULL
bob | ann | NULL
cid | ann | NULL
dot | cid | ann
eve | cid | ann
fay | bob | ann
SELECT 6

> select d.name, count(*), count(e.id), sum(e.salary), avg(e.salary), min(e.hired), max(e.name) from dept d left join emp e on e.dept = d.id group by d.name order by d.name
name:varchar | count:int8 | count:int8 | sum:numeric | avg:numeric | min:date | max:text
empty | 1 | 0 | NULL | NULL | NULL | NULL
eng | 2 | 2 | 9000.50 | 4500.2500000000000000 | 2015-03-01 | bob
hr | 1 | 1 | NULL | NULL | NULL | eve
ops | 2 | 2 | 6000.50 | 3000.2500000000000000 | 2017-01-01 | dot
SELECT 4

> select d.id, d.name, d.budget, count(e.id) from dept d left join emp e on e.dept = d.id group by d.id order by d.id
id:int4 | name:varchar | budget:int8 | count:int8
1 | eng | 1000000 | 2
2 | ops | 500000 | 2
3 | hr | NULL | 1
4 | empty | 10 | 0
SELECT 4

> select dept, name, count(*) from emp group by dept order by dept
ERROR 42803: column "emp.name" must appear in the GROUP BY clause or be used in an aggregate function

> select dept, count(*) filter (where salary > 3000), count(distinct salary) from emp group by 1 having count(*) > 1 order by 1
dept:int4 | count:int8 | count:int8
1 | 2 | 2
2 | 2 | 1
SELECT 2

> select extract(year from hired) as y, string_agg(name, ',' order by name desc) from emp group by 1 order by 1 nulls first
y:numeric | string_agg:text
NULL | eve
2015 | ann
2016 | bob
2017 | cid
2018 | dot
2020 | fay
SELECT 6

> select array_agg(name order by salary desc nulls last, name) from emp
array_agg:_text
{ann,bob,cid,dot,fay,eve}
SELECT 1

> select bool_and(salary > 1000), bool_or(salary > 4500), every(id > 0), bit_and(id), bit_or(id) from emp
bool_and:bool | bool_or:bool | every:bool | bit_and:int4 | bit_or:int4
t | t | t | 0 | 7
SELECT 1

> select stddev(salary), variance(salary), stddev_pop(salary), var_pop(salary) from emp
stddev:numeric | variance:numeric | stddev_pop:numeric | var_pop:numeric
1000.125014060742 | 1000250.043750000000 | 894.539006975101 | 800200.035000000000
SELECT 1

> select corr(id, salary), regr_slope(salary, id), covar_pop(id, salary) from emp
corr:float8 | regr_slope:float8 | covar_pop:float8
-0.9097914122443567 | -473.0371621621622 | -1400.19
SELECT 1

> select name from emp where salary = (select max(salary) from emp)
name:text
ann
SELECT 1

> select name from emp e where salary > (select avg(salary) from emp where dept = e.dept) order by 1
name:text
ann
SELECT 1

> select name, (select count(*) from emp x where x.boss = e.id) as subs from emp e order by e.id
name:text | subs:int8
ann | 2
bob | 1
cid | 2
dot | 0
eve | 0
fay | 0
SELECT 6

> select name from dept d where exists (select 1 from emp e where e.dept = d.id and e.salary > 3500)
name:varchar
eng
SELECT 1

> select name from dept d where not exists (select 1 from emp e where e.dept = d.id) order by 1
name:varchar
empty
SELECT 1

> select name from emp where dept in (select id from dept where budget > 600000) order by 1
name:text
ann
bob
SELECT 2

> select name from emp where dept not in (select id from dept where budget > 600000) order by 1
name:text
cid
dot
eve
SELECT 3

> select name from emp where id not in (select boss from emp) order by 1
name:text
SELECT 0

> select name from emp where salary > all (select salary from emp where dept = 2) order by 1
name:text
ann
bob
SELECT 2

> select name from emp where salary >= any (select salary from emp where dept = 1) order by 1
name:text
ann
bob
SELECT 2

> select name from emp where (dept, salary) in (select dept, max(salary) from emp group by dept) order by 1
name:text
ann
cid
dot
SELECT 3

> select name from emp where (dept, boss) = (2, 1)
name:text
cid
SELECT 1

> select name from emp where (salary, id) > (3000.25, 3) order by salary, id
name:text
dot
bob
ann
SELECT 3

> select * from (select dept, sum(salary) s from emp group by dept) t where s > 4000 order by s
dept:int4 | s:numeric
2 | 6000.50
1 | 9000.50
SELECT 2

> with recursive chain as (select id, name, boss, 1 as depth, name::text as path from emp where boss is null union all select e.id, e.name, e.boss, c.depth + 1, c.path || '>' || e.name from emp e join chain c on e.boss = c.id) select id, depth, path from chain order by path
id:int4 | depth:int4 | path:text
1 | 1 | ann
2 | 2 | ann>bob
6 | 3 | ann>bob>fay
3 | 2 | ann>cid
4 | 3 | ann>cid>dot
5 | 3 | ann>cid>eve
SELECT 6

> with recursive n(i) as (values (1) union all select i + 1 from n where i < 10) select sum(i), count(*), max(i) from n
sum:int8 | count:int8 | max:int4
55 | 10 | 10
SELECT 1

> with recursive f(a, b) as (select 0, 1 union all select b, a + b from f where b < 50) select a from f
a:int4
0
1
1
2
3
5
8
13
21
34
SELECT 10

> with a as (select 1 as x), b as (select x + 1 as y from a) select * from a, b
x:int4 | y:int4
1 | 2
SELECT 1

> with t as materialized (select * from emp where dept = 1) select count(*) from t a, t b
count:int8
4
SELECT 1

> with u as (update emp set salary = salary * 1.1 where dept = 1 returning id, salary) select * from u order by id
id:int4 | salary:numeric
1 | 5500.55
2 | 4400.00
SELECT 2

> with d as (delete from emp where id = 6 returning *) select name from d
name:text
fay
SELECT 1

> with i as (insert into emp values (7, 'gus', 2, 1, '2021-01-01', 1) returning id) select e.id, i.id from i left join emp e on e.id = i.id
id:int4 | id:int4
NULL | 7
SELECT 1

> select id from emp union select id from dept order by id
id:int4
1
2
3
4
5
7
SELECT 6

> select id from emp union all select id from dept order by id desc limit 3
id:int4
7
5
4
SELECT 3

> select id from emp intersect select id from dept order by 1
id:int4
1
2
3
4
SELECT 4

> select id from emp except select id from dept order by 1
id:int4
5
7
SELECT 2

> select id from emp except all select boss from emp order by 1
id:int4
2
4
5
7
SELECT 4

> (select name from emp order by id limit 2) union all (select name from dept order by id limit 1)
name:text
ann
bob
eng
SELECT 3

> select 1 union select 2.5 union select null order by 1
?column?:numeric
1
2.5
NULL
SELECT 3

> select 1 as a union select 'x'
ERROR 22P02: invalid input syntax for type integer: "x"

> select 1, 2 union select 3
ERROR 42601: each UNION query must have the same number of columns

> select 'a' union select 'b' order by 1 desc
?column?:text
b
a
SELECT 2

> select distinct dept from emp order by dept nulls first
dept:int4
1
2
3
SELECT 3

> select distinct on (dept) dept, name from emp order by dept, salary desc nulls last, id
dept:int4 | name:text
1 | ann
2 | cid
3 | eve
SELECT 3

> select distinct on (dept) dept, name from emp order by name
ERROR 42P10: SELECT DISTINCT ON expressions must match initial ORDER BY expressions

> select distinct dept from emp order by name
ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list

> select name from emp order by salary nulls first, name desc limit 2 offset 1
name:text
gus
dot
SELECT 2

> select name from emp order by length(name), 1 desc fetch first 3 rows only
name:text
gus
eve
dot
SELECT 3

> select salary from emp order by salary desc fetch first 3 rows with ties
salary:numeric
NULL
5500.55
4400.00
SELECT 3

> select name from emp order by 2
ERROR 42P10: ORDER BY position 2 is not in select list

> select name as n from emp order by upper(n)
ERROR 42703: column "n" does not exist

> select name as n from emp where n = 'ann'
ERROR 42703: column "n" does not exist

> select count(*) from emp where count(*) > 1
ERROR 42803: aggregate functions are not allowed in WHERE

> select dept from emp group by name
ERROR 42803: column "emp.dept" must appear in the GROUP BY clause or be used in an aggregate function

> select sum(salary) from emp order by id
ERROR 42803: column "emp.id" must appear in the GROUP BY clause or be used in an aggregate function

> select max(sum(salary)) from emp
ERROR 42803: aggregate function calls cannot be nested

> select e.* from emp e cross join dept d where d.id = e.dept and d.name = 'ops' order by 1
id:int4 | name:text | dept:int4 | salary:numeric | hired:date | boss:int4
3 | cid | 2 | 3000.25 | 2017-01-01 | 1
4 | dot | 2 | 3000.25 | 2018-12-31 | 3
7 | gus | 2 | 1.00 | 2021-01-01 | 1
SELECT 3

> select * from emp natural join (select id, budget from dept) d order by id
id:int4 | name:text | dept:int4 | salary:numeric | hired:date | boss:int4 | budget:int8
1 | ann | 1 | 5500.55 | 2015-03-01 | NULL | 1000000
2 | bob | 1 | 4400.00 | 2016-07-15 | 1 | 500000
3 | cid | 2 | 3000.25 | 2017-01-01 | 1 | NULL
4 | dot | 2 | 3000.25 | 2018-12-31 | 3 | 10
SELECT 4

> select id, e.name, d.name from emp e join dept d using (id) order by id
id:int4 | name:text | name:varchar
1 | ann | eng
2 | bob | ops
3 | cid | hr
4 | dot | empty
SELECT 4

> select * from emp join dept on true where name = 'x'
ERROR 42702: column reference "name" is ambiguous

> select e.id, l.top from emp e, lateral (select max(salary) as top from emp x where x.dept = e.dept) l order by 1
id:int4 | top:numeric
1 | 5500.55
2 | 5500.55
3 | 3000.25
4 | 3000.25
5 | NULL
7 | 3000.25
SELECT 6

> select d.name, l.name from dept d left join lateral (select name from emp e where e.dept = d.id order by salary desc nulls last limit 1) l on true order by 1
name:varchar | name:text
empty | NULL
eng | ann
hr | eve
ops | cid
SELECT 4

> select * from emp, lateral (select id) x order by 1
id:int4 | name:text | dept:int4 | salary:numeric | hired:date | boss:int4 | id:int4
1 | ann | 1 | 5500.55 | 2015-03-01 | NULL | 1
2 | bob | 1 | 4400.00 | 2016-07-15 | 1 | 2
3 | cid | 2 | 3000.25 | 2017-01-01 | 1 | 3
4 | dot | 2 | 3000.25 | 2018-12-31 | 3 | 4
5 | eve | 3 | NULL | NULL | 3 | 5
7 | gus | 2 | 1.00 | 2021-01-01 | 1 | 7
SELECT 6

> select * from generate_series(1, 3) g(x), generate_series(1, x) h(y) order by 1, 2
x:int4 | y:int4
1 | 1
2 | 1
2 | 2
3 | 1
3 | 2
3 | 3
SELECT 6

> select g, generate_series(1, 2) from generate_series(1, 2) g
g:int4 | generate_series:int4
1 | 1
1 | 2
2 | 1
2 | 2
SELECT 4

> select generate_series(1, 3), generate_series(1, 2)
generate_series:int4 | generate_series:int4
1 | 1
2 | 2
3 | NULL
SELECT 3

> select * from generate_series(10, 1, -4)
generate_series:int4
10
6
2
SELECT 3

> select * from generate_series(1, 2) with ordinality
generate_series:int4 | ordinality:int8
1 | 1
2 | 2
SELECT 2

> select * from unnest(array['a','b']) with ordinality as t(v, n)
v:text | n:int8
a | 1
b | 2
SELECT 2

> select * from generate_series('2020-01-01'::timestamp, '2020-01-03', '1 day')
generate_series:timestamp
2020-01-01 00:00:00
2020-01-02 00:00:00
2020-01-03 00:00:00
SELECT 3

> values (1, 'a'), (2, 'b') order by 1 desc
column1:int4 | column2:text
2 | b
1 | a
SELECT 2

> select * from (values (1, 'a'), (2, null)) v(a, b) where b is null
a:int4 | b:text
2 | NULL
SELECT 1

> select column1 + 1 from (values (1), (2.5)) v
?column?:numeric
2
3.5
SELECT 2

> select case dept when 1 then 'one' when 2 then 'two' else 'many' end, count(*) from emp group by 1 order by 1
case:text | count:int8
many | 1
one | 2
two | 3
SELECT 3

> select case when salary > 4000 then 'hi' when salary > 2000 then 'mid' end from emp order by id
case:text
hi
hi
mid
mid
NULL
NULL
SELECT 6

> select coalesce(salary, 0), nullif(dept, 1), greatest(dept, 2, null), least(salary, 3500) from emp order by id
coalesce:numeric | nullif:int4 | greatest:int4 | least:numeric
5500.55 | NULL | 2 | 3500
4400.00 | NULL | 2 | 3500
3000.25 | 2 | 2 | 3000.25
3000.25 | 2 | 2 | 3000.25
0 | 3 | 3 | 3500
1.00 | 2 | 2 | 1.00
SELECT 6

> select grouping(dept), dept, sum(salary) from emp group by rollup (dept) order by 1, 2
grouping:int4 | dept:int4 | sum:numeric
0 | 1 | 9900.55
0 | 2 | 6001.50
0 | 3 | NULL
1 | NULL | 15902.05
SELECT 4

> select dept, boss, count(*) from emp group by grouping sets ((dept), (boss), ()) order by 1, 2, 3
dept:int4 | boss:int4 | count:int8
1 | NULL | 2
2 | NULL | 3
3 | NULL | 1
NULL | 1 | 3
NULL | 3 | 2
NULL | NULL | 1
NULL | NULL | 6
SELECT 7

> select dept, boss, count(*) from emp group by cube (dept, boss) order by 1, 2, 3
dept:int4 | boss:int4 | count:int8
1 | 1 | 1
1 | NULL | 1
1 | NULL | 2
2 | 1 | 2
2 | 3 | 1
2 | NULL | 3
3 | 3 | 1
3 | NULL | 1
NULL | 1 | 3
NULL | 3 | 2
NULL | NULL | 1
NULL | NULL | 6
SELECT 12

> select name from emp where name like '_o%' or name ilike 'A%' order by 1
name:text
ann
bob
dot
SELECT 3

> select name from emp where name ~ '^[a-c]' and name !~ 'n$' order by 1
name:text
bob
cid
SELECT 2

> select name from emp where name between 'b' and 'd' order by 1
name:text
bob
cid
SELECT 2

> select count(*), count(*) from emp having count(*) > 100
count:int8 | count:int8
SELECT 0

> select 1 where false
?column?:int4
SELECT 0

> select count(*) where false
count:int8
0
SELECT 1

> select sum(x) from (select 1 as x where false) t
sum:int8
NULL
SELECT 1

> select t from (values (1, 'x')) t(a, b)
t:record
(1,x)
SELECT 1

> select (t).b from (values (1, 'x')) t(a, b)
b:text
x
SELECT 1

> select json_agg(t) from (values (1, 'x'), (2, null)) t(a, b)
json_agg:json
[{"a":1,"b":"x"}, \n {"a":2,"b":null}]
SELECT 1

> select to_jsonb(e) from emp e where id = 1
to_jsonb:jsonb
{"id": 1, "boss": null, "dept": 1, "name": "ann", "hired": "2015-03-01", "salary": 5500.55}
SELECT 1

> select json_build_object('e', e) from (select id, name from emp where id = 2) e
json_build_object:json
{"e" : {"id":2,"name":"bob"}}
SELECT 1

> select row_to_json(x) from (select id, array_agg(name) as names from emp group by id order by id limit 1) x
row_to_json:json
{"id":1,"names":["ann"]}
SELECT 1

> select e from emp e where e is null
e:user
SELECT 0

> select count(e) from emp e
count:int8
6
SELECT 1

> select emp.name from emp e
ERROR 42P01: invalid reference to FROM-clause entry for table "emp"
HINT: Perhaps you meant to reference the table alias "e".

> select foo.name from emp e
ERROR 42P01: missing FROM-clause entry for table "foo"

> select nme from emp
ERROR 42703: column "nme" does not exist
HINT: Perhaps you meant to reference the column "emp.name".

> select e.nme from emp e
ERROR 42703: column e.nme does not exist
HINT: Perhaps you meant to reference the column "e.name".

> select name from emp, dept
ERROR 42702: column reference "name" is ambiguous

> select * from nosuch
ERROR 42P01: relation "nosuch" does not exist

> select * from nosuch.emp
ERROR 42P01: relation "nosuch.emp" does not exist

> select nosuch(1)
ERROR 42883: function nosuch(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select name + 1 from emp
ERROR 42883: operator does not exist: text + integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select sum(name) from emp
ERROR 42883: function sum(text) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from emp where name
ERROR 42804: argument of WHERE must be type boolean, not type text

> select * from emp limit -1
id:int4 | name:text | dept:int4 | salary:numeric | hired:date | boss:int4
ERROR 2201W: LIMIT must not be negative

> select * from emp limit 'x'
ERROR 22P02: invalid input syntax for type bigint: "x"

> select id from emp order by id for update skip locked limit 1
id:int4
1
SELECT 1

> select count(*) from emp for update
ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

> select distinct dept from emp for update
ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause

> drop table emp, dept
DROP TABLE

