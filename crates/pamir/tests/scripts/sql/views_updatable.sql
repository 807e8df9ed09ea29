

> create table met (k int primary key, v int)
CREATE TABLE

> insert into met select g, g from generate_series(0, 9) g
INSERT 0 10

> create view met1 as select * from met where v < 5
CREATE VIEW

> create view met2 as select * from met1 where k > 3
CREATE VIEW

> insert into met2 values (9, 1) on conflict (k) do update set v = 1
ERROR 55000: conflicting row is not visible through view "met1"

> insert into met2 values (1, 1) on conflict (k) do update set v = 1
ERROR 55000: conflicting row is not visible through view "met2"

> insert into met2 values (9, 1) on conflict (k) do update set v = 1 where met2.v < 2
ERROR 55000: conflicting row is not visible through view "met1"

> insert into met2 values (9, 1) on conflict (k) do nothing
INSERT 0 0

> insert into met2 values (4, 1) on conflict (k) do update set v = 2 returning *
k:int4 | v:int4
4 | 2
INSERT 0 1

> drop table met cascade
NOTICE 00000: drop cascades to 2 other objects
DETAIL: drop cascades to view met1\ndrop cascades to view met2
DROP TABLE
