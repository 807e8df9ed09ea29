# CREATE, ALTER and DROP POLICY, ALTER TABLE ... ROW LEVEL SECURITY: what is refused, what the catalog shows, what follows names and what goes.
> create role rp_ann
CREATE ROLE

> create role rp_bob
CREATE ROLE

> create table t(a int primary key, b text, c date)
CREATE TABLE

> create table other(x int, y text)
CREATE TABLE

> create view v as select * from t
CREATE VIEW

> create sequence s
CREATE SEQUENCE

> create index t_b on t (b)
CREATE INDEX

> create policy p on t
CREATE POLICY

> create policy p on t using (true)
ERROR 42710: policy "p" for table "t" already exists

> create policy p1 on t for select with check (true)
ERROR 42601: WITH CHECK cannot be applied to SELECT or DELETE

> create policy p1 on t for delete with check (true)
ERROR 42601: WITH CHECK cannot be applied to SELECT or DELETE

> create policy p1 on t for insert using (true)
ERROR 42601: only WITH CHECK expression allowed for INSERT

> create policy p1 on t for insert with check (a > 1)
CREATE POLICY

> create policy p1 on nowhere using (true)
ERROR 42P01: relation "nowhere" does not exist

> create policy p1 on v using (true)
ERROR 42809: "v" is not a table

> create policy p1 on s using (true)
ERROR 42809: "s" is not a table

> create policy p1 on t_b using (true)
ERROR 42809: "t_b" is not a table

> create policy p1 on pg_class using (true)
ERROR 42501: permission denied: "pg_class" is a system catalog

> create policy p2 on t to rp_ann, rp_nobody using (true)
ERROR 42704: role "rp_nobody" does not exist

> create policy p2 on t to public, rp_ann using (true)
WARNING 22023: ignoring specified roles other than PUBLIC
HINT: All roles are members of the PUBLIC role.
CREATE POLICY

> create policy p3 on t to rp_ann, rp_bob, current_user using (a > 0)
CREATE POLICY

> create policy p4 on t as restrictive for update to rp_bob using (a > 0 and b <> 'x') with check (b = any (array['u', 'v']))
CREATE POLICY

> create policy p5 on t as wrong using (true)
ERROR 42601: unrecognized row security option "wrong"
HINT: Only PERMISSIVE or RESTRICTIVE policies are supported currently.

> create policy p5 on t using (a)
ERROR 42804: argument of POLICY must be type boolean, not type integer

> create policy p5 on t using (b)
ERROR 42804: argument of POLICY must be type boolean, not type text

> create policy p5 on t using (sum(a) > 1)
ERROR 42803: aggregate functions are not allowed in policy expressions

> create policy p5 on t using (row_number() over () > 1)
ERROR 42P20: window functions are not allowed in policy expressions

> create policy p5 on t using (generate_series(1, 2) > 1)
ERROR 0A000: set-returning functions are not allowed in policy expressions

> create policy p5 on t using (nocolumn)
ERROR 42703: column "nocolumn" does not exist

> create policy p5 on t using (v.a > 1)
ERROR 42P01: missing FROM-clause entry for table "v"

> create policy p5 on t using ($1)
ERROR 42P02: there is no parameter $1

> create policy p5 on t with check (count(*) = 1)
ERROR 42803: aggregate functions are not allowed in policy expressions

> create policy p5 on t using (exists (select from other where x = a)) with check (a in (select x from other o where o.y = t.b) and c >= date '2020-01-01')
CREATE POLICY

> create policy p6 on t using (nextval('s') > 0 and t.b like 'x%' and case a when 1 then true else false end)
CREATE POLICY

> select polname, polrelid::regclass, polcmd, polpermissive, polroles = '{0}' as everybody, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid) from pg_policy order by polname
polname:name | polrelid:regclass | polcmd:char | polpermissive:bool | everybody:bool | pg_get_expr:text | pg_get_expr:text
p | t | * | t | t | NULL | NULL
p1 | t | a | t | t | NULL | (a > 1)
p2 | t | * | t | t | true | NULL
p3 | t | * | t | f | (a > 0) | NULL
p4 | t | w | f | f | ((a > 0) AND (b <> 'x'::text)) | (b = ANY (ARRAY['u'::text, 'v'::text]))
p5 | t | * | t | t | (EXISTS ( SELECT\n   FROM other\n  WHERE (other.x = t.a))) | ((a IN ( SELECT o.x\n   FROM other o\n  WHERE (o.y = t.b))) AND (c >= '2020-01-01'::date))
p6 | t | * | t | t | ((nextval('s'::regclass) > 0) AND (b ~~ 'x%'::text) AND\nCASE a\n    WHEN 1 THEN true\n    ELSE false\nEND) | NULL
SELECT 7

> select schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies order by policyname
schemaname:name | tablename:name | policyname:name | permissive:text | roles:_name | cmd:text | qual:text | with_check:text
public | t | p | PERMISSIVE | {public} | ALL | NULL | NULL
public | t | p1 | PERMISSIVE | {public} | INSERT | NULL | (a > 1)
public | t | p2 | PERMISSIVE | {public} | ALL | true | NULL
public | t | p3 | PERMISSIVE | {postgres,rp_ann,rp_bob} | ALL | (a > 0) | NULL
public | t | p4 | RESTRICTIVE | {rp_bob} | UPDATE | ((a > 0) AND (b <> 'x'::text)) | (b = ANY (ARRAY['u'::text, 'v'::text]))
public | t | p5 | PERMISSIVE | {public} | ALL | (EXISTS ( SELECT\n   FROM other\n  WHERE (other.x = t.a))) | ((a IN ( SELECT o.x\n   FROM other o\n  WHERE (o.y = t.b))) AND (c >= '2020-01-01'::date))
public | t | p6 | PERMISSIVE | {public} | ALL | ((nextval('s'::regclass) > 0) AND (b ~~ 'x%'::text) AND\nCASE a\n    WHEN 1 THEN true\n    ELSE false\nEND) | NULL
SELECT 7

> select relrowsecurity, relforcerowsecurity from pg_class where relname = 't'
relrowsecurity:bool | relforcerowsecurity:bool
f | f
SELECT 1

> alter table t enable row level security
ALTER TABLE

> alter table t force row level security
ALTER TABLE

> select relrowsecurity, relforcerowsecurity from pg_class where relname = 't'
relrowsecurity:bool | relforcerowsecurity:bool
t | t
SELECT 1

> select tablename, rowsecurity from pg_tables where schemaname = 'public' order by 1
tablename:name | rowsecurity:bool
other | f
t | t
SELECT 2

> alter table t disable row level security
ALTER TABLE

> alter table t no force row level security
ALTER TABLE

> select relrowsecurity, relforcerowsecurity from pg_class where relname = 't'
relrowsecurity:bool | relforcerowsecurity:bool
f | f
SELECT 1

> alter table v enable row level security
ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "v"
DETAIL: This operation is not supported for views.

> alter view v enable row level security
ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "v"
DETAIL: This operation is not supported for views.

> create materialized view m as select 1 as x
SELECT 1

> alter table m enable row level security
ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "m"
DETAIL: This operation is not supported for materialized views.

> alter materialized view m force row level security
ERROR 42809: ALTER action FORCE ROW SECURITY cannot be performed on relation "m"
DETAIL: This operation is not supported for materialized views.

> drop materialized view m
DROP MATERIALIZED VIEW

> alter table only t enable row level security, force row level security
ALTER TABLE

> alter table if exists nowhere enable row level security
NOTICE 00000: relation "nowhere" does not exist, skipping
ALTER TABLE

# ALTER POLICY.
> alter policy nopolicy on t using (true)
ERROR 42704: policy "nopolicy" for table "t" does not exist

> alter policy p1 on nowhere using (true)
ERROR 42P01: relation "nowhere" does not exist

> alter policy p1 on v using (true)
ERROR 42809: "v" is not a table

> alter policy p1 on t using (true)
ERROR 42601: only WITH CHECK expression allowed for INSERT

> alter policy p1 on t with check (a < 5)
ALTER POLICY

> create policy p7 on t for select using (true)
CREATE POLICY

> alter policy p7 on t with check (true)
ERROR 42601: only USING expression allowed for SELECT, DELETE

> alter policy p7 on t to rp_bob, rp_ann
ALTER POLICY

> alter policy p3 on t to public using (a = 3) with check (a = 4)
ALTER POLICY

> alter policy p3 on t with check (a = 5)
ALTER POLICY

> alter policy p3 on t to rp_bob
ALTER POLICY

> alter policy p3 on t using (max(a) = 1)
ERROR 42803: aggregate functions are not allowed in policy expressions

> alter policy p on t rename to p1
ERROR 42710: policy "p1" for table "t" already exists

> alter policy p on t rename to p0
ALTER POLICY

> alter policy p on t rename to p9
ERROR 42704: policy "p" for table "t" does not exist

> alter policy p0 on nowhere rename to p9
ERROR 42P01: relation "nowhere" does not exist

> alter policy p0 on v rename to p9
ERROR 42809: "v" is not a table

> comment on policy p3 on t is 'the third'
COMMENT

> comment on policy p33 on t is 'the third'
ERROR 42704: policy "p33" for table "t" does not exist

> comment on policy p3 on nowhere is 'the third'
ERROR 42P01: relation "nowhere" does not exist

> select obj_description(oid, 'pg_policy') from pg_policy where polname = 'p3'
obj_description:text
the third
SELECT 1

> select policyname, permissive, roles, cmd, qual, with_check from pg_policies order by policyname
policyname:name | permissive:text | roles:_name | cmd:text | qual:text | with_check:text
p0 | PERMISSIVE | {public} | ALL | NULL | NULL
p1 | PERMISSIVE | {public} | INSERT | NULL | (a < 5)
p2 | PERMISSIVE | {public} | ALL | true | NULL
p3 | PERMISSIVE | {rp_bob} | ALL | (a = 3) | (a = 5)
p4 | RESTRICTIVE | {rp_bob} | UPDATE | ((a > 0) AND (b <> 'x'::text)) | (b = ANY (ARRAY['u'::text, 'v'::text]))
p5 | PERMISSIVE | {public} | ALL | (EXISTS ( SELECT\n   FROM other\n  WHERE (other.x = t.a))) | ((a IN ( SELECT o.x\n   FROM other o\n  WHERE (o.y = t.b))) AND (c >= '2020-01-01'::date))
p6 | PERMISSIVE | {public} | ALL | ((nextval('s'::regclass) > 0) AND (b ~~ 'x%'::text) AND\nCASE a\n    WHEN 1 THEN true\n    ELSE false\nEND) | NULL
p7 | PERMISSIVE | {rp_ann,rp_bob} | SELECT | true | NULL
SELECT 8

# Who may.
> set role rp_ann
SET

> create policy px on t using (true)
ERROR 42501: must be owner of table t

> alter policy p3 on t using (true)
ERROR 42501: must be owner of table t

> alter policy p3 on t rename to p33
ERROR 42501: must be owner of table t

> drop policy p3 on t
ERROR 42501: must be owner of relation t

> comment on policy p3 on t is 'mine'
ERROR 42501: must be owner of relation t

> alter table t disable row level security
ERROR 42501: must be owner of table t

> reset role
RESET

# Names that change.
> alter table t rename column b to "B b"
ALTER TABLE

> alter table other rename column y to yy
ALTER TABLE

> alter table other rename to others
ALTER TABLE

> alter table t rename to tt
ALTER TABLE

> alter role rp_ann rename to rp_anne
ALTER ROLE

> create schema rp_schema
CREATE SCHEMA

> alter table others set schema rp_schema
ALTER TABLE

> select policyname, tablename, roles, qual, with_check from pg_policies order by policyname
policyname:name | tablename:name | roles:_name | qual:text | with_check:text
p0 | tt | {public} | NULL | NULL
p1 | tt | {public} | NULL | (a < 5)
p2 | tt | {public} | true | NULL
p3 | tt | {rp_bob} | (a = 3) | (a = 5)
p4 | tt | {rp_bob} | ((a > 0) AND ("B b" <> 'x'::text)) | ("B b" = ANY (ARRAY['u'::text, 'v'::text]))
p5 | tt | {public} | (EXISTS ( SELECT\n   FROM rp_schema.others\n  WHERE (others.x = tt.a))) | ((a IN ( SELECT o.x\n   FROM rp_schema.others o\n  WHERE (o.yy = tt."B b"))) AND (c >= '2020-01-01'::date))
p6 | tt | {public} | ((nextval('s'::regclass) > 0) AND ("B b" ~~ 'x%'::text) AND\nCASE a\n    WHEN 1 THEN true\n    ELSE false\nEND) | NULL
p7 | tt | {rp_anne,rp_bob} | true | NULL
SELECT 8

> alter table tt alter column "B b" type varchar(10)
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view v depends on column "B b"

> alter table tt alter column a type bigint
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view v depends on column "a"

> alter table rp_schema.others alter column x type bigint
ERROR 0A000: cannot alter type of a column used in a policy definition
DETAIL: policy p5 on table tt depends on column "x"

> alter table tt drop column c
ERROR 2BP01: cannot drop column c of table tt because other objects depend on it
DETAIL: view v depends on column c of table tt\npolicy p5 on table tt depends on column c of table tt
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table rp_schema.others drop column yy
ERROR 2BP01: cannot drop column yy of table rp_schema.others because other objects depend on it
DETAIL: policy p5 on table tt depends on column yy of table rp_schema.others
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table rp_schema.others
ERROR 2BP01: cannot drop table rp_schema.others because other objects depend on it
DETAIL: policy p5 on table tt depends on table rp_schema.others
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop sequence s
ERROR 2BP01: cannot drop sequence s because other objects depend on it
DETAIL: policy p6 on table tt depends on sequence s
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop role rp_bob
ERROR 2BP01: role "rp_bob" cannot be dropped because some objects depend on it
DETAIL: target of policy p3 on table tt\ntarget of policy p4 on table tt\ntarget of policy p7 on table tt

> drop role rp_anne
ERROR 2BP01: role "rp_anne" cannot be dropped because some objects depend on it
DETAIL: target of policy p7 on table tt

> drop table rp_schema.others cascade
NOTICE 00000: drop cascades to policy p5 on table tt
DROP TABLE

> alter table tt drop column c cascade
NOTICE 00000: drop cascades to view v
ALTER TABLE

> select policyname from pg_policies order by policyname
policyname:name
p0
p1
p2
p3
p4
p6
p7
SELECT 7

> create function rp_f(int) returns bool language sql as 'select $1 > 1'
CREATE FUNCTION

> create policy pf on tt using (rp_f(a))
CREATE POLICY

> drop function rp_f(int)
ERROR 2BP01: cannot drop function rp_f(integer) because other objects depend on it
DETAIL: policy pf on table tt depends on function rp_f(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter function rp_f(int) rename to rp_g
ALTER FUNCTION

> select qual from pg_policies where policyname = 'pf'
qual:text
rp_g(a)
SELECT 1

> drop function rp_g(int) cascade
NOTICE 00000: drop cascades to policy pf on table tt
DROP FUNCTION

> create type rp_mood as enum ('good', 'bad')
CREATE TYPE

> create policy pt on tt using ('good'::rp_mood = 'bad')
CREATE POLICY

> drop type rp_mood
ERROR 2BP01: cannot drop type rp_mood because other objects depend on it
DETAIL: policy pt on table tt depends on type rp_mood
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter type rp_mood rename value 'good' to 'fine'
ALTER TYPE

> select qual from pg_policies where policyname = 'pt'
qual:text
('fine'::rp_mood = 'bad'::rp_mood)
SELECT 1

> drop type rp_mood cascade
NOTICE 00000: drop cascades to policy pt on table tt
DROP TYPE

# DROP.
> drop policy nopolicy on tt
ERROR 42704: policy "nopolicy" for table "tt" does not exist

> drop policy if exists nopolicy on tt
NOTICE 00000: policy "nopolicy" for relation "tt" does not exist, skipping
DROP POLICY

> drop policy if exists nopolicy on nowhere
NOTICE 00000: relation "nowhere" does not exist, skipping
DROP POLICY

> drop policy p on nowhere
ERROR 42P01: relation "nowhere" does not exist

> drop policy if exists p on noschema.nowhere
NOTICE 00000: schema "noschema" does not exist, skipping
DROP POLICY

> drop policy p4 on tt cascade
DROP POLICY

> drop owned by rp_bob
DROP OWNED

> select policyname, roles from pg_policies order by policyname
policyname:name | roles:_name
p0 | {public}
p1 | {public}
p2 | {public}
p6 | {public}
p7 | {rp_anne}
SELECT 5

> drop owned by rp_anne
DROP OWNED

> select policyname, roles from pg_policies order by policyname
policyname:name | roles:_name
p0 | {public}
p1 | {public}
p2 | {public}
p6 | {public}
SELECT 4

> drop role rp_bob, rp_anne
DROP ROLE

> drop table tt cascade
DROP TABLE

> select count(*) from pg_policy
count:int8
0
SELECT 1

> drop schema rp_schema
DROP SCHEMA

# Temporary tables, partitions, children.
> create temp table tmp(a int)
CREATE TABLE

> create policy p on tmp using (a > 1)
CREATE POLICY

> alter table tmp enable row level security
ALTER TABLE

> select tablename, policyname, qual from pg_policies
tablename:name | policyname:name | qual:text
tmp | p | (a > 1)
SELECT 1

> drop table tmp
DROP TABLE

> select count(*) from pg_policy
count:int8
0
SELECT 1
