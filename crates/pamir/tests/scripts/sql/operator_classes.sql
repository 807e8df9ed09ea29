# What definitions say of operator classes and collations is kept and shown again; what the type does not have is refused.
> create table oc (a int primary key, b text, c varchar(20), d char(5), e text collate "C", f text[], g date, h bigint, i text collate "POSIX" not null)
CREATE TABLE
> create index oc_b on oc (b text_pattern_ops, c varchar_pattern_ops desc, d bpchar_pattern_ops)
CREATE INDEX
> create index oc_c on oc (c varchar_ops, b text_ops)
CREATE INDEX
> create index oc_c2 on oc (c text_pattern_ops)
CREATE INDEX
> create index oc_d on oc (b collate "C" text_pattern_ops desc nulls last, e collate "POSIX")
CREATE INDEX
> create index oc_d2 on oc (e collate "C")
CREATE INDEX
> create index oc_e on oc (lower(b) collate "C" text_pattern_ops, (a + 1) int4_ops, f array_ops, g date_ops, h pg_catalog.int8_ops)
CREATE INDEX
> create index oc_f on oc using hash (b text_pattern_ops)
CREATE INDEX
> create index oc_g on oc using hash (a)
CREATE INDEX
> create unique index oc_h on oc (a) include (b)
CREATE INDEX
> select indexrelid::regclass, indclass, indcollation, pg_get_indexdef(indexrelid) from pg_index where indrelid = 'oc'::regclass order by 1::text, indexrelid::regclass::text
indexrelid:regclass | indclass:oidvector | indcollation:oidvector | pg_get_indexdef:text
oc_b | 4217 4218 4219 | 100 100 100 | CREATE INDEX oc_b ON public.oc USING btree (b text_pattern_ops, c varchar_pattern_ops DESC, d bpchar_pattern_ops)
oc_c | 10044 3126 | 100 100 | CREATE INDEX oc_c ON public.oc USING btree (c varchar_ops, b)
oc_c2 | 4217 | 100 | CREATE INDEX oc_c2 ON public.oc USING btree (c text_pattern_ops)
oc_d | 4217 3126 | 950 951 | CREATE INDEX oc_d ON public.oc USING btree (b COLLATE "C" text_pattern_ops DESC NULLS LAST, e COLLATE "POSIX")
oc_d2 | 3126 | 950 | CREATE INDEX oc_d2 ON public.oc USING btree (e)
oc_e | 4217 1978 10000 3122 3124 | 950 0 100 0 0 | CREATE INDEX oc_e ON public.oc USING btree (lower(b) COLLATE "C" text_pattern_ops, ((a + 1)), f, g, h)
oc_f | 10056 | 100 | CREATE INDEX oc_f ON public.oc USING hash (b text_pattern_ops)
oc_g | 10020 | 0 | CREATE INDEX oc_g ON public.oc USING hash (a)
oc_h | 1978 | 0 | CREATE UNIQUE INDEX oc_h ON public.oc USING btree (a) INCLUDE (b)
oc_pkey | 1978 | 0 | CREATE UNIQUE INDEX oc_pkey ON public.oc USING btree (a)
SELECT 10
> select pg_get_indexdef('oc_b'::regclass, 1, false), pg_get_indexdef('oc_d'::regclass, 1, true), pg_get_indexdef('oc_d'::regclass, 0, true)
pg_get_indexdef:text | pg_get_indexdef:text | pg_get_indexdef:text
b | b | CREATE INDEX oc_d ON oc USING btree (b COLLATE "C" text_pattern_ops DESC NULLS LAST, e COLLATE "POSIX")
SELECT 1
> select attname, attcollation from pg_attribute where attrelid = 'oc'::regclass and attnum > 0 order by attnum
attname:name | attcollation:oid
a | 0
b | 100
c | 100
d | 100
e | 950
f | 100
g | 0
h | 0
i | 951
SELECT 9
> select attname, attcollation from pg_attribute where attrelid = 'oc_d'::regclass order by attnum
attname:name | attcollation:oid
b | 950
e | 951
SELECT 2
> select column_name, collation_schema, collation_name from information_schema.columns where table_name = 'oc' order by ordinal_position
column_name:name | collation_schema:name | collation_name:name
a | NULL | NULL
b | NULL | NULL
c | NULL | NULL
d | NULL | NULL
e | pg_catalog | C
f | NULL | NULL
g | NULL | NULL
h | NULL | NULL
i | pg_catalog | POSIX
SELECT 9
# refused
> create index on oc (b int4_ops)
ERROR 42804: operator class "int4_ops" does not accept data type text
> create index on oc (a text_ops)
ERROR 42804: operator class "text_ops" does not accept data type integer
> create index on oc (f text_ops)
ERROR 42804: operator class "text_ops" does not accept data type text[]
> create index on oc (b array_ops)
ERROR 42804: operator class "array_ops" does not accept data type text
> create index on oc (b nothing_ops)
ERROR 42704: operator class "nothing_ops" does not exist for access method "btree"
> create index on oc (b pg_catalog.nothing_ops)
ERROR 42704: operator class "pg_catalog.nothing_ops" does not exist for access method "btree"
> create index on oc using hash (b int4_ops)
ERROR 42804: operator class "int4_ops" does not accept data type text
> create index on oc using hash (b nothing_ops)
ERROR 42704: operator class "nothing_ops" does not exist for access method "hash"
> create index on oc (b collate "xx")
ERROR 42704: collation "xx" for encoding "UTF8" does not exist
> create index on oc (a collate "C")
ERROR 42804: collations are not supported by type integer
> create index on oc (g collate "C")
ERROR 42804: collations are not supported by type date
> create table oc_x (a int collate "C")
ERROR 42804: collations are not supported by type integer
> create table oc_x (a text collate "nope")
ERROR 42704: collation "nope" for encoding "UTF8" does not exist
> create table oc_x (a text collate pg_catalog.nope)
ERROR 42704: collation "pg_catalog.nope" for encoding "UTF8" does not exist
# coercible types
> create index oc_i on oc (a oid_ops)
CREATE INDEX
> create index oc_j on oc (b bpchar_ops)
CREATE INDEX
> select indexrelid::regclass, indclass from pg_index where indexrelid in ('oc_i'::regclass, 'oc_j'::regclass) order by indexrelid
indexrelid:regclass | indclass:oidvector
oc_i | 1981
oc_j | 10004
SELECT 2
> drop index oc_i, oc_j
DROP INDEX
# copies, changes
> create table oc2 (like oc including indexes)
CREATE TABLE
> select substring(pg_get_indexdef(indexrelid) from 'USING.*') from pg_index where indrelid = 'oc2'::regclass order by 1
substring:text
USING btree (a)
USING btree (a) INCLUDE (b)
USING btree (b COLLATE "C" text_pattern_ops DESC NULLS LAST, e COLLATE "POSIX")
USING btree (b text_pattern_ops, c varchar_pattern_ops DESC, d bpchar_pattern_ops)
USING btree (c text_pattern_ops)
USING btree (c varchar_ops, b)
USING btree (e)
USING btree (lower(b) COLLATE "C" text_pattern_ops, ((a + 1)), f, g, h)
USING hash (a)
USING hash (b text_pattern_ops)
SELECT 10
> create index oc_k on oc (e collate "default")
CREATE INDEX
> select pg_get_indexdef('oc_k'::regclass)
pg_get_indexdef:text
CREATE INDEX oc_k ON public.oc USING btree (e COLLATE "default")
SELECT 1
> select attname, attcollation from pg_attribute where attrelid = 'oc2'::regclass and attnum > 0 order by attnum
attname:name | attcollation:oid
a | 0
b | 100
c | 100
d | 100
e | 950
f | 100
g | 0
h | 0
i | 951
SELECT 9
> alter table oc add column j varchar collate pg_catalog."C" default 'x'
ALTER TABLE
> alter table oc alter column i type varchar(7)
ALTER TABLE
> begin
BEGIN
> drop index oc_e
DROP INDEX
> alter table oc alter column b type int using 1
ERROR 42804: operator class "text_pattern_ops" does not accept data type integer
> rollback
ROLLBACK
> select attname, attcollation from pg_attribute where attrelid = 'oc'::regclass and attnum in (2, 9, 10) order by attnum
attname:name | attcollation:oid
b | 100
i | 100
j | 950
SELECT 3
> drop index oc_b, oc_d
DROP INDEX
> insert into oc (a, b, c, d, e, f, i) values (1, 'abc', 'abd', 'x', 'q', '{a,b}', 'i'), (2, 'xyz', 'b', 'y', 'r', '{c}', 'k')
INSERT 0 2
> select a from oc where b like 'ab%'
a:int4
1
SELECT 1
> select a from oc where lower(b) like 'x%' order by b desc
a:int4
2
SELECT 1
> reindex table oc
REINDEX
> select pg_get_indexdef('oc_e'::regclass)
pg_get_indexdef:text
CREATE INDEX oc_e ON public.oc USING btree (lower(b) COLLATE "C" text_pattern_ops, ((a + 1)), f, g, h)
SELECT 1
> drop table oc, oc2
DROP TABLE
