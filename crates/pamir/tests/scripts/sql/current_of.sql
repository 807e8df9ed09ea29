> create table uc (f1 int, f2 text)
CREATE TABLE

> insert into uc values (1, 'one'), (2, 'two'), (3, 'three')
INSERT 0 3

> begin
BEGIN

> declare c1 cursor for select * from uc
DECLARE CURSOR

> update uc set f1 = 8 where current of c1
ERROR 24000: cursor "c1" is not positioned on a row

> fetch 2 from c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> delete from uc where current of c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> delete from uc where current of c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> update uc set f1 = f1 + 10 where current of c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> select * from uc order by f1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> fetch 10 from c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> savepoint s
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> update uc set f1 = 8 where current of c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> rollback to s
ERROR 3B001: savepoint "s" does not exist

> close c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> update uc set f1 = 8 where current of c1
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> rollback
ROLLBACK

> begin
BEGIN

> declare c1 cursor for select f2, f1 from uc for update
DECLARE CURSOR

> fetch c1
f2:text | f1:int4
one | 1
FETCH 1

> update uc set f1 = f1 + 10 where current of c1 returning *
f1:int4 | f2:text
11 | one
UPDATE 1

> update uc set f1 = f1 + 10 where current of c1 returning *
f1:int4 | f2:text
21 | one
UPDATE 1

> select * from uc order by f1
f1:int4 | f2:text
2 | two
3 | three
21 | one
SELECT 3

> delete from uc where current of c1
DELETE 1

> select * from uc order by f1
f1:int4 | f2:text
2 | two
3 | three
SELECT 2

> fetch c1
f2:text | f1:int4
two | 2
FETCH 1

> update uc x set f2 = f2 || '!' where current of c1 returning x.*
f1:int4 | f2:text
2 | two!
UPDATE 1

> commit
COMMIT

> select * from uc order by f1
f1:int4 | f2:text
2 | two!
3 | three
SELECT 2

> create table uk (k int primary key, v int)
CREATE TABLE

> insert into uk select g, g * 10 from generate_series(1, 5) g
INSERT 0 5

> begin
BEGIN

> declare c scroll cursor for select v, k from uk
DECLARE CURSOR

> fetch 3 from c
v:int4 | k:int4
10 | 1
20 | 2
30 | 3
FETCH 3

> update uk set v = -1 where current of c
UPDATE 1

> fetch prior from c
v:int4 | k:int4
20 | 2
FETCH 1

> update uk set v = -2 where current of c
UPDATE 1

> fetch absolute 5 from c
v:int4 | k:int4
50 | 5
FETCH 1

> delete from uk where current of c
DELETE 1

> move first from c
MOVE 1

> update uk set v = -3 where current of c
UPDATE 1

> select * from uk order by k
k:int4 | v:int4
1 | -3
2 | -2
3 | -1
4 | 40
SELECT 4

> move backward all from c
MOVE 0

> savepoint s
SAVEPOINT

> update uk set v = -4 where current of c
ERROR 24000: cursor "c" is not positioned on a row

> rollback to s
ROLLBACK

> declare two cursor for select * from uk a, uk b where a.k = b.k
DECLARE CURSOR

> fetch two
k:int4 | v:int4 | k:int4 | v:int4
1 | -3 | 1 | -3
FETCH 1

> update uk set v = 0 where current of two
ERROR 24000: cursor "two" is not a simply updatable scan of table "uk"

> rollback to s
ROLLBACK

> declare grouped cursor for select count(*) from uk
DECLARE CURSOR

> fetch grouped
count:int8
4
FETCH 1

> update uk set v = 0 where current of grouped
ERROR 24000: cursor "grouped" is not a simply updatable scan of table "uk"

> rollback to s
ROLLBACK

> declare joined cursor for select a.k from uk a join uc on a.k <> f1 where k = 4 and f1 = 3 for update of a
DECLARE CURSOR

> fetch joined
k:int4
4
FETCH 1

> update uk set v = 77 where current of joined
UPDATE 1

> update uc set f1 = 0 where current of joined
ERROR 24000: cursor "joined" does not have a FOR UPDATE/SHARE reference to table "uc"

> rollback to s
ROLLBACK

> declare sorted cursor for select * from uk order by v desc for update
DECLARE CURSOR

> fetch sorted
k:int4 | v:int4
4 | 40
FETCH 1

> update uk set v = 78 where current of sorted returning *
k:int4 | v:int4
4 | 78
UPDATE 1

> commit
COMMIT

> select * from uk order by k
k:int4 | v:int4
1 | -3
2 | -2
3 | -1
4 | 78
SELECT 4

> declare h cursor with hold for select * from uk where k = 3
DECLARE CURSOR

> fetch h
k:int4 | v:int4
3 | -1
FETCH 1

> update uk set v = 0 where current of h
ERROR 24000: cursor "h" is held from a previous transaction

> close h
CLOSE CURSOR

> begin
BEGIN

> declare h cursor with hold for select * from uk where k = 3
DECLARE CURSOR

> fetch h
k:int4 | v:int4
3 | -1
FETCH 1

> update uk set v = 79 where current of h returning *
k:int4 | v:int4
3 | 79
UPDATE 1

> commit
COMMIT

> update uk set v = 0 where current of h
ERROR 24000: cursor "h" is held from a previous transaction

> close h
CLOSE CURSOR

> update uk set v = 0 where current of nosuch
ERROR 34000: cursor "nosuch" does not exist

> create view uv as select * from uk
CREATE VIEW

> begin
BEGIN

> declare c cursor for select * from uv where k = 2
DECLARE CURSOR

> fetch c
k:int4 | v:int4
2 | -2
FETCH 1

> update uv set v = 1 where current of c
ERROR 0A000: WHERE CURRENT OF on a view is not implemented

> rollback
ROLLBACK

> begin
BEGIN

> declare c scroll cursor for select * from uk where k = 3 limit 2
DECLARE CURSOR

> fetch all from c
k:int4 | v:int4
3 | 79
FETCH 1

> fetch prior from c
k:int4 | v:int4
3 | 79
FETCH 1

> delete from uk where current of c returning k
k:int4
3
DELETE 1

> rollback
ROLLBACK

> create function walk() returns int language plpgsql as $$ declare c cursor for select * from uk for update; n int := 0; begin for r in c loop update uk set v = r.v + 1 where current of c; n := n + 1; end loop; return n; end $$
CREATE FUNCTION

> select walk()
walk:int4
4
SELECT 1

> select * from uk order by k
k:int4 | v:int4
1 | -2
2 | -1
3 | 80
4 | 79
SELECT 4

> create function one() returns int language plpgsql as $$ declare c cursor (x int) for select v from uk where k = x; r int; begin open c(2); fetch c into r; update uk set v = 1000 where current of c; close c; return r; end $$
CREATE FUNCTION

> select one()
one:int4
-1
SELECT 1

> create function ref() returns int language plpgsql as $$ declare c refcursor; r record; begin open c for execute 'select k from uk where k = 3 for update'; fetch c into r; delete from uk where current of c; return r.k; end $$
CREATE FUNCTION

> select ref()
ref:int4
3
SELECT 1

> select * from uk order by k
k:int4 | v:int4
1 | -2
2 | 1000
4 | 79
SELECT 3

> drop table uc, uk cascade
NOTICE 00000: drop cascades to view uv
DROP TABLE

> drop function walk, one, ref
DROP FUNCTION
