# What calls take (VARIADIC, names), where subscripts may stand, where errors have no place, and what ends with a transaction.
> select format('%s, %s', variadic array['Hello','World']), concat(variadic array[1,2,3]), concat_ws(',', variadic null::int[])
format:text | concat:text | concat_ws:text
Hello, World | 123 | NULL
SELECT 1
> select concat_ws(',', variadic 10)
ERROR 42804: VARIADIC argument must be an array
> select json_build_object(variadic array['a', 'b']), jsonb_build_array(variadic '{1,2}'::int[])
json_build_object:json | jsonb_build_array:jsonb
{"a" : "b"} | [1, 2]
SELECT 1
> select jsonb_extract_path('{"a":{"b":7}}', variadic array['a','b']), num_nulls(variadic array[1,null,3]), num_nonnulls(variadic '{}'::int[])
jsonb_extract_path:jsonb | num_nulls:int4 | num_nonnulls:int4
7 | 1 | 0
SELECT 1
> select lower(variadic array['a'])
ERROR 42883: function lower(text[]) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> select concat(variadic array[1], 2)
ERROR 42601: syntax error at or near ","
> select array[1,2][1]
ERROR 42601: syntax error at or near "["
> select (array[1,2])[1], ('{1,2}'::int[])[2]
array:int4 | int4:int4
1 | 2
SELECT 1
> select regexp_match('ab', 'a(b)')[1]
ERROR 42601: syntax error at or near "["
> select array(select 1)[1]
ERROR 42601: syntax error at or near "["
> select '{1}'[1]
ERROR 42601: syntax error at or near "["
> create table tt (a int2, b varchar(3), n numeric(3,1), c char(2))
CREATE TABLE
> insert tt select 1
ERROR 42601: syntax error at or near "tt"
> insert into tt (a) values (100000)
ERROR 22003: smallint out of range
> insert into tt (a) values ('100000')
ERROR 22003: value "100000" is out of range for type smallint
> insert into tt (b) values ('abcd')
ERROR 22001: value too long for type character varying(3)
> insert into tt (n) values (1000), ('1000')
ERROR 22003: numeric field overflow
DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.
> insert into tt (n) values ('x')
ERROR 22P02: invalid input syntax for type numeric: "x"
> insert into tt (c) values ('abc')
ERROR 22001: value too long for type character(2)
> select make_interval(years := 2, days => 3)
make_interval:interval
2 years 3 days
SELECT 1
> select array(select array[i, i * 2] from generate_series(1, 3) i), array(select array[1] where false)
array:_int4 | array:_int4
{{1,2},{2,4},{3,6}} | {}
SELECT 1
> select trim_array('[5:8]={1,2,3,4}'::int[], 1)
trim_array:_int4
{1,2,3}
SELECT 1
> select string_agg(distinct b, ',' order by b) from tt
string_agg:text
NULL
SELECT 1
> select ('[1, "2", null]'::jsonb)['1'], ('{"1": 2}'::jsonb)[1], ('{"a": {"b": 1}}'::jsonb)['a']['b']
jsonb:jsonb | jsonb:jsonb | jsonb:jsonb
"2" | 2 | 1
SELECT 1
> select ('{}'::jsonb)[1.5]
ERROR 42804: subscript type numeric is not supported
HINT: jsonb subscript must be coercible to either integer or text.
> begin
BEGIN
> savepoint s
SAVEPOINT
> set transaction read only
SET
> rollback to s
ROLLBACK
> show transaction_read_only
transaction_read_only:text
off
SHOW
> release s
RELEASE
> show transaction_read_only
transaction_read_only:text
off
SHOW
> commit
COMMIT
> create sequence sq
CREATE SEQUENCE
> select nextval('sq')
nextval:int8
1
SELECT 1
> discard sequences
DISCARD SEQUENCES
> select lastval()
lastval:int8
ERROR 55000: lastval is not yet defined in this session
> select currval('sq')
currval:int8
ERROR 55000: currval of sequence "sq" is not yet defined in this session
> begin read only
BEGIN
> select setval('sq', 5)
setval:int8
ERROR 25006: cannot execute setval() in a read-only transaction
> rollback
ROLLBACK
> create table d1 (a int default (avg(1)))
ERROR 42803: aggregate functions are not allowed in DEFAULT expressions
> create table d2 (a int default (generate_series(1,3)))
ERROR 0A000: set-returning functions are not allowed in DEFAULT expressions
> create table d3 (a int generated always as (sum(1)) stored)
ERROR 42803: aggregate functions are not allowed in column generation expressions
> create table d4 (a int check (count(*) > 0))
ERROR 42803: aggregate functions are not allowed in check constraints
> copy (insert into tt (a) values (1)) to stdout
ERROR 0A000: COPY query must have a RETURNING clause
> copy (insert into tt (a) values (1) returning a) to stdout
1
COPY 1
> select 'foo' like all (array['f%', '%o']), 'foo' like any (array['x', '%o']), 'foo' not ilike all (array['F%'])
?column?:bool | ?column?:bool | ?column?:bool
t | t | f
SELECT 1
> begin read only
BEGIN
> rollback
ROLLBACK
> create table after_read_only (a int)
CREATE TABLE
> begin read only
BEGIN
> select 1/0
ERROR 22012: division by zero
> rollback
ROLLBACK
> drop table after_read_only
DROP TABLE
> begin
BEGIN
> set transaction read only
SET
> savepoint s
SAVEPOINT
> set transaction read write
ERROR 25001: cannot set transaction read-write mode inside a read-only transaction
> rollback
ROLLBACK
> select (array[array[1,2],array[3,4]])[2][1], '{1,2}'::int[] [1]
array:int4 | int4:_int4
3 | {1,2}
SELECT 1
> with insert as (select 1 as n) select n from insert
n:int4
1
SELECT 1
> select n as insert from (values (1)) v(n)
insert:int4
1
SELECT 1
> select format('%s', variadic array[true]), format('%s', variadic array[true]::text[]), format('x', variadic null::int[])
format:text | format:text | format:text
t | true | x
SELECT 1
> create table vf (a text default concat(variadic array['a', 'b']))
CREATE TABLE
> insert into vf default values returning a
a:text
ab
INSERT 0 1
> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'vf'::regclass
pg_get_expr:text
concat(VARIADIC ARRAY['a'::text, 'b'::text])
SELECT 1
