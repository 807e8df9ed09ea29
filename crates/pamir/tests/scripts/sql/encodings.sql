# Conversions between encodings.
> select convert_to('äß', 'latin1'), convert_to('€', 'latin9'), convert_to('Жё', 'koi8r'), convert_to('あ漢', 'euc_jp'), convert_to('ｱソ', 'sjis'), convert_to('한', 'euc_kr'), convert_to('汉', 'gbk'), convert_to('漢', 'big5'), convert_to('똠', 'uhc'), convert_to('汉', 'euc_cn')
convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea | convert_to:bytea
\xe4df | \xa4 | \xf6a3 | \xa4a2b4c1 | \xb1835c | \xc7d1 | \xbaba | \xba7e | \x8c63 | \xbaba
SELECT 1

> select convert_from('\xe4df', 'latin1'), convert_from('\xa4', 'latin9'), convert_from('\xf6a3', 'koi8r'), convert_from('\xa4a2b4c1', 'euc_jp'), convert_from('\xb1835c', 'sjis'), convert_from('\xc7d1', 'euc_kr'), convert_from('\xbaba', 'gbk'), convert_from('\xba7e', 'big5'), convert_from('\x8c63', 'uhc'), convert_from('\xbaba', 'euc_cn')
convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text
äß | € | Жё | あ漢 | ｱソ | 한 | 汉 | 漢 | 똠 | 汉
SELECT 1

> select convert_from('\x80', 'win1252'), convert_from('\xd0', 'win1251'), convert_from('\xe1', 'win1253'), convert_from('\xe0', 'iso-8859-8'), convert_from('\xa1', 'tcvn'), convert_from('\x8fb0a1', 'euc_jp'), length(convert_from('\x81', 'latin1'))
convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | convert_from:text | length:int4
€ | Р | α | א | ¡ | 丂 | 1
SELECT 1

> select convert_to('€', 'latin1')
convert_to:bytea
ERROR 22P05: character with byte sequence 0xe2 0x82 0xac in encoding "UTF8" has no equivalent in encoding "LATIN1"

> select convert_from('\x81', 'win1252')
convert_from:text
ERROR 22P05: character with byte sequence 0x81 in encoding "WIN1252" has no equivalent in encoding "UTF8"

> select convert_from('\x8080', 'euc_jp')
convert_from:text
ERROR 22021: invalid byte sequence for encoding "EUC_JP": 0x80 0x80

> select convert_from('\xff', 'euc_kr')
convert_from:text
ERROR 22021: invalid byte sequence for encoding "EUC_KR": 0xff

> select convert_from('\xc9a1', 'euc_kr')
convert_from:text
ERROR 22P05: character with byte sequence 0xc9 0xa1 in encoding "EUC_KR" has no equivalent in encoding "UTF8"

> select convert_from('\x4180', 'gbk')
convert_from:text
ERROR 22021: invalid byte sequence for encoding "GBK": 0x80

> select convert_from('\x00', 'latin1')
convert_from:text
ERROR 22021: invalid byte sequence for encoding "LATIN1": 0x00

> select convert_from('\xe4', 'sql_ascii')
convert_from:text
ERROR 22021: invalid byte sequence for encoding "UTF8": 0xe4

> select convert_to('a', 'no such')
convert_to:bytea
ERROR 22023: invalid destination encoding name "no such"

> select convert_from('a', 'no such')
convert_from:text
ERROR 22023: invalid source encoding name "no such"

> select convert('\xe282ac', 'utf8', 'latin9'), convert('\xe4', 'latin1', 'utf8'), convert('\xd6', 'koi8r', 'win1251'), convert('\xa4a2', 'euc_jp', 'sjis'), convert('\xe1', 'latin2', 'win1250')
convert:bytea | convert:bytea | convert:bytea | convert:bytea | convert:bytea
\xa4 | \xc3a4 | \xe6 | \x82a0 | \xe1
SELECT 1

> select convert('\xff', 'latin1', 'win1250')
convert:bytea
ERROR 42883: default conversion function for encoding "LATIN1" to "WIN1250" does not exist

> select convert('\xe282ac', 'utf8', 'latin1')
convert:bytea
ERROR 22P05: character with byte sequence 0xe2 0x82 0xac in encoding "UTF8" has no equivalent in encoding "LATIN1"

> select length('\xe282ac'::bytea, 'utf8'), length('\xa4a2'::bytea, 'euc_jp')
length:int4 | length:int4
1 | 1
SELECT 1

> select length('\xff'::bytea, 'utf8')
length:int4
ERROR 22021: invalid byte sequence for encoding "UTF8": 0xff

> select pg_client_encoding(), pg_encoding_max_length(8), pg_encoding_max_length(1), pg_encoding_max_length(39), pg_encoding_max_length(99)
pg_client_encoding:name | pg_encoding_max_length:int4 | pg_encoding_max_length:int4 | pg_encoding_max_length:int4 | pg_encoding_max_length:int4
UTF8 | 1 | 3 | 4 | NULL
SELECT 1

> select n, pg_encoding_to_char(n), pg_char_to_encoding(pg_encoding_to_char(n)) from generate_series(-1, 42) n
n:int4 | pg_encoding_to_char:name | pg_char_to_encoding:int4
-1 |  | -1
0 | SQL_ASCII | 0
1 | EUC_JP | 1
2 | EUC_CN | 2
3 | EUC_KR | 3
4 | EUC_TW | 4
5 | EUC_JIS_2004 | 5
6 | UTF8 | 6
7 | MULE_INTERNAL | 7
8 | LATIN1 | 8
9 | LATIN2 | 9
10 | LATIN3 | 10
11 | LATIN4 | 11
12 | LATIN5 | 12
13 | LATIN6 | 13
14 | LATIN7 | 14
15 | LATIN8 | 15
16 | LATIN9 | 16
17 | LATIN10 | 17
18 | WIN1256 | 18
19 | WIN1258 | 19
20 | WIN866 | 20
21 | WIN874 | 21
22 | KOI8R | 22
23 | WIN1251 | 23
24 | WIN1252 | 24
25 | ISO_8859_5 | 25
26 | ISO_8859_6 | 26
27 | ISO_8859_7 | 27
28 | ISO_8859_8 | 28
29 | WIN1250 | 29
30 | WIN1253 | 30
31 | WIN1254 | 31
32 | WIN1255 | 32
33 | WIN1257 | 33
34 | KOI8U | 34
35 | SJIS | 35
36 | BIG5 | 36
37 | GBK | 37
38 | UHC | 38
39 | GB18030 | 39
40 | JOHAB | 40
41 | SHIFT_JIS_2004 | 41
42 |  | -1
SELECT 44

> select pg_char_to_encoding('latin-1'), pg_char_to_encoding('iso88591'), pg_char_to_encoding('WINDOWS-1252'), pg_char_to_encoding('koi8'), pg_char_to_encoding('vscii'), pg_char_to_encoding('x')
pg_char_to_encoding:int4 | pg_char_to_encoding:int4 | pg_char_to_encoding:int4 | pg_char_to_encoding:int4 | pg_char_to_encoding:int4 | pg_char_to_encoding:int4
8 | 8 | 24 | 22 | 19 | -1
SELECT 1

# Every byte of the encodings of one byte, as far as it stands for something.
> select e, count(*), md5(string_agg(convert_from(set_byte('\x00', 0, b), e), '' order by b)) from unnest(array['latin1', 'latin2', 'latin4', 'latin5', 'latin6', 'latin7', 'latin8', 'latin9', 'latin10', 'win866', 'win1256', 'koi8r', 'koi8u', 'iso_8859_5']) e, generate_series(1, 255) b group by e order by e
e:text | count:int8 | md5:text
iso_8859_5 | 255 | 51b0b806ab3561dd8867182e3651bf88
koi8r | 255 | c995297d663c6b33741d96e0b2351ee8
koi8u | 255 | 4773679ce61189fdb828cfa1c19a21b3
latin1 | 255 | 0ce171571eda170f6edc1d4f9d6457e4
latin10 | 255 | bb75ab762c8b109f22294aad927cc09f
latin2 | 255 | 44708a6ce4d498ce777d32fa430231c2
latin4 | 255 | f139a921afcf40da665cf441968d6108
latin5 | 255 | 11e0e0e6376987db9d30ae419991df0c
latin6 | 255 | e71f397ff34f610d4d46ae0a55d6015e
latin7 | 255 | c7c33f06c289d4d21a588b24313a0647
latin8 | 255 | 507b03b970b75116b8d1b9a59a683a75
latin9 | 255 | e48627e42bc4dff8067113b6d9d2a4d5
win1256 | 255 | 486f47bd6f407783e2b4b6a46d64390c
win866 | 255 | c43c0d275c8e52b5c2427b191b02b9e0
SELECT 14

> set client_encoding = 'x'
ERROR 22023: invalid value for parameter "client_encoding": "x"

> set client_encoding = 'mule_internal'
ERROR 0A000: invalid value for parameter "client_encoding": "mule_internal"
DETAIL: Conversion between MULE_INTERNAL and UTF8 is not supported.
