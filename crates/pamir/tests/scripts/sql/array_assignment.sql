# Assignment to elements and slices of arrays.
> create table t (id int primary key, a int[], b text[], v varchar(3)[], n numeric(5,2)[], x int)
CREATE TABLE

> insert into t (id, a, b) values (1, '{1,2,3}', '{x,y}'), (2, null, null), (3, '{}', '{}'), (4, '{{1,2},{3,4}}', null)
INSERT 0 4

> update t set a[2] = 5 where id = 1 returning a
a:_int4
{1,5,3}
UPDATE 1

> update t set a[2] = 6 where id = 1 returning a
a:_int4
{1,6,3}
UPDATE 1

> update t set a[1:2] = '{7,8}' where id = 1 returning a
a:_int4
{7,8,3}
UPDATE 1

> update t set a[5] = 50 where id = 1 returning a
a:_int4
{7,8,3,NULL,50}
UPDATE 1

> update t set a[-1] = 0 where id = 1 returning a
a:_int4
[-1:5]={0,NULL,7,8,3,NULL,50}
UPDATE 1

> update t set a = '{1,2,3}', b[1] = 'q' where id = 1 returning a, b
a:_int4 | b:_text
{1,2,3} | {q,y}
UPDATE 1

> update t set a[1] = 10, a[2] = a[1] + 20, b[2] = null where id = 1 returning a, b
a:_int4 | b:_text
{10,21,3} | {q,NULL}
UPDATE 1

> update t set (a[1], b[2], x) = (11, 'z', 5) where id = 1 returning a, b, x
a:_int4 | b:_text | x:int4
{11,21,3} | {q,z} | 5
UPDATE 1

> update t set (a[1], a[3]) = (select 7, 9) where id = 1 returning a
a:_int4
{7,21,9}
UPDATE 1

> update t set a[x - 4] = x where id = 1 returning a
a:_int4
{5,21,9}
UPDATE 1

> update t set a[:2] = '{4,4}', b[2:] = '{w}' where id = 1 returning a, b
a:_int4 | b:_text
{4,4,9} | {q,w}
UPDATE 1

> update t set a[:] = '{5,5,5,5}' where id = 1 returning a
a:_int4
{5,5,5}
UPDATE 1

> update t set a[3:5] = array[1,2,3] where id = 1 returning a
a:_int4
{5,5,1,2,3}
UPDATE 1

> update t set a[2:1] = '{1}' where id = 1
ERROR 2202E: upper bound cannot be less than lower bound

> update t set a[1:3] = '{1}' where id = 1
ERROR 2202E: source array too small

> update t set a[1:2] = null where id = 1 returning a
a:_int4
{5,5,1,2,3}
UPDATE 1

> update t set a[1] = null where id = 1 returning a
a:_int4
{NULL,5,1,2,3}
UPDATE 1

> update t set a[null] = 1 where id = 1
ERROR 22004: array subscript in assignment must not be null

> update t set a[1][1] = 1 where id = 1
ERROR 2202E: wrong number of array subscripts

# NULL and empty arrays.
> update t set a[2] = 5, b[3:4] = '{m,n}' where id in (2, 3) returning id, a, b
id:int4 | a:_int4 | b:_text
2 | [2:2]={5} | [3:4]={m,n}
3 | [2:2]={5} | [3:4]={m,n}
UPDATE 2

> update t set a = null, b = '{}' where id in (2, 3) returning id, a, b
id:int4 | a:_int4 | b:_text
2 | NULL | {}
3 | NULL | {}
UPDATE 2

> update t set a[1:2][0:1] = '{1,2,3,4}' where id = 2 returning a
a:_int4
[1:2][0:1]={{1,2},{3,4}}
UPDATE 1

> update t set a[:2] = '{1,2}' where id = 3
ERROR 2202E: array slice subscript must provide both boundaries
DETAIL: When assigning to a slice of an empty array value, slice boundaries must be fully specified.

> update t set b[1:0] = '{}' where id = 3 returning b
b:_text
{}
UPDATE 1

> update t set b[1:2] = null where id = 3 returning b
b:_text
{}
UPDATE 1

> update t set a[1:3] = '{1,2}' where id = 3
ERROR 2202E: source array too small

# More dimensions.
> update t set a[2][1] = 30 where id = 4 returning a
a:_int4
{{1,2},{30,4}}
UPDATE 1

> update t set a[1:2][2:2] = '{20,40}' where id = 4 returning a
a:_int4
{{1,20},{30,40}}
UPDATE 1

> update t set a[1:2] = '{9,8,7,6}' where id = 4 returning a
a:_int4
{{9,8},{7,6}}
UPDATE 1

> update t set a[3][1] = 1 where id = 4
ERROR 2202E: array subscript out of range

> update t set a[1] = 1 where id = 4
ERROR 2202E: wrong number of array subscripts

> update t set a[1][2:3] = '{1,2}' where id = 4
ERROR 2202E: array subscript out of range

> update t set a[1:1][2] = '{5,6}' where id = 4 returning a
a:_int4
{{5,6},{7,6}}
UPDATE 1

> update t set a[1][1][1] = 1 where id = 4
ERROR 2202E: wrong number of array subscripts

# Types.
> update t set v[1] = 'ab', n[1] = 1.239 where id = 1 returning v, n
v:_varchar | n:_numeric
{ab} | {1.24}
UPDATE 1

> update t set v[2] = 'abcdef' where id = 1
ERROR 22001: value too long for type character varying(3)

> update t set a[1] = 'x' where id = 1
ERROR 22P02: invalid input syntax for type integer: "x"

> update t set a[1] = 1.6 where id = 1 returning a
a:_int4
{2,5,1,2,3}
UPDATE 1

> update t set a[1] = true where id = 1
ERROR 42804: subscripted assignment to "a" requires type integer but expression is of type boolean
HINT: You will need to rewrite or cast the expression.

> update t set a[1:2] = 5 where id = 1
ERROR 42804: subscripted assignment to "a" requires type integer[] but expression is of type integer
HINT: You will need to rewrite or cast the expression.

> update t set a['x'] = 5 where id = 1
ERROR 22P02: invalid input syntax for type integer: "x"

> update t set a[1.5] = 5 where id = 1 returning a
a:_int4
{2,5,1,2,3}
UPDATE 1

> update t set a[true] = 5 where id = 1
ERROR 42804: array subscript must have type integer

> update t set x[1] = 5 where id = 1
ERROR 42804: cannot subscript type integer because it does not support subscripting

> update t set a[1] = default where id = 1
ERROR 0A000: cannot set an array element to DEFAULT

> update t set a[1] = 1, a = '{}' where id = 1
ERROR 42601: multiple assignments to same column "a"

> update t set a = '{}', a[1] = 1 where id = 1
ERROR 42601: multiple assignments to same column "a"

> update t set nothing[1] = 1
ERROR 42703: column "nothing" of relation "t" does not exist

> update t set a[1] = 1, x = case when x is distinct from 1 then 2 end, a[2] = 3 where id = 1 returning a, x
a:_int4 | x:int4
{1,3,1,2,3} | 2
UPDATE 1

> update t u set a[1] = u.x + o.x, b[1] = o.id::text from t o where o.id = u.id and u.id = 1 returning u.a, u.b
a:_int4 | b:_text
{4,3,1,2,3} | {1,w}
UPDATE 1

# INSERT, ON CONFLICT.
> insert into t (id, a[1], a[2]) values (10, 4, 5), (11, null, 6) returning a
a:_int4
{4,5}
{NULL,6}
INSERT 0 2

> insert into t (id, a[1:2], b[3]) values (12, '{1,2}', 'c') returning a, b
a:_int4 | b:_text
{1,2} | [3:3]={c}
INSERT 0 1

> insert into t (id, a[3], x) select 20 + id, id, x from t where id < 3 order by id returning id, a, x
id:int4 | a:_int4 | x:int4
21 | [3:3]={1} | 2
22 | [3:3]={2} | NULL
INSERT 0 2

> insert into t (id, a[1]) values (30, default)
ERROR 0A000: cannot set an array element to DEFAULT

> insert into t (id, a[1], a) values (30, 1, '{}')
ERROR 42701: column "a" specified more than once

> insert into t (id, a, a[1]) values (30, '{}', 1)
ERROR 42701: column "a" specified more than once

> insert into t (id, a[1]) values (30, 'x')
ERROR 22P02: invalid input syntax for type integer: "x"

> insert into t as o (id, a[1]) values (10, 1) on conflict (id) do update set a[2] = excluded.a[1] + o.a[2], b[1] = 'new' returning a, b
a:_int4 | b:_text
{4,6} | {new}
INSERT 0 1

> prepare p(int, int) as update t set a[$1] = $2 where id = 10 returning a
PREPARE

> execute p(1, 100)
a:_int4
{100,6}
UPDATE 1

> execute p(4, 400)
a:_int4
{100,6,NULL,400}
UPDATE 1

> with u as (update t set a[1] = 1 where id = 10 returning a) select * from u
a:_int4
{1,6,NULL,400}
SELECT 1

> create table g (a int[], s int generated always as (a[1]) stored, k int[] generated always as (a) stored, check (a[1] > 0))
CREATE TABLE

> insert into g values ('{1}')
INSERT 0 1

> update g set a[1] = 2 returning *
a:_int4 | s:int4 | k:_int4
{2} | 2 | {2}
UPDATE 1

> update g set a[1] = -2
ERROR 23514: new row for relation "g" violates check constraint "g_a_check"
DETAIL: Failing row contains ({-2}, -2, {-2}).

> update g set k[1] = 2
ERROR 428C9: column "k" can only be updated to DEFAULT
DETAIL: Column "k" is a generated column.

> create index on t ((a[1]))
CREATE INDEX

> update t set a[1] = 77 where id = 12
UPDATE 1

> select id, a from t where a[1] = 77
id:int4 | a:_int4
12 | {77,2}
SELECT 1

# What follows the table is not always a list of columns.
> create table lists (a text[], b int[])
CREATE TABLE

> insert into lists values (array['x', 'y'], array[1, 2]) returning *
a:_text | b:_int4
{x,y} | {1,2}
INSERT 0 1

> insert into lists select (array['x', 'y']), array[1, 2] returning *
a:_text | b:_int4
{x,y} | {1,2}
INSERT 0 1

> insert into lists (select array['x', 'y'], array[a[1]] from t where id = 10) returning *
a:_text | b:_int4
{x,y} | {1}
INSERT 0 1

> insert into public.lists as l (a[1], b[2]) values ((array['x', 'y'])[2], (array[1, 2])[1]) returning l.*
a:_text | b:_int4
{y} | [2:2]={1}
INSERT 0 1
