# Rules: INSTEAD NOTHING and INSTEAD of another statement, their definitions, their names.
> create table t(id int primary key, a int default 5, b text)
CREATE TABLE

> insert into t values (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')
INSERT 0 3

> create view v as select id, a + 1 as x, b from t where a > 0
CREATE VIEW

> create rule ins as on insert to v do instead insert into t (id, a, b) values (new.id, new.x - 1, new.b)
CREATE RULE

> create rule upd as on update to v do instead update t set a = new.x - 1, b = new.b where t.id = old.id
CREATE RULE

> create rule del as on delete to v do instead delete from t where id = old.id
CREATE RULE

> insert into v values (4, 41, 'four')
INSERT 0 1

> insert into v(id, b) values (5, 'five'), (6, 'six')
INSERT 0 2

> insert into v select i, i * 10, 's' || i from generate_series(7, 9) i
INSERT 0 3

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 10 | one
2 | 20 | two
3 | 30 | three
4 | 40 | four
5 | NULL | five
6 | NULL | six
7 | 69 | s7
8 | 79 | s8
9 | 89 | s9
SELECT 9

> update v set b = b || '!', x = x + 100 where id in (1, 2)
UPDATE 2

> update v set x = t.a from t where t.id = v.id and v.id = 3
UPDATE 1

> delete from v where id > 6
DELETE 3

> delete from v using t where t.id = v.id and t.b like 'five'
DELETE 0

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 110 | one!
2 | 120 | two!
3 | 29 | three
4 | 40 | four
5 | NULL | five
6 | NULL | six
SELECT 6

> select * from v order by id
id:int4 | x:int4 | b:text
1 | 111 | one!
2 | 121 | two!
3 | 30 | three
4 | 41 | four
SELECT 4

> insert into v values (10, 1, 'r') returning *
ERROR 0A000: cannot perform INSERT RETURNING on relation "v"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> update v set x = 1 where id = 1 returning *
ERROR 0A000: cannot perform UPDATE RETURNING on relation "v"
HINT: You need an unconditional ON UPDATE DO INSTEAD rule with a RETURNING clause.

> delete from v returning id
ERROR 0A000: cannot perform DELETE RETURNING on relation "v"
HINT: You need an unconditional ON DELETE DO INSTEAD rule with a RETURNING clause.

> select pg_get_ruledef(oid) from pg_rewrite where ev_class = 'v'::regclass order by rulename
pg_get_ruledef:text
CREATE RULE "_RETURN" AS\n    ON SELECT TO public.v DO INSTEAD  SELECT t.id,\n    (t.a + 1) AS x,\n    t.b\n   FROM t\n  WHERE (t.a > 0);
CREATE RULE del AS\n    ON DELETE TO public.v DO INSTEAD  DELETE FROM t\n  WHERE (t.id = old.id);
CREATE RULE ins AS\n    ON INSERT TO public.v DO INSTEAD  INSERT INTO t (id, a, b)\n  VALUES (new.id, (new.x - 1), new.b);
CREATE RULE upd AS\n    ON UPDATE TO public.v DO INSTEAD  UPDATE t SET a = (new.x - 1), b = new.b\n  WHERE (t.id = old.id);
SELECT 4

> select pg_get_ruledef(oid, true) from pg_rewrite where ev_class = 'v'::regclass order by rulename
pg_get_ruledef:text
CREATE RULE "_RETURN" AS\n    ON SELECT TO v DO INSTEAD  SELECT t.id,\n    t.a + 1 AS x,\n    t.b\n   FROM t\n  WHERE t.a > 0;
CREATE RULE del AS\n    ON DELETE TO v DO INSTEAD  DELETE FROM t\n  WHERE t.id = old.id;
CREATE RULE ins AS\n    ON INSERT TO v DO INSTEAD  INSERT INTO t (id, a, b)\n  VALUES (new.id, new.x - 1, new.b);
CREATE RULE upd AS\n    ON UPDATE TO v DO INSTEAD  UPDATE t SET a = new.x - 1, b = new.b\n  WHERE t.id = old.id;
SELECT 4

> select * from pg_rules where tablename = 'v' order by rulename
schemaname:name | tablename:name | rulename:name | definition:text
public | v | del | CREATE RULE del AS\n    ON DELETE TO public.v DO INSTEAD  DELETE FROM t\n  WHERE (t.id = old.id);
public | v | ins | CREATE RULE ins AS\n    ON INSERT TO public.v DO INSTEAD  INSERT INTO t (id, a, b)\n  VALUES (new.id, (new.x - 1), new.b);
public | v | upd | CREATE RULE upd AS\n    ON UPDATE TO public.v DO INSTEAD  UPDATE t SET a = (new.x - 1), b = new.b\n  WHERE (t.id = old.id);
SELECT 3

> select rulename, ev_type, ev_enabled, is_instead from pg_rewrite where ev_class = 'v'::regclass order by 1
rulename:name | ev_type:char | ev_enabled:char | is_instead:bool
_RETURN | 1 | O | t
del | 4 | O | t
ins | 3 | O | t
upd | 2 | O | t
SELECT 4

> create rule ins as on insert to v do instead nothing
ERROR 42710: rule "ins" for relation "v" already exists

> create or replace rule ins as on insert to v do instead insert into t values (new.id, new.x, 'rule') returning id, a + 1, b
CREATE RULE

> insert into v values (20, 200, 'x') returning *
id:int4 | x:int4 | b:text
20 | 201 | rule
INSERT 0 1

> insert into v values (21, 210, 'x') returning id as i, x * 2, v.b
i:int4 | ?column?:int4 | b:text
21 | 422 | rule
INSERT 0 1

> select pg_get_ruledef(oid) from pg_rewrite where ev_class = 'v'::regclass and rulename = 'ins'
pg_get_ruledef:text
CREATE RULE ins AS\n    ON INSERT TO public.v DO INSTEAD  INSERT INTO t (id, a, b)\n  VALUES (new.id, new.x, 'rule'::text)\n  RETURNING t.id,\n    (t.a + 1) AS "?column?",\n    t.b;
SELECT 1

> create or replace rule ins as on insert to v do instead insert into t values (new.id, new.x, 'rule') returning id
ERROR 42P17: RETURNING list has too few entries

> create or replace rule ins as on insert to v do instead insert into t values (new.id, new.x, 'rule') returning id, b, b
ERROR 42P17: RETURNING list's entry 2 has different type from column "x"
DETAIL: RETURNING list entry has type text, but column has type integer.

> create or replace rule ins as on insert to v do instead insert into t values (old.id)
ERROR 42P17: ON INSERT rule cannot use OLD

> create or replace rule del as on delete to v do instead delete from t where id = new.id
ERROR 42P17: ON DELETE rule cannot use NEW

> create rule nope as on insert to v do instead insert into t values (new.nope)
ERROR 42703: column new.nope does not exist

> create rule nope as on insert to nothere do instead nothing
ERROR 42P01: relation "nothere" does not exist

# another command
> create or replace rule del as on delete to v do instead update t set b = 'deleted' where t.id = old.id
CREATE RULE

> delete from v where id = 2
DELETE 0

> select * from t where b = 'deleted'
id:int4 | a:int4 | b:text
2 | 120 | deleted
SELECT 1

> select table_name, is_updatable, is_insertable_into from information_schema.views where table_name = 'v'
table_name:name | is_updatable:varchar | is_insertable_into:varchar
v | YES | YES
SELECT 1

> select pg_relation_is_updatable('v'::regclass, false)
pg_relation_is_updatable:int4
28
SELECT 1

# nothing
> create table log(what text)
CREATE TABLE

> create rule silent as on insert to log do instead nothing
CREATE RULE

> insert into log values ('a'), ('b')
INSERT 0 0

> insert into log values ('a') returning what
ERROR 0A000: cannot perform INSERT RETURNING on relation "log"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> insert into log values ('a') on conflict do nothing
INSERT 0 0

> select count(*) from log
count:int8
0
SELECT 1

> alter table log disable rule silent
ALTER TABLE

> insert into log values ('c')
INSERT 0 1

> select * from log
what:text
c
SELECT 1

> alter table log enable rule silent
ALTER TABLE

> insert into log values ('d')
INSERT 0 0

> select rulename, ev_enabled from pg_rewrite where ev_class = 'log'::regclass
rulename:name | ev_enabled:char
silent | O
SELECT 1

> alter table log disable rule nope
ERROR 42704: rule "nope" for relation "log" does not exist

> create rule keep as on delete to log do instead nothing
CREATE RULE

> delete from log
DELETE 0

> select * from log
what:text
c
SELECT 1

> merge into log using t on false when not matched then insert values ('m')
ERROR 0A000: cannot execute MERGE on relation "log"
DETAIL: MERGE is not supported for relations with rules.

> select pg_get_ruledef(oid) from pg_rewrite where ev_class = 'log'::regclass order by 1
pg_get_ruledef:text
CREATE RULE keep AS\n    ON DELETE TO public.log DO INSTEAD NOTHING;
CREATE RULE silent AS\n    ON INSERT TO public.log DO INSTEAD NOTHING;
SELECT 2

# names
> alter rule silent on log rename to quiet
ALTER RULE

> alter rule quiet on log rename to keep
ERROR 42710: rule "keep" for relation "log" already exists

> alter rule nope on log rename to x
ERROR 42704: rule "nope" for relation "log" does not exist

> comment on rule quiet on log is 'says nothing'
COMMENT

> select obj_description(oid, 'pg_rewrite') from pg_rewrite where rulename = 'quiet'
obj_description:text
says nothing
SELECT 1

> drop rule nope on log
ERROR 42704: rule "nope" for relation "log" does not exist

> drop rule if exists nope on log
NOTICE 00000: rule "nope" for relation "log" does not exist, skipping
DROP RULE

> drop rule if exists nope on nothere
NOTICE 00000: relation "nothere" does not exist, skipping
DROP RULE

> drop rule nope on nothere
ERROR 42P01: relation "nothere" does not exist

> drop rule "_RETURN" on v
ERROR 2BP01: cannot drop rule _RETURN on view v because view v requires it
HINT: You can drop view v instead.

> drop rule quiet on log
DROP RULE

> insert into log values ('e')
INSERT 0 1

> select * from log order by 1
what:text
c
e
SELECT 2

# renames and dependencies
> alter table t rename to tt
ALTER TABLE

> alter table tt rename column b to bb
ALTER TABLE

> alter view v rename column x to xx
ALTER VIEW

> select pg_get_ruledef(oid) from pg_rewrite where ev_class = 'v'::regclass order by rulename
pg_get_ruledef:text
CREATE RULE "_RETURN" AS\n    ON SELECT TO public.v DO INSTEAD  SELECT tt.id,\n    (tt.a + 1) AS xx,\n    tt.bb AS b\n   FROM tt\n  WHERE (tt.a > 0);
CREATE RULE del AS\n    ON DELETE TO public.v DO INSTEAD  UPDATE tt SET bb = 'deleted'::text\n  WHERE (tt.id = old.id);
CREATE RULE ins AS\n    ON INSERT TO public.v DO INSTEAD  INSERT INTO tt (id, a, bb)\n  VALUES (new.id, new.xx, 'rule'::text)\n  RETURNING tt.id,\n    (tt.a + 1) AS "?column?",\n    tt.bb AS b;
CREATE RULE upd AS\n    ON UPDATE TO public.v DO INSTEAD  UPDATE tt SET a = (new.xx - 1), bb = new.b\n  WHERE (tt.id = old.id);
SELECT 4

> update v set xx = 77 where id = 3
UPDATE 1

> select * from tt where id = 3
id:int4 | a:int4 | bb:text
3 | 76 | three
SELECT 1

> alter table tt alter column bb type varchar(10)
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view v depends on column "bb"

> create table side(k int)
CREATE TABLE

> create rule side_rule as on insert to side do instead insert into log values ('s' || new.k)
CREATE RULE

> insert into side values (1), (2)
INSERT 0 2

> select * from log order by 1
what:text
c
e
s1
s2
SELECT 4

> drop table log
ERROR 2BP01: cannot drop table log because other objects depend on it
DETAIL: rule side_rule on table side depends on table log
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop table log cascade
NOTICE 00000: drop cascades to rule side_rule on table side
DROP TABLE

> insert into side values (3)
INSERT 0 1

> select * from side
k:int4
3
SELECT 1

> drop view v
DROP VIEW

> select count(*) from pg_rewrite where rulename in ('ins', 'upd', 'del')
count:int8
0
SELECT 1

# recursion, and a rule over a table
> create table r(a int)
CREATE TABLE

> create rule r1 as on insert to r do instead insert into r values (new.a + 1)
CREATE RULE

> insert into r values (1)
ERROR 42P17: infinite recursion detected in rules for relation "r"

> drop rule r1 on r
DROP RULE

> create table r2(a int, b int default 9)
CREATE TABLE

> create rule to2 as on insert to r do instead insert into r2 values (new.a, default)
CREATE RULE

> insert into r values (1), (2)
INSERT 0 2

> select * from r2
a:int4 | b:int4
1 | 9
2 | 9
SELECT 2

> create rule upd as on update to r2 do instead update r2 x set b = new.b * 2 where x.a = old.a
CREATE RULE

> update r2 set b = 1 where a = 1
ERROR 42P17: infinite recursion detected in rules for relation "r2"

> drop rule upd on r2
DROP RULE

> create rule sel as on insert to r2 do instead insert into r select g from generate_series(1, new.a) g
CREATE RULE

> drop rule to2 on r
DROP RULE

> insert into r2 values (3, 1)
INSERT 0 3

> select count(*) from r
count:int8
3
SELECT 1

> create materialized view mv as select 1 as one
SELECT 1

> create rule m as on insert to mv do instead nothing
ERROR 0A000: rules on materialized views are not supported

> create sequence sq
CREATE SEQUENCE

> create rule m as on insert to sq do instead nothing
ERROR 42809: relation "sq" cannot have rules
DETAIL: This operation is not supported for sequences.

> create rule also as on insert to r do also nothing
CREATE RULE

> insert into r values (100)
INSERT 0 1

> select * from r where a = 100
a:int4
100
SELECT 1
