# A date against a timestamp: ranges of days, and what is left of a day
> create table days (d date, n int primary key)
CREATE TABLE

> create index on days (d, n)
CREATE INDEX

> insert into days select date '2020-01-01' + g, g from generate_series(0, 400) g
INSERT 0 401

> insert into days values ('infinity', 1000), ('-infinity', 1001), (null, 1002), ('5874897-12-31', 1003), ('4713-01-01 BC', 1004)
INSERT 0 5

> analyze days
ANALYZE

> set enable_seqscan = off
SET

> select count(*), min(n), max(n) from days where d = timestamp '2020-01-03 00:00'
count:int8 | min:int4 | max:int4
1 | 2 | 2
SELECT 1

> select count(*), min(n), max(n) from days where d = timestamp '2020-01-03 12:00'
count:int8 | min:int4 | max:int4
0 | NULL | NULL
SELECT 1

> select count(*), min(n), max(n) from days where d = timestamp 'infinity'
count:int8 | min:int4 | max:int4
1 | 1000 | 1000
SELECT 1

> select count(*), min(n), max(n) from days where d = timestamp '-infinity'
count:int8 | min:int4 | max:int4
1 | 1001 | 1001
SELECT 1

> select count(*), min(n), max(n) from days where d = timestamp '2021-02-04 23:59:59.999999'
count:int8 | min:int4 | max:int4
0 | NULL | NULL
SELECT 1

> select count(*), min(n), max(n) from days where d < timestamp '2020-01-03 00:00'
count:int8 | min:int4 | max:int4
4 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d < timestamp '2020-01-03 12:00'
count:int8 | min:int4 | max:int4
5 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d < timestamp 'infinity'
count:int8 | min:int4 | max:int4
404 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d < timestamp '-infinity'
count:int8 | min:int4 | max:int4
0 | NULL | NULL
SELECT 1

> select count(*), min(n), max(n) from days where d < timestamp '2021-02-04 23:59:59.999999'
count:int8 | min:int4 | max:int4
403 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d <= timestamp '2020-01-03 00:00'
count:int8 | min:int4 | max:int4
5 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d <= timestamp '2020-01-03 12:00'
count:int8 | min:int4 | max:int4
5 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d <= timestamp 'infinity'
count:int8 | min:int4 | max:int4
405 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d <= timestamp '-infinity'
count:int8 | min:int4 | max:int4
1 | 1001 | 1001
SELECT 1

> select count(*), min(n), max(n) from days where d <= timestamp '2021-02-04 23:59:59.999999'
count:int8 | min:int4 | max:int4
403 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d > timestamp '2020-01-03 00:00'
count:int8 | min:int4 | max:int4
400 | 3 | 1003
SELECT 1

> select count(*), min(n), max(n) from days where d > timestamp '2020-01-03 12:00'
count:int8 | min:int4 | max:int4
400 | 3 | 1003
SELECT 1

> select count(*), min(n), max(n) from days where d > timestamp 'infinity'
count:int8 | min:int4 | max:int4
0 | NULL | NULL
SELECT 1

> select count(*), min(n), max(n) from days where d > timestamp '-infinity'
count:int8 | min:int4 | max:int4
404 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d > timestamp '2021-02-04 23:59:59.999999'
count:int8 | min:int4 | max:int4
2 | 1000 | 1003
SELECT 1

> select count(*), min(n), max(n) from days where d >= timestamp '2020-01-03 00:00'
count:int8 | min:int4 | max:int4
401 | 2 | 1003
SELECT 1

> select count(*), min(n), max(n) from days where d >= timestamp '2020-01-03 12:00'
count:int8 | min:int4 | max:int4
400 | 3 | 1003
SELECT 1

> select count(*), min(n), max(n) from days where d >= timestamp 'infinity'
count:int8 | min:int4 | max:int4
1 | 1000 | 1000
SELECT 1

> select count(*), min(n), max(n) from days where d >= timestamp '-infinity'
count:int8 | min:int4 | max:int4
405 | 0 | 1004
SELECT 1

> select count(*), min(n), max(n) from days where d >= timestamp '2021-02-04 23:59:59.999999'
count:int8 | min:int4 | max:int4
2 | 1000 | 1003
SELECT 1

> select n from days where d between date '2020-02-27' and date '2020-02-27' + interval '2 days' order by n
n:int4
57
58
59
SELECT 3

> select n from days where timestamp '2020-02-27 01:00' < d and d < timestamp '2020-03-01' order by n
n:int4
58
59
SELECT 2

> select n from days where d = timestamp '2020-02-27' and n > 0
n:int4
57
SELECT 1

> select n from days where d in (timestamp '2020-02-27', timestamp '2020-02-28 01:00') order by n
n:int4
57
SELECT 1

> select n from days where d = timestamp '2020-02-27' or d > timestamp '2021-02-02 10:00' and d < '2021-02-10' order by n
n:int4
57
399
400
SELECT 3

> select a.n from days a join days b on a.d >= b.d + interval '5 hours' and a.d <= b.d + interval '30 hours' where b.n in (3, 5, 400) order by 1
n:int4
4
6
SELECT 2

> select count(*) from days where d >= null::timestamp
count:int8
0
SELECT 1

> prepare day(timestamp) as select count(*), min(n) from days where d >= $1
PREPARE

> execute day('2020-12-31')
count:int8 | min:int4
38 | 365
SELECT 1

> execute day('2020-12-31 00:00:01')
count:int8 | min:int4
37 | 366
SELECT 1

> execute day(null)
count:int8 | min:int4
0 | NULL
SELECT 1

> with gone as (delete from days where d < timestamp '2020-01-02 00:00:01' returning n) select n from gone order by n
n:int4
0
1
1001
1004
SELECT 4

> drop table days
DROP TABLE
