# Set-returning functions as keys of GROUP BY, within each other and beside subqueries; subqueries that are written alike.

> create table few(id int, dataa text, datab text)
CREATE TABLE

> insert into few values(1,'a','foo'),(2,'a','bar'),(3,'b','bar')
INSERT 0 3

> create table posts(id int primary key, tags text[], n int)
CREATE TABLE

> insert into posts values (1,'{a,b}',5),(2,'{b,c}',6),(3,'{}',7),(4,null,8)
INSERT 0 4

> select unnest(tags) tag, count(*) from posts group by tag order by 1
tag:text | count:int8
a | 1
b | 2
c | 1
SELECT 3

> select unnest(tags) tag, count(*) from posts group by 1 order by 2 desc, 1
tag:text | count:int8
b | 2
a | 1
c | 1
SELECT 3

> select unnest(tags) tag, count(*), sum(n), array_agg(id order by n desc) filter (where n<>6) from posts group by unnest(tags) order by 2 desc, 1 limit 2
tag:text | count:int8 | sum:int8 | array_agg:_int4
b | 2 | 11 | {1}
a | 1 | 5 | {1}
SELECT 2

> select upper(unnest(tags)) tag, count(*) from posts group by upper(unnest(tags)) having count(*)>1
tag:text | count:int8
B | 2
SELECT 1

> select id, unnest(tags) from posts where id in (select unnest(array[1,2])) order by 1,2
id:int4 | unnest:text
1 | a
1 | b
2 | b
2 | c
SELECT 4

> SELECT generate_series(1, 3)
generate_series:int4
1
2
3
SELECT 3

> SELECT generate_series(1, generate_series(1, 3))
generate_series:int4
1
1
2
1
2
3
SELECT 6

> SELECT generate_series(generate_series(1,3), generate_series(2, 4))
generate_series:int4
1
2
2
3
3
4
SELECT 6

> SELECT generate_series(1, generate_series(1, 3)), generate_series(2, 4)
generate_series:int4 | generate_series:int4
1 | 2
1 | 3
2 | 3
1 | 4
2 | 4
3 | 4
SELECT 6

> SELECT few.dataa, count(*), min(id), max(id), unnest('{1,1,3}'::int[]) FROM few WHERE few.id = 1 GROUP BY few.dataa, unnest('{1,1,3}'::int[])
dataa:text | count:int8 | min:int4 | max:int4 | unnest:int4
a | 2 | 1 | 1 | 1
a | 1 | 1 | 1 | 3
SELECT 2

> SELECT few.dataa, count(*), min(id), max(id), unnest('{1,1,3}'::int[]) FROM few WHERE few.id = 1 GROUP BY few.dataa, 5
dataa:text | count:int8 | min:int4 | max:int4 | unnest:int4
a | 2 | 1 | 1 | 1
a | 1 | 1 | 1 | 3
SELECT 2

> SELECT dataa, generate_series(1,1), count(*) FROM few GROUP BY 1 HAVING count(*) > 1
dataa:text | generate_series:int4 | count:int8
a | 1 | 2
SELECT 1

> SELECT dataa, generate_series(1,1), count(*) FROM few GROUP BY 1, 2 HAVING count(*) > 1
dataa:text | generate_series:int4 | count:int8
a | 1 | 2
SELECT 1

> SELECT few.dataa, count(*) FROM few WHERE dataa = 'a' GROUP BY few.dataa ORDER BY 2
dataa:text | count:int8
a | 2
SELECT 1

> SELECT few.dataa, count(*) FROM few WHERE dataa = 'a' GROUP BY few.dataa, unnest('{1,1,3}'::int[]) ORDER BY 2
dataa:text | count:int8
a | 2
a | 4
SELECT 2

> SELECT q1, case when q1 > 0 then generate_series(1,3) else 0 end FROM (values (1)) v(q1)
ERROR 0A000: set-returning functions are not allowed in CASE
HINT: You might be able to move the set-returning function into a LATERAL FROM item.

> SELECT min(generate_series(1, 3)) FROM few
ERROR 0A000: aggregate function calls cannot contain set-returning function calls
HINT: You might be able to move the set-returning function into a LATERAL FROM item.

> SELECT sum((3 = ANY(SELECT generate_series(1,4)))::int)
sum:int8
1
SELECT 1

> SELECT min(generate_series(1, 3)) OVER() FROM few
ERROR 0A000: window function calls cannot contain set-returning function calls
HINT: You might be able to move the set-returning function into a LATERAL FROM item.

> SELECT id,lag(id) OVER(), count(*) OVER(), generate_series(1,3) FROM few
id:int4 | lag:int4 | count:int8 | generate_series:int4
1 | NULL | 3 | 1
1 | NULL | 3 | 2
1 | NULL | 3 | 3
2 | 1 | 3 | 1
2 | 1 | 3 | 2
2 | 1 | 3 | 3
3 | 2 | 3 | 1
3 | 2 | 3 | 2
3 | 2 | 3 | 3
SELECT 9

> SELECT SUM(count(*)) OVER(PARTITION BY generate_series(1,3) ORDER BY generate_series(1,3)), generate_series(1,3) g FROM few GROUP BY g
sum:numeric | g:int4
3 | 1
3 | 2
3 | 3
SELECT 3

> SELECT few.dataa, count(*), min(id), max(id), generate_series(1,3) FROM few GROUP BY few.dataa ORDER BY 5, 1
dataa:text | count:int8 | min:int4 | max:int4 | generate_series:int4
a | 2 | 1 | 2 | 1
b | 1 | 3 | 3 | 1
a | 2 | 1 | 2 | 2
b | 1 | 3 | 3 | 2
a | 2 | 1 | 2 | 3
b | 1 | 3 | 3 | 3
SELECT 6

> SELECT dataa, datab b, generate_series(1,2) g, count(*) FROM few GROUP BY CUBE(dataa, datab) ORDER BY dataa, b, g
dataa:text | b:text | g:int4 | count:int8
a | bar | 1 | 1
a | bar | 2 | 1
a | foo | 1 | 1
a | foo | 2 | 1
a | NULL | 1 | 2
a | NULL | 2 | 2
b | bar | 1 | 1
b | bar | 2 | 1
b | NULL | 1 | 1
b | NULL | 2 | 1
NULL | bar | 1 | 2
NULL | bar | 2 | 2
NULL | foo | 1 | 1
NULL | foo | 2 | 1
NULL | NULL | 1 | 3
NULL | NULL | 2 | 3
SELECT 16

> SELECT dataa, datab b, generate_series(1,2) g, count(*) FROM few GROUP BY CUBE(dataa, datab, g) ORDER BY dataa, b, g
dataa:text | b:text | g:int4 | count:int8
a | bar | 1 | 1
a | bar | 2 | 1
a | bar | NULL | 2
a | foo | 1 | 1
a | foo | 2 | 1
a | foo | NULL | 2
a | NULL | 1 | 2
a | NULL | 2 | 2
a | NULL | NULL | 4
b | bar | 1 | 1
b | bar | 2 | 1
b | bar | NULL | 2
b | NULL | 1 | 1
b | NULL | 2 | 1
b | NULL | NULL | 2
NULL | bar | 1 | 2
NULL | bar | 2 | 2
NULL | bar | NULL | 4
NULL | foo | 1 | 1
NULL | foo | 2 | 1
NULL | foo | NULL | 2
NULL | NULL | 1 | 3
NULL | NULL | 2 | 3
NULL | NULL | NULL | 6
SELECT 24

> SELECT 'foo' as f, generate_series(1,2) as g from few order by 1
f:text | g:int4
foo | 1
foo | 2
foo | 1
foo | 2
foo | 1
foo | 2
SELECT 6

> select id, (select max(n) from posts p where p.id = posts.id) + generate_series(1,2) from posts order by 1,2
id:int4 | ?column?:int4
1 | 6
1 | 7
2 | 7
2 | 8
3 | 8
3 | 9
4 | 9
4 | 10
SELECT 8

> select generate_series(1,2)+1, (select count(*) from few f where f.id = posts.id), posts.n from posts order by 2,1,3
?column?:int4 | count:int8 | n:int4
2 | 0 | 8
3 | 0 | 8
2 | 1 | 5
2 | 1 | 6
2 | 1 | 7
3 | 1 | 5
3 | 1 | 6
3 | 1 | 7
SELECT 8

> select (select count(*) from few f where f.id = posts.id) c, count(*) from posts group by (select count(*) from few f where f.id = posts.id) order by 1
c:int8 | count:int8
0 | 1
1 | 3
SELECT 2

> select (select count(*) from few f where f.id = posts.id) + 1 c, count(*) from posts group by (select count(*) from few f where f.id = posts.id) having (select count(*) from few f where f.id = posts.id) > 0
c:int8 | count:int8
2 | 3
SELECT 1

> select distinct (select count(*) from few f where f.id = posts.id) c from posts order by (select count(*) from few f where f.id = posts.id)
c:int8
0
1
SELECT 2

> select distinct on ((select count(*) from few f where f.id = posts.id)) id from posts order by (select count(*) from few f where f.id = posts.id), id desc
id:int4
4
3
SELECT 2

> select exists (select 1 from few f where f.id = posts.id and f.dataa in (select unnest(posts.tags))) e, count(*) from posts group by exists (select 1 from few f where f.id = posts.id and f.dataa in (select unnest(posts.tags))) order by 1
e:bool | count:int8
f | 3
t | 1
SELECT 2

> select coalesce((select u0.dataa from few u0 where u0.id = p.id order by u0.datab limit 1), 'none') as k, count(p.id) as c from posts p group by coalesce((select u0.dataa from few u0 where u0.id = p.id order by u0.datab limit 1), 'none') order by k
k:text | c:int8
a | 2
b | 1
none | 1
SELECT 3

> with w as (select * from few) select (select count(*) from w f where f.id = posts.id) c, count(*) from posts group by (select count(*) from w f where f.id = posts.id) order by 1
c:int8 | count:int8
0 | 1
1 | 3
SELECT 2

> select array(select f.id from few f where f.dataa = any(posts.tags) order by 1) c, count(*) from posts group by array(select f.id from few f where f.dataa = any(posts.tags) order by 1) order by 1
c:_int4 | count:int8
{} | 2
{1,2,3} | 1
{3} | 1
SELECT 3

> select posts.n in (select id+4 from few) c, count(*) from posts group by posts.n in (select id+4 from few) order by 1
c:bool | count:int8
f | 1
t | 3
SELECT 2

> create view vsrf as select unnest(tags) tag, count(*) from posts group by 1
CREATE VIEW

> select * from vsrf order by 1
tag:text | count:int8
a | 1
b | 2
c | 1
SELECT 3

> create view vsub as select (select count(*) from few f where f.id = posts.id) c, count(*) from posts group by (select count(*) from few f where f.id = posts.id)
CREATE VIEW

> select * from vsub order by 1
c:int8 | count:int8
0 | 1
1 | 3
SELECT 2

> select date_trunc('day', generate_series('2020-01-01'::timestamp,'2020-01-03','12 hours')) d, count(*) from few group by d order by d
d:timestamp | count:int8
2020-01-01 00:00:00 | 6
2020-01-02 00:00:00 | 6
2020-01-03 00:00:00 | 3
SELECT 3

> select regexp_split_to_table(dataa||' x', ' ') w, count(*) from few group by w order by count(*) desc, w
w:text | count:int8
x | 3
a | 2
b | 1
SELECT 3

> select jsonb_object_keys('{"a":1,"b":2}') k, count(*) from few group by k order by k
k:text | count:int8
a | 3
b | 3
SELECT 2

> select (jsonb_each('{"a":1,"b":2}')).*, count(*) from few group by 1,2 order by 1
key:text | value:jsonb | count:int8
a | 1 | 3
b | 2 | 3
SELECT 2

> select generate_series(1,3) g group by g order by g desc
g:int4
3
2
1
SELECT 3

> select count(*), generate_series(1,3)+id g from few group by g order by g
count:int8 | g:int4
1 | 2
2 | 3
3 | 4
2 | 5
1 | 6
SELECT 5

> select distinct generate_series(1,3) % 2 from few order by 1
?column?:int4
0
1
SELECT 2
