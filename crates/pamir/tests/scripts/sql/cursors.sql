# Cursors: directions, positions, options. Expectations by PostgreSQL 15.
> create table t (a int primary key, b text)
CREATE TABLE

> insert into t select i, 'r' || i from generate_series(1, 10) i
INSERT 0 10

> declare c cursor for select * from t
ERROR 25P01: DECLARE CURSOR can only be used in transaction blocks

> fetch from nocursor
ERROR 34000: cursor "nocursor" does not exist

> begin
BEGIN

> declare c cursor for select a from t order by b
DECLARE CURSOR

> fetch c
a:int4
1
FETCH 1

> fetch next from c
a:int4
10
FETCH 1

> fetch 3 in c
a:int4
2
3
4
FETCH 3

> fetch prior from c
a:int4
3
FETCH 1

> fetch backward 2 from c
a:int4
2
10
FETCH 2

> fetch backward 2 from c
a:int4
1
FETCH 1

> fetch backward from c
a:int4
FETCH 0

> fetch c
a:int4
1
FETCH 1

> move last from c
MOVE 1

> fetch prior from c
a:int4
8
FETCH 1

> fetch c
a:int4
9
FETCH 1

> fetch c
a:int4
FETCH 0

> fetch c
a:int4
FETCH 0

> fetch absolute 0 from c
a:int4
FETCH 0

> fetch absolute 4 from c
a:int4
3
FETCH 1

> fetch absolute 9 from c
a:int4
8
FETCH 1

> fetch absolute 2 from c
a:int4
10
FETCH 1

> fetch absolute -1 from c
a:int4
9
FETCH 1

> fetch absolute -3 from c
a:int4
7
FETCH 1

> fetch absolute 99 from c
a:int4
FETCH 0

> fetch absolute 10 from c
a:int4
9
FETCH 1

> fetch absolute -99 from c
a:int4
FETCH 0

> fetch relative 3 from c
a:int4
2
FETCH 1

> fetch relative -2 from c
a:int4
1
FETCH 1

> fetch relative 0 from c
a:int4
1
FETCH 1

> fetch 0 from c
a:int4
1
FETCH 1

> move 0 in c
MOVE 1

> fetch first from c
a:int4
1
FETCH 1

> fetch last from c
a:int4
9
FETCH 1

> fetch all from c
a:int4
FETCH 0

> fetch relative 0 from c
a:int4
FETCH 0

> move 0 in c
MOVE 0

> fetch backward all from c
a:int4
9
8
7
6
5
4
3
2
10
1
FETCH 10

> fetch relative 0 from c
a:int4
FETCH 0

> fetch forward 4 from c
a:int4
1
10
2
3
FETCH 4

> fetch forward -2 from c
a:int4
2
10
FETCH 2

> fetch backward -3 from c
a:int4
2
3
4
FETCH 3

> fetch -1 from c
a:int4
3
FETCH 1

> move forward all in c
MOVE 6

> move backward 3 in c
MOVE 3

> fetch c
a:int4
8
FETCH 1

> move backward all in c
MOVE 8

> move relative 5 in c
MOVE 1

> fetch forward 0 from c
a:int4
4
FETCH 1

> fetch backward 0 from c
a:int4
4
FETCH 1

> fetch forward all from c
a:int4
5
6
7
8
9
FETCH 5

> move absolute 3 from c
MOVE 1

> move prior from c
MOVE 1

> move first from c
MOVE 1

> move next from c
MOVE 1

> fetch 1 from c
a:int4
2
FETCH 1

> close c
CLOSE CURSOR

> fetch c
ERROR 34000: cursor "c" does not exist

> rollback
ROLLBACK

# A cursor that may only go forward.
> begin
BEGIN

> declare n no scroll cursor for select a from t order by a
DECLARE CURSOR

> fetch n
a:int4
1
FETCH 1

> fetch absolute 1 from n
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> rollback
ROLLBACK

> begin
BEGIN

> declare n no scroll cursor for select a from t order by a
DECLARE CURSOR

> fetch absolute 3 from n
a:int4
3
FETCH 1

> fetch absolute 5 from n
a:int4
5
FETCH 1

> fetch relative 2 from n
a:int4
7
FETCH 1

> fetch prior from n
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> rollback
ROLLBACK

> begin
BEGIN

> declare n no scroll cursor for select a from t order by a
DECLARE CURSOR

> fetch last from n
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> rollback
ROLLBACK

> begin
BEGIN

> declare n no scroll cursor for select a from t order by a
DECLARE CURSOR

> move backward all in n
MOVE 0

> fetch backward all from n
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> rollback
ROLLBACK

# Neither way: as the plan allows. A join cannot go back, a declared SCROLL always can.
> begin
BEGIN

> declare j cursor for select t.a, u.b from t join t u on t.a = u.a + 1 order by t.a + 0
DECLARE CURSOR

> declare s cursor for select a from t
DECLARE CURSOR

> declare g cursor for select count(*) from t
DECLARE CURSOR

> declare gs scroll cursor for select count(*), min(a) from t group by a > 5 order by 2
DECLARE CURSOR

> declare v cursor for values (1), (2)
DECLARE CURSOR

> declare one cursor for select 1
DECLARE CURSOR

> declare u cursor for select a from t union all select a from t
DECLARE CURSOR

> declare d cursor for select distinct a from t
DECLARE CURSOR

> declare l cursor for select a from t limit 3
DECLARE CURSOR

> declare f cursor for select * from generate_series(1, 3)
DECLARE CURSOR

> declare fu cursor for select * from t for update
DECLARE CURSOR

> declare ns no scroll cursor for select a from t
DECLARE CURSOR

> select name, statement, is_holdable, is_binary, is_scrollable, creation_time = statement_timestamp() from pg_cursors order by name
name:text | statement:text | is_holdable:bool | is_binary:bool | is_scrollable:bool | ?column?:bool
d | declare d cursor for select distinct a from t | f | f | f | f
f | declare f cursor for select * from generate_series(1, 3) | f | f | t | f
fu | declare fu cursor for select * from t for update | f | f | f | f
g | declare g cursor for select count(*) from t | f | f | f | f
gs | declare gs scroll cursor for select count(*), min(a) from t group by a > 5 order by 2 | f | f | t | f
j | declare j cursor for select t.a, u.b from t join t u on t.a = u.a + 1 order by t.a + 0 | f | f | t | f
l | declare l cursor for select a from t limit 3 | f | f | t | f
ns | declare ns no scroll cursor for select a from t | f | f | f | f
one | declare one cursor for select 1 | f | f | f | f
s | declare s cursor for select a from t | f | f | t | f
u | declare u cursor for select a from t union all select a from t | f | f | t | f
v | declare v cursor for values (1), (2) | f | f | t | f
SELECT 12

> fetch all from gs
count:int8 | min:int4
5 | 1
5 | 6
FETCH 2

> fetch backward all from gs
count:int8 | min:int4
5 | 6
5 | 1
FETCH 2

> fetch g
count:int8
10
FETCH 1

> move 2 in u
MOVE 2

> fetch backward 1 from u
a:int4
1
FETCH 1

> fetch g
count:int8
FETCH 0

> fetch prior from g
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> rollback
ROLLBACK

# What cannot be declared.
> begin
BEGIN

> declare c scroll no scroll cursor for select 1
ERROR 42P11: cannot specify both SCROLL and NO SCROLL

> rollback
ROLLBACK

> begin
BEGIN

> declare c no scroll scroll cursor for select 1
ERROR 42P11: cannot specify both SCROLL and NO SCROLL

> rollback
ROLLBACK

> begin
BEGIN

> declare c scroll cursor for select * from t for update
ERROR 0A000: DECLARE SCROLL CURSOR ... FOR UPDATE is not supported
DETAIL: Scrollable cursors must be READ ONLY.

> rollback
ROLLBACK

> begin
BEGIN

> declare c cursor with hold for select * from t for share
ERROR 0A000: DECLARE CURSOR WITH HOLD ... FOR SHARE is not supported
DETAIL: Holdable cursors must be READ ONLY.

> rollback
ROLLBACK

> begin
BEGIN

> declare c insensitive cursor for select * from t for update
ERROR 42P11: DECLARE INSENSITIVE CURSOR ... FOR UPDATE is not valid
DETAIL: Insensitive cursors must be READ ONLY.

> rollback
ROLLBACK

> begin
BEGIN

> declare c cursor for insert into t values (0) returning *
ERROR 42601: syntax error at or near "insert"

> rollback
ROLLBACK

> begin
BEGIN

> declare c cursor for with x as (insert into t values (0, '') returning *) select * from x
ERROR 0A000: DECLARE CURSOR must not contain data-modifying statements in WITH

> rollback
ROLLBACK

> begin
BEGIN

> declare c cursor for select nothing from t
ERROR 42703: column "nothing" does not exist

> rollback
ROLLBACK

> begin
BEGIN

> declare c cursor for select 1
DECLARE CURSOR

> declare c cursor for select 2
ERROR 42P03: cursor "c" already exists

> rollback
ROLLBACK

> declare c cursor for select 1
ERROR 25P01: DECLARE CURSOR can only be used in transaction blocks

# The rows are those of the time of the declaration, whoever changes them, forward and back.
> begin
BEGIN

> declare c scroll cursor for select a, b from t where a < 4 order by a
DECLARE CURSOR

> fetch 1 from c
a:int4 | b:text
1 | r1
FETCH 1

> update t set b = 'changed' where a <= 2
UPDATE 2

> delete from t where a = 3
DELETE 1

> insert into t values (0, 'new')
INSERT 0 1

> fetch all from c
a:int4 | b:text
2 | r2
3 | r3
FETCH 2

> fetch backward all from c
a:int4 | b:text
3 | r3
2 | r2
1 | r1
FETCH 3

> select * from t where a < 4 order by a
a:int4 | b:text
0 | new
1 | changed
2 | changed
SELECT 3

> rollback
ROLLBACK

# Savepoints: a cursor goes with the savepoint it was declared under, and keeps its place otherwise.
> begin
BEGIN

> declare a cursor for select a from t order by a
DECLARE CURSOR

> fetch 2 from a
a:int4
1
2
FETCH 2

> savepoint s1
SAVEPOINT

> declare b cursor for select a from t order by a
DECLARE CURSOR

> fetch 1 from b
a:int4
1
FETCH 1

> fetch 2 from a
a:int4
3
4
FETCH 2

> savepoint s2
SAVEPOINT

> declare c cursor for select a from t order by a
DECLARE CURSOR

> release s2
RELEASE

> select name from pg_cursors order by 1
name:text
a
b
c
SELECT 3

> rollback to s1
ROLLBACK

> select name from pg_cursors order by 1
name:text
a
SELECT 1

> fetch a
a:int4
5
FETCH 1

> savepoint s3
SAVEPOINT

> select 1/0
ERROR 22012: division by zero

> fetch a
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> rollback to s3
ROLLBACK

> fetch a
a:int4
6
FETCH 1

> fetch prior from a
a:int4
5
FETCH 1

> savepoint s4
SAVEPOINT

> declare z cursor for select 1 / (a - 1) from t order by a
DECLARE CURSOR

> release s4
RELEASE

> savepoint s5
SAVEPOINT

> fetch all from z
ERROR 22012: division by zero

> rollback to s5
ROLLBACK

> fetch all from z
ERROR 55000: portal "z" cannot be run

> rollback to s5
ROLLBACK

> close z
CLOSE CURSOR

> commit
COMMIT

> fetch a
ERROR 34000: cursor "a" does not exist

# WITH HOLD outlives its transaction, with its place.
> begin
BEGIN

> declare h cursor with hold for select a, b from t order by a
DECLARE CURSOR

> declare gone cursor for select 1
DECLARE CURSOR

> fetch 2 from h
a:int4 | b:text
1 | r1
2 | r2
FETCH 2

> select name, is_holdable, is_scrollable from pg_cursors order by name
name:text | is_holdable:bool | is_scrollable:bool
gone | f | f
h | t | t
SELECT 2

> commit
COMMIT

> select name, is_holdable, is_scrollable from pg_cursors order by name
name:text | is_holdable:bool | is_scrollable:bool
h | t | t
SELECT 1

> fetch 2 from h
a:int4 | b:text
3 | r3
4 | r4
FETCH 2

> fetch backward 3 from h
a:int4 | b:text
3 | r3
2 | r2
1 | r1
FETCH 3

> update t set b = 'later' where a = 5
UPDATE 1

> fetch absolute 5 from h
a:int4 | b:text
5 | r5
FETCH 1

> fetch last from h
a:int4 | b:text
10 | r10
FETCH 1

> fetch h
a:int4 | b:text
FETCH 0

> fetch prior from h
a:int4 | b:text
10 | r10
FETCH 1

> begin
BEGIN

> fetch absolute 2 from h
a:int4 | b:text
2 | r2
FETCH 1

> select 1/0
ERROR 22012: division by zero

> rollback
ROLLBACK

> fetch h
a:int4 | b:text
3 | r3
FETCH 1

> begin
BEGIN

> close h
CLOSE CURSOR

> rollback
ROLLBACK

> fetch h
ERROR 34000: cursor "h" does not exist

> declare h2 no scroll cursor with hold for select a from t order by a
DECLARE CURSOR

> fetch 3 from h2
a:int4
1
2
3
FETCH 3

> move 2 in h2
MOVE 2

> fetch h2
a:int4
6
FETCH 1

> fetch prior from h2
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> fetch all from h2
ERROR 55000: portal "h2" cannot be run

> fetch all from h2
ERROR 55000: portal "h2" cannot be run

> close h2
CLOSE CURSOR

> begin
BEGIN

> declare h3 no scroll cursor with hold for select a from t order by a
DECLARE CURSOR

> fetch 3 from h3
a:int4
1
2
3
FETCH 3

> fetch absolute 5 from h3
a:int4
5
FETCH 1

> commit
COMMIT

> fetch 2 from h3
a:int4
6
7
FETCH 2

> fetch absolute 9 from h3
a:int4
9
FETCH 1

> fetch absolute 2 from h3
ERROR 55000: cursor can only scan forward
HINT: Declare it with SCROLL option to enable backward scan.

> close h3
CLOSE CURSOR

> begin
BEGIN

> declare h4 cursor with hold for select count(*) from t
DECLARE CURSOR

> rollback
ROLLBACK

> fetch h4
ERROR 34000: cursor "h4" does not exist

> begin
BEGIN

> declare h5 scroll cursor with hold for select count(*) from t group by a > 3 order by 1
DECLARE CURSOR

> move all in h5
MOVE 2

> commit
COMMIT

> fetch h5
count:int8
FETCH 0

> fetch prior from h5
count:int8
7
FETCH 1

> fetch backward all from h5
count:int8
3
FETCH 1

> fetch all from h5
count:int8
3
7
FETCH 2

> close all
CLOSE CURSOR ALL

> select count(*) from pg_cursors
count:int8
0
SELECT 1

# A held cursor whose query fails at COMMIT takes the transaction with it.
> begin
BEGIN

> insert into t values (100, 'x')
INSERT 0 1

> declare h6 cursor with hold for select 1 / (a - 100) from t order by a
DECLARE CURSOR

> fetch 1 from h6
?column?:int4
0
FETCH 1

> commit
ERROR 22012: division by zero

> select count(*) from t where a = 100
count:int8
0
SELECT 1

> fetch h6
ERROR 34000: cursor "h6" does not exist

> select count(*) from pg_cursors
count:int8
0
SELECT 1

# Columns that never are, long texts, NULLs, reg types.
> begin
BEGIN

> declare e scroll cursor for select from t limit 2
DECLARE CURSOR

> fetch all from e
|
|
|
FETCH 2

> fetch backward all from e
|
|
|
FETCH 2

> declare r scroll cursor for select 't'::regclass, null::int, repeat('x', 5)
DECLARE CURSOR

> fetch r
regclass:regclass | int4:int4 | repeat:text
t | NULL | xxxxx
FETCH 1

> fetch absolute 1 from r
regclass:regclass | int4:int4 | repeat:text
t | NULL | xxxxx
FETCH 1

> close all
CLOSE CURSOR ALL

> commit
COMMIT

> begin
BEGIN

> rollback
ROLLBACK

> close nothing
ERROR 34000: cursor "nothing" does not exist

> fetch forward x from c
ERROR 42601: syntax error at or near "from"

> move c
ERROR 34000: cursor "c" does not exist

> drop table t
DROP TABLE
