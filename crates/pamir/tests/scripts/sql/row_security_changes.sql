# Policies and changes of rows: ON CONFLICT, MERGE, triggers, FOR UPDATE, COPY, keys, partitions and children, what errors tell.
> create role rc_user
CREATE ROLE

> create role rc_other
CREATE ROLE

> create table t(a int primary key, who text, n int check (n < 100), u int unique)
CREATE TABLE

> insert into t values (1, 'rc_user', 1, 1), (2, 'rc_user', 2, 2), (3, 'other', 3, 3), (4, 'other', 4, 4)
INSERT 0 4

> grant all on t to rc_user
GRANT

> alter table t enable row level security
ALTER TABLE

> create policy s on t for select using (who = current_user or n = 4)
CREATE POLICY

> create policy i on t for insert with check (n <> 13)
CREATE POLICY

> create policy u on t for update using (who = current_user) with check (n <> 14)
CREATE POLICY

> create policy d on t for delete using (n < 3)
CREATE POLICY

> set role rc_user
SET

# What errors tell.
> insert into t values (1, 'rc_user', 1, 9)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"

> insert into t values (9, 'rc_user', 1, 3)
ERROR 23505: duplicate key value violates unique constraint "t_u_key"

> insert into t values (3, 'rc_user', 13, 3)
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (9, 'rc_user', 100, 9)
ERROR 23514: new row for relation "t" violates check constraint "t_n_check"

> insert into t values (null, 'rc_user', 1, 9)
ERROR 23502: null value in column "a" of relation "t" violates not-null constraint

> update t set a = 3 where a = 1
ERROR 23505: duplicate key value violates unique constraint "t_pkey"

> update t set n = 100 where a = 1
ERROR 23514: new row for relation "t" violates check constraint "t_n_check"

> update t set u = 4 where a = 1
ERROR 23505: duplicate key value violates unique constraint "t_u_key"

# ON CONFLICT.
> insert into t values (1, 'rc_user', 5, 5) on conflict do nothing
INSERT 0 0

> insert into t values (3, 'rc_user', 5, 5) on conflict do nothing
INSERT 0 0

> insert into t values (3, 'rc_user', 13, 5) on conflict do nothing
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (3, 'other', 5, 5) on conflict (a) do nothing
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (1, 'rc_user', 6, 6) on conflict (a) do update set n = excluded.n returning *
a:int4 | who:text | n:int4 | u:int4
1 | rc_user | 6 | 1
INSERT 0 1

> insert into t values (3, 'rc_user', 6, 6) on conflict (a) do update set n = excluded.n
ERROR 42501: new row violates row-level security policy (USING expression) for table "t"

> insert into t values (4, 'rc_user', 6, 6) on conflict (a) do update set n = excluded.n
ERROR 42501: new row violates row-level security policy (USING expression) for table "t"

> insert into t values (1, 'rc_user', 6, 6) on conflict (a) do update set n = 14
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (1, 'rc_user', 6, 6) on conflict (a) do update set who = 'other'
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (1, 'rc_user', 6, 6) on conflict (a) do update set who = 'other', n = 4
INSERT 0 1

> insert into t values (1, 'other', 6, 6) on conflict (a) do update set n = 7
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (2, 'rc_user', 6, 6) on conflict (a) do update set n = 7 where t.n > 100
INSERT 0 0

> insert into t values (3, 'rc_user', 6, 6) on conflict (a) do update set n = 7 where t.n > 100
ERROR 42501: new row violates row-level security policy (USING expression) for table "t"

> insert into t values (3, 'rc_user', 6, 6) on conflict on constraint t_pkey do update set n = 7
ERROR 42501: new row violates row-level security policy (USING expression) for table "t"

> insert into t values (8, 'rc_user', 8, 8) on conflict on constraint t_pkey do update set n = 7
INSERT 0 1

> insert into t values (10, 'other', 8, 10) on conflict on constraint t_pkey do nothing
ERROR 42501: new row violates row-level security policy for table "t"

> reset role
RESET

> select * from t order by a
a:int4 | who:text | n:int4 | u:int4
1 | other | 4 | 1
2 | rc_user | 2 | 2
3 | other | 3 | 3
4 | other | 4 | 4
8 | rc_user | 8 | 8
SELECT 5

# FOR UPDATE sees what UPDATE may change.
> set role rc_user
SET

> select a from t order by a
a:int4
1
2
4
8
SELECT 4

> select a from t order by a for update
a:int4
2
8
SELECT 2

> select a from t order by a for share
a:int4
2
8
SELECT 2

> select a from t order by a for no key update
a:int4
2
8
SELECT 2

> select x.a, y.a from t x, t y where x.a = y.a order by 1 for update of y
a:int4 | a:int4
2 | 2
8 | 8
SELECT 2

> select x.a, y.a from t x, t y where x.n = 4 order by 1, 2 for update of y
a:int4 | a:int4
1 | 2
1 | 8
4 | 2
4 | 8
SELECT 4

> select a from (select * from t) x order by a for update
a:int4
2
8
SELECT 2

# UPDATE ... FROM, DELETE ... USING, WITH.
> update t set n = n + 0 from t o where o.a = t.a and o.n = 4 returning t.a
ERROR 42702: column reference "n" is ambiguous

> update t set n = t.n + 1 from t o where o.a = 4 returning t.a, o.a
a:int4 | a:int4
2 | 4
8 | 4
UPDATE 2

> with x as (update t set n = n + 1 where a < 3 returning *) select a, n from x order by a
a:int4 | n:int4
2 | 4
SELECT 1

> with x as (insert into t values (30, 'rc_user', 1, 30) returning a) select * from x
a:int4
30
SELECT 1

> with x as (insert into t values (31, 'other', 1, 31)) select count(*) from t
count:int8
5
SELECT 1

> delete from t using t o where o.a = t.a returning t.a
a:int4
30
DELETE 1

> delete from t
DELETE 1

> reset role
RESET

> select * from t order by a
a:int4 | who:text | n:int4 | u:int4
1 | other | 4 | 1
2 | rc_user | 4 | 2
3 | other | 3 | 3
4 | other | 4 | 4
8 | rc_user | 9 | 8
SELECT 5

# MERGE.
> delete from t
DELETE 5

> insert into t values (1, 'rc_user', 1, 1), (2, 'rc_user', 2, 2), (3, 'other', 3, 3), (4, 'other', 4, 4)
INSERT 0 4

> set role rc_user
SET

> merge into t using (values (1)) v(k) on t.a = v.k when matched then update set n = 5
MERGE 1

> merge into t using (values (4)) v(k) on t.a = v.k when matched then update set n = 5
ERROR 42501: target row violates row-level security policy (USING expression) for table "t"

> merge into t using (values (1)) v(k) on t.a = v.k when matched then update set n = 14
ERROR 42501: new row violates row-level security policy for table "t"

> merge into t using (values (1)) v(k) on t.a = v.k when matched then update set who = 'other'
ERROR 42501: new row violates row-level security policy for table "t"

> merge into t using (values (1)) v(k) on t.a = v.k when matched then delete
ERROR 42501: target row violates row-level security policy (USING expression) for table "t"

> merge into t using (values (4)) v(k) on t.a = v.k when matched then delete
ERROR 42501: target row violates row-level security policy (USING expression) for table "t"

> merge into t using (values (4)) v(k) on t.a = v.k when matched and n = 5 then delete when matched then do nothing
MERGE 0

> merge into t using (values (2)) v(k) on t.a = v.k when matched then delete
MERGE 1

> merge into t using (values (3)) v(k) on t.a = v.k when matched then update set n = 5 when not matched then insert values (33, 'rc_user', 1, 33)
MERGE 1

> merge into t using (values (40)) v(k) on t.a = v.k when not matched then insert values (40, 'rc_user', 13, 40)
ERROR 42501: new row violates row-level security policy for table "t"

> merge into t using (values (40)) v(k) on t.a = v.k when not matched then insert values (40, 'other', 1, 40)
MERGE 1

> merge into t using (values (4)) v(k) on t.a = v.k when matched then do nothing
MERGE 0

> reset role
RESET

> select * from t order by a
a:int4 | who:text | n:int4 | u:int4
1 | rc_user | 5 | 1
3 | other | 3 | 3
4 | other | 4 | 4
33 | rc_user | 1 | 33
40 | other | 1 | 40
SELECT 5

# Triggers change the row before it is asked.
> create function rc_set() returns trigger language plpgsql as 'begin new.n := new.n + 1; return new; end'
CREATE FUNCTION

> create trigger g before insert or update on t for each row execute function rc_set()
CREATE TRIGGER

> set role rc_user
SET

> insert into t values (50, 'rc_user', 12, 50)
ERROR 42501: new row violates row-level security policy for table "t"

> insert into t values (50, 'rc_user', 13, 50) returning n
n:int4
14
INSERT 0 1

> update t set n = 13 where a = 50
ERROR 42501: new row violates row-level security policy for table "t"

> update t set n = 14 where a = 50 returning n
n:int4
15
UPDATE 1

> reset role
RESET

> drop trigger g on t
DROP TRIGGER

> drop function rc_set()
DROP FUNCTION

# Computed columns.
> create table gen(a int, b int generated always as (a * 2) stored)
CREATE TABLE

> alter table gen enable row level security
ALTER TABLE

> create policy p on gen using (b > 5)
CREATE POLICY

> grant all on gen to rc_user
GRANT

> set role rc_user
SET

> insert into gen values (2)
ERROR 42501: new row violates row-level security policy for table "gen"

> insert into gen values (3) returning *
a:int4 | b:int4
3 | 6
INSERT 0 1

> update gen set a = 1
ERROR 42501: new row violates row-level security policy for table "gen"

> update gen set a = 4 returning *
a:int4 | b:int4
4 | 8
UPDATE 1

# Foreign keys look past policies.
> reset role
RESET

> create table parent(p int primary key, who text)
CREATE TABLE

> create table child(c int, p int references parent on delete cascade on update cascade)
CREATE TABLE

> alter table parent enable row level security
ALTER TABLE

> alter table child enable row level security
ALTER TABLE

> insert into parent values (1, 'x'), (2, 'x'), (3, 'x')
INSERT 0 3

> insert into child values (1, 1), (2, 2)
INSERT 0 2

> grant all on parent, child to rc_user
GRANT

> create policy p on child for insert with check (true)
CREATE POLICY

> create policy p on parent using (p <> 3)
CREATE POLICY

> set role rc_user
SET

> insert into child values (3, 3)
INSERT 0 1

> insert into child values (4, 4)
ERROR 23503: insert or update on table "child" violates foreign key constraint "child_p_fkey"
DETAIL: Key is not present in table "parent".

> select * from child
c:int4 | p:int4
SELECT 0

> delete from parent where p = 1
DELETE 1

> update parent set p = 22 where p = 2
UPDATE 1

> reset role
RESET

> select * from child order by c
c:int4 | p:int4
2 | 22
3 | 3
SELECT 2

> alter table child drop constraint child_p_fkey, add foreign key (p) references parent
ALTER TABLE

> set role rc_user
SET

> delete from parent where p = 22
ERROR 23503: update or delete on table "parent" violates foreign key constraint "child_p_fkey" on table "child"
DETAIL: Key is still referenced from table "child".

> reset role
RESET

> drop table child, parent, gen
DROP TABLE

# COPY.
> set role rc_user
SET

> copy (table t order by a) to stdout
1	rc_user	5	1
4	other	4	4
33	rc_user	1	33
50	rc_user	15	50
COPY 4

> copy (select a from t order by a) to stdout
1
4
33
50
COPY 4

> copy t from stdin
ERROR 0A000: COPY FROM not supported with row-level security
HINT: Use INSERT statements instead.

> reset role
RESET

> set role rc_other
SET

> copy t to stdout
ERROR 42501: permission denied for table t

> reset role
RESET

# Partitions and children: the policies are those of the table that is named.
> create table part(k int, v text) partition by range (k)
CREATE TABLE

> create table part1 partition of part for values from (0) to (10)
CREATE TABLE

> create table part2 partition of part for values from (10) to (20)
CREATE TABLE

> insert into part values (1, 'one'), (2, 'two'), (11, 'eleven'), (12, 'twelve')
INSERT 0 4

> alter table part enable row level security
ALTER TABLE

> create policy even on part using (k % 2 = 0)
CREATE POLICY

> alter table part2 enable row level security
ALTER TABLE

> create policy none on part2 using (false)
CREATE POLICY

> grant all on part, part1, part2 to rc_user
GRANT

> set role rc_user
SET

> select * from part order by k
k:int4 | v:text
2 | two
12 | twelve
SELECT 2

> select * from part1 order by k
k:int4 | v:text
1 | one
2 | two
SELECT 2

> select * from part2 order by k
k:int4 | v:text
SELECT 0

> insert into part values (3, 'three')
ERROR 42501: new row violates row-level security policy for table "part"

> insert into part values (4, 'four') returning *
k:int4 | v:text
4 | four
INSERT 0 1

> insert into part1 values (5, 'five')
INSERT 0 1

> insert into part2 values (14, 'x')
ERROR 42501: new row violates row-level security policy for table "part2"

> insert into part values (40, 'nowhere')
ERROR 23514: no partition of relation "part" found for row

> update part set k = 14 where k = 4 returning *
k:int4 | v:text
14 | four
UPDATE 1

> update part set k = 15 where k = 2
ERROR 42501: new row violates row-level security policy for table "part"

> update part set k = k + 1 where k = 2
ERROR 42501: new row violates row-level security policy for table "part"

> update part set k = 100 where k = 2
ERROR 23514: no partition of relation "part" found for row

> update part1 set k = 15 where k = 5
ERROR 23514: new row for relation "part1" violates partition constraint
DETAIL: Failing row contains (15, five).

> delete from part1 where k = 5
DELETE 1

> delete from part returning k
k:int4
2
12
14
DELETE 3

> reset role
RESET

> select tableoid::regclass, * from part order by k
tableoid:regclass | k:int4 | v:text
part1 | 1 | one
part2 | 11 | eleven
SELECT 2

> create table par(a int)
CREATE TABLE

> create table chi(b int) inherits (par)
CREATE TABLE

> insert into par values (1), (2)
INSERT 0 2

> insert into chi values (3, 3), (4, 4)
INSERT 0 2

> alter table chi enable row level security
ALTER TABLE

> grant all on par, chi to rc_user
GRANT

> set role rc_user
SET

> select * from par order by a
a:int4
1
2
3
4
SELECT 4

> select * from chi
a:int4 | b:int4
SELECT 0

> update par set a = a + 10
UPDATE 4

> reset role
RESET

> alter table par enable row level security
ALTER TABLE

> create policy big on par using (a > 11)
CREATE POLICY

> set role rc_user
SET

> select * from par order by a
a:int4
12
13
14
SELECT 3

> select * from only par order by a
a:int4
12
SELECT 1

> update par set a = a + 1 returning a
a:int4
13
14
15
UPDATE 3

> delete from par where a = 14
DELETE 1

> reset role
RESET

> drop table par, chi, part
DROP TABLE

# Rules and views with checks.
> create view tv as select * from t where n < 50 with check option
CREATE VIEW

> grant all on tv to rc_user
GRANT

> create view tvi with (security_invoker) as select * from t where n < 50 with check option
CREATE VIEW

> grant all on tvi to rc_user
GRANT

> set role rc_user
SET

> insert into tvi values (60, 'rc_user', 60, 60)
ERROR 44000: new row violates check option for view "tvi"

> insert into tv values (60, 'rc_user', 60, 60)
ERROR 44000: new row violates check option for view "tv"

> insert into tvi values (60, 'rc_user', 13, 60)
ERROR 42501: new row violates row-level security policy for table "t"

> insert into tv values (60, 'rc_user', 13, 60)
INSERT 0 1

> update tvi set n = 14
ERROR 42501: new row violates row-level security policy for table "t"

> update tvi set n = 60
ERROR 44000: new row violates check option for view "tvi"

> reset role
RESET

> drop view tv, tvi
DROP VIEW

> drop table t
DROP TABLE

> drop role rc_user, rc_other
DROP ROLE

# Recursion.
> create role rc_rec
CREATE ROLE

> create table r1(a int)
CREATE TABLE

> create table r2(a int)
CREATE TABLE

> create policy p on r1 using (a in (select a from r1))
CREATE POLICY

> alter table r1 enable row level security
ALTER TABLE

> grant all on r1, r2 to rc_rec
GRANT

> set role rc_rec
SET

> select * from r1
ERROR 42P17: infinite recursion detected in policy for relation "r1"

> insert into r1 values (1)
ERROR 42P17: infinite recursion detected in policy for relation "r1"

> reset role
RESET

> drop policy p on r1
DROP POLICY

> create policy p on r1 using (exists (select from r2 where r2.a = r1.a))
CREATE POLICY

> create policy p on r2 using (exists (select from r1 where r1.a = r2.a))
CREATE POLICY

> alter table r2 enable row level security
ALTER TABLE

> set role rc_rec
SET

> select * from r1
ERROR 42P17: infinite recursion detected in policy for relation "r1"

> delete from r2
ERROR 42P17: infinite recursion detected in policy for relation "r2"

> reset role
RESET

> create view rv as select * from r2
CREATE VIEW

> drop policy p on r2
DROP POLICY

> create policy p on r2 for select using (exists (select from rv))
CREATE POLICY

> grant select on rv to rc_rec
GRANT

> set role rc_rec
SET

> select * from r2
a:int4
SELECT 0

> reset role
RESET

> drop policy p on r1
DROP POLICY

> create policy s on r1 for select using (true)
CREATE POLICY

> create policy u on r1 for update using (a in (select a from r1))
CREATE POLICY

> insert into r1 values (1)
INSERT 0 1

> set role rc_rec
SET

> update r1 set a = 2 where a = 1
ERROR 42501: new row violates row-level security policy for table "r1"

> reset role
RESET

> drop table r1, r2 cascade
NOTICE 00000: drop cascades to view rv
DROP TABLE

> drop role rc_rec
DROP ROLE
