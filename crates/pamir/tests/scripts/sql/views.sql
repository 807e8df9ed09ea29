# Views: what depends on them, names that change under them, privileges, catalogs.
> create table t1(a int primary key, b int, c text, v varchar(10), n numeric(10,2), ts timestamp, arr int[], j jsonb)

> create table t2(a int, d int)

> create table t3(a bigint, e text)

> create view v0 as select a, b from t1

> insert into t1 values (1,10,'x','v',1.5,'2020-01-01','{1,2}','{"a":1}'),(2,20,'y','w',2.5,'2020-02-01','{3}','{}'),(3,null,null,null,null,null,null,null)

> insert into t2 values (1,100),(2,200),(2,201)

> create view j as select t1.a, b, d from t1 join t2 using (a)

> create view jj as select a, sum(d) as s from j group by a

> select * from jj order by 1

> select * from j natural join jj order by 1,2,3

> drop table t1

> drop view j

> drop table t2 cascade

> select * from jj

> create table t2(a int, d int)

> insert into t2 values (1,100),(2,200),(2,201)

> create view j as select t1.a, b, d from t1 join t2 using (a)

> create view jj(x, y) as select a, sum(d) from j group by a

> alter table t2 rename column d to dd

> alter table t2 rename to t22

> select pg_get_viewdef('j'), pg_get_viewdef('jj')

> alter view j rename column d to q

> alter view j rename to k

> select pg_get_viewdef('jj')

> create schema s2

> alter table t22 set schema s2

> alter view k set schema s2

> select pg_get_viewdef('s2.k'), pg_get_viewdef('jj')

> select * from jj order by 1

> alter table s2.t22 drop column dd

> alter table s2.t22 alter column dd type bigint

> alter table s2.t22 add column n text

> alter schema s2 rename to s3

> select pg_get_viewdef('s3.k'), pg_get_viewdef('jj')

> create or replace view jj(x, y) as select a, 1 from s3.k

> create or replace view jj as select a, 1 from s3.k

> create or replace view jj(x, y, z) as select a, sum(q), count(*) from s3.k group by a

> select * from jj order by x

> select relkind, relname, relhasrules from pg_class where relname in ('k','jj','t1') order by 2

> select schemaname, viewname, definition from pg_views where schemaname in ('public','s3') order by 2

> select table_name, view_definition from information_schema.views where table_schema='s3'

> select table_name, table_type from information_schema.tables where table_schema in ('s3') order by 1

> select column_name, data_type from information_schema.columns where table_name='jj' order by 1

> drop schema s3

> drop schema s3 cascade

> create view dup as select 1 as a, 2 as a

> create view dup(a,b) as select 1

> create view t1 as select 1

> create or replace view t1 as select 1

> create view v1 with (security_barrier) as select a, b from t1 where b > 5

> create view v2 with (security_barrier=false, security_invoker=true) as select * from t1

> create view v3 with (foo) as select 1

> select relname, reloptions from pg_class where relname in ('v1','v2') order by 1

> select * from v1 where a < 100

> create recursive view rv(n) as select 1 union all select n + 1 from rv where n < 5

> select * from rv

> select pg_get_viewdef('rv')

> drop view rv, v1, v2

> drop view if exists nothere

> drop table v0

> drop view t1

> truncate v0

> create index on v0(a)

> alter table v0 add column x int

> create view par as select $1::int

> create view p1 as select a from t1

> create role golden_views_r1

> grant select on p1 to golden_views_r1

> set role golden_views_r1

> select * from p1

> select * from t1

> reset role

> revoke select on p1 from golden_views_r1

> set role golden_views_r1

> select * from p1

> reset role

> copy p1 to stdout

> create or replace view p1 as select * from p1

> select * from p1

> analyze p1

> comment on view p1 is 'hello'

> select obj_description('p1'::regclass)

> drop owned by golden_views_r1

> drop role golden_views_r1

> create table ct as select * from jj

> select * from ct order by 1

> create table lk (like v0)

> select v0 from v0 limit 1

> select * from v0 for update

> begin

> create view bv as select 1 as one

> select * from bv

> rollback

> select * from bv

> prepare pp as select count(*) from v0

> execute pp

> create or replace view v0 as select a, b from t1 where a = 1

> execute pp

