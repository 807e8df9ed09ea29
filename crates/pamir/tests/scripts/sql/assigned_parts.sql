# Assignment to parts of columns: fields, elements, paths of jsonb; domains look at the whole.

> create type pair as (x int, y text)
CREATE TYPE

> create type nest as (p pair, n int[], t text)
CREATE TYPE

> create table ct(id int primary key, c pair, d nest, ps pair[], j jsonb)
CREATE TABLE

> insert into ct(id, c.x) values (1, 5)
INSERT 0 1

> insert into ct(id, c.x, c.y) values (2, 6, 'six'), (3, 7, null)
INSERT 0 2

> insert into ct(id, d.p.x, d.n[2], d.t) values (4, 1, 22, 'tt')
INSERT 0 1

> insert into ct(id, ps[1].x, ps[2].y) values (5, 1, 'two')
INSERT 0 1

> insert into ct(id, j['a']['b']) values (6, '1')
INSERT 0 1

> insert into ct(id, c.y) select 7, 'from select'
INSERT 0 1

> select * from ct order by id
id:int4 | c:user | d:user | ps:user | j:jsonb
1 | (5,) | NULL | NULL | NULL
2 | (6,six) | NULL | NULL | NULL
3 | (7,) | NULL | NULL | NULL
4 | NULL | ("(1,)",[2:2]={22},tt) | NULL | NULL
5 | NULL | NULL | {"(1,)","(,two)"} | NULL
6 | NULL | NULL | NULL | {"a": {"b": 1}}
7 | (,"from select") | NULL | NULL | NULL
SELECT 7

> update ct set c.x = 50 where id = 1 returning c
c:user
(50,)
UPDATE 1

> update ct set c.x = c.x + 1, c.y = 'both' where id = 2 returning *
ERROR 42P01: missing FROM-clause entry for table "c"

> update ct set c.y = null where id = 3 returning c
c:user
(7,)
UPDATE 1

> update ct set d.p.y = 'deep', d.n[1] = 11 where id = 4 returning d
d:user
("(1,deep)","{11,22}",tt)
UPDATE 1

> update ct set d.p = row(8, 'eight') where id = 4 returning d
d:user
("(8,eight)","{11,22}",tt)
UPDATE 1

> update ct set d.p.x = 9 where id = 1 returning d
d:user
("(9,)",,)
UPDATE 1

> update ct set ps[1].y = 'one', ps[3] = row(3, 'three') where id = 5 returning ps
ps:user
{"(1,one)","(,two)","(3,three)"}
UPDATE 1

> update ct set (c.x, c.y) = (1, 'a') where id = 6 returning c
c:user
(1,a)
UPDATE 1

> update ct set (c.x, c.y) = (select 3, 'sub') where id = 6 returning c
c:user
(3,sub)
UPDATE 1

> update ct set c.z = 1
ERROR 42703: cannot assign to field "z" of column "c" because there is no such column in data type pair

> update ct set id.z = 1
ERROR 42804: cannot assign to field "z" of column "id" because its type integer is not a composite type

> update ct set c.x.q = 1
ERROR 42804: cannot assign to field "q" of column "x" because its type integer is not a composite type

> update ct set c.x = 'abc'
ERROR 22P02: invalid input syntax for type integer: "abc"

> update ct set c.x = true
ERROR 42804: subfield "x" is of type integer but expression is of type boolean
HINT: You will need to rewrite or cast the expression.

> update ct set c.x = 1, c = null
ERROR 42601: multiple assignments to same column "c"

> update ct set c.x = 1, c.x = 2 where id = 7 returning c
c:user
(2,"from select")
UPDATE 1

> update ct set c.x = default
ERROR 0A000: cannot set a subfield to DEFAULT

> update ct set c[1] = 1
ERROR 42804: cannot subscript type pair because it does not support subscripting

> update ct set c.* = row(1)
ERROR 0A000: row expansion via "*" is not supported here

> insert into ct(id, c.x, c) values (8, 1, null)
ERROR 42701: column "c" specified more than once

> insert into ct(id, c.z) values (8, 1)
ERROR 42703: cannot assign to field "z" of column "c" because there is no such column in data type pair

> insert into ct(id, c.x) values (8, 'abc')
ERROR 22P02: invalid input syntax for type integer: "abc"

> insert into ct(id, c.x) values (8, default)
ERROR 0A000: cannot set a subfield to DEFAULT

> insert into ct(id, c.x) values (8, true)
ERROR 42804: subfield "x" is of type integer but expression is of type boolean
HINT: You will need to rewrite or cast the expression.

> insert into ct(id, c.x) values (1, 9) on conflict (id) do update set c.x = excluded.id + 100, c.y = 'conflict' returning c
c:user
(101,conflict)
INSERT 0 1

> select (c).x, (d).p.y, (d).n[1], ps[1].x from ct order by id
x:int4 | y:text | n:int4 | x:int4
101 | NULL | NULL | NULL
6 | NULL | NULL | NULL
7 | NULL | NULL | NULL
NULL | eight | 11 | NULL
NULL | NULL | NULL | 1
3 | NULL | NULL | NULL
2 | NULL | NULL | NULL
SELECT 7

# jsonb
> update ct set j['a'] = '2' where id = 6 returning j
j:jsonb
{"a": 2}
UPDATE 1

> update ct set j['a']['x'] = '2' where id = 6
ERROR 22023: cannot replace existing key
DETAIL: The path assumes key is a composite object, but it is a scalar value.

> update ct set j['l'][2] = '"e"' where id = 6 returning j
j:jsonb
{"a": 2, "l": [null, null, "e"]}
UPDATE 1

> update ct set j['l'][-1] = '"last"', j['l'][0] = '0' where id = 6 returning j
j:jsonb
{"a": 2, "l": [0, null, "last"]}
UPDATE 1

> update ct set j['l'][-5] = '1' where id = 6
ERROR 22023: path element at position 2 is out of range: -5

> update ct set j['l']['k'] = '1' where id = 6
ERROR 22P02: path element at position 2 is not an integer: "k"

> update ct set j[0] = '1' where id = 1 returning j
j:jsonb
[1]
UPDATE 1

> update ct set j['a'][0]['b'] = '{"n": 1}' where id = 2 returning j
j:jsonb
{"a": [{"b": {"n": 1}}]}
UPDATE 1

> update ct set j[null] = '1' where id = 2
ERROR 22004: jsonb subscript in assignment must not be null

> update ct set j['q'] = null where id = 2 returning j
j:jsonb
{"a": [{"b": {"n": 1}}], "q": null}
UPDATE 1

> update ct set j['q'] = 5 where id = 2
ERROR 42804: subscripted assignment to "j" requires type jsonb but expression is of type integer
HINT: You will need to rewrite or cast the expression.

> update ct set j['q'] = to_jsonb(5) where id = 2 returning j
j:jsonb
{"a": [{"b": {"n": 1}}], "q": 5}
UPDATE 1

> update ct set j[1:2] = '1' where id = 2
ERROR 42804: jsonb subscript does not support slices

> update ct set j[1.5] = '1' where id = 2
ERROR 42804: subscript type numeric is not supported
HINT: jsonb subscript must be coercible to either integer or text.

> update ct set j = '1' where id = 3
UPDATE 1

> update ct set j[0] = '1' where id = 3
ERROR 22023: cannot replace existing key
DETAIL: The path assumes key is a composite object, but it is a scalar value.

> update ct set j['a'] = '1' where id = 3
ERROR 22023: cannot replace existing key
DETAIL: The path assumes key is a composite object, but it is a scalar value.

> update ct set j = '{}', j['a'] = '1' where id = 3
ERROR 42601: multiple assignments to same column "j"

> update ct set j['a'] = '1', j['b']['c'] = '2', j['a'] = '3' where id = 4 returning j
j:jsonb
{"a": 3, "b": {"c": 2}}
UPDATE 1

> update ct set j['1'] = '5' where id = 4 returning j
j:jsonb
{"1": 5, "a": 3, "b": {"c": 2}}
UPDATE 1

> update ct set j[3] = '5' where id = 5 returning j
j:jsonb
[null, null, null, 5]
UPDATE 1

> update ct set j[2]['z'] = '6' where id = 5
ERROR 22023: cannot replace existing key
DETAIL: The path assumes key is a composite object, but it is a scalar value.

> update ct set j[2].z = '6' where id = 5
ERROR 42804: cannot assign to field "z" of column "j" because its type jsonb is not a composite type

> select j['a'], j['l'][1], j['none']['x'] from ct order by id
j:jsonb | j:jsonb | j:jsonb
NULL | NULL | NULL
[{"b": {"n": 1}}] | NULL | NULL
NULL | NULL | NULL
3 | NULL | NULL
NULL | NULL | NULL
2 | null | NULL
NULL | NULL | NULL
SELECT 7

# domains
> create domain pos as int check (value > 0)
CREATE DOMAIN

> create domain pairs as pair check ((value).x < 100)
CREATE DOMAIN

> create domain nums as int[] check (value[1] < 100)
CREATE DOMAIN

> create type dp as (x pos, y pairs)
CREATE TYPE

> create table dt(id int primary key, p pairs, n nums, d dp, ps pos[])
CREATE TABLE

> insert into dt(id, p.x, n[1], d.x, ps[1]) values (1, 5, 6, 7, 8)
INSERT 0 1

> insert into dt(id, p.x) values (2, 500)
ERROR 23514: value for domain pairs violates check constraint "pairs_check"

> insert into dt(id, n[1]) values (2, 500)
ERROR 23514: value for domain nums violates check constraint "nums_check"

> insert into dt(id, d.x) values (2, -1)
ERROR 23514: value for domain pos violates check constraint "pos_check"

> insert into dt(id, d.y.x) values (2, 500)
ERROR 23514: value for domain pairs violates check constraint "pairs_check"

> insert into dt(id, ps[2]) values (2, -1)
ERROR 23514: value for domain pos violates check constraint "pos_check"

> update dt set p.x = 500
ERROR 23514: value for domain pairs violates check constraint "pairs_check"

> update dt set p.x = 50, p.y = 'y' returning p
p:user
(50,y)
UPDATE 1

> update dt set n[1] = 500
ERROR 23514: value for domain nums violates check constraint "nums_check"

> update dt set n[1] = 500, n[1] = 5 returning n
n:_int4
{5}
UPDATE 1

> update dt set d.x = 0
ERROR 23514: value for domain pos violates check constraint "pos_check"

> update dt set d.y.x = 99, d.x = 3 returning d
d:user
(3,"(99,)")
UPDATE 1

> update dt set ps[1] = -5
ERROR 23514: value for domain pos violates check constraint "pos_check"

> select id, p, n, d, ps::int[] from dt
id:int4 | p:user | n:_int4 | d:user | ps:_int4
1 | (50,y) | {5} | (3,"(99,)") | {8}
SELECT 1

> drop table dt, ct
DROP TABLE

> drop type dp, nest, pair cascade
NOTICE 00000: drop cascades to type pairs
DROP TYPE
