"""Thousands of idle connections beside 64 busy ones: memory of the server for each, and what they cost the busy ones."""
import resource
import time

from .. import drive, pgwire, proc
from ..results import Check, NAMES, ratio, table
from ..systems import Failed

TITLE = "Idle connections"
LINE = "10,000 idle connections beside 64 busy ones: under 64 KiB each, busy TPS at least 0.9x of that without them"
MINUTES = {"full": 8, "quick": 1}
WORKLOADS = ["oltp_point_select", "oltp_update_index"]


def open_files(n):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < n:
        raise Failed(f"{n} connections need as many open files; the hard limit is {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, n), hard))


def one(lab, name, workload, load, size, seconds, idle):
    open_files(idle + 200)
    extra = [f"max_connections={idle + 200}"] if name == "postgres" else []
    system = lab.enter(name, load, fresh=workload != "oltp_point_select", extra=extra)
    held = []
    try:
        if idle:
            # Each has run a statement: a session that did nothing yet would flatter.
            before = proc.memory_bytes(system.pid)
            for _ in range(idle):
                c = pgwire.Connection(system)
                held.append(c)
                c.query("select c from sbtest1 where id = 1")
            time.sleep(1)
            each = (proc.memory_bytes(system.pid) - before) / idle
        m = drive.measure(system, workload, 64, seconds, **size)
        return drive.figures(m) | ({"kib_each": each / 1024} if idle else {})
    finally:
        for c in held:
            c.close()


def run(lab):
    res, load, size = lab.results("idle"), lab.sysbench_load(), lab.size()
    seconds, idle = lab.seconds(15), lab.pick(10_000, 1000)
    # PostgreSQL would need 10,000 processes: only when it is named alone (--systems postgres).
    names = [s for s in lab.systems("pamir", "postgres") if s == "pamir" or lab.args.systems == "postgres"]
    for w in WORKLOADS:
        for rep in range(lab.reps(5)):
            for s in names:
                for n in (0, idle):
                    res.point(lab, s, f"{w}, {'idle' if n else 'alone'}", rep, lambda: one(lab, s, w, load, size, seconds, n))
    return res


def report(res):
    rows, checks = [], []
    for w in WORKLOADS:
        for s in res.systems():
            r = ratio(res.median(s, f"{w}, idle"), res.median(s, f"{w}, alone"))
            rows.append([NAMES[s], w, res.cell(s, f"{w}, alone"), res.cell(s, f"{w}, idle"), f"{r or 0:.2f}x", res.cell(s, f"{w}, idle", "kib_each")])
        checks.append(Check(f"{w}: busy TPS beside idle connections", ratio(res.median("pamir", f"{w}, idle"), res.median("pamir", f"{w}, alone")), 0.9))
    checks.append(Check("memory of an idle connection", res.median("pamir", f"{WORKLOADS[0]}, idle", "kib_each"), 64, most=True, unit=" KiB"))
    return table(["system", "workload, 64 threads", "TPS alone", "TPS beside them", "", "KiB each"], rows), checks
