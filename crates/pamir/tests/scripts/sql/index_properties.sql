# What access methods, indexes and their columns can do.
> create table ip (a int primary key, b text, r int4range, v tsvector, d int[])
CREATE TABLE

> create index ip_b on ip (b desc, a nulls first) include (r)
CREATE INDEX

> create index ip_h on ip using hash (b)
CREATE INDEX

> create index ip_r on ip using gist (r)
CREATE INDEX

> create index ip_v on ip using gist (v)
CREATE INDEX

> create index ip_g on ip using gin (d)
CREATE INDEX

> create index ip_z on ip using brin (a)
CREATE INDEX

> create index ip_x on ip (lower(b) desc nulls last)
CREATE INDEX

> select amname, p, pg_indexam_has_property(oid, p) from pg_am, unnest(array['can_order','can_unique','can_multi_col','can_exclude','can_include','nothing', 'CAN_ORDER']) p order by 1, 2
amname:name | p:text | pg_indexam_has_property:bool
brin | CAN_ORDER | f
brin | can_exclude | f
brin | can_include | f
brin | can_multi_col | t
brin | can_order | f
brin | can_unique | f
brin | nothing | NULL
btree | CAN_ORDER | t
btree | can_exclude | t
btree | can_include | t
btree | can_multi_col | t
btree | can_order | t
btree | can_unique | t
btree | nothing | NULL
gin | CAN_ORDER | f
gin | can_exclude | f
gin | can_include | f
gin | can_multi_col | t
gin | can_order | f
gin | can_unique | f
gin | nothing | NULL
gist | CAN_ORDER | f
gist | can_exclude | t
gist | can_include | t
gist | can_multi_col | t
gist | can_order | f
gist | can_unique | f
gist | nothing | NULL
hash | CAN_ORDER | f
hash | can_exclude | t
hash | can_include | f
hash | can_multi_col | f
hash | can_order | f
hash | can_unique | f
hash | nothing | NULL
heap | CAN_ORDER | NULL
heap | can_exclude | NULL
heap | can_include | NULL
heap | can_multi_col | NULL
heap | can_order | NULL
heap | can_unique | NULL
heap | nothing | NULL
spgist | CAN_ORDER | f
spgist | can_exclude | t
spgist | can_include | t
spgist | can_multi_col | f
spgist | can_order | f
spgist | can_unique | f
spgist | nothing | NULL
SELECT 49

> select c.relname, p, pg_index_has_property(c.oid, p) from pg_class c, unnest(array['clusterable','index_scan','bitmap_scan','backward_scan','nothing']) p where relname like 'ip%' order by 1, 2
relname:name | p:text | pg_index_has_property:bool
ip | backward_scan | NULL
ip | bitmap_scan | NULL
ip | clusterable | NULL
ip | index_scan | NULL
ip | nothing | NULL
ip_b | backward_scan | t
ip_b | bitmap_scan | t
ip_b | clusterable | t
ip_b | index_scan | t
ip_b | nothing | NULL
ip_g | backward_scan | f
ip_g | bitmap_scan | t
ip_g | clusterable | f
ip_g | index_scan | f
ip_g | nothing | NULL
ip_h | backward_scan | t
ip_h | bitmap_scan | t
ip_h | clusterable | f
ip_h | index_scan | t
ip_h | nothing | NULL
ip_pkey | backward_scan | t
ip_pkey | bitmap_scan | t
ip_pkey | clusterable | t
ip_pkey | index_scan | t
ip_pkey | nothing | NULL
ip_r | backward_scan | f
ip_r | bitmap_scan | t
ip_r | clusterable | t
ip_r | index_scan | t
ip_r | nothing | NULL
ip_v | backward_scan | f
ip_v | bitmap_scan | t
ip_v | clusterable | t
ip_v | index_scan | t
ip_v | nothing | NULL
ip_x | backward_scan | t
ip_x | bitmap_scan | t
ip_x | clusterable | t
ip_x | index_scan | t
ip_x | nothing | NULL
ip_z | backward_scan | f
ip_z | bitmap_scan | t
ip_z | clusterable | f
ip_z | index_scan | f
ip_z | nothing | NULL
SELECT 45

> select c.relname, n, p, pg_index_column_has_property(c.oid, n, p) from pg_class c, generate_series(0, 4) n, unnest(array['asc','desc','nulls_first','nulls_last','orderable','distance_orderable','returnable','search_array','search_nulls','Nothing']) p where relname like 'ip_%' order by 1, 2, 3
relname:name | n:int4 | p:text | pg_index_column_has_property:bool
ip_b | 0 | Nothing | NULL
ip_b | 0 | asc | NULL
ip_b | 0 | desc | NULL
ip_b | 0 | distance_orderable | NULL
ip_b | 0 | nulls_first | NULL
ip_b | 0 | nulls_last | NULL
ip_b | 0 | orderable | NULL
ip_b | 0 | returnable | NULL
ip_b | 0 | search_array | NULL
ip_b | 0 | search_nulls | NULL
ip_b | 1 | Nothing | NULL
ip_b | 1 | asc | f
ip_b | 1 | desc | t
ip_b | 1 | distance_orderable | f
ip_b | 1 | nulls_first | t
ip_b | 1 | nulls_last | f
ip_b | 1 | orderable | t
ip_b | 1 | returnable | t
ip_b | 1 | search_array | t
ip_b | 1 | search_nulls | t
ip_b | 2 | Nothing | NULL
ip_b | 2 | asc | t
ip_b | 2 | desc | f
ip_b | 2 | distance_orderable | f
ip_b | 2 | nulls_first | t
ip_b | 2 | nulls_last | f
ip_b | 2 | orderable | t
ip_b | 2 | returnable | t
ip_b | 2 | search_array | t
ip_b | 2 | search_nulls | t
ip_b | 3 | Nothing | NULL
ip_b | 3 | asc | NULL
ip_b | 3 | desc | NULL
ip_b | 3 | distance_orderable | f
ip_b | 3 | nulls_first | NULL
ip_b | 3 | nulls_last | NULL
ip_b | 3 | orderable | f
ip_b | 3 | returnable | t
ip_b | 3 | search_array | NULL
ip_b | 3 | search_nulls | NULL
ip_b | 4 | Nothing | NULL
ip_b | 4 | asc | NULL
ip_b | 4 | desc | NULL
ip_b | 4 | distance_orderable | NULL
ip_b | 4 | nulls_first | NULL
ip_b | 4 | nulls_last | NULL
ip_b | 4 | orderable | NULL
ip_b | 4 | returnable | NULL
ip_b | 4 | search_array | NULL
ip_b | 4 | search_nulls | NULL
ip_g | 0 | Nothing | NULL
ip_g | 0 | asc | NULL
ip_g | 0 | desc | NULL
ip_g | 0 | distance_orderable | NULL
ip_g | 0 | nulls_first | NULL
ip_g | 0 | nulls_last | NULL
ip_g | 0 | orderable | NULL
ip_g | 0 | returnable | NULL
ip_g | 0 | search_array | NULL
ip_g | 0 | search_nulls | NULL
ip_g | 1 | Nothing | NULL
ip_g | 1 | asc | f
ip_g | 1 | desc | f
ip_g | 1 | distance_orderable | f
ip_g | 1 | nulls_first | f
ip_g | 1 | nulls_last | f
ip_g | 1 | orderable | f
ip_g | 1 | returnable | f
ip_g | 1 | search_array | f
ip_g | 1 | search_nulls | f
ip_g | 2 | Nothing | NULL
ip_g | 2 | asc | NULL
ip_g | 2 | desc | NULL
ip_g | 2 | distance_orderable | NULL
ip_g | 2 | nulls_first | NULL
ip_g | 2 | nulls_last | NULL
ip_g | 2 | orderable | NULL
ip_g | 2 | returnable | NULL
ip_g | 2 | search_array | NULL
ip_g | 2 | search_nulls | NULL
ip_g | 3 | Nothing | NULL
ip_g | 3 | asc | NULL
ip_g | 3 | desc | NULL
ip_g | 3 | distance_orderable | NULL
ip_g | 3 | nulls_first | NULL
ip_g | 3 | nulls_last | NULL
ip_g | 3 | orderable | NULL
ip_g | 3 | returnable | NULL
ip_g | 3 | search_array | NULL
ip_g | 3 | search_nulls | NULL
ip_g | 4 | Nothing | NULL
ip_g | 4 | asc | NULL
ip_g | 4 | desc | NULL
ip_g | 4 | distance_orderable | NULL
ip_g | 4 | nulls_first | NULL
ip_g | 4 | nulls_last | NULL
ip_g | 4 | orderable | NULL
ip_g | 4 | returnable | NULL
ip_g | 4 | search_array | NULL
ip_g | 4 | search_nulls | NULL
ip_h | 0 | Nothing | NULL
ip_h | 0 | asc | NULL
ip_h | 0 | desc | NULL
ip_h | 0 | distance_orderable | NULL
ip_h | 0 | nulls_first | NULL
ip_h | 0 | nulls_last | NULL
ip_h | 0 | orderable | NULL
ip_h | 0 | returnable | NULL
ip_h | 0 | search_array | NULL
ip_h | 0 | search_nulls | NULL
ip_h | 1 | Nothing | NULL
ip_h | 1 | asc | f
ip_h | 1 | desc | f
ip_h | 1 | distance_orderable | f
ip_h | 1 | nulls_first | f
ip_h | 1 | nulls_last | f
ip_h | 1 | orderable | f
ip_h | 1 | returnable | f
ip_h | 1 | search_array | f
ip_h | 1 | search_nulls | f
ip_h | 2 | Nothing | NULL
ip_h | 2 | asc | NULL
ip_h | 2 | desc | NULL
ip_h | 2 | distance_orderable | NULL
ip_h | 2 | nulls_first | NULL
ip_h | 2 | nulls_last | NULL
ip_h | 2 | orderable | NULL
ip_h | 2 | returnable | NULL
ip_h | 2 | search_array | NULL
ip_h | 2 | search_nulls | NULL
ip_h | 3 | Nothing | NULL
ip_h | 3 | asc | NULL
ip_h | 3 | desc | NULL
ip_h | 3 | distance_orderable | NULL
ip_h | 3 | nulls_first | NULL
ip_h | 3 | nulls_last | NULL
ip_h | 3 | orderable | NULL
ip_h | 3 | returnable | NULL
ip_h | 3 | search_array | NULL
ip_h | 3 | search_nulls | NULL
ip_h | 4 | Nothing | NULL
ip_h | 4 | asc | NULL
ip_h | 4 | desc | NULL
ip_h | 4 | distance_orderable | NULL
ip_h | 4 | nulls_first | NULL
ip_h | 4 | nulls_last | NULL
ip_h | 4 | orderable | NULL
ip_h | 4 | returnable | NULL
ip_h | 4 | search_array | NULL
ip_h | 4 | search_nulls | NULL
ip_pkey | 0 | Nothing | NULL
ip_pkey | 0 | asc | NULL
ip_pkey | 0 | desc | NULL
ip_pkey | 0 | distance_orderable | NULL
ip_pkey | 0 | nulls_first | NULL
ip_pkey | 0 | nulls_last | NULL
ip_pkey | 0 | orderable | NULL
ip_pkey | 0 | returnable | NULL
ip_pkey | 0 | search_array | NULL
ip_pkey | 0 | search_nulls | NULL
ip_pkey | 1 | Nothing | NULL
ip_pkey | 1 | asc | t
ip_pkey | 1 | desc | f
ip_pkey | 1 | distance_orderable | f
ip_pkey | 1 | nulls_first | f
ip_pkey | 1 | nulls_last | t
ip_pkey | 1 | orderable | t
ip_pkey | 1 | returnable | t
ip_pkey | 1 | search_array | t
ip_pkey | 1 | search_nulls | t
ip_pkey | 2 | Nothing | NULL
ip_pkey | 2 | asc | NULL
ip_pkey | 2 | desc | NULL
ip_pkey | 2 | distance_orderable | NULL
ip_pkey | 2 | nulls_first | NULL
ip_pkey | 2 | nulls_last | NULL
ip_pkey | 2 | orderable | NULL
ip_pkey | 2 | returnable | NULL
ip_pkey | 2 | search_array | NULL
ip_pkey | 2 | search_nulls | NULL
ip_pkey | 3 | Nothing | NULL
ip_pkey | 3 | asc | NULL
ip_pkey | 3 | desc | NULL
ip_pkey | 3 | distance_orderable | NULL
ip_pkey | 3 | nulls_first | NULL
ip_pkey | 3 | nulls_last | NULL
ip_pkey | 3 | orderable | NULL
ip_pkey | 3 | returnable | NULL
ip_pkey | 3 | search_array | NULL
ip_pkey | 3 | search_nulls | NULL
ip_pkey | 4 | Nothing | NULL
ip_pkey | 4 | asc | NULL
ip_pkey | 4 | desc | NULL
ip_pkey | 4 | distance_orderable | NULL
ip_pkey | 4 | nulls_first | NULL
ip_pkey | 4 | nulls_last | NULL
ip_pkey | 4 | orderable | NULL
ip_pkey | 4 | returnable | NULL
ip_pkey | 4 | search_array | NULL
ip_pkey | 4 | search_nulls | NULL
ip_r | 0 | Nothing | NULL
ip_r | 0 | asc | NULL
ip_r | 0 | desc | NULL
ip_r | 0 | distance_orderable | NULL
ip_r | 0 | nulls_first | NULL
ip_r | 0 | nulls_last | NULL
ip_r | 0 | orderable | NULL
ip_r | 0 | returnable | NULL
ip_r | 0 | search_array | NULL
ip_r | 0 | search_nulls | NULL
ip_r | 1 | Nothing | NULL
ip_r | 1 | asc | f
ip_r | 1 | desc | f
ip_r | 1 | distance_orderable | f
ip_r | 1 | nulls_first | f
ip_r | 1 | nulls_last | f
ip_r | 1 | orderable | f
ip_r | 1 | returnable | t
ip_r | 1 | search_array | f
ip_r | 1 | search_nulls | t
ip_r | 2 | Nothing | NULL
ip_r | 2 | asc | NULL
ip_r | 2 | desc | NULL
ip_r | 2 | distance_orderable | NULL
ip_r | 2 | nulls_first | NULL
ip_r | 2 | nulls_last | NULL
ip_r | 2 | orderable | NULL
ip_r | 2 | returnable | NULL
ip_r | 2 | search_array | NULL
ip_r | 2 | search_nulls | NULL
ip_r | 3 | Nothing | NULL
ip_r | 3 | asc | NULL
ip_r | 3 | desc | NULL
ip_r | 3 | distance_orderable | NULL
ip_r | 3 | nulls_first | NULL
ip_r | 3 | nulls_last | NULL
ip_r | 3 | orderable | NULL
ip_r | 3 | returnable | NULL
ip_r | 3 | search_array | NULL
ip_r | 3 | search_nulls | NULL
ip_r | 4 | Nothing | NULL
ip_r | 4 | asc | NULL
ip_r | 4 | desc | NULL
ip_r | 4 | distance_orderable | NULL
ip_r | 4 | nulls_first | NULL
ip_r | 4 | nulls_last | NULL
ip_r | 4 | orderable | NULL
ip_r | 4 | returnable | NULL
ip_r | 4 | search_array | NULL
ip_r | 4 | search_nulls | NULL
ip_v | 0 | Nothing | NULL
ip_v | 0 | asc | NULL
ip_v | 0 | desc | NULL
ip_v | 0 | distance_orderable | NULL
ip_v | 0 | nulls_first | NULL
ip_v | 0 | nulls_last | NULL
ip_v | 0 | orderable | NULL
ip_v | 0 | returnable | NULL
ip_v | 0 | search_array | NULL
ip_v | 0 | search_nulls | NULL
ip_v | 1 | Nothing | NULL
ip_v | 1 | asc | f
ip_v | 1 | desc | f
ip_v | 1 | distance_orderable | f
ip_v | 1 | nulls_first | f
ip_v | 1 | nulls_last | f
ip_v | 1 | orderable | f
ip_v | 1 | returnable | f
ip_v | 1 | search_array | f
ip_v | 1 | search_nulls | t
ip_v | 2 | Nothing | NULL
ip_v | 2 | asc | NULL
ip_v | 2 | desc | NULL
ip_v | 2 | distance_orderable | NULL
ip_v | 2 | nulls_first | NULL
ip_v | 2 | nulls_last | NULL
ip_v | 2 | orderable | NULL
ip_v | 2 | returnable | NULL
ip_v | 2 | search_array | NULL
ip_v | 2 | search_nulls | NULL
ip_v | 3 | Nothing | NULL
ip_v | 3 | asc | NULL
ip_v | 3 | desc | NULL
ip_v | 3 | distance_orderable | NULL
ip_v | 3 | nulls_first | NULL
ip_v | 3 | nulls_last | NULL
ip_v | 3 | orderable | NULL
ip_v | 3 | returnable | NULL
ip_v | 3 | search_array | NULL
ip_v | 3 | search_nulls | NULL
ip_v | 4 | Nothing | NULL
ip_v | 4 | asc | NULL
ip_v | 4 | desc | NULL
ip_v | 4 | distance_orderable | NULL
ip_v | 4 | nulls_first | NULL
ip_v | 4 | nulls_last | NULL
ip_v | 4 | orderable | NULL
ip_v | 4 | returnable | NULL
ip_v | 4 | search_array | NULL
ip_v | 4 | search_nulls | NULL
ip_x | 0 | Nothing | NULL
ip_x | 0 | asc | NULL
ip_x | 0 | desc | NULL
ip_x | 0 | distance_orderable | NULL
ip_x | 0 | nulls_first | NULL
ip_x | 0 | nulls_last | NULL
ip_x | 0 | orderable | NULL
ip_x | 0 | returnable | NULL
ip_x | 0 | search_array | NULL
ip_x | 0 | search_nulls | NULL
ip_x | 1 | Nothing | NULL
ip_x | 1 | asc | f
ip_x | 1 | desc | t
ip_x | 1 | distance_orderable | f
ip_x | 1 | nulls_first | f
ip_x | 1 | nulls_last | t
ip_x | 1 | orderable | t
ip_x | 1 | returnable | t
ip_x | 1 | search_array | t
ip_x | 1 | search_nulls | t
ip_x | 2 | Nothing | NULL
ip_x | 2 | asc | NULL
ip_x | 2 | desc | NULL
ip_x | 2 | distance_orderable | NULL
ip_x | 2 | nulls_first | NULL
ip_x | 2 | nulls_last | NULL
ip_x | 2 | orderable | NULL
ip_x | 2 | returnable | NULL
ip_x | 2 | search_array | NULL
ip_x | 2 | search_nulls | NULL
ip_x | 3 | Nothing | NULL
ip_x | 3 | asc | NULL
ip_x | 3 | desc | NULL
ip_x | 3 | distance_orderable | NULL
ip_x | 3 | nulls_first | NULL
ip_x | 3 | nulls_last | NULL
ip_x | 3 | orderable | NULL
ip_x | 3 | returnable | NULL
ip_x | 3 | search_array | NULL
ip_x | 3 | search_nulls | NULL
ip_x | 4 | Nothing | NULL
ip_x | 4 | asc | NULL
ip_x | 4 | desc | NULL
ip_x | 4 | distance_orderable | NULL
ip_x | 4 | nulls_first | NULL
ip_x | 4 | nulls_last | NULL
ip_x | 4 | orderable | NULL
ip_x | 4 | returnable | NULL
ip_x | 4 | search_array | NULL
ip_x | 4 | search_nulls | NULL
ip_z | 0 | Nothing | NULL
ip_z | 0 | asc | NULL
ip_z | 0 | desc | NULL
ip_z | 0 | distance_orderable | NULL
ip_z | 0 | nulls_first | NULL
ip_z | 0 | nulls_last | NULL
ip_z | 0 | orderable | NULL
ip_z | 0 | returnable | NULL
ip_z | 0 | search_array | NULL
ip_z | 0 | search_nulls | NULL
ip_z | 1 | Nothing | NULL
ip_z | 1 | asc | f
ip_z | 1 | desc | f
ip_z | 1 | distance_orderable | f
ip_z | 1 | nulls_first | f
ip_z | 1 | nulls_last | f
ip_z | 1 | orderable | f
ip_z | 1 | returnable | f
ip_z | 1 | search_array | f
ip_z | 1 | search_nulls | t
ip_z | 2 | Nothing | NULL
ip_z | 2 | asc | NULL
ip_z | 2 | desc | NULL
ip_z | 2 | distance_orderable | NULL
ip_z | 2 | nulls_first | NULL
ip_z | 2 | nulls_last | NULL
ip_z | 2 | orderable | NULL
ip_z | 2 | returnable | NULL
ip_z | 2 | search_array | NULL
ip_z | 2 | search_nulls | NULL
ip_z | 3 | Nothing | NULL
ip_z | 3 | asc | NULL
ip_z | 3 | desc | NULL
ip_z | 3 | distance_orderable | NULL
ip_z | 3 | nulls_first | NULL
ip_z | 3 | nulls_last | NULL
ip_z | 3 | orderable | NULL
ip_z | 3 | returnable | NULL
ip_z | 3 | search_array | NULL
ip_z | 3 | search_nulls | NULL
ip_z | 4 | Nothing | NULL
ip_z | 4 | asc | NULL
ip_z | 4 | desc | NULL
ip_z | 4 | distance_orderable | NULL
ip_z | 4 | nulls_first | NULL
ip_z | 4 | nulls_last | NULL
ip_z | 4 | orderable | NULL
ip_z | 4 | returnable | NULL
ip_z | 4 | search_array | NULL
ip_z | 4 | search_nulls | NULL
SELECT 400

> select pg_indexam_has_property(0, 'can_order'), pg_index_has_property('ip', 'clusterable'), pg_index_column_has_property('ip', 1, 'asc')
pg_indexam_has_property:bool | pg_index_has_property:bool | pg_index_column_has_property:bool
NULL | NULL | NULL
SELECT 1

> drop table ip
DROP TABLE
