# What definitions say that changes no answer is kept and shown: statistics targets, storage, clustering, replica identities, comments, statistics objects.
> create table k (a int primary key, b text not null, c numeric, d varchar(10), e text compression pglz)
CREATE TABLE

> create unique index k_b on k (b)
CREATE INDEX

> create index k_part on k (c) where c > 0
CREATE INDEX

> create index k_expr on k (lower(b))
CREATE INDEX

> create index k_hash on k using hash (b)
CREATE INDEX

> alter table k alter b set statistics 250
ALTER TABLE

> alter table k alter a set statistics 20000
WARNING 22023: lowering statistics target to 10000
ALTER TABLE

> alter table k alter b set statistics -2
ERROR 22023: statistics target -2 is too low

> alter table k alter nosuch set statistics 1
ERROR 42703: column "nosuch" of relation "k" does not exist

> alter table k alter b set storage external, alter c set storage plain
ALTER TABLE

> alter table k alter a set storage main
ERROR 0A000: column data type integer can only have storage PLAIN

> alter table k alter b set storage nosuch
ERROR 22023: invalid storage type "nosuch"

> alter table k alter d set compression pglz
ALTER TABLE

> alter table k alter a set compression pglz
ERROR 0A000: column data type integer does not support compression

> alter table k alter d set compression nosuch
ERROR 22023: invalid compression method "nosuch"

> alter table k alter b set (n_distinct = -0.5, n_distinct_inherited = 3)
ALTER TABLE

> alter table k alter b set (n_distinct = -2)
ERROR 22023: value -2 out of bounds for option "n_distinct"
DETAIL: Valid values are between "-1.000000" and "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000000".

> alter table k alter b set (nosuch = 1)
ERROR 22023: unrecognized parameter "nosuch"

> alter table k alter b reset (n_distinct_inherited)
ALTER TABLE

> select attname, attstattarget, attstorage, attcompression, coalesce(array_to_string(attoptions, ' ') like '%n_distinct=-0.5', false) as told from pg_attribute where attrelid = 'k'::regclass and attnum > 0 order by attnum
attname:name | attstattarget:int4 | attstorage:char | attcompression:char | told:bool
a | 10000 | p |  | f
b | 250 | e |  | t
c | -1 | p |  | f
d | -1 | x | p | f
e | -1 | x | p | f
SELECT 5

> alter table k cluster on k_pkey
ALTER TABLE

> select indexrelid::regclass from pg_index where indrelid = 'k'::regclass and indisclustered
indexrelid:regclass
k_pkey
SELECT 1

> cluster k
CLUSTER

> cluster k using k_b
CLUSTER

> select indexrelid::regclass from pg_index where indrelid = 'k'::regclass and indisclustered
indexrelid:regclass
k_b
SELECT 1

> alter table k cluster on k_part
ERROR 0A000: cannot cluster on partial index "k_part"

> alter table k cluster on k_hash
ERROR 0A000: cannot cluster on index "k_hash" because access method does not support clustering

> alter table k cluster on nosuch
ERROR 42704: index "nosuch" for table "k" does not exist

> alter table k set without cluster
ALTER TABLE

> cluster k
ERROR 42704: there is no previously clustered index for table "k"

> cluster nosuch
ERROR 42P01: relation "nosuch" does not exist

> cluster (nosuch) k
ERROR 42601: unrecognized CLUSTER option "nosuch"

> select relreplident, pg_get_replica_identity_index('k'::regclass)::regclass from pg_class where oid = 'k'::regclass
relreplident:char | pg_get_replica_identity_index:regclass
d | k_pkey
SELECT 1

> alter table k replica identity full
ALTER TABLE

> select relreplident, pg_get_replica_identity_index('k'::regclass)::regclass from pg_class where oid = 'k'::regclass
relreplident:char | pg_get_replica_identity_index:regclass
f | NULL
SELECT 1

> alter table k replica identity using index k_b
ALTER TABLE

> select relreplident, pg_get_replica_identity_index('k'::regclass)::regclass from pg_class where oid = 'k'::regclass
relreplident:char | pg_get_replica_identity_index:regclass
i | k_b
SELECT 1

> select indexrelid::regclass from pg_index where indrelid = 'k'::regclass and indisreplident
indexrelid:regclass
k_b
SELECT 1

> alter table k replica identity using index k_part
ERROR 42809: cannot use non-unique index "k_part" as replica identity

> alter table k replica identity using index k_expr
ERROR 42809: cannot use non-unique index "k_expr" as replica identity

> alter table k replica identity using index nosuch
ERROR 42704: index "nosuch" for table "k" does not exist

> create unique index k_c on k (c)
CREATE INDEX

> alter table k replica identity using index k_c
ERROR 42809: index "k_c" cannot be used as replica identity because column "c" is nullable

> alter table k replica identity nothing
ALTER TABLE

> alter table k replica identity default
ALTER TABLE

> create unlogged table ul (a int primary key)
CREATE TABLE

> create table ll (a int references ul)
ERROR 42P16: constraints on permanent tables may reference only permanent tables

> select relname, relpersistence from pg_class where relname in ('ul', 'ul_pkey', 'k') order by 1
relname:name | relpersistence:char
k | p
ul | u
ul_pkey | u
SELECT 3

> alter table ul set logged
ALTER TABLE

> alter table ul set logged
ALTER TABLE

> create table ll (a int references ul)
CREATE TABLE

> alter table ul set unlogged
ERROR 42P16: could not change table "ul" to unlogged because it references logged table "ll"

> alter table ll set unlogged
ALTER TABLE

> select relname, relpersistence from pg_class where relname in ('ul', 'll') order by 1
relname:name | relpersistence:char
ll | u
ul | p
SELECT 2

> create table copied (like k including all)
CREATE TABLE

> select attname, attstattarget, attstorage, attcompression from pg_attribute where attrelid = 'copied'::regclass and attnum > 0 order by attnum
attname:name | attstattarget:int4 | attstorage:char | attcompression:char
a | -1 | p | 
b | -1 | e | 
c | -1 | p | 
d | -1 | x | p
e | -1 | x | p
SELECT 5

> create table plain (like k)
CREATE TABLE

> select attname, attstorage, attcompression from pg_attribute where attrelid = 'plain'::regclass and attnum > 0 order by attnum
attname:name | attstorage:char | attcompression:char
a | p | 
b | x | 
c | m | 
d | x | 
e | x | 
SELECT 5

# Comments.
> create type pair as (x int, y int)
CREATE TYPE

> comment on column pair.x is 'left'
COMMENT

> comment on column pair.z is 'none'
ERROR 42703: column "z" of relation "pair" does not exist

> select col_description(oid, 1), col_description(oid, 2) from pg_class where relname = 'pair'
col_description:text | col_description:text
left | NULL
SELECT 1

> create function twice(int) returns int language sql as 'select $1 * 2'
CREATE FUNCTION

> comment on function twice(int) is 'doubles'
COMMENT

> select description from pg_description where objoid = 'twice'::regproc
description:text
doubles
SELECT 1

> comment on function lower(text) is 'small letters'
COMMENT

> select obj_description('lower(text)'::regprocedure, 'pg_proc')
obj_description:text
small letters
SELECT 1

> comment on function lower(text) is null
COMMENT

> comment on operator + (int, int) is 'adds'
COMMENT

> select obj_description(oid, 'pg_operator') from pg_operator where oprname = '+' and oprleft = 23 and oprright = 23
obj_description:text
adds
SELECT 1

> comment on cast (int as bigint) is 'wider'
COMMENT

> comment on cast (int as text) is 'none'
ERROR 42704: cast from type integer to type text does not exist

> comment on collation "C" is 'bytes'
COMMENT

> comment on language plpgsql is 'procedures'
COMMENT

> comment on language nosuch is 'x'
ERROR 42704: language "nosuch" does not exist

> comment on access method heap is 'tables'
COMMENT

> comment on access method nosuch is 'x'
ERROR 42704: access method "nosuch" does not exist

> comment on tablespace pg_default is 'files'
COMMENT

> comment on tablespace pg_default is null
COMMENT

> comment on role postgres is 'who owns'
COMMENT

> select shobj_description(oid, 'pg_authid') from pg_roles where rolname = 'postgres'
shobj_description:text
who owns
SELECT 1

> comment on role postgres is null
COMMENT

> comment on role nosuch is 'x'
ERROR 42704: role "nosuch" does not exist

> select classoid::regclass, description from pg_description where description in ('adds', 'wider', 'bytes', 'procedures', 'tables') order by 1
classoid:regclass | description:text
pg_am | tables
pg_cast | wider
pg_language | procedures
pg_operator | adds
pg_collation | bytes
SELECT 5

# Statistics objects.
> create statistics st1 on a, c from k
CREATE STATISTICS

> create statistics st2 (ndistinct) on a, lower(b), c from k
CREATE STATISTICS

> create statistics st3 on lower(b) from k
CREATE STATISTICS

> create statistics st4 on a from k
ERROR 42P17: extended statistics require at least 2 columns

> create statistics st4 (ndistinct) on lower(b) from k
ERROR 0A000: when building statistics on a single expression, statistics kinds may not be specified

> create statistics st4 (nosuch) on a, b from k
ERROR 42601: unrecognized statistics kind "nosuch"

> create statistics st4 on a, a from k
ERROR 42701: duplicate column name in statistics definition

> create statistics st4 on a, nosuch from k
ERROR 42703: column "nosuch" does not exist

> create statistics st4 on lower(b), lower(b) from k
ERROR 42701: duplicate expression in statistics definition

> create statistics st4 on a, ctid from k
ERROR 0A000: statistics creation on system columns is not supported

> create statistics st4 on a, b from k, ul
ERROR 0A000: only a single relation is allowed in CREATE STATISTICS

> create statistics st4 on a, b from nosuch
ERROR 42P01: relation "nosuch" does not exist

> create statistics st1 on a, c from k
ERROR 42710: statistics object "st1" already exists

> create statistics if not exists st1 on a, c from k
NOTICE 42710: statistics object "st1" already exists, skipping
CREATE STATISTICS

> select pg_get_statisticsobjdef(oid), pg_get_statisticsobjdef_columns(oid) from pg_statistic_ext order by stxname
pg_get_statisticsobjdef:text | pg_get_statisticsobjdef_columns:text
CREATE STATISTICS public.st1 ON a, c FROM k | a, c
CREATE STATISTICS public.st2 (ndistinct) ON a, c, lower(b) FROM k | a, c, lower(b)
CREATE STATISTICS public.st3 ON lower(b) FROM k | lower(b)
SELECT 3

> select stxname, stxkeys, stxkind, stxstattarget from pg_statistic_ext order by stxname
stxname:name | stxkeys:int2vector | stxkind:_char | stxstattarget:int4
st1 | 1 3 | {d,f,m} | -1
st2 | 1 3 | {d,e} | -1
st3 |  | {e} | -1
SELECT 3

> alter statistics st1 set statistics 77
ALTER STATISTICS

> alter statistics nosuch set statistics 77
ERROR 42704: statistics object "nosuch" does not exist

> alter statistics if exists nosuch set statistics 77
NOTICE 00000: statistics object "nosuch" does not exist, skipping
ALTER STATISTICS

> alter statistics st1 rename to st9
ALTER STATISTICS

> alter statistics st9 rename to st2
ERROR 42710: statistics object "st2" already exists in schema "public"

> create schema other
CREATE SCHEMA

> alter statistics st9 set schema other
ALTER STATISTICS

> alter statistics other.st9 owner to postgres
ALTER STATISTICS

> comment on statistics other.st9 is 'both'
COMMENT

> select stxname, stxnamespace::regnamespace, stxstattarget, obj_description(oid, 'pg_statistic_ext') from pg_statistic_ext order by stxname
stxname:name | stxnamespace:regnamespace | stxstattarget:int4 | obj_description:text
st2 | public | -1 | NULL
st3 | public | -1 | NULL
st9 | other | 77 | both
SELECT 3

> alter table k rename column b to bb
ALTER TABLE

> select pg_get_statisticsobjdef(oid) from pg_statistic_ext order by stxname
pg_get_statisticsobjdef:text
CREATE STATISTICS public.st2 (ndistinct) ON a, c, lower(bb) FROM k
CREATE STATISTICS public.st3 ON lower(bb) FROM k
CREATE STATISTICS other.st9 ON a, c FROM k
SELECT 3

> create table copied2 (like k including statistics)
CREATE TABLE

> select pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxrelid = 'copied2'::regclass order by stxname
pg_get_statisticsobjdef:text
CREATE STATISTICS public.copied2_a_c_expr_stat (ndistinct) ON a, c, lower(bb) FROM copied2
CREATE STATISTICS public.copied2_a_c_stat ON a, c FROM copied2
CREATE STATISTICS public.copied2_expr_stat ON lower(bb) FROM copied2
SELECT 3

> drop statistics nosuch
ERROR 42704: statistics object "nosuch" does not exist

> drop statistics if exists nosuch
NOTICE 00000: statistics object "nosuch" does not exist, skipping
DROP STATISTICS

> drop statistics st3
DROP STATISTICS

> alter table k drop column c
ALTER TABLE

> select stxname from pg_statistic_ext where stxrelid = 'k'::regclass
stxname:name
SELECT 0

> drop table k, copied2
DROP TABLE

> select count(*) from pg_statistic_ext
count:int8
0
SELECT 1

# Foreign keys' times, names of headers.
> create table parent (id int primary key)
CREATE TABLE

> create table child (id int constraint child_fk references parent)
CREATE TABLE

> alter table child alter constraint child_fk deferrable initially deferred
ALTER TABLE

> select conname, condeferrable, condeferred from pg_constraint where conname = 'child_fk'
conname:name | condeferrable:bool | condeferred:bool
child_fk | t | t
SELECT 1

> begin
BEGIN

> insert into child values (1)
INSERT 0 1

> insert into parent values (1)
INSERT 0 1

> commit
COMMIT

> alter table child alter constraint child_fk
ALTER TABLE

> select pg_get_constraintdef(oid) from pg_constraint where conname = 'child_fk'
pg_get_constraintdef:text
FOREIGN KEY (id) REFERENCES parent(id)
SELECT 1

> insert into child values (2)
ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
DETAIL: Key (id)=(2) is not present in table "parent".

> alter table child alter constraint nosuch deferrable
ERROR 42704: constraint "nosuch" of relation "child" does not exist

> alter table parent alter constraint parent_pkey deferrable
ERROR 42809: constraint "parent_pkey" of relation "parent" is not a foreign key constraint

> create table headed (a int, b text)
CREATE TABLE

> copy headed from stdin with (header match)
< a	b
< 1	x
COPY 1

> copy headed (b, a) from stdin with (format csv, header match)
< b,a
< y,2
COPY 1

> copy headed from stdin with (header match)
< a	c
< 1	x
ERROR 22P04: column name mismatch in header line field 2: got "c", expected "b"

> copy headed from stdin with (header match)
< a
< 1
ERROR 22P04: wrong number of fields in header line: got 1, expected 2

> copy headed from stdin with (header match)
< a	\N
< 1	x
ERROR 22P04: column name mismatch in header line field 2: got null value ("\N"), expected "b"

> copy headed to stdout with (header match)
ERROR 0A000: cannot use "match" with HEADER in COPY TO

> copy headed to stdout with (format csv, header)
a,b
1,x
2,y
COPY 2

# A primary key that a view's groups hang on.
> create table items (id int primary key, name text, n int)
CREATE TABLE

> create view grouped as select id, name, sum(n) as s from items group by id
CREATE VIEW

> select c.conname from pg_depend d join pg_constraint c on c.oid = d.refobjid join pg_rewrite r on r.oid = d.objid where d.refclassid = 'pg_constraint'::regclass and r.ev_class = 'grouped'::regclass
conname:name
items_pkey
SELECT 1

> alter table items drop constraint items_pkey
ERROR 2BP01: cannot drop constraint items_pkey on table items because other objects depend on it
DETAIL: view grouped depends on constraint items_pkey on table items
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table items drop constraint items_pkey cascade
NOTICE 00000: drop cascades to view grouped
ALTER TABLE

> select count(*) from pg_class where relname = 'grouped'
count:int8
0
SELECT 1

# Steps from a domain to what it is over are shown.
> create domain amount as numeric(10,2)
CREATE DOMAIN

> create domain word as varchar(8) check (value ~ '^\\d+$')
CREATE DOMAIN

> create table paid (v amount, w word, x amount, check (v > 0), g numeric generated always as (v * 2) stored)
CREATE TABLE

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'paid'::regclass
pg_get_constraintdef:text
CHECK (((v)::numeric > (0)::numeric))
SELECT 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'paid'::regclass
pg_get_expr:text
((v)::numeric * (2)::numeric)
SELECT 1

> create view sums as select sum(v) as s, coalesce(v, x) as same, coalesce(v, 0) as zero, upper(w) as u, v is distinct from x as d from paid group by v, x, w
CREATE VIEW

> select pg_get_viewdef('sums'::regclass)
pg_get_viewdef:text
 SELECT sum((paid.v)::numeric) AS s,\n    COALESCE(paid.v, paid.x) AS same,\n    COALESCE((paid.v)::numeric, (0)::numeric) AS zero,\n    upper((paid.w)::text) AS u,\n    ((paid.v)::numeric IS DISTINCT FROM (paid.x)::numeric) AS d\n   FROM paid\n  GROUP BY paid.v, paid.x, paid.w;
SELECT 1

> select attname, attstorage, attlen from pg_attribute where attrelid = 'paid'::regclass and attnum > 0 order by attnum
attname:name | attstorage:char | attlen:int2
v | m | -1
w | x | -1
x | m | -1
g | m | -1
SELECT 4

