"""Two-phase commit by the client around sysbench's transactions (bench/lua/xa.lua), as in Kunlun's sysbench-xa."""
from .. import drive
from ..results import Check, comparison, NAMES, ratio

TITLE = "Two-phase commit"
LINE = "PREPARE TRANSACTION + COMMIT PREPARED around update_index and write_only at 64 threads: at least 3x PostgreSQL's own and MariaDB's XA"
MINUTES = {"full": 15, "quick": 1}


def run(lab):
    res, load, size = lab.results("xa"), lab.sysbench_load(), lab.size()
    seconds = lab.seconds(20)
    for workload in ("update_index", "write_only"):
        for rep in range(lab.reps(5)):
            for s in lab.systems(*NAMES):
                res.point(lab, s, f"{workload}/64", rep, lambda: drive.figures(
                    drive.measure(lab.enter(s, load), "xa", 64, seconds, **size, options=[f"--xa_workload={workload}"])))
    return res


def report(res):
    checks = [Check(f"{c} beside {NAMES[s]}", ratio(res.median("pamir", c), res.median(s, c)), 3) for c in res.cases() for s in ("postgres", "mariadb")]
    return "Transactions a second:\n\n" + comparison(res, res.cases(), label="transaction/threads"), checks
