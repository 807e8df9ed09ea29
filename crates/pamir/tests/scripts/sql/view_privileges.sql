# Who may change rows through views: the view's user on the view, its owner on what it shows; security_invoker.
> drop role if exists vp_owner, vp_user
NOTICE 00000: role "vp_owner" does not exist, skipping
NOTICE 00000: role "vp_user" does not exist, skipping
DROP ROLE

> create role vp_owner
CREATE ROLE

> create role vp_user
CREATE ROLE

> grant usage, create on schema public to vp_owner, vp_user
GRANT

> create table t(id int primary key, a int, b text)
CREATE TABLE

> insert into t values (1, 1, 'x'), (2, 2, 'y')
INSERT 0 2

> create view v as select id, a, b from t
CREATE VIEW

> alter view v owner to vp_owner
ALTER VIEW

> set role vp_user
SET

> insert into v values (3, 3, 'z')
ERROR 42501: permission denied for view v

> select * from v
ERROR 42501: permission denied for view v

> reset role
RESET

> grant select, insert, update, delete on v to vp_user
GRANT

> set role vp_user
SET

> insert into v values (3, 3, 'z')
ERROR 42501: permission denied for table t

> update v set a = 1
ERROR 42501: permission denied for table t

> delete from v
ERROR 42501: permission denied for table t

> select * from v
ERROR 42501: permission denied for table t

> reset role
RESET

> grant select, insert on t to vp_owner
GRANT

> set role vp_user
SET

> insert into v values (3, 3, 'z')
INSERT 0 1

> update v set a = 1
ERROR 42501: permission denied for table t

> reset role
RESET

> grant update(a) on t to vp_owner
GRANT

> set role vp_user
SET

> update v set a = a + 1 where id = 3 returning *
id:int4 | a:int4 | b:text
3 | 4 | z
UPDATE 1

> update v set b = 'no'
ERROR 42501: permission denied for table t

> select * from v where id = 3 for update
id:int4 | a:int4 | b:text
3 | 4 | z
SELECT 1

> reset role
RESET

> revoke all on v from vp_user
REVOKE

> grant select(id), update(a) on v to vp_user
GRANT

> set role vp_user
SET

> update v set a = 5 where id = 3
UPDATE 1

> update v set a = 5 where a = 3
ERROR 42501: permission denied for view v

> update v set b = 'x' where id = 3
ERROR 42501: permission denied for view v

> update v set a = 7 where id = 3 returning id
id:int4
3
UPDATE 1

> update v set a = 7 where id = 3 returning a
ERROR 42501: permission denied for view v

> reset role
RESET

> grant select, insert, update, delete on v to vp_user
GRANT

> alter view v set (security_invoker)
ALTER VIEW

> set role vp_user
SET

> update v set a = 8
ERROR 42501: permission denied for table t

> reset role
RESET

> grant update(a), select on t to vp_user
GRANT

> set role vp_user
SET

> update v set a = 8 where id = 3 returning *
id:int4 | a:int4 | b:text
3 | 8 | z
UPDATE 1

> insert into v values (4, 4, 'q')
ERROR 42501: permission denied for table t

> lock table v in row share mode
ERROR 25P01: LOCK TABLE can only be used in transaction blocks

> reset role
RESET

# rules act as the owner of the relation
> create view r as select id, a from t
CREATE VIEW

> alter view r owner to vp_owner
ALTER VIEW

> create rule ins as on insert to r do instead insert into t values (new.id, new.a, 'rule')
CREATE RULE

> grant insert on r to vp_user
GRANT

> revoke all on t from vp_user
REVOKE

> set role vp_user
SET

> insert into r values (10, 10)
INSERT 0 1

> delete from r
ERROR 42501: permission denied for view r

> create rule mine as on delete to r do instead nothing
ERROR 42501: must be owner of view r

> drop rule ins on r
ERROR 42501: must be owner of relation r

> reset role
RESET

> select * from t where id = 10
id:int4 | a:int4 | b:text
10 | 10 | rule
SELECT 1

# materialized views
> create materialized view m as select id from t
SELECT 4

> alter materialized view m owner to vp_owner
ALTER MATERIALIZED VIEW

> set role vp_user
SET

> select * from m
ERROR 42501: permission denied for materialized view m

> refresh materialized view m
ERROR 42501: must be owner of materialized view m

> reset role
RESET

> grant select on m to vp_user
GRANT

> set role vp_user
SET

> select count(*) > 0 from m
?column?:bool
t
SELECT 1

> reset role
RESET

> revoke select on t from vp_owner
REVOKE

> refresh materialized view m
ERROR 42501: permission denied for table t

> drop table t cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to view v\ndrop cascades to view r\ndrop cascades to materialized view m
DROP TABLE

> drop owned by vp_owner, vp_user
DROP OWNED

> drop role vp_owner, vp_user
DROP ROLE
