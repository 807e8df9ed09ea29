# The support functions of hash operator classes, with PostgreSQL's numbers.

> select hashint4(5), hashint2(5::int2), hashint8(5), hashint8(-5), hashint4(-5), hashint8(5000000000), hashoid(7), hashchar('a')
hashint4:int4 | hashint2:int4 | hashint8:int4 | hashint8:int4 | hashint4:int4 | hashint8:int4 | hashoid:int4 | hashchar:int4
-1330264708 | -1330264708 | -1330264708 | 1412886042 | 1412886042 | -694934712 | -978793473 | 463612535
SELECT 1

> select hashtext('abc'), hashtext(''), hashtext('a longer text than twelve bytes'), hashtext('exactly 12 b'), hashname('abc'), hashbpchar('abc   '::bpchar)
hashtext:int4 | hashtext:int4 | hashtext:int4 | hashtext:int4 | hashname:int4 | hashbpchar:int4
-785388649 | -1477818771 | 39646714 | -1637647677 | -785388649 | -785388649
SELECT 1

> select hashtextextended('abc', 0), hashtextextended('abc', 42), hashint4extended(5, 0), hashint8extended(-5, 7), hashint4extended(5, -1)
hashtextextended:int8 | hashtextextended:int8 | hashint4extended:int8 | hashint8extended:int8 | hashint4extended:int8
-6747756470228489321 | 4423357919252764502 | -9138765687874534020 | -1153735631166043584 | 7620759393687074487
SELECT 1

> select hashfloat8(0), hashfloat8('-0'), hashfloat8(1.5), hashfloat8('nan'), hashfloat4(1.5), hashfloat8('inf')
hashfloat8:int4 | hashfloat8:int4 | hashfloat8:int4 | hashfloat8:int4 | hashfloat4:int4 | hashfloat8:int4
0 | 0 | 630860146 | -1275764840 | 630860146 | -2133226302
SELECT 1

> select hash_numeric(0), hash_numeric(1.50), hash_numeric(1.5), hash_numeric(123456789.123456789), hash_numeric('nan'), hash_numeric(-100000), hash_numeric_extended(1.5, 3), hash_numeric_extended(0, 3)
hash_numeric:int4 | hash_numeric:int4 | hash_numeric:int4 | hash_numeric:int4 | hash_numeric:int4 | hash_numeric:int4 | hash_numeric_extended:int8 | hash_numeric_extended:int8
-1 | 692967894 | 692967894 | -1990724393 | 0 | -1143929985 | -7723975666727976740 | 2
SELECT 1

> select hash_array(array[1,2,null]), hash_array(array['a','b']), hash_array('{}'::int[]), hash_array_extended(array[1,2], 9), hash_array(array['a '::bpchar])
hash_array:int4 | hash_array:int4 | hash_array:int4 | hash_array_extended:int8 | hash_array:int4
-297298961 | -1103066928 | 1 | -5656202600145705021 | 1075015888
SELECT 1

> select hash_range(int4range(1, 5)), hash_range('empty'::int4range), hash_range(numrange(1.5, null)), hash_range(tsrange('2020-01-01', '2020-02-01')), hash_range_extended(int4range(1, 5), 3)
hash_range:int4 | hash_range:int4 | hash_range:int4 | hash_range:int4 | hash_range_extended:int8
728650269 | 484847245 | -1378129350 | 1583065456 | -31239650283427934
SELECT 1

> select hash_multirange('{[1,5),[7,9)}'::int4multirange), hash_multirange('{}'::int4multirange), hash_multirange_extended('{[1,5)}'::int4multirange, 1)
hash_multirange:int4 | hash_multirange:int4 | hash_multirange_extended:int8
-1306636527 | 1 | -2177455977039666447
SELECT 1

> select hash_record(row(1, 'a'::text)), hash_record_extended(row(1, 'a'::text), 5)
hash_record:int4 | hash_record_extended:int8
-2147270101 | -5169959378625385238
SELECT 1

> select hashmacaddr('08:00:2b:01:02:03'), hashmacaddr8('08:00:2b:01:02:03:04:05')
hashmacaddr:int4 | hashmacaddr8:int4
294987870 | -445665214
SELECT 1

> select hashtext(null), hashint4(null)
hashtext:int4 | hashint4:int4
NULL | NULL
SELECT 1

> select abs(hashtext(x)) % 4, count(*) from generate_series(1, 100) i, lateral (select 'key' || i as x) s group by 1 order by 1
?column?:int4 | count:int8
0 | 18
1 | 24
2 | 23
3 | 35
SELECT 4
