# Transaction control in one session.
> create table t (id int primary key, v int)
CREATE TABLE

> begin
BEGIN

> insert into t values (1, 1)
INSERT 0 1

> commit
COMMIT

> begin
BEGIN

> insert into t values (2, 2)
INSERT 0 1

> rollback
ROLLBACK

> select * from t
id:int4 | v:int4
1 | 1
SELECT 1

> begin
BEGIN

> begin
WARNING 25001: there is already a transaction in progress
BEGIN

> commit
COMMIT

> commit
WARNING 25P01: there is no transaction in progress
COMMIT

> rollback
WARNING 25P01: there is no transaction in progress
ROLLBACK

> begin
BEGIN

> insert into t values (3, 3)
INSERT 0 1

> insert into t values (3, 3)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(3) already exists.

> select 1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> commit
ROLLBACK

> select * from t
id:int4 | v:int4
1 | 1
SELECT 1

> begin
BEGIN

> savepoint a
SAVEPOINT

> insert into t values (4, 4)
INSERT 0 1

> savepoint b
SAVEPOINT

> insert into t values (5, 5)
INSERT 0 1

> rollback to savepoint b
ROLLBACK

> select count(*) from t
count:int8
2
SELECT 1

> rollback to a
ROLLBACK

> select count(*) from t
count:int8
1
SELECT 1

> release a
RELEASE

> commit
COMMIT

> begin
BEGIN

> savepoint a
SAVEPOINT

> insert into t values (1, 1)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> rollback to a
ROLLBACK

> insert into t values (6, 6)
INSERT 0 1

> commit
COMMIT

> select * from t order by id
id:int4 | v:int4
1 | 1
6 | 6
SELECT 2

> savepoint x
ERROR 25P01: SAVEPOINT can only be used in transaction blocks

> rollback to x
ERROR 25P01: ROLLBACK TO SAVEPOINT can only be used in transaction blocks

> release x
ERROR 25P01: RELEASE SAVEPOINT can only be used in transaction blocks

> begin
BEGIN

> rollback to nosuch
ERROR 3B001: savepoint "nosuch" does not exist

> rollback
ROLLBACK

> begin
BEGIN

> create table in_txn (a int)
CREATE TABLE

> insert into in_txn values (1)
INSERT 0 1

> rollback
ROLLBACK

> select * from in_txn
ERROR 42P01: relation "in_txn" does not exist

> begin
BEGIN

> create table in_txn (a int)
CREATE TABLE

> insert into in_txn values (1)
INSERT 0 1

> alter table in_txn add column b int default 5
ALTER TABLE

> select * from in_txn
a:int4 | b:int4
1 | 5
SELECT 1

> commit
COMMIT

> select * from in_txn
a:int4 | b:int4
1 | 5
SELECT 1

> begin
BEGIN

> drop table in_txn
DROP TABLE

> select * from in_txn
ERROR 42P01: relation "in_txn" does not exist

> rollback
ROLLBACK

> select * from in_txn
a:int4 | b:int4
1 | 5
SELECT 1

> begin
BEGIN

> truncate in_txn
TRUNCATE TABLE

> select count(*) from in_txn
count:int8
0
SELECT 1

> rollback
ROLLBACK

> select count(*) from in_txn
count:int8
1
SELECT 1

> begin isolation level serializable
BEGIN

> show transaction_isolation
transaction_isolation:text
serializable
SHOW

> commit
COMMIT

> begin
BEGIN

> set transaction isolation level repeatable read
SET

> show transaction_isolation
transaction_isolation:text
repeatable read
SHOW

> select 1
?column?:int4
1
SELECT 1

> set transaction isolation level read committed
ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

> rollback
ROLLBACK

> begin read only
BEGIN

> select count(*) from t
count:int8
2
SELECT 1

> insert into t values (100, 1)
ERROR 25006: cannot execute INSERT in a read-only transaction

> rollback
ROLLBACK

> start transaction isolation level read committed read write
START TRANSACTION

> end
COMMIT

> begin; insert into t values (50, 50); commit
BEGIN
INSERT 0 1
COMMIT

> insert into t values (51, 51); insert into t values (51, 51)
INSERT 0 1
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(51) already exists.

> select count(*) from t where id = 51
count:int8
0
SELECT 1

> select 1; select 2
?column?:int4
1
SELECT 1
?column?:int4
2
SELECT 1

> begin
BEGIN

> declare c cursor for select id from t order by id
DECLARE CURSOR

> fetch c
id:int4
1
FETCH 1

> fetch 2 from c
id:int4
6
50
FETCH 2

> fetch all from c
id:int4
FETCH 0

> fetch c
id:int4
FETCH 0

> close c
CLOSE CURSOR

> fetch c
ERROR 34000: cursor "c" does not exist

> rollback
ROLLBACK

> declare c cursor for select 1
ERROR 25P01: DECLARE CURSOR can only be used in transaction blocks

> prepare p (int) as select $1 + 1
PREPARE

> execute p (41)
?column?:int4
42
SELECT 1

> execute p ('x')
ERROR 22P02: invalid input syntax for type integer: "x"

> execute p
ERROR 42601: wrong number of parameters for prepared statement "p"
DETAIL: Expected 1 parameters but got 0.

> execute nosuch
ERROR 26000: prepared statement "nosuch" does not exist

> prepare p as select 1
ERROR 42P05: prepared statement "p" already exists

> prepare q as insert into t values ($1, $2) returning id
PREPARE

> execute q (200, 1)
id:int4
200
INSERT 0 1

> deallocate p
DEALLOCATE

> deallocate p
ERROR 26000: prepared statement "p" does not exist

> deallocate all
DEALLOCATE ALL

> begin
BEGIN

> update t set v = 0 where id = 1
UPDATE 1

> prepare transaction 'gid1'
PREPARE TRANSACTION

> select v from t where id = 1
v:int4
1
SELECT 1

> select gid from pg_prepared_xacts where database = current_database()
gid:text
gid1
SELECT 1

> commit prepared 'gid1'
COMMIT PREPARED

> select v from t where id = 1
v:int4
0
SELECT 1

> commit prepared 'gid1'
ERROR 42704: prepared transaction with identifier "gid1" does not exist

> begin
BEGIN

> update t set v = 9 where id = 1
UPDATE 1

> prepare transaction 'gid2'
PREPARE TRANSACTION

> rollback prepared 'gid2'
ROLLBACK PREPARED

> select v from t where id = 1
v:int4
0
SELECT 1

> set statement_timeout = '100ms'
SET

> select pg_sleep(5)
pg_sleep:void
ERROR 57014: canceling statement due to statement timeout

> reset statement_timeout
RESET

> show statement_timeout
statement_timeout:text
0
SHOW

> set lock_timeout = 500
SET

> show lock_timeout
lock_timeout:text
500ms
SHOW

> set nosuch = 1
ERROR 42704: unrecognized configuration parameter "nosuch"

> set app.name = 'x'
SET

> show app.name
app.name:text
x
SHOW

> select current_setting('app.name'), current_setting('nosuch', true), set_config('app.name', 'y', false)
current_setting:text | current_setting:text | set_config:text
x | NULL | y
SELECT 1

> set work_mem = '64MB'
SET

> show work_mem
work_mem:text
64MB
SHOW

> reset all
RESET

> show work_mem
work_mem:text
4MB
SHOW

> begin
BEGIN

> set local work_mem = '1MB'
SET

> show work_mem
work_mem:text
1MB
SHOW

> commit
COMMIT

> show work_mem
work_mem:text
4MB
SHOW

> show nosuch
ERROR 42704: unrecognized configuration parameter "nosuch"

> show server_encoding
server_encoding:text
UTF8
SHOW

> lock table t in access exclusive mode
ERROR 25P01: LOCK TABLE can only be used in transaction blocks

> begin
BEGIN

> lock table t in share mode
LOCK TABLE

> commit
COMMIT

> vacuum t
VACUUM

> analyze t
ANALYZE

> begin
BEGIN

> vacuum t
ERROR 25001: VACUUM cannot run inside a transaction block

> rollback
ROLLBACK

> discard all
DISCARD ALL

> checkpoint
CHECKPOINT

> do $$ begin end $$
DO

> listen x
LISTEN

