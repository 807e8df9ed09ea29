"""Triggers of every time, event and level over one table, under the same changes: what fires, in which order, with which rows."""

LOG = """create table t (id int primary key, a int, b text default 'd')
create table log (n serial, line text)
create function say() returns trigger language plpgsql as $$
declare o text; n text;
begin
  if tg_level = 'ROW' and tg_op <> 'INSERT' then o := old::text; end if;
  if tg_level = 'ROW' and tg_op <> 'DELETE' then n := new::text; end if;
  raise notice '% % % % % % % % %', tg_name, tg_when, tg_op, tg_level, tg_table_name, tg_table_schema, array_to_string(tg_argv, ','), coalesce(o, '-'), coalesce(n, '-');
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$""".split("\ncreate ")
CHANGES = """insert into t values (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')
update t set a = a + 1 where id < 3
update t set b = b where id = 3
update t set a = a, b = 'x' where id = 1
update t set id = id + 100 where id = 3
delete from t where id = 2
delete from t where id = 999
insert into t values (1, 5, 'c') on conflict (id) do update set a = excluded.a
insert into t values (1, 6, 'c') on conflict do nothing
insert into t values (7, 7, 'new') on conflict (id) do update set a = 0
merge into t using (values (1, 'm'), (50, 'n')) s (k, v) on t.id = s.k when matched then update set b = s.v when not matched then insert values (s.k, 0, s.v)
truncate t""".split("\n")

TRIGGERS = [
    "before insert or update or delete on t for each row",
    "after insert or update or delete on t for each row",
    "before insert or update or delete or truncate on t for each statement",
    "after insert or update or delete or truncate on t for each statement",
    "before update of a on t for each row",
    "after update of b, id on t for each row",
    "before update of a on t for each statement",
    "after update on t for each row when (old.a is distinct from new.a)",
    "before insert on t for each row when (new.a > 5 and new.b <> 'two')",
    "after delete on t for each row when (old.id in (1, 2))",
    "before update on t for each row when (old.* is distinct from new.*)",
    "after insert on t",
]
#: (time and event, what its function does)
CHANGERS = [
    ("before insert", "new.a := new.a * 2; return new;"),
    ("before insert", "return null;"),
    ("before insert", "if new.id = 2 then return null; end if; new.b := upper(new.b); return new;"),
    ("before insert", "new := (new.id + 1000, 0, 'all'); return new;"),
    ("before update", "new.b := old.b || '>' || new.b; return new;"),
    ("before update", "return old;"),
    ("before update", "return null;"),
    ("before update", "new.id := new.id + 500; return new;"),
    ("before delete", "return null;"),
    ("before delete", "return new;"),
    ("before delete", "insert into log (line) values (old.b); return old;"),
    ("after insert", "insert into log (line) values (new.b); return null;"),
    ("after insert", "update t set a = -1 where id = new.id; return null;"),
    ("after update", "insert into log (line) select count(*)::text from t; return new;"),
    ("after delete", "insert into log (line) select count(*)::text from t; return old;"),
    ("after insert", "if new.id = 2 then raise exception 'no two' using errcode = 'P0002', hint = 'use three'; end if; return null;"),
    ("before insert", "if (select count(*) from t) > 1 then return null; end if; return new;"),
    ("before insert", "return row(1);"),
    ("before insert", "return 5;"),
    ("before insert", "return (1, 2, 3);"),
    ("before insert", ""),
    ("before insert", "new.nope := 1; return new;"),
    ("before insert", "return old;"),
    ("before delete", "return t from t limit 1;"),
    ("before insert", "perform tg_argv[0]::int; if tg_nargs = 0 and tg_argv[5] is null and tg_relid = 't'::regclass then new.b := tg_op; end if; return new;"),
    ("before insert", "delete from t where id = 1; return new;"),
    ("before update", "update t set a = 77 where id = new.id; return new;"),
    ("before delete", "update t set a = 78 where id = old.id; return old;"),
    ("after update", "if new.a < 40 then update t set a = a + 10 where id = new.id; end if; return null;"),
]
TRANSITIONS = [
    ("after insert on t referencing new table as n", "insert into log (line) select string_agg(n::text, ' ' order by id) from n"),
    ("after update on t referencing old table as o new table as n", "insert into log (line) select string_agg(o.id || ':' || o.a || '>' || n.a, ' ' order by o.id) from o join n using (id)"),
    ("after delete on t referencing old table as o", "insert into log (line) select count(*) || ' ' || coalesce(sum(a), 0) from o"),
    ("after insert on t referencing new table as n for each row", "insert into log (line) select new.id || ' of ' || count(*) from n"),
    ("after update on t referencing new table n old table o for each row", "insert into log (line) values ((select count(*) from n) || ' ' || (select max(a) from o))"),
]
WRONG = """create trigger x before insert on nope execute function say()
create trigger x before insert on t execute function nope()
create trigger x before insert on t execute function length('x')
create trigger x instead of insert on t for each row execute function say()
create trigger x before truncate on t for each row execute function say()
create trigger x before insert on t when (new.a > 1) execute function say()
create trigger x before insert on t for each row when (old.a > 1) execute function say()
create trigger x before delete on t for each row when (new.a > 1) execute function say()
create trigger x before insert on t for each row when (new.nope > 1) execute function say()
create trigger x before insert on t for each row when (exists (select 1)) execute function say()
create trigger x before insert on t for each row when (1) execute function say()
create trigger x before insert on t for each row when (a > 1) execute function say()
create trigger x before update of nope on t for each row execute function say()
create trigger x before update of a, a on t for each row execute function say()
create trigger x before insert or insert on t for each row execute function say()
create trigger x after insert of a on t execute function say()
create trigger x before insert on t referencing new table as n execute function say()
create trigger x after insert on t referencing old table as n execute function say()
create trigger x after insert or update on t referencing new table as n execute function say()
create trigger x after update of a on t referencing new table as n execute function say()
create trigger x after insert on t referencing new table as n new table as m execute function say()
create trigger x after update on t referencing new table as n old table as n execute function say()
create trigger x after insert on t referencing new row as n execute function say()
create trigger x after truncate on t referencing old table as n execute function say()
create trigger s.x before insert on t execute function say()
create constraint trigger x before insert on t for each row execute function say()
create constraint trigger x after insert on t for each statement execute function say()
create constraint trigger x after truncate on t for each row execute function say()
create or replace constraint trigger x after insert on t for each row execute function say()
create trigger x after insert on t deferrable execute function say()
create trigger x after insert on log_view for each row execute function say()
create trigger x before truncate on log_view execute function say()
create trigger x instead of insert on log_view execute function say()
create trigger x instead of update of line on log_view for each row execute function say()
create trigger x instead of insert on log_view for each row when (new.n > 1) execute function say()
create trigger x before insert on log_view for each row execute function say()
drop trigger nope on t
drop trigger if exists nope on t
drop trigger if exists nope on nope
drop trigger nope on nope
alter trigger nope on t rename to y
alter table t enable trigger nope
select say()""".split("\n")
READ = "select tgname, tgtype, tgenabled, tgattr::text, tgnargs, tgdeferrable, tgoldtable, tgnewtable, pg_get_triggerdef(oid), pg_get_triggerdef(oid, true) from pg_trigger where not tgisinternal order by 1"


def statements():
    yield from (LOG[0], *("create " + s for s in LOG[1:]))
    yield "create view log_view as select * from log"
    for i, t in enumerate(TRIGGERS):
        yield f"create trigger tr{i} {t} execute function say({i}, 'it''s', 1.5)"
    yield READ
    yield from CHANGES
    for i in (0, 2, 5):
        yield f"alter table t disable trigger tr{i}"
    yield "alter table t enable replica trigger tr1"
    yield "alter table t enable always trigger tr3"
    yield from CHANGES[:6]
    yield "set session_replication_role = replica"
    yield "insert into t values (60, 1, 'r')"
    yield "reset session_replication_role"
    yield "alter table t enable trigger all"
    yield "alter table t disable trigger user"
    yield "insert into t values (61, 1, 'r')"
    yield "alter trigger tr4 on t rename to tr5"
    yield "alter trigger tr4 on t rename to first"
    yield READ
    for i in range(len(TRIGGERS)):
        yield f"drop trigger {'first' if i == 4 else f'tr{i}'} on t"
    yield from WRONG
    for i, (when, body) in enumerate(CHANGERS):
        yield "truncate t, log restart identity"
        yield "insert into t values (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')"
        yield f"create or replace function change() returns trigger language plpgsql as $$ begin {body} end $$"
        yield f"create trigger c {when} on t for each row execute function change()"
        yield {"insert": "insert into t values (11, 1, 'x'), (12, 2, 'y') returning *", "update": "update t set a = a + 5, b = b || '!' where id < 3 returning *", "delete": "delete from t where id < 3 returning *"}[when.split()[1]]
        yield "select t, (select array_agg(line order by n) from log) from t order by id"
        yield "drop trigger c on t"
    for i, (when, body) in enumerate(TRANSITIONS):
        yield "truncate t, log restart identity"
        yield f"create or replace function change() returns trigger language plpgsql as $$ begin {body}; return null; end $$"
        yield f"create trigger c {when} execute function change()"
        yield from CHANGES[:9]
        yield "with w as (insert into t values (70, 1, 'w'), (71, 2, 'v') returning id) update t set a = a + 1 from w where t.id in (1, 3)"
        yield "select line from log order by n"
        yield "drop trigger c on t"
