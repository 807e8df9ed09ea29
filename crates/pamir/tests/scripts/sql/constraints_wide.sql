# Constraints over several tables and transactions, index use with odd values, catalogs.
> create table p (a int, b text, c int unique, primary key (a, b))
CREATE TABLE

> create table c (id int primary key, a int, b text, foreign key (a, b) references p match full on update cascade)
CREATE TABLE

> insert into p values (1, 'x', 10), (2, 'y', 20), (3, 'z', null)
INSERT 0 3

> insert into c values (1, 1, 'x'), (2, null, null)
INSERT 0 2

> insert into c values (3, 1, null)
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_a_b_fkey"
DETAIL: MATCH FULL does not allow mixing of null and nonnull key values.

> insert into c values (3, 9, 'q')
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_a_b_fkey"
DETAIL: Key (a, b)=(9, q) is not present in table "p".

> update p set b = 'xx' where a = 1
UPDATE 1

> select * from c order by id
id:int4 | a:int4 | b:text
1 | 1 | xx
2 | NULL | NULL
SELECT 2

> delete from p where a = 1
ERROR 23503: update or delete on table "p" violates foreign key constraint "c_a_b_fkey" on table "c"
DETAIL: Key (a, b)=(1, xx) is still referenced from table "c".

> insert into p values (4, 'w', 10)
ERROR 23505: duplicate key value violates unique constraint "p_c_key"
DETAIL: Key (c)=(10) already exists.

> insert into p values (1, 'xx', 11)
ERROR 23505: duplicate key value violates unique constraint "p_pkey"
DETAIL: Key (a, b)=(1, xx) already exists.

> insert into p (a, c) values (1, 11)
ERROR 23502: null value in column "b" of relation "p" violates not-null constraint
DETAIL: Failing row contains (1, null, 11).

> insert into p values (5, 'v', null), (6, 'u', null)
INSERT 0 2

> alter table p add constraint lim check (c is null or c > 5)
ALTER TABLE

> insert into p values (7, 't', 1)
ERROR 23514: new row for relation "p" violates check constraint "lim"
DETAIL: Failing row contains (7, t, 1).

> update p set c = 3 where a = 2
ERROR 23514: new row for relation "p" violates check constraint "lim"
DETAIL: Failing row contains (2, y, 3).

> alter table p add constraint bad check (a > 100)
ERROR 23514: check constraint "bad" of relation "p" is violated by some row

> alter table c add constraint c_fk2 foreign key (id) references p (c)
ERROR 23503: insert or update on table "c" violates foreign key constraint "c_fk2"
DETAIL: Key (id)=(2) is not present in table "p".

> alter table c drop constraint c_a_b_fkey
ALTER TABLE

> select conname, contype from pg_constraint where conrelid = 'c'::regclass order by 1
conname:name | contype:char
c_pkey | p
SELECT 1

> create table d (id int primary key, pid int references d deferrable initially deferred)
CREATE TABLE

> begin
BEGIN

> insert into d values (1, 2)
INSERT 0 1

> insert into d values (2, 1)
INSERT 0 1

> commit
COMMIT

> begin
BEGIN

> insert into d values (3, 99)
INSERT 0 1

> commit
ERROR 23503: insert or update on table "d" violates foreign key constraint "d_pid_fkey"
DETAIL: Key (pid)=(99) is not present in table "d".

> select count(*) from d
count:int8
2
SELECT 1

> begin
BEGIN

> set constraints all immediate
SET CONSTRAINTS

> insert into d values (4, 99)
ERROR 23503: insert or update on table "d" violates foreign key constraint "d_pid_fkey"
DETAIL: Key (pid)=(99) is not present in table "d".

> rollback
ROLLBACK

> insert into d values (5, 99)
ERROR 23503: insert or update on table "d" violates foreign key constraint "d_pid_fkey"
DETAIL: Key (pid)=(99) is not present in table "d".

> create table u (a int unique deferrable, b int)
CREATE TABLE

> insert into u values (1, 1), (2, 2), (3, null)
INSERT 0 3

> update u set a = a + 1
UPDATE 3

> select * from u order by a
a:int4 | b:int4
2 | 1
3 | 2
4 | NULL
SELECT 3

> insert into u values (4, 0), (4, 0)
ERROR 23505: duplicate key value violates unique constraint "u_a_key"
DETAIL: Key (a)=(4) already exists.

> create table n (a int, b int, unique nulls not distinct (a, b))
CREATE TABLE

> insert into n values (1, null)
INSERT 0 1

> insert into n values (1, null)
ERROR 23505: duplicate key value violates unique constraint "n_a_b_key"
DETAIL: Key (a, b)=(1, null) already exists.

> create table n2 (a int, b int, unique (a, b))
CREATE TABLE

> insert into n2 values (1, null), (1, null)
INSERT 0 2

> select count(*) from n2
count:int8
2
SELECT 1

> create table ix (id int primary key, k int, t text, f float8, d date, n numeric)
CREATE TABLE

> insert into ix select g, g % 10, 'v' || g, g / 4.0, date '2020-01-01' + g, g * 1.5 from generate_series(1, 200) g
INSERT 0 200

> insert into ix values (1000, null, null, 'nan', 'infinity', 'nan'), (1001, -5, '', '-infinity', '-infinity', -1e20)
INSERT 0 2

> create index on ix (k, id desc)
CREATE INDEX

> create index on ix (t)
CREATE INDEX

> create index on ix (f)
CREATE INDEX

> create index on ix (d)
CREATE INDEX

> create index on ix (n)
CREATE INDEX

> analyze ix
ANALYZE

> select id from ix where k = 3 and id > 150 order by id desc
id:int4
193
183
173
163
153
SELECT 5

> select id from ix where k is null
id:int4
1000
SELECT 1

> select id from ix where k in (1, 2, null) and id < 15 order by id
id:int4
1
2
11
12
SELECT 4

> select count(*) from ix where k < 5
count:int8
101
SELECT 1

> select count(*) from ix where k <= 5 and k > 2
count:int8
60
SELECT 1

> select count(*) from ix where k <> 3
count:int8
181
SELECT 1

> select count(*) from ix where k between 5 and 2
count:int8
0
SELECT 1

> select id from ix where t = 'v77'
id:int4
77
SELECT 1

> select id from ix where t like 'v19%' order by id
id:int4
19
190
191
192
193
194
195
196
197
198
199
SELECT 11

> select id from ix where t >= 'v99' order by t
id:int4
99
SELECT 1

> select id from ix where t < 'v' order by id
id:int4
1001
SELECT 1

> select id from ix where t > 'v198' and t <= 'v2' order by id
id:int4
2
199
SELECT 2

> select id from ix where f = 'nan'
id:int4
1000
SELECT 1

> select id from ix where f > 49 order by id
id:int4
197
198
199
200
1000
SELECT 5

> select id from ix where f < 0
id:int4
1001
SELECT 1

> select id from ix where f = 2.5
id:int4
10
SELECT 1

> select id from ix where f = 10
id:int4
40
SELECT 1

> select id from ix where n = 150
id:int4
100
SELECT 1

> select id from ix where n = 150.0
id:int4
100
SELECT 1

> select id from ix where n > 298.4 order by n
id:int4
199
200
1000
SELECT 3

> select id from ix where n < 0
id:int4
1001
SELECT 1

> select id from ix where d = '2020-02-01'
id:int4
31
SELECT 1

> select id from ix where d > '2020-07-17' order by d
id:int4
199
200
1000
SELECT 3

> select id from ix where d < '2020-01-03' order by d
id:int4
1001
1
SELECT 2

> select id from ix where id = 5.0
id:int4
5
SELECT 1

> select id from ix where id = 5.5
id:int4
SELECT 0

> select id from ix where id > 199.5 order by id
id:int4
200
1000
1001
SELECT 3

> select id from ix where id = 5::int8
id:int4
5
SELECT 1

> select id from ix where id < 3000000000 and id > 199 order by id
id:int4
200
1000
1001
SELECT 3

> select id from ix where id = 3000000000
id:int4
SELECT 0

> select id from ix where id = '7'
id:int4
7
SELECT 1

> select id from ix where id = any('{3,1,3,null}') order by id
id:int4
1
3
SELECT 2

> select id from ix where (k, id) > (8, 190) order by k, id
id:int4
198
9
19
29
39
49
59
69
79
89
99
109
119
129
139
149
159
169
179
189
199
SELECT 21

> select id from ix where k = 1 or id = 2 order by id limit 3
id:int4
1
2
11
SELECT 3

> select max(id), min(id), max(k), min(k), max(t), min(f), max(f), max(d), max(n) from ix
max:int4 | min:int4 | max:int4 | min:int4 | max:text | min:float8 | max:float8 | max:date | max:numeric
1001 | 1 | 9 | -5 | v99 | -Infinity | NaN | infinity | NaN
SELECT 1

> select k, count(*) from ix group by k order by k nulls first limit 3
k:int4 | count:int8
NULL | 1
-5 | 1
0 | 20
SELECT 3

> select distinct k from ix order by k desc nulls last limit 2
k:int4
9
8
SELECT 2

> select id from ix order by k desc, id limit 3
id:int4
1000
9
19
SELECT 3

> select id from ix order by k nulls first, id desc limit 3
id:int4
1000
1001
200
SELECT 3

> select id from ix order by id desc limit 2 offset 1
id:int4
1000
200
SELECT 2

> select a.id from ix a join ix b on a.k = b.id where a.id < 5 order by a.id
id:int4
1
2
3
4
SELECT 4

> select a.id, b.id from ix a left join ix b on b.id = a.id + 198 where a.id < 4 order by 1
id:int4 | id:int4
1 | 199
2 | 200
3 | NULL
SELECT 3

> select count(*) from ix a join ix b on a.k = b.k
count:int8
4001
SELECT 1

> select count(*) from ix a where exists (select 1 from ix b where b.k = a.id)
count:int8
9
SELECT 1

> update ix set id = id + 2000 where id <= 3 returning id
id:int4
2001
2002
2003
UPDATE 3

> select count(*) from ix where id > 2000
count:int8
3
SELECT 1

> update ix set k = 77 where t = 'v50' returning k, id
k:int4 | id:int4
77 | 50
UPDATE 1

> select id from ix where k = 77
id:int4
50
SELECT 1

> delete from ix where k = 77 returning id
id:int4
50
DELETE 1

> select id from ix where t = 'v50'
id:int4
SELECT 0

> delete from ix where f is not null and f = 'nan'
DELETE 1

> select max(f) from ix
max:float8
50
SELECT 1

> select relname, relkind from pg_class where relname like 'ix%' order by 1
relname:name | relkind:char
ix | r
ix_d_idx | i
ix_f_idx | i
ix_k_id_idx | i
ix_n_idx | i
ix_pkey | i
ix_t_idx | i
SELECT 7

> select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull from pg_attribute a where a.attrelid = 'ix'::regclass and a.attnum > 0 order by a.attnum
attname:name | format_type:text | attnotnull:bool
id | integer | t
k | integer | f
t | text | f
f | double precision | f
d | date | f
n | numeric | f
SELECT 6

> select table_name, column_name, data_type, numeric_precision, is_nullable from information_schema.columns where table_name in ('p', 'u') order by 1, ordinal_position
table_name:name | column_name:name | data_type:varchar | numeric_precision:int4 | is_nullable:varchar
p | a | integer | 32 | NO
p | b | text | NULL | NO
p | c | integer | 32 | YES
u | a | integer | 32 | YES
u | b | integer | 32 | YES
SELECT 5

> select constraint_name, constraint_type from information_schema.table_constraints where table_name = 'p' and constraint_type <> 'CHECK' order by 1
constraint_name:name | constraint_type:varchar
p_c_key | UNIQUE
p_pkey | PRIMARY KEY
SELECT 2

> select tablename, indexname from pg_indexes where tablename = 'p' order by 2
tablename:name | indexname:name
p | p_c_key
p | p_pkey
SELECT 2

> select pg_get_indexdef('p_pkey'::regclass), pg_get_indexdef('p_pkey'::regclass, 2, true)
pg_get_indexdef:text | pg_get_indexdef:text
CREATE UNIQUE INDEX p_pkey ON public.p USING btree (a, b) | b
SELECT 1

> select has_table_privilege('p', 'select'), pg_table_is_visible('p'::regclass)
has_table_privilege:bool | pg_table_is_visible:bool
t | t
SELECT 1

> select schemaname, tablename from pg_tables where tablename = 'ix'
schemaname:name | tablename:name
public | ix
SELECT 1

> select nspname from pg_namespace where nspname in ('public', 'pg_catalog') order by 1
nspname:name
pg_catalog
public
SELECT 2

> select datname = current_database() from pg_database where datname = current_database()
?column?:bool
t
SELECT 1

> select rolname, rolsuper from pg_roles where rolname = 'postgres'
rolname:name | rolsuper:bool
postgres | t
SELECT 1

> select typname, typlen, typcategory from pg_type where typname in ('int4', 'text', 'numeric', '_int4') order by 1
typname:name | typlen:int2 | typcategory:char
_int4 | -1 | A
int4 | 4 | N
numeric | -1 | N
text | -1 | S
SELECT 4

> select amname from pg_am where amname in ('btree', 'hash', 'heap') order by 1
amname:name
btree
hash
heap
SELECT 3

> select count(*) > 100 from pg_settings
?column?:bool
t
SELECT 1

> select name, setting, unit from pg_settings where name = 'work_mem'
name:text | setting:text | unit:text
work_mem | 4096 | kB
SELECT 1

> create table g (a int, b int generated always as (a * 2) stored, c text generated always as ('n' || 'x') stored)
CREATE TABLE

> insert into g (a) values (1), (null) returning *
a:int4 | b:int4 | c:text
1 | 2 | nx
NULL | NULL | nx
INSERT 0 2

> insert into g (a, b) values (1, 5)
ERROR 428C9: cannot insert a non-DEFAULT value into column "b"
DETAIL: Column "b" is a generated column.

> insert into g (a, b) values (3, default) returning b
b:int4
6
INSERT 0 1

> update g set b = 5
ERROR 428C9: column "b" can only be updated to DEFAULT
DETAIL: Column "b" is a generated column.

> update g set a = 10 where a = 1 returning b
b:int4
20
UPDATE 1

> alter table g drop column a
ERROR 2BP01: cannot drop column a of table g because other objects depend on it
DETAIL: column b of table g depends on column a of table g
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table g drop column a cascade
NOTICE 00000: drop cascades to column b of table g
ALTER TABLE

> select * from g order by 1
c:text
nx
nx
nx
SELECT 3

> drop table p, c, d, u, n, n2, ix, g
DROP TABLE

