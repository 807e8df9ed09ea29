# ROWS FROM: each function is called once; OUT columns without names and of polymorphic types.
> create function dup2(f1 anyelement, out f2 anyelement, out f3 anyarray) as 'select $1, array[$1,$1]' language sql
CREATE FUNCTION

> select *, pg_typeof(f2), pg_typeof(f3) from dup2(22::int8)
f2:int8 | f3:_int8 | pg_typeof:regtype | pg_typeof:regtype
22 | {22,22} | bigint | bigint[]
SELECT 1

> select (dup2('x'::text)).f3, pg_typeof((dup2('x'::text)).f3)
f3:_text | pg_typeof:regtype
{x,x} | text[]
SELECT 1

> create function bad (f1 int, out f2 anyelement, out f3 anyarray) as 'select $1, array[$1,$1]' language sql
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

> create function bad(f1 anyarray, out f2 anycompatible, out f3 anycompatiblearray) as 'select $1, array[$1,$1]' language sql
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anycompatible requires at least one input of type anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or anycompatiblemultirange.

> create function bad(x anyelement) returns anyrange as $$ select array[x + 1, x + 2] $$ language sql
ERROR 42P13: cannot determine result data type
DETAIL: A result of type anyrange requires at least one input of type anyrange or anymultirange.

> create function polyf(x anyrange) returns anyarray as $$ select array[lower(x), upper(x)] $$ language sql
CREATE FUNCTION

> select polyf(int4range(42, 49)) as int, polyf(numrange(4.5, 7.8)) as num
int:_int4 | num:_numeric
{42,49} | {4.5,7.8}
SELECT 1

> create function pl1(x anyrange) returns anyarray as $$ begin return array[lower(x), upper(x)]; end $$ language plpgsql
CREATE FUNCTION

> select pl1(int4range(42, 49)) as int, pl1(numrange(4.5, 7.8)) as num
int:_int4 | num:_numeric
{42,49} | {4.5,7.8}
SELECT 1

> create function pl2(x anyrange, out a anyelement, out b anyrange) as $$ begin a := lower(x); b := x; end $$ language plpgsql
CREATE FUNCTION

> select *, pg_typeof(a), pg_typeof(b) from pl2(int4range(42, 49))
a:int4 | b:int4range | pg_typeof:regtype | pg_typeof:regtype
42 | [42,49) | integer | int4range
SELECT 1

> create function pm(anyrange) returns anymultirange as 'select multirange($1);' language sql
CREATE FUNCTION

> select pm(int4range(1,10))
pm:int4multirange
{[1,10)}
SELECT 1

> create function pm2(anymultirange) returns anyelement as 'select lower($1);' language sql
CREATE FUNCTION

> select pm2(int4multirange(int4range(1,10), int4range(20,30)))
pm2:int4
1
SELECT 1

> create function pm3(anymultirange) returns anyrange as 'select range_merge($1);' language sql
CREATE FUNCTION

> select pm3(int4multirange(int4range(1,10), int4range(20,30)))
pm3:int4range
[1,30)
SELECT 1

> create function two(a anyelement, b anycompatible, c anycompatible, out x anyarray, out y anycompatiblearray) as $$ begin x := array[a]; y := array[b, c]; end $$ language plpgsql
CREATE FUNCTION

> select x, pg_typeof(x), y, pg_typeof(y) from two('q'::text, 1, 2.5)
x:_text | pg_typeof:regtype | y:_numeric | pg_typeof:regtype
{q} | text[] | {1,2.5} | numeric[]
SELECT 1

> create function unn(int, out int, out text) as $$ select $1, 'x'::text $$ language sql
CREATE FUNCTION

> select * from unn(1)
column1:int4 | column2:text
1 | x
SELECT 1

> select (unn(1)).column2
column2:text
x
SELECT 1

> create function unn1(int, out int) as $$ select $1 $$ language sql
CREATE FUNCTION

> select * from unn1(1)
unn1:int4
1
SELECT 1

> create function us(int, out int, out text) returns setof record as $$ select $1, 'x'::text $$ language sql
CREATE FUNCTION

> select * from us(1)
column1:int4 | column2:text
1 | x
SELECT 1

> select us(1)
us:record
(1,x)
SELECT 1

> create function ord() returns table(a int, b text) language sql as $$ values (1,'x'),(2,'y') $$
CREATE FUNCTION

> select * from rows from (ord(), generate_series(1,3)) with ordinality
a:int4 | b:text | generate_series:int4 | ordinality:int8
1 | x | 1 | 1
2 | y | 2 | 2
NULL | NULL | 3 | 3
SELECT 3

> select * from rows from (ord(), lower('X'), now()::text) as t(a,b,c,d) where d is not null and false
ERROR 42601: syntax error at or near "::"

> create view ov as select * from rows from (ord(), us(4), json_to_record('{"q":1}') as (q int)) with ordinality as t(a,b,c,d,e,f)
CREATE VIEW

> select * from ov
a:int4 | b:text | c:int4 | d:text | e:int4 | f:int8
1 | x | 4 | x | 1 | 1
2 | y | NULL | NULL | NULL | 2
SELECT 2

> select pg_get_viewdef('ov'::regclass)
pg_get_viewdef:text
 SELECT t.a,\n    t.b,\n    t.c,\n    t.d,\n    t.e,\n    t.f\n   FROM ROWS FROM(ord(), us(4), json_to_record('{"q":1}'::json) AS (q integer)) WITH ORDINALITY t(a, b, c, d, e, f);
SELECT 1

> create view ov2 as select * from rows from (json_to_record('{"q":1}') as (q int)) with ordinality
CREATE VIEW

> select * from ov2
q:int4 | ordinality:int8
1 | 1
SELECT 1

> select pg_get_viewdef('ov2'::regclass)
pg_get_viewdef:text
 SELECT json_to_record.q,\n    json_to_record.ordinality\n   FROM ROWS FROM(json_to_record('{"q":1}'::json) AS (q integer)) WITH ORDINALITY json_to_record(q, ordinality);
SELECT 1

> select * from (values (1),(2),(3)) v(n), rows from (generate_series(1,n), ord()) order by 1,2,3
n:int4 | generate_series:int4 | a:int4 | b:text
1 | 1 | 1 | x
1 | NULL | 2 | y
2 | 1 | 1 | x
2 | 2 | 2 | y
3 | 1 | 1 | x
3 | 2 | 2 | y
3 | 3 | NULL | NULL
SELECT 7

> select * from (values (1),(2),(3)) v(n) left join lateral rows from (generate_series(1,n), generate_series(5,4)) as x(p,q) on true order by 1,2
n:int4 | p:int4 | q:int4
1 | 1 | NULL
2 | 1 | NULL
2 | 2 | NULL
3 | 1 | NULL
3 | 2 | NULL
3 | 3 | NULL
SELECT 6

> select count(*) from rows from (generate_series(1,100000), generate_series(1,5)) as t(a,b) where b is null
count:int8
99995
SELECT 1

> create sequence calls
CREATE SEQUENCE

> create function nodup() returns table(a int, b int) language plpgsql as $$ begin perform nextval('calls'); return query values (1,2),(3,4); end $$
CREATE FUNCTION

> select * from rows from (nodup(), nodup())
a:int4 | b:int4 | a:int4 | b:int4
1 | 2 | 1 | 2
3 | 4 | 3 | 4
SELECT 2

> select last_value from calls
last_value:int8
2
SELECT 1

> select nodup()
nodup:record
(1,2)
(3,4)
SELECT 2

> select (nodup()).*
a:int4 | b:int4
1 | 2
3 | 4
SELECT 2

> select last_value from calls
last_value:int8
4
SELECT 1

> select nodup(), nodup()
nodup:record | nodup:record
(1,2) | (1,2)
(3,4) | (3,4)
SELECT 2

> select last_value from calls
last_value:int8
6
SELECT 1
