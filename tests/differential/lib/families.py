"""Tables that refer to each other, and functions that count their calls: what schema.py's tables do not have.

`Family` makes a transaction of its own: tables with foreign keys (every action, deferred or not, MATCH FULL, composite, unlike types, keys that are equal and
look different), rows, changes with savepoints and SET CONSTRAINTS, a COMMIT, and what every table holds then. `Counted` asks how often nextval() was called
by queries whose number of calls does not depend on their plan.
"""

#: A key's type, the types that may refer to it, its values: equal ones that look different among them.
KEYS = [
    ("int", ["int", "bigint", "numeric", "smallint"], ["1", "2", "3", "4", "5"]),
    ("bigint", ["int", "bigint"], ["1", "2", "3", "4", "5"]),
    ("numeric", ["numeric", "int", "numeric(6,2)"], ["1", "1.0", "1.00", "2", "2.0", "3.000", "4"]),
    ("float8", ["float8", "float4"], ["0", "'-0'", "1", "2.5", "3"]),
    ("text", ["text", "varchar"], ["'a'", "'b'", "''", "'a '", "'c'"]),
    ("char(3)", ["char(3)"], ["'a'", "'b'", "'ab'", "'c'"]),
    ("date", ["date", "timestamp"], ["'2024-01-01'", "'2024-01-02'", "'2024-02-01'"]),
]
ACTIONS = ["no action", "no action", "restrict", "cascade", "cascade", "set null", "set default"]
TIMES = ["", "", "", " deferrable", " deferrable initially deferred", " deferrable initially deferred"]


class Family:
    def __init__(self, r):
        self.r = r
        self.key = r.choice(KEYS)
        self.two = r.random() < 0.3
        self.own = r.random() < 0.25

    def value(self, null=0.0):
        return "null" if self.r.random() < null else self.r.choice(self.key[2])

    def pair(self, null=0.0):
        return f"{self.value(null)}, {self.second(null)}" if self.two else self.value(null)

    def second(self, null=0.0):
        return "null" if self.r.random() < null else str(self.r.randint(1, 2))

    def reference(self, name, cols, to):
        r = self.r
        full = " match full" if r.random() < 0.2 else ""
        drop = r.choice(ACTIONS)
        if drop == "set null" and self.two and r.random() < 0.4:
            drop = f"set null ({r.choice(cols.split(', '))})"
        return f"constraint {name} foreign key ({cols}) references {to}{full} on delete {drop} on update {r.choice(ACTIONS)}{r.choice(TIMES)}"

    def tables(self):
        r, (kind, kinds, _) = self.r, self.key
        default = f" default {self.value()}" if r.random() < 0.3 else ""
        second = ", k2 int" if self.two else ""
        key, refs = ("k, k2", "r, r2") if self.two else ("k", "r")
        unique = r.choice(["primary key", "primary key", "unique"])
        parent = f"create table f0 (k {kind}{second}, v int" + (", up " + kind if self.own and not self.two else "") + f", {unique} ({key}))"
        out = [parent]
        if self.own and not self.two:
            out.append(f"alter table f0 add {self.reference('f0_own', 'up', 'f0 (k)')}")
        child = r.choice(kinds)
        out.append(f"create table f1 (id int primary key, r {child}{default}{', r2 int default 1' if self.two else ''}, v int, {self.reference('f1_ref', refs, f'f0 ({key})')})")
        if r.random() < 0.5:
            out.append(f"create index on f1 ({refs})")
        # A grandchild: of the child's key, or of the same parent.
        if r.random() < 0.5:
            out.append(f"create table f2 (id int primary key, c int, v int, {self.reference('f2_ref', 'c', 'f1 (id)')})")
        else:
            out.append(f"create table f2 (id int primary key, c {child}{', c2 int' if self.two else ''}, v int, {self.reference('f2_ref', 'c, c2' if self.two else 'c', f'f0 ({key})')})")
            self.same = True
        return out

    same = False

    def rows(self):
        r = self.r
        seen, parents = set(), []
        for v in r.sample(self.key[2], r.randint(1, len(self.key[2]))):
            same = v.strip("'").strip() or "0"
            same = str(float(same)) if self.key[0] in ("numeric", "float8") else same
            if same not in seen or self.two:
                seen.add(same)
                parents += [f"({v}, {n}, 0" for n in (1, 2)] if self.two and same not in parents else [f"({v}, 0"] if not self.two else []
        up = ", null)" if self.own and not self.two else ")"
        out = [f"insert into f0 values {p}{up}" for p in parents]
        out += [f"insert into f1 values ({i}, {self.pair(0.2)}, 0)" for i in range(r.randint(0, 5))]
        return out + [f"insert into f2 values ({i}, {self.pair(0.2) if self.same else r.randint(0, 5)}, 0)" for i in range(r.randint(0, 4))]

    def change(self):
        r, x = self.r, self.r.random()
        where = r.choice([f"k = {self.value()}", f"k = {self.value()}", "true", f"k <> {self.value()}", "v = 0"])
        if x < 0.25:
            return f"update f0 set k = {self.value()} where k = {self.value()}" + (" and k2 = 1" if self.two else "")
        if x < 0.35:
            return f"delete from f0 where {where}"
        if x < 0.45:
            return f"insert into f0 (k{', k2' if self.two else ''}, v) values ({self.pair()}, 1)" + r.choice(["", " on conflict do nothing"])
        if x < 0.60:
            return f"insert into f1 values ({r.randint(0, 12)}, {self.pair(0.15)}, 1)" + r.choice(["", "", " on conflict (id) do update set r = excluded.r, v = f1.v + 1"])
        if x < 0.72:
            return f"update f1 set r = {self.value(0.15)}{f', r2 = {self.second(0.1)}' if self.two and r.random() < 0.5 else ''}, v = v + 1 where id {r.choice(['=', '<', '>='])} {r.randint(0, 6)}"
        if x < 0.78:
            return f"delete from f1 where id = {r.randint(0, 6)}"
        if x < 0.84:
            return f"insert into f2 values ({r.randint(5, 12)}, {self.pair(0.15) if self.same else r.randint(0, 7)}, 1)"
        if x < 0.87:
            return f"with gone as (delete from f0 where k = {self.value()} returning k) insert into f1 (id, r, v) select 20, k, 9 from gone"
        if x < 0.90:
            return f"update f1 set id = id + 100 where id = {r.randint(0, 5)}"
        if x < 0.92:
            return "truncate " + r.choice(["f0", "f0 cascade", "f1, f2", "f0, f1, f2"])
        if x < 0.94 and self.own and not self.two:
            return f"update f0 set up = {self.value(0.2)} where k = {self.value()}"
        return r.choice(["set constraints all deferred", "set constraints all immediate", "set constraints f1_ref deferred", "set constraints f1_ref immediate"])

    def steps(self):
        r = self.r
        out = ["drop table if exists f2, f1, f0"] + self.tables() + self.rows() + ["begin" + r.choice(["", "", " isolation level repeatable read"])]
        depth = 0
        for _ in range(r.randint(2, 8)):
            x = r.random()
            if x < 0.12:
                depth += 1
                out.append(f"savepoint s{depth}")
            elif x < 0.24 and depth:
                out.append(f"rollback to s{r.randint(1, depth)}")
            else:
                out.append(self.change())
        if depth and r.random() < 0.6:
            out.append("rollback to s1")
        held = [f"select * from {t} order by {o}" for t, o in (("f0", "k" + (", k2" if self.two else "")), ("f1", "id"), ("f2", "id"))]
        return out + held + ["commit"] + held + ["drop table f2, f1, f0"]


class Counted:
    """`nextval` in places where PostgreSQL says how often it is asked. Not over set operations: PostgreSQL asks each side's rows, equal ones again."""

    def __init__(self, r, schema):
        self.r, self.t = r, r.choice(schema.tables)

    def source(self):
        n = self.t.name
        return self.r.choice([
            f"(select distinct id % 3 as x from {n})", f"(select id % 3 as x, count(*) as n from {n} group by 1)", f"(select id as x from {n} order by id, 1 limit 3)",
            f"(select id as x, row_number() over (partition by id % 2) as w from {n})", f"(select id as x from {n} order by id offset 1)", f"(select distinct on (id % 3) id % 3 as x from {n} order by id % 3)",
            f"(select id as x from {n})", "(values (1), (2), (3)) as v(x)", "generate_series(1, 7) as v(x)", f"(select max(id) as x from {n})",
        ])

    def query(self):
        r, src = self.r, self.source()
        src += "" if src.endswith("(x)") else " as v"
        call = "nextval('counted')"
        return r.choice([
            f"select count(*) from {src} where x < 1000000 + {call}", f"select count(*) from {src} where {call} > 0", f"select x, {call} > 0 as c from {src} order by x limit 2",
            f"select x, {call} > 0 as c from {src} order by x offset 1", f"select count(*) from (select distinct x, {call} * 0 as c from {src}) q", f"select sum(c) from (select {call} * 0 as c from {src}) q",
            f"select count(*) from (select x, {call} as c from {src} offset 0) q where x > 0", f"select count(*) from {src} where case when x is null then true else {call} > 0 end",
            f"select coalesce(min(x), 0) * 0 + {call} * 0 as c from {src}", f"select x % 2 as m, sum({call} * 0) as c from {src} group by 1 order by 1", f"select x from {src} group by x having {call} > 0 order by 1",
            f"select count(*) from {src} where exists (select {call})", f"select sum((select {call} * 0)) from {src}", f"select max((select {call} * 0 + v.x * 0)) from {src}",
            f"with w as (select {call} * 0 as c from {src}) select count(*) from w", f"with w as materialized (select {call} * 0 as c from {src}) select count(*) from w a, w b",
            f"select count(*) from {src}, lateral (select {call} * 0 + v.x as y) l",
            f"select greatest(x, 0) >= 0 and {call} > 0 as c from {src} order by 1 limit 3",
        ])

    def steps(self):
        out = ["drop sequence if exists counted", "create sequence counted"]
        for _ in range(self.r.randint(1, 5)):
            out += [self.query(), "select last_value, is_called from counted"]
        return out + ["drop sequence counted"]
