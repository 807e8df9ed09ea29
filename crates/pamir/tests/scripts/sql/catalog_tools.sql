# What tools ask of the catalogs: drivers, object-relational mappers, generators of code.

# Rows of the server's own relations are types.

> do $$ declare r pg_roles; begin select * into r from pg_roles where rolname = 'postgres'; raise notice '%', r.rolname; end $$
NOTICE 00000: postgres
DO

> do $$ declare r pg_class%rowtype; n pg_class.relname%type; begin select * into r from pg_class where relname = 'pg_class'; n := r.relname; raise notice '%', n; end $$
NOTICE 00000: pg_class
DO

> create function role_name(pg_roles) returns text language sql as 'select ($1).rolname::text'
CREATE FUNCTION

> create function all_roles() returns setof pg_roles language sql as 'select * from pg_roles'
CREATE FUNCTION

> select role_name(r) from pg_roles r where rolname = 'postgres'
role_name:text
postgres
SELECT 1

> select rolname from all_roles() where rolname = 'postgres'
rolname:name
postgres
SELECT 1

> select null::pg_tables is null, pg_typeof(r), pg_typeof(array[r]) from pg_roles r limit 1
?column?:bool | pg_typeof:regtype | pg_typeof:regtype
t | pg_roles | pg_roles[]
SELECT 1

> select relname, reltype <> 0 from pg_class where relname in ('pg_class', 'pg_roles', 'pg_aggregate') order by 1
relname:name | ?column?:bool
pg_aggregate | t
pg_class | t
pg_roles | t
SELECT 3

> select t.typname, t.typrelid::regclass, a.typname from pg_type t join pg_type a on a.oid = t.typarray where t.typname in ('pg_class', 'tables') order by 1
typname:name | typrelid:regclass | typname:name
pg_class | pg_class | _pg_class
tables | information_schema.tables | _tables
SELECT 2

> select 'pg_class'::regtype, 'information_schema.tables'::regtype, '_pg_class'::regtype
regtype:regtype | regtype:regtype | regtype:regtype
pg_class | information_schema.tables | pg_class[]
SELECT 1

> select (r).relname, row_to_json(r)->>'relkind' from pg_class r where oid = 1259
relname:name | ?column?:text
pg_class | r
SELECT 1

> drop function role_name(pg_roles), all_roles()
DROP FUNCTION

# Functions that nobody calls are found by their names, and are in pg_proc.

> select 'array_in(cstring,oid,integer)'::regprocedure, 'int4in(cstring)'::regprocedure, 'enum_in'::regproc, 'range_in(cstring,oid,integer)'::regprocedure
regprocedure:regprocedure | regprocedure:regprocedure | regproc:regproc | regprocedure:regprocedure
array_in(cstring,oid,integer) | int4in(cstring) | enum_in | range_in(cstring,oid,integer)
SELECT 1

> select count(*) from pg_type t where not exists (select 1 from pg_proc p where p.oid = t.typinput) or not exists (select 1 from pg_proc p where p.oid = t.typoutput)
count:int8
0
SELECT 1

> select proname, pg_get_function_arguments(oid), pg_get_function_result(oid), provolatile, proisstrict from pg_proc where proname in ('array_in', 'row_number', 'btint4cmp', 'eqsel') order by 1
proname:name | pg_get_function_arguments:text | pg_get_function_result:text | provolatile:char | proisstrict:bool
array_in | cstring, oid, integer | anyarray | s | t
btint4cmp | integer, integer | integer | i | t
eqsel | internal, oid, internal, integer | double precision | s | t
row_number |  | bigint | i | f
SELECT 4

> select uuid_in(md5('a')::cstring), int4in('5'), textin('x'), date_in('2020-01-01'), numeric_in('1.50', 0, -1), int4out(5), pg_typeof(int4out(5)), jsonb_in('{"a": 1}')
uuid_in:uuid | int4in:int4 | textin:text | date_in:date | numeric_in:numeric | int4out:cstring | pg_typeof:regtype | jsonb_in:jsonb
0cc175b9-c0f1-b6a8-31c3-99e269772661 | 5 | x | 2020-01-01 | 1.50 | 5 | cstring | {"a": 1}
SELECT 1

> select int4in('x')
ERROR 22P02: invalid input syntax for type integer: "x"

> select varcharin('abc', 0, 6)
ERROR 22001: value too long for type character varying(2)

> select array[23, 25]::regtype[]::text, array[1259]::regclass[]::text, row(23::regtype)::text, array_agg(23::regtype)::text, nameconcatoid('a', 5)
array:text | array:text | row:text | array_agg:text | nameconcatoid:name
{integer,text} | {pg_class} | (integer) | {integer} | a_5
SELECT 1

# Vectors.

> create table keyed (a int, b int, primary key (b, a))
CREATE TABLE

> select indkey::int[], indkey::text[], indoption::int2[] from pg_index where indrelid = 'keyed'::regclass
indkey:_int4 | indkey:_text | indoption:_int2
[0:1]={2,1} | [0:1]={2,1} | [0:1]={0,0}
SELECT 1

> select proargtypes = array['text'::regtype]::oidvector from pg_proc where proname = 'lower' and proargtypes = '25'::oidvector
?column?:bool
t
SELECT 1

> select '{25}'::oid[]::oidvector
ERROR 42846: cannot cast type oid[] to oidvector

> select '1 2'::oidvector < '3'::oidvector, '1 2'::oidvector < '1 3'::oidvector
?column?:bool | ?column?:bool
f | t
SELECT 1

# Functions of information_schema.

> select information_schema._pg_char_max_length(1043, 24), information_schema._pg_char_octet_length(1043, 24), information_schema._pg_numeric_precision(1700, 655366), information_schema._pg_numeric_scale(1700, 655366), information_schema._pg_numeric_precision_radix(1700, -1), information_schema._pg_datetime_precision(1184, -1), information_schema._pg_interval_type(1186, 268435459)
_pg_char_max_length:int4 | _pg_char_octet_length:int4 | _pg_numeric_precision:int4 | _pg_numeric_scale:int4 | _pg_numeric_precision_radix:int4 | _pg_datetime_precision:int4 | _pg_interval_type:text
20 | 80 | 10 | 2 | 10 | 6 | SECOND(3)
SELECT 1

> select a.attname, information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*) from pg_attribute a join pg_type t on t.oid = a.atttypid where attrelid = 'keyed'::regclass and attnum > 0 order by 1
attname:name | _pg_truetypid:oid | _pg_truetypmod:int4
a | 23 | -1
b | 23 | -1
SELECT 2

> select n, information_schema._pg_index_position('keyed_pkey'::regclass, n::int2) from generate_series(1, 3) n
n:int4 | _pg_index_position:int4
1 | 2
2 | 1
3 | NULL
SELECT 3

> select attname, atttypid::regtype, attnum, attnotnull from pg_attribute where attrelid = 'keyed'::regclass order by attnum
attname:name | atttypid:regtype | attnum:int2 | attnotnull:bool
tableoid | oid | -6 | t
cmax | cid | -5 | t
xmax | xid | -4 | t
cmin | cid | -3 | t
xmin | xid | -2 | t
ctid | tid | -1 | t
a | integer | 1 | t
b | integer | 2 | t
SELECT 8

# Sequences of what has none, options.

> create view shown with (security_barrier) as select a, b from keyed where a > 0 with local check option
CREATE VIEW

> select pg_get_serial_sequence('shown', 'a'), pg_get_serial_sequence('pg_class', 'relname')
pg_get_serial_sequence:text | pg_get_serial_sequence:text
NULL | NULL
SELECT 1

> select pg_get_serial_sequence('shown', 'z')
pg_get_serial_sequence:text
ERROR 42703: column "z" of relation "shown" does not exist

> select o.* from pg_class c, pg_options_to_table(reloptions) o where relname = 'shown' order by 1
option_name:text | option_value:text
check_option | local
security_barrier | true
SELECT 2

> select * from pg_options_to_table('{a,b=,c=1=2}')
option_name:text | option_value:text
a | NULL
b | 
c | 1=2
SELECT 3

# EXECUTE, PREPARE and DEALLOCATE within functions.

> prepare one as select 1
PREPARE

> prepare more(int) as select $1 + 1 as x
PREPARE

> do $$ declare c refcursor; n int; r record; begin open c for execute 'execute one'; fetch c into r; raise notice '%', r; execute 'execute more(4)' into n; raise notice '%', n; for r in execute 'execute more(41)' loop raise notice '%', r.x; end loop; execute 'deallocate more'; execute 'prepare made as select 9'; end $$
NOTICE 00000: (1)
NOTICE 00000: 5
NOTICE 00000: 42
DO

> execute made
?column?:int4
9
SELECT 1

> execute more(1)
ERROR 26000: prepared statement "more" does not exist

> create function runs() returns setof int language plpgsql as $$ begin return query execute 'execute one'; end $$
CREATE FUNCTION

> select * from runs()
runs:int4
1
SELECT 1

> drop function runs()
DROP FUNCTION

> deallocate all
DEALLOCATE ALL

# Types' own casts to json.

> create type colour as enum ('red', 'blue')
CREATE TYPE

> create function colour_json(colour) returns json language sql immutable as $$ select json_build_object('colour', $1::text) $$
CREATE FUNCTION

> create cast (colour as json) with function colour_json(colour)
CREATE CAST

> select to_json('red'::colour), jsonb_build_object('a', 'red'::colour), json_agg('blue'::colour), to_jsonb(array['red'::colour]), row_to_json(r) from (select 'red'::colour as c) r group by r
to_json:json | jsonb_build_object:jsonb | json_agg:json | to_jsonb:jsonb | row_to_json:json
{"colour" : "red"} | {"a": {"colour": "red"}} | [{"colour" : "blue"}] | [{"colour": "red"}] | {"c":{"colour" : "red"}}
SELECT 1

> drop cast (colour as json)
DROP CAST

> drop function colour_json
DROP FUNCTION

# Definitions as they were written.

> create table defaults (f float default '1.5', s smallint default '-3', b bigint default '5', n numeric default '0', n2 numeric(10,2) default '1.50', i int default '-5', f4 float8 default 1.5, m numeric default 0, si smallint default 7, v varchar(64) default null, j int default null::int, k text default null::text, p numeric(5,2) default null)
CREATE TABLE

> select column_name, column_default from information_schema.columns where table_name = 'defaults' order by ordinal_position
column_name:name | column_default:varchar
f | '1.5'::double precision
s | '-3'::smallint
b | '5'::bigint
n | '0'::numeric
n2 | 1.50
i | '-5'::integer
f4 | 1.5
m | 0
si | 7
v | NULL::character varying
j | NULL
k | NULL
p | NULL::numeric
SELECT 13

> insert into defaults default values returning *
f:float8 | s:int2 | b:int8 | n:numeric | n2:numeric | i:int4 | f4:float8 | m:numeric | si:int2 | v:varchar | j:int4 | k:text | p:numeric
1.5 | -3 | 5 | 0 | 1.50 | -5 | 1.5 | 0 | 7 | NULL | NULL | NULL | NULL
INSERT 0 1

> create table own_sequence (id bigserial primary key, other bigint default nextval('own_sequence_id_seq'))
CREATE TABLE

> create sequence late
CREATE SEQUENCE

> create table later (id int default nextval('late'::text), b int)
CREATE TABLE

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'later'::regclass
pg_get_expr:text
nextval(('late'::text)::regclass)
SELECT 1

> drop sequence late
DROP SEQUENCE

> create sequence late start 50
CREATE SEQUENCE

> insert into later (b) values (3) returning id
id:int4
50
INSERT 0 1

> create table source (tx text, n int constraint positive check (n > 0))
CREATE TABLE

> alter table source add constraint small check (n < 10) not valid
ALTER TABLE

> create index on source (lower(tx))
CREATE INDEX

> create table copied (like source including all)
CREATE TABLE

> select indexname from pg_indexes where tablename = 'copied'
indexname:name
copied_lower_idx
SELECT 1

> select conname, convalidated from pg_constraint where conrelid = 'copied'::regclass order by 1
conname:name | convalidated:bool
positive | t
small | t
SELECT 2

> select a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relname = 'source_lower_idx'
attname:name
lower
SELECT 1

> create type pair as (a int, b text)
CREATE TYPE

> create function paired() returns pair language plpgsql as 'declare r pair%rowtype; begin r.a := 1; r.b := ''x''; return r; end'
CREATE FUNCTION

> select * from paired()
a:int4 | b:text
1 | x
SELECT 1

> drop function paired
DROP FUNCTION

> drop view shown
DROP VIEW

> drop table keyed, defaults, own_sequence, later, source, copied
DROP TABLE

> drop sequence late
DROP SEQUENCE

> drop type pair, colour
DROP TYPE

# A VARIADIC argument is an array to names of functions; an index over a call whose name is quoted.

> create function spread(variadic a int[]) returns int language sql as 'select 1'
CREATE FUNCTION

> select oid::regprocedure, proargtypes::regtype[], provariadic::regtype from pg_proc where proname in ('spread', 'jsonb_extract_path', 'concat', 'num_nulls') order by oid::regprocedure::text
oid:regprocedure | proargtypes:_regtype | provariadic:regtype
concat("any") | [0:0]={"\"any\""} | "any"
jsonb_extract_path(jsonb,text[]) | [0:1]={jsonb,text[]} | text
num_nulls("any") | [0:0]={"\"any\""} | "any"
spread(integer[]) | [0:0]={integer[]} | integer
SELECT 4

> select 'spread(int[])'::regprocedure, to_regprocedure('spread(int)'), has_function_privilege('spread(int[])', 'execute')
regprocedure:regprocedure | to_regprocedure:regprocedure | has_function_privilege:bool
spread(integer[]) | NULL | t
SELECT 1

> create table quoted (s text)
CREATE TABLE

> create index quoted_left on quoted ("left"(s, 2))
CREATE INDEX

> create index quoted_more on quoted ((s || 'x'))
CREATE INDEX

> select indexdef from pg_indexes where tablename = 'quoted' order by 1
indexdef:text
CREATE INDEX quoted_left ON public.quoted USING btree ("left"(s, 2))
CREATE INDEX quoted_more ON public.quoted USING btree (((s || 'x'::text)))
SELECT 2

> drop table quoted
DROP TABLE

> drop function spread
DROP FUNCTION
