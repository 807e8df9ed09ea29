# Comments on constraints are kept: pg_description has them under pg_constraint, beside those of their indexes.
> create table p (id int, constraint p_pk primary key (id))
CREATE TABLE

> create table t (a int constraint t_u unique, b float8, constraint t_c check (b > 0), constraint t_f foreign key (a) references p (id))
CREATE TABLE

> comment on constraint p_pk on p is 'a key'
COMMENT

> comment on index p_pk is 'an index'
COMMENT

> comment on constraint t_u on t is 'unique'
COMMENT

> comment on constraint t_c on t is 'a check'
COMMENT

> comment on constraint t_f on t is 'a reference'
COMMENT

> comment on constraint t_x on t is 'none'
ERROR 42704: constraint "t_x" for table "t" does not exist

> select c.conname, d.description, d.objsubid, d.classoid::regclass from pg_constraint c join pg_description d on d.objoid = c.oid and d.classoid = 'pg_constraint'::regclass where c.conname ~ '^[pt]_' order by 1
conname:name | description:text | objsubid:int4 | classoid:regclass
p_pk | a key | 0 | pg_constraint
t_c | a check | 0 | pg_constraint
t_f | a reference | 0 | pg_constraint
t_u | unique | 0 | pg_constraint
SELECT 4

> select conname, obj_description(oid, 'pg_constraint'), obj_description(oid, 'pg_class') from pg_constraint where conname ~ '^t_' order by 1
conname:name | obj_description:text | obj_description:text
t_c | a check | NULL
t_f | a reference | NULL
t_u | unique | NULL
SELECT 3

> select obj_description('p_pk'::regclass, 'pg_class'), obj_description('p_pk'::regclass)
obj_description:text | obj_description:text
an index | an index
SELECT 1

# A rebuilt constraint keeps its comment, as one under a new name does; what is dropped takes its comment along.
> alter table t alter a type bigint
ALTER TABLE

> alter table t rename constraint t_c to t_d
ALTER TABLE

> comment on constraint t_u on t is null
COMMENT

> alter table t drop constraint t_f
ALTER TABLE

> select conname, obj_description(oid, 'pg_constraint') from pg_constraint where conname ~ '^[pt]_' order by 1
conname:name | obj_description:text
p_pk | a key
t_d | a check
t_u | NULL
SELECT 3

> select count(*) from pg_description d where description = 'a reference'
count:int8
0
SELECT 1

# Sequences and schemas have descriptions too.
> create sequence s
CREATE SEQUENCE

> comment on sequence s is 'counts'
COMMENT

> select obj_description('s'::regclass, 'pg_class'), obj_description('public'::regnamespace, 'pg_namespace'), obj_description('s'::regclass, 'pg_namespace')
obj_description:text | obj_description:text | obj_description:text
counts | standard public schema | NULL
SELECT 1
