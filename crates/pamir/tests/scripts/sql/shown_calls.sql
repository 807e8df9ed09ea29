# Stored expressions as they are shown: users' functions with schemas where they need them.

> create function isp(int) returns boolean language sql immutable as 'select $1 > 0'
CREATE FUNCTION

> create schema s2
CREATE SCHEMA

> create function s2.isq(int) returns boolean language sql immutable as 'select $1 > 0'
CREATE FUNCTION

> create function "Odd f"(int) returns boolean language sql immutable as 'select $1 > 0'
CREATE FUNCTION

> create table t(a int default (case when isp(1) then 1 else 2 end), b bool, d text, constraint c1 check (isp(a)), constraint c2 check (b), constraint c6 check (coalesce(b,true)), constraint c7 check (case when a > 1 then b else false end), constraint c8 check (true), constraint c9 check (s2.isq(a)), constraint ca check ("Odd f"(a)), constraint cb check (a is not null and d <> 'public.isp(1)'), constraint cc check (not b), constraint cd check (a::text::bool), constraint ce check (d like 'x%'), constraint cf check (a in (1,2)), constraint cg check (d ~ 'x' or isp(a)), constraint ch check (b is true), constraint ci check (a between 1 and 2))
CREATE TABLE

> alter table t add g bool generated always as (isp(a)) stored
ALTER TABLE

> create index i1 on t (isp(a))
CREATE INDEX

> create index i2 on t ((isp(a) and b)) where isp(a) and s2.isq(a)
CREATE INDEX

> select pg_get_indexdef('i1'::regclass), pg_get_indexdef('i2'::regclass)
pg_get_indexdef:text | pg_get_indexdef:text
CREATE INDEX i1 ON public.t USING btree (isp(a)) | CREATE INDEX i2 ON public.t USING btree (((isp(a) AND b))) WHERE (isp(a) AND s2.isq(a))
SELECT 1

> select pg_get_indexdef('i1'::regclass,1,true), pg_get_indexdef('i2'::regclass,1,false)
pg_get_indexdef:text | pg_get_indexdef:text
isp(a) | ((isp(a) AND b))
SELECT 1

> select pg_get_expr(indpred, indrelid), pg_get_expr(indexprs, indrelid) from pg_index where indrelid='t'::regclass order by 1,2
pg_get_expr:text | pg_get_expr:text
(isp(a) AND s2.isq(a)) | (isp(a) AND b)
NULL | isp(a)
SELECT 2

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid='t'::regclass order by 1
pg_get_expr:text
\nCASE\n    WHEN isp(1) THEN 1\n    ELSE 2\nEND
isp(a)
SELECT 2

> create domain dd as int check (isp(value)) check (value > 0)
CREATE DOMAIN

> select conname, pg_get_constraintdef(oid) from pg_constraint where contypid='dd'::regtype order by 1
conname:name | pg_get_constraintdef:text
dd_check | CHECK (isp(VALUE))
dd_check1 | CHECK ((VALUE > 0))
SELECT 2

> create function tf() returns trigger language plpgsql as 'begin return new; end'
CREATE FUNCTION

> create trigger tr before insert on t for each row when (isp(new.a)) execute function tf()
CREATE TRIGGER

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid='t'::regclass
pg_get_triggerdef:text
CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW WHEN (isp(new.a)) EXECUTE FUNCTION tf()
SELECT 1

> set search_path = s2, public
SET

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid='t'::regclass order by 1
conname:name | pg_get_constraintdef:text
c1 | CHECK (isp(a))
c2 | CHECK (b)
c6 | CHECK (COALESCE(b, true))
c7 | CHECK (\nCASE\n    WHEN (a > 1) THEN b\n    ELSE false\nEND)
c8 | CHECK (true)
c9 | CHECK (isq(a))
ca | CHECK ("Odd f"(a))
cb | CHECK (((a IS NOT NULL) AND (d <> 'public.isp(1)'::text)))
cc | CHECK ((NOT b))
cd | CHECK (((a)::text)::boolean)
ce | CHECK ((d ~~ 'x%'::text))
cf | CHECK ((a = ANY (ARRAY[1, 2])))
cg | CHECK (((d ~ 'x'::text) OR isp(a)))
ch | CHECK ((b IS TRUE))
ci | CHECK (((a >= 1) AND (a <= 2)))
SELECT 15

> set search_path = ''
SET

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid='public.t'::regclass order by 1
conname:name | pg_get_constraintdef:text
c1 | CHECK (public.isp(a))
c2 | CHECK (b)
c6 | CHECK (COALESCE(b, true))
c7 | CHECK (\nCASE\n    WHEN (a > 1) THEN b\n    ELSE false\nEND)
c8 | CHECK (true)
c9 | CHECK (s2.isq(a))
ca | CHECK (public."Odd f"(a))
cb | CHECK (((a IS NOT NULL) AND (d <> 'public.isp(1)'::text)))
cc | CHECK ((NOT b))
cd | CHECK (((a)::text)::boolean)
ce | CHECK ((d ~~ 'x%'::text))
cf | CHECK ((a = ANY (ARRAY[1, 2])))
cg | CHECK (((d ~ 'x'::text) OR public.isp(a)))
ch | CHECK ((b IS TRUE))
ci | CHECK (((a >= 1) AND (a <= 2)))
SELECT 15

> select pg_get_indexdef('public.i1'::regclass), pg_get_indexdef('public.i2'::regclass)
pg_get_indexdef:text | pg_get_indexdef:text
CREATE INDEX i1 ON public.t USING btree (public.isp(a)) | CREATE INDEX i2 ON public.t USING btree (((public.isp(a) AND b))) WHERE (public.isp(a) AND s2.isq(a))
SELECT 1

> select pg_get_triggerdef(oid) from pg_trigger where tgrelid='public.t'::regclass
pg_get_triggerdef:text
CREATE TRIGGER tr BEFORE INSERT ON public.t FOR EACH ROW WHEN (public.isp(new.a)) EXECUTE FUNCTION public.tf()
SELECT 1
