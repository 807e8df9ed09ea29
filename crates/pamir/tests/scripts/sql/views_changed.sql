# Rows changed through views: what is updatable, where the change goes, what is refused and with which words.
> create table base(id int primary key, a int default 7, b text, c int generated always as (a * 2) stored)
CREATE TABLE

> insert into base(id, a, b) select i, i * 10, 'r' || i from generate_series(1, 6) i
INSERT 0 6

> create view v as select id, a, b from base where a > 15
CREATE VIEW

> insert into v values (7, 70, 'new'), (8, 1, 'unseen')
INSERT 0 2

> insert into v(id) values (9) returning *
id:int4 | a:int4 | b:text
9 | 7 | NULL
INSERT 0 1

> insert into v(b, id) select 's' || i, i from generate_series(20, 22) i returning id, a, b
id:int4 | a:int4 | b:text
20 | 7 | s20
21 | 7 | s21
22 | 7 | s22
INSERT 0 3

> update v set b = b || '!' where id < 4 returning *
id:int4 | a:int4 | b:text
2 | 20 | r2!
3 | 30 | r3!
UPDATE 2

> update v set a = a + 1, b = default where id = 2 returning v.*, v.a * 2 as twice
id:int4 | a:int4 | b:text | twice:int4
2 | 21 | NULL | 42
UPDATE 1

> delete from v where id = 1
DELETE 0

> delete from v where id >= 20 returning id
id:int4
DELETE 0

> select * from base order by id
id:int4 | a:int4 | b:text | c:int4
1 | 10 | r1 | 20
2 | 21 | NULL | 42
3 | 30 | r3! | 60
4 | 40 | r4 | 80
5 | 50 | r5 | 100
6 | 60 | r6 | 120
7 | 70 | new | 140
8 | 1 | unseen | 2
9 | 7 | NULL | 14
20 | 7 | s20 | 14
21 | 7 | s21 | 14
22 | 7 | s22 | 14
SELECT 12

# an alias, and names that are the base table's but not the view's
> create view w(x, y, z) as select b, id, a + 1 from base
CREATE VIEW

> update w set x = 'q' where y = 3 and z > 20 returning x, y, z
x:text | y:int4 | z:int4
q | 3 | 31
UPDATE 1

> update w as t set x = t.x || 'w' where t.y = 3 returning t.x
x:text
qw
UPDATE 1

> update w set b = 'q'
ERROR 42703: column "b" of relation "w" does not exist

> update w set z = 1
ERROR 0A000: cannot update column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> update base set z = 1
ERROR 42703: column "z" of relation "base" does not exist

> insert into w values ('k', 50, 3)
ERROR 0A000: cannot insert into column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> insert into w(x, y) values ('k', 50) returning *
x:text | y:int4 | z:int4
k | 50 | 8
INSERT 0 1

> insert into w(x, y, z) values ('k', 50, default)
ERROR 0A000: cannot insert into column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> insert into w values ('k')
ERROR 23502: null value in column "id" of relation "base" violates not-null constraint
DETAIL: Failing row contains (null, 7, k, 14).

> insert into w(y, z) values (1)
ERROR 42601: INSERT has more target columns than expressions

> insert into w(nope) values (1)
ERROR 42703: column "nope" of relation "w" does not exist

> delete from w where y = 50 returning z
z:int4
8
DELETE 1

# views that are not updatable
> create view n1 as select distinct a from base
CREATE VIEW

> create view n2 as select a from base group by a
CREATE VIEW

> create view n3 as select 1 as one from base having true
CREATE VIEW

> create view n4 as select a from base union all select a from base
CREATE VIEW

> create view n5 as with q as (select 1) select a from base
CREATE VIEW

> create view n6 as select a from base limit 1
CREATE VIEW

> create view n7 as select count(*) from base
CREATE VIEW

> create view n8 as select row_number() over () as n, id from base
CREATE VIEW

> create view n9 as select generate_series(1, a) as g from base
CREATE VIEW

> create view n10 as select b1.id from base b1 join base b2 using (id)
CREATE VIEW

> create view n11 as select 1 as one, 2 as two from base
CREATE VIEW

> create view n12 as values (1)
CREATE VIEW

> create view n13 as select * from generate_series(1, 2) g
CREATE VIEW

> create view n14 as select x.id from (select id from base) x
CREATE VIEW

> create view n15 as select a from base offset 1
CREATE VIEW

> create view n16 as select count(*) from base b1, base b2
CREATE VIEW

> insert into n1 values (1)
ERROR 55000: cannot insert into view "n1"
DETAIL: Views containing DISTINCT are not automatically updatable.
HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

> update n1 set a = 1
ERROR 55000: cannot update view "n1"
DETAIL: Views containing DISTINCT are not automatically updatable.
HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

> delete from n1
ERROR 55000: cannot delete from view "n1"
DETAIL: Views containing DISTINCT are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n2
ERROR 55000: cannot delete from view "n2"
DETAIL: Views containing GROUP BY are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n3
ERROR 55000: cannot delete from view "n3"
DETAIL: Views containing HAVING are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> update n4 set a = 1
ERROR 55000: cannot update view "n4"
DETAIL: Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.
HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

> delete from n5
ERROR 55000: cannot delete from view "n5"
DETAIL: Views containing WITH are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n6
ERROR 55000: cannot delete from view "n6"
DETAIL: Views containing LIMIT or OFFSET are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> update n7 set count = 1
ERROR 55000: cannot update view "n7"
DETAIL: Views that return aggregate functions are not automatically updatable.
HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

> delete from n8
ERROR 55000: cannot delete from view "n8"
DETAIL: Views that return window functions are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n9
ERROR 55000: cannot delete from view "n9"
DETAIL: Views that return set-returning functions are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n10
ERROR 55000: cannot delete from view "n10"
DETAIL: Views that do not select from a single table or view are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> insert into n11 values (1)
ERROR 55000: cannot insert into view "n11"
DETAIL: Views that have no updatable columns are not automatically updatable.
HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

> update n11 set one = 1
ERROR 55000: cannot update view "n11"
DETAIL: Views that have no updatable columns are not automatically updatable.
HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

> delete from n12
ERROR 55000: cannot delete from view "n12"
DETAIL: Views that do not select from a single table or view are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n13
ERROR 55000: cannot delete from view "n13"
DETAIL: Views that do not select from a single table or view are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n14
ERROR 55000: cannot delete from view "n14"
DETAIL: Views that do not select from a single table or view are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n15
ERROR 55000: cannot delete from view "n15"
DETAIL: Views containing LIMIT or OFFSET are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> delete from n16
ERROR 55000: cannot delete from view "n16"
DETAIL: Views that return aggregate functions are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> update n10 set nope = 1
ERROR 42703: column "nope" of relation "n10" does not exist

> update n1 set a = 'x'
ERROR 22P02: invalid input syntax for type integer: "x"

> merge into v using base on v.id = base.id when matched then delete
ERROR 0A000: cannot execute MERGE on relation "v"
DETAIL: This operation is not supported for views.

# nested
> create view outer_v as select x as xx, y as yy, z as zz from w where y > 2
CREATE VIEW

> update outer_v set xx = 'deep' where yy = 4 and zz > 40 returning *
xx:text | yy:int4 | zz:int4
deep | 4 | 41
UPDATE 1

> insert into outer_v(yy, xx) values (60, 'in') returning *
xx:text | yy:int4 | zz:int4
in | 60 | 8
INSERT 0 1

> update outer_v set zz = 1
ERROR 0A000: cannot update column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> insert into outer_v values ('a', 61, 1)
ERROR 0A000: cannot insert into column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> delete from outer_v where yy = 60 returning xx
xx:text
in
DELETE 1

> create view outer_n as select * from n1
CREATE VIEW

> delete from outer_n
ERROR 55000: cannot delete from view "n1"
DETAIL: Views containing DISTINCT are not automatically updatable.
HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

> update outer_n set a = 1
ERROR 55000: cannot update view "n1"
DETAIL: Views containing DISTINCT are not automatically updatable.
HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

# FROM, USING, subqueries, WITH
> create table other(k int, t text)
CREATE TABLE

> insert into other values (3, 'three'), (4, 'four')
INSERT 0 2

> update v set b = o.t from other o where o.k = v.id returning v.id, b, o.*
id:int4 | b:text | k:int4 | t:text
3 | three | 3 | three
4 | four | 4 | four
UPDATE 2

> update v set b = (select t from other where k = v.id) where exists (select 1 from other where k = v.id) returning *
id:int4 | a:int4 | b:text
3 | 30 | three
4 | 40 | four
UPDATE 2

> delete from v using other o where o.k = v.id and o.t = 'four' returning v.id, o.t
id:int4 | t:text
4 | four
DELETE 1

> with d as (delete from v where id = 3 returning *) select * from d
id:int4 | a:int4 | b:text
3 | 30 | three
SELECT 1

> with i as (insert into v values (30, 300, 'w') returning id, a) select a + id as s from i
s:int4
330
SELECT 1

> update v set (a, b) = (select 31, 'row') where id = 30 returning *
id:int4 | a:int4 | b:text
30 | 31 | row
UPDATE 1

> update v set (a, b) = (a + 1, upper(b)) where id = 30
UPDATE 1

# ON CONFLICT
> insert into v values (30, 1, 'c') on conflict (id) do update set b = excluded.b || v.b, a = excluded.a + v.a returning *
id:int4 | a:int4 | b:text
30 | 33 | cROW
INSERT 0 1

> insert into v values (30, 1, 'c') on conflict do nothing
INSERT 0 0

> insert into v values (30, 1, 'c') on conflict (a) do nothing
ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

> insert into v values (30, 1, 'c') on conflict on constraint base_pkey do nothing
ERROR 42704: constraint "base_pkey" for table "v" does not exist

> insert into w(y, x) values (30, 'e') on conflict (y) do update set x = excluded.x || excluded.z || w.z returning *
x:text | y:int4 | z:int4
e834 | 30 | 34
INSERT 0 1

> insert into w(y, x) values (30, 'e') on conflict (y) do update set z = 1
ERROR 0A000: cannot insert into column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> insert into w(y, x) values (30, 'e') on conflict (y) do update set x = 'unmet' where w.z > 1000000
INSERT 0 0

# two columns of one, generated columns, identity
> create view twice as select id, a as a1, a as a2, c from base
CREATE VIEW

> insert into twice(id, a1, a2) values (70, 1, 2)
ERROR 42601: multiple assignments to same column "a"

> update twice set a1 = 1, a2 = 2
ERROR 42601: multiple assignments to same column "a"

> update twice set c = 5
ERROR 428C9: column "c" can only be updated to DEFAULT
DETAIL: Column "c" is a generated column.

> update twice set c = default, a1 = 3 where id = 30 returning *
ERROR 428C9: column "c" can only be updated to DEFAULT
DETAIL: Column "c" is a generated column.

> insert into twice(id, c) values (70, 1)
ERROR 428C9: cannot insert a non-DEFAULT value into column "c"
DETAIL: Column "c" is a generated column.

> insert into twice(id, c) values (70, default) returning *
id:int4 | a1:int4 | a2:int4 | c:int4
70 | 7 | 7 | 14
INSERT 0 1

> create table ident(i int generated always as identity, j int)
CREATE TABLE

> create view iv as select * from ident
CREATE VIEW

> insert into iv values (5, 1)
ERROR 428C9: cannot insert a non-DEFAULT value into column "i"
DETAIL: Column "i" is an identity column defined as GENERATED ALWAYS.
HINT: Use OVERRIDING SYSTEM VALUE to override.

> insert into iv values (default, 1) returning *
i:int4 | j:int4
1 | 1
INSERT 0 1

> insert into iv overriding system value values (5, 2) returning *
i:int4 | j:int4
5 | 2
INSERT 0 1

> update iv set i = 3
ERROR 428C9: column "i" can only be updated to DEFAULT
DETAIL: Column "i" is an identity column defined as GENERATED ALWAYS.

> update iv set i = default where j = 2 returning *
ERROR 428C9: column "i" can only be updated to DEFAULT
DETAIL: Column "i" is an identity column defined as GENERATED ALWAYS.

# defaults of the view
> create view dv as select id, a, b from base
CREATE VIEW

> alter view dv alter column b set default 'view'
ALTER VIEW

> insert into dv(id) values (100) returning *
id:int4 | a:int4 | b:text
100 | 7 | view
INSERT 0 1

> insert into dv values (101, default, default) returning *
id:int4 | a:int4 | b:text
101 | 7 | view
INSERT 0 1

> alter view dv alter b drop default
ALTER VIEW

> insert into dv values (102, default, default) returning *
id:int4 | a:int4 | b:text
102 | 7 | NULL
INSERT 0 1

> update dv set a = default where id = 102 returning a
a:int4
NULL
UPDATE 1

> alter table dv alter column a set default 99
ALTER TABLE

> insert into dv(id, b) select 103, 'sel' returning *
id:int4 | a:int4 | b:text
103 | 99 | sel
INSERT 0 1

> create view ddv as select id as i, a as aa, b as bb from dv
CREATE VIEW

> alter view ddv alter column bb set default 'outer'
ALTER VIEW

> insert into ddv(i) values (104) returning *
i:int4 | aa:int4 | bb:text
104 | 99 | outer
INSERT 0 1

> alter view w alter column z set default 1
ALTER VIEW

> insert into w(y) values (105)
ERROR 0A000: cannot insert into column "z" of view "w"
DETAIL: View columns that are not columns of their base relation are not updatable.

> alter view dv alter column nope set default 1
ERROR 42703: column "nope" of relation "dv" does not exist

> alter view dv add column q int
ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "dv"
DETAIL: This operation is not supported for views.

> alter view dv alter column a set not null
ERROR 42809: ALTER action ALTER COLUMN ... SET NOT NULL cannot be performed on relation "dv"
DETAIL: This operation is not supported for views.

> alter table dv drop column a
ERROR 42809: ALTER action DROP COLUMN cannot be performed on relation "dv"
DETAIL: This operation is not supported for views.

> alter table dv add check (a > 1)
ERROR 42809: ALTER action ADD CONSTRAINT cannot be performed on relation "dv"
DETAIL: This operation is not supported for views.

# WITH CHECK OPTION
> create view c1 as select id, a, b from base where a > 15 with check option
CREATE VIEW

> insert into c1 values (200, 10, 'bad')
ERROR 44000: new row violates check option for view "c1"
DETAIL: Failing row contains (200, 10, bad, 20).

> insert into c1 values (200, 20, 'good') returning a
a:int4
20
INSERT 0 1

> insert into c1 values (201, null, 'null')
ERROR 44000: new row violates check option for view "c1"
DETAIL: Failing row contains (201, null, null, null).

> update c1 set a = 3 where id = 200
ERROR 44000: new row violates check option for view "c1"
DETAIL: Failing row contains (200, 3, good, 6).

> update c1 set a = a + 1 where id = 200
UPDATE 1

> insert into c1 values (200, 1, 'x') on conflict (id) do update set a = 2
ERROR 44000: new row violates check option for view "c1"
DETAIL: Failing row contains (200, 2, good, 4).

> insert into c1 values (200, 1, 'x') on conflict (id) do update set a = 22 returning *
id:int4 | a:int4 | b:text
200 | 22 | good
INSERT 0 1

> create view l0 as select id, a, b from base where b <> 'x'
CREATE VIEW

> create view l1 as select * from l0 where a > 15 with local check option
CREATE VIEW

> create view l2 as select * from l0 where a > 15 with cascaded check option
CREATE VIEW

> insert into l1 values (210, 20, 'x')
INSERT 0 1

> insert into l2 values (211, 20, 'x')
ERROR 44000: new row violates check option for view "l0"
DETAIL: Failing row contains (211, 20, x, 40).

> insert into l2 values (211, 1, 'y')
ERROR 44000: new row violates check option for view "l2"
DETAIL: Failing row contains (211, 1, y, 2).

> create view l3 as select * from l1 where id < 1000
CREATE VIEW

> insert into l3 values (2000, 20, 'ok')
INSERT 0 1

> insert into l3 values (2001, 1, 'not')
ERROR 44000: new row violates check option for view "l1"
DETAIL: Failing row contains (2001, 1, not, 2).

> create view l4 as select * from l1 where id < 1000 with check option
CREATE VIEW

> insert into l4 values (2002, 20, 'ok')
ERROR 44000: new row violates check option for view "l4"
DETAIL: Failing row contains (2002, 20, ok, 40).

> insert into l4 values (202, 20, 'x')
ERROR 44000: new row violates check option for view "l0"
DETAIL: Failing row contains (202, 20, x, 40).

> update l4 set b = 'x' where id = 200
ERROR 44000: new row violates check option for view "l0"
DETAIL: Failing row contains (200, 22, x, 44).

> select table_name, check_option, is_updatable, is_insertable_into from information_schema.views where table_schema = 'public' order by 1
table_name:name | check_option:varchar | is_updatable:varchar | is_insertable_into:varchar
c1 | CASCADED | YES | YES
ddv | NONE | YES | YES
dv | NONE | YES | YES
iv | NONE | YES | YES
l0 | NONE | YES | YES
l1 | LOCAL | YES | YES
l2 | CASCADED | YES | YES
l3 | NONE | YES | YES
l4 | CASCADED | YES | YES
n1 | NONE | NO | NO
n10 | NONE | NO | NO
n11 | NONE | NO | NO
n12 | NONE | NO | NO
n13 | NONE | NO | NO
n14 | NONE | NO | NO
n15 | NONE | NO | NO
n16 | NONE | NO | NO
n2 | NONE | NO | NO
n3 | NONE | NO | NO
n4 | NONE | NO | NO
n5 | NONE | NO | NO
n6 | NONE | NO | NO
n7 | NONE | NO | NO
n8 | NONE | NO | NO
n9 | NONE | NO | NO
outer_n | NONE | NO | NO
outer_v | NONE | YES | YES
twice | NONE | YES | YES
v | NONE | YES | YES
w | NONE | YES | YES
SELECT 30

> create view bad as select count(*) from base with check option
ERROR 0A000: WITH CHECK OPTION is supported only on automatically updatable views
HINT: Views that return aggregate functions are not automatically updatable.

> create view bad as select 1 as one from base with local check option
ERROR 0A000: WITH CHECK OPTION is supported only on automatically updatable views
HINT: Views that have no updatable columns are not automatically updatable.

> create view bad with (check_option = cascaded) as select id from base with check option
ERROR 22023: parameter "check_option" specified more than once

> create view bad with (check_option = maybe) as select id from base
ERROR 22023: invalid value for enum option "check_option": maybe
DETAIL: Valid values are "local" and "cascaded".

> alter view v set (check_option = local)
ALTER VIEW

> insert into v values (300, 1, 'x')
ERROR 44000: new row violates check option for view "v"
DETAIL: Failing row contains (300, 1, x, 2).

> alter view v reset (check_option)
ALTER VIEW

> insert into v values (300, 1, 'x')
INSERT 0 1

> alter view n1 set (check_option = local)
ERROR 0A000: WITH CHECK OPTION is supported only on automatically updatable views
HINT: Views containing DISTINCT are not automatically updatable.

> alter view v set (security_barrier, security_invoker = yes)
ALTER VIEW

> select reloptions from pg_class where relname = 'v'
reloptions:_text
{security_barrier=true,security_invoker=yes}
SELECT 1

> alter view v set (nope = 1)
ERROR 22023: unrecognized parameter "nope"

> alter view v set (security_barrier = maybe)
ERROR 22023: invalid value for boolean option "security_barrier": maybe

> alter view v reset (security_barrier, security_invoker)
ALTER VIEW

> select reloptions from pg_class where relname = 'v'
reloptions:_text
NULL
SELECT 1

> select pg_get_viewdef('l4'), pg_get_viewdef('c1', true)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT l1.id,\n    l1.a,\n    l1.b\n   FROM l1\n  WHERE (l1.id < 1000); |  SELECT base.id,\n    base.a,\n    base.b\n   FROM base\n  WHERE base.a > 15;
SELECT 1

> select relname, pg_relation_is_updatable(oid, false) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1
relname:name | pg_relation_is_updatable:int4
base | 28
c1 | 28
ddv | 28
dv | 28
ident | 28
iv | 28
l0 | 28
l1 | 28
l2 | 28
l3 | 28
l4 | 28
n1 | 0
n10 | 0
n11 | 16
n12 | 0
n13 | 0
n14 | 0
n15 | 0
n16 | 0
n2 | 0
n3 | 0
n4 | 0
n5 | 0
n6 | 0
n7 | 0
n8 | 0
n9 | 0
other | 28
outer_n | 0
outer_v | 28
twice | 28
v | 28
w | 28
SELECT 33

> select attname, pg_column_is_updatable(attrelid, attnum, false) from pg_attribute where attrelid = 'w'::regclass and attnum > 0 order by attnum
attname:name | pg_column_is_updatable:bool
x | t
y | t
z | f
SELECT 3

> select table_name, column_name, is_updatable from information_schema.columns where table_schema = 'public' and table_name in ('w', 'n1', 'outer_v', 'base') order by 1, ordinal_position
table_name:name | column_name:name | is_updatable:varchar
base | id | YES
base | a | YES
base | b | YES
base | c | YES
n1 | a | NO
outer_v | xx | YES
outer_v | yy | YES
outer_v | zz | NO
w | x | YES
w | y | YES
w | z | NO
SELECT 11

# barriers
> create view sb with (security_barrier) as select id, a, b from base where a > 15
CREATE VIEW

> update sb set b = 'sb' where id = 200 returning *
id:int4 | a:int4 | b:text
200 | 22 | sb
UPDATE 1

> delete from sb where id = 200 returning *
id:int4 | a:int4 | b:text
200 | 22 | sb
DELETE 1

> insert into sb values (201, 16, 'via') returning *
id:int4 | a:int4 | b:text
201 | 16 | via
INSERT 0 1

# domains
> create domain posint as int check (value > 0)
CREATE DOMAIN

> create table dt(k int, p posint)
CREATE TABLE

> create view dtv as select k, p from dt
CREATE VIEW

> insert into dtv values (1, 0)
ERROR 23514: value for domain posint violates check constraint "posint_check"

> insert into dtv values (1, 5) returning *
k:int4 | p:int4
1 | 5
INSERT 0 1

> update dtv set p = -1
ERROR 23514: value for domain posint violates check constraint "posint_check"

> insert into dtv select 2, -2
ERROR 23514: value for domain posint violates check constraint "posint_check"

# arrays
> create table arr(k int, xs int[])
CREATE TABLE

> create view arrv as select xs as ys, k as kk from arr
CREATE VIEW

> insert into arrv(ys[1], ys[2], kk) values (1, 2, 3) returning *
ys:_int4 | kk:int4
{1,2} | 3
INSERT 0 1

> update arrv set ys[2] = 20, ys[3] = 30 where kk = 3 returning *
ys:_int4 | kk:int4
{1,20,30} | 3
UPDATE 1

> explain (costs off) update v set b = 'x' where id = 5
QUERY PLAN:text
Update on base
  ->  Index Scan using base_pkey on base
        Index Cond: (id = 5)
        Filter: (a > 15)
EXPLAIN

> copy v from stdin
ERROR 42809: cannot copy to view "v"
HINT: To enable copying to a view, provide an INSTEAD OF INSERT trigger.

> truncate v
ERROR 42809: "v" is not a table

# columns and conditions with subqueries: of the row before, of the row that is written
> create table sq(id int primary key, a int, b int)
CREATE TABLE

> insert into sq values (1, 1, 5), (2, 2, 7), (3, 9, 9)
INSERT 0 3

> create view sqv as select id, a, (select max(b) from sq t2 where t2.a = sq.a) as m from sq where exists (select 1 from sq t3 where t3.a >= sq.a) with check option
CREATE VIEW

> update sqv set a = a + 1 where m > 0 and id < 3 returning id, a, m
id:int4 | a:int4 | m:int4
1 | 2 | 7
2 | 3 | NULL
UPDATE 2

> update sqv set a = a + m where m > 5 and id = 3
ERROR 44000: new row violates check option for view "sqv"
DETAIL: Failing row contains (3, 18, 9).

> insert into sqv values (4, 2) returning *
id:int4 | a:int4 | m:int4
4 | 2 | 5
INSERT 0 1

> insert into sqv values (5, 100)
ERROR 44000: new row violates check option for view "sqv"
DETAIL: Failing row contains (5, 100, null).

> insert into sqv values (1, 3) on conflict (id) do update set a = excluded.a + coalesce(excluded.m, 0) where sqv.m = 7 returning *
id:int4 | a:int4 | m:int4
INSERT 0 0

> insert into sqv values (2, 9) on conflict (id) do update set a = excluded.m where excluded.m = 9 returning *
id:int4 | a:int4 | m:int4
2 | 9 | 9
INSERT 0 1

> delete from sqv where m = 9 and id = 3 returning id, m
id:int4 | m:int4
3 | 9
DELETE 1

> select * from sq order by id
id:int4 | a:int4 | b:int4
1 | 2 | 5
2 | 9 | 7
4 | 2 | NULL
SELECT 3
