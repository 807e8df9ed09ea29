# Attributes of types that columns have; columns of tables' row types.

> create type pt as (x int, y text)
CREATE TYPE

> create type wrap as (p pt, n int)
CREATE TYPE

> create table at1(id int primary key, c pt, cs pt[], w wrap)
CREATE TABLE

> insert into at1 values (1, '(1,a)', '{"(2,b)","(3,c)"}', '("(4,d)",5)'), (2, null, null, null)
INSERT 0 2

> alter type pt add attribute z numeric
ALTER TYPE

> select * from at1 order by id
id:int4 | c:user | cs:user | w:user
1 | (1,a,) | {"(2,b,)","(3,c,)"} | ("(4,d,)",5)
2 | NULL | NULL | NULL
SELECT 2

> select (c).z, (w).p.z, cs[1].z from at1 order by id
z:numeric | z:numeric | z:numeric
NULL | NULL | NULL
NULL | NULL | NULL
SELECT 2

> update at1 set c.z = 1.5 where id = 1 returning c
c:user
(1,a,1.5)
UPDATE 1

> insert into at1(id, c) values (3, row(7, 'q', 8))
INSERT 0 1

> select id from at1 where c = row(7, 'q', 8)::pt
id:int4
3
SELECT 1

> alter type pt drop attribute y
ALTER TYPE

> select * from at1 order by id
id:int4 | c:user | cs:user | w:user
1 | (1,1.5) | {"(2,)","(3,)"} | ("(4,)",5)
2 | NULL | NULL | NULL
3 | (7,8) | NULL | NULL
SELECT 3

> select (c).y from at1
ERROR 42703: column "y" not found in data type pt

> alter type pt add attribute y int, drop attribute x
ALTER TYPE

> select * from at1 order by id
id:int4 | c:user | cs:user | w:user
1 | (1.5,) | {"(,)","(,)"} | ("(,)",5)
2 | NULL | NULL | NULL
3 | (8,) | NULL | NULL
SELECT 3

> alter type pt alter attribute y type bigint
ERROR 0A000: cannot alter type "pt" because column "at1.cs" uses it

> alter type pt drop attribute nosuch
ERROR 42703: column "nosuch" of relation "pt" does not exist

> alter type pt drop attribute if exists nosuch
NOTICE 00000: column "nosuch" of relation "pt" does not exist, skipping
ALTER TYPE

> alter type pt add attribute y int
ERROR 42701: column "y" of relation "pt" already exists

> alter type pt add attribute self pt
ERROR 42P16: composite type pt cannot be made a member of itself

> alter type pt add attribute w wrap
ERROR 42P16: composite type pt cannot be made a member of itself

> alter type pt rename attribute y to yy
ALTER TYPE

> select (c).yy from at1 order by id
yy:int4
NULL
NULL
NULL
SELECT 3

> drop table at1
DROP TABLE

> alter type pt alter attribute yy type bigint
ALTER TYPE

> drop type wrap, pt
DROP TYPE

# columns of a table's row type
> create table base(a int, b text)
CREATE TABLE

> create table u(id int primary key, r base, rs base[])
CREATE TABLE

> insert into base values (1, 'one'), (2, 'two')
INSERT 0 2

> insert into u select a, base, array[base] from base
INSERT 0 2

> insert into u values (3, row(3, 'three'), '{"(4,four)"}')
INSERT 0 1

> insert into u(id, r.a) values (4, 44)
INSERT 0 1

> select * from u order by id
id:int4 | r:user | rs:user
1 | (1,one) | {"(1,one)"}
2 | (2,two) | {"(2,two)"}
3 | (3,three) | {"(4,four)"}
4 | (44,) | NULL
SELECT 4

> select (r).b, rs[1].a, pg_typeof(r), pg_typeof(rs) from u order by id
b:text | a:int4 | pg_typeof:regtype | pg_typeof:regtype
one | 1 | base | base[]
two | 2 | base | base[]
three | 4 | base | base[]
NULL | NULL | base | base[]
SELECT 4

> select r.* from u, lateral (select (u.r).*) r order by 1
a:int4 | b:text
1 | one
2 | two
3 | three
44 | NULL
SELECT 4

> update u set r.b = 'x' where id = 4 returning r
r:user
(44,x)
UPDATE 1

> select id from u where r = row(1, 'one')::base
id:int4
1
SELECT 1

> select id from u where r in (select base from base) order by id
id:int4
1
2
SELECT 2

> select r, count(*) from u group by r order by r
r:user | count:int8
(1,one) | 1
(2,two) | 1
(3,three) | 1
(44,x) | 1
SELECT 4

> alter table base add column c numeric
ALTER TABLE

> select * from u order by id
id:int4 | r:user | rs:user
1 | (1,one,) | {"(1,one,)"}
2 | (2,two,) | {"(2,two,)"}
3 | (3,three,) | {"(4,four,)"}
4 | (44,x,) | NULL
SELECT 4

> alter table base drop column b
ALTER TABLE

> select * from u order by id
id:int4 | r:user | rs:user
1 | (1,) | {"(1,)"}
2 | (2,) | {"(2,)"}
3 | (3,) | {"(4,)"}
4 | (44,) | NULL
SELECT 4

> alter table base add column d int default 5
ERROR 0A000: cannot alter table "base" because column "u.rs" uses its row type

> alter table base alter column a type bigint
ERROR 0A000: cannot alter table "base" because column "u.rs" uses its row type

> alter table base add column self base
ERROR 42P16: composite type base cannot be made a member of itself

> alter table base rename column a to aa
ALTER TABLE

> select (r).aa from u order by id
aa:int4
1
2
3
44
SELECT 4

> drop table base
ERROR 2BP01: cannot drop table base because other objects depend on it
DETAIL: column rs of table u depends on type base[]\ncolumn r of table u depends on type base
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table base cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to column rs of table u\ndrop cascades to column r of table u
DROP TABLE

> select * from u order by id
id:int4
1
2
3
4
SELECT 4

> drop table u
DROP TABLE

> create table base(a int)
CREATE TABLE

> create table u(id int, r base)
CREATE TABLE

> drop table u, base
DROP TABLE
