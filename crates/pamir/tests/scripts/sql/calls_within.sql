# CALL and DO within functions of either language and by EXECUTE; VARIADIC procedures.
> create table cp_test (a int, b text)
CREATE TABLE

> create procedure ptest1(x text) language sql as $$ insert into cp_test values (1, x) $$
CREATE PROCEDURE

> create procedure ptest3(y text) language sql as $$ call ptest1(y); call ptest1($1) $$
CREATE PROCEDURE

> call ptest3('b')
CALL

> select * from cp_test
a:int4 | b:text
1 | b
1 | b
SELECT 2

> create procedure ptest4a(inout a int, inout b int) language sql as $$ select 1, 2 $$
CREATE PROCEDURE

> call ptest4a(null, null)
a:int4 | b:int4
1 | 2
CALL

> create function usescall() returns int language sql as $$ call ptest1('f'); select count(*)::int from cp_test $$
CREATE FUNCTION

> select usescall()
usescall:int4
3
SELECT 1

> create procedure pv(a int, variadic b int[]) language sql as $$ insert into cp_test values (a, b::text) $$
CREATE PROCEDURE

> call pv(1, 2, 3)
CALL

> call pv(1, variadic array[7,8])
CALL

> call pv(5, 6)
CALL

> select * from cp_test order by a, b
a:int4 | b:text
1 | b
1 | b
1 | f
1 | {2,3}
1 | {7,8}
5 | {6}
SELECT 6

> create procedure pvo(out a int, variadic b int[]) language plpgsql as $$ begin a := cardinality(b) + b[1]; end $$
CREATE PROCEDURE

> call pvo(null, 11, 12, 13)
a:int4
14
CALL

> create procedure ppl(x int) language plpgsql as $$ declare r record; begin call ptest4a(x, x); raise notice '%', x; execute 'call ptest1($1)' using 'dyn'; execute $q$do $d$ begin raise notice 'in do'; end $d$$q$
ERROR 42601: syntax error at or near "q$"

> end $$; call ppl(5); create procedure pva(variadic x anyarray) language plpgsql as $$ begin raise notice '% %', pg_typeof(x), x
ERROR 42601: syntax error at or near "$$; call ppl(5); create procedure pva(variadic x anyarray) language plpgsql as $$"

> end $$; call pva(1, 2); call pva('a'::text, 'b'); create function f_do() returns void language sql as $$ do $d$ begin raise notice 'hm'; end $d$ $$; select f_do(); create function callout() returns int language sql as $$ call ptest4a(1, 2)
ERROR 42601: syntax error at or near "$$; call pva(1, 2); call pva('a'::text, 'b'); create function f_do() returns void language sql as $$"
