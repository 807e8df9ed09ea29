# Domains: checks, NOT NULL and defaults where values become theirs; ALTER DOMAIN; what depends on them.
> create domain posint as int check (value > 0)
CREATE DOMAIN

> create domain name20 as varchar(20) not null default 'anon' constraint nospace check (value !~ ' ') check (length(value) > 1)
CREATE DOMAIN

> create table t(id int primary key, p posint, n name20)
CREATE TABLE

> insert into t values (1, 5, 'bob')
INSERT 0 1

> insert into t values (2, -5, 'bob')
ERROR 23514: value for domain posint violates check constraint "posint_check"

> insert into t values (2, 5, 'b b')
ERROR 23514: value for domain name20 violates check constraint "nospace"

> insert into t values (2, 5, null)
ERROR 23502: domain name20 does not allow null values

> insert into t(id) values (3)
INSERT 0 1

> select * from t
id:int4 | p:int4 | n:varchar
1 | 5 | bob
3 | NULL | anon
SELECT 2

> update t set p = p - 10 where id = 1
ERROR 23514: value for domain posint violates check constraint "posint_check"

> update t set p = p + 10 where id = 1 returning p, pg_typeof(p)
p:int4 | pg_typeof:regtype
15 | posint
UPDATE 1

> select 5::posint, (-1)::posint
posint:int4 | posint:int4
ERROR 23514: value for domain posint violates check constraint "posint_check"

> select '7'::posint + 1, pg_typeof('7'::posint), pg_typeof('7'::posint + 1)
?column?:int4 | pg_typeof:regtype | pg_typeof:regtype
8 | posint | integer
SELECT 1

> select * from t order by id
id:int4 | p:int4 | n:varchar
1 | 15 | bob
3 | NULL | anon
SELECT 2

> prepare q(posint) as select $1 + 1
PREPARE

> execute q(3)
?column?:int4
4
SELECT 1

> execute q(-3)
ERROR 23514: value for domain posint violates check constraint "posint_check"

> create domain posarr as int[] check (array_length(value,1) < 3)
CREATE DOMAIN

> select '{1,2}'::posarr, array[1,2,3]::posarr
posarr:_int4 | array:_int4
ERROR 23514: value for domain posarr violates check constraint "posarr_check"

> select '{1,-2}'::posint[]
ERROR 23514: value for domain posint violates check constraint "posint_check"

> select array[1,2]::posint[]
array:user
{1,2}
SELECT 1

> create domain even as posint check (value % 2 = 0)
CREATE DOMAIN

> select 4::even, 3::even
even:int4 | even:int4
ERROR 23514: value for domain even violates check constraint "even_check"

> select (-2)::even
even:int4
ERROR 23514: value for domain even violates check constraint "posint_check"

> alter domain posint add constraint lt100 check (value < 100)
ALTER DOMAIN

> alter domain posint add constraint lt10 check (value < 10)
ERROR 23514: column "p" of table "t" contains values that violate the new constraint

> alter domain posint drop constraint lt100
ALTER DOMAIN

> alter domain posint set not null
ERROR 23502: column "p" of table "t" contains null values

> alter domain posint set default 3
ALTER DOMAIN

> insert into t(id) values (20) returning *
id:int4 | p:int4 | n:varchar
20 | 3 | anon
INSERT 0 1

> alter domain posint drop not null
ALTER DOMAIN

> select typname, typtype, typnotnull, typbasetype::regtype, typtypmod, typdefault, typcategory, typlen from pg_type where typname in ('posint','name20','posarr','even') order by 1
typname:name | typtype:char | typnotnull:bool | typbasetype:regtype | typtypmod:int4 | typdefault:text | typcategory:char | typlen:int2
even | d | f | posint | -1 | NULL | N | 4
name20 | d | t | character varying | 24 | 'anon'::character varying | S | -1
posarr | d | f | integer[] | -1 | NULL | A | -1
posint | d | f | integer | -1 | 3 | N | 4
SELECT 4

> drop domain posint
ERROR 2BP01: cannot drop type posint because other objects depend on it
DETAIL: column p of table t depends on type posint\ntype even depends on type posint
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop domain posint cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to column p of table t\ndrop cascades to type even
DROP DOMAIN

> create domain bad as int unique
ERROR 42601: unique constraints not possible for domains

> create domain bad as int null not null
ERROR 42601: conflicting NULL/NOT NULL constraints

> create domain bad as int check (value > 'x')
ERROR 22P02: invalid input syntax for type integer: "x"

> create domain bad as nosuch
ERROR 42704: type "nosuch" does not exist

> create domain name20 as int
ERROR 42710: type "name20" already exists

> select null::name20
name20:varchar
ERROR 23502: domain name20 does not allow null values

> select n || 'x', upper(n), n = 'bob', coalesce(n, 'z') from t where id=1
?column?:text | upper:text | ?column?:bool | coalesce:varchar
bobx | BOB | t | bob
SELECT 1

> alter table t add column z name20
ALTER TABLE

> alter table t alter column id type name20
ERROR 23514: value for domain name20 violates check constraint "name20_check"

> create type mood as enum ('a','b')
CREATE TYPE

> create domain dm as mood check (value <> 'b')
CREATE DOMAIN

> select 'a'::dm, 'b'::dm
dm:user | dm:user
ERROR 23514: value for domain dm violates check constraint "dm_check"

> alter type mood rename value 'b' to 'c'
ALTER TYPE

> drop type mood
ERROR 2BP01: cannot drop type mood because other objects depend on it
DETAIL: type dm depends on type mood
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop type mood cascade
NOTICE 00000: drop cascades to type dm
DROP TYPE

> create domain dposix as text collate "POSIX" check (value <> '')
CREATE DOMAIN

> create domain dinherits as dposix
CREATE DOMAIN

> create table dcoll (a dposix, b dinherits, c dposix collate "C", d text)
CREATE TABLE

> select typname, typcollation::regcollation from pg_type where typname in ('dposix', 'dinherits') order by 1
typname:name | typcollation:regcollation
dinherits | "POSIX"
dposix | "POSIX"
SELECT 2

> select attname, attcollation::regcollation from pg_attribute where attrelid = 'dcoll'::regclass and attnum > 0 order by attnum
attname:name | attcollation:regcollation
a | "POSIX"
b | "POSIX"
c | "C"
d | "default"
SELECT 4

> select domain_name, collation_schema, collation_name from information_schema.domains where domain_name in ('dposix', 'dinherits') order by 1
domain_name:name | collation_schema:name | collation_name:name
dinherits | pg_catalog | POSIX
dposix | pg_catalog | POSIX
SELECT 2

> create index dcoll_ix on dcoll (a, c)
CREATE INDEX

> select pg_get_indexdef('dcoll_ix'::regclass)
pg_get_indexdef:text
CREATE INDEX dcoll_ix ON public.dcoll USING btree (a, c)
SELECT 1

> create domain dnocoll as int4 collate "C"
ERROR 42804: collations are not supported by type integer

> create domain dnosuch as text collate "nosuch"
ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist

> drop table dcoll
DROP TABLE

> drop domain dposix cascade
NOTICE 00000: drop cascades to type dinherits
DROP DOMAIN
