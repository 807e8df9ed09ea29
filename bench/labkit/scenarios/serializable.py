"""oltp_read_write at SERIALIZABLE beside READ COMMITTED, set as the sessions' default through the connection's options."""
from .. import drive
from ..results import Check, NAMES, ratio, table

TITLE = "SERIALIZABLE"
LINE = "oltp_read_write, uniform, at SERIALIZABLE: at least 0.5x of READ COMMITTED at 64 threads"
MINUTES = {"full": 10, "quick": 1}
LEVELS = {"read committed": "-c default_transaction_isolation=read\\ committed", "serializable": "-c default_transaction_isolation=serializable"}


def run(lab):
    res, load, size = lab.results("serializable"), lab.sysbench_load(), lab.size()
    seconds = lab.seconds(20)
    for rep in range(lab.reps(5)):
        for s in lab.systems("pamir", "postgres"):
            for level, options in LEVELS.items():
                res.point(lab, s, level, rep, lambda: drive.figures(drive.measure(lab.enter(s, load), "oltp_read_write", 64, seconds, **size, session=options)))
    return res


def report(res):
    a, b = LEVELS
    rows = [[NAMES[s], res.cell(s, a), res.cell(s, b), f"{ratio(res.median(s, b), res.median(s, a)) or 0:.2f}x", res.cell(s, b, "errors_s")] for s in res.systems()]
    return table(["system", "READ COMMITTED", "SERIALIZABLE", "", "retries a second"], rows), [
        Check("SERIALIZABLE beside READ COMMITTED", ratio(res.median("pamir", b), res.median("pamir", a)), 0.5)]
