# Rows of one composite column in INTO, FOR and FETCH.
> create table tt (id int, n text); insert into tt values (1, 'a')
CREATE TABLE
INSERT 0 1

> create type ct as (x int, y text)
CREATE TYPE

> do $$ declare r record; begin select tt into r from tt; raise notice '% %', r, (r.tt).id; raise notice '%', r.id; end $$
NOTICE 00000: ("(1,a)") 1
ERROR 42703: record "r" has no field "id"

> do $$ declare r tt; begin select tt into r from tt; raise notice '%', r; end $$
ERROR 22P02: invalid input syntax for type integer: "(1,a)"

> do $$ declare r tt; begin select * into r from tt; raise notice '%', r; end $$
NOTICE 00000: (1,a)
DO

> do $$ declare r record; begin select row(1,2) into r; raise notice '%', r; end $$
NOTICE 00000: ("(1,2)")
DO

> do $$ declare r record; begin for r in select tt from tt loop raise notice '% %', r, (r.tt).n; end loop; end $$
NOTICE 00000: ("(1,a)") a
DO

> do $$ declare r tt; begin for r in select tt from tt loop raise notice '% %', r, r.n; end loop; end $$
ERROR 22P02: invalid input syntax for type integer: "(1,a)"

> do $$ declare r tt; begin for r in select * from tt loop raise notice '% %', r, r.n; r := (5, 'z'); raise notice '%', r; end loop; end $$
NOTICE 00000: (1,a) a
NOTICE 00000: (5,z)
DO

> do $$ declare r tt; c cursor for select tt from tt; begin open c; fetch c into r; raise notice '%', r; end $$
ERROR 22P02: invalid input syntax for type integer: "(1,a)"

> do $$ declare r ct; begin select (1,'b')::ct into r; raise notice '%', r; end $$
ERROR 22P02: invalid input syntax for type integer: "(1,b)"

> do $$ declare r ct; begin r := (1,'b')::ct; raise notice '%', r; r := (select (2, 'c')::ct); raise notice '%', r; execute 'select (3, ''d'')::ct' into r; raise notice '%', r; end $$
NOTICE 00000: (1,b)
NOTICE 00000: (2,c)
ERROR 22P02: invalid input syntax for type integer: "(3,d)"

> create function fc() returns ct language plpgsql as $$ declare r ct; begin r.x := 4; r.y := 'q'; return r; end $$
CREATE FUNCTION

> do $$ declare r ct; begin r := fc(); raise notice '%', r; select * into r from fc(); raise notice '%', r; select fc() into r; raise notice '%', r; end $$
NOTICE 00000: (4,q)
NOTICE 00000: (4,q)
ERROR 22P02: invalid input syntax for type integer: "(4,q)"

> do $$ declare r record; begin r := fc(); raise notice '%', r.x; select * into r from fc(); raise notice '%', r.y; select fc() into r; raise notice '%', r.fc; end $$
NOTICE 00000: 4
NOTICE 00000: q
NOTICE 00000: (4,q)
DO

> create function fd() returns setof ct language plpgsql as $$ declare r ct; begin for r in select * from fc() loop return next r; end loop; return query select * from fc(); end $$
CREATE FUNCTION

> select * from fd()
x:int4 | y:text
4 | q
4 | q
SELECT 2

> do $$ declare a int; b text; begin select fc() into a, b; raise notice '% %', a, b; end $$
ERROR 22P02: invalid input syntax for type integer: "(4,q)"

> do $$ declare a ct; b text; begin select fc(), 'x' into a, b; raise notice '% %', a, b; end $$
ERROR 42601: record variable cannot be part of multiple-item INTO list

> do $$ declare r record; begin insert into tt values (7,'u') returning tt into r; raise notice '%', r; end $$
NOTICE 00000: ("(7,u)")
DO

> drop table tt; drop function fd; drop function fc; drop type ct
DROP TABLE
DROP FUNCTION
DROP FUNCTION
DROP TYPE
