# A row whose primary key another transaction changed: a writer that waited follows it to its new key and decides there again.
> @T1 create table t (k int primary key, v int, w text unique)
CREATE TABLE

> @T1 insert into t values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, 40, 'd')
INSERT 0 4

> @T2 set default_transaction_isolation = 'read committed'
SET

# The new version still satisfies WHERE: it is updated under its new key.
> @T1 begin
BEGIN

> @T1 update t set k = 101 where k = 1
UPDATE 1

> @T2 update t set v = v + 1 where v = 10 returning k, v
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4
101 | 11
UPDATE 1

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
2 | 20 | b
3 | 30 | c
4 | 40 | d
101 | 11 | a
SELECT 4

# The condition was the old key: no row.
> @T1 begin
BEGIN

> @T1 update t set k = 102 where k = 2
UPDATE 1

> @T2 update t set v = v + 1 where k = 2
(waits)

> @T1 commit
COMMIT
T2 resumes:
UPDATE 0

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
3 | 30 | c
4 | 40 | d
101 | 11 | a
102 | 20 | b
SELECT 4

# A range of keys that the new key left, and one that it did not.
> @T1 begin
BEGIN

> @T1 update t set k = 103 where k = 3
UPDATE 1

> @T2 update t set v = v + 1 where k < 100 returning k, v
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4
4 | 41
UPDATE 1

> @T1 begin
BEGIN

> @T1 update t set k = 203, v = v + 5 where k = 103
UPDATE 1

> @T2 update t set v = v + 1 where k > 100 returning k, v
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4
101 | 12
102 | 21
203 | 36
UPDATE 3

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
4 | 41 | d
101 | 12 | a
102 | 21 | b
203 | 36 | c
SELECT 4

# DELETE follows likewise, over several moves in one transaction.
> @T1 begin
BEGIN

> @T1 update t set k = 301 where k = 203
UPDATE 1

> @T1 update t set k = 302 where k = 301
UPDATE 1

> @T1 update t set k = 303, v = 0 where k = 302
UPDATE 1

> @T2 delete from t where w = 'c' returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
303 | 0 | c
DELETE 1

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
4 | 41 | d
101 | 12 | a
102 | 21 | b
SELECT 3

# Several moves in several transactions while the writer waits for the first.
> @T1 begin
BEGIN

> @T1 update t set k = 401 where w = 'a'
UPDATE 1

> @T2 begin
BEGIN

> @T2 update t set v = v + 1000 where w = 'a' returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
401 | 1012 | a
UPDATE 1

> @T2 rollback
ROLLBACK

> @T1 begin
BEGIN

> @T1 update t set k = 501 where w = 'a'
UPDATE 1

> @T1 update t set k = 401 where w = 'a'
UPDATE 1

> @T2 update t set v = v + 1000 where w = 'a' returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
401 | 1012 | a
UPDATE 1

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
4 | 41 | d
102 | 21 | b
401 | 1012 | a
SELECT 3

# Moved, then deleted: gone.
> @T1 begin
BEGIN

> @T1 update t set k = 601 where w = 'a'
UPDATE 1

> @T1 delete from t where k = 601
DELETE 1

> @T2 update t set v = -1 where w = 'a' returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
UPDATE 0

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
4 | 41 | d
102 | 21 | b
SELECT 2

# Moved and back by rollback: nothing happened.
> @T1 begin
BEGIN

> @T1 update t set k = 701 where w = 'b'
UPDATE 1

> @T2 update t set v = -2 where w = 'b' returning *
(waits)

> @T1 rollback
ROLLBACK
T2 resumes:
k:int4 | v:int4 | w:text
102 | -2 | b
UPDATE 1

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
4 | 41 | d
102 | -2 | b
SELECT 2

# FOR UPDATE shows the row under its new key; the lock holds there.
> @T1 begin
BEGIN

> @T1 update t set k = 801, v = 81 where w = 'd'
UPDATE 1

> @T2 begin
BEGIN

> @T2 select * from t where w = 'd' for update
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
801 | 81 | d
SELECT 1

> @T1 set lock_timeout = '100ms'
SET

> @T1 update t set v = 0 where k = 801
ERROR 55P03: canceling statement due to lock timeout

> @T2 update t set v = v + 1 where k = 801 returning *
k:int4 | v:int4 | w:text
801 | 82 | d
UPDATE 1

> @T2 commit
COMMIT

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
102 | -2 | b
801 | 82 | d
SELECT 2

# The one that follows waits again where a third transaction holds the new version.
> @T1 set lock_timeout = 0
SET

> @T1 begin
BEGIN

> @T1 update t set k = 900 where w = 'd'
UPDATE 1

> @T2 update t set v = v + 1 where w = 'd' returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
900 | 83 | d
UPDATE 1

> @T3 begin
BEGIN

> @T3 update t set k = 901 where w = 'd'
UPDATE 1

> @T2 update t set v = v + 1 where w = 'd' returning *
(waits)

> @T1 update t set v = v + 10 where w = 'd' returning *
(waits)

> @T3 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text
901 | 84 | d
UPDATE 1
T1 resumes:
k:int4 | v:int4 | w:text
901 | 94 | d
UPDATE 1

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
102 | -2 | b
901 | 94 | d
SELECT 2

# A join's other side stays as the snapshot saw it.
> @T1 create table o (x int primary key, n text)
CREATE TABLE

> @T1 insert into o values (901, 'old'), (1901, 'new')
INSERT 0 2

> @T1 begin
BEGIN

> @T1 update t set k = 1901 where w = 'd'
UPDATE 1

> @T2 update t set v = v + 1 from o where o.x = t.k returning t.*, o.*
(waits)

> @T1 commit
COMMIT
T2 resumes:
k:int4 | v:int4 | w:text | x:int4 | n:text
UPDATE 0

> @T1 select * from t order by k
k:int4 | v:int4 | w:text
102 | -2 | b
1901 | 94 | d
SELECT 2

# A referenced key that moves takes its references with it, and a waiting child checks the newest state.
> @T1 create table p (id int primary key)
CREATE TABLE

> @T1 create table c (id int primary key, p int references p on update cascade)
CREATE TABLE

> @T1 insert into p values (1)
INSERT 0 1

> @T1 insert into c values (1, 1)
INSERT 0 1

> @T1 begin
BEGIN

> @T1 update p set id = 2
UPDATE 1

> @T2 update c set id = 5 where p = 1 returning *
(waits)

> @T1 commit
COMMIT
T2 resumes:
id:int4 | p:int4
UPDATE 0

> @T1 select * from c
id:int4 | p:int4
1 | 2
SELECT 1

> @T1 drop table t, o, c, p
DROP TABLE
