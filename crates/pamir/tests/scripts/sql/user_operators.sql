# CREATE OPERATOR and CREATE CAST: resolution, catalogs, dependencies.
> create function f_eq3(a int, b int) returns bool language sql immutable as 'select a % 3 = b % 3'
CREATE FUNCTION
> create operator === (leftarg = int, rightarg = int, function = f_eq3, commutator = ===, negator = !==, restrict = eqsel, join = eqjoinsel, hashes, merges)
CREATE OPERATOR
> select 1 === 4, 1 === 5, 1::bigint === 4
ERROR 42883: operator does not exist: bigint === integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
> select 1::smallint === 4::smallint
?column?:bool
t
SELECT 1
> select '1' === 4
?column?:bool
t
SELECT 1
> create function f_ne3(a int, b int) returns bool language sql immutable as 'select a % 3 <> b % 3'
CREATE FUNCTION
> create operator !== (leftarg = int, rightarg = int, procedure = f_ne3, commutator = !==, negator = ===)
CREATE OPERATOR
> select 1 !== 4, 1 operator(public.===) 4
?column?:bool | ?column?:bool
f | t
SELECT 1
> create function fact(n int) returns numeric language sql as 'select case when n <= 1 then 1 else n * fact(n-1) end'
CREATE FUNCTION
> create function fact2(n bigint) returns numeric language plpgsql as $$ begin return n; end $$
CREATE FUNCTION
> create operator !! (rightarg = bigint, function = fact2)
CREATE OPERATOR
> select !! 5
?column?:numeric
5
SELECT 1
> create type money2 as (amount numeric, cur text)
CREATE TYPE
> create function madd(a money2, b money2) returns money2 language plpgsql as $$ begin if a.cur <> b.cur then raise exception 'no'; end if; return row(a.amount + b.amount, a.cur); end $$
CREATE FUNCTION
> create operator + (leftarg = money2, rightarg = money2, function = madd, commutator = +)
CREATE OPERATOR
> select row(1,'eur')::money2 + row(2,'eur')::money2
?column?:user
(3,eur)
SELECT 1
> select row(1,'eur')::money2 + row(2,'usd')::money2
?column?:user
ERROR P0001: no
> select 1 + 2
?column?:int4
3
SELECT 1
> create table t(a int, m money2)
CREATE TABLE
> insert into t values (1, row(1,'x')), (4, row(2,'x')), (5, row(3,'x'))
INSERT 0 3
> select a.a, b.a from t a join t b on a.a === b.a order by 1, 2
a:int4 | a:int4
1 | 1
1 | 4
4 | 1
4 | 4
5 | 5
SELECT 5
> select m + m from t where a === 7 order by a
?column?:user
(2,x)
(4,x)
SELECT 2
> explain (costs off) select * from t where a === 7
QUERY PLAN:text
Seq Scan on t
  Filter: ((a % 3) = 1)
EXPLAIN
> select a from t where 7 === any (array[a, 2]) order by a
a:int4
1
4
SELECT 2
> create view v as select a, a === 7 as e, !! a as f from t
CREATE VIEW
> select * from v order by a
a:int4 | e:bool | f:numeric
1 | t | 1
4 | t | 4
5 | f | 5
SELECT 3
> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT t.a,\n    (t.a === 7) AS e,\n    (!! (t.a)::bigint) AS f\n   FROM t;
SELECT 1
> create index ti on t ((a === 7))
CREATE INDEX
# errors
> create operator ## (leftarg = int, rightarg = int)
ERROR 42P13: operator function must be specified
> create operator ## (function = f_eq3)
ERROR 42P13: operator argument types must be specified
> create operator ## (leftarg = int, function = f_eq3)
ERROR 42P13: operator right argument type must be specified
DETAIL: Postfix operators are not supported.
> create operator ## (leftarg = int, rightarg = text, function = f_eq3)
ERROR 42883: function f_eq3(integer, text) does not exist
> create operator === (leftarg = int, rightarg = int, function = f_eq3)
ERROR 42723: operator === already exists
> create operator ## (rightarg = bigint, function = fact2, commutator = ##)
ERROR 42P13: only binary operators can have commutators
> create operator ## (rightarg = bigint, function = fact2, negator = ##)
ERROR 42P13: operator cannot be its own negator
> create operator ## (leftarg = int, rightarg = int, function = int4pl, hashes)
ERROR 42P13: only boolean operators can hash
> create operator ## (leftarg = setof int, rightarg = int, function = int4pl)
ERROR 42P13: SETOF type not allowed for operator argument
> create operator ## (leftarg = int, rightarg = int, function = f_eq3, bogus = 1)
WARNING 42601: operator attribute "bogus" not recognized
CREATE OPERATOR
> drop operator ## (int, int)
DROP OPERATOR
> create operator ## (leftarg = int, rightarg = int, function = f_eq3, negator = ##)
ERROR 42P13: operator cannot be its own negator
> select 1 ### 2
ERROR 42883: operator does not exist: integer ### integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
> select oprname, oprkind, oprcanmerge, oprcanhash, oprleft::regtype, oprright::regtype, oprresult::regtype, oprcom::regoper, oprnegate::regoper, oprcode, oprrest, oprjoin from pg_operator where oid >= 16384 order by oprname, oprleft
oprname:name | oprkind:char | oprcanmerge:bool | oprcanhash:bool | oprleft:regtype | oprright:regtype | oprresult:regtype | oprcom:regoper | oprnegate:regoper | oprcode:regproc | oprrest:regproc | oprjoin:regproc
!! | l | f | f | - | bigint | numeric | 0 | 0 | fact2 | - | -
!== | b | f | f | integer | integer | boolean | !== | === | f_ne3 | - | -
+ | b | f | f | money2 | money2 | money2 | public.+ | 0 | madd | - | -
=== | b | t | t | integer | integer | boolean | === | !== | f_eq3 | eqsel | eqjoinsel
SELECT 4
> comment on operator === (int, int) is 'mod three'
COMMENT
> select obj_description(oid, 'pg_operator') from pg_operator where oprname = '==='
obj_description:text
mod three
SELECT 1
> create schema s2
CREATE SCHEMA
> create operator s2.@@@ (leftarg = int, rightarg = int, function = f_eq3)
CREATE OPERATOR
> select 1 operator(s2.@@@) 4
?column?:bool
t
SELECT 1
> select 1 @@@ 4
ERROR 42883: operator does not exist: integer @@@ integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
> alter operator s2.@@@ (int, int) set schema public
ALTER OPERATOR
> select 1 @@@ 4
?column?:bool
t
SELECT 1
> drop operator @@@ (int, int)
DROP OPERATOR
> drop operator @@@ (int, int)
ERROR 42883: operator does not exist: integer @@@ integer
> drop operator if exists @@@ (int, int)
NOTICE 00000: operator @@@ does not exist, skipping
DROP OPERATOR
> drop operator + (int, int)
ERROR 2BP01: cannot drop operator +(integer,integer) because it is required by the database system
> drop function f_ne3(int, int)
ERROR 2BP01: cannot drop function f_ne3(integer,integer) because other objects depend on it
DETAIL: operator !==(integer,integer) depends on function f_ne3(integer,integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop operator !! (none, bigint)
ERROR 2BP01: cannot drop operator !!(NONE,bigint) because other objects depend on it
DETAIL: view v depends on operator !!(NONE,bigint)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop index ti
DROP INDEX
> drop operator !! (none, bigint) cascade
NOTICE 00000: drop cascades to view v
DROP OPERATOR
> select * from v
ERROR 42P01: relation "v" does not exist
> drop function madd(money2, money2) cascade
NOTICE 00000: drop cascades to operator +(money2,money2)
DROP FUNCTION
# casts
> create function m2n(m money2) returns numeric language sql immutable as 'select m.amount'
CREATE FUNCTION
> create cast (money2 as numeric) with function m2n(money2)
CREATE CAST
> select row(5,'x')::money2::numeric, cast(row(6,'x')::money2 as numeric)
row:numeric | row:numeric
5 | 6
SELECT 1
> select row(5,'x')::money2 + 1
ERROR 42883: operator does not exist: money2 + integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
> create table tn(n numeric)
CREATE TABLE
> insert into tn values (row(5,'x')::money2)
ERROR 42804: column "n" is of type numeric but expression is of type money2
HINT: You will need to rewrite or cast the expression.
> drop cast (money2 as numeric)
DROP CAST
> create cast (money2 as numeric) with function m2n(money2) as assignment
CREATE CAST
> insert into tn values (row(5,'x')::money2)
INSERT 0 1
> select * from tn
n:numeric
5
SELECT 1
> select sqrt(row(4,'x')::money2)
ERROR 42883: function sqrt(money2) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> drop cast (money2 as numeric)
DROP CAST
> create cast (money2 as numeric) with function m2n(money2) as implicit
CREATE CAST
> select sqrt(row(4,'x')::money2), abs(row(-4,'x')::money2), row(4,'x')::money2 + 1::numeric
sqrt:numeric | abs:numeric | ?column?:numeric
2.000000000000000 | 4 | 5
SELECT 1
> create function n2m(n numeric) returns money2 language sql as 'select row(n, ''def'')::money2'
CREATE FUNCTION
> create cast (numeric as money2) with function n2m as assignment
CREATE CAST
> select 5.5::numeric::money2
money2:user
(5.5,def)
SELECT 1
> insert into t(a, m) values (9, 7.5)
INSERT 0 1
> select m from t where a = 9
m:user
(7.5,def)
SELECT 1
> create type mood as enum ('sad', 'ok')
CREATE TYPE
> create cast (text as mood) with inout as implicit
CREATE CAST
> create cast (varchar as mood) with inout as assignment
CREATE CAST
> create function use_mood(m mood) returns text language sql as 'select m::text || ''!'''
CREATE FUNCTION
> select use_mood('sad'::text)
use_mood:text
sad!
SELECT 1
> select use_mood('sad'::varchar)
ERROR 42883: function use_mood(character varying) does not exist
HINT: No function matches the given name and argument types. You might need to add explicit type casts.
> select use_mood('bad'::text)
use_mood:text
ERROR 22P02: invalid input value for enum mood: "bad"
> create function i2m(i int) returns mood language sql as 'select case when i > 0 then ''ok''::mood else ''sad'' end'
CREATE FUNCTION
> create cast (int as mood) with function i2m(int) as implicit
CREATE CAST
> select use_mood(4), use_mood(-4)
use_mood:text | use_mood:text
ok! | sad!
SELECT 1
> create cast (int as mood) with function i2m(int)
ERROR 42710: cast from type integer to type mood already exists
> create cast (int as bigint) with inout
ERROR 42710: cast from type integer to type bigint already exists
> create cast (int as mood) without function
ERROR 42P17: enum data types are not binary-compatible
> create cast (int as record) with inout
ERROR 42809: target data type record is a pseudo-type
> create cast (int as money2) with function i2m(int)
ERROR 42P17: return data type of cast function must match or be binary-coercible to target data type
> create cast (mood as int) with function i2m(int)
ERROR 42P17: argument of cast function must match or be binary-coercible from source data type
> create cast (money2 as money2) with function madd2(money2)
ERROR 42883: function madd2(money2) does not exist
> create cast (money2 as mood) without function
ERROR 42P17: source and target data types are not physically compatible
> create cast (money2 as text) with function nosuch(money2)
ERROR 42883: function nosuch(money2) does not exist
> create domain dom as int
CREATE DOMAIN
> create cast (dom as mood) with inout
WARNING 42809: cast will be ignored because the source data type is a domain
CREATE CAST
> drop cast (dom as mood)
DROP CAST
> select castsource::regtype, casttarget::regtype, castfunc::regproc, castcontext, castmethod from pg_cast where oid >= 16384 order by 1, 2
castsource:regtype | casttarget:regtype | castfunc:regproc | castcontext:char | castmethod:char
integer | mood | i2m | i | f
text | mood | - | i | i
character varying | mood | - | a | i
numeric | money2 | n2m | a | f
money2 | numeric | m2n | i | f
SELECT 5
> comment on cast (int as mood) is 'by sign'
COMMENT
> select count(*) from pg_description d join pg_cast c on d.objoid = c.oid and d.classoid = 'pg_cast'::regclass where c.castsource = 'int'::regtype and c.casttarget = 'mood'::regtype
count:int8
1
SELECT 1
> drop function i2m(int)
ERROR 2BP01: cannot drop function i2m(integer) because other objects depend on it
DETAIL: cast from integer to mood depends on function i2m(integer)
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop cast (int as bigint)
ERROR 2BP01: cannot drop cast from integer to bigint because it is required by the database system
> drop cast (int as box2)
ERROR 42704: type "box2" does not exist
> drop cast (bigint as mood)
ERROR 42704: cast from type bigint to type mood does not exist
> drop cast if exists (bigint as mood)
NOTICE 00000: cast from type pg_catalog.int8 to type mood does not exist, skipping
DROP CAST
> drop cast if exists (nosuch as mood)
NOTICE 00000: type "nosuch" does not exist, skipping
DROP CAST
> drop type mood
ERROR 2BP01: cannot drop type mood because other objects depend on it
DETAIL: cast from text to mood depends on type mood\ncast from character varying to mood depends on type mood\nfunction use_mood(mood) depends on type mood\nfunction i2m(integer) depends on type mood\ncast from integer to mood depends on type mood
HINT: Use DROP ... CASCADE to drop the dependent objects too.
> drop type mood cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to cast from text to mood\ndrop cascades to cast from character varying to mood\ndrop cascades to function use_mood(mood)\ndrop cascades to function i2m(integer)\ndrop cascades to cast from integer to mood
DROP TYPE
> drop type money2 cascade
NOTICE 00000: drop cascades to 5 other objects
DETAIL: drop cascades to column m of table t\ndrop cascades to function m2n(money2)\ndrop cascades to cast from money2 to numeric\ndrop cascades to function n2m(numeric)\ndrop cascades to cast from numeric to money2
DROP TYPE
