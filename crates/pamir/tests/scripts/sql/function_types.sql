# Domains, composite types and arrays of both as parameters, results and variables of functions.
> create domain pos as int check (value > 0)
CREATE DOMAIN
> create domain name_t as text not null
CREATE DOMAIN
> create type pt as (x int, y int)
CREATE TYPE
> create type seg as (a pt, b pt, tag text)
CREATE TYPE
> create domain dpt as pt check ((value).x >= 0)
CREATE DOMAIN
> create table t(id int primary key, p pt, q pos, note text)
CREATE TABLE
> insert into t values (1, row(1,2), 5, 'one'), (2, row(3,4), 6, 'two')
INSERT 0 2
# parameters and results of SQL functions
> create function dbl(p pos) returns pos language sql as 'select p * 2'
CREATE FUNCTION
> select dbl(3), pg_typeof(dbl(3))
dbl:int4 | pg_typeof:regtype
6 | pos
SELECT 1
> select dbl(-3)
dbl:int4
ERROR 23514: value for domain pos violates check constraint "pos_check"
> create function neg(p pos) returns pos language sql as 'select -p'
CREATE FUNCTION
> select neg(3)
neg:int4
ERROR 23514: value for domain pos violates check constraint "pos_check"
> create function px(p pt) returns int language sql as 'select (p).x'
CREATE FUNCTION
> create function px2(p pt) returns int language sql as 'select p.x + p.y'
CREATE FUNCTION
> select px(row(7,8)), px2(row(7,8)::pt), px(p) from t order by id
px:int4 | px2:int4 | px:int4
7 | 15 | 1
7 | 15 | 3
SELECT 2
> create function mk(a int, b int) returns pt language sql as 'select a, b'
CREATE FUNCTION
> create function mk2(a int, b int) returns pt language sql as 'select row(a, b)::pt'
CREATE FUNCTION
> select mk(1,2), mk2(3,4), (mk(5,6)).y
mk:user | mk2:user | y:int4
(1,2) | (3,4) | 6
SELECT 1
> select * from mk(1,2)
x:int4 | y:int4
1 | 2
SELECT 1
> select x from mk2(1,2)
x:int4
1
SELECT 1
> create function mkset(n int) returns setof pt language sql as 'select i, i*i from generate_series(1,n) i'
CREATE FUNCTION
> select * from mkset(3)
x:int4 | y:int4
1 | 1
2 | 4
3 | 9
SELECT 3
> select mkset(2)
mkset:user
(1,1)
(2,4)
SELECT 2
> select (mkset(2)).*
x:int4 | y:int4
1 | 1
2 | 4
SELECT 2
> create function arr(p pt[]) returns pt[] language sql as 'select p || row(9,9)::pt'
CREATE FUNCTION
> select arr(array[row(1,2)]::pt[])
arr:user
{"(1,2)","(9,9)"}
SELECT 1
> select (arr(array[row(1,2)]::pt[]))[2].x
x:int4
9
SELECT 1
> create function trow(r t) returns text language sql as 'select r.note || r.id'
CREATE FUNCTION
> select trow(t) from t order by id
trow:text
one1
two2
SELECT 2
> select trow(row(5, row(1,1), 3, 'x')::t)
trow:text
x5
SELECT 1
> create function first_t() returns t language sql as 'select * from t order by id limit 1'
CREATE FUNCTION
> select first_t()
first_t:user
(1,"(1,2)",5,one)
SELECT 1
> select * from first_t()
id:int4 | p:user | q:int4 | note:text
1 | (1,2) | 5 | one
SELECT 1
> select (first_t()).note
note:text
one
SELECT 1
> create function all_t() returns setof t language sql as 'select * from t order by id'
CREATE FUNCTION
> select id, note, (p).x from all_t()
id:int4 | note:text | x:int4
1 | one | 1
2 | two | 3
SELECT 2
> create function nullpt() returns pt language sql as 'select null::pt'
CREATE FUNCTION
> select nullpt() is null, nullpt()
?column?:bool | nullpt:user
t | NULL
SELECT 1
> select * from nullpt()
x:int4 | y:int4
NULL | NULL
SELECT 1
# plpgsql
> create function f1(p pos) returns pos language plpgsql as $$ begin return p - 5; end $$
CREATE FUNCTION
> select f1(10)
f1:int4
5
SELECT 1
> select f1(3)
f1:int4
ERROR 23514: value for domain pos violates check constraint "pos_check"
> create function f2(i int) returns int language plpgsql as $$
> declare v pos := 1;
> begin
>   v := i;
>   return v * 2;
> end $$
CREATE FUNCTION
> select f2(4)
f2:int4
8
SELECT 1
> select f2(0)
f2:int4
ERROR 23514: value for domain pos violates check constraint "pos_check"
> create function f3() returns text language plpgsql as $$
> declare v name_t;
> begin
>   return v;
> end $$
CREATE FUNCTION
> select f3()
f3:text
ERROR 23502: domain name_t does not allow null values
> create function f4() returns name_t language plpgsql as $$ begin return null; end $$
CREATE FUNCTION
> select f4()
f4:text
ERROR 23502: domain name_t does not allow null values
> create function f5(a int, b int) returns pt language plpgsql as $$
> declare r pt;
> begin
>   r.x := a;
>   r.y := b;
>   return r;
> end $$
CREATE FUNCTION
> select f5(1,2), pg_typeof(f5(1,2))
f5:user | pg_typeof:regtype
(1,2) | pt
SELECT 1
> select * from f5(3,4)
x:int4 | y:int4
3 | 4
SELECT 1
> create function f6(p pt) returns pt language plpgsql as $$
> declare r pt := p;
> begin
>   r.x = r.x + 100;
>   if p.y > 1 then r := row(r.x, p.y * 2); end if;
>   return r;
> end $$
CREATE FUNCTION
> select f6(row(1,1)), f6(row(1,5))
f6:user | f6:user
(101,1) | (101,10)
SELECT 1
> create function f7() returns seg language plpgsql as $$
> declare s seg;
> begin
>   s.a := row(1,2);
>   s.b := row(3,4);
>   s.tag := 'q';
>   s.a.x := 77;
>   return s;
> end $$
CREATE FUNCTION
> select f7()
f7:user
("(77,2)","(3,4)",q)
SELECT 1
> select (f7()).a.x
x:int4
77
SELECT 1
> select (s).a.y, tag from f7() s
y:int4 | tag:text
2 | q
SELECT 1
> create function f8() returns int[] language plpgsql as $$
> declare a int[] := '{1,2,3,4,5}';
> begin
>   a[2:3] := array[20,30];
>   a[7] := 70;
>   a[1] := a[1] + 1;
>   return a;
> end $$
CREATE FUNCTION
> select f8()
f8:_int4
{2,20,30,4,5,NULL,70}
SELECT 1
> create function f9() returns pt[] language plpgsql as $$
> declare a pt[];
> begin
>   a[1] := row(1,2);
>   a[2] := row(3,4);
>   a[2].y := 44;
>   return a || row(5,6)::pt;
> end $$
CREATE FUNCTION
> select f9()
f9:user
{"(1,2)","(3,44)","(5,6)"}
SELECT 1
> create function f10(a int[]) returns setof text language plpgsql as $$
> declare s int[]; i int;
> begin
>   foreach s slice 1 in array a loop
>     return next s::text;
>   end loop;
>   foreach i in array a loop
>     return next i::text;
>   end loop;
> end $$
CREATE FUNCTION
> select * from f10(array[[1,2],[3,4]])
f10:text
{1,2}
{3,4}
1
2
3
4
SELECT 6
> create function f11(a int[]) returns int language plpgsql as $$
> declare s int; begin foreach s slice 1 in array a loop return s; end loop; return 0; end $$
CREATE FUNCTION
> select f11(array[1,2])
f11:int4
ERROR 42804: FOREACH ... SLICE loop variable must be of an array type
> create function f12(a int[]) returns int language plpgsql as $$
> declare s int[]; begin foreach s slice 3 in array a loop return 1; end loop; return 0; end $$
CREATE FUNCTION
> select f12(array[1,2])
f12:int4
ERROR 2202E: slice dimension (3) is out of the valid range 0..1
> create function f13() returns setof pt language plpgsql as $$
> declare r pt;
> begin
>   for i in 1..3 loop
>     r.x := i; r.y := -i;
>     return next r;
>   end loop;
>   return query select 10, 20;
>   return query select 11, 'x';
> end $$
CREATE FUNCTION
> select * from f13()
x:int4 | y:int4
ERROR 42804: structure of query does not match function result type
DETAIL: Returned type text does not match expected type integer in column 2.
> create function f14() returns text language plpgsql as $$
> declare r t%rowtype; q t.q%type := 3; n t;
> begin
>   select * into r from t where id = 2;
>   select * into strict n from t where id = 1;
>   q := r.q + n.q;
>   return r.note || n.note || q || (r.p).x;
> end $$
CREATE FUNCTION
> select f14()
f14:text
twoone113
SELECT 1
> create function f15(d dpt) returns dpt language plpgsql as $$
> begin
>   d.x := d.x - 5;
>   return d;
> end $$
CREATE FUNCTION
> select f15(row(9,1)::pt)
f15:user
(4,1)
SELECT 1
> select f15(row(1,1)::pt)
f15:user
ERROR 23514: value for domain dpt violates check constraint "dpt_check"
> create function f16(p pt, out a int, out b text) language plpgsql as $$ begin a := p.x; b := 'y' || p.y; end $$
CREATE FUNCTION
> select f16(row(1,2)), (f16(row(3,4))).b
f16:record | b:text
(1,y2) | y4
SELECT 1
> create function f17(out p pt, out n pos) language plpgsql as $$ begin p := row(1,2); n := 4; end $$
CREATE FUNCTION
> select f17(), (f17()).p
f17:record | p:user
("(1,2)",4) | (1,2)
SELECT 1
> create function f18(inout p pt) language plpgsql as $$ begin p.x := p.x * 10; end $$
CREATE FUNCTION
> select f18(row(4,4)), (f18(row(4,4))).x
f18:user | x:int4
(40,4) | 40
SELECT 1
> select * from f18(row(5,6))
x:int4 | y:int4
50 | 6
SELECT 1
> create function f19(r record) returns text language plpgsql as $$ begin return r::text; end $$
CREATE FUNCTION
> select f19(row(1,2)::pt)
f19:text
(1,2)
SELECT 1
> create function f20(n int) returns setof t language plpgsql as $$
> declare r record;
> begin
>   for r in select * from t where id <= n order by id loop
>     return next r;
>   end loop;
> end $$
CREATE FUNCTION
> select id, note from f20(2)
id:int4 | note:text
1 | one
2 | two
SELECT 2
> create function f21() returns text language plpgsql as $$
> declare r record;
> begin
>   select 1 as a, row(2,3)::pt as p into r;
>   r.a := 9;
>   r.p.y := 33;
>   return r.a || ' ' || (r.p).x || ' ' || (r.p).y;
> end $$
CREATE FUNCTION
> select f21()
f21:text
9 2 33
SELECT 1
> create function f22() returns text language plpgsql as $$
> declare r pt; begin r := '(4,5)'; r.z := 1; return r.x; end $$
CREATE FUNCTION
> select f22()
f22:text
ERROR 42703: record "r" has no field "z"
> create function f23(x anyelement) returns anyelement language plpgsql as $$ declare y x%type; begin y := x; return y; end $$
CREATE FUNCTION
> select f23(4), f23('b'::text)
f23:int4 | f23:text
4 | b
SELECT 1
> create function f24(x pt) returns pt language plpgsql as $$ begin return null; end $$
CREATE FUNCTION
> select f24(row(1,2)), f24(row(1,2)) is null
f24:user | ?column?:bool
NULL | t
SELECT 1
> select * from f24(row(1,2))
x:int4 | y:int4
NULL | NULL
SELECT 1
> create procedure pr(inout p pt) language plpgsql as $$ begin p.x := p.x + 1; end $$
CREATE PROCEDURE
> call pr(row(1,1))
p:user
(2,1)
CALL
> create table log(p pt, q pos)
CREATE TABLE
> create function f25(p pt, q pos) returns void language plpgsql as $$ begin insert into log values (p, q); update log set p = f25.p where false; end $$
CREATE FUNCTION
> select f25(row(1,2), 3)
f25:void
|
SELECT 1
> select * from log
p:user | q:int4
(1,2) | 3
SELECT 1
> create function f26() returns void language plpgsql as $$ declare l log; begin l.p := row(8,9); l.q := 2; insert into log values (l.*); insert into log select l.*; end $$
CREATE FUNCTION
> select f26()
f26:void
|
SELECT 1
> select * from log order by (p).x
p:user | q:int4
(1,2) | 3
(8,9) | 2
(8,9) | 2
SELECT 3
> create function f27() returns void language plpgsql as $$ declare l log; begin l.q := -2; end $$
CREATE FUNCTION
> select f27()
f27:void
ERROR 23514: value for domain pos violates check constraint "pos_check"
> select proname, prorettype::regtype, proargtypes::regtype[] from pg_proc where proname in ('dbl','px','trow','first_t','arr') order by 1
proname:name | prorettype:regtype | proargtypes:_regtype
arr | pt[] | [0:0]={pt[]}
dbl | pos | [0:0]={pos}
first_t | t | {}
px | integer | [0:0]={pt}
trow | text | [0:0]={t}
SELECT 5
> select pg_get_function_arguments('trow'::regproc), pg_get_function_result('all_t'::regproc), pg_get_function_result('arr'::regproc)
pg_get_function_arguments:text | pg_get_function_result:text | pg_get_function_result:text
r t | SETOF t | pt[]
SELECT 1
> create function ov(t) returns text language sql as 'select ''t'''
CREATE FUNCTION
> create function ov(pt) returns text language sql as 'select ''pt'''
CREATE FUNCTION
> create function ov(pos) returns text language sql as 'select ''pos'''
CREATE FUNCTION
> create function ov(text) returns text language sql as 'select ''text'''
CREATE FUNCTION
> select ov(row(1,2)::pt), ov(3::pos), ov('x'::text) from t where id = 1
ov:text | ov:text | ov:text
pt | pos | text
SELECT 1
> drop function ov(t)
DROP FUNCTION
> create function app(n int) returns int language plpgsql as $$
> declare a int[] := '{}'; s int := 0; x int;
> begin
>   for i in 1..n loop a[i] := i; end loop;
>   foreach x in array a loop s := s + x; end loop;
>   return s;
> end $$
CREATE FUNCTION
> select app(1000)
app:int4
500500
SELECT 1
