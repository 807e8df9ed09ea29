# ALTER TABLE goes in passes, changes of types read the table as it was.

> create table ap1 (f1 int, f2 text, f3 text)
CREATE TABLE

> insert into ap1 values (1, 'one', 'uno'), (2, 'two', 'due')
INSERT 0 2

> alter table ap1 alter f1 type text using f2 || ' and ' || f3 || ' more', alter f2 type bigint using f1 * 10, drop column f3
ALTER TABLE

> select * from ap1
f1:text | f2:int8
one and uno more | 10
two and due more | 20
SELECT 2

> create table ap2 (a int, b int, c int default 5)
CREATE TABLE

> insert into ap2 values (1, 2, 3)
INSERT 0 1

> alter table ap2 add column d int default 7, alter a type text using b::text, alter b type text using a::text, drop column c
ALTER TABLE

> select * from ap2
a:text | b:text | d:int4
2 | 1 | 7
SELECT 1

> alter table ap2 alter d type int using a::int + b::int, alter a type int using d
ALTER TABLE

> select * from ap2
a:int4 | b:text | d:int4
7 | 1 | 3
SELECT 1

> alter table ap2 add e text default 'x', alter e type varchar(3)
ERROR 42703: column "e" of relation "ap2" does not exist

> alter table ap2 alter a type bigint, alter a type int
ERROR 0A000: cannot alter type of column "a" twice

> alter table ap2 alter a type numeric, add check (a < 10), alter a set not null, add f int, alter f set default 3, add primary key (b)
ALTER TABLE

> select * from ap2
a:numeric | b:text | d:int4 | f:int4
7 | 1 | 3 | NULL
SELECT 1

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'ap2'::regclass order by 1
conname:name | pg_get_constraintdef:text
ap2_a_check | CHECK ((a < (10)::numeric))
ap2_pkey | PRIMARY KEY (b)
SELECT 2

> create table ap3 (a float check (a > 10.2), b int check (b > 3), c serial)
CREATE TABLE

> alter table ap3 alter a type numeric, alter b type bigint
ALTER TABLE

> alter table ap3 alter c type boolean using true
ERROR 42804: default for column "c" cannot be cast automatically to type boolean

> alter table ap3 alter c drop default
ALTER TABLE

> alter table ap3 alter c type boolean using c % 2 = 0
ALTER TABLE


> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'ap3'::regclass order by 1
conname:name | pg_get_constraintdef:text
ap3_a_check | CHECK (((a)::double precision > (10.2)::double precision))
ap3_b_check | CHECK ((b > 3))
SELECT 2

> alter table ap3 add unique (b)
ALTER TABLE

> alter table ap3 add unique (b)
ALTER TABLE

> alter table ap3 add constraint ap3_b_key unique (b)
ERROR 42P07: relation "ap3_b_key" already exists

> alter table ap3 add constraint ap3_a_check unique (b)
ERROR 42710: constraint "ap3_a_check" for relation "ap3" already exists

> create unique index ap3_desc on ap3 (b desc)
CREATE INDEX

> alter table ap3 add unique using index ap3_desc
ERROR 42809: index "ap3_desc" column number 1 does not have default sorting behavior
DETAIL: Cannot create a primary key or unique constraint using such an index.

> drop table ap1, ap2, ap3
DROP TABLE

> create table ap4 (i int check (i * 1.5 > 2), j smallint default 7 check (j + i::bigint > 5), k float default 1.5, l float default -1.5, m real default 2.25, n float default 3, p float check (p <> -10.2), q varchar(10) check (q = 'a'), v float check (v between 0 and 1.5), w numeric(10,2) default 5.5 check (w >= 0 and w < i))
CREATE TABLE

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'ap4'::regclass order by 1
conname:name | pg_get_constraintdef:text
ap4_check | CHECK (((j + (i)::bigint) > 5))
ap4_check1 | CHECK (((w >= (0)::numeric) AND (w < (i)::numeric)))
ap4_i_check | CHECK ((((i)::numeric * 1.5) > (2)::numeric))
ap4_p_check | CHECK ((p <> ('-10.2'::numeric)::double precision))
ap4_q_check | CHECK (((q)::text = 'a'::text))
ap4_v_check | CHECK (((v >= (0)::double precision) AND (v <= (1.5)::double precision)))
SELECT 6

> select attname, pg_get_expr(adbin, adrelid) from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'ap4'::regclass order by attnum
attname:name | pg_get_expr:text
j | 7
k | 1.5
l | '-1.5'::numeric
m | 2.25
n | 3
w | 5.5
SELECT 6

> create type ap5 as (a int, b text)
CREATE TYPE

> create table ap6 (x int, y ap5 check ((y).a > 0), z int generated always as ((y).a * 2) stored, check ((x, 'q')::ap5 <> (7, 'q')::ap5))
CREATE TABLE

> create index ap6_i on ap6 (((y).a)) where (y).b = 'x'
CREATE INDEX

> alter type ap5 rename attribute a to aa
ALTER TYPE

> insert into ap6 (x, y) values (1, (0, 'x'))
ERROR 23514: new row for relation "ap6" violates check constraint "ap6_y_check"
DETAIL: Failing row contains (1, (0,x), 0).

> insert into ap6 (x, y) values (7, (1, 'x'))
ERROR 23514: new row for relation "ap6" violates check constraint "ap6_x_check"
DETAIL: Failing row contains (7, (1,x), 2).

> insert into ap6 (x, y) values (1, (5, 'x')) returning *, (y).aa
x:int4 | y:user | z:int4 | aa:int4
1 | (5,x) | 10 | 5
INSERT 0 1

> select pg_get_indexdef('ap6_i'::regclass), (select pg_get_constraintdef(oid) from pg_constraint where conname = 'ap6_y_check')
pg_get_indexdef:text | pg_get_constraintdef:text
CREATE INDEX ap6_i ON public.ap6 USING btree (((y).aa)) WHERE ((y).b = 'x'::text) | CHECK (((y).aa > 0))
SELECT 1
