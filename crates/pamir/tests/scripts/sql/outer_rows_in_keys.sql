> create table keyed_outside (id int primary key, a int, b int)
CREATE TABLE

> insert into keyed_outside select g, g % 7 - 1, g % 5 - 2 from generate_series(1, 20) g
INSERT 0 20

> set enable_nestloop = off
SET

> select x.id, n from keyed_outside x cross join lateral (select count(*) n from keyed_outside y join keyed_outside z on y.a = greatest(x.id, z.b)) s order by 1 limit 8
id:int4 | n:int8
1 | 60
2 | 60
3 | 60
4 | 60
5 | 60
6 | 0
7 | 0
8 | 0
SELECT 8

> select x.id, n from keyed_outside x cross join lateral (select count(*) n from keyed_outside y left join keyed_outside z on y.a = coalesce(nullif(z.b, x.a), x.id)) s order by 1 limit 8
id:int4 | n:int8
1 | 56
2 | 56
3 | 53
4 | 53
5 | 53
6 | 53
7 | 47
8 | 44
SELECT 8

> select id, (select count(*) from keyed_outside y where not exists (select 1 from keyed_outside z where y.a = z.b + x.a)) n from keyed_outside x order by 1 limit 8
id:int4 | n:int8
1 | 9
2 | 6
3 | 5
4 | 5
5 | 8
6 | 11
7 | 12
8 | 9
SELECT 8

> reset enable_nestloop
RESET
