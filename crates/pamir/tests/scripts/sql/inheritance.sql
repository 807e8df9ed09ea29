# INHERITS: columns, CHECKs and defaults made one, rows of the whole family, ONLY, ALTER TABLE through it, DROP.

> create table p (a int, b text default 'x' not null, check (a > 0))
CREATE TABLE

> create table c1 (c int) inherits (p)
CREATE TABLE

> create table c2 (b text default 'y', d date) inherits (p)
NOTICE 00000: moving and merging column "b" with inherited definition
DETAIL: User-specified column moved to the position of the inherited column.
CREATE TABLE

> create table g1 (e int primary key) inherits (c1)
CREATE TABLE

> insert into p values (1,'p')
INSERT 0 1

> insert into c1 values (2,'c1',22)
INSERT 0 1

> insert into c2(a,d) values (3,'2020-01-01')
INSERT 0 1

> insert into g1 values (4,'g',44,444)
INSERT 0 1

> select * from p order by a
a:int4 | b:text
1 | p
2 | c1
3 | y
4 | g
SELECT 4

> select * from only p order by 1
a:int4 | b:text
1 | p
SELECT 1

> select * from c1 order by 1
a:int4 | b:text | c:int4
2 | c1 | 22
4 | g | 44
SELECT 2

> select tableoid::regclass, * from p order by a
tableoid:regclass | a:int4 | b:text
p | 1 | p
c1 | 2 | c1
c2 | 3 | y
g1 | 4 | g
SELECT 4

> select tableoid::regclass, p from p where a >= 2 order by a
tableoid:regclass | p:user
c1 | (2,c1)
c2 | (3,y)
g1 | (4,g)
SELECT 3

> update p set b = b || '!' where a > 1 returning *, tableoid::regclass
a:int4 | b:text | tableoid:regclass
2 | c1! | c1
3 | y! | c2
4 | g! | g1
UPDATE 3

> select * from c2 order by 1
a:int4 | b:text | d:date
3 | y! | 2020-01-01
SELECT 1

> select * from g1 order by 1
a:int4 | b:text | c:int4 | e:int4
4 | g! | 44 | 444
SELECT 1

> delete from p where a = 4 returning a, tableoid::regclass
a:int4 | tableoid:regclass
4 | g1
DELETE 1

> select count(*), max(a), min(b) from p
count:int8 | max:int4 | min:text
3 | 3 | c1!
SELECT 1

> select * from only p order by a for update
a:int4 | b:text
1 | p
SELECT 1

> select * from p where a = 3 for update
a:int4 | b:text
3 | y!
SELECT 1

> insert into p values (-1)
ERROR 23514: new row for relation "p" violates check constraint "p_a_check"
DETAIL: Failing row contains (-1, x).

> insert into c1 values (-1)
ERROR 23514: new row for relation "c1" violates check constraint "p_a_check"
DETAIL: Failing row contains (-1, x, null).

> alter table p add column z int default 7
ALTER TABLE

> select * from p order by a
a:int4 | b:text | z:int4
1 | p | 7
2 | c1! | 7
3 | y! | 7
SELECT 3

> select * from g1 order by 1
a:int4 | b:text | c:int4 | e:int4 | z:int4
SELECT 0

> select * from c1 order by 1
a:int4 | b:text | c:int4 | z:int4
2 | c1! | 22 | 7
SELECT 1

> alter table only p add column zz int
ERROR 42P16: column must be added to child tables too

> alter table c1 drop column z
ERROR 42P16: cannot drop inherited column "z"

> alter table p drop column z
ALTER TABLE

> alter table p rename column a to aa
ALTER TABLE

> select * from c1 order by 1
aa:int4 | b:text | c:int4
2 | c1! | 22
SELECT 1

> alter table c1 rename aa to a
ERROR 42P16: cannot rename inherited column "aa"

> alter table p alter aa type bigint
ALTER TABLE

> drop table p
ERROR 2BP01: cannot drop table p because other objects depend on it
DETAIL: table c1 depends on table p\ntable g1 depends on table c1\ntable c2 depends on table p
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table p cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to table c1\ndrop cascades to table g1\ndrop cascades to table c2
DROP TABLE

> create table q (a int)
CREATE TABLE

> create table r () inherits (q)
CREATE TABLE

> insert into r values (1),(2),(3)
INSERT 0 3

> create index on r (a)
CREATE INDEX

> select * from q where a = 2
a:int4
2
SELECT 1

> select q.a, x.a from q join q x using (a) order by 1
a:int4 | a:int4
1 | 1
2 | 2
3 | 3
SELECT 3

> update q set a = a + 10 from (values (1),(3)) v(i) where a = i returning *
a:int4 | i:int4
11 | 1
13 | 3
UPDATE 2

> delete from q using q q2 where q.a = q2.a and q2.a > 12 returning q.*
a:int4
13
DELETE 1

> select * from r order by 1
a:int4
2
11
SELECT 2

> truncate q
TRUNCATE TABLE

> select count(*) from r
count:int8
0
SELECT 1

> alter table r no inherit q
ALTER TABLE

> select count(*) from q
count:int8
0
SELECT 1

> alter table r inherit q
ALTER TABLE

> alter table q inherit r
ERROR 42P07: circular inheritance not allowed
DETAIL: "r" is already a child of "q".

> alter table r inherit q
ERROR 42P07: relation "q" would be inherited from more than once

> create view v as select * from q
CREATE VIEW

> create view w as select * from only q
CREATE VIEW

> insert into r values (100)
INSERT 0 1

> insert into q values (5)
INSERT 0 1

> select * from v order by 1
a:int4
5
100
SELECT 2

> select * from w order by 1
a:int4
5
SELECT 1

> update v set a = a + 1 returning *
a:int4
6
101
UPDATE 2

> update w set a = a + 1
UPDATE 1

> select tableoid::regclass, * from q order by 2
tableoid:regclass | a:int4
q | 7
r | 101
SELECT 2

> select inhrelid::regclass, inhparent::regclass, inhseqno from pg_inherits
inhrelid:regclass | inhparent:regclass | inhseqno:int4
r | q | 1
SELECT 1

> create table no (x int, constraint ck check (x > 0) no inherit, check (x < 100))
CREATE TABLE

> create table ni () inherits (no)
CREATE TABLE

> insert into ni values (-5)
INSERT 0 1

> insert into no values (-5)
ERROR 23514: new row for relation "no" violates check constraint "ck"
DETAIL: Failing row contains (-5).

> select conname, coninhcount, conislocal, connoinherit from pg_constraint where conrelid in ('no'::regclass,'ni'::regclass) order by 1,2
conname:name | coninhcount:int4 | conislocal:bool | connoinherit:bool
ck | 0 | t | t
no_x_check | 0 | t | f
no_x_check | 1 | f | f
SELECT 3

> select attname, attinhcount, attislocal from pg_attribute where attrelid = 'ni'::regclass and attnum > 0
attname:name | attinhcount:int4 | attislocal:bool
x | 1 | f
SELECT 1

> select relname, relhassubclass from pg_class where relname in ('no', 'ni') order by 1
relname:name | relhassubclass:bool
ni | f
no | t
SELECT 2
