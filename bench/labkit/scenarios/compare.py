"""sysbench's ten workloads at 16, 64 and 256 threads, the systems in turn point by point; writing points from freshly restored tables."""
from .. import drive, results
from ..results import Check, NAMES, comparison, number, ratio, table

TITLE = "sysbench, ten workloads"
LINE = ("TPS at least 2x the better peer in the writing workloads, 1.5x / 2.5x / 3.5x PostgreSQL in point selects at 16 / 64 / 256 threads, 2x the better peer in the other reads at 64 and 256; "
        "p95 at most half the better peer's; Pamir's own TPS at 64 threads at least 0.9x, at 256 at least 0.75x, of its TPS at 16")
MINUTES = {"full": 120, "quick": 8}
WRITES = ["oltp_write_only", "oltp_read_write", "oltp_update_index", "oltp_update_non_index", "oltp_insert", "oltp_delete"]
READS = ["oltp_point_select", "oltp_read_only", "select_random_points", "select_random_ranges"]
# One client, four clients.
FEW = 1.2
POINT_TARGET = {16: 1.5, 64: 2.5, 256: 3.5}
SCALING = {64: 0.9, 256: 0.75}


def run(lab):
    res, size, load = lab.results("compare"), lab.size(), lab.sysbench_load()
    workloads = (lab.args.workloads or ",".join(READS + WRITES)).split(",")
    threads = [int(t) for t in (lab.args.threads or "16,64,256").split(",")]
    seconds = lab.seconds(10)
    # Reading points first: they leave the tables as they are, so that one restore serves them all.
    for workload in sorted(workloads, key=lambda w: w not in READS):
        for t in threads:
            for rep in range(lab.reps(5)):
                for s in lab.systems(*NAMES):
                    fresh = workload not in READS and not (lab.quick and rep)
                    res.point(lab, s, f"{workload}/{t}", rep,
                              lambda: drive.figures(drive.measure(lab.enter(s, load, fresh=fresh), workload, t, seconds, **size)))
    return res


def parse(res):
    """(workload, threads) in the order of the issue."""
    cases = [(c.rpartition("/")[0], int(c.rpartition("/")[2])) for c in res.cases()]
    order = READS + WRITES
    return sorted(cases, key=lambda c: (order.index(c[0]) if c[0] in order else 99, c[1]))


def checks(res):
    out = []
    for w, t in parse(res):
        case = f"{w}/{t}"
        mine = res.median("pamir", case)
        if w == "oltp_point_select":
            if t in POINT_TARGET:
                out.append(Check(f"{case} TPS beside PostgreSQL", ratio(mine, res.median("postgres", case)), POINT_TARGET[t]))
        elif t in (1, 4):
            pass
        elif w in WRITES or t in (64, 256):
            out.append(Check(f"{case} TPS beside the better peer", ratio(mine, res.better_peer(case)), 2))
        if t in (1, 4):
            out.append(Check(f"{case} TPS beside the better peer", ratio(mine, res.better_peer(case)), FEW))
        out.append(Check(f"{case} p95 beside the better peer", ratio(res.median("pamir", case, "p95_ms"), res.better_peer(case, "p95_ms", low=True)), 1 if t in (1, 4) else 0.5, most=True))
        if (old := res.median("before", case)) is not None:
            out.append(Check(f"{case} TPS beside the binary before", ratio(mine, old), 0.97))
    for w in dict.fromkeys(w for w, _ in parse(res)):
        base = res.median("pamir", f"{w}/16")
        for t, limit in SCALING.items():
            if base and (mine := res.median("pamir", f"{w}/{t}")) is not None:
                out.append(Check(f"{w}: Pamir at {t} threads beside 16", ratio(mine, base), limit))
    return out


def report(res):
    cases = [f"{w}/{t}" for w, t in parse(res)]
    p95 = [[c, *(res.cell(s, c, "p95_ms") for s in res.systems()), number(ratio(res.median("pamir", c, "p95_ms"), res.better_peer(c, "p95_ms", low=True)))] for c in cases]
    text = "Transactions a second, medians (smallest-largest):\n\n" + comparison(res, cases, label="workload/threads")
    text += "\n\n95th percentile of latency in ms:\n\n" + table(["workload/threads", *(NAMES[s] for s in res.systems()), "Pamir / better peer"], p95)
    return text, checks(res)
