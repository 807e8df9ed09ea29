# What CREATE FUNCTION refuses, what bodies raise and how CONTEXT tells of it; definitions as the catalog shows them.
> create table t(a int primary key, b text)
CREATE TABLE
> insert into t values (1,'x'),(2,'y')
INSERT 0 2
> create function e1() returns int language plpgsql as $$ begin retrun 1; end $$
ERROR 42601: syntax error at or near "retrun"
> create function e2() returns int language plpgsql as $$ begin return 1 end $$
ERROR 42601: syntax error at end of input
> create function e3() returns int language plpgsql as $$ declare x int; begin y := 1; return 1; end $$
ERROR 42601: "y" is not a known variable
> create function e4() returns int language plpgsql as $$ begin return select; end $$
ERROR 42601: syntax error at or near "select"
> create function e5() returns int language plpgsql as $$ begin exit; end $$
ERROR 42601: EXIT cannot be used outside a loop, unless it has a label
> create function e6() returns int language plpgsql as $$ declare x int; x text; begin return 1; end $$
ERROR 42601: duplicate declaration at or near "x"
> create function e7() returns int language plpgsql as $$ begin return; end $$
ERROR 42601: missing expression at or near ";"
> create function e8() returns void language plpgsql as $$ begin return 1; end $$
ERROR 42804: RETURN cannot have a parameter in function returning void
> create function e9() returns int language plpgsql as $$ begin raise notice 'a %'; end $$
ERROR 42601: too few parameters specified for RAISE
> create function e10() returns int language plpgsql as $$ declare c constant int := 1; begin c := 2; return c; end $$
ERROR 22005: variable "c" is declared CONSTANT
> create function e11() returns int language plpgsql as $$ declare n int not null; begin return n; end $$
ERROR 22004: variable "n" must have a default value, since it's declared NOT NULL
> create function e12() returns int language plpgsql as $$ begin if true then return 1; end $$
ERROR 42601: syntax error at end of input
> create function e13() returns int language sql as $$ select 'a'::text $$
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Actual return type is text.
> create function e14() returns int language sql as $$ select 1, 2 $$
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Final statement must return exactly one column.
> create function e15() returns int language sql as $$ insert into t values (9,'q') $$
ERROR 42P13: return type mismatch in function declared to return integer
DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.
> create function e16() returns int language sql as $$ select nope from t $$
ERROR 42703: column "nope" does not exist
> create function e17() returns int language sql as $$ selec 1 $$
ERROR 42601: syntax error at or near "selec"
> create function e18(x int) returns int language sql as $$ select y $$
ERROR 42703: column "y" does not exist
> create function e19() language sql as $$ select 1 $$
ERROR 42P13: function result type must be specified
> create function e20() returns int as $$ select 1 $$
ERROR 42P13: no language specified
> create function e21() returns int language nolang as $$ select 1 $$
ERROR 42704: language "nolang" does not exist
> create function e22() returns int language sql
ERROR 42P13: no function body specified
> create function e23(a int, a int) returns int language sql as $$ select 1 $$
ERROR 42P13: parameter name "a" used more than once
> create function e24(a int default 1, b int) returns int language sql as $$ select 1 $$
ERROR 42P13: input parameters after one with a default value must also have defaults
> create function e25(variadic a int) returns int language sql as $$ select 1 $$
ERROR 42P13: VARIADIC parameter must be an array
> create function e26() returns anyelement language sql as $$ select 1 $$
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.
> create function e27(out a int) returns text language sql as $$ select 1 $$
ERROR 42P13: function result type must be integer because of OUT parameters
> create function e28() returns nosuch language sql as $$ select 1 $$
ERROR 42704: type "nosuch" does not exist
> create function e29() returns int language plpgsql as $$ declare x nosuch; begin return 1; end $$
ERROR 42704: type "nosuch" does not exist
> create function e30() returns int language plpgsql as $$ begin raise nosuch_condition; end $$
ERROR 42704: unrecognized exception condition "nosuch_condition"
> create function e31() returns int language plpgsql as $$ begin return next 1; end $$
ERROR 42804: cannot use RETURN NEXT in a non-SETOF function
> create function e32() returns setof int language plpgsql as $$ begin return 1; end $$
ERROR 42804: RETURN cannot have a parameter in function returning set
HINT: Use RETURN NEXT or RETURN QUERY.
> create function e33() returns int language plpgsql as $$ <<a>> begin null; end b $$
ERROR 42601: end label "b" differs from block's label "a"
> create function r1() returns int language plpgsql as $$ begin if false then return 1; end if; end $$
CREATE FUNCTION
> select r1()
r1:int4
ERROR 2F005: control reached end of function without RETURN
> create function r2() returns int language plpgsql as $$ declare x int not null := 1; begin x := null; return x; end $$
CREATE FUNCTION
> select r2()
r2:int4
ERROR 22004: null value cannot be assigned to variable "x" declared NOT NULL
> create function r3() returns int language plpgsql as $$ declare x int := 'abc'; begin return x; end $$
CREATE FUNCTION
> select r3()
r3:int4
ERROR 22P02: invalid input syntax for type integer: "abc"
> create function r4() returns int language plpgsql as $$ begin return 'abc'; end $$
CREATE FUNCTION
> select r4()
r4:int4
ERROR 22P02: invalid input syntax for type integer: "abc"
> create function r5() returns text language plpgsql as $$ declare r record; begin return r.x; end $$
CREATE FUNCTION
> select r5()
r5:text
ERROR 55000: record "r" is not assigned yet
DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.
> create function r6() returns text language plpgsql as $$ declare r record; begin select * into r from t where a = 1; return r.nofield; end $$
CREATE FUNCTION
> select r6()
r6:text
ERROR 42703: record "r" has no field "nofield"
> create function r7() returns text language plpgsql as $$ declare a int := 1; v text; begin select b into v from t where a = a; return v; end $$
CREATE FUNCTION
> select r7()
r7:text
ERROR 42702: column reference "a" is ambiguous
DETAIL: It could refer to either a PL/pgSQL variable or a table column.
> create function r8() returns text language plpgsql as $$ #variable_conflict use_variable
> declare a int := 2; v text; begin select b into v from t where t.a = a; return v; end $$
CREATE FUNCTION
> select r8()
r8:text
y
SELECT 1
> create function r9() returns text language plpgsql as $$ declare v text; begin select b into strict v from t where t.a = 99; return v; end $$
CREATE FUNCTION
> select r9()
r9:text
ERROR P0002: query returned no rows
> create function r10() returns text language plpgsql as $$ declare v text; begin select b into strict v from t; return v; end $$
CREATE FUNCTION
> select r10()
r10:text
ERROR P0003: query returned more than one row
HINT: Make sure the query returns a single row, or use LIMIT 1.
> create function r11() returns void language plpgsql as $$ begin select 1; end $$
CREATE FUNCTION
> select r11()
r11:void
ERROR 42601: query has no destination for result data
HINT: If you want to discard the results of a SELECT, use PERFORM instead.
> create function r12() returns void language plpgsql as $$ begin insert into nosuch values (1); end $$
CREATE FUNCTION
> select r12()
r12:void
ERROR 42P01: relation "nosuch" does not exist
> create function r13() returns void language plpgsql as $$ begin execute 'select * from nosuch'; end $$
CREATE FUNCTION
> select r13()
r13:void
ERROR 42P01: relation "nosuch" does not exist
> create function r14() returns void language plpgsql as $$ begin execute null; end $$
CREATE FUNCTION
> select r14()
r14:void
ERROR 22004: query string argument of EXECUTE is null
> create function r15() returns int language plpgsql as $$ declare x int; begin x := (select a from t); return x; end $$
CREATE FUNCTION
> select r15()
r15:int4
ERROR 21000: more than one row returned by a subquery used as an expression
> create function r16() returns int language plpgsql as $$ declare x int; begin x := (select a from t where b = 'y') + 5; return x; end $$
CREATE FUNCTION
> select r16()
r16:int4
7
SELECT 1
> create function r17() returns int language plpgsql as $$ begin perform r3(); return 1; end $$
CREATE FUNCTION
> select r17()
r17:int4
ERROR 22P02: invalid input syntax for type integer: "abc"
> create function r18(n int) returns int language plpgsql as $$ begin for i in 1..null loop end loop; return 1; end $$
CREATE FUNCTION
> select r18(1)
r18:int4
ERROR 22004: upper bound of FOR loop cannot be null
> create function r19() returns int language plpgsql stable as $$ begin insert into t values (5,'z'); return 1; end $$
CREATE FUNCTION
> select r19()
r19:int4
ERROR 0A000: INSERT is not allowed in a non-volatile function
> create function r20() returns setof int language plpgsql as $$ begin return query select b from t; end $$
CREATE FUNCTION
> select r20()
r20:int4
ERROR 42804: structure of query does not match function result type
DETAIL: Returned type text does not match expected type integer in column 1.
> create function r21() returns table(x int, y text) language plpgsql as $$ begin return query select * from t; x := 9; y := 'nine'; return next; return query select a, b from t where a = 1; if not found then y := 'nf'; return next; end if; end $$
CREATE FUNCTION
> select * from r21()
x:int4 | y:text
1 | x
2 | y
9 | nine
1 | x
SELECT 4
> create function r22() returns void language plpgsql as $$ begin commit; end $$
CREATE FUNCTION
> select r22()
r22:void
ERROR 2D000: invalid transaction termination
> create function r23() returns int[] language plpgsql as $$ declare a int[] := '{1,2}'; begin a[3] := 30; a[1] := a[2] * 5; a := a || 7; return a; end $$
CREATE FUNCTION
> select r23()
r23:_int4
{10,2,30,7}
SELECT 1
> create function r24() returns t language plpgsql as $$ declare r t; begin r.a := 5; r.b := 'five'; return r; end $$
CREATE FUNCTION
> select r24()
r24:user
(5,five)
SELECT 1
> select * from r24()
a:int4 | b:text
5 | five
SELECT 1
> select (r24()).b
b:text
five
SELECT 1
> create function r25() returns setof t language plpgsql as $$ declare r t%rowtype; begin for r in select * from t order by a loop r.b := r.b || '!'; return next r; end loop; return; end $$
CREATE FUNCTION
> select * from r25()
a:int4 | b:text
1 | x!
2 | y!
SELECT 2
> select r25()
r25:user
(1,x!)
(2,y!)
SELECT 2
> create function r26() returns text language plpgsql as $$ declare c cursor (lim int) for select a, b from t where a <= lim order by a; r record; s text := ''; x int; y text; begin open c(2); fetch c into x, y; s := s || x || y; fetch c into r; s := s || r.b; fetch c into r; s := s || found; close c; for q in c(1) loop s := s || q.b; end loop; return s; end $$
CREATE FUNCTION
> select r26()
r26:text
1xyfalsex
SELECT 1
> create function r27() returns int language plpgsql as $$ declare n int; begin update t set b = b || '+' where a = 1; get diagnostics n = row_count; return n; end $$
CREATE FUNCTION
> select r27()
r27:int4
1
SELECT 1
> select * from t order by a
a:int4 | b:text
1 | x+
2 | y
SELECT 2
> create function r28() returns text language plpgsql as $$ declare x t; begin insert into t values (7,'seven') returning * into x; return x.b || x.a; end $$
CREATE FUNCTION
> select r28()
r28:text
seven7
SELECT 1
> create function r29(r t) returns text language plpgsql as $$ begin return r.b; end $$
CREATE FUNCTION
> create function r30() returns text language plpgsql as $$ declare j jsonb := '{"a": [1,2]}'; begin return j->'a'->>1; end $$
CREATE FUNCTION
> select r30()
r30:text
2
SELECT 1
> create or replace function r30() returns int language sql as 'select 1'
ERROR 42P13: cannot change return type of existing function
HINT: Use DROP FUNCTION r30() first.
> create or replace function r30() returns text language sql immutable parallel safe strict cost 5 set work_mem to '1MB' as 'select ''x''::text'
CREATE FUNCTION
> select pg_get_functiondef('r30'::regproc)
pg_get_functiondef:text
CREATE OR REPLACE FUNCTION public.r30()\n RETURNS text\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE STRICT COST 5\n SET work_mem TO '1MB'\nAS $function$select 'x'::text$function$\n
SELECT 1
> select pg_get_functiondef('r21'::regproc)
pg_get_functiondef:text
CREATE OR REPLACE FUNCTION public.r21()\n RETURNS TABLE(x integer, y text)\n LANGUAGE plpgsql\nAS $function$ begin return query select * from t; x := 9; y := 'nine'; return next; return query select a, b from t where a = 1; if not found then y := 'nf'; return next; end if; end $function$\n
SELECT 1
> select pg_get_function_arguments('r29'::regproc), pg_get_function_result('r25'::regproc)
pg_get_function_arguments:text | pg_get_function_result:text
r t | SETOF t
SELECT 1
> alter function r30() stable rows 5
ERROR 22023: ROWS is not applicable when function does not return a set
> alter function r30() rename to r31
ALTER FUNCTION
> select r31()
r31:text
x
SELECT 1
> comment on function r31() is 'hello'
COMMENT
> select obj_description('r31'::regproc, 'pg_proc')
obj_description:text
hello
SELECT 1
> select proname, provolatile, prokind, proretset, pronargs, proargnames, proargmodes, proallargtypes from pg_proc where proname in ('r21','r31','r29') order by 1
proname:name | provolatile:char | prokind:char | proretset:bool | pronargs:int2 | proargnames:_text | proargmodes:_char | proallargtypes:_oid
r21 | v | f | t | 0 | {x,y} | {t,t} | {23,25}
r29 | v | f | f | 1 | {r} | NULL | NULL
r31 | i | f | f | 0 | NULL | NULL | NULL
SELECT 3
> create schema s
CREATE SCHEMA
> alter function r31() set schema s
ALTER FUNCTION
> select s.r31()
r31:text
x
SELECT 1
> create function rr(int) returns int language sql return $1 + 1
CREATE FUNCTION
> select rr(4)
rr:int4
5
SELECT 1
> create function ra(x int, out s int, out d int) language sql begin atomic select x+1, x*2; end
CREATE FUNCTION
> select * from ra(4)
s:int4 | d:int4
5 | 8
SELECT 1
> select routine_name, routine_type, data_type, external_language from information_schema.routines where routine_schema = 'public' order by 1 limit 4
routine_name:name | routine_type:varchar | data_type:varchar | external_language:varchar
r1 | FUNCTION | integer | PLPGSQL
r10 | FUNCTION | text | PLPGSQL
r11 | FUNCTION | void | PLPGSQL
r12 | FUNCTION | void | PLPGSQL
SELECT 4
> create role fn_bob
CREATE ROLE
> revoke execute on function rr(int) from public
REVOKE
> set role fn_bob
SET
> select rr(1)
ERROR 42501: permission denied for function rr
> reset role
RESET
> grant execute on function rr(int) to fn_bob
GRANT
> set role fn_bob
SET
> select rr(1)
rr:int4
2
SELECT 1
> reset role
RESET
> create function whoami() returns text language sql security definer as 'select current_user::text'
CREATE FUNCTION
> set role fn_bob
SET
> select whoami(), current_user
whoami:text | current_user:name
postgres | fn_bob
SELECT 1
> reset role
RESET
> create function sp() returns text language sql set search_path = s as 'select current_setting(''search_path'')'
CREATE FUNCTION
> select sp(), current_setting('search_path')
sp:text | current_setting:text
s | "$user", public
SELECT 1
> drop schema s
ERROR 2BP01: cannot drop schema s because other objects depend on it
DETAIL: function s.r31() depends on schema s
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop role fn_bob
ERROR 2BP01: role "fn_bob" cannot be dropped because some objects depend on it
DETAIL: privileges for function rr(integer)
