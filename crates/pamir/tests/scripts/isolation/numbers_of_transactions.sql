# What snapshots see, in numbers that transactions keep with their rows.
> @T1 create table queue (v int primary key, xid xid8 not null default pg_current_xact_id())
CREATE TABLE

> @T1 begin
BEGIN

> @T1 insert into queue values (1)
INSERT 0 1

> @T2 begin
BEGIN

> @T2 insert into queue values (2)
INSERT 0 1

> @T2 commit
COMMIT

# The second has ended, the first is before it and runs on: who reads below xmin waits for it.
> @T3 select v, pg_visible_in_snapshot(xid, pg_current_snapshot()) seen, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | seen:bool | settled:bool
2 | t | f
SELECT 1

> @T3 select count(*) from pg_snapshot_xip(pg_current_snapshot())
count:int8
1
SELECT 1

> @T1 select v, pg_visible_in_snapshot(xid, pg_current_snapshot()) seen, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | seen:bool | settled:bool
1 | t | f
2 | t | f
SELECT 2

> @T1 select count(*), count(*) filter (where x = pg_current_xact_id()) from pg_snapshot_xip(pg_current_snapshot()) x
count:int8 | count:int8
0 | 0
SELECT 1

> @T3 begin isolation level repeatable read
BEGIN

> @T3 select count(*) from queue
count:int8
1
SELECT 1

> @T1 commit
COMMIT

# An old snapshot goes on to say so, a new one sees both.
> @T3 select v, pg_visible_in_snapshot(xid, pg_current_snapshot()) seen, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | seen:bool | settled:bool
2 | t | f
SELECT 1

> @T2 select v, pg_visible_in_snapshot(xid, pg_current_snapshot()) seen, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | seen:bool | settled:bool
1 | t | t
2 | t | t
SELECT 2

> @T2 select bool_and(pg_current_snapshot()::text = pg_current_snapshot()::text), pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()) from queue
bool_and:bool | ?column?:bool
t | t
SELECT 1

> @T3 commit
COMMIT

# Numbers rise in the order in which they are asked for, not in that of BEGIN.
> @T1 begin
BEGIN

> @T1 select count(*) from queue
count:int8
2
SELECT 1

> @T2 begin
BEGIN

> @T2 insert into queue values (3)
INSERT 0 1

> @T1 insert into queue values (4)
INSERT 0 1

> @T1 commit
COMMIT

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | f
SELECT 3

> @T3 select (select xid from queue where v = 4) > max(x) from pg_snapshot_xip(pg_current_snapshot()) x
?column?:bool
t
SELECT 1

> @T2 rollback
ROLLBACK

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
SELECT 3

# One that has only asked for its number runs, too.
> @T1 begin
BEGIN

> @T1 select pg_current_xact_id_if_assigned() is null, pg_current_xact_id() is null, pg_current_xact_id_if_assigned() = pg_current_xact_id(), txid_current()::text = pg_current_xact_id()::text
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> @T2 insert into queue values (5)
INSERT 0 1

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | f
SELECT 4

> @T1 commit
COMMIT

> @T3 select v, xid < txid_snapshot_xmin(txid_current_snapshot())::text::xid8 settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
SELECT 4

# A prepared one as well.
> @T1 begin
BEGIN

> @T1 insert into queue values (6)
INSERT 0 1

> @T1 prepare transaction 'numbers'
PREPARE TRANSACTION

> @T2 insert into queue values (7)
INSERT 0 1

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
7 | f
SELECT 5

> @T1 commit prepared 'numbers'
COMMIT PREPARED

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
6 | t
7 | t
SELECT 6

# Who waits until xmin is above a number of its own waits for all that wrote before, whether they know their number or not.
> @T1 create table plain (v int)
CREATE TABLE

> @T1 begin
BEGIN

> @T1 insert into plain values (1)
INSERT 0 1

> @T2 create temp table mark as select pg_current_xact_id() x
SELECT 1

> @T2 select x < pg_snapshot_xmin(pg_current_snapshot()) from mark
?column?:bool
f
SELECT 1

> @T1 rollback
ROLLBACK

> @T2 select x < pg_snapshot_xmin(pg_current_snapshot()) from mark
?column?:bool
t
SELECT 1

> @T1 begin
BEGIN

> @T1 insert into plain values (2)
INSERT 0 1

> @T2 insert into queue values (8)
INSERT 0 1

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
6 | t
7 | t
8 | f
SELECT 7

> @T1 insert into queue values (9)
INSERT 0 1

> @T2 insert into queue values (10)
INSERT 0 1

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
6 | t
7 | t
8 | f
10 | f
SELECT 8

> @T1 prepare transaction 'numbers'
PREPARE TRANSACTION

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
6 | t
7 | t
8 | f
10 | f
SELECT 8

> @T1 rollback prepared 'numbers'
ROLLBACK PREPARED

> @T3 select v, xid < pg_snapshot_xmin(pg_current_snapshot()) settled from queue order by v
v:int4 | settled:bool
1 | t
2 | t
4 | t
5 | t
6 | t
7 | t
8 | t
10 | t
SELECT 8

> @T1 drop table queue, plain
DROP TABLE
