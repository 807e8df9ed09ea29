"""Objects of users' own, from a seed: functions for expr.py's expressions, views for query.py's FROM.

`made` gives one piece after the other: each is made on both servers, and is there for what comes after it only where both took it.
"""
from .expr import Col
from .query import Queries, as_simple
from .schema import TYPES

class Function:
    def __init__(self, name, args, ret):
        self.name, self.args, self.ret = name, args, ret


class View:
    """As a table of schema.py for who reads from it."""

    key = None

    def __init__(self, name, columns):
        self.name, self.columns = name, columns


class Objects:
    def __init__(self, r, schema):
        self.r, self.schema = r, schema

    def expressions(self, budget):
        q = Queries(self.r, self.schema, budget=budget)
        q.names = 50
        return q

    def made(self):
        """(kind, statement, what to do once it is there) one after the other."""
        r = self.r
        for i in range(r.randint(0, 3)):
            f, sql = self.function(f"f{i}")
            yield "function", sql, lambda f=f: self.schema.functions.append(f)
        for i in range(r.randint(1, 3)):
            v, sql = self.view(f"v{i}")
            yield "view", sql, lambda v=v: self.schema.views.append(v)

    def function(self, name):
        """It reads its arguments, and tables: of the same row it is always the same."""
        r = self.r
        args = [r.choice(["int", "int", "text", "big"]) for _ in range(r.randint(1, 3))]
        ret = r.choice(["int", "int", "text", "bool"])
        q = self.expressions(r.choice([0, 0, 1]))
        names = [f"${i + 1}" for i in range(len(args))] if r.random() < 0.5 else [f"p{i}" for i in range(len(args))]
        scope = [Col(n, t) for n, t in zip(names, args)]
        of = lambda t: TYPES[t][0]
        shown = ", ".join((f"{n} " if n[0] == "p" else "") + of(t) for n, t in zip(names, args))
        # One that reads tables is not immutable.
        head = lambda body: f"create function {name}({shown}) returns {of(ret)} " + (r.choice(["stable", "volatile"]) if " from " in body else r.choice(["immutable", "immutable", "stable", "volatile"])) + r.choice(["", "", " strict"])
        if r.random() < 0.4:
            body = f"select {q.expr(ret, scope, 2)}"
            return Function(name, args, ret), f"{head(body)} language sql as $f${body}$f$"
        e = lambda depth=1: q.expr(ret, scope, depth)
        parts = []
        if r.random() < 0.6:
            parts.append(f"if {q.cond(scope, 1)} then return {e()}; {f'elsif {q.cond(scope, 1)} then v := {e()}; ' if r.random() < 0.4 else ''}end if;")
        if ret == "int" and r.random() < 0.5:
            parts.append(f"for i in {r.randint(0, 1)}..{r.randint(1, 4)} loop v := (v + i) % 50; {r.choice(['', 'continue when v is null; ', 'exit when v > 20; '])}end loop;")
        if r.random() < 0.3:
            t = r.choice(self.schema.tables)
            own = [Col(f"{t.name}.{n}", y) for n, y in t.columns]
            parts.append(f"for w in select {t.name}.id from {t.name} where {q.cond(own, 1)} order by 1 loop n := n + 1; exit when n > {r.randint(1, 5)}; end loop;")
            parts.append("if n > 2 then return null; end if;")
        if r.random() < 0.25:
            parts.append(f"begin v := {e()}; perform 1 / {r.choice(['0', '1'])}; exception when division_by_zero then v := {e()}; end;")
        if ret == "int" and r.random() < 0.3:
            parts.append("case v when 1 then v := 7; when 2, 3 then v := 8; else null; end case;")
        parts.append(f"return {r.choice(['v', 'coalesce(v, ' + e() + ')', e()])};")
        body = f"declare v {of(ret)} := {e()}; n int := 0; w record; begin {' '.join(parts)} end"
        return Function(name, args, ret), f"{head(body)} language plpgsql as $f${body}$f$"

    def view(self, name):
        q = self.expressions(self.r.choice([0, 1, 2, 3]))
        query = q.statement()
        return View(name, query.columns), f"create view {name} as {as_simple(query.sql, q.literals)}"
