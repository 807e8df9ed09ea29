# Ways to the same rows: choices among ranges, orders that an index gives in part, subqueries as joins. The tables are small enough to read, the answers say
# nothing of the way; debug builds check every order that is relied on.
> create table c (id int primary key, name text, grp int, code varchar(10) unique)
CREATE TABLE

> create table o (id int primary key, cust int, placed date, total numeric(8,2), note text, unique (placed, id))
CREATE TABLE

> create table l (oid int, line int, part int, qty int, primary key (oid, line))
CREATE TABLE

> create table e (k int, v int, w text)
CREATE TABLE

> create index on o (cust)
CREATE INDEX

> create index on o (placed desc)
CREATE INDEX

> create index on o (note)
CREATE INDEX

> create index on l (part)
CREATE INDEX

> create index on e (k)
CREATE INDEX

> create index on e (v)
CREATE INDEX

> insert into c select g, 'name ' || g % 10, nullif(g % 5, 4), 'c' || g from generate_series(1, 40) g
INSERT 0 40

> insert into o select g, nullif(g % 23, 7), date '2024-01-01' + g % 12, g * 1.5, case when g % 3 = 0 then 'n' || g % 4 end from generate_series(1, 120) g
INSERT 0 120

> insert into l select 1 + g / 3, 1 + g % 3, g % 17, g % 9 from generate_series(0, 299) g
INSERT 0 300

> insert into e select nullif(g % 11, 3), nullif(g % 7, 5), 'w' || g % 5 from generate_series(1, 200) g
INSERT 0 200

# keyset pages, ties among the first keys
> select placed, id from o where (placed, id) < ('2024-01-05', 30) order by placed desc, id desc limit 7
placed:date | id:int4
2024-01-05 | 28
2024-01-05 | 16
2024-01-05 | 4
2024-01-04 | 111
2024-01-04 | 99
2024-01-04 | 87
2024-01-04 | 75
SELECT 7

> select placed, id from o where placed < '2024-01-05' or placed = '2024-01-05' and id < 30 order by placed desc, id desc limit 7
placed:date | id:int4
2024-01-05 | 28
2024-01-05 | 16
2024-01-05 | 4
2024-01-04 | 111
2024-01-04 | 99
2024-01-04 | 87
2024-01-04 | 75
SELECT 7

> select placed, id from o where placed <= '2024-01-05' order by placed desc, id limit 12
placed:date | id:int4
2024-01-05 | 4
2024-01-05 | 16
2024-01-05 | 28
2024-01-05 | 40
2024-01-05 | 52
2024-01-05 | 64
2024-01-05 | 76
2024-01-05 | 88
2024-01-05 | 100
2024-01-05 | 112
2024-01-04 | 3
2024-01-04 | 15
SELECT 12

> select placed, total, id from o order by placed desc, total desc limit 15
placed:date | total:numeric | id:int4
2024-01-12 | 178.50 | 119
2024-01-12 | 160.50 | 107
2024-01-12 | 142.50 | 95
2024-01-12 | 124.50 | 83
2024-01-12 | 106.50 | 71
2024-01-12 | 88.50 | 59
2024-01-12 | 70.50 | 47
2024-01-12 | 52.50 | 35
2024-01-12 | 34.50 | 23
2024-01-12 | 16.50 | 11
2024-01-11 | 177.00 | 118
2024-01-11 | 159.00 | 106
2024-01-11 | 141.00 | 94
2024-01-11 | 123.00 | 82
2024-01-11 | 105.00 | 70
SELECT 15

> select placed, total, id from o order by placed desc, total desc offset 12 limit 5
placed:date | total:numeric | id:int4
2024-01-11 | 141.00 | 94
2024-01-11 | 123.00 | 82
2024-01-11 | 105.00 | 70
2024-01-11 | 87.00 | 58
2024-01-11 | 69.00 | 46
SELECT 5

> select note, id from o order by note, id desc limit 8
note:text | id:int4
n0 | 120
n0 | 108
n0 | 96
n0 | 84
n0 | 72
n0 | 60
n0 | 48
n0 | 36
SELECT 8

> select note, id from o order by note nulls first, id limit 4
note:text | id:int4
NULL | 1
NULL | 2
NULL | 4
NULL | 5
SELECT 4

> select note, id from o order by note desc, id desc limit 4
note:text | id:int4
NULL | 119
NULL | 118
NULL | 116
NULL | 115
SELECT 4

> select cust, placed, id from o where cust < 4 order by cust, placed desc, id
cust:int4 | placed:date | id:int4
0 | 2024-01-12 | 23
0 | 2024-01-11 | 46
0 | 2024-01-10 | 69
0 | 2024-01-09 | 92
0 | 2024-01-08 | 115
1 | 2024-01-12 | 47
1 | 2024-01-11 | 70
1 | 2024-01-10 | 93
1 | 2024-01-09 | 116
1 | 2024-01-02 | 1
1 | 2024-01-01 | 24
2 | 2024-01-12 | 71
2 | 2024-01-11 | 94
2 | 2024-01-10 | 117
2 | 2024-01-03 | 2
2 | 2024-01-02 | 25
2 | 2024-01-01 | 48
3 | 2024-01-12 | 95
3 | 2024-01-11 | 118
3 | 2024-01-04 | 3
3 | 2024-01-03 | 26
3 | 2024-01-02 | 49
3 | 2024-01-01 | 72
SELECT 23

> select oid, line, qty from l where (oid, line) > (5, 2) order by oid, line limit 5
oid:int4 | line:int4 | qty:int4
5 | 3 | 5
6 | 1 | 6
6 | 2 | 7
6 | 3 | 8
7 | 1 | 0
SELECT 5

> select oid, line, qty from l where (oid, line) >= (5, 2) and (oid, line) < (7, 2) order by oid desc, line desc
oid:int4 | line:int4 | qty:int4
7 | 1 | 0
6 | 3 | 8
6 | 2 | 7
6 | 1 | 6
5 | 3 | 5
5 | 2 | 4
SELECT 6

> select oid, line from l where oid = 5 and (oid, line) > (5, 1) order by line
oid:int4 | line:int4
5 | 2
5 | 3
SELECT 2

# lists of rows, choices over one index and over several
> select * from l where (oid, line) in ((1, 1), (2, 3), (1, 1), (null, 2), (200, 1), (50, 2)) order by 1, 2
oid:int4 | line:int4 | part:int4 | qty:int4
1 | 1 | 0 | 0
2 | 3 | 5 | 5
50 | 2 | 12 | 4
SELECT 3

> select * from l where (oid = 1 and line = 1) or (oid = 3 and line >= 2) or oid = 4 order by 1, 2
oid:int4 | line:int4 | part:int4 | qty:int4
1 | 1 | 0 | 0
3 | 2 | 7 | 7
3 | 3 | 8 | 8
4 | 1 | 9 | 0
4 | 2 | 10 | 1
4 | 3 | 11 | 2
SELECT 6

> select count(*), sum(k) from e where k = 1 or v = 2 or w = 'w3' and k is null
count:int8 | sum:int8
48 | 149
SELECT 1

> select count(*), sum(v) from e where k in (1, 2) or v between 3 and 4 or k is null and v is null
count:int8 | sum:int8
87 | 256
SELECT 1

> select k, v from e where (k = 1 or v = 2) and w = 'w1' order by k, v limit 5
k:int4 | v:int4
0 | 2
1 | 0
1 | 1
1 | 6
1 | NULL
SELECT 5

> select count(*) from e where k is not null and v is null
count:int8
26
SELECT 1

> select max(note), min(note) from o
max:text | min:text
n3 | n0
SELECT 1

# what arms share
> select count(*) from o where (cust = 5 and total > 50) or (cust = 5 and note is null)
count:int8
6
SELECT 1

> select count(*) from o join l on l.oid = o.id where (o.cust = 5 and l.qty < 3 and l.line = 1) or (o.cust = 6 and l.qty > 5 and l.line = 2)
count:int8
4
SELECT 1

# subqueries that give values
> select id, cust from o where cust in (select id from c where grp = 2 and name = 'name 7') order by id
id:int4 | cust:int4
17 | 17
40 | 17
63 | 17
86 | 17
109 | 17
SELECT 5

> select id from o where id in (select oid from l where part = 3) order by id limit 5
id:int4
2
7
13
19
24
SELECT 5

> select count(*) from o where cust in (select grp from c)
count:int8
23
SELECT 1

> select count(*) from o where cust not in (select grp from c)
count:int8
0
SELECT 1

> select count(*) from o where cust not in (select grp from c where grp is not null)
count:int8
92
SELECT 1

> select c.id, c.grp from c where exists (select 1 from o where o.cust = c.id and o.note = 'n2') order by 1
id:int4 | grp:int4
6 | 1
8 | 3
9 | NULL
10 | 0
18 | 3
19 | NULL
20 | 0
21 | 1
22 | 2
SELECT 9

> select count(*) from c where exists (select 1 from o where o.cust = c.grp and o.note = c.name)
count:int8
0
SELECT 1

> select c.id from c where not exists (select 1 from o where o.cust = c.id) order by 1 limit 6
id:int4
7
23
24
25
26
27
SELECT 6

> select c.id from c left join o on o.cust = c.id where o.id is null order by 1 limit 6
id:int4
7
23
24
25
26
27
SELECT 6

> select c.id, o.total, o.cust from c left join o on o.cust = c.id and o.total > 100 where o.cust is null and c.id < 6 order by 1
id:int4 | total:numeric | cust:int4
SELECT 0

> select c.id, o.note from c left join o on o.cust = c.id where o.note is null and c.id in (3, 30) order by 1, 2
id:int4 | note:text
3 | NULL
3 | NULL
3 | NULL
3 | NULL
30 | NULL
SELECT 5

> select c.id, c.grp = 1 or exists (select 1 from o where o.cust = c.grp and o.note = 'n1') as x from c where c.id < 9 order by 1
id:int4 | x:bool
1 | t
2 | t
3 | f
4 | NULL
5 | t
6 | t
7 | t
8 | f
SELECT 8

> select count(*) from c where c.id = 1 or not exists (select 1 from e where e.k = c.grp)
count:int8
17
SELECT 1

> select count(*) from c where c.id < 3 or exists (select 1 from e where e.k = c.grp and e.w = c.name) or exists (select 1 from o where o.id = c.id and o.note is null)
count:int8
27
SELECT 1

> select o.id, i.line, i.qty from o join l i on i.oid = o.id where o.id = 42 order by i.qty, i.line
id:int4 | line:int4 | qty:int4
42 | 1 | 6
42 | 2 | 7
42 | 3 | 8
SELECT 3

> select x.id, y.id from c x join c y on x.id < y.id where y.id < 5 order by 1, 2
id:int4 | id:int4
1 | 2
1 | 3
1 | 4
2 | 3
2 | 4
3 | 4
SELECT 6

> select x.id, y.id from o x join o y on x.id = y.cust where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
1 | 1
1 | 24
1 | 47
1 | 70
1 | 93
1 | 116
2 | 2
2 | 25
2 | 48
2 | 71
SELECT 10

# rows taken by their keys
> update l set qty = qty + 100 where (oid, line) in ((1, 1), (2, 3), (2, 3), (77, 1)) returning oid, line, qty
oid:int4 | line:int4 | qty:int4
1 | 1 | 100
2 | 3 | 105
77 | 1 | 103
UPDATE 3

> update o set total = 0 where id in (select oid from l where part = 5 order by oid limit 2 for update) returning id
id:int4
2
8
UPDATE 2

> with u as (update o set note = 'taken' where id in (select id from o where note is null order by placed, id limit 3 for update skip locked) returning id)
> select id from u order by id
id:int4
1
13
25
SELECT 3

> delete from e where k = 1 and v = 2 or v = 3 and k > 5
DELETE 16

> delete from o where cust in (select id from c where code = 'c5') or id = 3
DELETE 7

> select count(*), sum(total) from o
count:int8 | sum:numeric
113 | 10308.00
SELECT 1

> select count(*), sum(k), sum(v) from e
count:int8 | sum:int8 | sum:int8
184 | 831 | 413
SELECT 1

> select oid, line from l where (oid = 5 and line = 1) or (oid = 7 and line = 2) order by 1 for update
oid:int4 | line:int4
5 | 1
7 | 2
SELECT 2

