# Temporary tables: names, definitions, transactions, what is refused.

> create table p (id int primary key, v text)
> insert into p values (1,'perm'),(2,'perm2')
> select pg_my_temp_schema()
> select * from pg_temp.nope
> drop table pg_temp.nope
> drop table if exists pg_temp.nope
> create temp table t (id serial primary key, a int unique, b text default 'x' check (b <> 'bad'), c int generated always as (a * 2) stored)
> insert into t (a) values (10), (20) returning *
> insert into t (a) values (10)
> insert into t (a, b) values (30, 'bad')
> select * from t order by id
> select a from t where a = 20
> update t set a = a + 1
> select * from t order by id
> delete from t where id = 1
> select count(*) from t
> create index on t (b)
> select b from t where b = 'x'
> create temp table p (id int, v text)
> select * from p
> insert into p values (9,'temp')
> select * from p
> select * from public.p
> select * from pg_temp.p
> select 'p'::regclass, 'public.p'::regclass, 'pg_temp.p'::regclass::text
> set search_path = public, pg_temp
> select * from p order by id
> select 'p'::regclass, 'public.p'::regclass
> select 'pg_temp.p'::regclass::text ~ 'pg_temp'
> create table q (a int)
> drop table q
> set search_path = pg_temp, public
> create table q (a int)
> select relpersistence from pg_class where relname='q'
> reset search_path
> select relname, relpersistence, relkind, relnamespace = pg_my_temp_schema() as own from pg_class where relpersistence = 't' and relname not like 'pg_toast%' order by 1
> drop table p
> select * from p order by id
> create temp table public.zz (a int)
> create table pg_temp.zz (a int)
> create unlogged table pg_temp.zz2 (a int)
> create table zz3 (a int) on commit drop
> create temp table zz (a int)
> create temp table if not exists zz (a int)
> create temp table child (a int references p(id))
> create table child (a int references t(id))
> create temp table child (a int references t(id) on delete cascade)
> insert into child values (2)
> insert into child values (77)
> delete from t where id = 2
> select * from child
> alter table t set schema public
> alter table public.p set schema pg_temp
> alter table t add column d int default 5
> select * from t
> alter table t rename to t2
> alter table t2 rename column a to aa
> select * from t2
> insert into t2(aa) values (1),(2),(3)
> select id, aa from t2 order by 1
> truncate t2
> truncate t2, child restart identity
> insert into t2(aa) values (5) returning id
> create temp sequence s start 5
> select nextval('s'), currval('s')
> select nextval('pg_temp.s')
> select last_value, is_called from s
> alter sequence s restart 100
> select nextval('s')
> begin
> create temp table r (a int)
> insert into r values (1)
> select * from r
> rollback
> select * from r
> begin
> create temp table r (a int)
> savepoint a
> insert into r values (1)
> savepoint b
> insert into r values (2)
> rollback to b
> select * from r
> rollback to a
> select * from r
> insert into r values (3)
> commit
> select * from r
> begin
> savepoint a
> create temp table r2 (a int)
> rollback to a
> select * from r2
> rollback
> begin
> drop table r
> rollback
> select * from r
> begin
> truncate r
> select * from r
> rollback
> select * from r
> begin
> create temp table oc (a int) on commit delete rows
> insert into oc values (1)
> select * from oc
> commit
> select * from oc
> begin
> create temp table od (a int) on commit drop
> insert into od values (1)
> select * from od
> commit
> select * from od
> begin
> create temp table od (a int) on commit drop as select 1 as a
> select * from od
> commit
> select * from od
> create temp table cta on commit delete rows as select g from generate_series(1,3) g
> select * from cta
> create temp table cta2 as select g, g*2 as h from generate_series(1,3) g
> select * from cta2
> select 1 as x into temp si
> select * from si
> select 1 as x into temporary table si2
> begin
> create temp table f1 (a int primary key) on commit delete rows
> create temp table f2 (a int references f1)
> commit
> begin read only
> insert into r values (4)
> select * from r
> insert into p values (3,'x')
> rollback
> begin read only
> update r set a=5
> delete from r
> select * from r
> select * from r for update
> rollback
> begin read only
> create temp table ro (a int)
> rollback
> begin read only
> select nextval('s')
> rollback
> begin read only
> copy r from stdin
< 7
> select * from r
> commit
> select * from r
> begin
> insert into r values (6)
> prepare transaction 'x1'
> begin
> select * from r
> prepare transaction 'x1'
> begin
> select 1
> prepare transaction 'x2'
> rollback prepared 'x2'
> insert into r select a+1 from r
> select * from r order by 1
> insert into r select a+1 from r
> select count(*) from r
> begin
> declare c cursor for select a from r order by a
> fetch 1 from c
> delete from r
> fetch 2 from c
> select count(*) from r
> commit
> begin
> declare c cursor with hold for select * from cta2
> commit
> fetch all from c
> close c
> analyze cta2
> select reltuples from pg_class where relname='cta2'
> vacuum cta2
> reindex table t2
> comment on table t2 is 'hi'
> select obj_description('t2'::regclass)
> grant select on t2 to public
> select relacl from pg_class where relname = 't2'
> select table_type, commit_action, table_name from information_schema.tables where table_schema like 'pg_temp%' order by 3
> select schemaname ~ 'pg_temp', tablename from pg_tables where schemaname like 'pg_temp%' order by 2
> lock table t2
> begin
> lock table t2
> commit
> select current_schemas(false)
> select current_schemas(true)::text ~ 'pg_temp'
> alter table t2 set logged
> alter table t2 set unlogged
> create temp table self (a int primary key, b int references self)
> insert into self values (1,1),(2,1)
> insert into self values (3,9)

> drop index t2_b_idx
> drop index t_b_idx
> create unique index on r (a)
> insert into r values (1),(1)
> insert into r values (1),(1) on conflict do nothing
> select * from r
> insert into r values (1) on conflict (a) do update set a = 99
> select * from r
> drop table r cascade
> drop table t2
> drop table t2, child
> drop sequence s
> discard temp
> select relname from pg_class where relpersistence = 't' and relname not like 'pg_toast%'
> select * from zz
> create temp table again (a int)
> discard all
> select * from again
> select pg_my_temp_schema() <> 0

# Statements do not see their own writes; what savepoints undo is undone everywhere.
> create temp table h (k int primary key, v int)
> create index on h (v)
> insert into h select g, g % 3 from generate_series(1, 9) g
> update h set k = k + 100 where v = 1
> select * from h order by k
> update h set v = v + 1
> select v, count(*) from h group by v order by v
> insert into h select k + 1000, v from h
> select count(*), sum(k) from h
> delete from h using h h2 where h.k = h2.k + 1000
> select count(*), sum(k) from h
> begin
> update h set v = 7 where k = 2
> savepoint a
> delete from h where v = 7
> insert into h values (2, 8)
> update h set v = 9 where k = 2
> select * from h where k = 2
> select k from h where v in (7, 8, 9)
> rollback to a
> select * from h where k = 2
> select k from h where v in (7, 8, 9)
> savepoint b
> truncate h
> insert into h values (1, 1)
> select * from h
> rollback to b
> select count(*) from h
> drop table h
> select * from h
> rollback
> select count(*) from h
> select k from h where v = 7
> begin
> declare c scroll cursor for select k, v from h order by v, k
> fetch 2 from c
> update h set v = v + 10
> delete from h where k < 5
> fetch 2 from c
> fetch backward 1 from c
> fetch last from c
> commit
> select * from h order by k
> create table perm (k int primary key, v text)
> insert into perm select g, 'p' || g from generate_series(1, 9) g
> select h.k, perm.v from h join perm using (k) order by k
> update perm set v = 'q' from h where h.k = perm.k
> select * from perm order by k
> delete from perm where k in (select k from h)
> select count(*) from perm
> begin
> insert into perm values (100, 'x')
> insert into h values (100, 1)
> savepoint a
> insert into perm select k + 200, 'y' from h where k = 100
> insert into h select k + 300, 2 from perm where k = 100
> select count(*) from perm
> select count(*) from h
> rollback to a
> select count(*) from perm
> select count(*) from h
> insert into perm values (100, 'again')
> rollback
> select count(*) from perm
> select count(*) from h
> with gone as (delete from h where k > 100 returning k) insert into perm select k, 'gone' from gone returning *
> select count(*) from h
> prepare ph (int) as select v from h where k = $1
> execute ph (6)
> alter table h add column w int default 3
> execute ph (6)
> prepare pw as select * from h order by k limit 1
> execute pw
> alter table h drop column w
> execute pw
> deallocate all
> create temp table big as select g as a, g % 7 as b from generate_series(1, 3000) g
> create index on big (b, a)
> analyze big
> select count(*), min(a), max(a) from big where b = 3
> select a from big where b = 3 and a > 2990
> select b, count(*) from big group by b order by b
> select a from big order by a desc limit 3
> select count(*) from big x join big y on x.a = y.a + 1
> delete from big where a % 2 = 0
> select count(*), sum(a) from big
> update big set a = -a where b = 0
> select a from big where b = 0 order by a limit 2
> begin
> create temp table e1 (a int) on commit drop
> insert into e1 values (1)
> savepoint s
> create temp table e2 (a int references e3)
> rollback to s
> select * from e1
> commit
> select * from e1
> create temp table dr (a int) on commit delete rows
> insert into dr values (1)
> select count(*) from dr
> begin
> insert into dr values (1), (2)
> create index on dr (a)
> select a from dr where a = 2
> commit
> select count(*) from dr
> begin
> insert into dr values (3)
> rollback
> select count(*) from dr
> create temp table e (a int default nextval('nosuch'))
> create temp table dup (a int, a int)
> create temp table ty (a nosuchtype)
> select count(*) from pg_class where relname in ('e', 'dup', 'ty')
> create role temp_user
> create database no_temp
> revoke all on database no_temp from public
> drop database no_temp
> drop role temp_user
> alter sequence h_v_idx restart
> alter table h alter column v type text using v::text || '!'
> select * from h order by k limit 2
> alter table h drop constraint h_pkey
> insert into h values (6, 'twice')
> select * from h where k = 6 order by v
> alter table h add primary key (k)
> delete from h where v = 'twice'
> alter table h add primary key (k)
> insert into h values (6, 'x')
> insert into h values (6, 'x') on conflict (k) do update set v = excluded.v || h.v returning *
> copy h to stdout
> copy (select count(*) from h) to stdout
> copy h (k, v) from stdin
< 70	seventy
< 71	\N
> select * from h where k >= 70 order by k
