# Cycles through a session's advisory locks and its transaction's row locks are found: the victim is the one who closes the cycle.
> create table t (id int primary key, v int)
CREATE TABLE

> insert into t values (1, 1), (2, 2)
INSERT 0 2

# Advisory locks alone.
> @T1 select pg_advisory_lock(1)
pg_advisory_lock:void
|
SELECT 1

> @T2 select pg_advisory_lock(2)
pg_advisory_lock:void
|
SELECT 1

> @T1 select pg_advisory_lock(2)
(waits)

> @T2 select pg_advisory_lock(1)
pg_advisory_lock:void
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ExclusiveLock on advisory lock; blocked by process N.\nProcess N waits for ExclusiveLock on advisory lock; blocked by process N.
HINT: See server log for query details.

> @T2 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1
T1 resumes:
pg_advisory_lock:void
|
SELECT 1

> @T1 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

# T1 holds a row, T2 a lock of its session that T1 waits for.
> @T2 select pg_advisory_lock(1)
pg_advisory_lock:void
|
SELECT 1

> @T1 begin
BEGIN

> @T1 update t set v = 10 where id = 1
UPDATE 1

> @T1 select pg_advisory_lock(1)
(waits)

> @T2 update t set v = 20 where id = 1
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ShareLock on transaction N; blocked by process N.\nProcess N waits for ExclusiveLock on advisory lock; blocked by process N.
HINT: See server log for query details.

> @T2 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1
T1 resumes:
pg_advisory_lock:void
|
SELECT 1

> @T1 commit
COMMIT

> @T1 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

# The other way round: the session waits for a row first.
> @T2 select pg_advisory_lock(1)
pg_advisory_lock:void
|
SELECT 1

> @T1 begin
BEGIN

> @T1 update t set v = 11 where id = 1
UPDATE 1

> @T2 update t set v = 21 where id = 1
(waits)

> @T1 select pg_advisory_xact_lock(1)
pg_advisory_xact_lock:void
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ExclusiveLock on advisory lock; blocked by process N.\nProcess N waits for ShareLock on transaction N; blocked by process N.
HINT: See server log for query details.
T2 resumes:
UPDATE 1

> @T1 rollback
ROLLBACK

> @T2 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1

# Three in a ring.
> @T1 select pg_advisory_lock(1)
pg_advisory_lock:void
|
SELECT 1

> @T2 begin
BEGIN

> @T2 select pg_advisory_xact_lock(2)
pg_advisory_xact_lock:void
|
SELECT 1

> @T3 begin
BEGIN

> @T3 update t set v = 3 where id = 2
UPDATE 1

> @T1 select pg_advisory_lock(2)
(waits)

> @T2 update t set v = 4 where id = 2
(waits)

> @T3 select pg_advisory_lock(1)
pg_advisory_lock:void
ERROR 40P01: deadlock detected
DETAIL: Process N waits for ExclusiveLock on advisory lock; blocked by process N.\nProcess N waits for ExclusiveLock on advisory lock; blocked by process N.\nProcess N waits for ShareLock on transaction N; blocked by process N.
HINT: See server log for query details.
T2 resumes:
UPDATE 1

> @T3 rollback
ROLLBACK

> @T2 rollback
ROLLBACK
T1 resumes:
pg_advisory_lock:void
|
SELECT 1

> @T1 select pg_advisory_unlock_all()
pg_advisory_unlock_all:void
|
SELECT 1
