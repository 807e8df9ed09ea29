# ALTER TABLE, indexes, sequences, schemas.
> create table t (a int, b text)
CREATE TABLE

> insert into t values (1, 'x'), (2, 'y')
INSERT 0 2

> alter table t add column c int
ALTER TABLE

> select * from t order by a
a:int4 | b:text | c:int4
1 | x | NULL
2 | y | NULL
SELECT 2

> alter table t add column d int not null default 7
ALTER TABLE

> select * from t order by a
a:int4 | b:text | c:int4 | d:int4
1 | x | NULL | 7
2 | y | NULL | 7
SELECT 2

> alter table t add column e int not null
ERROR 23502: column "e" of relation "t" contains null values

> alter table t add column a int
ERROR 42701: column "a" of relation "t" already exists

> alter table t add column if not exists a int
NOTICE 42701: column "a" of relation "t" already exists, skipping
ALTER TABLE

> alter table t drop column c
ALTER TABLE

> select * from t order by a
a:int4 | b:text | d:int4
1 | x | 7
2 | y | 7
SELECT 2

> alter table t drop column nosuch
ERROR 42703: column "nosuch" of relation "t" does not exist

> alter table t drop column if exists nosuch
NOTICE 00000: column "nosuch" of relation "t" does not exist, skipping
ALTER TABLE

> alter table t rename column b to bb
ALTER TABLE

> select bb from t order by a
bb:text
x
y
SELECT 2

> alter table t rename column nosuch to x
ERROR 42703: column "nosuch" does not exist

> alter table t rename to t2
ALTER TABLE

> select * from t
ERROR 42P01: relation "t" does not exist

> alter table t2 rename to t
ALTER TABLE

> alter table t alter column d set default 9
ALTER TABLE

> insert into t (a, bb) values (3, 'z')
INSERT 0 1

> alter table t alter column d drop default
ALTER TABLE

> insert into t (a, bb) values (4, 'w')
ERROR 23502: null value in column "d" of relation "t" violates not-null constraint
DETAIL: Failing row contains (4, w, null).

> alter table t alter column d drop not null
ALTER TABLE

> insert into t (a, bb) values (4, 'w')
INSERT 0 1

> alter table t alter column d set not null
ERROR 23502: column "d" of relation "t" contains null values

> update t set d = 0 where d is null
UPDATE 1

> alter table t alter column d set not null
ALTER TABLE

> alter table t alter column a type bigint
ALTER TABLE

> select pg_typeof(a) from t limit 1
pg_typeof:regtype
bigint
SELECT 1

> alter table t alter column a type text using a::text || '!'
ALTER TABLE

> select a from t order by a
a:text
1!
2!
3!
4!
SELECT 4

> alter table t alter column a type int
ERROR 42804: column "a" cannot be cast automatically to type integer
HINT: You might need to specify "USING a::integer".

> alter table t add primary key (a)
ALTER TABLE

> insert into t values ('1!', 'dup', 1)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (a)=(1!) already exists.

> insert into t values (null, 'n', 1)
ERROR 23502: null value in column "a" of relation "t" violates not-null constraint
DETAIL: Failing row contains (null, n, 1).

> alter table t add primary key (bb)
ERROR 42P16: multiple primary keys for table "t" are not allowed

> alter table t add constraint d_pos check (d >= 0)
ALTER TABLE

> insert into t values ('neg', 'n', -1)
ERROR 23514: new row for relation "t" violates check constraint "d_pos"
DETAIL: Failing row contains (neg, n, -1).

> alter table t add constraint d_small check (d < 5)
ERROR 23514: check constraint "d_small" of relation "t" is violated by some row

> alter table t drop constraint d_pos
ALTER TABLE

> insert into t values ('neg', 'n', -1)
INSERT 0 1

> alter table t add constraint bb_u unique (bb)
ALTER TABLE

> insert into t values ('q', 'n', 1)
ERROR 23505: duplicate key value violates unique constraint "bb_u"
DETAIL: Key (bb)=(n) already exists.

> alter table nosuch add column x int
ERROR 42P01: relation "nosuch" does not exist

> alter table if exists nosuch add column x int
NOTICE 00000: relation "nosuch" does not exist, skipping
ALTER TABLE

> create table i (id int primary key, a int, b text, c int)
CREATE TABLE

> insert into i select g, g % 10, 'b' || g, g from generate_series(1, 100) g
INSERT 0 100

> create index i_a on i (a)
CREATE INDEX

> create index i_a on i (a)
ERROR 42P07: relation "i_a" already exists

> create index if not exists i_a on i (a)
NOTICE 42P07: relation "i_a" already exists, skipping
CREATE INDEX

> create index on i (b)
CREATE INDEX

> create unique index i_c on i (c desc)
CREATE INDEX

> create unique index i_a_u on i (a)
ERROR 23505: could not create unique index "i_a_u"
DETAIL: Key (a)=(3) is duplicated.

> create index i_expr on i (lower(b))
CREATE INDEX

> create index i_part on i (a) where c > 50
CREATE INDEX

> create index i_inc on i (a) include (b)
CREATE INDEX

> create index i_multi on i (a, b desc nulls last)
CREATE INDEX

> create index i_bad on i (nosuch)
ERROR 42703: column "nosuch" does not exist

> create index i_hash on i using hash (a)
CREATE INDEX

> select id from i where lower(b) = 'b7'
id:int4
7
SELECT 1

> select count(*) from i where a = 3 and c > 50
count:int8
5
SELECT 1

> select id from i where c = 42
id:int4
42
SELECT 1

> select a, b from i where a = 5 order by b limit 2
a:int4 | b:text
5 | b15
5 | b25
SELECT 2

> insert into i values (101, 1, 'x', 42)
ERROR 23505: duplicate key value violates unique constraint "i_c"
DETAIL: Key (c)=(42) already exists.

> select indexname, indexdef from pg_indexes where tablename = 'i' order by 1
indexname:name | indexdef:text
i_a | CREATE INDEX i_a ON public.i USING btree (a)
i_b_idx | CREATE INDEX i_b_idx ON public.i USING btree (b)
i_c | CREATE UNIQUE INDEX i_c ON public.i USING btree (c DESC)
i_expr | CREATE INDEX i_expr ON public.i USING btree (lower(b))
i_hash | CREATE INDEX i_hash ON public.i USING hash (a)
i_inc | CREATE INDEX i_inc ON public.i USING btree (a) INCLUDE (b)
i_multi | CREATE INDEX i_multi ON public.i USING btree (a, b DESC NULLS LAST)
i_part | CREATE INDEX i_part ON public.i USING btree (a) WHERE (c > 50)
i_pkey | CREATE UNIQUE INDEX i_pkey ON public.i USING btree (id)
SELECT 9

> drop index i_a
DROP INDEX

> drop index i_a
ERROR 42704: index "i_a" does not exist

> drop index if exists i_a
NOTICE 00000: index "i_a" does not exist, skipping
DROP INDEX

> drop index i_pkey
ERROR 2BP01: cannot drop index i_pkey because constraint i_pkey on table i requires it
HINT: You can drop constraint i_pkey on table i instead.

> create sequence s
CREATE SEQUENCE

> select nextval('s'), nextval('s'), currval('s')
nextval:int8 | nextval:int8 | currval:int8
1 | 2 | 2
SELECT 1

> select setval('s', 100), nextval('s')
setval:int8 | nextval:int8
100 | 101
SELECT 1

> select setval('s', 200, false), nextval('s')
setval:int8 | nextval:int8
200 | 200
SELECT 1

> create sequence s2 increment by 5 start with 10 minvalue 10 maxvalue 20 cycle
CREATE SEQUENCE

> select nextval('s2'), nextval('s2'), nextval('s2'), nextval('s2')
nextval:int8 | nextval:int8 | nextval:int8 | nextval:int8
10 | 15 | 20 | 10
SELECT 1

> create sequence s3 maxvalue 2
CREATE SEQUENCE

> select nextval('s3'), nextval('s3')
nextval:int8 | nextval:int8
1 | 2
SELECT 1

> select nextval('s3')
nextval:int8
ERROR 2200H: nextval: reached maximum value of sequence "s3" (2)

> alter sequence s restart with 5
ALTER SEQUENCE

> select nextval('s')
nextval:int8
5
SELECT 1

> drop sequence s
DROP SEQUENCE

> select nextval('s')
ERROR 42P01: relation "s" does not exist

> select currval('s2x')
ERROR 42P01: relation "s2x" does not exist

> create schema app
CREATE SCHEMA

> create table app.t (x int)
CREATE TABLE

> set search_path to app, public
SET

> insert into t values (42)
INSERT 0 1

> select * from t
x:int4
42
SELECT 1

> select * from public.t where a = 'q'
a:text | bb:text | d:int4
SELECT 0

> show search_path
search_path:text
app, public
SHOW

> reset search_path
RESET

> comment on table t is 'hello'
COMMENT

> select obj_description('t'::regclass)
obj_description:text
hello
SELECT 1

> create table l (like i including all)
CREATE TABLE

> insert into l values (1, 1, 'x', 1)
INSERT 0 1

> create table badt (a int check (nosuch > 0))
ERROR 42703: column "nosuch" does not exist

> create table badd (a int default 'abc')
ERROR 22P02: invalid input syntax for type integer: "abc"

> create table badd2 (a int default (select 1))
ERROR 0A000: cannot use subquery in DEFAULT expression

> create view v as select 1
CREATE VIEW

> drop view nosuch
ERROR 42P01: view "nosuch" does not exist

> create table part (a int) partition by range (a)
CREATE TABLE

