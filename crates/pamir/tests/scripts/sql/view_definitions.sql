# Definitions of views as pg_get_viewdef prints them, and the rows that views give.
> create table t1(a int primary key, b int, c text, v varchar(10), n numeric(10,2), ts timestamp, arr int[], j jsonb)
CREATE TABLE

> create table t2(a int, d int)
CREATE TABLE

> create table t3(a bigint, e text)
CREATE TABLE

> create view v0 as select a, b from t1
CREATE VIEW

> insert into t1 values (1,10,'x','v',1.5,'2020-01-01','{1,2}','{"a":1}'),(2,20,'y','w',2.5,'2020-02-01','{3}','{}'),(3,null,null,null,null,null,null,null)
INSERT 0 3

> insert into t2 values (1,100),(2,200),(2,201)
INSERT 0 3

> create view w0 as SELECT a, b FROM t1
CREATE VIEW

> select pg_get_viewdef('w0'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b\n   FROM t1;
SELECT 1

> select count(*) from w0
count:int8
3
SELECT 1

> select count(*) from ((SELECT a, b FROM t1) except all select * from w0) x
count:int8
0
SELECT 1

> create view w1 as SELECT * FROM t1
CREATE VIEW

> select pg_get_viewdef('w1'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t1.c,\n    t1.v,\n    t1.n,\n    t1.ts,\n    t1.arr,\n    t1.j\n   FROM t1;
SELECT 1

> select count(*) from w1
count:int8
3
SELECT 1

> select count(*) from ((SELECT * FROM t1) except all select * from w1) x
count:int8
0
SELECT 1

> create view w2 as SELECT t1.a, x.d FROM t1 JOIN t2 x ON t1.a = x.a
CREATE VIEW

> select pg_get_viewdef('w2'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    x.d\n   FROM (t1\n     JOIN t2 x ON ((t1.a = x.a)));
SELECT 1

> select count(*) from w2
count:int8
3
SELECT 1

> select count(*) from ((SELECT t1.a, x.d FROM t1 JOIN t2 x ON t1.a = x.a) except all select * from w2) x
count:int8
0
SELECT 1

> create view w3 as SELECT * FROM t1 JOIN t2 USING (a)
CREATE VIEW

> select pg_get_viewdef('w3'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t1.c,\n    t1.v,\n    t1.n,\n    t1.ts,\n    t1.arr,\n    t1.j,\n    t2.d\n   FROM (t1\n     JOIN t2 USING (a));
SELECT 1

> select count(*) from w3
count:int8
3
SELECT 1

> select count(*) from ((SELECT * FROM t1 JOIN t2 USING (a)) except all select * from w3) x
count:int8
0
SELECT 1

> create view w4 as SELECT a FROM t1 LEFT JOIN t2 USING (a) WHERE d > 3
CREATE VIEW

> select pg_get_viewdef('w4'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM (t1\n     LEFT JOIN t2 USING (a))\n  WHERE (t2.d > 3);
SELECT 1

> select count(*) from w4
count:int8
3
SELECT 1

> select count(*) from ((SELECT a FROM t1 LEFT JOIN t2 USING (a) WHERE d > 3) except all select * from w4) x
count:int8
0
SELECT 1

> create view w5 as SELECT a, count(*), sum(b) FROM t1 GROUP BY a HAVING count(*) > 1 ORDER BY a DESC LIMIT 5 OFFSET 1
CREATE VIEW

> select pg_get_viewdef('w5'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    count(*) AS count,\n    sum(t1.b) AS sum\n   FROM t1\n  GROUP BY t1.a\n HAVING (count(*) > 1)\n  ORDER BY t1.a DESC\n OFFSET 1\n LIMIT 5;
SELECT 1

> select count(*) from w5
count:int8
0
SELECT 1

> select count(*) from ((SELECT a, count(*), sum(b) FROM t1 GROUP BY a HAVING count(*) > 1 ORDER BY a DESC LIMIT 5 OFFSET 1) except all select * from w5) x
count:int8
0
SELECT 1

> create view w6 as SELECT DISTINCT a FROM t1
CREATE VIEW

> select pg_get_viewdef('w6'::regclass)
pg_get_viewdef:text
 SELECT DISTINCT t1.a\n   FROM t1;
SELECT 1

> select count(*) from w6
count:int8
3
SELECT 1

> select count(*) from ((SELECT DISTINCT a FROM t1) except all select * from w6) x
count:int8
0
SELECT 1

> create view w7 as SELECT DISTINCT ON (a) a, b FROM t1 ORDER BY a, b DESC
CREATE VIEW

> select pg_get_viewdef('w7'::regclass)
pg_get_viewdef:text
 SELECT DISTINCT ON (t1.a) t1.a,\n    t1.b\n   FROM t1\n  ORDER BY t1.a, t1.b DESC;
SELECT 1

> select count(*) from w7
count:int8
3
SELECT 1

> select count(*) from ((SELECT DISTINCT ON (a) a, b FROM t1 ORDER BY a, b DESC) except all select * from w7) x
count:int8
0
SELECT 1

> create view w8 as SELECT a FROM t1 UNION SELECT a FROM t2 ORDER BY 1
CREATE VIEW

> select pg_get_viewdef('w8'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\nUNION\n SELECT t2.a\n   FROM t2\n  ORDER BY 1;
SELECT 1

> select count(*) from w8
count:int8
3
SELECT 1

> select count(*) from ((SELECT a FROM t1 UNION SELECT a FROM t2 ORDER BY 1) except all select * from w8) x
count:int8
0
SELECT 1

> create view w9 as SELECT a FROM t1 UNION ALL SELECT a FROM t2 UNION ALL SELECT 3
CREATE VIEW

> select pg_get_viewdef('w9'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\nUNION ALL\n SELECT t2.a\n   FROM t2\nUNION ALL\n SELECT 3 AS a;
SELECT 1

> select count(*) from w9
count:int8
7
SELECT 1

> select count(*) from ((SELECT a FROM t1 UNION ALL SELECT a FROM t2 UNION ALL SELECT 3) except all select * from w9) x
count:int8
0
SELECT 1

> create view w10 as SELECT a FROM t1 EXCEPT (SELECT a FROM t2 INTERSECT SELECT 1)
CREATE VIEW

> select pg_get_viewdef('w10'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\nEXCEPT (\n         SELECT t2.a\n           FROM t2\n        INTERSECT\n         SELECT 1 AS a\n);
SELECT 1

> select count(*) from w10
count:int8
2
SELECT 1

> select count(*) from ((SELECT a FROM t1 EXCEPT (SELECT a FROM t2 INTERSECT SELECT 1)) except all select * from w10) x
count:int8
0
SELECT 1

> create view w11 as SELECT a FROM t1 WHERE a IN (SELECT a FROM t2)
CREATE VIEW

> select pg_get_viewdef('w11'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  WHERE (t1.a IN ( SELECT t2.a\n           FROM t2));
SELECT 1

> select count(*) from w11
count:int8
2
SELECT 1

> select count(*) from ((SELECT a FROM t1 WHERE a IN (SELECT a FROM t2)) except all select * from w11) x
count:int8
0
SELECT 1

> create view w12 as SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)
CREATE VIEW

> select pg_get_viewdef('w12'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  WHERE (EXISTS ( SELECT 1\n           FROM t2\n          WHERE (t2.a = t1.a)));
SELECT 1

> select count(*) from w12
count:int8
2
SELECT 1

> select count(*) from ((SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)) except all select * from w12) x
count:int8
0
SELECT 1

> create view w13 as SELECT a, (SELECT max(d) FROM t2 WHERE t2.a = t1.a) AS m FROM t1
CREATE VIEW

> select pg_get_viewdef('w13'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    ( SELECT max(t2.d) AS max\n           FROM t2\n          WHERE (t2.a = t1.a)) AS m\n   FROM t1;
SELECT 1

> select count(*) from w13
count:int8
3
SELECT 1

> select count(*) from ((SELECT a, (SELECT max(d) FROM t2 WHERE t2.a = t1.a) AS m FROM t1) except all select * from w13) x
count:int8
0
SELECT 1

> create view w14 as SELECT ARRAY(SELECT d FROM t2) AS arr
CREATE VIEW

> select pg_get_viewdef('w14'::regclass)
pg_get_viewdef:text
 SELECT ARRAY( SELECT t2.d\n           FROM t2) AS arr;
SELECT 1

> select count(*) from w14
count:int8
1
SELECT 1

> select count(*) from ((SELECT ARRAY(SELECT d FROM t2) AS arr) except all select * from w14) x
count:int8
0
SELECT 1

> create view w15 as WITH x AS (SELECT a FROM t1) SELECT * FROM x
CREATE VIEW

> select pg_get_viewdef('w15'::regclass)
pg_get_viewdef:text
 WITH x AS (\n         SELECT t1.a\n           FROM t1\n        )\n SELECT x.a\n   FROM x;
SELECT 1

> select count(*) from w15
count:int8
3
SELECT 1

> select count(*) from ((WITH x AS (SELECT a FROM t1) SELECT * FROM x) except all select * from w15) x
count:int8
0
SELECT 1

> create view w16 as WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 10) SELECT n FROM r
CREATE VIEW

> select pg_get_viewdef('w16'::regclass)
pg_get_viewdef:text
 WITH RECURSIVE r(n) AS (\n         SELECT 1 AS "?column?"\n        UNION ALL\n         SELECT (r_1.n + 1)\n           FROM r r_1\n          WHERE (r_1.n < 10)\n        )\n SELECT r.n\n   FROM r;
SELECT 1

> select count(*) from w16
count:int8
10
SELECT 1

> select count(*) from ((WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 10) SELECT n FROM r) except all select * from w16) x
count:int8
0
SELECT 1

> create view w17 as SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) FROM t1
CREATE VIEW

> select pg_get_viewdef('w17'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    row_number() OVER (PARTITION BY t1.b ORDER BY t1.a) AS row_number\n   FROM t1;
SELECT 1

> select count(*) from w17
count:int8
3
SELECT 1

> select count(*) from ((SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) FROM t1) except all select * from w17) x
count:int8
0
SELECT 1

> create view w18 as SELECT a, sum(b) OVER w FROM t1 WINDOW w AS (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
CREATE VIEW

> select pg_get_viewdef('w18'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    sum(t1.b) OVER w AS sum\n   FROM t1\n  WINDOW w AS (PARTITION BY t1.a ORDER BY t1.b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW);
SELECT 1

> select count(*) from w18
count:int8
3
SELECT 1

> select count(*) from ((SELECT a, sum(b) OVER w FROM t1 WINDOW w AS (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) except all select * from w18) x
count:int8
0
SELECT 1

> create view w19 as SELECT * FROM generate_series(1, 3) g
CREATE VIEW

> select pg_get_viewdef('w19'::regclass)
pg_get_viewdef:text
 SELECT g.g\n   FROM generate_series(1, 3) g(g);
SELECT 1

> select count(*) from w19
count:int8
3
SELECT 1

> select count(*) from ((SELECT * FROM generate_series(1, 3) g) except all select * from w19) x
count:int8
0
SELECT 1

> create view w20 as SELECT * FROM (VALUES (1,'a'),(2,'b')) v(x,y)
CREATE VIEW

> select pg_get_viewdef('w20'::regclass)
pg_get_viewdef:text
 SELECT v.x,\n    v.y\n   FROM ( VALUES (1,'a'::text), (2,'b'::text)) v(x, y);
SELECT 1

> select count(*) from w20
count:int8
2
SELECT 1

> select count(*) from ((SELECT * FROM (VALUES (1,'a'),(2,'b')) v(x,y)) except all select * from w20) x
count:int8
0
SELECT 1

> create view w21 as VALUES (1, 'x'), (2, 'y')
CREATE VIEW

> select pg_get_viewdef('w21'::regclass)
pg_get_viewdef:text
 VALUES (1,'x'::text), (2,'y'::text);
SELECT 1

> select count(*) from w21
count:int8
2
SELECT 1

> select count(*) from ((VALUES (1, 'x'), (2, 'y')) except all select * from w21) x
count:int8
0
SELECT 1

> create view w22 as SELECT s.c FROM (SELECT c FROM t1) s
CREATE VIEW

> select pg_get_viewdef('w22'::regclass)
pg_get_viewdef:text
 SELECT s.c\n   FROM ( SELECT t1.c\n           FROM t1) s;
SELECT 1

> select count(*) from w22
count:int8
3
SELECT 1

> select count(*) from ((SELECT s.c FROM (SELECT c FROM t1) s) except all select * from w22) x
count:int8
0
SELECT 1

> create view w23 as SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t1
CREATE VIEW

> select pg_get_viewdef('w23'::regclass)
pg_get_viewdef:text
 SELECT\n        CASE\n            WHEN (t1.a > 1) THEN 'x'::text\n            ELSE 'y'::text\n        END AS "case"\n   FROM t1;
SELECT 1

> select count(*) from w23
count:int8
3
SELECT 1

> select count(*) from ((SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t1) except all select * from w23) x
count:int8
0
SELECT 1

> create view w24 as SELECT CASE a WHEN 1 THEN 'one' END AS k FROM t1
CREATE VIEW

> select pg_get_viewdef('w24'::regclass)
pg_get_viewdef:text
 SELECT\n        CASE t1.a\n            WHEN 1 THEN 'one'::text\n            ELSE NULL::text\n        END AS k\n   FROM t1;
SELECT 1

> select count(*) from w24
count:int8
3
SELECT 1

> select count(*) from ((SELECT CASE a WHEN 1 THEN 'one' END AS k FROM t1) except all select * from w24) x
count:int8
0
SELECT 1

> create view w25 as SELECT a BETWEEN 1 AND 3, c LIKE 'x%', b IS NULL, a::text, c || 'z' FROM t1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w25'::regclass)
ERROR 42P01: relation "w25" does not exist

> select count(*) from w25
ERROR 42P01: relation "w25" does not exist

> select count(*) from ((SELECT a BETWEEN 1 AND 3, c LIKE 'x%', b IS NULL, a::text, c || 'z' FROM t1) except all select * from w25) x
ERROR 42P01: relation "w25" does not exist

> create view w27 as SELECT 1
CREATE VIEW

> select pg_get_viewdef('w27'::regclass)
pg_get_viewdef:text
 SELECT 1 AS "?column?";
SELECT 1

> select count(*) from w27
count:int8
1
SELECT 1

> select count(*) from ((SELECT 1) except all select * from w27) x
count:int8
0
SELECT 1

> create view w28 as SELECT 'abc'
CREATE VIEW

> select pg_get_viewdef('w28'::regclass)
pg_get_viewdef:text
 SELECT 'abc'::text AS "?column?";
SELECT 1

> select count(*) from w28
count:int8
1
SELECT 1

> select count(*) from ((SELECT 'abc') except all select * from w28) x
count:int8
0
SELECT 1

> create view w29 as SELECT 'abc' AS x, NULL, true, 1.5, -1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w29'::regclass)
ERROR 42P01: relation "w29" does not exist

> select count(*) from w29
ERROR 42P01: relation "w29" does not exist

> select count(*) from ((SELECT 'abc' AS x, NULL, true, 1.5, -1) except all select * from w29) x
ERROR 42P01: relation "w29" does not exist

> create view w30 as SELECT a + 1.5, a::bigint + 1, n * a, n::int FROM t1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w30'::regclass)
ERROR 42P01: relation "w30" does not exist

> select count(*) from w30
ERROR 42P01: relation "w30" does not exist

> select count(*) from ((SELECT a + 1.5, a::bigint + 1, n * a, n::int FROM t1) except all select * from w30) x
ERROR 42P01: relation "w30" does not exist

> create view w31 as SELECT extract(year from ts), date_trunc('day', ts), ts - interval '1 day', ts::date FROM t1
CREATE VIEW

> select pg_get_viewdef('w31'::regclass)
pg_get_viewdef:text
 SELECT EXTRACT(year FROM t1.ts) AS "extract",\n    date_trunc('day'::text, t1.ts) AS date_trunc,\n    (t1.ts - '1 day'::interval) AS "?column?",\n    (t1.ts)::date AS ts\n   FROM t1;
SELECT 1

> select count(*) from w31
count:int8
3
SELECT 1

> select count(*) from ((SELECT extract(year from ts), date_trunc('day', ts), ts - interval '1 day', ts::date FROM t1) except all select * from w31) x
count:int8
0
SELECT 1

> create view w32 as SELECT t1.* , t2.d FROM t1, t2 WHERE t1.a = t2.a AND (t1.b > 1 OR t1.b < -1) AND NOT (t2.d = 2)
CREATE VIEW

> select pg_get_viewdef('w32'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t1.c,\n    t1.v,\n    t1.n,\n    t1.ts,\n    t1.arr,\n    t1.j,\n    t2.d\n   FROM t1,\n    t2\n  WHERE ((t1.a = t2.a) AND ((t1.b > 1) OR (t1.b < '-1'::integer)) AND (NOT (t2.d = 2)));
SELECT 1

> select count(*) from w32
count:int8
3
SELECT 1

> select count(*) from ((SELECT t1.* , t2.d FROM t1, t2 WHERE t1.a = t2.a AND (t1.b > 1 OR t1.b < -1) AND NOT (t2.d = 2)) except all select * from w32) x
count:int8
0
SELECT 1

> create view w33 as SELECT x.a FROM t1 x CROSS JOIN t2 y FULL JOIN t3 z ON z.a = x.a
CREATE VIEW

> select pg_get_viewdef('w33'::regclass)
pg_get_viewdef:text
 SELECT x.a\n   FROM ((t1 x\n     CROSS JOIN t2 y)\n     FULL JOIN t3 z ON ((z.a = x.a)));
SELECT 1

> select count(*) from w33
count:int8
9
SELECT 1

> select count(*) from ((SELECT x.a FROM t1 x CROSS JOIN t2 y FULL JOIN t3 z ON z.a = x.a) except all select * from w33) x
count:int8
0
SELECT 1

> create view w34 as SELECT count(DISTINCT a) FILTER (WHERE b > 0), string_agg(c, ',' ORDER BY c DESC), array_agg(a) FROM t1
CREATE VIEW

> select pg_get_viewdef('w34'::regclass)
pg_get_viewdef:text
 SELECT count(DISTINCT t1.a) FILTER (WHERE (t1.b > 0)) AS count,\n    string_agg(t1.c, ','::text ORDER BY t1.c DESC) AS string_agg,\n    array_agg(t1.a) AS array_agg\n   FROM t1;
SELECT 1

> select count(*) from w34
count:int8
1
SELECT 1

> select count(*) from ((SELECT count(DISTINCT a) FILTER (WHERE b > 0), string_agg(c, ',' ORDER BY c DESC), array_agg(a) FROM t1) except all select * from w34) x
count:int8
0
SELECT 1

> create view w35 as SELECT a, b, count(*) FROM t1 GROUP BY ROLLUP (a, b)
CREATE VIEW

> select pg_get_viewdef('w35'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    count(*) AS count\n   FROM t1\n  GROUP BY ROLLUP(t1.a, t1.b);
SELECT 1

> select count(*) from w35
count:int8
7
SELECT 1

> select count(*) from ((SELECT a, b, count(*) FROM t1 GROUP BY ROLLUP (a, b)) except all select * from w35) x
count:int8
0
SELECT 1

> create view w36 as SELECT a, b, grouping(a), count(*) FROM t1 GROUP BY GROUPING SETS ((a), (b), ())
CREATE VIEW

> select pg_get_viewdef('w36'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    GROUPING(t1.a) AS "grouping",\n    count(*) AS count\n   FROM t1\n  GROUP BY GROUPING SETS ((t1.a), (t1.b), ());
SELECT 1

> select count(*) from w36
count:int8
7
SELECT 1

> select count(*) from ((SELECT a, b, grouping(a), count(*) FROM t1 GROUP BY GROUPING SETS ((a), (b), ())) except all select * from w36) x
count:int8
0
SELECT 1

> create view w37 as SELECT a FROM t1 x WHERE a = ANY (ARRAY[1,2,3]) AND b IN (1,2,3) AND c NOT IN ('a','b')
CREATE VIEW

> select pg_get_viewdef('w37'::regclass)
pg_get_viewdef:text
 SELECT x.a\n   FROM t1 x\n  WHERE ((x.a = ANY (ARRAY[1, 2, 3])) AND (x.b = ANY (ARRAY[1, 2, 3])) AND (x.c <> ALL (ARRAY['a'::text, 'b'::text])));
SELECT 1

> select count(*) from w37
count:int8
0
SELECT 1

> select count(*) from ((SELECT a FROM t1 x WHERE a = ANY (ARRAY[1,2,3]) AND b IN (1,2,3) AND c NOT IN ('a','b')) except all select * from w37) x
count:int8
0
SELECT 1

> create view w38 as SELECT (a, b) = (1, 2) AS eq, (a,b) < (1,2) AS lt FROM t1
CREATE VIEW

> select pg_get_viewdef('w38'::regclass)
pg_get_viewdef:text
 SELECT ((t1.a = 1) AND (t1.b = 2)) AS eq,\n    (ROW(t1.a, t1.b) < ROW(1, 2)) AS lt\n   FROM t1;
SELECT 1

> select count(*) from w38
count:int8
3
SELECT 1

> select count(*) from ((SELECT (a, b) = (1, 2) AS eq, (a,b) < (1,2) AS lt FROM t1) except all select * from w38) x
count:int8
0
SELECT 1

> create view w39 as SELECT count(t1), count(t1.*) FROM t1
ERROR 42701: column "count" specified more than once

> select pg_get_viewdef('w39'::regclass)
ERROR 42P01: relation "w39" does not exist

> select count(*) from w39
ERROR 42P01: relation "w39" does not exist

> select count(*) from ((SELECT count(t1), count(t1.*) FROM t1) except all select * from w39) x
ERROR 42P01: relation "w39" does not exist

> create view w40 as SELECT * FROM t1 NATURAL JOIN t2
CREATE VIEW

> select pg_get_viewdef('w40'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t1.c,\n    t1.v,\n    t1.n,\n    t1.ts,\n    t1.arr,\n    t1.j,\n    t2.d\n   FROM (t1\n     JOIN t2 USING (a));
SELECT 1

> select count(*) from w40
count:int8
3
SELECT 1

> select count(*) from ((SELECT * FROM t1 NATURAL JOIN t2) except all select * from w40) x
count:int8
0
SELECT 1

> create view w41 as SELECT * FROM t1 a1 JOIN t1 a2 ON a1.a = a2.b JOIN t1 a3 ON a3.a = a1.a
ERROR 42701: column "a" specified more than once

> select pg_get_viewdef('w41'::regclass)
ERROR 42P01: relation "w41" does not exist

> select count(*) from w41
ERROR 42P01: relation "w41" does not exist

> select count(*) from ((SELECT * FROM t1 a1 JOIN t1 a2 ON a1.a = a2.b JOIN t1 a3 ON a3.a = a1.a) except all select * from w41) x
ERROR 42P01: relation "w41" does not exist

> create view w42 as SELECT l.x FROM t1, LATERAL (SELECT t1.a + 1 AS x) l
CREATE VIEW

> select pg_get_viewdef('w42'::regclass)
pg_get_viewdef:text
 SELECT l.x\n   FROM t1,\n    LATERAL ( SELECT (t1.a + 1) AS x) l;
SELECT 1

> select count(*) from w42
count:int8
3
SELECT 1

> select count(*) from ((SELECT l.x FROM t1, LATERAL (SELECT t1.a + 1 AS x) l) except all select * from w42) x
count:int8
0
SELECT 1

> create view w43 as SELECT a FROM ONLY t1
CREATE VIEW

> select pg_get_viewdef('w43'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM ONLY t1;
SELECT 1

> select count(*) from w43
count:int8
3
SELECT 1

> select count(*) from ((SELECT a FROM ONLY t1) except all select * from w43) x
count:int8
0
SELECT 1

> create view w44 as SELECT arr[1], arr[1:2] FROM t1
ERROR 42701: column "arr" specified more than once

> select pg_get_viewdef('w44'::regclass)
ERROR 42P01: relation "w44" does not exist

> select count(*) from w44
ERROR 42P01: relation "w44" does not exist

> select count(*) from ((SELECT arr[1], arr[1:2] FROM t1) except all select * from w44) x
ERROR 42P01: relation "w44" does not exist

> create view w45 as SELECT j->'a', j->>'b' FROM t1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w45'::regclass)
ERROR 42P01: relation "w45" does not exist

> select count(*) from w45
ERROR 42P01: relation "w45" does not exist

> create view w46 as SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t1
CREATE VIEW

> select pg_get_viewdef('w46'::regclass)
pg_get_viewdef:text
 SELECT percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY ((t1.a)::double precision)) AS percentile_cont\n   FROM t1;
SELECT 1

> select count(*) from w46
count:int8
1
SELECT 1

> select count(*) from ((SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t1) except all select * from w46) x
count:int8
0
SELECT 1

> create view w47 as SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) u(x, y)
CREATE VIEW

> select pg_get_viewdef('w47'::regclass)
pg_get_viewdef:text
 SELECT u.x,\n    u.y\n   FROM UNNEST(ARRAY[1, 2], ARRAY['a'::text, 'b'::text]) u(x, y);
SELECT 1

> select count(*) from w47
count:int8
2
SELECT 1

> select count(*) from ((SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) u(x, y)) except all select * from w47) x
count:int8
0
SELECT 1

> create view w48 as SELECT * FROM t1 WHERE (a, b) IN (SELECT a, d FROM t2)
CREATE VIEW

> select pg_get_viewdef('w48'::regclass)
pg_get_viewdef:text
 SELECT t1.a,\n    t1.b,\n    t1.c,\n    t1.v,\n    t1.n,\n    t1.ts,\n    t1.arr,\n    t1.j\n   FROM t1\n  WHERE ((t1.a, t1.b) IN ( SELECT t2.a,\n            t2.d\n           FROM t2));
SELECT 1

> select count(*) from w48
count:int8
0
SELECT 1

> select count(*) from ((SELECT * FROM t1 WHERE (a, b) IN (SELECT a, d FROM t2)) except all select * from w48) x
count:int8
0
SELECT 1

> create view w49 as SELECT a FROM t1 WHERE a > ALL (SELECT a FROM t2)
CREATE VIEW

> select pg_get_viewdef('w49'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  WHERE (t1.a > ALL ( SELECT t2.a\n           FROM t2));
SELECT 1

> select count(*) from w49
count:int8
1
SELECT 1

> select count(*) from ((SELECT a FROM t1 WHERE a > ALL (SELECT a FROM t2)) except all select * from w49) x
count:int8
0
SELECT 1

> create view w50 as SELECT * FROM v0
CREATE VIEW

> select pg_get_viewdef('w50'::regclass)
pg_get_viewdef:text
 SELECT v0.a,\n    v0.b\n   FROM v0;
SELECT 1

> select count(*) from w50
count:int8
3
SELECT 1

> select count(*) from ((SELECT * FROM v0) except all select * from w50) x
count:int8
0
SELECT 1

> create view w51 as SELECT sum(a) FROM t1 FETCH FIRST 3 ROWS ONLY
CREATE VIEW

> select pg_get_viewdef('w51'::regclass)
pg_get_viewdef:text
 SELECT sum(t1.a) AS sum\n   FROM t1\n LIMIT 3;
SELECT 1

> select count(*) from w51
count:int8
1
SELECT 1

> select count(*) from ((SELECT sum(a) FROM t1 FETCH FIRST 3 ROWS ONLY) except all select * from w51) x
count:int8
0
SELECT 1

> create view w52 as SELECT lag(a) OVER (ORDER BY b), rank() OVER (ORDER BY a DESC NULLS LAST) FROM t1
CREATE VIEW

> select pg_get_viewdef('w52'::regclass)
pg_get_viewdef:text
 SELECT lag(t1.a) OVER (ORDER BY t1.b) AS lag,\n    rank() OVER (ORDER BY t1.a DESC NULLS LAST) AS rank\n   FROM t1;
SELECT 1

> select count(*) from w52
count:int8
3
SELECT 1

> select count(*) from ((SELECT lag(a) OVER (ORDER BY b), rank() OVER (ORDER BY a DESC NULLS LAST) FROM t1) except all select * from w52) x
count:int8
0
SELECT 1

> create view w56 as SELECT v::varchar(3), v = 'a', v || c FROM t1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w56'::regclass)
ERROR 42P01: relation "w56" does not exist

> select count(*) from w56
ERROR 42P01: relation "w56" does not exist

> select count(*) from ((SELECT v::varchar(3), v = 'a', v || c FROM t1) except all select * from w56) x
ERROR 42P01: relation "w56" does not exist

> create view w57 as SELECT a FROM t1 WHERE c ILIKE 'a%' ESCAPE '!' OR c ~ 'x' OR c SIMILAR TO 'y'
CREATE VIEW

> select pg_get_viewdef('w57'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  WHERE ((t1.c ~~* like_escape('a%'::text, '!'::text)) OR (t1.c ~ 'x'::text) OR (t1.c ~ similar_to_escape('y'::text)));
SELECT 1

> select count(*) from w57
count:int8
2
SELECT 1

> select count(*) from ((SELECT a FROM t1 WHERE c ILIKE 'a%' ESCAPE '!' OR c ~ 'x' OR c SIMILAR TO 'y') except all select * from w57) x
count:int8
0
SELECT 1

> create view w58 as SELECT (SELECT count(*) FROM t1) + 1 AS c
CREATE VIEW

> select pg_get_viewdef('w58'::regclass)
pg_get_viewdef:text
 SELECT (( SELECT count(*) AS count\n           FROM t1) + 1) AS c;
SELECT 1

> select count(*) from w58
count:int8
1
SELECT 1

> select count(*) from ((SELECT (SELECT count(*) FROM t1) + 1 AS c) except all select * from w58) x
count:int8
0
SELECT 1

> create view w59 as SELECT a AS "Mixed Case", b AS "select" FROM t1
CREATE VIEW

> select pg_get_viewdef('w59'::regclass)
pg_get_viewdef:text
 SELECT t1.a AS "Mixed Case",\n    t1.b AS "select"\n   FROM t1;
SELECT 1

> select count(*) from w59
count:int8
3
SELECT 1

> select count(*) from ((SELECT a AS "Mixed Case", b AS "select" FROM t1) except all select * from w59) x
count:int8
0
SELECT 1

> create view w60 as SELECT t1.a FROM t1 WHERE a IN (SELECT t1.a FROM t1)
CREATE VIEW

> select pg_get_viewdef('w60'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  WHERE (t1.a IN ( SELECT t1_1.a\n           FROM t1 t1_1));
SELECT 1

> select count(*) from w60
count:int8
3
SELECT 1

> select count(*) from ((SELECT t1.a FROM t1 WHERE a IN (SELECT t1.a FROM t1)) except all select * from w60) x
count:int8
0
SELECT 1

> create view w61 as SELECT a.a FROM (t1 JOIN t2 USING (a)) a
CREATE VIEW

> select pg_get_viewdef('w61'::regclass)
pg_get_viewdef:text
 SELECT a.a\n   FROM (t1\n     JOIN t2 USING (a)) a;
SELECT 1

> select count(*) from w61
count:int8
3
SELECT 1

> select count(*) from ((SELECT a.a FROM (t1 JOIN t2 USING (a)) a) except all select * from w61) x
count:int8
0
SELECT 1

> create view w63 as SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b, (a > 1) IS TRUE, (b > 1) IS NOT UNKNOWN FROM t1
ERROR 42701: column "?column?" specified more than once

> select pg_get_viewdef('w63'::regclass)
ERROR 42P01: relation "w63" does not exist

> select count(*) from w63
ERROR 42P01: relation "w63" does not exist

> select count(*) from ((SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b, (a > 1) IS TRUE, (b > 1) IS NOT UNKNOWN FROM t1) except all select * from w63) x
ERROR 42P01: relation "w63" does not exist

> create view w64 as SELECT sum(a) + count(*) * 2 AS x, avg(n) FROM t1 GROUP BY b + 1 ORDER BY b + 1, 1
CREATE VIEW

> select pg_get_viewdef('w64'::regclass)
pg_get_viewdef:text
 SELECT (sum(t1.a) + (count(*) * 2)) AS x,\n    avg(t1.n) AS avg\n   FROM t1\n  GROUP BY (t1.b + 1)\n  ORDER BY (t1.b + 1), (sum(t1.a) + (count(*) * 2));
SELECT 1

> select count(*) from w64
count:int8
3
SELECT 1

> select count(*) from ((SELECT sum(a) + count(*) * 2 AS x, avg(n) FROM t1 GROUP BY b + 1 ORDER BY b + 1, 1) except all select * from w64) x
count:int8
0
SELECT 1

> create view w65 as SELECT a FROM t1 ORDER BY length(c), c DESC
CREATE VIEW

> select pg_get_viewdef('w65'::regclass)
pg_get_viewdef:text
 SELECT t1.a\n   FROM t1\n  ORDER BY (length(t1.c)), t1.c DESC;
SELECT 1

> select count(*) from w65
count:int8
3
SELECT 1

> select count(*) from ((SELECT a FROM t1 ORDER BY length(c), c DESC) except all select * from w65) x
count:int8
0
SELECT 1

