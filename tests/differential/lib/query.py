"""SELECT statements: a FROM of joins, then one of several forms above it."""
from .expr import MARK, Col, Exprs
from .schema import NUMBERS, TYPES, quote

#: Over integers and numerics they are exact to the last digit.
MEANS = ["avg", "avg", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop"]
#: Types whose equal values are written alike.
EXACT = {"int", "small", "big", "text", "vc", "bool", "date", "ts", "uuid", "tm", "by", "oid", "en", "rng", "co"}


class Query:
    """A statement's text, its columns (name, type), and whether its rows come in a total order."""

    __slots__ = ("sql", "columns", "ordered")

    def __init__(self, sql, columns, ordered=False):
        self.sql, self.columns, self.ordered = sql, columns, ordered


class Queries(Exprs):
    def __init__(self, r, schema, parameters=False, budget=3):
        self.r, self.schema, self.parameters, self.budget = r, schema, parameters, budget
        self.literals, self.names, self.ctes = [], 0, []

    def name(self):
        self.names += 1
        return f"x{self.names}"

    # ---- FROM

    def base(self):
        r = self.r
        if self.ctes and r.random() < 0.4:
            name, columns = r.choice(self.ctes)
            a = self.name()
            return f"{name} {a}", [Col(f"{a}.{n}", t) for n, t in columns]
        t = r.choice(self.schema.views if self.schema.views and r.random() < 0.3 else self.schema.tables)
        a = self.name()
        return f"{t.name} {a}", [Col(f"{a}.{n}", y) for n, y in t.columns]

    def item(self, scope, lateral):
        """One relation: (text, columns, reads the others)."""
        r = self.r
        x = r.random()
        if x < 0.70 or self.budget <= 0:
            s, c = self.base()
            return s, c, False
        self.budget -= 1
        a = self.name()
        if x < 0.76:
            n, ts = r.randint(1, 4), [r.choice(["int", "text", "num"]) for _ in range(r.randint(1, 2))]
            reads = lateral and scope and r.random() < 0.5
            rows = ", ".join("(" + ", ".join(self.expr(t, scope if reads else [], 0) for t in ts) + ")" for _ in range(n))
            cs = [f"v{i}" for i in range(len(ts))]
            return f"{'lateral ' if reads else ''}(values {rows}) {a}({', '.join(cs)})", [Col(f"{a}.{c}", t) for c, t in zip(cs, ts)], bool(reads)
        if x < 0.80:
            reads = lateral and scope and r.random() < 0.5
            high = f"({self.leaf('int', scope)} % 5)" if reads else str(r.randint(0, 5))
            return f"{'lateral ' if reads else ''}generate_series({r.randint(-1, 2)}, {high}) {a}(n)", [Col(f"{a}.n", "int")], bool(reads)
        reads = lateral and scope and r.random() < 0.6
        q = self.select([Col(c.sql, c.type, True) for c in scope] if reads else [], depth=0)
        return f"{'lateral ' if reads else ''}({q.sql}) {a}", [Col(f"{a}.{n}", t) for n, t in q.columns], bool(reads)

    def equality(self, left, right):
        """`a = b` of columns of like types, or None."""
        pairs = [(l, m) for l in left for m in right if l.type == m.type and l.type not in ("json", "arr") or {l.type, m.type} <= {"int", "big", "small"}]
        if not pairs:
            return None
        l, m = self.r.choice(pairs)
        return f"{l.sql} = {m.sql}" if self.r.random() < 0.7 else f"{m.sql} = {l.sql}"

    def source(self, outer, most=3):
        """FROM's text, its own columns."""
        r = self.r
        text, scope, _ = self.item(outer, bool(outer) and r.random() < 0.3)
        for _ in range(r.choice([0, 0, 1, 1, 1, 2, 2, 3][: 3 + most])):
            if len(scope) > 24:
                break
            kind = r.choice(["join", "join", "left join", "left join", "right join", "full join", "cross join", ","])
            lateral = kind in ("join", "left join", "cross join", ",")
            s, cols, reads = self.item(scope + outer, lateral)
            if kind in ("cross join", ","):
                text += f" {kind} {s}" if kind != "," else f" cross join {s}"
                if reads or len(scope) < 8:
                    scope = scope + cols
                    continue
                scope = scope + cols
                continue
            plain = not reads and s.count(" ") == 1 and text.count(" ") == 1
            if plain and r.random() < 0.15 and not self.cte_in(s, text):
                done = self.using(text, scope, s, cols, kind)
                if done:
                    text, scope = done
                    continue
            on = self.equality(scope, cols)
            if outer and kind != "full join" and r.random() < 0.3:
                on = self.mixed(scope, cols, outer) or on
            if kind == "full join":
                on = on or "true"
                if on != "true" and r.random() < 0.3 and (e := self.equality(scope, cols)):
                    on += f" and {e}"
            elif on is None or r.random() < 0.1:
                on = self.cond(cols + scope, 1)
            elif r.random() < 0.35:
                on += f" and {self.cond(cols + scope, 1)}"
            if r.random() < 0.15 and text.count(" join ") == 1 and not reads and kind != "full join":
                # The other nesting: a join ( b join c ).
                s2, cols2, reads2 = self.item([], False)
                e = self.equality(cols, cols2)
                if e and not reads2:
                    s, cols = f"({s} {r.choice(['join', 'left join'])} {s2} on {e})", cols + cols2
            text += f" {kind} {s} on {on}"
            scope = scope + cols
        return text, scope

    def mixed(self, left, right, outer):
        """An equality of which one side reads a row outside as well: what a join has built for one outer row is not the next one's."""
        r = self.r
        fit = [(a, b, o) for a in left for b in right for o in outer if a.type == b.type == o.type and a.type in EXACT and a.type not in ("bool", "uuid")]
        if not fit:
            return None
        a, b, o = r.choice(fit)
        a, b = r.choice([(a, b), (b, a)])
        return f"{a.sql} = " + r.choice([f"greatest({b.sql}, {o.sql})", f"coalesce({b.sql}, {o.sql})", f"least({o.sql}, {b.sql})", f"(case when {o.sql} is null then {a.sql} else {b.sql} end)"])

    def cte_in(self, *texts):
        names = {n for n, _ in self.ctes}
        return any(t.split(" ")[0] in names for t in texts)

    def using(self, left, lcols, right, rcols, kind):
        """JOIN USING and NATURAL JOIN between two plain tables; the merged column is read without a qualifier."""
        byl = {c.sql.split(".")[1]: c for c in lcols}
        byr = {c.sql.split(".")[1]: c for c in rcols}
        common = [n for n in byl if n in byr]
        ok = [n for n in common if byl[n].type == byr[n].type and byl[n].type not in ("json", "arr")]
        if not ok:
            return None
        la, ra = left.split(" ")[1], right.split(" ")[1]
        if len(ok) == len(common) and self.r.random() < 0.4:
            text, merged = f"{left} natural {kind} {right}", ok
        else:
            merged = self.r.sample(ok, min(len(ok), self.r.randint(1, 2)))
            text = f"{left} {kind} {right} using ({', '.join(merged)})"
        scope = [Col(f"{la}.{n}", c.type) for n, c in byl.items()] + [Col(f"{ra}.{n}", c.type) for n, c in byr.items()]
        # Unqualified merged columns are ambiguous as soon as another relation has the name: only coalesce's form is used further up.
        scope += [Col(f"coalesce({la}.{n}, {ra}.{n})", byl[n].type) for n in merged]
        return text, scope

    def where(self, scope, chance=0.7):
        return f" where {self.cond(scope)}" if self.r.random() < chance else ""

    # ---- subqueries in expressions

    def subselect(self, outer, types, one=False):
        r = self.r
        self.budget -= 1
        text, scope = self.source([c for c in outer if r.random() < 0.7], most=1)
        both = scope + outer
        link = self.equality(scope, outer) if outer and r.random() < 0.7 else None
        conds = [c for c in (link, self.cond(both, 1) if r.random() < 0.5 else None) if c]
        where = f" where {' and '.join(conds)}" if conds else ""
        if types is None:
            if r.random() < 0.15:
                return f"select {self.expr('int', scope, 0)} from {text}{where} group by 1 having count(*) > {r.randint(0, 2)}"
            return f"select {r.choice(['1', '*', self.expr('int', both, 0)])} from {text}{where}" if " using " not in text and "natural" not in text else f"select 1 from {text}{where}"
        if types == ["count"]:
            # An aggregate of outer columns alone would be the outer query's.
            return f"select count({r.choice(['*', self.expr('int', scope, 1)])}) from {text}{where}"
        if isinstance(types[0], tuple):
            return f"select {r.choice(['min', 'max'])}({self.expr(types[0][1], scope, 1)}) from {text}{where}"
        out = ", ".join(self.expr(t, both, 1) for t in types)
        if one:
            order = ", ".join(str(i + 1) for i in range(len(types)))
            return f"select {out} from {text}{where} order by {order} limit 1"
        if r.random() < 0.15:
            return f"select {out} from {text}{where} union {r.choice(['', 'all '])}select {', '.join(self.expr(t, outer, 0) for t in types)}"
        return f"select {out} from {text}{where}"

    # ---- whole statements

    def select(self, outer=(), depth=2):
        outer = list(outer)
        x = self.r.random()
        form = self.keyed if x < 0.05 else self.first if x < 0.13 else self.plain if x < 0.40 else self.grouped if x < 0.62 else self.windowed if x < 0.74 else self.distinct if x < 0.84 else self.setop
        return form(outer, depth)

    def outputs(self, scope, n=None, types=None):
        r = self.r
        out = []
        for i in range(n or r.randint(1, 4)):
            t = types[i] if types else r.choice(scope).type if scope and r.random() < 0.8 else r.choice(["int", "text", "num", "bool"])
            out.append((self.expr(t, scope, 2), f"c{i}", t))
        return out

    def tail(self, columns, must=False, chance=0.5):
        """ORDER BY all columns (so that LIMIT is sure), LIMIT and OFFSET; whether the order is total."""
        r = self.r
        if any(t == "json" for _, t in columns) or not (must or r.random() < chance):
            return "", False
        order = list(range(len(columns)))
        r.shuffle(order)
        keys = ", ".join(str(i + 1) + r.choice(["", "", " desc", " nulls first", " desc nulls last"]) for i in order)
        s = f" order by {keys}"
        if r.random() < 0.5:
            s += f" limit {r.choice([0, 1, 2, 3, 5, 20])}" if r.random() < 0.8 else f" fetch first {r.randint(1, 4)} rows only"
            if r.random() < 0.3 and "fetch" not in s:
                s += f" offset {r.randint(0, 4)}"
        return s, True

    def plain(self, outer, depth):
        text, scope = self.source(outer)
        both = scope + outer
        out = self.outputs(both)
        cols = [(n, t) for _, n, t in out]
        end, ordered = self.tail(cols)
        if not end and depth == 2 and self.r.random() < 0.3 and scope:
            # An order by columns that are not in the list: the rows are compared without regard to it.
            end = " order by " + ", ".join(c.sql for c in self.r.sample(scope, min(2, len(scope))) if c.type not in ("json", "avg")) if all(c.type != "json" for c in scope) else ""
        return Query(f"select {', '.join(f'{e} as {n}' for e, n, _ in out)} from {text}{self.where(both)}{end}", cols, ordered)

    def keyed(self, outer, depth):
        """One row found by its key, joined to many, in the order of the many: an order that an index of theirs may give, or a sort has to."""
        r = self.r
        a, b = self.name(), self.name()
        one = r.choice([t for t in self.schema.tables if t.key == "id"] or self.schema.tables)
        many = r.choice(self.schema.tables)
        acols, bcols = [Col(f"{a}.{n}", y) for n, y in one.columns], [Col(f"{b}.{n}", y) for n, y in many.columns]
        link = r.choice([self.equality(acols[1:], bcols), "true", f"{b}.id >= {a}.id - 2"]) or "true"
        at = f"{a}.id = {r.choice([self.lit('int'), str(r.randint(0, 5))])}"
        plain = [c for c in bcols if c.type in EXACT]
        order = [c.sql + r.choice(["", "", " desc"]) for c in r.sample(plain, min(len(plain), r.randint(1, 2)))]
        shown = [(c, f"c{i}") for i, c in enumerate(plain)] + [(acols[0], "k")]
        # Ties are settled by all columns that show.
        order += [n + r.choice(["", " desc"]) for _, n in r.sample(shown, len(shown))]
        text = f"{one.name} {a} {r.choice(['join', 'join', 'left join'])} {many.name} {b} on {link}"
        if r.random() < 0.3:
            text = f"{many.name} {b} {r.choice(['join', 'right join'])} {one.name} {a} on {link}"
        limit = f" limit {r.choice([1, 2, 3, 5])}" if r.random() < 0.4 else ""
        how = r.choice(["", "", "", f"distinct on ({order[0].split(' ')[0]}) "])
        return Query(f"select {how}{', '.join(f'{c.sql} as {n}' for c, n in shown)} from {text} where {at} order by {', '.join(order)}{limit}",
                     [(n, c.type) for c, n in shown], True)

    def first(self, outer, depth):
        return self.r.choice([self.numbered, self.united, self.tied, self.renamed, self.placed, self.dependent, self.dependent])(outer, depth)

    def dependent(self, outer, depth):
        """A lateral subquery that reads the row outside anywhere: in joins' keys, groups, orders, limits, windows, arms, CTEs. It starts anew for every row, and nothing of the last one may stay."""
        r = self.r
        t, a, s = r.choice(self.schema.tables), self.name(), self.name()
        near = [Col(f"{a}.{n}", y) for n, y in t.columns]
        out = [Col(c.sql, c.type, True) for c in near]
        text, scope = self.source(out, most=2)
        both = scope + out
        number = lambda: self.leaf("int", out)
        few = lambda: f"(abs({number()}) % {r.choice([2, 3, 4])})"
        plain = [c for c in scope if c.type in EXACT]
        if not plain:
            return self.plain(outer, depth)
        where = self.where(both, 0.5)
        picked = r.sample(plain, min(len(plain), 2))
        x = r.random()
        if x < 0.2:
            # An order that reads it, settled by all that shows; how many rows come, too.
            cols = [(c.sql, f"c{i}", c.type) for i, c in enumerate(picked)]
            first = f"{self.leaf('int', scope)} % ({few()} + 2), " if r.random() < 0.6 else ""
            rest = ", ".join(e for e, _, _ in cols)
            body = f"select {', '.join(f'{e} as {n}' for e, n, _ in cols)} from {text}{where} order by {first}{rest} limit {few()} + 1"
            # Rows that tie in the first key and in all that shows are alike.
            body += f" offset {few()}" if r.random() < 0.3 else ""
        elif x < 0.4:
            e, y = self.aggregate(scope, [])
            key = f"{self.leaf('int', scope)} % ({few()} + 2)"
            cols = [(key, "k0", "int"), (e, "g0", y), (f"count(*) filter (where {self.cond(both, 1)})", "g1", "big")]
            body = f"select {', '.join(f'{e} as {n}' for e, n, _ in cols)} from {text}{where} group by 1" + (f" having count(*) > {few()}" if r.random() < 0.4 else "")
        elif x < 0.55:
            c = picked[0]
            cols = [(c.sql, "c0", c.type), (f"count(*) over (partition by {self.leaf('int', scope)} % ({few()} + 1))", "w0", "big"),
                    (f"rank() over (order by {c.sql}, {self.leaf('int', scope)} % ({few()} + 2))", "w1", "big")]
            body = f"select {', '.join(f'{e} as {n}' for e, n, _ in cols)} from {text}{where}"
        elif x < 0.7:
            k = r.choice(["int", "text"])
            other, oscope = self.source(out, most=1)
            cols = [("", "c0", k)]
            op = r.choice(["union", "union all", "except", "except all", "intersect", "intersect all"])
            body = f"select {self.expr(k, both, 1)} as c0 from {text}{where} {op} select {self.expr(k, oscope + out, 1)} from {other}{self.where(oscope + out, 0.5)}"
        elif x < 0.85:
            q, b = self.name(), self.name()
            cols = [(c.sql, f"c{i}", c.type) for i, c in enumerate(picked)]
            inner = f"select {', '.join(f'{e} as {n}' for e, n, _ in cols)} from {text}{where}"
            ccols = [Col(f"{q}.{n}", y) for _, n, y in cols]
            u = r.choice(self.schema.tables)
            ucols = [Col(f"{b}.{n}", y) for n, y in u.columns]
            on = self.mixed(ucols, ccols, out) or self.equality(ucols, ccols) or "true"
            twice = f" union all select {', '.join(n for _, n, _ in cols)} from {q} where {self.cond(ccols + out, 0)}" if r.random() < 0.3 else ""
            body = f"with {q} as {r.choice(['', 'materialized ', 'not materialized '])}({inner}) select {', '.join(f'{q}.{n}' for _, n, _ in cols)} from {q} {r.choice(['join', 'left join'])} {u.name} {b} on {on}{twice}"
        else:
            q = self.name()
            cols = [("", "n", "int"), ("", "v", "int")]
            step = r.choice([f"join {t.name} z on z.id = {q}.v + {few()}", f"left join {t.name} z on z.id = greatest({q}.v, {number()})", ""])
            v = "coalesce(z.id, 0) % 9" if step else f"({q}.v + {few()}) % 7"
            body = f"with recursive {q}(n, v) as (select 0, {few()} union select n + 1, {v} from {q} {step} where n < {few()} + 1) select n, v from {q}"
        kind, end = r.choice([("cross join lateral", ""), ("join lateral", " on true"), ("left join lateral", f" on {self.cond([Col(f'{s}.{n}', y) for _, n, y in cols] + near, 0)}"), ("left join lateral", " on true")])
        shown = [(c.sql, f"o{i}", c.type) for i, c in enumerate(c for c in near if c.type in EXACT)] + [(f"{s}.{n}", f"s{i}", y) for i, (_, n, y) in enumerate(cols)]
        return Query(f"select {', '.join(f'{e} as {n}' for e, n, _ in shown)} from {t.name} {a} {kind} ({body}) {s}{end}", [(n, y) for _, n, y in shown], False)

    def places(self, t, own):
        """A condition on where `own`'s rows are, from a look at the same table."""
        r, b = self.r, self.name()
        inner = [Col(f"{b}.{n}", y) for n, y in t.columns]
        outer = [Col(f"{own}.{n}", y, True) for n, y in t.columns]
        where = f" where {self.cond(inner, 1)}"
        some = f" order by {b}.id limit {r.choice([0, 1, 3])}" if t.key == "id" and r.random() < 0.4 else ""
        look = f"select {b}.ctid from {t.name} {b}{where}{some}"
        return r.choice([
            f"{own}.ctid in ({look})", f"{own}.ctid = any (array({look}))", f"{own}.ctid not in ({look})", f"not ({own}.ctid = any (array({look})))",
            f"exists (select from {t.name} {b} where {b}.ctid = {own}.ctid and {self.cond(inner + outer, 1)})",
            f"not exists (select from {t.name} {b} where {b}.ctid = {own}.ctid and {self.cond(inner, 1)})",
            f"{own}.ctid = (select max({b}.ctid) from {t.name} {b} where {b}.ctid = {own}.ctid and {self.cond(inner, 1)})",
            f"({own}.ctid in ({look}) or {self.cond(outer, 1)})",
            f"({own}.ctid, {own}.id) in (select {b}.ctid, {b}.id from {t.name} {b}{where})",
        ])

    def placed(self, outer, depth):
        """Rows by their place, as jobs, clean-ups and object mappers find them; what a place looks like is shown nowhere."""
        alone = [t for t in self.schema.tables if not t.family]
        if not alone:
            return self.plain(outer, depth)
        r, t, a, b = self.r, self.r.choice(alone), self.name(), self.name()
        cols = [Col(f"{a}.{n}", y) for n, y in t.columns]
        x = r.random()
        text, where, scope = f"{t.name} {a}", [], cols
        if x < 0.5:
            where = [self.places(t, a)]
        elif x < 0.8:
            kind, scope = r.choice(["join", "left join", "full join"]), cols + [Col(f"{b}.{n}", y) for n, y in t.columns]
            right = r.choice([f"{t.name} {b}", f"(select ctid, * from {t.name} where {self.cond([Col(n, y) for n, y in t.columns], 1)}) {b}"])
            text += f" {kind} {right} on {a}.ctid = {b}.ctid" + (f" and ({self.cond(scope, 1)})" if kind != "full join" and r.random() < 0.3 else "")
        else:
            return Query(f"select count(distinct {a}.ctid) as c0, count({a}.ctid) as c1 from {t.name} {a} cross join generate_series(1, 2){self.where(cols, 0.5)}", [("c0", "big"), ("c1", "big")], False)
        if r.random() < 0.5:
            where.append(f"({self.cond(scope, 1)})")
        shown = [(c, f"c{i}") for i, c in enumerate(c for c in scope if c.type in EXACT)]
        if not shown:
            return self.plain(outer, depth)
        end = f" where {' and '.join(where)}" if where else ""
        return Query(f"select {', '.join(f'{c.sql} as {n}' for c, n in shown)} from {text}{end}", [(n, c.type) for c, n in shown], False)

    def renamed(self, outer, depth):
        """A join whose columns get other names, once or twice, under conditions with correlated subqueries: views as applications use them."""
        r = self.r
        text, scope = self.source([], most=2)
        for level in range(r.choice([1, 1, 2])):
            picked = [c for c in r.sample(scope, min(len(scope), r.randint(2, 6))) if c.type in EXACT] or scope[:1]
            a = self.name()
            inner = r.choice([f" order by {picked[0].sql}", "", "", "", " limit 10000000"]) if level == 0 and picked[0].type != "json" else ""
            # Which rows a limit leaves is not said; all of them are no more than it.
            inner = "" if "limit" in inner and " join " in text else inner
            where = self.where(scope, 0.3) if level == 0 else ""
            text = f"(select {', '.join(f'{c.sql} as {a}{i}' for i, c in enumerate(picked))} from {text}{where}{inner}) {a}"
            scope = [Col(f"{a}.{a}{i}", c.type) for i, c in enumerate(picked)]
            conds = [self.asked(scope) for _ in range(r.choice([0, 1, 1, 2]) if level == 0 else r.choice([1, 2]))]
            if conds:
                text += f" where {' and '.join(conds)}" if level or r.random() < 0.5 else f" cross join (values (1)) {a}v where {r.choice([' and ', ' or ']).join(conds)}"
                b = self.name()
                text = f"(select {', '.join(f'{c.sql} as {b}{i}' for i, c in enumerate(scope))} from {text}) {b}"
                scope = [Col(f"{b}.{b}{i}", c.type) for i, c in enumerate(scope)]
        cols = [(f"c{i}", c.type) for i, c in enumerate(scope)]
        return Query(f"select {', '.join(f'{c.sql} as {n}' for c, (n, _) in zip(scope, cols))} from {text}{self.where(scope, 0.4)}", cols, False)

    def asked(self, scope):
        """A condition with a subquery that reads columns of `scope`."""
        r = self.r
        inside = [Col(c.sql, c.type, True) for c in scope]
        x = r.random()
        if x < 0.3:
            return f"({self.subselect(inside, ['count'])}) {r.choice(['>', '=', '<>', '<='])} {r.randint(0, 2)}"
        if x < 0.5:
            return f"{r.choice(['', 'not '])}exists ({self.subselect(inside, None)})"
        c = r.choice(scope)
        t = c.type if c.type in ("int", "text", "date", "big") else "int"
        if x < 0.7 and t == c.type:
            return f"{c.sql} {r.choice(['in', 'in', 'not in'])} ({self.subselect(inside, [t])})"
        if x < 0.85:
            return f"({self.subselect(inside, [('max', 'int')])}) {r.choice(['is not null', 'is null', '> 0', '= ' + self.expr('int', scope, 0)])}"
        return f"case when {self.cond(scope, 1)} then exists ({self.subselect(inside, None)}) else ({self.subselect(inside, ['count'])}) > 0 end"

    def numbered(self, outer, depth):
        """Rows by their number: over all rows, or within each partition, with a condition on what divides them."""
        r = self.r
        text, scope = self.source([], most=1)
        plain = [c for c in scope if c.type in EXACT][:6]
        if not plain:
            return self.plain(outer, depth)
        parts = r.sample(range(len(plain)), min(len(plain), r.choice([0, 0, 1, 1, 2])))
        by = f"partition by {', '.join(plain[i].sql for i in parts)} " if parts else ""
        # Rows that tie in all columns are the same: which of them has which number does not show.
        order = f"order by {', '.join(c.sql + r.choice(['', ' desc', ' nulls first']) for c in r.sample(plain, len(plain)))}"
        calls = [f"{r.choice(['row_number()', 'row_number()', 'rank()', 'dense_rank()'])} over ({by}{order}) as n"]
        if r.random() < 0.4:
            other = f"partition by {', '.join(plain[i].sql for i in parts[:1])}" if parts and r.random() < 0.6 else r.choice(["", order])
            calls.append(f"{r.choice(['count(*)', 'rank()', 'max(' + plain[0].sql + ')' if plain[0].type == 'int' else 'count(*)'])} over ({other}) as m")
        cols = [(f"c{i}", c.type) for i, c in enumerate(plain)] + [("n", "big")]
        conds = [f"n {r.choice(['<', '<=', '<=', '=', '>', '<>'])} {r.randint(-1, 6)}"] if r.random() < 0.8 else []
        inner = [Col(f"v.{n}", t) for n, t in cols[:-1]]
        conds += [f"{inner[i].sql} {r.choice(['=', '=', '<', '<>'])} {self.lit(inner[i].type)}" for i in parts if r.random() < 0.6 and inner[i].type != "bool"]
        if r.random() < 0.3:
            conds.append(self.cond([Col(c.sql, c.type) for c in inner], 1))
        a = self.name()
        where = f" where {' and '.join(conds)}" if conds else ""
        where = where.replace("v.", f"{a}.")
        shown = ", ".join(f"{a}.{n}" for n, _ in cols) + (f", {a}.m" if len(calls) > 1 else "")
        body = f"select {', '.join(f'{c.sql} as c{i}' for i, c in enumerate(plain))}, {', '.join(calls)} from {text}{self.where(scope, 0.3)}"
        if len(calls) > 1 and "max(" in calls[1]:
            cols = cols + [("m", "int")]
        elif len(calls) > 1:
            cols = cols + [("m", "big")]
        return Query(f"select {shown} from ({body}) {a}{where}", cols, False)

    def united(self, outer, depth):
        """The first rows of a view over several tables."""
        r = self.r
        types = [r.choice(["int", "int", "text", "num", "date", "big"]) for _ in range(r.randint(1, 3))]
        parts = []
        for i in range(r.choice([2, 2, 3])):
            text, scope = self.source([], most=0 if r.random() < 0.7 else 1)
            out = self.outputs(scope, len(types), types)
            parts.append(f"select {', '.join(f'{e} as {n}' for e, n, _ in out)}, {i} as side from {text}{self.where(scope, 0.4)}")
        a = self.name()
        sql = parts[0]
        for p in parts[1:]:
            op = "union all" if r.random() < 0.85 else "union"
            sql = f"({sql}) {op} ({p})" if r.random() < 0.5 else f"({p}) {op} {sql}" if r.random() < 0.3 else f"{sql} {op} {p}"
        cols = [(f"c{i}", t) for i, t in enumerate(types)] + [("side", "int")]
        scope = [Col(f"{a}.{n}", t) for n, t in cols]
        where = self.where(scope, 0.5)
        keys = [f"{a}.{n}{r.choice(['', ' desc', ' nulls first', ' desc nulls last'])}" for n, _ in r.sample(cols, len(cols))]
        first = [f"{a}.side % 2"] if r.random() < 0.2 else []
        offset = f" offset {r.randint(0, 5)}" if r.random() < 0.4 else ""
        return Query(f"select {', '.join(c.sql for c in scope)} from ({sql}) {a}{where} order by {', '.join(first + keys)} limit {r.choice([0, 1, 2, 3, 5, 20])}{offset}", cols, True)

    def tied(self, outer, depth):
        """Columns that equal one another and a value, over inner and outer joins; the first rows of them in the order of one relation."""
        r = self.r
        tables = [(self.name(), r.choice(self.schema.tables)) for _ in range(r.choice([2, 3, 3, 4]))]
        scopes = [[Col(f"{a}.{n}", y) for n, y in t.columns] for a, t in tables]
        t = r.choice(["int", "int", "int", "text", "date"])
        of = [[c for c in s if c.type == t] for s in scopes]
        if not all(of):
            return self.plain(outer, depth)
        text, keys = f"{tables[0][1].name} {tables[0][0]}", [r.choice(of[0])]
        for (a, table), mine in list(zip(tables, of))[1:]:
            key = r.choice(mine)
            on = f"{key.sql} = {r.choice(keys).sql}"
            if r.random() < 0.2:
                on += f" and {r.choice(mine).sql} = {r.choice(keys).sql}"
            text += f" {r.choice(['join', 'join', 'join', 'left join', 'right join'])} {table.name} {a} on {on}"
            keys.append(key)
        conds = [f"{r.choice(keys).sql} = {self.lit(t)}"] if r.random() < 0.7 else []
        if r.random() < 0.2:
            conds.append(f"{r.choice(keys).sql} = {self.lit(t)}")
        if r.random() < 0.4:
            conds.append(self.cond([c for s in scopes for c in s], 1))
        if r.random() < 0.2:
            conds.append(f"{'not ' if r.random() < 0.5 else ''}exists ({self.subselect([Col(c.sql, c.type, True) for c in keys], None)})")
        where = f" where {' and '.join(conds)}" if conds else ""
        lead = r.choice(scopes)
        shown = [c for c in lead if c.type in EXACT][:3] + keys
        cols = [(f"c{i}", c.type) for i, c in enumerate(shown)]
        keys = [c.sql + r.choice(["", "", " desc"]) for c in shown]
        end = f" order by {', '.join(dict.fromkeys(keys))} limit {r.choice([1, 2, 5, 20])}" if len({k.split(' ')[0] for k in keys}) == len(keys) and r.random() < 0.7 else ""
        how = "distinct " if r.random() < 0.15 else ""
        return Query(f"select {how}{', '.join(f'{c.sql} as {n}' for c, (n, _) in zip(shown, cols))} from {text}{where}{end}", cols, bool(end))

    def aggregate(self, scope, keys):
        """(expression, type)"""
        r = self.r
        f = f" filter (where {self.cond(scope, 1)})" if r.random() < 0.2 else ""
        x = r.random()
        if x < 0.05 and scope and "." in scope[0].sql and "(" not in scope[0].sql:
            # A whole row: missing where an outer join found none.
            return f"count({r.choice(['', 'distinct ']) if all(c.type != 'json' for c in scope) else ''}{r.choice([c.sql for c in scope if '(' not in c.sql]).split('.')[0]}){f}", "big"
        if x < 0.2:
            return f"count(*){f}", "big"
        t = r.choice([c.type for c in scope if c.type not in ("arr", "json", "avg")] or ["int"])
        if x < 0.3:
            return f"count({r.choice(['', 'distinct '])}{self.expr(t, scope, 1)}){f}", "big"
        if x < 0.5 and t not in ("bool", "uuid", "by", "rng", "co"):
            if t == "ch":
                return f"{r.choice(['min', 'max'])}({self.expr(t, scope, 1)}){f}", "ch"
            return f"{r.choice(['min', 'max'])}({self.expr(t, scope, 1)}){f}", "text" if t == "vc" else t
        if x < 0.7:
            t = r.choice(NUMBERS)
            d = r.choice(["", "", "distinct "])
            return f"sum({d}{self.leaf(t, scope)}){f}", {"int": "big", "small": "big", "big": "avg", "num": "num", "flt": "flt"}[t]
        if x < 0.77:
            t = r.choice(["int", "num", "big"])
            return f"{r.choice(MEANS)}({self.leaf(t, scope)}){f}", "avg"
        if x < 0.85:
            e = self.expr("text", scope, 1)
            return f"string_agg({e}, ',' order by {e}{r.choice(['', ' desc'])}){f}", "text"
        if x < 0.92:
            # An array of a domain is described as one of what it is over.
            e = f"({self.expr('int', scope, 1)})::int4" if self.schema.types else self.expr("int", scope, 1)
            return f"array_agg({r.choice(['', 'distinct '])}{e} order by {e}){f}", "arr"
        return f"{r.choice(['bool_and', 'bool_or', 'every'])}({self.cond(scope, 1)}){f}", "bool"

    def grouped(self, outer, depth):
        r = self.r
        text, scope = self.source(outer)
        both = scope + outer
        keys = []
        plain = [c for c in scope if c.type not in ("arr", "json", "avg")]
        for _ in range(r.choice([0, 1, 1, 1, 2, 3])):
            if plain and r.random() < 0.7:
                c = r.choice(plain)
                keys.append((c.sql, c.type))
            else:
                t = r.choice(["int", "text", "bool"])
                keys.append((self.expr(t, both, 1), t))
        keys = [k for i, k in enumerate(keys) if k[0] not in [x[0] for x in keys[:i]] and any(c.sql in k[0] for c in scope) and "select" not in k[0] and MARK not in k[0]]
        out = [(e, f"k{i}", t) for i, (e, t) in enumerate(keys)]
        for i in range(r.randint(1, 3)):
            e, t = self.aggregate(scope, keys)
            out.append((e, f"g{i}", t))
        group, sets = "", False
        if keys:
            names = [k[0] for k in keys]
            x = r.random()
            sets = x >= 0.75
            if x < 0.75:
                group = " group by " + (", ".join(names) if r.random() < 0.6 else ", ".join(str(i + 1) for i in range(len(names))))
            elif x < 0.83:
                group = f" group by rollup ({', '.join(names)})"
            elif x < 0.9:
                group = f" group by cube ({', '.join(names[:2])})" + "".join(f", {n}" for n in names[2:])
            else:
                group = f" group by grouping sets (({', '.join(names)}), ({names[0]}), ())"
            if sets and r.random() < 0.2:
                # An output column of the same expression is a key of its own.
                out.insert(0, (keys[0][0], "twin", keys[0][1]))
                group = r.choice([" group by rollup (1, 2)", " group by cube (1, 2)", " group by 1, rollup (2)", " group by grouping sets ((1), (2), (1, 2), ())"])
                group += "".join(f", {n}" for n in names[1:])
        having = ""
        if r.random() < 0.25:
            least = f"min({self.leaf('int', scope)}) > 0"
            having = f" having {r.choice(['count(*) > 1', 'count(*) <> 2', least, 'sum(1) is not null'])}"
        cols = [(n, t) for _, n, t in out]
        # PostgreSQL 15 takes a key that equals another by a join for redundant in ORDER BY, though grouping sets make it NULL.
        end, ordered = self.tail(cols) if not sets else ("", False)
        return Query(f"select {', '.join(f'{e} as {n}' for e, n, _ in out)} from {text}{self.where(both)}{group}{having}{end}", cols, ordered)

    def windowed(self, outer, depth):
        r = self.r
        text, scope = self.source(outer)
        both = scope + outer
        plain = [c for c in scope if c.type not in ("arr", "json", "avg")]
        if not plain:
            return self.plain(outer, depth)
        out = self.outputs(both, r.randint(1, 2))
        # A frame by rows needs an order that ties leave alone: all plain columns. One such function a query: which of two equal rows
        # gets which of its values is open, and with it what stands beside another's.
        numbered = False
        for i in range(r.randint(1, 2)):
            part = f"partition by {', '.join(c.sql for c in r.sample(plain, min(len(plain), r.randint(1, 2))))} " if r.random() < 0.6 else ""
            some = ", ".join(c.sql + r.choice(["", " desc", " nulls first"]) for c in r.sample(plain, min(len(plain), 2)))
            x = r.random()
            exact = all(c.type in EXACT for c in both)
            if exact and x < 0.2 and not numbered:
                numbered = True
                # Rows that tie in all columns are the same.
                total = f"order by {', '.join(c.sql + r.choice(['', ' desc']) for c in both)}"
                c = r.choice(both)
                e, t = r.choice([
                    (f"{r.choice(['lag', 'lead'])}({c.sql}{r.choice(['', ', 2', ', 0'])})", c.type), (f"ntile({r.randint(1, 5)})", "int"), ("row_number()", "big"),
                    (f"nth_value({c.sql}, {r.randint(1, 3)})", c.type), (f"count({c.sql})", "big"),
                ])
                frame = r.choice(["", " rows between 1 preceding and 1 following", " rows 2 preceding", " rows between current row and unbounded following exclude current row"])
                e = f"{e} over ({part}{total}{frame})"
            elif x < 0.3:
                e, t = f"{r.choice(['rank', 'dense_rank'])}() over ({part}order by {some})", "big"
            elif x < 0.4:
                e, t = f"{r.choice(['percent_rank', 'cume_dist'])}() over ({part}order by {some})", "flt"
            elif x < 0.8:
                e, t = self.aggregate_over(both)
                frame = r.choice(["", "", " range between unbounded preceding and current row", " groups between 1 preceding and 1 following", " range between current row and unbounded following",
                                  " groups between unbounded preceding and 1 preceding", " range unbounded preceding exclude ties", " groups 2 preceding exclude group"])
                e = f"{e} over ({part}{f'order by {some}' if frame or r.random() < 0.6 else ''}{frame})"
            else:
                # The value comes first in the order, so that rows that tie give the same.
                c = r.choice(plain)
                f = r.choice(["first_value", "last_value"])
                e, t = f"{f}({c.sql}) over ({part}order by {c.sql}{r.choice(['', ' desc'])})", c.type
            out.append((e, f"w{i}", t))
        cols = [(n, t) for _, n, t in out]
        end, ordered = self.tail(cols)
        return Query(f"select {', '.join(f'{e} as {n}' for e, n, _ in out)} from {text}{self.where(both)}{end}", cols, ordered)

    def aggregate_over(self, scope):
        r = self.r
        f = f" filter (where {self.cond(scope, 0)})" if r.random() < 0.15 else ""
        t = r.choice(NUMBERS)
        return r.choice([
            lambda: (f"count(*){f}", "big"),
            lambda: (f"sum({self.leaf(t, scope)}){f}", {"int": "big", "small": "big", "big": "avg", "num": "num", "flt": "flt"}[t]),
            lambda: (f"min({self.leaf('text', scope)}){f}", "text"), lambda: (f"max({self.leaf('int', scope)}){f}", "int"), lambda: (f"{r.choice(MEANS)}({self.leaf(r.choice(['int', 'num']), scope)}){f}", "avg"),
        ])()

    def distinct(self, outer, depth):
        r = self.r
        text, scope = self.source(outer)
        both = scope + outer
        out = [o for o in self.outputs(both) if o[2] != "json"] or [(self.expr("int", both, 1), "c0", "int")]
        cols = [(n, t) for _, n, t in out]
        body = f"{', '.join(f'{e} as {n}' for e, n, _ in out)} from {text}{self.where(both)}"
        if r.random() < 0.5:
            end, ordered = self.tail(cols)
            return Query(f"select distinct {body}{end}", cols, ordered)
        k = r.randint(1, len(out))
        keys = ", ".join(out[i][0] if MARK not in out[i][0] else out[i][1] for i in range(k))
        if any(MARK in out[i][0] or "select" in out[i][0] for i in range(k)) or any(out[i][0].lstrip("-").replace(".", "").isdigit() for i in range(k)):
            return Query(f"select distinct {body}", cols, False)
        rest = ", ".join(str(i + 1) + r.choice(["", " desc", " nulls first"]) for i in range(len(out)))
        return Query(f"select distinct on ({keys}) {body} order by {rest}", cols, True)

    def setop(self, outer, depth):
        r = self.r
        types = [r.choice(["int", "text", "num", "bool", "date", "ch"]) for _ in range(r.randint(1, 3))]
        parts = []
        for _ in range(r.choice([2, 2, 2, 3])):
            text, scope = self.source(outer, most=1)
            both = scope + outer
            out = self.outputs(both, len(types), types)
            parts.append(f"select {', '.join(f'{e} as {n}' for e, n, _ in out)} from {text}{self.where(both)}")
        op = lambda: r.choice(["union", "union all", "intersect", "except", "intersect all", "except all"])
        sql = parts[0]
        for p in parts[1:]:
            sql = f"({sql}) {op()} ({p})" if r.random() < 0.5 else f"{sql} {op()} {p}"
        cols = [(f"c{i}", t) for i, t in enumerate(types)]
        end, ordered = self.tail(cols)
        return Query(sql + end, cols, ordered)

    def with_ctes(self):
        r = self.r
        parts, recursive = [], False
        for i in range(r.randint(1, 2)):
            name = f"q{i}"
            if r.random() < 0.4:
                recursive = True
                body, cols = self.recursive(name)
            else:
                q = self.select(depth=1)
                body, cols = q.sql, q.columns
            how = r.choice(["", "", "materialized ", "not materialized "])
            parts.append(f"{name}({', '.join(n for n, _ in cols)}) as {how}({body})")
            self.ctes.append((name, cols))
        q = self.select(depth=1)
        return Query(f"with {'recursive ' if recursive else ''}{', '.join(parts)} {q.sql}", q.columns, q.ordered)

    def recursive(self, name):
        """A recursion that ends: by a counter, or by UNION over few values."""
        r = self.r
        t = r.choice(self.schema.tables)
        cols = [("n", "int"), ("v", "int")]
        some = self.where([Col(f"{t.name}.{n}", y) for n, y in t.columns], 0.6) if r.random() < 0.7 else ""
        start = f"select {r.randint(0, 1)}, {t.name}.id % 7 from {t.name}{some}" if r.random() < 0.6 else f"select 0, {r.randint(0, 5)}"
        a = self.name()
        u = r.choice(self.schema.tables)
        ucols = [Col(f"{a}.{n}", y) for n, y in u.columns]
        inner = f"{u.name} {a}"
        wcols = [Col("r.n", "int"), Col("r.v", "int")]
        if r.random() < 0.4:
            s, more = self.base()
            e = self.equality(ucols, more)
            if e:
                inner, ucols = f"({inner} {r.choice(['join', 'left join'])} {s} on {e})", ucols + more
        on = self.equality(ucols, wcols) or "true"
        kind = r.choice(["join", "join", "left join"])
        value = f"coalesce({self.leaf('int', ucols)}, {self.leaf('int', wcols)}) % 7"
        if r.random() < 0.3:
            value = f"({self.subselect([Col(c.sql, c.type, True) for c in ucols + wcols], [('agg', 'int')])}) % 7" if self.budget > 0 else value
        order = f"{name} r {kind} {inner} on {on}" if r.random() < 0.6 or kind != "join" else f"{inner} join {name} r on {on}"
        extra = f" and {self.cond(ucols + wcols, 1)}" if r.random() < 0.3 else ""
        extra = extra if name not in extra else ""
        return f"{start} union select r.n + 1, {value} from {order} where r.n < {r.randint(2, 4)}{extra}", cols

    def statement(self):
        return self.with_ctes() if self.r.random() < 0.2 else self.select()


def as_simple(sql, literals):
    """The text with its literals in place."""
    for i, (t, v) in enumerate(literals):
        sql = sql.replace(f"{MARK}{i}{MARK}", constant(t, v))
    return sql


def constant(t, v):
    cast = TYPES[t][0].split("(")[0]
    if v is None:
        return f"null::{cast}"
    if t in ("int", "num") and not v.startswith("-"):
        return v
    return f"{quote(v)}::{cast}"


def as_prepared(sql, literals):
    """The text with $1 ... in the literals' places; parameters as (type, value) in order."""
    used = [i for i in range(len(literals)) if f"{MARK}{i}{MARK}" in sql]
    for n, i in enumerate(used):
        sql = sql.replace(f"{MARK}{i}{MARK}", f"${n + 1}")
    return sql, [literals[i] for i in used]
