# A default that is a row: its literals are read as the fields of the column's type.
> create type mood as enum ('sad','ok'); create type pair as (x int, y mood)
CREATE TYPE
CREATE TYPE

> create table m (id int, p pair default (1, 'sad'))
CREATE TABLE

> insert into m values (1); select * from m order by id
INSERT 0 1
id:int4 | p:user
1 | (1,sad)
SELECT 1

> create table m2 (id int, p pair default row(1, 'sad'))
CREATE TABLE

> create table m3 (id int, p pair default row('1', 'sad'))
CREATE TABLE

> create table m4 (id int, p pair default (1, 2))
ERROR 42846: cannot cast type record to pair
DETAIL: Cannot cast type integer to mood in column 2.

> create table m5 (id int, p pair default (1, 'nope'))
ERROR 22P02: invalid input value for enum mood: "nope"

> create table m6 (id int, p pair default (1))
ERROR 42804: column "p" is of type pair but default expression is of type integer
HINT: You will need to rewrite or cast the expression.

> create table m7 (id int, p pair default (1,'ok',3))
ERROR 42846: cannot cast type record to pair
DETAIL: Input has too many columns.

> insert into m values (2, (3, 'ok')), (4, row('5', 'ok')); select * from m order by id
INSERT 0 2
id:int4 | p:user
1 | (1,sad)
2 | (3,ok)
4 | (5,ok)
SELECT 3

> select adbin is null, pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid='m'::regclass
?column?:bool | pg_get_expr:text
f | ROW(1, 'sad'::mood)
SELECT 1

> alter table m alter p set default (7, 'ok')
ALTER TABLE

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid='m'::regclass
pg_get_expr:text
ROW(7, 'ok'::mood)
SELECT 1

> update m set p = (1, 'sad') where id = 2
UPDATE 1

> update m set p = default where id = 1; select * from m order by id
UPDATE 1
id:int4 | p:user
1 | (7,ok)
2 | (1,sad)
4 | (5,ok)
SELECT 3

> select (1,'sad')::pair
row:user
(1,sad)
SELECT 1

> select '(1,sad)'::pair = (1, 'sad')::pair
?column?:bool
t
SELECT 1

> create type outerp as (a pair, b text)
CREATE TYPE

> create table m9 (id int, o outerp default ((1, 'ok'), 'z'), k pair[] default array[(1, 'ok')::pair])
CREATE TABLE

> insert into m9 values (1); select * from m9
INSERT 0 1
id:int4 | o:user | k:user
1 | ("(1,ok)",z) | {"(1,ok)"}
SELECT 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'm9'::regclass and adnum = 3
pg_get_expr:text
ARRAY[ROW(1, 'ok'::mood)::pair]
SELECT 1

> create domain dp as pair check ((value).x > 0); create table m10 (id int, p dp default (1, 'ok'), q dp default (0, 'ok'))
CREATE DOMAIN
CREATE TABLE

> insert into m10 values (1)
ERROR 23514: value for domain dp violates check constraint "dp_check"

> insert into m10 values (1, default, (2, 'sad')) returning *
id:int4 | p:user | q:user
1 | (1,ok) | (2,sad)
INSERT 0 1

> alter table m add z pair default (5, 'ok'); select * from m order by id
ALTER TABLE
id:int4 | p:user | z:user
1 | (7,ok) | (5,ok)
2 | (1,sad) | (5,ok)
4 | (5,ok) | (5,ok)
SELECT 3
