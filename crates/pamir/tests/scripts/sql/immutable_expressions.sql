# What an index or a generated column may compute: nothing that hangs on settings.
> create table vv(a int, d date, ts timestamp, tz timestamptz, x text, arr int[], iv interval, b bytea, f float8, j jsonb, u uuid)
CREATE TABLE

> create index on vv ((d::text))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((ts::text))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((tz::text))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((arr::text))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((iv::text))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((f::text))
CREATE INDEX

> create index on vv ((a::text))
CREATE INDEX

> create index on vv ((j::text))
CREATE INDEX

> create index on vv ((x::date))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((x::int))
CREATE INDEX

> create index on vv ((x::int[]))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((tz::date))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((ts::date))
CREATE INDEX

> create index on vv ((ts::timestamptz))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((a || ' x'))
CREATE INDEX

> create index on vv ((d || ' x'))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((tz || x))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((j ->> 'a'))
CREATE INDEX

> create index on vv ((concat(a,x)))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((extract(year from tz)))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((extract(year from ts)))
CREATE INDEX

> create index on vv ((date_trunc('day', tz)))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((date_trunc('day', tz, 'UTC')))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((tz at time zone 'UTC'))
CREATE INDEX

> create index on vv ((to_char(ts, 'YYYY')))
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on vv ((x collate "C"))
CREATE INDEX

> create index on vv (a) where tz > now()
ERROR 42P17: functions in index predicate must be marked IMMUTABLE

> create index on vv (a) where tz > '2020-01-01'
CREATE INDEX

> create index on vv (a) where tz > '2020-01-01+00'::timestamptz
CREATE INDEX

> create index on vv (a) where ts > '2020-01-01'
CREATE INDEX

> create index on vv (a) where d > ts
CREATE INDEX

> create index on vv (a) where d > tz
ERROR 42P17: functions in index predicate must be marked IMMUTABLE

> create table vg(a int, d date, tz timestamptz, x text, g text generated always as (a || ' sec') stored)
CREATE TABLE

> create table vg2(d date, g text generated always as (d::text) stored)
ERROR 42P17: generation expression is not immutable

> create table vg3(d date, g text generated always as (d || 'x') stored)
ERROR 42P17: generation expression is not immutable

> create table vg4(x text, g int generated always as (x::int) stored)
CREATE TABLE

> create table vg5(x text, g date generated always as (x::date) stored)
ERROR 42P17: generation expression is not immutable

> create table vg6(x text[], g text generated always as (x::text) stored)
ERROR 42P17: generation expression is not immutable

> create table vg7(a text, b text, g text generated always as (coalesce(a,'') || ' ' || b) stored)
CREATE TABLE

> create index on vv ((row(a, d)))
ERROR 42P16: column "row" has pseudo-type record

> create table vh(d date, t timetz, g text generated always as (t::text) stored)
CREATE TABLE

> create table vi(d date, x text, g time generated always as (x::time) stored)
ERROR 42P17: generation expression is not immutable

> create table vj(i int generated always as identity, j int)
CREATE TABLE

> alter table vj alter i type text
ERROR 22023: identity column type must be smallint, integer, or bigint

> alter table vj alter i type bigint
ALTER TABLE

> alter table vj alter j type text
ALTER TABLE

> select sum(j) over (order by i range between 1 preceding and 'NaN' following) from (values (1.5, 2)) v(i, j)
sum:int8
ERROR 22013: invalid preceding or following size in window function

> select sum(j) over (order by i range between 'NaN'::float8 preceding and current row) from (values (1.5::float8, 2)) v(i, j)
sum:int8
ERROR 22013: invalid preceding or following size in window function

> select proargtypes::regtype[] from pg_proc where proname = 'int4pl'
proargtypes:_regtype
[0:1]={integer,integer}
SELECT 1

> select '23 25'::oidvector::regtype[], '23 25'::oidvector::oid[], '23'::oidvector::text[]
regtype:_regtype | oid:_oid | text:_text
[0:1]={integer,text} | [0:1]={23,25} | [0:0]={23}
SELECT 1

> drop table vv, vg, vg4, vg7, vj
DROP TABLE
