# Deferred foreign keys look at what the transaction leaves.
> create table p (id int primary key)
CREATE TABLE

> create table c (id int primary key, pid int constraint c_pid references p deferrable initially deferred, qid int constraint c_qid references p deferrable initially deferred)
CREATE TABLE

> insert into p values (1)
INSERT 0 1

> begin
BEGIN

> insert into c values (1, 99)
INSERT 0 1

> update c set pid = 1 where id = 1
UPDATE 1

> commit
COMMIT

> begin
BEGIN

> insert into c values (2, 99)
INSERT 0 1

> delete from c where id = 2
DELETE 1

> commit
COMMIT

> begin
BEGIN

> insert into c values (3, 99)
INSERT 0 1

> commit
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_pid"
DETAIL: Key (pid)=(99) is not present in table "p".

# A failed check is still owed after the savepoint.
> begin
BEGIN

> insert into c values (5, 99)
INSERT 0 1

> savepoint s
SAVEPOINT

> set constraints all immediate
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_pid"
DETAIL: Key (pid)=(99) is not present in table "p".

> rollback to s
ROLLBACK

> commit
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_pid"
DETAIL: Key (pid)=(99) is not present in table "p".

# So is one that held by what the savepoint's rollback undoes.
> begin
BEGIN

> insert into c values (6, 99)
INSERT 0 1

> savepoint s
SAVEPOINT

> insert into p values (99)
INSERT 0 1

> set constraints all immediate
SET CONSTRAINTS

> rollback to s
ROLLBACK

> commit
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_pid"
DETAIL: Key (pid)=(99) is not present in table "p".

# Only the constraint named is looked at.
> begin
BEGIN

> insert into c values (7, 1, 98)
INSERT 0 1

> set constraints c_pid immediate
SET CONSTRAINTS

> insert into c values (8, 97, null)
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_pid"
DETAIL: Key (pid)=(97) is not present in table "p".

> rollback
ROLLBACK

> begin
BEGIN

> insert into c values (7, 1, 98)
INSERT 0 1

> set constraints c_qid immediate
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_qid"
DETAIL: Key (qid)=(98) is not present in table "p".

> rollback
ROLLBACK

# The choice goes back with the savepoint.
> begin
BEGIN

> savepoint s
SAVEPOINT

> set constraints all immediate
SET CONSTRAINTS

> rollback to s
ROLLBACK

> insert into c values (9, 99)
INSERT 0 1

> update c set pid = null where id = 9
UPDATE 1

> commit
COMMIT

> select * from c order by id
id:int4 | pid:int4 | qid:int4
1 | 1 | NULL
9 | NULL | NULL
SELECT 2

> begin
BEGIN

> delete from p where id = 1
DELETE 1

> set constraints c_pid immediate
ERROR 23503: update or delete on table "p" violates foreign key constraint "c_pid" on table "c"
DETAIL: Key (id)=(1) is still referenced from table "c".

> rollback
ROLLBACK

> create table years (k int primary key)
CREATE TABLE

> create table events (id int primary key, y int default 1 references years on delete set default initially deferred)
CREATE TABLE

> insert into years values (1), (2)
INSERT 0 2

> insert into events values (1, 2)
INSERT 0 1

> begin
BEGIN

> delete from years
DELETE 2

> insert into years values (1)
INSERT 0 1

> commit
COMMIT

> select * from events
id:int4 | y:int4
1 | 1
SELECT 1

> begin
BEGIN

> delete from years
ERROR 23503: update or delete on table "years" violates foreign key constraint "events_y_fkey" on table "events"
DETAIL: Key (k)=(1) is still referenced from table "events".

> rollback
ROLLBACK

> drop table events, years
DROP TABLE
