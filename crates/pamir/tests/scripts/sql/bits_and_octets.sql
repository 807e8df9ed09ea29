# Bit strings.

> select b'101', B'', x'1F', X'a5', b'101'::bit(5), b'101'::bit(2), b'101'::bit varying(2), '1010'::varbit
?column?:bit | ?column?:bit | ?column?:bit | ?column?:bit | bit:bit | bit:bit | varbit:varbit | varbit:varbit
101 |  | 00011111 | 10100101 | 10100 | 10 | 10 | 1010
SELECT 1

> select b'102'
ERROR 22P02: "2" is not a valid binary digit

> select x'1g'
ERROR 22P02: "g" is not a valid hexadecimal digit

> select '12'::bit(2)
ERROR 22P02: "2" is not a valid binary digit

> select '101'::bit(2)
bit:bit
10
SELECT 1

> select 'x1'::varbit, 'b1'::varbit
varbit:varbit | varbit:varbit
0001 | 1
SELECT 1

> create table b (id int primary key, f bit(4), v bit varying(6), o bit)
CREATE TABLE

> insert into b values (1, b'1010', b'1', b'1'), (2, '0000', '', '0'), (3, x'f', b'110011', null)
INSERT 0 3

> insert into b (id, f) values (4, b'101')
ERROR 22026: bit string length 3 does not match type bit(4)

> insert into b (id, f) values (4, '10101')
ERROR 22026: bit string length 5 does not match type bit(4)

> insert into b (id, v) values (4, b'1010101')
ERROR 22001: bit string too long for type bit varying(6)

> insert into b (id, o) values (4, b'10')
ERROR 22026: bit string length 2 does not match type bit(1)

> select * from b order by f, v
id:int4 | f:bit | v:varbit | o:bit
2 | 0000 |  | 0
1 | 1010 | 1 | 1
3 | 1111 | 110011 | NULL
SELECT 3

> select id from b where v > b'1' order by v desc
id:int4
3
SELECT 1

> create unique index on b (v)
CREATE INDEX

> insert into b (id, v) values (5, b'1')
ERROR 23505: duplicate key value violates unique constraint "b_v_idx"
DETAIL: Key (v)=(1) already exists.

> select id from b where v = b'110011'
id:int4
3
SELECT 1

> select f & b'1100', f | b'0001', f # b'1111', ~f, f << 1, f >> 2, v || f from b order by id
?column?:bit | ?column?:bit | ?column?:bit | ?column?:bit | ?column?:bit | ?column?:bit | ?column?:varbit
1000 | 1011 | 0101 | 0101 | 0100 | 0010 | 11010
0000 | 0001 | 1111 | 1111 | 0000 | 0000 | 0000
1100 | 1111 | 0000 | 0000 | 1110 | 0011 | 1100111111
SELECT 3

> select b'101' & b'1'
ERROR 22026: cannot AND bit strings of different sizes

> select length(v), bit_length(v), octet_length(v), bit_count(v), get_bit(f, 0), set_bit(f, 3, 1) from b order by id
length:int4 | bit_length:int4 | octet_length:int4 | bit_count:int8 | get_bit:int4 | set_bit:bit
1 | 1 | 1 | 1 | 1 | 1011
0 | 0 | 0 | 0 | 0 | 0001
6 | 6 | 1 | 4 | 1 | 1111
SELECT 3

> select get_bit(b'101', 3)
ERROR 2202E: bit index 3 out of valid range (0..2)

> select set_bit(b'101', 0, 2)
ERROR 22023: new bit must be 0 or 1

> select substring(b'110101' from 2 for 3), substring(b'110101' from 4), substring(b'110101' from -1 for 3), overlay(b'000000' placing b'11' from 2 for 3), position(b'01' in b'1101')
substring:bit | substring:bit | substring:bit | overlay:bit | position:int4
101 | 101 | 1 | 01100 | 3
SELECT 1

> select substring(b'110101' from 2 for -1)
ERROR 22011: negative substring length not allowed

> select 5::bit(4), (-1)::bit(40), 44::bit(10), 44::bit(3), 1234567890123::bit(64), 5::bigint::bit
bit:bit | bit:bit | bit:bit | bit:bit | bit:bit | bit:bit
0101 | 1111111111111111111111111111111111111111 | 0000101100 | 100 | 0000000000000000000000010001111101110001111110110000010011001011 | 1
SELECT 1

> select b'101'::int, b'11111111111111111111111111111111'::int, b'101'::bigint, x'ffffffffff'::int
ERROR 22003: integer out of range

> select bit_and(f), bit_or(f), bit_xor(f) from b
bit_and:bit | bit_or:bit | bit_xor:bit
0000 | 1111 | 0101
SELECT 1

> select bit_and(v) from b
bit_and:bit
ERROR 22026: cannot AND bit strings of different sizes

> select b'1' < b'10', b'0' = b'00', min(id) from b group by f > b'1000' order by 3
?column?:bool | ?column?:bool | min:int4
t | f | 1
t | f | 2
SELECT 2

> select array[b'1', b'01'], '{101,11}'::bit(3)[], '{101,11}'::varbit[]
array:_bit | bit:_bit | varbit:_varbit
{1,01} | {101,110} | {101,11}
SELECT 1

> select pg_typeof(b'1'), pg_typeof(b'1' || b'0'), pg_typeof('1'::varbit), format_type('bit'::regtype, 3), b'101'::text
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | format_type:text | text:text
bit | bit varying | bit varying | bit(3) | 101
SELECT 1

> create table bb (x bit(0))
ERROR 22023: length for type bit must be at least 1

> create table bb (x bit varying(0))
ERROR 22023: length for type varbit must be at least 1

> create table bb (x bit(3,4))
ERROR 22023: invalid type modifier

> select attname, format_type(atttypid, atttypmod), atttypmod from pg_attribute where attrelid = 'b'::regclass and attnum > 0 order by attnum
attname:name | format_type:text | atttypmod:int4
id | integer | -1
f | bit(4) | 4
v | bit varying(6) | 6
o | bit(1) | 1
SELECT 4

> drop table b
DROP TABLE

# pg_lsn and xid8.

> select '16/b374d848'::pg_lsn, '0/0'::pg_lsn, 'FFFFFFFF/FFFFFFFF'::pg_lsn
pg_lsn:pg_lsn | pg_lsn:pg_lsn | pg_lsn:pg_lsn
16/B374D848 | 0/0 | FFFFFFFF/FFFFFFFF
SELECT 1

> select '16'::pg_lsn
ERROR 22P02: invalid input syntax for type pg_lsn: "16"

> select '123456789/0'::pg_lsn
ERROR 22P02: invalid input syntax for type pg_lsn: "123456789/0"

> select '1/10'::pg_lsn - '0/1'::pg_lsn, '0/10'::pg_lsn + 16, 16 + '0/10'::pg_lsn, '0/10'::pg_lsn - 16, pg_lsn(23783416), pg_wal_lsn_diff('0/10', '0/1')
?column?:numeric | ?column?:pg_lsn | ?column?:pg_lsn | ?column?:pg_lsn | pg_lsn:pg_lsn | pg_wal_lsn_diff:numeric
4294967311 | 0/20 | 0/20 | 0/0 | 0/16AE7F8 | 15
SELECT 1

> select '0/10'::pg_lsn - 17
ERROR 22023: pg_lsn out of range

> select '0/10'::pg_lsn + 'NaN'::numeric
ERROR 0A000: cannot add NaN to pg_lsn

> select 'NaN'::numeric::pg_lsn
ERROR 42846: cannot cast type numeric to pg_lsn

> select max(l), min(l) from (values ('0/1'::pg_lsn), ('1/0'), (null)) v(l)
max:pg_lsn | min:pg_lsn
1/0 | 0/1
SELECT 1

> select '42'::xid8, '42'::xid8::xid, '1'::xid8 < '2'::xid8, max(x) from (values ('7'::xid8), ('12')) v(x)
xid8:xid8 | xid:xid | ?column?:bool | max:xid8
42 | 42 | t | 12
SELECT 1

> select pg_typeof(pg_current_xact_id()), pg_typeof(txid_current()), pg_current_xact_id()::text = txid_current()::text
pg_typeof:regtype | pg_typeof:regtype | ?column?:bool
xid8 | bigint | t
SELECT 1

# MAC addresses.

> select '08:00:2b:01:02:03'::macaddr, '08-00-2b-01-02-03'::macaddr, '08002b:010203'::macaddr, '0800.2b01.0203'::macaddr, '08002B010203'::macaddr, '8:0:2b:1:2:3'::macaddr
macaddr:macaddr | macaddr:macaddr | macaddr:macaddr | macaddr:macaddr | macaddr:macaddr | macaddr:macaddr
08:00:2b:01:02:03 | 08:00:2b:01:02:03 | 08:00:2b:01:02:03 | 08:00:2b:01:02:03 | 08:00:2b:01:02:03 | 08:00:2b:01:02:03
SELECT 1

> select '08:00:2b:01:02'::macaddr
ERROR 22P02: invalid input syntax for type macaddr: "08:00:2b:01:02"

> select '08:00:2b:01:02:1ff'::macaddr
ERROR 22003: invalid octet value in "macaddr" value: "08:00:2b:01:02:1ff"

> select '08:00:2b:01:02:03:04:05'::macaddr8, '08:00:2b:01:02:03'::macaddr8, '0800.2b01.0203.0405'::macaddr8
macaddr8:macaddr8 | macaddr8:macaddr8 | macaddr8:macaddr8
08:00:2b:01:02:03:04:05 | 08:00:2b:ff:fe:01:02:03 | 08:00:2b:01:02:03:04:05
SELECT 1

> select '08:00:2b-01:02:03'::macaddr8
ERROR 22P02: invalid input syntax for type macaddr8: "08:00:2b-01:02:03"

> select '08:00:2b:01:02:03'::macaddr::macaddr8, '08:00:2b:ff:fe:02:03:04'::macaddr8::macaddr, macaddr8_set7bit('00:34:56:ab:cd:ef'::macaddr8)
macaddr8:macaddr8 | macaddr:macaddr | macaddr8_set7bit:macaddr8
08:00:2b:ff:fe:01:02:03 | 08:00:2b:02:03:04 | 02:34:56:ff:fe:ab:cd:ef
SELECT 1

> select '08:00:2b:01:02:03:04:05'::macaddr8::macaddr
ERROR 22003: macaddr8 data out of range to convert to macaddr
HINT: Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.

> select ~m, m & 'ff:00:ff:00:ff:00', m | '00:ff:00:ff:00:ff', trunc(m), m < '09:00:00:00:00:00' from (values ('08:00:2b:01:02:03'::macaddr)) v(m)
?column?:macaddr | ?column?:macaddr | ?column?:macaddr | trunc:macaddr | ?column?:bool
f7:ff:d4:fe:fd:fc | 08:00:2b:00:02:00 | 08:ff:2b:ff:02:ff | 08:00:2b:00:00:00 | t
SELECT 1

> create table m (a macaddr primary key, b macaddr8 unique, l pg_lsn, x xid8)
CREATE TABLE

> insert into m values ('08:00:2b:01:02:03', '08:00:2b:01:02:03', '0/5', '5'), ('00:00:00:00:00:01', null, '1/0', '6')
INSERT 0 2

> insert into m (a) values ('08002b010203')
ERROR 23505: duplicate key value violates unique constraint "m_pkey"
DETAIL: Key (a)=(08:00:2b:01:02:03) already exists.

> select * from m order by a
a:macaddr | b:macaddr8 | l:pg_lsn | x:xid8
00:00:00:00:00:01 | NULL | 1/0 | 6
08:00:2b:01:02:03 | 08:00:2b:ff:fe:01:02:03 | 0/5 | 5
SELECT 2

> select a from m where b = '08:00:2b:01:02:03' and l < '0/6'
a:macaddr
08:00:2b:01:02:03
SELECT 1

> create index on m (l)
CREATE INDEX

> create index on m (x desc)
CREATE INDEX

> select x from m order by x desc
x:xid8
6
5
SELECT 2

> select array_agg(a order by a), '{08:00:2b:01:02:03}'::macaddr[] from m
array_agg:_macaddr | macaddr:_macaddr
{00:00:00:00:00:01,08:00:2b:01:02:03} | {08:00:2b:01:02:03}
SELECT 1

> drop table m
DROP TABLE
