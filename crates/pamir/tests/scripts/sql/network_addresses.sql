# inet and cidr.

> select '10.1.2.3'::inet, '10.1.2.3/8'::inet, '10/8'::inet, '::1'::inet, 'fe80::1/64'::inet, '::ffff:1.2.3.4'::inet, '1.2.3.4/32'::inet
inet:inet | inet:inet | inet:inet | inet:inet | inet:inet | inet:inet | inet:inet
10.1.2.3 | 10.1.2.3/8 | 10.0.0.0/8 | ::1 | fe80::1/64 | ::ffff:1.2.3.4 | 1.2.3.4
SELECT 1

> select '10'::cidr, '192.168.1'::cidr, '10.1.0.0/16'::cidr, '2001:db8::/32'::cidr, '128.1'::cidr, '1.2.3.4'::cidr
cidr:cidr | cidr:cidr | cidr:cidr | cidr:cidr | cidr:cidr | cidr:cidr
10.0.0.0/8 | 192.168.1.0/24 | 10.1.0.0/16 | 2001:db8::/32 | 128.1.0.0/16 | 1.2.3.4/32
SELECT 1

> select '10.1.2'::inet
ERROR 22P02: invalid input syntax for type inet: "10.1.2"

> select '10.1.2.300'::inet
ERROR 22P02: invalid input syntax for type inet: "10.1.2.300"

> select '10.1.2.3/33'::inet
ERROR 22P02: invalid input syntax for type inet: "10.1.2.3/33"

> select '10.1.2.3/8'::cidr
ERROR 22P02: invalid cidr value: "10.1.2.3/8"
DETAIL: Value has bits set to right of mask.

> select 'fe80::1/64'::cidr
ERROR 22P02: invalid cidr value: "fe80::1/64"
DETAIL: Value has bits set to right of mask.

> select 'x'::cidr
ERROR 22P02: invalid input syntax for type cidr: "x"

> select ''::inet
ERROR 22P02: invalid input syntax for type inet: ""

> select host(i), text(i), abbrev(i), masklen(i), family(i), broadcast(i), network(i), netmask(i), hostmask(i) from (values ('10.1.2.3/8'::inet), ('192.168.1.5'), ('fe80::1:2/64')) v(i)
host:text | text:text | abbrev:text | masklen:int4 | family:int4 | broadcast:inet | network:cidr | netmask:inet | hostmask:inet
10.1.2.3 | 10.1.2.3/8 | 10.1.2.3/8 | 8 | 4 | 10.255.255.255/8 | 10.0.0.0/8 | 255.0.0.0 | 0.255.255.255
192.168.1.5 | 192.168.1.5/32 | 192.168.1.5 | 32 | 4 | 192.168.1.5 | 192.168.1.5/32 | 255.255.255.255 | 0.0.0.0
fe80::1:2 | fe80::1:2/64 | fe80::1:2/64 | 64 | 6 | fe80::ffff:ffff:ffff:ffff/64 | fe80::/64 | ffff:ffff:ffff:ffff:: | ::ffff:ffff:ffff:ffff
SELECT 3

> select abbrev(c) from (values ('10.0.0.0/8'::cidr), ('192.168.1.0/24'), ('2001:db8::/32'), ('::/0'), ('10.1.2.0/23'), ('::ffff:1.2.3.0/120')) v(c)
abbrev:text
10/8
192.168.1/24
2001:db8/32
::/0
10.1.2/23
::ffff:1.2.3/120
SELECT 6

> select set_masklen('10.1.2.3/8'::inet, 16), set_masklen('10.0.0.0/8'::cidr, 4), set_masklen('10.1.2.3/8'::inet, -1)
set_masklen:inet | set_masklen:cidr | set_masklen:inet
10.1.2.3/16 | 0.0.0.0/4 | 10.1.2.3
SELECT 1

> select set_masklen('10.1.2.3/8'::inet, 33)
ERROR 22023: invalid mask length: 33

> select '10.1.2.3'::inet << '10.0.0.0/8'::inet, '10.0.0.0/8'::inet <<= '10.0.0.0/8', '10.0.0.0/8'::inet >> '10.1.2.3', '10.0.0.0/8'::inet >>= '10.0.0.0/8', '10.1.0.0/16'::inet && '10.0.0.0/8'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | t | t
SELECT 1

> select '10.0.0.1'::inet + 255, 255 + '10.0.0.1'::inet, '10.0.1.0'::inet - 1, '10.0.1.0'::inet - '10.0.0.0', '::1'::inet + 1, ~'10.0.0.1/8'::inet, '10.1.2.3'::inet & '255.0.255.0', '10.0.0.1'::inet | '0.0.0.6'
?column?:inet | ?column?:inet | ?column?:inet | ?column?:int8 | ?column?:inet | ?column?:inet | ?column?:inet | ?column?:inet
10.0.1.0 | 10.0.1.0 | 10.0.0.255 | 256 | ::2 | 245.255.255.254/8 | 10.0.2.0 | 10.0.0.7
SELECT 1

> select '255.255.255.255'::inet + 1
ERROR 22003: result is out of range

> select '10.0.0.1'::inet & '::1'
ERROR 22023: cannot AND inet values of different sizes

> select '10.0.0.1'::inet - '::1'
ERROR 22023: cannot subtract inet values of different sizes

> select inet_merge('10.1.2.3/24', '10.1.3.4/24'), inet_same_family('10.0.0.1', '::1')
inet_merge:cidr | inet_same_family:bool
10.1.2.0/23 | f
SELECT 1

> select inet_merge('10.1.2.3/24', '::1')
ERROR 22023: cannot merge addresses from different families

> select '10.1.2.3/8'::inet::cidr, '10.0.0.0/8'::cidr::inet, '10.1.2.3'::inet::text, '10.0.0.0/8'::cidr::text, '10.1.2.3/8'::inet::varchar, '10.1.2.3'::text::inet
cidr:cidr | inet:inet | text:text | text:text | varchar:varchar | inet:inet
10.0.0.0/8 | 10.0.0.0/8 | 10.1.2.3/32 | 10.0.0.0/8 | 10.1.2.3/8 | 10.1.2.3
SELECT 1

> create table n (a inet primary key, c cidr)
CREATE TABLE

> insert into n values ('10.0.0.1', '10.0.0.0/8'), ('10.0.0.1/8', '10.0.0.0/16'), ('9.9.9.9', null), ('::1', '::/0'), ('10.0.0.0/9', '1.2.3.4'), ('255.255.255.255', '128.0.0.0/1')
INSERT 0 6

> insert into n values ('10.0.0.1/32')
ERROR 23505: duplicate key value violates unique constraint "n_pkey"
DETAIL: Key (a)=(10.0.0.1) already exists.

> select * from n order by a
a:inet | c:cidr
9.9.9.9 | NULL
10.0.0.1/8 | 10.0.0.0/16
10.0.0.0/9 | 1.2.3.4/32
10.0.0.1 | 10.0.0.0/8
255.255.255.255 | 128.0.0.0/1
::1 | ::/0
SELECT 6

> select * from n order by c desc nulls last, a
a:inet | c:cidr
::1 | ::/0
255.255.255.255 | 128.0.0.0/1
10.0.0.1/8 | 10.0.0.0/16
10.0.0.1 | 10.0.0.0/8
10.0.0.0/9 | 1.2.3.4/32
9.9.9.9 | NULL
SELECT 6

> select a from n where a <<= '10.0.0.0/8' order by a
a:inet
10.0.0.1/8
10.0.0.0/9
10.0.0.1
SELECT 3

> select a from n where a between '10.0.0.0' and '10.255.255.255' order by a
a:inet
10.0.0.1
SELECT 1

> create index on n (c)
CREATE INDEX

> select a from n where c = '10.0.0.0/8'
a:inet
10.0.0.1
SELECT 1

> select max(a), min(a), max(c), min(c) from n
max:inet | min:inet | max:inet | min:inet
::1 | 9.9.9.9 | ::/0 | 1.2.3.4
SELECT 1

> select x.a, y.c from n x join n y on x.a = y.c order by 1
a:inet | c:cidr
SELECT 0

> select array_agg(a order by a), '{10.0.0.1,::1/64}'::inet[], pg_typeof(network('10.0.0.1')) from n
array_agg:_inet | inet:_inet | pg_typeof:regtype
{9.9.9.9,10.0.0.1/8,10.0.0.0/9,10.0.0.1,255.255.255.255,::1} | {10.0.0.1,::1/64} | cidr
SELECT 1

> select c < '10.0.0.0/9', pg_typeof(c) from n where c is not null order by 1, c limit 3
?column?:bool | pg_typeof:regtype
f | cidr
f | cidr
f | cidr
SELECT 3

> drop table n
DROP TABLE
