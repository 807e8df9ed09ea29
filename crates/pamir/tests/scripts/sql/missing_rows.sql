# Whole rows of outer joins' missing sides.
> create table wa(id int primary key, x text)
CREATE TABLE

> create table wb(id int primary key, aid int, y text)
CREATE TABLE

> insert into wa values (1,'a'),(2,'b'),(3,'c')
INSERT 0 3

> insert into wb values (10,1,'p'),(11,1,null),(12,2,'q')
INSERT 0 3

> select wa.id, count(wb), count(wb.*), count(*) from wa left join wb on wb.aid=wa.id group by wa.id order by 1
id:int4 | count:int8 | count:int8 | count:int8
1 | 2 | 2 | 2
2 | 1 | 1 | 1
3 | 0 | 0 | 1
SELECT 3

> select wa.id, json_agg(wb order by wb.id) from wa left join wb on wb.aid=wa.id group by wa.id order by 1
id:int4 | json_agg:json
1 | [{"id":10,"aid":1,"y":"p"}, \n {"id":11,"aid":1,"y":null}]
2 | [{"id":12,"aid":2,"y":"q"}]
3 | [null]
SELECT 3

> select wa.id, to_json(wb), wb is null, wb.* is not null from wa left join wb on wb.aid=wa.id order by wa.id, wb.id
id:int4 | to_json:json | ?column?:bool | ?column?:bool
1 | {"id":10,"aid":1,"y":"p"} | f | t
1 | {"id":11,"aid":1,"y":null} | f | f
2 | {"id":12,"aid":2,"y":"q"} | f | t
3 | NULL | t | f
SELECT 4

> select wb::text, wa::text from wb right join wa on wb.aid=wa.id order by wa.id, wb.id
wb:text | wa:text
(10,1,p) | (1,a)
(11,1,) | (1,a)
(12,2,q) | (2,b)
NULL | (3,c)
SELECT 4

> select wb::text, wa::text from wb full join wa on wb.aid=wa.id and wa.id<2 order by wa.id, wb.id
wb:text | wa:text
(10,1,p) | (1,a)
(11,1,) | (1,a)
NULL | (2,b)
NULL | (3,c)
(12,2,q) | NULL
SELECT 5

> select s, wa.id from wa left join (select aid, 7 as k from wb where id > 10) s on s.aid = wa.id order by 2, 1
s:record | id:int4
(1,7) | 1
(2,7) | 2
NULL | 3
SELECT 3

> select s, wa.id from wa left join (select null::int as aid, 7 as k) s on s.k = wa.id + 5 order by 2, 1
s:record | id:int4
NULL | 1
(,7) | 2
NULL | 3
SELECT 3

> select v, wa.id from wa left join (values (1, null), (2, 'z')) v(i, t) on v.i = wa.id order by 2
v:record | id:int4
(1,) | 1
(2,z) | 2
NULL | 3
SELECT 3

> select coalesce(to_json(v)::text, 'none'), wa.id from wa left join lateral (select wa.x as u, wa.id * 2 as d where wa.id > 1) v on true order by 2
coalesce:text | id:int4
none | 1
{"u":"b","d":4} | 2
{"u":"c","d":6} | 3
SELECT 3

> select g, wa.id from wa left join generate_series(2, 3) g on g = wa.id order by 2
g:int4 | id:int4
NULL | 1
2 | 2
3 | 3
SELECT 3

> select f, wa.id from wa left join json_each('{"1": 5}') f on f.key = wa.id::text order by 2
f:record | id:int4
(1,5) | 1
NULL | 2
NULL | 3
SELECT 3

> with c as (select aid, count(*) n from wb group by aid) select c, wa.id from wa left join c on c.aid = wa.id order by 2
c:record | id:int4
(1,2) | 1
(2,1) | 2
NULL | 3
SELECT 3

> select wa.id, (select count(wb) from wb where wb.aid = wa.id) from wa order by 1
id:int4 | count:int8
1 | 2
2 | 1
3 | 0
SELECT 3

> select wa.id, (select to_json(wb)) from wa left join wb on wb.aid=wa.id order by wa.id, wb.id
id:int4 | to_json:json
1 | {"id":10,"aid":1,"y":"p"}
1 | {"id":11,"aid":1,"y":null}
2 | {"id":12,"aid":2,"y":"q"}
3 | NULL
SELECT 4

> select wa.id from wa left join wb on wb.aid=wa.id and wb is not null order by 1
id:int4
1
2
3
SELECT 3

> select wa.id from wa left join wb on wb.aid=wa.id where wb is null order by 1
id:int4
3
SELECT 1

> select wa.id from wa left join wb on wb.aid=wa.id where not (wb is null) order by 1
id:int4
1
1
2
SELECT 3

> select to_json(wa), count(wb) from wa left join wb on wb.aid=wa.id group by wa.id order by wa.id
to_json:json | count:int8
{"id":1,"x":"a"} | 2
{"id":2,"x":"b"} | 1
{"id":3,"x":"c"} | 0
SELECT 3

> select to_json(wb), count(wa) from wa left join wb on wb.aid=wa.id group by wb.id order by wb.id
to_json:json | count:int8
{"id":10,"aid":1,"y":"p"} | 1
{"id":11,"aid":1,"y":null} | 1
{"id":12,"aid":2,"y":"q"} | 1
NULL | 1
SELECT 4

> select to_json(wb), count(*) from wa left join wb on wb.aid=wa.id group by wb order by wb
to_json:json | count:int8
{"id":10,"aid":1,"y":"p"} | 1
{"id":11,"aid":1,"y":null} | 1
{"id":12,"aid":2,"y":"q"} | 1
NULL | 1
SELECT 4

> select wb::text, count(*) from wa left join wb on wb.aid=wa.id group by wb.id,wb.aid,wb.y order by 1
wb:text | count:int8
(10,1,p) | 1
(11,1,) | 1
(12,2,q) | 1
NULL | 1
SELECT 4

> select distinct wb::text from wa left join wb on wb.aid=wa.id order by 1
wb:text
(10,1,p)
(11,1,)
(12,2,q)
NULL
SELECT 4

> select wb.tableoid::regclass, wb::text from wa left join wb on wb.aid=wa.id order by wa.id, wb.id
tableoid:regclass | wb:text
wb | (10,1,p)
wb | (11,1,)
wb | (12,2,q)
NULL | NULL
SELECT 4

> select c2::text, wa.id from wa left join (wb left join wa c2 on c2.id=wb.aid and c2.id = 1) on wb.aid = wa.id order by 2, 1
c2:text | id:int4
(1,a) | 1
(1,a) | 1
NULL | 2
NULL | 3
SELECT 4

> update wa set x = coalesce(to_json(s.t)::text, 'none') from (select a.id, b as t from wa a left join wb b on b.aid=a.id) s where s.id = wa.id and wa.id > 1
UPDATE 2

> select * from wa order by 1
id:int4 | x:text
1 | a
2 | {"id":12,"aid":2,"y":"q"}
3 | none
SELECT 3

> update wa set x = coalesce(to_json(b)::text, 'none') from wa a left join wb b on b.aid=a.id where a.id = wa.id and wa.id > 1
UPDATE 2

> select * from wa order by 1
id:int4 | x:text
1 | a
2 | {"id":12,"aid":2,"y":"q"}
3 | none
SELECT 3

> delete from wa using wa a left join wb b on b.aid=a.id where a.id = wa.id and wa.id > 1 returning wa.id, b::text, to_json(b)
id:int4 | b:text | to_json:json
2 | (12,2,q) | {"id":12,"aid":2,"y":"q"}
3 | NULL | NULL
DELETE 2

> select row(b.*), (b).y from wa a left join wb b on b.aid = a.id+7
row:record | y:text
(,,) | NULL
SELECT 1

> select c.relname, a::text from pg_class c left join pg_attrdef a on a.adrelid = c.oid where relname = 'wa'
relname:name | a:text
wa | NULL
SELECT 1
