# PARTITION BY range, list and hash: routing, rows that move, bounds that overlap, ATTACH and DETACH, keys, ON CONFLICT, MERGE, what catalogs say.

> create table m(id int not null, day date not null, v int default 5, t text) partition by range (day)
CREATE TABLE

> create table m23 partition of m for values from ('2023-01-01') to ('2024-01-01')
CREATE TABLE

> create table m24 partition of m for values from ('2024-01-01') to ('2025-01-01')
CREATE TABLE

> create table mx partition of m default
CREATE TABLE

> insert into m values (1,'2023-05-05',1,'a'),(2,'2024-05-05',2,'b'),(3,'2030-01-01',3,'c')
INSERT 0 3

> insert into m(id,day) values (4,'2023-06-06') returning tableoid::regclass, *
tableoid:regclass | id:int4 | day:date | v:int4 | t:text
m23 | 4 | 2023-06-06 | 5 | NULL
INSERT 0 1

> select tableoid::regclass, * from m order by id
tableoid:regclass | id:int4 | day:date | v:int4 | t:text
m23 | 1 | 2023-05-05 | 1 | a
m24 | 2 | 2024-05-05 | 2 | b
mx | 3 | 2030-01-01 | 3 | c
m23 | 4 | 2023-06-06 | 5 | NULL
SELECT 4

> select * from only m
id:int4 | day:date | v:int4 | t:text
SELECT 0

> select * from m23 order by id
id:int4 | day:date | v:int4 | t:text
1 | 2023-05-05 | 1 | a
4 | 2023-06-06 | 5 | NULL
SELECT 2

> select count(*) from m where day = '2023-05-05'
count:int8
1
SELECT 1

> prepare q(date) as select tableoid::regclass, id from m where day = $1 order by id
PREPARE

> execute q('2024-05-05')
tableoid:regclass | id:int4
m24 | 2
SELECT 1

> execute q('2030-01-01')
tableoid:regclass | id:int4
mx | 3
SELECT 1

> execute q('1999-01-01')
tableoid:regclass | id:int4
SELECT 0

> update m set v = v + 10 where id = 1 returning *
id:int4 | day:date | v:int4 | t:text
1 | 2023-05-05 | 11 | a
UPDATE 1

> update m set day = '2024-07-07' where id = 1 returning tableoid::regclass, *
tableoid:regclass | id:int4 | day:date | v:int4 | t:text
m24 | 1 | 2024-07-07 | 11 | a
UPDATE 1

> select tableoid::regclass, * from m order by id
tableoid:regclass | id:int4 | day:date | v:int4 | t:text
m24 | 1 | 2024-07-07 | 11 | a
m24 | 2 | 2024-05-05 | 2 | b
mx | 3 | 2030-01-01 | 3 | c
m23 | 4 | 2023-06-06 | 5 | NULL
SELECT 4

> update m23 set day = '2024-07-07' where id = 4
ERROR 23514: new row for relation "m23" violates partition constraint
DETAIL: Failing row contains (4, 2024-07-07, 5, null).

> insert into m23 values (9, '2024-01-01', 1, 'x')
ERROR 23514: new row for relation "m23" violates partition constraint
DETAIL: Failing row contains (9, 2024-01-01, 1, x).

> delete from m where id = 3 returning *
id:int4 | day:date | v:int4 | t:text
3 | 2030-01-01 | 3 | c
DELETE 1

> create table mo partition of m for values from ('2030-01-01') to ('2031-01-01')
CREATE TABLE

> insert into m values (7,'2030-03-03')
INSERT 0 1

> create table mo2 partition of m for values from ('2029-01-01') to ('2030-06-01')
ERROR 42P17: partition "mo2" would overlap partition "mo"

> create table mo3 partition of m for values from ('2029-01-01') to ('2029-01-01')
ERROR 42P17: empty range bound specified for partition "mo3"
DETAIL: Specified lower bound ('2029-01-01') is greater than or equal to upper bound ('2029-01-01').

> create table mo4 partition of m for values in (1)
ERROR 42P16: invalid bound specification for a range partition

> alter table m add primary key (id, day)
ALTER TABLE

> alter table m add primary key (id)
ERROR 42P16: multiple primary keys for table "m" are not allowed

> insert into m values (7,'2030-03-03')
ERROR 23505: duplicate key value violates unique constraint "mo_pkey"
DETAIL: Key (id, day)=(7, 2030-03-03) already exists.

> insert into m values (7,'2030-03-03', 99) on conflict (id, day) do update set v = excluded.v returning *
id:int4 | day:date | v:int4 | t:text
7 | 2030-03-03 | 99 | NULL
INSERT 0 1

> insert into m values (7,'2030-03-03', 99) on conflict do nothing returning *
id:int4 | day:date | v:int4 | t:text
INSERT 0 0

> insert into m values (7,'2030-03-03', 99) on conflict (id, day) do update set day = '2023-01-01'
ERROR 0A000: invalid ON UPDATE specification
DETAIL: The result tuple would appear in a different partition than the original tuple.

> create index on m (v)
CREATE INDEX

> create table l(a text, b int) partition by list (a)
CREATE TABLE

> create table l1 partition of l for values in ('x','y')
CREATE TABLE

> create table l2 partition of l for values in ('z', null)
CREATE TABLE

> insert into l values ('x',1),('z',2),(null,3)
INSERT 0 3

> insert into l values ('q',1)
ERROR 23514: no partition of relation "l" found for row
DETAIL: Partition key of the failing row contains (a) = (q).

> select tableoid::regclass,* from l order by b
tableoid:regclass | a:text | b:int4
l1 | x | 1
l2 | z | 2
l2 | NULL | 3
SELECT 3

> create table h(a int, b text) partition by hash (a)
CREATE TABLE

> create table h0 partition of h for values with (modulus 4, remainder 0)
CREATE TABLE

> create table h1 partition of h for values with (modulus 4, remainder 1)
CREATE TABLE

> create table h2 partition of h for values with (modulus 4, remainder 2)
CREATE TABLE

> create table h3 partition of h for values with (modulus 4, remainder 3)
CREATE TABLE

> insert into h select g, g::text from generate_series(1,20) g
INSERT 0 20

> select tableoid::regclass, array_agg(a order by a) from h group by 1 order by 1
tableoid:regclass | array_agg:_int4
h0 | {1,12,14,16,17}
h1 | {3,5,8,9,11,19,20}
h2 | {2,13,18}
h3 | {4,6,7,10,15}
SELECT 4

> select * from h where a = 7
a:int4 | b:text
7 | 7
SELECT 1

> create table h4 partition of h for values with (modulus 5, remainder 3)
ERROR 42P17: every hash partition modulus must be a factor of the next larger modulus
DETAIL: The new modulus 5 is not divisible by 4, the modulus of existing partition "h3".

> select relname, relkind, relispartition, pg_get_expr(relpartbound, oid) from pg_class where relname in ('m','m23','mx','l1','l2','h1','h') order by 1
relname:name | relkind:char | relispartition:bool | pg_get_expr:text
h | p | f | NULL
h1 | r | t | FOR VALUES WITH (modulus 4, remainder 1)
l1 | r | t | FOR VALUES IN ('x', 'y')
l2 | r | t | FOR VALUES IN ('z', NULL)
m | p | f | NULL
m23 | r | t | FOR VALUES FROM ('2023-01-01') TO ('2024-01-01')
mx | r | t | DEFAULT
SELECT 7

> select pg_get_partkeydef('m'::regclass), pg_get_partkeydef('l'::regclass), pg_get_partkeydef('h'::regclass)
pg_get_partkeydef:text | pg_get_partkeydef:text | pg_get_partkeydef:text
RANGE (day) | LIST (a) | HASH (a)
SELECT 1

> select * from pg_partition_tree('m') order by 1
relid:regclass | parentrelid:regclass | isleaf:bool | level:int4
m | NULL | f | 0
m23 | m | t | 1
m24 | m | t | 1
mx | m | t | 1
mo | m | t | 1
SELECT 5

> select pg_partition_root('m23'), pg_get_partition_constraintdef('m23'::regclass), pg_get_partition_constraintdef('l2'::regclass)
pg_partition_root:regclass | pg_get_partition_constraintdef:text | pg_get_partition_constraintdef:text
m | ((day IS NOT NULL) AND (day >= '2023-01-01'::date) AND (day < '2024-01-01'::date)) | ((a IS NULL) OR (a = 'z'::text))
SELECT 1

> create table att(id int not null, day date not null, t text, v int)
CREATE TABLE

> insert into att values (100,'2031-05-05','t',1)
INSERT 0 1

> alter table m attach partition att for values from ('2031-01-01') to ('2031-03-01')
ERROR 23514: partition constraint of relation "att" is violated by some row

> alter table m attach partition att for values from ('2031-01-01') to ('2032-01-01')
ALTER TABLE

> select tableoid::regclass,* from m where id = 100
tableoid:regclass | id:int4 | day:date | v:int4 | t:text
att | 100 | 2031-05-05 | 1 | t
SELECT 1

> alter table m detach partition att
ALTER TABLE

> select tableoid::regclass,id from m where id between 50 and 52 order by id
tableoid:regclass | id:int4
SELECT 0

> truncate m
TRUNCATE TABLE

> select count(*) from m
count:int8
0
SELECT 1

> select attrelid::regclass, attname, attnotnull, attislocal, attinhcount from pg_attribute where attrelid::regclass::text ~ '^m2' and attnum > 0 order by 1, attnum
attrelid:regclass | attname:name | attnotnull:bool | attislocal:bool | attinhcount:int4
m23 | id | t | f | 1
m23 | day | t | f | 1
m23 | v | f | f | 1
m23 | t | f | f | 1
m24 | id | t | f | 1
m24 | day | t | f | 1
m24 | v | f | f | 1
m24 | t | f | f | 1
m23_pkey | id | f | t | 0
m23_pkey | day | f | t | 0
m24_pkey | id | f | t | 0
m24_pkey | day | f | t | 0
m23_v_idx | v | f | t | 0
m24_v_idx | v | f | t | 0
SELECT 14

> drop table m
DROP TABLE

> select count(*) from pg_class where relname like 'm2%'
count:int8
0
SELECT 1

> merge into l using (values ('x',10),('z',20)) s(a,b) on l.a = s.a when matched then update set b = s.b when not matched then insert values (s.a,s.b)
MERGE 2

> select * from l order by b
a:text | b:int4
NULL | 3
x | 10
z | 20
SELECT 3

> merge into l using (values ('y',10)) s(a,b) on l.a = s.a when matched then update set b = s.b when not matched then insert values (s.a,s.b)
MERGE 1

> select tableoid::regclass,* from l order by b
tableoid:regclass | a:text | b:int4
l2 | NULL | 3
l1 | x | 10
l1 | y | 10
l2 | z | 20
SELECT 4
