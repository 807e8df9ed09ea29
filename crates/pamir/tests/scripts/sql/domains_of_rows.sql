# Functions over domains of composite types: their rows, fields and conditions.

> create type ct as (r float8, i float8)
CREATE TYPE

> create domain dct as ct check ((value).r <= (value).i)
CREATE DOMAIN

> create function mk(r float8, i float8) returns dct language sql as $$ select row(r,i)::dct $$
CREATE FUNCTION

> select mk(1,2)
mk:user
(1,2)
SELECT 1

> select * from mk(1,2) m
r:float8 | i:float8
1 | 2
SELECT 1

> select m.r from mk(1,2) m
r:float8
1
SELECT 1

> select m from mk(1,2) m
m:user
(1,2)
SELECT 1

> select (mk(1,2)).r
r:float8
1
SELECT 1

> select * from mk(1,2) as m(x,y)
x:float8 | y:float8
1 | 2
SELECT 1

> select * from mk(1,2) with ordinality
r:float8 | i:float8 | ordinality:int8
1 | 2 | 1
SELECT 1

> create function mks(n int) returns setof dct language plpgsql as $$ begin for i in 1..n loop return next row(i,i+1)::dct; end loop; end $$
CREATE FUNCTION

> select * from mks(2)
r:float8 | i:float8
1 | 2
2 | 3
SELECT 2

> select mks(2)
mks:user
(1,2)
(2,3)
SELECT 2

> select * from rows from (mks(2), mk(1,2))
r:float8 | i:float8 | r:float8 | i:float8
1 | 2 | 1 | 2
2 | 3 | NULL | NULL
SELECT 2

> select * from mks(1), lateral mk(r, i)
r:float8 | i:float8 | r:float8 | i:float8
1 | 2 | 1 | 2
SELECT 1

> create table td (d dct)
CREATE TABLE

> insert into td values (row(1,2))
INSERT 0 1

> select * from td, lateral (select (d).r) s
d:user | r:float8
(1,2) | 1
SELECT 1

> select (d).* from td
r:float8 | i:float8
1 | 2
SELECT 1

> drop table td
DROP TABLE

> drop function mk, mks
DROP FUNCTION

> drop domain dct
DROP DOMAIN

> drop type ct
DROP TYPE

> create type ct as (r float8, i float8)
CREATE TYPE

> create domain dct as ct check ((value).r <= (value).i)
CREATE DOMAIN

> create type c1 as (a int)
CREATE TYPE

> create domain d1 as c1 check ((value).a > 0)
CREATE DOMAIN

> create domain d2 as d1
CREATE DOMAIN

> create function g1() returns setof dct language sql as 'select 1::float8, 2::float8 union all select 2, 3'
ERROR 42P13: return type mismatch in function declared to return dct
DETAIL: Final statement must return exactly one column.

> create function g2() returns setof dct language sql as 'select 2::float8, 1::float8'
ERROR 42P13: return type mismatch in function declared to return dct
DETAIL: Final statement must return exactly one column.

> create function g3() returns dct language sql as 'select 1::float8, 2::float8'
ERROR 42P13: return type mismatch in function declared to return dct
DETAIL: Final statement must return exactly one column.

> create function g4() returns dct language sql as 'select null::ct'
CREATE FUNCTION

> create function g5() returns dct language sql as 'select null::float8, null::float8'
ERROR 42P13: return type mismatch in function declared to return dct
DETAIL: Final statement must return exactly one column.

> create function g6() returns setof dct language sql as 'select row(1,2)::ct'
CREATE FUNCTION

> create function g7() returns dct language plpgsql as $$ declare x dct; begin x := row(1,2); return x; end $$
CREATE FUNCTION

> create function g8() returns dct language plpgsql as $$ declare x ct; begin x.r := 5; x.i := 4; return x; end $$
CREATE FUNCTION

> create function g9() returns setof dct language plpgsql as $$ begin return query select 1::float8, 3::float8; return next row(5,6)::ct; end $$
CREATE FUNCTION

> create function g10() returns setof dct language plpgsql as $$ begin return query select 4::float8, 3::float8; end $$
CREATE FUNCTION

> create function h1() returns d1 language sql as 'select row(1)::d1'
CREATE FUNCTION

> create function h2() returns setof d1 language sql as 'select row(1)::d1 union all select row(2)::d1'
CREATE FUNCTION

> create function h3() returns setof d2 language plpgsql as $$ begin return next row(3)::d2; return query select 4; end $$
CREATE FUNCTION

> create function h4() returns d2 language plpgsql as $$ begin return row(0)::c1; end $$
CREATE FUNCTION

> create function h5() returns d1 language sql as 'select 5'
ERROR 42P13: return type mismatch in function declared to return d1
DETAIL: Actual return type is integer.

> select * from g1()
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select g1()
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select (g1()).*
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select (g1()).i
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select x from g1() x
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select x.i from g1() x
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from g2()
ERROR 42883: function g2() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select g2()
ERROR 42883: function g2() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from g3()
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select g3()
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select (g3()).r
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from g4()
r:float8 | i:float8
NULL | NULL
SELECT 1

> select g4()
g4:user
NULL
SELECT 1

> select * from g5()
ERROR 42883: function g5() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select g5()
ERROR 42883: function g5() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from g6()
r:float8 | i:float8
1 | 2
SELECT 1

> select g6()
g6:user
(1,2)
SELECT 1

> select * from g7()
r:float8 | i:float8
1 | 2
SELECT 1

> select g7()
g7:user
(1,2)
SELECT 1

> select x, x.r, pg_typeof(x) from g7() x
x:user | r:float8 | pg_typeof:regtype
(1,2) | 1 | dct
SELECT 1

> select * from g8()
r:float8 | i:float8
ERROR 23514: value for domain dct violates check constraint "dct_check"

> select g8()
g8:user
ERROR 23514: value for domain dct violates check constraint "dct_check"

> select * from g9()
r:float8 | i:float8
1 | 3
5 | 6
SELECT 2

> select g9()
g9:user
(1,3)
(5,6)
SELECT 2

> select * from g10()
r:float8 | i:float8
4 | 3
SELECT 1

> select g10()
g10:user
(4,3)
SELECT 1

> select * from h1()
a:int4
1
SELECT 1

> select h1()
h1:user
(1)
SELECT 1

> select (h1()).a
a:int4
1
SELECT 1

> select pg_typeof(h1())
pg_typeof:regtype
d1
SELECT 1

> select * from h2()
a:int4
1
2
SELECT 2

> select h2()
h2:user
(1)
(2)
SELECT 2

> select x from h2() x
x:user
(1)
(2)
SELECT 2

> select a+1 from h2()
?column?:int4
2
3
SELECT 2

> select * from h3()
a:int4
3
4
SELECT 2

> select h3()
h3:user
(3)
(4)
SELECT 2

> select * from h4()
a:int4
ERROR 23514: value for domain d2 violates check constraint "d1_check"

> select h4()
h4:user
ERROR 23514: value for domain d2 violates check constraint "d1_check"

> select * from h5()
ERROR 42883: function h5() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select h5()
ERROR 42883: function h5() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from h2() with ordinality
a:int4 | ordinality:int8
1 | 1
2 | 2
SELECT 2

> select * from h2() as t(z)
z:int4
1
2
SELECT 2

> select * from h2() as t(z int)
ERROR 42601: a column definition list is redundant for a function returning a named composite type

> select row_to_json(x) from h2() x
row_to_json:json
{"a":1}
{"a":2}
SELECT 2

> select to_json(h1())
to_json:json
{"a":1}
SELECT 1

> create view vv as select * from g1()
ERROR 42883: function g1() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from vv
ERROR 42P01: relation "vv" does not exist

> select pg_get_viewdef('vv')
pg_get_viewdef:text
ERROR 42P01: relation "vv" does not exist

> create view v2 as select x, x.r from g3() x
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from v2
ERROR 42P01: relation "v2" does not exist

> select pg_get_viewdef('v2')
pg_get_viewdef:text
ERROR 42P01: relation "v2" does not exist

> select d.* from (select g3() as d) s
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select (s.d).* from (select g3() as d) s
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create table tt as select g3() as d, * from h2()
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from tt
ERROR 42P01: relation "tt" does not exist

> create function k(x dct) returns float8 language sql as 'select (x).r + x.i'
CREATE FUNCTION

> select k(g3()), k(d) from tt
ERROR 42P01: relation "tt" does not exist

> create function k2(x dct) returns float8 language plpgsql as $$ begin x.r := x.r + 1; return x.r; end $$
CREATE FUNCTION

> select k2(g3()), k2(row(2,2)::dct)
ERROR 42883: function g3() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create function k3(inout x dct) language plpgsql as $$ begin x.i := x.i + 1; end $$
CREATE FUNCTION

> select * from k3(row(1,1))
r:float8 | i:float8
1 | 2
SELECT 1

> select k3(row(1,1))
k3:user
(1,2)
SELECT 1

> create function k4(out x dct, out y int) language plpgsql as $$ begin x.r := 1; x.i := 1; y := 2; end $$
CREATE FUNCTION

> select * from k4()
x:user | y:int4
(1,1) | 2
SELECT 1

> select k4()
k4:record
("(1,1)",2)
SELECT 1

> select (x).r from k4()
r:float8
1
SELECT 1

> select * from unnest(array[row(1,2)::dct, row(3,4)])
ERROR 42804: ARRAY types ct and record cannot be matched

> select * from unnest(array[row(1,2)::ct, row(3,4)]::dct[])
r:float8 | i:float8
1 | 2
3 | 4
SELECT 2

> drop view vv, v2
ERROR 42P01: view "vv" does not exist

> drop table tt
ERROR 42P01: table "tt" does not exist

> drop type ct cascade
NOTICE 00000: drop cascades to 11 other objects
DETAIL: drop cascades to type dct\ndrop cascades to function g4()\ndrop cascades to function g6()\ndrop cascades to function g7()\ndrop cascades to function g8()\ndrop cascades to function g9()\ndrop cascades to function g10()\ndrop cascades to function k(dct)\ndrop cascades to function k2(dct)\ndrop cascades to function k3(dct)\ndrop cascades to function k4()
DROP TYPE

> drop type c1 cascade
NOTICE 00000: drop cascades to 6 other objects
DETAIL: drop cascades to type d1\ndrop cascades to type d2\ndrop cascades to function h3()\ndrop cascades to function h4()\ndrop cascades to function h1()\ndrop cascades to function h2()
DROP TYPE

> create type ct as (r float8, i float8)
CREATE TYPE

> create domain dct as ct check ((value).r <= (value).i)
CREATE DOMAIN

> create type ht as (d dct, x int)
CREATE TYPE

> create function k3(inout x dct) language plpgsql as $$ begin x.i := x.i + 1; end $$
CREATE FUNCTION

> create function k5(inout x ct) language plpgsql as $$ begin x.i := x.i + 1; end $$
CREATE FUNCTION

> create function k6(out x dct) returns setof dct language plpgsql as $$ begin x := row(1,2); return next; return next; end $$
CREATE FUNCTION

> create domain di as int check (value > 0)
CREATE DOMAIN

> create function k7(out x di) language sql as 'select 1'
CREATE FUNCTION

> create function k8(out x di) returns setof di language sql as 'select 1 union all select 2'
CREATE FUNCTION

> select * from k3(row(1,1))
r:float8 | i:float8
1 | 2
SELECT 1

> select k3(row(1,1))
k3:user
(1,2)
SELECT 1

> select x from k3(row(1,1)) x
x:user
(1,2)
SELECT 1

> select * from k5(row(1,1))
r:float8 | i:float8
1 | 2
SELECT 1

> select * from k6()
r:float8 | i:float8
1 | 2
1 | 2
SELECT 2

> select k6()
k6:user
(1,2)
(1,2)
SELECT 2

> select x from k6() x
x:user
(1,2)
(1,2)
SELECT 2

> select k.x from k6() k
ERROR 42703: column k.x does not exist

> select k.x from k8() k
x:int4
1
2
SELECT 2

> select (k3(row(1,2))).*
r:float8 | i:float8
1 | 3
SELECT 1

> select * from k3(row(1,1)) with ordinality
r:float8 | i:float8 | ordinality:int8
1 | 2 | 1
SELECT 1

> drop type ct cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to type dct\ndrop cascades to column d of composite type ht\ndrop cascades to function k3(dct)\ndrop cascades to function k6()\ndrop cascades to function k5(ct)
DROP TYPE

> drop domain di cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to function k7()\ndrop cascades to function k8()
DROP DOMAIN
