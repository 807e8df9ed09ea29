"""Bytes to disk for a fixed number of update_index transactions, from /proc/PID/io over all processes, with a checkpoint before and one after."""
from .. import drive, proc
from ..results import Check, comparison, NAMES, ratio

TITLE = "Bytes written a transaction"
LINE = "Bytes written to disk per update_index transaction (a final checkpoint included) at most a third of PostgreSQL's"
MINUTES = {"full": 6, "quick": 1}
CASE = "oltp_update_index/64"


def one(lab, name, load, size, events):
    system = lab.enter(name, load)
    before = proc.write_bytes(system.pid)
    m = drive.measure(system, "oltp_update_index", 64, 0, **size, events=events)
    running = proc.write_bytes(system.pid) - before
    system.checkpoint()
    total = proc.write_bytes(system.pid) - before
    n = max(1.0, m["transactions"])
    return drive.figures(m) | {"bytes": total / n, "bytes_before_checkpoint": running / n, "transactions": m["transactions"]}


def run(lab):
    res, load, size = lab.results("bytes"), lab.sysbench_load(), lab.size()
    for rep in range(lab.reps(2)):
        for s in lab.systems(*NAMES):
            res.point(lab, s, CASE, rep, lambda: one(lab, s, load, size, lab.pick(500_000, 20_000)))
    return res


def report(res):
    text = "Bytes a transaction, the final checkpoint included:\n\n" + comparison(res, [CASE], "bytes", label="workload/threads")
    text += "\n\nbefore it:\n\n" + comparison(res, [CASE], "bytes_before_checkpoint", label="workload/threads")
    return text, [Check("bytes beside PostgreSQL's", ratio(res.median("pamir", CASE, "bytes"), res.median("postgres", CASE, "bytes")), 1 / 3, most=True)]
