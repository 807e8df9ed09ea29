# CREATE TABLE OF, ALTER TABLE OF and NOT OF, what changes of their type do to them.

> create type pt as (id int, name text)
CREATE TYPE

> create table persons of pt
CREATE TABLE

> create table persons2 of pt (id with options primary key, unique (name))
CREATE TABLE

> alter table persons add x int
ERROR 42809: cannot add column to typed table

> alter type pt add attribute q int
ERROR 2BP01: cannot alter type "pt" because it is the type of a typed table
HINT: Use ALTER ... CASCADE to alter the typed tables too.

> drop type pt
ERROR 2BP01: cannot drop type pt because other objects depend on it
DETAIL: table persons depends on type pt\ntable persons2 depends on type pt
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop type pt cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to table persons\ndrop cascades to table persons2
DROP TYPE

> create type adr as (id int, v text)
CREATE TYPE

> create table home of adr (primary key (id))
CREATE TABLE

> insert into home values (1, 'a')
INSERT 0 1

> alter type adr add attribute n int
ERROR 2BP01: cannot alter type "adr" because it is the type of a typed table
HINT: Use ALTER ... CASCADE to alter the typed tables too.

> alter type adr add attribute n int cascade
ALTER TYPE

> select * from home
id:int4 | v:text | n:int4
1 | a | NULL
SELECT 1

> alter type adr alter attribute n type text cascade
ALTER TYPE

> alter type adr rename attribute v to w
ERROR 2BP01: cannot alter type "adr" because it is the type of a typed table
HINT: Use ALTER ... CASCADE to alter the typed tables too.

> alter type adr rename attribute v to w cascade
ALTER TYPE

> select * from home
id:int4 | w:text | n:text
1 | a | NULL
SELECT 1

> alter type adr drop attribute n cascade
ALTER TYPE

> select * from home
id:int4 | w:text
1 | a
SELECT 1

> create function fw(adr) returns text language sql as 'select $1.w'
CREATE FUNCTION

> select fw(home) from home
fw:text
a
SELECT 1

> select home::adr from home
home:user
(1,a)
SELECT 1

> alter table home rename w to x
ERROR 42809: cannot rename column of typed table

> alter table home alter w type int
ERROR 42809: cannot alter column type of typed table

> alter table home drop w
ERROR 42809: cannot drop column from typed table

> alter table home not of
ALTER TABLE

> alter table home add z int
ALTER TABLE

> alter table home of adr
ERROR 42804: table has extra column "z"

> alter table home drop z
ALTER TABLE

> alter table home of adr
ALTER TABLE

> alter table home not of
ALTER TABLE

> alter table home not of
ERROR 42809: "home" is not a typed table

> create table wrong of int4
ERROR 42809: type integer is not a composite type

> create table wrong of nope
ERROR 42704: type "nope" does not exist

> create table wrong of adr (nope with options primary key)
ERROR 42703: column "nope" does not exist

> create table wrong of adr (id with options primary key, id with options unique)
ERROR 42701: column "id" specified more than once

> create table kid () inherits (home)
CREATE TABLE

> alter table kid of adr
ERROR 42809: typed tables cannot inherit
