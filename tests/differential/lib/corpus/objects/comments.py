"""COMMENT ON every kind of object, read back, changed, taken away; on what is not there; and the same objects renamed, moved, given away, dropped."""

MADE = """create schema s
create role corpus_one
create role corpus_two
create table t (id int primary key, a int constraint pos check (a > 0), b text, unique (b))
create table child (id int references t)
create index i on t (a)
create sequence q
create view v as select a from t
create materialized view m as select b from t
create type e as enum ('x', 'y')
create type c as (f int, g text)
create domain d as int constraint small check (value < 100)
create type r as range (subtype = int8)
create function f(int) returns int language sql as 'select $1'
create function f(text, int) returns text language sql as 'select $1'
create procedure pr(int) language sql as 'select 1'
create function acc(int, int) returns int language sql immutable as 'select coalesce($1, 0) + $2'
create aggregate ag(int) (sfunc = acc, stype = int)
create function trf() returns trigger language plpgsql as 'begin return new; end'
create trigger tr before insert on t for each row execute function trf()
create rule ru as on delete to child do instead nothing
create function etf() returns event_trigger language plpgsql as 'begin end'
create event trigger et on ddl_command_start when tag in ('CREATE CAST') execute function etf()
create function opf(t, int) returns int language sql as 'select 1'
create operator +++ (leftarg = t, rightarg = int, function = opf)
create function ctoi(c) returns int language sql as 'select 1'
create cast (c as int) with function ctoi(c)
create statistics st on a, b from t
create extension citext""".split("\n")

#: What COMMENT ON calls it, its name, one that is not there.
OBJECTS = [
    ("schema", "s", "nope"),
    ("role", "corpus_one", "nope"),
    ("table", "t", "nope"),
    ("column", "t.a", "t.nope"),
    ("column", "v.a", "nope.a"),
    ("constraint", "pos on t", "nope on t"),
    ("constraint", "child_id_fkey on child", "pos on nope"),
    ("constraint", "small on domain d", "nope on domain d"),
    ("index", "i", "nope"),
    ("sequence", "q", "nope"),
    ("view", "v", "nope"),
    ("materialized view", "m", "nope"),
    ("type", "e", "nope"),
    ("type", "c", "s.nope"),
    ("type", "r", "nope.nope"),
    ("column", "c.f", "c.nope"),
    ("domain", "d", "nope"),
    ("function", "f(int)", "f(date)"),
    ("function", "f(text, int)", "nope(int)"),
    ("procedure", "pr(int)", "pr()"),
    ("routine", "pr", "nope"),
    ("aggregate", "ag(int)", "ag(*)"),
    ("trigger", "tr on t", "nope on t"),
    ("rule", "ru on child", "ru on t"),
    ("event trigger", "et", "nope"),
    ("operator", "+++ (t, int)", "+++ (int, int)"),
    ("cast", "(c as int)", "(c as date)"),
    ("statistics", "st", "nope"),
    ("extension", "citext", "nope"),
    ("language", "plpgsql", "nope"),
]

READ = """select coalesce(c.relname, p.proname, t.typname, n.nspname, k.conname, classoid::regclass::text) as what, objsubid, description from pg_description x
    left join pg_class c on c.oid = objoid and classoid = 'pg_class'::regclass left join pg_proc p on p.oid = objoid and classoid = 'pg_proc'::regclass
    left join pg_type t on t.oid = objoid and classoid = 'pg_type'::regclass left join pg_namespace n on n.oid = objoid and classoid = 'pg_namespace'::regclass
    left join pg_constraint k on k.oid = objoid and classoid = 'pg_constraint'::regclass
    where description like 'about %' order by description collate "C" """

RENAMED = [
    ("schema", "s", "s2"), ("role", "corpus_two", "corpus_three"), ("table", "t", "t2"), ("index", "i", "i2"), ("sequence", "q", "q2"), ("view", "v", "v2"), ("materialized view", "m", "m2"),
    ("type", "e", "e2"), ("type", "c", "c2"), ("domain", "d", "d2"), ("type", "r", "r2"), ("function", "f(int)", "f2"), ("procedure", "pr(int)", "pr2"), ("aggregate", "ag(int)", "ag2"),
    ("trigger", "tr on t", "tr2"), ("rule", "ru on child", "ru2"), ("event trigger", "et", "et2"), ("statistics", "st", "st2"), ("routine", "f(text, int)", "f3"),
]  # fmt: skip
MOVED = [("table", "t"), ("sequence", "q"), ("view", "v"), ("materialized view", "m"), ("type", "e"), ("type", "c"), ("domain", "d"), ("type", "r"), ("function", "f(int)"), ("procedure", "pr(int)"), ("aggregate", "ag(int)"), ("statistics", "st"), ("operator", "+++ (t, int)"), ("extension", "citext"), ("index", "i")]
OWNED = [k for k in MOVED if k[0] != "extension"] + [("schema", "s"), ("event trigger", "et"), ("index", "i"), ("routine", "pr(int)"), ("language", "plpgsql")]
DROPPED = [o for o in OBJECTS if o[0] not in ("column", "constraint", "language")]


def statements():
    yield from MADE
    for kind, name, missing in OBJECTS:
        yield f"comment on {kind} {name} is 'about {kind} {name}'"
        yield f"comment on {kind} {missing} is 'nothing'"
    yield READ
    yield "select obj_description('t'::regclass), obj_description('t'::regclass, 'pg_class'), obj_description('t'::regclass, 'pg_proc'), col_description('t'::regclass, 2), shobj_description('corpus_one'::regrole, 'pg_authid')"
    yield "comment on database nope is 'x'"
    yield "comment on column a is 'x'"
    yield "comment on table t is 5"
    yield "comment on table v is 'a view'"
    yield "comment on view t is 'a table'"
    yield "comment on index t is 'a table'"
    yield "comment on function pr(int) is 'a procedure'"
    yield "comment on procedure f(int) is 'a function'"
    yield "comment on function ag(int) is 'an aggregate'"
    yield "comment on domain e is 'an enum'"
    yield "comment on function f is 'which'"
    for kind, name, _ in OBJECTS[::2]:
        yield f"comment on {kind} {name} is ''"
    for kind, name, _ in OBJECTS[1::4]:
        yield f"comment on {kind} {name} is null"
    yield READ
    for kind, name, new in RENAMED:
        on = name.split(" on ")
        yield f"alter {kind} {name} rename to {new}"
        yield f"alter {kind} {name} rename to other"
        again = new + name[name.index("(") :] if "(" in name else " on ".join([new, *on[1:]])
        yield f"alter {kind} {again} rename to {on[0].split('(')[0]}"
    yield "alter table t rename to v"
    yield "alter function f(int) rename to acc"
    yield "alter type e rename to c"
    yield "alter index i rename to t_pkey"
    yield "alter table t rename constraint pos to positive"
    yield "alter table t rename constraint nope to positive"
    yield "alter table t rename constraint positive to pos"
    yield "alter domain d rename constraint small to tiny"
    yield "alter domain d rename constraint tiny to small"
    yield "alter table t rename a to b"
    yield "alter table t rename nope to b"
    for kind, name in MOVED:
        yield f"alter {kind} {name} set schema s"
        yield f"alter {kind} {name} set schema s"
        yield f"alter {kind} {'citext' if kind == 'extension' else 's.' + name} set schema public"
        yield f"alter {kind} {name} set schema nope"
    for kind, name in OWNED:
        yield f"alter {kind} {name} owner to corpus_one"
        yield f"alter {kind} {name} owner to nope"
        yield f"alter {kind} {name} owner to current_user"
    for kind, name, missing in DROPPED:
        yield f"drop {kind} {missing}"
        yield f"drop {kind} if exists {missing}"
        yield "begin"
        yield f"drop {kind} {name}"
        yield "rollback"
        yield "begin"
        if kind != "role":
            yield f"drop {kind} {name} cascade"
        yield "rollback"
    yield "drop table t, child, nope"
    yield "drop function f"
    yield "drop routine pr"
    yield "drop owned by corpus_one"
    yield "drop schema public"
    yield "drop schema s"
    yield "drop schema if exists s, nope cascade"
