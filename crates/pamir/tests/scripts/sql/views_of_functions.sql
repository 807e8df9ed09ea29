# A view over a function that gives a table's rows hangs on the columns that it reads.
> create table ft_t (a int, d int, e text); create function ft() returns setof ft_t language sql as 'select * from ft_t'; create function fo() returns ft_t language sql as 'select * from ft_t limit 1'; insert into ft_t values (1, 2, 'x')
CREATE TABLE
CREATE FUNCTION
CREATE FUNCTION
INSERT 0 1

> create view fv as select a, d from ft(); create view fv1 as select * from ft() f; create view fv3 as select fo.e from fo(); create view fv5 as select q, n from rows from (generate_series(1, 2), ft()) with ordinality as r(i, p, q, s, n); create view fv6 as select count(*) from ft()
CREATE VIEW
CREATE VIEW
CREATE VIEW
CREATE VIEW
CREATE VIEW

> alter table ft_t drop column d
ERROR 2BP01: cannot drop column d of table ft_t because other objects depend on it
DETAIL: view fv depends on column d of table ft_t\nview fv1 depends on column d of table ft_t\nview fv5 depends on column d of table ft_t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table ft_t drop column e
ERROR 2BP01: cannot drop column e of table ft_t because other objects depend on it
DETAIL: view fv1 depends on column e of table ft_t\nview fv3 depends on column e of table ft_t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> alter table ft_t alter column d type bigint
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view fv depends on column "d"

> alter table ft_t alter column a type bigint
ERROR 0A000: cannot alter type of a column used by a view or rule
DETAIL: rule _RETURN on view fv depends on column "a"

> alter table ft_t rename a to aa; select * from fv; select * from fv1
ALTER TABLE
a:int4 | d:int4
1 | 2
SELECT 1
a:int4 | d:int4 | e:text
1 | 2 | x
SELECT 1

> drop view fv1
DROP VIEW

> alter table ft_t drop column aa
ERROR 2BP01: cannot drop column aa of table ft_t because other objects depend on it
DETAIL: view fv depends on column aa of table ft_t
HINT: Use DROP ... CASCADE to drop the dependent objects too.

> drop view fv; alter table ft_t drop column aa
DROP VIEW
ALTER TABLE

> select * from fv3; select * from fv5; select * from fv6
e:text
x
SELECT 1
q:int4 | n:int8
2 | 1
NULL | 2
SELECT 2
count:int8
1
SELECT 1

> select pg_get_viewdef('fv3'::regclass), pg_get_viewdef('fv5'::regclass), pg_get_viewdef('fv6'::regclass)
pg_get_viewdef:text | pg_get_viewdef:text | pg_get_viewdef:text
 SELECT fo.e\n   FROM fo() fo(d, e); |  SELECT r.q,\n    r.n\n   FROM ROWS FROM(generate_series(1, 2), ft()) WITH ORDINALITY r(i, q, s, n); |  SELECT count(*) AS count\n   FROM ft() ft(d, e);
SELECT 1

> alter table ft_t drop column e cascade
NOTICE 00000: drop cascades to view fv3
ALTER TABLE

> select * from fv5; select * from fv6
q:int4 | n:int8
2 | 1
NULL | 2
SELECT 2
count:int8
1
SELECT 1

> select pg_get_viewdef('fv5'::regclass), pg_get_viewdef('fv6'::regclass)
pg_get_viewdef:text | pg_get_viewdef:text
 SELECT r.q,\n    r.n\n   FROM ROWS FROM(generate_series(1, 2), ft()) WITH ORDINALITY r(i, q, n); |  SELECT count(*) AS count\n   FROM ft() ft(d);
SELECT 1

> alter table ft_t add column n int default 7
ALTER TABLE

> select * from fv5; select * from fv6
q:int4 | n:int8
2 | 1
NULL | 2
SELECT 2
count:int8
1
SELECT 1
