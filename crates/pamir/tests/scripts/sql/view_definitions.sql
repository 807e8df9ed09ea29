# Definitions of views as pg_get_viewdef prints them, and the rows that views give.
> create table t1(a int primary key, b int, c text, v varchar(10), n numeric(10,2), ts timestamp, arr int[], j jsonb)

> create table t2(a int, d int)

> create table t3(a bigint, e text)

> create view v0 as select a, b from t1

> insert into t1 values (1,10,'x','v',1.5,'2020-01-01','{1,2}','{"a":1}'),(2,20,'y','w',2.5,'2020-02-01','{3}','{}'),(3,null,null,null,null,null,null,null)

> insert into t2 values (1,100),(2,200),(2,201)

> create view w0 as SELECT a, b FROM t1

> select pg_get_viewdef('w0'::regclass)

> select count(*) from w0

> select count(*) from ((SELECT a, b FROM t1) except all select * from w0) x

> create view w1 as SELECT * FROM t1

> select pg_get_viewdef('w1'::regclass)

> select count(*) from w1

> select count(*) from ((SELECT * FROM t1) except all select * from w1) x

> create view w2 as SELECT t1.a, x.d FROM t1 JOIN t2 x ON t1.a = x.a

> select pg_get_viewdef('w2'::regclass)

> select count(*) from w2

> select count(*) from ((SELECT t1.a, x.d FROM t1 JOIN t2 x ON t1.a = x.a) except all select * from w2) x

> create view w3 as SELECT * FROM t1 JOIN t2 USING (a)

> select pg_get_viewdef('w3'::regclass)

> select count(*) from w3

> select count(*) from ((SELECT * FROM t1 JOIN t2 USING (a)) except all select * from w3) x

> create view w4 as SELECT a FROM t1 LEFT JOIN t2 USING (a) WHERE d > 3

> select pg_get_viewdef('w4'::regclass)

> select count(*) from w4

> select count(*) from ((SELECT a FROM t1 LEFT JOIN t2 USING (a) WHERE d > 3) except all select * from w4) x

> create view w5 as SELECT a, count(*), sum(b) FROM t1 GROUP BY a HAVING count(*) > 1 ORDER BY a DESC LIMIT 5 OFFSET 1

> select pg_get_viewdef('w5'::regclass)

> select count(*) from w5

> select count(*) from ((SELECT a, count(*), sum(b) FROM t1 GROUP BY a HAVING count(*) > 1 ORDER BY a DESC LIMIT 5 OFFSET 1) except all select * from w5) x

> create view w6 as SELECT DISTINCT a FROM t1

> select pg_get_viewdef('w6'::regclass)

> select count(*) from w6

> select count(*) from ((SELECT DISTINCT a FROM t1) except all select * from w6) x

> create view w7 as SELECT DISTINCT ON (a) a, b FROM t1 ORDER BY a, b DESC

> select pg_get_viewdef('w7'::regclass)

> select count(*) from w7

> select count(*) from ((SELECT DISTINCT ON (a) a, b FROM t1 ORDER BY a, b DESC) except all select * from w7) x

> create view w8 as SELECT a FROM t1 UNION SELECT a FROM t2 ORDER BY 1

> select pg_get_viewdef('w8'::regclass)

> select count(*) from w8

> select count(*) from ((SELECT a FROM t1 UNION SELECT a FROM t2 ORDER BY 1) except all select * from w8) x

> create view w9 as SELECT a FROM t1 UNION ALL SELECT a FROM t2 UNION ALL SELECT 3

> select pg_get_viewdef('w9'::regclass)

> select count(*) from w9

> select count(*) from ((SELECT a FROM t1 UNION ALL SELECT a FROM t2 UNION ALL SELECT 3) except all select * from w9) x

> create view w10 as SELECT a FROM t1 EXCEPT (SELECT a FROM t2 INTERSECT SELECT 1)

> select pg_get_viewdef('w10'::regclass)

> select count(*) from w10

> select count(*) from ((SELECT a FROM t1 EXCEPT (SELECT a FROM t2 INTERSECT SELECT 1)) except all select * from w10) x

> create view w11 as SELECT a FROM t1 WHERE a IN (SELECT a FROM t2)

> select pg_get_viewdef('w11'::regclass)

> select count(*) from w11

> select count(*) from ((SELECT a FROM t1 WHERE a IN (SELECT a FROM t2)) except all select * from w11) x

> create view w12 as SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)

> select pg_get_viewdef('w12'::regclass)

> select count(*) from w12

> select count(*) from ((SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)) except all select * from w12) x

> create view w13 as SELECT a, (SELECT max(d) FROM t2 WHERE t2.a = t1.a) AS m FROM t1

> select pg_get_viewdef('w13'::regclass)

> select count(*) from w13

> select count(*) from ((SELECT a, (SELECT max(d) FROM t2 WHERE t2.a = t1.a) AS m FROM t1) except all select * from w13) x

> create view w14 as SELECT ARRAY(SELECT d FROM t2) AS arr

> select pg_get_viewdef('w14'::regclass)

> select count(*) from w14

> select count(*) from ((SELECT ARRAY(SELECT d FROM t2) AS arr) except all select * from w14) x

> create view w15 as WITH x AS (SELECT a FROM t1) SELECT * FROM x

> select pg_get_viewdef('w15'::regclass)

> select count(*) from w15

> select count(*) from ((WITH x AS (SELECT a FROM t1) SELECT * FROM x) except all select * from w15) x

> create view w16 as WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 10) SELECT n FROM r

> select pg_get_viewdef('w16'::regclass)

> select count(*) from w16

> select count(*) from ((WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 10) SELECT n FROM r) except all select * from w16) x

> create view w17 as SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) FROM t1

> select pg_get_viewdef('w17'::regclass)

> select count(*) from w17

> select count(*) from ((SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) FROM t1) except all select * from w17) x

> create view w18 as SELECT a, sum(b) OVER w FROM t1 WINDOW w AS (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)

> select pg_get_viewdef('w18'::regclass)

> select count(*) from w18

> select count(*) from ((SELECT a, sum(b) OVER w FROM t1 WINDOW w AS (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) except all select * from w18) x

> create view w19 as SELECT * FROM generate_series(1, 3) g

> select pg_get_viewdef('w19'::regclass)

> select count(*) from w19

> select count(*) from ((SELECT * FROM generate_series(1, 3) g) except all select * from w19) x

> create view w20 as SELECT * FROM (VALUES (1,'a'),(2,'b')) v(x,y)

> select pg_get_viewdef('w20'::regclass)

> select count(*) from w20

> select count(*) from ((SELECT * FROM (VALUES (1,'a'),(2,'b')) v(x,y)) except all select * from w20) x

> create view w21 as VALUES (1, 'x'), (2, 'y')

> select pg_get_viewdef('w21'::regclass)

> select count(*) from w21

> select count(*) from ((VALUES (1, 'x'), (2, 'y')) except all select * from w21) x

> create view w22 as SELECT s.c FROM (SELECT c FROM t1) s

> select pg_get_viewdef('w22'::regclass)

> select count(*) from w22

> select count(*) from ((SELECT s.c FROM (SELECT c FROM t1) s) except all select * from w22) x

> create view w23 as SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t1

> select pg_get_viewdef('w23'::regclass)

> select count(*) from w23

> select count(*) from ((SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t1) except all select * from w23) x

> create view w24 as SELECT CASE a WHEN 1 THEN 'one' END AS k FROM t1

> select pg_get_viewdef('w24'::regclass)

> select count(*) from w24

> select count(*) from ((SELECT CASE a WHEN 1 THEN 'one' END AS k FROM t1) except all select * from w24) x

> create view w25 as SELECT a BETWEEN 1 AND 3, c LIKE 'x%', b IS NULL, a::text, c || 'z' FROM t1

> select pg_get_viewdef('w25'::regclass)

> select count(*) from w25

> select count(*) from ((SELECT a BETWEEN 1 AND 3, c LIKE 'x%', b IS NULL, a::text, c || 'z' FROM t1) except all select * from w25) x

> create view w27 as SELECT 1

> select pg_get_viewdef('w27'::regclass)

> select count(*) from w27

> select count(*) from ((SELECT 1) except all select * from w27) x

> create view w28 as SELECT 'abc'

> select pg_get_viewdef('w28'::regclass)

> select count(*) from w28

> select count(*) from ((SELECT 'abc') except all select * from w28) x

> create view w29 as SELECT 'abc' AS x, NULL, true, 1.5, -1

> select pg_get_viewdef('w29'::regclass)

> select count(*) from w29

> select count(*) from ((SELECT 'abc' AS x, NULL, true, 1.5, -1) except all select * from w29) x

> create view w30 as SELECT a + 1.5, a::bigint + 1, n * a, n::int FROM t1

> select pg_get_viewdef('w30'::regclass)

> select count(*) from w30

> select count(*) from ((SELECT a + 1.5, a::bigint + 1, n * a, n::int FROM t1) except all select * from w30) x

> create view w31 as SELECT extract(year from ts), date_trunc('day', ts), ts - interval '1 day', ts::date FROM t1

> select pg_get_viewdef('w31'::regclass)

> select count(*) from w31

> select count(*) from ((SELECT extract(year from ts), date_trunc('day', ts), ts - interval '1 day', ts::date FROM t1) except all select * from w31) x

> create view w32 as SELECT t1.* , t2.d FROM t1, t2 WHERE t1.a = t2.a AND (t1.b > 1 OR t1.b < -1) AND NOT (t2.d = 2)

> select pg_get_viewdef('w32'::regclass)

> select count(*) from w32

> select count(*) from ((SELECT t1.* , t2.d FROM t1, t2 WHERE t1.a = t2.a AND (t1.b > 1 OR t1.b < -1) AND NOT (t2.d = 2)) except all select * from w32) x

> create view w33 as SELECT x.a FROM t1 x CROSS JOIN t2 y FULL JOIN t3 z ON z.a = x.a

> select pg_get_viewdef('w33'::regclass)

> select count(*) from w33

> select count(*) from ((SELECT x.a FROM t1 x CROSS JOIN t2 y FULL JOIN t3 z ON z.a = x.a) except all select * from w33) x

> create view w34 as SELECT count(DISTINCT a) FILTER (WHERE b > 0), string_agg(c, ',' ORDER BY c DESC), array_agg(a) FROM t1

> select pg_get_viewdef('w34'::regclass)

> select count(*) from w34

> select count(*) from ((SELECT count(DISTINCT a) FILTER (WHERE b > 0), string_agg(c, ',' ORDER BY c DESC), array_agg(a) FROM t1) except all select * from w34) x

> create view w35 as SELECT a, b, count(*) FROM t1 GROUP BY ROLLUP (a, b)

> select pg_get_viewdef('w35'::regclass)

> select count(*) from w35

> select count(*) from ((SELECT a, b, count(*) FROM t1 GROUP BY ROLLUP (a, b)) except all select * from w35) x

> create view w36 as SELECT a, b, grouping(a), count(*) FROM t1 GROUP BY GROUPING SETS ((a), (b), ())

> select pg_get_viewdef('w36'::regclass)

> select count(*) from w36

> select count(*) from ((SELECT a, b, grouping(a), count(*) FROM t1 GROUP BY GROUPING SETS ((a), (b), ())) except all select * from w36) x

> create view w37 as SELECT a FROM t1 x WHERE a = ANY (ARRAY[1,2,3]) AND b IN (1,2,3) AND c NOT IN ('a','b')

> select pg_get_viewdef('w37'::regclass)

> select count(*) from w37

> select count(*) from ((SELECT a FROM t1 x WHERE a = ANY (ARRAY[1,2,3]) AND b IN (1,2,3) AND c NOT IN ('a','b')) except all select * from w37) x

> create view w38 as SELECT (a, b) = (1, 2) AS eq, (a,b) < (1,2) AS lt FROM t1

> select pg_get_viewdef('w38'::regclass)

> select count(*) from w38

> select count(*) from ((SELECT (a, b) = (1, 2) AS eq, (a,b) < (1,2) AS lt FROM t1) except all select * from w38) x

> create view w39 as SELECT count(t1), count(t1.*) FROM t1

> select pg_get_viewdef('w39'::regclass)

> select count(*) from w39

> select count(*) from ((SELECT count(t1), count(t1.*) FROM t1) except all select * from w39) x

> create view w40 as SELECT * FROM t1 NATURAL JOIN t2

> select pg_get_viewdef('w40'::regclass)

> select count(*) from w40

> select count(*) from ((SELECT * FROM t1 NATURAL JOIN t2) except all select * from w40) x

> create view w41 as SELECT * FROM t1 a1 JOIN t1 a2 ON a1.a = a2.b JOIN t1 a3 ON a3.a = a1.a

> select pg_get_viewdef('w41'::regclass)

> select count(*) from w41

> select count(*) from ((SELECT * FROM t1 a1 JOIN t1 a2 ON a1.a = a2.b JOIN t1 a3 ON a3.a = a1.a) except all select * from w41) x

> create view w42 as SELECT l.x FROM t1, LATERAL (SELECT t1.a + 1 AS x) l

> select pg_get_viewdef('w42'::regclass)

> select count(*) from w42

> select count(*) from ((SELECT l.x FROM t1, LATERAL (SELECT t1.a + 1 AS x) l) except all select * from w42) x

> create view w43 as SELECT a FROM ONLY t1

> select pg_get_viewdef('w43'::regclass)

> select count(*) from w43

> select count(*) from ((SELECT a FROM ONLY t1) except all select * from w43) x

> create view w44 as SELECT arr[1], arr[1:2] FROM t1

> select pg_get_viewdef('w44'::regclass)

> select count(*) from w44

> select count(*) from ((SELECT arr[1], arr[1:2] FROM t1) except all select * from w44) x

> create view w45 as SELECT j->'a', j->>'b' FROM t1

> select pg_get_viewdef('w45'::regclass)

> select count(*) from w45

> create view w46 as SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t1

> select pg_get_viewdef('w46'::regclass)

> select count(*) from w46

> select count(*) from ((SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t1) except all select * from w46) x

> create view w47 as SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) u(x, y)

> select pg_get_viewdef('w47'::regclass)

> select count(*) from w47

> select count(*) from ((SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) u(x, y)) except all select * from w47) x

> create view w48 as SELECT * FROM t1 WHERE (a, b) IN (SELECT a, d FROM t2)

> select pg_get_viewdef('w48'::regclass)

> select count(*) from w48

> select count(*) from ((SELECT * FROM t1 WHERE (a, b) IN (SELECT a, d FROM t2)) except all select * from w48) x

> create view w49 as SELECT a FROM t1 WHERE a > ALL (SELECT a FROM t2)

> select pg_get_viewdef('w49'::regclass)

> select count(*) from w49

> select count(*) from ((SELECT a FROM t1 WHERE a > ALL (SELECT a FROM t2)) except all select * from w49) x

> create view w50 as SELECT * FROM v0

> select pg_get_viewdef('w50'::regclass)

> select count(*) from w50

> select count(*) from ((SELECT * FROM v0) except all select * from w50) x

> create view w51 as SELECT sum(a) FROM t1 FETCH FIRST 3 ROWS ONLY

> select pg_get_viewdef('w51'::regclass)

> select count(*) from w51

> select count(*) from ((SELECT sum(a) FROM t1 FETCH FIRST 3 ROWS ONLY) except all select * from w51) x

> create view w52 as SELECT lag(a) OVER (ORDER BY b), rank() OVER (ORDER BY a DESC NULLS LAST) FROM t1

> select pg_get_viewdef('w52'::regclass)

> select count(*) from w52

> select count(*) from ((SELECT lag(a) OVER (ORDER BY b), rank() OVER (ORDER BY a DESC NULLS LAST) FROM t1) except all select * from w52) x

> create view w56 as SELECT v::varchar(3), v = 'a', v || c FROM t1

> select pg_get_viewdef('w56'::regclass)

> select count(*) from w56

> select count(*) from ((SELECT v::varchar(3), v = 'a', v || c FROM t1) except all select * from w56) x

> create view w57 as SELECT a FROM t1 WHERE c ILIKE 'a%' ESCAPE '!' OR c ~ 'x' OR c SIMILAR TO 'y'

> select pg_get_viewdef('w57'::regclass)

> select count(*) from w57

> select count(*) from ((SELECT a FROM t1 WHERE c ILIKE 'a%' ESCAPE '!' OR c ~ 'x' OR c SIMILAR TO 'y') except all select * from w57) x

> create view w58 as SELECT (SELECT count(*) FROM t1) + 1 AS c

> select pg_get_viewdef('w58'::regclass)

> select count(*) from w58

> select count(*) from ((SELECT (SELECT count(*) FROM t1) + 1 AS c) except all select * from w58) x

> create view w59 as SELECT a AS "Mixed Case", b AS "select" FROM t1

> select pg_get_viewdef('w59'::regclass)

> select count(*) from w59

> select count(*) from ((SELECT a AS "Mixed Case", b AS "select" FROM t1) except all select * from w59) x

> create view w60 as SELECT t1.a FROM t1 WHERE a IN (SELECT t1.a FROM t1)

> select pg_get_viewdef('w60'::regclass)

> select count(*) from w60

> select count(*) from ((SELECT t1.a FROM t1 WHERE a IN (SELECT t1.a FROM t1)) except all select * from w60) x

> create view w61 as SELECT a.a FROM (t1 JOIN t2 USING (a)) a

> select pg_get_viewdef('w61'::regclass)

> select count(*) from w61

> select count(*) from ((SELECT a.a FROM (t1 JOIN t2 USING (a)) a) except all select * from w61) x

> create view w63 as SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b, (a > 1) IS TRUE, (b > 1) IS NOT UNKNOWN FROM t1

> select pg_get_viewdef('w63'::regclass)

> select count(*) from w63

> select count(*) from ((SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b, (a > 1) IS TRUE, (b > 1) IS NOT UNKNOWN FROM t1) except all select * from w63) x

> create view w64 as SELECT sum(a) + count(*) * 2 AS x, avg(n) FROM t1 GROUP BY b + 1 ORDER BY b + 1, 1

> select pg_get_viewdef('w64'::regclass)

> select count(*) from w64

> select count(*) from ((SELECT sum(a) + count(*) * 2 AS x, avg(n) FROM t1 GROUP BY b + 1 ORDER BY b + 1, 1) except all select * from w64) x

> create view w65 as SELECT a FROM t1 ORDER BY length(c), c DESC

> select pg_get_viewdef('w65'::regclass)

> select count(*) from w65

> select count(*) from ((SELECT a FROM t1 ORDER BY length(c), c DESC) except all select * from w65) x

