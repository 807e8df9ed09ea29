# Who is exempt from policies, and what the setting row_security asks; views, functions, plans that are kept, cursors.
> create role re_owner
CREATE ROLE

> create role re_heir in role re_owner
CREATE ROLE

> create role re_user
CREATE ROLE

> create role re_super superuser
CREATE ROLE

> create role re_bypass bypassrls
CREATE ROLE

> grant create on schema public to re_owner, re_user
GRANT

> set role re_owner
SET

> create table t(a int primary key, b text)
CREATE TABLE

> insert into t select i, 'row ' || i from generate_series(1, 4) i
INSERT 0 4

> create policy even on t using (a % 2 = 0)
CREATE POLICY

> alter table t enable row level security
ALTER TABLE

> grant all on t to re_user, re_bypass
GRANT

> select count(*), row_security_active('t') as active from t
count:int8 | active:bool
4 | f
SELECT 1

> set role re_heir
SET

> select count(*), row_security_active('t'::regclass) as active from t
count:int8 | active:bool
4 | f
SELECT 1

> set role re_super
SET

> select count(*), row_security_active('public.t') as active from t
count:int8 | active:bool
4 | f
SELECT 1

> set role re_bypass
SET

> select count(*), row_security_active('t') as active from t
count:int8 | active:bool
4 | f
SELECT 1

> set role re_user
SET

> select count(*), row_security_active('t') as active from t
count:int8 | active:bool
2 | t
SELECT 1

> select row_security_active('nowhere')
row_security_active:bool
ERROR 42P01: relation "nowhere" does not exist

> select row_security_active('pg_class'), row_security_active(0::oid)
row_security_active:bool | row_security_active:bool
f | f
SELECT 1

> set row_security = off
SET

> select count(*) from t
ERROR 42501: query would be affected by row-level security policy for table "t"

> insert into t values (6)
ERROR 42501: query would be affected by row-level security policy for table "t"

> update t set b = 'x'
ERROR 42501: query would be affected by row-level security policy for table "t"

> delete from t
ERROR 42501: query would be affected by row-level security policy for table "t"

> copy t to stdout
ERROR 42501: query would be affected by row-level security policy for table "t"

> select count(*), row_security_active('t') as active from t
ERROR 42501: query would be affected by row-level security policy for table "t"

> select count(*) from (select 1 where exists (select from t)) x
ERROR 42501: query would be affected by row-level security policy for table "t"

> create view later as select a from t
CREATE VIEW

> set row_security = on
SET

> select * from later order by a
a:int4
2
4
SELECT 2

> drop view later
DROP VIEW

# FORCE.
> set role re_owner
SET

> alter table t force row level security
ALTER TABLE

> select count(*), row_security_active('t') as active from t
count:int8 | active:bool
2 | t
SELECT 1

> insert into t values (5, 'odd')
ERROR 42501: new row violates row-level security policy for table "t"

> set role re_heir
SET

> select count(*) from t
count:int8
2
SELECT 1

> set row_security = off
SET

> select count(*) from t
ERROR 42501: query would be affected by row-level security policy for table "t"
HINT: To disable the policy for the table's owner, use ALTER TABLE NO FORCE ROW LEVEL SECURITY.

> reset row_security
RESET

> set role re_super
SET

> select count(*) from t
count:int8
4
SELECT 1

> set role re_bypass
SET

> select count(*) from t
count:int8
4
SELECT 1

> set role re_owner
SET

> alter table t no force row level security
ALTER TABLE

# Views.
> set role re_owner
SET

> create view v as select * from t
CREATE VIEW

> create view vi with (security_invoker) as select * from t
CREATE VIEW

> create view vv as select * from vi
CREATE VIEW

> grant select, insert, update, delete on v, vi, vv to re_user
GRANT

> set role re_user
SET

> select count(*) from v
count:int8
4
SELECT 1

> select count(*) from vi
count:int8
2
SELECT 1

> select count(*) from vv
count:int8
2
SELECT 1

> create view mine as select * from t
CREATE VIEW

> create view minevi as select * from v
CREATE VIEW

> grant all on mine, minevi to re_owner
GRANT

> select count(*) from mine
count:int8
2
SELECT 1

> select count(*) from minevi
count:int8
4
SELECT 1

> insert into v values (7, 'through v') returning *
a:int4 | b:text
7 | through v
INSERT 0 1

> insert into vi values (9, 'through vi')
ERROR 42501: new row violates row-level security policy for table "t"

> insert into vi values (8, 'through vi') returning *
a:int4 | b:text
8 | through vi
INSERT 0 1

> update v set b = 'up' where a = 1 returning *
a:int4 | b:text
1 | up
UPDATE 1

> update vi set b = 'up' where a = 1 returning *
a:int4 | b:text
UPDATE 0

> update vi set a = 11 where a = 8
ERROR 42501: new row violates row-level security policy for table "t"

> update mine set b = 'mine' returning a, b
a:int4 | b:text
2 | mine
4 | mine
8 | mine
UPDATE 3

> delete from vi where a in (7, 8)
DELETE 1

> delete from v where a = 7
DELETE 1

> insert into minevi values (13, 'both')
INSERT 0 1

> delete from minevi where a = 13
DELETE 1

> set role re_owner
SET

> select count(*) from mine
count:int8
2
SELECT 1

> update mine set b = 'owner' returning a
a:int4
2
4
UPDATE 2

> set role re_super
SET

> select count(*) from mine
count:int8
2
SELECT 1

> reset role
RESET

# Functions.
> set role re_owner
SET

> create function def() returns bigint language sql security definer as 'select count(*) from public.t'
CREATE FUNCTION

> create function inv() returns bigint language sql as 'select count(*) from public.t'
CREATE FUNCTION

> create function pdef() returns bigint language plpgsql security definer as 'begin return (select count(*) from public.t); end'
CREATE FUNCTION

> create function pinv() returns bigint language plpgsql as 'begin return (select count(*) from public.t); end'
CREATE FUNCTION

> select def(), inv(), pdef(), pinv()
def:int8 | inv:int8 | pdef:int8 | pinv:int8
4 | 4 | 4 | 4
SELECT 1

> set role re_user
SET

> select def(), inv(), pdef(), pinv()
def:int8 | inv:int8 | pdef:int8 | pinv:int8
4 | 2 | 4 | 2
SELECT 1

> set role re_owner
SET

> select def(), inv(), pdef(), pinv()
def:int8 | inv:int8 | pdef:int8 | pinv:int8
4 | 4 | 4 | 4
SELECT 1

# Prepared statements follow the role, the setting, the policies.
> prepare q as select a from t order by a
PREPARE

> prepare q1(int) as select a from t where a = $1
PREPARE

> prepare u(int) as update t set b = 'prepared' where a = $1
PREPARE

> prepare i(int) as insert into t values ($1, 'prepared')
PREPARE

> execute q
a:int4
1
2
3
4
SELECT 4

> execute q1(1)
a:int4
1
SELECT 1

> execute u(1)
UPDATE 1

> set role re_user
SET

> execute q
a:int4
2
4
SELECT 2

> execute q1(1)
a:int4
SELECT 0

> execute q1(2)
a:int4
2
SELECT 1

> execute u(1)
UPDATE 0

> execute u(2)
UPDATE 1

> execute i(21)
ERROR 42501: new row violates row-level security policy for table "t"

> execute i(22)
INSERT 0 1

> set row_security = off
SET

> execute q
ERROR 42501: query would be affected by row-level security policy for table "t"

> execute u(1)
ERROR 42501: query would be affected by row-level security policy for table "t"

> reset row_security
RESET

> reset role
RESET

> alter policy even on t using (a % 2 = 1)
ALTER POLICY

> set role re_user
SET

> execute q
a:int4
1
3
SELECT 2

> execute q1(1)
a:int4
1
SELECT 1

> execute q1(2)
a:int4
SELECT 0

> execute u(1)
UPDATE 1

> execute u(2)
UPDATE 0

> reset role
RESET

> alter table t disable row level security
ALTER TABLE

> set role re_user
SET

> execute q
a:int4
1
2
3
4
22
SELECT 5

> reset role
RESET

> alter table t enable row level security
ALTER TABLE

> set role re_user
SET

> execute q
a:int4
1
3
SELECT 2

> reset role
RESET

> grant re_owner to re_user
GRANT ROLE

> set role re_user
SET

> execute q
a:int4
1
2
3
4
22
SELECT 5

> execute q1(2)
a:int4
2
SELECT 1

> reset role
RESET

> revoke re_owner from re_user
REVOKE ROLE

> set role re_user
SET

> execute q
a:int4
1
3
SELECT 2

> reset role
RESET

> alter role re_user bypassrls
ALTER ROLE

> set role re_user
SET

> execute q
a:int4
1
2
3
4
22
SELECT 5

> reset role
RESET

> alter role re_user nobypassrls
ALTER ROLE

> set role re_user
SET

> execute q
a:int4
1
3
SELECT 2

# A cursor sees what it was opened for.
> begin
BEGIN

> declare c cursor for select a from t order by a
DECLARE CURSOR

> fetch 1 from c
a:int4
1
FETCH 1

> set local role re_owner
SET

> fetch 1 from c
a:int4
3
FETCH 1

> select count(*) from t
count:int8
5
SELECT 1

> commit
COMMIT

> reset role
RESET

> drop function def(), inv(), pdef(), pinv()
DROP FUNCTION

> drop view mine, minevi, v, vv, vi
DROP VIEW

> drop table t
DROP TABLE

> revoke create on schema public from re_owner, re_user
REVOKE

> drop role re_owner, re_heir, re_user, re_super, re_bypass
DROP ROLE
