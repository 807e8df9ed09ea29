# Schema definition: constraints, defaults, identity, sequences, indexes, schemas.
> create schema s1
CREATE SCHEMA

> create table s1.t (id serial primary key, a int not null default 5 check (a > 0), b varchar(5) default 'x', c numeric(5,2) default 1.005, d timestamp default '2020-01-01', e int generated always as (a * 2) stored, unique (a, b))
CREATE TABLE

> insert into s1.t default values returning *
id:int4 | a:int4 | b:varchar | c:numeric | d:timestamp | e:int4
1 | 5 | x | 1.01 | 2020-01-01 00:00:00 | 10
INSERT 0 1

> insert into s1.t (a, b) values (1, 'abc'), (2, default) returning id, a, b, c, e
id:int4 | a:int4 | b:varchar | c:numeric | e:int4
2 | 1 | abc | 1.01 | 2
3 | 2 | x | 1.01 | 4
INSERT 0 2

> insert into s1.t (a) values (0)
ERROR 23514: new row for relation "t" violates check constraint "t_a_check"
DETAIL: Failing row contains (4, 0, x, 1.01, 2020-01-01 00:00:00, 0).

> insert into s1.t (a) values (null)
ERROR 23502: null value in column "a" of relation "t" violates not-null constraint
DETAIL: Failing row contains (5, null, x, 1.01, 2020-01-01 00:00:00, null).

> insert into s1.t (b) values ('toolong')
ERROR 22001: value too long for type character varying(5)

> insert into s1.t (c) values (12345.678)
ERROR 22003: numeric field overflow
DETAIL: A field with precision 5, scale 2 must round to an absolute value less than 10^3.

> insert into s1.t (e) values (1)
ERROR 428C9: cannot insert a non-DEFAULT value into column "e"
DETAIL: Column "e" is a generated column.

> insert into s1.t (a, b) values (1, 'abc')
ERROR 23505: duplicate key value violates unique constraint "t_a_b_key"
DETAIL: Key (a, b)=(1, abc) already exists.

> insert into s1.t (a, b) values (1, 'abc') on conflict (a, b) do update set c = excluded.c + 1 returning id, c
id:int4 | c:numeric
2 | 2.01
INSERT 0 1

> insert into s1.t (a, b) values (1, 'abc') on conflict on constraint t_a_b_key do nothing
INSERT 0 0

> insert into s1.t (a, b) values (1, 'abc') on conflict (b) do nothing
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> insert into s1.t (nosuch) values (1)
ERROR 42703: column "nosuch" of relation "t" does not exist

> insert into s1.t (a, a) values (1, 2)
ERROR 42701: column "a" specified more than once

> insert into s1.t (a) values (1, 2)
ERROR 42601: INSERT has more expressions than target columns

> insert into s1.t (a, b) values (1)
ERROR 42601: INSERT has more target columns than expressions

> select column_name, data_type, is_nullable, column_default, is_generated from information_schema.columns where table_schema = 's1' and table_name = 't' order by ordinal_position
column_name:name | data_type:varchar | is_nullable:varchar | column_default:varchar | is_generated:varchar
id | integer | NO | nextval('s1.t_id_seq'::regclass) | NEVER
a | integer | NO | 5 | NEVER
b | character varying | YES | 'x'::character varying | NEVER
c | numeric | YES | 1.005 | NEVER
d | timestamp without time zone | YES | '2020-01-01 00:00:00'::timestamp without time zone | NEVER
e | integer | YES | NULL | ALWAYS
SELECT 6

> select conname, contype, pg_get_constraintdef(oid) from pg_constraint where conrelid = 's1.t'::regclass order by conname
conname:name | contype:char | pg_get_constraintdef:text
t_a_b_key | u | UNIQUE (a, b)
t_a_check | c | CHECK ((a > 0))
t_pkey | p | PRIMARY KEY (id)
SELECT 3

> select indexname, indexdef from pg_indexes where schemaname = 's1' order by 1
indexname:name | indexdef:text
t_a_b_key | CREATE UNIQUE INDEX t_a_b_key ON s1.t USING btree (a, b)
t_pkey | CREATE UNIQUE INDEX t_pkey ON s1.t USING btree (id)
SELECT 2

> select nextval('s1.t_id_seq'), currval('s1.t_id_seq'), lastval()
nextval:int8 | currval:int8 | lastval:int8
9 | 9 | 9
SELECT 1

> select pg_get_serial_sequence('s1.t', 'id')
pg_get_serial_sequence:text
s1.t_id_seq
SELECT 1

> alter table s1.t add column f int default 7 not null
ALTER TABLE

> select distinct f from s1.t
f:int4
7
SELECT 1

> alter table s1.t add column g int not null
ERROR 23502: column "g" of relation "t" contains null values

> alter table s1.t alter column f drop default, alter column f type bigint, rename column nosuch to x
ERROR 42601: syntax error at or near "rename"

> alter table s1.t alter column f type text using f::text || '!'
ALTER TABLE

> select distinct f from s1.t
f:text
7!
SELECT 1

> alter table s1.t alter column f set default 'z'
ALTER TABLE

> alter table s1.t alter f drop not null
ALTER TABLE

> alter table s1.t add constraint pos check (a < 100) not valid
ALTER TABLE

> alter table s1.t validate constraint pos
ALTER TABLE

> alter table s1.t add constraint pos check (a < 100)
ERROR 42710: constraint "pos" for relation "t" already exists

> alter table s1.t add check (a > 3)
ERROR 23514: check constraint "t_a_check1" of relation "t" is violated by some row

> alter table s1.t drop constraint pos
ALTER TABLE

> alter table s1.t drop constraint pos
ERROR 42704: constraint "pos" of relation "t" does not exist

> alter table s1.t drop constraint if exists pos
NOTICE 00000: constraint "pos" of relation "t" does not exist, skipping
ALTER TABLE

> alter table s1.t drop column f
ALTER TABLE

> alter table s1.t drop column f
ERROR 42703: column "f" of relation "t" does not exist

> alter table s1.t drop column if exists f
NOTICE 00000: column "f" of relation "t" does not exist, skipping
ALTER TABLE

> alter table s1.t rename to t2
ALTER TABLE

> alter table s1.t2 rename column b to bb
ALTER TABLE

> alter table s1.t2 set schema public
ALTER TABLE

> select count(*) from t2
count:int8
3
SELECT 1

> alter table t2 alter column a type text
ERROR 0A000: cannot alter type of a column used by a generated column
DETAIL: Column "a" is used by generated column "e".

> alter table t2 alter column bb type int
ERROR 42804: column "bb" cannot be cast automatically to type integer
HINT: You might need to specify "USING bb::integer".

> alter table t2 alter column c set not null
ALTER TABLE

> create table t2 (a int)
ERROR 42P07: relation "t2" already exists

> create table if not exists t2 (a int)
NOTICE 42P07: relation "t2" already exists, skipping
CREATE TABLE

> create table x1 (a int, a text)
ERROR 42701: column "a" specified more than once

> create table x1 (a int primary key, b int primary key)
ERROR 42P16: multiple primary keys for table "x1" are not allowed

> create table x1 (a nosuchtype)
ERROR 42704: type "nosuchtype" does not exist

> create table x1 (a int default 'x')
ERROR 22P02: invalid input syntax for type integer: "x"

> create table x1 (a int default nosuch)
ERROR 0A000: cannot use column reference in DEFAULT expression

> create table x1 (a int check (b > 0))
ERROR 42703: column "b" does not exist

> create table x1 (a int references nosuch)
ERROR 42P01: relation "nosuch" does not exist

> create table x1 (a int references t2 (c))
ERROR 42830: there is no unique constraint matching given keys for referenced table "t2"

> create table x1 (a varchar(0))
ERROR 22023: length for type varchar must be at least 1

> create table x1 (a numeric(2000))
ERROR 22023: NUMERIC precision 2000 must be between 1 and 1000

> create table x1 ()
CREATE TABLE

> select * from x1
|
SELECT 0

> drop table x1
DROP TABLE

> create table idt (id int generated always as identity (start with 10 increment by 5), b int generated by default as identity, v text)
CREATE TABLE

> insert into idt (v) values ('a'), ('b') returning *
id:int4 | b:int4 | v:text
10 | 1 | a
15 | 2 | b
INSERT 0 2

> insert into idt (id, v) values (1, 'c')
ERROR 428C9: cannot insert a non-DEFAULT value into column "id"
DETAIL: Column "id" is an identity column defined as GENERATED ALWAYS.
HINT: Use OVERRIDING SYSTEM VALUE to override.

> insert into idt (id, v) overriding system value values (1, 'c') returning *
id:int4 | b:int4 | v:text
1 | 3 | c
INSERT 0 1

> insert into idt (b, v) values (100, 'd') returning *
id:int4 | b:int4 | v:text
20 | 100 | d
INSERT 0 1

> insert into idt (b, v) overriding user value values (200, 'e') returning *
id:int4 | b:int4 | v:text
25 | 4 | e
INSERT 0 1

> update idt set id = 5
ERROR 428C9: column "id" can only be updated to DEFAULT
DETAIL: Column "id" is an identity column defined as GENERATED ALWAYS.

> update idt set id = default where v = 'a' returning *
id:int4 | b:int4 | v:text
30 | 1 | a
UPDATE 1

> alter table idt alter column id restart with 1000
ALTER TABLE

> insert into idt (v) values ('z') returning id
id:int4
1000
INSERT 0 1

> alter table idt alter column b drop identity
ALTER TABLE

> alter table idt alter column b set generated always
ERROR 55000: column "b" of relation "idt" is not an identity column

> create sequence q1 start 5 increment 3 maxvalue 12 cycle
CREATE SEQUENCE

> select nextval('q1'), nextval('q1'), nextval('q1'), nextval('q1')
nextval:int8 | nextval:int8 | nextval:int8 | nextval:int8
5 | 8 | 11 | 1
SELECT 1

> alter sequence q1 restart
ALTER SEQUENCE

> select nextval('q1')
nextval:int8
5
SELECT 1

> alter sequence q1 increment -1 minvalue -2 maxvalue 6 start 6 no cycle
ALTER SEQUENCE

> select setval('q1', 1), nextval('q1'), nextval('q1')
setval:int8 | nextval:int8 | nextval:int8
1 | 0 | -1
SELECT 1

> select setval('q1', 100)
setval:int8
ERROR 22003: setval: value 100 is out of bounds for sequence "q1" (-2..6)

> select setval('q1', 3, false), nextval('q1')
setval:int8 | nextval:int8
3 | 3
SELECT 1

> select last_value, is_called from q1
last_value:int8 | is_called:bool
3 | t
SELECT 1

> create sequence q1
ERROR 42P07: relation "q1" already exists

> create sequence q2 increment 0
ERROR 22023: INCREMENT must not be zero

> create sequence q2 minvalue 10 maxvalue 5
ERROR 22023: MINVALUE (10) must be less than MAXVALUE (5)

> create sequence q2 as smallint maxvalue 100000
ERROR 22023: MAXVALUE (100000) is out of range for sequence data type smallint

> drop sequence q1
DROP SEQUENCE

> select nextval('q1')
ERROR 42P01: relation "q1" does not exist

> select currval('idt_id_seq')
currval:int8
1000
SELECT 1

> create index on t2 (lower(bb))
CREATE INDEX

> create index t2_part on t2 (a desc nulls last) where c > 1
CREATE INDEX

> create unique index t2_u on t2 (a, coalesce(bb, ''))
CREATE INDEX

> create index t2_inc on t2 (a) include (c, d)
CREATE INDEX

> create index t2_part on t2 (a)
ERROR 42P07: relation "t2_part" already exists

> create index if not exists t2_part on t2 (a)
NOTICE 42P07: relation "t2_part" already exists, skipping
CREATE INDEX

> create index on t2 (nosuch)
ERROR 42703: column "nosuch" does not exist

> create index on nosuch (a)
ERROR 42P01: relation "nosuch" does not exist

> create index on t2 (now())
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on t2 (random())
ERROR 42P17: functions in index expression must be marked IMMUTABLE

> create index on t2 (a) where random() > 0.5
ERROR 42P17: functions in index predicate must be marked IMMUTABLE

> select indexname, indexdef from pg_indexes where tablename = 't2' order by 1
indexname:name | indexdef:text
t2_inc | CREATE INDEX t2_inc ON public.t2 USING btree (a) INCLUDE (c, d)
t2_lower_idx | CREATE INDEX t2_lower_idx ON public.t2 USING btree (lower((bb)::text))
t2_part | CREATE INDEX t2_part ON public.t2 USING btree (a DESC NULLS LAST) WHERE (c > (1)::numeric)
t2_u | CREATE UNIQUE INDEX t2_u ON public.t2 USING btree (a, COALESCE(bb, ''::character varying))
t_a_b_key | CREATE UNIQUE INDEX t_a_b_key ON public.t2 USING btree (a, bb)
t_pkey | CREATE UNIQUE INDEX t_pkey ON public.t2 USING btree (id)
SELECT 6

> reindex table t2
REINDEX

> alter index t2_part rename to t2_p2
ALTER INDEX

> drop index t2_p2, t2_inc
DROP INDEX

> drop index t2_p2
ERROR 42704: index "t2_p2" does not exist

> drop index t2_pkey
ERROR 42704: index "t2_pkey" does not exist

> drop index t_pkey
ERROR 2BP01: cannot drop index t_pkey because constraint t_pkey on table t2 requires it
HINT: You can drop constraint t_pkey on table t2 instead.

> create table par (id int primary key, u int unique)
CREATE TABLE

> create table chi (id int primary key, p int references par on delete cascade on update cascade, q int references par (u) on delete set null, r int default 1 references par (id) on delete set default)
CREATE TABLE

> insert into par values (1, 10), (2, 20), (3, 30)
INSERT 0 3

> insert into chi values (1, 2, 20, 3), (2, 3, null, 2), (3, null, 10, 1)
INSERT 0 3

> insert into chi values (4, 9, null, 1)
ERROR 23503: insert or update on table "chi" violates foreign key constraint "chi_p_fkey"
DETAIL: Key (p)=(9) is not present in table "par".

> delete from par where id = 3
DELETE 1

> select * from chi order by id
id:int4 | p:int4 | q:int4 | r:int4
1 | 2 | 20 | 1
3 | NULL | 10 | 1
SELECT 2

> update par set id = 22 where id = 2
UPDATE 1

> select * from chi order by id
id:int4 | p:int4 | q:int4 | r:int4
1 | 22 | 20 | 1
3 | NULL | 10 | 1
SELECT 2

> delete from par where id = 22
DELETE 1

> select * from chi order by id
id:int4 | p:int4 | q:int4 | r:int4
3 | NULL | 10 | 1
SELECT 1

> delete from par
ERROR 23503: update or delete on table "par" violates foreign key constraint "chi_r_fkey" on table "chi"
DETAIL: Key (id)=(1) is still referenced from table "chi".

> truncate par
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "chi" references "par".
HINT: Truncate table "chi" at the same time, or use TRUNCATE ... CASCADE.

> truncate par cascade
NOTICE 00000: truncate cascades to table "chi"
TRUNCATE TABLE

> select count(*) from chi
count:int8
0
SELECT 1

> drop table par
ERROR 2BP01: cannot drop table par because other objects depend on it
DETAIL: constraint chi_p_fkey on table chi depends on table par\nconstraint chi_q_fkey on table chi depends on table par\nconstraint chi_r_fkey on table chi depends on table par
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table par cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to constraint chi_p_fkey on table chi\ndrop cascades to constraint chi_q_fkey on table chi\ndrop cascades to constraint chi_r_fkey on table chi
DROP TABLE

> select conname from pg_constraint where conrelid = 'chi'::regclass order by 1
conname:name
chi_pkey
SELECT 1

> drop schema s1
DROP SCHEMA

> create table s1.z (a int)
ERROR 3F000: schema "s1" does not exist

> drop schema s1
ERROR 3F000: schema "s1" does not exist

> drop schema s1 cascade
ERROR 3F000: schema "s1" does not exist

> drop schema if exists s1
NOTICE 00000: schema "s1" does not exist, skipping
DROP SCHEMA

> create schema pg_x
ERROR 42939: unacceptable schema name "pg_x"
DETAIL: The prefix "pg_" is reserved for system schemas.

> create schema authorization postgres
CREATE SCHEMA

> drop table nosuch
ERROR 42P01: table "nosuch" does not exist

> drop table if exists nosuch
NOTICE 00000: table "nosuch" does not exist, skipping
DROP TABLE

> drop table chi, t2, idt
DROP TABLE

> create temp table tt (a int) on commit drop
CREATE TABLE

> create table as1 as select 1 as a, 'x'::text as b
SELECT 1

> select * from as1
a:int4 | b:text
1 | x
SELECT 1

> create table as2 (p, q) as select * from as1 with no data
CREATE TABLE AS

> select * from as2
p:int4 | q:text
SELECT 0

> create table as3 (p) as select 1, 2
SELECT 1

> create table lk (like as1 including all)
CREATE TABLE

> insert into lk select * from as1 returning *
a:int4 | b:text
1 | x
INSERT 0 1

> comment on table lk is 'hello'
COMMENT

> select obj_description('lk'::regclass)
obj_description:text
hello
SELECT 1

> comment on column lk.a is 'col'
COMMENT

> select col_description('lk'::regclass, 1)
col_description:text
col
SELECT 1

> comment on column lk.zz is 'col'
ERROR 42703: column "zz" of relation "lk" does not exist

> drop table as1, as2, lk
DROP TABLE

> begin
BEGIN

> create table tx (a int)
CREATE TABLE

> insert into tx values (1)
INSERT 0 1

> rollback
ROLLBACK

> select * from tx
ERROR 42P01: relation "tx" does not exist

