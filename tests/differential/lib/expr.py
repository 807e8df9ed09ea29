"""Expressions over columns in scope. None of them can fail for some row: which row a plan meets first is no difference."""
from .schema import NUMBERS, TYPES, WORDS, literal, quote, value

#: Values longer than any index takes, to compare with.
LONG = {"text": "repeat('w1', 1500)", "vc": "repeat('w1', 1500)", "ch": "repeat('w1', 1500)::bpchar", "by": "convert_to(repeat('w1', 1500), 'UTF8')", "json": "to_jsonb(repeat('w1', 1500))"}
#: A literal that may become a parameter stands in the text as MARK + number + MARK.
MARK = "\x01"


class Col:
    __slots__ = ("sql", "type", "outer")

    def __init__(self, sql, type, outer=False):
        self.sql, self.type, self.outer = sql, type, outer


class Exprs:
    """`self.r` is the seed's generator; `self.literals` what was put in."""

    def lit(self, t):
        r = self.r
        if self.parameters and r.random() < 0.5 and t in ("int", "big", "text", "num", "date", "bool", "flt"):
            self.literals.append((t, None if r.random() < 0.04 else value(r, t)))
            return f"{MARK}{len(self.literals) - 1}{MARK}"
        return literal(r, t)

    def col(self, scope, t):
        """A column of the type, or None."""
        have = [c for c in scope if c.type == t]
        return self.r.choice(have).sql if have else None

    def expr(self, t, scope, depth=2):
        r = self.r
        c = self.col(scope, t)
        if t == "avg":
            return c or "null::numeric"
        if c and (depth <= 0 or r.random() < 0.5):
            return c
        if depth <= 0 or r.random() < 0.15:
            return self.lit(t)
        x = r.random()
        if x < 0.12:
            arms = " ".join(f"when {self.cond(scope, depth - 1)} then {self.expr(t, scope, depth - 1)}" for _ in range(r.randint(1, 2)))
            other = f" else {self.expr(t, scope, depth - 1)}" if r.random() < 0.7 else ""
            return f"(case {arms}{other} end)"
        if x < 0.22:
            return f"coalesce({self.expr(t, scope, depth - 1)}, {self.expr(t, scope, depth - 1)})"
        if x < 0.27 and t not in ("json",):
            return f"nullif({self.expr(t, scope, depth - 1)}, {self.expr(t, scope, depth - 1)})"
        if x < 0.32 and t not in ("json", "arr"):
            return f"{r.choice(['greatest', 'least'])}({self.expr(t, scope, depth - 1)}, {self.expr(t, scope, depth - 1)})"
        if x < 0.42 and self.budget > 0:
            return self.scalar_subquery(t, scope)
        return self.operator(t, scope, depth)

    def operator(self, t, scope, depth):
        r = self.r
        e = lambda t: self.expr(t, scope, depth - 1)
        fit = [f for f in self.schema.functions if f.ret == t]
        if fit and r.random() < 0.25:
            f = r.choice(fit)
            return f"{f.name}({', '.join(e(a) for a in f.args)})"
        if self.schema.types and t in ("int", "text", "bool") and r.random() < 0.15:
            return {"int": lambda: r.choice([f"coalesce(lower({e('rng')}), 0)", f"({e('co')}).x"]), "text": lambda: r.choice([f"({e('en')}::text)", f"({e('co')}).y", f"({e('rng')}::text)"]),
                    "bool": lambda: r.choice([f"isempty({e('rng')})", f"({e('rng')} && {e('rng')})", f"({e('rng')} @> ({e('int')})::int4)", f"({e('en')} = any (enum_range({e('en')}, 'happy')))"])}[t]()
        if t == "int":
            return r.choice([
                lambda: f"({e('int')} % {r.choice([2, 3, 5])})", lambda: f"({self.leaf('int', scope)} + {self.leaf('int', scope)})",
                lambda: f"({self.leaf('int', scope)} * {r.choice([-1, 2, 3])})", lambda: f"length({e('text')})", lambda: f"({self.leaf('int', scope)} / 2)",
                lambda: f"abs({self.leaf('int', scope)})", lambda: f"coalesce(array_length({e('arr')}, 1), 0)", lambda: f"(extract(day from {e('date')}))::int",
                lambda: f"({e('date')} - {e('date')})", lambda: f"({self.leaf('small', scope)})::int4", lambda: f"strpos({e('text')}, {e('text')})",
            ])()
        if t == "big":
            return r.choice([lambda: f"({e('int')}::int8)", lambda: f"({self.leaf('big', scope)} + {self.leaf('int', scope)})", lambda: f"({self.leaf('big', scope)} % 3)"])()
        if t == "num":
            return r.choice([
                lambda: f"round({e('num')}, {r.randint(0, 1)})::numeric(12,2)", lambda: f"({self.leaf('num', scope)} + {self.leaf('num', scope)})",
                lambda: f"({e('int')}::numeric(12,2))", lambda: f"({self.leaf('num', scope)} * {self.leaf('int', scope)})", lambda: f"trunc({e('num')})::numeric(12,2)",
            ])()
        if t == "flt":
            return r.choice([lambda: f"({self.leaf('flt', scope)} * 2)", lambda: f"({e('int')}::float8)", lambda: f"floor({e('flt')})"])()
        if t == "text":
            return r.choice([
                lambda: f"lower({e('text')})", lambda: f"upper({e('text')})", lambda: f"({self.leaf('text', scope)} || {self.leaf('text', scope)})",
                lambda: f"substr({e('text')}, {r.randint(1, 2)}, {r.randint(0, 3)})", lambda: f"({e('int')}::text)", lambda: f"({e('vc')}::text)",
                lambda: f"replace({e('text')}, 'a', 'q')", lambda: f"left({e('text')}, {r.randint(-1, 2)})", lambda: f"({e('ch')}::text)", lambda: f"({e('bool')}::text)",
                lambda: f"concat({e('text')}, {e('int')})", lambda: f"({e('json')} ->> 'k')", lambda: f"to_char({e('date')}, 'YYYY-MM')", lambda: f"reverse({e('text')})",
            ])()
        if t == "vc":
            return f"({self.leaf('text', scope)}::varchar(8))"
        if t == "ch":
            return f"({self.leaf('text', scope)}::char(3))"
        if t == "bool":
            return f"({self.cond(scope, depth - 1)})"
        if t == "date":
            return r.choice([lambda: f"({e('date')} + {r.randint(-2, 3)})", lambda: f"({e('ts')}::date)"])()
        if t == "ts":
            return r.choice([lambda: f"({e('date')}::timestamp)", lambda: f"date_trunc('day', {e('ts')})", lambda: f"({e('ts')} + interval '1 hour')"])()
        if t == "tz":
            return f"({e('ts')} at time zone 'UTC')"
        if t == "iv":
            return r.choice([lambda: f"({e('date')}::timestamp - {e('date')}::timestamp)", lambda: f"(-{self.leaf('iv', scope)})"])()
        if t == "tm":
            return f"({e('ts')}::time)"
        if t == "by":
            return r.choice([lambda: f"({self.leaf('by', scope)} || {self.leaf('by', scope)})", lambda: f"convert_to({e('text')}, 'UTF8')"])()
        if t == "real":
            return f"({e('int')}::float4)"
        if t == "oid":
            return f"(abs({self.leaf('int', scope)})::oid)"
        if t == "small":
            return f"(({self.leaf('int', scope)} % 100)::int2)"
        if t == "arr":
            return r.choice([lambda: f"({self.leaf('arr', scope)} || {e('int')})", lambda: f"array[{e('int')}, {e('int')}::int4]", lambda: f"array_remove({e('arr')}, 1)"])()
        if t == "json":
            return r.choice([lambda: f"to_jsonb({e('int')})", lambda: f"jsonb_build_object('k', {e('int')}, 't', {e('text')})", lambda: f"({e('json')} -> 'k')"])()
        if t == "rng":
            return r.choice([lambda: f"({self.leaf('rng', scope)} * {self.leaf('rng', scope)})", lambda: f"int4range({r.randint(0, 2)}, {r.randint(2, 5)})"])()
        if t == "co":
            return f"row({e('int')}, {e('text')})::pair"
        return self.lit(t)

    def leaf(self, t, scope):
        """A column or a literal: operands that must stay small."""
        c = self.col(scope, t)
        return c if c and self.r.random() < 0.8 else self.lit(t)

    def cond(self, scope, depth=2):
        r = self.r
        x = r.random()
        if depth > 0 and x < 0.30:
            op = r.choice([" and ", " or "])
            return "(" + op.join(self.cond(scope, depth - 1) for _ in range(r.randint(2, 3))) + ")"
        if depth > 0 and x < 0.36:
            return f"not ({self.cond(scope, depth - 1)})"
        if x < 0.52 and self.budget > 0 and depth > 0:
            return self.subquery_cond(scope, depth)
        document = self.col(scope, "json")
        if document and r.random() < 0.25:
            return self.document_cond(document)
        array, span = self.col(scope, "arr"), self.col(scope, "rng")
        if array and r.random() < 0.15:
            other = r.choice([self.lit("arr"), self.expr("arr", scope, 0), "'{}'::int4[]"])
            return r.choice([f"{array} {r.choice(['@>', '<@', '&&', '&&', '='])} {other}", f"{other} {r.choice(['@>', '<@', '&&'])} {array}", f"{self.lit('int')} = any ({array})"])
        if span and r.random() < 0.15:
            other = r.choice([self.lit("rng"), self.expr("rng", scope, 0)])
            return r.choice([f"{span} {r.choice(['@>', '<@', '&&', '&&'])} {other}", f"{other} {r.choice(['@>', '<@'])} {span}", f"{span} @> ({self.expr('int', scope, 0)})::int4"])
        own = [c for c in scope if not c.outer and c.type not in ("arr", "json", "avg")] or [c for c in scope if c.type not in ("arr", "json", "avg")]
        if not own:
            return r.choice(["true", f"{self.lit('int')} < {self.lit('int')}", "null::bool is null"])
        c = r.choice(own)
        t = c.type
        e = lambda: self.expr(t, scope, max(0, depth - 1))
        x = r.random()
        if t in LONG and r.random() < 0.04:
            long = LONG[t]
            return f"{c.sql} " + r.choice([f"{r.choice(['=', '<', '<=', '>', '>='])} {long}", f"in ({long}, {self.lit(t)})", f"between {self.lit(t)} and {long}"])
        if x < 0.40:
            return f"{c.sql} {r.choice(['=', '=', '=', '<', '<=', '>', '>=', '<>'])} {e()}"
        if x < 0.50:
            return f"{c.sql} is {r.choice(['', 'not '])}null"
        if x < 0.60:
            items = ", ".join("null" if r.random() < 0.06 else self.lit(t) for _ in range(r.randint(1, 5) if r.random() < 0.8 else r.randint(9, 14)))
            return f"{c.sql} {r.choice(['', '', 'not '])}in ({items})"
        if x < 0.70:
            return f"{c.sql} {r.choice(['', 'not '])}between {self.lit(t)} and {self.lit(t)}"
        if x < 0.74:
            return f"{c.sql} is {r.choice(['', 'not '])}distinct from {e()}"
        if x < 0.80:
            s = self.col(scope, "text") or self.col(scope, "vc")
            if s:
                p = r.choice(["a%", "%b", "_b%", "ab", "%", "a\\%", "w1%", "%é%", ""])
                pattern = quote(p)
                if self.parameters and r.random() < 0.5:
                    self.literals.append(("text", p))
                    pattern = f"{MARK}{len(self.literals) - 1}{MARK}"
                return f"{s} {r.choice(['', 'not '])}{r.choice(['like', 'like', 'ilike'])} {pattern}"
        if x < 0.87:
            d = r.choice(own)
            op = r.choice(["=", "<", ">", "<=", ">=", "<>"])
            return f"({c.sql}, {d.sql}) {op} ({self.expr(t, scope, 0)}, {self.expr(d.type, scope, 0)})"
        if x < 0.91:
            d = r.choice(own)
            items = ", ".join(f"({self.lit(t)}, {self.lit(d.type)})" for _ in range(r.randint(1, 4)))
            return f"({c.sql}, {d.sql}) {r.choice(['', '', 'not '])}in ({items})"
        if x < 0.95:
            items = ", ".join(self.lit("int") for _ in range(r.randint(0, 3)))
            return f"{self.expr('int', scope, 0)} {r.choice(['= any', '<> all', '< any', '>= all'])} (array[{items}]::int4[])"
        a = self.col(scope, "arr")
        if a:
            return r.choice([f"{a} @> array[1]", f"{a} && array[2, 3]", f"{a} = {self.lit('arr')}", f"2 = any({a})"])
        b = self.col(scope, "bool")
        if b:
            return f"{b} is {r.choice(['', 'not '])}{r.choice(['true', 'false', 'unknown'])}"
        return f"{c.sql} = {self.lit(t)} or {c.sql} = {self.lit(t)}"

    def document_cond(self, j):
        """What is asked of jsonb columns."""
        r = self.r
        key = quote(r.choice(["k", "t", "n", "kk", ""]))
        text = quote(r.choice(["w1", "w3", "1", "2.50", "true", ""]))
        part = r.choice(['{"k": 1}', '{"t": "w1"}', '{"k": 2, "t": "w2"}', '{"n": null}', '{"b": true}', '{"d": {"k": 1}}', "{}", "1", "[]", '"w1"', '{"k": 1.0}'])
        return r.choice([
            f"{j} ? {key}",
            f"{j} @> '{part}'",
            f"{j} ->> {key} {r.choice(['=', '<>', '<', '>='])} {text}",
            f"{j} ->> {key} {r.choice(['', 'not '])}in ({text}, 'w2', {r.choice(['null', quote('3')])})",
            f"{j} ->> {key} is {r.choice(['', 'not '])}null",
            f"{j} -> {key} = '{part}'",
        ])

    def subquery_cond(self, scope, depth):
        r = self.r
        x = r.random()
        outer = [Col(c.sql, c.type, True) for c in scope]
        if x < 0.45:
            body = self.subselect(outer, None)
            return f"{r.choice(['', 'not '])}exists ({body})"
        own = [c for c in scope if c.type not in ("arr", "json", "avg")]
        if not own:
            return "true"
        c = r.choice(own)
        if x < 0.8:
            return f"{c.sql} {r.choice(['', '', 'not '])}in ({self.subselect(outer, [c.type])})"
        if x < 0.9:
            d = r.choice(own)
            return f"({c.sql}, {d.sql}) {r.choice(['', 'not '])}in ({self.subselect(outer, [c.type, d.type])})"
        if x < 0.96:
            # Rows by every operator, beside any, all and the one row of a subquery.
            d = r.choice(own)
            how = r.choice(["any ", "all ", "any ", ""])
            return f"({c.sql}, {d.sql}) {r.choice(['=', '<>', '<', '<=', '>', '>='])} {how}({self.subselect(outer, [c.type, d.type], one=not how)})"
        return f"{c.sql} {r.choice(['=', '<', '>=', '<>'])} {r.choice(['any', 'all'])} ({self.subselect(outer, [c.type])})"

    def scalar_subquery(self, t, scope):
        r = self.r
        outer = [Col(c.sql, c.type, True) for c in scope]
        if t == "big" and r.random() < 0.7:
            return f"({self.subselect(outer, ['count'])})"
        if t in ("int", "num", "text", "date", "flt", "ts", "vc", "big", "iv", "tm", "real", "oid") and r.random() < 0.7:
            return f"({self.subselect(outer, [('agg', t)])})"
        return f"({self.subselect(outer, [t], one=True)})"


__all__ = ["Col", "Exprs", "MARK", "NUMBERS", "TYPES", "WORDS"]
