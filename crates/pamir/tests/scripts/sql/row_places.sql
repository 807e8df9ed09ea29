> create table q(id int primary key, st text, n int)
CREATE TABLE

> insert into q select g, 'new', g%3 from generate_series(1,10) g
INSERT 0 10

> create table nopk(a int, b text)
CREATE TABLE

> insert into nopk select g%4, 'x'||g from generate_series(1,12) g
INSERT 0 12

> select ctid = ctid, pg_typeof(ctid) from nopk limit 1
?column?:bool | pg_typeof:regtype
t | tid
SELECT 1

> delete from q where ctid in (select ctid from q where n=1 order by id limit 2)
DELETE 2

> delete from nopk a using nopk b where a.ctid < b.ctid and a.a=b.a
DELETE 8

> select * from nopk order by b
a:int4 | b:text
2 | x10
3 | x11
0 | x12
1 | x9
SELECT 4

> update q set st='run' where ctid=(select ctid from q where st='new' order by id for update skip locked limit 1) returning id, st
id:int4 | st:text
2 | run
UPDATE 1

> with u as (update q set st='run' where ctid=any(array(select ctid from q where st='new' order by id limit 2)) returning id, st) select * from u order by id
id:int4 | st:text
3 | run
5 | run
SELECT 2

> with u as (update q set n=q.n+1 from q q2 where q.ctid=q2.ctid and q2.id<5 returning q.id) select * from u order by id
id:int4
2
3
SELECT 2

> select q.id from q left join q q2 on q.ctid=q2.ctid and q2.id>5 where q2.ctid is null order by 1
id:int4
2
3
5
SELECT 3

> insert into q values(2,'a',1),(77,'b',2) on conflict(id) do update set st='c' returning id, (xmax=0) as inserted
id:int4 | inserted:bool
2 | f
77 | t
INSERT 0 2

> insert into q values(2,'a',1),(78,'b',2) on conflict(id) do nothing returning id, xmax
id:int4 | xmax:xid
78 | 0
INSERT 0 1

> update q set n=4 where id=77 returning id, xmax=0 as none
id:int4 | none:bool
77 | t
UPDATE 1

> delete from q where id=78 returning id, xmax=0 as none
id:int4 | none:bool
78 | f
DELETE 1

> select count(distinct ctid), count(*) from q
count:int8 | count:int8
9 | 9
SELECT 1

> select s.id from (select ctid c, id from q) s where s.c in (select ctid from q where id=6)
id:int4
6
SELECT 1

> insert into nopk values(9,'n') returning ctid = '(0,0)', a
?column?:bool | a:int4
f | 9
INSERT 0 1

> with x as (select ctid c from q where id<5), d as (delete from q using x where q.ctid=x.c returning id) select * from d order by id
id:int4
2
3
SELECT 2

> update q set id=id+100 where id=10 returning ctid is null, id
?column?:bool | id:int4
f | 110
UPDATE 1

> explain (costs off) select * from q where ctid='(0,1)'
QUERY PLAN:text
Tid Scan on q
  TID Cond: (ctid = '(0,1)'::tid)
EXPLAIN

> explain (costs off) select * from q where ctid=any(array['(0,1)','(0,2)']::tid[])
QUERY PLAN:text
Tid Scan on q
  TID Cond: (ctid = ANY ('{"(0,1)","(0,2)"}'::tid[]))
EXPLAIN

> explain (costs off) select * from q where ctid='(0,1)' or ctid='(0,3)'
QUERY PLAN:text
Tid Scan on q
  TID Cond: ((ctid = '(0,1)'::tid) OR (ctid = '(0,3)'::tid))
EXPLAIN

> select '(-1,0)'::tid, '( 3, 4)'::tid, '(7,8)'::tid::text, '(1,2)'::tid < '(1,3)', greatest('(1,2)'::tid, '(0,9)')
tid:tid | tid:tid | text:text | ?column?:bool | greatest:tid
(4294967295,0) | (3,4) | (7,8) | t | (1,2)
SELECT 1

> select '(4294967296,0)'::tid
ERROR 22P02: invalid input syntax for type tid: "(4294967296,0)"

> select '(1)'::tid
ERROR 22P02: invalid input syntax for type tid: "(1)"

> create index on q(ctid)
ERROR 0A000: index creation on system columns is not supported

> select * from (select * from q where n=2 order by id limit 2) s for update
id:int4 | st:text | n:int4
5 | run | 2
8 | new | 2
SELECT 2

> select s.id, nopk.a from (select * from q where n=2) s join nopk on nopk.a=s.id-3 order by 1 for update of s
id:int4 | a:int4
5 | 2
SELECT 1

> select * from (select n, count(*) from q group by n) s for update
ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause

> select * from (select n from q union select 1) s for update
ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

> select * from (values (1)) s(x) for update
x:int4
1
SELECT 1

> select q.id from q left join (select * from nopk) s on s.a=q.id for update
ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

> select s.id from (select * from q where id=5) s for update of q
ERROR 42P01: relation "q" in FOR UPDATE clause not found in FROM clause

> select * from (select distinct n from q) s for share of s
ERROR 0A000: FOR SHARE is not allowed with DISTINCT clause

> select s.id from (select * from (select * from q where id=5) t) s for no key update
id:int4
5
SELECT 1

> select * from generate_series(1,2) g(x) for update of g
ERROR 0A000: FOR UPDATE cannot be applied to a function

> with w as (select 1 a) select * from w for update of w
ERROR 0A000: FOR UPDATE cannot be applied to a WITH query

> select * from (q join nopk on true) j for update of j
ERROR 0A000: FOR UPDATE cannot be applied to a join

> drop table q, nopk
DROP TABLE

> create table kp (id text primary key, a int)
CREATE TABLE

> insert into kp select 'k' || g, g % 5 from generate_series(1, 50) g
INSERT 0 50

> begin
BEGIN

> delete from kp where ctid not in (select min(ctid) from kp group by a)
DELETE 45

> select count(*), count(distinct a) from kp
count:int8 | count:int8
5 | 5
SELECT 1

> rollback
ROLLBACK

> create table made as select ctid from kp
ERROR 42701: column name "ctid" conflicts with a system column name

> create table made as select ctid as place, a from kp
SELECT 50

> create index on made (place)
CREATE INDEX

> select count(*), pg_typeof(min(place)) from made
count:int8 | pg_typeof:regtype
50 | tid
SELECT 1

> select count(*) from made m join kp on kp.ctid = m.place
count:int8
50
SELECT 1

> select count(*) from kp where ctid between (select min(ctid) from kp) and (select max(ctid) from kp)
count:int8
50
SELECT 1

> select count(*) from (select ctid, row_number() over (partition by a order by ctid) r from kp) s where r = 1
count:int8
5
SELECT 1

> drop table kp, made
DROP TABLE

> create table pl (a int primary key)
CREATE TABLE

> insert into pl values (1), (2)
INSERT 0 2

> (select a from pl where a = 1) for update
a:int4
1
SELECT 1

> ((select a from pl)) order by a for share
a:int4
1
2
SELECT 2

> (select a from pl limit 1) for update of pl
a:int4
1
SELECT 1

> (select a from pl union select 1) for update
ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

> (values (1)) for update
ERROR 0A000: FOR UPDATE cannot be applied to VALUES

> select '(\x)'::tid
ERROR 22P02: invalid input syntax for type tid: "(\x)"

> drop table pl
DROP TABLE
