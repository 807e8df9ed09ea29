"""Makes a script that shows a difference shorter: steps, rows, indexes, then parts of the statement, as long as the difference stays."""
import re
import time

from .wire import Lost, run_both

TOKEN = re.compile(r"'(?:[^']|'')*'|[A-Za-z_0-9.$]+|<=|>=|<>|\|\||::|->>|->|@>|&&|\s+|.", re.S)


class Shrinker:
    """`check(setup, switches, steps)`: the difference in class `wanted` is there."""

    def __init__(self, check, seconds=60):
        self.check, self.end = check, time.time() + seconds

    def over(self):
        return time.time() > self.end

    def holds(self, *case):
        if not all(sure(s) for s in case[-1]):
            return False
        try:
            return self.check(*case)
        except Lost:
            return False

    def halves(self, items, test):
        """The shortest part of `items` found for which `test` holds (delta debugging)."""
        n = 2
        while len(items) >= 1 and not self.over():
            size = max(1, len(items) // n)
            for i in range(0, len(items), size):
                less = items[:i] + items[i + size :]
                if test(less):
                    items, n = less, max(2, n - 1)
                    break
                if self.over():
                    break
            else:
                if size == 1:
                    break
                n *= 2
        return items

    def run(self, tables, switches, steps):
        """`tables`: dicts with ddl, rows, bulk, after (indexes). Everything shorter."""
        tables = [dict(t) for t in tables]
        build = lambda ts: [s for t in ts for s in statements(t)]
        steps = self.halves(steps, lambda s: s and self.holds(build(tables), switches, s))
        used = [t for t in tables if any(t["name"] in s for s in steps)]
        if self.holds(build(used), switches, steps):
            tables = used
        switches = self.halves(switches, lambda s: self.holds(build(tables), s, steps))
        for t in tables:
            def with_(key, v):
                old, t[key] = t[key], v
                if self.holds(build(tables), switches, steps):
                    return True
                t[key] = old
                return False

            self.halves(t["after"], lambda v: with_("after", v))
            self.halves(t["rows"], lambda v: with_("rows", v))
        for i in range(len(steps)):
            steps[i] = self.text(steps[i], lambda s: self.holds(build(tables), switches, steps[:i] + [s] + steps[i + 1 :]))
        for t in tables:
            self.halves(t["rows"], lambda v: with_rows(t, v, lambda: self.holds(build(tables), switches, steps)))
        return build(tables), switches, steps

    def text(self, sql, test):
        """Deletes runs of tokens and puts constants for groups in parentheses, from large to small."""
        again = True
        while again and not self.over():
            again = False
            tokens = TOKEN.findall(sql)
            for start, end in groups(tokens):
                for by in (["null"], ["1"], ["true"], []):
                    if end - start <= 2 and by:
                        continue
                    s = "".join(tokens[:start] + by + tokens[end:])
                    if len(s) < len(sql) and test(s):
                        sql, again = s, True
                        break
                if again or self.over():
                    break
            if again:
                continue
            size = min(64, len(tokens))
            while size >= 1 and not self.over():
                i = 0
                while i + size <= len(tokens) and not self.over():
                    piece = tokens[i : i + size]
                    s = "".join(tokens[:i] + tokens[i + size :])
                    if piece.count("(") == piece.count(")") and not all(t.isspace() for t in piece) and test(s):
                        tokens, sql, again = tokens[:i] + tokens[i + size :], s, True
                    else:
                        i += 1
                size //= 2
        return re.sub(r"\s+", " ", sql) if test(re.sub(r"\s+", " ", sql)) else sql


def sure(sql):
    """Is there still an order for everything whose result depends on one?"""
    return sql.count("order by") >= len(re.findall(r"string_agg|array_agg|\blimit\b|\bfetch\b|distinct on|first_value|last_value", sql))


def with_rows(t, v, test):
    old, t["rows"] = t["rows"], v
    if test():
        return True
    t["rows"] = old
    return False


def groups(tokens):
    """Places of balanced parentheses, the longest first."""
    stack, out = [], []
    for i, t in enumerate(tokens):
        if t == "(":
            stack.append(i)
        elif t == ")" and stack:
            out.append((stack.pop(), i + 1))
    return sorted(out, key=lambda g: g[0] - g[1])


def statements(t):
    out = [t["ddl"]]
    rows = t["rows"]
    out += [f"insert into {t['name']} values " + ", ".join(rows[i : i + 200]) for i in range(0, len(rows), 200)]
    if t["bulk"]:
        out.append(t["bulk"])
    return out + t["after"]


def fresh(pamir, peer, setup):
    """Both servers with the tables anew; False if one of them does not take them."""
    steps = ["rollback", "reset role", "deallocate all", "discard temp", "drop schema if exists s cascade; create schema s; set search_path = s"] + setup
    a, b = run_both(pamir, steps, peer, steps) if peer else (pamir.run(steps), [])
    return not any(x.code for x in a[4:] + b[4:])
