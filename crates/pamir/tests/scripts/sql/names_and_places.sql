# What a name may mean where, and what PostgreSQL's grammar does not have.
> create table t (a int, b text)
CREATE TABLE

> insert into t values (1, 'x'), (2, 'y')
INSERT 0 2

# The left side of a RIGHT or FULL JOIN may be named on its right, but not used.
> select * from t right join lateral (values (t.a)) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t full join lateral (values (a)) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t right join lateral (select t.a) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t full join lateral (select b from t u where u.a = t.a) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t right join lateral (select t) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t right join lateral generate_series(1, t.a) v(x) on true
ERROR 42P10: invalid reference to FROM-clause entry for table "t"
DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.

> select * from t left join lateral (values (t.a), (-1)) v(x) on true order by 1, 3
a:int4 | b:text | x:int4
1 | x | -1
1 | x | 1
2 | y | -1
2 | y | 2
SELECT 4

> select * from t left join lateral (values (t.a), (-1)) v(x) on v.x = t.a order by 1, 3
a:int4 | b:text | x:int4
1 | x | 1
2 | y | 2
SELECT 2

> select * from t right join (t u cross join lateral (values (u.a)) v(x)) on t.a = v.x order by 1
a:int4 | b:text | a:int4 | b:text | x:int4
1 | x | 1 | x | 1
2 | y | 2 | y | 2
SELECT 2

> select a, (select sum(x) from (values (a), (a + 1)) v(x)) from t order by 1, 2
a:int4 | sum:int8
1 | 3
2 | 5
SELECT 2

# Words of the standard that are names here.
> select lag(a) ignore nulls over () from t
ERROR 42601: syntax error at or near "nulls"

> select sum(a) respect nulls from t
ERROR 42601: syntax error at or near "nulls"

> select a from t order by lag(a) ignore nulls over ()
ERROR 42601: syntax error at or near "ignore"

> select 1 as ignore, 2 respect
ignore:int4 | respect:int4
1 | 2
SELECT 1

# An operator with a ! may end with a sign.
> select 1!=-1
ERROR 42883: operator does not exist: integer !=- integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select a from t where a!=+1
ERROR 42883: operator does not exist: integer !=+ integer
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select 1 != -1, 1<>-1, 1!= -1
?column?:bool | ?column?:bool | ?column?:bool
t | t | t
SELECT 1

# The place of an operator beside casts.
> select '{}'::json = '{}'::json
ERROR 42883: operator does not exist: json = json
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select ('{}'::json) <> ('{}'::json)
ERROR 42883: operator does not exist: json <> json
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select cast('{}' as json) = cast('{}' as json)
ERROR 42883: operator does not exist: json = json
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select '{}'::json != '{}'::json
ERROR 42883: operator does not exist: json <> json
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

> select a::text + b::text from t
ERROR 42883: operator does not exist: text + text
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

# Rows in arrays keep the names of their fields.
> select array_to_json(array_agg(t order by a)) from t
array_to_json:json
[{"a":1,"b":"x"},{"a":2,"b":"y"}]
SELECT 1

> select to_jsonb(array_agg(t order by a)) from t
to_jsonb:jsonb
[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
SELECT 1

> select to_json(array(select t from t order by a))
to_json:json
[{"a":1,"b":"x"},{"a":2,"b":"y"}]
SELECT 1

> select array_to_json(array_agg(row(a, b) order by a)) from t
array_to_json:json
[{"f1":1,"f2":"x"},{"f1":2,"f2":"y"}]
SELECT 1

> select row_to_json(x) from (select array_agg(t order by a) as list from t) x
row_to_json:json
{"list":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}
SELECT 1

> select json_agg(x) from (select a, array_agg(t) as rows from t group by a order by a) x
json_agg:json
[{"a":1,"rows":[{"a":1,"b":"x"}]}, \n {"a":2,"rows":[{"a":2,"b":"y"}]}]
SELECT 1

# The standard's form of SUBSTRING.
> select substring('foobar' similar 'o_b' escape '#')
substring:text
NULL
SELECT 1

> select substring('foobar' similar '%#"o_b#"%' escape '#')
substring:text
oob
SELECT 1

> select substring((select 'foobar') similar ('%' || '#"o_b#"%') escape '#')
substring:text
oob
SELECT 1

# What foreign keys depend on: columns of both sides and the index.
> create table fk1 (a int, b int, unique (b, a)); create table fk2 (x int, y bigint, constraint f foreign key (x, y) references fk1 (a, b))
CREATE TABLE
CREATE TABLE

> select refclassid::regclass, refobjid::regclass, refobjsubid, deptype from pg_depend where classid = 'pg_constraint'::regclass and objid = (select oid from pg_constraint where conname = 'f') order by refobjid::regclass::text, refobjsubid
refclassid:regclass | refobjid:regclass | refobjsubid:int4 | deptype:char
pg_class | fk1 | 1 | n
pg_class | fk1 | 2 | n
pg_class | fk1_b_a_key | 0 | n
pg_class | fk2 | 1 | a
pg_class | fk2 | 2 | a
SELECT 5

# More columns than rows may have.
> create table w (c0 int default 0)
CREATE TABLE

> select w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.* from w
ERROR 54011: target lists can have at most 1664 entries

> insert into w default values returning w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*
ERROR 54011: number of columns (1665) exceeds limit (1664)

> select count(*) from (select w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.*, w.* from w) x
count:int8
0
SELECT 1

# A statement may end its own.
> select count(pg_cancel_backend(pg_backend_pid()))
count:int8
ERROR 57014: canceling statement due to user request
