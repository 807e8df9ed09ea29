# Functions that return sets where the outputs of their query are converted: by IN, by set operations, by INSERT.

> create table srf_q (a numeric, b int, c text, d bigint)
CREATE TABLE

> insert into srf_q values (1,1,'1',1),(2.0,2,'2',2),(7,7,'7',7)
INSERT 0 3

> select * from srf_q where a in (select generate_series(1,3))
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select * from srf_q where d in (select generate_series(1,3))
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select * from srf_q where a in (select generate_series(1,3)::int8)
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select * from srf_q where a = any (select generate_series(1,3))
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select * from srf_q where a not in (select generate_series(1,3))
a:numeric | b:int4 | c:text | d:int8
7 | 7 | 7 | 7
SELECT 1

> select * from srf_q where (a, b) in (select generate_series(1,3), generate_series(1,3))
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select * from srf_q where a in (select unnest(array[1,2]))
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select a, (select generate_series(1,1)) + a from srf_q
a:numeric | ?column?:numeric
1 | 2
2.0 | 3.0
7 | 8
SELECT 3

> select a = some (select generate_series(1,3) * 2) from srf_q
?column?:bool
f
t
f
SELECT 3

> select * from srf_q where a in (select generate_series(1,3) union select 5)
a:numeric | b:int4 | c:text | d:int8
1 | 1 | 1 | 1
2.0 | 2 | 2 | 2
SELECT 2

> select coalesce((select generate_series(1,1)), a) from srf_q
coalesce:numeric
1
1
1
SELECT 3

> select case when true then (select generate_series(2,2)) else a end from srf_q
a:numeric
2
2
2
SELECT 3

> select a from srf_q union select generate_series(1,2) order by 1
a:numeric
1
2.0
7
SELECT 3

> select generate_series(1,2) union select a from srf_q order by 1
generate_series:numeric
1
2
7
SELECT 3

> insert into srf_q (a) select generate_series(1,2)
INSERT 0 2

> insert into srf_q (a, d) values (generate_series(1,2), 1)
INSERT 0 2

> select array(select generate_series(1,3))::numeric[]
array:_numeric
{1,2,3}
SELECT 1

> select * from (select generate_series(1,2) union all select 1.5) x order by 1
generate_series:numeric
1
1.5
2
SELECT 3

> with recursive r(n) as (select 1 union all select n + generate_series(1,2) from r where n < 4) select n from r order by 1
n:int4
1
2
3
3
4
4
4
5
5
SELECT 9

> select b from srf_q where c in (select generate_series(1,2)::text)
b:int4
1
2
SELECT 2

> select b from srf_q where row(a, d) = (select generate_series(1,1), generate_series(1,1))
b:int4
1
NULL
SELECT 2

> create view srf_qw as select a from srf_q where a in (select generate_series(1,3))
CREATE VIEW

> select * from srf_qw
a:numeric
1
2.0
1
2
1
2
SELECT 6

> select pg_get_viewdef('srf_qw'::regclass)
pg_get_viewdef:text
 SELECT srf_q.a\n   FROM srf_q\n  WHERE (srf_q.a IN ( SELECT generate_series(1, 3) AS generate_series));
SELECT 1

> select generate_series(1,2), 'x' union select 1.5, null order by 1
generate_series:numeric | ?column?:text
1 | x
1.5 | NULL
2 | x
SELECT 3

> select unnest(array['1','2']) except select 1
ERROR 42804: EXCEPT types text and integer cannot be matched

> values (1.5) union select generate_series(1,2) order by 1
column1:numeric
1
1.5
2
SELECT 3

> insert into srf_q (a, c) select generate_series(1,2), 'x' union select 9.5, 'y'
INSERT 0 3

> with recursive r(n) as (select 1.5 union all select generate_series(2,3) from r where n < 2) select n from r order by 1
n:numeric
1.5
2
3
SELECT 3
