# What owned sequences, dropped schemas and array slices say of themselves.
> create table so (a int, b serial, c int generated always as identity, d int, e int)
CREATE TABLE

> create sequence so_a owned by so.a
CREATE SEQUENCE

> create sequence so_d
CREATE SEQUENCE

> select pg_get_serial_sequence('so', 'a'), pg_get_serial_sequence('so', 'b'), pg_get_serial_sequence('so', 'c'), pg_get_serial_sequence('so', 'd'), pg_get_serial_sequence('so', 'e')
pg_get_serial_sequence:text | pg_get_serial_sequence:text | pg_get_serial_sequence:text | pg_get_serial_sequence:text | pg_get_serial_sequence:text
public.so_a | public.so_b_seq | public.so_c_seq | NULL | NULL
SELECT 1

> alter sequence so_d owned by so.d
ALTER SEQUENCE

> alter sequence so_b_seq owned by none
ALTER SEQUENCE

> select pg_get_serial_sequence('so', 'a'), pg_get_serial_sequence('so', 'b'), pg_get_serial_sequence('so', 'd')
pg_get_serial_sequence:text | pg_get_serial_sequence:text | pg_get_serial_sequence:text
public.so_a | NULL | public.so_d
SELECT 1

> alter sequence so_b_seq owned by so.e
ALTER SEQUENCE

> create sequence so_e2 owned by so.e
CREATE SEQUENCE

> select pg_get_serial_sequence('so', 'b'), pg_get_serial_sequence('so', 'e')
pg_get_serial_sequence:text | pg_get_serial_sequence:text
NULL | public.so_b_seq
SELECT 1

> drop table so
DROP TABLE

> create schema gone
CREATE SCHEMA

> create role gone_role
CREATE ROLE

> alter default privileges in schema gone grant select on tables to gone_role
ALTER DEFAULT PRIVILEGES

> select count(*) from pg_default_acl
count:int8
1
SELECT 1

> drop schema gone cascade
DROP SCHEMA

> select count(*) from pg_default_acl
count:int8
0
SELECT 1

> drop role gone_role
DROP ROLE

> create type sl_pair as (x int, y int[])
CREATE TYPE

> create table sl (a int[], b int[][], p sl_pair, check (a[1:2] = '{1,2}' or a[:1] is null), n int)
CREATE TABLE

> create index sl_i on sl ((a[2:3]))
CREATE INDEX

> create view sl_v as select a[1:2] as p, a[:2] as q, a[2:] as r, a[:] as s, b[1:2][3] as t, (p).y[1:2] as u, (a || 5)[1:n] as v, (array_remove(a, 9))[2:n + 1] as w, a[1] as x from sl
CREATE VIEW

> select pg_get_viewdef('sl_v')
pg_get_viewdef:text
 SELECT sl.a[1:2] AS p,\n    sl.a[:2] AS q,\n    sl.a[2:] AS r,\n    sl.a[:] AS s,\n    sl.b[1:2][1:3] AS t,\n    (sl.p).y[1:2] AS u,\n    ((sl.a || 5))[1:sl.n] AS v,\n    (array_remove(sl.a, 9))[2:(sl.n + 1)] AS w,\n    sl.a[1] AS x\n   FROM sl;
SELECT 1

> select pg_get_viewdef('sl_v', true)
pg_get_viewdef:text
 SELECT sl.a[1:2] AS p,\n    sl.a[:2] AS q,\n    sl.a[2:] AS r,\n    sl.a[:] AS s,\n    sl.b[1:2][1:3] AS t,\n    (sl.p).y[1:2] AS u,\n    (sl.a || 5)[1:sl.n] AS v,\n    (array_remove(sl.a, 9))[2:sl.n + 1] AS w,\n    sl.a[1] AS x\n   FROM sl;
SELECT 1

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'sl'::regclass
pg_get_constraintdef:text
CHECK (((a[1:2] = '{1,2}'::integer[]) OR (a[:1] IS NULL)))
SELECT 1

> select pg_get_indexdef('sl_i'::regclass)
pg_get_indexdef:text
CREATE INDEX sl_i ON public.sl USING btree ((a[2:3]))
SELECT 1

> insert into sl values ('{1,2,3,4}', '{{1,2,3},{4,5,6}}', row(1, '{7,8,9}'), 3)
INSERT 0 1

> select * from sl_v
p:_int4 | q:_int4 | r:_int4 | s:_int4 | t:_int4 | u:_int4 | v:_int4 | w:_int4 | x:int4
{1,2} | {1,2} | {2,3,4} | {1,2,3,4} | {{1,2,3},{4,5,6}} | {7,8} | {1,2,3} | {2,3,4} | 1
SELECT 1

> drop table sl cascade
NOTICE 00000: drop cascades to view sl_v
DROP TABLE

> drop type sl_pair
DROP TYPE
> create table wi (a int, flag boolean, b boolean[], t text)
CREATE TABLE

> create index wi_1 on wi (a) where flag
CREATE INDEX

> create index wi_2 on wi (a) where not flag
CREATE INDEX

> create index wi_3 on wi (a) where b[1]
CREATE INDEX

> create index wi_4 on wi (a) where a > 1 and flag
CREATE INDEX

> create index wi_5 on wi (a) where isfinite(make_date(a, 1, 1))
CREATE INDEX

> create index wi_6 on wi (a) where flag is true
CREATE INDEX

> create index wi_7 on wi (a) where t::boolean
CREATE INDEX

> create index wi_8 on wi (a) where coalesce(flag, true)
CREATE INDEX

> create index wi_9 on wi (a) where a in (1, 2)
CREATE INDEX

> select pg_get_indexdef(indexrelid), pg_get_indexdef(indexrelid, 0, true), pg_get_expr(indpred, indrelid) from pg_index where indrelid = 'wi'::regclass order by indexrelid
pg_get_indexdef:text | pg_get_indexdef:text | pg_get_expr:text
CREATE INDEX wi_1 ON public.wi USING btree (a) WHERE flag | CREATE INDEX wi_1 ON wi USING btree (a) WHERE flag | flag
CREATE INDEX wi_2 ON public.wi USING btree (a) WHERE (NOT flag) | CREATE INDEX wi_2 ON wi USING btree (a) WHERE NOT flag | (NOT flag)
CREATE INDEX wi_3 ON public.wi USING btree (a) WHERE b[1] | CREATE INDEX wi_3 ON wi USING btree (a) WHERE b[1] | b[1]
CREATE INDEX wi_4 ON public.wi USING btree (a) WHERE ((a > 1) AND flag) | CREATE INDEX wi_4 ON wi USING btree (a) WHERE a > 1 AND flag | ((a > 1) AND flag)
CREATE INDEX wi_5 ON public.wi USING btree (a) WHERE isfinite(make_date(a, 1, 1)) | CREATE INDEX wi_5 ON wi USING btree (a) WHERE isfinite(make_date(a, 1, 1)) | isfinite(make_date(a, 1, 1))
CREATE INDEX wi_6 ON public.wi USING btree (a) WHERE (flag IS TRUE) | CREATE INDEX wi_6 ON wi USING btree (a) WHERE flag IS TRUE | (flag IS TRUE)
CREATE INDEX wi_7 ON public.wi USING btree (a) WHERE (t)::boolean | CREATE INDEX wi_7 ON wi USING btree (a) WHERE t::boolean | (t)::boolean
CREATE INDEX wi_8 ON public.wi USING btree (a) WHERE COALESCE(flag, true) | CREATE INDEX wi_8 ON wi USING btree (a) WHERE COALESCE(flag, true) | COALESCE(flag, true)
CREATE INDEX wi_9 ON public.wi USING btree (a) WHERE (a = ANY (ARRAY[1, 2])) | CREATE INDEX wi_9 ON wi USING btree (a) WHERE a = ANY (ARRAY[1, 2]) | (a = ANY (ARRAY[1, 2]))
SELECT 9

> drop table wi
DROP TABLE

> select 'x'::information_schema.sql_identifier, 5::information_schema.cardinal_number, 'abc'::information_schema.character_data, cast('YES' as information_schema.yes_or_no)
sql_identifier:name | cardinal_number:int4 | character_data:varchar | yes_or_no:varchar
x | 5 | abc | YES
SELECT 1

> select table_name::information_schema.sql_identifier from information_schema.tables where table_name = 'pg_class'::information_schema.sql_identifier
table_name:name
pg_class
SELECT 1

> select 'x'::information_schema.nothing
ERROR 42704: type "information_schema.nothing" does not exist
> create table pk (a int, b int, c int) partition by list (a)
CREATE TABLE

> create table pk_1 partition of pk for values in (1) partition by range (b)
CREATE TABLE

> create view pk_v as select a, b, c from pk
CREATE VIEW

> alter table pk drop column a
ERROR 42P16: cannot drop column "a" because it is part of the partition key of relation "pk"

> alter table pk drop column b
ERROR 42P16: cannot drop column "b" because it is part of the partition key of relation "pk_1"

> alter table pk_1 drop column b
ERROR 42P16: cannot drop inherited column "b"

> drop table pk cascade
NOTICE 00000: drop cascades to view pk_v
DROP TABLE
