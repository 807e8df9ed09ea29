# Rules with conditions, beside the change, of several actions and of what stands for a change.
> create table t(a int primary key, b text)
CREATE TABLE

> create table log(what text, a int, b text, n int default 1)
CREATE TABLE

> create rule ti as on insert to t do insert into log(what, a, b) values ('ins', new.a, new.b)
CREATE RULE

> create rule tu as on update to t where old.b is distinct from new.b do also insert into log(what, a, b) values ('old', old.a, old.b), ('new', new.a, new.b)
CREATE RULE

> create rule td as on delete to t do also (insert into log(what, a) values ('del', old.a); update log set n = n + 1 where log.a = old.a)
CREATE RULE

> insert into t values (1,'x'), (2,'y') returning *
a:int4 | b:text
1 | x
2 | y
INSERT 0 2

> insert into t select 3, 'z'
INSERT 0 1

> update t set b = b || '!' where a < 3
UPDATE 2

> update t set b = b
UPDATE 3

> select * from log order by what, a, b
what:text | a:int4 | b:text | n:int4
ins | 1 | x | 1
ins | 2 | y | 1
ins | 3 | z | 1
new | 1 | x! | 1
new | 2 | y! | 1
old | 1 | x | 1
old | 2 | y | 1
SELECT 7

> delete from t where a = 1 returning *
a:int4 | b:text
1 | x!
DELETE 1

> select * from log order by what, a, b
what:text | a:int4 | b:text | n:int4
del | 1 | NULL | 2
ins | 1 | x | 2
ins | 2 | y | 1
ins | 3 | z | 1
new | 1 | x! | 2
new | 2 | y! | 1
old | 1 | x | 2
old | 2 | y | 1
SELECT 8

# Some rows are left out, others become something else.
> create rule tskip as on insert to t where a > 100 do instead nothing
CREATE RULE

> insert into t values (4,'q'), (101,'w')
INSERT 0 1

> insert into t values (5,'q') returning *
ERROR 0A000: cannot perform INSERT RETURNING on relation "t"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> create rule tun as on update to t where new.a < 0 do instead update log set b = 'neg' where log.a = old.a
CREATE RULE

> update t set a = -a where a in (2,3)
UPDATE 0

> select * from t order by a
a:int4 | b:text
2 | y!
3 | z
4 | q
SELECT 3

> select * from log order by what, a, b
what:text | a:int4 | b:text | n:int4
del | 1 | NULL | 2
ins | 1 | x | 2
ins | 2 | neg | 1
ins | 3 | neg | 1
ins | 4 | q | 1
ins | 101 | w | 1
new | 1 | x! | 2
new | 2 | neg | 1
old | 1 | x | 2
old | 2 | neg | 1
SELECT 10

> with w as (insert into t values (9,'k')) select 1
ERROR 0A000: DO ALSO rules are not supported for data-modifying statements in WITH

> prepare p(int, text) as insert into t values ($1, $2)
PREPARE

> execute p(20, 'pp')
INSERT 0 1

> execute p(200, 'pp')
INSERT 0 0

> select * from log where a >= 20
what:text | a:int4 | b:text | n:int4
ins | 101 | w | 1
ins | 20 | pp | 1
ins | 200 | pp | 1
SELECT 3

> select rulename, definition from pg_rules where tablename = 't' order by 1
rulename:name | definition:text
td | CREATE RULE td AS\n    ON DELETE TO public.t DO ( INSERT INTO log (what, a)\n  VALUES ('del'::text, old.a);\n UPDATE log SET n = (log.n + 1)\n  WHERE (log.a = old.a);\n);
ti | CREATE RULE ti AS\n    ON INSERT TO public.t DO  INSERT INTO log (what, a, b)\n  VALUES ('ins'::text, new.a, new.b);
tskip | CREATE RULE tskip AS\n    ON INSERT TO public.t\n   WHERE (new.a > 100) DO INSTEAD NOTHING;
tu | CREATE RULE tu AS\n    ON UPDATE TO public.t\n   WHERE (old.b IS DISTINCT FROM new.b) DO  INSERT INTO log (what, a, b) VALUES ('old'::text,old.a,old.b), ('new'::text,new.a,new.b);
tun | CREATE RULE tun AS\n    ON UPDATE TO public.t\n   WHERE (new.a < 0) DO INSTEAD  UPDATE log SET b = 'neg'::text\n  WHERE (log.a = old.a);
SELECT 5

> select pg_get_ruledef(oid, true) from pg_rewrite where ev_class = 't'::regclass order by rulename
pg_get_ruledef:text
CREATE RULE td AS\n    ON DELETE TO t DO ( INSERT INTO log (what, a)\n  VALUES ('del'::text, old.a);\n UPDATE log SET n = log.n + 1\n  WHERE log.a = old.a;\n);
CREATE RULE ti AS\n    ON INSERT TO t DO  INSERT INTO log (what, a, b)\n  VALUES ('ins'::text, new.a, new.b);
CREATE RULE tskip AS\n    ON INSERT TO t\n   WHERE new.a > 100 DO INSTEAD NOTHING;
CREATE RULE tu AS\n    ON UPDATE TO t\n   WHERE old.b IS DISTINCT FROM new.b DO  INSERT INTO log (what, a, b) VALUES ('old'::text,old.a,old.b), ('new'::text,new.a,new.b);
CREATE RULE tun AS\n    ON UPDATE TO t\n   WHERE new.a < 0 DO INSTEAD  UPDATE log SET b = 'neg'::text\n  WHERE log.a = old.a;
SELECT 5

> create function put(int) returns void language sql as 'insert into t values ($1, ''f'')'
CREATE FUNCTION

> select put(30)
put:void
NULL
SELECT 1

> do $$ begin insert into t values (31, 'g'); end $$
DO

> select * from log where a in (30, 31) order by a
what:text | a:int4 | b:text | n:int4
ins | 30 | f | 1
ins | 31 | g | 1
SELECT 2

> alter table t rename b to bb
ALTER TABLE

> update t set bb = 'renamed' where a = 31
UPDATE 1

> select * from log where a = 31 order by what
what:text | a:int4 | b:text | n:int4
ins | 31 | g | 1
new | 31 | renamed | 1
old | 31 | g | 1
SELECT 3

# Through views, and rules of what stands for a change.
> create view v as select * from t
CREATE VIEW

> create rule vi as on insert to v do also insert into log(what, a) values ('view', new.a)
CREATE RULE

> insert into v values (40, 'v')
INSERT 0 1

> select what, a from log where a = 40 order by 1
what:text | a:int4
ins | 40
view | 40
SELECT 2

> create rule vc as on insert to v where new.a = 41 do instead nothing
CREATE RULE

> insert into v values (42, 'v')
ERROR 55000: cannot insert into view "v"
DETAIL: Views with conditional DO INSTEAD rules are not automatically updatable.
HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

> create table one(a int)
CREATE TABLE

> create table two(a int)
CREATE TABLE

> create table three(a int)
CREATE TABLE

> create rule r1 as on insert to one do instead (insert into two values (new.a); insert into three values (new.a + 10) returning a)
CREATE RULE

> create rule r2 as on insert to two do also insert into three values (new.a + 100)
CREATE RULE

> create rule r3 as on insert to three where new.a = 111 do instead nothing
CREATE RULE

> insert into one values (1), (2) returning a
ERROR 0A000: cannot perform INSERT RETURNING on relation "three"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> insert into one select generate_series(5, 6)
INSERT 0 2

> select 'two', a from two union all select 'three', a from three order by 1, 2
?column?:text | a:int4
three | 15
three | 16
three | 105
three | 106
two | 5
two | 6
SELECT 6

> begin
BEGIN

> insert into one values (77)
INSERT 0 1

> rollback
ROLLBACK

> select count(*) from two
count:int8
2
SELECT 1

> create rule loop as on insert to three do also insert into one values (new.a)
CREATE RULE

> insert into one values (1)
ERROR 42P17: infinite recursion detected in rules for relation "one"

# What cannot be.
> create rule bad as on insert to t where old.a = 1 do nothing
ERROR 42P01: invalid reference to FROM-clause entry for table "old"
HINT: There is an entry for table "old", but it cannot be referenced from this part of the query.

> create rule bad as on update to t where a = 1 do nothing
ERROR 42702: column reference "a" is ambiguous

> create rule bad as on update to t where new.a = 1 do instead insert into log values ('x') returning *
ERROR 0A000: RETURNING lists are not supported in conditional rules

> create rule bad as on update to t do also insert into log values ('x') returning *
ERROR 0A000: RETURNING lists are not supported in non-INSTEAD rules

> create rule bad as on insert to t where count(*) > 1 do nothing
ERROR 42803: aggregate functions are not allowed in WHERE

> create rule bad as on insert to t where new.bb do nothing
ERROR 42804: argument of WHERE must be type boolean, not type text

> drop rule tskip on t
DROP RULE

> alter table t drop column bb
ERROR 2BP01: cannot drop column bb of table t because other objects depend on it
DETAIL: rule ti on table t depends on column bb of table t\nrule tu on table t depends on column bb of table t\nview v depends on column bb of table t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

