# Row locks and table locks of views; temporary views; what views do when what they name goes.
> create table t(id int primary key, a int)
CREATE TABLE

> insert into t values (1, 10), (2, 20), (3, 30)
INSERT 0 3

> create view v as select id, a from t where a > 10
CREATE VIEW

> select * from v where id = 2 for update
id:int4 | a:int4
2 | 20
SELECT 1

> select * from v for share of v
id:int4 | a:int4
2 | 20
3 | 30
SELECT 2

> select x.id from v as x for update of x
id:int4
2
3
SELECT 2

> select x.id from v as x for update of v
ERROR 42P01: relation "v" in FOR UPDATE clause not found in FROM clause

> select * from v join t using (id) for update of v
id:int4 | a:int4 | a:int4
2 | 20 | 20
3 | 30 | 30
SELECT 2

> create view g as select a, count(*) from t group by a
CREATE VIEW

> select * from g for update
ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause

> create view d as select distinct a from t
CREATE VIEW

> select * from d for share
ERROR 0A000: FOR SHARE is not allowed with DISTINCT clause

> create view u as select a from t union select id from t
CREATE VIEW

> select * from u order by a for update
a:int4
1
2
3
10
20
30
SELECT 6

> create view vv as select * from v
CREATE VIEW

> select * from vv for no key update skip locked
id:int4 | a:int4
2 | 20
3 | 30
SELECT 2

> select * from t left join v using (id) for update
ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

> select * from t left join v using (id) for update of v
ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

> begin
BEGIN

> lock table v
LOCK TABLE

> lock table vv in share mode
LOCK TABLE

> rollback
ROLLBACK

> begin
BEGIN

> lock table g in access share mode nowait
LOCK TABLE

> create materialized view m as select 1 as one
SELECT 1

> lock table m
ERROR 42809: cannot lock relation "m"
DETAIL: This operation is not supported for materialized views.

> rollback
ROLLBACK

# row locks in a view's own query, fields of records
> create view fu as select id, a from t where a > 5 for update
CREATE VIEW

> select pg_get_viewdef('fu')
pg_get_viewdef:text
 SELECT t.id,\n    t.a\n   FROM t\n  WHERE (t.a > 5)\n FOR UPDATE OF t;
SELECT 1

> select pg_get_viewdef('fu', true)
pg_get_viewdef:text
 SELECT t.id,\n    t.a\n   FROM t\n  WHERE t.a > 5\n FOR UPDATE OF t;
SELECT 1

> select * from fu where id = 1
id:int4 | a:int4
1 | 10
SELECT 1

> create view fs as select p.id from t p, t q where p.id = q.id for no key update of q nowait for share of p skip locked
CREATE VIEW

> select pg_get_viewdef('fs')
pg_get_viewdef:text
 SELECT p.id\n   FROM t p,\n    t q\n  WHERE (p.id = q.id)\n FOR NO KEY UPDATE OF q NOWAIT\n FOR SHARE OF p SKIP LOCKED;
SELECT 1

> select * from fs order by id
id:int4
1
2
3
SELECT 3

> create view fsub as select s.id from (select id from t for share) s
CREATE VIEW

> select pg_get_viewdef('fsub')
pg_get_viewdef:text
 SELECT s.id\n   FROM ( SELECT t.id\n           FROM t\n         FOR SHARE OF t) s;
SELECT 1

> select * from fsub order by id
id:int4
1
2
3
SELECT 3

> create type pair as (x int, "Y" text)
CREATE TYPE

> create table rec(k int, c pair, check ((c).x > 0))
CREATE TABLE

> insert into rec values (1, row(5, 'five'))
INSERT 0 1

> insert into rec values (1, row(-5, 'five'))
ERROR 23514: new row for relation "rec" violates check constraint "rec_c_check"
DETAIL: Failing row contains (1, (-5,five)).

> create view fields as select k, (c).x, (c)."Y" as why from rec where (c).x = 5
CREATE VIEW

> select * from fields
k:int4 | x:int4 | why:text
1 | 5 | five
SELECT 1

> select pg_get_viewdef('fields')
pg_get_viewdef:text
 SELECT rec.k,\n    (rec.c).x AS x,\n    (rec.c)."Y" AS why\n   FROM rec\n  WHERE ((rec.c).x = 5);
SELECT 1

> update fields set k = 7 returning *
k:int4 | x:int4 | why:text
7 | 5 | five
UPDATE 1

> update fields set x = 7
ERROR 0A000: cannot update column "x" of view "fields"
DETAIL: View columns that are not columns of their base relation are not updatable.

> drop view fu, fs, fsub, fields
DROP VIEW

# temporary views
> create temp table tt(a int, b text)
CREATE TABLE

> create view tv as select a, b from tt
NOTICE 00000: view "tv" will be a temporary view
CREATE VIEW

> select relnamespace = pg_my_temp_schema() as temporary, relpersistence from pg_class where relname = 'tv'
temporary:bool | relpersistence:char
t | t
SELECT 1

> insert into tv values (1, 'x') returning *
a:int4 | b:text
1 | x
INSERT 0 1

> select * from tv
a:int4 | b:text
1 | x
SELECT 1

> create temp view tv2 as select id from t
CREATE VIEW

> create temporary view tv3 as select * from tv
CREATE VIEW

> select * from tv2 order by id
id:int4
1
2
3
SELECT 3

> create view public.tv4 as select * from tt
NOTICE 00000: view "tv4" will be a temporary view
ERROR 42P16: cannot create temporary relation in non-temporary schema

> create or replace temp view tv2 as select id, a from t
CREATE VIEW

> select * from tv2 where id = 1
id:int4 | a:int4
1 | 10
SELECT 1

> create view tv2 as select 2 as two
CREATE VIEW

> select pg_get_viewdef('tv3')
pg_get_viewdef:text
 SELECT tv.a,\n    tv.b\n   FROM tv;
SELECT 1

> drop table tt
ERROR 2BP01: cannot drop table tt because other objects depend on it
DETAIL: view tv depends on table tt\nview tv3 depends on view tv
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table tt cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to view tv\ndrop cascades to view tv3
DROP TABLE

> select count(*) from pg_class where relname in ('tv', 'tv3')
count:int8
0
SELECT 1

> create temp recursive view nums(n) as values (1) union all select n + 1 from nums where n < 4
CREATE VIEW

> select sum(n) from nums
sum:int8
10
SELECT 1

> create recursive view nums2(n) as values (1) union all select n + 1 from nums2 where n < 4
CREATE VIEW

> select pg_get_viewdef('nums2')
pg_get_viewdef:text
 WITH RECURSIVE nums2(n) AS (\n         VALUES (1)\n        UNION ALL\n         SELECT (nums2_1.n + 1)\n           FROM nums2 nums2_1\n          WHERE (nums2_1.n < 4)\n        )\n SELECT nums2.n\n   FROM nums2;
SELECT 1

> drop table t
ERROR 2BP01: cannot drop table t because other objects depend on it
DETAIL: view v depends on table t\nview vv depends on view v\nview g depends on table t\nview d depends on table t\nview u depends on table t\nview tv2 depends on table t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> discard temp
DISCARD TEMP

> select * from nums
ERROR 42P01: relation "nums" does not exist

# defaults of views in the catalogs, and what they name
> create sequence dseq
CREATE SEQUENCE

> create function dfun() returns int language sql as 'select 7'
CREATE FUNCTION

> create table dbase(a int, b int)
CREATE TABLE

> create view dview as select * from dbase
CREATE VIEW

> alter view dview alter a set default nextval('dseq')
ALTER VIEW

> alter view dview alter b set default dfun()
ALTER VIEW

> insert into dview default values returning *
a:int4 | b:int4
1 | 7
INSERT 0 1

> select adrelid::regclass, adnum, adbin is not null as has from pg_attrdef where adrelid = 'dview'::regclass order by 2
adrelid:regclass | adnum:int2 | has:bool
dview | 1 | t
dview | 2 | t
SELECT 2

> select attname, atthasdef from pg_attribute where attrelid = 'dview'::regclass and attnum > 0
attname:name | atthasdef:bool
a | t
b | t
SELECT 2

> drop sequence dseq
ERROR 2BP01: cannot drop sequence dseq because other objects depend on it
DETAIL: default value for column a of view dview depends on sequence dseq
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function dfun()
ERROR 2BP01: cannot drop function dfun() because other objects depend on it
DETAIL: default value for column b of view dview depends on function dfun()
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop sequence dseq cascade
NOTICE 00000: drop cascades to default value for column a of view dview
DROP SEQUENCE

> drop function dfun() cascade
NOTICE 00000: drop cascades to default value for column b of view dview
DROP FUNCTION

> insert into dview default values returning *
a:int4 | b:int4
NULL | NULL
INSERT 0 1
