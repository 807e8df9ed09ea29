# Dates, times, timestamps, intervals.
> set timezone = 'UTC'
SET

> select date '2020-01-31', date '2020-02-29', '2020-1-5'::date, 'Jan 5 2020'::date, '20200105'::date
date:date | date:date | date:date | date:date | date:date
2020-01-31 | 2020-02-29 | 2020-01-05 | 2020-01-05 | 2020-01-05
SELECT 1

> select date '2021-02-29'
ERROR 22008: date/time field value out of range: "2021-02-29"

> select 'abc'::date
ERROR 22007: invalid input syntax for type date: "abc"

> select '2020-13-01'::date
ERROR 22008: date/time field value out of range: "2020-13-01"
HINT: Perhaps you need a different "datestyle" setting.

> select date '2020-01-31' + 1, date '2020-03-01' - 1, date '2020-03-01' - date '2020-02-01'
?column?:date | ?column?:date | ?column?:int4
2020-02-01 | 2020-02-29 | 29
SELECT 1

> select date '2020-01-31' + interval '1 month', timestamp '2020-01-31 10:00' + interval '1 month 1 day'
?column?:timestamp | ?column?:timestamp
2020-02-29 00:00:00 | 2020-03-01 10:00:00
SELECT 1

> select timestamp '2020-01-01 12:34:56.789', timestamp '2020-01-01T00:00:00', '2020-01-01'::timestamp
timestamp:timestamp | timestamp:timestamp | timestamp:timestamp
2020-01-01 12:34:56.789 | 2020-01-01 00:00:00 | 2020-01-01 00:00:00
SELECT 1

> select timestamp '2020-01-01 25:00:00'
ERROR 22008: date/time field value out of range: "2020-01-01 25:00:00"

> select timestamptz '2020-01-01 12:00:00+02', timestamptz '2020-01-01 12:00:00 America/New_York'
timestamptz:timestamptz | timestamptz:timestamptz
2020-01-01 10:00:00+00 | 2020-01-01 17:00:00+00
SELECT 1

> select timestamp '2020-03-01' - timestamp '2020-02-01 12:00', timestamptz '2020-03-01' - timestamptz '2020-02-01'
?column?:interval | ?column?:interval
28 days 12:00:00 | 29 days
SELECT 1

> select time '12:34:56', time '12:34', '12:34:56.123456'::time, time '23:59:59' + interval '2 seconds'
time:time | time:time | time:time | ?column?:time
12:34:56 | 12:34:00 | 12:34:56.123456 | 00:00:01
SELECT 1

> select timetz '12:34:56+02'
timetz:timetz
12:34:56+02
SELECT 1

> select interval '1 day', interval '1 year 2 months 3 days 4 hours 5 minutes 6 seconds', interval '-1 day', interval '90 minutes'
interval:interval | interval:interval | interval:interval | interval:interval
1 day | 1 year 2 mons 3 days 04:05:06 | -1 days | 01:30:00
SELECT 1

> select interval '1-2', interval '3 4:05:06', interval 'P1Y2M3DT4H5M6S', interval '1.5 days', interval '1 week'
interval:interval | interval:interval | interval:interval | interval:interval | interval:interval
1 year 2 mons | 3 days 04:05:06 | 1 year 2 mons 3 days 04:05:06 | 1 day 12:00:00 | 7 days
SELECT 1

> select interval '1' day, interval '2' hour, interval '10' minute
interval:interval | interval:interval | interval:interval
1 day | 02:00:00 | 00:10:00
SELECT 1

> select interval '1 day' * 2, interval '1 day' / 2, interval '1 day' + interval '2 hours', - interval '1 month'
?column?:interval | ?column?:interval | ?column?:interval | ?column?:interval
2 days | 12:00:00 | 1 day 02:00:00 | -1 mons
SELECT 1

> select interval '1 month' = interval '30 days', interval '1 day' = interval '24 hours', interval '1 month' > interval '29 days'
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select justify_days(interval '35 days'), justify_hours(interval '30 hours'), justify_interval(interval '1 month -1 hour')
justify_days:interval | justify_hours:interval | justify_interval:interval
1 mon 5 days | 1 day 06:00:00 | 29 days 23:00:00
SELECT 1

> select extract(year from date '2020-03-04'), extract(month from date '2020-03-04'), extract(dow from date '2020-03-04'), extract(doy from date '2020-03-04')
extract:numeric | extract:numeric | extract:numeric | extract:numeric
2020 | 3 | 3 | 64
SELECT 1

> select extract(epoch from timestamp '2020-01-01'), extract(hour from time '12:34:56'), extract(second from time '12:34:56.5'), extract(week from date '2020-01-01')
extract:numeric | extract:numeric | extract:numeric | extract:numeric
1577836800.000000 | 12 | 56.500000 | 1
SELECT 1

> select extract(quarter from date '2020-05-01'), extract(century from date '2020-05-01'), extract(isodow from date '2020-03-01'), extract(epoch from interval '1 day')
extract:numeric | extract:numeric | extract:numeric | extract:numeric
2 | 21 | 7 | 86400.000000
SELECT 1

> select date_part('year', timestamp '2020-03-04'), date_part('minute', interval '90 minutes')
date_part:float8 | date_part:float8
2020 | 30
SELECT 1

> select extract(nosuch from date '2020-01-01')
ERROR 22023: unit "nosuch" not recognized for type date

> select date_trunc('month', timestamp '2020-03-04 05:06:07'), date_trunc('hour', timestamp '2020-03-04 05:06:07'), date_trunc('week', timestamp '2020-03-04')
date_trunc:timestamp | date_trunc:timestamp | date_trunc:timestamp
2020-03-01 00:00:00 | 2020-03-04 05:00:00 | 2020-03-02 00:00:00
SELECT 1

> select date_trunc('day', timestamptz '2020-03-04 05:06:07+00')
date_trunc:timestamptz
2020-03-04 00:00:00+00
SELECT 1

> select age(timestamp '2020-03-04', timestamp '2019-01-01'), age(date '2020-01-01', date '2020-01-31')
age:interval | age:interval
1 year 2 mons 3 days | -30 days
SELECT 1

> select make_date(2020, 3, 4), make_time(1, 2, 3.5), make_timestamp(2020, 1, 2, 3, 4, 5), make_interval(days => 5)
make_date:date | make_time:time | make_timestamp:timestamp | make_interval:interval
2020-03-04 | 01:02:03.5 | 2020-01-02 03:04:05 | 5 days
SELECT 1

> select make_date(2020, 13, 1)
ERROR 22008: date field value out of range: 2020-13-01

> select to_timestamp(0), to_timestamp(1577836800.5)
to_timestamp:timestamptz | to_timestamp:timestamptz
1970-01-01 00:00:00+00 | 2020-01-01 00:00:00.5+00
SELECT 1

> select timestamp '2020-01-01 12:00' at time zone 'America/New_York', timestamptz '2020-01-01 12:00+00' at time zone 'Asia/Tokyo'
timezone:timestamptz | timezone:timestamp
2020-01-01 17:00:00+00 | 2020-01-01 21:00:00
SELECT 1

> select timestamp '2020-01-01' < timestamp '2020-01-02', date '2020-01-01' = timestamp '2020-01-01', date '2020-01-01' < timestamptz '2020-01-02'
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select 'infinity'::timestamp, '-infinity'::date, 'epoch'::timestamp, isfinite(date 'infinity')
timestamp:timestamp | date:date | timestamp:timestamp | isfinite:bool
infinity | -infinity | 1970-01-01 00:00:00 | f
SELECT 1

> select timestamp '2020-01-01 00:00:00.123456789', timestamp(3) '2020-01-01 00:00:00.123456', '12:00:00.5555'::time(2)
timestamp:timestamp | timestamp:timestamp | time:time
2020-01-01 00:00:00.123457 | 2020-01-01 00:00:00.123 | 12:00:00.56
SELECT 1

> select date '0044-03-15 BC', timestamp '0001-01-01 00:00:00', date '9999-12-31'
date:date | timestamp:timestamp | date:date
0044-03-15 BC | 0001-01-01 00:00:00 | 9999-12-31
SELECT 1

> select '2020-01-01 10:00 PM'::timestamp, '10:00 am'::time, 'January 8, 1999'::date, '1/8/1999'::date, '8-Jan-1999'::date
timestamp:timestamp | time:time | date:date | date:date | date:date
2020-01-01 22:00:00 | 10:00:00 | 1999-01-08 | 1999-01-08 | 1999-01-08
SELECT 1

> set datestyle = 'ISO, DMY'
SET

> select '1/8/1999'::date
date:date
1999-08-01
SELECT 1

> set datestyle = 'SQL, MDY'
SET

> select date '2020-03-04', timestamp '2020-03-04 05:06:07'
date:date | timestamp:timestamp
03/04/2020 | 03/04/2020 05:06:07
SELECT 1

> set datestyle = 'German'
SET

> select date '2020-03-04'
date:date
04.03.2020
SELECT 1

> set datestyle = 'Postgres'
SET

> select timestamp '2020-03-04 05:06:07', date '2020-03-04'
timestamp:timestamp | date:date
Wed 04 Mar 05:06:07 2020 | 04-03-2020
SELECT 1

> reset datestyle
RESET

> set intervalstyle = 'iso_8601'
SET

> select interval '1 year 2 months 3 days 04:05:06'
interval:interval
P1Y2M3DT4H5M6S
SELECT 1

> set intervalstyle = 'postgres_verbose'
SET

> select interval '1 year 2 months 3 days 04:05:06', interval '-1 day'
interval:interval | interval:interval
@ 1 year 2 mons 3 days 4 hours 5 mins 6 secs | @ 1 day ago
SELECT 1

> set intervalstyle = 'sql_standard'
SET

> select interval '1 year 2 months', interval '3 days 04:05:06'
interval:interval | interval:interval
1-2 | 3 4:05:06
SELECT 1

> reset intervalstyle
RESET

> set timezone = 'America/New_York'
SET

> select timestamptz '2020-01-01 12:00:00+00', timestamptz '2020-07-01 12:00:00+00', '2020-01-01 00:00'::timestamptz
timestamptz:timestamptz | timestamptz:timestamptz | timestamptz:timestamptz
2020-01-01 07:00:00-05 | 2020-07-01 08:00:00-04 | 2020-01-01 00:00:00-05
SELECT 1

> show timezone
TimeZone:text
America/New_York
SHOW

> set timezone = 'Nowhere/Land'
ERROR 22023: invalid value for parameter "TimeZone": "Nowhere/Land"

> reset timezone
RESET

> select now() = transaction_timestamp(), statement_timestamp() >= now(), clock_timestamp() >= now(), current_date = now()::date
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t
SELECT 1

> select pg_typeof(now()), pg_typeof(current_date), pg_typeof(current_time), pg_typeof(localtime), pg_typeof(localtimestamp), pg_typeof(current_timestamp)
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
timestamp with time zone | date | time with time zone | time without time zone | timestamp without time zone | timestamp with time zone
SELECT 1

> select generate_series(timestamp '2020-01-01', timestamp '2020-01-03', interval '1 day')
generate_series:timestamp
2020-01-01 00:00:00
2020-01-02 00:00:00
2020-01-03 00:00:00
SELECT 3

> select date '2020-01-01' + time '10:00', date '2020-01-01' + 5, 5 + date '2020-01-01'
?column?:timestamp | ?column?:date | ?column?:date
2020-01-01 10:00:00 | 2020-01-06 | 2020-01-06
SELECT 1

> select (timestamp '2020-01-01 10:00')::date, (timestamp '2020-01-01 10:00')::time, (date '2020-01-01')::timestamp, (interval '25:00')::time
date:date | time:time | timestamp:timestamp | time:time
2020-01-01 | 10:00:00 | 2020-01-01 00:00:00 | 01:00:00
SELECT 1

> select overlaps(date '2020-01-01', date '2020-02-01', date '2020-01-15', date '2020-03-01')
overlaps:bool
t
SELECT 1

> select (date '2020-01-01', date '2020-02-01') overlaps (date '2020-01-15', date '2020-03-01')
overlaps:bool
t
SELECT 1

> select interval '1 day 25:61:61'
ERROR 22015: interval field value out of range: "1 day 25:61:61"

> select interval 'abc'
ERROR 22007: invalid input syntax for type interval: "abc"

> select date '2020-01-01' + interval '1 day' > date '2020-01-01'
?column?:bool
t
SELECT 1

> select max(d), min(d) from (values (date '2020-01-01'), (date '2021-01-01')) v (d)
max:date | min:date
2021-01-01 | 2020-01-01
SELECT 1

> select date_bin('15 minutes', timestamp '2020-01-01 10:07', timestamp '2020-01-01')
date_bin:timestamp
2020-01-01 10:00:00
SELECT 1

> select timezone('UTC', timestamp '2020-01-01 12:00')
timezone:timestamptz
2020-01-01 12:00:00+00
SELECT 1

> select extract(timezone from timestamptz '2020-01-01 12:00+00'), extract(julian from date '2020-01-01'), extract(milliseconds from time '00:00:01.5')
extract:numeric | extract:numeric | extract:numeric
0 | 2458850 | 1500.000
SELECT 1

