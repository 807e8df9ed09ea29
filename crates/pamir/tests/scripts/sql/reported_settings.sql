# What settings show, and clients are told, for values written in many ways: drivers look zones up by name, in lists where case counts.
> set timezone = 'gmt-3'
SET

> show timezone
TimeZone:text
GMT-3
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 15:00:00+03
SELECT 1

> set timezone = 'utc'
SET

> show timezone
TimeZone:text
UTC
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 12:00:00+00
SELECT 1

> set timezone = 'europe/berlin'
SET

> show timezone
TimeZone:text
Europe/Berlin
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 14:00:00+02
SELECT 1

> set timezone = 'EST5EDT'
SET

> show timezone
TimeZone:text
EST5EDT
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 08:00:00-04
SELECT 1

> set timezone = 'est5edt'
SET

> show timezone
TimeZone:text
EST5EDT
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 08:00:00-04
SELECT 1

> set timezone = 'abc-2'
SET

> show timezone
TimeZone:text
ABC-2
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 14:00:00+02
SELECT 1

> set timezone = 'foo+3bar'
SET

> show timezone
TimeZone:text
FOO+3BAR
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 10:00:00-02
SELECT 1

> set timezone = 'aest-10aedt'
SET

> show timezone
TimeZone:text
AEST-10AEDT
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 23:00:00+11
SELECT 1

> set timezone = '<+03>-3'
SET

> show timezone
TimeZone:text
<+03>-3
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 15:00:00+03
SELECT 1

> set timezone = '<-02:15>+2:15'
SET

> show timezone
TimeZone:text
<-02:15>+2:15
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 09:45:00-02:15
SELECT 1

> set timezone = '-7'
SET

> show timezone
TimeZone:text
<-07>+07
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 05:00:00-07
SELECT 1

> set timezone = '3.5'
SET

> show timezone
TimeZone:text
<+03:30>-03:30
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 15:30:00+03:30
SELECT 1

> set timezone = '0'
SET

> show timezone
TimeZone:text
<+00>-00
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 12:00:00+00
SELECT 1

> set timezone = '+03:30'
SET

> show timezone
TimeZone:text
+03:30
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 08:30:00-03:30
SELECT 1

> set timezone = '5:30'
SET

> show timezone
TimeZone:text
5:30
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 06:30:00-05:30
SELECT 1

> set timezone = 'utc+3'
SET

> show timezone
TimeZone:text
UTC+3
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 09:00:00-03
SELECT 1

> set timezone = 'utc0'
SET

> show timezone
TimeZone:text
UTC0
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 12:00:00+00
SELECT 1

> set timezone = 'gmt'
SET

> show timezone
TimeZone:text
GMT
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 12:00:00+00
SELECT 1

> set timezone = 'Etc/gmt+5'
SET

> show timezone
TimeZone:text
Etc/GMT+5
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 07:00:00-05
SELECT 1

> set timezone = 'zulu'
SET

> show timezone
TimeZone:text
Zulu
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 12:00:00+00
SELECT 1

> set timezone = 'us/pacific'
SET

> show timezone
TimeZone:text
US/Pacific
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 05:00:00-07
SELECT 1

> set timezone = 'cet'
SET

> show timezone
TimeZone:text
CET
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 14:00:00+02
SELECT 1

> set timezone = 'nowhere'
ERROR 22023: invalid value for parameter "TimeZone": "nowhere"

> show timezone
TimeZone:text
CET
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 14:00:00+02
SELECT 1

> set timezone = 'abc'
ERROR 22023: invalid value for parameter "TimeZone": "abc"

> show timezone
TimeZone:text
CET
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 14:00:00+02
SELECT 1

> set time zone -7
SET

> show timezone
TimeZone:text
<-07>+07
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 05:00:00-07
SELECT 1

> set time zone 5.5
SET

> show timezone
TimeZone:text
<+05:30>-05:30
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 17:30:00+05:30
SELECT 1

> set time zone interval '-03:30' hour to minute
SET

> show timezone
TimeZone:text
<-03:30>+03:30
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 08:30:00-03:30
SELECT 1

> set time zone interval '+5' hour
SET

> show timezone
TimeZone:text
<+05>-05
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 17:00:00+05
SELECT 1

> set time zone 'asia/tokyo'
SET

> show timezone
TimeZone:text
Asia/Tokyo
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 21:00:00+09
SELECT 1

> select set_config('timezone', 'america/new_york', false)
set_config:text
America/New_York
SELECT 1

> reset timezone
RESET

> set datestyle = 'PostgreSQL'
SET

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> set datestyle = 'NonEuro'
SET

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> set datestyle = 'ISO,European'
SET

> show datestyle
DateStyle:text
ISO, DMY
SHOW

> set datestyle = 'postgresXX'
SET

> show datestyle
DateStyle:text
Postgres, DMY
SHOW

> set datestyle = 'sqlfoo,us'
ERROR 22023: invalid value for parameter "DateStyle": "sqlfoo,us"
DETAIL: Unrecognized key word: "sqlfoo".

> show datestyle
DateStyle:text
Postgres, DMY
SHOW

> set datestyle = 'isolated'
ERROR 22023: invalid value for parameter "DateStyle": "isolated"
DETAIL: Unrecognized key word: "isolated".

> show datestyle
DateStyle:text
Postgres, DMY
SHOW

> set datestyle = 'germania, ymdx'
ERROR 22023: invalid value for parameter "DateStyle": "germania, ymdx"
DETAIL: Unrecognized key word: "germania".

> show datestyle
DateStyle:text
Postgres, DMY
SHOW

> set datestyle = 'noneurop'
SET

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> set datestyle = 'iso,sql'
ERROR 22023: invalid value for parameter "DateStyle": "iso,sql"
DETAIL: Conflicting "datestyle" specifications.

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> set datestyle = 'mdy, dmy'
ERROR 22023: invalid value for parameter "DateStyle": "mdy, dmy"
DETAIL: Conflicting "datestyle" specifications.

> show datestyle
DateStyle:text
Postgres, MDY
SHOW

> set datestyle = 'german,mdy'
SET

> show datestyle
DateStyle:text
German, MDY
SHOW

> set datestyle = 'german'
SET

> show datestyle
DateStyle:text
German, DMY
SHOW

> set datestyle = 'default'
SET

> show datestyle
DateStyle:text
ISO, MDY
SHOW

> set datestyle = 'sql,default'
SET

> show datestyle
DateStyle:text
SQL, MDY
SHOW

> set datestyle = 'iso,iso'
SET

> show datestyle
DateStyle:text
ISO, MDY
SHOW

> set time zone interval '2' day
ERROR 42601: time zone interval must be HOUR or HOUR TO MINUTE

> set time zone interval '-1:15'
SET

> show timezone
TimeZone:text
<-01:15>+01:15
SHOW

> select '2005-07-01 15:00:00+03'::timestamptz
timestamptz:timestamptz
2005-07-01 10:45:00-01:15
SELECT 1

# The elements of search_path are names, which keep capitals and spaces; those of other lists are words.
> create schema "Some Schema"
CREATE SCHEMA

> set search_path = 'Some Schema'
SET

> show search_path
search_path:text
"Some Schema"
SHOW

> select current_schema()
current_schema:name
Some Schema
SELECT 1

> create table in_it (a int)
CREATE TABLE

> select ('"Some Schema" . in_it')::regclass::oid = 'in_it'::regclass::oid as same
same:bool
t
SELECT 1

> set search_path to "Some Schema", 'a,b', public, "user", ''
SET

> show search_path
search_path:text
"Some Schema", "a,b", public, "user", ""
SHOW

> set search_path = ''
SET

> show search_path
search_path:text
""
SHOW

> set datestyle = 'SQL', 'DMY'
SET

> show datestyle
DateStyle:text
SQL, DMY
SHOW

> set effective_cache_size = 524288
SET

> show effective_cache_size
effective_cache_size:text
4GB
SHOW

> set bytea_output = 'x'
ERROR 22023: invalid value for parameter "bytea_output": "x"
HINT: Available values: escape, hex.

> set default_transaction_isolation = 'x'
ERROR 22023: invalid value for parameter "default_transaction_isolation": "x"
HINT: Available values: serializable, repeatable read, read committed, read uncommitted.

> select name, setting, unit, vartype, min_val, max_val, enumvals, context from pg_settings where name in ('search_path', 'effective_cache_size', 'bytea_output', 'log_duration') order by 1
name:text | setting:text | unit:text | vartype:text | min_val:text | max_val:text | enumvals:_text | context:text
bytea_output | hex | NULL | enum | NULL | NULL | {escape,hex} | user
effective_cache_size | 524288 | 8kB | integer | 1 | 2147483647 | NULL | user
log_duration | off | NULL | bool | NULL | NULL | NULL | superuser
search_path | "" | NULL | string | NULL | NULL | NULL | user
SELECT 4
