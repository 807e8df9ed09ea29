"""Tables that refer to each other, and functions that count their calls: what schema.py's tables do not have.

`Family` makes a transaction of its own: tables with foreign keys (every action, deferred or not, MATCH FULL, composite, unlike types, keys that are equal and
look different), rows, changes with savepoints and SET CONSTRAINTS, a COMMIT, and what every table holds then. `Counted` asks how often nextval() was called
by queries whose number of calls does not depend on their plan. `Triggered` has triggers of every kind on two tables, one of which refers to the other, that log what they
see; `Through` changes rows through views over views, with checks. `Once` has deferrable unique keys,
`Apart` exclusion constraints.
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
        change, late = r.choice(ACTIONS), r.choice(TIMES)
        # A default that the same statement deletes is told by the statement here, by COMMIT there.
        if "set default" in (drop, change):
            late = ""
        return f"constraint {name} foreign key ({cols}) references {to}{full} on delete {drop} on update {change}{late}"

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


class Once:
    """Deferrable unique keys of every kind, few values, savepoints and SET CONSTRAINTS; rows that a plain key orders or none."""

    TIMES = [" deferrable", " deferrable initially deferred"]

    def __init__(self, r):
        self.r = r
        self.kind, _, self.values = r.choice(KEYS)
        self.parts = r.random() < 0.2
        self.names = []

    def value(self, null=0.1):
        return "null" if self.r.random() < null else self.r.choice(self.values)

    def key(self, name, cols, primary=False):
        r = self.r
        nulls = r.choice(["", "", " nulls not distinct"])
        more = r.choice(["", "", " include (v)"])
        self.names.append(name)
        return f"constraint {name} {'primary key' if primary else 'unique' + nulls} ({cols}){more}{r.choice(self.TIMES)}"

    def table(self):
        r = self.r
        by = " partition by hash (id)" if self.parts else ""
        own = ["id, a"] if self.parts else ["a", "b", "a, b", "b, a"]
        plain = not self.parts and r.random() < 0.4
        keys = [self.key("d_id", "id", not plain and r.random() < 0.6)]
        keys += [self.key(f"d_{n}", r.choice(own)) for n in range(r.randint(1, 2))]
        out = [f"create {r.choice(['', '', '', 'temp ']) if not self.parts else ''}table d (id int, a {self.kind}, b int, v int, {', '.join(keys)}{', p int generated by default as identity primary key' if plain else ''}){by}"]
        self.moves = plain
        out += [f"create table d_p{n} partition of d for values with (modulus 2, remainder {n})" for n in range(2)] if self.parts else []
        if r.random() < 0.3:
            out.append("create index on d (v)")
        return out + [f"insert into d values ({i}, {self.value()}, {r.randint(0, 9)}, 0)" for i in range(r.randint(0, 6))]

    def row(self):
        r = self.r
        return f"({r.randint(0, 9)}, {self.value()}, {r.choice(['null', str(r.randint(0, 9))])}, {r.randint(0, 3)})"

    def change(self):
        r, x = self.r, self.r.random()
        where = r.choice([f"id = {r.randint(0, 9)}", f"id > {r.randint(0, 9)}", "true", f"a = {self.value(0)}", f"b < {r.randint(0, 9)}", f"v = {r.randint(0, 3)}"])
        back = r.choice(["", "", " returning id, a, b"])
        if x < 0.25:
            return f"insert into d values {', '.join(self.row() for _ in range(r.randint(1, 3)))}{back}"
        if x < 0.30:
            return f"insert into d values {self.row()} on conflict {r.choice(['do nothing', '(id) do nothing', '(id) do update set v = 9', f'on constraint {r.choice(self.names)} do nothing'])}"
        if x < 0.42:
            return f"update d set id = {r.choice(['id + 1', 'id - 1', '9 - id', str(r.randint(0, 9))])} where {where}"
        if x < 0.54:
            return f"update d set b = {r.choice(['b + 1', '9 - b', 'id', 'null', str(r.randint(0, 9))])} where {where}"
        if x < 0.62:
            return f"update d set a = {self.value()}{r.choice(['', ', id = id + 1', ', b = b - 1'])} where {where}"
        if x < 0.67:
            return f"update d set v = v + 1 where {where}{back}"
        if x < 0.77:
            return f"delete from d where {where}"
        if x < 0.81:
            return f"with gone as (delete from d where {where} returning *) insert into d select id + {r.choice([0, 20])}, a, b, 8 from gone"
        if x < 0.84:
            return f"insert into d select id + {r.randint(0, 9)}, a, b + {r.randint(0, 9)}, 7 from d where {where}"
        if x < 0.87:
            return f"merge into d using (values {self.row()}, {self.row()}) s(id, a, b, v) on d.id = s.id when matched then update set b = s.b when not matched then insert values (s.id, null, s.b, s.v)"
        if x < 0.89:
            return r.choice(["truncate d", "alter table d add column more int", f"alter table d drop constraint {r.choice(self.names)}", "alter table d alter v type bigint"] + ([] if self.parts else ["reindex table d"]))
        if x < 0.91 and self.moves:
            return f"update d set p = p + 100 where {where}"
        if x < 0.93:
            return f"alter table d add constraint d_new unique ({r.choice(['id, b', 'id, a', 'id'])}) deferrable{r.choice(['', ' initially deferred'])}"
        return f"set constraints {r.choice(['all'] + self.names)} {r.choice(['deferred', 'deferred', 'immediate'])}"

    def steps(self):
        r = self.r
        out = ["drop table if exists d"] + self.table()
        # What is proven by a key, and what must not be.
        held = ["select id, a, b, v from d order by id, a, b, v", "select distinct id from d order by id", "select x.id, count(*) from d x join d y on x.id = y.id group by x.id order by x.id",
                f"select count(*) from d where id = {r.randint(0, 9)}", f"select id, a, b from d where b = {r.randint(0, 9)} order by id, a, b"]
        whole, depth = r.random() < 0.8, 0
        if whole:
            out.append("begin" + r.choice(["", "", " isolation level repeatable read", " isolation level serializable"]))
        for _ in range(r.randint(3, 10)):
            x = r.random()
            if whole and x < 0.15:
                depth += 1
                out.append(f"savepoint s{depth}")
            elif whole and x < 0.27 and depth:
                out.append(f"{r.choice(['rollback to', 'rollback to', 'release'])} s{r.randint(1, depth)}")
            else:
                x = self.change()
                # Which rows of a statement were in others' way for a time is its plan's affair.
                out += ["set constraints all immediate", x] if x.startswith(("alter", "truncate", "reindex")) else [x]
        if depth and r.random() < 0.6:
            out.append("rollback to s1")
        return out + held + (["commit"] + held[:1] if whole else []) + ["drop table d"]


class Apart:
    """Exclusion constraints by every method, checked at once or later, few values; whom a row meets is found by lists, by equal values, or among all rows."""

    RULES = ["using gist (a with =, r with &&)", "using gist (r with &&)", "using gist (r with &&, a with =)", "using gist (a with =, t with <>)", "(a with =, t with =)",
             "using hash (t with =)", "using gist (r with -|-)", "using gist (a with =, r with =)", "using gist (int4range(a, a + 2) with &&)", "using gist (n with =, r with &&)",
             "(lower(t) with =, a with =)", "using gist (t with =, (a % 2) with =, r with &&)", "using gist (a with <>, r with &&)"]

    def __init__(self, r):
        self.r, self.names = r, []

    def rule(self):
        r = self.r
        where = r.choice(["", "", " where (v < 2)", " where (t <> 'b')"])
        self.late = r.choice(["", "", "", " deferrable", " deferrable initially deferred"])
        self.names.append(f"x{len(self.names)}")
        return f"constraint {self.names[-1]} exclude {r.choice(self.RULES)}{where}{self.late}"

    def table(self):
        r = self.r
        key = r.choice([" primary key", ""])
        rules = [self.rule() for _ in range(r.choice([1, 1, 2]))]
        kind = r.choice(["", "", "", "temp "])
        out = [f"create {kind}table x (id int{key}, a int, r int4range, t text, n numeric, v int, {', '.join(rules)})"]
        return out + [f"insert into x values {self.row(i)}" for i in range(r.randint(0, 8))]

    def range(self):
        r, low = self.r, self.r.randint(0, 12)
        return r.choice(["null", "'empty'", f"'[{low},{low + r.randint(0, 3)}]'", f"'[{low},{low + r.randint(1, 2)})'", f"'[{low},{low + r.randint(1, 2)})'", f"'[{low},)'", f"'(,{low})'"])

    def row(self, key=None):
        r = self.r
        a, t, n = r.choice(["null", "0", "1", "2", "3"]), r.choice(["null", "'a'", "'A'", "'b'"]), r.choice(["1", "1.0", "2", "null"])
        return f"({r.randint(0, 40) if key is None else key}, {a}, {self.range()}, {t}, {n}, {r.randint(0, 3)})"

    def change(self):
        r, x = self.r, self.r.random()
        # Of several rows that are changed, which one meets another first is the plan's affair.
        one = f"id = {r.randint(0, 40)}"
        if x < 0.35:
            return f"insert into x values {', '.join(self.row() for _ in range(r.randint(1, 3)))}{r.choice(['', '', ' returning id, r'])}"
        if x < 0.45:
            return f"insert into x values {self.row()} on conflict {r.choice(['do nothing', 'do nothing', f'on constraint {r.choice(self.names)} do nothing', f'on constraint {r.choice(self.names)} do update set v = 9', '(id) do nothing'])}"
        if x < 0.55:
            return f"update x set r = {self.range()}{r.choice(['', ', a = a + 1', ', v = 0'])} where {one}"
        if x < 0.62:
            return f"update x set {r.choice(['a = 1', 'a = null', 'id = id + 50', 'v = v + 1', 'n = n + 0.0', 'v = 0'])} where {one}"
        if x < 0.72:
            return f"delete from x where {r.choice([one, one, f'a = {r.randint(0, 3)}', 'isempty(r)'])}"
        if x < 0.76:
            return f"with gone as (delete from x where {one} returning *) insert into x select id, a, r, t, n, 1 from gone"
        if x < 0.79:
            return f"merge into x using (values {self.row()}) s(id, a, r, t, n, v) on x.id = s.id when matched then update set a = s.a when not matched then insert values (s.id, s.a, s.r::int4range, s.t, s.n, s.v)"
        if x < 0.83:
            return r.choice(["truncate x", "alter table x add column more int", f"alter table x drop constraint {r.choice(self.names)}", "alter table x alter a type bigint", "reindex table x", f"alter table x add {self.rule()}"])
        if x < 0.87:
            return f"select count(*) from x where r && {self.range()} and a = {r.randint(0, 3)}"
        return f"set constraints {r.choice(['all'] + self.names)} {r.choice(['deferred', 'immediate'])}"

    def steps(self):
        r = self.r
        out = ["create extension if not exists btree_gist", "drop table if exists x"] + self.table()
        held = ["select id, a, r, t, n, v from x order by id, a, r, t, n, v", "select count(*) from x where r @> 5"]
        whole, depth = r.random() < 0.7, 0
        if whole:
            out.append("begin" + r.choice(["", "", " isolation level repeatable read", " isolation level serializable"]))
        for _ in range(r.randint(4, 14)):
            x = r.random()
            if whole and x < 0.15:
                depth += 1
                out.append(f"savepoint s{depth}")
            elif whole and x < 0.27 and depth:
                out.append(f"{r.choice(['rollback to', 'rollback to', 'release'])} s{r.randint(1, depth)}")
            else:
                x = self.change()
                out += ["set constraints all immediate", x] if x.startswith(("alter", "truncate", "reindex")) else [x]
        if depth and r.random() < 0.6:
            out.append("rollback to s1")
        return out + held + (["commit"] + held[:1] if whole else []) + ["drop table x"]


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


class Triggered:
    """What triggers saw is compared without regard to the order of rows; what each of them did to its row shows in the tables."""

    def __init__(self, r):
        self.r, self.n, self.nested = r, 0, False

    def function(self, name, table):
        r = self.r
        new = "case when tg_op = 'DELETE' then null else new end"
        old = "case when tg_op = 'INSERT' then null else old end"
        log = f"insert into glog values (tg_name || ' ' || tg_when || ' ' || tg_level || ' ' || tg_op || ' ' || tg_table_name || coalesce(' ' || tg_argv[0], ''), %s, %s);"
        row = "if tg_op = 'DELETE' then o := old::text; elsif tg_op = 'INSERT' then n := new::text; else o := old::text; n := new::text; end if; " + log % ("o", "n")
        act = r.choice([
            "", "", "if tg_when = 'BEFORE' and tg_op <> 'DELETE' then new.v := coalesce(new.v, 0) + 1; end if;",
            "if tg_when = 'BEFORE' and tg_op <> 'DELETE' and new.v % 3 = 0 then return null; end if;",
            "if tg_when = 'BEFORE' and tg_op = 'DELETE' and old.k % 2 = 0 then return null; end if;",
            "if tg_op = 'INSERT' and new.v > 90 then raise exception 'too much: %', new.v using errcode = '23514'; end if;",
            f"if pg_trigger_depth() < 2 then update {'g1' if table == 'g0' else 'g0'} set v = v + 10 where {'r is null and k < 50' if table == 'g0' else 'k = 1'}; end if;",
            "if tg_op = 'UPDATE' and new is distinct from old then n := 'changed'; end if;",
        ])
        self.nested |= "pg_trigger_depth" in act
        return f"create function {name}() returns trigger language plpgsql as $f$declare o text; n text; begin {row} {act} if tg_op = 'DELETE' then return old; end if; return new; end$f$"

    def trigger(self, table):
        r = self.r
        self.n += 1
        name, f = f"tr{self.n}", f"gf{self.n}"
        events = r.sample(["insert", "update", "delete"], r.randint(1, 3))
        x = r.random()
        if x < 0.25:
            # Of a statement: how many rows, and what they come to.
            event = r.choice(["insert", "update", "delete"])
            tables = {"insert": "new table as nt", "delete": "old table as ot", "update": r.choice(["old table as ot new table as nt", "new table as nt"])}[event] if r.random() < 0.7 else ""
            count = lambda a: f"(select count(*) || ':' || coalesce(sum(v), 0) from {a})" if a in tables else "null"
            body = f"insert into glog values (tg_name || ' ' || tg_op, {count('ot')}, {count('nt')}); return null;"
            when = f"after {event} on {table} referencing {tables}" if tables else f"{r.choice(['before', 'after'])} {event} on {table}"
            return [f"create function {f}() returns trigger language plpgsql as $f$begin {body} end$f$", f"create trigger {name} {when} for each statement execute function {f}()"]
        made = [self.function(f, table)]
        if x < 0.35:
            late = r.choice(["", " deferrable", " deferrable initially deferred", " deferrable initially deferred"])
            return made + [f"create constraint trigger {name} after {' or '.join(events)} on {table}{late} for each row execute function {f}()"]
        event = " or ".join(e + (" of v" if e == "update" and r.random() < 0.3 else "") for e in events)
        when = ""
        if r.random() < 0.3:
            when = {"insert": f" when (new.v {r.choice(['>', '<', 'is distinct from'])} {r.randint(0, 20)})", "delete": f" when (old.k < {r.randint(1, 5)})", "update": r.choice([" when (old.* is distinct from new.*)", " when (old.v < new.v)", " when (new.v is null)"])}[events[0]] if len(events) == 1 else ""
        return made + [f"create trigger {name} {r.choice(['before', 'before', 'after'])} {event} on {table} for each row{when} execute function {f}({r.choice(['', chr(39) + 'x' + chr(39)])})"]

    def change(self):
        r = self.r
        t = r.choice(["g0", "g1"])
        where = r.choice([f"k = {r.randint(0, 6)}", f"v > {r.randint(0, 30)}", f"k in ({r.randint(0, 3)}, {r.randint(3, 7)})", "true"])
        if t == "g0":
            rows = ", ".join(f"({k}, {r.randint(0, 95)}, {r.choice(['null', chr(39) + 'a' + chr(39)])})" for k in r.sample(range(0, 12), r.randint(1, 3)))
        else:
            rows = ", ".join(f"({k}, {r.choice(['null', str(r.randint(0, 6))])}, {r.randint(0, 95)})" for k in r.sample(range(0, 12), r.randint(1, 3)))
        x = r.random()
        if x < 0.25:
            return f"insert into {t} values {rows}{r.choice(['', ' returning *'])}"
        if x < 0.35:
            return f"insert into {t} values {rows} on conflict (k) do {r.choice(['nothing', 'update set v = excluded.v + 1', f'update set v = {t}.v + 1 where {t}.v < 30'])}"
        if x < 0.6:
            return f"update {t} set v = {r.choice(['v + 1', 'v', str(r.randint(0, 99)), 'null'])} where {where}{r.choice(['', ' returning k, v'])}"
        if x < 0.68:
            return f"update g0 set k = k + 100 where k = {r.randint(0, 6)}"
        if x < 0.82:
            return f"delete from {t} where {where}{r.choice(['', ' returning k'])}"
        if x < 0.88:
            return f"merge into {t} using (select generate_series(0, 8) as s) s on s.s = {t}.k when matched and {t}.v > {r.randint(0, 40)} then {r.choice(['delete', 'update set v = v + 1'])} when not matched and s.s > 6 then insert (k, v) values (s.s, s.s)"
        if x < 0.92:
            if self.nested:
                # Which of the two statements sees what triggers of the other did is each server's own.
                return "select count(*) from g0"
            return f"with w as (update g0 set v = v + 1 where {where.replace('k', 'k')} returning k) insert into g1 (k, v) select k + 50, 1 from w on conflict do nothing"
        if x < 0.95:
            return f"alter table {t} {r.choice(['disable', 'enable', 'enable always', 'enable replica'])} trigger {r.choice(['user', f'tr{r.randint(1, max(1, self.n))}'])}"
        return r.choice(["set constraints all deferred", "set constraints all immediate", "truncate g1"])

    def steps(self):
        r = self.r
        out = ["drop table if exists g1, g0, glog cascade", "create table g0 (k int primary key, v int, t text)", "create table glog (what text, o text, n text)",
               f"create table g1 (k int primary key, r int references g0 on delete {r.choice(['cascade', 'set null', 'no action'])} on update cascade{r.choice(['', ' deferrable initially deferred'])}, v int)"]
        out += ["insert into g0 select g, g * 7 % 20, case when g % 2 = 0 then 'a' end from generate_series(0, 5) g", "insert into g1 select g, g % 6, g * 5 % 17 from generate_series(0, 7) g"]
        for _ in range(r.randint(1, 4)):
            out += self.trigger(r.choice(["g0", "g0", "g1"]))
        held = ["select * from g0", "select * from g1", "select * from glog"]
        if r.random() < 0.5:
            # Each a transaction of its own.
            out += [self.change() for _ in range(r.randint(3, 8))]
            return out + held + ["drop table g1, g0, glog cascade"] + [f"drop function gf{i + 1}()" for i in range(self.n)]
        out.append("begin" + r.choice(["", "", " isolation level repeatable read"]))
        depth = 0
        for _ in range(r.randint(2, 7)):
            x = r.random()
            if x < 0.12:
                depth += 1
                out.append(f"savepoint s{depth}")
            elif x < 0.22 and depth:
                out.append(f"rollback to s{r.randint(1, depth)}")
            else:
                out.append(self.change())
        if depth and r.random() < 0.6:
            out.append("rollback to s1")
        return out + held + ["commit"] + held + ["drop table g1, g0, glog cascade"] + [f"drop function gf{i + 1}()" for i in range(self.n)]


class Through:
    """Changes through a view, and through a view over it."""

    def __init__(self, r):
        self.r = r

    def steps(self):
        r = self.r
        check = lambda: r.choice(["", "", " with check option", " with local check option", " with cascaded check option"])
        out = ["drop table if exists h0 cascade", "create table h0 (k int primary key, v int default 4, t text default 'd', w int generated always as (k * 2) stored)",
               "insert into h0 (k, v, t) select g, g * 7 % 20, 'x' || g % 3 from generate_series(0, 9) g"]
        cols = r.choice(["*", "k, v, t", "t, v, k", "k, v as v, t, v + 1 as more", "k, v, t, w"])
        out.append(f"create view h1 as select {cols} from h0 where v {r.choice(['<', '>', '<>'])} {r.randint(0, 15)}{check()}")
        second = r.choice(["*", "k, v, t", "k, v", "v, k, t as t"])
        out.append(f"create view h2{r.choice(['', ' with (security_barrier)'])} as select {second} from h1 where k {r.choice(['<', '>='])} {r.randint(0, 12)}{check()}")
        if r.random() < 0.2:
            out.append("alter view h1 alter column v set default 11")
        has_t = second != "k, v"
        whole = r.random() < 0.3
        out += ["begin"] if whole else []
        for _ in range(r.randint(3, 9)):
            name = r.choice(["h1", "h2"])
            t = ", t" if has_t or name == "h1" else ""
            where = r.choice([f"k = {r.randint(0, 12)}", f"v > {r.randint(0, 15)}", "true", f"k in (select k from h0 where v < {r.randint(0, 20)})"])
            x = r.random()
            row = lambda: f"({r.randint(0, 20)}, {r.choice(['default', str(r.randint(0, 20))])}{', ' + chr(39) + 'n' + chr(39) if t else ''})"
            if x < 0.3:
                s = f"insert into {name} (k, v{t}) values {', '.join(row() for _ in range(r.randint(1, 2)))}"
                if r.random() < 0.3:
                    s += f" on conflict (k) do {r.choice(['nothing', 'update set v = excluded.v', f'update set v = {name}.v + 1 where {name}.v < 9'])}"
            elif x < 0.36:
                s = f"insert into {name} (k) values ({r.randint(10, 30)})"
            elif x < 0.65:
                s = f"update {name} set v = {r.choice(['v + 1', 'v', str(r.randint(0, 20)), 'default'])}{', k = k + 100' if r.random() < 0.1 else ''} where {where}"
            elif x < 0.8:
                s = f"delete from {name} where {where}"
            elif x < 0.88:
                s = f"update {name} set v = h0.v + 1 from h0 where h0.k = {name}.k and h0.k < {r.randint(0, 9)}"
            elif x < 0.94:
                s = f"select * from {name} where {where} for update"
            else:
                s = f"insert into {name} (k, v) select k + 30, v from {name} where {where}"
            s += r.choice(["", " returning *", f" returning {name}.k, {name}.v"]) if not s.startswith("select") else ""
            out += ["savepoint a", s, "rollback to a"] if whole and r.random() < 0.3 else [s]
        return out + ["select * from h0", "select * from h2"] + (["commit"] if whole else []) + ["drop table h0 cascade"]
