# Orders that partitions have among them: by their bounds, and merged. Sorts are dear here, so that the order is that of the scans.

> set enable_sort = off
SET

> set enable_seqscan = off
SET

> create table order_ranges (a int, b int) partition by range (a)
CREATE TABLE

> create table order_ranges_0 partition of order_ranges for values from (5) to (10)
CREATE TABLE

> create table order_ranges_1 partition of order_ranges for values from (minvalue) to (5)
CREATE TABLE

> create table order_ranges_2 partition of order_ranges for values from (20) to (30)
CREATE TABLE

> create table order_ranges_3 partition of order_ranges for values from (10) to (20)
CREATE TABLE

> create index on order_ranges (a, b)
CREATE INDEX

> insert into order_ranges select g, g % 4 from generate_series(3, 25, 3) g
INSERT 0 8

> insert into order_ranges select 5, g from generate_series(1, 11, 2) g
INSERT 0 6

> analyze order_ranges
ANALYZE

> select * from order_ranges order by a, b
a:int4 | b:int4
3 | 3
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
5 | 11
6 | 2
9 | 1
12 | 0
15 | 3
18 | 2
21 | 1
24 | 0
SELECT 14

> select * from order_ranges order by a desc, b desc limit 7
a:int4 | b:int4
24 | 0
21 | 1
18 | 2
15 | 3
12 | 0
9 | 1
6 | 2
SELECT 7

> select * from order_ranges order by a, b limit 4 offset 3
a:int4 | b:int4
5 | 5
5 | 7
5 | 9
5 | 11
SELECT 4

> select * from order_ranges where a > 4 order by a, b limit 5
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 5

> select * from order_ranges where a > 4 order by a desc, b desc limit 5 offset 2
a:int4 | b:int4
18 | 2
15 | 3
12 | 0
9 | 1
6 | 2
SELECT 5

> select a from order_ranges order by a limit 1
a:int4
3
SELECT 1

> select a from order_ranges order by a desc limit 1
a:int4
24
SELECT 1

> select * from order_ranges order by a nulls first, b limit 4
a:int4 | b:int4
3 | 3
5 | 1
5 | 3
5 | 5
SELECT 4

> select * from order_ranges order by a, b desc limit 6
a:int4 | b:int4
3 | 3
5 | 11
5 | 9
5 | 7
5 | 5
5 | 3
SELECT 6

> select min(a), max(a), min(b), max(b) from order_ranges
min:int4 | max:int4 | min:int4 | max:int4
3 | 24 | 0 | 11
SELECT 1

> select x.a, (select y.b from order_ranges y where y.a >= x.a order by y.a, y.b limit 1) from order_ranges x where x.a between 5 and 9 order by 1, 2
a:int4 | b:int4
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
6 | 2
9 | 1
SELECT 8

> create table order_rest (a int, b int) partition by range (a)
CREATE TABLE

> create table order_rest_0 partition of order_rest for values from (5) to (10)
CREATE TABLE

> create table order_rest_1 partition of order_rest for values from (10) to (20)
CREATE TABLE

> create table order_rest_2 partition of order_rest default
CREATE TABLE

> create index on order_rest (a, b)
CREATE INDEX

> insert into order_rest select g, g % 4 from generate_series(1, 25, 3) g
INSERT 0 9

> insert into order_rest select 5, g from generate_series(1, 11, 2) g
INSERT 0 6

> insert into order_rest values (null, 1), (-3, 2)
INSERT 0 2

> analyze order_rest
ANALYZE

> select * from order_rest order by a, b
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
5 | 11
7 | 3
10 | 2
13 | 1
16 | 0
19 | 3
22 | 2
25 | 1
NULL | 1
SELECT 17

> select * from order_rest order by a desc, b desc limit 7
a:int4 | b:int4
NULL | 1
25 | 1
22 | 2
19 | 3
16 | 0
13 | 1
10 | 2
SELECT 7

> select * from order_rest order by a, b limit 4 offset 3
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
SELECT 4

> select * from order_rest where a > 4 order by a, b limit 5
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 5

> select * from order_rest where a > 4 order by a desc, b desc limit 5 offset 2
a:int4 | b:int4
19 | 3
16 | 0
13 | 1
10 | 2
7 | 3
SELECT 5

> select a from order_rest order by a limit 1
a:int4
-3
SELECT 1

> select a from order_rest order by a desc limit 1
a:int4
NULL
SELECT 1

> select * from order_rest order by a nulls first, b limit 4
a:int4 | b:int4
NULL | 1
-3 | 2
1 | 1
4 | 0
SELECT 4

> select * from order_rest order by a, b desc limit 6
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 11
5 | 9
5 | 7
SELECT 6

> select min(a), max(a), min(b), max(b) from order_rest
min:int4 | max:int4 | min:int4 | max:int4
-3 | 25 | 0 | 11
SELECT 1

> select x.a, (select y.b from order_rest y where y.a >= x.a order by y.a, y.b limit 1) from order_rest x where x.a between 5 and 9 order by 1, 2
a:int4 | b:int4
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
7 | 3
SELECT 7

> create table order_two (a int, b int) partition by range (a, b)
CREATE TABLE

> create table order_two_0 partition of order_two for values from (0, 0) to (5, 3)
CREATE TABLE

> create table order_two_1 partition of order_two for values from (5, 3) to (5, 9)
CREATE TABLE

> create table order_two_2 partition of order_two for values from (5, 9) to (maxvalue, maxvalue)
CREATE TABLE

> create index on order_two (a, b)
CREATE INDEX

> insert into order_two select g, g % 4 from generate_series(1, 25, 3) g
INSERT 0 9

> insert into order_two select 5, g from generate_series(1, 11, 2) g
INSERT 0 6

> analyze order_two
ANALYZE

> select * from order_two order by a, b
a:int4 | b:int4
1 | 1
4 | 0
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
5 | 11
7 | 3
10 | 2
13 | 1
16 | 0
19 | 3
22 | 2
25 | 1
SELECT 15

> select * from order_two order by a desc, b desc limit 7
a:int4 | b:int4
25 | 1
22 | 2
19 | 3
16 | 0
13 | 1
10 | 2
7 | 3
SELECT 7

> select * from order_two order by a, b limit 4 offset 3
a:int4 | b:int4
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 4

> select * from order_two where a > 4 order by a, b limit 5
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 5

> select * from order_two where a > 4 order by a desc, b desc limit 5 offset 2
a:int4 | b:int4
19 | 3
16 | 0
13 | 1
10 | 2
7 | 3
SELECT 5

> select a from order_two order by a limit 1
a:int4
1
SELECT 1

> select a from order_two order by a desc limit 1
a:int4
25
SELECT 1

> select * from order_two order by a nulls first, b limit 4
a:int4 | b:int4
1 | 1
4 | 0
5 | 1
5 | 3
SELECT 4

> select * from order_two order by a, b desc limit 6
a:int4 | b:int4
1 | 1
4 | 0
5 | 11
5 | 9
5 | 7
5 | 5
SELECT 6

> select min(a), max(a), min(b), max(b) from order_two
min:int4 | max:int4 | min:int4 | max:int4
1 | 25 | 0 | 11
SELECT 1

> select x.a, (select y.b from order_two y where y.a >= x.a order by y.a, y.b limit 1) from order_two x where x.a between 5 and 9 order by 1, 2
a:int4 | b:int4
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
7 | 3
SELECT 7

> create table order_listed (a int, b int) partition by list (a)
CREATE TABLE

> create table order_listed_0 partition of order_listed for values in (1, 9, 17)
CREATE TABLE

> create table order_listed_1 partition of order_listed for values in (2, 5)
CREATE TABLE

> create table order_listed_2 partition of order_listed for values in (null, 11)
CREATE TABLE

> create table order_listed_3 partition of order_listed default
CREATE TABLE

> create index on order_listed (a, b)
CREATE INDEX

> insert into order_listed select g, g % 4 from generate_series(1, 25, 3) g
INSERT 0 9

> insert into order_listed select 5, g from generate_series(1, 11, 2) g
INSERT 0 6

> insert into order_listed values (null, 1), (-3, 2)
INSERT 0 2

> analyze order_listed
ANALYZE

> select * from order_listed order by a, b
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
5 | 11
7 | 3
10 | 2
13 | 1
16 | 0
19 | 3
22 | 2
25 | 1
NULL | 1
SELECT 17

> select * from order_listed order by a desc, b desc limit 7
a:int4 | b:int4
NULL | 1
25 | 1
22 | 2
19 | 3
16 | 0
13 | 1
10 | 2
SELECT 7

> select * from order_listed order by a, b limit 4 offset 3
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
SELECT 4

> select * from order_listed where a > 4 order by a, b limit 5
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 5

> select * from order_listed where a > 4 order by a desc, b desc limit 5 offset 2
a:int4 | b:int4
19 | 3
16 | 0
13 | 1
10 | 2
7 | 3
SELECT 5

> select a from order_listed order by a limit 1
a:int4
-3
SELECT 1

> select a from order_listed order by a desc limit 1
a:int4
NULL
SELECT 1

> select * from order_listed order by a nulls first, b limit 4
a:int4 | b:int4
NULL | 1
-3 | 2
1 | 1
4 | 0
SELECT 4

> select * from order_listed order by a, b desc limit 6
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 11
5 | 9
5 | 7
SELECT 6

> select min(a), max(a), min(b), max(b) from order_listed
min:int4 | max:int4 | min:int4 | max:int4
-3 | 25 | 0 | 11
SELECT 1

> select x.a, (select y.b from order_listed y where y.a >= x.a order by y.a, y.b limit 1) from order_listed x where x.a between 5 and 9 order by 1, 2
a:int4 | b:int4
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
7 | 3
SELECT 7

> create table order_hashed (a int, b int) partition by hash (a)
CREATE TABLE

> create table order_hashed_0 partition of order_hashed for values with (modulus 3, remainder 0)
CREATE TABLE

> create table order_hashed_1 partition of order_hashed for values with (modulus 3, remainder 1)
CREATE TABLE

> create table order_hashed_2 partition of order_hashed for values with (modulus 3, remainder 2)
CREATE TABLE

> create index on order_hashed (a, b)
CREATE INDEX

> insert into order_hashed select g, g % 4 from generate_series(1, 25, 3) g
INSERT 0 9

> insert into order_hashed select 5, g from generate_series(1, 11, 2) g
INSERT 0 6

> insert into order_hashed values (null, 1), (-3, 2)
INSERT 0 2

> analyze order_hashed
ANALYZE

> select * from order_hashed order by a, b
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
5 | 11
7 | 3
10 | 2
13 | 1
16 | 0
19 | 3
22 | 2
25 | 1
NULL | 1
SELECT 17

> select * from order_hashed order by a desc, b desc limit 7
a:int4 | b:int4
NULL | 1
25 | 1
22 | 2
19 | 3
16 | 0
13 | 1
10 | 2
SELECT 7

> select * from order_hashed order by a, b limit 4 offset 3
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
SELECT 4

> select * from order_hashed where a > 4 order by a, b limit 5
a:int4 | b:int4
5 | 1
5 | 3
5 | 5
5 | 7
5 | 9
SELECT 5

> select * from order_hashed where a > 4 order by a desc, b desc limit 5 offset 2
a:int4 | b:int4
19 | 3
16 | 0
13 | 1
10 | 2
7 | 3
SELECT 5

> select a from order_hashed order by a limit 1
a:int4
-3
SELECT 1

> select a from order_hashed order by a desc limit 1
a:int4
NULL
SELECT 1

> select * from order_hashed order by a nulls first, b limit 4
a:int4 | b:int4
NULL | 1
-3 | 2
1 | 1
4 | 0
SELECT 4

> select * from order_hashed order by a, b desc limit 6
a:int4 | b:int4
-3 | 2
1 | 1
4 | 0
5 | 11
5 | 9
5 | 7
SELECT 6

> select min(a), max(a), min(b), max(b) from order_hashed
min:int4 | max:int4 | min:int4 | max:int4
-3 | 25 | 0 | 11
SELECT 1

> select x.a, (select y.b from order_hashed y where y.a >= x.a order by y.a, y.b limit 1) from order_hashed x where x.a between 5 and 9 order by 1, 2
a:int4 | b:int4
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
5 | 1
7 | 3
SELECT 7

# Partitions of partitions, columns at other places.

> create table order_deep (a int, b int) partition by range (a)
CREATE TABLE

> create table order_deep_1 partition of order_deep for values from (10) to (20) partition by list (b)
CREATE TABLE

> create table order_deep_1_0 partition of order_deep_1 for values in (0)
CREATE TABLE

> create table order_deep_1_1 partition of order_deep_1 default
CREATE TABLE

> create table order_deep_0 (gone text, b int, a int)
CREATE TABLE

> alter table order_deep_0 drop column gone
ALTER TABLE

> alter table order_deep attach partition order_deep_0 for values from (0) to (10)
ALTER TABLE

> create index on order_deep (a)
CREATE INDEX

> insert into order_deep select g, g % 3 from generate_series(0, 19) g
INSERT 0 20

> analyze order_deep
ANALYZE

> select * from order_deep order by a limit 12
a:int4 | b:int4
0 | 0
1 | 1
2 | 2
3 | 0
4 | 1
5 | 2
6 | 0
7 | 1
8 | 2
9 | 0
10 | 1
11 | 2
SELECT 12

> select * from order_deep order by a desc limit 12
a:int4 | b:int4
19 | 1
18 | 0
17 | 2
16 | 1
15 | 0
14 | 2
13 | 1
12 | 0
11 | 2
10 | 1
9 | 0
8 | 2
SELECT 12

> select * from order_deep where a > 8 order by a limit 3
a:int4 | b:int4
9 | 0
10 | 1
11 | 2
SELECT 3

> select tableoid::regclass, a from order_deep order by a desc limit 3 offset 8
tableoid:regclass | a:int4
order_deep_1_1 | 11
order_deep_1_1 | 10
order_deep_0 | 9
SELECT 3

> prepare order_first(int) as select a from order_deep where a >= $1 order by a limit 2
PREPARE

> set plan_cache_mode = force_generic_plan
SET

> execute order_first(9)
a:int4
9
10
SELECT 2

> execute order_first(12)
a:int4
12
13
SELECT 2

> execute order_first(30)
a:int4
SELECT 0

> > begin
ERROR 42601: syntax error at or near ">"

> declare order_c scroll cursor for select a from order_deep order by a
ERROR 25P01: DECLARE CURSOR can only be used in transaction blocks

> fetch 11 from order_c
ERROR 34000: cursor "order_c" does not exist

> fetch backward 3 from order_c
ERROR 34000: cursor "order_c" does not exist

> commit
WARNING 25P01: there is no transaction in progress
COMMIT

> begin
BEGIN

> select a from order_deep order by a limit 2 for update
a:int4
0
1
SELECT 2

> rollback
ROLLBACK

> with recursive w as (select min(a) as a from order_deep union all select (select d.a from order_deep d where d.a > w.a order by d.a limit 1) from w where w.a is not null) select count(*), sum(a) from w
count:int8 | sum:int8
21 | 190
SELECT 1

> drop table order_deep, order_ranges, order_rest, order_two, order_listed, order_hashed
DROP TABLE

> deallocate order_first
DEALLOCATE

> reset plan_cache_mode
RESET

> reset enable_sort
RESET

> reset enable_seqscan
RESET

# Arms of one row at most have it in any order, also in that of what is not theirs.
> create table order_one (id int primary key, a int, b int) partition by range (id)
CREATE TABLE

> create table order_one_0 partition of order_one for values from (minvalue) to (5)
CREATE TABLE

> create table order_one_1 partition of order_one for values from (5) to (maxvalue)
CREATE TABLE

> insert into order_one values (1, 1, 4), (6, 6, 1), (7, 1, 2)
INSERT 0 3

> create table order_out (a int, c int)
CREATE TABLE

> insert into order_out values (6, 2), (1, 3), (5, 1), (7, null)
INSERT 0 4

> select x.a, (select null from order_one o where o.id = x.a order by 1) from order_out x order by 1
a:int4 | ?column?:text
1 | NULL
5 | NULL
6 | NULL
7 | NULL
SELECT 4

> select x.a, (select 1 from order_one o where o.id = x.a order by 1 limit 1) from order_out x order by 1
a:int4 | ?column?:int4
1 | 1
5 | NULL
6 | 1
7 | 1
SELECT 4

> select x.* from order_out x where (x.a, x.c) >= (select x.a, o.id from order_one o where o.id = x.a order by 1) order by 1
a:int4 | c:int4
1 | 3
SELECT 1

> select x.a, o.b from order_out x join order_one o on o.id = x.a order by x.c, o.b
a:int4 | b:int4
6 | 1
1 | 4
7 | 2
SELECT 3

> select x.a, (select x.c from order_one o where o.id = x.a order by x.c, o.b limit 1) from order_out x order by 2 nulls first, 1
a:int4 | c:int4
5 | NULL
7 | NULL
6 | 2
1 | 3
SELECT 4

> select x.a, (select o.b + x.c from order_one o where o.id = x.a order by o.b, x.c limit 1) from order_out x order by 1
a:int4 | ?column?:int4
1 | 7
5 | NULL
6 | 3
7 | NULL
SELECT 4
