# Functions, casts and text forms of types.
> select 1::int2, 2::int8, 3.7::int, '12'::int, 12::text, 1.5::float4, 1e10::float8, true::int, 1::bool, 'yes'::bool, 'f'::bool::text
int2:int2 | int8:int8 | int4:int4 | int4:int4 | text:text | float4:float4 | float8:float8 | int4:int4 | bool:bool | bool:bool | text:text
1 | 2 | 4 | 12 | 12 | 1.5 | 10000000000 | 1 | t | t | false
SELECT 1

> select 'abc'::int
ERROR 22P02: invalid input syntax for type integer: "abc"

> select ''::int
ERROR 22P02: invalid input syntax for type integer: ""

> select '1 2'::int
ERROR 22P02: invalid input syntax for type integer: "1 2"

> select '99999999999'::int
ERROR 22003: value "99999999999" is out of range for type integer

> select 300::int2::int
int4:int4
300
SELECT 1

> select 70000::int2
ERROR 22003: smallint out of range

> select 'maybe'::bool
ERROR 22P02: invalid input syntax for type boolean: "maybe"

> select null::int + 1, null || 'x', null = null, null is distinct from null
?column?:int4 | ?column?:text | ?column?:bool | ?column?:bool
NULL | NULL | NULL | f
SELECT 1

> select 2.5::int, 3.5::int, -2.5::int, 2.5::numeric(2,0), round(2.5), round(-2.5), round(2.5::float8), trunc(-2.7), ceil(-2.1), floor(-2.1)
int4:int4 | int4:int4 | ?column?:int4 | numeric:numeric | round:numeric | round:numeric | round:float8 | trunc:numeric | ceil:numeric | floor:numeric
3 | 4 | -3 | 3 | 3 | -3 | 2 | -2 | -2 | -3
SELECT 1

> select 10 / 3, -10 / 3, 10 % -3, 10.0 / 3, 10 / 3.0::float8, 2 ^ 3 ^ 2, -2 ^ 2
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:numeric | ?column?:float8 | ?column?:float8 | ?column?:float8
3 | -3 | 1 | 3.3333333333333333 | 3.3333333333333335 | 64 | 4
SELECT 1

> select 1e400::float8
ERROR 22003: "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" is out of range for type double precision

> select '1e400'::float8
ERROR 22003: "1e400" is out of range for type double precision

> select 'nan'::float8, 'infinity'::float8, '-inf'::float8, 'NaN'::numeric, 'Infinity'::numeric
float8:float8 | float8:float8 | float8:float8 | numeric:numeric | numeric:numeric
NaN | Infinity | -Infinity | NaN | Infinity
SELECT 1

> select 'nan'::float8 = 'nan'::float8, 'nan'::numeric > 1e10, 0.0::float8 = -0.0::float8
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select 0.1::float4, 0.1::float8, 0.1::float4::float8, 1e-7::float8, 123456789.123::float4, 1e15::float8, 1e16::float8
float4:float4 | float8:float8 | float8:float8 | float8:float8 | float4:float4 | float8:float8 | float8:float8
0.1 | 0.1 | 0.10000000149011612 | 1e-07 | 1.2345679e+08 | 1e+15 | 1e+16
SELECT 1

> select 1.10, 1.10 + 0.1, 1.10 * 1.10, 1.00 / 3, 1.5e3, 1e-5, .5, 5.
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric
1.10 | 1.20 | 1.2100 | 0.33333333333333333333 | 1500 | 0.00001 | 0.5 | 5
SELECT 1

> select 123.456::numeric(5,1), 0.005::numeric(3,2), 99.995::numeric(4,2)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 4, scale 2 must round to an absolute value less than 10^2.

> select 999.99::numeric(4,2)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 4, scale 2 must round to an absolute value less than 10^2.

> select 123456789012345678901234567890 * 98765432109876543210, 2 ^ 100::numeric, 1 / 7::numeric
?column?:numeric | ?column?:numeric | ?column?:numeric
12193263113702179522496570642237463801111263526900 | 1267650600228229401496703205376.0000000000000000 | 0.14285714285714285714
SELECT 1

> select sqrt(2::numeric), exp(1::numeric), ln(10::numeric), log(100), log(2, 1024), power(2, 0.5::numeric), mod(-7, 3), div(7, 2), gcd(12, 18), lcm(4, 6), factorial(20)
sqrt:numeric | exp:numeric | ln:numeric | log:float8 | log:numeric | power:numeric | mod:int4 | div:numeric | gcd:int4 | lcm:int4 | factorial:numeric
1.414213562373095 | 2.7182818284590452 | 2.3025850929940457 | 2 | 10.0000000000000000 | 1.4142135623730950 | -1 | 3 | 6 | 12 | 2432902008176640000
SELECT 1

> select abs(-5), sign(-2.5), greatest(1, 2.5), least('b', 'a'), width_bucket(5, 0, 10, 5), scale(1.230), trim_scale(1.230), min_scale(1.230)
abs:int4 | sign:numeric | greatest:numeric | least:text | width_bucket:int4 | scale:int4 | trim_scale:numeric | min_scale:int4
5 | -1 | 2.5 | a | 3 | 3 | 1.23 | 2
SELECT 1

> select 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 256 >> 2
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4
1 | 7 | 6 | -6 | 16 | 64
SELECT 1

> select sin(0), cos(0), atan2(1, 1), degrees(pi()), radians(180), cot(1), asin(1)
sin:float8 | cos:float8 | atan2:float8 | degrees:float8 | radians:float8 | cot:float8 | asin:float8
0 | 1 | 0.7853981633974483 | 180 | 3.141592653589793 | 0.6420926159343306 | 1.5707963267948966
SELECT 1

> select asin(2)
ERROR 22003: input is out of range

> select to_char(1234567.891, '9,999,999.99'), to_char(-5, '999'), to_char(0.5, '0.00'), to_char(12, 'FM0000'), to_char(1234, 'L9999'), to_char(5, 'RN'), to_char(1e6, '9.99EEEE'), to_char(-12.3, 'S99.9'), to_char(12, '99PR'), to_char(-12, '99PR'), to_char(1, '9th')
to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text | to_char:text
 1,234,567.89 |   -5 |  0.50 | 0012 |   1234 |               V |  1.00e+06 | -12.3 |  12  | <12> |  1st
SELECT 1

> select to_number('1,234.5', '9,999.9'), to_number('-12', 'S99')
to_number:numeric | to_number:numeric
1234.5 | -12
SELECT 1

> select upper('aé'), lower('ABC'), initcap('hello wORLD'), length('héé'), octet_length('héé'), char_length('x'), bit_length('ab'), reverse('abc'), repeat('ab', 3), ascii('é'), chr(233)
upper:text | lower:text | initcap:text | length:int4 | octet_length:int4 | char_length:int4 | bit_length:int4 | reverse:text | repeat:text | ascii:int4 | chr:text
Aé | abc | Hello World | 3 | 5 | 1 | 16 | cba | ababab | 233 | é
SELECT 1

> select substring('hello' from 2 for 3), substring('hello', -1, 4), substring('hello' from 'l+'), substr('hello', 2), left('hello', -2), right('hello', 2), position('l' in 'hello'), strpos('hello', 'z')
substring:text | substring:text | substring:text | substr:text | left:text | right:text | position:int4 | strpos:int4
ell | he | ll | ello | hel | lo | 3 | 0
SELECT 1

> select lpad('5', 3, '0'), rpad('ab', 5, 'xy'), lpad('hello', 2), replace('aXbX', 'X', '--'), translate('12345', '143', 'ax'), split_part('a,b,c', ',', 2), split_part('a,b,c', ',', -1), overlay('abcdef' placing 'XX' from 2 for 3), concat('a', null, 1, true), concat_ws('-', 'a', null, 'b'), format('%s %I %L %%', 'a', 'B c', 'd''e'), quote_ident('Ab'), quote_literal('a''b'), quote_nullable(null), md5('a'), to_hex(255), starts_with('abc', 'ab'), string_to_array('a,b,,c', ','), array_to_string(array[1, null, 3], ',', '*')
lpad:text | rpad:text | lpad:text | replace:text | translate:text | split_part:text | split_part:text | overlay:text | concat:text | concat_ws:text | format:text | quote_ident:text | quote_literal:text | quote_nullable:text | md5:text | to_hex:text | starts_with:bool | string_to_array:_text | array_to_string:text
005 | abxyx | he | a--b-- | a2x5 | b | c | aXXef | a1t | a-b | a "B c" 'd''e' % | "Ab" | 'a''b' | NULL | 0cc175b9c0f1b6a831c399e269772661 | ff | t | {a,b,"",c} | 1,*,3
SELECT 1

> select regexp_replace('abcabc', 'b', 'X'), regexp_replace('abcabc', 'b', 'X', 'g'), regexp_matches('foobar', '(o+)(b)'), regexp_split_to_array('a1b22c', '\d+'), 'abc' ~* 'B', regexp_count('aaa', 'a'), regexp_substr('abc123', '[0-9]+'), regexp_instr('abc', 'c'), regexp_like('Abc', 'abc', 'i')
regexp_replace:text | regexp_replace:text | regexp_matches:_text | regexp_split_to_array:_text | ?column?:bool | regexp_count:int4 | regexp_substr:text | regexp_instr:int4 | regexp_like:bool
aXcabc | aXcaXc | {oo,b} | {a,b,c} | t | 3 | 123 | 3 | t
SELECT 1

> select 'abc' like 'a%', 'abc' like '_b_', 'a%c' like 'a\%c', 'abc' ilike 'ABC', 'abc' similar to '(a|b)%', 'abc' not like 'x%', 'a_c' like 'a#_c' escape '#'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | t | t | t
SELECT 1

> select 'abc' like 'a\'
ERROR 22025: LIKE pattern must not end with escape character

> select e'a\tb\n', u&'\0041', $$dollar$$, $x$a$b$x$, 'it''s'
?column?:text | ?column?:text | ?column?:text | ?column?:text | ?column?:text
a	b\n | A | dollar | a$b | it's
SELECT 1

> select 'abc' < 'abd', 'a' < 'B', 'abc'::char(5) = 'abc', 'abc'::char(5) || '|', length('abc  '::char(5)), 'abcdef'::varchar(3), 'abc  '::char(3) = 'abc'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:text | length:int4 | varchar:varchar | ?column?:bool
t | f | t | abc| | 3 | abc | t
SELECT 1

> select 'a' || 1, 1 || 'a', 'a' || null, 'a' || true
?column?:text | ?column?:text | ?column?:text | ?column?:text
a1 | 1a | NULL | atrue
SELECT 1

> select '\xdeadbeef'::bytea, 'abc'::bytea, encode('abc', 'base64'), decode('YWJj', 'base64'), encode('\x01ff', 'hex'), get_byte('abc', 1), length('\x0102'::bytea), '\x01'::bytea || '\x02', substring('\x010203'::bytea from 2), sha256('abc')
bytea:bytea | bytea:bytea | encode:text | decode:bytea | encode:text | get_byte:int4 | length:int4 | ?column?:bytea | substring:bytea | sha256:bytea
\xdeadbeef | \x616263 | YWJj | \x616263 | 01ff | 98 | 2 | \x0102 | \x0203 | \xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
SELECT 1

> select '\xzz'::bytea
ERROR 22023: invalid hexadecimal digit: "z"

> select date '2020-02-29' + 1, date '2020-03-01' - date '2020-02-01', date '2020-01-31' + interval '1 month', timestamp '2020-01-01' - timestamp '2019-12-31 12:00', now() - now(), date '2020-01-01' - 366, time '10:00' + interval '90 min', date '2020-01-01' + time '10:00'
?column?:date | ?column?:int4 | ?column?:timestamp | ?column?:interval | ?column?:interval | ?column?:date | ?column?:time | ?column?:timestamp
2020-03-01 | 29 | 2020-02-29 00:00:00 | 12:00:00 | 00:00:00 | 2018-12-31 | 11:30:00 | 2020-01-01 10:00:00
SELECT 1

> select date '2020-02-30'
ERROR 22008: date/time field value out of range: "2020-02-30"

> select '2020-13-01'::date
ERROR 22008: date/time field value out of range: "2020-13-01"
HINT: Perhaps you need a different "datestyle" setting.

> select 'infinity'::timestamp, '-infinity'::date, 'epoch'::timestamptz, 'allballs'::time, '4713-01-01 BC'::date
timestamp:timestamp | date:date | timestamptz:timestamptz | time:time | date:date
infinity | -infinity | 1970-01-01 00:00:00+00 | 00:00:00 | 4713-01-01 BC
SELECT 1

> select interval '1 year 2 mons 3 days 04:05:06.789', interval '-1 day', interval '1 day -1 hours', interval '36 hours', interval 'P1Y2M3DT4H', interval '1.5 days', interval '2 weeks', '1-2'::interval, interval '3' day, interval '1' hour
interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval | interval:interval
1 year 2 mons 3 days 04:05:06.789 | -1 days | 1 day -01:00:00 | 36:00:00 | 1 year 2 mons 3 days 04:00:00 | 1 day 12:00:00 | 14 days | 1 year 2 mons | 3 days | 01:00:00
SELECT 1

> select interval '1 day' * 1.5, interval '1 month' / 2, interval '1 day' = interval '24 hours', justify_days('35 days'), justify_hours('27 hours'), justify_interval('1 mon -1 hour'), -interval '1 day 2 hours'
?column?:interval | ?column?:interval | ?column?:bool | justify_days:interval | justify_hours:interval | justify_interval:interval | ?column?:interval
1 day 12:00:00 | 15 days | t | 1 mon 5 days | 1 day 03:00:00 | 29 days 23:00:00 | -1 days -02:00:00
SELECT 1

> select extract(epoch from interval '1 day 1 second'), extract(dow from date '2020-01-05'), extract(isodow from date '2020-01-05'), extract(week from date '2021-01-01'), extract(isoyear from date '2021-01-01'), extract(quarter from date '2020-05-01'), extract(century from date '2000-01-01'), extract(microseconds from time '00:00:01.5'), date_part('year', timestamp '2020-01-01'), extract(julian from date '2020-01-01'), extract(doy from date '2020-12-31'), extract(decade from date '2020-01-01')
extract:numeric | extract:numeric | extract:numeric | extract:numeric | extract:numeric | extract:numeric | extract:numeric | extract:numeric | date_part:float8 | extract:numeric | extract:numeric | extract:numeric
86401.000000 | 0 | 7 | 53 | 2020 | 2 | 20 | 1500000 | 2020 | 2458850 | 366 | 202
SELECT 1

> select date_trunc('month', timestamp '2020-05-17 12:34'), date_trunc('week', date '2020-05-17'), date_trunc('hour', interval '1 day 5:43'), age(timestamp '2020-03-01', timestamp '2019-01-15'), date_bin('15 min', timestamp '2020-01-01 00:22', timestamp '2020-01-01')
date_trunc:timestamp | date_trunc:timestamptz | date_trunc:interval | age:interval | date_bin:timestamp
2020-05-01 00:00:00 | 2020-05-11 00:00:00+00 | 1 day 05:00:00 | 1 year 1 mon 17 days | 2020-01-01 00:15:00
SELECT 1

> select to_char(timestamp '2020-03-04 15:06:07.089', 'YYYY-MM-DD HH24:MI:SS.MS'), to_char(date '2020-03-04', 'Day, DD Mon YYYY FMMonth D DDD IW Q J'), to_char(timestamp '2020-03-04 00:06', 'HH12:MI AM am'), to_date('05 Dec 2000', 'DD Mon YYYY'), to_timestamp('2020-01-02 03:04', 'YYYY-MM-DD HH24:MI')::timestamp, to_timestamp(0)::text is not null, to_char(interval '15h 2m', 'HH24:MI')
to_char:text | to_char:text | to_char:text | to_date:date | to_timestamp:timestamp | ?column?:bool | to_char:text
2020-03-04 15:06:07.089 | Wednesday, 04 Mar 2020 March 4 064 10 1 2458913 | 12:06 AM am | 2000-12-05 | 2020-01-02 03:04:00 | t | 15:02
SELECT 1

> select to_date('xx', 'YYYY')
to_date:date
ERROR 22007: invalid value "xx" for "YYYY"
DETAIL: Value must be an integer.

> select timestamptz '2020-01-01 00:00+00' at time zone 'America/New_York', timestamp '2020-01-01 00:00' at time zone 'UTC', timestamptz '2020-07-01 00:00 Europe/Paris' at time zone 'UTC'
timezone:timestamp | timezone:timestamptz | timezone:timestamp
2019-12-31 19:00:00 | 2020-01-01 00:00:00+00 | 2020-06-30 22:00:00
SELECT 1

> select timestamp '2020-01-01 25:00'
ERROR 22008: date/time field value out of range: "2020-01-01 25:00"

> select '12:30:45.123456789'::time, '12:30'::timetz, time(2) '12:30:45.129', timestamp(0) '2020-01-01 00:00:00.6', '2020-01-01T10:20:30Z'::timestamptz at time zone 'UTC'
time:time | timetz:timetz | time:time | timestamp:timestamp | timezone:timestamp
12:30:45.123457 | 12:30:00+00 | 12:30:45.13 | 2020-01-01 00:00:01 | 2020-01-01 10:20:30
SELECT 1

> select isfinite(date 'infinity'), make_date(2020, 2, 29), make_timestamp(2020, 1, 1, 0, 0, 0.5), make_interval(hours => 3, mins => 5)
isfinite:bool | make_date:date | make_timestamp:timestamp | make_interval:interval
f | 2020-02-29 | 2020-01-01 00:00:00.5 | 03:05:00
SELECT 1

> select '{1,2,3}'::int[], array[1,2] || 3, array[[1,2],[3,4]], array[]::int[], (array[1,2,3])[2], (array[1,2,3])[5], array_length(array[1,2], 1), cardinality(array[[1,2],[3,4]]), array_dims(array[[1,2],[3,4]]), array_position(array['a','b'], 'b'), array_remove(array[1,2,1], 1), array_replace(array[1,2], 2, 5), 2 = any(array[1,2]), 3 <> all(array[1,2])
int4:_int4 | ?column?:_int4 | array:_int4 | array:_int4 | array:int4 | array:int4 | array_length:int4 | cardinality:int4 | array_dims:text | array_position:int4 | array_remove:_int4 | array_replace:_int4 | ?column?:bool | ?column?:bool
{1,2,3} | {1,2,3} | {{1,2},{3,4}} | {} | 2 | NULL | 2 | 4 | [1:2][1:2] | 2 | {2} | {1,5} | t | t
SELECT 1

> select array[1,2] @> array[1], array[1,2] && array[2,3], array[1,2] = array[1,2], array[1,2] < array[1,3], array(select g from generate_series(1, 3) g), array_upper(array[1,2], 1), array_fill(0, array[2]), unnest(array[1,2]), trim_array(array[1,2,3], 1)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | array:_int4 | array_upper:int4 | array_fill:_int4 | unnest:int4 | trim_array:_int4
t | t | t | t | {1,2,3} | 2 | {0,0} | 1 | {1,2}
t | t | t | t | {1,2,3} | 2 | {0,0} | 2 | {1,2}
SELECT 2

> select '{1,x}'::int[]
ERROR 22P02: invalid input syntax for type integer: "x"

> select '{1,2'::int[]
ERROR 22P02: malformed array literal: "{1,2"
DETAIL: Unexpected end of input.

> select array[1, 'x']
ERROR 22P02: invalid input syntax for type integer: "x"

> select '{"a b", NULL, "null", "q\"x"}'::text[]
text:_text
{"a b",NULL,"null","q\"x"}
SELECT 1

> select ('{1,2,3,4}'::int[])[2:3], ('{1,2,3,4}'::int[])[:2], ('{1,2,3,4}'::int[])[3:], ('{{1,2},{3,4}}'::int[])[1:2][2:2], ('{1,2}'::int[])[5:6], ('{{1,2},{3,4}}'::int[])[2], ('{{1,2},{3,4}}'::int[])[2:2]
int4:_int4 | int4:_int4 | int4:_int4 | int4:_int4 | int4:_int4 | int4:int4 | int4:_int4
{2,3} | {1,2} | {3,4} | {{2},{4}} | {} | NULL | {{3,4}}
SELECT 1

> select '{"a": 1, "b": [1, {"c": null}]}'::json -> 'b' -> 1, '{"a": 1}'::jsonb ->> 'a', '[1,2]'::jsonb -> -1, '{"a":{"b":2}}'::jsonb #> '{a,b}', '{"b":1,"a":2,"b":3}'::jsonb, '{"a":1}'::jsonb @> '{"a":1}', '{"a":1}'::jsonb ? 'a', '{"a":1,"b":2}'::jsonb - 'a', '[1,2]'::jsonb || '3', '{"a":1}'::jsonb ?| array['x','a']
?column?:json | ?column?:text | ?column?:jsonb | ?column?:jsonb | jsonb:jsonb | ?column?:bool | ?column?:bool | ?column?:jsonb | ?column?:jsonb | ?column?:bool
{"c": null} | 1 | 2 | 2 | {"a": 2, "b": 3} | t | t | {"b": 2} | [1, 2, 3] | t
SELECT 1

> select jsonb_typeof('1'), jsonb_array_length('[1,2]'), jsonb_pretty('{"a":[1]}'), jsonb_strip_nulls('{"a":null}'), json_typeof('null'), jsonb_extract_path_text('{"a":"x"}', 'a'), to_json('a"b'::text), to_jsonb(1.50), jsonb_build_array(1, 'a', null), json_build_object('k', 1), json_object('{a,1,b,2}')
jsonb_typeof:text | jsonb_array_length:int4 | jsonb_pretty:text | jsonb_strip_nulls:jsonb | json_typeof:text | jsonb_extract_path_text:text | to_json:json | to_jsonb:jsonb | jsonb_build_array:jsonb | json_build_object:json | json_object:json
number | 2 | {\n    "a": [\n        1\n    ]\n} | {} | null | x | "a\"b" | 1.50 | [1, "a", null] | {"k" : 1} | {"a" : "1", "b" : "2"}
SELECT 1

> select * from jsonb_each('{"a":1,"b":"x"}')
key:text | value:jsonb
a | 1
b | "x"
SELECT 2

> select * from json_array_elements_text('["a", null, 3]')
value:text
a
NULL
3
SELECT 3

> select * from jsonb_object_keys('{"b":1,"a":2}')
jsonb_object_keys:text
a
b
SELECT 2

> select '1.0'::jsonb = '1'::jsonb, '1.50'::jsonb, '"\u00e9"'::jsonb, '[1, 2]'::json::text, '{"a":1}'::jsonb < '{"a":2}'::jsonb, 'null'::jsonb is null
?column?:bool | jsonb:jsonb | jsonb:jsonb | text:text | ?column?:bool | ?column?:bool
t | 1.50 | "é" | [1, 2] | t | f
SELECT 1

> select '{"a":}'::json
ERROR 22P02: invalid input syntax for type json
DETAIL: Expected JSON value, but found "}".

> select '{"a":1}'::json = '{"a":1}'::json
ERROR 42883: operator does not exist: json = json
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select gen_random_uuid() is not null, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid, '{a0eebc999c0b4ef8bb6d6bb9bd380a11}'::uuid
?column?:bool | uuid:uuid | uuid:uuid
t | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11
SELECT 1

> select pg_typeof(1 + 1.0), pg_typeof('a' || 'b'), pg_typeof(now() - now()), pg_typeof(array[1.5]), pg_typeof(current_date - 1), pg_typeof(1::int2 + 1::int8), pg_typeof(1.0::float4 * 2), pg_typeof(sum(1)), pg_typeof(avg(1)), pg_typeof(count(*)), pg_typeof('x'::varchar), pg_typeof(null::timestamptz)
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
numeric | text | interval | numeric[] | date | bigint | double precision | bigint | numeric | bigint | character varying | timestamp with time zone
SELECT 1

> select cast('5' as int) + 1, cast(row(1, 'a') as text), row(1, null, 'a b', ''), row(1, 2) = row(1, 2), row(1, null) is null, (1, 2) < (1, 3)
?column?:int4 | row:text | row:record | ?column?:bool | ?column?:bool | ?column?:bool
6 | (1,a) | (1,,"a b","") | t | f | t
SELECT 1

> select 1 = 1.0, 1 = '1', '1' = '1', 1 = 'a'
ERROR 22P02: invalid input syntax for type integer: "a"

> select 1 in (1, 2), 3 not in (1, null), null in (1), 'a' in ('a', 'b'), 1 in ('1', 2)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | NULL | NULL | t | t
SELECT 1

> select 1 < 2 and 2 < 3, not true, true or null, false and null, null and true, 1 = 1 is true
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | f | NULL | t
SELECT 1

> select true + 1
ERROR 42883: operator does not exist: boolean + integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select 'a' + 'b'
ERROR 42725: operator is not unique: unknown + unknown
HINT: Could not choose a best candidate operator. You might need to add explicit type casts.

> select -'a'
ERROR 42725: operator is not unique: - unknown
HINT: Could not choose a best candidate operator. You might need to add explicit type casts.

> select 1 + 'x'
ERROR 22P02: invalid input syntax for type integer: "x"

> select now() + 1
ERROR 42883: operator does not exist: timestamp with time zone + integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select date '2020-01-01' + 'x'
ERROR 42725: operator is not unique: date + unknown
HINT: Could not choose a best candidate operator. You might need to add explicit type casts.

> select upper(1)
ERROR 42883: function upper(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select length(1)
ERROR 42883: function length(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select substring(123, 1, 1)
ERROR 42883: function substring(integer, integer, integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select coalesce(1, 'x')
ERROR 22P02: invalid input syntax for type integer: "x"

> select case when 1 then 2 end
ERROR 42804: argument of CASE/WHEN must be type boolean, not type integer

> select case when true then 1 else 'x' end
ERROR 22P02: invalid input syntax for type integer: "x"

> select greatest(1, 'a')
ERROR 22P02: invalid input syntax for type integer: "a"

> select 1 as "A b", 2 as select, 3 c
A b:int4 | select:int4 | c:int4
1 | 2 | 3
SELECT 1

> select 1 from
ERROR 42601: syntax error at end of input

> select * from
ERROR 42601: syntax error at end of input

> select (1
ERROR 42601: syntax error at end of input

> select 1 1
ERROR 42601: syntax error at or near "1"

> selec 1
ERROR 42601: syntax error at or near "selec"

> select 'abc
ERROR 42601: unterminated quoted string at or near "'abc"

> select "abc
ERROR 42601: unterminated quoted identifier at or near ""abc"

> select 1; select 2
?column?:int4
1
SELECT 1
?column?:int4
2
SELECT 1

> select 1 where 1
ERROR 42804: argument of WHERE must be type boolean, not type integer

> select count(*, 1)
ERROR 42601: syntax error at or near ","

> select sum(*)
ERROR 42883: function sum() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select to_regclass('nosuch') is null, 'pg_class'::regclass, 'int4'::regtype, 'integer[]'::regtype, 1259::regclass, 23::regtype, 'now'::regproc, 0::regclass, 999999::regclass
?column?:bool | regclass:regclass | regtype:regtype | regtype:regtype | regclass:regclass | regtype:regtype | regproc:regproc | regclass:regclass | regclass:regclass
t | pg_class | integer | integer[] | pg_class | integer | now | - | 999999
SELECT 1

> select 'nosuch'::regclass
ERROR 42P01: relation "nosuch" does not exist

> select 'nosuch'::regtype
ERROR 42704: type "nosuch" does not exist

> select format_type(23, -1), format_type(1043, 14), format_type(1700, 655366), format_type(1007, null)
format_type:text | format_type:text | format_type:text | format_type:text
integer | character varying(10) | numeric(10,2) | integer[]
SELECT 1

