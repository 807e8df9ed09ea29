# Functions, operators and aggregates of a schema that the search path names before pg_catalog.
> create schema sh
CREATE SCHEMA

> create function sh.now() returns timestamptz language sql as $$select '2001-01-01 00:00+00'::timestamptz$$
CREATE FUNCTION

> create function sh.lower(text) returns text language sql as $$select 'mine:' || $1$$
CREATE FUNCTION

> create operator sh.+ (leftarg = int, rightarg = int, function = pg_catalog.int4mi)
CREATE OPERATOR

> create function sh.length(text) returns int language sql as 'select -1'
CREATE FUNCTION

> create aggregate sh.max(int) (sfunc = pg_catalog.int4larger, stype = int, initcond = '100')
CREATE AGGREGATE

> create table public.sh_rows (a int, b text)
CREATE TABLE

> insert into public.sh_rows values (1, 'A'), (2, 'B')
INSERT 0 2

> set timezone = 'UTC'
SET

> set search_path = sh, pg_catalog, public
SET

> select now(), lower('A'), lower('A'::varchar), 5 + 3, 5 - 3, length('abc'), upper('a'), max(a) from sh_rows
now:timestamptz | lower:text | lower:text | ?column?:int4 | ?column?:int4 | length:int4 | upper:text | max:int4
2001-01-01 00:00:00+00 | mine:A | mine:A | 2 | 2 | -1 | A | 100
SELECT 1

> select pg_catalog.lower('A'), 5 operator(pg_catalog.+) 3, pg_catalog.length('abc'), pg_catalog.max(a), sh.max(a) from sh_rows
lower:text | ?column?:int4 | length:int4 | max:int4 | max:int4
a | 8 | 3 | 2 | 100
SELECT 1

> select a + 1, lower(b), 5::bigint + 3 from sh_rows order by 1
?column?:int4 | lower:text | ?column?:int8
0 | mine:A | 8
1 | mine:B | 8
SELECT 2

> prepare q(int) as select $1 + 1, lower($2)
PREPARE

> create view public.sh_view as select lower(b) as x, pg_catalog.lower(b) as y, a + 1 as z, a operator(pg_catalog.+) 1 as w from sh_rows
CREATE VIEW

> select pg_get_viewdef('public.sh_view')
pg_get_viewdef:text
 SELECT lower(sh_rows.b) AS x,\n    pg_catalog.lower(sh_rows.b) AS y,\n    (sh_rows.a + 1) AS z,\n    (sh_rows.a OPERATOR(pg_catalog.+) 1) AS w\n   FROM sh_rows;
SELECT 1

> select * from public.sh_view order by 4
x:text | y:text | z:int4 | w:int4
mine:A | a | 0 | 2
mine:B | b | 1 | 3
SELECT 2

> select 'lower(text)'::regprocedure, 'pg_catalog.lower(text)'::regprocedure, 'sh.lower(text)'::regprocedure
regprocedure:regprocedure | regprocedure:regprocedure | regprocedure:regprocedure
lower(text) | pg_catalog.lower(text) | lower(text)
SELECT 1

> select pg_function_is_visible('sh.lower(text)'::regprocedure), pg_function_is_visible('pg_catalog.lower(text)'::regprocedure)
pg_function_is_visible:bool | pg_function_is_visible:bool
t | f
SELECT 1

> set search_path = pg_catalog, sh, public
SET

> select lower('A'), 5 + 3, length('abc'), max(a) from sh_rows
lower:text | ?column?:int4 | length:int4 | max:int4
a | 8 | 3 | 2
SELECT 1

> select pg_get_viewdef('public.sh_view')
pg_get_viewdef:text
 SELECT sh.lower(sh_rows.b) AS x,\n    lower(sh_rows.b) AS y,\n    (sh_rows.a OPERATOR(sh.+) 1) AS z,\n    (sh_rows.a + 1) AS w\n   FROM sh_rows;
SELECT 1

> select * from public.sh_view order by 4
x:text | y:text | z:int4 | w:int4
mine:A | a | 0 | 2
mine:B | b | 1 | 3
SELECT 2

> set search_path = sh, public
SET

> select lower('A'), 5 + 3, length('abc'), max(a) from sh_rows
lower:text | ?column?:int4 | length:int4 | max:int4
a | 8 | 3 | 2
SELECT 1

> select pg_get_viewdef('public.sh_view')
pg_get_viewdef:text
 SELECT sh.lower(sh_rows.b) AS x,\n    lower(sh_rows.b) AS y,\n    (sh_rows.a OPERATOR(sh.+) 1) AS z,\n    (sh_rows.a + 1) AS w\n   FROM sh_rows;
SELECT 1

> reset search_path
RESET

> drop view sh_view
DROP VIEW

> drop schema sh cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to function sh.now()\ndrop cascades to function sh.lower(text)\ndrop cascades to operator sh.+(integer,integer)\ndrop cascades to function sh.length(text)\ndrop cascades to function sh.max(integer)
DROP SCHEMA

> drop table sh_rows
DROP TABLE
