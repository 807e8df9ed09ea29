# Precedence, NULLs, coercions and errors in expressions; statements in their odd forms.
> select -2 ^ 2, - 2 ^ 2 ^ 1, 2 ^ -1, -(2 ^ 2), +3 ^ 2, 2 * -3 ^ 2
?column?:float8 | ?column?:float8 | ?column?:float8 | ?column?:float8 | ?column?:float8 | ?column?:float8
4 | 4 | 0.5 | -4 | 9 | 18
SELECT 1

> select @ -5 + 2, ~ 5 + 1, ~1 & 3, |/ 25 + 11, @ -2 * 3, ~ 5 * 2, 1 + ~ 2 - 3
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:float8 | ?column?:int4 | ?column?:int4 | ?column?:int4
3 | -7 | 2 | 6 | 6 | -11 | 1
SELECT 1

> select 1 + 2 || 'x', 'a' || 1 + 2, 'a' || 'b' like 'a%', 1 < 2 = true, not 1 = 2, not true = false
ERROR 42601: syntax error at or near "="

> select 2 + 3 * 4 - 5 / 2 % 2, 7 - 3 - 2, 100 / 10 / 2, 2 ^ 3 * 2, 5 & 3 + 1, 1 << 2 + 1, 1 | 2 << 1
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:float8 | ?column?:int4 | ?column?:int4 | ?column?:int4
14 | 2 | 5 | 16 | 4 | 8 | 6
SELECT 1

> select 1 between 0 and 2 and true, 1 in (1) = true, 5 > 3 and not 2 > 3 or false
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select null is null and null is not distinct from null, null = 1 or true, (null and false) is null, null in (1, null), 1 not in (2, null)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | f | NULL | NULL
SELECT 1

> select 1 = any(null::int[]), 1 = any('{}'), 1 = all('{}'), null = any('{1}'), 1 = any('{2,null}'), 1 <> all('{2,null}')
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
NULL | f | t | NULL | NULL | NULL
SELECT 1

> select case null when null then 'eq' else 'ne' end, nullif(null, 1), nullif(1, null), coalesce(null, null) is null
case:text | nullif:int4 | nullif:int4 | ?column?:bool
ne | NULL | 1 | t
SELECT 1

> select true > false, 'b' > 'a', array[1,2] > array[1], row(1,2) > row(1,1), (1,null) = (1,null), (1,null) = (2,null)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | NULL | f
SELECT 1

> select '10' > '9', 10 > '9', '10'::text > '9', 'a' = 'a ', 'a'::char(3) = 'a '::char(3)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
f | t | f | f | t
SELECT 1

> select 1::int2 + 1::int2, 32767::int2 * 1, 2147483647 + 1::int8, 1.0 + 1, 1::float4 + 1::float8, 1::float4 + 1, 1.5::numeric + 1::float8
?column?:int2 | ?column?:int4 | ?column?:int8 | ?column?:numeric | ?column?:float8 | ?column?:float8 | ?column?:float8
2 | 32767 | 2147483648 | 2.0 | 2 | 2 | 2.5
SELECT 1

> select 2147483647::int4 + 1::int2
ERROR 22003: integer out of range

> select (-32768)::int2 / (-1)::int2
ERROR 22003: smallint out of range

> select abs((-9223372036854775808)::int8)
ERROR 22003: bigint out of range

> select -(-2147483648)::int4
ERROR 22003: integer out of range

> select 9223372036854775808, -9223372036854775808, 0.0, 00012, 1_000
ERROR 42601: trailing junk after numeric literal at or near "1_000"

> select 5 / 2, 5 / 2.0, 5.0 / 2, 5 / 2::numeric, mod(5.5, 2), 5.5 % 2, -5.5 % 2, 0.1 + 0.2, 0.1::float8 + 0.2::float8
?column?:int4 | ?column?:numeric | ?column?:numeric | ?column?:numeric | mod:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:float8
2 | 2.5000000000000000 | 2.5000000000000000 | 2.5000000000000000 | 1.5 | 1.5 | -1.5 | 0.3 | 0.30000000000000004
SELECT 1

> select 1e2, 1.e2, 1e-2, .1e1, 1E+3
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric
100 | 100 | 0.01 | 1 | 1000
SELECT 1

> select date '2020-01-01' = '2020-01-01', date '2020-01-01' < timestamp '2020-01-01 01:00', interval '1 day' > '23:00', time '10:00' = '10:00'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t
SELECT 1

> select '2020-01-01'::date::timestamp::timestamptz::date, '10:00'::time::interval, now()::date = current_date
date:date | interval:interval | ?column?:bool
2020-01-01 | 10:00:00 | t
SELECT 1

> select 'abc'::varchar(2), cast('abc' as char(2)), 'abc'::char, 'abc'::name, cast(123.456 as numeric(5)), cast('1' as bit varying) is not null
varchar:varchar | bpchar:bpchar | bpchar:bpchar | name:name | numeric:numeric | ?column?:bool
ab | ab | a | abc | 123 | t
SELECT 1

> select 1::text || 2::text, (1 || '')::int + 1, '5'::int * '3', '5' * 3
?column?:text | ?column?:int4 | ?column?:int4 | ?column?:int4
12 | 2 | 15 | 15
SELECT 1

> select 'a' in ('a', null), not null, null || null is null, - null::int
?column?:bool | ?column?:bool | ?column?:bool | ?column?:int4
t | NULL | t | NULL
SELECT 1

> select x from (values (1), (null), (3)) v(x) where x <> 1
x:int4
3
SELECT 1

> select x, x is null, x is not null, x = null from (values (1), (null)) v(x)
x:int4 | ?column?:bool | ?column?:bool | ?column?:bool
1 | f | t | NULL
NULL | t | f | NULL
SELECT 2

> select sum(x), count(x), count(*), avg(x), min(x), max(x) from (values (1), (null), (3)) v(x)
sum:int8 | count:int8 | count:int8 | avg:numeric | min:int4 | max:int4
4 | 2 | 3 | 2.0000000000000000 | 1 | 3
SELECT 1

> select sum(x), avg(x), array_agg(x), string_agg(x::text, ','), json_agg(x) from (values (1)) v(x) where x > 5
sum:int8 | avg:numeric | array_agg:_int4 | string_agg:text | json_agg:json
NULL | NULL | NULL | NULL | NULL
SELECT 1

> select sum(x::int2), sum(x::int4), sum(x::int8), sum(x::float4), sum(x::float8), sum(x::numeric), avg(x::int2), avg(x::float8) from (values (1), (2)) v(x)
sum:int8 | sum:int8 | sum:numeric | sum:float4 | sum:float8 | sum:numeric | avg:numeric | avg:float8
3 | 3 | 3 | 3 | 3 | 3 | 1.5000000000000000 | 1.5
SELECT 1

> select sum(interval '1 day' * x), avg(interval '1 hour' * x), max(interval '1 day' * x) from generate_series(1, 4) x
sum:interval | avg:interval | max:interval
10 days | 02:30:00 | 4 days
SELECT 1

> select min(d), max(d) from (values (date '2020-01-01'), (date '2019-01-01')) v(d)
min:date | max:date
2019-01-01 | 2020-01-01
SELECT 1

> select min(x), max(x) from (values ('b'), ('a'), (null)) v(x)
min:text | max:text
a | b
SELECT 1

> select max(array[x, 1]) from generate_series(1, 3) x
max:_int4
{3,1}
SELECT 1

> select count(distinct x), sum(distinct x), array_agg(distinct x order by x desc) from (values (1), (1), (2)) v(x)
count:int8 | sum:int8 | array_agg:_int4
2 | 3 | {2,1}
SELECT 1

> select string_agg(distinct x, '-' order by x) from (values ('b'), ('a'), ('b')) v(x)
string_agg:text
a-b
SELECT 1

> select string_agg(x, ',' order by y) from (values ('b', 2), ('a', 1)) v(x, y)
string_agg:text
a,b
SELECT 1

> select jsonb_object_agg(k, v) from (values ('a', 1), ('b', 2)) t(k, v)
jsonb_object_agg:jsonb
{"a": 1, "b": 2}
SELECT 1

> select percentile_cont(0.5) within group (order by x) from generate_series(1, 4) x
percentile_cont:float8
2.5
SELECT 1

> select mode() within group (order by x) from (values (1), (1), (2)) v(x)
mode:int4
1
SELECT 1

> select x % 2 as odd, count(*) from generate_series(1, 5) x group by odd order by odd
odd:int4 | count:int8
0 | 2
1 | 3
SELECT 2

> select x % 2 as odd, count(*) from generate_series(1, 5) x group by 1 having count(*) > 2
odd:int4 | count:int8
1 | 3
SELECT 1

> select x from generate_series(1, 5) x order by x % 2, x desc
x:int4
4
2
5
3
1
SELECT 5

> select x from generate_series(1, 5) x order by -x limit 2
x:int4
5
4
SELECT 2

> select x as y from generate_series(1, 3) x order by y + 1
ERROR 42703: column "y" does not exist

> select x, count(*) over () from generate_series(1, 2) x
x:int4 | count:int8
1 | 2
2 | 2
SELECT 2

> select 1 as x order by x, 1
x:int4
1
SELECT 1

> select 1 union all select 2 order by 2
ERROR 42P10: ORDER BY position 2 is not in select list

> select 1 as a union all select 2 order by b
ERROR 42703: column "b" does not exist

> select 1 limit 0
?column?:int4
SELECT 0

> select 1 offset 1
?column?:int4
SELECT 0

> select 1 limit null offset null
?column?:int4
1
SELECT 1

> select 1 limit 1.5
?column?:int4
1
SELECT 1

> select * from (select 1 as a, 2 as a) x
a:int4 | a:int4
1 | 2
SELECT 1

> select a from (select 1 as a, 2 as a) x
ERROR 42702: column reference "a" is ambiguous

> select x.* from (select 1 as a, 2 as b) as x (c)
c:int4 | b:int4
1 | 2
SELECT 1

> select x.c, x.b from (select 1 as a, 2 as b) as x (c)
c:int4 | b:int4
1 | 2
SELECT 1

> select * from (values (1, 2), (3)) v
ERROR 42601: VALUES lists must all be the same length

> select * from (select 1)
ERROR 42601: subquery in FROM must have an alias
HINT: For example, FROM (SELECT ...) [AS] foo.

> select (select 1 where false) is null, (select 1, 2)
ERROR 42601: subquery must return only one column

> select (select 1 union select 2)
?column?:int4
ERROR 21000: more than one row returned by a subquery used as an expression

> select exists (select), exists (select 1 where false)
exists:bool | exists:bool
t | f
SELECT 1

> select 1 where exists (select 1 from (values (1)) v(x) where x = 2)
?column?:int4
SELECT 0

> select array(select 1 where false), array(select x from (values (2), (1)) v(x) order by x)
array:_int4 | array:_int4
{} | {1,2}
SELECT 1

> select * from (values (1), (2)) a(x) join (values (2), (3)) b(y) on x = y
x:int4 | y:int4
2 | 2
SELECT 1

> select * from (values (1), (2)) a(x) left join (values (2), (3)) b(y) on x = y and y > 5 order by 1
x:int4 | y:int4
1 | NULL
2 | NULL
SELECT 2

> select * from (values (1), (2)) a(x) full join (values (2), (3)) b(y) on x = y order by 1, 2
x:int4 | y:int4
1 | NULL
2 | 2
NULL | 3
SELECT 3

> select * from (values (1), (null)) a(x) full join (values (null::int), (1)) b(y) on x = y order by 1, 2
x:int4 | y:int4
1 | 1
NULL | NULL
NULL | NULL
SELECT 3

> select * from (values (1), (2)) a(x) cross join (values ('a'), ('b')) b(y) order by 1, 2
x:int4 | y:text
1 | a
1 | b
2 | a
2 | b
SELECT 4

> select * from (values (1, 'a')) t(id, v) join (values (1, 'b')) s(id, w) using (id)
id:int4 | v:text | w:text
1 | a | b
SELECT 1

> select * from (values (1, 'a')) t(id, v) natural join (values (1, 'b')) s(id, v)
id:int4 | v:text
SELECT 0

> select t.id, s.id, id from (values (1)) t(id) left join (values (2)) s(id) using (id)
id:int4 | id:int4 | id:int4
1 | NULL | 1
SELECT 1

> select id from (values (1)) t(id) full join (values (2)) s(id) using (id) order by 1
id:int4
1
2
SELECT 2

> select * from (values (1)) t(a) join (values (1)) s(b) using (a)
ERROR 42703: column "a" specified in USING clause does not exist in right table

> select * from (values (1)) t(a), (values (1)) t(b)
ERROR 42712: table name "t" specified more than once

> select t.x from (values (1)) t(a)
ERROR 42703: column t.x does not exist

> select a.b.c from (values (1)) t(a)
ERROR 42P01: missing FROM-clause entry for table "b"

> select count(*) from (values (1)) t(a) where a in (select a)
count:int8
1
SELECT 1

> select x, (select sum(y) from (values (1), (2), (3)) t(y) where y <= x) from (values (1), (2)) v(x) order by x
x:int4 | sum:int8
1 | 1
2 | 3
SELECT 2

> select x from (values (1), (2), (3)) v(x) where x > all (select y from (values (1), (2)) t(y))
x:int4
3
SELECT 1

> select x from (values (1), (2), (null)) v(x) where x not in (select y from (values (1), (null)) t(y))
x:int4
SELECT 0

> select x from (values (1), (2), (null)) v(x) where not exists (select 1 from (values (1), (null)) t(y) where x = y) order by x
x:int4
2
NULL
SELECT 2

> select x from (values (1), (2)) v(x) where (x, 'a') in (values (1, 'a'), (3, 'b'))
x:int4
1
SELECT 1

> select distinct x, y from (values (1, null), (1, null), (null, 1)) v(x, y) order by 1, 2
x:int4 | y:int4
1 | NULL
NULL | 1
SELECT 2

> select x from (values (1), (null), (null)) v(x) union select null order by 1
x:int4
1
NULL
SELECT 2

> select x from (values (1), (1), (2)) v(x) intersect all select x from (values (1), (1)) v(x)
x:int4
1
1
SELECT 2

> select x from (values (1), (1), (2)) v(x) except all select 1
x:int4
1
2
SELECT 2

> select 1 intersect select 2 union select 3
?column?:int4
3
SELECT 1

> select 1 union (select 2 except select 2) order by 1
?column?:int4
1
SELECT 1

> with a as (select 1), b as (select 2) table a union table b order by 1
?column?:int4
1
2
SELECT 2

> with a(x) as (select 1, 2) select * from a
x:int4 | ?column?:int4
1 | 2
SELECT 1

> with a(x, y, z) as (select 1, 2) select * from a
ERROR 42P10: WITH query "a" has 2 columns available but 3 columns specified

> with a as (select 1), a as (select 2) select * from a
ERROR 42712: WITH query name "a" specified more than once

> with recursive t as (select 1 as x union select x from t) select * from t
x:int4
1
SELECT 1

> with recursive t(x) as (select 1 union all select x + 1 from t where x < 3) select * from t union all select 10 order by 1
x:int4
1
2
3
10
SELECT 4

> with recursive t(x) as (select x from t) select * from t
ERROR 42P19: recursive query "t" does not have the form non-recursive-term UNION [ALL] recursive-term

> select * from generate_series(1, 3) with ordinality as t(a, b) where b > 1
a:int4 | b:int8
2 | 2
3 | 3
SELECT 2

> select generate_series(1, 2) + 1, 'a'
?column?:int4 | ?column?:text
2 | a
3 | a
SELECT 2

> select x.y from generate_series(1, 2) as x(y)
y:int4
1
2
SELECT 2

> select x from generate_series(1, 2) as x
x:int4
1
2
SELECT 2

> select * from generate_series(1, 2) as x, unnest(array['a', 'b']) y order by 1, 2
x:int4 | y:text
1 | a
1 | b
2 | a
2 | b
SELECT 4

> select * from unnest(array[1, 2], array['x']) with ordinality as t(a, b, c)
a:int4 | b:text | c:int8
1 | x | 1
2 | NULL | 2
SELECT 2

> select * from rows from (generate_series(1, 2), generate_series(1, 3)) as t(a, b)
a:int4 | b:int4
1 | 1
2 | 2
NULL | 3
SELECT 3

> select unnest(array[1, 2]), unnest(array['a', 'b', 'c'])
unnest:int4 | unnest:text
1 | a
2 | b
NULL | c
SELECT 3

> select * from json_to_recordset('[{"a":1,"b":"x"},{"a":2}]') as t(a int, b text)
a:int4 | b:text
1 | x
2 | NULL
SELECT 2

> select * from jsonb_to_record('{"a":1,"b":[1]}') as t(a int, b jsonb)
a:int4 | b:jsonb
1 | [1]
SELECT 1

> select * from pg_input_is_valid('1', 'int4')
ERROR 42883: function pg_input_is_valid(unknown, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from now() n where n is null
n:timestamptz
SELECT 0

> select current_date = now()::date, localtimestamp(0) is not null, current_time is not null
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select user = current_user, session_user is not null, current_catalog = current_database()
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select position('b' in 'abc') + 1, extract(year from date '2020-01-01') + 1, overlay('abc' placing 'x' from 2)
?column?:int4 | ?column?:numeric | overlay:text
3 | 2021 | axc
SELECT 1

> select trim(both from '  a '), trim(from ' b '), trim('x' from 'xax'), trim(trailing 'x' from 'xax'), substring('abc' for 2), substring('abcdef' similar 'a#"%#"f' escape '#')
btrim:text | btrim:text | btrim:text | rtrim:text | substring:text | substring:text
a | b | a | xa | ab | bcde
SELECT 1

> select (date '2020-01-01', interval '1 day') overlaps (date '2020-01-01', interval '1 hour'), 3 not between symmetric 5 and 1
overlaps:bool | ?column?:bool
t | f
SELECT 1

> select collation for ('a'), 'a' collate "C" < 'b', 'a' < 'B' collate "default"
pg_collation_for:text | ?column?:bool | ?column?:bool
NULL | t | f
SELECT 1

> select 'a' collate "nosuch"
ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist

> select interval '1' year, interval '1-2' year to month, interval '1 2:03' day to minute, interval(0) '1.6 seconds'
interval:interval | interval:interval | interval:interval | interval:interval
1 year | 1 year 2 mons | 1 day 02:03:00 | 00:00:02
SELECT 1

> select 'x'::text::int
ERROR 22P02: invalid input syntax for type integer: "x"

> select cast('x' as nosuch)
ERROR 42704: type "nosuch" does not exist

> select 1::numeric(0)
ERROR 22023: NUMERIC precision 0 must be between 1 and 1000

> select 1::varchar(0)
ERROR 22023: length for type varchar must be at least 1

> select 'a'::varchar(-1)
ERROR 42601: syntax error at or near "-"

> select substring('abc' from 0 for 2), substring('abc', 2, 100), left('abc', 0), repeat('a', -1) = ''
substring:text | substring:text | left:text | ?column?:bool
a | bc |  | t
SELECT 1

> select round(1234.5678, 2), round(1234.5678, -2), trunc(1234.5678, 1), round(1e20), round(0.5), round(1.5), round(-0.5), round(0.5::float8), round(1.5::float8)
round:numeric | round:numeric | trunc:numeric | round:numeric | round:numeric | round:numeric | round:numeric | round:float8 | round:float8
1234.57 | 1200 | 1234.5 | 100000000000000000000 | 1 | 2 | -1 | 0 | 2
SELECT 1

> select power(0, 0), power(2, 0.5), 0 ^ 0, sqrt(0), exp(0), ln(1), log(10), sign(0)
power:float8 | power:numeric | ?column?:float8 | sqrt:float8 | exp:float8 | ln:float8 | log:float8 | sign:float8
1 | 1.4142135623730950 | 1 | 0 | 1 | 0 | 1 | 0
SELECT 1

> select log(0)
ERROR 2201E: cannot take logarithm of zero

> select ln(-1)
ERROR 2201E: cannot take logarithm of a negative number

> select power(-8, 1.0/3)
ERROR 2201F: a negative number raised to a non-integer power yields a complex result

> select exp(1000)
ERROR 22003: value out of range: overflow

> select exp(1000.0)
exp:numeric
197007111401704699388887935224332312531693798532384578995280299138506385078244119347497807656302688993096381798752022693598298173054461289923262783660152825232320535169584566756192271567602788071422466826314006855168508653497941660316045367817938092905299728580132869945856470286534375900456564355589156220422320260518826112288638358372248724725214506150418881937494100871264232248436315760560377439930623959705844189509050047074217568.2
SELECT 1

> select factorial(-1)
ERROR 22003: factorial of a negative number is undefined

> select chr(0)
ERROR 54000: null character not permitted

> select repeat('x', 2000000000)
ERROR 54000: requested length too large

> select lpad('x', 2000000000)
ERROR 54000: requested length too large

> select array_fill(1, array[1000000000])
ERROR 54000: array size exceeds the maximum allowed (134217727)

> select generate_series(1, 10, 0)
generate_series:int4
ERROR 22023: step size cannot equal zero

> select to_char(1, 'nosuch'), to_char(date '2020-01-01', '"lit" YYYY')
to_char:text | to_char:text
nouh | lit 2020
SELECT 1

> select regexp_replace('a', '(', 'b')
ERROR 2201B: invalid regular expression: parentheses () not balanced

> select 'a' ~ '['
ERROR 2201B: invalid regular expression: brackets [] not balanced

> select jsonb_set('{}', '{a}', 'null'), jsonb_path_query('{"a":[1,2]}', '$.a[*]')
jsonb_set:jsonb | jsonb_path_query:jsonb
{"a": null} | 1
{"a": null} | 2
SELECT 2


# NULLIF has the type of its operator's left side.
> select pg_typeof(nullif('a'::varchar(3), 'b')), pg_typeof(nullif(1, 2.5)), pg_typeof(nullif(1::int2, 2::int8)), pg_typeof(nullif(1::float4, 2::float8)), pg_typeof(nullif(null, 1)), pg_typeof(nullif(date '2020-01-01', timestamp '2020-01-01')), pg_typeof(nullif('a'::varchar, 'b'::text)), pg_typeof(nullif(1.5, 2::float8))
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
text | numeric | smallint | real | integer | date | text | double precision
SELECT 1

