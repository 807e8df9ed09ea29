# Who a session acts as: SET ROLE and SET SESSION AUTHORIZATION, and what ends them.

> create role role_a login
CREATE ROLE

> create role role_b
CREATE ROLE

> begin
BEGIN

> set local role role_a
SET

> select current_user, session_user
current_user:name | session_user:name
role_a | postgres
SELECT 1

> commit
COMMIT

> select current_user
current_user:name
postgres
SELECT 1

> begin
BEGIN

> set role role_a
SET

> select current_user
current_user:name
role_a
SELECT 1

> rollback
ROLLBACK

> select current_user
current_user:name
postgres
SELECT 1

> begin
BEGIN

> savepoint s
SAVEPOINT

> set role role_a
SET

> select current_user
current_user:name
role_a
SELECT 1

> rollback to s
ROLLBACK

> select current_user
current_user:name
postgres
SELECT 1

> commit
COMMIT

> set local role role_a
WARNING 25P01: SET LOCAL can only be used in transaction blocks
SET

> select current_user
current_user:name
postgres
SELECT 1
# It is no setting that RESET ALL resets.

> set role role_a
SET

> reset all
RESET

> select current_user, session_user
current_user:name | session_user:name
role_a | postgres
SELECT 1

> create role role_c
ERROR 42501: permission denied to create role

> set role none
SET

> select current_user
current_user:name
postgres
SELECT 1

> set session authorization role_a
SET

> select current_user, session_user
current_user:name | session_user:name
role_a | role_a
SELECT 1

> set role role_b
ERROR 42501: permission denied to set role "role_b"

> set role postgres
ERROR 42501: permission denied to set role "postgres"

> set role role_a
SET

> create role role_c
ERROR 42501: permission denied to create role
# What counts is who logged in.

> set session authorization role_b
SET

> select current_user, session_user
current_user:name | session_user:name
role_b | role_b
SELECT 1

> reset session authorization
RESET

> select current_user, session_user
current_user:name | session_user:name
postgres | postgres
SELECT 1
# It ends a role.

> set role role_a
SET

> set session authorization postgres
SET

> select current_user
current_user:name
postgres
SELECT 1

> set role role_a
SET

> discard all
DISCARD ALL

> select current_user, session_user
current_user:name | session_user:name
postgres | postgres
SELECT 1

> begin
BEGIN

> set session authorization role_a
SET

> select current_user, session_user
current_user:name | session_user:name
role_a | role_a
SELECT 1

> rollback
ROLLBACK

> select current_user, session_user
current_user:name | session_user:name
postgres | postgres
SELECT 1

> set role nosuch
ERROR 22023: role "nosuch" does not exist

> set session authorization nosuch
ERROR 22023: role "nosuch" does not exist

> drop role role_a
DROP ROLE

> drop role role_b
DROP ROLE
