"""An open REPEATABLE READ snapshot beside update_index. It reads a table before and after; both answers must be equal."""
import threading

from .. import drive, pgwire, proc
from ..results import Check, NAMES, ratio, table
from ..systems import Failed

TITLE = "One open snapshot"
LINE = "One open REPEATABLE READ snapshot beside update_index at 64 threads for 5 minutes: at least 0.8x of the figure without it, memory within its limit"
MINUTES = {"full": 22, "quick": 1}
ROWS = "select count(*), sum(k), min(k), max(k) from sbtest1"
# What the server may hold beyond its page buffers: old versions (256 MiB by default), sessions, its own code and tables.
BEYOND_BUFFERS_MB = 768


def one(lab, name, load, size, seconds, held):
    system = lab.enter(name, load)
    reader, done, peak = None, threading.Event(), [0, 0]

    def watch():
        while not done.wait(1):
            peak[0] = max(peak[0], proc.memory_bytes(system.pid))
            if name == "pamir":
                peak[1] = max(peak[1], system.metrics().get("shard_version_bytes", 0))

    watching = threading.Thread(target=watch, daemon=True)
    try:
        if held:
            reader = pgwire.Psql(system)
            reader.ask("begin isolation level repeatable read")
            before = reader.ask(ROWS)
        watching.start()
        m = drive.measure(system, "oltp_update_index", 64, seconds, **size)
        done.set()
        watching.join()
        got = drive.figures(m) | {"memory_mb": peak[0] / (1 << 20), "versions_mb": peak[1] / (1 << 20)}
        if held and (after := reader.ask(ROWS)) != before:
            raise Failed(f"the snapshot read {before}, then {after}")
        return got
    finally:
        done.set()
        if reader:
            reader.close()


def run(lab):
    res, load, size = lab.results("snapshot"), lab.sysbench_load(), lab.size()
    # As long with it as without: rows touched and checkpoints are then alike.
    seconds = lab.seconds(300, 5)
    for rep in range(lab.reps(1)):
        for s in lab.systems("pamir", "postgres"):
            for held in (False, True):
                res.point(lab, s, "held" if held else "none", rep, lambda: one(lab, s, load, size, seconds, held))
    return res


def report(res):
    rows = [[NAMES[s], *(res.cell(s, c, "tps") for c in ("none", "held")), f"{ratio(res.median(s, 'held'), res.median(s, 'none')) or 0:.2f}x",
             res.cell(s, "held", "memory_mb"), res.cell(s, "held", "versions_mb")] for s in res.systems()]
    checks = [Check("TPS with the snapshot beside without", ratio(res.median("pamir", "held"), res.median("pamir", "none")), 0.8),
              Check("memory, buffers of 2048 MB included", res.median("pamir", "held", "memory_mb"), 2048 + BEYOND_BUFFERS_MB, most=True, unit=" MB")]
    return table(["system", "TPS without", "TPS with", "", "memory, MB", "old versions, MB"], rows), checks
