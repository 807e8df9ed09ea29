# What depends on functions: expressions of tables and views, told and dropped as PostgreSQL does; renames reach their texts.
> create schema s
CREATE SCHEMA

> create function s.f(int) returns int language sql immutable as 'select $1 * 2'
CREATE FUNCTION

> create function s.f(text) returns text language sql immutable as 'select $1'
CREATE FUNCTION

> create table t(a int default s.f(1), b int generated always as (s.f(a)) stored, c text check (s.f(c) <> ''), d int)
CREATE TABLE

> create index t_f on t(s.f(d))
CREATE INDEX

> create index t_p on t(d) where s.f(d) > 4
CREATE INDEX

> alter table t add constraint t_d check (s.f(d) < 1000)
ALTER TABLE

> create view v as select s.f(a) as x, b from t
CREATE VIEW

> drop function s.f(int)
ERROR 2BP01: cannot drop function s.f(integer) because other objects depend on it
DETAIL: default value for column a of table t depends on function s.f(integer)\ncolumn b of table t depends on function s.f(integer)\nindex t_f depends on function s.f(integer)\nindex t_p depends on function s.f(integer)\nconstraint t_d on table t depends on function s.f(integer)\nview v depends on function s.f(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function s.f(text)
ERROR 2BP01: cannot drop function s.f(text) because other objects depend on it
DETAIL: constraint t_c_check on table t depends on function s.f(text)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> insert into t(c, d) values ('x', 3) returning *
a:int4 | b:int4 | c:text | d:int4
2 | 4 | x | 3
INSERT 0 1

> alter function s.f(int) rename to g
ALTER FUNCTION

> insert into t(c, d) values ('y', 4) returning *
a:int4 | b:int4 | c:text | d:int4
2 | 4 | y | 4
INSERT 0 1

> select pg_get_viewdef('v'), pg_get_indexdef('t_f'::regclass), pg_get_indexdef('t_p'::regclass)
pg_get_viewdef:text | pg_get_indexdef:text | pg_get_indexdef:text
 SELECT s.g(t.a) AS x,\n    t.b\n   FROM t; | CREATE INDEX t_f ON public.t USING btree (s.g(d)) | CREATE INDEX t_p ON public.t USING btree (d) WHERE (s.g(d) > 4)
SELECT 1

> select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass order by 1
conname:name | pg_get_constraintdef:text
t_c_check | CHECK ((s.f(c) <> ''::text))
t_d | CHECK ((s.g(d) < 1000))
SELECT 2

> select adnum, pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 't'::regclass order by 1
adnum:int2 | pg_get_expr:text
1 | s.g(1)
2 | s.g(a)
SELECT 2

> create schema s2
CREATE SCHEMA

> alter function s.g(int) set schema s2
ALTER FUNCTION

> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT s2.g(t.a) AS x,\n    t.b\n   FROM t;
SELECT 1

> insert into t(c, d) values ('z', 5) returning *
a:int4 | b:int4 | c:text | d:int4
2 | 4 | z | 5
INSERT 0 1

> select * from v order by 1
x:int4 | b:int4
4 | 4
4 | 4
4 | 4
SELECT 3

> drop function s2.g(int) cascade
NOTICE 00000: drop cascades to 6 other objects
DETAIL: drop cascades to default value for column a of table t\ndrop cascades to column b of table t\ndrop cascades to index t_f\ndrop cascades to index t_p\ndrop cascades to constraint t_d on table t\ndrop cascades to view v
DROP FUNCTION

> select attname, atthasdef, attgenerated from pg_attribute where attrelid = 't'::regclass and attnum > 0 and not attisdropped order by attnum
attname:name | atthasdef:bool | attgenerated:char
a | f | 
c | f | 
d | f | 
SELECT 3

> select conname from pg_constraint where conrelid = 't'::regclass
conname:name
t_c_check
SELECT 1

> select indexrelid::regclass from pg_index where indrelid = 't'::regclass
indexrelid:regclass
SELECT 0

> drop schema s
ERROR 2BP01: cannot drop schema s because other objects depend on it
DETAIL: function s.f(text) depends on schema s\nconstraint t_c_check on table t depends on function s.f(text)
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop function s.f(text) cascade
NOTICE 00000: drop cascades to constraint t_c_check on table t
DROP FUNCTION

> drop schema s
DROP SCHEMA

> drop schema s2
DROP SCHEMA
