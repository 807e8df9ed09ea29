# pg_snapshot, regoperator and its like, name, "char".

> select '12:16:14,15'::pg_snapshot, '12:12:'::pg_snapshot, '12:16:14,14,15'::txid_snapshot, pg_typeof('1:1:'::pg_snapshot)
pg_snapshot:pg_snapshot | pg_snapshot:pg_snapshot | txid_snapshot:txid_snapshot | pg_typeof:regtype
12:16:14,15 | 12:12: | 12:16:14,15 | pg_snapshot
SELECT 1

> select '12:11:'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "12:11:"

> select '0:1:'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "0:1:"

> select '12:16:17'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "12:16:17"

> select '12:16:15,14'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "12:16:15,14"

> select '12:13'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "12:13"

> select 'a:b:'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "a:b:"

> select '12:16:14x'::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "12:16:14x"

> select ''::pg_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: ""

> select '31:12:'::txid_snapshot
ERROR 22P02: invalid input syntax for type pg_snapshot: "31:12:"

> select pg_snapshot_xmin('12:20:13,15,18'), pg_snapshot_xmax('12:20:13,15,18'), pg_snapshot_xip('12:20:13,15,18')
pg_snapshot_xmin:xid8 | pg_snapshot_xmax:xid8 | pg_snapshot_xip:xid8
12 | 20 | 13
12 | 20 | 15
12 | 20 | 18
SELECT 3

> select txid_snapshot_xmin('12:20:13,15,18'), txid_snapshot_xmax('12:20:13,15,18')
txid_snapshot_xmin:int8 | txid_snapshot_xmax:int8
12 | 20
SELECT 1

> select txid_snapshot_xip('12:20:13,15,18')
txid_snapshot_xip:int8
13
15
18
SELECT 3

> select id, pg_visible_in_snapshot(id::text::xid8, '12:20:13,15,18'), txid_visible_in_snapshot(id, '12:20:13,15,18') from generate_series(11, 21) id
id:int4 | pg_visible_in_snapshot:bool | txid_visible_in_snapshot:bool
11 | t | t
12 | t | t
13 | f | f
14 | t | t
15 | f | f
16 | t | t
17 | t | t
18 | f | f
19 | t | t
20 | f | f
21 | f | f
SELECT 11

> select '1:2:'::pg_snapshot = '1:2:'::pg_snapshot
ERROR 42883: operator does not exist: pg_snapshot = pg_snapshot
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> create temp table ps(s pg_snapshot)
CREATE TABLE

> insert into ps values ('1:2:1')
INSERT 0 1

> select * from ps
s:pg_snapshot
1:2:1
SELECT 1

> select distinct s from ps
ERROR 42883: could not identify an equality operator for type pg_snapshot

# reg types
> select '+(integer,integer)'::regoperator, '-(none,int4)'::regoperator, '||(text,text)'::regoperator::oid, 551::regoperator, 0::regoperator, 99999::regoperator
regoperator:regoperator | regoperator:regoperator | oid:oid | regoperator:regoperator | regoperator:regoperator | regoperator:regoperator
+(integer,integer) | -(NONE,integer) | 654 | +(integer,integer) | 0 | 99999
SELECT 1

> select '+(int4)'::regoperator
ERROR 42P02: missing argument
HINT: Use NONE to denote the missing argument of a unary operator.

> select '+(int4,int4,int4)'::regoperator
ERROR 54023: too many arguments
HINT: Provide two argument types for operator.

> select '+'::regoperator
ERROR 22P02: expected a left parenthesis

> select '+(int4,int4'::regoperator
ERROR 22P02: expected a right parenthesis

> select '###(int4,int4)'::regoperator
ERROR 42883: operator does not exist: ###(int4,int4)

> select '+(int4,nosuch)'::regoperator
ERROR 42704: type "nosuch" does not exist

> select to_regoperator('+(int4,int4)'), to_regoperator('###(int4,int4)'), pg_typeof('+(int4,int4)'::regoperator)
to_regoperator:regoperator | to_regoperator:regoperator | pg_typeof:regtype
+(integer,integer) | NULL | regoperator
SELECT 1

> select 'pg_catalog.+(int4,int4)'::regoperator
regoperator:regoperator
+(integer,integer)
SELECT 1

> select oprname, oid::regoperator from pg_operator where oid in (96, 551, 654) order by 1
oprname:name | oid:regoperator
+ | +(integer,integer)
= | =(integer,integer)
|| | ||(text,text)
SELECT 3

> select '96'::regoperator, '-'::regoperator
ERROR 22P02: expected a left parenthesis

> create temp table ro(a regoperator, b regoper, c regcollation, d regnamespace, e regrole, f regproc, g regprocedure)
CREATE TABLE

> insert into ro values ('+(int4,int4)', '||/', '"C"', 'pg_catalog', 'postgres', 'upper(text)'::regprocedure, 'upper(text)')
INSERT 0 1

> insert into ro(a, b, c, d, f, g) values ('+(int4,int4)', '||/', '"C"', 'pg_catalog', 'now', 'upper(text)')
INSERT 0 1

> select a, b, c, d, f, g from ro
a:regoperator | b:regoper | c:regcollation | d:regnamespace | f:regproc | g:regprocedure
+(integer,integer) | ||/ | "C" | pg_catalog | pg_catalog.upper | upper(text)
+(integer,integer) | ||/ | "C" | pg_catalog | now | upper(text)
SELECT 2

> select a::oid, a::text, b::text, c::oid::int from ro
a:oid | a:text | b:text | c:int4
551 | +(integer,integer) | ||/ | 950
551 | +(integer,integer) | ||/ | 950
SELECT 2

> select a = 551, a = '+(int4,int4)' from ro
ERROR 22P02: invalid input syntax for type oid: "+(int4,int4)"

# name and char
> select 'abc'::name || 'd', pg_typeof('abc'::name || 'd'), 'a'::name = 'a'::text, 'a'::text < 'b'::name, 'a'::name < 'b'::name, 'a'::name like 'a%', 'ab'::name ~ 'b'
?column?:text | pg_typeof:regtype | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
abcd | text | t | t | t | t | t
SELECT 1

> select repeat('x', 70)::name, length(repeat('x', 70)::name), length('é'::name)
repeat:name | length:int4 | length:int4
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | 63 | 1
SELECT 1

> select 'a'::"char" = 'a', 'abc'::"char", 'a'::"char" < 'b', 97::"char", 'a'::"char"::int, 'a'::"char" || 'b', ''::"char" = '', pg_typeof('a'::"char")
ERROR 42725: operator is not unique: "char" || unknown
HINT: Could not choose a best candidate operator. You might need to add explicit type casts.

> select 200::"char"
ERROR 22003: "char" out of range

> select 'a'::"char"::text, 'a'::text::"char", 'ab'::varchar::"char", 'a'::"char"::name
text:text | char:char | char:char | name:name
a | a | a | a
SELECT 1

> select max('a'::name), min(x) from (values ('b'::name), ('a')) v(x)
max:text | min:text
a | a
SELECT 1

> select upper('a'::name), length('abc'::name), substr('abc'::name, 2), 'abc'::name || null, concat('a'::name, 'b'::"char")
upper:text | length:int4 | substr:text | ?column?:text | concat:text
A | 3 | bc | NULL | ab
SELECT 1

> select array['a'::name, 'b'], array['a'::"char"]
array:_name | array:_char
{a,b} | {a}
SELECT 1

> select name 'abc', pg_typeof(name 'abc')
name:name | pg_typeof:regtype
abc | name
SELECT 1

> select 'a'::name = any(array['a', 'b']), 'A'::name ilike 'a'
?column?:bool | ?column?:bool
t | t
SELECT 1

> create temp table nt(n name primary key, c "char")
CREATE TABLE

> insert into nt values ('b', 'x'), ('a', 'y')
INSERT 0 2

> select * from nt order by n
n:name | c:char
a | y
b | x
SELECT 2

> select * from nt order by c
n:name | c:char
b | x
a | y
SELECT 2

> select n from nt where n = 'a'
n:name
a
SELECT 1

> select n from nt where n > 'a'::text
n:name
b
SELECT 1

> insert into nt values ('a', 'z')
ERROR 23505: duplicate key value violates unique constraint "nt_pkey"
DETAIL: Key (n)=(a) already exists.
