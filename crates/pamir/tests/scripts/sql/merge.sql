# MERGE: actions, what is refused, keys and defaults, privileges.

> create table t (id int primary key, v int, b text default 'dd', g int generated always as (v * 2) stored)
CREATE TABLE

> insert into t (id, v) values (1, 10), (2, 20), (3, 30)
INSERT 0 3

> create table s (id int, v int, op text)
CREATE TABLE

> insert into s values (2, 5, 'upd'), (3, 7, 'del'), (4, 9, 'ins'), (5, 11, 'skip')
INSERT 0 4

> merge into t using s on t.id = s.id when matched and s.op = 'upd' then update set v = t.v + s.v when matched then delete when not matched and s.op = 'skip' then do nothing when not matched then insert (id, v) values (s.id, s.v)
MERGE 3

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 10 | dd | 20
2 | 25 | dd | 50
4 | 9 | dd | 18
SELECT 3

> merge into t using s on t.id = s.id when matched then do nothing
MERGE 0

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 10 | dd | 20
2 | 25 | dd | 50
4 | 9 | dd | 18
SELECT 3

> merge into t as x using (select id, v from s where v > 6) as y on x.id = y.id when matched then update set (v, b) = (y.v, 'm' || x.id) when not matched then insert values (y.id, y.v, default)
MERGE 3

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 10 | dd | 20
2 | 25 | dd | 50
3 | 7 | dd | 14
4 | 9 | m4 | 18
5 | 11 | dd | 22
SELECT 5

> merge into t using s on t.id = s.id when not matched then insert default values
MERGE 0

> merge into t using (values (7, 70), (8, 80)) as w (a, b) on id = a when not matched then insert (v, id) values (w.b, w.a) when matched then update set v = default
MERGE 2

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 10 | dd | 20
2 | 25 | dd | 50
3 | 7 | dd | 14
4 | 9 | m4 | 18
5 | 11 | dd | 22
7 | 70 | dd | 140
8 | 80 | dd | 160
SELECT 7

> merge into t using (values (7, 71), (8, 81)) as w (a, b) on id = a when not matched then insert (v, id) values (w.b, w.a) when matched then update set v = default, g = default
MERGE 2

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 10 | dd | 20
2 | 25 | dd | 50
3 | 7 | dd | 14
4 | 9 | m4 | 18
5 | 11 | dd | 22
7 | NULL | dd | NULL
8 | NULL | dd | NULL
SELECT 7

# Twice the same row.
> merge into t using (values (1), (1)) w (a) on id = a when matched then update set v = 1
ERROR 21000: MERGE command cannot affect row a second time
HINT: Ensure that not more than one source row matches any one target row.

> merge into t using (values (1), (1)) w (a) on id = a when matched then delete
ERROR 21000: MERGE command cannot affect row a second time
HINT: Ensure that not more than one source row matches any one target row.

> merge into t using (values (1), (1)) w (a) on id = a when matched then do nothing
MERGE 0

> merge into t using (values (90), (90)) w (a) on id = a when not matched then insert (id) values (a)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(90) already exists.

> merge into t using (values (1, true), (1, false)) w (a, x) on id = a when matched and x then update set v = 77
MERGE 1

> select * from t where id = 1
id:int4 | v:int4 | b:text | g:int4
1 | 77 | dd | 154
SELECT 1

# What is refused.
> merge into t using s on t.id = s.id when matched then update set v = 1 when matched then delete
ERROR 42601: unreachable WHEN clause specified after unconditional WHEN clause

> merge into t using s on t.id = s.id when not matched then do nothing when not matched and true then insert default values
ERROR 42601: unreachable WHEN clause specified after unconditional WHEN clause

> merge into t using t on true when matched then do nothing
ERROR 42712: name "t" specified more than once
DETAIL: The name is used both as MERGE target table and data source.

> merge into t using s as t on true when matched then do nothing
ERROR 42712: name "t" specified more than once
DETAIL: The name is used both as MERGE target table and data source.

> merge into t a using t b on a.id = b.id when matched then update set v = b.v + 1
MERGE 7

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 78 | dd | 156
2 | 26 | dd | 52
3 | 8 | dd | 16
4 | 10 | m4 | 20
5 | 12 | dd | 24
7 | NULL | dd | NULL
8 | NULL | dd | NULL
SELECT 7

> merge into t using s on t.id = s.id when not matched and t.v > 1 then insert (id) values (1)
ERROR 42P01: invalid reference to FROM-clause entry for table "t"
HINT: There is an entry for table "t", but it cannot be referenced from this part of the query.

> merge into t using s on t.id = s.id when not matched then insert (id, v) values (s.id, t.v)
ERROR 42P01: invalid reference to FROM-clause entry for table "t"
HINT: There is an entry for table "t", but it cannot be referenced from this part of the query.

> merge into t using s on t.id = s.id when not matched then insert (id, v) values (s.id, g)
ERROR 42703: column "g" does not exist
HINT: There is a column named "g" in table "t", but it cannot be referenced from this part of the query.

> merge into t using s on t.id = s.id when matched and count(*) > 1 then delete
ERROR 42803: aggregate functions are not allowed in MERGE WHEN conditions

> merge into t using s on t.id = s.id when matched and generate_series(1, 2) > 1 then delete
ERROR 0A000: set-returning functions are not allowed in MERGE WHEN conditions

> merge into t using s on t.id = s.id when matched and row_number() over () > 1 then delete
ERROR 42P20: window functions are not allowed in MERGE WHEN conditions

> merge into t using s on t.id = s.id when matched and 1 then delete
ERROR 42804: argument of WHEN must be type boolean, not type integer

> merge into t using s on t.id = s.id when matched and nope then delete
ERROR 42703: column "nope" does not exist
HINT: Perhaps you meant to reference the column "s.op".

> merge into t using s on t.id then do nothing
ERROR 42601: syntax error at or near "then"

> merge into t using s on t.idd = s.id when matched then delete
ERROR 42703: column t.idd does not exist
HINT: Perhaps you meant to reference the column "t.id".

> merge into t using s on t.id = s.id when matched then update set id = max(s.id)
ERROR 42803: aggregate functions are not allowed in UPDATE

> merge into t using s on t.id = s.id when not matched then insert (id) values (max(s.id))
ERROR 42803: aggregate functions are not allowed in VALUES

> merge into t using s on t.id = s.id when matched then update set g = 1
ERROR 428C9: column "g" can only be updated to DEFAULT
DETAIL: Column "g" is a generated column.

> merge into t using s on t.id = s.id when not matched then insert (id, g) values (1, 2)
ERROR 428C9: cannot insert a non-DEFAULT value into column "g"
DETAIL: Column "g" is a generated column.

> merge into t using s on t.id = s.id when not matched then insert (id, id) values (1, 2)
ERROR 42701: column "id" specified more than once

> merge into t using s on t.id = s.id when not matched then insert (id) values (1, 2)
ERROR 42601: INSERT has more expressions than target columns

> merge into t using s on t.id = s.id when not matched then insert (id, v) values (1)
ERROR 42601: INSERT has more target columns than expressions

> merge into t using s on t.id = s.id when not matched then insert (id, nope) values (1, 2)
ERROR 42703: column "nope" of relation "t" does not exist

> merge into t using s on t.id = s.id when matched then update set nope = 1
ERROR 42703: column "nope" of relation "t" does not exist

> merge into t using s on t.id = s.id when matched then update set v = 1, v = 2
ERROR 42601: multiple assignments to same column "v"

> merge into nope using s on true when matched then delete
ERROR 42P01: relation "nope" does not exist

> merge into t using nope on true when matched then delete
ERROR 42P01: relation "nope" does not exist

> merge into t using s on t.id = s.id when matched then insert default values
ERROR 42601: syntax error at or near "insert"

> merge into t using s on t.id = s.id when not matched then delete
ERROR 42601: syntax error at or near "delete"

> merge into t using s on t.id = s.id
ERROR 42601: syntax error at end of input

> with m as (merge into t using s on true when matched then do nothing) select 1
ERROR 0A000: MERGE not supported in WITH query

> with recursive r as (select 1) merge into t using r on true when matched then do nothing
ERROR 42601: WITH RECURSIVE is not supported for MERGE statement

> with c as (select id, v + 1000 as v from s) merge into t using c on t.id = c.id when matched then update set v = c.v
MERGE 4

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 78 | dd | 156
2 | 1005 | dd | 2010
3 | 1007 | dd | 2014
4 | 1009 | m4 | 2018
5 | 1011 | dd | 2022
7 | NULL | dd | NULL
8 | NULL | dd | NULL
SELECT 7

> merge into t using s on t.id = s.id when matched then delete returning *
ERROR 42601: syntax error at or near "returning"

# Keys, checks, foreign keys.
> create table c (id int primary key, p int references t, n int not null check (n > 0), unique (n))
CREATE TABLE

> merge into c using s on c.id = s.id when not matched then insert values (s.id, 1, s.v)
MERGE 4

> select * from c order by id
id:int4 | p:int4 | n:int4
2 | 1 | 5
3 | 1 | 7
4 | 1 | 9
5 | 1 | 11
SELECT 4

> merge into c using s on c.id = s.id when matched then update set n = -1
ERROR 23514: new row for relation "c" violates check constraint "c_n_check"
DETAIL: Failing row contains (2, 1, -1).

> merge into c using s on c.id = s.id when matched then update set n = null
ERROR 23502: null value in column "n" of relation "c" violates not-null constraint
DETAIL: Failing row contains (2, 1, null).

> merge into c using s on c.id = s.id when matched then update set p = 999
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_p_fkey"
DETAIL: Key (p)=(999) is not present in table "t".

> merge into c using s on c.id = s.id when matched then update set n = 5
ERROR 23505: duplicate key value violates unique constraint "c_n_key"
DETAIL: Key (n)=(5) already exists.

> merge into t using c on t.id = c.p when matched then delete
ERROR 21000: MERGE command cannot affect row a second time
HINT: Ensure that not more than one source row matches any one target row.

> merge into c using (values (50, 5)) w (i, n) on c.id = w.i when not matched then insert values (i, 1, w.n)
ERROR 23505: duplicate key value violates unique constraint "c_n_key"
DETAIL: Key (n)=(5) already exists.

> merge into c using s on c.id = s.id when matched then update set id = c.id + 100, n = c.n + 100
MERGE 4

> select * from c order by id
id:int4 | p:int4 | n:int4
102 | 1 | 105
103 | 1 | 107
104 | 1 | 109
105 | 1 | 111
SELECT 4

> create table ser (id serial primary key, k int generated always as identity, v int default 3)
CREATE TABLE

> merge into ser using s on ser.id = s.id and false when not matched then insert (v) values (s.v)
MERGE 4

> select * from ser order by v
id:int4 | k:int4 | v:int4
1 | 1 | 5
2 | 2 | 7
3 | 3 | 9
4 | 4 | 11
SELECT 4

> merge into ser using s on false when not matched then insert (k, v) values (1, s.v)
ERROR 428C9: cannot insert a non-DEFAULT value into column "k"
DETAIL: Column "k" is an identity column defined as GENERATED ALWAYS.
HINT: Use OVERRIDING SYSTEM VALUE to override.

> merge into ser using (select 100 x) q on false when not matched then insert (k, v) overriding system value values (q.x, 1)
MERGE 1

> merge into ser using (select 200 x) q on false when not matched then insert (k, v) overriding user value values (q.x, 2)
MERGE 1

> select * from ser order by v, id
id:int4 | k:int4 | v:int4
5 | 100 | 1
6 | 5 | 2
1 | 1 | 5
2 | 2 | 7
3 | 3 | 9
4 | 4 | 11
SELECT 6

# Subqueries, whole rows, systems columns, parameters.
> merge into t using s on t.id = s.id when matched and exists (select 1 from c where c.p = t.id) then update set v = (select max(n) from c where c.id > t.id) when matched then update set b = (select string_agg(op, ',' order by op) from s s2 where s2.id <= s.id)
MERGE 4

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 78 | dd | 156
2 | 1005 | upd | 2010
3 | 1007 | del,upd | 2014
4 | 1009 | del,ins,upd | 2018
5 | 1011 | del,ins,skip,upd | 2022
7 | NULL | dd | NULL
8 | NULL | dd | NULL
SELECT 7

> prepare m (int, text) as merge into t using (select $1 as id) q on t.id = q.id when matched then update set b = $2 when not matched then insert (id, b) values (q.id, $2)
PREPARE

> execute m (1, 'one')
MERGE 1

> execute m (77, 'seventy')
MERGE 1

> execute m (77, 'again')
MERGE 1

> select * from t order by id
id:int4 | v:int4 | b:text | g:int4
1 | 78 | one | 156
2 | 1005 | upd | 2010
3 | 1007 | del,upd | 2014
4 | 1009 | del,ins,upd | 2018
5 | 1011 | del,ins,skip,upd | 2022
7 | NULL | dd | NULL
8 | NULL | dd | NULL
77 | NULL | again | NULL
SELECT 8

> merge into t using s on t.id = s.id and t.v > 5 and s.v > 100 when matched then update set v = 0 when not matched then do nothing
MERGE 0

> merge into t using s on t.id is null when matched then delete when not matched then do nothing
MERGE 0

> merge into only t using s on false when matched then delete
MERGE 0

> merge into t using s on true when matched and t.id < 0 then delete
MERGE 0

> create temp table tt (id int primary key, v int)
CREATE TABLE

> merge into tt using t on tt.id = t.id when not matched then insert values (t.id, t.v)
MERGE 8

> merge into tt using t on tt.id = t.id when matched and tt.id = 1 then delete when matched then update set v = tt.v + 1
MERGE 8

> select * from tt order by id
id:int4 | v:int4
2 | 1006
3 | 1008
4 | 1010
5 | 1012
7 | NULL
8 | NULL
77 | NULL
SELECT 7

> begin read only
BEGIN

> merge into tt using t on tt.id = t.id when matched then delete
MERGE 7

> merge into t using tt on tt.id = t.id when matched then delete
ERROR 25006: cannot execute MERGE in a read-only transaction

> rollback
ROLLBACK

> begin
BEGIN

> savepoint a
SAVEPOINT

> merge into t using tt on t.id = tt.id when matched then delete
MERGE 7

> select count(*) from t
count:int8
1
SELECT 1

> rollback to a
ROLLBACK

> select count(*) from t
count:int8
8
SELECT 1

> merge into t using tt on t.id = tt.id when matched then update set v = 1
MERGE 7

> merge into t using tt on t.id = tt.id when matched then update set v = t.v + 1
MERGE 7

> select distinct v from t where id in (select id from tt)
v:int4
2
SELECT 1

> rollback
ROLLBACK

> create role merger
CREATE ROLE

> grant select on s to merger
GRANT

> grant select, insert (id, v) on t to merger
GRANT

> set role merger
SET

> merge into t using s on t.id = s.id when matched then do nothing
MERGE 0

> merge into t using s on t.id = s.id when matched then delete
ERROR 42501: permission denied for table t

> merge into t using s on t.id = s.id when matched then update set v = 1
ERROR 42501: permission denied for table t

> merge into t using (select 500 id) q on t.id = q.id when not matched then insert (id, v) values (q.id, 1)
MERGE 1

> merge into t using (select 501 id) q on t.id = q.id when not matched then insert (id, b) values (q.id, '1')
ERROR 42501: permission denied for table t

> reset role
RESET

> revoke all on s, t from merger
REVOKE

> set role merger
SET

> merge into t using s on t.id = s.id when matched then do nothing
ERROR 42501: permission denied for table t

> reset role
RESET

> drop role merger
DROP ROLE

> create table idle (id int primary key, v int)
CREATE TABLE

> insert into idle values (1, 1)
INSERT 0 1

> begin read only
BEGIN

> merge into idle using idle s on s.id = idle.id when matched then do nothing
MERGE 0

> merge into idle using idle s on s.id = idle.id when matched then update set v = 2
ERROR 25006: cannot execute MERGE in a read-only transaction

> rollback
ROLLBACK

> drop table idle
DROP TABLE
