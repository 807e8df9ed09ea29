"""How even the seconds of a long run are while checkpoints complete inside it.

So that at least three complete: PostgreSQL has checkpoint_timeout = 30s, its shortest, spread over 0.9 of it as by default. Pamir takes checkpoints by volume, and has a
fifth of its default. Completed checkpoints are counted by each system (/metrics, pg_stat_bgwriter).
"""
import statistics

from .. import drive
from ..results import Check, number, ratio, table, NAMES
from ..systems import Failed

TITLE = "Evenness under checkpoints"
LINE = ("120 s of oltp_read_write at 64 threads with at least three checkpoints completing inside it: no second under half the median TPS; "
        "standard deviation of per-second TPS at most half of PostgreSQL's relative to the mean")
MINUTES = {"full": 10, "quick": 1}
CASE = "oltp_read_write/64"


def one(lab, name, load, size, seconds, volume):
    extra = ["checkpoint_timeout=30s"] if name == "postgres" else ["--checkpoint-size", f"{volume}MiB"]
    system = lab.enter(name, load, extra=extra)
    before = system.checkpoints()
    m = drive.measure(system, "oltp_read_write", 64, seconds, **size)
    finished = system.checkpoints() - before
    steady = m["per_second"][1:]
    if len(steady) < 2:
        raise Failed("too short for a figure a second")
    median, mean = statistics.median(steady), statistics.mean(steady)
    got = drive.figures(m) | {"checkpoints": finished, "min_over_median": min(steady) / median if median else 0.0,
                              "sd_over_mean": statistics.stdev(steady) / mean if mean else 0.0}
    # The seconds themselves, for a picture.
    return got | {f"second_{i + 1}": v for i, v in enumerate(m["per_second"])}


def run(lab):
    res, load, size = lab.results("stability"), lab.sysbench_load(), lab.size()
    seconds = lab.seconds(120, 8)
    for rep in range(lab.reps(2)):
        for s in lab.systems("pamir", "postgres"):
            res.point(lab, s, CASE, rep, lambda: one(lab, s, load, size, seconds, lab.pick(32, 1)))
    return res


def report(res):
    rows = [[NAMES[s], *(res.cell(s, CASE, m) for m in ("tps", "sd", "sd_over_mean", "min_over_median", "checkpoints", "max_ms"))] for s in res.systems()]
    # The worst run decides the smallest second, the median run the deviation.
    worst = res.values("pamir", CASE, "min_over_median")
    count = res.values("pamir", CASE, "checkpoints")
    checks = [Check("smallest second over the median", min(worst) if worst else None, 0.5, unit=""),
              Check("checkpoints inside the run", min(count) if count else None, 3, unit=""),
              Check("deviation / mean beside PostgreSQL's", ratio(res.median("pamir", CASE, "sd_over_mean"), res.median("postgres", CASE, "sd_over_mean")), 0.5, most=True)]
    return table(["system", "TPS", "deviation", "deviation / mean", "smallest second / median", "checkpoints", "longest transaction, ms"], rows), checks
