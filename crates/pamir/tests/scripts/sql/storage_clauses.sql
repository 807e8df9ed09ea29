# Clauses that say where and how something is stored: there is one tablespace, one access method for tables, and every collation orders alike.
> create table ts1 (a int primary key, b text) tablespace pg_default
CREATE TABLE

> create table ts2 (a int unique using index tablespace pg_default) using heap
CREATE TABLE

> create table ts3 (a int) using heap with (fillfactor = 70)
CREATE TABLE

> create table ts4 (a int) using nosuch
ERROR 42704: access method "nosuch" does not exist

> create table ts4 (a int, primary key (a) using index tablespace nosuch)
ERROR 42704: tablespace "nosuch" does not exist

> create index i1 on ts1 (a) tablespace pg_default
CREATE INDEX

> create index i2 on ts1 using btree (a) include (b) with (fillfactor = 70) tablespace pg_default where a > 1
CREATE INDEX

> create index i3 on ts1 (a) tablespace nosuch
ERROR 42704: tablespace "nosuch" does not exist

> alter table ts3 add constraint u unique (a) using index tablespace pg_default
ALTER TABLE

# The same words as names.
> create table ts5 (tablespace int, type text, "column" text)
CREATE TABLE

> create index on ts5 (tablespace)
CREATE INDEX

# A new type with a collation.
> alter table ts1 alter column b type varchar(20) collate "C"
ALTER TABLE

> alter table ts1 alter b set data type text collate "POSIX" using (b || 'x')::text collate "C"
ALTER TABLE

> alter table ts1 alter a type bigint collate "C"
ERROR 42804: collations are not supported by type bigint

> alter table ts1 alter b type text collate nosuch
ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist

> alter table ts5 alter type type varchar(9) collate "C", alter "column" type text, add using_ text collate "C"
ALTER TABLE

> select attrelid::regclass, attname, format_type(atttypid, atttypmod), collname from pg_attribute a join pg_collation c on c.oid = attcollation where attrelid in ('ts1'::regclass, 'ts5'::regclass) and attnum > 0 order by 1, 2
attrelid:regclass | attname:name | format_type:text | collname:name
ts1 | b | text | POSIX
ts5 | column | text | default
ts5 | type | character varying(9) | C
ts5 | using_ | text | C
SELECT 4

> alter table ts5 alter type type text
ALTER TABLE

> select attname, collname from pg_attribute a join pg_collation c on c.oid = attcollation where attrelid = 'ts5'::regclass and attname = 'type'
attname:name | collname:name
type | default
SELECT 1

# COLLATE behind a cast.
> select 1::text collate "C", lower('A'::text collate "C") || 'b', 'a'::text collate "C" < 'b'::text collate "C"
text:text | ?column?:text | ?column?:bool
1 | ab | t
SELECT 1

> select x from (values ('b'::varchar), ('a')) v(x) order by x::text collate "C" desc
x:varchar
b
a
SELECT 2

> create table ts6 (a text default 'x'::text collate "C" not null)
CREATE TABLE

> select collname from pg_attribute a join pg_collation c on c.oid = attcollation where attrelid = 'ts6'::regclass and attnum = 1
collname:name
C
SELECT 1
