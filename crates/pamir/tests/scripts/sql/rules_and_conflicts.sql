# ON CONFLICT in rules' actions, rules under COPY, names of views' own rules, parts of columns in MERGE.
> create table hat_data(name text primary key, color text, n int default 0)
CREATE TABLE

> create unique index on hat_data(color) where n > 100
CREATE INDEX

> create view hats as select name, color from hat_data
CREATE VIEW

> create rule up as on insert to hats do instead insert into hat_data values (new.name, new.color) on conflict (name) do update set color = excluded.color, n = hat_data.n + 1 where excluded.color <> 'forbidden' and hat_data.color <> excluded.color returning name, color
CREATE RULE

> select pg_get_ruledef(oid) from pg_rewrite where rulename = 'up'
pg_get_ruledef:text
CREATE RULE up AS\n    ON INSERT TO public.hats DO INSTEAD  INSERT INTO hat_data (name, color)\n  VALUES (new.name, new.color) ON CONFLICT(name) DO UPDATE SET color = excluded.color, n = (hat_data.n + 1)\n  WHERE ((excluded.color <> 'forbidden'::text) AND (hat_data.color <> excluded.color))\n  RETURNING hat_data.name,\n    hat_data.color;
SELECT 1

> insert into hats values ('a', 'red'), ('b', 'blue') returning *
name:text | color:text
a | red
b | blue
INSERT 0 2

> insert into hats values ('a', 'green') returning *
name:text | color:text
a | green
INSERT 0 1

> insert into hats values ('a', 'forbidden') returning *
name:text | color:text
INSERT 0 0

> with data(n, c) as materialized (values ('b', 'black'), ('c', 'white')) insert into hats select * from data
INSERT 0 2

> create or replace rule up as on insert to hats do instead insert into hat_data as h values (new.name, new.color, 200) on conflict (color) where n > 100 do nothing
CREATE RULE

> select pg_get_ruledef(oid) from pg_rewrite where rulename = 'up'
pg_get_ruledef:text
CREATE RULE up AS\n    ON INSERT TO public.hats DO INSTEAD  INSERT INTO hat_data AS h (name, color, n)\n  VALUES (new.name, new.color, 200) ON CONFLICT(color)\n  WHERE (n > 100) DO NOTHING;
SELECT 1

> insert into hats values ('d', 'black'), ('e', 'black')
INSERT 0 1

> select * from hat_data order by name
name:text | color:text | n:int4
a | green | 1
b | black | 1
c | white | 0
d | black | 200
SELECT 4

> create or replace rule up as on insert to hats do instead insert into hat_data values (new.name, new.color) on conflict do nothing
CREATE RULE

> insert into hats values ('a', 'x'), ('z', 'zz')
INSERT 0 1

> alter rule up on hats rename to "_RETURN"
ERROR 42710: rule "_RETURN" for relation "hats" already exists

> alter rule "_RETURN" on hats rename to other
ERROR 42P17: renaming an ON SELECT rule is not allowed

> alter rule up on hats rename to down
ALTER RULE

> create table t(a int)
CREATE TABLE

> create rule also as on insert to t do also insert into hat_data(name) values ('from t')
CREATE RULE

> copy (insert into t values (1) returning a) to stdout
ERROR 0A000: DO ALSO rules are not supported for COPY

> create or replace rule also as on insert to t where new.a = 1 do instead nothing
CREATE RULE

> copy (insert into t values (2) returning a) to stdout
ERROR 0A000: cannot perform INSERT RETURNING on relation "t"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> create or replace rule also as on insert to t do instead nothing
CREATE RULE

> copy (insert into t values (1) returning a) to stdout
ERROR 0A000: cannot perform INSERT RETURNING on relation "t"
HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

> drop rule also on t
DROP RULE

> copy (insert into t values (1) returning a) to stdout
1
COPY 1

> create table parts(id int, arr int[])
CREATE TABLE

> insert into parts values (1, '{1,2,3}')
INSERT 0 1

> merge into parts p using (values (1, '{9,9,9}'::int[])) as s(id, arr) on p.id = s.id when matched then update set arr[2] = s.arr[1]
MERGE 1

> select * from parts
id:int4 | arr:_int4
1 | {1,9,3}
SELECT 1

