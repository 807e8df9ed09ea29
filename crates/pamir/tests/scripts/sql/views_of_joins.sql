# Views of joins by USING and NATURAL keep the columns that they were made with, whatever their tables call them later.
> create table vj (a int, c text); create table wj (a int, b int)
CREATE TABLE
CREATE TABLE

> create view vwj as select * from vj join wj using (a)
CREATE VIEW

> insert into vj values (1, 'x'), (2, 'y'); insert into wj values (1, 10), (3, 30)
INSERT 0 2
INSERT 0 2

> alter table vj rename a to aa
ALTER TABLE

> select * from vwj
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

> select pg_get_viewdef('vwj'::regclass)
pg_get_viewdef:text
 SELECT vj.a,\n    vj.c,\n    wj.b\n   FROM (vj vj(a, c)\n     JOIN wj USING (a));
SELECT 1

> alter table vj rename to vvj
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass), pg_get_viewdef('vwj'::regclass, true)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.c,\n    wj.b\n   FROM (vvj vvj(a, c)\n     JOIN wj USING (a)); |  SELECT vvj.a,\n    vvj.c,\n    wj.b\n   FROM vvj vvj(a, c)\n     JOIN wj USING (a);
SELECT 1

> alter table vvj rename c to d
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass); select * from vwj
pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.d AS c,\n    wj.b\n   FROM (vvj vvj(a, d)\n     JOIN wj USING (a));
SELECT 1
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

> alter table vvj add column b int default 7
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass); select * from vwj
pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.d AS c,\n    wj.b\n   FROM (vvj vvj(a, d, b)\n     JOIN wj USING (a));
SELECT 1
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

> alter table vvj drop column b; alter table wj add column d int
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass); select * from vwj
pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.d AS c,\n    wj.b\n   FROM (vvj vvj(a, d)\n     JOIN wj USING (a));
SELECT 1
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

> select table_name, column_name from information_schema.columns where table_name in ('vvj', 'vwj') order by 1, 2
table_name:name | column_name:name
vvj | aa
vvj | d
vwj | a
vwj | b
vwj | c
SELECT 5

> alter table wj rename a to e; alter table vvj rename d to a
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass); select * from vwj
pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.a_1 AS c,\n    wj.b\n   FROM (vvj vvj(a, a_1)\n     JOIN wj wj(a, b, d) USING (a));
SELECT 1
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

> alter table vvj rename a to z; alter table vvj rename aa to a; alter table wj rename e to a
ALTER TABLE
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vwj'::regclass); select * from vwj
pg_get_viewdef:text
 SELECT vvj.a,\n    vvj.z AS c,\n    wj.b\n   FROM (vvj\n     JOIN wj USING (a));
SELECT 1
a:int4 | c:text | b:int4
1 | x | 10
SELECT 1

# Three tables, of which the first gets the column that joins the third.
> create table n1 (a int); create table n2 (a int, b int); create table n3 (b int, c int)
CREATE TABLE
CREATE TABLE
CREATE TABLE

> insert into n1 values (1); insert into n2 values (1, 2); insert into n3 values (2, 3), (9, 4)
INSERT 0 1
INSERT 0 1
INSERT 0 2

> create view vn as select * from n1 natural join n2 natural join n3; create view vnl as select * from n1 natural left join n2
CREATE VIEW
CREATE VIEW

> alter table n1 add column b int default 9; alter table n3 add column a int default 5
ALTER TABLE
ALTER TABLE

> select * from vn; select * from vnl
b:int4 | a:int4 | c:int4
2 | 1 | 3
SELECT 1
a:int4 | b:int4
1 | 2
SELECT 1

> select pg_get_viewdef('vn'::regclass), pg_get_viewdef('vnl'::regclass)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT n2.b,\n    n1.a,\n    n3.c\n   FROM ((n1 n1(a, b_1)\n     JOIN n2 USING (a))\n     JOIN n3 USING (b)); |  SELECT n1.a,\n    n2.b\n   FROM (n1\n     LEFT JOIN n2 USING (a));
SELECT 1

> alter table n2 drop column b
ERROR 2BP01: cannot drop column b of table n2 because other objects depend on it
DETAIL: view vn depends on column b of table n2\nview vnl depends on column b of table n2
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table n3 drop column c
ERROR 2BP01: cannot drop column c of table n3 because other objects depend on it
DETAIL: view vn depends on column c of table n3
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table n3 drop column a; alter table n1 drop column b
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vn'::regclass)
pg_get_viewdef:text
 SELECT n2.b,\n    n1.a,\n    n3.c\n   FROM ((n1\n     JOIN n2 USING (a))\n     JOIN n3 USING (b));
SELECT 1

# FULL JOIN: what is shared is neither side's.
> create view vf as select a, n1.a is null as l, n2.b from n1 full join n2 using (a) where a > 0
CREATE VIEW

> alter table n2 rename a to q; alter table n2 rename b to a
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vf'::regclass); select * from vf; select * from vn
pg_get_viewdef:text
 SELECT a,\n    (n1.a IS NULL) AS l,\n    n2.a_1 AS b\n   FROM (n1\n     FULL JOIN n2 n2(a, a_1) USING (a))\n  WHERE (a > 0);
SELECT 1
a:int4 | l:bool | b:int4
1 | f | 2
SELECT 1
b:int4 | a:int4 | c:int4
2 | 1 | 3
SELECT 1

> create view vt as select x, n.* from (select 1 as x) s cross join (n1 left join n3 on n3.b > n1.a) n
CREATE VIEW

> alter table n3 rename c to e; alter table n1 add column e text
ALTER TABLE
ALTER TABLE

> select pg_get_viewdef('vt'::regclass); select * from vt
pg_get_viewdef:text
 SELECT s.x,\n    n.a,\n    n.b,\n    n.e AS c\n   FROM (( SELECT 1 AS x) s\n     CROSS JOIN (n1\n     LEFT JOIN n3 ON ((n3.b > n1.a))) n(a, e_1, b, e));
SELECT 1
x:int4 | a:int4 | b:int4 | c:int4
1 | 1 | 2 | 3
1 | 1 | 9 | 4
SELECT 2

> create view va as select j.p, j.q, j.e from (n2 join n3 on n2.a = n3.b) j (p, q); create view vb as select * from vwj join (select 1 as a, 2 as f) s using (a)
CREATE VIEW
CREATE VIEW

> alter table n3 rename b to bb; alter table n2 add column e int; alter view vwj rename a to aaa
ALTER TABLE
ALTER TABLE
ALTER VIEW

> select pg_get_viewdef('va'::regclass), pg_get_viewdef('vb'::regclass); select * from va; select * from vb
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT j.p,\n    j.q,\n    j.e\n   FROM (n2\n     JOIN n3 ON ((n2.a = n3.bb))) j(p, q, e_1, bb, e); |  SELECT vwj.a,\n    vwj.c,\n    vwj.b,\n    s.f\n   FROM (vwj vwj(a, c, b)\n     JOIN ( SELECT 1 AS a,\n            2 AS f) s USING (a));
SELECT 1
p:int4 | q:int4 | e:int4
1 | 2 | 3
SELECT 1
a:int4 | c:text | b:int4 | f:int4
1 | x | 10 | 2
SELECT 1

# A list of aliases, and a column that goes.
> create table al (a int, b int, c int); create view vl as select x.p, x.r from al x (p, q, r) where x.p > 0
CREATE TABLE
CREATE VIEW

> alter table al drop column b; alter table al rename c to cc; insert into al values (1, 2)
ALTER TABLE
ALTER TABLE
INSERT 0 1

> select pg_get_viewdef('vl'::regclass); select * from vl
pg_get_viewdef:text
 SELECT x.p,\n    x.r\n   FROM al x(p, r)\n  WHERE (x.p > 0);
SELECT 1
p:int4 | r:int4
1 | 2
SELECT 1

# A view gets a column.
> create view vm as select 1 as a; create view vo as select vm.a, b from vm join n2 t (a, b) using (a)
CREATE VIEW
CREATE VIEW

> create or replace view vm as select 1 as a, 2 as b
CREATE VIEW

> select pg_get_viewdef('vo'::regclass); select * from vo
pg_get_viewdef:text
 SELECT vm.a,\n    t.b\n   FROM (vm\n     JOIN n2 t(a, b, e) USING (a));
SELECT 1
a:int4 | b:int4
1 | 2
SELECT 1
