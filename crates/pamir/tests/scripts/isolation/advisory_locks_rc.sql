# Advisory locks of sessions and of transactions.
> @T1 select pg_advisory_lock(1)
pg_advisory_lock:void
|
SELECT 1

> @T2 select pg_try_advisory_lock(1), pg_try_advisory_lock_shared(1), pg_try_advisory_xact_lock(1), pg_try_advisory_lock(1, 0), pg_try_advisory_lock(2)
pg_try_advisory_lock:bool | pg_try_advisory_lock_shared:bool | pg_try_advisory_xact_lock:bool | pg_try_advisory_lock:bool | pg_try_advisory_lock:bool
f | f | f | t | t
SELECT 1

> @T1 select pg_advisory_lock(1), pg_try_advisory_lock(1)
pg_advisory_lock:void | pg_try_advisory_lock:bool
 | t
SELECT 1

> @T1 select pg_try_advisory_lock(2), pg_advisory_unlock(1), pg_advisory_unlock(1)
pg_try_advisory_lock:bool | pg_advisory_unlock:bool | pg_advisory_unlock:bool
f | t | t
SELECT 1

> @T2 select pg_advisory_lock(1)
(waits)

# Its own transaction's lock is in nobody's way at home; the one before is given back as often as taken.
> @T1 select pg_advisory_unlock(1)
pg_advisory_unlock:bool
t
SELECT 1
T2 resumes:
pg_advisory_lock:void
|
SELECT 1

> @T1 select 1 where pg_advisory_unlock(1)
?column?:int4
WARNING 01000: you don't own a lock of type ExclusiveLock
SELECT 0

> @T1 select 1 where pg_advisory_unlock_shared(1)
?column?:int4
WARNING 01000: you don't own a lock of type ShareLock
SELECT 0

> @T2 begin
BEGIN

> @T2 select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock_shared(1), pg_advisory_lock_shared(1)
pg_advisory_xact_lock:void | pg_try_advisory_xact_lock_shared:bool | pg_advisory_lock_shared:void
 | t | 
SELECT 1

> @T2 select pg_advisory_unlock(1), pg_advisory_unlock_shared(1)
pg_advisory_unlock:bool | pg_advisory_unlock_shared:bool
t | t
SELECT 1

> @T1 select pg_try_advisory_lock_shared(1)
pg_try_advisory_lock_shared:bool
f
SELECT 1

> @T2 commit
COMMIT

> @T1 select pg_try_advisory_lock_shared(1)
pg_try_advisory_lock_shared:bool
t
SELECT 1

> @T2 select pg_advisory_lock_shared(1), pg_try_advisory_lock(1)
pg_advisory_lock_shared:void | pg_try_advisory_lock:bool
 | f
SELECT 1

> @T1 select pg_advisory_lock(1)
(waits)

> @T2 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1
T1 resumes:
pg_advisory_lock:void
|
SELECT 1

# The end of a transaction keeps a session's locks, an error too; both keys of two; transactions give theirs back.
> @T1 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> @T1 begin
BEGIN

> @T1 select pg_advisory_lock(5, 6), pg_advisory_xact_lock(7)
pg_advisory_lock:void | pg_advisory_xact_lock:void
 | 
SELECT 1

> @T1 select 1 / 0
ERROR 22012: division by zero

> @T1 rollback
ROLLBACK

> @T2 select pg_try_advisory_lock(5, 6), pg_try_advisory_lock(6, 5), pg_try_advisory_lock(7), pg_try_advisory_lock((5::int8 << 32) + 6)
pg_try_advisory_lock:bool | pg_try_advisory_lock:bool | pg_try_advisory_lock:bool | pg_try_advisory_lock:bool
f | t | t | t
SELECT 1

> @T1 begin
BEGIN

> @T1 select pg_advisory_lock(8)
pg_advisory_lock:void
|
SELECT 1

> @T1 savepoint s
SAVEPOINT

> @T1 select pg_advisory_xact_lock(9), pg_advisory_lock(10)
pg_advisory_xact_lock:void | pg_advisory_lock:void
 | 
SELECT 1

> @T1 rollback to s
ROLLBACK

> @T2 select pg_try_advisory_lock(8), pg_try_advisory_lock(9), pg_try_advisory_lock(10)
pg_try_advisory_lock:bool | pg_try_advisory_lock:bool | pg_try_advisory_lock:bool
f | t | f
SELECT 1

> @T1 commit
COMMIT

# lock_timeout, and what waits is seen.
> @T2 set lock_timeout = '50ms'
SET

> @T2 select pg_advisory_lock(8)
pg_advisory_lock:void
ERROR 55P03: canceling statement due to lock timeout

> @T2 begin
BEGIN

> @T2 select pg_advisory_xact_lock(8)
pg_advisory_xact_lock:void
ERROR 55P03: canceling statement due to lock timeout

> @T2 rollback
ROLLBACK

> @T2 reset lock_timeout
RESET

> @T1 select locktype, mode, granted, count(*) from pg_locks where locktype = 'advisory' group by 1, 2, 3 order by 1, 2, 3
locktype:text | mode:text | granted:bool | count:int8
advisory | ExclusiveLock | t | 7
SELECT 1

# DISCARD ALL gives all back.
> @T2 select pg_advisory_lock(8)
(waits)

> @T1 discard all
DISCARD ALL
T2 resumes:
pg_advisory_lock:void
|
SELECT 1

> @T2 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> @T1 select pg_advisory_lock(null::int8), pg_try_advisory_lock(null), pg_advisory_unlock(1, null)
pg_advisory_lock:void | pg_try_advisory_lock:bool | pg_advisory_unlock:bool
NULL | NULL | NULL
SELECT 1

> @T1 select count(*) from pg_locks where locktype = 'advisory'
count:int8
0
SELECT 1

# In other expressions than a select list.
> @T1 create table t (id int)
CREATE TABLE

> @T1 insert into t values (1), (2)
INSERT 0 2

> @T1 select id from t where pg_try_advisory_lock(id) order by id
id:int4
1
2
SELECT 2

> @T2 select id from t where pg_try_advisory_lock(id) order by id
id:int4
SELECT 0

> @T1 select pg_advisory_unlock(id) from t
pg_advisory_unlock:bool
t
t
SELECT 2
