# Names within recursive queries, what SEARCH and CYCLE add, what a key of all grouping sets determines; orders by operators.
> with recursive t(j) as (with recursive s(i) as (values (1) union all select i+1 from s where i < 10) select i from s union all select j+1 from t where j < 10) select count(*), sum(j) from t
count:int8 | sum:int8
55 | 385
SELECT 1

> with recursive x(n) as (with x1 as (select 1 from x) select 0 union select * from x1) select * from x
ERROR 42P19: recursive reference to query "x" must not appear within a subquery

> with recursive t(n) as (with a as (select 5 as top), b as (select top - 1 as last from a) select 1 union all select n + 1 from t, b where n < last) select array_agg(n) from t
array_agg:_int4
{1,2,3,4}
SELECT 1

> with recursive t(n) as (select 1 union all select count(*)::int from t) select * from t
ERROR 42P19: aggregate functions are not allowed in a recursive query's recursive term

> with recursive t(n) as (select 1 union all select sum(n)::int from (select n from t) s where n < 5) select * from t limit 2
n:int4
1
1
SELECT 2

> with recursive t(n) as (select 1::numeric(3,0) union all select (n+1)::numeric(10,0) from t where n < 5) select * from t
ERROR 42804: recursive query "t" column 1 has type numeric(3,0) in non-recursive term but type numeric overall
HINT: Cast the output of the non-recursive term to the correct type.

> with recursive g(f, t, label) as (select 1, 2, 'a' union all select 2, 3, 'b' from g where g.f = 1) search depth first by f, t set label select * from g
ERROR 42601: search sequence column name "label" already used in WITH query column list

> with recursive g(f, t, label) as (select 1, 2, 'a' union all select 2, 3, 'b' from g where g.f = 1) cycle f, t set label to true default false using path select * from g
ERROR 42601: cycle mark column name "label" already used in WITH query column list

> with recursive g(f, t) as (select 1, 2 union all select 2, 3 from g where g.f = 1) cycle f, t set is_cycle to true default 55 using path select * from g
ERROR 42804: CYCLE types boolean and integer cannot be matched

> with recursive g(f, t) as (select 1, 2 union all select 2, 3 from g where g.f = 1) cycle f, t set is_cycle to point '(1,1)' default point '(0,0)' using path select * from g
ERROR 42883: could not identify an equality operator for type point

> select max(a) filter (where sum(b) > 0) from (values (1,2)) v(a,b)
ERROR 42803: aggregate functions are not allowed in FILTER

> create table k(a int primary key, b int, c int, d int)
CREATE TABLE

> insert into k values (1,1,1,10), (2,2,2,20)
INSERT 0 2

> select a, d, grouping(a,b,c) from k group by grouping sets ((a,b), (a,c)) order by 1, 3
a:int4 | d:int4 | grouping:int4
1 | 10 | 1
1 | 10 | 2
2 | 20 | 1
2 | 20 | 2
SELECT 4

> select a, d from k group by grouping sets ((a), (b)) order by 1
ERROR 42803: column "k.d" must appear in the GROUP BY clause or be used in an aggregate function

> select a, (select k.d + 1) as e, sum(c) from k group by grouping sets ((a,b), (a)) order by 1, 3
a:int4 | e:int4 | sum:int8
1 | 11 | 1
1 | 11 | 1
2 | 21 | 2
2 | 21 | 2
SELECT 4

> select array_agg(x order by x using ~<~), array_agg(x order by x using ~>~) from (values ('b'), ('a'), (null)) v(x)
array_agg:_text | array_agg:_text
{a,b,NULL} | {NULL,b,a}
SELECT 1

> select x from (values ('b'), ('a'), (null)) v(x) order by x using ~>~
x:text
NULL
b
a
SELECT 3

> select x from (values (1), (2)) v(x) order by x using ~<~
ERROR 42883: operator does not exist: integer ~<~ integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select x from (values ('b'), ('a')) v(x) order by x using ~<=~
ERROR 42809: operator ~<=~ is not a valid ordering operator
HINT: Ordering operators must be "<" or ">" members of btree operator families.

# A query under WITH RECURSIVE that does not name itself is an ordinary one: its sides agree on types.
> create table named_once(id int, e text)
CREATE TABLE

> insert into named_once values (1,'abc'),(2,'defg')
INSERT 0 2

> with recursive q as (select e::char(2) from named_once union select e from named_once) select *, pg_typeof(e) from q order by 1
e:bpchar | pg_typeof:regtype
ab | character
abc | character
de | character
defg | character
SELECT 4

> with recursive q as (select null union select 1) select * from q order by 1
?column?:int4
1
NULL
SELECT 2

> with recursive q as (select null union all select null) select *, pg_typeof("?column?") from q
?column?:text | pg_typeof:regtype
NULL | text
NULL | text
SELECT 2

> with recursive q(n) as (select null union all select n from q where false) select *, pg_typeof(n) from q
n:text | pg_typeof:regtype
NULL | text
SELECT 1

> with recursive q(n) as (select 1 union all select n + 0.5 from q where n < 3) select * from q
ERROR 42804: recursive query "q" column 1 has type integer in non-recursive term but type numeric overall
HINT: Cast the output of the non-recursive term to the correct type.

> with recursive q(a,b) as (select 1 union all select 2) select * from q
ERROR 42P10: WITH query "q" has 1 columns available but 2 columns specified

> with recursive q as (select random() r union all select random()) select a.r = b.r from q a join q b on a.r = b.r
?column?:bool
t
t
SELECT 2

> with recursive q as (select 1 union select 'x') select * from q
ERROR 22P02: invalid input syntax for type integer: "x"

> with recursive q(n) as (select '1' union all select n || '1' from q where length(n) < 4) select * from q
n:text
1
11
111
1111
SELECT 4

> with recursive q(n) as (values (1) union all values (2)) , r as (select n from q union all select n + 10 from r where n < 30) select * from r order by 1
n:int4
1
2
11
12
21
22
31
32
SELECT 8

> create view named_once_view as with recursive q as (select e::char(2) from named_once union select e from named_once) select * from q
CREATE VIEW

> select * from named_once_view order by 1
e:bpchar
ab
abc
de
defg
SELECT 4

> drop view named_once_view
DROP VIEW

> drop table named_once
DROP TABLE

