# A user's type that one of the server's hides is shown with its schema.
> create type public.text as enum ('a', 'b'); create type public.point as (x int)
CREATE TYPE
CREATE TYPE

> create table th (c public.text, d public.text[], e public.point, f text)
CREATE TABLE

> select attname, format_type(atttypid, -1), atttypid::regtype from pg_attribute where attrelid = 'th'::regclass and attnum > 0 order by attnum
attname:name | format_type:text | atttypid:regtype
c | public.text | public.text
d | public.text[] | public.text[]
e | public.point | public.point
f | text | text
SELECT 4

> insert into th values ('a', '{a,b}', row(1), 'z'); select c, d, e, f, pg_typeof(c), pg_typeof(d), pg_typeof(e), pg_typeof(f) from th
INSERT 0 1
c:user | d:user | e:user | f:text | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
a | {a,b} | (1) | z | public.text | public.text[] | public.point | text
SELECT 1

> alter table th alter c set default 'b', add check (d[1] = 'a')
ALTER TABLE

> select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'th'::regclass
pg_get_expr:text
'b'::public.text
SELECT 1

> select pg_type_is_visible('public.text'::regtype), pg_type_is_visible('text'::regtype)
pg_type_is_visible:bool | pg_type_is_visible:bool
f | t
SELECT 1

> create view vh as select c, 'a'::public.text as k, f || 'x' as t from th
CREATE VIEW

> select pg_get_viewdef('vh'::regclass); select * from vh
pg_get_viewdef:text
 SELECT th.c,\n    'a'::public.text AS k,\n    (th.f || 'x'::text) AS t\n   FROM th;
SELECT 1
c:user | k:user | t:text
a | a | zx
SELECT 1
