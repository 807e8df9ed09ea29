# SEARCH and CYCLE of recursive queries, samples of tables, names of what USING merges, sets in a row of INSERT.
> create table graph (f int, t int, label text)
CREATE TABLE

> insert into graph values (1, 2, 'a'), (1, 3, 'b'), (2, 3, 'c'), (1, 4, 'd'), (4, 5, 'e')
INSERT 0 5

> with recursive s(f, t, label) as (select * from graph g where g.f = 1 union all select g.* from graph g, s where g.f = s.t) search depth first by f, t set seq select * from s order by seq
f:int4 | t:int4 | label:text | seq:_record
1 | 2 | a | {"(1,2)"}
2 | 3 | c | {"(1,2)","(2,3)"}
1 | 3 | b | {"(1,3)"}
1 | 4 | d | {"(1,4)"}
4 | 5 | e | {"(1,4)","(4,5)"}
SELECT 5

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by n set o select * from s order by o
n:int4 | o:_record
1 | {(1)}
2 | {(1),(2)}
3 | {(1),(2),(3)}
SELECT 3

> with recursive s as (select 1 as n union all select s.n + 1 from s where s.n < 3) search depth first by n set o select n from s order by o desc
n:int4
3
2
1
SELECT 3

> insert into graph values (5, 1, 'back')
INSERT 0 1

> with recursive s(f, t, label) as (select * from graph g where g.f = 1 union all select g.* from graph g join s on g.f = s.t) cycle f, t set is_cycle using path select * from s order by path
f:int4 | t:int4 | label:text | is_cycle:bool | path:_record
1 | 2 | a | f | {"(1,2)"}
2 | 3 | c | f | {"(1,2)","(2,3)"}
1 | 3 | b | f | {"(1,3)"}
1 | 4 | d | f | {"(1,4)"}
4 | 5 | e | f | {"(1,4)","(4,5)"}
5 | 1 | back | f | {"(1,4)","(4,5)","(5,1)"}
1 | 2 | a | f | {"(1,4)","(4,5)","(5,1)","(1,2)"}
2 | 3 | c | f | {"(1,4)","(4,5)","(5,1)","(1,2)","(2,3)"}
1 | 3 | b | f | {"(1,4)","(4,5)","(5,1)","(1,3)"}
1 | 4 | d | t | {"(1,4)","(4,5)","(5,1)","(1,4)"}
SELECT 10

> with recursive s(f, t) as (select f, t from graph g where g.f = 1 union all select g.f, g.t from graph g, s where g.f = s.t) cycle f, t set m to 'Y' default 'N' using p select f, t, m from s where m = 'Y' order by 1, 2
f:int4 | t:int4 | m:text
1 | 4 | Y
SELECT 1

> with recursive s(f, t) as (select f, t from graph g where g.f = 1 union select g.f, g.t from graph g, s where g.f = s.t) search depth first by f, t set seq cycle f, t set c to 1 default 0 using p select * from s order by seq
f:int4 | t:int4 | seq:_record | c:int4 | p:_record
1 | 2 | {"(1,2)"} | 0 | {"(1,2)"}
2 | 3 | {"(1,2)","(2,3)"} | 0 | {"(1,2)","(2,3)"}
1 | 3 | {"(1,3)"} | 0 | {"(1,3)"}
1 | 4 | {"(1,4)"} | 0 | {"(1,4)"}
4 | 5 | {"(1,4)","(4,5)"} | 0 | {"(1,4)","(4,5)"}
5 | 1 | {"(1,4)","(4,5)","(5,1)"} | 0 | {"(1,4)","(4,5)","(5,1)"}
1 | 2 | {"(1,4)","(4,5)","(5,1)","(1,2)"} | 0 | {"(1,4)","(4,5)","(5,1)","(1,2)"}
2 | 3 | {"(1,4)","(4,5)","(5,1)","(1,2)","(2,3)"} | 0 | {"(1,4)","(4,5)","(5,1)","(1,2)","(2,3)"}
1 | 3 | {"(1,4)","(4,5)","(5,1)","(1,3)"} | 0 | {"(1,4)","(4,5)","(5,1)","(1,3)"}
1 | 4 | {"(1,4)","(4,5)","(5,1)","(1,4)"} | 1 | {"(1,4)","(4,5)","(5,1)","(1,4)"}
SELECT 10

> with recursive s(n) as (select 1 union all select n % 3 + 1 from s) cycle n set c using p select *, pg_typeof(c) from s
n:int4 | c:bool | p:_record | pg_typeof:regtype
1 | f | {(1)} | boolean
2 | f | {(1),(2)} | boolean
3 | f | {(1),(2),(3)} | boolean
1 | t | {(1),(2),(3),(1)} | boolean
SELECT 4

> with recursive s(n) as (select 1 union all select q.n + 1 from s q where q.n < 4) search depth first by n set o select count(*) from s
count:int8
4
SELECT 1

> with recursive s(n) as (select 1 union all select * from (select n + 1 from s where n < 3) x) search depth first by n set o select * from s
ERROR 0A000: with a SEARCH or CYCLE clause, the recursive reference to WITH query "s" must be at the top level of its right-hand SELECT

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by m set o select * from s
ERROR 42601: search column "m" not in WITH query column list

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by n, n set o select * from s
ERROR 42701: search column "n" specified more than once

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by n set n select * from s
ERROR 42702: column reference "n" is ambiguous

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) cycle m set c using p select * from s
ERROR 42601: cycle column "m" not in WITH query column list

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) cycle n, n set c using p select * from s
ERROR 42701: cycle column "n" specified more than once

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) cycle n set n using p select * from s
ERROR 42702: column reference "n" is ambiguous

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) cycle n set c using n select * from s
ERROR 42702: column reference "n" is ambiguous

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) cycle n set c using c select * from s
ERROR 42601: cycle mark column name and cycle path column name are the same

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by n set o cycle n set o using p select * from s
ERROR 42601: search sequence column name and cycle mark column name are the same

> with recursive s(n) as (select 1 union all select n + 1 from s where n < 3) search depth first by n set p cycle n set o using p select * from s
ERROR 42601: search sequence column name and cycle path column name are the same

> with s(n) as (select 1) search depth first by n set o select * from s
ERROR 42601: WITH query is not recursive

> with recursive s(n) as (values (1) union all select n + 1 from s where n < 3) search depth first by n set o select * from s
n:int4 | o:_record
1 | {(1)}
2 | {(1),(2)}
3 | {(1),(2),(3)}
SELECT 3

# Samples.
> create table sampled (id int primary key, v text)
CREATE TABLE

> insert into sampled select g, 'v' || g from generate_series(1, 500) g
INSERT 0 500

> select count(*) from sampled tablesample system (100)
count:int8
500
SELECT 1

> select count(*) from sampled tablesample bernoulli (0)
count:int8
0
SELECT 1

> select count(*) from sampled tablesample bernoulli (100) repeatable (3.5)
count:int8
500
SELECT 1

> select count(*) filter (where a.id = b.id) = count(*) from (select id, row_number() over (order by id) n from sampled tablesample bernoulli (40) repeatable (1)) a full join (select id, row_number() over (order by id) n from sampled tablesample bernoulli (40) repeatable (1)) b using (n)
?column?:bool
t
SELECT 1

> select count(*) between 100 and 300 from sampled tablesample bernoulli (40) repeatable (2)
?column?:bool
t
SELECT 1

> select max(s.id), count(*) from sampled as s tablesample pg_catalog.bernoulli (50 + 50) where s.id < 10
max:int4 | count:int8
9 | 9
SELECT 1

> select count(*) from sampled tablesample system (101)
count:int8
ERROR 2202H: sample percentage must be between 0 and 100

> select count(*) from sampled tablesample bernoulli (-1)
count:int8
ERROR 2202H: sample percentage must be between 0 and 100

> select count(*) from sampled tablesample bernoulli (null)
count:int8
ERROR 2202H: TABLESAMPLE parameter cannot be null

> select count(*) from sampled tablesample bernoulli (10) repeatable (null)
count:int8
ERROR 2202G: TABLESAMPLE REPEATABLE parameter cannot be null

> select count(*) from sampled tablesample bernoulli (10, 20)
ERROR 2202H: tablesample method bernoulli requires 1 argument, not 2

> select count(*) from sampled tablesample bernoulli ('x'::text)
ERROR 42804: argument of TABLESAMPLE must be type real, not type text

> select count(*) from sampled tablesample foo (10)
ERROR 42704: tablesample method foo does not exist

> create view sv as select 1 as a
CREATE VIEW

> select * from sv tablesample system (10)
ERROR 0A000: TABLESAMPLE clause can only be applied to tables and materialized views

> with c as (select 1) select * from c tablesample system (10)
ERROR 0A000: TABLESAMPLE clause can only be applied to tables and materialized views

# Names of what USING merges.
> select j.id, count(*) from sampled join sampled b using (id) as j where j.id < 3 group by j.id order by 1
id:int4 | count:int8
1 | 1
2 | 1
SELECT 2

> select j.* from sampled join sampled b using (id) as j order by 1 limit 2
id:int4
1
2
SELECT 2

> select j.other from sampled join sampled b using (id) as j limit 1
ERROR 42703: column j.other does not exist

> select j.id, v from (sampled join graph on f = id) join graph g2 using (f) as j
ERROR 42703: column j.id does not exist

> select * from sampled b join sampled c using (id) as b
ERROR 42712: table name "b" specified more than once

> select (select j.id) from sampled a left join graph on false join sampled c using (id) as j order by 1 limit 1
id:int4
1
SELECT 1

# Sets in a row of INSERT.
> create table filled (a int, b text)
CREATE TABLE

> insert into filled values (generate_series(1, 3), 'x')
INSERT 0 3

> insert into filled (b, a) values ('y', generate_series(8, 9)) returning *
a:int4 | b:text
8 | y
9 | y
INSERT 0 2

> insert into filled values (generate_series(1, 2), 'x'), (3, 'y')
ERROR 0A000: set-returning functions are not allowed in VALUES

> select * from filled order by a
a:int4 | b:text
1 | x
2 | x
3 | x
8 | y
9 | y
SELECT 5

> create table bf_tree (id int, parent int, n text)
CREATE TABLE

> insert into bf_tree values (1, null, 'a'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd'), (5, 3, 'e'), (6, 4, 'f')
INSERT 0 6

> with recursive t(id, n) as (select id, n from bf_tree where parent is null union all select c.id, c.n from bf_tree c join t on c.parent = t.id) search breadth first by id set o select * from t order by o
id:int4 | n:text | o:record
1 | a | (0,1)
2 | b | (1,2)
3 | c | (1,3)
4 | d | (2,4)
5 | e | (2,5)
6 | f | (3,6)
SELECT 6

> with recursive t(id, n) as (select id, n from bf_tree where parent is null union all select c.id, c.n from bf_tree c join t on c.parent = t.id) search breadth first by n, id set o select id, o, pg_typeof(o) from t order by o desc
id:int4 | o:record | pg_typeof:regtype
6 | (3,f,6) | record
5 | (2,e,5) | record
4 | (2,d,4) | record
3 | (1,c,3) | record
2 | (1,b,2) | record
1 | (0,a,1) | record
SELECT 6

> with recursive t(id, n) as (select id, n from bf_tree where parent is null union all select c.id, c.n from bf_tree c join t on c.parent = t.id) search breadth first by id set o cycle id set m using p select * from t order by o
id:int4 | n:text | o:record | m:bool | p:_record
1 | a | (0,1) | f | {(1)}
2 | b | (1,2) | f | {(1),(2)}
3 | c | (1,3) | f | {(1),(3)}
4 | d | (2,4) | f | {(1),(2),(4)}
5 | e | (2,5) | f | {(1),(3),(5)}
6 | f | (3,6) | f | {(1),(2),(4),(6)}
SELECT 6

> with recursive t(id, n) as (select id, n from bf_tree where parent is null union all select c.id, c.n from bf_tree c join t on c.parent = t.id) search breadth first by id set o select id, row_to_json(o) from t where o > row(1::int8, 2) order by o
id:int4 | row_to_json:json
3 | {"*DEPTH*":1,"id":3}
4 | {"*DEPTH*":2,"id":4}
5 | {"*DEPTH*":2,"id":5}
6 | {"*DEPTH*":3,"id":6}
SELECT 4

> with recursive t(id) as (select 1 union select t.id + 1 from t where id < 4) search breadth first by id set o select o from t order by o
o:record
(0,1)
(1,2)
(2,3)
(3,4)
SELECT 4

> with recursive t(id) as (select 1 union select t.id + 1 from t where id < 4) search breadth first by nope set o select o from t order by o
ERROR 42601: search column "nope" not in WITH query column list

> drop table bf_tree
DROP TABLE
