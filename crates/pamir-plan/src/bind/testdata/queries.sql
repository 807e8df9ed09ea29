SELECT c FROM sbtest1 WHERE id=5012
SELECT c FROM sbtest1 WHERE id=$1
SELECT c FROM sbtest1 WHERE id BETWEEN $1 AND $2
SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 5 AND 104
SELECT c FROM sbtest1 WHERE id BETWEEN 5 AND 104 ORDER BY c
SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5 AND 104 ORDER BY c
UPDATE sbtest1 SET k=k+1 WHERE id=$1
UPDATE sbtest1 SET c=$1 WHERE id=$2
DELETE FROM sbtest1 WHERE id=$1
INSERT INTO sbtest1 (id, k, c, pad) VALUES ($1, $2, $3, $4)
INSERT INTO sbtest1(k, c, pad) VALUES(1, 'a', 'b'),(2, 'c', 'd')
SELECT count(k) FROM sbtest1 WHERE k BETWEEN 1 AND 2 OR k BETWEEN 3 AND 4
SELECT id, k, c, pad FROM sbtest1 WHERE k IN ($1, $2, $3)
UPDATE pgbench_accounts SET abalance = abalance + -100 WHERE aid = 77
UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2
SELECT abalance FROM pgbench_accounts WHERE aid = $1
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP)
UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_id = $1 AND d_w_id = $2 RETURNING d_next_o_id, d_tax
SELECT count(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id < $3 AND ol_o_id >= $3 - 20 AND s_w_id = $1 AND s_i_id = ol_i_id AND s_quantity < $4
SELECT COUNT(DISTINCT (s_i_id)) AS stock_count FROM order_line JOIN stock ON s_i_id = ol_i_id WHERE s_w_id = 1
UPDATE customer SET c_balance = c_balance - $1, c_data = substr($2 || c_data, 1, 500) WHERE c_w_id = $3 AND c_d_id = $4 AND c_id = $5
SELECT c_first, c_balance FROM customer WHERE c_w_id = 1 AND c_last = 'BAR' ORDER BY c_first FOR UPDATE
SELECT sum(ol_amount) AS total FROM order_line WHERE ol_o_id = 3 AND ol_d_id = 1
SELECT min(ol_o_id), max(ol_amount), avg(ol_i_id), avg(ol_amount), count(*) FROM order_line
UPDATE order_line SET ol_delivery_d = now() WHERE ol_o_id = $1
SELECT * FROM t
SELECT t.*, u.name FROM t JOIN u ON u.t_id = t.id
SELECT * FROM t JOIN u USING (id)
SELECT * FROM t NATURAL JOIN u
SELECT id FROM t FULL JOIN u USING (id)
SELECT * FROM t LEFT JOIN u ON t.id = u.t_id WHERE u.id IS NULL
SELECT a.id, b.id FROM t a, t b WHERE a.id = b.a
SELECT 1
SELECT 1, 'x', NULL, 1.5, true, 10000000000, 1e10
SELECT 1 AS one, 2 two
SELECT -1, -2147483648, -9223372036854775808, - 5.5
SELECT 1 + 1, 1 + 1.5, 1 + 1::bigint, 2 * 3.0::float8, 5 / 2, 5 % 3, 2 ^ 3
SELECT 'a' || 'b', 'a' || 1, 1 || 'a'
SELECT a + 1, a || b, b || a FROM t
SELECT '1' + 1
SELECT 1 + '1'
SELECT '1' + '1'
SELECT a = '5' FROM t
SELECT a = 'abc' FROM t
SELECT * FROM t WHERE a = 'abc'
SELECT * FROM t WHERE id = '5' AND b = 5
SELECT * FROM t WHERE b = 5
SELECT * FROM t WHERE a = b
SELECT * FROM missing
SELECT * FROM nope.missing
SELECT * FROM public.t
SELECT public.t.id FROM public.t
SELECT nocol FROM t
SELECT t.nocol FROM t
SELECT x.id FROM t
SELECT t.id FROM t x
SELECT id FROM t, u
SELECT foo(1)
SELECT foo('a', 1, NULL)
SELECT lower(5)
SELECT lower(a) FROM t
SELECT length('abc'), upper(b), substr(b, 2), substring(b from 2 for 3), position('a' in b) FROM t
SELECT abs(-5), round(1.5), round(2.567, 2), ceil(1.2), floor(f), mod(5, 3) FROM t
SELECT coalesce(a, 0), coalesce(NULL, 'x'), nullif(a, 0), greatest(1, 2.5), least('a', 'b') FROM t
SELECT coalesce(1, 'x')
SELECT coalesce(a, b) FROM t
SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t
SELECT CASE a WHEN 1 THEN 1 WHEN 2 THEN 2.5 END FROM t
SELECT CASE WHEN a THEN 1 END FROM t
SELECT CASE WHEN true THEN 1 ELSE 'x' END
SELECT CASE WHEN true THEN a ELSE b END FROM t
SELECT a FROM t WHERE a
SELECT a FROM t WHERE 'yes'
SELECT a FROM t WHERE 1
SELECT NOT a FROM t
SELECT a AND true FROM t
SELECT a, count(*) FROM t
SELECT a, count(*) FROM t GROUP BY a
SELECT a + 1, count(*) FROM t GROUP BY a
SELECT a + 1, count(*) FROM t GROUP BY a + 1
SELECT a, b FROM t GROUP BY a
SELECT t.b, sum(a) FROM t GROUP BY t.id
SELECT id, b, sum(a) FROM t GROUP BY id
SELECT b FROM t GROUP BY b HAVING count(*) > 1
SELECT b FROM t HAVING count(*) > 1
SELECT b AS x, count(*) FROM t GROUP BY x
SELECT b, count(*) FROM t GROUP BY 1
SELECT b, count(*) FROM t GROUP BY 3
SELECT count(*) FROM t GROUP BY count(*)
SELECT count(*) FROM t WHERE count(*) > 1
SELECT sum(sum(a)) FROM t
SELECT a FROM t ORDER BY b
SELECT a AS x FROM t ORDER BY x
SELECT a AS x FROM t ORDER BY x + 1
SELECT a AS x FROM t ORDER BY a + 1
SELECT a FROM t ORDER BY 1
SELECT a FROM t ORDER BY 2
SELECT a FROM t ORDER BY 'x'
SELECT DISTINCT a FROM t ORDER BY b
SELECT DISTINCT a FROM t ORDER BY a
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b
SELECT DISTINCT ON (a) a, b FROM t ORDER BY b
SELECT a FROM t LIMIT 5 OFFSET 2
SELECT a FROM t LIMIT $1 OFFSET $2
SELECT a FROM t LIMIT 'x'
SELECT a FROM t LIMIT a
SELECT a FROM t LIMIT true
SELECT a FROM t FETCH FIRST 3 ROWS ONLY
SELECT (SELECT max(x) FROM u WHERE u.t_id = t.id) FROM t
SELECT (SELECT x, id FROM u) FROM t
SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)
SELECT * FROM t WHERE id IN (SELECT t_id FROM u)
SELECT * FROM t WHERE id NOT IN (SELECT t_id FROM u)
SELECT * FROM t WHERE id IN (SELECT name FROM u)
SELECT * FROM t WHERE (id, a) IN (SELECT id, t_id FROM u)
SELECT * FROM t WHERE id IN (SELECT id, t_id FROM u)
SELECT * FROM t WHERE id = ANY (ARRAY[1,2,3])
SELECT * FROM t WHERE id = ANY ($1)
SELECT * FROM t WHERE id = ANY ('{1,2}')
SELECT * FROM t WHERE id = ANY (5)
SELECT * FROM t WHERE id > ALL (SELECT id FROM u)
SELECT * FROM t WHERE (id, a) = (1, 2)
SELECT * FROM t WHERE (id, a) < ($1, $2)
SELECT * FROM t WHERE id IN (1, 2, 'x')
SELECT * FROM t WHERE id IN (1, 2, '3')
SELECT * FROM t WHERE b IN ('x', 'y')
SELECT * FROM t WHERE id IN (1, 2.5)
SELECT * FROM t WHERE b LIKE 'a%' AND b ILIKE '%x' AND b NOT LIKE 'q' AND b LIKE 'a' ESCAPE '\'
SELECT * FROM t WHERE b ~ '^a' OR b !~* 'x'
SELECT * FROM t WHERE a BETWEEN 1 AND 10 AND a NOT BETWEEN 3 AND 4
SELECT * FROM t WHERE a IS NULL OR b IS NOT NULL OR bo IS TRUE OR bo IS NOT UNKNOWN
SELECT * FROM t WHERE a IS DISTINCT FROM 1
SELECT a IS TRUE FROM t
SELECT 1 UNION SELECT 2
SELECT 1 UNION SELECT 'x'
SELECT 1 UNION SELECT '2'
SELECT 1 UNION SELECT 2.5
SELECT a FROM t UNION SELECT name FROM u
SELECT a, b FROM t UNION ALL SELECT x, name FROM u
SELECT 1, 2 UNION SELECT 1
SELECT a FROM t EXCEPT SELECT id FROM u ORDER BY 1
SELECT a FROM t UNION SELECT id FROM u ORDER BY a LIMIT 1
SELECT a FROM t UNION SELECT id FROM u ORDER BY a + 1
SELECT NULL UNION SELECT 1
SELECT 'a' UNION SELECT 'b'
SELECT NULL UNION SELECT NULL UNION SELECT 1
VALUES (1, 'a'), (2, 'b')
VALUES (1), (2.5), (NULL)
VALUES (1), (1, 2)
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (x, y)
SELECT * FROM (SELECT a, b FROM t) AS s WHERE s.a = 1
SELECT * FROM (SELECT a, b FROM t)
SELECT x FROM (SELECT 1 AS x, 2 AS x) s
SELECT s.x FROM (SELECT a FROM t) AS s (x)
SELECT s.x FROM (SELECT a FROM t) AS s (x, y)
WITH s AS (SELECT a FROM t) SELECT * FROM s
WITH s (x) AS (SELECT a FROM t) SELECT s.x FROM s, s s2 WHERE s.x = s2.x
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM r WHERE n < 10) SELECT n FROM r
WITH x AS (INSERT INTO u (id) VALUES (1) RETURNING id, name) SELECT * FROM x
WITH x AS (DELETE FROM u RETURNING *) INSERT INTO t (id) SELECT id FROM x
WITH s AS (SELECT 1), s AS (SELECT 2) SELECT * FROM s
SELECT * FROM t, LATERAL (SELECT * FROM u WHERE u.t_id = t.id) s
SELECT * FROM t, (SELECT * FROM u WHERE u.t_id = t.id) s
SELECT * FROM generate_series(1, 10)
SELECT * FROM generate_series(1, 10) AS g
SELECT * FROM generate_series(1, 10) AS g (x)
SELECT g FROM generate_series(1, 10) g
SELECT generate_series(1, 3)
SELECT * FROM t, generate_series(1, t.a) s
SELECT * FROM unnest(ARRAY[1,2]) WITH ORDINALITY
SELECT id FROM t WHERE generate_series(1, 2) = 1
SELECT * FROM t FOR UPDATE
SELECT * FROM t FOR NO KEY UPDATE SKIP LOCKED
SELECT * FROM t, u FOR SHARE OF u NOWAIT
SELECT * FROM t FOR UPDATE OF x
SELECT DISTINCT a FROM t FOR UPDATE
SELECT a FROM t GROUP BY a FOR UPDATE
INSERT INTO t VALUES (1)
INSERT INTO t (id, a) VALUES (1, 2, 3)
INSERT INTO t (id, a) VALUES (1)
INSERT INTO t (id, nope) VALUES (1, 2)
INSERT INTO t (id, id) VALUES (1, 2)
INSERT INTO t (id, a) VALUES (1, 'x')
INSERT INTO t (id, a) VALUES (1, now())
INSERT INTO t (id, a) VALUES (1, 2.5)
INSERT INTO t (id, b) VALUES (1, 5)
INSERT INTO t (id, v) VALUES (1, 'abc'), (2, DEFAULT)
INSERT INTO t (id, d) VALUES (1, '2024-01-02 03:04:05+00')
INSERT INTO t (id, e) VALUES (1, '{1,2}'), (2, ARRAY[3])
INSERT INTO t (id, c) VALUES ($1, $2) RETURNING *
INSERT INTO t (id, c) VALUES ($1, $2) RETURNING id AS x, c * 2
INSERT INTO t DEFAULT VALUES
INSERT INTO t (id, a) SELECT id, t_id FROM u
INSERT INTO t (id, a) SELECT id, name FROM u
INSERT INTO t (id, a) SELECT 1, '5'
INSERT INTO t (id, b) SELECT 1, NULL
INSERT INTO t SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
INSERT INTO g (id, n) VALUES (1, 2)
INSERT INTO g (id, n) OVERRIDING SYSTEM VALUE VALUES (1, 2)
INSERT INTO g (n, s) VALUES (1, 2)
INSERT INTO g (n, s) VALUES (1, DEFAULT)
INSERT INTO g DEFAULT VALUES RETURNING id
UPDATE g SET s = 1
UPDATE g SET id = 1
UPDATE g SET id = DEFAULT
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT DO NOTHING
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = excluded.name
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = u.name || excluded.name WHERE u.x > 1
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT ON CONSTRAINT u_name_key DO NOTHING
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT ON CONSTRAINT nope DO NOTHING
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT (x) DO NOTHING
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT (nope) DO NOTHING
INSERT INTO u (id, name) VALUES (1, 'x') ON CONFLICT DO UPDATE SET name = 'y'
INSERT INTO missing VALUES (1)
UPDATE t SET a = 1, a = 2
UPDATE t SET nope = 1
UPDATE t SET t.a = 1
UPDATE t SET a = 'x'
UPDATE t SET a = b
UPDATE t SET a = DEFAULT, b = NULL WHERE id = 5
UPDATE t SET (a, b) = (1, 'x') WHERE id = 5
UPDATE t SET (a, b) = (SELECT x, name FROM u WHERE u.id = t.id)
UPDATE t SET a = u.x FROM u WHERE u.t_id = t.id RETURNING t.*, u.name
UPDATE t SET a = count(*)
UPDATE t x SET a = 1 WHERE x.id = 2 RETURNING x.a
UPDATE t x SET a = 1 WHERE t.id = 2
DELETE FROM t
DELETE FROM t USING u WHERE t.id = u.t_id RETURNING t.id, u.name
DELETE FROM t AS x WHERE x.id = 1 RETURNING *
DELETE FROM nope
SELECT now(), current_date, current_timestamp, localtimestamp, current_user
SELECT '2024-01-01'::date, date '2024-01-01', timestamp '2024-01-01 00:00:00', interval '1 day', '1'::int, 'a'::text, '5'::varchar(3), '1.234'::numeric(4,2)
SELECT 'x'::int
SELECT 'x'::nope
SELECT 5::text, 5::bool, true::int, '12'::text::int, 1.5::int
SELECT now()::int
SELECT cast(1 AS bigint), cast('x' AS char(3))
SELECT d::date, d + interval '1 day', ts - ts, dt + 1, dt - dt, d > '2024-01-01' FROM t
SELECT extract(year FROM d), extract(epoch FROM ts), date_part('month', d), date_trunc('day', d) FROM t
SELECT d AT TIME ZONE 'UTC', ts AT TIME ZONE 'UTC' FROM t
SELECT e[1], e[1:2], array_length(e, 1), ARRAY[1,2,3], ARRAY['a','b'], ARRAY[]::int[] FROM t
SELECT e[1], ARRAY[1, 2.5], ARRAY[[1,2],[3,4]] FROM t
SELECT ARRAY[1, 'x']
SELECT ARRAY[]
SELECT ARRAY(SELECT id FROM t)
SELECT j -> 'a', j ->> 'b', j #>> '{a,b}', j @> '{}' FROM t
SELECT a[1] FROM t
SELECT $1
SELECT $1 + 1, $2::text, $3 || 'x'
SELECT $1 = $1
SELECT * FROM t WHERE id = $1 AND b = $2 AND d > $3
SELECT * FROM t WHERE a = $1 + 1
SELECT $1 + $2
SELECT $2::int
SELECT count(*), count(a), count(DISTINCT a), sum(a), sum(x), avg(f), min(b), max(dt), bool_and(bo), string_agg(b, ','), array_agg(a) FROM t, (SELECT 1::bigint AS x) s
SELECT count(*) FILTER (WHERE a > 1), string_agg(b, ',' ORDER BY b DESC) FROM t
SELECT sum(b) FROM t
SELECT count() FROM t
SELECT string_agg(b) FROM t
SELECT lower(DISTINCT b) FROM t
SELECT lower(*) FROM t
SELECT "A" FROM t
SELECT A, B FROM T
SELECT t FROM t
SELECT *
SELECT u.* FROM t
SELECT FROM t
SELECT a b c FROM t
SELECT FROM WHERE
SELEC 1
SELECT 1 +
SELECT (1
SELECT 'abc
SELECT * FROM t WHERE
INSERT INTO t VALUES
SELECT a FROM t WHERE a = 1 AND
SELECT id, id FROM t ORDER BY id
SELECT a AS x, b AS x FROM t ORDER BY x
SELECT t.id FROM t GROUP BY id
SELECT * FROM t JOIN u ON a = nope
SELECT * FROM t JOIN u USING (nope)
SELECT * FROM t JOIN u ON t.id
SELECT * FROM t, t
SELECT * FROM t CROSS JOIN u
SELECT * FROM (t JOIN u ON t.id = u.id) JOIN sbtest1 s ON s.id = t.id
SELECT t.id FROM (t JOIN u ON t.id = u.id) AS j
SELECT j.name FROM (t JOIN u USING (id)) AS j
SELECT row(1, 2), (1, 'x')
SELECT 1 WHERE false
SELECT EXISTS (SELECT 1), (SELECT 1), NOT EXISTS (SELECT 1)
SELECT (SELECT 1 AS y), (SELECT a FROM t LIMIT 1)
SELECT nextval('nope')
SELECT 'nope'::regclass
SELECT 't'::regclass, 't'::regclass::oid
SELECT tableoid FROM t
SELECT tableoid::regclass, * FROM t
SELECT grouping(a), a FROM t GROUP BY a
SELECT a, b, count(*) FROM t GROUP BY GROUPING SETS ((a), (b), ())
SELECT a, b, count(*) FROM t GROUP BY ROLLUP (a, b)
SELECT a, b, count(*) FROM t GROUP BY CUBE (a, b)
SELECT b COLLATE "C" FROM t
SELECT b COLLATE "nope" FROM t
TABLE u
SELECT max(id) FROM t WHERE a = (SELECT min(x) FROM u)
SELECT (SELECT count(*) FROM u WHERE u.id = t.a) FROM t GROUP BY a
SELECT (SELECT count(*) FROM u WHERE u.id = t.a) FROM t GROUP BY b
SELECT a FROM t WHERE a > '5' AND f > 1 AND f > 1.5 AND f = a AND c > 5 AND c > f
SELECT a & 1, a | 2, a # 3, ~a, a << 1, a >> 1, @a, -a, +a FROM t
SELECT -b FROM t
SELECT ! a FROM t
SELECT dt || 'x', bo || 'x' FROM t
SELECT b < 5 FROM t
SELECT to_char(d, 'YYYY'), to_char(5, '999'), to_date('2024', 'YYYY') FROM t
SELECT pg_catalog.lower('A'), pg_typeof(1), version()
SELECT random(), pi(), power(2, 3), power(2.0, 3), sqrt(4), trunc(1.5), sign(-1)
SELECT concat('a', 1, NULL), concat_ws(',', 'a', 2), format('%s', 1), repeat('a', 3), replace('a', 'b', 'c'), lpad('a', 3), left('abc', 1), md5('x')
