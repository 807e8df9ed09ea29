# VALUES as an operand, row locks without FROM, elements of GROUPING SETS in parentheses, names that are keywords elsewhere.
> select 1 for update
?column?:int4
1
SELECT 1

> select 1 from (select 2) x for update
?column?:int4
1
SELECT 1

> select (values (1))
column1:int4
1
SELECT 1

> select (values (1),(2))
column1:int4
ERROR 21000: more than one row returned by a subquery used as an expression

> select 1 + (values (1))
?column?:int4
2
SELECT 1

> select (values (1) limit 1), exists (values (1)), 1 in (values (1), (2)), array(values (1),(2))
column1:int4 | exists:bool | ?column?:bool | array:_int4
1 | t | t | {1,2}
SELECT 1

> select date '2024-01-01' in (timestamp '2024-01-01', '2024-01-02')
?column?:bool
t
SELECT 1

> select date '2024-01-01' in ('4714-11-24 BC', timestamp '294276-01-01')
?column?:bool
f
SELECT 1

> create table first(first int, last int, value int, next int, ties int)
CREATE TABLE

> select first, last, value, next from first order by first, next
first:int4 | last:int4 | value:int4 | next:int4
SELECT 0

> insert into first values (1,2,3,4,5) returning first
first:int4
1
INSERT 0 1

> select first.first, first.ties from first
first:int4 | ties:int4
1 | 5
SELECT 1

> select first from first group by first having first > 0
first:int4
1
SELECT 1

> select 1 as "a" union select 2 for update
ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

> select * from (values (1)) v for update
column1:int4
1
SELECT 1

> select 'abc' like 'a%' collate "C"
?column?:bool
t
SELECT 1

> select interval '1 day' in ('24:00:00')
?column?:bool
t
SELECT 1

> select 1 where row(1,2) = all (select 1,2)
?column?:int4
1
SELECT 1

> select case when 1=1 then 'a' end || null
?column?:text
NULL
SELECT 1

> select all 1
?column?:int4
1
SELECT 1

> select (values (1)) + 1, coalesce((values (null::int)), (values (5)))
?column?:int4 | coalesce:int4
2 | 5
SELECT 1

> select * from (values (1)) v, (values (2)) w(x), ((values (3)) u(z) join (values (4)) t on true)
column1:int4 | x:int4 | z:int4 | column1:int4
1 | 2 | 3 | 4
SELECT 1

> select case when (values (true)) then (values ('a')) end
case:text
a
SELECT 1

> select * from first where first > (values (0)) and last in ((values (2)))
first:int4 | last:int4 | value:int4 | next:int4 | ties:int4
1 | 2 | 3 | 4 | 5
SELECT 1

> insert into first(first) values ((values (9)))
INSERT 0 1

> update first set last = (values (8)) where first = 9
UPDATE 1

> select * from first
first:int4 | last:int4 | value:int4 | next:int4 | ties:int4
1 | 2 | 3 | 4 | 5
9 | 8 | NULL | NULL | NULL
SELECT 2

> with c(x) as (values (1)) select * from c, (values (2)) d
x:int4 | column1:int4
1 | 2
SELECT 1

> select count(*) from (values (1), (2) union values (3)) v
count:int8
3
SELECT 1

> select (values (1,2))
ERROR 42601: subquery must return only one column

> create table vt as values (1, 'a')
SELECT 1

> select * from vt
column1:int4 | column2:text
1 | a
SELECT 1

> select 1 for share of x
ERROR 42P01: relation "x" in FOR SHARE clause not found in FROM clause

> select (select 1 for update)
?column?:int4
1
SELECT 1

> select 1 as for
for:int4
1
SELECT 1

> select 1, 2 for no key update skip locked
?column?:int4 | ?column?:int4
1 | 2
SELECT 1

> select 1 from (select 1) x6, (select 1) x5 where (((1, 1) not in ((0, 2), (3, 4)) or (1, 2) <> (1, 2)) and 1 not in (select 2))
?column?:int4
1
SELECT 1

> select 1 where (((1, 1) not in ((0, 2), (3, 4)) or (1, 2) <> (1, 2)) and (1, 2) in (select ('b'::char(3)::text), (11 / 2)))
ERROR 42883: operator does not exist: integer = text
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select 1 from (select 1 as b) x6 full join (select 10 as k0, count(*) as g0 from (select 1 as c, 2 as e) x10 where (x10.c >= all (array[5, 1, 2]::int4[]) or ((x10.c, x10.c) = (x10.c, x10.c))) group by cube (x10.c, (extract(day from now()))::int), x10.e) x9 on true
?column?:int4
1
1
1
1
SELECT 4

> select (case when 1 < 2 then 3 when (1, 2) not in ((-1, 3), (5, 6)) then 4 else 5 end)
case:int4
3
SELECT 1

> select count(*) from (values (1,2)) x10(a,b) group by cube (x10.a, (x10.b)::int)
count:int8
1
1
1
1
SELECT 4

> select count(*) from (values (1,2)) x10(a,b) group by cube ((x10.b)::int, a), rollup ((a)::int, (a,b)), grouping sets ((a::int), ((a)::int), ((a)::int, b))
count:int8
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
SELECT 36
