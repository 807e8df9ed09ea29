# With a conflict target, collisions elsewhere count only if the row is inserted.
> create table u (id int primary key, email text unique, code text unique, n int)
CREATE TABLE

> insert into u values (1, 'a', 'x', 0), (2, 'b', 'y', 0)
INSERT 0 2

> insert into u values (1, 'a', 'x', 5) on conflict (email) do update set n = excluded.n
INSERT 0 1

> insert into u values (1, 'a', 'x', 6) on conflict (code) do nothing
INSERT 0 0

> insert into u values (2, 'a', 'z', 7) on conflict (email) do update set n = excluded.n returning *
id:int4 | email:text | code:text | n:int4
1 | a | x | 7
INSERT 0 1

> insert into u values (1, 'c', 'z', 7) on conflict (email) do nothing
ERROR 23505: duplicate key value violates unique constraint "u_pkey"
DETAIL: Key (id)=(1) already exists.

> insert into u values (3, 'c', 'x', 7) on conflict (id) do nothing
ERROR 23505: duplicate key value violates unique constraint "u_code_key"
DETAIL: Key (code)=(x) already exists.

> insert into u values (3, 'b', 'x', 7) on conflict do nothing
INSERT 0 0

> select * from u order by id
id:int4 | email:text | code:text | n:int4
1 | a | x | 7
2 | b | y | 0
SELECT 2
