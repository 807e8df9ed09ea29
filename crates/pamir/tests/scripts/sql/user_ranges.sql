# CREATE TYPE AS RANGE.

> create type floatrange as range (subtype = float8, subtype_diff = float8mi)
CREATE TYPE

> create type textrange as range (subtype = text)
CREATE TYPE

> create type r3 as range (subtype = timetz, multirange_type_name = r3multi)
CREATE TYPE

> create type plain as range (subtype = int2)
CREATE TYPE

> select typname, typtype, typcategory, typlen, typalign, typstorage from pg_type where typname in ('floatrange', 'floatmultirange', 'textrange', 'textmultirange', 'r3', 'r3multi', 'plain', 'plain_multirange', '_floatrange') order by 1
typname:name | typtype:char | typcategory:char | typlen:int2 | typalign:char | typstorage:char
_floatrange | b | A | -1 | d | x
floatmultirange | m | R | -1 | d | x
floatrange | r | R | -1 | d | x
plain | r | R | -1 | i | x
plain_multirange | m | R | -1 | i | x
r3 | r | R | -1 | d | x
r3multi | m | R | -1 | d | x
textmultirange | m | R | -1 | i | x
textrange | r | R | -1 | i | x
SELECT 9

> select rngtypid::regtype, rngsubtype::regtype, rngmultitypid::regtype, rngsubdiff, rngcanonical, rngcollation, (select opcname from pg_opclass o where o.oid = rngsubopc) from pg_range where rngtypid::regtype::text in ('floatrange', 'textrange', 'r3', 'plain') order by 1::text
rngtypid:regtype | rngsubtype:regtype | rngmultitypid:regtype | rngsubdiff:regproc | rngcanonical:regproc | rngcollation:oid | opcname:name
floatrange | double precision | floatmultirange | float8mi | - | 0 | float8_ops
textrange | text | textmultirange | - | - | 100 | text_ops
r3 | time with time zone | r3multi | - | - | 0 | timetz_ops
plain | smallint | plain_multirange | - | - | 0 | int2_ops
SELECT 4

> create type floatrange as range (subtype = float8)
ERROR 42710: type "floatrange" already exists

> create type x1 as range (subtype = float8, subtype = float8)
ERROR 42601: conflicting or redundant options

> create type x1 as range ()
ERROR 42601: syntax error at or near ")"

> create type x1 as range (subtype = nosuch)
ERROR 42704: type "nosuch" does not exist

> create type x1 as range (subtype = json)
ERROR 42704: data type json has no default operator class for access method "btree"
HINT: You must specify an operator class for the range type or define a default operator class for the subtype.

> create type x1 as range (subtype = anyelement)
ERROR 42804: range subtype cannot be anyelement

> create type x1 as range (subtype = float8, nosuch = 1)
ERROR 42601: type attribute "nosuch" not recognized

> create type x1 as range (subtype = float8, subtype_diff = nosuch)
ERROR 42883: function nosuch(double precision, double precision) does not exist

> create type x1 as range (subtype = float8, subtype_diff = float8eq)
ERROR 42P17: range subtype diff function float8eq(double precision, double precision) must return type double precision

> create type x1 as range (subtype = float8, canonical = x)
ERROR 42P17: cannot specify a canonical function without a pre-created shell type
HINT: Create the type as a shell type, then create its canonicalization function, then do a full CREATE TYPE.

> create type x1 as range (subtype = float8, multirange_type_name = floatmultirange)
ERROR 42710: type "floatmultirange" already exists

> create type floatmultirange as enum ('a')
ERROR 42710: type "floatmultirange" already exists

> create type float_range2 as range (subtype = float8, multirange_type_name = plain)
ERROR 42710: type "plain" already exists

> select floatrange(1, 2), floatrange(1.5, 2.5, '[]'), floatrange(null, 3), '[1,2)'::floatrange, 'empty'::floatrange, floatrange(1, 1)
floatrange:user | floatrange:user | floatrange:user | floatrange:user | floatrange:user | floatrange:user
[1,2) | [1.5,2.5] | (,3) | [1,2) | empty | empty
SELECT 1

> select floatrange(2, 1)
ERROR 22000: range lower bound must be less than or equal to range upper bound

> select floatrange(1)
ERROR 42883: function floatrange(integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select floatrange('a', 'b')
ERROR 22P02: invalid input syntax for type double precision: "a"

> select floatrange(1, 2, 'x')
ERROR 42601: invalid range bound flags
HINT: Valid values are "[]", "[)", "(]", and "()".

> select '[b,a]'::textrange
ERROR 22000: range lower bound must be less than or equal to range upper bound

> select '[a,b)'::textrange, textrange('a', 'c', '(]'), '["a b","c,d")'::textrange
textrange:user | textrange:user | textrange:user
[a,b) | (a,c] | ["a b","c,d")
SELECT 1

> select plain(1::int2, 3::int2), '[1,3]'::plain
plain:user | plain:user
[1,3) | [1,3]
SELECT 1

> select '[12:00+00,13:00+01)'::r3
ERROR 22000: range lower bound must be less than or equal to range upper bound

> select pg_typeof(floatrange(1, 2)), pg_typeof('{[1,2)}'::floatmultirange), pg_typeof(array[floatrange(1, 2)])
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
floatrange | floatmultirange | floatrange[]
SELECT 1

> select lower(r), upper(r), isempty(r), lower_inc(r), upper_inf(r), pg_typeof(lower(r)) from (values ('[1.5,)'::floatrange), ('(2,3]')) v(r)
lower:float8 | upper:float8 | isempty:bool | lower_inc:bool | upper_inf:bool | pg_typeof:regtype
1.5 | NULL | f | t | t | double precision
2 | 3 | f | f | f | double precision
SELECT 2

> select floatrange(1, 5) @> 2::float8, floatrange(1, 5) @> 2, floatrange(1, 5) @> floatrange(2, 3), 2.5::float8 <@ floatrange(1, 5), floatrange(1, 5) && floatrange(4, 8), floatrange(1, 5) << floatrange(6, 7), floatrange(1, 5) -|- floatrange(5, 6)
ERROR 42883: operator does not exist: floatrange @> integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select floatrange(1, 5) + floatrange(4, 8), floatrange(1, 5) * floatrange(4, 8), floatrange(1, 5) - floatrange(4, 8)
?column?:user | ?column?:user | ?column?:user
[1,8) | [4,5) | [1,4)
SELECT 1

> select floatrange(1, 5) + floatrange(6, 8)
ERROR 22000: result of range union would not be contiguous

> select floatrange(1, 5) = '[1,5)', floatrange(1, 5) < floatrange(1, 6), floatrange(1, 5) <> numrange(1, 5)
ERROR 42883: operator does not exist: floatrange <> numrange
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select range_merge(floatrange(1, 2), floatrange(5, 6))
range_merge:user
[1,6)
SELECT 1

> select floatmultirange(floatrange(1, 2), floatrange(3, 4)), floatmultirange(), '{[1,2),[1.5,3)}'::floatmultirange, multirange(floatrange(1, 2)), floatrange(1, 2)::floatmultirange
floatmultirange:user | floatmultirange:user | floatmultirange:user | multirange:user | floatrange:user
{[1,2),[3,4)} | {} | {[1,3)} | {[1,2)} | {[1,2)}
SELECT 1

> select unnest('{[1,2),[3,4)}'::floatmultirange)
unnest:user
[1,2)
[3,4)
SELECT 2

> select range_agg(r), range_intersect_agg(r) from (values (floatrange(1, 3)), (floatrange(2, 5))) v(r)
range_agg:user | range_intersect_agg:user
{[1,5)} | [2,3)
SELECT 1

> select '{[1,2),[3,4)}'::floatmultirange - floatmultirange(floatrange(1.5, 3.5)), '{[1,2)}'::floatmultirange @> 1.5::float8, range_merge('{[1,2),[3,4)}'::floatmultirange)
?column?:user | ?column?:bool | range_merge:user
{[1,1.5),[3.5,4)} | t | [1,4)
SELECT 1

> create table fr(id int primary key, r floatrange, m floatmultirange, a floatrange[])
CREATE TABLE

> insert into fr values (1, '[1,2)', '{[1,2),[5,6)}', '{"[1,2)","[3,4)"}'), (2, floatrange(0.5, 9), floatmultirange(floatrange(1, 2)), null), (3, 'empty', '{}', '{}'), (4, null, null, null)
INSERT 0 4

> select * from fr order by id
id:int4 | r:user | m:user | a:user
1 | [1,2) | {[1,2),[5,6)} | {"[1,2)","[3,4)"}
2 | [0.5,9) | {[1,2)} | NULL
3 | empty | {} | {}
4 | NULL | NULL | NULL
SELECT 4

> select id from fr order by r nulls first
id:int4
4
3
2
1
SELECT 4

> select r, count(*) from fr group by r order by r
r:user | count:int8
empty | 1
[0.5,9) | 1
[1,2) | 1
NULL | 1
SELECT 4

> create unique index on fr(r)
CREATE INDEX

> insert into fr(id, r) values (5, '[1,2)')
ERROR 23505: duplicate key value violates unique constraint "fr_r_idx"
DETAIL: Key (r)=([1,2)) already exists.

> select id from fr where r = '[1,2)'
id:int4
1
SELECT 1

> select id from fr where r @> 1.5::float8 order by id
id:int4
1
2
SELECT 2

> select id from fr where r && '[1,1.5]' order by id
id:int4
1
2
SELECT 2

> update fr set r = r + floatrange(2, 4) where id = 1 returning r
r:user
[1,4)
UPDATE 1

> select max(upper(r)), count(distinct m) from fr
max:float8 | count:int8
9 | 3
SELECT 1

> select to_jsonb(r), r::text, '[7,8)'::text::floatrange from fr where id = 1
to_jsonb:jsonb | r:text | floatrange:user
"[1,4)" | [1,4) | [7,8)
SELECT 1

> alter table fr add check (not isempty(r)) not valid
ALTER TABLE

> alter table fr add column s floatrange default floatrange(1, 2), add check (s <@ floatrange(0, 10))
ALTER TABLE

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'fr'::regclass and contype = 'c' order by 1
pg_get_constraintdef:text
CHECK ((NOT isempty(r))) NOT VALID
CHECK ((s <@ floatrange((0)::double precision, (10)::double precision)))
SELECT 2

> select column_name, data_type, udt_name from information_schema.columns where table_name = 'fr' order by ordinal_position
column_name:name | data_type:varchar | udt_name:name
id | integer | int4
r | USER-DEFINED | floatrange
m | USER-DEFINED | floatmultirange
a | ARRAY | _floatrange
s | USER-DEFINED | floatrange
SELECT 5

> insert into fr(id, s) values (6, '[0,11)')
ERROR 23514: new row for relation "fr" violates check constraint "fr_s_check"
DETAIL: Failing row contains (6, null, null, null, [0,11)).

> create function span(r floatrange) returns float8 language sql as $$ select upper(r) - lower(r) $$
CREATE FUNCTION

> select span(floatrange(1, 4)), span('[0,10)')
span:float8 | span:float8
3 | 10
SELECT 1

> drop function span
DROP FUNCTION

> drop type floatmultirange
ERROR 2BP01: cannot drop type floatmultirange because type floatrange requires it
HINT: You can drop type floatrange instead.

> drop type floatrange
ERROR 2BP01: cannot drop type floatrange because other objects depend on it
DETAIL: column a of table fr depends on type floatrange[]\ncolumn m of table fr depends on type floatmultirange\ncolumn s of table fr depends on type floatrange\ncolumn r of table fr depends on type floatrange
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter type floatrange rename to fltr
ALTER TYPE

> select * from fr order by id
id:int4 | r:user | m:user | a:user | s:user
1 | [1,4) | {[1,2),[5,6)} | {"[1,2)","[3,4)"} | [1,2)
2 | [0.5,9) | {[1,2)} | NULL | [1,2)
3 | empty | {} | {} | [1,2)
4 | NULL | NULL | NULL | [1,2)
SELECT 4

> drop type fltr cascade
NOTICE 00000: drop cascades to 4 other objects
DETAIL: drop cascades to column a of table fr\ndrop cascades to column m of table fr\ndrop cascades to column s of table fr\ndrop cascades to column r of table fr
DROP TYPE

> select * from fr order by id
id:int4
1
2
3
4
SELECT 4

> drop table fr
DROP TABLE

> drop type textrange, r3, plain
DROP TYPE

> select typname from pg_type where typname like '%multi%' and oid > 16384
typname:name
SELECT 0
