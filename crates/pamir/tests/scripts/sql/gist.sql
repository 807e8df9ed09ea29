# Indexes by gist over ranges, vectors and trigrams.

> create extension pg_trgm
CREATE EXTENSION

> create table gist_r (id int primary key, during tsrange, n int4range, nm text, tv tsvector, p point, i inet, m int4multirange)
CREATE TABLE

> create index gist_r_d on gist_r using gist (during)
CREATE INDEX

> create index gist_r_n on gist_r using gist (n, during) where id > 5
CREATE INDEX

> create index gist_r_nm on gist_r using gist (nm gist_trgm_ops)
CREATE INDEX

> create index gist_r_tv on gist_r using gist (tv)
CREATE INDEX

> create index on gist_r using gist (id)
ERROR 42704: data type integer has no default operator class for access method "gist"
HINT: You must specify an operator class for the index or define a default operator class for the data type.

> create unique index on gist_r using gist (n)
ERROR 0A000: access method "gist" does not support unique indexes

> create index on gist_r using gist (n desc)
ERROR 0A000: access method "gist" does not support ASC/DESC options

> create index on gist_r using gist (n) with (fillfactor=50, buffering=auto)
CREATE INDEX

> create index on gist_r using gist (n) with (buffering=maybe)
ERROR 22023: invalid value for enum option "buffering": maybe
DETAIL: Valid values are "on", "off", and "auto".

> insert into gist_r select i, tsrange(timestamp '2024-01-01' + i * interval '1 hour', timestamp '2024-01-01' + i*interval '1 hour' + (i%50) * interval '1 hour'), int4range(i, i + i%100), md5(i::text), to_tsvector('simple','w'||i%100) from generate_series(1,5000) i
INSERT 0 5000

> analyze gist_r
ANALYZE

> select count(*) from gist_r where during && '[2024-02-01,2024-02-02)'
count:int8
46
SELECT 1

> select count(*) from gist_r where during @> timestamp '2024-02-01'
count:int8
24
SELECT 1

> select count(*) from gist_r where n @> 77
count:int8
39
SELECT 1

> select count(*) from gist_r where n <@ int4range(100,200)
count:int8
100
SELECT 1

> select count(*) from gist_r where n = int4range(100,100)
count:int8
50
SELECT 1

> select count(*) from gist_r where n << int4range(100,200)
count:int8
50
SELECT 1

> select count(*) from gist_r where nm like '%abc%'
count:int8
26
SELECT 1

> select count(*) from gist_r where tv @@ 'w7'::tsquery
count:int8
50
SELECT 1

> select nm, nm <-> 'c4ca4238' d from gist_r order by nm <-> 'c4ca4238', nm limit 3
nm:text | d:float4
c4ca4238a0b923820dcc509a6f75849b | 0.75757575
c47e93742387750baba2e238558fa12d | 0.8918919
c4616f5a24a66668f11ca4fa80525dc4 | 0.92105263
SELECT 3

> select a.id, b.id from gist_r a join gist_r b on a.n && b.n and a.id < b.id where a.id < 12 order by 1,2
id:int4 | id:int4
2 | 3
3 | 4
3 | 5
4 | 5
4 | 6
4 | 7
5 | 6
5 | 7
5 | 8
5 | 9
6 | 7
6 | 8
6 | 9
6 | 10
6 | 11
7 | 8
7 | 9
7 | 10
7 | 11
7 | 12
7 | 13
8 | 9
8 | 10
8 | 11
8 | 12
8 | 13
8 | 14
8 | 15
9 | 10
9 | 11
9 | 12
9 | 13
9 | 14
9 | 15
9 | 16
9 | 17
10 | 11
10 | 12
10 | 13
10 | 14
10 | 15
10 | 16
10 | 17
10 | 18
10 | 19
11 | 12
11 | 13
11 | 14
11 | 15
11 | 16
11 | 17
11 | 18
11 | 19
11 | 20
11 | 21
SELECT 55

> select indexname, indexdef from pg_indexes where tablename = 'gist_r' order by 1
indexname:name | indexdef:text
gist_r_d | CREATE INDEX gist_r_d ON public.gist_r USING gist (during)
gist_r_n | CREATE INDEX gist_r_n ON public.gist_r USING gist (n, during) WHERE (id > 5)
gist_r_n_idx | CREATE INDEX gist_r_n_idx ON public.gist_r USING gist (n) WITH (fillfactor='50', buffering=auto)
gist_r_nm | CREATE INDEX gist_r_nm ON public.gist_r USING gist (nm gist_trgm_ops)
gist_r_pkey | CREATE UNIQUE INDEX gist_r_pkey ON public.gist_r USING btree (id)
gist_r_tv | CREATE INDEX gist_r_tv ON public.gist_r USING gist (tv)
SELECT 6

> drop extension pg_trgm cascade
NOTICE 00000: drop cascades to index gist_r_nm
DROP EXTENSION
