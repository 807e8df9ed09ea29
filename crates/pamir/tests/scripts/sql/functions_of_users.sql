# Functions and procedures in SQL and PL/pgSQL: arguments, results, control flow, exceptions, transactions of procedures.
> create table acc(id int primary key, owner text not null, bal numeric(10,2) check (bal >= 0))
CREATE TABLE
> insert into acc values (1,'ann',100),(2,'bob',50)
INSERT 0 2
> create function add(a int, b int) returns int language sql as 'select a + b'
CREATE FUNCTION
> select add(1,2), add(b => 5, a => 10)
add:int4 | add:int4
3 | 15
SELECT 1
> create function add(a text, b text default 'z') returns text language sql immutable as $$ select a || b $$
CREATE FUNCTION
> select add('x'::text), add('x','y')
add:text | add:text
xz | xy
SELECT 1
> create function dbl(int) returns int language sql strict as 'select $1*2'
CREATE FUNCTION
> select dbl(null), dbl(4)
dbl:int4 | dbl:int4
NULL | 8
SELECT 1
> create function people(minbal numeric) returns setof acc language sql stable as $$ select * from acc where bal >= minbal order by id $$
CREATE FUNCTION
> select * from people(10)
id:int4 | owner:text | bal:numeric
1 | ann | 100.00
2 | bob | 50.00
SELECT 2
> select owner, bal from people(60)
owner:text | bal:numeric
ann | 100.00
SELECT 1
> create function pairs() returns table(a int, b text) language sql as $$ values (1,'x'),(2,'y') $$
CREATE FUNCTION
> select * from pairs()
a:int4 | b:text
1 | x
2 | y
SELECT 2
> select a from pairs() p
a:int4
1
2
SELECT 2
> create function outs(in x int, out y int, out z text) language plpgsql as $$ begin y := x+1; z := 'z'||x; end $$
CREATE FUNCTION
> select * from outs(4)
y:int4 | z:text
5 | z4
SELECT 1
> select outs(4)
outs:record
(5,z4)
SELECT 1
> select (outs(4)).z
z:text
z4
SELECT 1
> create function one(x int, out y int) as $$ begin y := x*3; end $$ language plpgsql
CREATE FUNCTION
> select one(4)
one:int4
12
SELECT 1
> select * from one(5)
y:int4
15
SELECT 1
> create function inout_(inout a int, inout b int) language plpgsql as $$ declare t int; begin t := a; a := b; b := t; end $$
CREATE FUNCTION
> select * from inout_(1,2)
a:int4 | b:int4
2 | 1
SELECT 1
> create function vsum(variadic nums int[]) returns int language plpgsql as $$ declare s int := 0; n int; begin foreach n in array nums loop s := s + n; end loop; return s; end $$
CREATE FUNCTION
> select vsum(1,2,3), vsum(variadic array[4,5])
vsum:int4 | vsum:int4
6 | 9
SELECT 1
> create function poly(a anyelement, b anyelement) returns anyelement language plpgsql as $$ begin if a > b then return a; else return b; end if; end $$
CREATE FUNCTION
> select poly(1,2), poly('a'::text,'b'), poly(1.5,2)
ERROR 42883: function poly(numeric, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> create function arr(a anyelement) returns anyarray language sql as $$ select array[a, a] $$
CREATE FUNCTION
> select arr(1), arr('x'::text)
arr:_int4 | arr:_text
{1,1} | {x,x}
SELECT 1
> create function fact(n int) returns numeric language plpgsql as $$ begin if n <= 1 then return 1; end if; return n * fact(n-1); end $$
CREATE FUNCTION
> select fact(20)
fact:numeric
2432902008176640000
SELECT 1
> create function raise_all() returns void language plpgsql as $$
> begin
>   raise notice 'n % %%', 1;
>   raise warning 'w %', now() is not null;
>   raise info 'i %', null;
>   raise exception 'boom %', 42 using errcode = 'unique_violation', hint = 'h', detail = 'd';
> end $$
CREATE FUNCTION
> select raise_all()
raise_all:void
NOTICE 00000: n 1 %
WARNING 01000: w t
INFO 00000: i <NULL>
ERROR 23505: boom 42
DETAIL: d
HINT: h
> create function catch() returns text language plpgsql as $$
> declare msg text; st text; ctx text; dt text;
> begin
>   insert into acc values (3,'c',1);
>   perform 1/0;
>   return 'no';
> exception when division_by_zero then
>   get stacked diagnostics msg = message_text, st = returned_sqlstate, ctx = pg_exception_context;
>   return msg || '|' || st || '|' || sqlstate || '|' || sqlerrm || '|' || ctx;
> end $$
CREATE FUNCTION
> select catch()
catch:text
division by zero|22012|22012|division by zero|SQL statement "SELECT 1/0"\nPL/pgSQL function catch() line 5 at PERFORM
SELECT 1
> select count(*) from acc
count:int8
2
SELECT 1
> create function nested() returns text language plpgsql as $$
> begin
>   begin
>     insert into acc values (1,'dup',0);
>   exception when unique_violation then
>     raise notice 'caught % %', sqlstate, sqlerrm;
>   end;
>   begin
>     update acc set bal = -1 where id = 1;
>   exception when others then
>     raise notice 'others %', sqlerrm;
>   end;
>   return 'ok';
> end $$
CREATE FUNCTION
> select nested()
nested:text
NOTICE 00000: caught 23505 duplicate key value violates unique constraint "acc_pkey"
NOTICE 00000: others new row for relation "acc" violates check constraint "acc_bal_check"
ok
SELECT 1
> create function rec() returns text language plpgsql as $$
> declare r record; a acc%rowtype; o acc.owner%type; n int := 0; s text := '';
> begin
>   select * into r from acc where id = 1;
>   select * into strict a from acc where id = 2;
>   o := a.owner;
>   for r in select * from acc order by id loop
>     n := n + 1; s := s || r.owner || ',';
>     continue when r.id = 1;
>     exit;
>   end loop;
>   a.bal := 7.555;
>   select 99 as q, 'w' as e into r;
>   if found then s := s || r.q; end if;
>   get diagnostics n = row_count;
>   return s || o || a.bal || n;
> end $$
CREATE FUNCTION
> select rec()
rec:text
ann,bob,99bob7.561
SELECT 1
> create function dyn(tab text, lim int) returns setof text language plpgsql as $$
> declare r record; c int;
> begin
>   execute format('select count(*) from %I', tab) into c;
>   return next c::text;
>   for r in execute 'select owner from ' || quote_ident(tab) || ' where id <= $1 order by id' using lim loop
>     return next r.owner;
>   end loop;
>   return query execute 'select owner from acc where id = $1' using 2;
>   return query select upper(owner) from acc order by 1;
> end $$
CREATE FUNCTION
> select dyn('acc', 1)
dyn:text
2
ann
bob
ANN
BOB
SELECT 5
> select * from dyn('acc', 5)
dyn:text
2
ann
bob
bob
ANN
BOB
SELECT 6
> create function cs(x int) returns text language plpgsql as $$
> begin
>   case x when 1, 2 then return 'low'; when 3 then return 'three'; else return 'hi'; end case;
> end $$
CREATE FUNCTION
> select cs(1), cs(2), cs(3), cs(4)
cs:text | cs:text | cs:text | cs:text
low | low | three | hi
SELECT 1
> create function cs2(x int) returns text language plpgsql as $$
> begin
>   case when x < 0 then return 'neg'; when x = 0 then return 'zero'; end case;
> end $$
CREATE FUNCTION
> select cs2(-1), cs2(0)
cs2:text | cs2:text
neg | zero
SELECT 1
> select cs2(1)
cs2:text
ERROR 20000: case not found
HINT: CASE statement is missing ELSE part.
> create function lbl() returns text language plpgsql as $$
> declare s text := '';
> begin
>   <<outer>>
>   for i in 1..3 loop
>     for j in reverse 3..1 loop
>       continue outer when j = 2 and i = 2;
>       exit outer when i = 3;
>       s := s || i || j || ' ';
>     end loop;
>   end loop;
>   <<blk>>
>   begin
>     s := s || 'in';
>     exit blk;
>     s := s || 'never';
>   end;
>   for k in 1..10 by 4 loop s := s || k; end loop;
>   while length(s) < 40 loop s := s || '.'; end loop;
>   return s;
> end $$
CREATE FUNCTION
> select lbl()
lbl:text
13 12 11 23 in159.......................
SELECT 1
> do $$ declare x int := 3; begin raise notice 'x=%', x; assert x = 3; assert x = 4, 'not four'; end $$
NOTICE 00000: x=3
ERROR P0004: not four
> do $$ begin raise exception using message = 'm', errcode = 'P1234'; end $$
ERROR P1234: m
> do $$ begin raise division_by_zero; end $$
ERROR 22012: division_by_zero
> do $$ begin raise sqlstate '22012'; end $$
ERROR 22012: 22012
> do $$ begin raise; end $$
ERROR 0Z002: RAISE without parameters cannot be used outside an exception handler
> create procedure p(a int, inout b int) language plpgsql as $$ begin b := a + coalesce(b, 0); end $$
CREATE PROCEDURE
> call p(1, 5)
b:int4
6
CALL
> call p(1, null)
b:int4
1
CALL
> do $$ declare v int := 10; begin call p(5, v); raise notice 'v=%', v; end $$
NOTICE 00000: v=15
DO
> create table log(n int)
CREATE TABLE
> create procedure txn() language plpgsql as $$
> begin
>   for i in 1..4 loop
>     insert into log values (i);
>     if i % 2 = 0 then commit; else rollback; end if;
>   end loop;
> end $$
CREATE PROCEDURE
> call txn()
CALL
> select * from log
n:int4
2
4
SELECT 2
> begin
BEGIN
> call txn()
ERROR 2D000: invalid transaction termination
> rollback
ROLLBACK
> select p(1,2)
ERROR 42809: p(integer, integer) is a procedure
HINT: To call a procedure, use CALL.
> call add(1,2)
ERROR 42809: add(integer, integer) is not a procedure
HINT: To call a function, use SELECT.
> call nope()
ERROR 42883: procedure nope() does not exist
HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
> drop function add(int,int)
DROP FUNCTION
> select add(1,2)
ERROR 42883: function add(integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> drop procedure p
DROP PROCEDURE
> drop function if exists nope(int)
NOTICE 00000: function nope(pg_catalog.int4) does not exist, skipping
DROP FUNCTION
> drop function nope
ERROR 42883: could not find a function named "nope"
