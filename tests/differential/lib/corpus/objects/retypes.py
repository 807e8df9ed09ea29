"""ALTER COLUMN TYPE under what hangs on the column: defaults, keys, checks, indexes, generated columns, statistics, foreign keys, children; what is stored and printed then."""

#: (from, two values, to, USING or None)
CHANGES = [
    ("int", ["1", "2"], "bigint", None), ("bigint", ["1", "2"], "int", None), ("bigint", ["1", "9999999999"], "int", None), ("int", ["1", "2"], "text", None), ("int", ["1", "2"], "numeric(4,1)", None), ("text", ["1", "2"], "int", None), ("text", ["1", "2"], "int", "v::int"), ("text", ["x", "yy"], "varchar(1)", None), ("varchar(5)", ["x", "yy"], "varchar(10)", None),
    ("varchar(5)", ["x", "yy"], "char(4)", None), ("numeric(6,2)", ["1.25", "2.75"], "numeric(6,1)", None), ("numeric(6,2)", ["1.25", "2.75"], "int", None), ("float8", ["1.5", "2.5"], "numeric", None), ("date", ["2024-01-01", "2024-02-01"], "timestamp", None), ("timestamp", ["2024-01-01 10:00", "2024-02-01"], "date", None), ("timestamptz", ["2024-01-01 10:00+00", "2024-02-01"], "timestamp", None),
    ("bool", ["t", "f"], "int", "v::int"), ("int", ["1", "0"], "bool", "v <> 0"), ("json", ['{"a": 1}', "2"], "jsonb", None), ("int[]", ["{1}", "{2,3}"], "text[]", None), ("text", ["sad", "ok"], "mood", "v::mood"), ("mood", ["sad", "ok"], "text", None), ("int", ["1", "2"], "pos", None), ("int", ["1", "-2"], "pos", None), ("int", ["1", "2"], "int", "v * 10"), ("int", ["1", "2"], "int", "id * 100"), ("int4range", ["[1,2)", "[5,7)"], "text", None), ("text", ["a", "b"], "text", "upper(v)"), ("uuid", ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"], "text", None),
]  # fmt: skip
HANGING = [
    ["alter table t alter v set default '{a}'"],
    ["alter table t add constraint uv unique (v)", "alter table t add check (v is not null)"],
    ["create index iv on t (v desc, id)", "create index pv on t (id) where v is not null"],
    ["alter table t add g text generated always as (id || 'g') stored", "create statistics sv on id, v from t"],
    ["create table tc (x int) inherits (t)", "insert into tc values (9, '{a}', 5)"],
    ["alter table t add constraint cv check (v <> '{b}' or id > 0)", "alter table t add h int generated always as (case when v is null then 0 else 1 end) stored"],
]


def statements():
    yield "create type mood as enum ('sad', 'ok')"
    yield "create domain pos as int check (value > 0)"
    for k, (old, (a, b), new, using) in enumerate(CHANGES):
        hanging = HANGING[k % len(HANGING)]
        yield "begin"
        yield f"create table t (id int primary key, v {old})"
        yield f"insert into t values (1, '{a}'), (2, '{b}'), (3, null)"
        if hanging is HANGING[1]:
            yield "delete from t where id = 3"
        for h in hanging:
            yield h.format(a=a, b=b)
        yield f"alter table t alter v type {new}" + (f" using {using}" if using else "")
        yield "select *, pg_typeof(v) from t order by id"
        yield "insert into t (id) values (20) returning *"
        yield "rollback"
        yield "begin"
        yield f"create table t (id int primary key, v {old})"
        for h in hanging:
            yield h.format(a=a, b=b)
        yield f"alter table t alter v type {new}" + (f" using {using}" if using else "") + ", alter v drop default, add w int default 3"
        yield "select a.attname, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid) from pg_attribute a left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = 't'::regclass and attnum > 0 and not attisdropped order by attnum"
        yield "select pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass union all select indexdef from pg_indexes where tablename = 't' order by 1"
        yield "rollback"
