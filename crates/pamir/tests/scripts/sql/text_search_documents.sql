# Functions over documents and queries: ts_rewrite, ts_stat, ts_headline of JSON, the triggers that keep a document's vector.
> select ts_rewrite('a & b', 'a', 'c'), ts_rewrite('a & b & c', 'a & c', 'x | y'), ts_rewrite('a & (b | c) & d', 'c|b', 'z'), ts_rewrite('a <-> b', 'b', 'q & r'), ts_rewrite('a & a:B & c:*', 'a', 'z')
ts_rewrite:tsquery | ts_rewrite:tsquery | ts_rewrite:tsquery | ts_rewrite:tsquery | ts_rewrite:tsquery
'b' & 'c' | 'b' & ( 'y' | 'x' ) | 'a' & 'd' & 'z' | 'a' <-> ( 'q' & 'r' ) | 'c':* & 'z' & 'z'
SELECT 1

> select ts_rewrite('1 | 2 | 3 | 4 | 5 | 6', '2 | 5', '7 & 8'), ts_rewrite('!(a | b) & c', 'b | a', 'z'), ts_rewrite('a <2> b & c', 'a <2> b', 'z'), ts_rewrite('a <2> b & c', 'a <3> b', 'z')
ts_rewrite:tsquery | ts_rewrite:tsquery | ts_rewrite:tsquery | ts_rewrite:tsquery
'4' | '6' | '3' | '1' | '7' & '8' | 'c' & !'z' | 'c' & 'z' | 'c' & 'a' <2> 'b'
SELECT 1

> create table rw (id int, t tsquery, s tsquery)
CREATE TABLE

> insert into rw values (1, 'a', 'c'), (2, 'c & b', 'd'), (3, 'new & york', 'big & apple | nyc'), (6, null, 's'), (7, 't', null), (8, 'd & e & f', 'd')
INSERT 0 6

> select ts_rewrite('a & b', 'select t, s from rw order by id'), ts_rewrite('new & york & hotel & q', 'select t, s from rw order by id')
ts_rewrite:tsquery | ts_rewrite:tsquery
'b' & 'c' | 'q' & 'hotel' & ( 'nyc' | 'big' & 'apple' )
SELECT 1

> select ts_rewrite('d & e & f & (new & york | x)', 'select t, s from rw order by id')
ts_rewrite:tsquery
'd' & ( 'nyc' | 'x' | 'big' & 'apple' )
SELECT 1

> select ts_rewrite('a', 'select t from rw')
ts_rewrite:tsquery
ERROR 22023: ts_rewrite query must return two tsquery columns

> select ts_rewrite('a', 'select 1')
ts_rewrite:tsquery
ERROR 22023: ts_rewrite query must return two tsquery columns

> select ts_rewrite('bar & new & qq & foo & york', 'SELECT t, s FROM rw WHERE ''bar & new & qq & foo & york'' @> t')
ts_rewrite:tsquery
'foo' & 'bar' & 'qq' & ( 'nyc' | 'big' & 'apple' )
SELECT 1

> create table docs (id int, v tsvector)
CREATE TABLE

> insert into docs values (1, 'a:1A,3B b:2 c'), (2, 'a:5C'), (3, null), (4, 'zz')
INSERT 0 4

> select * from ts_stat('select v from docs') order by word
word:text | ndoc:int4 | nentry:int4
a | 2 | 3
b | 1 | 1
c | 1 | 1
zz | 1 | 1
SELECT 4

> select * from ts_stat('select v from docs', 'AB')
word:text | ndoc:int4 | nentry:int4
a | 1 | 2
SELECT 1

> select * from ts_stat('select v from docs', 'x') order by word
word:text | ndoc:int4 | nentry:int4
a | 2 | 3
b | 1 | 1
c | 1 | 1
zz | 1 | 1
SELECT 4

> select * from ts_stat('select id from docs')
word:text | ndoc:int4 | nentry:int4
ERROR 22023: ts_stat query must return one tsvector column

> select * from ts_stat('select v, v from docs')
word:text | ndoc:int4 | nentry:int4
ERROR 22023: ts_stat query must return one tsvector column

> select count(*) from docs where v @@ any ('{a,b & c}')
count:int8
2
SELECT 1

> create table m (id int, title text, body varchar, lang regconfig, n int, v tsvector)
CREATE TABLE

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', title, body)
CREATE TRIGGER

> insert into m values (1, 'the foxes', 'jumping over', 'simple', 1, null) returning v
v:tsvector
'fox':2 'jump':3
INSERT 0 1

> update m set n = 2 returning v
v:tsvector
'fox':2 'jump':3
UPDATE 1

> update m set v = 'zz' returning v
v:tsvector
'zz'
UPDATE 1

> update m set title = 'cats' returning v
v:tsvector
'cat':1 'jump':2
UPDATE 1

> select tgname, tgfoid::regproc, pg_get_triggerdef(oid) from pg_trigger
tgname:name | tgfoid:regproc | pg_get_triggerdef:text
tg | tsvector_update_trigger | CREATE TRIGGER tg BEFORE INSERT OR UPDATE ON public.m FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('v', 'pg_catalog.english', 'title', 'body')
SELECT 1

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute procedure tsvector_update_trigger_column('v', 'lang', 'title', 'body')
CREATE TRIGGER

> insert into m values (2, 'the foxes', null, 'simple', 1, null) returning v
v:tsvector
'foxes':2 'the':1
INSERT 0 1

> insert into m values (2, 'the foxes', null, null, 1, null)
ERROR 22004: configuration column "lang" must not be null

> update m set lang = 'english' where id = 2 returning v
v:tsvector
'foxes':2 'the':1
UPDATE 1

> update m set title = 'the dogs' where id = 2 returning v
v:tsvector
'dog':2
UPDATE 1

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(v, 'english', title, body)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR 22023: text search configuration name "english" must be schema-qualified

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.nosuch', title, body)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR 42704: text search configuration "pg_catalog.nosuch" does not exist

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.english')
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR XX000: tsvector_update_trigger: arguments must be tsvector_field, ts_config, text_field1, ...)

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(nn, 'pg_catalog.english', title)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR 42703: tsvector column "nn" does not exist

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(n, 'pg_catalog.english', title)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR 42804: column "n" is not of tsvector type

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', n)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR 42804: column "n" is not of a character type

> drop trigger tg on m
DROP TRIGGER

> create trigger tg after insert or update on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', title)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR XX000: tsvector_update_trigger: must be fired BEFORE event

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before insert or update on m for each statement execute function tsvector_update_trigger(v, 'pg_catalog.english', title)
CREATE TRIGGER

> insert into m values (3, 'a')
ERROR XX000: tsvector_update_trigger: must be fired for row

> drop trigger tg on m
DROP TRIGGER

> create trigger tg before delete on m for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', title)
CREATE TRIGGER

> delete from m
ERROR XX000: tsvector_update_trigger: must be fired for INSERT or UPDATE

> drop trigger tg on m
DROP TRIGGER

> select ts_headline('english', '{"a": "the foxes jump", "b": [1, true, null, "fox \" \u00e9"], "fox": {"c": "x"}}'::json, 'fox')
ts_headline:json
{"a":"the <b>foxes</b> jump","b":[1,true,null,"<b>fox</b> \" é"],"fox":{"c":"x"}}
SELECT 1

> select ts_headline('english', '{"a": "the foxes jump", "b": [1, true, null, "fox \" \u00e9"], "fox": {"c": "x"}}'::jsonb, 'fox', 'StartSel=<, StopSel=>')
ts_headline:jsonb
{"a": "the <foxes> jump", "b": [1, true, null, "<fox> \" é"], "fox": {"c": "x"}}
SELECT 1

> select ts_headline('{"a": "the foxes jump"}'::jsonb, 'fox', 'StartSel=<, StopSel=>'), ts_headline('"foxes"'::json, 'fox'), ts_headline('[]'::json, 'fox')
ts_headline:jsonb | ts_headline:json | ts_headline:json
{"a": "the <foxes> jump"} | "<b>foxes</b>" | []
SELECT 1

> select ts_headline('foo bar', 'foo', 'StartSel=' || repeat('x', 32768))
ts_headline:text
ERROR 22023: value for "StartSel" is too long

> select ts_headline('foo bar', 'foo', 'StopSel=' || repeat('x', 32768))
ts_headline:text
ERROR 22023: value for "StopSel" is too long

> select ts_headline('foo bar', 'foo', 'FragmentDelimiter=' || repeat('x', 32768))
ts_headline:text
ERROR 22023: value for "FragmentDelimiter" is too long

