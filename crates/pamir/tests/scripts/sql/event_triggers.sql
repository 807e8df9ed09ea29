# Event triggers of ddl_command_start and ddl_command_end; what is refused.
> create function ev() returns event_trigger language plpgsql as $$ begin raise notice '% %', tg_event, tg_tag; end $$
CREATE FUNCTION

> create function notev() returns trigger language plpgsql as $$ begin return new; end $$
CREATE FUNCTION

> create event trigger e1 on ddl_command_start execute function ev()
CREATE EVENT TRIGGER

> create event trigger e2 on ddl_command_end when tag in ('create table', 'DROP TABLE') execute procedure ev()
CREATE EVENT TRIGGER

> create event trigger e1 on ddl_command_end execute function ev()
ERROR 42710: event trigger "e1" already exists

> create event trigger e3 on ddl_nonsense execute function ev()
ERROR 42601: unrecognized event name "ddl_nonsense"

> create event trigger e3 on ddl_command_end when tag in ('create rabbit') execute function ev()
ERROR 42601: filter value "create rabbit" not recognized for filter variable "tag"

> create event trigger e3 on ddl_command_end when tag in ('create role') execute function ev()
ERROR 0A000: event triggers are not supported for create role

> create event trigger e3 on ddl_command_end when other in ('create table') execute function ev()
ERROR 42601: unrecognized filter variable "other"

> create event trigger e3 on ddl_command_end when tag in ('create table') and tag in ('drop table') execute function ev()
ERROR 42601: filter variable "tag" specified more than once

> create event trigger e3 on ddl_command_end execute function notev()
ERROR 42P17: function notev must return type event_trigger

> create event trigger e3 on ddl_command_end execute function nope()
ERROR 42883: function nope() does not exist

> create table t (a int)
NOTICE 00000: ddl_command_start CREATE TABLE
NOTICE 00000: ddl_command_end CREATE TABLE
CREATE TABLE

> alter table t add column b int
NOTICE 00000: ddl_command_start ALTER TABLE
ALTER TABLE

> create view v as select * from t
NOTICE 00000: ddl_command_start CREATE VIEW
CREATE VIEW

> create table t2 as select 1 as x
NOTICE 00000: ddl_command_start CREATE TABLE AS
SELECT 1

> select 1 as x into t3
NOTICE 00000: ddl_command_start SELECT INTO
SELECT 1

> create role ev_r
CREATE ROLE

> comment on table t is 'x'
NOTICE 00000: ddl_command_start COMMENT
COMMENT

> comment on database postgres is 'default administrative connection database'
COMMENT

> grant select on t to ev_r
NOTICE 00000: ddl_command_start GRANT
GRANT

> truncate t
TRUNCATE TABLE

> insert into t values (1)
INSERT 0 1

> drop view v
NOTICE 00000: ddl_command_start DROP VIEW
DROP VIEW

> drop table t, t2
NOTICE 00000: ddl_command_start DROP TABLE
NOTICE 00000: ddl_command_end DROP TABLE
DROP TABLE

> drop table nope
NOTICE 00000: ddl_command_start DROP TABLE
ERROR 42P01: table "nope" does not exist

> select ev()
ev:event_trigger
ERROR 0A000: trigger functions can only be called as triggers

> alter event trigger e1 disable
ALTER EVENT TRIGGER

> create index on t3 (x)
CREATE INDEX

> alter event trigger e1 enable replica
ALTER EVENT TRIGGER

> create index on t3 (x)
CREATE INDEX

> set session_replication_role = replica
SET

> create index on t3 (x)
NOTICE 00000: ddl_command_start CREATE INDEX
CREATE INDEX

> reset session_replication_role
RESET

> alter event trigger e1 enable always
ALTER EVENT TRIGGER

> select evtname, evtevent, evtenabled, evttags, evtfoid::regproc, evtowner::regrole from pg_event_trigger order by 1
evtname:name | evtevent:name | evtenabled:char | evttags:_text | evtfoid:regproc | evtowner:regrole
e1 | ddl_command_start | A | NULL | ev | postgres
e2 | ddl_command_end | O | {"CREATE TABLE","DROP TABLE"} | ev | postgres
SELECT 2

> comment on event trigger e1 is 'about e1'
COMMENT

> select obj_description(oid, 'pg_event_trigger') from pg_event_trigger where evtname = 'e1'
obj_description:text
about e1
SELECT 1

> alter event trigger e1 rename to e2
ERROR 42710: event trigger "e2" already exists

> alter event trigger e1 rename to e0
ALTER EVENT TRIGGER

> alter event trigger e0 owner to ev_r
ERROR 42501: permission denied to change owner of event trigger "e0"
HINT: The owner of an event trigger must be a superuser.

> alter event trigger nope enable
ERROR 42704: event trigger "nope" does not exist

> drop event trigger nope
ERROR 42704: event trigger "nope" does not exist

> drop event trigger if exists nope
NOTICE 00000: event trigger "nope" does not exist, skipping
DROP EVENT TRIGGER

> set role ev_r
SET

> create event trigger mine on ddl_command_start execute function ev()
ERROR 42501: permission denied to create event trigger "mine"
HINT: Must be superuser to create an event trigger.

> alter event trigger e0 disable
ERROR 42501: must be owner of event trigger e0

> drop event trigger e0
ERROR 42501: must be owner of event trigger e0

> reset role
RESET

> drop function ev()
NOTICE 00000: ddl_command_start DROP FUNCTION
ERROR 2BP01: cannot drop function ev() because other objects depend on it
DETAIL: event trigger e0 depends on function ev()\nevent trigger e2 depends on function ev()
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function ev() cascade
NOTICE 00000: ddl_command_start DROP FUNCTION
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to event trigger e0\ndrop cascades to event trigger e2
DROP FUNCTION

> select count(*) from pg_event_trigger
count:int8
0
SELECT 1

# One that refuses.
> create function guard() returns event_trigger language plpgsql as $$ begin if tg_tag like 'DROP%' then raise exception 'no % here', tg_tag; end if; end $$
CREATE FUNCTION

> create event trigger g on ddl_command_end execute function guard()
CREATE EVENT TRIGGER

> drop table t3
ERROR P0001: no DROP TABLE here

> select count(*) from t3
count:int8
1
SELECT 1

> do $$ begin execute 'create table inner_t (a int)'; begin execute 'drop table inner_t'; exception when others then raise notice '%', sqlerrm; end; end $$
NOTICE 00000: no DROP TABLE here
DO

> select count(*) from inner_t
count:int8
0
SELECT 1

> drop event trigger g
DROP EVENT TRIGGER

> drop table t3, inner_t
DROP TABLE

> drop role ev_r
DROP ROLE
