# Numeric types and functions.
> select abs(-5), abs(-5.5), abs(-5::float8), ceil(1.2), floor(-1.2), ceiling(1.5::float8)
abs:int4 | abs:numeric | abs:float8 | ceil:numeric | floor:numeric | ceiling:float8
5 | 5.5 | 5 | 2 | -2 | 2
SELECT 1

> select round(1.5), round(2.5), round(-1.5), round(1.234, 2), round(1234, -2), round(2.5::float8), round(3.5::float8)
round:numeric | round:numeric | round:numeric | round:numeric | round:numeric | round:float8 | round:float8
2 | 3 | -2 | 1.23 | 1200 | 2 | 4
SELECT 1

> select trunc(1.99), trunc(-1.99), trunc(1.987, 2), trunc(1987, -2)
trunc:numeric | trunc:numeric | trunc:numeric | trunc:numeric
1 | -1 | 1.98 | 1900
SELECT 1

> select mod(7, 3), mod(-7, 3), mod(7.5, 2), 7.5 % 2, div(7, 2), div(-7.5, 2)
mod:int4 | mod:int4 | mod:numeric | ?column?:numeric | div:numeric | div:numeric
1 | -1 | 1.5 | 1.5 | 3 | -3
SELECT 1

> select power(2, 3), power(2.0, 0.5), power(2::float8, -1), 2 ^ 0.5, sqrt(2), sqrt(2.0), cbrt(27.0)
power:float8 | power:numeric | power:float8 | ?column?:numeric | sqrt:float8 | sqrt:numeric | cbrt:float8
8 | 1.4142135623730950 | 0.5 | 1.4142135623730950 | 1.4142135623730951 | 1.414213562373095 | 3.0000000000000004
SELECT 1

> select exp(1), exp(1.0), ln(10), ln(2.0), log(100), log(2, 8), log10(1000)
exp:float8 | exp:numeric | ln:float8 | ln:numeric | log:float8 | log:numeric | log10:float8
2.718281828459045 | 2.7182818284590452 | 2.302585092994046 | 0.6931471805599453 | 2 | 3.0000000000000000 | 3
SELECT 1

> select sqrt(-1)
ERROR 2201F: cannot take square root of a negative number

> select ln(0)
ERROR 2201E: cannot take logarithm of zero

> select power(0, -1)
ERROR 2201F: zero raised to a negative power is undefined

> select pi(), degrees(pi()), radians(180), sin(0), cos(0), tan(0), atan2(1, 1)
pi:float8 | degrees:float8 | radians:float8 | sin:float8 | cos:float8 | tan:float8 | atan2:float8
3.141592653589793 | 180 | 3.141592653589793 | 0 | 1 | 0 | 0.7853981633974483
SELECT 1

> select sign(-5), sign(0), sign(5.5), gcd(12, 18), lcm(4, 6), factorial(5)
sign:float8 | sign:float8 | sign:numeric | gcd:int4 | lcm:int4 | factorial:numeric
-1 | 0 | 1 | 6 | 12 | 120
SELECT 1

> select width_bucket(5, 0, 10, 5), width_bucket(15, 0, 10, 5)
width_bucket:int4 | width_bucket:int4
3 | 6
SELECT 1

> select 1.0, 1.00, 1.000000, 1e5, 1e-5, .5, 5.
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric
1.0 | 1.00 | 1.000000 | 100000 | 0.00001 | 0.5 | 5
SELECT 1

> select 123456789.123456789 * 987654321.987654321
?column?:numeric
121932631356500531.347203169112635269
SELECT 1

> select 1.0 / 3, 2.0 / 3, 10 / 3.0, 1 / 7.0, 100.0 / 3, 1e10 / 3, 1e-10 / 3
?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric | ?column?:numeric
0.33333333333333333333 | 0.66666666666666666667 | 3.3333333333333333 | 0.14285714285714285714 | 33.3333333333333333 | 3333333333.33333333 | 0.0000000000333333333333333333
SELECT 1

> select 1.10 = 1.1, 1.10 > 1.1, 'NaN'::numeric = 'NaN'::numeric, 'NaN'::numeric > 1e100
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
SELECT 1

> select 'Infinity'::numeric, '-Infinity'::numeric + 1, 'Infinity'::numeric - 'Infinity'::numeric
numeric:numeric | ?column?:numeric | ?column?:numeric
Infinity | -Infinity | NaN
SELECT 1

> select 1.5::int, 2.5::int, -1.5::int, 1.5::float8::int, 2.5::float8::int, 1e10::float8::int8
int4:int4 | int4:int4 | ?column?:int4 | int4:int4 | int4:int4 | int8:int8
2 | 3 | -2 | 2 | 2 | 10000000000
SELECT 1

> select 1e20::int8
ERROR 22003: bigint out of range

> select 3000000000::int
ERROR 22003: integer out of range

> select 70000::int2
ERROR 22003: smallint out of range

> select 1::float4 / 3, 1::float8 / 3, 0.1::float4, 0.1::float4::float8, 16777217::float4
?column?:float8 | ?column?:float8 | float4:float4 | float8:float8 | float4:float4
0.3333333333333333 | 0.3333333333333333 | 0.1 | 0.10000000149011612 | 1.6777216e+07
SELECT 1

> select 1e308::float8 * 10
ERROR 22003: value out of range: overflow

> select 1e-320::float8 / 1e10
ERROR 22003: value out of range: underflow

> select '1e400'::float8
ERROR 22003: "1e400" is out of range for type double precision

> select -1::int2, - -1, +1, -(-5)
?column?:int2 | ?column?:int4 | ?column?:int4 | ?column?:int4
-1 | 1 | 1 | 5
SELECT 1

> select 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 256 >> 2
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4
1 | 7 | 6 | -6 | 16 | 64
SELECT 1

> select 10::numeric(4,1), 1234.56::numeric(6), 0.005::numeric(3,2), -0.005::numeric(3,2)
numeric:numeric | numeric:numeric | numeric:numeric | ?column?:numeric
10.0 | 1235 | 0.01 | -0.01
SELECT 1

> select 99999.5::numeric(5,0)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 5, scale 0 must round to an absolute value less than 10^5.

> select scale(1.230), min_scale(1.230), trim_scale(1.230)
scale:int4 | min_scale:int4 | trim_scale:numeric
3 | 2 | 1.23
SELECT 1

> select numeric '1.5' + int '1', int8 '5' / int '2', float8 '1.5' + numeric '1.5'
?column?:numeric | ?column?:int8 | ?column?:float8
2.5 | 2 | 3
SELECT 1

> select 0.1 + 0.2 = 0.3, 0.1::float8 + 0.2::float8 = 0.3::float8
?column?:bool | ?column?:bool
t | f
SELECT 1

> select greatest(1, 2.5), least(1::float8, 2)
greatest:numeric | least:float8
2.5 | 1
SELECT 1

> select sum(x) from generate_series(1, 100) x
sum:int8
5050
SELECT 1

> select avg(x), sum(x) / count(x) from generate_series(1, 10) x
avg:numeric | ?column?:int8
5.5000000000000000 | 5
SELECT 1

> select avg(x::numeric), avg(x::float8) from generate_series(1, 3) x
avg:numeric | avg:float8
2.0000000000000000 | 2
SELECT 1

> select 1000000 * 1000000
ERROR 22003: integer out of range

> select 1000000::int8 * 1000000
?column?:int8
1000000000000
SELECT 1

> select 2147483647 * 2
ERROR 22003: integer out of range

> select -2147483648 / -1
ERROR 22003: integer out of range

> select (-2147483648)::int / -1
ERROR 22003: integer out of range

> select abs((-2147483648)::int)
ERROR 22003: integer out of range

> select 5 / 2, -5 / 2, 5 % -2, -5 % 2, 5.0 / 2
?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:int4 | ?column?:numeric
2 | -2 | 1 | -1 | 2.5000000000000000
SELECT 1

> select 1 = 1.0, 1 = 1.0::float8, 1::int2 = 1::int8
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

> select '12abc'::numeric
ERROR 22P02: invalid input syntax for type numeric: "12abc"

> select '  1.5  '::numeric, '1_000'::numeric
ERROR 22P02: invalid input syntax for type numeric: "1_000"

> select to_hex(-1), to_hex(10::int8)
to_hex:text | to_hex:text
ffffffff | a
SELECT 1

> select random() between 0 and 1, setseed(0.5) is null
?column?:bool | ?column?:bool
t | f
SELECT 1

> select 123::text || 'x', (1.50)::text, (1e3)::text, 1e3::float8::text, 100000000000000000000::float8::text
?column?:text | text:text | text:text | text:text | text:text
123x | 1.50 | 1000 | 1000 | 1e+20
SELECT 1

> select 1e15::float8, 1e16::float8, 123456.789::float8, 0.0001::float8, 0.00001::float8
float8:float8 | float8:float8 | float8:float8 | float8:float8 | float8:float8
1e+15 | 1e+16 | 123456.789 | 0.0001 | 1e-05
SELECT 1

> select 3.0::float4, 1e7::float4, 1234567.8::float4
float4:float4 | float4:float4 | float4:float4
3 | 1e+07 | 1.2345678e+06
SELECT 1

> select ceil(-0.5), round(-0.4), floor(0.5::float8), ceil(-0.5::float8)
ceil:numeric | round:numeric | floor:float8 | ceil:float8
0 | 0 | 0 | -0
SELECT 1

> select 12.5 % 0
ERROR 22012: division by zero

> select mod(5, 0)
ERROR 22012: division by zero

> select 10 ^ 20, 10::numeric ^ 20, 2 ^ 62
?column?:float8 | ?column?:numeric | ?column?:float8
1e+20 | 100000000000000000000.0000000000000000 | 4.611686018427388e+18
SELECT 1

> select 18446744073709551616, 18446744073709551616::numeric
?column?:numeric | numeric:numeric
18446744073709551616 | 18446744073709551616
SELECT 1

> select 0x10
ERROR 42601: trailing junk after numeric literal at or near "0x10"

> select 1::bit
bit:bit
1
SELECT 1

> select int4 '12', float8 '1.5', numeric '12.50'
int4:int4 | float8:float8 | numeric:numeric
12 | 1.5 | 12.50
SELECT 1

> select cast(1.7 as smallint), cast('7' as bigint), cast(true as text)
int2:int2 | int8:int8 | text:text
2 | 7 | true
SELECT 1

