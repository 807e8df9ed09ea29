# Outputs of procedures to fields and constants, NOT NULL records, types that were made again.
> create type var_record as (f1 int, f2 int)
CREATE TYPE

> do $$ declare x var_record not null := row(41,42); begin raise notice 'x = %', x; x := row(null,null); raise notice 'x = %', x; x := null; end$$
NOTICE 00000: x = (41,42)
NOTICE 00000: x = (,)
ERROR 22004: null value cannot be assigned to variable "x" declared NOT NULL

> do $$ declare x var_record not null := null; begin raise notice 'x = %', x; end$$
ERROR 22004: null value cannot be assigned to variable "x" declared NOT NULL

> do $$ declare x record not null := row(1,2); begin raise notice 'x = %', x; x := null; end$$
NOTICE 00000: x = (1,2)
ERROR 22004: null value cannot be assigned to variable "x" declared NOT NULL

> do $$ declare x record not null := row(1,2); begin select null into x; raise notice 'x = %', x; select 1 into x where false; end$$
NOTICE 00000: x = ()
DO

> do $$ declare x var_record not null := row(1,2); begin select null, null into x; raise notice 'x = %', x; select 1, 2 into x where false; raise notice 'x = %', x; end$$
NOTICE 00000: x = (,)
NOTICE 00000: x = (,)
DO

> create table mutable2(f1 int, f2 text)
CREATE TABLE

> create function sillyaddtwo(int) returns int language plpgsql as $$ declare r mutable2; begin r.f1 := $1; return r.f1 + 2; end $$
CREATE FUNCTION

> select sillyaddtwo(42)
sillyaddtwo:int4
44
SELECT 1

> drop table mutable2
DROP TABLE

> select sillyaddtwo(42)
sillyaddtwo:int4
ERROR 42704: type "mutable2" does not exist

> create table mutable2(f0 text, f1 int, f2 text)
CREATE TABLE

> select sillyaddtwo(42)
sillyaddtwo:int4
44
SELECT 1

> select sillyaddtwo(43)
sillyaddtwo:int4
45
SELECT 1

> alter table mutable2 add column f3 int
ALTER TABLE

> select sillyaddtwo(44)
sillyaddtwo:int4
46
SELECT 1

> create procedure p1(inout a int, out b text) language plpgsql as $$ begin a := a + 1; b := 'b' || a; end $$
CREATE PROCEDURE

> create type pr as (x int, y text)
CREATE TYPE

> do $$ declare r pr; begin r.x := 4; call p1(r.x, r.y); raise notice '%', r; end $$
NOTICE 00000: (5,b5)
DO

> do $$ declare r record; begin select 4 as x, 'q' as y into r; call p1(r.x, r.y); raise notice '%', r; call p1(b => r.y, a => r.x); raise notice '%', r; end $$
NOTICE 00000: (5,b5)
NOTICE 00000: (6,b6)
DO

> do $$ declare a int[] := '{1,2}'; t text; begin call p1(a[1], t); raise notice '%', a; end $$
ERROR 42601: procedure parameter "a" is an output parameter but corresponding argument is not writable

> do $$ declare a int := 1; begin call p1(a, 'x'); end $$
ERROR 42601: procedure parameter "b" is an output parameter but corresponding argument is not writable

> create table tt(a int primary key, b text)
CREATE TABLE

> create function trf() returns trigger language plpgsql as $$ begin call p1(new.a, new.b); return new; end $$
CREATE FUNCTION

> create trigger tr before insert on tt for each row execute function trf()
CREATE TRIGGER

> insert into tt values (1, 'z')
INSERT 0 1

> select * from tt
a:int4 | b:text
2 | b2
SELECT 1

