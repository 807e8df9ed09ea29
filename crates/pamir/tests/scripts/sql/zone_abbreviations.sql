# Zone abbreviations that mean what they mean in a zone at the time.
> set timezone = 'UTC'
SET

> select '2011-03-27 02:00:00 MSK'::timestamptz, '2010-07-01 00:00 MSK'::timestamptz, '2014-10-26 00:59:59 MSK'::timestamptz, '2015-01-01 MSK'::timestamptz
timestamptz:timestamptz | timestamptz:timestamptz | timestamptz:timestamptz | timestamptz:timestamptz
2011-03-26 22:00:00+00 | 2010-06-30 21:00:00+00 | 2014-10-25 20:59:59+00 | 2014-12-31 21:00:00+00
SELECT 1

> select '2011-03-27 04:00:00'::timestamp at time zone 'MSK', '2014-10-25 21:59:59 UTC'::timestamptz at time zone 'msk'
timezone:timestamptz | timezone:timestamp
2011-03-27 00:00:00+00 | 2014-10-26 01:59:59
SELECT 1

> select make_timestamptz(2014, 10, 26, 0, 0, 0, 'MSK'), make_timestamptz(2010, 2, 27, 3, 45, 00, '+10:00:'), make_timestamptz(2010, 2, 27, 3, 45, 00, '+1:')
make_timestamptz:timestamptz | make_timestamptz:timestamptz | make_timestamptz:timestamptz
2014-10-25 20:00:00+00 | 2010-02-26 17:45:00+00 | 2010-02-27 02:45:00+00
SELECT 1

> select date_trunc('day', timestamptz '2001-02-16 20:38:40+00', 'VET'), '2008-01-01 00:00 VET'::timestamptz, '2005-01-01 00:00 VET'::timestamptz
date_trunc:timestamptz | timestamptz:timestamptz | timestamptz:timestamptz
2001-02-16 04:00:00+00 | 2008-01-01 04:30:00+00 | 2005-01-01 04:00:00+00
SELECT 1

> select '2020-07-01 12:00 SGT'::timestamptz, timestamptz '2020-07-01 12:00 UTC' at time zone 'YEKT', timestamptz '2009-07-01 12:00 UTC' at time zone 'YEKT'
timestamptz:timestamptz | timezone:timestamp | timezone:timestamp
2020-07-01 04:00:00+00 | 2020-07-01 17:00:00 | 2009-07-01 18:00:00
SELECT 1
