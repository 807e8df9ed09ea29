# Conditions that give both ends of a key range, beside others that give one of them.
> create table t (a text primary key)
CREATE TABLE

> insert into t values ('aa'), ('ab1'), ('ab2'), ('ac'), ('b')
INSERT 0 5

> select a from t where a < 'b' and a like 'ab%' order by a
a:text
ab1
ab2
SELECT 2

> select a from t where a > 'a' and a like 'ab%' order by a
a:text
ab1
ab2
SELECT 2

> select a from t where a like 'ab%' and a > 'ab1' order by a
a:text
ab2
SELECT 1

> delete from t where a > 'a' and a like 'ab2%'
DELETE 1

> select a from t order by a
a:text
aa
ab1
ac
b
SELECT 4

> create table n (a int primary key, b int, c int)
CREATE TABLE

> insert into n select i, i / 3, -i from generate_series(1, 20) i
INSERT 0 20

> select a from n where a > -5 and a between 3 and 5 order by a
a:int4
3
4
5
SELECT 3

> select a from n where a < 100 and a between 3 and 5 order by a
a:int4
3
4
5
SELECT 3

> select a from n where a between 3 and 8 and a between 6 and 12 order by a
a:int4
6
7
8
SELECT 3

> update n set c = 0 where a > 0 and a between 19 and 30
UPDATE 2

> select count(*) from n where c = 0
count:int8
2
SELECT 1

# DISTINCT ON fewer columns than ORDER BY, over a range of the primary key.
> select distinct on (b) b, a from n where a between 1 and 10 order by b, a desc
b:int4 | a:int4
0 | 2
1 | 5
2 | 8
3 | 10
SELECT 4

> select distinct b from n where a between 1 and 10 order by b
b:int4
0
1
2
3
SELECT 4

> select distinct on (b, a) b, a from n where a between 1 and 4 order by b, a
b:int4 | a:int4
0 | 1
0 | 2
1 | 3
1 | 4
SELECT 4

> create table lists(a int, b int, c int, primary key (a, b, c))
CREATE TABLE

> insert into lists select g % 100, g % 97, g from generate_series(1, 2000) g
INSERT 0 2000

> analyze lists
ANALYZE

> select count(*), sum(c) from lists where a = any (array(select generate_series(1, 1500))) and b = any (array(select generate_series(-1000, 50)))
count:int8 | sum:int8
1054 | 1052045
SELECT 1

> select count(*), sum(c) from lists where a = any (array(select generate_series(1, 1500))) and b = any (array(select generate_series(-1000, 50))) and c > 1000
count:int8 | sum:int8
524 | 791645
SELECT 1

> select count(*), sum(c) from lists where a = any (array(select generate_series(1, 1500))) and b = any (array(select generate_series(-1000, 50))) and c = any (array(select generate_series(1, 1000)))
count:int8 | sum:int8
530 | 260400
SELECT 1

> select count(*), sum(c) from lists where a in (1, 2, 3) and b = any (array(select generate_series(-1000, 50))) and c = any (array(select generate_series(1, 1000)))
count:int8 | sum:int8
30 | 13560
SELECT 1

> select count(*), sum(c) from lists where (a = any (array(select generate_series(1, 1500))) and b = any (array(select generate_series(-1000, 50))) and c = 7) or (a = 5 and b = 5)
count:int8 | sum:int8
2 | 12
SELECT 1

> select a, b, c from lists where a = any (array(select generate_series(1, 1500))) and b = any (array(select generate_series(-1000, 50))) order by a desc, b desc, c desc limit 2
a:int4 | b:int4 | c:int4
99 | 50 | 1699
99 | 47 | 1599
SELECT 2

> select count(*) from lists where a = any (array(select generate_series(1, 1200000)))
count:int8
1980
SELECT 1

> drop table lists
DROP TABLE
