# Large objects: descriptors, transactions, holes, privileges, statements about them.
> select lo_create(5001)
lo_create:oid
5001
SELECT 1

> select lo_create(5001)
lo_create:oid
ERROR 23505: duplicate key value violates unique constraint "pg_largeobject_metadata_oid_index"
DETAIL: Key (oid)=(5001) already exists.

> select lo_creat(-1) > 0 as made, lo_create(0) > 0 as made
made:bool | made:bool
t | t
SELECT 1

> select lo_open(777, 131072)
lo_open:int4
ERROR 42704: large object 777 does not exist

> select lo_open(777, 262144)
lo_open:int4
ERROR 42704: large object 777 does not exist

> select lo_open(5001, 0)
lo_open:int4
ERROR 22023: invalid flags for opening a large object: 0

> select loread(0, 10)
loread:bytea
ERROR 42704: invalid large-object descriptor: 0

> select lowrite(0, 'x')
lowrite:int4
ERROR 42704: invalid large-object descriptor: 0

> select lo_lseek(0, 0, 0)
lo_lseek:int4
ERROR 42704: invalid large-object descriptor: 0

> select lo_lseek64(3, 0, 0)
lo_lseek64:int8
ERROR 42704: invalid large-object descriptor: 3

> select lo_tell64(-1)
lo_tell64:int8
ERROR 42704: invalid large-object descriptor: -1

> select lo_close(3)
lo_close:int4
ERROR 42704: invalid large-object descriptor: 3

> select lo_truncate(1, 0)
lo_truncate:int4
ERROR 42704: invalid large-object descriptor: 1

> select lo_truncate64(1, 0)
lo_truncate64:int4
ERROR 42704: invalid large-object descriptor: 1

> select lo_unlink(777)
lo_unlink:int4
ERROR 42704: large object 777 does not exist

> select lo_get(777)
lo_get:bytea
ERROR 42704: large object 777 does not exist

> select lo_get(777, 0, 1)
lo_get:bytea
ERROR 42704: large object 777 does not exist

> select lo_get(5001, -1, 3)
lo_get:bytea
ERROR 22023: invalid large object seek target: -1

> select lo_get(5001, 1, -3)
lo_get:bytea
ERROR 22023: requested length cannot be negative

> select lo_put(777, 0, 'x')
lo_put:void
ERROR 42704: large object 777 does not exist

> select lo_put(5001, -1, 'x')
lo_put:void
ERROR 22023: invalid large object seek target: -1

> select lo_put(5001, 4398046509055, 'x')
lo_put:void
|
SELECT 1

> select lo_get(5001, 4398046509055, 10), lo_get(5001, 4398046509050, 10)
lo_get:bytea | lo_get:bytea
\x78 | \x000000000078
SELECT 1

> select lo_put(5001, 4398046509055, 'xy')
lo_put:void
ERROR 22023: invalid large object write request size: 2

> select lo_put(5001, 4398046509056, 'x')
lo_put:void
ERROR 22023: invalid large object write request size: 1

> select lo_put(5001, 4398046509057, 'x')
lo_put:void
ERROR 22023: invalid large object seek target: 4398046509057

> select lo_get(5001)
lo_get:bytea
ERROR 54000: large object read request is too large

> select lo_from_bytea(5002, '\x00ff10')
lo_from_bytea:oid
5002
SELECT 1

> select lo_from_bytea(5002, 'x')
lo_from_bytea:oid
ERROR 23505: duplicate key value violates unique constraint "pg_largeobject_metadata_oid_index"
DETAIL: Key (oid)=(5002) already exists.

> select lo_get(5002), lo_get(5002, 1, 1), lo_get(5002, 3, 1), lo_get(5002, 0, 0)
lo_get:bytea | lo_get:bytea | lo_get:bytea | lo_get:bytea
\x00ff10 | \xff | \x | \x
SELECT 1

> select lo_get(null), lo_open(null, 1), lowrite(0, null), lo_put(5002, null, 'x')
lo_get:bytea | lo_open:int4 | lowrite:int4 | lo_put:void
NULL | NULL | NULL | NULL
SELECT 1

# descriptors
> begin
BEGIN

> select lo_open(5002, 262144)
lo_open:int4
0
SELECT 1

> select lo_open(5002, 131072)
lo_open:int4
1
SELECT 1

> select lo_open(5002, 393216)
lo_open:int4
2
SELECT 1

> select lo_close(1)
lo_close:int4
0
SELECT 1

> select lo_open(5002, 262144)
lo_open:int4
1
SELECT 1

> select loread(0, 2), loread(0, 2), loread(0, 2), loread(1, -1)
loread:bytea | loread:bytea | loread:bytea | loread:bytea
\x00ff | \x10 | \x | \x
SELECT 1

> select lowrite(2, 'abc'), lo_tell(2), lo_lseek(2, -2, 1), lowrite(2, 'X'), lo_tell64(2)
lowrite:int4 | lo_tell:int4 | lo_lseek:int4 | lowrite:int4 | lo_tell64:int8
3 | 3 | 1 | 1 | 2
SELECT 1

> select lo_lseek(0, 0, 0), loread(0, 10)
lo_lseek:int4 | loread:bytea
0 | \x00ff10
SELECT 1

> select lo_lseek(2, 0, 0), loread(2, 10)
lo_lseek:int4 | loread:bytea
0 | \x615863
SELECT 1

> select lo_lseek(2, 5000, 2), lowrite(2, 'end')
lo_lseek:int4 | lowrite:int4
5003 | 3
SELECT 1

> select lo_lseek64(2, -3, 2), loread(2, 10), lo_tell64(2)
lo_lseek64:int8 | loread:bytea | lo_tell64:int8
5003 | \x656e64 | 5006
SELECT 1

> select loid, pageno, length(data) from pg_largeobject where loid = 5002
loid:oid | pageno:int4 | length:int4
5002 | 0 | 3
5002 | 2 | 910
SELECT 2

> select lo_truncate(2, 4100), lo_tell(2), lo_lseek(2, 0, 2)
lo_truncate:int4 | lo_tell:int4 | lo_lseek:int4
0 | 5006 | 4100
SELECT 1

> select loid, pageno, length(data) from pg_largeobject where loid = 5002
loid:oid | pageno:int4 | length:int4
5002 | 0 | 3
5002 | 2 | 4
SELECT 2

> select lo_truncate64(2, 2), lo_lseek(2, 0, 2)
lo_truncate64:int4 | lo_lseek:int4
0 | 2
SELECT 1

> select lo_truncate(2, 10000), lo_lseek(2, 1, 0), loread(2, 5), lo_lseek(2, 0, 2)
lo_truncate:int4 | lo_lseek:int4 | loread:bytea | lo_lseek:int4
0 | 1 | \x5800000000 | 10000
SELECT 1

> select loid, pageno, length(data) from pg_largeobject where loid = 5002
loid:oid | pageno:int4 | length:int4
5002 | 0 | 2
5002 | 4 | 1808
SELECT 2

> savepoint a
SAVEPOINT

> select lowrite(0, 'x')
lowrite:int4
ERROR 55000: large object descriptor 0 was not opened for writing

> rollback to a
ROLLBACK

> select lo_truncate(0, 3)
lo_truncate:int4
ERROR 55000: large object descriptor 0 was not opened for writing

> rollback to a
ROLLBACK

> select lo_truncate(2, -1)
lo_truncate:int4
ERROR 22023: invalid large object truncation target: -1

> rollback to a
ROLLBACK

> select lo_truncate64(2, 4398046509057)
lo_truncate64:int4
ERROR 22023: invalid large object truncation target: 4398046509057

> rollback to a
ROLLBACK

> select lo_lseek64(2, 4398046509057, 0)
lo_lseek64:int8
ERROR 22023: invalid large object seek target: 4398046509057

> rollback to a
ROLLBACK

> select lo_lseek(2, -1, 0)
lo_lseek:int4
ERROR 22023: invalid large object seek target: -1

> rollback to a
ROLLBACK

> select lo_lseek(2, 0, 7)
lo_lseek:int4
ERROR 22023: invalid whence setting: 7

> rollback to a
ROLLBACK

> select lo_lseek64(2, 3000000000, 0), lo_lseek64(2, 1, 1)
lo_lseek64:int8 | lo_lseek64:int8
3000000000 | 3000000001
SELECT 1

> select lo_tell(2)
lo_tell:int4
ERROR 22003: lo_tell result out of range for large-object descriptor 2

> rollback to a
ROLLBACK

> select lo_lseek(2, 0, 1)
lo_lseek:int4
ERROR 22003: lo_lseek result out of range for large-object descriptor 2

> rollback to a
ROLLBACK

> select lo_lseek64(2, 4398046509056, 0)
lo_lseek64:int8
4398046509056
SELECT 1

> select lowrite(2, 'x')
lowrite:int4
ERROR 22023: invalid large object write request size: 1

> rollback
ROLLBACK

> select lo_get(5002)
lo_get:bytea
\x00ff10
SELECT 1

# descriptors and subtransactions
> begin
BEGIN

> savepoint a
SAVEPOINT

> select lo_open(5002, 393216)
lo_open:int4
0
SELECT 1

> savepoint b
SAVEPOINT

> select lo_open(5002, 393216)
lo_open:int4
1
SELECT 1

> select lowrite(0, 'in b'), lowrite(1, '1')
lowrite:int4 | lowrite:int4
4 | 1
SELECT 1

> rollback to b
ROLLBACK

> select lo_tell(0)
lo_tell:int4
4
SELECT 1

> select loread(1, 1)
loread:bytea
ERROR 42704: invalid large-object descriptor: 1

> rollback to b
ROLLBACK

> select loread(0, 10)
loread:bytea
\x
SELECT 1

> release b
RELEASE

> release a
RELEASE

> select lo_lseek(0, 1, 0), lowrite(0, 'kept')
lo_lseek:int4 | lowrite:int4
1 | 4
SELECT 1

> savepoint c
SAVEPOINT

> select lo_open(5002, 262144)
lo_open:int4
1
SELECT 1

> rollback to c
ROLLBACK

> select loread(1, 1)
loread:bytea
ERROR 42704: invalid large-object descriptor: 1

> rollback to c
ROLLBACK

> savepoint d
SAVEPOINT

> select lo_open(5002, 131072)
lo_open:int4
1
SELECT 1

> release d
RELEASE

> select lowrite(1, 'K')
lowrite:int4
1
SELECT 1

> commit
COMMIT

> select loread(0, 1)
loread:bytea
ERROR 42704: invalid large-object descriptor: 0

> select lo_get(5002)
lo_get:bytea
\x4b6b657074
SELECT 1

# an object that goes closes
> begin
BEGIN

> select lo_open(5002, 393216)
lo_open:int4
0
SELECT 1

> select lo_unlink(5002)
lo_unlink:int4
1
SELECT 1

> select loread(0, 1)
loread:bytea
ERROR 42704: invalid large-object descriptor: 0

> rollback
ROLLBACK

> begin
BEGIN

> select lo_unlink(5002)
lo_unlink:int4
1
SELECT 1

> select lo_get(5002)
lo_get:bytea
ERROR 42704: large object 5002 does not exist

> rollback
ROLLBACK

> select lo_get(5002)
lo_get:bytea
\x4b6b657074
SELECT 1

# what is read is what was there
> begin isolation level repeatable read
BEGIN

> select lo_open(5002, 262144)
lo_open:int4
0
SELECT 1

> select lo_put(5002, 0, '----')
lo_put:void
|
SELECT 1

> select loread(0, 100)
loread:bytea
\x4b6b657074
SELECT 1

> select lo_get(5002)
lo_get:bytea
\x2d2d2d2d74
SELECT 1

> rollback
ROLLBACK

# large numbers
> select lo_create(4294967295), lo_create(2147483648)
lo_create:oid | lo_create:oid
4294967295 | 2147483648
SELECT 1

> select lo_put(4294967295, 1, 'z')
lo_put:void
|
SELECT 1

> select lo_get(4294967295), lo_unlink(4294967295), lo_unlink(2147483648)
lo_get:bytea | lo_unlink:int4 | lo_unlink:int4
\x007a | 1 | 1
SELECT 1

> comment on large object 5002 is 'what it is'
COMMENT

> select obj_description(5002, 'pg_largeobject'), obj_description(5002, 'pg_class'), obj_description(5002)
obj_description:text | obj_description:text | obj_description:text
what it is | NULL | what it is
SELECT 1

> select objoid, classoid, objsubid, description from pg_description where objoid = 5002
objoid:oid | classoid:oid | objsubid:int4 | description:text
5002 | 2613 | 0 | what it is
SELECT 1

> comment on large object 5002 is null
COMMENT

> select obj_description(5002, 'pg_largeobject')
obj_description:text
NULL
SELECT 1

> comment on large object 777 is 'x'
ERROR 42704: large object 777 does not exist

> comment on large object 1.5 is 'x'
ERROR 22P02: invalid input syntax for type oid: "1.5"

> comment on large object 99999999999 is 'x'
ERROR 22003: value "99999999999" is out of range for type oid

# who may
> create role lo_a
CREATE ROLE

> create role lo_b
CREATE ROLE

> select lo_create(5003)
lo_create:oid
5003
SELECT 1

> select lo_put(5003, 0, 'secret')
lo_put:void
|
SELECT 1

> set role lo_a
SET

> select lo_open(5003, 262144)
lo_open:int4
ERROR 42501: permission denied for large object 5003

> select lo_open(5003, 131072)
lo_open:int4
ERROR 42501: permission denied for large object 5003

> select lo_open(5003, 0)
lo_open:int4
ERROR 22023: invalid flags for opening a large object: 0

> select lo_get(5003)
lo_get:bytea
ERROR 42501: permission denied for large object 5003

> select lo_put(5003, 0, 'x')
lo_put:void
ERROR 42501: permission denied for large object 5003

> select lo_unlink(5003)
lo_unlink:int4
ERROR 42501: must be owner of large object 5003

> select lo_import('/etc/passwd')
ERROR 42501: permission denied for function lo_import

> select lo_export(5003, '/tmp/x')
ERROR 42501: permission denied for function lo_export

> grant select on large object 5003 to public
ERROR 42501: permission denied for large object large object 5003

> grant select on large object 777 to public
ERROR 42704: large object 777 does not exist

> revoke all on large object 5003 from public
ERROR 42501: permission denied for large object large object 5003

> alter large object 5003 owner to lo_a
ERROR 42501: must be owner of large object 5003

> alter large object 777 owner to lo_a
ERROR 42704: large object 777 does not exist

> comment on large object 5003 is 'x'
ERROR 42501: must be owner of large object 5003

> select * from pg_largeobject
ERROR 42501: permission denied for table pg_largeobject

> select lo_create(5004)
lo_create:oid
5004
SELECT 1

> select lo_put(5004, 0, 'mine')
lo_put:void
|
SELECT 1

> select lo_get(5004)
lo_get:bytea
\x6d696e65
SELECT 1

> alter large object 5004 owner to lo_b
ERROR 42501: must be member of role "lo_b"

> grant select on large object 5004 to lo_b
GRANT

> reset role
RESET

> grant insert on large object 5003 to lo_a
ERROR 0LP01: invalid privilege type INSERT for large object

> grant update (a) on large object 5003 to lo_a
ERROR 0LP01: column privileges are only valid for relations

> grant select on large object 5003, 5004, 777 to lo_a
ERROR 42704: large object 777 does not exist

> grant select on large object 5003, 5004 to lo_a with grant option
GRANT

> select oid, lomowner::regrole, lomacl from pg_largeobject_metadata where oid between 5003 and 5004 order by oid
oid:oid | lomowner:regrole | lomacl:_aclitem
5003 | postgres | {postgres=rw/postgres,lo_a=r*/postgres}
5004 | lo_a | {lo_a=r*w/lo_a,lo_b=r/lo_a}
SELECT 2

> set role lo_a
SET

> select lo_get(5003)
lo_get:bytea
\x736563726574
SELECT 1

> select lo_put(5003, 0, 'x')
lo_put:void
ERROR 42501: permission denied for large object 5003

> begin
BEGIN

> select lo_open(5003, 131072)
lo_open:int4
ERROR 42501: permission denied for large object 5003

> rollback
ROLLBACK

> grant select, update on large object 5003 to lo_b
WARNING 01007: not all privileges were granted for "large object 5003"
GRANT

> grant update on large object 5003 to lo_b
WARNING 01007: no privileges were granted for "large object 5003"
GRANT

> grant all on large object 5003 to lo_b
GRANT

> revoke select on large object 5003 from lo_b
REVOKE

> reset role
RESET

> select oid, lomacl from pg_largeobject_metadata where oid = 5003
oid:oid | lomacl:_aclitem
5003 | {postgres=rw/postgres,lo_a=r*/postgres}
SELECT 1

> grant update on large object 5003 to lo_a
GRANT

> set role lo_a
SET

> select lo_put(5003, 2, 'CR')
lo_put:void
|
SELECT 1

> select lo_get(5003)
lo_get:bytea
\x736543526574
SELECT 1

> reset role
RESET

> revoke select on large object 5003 from lo_a
REVOKE

> revoke select on large object 5003 from lo_a cascade
REVOKE

> select oid, lomacl from pg_largeobject_metadata where oid = 5003
oid:oid | lomacl:_aclitem
5003 | {postgres=rw/postgres,lo_a=w/postgres}
SELECT 1

> set lo_compat_privileges = on
SET

> set role lo_b
SET

> set lo_compat_privileges = off
ERROR 42501: permission denied to set parameter "lo_compat_privileges"

> select lo_put(5003, 0, 'open')
lo_put:void
|
SELECT 1

> select lo_get(5003)
lo_get:bytea
\x6f70656e6574
SELECT 1

> select lo_unlink(5003)
lo_unlink:int4
1
SELECT 1

> reset role
RESET

> reset lo_compat_privileges
RESET

> drop role lo_a
ERROR 2BP01: role "lo_a" cannot be dropped because some objects depend on it
DETAIL: owner of large object 5004

> alter large object 5004 owner to lo_b
ALTER LARGE OBJECT

> select oid, lomowner::regrole, lomacl from pg_largeobject_metadata where oid = 5004
oid:oid | lomowner:regrole | lomacl:_aclitem
5004 | lo_b | {lo_b=r*w/lo_b}
SELECT 1

> grant select on large object 5004 to lo_a
GRANT

> drop role lo_a
ERROR 2BP01: role "lo_a" cannot be dropped because some objects depend on it
DETAIL: privileges for large object 5004

> drop role lo_b
ERROR 2BP01: role "lo_b" cannot be dropped because some objects depend on it
DETAIL: owner of large object 5004

> reassign owned by lo_b to lo_a
REASSIGN OWNED

> select oid, lomowner::regrole, lomacl from pg_largeobject_metadata where oid = 5004
oid:oid | lomowner:regrole | lomacl:_aclitem
5004 | lo_a | {lo_a=r*w/lo_a}
SELECT 1

> grant select on large object 5001, 5004 to lo_b
GRANT

> drop owned by lo_b
DROP OWNED

> select oid, lomowner::regrole, lomacl from pg_largeobject_metadata where oid in (5001, 5004) order by oid
oid:oid | lomowner:regrole | lomacl:_aclitem
5001 | postgres | {postgres=rw/postgres}
5004 | lo_a | {lo_a=r*w/lo_a}
SELECT 2

> drop owned by lo_a
DROP OWNED

> select lo_get(5004)
lo_get:bytea
ERROR 42704: large object 5004 does not exist

> drop role lo_a
DROP ROLE

> drop role lo_b
DROP ROLE

# files
> select lo_import('/nonexistent')
lo_import:oid
ERROR 58P01: could not open server file "/nonexistent": No such file or directory

> select lo_import('/')
lo_import:oid
ERROR 42809: could not read server file "/": Is a directory

> select lo_export(5001, '/nonexistent/x')
lo_export:int4
ERROR 58P01: could not create server file "/nonexistent/x": No such file or directory

> select lo_export(777, '/tmp/x')
lo_export:int4
ERROR 42704: large object 777 does not exist

> select lo_import('/dev/null', 5005)
lo_import:oid
5005
SELECT 1

> select lo_get(5005)
lo_get:bytea
\x
SELECT 1

> select lo_import('/dev/null', 5005)
lo_import:oid
ERROR 23505: duplicate key value violates unique constraint "pg_largeobject_metadata_oid_index"
DETAIL: Key (oid)=(5005) already exists.

> select lo_export(5005, '/dev/null')
lo_export:int4
1
SELECT 1

# functions and triggers of applications
> create table image (name text, raster oid)
CREATE TABLE

> insert into image values ('a', lo_from_bytea(5010, 'picture')), ('b', null)
INSERT 0 2

> select name, lo_get(raster) from image order by name
name:text | lo_get:bytea
a | \x70696374757265
b | NULL
SELECT 2

> create function gone() returns trigger language plpgsql as 'begin perform lo_unlink(old.raster); return old; end'
CREATE FUNCTION

> create trigger t before delete on image for each row execute function gone()
CREATE TRIGGER

> delete from image
DELETE 2

> select lo_get(5010)
lo_get:bytea
ERROR 42704: large object 5010 does not exist

> select count(*), min(oid), max(oid) from pg_largeobject_metadata where oid between 5000 and 5100
count:int8 | min:oid | max:oid
3 | 5001 | 5005
SELECT 1

> do $$ declare fd int; begin fd := lo_open(5002, 393216); perform lowrite(fd, 'abc'); begin perform lo_open(5002, 393216); raise exception 'x'; exception when others then null; end; perform lo_close(fd); perform lo_close(1); end $$
ERROR 42704: invalid large-object descriptor: 1

> select lo_get(5002)
lo_get:bytea
\x4b6b657074
SELECT 1

> begin
BEGIN

> do $$ declare fd int; begin fd := lo_open(5002, 393216); perform lowrite(fd, 'ABC'); end $$
DO

> select loread(0, 2), lo_tell(0)
loread:bytea | lo_tell:int4
\x7074 | 5
SELECT 1

> select loread(0, 2)
loread:bytea
\x
SELECT 1

> commit
COMMIT

> select proname, oid, pronargs from pg_proc where proname in ('lo_open', 'lo_close', 'lo_creat', 'lo_unlink', 'lo_lseek', 'lo_lseek64', 'lo_tell', 'lo_tell64', 'loread', 'lowrite', 'lo_create', 'lo_truncate', 'lo_truncate64') order by oid
proname:name | oid:oid | pronargs:int2
lo_create | 715 | 1
lo_open | 952 | 2
lo_close | 953 | 1
loread | 954 | 2
lowrite | 955 | 2
lo_lseek | 956 | 3
lo_creat | 957 | 1
lo_tell | 958 | 1
lo_unlink | 964 | 1
lo_truncate | 1004 | 2
lo_lseek64 | 3170 | 3
lo_tell64 | 3171 | 1
lo_truncate64 | 3172 | 2
SELECT 13

> select lo_unlink(oid) from pg_largeobject_metadata where oid < 6000
lo_unlink:int4
1
1
1
SELECT 3

