"""Tables from a seed: columns of many types, few distinct values so that joins meet, several physical designs."""

# type: (SQL, oid)
TYPES = {
    "int": ("int4", 23), "big": ("int8", 20), "small": ("int2", 21), "num": ("numeric(8,2)", 1700), "text": ("text", 25), "vc": ("varchar(8)", 1043),
    "ch": ("char(3)", 1042), "bool": ("bool", 16), "date": ("date", 1082), "ts": ("timestamp", 1114), "tz": ("timestamptz", 1184), "flt": ("float8", 701),
    "uuid": ("uuid", 2950), "iv": ("interval", 1186), "tm": ("time", 1083), "by": ("bytea", 17), "real": ("float4", 700), "oid": ("oid", 26), "arr": ("int4[]", 1007), "json": ("jsonb", 3802),
    "en": ("mood", 0), "rng": ("int4range", 3904), "co": ("pair", 0),
}
#: Columns of domains: as what they are over, for expressions.
DOMAINS = {"di": "int", "dt": "text"}
#: Types that other clauses may group, sort and compare by freely.
PLAIN = ["int", "int", "int", "big", "small", "num", "text", "text", "vc", "ch", "bool", "date", "ts", "tz", "flt", "uuid", "iv", "tm", "by", "real", "oid"]
NUMBERS = ["int", "big", "small", "num", "flt"]
WORDS = ["a", "b", "ab", "abc", "B", "", "a%", "x_y", "zz", "é"]


def quote(s):
    return "'" + s.replace("'", "''") + "'"


def value(r, t, wide=False):
    """A value of type `t` as text, without quotes."""
    n = 40 if wide else 6
    if t in ("int", "big", "small"):
        return str(r.randint(-2, n))
    if t == "num":
        return r.choice(["0.00", "1.50", "-2.25", "3.00", "10.10", f"{r.randint(0, n)}.{r.randint(0, 3) * 25:02d}"])
    if t == "flt":
        return repr(r.randint(-4, n) / 4)
    if t in ("text", "vc"):
        return r.choice(WORDS) if r.random() < 0.7 else f"w{r.randint(0, n)}"
    if t == "ch":
        return r.choice(["a", "ab", "abc", "b", ""])
    if t == "bool":
        return r.choice(["t", "f"])
    if t == "date":
        return f"2024-0{r.randint(1, 3)}-1{r.randint(0, 3)}"
    if t in ("ts", "tz"):
        return f"2024-0{r.randint(1, 3)}-1{r.randint(0, 3)} 0{r.randint(0, 3)}:00:00" + ("+00" if t == "tz" else "")
    if t == "uuid":
        return f"00000000-0000-0000-0000-00000000000{r.randint(0, 6)}"
    if t == "iv":
        # None that are equal and written otherwise.
        return r.choice(["1 day", "2 days", "-1 day", "03:00:00", "00:00:00", "1 year", "5 days 01:30:00", f"{r.randint(0, n)} hours"])
    if t == "tm":
        return f"0{r.randint(0, 3)}:{r.choice(['00', '30'])}:00"
    if t == "by":
        return r.choice(["\\x", "\\x00", "\\x0001", "\\xff", f"\\x0{r.randint(0, 9)}"])
    if t == "real":
        return repr(r.randint(-4, n) / 4)
    if t == "oid":
        return str(r.randint(0, n))
    if t == "arr":
        return "{" + ",".join("NULL" if r.random() < 0.1 else str(r.randint(0, 5)) for _ in range(r.randint(0, 4))) + "}"
    if t == "en":
        return r.choice(["sad", "ok", "happy", "zed"])
    if t == "rng":
        low = r.randint(-1, 4)
        return r.choice(["empty", f"[{low},{low + r.randint(0, 3)}]", f"[{low},{low + r.randint(1, 4)})", f"({low},)", f"(,{low})", "(,)"])
    if t == "co":
        return r.choice([f"({r.randint(-1, 3)},{r.choice(['a', 'b', 'ab'])})", f"({r.randint(0, 2)},)", "(,)", "(,b)"])
    if t == "json":
        return r.choice(['{"k": 1}', '{"k": "a", "n": [1, 2]}', "[1, 2, 3]", "null", '"s"', '{"k": {"m": null}}', "7", '{"k": 2.50, "t": "w1"}', '{"t": null, "n": null}', '{"k": true, "kk": "w1", "t": "w3"}', '{"": "w1"}', "{}", "[]", '["k"]'])
    raise ValueError(t)


def literal(r, t, wide=False):
    v = value(r, t, wide)
    if t in ("int", "num"):
        return v
    if t in ("text",):
        return quote(v)
    return f"{quote(v)}::{TYPES[t][0]}"


#: Codes of types of users' own: how often a column has one.
OWN = ["en", "en", "rng", "co", "di", "dt"]


class Types:
    """An enum, a composite type, domains over an integer and a text; ranges are built in."""

    def __init__(self, r):
        self.low = r.choice([-1000, -1000, -2])
        self.statements = [
            "create type mood as enum ('sad', 'ok', 'happy', 'zed')",
            "create type pair as (x int, y text)",
            f"create domain di as int check (value >= {self.low})",
            "create domain dt as text" + r.choice(["", " check (value <> 'qq')", " check (length(value) < 40)"]),
        ]


class Table:
    def __init__(self, name, columns, keys):
        self.name, self.columns, self.keys = name, columns, keys
        self.ddl, self.indexes, self.rows, self.bulk = "", [], [], None
        # Others inherit from it: PostgreSQL numbers places in each of them anew, so a ctid is that of several rows of a family.
        self.family = False
        # A partitioned table.
        self.divided = False

    def statements(self):
        """DDL and data, one statement each."""
        out = [self.ddl]
        for i in range(0, len(self.rows), 200):
            out.append(f"insert into {self.name} values " + ", ".join(self.rows[i : i + 200]))
        if self.bulk:
            out.append(self.bulk)
        return out + self.indexes


class Schema:
    def __init__(self, r, size=None):
        self.tables, self.types, self.functions, self.views = [], None, [], []
        if r.random() < 0.35:
            self.types = Types(r)
        # Temporary tables, beside others or alone.
        self.temporary = r.random() < 0.25
        # Three-way joins without a condition must end in time: one large table at most.
        x, n = r.random(), r.randint(2, 4)
        sizes = [r.choice([0, 1, 3, 6, 10, 10] if x < 0.6 else [1, 10, 20, 40] if x < 0.85 else [0, 3, 10]) for _ in range(n)]
        if x >= 0.85:
            sizes[r.randrange(n)] = r.choice([300, 1000])
        for i, s in enumerate(sizes):
            self.tables.append(self.table(r, f"t{i}", s if size is None else size))

    def table(self, r, name, size):
        columns, used, domains = [("id", "int")], set(), {}
        for c in "abcde"[: r.randint(2, 5)]:
            # The same letter has the same type more often than not: for NATURAL and USING.
            t = {"a": "int", "b": r.choice(["int", "text"])}.get(c) if r.random() < 0.6 else None
            t = t or r.choice(PLAIN + ["arr", "json"])
            if self.types and r.random() < 0.3:
                t = r.choice(OWN)
            domains[c] = t if t in DOMAINS else None
            columns.append((c, DOMAINS.get(t, t)))
            used.add(c)
        not_null = {c for c, _ in columns if r.random() < 0.2}
        keyed = r.random() < 0.75
        t = Table(name, columns, keyed)
        # A child's column has the parent's type, not what a domain is over.
        t.plain_a = ("a", "int") in columns and not domains.get("a")
        parts = []
        for c, ty in columns:
            parts.append(f"{c} {domains.get(c) or TYPES[ty][0]}" + (" not null" if c in not_null and c != "id" else ""))
        if keyed:
            key = r.choice(["id", "id", "id", "id, a"]) if any(c == "a" and y == "int" for c, y in columns) else "id"
            t.key = key
            if "a" in key:
                not_null.add("a")
            parts.append(f"primary key ({key})")
        else:
            t.key = None
        temporary = "temporary " if self.temporary and r.random() < 0.6 else ""
        t.ddl = f"create {temporary}table {name} ({', '.join(parts)})"
        if r.random() < 0.25:
            t.family = t.divided = True
            t.ddl = self.divided(r, t, parts, temporary)
        n = size
        nullable = r.choice([0.05, 0.2, 0.4])
        wide = n > 40
        if n > 5000:
            t.bulk = self.bulk(r, t, n, not_null)
        else:
            for i in range(n):
                vals = [str(i if keyed else r.randint(0, max(1, n // 2)))]
                for c, ty in columns[1:]:
                    if c not in not_null and r.random() < nullable:
                        vals.append("null")
                    else:
                        vals.append(quote(value(r, ty, wide)) if ty not in ("int", "num") else value(r, ty, wide))
                t.rows.append("(" + ", ".join(vals) + ")")
        sortable = [c for c, y in columns if y not in ("arr", "json", "co")]
        for k in range(r.choice([0, 0, 1, 2, 4])):
            cs = r.sample(sortable, min(len(sortable), r.randint(1, 3)))
            keys = ", ".join(c + r.choice(["", "", " desc", " desc nulls last", " nulls first"]) for c in cs)
            form = r.random()
            if form < 0.15:
                texts = [c for c, y in columns if y in ("text", "vc")]
                ints = [c for c, y in columns if y in ("int", "big")]
                keys = f"(lower({r.choice(texts)}))" if texts and r.random() < 0.5 else f"(({r.choice(ints)} % 3))"
            where = ""
            if r.random() < 0.2:
                c = r.choice(["id"] + [c for c, y in columns if y == "int"])
                where = f" where {c} " + r.choice(["> 2", "is not null", "< 4", "= 1"])
            include = ""
            rest = [c for c in sortable if c not in cs]
            if rest and form > 0.85:
                include = f" include ({r.choice(rest)})"
            # Built after the rows, beside nobody: by another way than the others.
            beside = "" if t.divided or temporary or r.random() > 0.15 else "concurrently "
            t.indexes.append(f"create index {beside}{name}_{k} on {name} ({keys}){include}{where}")
            if beside and r.random() < 0.3:
                t.indexes.append(f"reindex index concurrently {name}_{k}")
        # Inverted ones: several entries a row, and what they find is tested again.
        kinds = {"arr": ("gin", ""), "json": ("gin", r.choice(["", " jsonb_path_ops"])), "rng": ("gist", "")}
        for k, (c, y) in enumerate(columns):
            method, ops = kinds.get(y, ("brin", ""))
            if r.random() < (0.5 if y in kinds else 0.03) and y not in ("co", "en", "bool", "di", "dt"):
                t.indexes.append(f"create index {name}_i{k} on {name} using {method} ({c}{ops})")
        if n <= 50 and not t.divided and r.random() < 0.2:
            t.family = True
            t.indexes.extend(self.children(r, t, not_null, temporary))
        if r.random() < 0.6:
            t.indexes.append(f"analyze {name}")
        return t

    def divided(self, r, t, parts, temporary):
        """The statements, in one message, that make a partitioned table and its partitions: a key's columns are among those of the table's."""
        kinds, keys = dict(t.columns), t.key.split(", ") if t.key else []
        free = [c for c, y in t.columns if y not in ("arr", "json", "co", "by", "oid", "iv")]
        scheme, bounds = self.scheme(r, kinds, keys or free)
        out = [t.ddl + " partition by " + scheme]
        for k, bound in enumerate(bounds):
            name = f"{t.name}_p{k}"
            x = r.random()
            if x < 0.25:
                # Columns at other places, one of which is gone.
                set_ = lambda p: p + " not null" if p.split(" ")[0] in keys and "not null" not in p else p
                own = [set_(p) for p in parts if not p.startswith("primary key")]
                r.shuffle(own)
                out.append(f"create {temporary}table {name} (gone int, {', '.join(own)})")
                out += [f"alter table {name} drop column gone", f"alter table {t.name} attach partition {name} {bound}"]
            elif x < 0.4:
                scheme, below = self.scheme(r, kinds, keys or free)
                out.append(f"create {temporary}table {name} partition of {t.name} {bound} partition by {scheme}")
                out += [f"create {temporary}table {name}_{j} partition of {name} {b}" for j, b in enumerate(below)]
            else:
                out.append(f"create {temporary}table {name} partition of {t.name} {bound}")
        return "; ".join(out)

    @staticmethod
    def scheme(r, kinds, columns):
        """How rows are divided, and the bounds of the partitions: most take every row, some do not."""
        c = r.choice(columns)
        y, other = kinds[c], ["default"] if r.random() < 0.9 else []
        number = y in ("int", "big", "small", "num", "flt")
        const = lambda: value(r, y) if number else quote(value(r, y))
        x = r.random()
        if x < 0.3 and y not in ("rng", "en"):
            n = r.choice([1, 2, 3, 5])
            return f"hash ({c})", [f"for values with (modulus {n}, remainder {i})" for i in range(n)]
        if x < 0.6 and y != "rng":
            all = r.sample(sorted({const() for _ in range(9)} - ({"''"} if y == "ch" else set())) + ["null"], 2)
            if y == "bool" or r.random() < 0.5:
                return f"list ({c})", [f"for values in ({v})" for v in all] + other
            return f"list ({c})", [f"for values in ({', '.join(all)})"] + other
        if number or x < 0.7 and c == "id":
            cuts = sorted(r.sample([-1, 0, 1, 2, 3, 5, 8, 20, 300, 5004, 10003], r.randint(1, 4)))
            more = [b for b in columns if kinds[b] == "int" and b != c] if r.random() < 0.3 else []
            tail = f", {r.choice(['minvalue', '2'])}" if more else ""
            ends = ["minvalue" + (", minvalue" if more else "")] + [f"{v}{tail}" for v in cuts] + ["maxvalue" + (", maxvalue" if more else "")]
            spans = [f"for values from ({a}) to ({b})" for a, b in zip(ends, ends[1:])]
            if other and r.random() < 0.5:
                spans.pop(r.randrange(len(spans)))
            # A NULL is in the default one.
            return f"range ({', '.join([c] + more[:1])})", spans + other
        cut = const()
        return f"range ({c})", [f"for values from (minvalue) to ({cut})", f"for values from ({cut}) to (maxvalue)"] + other

    def children(self, r, t, not_null, temporary):
        """Tables that inherit from it, one from another at times; their ids are none of its own where those are unique."""
        out, parent = [], t.name
        for k in range(r.choice([1, 1, 2, 3])):
            name = f"{t.name}_h{k}"
            own = r.choice(["", "x int", "x int default 7", "primary key (id)" if t.keys else "", "a int default 1" if t.plain_a and "a" not in not_null else ""])
            out.append(f"create {temporary}table {name} ({own}) inherits ({parent})")
            rows = []
            for i in range(r.choice([0, 1, 3, 10])):
                vals = [str(1000 * (k + 1) + i if t.keys else r.randint(0, 10))]
                for c, ty in t.columns[1:]:
                    null = c not in not_null and r.random() < 0.2
                    vals.append("null" if null else value(r, ty) if ty in ("int", "num") else quote(value(r, ty)))
                rows.append("(" + ", ".join(vals) + ")")
            if rows:
                out.append(f"insert into {name} ({', '.join(c for c, _ in t.columns)}) values {', '.join(rows)}")
            if r.random() < 0.4:
                out.append(f"create index on {name} ({r.choice([c for c, y in t.columns if y not in ('arr', 'json', 'co')])})")
            parent = r.choice([t.name, t.name, name])
        return out

    def bulk(self, r, t, n, not_null):
        """A large table, made by the servers from formulas that give both the same."""
        cols = []
        for c, y in t.columns:
            m = r.choice([7, 100, 1000, n])
            h = f"((g * {r.choice([7, 13, 7919])}::int8 + {r.randint(0, 50)}) % {m})"
            e = {
                "int": f"{h}::int4", "big": h, "small": f"({h} % 1000)::int2", "num": f"({h} / 4.0)::numeric(8,2)", "flt": f"{h}::float8 / 4",
                "text": f"'w' || {h}", "vc": f"'w' || {h} % 10000", "ch": f"chr(97 + ({h} % 20)::int)", "bool": f"{h} % 2 = 0",
                "date": f"date '2024-01-01' + ({h} % 400)::int", "ts": f"timestamp '2024-01-01' + {h} * interval '1 hour'",
                "tz": f"timestamptz '2024-01-01 00:00+00' + {h} * interval '1 hour'", "uuid": f"('00000000-0000-0000-0000-' || lpad({h}::text, 12, '0'))::uuid",
                "arr": f"array[({h} % 5)::int, ({h} % 3)::int]", "en": f"(enum_range(null::mood))[1 + {h} % 4]", "rng": f"int4range({h}::int, {h}::int + 3)", "co": f"row({h}::int, 'w' || {h})::pair", "json": r.choice([f"to_jsonb({h} % 10)", f"jsonb_build_object('k', {h} % 10, 't', 'w' || {h} % 5)", f"jsonb_build_object('t', case when g % 4 > 0 then 'w' || {h} % 3 end, 'n', null, 'd', jsonb_build_object('k', {h} % 2))"]),
            }[y]
            if c == "id":
                e = "g" if t.keys else f"{h}::int4"
            elif c not in not_null:
                e = f"case when g % {r.choice([3, 11, 50])} > 0 then {e} end"
            cols.append(e)
        return f"insert into {t.name} select {', '.join(cols)} from generate_series(1, {n}) g"

    def parts(self):
        """What is there before the objects, a piece each, as shrink.py takes it."""
        before = [{"name": s.split(" ")[2], "ddl": s, "rows": [], "bulk": None, "after": []} for s in (self.types.statements if self.types else [])]
        return before + [{"name": t.name, "ddl": t.ddl, "rows": t.rows, "bulk": t.bulk, "after": t.indexes} for t in self.tables]

    def statements(self):
        return (self.types.statements if self.types else []) + [s for t in self.tables for s in t.statements()]
