# Definitions as psql's \d shows them. Expectations by PostgreSQL 15.
> create table x (id serial primary key, a int check (a > 10), b text default 'x' || 'y', d int, check (a > 0 and (b is null or d < 3)))
CREATE TABLE

> create index xi on x ((a + 1)) where b is not null and a > 3
CREATE INDEX

> select pg_get_expr(adbin, adrelid), pg_get_expr(adbin, adrelid, true) from pg_attrdef where adrelid = 'x'::regclass order by adnum
pg_get_expr:text | pg_get_expr:text
nextval('x_id_seq'::regclass) | nextval('x_id_seq'::regclass)
('x'::text || 'y'::text) | 'x'::text || 'y'::text
SELECT 2

> select pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) from pg_constraint where conrelid = 'x'::regclass order by conname
pg_get_constraintdef:text | pg_get_constraintdef:text
CHECK ((a > 10)) | CHECK (a > 10)
CHECK (((a > 0) AND ((b IS NULL) OR (d < 3)))) | CHECK (a > 0 AND (b IS NULL OR d < 3))
PRIMARY KEY (id) | PRIMARY KEY (id)
SELECT 3

> select pg_get_indexdef(indexrelid), pg_get_indexdef(indexrelid, 0, true), pg_get_expr(indpred, indrelid, true) from pg_index where indrelid = 'x'::regclass order by 1
pg_get_indexdef:text | pg_get_indexdef:text | pg_get_expr:text
CREATE INDEX xi ON public.x USING btree (((a + 1))) WHERE ((b IS NOT NULL) AND (a > 3)) | CREATE INDEX xi ON x USING btree ((a + 1)) WHERE b IS NOT NULL AND a > 3 | b IS NOT NULL AND a > 3
CREATE UNIQUE INDEX x_pkey ON public.x USING btree (id) | CREATE UNIQUE INDEX x_pkey ON x USING btree (id) | NULL
SELECT 2

> drop table x
DROP TABLE

> create table marks (a text check (a ~ '\d+'), b text default 'x\y')
CREATE TABLE

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'marks'::regclass
pg_get_constraintdef:text
CHECK ((a ~ '\d+'::text))
SELECT 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'marks'::regclass
pg_get_expr:text
'x\y'::text
SELECT 1
