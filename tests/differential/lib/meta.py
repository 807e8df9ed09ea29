"""Checks that need no peer: a condition, its negation and its unknown rest give all rows (TLP); counting what a condition keeps and counting where it is true agree (NoREC); every
plan of a statement gives the same rows. After Rigger and Su, "Finding Bugs in Database Systems via Query Partitioning" (OOPSLA 2020) and "Detecting Optimization Bugs in Database
Engines via Non-Optimizing Reference Engine Construction" (ESEC/FSE 2020)."""
from . import compare
from .query import Queries, as_simple

CHECKS = 120


def switched(run, r, sql):
    s = run.switches(r)
    return s, ["; ".join("set " + x for x in s) or "select 1", sql]


def refusal(answer):
    """What an error says without a peer: statements that SQL does not have (42...) are the generator's; they are refused in all forms."""
    if answer.code in compare.TIMEOUTS:
        return "timeout"
    if answer.code == compare.UNSUPPORTED:
        return f"unsupported: {answer.message}"
    return None if answer.code.startswith("42") else f"error {answer.code} {answer.message}"


def case(run, seed, r, schema):
    from collections import Counter

    reset = "; ".join("reset " + s.split(" ")[0] for s in __import__("__main__").SWITCHES)
    for _ in range(CHECKS):
        q = Queries(r, schema, budget=r.choice([0, 2, 4]))
        which = r.random()
        run.counts["statements"] += 1
        if which < 0.4:
            query = q.statement()
            sql = as_simple(query.sql, q.literals)
            s, steps = switched(run, r, sql)
            plain, _, other, _ = run.pamir.run([sql] + steps + [reset])
            d = compare.differ(other, plain, query.ordered)
            text = [sql]
        else:
            source, scope = q.source([])
            p = q.cond(scope)
            s, prefix = switched(run, r, "select 1")
            keep = ", ".join(c.sql for c in scope[:4]) or "1"
            if which < 0.75:
                parts = [f"select {keep} from {source} where {c}" for c in (f"({p})", f"not ({p})", f"({p}) is null")]
                whole = f"select {keep} from {source}"
                text = [as_simple(x, q.literals) for x in [whole] + parts]
                a = run.pamir.run(prefix + text + [reset])[2:-1]
                code = next((x for x in a if x.code), None)
                d = None
                if code:
                    d = refusal(code)
                elif Counter(a[0].rows) != Counter(row for x in a[1:] for row in x.rows):
                    d = "rows: TLP"
            else:
                text = [as_simple(x, q.literals) for x in (f"select count(*) from {source} where {p}", f"select coalesce(sum(case when {p} then 1 else 0 end), 0) from {source}")]
                a = run.pamir.run(prefix + text + [reset])[2:-1]
                code = next((x for x in a if x.code), None)
                d = None
                if code:
                    d = refusal(code)
                elif a[0].rows != a[1].rows:
                    d = f"rows: NoREC {a[0].rows} {a[1].rows}"
        run.counts["compared"] += 1
        run.judge(seed, schema, s, text, d, False, None, None)
