# SET (a, b) = (SELECT ...) runs its subquery once per row.
> create table t (id int primary key, a int, b int)
CREATE TABLE
> create table s (id int primary key, p int, q int)
CREATE TABLE
> create sequence n
CREATE SEQUENCE
> insert into t values (1, 0, 0), (2, 0, 0), (3, 7, 7)
INSERT 0 3
> insert into s values (1, 10, 11), (2, 20, 21)
INSERT 0 2
> update t set (a, b) = (select p, q from s where s.id = t.id) returning *
id:int4 | a:int4 | b:int4
1 | 10 | 11
2 | 20 | 21
3 | NULL | NULL
UPDATE 3
> update t set (a, b) = (select v.n, v.n + 100 from (select nextval('n') + t.id * 0 as n) v) returning *
id:int4 | a:int4 | b:int4
1 | 1 | 101
2 | 2 | 102
3 | 3 | 103
UPDATE 3
> select nextval('n')
nextval:int8
4
SELECT 1
> update t set (a, b) = (select p, q from s)
ERROR 21000: more than one row returned by a subquery used as an expression
> update t set (a, b) = (select p from s)
ERROR 42601: number of columns does not match number of values
> update t set (a, b) = (select q, p from s where s.id = 2), id = id + 10 returning *
id:int4 | a:int4 | b:int4
11 | 21 | 20
12 | 21 | 20
13 | 21 | 20
UPDATE 3
> insert into t values (11, 1, 2) on conflict (id) do update set (a, b) = (select excluded.b, excluded.a) returning *
id:int4 | a:int4 | b:int4
11 | 2 | 1
INSERT 0 1
> update t set (a, b) = (select s.p, t.a from s where s.id = t.id - 10) where exists (select 1 from s where s.id = t.id - 10) returning id > 10 as moved
moved:bool
t
t
UPDATE 2
