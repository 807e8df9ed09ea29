# A date beside a timestamp with time zone is midnight where the session is, also through an index, and also where clocks went back over midnight.
> create table days (d date primary key, n int)
CREATE TABLE

> insert into days select date '2006-10-01' + g, g from generate_series(0, 60) g
INSERT 0 61

> insert into days values ('infinity', 1000), ('-infinity', -1000), ('4713-11-24 BC', -1)
INSERT 0 3

> analyze days
ANALYZE

> set timezone = 'America/St_Johns'
SET

> select d, n from days where d > timestamptz '2006-10-29 00:00:30-02:30' - interval '1 minute' and d < timestamptz '2006-10-31 00:00:00-03:30' order by d
d:date | n:int4
2006-10-29 | 28
2006-10-30 | 29
SELECT 2

> select d from days where d >= timestamptz '2006-10-29 02:30:30+00' and d <= timestamptz '2006-10-29 03:00:00+00' order by d
d:date
SELECT 0

> select d from days where d <= timestamptz '2006-10-29 02:45:00+00' order by d desc limit 2
d:date
2006-10-28
2006-10-27
SELECT 2

> select d from days where d > timestamptz '2006-10-29 02:45:00+00' order by d limit 2
d:date
2006-10-29
2006-10-30
SELECT 2

> select d from days where d = timestamptz '2006-10-30 03:30:00+00'
d:date
2006-10-30
SELECT 1

> select d from days where timestamptz '2006-10-30 03:30:00+00' = d
d:date
2006-10-30
SELECT 1

> select count(*) from days where d < timestamptz 'infinity'
count:int8
63
SELECT 1

> select count(*) from days where d <= timestamptz 'infinity' and d > timestamptz '-infinity'
count:int8
63
SELECT 1

> select d from days where d <= timestamptz '-infinity'
d:date
-infinity
SELECT 1

> select d from days where d < timestamptz '4713-11-25 00:00:00+00 BC' order by d
d:date
-infinity
4713-11-24 BC
SELECT 2

> prepare p(timestamptz, timestamptz) as select d from days where d >= $1 and d < $2 order by d
PREPARE

> execute p('2006-10-05 00:00:00-02:30', '2006-10-07 00:00:00-02:30')
d:date
2006-10-05
2006-10-06
SELECT 2

> set timezone = 'Asia/Tokyo'
SET

> execute p('2006-10-05 00:00:00-02:30', '2006-10-07 00:00:00-02:30')
d:date
2006-10-06
2006-10-07
SELECT 2

> execute p('2006-10-05 00:00:00+09', '2006-10-05 00:00:01+09')
d:date
2006-10-05
SELECT 1

> execute p(null, '2006-10-05 00:00:01+09')
d:date
SELECT 0

> set timezone = 'Pacific/Apia'
SET

> select d from days where d between timestamptz '2006-10-08 11:00:00+00' and timestamptz '2006-10-10 10:59:59+00' order by d
d:date
2006-10-08
2006-10-09
SELECT 2

> update days set n = n + 1 where d >= timestamptz '2006-11-28 11:00:00+00' and d < timestamptz 'infinity'
UPDATE 3

> delete from days where d < timestamptz '2006-11-28 11:00:00+00' and d > timestamptz '-infinity'
DELETE 59

> select d, n from days order by d
d:date | n:int4
-infinity | -1000
2006-11-28 | 59
2006-11-29 | 60
2006-11-30 | 61
infinity | 1000
SELECT 5

> reset timezone
RESET

> drop table days
DROP TABLE
