# The row of a function in FROM, as a value: of its composite type, whatever it has of columns.

> create type ct as (r float8, i float8)
CREATE TYPE

> create type c1 as (a int)
CREATE TYPE

> create function f2() returns ct language sql as 'select row(1,2)::ct'
CREATE FUNCTION

> create function f2s() returns setof ct language sql as 'select row(1,2)::ct'
CREATE FUNCTION

> create function f1() returns c1 language sql as 'select row(1)::c1'
CREATE FUNCTION

> create function f1s() returns setof c1 language sql as 'select row(1)::c1'
CREATE FUNCTION

> select x, pg_typeof(x) from f2() x
x:user | pg_typeof:regtype
(1,2) | ct
SELECT 1

> select x, pg_typeof(x) from f2s() x
x:user | pg_typeof:regtype
(1,2) | ct
SELECT 1

> select x, pg_typeof(x) from f1() x
x:user | pg_typeof:regtype
(1) | c1
SELECT 1

> select x, pg_typeof(x) from f1s() x
x:user | pg_typeof:regtype
(1) | c1
SELECT 1

> select row_to_json(x) from f1s() x
row_to_json:json
{"a":1}
SELECT 1

> select row_to_json(x) from f1() x
row_to_json:json
{"a":1}
SELECT 1

> select x.*, x from f1() with ordinality x
a:int4 | ordinality:int8 | x:record
1 | 1 | (1,1)
SELECT 1

> create function o1(out a int) language sql as 'select 1'
CREATE FUNCTION

> create function o2(out a int, out b int) language sql as 'select 1, 2'
CREATE FUNCTION

> create function o1s(out a int) returns setof int language sql as 'select 1'
CREATE FUNCTION

> select x, pg_typeof(x) from o1() x
x:int4 | pg_typeof:regtype
1 | integer
SELECT 1

> select x, pg_typeof(x) from o2() x
x:record | pg_typeof:regtype
(1,2) | record
SELECT 1

> select x, pg_typeof(x) from o1s() x
x:int4 | pg_typeof:regtype
1 | integer
SELECT 1

> create function t1() returns table (a int) language sql as 'select 1'
CREATE FUNCTION

> select x, pg_typeof(x) from t1() x
x:int4 | pg_typeof:regtype
1 | integer
SELECT 1

> drop type ct cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to function f2()\ndrop cascades to function f2s()
DROP TYPE

> drop type c1 cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to function f1()\ndrop cascades to function f1s()
DROP TYPE

> drop function o1, o2, o1s, t1
DROP FUNCTION

> create type ct as (r float8, i float8)
CREATE TYPE

> create type c1 as (a int)
CREATE TYPE

> create domain d1 as c1
CREATE DOMAIN

> create function f2s() returns setof ct language sql as 'select row(1,2)::ct'
CREATE FUNCTION

> create function f1s() returns setof c1 language sql as 'select row(1)::c1'
CREATE FUNCTION

> create function f1d() returns setof d1 language sql as 'select row(1)::d1'
CREATE FUNCTION

> create view w as select x, x as y, count(x) from f2s() x group by x
CREATE VIEW

> select * from w
x:user | y:user | count:int8
(1,2) | (1,2) | 1
SELECT 1

> select pg_get_viewdef('w')
pg_get_viewdef:text
 SELECT x.*::ct AS x,\n    x.*::ct AS y,\n    count(x.*) AS count\n   FROM f2s() x(r, i)\n  GROUP BY x.*;
SELECT 1

> create view w1 as select x, (x).a from f1s() x
CREATE VIEW

> select * from w1
x:user | a:int4
(1) | 1
SELECT 1

> select pg_get_viewdef('w1')
pg_get_viewdef:text
 SELECT x.*::c1 AS x,\n    x.a\n   FROM f1s() x(a);
SELECT 1

> create view w2 as select x from f1d() x
CREATE VIEW

> select * from w2
x:user
(1)
SELECT 1

> create view w3 as select x from f1s() with ordinality x
ERROR 42P16: column "x" has pseudo-type record

> select * from w3
ERROR 42P01: relation "w3" does not exist

> select pg_get_viewdef('w3')
pg_get_viewdef:text
ERROR 42P01: relation "w3" does not exist

> select x from f2s() as x(p, q)
x:user
(1,2)
SELECT 1

> select row_to_json(x) from f2s() as x(p,q)
row_to_json:json
{"r":1,"i":2}
SELECT 1

> select t.n, x from generate_series(1,2) t(n) left join f1s() x on x.a = t.n order by 1
n:int4 | x:user
1 | (1)
2 | NULL
SELECT 2

> select x is null, x.a is null from generate_series(2,2) t(n) left join f1s() x on x.a = t.n
?column?:bool | ?column?:bool
t | t
SELECT 1

> select array_agg(x) from f1s() x
array_agg:user
{(1)}
SELECT 1

> select (array_agg(x))[1].a from f1s() x
a:int4
1
SELECT 1

> select x from json_populate_record(null::ct, '{"r":1}') x
x:user
(1,)
SELECT 1

> select x from json_populate_recordset(null::c1, '[{"a":1}]') x
x:user
(1)
SELECT 1

> select x from jsonb_to_record('{"a":1}') as x(a int)
x:record
(1)
SELECT 1

> select x from unnest(array[row(1)::c1]) x
x:user
(1)
SELECT 1

> select x, pg_typeof(x) from unnest(array[row(1,2)::ct]) x
x:user | pg_typeof:regtype
(1,2) | ct
SELECT 1

> select f from pg_options_to_table(array['a=b']) f
f:record
(a,b)
SELECT 1

> create table tt(a int)
CREATE TABLE

> insert into tt values (1)
INSERT 0 1

> create function tf() returns setof tt language sql as 'select * from tt'
CREATE FUNCTION

> select x, pg_typeof(x) from tf() x
x:user | pg_typeof:regtype
(1) | tt
SELECT 1

> create function tf1() returns tt language sql as 'select * from tt'
CREATE FUNCTION

> select x, pg_typeof(x) from tf1() x
x:user | pg_typeof:regtype
(1) | tt
SELECT 1

> update tt set a = x.a + 1 from f1s() x where x = row(tt.a)::c1
UPDATE 1

> select * from tt
a:int4
2
SELECT 1

> create function takes(c1) returns int language sql as 'select ($1).a'
CREATE FUNCTION

> select takes(x) from f1s() x
takes:int4
1
SELECT 1

> select x.takes from f1s() x
takes:int4
1
SELECT 1

> drop table tt cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to function tf()\ndrop cascades to function tf1()
DROP TABLE

> drop type ct cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to function f2s()\ndrop cascades to view w
DROP TYPE

> drop view w1, w2
DROP VIEW

> drop type c1 cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to type d1\ndrop cascades to function f1d()\ndrop cascades to function f1s()\ndrop cascades to function takes(c1)
DROP TYPE

> do $$ declare rc constant refcursor; begin open rc for select 1; end $$
ERROR 22005: variable "rc" is declared CONSTANT

> do $$ declare rc constant refcursor := 'my'; x int; begin open rc for select 1; fetch rc into x; raise notice '%', x; close rc; end $$
NOTICE 00000: 1
DO
