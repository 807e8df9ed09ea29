# Casts to unknown and to polymorphic types say nothing of a parameter's type: who takes the expression does.
> prepare p1 as select cast($1 as unknown)
PREPARE

> execute p1('a')
unknown:text
a
SELECT 1

> prepare p2 as select cast($1 as anyelement)
PREPARE

> select '{1,2}'::int[]::anyarray, 1::anyelement, 1.5::anynonarray
anyarray:_int4 | anyelement:int4 | anynonarray:numeric
{1,2} | 1 | 1.5
SELECT 1

> select 1::anyarray
ERROR 42846: cannot cast type integer to anyarray

> select array[1]::anynonarray
ERROR 42846: cannot cast type integer[] to anynonarray

# A parameter of type void is none: drivers pass what is OUT only.
> prepare p3(void) as select now($1) is null
PREPARE

> execute p3('')
?column?:bool
f
SELECT 1

# Constants without a value fail when they are run, not when they are prepared.
> prepare p4 as select 1/0
PREPARE

> execute p4
ERROR 22012: division by zero

> prepare p5 as select a from (values (1)) v(a) where a > 1/0
PREPARE

> execute p5
ERROR 22012: division by zero

> create table nodata as select 1/0 as a with no data
CREATE TABLE AS

> select * from nodata
a:int4
SELECT 0

> create table somedata as select 1/0 as a
ERROR 22012: division by zero

> select * from somedata
ERROR 42P01: relation "somedata" does not exist

> explain select 1/0
ERROR 22012: division by zero

# One array among the elements makes all of them arrays.
> select array['{NULL,NULL}', array[1, null]]::int[]
array:_int4
{{NULL,NULL},{1,NULL}}
SELECT 1

> select array['{1,2}'::int[], '{3,4}']::text[]
array:_text
{{1,2},{3,4}}
SELECT 1

> select array['{1,2}', null]::int[]
ERROR 22P02: invalid input syntax for type integer: "{1,2}"

# Rows and subqueries of one row: NULL without one, 21000 with more.
> select (1, 2) = (select 1, 2), (1, 2) <> (select 1, 3), (1, 2) < (select 1, 3), (1, null) = (select 1, 2), (1, 2) = (select 1, 2 where false)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | t | NULL | NULL
SELECT 1

> select (1, 2) = (select 1, 2 union all select 1, 2)
?column?:bool
ERROR 21000: more than one row returned by a subquery used as an expression

> select (1, 2) = (select 1)
ERROR 42601: subquery has too few columns

> select (1, 2) = (select 1, 2, 3)
ERROR 42601: subquery has too many columns

> select v.a, (v.a, 4) = (select w.b, 4 from (values (1), (2)) w(b) where w.b = v.a) as r from (values (1), (2), (3)) v(a)
a:int4 | r:bool
1 | t
2 | t
3 | NULL
SELECT 3

> select v.a from (values (1), (2), (3)) v(a) where (v.a, v.a) >= (select max(w.b), 2 from (values (1), (2)) w(b) where w.b <= v.a)
a:int4
2
3
SELECT 2

> select count(*) from (values (1), (2), (3)) v(a) having (count(*), max(a)) = (select 3, 3)
count:int8
3
SELECT 1
