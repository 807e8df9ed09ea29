# What catalogs say of operators, access methods and their own columns; collations of attributes; definitions that stay as written.

> select attname, attnotnull from pg_attribute where attrelid in ('pg_am'::regclass, 'pg_cast'::regclass) and attnum > 0 order by attrelid, attnum
attname:name | attnotnull:bool
oid | t
amname | t
amhandler | t
amtype | t
oid | t
castsource | t
casttarget | t
castfunc | t
castcontext | t
castmethod | t
SELECT 10

> select attname from pg_attribute where attrelid = 'pg_constraint'::regclass and attnum > 0 and not attnotnull order by attnum
attname:name
conkey
confkey
conpfeqop
conppeqop
conffeqop
confdelsetcols
conexclop
conbin
SELECT 8

> select oid::regoperator, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin, oprcanhash, oprcanmerge from pg_operator where oid in ('=(int4,int4)'::regoperator, '<(text,text)'::regoperator, '@>(jsonb,jsonb)'::regoperator, '||(text,text)'::regoperator) order by oid
oid:regoperator | oprcom:regoperator | oprnegate:regoperator | oprrest:regproc | oprjoin:regproc | oprcanhash:bool | oprcanmerge:bool
=(integer,integer) | =(integer,integer) | <>(integer,integer) | eqsel | eqjoinsel | t | t
||(text,text) | 0 | 0 | - | - | f | f
<(text,text) | >(text,text) | >=(text,text) | scalarltsel | scalarltjoinsel | f | f
@>(jsonb,jsonb) | <@(jsonb,jsonb) | 0 | matchingsel | matchingjoinsel | f | f
SELECT 4

> select amname, amhandler from pg_am order by 1
amname:name | amhandler:regproc
brin | brinhandler
btree | bthandler
gin | ginhandler
gist | gisthandler
hash | hashhandler
heap | heap_tableam_handler
spgist | spghandler
SELECT 7

> select amopstrategy, amopopr::regoperator from pg_amop where amoplefttype = 'int4'::regtype and amoprighttype = 'int8'::regtype and amopmethod = 403 order by 1
amopstrategy:int2 | amopopr:regoperator
1 | <(integer,bigint)
2 | <=(integer,bigint)
3 | =(integer,bigint)
4 | >=(integer,bigint)
5 | >(integer,bigint)
SELECT 5

> select count(*) from pg_amop o left join pg_operator p on p.oid = o.amopopr where amopmethod = 403 and p.oid is null
count:int8
0
SELECT 1

> select amprocnum, amproc::regproc from pg_amproc where amproclefttype = 'text'::regtype and amprocrighttype = 'text'::regtype and amprocfamily = (select opcfamily from pg_opclass where opcname = 'text_ops' and opcmethod = 403) and amprocnum < 3 order by 1
amprocnum:int2 | amproc:regproc
1 | bttextcmp
2 | bttextsortsupport
SELECT 2

> create type collated as (x int, y text collate "C", z text)
CREATE TYPE

> select attname, attcollation::regcollation from pg_attribute where attrelid = (select typrelid from pg_type where typname = 'collated') order by attnum
attname:name | attcollation:regcollation
x | -
y | "C"
z | "default"
SELECT 3

> alter type collated alter attribute z type varchar collate "POSIX"
ALTER TYPE

> alter type collated add attribute n int collate "C"
ERROR 42804: collations are not supported by type integer

> alter type collated add attribute n text collate nope
ERROR 42704: collation "nope" for encoding "UTF8" does not exist

> select attname, attcollation::regcollation from pg_attribute where attrelid = (select typrelid from pg_type where typname = 'collated') order by attnum
attname:name | attcollation:regcollation
x | -
y | "C"
z | "POSIX"
SELECT 3

> create table t (a int, b int, bo bool, s text, f float8)
CREATE TABLE

> create view v as select row(a, s) is not null as r, (s collate "C") is not null as c, a is not distinct from null as n, a is distinct from null as d, s < 'x' collate "C" as l, f * 1.5 as m, f + (-1.5) as p, a = any (array(select b from t)) as y, (row(1, 'x', 'z')::collated).y as w from t
CREATE VIEW

> select pg_get_viewdef('v', true)
pg_get_viewdef:text
 SELECT ROW(t.a, t.s) IS NOT NULL AS r,\n    (t.s COLLATE "C") IS NOT NULL AS c,\n    t.a IS NULL AS n,\n    t.a IS NOT NULL AS d,\n    t.s < ('x'::text COLLATE "C") AS l,\n    t.f * 1.5::double precision AS m,\n    t.f + '-1.5'::numeric::double precision AS p,\n    t.a = ANY ((ARRAY( SELECT t_1.b\n           FROM t t_1))) AS y,\n    (ROW(1, 'x'::text, 'z'::character varying)::collated).y AS w\n   FROM t;
SELECT 1

> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT (ROW(t.a, t.s) IS NOT NULL) AS r,\n    ((t.s COLLATE "C") IS NOT NULL) AS c,\n    (t.a IS NULL) AS n,\n    (t.a IS NOT NULL) AS d,\n    (t.s < ('x'::text COLLATE "C")) AS l,\n    (t.f * (1.5)::double precision) AS m,\n    (t.f + ('-1.5'::numeric)::double precision) AS p,\n    (t.a = ANY (ARRAY( SELECT t_1.b\n           FROM t t_1))) AS y,\n    (ROW(1, 'x'::text, 'z'::character varying)::collated).y AS w\n   FROM t;
SELECT 1

> create view ties as select a from t order by b fetch first 3 rows with ties
CREATE VIEW

> select pg_get_viewdef('ties')
pg_get_viewdef:text
 SELECT t.a\n   FROM t\n  ORDER BY t.b\n FETCH FIRST (3) ROWS WITH TIES;
SELECT 1

> alter table t add constraint c1 check (((a = b and b > 1) or not bo) is not null), add constraint c2 check ((a > 1) is true)
ALTER TABLE

> select pg_get_constraintdef(oid, true) from pg_constraint where conrelid = 't'::regclass order by conname
pg_get_constraintdef:text
CHECK ((a = b AND b > 1 OR NOT bo) IS NOT NULL)
CHECK ((a > 1) IS TRUE)
SELECT 2

> create statistics st on (a + 1.5), lower(s) from t
CREATE STATISTICS

> select pg_get_statisticsobjdef(oid), pg_get_statisticsobjdef_columns(oid) from pg_statistic_ext order by 1
pg_get_statisticsobjdef:text | pg_get_statisticsobjdef_columns:text
CREATE STATISTICS public.st ON (a::numeric + 1.5), lower(s) FROM t | (a::numeric + 1.5), lower(s)
SELECT 1

> create index i on t (b, (a + 1)) where f > 0
CREATE INDEX

> create index e on t ((1 + 1))
CREATE INDEX

> select objid::regclass, refobjid::regclass, refobjsubid, deptype from pg_depend where objid in ('i'::regclass, 'e'::regclass) and refclassid = 'pg_class'::regclass order by 1, 3
objid:regclass | refobjid:regclass | refobjsubid:int4 | deptype:char
i | t | 1 | a
i | t | 2 | a
i | t | 5 | a
e | t | 0 | a
SELECT 4

> create domain pos as int check (value > 0)
CREATE DOMAIN

> create table k (a pos, b varchar(10) unique)
CREATE TABLE

> create function ks() returns setof k language sql as 'select * from k'
CREATE FUNCTION

> create view kv as select a, array[1, 2] as arr from ks()
CREATE VIEW

> create index kh on k using hash (b)
CREATE INDEX

> create index ka on k (a)
CREATE INDEX

> select attrelid::regclass, attname, format_type(atttypid, atttypmod), attndims from pg_attribute where attrelid in ('kv'::regclass, 'kh'::regclass, 'ka'::regclass) and attnum > 0 order by attrelid::regclass::text, attnum
attrelid:regclass | attname:name | format_type:text | attndims:int4
ka | a | pos | 0
kh | b | integer | 0
kv | a | pos | 0
kv | arr | integer[] | 0
SELECT 4

> drop index kh
DROP INDEX

> create table child () inherits (t)
CREATE TABLE

> create view over_both as select a from child
CREATE VIEW

> alter table t drop column a
ERROR 2BP01: cannot drop desired object(s) because other objects depend on them
DETAIL: view v depends on column a of table t\nview ties depends on column a of table t\nview over_both depends on column a of table child
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table t drop column a cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to view v\ndrop cascades to view ties\ndrop cascades to view over_both
ALTER TABLE

> create view e1 as select a into x from k
ERROR 0A000: views must not contain SELECT INTO

> create view e2 as with w as (delete from k returning *) select * from w
ERROR 0A000: views must not contain data-modifying statements in WITH

> create unlogged materialized view e3 as select 1
ERROR 0A000: materialized views cannot be unlogged

> alter index ka owner to current_user
ALTER INDEX

> alter index ka owner to nobody_at_all
ERROR 42704: role "nobody_at_all" does not exist

> alter table k rename constraint nope to k_b_key
ERROR 42704: constraint "nope" for table "k" does not exist

> create table fk (x int, y int, foreign key (x, y) references k (a))
ERROR 42830: there is no unique constraint matching given keys for referenced table "k"

> create table none ()
CREATE TABLE

> insert into none default values returning *
ERROR 42601: RETURNING must have at least one column

> copy k to stdout (format csv, null '"')
ERROR 0A000: CSV quote character must not appear in the NULL specification

> copy k to stdout (null E'a\tb')
ERROR 0A000: COPY delimiter must not appear in the NULL specification

> copy k to stdout (format binary, header)
ERROR 0A000: cannot specify HEADER in BINARY mode

> refresh materialized view nope
ERROR 42P01: relation "nope" does not exist

> select description from pg_description d join pg_extension e on e.oid = objoid where extname = 'plpgsql'
description:text
PL/pgSQL procedural language
SELECT 1

> create function defs(a int, b text default 'x', c int default 1 + 1) returns int language sql as 'select 1'
CREATE FUNCTION

> select proname, proargdefaults is null from pg_proc where proname in ('defs', 'ks') order by 1
proname:name | ?column?:bool
defs | f
ks | t
SELECT 2

> create extension citext
CREATE EXTENSION

> create extension hstore
CREATE EXTENSION

> select castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod from pg_cast where castsource in ('citext'::regtype, 'hstore'::regtype) or casttarget in ('citext'::regtype, 'hstore'::regtype) order by 1::text, 2::text
castsource:regtype | casttarget:regtype | castfunc:regprocedure | castcontext:char | castmethod:char
citext | text | - | i | b
citext | character varying | - | i | b
citext | character | - | a | b
text | citext | - | a | b
character varying | citext | - | a | b
character | citext | citext(character) | a | f
boolean | citext | citext(boolean) | a | f
inet | citext | citext(inet) | a | f
text[] | hstore | hstore(text[]) | e | f
hstore | json | hstore_to_json(hstore) | e | f
hstore | jsonb | hstore_to_jsonb(hstore) | e | f
SELECT 11
