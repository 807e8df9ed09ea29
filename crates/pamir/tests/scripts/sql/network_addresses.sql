# inet and cidr.

> select '10.1.2.3'::inet, '10.1.2.3/8'::inet, '10/8'::inet, '::1'::inet, 'fe80::1/64'::inet, '::ffff:1.2.3.4'::inet, '1.2.3.4/32'::inet

> select '10'::cidr, '192.168.1'::cidr, '10.1.0.0/16'::cidr, '2001:db8::/32'::cidr, '128.1'::cidr, '1.2.3.4'::cidr

> select '10.1.2'::inet

> select '10.1.2.300'::inet

> select '10.1.2.3/33'::inet

> select '10.1.2.3/8'::cidr

> select 'fe80::1/64'::cidr

> select 'x'::cidr

> select ''::inet

> select host(i), text(i), abbrev(i), masklen(i), family(i), broadcast(i), network(i), netmask(i), hostmask(i) from (values ('10.1.2.3/8'::inet), ('192.168.1.5'), ('fe80::1:2/64')) v(i)

> select abbrev(c) from (values ('10.0.0.0/8'::cidr), ('192.168.1.0/24'), ('2001:db8::/32'), ('::/0'), ('10.1.2.0/23'), ('::ffff:1.2.3.0/120')) v(c)

> select set_masklen('10.1.2.3/8'::inet, 16), set_masklen('10.0.0.0/8'::cidr, 4), set_masklen('10.1.2.3/8'::inet, -1)

> select set_masklen('10.1.2.3/8'::inet, 33)

> select '10.1.2.3'::inet << '10.0.0.0/8'::inet, '10.0.0.0/8'::inet <<= '10.0.0.0/8', '10.0.0.0/8'::inet >> '10.1.2.3', '10.0.0.0/8'::inet >>= '10.0.0.0/8', '10.1.0.0/16'::inet && '10.0.0.0/8'

> select '10.0.0.1'::inet + 255, 255 + '10.0.0.1'::inet, '10.0.1.0'::inet - 1, '10.0.1.0'::inet - '10.0.0.0', '::1'::inet + 1, ~'10.0.0.1/8'::inet, '10.1.2.3'::inet & '255.0.255.0', '10.0.0.1'::inet | '0.0.0.6'

> select '255.255.255.255'::inet + 1

> select '10.0.0.1'::inet & '::1'

> select '10.0.0.1'::inet - '::1'

> select inet_merge('10.1.2.3/24', '10.1.3.4/24'), inet_same_family('10.0.0.1', '::1')

> select inet_merge('10.1.2.3/24', '::1')

> select '10.1.2.3/8'::inet::cidr, '10.0.0.0/8'::cidr::inet, '10.1.2.3'::inet::text, '10.0.0.0/8'::cidr::text, '10.1.2.3/8'::inet::varchar, '10.1.2.3'::text::inet

> create table n (a inet primary key, c cidr)

> insert into n values ('10.0.0.1', '10.0.0.0/8'), ('10.0.0.1/8', '10.0.0.0/16'), ('9.9.9.9', null), ('::1', '::/0'), ('10.0.0.0/9', '1.2.3.4'), ('255.255.255.255', '128.0.0.0/1')

> insert into n values ('10.0.0.1/32')

> select * from n order by a

> select * from n order by c desc nulls last, a

> select a from n where a <<= '10.0.0.0/8' order by a

> select a from n where a between '10.0.0.0' and '10.255.255.255' order by a

> create index on n (c)

> select a from n where c = '10.0.0.0/8'

> select max(a), min(a), max(c), min(c) from n

> select x.a, y.c from n x join n y on x.a = y.c order by 1

> select array_agg(a order by a), '{10.0.0.1,::1/64}'::inet[], pg_typeof(network('10.0.0.1')) from n

> select c < '10.0.0.0/9', pg_typeof(c) from n where c is not null order by 1, c limit 3

> drop table n
