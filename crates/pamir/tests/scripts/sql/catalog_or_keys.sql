# Catalogs' rows by a key that one of several values equals, as drivers that look types up ask for them: the values come from another relation's row, some are NULL, some in arrays.
> create type comp1 as (a int, b text)
CREATE TYPE

> create type enum1 as enum ('x')
CREATE TYPE

> create table lk (a oid, b oid, c oid[], n name)
CREATE TABLE

> insert into lk values ('comp1'::regtype, null, null, 'comp1'), (null, 'enum1'::regtype, array['comp1'::regtype, null]::oid[], 'enum1'), (null, null, null, null), (25, 25, array[25,23]::oid[], 'int4'), (null, null, '{}', 'nope')
INSERT 0 5

> select l.n, t.typname from lk l, pg_type t where (l.a is not null and t.oid = l.a) or (l.b is not null and t.oid = l.b) or (l.c is not null and t.oid = any (l.c)) order by 1, 2
n:name | typname:name
comp1 | comp1
enum1 | comp1
enum1 | enum1
int4 | int4
int4 | text
SELECT 5

> select l.n, t.typname from lk l left join pg_type t on t.oid = l.a or t.oid = any (l.c) order by 1, 2
n:name | typname:name
comp1 | comp1
enum1 | comp1
int4 | int4
int4 | text
nope | NULL
NULL | NULL
SELECT 6

> select l.n, t.typname from lk l, pg_type t where t.oid in (l.a, l.b, 23) order by 1, 2
n:name | typname:name
comp1 | comp1
comp1 | int4
enum1 | enum1
enum1 | int4
int4 | int4
int4 | text
nope | int4
NULL | int4
SELECT 8

> select l.n, t.typname from lk l, pg_type t where t.oid = l.a or t.typname = l.n order by 1, 2
n:name | typname:name
comp1 | comp1
enum1 | enum1
int4 | int4
int4 | text
SELECT 4

> select l.n, t.typname from lk l, pg_type t where (t.oid = l.a and t.typname = l.n) or (t.typname = 'text' and t.oid = l.b) order by 1, 2
n:name | typname:name
comp1 | comp1
int4 | text
SELECT 2

> select typname from pg_type where oid = 25 or oid = 23 or oid = any ('{20,null,25}') order by 1
typname:name
int4
int8
text
SELECT 3

> select typname from pg_type where oid = 25 or oid = null order by 1
typname:name
text
SELECT 1

> select typname from pg_type where oid = any (null::oid[]) order by 1
typname:name
SELECT 0

# More values than are looked up one by one.
> insert into lk values (25, null, array(select g::oid from generate_series(1, 150) g), 'many')
INSERT 0 1

> select t.typname from lk l, pg_type t where l.n = 'many' and t.typname in ('text', 'int4', 'numeric') and (t.oid = l.a or t.oid = any (l.c)) order by 1
typname:name
int4
text
SELECT 2

# A type that a prepared statement's parameter has is dropped and made again.
> prepare p (int, enum1) as insert into lk (n) select $2::text where $1 > 0
PREPARE

> execute p (1, 'x')
INSERT 0 1

> drop type enum1
DROP TYPE

> create type enum1 as enum ('x', 'y')
CREATE TYPE

> do $$ begin execute 'execute p (2, ''x'')'; exception when internal_error then raise notice '%', regexp_replace(sqlerrm, '[0-9]+', 'N'); end $$
NOTICE 00000: cache lookup failed for type N
DO

> deallocate p
DEALLOCATE

> prepare p (int, enum1) as insert into lk (n) select $2::text where $1 > 0
PREPARE

> execute p (2, 'y')
INSERT 0 1
