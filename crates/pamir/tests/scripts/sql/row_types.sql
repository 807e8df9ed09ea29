# Rows of tables as values of the table's row type.

> create table rt(id int primary key, name text, n numeric)
CREATE TABLE

> insert into rt values (1, 'one', 1.5), (2, 'two', null), (3, null, null)
INSERT 0 3

> select rt from rt order by id
rt:user
(1,one,1.5)
(2,two,)
(3,,)
SELECT 3

> select pg_typeof(rt) from rt limit 1
pg_typeof:regtype
rt
SELECT 1

> select pg_typeof(x) from rt x limit 1
pg_typeof:regtype
rt
SELECT 1

> select (rt).name from rt order by id
name:text
one
two
NULL
SELECT 3

> select (x.r).n from (select rt as r from rt) x order by 1
n:numeric
1.5
NULL
NULL
SELECT 3

> select x.r from (select rt as r from rt) x order by (x.r).id desc
r:user
(3,,)
(2,two,)
(1,one,1.5)
SELECT 3

> select row_to_json(rt), to_jsonb(rt) from rt order by id
row_to_json:json | to_jsonb:jsonb
{"id":1,"name":"one","n":1.5} | {"n": 1.5, "id": 1, "name": "one"}
{"id":2,"name":"two","n":null} | {"n": null, "id": 2, "name": "two"}
{"id":3,"name":null,"n":null} | {"n": null, "id": 3, "name": null}
SELECT 3

> select row_to_json(v) from rt as v(a, b, c) order by a
row_to_json:json
{"id":1,"name":"one","n":1.5}
{"id":2,"name":"two","n":null}
{"id":3,"name":null,"n":null}
SELECT 3

> select rt = rt, rt is null, rt is not null, rt < row(2, 'a', 1)::rt from rt order by id
?column?:bool | ?column?:bool | ?column?:bool | ?column?:bool
t | f | t | t
t | f | f | f
t | f | f | f
SELECT 3

> select null::rt, row(5, 'five', 5)::rt, '(6,six,6)'::rt, ('(6,six,6)'::rt).name
rt:user | row:user | rt:user | name:text
NULL | (5,five,5) | (6,six,6) | six
SELECT 1

> select pg_typeof(null::rt), pg_typeof(row(1,'a',2)::rt)
pg_typeof:regtype | pg_typeof:regtype
rt | rt
SELECT 1

> select row(1)::rt
ERROR 42846: cannot cast type record to rt
DETAIL: Input has too few columns.

> select '(1)'::rt
ERROR 22P02: malformed record literal: "(1)"
DETAIL: Too few columns.

> select '(a,b,c)'::rt
ERROR 22P02: invalid input syntax for type integer: "a"

> select array_agg(rt order by id) from rt
array_agg:user
{"(1,one,1.5)","(2,two,)","(3,,)"}
SELECT 1

> select (array_agg(rt order by id))[2].name from rt
name:text
two
SELECT 1

> select pg_typeof(array_agg(rt)) from rt
pg_typeof:regtype
rt[]
SELECT 1

> select count(rt), count(distinct rt) from rt
count:int8 | count:int8
3 | 3
SELECT 1

> select rt, count(*) from rt group by rt order by rt
rt:user | count:int8
(1,one,1.5) | 1
(2,two,) | 1
(3,,) | 1
SELECT 3

> select distinct rt from rt order by rt
rt:user
(1,one,1.5)
(2,two,)
(3,,)
SELECT 3

> select coalesce(b, row(0, 'none', 0)::rt) from rt a left join rt b on b.id = a.id + 1 order by a.id
coalesce:user
(2,two,)
(3,,)
(0,none,0)
SELECT 3

> select b from rt a left join rt b on b.id = a.id + 1 order by a.id
b:user
(2,two,)
(3,,)
NULL
SELECT 3

> select (select rt from rt where id = 2)
rt:user
(2,two,)
SELECT 1

> select exists(select rt from rt), array(select rt from rt order by id)
exists:bool | array:user
t | {"(1,one,1.5)","(2,two,)","(3,,)"}
SELECT 1

> select (r).* from (select rt as r from rt) x order by 1
id:int4 | name:text | n:numeric
1 | one | 1.5
2 | two | NULL
3 | NULL | NULL
SELECT 3

> select unnest(array_agg(rt order by id)) from rt
unnest:user
(1,one,1.5)
(2,two,)
(3,,)
SELECT 3

> select * from unnest(array[row(1,'a',1)::rt, row(2,'b',2)::rt])
id:int4 | name:text | n:numeric
1 | a | 1
2 | b | 2
SELECT 2

> select jsonb_populate_record(null::rt, '{"id": 9, "name": "nine"}')
jsonb_populate_record:user
(9,nine,)
SELECT 1

> select * from jsonb_populate_record(row(1, 'dflt', 7)::rt, '{"id": 9}')
id:int4 | name:text | n:numeric
9 | dflt | 7
SELECT 1

> select * from json_populate_recordset(null::rt, '[{"id": 1}, {"name": "x"}]')
id:int4 | name:text | n:numeric
1 | NULL | NULL
NULL | x | NULL
SELECT 2

> select rt::text from rt order by id
rt:text
(1,one,1.5)
(2,two,)
(3,,)
SELECT 3

> select max(rt::text) from rt
max:text
(3,,)
SELECT 1

> select case when id = 1 then rt end from rt order by id
case:user
(1,one,1.5)
NULL
NULL
SELECT 3

> select rt from rt union all select row(9, 'nine', 9)::rt order by 1
rt:user
(1,one,1.5)
(2,two,)
(3,,)
(9,nine,9)
SELECT 4

> select rt from rt where rt in (select rt from rt where id > 1) order by id
rt:user
(2,two,)
(3,,)
SELECT 2

> select least(a, b) from rt a, rt b where a.id = 1 and b.id = 2
least:user
(1,one,1.5)
SELECT 1

> select nullif(rt, row(1, 'one', 1.5)::rt) from rt order by id
nullif:user
NULL
(2,two,)
(3,,)
SELECT 3

> with x as (select rt as r from rt) select (r).id, r from x order by 1
id:int4 | r:user
1 | (1,one,1.5)
2 | (2,two,)
3 | (3,,)
SELECT 3

> update rt set name = (rt).name || '!' where id = 1 returning rt
rt:user
(1,one!,1.5)
UPDATE 1

> delete from rt where id = 3 returning rt
rt:user
(3,,)
DELETE 1

> insert into rt values (4, 'four', 4) returning rt
rt:user
(4,four,4)
INSERT 0 1

> select rt.rt from rt
ERROR 42703: column rt.rt does not exist

> select (rt).nosuch from rt
ERROR 42703: column rt.nosuch does not exist

> select rt.nosuch from rt
ERROR 42703: column rt.nosuch does not exist

> create type pr as (a int, b text)
CREATE TYPE

> create table pt(p pr, q pr[])
CREATE TABLE

> insert into pt values (row(1, 'x'), array[row(2, 'y')::pr]), ('(3,"a b")', '{"(4,z)"}')
INSERT 0 2

> select pt, pg_typeof(pt) from pt
pt:user | pg_typeof:regtype
("(1,x)","{""(2,y)""}") | pt
("(3,""a b"")","{""(4,z)""}") | pt
SELECT 2

> select (pt).p.b, (pt).q[1].a from pt
b:text | a:int4
x | 2
a b | 4
SELECT 2

> drop table pt
DROP TABLE

> drop type pr
DROP TYPE

> create temp table tt(a int, b text)
CREATE TABLE

> insert into tt values (1, 'x')
INSERT 0 1

> select tt, pg_typeof(tt), (tt).b, row_to_json(tt) from tt
tt:user | pg_typeof:regtype | b:text | row_to_json:json
(1,x) | tt | x | {"a":1,"b":"x"}
SELECT 1

> drop table tt
DROP TABLE

> drop table rt
DROP TABLE
