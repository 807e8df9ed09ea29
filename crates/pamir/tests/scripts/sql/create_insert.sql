# Tables, constraints, inserts.
> create table t (id int primary key, name text not null, qty int default 5 check (qty > 0), price numeric(10,2), created timestamp default '2020-01-01 00:00:00')
CREATE TABLE

> insert into t (id, name) values (1, 'one')
INSERT 0 1

> insert into t values (2, 'two', 7, 9.999, '2021-02-03 04:05:06')
INSERT 0 1

> insert into t (id, name, qty) values (3, 'three', default), (4, 'four', 8)
INSERT 0 2

> select * from t order by id
id:int4 | name:text | qty:int4 | price:numeric | created:timestamp
1 | one | 5 | NULL | 2020-01-01 00:00:00
2 | two | 7 | 10.00 | 2021-02-03 04:05:06
3 | three | 5 | NULL | 2020-01-01 00:00:00
4 | four | 8 | NULL | 2020-01-01 00:00:00
SELECT 4

> insert into t (id, name) values (1, 'dup')
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> insert into t (id) values (9)
ERROR 23502: null value in column "name" of relation "t" violates not-null constraint
DETAIL: Failing row contains (9, null, 5, null, 2020-01-01 00:00:00).

> insert into t (id, name, qty) values (10, 'x', 0)
ERROR 23514: new row for relation "t" violates check constraint "t_qty_check"
DETAIL: Failing row contains (10, x, 0, null, 2020-01-01 00:00:00).

> insert into t (id, name, price) values (11, 'x', 123456789.5)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 10, scale 2 must round to an absolute value less than 10^8.

> insert into t (nosuch) values (1)
ERROR 42703: column "nosuch" of relation "t" does not exist

> insert into t (id, id) values (1, 2)
ERROR 42701: column "id" specified more than once

> insert into t (id, name) values (1)
ERROR 42601: INSERT has more target columns than expressions

> insert into t (id) values (1, 2)
ERROR 42601: INSERT has more expressions than target columns

> insert into t values ('abc', 'x')
ERROR 22P02: invalid input syntax for type integer: "abc"

> insert into nosuch values (1)
ERROR 42P01: relation "nosuch" does not exist

> insert into t (id, name) values (20, 'a') returning *
id:int4 | name:text | qty:int4 | price:numeric | created:timestamp
20 | a | 5 | NULL | 2020-01-01 00:00:00
INSERT 0 1

> insert into t (id, name) values (21, 'b'), (22, 'c') returning id, upper(name) as n, qty * 2
id:int4 | n:text | ?column?:int4
21 | B | 10
22 | C | 10
INSERT 0 2

> insert into t (id, name) select id + 100, name from t where id < 3
INSERT 0 2

> select id, name from t where id > 100 order by id desc
id:int4 | name:text
102 | two
101 | one
SELECT 2

> insert into t (id, name) values (1, 'again') on conflict do nothing
INSERT 0 0

> insert into t (id, name) values (1, 'again') on conflict (id) do nothing returning *
id:int4 | name:text | qty:int4 | price:numeric | created:timestamp
INSERT 0 0

> insert into t (id, name) values (1, 'again') on conflict (id) do update set name = excluded.name, qty = t.qty + 1 returning *
id:int4 | name:text | qty:int4 | price:numeric | created:timestamp
1 | again | 6 | NULL | 2020-01-01 00:00:00
INSERT 0 1

> insert into t (id, name) values (1, 'x'), (1, 'y') on conflict (id) do update set name = excluded.name
ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

> insert into t (id, name) values (1, 'z') on conflict (id) do update set name = 'no' where t.id = 2
INSERT 0 0

> insert into t (id, name) values (1, 'z') on conflict (name) do nothing
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> insert into t (id, name) values (1, 'z') on conflict on constraint t_pkey do nothing
INSERT 0 0

> insert into t (id, name) values (1, 'z') on conflict on constraint nope do nothing
ERROR 42704: constraint "nope" for table "t" does not exist

> create table t (id int)
ERROR 42P07: relation "t" already exists

> create table if not exists t (id int)
NOTICE 42P07: relation "t" already exists, skipping
CREATE TABLE

> create table u (a int unique, b text, unique (a, b))
CREATE TABLE

> insert into u values (1, 'x'), (null, 'y'), (null, 'y')
INSERT 0 3

> insert into u values (1, 'z')
ERROR 23505: duplicate key value violates unique constraint "u_a_key"
DETAIL: Key (a)=(1) already exists.

> select * from u order by a, b
a:int4 | b:text
1 | x
NULL | y
NULL | y
SELECT 3

> create table bad (a int, a int)
ERROR 42701: column "a" specified more than once

> create table bad (a nosuchtype)
ERROR 42704: type "nosuchtype" does not exist

> create table bad (a int primary key, b int primary key)
ERROR 42P16: multiple primary keys for table "bad" are not allowed

> create table p (id serial primary key, v varchar(5))
CREATE TABLE

> insert into p (v) values ('abc'), ('def')
INSERT 0 2

> insert into p (v) values ('toolong')
ERROR 22001: value too long for type character varying(5)

> insert into p (v) values ('abc     ')
INSERT 0 1

> select id, v, length(v) from p order by id
id:int4 | v:varchar | length:int4
1 | abc | 3
2 | def | 3
3 | abc   | 5
SELECT 3

> select currval('p_id_seq'), lastval()
currval:int8 | lastval:int8
3 | 3
SELECT 1

> select nextval('p_id_seq')
nextval:int8
4
SELECT 1

> insert into p (v) values ('n') returning id
id:int4
5
INSERT 0 1

> create table g (id int generated always as identity, x int, y int generated always as (x * 2) stored)
CREATE TABLE

> insert into g (x) values (1), (2)
INSERT 0 2

> insert into g (id, x) values (5, 5)
ERROR 428C9: cannot insert a non-DEFAULT value into column "id"
DETAIL: Column "id" is an identity column defined as GENERATED ALWAYS.
HINT: Use OVERRIDING SYSTEM VALUE to override.

> insert into g (id, x) overriding system value values (50, 5)
INSERT 0 1

> insert into g (x, y) values (1, 1)
ERROR 428C9: cannot insert a non-DEFAULT value into column "y"
DETAIL: Column "y" is a generated column.

> update g set x = 10 where id = 1
UPDATE 1

> update g set y = 1
ERROR 428C9: column "y" can only be updated to DEFAULT
DETAIL: Column "y" is a generated column.

> select * from g order by id
id:int4 | x:int4 | y:int4
1 | 10 | 20
2 | 2 | 4
50 | 5 | 10
SELECT 3

> create table d (a int default 1, b text default 'hey', c timestamp default null)
CREATE TABLE

> insert into d default values
INSERT 0 1

> insert into d (a) values (default)
INSERT 0 1

> select * from d
a:int4 | b:text | c:timestamp
1 | hey | NULL
1 | hey | NULL
SELECT 2

> create table c (x int, y int, constraint xy check (x < y))
CREATE TABLE

> insert into c values (1, 2)
INSERT 0 1

> insert into c values (2, 1)
ERROR 23514: new row for relation "c" violates check constraint "xy"
DETAIL: Failing row contains (2, 1).

> insert into c values (null, 1)
INSERT 0 1

> select * from c order by x
x:int4 | y:int4
1 | 2
NULL | 1
SELECT 2

> create table nn (a int not null, b int)
CREATE TABLE

> insert into nn (b) values (1)
ERROR 23502: null value in column "a" of relation "nn" violates not-null constraint
DETAIL: Failing row contains (null, 1).

> update nn set a = null
UPDATE 0

> insert into nn values (1, 1)
INSERT 0 1

> update nn set a = null
ERROR 23502: null value in column "a" of relation "nn" violates not-null constraint
DETAIL: Failing row contains (null, 1).

> drop table nosuch
ERROR 42P01: table "nosuch" does not exist

> drop table if exists nosuch
NOTICE 00000: table "nosuch" does not exist, skipping
DROP TABLE

> drop table c, d
DROP TABLE

> select * from c
ERROR 42P01: relation "c" does not exist

> create table public.q (a int)
CREATE TABLE

> insert into public.q values (1)
INSERT 0 1

> select public.q.a from public.q
a:int4
1
SELECT 1

> create table nosuchschema.q (a int)
ERROR 3F000: schema "nosuchschema" does not exist

> create schema s1
CREATE SCHEMA

> create schema s1
ERROR 42P06: schema "s1" already exists

> create schema if not exists s1
NOTICE 42P06: schema "s1" already exists, skipping
CREATE SCHEMA

> create table s1.q (a text)
CREATE TABLE

> insert into s1.q values ('in s1')
INSERT 0 1

> select * from s1.q
a:text
in s1
SELECT 1

> drop schema s1
ERROR 2BP01: cannot drop schema s1 because other objects depend on it
DETAIL: table s1.q depends on schema s1
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop schema s1 cascade
NOTICE 00000: drop cascades to table s1.q
DROP SCHEMA

> create table ctas as select 1 as a, 'x'::text as b
SELECT 1

> select * from ctas
a:int4 | b:text
1 | x
SELECT 1

> create table ctas2 as select generate_series(1, 3) as n
SELECT 3

> select sum(n) from ctas2
sum:int8
6
SELECT 1

> insert into t (id, name) values (30, null)
ERROR 23502: null value in column "name" of relation "t" violates not-null constraint
DETAIL: Failing row contains (30, null, 5, null, 2020-01-01 00:00:00).

> insert into t values (31)
ERROR 23502: null value in column "name" of relation "t" violates not-null constraint
DETAIL: Failing row contains (31, null, 5, null, 2020-01-01 00:00:00).

> truncate t
TRUNCATE TABLE

> select count(*) from t
count:int8
0
SELECT 1

> truncate nosuch
ERROR 42P01: relation "nosuch" does not exist

