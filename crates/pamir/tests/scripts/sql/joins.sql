# Joins.
> create table a (id int primary key, v text)
CREATE TABLE

> create table b (id int primary key, a_id int, w text)
CREATE TABLE

> insert into a values (1, 'a1'), (2, 'a2'), (3, 'a3'), (4, null)
INSERT 0 4

> insert into b values (10, 1, 'b10'), (11, 1, 'b11'), (12, 2, 'b12'), (13, null, 'b13'), (14, 9, 'b14')
INSERT 0 5

> select * from a join b on a.id = b.a_id order by b.id
id:int4 | v:text | id:int4 | a_id:int4 | w:text
1 | a1 | 10 | 1 | b10
1 | a1 | 11 | 1 | b11
2 | a2 | 12 | 2 | b12
SELECT 3

> select a.id, b.id from a inner join b on a.id = b.a_id and b.w > 'b10' order by 1, 2
id:int4 | id:int4
1 | 11
2 | 12
SELECT 2

> select a.id, b.w from a left join b on a.id = b.a_id order by a.id, b.w
id:int4 | w:text
1 | b10
1 | b11
2 | b12
3 | NULL
4 | NULL
SELECT 5

> select a.id, b.w from a right join b on a.id = b.a_id order by b.id
id:int4 | w:text
1 | b10
1 | b11
2 | b12
NULL | b13
NULL | b14
SELECT 5

> select a.id, b.id from a full join b on a.id = b.a_id order by a.id nulls last, b.id nulls last
id:int4 | id:int4
1 | 10
1 | 11
2 | 12
3 | NULL
4 | NULL
NULL | 13
NULL | 14
SELECT 7

> select count(*) from a cross join b
count:int8
20
SELECT 1

> select count(*) from a, b
count:int8
20
SELECT 1

> select a.v, b.w from a, b where a.id = b.a_id order by 1, 2
v:text | w:text
a1 | b10
a1 | b11
a2 | b12
SELECT 3

> select * from a natural join b
id:int4 | v:text | a_id:int4 | w:text
SELECT 0

> select id from a join b using (id)
id:int4
SELECT 0

> select a.id from a left join b on a.id = b.a_id where b.id is null order by 1
id:int4
3
4
SELECT 2

> select a.id, b.id from a left join b on a.id = b.a_id and b.w = 'b11' order by 1, 2
id:int4 | id:int4
1 | 11
2 | NULL
3 | NULL
4 | NULL
SELECT 4

> select x.id, y.id from a x join a y on x.id < y.id order by 1, 2
id:int4 | id:int4
1 | 2
1 | 3
1 | 4
2 | 3
2 | 4
3 | 4
SELECT 6

> select id from a, b
ERROR 42702: column reference "id" is ambiguous

> select a.nosuch from a
ERROR 42703: column a.nosuch does not exist

> select c.id from a
ERROR 42P01: missing FROM-clause entry for table "c"

> select * from a join b on a.id = b.nosuch
ERROR 42703: column b.nosuch does not exist

> select a.id from a join b on true where a.id = 1 order by 1
id:int4
1
1
1
1
1
SELECT 5

> select a.id, s.n from a join (select a_id, count(*) n from b group by a_id) s on s.a_id = a.id order by 1
id:int4 | n:int8
1 | 2
2 | 1
SELECT 2

> select a.id, (select count(*) from b where b.a_id = a.id) from a order by 1
id:int4 | count:int8
1 | 2
2 | 1
3 | 0
4 | 0
SELECT 4

> select a.id from a where exists (select 1 from b where b.a_id = a.id) order by 1
id:int4
1
2
SELECT 2

> select a.id from a where not exists (select 1 from b where b.a_id = a.id) order by 1
id:int4
3
4
SELECT 2

> select a.id from a where a.id in (select a_id from b) order by 1
id:int4
1
2
SELECT 2

> select a.id from a where a.id not in (select a_id from b) order by 1
id:int4
SELECT 0

> select a.id from a where a.id not in (select a_id from b where a_id is not null) order by 1
id:int4
3
4
SELECT 2

> select a.id from a where a.id = any (select a_id from b) order by 1
id:int4
1
2
SELECT 2

> select a.id from a where a.id > all (select a_id from b where a_id < 3) order by 1
id:int4
3
4
SELECT 2

> select a.id, l.w from a, lateral (select w from b where b.a_id = a.id order by w desc limit 1) l order by 1
id:int4 | w:text
1 | b11
2 | b12
SELECT 2

> select a.id, l.w from a left join lateral (select w from b where b.a_id = a.id order by w limit 1) l on true order by 1
id:int4 | w:text
1 | b10
2 | b12
3 | NULL
4 | NULL
SELECT 4

> select a.id, g from a, generate_series(1, a.id) g where a.id < 3 order by 1, 2
id:int4 | g:int4
1 | 1
2 | 1
2 | 2
SELECT 3

> select count(*) from a x, a y, a z where x.id = y.id and y.id = z.id
count:int8
4
SELECT 1

> select x.id from (a x join a y on x.id = y.id) join b on b.a_id = x.id order by 1
id:int4
1
1
2
SELECT 3

> select * from (select 1 as one) q, (select 2 as two) r
one:int4 | two:int4
1 | 2
SELECT 1

> select a.* from a join b on b.a_id = a.id where b.id = 10
id:int4 | v:text
1 | a1
SELECT 1

> select b.*, a.v from a join b on b.a_id = a.id order by b.id
id:int4 | a_id:int4 | w:text | v:text
10 | 1 | b10 | a1
11 | 1 | b11 | a1
12 | 2 | b12 | a2
SELECT 3

> select t1.id from a t1, a t1
ERROR 42712: table name "t1" specified more than once

> select a.id from a x
ERROR 42P01: invalid reference to FROM-clause entry for table "a"
HINT: Perhaps you meant to reference the table alias "x".

> select * from a where (select w from b where b.a_id = a.id) = 'x'
id:int4 | v:text
ERROR 21000: more than one row returned by a subquery used as an expression

> select * from a where id = (select a_id from b where id = 12)
id:int4 | v:text
2 | a2
SELECT 1

> select a.id, coalesce(b.w, 'none') from a left join b on b.a_id = a.id order by 1, 2
id:int4 | coalesce:text
1 | b10
1 | b11
2 | b12
3 | none
4 | none
SELECT 5

> select a.id, b.id from a left join b on a.id = b.a_id left join a c on c.id = b.a_id where c.id is not null order by 1, 2
id:int4 | id:int4
1 | 10
1 | 11
2 | 12
SELECT 3

> select distinct a.id from a join b on a.id = b.a_id order by a.id
id:int4
1
2
SELECT 2

> select max(b.id) from a join b on a.id = b.a_id
max:int4
12
SELECT 1

> select a.id, array(select b.id from b where b.a_id = a.id order by 1) from a order by 1
id:int4 | array:_int4
1 | {10,11}
2 | {12}
3 | {}
4 | {}
SELECT 4

> select 1 from a join b
ERROR 42601: syntax error at end of input

