"""Transactions of changes: INSERT, UPDATE, DELETE with RETURNING, savepoints; their result does not depend on the order in which rows are met."""
from .expr import Col
from .query import Queries, as_simple
from .schema import quote, value


class Changes:
    def __init__(self, r, schema, defines=True):
        self.r, self.schema, self.defines = r, schema, defines

    def queries(self):
        q = Queries(self.r, self.schema, budget=1)
        q.names = 10
        return q

    def row(self, t, key):
        r, vals = self.r, [str(key)]
        for c, y in t.columns[1:]:
            x = r.random()
            vals.append("null" if x < 0.1 else "default" if x < 0.15 else quote(value(r, y)))
        return "(" + ", ".join(vals) + ")"

    def returning(self, t):
        r = self.r
        if r.random() < 0.4:
            return ""
        q = self.queries()
        q.budget = 0
        cols = [Col(f"{t.name}.{n}", y) for n, y in t.columns]
        return " returning " + r.choice(["*", f"{t.name}.id", q.expr("int", cols, 1) + " as e, id"])

    def sets(self, t, scope):
        r, q = self.r, self.queries()
        q.budget = 1 if r.random() < 0.3 else 0
        cols = r.sample(t.columns[1:], min(len(t.columns) - 1, r.randint(1, 2)))
        fit = lambda n, y: {"small": lambda: str(r.randint(0, 9)), "vc": lambda: f"left({q.expr('text', scope, 1)}, 8)", "ch": lambda: f"left({q.expr('text', scope, 1)}, 3)",
                            "num": lambda: q.leaf("num", scope), "int": lambda: f"({q.expr('int', scope, 1)}) % 50"}.get(y, lambda: q.expr(y, scope, 1))()
        out = []
        for n, y in cols:
            out.append(f"{n} = " + ("default" if r.random() < 0.05 else fit(n, y)))
        return ", ".join(out)

    def statement(self):
        r, q = self.r, self.queries()
        t = r.choice(self.schema.tables)
        own = [Col(f"{t.name}.{n}", y) for n, y in t.columns]
        u = r.choice(self.schema.tables)
        other = [Col(f"s.{n}", y) for n, y in u.columns]
        where = f" where {q.cond(own, 2)}" if r.random() < 0.85 else ""
        base = r.randint(5000, 5030) if t.key else r.randint(0, 30)
        if r.random() < 0.08:
            return self.merge(t, u)
        x = r.random()
        if x < 0.18:
            keys = r.sample(range(base, base + 8), r.randint(1, 4))
            return f"insert into {t.name} values {', '.join(self.row(t, k) for k in keys)}{self.returning(t)}"
        if x < 0.30 and t.key == "id":
            keys = r.sample(list(range(0, 12)) + list(range(base, base + 5)), r.randint(1, 6))
            rows = ", ".join(self.row(t, k) for k in keys)
            do = "nothing"
            if r.random() < 0.7:
                c = r.choice(t.columns[1:])
                do = f"update set {c[0]} = " + r.choice([f"excluded.{c[0]}", f"{t.name}.{c[0]}", f"coalesce(excluded.{c[0]}, {t.name}.{c[0]})"])
                if r.random() < 0.4:
                    do += f" where {q.cond(own, 1)}"
            end = self.returning(t)
            # xmax tells which rows were there before; PostgreSQL 15 refuses it where a partition took the row.
            end += ", xmax = 0 as fresh" if end and not t.divided and r.random() < 0.4 else ""
            return f"insert into {t.name} values {rows} on conflict (id) do {do}{end}"
        if x < 0.38:
            names = [n for n, y in t.columns[1:] if n in dict(u.columns) and dict(u.columns)[n] == y]
            picked = ", ".join(f"s.{n}" for n in names)
            into = ", ".join(["id"] + names)
            key = "s.id + 10000" if t.key else "s.id"
            return f"insert into {t.name} ({into}) select {key}{', ' if picked else ''}{picked} from {u.name} s where {q.cond(other, 1)}" + (" on conflict do nothing" if r.random() < 0.1 and u.key == "id" else "") + self.returning(t)
        if x < 0.43 and not t.family:
            at = f" where {q.places(t, t.name)}"
            if r.random() < 0.4:
                return f"update {t.name} set {self.sets(t, own)}{at}{self.returning(t)}"
            if r.random() < 0.5:
                return f"delete from {t.name}{at}{self.returning(t)}"
            again = [Col(f"s.{n}", y) for n, y in t.columns]
            return f"delete from {t.name} using {t.name} s where s.ctid = {t.name}.ctid and {q.cond(again, 1)}"
        if x < 0.46:
            # Rows of a subquery, locked from outside.
            where = f" where {q.cond([Col(f's.{n}', y) for n, y in t.columns], 1)}" if r.random() < 0.5 else ""
            return f"select * from (select * from {t.name} where {q.cond(own, 1)}) s{where} for {r.choice(['update', 'share', 'no key update of s'])}{r.choice(['', ' skip locked', ' nowait'])}"
        if x < 0.58:
            return f"update {t.name} set {self.sets(t, own)}{where}{self.returning(t)}"
        if x < 0.66:
            pick = r.choice([n for n, y in u.columns if y not in ("arr", "json", "bool", "uuid", "by")] + ["id"])
            y = dict(u.columns)[pick]
            s = f"(select id % 20 as k, max({pick}) as m, count(*) as n from {u.name} group by 1) s"
            scope = own + [Col("s.k", "int"), Col("s.n", "big"), Col("s.m", y)]
            more = f" and ({q.cond(scope, 1)})" if r.random() < 0.6 else ""
            return f"update {t.name} set {self.sets(t, scope)} from {s} where s.k = {t.name}.id{more}{self.returning(t)}"
        if x < 0.78:
            return f"delete from {t.name}{where}{self.returning(t)}"
        if x < 0.86:
            link = q.equality(own, other) or "true"
            more = f" and ({q.cond(own + other, 1)})" if r.random() < 0.6 else ""
            ret = self.returning(t).replace(" *", f" {t.name}.*").replace(", id", f", {t.name}.id") if not u.key else ""
            # Which of several rows of the other table a deleted row met is no one's promise: only the row's own columns are returned.
            return f"delete from {t.name} using {u.name} s where {link}{more}{ret}"
        if x < 0.93:
            return f"with d as (delete from {t.name}{where} returning *) select count(*), min(id), max(id) from d"
        return f"with d as (update {t.name} set {self.sets(t, own)}{where} returning id) select count(*), sum(id), (select count(*) from {t.name}) from d"

    def merge(self, t, u):
        """MERGE from a source with a row a key, or with any rows: then a row may be met twice (21000 on both)."""
        r, q = self.r, self.queries()
        own, other = [Col(f"{t.name}.{n}", y) for n, y in t.columns], [Col(f"s.{n}", y) for n, y in u.columns]
        once = r.random() < 0.8
        if once:
            picked = ", ".join(f"max(x.{n}) as {n}" for n, y in u.columns[1:] if y in ("int", "text", "num", "small", "big"))
            other = [Col("s.id", "int")] + [Col(f"s.{n}", y) for n, y in u.columns[1:] if y in ("int", "text", "num", "small", "big")]
            source = f"(select x.id % 24 as id{', ' if picked else ''}{picked} from {u.name} x group by 1) s"
        else:
            source = f"{u.name} s"
        out = [f"merge into {t.name} using {source} on s.id = {t.name}.id" + (f" and ({q.cond(own + other, 1)})" if r.random() < 0.3 else "")]
        plain = [n for n, y in t.columns[1:] if y in ("int", "text", "num") and any(o.sql == f"s.{n}" and o.type == y for o in other)]
        for _ in range(r.randint(1, 3)):
            when = f" and ({q.cond(own + other, 1)})" if r.random() < 0.6 else ""
            out.append(f"when matched{when} then " + r.choice(["delete", "do nothing", f"update set {self.sets(t, own + other)}", f"update set {self.sets(t, own + other)}"]))
            if not when:
                break
        for _ in range(r.randint(0, 2)):
            when = f" and ({q.cond(other, 1)})" if r.random() < 0.5 else ""
            names = ["id"] + [n for n in plain if r.random() < 0.7]
            values = ", ".join(["s.id + 20000" if r.random() < 0.7 else "s.id"] + [f"s.{n}" for n in names[1:]])
            out.append(f"when not matched{when} then " + (f"insert ({', '.join(names)}) values ({values})" if r.random() < 0.8 else "do nothing"))
            if not when:
                break
        r.shuffle(out[1:])
        return " ".join(out)

    def definition(self):
        """A change of a definition, to be rolled back with its transaction."""
        r, t = self.r, self.r.choice(self.schema.tables)
        col, kind = r.choice(t.columns[1:])
        x = r.random()
        if x < 0.3:
            new = f"z{r.randint(1, 3)}"
            return f"alter table {t.name} add column {new} int" + r.choice(["", f" default {r.randint(0, 9)}", f" not null default {r.randint(0, 9)}"])
        if x < 0.45:
            return f"create index on {t.name} ({col}{r.choice(['', ' desc'])})" if kind != "json" else f"create index on {t.name} (id desc)"
        if x < 0.6:
            return f"alter table {t.name} alter column {col} set default {quote(value(r, kind))}"
        if x < 0.7:
            return f"alter table {t.name} add check (id > {r.randint(-5, 10)})"
        if x < 0.8:
            return f"alter table {t.name} drop column {col}"
        if x < 0.9:
            return f"truncate {t.name}"
        return f"create table made as select * from {t.name} where id < {r.randint(0, 50)}"

    def transaction(self):
        """Steps between BEGIN and ROLLBACK; what each table holds is asked after the changes, and behind the transaction that its mode is over."""
        r = self.r
        level = r.choice(["", "", "", " isolation level repeatable read", " isolation level serializable"])
        read_only = r.random() < 0.15
        out = ["begin" + level + (" read only" if read_only else "")]
        depth = 0
        for _ in range(r.randint(1, 6)):
            x = r.random()
            if x < 0.15:
                depth += 1
                out.append(f"savepoint s{depth}")
            elif x < 0.25 and depth:
                out.append(f"rollback to s{r.randint(1, depth)}")
            elif x < 0.30 and depth:
                out.append(f"release s{depth}")
                depth -= 1
            elif x < 0.5:
                q = Queries(r, self.schema, budget=1)
                out.append(as_simple(q.statement().sql, q.literals))
            elif x < 0.6 and self.defines:
                out.append(self.definition())
            else:
                out.append(self.statement())
        if depth and r.random() < 0.5:
            out.append("rollback to s1")
        for t in self.schema.tables:
            out.append(f"select * from {t.name}")
            out.append(f"select count(*), min(id), max(id) from {t.name} where id > 3")
        # After an error PostgreSQL's chained transaction has the session's modes instead of the chain's: not where that shows.
        out.append(r.choice(["rollback", "rollback", "rollback" if read_only else "rollback and chain"]))
        if out[-1] != "rollback":
            out += [f"select count(*) from {self.schema.tables[0].name}", self.statement(), "rollback"]
        if self.defines and r.random() < 0.3:
            name = r.choice(self.schema.tables).name
            out += [f"alter table {name} add column za int default 7", f"select count(za), sum(za) from {name}", f"alter table {name} drop column za"]
        return out
