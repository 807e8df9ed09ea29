# PL/pgSQL and SQL functions in queries: overloads, names, cursors, records, DO, CALL.
> create table t(a int primary key, b text)
CREATE TABLE
> insert into t values (1,'x'),(2,'y'),(3,'z')
INSERT 0 3
> create function q1(a int) returns text language sql as $$ select b from t where t.a = q1.a $$
CREATE FUNCTION
> select q1(2)
q1:text
y
SELECT 1
> create function q2(a int) returns setof t language sql as $$ select * from t where t.a >= $1 order by 1; $$
CREATE FUNCTION
> select q2(2)
q2:user
(2,y)
(3,z)
SELECT 2
> select (q2(2)).b
b:text
y
z
SELECT 2
> select count(*) from q2(1)
count:int8
3
SELECT 1
> create function q3(v text) returns void language sql as $$ insert into t values (10, v); delete from t where a = 3; $$
CREATE FUNCTION
> select q3('ten')
q3:void
NULL
SELECT 1
> select * from t order by 1
a:int4 | b:text
1 | x
2 | y
10 | ten
SELECT 3
> create function q4(x int default 5, y int default 7) returns int language sql as $$ select x * 100 + y $$
CREATE FUNCTION
> select q4(), q4(1), q4(1,2), q4(y => 3), q4(y := 1, x := 2)
q4:int4 | q4:int4 | q4:int4 | q4:int4 | q4:int4
507 | 107 | 102 | 503 | 201
SELECT 1
> create function q5(int, int) returns int language sql as 'select $1 - $2'
CREATE FUNCTION
> select a, q1(a) from t order by q1(a) desc
a:int4 | q1:text
2 | y
1 | x
10 | ten
SELECT 3
> create table u(id int default q4(1,1), n text)
CREATE TABLE
> insert into u(n) values ('n')
INSERT 0 1
> select * from u
id:int4 | n:text
101 | n
SELECT 1
> create function imm(int) returns int language sql immutable as 'select $1 + 1'
CREATE FUNCTION
> create index ui on u (imm(id))
CREATE INDEX
> select * from u where imm(id) = 102
id:int4 | n:text
101 | n
SELECT 1
> create or replace function imm(int) returns int language plpgsql immutable as 'begin return $1 + 1; end'
CREATE FUNCTION
> insert into u values (3, 'three')
INSERT 0 1
> select * from u where imm(id) = 4
id:int4 | n:text
3 | three
SELECT 1
> do $$
> declare a int[]; m int; r record; s text; n numeric := 1.5; d date := '2024-01-31'; b boolean;
> begin
>   a := array(select t.a from t order by 1);
>   select max(x) into m from unnest(a) x;
>   raise notice '% % % %', a, m, n * 2, d + 1;
>   for r in select t.a, t.b, t.a * 2 as dbl from t order by t.a loop raise notice '%: % %', r.a, r.b, r.dbl; end loop;
>   for s in select t.b from t order by 1 loop raise notice 's %', s; end loop;
>   for m, s in select t.a, t.b from t order by 1 loop raise notice '% %', m, s; end loop;
>   b := exists (select 1 from t where t.a = 10);
>   raise notice 'b % r %', b, r;
>   select count(*), min(t.a) into m, s from t;
>   raise notice '% %', m, s;
>   r := row(1, 'q', null);
>   raise notice 'r %', r;
>   execute 'select $1 + $2, $3' into m, s using 1, 2, 'z'::text;
>   raise notice '% %', m, s;
>   if m is null then null; elsif m = 3 then raise notice 'three'; else raise notice 'else'; end if;
>   perform pg_sleep(0);
>   loop m := m + 1; exit when m > 5; end loop;
>   raise notice 'm %', m;
> exception when others then raise notice 'err % %', sqlstate, sqlerrm;
> end $$
NOTICE 00000: {1,2,10} 10 3.0 2024-02-01
NOTICE 00000: 1: x 2
NOTICE 00000: 2: y 4
NOTICE 00000: 10: ten 20
NOTICE 00000: s ten
NOTICE 00000: s x
NOTICE 00000: s y
NOTICE 00000: 1 x
NOTICE 00000: 2 y
NOTICE 00000: 10 ten
NOTICE 00000: b t r (10,ten,20)
NOTICE 00000: 3 1
NOTICE 00000: r (1,q,)
NOTICE 00000: 3 z
NOTICE 00000: three
NOTICE 00000: m 6
DO
> do $$ declare x int; begin select a into x from t where a = -1; raise notice 'x % found %', x, found; insert into t values (20, 'tw') returning a into x; raise notice 'x % %', x, found; end $$
NOTICE 00000: x <NULL> found f
NOTICE 00000: x 20 t
DO
> do language plpgsql $$ begin create table made(a int); insert into made values (1); execute 'alter table made add b int'; end $$
DO
> select * from made
a:int4 | b:int4
1 | NULL
SELECT 1
> do $$ begin raise notice 'a' using detail = 'd', hint = 'h'; end $$
NOTICE 00000: a
DETAIL: d
HINT: h
DO
> do $$ declare t record; begin for t in select 1 as one loop raise notice '%', t.one; end loop; end $$
NOTICE 00000: 1
DO
> do $$ begin begin raise exception 'in'; exception when others then raise notice 'got %', sqlerrm; raise; end; exception when raise_exception then raise notice 'outer %', sqlerrm; end $$
NOTICE 00000: got in
NOTICE 00000: outer in
DO
> do $$ begin begin perform 1/0; exception when unique_violation then null; end; end $$
ERROR 22012: division by zero
> do $$ declare c refcursor; r record; begin open c for select * from t order by a; move c; fetch c into r; raise notice '%', r; fetch last from c into r; raise notice '%', r; fetch prior from c into r; raise notice '%', r; fetch absolute 1 from c into r; raise notice '%', r.a; close c; end $$
NOTICE 00000: (2,y)
NOTICE 00000: (20,tw)
NOTICE 00000: (10,ten)
NOTICE 00000: 1
DO
> do $$ declare i int := 10; begin for i in 1..2 loop raise notice 'i %', i; end loop; raise notice 'o %', i; declare i text := 'inner'; begin raise notice '%', i; end; end $$
NOTICE 00000: i 1
NOTICE 00000: i 2
NOTICE 00000: o 10
NOTICE 00000: inner
DO
> do $$ <<main>> declare v int := 1; begin declare v int := 2; begin raise notice '% %', v, main.v; end; end main $$
NOTICE 00000: 2 1
DO
> do $$ begin foo := 1; end $$
ERROR 42601: "foo" is not a known variable
> do $$ begin perform nosuch(1); end $$
ERROR 42883: function nosuch(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> do $$ declare r record; begin r.x := 1; end $$
ERROR 55000: record "r" is not assigned yet
DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.
> do $$ declare x int; begin x := 'abc'; end $$
ERROR 22P02: invalid input syntax for type integer: "abc"
> do $$ declare x smallint; begin x := 100000; end $$
ERROR 22003: smallint out of range
> do $$ declare x varchar(3); begin x := 'abcdef'; end $$
ERROR 22001: value too long for type character varying(3)
> do $$ declare x numeric(5,2) := 1.239; y int := 2.7; z text := 5; begin raise notice '% % %', x, y, z; end $$
NOTICE 00000: 1.24 3 5
DO
> do $$ begin null; end $$ language sql
ERROR 0A000: language "sql" does not support inline code execution
> create function vol() returns int language plpgsql as $$ begin return (select count(*) from t); end $$
CREATE FUNCTION
> select vol()
vol:int4
4
SELECT 1
> create function rec(n int) returns int language plpgsql as $$ begin return rec(n + 1); end $$
CREATE FUNCTION
> create function strictf(a int, b int) returns int language plpgsql strict as $$ begin return a + b; end $$
CREATE FUNCTION
> select strictf(1, null), strictf(1,2)
strictf:int4 | strictf:int4
NULL | 3
SELECT 1
> create procedure pout(in a int, out b int, out c text) language plpgsql as $$ begin b := a * 2; c := 'c' || a; end $$
CREATE PROCEDURE
> call pout(4, null, null)
b:int4 | c:text
8 | c4
CALL
> do $$ declare p int; q text; begin call pout(3, p, q); raise notice '% %', p, q; end $$
NOTICE 00000: 6 c3
DO
> create procedure psql(a int) language sql as $$ insert into t values (a, 'p') $$
CREATE PROCEDURE
> call psql(77)
CALL
> select * from t where a = 77
a:int4 | b:text
77 | p
SELECT 1
> create function ov(int) returns text language sql as $$ select 'int' $$
CREATE FUNCTION
> create function ov(bigint) returns text language sql as $$ select 'big' $$
CREATE FUNCTION
> create function ov(text) returns text language sql as $$ select 'text' $$
CREATE FUNCTION
> select ov(1), ov(1::bigint), ov('x'), ov(1::smallint)
ERROR 42725: function ov(smallint) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.
> drop function ov
ERROR 42725: function name "ov" is not unique
HINT: Specify the argument list to select the function unambiguously.
> drop function ov(int), ov(text)
DROP FUNCTION
> select ov(1)
ov:text
big
SELECT 1
> alter function ov(bigint) owner to current_user
ALTER FUNCTION
> create function ov(bigint) returns text language sql as $$ select 'again' $$
ERROR 42723: function "ov" already exists with same argument types
> create or replace function ov(bigint) returns int language sql as $$ select 1 $$
ERROR 42P13: cannot change return type of existing function
HINT: Use DROP FUNCTION ov(bigint) first.
> create or replace function ov(x bigint) returns text language sql as $$ select 'again' $$
CREATE FUNCTION
> create or replace function ov(y bigint) returns text language sql as $$ select 'again' $$
ERROR 42P13: cannot change name of input parameter "x"
HINT: Use DROP FUNCTION ov(bigint) first.
> create or replace procedure ov(x bigint) language sql as $$ select 'again' $$
ERROR 42809: cannot change routine kind
DETAIL: "ov" is a function.
> select trigf()
ERROR 42883: function trigf() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> create function trigf() returns trigger language plpgsql as $$ begin new.b := upper(new.b); return new; end $$
CREATE FUNCTION
> select trigf()
trigf:trigger
ERROR 0A000: trigger functions can only be called as triggers
> create function arrf(int[]) returns int language sql as $$ select $1[1] + array_length($1, 1) $$
CREATE FUNCTION
> select arrf('{5,6}')
arrf:int4
7
SELECT 1
> create function jt() returns table(k text, v jsonb) language sql as $$ select * from jsonb_each('{"a":1,"b":[2]}') $$
CREATE FUNCTION
> select * from jt() order by k
k:text | v:jsonb
a | 1
b | [2]
SELECT 2
> select k from jt() where k = 'b'
k:text
b
SELECT 1
> create function gs(n int) returns setof int language plpgsql as $$ begin for i in 1..n loop return next i * i; end loop; end $$
CREATE FUNCTION
> select gs(3), gs(2)
gs:int4 | gs:int4
1 | 1
4 | 4
9 | NULL
SELECT 3
> select * from gs(3) with ordinality
gs:int4 | ordinality:int8
1 | 1
4 | 2
9 | 3
SELECT 3
> select t.a, g from t, lateral gs(t.a) g where t.a < 3 order by 1, 2
a:int4 | g:int4
1 | 1
2 | 1
2 | 4
SELECT 3
> select sum(x) from gs(10) x
sum:int8
385
SELECT 1
