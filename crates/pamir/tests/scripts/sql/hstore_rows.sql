# hstore of rows and back; a record variable with .* as an argument.
> create extension if not exists hstore
CREATE EXTENSION

> create type ht as (a int, b text, c numeric, "D e" date, f int[])
CREATE TYPE

> select hstore(row(1,'foo',1.2,'2001-01-01',array[1,2])::ht)
hstore:user
"a"=>"1", "b"=>"foo", "c"=>"1.2", "f"=>"{1,2}", "D e"=>"2001-01-01"
SELECT 1

> select hstore(null::ht), hstore(row(1,'x',null))
hstore:user | hstore:user
"a"=>NULL, "b"=>NULL, "c"=>NULL, "f"=>NULL, "D e"=>NULL | "f1"=>"1", "f2"=>"x", "f3"=>NULL
SELECT 1

> create table tt(id int primary key, v text, n numeric(6,2), ts timestamp)
CREATE TABLE

> insert into tt values (1,'a',1.5,'2001-02-03 04:05:06')
INSERT 0 1

> select hstore(tt), hstore(tt.*) - hstore(row(1,'b',1.5,'2001-02-03 04:05:06')::tt) from tt
hstore:user | ?column?:user
"n"=>"1.50", "v"=>"a", "id"=>"1", "ts"=>"2001-02-03 04:05:06" | "v"=>"a"
SELECT 1

> select populate_record(null::ht, 'a=>5,b=>NULL,"D e"=>2002-02-02,f=>"{3,4}",zz=>1'), populate_record(row(1,'foo',1.2,'2001-01-01',array[1,2])::ht, 'b=>bar')
populate_record:user | populate_record:user
(5,,,2002-02-02,"{3,4}") | (1,bar,1.2,2001-01-01,"{1,2}")
SELECT 1

> select (row(1,'foo',1.2,'2001-01-01',array[1,2])::ht #= 'a=>7').*
a:int4 | b:text | c:numeric | D e:date | f:_int4
7 | foo | 1.2 | 2001-01-01 | {1,2}
SELECT 1

> select * from populate_record(null::tt, 'id=>3,v=>q')
id:int4 | v:text | n:numeric | ts:timestamp
3 | q | NULL | NULL
SELECT 1

> select populate_record(null::ht, null), populate_record(row(1,'x',2,null,null)::ht, null)
populate_record:user | populate_record:user
NULL | (1,x,2,,)
SELECT 1

> select populate_record(null::ht, ''), populate_record(null::ht, 'a=>x')
ERROR 22P02: invalid input syntax for type integer: "x"

> select populate_record(5, 'a=>1')
ERROR 42804: first argument must be a rowtype

> select populate_record(row(1,2), 'f1=>9')
populate_record:record
(9,2)
SELECT 1

> create domain pd as int check (value > 0)
CREATE DOMAIN

> create type hd as (x pd, y int not null)
ERROR 42601: syntax error at or near "not"

> create type hd as (x pd, y int)
CREATE TYPE

> select populate_record(null::hd, 'x=>1')
populate_record:user
(1,)
SELECT 1

> select hstore(row(3,4)::hd)
hstore:user
"x"=>"3", "y"=>"4"
SELECT 1

> create domain pn as int not null
CREATE DOMAIN

> create type hn as (x pn, y int)
CREATE TYPE

> create function audit() returns trigger language plpgsql as $$ begin raise notice '% | %', hstore(old.*) - hstore(new.*), hstore(new) - hstore(old); return new; end $$
CREATE FUNCTION

> create trigger au before update on tt for each row execute function audit()
CREATE TRIGGER

> update tt set v = 'zz', n = 2
NOTICE 00000: "n"=>"1.50", "v"=>"a" | "n"=>"2.00", "v"=>"zz"
UPDATE 1

> select hstore(x) from (select 1 as a, 'b'::text as b) x
hstore:user
"a"=>"1", "b"=>"b"
SELECT 1

> create function wr() returns text language plpgsql as $$ declare r tt; q record; begin select * into r from tt; q := r; return row_to_json(r.*)::text || to_json(q.*)::text || hstore(r.*)::text || row(r.*)::text || (r.* is null)::text; end $$
CREATE FUNCTION

> select wr()
wr:text
{"id":1,"v":"zz","n":2.00,"ts":"2001-02-03T04:05:06"}{"id":1,"v":"zz","n":2.00,"ts":"2001-02-03T04:05:06"}"n"=>"2.00", "v"=>"zz", "id"=>"1", "ts"=>"2001-02-03 04:05:06"(1,zz,2.00,"2001-02-03 04:05:06")false
SELECT 1

> create function ws(t tt) returns text language sql as $$ select hstore(t.*)::text || row_to_json(t.*)::text $$
CREATE FUNCTION

> select ws(tt) from tt
ws:text
"n"=>"2.00", "v"=>"zz", "id"=>"1", "ts"=>"2001-02-03 04:05:06"{"id":1,"v":"zz","n":2.00,"ts":"2001-02-03T04:05:06"}
SELECT 1

