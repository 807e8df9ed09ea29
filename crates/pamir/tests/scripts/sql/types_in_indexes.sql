# A type whose values are an index's keys is not altered under it.

> create type t1 as (a int, b text)
CREATE TYPE

> create table tb (x int, y text)
CREATE TABLE

> insert into tb values (1, 'a'), (2, 'b')
INSERT 0 2

> create index ti on tb ((row(x, y)::t1))
CREATE INDEX

> alter type t1 alter attribute a type bigint
ERROR 0A000: cannot alter type "t1" because column "ti.row" uses it

> alter type t1 rename attribute a to aa
ALTER TYPE

> select * from tb where row(x, y)::t1 = row(1, 'a')::t1
x:int4 | y:text
1 | a
SELECT 1

> drop table tb
DROP TABLE

> alter type t1 alter attribute aa type bigint
ALTER TYPE

> create table base (a int, b text)
CREATE TABLE

> create table tb (x int, y text)
CREATE TABLE

> create index ti on tb ((row(x, y)::base))
CREATE INDEX

> alter table base alter a type bigint
ERROR 0A000: cannot alter table "base" because column "ti.row" uses its row type

> drop index ti
DROP INDEX

> alter table base alter a type bigint
ALTER TABLE

> drop table tb, base
DROP TABLE

> create type c2 as (a int)
CREATE TYPE

> create domain d2 as c2
CREATE DOMAIN

> create table td (x int)
CREATE TABLE

> create index tx on td ((row(x)::d2))
CREATE INDEX

> insert into td values (1), (2)
INSERT 0 2

> select x from td where row(x)::d2 = row(2)::c2
x:int4
2
SELECT 1

> alter type c2 alter attribute a type bigint
ERROR 0A000: cannot alter type "c2" because column "tx.row" uses it

> drop index tx
DROP INDEX

> create index on td ((array[row(x)::c2]))
CREATE INDEX

> alter type c2 alter attribute a type bigint
ERROR 0A000: cannot alter type "c2" because column "td_array_idx.array" uses it

> drop table td
DROP TABLE

> alter type c2 alter attribute a type bigint
ALTER TYPE

> drop type c2 cascade
NOTICE 00000: drop cascades to type d2
DROP TYPE

> create domain pos as int check (value > 0)
CREATE DOMAIN

> create table td (x int)
CREATE TABLE

> create index td4 on td ((x::pos))
CREATE INDEX

> insert into td values (3)
INSERT 0 1

> select x from td where x::pos = 3
x:int4
3
SELECT 1

> insert into td values (-1)
ERROR 23514: value for domain pos violates check constraint "pos_check"

> drop table td
DROP TABLE

> drop domain pos
DROP DOMAIN

> drop type t1
DROP TYPE
