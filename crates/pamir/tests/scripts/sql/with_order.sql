# WITH RECURSIVE's items name each other in any order.

> CREATE TEMPORARY TABLE y (a INTEGER)
CREATE TABLE

> INSERT INTO y SELECT generate_series(11, 14)
INSERT 0 4

> WITH RECURSIVE t AS (
> 	INSERT INTO y
> 		SELECT a+5 FROM t2 WHERE a > 1
> 	RETURNING *
> ), t2 AS (
> 	UPDATE y SET a=a-11 RETURNING *
> )
> SELECT * FROM t
> UNION ALL
> SELECT * FROM t2 order by 1
a:int4
0
1
2
3
7
8
SELECT 6

> SELECT * FROM y order by 1
a:int4
0
1
2
3
7
8
SELECT 6

> WITH RECURSIVE a AS (select * from b), b as (select 1) select * from a
?column?:int4
1
SELECT 1

> WITH RECURSIVE t1 AS (select count(*) from t2), t2 AS (delete from y where a < 2 returning *) select * from t1
count:int8
2
SELECT 1

> WITH RECURSIVE
>   x(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM y WHERE id < 5),
>   y(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM x WHERE id < 5)
> SELECT * FROM x
ERROR 0A000: mutual recursion between WITH items is not implemented

> WITH RECURSIVE
>   y (id) AS (VALUES (1)),
>   x (id) AS (SELECT * FROM y UNION ALL SELECT id+1 FROM x WHERE id < 5)
> SELECT * FROM x
id:int4
1
2
3
4
5
SELECT 5

> WITH RECURSIVE
>     x(id) AS (SELECT * FROM y UNION ALL SELECT id+1 FROM x WHERE id < 5),
>     y(id) AS (values (1))
>  SELECT * FROM x
id:int4
1
2
3
4
5
SELECT 5

> create view vw as WITH RECURSIVE
>     x(id) AS (SELECT * FROM y UNION ALL SELECT id+1 FROM x WHERE id < 5),
>     y(id) AS (values (1))
>  SELECT * FROM x
CREATE VIEW

> select pg_get_viewdef('vw'::regclass)
pg_get_viewdef:text
 WITH RECURSIVE y(id) AS (\n         VALUES (1)\n        ), x(id) AS (\n         SELECT y.id\n           FROM y\n        UNION ALL\n         SELECT (x_1.id + 1)\n           FROM x x_1\n          WHERE (x_1.id < 5)\n        )\n SELECT x.id\n   FROM x;
SELECT 1

> select * from vw
id:int4
1
2
3
4
5
SELECT 5

> WITH RECURSIVE x(n) AS (SELECT n FROM x) SELECT * FROM x
ERROR 42P19: recursive query "x" does not have the form non-recursive-term UNION [ALL] recursive-term

> with recursive a as (select 1 x), b as (select * from a, c), c as (select 2 y) select * from b, c
x:int4 | y:int4 | y:int4
1 | 2 | 2
SELECT 1
