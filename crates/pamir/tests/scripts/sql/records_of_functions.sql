# Functions that return record: in a select list, in FROM with a definition of their columns, of SQL and PL/pgSQL; what does not fit.
> create function array_to_set(anyarray) returns setof record as $$ select i AS "index", $1[i] AS "value" from generate_subscripts($1, 1) i $$ language sql strict immutable
CREATE FUNCTION

> select array_to_set(array['one', 'two'])
array_to_set:record
(1,one)
(2,two)
SELECT 2

> select * from array_to_set(array['one', 'two']) as t(f1 int,f2 text)
f1:int4 | f2:text
1 | one
2 | two
SELECT 2

> select * from array_to_set(array['one', 'two']) as t(f1 numeric(4,2),f2 text)
f1:numeric | f2:text
1.00 | one
2.00 | two
SELECT 2

> select * from array_to_set(array['one', 'two']) as t(f1 point,f2 text)
f1:point | f2:text
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns integer instead of point at column 1.

> select * from array_to_set(array['one', 'two']) as t(f1 int)
f1:int4
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns too many columns.

> select * from array_to_set(array['one', 'two']) as t(f1 int, b text, c int)
f1:int4 | b:text | c:int4
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns too few columns.

> create table rngfunc(f1 int8, f2 int8)
CREATE TABLE

> create function testrngfunc() returns setof record as $$ insert into rngfunc values (1,2), (3,4) returning *; $$ language sql
CREATE FUNCTION

> select testrngfunc()
testrngfunc:record
(1,2)
(3,4)
SELECT 2

> select * from testrngfunc() as t(f1 int8,f2 int8)
f1:int8 | f2:int8
1 | 2
3 | 4
SELECT 2

> create function one() returns record as $$ select 1, 'x'::text $$ language sql
CREATE FUNCTION

> select one()
one:record
(1,x)
SELECT 1

> select * from one() as t(a int, b text)
a:int4 | b:text
1 | x
SELECT 1

> select * from one() as t(a numeric(5,1), b varchar(4))
a:numeric | b:varchar
1.0 | x
SELECT 1

> select * from one() as t(a date, b text)
a:date | b:text
ERROR 42P13: return type mismatch in function declared to return record
DETAIL: Final statement returns integer instead of date at column 1.

> create function pr() returns setof record language plpgsql as $$ begin return next row(1, 'a'::text); return query select 2, 'b'::text; end $$
CREATE FUNCTION

> select * from pr() as t(a int, b text)
a:int4 | b:text
1 | a
2 | b
SELECT 2

> select * from pr() as t(a bigint, b text)
a:int8 | b:text
ERROR 42804: returned record type does not match expected record type
DETAIL: Returned type integer does not match expected type bigint in column 1.

> select * from pr() as t(a int)
a:int4
ERROR 42804: returned record type does not match expected record type
DETAIL: Number of returned columns (2) does not match expected column count (1).

> select pr()
pr:record
ERROR 0A000: materialize mode required, but it is not allowed in this context

> create function p1() returns record language plpgsql as $$ begin return (1, 'a'::text); end $$
CREATE FUNCTION

> select p1()
p1:record
(1,a)
SELECT 1

> select * from p1() as t(a int, b text)
a:int4 | b:text
1 | a
SELECT 1

> select * from p1() as t(a int, b varchar)
a:int4 | b:varchar
ERROR 42804: returned record type does not match expected record type
DETAIL: Returned type text does not match expected type character varying in column 2.

> select * from p1() as t(a int)
a:int4
ERROR 42804: returned record type does not match expected record type
DETAIL: Number of returned columns (2) does not match expected column count (1).

> create type compostype as (x int, y varchar)
CREATE TYPE

> create function compos() returns compostype language plpgsql as $$ begin return (1, 'hello'::text); end $$
CREATE FUNCTION

> select compos()
compos:user
ERROR 42804: returned record type does not match expected record type
DETAIL: Returned type text does not match expected type character varying in column 2.

> create or replace function compos() returns compostype language plpgsql as $$ begin return (1, 'hello'::varchar); end $$
CREATE FUNCTION

> select compos()
compos:user
(1,hello)
SELECT 1

> create or replace function compos() returns setof compostype language plpgsql as $$ declare r record; begin for r in select g, 'x'::text from generate_series(1,2) g loop return next r; end loop; end $$
ERROR 42P13: cannot change return type of existing function
HINT: Use DROP FUNCTION compos() first.

> drop function compos()
DROP FUNCTION

> create or replace function compos() returns setof compostype language plpgsql as $$ declare r record; begin for r in select g, 'x'::text from generate_series(1,2) g loop return next r; end loop; end $$
CREATE FUNCTION

> select * from compos()
x:int4 | y:varchar
ERROR 42804: wrong record type supplied in RETURN NEXT
DETAIL: Returned type text does not match expected type character varying in column 2.

> create table cc(a int, b text, c numeric(6,2))
CREATE TABLE

> insert into cc values (1,'x',2.5)
INSERT 0 1

> create function cf() returns setof cc language plpgsql as $$ declare r cc; begin for r in select * from cc loop return next r; end loop; end $$
CREATE FUNCTION

> select * from cf()
a:int4 | b:text | c:numeric
1 | x | 2.50
SELECT 1

> select cf()
cf:user
(1,x,2.50)
SELECT 1

> create function cf2() returns setof cc language plpgsql as $$ declare r record; begin for r in select * from cc loop return next r; end loop; return query select * from cc; return next (5,'y'::text, 3.25::numeric(6,2)); end $$
CREATE FUNCTION

> select * from cf2()
a:int4 | b:text | c:numeric
1 | x | 2.50
1 | x | 2.50
5 | y | 3.25
SELECT 3

> select cf2()
cf2:user
(1,x,2.50)
(1,x,2.50)
(5,y,3.25)
SELECT 3

> create function cf3(out a int, out b text) returns setof record language plpgsql as $$ begin a := 1; b := 'q'; return next; end $$
CREATE FUNCTION

> select cf3()
cf3:record
(1,q)
SELECT 1

> select * from cf3()
a:int4 | b:text
1 | q
SELECT 1
