# The first rows of joins, of unions and of numbered rows: what stops early gives what sorting everything gives.
> create table c (id int primary key, grp int not null, name text, at int)
CREATE TABLE

> create table o (id int primary key, c int not null, at int not null, status text)
CREATE TABLE

> create index o_at on o (at desc, id)
CREATE INDEX

> create index o_c on o (c, at)
CREATE INDEX

> create table r (grp int primary key, label text)
CREATE TABLE

> insert into c select g, g % 5, case when g % 7 > 0 then 'n' || g % 11 end, g * 37 % 100 from generate_series(1, 100) g
INSERT 0 100

> insert into o select g, 1 + g * 7 % 120, g * 13 % 250, case when g % 20 = 0 then 'open' else 'done' end from generate_series(1, 1000) g
INSERT 0 1000

> insert into r select g, 'r' || g from generate_series(0, 3) g
INSERT 0 4

> analyze
ANALYZE

> select o.id, o.at, c.name from o join c on c.id = o.c where c.grp < 4 order by o.at desc, o.id limit 5
id:int4 | at:int4 | name:text
173 | 249 | n1
423 | 249 | n5
673 | 249 | n10
96 | 248 | n7
346 | 248 | n1
SELECT 5

> select o.id, o.at, c.name from o join c on c.id = o.c where c.grp < 4 order by o.at desc, c.name, o.id limit 7 offset 3
id:int4 | at:int4 | name:text
346 | 248 | n1
846 | 248 | n10
596 | 248 | n5
96 | 248 | n7
692 | 246 | n1
192 | 246 | n3
442 | 246 | n7
SELECT 7

> select o.id, c.name, r.label from o left join c on c.id = o.c left join r on r.grp = c.grp order by o.at desc, o.id limit 6
id:int4 | name:text | label:text
173 | n1 | r2
423 | n5 | r2
673 | n10 | r2
923 | NULL | NULL
96 | n7 | r3
346 | n1 | r3
SELECT 6

> select o.id, c.id, r.label from o left join c on c.id = o.c and c.grp = 2 left join r on r.grp = c.grp where o.at < 240 order by o.at desc, o.id limit 6
id:int4 | id:int4 | label:text
153 | NULL | NULL
403 | 62 | r2
653 | 12 | r2
903 | 82 | r2
76 | NULL | NULL
326 | NULL | NULL
SELECT 6

> select o.id, o.at, r.label from o join c on c.id = o.c right join r on r.grp = c.grp order by o.at desc nulls last, o.id limit 4
id:int4 | at:int4 | label:text
173 | 249 | r2
423 | 249 | r2
673 | 249 | r2
96 | 248 | r3
SELECT 4

> select o.id, o.at from o where exists (select 1 from c where c.id = o.c and c.grp = 3) order by o.at desc, o.id limit 5
id:int4 | at:int4
96 | 248
346 | 248
596 | 248
846 | 248
211 | 243
SELECT 5

> select o.id, o.at from o where not exists (select 1 from c where c.id = o.c) order by o.at desc, o.id limit 5
id:int4 | at:int4
923 | 249
769 | 247
942 | 246
615 | 245
788 | 244
SELECT 5

> select o.id, o.at from o where o.c in (select c.id from c where c.name = 'n3') order by o.at desc, o.id limit 5
id:int4 | at:int4
192 | 246
365 | 245
538 | 244
711 | 243
884 | 242
SELECT 5

> select distinct o.at, o.id from o join c on c.grp = o.c % 5 where c.at > 50 order by o.at desc, o.id limit 5
at:int4 | id:int4
249 | 173
249 | 423
249 | 673
249 | 923
248 | 96
SELECT 5

> select distinct on (o.at) o.at, o.id, c.name from o join c on c.id = o.c order by o.at desc, o.id limit 5
at:int4 | id:int4 | name:text
249 | 173 | n1
248 | 96 | n7
247 | 19 | NULL
246 | 192 | n3
245 | 115 | n9
SELECT 5

> select a.id, b.id from o a join o b on b.c = a.c and b.at = a.at order by a.at desc, a.id, b.id limit 5
id:int4 | id:int4
173 | 173
423 | 423
673 | 673
923 | 923
96 | 96
SELECT 5

> select o.id, l.id from o join lateral (select c.id from c where c.grp = o.c % 5 order by c.at, c.id limit 2) l on true order by o.at desc, o.id, l.id limit 5
id:int4 | id:int4
173 | 57
173 | 92
423 | 57
423 | 92
673 | 57
SELECT 5

> select o.id, o.at from o, c where o.c = c.id and c.id = 200 order by o.at desc, o.id limit 3
id:int4 | at:int4
SELECT 0

> prepare p(int, int) as select o.id, o.at, c.name from o join c on c.id = o.c order by o.at desc, o.id limit $1 offset $2
PREPARE

> execute p(3, 2)
id:int4 | at:int4 | name:text
673 | 249 | n10
96 | 248 | n7
346 | 248 | n1
SELECT 3

> execute p(null, 990)
id:int4 | at:int4 | name:text
SELECT 0

> execute p(2, null)
id:int4 | at:int4 | name:text
173 | 249 | n1
423 | 249 | n5
SELECT 2

> execute p(0, 0)
id:int4 | at:int4 | name:text
SELECT 0

> select o.id, c.name from o join c on c.id = o.c order by o.at desc, o.id limit 3 for update of o
id:int4 | name:text
173 | n1
423 | n5
673 | n10
SELECT 3

# UNION ALL: each side gives as many as all of it.
> select * from (select id, at from o union all select id, at from c) v order by at desc, id limit 6
id:int4 | at:int4
173 | 249
423 | 249
673 | 249
923 | 249
96 | 248
346 | 248
SELECT 6

> select * from (select id, at from o union all select id, at from c) v order by at desc, id limit 4 offset 5
id:int4 | at:int4
346 | 248
596 | 248
846 | 248
19 | 247
SELECT 4

> select * from (select id, at, 'o' k from o union all select id, at, 'c' from c) v where k = 'c' and at < 90 order by at desc, id limit 4
id:int4 | at:int4 | k:text
97 | 89 | c
24 | 88 | c
51 | 87 | c
78 | 86 | c
SELECT 4

> select id + 1 as n, at from (select id, at from o where status = 'open' union all select id, at from c union all select id, c from o where id < 5) v where at > 3 order by at, n desc limit 5
n:int4 | at:int4
93 | 4
66 | 5
39 | 6
12 | 7
85 | 8
SELECT 5

> select at, id from (select id, at from o union all select id, at from c) v order by at % 10, at, id limit 5
at:int4 | id:int4
0 | 100
0 | 250
0 | 500
0 | 750
0 | 1000
SELECT 5

> select at from (select at from o union select at from c) v order by at limit 3
at:int4
0
1
2
SELECT 3

> (select at from o where id < 4 order by id limit 2) union all (select at from c where id < 3) order by at limit 3
at:int4
13
26
37
SELECT 3

> select at from (select at from o union all select at from c) v order by at fetch first 2 rows with ties
at:int4
0
0
0
0
0
SELECT 5

> select id from (select id, at from o union all select id, at from c) v where exists (select 1 from r where r.grp = v.id % 10) order by at desc, id limit 3
id:int4
173
423
673
SELECT 3

> prepare u(bigint, bigint) as select * from (select id, at from o union all select id, at from c) v order by at desc, id limit $1 offset $2
PREPARE

> execute u(3, 1)
id:int4 | at:int4
423 | 249
673 | 249
923 | 249
SELECT 3

> execute u(null, 1097)
id:int4 | at:int4
500 | 0
750 | 0
1000 | 0
SELECT 3

> execute u(2, null)
id:int4 | at:int4
173 | 249
423 | 249
SELECT 2

> execute u(9223372036854775807, 9223372036854775807)
id:int4 | at:int4
SELECT 0

> select count(*) from (select * from (select id, at from o union all select id, at from c) v order by at limit null) w
count:int8
1100
SELECT 1

> select count(*) from (select id from o union all select id from c limit 7) w
count:int8
7
SELECT 1

# Conditions on what all windows divide by are conditions on the rows.
> select * from (select id, c, at, sum(at) over (partition by c order by at, id) s from o) v where c = 7 and at > 100 order by id
id:int4 | c:int4 | at:int4 | s:int8
18 | 7 | 234 | 1266
258 | 7 | 104 | 276
378 | 7 | 164 | 594
498 | 7 | 224 | 1032
858 | 7 | 154 | 430
978 | 7 | 214 | 808
SELECT 6

> select * from (select id, c, row_number() over (partition by c order by at, id) n, count(*) over (partition by c, status) m from o) v where c in (3, 4) and n <= 2 order by id
id:int4 | c:int4 | n:int8 | m:int8
309 | 4 | 2 | 8
446 | 3 | 2 | 8
789 | 4 | 1 | 8
926 | 3 | 1 | 8
SELECT 4

> select * from (select id, c, row_number() over (partition by c order by at, id) n, count(*) over (partition by status) m from o) v where c in (3, 4) and n <= 2 order by id
id:int4 | c:int4 | n:int8 | m:int8
309 | 4 | 2 | 950
446 | 3 | 2 | 950
789 | 4 | 1 | 950
926 | 3 | 1 | 950
SELECT 4

> select * from (select id, c % 3 k, rank() over (partition by c % 3 order by at, id) n from o) v where k = 1 and n < 4 order by n
id:int4 | k:int4 | n:int8
750 | 1 | 1
327 | 1 | 2
654 | 1 | 3
SELECT 3

> select * from (select id, status, first_value(id) over (partition by status order by at, id) f from o) v where status = 'open' and id < 100 order by id
id:int4 | status:text | f:int4
20 | open | 500
40 | open | 500
60 | open | 500
80 | open | 500
SELECT 4

# The first numbers of all rows.
> select * from (select id, at, row_number() over (order by at desc, id) n from o) v where n <= 3
id:int4 | at:int4 | n:int8
173 | 249 | 1
423 | 249 | 2
673 | 249 | 3
SELECT 3

> select * from (select id, at, row_number() over (order by at desc, id) n from o) v where n < 3 and id % 2 = 0
id:int4 | at:int4 | n:int8
SELECT 0

> select * from (select id, at, row_number() over (order by at desc, id) n from o) v where 3 = n
id:int4 | at:int4 | n:int8
673 | 249 | 3
SELECT 1

> select count(*), max(n) from (select rank() over (order by at) n from o) v where n <= 6
count:int8 | max:int8
8 | 5
SELECT 1

> select count(*), max(n) from (select dense_rank() over (order by at) n from o) v where n <= 6
count:int8 | max:int8
24 | 6
SELECT 1

> select count(*), max(n) from (select rank() over (order by at) n, dense_rank() over (order by at) d, row_number() over (order by at) m from o) v where n <= 2
count:int8 | max:int8
4 | 1
SELECT 1

> select * from (select at, row_number() over (order by at, id) n, count(*) over () m from o) v where n <= 2
at:int4 | n:int8 | m:int8
0 | 1 | 1000
0 | 2 | 1000
SELECT 2

> select * from (select at, row_number() over (order by at, id) n, lead(at) over (order by at, id) m from o) v where n <= 2
at:int4 | n:int8 | m:int4
0 | 1 | 0
0 | 2 | 0
SELECT 2

> select * from (select at, row_number() over (order by at, id) n, rank() over (order by id) m from o) v where n <= 2
at:int4 | n:int8 | m:int8
0 | 1 | 250
0 | 2 | 500
SELECT 2

> select * from (select at, row_number() over (order by at, id) n from o) v where n <= 2 or at = 249 order by n limit 4
at:int4 | n:int8
0 | 1
0 | 2
249 | 997
249 | 998
SELECT 4

> select count(*) from (select at, row_number() over (order by at, id) n from o) v where n > 2
count:int8
998
SELECT 1

> select * from (select name, rank() over (order by name nulls first) n from c) v where n <= 1
name:text | n:int8
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
NULL | 1
SELECT 14

> select count(*) from (select row_number() over () n from o) v where n <= 4
count:int8
4
SELECT 1

> select count(*) from (select rank() over () n from o) v where n <= 4
count:int8
1000
SELECT 1

> select count(*) from (select row_number() over (order by id) n from o) v where n <= -1
count:int8
0
SELECT 1

> prepare w(int) as select * from (select id, row_number() over (order by at desc, id) n from o) v where n <= $1
PREPARE

> execute w(2)
id:int4 | n:int8
173 | 1
423 | 2
SELECT 2

> execute w(0)
id:int4 | n:int8
SELECT 0

> execute w(-3)
id:int4 | n:int8
SELECT 0

> execute w(null)
id:int4 | n:int8
SELECT 0

# What one column of a class equals, all of them do.
> select o.id, c.id, x.id from o join c on c.id = o.c join c x on x.id = c.id where o.c = 17 order by 1
id:int4 | id:int4 | id:int4
88 | 17 | 17
208 | 17 | 17
328 | 17 | 17
448 | 17 | 17
568 | 17 | 17
688 | 17 | 17
808 | 17 | 17
928 | 17 | 17
SELECT 8

> select o.id, c.id from o join c on c.id = o.c and c.grp = c.id where c.grp = 3 order by 1
id:int4 | id:int4
86 | 3
206 | 3
326 | 3
446 | 3
566 | 3
686 | 3
806 | 3
926 | 3
SELECT 8

> select count(*) from o join c on c.id = o.c where o.c = 17 and c.id = 18
count:int8
0
SELECT 1

> select count(*), count(c.id) from o left join c on c.id = o.c where o.c = 17
count:int8 | count:int8
8 | 8
SELECT 1

> select count(*), count(o.id) from c left join o on c.id = o.c where o.c = 17 or c.id = 3
count:int8 | count:int8
16 | 16
SELECT 1

> prepare k(int) as select count(*) from o join c on c.id = o.c join c x on x.id = o.c where x.id = $1
PREPARE

> execute k(17)
count:int8
8
SELECT 1

> execute k(null)
count:int8
0
SELECT 1

> execute k(101)
count:int8
0
SELECT 1

# NULL-safe comparisons with constants.
> select count(*) from c where name is not distinct from 'n3'
count:int8
7
SELECT 1

> select count(*) from c where name is distinct from 'n3'
count:int8
93
SELECT 1

> select count(*) from c where not (name is not distinct from 'n3')
count:int8
93
SELECT 1

> select count(*) from c where name is not distinct from null
count:int8
14
SELECT 1

> select count(*) from c where name is distinct from null
count:int8
86
SELECT 1

> select name is not distinct from 'n3', name is distinct from null, null is not distinct from name from c where id in (7, 3, 14) order by id
?column?:bool | ?column?:bool | ?column?:bool
t | t | f
f | f | t
f | f | t
SELECT 3

> select count(*) from c where (name is not distinct from 'n3' or at is not distinct from 37) and grp is distinct from 2
count:int8
7
SELECT 1

> select count(*) from c where case when name is not distinct from 'n3' then false else true end
count:int8
93
SELECT 1

> select count(*) from c left join o on o.c is not distinct from 17 and o.at is not distinct from c.at where o.id is null
count:int8
96
SELECT 1

# Times that are known when the statement is planned.
> create table e (at timestamptz, d date, v int)
CREATE TABLE

> insert into e select now() - g * interval '1 minute', (now() - g * interval '1 hour')::date, g from generate_series(1, 3000) g
INSERT 0 3000

> create index on e (at)
CREATE INDEX

> create index on e (d)
CREATE INDEX

> analyze e
ANALYZE

> select count(*) from e where at > now() - interval '10 minutes 30 seconds'
count:int8
10
SELECT 1

> select count(*) from e where at > current_timestamp - interval '10 minutes 30 seconds' and at <= now() - interval '5 minutes 30 seconds'
count:int8
5
SELECT 1

> select count(*) from e where now() - interval '10 minutes 30 seconds' < at
count:int8
10
SELECT 1

> select count(*) > 0 from e where d >= current_date - 1
?column?:bool
t
SELECT 1

> select count(*) from e where at > now() + interval '1 day'
count:int8
0
SELECT 1

