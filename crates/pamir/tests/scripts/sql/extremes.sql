# min and max, together and alone, with and without an index; estimates after ANALYZE change plans, never answers.
> create table t (id int primary key, a int, b text, c int)
CREATE TABLE
> insert into t select g, g % 100, 'x' || (g % 7), case when g % 10 = 0 then null else g end from generate_series(1, 5000) g
INSERT 0 5000
> create index on t (a)
CREATE INDEX
> create index on t (c)
CREATE INDEX
> select min(id), max(id) from t
min:int4 | max:int4
1 | 5000
SELECT 1
> select min(a), max(a), min(id) from t where id > 100
min:int4 | max:int4 | min:int4
0 | 99 | 101
SELECT 1
> select max(c) - min(c), min(c) from t
?column?:int4 | min:int4
4998 | 1
SELECT 1
> select min(a), max(a) from t where id < 0
min:int4 | max:int4
NULL | NULL
SELECT 1
> select min(a), max(b) from t
min:int4 | max:text
0 | x6
SELECT 1
> select min(a), max(a), count(*) from t
min:int4 | max:int4 | count:int8
0 | 99 | 5000
SELECT 1
> select min(id), max(id) from t having max(id) > 10000
min:int4 | max:int4
SELECT 0
> select x.v, (select max(id) - min(id) from t where a = x.v) from (values (1), (2), (1000)) x(v)
v:int4 | ?column?:int4
1 | 4900
2 | 4900
1000 | NULL
SELECT 3
> select min(t.id), max(u.id) from t, t u where t.a = 5 and u.a = 6 and u.id = t.id + 1
min:int4 | max:int4
5 | 4906
SELECT 1
> analyze t
ANALYZE
> select min(id), max(id) from t where a between 5 and 6
min:int4 | max:int4
5 | 4906
SELECT 1
> select count(*) from t where a in (1, 2, 3, 2000)
count:int8
150
SELECT 1
> select count(*) from t where a >= 98 and c is not null
count:int8
100
SELECT 1
> select count(*) from t where b = 'x3' and a < 2
count:int8
14
SELECT 1
> select count(*) from t where c is null and a <> 10
count:int8
450
SELECT 1
> select count(*) from t where a > 4 and a < 6 and b > 'x5'
count:int8
7
SELECT 1
> select count(*) from t where a = 99999999999 or a > 99999999999 or a = 3.5
count:int8
0
SELECT 1
