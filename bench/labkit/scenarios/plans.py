"""Statement shapes of applications (labkit/plans/shapes.sql) over the same tables, beside PostgreSQL: the answers must be equal, the times are compared.

Each shape runs by itself and prepared (a generic plan), before ANALYZE and after it. A shape is a cliff when it takes over `MOST` times PostgreSQL's time and over
`LEAST_MS`. Both plans of those over twice PostgreSQL's time go to plans.txt beside the CSV.
"""
import collections
import hashlib
import os
import re
import shutil
import statistics
import struct
import time

from .. import pgwire
from ..results import Check, table
from ..systems import ROOT, Failed

TITLE = "Plans"
LINE = "no statement shape over 3x PostgreSQL's time (or 2 ms), before and after ANALYZE; median at most 0.8x"
MINUTES = {"full": 60, "quick": 8}
HERE = os.path.join(ROOT, "bench", "labkit", "plans")
MOST, SHOWN, LEAST_MS, MEDIAN = 3, 2, 2.0, 0.8
STATEMENT_SECONDS = {"full": 60, "quick": 15}
# A shape is repeated until this much time is spent on it, and at least and at most so often; the least time counts.
SPEND, LEAST_REPS, MOST_REPS = 0.25, 2, 12

Shape = collections.namedtuple("Shape", "name sql args ordered")


def shapes():
    with open(os.path.join(HERE, "shapes.sql")) as f:
        blocks = re.split(r"\n\s*\n", f.read().strip())
    out = []
    for block in blocks[1:]:
        lines = block.split("\n")
        name = lines[0][3:].strip()
        each = [re.match(r"-- each (\w+): (.*)", l).groups() for l in lines if l.startswith("-- each ")]
        args = next((l[9:].split(" || ") for l in lines if l.startswith("-- args: ")), [])
        sql = "\n".join(l for l in lines if not l.startswith("-- "))
        variants = [({}, [])]
        for key, values in each:
            variants = [({**v, key: "" if x.strip() == '""' else x.strip()}, [*n, str(i + 1)]) for v, n in variants for i, x in enumerate(values.split(" || "))]
        for values, number in variants:
            def fill(text):
                text = re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], m[0]), text)
                return text.replace("{{", "{").replace("}}", "}")
            out.append(Shape(name.lstrip("=") + ("." + ".".join(number) if number else ""), fill(sql), [fill(a.strip()) for a in args], not name.startswith("=")))
    names = [s.name for s in out]
    assert len(names) == len(set(names)), "names are given twice"
    return out


class Client(pgwire.Connection):
    """Answers as digests, simple or prepared."""

    def exchange(self, message, ordered=True):
        started = time.perf_counter()
        self.socket.sendall(message)
        rows, tag, error = [], "", None
        while True:
            kind, length = struct.unpack("!ci", self.read(5))
            body = self.read(length - 4)
            if kind == b"D":
                rows.append(body)
            elif kind == b"C":
                tag = body.rstrip(b"\0").decode()
            elif kind == b"E":
                fields = dict((f[:1], f[1:].decode(errors="replace")) for f in body.split(b"\0") if f)
                error = f"{fields.get(b'C', '')}: {fields.get(b'M', '')}"
                if fields.get(b"V") == "FATAL":
                    raise Failed(error)
            elif kind == b"Z":
                break
        took = (time.perf_counter() - started) * 1000
        if error:
            raise Failed(error)
        if not ordered:
            rows.sort()
        self.rows = rows
        return took, f"{tag} {hashlib.md5(b''.join(rows)).hexdigest()}"

    def simple(self, sql, ordered=True):
        body = sql.encode() + b"\0"
        return self.exchange(b"Q" + struct.pack("!i", len(body) + 4) + body, ordered)

    @staticmethod
    def message(kind, *parts):
        body = b"".join(parts)
        return kind + struct.pack("!i", len(body) + 4) + body

    def prepare(self, sql):
        self.exchange(self.message(b"P", b"s\0", sql.encode(), b"\0", struct.pack("!h", 0)) + self.message(b"S"))

    def execute(self, args, ordered=True):
        values = []
        for a in args:
            text = None if a == "null" else a.strip("'").encode()
            values.append(struct.pack("!i", -1) if text is None else struct.pack("!i", len(text)) + text)
        bind = self.message(b"B", b"\0s\0", struct.pack("!hh", 0, len(args)), *values, struct.pack("!h", 0))
        return self.exchange(bind + self.message(b"E", b"\0", struct.pack("!i", 0)) + self.message(b"S"), ordered)


def literal(shape):
    return re.sub(r"\$(\d+)", lambda m: shape.args[int(m[1]) - 1], shape.sql)


def measure(client, shape, prepared, limit):
    writes = not shape.sql.lstrip().lower().startswith("select") or " for " in shape.sql
    if prepared:
        client.prepare(shape.sql)
    times, answers = [], set()
    try:
        while len(times) < LEAST_REPS or (sum(times) < SPEND * 1000 and len(times) < MOST_REPS):
            if writes:
                client.simple("begin")
            took, answer = client.execute(shape.args, shape.ordered) if prepared else client.simple(literal(shape), shape.ordered)
            times.append(took)
            answers.add(answer)
            if took > 5000:
                break
            if writes:
                client.simple("rollback")
    finally:
        if writes:
            client.simple("rollback")
        if prepared:
            client.simple("deallocate s")
    if len(answers) > 1:
        raise Failed("the same statement gave two answers")
    return min(times), answers.pop()


def explain(client, shape):
    try:
        client.simple("explain " + literal(shape))
        return "\n".join("  " + r[6:].decode(errors="replace") for r in client.rows)
    except Failed as e:
        return f"  {e}"


def load(system, rows):
    with open(os.path.join(HERE, "schema.sql")) as f:
        text = f.read().replace("{n}", str(rows))
    for statement in text.split(";\n"):
        if statement.strip():
            system.psql("-c", statement)
    system.checkpoint()


def clients(pair, limit):
    out = {}
    for s in pair:
        out[s.name] = c = Client(s, timeout=limit + 60)
        # PostgreSQL's parallel workers are measured by nothing here: one session's plan against another's.
        for q in (f"set statement_timeout = '{limit}s'", "set jit = off", "set max_parallel_workers_per_gather = 0", "set plan_cache_mode = force_generic_plan"):
            try:
                c.simple(q)
            except Failed:
                pass
    return out


def run(lab):
    res = lab.results("plans")
    rows = lab.args.rows or lab.pick(1_000_000, 100_000)
    limit = STATEMENT_SECONDS["quick" if lab.quick else "full"]
    pair = [lab.all[n] for n in ("postgres", "pamir")]
    all_shapes = [s for s in shapes() if not lab.args.workloads or re.search(lab.args.workloads, s.name)]
    for s in pair:
        directory = f"{lab.base}/plans-{rows}-{s.name}"
        # What a run leaves is not what the next one begins with: changes are rolled back, but the tables have statistics then.
        shutil.rmtree(directory, ignore_errors=True)
        s.start(directory, ["autovacuum=off"] if s.name == "postgres" else ["--autovacuum", "false"])
        started = time.time()
        load(s, rows)
        lab.say(f"plans: {s.name} loaded in {time.time() - started:.0f} s")
    notes = open(res.path.replace(".csv", ".txt"), "w")
    both = clients(pair, limit)
    for phase in ("before", "after"):
        if phase == "after":
            for s in pair:
                s.sql("analyze")
        for shape in all_shapes:
            for mode in ("simple", "prepared"):
                case = f"{shape.name} {mode} {phase}"
                got = {}
                for s in pair:
                    try:
                        got[s.name] = measure(both[s.name], shape, mode == "prepared", limit)
                        res.add(s.name, case, ms=got[s.name][0])
                    except (Failed, OSError) as e:
                        res.add(s.name, case, error=" ".join(str(e).split()))
                        got[s.name] = (None, str(e))
                        if not s.alive():
                            raise Failed(f"{s.name} has ended at {case}: {s.error_tail()}") from e
                        if isinstance(e, OSError):
                            both.update(clients([s], limit))
                (pg, pg_answer), (mine, answer) = got["postgres"], got["pamir"]
                wrong = pg is not None and answer != pg_answer
                if wrong:
                    res.add("pamir", case, wrong=1)
                over = mine is not None and pg is not None and mine > LEAST_MS and mine > SHOWN * pg
                if wrong or over or (mine is None) != (pg is None):
                    told = "WRONG " if wrong and mine is not None else ""
                    notes.write(f"{told}{case}: {fmt(mine)} ms beside {fmt(pg)} ({answer} / {pg_answer})\n{literal(shape)}\npamir\n{explain(both['pamir'], shape)}\npostgres\n{explain(both['postgres'], shape)}\n\n")
                    notes.flush()
                    lab.say(f"{told}{case}: {fmt(mine)} ms beside {fmt(pg)}" + ("" if mine is not None else f": {answer}"))
    notes.close()
    for s in pair:
        s.kill()
    return res


def fmt(v):
    return "-" if v is None else f"{v:.2f}"


def report(res):
    lines, checks, ratios = [], [], []
    wrong = sum(r["metric"] == "wrong" for r in res.rows)
    failed = [c for c in res.cases() if res.median("pamir", c, "ms") is None and res.median("postgres", c, "ms") is not None]
    for phase in ("before", "after"):
        for mode in ("simple", "prepared"):
            ours, over, cliffs = [], 0, 0
            for c in res.cases():
                if not c.endswith(f" {mode} {phase}"):
                    continue
                mine, pg = res.median("pamir", c, "ms"), res.median("postgres", c, "ms")
                if mine is None or pg is None:
                    continue
                ours.append(mine / pg)
                over += mine > LEAST_MS and mine > SHOWN * pg
                cliffs += mine > LEAST_MS and mine > MOST * pg
            if ours:
                lines.append([f"{mode}, {phase} ANALYZE", len(ours), f"{statistics.median(ours):.2f}x", over, cliffs])
                ratios += ours
                checks.append(Check(f"shapes over {MOST}x, {mode}, {phase} ANALYZE", cliffs, 0, most=True, unit=""))
    checks.append(Check("median of all ratios", statistics.median(ratios) if ratios else None, MEDIAN, most=True))
    checks.append(Check("wrong or refused", wrong + len(failed), 0, most=True, unit=""))
    return table(["how", "shapes", "median ratio", f"over {SHOWN}x", f"over {MOST}x"], lines), checks
