# Settings of PL/pgSQL: variable_conflict, extra_warnings, extra_errors, print_strict_params.
> create table t(id int primary key, note text)
CREATE TABLE
> insert into t values (1,'a'), (2,'b'), (3,'c')
INSERT 0 3
> create function vc() returns text language plpgsql as $$ declare note text := 'v'; r text; begin select note into r from t where id = 1; return r; end $$
CREATE FUNCTION
> select vc()
vc:text
ERROR 42702: column reference "note" is ambiguous
DETAIL: It could refer to either a PL/pgSQL variable or a table column.
> set plpgsql.variable_conflict = 'use_column'
SET
> create or replace function vc() returns text language plpgsql as $$ declare note text := 'v'; r text; begin select note into r from t where id = 1; return r; end $$
CREATE FUNCTION
> select vc()
vc:text
a
SELECT 1
> set plpgsql.variable_conflict = 'use_variable'
SET
> create or replace function vc() returns text language plpgsql as $$ declare note text := 'v'; r text; begin select note into r from t where id = 1; return r; end $$
CREATE FUNCTION
> select vc()
vc:text
v
SELECT 1
> reset plpgsql.variable_conflict
RESET
> set plpgsql.extra_warnings = 'shadowed_variables'
SET
> create function sh(x int) returns int language plpgsql as $$
> declare x int := 1;
> begin
>   declare x text; begin null; end;
>   return x;
> end $$
WARNING 42712: variable "x" shadows a previously defined variable
WARNING 42712: variable "x" shadows a previously defined variable
CREATE FUNCTION
> set plpgsql.extra_warnings = 'none'
SET
> set plpgsql.extra_errors = 'shadowed_variables'
SET
> create function sh2(x int) returns int language plpgsql as $$
> declare y int; x int := 1;
> begin return x; end $$
ERROR 42712: variable "x" shadows a previously defined variable
> set plpgsql.extra_errors = 'none'
SET
> set plpgsql.extra_warnings = 'too_many_rows'
SET
> do $$ declare x int; begin select id into x from t order by id; raise notice '%', x; end $$
WARNING P0003: query returned more than one row
HINT: Make sure the query returns a single row, or use LIMIT 1.
NOTICE 00000: 1
DO
> set plpgsql.extra_errors = 'too_many_rows'
SET
> do $$ declare x int; begin select id into x from t order by id; raise notice '%', x; end $$
ERROR P0003: query returned more than one row
HINT: Make sure the query returns a single row, or use LIMIT 1.
> set plpgsql.extra_errors = 'strict_multi_assignment'
SET
> do $$ declare x int; y int; begin select 1, 2 into x; end $$
ERROR 42804: number of source and target fields in assignment does not match
DETAIL: strict_multi_assignment check of extra_errors is active.
HINT: Make sure the query returns the exact list of columns.
> do $$ declare x int; y int; begin select 1, 2 into x, y; raise notice '% %', x, y; end $$
NOTICE 00000: 1 2
DO
> set plpgsql.extra_errors = 'none'
SET
> set plpgsql.extra_warnings = 'strict_multi_assignment'
SET
> do $$ declare x int; y int; begin select 1 into x, y; raise notice '% %', x, y; end $$
WARNING 42804: number of source and target fields in assignment does not match
DETAIL: strict_multi_assignment check of extra_warnings is active.
HINT: Make sure the query returns the exact list of columns.
NOTICE 00000: 1 <NULL>
DO
> set plpgsql.extra_warnings = 'none'
SET
> create function st(p1 int, p2 text) returns int language plpgsql as $$
ERROR 42601: unterminated dollar-quoted string at or near "$$"
#print_strict_params on
> declare r record;
> begin
>   select * into strict r from t where id = p1 or note = st.p2;
>   return r.id;
> end $$
ERROR 42601: syntax error at or near "record"
> select st(9, 'it''s')
ERROR 42883: function st(integer, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> select st(1, 'b')
ERROR 42883: function st(integer, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> select st(1, null)
ERROR 42883: function st(integer, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> set plpgsql.print_strict_params = true
SET
> do $$ declare r record; v int := 7; begin execute 'select * from t where id > $1 or note = $2' into strict r using v, 'zz'; end $$
ERROR P0002: query returned no rows
DETAIL: parameters: $1 = '7', $2 = 'zz'
> do $$ declare r record; v int := 7; begin select * into strict r from t where id = v; end $$
ERROR P0002: query returned no rows
DETAIL: parameters: v = '7'
> do $$ declare r record; begin select * into strict r from t; end $$
ERROR P0003: query returned more than one row
HINT: Make sure the query returns a single row, or use LIMIT 1.
> reset plpgsql.print_strict_params
RESET
> do $$ declare r int; begin update t set note = note returning id into r; end $$
ERROR P0003: query returned more than one row
HINT: Make sure the query returns a single row, or use LIMIT 1.
> do $$ declare r record; begin execute 'select * from t' into strict r; end $$
ERROR P0003: query returned more than one row
