# Predicates over an indexed table, by every access path.
> create table r (id int primary key, k int, c text, d numeric(8,2), e date)
CREATE TABLE

> insert into r select g, (g * 7) % 50, 'c' || (g % 13), (g * 1.25)::numeric(8,2), date '2020-01-01' + g from generate_series(1, 300) g
INSERT 0 300

> create index r_k on r (k)
CREATE INDEX

> create index r_c_k on r (c, k desc)
CREATE INDEX

> create index r_d on r (d)
CREATE INDEX

> create index r_e on r (e) where k > 25
CREATE INDEX

> analyze r
ANALYZE

> select id, k, c, d from r where id = 5 order by id
id:int4 | k:int4 | c:text | d:numeric
5 | 35 | c5 | 6.25
SELECT 1

> select id, k, c, d from r where id in (1, 50, 299, 1000) order by id
id:int4 | k:int4 | c:text | d:numeric
1 | 7 | c1 | 1.25
50 | 0 | c11 | 62.50
299 | 43 | c0 | 373.75
SELECT 3

> select id, k, c, d from r where id between 10 and 20 order by id
id:int4 | k:int4 | c:text | d:numeric
10 | 20 | c10 | 12.50
11 | 27 | c11 | 13.75
12 | 34 | c12 | 15.00
13 | 41 | c0 | 16.25
14 | 48 | c1 | 17.50
15 | 5 | c2 | 18.75
16 | 12 | c3 | 20.00
17 | 19 | c4 | 21.25
18 | 26 | c5 | 22.50
19 | 33 | c6 | 23.75
20 | 40 | c7 | 25.00
SELECT 11

> select id, k, c, d from r where id > 290 order by id
id:int4 | k:int4 | c:text | d:numeric
291 | 37 | c5 | 363.75
292 | 44 | c6 | 365.00
293 | 1 | c7 | 366.25
294 | 8 | c8 | 367.50
295 | 15 | c9 | 368.75
296 | 22 | c10 | 370.00
297 | 29 | c11 | 371.25
298 | 36 | c12 | 372.50
299 | 43 | c0 | 373.75
300 | 0 | c1 | 375.00
SELECT 10

> select id, k, c, d from r where id >= 295 and id < 299 order by id
id:int4 | k:int4 | c:text | d:numeric
295 | 15 | c9 | 368.75
296 | 22 | c10 | 370.00
297 | 29 | c11 | 371.25
298 | 36 | c12 | 372.50
SELECT 4

> select id, k, c, d from r where id < 5 or id > 297 order by id
id:int4 | k:int4 | c:text | d:numeric
1 | 7 | c1 | 1.25
2 | 14 | c2 | 2.50
3 | 21 | c3 | 3.75
4 | 28 | c4 | 5.00
298 | 36 | c12 | 372.50
299 | 43 | c0 | 373.75
300 | 0 | c1 | 375.00
SELECT 7

> select id, k, c, d from r where k = 7 order by id
id:int4 | k:int4 | c:text | d:numeric
1 | 7 | c1 | 1.25
51 | 7 | c12 | 63.75
101 | 7 | c10 | 126.25
151 | 7 | c8 | 188.75
201 | 7 | c6 | 251.25
251 | 7 | c4 | 313.75
SELECT 6

> select id, k, c, d from r where k in (1, 2) and id < 100 order by id
id:int4 | k:int4 | c:text | d:numeric
36 | 2 | c10 | 45.00
43 | 1 | c4 | 53.75
86 | 2 | c8 | 107.50
93 | 1 | c2 | 116.25
SELECT 4

> select id, k, c, d from r where k between 3 and 5 and c = 'c1' order by id
id:int4 | k:int4 | c:text | d:numeric
79 | 3 | c1 | 98.75
222 | 4 | c1 | 277.50
SELECT 2

> select id, k, c, d from r where c = 'c3' order by id
id:int4 | k:int4 | c:text | d:numeric
3 | 21 | c3 | 3.75
16 | 12 | c3 | 20.00
29 | 3 | c3 | 36.25
42 | 44 | c3 | 52.50
55 | 35 | c3 | 68.75
68 | 26 | c3 | 85.00
81 | 17 | c3 | 101.25
94 | 8 | c3 | 117.50
107 | 49 | c3 | 133.75
120 | 40 | c3 | 150.00
133 | 31 | c3 | 166.25
146 | 22 | c3 | 182.50
159 | 13 | c3 | 198.75
172 | 4 | c3 | 215.00
185 | 45 | c3 | 231.25
198 | 36 | c3 | 247.50
211 | 27 | c3 | 263.75
224 | 18 | c3 | 280.00
237 | 9 | c3 | 296.25
250 | 0 | c3 | 312.50
263 | 41 | c3 | 328.75
276 | 32 | c3 | 345.00
289 | 23 | c3 | 361.25
SELECT 23

> select id, k, c, d from r where c = 'c3' and k > 40 order by id
id:int4 | k:int4 | c:text | d:numeric
42 | 44 | c3 | 52.50
107 | 49 | c3 | 133.75
185 | 45 | c3 | 231.25
263 | 41 | c3 | 328.75
SELECT 4

> select id, k, c, d from r where c = 'c3' and k = 21 order by id
id:int4 | k:int4 | c:text | d:numeric
3 | 21 | c3 | 3.75
SELECT 1

> select id, k, c, d from r where c >= 'c9' and k < 3 order by id
id:int4 | k:int4 | c:text | d:numeric
100 | 0 | c9 | 125.00
243 | 1 | c9 | 303.75
SELECT 2

> select id, k, c, d from r where c like 'c1%' and k < 4 order by id
id:int4 | k:int4 | c:text | d:numeric
36 | 2 | c10 | 45.00
50 | 0 | c11 | 62.50
79 | 3 | c1 | 98.75
129 | 3 | c12 | 161.25
179 | 3 | c10 | 223.75
193 | 1 | c11 | 241.25
300 | 0 | c1 | 375.00
SELECT 7

> select id, k, c, d from r where c like '%2' and id < 60 order by id
id:int4 | k:int4 | c:text | d:numeric
2 | 14 | c2 | 2.50
12 | 34 | c12 | 15.00
15 | 5 | c2 | 18.75
25 | 25 | c12 | 31.25
28 | 46 | c2 | 35.00
38 | 16 | c12 | 47.50
41 | 37 | c2 | 51.25
51 | 7 | c12 | 63.75
54 | 28 | c2 | 67.50
SELECT 9

> select id, k, c, d from r where d = 12.50 order by id
id:int4 | k:int4 | c:text | d:numeric
10 | 20 | c10 | 12.50
SELECT 1

> select id, k, c, d from r where d between 10 and 14 order by id
id:int4 | k:int4 | c:text | d:numeric
8 | 6 | c8 | 10.00
9 | 13 | c9 | 11.25
10 | 20 | c10 | 12.50
11 | 27 | c11 | 13.75
SELECT 4

> select id, k, c, d from r where d > 370 order by id
id:int4 | k:int4 | c:text | d:numeric
297 | 29 | c11 | 371.25
298 | 36 | c12 | 372.50
299 | 43 | c0 | 373.75
300 | 0 | c1 | 375.00
SELECT 4

> select id, k, c, d from r where e = date '2020-02-01' order by id
id:int4 | k:int4 | c:text | d:numeric
31 | 17 | c5 | 38.75
SELECT 1

> select id, k, c, d from r where e between '2020-03-01' and '2020-03-05' order by id
id:int4 | k:int4 | c:text | d:numeric
60 | 20 | c8 | 75.00
61 | 27 | c9 | 76.25
62 | 34 | c10 | 77.50
63 | 41 | c11 | 78.75
64 | 48 | c12 | 80.00
SELECT 5

> select id, k, c, d from r where e > '2020-10-20' and k > 25 order by id
id:int4 | k:int4 | c:text | d:numeric
297 | 29 | c11 | 371.25
298 | 36 | c12 | 372.50
299 | 43 | c0 | 373.75
SELECT 3

> select id, k, c, d from r where k is null order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where c is not null and id = 3 order by id
id:int4 | k:int4 | c:text | d:numeric
3 | 21 | c3 | 3.75
SELECT 1

> select id, k, c, d from r where not (k > 1) order by id
id:int4 | k:int4 | c:text | d:numeric
43 | 1 | c4 | 53.75
50 | 0 | c11 | 62.50
93 | 1 | c2 | 116.25
100 | 0 | c9 | 125.00
143 | 1 | c0 | 178.75
150 | 0 | c7 | 187.50
193 | 1 | c11 | 241.25
200 | 0 | c5 | 250.00
243 | 1 | c9 | 303.75
250 | 0 | c3 | 312.50
293 | 1 | c7 | 366.25
300 | 0 | c1 | 375.00
SELECT 12

> select id, k, c, d from r where k = 7 or c = 'c0' and id < 30 order by id
id:int4 | k:int4 | c:text | d:numeric
1 | 7 | c1 | 1.25
13 | 41 | c0 | 16.25
26 | 32 | c0 | 32.50
51 | 7 | c12 | 63.75
101 | 7 | c10 | 126.25
151 | 7 | c8 | 188.75
201 | 7 | c6 | 251.25
251 | 7 | c4 | 313.75
SELECT 8

> select id, k, c, d from r where id % 100 = 0 order by id
id:int4 | k:int4 | c:text | d:numeric
100 | 0 | c9 | 125.00
200 | 0 | c5 | 250.00
300 | 0 | c1 | 375.00
SELECT 3

> select id, k, c, d from r where id = 5 and k = 35 order by id
id:int4 | k:int4 | c:text | d:numeric
5 | 35 | c5 | 6.25
SELECT 1

> select id, k, c, d from r where id = 5 and k = 36 order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where k = any (array[3, 4]) and id > 250 order by id
id:int4 | k:int4 | c:text | d:numeric
272 | 4 | c12 | 340.00
279 | 3 | c6 | 348.75
SELECT 2

> select id, k, c, d from r where (c, k) = ('c1', 7) order by id
id:int4 | k:int4 | c:text | d:numeric
1 | 7 | c1 | 1.25
SELECT 1

> select id, k, c, d from r where (id, k) > (298, 0) order by id
id:int4 | k:int4 | c:text | d:numeric
298 | 36 | c12 | 372.50
299 | 43 | c0 | 373.75
300 | 0 | c1 | 375.00
SELECT 3

> select id, k, c, d from r where upper(c) = 'C5' and id < 50 order by id
id:int4 | k:int4 | c:text | d:numeric
5 | 35 | c5 | 6.25
18 | 26 | c5 | 22.50
31 | 17 | c5 | 38.75
44 | 8 | c5 | 55.00
SELECT 4

> select id, k, c, d from r where d / 2 = 50 order by id
id:int4 | k:int4 | c:text | d:numeric
80 | 10 | c2 | 100.00
SELECT 1

> select id, k, c, d from r where k + 1 = 2 order by id
id:int4 | k:int4 | c:text | d:numeric
43 | 1 | c4 | 53.75
93 | 1 | c2 | 116.25
143 | 1 | c0 | 178.75
193 | 1 | c11 | 241.25
243 | 1 | c9 | 303.75
293 | 1 | c7 | 366.25
SELECT 6

> select id, k, c, d from r where id = (select min(id) from r where k = 9) order by id
id:int4 | k:int4 | c:text | d:numeric
37 | 9 | c11 | 46.25
SELECT 1

> select id, k, c, d from r where k in (select k from r where id < 4) and id > 280 order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where exists (select 1 from r x where x.id = r.k and x.c = 'c5') and id < 150 order by id
id:int4 | k:int4 | c:text | d:numeric
15 | 5 | c2 | 18.75
24 | 18 | c11 | 30.00
33 | 31 | c7 | 41.25
42 | 44 | c3 | 52.50
65 | 5 | c0 | 81.25
74 | 18 | c9 | 92.50
83 | 31 | c5 | 103.75
92 | 44 | c1 | 115.00
115 | 5 | c11 | 143.75
124 | 18 | c7 | 155.00
133 | 31 | c3 | 166.25
142 | 44 | c12 | 177.50
SELECT 12

> select id, k, c, d from r where c <> 'c1' and k = 14 order by id
id:int4 | k:int4 | c:text | d:numeric
2 | 14 | c2 | 2.50
52 | 14 | c0 | 65.00
102 | 14 | c11 | 127.50
152 | 14 | c9 | 190.00
202 | 14 | c7 | 252.50
252 | 14 | c5 | 315.00
SELECT 6

> select id, k, c, d from r where coalesce(k, 0) = 21 and id > 200 order by id
id:int4 | k:int4 | c:text | d:numeric
203 | 21 | c8 | 253.75
253 | 21 | c6 | 316.25
SELECT 2

> select id, k, c, d from r where case when k > 48 then true else false end order by id
id:int4 | k:int4 | c:text | d:numeric
7 | 49 | c7 | 8.75
57 | 49 | c5 | 71.25
107 | 49 | c3 | 133.75
157 | 49 | c1 | 196.25
207 | 49 | c12 | 258.75
257 | 49 | c10 | 321.25
SELECT 6

> select id, k, c, d from r where id = -1 order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where id > 5 and id < 5 order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where k = 3.0 order by id
id:int4 | k:int4 | c:text | d:numeric
29 | 3 | c3 | 36.25
79 | 3 | c1 | 98.75
129 | 3 | c12 | 161.25
179 | 3 | c10 | 223.75
229 | 3 | c8 | 286.25
279 | 3 | c6 | 348.75
SELECT 6

> select id, k, c, d from r where k = 3.5 order by id
id:int4 | k:int4 | c:text | d:numeric
SELECT 0

> select id, k, c, d from r where id = '17' order by id
id:int4 | k:int4 | c:text | d:numeric
17 | 19 | c4 | 21.25
SELECT 1

> select id, k, c, d from r where c = 'c' || '7' and k <= 1 order by id
id:int4 | k:int4 | c:text | d:numeric
150 | 0 | c7 | 187.50
293 | 1 | c7 | 366.25
SELECT 2

> select id, k, c, d from r where d::int = 100 order by id
id:int4 | k:int4 | c:text | d:numeric
80 | 10 | c2 | 100.00
SELECT 1

> select id, k, c, d from r where e - date '2020-01-01' = 77 order by id
id:int4 | k:int4 | c:text | d:numeric
77 | 39 | c12 | 96.25
SELECT 1

> select id, k, c, d from r where extract(month from e) = 2 and k = 0 order by id
id:int4 | k:int4 | c:text | d:numeric
50 | 0 | c11 | 62.50
SELECT 1

> select id, k, c, d from r where id between symmetric 20 and 15 order by id
id:int4 | k:int4 | c:text | d:numeric
15 | 5 | c2 | 18.75
16 | 12 | c3 | 20.00
17 | 19 | c4 | 21.25
18 | 26 | c5 | 22.50
19 | 33 | c6 | 23.75
20 | 40 | c7 | 25.00
SELECT 6

> select count(*), min(id), max(k), sum(d) from r where id = 5
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 5 | 35 | 6.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id in (1, 50, 299, 1000)
count:int8 | min:int4 | max:int4 | sum:numeric
3 | 1 | 43 | 437.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id between 10 and 20
count:int8 | min:int4 | max:int4 | sum:numeric
11 | 10 | 48 | 206.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id > 290
count:int8 | min:int4 | max:int4 | sum:numeric
10 | 291 | 44 | 3693.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id >= 295 and id < 299
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 295 | 36 | 1482.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id < 5 or id > 297
count:int8 | min:int4 | max:int4 | sum:numeric
7 | 1 | 43 | 1133.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k = 7
count:int8 | min:int4 | max:int4 | sum:numeric
6 | 1 | 7 | 945.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k in (1, 2) and id < 100
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 36 | 2 | 322.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k between 3 and 5 and c = 'c1'
count:int8 | min:int4 | max:int4 | sum:numeric
2 | 79 | 4 | 376.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c = 'c3'
count:int8 | min:int4 | max:int4 | sum:numeric
23 | 3 | 49 | 4197.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c = 'c3' and k > 40
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 42 | 49 | 746.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c = 'c3' and k = 21
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 3 | 21 | 3.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c >= 'c9' and k < 3
count:int8 | min:int4 | max:int4 | sum:numeric
2 | 100 | 1 | 428.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c like 'c1%' and k < 4
count:int8 | min:int4 | max:int4 | sum:numeric
7 | 36 | 3 | 1207.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c like '%2' and id < 60
count:int8 | min:int4 | max:int4 | sum:numeric
9 | 2 | 46 | 332.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where d = 12.50
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 10 | 20 | 12.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where d between 10 and 14
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 8 | 27 | 47.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where d > 370
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 297 | 43 | 1492.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where e = date '2020-02-01'
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 31 | 17 | 38.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where e between '2020-03-01' and '2020-03-05'
count:int8 | min:int4 | max:int4 | sum:numeric
5 | 60 | 48 | 387.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where e > '2020-10-20' and k > 25
count:int8 | min:int4 | max:int4 | sum:numeric
3 | 297 | 43 | 1117.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k is null
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c is not null and id = 3
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 3 | 21 | 3.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where not (k > 1)
count:int8 | min:int4 | max:int4 | sum:numeric
12 | 43 | 1 | 2572.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k = 7 or c = 'c0' and id < 30
count:int8 | min:int4 | max:int4 | sum:numeric
8 | 1 | 41 | 993.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id % 100 = 0
count:int8 | min:int4 | max:int4 | sum:numeric
3 | 100 | 0 | 750.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id = 5 and k = 35
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 5 | 35 | 6.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id = 5 and k = 36
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k = any (array[3, 4]) and id > 250
count:int8 | min:int4 | max:int4 | sum:numeric
2 | 272 | 4 | 688.75
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where (c, k) = ('c1', 7)
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 1 | 7 | 1.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where (id, k) > (298, 0)
count:int8 | min:int4 | max:int4 | sum:numeric
3 | 298 | 43 | 1121.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where upper(c) = 'C5' and id < 50
count:int8 | min:int4 | max:int4 | sum:numeric
4 | 5 | 35 | 122.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where d / 2 = 50
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 80 | 10 | 100.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k + 1 = 2
count:int8 | min:int4 | max:int4 | sum:numeric
6 | 43 | 1 | 1260.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id = (select min(id) from r where k = 9)
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 37 | 9 | 46.25
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k in (select k from r where id < 4) and id > 280
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where exists (select 1 from r x where x.id = r.k and x.c = 'c5') and id < 150
count:int8 | min:int4 | max:int4 | sum:numeric
12 | 15 | 44 | 1177.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where c <> 'c1' and k = 14
count:int8 | min:int4 | max:int4 | sum:numeric
6 | 2 | 14 | 952.50
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where coalesce(k, 0) = 21 and id > 200
count:int8 | min:int4 | max:int4 | sum:numeric
2 | 203 | 21 | 570.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where case when k > 48 then true else false end
count:int8 | min:int4 | max:int4 | sum:numeric
6 | 7 | 49 | 990.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id = -1
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id > 5 and id < 5
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k = 3.0
count:int8 | min:int4 | max:int4 | sum:numeric
6 | 29 | 3 | 1155.00
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where k = 3.5
count:int8 | min:int4 | max:int4 | sum:numeric
0 | NULL | NULL | NULL
SELECT 1

> select count(*), min(id), max(k), sum(d) from r where id = '17'
count:int8 | min:int4 | max:int4 | sum:numeric
1 | 17 | 19 | 21.25
SELECT 1

> select id, k, c from r order by id desc limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
299 | 43 | c0
298 | 36 | c12
297 | 29 | c11
296 | 22 | c10
295 | 15 | c9
294 | 8 | c8
SELECT 7

> select id from r where k > 10 order by id desc limit 3 offset 4
id:int4
295
292
291
SELECT 3

> select id, k, c from r order by k, id limit 7
id:int4 | k:int4 | c:text
50 | 0 | c11
100 | 0 | c9
150 | 0 | c7
200 | 0 | c5
250 | 0 | c3
300 | 0 | c1
43 | 1 | c4
SELECT 7

> select id from r where k > 10 order by k, id limit 3 offset 4
id:int4
223
273
16
SELECT 3

> select id, k, c from r order by k desc, id desc limit 7
id:int4 | k:int4 | c:text
257 | 49 | c10
207 | 49 | c12
157 | 49 | c1
107 | 49 | c3
57 | 49 | c5
7 | 49 | c7
264 | 48 | c4
SELECT 7

> select id from r where k > 10 order by k desc, id desc limit 3 offset 4
id:int4
57
7
264
SELECT 3

> select id, k, c from r order by c, k desc, id limit 7
id:int4 | k:int4 | c:text
221 | 47 | c0
78 | 46 | c0
299 | 43 | c0
156 | 42 | c0
13 | 41 | c0
234 | 38 | c0
91 | 37 | c0
SELECT 7

> select id from r where k > 10 order by c, k desc, id limit 3 offset 4
id:int4
13
234
91
SELECT 3

> select id, k, c from r order by c desc, id limit 7
id:int4 | k:int4 | c:text
9 | 13 | c9
22 | 4 | c9
35 | 45 | c9
48 | 36 | c9
61 | 27 | c9
74 | 18 | c9
87 | 9 | c9
SELECT 7

> select id from r where k > 10 order by c desc, id limit 3 offset 4
id:int4
74
113
126
SELECT 3

> select id, k, c from r order by d desc limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
299 | 43 | c0
298 | 36 | c12
297 | 29 | c11
296 | 22 | c10
295 | 15 | c9
294 | 8 | c8
SELECT 7

> select id from r where k > 10 order by d desc limit 3 offset 4
id:int4
295
292
291
SELECT 3

> select id, k, c from r order by e desc, id limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
299 | 43 | c0
298 | 36 | c12
297 | 29 | c11
296 | 22 | c10
295 | 15 | c9
294 | 8 | c8
SELECT 7

> select id from r where k > 10 order by e desc, id limit 3 offset 4
id:int4
295
292
291
SELECT 3

> select id, k, c from r order by k, c, id limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
50 | 0 | c11
250 | 0 | c3
200 | 0 | c5
150 | 0 | c7
100 | 0 | c9
143 | 1 | c0
SELECT 7

> select id from r where k > 10 order by k, c, id limit 3 offset 4
id:int4
123
73
66
SELECT 3

> select id, k, c from r order by length(c), id limit 7
id:int4 | k:int4 | c:text
1 | 7 | c1
2 | 14 | c2
3 | 21 | c3
4 | 28 | c4
5 | 35 | c5
6 | 42 | c6
7 | 49 | c7
SELECT 7

> select id from r where k > 10 order by length(c), id limit 3 offset 4
id:int4
6
7
9
SELECT 3

> select id, k, c from r order by -id limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
299 | 43 | c0
298 | 36 | c12
297 | 29 | c11
296 | 22 | c10
295 | 15 | c9
294 | 8 | c8
SELECT 7

> select id from r where k > 10 order by -id limit 3 offset 4
id:int4
295
292
291
SELECT 3

> select id, k, c from r order by c || k, id limit 7
id:int4 | k:int4 | c:text
143 | 1 | c0
130 | 10 | c0
273 | 11 | c0
52 | 14 | c0
195 | 15 | c0
117 | 19 | c0
286 | 2 | c0
SELECT 7

> select id from r where k > 10 order by c || k, id limit 3 offset 4
id:int4
260
39
182
SELECT 3

> select id, k, c from r order by k % 3, id desc limit 7
id:int4 | k:int4 | c:text
300 | 0 | c1
298 | 36 | c12
295 | 15 | c9
290 | 30 | c4
287 | 9 | c1
285 | 45 | c12
282 | 24 | c9
SELECT 7

> select id from r where k > 10 order by k % 3, id desc limit 3 offset 4
id:int4
282
277
274
SELECT 3

> select k % 5, count(*), sum(k), avg(d)::numeric(10,3) from r group by k % 5 order by k % 5
?column?:int4 | count:int8 | sum:int8 | avg:numeric
0 | 60 | 1350 | 190.625
1 | 60 | 1410 | 188.125
2 | 60 | 1470 | 185.625
3 | 60 | 1530 | 189.375
4 | 60 | 1590 | 186.875
SELECT 5

> select k % 5 from r where id < 80 group by k % 5 having count(*) > 5 order by k % 5
?column?:int4
0
1
2
3
4
SELECT 5

> select c, count(*), sum(k), avg(d)::numeric(10,3) from r group by c order by c
c:text | count:int8 | sum:int8 | avg:numeric
c0 | 23 | 566 | 195.000
c1 | 24 | 584 | 188.125
c10 | 23 | 583 | 191.250
c11 | 23 | 544 | 192.500
c12 | 23 | 605 | 193.750
c2 | 23 | 545 | 181.250
c3 | 23 | 556 | 182.500
c4 | 23 | 567 | 183.750
c5 | 23 | 578 | 185.000
c6 | 23 | 589 | 186.250
c7 | 23 | 550 | 187.500
c8 | 23 | 561 | 188.750
c9 | 23 | 522 | 190.000
SELECT 13

> select c from r where id < 80 group by c having count(*) > 5 order by c
c:text
c0
c1
c10
c11
c12
c2
c3
c4
c5
c6
c7
c8
c9
SELECT 13

> select k / 10, count(*), sum(k), avg(d)::numeric(10,3) from r group by k / 10 order by k / 10
?column?:int4 | count:int8 | sum:int8 | avg:numeric
0 | 60 | 270 | 191.875
1 | 60 | 870 | 185.625
2 | 60 | 1470 | 185.625
3 | 60 | 2070 | 191.875
4 | 60 | 2670 | 185.625
SELECT 5

> select k / 10 from r where id < 80 group by k / 10 having count(*) > 5 order by k / 10
?column?:int4
0
1
2
3
4
SELECT 5

> select e > '2020-06-01', count(*), sum(k), avg(d)::numeric(10,3) from r group by e > '2020-06-01' order by e > '2020-06-01'
?column?:bool | count:int8 | sum:int8 | avg:numeric
f | 152 | 3696 | 95.625
t | 148 | 3654 | 283.125
SELECT 2

> select e > '2020-06-01' from r where id < 80 group by e > '2020-06-01' having count(*) > 5 order by e > '2020-06-01'
?column?:bool
f
SELECT 1

> select length(c), count(*), sum(k), avg(d)::numeric(10,3) from r group by length(c) order by length(c)
length:int4 | count:int8 | sum:int8 | avg:numeric
2 | 231 | 5618 | 186.818
3 | 69 | 1732 | 192.500
SELECT 2

> select length(c) from r where id < 80 group by length(c) having count(*) > 5 order by length(c)
length:int4
2
3
SELECT 2

> select c, k % 2, count(*), sum(k), avg(d)::numeric(10,3) from r group by c, k % 2 order by c, k % 2
c:text | ?column?:int4 | count:int8 | sum:int8 | avg:numeric
c0 | 0 | 11 | 262 | 195.000
c0 | 1 | 12 | 304 | 195.000
c1 | 0 | 12 | 288 | 196.250
c1 | 1 | 12 | 296 | 180.000
c10 | 0 | 12 | 302 | 191.250
c10 | 1 | 11 | 281 | 191.250
c11 | 0 | 11 | 258 | 192.500
c11 | 1 | 12 | 286 | 192.500
c12 | 0 | 12 | 320 | 193.750
c12 | 1 | 11 | 285 | 193.750
c2 | 0 | 12 | 280 | 181.250
c2 | 1 | 11 | 265 | 181.250
c3 | 0 | 11 | 242 | 182.500
c3 | 1 | 12 | 314 | 182.500
c4 | 0 | 12 | 298 | 183.750
c4 | 1 | 11 | 269 | 183.750
c5 | 0 | 11 | 246 | 185.000
c5 | 1 | 12 | 332 | 185.000
c6 | 0 | 12 | 316 | 186.250
c6 | 1 | 11 | 273 | 186.250
c7 | 0 | 11 | 250 | 187.500
c7 | 1 | 12 | 300 | 187.500
c8 | 0 | 12 | 284 | 188.750
c8 | 1 | 11 | 277 | 188.750
c9 | 0 | 11 | 254 | 190.000
c9 | 1 | 12 | 268 | 190.000
SELECT 26

> select c, k % 2 from r where id < 80 group by c, k % 2 having count(*) > 5 order by c, k % 2
c:text | ?column?:int4
SELECT 0

> select d > 100, count(*), sum(k), avg(d)::numeric(10,3) from r group by d > 100 order by d > 100
?column?:bool | count:int8 | sum:int8 | avg:numeric
f | 80 | 1980 | 50.625
t | 220 | 5370 | 238.125
SELECT 2

> select d > 100 from r where id < 80 group by d > 100 having count(*) > 5 order by d > 100
?column?:bool
f
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.id = y.k where x.id < 100
count:int8 | sum:int8
294 | 7350
SELECT 1

> select x.id, y.id from r x join r y on x.id = y.k where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
1 | 43
1 | 93
1 | 143
1 | 193
1 | 243
1 | 293
2 | 36
2 | 86
2 | 136
2 | 186
SELECT 10

> select count(*), count(y.id) from r x left join r y on x.id = y.k where x.id < 50
count:int8 | count:int8
294 | 294
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.id = y.k)
count:int8
49
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.id = y.k)
count:int8
10
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.k = y.k and y.id < 5 where x.id < 100
count:int8 | sum:int8
8 | 220
SELECT 1

> select x.id, y.id from r x join r y on x.k = y.k and y.id < 5 where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
1 | 1
2 | 2
3 | 3
4 | 4
SELECT 4

> select count(*), count(y.id) from r x left join r y on x.k = y.k and y.id < 5 where x.id < 50
count:int8 | count:int8
49 | 4
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.k = y.k and y.id < 5)
count:int8
8
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.k = y.k and y.id < 5)
count:int8
51
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.c = y.c and x.id = y.id + 13 where x.id < 100
count:int8 | sum:int8
86 | 4859
SELECT 1

> select x.id, y.id from r x join r y on x.c = y.c and x.id = y.id + 13 where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
SELECT 0

> select count(*), count(y.id) from r x left join r y on x.c = y.c and x.id = y.id + 13 where x.id < 50
count:int8 | count:int8
49 | 36
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.c = y.c and x.id = y.id + 13)
count:int8
46
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.c = y.c and x.id = y.id + 13)
count:int8
13
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.id = y.id and x.k > 45 where x.id < 100
count:int8 | sum:int8
8 | 340
SELECT 1

> select x.id, y.id from r x join r y on x.id = y.id and x.k > 45 where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
7 | 7
SELECT 1

> select count(*), count(y.id) from r x left join r y on x.id = y.id and x.k > 45 where x.id < 50
count:int8 | count:int8
49 | 4
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.id = y.id and x.k > 45)
count:int8
5
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.id = y.id and x.k > 45)
count:int8
54
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.d = y.d and x.id < 6 where x.id < 100
count:int8 | sum:int8
5 | 15
SELECT 1

> select x.id, y.id from r x join r y on x.d = y.d and x.id < 6 where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5
SELECT 5

> select count(*), count(y.id) from r x left join r y on x.d = y.d and x.id < 6 where x.id < 50
count:int8 | count:int8
49 | 5
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.d = y.d and x.id < 6)
count:int8
5
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.d = y.d and x.id < 6)
count:int8
54
SELECT 1

> select count(*), sum(x.id) from r x join r y on x.k = y.id and x.c = 'c2' where x.id < 100
count:int8 | sum:int8
8 | 380
SELECT 1

> select x.id, y.id from r x join r y on x.k = y.id and x.c = 'c2' where x.id < 12 order by 1, 2 limit 10
id:int4 | id:int4
2 | 14
SELECT 1

> select count(*), count(y.id) from r x left join r y on x.k = y.id and x.c = 'c2' where x.id < 50
count:int8 | count:int8
49 | 4
SELECT 1

> select count(*) from r x where x.id < 60 and exists (select 1 from r y where x.k = y.id and x.c = 'c2')
count:int8
5
SELECT 1

> select count(*) from r x where x.id < 60 and not exists (select 1 from r y where x.k = y.id and x.c = 'c2')
count:int8
54
SELECT 1

> select min(k), max(k) from r
min:int4 | max:int4
0 | 49
SELECT 1

> select min(d) from r where k = 3
min:numeric
36.25
SELECT 1

> select max(e) from r where k > 25
max:date
2020-10-26
SELECT 1

> select distinct k from r where k < 5 order by k
k:int4
0
1
2
3
4
SELECT 5

> select distinct c, k % 2 from r where id < 30 order by 1, 2
c:text | ?column?:int4
c0 | 0
c0 | 1
c1 | 0
c1 | 1
c10 | 0
c10 | 1
c11 | 0
c11 | 1
c12 | 0
c12 | 1
c2 | 0
c2 | 1
c3 | 0
c3 | 1
c4 | 0
c4 | 1
c5 | 0
c5 | 1
c6 | 0
c6 | 1
c7 | 0
c7 | 1
c8 | 0
c8 | 1
c9 | 0
c9 | 1
SELECT 26

> select distinct on (c) c, id from r order by c, id desc
c:text | id:int4
c0 | 299
c1 | 300
c10 | 296
c11 | 297
c12 | 298
c2 | 288
c3 | 289
c4 | 290
c5 | 291
c6 | 292
c7 | 293
c8 | 294
c9 | 295
SELECT 13

> select c, max(id) from r group by c order by max(id) desc limit 3
c:text | max:int4
c1 | 300
c0 | 299
c12 | 298
SELECT 3

> select sum(k) over () from r limit 1
sum:int8
7350
SELECT 1

> select k, count(*) from r group by k order by count(*) desc, k limit 5
k:int4 | count:int8
0 | 6
1 | 6
2 | 6
3 | 6
4 | 6
SELECT 5

> select (select count(*) from r y where y.k = x.k) from r x where x.id = 9
count:int8
6
SELECT 1

> select avg(n) from (select k, count(*) n from r group by k) s
avg:numeric
6.0000000000000000
SELECT 1

> update r set k = k + 1 where k = 7 returning id, k
id:int4 | k:int4
1 | 8
51 | 8
101 | 8
151 | 8
201 | 8
251 | 8
UPDATE 6

> update r set c = 'moved' where id between 3 and 5
UPDATE 3

> select id, c from r where c = 'moved' order by id
id:int4 | c:text
3 | moved
4 | moved
5 | moved
SELECT 3

> delete from r where c = 'moved' and id = 4 returning id
id:int4
4
DELETE 1

> select count(*) from r where c = 'moved'
count:int8
2
SELECT 1

> update r set d = d * 2 where k = 8 and id < 60
UPDATE 3

> select id, d from r where d > 60 and k = 8 and id < 60 order by id
id:int4 | d:numeric
44 | 110.00
51 | 127.50
SELECT 2

> update r set id = id + 1000 where id > 298
UPDATE 2

> select id from r where id > 290 order by id
id:int4
291
292
293
294
295
296
297
298
1299
1300
SELECT 10

> delete from r where id in (select id from r where k = 9 limit 3)
DELETE 3

> select count(*) from r
count:int8
296
SELECT 1

> insert into r select id + 5000, k, c, d, e from r where id < 10
INSERT 0 8

> select count(*) from r where id > 5000
count:int8
8
SELECT 1

> delete from r where id > 5000
DELETE 8

# Several ranges of an index in one scan, forward and backward, with changes of the transaction itself among them.
> begin
BEGIN

> update r set k = 2 where id in (10, 20, 30)
UPDATE 3

> delete from r where k = 5
DELETE 6

> insert into r (id, k) values (6000, 7), (6001, 2), (6002, 5)
INSERT 0 3

> select k, id from r where k in (2, 5, 7) and id > 250 order by k, id
k:int4 | id:int4
2 | 286
2 | 6001
5 | 6002
7 | 6000
SELECT 4

> select k, count(*), max(id) from r where k in (7, 5, 2, 2) group by k order by k desc
k:int4 | count:int8 | max:int4
7 | 1 | 6000
5 | 1 | 6002
2 | 10 | 6001
SELECT 3

> select a.id, count(b.id), min(b.id), max(b.id) from r a join r b on b.k = a.id where a.id in (1, 2, 5, 7) group by a.id order by a.id
id:int4 | count:int8 | min:int4 | max:int4
1 | 6 | 43 | 293
2 | 10 | 10 | 6001
5 | 1 | 6002 | 6002
7 | 1 | 6000 | 6000
SELECT 4

> select count(*) from r where k between 2 and 3 or k between 5 and 7 or k = 6
count:int8
24
SELECT 1

> rollback
ROLLBACK

> select count(*) from r where k between 2 and 3 or k between 5 and 7 or k = 6
count:int8
24
SELECT 1
