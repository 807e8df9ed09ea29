# Functions at the ends of their arguments.
> select timestamptz '2024-06-01 00:00+00' at time zone '+03', timestamptz '2024-06-01 00:00+00' at time zone '-03', timestamptz '2024-06-01 00:00+00' at time zone '3', timestamptz '2024-06-01 00:00+00' at time zone '-05:30'
timezone:timestamp | timezone:timestamp | timezone:timestamp | timezone:timestamp
2024-05-31 21:00:00 | 2024-06-01 03:00:00 | 2024-05-31 21:00:00 | 2024-06-01 05:30:00
SELECT 1

> select timestamp '2024-06-01 00:00' at time zone '+03', timestamp '2024-06-01 00:00' at time zone '1', time with time zone '12:00+00' at time zone '+03'
timezone:timestamptz | timezone:timestamptz | timezone:timetz
2024-06-01 03:00:00+00 | 2024-06-01 01:00:00+00 | 09:00:00-03
SELECT 1

> select date_trunc('day', timestamptz '2024-06-01 22:30+00', '+03'), date_trunc('day', timestamptz '2024-06-01 22:30+00', '-03')
date_trunc:timestamptz | date_trunc:timestamptz
2024-06-01 03:00:00+00 | 2024-06-01 21:00:00+00
SELECT 1

> select make_timestamptz(2024, 1, 1, 0, 0, 0, '+3'), make_timestamptz(2024, 1, 1, 0, 0, 0, '-03:30'), make_timestamptz(2024, 1, 1, 0, 0, 0, 'Europe/Paris')
make_timestamptz:timestamptz | make_timestamptz:timestamptz | make_timestamptz:timestamptz
2023-12-31 21:00:00+00 | 2024-01-01 03:30:00+00 | 2023-12-31 23:00:00+00
SELECT 1

> select make_timestamptz(2024, 1, 1, 0, 0, 0, '2')
make_timestamptz:timestamptz
ERROR 22023: invalid input syntax for type numeric time zone: "2"
HINT: Numeric time zones must have "-" or "+" as first character.

> select make_timestamptz(2024, 1, 1, 0, 0, 0, '+16')
make_timestamptz:timestamptz
ERROR 22023: numeric time zone "+16" out of range

> set timezone = '+3'
SET

> select timestamptz '2024-06-01 00:00+00'
timestamptz:timestamptz
2024-06-01 03:00:00+03
SELECT 1

> set timezone = -3.5
SET

> select timestamptz '2024-06-01 00:00+00'
timestamptz:timestamptz
2024-05-31 20:30:00-03:30
SELECT 1

> reset timezone
RESET

> select 'infinity'::timestamptz at time zone interval '1 day', '-infinity'::timestamp at time zone interval '1 mon'
timezone:timestamp | timezone:timestamptz
infinity | -infinity
SELECT 1

> select '2024-01-01'::timestamptz at time zone interval '1 day'
ERROR 22023: interval time zone "1 day" must not include months or days

> select regexp_count('abc', '.*', 4), regexp_count('abc', '.*', 5), regexp_replace('abc', 'x*', '-', 5), regexp_replace('abc', 'x*', '-', 4), regexp_instr('abc', 'x*', 10), regexp_substr('abc', '.*', 10) is null
regexp_count:int4 | regexp_count:int4 | regexp_replace:text | regexp_replace:text | regexp_instr:int4 | ?column?:bool
1 | 0 | abc | abc- | 0 | t
SELECT 1

> select right('abc', -2147483648), right('abc', -1), right('abc', 2147483647), left('abc', -2147483648)
right:text | right:text | right:text | left:text
 | bc | abc | 
SELECT 1

> select rpad('abc', 2147483647, ''), lpad('abc', 2, ''), lpad('', 2147483647, '')
rpad:text | lpad:text | lpad:text
abc | ab | 
SELECT 1

> select '[]'::jsonb #- '{{a,b},{c,d}}'::text[]
ERROR 2202E: wrong number of array subscripts

> select json_object('{{a,b},{c,d}}'::text[], '{{a,b},{c,d}}'::text[])
ERROR 2202E: wrong number of array subscripts
