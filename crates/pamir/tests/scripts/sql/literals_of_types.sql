# What is called like a type casts; polymorphic functions of enums and ranges; equality of geometric types; settings that functions leave; xid.

> select box('4,4,4,4'), date('2001-01-01'), float8('1.5'), text(1.5), int4(true), int4('7'), numeric(5), "char"('abc'), name('x')
ERROR 42601: syntax error at or near ","

> select cidr('192.168.1.2/30')
ERROR 22P02: invalid cidr value: "192.168.1.2/30"
DETAIL: Value has bits set to right of mask.

> create type lt_mood as enum ('sad', 'ok')
CREATE TYPE

> create domain lt_pos as int check (value > 0)
CREATE DOMAIN

> select lt_mood('ok'), lt_pos(5), lt_pos('7')
lt_mood:user | lt_pos:int4 | lt_pos:int4
ok | 5 | 7
SELECT 1

> select lt_mood('bad')
ERROR 22P02: invalid input value for enum lt_mood: "bad"

> select lt_pos(-1)
lt_pos:int4
ERROR 23514: value for domain lt_pos violates check constraint "lt_pos_check"

> create function lt_e(anyenum) returns text language plpgsql as $$ declare x text; begin x := $1; return $1::text || x; end $$
CREATE FUNCTION

> select lt_e('ok'::lt_mood)
lt_e:text
okok
SELECT 1

> create function lt_bounds(anyrange) returns anyelement language sql as 'select lower($1) + upper($1)'
CREATE FUNCTION

> select lt_bounds(int4range(1, 5)), lt_bounds(numrange(1, 5.5))
lt_bounds:int4 | lt_bounds:numeric
6 | 6.5
SELECT 1

> create function lt_all(r anyrange, out x anyelement, out y anyarray, out z anymultirange) language plpgsql as $$ begin x := lower(r); y := array[lower(r), upper(r)]; z := multirange(r); end $$
CREATE FUNCTION

> select * from lt_all(numrange(1.5, 3))
x:numeric | y:_numeric | z:nummultirange
1.5 | {1.5,3} | {[1.5,3)}
SELECT 1

> create function lt_bad(anyelement) returns anyrange language sql as 'select int4range(1, 10)'
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyrange requires at least one input of type anyrange or anymultirange.

> create function lt_bad(i anyelement, out r anyrange, out t text) language sql as $$ select '[1,10]', 'foo' $$
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyrange requires at least one input of type anyrange or anymultirange.

> create function lt_bad(int) returns anyarray language sql as 'select array[1]'
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyarray requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

> create function lt_same(i int, out i int) language sql as 'select 1'
CREATE FUNCTION

> create table lt_c (f circle)
CREATE TABLE

> insert into lt_c values ('<(5,1),3>'), ('<(1,2),3>'), ('<(1,2),4>')
INSERT 0 3

> select a.f, b.f from lt_c a, lt_c b where a.f = b.f order by a.f::text, b.f::text
f:circle | f:circle
<(1,2),3> | <(1,2),3>
<(1,2),3> | <(5,1),3>
<(1,2),4> | <(1,2),4>
<(5,1),3> | <(1,2),3>
<(5,1),3> | <(5,1),3>
SELECT 5

> select f from lt_c where f in (select circle '<(0,0),3>') order by f::text
f:circle
<(1,2),3>
<(5,1),3>
SELECT 2

> select '010'::xid, '42'::xid, '0xffffffff'::xid, '-1'::xid, ''::xid, 'asdf'::xid, '0x1g'::xid, '12'::cid, 'x'::cid
xid:xid | xid:xid | xid:xid | xid:xid | xid:xid | xid:xid | xid:xid | cid:cid | cid:cid
8 | 42 | 4294967295 | 4294967295 | 0 | 0 | 1 | 12 | 0
SELECT 1

> select pg_snapshot '1:9223372036854775808:3'
ERROR 22P02: invalid input syntax for type pg_snapshot: "1:9223372036854775808:3"

> select trim_scale(variance(a) * 1e1000) from (values (0::numeric), (3e-500), (-3e-500), (4e-500 - 1e-16383), (-4e-500 + 1e-16383)) v(a)
trim_scale:numeric
12
SELECT 1

> select date_bin('15 minutes'::interval, timestamp '294276-12-30', timestamp '4000-12-20 BC')
ERROR 22008: interval out of range

> select date_bin('365000 days'::interval, '4400-01-01 BC'::timestamp, '4000-01-01 BC'::timestamp)
ERROR 22008: timestamp out of range

> create function lt_set() returns text language plpgsql set work_mem = '1MB' as $$ begin set work_mem = '2MB'; perform set_config('lt.x', '7', false); perform set_config('lt.y', '8', true); return current_setting('work_mem'); end $$
CREATE FUNCTION

> select lt_set(), current_setting('work_mem'), current_setting('lt.x'), current_setting('lt.y')
lt_set:text | current_setting:text | current_setting:text | current_setting:text
2MB | 2MB | 7 | 8
SELECT 1

> select current_setting('work_mem'), current_setting('lt.x'), current_setting('lt.y')
current_setting:text | current_setting:text | current_setting:text
2MB | 7 | 
SELECT 1

> reset work_mem
RESET

> set custom."bad-guc" = 42
ERROR 42602: invalid configuration parameter name "custom.bad-guc"
DETAIL: Custom parameter names must be two or more simple identifiers separated by dots.

> create view lt_v1 as select 1 as a
CREATE VIEW

> create view lt_v2 as select * from lt_v1
CREATE VIEW

> create role lt_r
CREATE ROLE

> create table lt_t (a int)
CREATE TABLE

> set role lt_r
SET

> vacuum lt_t
WARNING 01000: skipping "lt_t" --- only table or database owner can vacuum it
VACUUM

> vacuum analyze lt_t
WARNING 01000: skipping "lt_t" --- only table or database owner can vacuum it
VACUUM

> analyze pg_authid
WARNING 01000: skipping "pg_authid" --- only superuser can analyze it
ANALYZE

> reset role
RESET

> select 1; vacuum
?column?:int4
1
SELECT 1
ERROR 25001: VACUUM cannot run inside a transaction block

> drop table lt_t
DROP TABLE

> drop role lt_r
DROP ROLE
