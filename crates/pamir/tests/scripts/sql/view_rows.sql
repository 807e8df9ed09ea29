> create table vb (a int, b text)
CREATE TABLE

> create view vv as select a, b from vb
CREATE VIEW

> create table vc (k int, x vv, y vv[])
CREATE TABLE

> insert into vc values (1, row(1, 'q'), array[row(2,'w')::vv])
INSERT 0 1

> insert into vc select 2, v from (values (3, 'z')) q(a,b), vv v
INSERT 0 0

> insert into vb values (7, 'seven')
INSERT 0 1

> insert into vc select 3, v, array_agg(v) over () from vv v
INSERT 0 1

> select * from vc order by k
k:int4 | x:user | y:user
1 | (1,q) | {"(2,w)"}
3 | (7,seven) | {"(7,seven)"}
SELECT 2

> select (x).a, (x).b, y[1].b from vc order by k
a:int4 | b:text | b:text
1 | q | w
7 | seven | seven
SELECT 2

> select typname, typtype, typrelid::regclass from pg_type where typname = 'vv'
typname:name | typtype:char | typrelid:regclass
vv | c | vv
SELECT 1

> update vc set x.a = 10 where k = 1 returning *
k:int4 | x:user | y:user
1 | (10,q) | {"(2,w)"}
UPDATE 1

> drop view vv
ERROR 2BP01: cannot drop view vv because other objects depend on it
DETAIL: column y of table vc depends on type vv[]\ncolumn x of table vc depends on type vv
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> create or replace view vv as select a, b, a + 1 as c from vb
CREATE VIEW

> select x, (x).c from vc order by k
x:user | c:int4
(10,q,) | NULL
(7,seven,) | NULL
SELECT 2

> insert into vc values (4, row(1, 'q', 5))
INSERT 0 1

> select x, (x).c from vc order by k
x:user | c:int4
(10,q,) | NULL
(7,seven,) | NULL
(1,q,5) | 5
SELECT 3

> alter view vv rename column b to bb
ALTER VIEW

> select (x).bb from vc order by k
bb:text
q
seven
q
SELECT 3

> create function vf(v vv) returns vv language sql as 'select v'
CREATE FUNCTION

> select (vf(v)).* from vv v
a:int4 | bb:text | c:int4
7 | seven | 8
SELECT 1

> create function vg() returns int language plpgsql as $$ declare r vv; begin select * into r from vv; return r.c; end $$
CREATE FUNCTION

> select vg()
vg:int4
8
SELECT 1

> alter view vv rename to vv2
ALTER VIEW

> select pg_typeof(x) from vc limit 1
pg_typeof:regtype
vv2
SELECT 1

> drop view vv2 cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to column y of table vc\ndrop cascades to column x of table vc\ndrop cascades to function vf(vv2)
DROP VIEW

> select * from vc order by k
k:int4
1
3
4
SELECT 3

> drop function vg
DROP FUNCTION

> drop table vb, vc cascade
DROP TABLE

> create materialized view mv as select 1 as one
SELECT 1

> create table mt (x mv)
CREATE TABLE

> insert into mt values (row(5))
INSERT 0 1

> select (x).one from mt
one:int4
5
SELECT 1

> drop materialized view mv cascade
NOTICE 00000: drop cascades to column x of table mt
DROP MATERIALIZED VIEW

> drop table mt
DROP TABLE
