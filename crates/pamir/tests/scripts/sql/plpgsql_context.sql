# PG_CONTEXT and PG_EXCEPTION_CONTEXT: the functions that called, too.
> create function inner_ctx(x int) returns text language plpgsql as $$
> declare c text;
> begin
>   get diagnostics c = pg_context;
>   return c;
> end $$
CREATE FUNCTION
> create function outer_ctx() returns text language plpgsql as $$
> declare r text;
> begin
>   r := inner_ctx(1);
>   return r;
> end $$
CREATE FUNCTION
> select inner_ctx(1)
inner_ctx:text
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS
SELECT 1
> select outer_ctx()
outer_ctx:text
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nPL/pgSQL function outer_ctx() line 4 at assignment
SELECT 1
> create function outer_ctx2() returns text language plpgsql as $$
> declare r text;
> begin
>   select inner_ctx(1) into r;
>   return r;
> end $$
CREATE FUNCTION
> select outer_ctx2()
outer_ctx2:text
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nSQL statement "select inner_ctx(1)"\nPL/pgSQL function outer_ctx2() line 4 at SQL statement
SELECT 1
> create function outer_ctx3() returns setof text language plpgsql as $$
> declare r text;
> begin
>   r := (select inner_ctx(1) from (values (1)) v);
>   return next r;
>   for r in select inner_ctx(2) loop return next r; end loop;
>   execute 'select inner_ctx(3)' into r;
>   return next r;
>   return query select inner_ctx(4);
>   if length(inner_ctx(5)) > 0 then return next inner_ctx(6); end if;
> end $$
CREATE FUNCTION
> select * from outer_ctx3()
outer_ctx3:text
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nPL/pgSQL assignment "r := (select inner_ctx(1) from (values (1)) v)"\nPL/pgSQL function outer_ctx3() line 4 at assignment
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nPL/pgSQL function outer_ctx3() line 6 at FOR over SELECT rows
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nSQL statement "select inner_ctx(3)"\nPL/pgSQL function outer_ctx3() line 7 at EXECUTE
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nSQL statement "select inner_ctx(4)"\nPL/pgSQL function outer_ctx3() line 9 at RETURN QUERY
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nPL/pgSQL function outer_ctx3() line 10 at RETURN NEXT
SELECT 5
> create function sql_ctx() returns text language sql as 'select 1; select outer_ctx() from (values (1)) v'
CREATE FUNCTION
> select sql_ctx()
sql_ctx:text
PL/pgSQL function inner_ctx(integer) line 4 at GET DIAGNOSTICS\nPL/pgSQL function outer_ctx() line 4 at assignment\nSQL function "sql_ctx" statement 2
SELECT 1
> create function exc_inner() returns int language plpgsql as $$ begin raise exception 'oops' using detail = 'd', hint = 'h'; end $$
CREATE FUNCTION
> create function exc_mid() returns int language plpgsql as $$ begin perform exc_inner(); return 1; end $$
CREATE FUNCTION
> create function exc_outer() returns text language plpgsql as $$
> declare c text; m text; d text;
> begin
>   perform exc_mid();
>   return 'none';
> exception when others then
>   get stacked diagnostics c = pg_exception_context, m = message_text, d = pg_exception_detail;
>   return m || '/' || d || '/' || c;
> end $$
CREATE FUNCTION
> select exc_outer()
exc_outer:text
oops/d/PL/pgSQL function exc_inner() line 1 at RAISE\nSQL statement "SELECT exc_inner()"\nPL/pgSQL function exc_mid() line 1 at PERFORM\nSQL statement "SELECT exc_mid()"\nPL/pgSQL function exc_outer() line 4 at PERFORM
SELECT 1
> create function exc_top() returns text language plpgsql as $$ declare t text; begin t := exc_outer(); return t; end $$
CREATE FUNCTION
> select exc_top()
exc_top:text
oops/d/PL/pgSQL function exc_inner() line 1 at RAISE\nSQL statement "SELECT exc_inner()"\nPL/pgSQL function exc_mid() line 1 at PERFORM\nSQL statement "SELECT exc_mid()"\nPL/pgSQL function exc_outer() line 4 at PERFORM\nPL/pgSQL function exc_top() line 1 at assignment
SELECT 1
> create function exc_div(n int) returns text language plpgsql as $$
> declare c text; x int;
> begin
>   x := 10 / n;
>   return x;
> exception when division_by_zero then
>   get stacked diagnostics c = pg_exception_context;
>   return c;
> end $$
CREATE FUNCTION
> select exc_div(0)
exc_div:text
PL/pgSQL function exc_div(integer) line 4 at assignment
SELECT 1
> create procedure ctx_proc(inout c text) language plpgsql as $$ begin get diagnostics c = pg_context; end $$
CREATE PROCEDURE
> create function call_ctx() returns text language plpgsql as $$ declare c text; begin call ctx_proc(c); return c; end $$
CREATE FUNCTION
> select call_ctx()
call_ctx:text
PL/pgSQL function ctx_proc(text) line 1 at GET DIAGNOSTICS\nSQL statement "call ctx_proc(c)"\nPL/pgSQL function call_ctx() line 1 at CALL
SELECT 1
