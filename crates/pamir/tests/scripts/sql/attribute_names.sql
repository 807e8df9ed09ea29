# A view that cannot be bound any more is no obstacle to an attribute's new name.
> create type pair as (x int, y text)
CREATE TYPE

> create table t (p pair)
CREATE TABLE

> create view broken as select row(1, 'x')::pair as r
CREATE VIEW

> create view v as select (p).x from t
CREATE VIEW

> alter type pair add attribute z text
ALTER TYPE

> alter type pair rename attribute x to xx
ALTER TYPE

> select * from v
x:int4
SELECT 0

> select pg_get_viewdef('v')
pg_get_viewdef:text
 SELECT (t.p).xx AS x\n   FROM t;
SELECT 1
