# Sets of rows in FROM: the column definition list names their fields.
> select * from unnest(array[row(1, row(2))]) as q(a int, b record)
a:int4 | b:record
1 | (2)
SELECT 1

> select a, b from unnest(array[row(1, 'x'::text), row(2, 'y'::text)]) as q(a int, b text)
a:int4 | b:text
1 | x
2 | y
SELECT 2

> select q.a, q.b = row(2), q.c = array[row(3)], q.d = row(row(4)) from unnest(array[row(1, row(2), array[row(3)], row(row(4))), row(2, row(3), array[row(4)], row(row(5)))]) as q(a int, b record, c record[], d record)
a:int4 | ?column?:bool | ?column?:bool | ?column?:bool
1 | t | t | t
2 | f | f | f
SELECT 2

> select * from unnest(array[row(1, 2)]) as q(a int)
a:int4
ERROR 42804: function return row and query-specified return row do not match
DETAIL: Returned row contains 2 attributes, but query expects 1.

> select * from unnest(array[row(1)]) as q(a int, b int)
a:int4 | b:int4
ERROR 42804: function return row and query-specified return row do not match
DETAIL: Returned row contains 1 attribute, but query expects 2.

> select * from unnest(array[row(1)]) as q(a text)
a:text
ERROR 42804: function return row and query-specified return row do not match
DETAIL: Returned type integer at ordinal position 1, but query expects text.

> select * from unnest(array[row(1), null]) as q(a int)
a:int4
1
NULL
SELECT 2

> select * from unnest(array[row(1, 2)]) with ordinality as q(a, b)
ERROR 42601: a column definition list is required for functions returning "record"

> select * from unnest(array[row(1, 2)]) as q
ERROR 42601: a column definition list is required for functions returning "record"

> select * from unnest(array[row(1, 2)]) as q(a, b)
ERROR 42601: a column definition list is required for functions returning "record"

> select * from (values (1)) v(x), unnest(array[row(v.x, 2)]) as q(a int, b int)
x:int4 | a:int4 | b:int4
1 | 1 | 2
SELECT 1

> create table us(a int, b text)
CREATE TABLE

> insert into us values (1, 'x'), (2, 'y')
INSERT 0 2

> select * from unnest((select array_agg(us) from us)) as q(a int, b text)
ERROR 42601: a column definition list is redundant for a function returning a named composite type

> select * from unnest((select array_agg(us order by a) from us))
a:int4 | b:text
1 | x
2 | y
SELECT 2

> select (unnest(array_agg(us order by a))).b from us
b:text
x
y
SELECT 2

> select * from json_to_record('{"a": 1, "b": 2}') as q(a int, b text), unnest(array[row(3)]) as r(c int)
a:int4 | b:text | c:int4
1 | 2 | 3
SELECT 1

> drop table us
DROP TABLE
