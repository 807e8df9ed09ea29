# GIN indexes: what may be indexed, what they answer, how they are shown. Brin's definitions.

> create table gin_t (id int primary key, tags int[], doc jsonb, body text, tv tsvector generated always as (to_tsvector('english', body)) stored)
CREATE TABLE

> insert into gin_t select i, array[i%7, i%11, i%13], jsonb_build_object('a', i%5, 'b', jsonb_build_array(i%3, 'x'||(i%4)), 'k'||(i%9), 'v'), 'the quick fox '||i||' jumps word'||(i%17)||' over'  from generate_series(1,3000) i
INSERT 0 3000

> create index gin_t_tags on gin_t using gin (tags)
CREATE INDEX

> create index gin_t_doc on gin_t using gin (doc)
CREATE INDEX

> create index gin_t_docp on gin_t using gin (doc jsonb_path_ops)
CREATE INDEX

> create index gin_t_tv on gin_t using gin (tv)
CREATE INDEX

> create index gin_t_ex on gin_t using gin (to_tsvector('english', body))
CREATE INDEX

> create index on gin_t using gin (tags, tv) where id > 100
CREATE INDEX

> create unique index on gin_t using gin (tags)
ERROR 0A000: access method "gin" does not support unique indexes

> create index on gin_t using gin (id)
ERROR 42704: data type integer has no default operator class for access method "gin"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create index on gin_t using gin (tags desc)
ERROR 0A000: access method "gin" does not support ASC/DESC options

> create index on gin_t using gin (tags nulls first)
ERROR 0A000: access method "gin" does not support NULLS FIRST/LAST options

> create index on gin_t using gin (tags) include (id)
ERROR 0A000: access method "gin" does not support included columns

> create index on gin_t using gin (tags) with (fastupdate = off)
CREATE INDEX

> create index on gin_t using gin (tags) with (fillfactor = 50)
ERROR 22023: unrecognized parameter "fillfactor"

> create index on gin_t using gin (doc nope_ops)
ERROR 42704: operator class "nope_ops" does not exist for access method "gin"

> create index on gin_t using gin (tags jsonb_ops)
ERROR 42804: operator class "jsonb_ops" does not accept data type integer[]

> analyze gin_t
ANALYZE

> select count(*) from gin_t where tags @> '{1,2}'
count:int8
168
SELECT 1

> select count(*) from gin_t where tags && '{1,2}'
count:int8
1518
SELECT 1

> select count(*) from gin_t where tags <@ '{1,2,3,4}'
count:int8
192
SELECT 1

> select count(*) from gin_t where tags = '{1,1,1}'
count:int8
3
SELECT 1

> select count(*) from gin_t where tags @> '{}'
count:int8
3000
SELECT 1

> select count(*) from gin_t where 1 = any(tags)
count:int8
843
SELECT 1

> select count(*) from gin_t where '{1,2}' <@ tags
count:int8
168
SELECT 1

> select count(*) from gin_t where doc @> '{"a":1}'
count:int8
600
SELECT 1

> select count(*) from gin_t where doc @> '{"b":[1]}' and tags @> '{3}'
count:int8
281
SELECT 1

> select count(*) from gin_t where doc ? 'k3'
count:int8
334
SELECT 1

> select count(*) from gin_t where doc ?| '{k3,k4}'
count:int8
667
SELECT 1

> select count(*) from gin_t where doc ?& '{k3,a}'
count:int8
334
SELECT 1

> select count(*) from gin_t where tv @@ to_tsquery('english','word3 & fox')
count:int8
177
SELECT 1

> select count(*) from gin_t where to_tsvector('english', body) @@ to_tsquery('english','word3 & !jump')
count:int8
0
SELECT 1

> select count(*) from gin_t where tv @@ 'wor:*'::tsquery
count:int8
3000
SELECT 1

> select count(*) from gin_t where tv @@ 'quick <-> fox'::tsquery
count:int8
3000
SELECT 1

> select pg_get_indexdef(indexrelid) from pg_index where indrelid='gin_t'::regclass order by 1
pg_get_indexdef:text
CREATE INDEX gin_t_doc ON public.gin_t USING gin (doc)
CREATE INDEX gin_t_docp ON public.gin_t USING gin (doc jsonb_path_ops)
CREATE INDEX gin_t_ex ON public.gin_t USING gin (to_tsvector('english'::regconfig, body))
CREATE INDEX gin_t_tags ON public.gin_t USING gin (tags)
CREATE INDEX gin_t_tags_idx ON public.gin_t USING gin (tags) WITH (fastupdate=off)
CREATE INDEX gin_t_tags_tv_idx ON public.gin_t USING gin (tags, tv) WHERE (id > 100)
CREATE INDEX gin_t_tv ON public.gin_t USING gin (tv)
CREATE UNIQUE INDEX gin_t_pkey ON public.gin_t USING btree (id)
SELECT 8

> update gin_t set tags = tags || 99 where id % 100 = 0
UPDATE 30

> select count(*) from gin_t where tags @> '{99}'
count:int8
30
SELECT 1

> delete from gin_t where tags @> '{99}' and id < 500
DELETE 4

> select count(*) from gin_t where tags @> '{99}'
count:int8
26
SELECT 1

> update gin_t set id = id + 10000 where id < 20
UPDATE 19

> select count(*), sum(id) from gin_t where tags @> '{3}'
count:int8 | sum:int8
842 | 1316492
SELECT 1

> cluster gin_t using gin_t_tags
ERROR 0A000: cannot cluster on index "gin_t_tags" because access method does not support clustering

> select amname, opcname, opcintype::regtype from pg_opclass join pg_am on pg_am.oid=opcmethod where amname='gin'
amname:name | opcname:name | opcintype:regtype
gin | array_ops | anyarray
gin | tsvector_ops | tsvector
gin | jsonb_ops | jsonb
gin | jsonb_path_ops | jsonb
SELECT 4

> alter table gin_t alter tags type text
ERROR 42704: data type text has no default operator class for access method "gin"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create extension pg_trgm
CREATE EXTENSION

> create extension hstore
CREATE EXTENSION

> create table gin_h (id int primary key, name text, vc varchar(40), attrs hstore)
CREATE TABLE

> insert into gin_h select i, 'Name '||md5(i::text)||' Straße '||(i%10), md5((i*7)::text), hstore('k'||(i%10), 'v'||(i%7)) || hstore('z', null) from generate_series(1,2000) i
INSERT 0 2000

> create index gin_h_name on gin_h using gin (name gin_trgm_ops)
CREATE INDEX

> create index gin_h_vc on gin_h using gin (vc gin_trgm_ops)
CREATE INDEX

> create index gin_h_low on gin_h using gin (lower(name) public.gin_trgm_ops)
CREATE INDEX

> create index gin_h_attrs on gin_h using gin (attrs)
CREATE INDEX

> create index gin_h_br on gin_h using brin (id)
CREATE INDEX

> create index on gin_h using gin (name)
ERROR 42704: data type text has no default operator class for access method "gin"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create index on gin_h using gin (name no.gin_trgm_ops)
ERROR 3F000: schema "no" does not exist

> analyze gin_h
ANALYZE

> select count(*) from gin_h where name like '%abc%'
count:int8
9
SELECT 1

> select count(*) from gin_h where name ilike '%ABC%'
count:int8
9
SELECT 1

> select count(*) from gin_h where name ilike '%straße 3%'
count:int8
200
SELECT 1

> select count(*) from gin_h where name like 'Name a%'
count:int8
131
SELECT 1

> select count(*) from gin_h where vc like '%abc%'
count:int8
11
SELECT 1

> select count(*) from gin_h where lower(name) like '%abc1%'
count:int8
1
SELECT 1

> select count(*) from gin_h where name % 'Name c4ca4238a0b923820dcc509a6f75849b'
count:int8
1
SELECT 1

> select count(*) from gin_h where 'c4ca4238' <% name
count:int8
1
SELECT 1

> select count(*) from gin_h where name %> 'c4ca4238'
count:int8
1
SELECT 1

> select count(*) from gin_h where name = 'x'
count:int8
0
SELECT 1

> select count(*) from gin_h where name like '%a_c%' or name like '%'
count:int8
2000
SELECT 1

> select count(*) from gin_h where attrs @> 'k3=>v3'
count:int8
29
SELECT 1

> select count(*) from gin_h where attrs ? 'k3'
count:int8
200
SELECT 1

> select count(*) from gin_h where attrs ?| '{k3,k4}'
count:int8
400
SELECT 1

> select count(*) from gin_h where attrs ?& '{k3,z}'
count:int8
200
SELECT 1

> select count(*) from gin_h where attrs @> 'z=>NULL'
count:int8
2000
SELECT 1

> set search_path = pg_catalog
SET

> select pg_get_indexdef('public.gin_h_name'::regclass), pg_get_indexdef('public.gin_h_attrs'::regclass)
pg_get_indexdef:text | pg_get_indexdef:text
CREATE INDEX gin_h_name ON public.gin_h USING gin (name public.gin_trgm_ops) | CREATE INDEX gin_h_attrs ON public.gin_h USING gin (attrs)
SELECT 1

> reset search_path
RESET

> select indexname, indexdef from pg_indexes where tablename = 'gin_h' order by 1
indexname:name | indexdef:text
gin_h_attrs | CREATE INDEX gin_h_attrs ON public.gin_h USING gin (attrs)
gin_h_br | CREATE INDEX gin_h_br ON public.gin_h USING brin (id)
gin_h_low | CREATE INDEX gin_h_low ON public.gin_h USING gin (lower(name) gin_trgm_ops)
gin_h_name | CREATE INDEX gin_h_name ON public.gin_h USING gin (name gin_trgm_ops)
gin_h_pkey | CREATE UNIQUE INDEX gin_h_pkey ON public.gin_h USING btree (id)
gin_h_vc | CREATE INDEX gin_h_vc ON public.gin_h USING gin (vc gin_trgm_ops)
SELECT 6

> drop extension hstore
ERROR 2BP01: cannot drop extension hstore because other objects depend on it
DETAIL: column attrs of table gin_h depends on type hstore
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop extension pg_trgm cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to index gin_h_name\ndrop cascades to index gin_h_vc\ndrop cascades to index gin_h_low
DROP EXTENSION

> set pg_trgm.similarity_threshold = 0
SET

> select indexname, indexdef from pg_indexes where tablename = 'gin_h' order by 1
indexname:name | indexdef:text
gin_h_attrs | CREATE INDEX gin_h_attrs ON public.gin_h USING gin (attrs)
gin_h_br | CREATE INDEX gin_h_br ON public.gin_h USING brin (id)
gin_h_pkey | CREATE UNIQUE INDEX gin_h_pkey ON public.gin_h USING btree (id)
SELECT 3
