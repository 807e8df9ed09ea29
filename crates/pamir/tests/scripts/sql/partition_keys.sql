# Foreign keys to and from partitioned tables, triggers and indexes of partitions, partitions of partitions, keys of expressions and of several columns, views over them.

> create table o(id int, region text, amt numeric, primary key (region, id)) partition by list (region)
CREATE TABLE

> create table o_eu partition of o for values in ('de','fr')
CREATE TABLE

> create table o_us partition of o for values in ('us') partition by range (id)
CREATE TABLE

> create table o_us1 partition of o_us for values from (1) to (100)
CREATE TABLE

> create table o_us2 partition of o_us for values from (100) to (1000)
CREATE TABLE

> insert into o values (1,'de',10),(2,'us',20),(150,'us',30)
INSERT 0 3

> create table item(n int primary key, region text, oid int, foreign key (region, oid) references o on update cascade on delete cascade)
CREATE TABLE

> insert into item values (1,'de',1),(2,'us',2),(3,'us',150)
INSERT 0 3

> insert into item values (4,'us',3)
ERROR 23503: insert or update on table "item" violates foreign key constraint "item_region_oid_fkey"
DETAIL: Key (region, oid)=(us, 3) is not present in table "o".

> insert into item values (4,'xx',3)
ERROR 23503: insert or update on table "item" violates foreign key constraint "item_region_oid_fkey"
DETAIL: Key (region, oid)=(xx, 3) is not present in table "o".

> delete from o_eu
DELETE 1

> select * from item order by n
n:int4 | region:text | oid:int4
2 | us | 2
3 | us | 150
SELECT 2

> update o set id = 120 where id = 2
UPDATE 1

> select * from item order by n
n:int4 | region:text | oid:int4
2 | us | 120
3 | us | 150
SELECT 2

> select tableoid::regclass, * from o order by id
tableoid:regclass | id:int4 | region:text | amt:numeric
o_us2 | 120 | us | 20
o_us2 | 150 | us | 30
SELECT 2

> update o set region = 'fr' where id = 150
UPDATE 1

> select * from item order by n
n:int4 | region:text | oid:int4
2 | us | 120
3 | fr | 150
SELECT 2

> select tableoid::regclass, * from o order by id
tableoid:regclass | id:int4 | region:text | amt:numeric
o_us2 | 120 | us | 20
o_eu | 150 | fr | 30
SELECT 2

> truncate o_eu
ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
DETAIL: Table "item" references "o_eu".
HINT: Truncate table "item" at the same time, or use TRUNCATE ... CASCADE.

> drop table o_us1
ERROR 2BP01: cannot drop table o_us1 because other objects depend on it
DETAIL: constraint item_region_oid_fkey on table item depends on table o_us1
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table item drop constraint item_region_oid_fkey
ALTER TABLE

> create table r(id int primary key)
CREATE TABLE

> create table p(a int, r int references r on delete set null) partition by range(a)
CREATE TABLE

> create table p1 partition of p for values from (0) to (10)
CREATE TABLE

> create table p2 partition of p for values from (10) to (20)
CREATE TABLE

> insert into r values (1),(2)
INSERT 0 2

> insert into p values (1,1),(11,2)
INSERT 0 2

> insert into p values (2,3)
ERROR 23503: insert or update on table "p1" violates foreign key constraint "p_r_fkey"
DETAIL: Key (r)=(3) is not present in table "r".

> delete from r where id = 2
DELETE 1

> select * from p order by a
a:int4 | r:int4
1 | 1
11 | NULL
SELECT 2

> create function tf() returns trigger language plpgsql as $$begin raise notice '% % % %', tg_table_name, tg_name, tg_when, tg_op; if tg_op = 'DELETE' then return old; end if; return new; end$$
CREATE FUNCTION

> create trigger b before insert or update or delete on p for each row execute function tf()
CREATE TRIGGER

> create trigger a after insert or update or delete on p for each row execute function tf()
CREATE TRIGGER

> create trigger s after insert or update or delete on p for each statement execute function tf()
CREATE TRIGGER

> insert into p values (3,1)
NOTICE 00000: p1 b BEFORE INSERT
NOTICE 00000: p1 a AFTER INSERT
NOTICE 00000: p s AFTER INSERT
INSERT 0 1

> update p set a = 4 where a = 3
NOTICE 00000: p1 b BEFORE UPDATE
NOTICE 00000: p1 a AFTER UPDATE
NOTICE 00000: p s AFTER UPDATE
UPDATE 1

> update p set a = 14 where a = 4
NOTICE 00000: p1 b BEFORE UPDATE
NOTICE 00000: p1 b BEFORE DELETE
NOTICE 00000: p2 b BEFORE INSERT
NOTICE 00000: p1 a AFTER DELETE
NOTICE 00000: p2 a AFTER INSERT
NOTICE 00000: p s AFTER UPDATE
UPDATE 1

> delete from p where a = 14
NOTICE 00000: p2 b BEFORE DELETE
NOTICE 00000: p2 a AFTER DELETE
NOTICE 00000: p s AFTER DELETE
DELETE 1

> select tgrelid::regclass, tgname, tgparentid <> 0 from pg_trigger where not tgisinternal order by 1,2
tgrelid:regclass | tgname:name | ?column?:bool
p | a | f
p | b | f
p | s | f
p1 | a | t
p1 | b | t
p2 | a | t
p2 | b | t
SELECT 7

> drop trigger b on p1
ERROR 2BP01: cannot drop trigger b on table p1 because trigger b on table p requires it
HINT: You can drop trigger b on table p instead.

> drop trigger b on p
DROP TRIGGER

> drop trigger a on p
DROP TRIGGER

> create index pi on p(r)
CREATE INDEX

> select indexrelid::regclass, indisvalid from pg_index where indrelid in ('p'::regclass,'p1'::regclass,'p2'::regclass) order by 1
indexrelid:regclass | indisvalid:bool
pi | t
p1_r_idx | t
p2_r_idx | t
SELECT 3

> drop index p1_r_idx
ERROR 2BP01: cannot drop index p1_r_idx because index pi requires it
HINT: You can drop index pi instead.

> drop index pi
DROP INDEX

> create index pi on only p(r)
CREATE INDEX

> select indexrelid::regclass, indisvalid from pg_index where indrelid in ('p'::regclass,'p1'::regclass,'p2'::regclass) order by 1
indexrelid:regclass | indisvalid:bool
pi | f
SELECT 1

> create index p1i on p1(r)
CREATE INDEX

> alter index pi attach partition p1i
ALTER INDEX

> create index p2i on p2(r)
CREATE INDEX

> alter index pi attach partition p2i
ALTER INDEX

> select indexrelid::regclass, indisvalid from pg_index where indrelid in ('p'::regclass,'p1'::regclass,'p2'::regclass) order by 1
indexrelid:regclass | indisvalid:bool
pi | t
p1i | t
p2i | t
SELECT 3

> select * from pg_partition_tree('pi') order by 1
relid:regclass | parentrelid:regclass | isleaf:bool | level:int4
pi | NULL | f | 0
p1i | pi | t | 1
p2i | pi | t | 1
SELECT 3

> alter table p add column c int default 7
ALTER TABLE

> alter table p drop column a
ERROR 42P16: cannot drop column "a" because it is part of the partition key of relation "p"

> alter table p1 add column zz int
ERROR 42809: cannot add column to a partition

> alter table p alter column a type bigint
ERROR 42P16: cannot alter column "a" because it is part of the partition key of relation "p"

> alter table p alter column c set not null
ALTER TABLE

> alter table p1 alter column c drop not null
ERROR 42P16: column "c" is marked NOT NULL in parent table

> select * from p order by a
a:int4 | r:int4 | c:int4
1 | 1 | 7
11 | NULL | 7
SELECT 2

> create table e(a int, b text) partition by range (lower(b))
CREATE TABLE

> create table e1 partition of e for values from ('a') to ('m')
CREATE TABLE

> create table e2 partition of e for values from ('m') to (maxvalue)
CREATE TABLE

> insert into e values (1,'Apple'),(2,'Zebra')
INSERT 0 2

> select tableoid::regclass,* from e order by a
tableoid:regclass | a:int4 | b:text
e1 | 1 | Apple
e2 | 2 | Zebra
SELECT 2

> select * from e where lower(b) = 'zebra'
a:int4 | b:text
2 | Zebra
SELECT 1

> create table mc(a int, b int, c int) partition by range (a, b)
CREATE TABLE

> create table mc1 partition of mc for values from (minvalue, minvalue) to (10, 5)
CREATE TABLE

> create table mc2 partition of mc for values from (10, 5) to (10, 10)
CREATE TABLE

> create table mc3 partition of mc for values from (10, 10) to (maxvalue, maxvalue)
CREATE TABLE

> create table mcd partition of mc default
CREATE TABLE

> insert into mc values (1,1),(10,4),(10,5),(10,9),(10,10),(11,0),(null,1)
INSERT 0 7

> select tableoid::regclass,* from mc order by a,b
tableoid:regclass | a:int4 | b:int4 | c:int4
mc1 | 1 | 1 | NULL
mc1 | 10 | 4 | NULL
mc2 | 10 | 5 | NULL
mc2 | 10 | 9 | NULL
mc3 | 10 | 10 | NULL
mc3 | 11 | 0 | NULL
mcd | NULL | 1 | NULL
SELECT 7

> select * from mc where a = 10 and b < 6 order by b
a:int4 | b:int4 | c:int4
10 | 4 | NULL
10 | 5 | NULL
SELECT 2

> select * from mc where a is null
a:int4 | b:int4 | c:int4
NULL | 1 | NULL
SELECT 1

> create view mv as select * from mc where a > 5
CREATE VIEW

> insert into mv values (20,20)
INSERT 0 1

> select * from mv order by a,b
a:int4 | b:int4 | c:int4
10 | 4 | NULL
10 | 5 | NULL
10 | 9 | NULL
10 | 10 | NULL
11 | 0 | NULL
20 | 20 | NULL
SELECT 6

> create table like1 (like mc including all)
CREATE TABLE

> comment on table mc is 'x'
COMMENT

> create table mc_c partition of mc for values in (1)
ERROR 42P16: invalid bound specification for a range partition

> create table idp(id int generated always as identity, a int) partition by list (a)
CREATE TABLE

> create table idp1 partition of idp for values in (1)
CREATE TABLE

> insert into idp(a) values (1) returning *
id:int4 | a:int4
1 | 1
INSERT 0 1

> insert into idp1(a) values (1)
ERROR 23502: null value in column "id" of relation "idp1" violates not-null constraint
DETAIL: Failing row contains (null, 1).
