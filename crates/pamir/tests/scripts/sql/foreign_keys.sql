# Foreign keys with all actions.
> create table p (id int primary key, u int unique, v text)
CREATE TABLE

> insert into p values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, 40, 'd')
INSERT 0 4

> create table c (id int primary key, p_id int references p)
CREATE TABLE

> insert into c values (1, 1), (2, null)
INSERT 0 2

> insert into c values (3, 99)
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_p_id_fkey"
DETAIL: Key (p_id)=(99) is not present in table "p".

> update c set p_id = 98 where id = 1
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_p_id_fkey"
DETAIL: Key (p_id)=(98) is not present in table "p".

> update c set p_id = 2 where id = 1
UPDATE 1

> delete from p where id = 2
ERROR 23503: update or delete on table "p" violates foreign key constraint "c_p_id_fkey" on table "c"
DETAIL: Key (id)=(2) is still referenced from table "c".

> update p set id = 22 where id = 2
ERROR 23503: update or delete on table "p" violates foreign key constraint "c_p_id_fkey" on table "c"
DETAIL: Key (id)=(2) is still referenced from table "c".

> delete from p where id = 4
DELETE 1

> truncate p
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "c" references "p".
HINT: Truncate table "c" at the same time, or use TRUNCATE ... CASCADE.

> drop table p
ERROR 2BP01: cannot drop table p because other objects depend on it
DETAIL: constraint c_p_id_fkey on table c depends on table p
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> create table casc (id int primary key, p_id int references p on delete cascade on update cascade)
CREATE TABLE

> insert into casc values (1, 3), (2, 3), (3, 1)
INSERT 0 3

> update p set id = 33 where id = 3
UPDATE 1

> select * from casc order by id
id:int4 | p_id:int4
1 | 33
2 | 33
3 | 1
SELECT 3

> delete from p where id = 33
DELETE 1

> select * from casc order by id
id:int4 | p_id:int4
3 | 1
SELECT 1

> create table setn (id int primary key, p_u int references p (u) on delete set null on update set null)
CREATE TABLE

> insert into setn values (1, 10)
INSERT 0 1

> update p set u = 11 where id = 1
UPDATE 1

> select * from setn
id:int4 | p_u:int4
1 | NULL
SELECT 1

> create table setd (id int primary key, p_id int default 1 references p on delete set default)
CREATE TABLE

> insert into p values (7, 70, 'x')
INSERT 0 1

> insert into setd values (1, 7)
INSERT 0 1

> delete from p where id = 7
DELETE 1

> select * from setd
id:int4 | p_id:int4
1 | 1
SELECT 1

> create table rest (id int primary key, p_id int references p on delete restrict)
CREATE TABLE

> insert into p values (8, 80, 'y')
INSERT 0 1

> insert into rest values (1, 8)
INSERT 0 1

> delete from p where id = 8
ERROR 23503: update or delete on table "p" violates foreign key constraint "rest_p_id_fkey" on table "rest"
DETAIL: Key (id)=(8) is still referenced from table "rest".

> create table bad (x int references nosuch)
ERROR 42P01: relation "nosuch" does not exist

> create table bad (x int references p (nosuch))
ERROR 42703: column "nosuch" referenced in foreign key constraint does not exist

> create table bad (x int references p (v))
ERROR 42830: there is no unique constraint matching given keys for referenced table "p"

> create table bad (x text references p)
ERROR 42804: foreign key constraint "bad_x_fkey" cannot be implemented
DETAIL: Key columns "x" and "id" are of incompatible types: text and integer.

> create table multi_p (a int, b int, primary key (a, b))
CREATE TABLE

> create table multi_c (a int, b int, foreign key (a, b) references multi_p)
CREATE TABLE

> insert into multi_p values (1, 2)
INSERT 0 1

> insert into multi_c values (1, 2), (1, null), (null, 9)
INSERT 0 3

> insert into multi_c values (2, 2)
ERROR 23503: insert or update on table "multi_c" violates foreign key constraint "multi_c_a_b_fkey"
DETAIL: Key (a, b)=(2, 2) is not present in table "multi_p".

> create table self (id int primary key, parent int references self on delete cascade)
CREATE TABLE

> insert into self values (1, null), (2, 1), (3, 2), (4, 3)
INSERT 0 4

> delete from self where id = 2
DELETE 1

> select * from self
id:int4 | parent:int4
1 | NULL
SELECT 1

> insert into self values (10, 11), (11, 10)
INSERT 0 2

> insert into self values (20, 21)
ERROR 23503: insert or update on table "self" violates foreign key constraint "self_parent_fkey"
DETAIL: Key (parent)=(21) is not present in table "self".

> create table def_p (id int primary key)
CREATE TABLE

> create table def_c (id int primary key, p int references def_p deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into def_c values (1, 5)
INSERT 0 1

> insert into def_p values (5)
INSERT 0 1

> commit
COMMIT

> begin
BEGIN

> insert into def_c values (2, 6)
INSERT 0 1

> commit
ERROR 23503: insert or update on table "def_c" violates foreign key constraint "def_c_p_fkey"
DETAIL: Key (p)=(6) is not present in table "def_p".

> select * from def_c
id:int4 | p:int4
1 | 5
SELECT 1

> begin
BEGIN

> set constraints all immediate
SET CONSTRAINTS

> insert into def_c values (3, 7)
ERROR 23503: insert or update on table "def_c" violates foreign key constraint "def_c_p_fkey"
DETAIL: Key (p)=(7) is not present in table "def_p".

> rollback
ROLLBACK

> alter table c drop constraint c_p_id_fkey
ALTER TABLE

> insert into c values (50, 999)
INSERT 0 1

> alter table c add constraint c_fk foreign key (p_id) references p (id)
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_fk"
DETAIL: Key (p_id)=(999) is not present in table "p".

> delete from c where id = 50
DELETE 1

> alter table c add constraint c_fk foreign key (p_id) references p (id)
ALTER TABLE

> alter table c drop constraint nosuch
ERROR 42704: constraint "nosuch" of relation "c" does not exist

> alter table c drop constraint if exists nosuch
NOTICE 00000: constraint "nosuch" of relation "c" does not exist, skipping
ALTER TABLE

> drop table p cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to constraint casc_p_id_fkey on table casc\ndrop cascades to constraint setn_p_u_fkey on table setn\ndrop cascades to constraint setd_p_id_fkey on table setd\ndrop cascades to constraint rest_p_id_fkey on table rest\ndrop cascades to constraint c_fk on table c
DROP TABLE

> insert into c values (60, 1234)
INSERT 0 1

