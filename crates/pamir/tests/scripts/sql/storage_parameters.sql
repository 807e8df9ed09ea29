# Storage parameters are checked, kept and shown.
> create table r1 (a int, b text) with (fillfactor = 70, autovacuum_enabled = false, autovacuum_vacuum_scale_factor = 0.25)
CREATE TABLE
> select relname, reloptions from pg_class where relname = 'r1'
relname:name | reloptions:_text
r1 | {fillfactor=70,autovacuum_enabled=false,autovacuum_vacuum_scale_factor=0.25}
SELECT 1
> alter table r1 set (fillfactor = 80, toast_tuple_target = 200), alter b set not null
ALTER TABLE
> alter table r1 set (fillfactor = 75)
ALTER TABLE
> alter table r1 reset (autovacuum_enabled, nosuch)
ALTER TABLE
> select reloptions from pg_class where relname = 'r1'
reloptions:_text
{autovacuum_vacuum_scale_factor=0.25,toast_tuple_target=200,fillfactor=75}
SELECT 1
> alter table r1 reset (fillfactor = 3)
ERROR 42601: RESET must not include values for parameters
> create table r2 (a int) with (nosuch = 1)
ERROR 22023: unrecognized parameter "nosuch"
> create table r2 (a int) with ("Fillfactor" = 70)
ERROR 22023: unrecognized parameter "Fillfactor"
> create table r2 (a int) with (fillfactor = 9)
ERROR 22023: value 9 out of bounds for option "fillfactor"
DETAIL: Valid values are between "10" and "100".
> create table r2 (a int) with (fillfactor = x)
ERROR 22023: invalid value for integer option "fillfactor": x
> create table r2 (a int) with (autovacuum_enabled = 7)
ERROR 22023: invalid value for boolean option "autovacuum_enabled": 7
> create table r2 (a int) with (autovacuum_vacuum_scale_factor = 101)
ERROR 22023: value 101 out of bounds for option "autovacuum_vacuum_scale_factor"
DETAIL: Valid values are between "0.000000" and "100.000000".
> create table r2 (a int) with (vacuum_index_cleanup = x)
ERROR 22023: invalid value for enum option "vacuum_index_cleanup": x
DETAIL: Valid values are "on", "off", and "auto".
> create table r2 (a int) with (fillfactor = 30, fillfactor = 40)
ERROR 22023: parameter "fillfactor" specified more than once
> create table r2 (a int) with (x.fillfactor = 30)
ERROR 22023: unrecognized parameter namespace "x"
> create table r2 (a int) with (toast.fillfactor = 30)
ERROR 22023: unrecognized parameter "fillfactor"
> create table r2 (a int) with (toast.autovacuum_enabled = false, vacuum_truncate)
CREATE TABLE
> create table r3 (a int) with (oids = true)
ERROR 0A000: tables declared WITH OIDS are not supported
> create table r3 (a int) with (oids = false)
CREATE TABLE
> create table r4 with (fillfactor = 50) as select 1 a
SELECT 1
> select relname, reloptions from pg_class where relname in ('r2', 'r3', 'r4') order by 1
relname:name | reloptions:_text
r2 | {vacuum_truncate=true}
r3 | NULL
r4 | {fillfactor=50}
SELECT 3
> create index r1_i on r1 (a) with (fillfactor = 60, deduplicate_items = off) where a > 0
CREATE INDEX
> create index r1_h on r1 using hash (a) with (fillfactor = 60)
CREATE INDEX
> create index r1_x on r1 (a) with (nosuch = 60)
ERROR 22023: unrecognized parameter "nosuch"
> create index r1_x on r1 using hash (a) with (deduplicate_items = off)
ERROR 22023: unrecognized parameter "deduplicate_items"
> select pg_get_indexdef('r1_i'::regclass), pg_get_indexdef('r1_h'::regclass)
pg_get_indexdef:text | pg_get_indexdef:text
CREATE INDEX r1_i ON public.r1 USING btree (a) WITH (fillfactor='60', deduplicate_items=off) WHERE (a > 0) | CREATE INDEX r1_h ON public.r1 USING hash (a) WITH (fillfactor='60')
SELECT 1
> alter index r1_i set (fillfactor = 40)
ALTER INDEX
> alter index r1_h reset (fillfactor)
ALTER INDEX
> select relname, reloptions from pg_class where relname like 'r1\_%' order by 1
relname:name | reloptions:_text
r1_h | NULL
r1_i | {deduplicate_items=off,fillfactor=40}
SELECT 2
> create index on r1 (a, a, b) include (b)
CREATE INDEX
> create index on r1 (a, a)
CREATE INDEX
> select indexname, indexdef from pg_indexes where tablename = 'r1' order by 1
indexname:name | indexdef:text
r1_a_a1_b_b1_idx | CREATE INDEX r1_a_a1_b_b1_idx ON public.r1 USING btree (a, a, b) INCLUDE (b)
r1_a_a1_idx | CREATE INDEX r1_a_a1_idx ON public.r1 USING btree (a, a)
r1_h | CREATE INDEX r1_h ON public.r1 USING hash (a)
r1_i | CREATE INDEX r1_i ON public.r1 USING btree (a) WITH (deduplicate_items=off, fillfactor='40') WHERE (a > 0)
SELECT 4
