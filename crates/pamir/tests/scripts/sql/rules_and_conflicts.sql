# ON CONFLICT in rules' actions, rules under COPY, names of views' own rules, parts of columns in MERGE.
> create table hat_data(name text primary key, color text, n int default 0)

> create unique index on hat_data(color) where n > 100

> create view hats as select name, color from hat_data

> create rule up as on insert to hats do instead insert into hat_data values (new.name, new.color) on conflict (name) do update set color = excluded.color, n = hat_data.n + 1 where excluded.color <> 'forbidden' and hat_data.color <> excluded.color returning name, color

> select pg_get_ruledef(oid) from pg_rewrite where rulename = 'up'

> insert into hats values ('a', 'red'), ('b', 'blue') returning *

> insert into hats values ('a', 'green') returning *

> insert into hats values ('a', 'forbidden') returning *

> with data(n, c) as materialized (values ('b', 'black'), ('c', 'white')) insert into hats select * from data

> create or replace rule up as on insert to hats do instead insert into hat_data as h values (new.name, new.color, 200) on conflict (color) where n > 100 do nothing

> select pg_get_ruledef(oid) from pg_rewrite where rulename = 'up'

> insert into hats values ('d', 'black'), ('e', 'black')

> select * from hat_data order by name

> create or replace rule up as on insert to hats do instead insert into hat_data values (new.name, new.color) on conflict do nothing

> insert into hats values ('a', 'x'), ('z', 'zz')

> alter rule up on hats rename to "_RETURN"

> alter rule "_RETURN" on hats rename to other

> alter rule up on hats rename to down

> create table t(a int)

> create rule also as on insert to t do also insert into hat_data(name) values ('from t')

> copy (insert into t values (1) returning a) to stdout

> create or replace rule also as on insert to t where new.a = 1 do instead nothing

> copy (insert into t values (2) returning a) to stdout

> create or replace rule also as on insert to t do instead nothing

> copy (insert into t values (1) returning a) to stdout

> drop rule also on t

> copy (insert into t values (1) returning a) to stdout

> create table parts(id int, arr int[])

> insert into parts values (1, '{1,2,3}')

> merge into parts p using (values (1, '{9,9,9}'::int[])) as s(id, arr) on p.id = s.id when matched then update set arr[2] = s.arr[1]

> select * from parts

