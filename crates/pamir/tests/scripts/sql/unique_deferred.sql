# Deferrable unique keys: INITIALLY IMMEDIATE looks at what a statement leaves, INITIALLY DEFERRED at what the transaction leaves.
> create table t (id int primary key deferrable, a int unique deferrable initially deferred, b text)
CREATE TABLE

> insert into t select i, i, 'r' || i from generate_series(1, 5) i
INSERT 0 5

> update t set id = id + 1
UPDATE 5

> select * from t order by id
id:int4 | a:int4 | b:text
2 | 1 | r1
3 | 2 | r2
4 | 3 | r3
5 | 4 | r4
6 | 5 | r5
SELECT 5

> update t set id = case id when 2 then 3 when 3 then 2 else id end
UPDATE 5

> update t set id = 2 where id = 3
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(2) already exists.

> insert into t values (6, 77, 'x')
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(6) already exists.

> insert into t values (100, 100, 'x'), (100, 101, 'y')
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(100) already exists.

> insert into t values (null, 1, 'x')
ERROR 23502: null value in column "id" of relation "t" violates not-null constraint
DETAIL: Failing row contains (null, 1, x).

> select count(*) from t
count:int8
5
SELECT 1

# Deferred to the commit.
> begin
BEGIN

> insert into t values (50, 1, 'dup')
INSERT 0 1

> insert into t values (51, 1, 'dup')
INSERT 0 1

> delete from t where id = 51
DELETE 1

> select id, a from t where a = 1 order by id
id:int4 | a:int4
3 | 1
50 | 1
SELECT 2

> update t set a = 500 where id = 50
UPDATE 1

> commit
COMMIT

> begin
BEGIN

> insert into t values (52, 1, 'dup')
INSERT 0 1

> commit
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(1) already exists.

> select count(*) from t
count:int8
6
SELECT 1

> insert into t values (53, 1, 'alone')
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(1) already exists.

> begin
BEGIN

> update t set a = a + 1 where a < 100
UPDATE 5

> commit
COMMIT

> select id, a from t order by id
id:int4 | a:int4
2 | 3
3 | 2
4 | 4
5 | 5
6 | 6
50 | 500
SELECT 6

# NULLs, and rows that are gone again.
> insert into t values (60, null, 'n'), (61, null, 'n')
INSERT 0 2

> begin
BEGIN

> insert into t values (62, 6, 'again')
INSERT 0 1

> delete from t where id = 62
DELETE 1

> commit
COMMIT

> begin
BEGIN

> delete from t where a = 6
DELETE 1

> insert into t values (63, 6, 'new')
INSERT 0 1

> commit
COMMIT

> begin
BEGIN

> insert into t values (64, 6, 'first')
INSERT 0 1

> delete from t where id = 63
DELETE 1

> commit
COMMIT

> select id, a from t where a = 6
id:int4 | a:int4
64 | 6
SELECT 1

# SET CONSTRAINTS.
> begin
BEGIN

> set constraints t_pkey deferred
SET CONSTRAINTS

> insert into t values (64, 640, 'twice')
INSERT 0 1

> select id, a from t where id = 64 order by a
id:int4 | a:int4
64 | 6
64 | 640
SELECT 2

> set constraints t_pkey immediate
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(64) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> set constraints t_pkey deferred
SET CONSTRAINTS

> insert into t values (64, 640, 'twice')
INSERT 0 1

> update t set id = 65 where a = 640
UPDATE 1

> set constraints t_pkey immediate
SET CONSTRAINTS

> insert into t values (64, 641, 'twice')
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(64) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> set constraints all immediate
SET CONSTRAINTS

> insert into t values (70, 6, 'dup')
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(6) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> set constraints t_a_key immediate
SET CONSTRAINTS

> insert into t values (70, 6, 'dup')
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(6) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> set constraints all deferred
SET CONSTRAINTS

> insert into t values (64, 6, 'both')
INSERT 0 1

> set constraints t_a_key immediate
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(6) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> set constraints all deferred
SET CONSTRAINTS

> insert into t values (64, 6, 'both')
INSERT 0 1

> set constraints all immediate
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(64) already exists.

> rollback
ROLLBACK

> set constraints nothing_there deferred
WARNING 25P01: SET CONSTRAINTS can only be used in transaction blocks
ERROR 42704: constraint "nothing_there" does not exist

> create table plain (a int constraint plain_a unique)
CREATE TABLE

> begin
BEGIN

> set constraints plain_a deferred
ERROR 42809: constraint "plain_a" is not deferrable

> rollback
ROLLBACK

> begin
BEGIN

> set constraints plain_a immediate
SET CONSTRAINTS

> rollback
ROLLBACK

# Savepoints: what was queued after one is forgotten, what was before stays.
> begin
BEGIN

> insert into t values (80, 6, 'before')
INSERT 0 1

> savepoint s
SAVEPOINT

> insert into t values (81, 6, 'after')
INSERT 0 1

> rollback to s
ROLLBACK

> delete from t where id = 80
DELETE 1

> commit
COMMIT

> begin
BEGIN

> savepoint s
SAVEPOINT

> insert into t values (80, 6, 'within')
INSERT 0 1

> rollback to s
ROLLBACK

> commit
COMMIT

> begin
BEGIN

> insert into t values (80, 6, 'before')
INSERT 0 1

> savepoint s
SAVEPOINT

> delete from t where id = 64
DELETE 1

> set constraints t_a_key immediate
SET CONSTRAINTS

> rollback to s
ROLLBACK

> commit
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(6) already exists.

> begin
BEGIN

> insert into t values (80, 6, 'before')
INSERT 0 1

> savepoint s
SAVEPOINT

> delete from t where id = 64
DELETE 1

> set constraints t_a_key immediate
SET CONSTRAINTS

> release s
RELEASE

> commit
COMMIT

> select id, a from t where a = 6
id:int4 | a:int4
80 | 6
SELECT 1

> begin
BEGIN

> savepoint s
SAVEPOINT

> set constraints t_a_key immediate
SET CONSTRAINTS

> rollback to s
ROLLBACK

> insert into t values (82, 6, 'mode is back')
INSERT 0 1

> delete from t where id = 82
DELETE 1

> commit
COMMIT

> begin
BEGIN

> savepoint s
SAVEPOINT

> insert into t values (80, 7, 'pkey')
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(80) already exists.

> rollback to s
ROLLBACK

> insert into t values (83, 7, 'other')
INSERT 0 1

> commit
COMMIT

# PREPARE TRANSACTION looks at all of them.
> begin
BEGIN

> insert into t values (90, 6, 'dup')
INSERT 0 1

> prepare transaction 'ud'
ERROR 23505: duplicate key value violates unique constraint "t_a_key"
DETAIL: Key (a)=(6) already exists.

# A statement with WITH, a function's statements, triggers.
> with gone as (delete from t where a = 6 returning id) insert into t select id, 6, 'moved' from gone
INSERT 0 1

> select count(*) from t where a = 6
count:int8
1
SELECT 1

> create function twice() returns int language plpgsql as $$ begin insert into t values (200, 200, ''); insert into t values (200, 201, ''); return 1; end $$
CREATE FUNCTION

> select twice()
twice:int4
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(200) already exists.

> create function caught() returns text language plpgsql as $$ begin insert into t values (200, 200, ''); begin insert into t values (200, 201, ''); exception when unique_violation then return 'caught'; end; return 'not'; end $$
CREATE FUNCTION

> select caught()
caught:text
caught
SELECT 1

> select id, a from t where id = 200
id:int4 | a:int4
200 | 200
SELECT 1

> create table log (what text)
CREATE TABLE

> create function note() returns trigger language plpgsql as $$ begin insert into log values (tg_name || ' ' || new.id); return null; end $$
CREATE FUNCTION

> create table g (id int unique deferrable)
CREATE TABLE

> create trigger "AAA" after insert on g for each row execute function note()
CREATE TRIGGER

> create trigger "ZZZ" after insert on g for each row execute function note()
CREATE TRIGGER

> insert into g values (1)
INSERT 0 1

> insert into g values (1)
ERROR 23505: duplicate key value violates unique constraint "g_id_key"
DETAIL: Key (id)=(1) already exists.

> insert into g values (2), (2)
ERROR 23505: duplicate key value violates unique constraint "g_id_key"
DETAIL: Key (id)=(2) already exists.

> select * from log order by 1
what:text
AAA 1
ZZZ 1
SELECT 2

# ON CONFLICT.
> insert into t values (1000, 1000, '') on conflict do nothing
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> insert into t values (1000, 1000, '') on conflict (id) do nothing
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> insert into t values (1000, 1000, '') on conflict (a) do update set b = 'x'
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> insert into t values (1000, 1000, '') on conflict on constraint t_a_key do nothing
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> insert into t values (1000, 1000, '') on conflict (b) do nothing
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> create table c (x int unique, y int unique deferrable)
CREATE TABLE

> insert into c values (1, 1) on conflict (x) do nothing
INSERT 0 1

> insert into c values (1, 9) on conflict (x) do nothing
INSERT 0 0

> insert into c values (2, 1) on conflict (x) do nothing
ERROR 23505: duplicate key value violates unique constraint "c_y_key"
DETAIL: Key (y)=(1) already exists.

> insert into c values (1, 9) on conflict do nothing
INSERT 0 0

> insert into c values (3, 9) on conflict do nothing
ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

> select * from c order by x
x:int4 | y:int4
1 | 1
SELECT 1

# Nothing is proven by them.
> select id, b, count(*) from t group by id
ERROR 42803: column "t.b" must appear in the GROUP BY clause or be used in an aggregate function

> begin
BEGIN

> set constraints t_pkey deferred
SET CONSTRAINTS

> insert into t select id, null, 'copy' from t where id < 4
INSERT 0 2

> select distinct id from t where id < 4 order by id
id:int4
2
3
SELECT 2

> select x.id, count(*) from t x join t y on x.id = y.id where x.id < 4 group by x.id order by x.id
id:int4 | count:int8
2 | 4
3 | 4
SELECT 2

> select count(*) from t where id = 3
count:int8
2
SELECT 1

> select id, (select count(*) from t i where i.id = o.id) from t o where id = 3
id:int4 | count:int8
3 | 2
3 | 2
SELECT 2

> update t set b = 'both' where id = 3
UPDATE 2

> delete from t where id = 3 and a is null
DELETE 1

> delete from t where b = 'copy'
DELETE 1

> commit
COMMIT

> select count(*) from t where id = 3
count:int8
1
SELECT 1

# NULLS NOT DISTINCT, INCLUDE, several columns, values that only look different.
> create table n (a int, b int, v int, constraint n_ab unique nulls not distinct (a, b) include (v) deferrable)
CREATE TABLE

> insert into n values (1, null, 1), (2, null, 2)
INSERT 0 2

> insert into n values (1, null, 3)
ERROR 23505: duplicate key value violates unique constraint "n_ab"
DETAIL: Key (a, b)=(1, null) already exists.

> update n set a = 3 - a
UPDATE 2

> select * from n order by a
a:int4 | b:int4 | v:int4
1 | NULL | 2
2 | NULL | 1
SELECT 2

> update n set v = v + 1
UPDATE 2

> create table m (a numeric unique deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into m values (1.0)
INSERT 0 1

> insert into m values (1.00)
INSERT 0 1

> commit
ERROR 23505: duplicate key value violates unique constraint "m_a_key"
DETAIL: Key (a)=(1.00) already exists.

> begin
BEGIN

> insert into m values (1.0)
INSERT 0 1

> insert into m values (2)
INSERT 0 1

> update m set a = 3 - a
UPDATE 2

> commit
COMMIT

> select * from m order by a
a:numeric
1
2.0
SELECT 2

# The row's own key changes while a check waits.
> create table k (p int primary key, u int unique deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into k values (1, 1), (2, 1)
INSERT 0 2

> update k set p = p + 10
UPDATE 2

> commit
ERROR 23505: duplicate key value violates unique constraint "k_u_key"
DETAIL: Key (u)=(1) already exists.

> begin
BEGIN

> insert into k values (1, 1), (2, 1)
INSERT 0 2

> update k set p = p + 10
UPDATE 2

> update k set u = p
UPDATE 2

> commit
COMMIT

> select * from k order by p
p:int4 | u:int4
11 | 11
12 | 12
SELECT 2

# COPY.
> copy k from stdin
< 21	21
< 22	21
ERROR 23505: duplicate key value violates unique constraint "k_u_key"
DETAIL: Key (u)=(21) already exists.

> copy k from stdin
< 21	21
< 22	22
COPY 2

# MERGE.
> merge into k using (values (11, 12), (12, 11)) s(p, u) on k.p = s.p when matched then update set u = s.u
MERGE 2

> select * from k order by p
p:int4 | u:int4
11 | 12
12 | 11
21 | 21
22 | 22
SELECT 4

# Foreign keys and deferrable keys in one statement.
> create table par (id int primary key)
CREATE TABLE

> create table chi (id int primary key deferrable, pid int references par, u int unique deferrable)
CREATE TABLE

> insert into chi values (1, null, 1)
INSERT 0 1

> insert into chi values (1, 5, 2)
ERROR 23505: duplicate key value violates unique constraint "chi_pkey"
DETAIL: Key (id)=(1) already exists.

> insert into chi values (2, 5, 1)
ERROR 23503: insert or update on table "chi" violates foreign key constraint "chi_pid_fkey"
DETAIL: Key (pid)=(5) is not present in table "par".

> insert into par values (1)
INSERT 0 1

> create table cas (id int unique deferrable, pid int references par on update cascade on delete set null)
CREATE TABLE

> insert into cas values (1, 1), (2, 1)
INSERT 0 2

> update par set id = 2
UPDATE 1

> select * from cas order by id
id:int4 | pid:int4
1 | 2
2 | 2
SELECT 2

# A temporary table.
> create temp table tt (id int primary key deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into tt values (1), (1)
INSERT 0 2

> savepoint s
SAVEPOINT

> update tt set id = 2
UPDATE 2

> rollback to s
ROLLBACK

> commit
ERROR 23505: duplicate key value violates unique constraint "tt_pkey"
DETAIL: Key (id)=(1) already exists.

> insert into tt values (1), (2)
INSERT 0 2

> update tt set id = 3 - id
UPDATE 2

> select * from tt order by id
id:int4
1
2
SELECT 2


# Outside of a transaction block SET CONSTRAINTS is forgotten at once.
> set constraints all deferred
WARNING 25P01: SET CONSTRAINTS can only be used in transaction blocks
SET CONSTRAINTS

> insert into tt values (2), (2)
ERROR 23505: duplicate key value violates unique constraint "tt_pkey"
DETAIL: Key (id)=(2) already exists.

> set constraints all immediate
WARNING 25P01: SET CONSTRAINTS can only be used in transaction blocks
SET CONSTRAINTS

> begin
BEGIN

> insert into tt values (2)
INSERT 0 1

> update tt set id = 5 where id = 1
UPDATE 1

> commit
ERROR 23505: duplicate key value violates unique constraint "tt_pkey"
DETAIL: Key (id)=(2) already exists.
