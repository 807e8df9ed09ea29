# Temporary tables: names, definitions, transactions, what is refused.

> create table p (id int primary key, v text)
CREATE TABLE

> insert into p values (1,'perm'),(2,'perm2')
INSERT 0 2

> select pg_my_temp_schema()
pg_my_temp_schema:oid
0
SELECT 1

> select * from pg_temp.nope
ERROR 42P01: relation "pg_temp.nope" does not exist

> drop table pg_temp.nope
ERROR 3F000: schema "pg_temp" does not exist

> drop table if exists pg_temp.nope
NOTICE 00000: schema "pg_temp" does not exist, skipping
DROP TABLE

> create temp table t (id serial primary key, a int unique, b text default 'x' check (b <> 'bad'), c int generated always as (a * 2) stored)
CREATE TABLE

> insert into t (a) values (10), (20) returning *
id:int4 | a:int4 | b:text | c:int4
1 | 10 | x | 20
2 | 20 | x | 40
INSERT 0 2

> insert into t (a) values (10)
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(10) already exists.

> insert into t (a, b) values (30, 'bad')
ERROR 23514: new row for relation "t" violates check constraint "t_b_check"
DETAIL: Failing row contains (4, 30, bad, 60).

> select * from t order by id
id:int4 | a:int4 | b:text | c:int4
1 | 10 | x | 20
2 | 20 | x | 40
SELECT 2

> select a from t where a = 20
a:int4
20
SELECT 1

> update t set a = a + 1
UPDATE 2

> select * from t order by id
id:int4 | a:int4 | b:text | c:int4
1 | 11 | x | 22
2 | 21 | x | 42
SELECT 2

> delete from t where id = 1
DELETE 1

> select count(*) from t
count:int8
1
SELECT 1

> create index on t (b)
CREATE INDEX

> select b from t where b = 'x'
b:text
x
SELECT 1

> create temp table p (id int, v text)
CREATE TABLE

> select * from p
id:int4 | v:text
SELECT 0

> insert into p values (9,'temp')
INSERT 0 1

> select * from p
id:int4 | v:text
9 | temp
SELECT 1

> select * from public.p
id:int4 | v:text
1 | perm
2 | perm2
SELECT 2

> select * from pg_temp.p
id:int4 | v:text
9 | temp
SELECT 1

> select 'p'::regclass, 'public.p'::regclass, 'pg_temp.p'::regclass::text
regclass:regclass | regclass:regclass | text:text
p | public.p | p
SELECT 1

> set search_path = public, pg_temp
SET

> select * from p order by id
id:int4 | v:text
1 | perm
2 | perm2
SELECT 2

> select 'p'::regclass, 'public.p'::regclass
regclass:regclass | regclass:regclass
p | p
SELECT 1

> select 'pg_temp.p'::regclass::text ~ 'pg_temp'
?column?:bool
t
SELECT 1

> create table q (a int)
CREATE TABLE

> drop table q
DROP TABLE

> set search_path = pg_temp, public
SET

> create table q (a int)
CREATE TABLE

> select relpersistence from pg_class where relname='q'
relpersistence:char
t
SELECT 1

> reset search_path
RESET

> select relname, relpersistence, relkind, relnamespace = pg_my_temp_schema() as own from pg_class where relpersistence = 't' and relname not like 'pg_toast%' order by 1
relname:name | relpersistence:char | relkind:char | own:bool
p | t | r | t
q | t | r | t
t | t | r | t
t_a_key | t | i | t
t_b_idx | t | i | t
t_id_seq | t | S | t
t_pkey | t | i | t
SELECT 7

> drop table p
DROP TABLE

> select * from p order by id
id:int4 | v:text
1 | perm
2 | perm2
SELECT 2

> create temp table public.zz (a int)
ERROR 42P16: cannot create temporary relation in non-temporary schema

> create table pg_temp.zz (a int)
CREATE TABLE

> create unlogged table pg_temp.zz2 (a int)
ERROR 42P16: only temporary relations may be created in temporary schemas

> create table zz3 (a int) on commit drop
ERROR 42P16: ON COMMIT can only be used on temporary tables

> create temp table zz (a int)
ERROR 42P07: relation "zz" already exists

> create temp table if not exists zz (a int)
NOTICE 42P07: relation "zz" already exists, skipping
CREATE TABLE

> create temp table child (a int references p(id))
ERROR 42P16: constraints on temporary tables may reference only temporary tables

> create table child (a int references t(id))
ERROR 42P16: constraints on permanent tables may reference only permanent tables

> create temp table child (a int references t(id) on delete cascade)
CREATE TABLE

> insert into child values (2)
INSERT 0 1

> insert into child values (77)
ERROR 23503: insert or update on table "child" violates foreign key constraint "child_a_fkey"
DETAIL: Key (a)=(77) is not present in table "t".

> delete from t where id = 2
DELETE 1

> select * from child
a:int4
SELECT 0

> alter table t set schema public
ERROR 0A000: cannot move objects into or out of temporary schemas

> alter table public.p set schema pg_temp
ERROR 0A000: cannot move objects into or out of temporary schemas

> alter table t add column d int default 5
ALTER TABLE

> select * from t
id:int4 | a:int4 | b:text | c:int4 | d:int4
SELECT 0

> alter table t rename to t2
ALTER TABLE

> alter table t2 rename column a to aa
ALTER TABLE

> select * from t2
id:int4 | aa:int4 | b:text | c:int4 | d:int4
SELECT 0

> insert into t2(aa) values (1),(2),(3)
INSERT 0 3

> select id, aa from t2 order by 1
id:int4 | aa:int4
5 | 1
6 | 2
7 | 3
SELECT 3

> truncate t2
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "child" references "t2".
HINT: Truncate table "child" at the same time, or use TRUNCATE ... CASCADE.

> truncate t2, child restart identity
TRUNCATE TABLE

> insert into t2(aa) values (5) returning id
id:int4
1
INSERT 0 1

> create temp sequence s start 5
CREATE SEQUENCE

> select nextval('s'), currval('s')
nextval:int8 | currval:int8
5 | 5
SELECT 1

> select nextval('pg_temp.s')
nextval:int8
6
SELECT 1

> select last_value, is_called from s
last_value:int8 | is_called:bool
6 | t
SELECT 1

> alter sequence s restart 100
ALTER SEQUENCE

> select nextval('s')
nextval:int8
100
SELECT 1

> begin
BEGIN

> create temp table r (a int)
CREATE TABLE

> insert into r values (1)
INSERT 0 1

> select * from r
a:int4
1
SELECT 1

> rollback
ROLLBACK

> select * from r
ERROR 42P01: relation "r" does not exist

> begin
BEGIN

> create temp table r (a int)
CREATE TABLE

> savepoint a
SAVEPOINT

> insert into r values (1)
INSERT 0 1

> savepoint b
SAVEPOINT

> insert into r values (2)
INSERT 0 1

> rollback to b
ROLLBACK

> select * from r
a:int4
1
SELECT 1

> rollback to a
ROLLBACK

> select * from r
a:int4
SELECT 0

> insert into r values (3)
INSERT 0 1

> commit
COMMIT

> select * from r
a:int4
3
SELECT 1

> begin
BEGIN

> savepoint a
SAVEPOINT

> create temp table r2 (a int)
CREATE TABLE

> rollback to a
ROLLBACK

> select * from r2
ERROR 42P01: relation "r2" does not exist

> rollback
ROLLBACK

> begin
BEGIN

> drop table r
DROP TABLE

> rollback
ROLLBACK

> select * from r
a:int4
3
SELECT 1

> begin
BEGIN

> truncate r
TRUNCATE TABLE

> select * from r
a:int4
SELECT 0

> rollback
ROLLBACK

> select * from r
a:int4
3
SELECT 1

> begin
BEGIN

> create temp table oc (a int) on commit delete rows
CREATE TABLE

> insert into oc values (1)
INSERT 0 1

> select * from oc
a:int4
1
SELECT 1

> commit
COMMIT

> select * from oc
a:int4
SELECT 0

> begin
BEGIN

> create temp table od (a int) on commit drop
CREATE TABLE

> insert into od values (1)
INSERT 0 1

> select * from od
a:int4
1
SELECT 1

> commit
COMMIT

> select * from od
ERROR 42P01: relation "od" does not exist

> begin
BEGIN

> create temp table od (a int) on commit drop as select 1 as a
ERROR 42601: syntax error at or near "as"

> select * from od
ERROR 25P02: current transaction is aborted, commands ignored until end of transaction block

> commit
ROLLBACK

> select * from od
ERROR 42P01: relation "od" does not exist

> create temp table cta on commit delete rows as select g from generate_series(1,3) g
SELECT 3

> select * from cta
g:int4
SELECT 0

> create temp table cta2 as select g, g*2 as h from generate_series(1,3) g
SELECT 3

> select * from cta2
g:int4 | h:int4
1 | 2
2 | 4
3 | 6
SELECT 3

> select 1 as x into temp si
SELECT 1

> select * from si
x:int4
1
SELECT 1

> select 1 as x into temporary table si2
SELECT 1

> begin
BEGIN

> create temp table f1 (a int primary key) on commit delete rows
CREATE TABLE

> create temp table f2 (a int references f1)
CREATE TABLE

> commit
ERROR 0A000: unsupported ON COMMIT and foreign key combination
DETAIL: Table "f2" references "f1", but they do not have the same ON COMMIT setting.

> begin read only
BEGIN

> insert into r values (4)
INSERT 0 1

> select * from r
a:int4
3
4
SELECT 2

> insert into p values (3,'x')
ERROR 25006: cannot execute INSERT in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> update r set a=5
UPDATE 1

> delete from r
DELETE 1

> select * from r
a:int4
SELECT 0

> select * from r for update
a:int4
SELECT 0

> rollback
ROLLBACK

> begin read only
BEGIN

> create temp table ro (a int)
ERROR 25006: cannot execute CREATE TABLE in a read-only transaction

> rollback
ROLLBACK

> begin read only
BEGIN

> select nextval('s')
nextval:int8
101
SELECT 1

> rollback
ROLLBACK

> begin read only
BEGIN

> copy r from stdin
< 7
COPY 1

> select * from r
a:int4
3
7
SELECT 2

> commit
COMMIT

> select * from r
a:int4
3
7
SELECT 2

> begin
BEGIN

> insert into r values (6)
INSERT 0 1

> prepare transaction 'x1'
ERROR 0A000: cannot PREPARE a transaction that has operated on temporary objects

> begin
BEGIN

> select * from r
a:int4
3
7
SELECT 2

> prepare transaction 'x1'
ERROR 0A000: cannot PREPARE a transaction that has operated on temporary objects

> begin
BEGIN

> select 1
?column?:int4
1
SELECT 1

> prepare transaction 'x2'
PREPARE TRANSACTION

> rollback prepared 'x2'
ROLLBACK PREPARED

> insert into r select a+1 from r
INSERT 0 2

> select * from r order by 1
a:int4
3
4
7
8
SELECT 4

> insert into r select a+1 from r
INSERT 0 4

> select count(*) from r
count:int8
8
SELECT 1

> begin
BEGIN

> declare c cursor for select a from r order by a
DECLARE CURSOR

> fetch 1 from c
a:int4
3
FETCH 1

> delete from r
DELETE 8

> fetch 2 from c
a:int4
4
4
FETCH 2

> select count(*) from r
count:int8
0
SELECT 1

> commit
COMMIT

> begin
BEGIN

> declare c cursor with hold for select * from cta2
DECLARE CURSOR

> commit
COMMIT

> fetch all from c
g:int4 | h:int4
1 | 2
2 | 4
3 | 6
FETCH 3

> close c
CLOSE CURSOR

> analyze cta2
ANALYZE

> select reltuples from pg_class where relname='cta2'
reltuples:float4
3
SELECT 1

> vacuum cta2
VACUUM

> reindex table t2
REINDEX

> comment on table t2 is 'hi'
COMMENT

> select obj_description('t2'::regclass)
obj_description:text
hi
SELECT 1

> grant select on t2 to public
GRANT

> select relacl from pg_class where relname = 't2'
relacl:_aclitem
{postgres=arwdDxt/postgres,=r/postgres}
SELECT 1

> select table_type, commit_action, table_name from information_schema.tables where table_schema like 'pg_temp%' order by 3
table_type:varchar | commit_action:varchar | table_name:name
LOCAL TEMPORARY | NULL | child
LOCAL TEMPORARY | NULL | cta
LOCAL TEMPORARY | NULL | cta2
LOCAL TEMPORARY | NULL | oc
LOCAL TEMPORARY | NULL | q
LOCAL TEMPORARY | NULL | r
LOCAL TEMPORARY | NULL | si
LOCAL TEMPORARY | NULL | si2
LOCAL TEMPORARY | NULL | t2
LOCAL TEMPORARY | NULL | zz
SELECT 10

> select schemaname ~ 'pg_temp', tablename from pg_tables where schemaname like 'pg_temp%' order by 2
?column?:bool | tablename:name
t | child
t | cta
t | cta2
t | oc
t | q
t | r
t | si
t | si2
t | t2
t | zz
SELECT 10

> lock table t2
ERROR 25P01: LOCK TABLE can only be used in transaction blocks

> begin
BEGIN

> lock table t2
LOCK TABLE

> commit
COMMIT

> select current_schemas(false)
current_schemas:_name
{public}
SELECT 1

> select current_schemas(true)::text ~ 'pg_temp'
?column?:bool
t
SELECT 1

> alter table t2 set logged
ERROR 42P16: cannot change logged status of table "t2" because it is temporary

> alter table t2 set unlogged
ERROR 42P16: cannot change logged status of table "t2" because it is temporary

> create temp table self (a int primary key, b int references self)
CREATE TABLE

> insert into self values (1,1),(2,1)
INSERT 0 2

> insert into self values (3,9)
ERROR 23503: insert or update on table "self" violates foreign key constraint "self_b_fkey"
DETAIL: Key (b)=(9) is not present in table "self".


> drop index t2_b_idx
ERROR 42704: index "t2_b_idx" does not exist

> drop index t_b_idx
DROP INDEX

> create unique index on r (a)
CREATE INDEX

> insert into r values (1),(1)
ERROR 23505: duplicate key value violates unique constraint "r_a_idx"
DETAIL: Key (a)=(1) already exists.

> insert into r values (1),(1) on conflict do nothing
INSERT 0 1

> select * from r
a:int4
1
SELECT 1

> insert into r values (1) on conflict (a) do update set a = 99
INSERT 0 1

> select * from r
a:int4
99
SELECT 1

> drop table r cascade
DROP TABLE

> drop table t2
ERROR 2BP01: cannot drop table t2 because other objects depend on it
DETAIL: constraint child_a_fkey on table child depends on table t2
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table t2, child
DROP TABLE

> drop sequence s
DROP SEQUENCE

> discard temp
DISCARD TEMP

> select relname from pg_class where relpersistence = 't' and relname not like 'pg_toast%'
relname:name
SELECT 0

> select * from zz
ERROR 42P01: relation "zz" does not exist

> create temp table again (a int)
CREATE TABLE

> discard all
DISCARD ALL

> select * from again
ERROR 42P01: relation "again" does not exist

> select pg_my_temp_schema() <> 0
?column?:bool
t
SELECT 1


# Statements do not see their own writes; what savepoints undo is undone everywhere.
> create temp table h (k int primary key, v int)
CREATE TABLE

> create index on h (v)
CREATE INDEX

> insert into h select g, g % 3 from generate_series(1, 9) g
INSERT 0 9

> update h set k = k + 100 where v = 1
UPDATE 3

> select * from h order by k
k:int4 | v:int4
2 | 2
3 | 0
5 | 2
6 | 0
8 | 2
9 | 0
101 | 1
104 | 1
107 | 1
SELECT 9

> update h set v = v + 1
UPDATE 9

> select v, count(*) from h group by v order by v
v:int4 | count:int8
1 | 3
2 | 3
3 | 3
SELECT 3

> insert into h select k + 1000, v from h
INSERT 0 9

> select count(*), sum(k) from h
count:int8 | sum:int8
18 | 9690
SELECT 1

> delete from h using h h2 where h.k = h2.k + 1000
DELETE 9

> select count(*), sum(k) from h
count:int8 | sum:int8
9 | 345
SELECT 1

> begin
BEGIN

> update h set v = 7 where k = 2
UPDATE 1

> savepoint a
SAVEPOINT

> delete from h where v = 7
DELETE 1

> insert into h values (2, 8)
INSERT 0 1

> update h set v = 9 where k = 2
UPDATE 1

> select * from h where k = 2
k:int4 | v:int4
2 | 9
SELECT 1

> select k from h where v in (7, 8, 9)
k:int4
2
SELECT 1

> rollback to a
ROLLBACK

> select * from h where k = 2
k:int4 | v:int4
2 | 7
SELECT 1

> select k from h where v in (7, 8, 9)
k:int4
2
SELECT 1

> savepoint b
SAVEPOINT

> truncate h
TRUNCATE TABLE

> insert into h values (1, 1)
INSERT 0 1

> select * from h
k:int4 | v:int4
1 | 1
SELECT 1

> rollback to b
ROLLBACK

> select count(*) from h
count:int8
9
SELECT 1

> drop table h
DROP TABLE

> select * from h
ERROR 42P01: relation "h" does not exist

> rollback
ROLLBACK

> select count(*) from h
count:int8
9
SELECT 1

> select k from h where v = 7
k:int4
SELECT 0

> begin
BEGIN

> declare c scroll cursor for select k, v from h order by v, k
DECLARE CURSOR

> fetch 2 from c
k:int4 | v:int4
3 | 1
6 | 1
FETCH 2

> update h set v = v + 10
UPDATE 9

> delete from h where k < 5
DELETE 2

> fetch 2 from c
k:int4 | v:int4
9 | 1
101 | 2
FETCH 2

> fetch backward 1 from c
k:int4 | v:int4
9 | 1
FETCH 1

> fetch last from c
k:int4 | v:int4
8 | 3
FETCH 1

> commit
COMMIT

> select * from h order by k
k:int4 | v:int4
5 | 13
6 | 11
8 | 13
9 | 11
101 | 12
104 | 12
107 | 12
SELECT 7

> create table perm (k int primary key, v text)
CREATE TABLE

> insert into perm select g, 'p' || g from generate_series(1, 9) g
INSERT 0 9

> select h.k, perm.v from h join perm using (k) order by k
k:int4 | v:text
5 | p5
6 | p6
8 | p8
9 | p9
SELECT 4

> update perm set v = 'q' from h where h.k = perm.k
UPDATE 4

> select * from perm order by k
k:int4 | v:text
1 | p1
2 | p2
3 | p3
4 | p4
5 | q
6 | q
7 | p7
8 | q
9 | q
SELECT 9

> delete from perm where k in (select k from h)
DELETE 4

> select count(*) from perm
count:int8
5
SELECT 1

> begin
BEGIN

> insert into perm values (100, 'x')
INSERT 0 1

> insert into h values (100, 1)
INSERT 0 1

> savepoint a
SAVEPOINT

> insert into perm select k + 200, 'y' from h where k = 100
INSERT 0 1

> insert into h select k + 300, 2 from perm where k = 100
INSERT 0 1

> select count(*) from perm
count:int8
7
SELECT 1

> select count(*) from h
count:int8
9
SELECT 1

> rollback to a
ROLLBACK

> select count(*) from perm
count:int8
6
SELECT 1

> select count(*) from h
count:int8
8
SELECT 1

> insert into perm values (100, 'again')
ERROR 23505: duplicate key value violates unique constraint "perm_pkey"
DETAIL: Key (k)=(100) already exists.

> rollback
ROLLBACK

> select count(*) from perm
count:int8
5
SELECT 1

> select count(*) from h
count:int8
7
SELECT 1

> with gone as (delete from h where k > 100 returning k) insert into perm select k, 'gone' from gone returning *
k:int4 | v:text
101 | gone
104 | gone
107 | gone
INSERT 0 3

> select count(*) from h
count:int8
4
SELECT 1

> prepare ph (int) as select v from h where k = $1
PREPARE

> execute ph (6)
v:int4
11
SELECT 1

> alter table h add column w int default 3
ALTER TABLE

> execute ph (6)
v:int4
11
SELECT 1

> prepare pw as select * from h order by k limit 1
PREPARE

> execute pw
k:int4 | v:int4 | w:int4
5 | 13 | 3
SELECT 1

> alter table h drop column w
ALTER TABLE

> execute pw
ERROR 0A000: cached plan must not change result type

> deallocate all
DEALLOCATE ALL

> create temp table big as select g as a, g % 7 as b from generate_series(1, 3000) g
SELECT 3000

> create index on big (b, a)
CREATE INDEX

> analyze big
ANALYZE

> select count(*), min(a), max(a) from big where b = 3
count:int8 | min:int4 | max:int4
429 | 3 | 2999
SELECT 1

> select a from big where b = 3 and a > 2990
a:int4
2992
2999
SELECT 2

> select b, count(*) from big group by b order by b
b:int4 | count:int8
0 | 428
1 | 429
2 | 429
3 | 429
4 | 429
5 | 428
6 | 428
SELECT 7

> select a from big order by a desc limit 3
a:int4
3000
2999
2998
SELECT 3

> select count(*) from big x join big y on x.a = y.a + 1
count:int8
2999
SELECT 1

> delete from big where a % 2 = 0
DELETE 1500

> select count(*), sum(a) from big
count:int8 | sum:int8
1500 | 2250000
SELECT 1

> update big set a = -a where b = 0
UPDATE 214

> select a from big where b = 0 order by a limit 2
a:int4
-2989
-2975
SELECT 2

> begin
BEGIN

> create temp table e1 (a int) on commit drop
CREATE TABLE

> insert into e1 values (1)
INSERT 0 1

> savepoint s
SAVEPOINT

> create temp table e2 (a int references e3)
ERROR 42P01: relation "e3" does not exist

> rollback to s
ROLLBACK

> select * from e1
a:int4
1
SELECT 1

> commit
COMMIT

> select * from e1
ERROR 42P01: relation "e1" does not exist

> create temp table dr (a int) on commit delete rows
CREATE TABLE

> insert into dr values (1)
INSERT 0 1

> select count(*) from dr
count:int8
0
SELECT 1

> begin
BEGIN

> insert into dr values (1), (2)
INSERT 0 2

> create index on dr (a)
CREATE INDEX

> select a from dr where a = 2
a:int4
2
SELECT 1

> commit
COMMIT

> select count(*) from dr
count:int8
0
SELECT 1

> begin
BEGIN

> insert into dr values (3)
INSERT 0 1

> rollback
ROLLBACK

> select count(*) from dr
count:int8
0
SELECT 1

> create temp table e (a int default nextval('nosuch'))
ERROR 42P01: relation "nosuch" does not exist

> create temp table dup (a int, a int)
ERROR 42701: column "a" specified more than once

> create temp table ty (a nosuchtype)
ERROR 42704: type "nosuchtype" does not exist

> select count(*) from pg_class where relname in ('e', 'dup', 'ty')
count:int8
0
SELECT 1

> create role temp_user
CREATE ROLE

> create database no_temp
CREATE DATABASE

> revoke all on database no_temp from public
REVOKE

> drop database no_temp
DROP DATABASE

> drop role temp_user
DROP ROLE

> alter sequence h_v_idx restart
ERROR 42809: "h_v_idx" is not a sequence

> alter table h alter column v type text using v::text || '!'
ALTER TABLE

> select * from h order by k limit 2
k:int4 | v:text
5 | 13!
6 | 11!
SELECT 2

> alter table h drop constraint h_pkey
ALTER TABLE

> insert into h values (6, 'twice')
INSERT 0 1

> select * from h where k = 6 order by v
k:int4 | v:text
6 | 11!
6 | twice
SELECT 2

> alter table h add primary key (k)
ERROR 23505: could not create unique index "h_pkey"
DETAIL: Key (k)=(6) is duplicated.

> delete from h where v = 'twice'
DELETE 1

> alter table h add primary key (k)
ALTER TABLE

> insert into h values (6, 'x')
ERROR 23505: duplicate key value violates unique constraint "h_pkey"
DETAIL: Key (k)=(6) already exists.

> insert into h values (6, 'x') on conflict (k) do update set v = excluded.v || h.v returning *
k:int4 | v:text
6 | x11!
INSERT 0 1

> copy (select * from h order by k, v) to stdout
5	13!
6	x11!
8	13!
9	11!
COPY 4

> copy (select count(*) from h) to stdout
4
COPY 1

> copy h (k, v) from stdin
< 70	seventy
< 71	\N
COPY 2

> select * from h where k >= 70 order by k
k:int4 | v:text
70 | seventy
71 | NULL
SELECT 2

