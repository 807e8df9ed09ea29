# Hashes of the extension pgcrypto.
> create extension if not exists pgcrypto
CREATE EXTENSION

> select digest('abc', 'md5') as a, digest('abc', 'sha1') as b, digest('', 'SHA1') as c
a:bytea | b:bytea | c:bytea
\x900150983cd24fb0d6963f7d28e17f72 | \xa9993e364706816aba3e25717850c26c9cd0d89d | \xda39a3ee5e6b4b0d3255bfef95601890afd80709
SELECT 1

> select digest('abc', 'sha224') as a, digest('abc', 'sha256') as b, digest('abc', 'Sha-256') as c
a:bytea | b:bytea | c:bytea
\x23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7 | \xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad | \xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
SELECT 1

> select digest('abc', 'sha384') as a, digest('abc', 'sha512') as b, digest('abc', 'sha512-256') as c
a:bytea | b:bytea | c:bytea
\xcb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7 | \xddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f | \x53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23
SELECT 1

> select digest('\x00ff'::bytea, 'sha1') as a, encode(digest('ü'::text, 'sha256'), 'hex') as b
a:bytea | b:text
\xaa3e5dcdd77b153f2e59bd0d8794fde33cb4e486 | 607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f
SELECT 1

> select digest(null::text, 'sha1') as a, digest('x'::text, null) as b
a:bytea | b:bytea
NULL | NULL
SELECT 1

> select digest('abc', 'nosuch')
ERROR 22023: Cannot use "nosuch": No such hash algorithm

> select digest('abc', '')
ERROR 22023: Cannot use "": No such hash algorithm

> select digest(1, 'sha1')
ERROR 42883: function digest(integer, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select hmac('abc', 'key', 'md5') as a, hmac('abc', 'key', 'sha1') as b, hmac('\x6162'::bytea, '\x00'::bytea, 'sha256') as c
a:bytea | b:bytea | c:bytea
\xd2fe98063f876b03193afb49b4979591 | \x4fd0b215276ef12f2b3e4c8ecac2811498b656fc | \xd6b79ceb101a91a622011759da3a05a132db82e0545c5e22a0befb71c1530441
SELECT 1

> select hmac('abc', '', 'sha512') as a, hmac('abc', repeat('k', 300), 'sha384') as b, hmac('abc', 'k', 'sha224') as c
a:bytea | b:bytea | c:bytea
\x29689f6b79a8dd686068c2eeae97fd8769ad3ba65cb5381f838358a8045a358ee3ba1739c689c7805e31734fb6072f87261d1256995370d55725cba00d10bdd0 | \xf7a67b33d4eefb3ce4345b6439ff3fcc71bae67c4c479350df4bfa9f477dc2be96790708a5186d90b8091e6f02644375 | \x732490484bcfb134f616bcd29fa7847c0dba67efcfe57b8115efa9cc
SELECT 1

> select hmac('abc', 'key', 'nosuch')
ERROR 22023: Cannot use "nosuch": No such hash algorithm

> select length(gen_random_bytes(1)) as a, length(gen_random_bytes(1024)) as b, gen_random_bytes(16) = gen_random_bytes(16) as c
a:int4 | b:int4 | c:bool
1 | 1024 | f
SELECT 1

> select gen_random_bytes(0)
gen_random_bytes:bytea
ERROR 39000: Length not in range

> select gen_random_bytes(1025)
gen_random_bytes:bytea
ERROR 39000: Length not in range

> select count(distinct digest(i::text, 'sha1')) from generate_series(1, 100) i
count:int8
100
SELECT 1

> create table pgc (id int primary key, t text, h bytea)
CREATE TABLE

> insert into pgc select i, 'v' || i, digest('v' || i, 'sha256') from generate_series(1, 3) i
INSERT 0 3

> select id from pgc where h = digest(t, 'sha256') order by id
id:int4
1
2
3
SELECT 3
