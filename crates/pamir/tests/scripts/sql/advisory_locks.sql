# Advisory locks as pg_locks shows them.
> select pg_advisory_lock(1), pg_advisory_lock_shared(2), pg_advisory_lock(1, 1), pg_advisory_lock_shared(2, -2), pg_advisory_lock(-3), pg_advisory_lock(12884901889)
pg_advisory_lock:void | pg_advisory_lock_shared:void | pg_advisory_lock:void | pg_advisory_lock_shared:void | pg_advisory_lock:void | pg_advisory_lock:void
 |  |  |  |  | 
SELECT 1

> select locktype, database = (select oid from pg_database where datname = current_database()) as own, classid, objid, objsubid, mode, granted from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() order by objsubid, classid, objid
locktype:text | own:bool | classid:oid | objid:oid | objsubid:int2 | mode:text | granted:bool
advisory | t | 0 | 1 | 1 | ExclusiveLock | t
advisory | t | 0 | 2 | 1 | ShareLock | t
advisory | t | 3 | 1 | 1 | ExclusiveLock | t
advisory | t | 4294967295 | 4294967293 | 1 | ExclusiveLock | t
advisory | t | 1 | 1 | 2 | ExclusiveLock | t
advisory | t | 2 | 4294967294 | 2 | ShareLock | t
SELECT 6

> select pg_advisory_unlock(1), pg_advisory_unlock(-3), pg_advisory_unlock_shared(2, -2)
pg_advisory_unlock:bool | pg_advisory_unlock:bool | pg_advisory_unlock_shared:bool
t | t | t
SELECT 1

> begin
BEGIN

> select pg_advisory_xact_lock(9), pg_try_advisory_xact_lock(10, 11)
pg_advisory_xact_lock:void | pg_try_advisory_xact_lock:bool
 | t
SELECT 1

> select classid, objid, objsubid, mode from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() order by objsubid, classid, objid
classid:oid | objid:oid | objsubid:int2 | mode:text
0 | 2 | 1 | ShareLock
0 | 9 | 1 | ExclusiveLock
3 | 1 | 1 | ExclusiveLock
1 | 1 | 2 | ExclusiveLock
10 | 11 | 2 | ExclusiveLock
SELECT 5

> commit
COMMIT

> select classid, objid, objsubid, mode from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() order by objsubid, classid, objid
classid:oid | objid:oid | objsubid:int2 | mode:text
0 | 2 | 1 | ShareLock
3 | 1 | 1 | ExclusiveLock
1 | 1 | 2 | ExclusiveLock
SELECT 3

> select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

> select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
count:int8
0
SELECT 1
