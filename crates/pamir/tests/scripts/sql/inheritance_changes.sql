# Changes, locks, triggers, views, rows and ALTER TABLE over a family of three levels.

> create table p (id int primary key, v text, n int default 5)
CREATE TABLE

> create table c (x int, unique (id)) inherits (p)
CREATE TABLE

> create table d (like c including all, y int) inherits (c)
NOTICE 00000: merging column "id" with inherited definition
NOTICE 00000: merging column "v" with inherited definition
NOTICE 00000: merging column "n" with inherited definition
NOTICE 00000: merging column "x" with inherited definition
CREATE TABLE

> insert into p select i, 'p'||i from generate_series(1,5) i
INSERT 0 5

> insert into c select i, 'c'||i, i, i*2 from generate_series(3,8) i
INSERT 0 6

> insert into d select i, 'd'||i, i, i*2, i*3 from generate_series(6,9) i
INSERT 0 4

> analyze p
ANALYZE

> analyze c
ANALYZE

> analyze d
ANALYZE

> select tableoid::regclass, id, v from p where id = 6 order by 1
tableoid:regclass | id:int4 | v:text
c | 6 | c6
d | 6 | d6
SELECT 2

> select min(id), max(id), count(*), sum(n) from p
min:int4 | max:int4 | count:int8 | sum:int8
1 | 9 | 15 | 88
SELECT 1

> select a.id, b.v from p a join p b on a.id = b.id where a.id > 5 order by 1,2
id:int4 | v:text
6 | c6
6 | c6
6 | d6
6 | d6
7 | c7
7 | c7
7 | d7
7 | d7
8 | c8
8 | c8
8 | d8
8 | d8
9 | d9
SELECT 13

> select a.id, b.v from p a left join c b on a.id = b.id order by 1,2
id:int4 | v:text
1 | NULL
2 | NULL
3 | c3
3 | c3
4 | c4
4 | c4
5 | c5
5 | c5
6 | c6
6 | c6
6 | d6
6 | d6
7 | c7
7 | c7
7 | d7
7 | d7
8 | c8
8 | c8
8 | d8
8 | d8
9 | d9
SELECT 21

> select i, (select count(*) from p where p.id = i) from generate_series(1,9) i
i:int4 | count:int8
1 | 1
2 | 1
3 | 2
4 | 2
5 | 2
6 | 2
7 | 2
8 | 2
9 | 1
SELECT 9

> select * from p where exists (select 1 from d where d.id = p.id) order by id, v
id:int4 | v:text | n:int4
6 | c6 | 6
6 | d6 | 6
7 | c7 | 7
7 | d7 | 7
8 | c8 | 8
8 | d8 | 8
9 | d9 | 9
SELECT 7

> merge into p using (values (6,'m6'),(100,'m100'),(2,'m2')) s(i,w) on p.id = s.i when matched and p.n > 8 then delete when matched then update set v = s.w, n = p.n + 1 when not matched then insert values (s.i, s.w)
MERGE 4

> select tableoid::regclass, * from p order by tableoid::regclass::text, id, v
tableoid:regclass | id:int4 | v:text | n:int4
c | 3 | c3 | 3
c | 4 | c4 | 4
c | 5 | c5 | 5
c | 6 | m6 | 7
c | 7 | c7 | 7
c | 8 | c8 | 8
d | 6 | m6 | 7
d | 7 | d7 | 7
d | 8 | d8 | 8
d | 9 | d9 | 9
p | 1 | p1 | 5
p | 2 | m2 | 6
p | 3 | p3 | 5
p | 4 | p4 | 5
p | 5 | p5 | 5
p | 100 | m100 | 5
SELECT 16

> merge into only p using (values (7,'m7')) s(i,w) on p.id = s.i when matched then delete when not matched then insert values (s.i, s.w)
MERGE 1

> select tableoid::regclass, * from p where id = 7 order by tableoid::regclass::text, id, v
tableoid:regclass | id:int4 | v:text | n:int4
c | 7 | c7 | 7
d | 7 | d7 | 7
p | 7 | m7 | 5
SELECT 3

> update p set id = id + 1000 where id = 8 returning tableoid::regclass, *
tableoid:regclass | id:int4 | v:text | n:int4
c | 1008 | c8 | 8
d | 1008 | d8 | 8
UPDATE 2

> update p set (v, n) = (select 'sub', 42) where id in (3, 9) returning tableoid::regclass, id, v, n
tableoid:regclass | id:int4 | v:text | n:int4
p | 3 | sub | 42
c | 3 | sub | 42
d | 9 | sub | 42
UPDATE 3

> update c set x = x + 1, v = default where id = 4 returning *
id:int4 | v:text | n:int4 | x:int4
4 | NULL | 4 | 9
UPDATE 1

> with u as (update p set n = n where id < 4 returning tableoid::regclass t, id) select * from u order by 1,2
t:regclass | id:int4
p | 1
p | 2
p | 3
c | 3
SELECT 4

> with del as (delete from p where id >= 1000 returning id, tableoid::regclass) select * from del
id:int4 | tableoid:regclass
1008 | c
1008 | d
SELECT 2

> insert into p values (3,'z') on conflict (id) do update set v = excluded.v returning *
id:int4 | v:text | n:int4
3 | z | 42
INSERT 0 1

> insert into p values (6,'z') on conflict (id) do nothing returning *, tableoid::regclass
id:int4 | v:text | n:int4 | tableoid:regclass
6 | z | 5 | p
INSERT 0 1

> create function tf() returns trigger language plpgsql as $$ begin raise notice '% % % %', tg_table_name, tg_op, tg_when, tg_level; if tg_op = 'DELETE' then return old; end if; return new; end $$
CREATE FUNCTION

> create trigger t1 before update or delete on p for each row execute function tf()
CREATE TRIGGER

> create trigger t2 after update or delete on c for each row execute function tf()
CREATE TRIGGER

> create trigger t3 before update or delete on p for each statement execute function tf()
CREATE TRIGGER

> create trigger t4 after update or delete on c for each statement execute function tf()
CREATE TRIGGER

> update p set n = n + 1 where id in (3,4)
NOTICE 00000: p UPDATE BEFORE STATEMENT
NOTICE 00000: p UPDATE BEFORE ROW
NOTICE 00000: p UPDATE BEFORE ROW
NOTICE 00000: c UPDATE AFTER ROW
NOTICE 00000: c UPDATE AFTER ROW
UPDATE 4

> delete from p where id = 4
NOTICE 00000: p DELETE BEFORE STATEMENT
NOTICE 00000: p DELETE BEFORE ROW
NOTICE 00000: c DELETE AFTER ROW
DELETE 2

> create trigger t5 after update on p referencing old table as o for each statement execute function tf()
CREATE TRIGGER

> drop trigger t5 on p
DROP TRIGGER

> create table f (r int references p(id))
CREATE TABLE

> insert into f values (8)
ERROR 23503: insert or update on table "f" violates foreign key constraint "f_r_fkey"
DETAIL: Key (r)=(8) is not present in table "p".

> insert into f values (1)
INSERT 0 1

> delete from p where id = 1
NOTICE 00000: p DELETE BEFORE STATEMENT
NOTICE 00000: p DELETE BEFORE ROW
ERROR 23503: update or delete on table "p" violates foreign key constraint "f_r_fkey" on table "f"
DETAIL: Key (id)=(1) is still referenced from table "f".

> create view vw as select id, v from p where id < 100 with check option
CREATE VIEW

> update vw set v = 'vw' where id = 3
NOTICE 00000: p UPDATE BEFORE STATEMENT
NOTICE 00000: p UPDATE BEFORE ROW
NOTICE 00000: c UPDATE AFTER ROW
UPDATE 2

> update vw set id = 200 where id = 9
NOTICE 00000: p UPDATE BEFORE STATEMENT
ERROR 44000: new row violates check option for view "vw"
DETAIL: Failing row contains (200, sub, 42).

> select tableoid::regclass, * from p where v = 'vw' order by 1
tableoid:regclass | id:int4 | v:text | n:int4
p | 3 | vw | 43
c | 3 | vw | 43
SELECT 2

> delete from vw where id = 9
NOTICE 00000: p DELETE BEFORE STATEMENT
DELETE 1

> create function sf() returns setof p language sql as 'select * from p order by id, v'
CREATE FUNCTION

> select * from sf()
id:int4 | v:text | n:int4
1 | p1 | 5
2 | m2 | 6
3 | vw | 43
3 | vw | 43
5 | c5 | 5
5 | p5 | 5
6 | m6 | 7
6 | m6 | 7
6 | z | 5
7 | c7 | 7
7 | d7 | 7
7 | m7 | 5
100 | m100 | 5
SELECT 13

> create function ff(p) returns text language sql as 'select $1.v'
CREATE FUNCTION

> select ff(c) from c order by 1
ff:text
c5
c7
d7
m6
m6
vw
SELECT 6

> select ff(d) from d order by 1
ff:text
d7
m6
SELECT 2

> select p from p order by id, v limit 2
p:user
(1,p1,5)
(2,m2,6)
SELECT 2

> select row_to_json(p) from p order by id, v limit 2
row_to_json:json
{"id":1,"v":"p1","n":5}
{"id":2,"v":"m2","n":6}
SELECT 2

> begin
BEGIN

> select tableoid::regclass, id from p where id = 3 order by 1 for update
tableoid:regclass | id:int4
p | 3
c | 3
SELECT 2

> select id from p where id > 6 order by id for share of p
id:int4
7
7
7
100
SELECT 4

> lock table p
LOCK TABLE

> lock only p
LOCK TABLE

> rollback
ROLLBACK

> select count(*) from p
count:int8
13
SELECT 1

> alter table p add constraint ck check (n >= 0)
ALTER TABLE

> alter table only p add constraint ck2 check (n >= 0)
ERROR 42P16: constraint must be added to child tables too

> alter table p add constraint ck3 check (n >= 0) no inherit
ALTER TABLE

> alter table c drop constraint ck
ERROR 42P16: cannot drop inherited constraint "ck" of relation "c"

> alter table only p drop constraint ck
ALTER TABLE

> alter table c drop constraint ck
ALTER TABLE

> alter table d drop constraint ck
ERROR 42704: constraint "ck" of relation "d" does not exist

> alter table p alter n set not null
ALTER TABLE

> alter table only p alter n drop not null
ALTER TABLE

> insert into d values (50, 'a', null, 1, 1)
ERROR 23502: null value in column "n" of relation "d" violates not-null constraint
DETAIL: Failing row contains (50, a, null, 1, 1).

> alter table p alter n drop not null
ALTER TABLE

> alter table p alter n set default 9
ALTER TABLE

> insert into d(id) values (51) returning *
id:int4 | v:text | n:int4 | x:int4 | y:int4
51 | NULL | 9 | NULL | NULL
INSERT 0 1

> insert into p(id) values (52) returning *
id:int4 | v:text | n:int4
52 | NULL | 9
INSERT 0 1

> alter table p alter column n type numeric using n * 1.5
ALTER TABLE

> select tableoid::regclass, * from p order by tableoid::regclass::text, id, v
tableoid:regclass | id:int4 | v:text | n:numeric
c | 3 | vw | 64.5
c | 5 | c5 | 7.5
c | 6 | m6 | 10.5
c | 7 | c7 | 10.5
d | 6 | m6 | 10.5
d | 7 | d7 | 10.5
d | 51 | NULL | 13.5
p | 1 | p1 | 7.5
p | 2 | m2 | 9.0
p | 3 | vw | 64.5
p | 5 | p5 | 7.5
p | 6 | z | 7.5
p | 7 | m7 | 7.5
p | 52 | NULL | 13.5
p | 100 | m100 | 7.5
SELECT 15

> alter table c alter n type int
ERROR 42P16: cannot alter inherited column "n"

> alter table only p alter n type int
ERROR 42P16: type of inherited column "n" must be changed in child tables too

> alter table p rename constraint ck3 to ck4
ALTER TABLE

> alter table p drop constraint ck4
ALTER TABLE

> alter table p rename n to nn
ALTER TABLE

> alter table c rename nn to n
ERROR 42P16: cannot rename inherited column "nn"

> alter table only p rename nn to n
ERROR 42P16: inherited column "nn" must be renamed in child tables too

> alter table p drop column nn
ALTER TABLE

> alter table only p drop column v
ERROR 2BP01: cannot drop column v of table p because other objects depend on it
DETAIL: view vw depends on column v of table p
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table p add column v text
ERROR 42701: column "v" of relation "p" already exists

> alter table p add column s serial
ALTER TABLE

> select tableoid::regclass, s from p order by s
tableoid:regclass | s:int4
p | 1
p | 2
p | 3
p | 4
p | 5
p | 6
p | 7
p | 8
c | 9
c | 10
c | 11
c | 12
d | 13
d | 14
d | 15
SELECT 15

> alter table p add column ident int generated always as identity
ERROR 42P16: cannot recursively add identity column to table that has child tables

> alter table p add column g int generated always as (id * 2) stored
ALTER TABLE

> select g from p order by id limit 2
g:int4
2
4
SELECT 2

> alter table c alter g drop expression
ERROR 42P16: cannot drop generation expression from inherited column

> alter table p alter g drop expression
ALTER TABLE

> create table bad (id text) inherits (p)
NOTICE 00000: merging column "id" with inherited definition
ERROR 42804: column "id" has a type conflict
DETAIL: integer versus text

> create table bad () inherits (p, p)
ERROR 42P07: relation "p" would be inherited from more than once

> create table bad () inherits (vw)
ERROR 42809: inherited relation "vw" is not a table or foreign table

> create table bad () inherits (nope)
ERROR 42P01: relation "nope" does not exist

> create table m1 (a int default 1)
CREATE TABLE

> create table m2 (a int default 2)
CREATE TABLE

> create table m3 () inherits (m1, m2)
NOTICE 00000: merging multiple inherited definitions of column "a"
ERROR 42611: column "a" inherits conflicting default values
HINT: To resolve the conflict, specify a default explicitly.

> create table m3 (a int default 3) inherits (m1, m2)
NOTICE 00000: merging multiple inherited definitions of column "a"
NOTICE 00000: merging column "a" with inherited definition
CREATE TABLE

> create table m4 (z int, a int) inherits (m1)
NOTICE 00000: moving and merging column "a" with inherited definition
DETAIL: User-specified column moved to the position of the inherited column.
CREATE TABLE

> alter table m4 no inherit m1
ALTER TABLE

> create table i1 (a int)
CREATE TABLE

> alter table i1 inherit m1
ALTER TABLE

> alter table m1 inherit i1
ERROR 42P07: circular inheritance not allowed
DETAIL: "i1" is already a child of "m1".

> alter table i1 inherit i1
ERROR 42P07: circular inheritance not allowed
DETAIL: "i1" is already a child of "i1".

> alter table i1 no inherit m2
ERROR 42P01: relation "m2" is not a parent of relation "i1"

> alter table i1 inherit p
ERROR 42804: child table is missing column "id"

> select attname, attinhcount, attislocal from pg_attribute where attrelid in ('m3'::regclass, 'd'::regclass) and attnum > 0 order by attrelid, attnum
attname:name | attinhcount:int4 | attislocal:bool
id | 1 | t
v | 1 | t
nn | 0 | t
x | 1 | t
y | 0 | t
s | 1 | f
g | 1 | f
a | 2 | t
SELECT 8

> truncate p
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "f" references "p".
HINT: Truncate table "f" at the same time, or use TRUNCATE ... CASCADE.

> truncate only p
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "f" references "p".
HINT: Truncate table "f" at the same time, or use TRUNCATE ... CASCADE.

> truncate p cascade
NOTICE 00000: truncate cascades to table "f"
TRUNCATE TABLE

> select count(*) from p
count:int8
0
SELECT 1

> drop table c
ERROR 2BP01: cannot drop table c because other objects depend on it
DETAIL: table d depends on table c
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table p cascade
NOTICE 00000: drop cascades to 6 other objects
DETAIL: drop cascades to function sf()\ndrop cascades to function ff(p)\ndrop cascades to table c\ndrop cascades to table d\ndrop cascades to constraint f_r_fkey on table f\ndrop cascades to view vw
DROP TABLE
