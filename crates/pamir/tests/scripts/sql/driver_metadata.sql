# The catalog queries of pgjdbc's DatabaseMetaData, and fields of rows that set functions return. Expectations by PostgreSQL 15.
> create table pkt (b int, a text, c int unique, primary key (a, b))
CREATE TABLE

> create index pkt_c_b on pkt (c desc, b) where c > 0
CREATE INDEX

> create table child (id int primary key, pa text, pb int, foreign key (pa, pb) references pkt (a, b) on delete cascade)
CREATE TABLE

> select (information_schema._pg_expandarray(array[10, 20])).n, (information_schema._pg_expandarray(array[10, 20])).x
n:int4 | x:int4
1 | 10
2 | 20
SELECT 2

> select information_schema._pg_expandarray('{7,8}'::int2[]) as k, 1 as one
k:record | one:int4
(7,1) | 1
(8,2) | 1
SELECT 2

> select x, n from information_schema._pg_expandarray('5 6'::int2vector)
x:int2 | n:int4
5 | 1
6 | 2
SELECT 2

> select (e).key, (e).value from (select json_each('{"a": 1, "b": [2]}') as e) s
key:text | value:json
a | 1
b | [2]
SELECT 2

> select (json_each_text('{"a": 1, "b": "x"}')).value
value:text
1
x
SELECT 2

> select (json_each('{"a": 1}')).nothing
ERROR 42703: could not identify column "nothing" in record data type

> SELECT result.TABLE_CAT IS NOT NULL AS cat, result.TABLE_SCHEM, result.TABLE_NAME, result.COLUMN_NAME, result.KEY_SEQ, result.PK_NAME FROM (SELECT current_database() AS TABLE_CAT, n.nspname AS TABLE_SCHEM, ct.relname AS TABLE_NAME, a.attname AS COLUMN_NAME, (information_schema._pg_expandarray(i.indkey)).n AS KEY_SEQ, ci.relname AS PK_NAME, information_schema._pg_expandarray(i.indkey) AS KEYS, a.attnum AS A_ATTNUM FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_attribute a ON (ct.oid = a.attrelid) JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index i ON ( a.attrelid = i.indrelid) JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid) WHERE true AND n.nspname = 'public' AND ct.relname = 'pkt' AND i.indisprimary ) result where result.A_ATTNUM = (result.KEYS).x ORDER BY result.table_name, result.pk_name, result.key_seq
cat:bool | table_schem:name | table_name:name | column_name:name | key_seq:int4 | pk_name:name
t | public | pkt | a | 1 | pkt_pkey
t | public | pkt | b | 2 | pkt_pkey
SELECT 2

> SELECT tmp.TABLE_SCHEM, tmp.TABLE_NAME, tmp.NON_UNIQUE, tmp.INDEX_QUALIFIER, tmp.INDEX_NAME, tmp.TYPE, tmp.ORDINAL_POSITION, trim(both '"' from pg_catalog.pg_get_indexdef(tmp.CI_OID, tmp.ORDINAL_POSITION, false)) AS COLUMN_NAME, CASE tmp.AM_NAME WHEN 'btree' THEN CASE tmp.I_INDOPTION[tmp.ORDINAL_POSITION - 1] & 1::smallint WHEN 1 THEN 'D' ELSE 'A' END ELSE NULL END AS ASC_OR_DESC, tmp.FILTER_CONDITION FROM (SELECT n.nspname AS TABLE_SCHEM, ct.relname AS TABLE_NAME, NOT i.indisunique AS NON_UNIQUE, NULL AS INDEX_QUALIFIER, ci.relname AS INDEX_NAME, CASE i.indisclustered WHEN true THEN 1 ELSE CASE am.amname WHEN 'hash' THEN 2 ELSE 3 END END AS TYPE, (information_schema._pg_expandarray(i.indkey)).n AS ORDINAL_POSITION, ci.reltuples AS CARDINALITY, ci.relpages AS PAGES, pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS FILTER_CONDITION, ci.oid AS CI_OID, i.indoption AS I_INDOPTION, am.amname AS AM_NAME FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index i ON (ct.oid = i.indrelid) JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid) JOIN pg_catalog.pg_am am ON (ci.relam = am.oid) WHERE true AND n.nspname = 'public' AND ct.relname = 'pkt') AS tmp ORDER BY NON_UNIQUE, TYPE, INDEX_NAME, ORDINAL_POSITION
table_schem:name | table_name:name | non_unique:bool | index_qualifier:text | index_name:name | type:int4 | ordinal_position:int4 | column_name:text | asc_or_desc:text | filter_condition:text
public | pkt | f | NULL | pkt_c_key | 3 | 1 | c | A | NULL
public | pkt | f | NULL | pkt_pkey | 3 | 1 | a | A | NULL
public | pkt | f | NULL | pkt_pkey | 3 | 2 | b | A | NULL
public | pkt | t | NULL | pkt_c_b | 3 | 1 | c | D | (c > 0)
public | pkt | t | NULL | pkt_c_b | 3 | 2 | b | A | (c > 0)
SELECT 5

> SELECT pkn.nspname AS PKTABLE_SCHEM, pkc.relname AS PKTABLE_NAME, pka.attname AS PKCOLUMN_NAME, fkn.nspname AS FKTABLE_SCHEM, fkc.relname AS FKTABLE_NAME, fka.attname AS FKCOLUMN_NAME, pos.n AS KEY_SEQ, CASE con.confupdtype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1 WHEN 'p' THEN 1 WHEN 'a' THEN 3 ELSE NULL END AS UPDATE_RULE, CASE con.confdeltype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1 WHEN 'p' THEN 1 WHEN 'a' THEN 3 ELSE NULL END AS DELETE_RULE, con.conname AS FK_NAME, pkic.relname AS PK_NAME, CASE WHEN con.condeferrable AND con.condeferred THEN 5 WHEN con.condeferrable THEN 6 ELSE 7 END AS DEFERRABILITY FROM pg_catalog.pg_namespace pkn, pg_catalog.pg_class pkc, pg_catalog.pg_attribute pka, pg_catalog.pg_namespace fkn, pg_catalog.pg_class fkc, pg_catalog.pg_attribute fka, pg_catalog.pg_constraint con, pg_catalog.generate_series(1, 32) pos(n), pg_catalog.pg_class pkic WHERE pkn.oid = pkc.relnamespace AND pkc.oid = pka.attrelid AND pka.attnum = con.confkey[pos.n] AND con.confrelid = pkc.oid AND fkn.oid = fkc.relnamespace AND fkc.oid = fka.attrelid AND fka.attnum = con.conkey[pos.n] AND con.conrelid = fkc.oid AND con.contype = 'f' AND (pkic.relkind = 'i' OR pkic.relkind = 'I') AND pkic.oid = con.conindid AND fkn.nspname = 'public' AND fkc.relname = 'child' ORDER BY pkn.nspname, pkc.relname, con.conname, pos.n
pktable_schem:name | pktable_name:name | pkcolumn_name:name | fktable_schem:name | fktable_name:name | fkcolumn_name:name | key_seq:int4 | update_rule:int4 | delete_rule:int4 | fk_name:name | pk_name:name | deferrability:int4
public | pkt | a | public | child | pa | 1 | 3 | 0 | child_pa_pb_fkey | pkt_pkey | 7
public | pkt | b | public | child | pb | 2 | 3 | 0 | child_pa_pb_fkey | pkt_pkey | 7
SELECT 2

> drop table child, pkt
DROP TABLE
