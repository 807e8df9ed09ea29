# Composite types: rows, fields, arrays, keys, what names them.
> create type comp as (a int, b text)
CREATE TYPE

> create domain posint as int check (value > 0)
CREATE DOMAIN

> create type mood as enum ('x','y')
CREATE TYPE

> create type nest as (c comp, m mood, p posint, arr int[])
CREATE TYPE

> create table t(id int primary key, c comp, cs comp[], n nest)
CREATE TABLE

> insert into t values (1, (1,'one'), array[(1,'a'),(2,'b')]::comp[], row((2,'two'),'y',5,'{1,2}'))
INSERT 0 1

> insert into t values (2, '(2,"t ""w")', '{"(3,c)"}', null)
INSERT 0 1

> insert into t values (3, null, null, '("(1,z)",x,7,"{3,4}")')
INSERT 0 1

> insert into t values (4, row(1,'x'), null, row(null,'x',-1,null))
ERROR 23514: value for domain posint violates check constraint "posint_check"

> insert into t values (4, '(1)', null, null)
ERROR 22P02: malformed record literal: "(1)"
DETAIL: Too few columns.

> insert into t values (4, '(1,2,3)', null, null)
ERROR 22P02: malformed record literal: "(1,2,3)"
DETAIL: Too many columns.

> insert into t values (4, row(1), null, null)
ERROR 42846: cannot cast type record to comp
DETAIL: Input has too few columns.

> select * from t order by id
id:int4 | c:user | cs:user | n:user
1 | (1,one) | {"(1,a)","(2,b)"} | ("(2,two)",y,5,"{1,2}")
2 | (2,"t ""w") | {"(3,c)"} | NULL
3 | NULL | NULL | ("(1,z)",x,7,"{3,4}")
SELECT 3

> select (c).a, (c).b, (n).c.a, (n).m, (cs[1]).b from t order by id
a:int4 | b:text | a:int4 | m:user | b:text
1 | one | 2 | y | a
2 | t "w | NULL | NULL | c
NULL | NULL | 1 | x | NULL
SELECT 3

> select (c).* from t where id = 1
a:int4 | b:text
1 | one
SELECT 1

> select c from t where c = (1,'one')::comp
c:user
(1,one)
SELECT 1

> select * from t order by c desc nulls last
id:int4 | c:user | cs:user | n:user
2 | (2,"t ""w") | {"(3,c)"} | NULL
1 | (1,one) | {"(1,a)","(2,b)"} | ("(2,two)",y,5,"{1,2}")
3 | NULL | NULL | ("(1,z)",x,7,"{3,4}")
SELECT 3

> select distinct c from t order by 1
c:user
(1,one)
(2,"t ""w")
NULL
SELECT 3

> select c, count(*) from t group by c order by 1
c:user | count:int8
(1,one) | 1
(2,"t ""w") | 1
NULL | 1
SELECT 3

> create index on t(c)
CREATE INDEX

> create unique index on t((c))
CREATE INDEX

> select pg_typeof(c), pg_typeof(row(1,'x')::comp), pg_typeof(cs) from t limit 1
pg_typeof:regtype | pg_typeof:regtype | pg_typeof:regtype
comp | comp | comp[]
SELECT 1

> select row(1,'x')::comp = (1,'x')::comp, (1,'x')::comp <> (1,'y')::comp
?column?:bool | ?column?:bool
t | t
SELECT 1

> select to_json(c), row_to_json(c), to_jsonb(n) from t where id=1
to_json:json | row_to_json:json | to_jsonb:jsonb
{"a":1,"b":"one"} | {"a":1,"b":"one"} | {"c": {"a": 2, "b": "two"}, "m": "y", "p": 5, "arr": [1, 2]}
SELECT 1

> select unnest(cs) from t where id = 1
unnest:user
(1,a)
(2,b)
SELECT 2

> select * from unnest(array[(1,'a'),(2,'b')]::comp[])
a:int4 | b:text
1 | a
2 | b
SELECT 2

> select null::comp, (null::comp).a
comp:user | a:int4
NULL | NULL
SELECT 1

> select row(1,2,3)::comp
ERROR 42846: cannot cast type record to comp
DETAIL: Input has too many columns.

> select row('x','y')::comp
ERROR 22P02: invalid input syntax for type integer: "x"

> select (1,'q')::comp::text, '(5,w)'::text::comp
row:text | comp:user
(1,q) | (5,w)
SELECT 1

> create type c2 as (a int)
CREATE TYPE

> alter type c2 add attribute b text, alter attribute a type bigint
ALTER TYPE

> alter type c2 rename attribute b to bb
ALTER TYPE

> alter type c2 rename to c3
ALTER TYPE

> select typname, typtype, typcategory, typrelid::regclass, typlen, typalign, typstorage from pg_type where typname in ('c3','_c3') order by 1
typname:name | typtype:char | typcategory:char | typrelid:regclass | typlen:int2 | typalign:char | typstorage:char
_c3 | b | A | - | -1 | d | x
c3 | c | C | c3 | -1 | d | x
SELECT 2

> comment on type c3 is 'hey'
COMMENT

> create type comp as (x int)
ERROR 42710: type "comp" already exists

> create table comp(x int)
ERROR 42P07: relation "comp" already exists

> create type t as enum ('a')
ERROR 42710: type "t" already exists

> create table mood(x int)
ERROR 42710: type "mood" already exists
HINT: A relation has an associated type of the same name, so you must use a name that doesn't conflict with any existing type.

> drop table comp
ERROR 42809: "comp" is not a table
HINT: Use DROP TYPE to remove a type.

> drop type t
ERROR 2BP01: cannot drop type t because table t requires it
HINT: You can drop table t instead.

> select null::t, row(1,null,null,null)::t
t:user | row:user
NULL | (1,,,)
SELECT 1

> select t from t where id = 2
t:user
(2,"(2,""t """"w"")","{""(3,c)""}",)
SELECT 1

> select 'x'::mood = any(enum_range(null::mood)), array['x','y']::mood[] @> array['y']::mood[]
?column?:bool | ?column?:bool
t | t
SELECT 1

> select case when true then 'x'::mood else 'y' end
case:user
x
SELECT 1

> select 'x'::mood union select 'y' order by 1
mood:user
x
y
SELECT 2

> select * from (values ('x'::mood),('y')) v(m) order by m desc
m:user
y
x
SELECT 2

> select greatest('x'::mood,'y'), nullif('x'::mood,'x'), coalesce(null,'y'::mood)
greatest:user | nullif:user | coalesce:user
y | NULL | y
SELECT 1

> select 'x'::mood in ('x','y'), 'x'::mood = 'z'
ERROR 22P02: invalid input value for enum mood: "z"

> drop type comp
ERROR 2BP01: cannot drop type comp because other objects depend on it
DETAIL: column cs of table t depends on type comp[]\ncolumn c of composite type nest depends on type comp\ncolumn c of table t depends on type comp
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop type comp cascade
NOTICE 00000: drop cascades to 3 other objects
DETAIL: drop cascades to column cs of table t\ndrop cascades to column c of composite type nest\ndrop cascades to column c of table t
DROP TYPE
