# String functions.
> select length('hello'), char_length('héllo'), octet_length('héllo'), length('')
length:int4 | char_length:int4 | octet_length:int4 | length:int4
5 | 5 | 6 | 0
SELECT 1

> select upper('abc'), lower('ABC'), initcap('hello world')
upper:text | lower:text | initcap:text
ABC | abc | Hello World
SELECT 1

> select substring('hello' from 2 for 3), substring('hello', 2), substr('hello', 2, 2), substring('hello' from 'l+')
substring:text | substring:text | substr:text | substring:text
ell | ello | el | ll
SELECT 1

> select position('l' in 'hello'), strpos('hello', 'z')
position:int4 | strpos:int4
3 | 0
SELECT 1

> select trim('  x  '), ltrim('xxabc', 'x'), rtrim('abcxx', 'x'), btrim('xyabcyx', 'xy'), trim(both 'x' from 'xax'), trim(leading from '  a ')
btrim:text | ltrim:text | rtrim:text | btrim:text | btrim:text | ltrim:text
x | abc | abc | abc | a | a 
SELECT 1

> select lpad('abc', 5), lpad('abc', 5, '*'), rpad('abc', 5, '-'), lpad('abcdef', 3)
lpad:text | lpad:text | rpad:text | lpad:text
  abc | **abc | abc-- | abc
SELECT 1

> select left('hello', 2), right('hello', 2), left('hello', -1), right('hello', -1)
left:text | right:text | left:text | right:text
he | lo | hell | ello
SELECT 1

> select repeat('ab', 3), reverse('abc'), replace('hello', 'l', 'L')
repeat:text | reverse:text | replace:text
ababab | cba | heLLo
SELECT 1

> select split_part('a,b,c', ',', 2), split_part('a,b,c', ',', 5), split_part('a,b,c', ',', -1)
split_part:text | split_part:text | split_part:text
b |  | c
SELECT 1

> select split_part('a', ',', 0)
ERROR 22023: field position must not be zero

> select translate('hello', 'el', 'ip'), overlay('hello' placing 'XX' from 2 for 3)
translate:text | overlay:text
hippo | hXXo
SELECT 1

> select concat('a', null, 1, true), concat_ws(',', 'a', null, 'b')
concat:text | concat_ws:text
a1t | a,b
SELECT 1

> select format('%s and %I and %L', 'x', 'a b', 'q''q'), format('%2$s %1$s', 'a', 'b'), format('%%')
format:text | format:text | format:text
x and "a b" and 'q''q' | b a | %
SELECT 1

> select quote_ident('abc'), quote_ident('A b'), quote_literal('it''s'), quote_nullable(null)
quote_ident:text | quote_ident:text | quote_literal:text | quote_nullable:text
abc | "A b" | 'it''s' | NULL
SELECT 1

> select md5('abc'), encode('abc'::bytea, 'hex'), encode('abc'::bytea, 'base64'), decode('616263', 'hex')
md5:text | encode:text | encode:text | decode:bytea
900150983cd24fb0d6963f7d28e17f72 | 616263 | YWJj | \x616263
SELECT 1

> select ascii('a'), chr(97), chr(8364), to_hex(255)
ascii:int4 | chr:text | chr:text | to_hex:text
97 | a | € | ff
SELECT 1

> select starts_with('hello', 'he'), 'hello' ^@ 'lo'
starts_with:bool | ?column?:bool
t | f
SELECT 1

> select string_to_array('a,b,c', ','), array_to_string(array[1,2,null,3], ',', '*')
string_to_array:_text | array_to_string:text
{a,b,c} | 1,2,*,3
SELECT 1

> select regexp_replace('hello', 'l+', 'L'), regexp_replace('abcabc', 'b', 'X', 'g'), regexp_replace('abc', '(a)(b)', '\2\1')
regexp_replace:text | regexp_replace:text | regexp_replace:text
heLo | aXcaXc | bac
SELECT 1

> select regexp_match('foobar', 'o(b)(a)'), regexp_split_to_array('a1b2c', '\d')
regexp_match:_text | regexp_split_to_array:_text
{b,a} | {a,b,c}
SELECT 1

> select regexp_matches('abcabc', 'b', 'g')
regexp_matches:_text
{b}
{b}
SELECT 2

> select regexp_count('abcabc', 'b')
regexp_count:int4
2
SELECT 1

> select 'abc' < 'abd', 'Z' < 'a', '' < 'a', 'a' < 'B'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | f
SELECT 1

> select 'abc' collate "C" < 'ABC'
?column?:bool
f
SELECT 1

> select 'a' || null, 'x' || 5 || true
?column?:text | ?column?:text
NULL | x5true
SELECT 1

> select '%' like '\%', 'a_b' like 'a\_b', 'abc' like 'abc%', 'abc' like '%%c'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t
SELECT 1

> select 'abc' like 'ab', 'abc' ilike 'ABC', 'abc' ~~ 'a%', 'abc' !~~ 'a%'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
f | t | t | f
SELECT 1

> select 'a' like 'a\'
?column?:bool
f
SELECT 1

> select bit_length('abc'), sha256('abc')
bit_length:int4 | sha256:bytea
24 | \xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
SELECT 1

> select to_char(1234.5, '9,999.99'), to_char(-12, '999'), to_char(5, '000'), to_char(0.5, 'FM990.00')
to_char:text | to_char:text | to_char:text | to_char:text
 1,234.50 |  -12 |  005 | 0.50
SELECT 1

> select to_char(timestamp '2020-03-04 05:06:07', 'YYYY-MM-DD HH24:MI:SS'), to_char(date '2020-03-04', 'Day DD Mon YYYY')
to_char:text | to_char:text
2020-03-04 05:06:07 | Wednesday 04 Mar 2020
SELECT 1

> select to_number('1,234.5', '9,999.9'), to_date('2020-03-04', 'YYYY-MM-DD'), to_timestamp('2020-03-04 05', 'YYYY-MM-DD HH24')
to_number:numeric | to_date:date | to_timestamp:timestamptz
1234.5 | 2020-03-04 | 2020-03-04 05:00:00+00
SELECT 1

> select 'abc'::name, 'abc'::"char", 'x'::char(3) || 'y', 'x '::varchar || 'y'
name:name | char:char | ?column?:text | ?column?:text
abc | a | xy | x y
SELECT 1

> select length('a b c'::char(10)), octet_length('ab'::char(4))
length:int4 | octet_length:int4
5 | 4
SELECT 1

> select '\x616263'::bytea, 'abc'::bytea, E'\\000'::bytea, length('\x0102'::bytea)
bytea:bytea | bytea:bytea | bytea:bytea | length:int4
\x616263 | \x616263 | \x00 | 2
SELECT 1

> select '\xzz'::bytea
ERROR 22023: invalid hexadecimal digit: "z"

> select get_byte('\x0102'::bytea, 1), set_byte('\x0102'::bytea, 0, 255), substring('\x010203'::bytea from 2)
get_byte:int4 | set_byte:bytea | substring:bytea
2 | \xff02 | \x0203
SELECT 1

> select unistr('\0041'), normalize('a')
unistr:text | normalize:text
A | a
SELECT 1

> select lpad('x', 3, 'ab'), rpad('', 2, 'z'), repeat('x', 0), repeat('x', -1)
lpad:text | rpad:text | repeat:text | repeat:text
abx | zz |  | 
SELECT 1

> select substr('hello', 0), substr('hello', -1, 4), substring('hello', 10)
substr:text | substr:text | substring:text
hello | he | 
SELECT 1

> select substring('hello', 2, -1)
ERROR 22011: negative substring length not allowed

> select concat(), concat(null)
ERROR 42883: function concat() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select upper(5)
ERROR 42883: function upper(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select length(12)
ERROR 42883: function length(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select upper(null), length(null)
upper:text | length:int4
NULL | NULL
SELECT 1

> select string_to_array('abc', null), string_to_array('', ',')
string_to_array:_text | string_to_array:_text
{a,b,c} | {}
SELECT 1

> select 'foo' 'bar'
ERROR 42601: syntax error at or near "'bar'"

> select trim('abc', 'a')
btrim:text
bc
SELECT 1

> select levenshtein('a', 'b')
ERROR 42883: function levenshtein(unknown, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select left('abc', 0), right('abc', 0), reverse('')
left:text | right:text | reverse:text
 |  | 
SELECT 1

> select strpos('abc', ''), position('' in 'abc')
strpos:int4 | position:int4
1 | 1
SELECT 1

> select initcap('foo BAR-baz 1st')
initcap:text
Foo Bar-Baz 1st
SELECT 1

> select btrim('  a  '), length(btrim('  a  '))
btrim:text | length:int4
a | 1
SELECT 1


# Unicode's normal forms.
> select normalize(U&'\0061\0308', NFC) = U&'\00E4' as c, length(normalize(U&'\00E4', nfd)) as d, normalize(U&'\FB01n', NFKC) as kc, length(normalize(U&'\1E9B\0323', NFKD)) as kd, normalize('plain')
c:bool | d:int4 | kc:text | kd:int4 | normalize:text
t | 2 | fin | 3 | plain
SELECT 1

> select U&'\0061\0308' is normalized as a, U&'\00E4' is nfd normalized as b, U&'\00E4' is not nfkc normalized as c, is_normalized('x', 'nfkd') as d
a:bool | b:bool | c:bool | d:bool
f | f | f | t
SELECT 1

> select is_normalized('a', 'nfx')
ERROR 22023: invalid normalization form: nfx

> select to_char(timestamp '2024-03-05 14:05', 'TMMonth|TMMon|TMDay|TMDy|TMDD|FMMonth|Month|') as t
t:text
March|Mar|Tuesday|Tue|05|March|March    |
SELECT 1

# A scalar is the only element of itself.
> select '"x"'::jsonb -> 0 as a, '5'::jsonb ->> -1 as b, 'true'::jsonb ->> 1 as c, '"x"'::jsonb #> '{0}' as d, '"x"'::json ->> 0 as e, '{"0":1}'::jsonb -> 0 as f
a:jsonb | b:text | c:text | d:jsonb | e:text | f:jsonb
"x" | 5 | NULL | NULL | NULL | NULL
SELECT 1
