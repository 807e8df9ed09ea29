# Deferrable unique keys: definitions, catalogs, what is refused.
> create table t (id int primary key deferrable, a int unique deferrable initially deferred, b int, c int, constraint u2 unique (b) include (a) deferrable initially immediate, unique (c) not deferrable)
CREATE TABLE

> select conname, contype, condeferrable, condeferred, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true), pg_get_indexdef(conindid) from pg_constraint where conrelid = 't'::regclass order by 1
conname:name | contype:char | condeferrable:bool | condeferred:bool | pg_get_constraintdef:text | pg_get_constraintdef:text | pg_get_indexdef:text
t_a_key | u | t | t | UNIQUE (a) DEFERRABLE INITIALLY DEFERRED | UNIQUE (a) DEFERRABLE INITIALLY DEFERRED | CREATE UNIQUE INDEX t_a_key ON public.t USING btree (a)
t_c_key | u | f | f | UNIQUE (c) | UNIQUE (c) | CREATE UNIQUE INDEX t_c_key ON public.t USING btree (c)
t_pkey | p | t | f | PRIMARY KEY (id) DEFERRABLE | PRIMARY KEY (id) DEFERRABLE | CREATE UNIQUE INDEX t_pkey ON public.t USING btree (id)
u2 | u | t | f | UNIQUE (b) INCLUDE (a) DEFERRABLE | UNIQUE (b) INCLUDE (a) DEFERRABLE | CREATE UNIQUE INDEX u2 ON public.t USING btree (b) INCLUDE (a)
SELECT 4

> select i.indexrelid::regclass, indisunique, indisprimary, indimmediate, indisvalid, indnatts, indnkeyatts from pg_index i where indrelid = 't'::regclass order by 1::text
indexrelid:regclass | indisunique:bool | indisprimary:bool | indimmediate:bool | indisvalid:bool | indnatts:int2 | indnkeyatts:int2
t_pkey | t | t | f | t | 1 | 1
t_a_key | t | f | f | t | 1 | 1
u2 | t | f | f | t | 2 | 1
t_c_key | t | f | t | t | 1 | 1
SELECT 4

> select constraint_name, constraint_type, is_deferrable, initially_deferred from information_schema.table_constraints where table_name = 't' and constraint_type <> 'CHECK' order by 1
constraint_name:name | constraint_type:varchar | is_deferrable:varchar | initially_deferred:varchar
t_a_key | UNIQUE | YES | YES
t_c_key | UNIQUE | NO | NO
t_pkey | PRIMARY KEY | YES | NO
u2 | UNIQUE | YES | NO
SELECT 4

> select constraint_name, column_name, ordinal_position from information_schema.key_column_usage where table_name = 't' order by 1
constraint_name:name | column_name:name | ordinal_position:int4
t_a_key | a | 1
t_c_key | c | 1
t_pkey | id | 1
u2 | b | 1
SELECT 4

> select regexp_replace(tgname, '[0-9]+$', 'N'), tgtype, tgenabled, tgisinternal, tgconstrrelid, tgconstrindid::regclass, tgdeferrable, tginitdeferred, tgnargs from pg_trigger where tgrelid = 't'::regclass order by tgconstrindid::regclass::text
regexp_replace:text | tgtype:int2 | tgenabled:char | tgisinternal:bool | tgconstrrelid:oid | tgconstrindid:regclass | tgdeferrable:bool | tginitdeferred:bool | tgnargs:int2
Unique_ConstraintTrigger_N | 21 | O | t | 0 | t_a_key | t | t | 0
PK_ConstraintTrigger_N | 21 | O | t | 0 | t_pkey | t | f | 0
Unique_ConstraintTrigger_N | 21 | O | t | 0 | u2 | t | f | 0
SELECT 3

> select relhastriggers, relhasindex from pg_class where oid = 't'::regclass
relhastriggers:bool | relhasindex:bool
t | t
SELECT 1

> select indexdef from pg_indexes where tablename = 't' order by 1
indexdef:text
CREATE UNIQUE INDEX t_a_key ON public.t USING btree (a)
CREATE UNIQUE INDEX t_c_key ON public.t USING btree (c)
CREATE UNIQUE INDEX t_pkey ON public.t USING btree (id)
CREATE UNIQUE INDEX u2 ON public.t USING btree (b) INCLUDE (a)
SELECT 4

> select attname, attnotnull from pg_attribute where attrelid = 't'::regclass and attnum > 0 order by attnum
attname:name | attnotnull:bool
id | t
a | f
b | f
c | f
SELECT 4

# Syntax.
> create table v (a int unique deferrable initially deferred not deferrable)
ERROR 42601: multiple DEFERRABLE/NOT DEFERRABLE clauses not allowed

> create table v (a int unique not deferrable initially deferred)
ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE

> create table v (a int, unique (a) not deferrable initially deferred)
ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE

> create table v (a int, unique (a) initially deferred)
CREATE TABLE

> drop table v
DROP TABLE

> create table v (a int primary key initially deferred)
CREATE TABLE

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'v'::regclass
pg_get_constraintdef:text
PRIMARY KEY (a) DEFERRABLE INITIALLY DEFERRED
SELECT 1

> drop table v
DROP TABLE

> create domain d as int unique deferrable
ERROR 42601: unique constraints not possible for domains

# Foreign keys refer to keys that always hold.
> create table f (t int references t)
ERROR 55000: cannot use a deferrable primary key for referenced table "t"

> create table f (t int references t (id))
ERROR 55000: cannot use a deferrable unique constraint for referenced table "t"

> create table f (t int references t (a))
ERROR 55000: cannot use a deferrable unique constraint for referenced table "t"

> create table f (t int references t (b))
ERROR 55000: cannot use a deferrable unique constraint for referenced table "t"

> create table f (t int references t (c))
CREATE TABLE

> drop table f
DROP TABLE

> create table both_kinds (a int unique deferrable, constraint z unique (a))
CREATE TABLE

> create table f (t int references both_kinds (a))
CREATE TABLE

> drop table f, both_kinds
DROP TABLE

# What tables are told of indexes.
> cluster t using t_pkey
CLUSTER

> cluster t using u2
CLUSTER

> alter table t cluster on t_a_key
ALTER TABLE

> alter table t replica identity using index t_pkey
ERROR 0A000: cannot use non-immediate index "t_pkey" as replica identity

> alter table t replica identity using index t_a_key
ERROR 0A000: cannot use non-immediate index "t_a_key" as replica identity

> alter table t replica identity default
ALTER TABLE

# Changes.
> alter table t alter constraint t_pkey not deferrable
ERROR 42809: constraint "t_pkey" of relation "t" is not a foreign key constraint

> alter table t alter constraint t_a_key deferrable initially immediate
ERROR 42809: constraint "t_a_key" of relation "t" is not a foreign key constraint

> alter table t alter column id drop not null
ERROR 42P16: column "id" is in a primary key

> alter table t add primary key (b)
ERROR 42P16: multiple primary keys for table "t" are not allowed

> alter table t add constraint x1 primary key (c) deferrable
ERROR 42P16: multiple primary keys for table "t" are not allowed

> alter table t rename constraint t_a_key to a_once
ALTER TABLE

> alter index a_once rename to a_key
ALTER INDEX

> insert into t values (1, 1, 1, 1), (2, 2, 2, 2)
INSERT 0 2

> begin
BEGIN

> insert into t values (3, 1, 3, 3)
INSERT 0 1

> commit
ERROR 23505: duplicate key value violates unique constraint "a_key"
DETAIL: Key (a)=(1) already exists.

> begin
BEGIN

> insert into t values (3, 1, 3, 3)
INSERT 0 1

> set constraints a_key immediate
ERROR 23505: duplicate key value violates unique constraint "a_key"
DETAIL: Key (a)=(1) already exists.

> rollback
ROLLBACK

> alter table t drop constraint a_key
ALTER TABLE

> insert into t values (3, 1, 3, 3)
INSERT 0 1

> alter table t add constraint a_key unique (a) deferrable
ERROR 23505: could not create unique index "a_key"
DETAIL: Key (a)=(1) is duplicated.

> delete from t where id = 3
DELETE 1

> alter table t add constraint a_key unique (a) deferrable
ALTER TABLE

> alter table t drop constraint t_pkey
ALTER TABLE

> select attnotnull from pg_attribute where attrelid = 't'::regclass and attname = 'id'
attnotnull:bool
t
SELECT 1

> insert into t values (null, 9, 9, 9)
ERROR 23502: null value in column "id" of relation "t" violates not-null constraint
DETAIL: Failing row contains (null, 9, 9, 9).

> alter table t alter id drop not null
ALTER TABLE

> insert into t values (null, 9, 9, 9)
INSERT 0 1

> alter table t add primary key (id) deferrable initially deferred
ERROR 23502: column "id" of relation "t" contains null values

> delete from t where id is null
DELETE 1

> insert into t values (1, 8, 8, 8)
INSERT 0 1

> alter table t add primary key (id) deferrable initially deferred
ERROR 23505: could not create unique index "t_pkey"
DETAIL: Key (id)=(1) is duplicated.

> delete from t where a = 8
DELETE 1

> alter table t add primary key (id) deferrable initially deferred
ALTER TABLE

> begin
BEGIN

> insert into t values (1, 20, 20, 20)
INSERT 0 1

> update t set id = 20 where a = 20
UPDATE 1

> commit
COMMIT

> alter table t alter column id type bigint
ALTER TABLE

> insert into t values (1, 21, 21, 21)
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> alter table t alter column a type text
ALTER TABLE

> insert into t values (30, '1', 30, 30)
ERROR 23505: duplicate key value violates unique constraint "a_key"
DETAIL: Key (a)=(1) already exists.

> update t set a = case a when '1' then '2' when '2' then '1' else a end
UPDATE 3

> select * from t order by id
id:int8 | a:text | b:int4 | c:int4
1 | 2 | 1 | 1
2 | 1 | 2 | 2
20 | 20 | 20 | 20
SELECT 3

> alter table t drop column id
ALTER TABLE

> select conname from pg_constraint where conrelid = 't'::regclass order by 1
conname:name
a_key
t_c_key
u2
SELECT 3

> truncate t
TRUNCATE TABLE

> insert into t values ('1', 1, 1), ('1', 2, 2)
ERROR 23505: duplicate key value violates unique constraint "a_key"
DETAIL: Key (a)=(1) already exists.

> reindex table t
REINDEX

# Checks that wait keep definitions as they are; what is alone does not wait.
> create table w (id int primary key, a int unique deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into w values (1, 1)
INSERT 0 1

> alter table w add column q int
ALTER TABLE

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> alter table w add column q int
ERROR 55006: cannot ALTER TABLE "w" because it has pending trigger events

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> truncate w
ERROR 55006: cannot TRUNCATE "w" because it has pending trigger events

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> alter table w drop constraint w_a_key
ERROR 55006: cannot ALTER TABLE "w" because it has pending trigger events

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> drop table w
ERROR 55006: cannot DROP TABLE "w" because it has pending trigger events

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> update w set a = id
UPDATE 2

> set constraints all immediate
SET CONSTRAINTS

> alter table w add column q int default random()
ALTER TABLE

> insert into w values (3, 1)
ERROR 23505: duplicate key value violates unique constraint "w_a_key"
DETAIL: Key (a)=(1) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> insert into w values (1, 1), (2, 1)
INSERT 0 2

> update w set a = id
UPDATE 2

> set constraints all immediate
SET CONSTRAINTS

> truncate w
TRUNCATE TABLE

> insert into w (id, a) values (3, 1), (4, 2)
INSERT 0 2

> commit
COMMIT

> select id, a from w order by id
id:int4 | a:int4
3 | 1
4 | 2
SELECT 2

# Indexes that stand become constraints'.
> create table ui (a int not null, b int)
CREATE TABLE

> create unique index ui_a on ui (a)
CREATE INDEX

> create unique index ui_b on ui (b)
CREATE INDEX

> insert into ui values (1, 1), (2, 2)
INSERT 0 2

> alter table ui add constraint ui_p primary key using index ui_a deferrable
NOTICE 00000: ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index "ui_a" to "ui_p"
ALTER TABLE

> alter table ui add constraint ui_b unique using index ui_b deferrable initially deferred
ALTER TABLE

> select conname, contype, condeferrable, condeferred, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'ui'::regclass order by 1
conname:name | contype:char | condeferrable:bool | condeferred:bool | pg_get_constraintdef:text
ui_b | u | t | t | UNIQUE (b) DEFERRABLE INITIALLY DEFERRED
ui_p | p | t | f | PRIMARY KEY (a) DEFERRABLE
SELECT 2

> update ui set a = 3 - a
UPDATE 2

> begin
BEGIN

> update ui set b = 1
UPDATE 2

> commit
ERROR 23505: duplicate key value violates unique constraint "ui_b"
DETAIL: Key (b)=(1) already exists.

> select * from ui order by a
a:int4 | b:int4
1 | 2
2 | 1
SELECT 2

# LIKE.
> create table src (id int primary key deferrable, a int unique deferrable initially deferred, b int, unique (b, a) include (id) deferrable)
CREATE TABLE

> create table l1 (like src including indexes)
CREATE TABLE

> create table l2 (like src including constraints)
CREATE TABLE

> create table l3 (like src including all)
CREATE TABLE

> select conrelid::regclass, conname, condeferrable, condeferred, pg_get_constraintdef(oid) from pg_constraint where conrelid in ('l1'::regclass, 'l2'::regclass, 'l3'::regclass) order by 1, 2
conrelid:regclass | conname:name | condeferrable:bool | condeferred:bool | pg_get_constraintdef:text
l1 | l1_a_key | t | t | UNIQUE (a) DEFERRABLE INITIALLY DEFERRED
l1 | l1_b_a_id_key | t | f | UNIQUE (b, a) INCLUDE (id) DEFERRABLE
l1 | l1_pkey | t | f | PRIMARY KEY (id) DEFERRABLE
l3 | l3_a_key | t | t | UNIQUE (a) DEFERRABLE INITIALLY DEFERRED
l3 | l3_b_a_id_key | t | f | UNIQUE (b, a) INCLUDE (id) DEFERRABLE
l3 | l3_pkey | t | f | PRIMARY KEY (id) DEFERRABLE
SELECT 6

> insert into l1 values (1, 1, 1), (2, 2, 2)
INSERT 0 2

> update l1 set id = 3 - id
UPDATE 2

# Families: a child has no key of its parent's.
> create table child (z int) inherits (src)
CREATE TABLE

> select count(*) from pg_constraint where conrelid = 'child'::regclass
count:int8
0
SELECT 1

> insert into child values (1, 1, 1, 1), (1, 1, 1, 1)
INSERT 0 2

> update src set id = id + 1
UPDATE 2

> select count(*) from src
count:int8
2
SELECT 1

# Partitioned tables.
> create table p (a int, b int, unique (a) deferrable initially deferred) partition by list (a)
CREATE TABLE

> create table p1 partition of p for values in (1, 2)
CREATE TABLE

> create table p2 (b int, a int)
CREATE TABLE

> alter table p attach partition p2 for values in (3, 4)
ALTER TABLE

> create table p3 (a int, b int, constraint own unique (a) deferrable initially deferred)
CREATE TABLE

> alter table p attach partition p3 for values in (5, 6)
ALTER TABLE

> create table p4 (a int, b int, constraint other unique (a))
CREATE TABLE

> alter table p attach partition p4 for values in (7, 8)
ALTER TABLE

> select conrelid::regclass, conname, condeferrable, condeferred, conparentid <> 0 as part, coninhcount from pg_constraint where conrelid in (select oid from pg_class where relname ~ '^p[0-9]?$') order by 1::text, 2
conrelid:regclass | conname:name | condeferrable:bool | condeferred:bool | part:bool | coninhcount:int4
p4 | other | f | f | t | 1
p3 | own | t | t | t | 1
p1 | p1_a_key | t | t | t | 1
p2 | p2_a_key | t | t | t | 1
p | p_a_key | t | t | f | 0
SELECT 5

> create table pe (a int, b int, unique (b) deferrable) partition by list (a)
ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
DETAIL: UNIQUE constraint on table "pe" lacks column "a" which is part of the partition key.

> begin
BEGIN

> insert into p values (1, 1), (1, 2)
INSERT 0 2

> set constraints p_a_key immediate
ERROR 23505: duplicate key value violates unique constraint "p1_a_key"
DETAIL: Key (a)=(1) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> insert into p values (1, 1), (1, 2)
INSERT 0 2

> set constraints p1_a_key immediate
ERROR 23505: duplicate key value violates unique constraint "p1_a_key"
DETAIL: Key (a)=(1) already exists.

> rollback
ROLLBACK

> begin
BEGIN

> insert into p values (3, 1), (3, 2), (5, 1)
INSERT 0 3

> set constraints p1_a_key immediate
SET CONSTRAINTS

> update p set a = 4 where b = 2
UPDATE 1

> commit
COMMIT

> select tableoid::regclass, a, b from p order by a
tableoid:regclass | a:int4 | b:int4
p2 | 3 | 1
p2 | 4 | 2
p3 | 5 | 1
SELECT 3

> begin
BEGIN

> update p set a = 5 where b = 2
UPDATE 1

> commit
ERROR 23505: duplicate key value violates unique constraint "own"
DETAIL: Key (a)=(5) already exists.

> insert into p values (7, 1), (8, 1)
INSERT 0 2

> begin
BEGIN

> update p set a = case a when 3 then 5 when 5 then 3 else a end
UPDATE 5

> commit
COMMIT

> select tableoid::regclass, a, b from p order by a, b
tableoid:regclass | a:int4 | b:int4
p2 | 3 | 1
p2 | 4 | 2
p3 | 5 | 1
p4 | 7 | 1
p4 | 8 | 1
SELECT 5

> alter table p1 drop constraint p1_a_key
ERROR 42P16: cannot drop inherited constraint "p1_a_key" of relation "p1"

> alter table p drop constraint p_a_key
ALTER TABLE

> select conrelid::regclass, conname from pg_constraint where conrelid in (select oid from pg_class where relname ~ '^p[0-9]?$') order by 1::text, 2
conrelid:regclass | conname:name
SELECT 0

# Rows that were there before.
> create table old (a int, b int)
CREATE TABLE

> insert into old values (1, 1), (1, null), (2, null)
INSERT 0 3

> alter table old add unique (a) deferrable
ERROR 23505: could not create unique index "old_a_key"
DETAIL: Key (a)=(1) is duplicated.

> alter table old add unique (b) deferrable
ALTER TABLE

> alter table old add unique nulls not distinct (b) deferrable
ERROR 23505: could not create unique index "old_b_key1"
DETAIL: Key (b)=(null) is duplicated.

> alter table old add primary key (b) deferrable
ERROR 23502: column "b" of relation "old" contains null values

> create table made as select 1 as a union all select 1
SELECT 2

> alter table made add constraint made_key primary key (a) deferrable initially deferred
ERROR 23505: could not create unique index "made_key"
DETAIL: Key (a)=(1) is duplicated.

