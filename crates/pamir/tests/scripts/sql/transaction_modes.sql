# What SHOW says of a transaction's modes, inside and outside of one.
> show default_transaction_isolation
default_transaction_isolation:text
read committed
SHOW

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL serializable
SET

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
serializable
SHOW

> begin
BEGIN

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
serializable
SHOW

> commit
COMMIT

> reset all
RESET

> SHOW TRANSACTION ISOLATION LEVEL
transaction_isolation:text
read committed
SHOW

> show default_transaction_isolation
default_transaction_isolation:text
read committed
SHOW

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL repeatable read, read only
SET

> begin
BEGIN

> show transaction_isolation
transaction_isolation:text
repeatable read
SHOW

> show transaction_read_only
transaction_read_only:text
on
SHOW

> rollback
ROLLBACK

> SELECT pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> CLOSE ALL
CLOSE CURSOR ALL

> UNLISTEN *
UNLISTEN

> RESET ALL
RESET

> show default_transaction_read_only
default_transaction_read_only:text
off
SHOW

> begin isolation level read uncommitted
BEGIN

> show transaction isolation level
transaction_isolation:text
read uncommitted
SHOW

> commit
COMMIT

> SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL read uncommitted
SET

> show transaction isolation level
transaction_isolation:text
read uncommitted
SHOW

> show default_transaction_isolation
default_transaction_isolation:text
read uncommitted
SHOW

> SELECT pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> CLOSE ALL
CLOSE CURSOR ALL

> UNLISTEN *
UNLISTEN

> RESET ALL
RESET

> show transaction isolation level
transaction_isolation:text
read committed
SHOW

> begin
BEGIN

> set transaction isolation level serializable
SET

> show transaction isolation level
transaction_isolation:text
serializable
SHOW

> rollback
ROLLBACK

> show transaction isolation level
transaction_isolation:text
read committed
SHOW

# A transaction's modes end with it, also for statements that change definitions.
> create table modes_t (a int primary key)
CREATE TABLE

> begin read only
BEGIN

> insert into modes_t values (1)
ERROR 25006: cannot execute INSERT in a read-only transaction

> rollback
ROLLBACK

> alter table modes_t add b int
ALTER TABLE

> begin isolation level serializable read only
BEGIN

> select count(*) from modes_t
count:int8
0
SELECT 1

> commit
COMMIT

> create sequence modes_s
CREATE SEQUENCE

> begin read only
BEGIN

> commit
COMMIT

> select nextval('modes_s')
nextval:int8
1
SELECT 1

> begin read only
BEGIN

> rollback
ROLLBACK

> comment on table modes_t is 'x'
COMMENT

> begin read only
BEGIN

> alter sequence modes_s restart
ERROR 25006: cannot execute ALTER SEQUENCE in a read-only transaction

> rollback
ROLLBACK

> begin
BEGIN

> select 1 as a
a:int4
1
SELECT 1

> set transaction read only
SET

> drop table modes_t
ERROR 25006: cannot execute DROP TABLE in a read-only transaction

> rollback
ROLLBACK

> set default_transaction_read_only = on
SET

> drop sequence modes_s
ERROR 25006: cannot execute DROP SEQUENCE in a read-only transaction

> reset default_transaction_read_only
RESET

> drop sequence modes_s
DROP SEQUENCE

> drop table modes_t
DROP TABLE

# Values of the moment that stand as names.
> select current_schema, current_role, current_catalog = current_database() as c
current_schema:name | current_role:name | c:bool
public | postgres | t
SELECT 1

> select "current_role" from (values (1)) v("current_role")
current_role:int4
1
SELECT 1

> select current_role as r from (values (1)) v("current_role")
r:name
postgres
SELECT 1

# The session's default, one way and back.
> set session characteristics as transaction read only
SET

> create table modes_c (a int)
ERROR 25006: cannot execute CREATE TABLE in a read-only transaction

> set session characteristics as transaction read write
SET

> create table modes_c (a int)
CREATE TABLE

> drop table modes_c
DROP TABLE
