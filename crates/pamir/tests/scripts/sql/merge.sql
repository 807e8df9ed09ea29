# MERGE: actions, what is refused, keys and defaults, privileges.

> create table t (id int primary key, v int, b text default 'dd', g int generated always as (v * 2) stored)
> insert into t (id, v) values (1, 10), (2, 20), (3, 30)
> create table s (id int, v int, op text)
> insert into s values (2, 5, 'upd'), (3, 7, 'del'), (4, 9, 'ins'), (5, 11, 'skip')
> merge into t using s on t.id = s.id when matched and s.op = 'upd' then update set v = t.v + s.v when matched then delete when not matched and s.op = 'skip' then do nothing when not matched then insert (id, v) values (s.id, s.v)
> select * from t order by id
> merge into t using s on t.id = s.id when matched then do nothing
> select * from t order by id
> merge into t as x using (select id, v from s where v > 6) as y on x.id = y.id when matched then update set (v, b) = (y.v, 'm' || x.id) when not matched then insert values (y.id, y.v, default)
> select * from t order by id
> merge into t using s on t.id = s.id when not matched then insert default values
> merge into t using (values (7, 70), (8, 80)) as w (a, b) on id = a when not matched then insert (v, id) values (w.b, w.a) when matched then update set v = default
> select * from t order by id
> merge into t using (values (7, 71), (8, 81)) as w (a, b) on id = a when not matched then insert (v, id) values (w.b, w.a) when matched then update set v = default, g = default
> select * from t order by id
# Twice the same row.
> merge into t using (values (1), (1)) w (a) on id = a when matched then update set v = 1
> merge into t using (values (1), (1)) w (a) on id = a when matched then delete
> merge into t using (values (1), (1)) w (a) on id = a when matched then do nothing
> merge into t using (values (90), (90)) w (a) on id = a when not matched then insert (id) values (a)
> merge into t using (values (1, true), (1, false)) w (a, x) on id = a when matched and x then update set v = 77
> select * from t where id = 1
# What is refused.
> merge into t using s on t.id = s.id when matched then update set v = 1 when matched then delete
> merge into t using s on t.id = s.id when not matched then do nothing when not matched and true then insert default values
> merge into t using t on true when matched then do nothing
> merge into t using s as t on true when matched then do nothing
> merge into t a using t b on a.id = b.id when matched then update set v = b.v + 1
> select * from t order by id
> merge into t using s on t.id = s.id when not matched and t.v > 1 then insert (id) values (1)
> merge into t using s on t.id = s.id when not matched then insert (id, v) values (s.id, t.v)
> merge into t using s on t.id = s.id when not matched then insert (id, v) values (s.id, g)
> merge into t using s on t.id = s.id when matched and count(*) > 1 then delete
> merge into t using s on t.id = s.id when matched and generate_series(1, 2) > 1 then delete
> merge into t using s on t.id = s.id when matched and row_number() over () > 1 then delete
> merge into t using s on t.id = s.id when matched and 1 then delete
> merge into t using s on t.id = s.id when matched and nope then delete
> merge into t using s on t.id then do nothing
> merge into t using s on t.idd = s.id when matched then delete
> merge into t using s on 1 when matched then delete
> merge into t using s on t.id = s.id when matched then update set id = max(s.id)
> merge into t using s on t.id = s.id when not matched then insert (id) values (max(s.id))
> merge into t using s on t.id = s.id when matched then update set g = 1
> merge into t using s on t.id = s.id when not matched then insert (id, g) values (1, 2)
> merge into t using s on t.id = s.id when not matched then insert (id, id) values (1, 2)
> merge into t using s on t.id = s.id when not matched then insert (id) values (1, 2)
> merge into t using s on t.id = s.id when not matched then insert (id, v) values (1)
> merge into t using s on t.id = s.id when not matched then insert (id, nope) values (1, 2)
> merge into t using s on t.id = s.id when matched then update set nope = 1
> merge into t using s on t.id = s.id when matched then update set v = 1, v = 2
> merge into nope using s on true when matched then delete
> merge into t using nope on true when matched then delete
> merge into t using s on t.id = s.id when matched then insert default values
> merge into t using s on t.id = s.id when not matched then delete
> merge into t using s on t.id = s.id
> merge into pg_class using s on true when matched then do nothing
> with m as (merge into t using s on true when matched then do nothing) select 1
> with recursive r as (select 1) merge into t using r on true when matched then do nothing
> with c as (select id, v + 1000 as v from s) merge into t using c on t.id = c.id when matched then update set v = c.v
> select * from t order by id
> merge into t using s on t.id = s.id when matched then delete returning *
> explain (costs off) merge into t using s on false when matched then do nothing
# Keys, checks, foreign keys.
> create table c (id int primary key, p int references t, n int not null check (n > 0), unique (n))
> merge into c using s on c.id = s.id when not matched then insert values (s.id, 1, s.v)
> select * from c order by id
> merge into c using s on c.id = s.id when matched then update set n = -1
> merge into c using s on c.id = s.id when matched then update set n = null
> merge into c using s on c.id = s.id when matched then update set p = 999
> merge into c using s on c.id = s.id when matched then update set n = 5
> merge into t using c on t.id = c.p when matched then delete
> merge into c using (values (50, 5)) w (i, n) on c.id = w.i when not matched then insert values (i, 1, w.n)
> merge into c using s on c.id = s.id when matched then update set id = c.id + 100, n = c.n + 100
> select * from c order by id
> create table ser (id serial primary key, k int generated always as identity, v int default 3)
> merge into ser using s on ser.id = s.id and false when not matched then insert (v) values (s.v)
> select * from ser order by v
> merge into ser using s on false when not matched then insert (k, v) values (1, s.v)
> merge into ser using (select 100 x) q on false when not matched then insert (k, v) overriding system value values (q.x, 1)
> merge into ser using (select 200 x) q on false when not matched then insert (k, v) overriding user value values (q.x, 2)
> select * from ser order by v, id
# Subqueries, whole rows, systems columns, parameters.
> merge into t using s on t.id = s.id when matched and exists (select 1 from c where c.p = t.id) then update set v = (select max(n) from c where c.id > t.id) when matched then update set b = (select string_agg(op, ',' order by op) from s s2 where s2.id <= s.id)
> select * from t order by id
> prepare m (int, text) as merge into t using (select $1 as id) q on t.id = q.id when matched then update set b = $2 when not matched then insert (id, b) values (q.id, $2)
> execute m (1, 'one')
> execute m (77, 'seventy')
> execute m (77, 'again')
> select * from t order by id
> merge into t using s on t.id = s.id and t.v > 5 and s.v > 100 when matched then update set v = 0 when not matched then do nothing
> merge into t using s on t.id is null when matched then delete when not matched then do nothing
> merge into only t using s on false when matched then delete
> merge into t using s on true when matched and t.id < 0 then delete
> create temp table tt (id int primary key, v int)
> merge into tt using t on tt.id = t.id when not matched then insert values (t.id, t.v)
> merge into tt using t on tt.id = t.id when matched and tt.id = 1 then delete when matched then update set v = tt.v + 1
> select * from tt order by id
> begin read only
> merge into tt using t on tt.id = t.id when matched then delete
> merge into t using tt on tt.id = t.id when matched then delete
> rollback
> begin
> savepoint a
> merge into t using tt on t.id = tt.id when matched then delete
> select count(*) from t
> rollback to a
> select count(*) from t
> merge into t using tt on t.id = tt.id when matched then update set v = 1
> merge into t using tt on t.id = tt.id when matched then update set v = t.v + 1
> select distinct v from t where id in (select id from tt)
> rollback
> create role merger
> grant select on s to merger
> grant select, insert (id, v) on t to merger
> set role merger
> merge into t using s on t.id = s.id when matched then do nothing
> merge into t using s on t.id = s.id when matched then delete
> merge into t using s on t.id = s.id when matched then update set v = 1
> merge into t using (select 500 id) q on t.id = q.id when not matched then insert (id, v) values (q.id, 1)
> merge into t using (select 501 id) q on t.id = q.id when not matched then insert (id, b) values (q.id, '1')
> reset role
> revoke all on s, t from merger
> set role merger
> merge into t using s on t.id = s.id when matched then do nothing
> reset role
> drop role merger
