# CREATE AGGREGATE: states, final functions, strictness, windows, ordered sets, dependencies.
> create function add_int(s int, v int) returns int language sql immutable as 'select coalesce(s,0) + coalesce(v,0)'
CREATE FUNCTION
> create function add_strict(s int, v int) returns int language sql immutable strict as 'select s + v'
CREATE FUNCTION
> create function dblit(s int) returns int language sql immutable strict as 'select s * 2'
CREATE FUNCTION
> create aggregate mysum(int) (sfunc = add_int, stype = int, initcond = '0')
CREATE AGGREGATE
> select mysum(x) from generate_series(1,10) x
mysum:int4
55
SELECT 1
> select mysum(x) from generate_series(1,0) x
mysum:int4
0
SELECT 1
> create aggregate mystrict(int) (sfunc = add_strict, stype = int, finalfunc = dblit)
CREATE AGGREGATE
> select mystrict(x) from (values (1),(null),(3)) v(x)
mystrict:int4
8
SELECT 1
> select mystrict(x) from (values (null::int)) v(x)
mystrict:int4
NULL
SELECT 1
> create aggregate oldsum (basetype = int4, sfunc = add_int, stype = int4, initcond = '5')
CREATE AGGREGATE
> select oldsum(x) from generate_series(1,3) x
oldsum:int4
11
SELECT 1
> create function cnt(s int) returns int language sql as 'select s + 1'
CREATE FUNCTION
> create aggregate mycount(*) (sfunc = cnt, stype = int, initcond = 0)
CREATE AGGREGATE
> select mycount(*) from generate_series(1,7)
mycount:int4
7
SELECT 1
> create aggregate oldcount (basetype = 'any', sfunc = cnt, stype = int4, initcond = '0')
CREATE AGGREGATE
> select oldcount(*) from generate_series(1,4)
oldcount:int4
4
SELECT 1
> create aggregate arr(anycompatible) (sfunc = array_append, stype = anycompatiblearray, initcond = '{}')
CREATE AGGREGATE
> select arr(x), arr(x::text) from generate_series(1,3) x
arr:_int4 | arr:_text
{1,2,3} | {1,2,3}
SELECT 1
> select arr(x order by x desc) from generate_series(1,3) x
arr:_int4
{3,2,1}
SELECT 1
> select arr(distinct x % 2) from generate_series(1,5) x
arr:_int4
{0,1}
SELECT 1
> select arr(x) filter (where x > 2) from generate_series(1,4) x
arr:_int4
{3,4}
SELECT 1
> select x % 2, mysum(x), arr(x) from generate_series(1,5) x group by 1 order by 1
?column?:int4 | mysum:int4 | arr:_int4
0 | 6 | {2,4}
1 | 9 | {1,3,5}
SELECT 2
> select x, mysum(x) over (order by x), mysum(x) over (order by x rows between 1 preceding and current row) from generate_series(1,4) x
x:int4 | mysum:int4 | mysum:int4
1 | 1 | 1
2 | 3 | 3
3 | 6 | 5
4 | 10 | 7
SELECT 4
> create function cat2(s text, v text, sep text) returns text language plpgsql as $$ begin return case when s is null then v else s || sep || v end; end $$
CREATE FUNCTION
> create aggregate joined(text, text) (sfunc = cat2, stype = text)
CREATE AGGREGATE
> select joined(x::text, '-' order by x) from generate_series(1,4) x
joined:text
1-2-3-4
SELECT 1
> create type acc as (n int, total numeric)
CREATE TYPE
> create function acc_step(s acc, v numeric) returns acc language plpgsql as $$ begin s.n := coalesce(s.n,0) + 1; s.total := coalesce(s.total,0) + v; return s; end $$
CREATE FUNCTION
> create function acc_end(s acc) returns numeric language sql as 'select s.total / s.n'
CREATE FUNCTION
> create aggregate myavg(numeric) (sfunc = acc_step, stype = acc, finalfunc = acc_end)
CREATE AGGREGATE
> select myavg(x) from generate_series(1,4) x
myavg:numeric
2.5000000000000000
SELECT 1
> select myavg(x) from generate_series(1,0) x
myavg:numeric
NULL
SELECT 1
> create aggregate myavg2(numeric) (sfunc = acc_step, stype = acc, finalfunc = acc_end, initcond = '(1,10)', parallel = safe, combinefunc = nosuch)
ERROR 42883: function nosuch(acc, acc) does not exist
> create function osum(s int[], v int) returns int[] language sql as 'select s || v'
CREATE FUNCTION
> create function oend(s int[], p int) returns int language sql as 'select s[p]'
CREATE FUNCTION
> create aggregate nth(int order by int) (sfunc = osum, stype = int[], finalfunc = oend, initcond = '{}')
CREATE AGGREGATE
> select nth(2) within group (order by x desc) from generate_series(1,5) x
nth:int4
2
SELECT 1
> select nth(x) from generate_series(1,5) x
ERROR 42883: function nth(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> select mysum(2) within group (order by x) from generate_series(1,5) x
ERROR 42883: function mysum(integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> create function oend2(s int[], p int, v int) returns int language sql as 'select s[p]'
CREATE FUNCTION
> create aggregate nth2(int order by int) (sfunc = osum, stype = int[], finalfunc = oend2, finalfunc_extra, initcond = '{}')
CREATE AGGREGATE
> select nth2(3) within group (order by x desc) from generate_series(1,5) x
nth2:int4
3
SELECT 1
# moving aggregates
> create function sub_int(s int, v int) returns int language sql immutable as 'select s - v'
CREATE FUNCTION
> create aggregate movsum(int) (sfunc = add_int, stype = int, initcond = '0', msfunc = add_int, minvfunc = sub_int, mstype = int, minitcond = '0')
CREATE AGGREGATE
> select x, movsum(x) over (rows between 1 preceding and 1 following) from generate_series(1,5) x
x:int4 | movsum:int4
1 | 3
2 | 6
3 | 9
4 | 12
5 | 9
SELECT 5
# errors
> create aggregate bad(int) (stype = int)
ERROR 42P13: aggregate sfunc must be specified
> create aggregate bad(int) (sfunc = add_int)
ERROR 42P13: aggregate stype must be specified
> create aggregate bad(int) (sfunc = nosuch, stype = int)
ERROR 42883: function nosuch(integer, integer) does not exist
> create aggregate bad(text) (sfunc = add_int, stype = int)
ERROR 42883: function add_int(integer, text) does not exist
> create aggregate bad(int) (sfunc = int4pl, stype = text)
ERROR 42883: function int4pl(text, integer) does not exist
> create aggregate bad(int) (sfunc = cnt, stype = int)
ERROR 42883: function cnt(integer, integer) does not exist
> create aggregate bad(text) (sfunc = length, stype = text)
ERROR 42883: function length(text, text) does not exist
> create aggregate bad(int) (sfunc = add_int, stype = int, initcond = 'x')
ERROR 22P02: invalid input syntax for type integer: "x"
> create aggregate bad(int) (sfunc = add_int, stype = int, finalfunc = nosuch)
ERROR 42883: function nosuch(integer) does not exist
> create aggregate bad(int) (sfunc = add_int, stype = int, bogus = 3)
WARNING 42601: aggregate attribute "bogus" not recognized
CREATE AGGREGATE
> drop aggregate bad(int)
DROP AGGREGATE
> create aggregate bad(int) (sfunc = add_int, stype = int, msfunc = add_int)
ERROR 42P13: aggregate msfunc must not be specified without mstype
> create aggregate bad(int) (sfunc = add_int, stype = int, mstype = int)
ERROR 42P13: aggregate msfunc must be specified when mstype is specified
> create aggregate bad(sfunc = add_int, stype = int)
ERROR 42P13: aggregate input type must be specified
> create aggregate bad(int) (sfunc = add_int, stype = anyelement)
ERROR 42P13: cannot determine transition data type
DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.
> create aggregate mysum(int) (sfunc = add_int, stype = int, initcond = '0')
ERROR 42723: function "mysum" already exists with same argument types
> create or replace aggregate mysum(int) (sfunc = add_int, stype = int, initcond = '100')
CREATE AGGREGATE
> select mysum(x) from generate_series(1,3) x
mysum:int4
106
SELECT 1
> create or replace aggregate mysum(int) (sfunc = cat2, stype = text)
ERROR 42883: function cat2(text, integer) does not exist
> create or replace function mysum(int) returns int language sql as 'select 1'
ERROR 42809: cannot change routine kind
DETAIL: "mysum" is an aggregate function.
> create or replace aggregate add_int(int, int) (sfunc = acc_step, stype = int)
ERROR 42883: function acc_step(integer, integer, integer) does not exist
# what it is
> select proname, prokind, prorettype::regtype, pronargs, provolatile from pg_proc where proname in ('mysum','arr','nth') order by 1
proname:name | prokind:char | prorettype:regtype | pronargs:int2 | provolatile:char
arr | a | anycompatiblearray | 1 | i
mysum | a | integer | 1 | i
nth | a | integer | 2 | i
SELECT 3
> select aggfnoid::regproc, aggkind, aggnumdirectargs, aggtransfn, aggfinalfn, aggfinalextra, aggfinalmodify, aggtranstype::regtype, agginitval from pg_aggregate where aggfnoid >= 16384 order by aggfnoid::regproc::text
aggfnoid:regproc | aggkind:char | aggnumdirectargs:int2 | aggtransfn:regproc | aggfinalfn:regproc | aggfinalextra:bool | aggfinalmodify:char | aggtranstype:regtype | agginitval:text
arr | n | 0 | array_append | - | f | r | anycompatiblearray | {}
joined | n | 0 | cat2 | - | f | r | text | NULL
movsum | n | 0 | add_int | - | f | r | integer | 0
myavg | n | 0 | acc_step | acc_end | f | r | acc | NULL
mycount | n | 0 | cnt | - | f | r | integer | 0
mystrict | n | 0 | add_strict | dblit | f | r | integer | NULL
mysum | n | 0 | add_int | - | f | r | integer | 100
nth | o | 1 | osum | oend | f | w | integer[] | {}
nth2 | o | 1 | osum | oend2 | t | w | integer[] | {}
oldcount | n | 0 | cnt | - | f | r | integer | 0
oldsum | n | 0 | add_int | - | f | r | integer | 5
SELECT 11
> select pg_get_function_arguments('nth'::regproc), pg_get_function_identity_arguments('mysum'::regproc), pg_get_function_result('mysum'::regproc)
pg_get_function_arguments:text | pg_get_function_identity_arguments:text | pg_get_function_result:text
integer ORDER BY integer | integer | integer
SELECT 1
> select pg_get_functiondef('mysum'::regproc)
pg_get_functiondef:text
ERROR 42809: "mysum" is an aggregate function
> select mysum('x') from generate_series(1,3) x
ERROR 22P02: invalid input syntax for type integer: "x"
> select mysum(mysum(x)) from generate_series(1,3) x
ERROR 42803: aggregate function calls cannot be nested
> select 1 where mysum(3) > 1
ERROR 42803: aggregate functions are not allowed in WHERE
> select mysum(1) + 1
?column?:int4
102
SELECT 1
> comment on aggregate mysum(int) is 'my sum'
COMMENT
> select obj_description('mysum'::regproc, 'pg_proc')
obj_description:text
my sum
SELECT 1
> alter aggregate mysum(int) rename to mysum2
ALTER AGGREGATE
> select mysum2(x) from generate_series(1,3) x
mysum2:int4
106
SELECT 1
> create schema sx
CREATE SCHEMA
> alter aggregate mysum2(int) set schema sx
ALTER AGGREGATE
> select sx.mysum2(x) from generate_series(1,3) x
mysum2:int4
106
SELECT 1
> create view v as select sx.mysum2(x) as s from generate_series(1,3) x
CREATE VIEW
> select * from v
s:int4
106
SELECT 1
> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT sx.mysum2(x.x) AS s\n   FROM generate_series(1, 3) x(x);
SELECT 1
> drop aggregate sx.mysum2(int)
ERROR 2BP01: cannot drop function sx.mysum2(integer) because other objects depend on it
DETAIL: view v depends on function sx.mysum2(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop function add_int(int,int)
ERROR 2BP01: cannot drop function add_int(integer,integer) because other objects depend on it
DETAIL: function sx.mysum2(integer) depends on function add_int(integer,integer)\nview v depends on function sx.mysum2(integer)\nfunction oldsum(integer) depends on function add_int(integer,integer)\nfunction movsum(integer) depends on function add_int(integer,integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop function dblit(int)
ERROR 2BP01: cannot drop function dblit(integer) because other objects depend on it
DETAIL: function mystrict(integer) depends on function dblit(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop function dblit(int) cascade
NOTICE 00000: drop cascades to function mystrict(integer)
DROP FUNCTION
> drop aggregate if exists nosuch(int)
NOTICE 00000: aggregate nosuch(pg_catalog.int4) does not exist, skipping
DROP AGGREGATE
> drop aggregate nosuch(int)
ERROR 42883: aggregate nosuch(integer) does not exist
> drop aggregate nosuch(*)
ERROR 42883: aggregate nosuch(*) does not exist
> drop function oldsum(int)
ERROR 42809: "oldsum" is an aggregate function
HINT: Use DROP AGGREGATE to drop aggregate functions.
> drop aggregate cnt(int)
ERROR 42809: function cnt(integer) is not an aggregate
> drop function add_int(int,int) cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to function sx.mysum2(integer)\ndrop cascades to view v\ndrop cascades to function oldsum(integer)\ndrop cascades to function movsum(integer)
DROP FUNCTION
> drop type acc
ERROR 2BP01: cannot drop type acc because other objects depend on it
DETAIL: function acc_step(acc,numeric) depends on type acc\nfunction acc_end(acc) depends on type acc\nfunction myavg(numeric) depends on function acc_end(acc)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop type acc cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to function acc_step(acc,numeric)\ndrop cascades to function acc_end(acc)\ndrop cascades to function myavg(numeric)
DROP TYPE
