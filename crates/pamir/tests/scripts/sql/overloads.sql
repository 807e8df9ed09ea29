# Which function a call means where defaults, VARIADIC, names and schemas make several fit.
> create function dfunc(a int default 1.0, int default '-1') returns int language sql as 'select $1 + $2'
CREATE FUNCTION

> select dfunc()
dfunc:int4
0
SELECT 1

> create function dfunc(a text default 'Hello', b text default 'World') returns text language sql as $$ select $1 || ', ' || $2 $$
CREATE FUNCTION

> select dfunc()
ERROR 42725: function dfunc() is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> select dfunc('Hi')
dfunc:text
Hi, World
SELECT 1

> select dfunc('Hi', 'City')
dfunc:text
Hi, City
SELECT 1

> select dfunc(0), dfunc(10, 20)
dfunc:int4 | dfunc:int4
-1 | 30
SELECT 1

> drop function dfunc(int, int)
DROP FUNCTION

> drop function dfunc(text, text)
DROP FUNCTION

> create function dfunc(int = 1, int = 2) returns int language sql as 'select 2'
CREATE FUNCTION

> create function dfunc(int = 1, int = 2, int = 3, int = 4) returns int language sql as 'select 4'
CREATE FUNCTION

> select dfunc()
ERROR 42725: function dfunc() is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> select dfunc(1)
ERROR 42725: function dfunc(integer) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> select dfunc(1, 2)
ERROR 42725: function dfunc(integer, integer) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> select dfunc(1, 2, 3), dfunc(1, 2, 3, 4)
dfunc:int4 | dfunc:int4
4 | 4
SELECT 1

> select * from dfunc(1)
ERROR 42725: function dfunc(integer) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> create function dfunc(text) returns text language sql as 'select $1'
CREATE FUNCTION

> select dfunc('Hi')
dfunc:text
Hi
SELECT 1

> create schema s
CREATE SCHEMA

> create function s.dfunc(int, text = 'x') returns text language sql as $$ select 's' $$
CREATE FUNCTION

> set search_path = s, public
SET

> select dfunc(1)
dfunc:text
s
SELECT 1

> select dfunc(1, 2, 3)
dfunc:int4
4
SELECT 1

> set search_path = public, s
SET

> select dfunc(1)
ERROR 42725: function dfunc(integer) is not unique
HINT: Could not choose a best candidate function. You might need to add explicit type casts.

> reset search_path
RESET

> create function v(int) returns text language sql as $$ select 'plain' $$
CREATE FUNCTION

> create function v(variadic int[]) returns text language sql as $$ select 'variadic' $$
CREATE FUNCTION

> select v(1), v(1, 2), v(variadic array[1, 2])
v:text | v:text | v:text
plain | variadic | variadic
SELECT 1

> select v()
ERROR 42883: function v() does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> create function n(a int, b text = 'b', c bool = true) returns text language sql as $$ select concat_ws('/', 'int', a, b, c) $$
CREATE FUNCTION

> create function n(a text, b text = 'b2', d int = 7) returns text language sql as $$ select concat_ws('/', 'text', a, b, d) $$
CREATE FUNCTION

> select n(a => 1), n(a => 'x'::text), n(1, c => false), n('y', d => 3), n(c => false, a => 5)
n:text | n:text | n:text | n:text | n:text
int/1/b/t | text/x/b2/7 | int/1/b/f | text/y/b2/3 | int/5/b/f
SELECT 1

> select n(a => null)
n:text
text/b2/7
SELECT 1

> select n(a => 'x')
n:text
text/x/b2/7
SELECT 1

> select n(1, a => 2)
ERROR 42883: function n(integer, a => integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select n(1, e => 2)
ERROR 42883: function n(integer, e => integer) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select n(a => 1, a => 2)
ERROR 42601: argument name "a" used more than once

> select n(a => 1, 'x')
ERROR 42601: positional argument cannot follow named argument

> select n(b => 'x')
ERROR 42883: function n(b => unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select * from n(b => 'x', a => 9)
n:text
int/9/x/t
SELECT 1

> create function m(a int, variadic b int[]) returns text language sql as $$ select concat_ws('/', a, b) $$
CREATE FUNCTION

> select m(1, variadic b => array[2, 3]), m(a => 1, variadic b => array[4])
m:text | m:text
1/{2,3} | 1/{4}
SELECT 1

> select m(a => 1, b => array[2])
ERROR 42883: function m(a => integer, b => integer[]) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select jsonb_path_query(target => '{"a": [1, 2]}', path => '$.a[*]')
jsonb_path_query:jsonb
1
2
SELECT 2

> select jsonb_path_exists('{"a": 1}', '$.b.c', silent => true), jsonb_path_exists(path => '$.a ? (@ > $x)', vars => '{"x": 0}', target => '{"a": 1}')
jsonb_path_exists:bool | jsonb_path_exists:bool
f | t
SELECT 1

> select make_interval(hours => 3), make_interval(1, days => 4), make_date(day => 2, month => 3, year => 2024)
make_interval:interval | make_interval:interval | make_date:date
03:00:00 | 1 year 4 days | 2024-03-02
SELECT 1

> select jsonb_set_lax('{"a": 1}', '{a}', null, null_value_treatment => 'delete_key')
jsonb_set_lax:jsonb
{}
SELECT 1

> select lower(x => 'A')
ERROR 42883: function lower(x => unknown) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.

> select parse_ident(str => 'a.b')
parse_ident:_text
{a,b}
SELECT 1

> select jsonb_set_lax('{"a": 1}', '{a}', null), jsonb_set_lax('{"a": 1}', '{b}', null), jsonb_set_lax('{"a": 1}', '{b}', null, false), jsonb_set_lax('{"a": 1}', '{b}', '2')
jsonb_set_lax:jsonb | jsonb_set_lax:jsonb | jsonb_set_lax:jsonb | jsonb_set_lax:jsonb
{"a": null} | {"a": 1, "b": null} | {"a": 1} | {"a": 1, "b": 2}
SELECT 1

> select jsonb_set_lax('{"a": 1}', '{a}', null, true, 'return_target'), jsonb_set_lax(null, '{a}', null, true, 'return_target'), jsonb_set_lax('{"a": 1}', '{a}', '5', true, 'none')
jsonb_set_lax:jsonb | jsonb_set_lax:jsonb | jsonb_set_lax:jsonb
{"a": 1} | NULL | {"a": 5}
SELECT 1

> select jsonb_set_lax('{"a": 1}', '{a}', null, true, 'raise_exception')
ERROR 22004: JSON value must not be null
DETAIL: Exception was raised because null_value_treatment is "raise_exception".
HINT: To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.

> select jsonb_set_lax('{"a": 1}', '{a}', null, true, 'none')
ERROR 22023: null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"

> select jsonb_set_lax('{"a": 1}', '{a}', '3', true, null)
ERROR 22023: null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"
