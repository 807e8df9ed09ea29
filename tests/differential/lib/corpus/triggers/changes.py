"""The same changes of relations of several kinds, each with triggers that tell; rules by event and action; event triggers by command."""

SAY = """create function say() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then raise notice '% % % %', tg_name, tg_when, tg_op, tg_table_name; return null; end if;
  raise notice '% % % % old % new %', tg_name, tg_when, tg_op, tg_table_name, case when tg_op <> 'INSERT' then old::text end, case when tg_op <> 'DELETE' then new::text end;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$"""
TOLD = "create function told() returns trigger language plpgsql as $$ begin raise notice '% % rows %', tg_name, tg_op, (select string_agg(x::text, ' ' order by x::text) from moved x); return null; end $$"
ALL = ["before insert or update or delete on {t} for each row", "after insert or update or delete on {t} for each row", "before insert or update or delete on {t}", "after insert or update or delete on {t}"]

#: name: (what makes {t}, its triggers)
KINDS = {
    "plain": (["create table {t} (id int primary key, a int, b text default 'd')"], ALL),
    "temporary": (["create temp table {t} (id int primary key, a int, b text default 'd')"], ALL),
    "unique": (["create table {t} (id int primary key, a int unique, b text default 'd', check (a < 1000))"], ALL),
    "generated": (["create table {t} (id int primary key, a int, b text default 'd', g int generated always as (a + 1) stored, n serial)"], ALL),
    "domain": (["create domain {t}_d as int check (value < 500)", "create table {t} (id int primary key, a {t}_d, b varchar(8) default 'd')"], ALL),
    "parent": (["create table {t} (id int primary key, a int, b text default 'd')", "create table {t}_c (x int default 5) inherits ({t})", "insert into {t}_c values (30, 3, 'c')", "create trigger child after update or delete on {t}_c for each row execute function say()"], ALL),
    "referred": (["create table {t} (id int primary key, a int, b text default 'd')", "create table {t}_r (id int references {t} on delete cascade on update cascade, y int)", "create trigger child before update or delete on {t}_r for each row execute function say()", "create trigger after_child after update or delete on {t}_r execute function say()"], ALL[:3]),
    "selfish": (["create table {t} (id int primary key, a int references {t} on delete set null, b text default 'd')"], ALL[:2]),
    "through": (["create table {t}_b (id int primary key, a int, b text default 'd')", "create trigger base before insert or update or delete on {t}_b for each row execute function say()", "create view {t} as select * from {t}_b where id < 100 with check option"], ["before insert or update or delete on {t}", "after insert or update or delete on {t}"]),
    "instead": (["create table {t}_b (id int, a int, b text)", "create view {t} as select * from {t}_b union all select 30, 3, 'three'"], ["instead of insert or update or delete on {t} for each row"]),
}  # fmt: skip
CHANGES = [
    "insert into {t} (id, a) values (1, null), (2, null) returning *",
    "insert into {t} (id, a, b) select 3, null, 'x' returning id, b",
    "update {t} set b = b || '!' where id = 2 returning *",
    "update {t} set id = id + 10 where id = 1",
    "update {t} set b = 'same' where id in (2, 30) and b <> 'never'",
    "insert into {t} (id, a) values (2, 1) on conflict (id) do update set b = 'conflict' returning *",
    "insert into {t} (id, a) values (2, null) on conflict do nothing",
    "with w as (insert into {t} (id, a) values (5, null) returning id) update {t} set b = 'with' where id = 3 returning *, (select id from w)",
    "merge into {t} using (values (3), (6)) s (k) on id = s.k when matched then delete when not matched then insert (id, a) values (s.k, null)",
    "insert into {t} (id, a) values (7, 7000)",
    "update {t} set a = 600 where id = 2",
    "delete from {t} where id = 2 returning *",
    "delete from {t} where id = 30",
    "select * from {t} order by id",
    "drop trigger tr1 on {t}",
    "delete from {t} where id = 11",
]  # fmt: skip
TRANSITIONS = [
    ("insert", "new table as moved"),
    ("update", "new table as moved"),
    ("update", "old table as moved"),
    ("delete", "old table as moved"),
]
RULES = [
    ("insert", "insert into aim values (new.id, new.a, 'rule')", ["insert into {r} values (1, 2)", "insert into {r} (a) values (5), (6)", "insert into {r} select id + 100, a from aim where id = 1 returning *"]),
    ("insert", "update aim set a = a + new.a where id = new.id", ["insert into {r} values (1, 2)", "insert into {r} values (1, 2), (2, 3)"]),
    ("insert", "delete from aim where id = new.id", ["insert into {r} values (1, 2)", "insert into {r} values (null, 2)"]),
    ("insert", "nothing", ["insert into {r} values (1, 2) returning *", "insert into {r} default values"]),
    ("update", "update aim set a = new.a, c = 'from ' || old.a where id = old.id returning id, a", ["update {r} set a = a + 1 where id = 1", "update {r} set a = 7 returning *", "update {r} set id = 9 where id = 2", "update {r} set a = x.a from aim x where x.id = {r}.id and x.id = 1 returning {r}.a"]),
    ("update", "insert into aim values (new.id, old.a, 'was')", ["update {r} set a = a + 1 where id = 1", "update {r} set a = 0"]),
    ("update", "delete from aim where id = old.id and new.a is null", ["update {r} set a = 5 where id = 1", "update {r} set a = null where id = 1"]),
    ("update", "nothing", ["update {r} set a = 1"]),
    ("delete", "delete from aim where id = old.id returning *", ["delete from {r} where id = 1", "delete from {r} returning *", "delete from {r} using aim where {r}.id = aim.id and aim.a > 10"]),
    ("delete", "update aim set c = 'gone' where id = old.id", ["delete from {r} where a > 10", "delete from {r}"]),
    ("delete", "nothing", ["delete from {r}"]),
]  # fmt: skip
COMMANDS = """create table {n} (a int primary key, b serial, c int default 1)|alter table {n} add d int, drop c|alter table {n} rename to {n}x|alter table {n}x rename a to z|create index {n}i on {n}x (b)|alter index {n}i rename to {n}j|drop index {n}j|create view {n}v as select * from {n}x|create or replace view {n}v as select * from {n}x|drop view {n}v|create materialized view {n}m as select 1 as a|refresh materialized view {n}m|drop materialized view {n}m
create sequence {n}s|alter sequence {n}s increment 2|drop sequence {n}s|create type {n}e as enum ('a')|alter type {n}e add value 'b'|drop type {n}e|create domain {n}d as int|alter domain {n}d set not null|drop domain {n}d|create function {n}f() returns int language sql as 'select 1'|alter function {n}f() stable|drop function {n}f()|create schema {n}n|drop schema {n}n|comment on table {n}x is 'x'|grant select on {n}x to public|revoke select on {n}x from public|create trigger {n}t before insert on {n}x for each row execute function say()|drop trigger {n}t on {n}x
create rule {n}r as on delete to {n}x do instead nothing|drop rule {n}r on {n}x|create statistics {n}st on z, b from {n}x|drop statistics {n}st|truncate {n}x|drop table {n}x|create role corpus_{n}|create temp table {n}tt (a int)|select 1 as a into {n}into|create table {n}as as select 1 as a|create table if not exists {n}as (a int)|drop table if exists {n}nope|alter table {n}as add check (a > 0)|alter table {n}as alter a type bigint|alter default privileges grant select on tables to public|alter default privileges revoke select on tables from public|create table {n}bad (a nope)|drop table {n}as, {n}into""".replace("\n", "|").split("|")  # fmt: skip


def statements():
    yield SAY
    for kind, (made, triggers) in KINDS.items():
        for s in made:
            yield s.format(t=kind)
        for i, t in enumerate(triggers):
            yield f"create trigger tr{i} {t.format(t=kind)} execute function say()"
        if kind == "referred":
            yield "insert into referred values (40, null, 'f')"
            yield "insert into referred_r values (40, 1), (40, 2)"
            yield "update referred set id = 41 where id = 40"
            yield "delete from referred where id = 41"
        for s in CHANGES:
            yield s.format(t=kind)
    yield TOLD
    for kind in ("plain", "generated", "parent", "temporary"):
        for i, (event, tables) in enumerate(TRANSITIONS):
            yield f"create trigger st{i} after {event} on {kind} referencing {tables} for each statement execute function told()"
        for s in CHANGES[:9]:
            yield s.format(t=kind)
    yield "create table aim (id int, a int, c text)"
    for i, (event, action, changes) in enumerate(RULES):
        yield f"create table r{i} (id int, a int)"
        yield f"insert into r{i} values (1, 10), (2, 20)"
        yield "truncate aim"
        yield "insert into aim values (1, 10, 'x'), (2, 20, 'y')"
        yield f"create rule ru as on {event} to r{i} do instead {action}"
        for s in changes:
            yield s.format(r=f"r{i}")
        yield "select * from aim order by id, a, c"
        yield f"select definition from pg_rules where tablename = 'r{i}'"
    yield "create function happened() returns event_trigger language plpgsql as $$ begin raise notice '% %', tg_event, tg_tag; end $$"
    yield "create event trigger starts on ddl_command_start execute function happened()"
    yield "create event trigger ends on ddl_command_end execute function happened()"
    for s in COMMANDS:
        yield s.format(n="ev")
    yield "drop event trigger starts, ends"
    yield "drop event trigger starts"
    yield "drop event trigger ends"
