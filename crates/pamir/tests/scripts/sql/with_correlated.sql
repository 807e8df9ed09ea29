# WITH inside a subquery that reads columns of the query outside: computed anew for each of its rows.
> create table t (id int primary key, g int, p int)
CREATE TABLE

> insert into t values (1, 1, null), (2, 1, 1), (3, 2, 1), (4, 2, 3), (5, null, 4)
INSERT 0 5

> select id, (with c as (select t.id as z) select z + 1 from c) from t order by id
id:int4 | ?column?:int4
1 | 2
2 | 3
3 | 4
4 | 5
5 | 6
SELECT 5

> select id, (with c as (select t.id as z) select a.z + b.z from c a, c b) from t order by id
id:int4 | ?column?:int4
1 | 2
2 | 4
3 | 6
4 | 8
5 | 10
SELECT 5

> select id, (with c as materialized (select u.id from t u where u.g = t.g) select string_agg(id::text, ',' order by id) from c) from t order by id
id:int4 | string_agg:text
1 | 1,2
2 | 1,2
3 | 3,4
4 | 3,4
5 | NULL
SELECT 5

# A chain: the second has no column from outside but by the first.
> select id, (with a as (select t.id * 10 as x), b as (select x + 1 as y from a), c as materialized (select y from b) select y + x from c, a) from t order by id
id:int4 | ?column?:int4
1 | 21
2 | 41
3 | 61
4 | 81
5 | 101
SELECT 5

# Readers in further subqueries.
> select id, (with c as materialized (select u.id as z from t u where u.g = t.g) select (select max(z) from c) - (select min(z) from c)) from t order by id
id:int4 | ?column?:int4
1 | 1
2 | 1
3 | 1
4 | 1
5 | NULL
SELECT 5

> select id, (with c as materialized (select t.id as z) select count(*) from t u where u.id in (select z from c) or exists (select from c where z = u.p)) from t order by id
id:int4 | count:int8
1 | 3
2 | 1
3 | 2
4 | 2
5 | 1
SELECT 5

# Paths upwards, the way drivers ask for base types.
> select id, (with recursive up(id, p, depth) as (select u.id, u.p, 0 from t u where u.id = t.id union all select u.id, u.p, depth + 1 from t u, up where u.id = up.p) select string_agg(id::text, '<' order by depth) from up) from t order by id
id:int4 | string_agg:text
1 | 1
2 | 2<1
3 | 3<1
4 | 4<3<1
5 | 5<4<3<1
SELECT 5

> select id, (with recursive r(n) as (select 1 union select n + 1 from r where n < t.id) select sum(n) from r) from t order by id
id:int4 | sum:int8
1 | 1
2 | 3
3 | 6
4 | 10
5 | 15
SELECT 5

> select id, (with recursive r(n) as (select t.id union select n / 2 from r where n > 0) select array_agg(n order by n) from r) from t order by id
id:int4 | array_agg:_int4
1 | {0,1}
2 | {0,1,2}
3 | {0,1,3}
4 | {0,1,2,4}
5 | {0,1,2,5}
SELECT 5

# In LATERAL, WHERE, CASE, EXISTS, ORDER BY.
> select t.id, x.* from t, lateral (with c as (select u.id as uid from t u where u.p = t.id) select count(*), max(uid) from c) x order by 1
id:int4 | count:int8 | max:int4
1 | 2 | 3
2 | 0 | NULL
3 | 1 | 4
4 | 1 | 5
5 | 0 | NULL
SELECT 5

> select t.id, x.* from t left join lateral (with c as materialized (select u.id as uid, u.g from t u where u.g = t.g) select a.uid, b.uid as other from c a join c b on a.uid < b.uid) x on true order by 1, 2
id:int4 | uid:int4 | other:int4
1 | 1 | 2
2 | 1 | 2
3 | 3 | 4
4 | 3 | 4
5 | NULL | NULL
SELECT 5

> select id from t where (with c as (select t.g as g) select g from c) = 2 order by id
id:int4
3
4
SELECT 2

> select id from t where exists (with c as (select * from t u where u.p = t.id) select from c where c.g is not null) order by id
id:int4
1
3
SELECT 2

> select id, case when id > 2 then (with c as (select t.id) select id from c) end from t order by id
id:int4 | case:int4
1 | NULL
2 | NULL
3 | 3
4 | 4
5 | 5
SELECT 5

> select id from t order by (with c as (select -t.id as k) select k from c)
id:int4
5
4
3
2
1
SELECT 5

# Grouped queries: what is outside is the group.
> select g, (with c as (select t.g as x) select x * 2 from c) from t group by g order by g
g:int4 | ?column?:int4
1 | 2
2 | 4
NULL | NULL
SELECT 3

> select g, (with c as (select t.id as x) select x from c) from t group by g
ERROR 42803: subquery uses ungrouped column "t.id" from outer query

> select g, sum(id), (with c as (select sum(t.id) as x) select x from c) from t group by g order by g
g:int4 | sum:int8 | x:int8
1 | 3 | 3
2 | 7 | 7
NULL | 5 | 5
SELECT 3

# Two levels: the inner one reads both.
> select id, (select sum((with c as (select t.id * 100 + u.id as x) select x from c)) from t u where u.id < 3) from t order by id
id:int4 | sum:int8
1 | 203
2 | 403
3 | 603
4 | 803
5 | 1003
SELECT 5

> select id, (with a as (select t.id as x) select (with b as (select x + 1 as y from a) select y + x from b, a)) from t order by id
id:int4 | ?column?:int4
1 | 3
2 | 5
3 | 7
4 | 9
5 | 11
SELECT 5

> with a as (select id, (with b as (select t.id * 2 as y) select y from b) as y from t) select * from a a1 join a a2 on a1.y = a2.id order by 1
id:int4 | y:int4 | id:int4 | y:int4
1 | 2 | 2 | 4
2 | 4 | 4 | 8
SELECT 2

# A round's rows, read two levels down.
> with recursive r(n) as (select 1 union all select (with c as (select r.n + 1 as m) select m from c) from r where n < 4) select * from r
n:int4
1
2
3
4
SELECT 4

> with recursive r(n) as (select 1 union all select m from (with c as (select n + 1 as m from r where n < 4) select m from c) x) select * from r
n:int4
1
2
3
4
SELECT 4

# Not correlated: computed once; volatile ones, too.
> select count(distinct x) from (select (with c as (select random() as x) select x from c) as x from t) y
count:int8
1
SELECT 1

> select count(distinct x) from (select (with c as (select random() + t.id * 0 as x) select x from c) as x from t) y
count:int8
5
SELECT 1

> update t set p = (with c as (select t.id + 1 as n) select n from c) where id < 3 returning id, p
id:int4 | p:int4
1 | 2
2 | 3
UPDATE 2

> insert into t select 10 + id, (with c as (select u.g as x) select x from c), null from t u where id < 3 returning *
id:int4 | g:int4 | p:int4
11 | 1 | NULL
12 | 1 | NULL
INSERT 0 2

> delete from t where id > (with c as (select t.g + 9 as n) select n from c) returning id
id:int4
11
12
DELETE 2

> prepare q(int) as select (with c as (select t.id + $1 as x) select x from c) from t where id = 1
PREPARE

> execute q(5)
x:int4
6
SELECT 1

> execute q(6)
x:int4
7
SELECT 1

> create table w as select id, (with c as (select t.id + 1 as n) select n from c) as n from t
SELECT 5

> select * from w order by id
id:int4 | n:int4
1 | 2
2 | 3
3 | 4
4 | 5
5 | 6
SELECT 5

> select id, (with c as (select t.nothing) select * from c) from t
ERROR 42703: column t.nothing does not exist

> select id, (with c(a, b) as (select t.id) select * from c) from t
ERROR 42P10: WITH query "c" has 1 columns available but 2 columns specified
