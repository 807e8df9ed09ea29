# Expressions without tables.
> select 1
?column?:int4
1
SELECT 1

> select 1 as a, 2 as b, 'x' as c
a:int4 | b:int4 | c:text
1 | 2 | x
SELECT 1

> select 1 + 2 * 3, (1 + 2) * 3, -5 % 3, 7 / 2, -7 / 2
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4
7 | 9 | -2 | 3 | -3
SELECT 1

> select 7.0 / 2, 1 / 3.0, 10.0 / 4, 2 ^ 10, |/ 16.0, @ -5
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:float8 | ?column?:float8 | ?column?:int4
3.5000000000000000 | 0.33333333333333333333 | 2.5000000000000000 | 1024 | 4 | 5
SELECT 1

> select 1 / 0
ERROR 22012: division by zero

> select 1.0 / 0
ERROR 22012: division by zero

> select 5 % 0
ERROR 22012: division by zero

> select 2147483647 + 1
ERROR 22003: integer out of range

> select 2147483648 + 1
?column?:int8
2147483649
SELECT 1

> select 9223372036854775807 + 1
ERROR 22003: bigint out of range

> select -9223372036854775808
?column?:int8
-9223372036854775808
SELECT 1

> select 32767::int2 + 1::int2
ERROR 22003: smallint out of range

> select 3::int2 * 4::int8, 1::int2 + 1::int4
?column?:int8 | ?column?:int4
12 | 2
SELECT 1

> select 1.5 + 1, 1.10 + 1.1, 1.50 * 2.00, 0.1 + 0.2
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric
2.5 | 2.20 | 3.0000 | 0.3
SELECT 1

> select 0.1::float8 + 0.2::float8, 1e10::float8, 1e-5::float8, 123456789012345678::float8
?column?:float8 | float8:float8 | float8:float8 | float8:float8
0.30000000000000004 | 10000000000 | 1e-05 | 1.2345678901234568e+17
SELECT 1

> select 'NaN'::float8, 'Infinity'::float8, '-Infinity'::float4, 1.0::float4 / 3
float8:float8 | float8:float8 | float4:float4 | ?column?:float8
NaN | Infinity | -Infinity | 0.3333333333333333
SELECT 1

> select 1 = 1, 1 <> 2, 1 < 2, 2 <= 2, 3 > 4, 3 >= 3, 1 != 1
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | f | t | f
SELECT 1

> select null = null, null is null, 1 is not null, null <> 1
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
NULL | t | t | NULL
SELECT 1

> select true and false, true or null, false and null, not true, null and true
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
f | t | f | f | NULL
SELECT 1

> select true is true, null is unknown, false is not true, null is not false
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t
SELECT 1

> select 1 between 0 and 2, 5 not between 1 and 3, 2 between symmetric 3 and 1
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select 1 in (1, 2, 3), 4 in (1, 2), 4 not in (1, null), 1 in (null, 1)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | NULL | t
SELECT 1

> select 'abc' || 'def', 'a' || 1, 1 || 'a', null || 'a'
?column?:text | ?column?:text | ?column?:text | ?column?:text
abcdef | a1 | 1a | NULL
SELECT 1

> select 'abc' like 'a%', 'abc' like '_b_', 'abc' not like 'b%', 'a%c' like 'a\%c', 'ABC' ilike 'abc'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | t
SELECT 1

> select 'abc' ~ 'b', 'abc' ~ '^b', 'ABC' ~* 'abc', 'abc' !~ 'x'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> select 'abc' similar to 'a(b|c)*', 'abc' similar to 'x%'
?column?:bool | ?column?:bool
t | f
SELECT 1

> select case when 1 = 1 then 'one' else 'other' end
case:text
one
SELECT 1

> select case 2 when 1 then 'a' when 2 then 'b' end, case 3 when 1 then 'a' end
case:text | case:text
b | NULL
SELECT 1

> select coalesce(null, 1, 2), coalesce(null, null), nullif(1, 1), nullif(1, 2)
coalesce:int4 | coalesce:text | nullif:int4 | nullif:int4
1 | NULL | NULL | 1
SELECT 1

> select greatest(1, 5, 3), least(1, null, 3), greatest(null, null)
greatest:int4 | least:int4 | greatest:text
5 | 1 | NULL
SELECT 1

> select cast('42' as int), '42'::int + 1, int '7', 42::text, 3.7::int, 2.5::int, 3.5::int, -2.5::int
int4:int4 | ?column?:int4 | int4:int4 | text:text | int4:int4 | int4:int4 | int4:int4 | ?column?:int4
42 | 43 | 7 | 42 | 4 | 3 | 4 | -3
SELECT 1

> select 'abc'::int
ERROR 22P02: invalid input syntax for type integer: "abc"

> select '99999999999'::int
ERROR 22003: value "99999999999" is out of range for type integer

> select ''::int
ERROR 22P02: invalid input syntax for type integer: ""

> select '1.5'::int
ERROR 22P02: invalid input syntax for type integer: "1.5"

> select ' 12 '::int, '1e3'::float8, '1e3'::numeric
int4:int4 | float8:float8 | numeric:numeric
12 | 1000 | 1000
SELECT 1

> select 'true'::bool, 'no'::bool, 'on'::bool, '0'::bool
bool:bool | bool:bool | bool:bool | bool:bool
t | f | t | f
SELECT 1

> select 'maybe'::bool
ERROR 22P02: invalid input syntax for type boolean: "maybe"

> select 1::bool, 0::bool, true::int, 5::bool
bool:bool | bool:bool | int4:int4 | bool:bool
t | f | 1 | t
SELECT 1

> select 'abc'::varchar(2), 'abc'::char(5), 'abc'::char(2), length('abc'::char(5))
varchar:varchar | bpchar:bpchar | bpchar:bpchar | length:int4
ab | abc   | ab | 3
SELECT 1

> select 123.456::numeric(5,2), 123.456::numeric(6,1)
numeric:numeric | numeric:numeric
123.46 | 123.5
SELECT 1

> select 12345.678::numeric(5,2)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 5, scale 2 must round to an absolute value less than 10^3.

> select 'abc' = 'abc ', 'abc'::char(5) = 'abc'
?column?:bool | ?column?:bool
f | t
SELECT 1

> select array[1,2,3], array['a','b'], array[]::int[], array[[1,2],[3,4]]
array:_int4 | array:_text | array:_int4 | array:_int4
{1,2,3} | {a,b} | {} | {{1,2},{3,4}}
SELECT 1

> select (array[10,20,30])[2], (array[1,2])[5]
array:int4 | array:int4
20 | NULL
SELECT 1

> select '{1,2,null}'::int[], '{a,"b c",null}'::text[]
int4:_int4 | text:_text
{1,2,NULL} | {a,"b c",NULL}
SELECT 1

> select 1 = any(array[1,2]), 3 = all(array[3,3]), 1 = any('{2,3}')
?column?:bool | ?column?:bool | ?column?:bool
t | t | f
SELECT 1

> select row(1,2), row(1,'a') = row(1,'a'), (1,2) < (1,3), (1,null) = (1,null)
row:record | ?column?:bool | ?column?:bool | ?column?:bool
(1,2) | t | t | NULL
SELECT 1

> select (1, 2) in ((1, 2), (3, 4))
?column?:bool
t
SELECT 1

> select exists(select 1), not exists(select 1 where false)
exists:bool | ?column?:bool
t | t
SELECT 1

> select (select 5), (select 1 where false)
?column?:int4 | ?column?:int4
5 | NULL
SELECT 1

> select (select 1 union all select 2)
?column?:int4
ERROR 21000: more than one row returned by a subquery used as an expression

> select 1 where true
?column?:int4
1
SELECT 1

> select 1 where null
?column?:int4
SELECT 0

> select 1 limit 0
?column?:int4
SELECT 0

> select * from (values (1, 'a'), (2, 'b')) as t(x, y)
x:int4 | y:text
1 | a
2 | b
SELECT 2

> values (1, 2), (3, 4)
column1:int4 | column2:int4
1 | 2
3 | 4
SELECT 2

> select x from generate_series(1, 5) as x
x:int4
1
2
3
4
5
SELECT 5

> select x, y from generate_series(1, 2) x, generate_series(1, 2) y order by 1, 2
x:int4 | y:int4
1 | 1
1 | 2
2 | 1
2 | 2
SELECT 4

> select generate_series(1, 3)
generate_series:int4
1
2
3
SELECT 3

> select * from generate_series(10, 1, -3)
generate_series:int4
10
7
4
1
SELECT 4

> select count(*) from generate_series(1, 1000)
count:int8
1000
SELECT 1

> select 'a''b', E'a\nb', E'tab\t', U&'\0041', $$dollar$$, $x$do$$llar$x$
?column?:text | ?column?:text | ?column?:text | ?column?:text | ?column?:text | ?column?:text
a'b | a\nb | tab	 | A | dollar | do$$llar
SELECT 1

> select 1 as "Quoted Name", 2 as "select"
Quoted Name:int4 | select:int4
1 | 2
SELECT 1

> select current_schema(), current_database() is not null, current_user
current_schema:name | ?column?:bool | current_user:name
public | t | postgres
SELECT 1

> select 'unknown literal'
?column?:text
unknown literal
SELECT 1

> select null
?column?:text
NULL
SELECT 1

> select 1::int8, 1::int2, 1.0::float4, 1.0::float8, '1'::numeric, 'a'::text, 'a'::varchar, 'a'::bpchar, true, '1'::oid
int8:int8 | int2:int2 | float4:float4 | float8:float8 | numeric:numeric | text:text | varchar:varchar | bpchar:bpchar | ?column?:bool | oid:oid
1 | 1 | 1 | 1 | 1 | a | a | a | t | 1
SELECT 1

> select pg_typeof(1), pg_typeof(1.0), pg_typeof('a'), pg_typeof(null), pg_typeof(1::int8 + 1), pg_typeof(array[1])
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
integer | numeric | unknown | unknown | bigint | integer[]
SELECT 1

> select foo
ERROR 42703: column "foo" does not exist

> select * from nosuch
ERROR 42P01: relation "nosuch" does not exist

> select nosuch(1)
ERROR 42883: function nosuch(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select 1 + 'a'
ERROR 22P02: invalid input syntax for type integer: "a"

> select 'a' + 'b'
ERROR 42725: operator is not unique: unknown + unknown
HINT: Could not choose a best candidate operator. You might need to add explicit type casts.

> select 1 + true
ERROR 42883: operator does not exist: integer + boolean
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select abs('x')
ERROR 22P02: invalid input syntax for type double precision: "x"

> select * from
ERROR 42601: syntax error at end of input

> selec 1
ERROR 42601: syntax error at or near "selec"

> select 1 from (select 1)
ERROR 42601: subquery in FROM must have an alias
HINT: For example, FROM (SELECT ...) [AS] foo.

> select 1,
ERROR 42601: syntax error at end of input

> select (1
ERROR 42601: syntax error at end of input

> select 'abc
ERROR 42601: unterminated quoted string at or near "'abc"

> select "abc
ERROR 42601: unterminated quoted identifier at or near ""abc"

> select 1;;
?column?:int4
1
SELECT 1

