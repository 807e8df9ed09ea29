# Foreign keys and primary keys of families; functions of definitions that may change.

> CREATE TABLE pk (a int PRIMARY KEY) PARTITION BY LIST (a)
CREATE TABLE

> CREATE TABLE pk1 PARTITION OF pk FOR VALUES IN (1, 2) PARTITION BY LIST (a)
CREATE TABLE

> CREATE TABLE pk11 PARTITION OF pk1 FOR VALUES IN (1)
CREATE TABLE

> CREATE TABLE pk3 PARTITION OF pk FOR VALUES IN (3)
CREATE TABLE

> CREATE TABLE fk (a int REFERENCES pk DEFERRABLE INITIALLY IMMEDIATE)
CREATE TABLE

> INSERT INTO fk VALUES (1)
ERROR 23503: insert or update on table "fk" violates foreign key constraint "fk_a_fkey"
DETAIL: Key (a)=(1) is not present in table "pk".

> BEGIN
BEGIN

> SET CONSTRAINTS fk_a_fkey DEFERRED
SET CONSTRAINTS

> INSERT INTO fk VALUES (1)
INSERT 0 1

> COMMIT
ERROR 23503: insert or update on table "fk" violates foreign key constraint "fk_a_fkey"
DETAIL: Key (a)=(1) is not present in table "pk".

> BEGIN
BEGIN

> SET CONSTRAINTS fk_a_fkey DEFERRED
SET CONSTRAINTS

> INSERT INTO fk VALUES (1)
INSERT 0 1

> INSERT INTO pk VALUES (1)
INSERT 0 1

> COMMIT
COMMIT

> BEGIN
BEGIN

> SET CONSTRAINTS fk_a_fkey DEFERRED
SET CONSTRAINTS

> DELETE FROM pk WHERE a = 1
DELETE 1

> DELETE FROM fk WHERE a = 1
DELETE 1

> COMMIT
COMMIT

> CREATE TABLE pt(f1 int, f2 int, f3 int, PRIMARY KEY(f1,f2))
CREATE TABLE

> CREATE TABLE ref(f1 int, f2 int, f3 int)
>   PARTITION BY list(f1)
CREATE TABLE

> CREATE TABLE ref1 PARTITION OF ref FOR VALUES IN (1)
CREATE TABLE

> CREATE TABLE ref2 PARTITION OF ref FOR VALUES in (2)
CREATE TABLE

> ALTER TABLE ref ADD FOREIGN KEY(f1,f2) REFERENCES pt
ALTER TABLE

> ALTER TABLE ref ALTER CONSTRAINT ref_f1_f2_fkey
>   DEFERRABLE INITIALLY DEFERRED
ALTER TABLE

> INSERT INTO pt VALUES(1,2,3)
INSERT 0 1

> INSERT INTO ref VALUES(1,2,3)
INSERT 0 1

> BEGIN
BEGIN

> DELETE FROM pt
DELETE 1

> DELETE FROM ref
DELETE 1

> ABORT
ROLLBACK

> create type j_o as (x int, y int)
CREATE TYPE

> create domain jo as j_o check((value).x <= (value).y)
CREATE DOMAIN

> CREATE TABLE crt (a int , b int, c int)
CREATE TABLE

> CREATE TABLE crt2 (a int , d int) INHERITS (crt)
NOTICE 00000: merging column "a" with inherited definition
CREATE TABLE

> ALTER TABLE crt ADD CONSTRAINT con3 PRIMARY KEY (a)
ALTER TABLE

> select attrelid::regclass, attnotnull from pg_attribute where attname='a' and attrelid in ('crt'::regclass,'crt2'::regclass) order by 1
attrelid:regclass | attnotnull:bool
crt | t
crt2 | t
SELECT 2

> create table ci(a int not null primary key)
CREATE TABLE

> create table cj (a int) inherits (ci)
NOTICE 00000: merging column "a" with inherited definition
CREATE TABLE

> insert into cj values (null)
ERROR 23502: null value in column "a" of relation "cj" violates not-null constraint
DETAIL: Failing row contains (null).

> begin
BEGIN

> commit
COMMIT

> CREATE FUNCTION plusone(a int) RETURNS INT AS $$ SELECT a+1; $$ LANGUAGE SQL
CREATE FUNCTION

> create table ix(a int)
CREATE TABLE

> create index on ix(plusone(a))
CREATE INDEX

> create table gx(a int, b int generated always as (plusone(a)) stored)
CREATE TABLE

> create table px(a int) partition by range (plusone(a))
CREATE TABLE
