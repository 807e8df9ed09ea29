# Rows beside the rows of a subquery by every operator: the first columns that differ decide, NULL where one of them is unknown.
> create table rs (id int primary key, a int, b int, c text)
CREATE TABLE

> insert into rs values (1, 0, 5, 'x'), (2, 0, 7, 'y'), (3, 1, 1, 'x'), (4, 1, null, 'z'), (5, null, 2, null)
INSERT 0 5

> select (0,0) < any (select 1,1), (0,5) < any (select 0, 7 union all select 0,1), (1,1) < any (select 1, null::int), (1,2) <> all (select 1,2), (1,2) < all (select 1,3)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | t | NULL | f | t
SELECT 1

> select (1,2) <> all (select 1,3), (1,2) <> any (select 1,2), (1,null::int) <> all (select 2,2), (1,null::int) <> all (select 1,2), (1,2) >= any (select 2,3 union all select 1,1), (1,2) <= all (select 1,2)
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | NULL | t | t
SELECT 1

> select id from rs where (a, b) < any (select x.a, x.b from rs x where x.id > 1) order by id
id:int4
1
2
SELECT 2

> select id from rs where (a, b) >= all (select x.a, x.b from rs x where x.id < 3) order by id
id:int4
2
3
4
SELECT 3

> select id from rs r where (a, b) > any (select x.b, x.a from rs x where x.c = r.c) order by id
id:int4
SELECT 0

> select id, (a, b) <> all (select x.a, x.b from rs x where x.id <> r.id) from rs r order by id
id:int4 | ?column?:bool
1 | t
2 | t
3 | NULL
4 | NULL
5 | NULL
SELECT 5

> select id, (c, b) <= any (select x.c, x.b from rs x where x.id <> r.id) from rs r order by id
id:int4 | ?column?:bool
1 | t
2 | t
3 | t
4 | NULL
5 | NULL
SELECT 5

# Conditions within EXISTS that ask nothing of its rows.
> select x.id from rs x join rs y on x.a = y.a where exists (select from rs z where z.c = y.c and not exists (select from rs w where w.b = x.b and w.id <> x.id)) order by x.id
id:int4
1
1
2
2
3
3
4
4
SELECT 8

> select x.id from rs x where x.id in (select z.id from rs z where z.a = x.a and exists (select from rs w where w.a = x.b)) order by 1
id:int4
3
SELECT 1

> select x.id from rs x where not exists (select from rs z where z.a = x.a and exists (select from rs w where w.id = x.b)) order by 1
id:int4
2
4
5
SELECT 3

> select x.id from rs x where exists (select from rs z where not exists (select from rs w where w.id = x.b)) order by 1
id:int4
2
4
SELECT 2

> select x, y from generate_series(1, 2) x, generate_series(4, 5) y
x:int4 | y:int4
1 | 4
1 | 5
2 | 4
2 | 5
SELECT 4

# Numbers at the ends of their range.
> select round(4.5e131071, -131072) = 0, trunc(9.9e131071, -131071) = 9e131071, round(5e-16383, 16382) = 1e-16382, round(999, -3), round(5, -1), round(4, -1), round(123.456, -2147483648), round(-0.5e-3, 2)
?column?:bool | ?column?:bool | ?column?:bool | round:numeric | round:numeric | round:numeric | round:numeric | round:numeric
t | t | t | 1000 | 10 | 0 | 0 | 0.00
SELECT 1

> select round(5.5e131071, -131072)
ERROR 22003: value overflows numeric format

> select unistr('\+2FFFFF')
ERROR 22023: invalid Unicode code point: 2FFFFF

# A column that a set leaves out cannot be what an ordered-set aggregate starts from.
> select a, rank(1) within group (order by b nulls first) from rs group by rollup (a) order by 1, 2
a:int4 | rank:int8
0 | 1
1 | 2
NULL | 1
NULL | 2
SELECT 4

# A sequence of another type: bounds that were the old type's become the new one's.
> create sequence rs_seq as smallint minvalue -32768
CREATE SEQUENCE

> alter sequence rs_seq as int
ALTER SEQUENCE

> select data_type, start_value, min_value, max_value from pg_sequences where sequencename = 'rs_seq'
data_type:regtype | start_value:int8 | min_value:int8 | max_value:int8
integer | -32768 | -2147483648 | 2147483647
SELECT 1
