# Large objects that several sessions use: what one reads while another writes, who waits for whom.

> select lo_from_bytea(5001, 'abcdef'), lo_from_bytea(5002, 'x')
lo_from_bytea:oid | lo_from_bytea:oid
5001 | 5002
SELECT 1

> @A begin
BEGIN

> @A select lo_open(5001, 262144)
lo_open:int4
0
SELECT 1

> @B select lo_put(5001, 0, 'XYZ')
lo_put:void
|
SELECT 1

> @A select loread(0, 10)
loread:bytea
\x616263646566
SELECT 1

> @A select lo_get(5001)
lo_get:bytea
\x58595a646566
SELECT 1

> @A commit
COMMIT

> @A begin isolation level repeatable read
BEGIN

> @A select lo_open(5001, 393216)
lo_open:int4
0
SELECT 1

> @B select lo_put(5001, 3, '!!')
lo_put:void
|
SELECT 1

> @A select loread(0, 10)
loread:bytea
\x58595a212166
SELECT 1

> @A select lo_get(5001)
lo_get:bytea
\x58595a646566
SELECT 1

> @A select lo_lseek(0, 0, 0), lowrite(0, 'a')
lo_lseek:int4 | lowrite:int4
0 | 1
SELECT 1

> @A commit
COMMIT

> @B select lo_get(5001)
lo_get:bytea
\x61595a212166
SELECT 1
# writers of one page wait

> @A begin
BEGIN

> @A select lo_put(5001, 0, '1')
lo_put:void
|
SELECT 1

> @B select lo_get(5001)
lo_get:bytea
\x61595a212166
SELECT 1

> @B select lo_unlink(5002)
lo_unlink:int4
1
SELECT 1

> @A rollback
ROLLBACK

> @B select lo_get(5001)
lo_get:bytea
\x61595a212166
SELECT 1
# pages of their own

> @A begin
BEGIN

> @A select lo_put(5001, 0, '1')
lo_put:void
|
SELECT 1

> @B select lo_put(5001, 5000, '2')
lo_put:void
|
SELECT 1

> @A commit
COMMIT

> @B select lo_get(5001, 0, 1), lo_get(5001, 5000, 1)
lo_get:bytea | lo_get:bytea
\x31 | \x32
SELECT 1
# not seen before its commit

> @A begin
BEGIN

> @A select lo_create(5003)
lo_create:oid
5003
SELECT 1

> @B select lo_get(5003)
lo_get:bytea
ERROR 42704: large object 5003 does not exist

> @B select count(*) from pg_largeobject_metadata where oid = 5003
count:int8
0
SELECT 1

> @B select lo_create(5003)
(waits)

> @A commit
COMMIT
B resumes:
lo_create:oid
ERROR 23505: duplicate key value violates unique constraint "pg_largeobject_metadata_oid_index"
DETAIL: Key (oid)=(5003) already exists.

> @B select lo_get(5003)
lo_get:bytea
\x
SELECT 1

> @A begin
BEGIN

> @A select lo_create(5004)
lo_create:oid
5004
SELECT 1

> @B select lo_create(5004)
(waits)

> @A rollback
ROLLBACK
B resumes:
lo_create:oid
5004
SELECT 1

> @B select lo_get(5004)
lo_get:bytea
\x
SELECT 1

> select lo_unlink(oid) from pg_largeobject_metadata where oid between 5001 and 5004
lo_unlink:int4
1
1
1
SELECT 3
