# Dates and times whose parts have letters before them; letters with a number that are a zone, and what is none.

> select 'y2001m02d04'::date
date:date
2001-02-04
SELECT 1

> select 'y2001 m02 d04'::date
date:date
2001-02-04
SELECT 1

> select 'y2001m02d04 h4mm5s6'::timestamp
timestamp:timestamp
2001-02-04 04:05:06
SELECT 1

> select 'y2001m02d04 h4m5s6'::timestamp
timestamp:timestamp
2001-02-04 04:05:06
SELECT 1

> select 'y2001m02d04 h4mm5s6.789'::timestamp
timestamp:timestamp
2001-02-04 04:05:06.789
SELECT 1

> select 'h4mm5s6'::time
ERROR 22007: invalid input syntax for type time: "h4mm5s6"

> select 'h4m5s6'::time
ERROR 22007: invalid input syntax for type time: "h4m5s6"

> select 'h4'::time
ERROR 22007: invalid input syntax for type time: "h4"

> select 'm4'::date
ERROR 22007: invalid input syntax for type date: "m4"

> select '2001-02-03 d4'::date
ERROR 22007: invalid input syntax for type date: "2001-02-03 d4"

> select 'y2001m13d04'::date
ERROR 22008: date/time field value out of range: "y2001m13d04"
HINT: Perhaps you need a different "datestyle" setting.

> select 'y2001m02d04 h4mm5s6 +02'::timestamptz
timestamptz:timestamptz
2001-02-04 02:05:06+00
SELECT 1

> select '2001-02-03 dow'::date
date:date
2001-02-03
SELECT 1

> select 'isoyear 2001'::date
ERROR 22007: invalid input syntax for type date: "isoyear 2001"

> select '15:00:00 d4'::time
ERROR 22007: invalid input syntax for type time: "15:00:00 d4"

> select 'd4 15:00:00'::time
ERROR 22007: invalid input syntax for type time: "d4 15:00:00"

> select 'J2451187'::date, 'J 2451187'::date, 'jd 2451187 04:05'::timestamp
date:date | date:date | timestamp:timestamp
1999-01-08 | 1999-01-08 | 1999-01-08 04:05:00
SELECT 1

> select '2451187.5 j'::timestamp
ERROR 22007: invalid input syntax for type timestamp: "2451187.5 j"

> select 'h'::time
ERROR 22007: invalid input syntax for type time: "h"

> select 'y'::date
ERROR 22007: invalid input syntax for type date: "y"

> select '15:00 zz5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '15:00 z5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '15:00 y5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 y5"

> select '15:00 d5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 d5"

> select '15:00 h5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 h5"

> select '15:00 s5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 s5"

> select '15:00 mm5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 mm5"

> select '15:00 q5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '15:00 am5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 am5"

> select '15:00 jan5'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 jan5"

> select '15:00 est5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '15:00 EST5EDT'::timetz
ERROR 22007: invalid input syntax for type time with time zone: "15:00 EST5EDT"

> select '15:00 utc5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '15:00 zzz5'::timetz
timetz:timetz
15:00:00-05
SELECT 1

> select '2001-02-03 15:00 m2'::timestamptz
ERROR 22007: invalid input syntax for type timestamp with time zone: "2001-02-03 15:00 m2"

> select '2001-02-03 15:00 zz2'::timestamptz
timestamptz:timestamptz
2001-02-03 17:00:00+00
SELECT 1

> select '2001-02-03 15:00 zzz2'::timestamptz
timestamptz:timestamptz
2001-02-03 17:00:00+00
SELECT 1

> select '2001-02-03 15:00 jan2'::timestamptz
ERROR 22007: invalid input syntax for type timestamp with time zone: "2001-02-03 15:00 jan2"

> select '2001-02-03 15:00 q2'::timestamptz
timestamptz:timestamptz
2001-02-03 17:00:00+00
SELECT 1

> set timezone='m2';
SET

> set timezone='zz2';
SET

> set timezone='zzz2'
SET

> set timezone='XXX-15:59:59'
ERROR 22023: time zone "XXX-15:59:59" appears to use leap seconds
DETAIL: PostgreSQL does not support leap seconds.

> set timezone='XXX-15:59:00'
SET

> set timezone='XXX-15:00:30'
ERROR 22023: time zone "XXX-15:00:30" appears to use leap seconds
DETAIL: PostgreSQL does not support leap seconds.

> set timezone='XXX-24'
SET

> set timezone='XXX-25'
SET

> set timezone='XXX-168'
ERROR 22023: invalid value for parameter "TimeZone": "XXX-168"

> set timezone='XXX5YYY4:30:20'
SET

> set timezone='XXX5YYY4:30'
SET

> reset timezone
RESET
