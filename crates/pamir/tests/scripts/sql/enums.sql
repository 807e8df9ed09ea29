# Enums: values, order, functions, ALTER TYPE, what depends on them.
> create type mood as enum ('sad','ok','happy')
CREATE TYPE

> create table t(id int primary key, m mood, ms mood[])
CREATE TABLE

> insert into t values (1,'happy','{sad,happy}'),(2,'sad',array['ok']::mood[]),(3,'ok',null)
INSERT 0 3

> select * from t order by m
id:int4 | m:user | ms:user
2 | sad | {ok}
3 | ok | NULL
1 | happy | {sad,happy}
SELECT 3

> select * from t where m > 'sad' order by m desc
id:int4 | m:user | ms:user
1 | happy | {sad,happy}
3 | ok | NULL
SELECT 2

> select m, count(*) from t group by m order by 1
m:user | count:int8
sad | 1
ok | 1
happy | 1
SELECT 3

> select max(m), min(m) from t
max:user | min:user
happy | sad
SELECT 1

> select 'bad'::mood
ERROR 22P02: invalid input value for enum mood: "bad"

> select m::text, m = 'ok' from t where id = 3
m:text | ?column?:bool
ok | t
SELECT 1

> select 'sad'::text::mood
mood:user
sad
SELECT 1

> select enum_range(null::mood), enum_first(null::mood), enum_last(null::mood), enum_range('ok'::mood, null)
enum_range:user | enum_first:user | enum_last:user | enum_range:user
{sad,ok,happy} | sad | happy | {ok,happy}
SELECT 1

> select 'sad'::mood::int
ERROR 42846: cannot cast type mood to integer

> select unnest(ms) from t order by id
unnest:user
sad
happy
ok
SELECT 3

> create index on t(m)
CREATE INDEX

> alter type mood add value 'meh' before 'ok'
ALTER TYPE

> alter type mood rename value 'sad' to 'blue'
ALTER TYPE

> select * from t order by m
id:int4 | m:user | ms:user
2 | blue | {ok}
3 | ok | NULL
1 | happy | {blue,happy}
SELECT 3

> select pg_typeof(m), format_type(pg_typeof(ms)::oid, null) from t limit 1
pg_typeof:regtype | format_type:text
mood | mood[]
SELECT 1

> drop type mood
ERROR 2BP01: cannot drop type mood because other objects depend on it
DETAIL: column ms of table t depends on type mood[]\ncolumn m of table t depends on type mood
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table t add column d mood default 'meh'
ALTER TABLE

> insert into t(id) values (9)
INSERT 0 1

> select * from t where id = 9
id:int4 | m:user | ms:user | d:user
9 | NULL | NULL | meh
SELECT 1

> alter type mood rename to feeling
ALTER TYPE

> create schema s
CREATE SCHEMA

> alter type feeling set schema s
ALTER TYPE

> insert into t(id) values (10)
INSERT 0 1

> select m || 'x' from t where id=1
?column?:text
happyx
SELECT 1

> select to_json(m), json_build_object('m', m), to_jsonb(t) from t where id = 1
to_json:json | json_build_object:json | to_jsonb:jsonb
"happy" | {"m" : "happy"} | {"d": "meh", "m": "happy", "id": 1, "ms": ["blue", "happy"]}
SELECT 1

> drop type s.feeling cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to column ms of table t\ndrop cascades to column d of table t\ndrop cascades to column m of table t
DROP TYPE

> select * from t where id=1
id:int4
1
SELECT 1

> create type hue as enum ('r', 'g', 'b');
CREATE TYPE

> create table hues (id int primary key, all_of hue[]);
CREATE TABLE

> insert into hues values (1, '{r,g}'), (2, '{b}');
INSERT 0 2

> select * from hues where 'r' = any(all_of);
id:int4 | all_of:user
1 | {r,g}
SELECT 1

> select * from hues where 'b'::hue = any(all_of);
id:int4 | all_of:user
2 | {b}
SELECT 1

> select * from hues where 'r' <> all(all_of) order by id;
id:int4 | all_of:user
2 | {b}
SELECT 1

> select '[1,2)' = any(array['[1,2)'::int4range]);
?column?:bool
t
SELECT 1
