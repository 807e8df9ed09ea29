# ORDER BY, LIMIT, set operations, subqueries, CTEs.
> create table t (id int primary key, a int, b text)
CREATE TABLE

> insert into t values (1, 3, 'c'), (2, 1, 'a'), (3, 2, null), (4, null, 'b'), (5, 1, 'd')
INSERT 0 5

> select * from t order by a, id
id:int4 | a:int4 | b:text
2 | 1 | a
5 | 1 | d
3 | 2 | NULL
1 | 3 | c
4 | NULL | b
SELECT 5

> select * from t order by a desc, id
id:int4 | a:int4 | b:text
4 | NULL | b
1 | 3 | c
3 | 2 | NULL
2 | 1 | a
5 | 1 | d
SELECT 5

> select * from t order by a nulls first, id desc
id:int4 | a:int4 | b:text
4 | NULL | b
5 | 1 | d
2 | 1 | a
3 | 2 | NULL
1 | 3 | c
SELECT 5

> select * from t order by b desc nulls last
id:int4 | a:int4 | b:text
5 | 1 | d
1 | 3 | c
4 | NULL | b
2 | 1 | a
3 | 2 | NULL
SELECT 5

> select id, a as x from t order by x, id
id:int4 | x:int4
2 | 1
5 | 1
3 | 2
1 | 3
4 | NULL
SELECT 5

> select id from t order by a + id
id:int4
2
1
3
5
4
SELECT 5

> select id, a from t order by 2, 1 desc
id:int4 | a:int4
5 | 1
2 | 1
3 | 2
1 | 3
4 | NULL
SELECT 5

> select id from t order by 5
ERROR 42P10: ORDER BY position 5 is not in select list

> select a from t order by -id
a:int4
1
NULL
2
1
3
SELECT 5

> select id from t order by id limit 2
id:int4
1
2
SELECT 2

> select id from t order by id limit 2 offset 2
id:int4
3
4
SELECT 2

> select id from t order by id offset 3
id:int4
4
5
SELECT 2

> select id from t order by id limit all
id:int4
1
2
3
4
5
SELECT 5

> select id from t order by id fetch first 2 rows only
id:int4
1
2
SELECT 2

> select id from t order by id limit -1
id:int4
ERROR 2201W: LIMIT must not be negative

> select id from t order by id offset -1
id:int4
ERROR 2201X: OFFSET must not be negative

> select id from t order by id limit null
id:int4
1
2
3
4
5
SELECT 5

> select a from t order by a fetch first 1 row with ties
a:int4
1
1
SELECT 2

> select id from t order by id limit 1 + 1
id:int4
1
2
SELECT 2

> select id from t limit 'x'
ERROR 22P02: invalid input syntax for type bigint: "x"

> select 1 union select 2 union select 1 order by 1
?column?:int4
1
2
SELECT 2

> select 1 union all select 1
?column?:int4
1
1
SELECT 2

> select 1 intersect select 1
?column?:int4
1
SELECT 1

> select 1 except select 1
?column?:int4
SELECT 0

> select a from t intersect select id from t order by 1
a:int4
1
2
3
SELECT 3

> select id from t except select a from t order by 1
id:int4
4
5
SELECT 2

> select id from t except all select a from t where a is not null order by 1
id:int4
4
5
SELECT 2

> select 1, 2 union select 3
ERROR 42601: each UNION query must have the same number of columns

> select 1 union select 'a'
ERROR 22P02: invalid input syntax for type integer: "a"

> select 1 union select 2.5 order by 1
?column?:numeric
1
2.5
SELECT 2

> select null union select 1 order by 1
?column?:int4
1
NULL
SELECT 2

> select 'a' as x union select 'b' order by x desc
x:text
b
a
SELECT 2

> (select id from t order by id limit 2) union all (select id from t order by id desc limit 2) order by id
id:int4
1
2
4
5
SELECT 4

> select id from t where id in (select a from t) order by id
id:int4
1
2
3
SELECT 3

> select * from (select id, a from t where a > 1) s order by id
id:int4 | a:int4
1 | 3
3 | 2
SELECT 2

> select (select max(a) from t) - a as d from t where a is not null order by id
d:int4
0
2
1
2
SELECT 4

> with x as (select * from t where id < 3) select count(*) from x
count:int8
2
SELECT 1

> with x as (select 1 as n), y as (select n + 1 as n from x) select x.n, y.n from x, y
n:int4 | n:int4
1 | 2
SELECT 1

> with x (p, q) as (select id, b from t) select p from x where q = 'a'
p:int4
2
SELECT 1

> with recursive r (n) as (select 1 union all select n + 1 from r where n < 5) select * from r
n:int4
1
2
3
4
5
SELECT 5

> with recursive r as (select 1 as n, 1 as f union all select n + 1, f * (n + 1) from r where n < 6) select max(f) from r
max:int4
720
SELECT 1

> with recursive r (a, b) as (select 0, 1 union all select b, a + b from r where b < 50) select a from r
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

> with x as materialized (select id from t) select x.id from x join x y on x.id = y.id order by 1
id:int4
1
2
3
4
5
SELECT 5

> with x as (select 1) select * from y
ERROR 42P01: relation "y" does not exist

> select distinct a from t order by a
a:int4
1
2
3
NULL
SELECT 4

> select distinct a, b from t order by a, b
a:int4 | b:text
1 | a
1 | d
2 | NULL
3 | c
NULL | b
SELECT 5

> select distinct on (a) a, id from t order by a, id desc
a:int4 | id:int4
1 | 5
2 | 3
3 | 1
NULL | 4
SELECT 4

> select distinct a from t order by id
ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list

> select id from t where a = (select 1)
id:int4
2
5
SELECT 2

> select id from t where (id, a) in (select id, a from t where a = 1) order by id
id:int4
2
5
SELECT 2

> select id from t where (id, a) = (2, 1)
id:int4
2
SELECT 1

> select id, row(a, b) from t where id = 1
id:int4 | row:record
1 | (3,c)
SELECT 1

> select t from t where id = 1
t:user
(1,3,c)
SELECT 1

> select t.* from t where id = 2
id:int4 | a:int4 | b:text
2 | 1 | a
SELECT 1

> select count(*) from (select distinct a from t) s
count:int8
4
SELECT 1

> select * from (values (1, 'x'), (2, 'y')) v (n, s) where n > 1
n:int4 | s:text
2 | y
SELECT 1

> select * from t where true and id = 1 or id = 2 order by id
id:int4 | a:int4 | b:text
1 | 3 | c
2 | 1 | a
SELECT 2

> select * from t where not (id > 2) order by id
id:int4 | a:int4 | b:text
1 | 3 | c
2 | 1 | a
SELECT 2

> select * from t where id = 1 or a = 2 or b = 'b' order by id
id:int4 | a:int4 | b:text
1 | 3 | c
3 | 2 | NULL
4 | NULL | b
SELECT 3

> select * from t where id between 2 and 4 and a is not null order by id
id:int4 | a:int4 | b:text
2 | 1 | a
3 | 2 | NULL
SELECT 2

> select * from t where b like '_' and id % 2 = 1 order by id
id:int4 | a:int4 | b:text
1 | 3 | c
5 | 1 | d
SELECT 2

> select * from t where b in ('a', 'c') order by id
id:int4 | a:int4 | b:text
1 | 3 | c
2 | 1 | a
SELECT 2

> select id from t where a is distinct from 1 order by id
id:int4
1
3
4
SELECT 3

> select id from t where a is not distinct from null
id:int4
4
SELECT 1

> select id from t where coalesce(a, 0) = 0
id:int4
4
SELECT 1

> select case when a > 1 then 'big' when a is null then 'none' else 'small' end as size, count(*) from t group by 1 order by 1
size:text | count:int8
big | 2
none | 1
small | 2
SELECT 3

> select count(*) from t tablesample system (0)
count:int8
0
SELECT 1

> table t limit 1
id:int4 | a:int4 | b:text
1 | 3 | c
SELECT 1

> select * from t for update nowait limit 1
id:int4 | a:int4 | b:text
1 | 3 | c
SELECT 1

> select id from t order by id for update
id:int4
1
2
3
4
5
SELECT 5

> select id from t where id = 1 for share skip locked
id:int4
1
SELECT 1

> select count(*) from t for update
ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

> select id into newt from t
SELECT 5

# FETCH FIRST with an expression and its ties.
> select g / 3 from generate_series(1, 9) g order by 1 fetch first (1 + 1) rows with ties
?column?:int4
0
0
SELECT 2

> select g / 3 from generate_series(1, 9) g order by 1 offset (1) rows fetch next (1 + 1) rows with ties
?column?:int4
0
1
1
1
SELECT 4

> select g / 3 from generate_series(1, 9) g order by 1 offset 2 rows fetch next ('2'::int) rows with ties
?column?:int4
1
1
1
SELECT 3

> select g from generate_series(1, 9) g fetch first (1 + 1) rows with ties
ERROR 42601: WITH TIES cannot be specified without ORDER BY clause
