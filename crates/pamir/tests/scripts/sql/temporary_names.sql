# Temporary objects: what names mean and definitions show, sequences, constraints, what ends with a commit.

> create temp table first0 (a int)
CREATE TABLE


> select current_schemas(true)::text ~ '^\{pg_temp_[0-9]+,pg_catalog,public\}$', current_schema()
?column?:bool | current_schema:name
t | public
SELECT 1

> set search_path = public, pg_temp
SET

> select current_schemas(true)::text ~ '^\{pg_catalog,public,pg_temp_[0-9]+\}$', current_schemas(false)::text ~ '^\{public,pg_temp_[0-9]+\}$'
?column?:bool | ?column?:bool
t | t
SELECT 1

> reset search_path
RESET

> set search_path = pg_temp, public
SET

> select current_schema() ~ 'pg_temp_'
?column?:bool
t
SELECT 1

> create table frompath (a int)
CREATE TABLE

> select relpersistence from pg_class where relname = 'frompath'
relpersistence:char
t
SELECT 1

> create table public.frompath (a int, b int)
CREATE TABLE

> select * from frompath
a:int4
SELECT 0

> select * from public.frompath
a:int4 | b:int4
SELECT 0

> create sequence fps
CREATE SEQUENCE

> select relpersistence from pg_class where relname = 'fps'
relpersistence:char
t
SELECT 1

> create index fpi on frompath (a)
CREATE INDEX

> alter table frompath add primary key (a)
ALTER TABLE

> reset search_path
RESET

> create temp table pg_class (a int)
CREATE TABLE

> insert into pg_class values (42)
INSERT 0 1

> select a from pg_class
a:int4
42
SELECT 1

> select count(*) > 10 from pg_catalog.pg_class
?column?:bool
t
SELECT 1

> drop table pg_class
DROP TABLE

> select count(*) > 10 from pg_class
?column?:bool
t
SELECT 1

> create temp table s1 (id int generated always as identity (start 7), k smallserial, t text)
CREATE TABLE

> insert into s1 (t) values ('a'), ('b')
INSERT 0 2

> select * from s1
id:int4 | k:int2 | t:text
7 | 1 | a
8 | 2 | b
SELECT 2

> select pg_get_serial_sequence('s1', 'id') ~ 'pg_temp', pg_get_serial_sequence('s1', 'k') ~ 'pg_temp_[0-9]+.s1_k_seq'
?column?:bool | ?column?:bool
t | f
SELECT 1

> select currval(pg_get_serial_sequence('s1', 'k'))
currval:int8
2
SELECT 1

> select lastval()
lastval:int8
2
SELECT 1

> alter table s1 alter id restart with 100
ALTER TABLE

> insert into s1 (t) values ('c') returning id
id:int4
100
INSERT 0 1

> alter table s1 alter id drop identity
ALTER TABLE

> insert into s1 values (1, 1, 'd')
INSERT 0 1

> truncate s1 restart identity
TRUNCATE TABLE

> insert into s1 (id, t) values (1, 'e') returning k
k:int2
1
INSERT 0 1

> drop sequence s1_k_seq
ERROR 2BP01: cannot drop sequence s1_k_seq because other objects depend on it
DETAIL: default value for column k of table s1 depends on sequence s1_k_seq
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop sequence s1_k_seq cascade
NOTICE 00000: drop cascades to default value for column k of table s1
DROP SEQUENCE

> insert into s1 (id, t) values (2, 'f')
ERROR 23502: null value in column "k" of relation "s1" violates not-null constraint
DETAIL: Failing row contains (2, null, f).

> create temp sequence q1 minvalue 1 maxvalue 2
CREATE SEQUENCE

> select nextval('q1'), nextval('q1')
nextval:int8 | nextval:int8
1 | 2
SELECT 1

> select nextval('q1')
nextval:int8
ERROR 2200H: nextval: reached maximum value of sequence "q1" (2)

> select setval('q1', 1)
setval:int8
1
SELECT 1

> select nextval('q1')
nextval:int8
2
SELECT 1

> begin
BEGIN

> select setval('q1', 1)
setval:int8
1
SELECT 1

> rollback
ROLLBACK

> select nextval('q1')
nextval:int8
2
SELECT 1

> alter sequence q1 cycle
ALTER SEQUENCE

> select nextval('q1')
nextval:int8
1
SELECT 1

> alter sequence q1 rename to q2
ALTER SEQUENCE

> select nextval('q2')
nextval:int8
2
SELECT 1

> drop sequence q2
DROP SEQUENCE

> select nextval('q2')
ERROR 42P01: relation "q2" does not exist

> create temp table a1 (x int)
CREATE TABLE

> create sequence public.pubseq owned by a1.x
ERROR 55000: sequence must be in same schema as table it is linked to

> create temp sequence ts owned by public.frompath.a
ERROR 55000: sequence must be in same schema as table it is linked to

> alter sequence public.frompath_seq owned by a1.x
ERROR 42P01: relation "public.frompath_seq" does not exist

> create temp table chk (a int constraint pos check (a > 0), b int not null default 3, unique (a, b))
CREATE TABLE

> insert into chk values (0, 1)
ERROR 23514: new row for relation "chk" violates check constraint "pos"
DETAIL: Failing row contains (0, 1).

> insert into chk values (1, null)
ERROR 23502: null value in column "b" of relation "chk" violates not-null constraint
DETAIL: Failing row contains (1, null).

> insert into chk values (1), (1)
ERROR 23505: duplicate key value violates unique constraint "chk_a_b_key"
DETAIL: Key (a, b)=(1, 3) already exists.

> insert into chk values (1) returning *
a:int4 | b:int4
1 | 3
INSERT 0 1

> alter table chk add constraint big check (b > 100)
ERROR 23514: check constraint "big" of relation "chk" is violated by some row

> alter table chk add constraint big check (b > 100) not valid
ALTER TABLE

> insert into chk values (2)
ERROR 23514: new row for relation "chk" violates check constraint "big"
DETAIL: Failing row contains (2, 3).

> alter table chk validate constraint big
ERROR 23514: check constraint "big" of relation "chk" is violated by some row

> alter table chk drop constraint big
ALTER TABLE

> alter table chk rename constraint pos to pos2
ALTER TABLE

> insert into chk values (-1)
ERROR 23514: new row for relation "chk" violates check constraint "pos2"
DETAIL: Failing row contains (-1, 3).

> alter table chk alter a set not null
ALTER TABLE

> alter table chk alter a type text using a::text || 'z'
ERROR 42883: operator does not exist: text > integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select * from chk
a:int4 | b:int4
1 | 3
SELECT 1

> alter table chk drop constraint pos2
ALTER TABLE

> alter table chk alter a type text using a::text || 'z'
ALTER TABLE

> select * from chk
a:text | b:int4
1z | 3
SELECT 1

> create temp table fk1 (a int primary key)
CREATE TABLE

> create temp table fk2 (a int references fk1 on delete cascade on update cascade deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into fk2 values (1)
INSERT 0 1

> insert into fk1 values (1)
INSERT 0 1

> commit
COMMIT

> begin
BEGIN

> insert into fk2 values (2)
INSERT 0 1

> commit
ERROR 23503: insert or update on table "fk2" violates foreign key constraint "fk2_a_fkey"
DETAIL: Key (a)=(2) is not present in table "fk1".

> update fk1 set a = 9
UPDATE 1

> select * from fk2
a:int4
9
SELECT 1

> delete from fk1
DELETE 1

> select * from fk2
a:int4
SELECT 0

> drop table fk1
ERROR 2BP01: cannot drop table fk1 because other objects depend on it
DETAIL: constraint fk2_a_fkey on table fk2 depends on table fk1
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table fk1 cascade
NOTICE 00000: drop cascades to constraint fk2_a_fkey on table fk2
DROP TABLE

> insert into fk2 values (77)
INSERT 0 1

> alter table fk2 add constraint f foreign key (a) references nothere
ERROR 42P01: relation "nothere" does not exist

> select relname, relkind, relpersistence from pg_class where relname in ('chk', 'chk_a_b_key', 's1') order by 1
relname:name | relkind:char | relpersistence:char
chk | r | t
chk_a_b_key | i | t
s1 | r | t
SELECT 3

> select indexdef ~ 'pg_temp_[0-9]+.chk' from pg_indexes where tablename = 'chk'
?column?:bool
f
SELECT 1

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'fk2'::regclass
conname:name | pg_get_constraintdef:text
SELECT 0

> create temp table if not exists chk (a int)
NOTICE 42P07: relation "chk" already exists, skipping
CREATE TABLE

> create table if not exists pg_temp.chk (a int)
NOTICE 42P07: relation "chk" already exists, skipping
CREATE TABLE

> create temp table chk as select 1
ERROR 42P07: relation "chk" already exists

> create temp table if not exists chk as select 1
NOTICE 42P07: relation "chk" already exists, skipping
CREATE TABLE AS

> create temp table w1 (a, b) as values (1, 'x'), (2, 'y') 
SELECT 2

> select * from w1
a:int4 | b:text
1 | x
2 | y
SELECT 2

> create temp table w2 with (fillfactor = 70) on commit preserve rows as table w1 with no data
CREATE TABLE AS

> select count(*) from w2
count:int8
0
SELECT 1

> create temp table w3 on commit drop as select 1
SELECT 1

> select * from w3
ERROR 42P01: relation "w3" does not exist

> create table w4 on commit drop as select 1
ERROR 42P16: ON COMMIT can only be used on temporary tables

> create table pg_temp.w5 on commit delete rows as select 1 as a
ERROR 42P16: ON COMMIT can only be used on temporary tables

> select * from w5
ERROR 42P01: relation "w5" does not exist

> begin
BEGIN

> create temp table w6 on commit drop as select 1 as a
SELECT 1

> insert into w6 values (2)
INSERT 0 1

> select * from w6
a:int4
1
2
SELECT 2

> commit
COMMIT

> select * from w6
ERROR 42P01: relation "w6" does not exist

> begin
BEGIN

> create temp table odr (a int primary key) on commit drop
CREATE TABLE

> create temp table odk (a int references odr) on commit preserve rows
CREATE TABLE

> commit
COMMIT

> create temp table del1 (a int) on commit delete rows
CREATE TABLE

> begin
BEGIN

> insert into del1 values (1)
INSERT 0 1

> declare dc cursor with hold for select * from del1
DECLARE CURSOR

> commit
COMMIT

> fetch all from dc
a:int4
1
FETCH 1

> select * from del1
a:int4
SELECT 0

> close dc
CLOSE CURSOR

> begin
BEGIN

> insert into del1 values (1)
INSERT 0 1

> savepoint s
SAVEPOINT

> insert into del1 values (2)
INSERT 0 1

> rollback to s
ROLLBACK

> select * from del1
a:int4
1
SELECT 1

> end
COMMIT

> select * from del1
a:int4
SELECT 0

> discard all
DISCARD ALL

> select relname from pg_class where relpersistence = 't' and relname !~ 'toast'
relname:name
SELECT 0

> create temp table z1 (a int)
CREATE TABLE

> discard temporary
DISCARD TEMP

> select * from z1
ERROR 42P01: relation "z1" does not exist

> begin
BEGIN

> create temp table z2 (a int)
CREATE TABLE

> discard temp
DISCARD TEMP

> rollback
ROLLBACK

> begin
BEGIN

> discard all
ERROR 25001: DISCARD ALL cannot run inside a transaction block

> rollback
ROLLBACK

> create temp table s1 (k serial primary key, a int references s1, check (a > 0))
CREATE TABLE

> create temp table p (a int)
CREATE TABLE

> create table p (b int)
CREATE TABLE

> create index pix on s1 (a) where a > 3
CREATE INDEX

> select pg_get_serial_sequence('s1','k')
pg_get_serial_sequence:text
pg_temp.s1_k_seq
SELECT 1

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 's1'::regclass
pg_get_expr:text
nextval('s1_k_seq'::regclass)
SELECT 1

> set search_path = public, pg_temp
SET

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 's1'::regclass order by 1
pg_get_constraintdef:text
CHECK ((a > 0))
FOREIGN KEY (a) REFERENCES s1(k)
PRIMARY KEY (k)
SELECT 3

> select pg_get_indexdef('pix'::regclass) 
pg_get_indexdef:text
CREATE INDEX pix ON pg_temp.s1 USING btree (a) WHERE (a > 3)
SELECT 1

> set search_path = ''
SET

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'pg_temp.s1'::regclass
pg_get_expr:text
nextval('s1_k_seq'::regclass)
SELECT 1

> select pg_get_indexdef('pg_temp.pix'::regclass)
pg_get_indexdef:text
CREATE INDEX pix ON pg_temp.s1 USING btree (a) WHERE (a > 3)
SELECT 1

> select 'pg_temp.s1'::regclass::text
text:text
s1
SELECT 1

> drop sequence pg_temp.s1_k_seq
ERROR 2BP01: cannot drop sequence s1_k_seq because other objects depend on it
DETAIL: default value for column k of table s1 depends on sequence s1_k_seq
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table pg_temp.s1 restrict
DROP TABLE

> reset search_path
RESET

> create temp table c (a int references s1)
ERROR 42P01: relation "s1" does not exist

> drop table s1
ERROR 42P01: table "s1" does not exist

> set search_path = public, pg_temp
SET

> drop table s1
ERROR 42P01: table "s1" does not exist

> create table s1 (a int)
CREATE TABLE

> drop table pg_temp.s1
ERROR 42P01: table "s1" does not exist

> select to_regnamespace('pg_temp') is null, has_schema_privilege('pg_temp', 'usage')
?column?:bool | has_schema_privilege:bool
ERROR 3F000: schema "pg_temp" does not exist

