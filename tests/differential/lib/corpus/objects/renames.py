"""Views of every shape under renames: of the columns and tables that they read, of what they call, of themselves; what they answer then and how they are printed."""

import re

MADE = """create type mood as enum ('sad', 'ok')
create type pair as (x int, y text)
create table t (a int, b int, c text, p pair, m mood)
create table u (a int, d int, e text)
insert into t values (1, 10, 'x', (1, 'one'), 'ok'), (2, 20, 'y', null, 'sad'), (3, null, 'z', (3, null), null)
insert into u values (1, 100, 'p'), (3, 300, 'q'), (3, 301, 'r')
create function f(x int) returns int language sql immutable as 'select $1 * 2'
create function ft(x int) returns setof u language sql stable as 'select * from u where a = $1'
create view base as select a, b, c from t""".split("\n")

VIEWS = """select a, b from t
select * from t
select t.* from t where b > 5
select x.a as one, x.b + 1 as two from t x
select x.* from t as x (k, l, n)
select k, l from t x (k, l) where l is not null
select t.a, u.d from t, u where t.a = u.a
select t.a, u.d from t join u on t.a = u.a and u.d > 5
select t.a, u.d from t left join u on u.a = t.a
select * from t left join u using (a)
select a, c, e from t natural join u
select a from t union select d from u
select a, b from t except select a, d from u
(select a from t order by a limit 1) union all select a from u
select a, count(*) as n, sum(b) as b from t group by a having count(*) > 0
select c, grouping(c) as g, count(*) from t group by rollup (c)
select a, row_number() over (partition by c order by b) as r, lag(b) over w from t window w as (order by a)
select distinct on (c) c, a from t order by c, a
select a from t order by b desc nulls last limit 2
select (select max(d) from u where u.a = t.a) as m from t
select a from t where exists (select 1 from u where u.a = t.a and u.d > t.b)
select a from t where a in (select a from u) and (a, b) not in (select a, d from u where d is not null)
select a = any (array(select a from u)) as any_a from t
with w as (select a, b from t) select w.a, w.b from w
with w (q, r) as (select a, b from t), z as (select q from w) select * from z, w where w.q = z.q
with recursive w as (select a, 1 as n from t where a = 1 union all select w.a, n + 1 from w where n < 3) select * from w
select s.a, s.n from (select a, b as n from t) s where s.n > 5
select s.* from (select t.a, u.d from t join u using (a)) s
select l.z, t.a from t, lateral (select t.b * 2 as z, u.e from u where u.a = t.a) l
select f(a) as fa, f(b) as fb from t
select t.a, r.d from t, ft(t.a) r
select r.* from ft(1) r (g, h, i)
select (p).x, (p).y, p from t
select t, t.a from t
select row(a, b) as r, (t.*) is null as n from t
select m, m = 'ok' as ok, 'sad'::mood as lit from t
select array_agg(a order by b) as arr, string_agg(c, ',' order by a desc) as s from t
select case when a > 1 then b else a end as k, coalesce(c, 'none') as c from t
select count(*) filter (where b > 5) as n, max(t.a) from t
select base.a, base.c from base where b is not null
select b1.a, b2.c from base b1 join base b2 on b1.a = b2.a
select a as t, b as a, c as b from t
select t.a as "A b", "t"."b" as "select" from t
select a, a as a2, b as a3 from t
values (1, 'x'), (2, 'y')
select t1.a, t2.b from t t1 full join t t2 on t1.a = t2.a
select t.a from (t join u on t.a = u.a) left join base on base.a = t.a
select j.a, j.d from (t join u using (a)) j
select a::text || c as s, a between 1 and 2 as bt, c like 'x%' as l from t
select percentile_cont(0.5) within group (order by a) as med from t
select x.a, y.a as ya from t x cross join t y where x.b = y.b
select unnest(array[a, b]) as un, c from t
select a from only t
select ordinality, g from generate_series(1, 2) with ordinality g""".split("\n")

CHANGES = [
    ["alter table t rename a to aa"],
    ["alter table u rename a to ua", "alter table t rename b to bb"],
    ["alter table t rename to u2", "alter table u rename to t"],
    ["alter table t rename a to z", "alter table t rename b to a", "alter table t rename z to b"],
    ["alter table t add d int default 5, add e text", "alter table u add b int"],
    ["alter view base rename column a to ba", "alter view base rename to base2", "alter function f(int) rename to g", "alter type pair rename attribute x to xx", "alter type mood rename value 'ok' to 'fine'"],
]


def statements():
    yield from MADE
    for k, v in enumerate(VIEWS):
        yield f"create view v as {v}"
        yield "select * from v"
        # Joins by names and fields of composites depend most on names; of the others each has two kinds of changes.
        for changes in CHANGES if re.search("using|natural|\\(p\\)", v) else CHANGES[k % 3 :: 3]:
            yield "begin"
            yield from changes
            yield "select * from v"
            yield "select pg_get_viewdef('v'::regclass, true)"
            yield "rollback"
        yield "drop view v"
