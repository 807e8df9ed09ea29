# CREATE EXTENSION, and what the extensions that are built in have.

> create extension nope
ERROR 0A000: extension "nope" is not available
DETAIL: Could not open extension control file "/usr/share/postgresql/15/extension/nope.control": No such file or directory.
HINT: The extension must first be installed on the system where PostgreSQL is running.

> create extension if not exists nope
ERROR 0A000: extension "nope" is not available
DETAIL: Could not open extension control file "/usr/share/postgresql/15/extension/nope.control": No such file or directory.
HINT: The extension must first be installed on the system where PostgreSQL is running.

> create extension citext
CREATE EXTENSION

> create extension citext
ERROR 42710: extension "citext" already exists

> create extension if not exists citext
NOTICE 42710: extension "citext" already exists, skipping
CREATE EXTENSION

> select extname, extversion, extrelocatable, extnamespace::regnamespace from pg_extension order by 1
extname:name | extversion:text | extrelocatable:bool | extnamespace:regnamespace
citext | 1.6 | t | public
plpgsql | 1.0 | f | pg_catalog
SELECT 2

> select name, default_version, installed_version, comment from pg_available_extensions where name in ('citext', 'hstore', 'plpgsql') order by 1
name:name | default_version:text | installed_version:text | comment:text
citext | 1.6 | 1.6 | data type for case-insensitive character strings
hstore | 1.8 | NULL | data type for storing sets of (key, value) pairs
plpgsql | 1.0 | 1.0 | PL/pgSQL procedural language
SELECT 3

> select typname, typcategory, typnamespace::regnamespace, typarray <> 0 as has_array from pg_type where typname = 'citext'
typname:name | typcategory:char | typnamespace:regnamespace | has_array:bool
citext | S | public | t
SELECT 1

> select 'a'::citext = 'A'::citext, 'a'::citext = 'A', 'a'::citext <> 'b', 'a'::citext < 'B'::citext, 'a'::citext > 'B'::citext, 'a'::citext = 'A'::text, 'aBc'::citext::text, 'ABC'::text::citext, 'é'::citext = 'É'
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | text:text | citext:user | ?column?:bool
t | t | t | t | f | f | aBc | ABC | t
SELECT 1

> create table c (id int primary key, name citext unique, d citext default 'X', check (name <> 'root'))
CREATE TABLE

> insert into c values (1, 'Joe'), (2, 'anna'), (3, 'Zoe')
INSERT 0 3

> insert into c values (4, 'JOE')
ERROR 23505: duplicate key value violates unique constraint "c_name_key"
DETAIL: Key (name)=(JOE) already exists.

> insert into c values (4, 'ROOT')
ERROR 23514: new row for relation "c" violates check constraint "c_name_check"
DETAIL: Failing row contains (4, ROOT, X).

> select * from c order by name
id:int4 | name:user | d:user
2 | anna | X
1 | Joe | X
3 | Zoe | X
SELECT 3

> select id from c where name = 'joe'
id:int4
1
SELECT 1

> select id from c where name in ('JOE', 'ANNA') order by id
id:int4
1
2
SELECT 2

> select id from c where name like 'J%' order by id
id:int4
1
SELECT 1

> select id from c where name like 'j%' order by id
id:int4
1
SELECT 1

> select id from c where name ~ '^z' or name !~ 'A' order by id
id:int4
1
3
SELECT 2

> select name || '!', upper(name), lower(name), length(name), pg_typeof(name || 'x'), pg_typeof(name) from c order by id
?column?:text | upper:text | lower:text | length:int4 | pg_typeof:regtype | pg_typeof:regtype
Joe! | JOE | joe | 3 | text | citext
anna! | ANNA | anna | 4 | text | citext
Zoe! | ZOE | zoe | 3 | text | citext
SELECT 3

> select min(name), max(name), count(distinct name) from c
min:user | max:user | count:int8
anna | Zoe | 3
SELECT 1

> select replace(name, 'O', '0'), strpos(name, 'O'), split_part(name, 'O', 1), translate(name, 'Oo', '01'), regexp_replace(name, 'O', 'x'), regexp_match(name, 'O(.)') from c order by id
replace:text | strpos:int4 | split_part:text | translate:text | regexp_replace:text | regexp_match:_text
J0e | 2 | J | J0e | Jxe | {e}
anna | 0 | anna | anna | anna | NULL
Z0e | 2 | Z | Z0e | Zxe | {e}
SELECT 3

> select distinct name from (values ('a'::citext), ('A'), ('b')) v(name) order by 1
name:user
a
b
SELECT 2

> select name, count(*) from (values ('a'::citext), ('A'), ('b')) v(name) group by name order by name
name:user | count:int8
a | 2
b | 1
SELECT 2

> select array['a'::citext, 'B'], '{a,B}'::citext[], 'A' = any ('{a,B}'::citext[])
array:user | citext:user | ?column?:bool
{a,B} | {a,B} | t
SELECT 1

> insert into c values (1, 'x') on conflict (id) do update set name = excluded.name returning name, d
name:user | d:user
x | X
INSERT 0 1

> insert into c values (9, 'ANNA') on conflict (name) do nothing
INSERT 0 0

> create index on c (lower(name), name desc)
CREATE INDEX

> select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'c'::regclass order by 1
pg_get_constraintdef:text
CHECK ((name <> 'root'::citext))
PRIMARY KEY (id)
UNIQUE (name)
SELECT 3

> select column_default from information_schema.columns where table_name = 'c' and column_name = 'd'
column_default:varchar
'X'::citext
SELECT 1

> drop extension citext
ERROR 2BP01: cannot drop extension citext because other objects depend on it
DETAIL: column d of table c depends on type citext\ncolumn name of table c depends on type citext
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> comment on extension citext is 'mine'
COMMENT

> select obj_description(oid, 'pg_extension') from pg_extension where extname = 'citext'
obj_description:text
mine
SELECT 1

> create schema s
CREATE SCHEMA

> drop extension if exists nope
NOTICE 00000: extension "nope" does not exist, skipping
DROP EXTENSION

> drop extension nope
ERROR 42704: extension "nope" does not exist

> alter extension citext update
NOTICE 00000: version "1.6" of extension "citext" is already installed
ALTER EXTENSION

> alter extension citext update to '9'
ERROR 22023: extension "citext" has no update path from version "1.6" to version "9"

> create extension hstore with schema s
CREATE EXTENSION

> select 'a=>1'::hstore
ERROR 42704: type "hstore" does not exist

> select 'a=>1'::s.hstore
hstore:user
"a"=>"1"
SELECT 1

> set search_path = public, s
SET

> select 'a=>1,b=>2'::hstore, 'a=>,b=>2'::hstore, 'a=>NuLL, b=>"null", "c d"=>"e\"f"'::hstore, ''::hstore, ' a => b '::hstore, '"a=b"=>"c,d"'::hstore, 'bb=>1,a=>2,c=>3'::hstore
hstore:user | hstore:user | hstore:user | hstore:user | hstore:user | hstore:user | hstore:user
"a"=>"1", "b"=>"2" | "a"=>",b=>2" | "a"=>NULL, "b"=>"null", "c d"=>"e\"f" |  | "a"=>"b" | "a=b"=>"c,d" | "a"=>"2", "c"=>"3", "bb"=>"1"
SELECT 1

> select 'a'::hstore
ERROR XX000: Unexpected end of string

> select 'a=>'::hstore
ERROR XX000: Unexpected end of string

> select 'a=>1 b'::hstore
ERROR XX000: Syntax error near "b" at position 5

> select '=>1'::hstore
ERROR XX000: Syntax error near "=" at position 0

> select 'aa=>b, c=>d , b=>16'::hstore -> 'c', 'a=>b'::hstore -> 'x', 'a=>b,c=>d'::hstore -> array['c', 'x', 'a'], 'a=>NULL'::hstore ? 'a', 'a=>NULL'::hstore ? 'b', defined('a=>NULL', 'a'), exist('a=>1', 'a'), 'a=>1,b=>2'::hstore ?| array['b', 'c'], 'a=>1,b=>2'::hstore ?& array['b', 'c']
?column?:text | ?column?:text | ?column?:_text | ?column?:bool | ?column?:bool | defined:bool | exist:bool | ?column?:bool | ?column?:bool
d | NULL | {d,NULL,b} | t | f | f | t | t | f
SELECT 1

> select 'a=>1,b=>2'::hstore || 'b=>3,c=>4', 'a=>1,b=>2'::hstore - 'a'::text, 'a=>1,b=>2,c=>3'::hstore - array['a', 'c'], 'a=>1,b=>2'::hstore - 'a=>1,b=>3'::hstore, 'a=>1,b=>2'::hstore @> 'b=>2', 'b=>2'::hstore <@ 'a=>1,b=>2', %% 'a=>1,b=>NULL'::hstore, %# 'a=>1,b=>2'::hstore
?column?:user | ?column?:user | ?column?:user | ?column?:user | ?column?:bool | ?column?:bool | ?column?:_text | ?column?:_text
"a"=>"1", "b"=>"3", "c"=>"4" | "b"=>"2" | "b"=>"2" | "b"=>"2" | t | t | {a,1,b,NULL} | {{a,1},{b,2}}
SELECT 1

> select hstore('a', 'b'), hstore('a', null), hstore(null, 'b'), hstore(array['a', '1', 'b', '2']), hstore(array[['a', '1'], ['b', null]]), hstore(array['a', 'b'], array['1', null]), slice('a=>1,b=>2,c=>3', array['a', 'c', 'x']), slice_array('a=>1', array['a', 'b'])
hstore:user | hstore:user | hstore:user | hstore:user | hstore:user | hstore:user | slice:user | slice_array:_text
"a"=>"b" | "a"=>NULL | NULL | "a"=>"1", "b"=>"2" | "a"=>"1", "b"=>NULL | "a"=>"1", "b"=>NULL | "a"=>"1", "c"=>"3" | {1,NULL}
SELECT 1

> select hstore(array['a'])
ERROR 2202E: array must have even number of elements

> select hstore(array[null, 'a'])
ERROR 22004: null value not allowed for hstore key

> select hstore(array['a', 'b'], array['c'])
ERROR 2202E: arrays must have same bounds

> select akeys('aa=>1, b=>2'), avals('aa=>1, b=>NULL'), hstore_to_json('a=>1, b=>t, c=>null, d=>"x\"y"'), hstore_to_json_loose('a=>1, b=>t, c=>null, d=>1.5e3, e=>012'), hstore_to_jsonb('a=>1'), 'a=>1'::hstore::json, 'a=>1'::hstore::jsonb, hstore_to_jsonb_loose('a=>1, b=>f')
akeys:_text | avals:_text | hstore_to_json:json | hstore_to_json_loose:json | hstore_to_jsonb:jsonb | json:json | jsonb:jsonb | hstore_to_jsonb_loose:jsonb
{b,aa} | {NULL,1} | {"a": "1", "b": "t", "c": null, "d": "x\"y"} | {"a": 1, "b": true, "c": null, "d": 1.5e3, "e": "012"} | {"a": "1"} | {"a": "1"} | {"a": "1"} | {"a": 1, "b": false}
SELECT 1

> select * from each('aaa=>bq, b=>NULL, ""=>1')
key:text | value:text
 | 1
b | NULL
aaa | bq
SELECT 3

> select skeys('a=>1, b=>2')
skeys:text
a
b
SELECT 2

> select svals('a=>1, b=>NULL')
svals:text
1
NULL
SELECT 2

> create table h (id int, v hstore)
CREATE TABLE

> insert into h values (1, 'a=>1, b=>2'), (2, 'a=>2'), (3, ''), (4, null), (5, 'b=>2,a=>1')
INSERT 0 5

> select v, count(*) from h group by v order by 2 desc, v
v:user | count:int8
"a"=>"1", "b"=>"2" | 2
 | 1
"a"=>"2" | 1
NULL | 1
SELECT 4

> select id from h where v @> 'a=>1' order by id
id:int4
1
5
SELECT 2

> select id, v from h order by v, id
id:int4 | v:user
3 | 
1 | "a"=>"1", "b"=>"2"
5 | "a"=>"1", "b"=>"2"
2 | "a"=>"2"
4 | NULL
SELECT 5

> update h set v = v || hstore('z', id::text) where id = 2 returning *
id:int4 | v:user
2 | "a"=>"2", "z"=>"2"
UPDATE 1

> create index on h (v)
CREATE INDEX

> select id from h where v = 'a=>1,b=>2' order by id
id:int4
1
5
SELECT 2

> select 'a=>1'::hstore = 'a=>1', 'a=>1'::hstore <> 'a=>2', array['a=>1'::hstore]
?column?:bool | ?column?:bool | array:user
t | t | {"\"a\"=>\"1\""}
SELECT 1

> drop extension hstore cascade
NOTICE 00000: drop cascades to column v of table h
DROP EXTENSION

> select column_name from information_schema.columns where table_name = 'h'
column_name:name
id
SELECT 1

> create extension pg_trgm
CREATE EXTENSION

> select similarity('wow', 'WOWa '), similarity('wow', ' WOW '), show_trgm('foo bar'), show_trgm('a1 ''b'), word_similarity('word', 'two words'), strict_word_similarity('word', 'two words'), strict_word_similarity('word', 'words'), word_similarity('Kabankala', 'Kabankal City Hall'), similarity('', 'a'), similarity('abc', 'xyz'), strict_word_similarity('ab cd', 'xx ab cd yy')
similarity:float4 | similarity:float4 | show_trgm:_text | show_trgm:_text | word_similarity:float4 | strict_word_similarity:float4 | strict_word_similarity:float4 | word_similarity:float4 | similarity:float4 | similarity:float4 | strict_word_similarity:float4
0.5 | 1 | {"  b","  f"," ba"," fo","ar ",bar,foo,"oo "} | {"  a","  b"," a1"," b ","a1 "} | 0.8 | 0.5714286 | 0.5714286 | 0.8 | 0 | 0 | 1
SELECT 1

> select 'word' % 'words', 'word' <% 'two words', 'two words' %> 'word', 'word' <<% 'two words', 'two words' %>> 'word', 'word' <-> 'two words', 'word' <<-> 'two words', 'two words' <->> 'word', 'word' <<<-> 'two words', show_limit()
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:float4 | ?column?:float4 | ?column?:float4 | ?column?:float4 | show_limit:float4
t | t | t | t | t | 0.6363636 | 0.19999999 | 0.19999999 | 0.4285714 | 0.3
SELECT 1

> select set_limit(0.9), 'word' % 'words'
set_limit:float4 | ?column?:bool
0.9 | f
SELECT 1

> select show_trgm('é'), similarity('naïve', 'naive')
show_trgm:_text | similarity:float4
{0xe69b54,0xe82c48} | 0.33333334
SELECT 1

> create extension fuzzystrmatch
CREATE EXTENSION

> select soundex('hello world!'), soundex('Anne'), soundex('Ann'), difference('Anne', 'Ann'), difference('Anne', 'Andrew'), difference('Anne', 'Margaret'), soundex(''), levenshtein('GUMBO', 'GAMBOL'), levenshtein('GUMBO', 'GAMBOL', 2, 1, 1), levenshtein_less_equal('extensive', 'exhaustive', 2), levenshtein_less_equal('extensive', 'exhaustive', 4), levenshtein('', 'abc'), levenshtein('é', 'e')
soundex:text | soundex:text | soundex:text | difference:int4 | difference:int4 | difference:int4 | soundex:text | levenshtein:int4 | levenshtein:int4 | levenshtein_less_equal:int4 | levenshtein_less_equal:int4 | levenshtein:int4 | levenshtein:int4
H464 | A500 | A500 | 4 | 2 | 0 |  | 2 | 3 | 3 | 4 | 3 | 1
SELECT 1

> select levenshtein(repeat('a', 256), 'b')
ERROR 22023: levenshtein argument exceeds maximum length of 255 characters

> create extension unaccent
CREATE EXTENSION

> select unaccent('foobar'), unaccent('ёлка'), unaccent('ЁЖИК'), unaccent('˃˖˗˜'), unaccent('À ß Ø æ ﬁ ½ № ℃'), unaccent('Hôtel de la Gare')
unaccent:text | unaccent:text | unaccent:text | unaccent:text | unaccent:text | unaccent:text
foobar | елка | ЕЖИК | >+-~ | A ss O ae fi 1/2 No °C | Hotel de la Gare
SELECT 1

> create extension "uuid-ossp"
CREATE EXTENSION

> select uuid_generate_v3(uuid_ns_dns(), 'example.org'), uuid_generate_v5(uuid_ns_url(), 'x'), length(uuid_generate_v4()::text), uuid_nil()
uuid_generate_v3:uuid | uuid_generate_v5:uuid | length:int4 | uuid_nil:uuid
04738bdf-b25a-3829-a801-b21a1d25095b | 4cd605e7-afa2-5360-b5b9-c5e9fb5c76f4 | 36 | 00000000-0000-0000-0000-000000000000
SELECT 1

> create extension pgcrypto schema public version '1.3'
CREATE EXTENSION

> create extension hstore version '9.9'
ERROR 22023: extension "hstore" has no installation script nor update path for version "9.9"

> create extension hstore schema nope
ERROR 3F000: schema "nope" does not exist

> create extension hstore schema public schema public
ERROR 42601: conflicting or redundant options

> drop extension citext, pg_trgm
ERROR 2BP01: cannot drop desired object(s) because other objects depend on them
DETAIL: column d of table c depends on type citext\ncolumn name of table c depends on type citext
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop extension citext, pg_trgm cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to column d of table c\ndrop cascades to column name of table c
DROP EXTENSION

> select extname from pg_extension order by 1
extname:name
fuzzystrmatch
pgcrypto
plpgsql
unaccent
uuid-ossp
SELECT 5

> select * from c order by id
id:int4
1
2
3
SELECT 3

> select 'a'::citext
ERROR 42704: type "citext" does not exist

> select similarity('a', 'b')
ERROR 42883: function similarity(unknown, unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select show_limit()
ERROR 42883: function show_limit() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> begin
BEGIN

> create extension citext
CREATE EXTENSION

> select 'A'::citext = 'a'
?column?:bool
t
SELECT 1

> rollback
ROLLBACK

> select 'A'::citext
ERROR 42704: type "citext" does not exist
