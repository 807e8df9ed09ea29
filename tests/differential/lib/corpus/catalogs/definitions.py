"""Expressions and queries as the server prints them: each in a view, a default, a check or an index, read back pretty and not."""

MADE = """create table t (a int, b int, n numeric(6,2), f float8, s text, v varchar(10), d date, ts timestamp, tz timestamptz, i interval, j jsonb, ar int[], bo bool, by bytea, r int4range, u uuid)
create type mood as enum ('sad', 'ok')
create type comp as (x int, y text)
create table c (k comp, m mood, ks comp[])
create function fn(x int, y text default 'q') returns int language sql immutable as 'select 1'
create function vf(variadic int[]) returns int language sql immutable as 'select 1'""".split("\n")

EXPRESSIONS = """a + b * 2|(a + b) * 2|a - (b - 1)|-a|- (-a)|a % 3|a / b / 2|a ^ 2|@ a|a::numeric|a::text || s|s || 'x'|s || 1|a = b and b > 1 or not bo|not (a = 1 and b = 2)|a = 1 or (b = 2 and bo)|(a = 1 or b = 2) and bo|a is null|a is not null|bo is true|bo is not unknown|a is distinct from b|a is not distinct from null
a in (1, 2, 3)|a not in (1, 2)|s in ('x', 'y')|a = any (ar)|a <> all (array[1, 2])|a between 1 and 5|a not between b and 5|a between symmetric 5 and 1|s like 'a%'|s not like '%b'|s ilike 'x'|s similar to 'a|b'|s ~ '^x'|s !~* 'y'|s like 'a!%' escape '!'|v = 'x'|v like 'x%'|lower(v)|v || s
case when a > 1 then 'x' when b = 2 then 'y' else 'z' end|case a when 1 then 2 else 3 end|case when bo then null end|coalesce(a, b, 0)|nullif(a, 0)|greatest(a, b, 1)|least(n, 1.5)|cast(a as bigint)|n::int|f::numeric(5,1)|s::varchar(3)|s::char(2)|d::text|'2024-01-01'::date|date '2024-01-01' + a|d + interval '1 day'|ts - ts|ts at time zone 'UTC'|tz at time zone 'UTC'|extract(year from d)|extract(epoch from i)|date_trunc('month', ts)|current_date|now()|current_timestamp(2)|localtime|ts::time
ar[1]|ar[1:2]|ar[a + 1]|array[a, b]|array[[1, 2], [3, 4]]|array[]::int[]|'{1,2}'::int[]|ar || 5|ar @> array[1]|array_length(ar, 1)|row(a, s)|row(a, 1) = row(1, 2)|(a, b) < (1, 2)|j -> 'a'|j ->> 'a'|j #>> '{a,b}'|j @> '{"x": 1}'|j['a']|(j -> 'a')::int|jsonb_build_object('k', a)|r @> 5|int4range(a, b)|lower(r)
substring(s from 2 for 3)|substring(s, 2)|position('x' in s)|overlay(s placing 'q' from 1)|trim(s)|trim(leading 'x' from s)|upper(s)|left(s, 2)|s collate "C"|s < 'x' collate "C"|length(s) > 3|fn(a)|fn(a, 'z')|fn(y => 'k', x => b)|vf(1, 2, a)|vf(variadic ar)|format('%s', a)|concat(s, a, null)|to_char(ts, 'YYYY')|md5(s)|abs(-5)|round(n, 1)|power(f, 2)|1.0|1.50::numeric(4,2)|1e10|1::bigint|9999999999|-1|'x'|null|true|B'101'|'\\x41'::bytea|E'a\\nb'|'it''s'|'a\\b'
2147483648|a::float4|'infinity'::float8|f + 1|f * 1.5|n + 1|a + 1.5|a::int8 + 1|1 + 1|(select 1)|a > (select 5)|exists (select 1)|a in (select 1)|array(select 1)|interval '1 year 2 mons'|interval '1' day|'1 day'::interval(2)|time '10:00'|timestamptz '2024-01-01 00:00+00'|uuid '00000000-0000-0000-0000-000000000000'|u::text|by = '\\x00'|bo = true|bo and not bo|a::bool|bo::int|a & 1|a | 2|~ a|a << 2|a # b|current_user|session_user|current_schema|user""".replace("\n", "|")
QUERIES = """select a as "A", b as "select", s as x from t
select * from t where a > 1 and b < 2 order by a desc nulls first, b limit 5 offset 2
select distinct a, b from t
select distinct on (a) a, b from t order by a, b desc
select a, count(*), sum(b) filter (where b > 1), string_agg(distinct s, ',' order by s) from t group by a having count(*) > 1
select a, b, grouping(a), count(*) from t group by cube (a, b), rollup (s)
select t.a, x.b from t join t x on t.a = x.b left join t y using (a) cross join c
select t.a from t natural join (select 1 as a, 2 as b) q
select a from t union all select b from t order by 1
(select a from t limit 1) except (select b from t intersect select 5)
with w as (select a from t), z (q) as materialized (select 1) select * from w, z
with recursive r (n) as (values (1) union select n + 1 from r) select * from r
select a, row_number() over (partition by b order by a), lag(a) over w, sum(b) over (w rows 2 preceding) from t window w as (order by a, b)
select sum(a) over (order by a range between unbounded preceding and 1 following exclude ties) from t
select * from generate_series(1, 3) g, unnest(array[1, 2]) with ordinality u (x, y)
select * from t, lateral (select t.a + 1 as p) l where l.p > 1
select * from (values (1, 'x'), (2, null)) v (p, q)
select (k).x, (k).y, k, ks[1].y, m = 'ok' as e from c
select c.*, c as whole from c
select t from t
select a from only t
select a from t for update of t
select a from t fetch first 3 rows with ties
select a from t order by b fetch first 3 rows with ties
select a from t tablesample bernoulli (50) repeatable (1)
select case when exists (select 1 from c where k is not null) then (select max(a) from t x where x.b = t.b) else 0 end as r from t
select count(*) as n from t where (a, b) in (select a, b from t) and a not in (select 1) and a > any (select b from t)
select a from t where a = 1 or a = 2 and (b = 3 or b = 4)
select 1 as one, 'x' as u, null as n, 1.5 as d, true as b, array['x'] as arr, row(1, 2) as rw
select percentile_cont(0.5) within group (order by a) as p, mode() within group (order by s desc) from t
select array_agg(a order by b desc, s), json_agg(t), count(distinct (a, b)) from t
select a::varchar(3) as v, n::numeric(3,1) as q, ts::date as w, cast(s as char(4)) as x from t
select coalesce(t1.a, t2.a) as a from t t1 full join t t2 on t1.a = t2.b and t1.b is null
select t1.a from t t1 right join (t t2 join t t3 on t2.a = t3.a) on t1.a = t2.b
select a, (select b from c x where x.m = 'sad' limit 1) from t where exists (select from c)
select pg_catalog.upper(s) as u, public.fn(a) as f from public.t
select f.* from (select a, b from t where a > 0) f (x, y) where f.x = f.y
select extract(year from d) as y, date_part('day', ts) as dd, ts at time zone 'UTC' as z, overlay(s placing 'x' from 1 for 2), position('a' in s), trim(both from s), substring(s from 'a.') from t
select j -> 'a' -> 0 as x, j #>> '{a}' as y, j ? 'k' as q, ar[1:2] as sl, ar[1] as el from t
values (1, 'a'), (2, 'b')
table c
select 1 where false
select from t
select a b from t c (x, y)
select * from t c (x, y)
select * from t join c on true where c.m > 'sad'
with i as (insert into t (a) values (1) returning a) select * from i
select a into zz from t
select nextval('sq') from t
select current_setting('work_mem'), pg_typeof(a), a::regclass::text from t""".split("\n")


#: Is what is printed a definition of the same?
AGAIN = """do $$ begin execute 'create view again as ' || pg_get_viewdef('{v}'::regclass); raise notice '% %', pg_get_viewdef('again'::regclass) = pg_get_viewdef('{v}'::regclass), pg_get_viewdef('again'::regclass, true) = pg_get_viewdef('{v}'::regclass, true); execute 'create or replace view again as ' || pg_get_viewdef('{v}'::regclass, true); execute 'drop view again'; end $$"""


def statements():
    yield from MADE
    expressions = EXPRESSIONS.replace("s || 'x'", "s \0 'x'").replace("a::text || s", "a::text \0 s").replace("s || 1", "s \0 1").replace("'a|b'", "'a\1b'").replace("ar || 5", "ar \0 5").replace("v || s", "v \0 s").replace("a | 2", "a \1 2").split("|")
    for k, e in enumerate(expressions):
        e = e.replace("\0", "||").replace("\1", "|")
        yield f"create view x{k} as select {e} as e from t"
        yield f"select pg_get_viewdef('x{k}'::regclass) as d, pg_get_viewdef('x{k}'::regclass, true) as p, pg_typeof(e) from (select null::t) t left join x{k} on true limit 1"
        yield AGAIN.format(v=f"x{k}")
        if k % 3 == 0:
            yield f"create index n{k} on t (({e}))"
            yield f"select pg_get_indexdef('n{k}'::regclass)"
        if k % 3 == 1:
            yield f"alter table t add constraint k{k} check (({e}) is not null)"
            yield f"select pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) from pg_constraint where conname = 'k{k}'"
        if k % 3 == 2:
            yield f"create function q{k}(a int, b int, s text, bo bool) returns bool language sql begin atomic select ({e}) is null from t; end"
    yield "create index on t (a, lower(s), b)"
    yield "create index on t ((a + 1), (b + 1))"
    yield "create index on t ((a + 1), (b + 1))"
    yield "alter table t add check (a > 0), add check (b > 0 and a > 0), add unique (a, b), add check (true)"
    yield "select conname from pg_constraint where conrelid = 't'::regclass and conname !~ '^k' order by 1"
    yield "select indexname from pg_indexes where tablename = 't' and indexname !~ '^n' order by 1"
    for k, q in enumerate(QUERIES):
        yield f"create view y{k} as {q}"
        yield f"select pg_get_viewdef('y{k}'::regclass) as d, pg_get_viewdef('y{k}'::regclass, true) as p"
        yield AGAIN.format(v=f"y{k}")
        yield f"select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'y{k}'::regclass and attnum > 0 order by attnum"
