"""One transaction that updates a million rows of a table of its own, beside update_index at 16 threads.

A prober (one client that commits small updates one after another) shows the longest time without an answer: before, while the UPDATE runs, and from its COMMIT until ten
seconds after, when the engine applies it. sysbench's longest latency of the same seconds stands beside it; both hold the scheduler's and the disk's delays too, which
the figure before the UPDATE shows.
"""
import time

from .. import drive, pgwire, stage
from ..results import Check, NAMES, table
from ..systems import Failed

TITLE = "A million rows in one transaction"
LINE = "A 1,000,000-row UPDATE in one transaction beside update_index at 16 threads: no stall over 100 ms in the latter from the engine's apply"
MINUTES = {"full": 6, "quick": 1}
CASE = "update"
PHASES = ["before", "statement", "commit"]


def load(lab, rows):
    base = lab.sysbench_load()

    def fill(system):
        base.fill(system)
        system.sql("create table big (id int primary key, a int not null, b text not null)")
        step = 50_000
        for low in range(1, rows + 1, step):
            system.sql(f"insert into big select i, i, repeat('x', 100) from generate_series({low}, {min(rows, low + step - 1)}) i")

    return stage.Load(f"{base.key}-big-{rows}", fill, [*base.tables, "big"])


def one(lab, name, data, size, rows, quiet):
    system = lab.enter(name, data)
    longest = 600
    child = drive.start_sysbench(system, "oltp_update_index", 16, longest, percentile=100, **size)
    writer, prober = pgwire.Psql(system), None
    try:
        time.sleep(1)
        prober = pgwire.Prober(system, **size)
        began = time.time()
        time.sleep(quiet)
        start = time.time()
        writer.ask("begin")
        writer.ask("update big set a = a + 1")
        written = time.time()
        writer.ask("commit")
        committed = time.time()
        time.sleep(quiet)
        end = time.time()
        prober.end()
        if (n := int(system.sql("select count(*) from big where a = id + 1"))) != rows:
            raise Failed(f"{n} of {rows} rows are updated")
        spans = {"before": (began, start), "statement": (start, written), "commit": (written, end)}
        return {"statement_s": written - start, "commit_s": committed - written} | {f"gap_{p}_ms": prober.gap(*spans[p]) for p in PHASES} | sysbench_longest(child, spans)
    finally:
        writer.child.kill()
        if prober:
            prober.stop.set()
        child.kill()
        child.communicate()


def sysbench_longest(child, spans):
    """The longest latency sysbench saw in the seconds that touch each span. Its reports carry no clock: the last came just now."""
    child.terminate()
    out, _ = child.communicate(timeout=30)
    now, found = time.time(), {}
    ticks = drive.REPORT.findall(out)
    for p, (low, high) in spans.items():
        # Report i of n covers the second that ended n - i seconds ago.
        seen = [float(l) for i, (_, _, l) in enumerate(ticks) if now - (len(ticks) - i) - 1 <= high and now - (len(ticks) - i) + 1 >= low]
        found[f"longest_{p}_ms"] = max(seen, default=0.0)
    return found


def run(lab):
    rows = lab.pick(1_000_000, 50_000)
    res, data, size = lab.results("bigupdate"), load(lab, rows), lab.size()
    for rep in range(lab.reps(3)):
        for s in lab.systems("pamir", "postgres"):
            res.point(lab, s, CASE, rep, lambda: one(lab, s, data, size, rows, lab.pick(10, 2)))
    return res


def report(res):
    rows = [[NAMES[s], res.cell(s, CASE, "statement_s"), res.cell(s, CASE, "commit_s"), *(res.cell(s, CASE, f"gap_{p}_ms") for p in PHASES),
             *(res.cell(s, CASE, f"longest_{p}_ms") for p in PHASES)] for s in res.systems()]
    head = ["system", "UPDATE, s", "COMMIT, s", *(f"prober's gap {w}, ms" for w in ("before", "during UPDATE", "from COMMIT on")), *(f"sysbench's longest {w}, ms" for w in ("before", "during UPDATE", "from COMMIT on"))]
    return table(head, rows), [Check("longest gap from COMMIT on", res.median("pamir", CASE, "gap_commit_ms"), 100, most=True, unit=" ms")]
