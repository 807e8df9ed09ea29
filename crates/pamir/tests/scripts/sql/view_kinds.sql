# Kinds of queries in views.

> create table tt2(a int, b int, c int)
CREATE TABLE

> create table tt3(ax int8, b int, c numeric)
CREATE TABLE

> create table tt4(ay int, b int, q int)
CREATE TABLE

> create table tt5(a int, b int)
CREATE TABLE

> create table tt6(c int, d int)
CREATE TABLE

> create table i8(q1 int8, q2 int8)
CREATE TABLE

> create type nested as (a i8)
CREATE TYPE

> create view w3 as select row(i)::nested from i8 i
CREATE VIEW

> create view w4 as select * from i8 i, lateral(values(i)) ss
CREATE VIEW

> create view w5 as select 'foo'::text = any(array['abc','def','foo']::text[]) c1, 'foo'::text = any((select array['abc','def','foo']::text[])::text[]) c2
CREATE VIEW

> create view w6 as select * from current_date as d, localtimestamp(3) as t, cast(1+2 as int4) as i4
CREATE VIEW

> create view w8 as select * from tt5 natural join tt6
CREATE VIEW

> create view w9 as select ctid, a from tt5
CREATE VIEW

> create view w10 as select tableoid, tableoid::regclass r, a from tt5
CREATE VIEW

> create view w11 as select (i).* from (select i from i8 i) s
CREATE VIEW

> create view w12 as select i from i8 i
CREATE VIEW

> create view w13 as select i, i.q1 from i8 i where i is not null
CREATE VIEW

> create view w14 as select row_to_json(i) from i8 i
CREATE VIEW

> create view w15 as select a in (select ax from tt3) x, (a,b) in (select b,c from tt4) y from tt2
CREATE VIEW

> create view w17 as select array(select a from tt2 order by 1) z, exists (select from tt3) y
CREATE VIEW

> create view w18 as select a > all (select q from tt4) g from tt2
CREATE VIEW

> create view w19 as select (select t from tt4 t limit 1).q
CREATE VIEW

> create view w20 as select count(*) filter (where a > 1), string_agg(b::text, ',' order by a desc), rank(5) within group (order by a) from tt2
CREATE VIEW

> create view w21 as select * from tt2 tablesample bernoulli(50)
CREATE VIEW

> create view w24 as select * from rows from (generate_series(1,2), generate_series(1,3)) with ordinality
ERROR 42701: column "generate_series" specified more than once

> create view w25 as select a, lag(a) over (partition by b order by c rows between 1 preceding and current row exclude ties) from tt2 window w as (order by a)
CREATE VIEW

> create view w26 as select * from tt2 for update
CREATE VIEW

> create view w27 as select * from json_to_recordset('[]') as x(a int, b text)
CREATE VIEW

> create view w28 as select (json_each('{"a":1}')).*
CREATE VIEW

> create view w30 as select distinct on (a) a, b from tt2 order by a, b desc limit 5 offset 2
CREATE VIEW

> create view w31 as select * from (values (1,'a'),(2,'b')) v(x,y) union all select a, 'z' from tt2 order by 1
CREATE VIEW

> create view w32 as select grouping(a,b), a, b from tt2 group by rollup(a), cube(b)
CREATE VIEW

> create view w33 as select a::text collate "C" from tt2 order by 1 collate "C"
ERROR 42804: collations are not supported by type integer

> create view w34 as table tt2
CREATE VIEW

> create view w35 as values (1,2),(3,4)
CREATE VIEW

> create view w36 as select tt2.*, tt2 as whole from tt2
CREATE VIEW

> create view w37 as select t.q from tt2, lateral (select tt2.a + 1 as q) t
CREATE VIEW

> create view w38 as select case a when 1 then 'x' else 'y' end, nullif(a,b), greatest(a,b), coalesce(a,b) from tt2
CREATE VIEW

> select viewname, definition from pg_views where schemaname = 'public' and viewname <> 'w33' order by viewname
viewname:name | definition:text
w10 |  SELECT tt5.tableoid,\n    (tt5.tableoid)::regclass AS r,\n    tt5.a\n   FROM tt5;
w11 |  SELECT (s.i).q1 AS q1,\n    (s.i).q2 AS q2\n   FROM ( SELECT i.*::i8 AS i\n           FROM i8 i) s;
w12 |  SELECT i.*::i8 AS i\n   FROM i8 i;
w13 |  SELECT i.*::i8 AS i,\n    i.q1\n   FROM i8 i\n  WHERE (i.* IS NOT NULL);
w14 |  SELECT row_to_json(i.*) AS row_to_json\n   FROM i8 i;
w15 |  SELECT (tt2.a IN ( SELECT tt3.ax\n           FROM tt3)) AS x,\n    ((tt2.a, tt2.b) IN ( SELECT tt4.b,\n            tt2.c\n           FROM tt4)) AS y\n   FROM tt2;
w17 |  SELECT ARRAY( SELECT tt2.a\n           FROM tt2\n          ORDER BY tt2.a) AS z,\n    (EXISTS ( SELECT\n           FROM tt3)) AS y;
w18 |  SELECT (tt2.a > ALL ( SELECT tt4.q\n           FROM tt4)) AS g\n   FROM tt2;
w19 |  SELECT (( SELECT t.*::tt4 AS t\n           FROM tt4 t\n         LIMIT 1)).q AS q;
w20 |  SELECT count(*) FILTER (WHERE (tt2.a > 1)) AS count,\n    string_agg((tt2.b)::text, ','::text ORDER BY tt2.a DESC) AS string_agg,\n    rank(5) WITHIN GROUP (ORDER BY tt2.a) AS rank\n   FROM tt2;
w21 |  SELECT tt2.a,\n    tt2.b,\n    tt2.c\n   FROM tt2 TABLESAMPLE bernoulli (50);
w25 |  SELECT tt2.a,\n    lag(tt2.a) OVER (PARTITION BY tt2.b ORDER BY tt2.c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS lag\n   FROM tt2\n  WINDOW w AS (ORDER BY tt2.a);
w26 |  SELECT tt2.a,\n    tt2.b,\n    tt2.c\n   FROM tt2\n FOR UPDATE OF tt2;
w27 |  SELECT x.a,\n    x.b\n   FROM json_to_recordset('[]'::json) x(a integer, b text);
w28 |  SELECT (json_each('{"a":1}'::json)).key AS key,\n    (json_each('{"a":1}'::json)).value AS value;
w3 |  SELECT ROW(i.*::i8)::nested AS "row"\n   FROM i8 i;
w30 |  SELECT DISTINCT ON (tt2.a) tt2.a,\n    tt2.b\n   FROM tt2\n  ORDER BY tt2.a, tt2.b DESC\n OFFSET 2\n LIMIT 5;
w31 |  SELECT v.x,\n    v.y\n   FROM ( VALUES (1,'a'::text), (2,'b'::text)) v(x, y)\nUNION ALL\n SELECT tt2.a AS x,\n    'z'::text AS y\n   FROM tt2\n  ORDER BY 1;
w32 |  SELECT GROUPING(tt2.a, tt2.b) AS "grouping",\n    tt2.a,\n    tt2.b\n   FROM tt2\n  GROUP BY ROLLUP(tt2.a), CUBE(tt2.b);
w34 |  SELECT tt2.a,\n    tt2.b,\n    tt2.c\n   FROM tt2;
w35 |  VALUES (1,2), (3,4);
w36 |  SELECT tt2.a,\n    tt2.b,\n    tt2.c,\n    tt2.*::tt2 AS whole\n   FROM tt2;
w37 |  SELECT t.q\n   FROM tt2,\n    LATERAL ( SELECT (tt2.a + 1) AS q) t;
w38 |  SELECT\n        CASE tt2.a\n            WHEN 1 THEN 'x'::text\n            ELSE 'y'::text\n        END AS "case",\n    NULLIF(tt2.a, tt2.b) AS "nullif",\n    GREATEST(tt2.a, tt2.b) AS "greatest",\n    COALESCE(tt2.a, tt2.b) AS "coalesce"\n   FROM tt2;
w4 |  SELECT i.q1,\n    i.q2,\n    ss.column1\n   FROM i8 i,\n    LATERAL ( VALUES (i.*::i8)) ss;
w5 |  SELECT ('foo'::text = ANY (ARRAY['abc'::text, 'def'::text, 'foo'::text])) AS c1,\n    ('foo'::text = ANY (( SELECT ARRAY['abc'::text, 'def'::text, 'foo'::text] AS "array")::text[])) AS c2;
w6 |  SELECT d.d,\n    t.t,\n    i4.i4\n   FROM CURRENT_DATE d(d),\n    LOCALTIMESTAMP(3) t(t),\n    CAST((1 + 2) AS integer) i4(i4);
w8 |  SELECT tt5.a,\n    tt5.b,\n    tt6.c,\n    tt6.d\n   FROM (tt5\n     CROSS JOIN tt6);
w9 |  SELECT tt5.ctid,\n    tt5.a\n   FROM tt5;
SELECT 29
