# What the arms of an OR share, what an OR over two relations says of one of them, columns that equalities tie together, IN over many constants.
> create table p (id int primary key, cat int, size int, name text)
CREATE TABLE

> create table i (oid int, line int, part int, qty int, primary key (oid, line))
CREATE TABLE

> create table k (id int primary key, part int, grp int, w bigint)
CREATE TABLE

> create index on i (part)
CREATE INDEX

> create index on p (cat)
CREATE INDEX

> insert into p select g, g % 7, g % 11, case when g % 9 > 0 then 'n' || g % 5 end from generate_series(1, 60) g
INSERT 0 60

> insert into i select 1 + g / 3, g % 3, case when g % 13 > 0 then 1 + g * 7 % 70 end, g % 10 from generate_series(0, 299) g
INSERT 0 300

> insert into k select g, 1 + g % 70, g % 4, g % 60 from generate_series(1, 80) g
INSERT 0 80

> analyze
ANALYZE

> select count(*), sum(qty) from i where (qty > 3 and part = 5) or (qty > 3 and line = 1)
count:int8 | sum:int8
60 | 390
SELECT 1

> select count(*), sum(qty) from i where (qty > 3 and part = 5 and line = 0) or (line = 0 and qty > 3 and oid < 20) or (qty > 3 and line = 0 and oid > 90)
count:int8 | sum:int8
17 | 110
SELECT 1

> select count(*), sum(qty) from i where (qty > 3 and part = 5) or qty > 3
count:int8 | sum:int8
180 | 1170
SELECT 1

> select count(*), sum(qty) from i where (part is null and line = 1) or (part is null and oid = 5) or (qty = 2 and oid = 6)
count:int8 | sum:int8
8 | 36
SELECT 1

> select count(*), sum(qty) from p join i on i.part = p.id where (i.part = p.id and cat = 3 and qty = 1) or (i.part = p.id and cat = 5 and qty > 4)
count:int8 | sum:int8
0 | NULL
SELECT 1

> select count(*), sum(qty) from p join i on i.part = p.id where (cat = 3 and qty = 1) or (cat = 5 and qty > 4)
count:int8 | sum:int8
0 | NULL
SELECT 1

> select count(*), sum(qty) from p join i on i.part = p.id where (cat = 3 and qty = 1) or qty = 7
count:int8 | sum:int8
28 | 196
SELECT 1

> select count(*), sum(qty) from p join i on i.part = p.id where (cat = 3 and qty = 1) or cat = 4 or (qty = 2 and size < 3)
count:int8 | sum:int8
0 | NULL
SELECT 1

> select count(*), sum(qty) from p join i on i.part = p.id where (cat = 3 or qty = 1) and (size = 4 or cat < 2 and qty > 5)
count:int8 | sum:int8
0 | NULL
SELECT 1

> select count(*), count(i.qty) from p left join i on i.part = p.id and (cat = 3 and qty = 1 or cat = 4 and qty > 6)
count:int8 | count:int8
60 | 0
SELECT 1

> select count(*), count(i.qty) from p left join i on i.part = p.id where (cat = 3 and qty = 1) or (cat = 4 and qty is null) or size = 0
count:int8 | count:int8
39 | 27
SELECT 1

> select count(*) from p where not ((cat = 3 and size = 1) or (cat = 3 and size = 2))
count:int8
58
SELECT 1

> delete from i where (line = 2 and qty = 9) or (line = 2 and qty = 8) returning oid, qty
oid:int4 | qty:int4
3 | 8
10 | 9
13 | 8
20 | 9
23 | 8
30 | 9
33 | 8
40 | 9
43 | 8
50 | 9
53 | 8
60 | 9
63 | 8
70 | 9
73 | 8
80 | 9
83 | 8
90 | 9
93 | 8
100 | 9
DELETE 20

> select count(*) from p, i, k where p.id = i.part and i.part = k.part
count:int8
267
SELECT 1

> select count(*), sum(i.qty), sum(k.w) from p join i on i.part = p.id join k on k.part = i.part and k.grp = p.cat
count:int8 | sum:int8 | sum:numeric
83 | 305 | 2415
SELECT 1

> select count(*) from p join i on i.part = p.id join k on k.part = p.id and k.part = i.part and k.id = p.id
count:int8
0
SELECT 1

> select count(*) from p join i on i.part = p.id join k on k.part = i.part join p q on q.id = k.part join i j on j.part = q.id where j.line = 0
count:int8
2487
SELECT 1

> select count(*) from p a join p b on b.cat = a.cat join p c on c.cat = b.cat join k on k.grp = a.size and k.id = c.size where b.size = a.size
count:int8
50
SELECT 1

> select p.id, k.id from p join k on k.part = p.id join i on i.part = k.part and i.oid = k.grp and i.line = k.grp order by 1, 2
id:int4 | id:int4
8 | 77
SELECT 1

> select p.id, k.id, i.oid from p join k on k.id = p.id and k.part = p.size join i on i.part = p.id and i.qty = k.grp and i.line = p.cat order by 1, 2, 3
id:int4 | id:int4 | oid:int4
SELECT 0

> select count(*) from p join k on k.id = p.id and k.id = p.size and k.part = p.cat
count:int8
0
SELECT 1

> select count(*) from p join i on i.part = p.id join k on k.part = i.part where p.id = 8
count:int8
56
SELECT 1

> select count(*) from p join i on i.part = p.id join k on k.part = i.part where k.part = 8 and i.part = 15
count:int8
0
SELECT 1

> select count(*) from p join i on i.part = p.id join k on k.w = i.part where k.w = 8
count:int8
56
SELECT 1

> select count(*) from p left join i on i.part = p.id left join k on k.part = i.part where p.id = 8 or k.part = 15
count:int8
84
SELECT 1

> select count(*), count(k.id) from p join i on i.part = p.id left join k on k.part = i.part and k.part = p.id and k.id = 7 where i.part < 20
count:int8 | count:int8
83 | 28
SELECT 1

> select count(*) from p where exists (select 1 from i join k on k.part = i.part where i.part = p.id and k.part = p.cat)
count:int8
1
SELECT 1

> select count(*) from p where cat in (1, 2, 3, 11, 12, 13, 14, 15, 16, 17)
count:int8
27
SELECT 1

> select count(*) from p where cat not in (1, 2, 3, 11, 12, 13, 14, 15, 16, 17)
count:int8
33
SELECT 1

> select count(*) from p where cat in (1, 2, 3, 11, 12, 13, null, 15, 16, 17)
count:int8
27
SELECT 1

> select count(*) from p where cat not in (1, 2, 3, 11, 12, 13, null, 15, 16, 17)
count:int8
0
SELECT 1

> select count(*), count(cat + size in (1, 2, 3, 11, 12, 13, null, 15, 16, 17)), count(name not in ('n1', 'n2', 'a', 'b', 'c', 'd', 'e', 'f', 'g')) from p
count:int8 | count:int8 | count:int8
60 | 21 | 54
SELECT 1

> select count(*) from p where name || '' not in ('n1', 'n2', 'a', 'b', 'c', 'd', 'e', 'f', 'g')
count:int8
32
SELECT 1

> select count(*) from p where (name || '' in ('n1', 'n2', 'a', 'b', 'c', 'd', 'e', 'f', null)) is null
count:int8
38
SELECT 1

> select count(*) from p where cat not in (1, 2, 3, 11, 12, 13, 14, 15, 16, 17) or size in (3, 4, 21, 22, 23, 24, 25, 26, null, 28)
count:int8
39
SELECT 1

