# Reading and writing dates by pictures, and intervals in the forms of ISO 8601.
> set timezone = 'America/New_York'
SET
> select to_timestamp('0097/Feb/16 --> 08:14:30', 'YYYY/Mon/DD --> HH:MI:SS'), to_timestamp('97/2/16 8:14:30', 'FMYYYY/FMMM/FMDD FMHH:FMMI:FMSS')
to_timestamp:timestamptz | to_timestamp:timestamptz
0097-02-16 08:14:30-04:56:02 | 0097-02-16 08:14:30-04:56:02
SELECT 1
> select to_timestamp('2011$03!18 23_38_15', 'YYYY-MM-DD HH24:MI:SS'), to_timestamp('1985 January 12', 'YYYY FMMonth DD')
to_timestamp:timestamptz | to_timestamp:timestamptz
2011-03-18 23:38:15-04 | 1985-01-12 00:00:00-05
SELECT 1
> select to_timestamp('My birthday-> Year: 1976, Month: May, Day: 16', '"My birthday-> Year:" YYYY, "Month:" FMMonth, "Day:" DD')
to_timestamp:timestamptz
1976-05-16 00:00:00-04
SELECT 1
> select to_timestamp('1,582nd VIII 21', 'Y,YYYth FMRM DD'), to_timestamp('15 "text between quote marks" 98 54 45', E'HH24 "\\"text between quote marks\\"" YY MI SS')
to_timestamp:timestamptz | to_timestamp:timestamptz
1582-08-21 00:00:00-04:56:02 | 1998-01-01 15:54:45-05
SELECT 1
> select to_timestamp('05121445482000', 'MMDDHH24MISSYYYY'), to_timestamp('2000January09Sunday', 'YYYYFMMonthDDFMDay')
to_timestamp:timestamptz | to_timestamp:timestamptz
2000-05-12 14:45:48-04 | 2000-01-09 00:00:00-05
SELECT 1
> select to_timestamp('97/Feb/16', 'YYMonDD')
to_timestamp:timestamptz
ERROR 22007: invalid value "/Feb/16" for "Mon"
DETAIL: The given value did not match any of the allowed values for this field.
> select to_timestamp('97/Feb/16', 'YY:Mon:DD'), to_timestamp('97/Feb/16', 'FXYY:Mon:DD'), to_timestamp('19971116', 'YYYYMMDD')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
1997-02-16 00:00:00-05 | 1997-02-16 00:00:00-05 | 1997-11-16 00:00:00-05
SELECT 1
> select to_timestamp('20000-1116', 'YYYY-MMDD'), to_timestamp('1997 AD 11 16', 'YYYY BC MM DD'), to_timestamp('1997 BC 11 16', 'YYYY BC MM DD')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
20000-11-16 00:00:00-05 | 1997-11-16 00:00:00-05 | 1997-11-16 00:00:00-04:56:02 BC
SELECT 1
> select to_timestamp('9-1116', 'Y-MMDD'), to_timestamp('95-1116', 'YY-MMDD'), to_timestamp('995-1116', 'YYY-MMDD'), to_timestamp('2005426', 'YYYYWWD'), to_timestamp('2005300', 'YYYYDDD')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
2009-11-16 00:00:00-05 | 1995-11-16 00:00:00-05 | 1995-11-16 00:00:00-05 | 2005-10-15 00:00:00-04 | 2005-10-27 00:00:00-04
SELECT 1
> select to_timestamp('2005527', 'IYYYIWID'), to_timestamp('005527', 'IYYIWID'), to_timestamp('05527', 'IYIWID'), to_timestamp('5527', 'IIWID'), to_timestamp('2005364', 'IYYYIDDD')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
2006-01-01 00:00:00-05 | 2006-01-01 00:00:00-05 | 2006-01-01 00:00:00-05 | 2006-01-01 00:00:00-05 | 2006-01-01 00:00:00-05
SELECT 1
> select to_timestamp('  2005  03  02', 'YYYYMMDD'), to_timestamp('2011-12-18 11:38 PM', 'YYYY-MM-DD HH12:MI PM'), to_timestamp('2011-12-18 11:38 A.M.', 'YYYY-MM-DD HH12:MI P.M.')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
2005-03-02 00:00:00-05 | 2011-12-18 23:38:00-05 | 2011-12-18 11:38:00-05
SELECT 1
> select to_timestamp('2011-12-18 11:38 +05:20', 'YYYY-MM-DD HH12:MI TZH:TZM'), to_timestamp('2011-12-18 11:38 -05', 'YYYY-MM-DD HH12:MI TZH'), to_timestamp('2000 -10', 'YYYY  TZH'), to_timestamp('2000 -10', 'YYYY   TZH')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
2011-12-18 01:18:00-05 | 2011-12-18 11:38:00-05 | 1999-12-31 09:00:00-05 | 1999-12-31 09:00:00-05
SELECT 1
> select i, to_timestamp('2018-11-02 12:34:56.123456', 'YYYY-MM-DD HH24:MI:SS.FF' || i) from generate_series(1, 6) i
i:int4 | to_timestamp:timestamptz
1 | 2018-11-02 12:34:56.1-04
2 | 2018-11-02 12:34:56.12-04
3 | 2018-11-02 12:34:56.123-04
4 | 2018-11-02 12:34:56.1235-04
5 | 2018-11-02 12:34:56.12346-04
6 | 2018-11-02 12:34:56.123456-04
SELECT 6
> select i, to_timestamp('20181102123456123456', 'YYYYMMDDHH24MISSFF' || i) from generate_series(1, 6) i
i:int4 | to_timestamp:timestamptz
1 | 2018-11-02 12:34:56.1-04
2 | 2018-11-02 12:34:56.12-04
3 | 2018-11-02 12:34:56.123-04
4 | 2018-11-02 12:34:56.1235-04
5 | 2018-11-02 12:34:56.12346-04
6 | 2018-11-02 12:34:56.123456-04
SELECT 6
> select to_timestamp('2018-11-02 12:34:56.1234567', 'YYYY-MM-DD HH24:MI:SS.US')
to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2018-11-02 12:34:56.1234567"
> select to_timestamp('2018-11-02 12:34:56.025', 'YYYY-MM-DD HH24:MI:SS.MS'), to_timestamp('2018-11-02 12:34:56.5', 'YYYY-MM-DD HH24:MI:SS.MS')
to_timestamp:timestamptz | to_timestamp:timestamptz
2018-11-02 12:34:56.025-04 | 2018-11-02 12:34:56.5-04
SELECT 1
> select to_date('1 4 1902', 'Q MM YYYY'), to_date('3 4 21 01', 'W MM CC YY'), to_date('2458872', 'J'), to_date('44-02-01 BC', 'YYYY-MM-DD BC'), to_date('-44-02-01', 'YYYY-MM-DD'), to_date('-44-02-01 BC', 'YYYY-MM-DD BC')
to_date:date | to_date:date | to_date:date | to_date:date | to_date:date | to_date:date
1902-04-01 | 2001-04-15 | 2020-01-23 | 0044-02-01 BC | 0044-02-01 BC | 0044-02-01
SELECT 1
> select to_timestamp('2011-12-18 23:38:15', 'YYYY-MM-DD  HH24:MI:SS'), to_timestamp('2000+   JUN', 'YYYY/MON'), to_timestamp('  2000 +JUN', 'YYYY/MON'), to_timestamp('2000  +JUN', 'YYYY//MON')
to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz | to_timestamp:timestamptz
2011-12-18 23:38:15-05 | 2000-06-01 00:00:00-04 | 2000-06-01 00:00:00-04 | 2000-06-01 00:00:00-04
SELECT 1
> select to_timestamp('2000 + + JUN', 'YYYY  MON')
to_timestamp:timestamptz
ERROR 22007: invalid value "+" for "MON"
DETAIL: The given value did not match any of the allowed values for this field.
> select to_date('2011 12  18', 'YYYY MM DD'), to_date('2011 12 18', 'YYYYxMMxDD'), to_date('2011x 12x 18', 'YYYYxMMxDD')
to_date:date | to_date:date | to_date:date
2011-12-18 | 2011-12-18 | 2011-12-18
SELECT 1
> select to_date('2011 x12 x18', 'YYYYxMMxDD')
to_date:date
ERROR 22007: invalid value "x1" for "MM"
DETAIL: Value must be an integer.
> select to_timestamp('2005527', 'YYYYIWID')
to_timestamp:timestamptz
ERROR 22007: invalid combination of date conventions
HINT: Do not mix Gregorian and ISO week date conventions in a formatting template.
> select to_timestamp('19971', 'YYYYMMDD')
to_timestamp:timestamptz
ERROR 22007: source string too short for "MM" formatting field
DETAIL: Field requires 2 characters, but only 1 remain.
HINT: If your source string is not fixed-width, try using the "FM" modifier.
> select to_timestamp('19971)24', 'YYYYMMDD')
to_timestamp:timestamptz
ERROR 22007: invalid value "1)" for "MM"
DETAIL: Field requires 2 characters, but only 1 could be parsed.
HINT: If your source string is not fixed-width, try using the "FM" modifier.
> select to_timestamp('Friday 1-January-1999', 'DY DD MON YYYY')
to_timestamp:timestamptz
ERROR 22007: invalid value "da" for "DD"
DETAIL: Value must be an integer.
> select to_timestamp('Fri 1-January-1999', 'DY DD MON YYYY')
to_timestamp:timestamptz
ERROR 22007: invalid value "uary" for "YYYY"
DETAIL: Value must be an integer.
> select to_timestamp('Fri 1-Jan-1999', 'DY DD MON YYYY')
to_timestamp:timestamptz
1999-01-01 00:00:00-05
SELECT 1
> select to_timestamp('1997-11-Jan-16', 'YYYY-MM-Mon-DD')
to_timestamp:timestamptz
ERROR 22007: conflicting values for "Mon" field in formatting string
DETAIL: This value contradicts a previous setting for the same field type.
> select to_timestamp('199711xy', 'YYYYMMDD')
to_timestamp:timestamptz
ERROR 22007: invalid value "xy" for "DD"
DETAIL: Value must be an integer.
> select to_timestamp('10000000000', 'FMYYYY')
to_timestamp:timestamptz
ERROR 22008: value for "YYYY" in source string is out of range
DETAIL: Value must be in the range -2147483648 to 2147483647.
> select to_timestamp('2016-06-13 25:00:00', 'YYYY-MM-DD HH24:MI:SS')
to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2016-06-13 25:00:00"
> select to_timestamp('2016-06-13 15:50:60', 'YYYY-MM-DD HH24:MI:SS')
to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2016-06-13 15:50:60"
> select to_timestamp('2016-06-13 15:50:55', 'YYYY-MM-DD HH:MI:SS')
to_timestamp:timestamptz
ERROR 22007: hour "15" is invalid for the 12-hour clock
HINT: Use the 24-hour clock, or give an hour between 1 and 12.
> select to_timestamp('2016-02-30 15:50:55', 'YYYY-MM-DD HH24:MI:SS')
to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2016-02-30 15:50:55"
> select to_timestamp('2015 366', 'YYYY DDD'), to_timestamp('2016 366', 'YYYY DDD')
to_timestamp:timestamptz | to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2015 366"
> select to_timestamp('2016 367', 'YYYY DDD')
to_timestamp:timestamptz
ERROR 22008: date/time field value out of range: "2016 367"
> select to_timestamp('366', 'DDD')
to_timestamp:timestamptz
ERROR 22007: cannot calculate day of year without year information
> select to_date('2016-13-10', 'YYYY-MM-DD')
to_date:date
ERROR 22008: date/time field value out of range: "2016-13-10"
> select to_date('0000-02-01', 'YYYY-MM-DD'), to_date('02 31', 'MM DD'), to_date('', 'YYYY'), to_date('x', '')
to_date:date | to_date:date | to_date:date | to_date:date
0001-02-01 BC | 0001-03-02 BC | 0001-01-01 BC | 0001-01-01 BC
SELECT 1
> select to_timestamp('1', 'TZ')
to_timestamp:timestamptz
ERROR 0A000: formatting field "TZ" is only supported in to_char
> select to_timestamp('12:00 +17', 'HH24:MI TZH')
to_timestamp:timestamptz
ERROR 22009: time zone displacement out of range: "12:00 +17"
> select to_char(date '2022-05-03', 'TMDay|TMDY|FMDay|Day|TMMonth|Month|'), to_char(timestamp '2022-05-03 04:05:06.007', 'FMMS FMUS FMFF2 MS US FF4')
to_char:text | to_char:text
Tuesday|TUE|Tuesday|Tuesday  |May|May      | | 007 007000 00 007 007000 0070
SELECT 1
> select to_char(i * interval '1 mon', 'rm|RM|MM|YYYY') from generate_series(-13, 13, 5) i
to_char:text
xii |XII |-01|-0001
v   |V   |-08|0000
x   |X   |-03|0000
ii  |II  |02|0000
vii |VII |07|0000
xii |XII |00|0001
SELECT 6
> select to_char(interval '-1 day -02:03:04.5', 'DD HH24:MI:SS.MS HH12 SSSS DDD W Q CC Y,YYY')
to_char:text
-1 -02:-03:-04.-500 -02 -7384 -01 1  00 0,000
SELECT 1
> select to_char(interval '1 day', 'Month')
to_char:text
ERROR 22007: invalid format specification for an interval value
HINT: Intervals are not tied to specific calendar dates.
> select to_char(timestamp '0044-03-15 BC', 'YYYY BC CC YYY YY Y IYYY IW'), to_char(timestamp '2024-12-30', 'IYYY-IW-ID IDDD DDDth WW FMDDth Dth')
to_char:text | to_char:text
0044 BC -01 044 44 4 0044 11 | 2025-01-1 001 365th 53 30th 2nd
SELECT 1
> select to_char(100::numeric, 'f\oo999'), to_char(100::numeric, 'f\"oo999'), to_char(100::numeric, '"f\oo"999')
to_char:text | to_char:text | to_char:text
f\oo 100 | f"oo 100 | foo 100
SELECT 1
> select to_number('0.00001-', '9.999999S'), to_number('5.01-', 'FM9.999999MI'), to_number('.0', '99999999.99999999'), to_number('0', '99.99')
to_number:numeric | to_number:numeric | to_number:numeric | to_number:numeric
-0.00001 | -5.01 | 0.0 | 0
SELECT 1
> select interval 'P00021015T103020', interval 'P0002-10-15T10:30:20', interval 'P0002T1S', interval 'P0002-10T1S', interval 'PT10:30', interval 'PT10', interval 'P10.5e4Y', interval 'P1Y1M', interval 'PT0.5H'
interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval
2 years 10 mons 15 days 10:30:20 | 2 years 10 mons 15 days 10:30:20 | 2 years 00:00:01 | 2 years 10 mons 00:00:01 | 10:30:00 | 10:00:00 | 105000 years | 1 year 1 mon | 00:30:00
SELECT 1
> select interval 'P.Y0M3DT4H5M6S'
ERROR 22007: invalid input syntax for type interval: "P.Y0M3DT4H5M6S"
> select interval 'PT2562047789'
ERROR 22015: interval field value out of range: "PT2562047789"
> select interval 'P0.1-2147483647-00'
ERROR 22015: interval field value out of range: "P0.1-2147483647-00"
> select interval '-9223372036854775808 us', interval '-2147483648 months -2147483648 days -9223372036854775808 us'
interval:interval | interval:interval
-2562047788:00:54.775808 | -178956970 years -8 mons -2147483648 days -2562047788:00:54.775808
SELECT 1
> select timestamp '4713-01-01 BC' + interval '107000000 days'
?column?:timestamp
288244-01-20 00:00:00
SELECT 1
> set timezone = '04:30'
SET
> select timestamptz '2020-01-01 00:00 UTC', timestamp '2020-01-01' at time zone '+1:00'
timestamptz:timestamptz | timezone:timestamptz
2019-12-31 19:30:00-04:30 | 2019-12-31 20:30:00-04:30
SELECT 1
