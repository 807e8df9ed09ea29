# UPDATE and DELETE.
> create table t (id int primary key, a int, b text)
CREATE TABLE

> insert into t select g, g * 10, 'row ' || g from generate_series(1, 10) g
INSERT 0 10

> update t set a = a + 1 where id = 1
UPDATE 1

> update t set a = a + 1, b = 'new' where id in (2, 3) returning *
id:int4 | a:int4 | b:text
2 | 21 | new
3 | 31 | new
UPDATE 2

> update t set a = 0 where id > 100
UPDATE 0

> update t set nosuch = 1
ERROR 42703: column "nosuch" of relation "t" does not exist

> update t set a = 'x'
ERROR 22P02: invalid input syntax for type integer: "x"

> update t set a = 1, a = 2
ERROR 42601: multiple assignments to same column "a"

> update t set (a, b) = (99, 'multi') where id = 4
UPDATE 1

> update t set (a, b) = (select 7, 'sub') where id = 5
UPDATE 1

> update t set a = default where id = 6
UPDATE 1

> update t as x set a = x.id where x.id = 7 returning x.id, x.a
id:int4 | a:int4
7 | 7
UPDATE 1

> update t set id = id + 100 where id = 8
UPDATE 1

> update t set id = 1 where id = 9
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(1) already exists.

> update t set id = id + 1
ERROR 23505: duplicate key value violates unique constraint "t_pkey"
DETAIL: Key (id)=(10) already exists.

> select * from t order by id
id:int4 | a:int4 | b:text
1 | 11 | row 1
2 | 21 | new
3 | 31 | new
4 | 99 | multi
5 | 7 | sub
6 | NULL | row 6
7 | 7 | row 7
9 | 90 | row 9
10 | 100 | row 10
108 | 80 | row 8
SELECT 10

> create table s (id int, v int)
CREATE TABLE

> insert into s values (2, 200), (3, 300), (4, 400)
INSERT 0 3

> update t set a = s.v from s where s.id = t.id
UPDATE 3

> update t set a = s.v + 1 from s where s.id = t.id and s.v > 250 returning t.id, t.a, s.v
id:int4 | a:int4 | v:int4
3 | 301 | 300
4 | 401 | 400
UPDATE 2

> select id, a from t where id in (2, 3, 4) order by id
id:int4 | a:int4
2 | 200
3 | 301
4 | 401
SELECT 3

> update t set a = (select max(v) from s) where id = 10 returning a
a:int4
400
UPDATE 1

> update t set b = upper(b) where b like 'row%' returning b
b:text
ROW 9
ROW 1
ROW 6
ROW 7
ROW 8
ROW 10
UPDATE 6

> delete from t where id = 10
DELETE 1

> delete from t where id = 10
DELETE 0

> delete from t using s where t.id = s.id returning t.id, s.v
id:int4 | v:int4
2 | 200
3 | 300
4 | 400
DELETE 3

> delete from t where a is null returning id
id:int4
6
DELETE 1

> delete from t where id in (select id from s)
DELETE 0

> select count(*) from t
count:int8
5
SELECT 1

> delete from t
DELETE 5

> select count(*) from t
count:int8
0
SELECT 1

> delete from nosuch
ERROR 42P01: relation "nosuch" does not exist

> delete from t where nosuch = 1
ERROR 42703: column "nosuch" does not exist

> create table k (a int, b int, c text, primary key (a, b))
CREATE TABLE

> insert into k values (1, 1, 'x'), (1, 2, 'y'), (2, 1, 'z')
INSERT 0 3

> update k set b = 3 where a = 1 and b = 2
UPDATE 1

> update k set b = 1 where a = 1 and b = 3
ERROR 23505: duplicate key value violates unique constraint "k_pkey"
DETAIL: Key (a, b)=(1, 1) already exists.

> delete from k where a = 1
DELETE 2

> select * from k
a:int4 | b:int4 | c:text
2 | 1 | z
SELECT 1

> create table nopk (a int, b int)
CREATE TABLE

> insert into nopk values (1, 1), (1, 1), (2, 2)
INSERT 0 3

> update nopk set b = 5 where a = 1
UPDATE 2

> delete from nopk where b = 5
DELETE 2

> select * from nopk
a:int4 | b:int4
2 | 2
SELECT 1

> create table idx (id int primary key, k int, v text)
CREATE TABLE

> create index idx_k on idx (k)
CREATE INDEX

> insert into idx select g, g % 5, 'v' || g from generate_series(1, 50) g
INSERT 0 50

> update idx set k = k + 10 where k = 3
UPDATE 10

> select count(*), min(id), max(id) from idx where k = 13
count:int8 | min:int4 | max:int4
10 | 3 | 48
SELECT 1

> select count(*) from idx where k = 3
count:int8
0
SELECT 1

> delete from idx where k = 13
DELETE 10

> select count(*) from idx
count:int8
40
SELECT 1

> update idx set v = v || '!' where k between 1 and 2
UPDATE 20

> select id, v from idx where k = 1 order by id limit 3
id:int4 | v:text
1 | v1!
6 | v6!
11 | v11!
SELECT 3

> with x as (delete from idx where k = 0 returning id) select count(*), sum(id) from x
count:int8 | sum:int8
10 | 275
SELECT 1

> with x as (insert into idx values (1000, 1, 'new') returning id) select * from x
id:int4
1000
SELECT 1

> with x as (update idx set v = 'u' where id = 1000 returning v) select * from x
v:text
u
SELECT 1

> select * from idx where id = 1000
id:int4 | k:int4 | v:text
1000 | 1 | u
SELECT 1

