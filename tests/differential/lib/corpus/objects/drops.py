"""DROP with RESTRICT and CASCADE of things that hang on each other, each tried and taken back: what is told, in which order."""

MADE = [
    "create schema s",
    "create type e as enum ('x', 'y')",
    "create type c as (f int, g e)",
    "create domain d as e check (value <> 'y')",
    "create function g(e) returns int language sql immutable as 'select 1'",
    "create table t (id int primary key, a e default 'x', b d, c c, g int generated always as (1) stored)",
    "create table r (id int primary key, t int references t, k c[])",
    "create table r2 (id int references t, id2 int references r)",
    "create table i () inherits (t)",
    "create view v as select id, a from t",
    "create view vv as select v.id, r.t from v join r on r.id = v.id",
    "create materialized view m as select g(a) as x from t",
    "create index mi on m (x)",
    "create function ft(t) returns int language sql as 'select $1.id'",
    "create function fe(e) returns setof t language sql as 'select * from t'",
    "create view vf as select * from fe('x')",
    "create function trf() returns trigger language plpgsql as 'begin return new; end'",
    "create trigger tr before update of a on t for each row when (old.a is distinct from new.a) execute function trf()",
    "create rule ru as on delete to v do instead delete from t where id = old.id",
    "create sequence q owned by t.id",
    "create table u (a int default nextval('q'))",
    "create function o(t, t) returns bool language sql as 'select true'",
    "create operator === (leftarg = t, rightarg = t, function = o)",
    "create function ce(c) returns e language sql as 'select $1.g'",
    "create cast (c as e) with function ce(c)",
    "create aggregate first(e) (sfunc = g2, stype = e)",
    "create function g2(e, e) returns e language sql as 'select $1'",
    "create aggregate first(e) (sfunc = g2, stype = e)",
    "create view va as select first(a) from t",
    "create statistics st on id, g from t",
    "create table s.x (a public.e)",
    "create view s.y as select * from s.x",
    "create function s.z(public.e) returns int language sql as 'select 1'",
    "create table k (a int unique, b int primary key)",
    "create view vk as select a, b, count(*) from k group by b",
    "create table fk (a int references k (a), b int references k (b))",
]
WEB = """type e|type c|domain d|type t|type e, c|type e, d, c|function g(e)|function g2(e, e)|table t|table r|table i|table t, r|table t, r, r2, i|table i, t|view v|view vv|view v, vv|materialized view m|index mi|index t_pkey|function ft(t)|function fe(e)
function trf()|trigger tr on t|rule ru on v|sequence q|function o(t, t)|operator === (t, t)|function ce(c)|cast (c as e)|aggregate first(e)|view va|statistics st|schema s|table s.x|view s.y|function s.z(e)|schema public|table k|schema s, public|type s.x|function fe|routine trf|procedure g(e)|aggregate g(e)|table v|view t|view m|sequence t|index t|type nope, e|table t, nope""".replace("\n", "|").split("|")
COLUMNS = """t drop id|t drop a|t drop b|t drop c|t drop g|r drop t|r drop k|r drop id|t drop a, drop b|t drop constraint t_pkey|r drop constraint r_pkey|k drop constraint k_a_key|k drop constraint k_pkey|k drop a|k drop b|s.x drop a|t alter a type text|t alter id type bigint|t alter c type text|t alter g type bigint|r alter t type bigint|k alter b type bigint|i drop id|i drop constraint t_pkey|t alter b type int using 1""".split("|")


def statements():
    yield from MADE
    for what in WEB:
        yield "begin"
        yield f"drop {what}"
        yield "rollback"
        yield "begin"
        yield f"drop {what} cascade"
        yield "select relname, relkind from pg_class where relnamespace in ('public'::regnamespace, coalesce(to_regnamespace('s')::oid, 0)) and relkind in ('r', 'v', 'm', 'S', 'c') order by 2, 1"
        yield "rollback"
    for what in COLUMNS:
        for how in ("", " cascade"):
            if how and "alter" in what:
                continue
            yield "begin"
            yield f"alter table {what}{how}"
            yield "select relname, attname, atttypid::regtype from pg_attribute a join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm') and attnum > 0 and not attisdropped order by 1, attnum"
            yield "rollback"
    yield "drop owned by current_user"
    yield "reassign owned by current_user to current_user"
