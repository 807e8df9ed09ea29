# Pictures and widths of any length: what is too long for a value is refused before it is made.
> select length(to_char(1, repeat('9', 200000))), length(to_char(1, '0.' || repeat('9', 20000))), length(to_char(1.5::float8, repeat('9', 20000))), length(to_char(1, 'V' || repeat('9', 20000)))
length:int4 | length:int4 | length:int4 | length:int4
200001 | 20003 | 20001 | 20001
SELECT 1

> select length(to_char(timestamp '2001-02-03', repeat('Y,YYY ', 20000))), length(to_char(interval '1 day', repeat('DD ', 20000)))
length:int4 | length:int4
120000 | 60000
SELECT 1

> select to_char(1, repeat('9', 134217728))
to_char:text
ERROR XX000: invalid memory alloc request size 1073741829

> select to_char(timestamp '2001-02-03', repeat('Y', 100000000))
to_char:text
ERROR XX000: invalid memory alloc request size 1200000001

> select to_char(interval '1 day', repeat('Y', 100000000))
to_char:text
ERROR XX000: invalid memory alloc request size 1200000001

> select format('%2000000000s', 'x')
format:text
ERROR 54000: out of memory
DETAIL: Cannot enlarge string buffer containing 0 bytes by 1999999999 more bytes.

> select format('ab%1073741822s', 'x')
format:text
ERROR 54000: out of memory
DETAIL: Cannot enlarge string buffer containing 2 bytes by 1073741821 more bytes.

> select lpad('x', 1073741824, 'y')
ERROR 54000: requested length too large

> select lpad('x', 268435455, 'y')
ERROR 54000: requested length too large

> select rpad('x', 2000000000)
ERROR 54000: requested length too large

> select repeat('abc', 2000000000)
ERROR 54000: requested length too large

> select length(replace(repeat('a', 1000000), 'a', repeat('b', 2000)))
ERROR 54000: out of memory
DETAIL: Cannot enlarge string buffer containing 1073740000 bytes by 2000 more bytes.

> select bpchar('x'::bpchar, 2147483647, true)
ERROR XX000: invalid memory alloc request size 2147483647

> select array_fill(1, array[1000000000])
ERROR 54000: array size exceeds the maximum allowed (134217727)

> select length(string_agg(repeat('a', 10), '')) from generate_series(1, 10)
length:int4
100
SELECT 1

> select to_number(repeat('1', 300000), repeat('9', 300000))
to_number:numeric
ERROR 22003: value overflows numeric format

> select length(to_number(repeat('1', 1000), repeat('9', 2000))::text)
length:int4
1000
SELECT 1
