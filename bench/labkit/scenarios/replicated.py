"""Writes that a majority, or a synchronous standby, has on its disk before they are acknowledged.

Every system is loaded once and then runs all points in turn, repetition by repetition, one system at a time; what a point leaves behind stays for the next, the same for all.
"""
import os
import shutil
import time

from .. import cluster, drive, stage
from ..results import Check, number, ratio, table
from ..systems import Failed

TITLE = "Replicated writes"
LINE = ("oltp_update_index, write_only, read_write and insert at 16 and 64 threads: with three replicas at least 1.5x, with two at least 2x, PostgreSQL with a synchronous standby "
        "(on, remote_apply) and MariaDB with a semi-synchronous replica")
MINUTES = {"full": 90, "quick": 12}
WORKLOADS = ["update_index", "write_only", "read_write", "insert"]
THREADS = [16, 64]
PEERS = ["postgres-on", "postgres-apply", "mariadb-semi"]
LABELS = {"pamir-1": "Pamir, one node of a cluster", "pamir-2": "Pamir, two replicas", "pamir-3": "Pamir, three replicas", "postgres-on": "PostgreSQL, standby (on)",
          "postgres-apply": "PostgreSQL, standby (remote_apply)", "mariadb-semi": "MariaDB, semi-synchronous"}
BASE = 27000


def clusters(lab):
    mb, binary = lab.args.buffer_mb // 2, lab.args.pamir
    return [
        *(cluster.PamirCluster(f"pamir-{n}", n, BASE + 20 * n, mb, binary) for n in (1, 2, 3)),
        cluster.PostgresPair("postgres-on", BASE + 100, mb, "on"),
        cluster.PostgresPair("postgres-apply", BASE + 110, mb, "remote_apply"),
        cluster.MariaPair("mariadb-semi", BASE + 120, mb),
    ]


def measure(c, workload, threads, seconds, size):
    first = c.primary()
    before = c.cpu()
    got = drive.measure(first, f"oltp_{workload}", threads, seconds, **size)
    after = c.cpu()
    out = drive.figures(got)
    if c.primary() is not first:
        raise Failed("the leader changed")
    if got["transactions"]:
        for name, a, b in zip(("primary", "others"), before, after):
            out[f"cpu_us_{name}"] = (b - a) * 1e6 / got["transactions"]
    return out


def run(lab):
    res, size = lab.results("replicated"), lab.size()
    load = stage.sysbench_load(size["tables"], size["rows"])
    seconds, reps = lab.seconds(10, 2), lab.reps(3)
    wanted = [c for c in clusters(lab) if c.name.split("-")[0] in lab.args.systems.split(",")]
    dirs = {c.name: f"{lab.base}/replicated/{c.name}" for c in wanted}
    workloads = [w for w in WORKLOADS if not lab.args.workloads or w in lab.args.workloads.split(",")]
    loaded = set()
    try:
        for rep in range(reps):
            for c in wanted:
                try:
                    if c.name not in loaded:
                        shutil.rmtree(dirs[c.name], ignore_errors=True)
                    c.start(dirs[c.name])
                    first = c.primary()
                    if c.name not in loaded:
                        lab.say(f"{c.name}: loading {load.key}")
                        load.fill(first)
                        loaded.add(c.name)
                    first.warm(load.tables)
                    first.checkpoint()
                except (Failed, OSError) as e:
                    lab.say(f"{c.name}: {e}")
                    res.add(c.name, "start", rep, error=" ".join(str(e).split()))
                    c.kill()
                    continue
                for w in workloads:
                    for t in THREADS:
                        res.point(lab, c.name, f"{w}/{t}", rep, lambda: measure(c, w, t, seconds, size))
                c.stop()
                time.sleep(1)
    finally:
        for c in wanted:
            c.kill()
        for d in dirs.values():
            shutil.rmtree(d, ignore_errors=True)
        if os.path.isdir(f"{lab.base}/replicated"):
            os.rmdir(f"{lab.base}/replicated")
    return res


def report(res):
    cases = [c for c in res.cases() if c != "start"]
    names = [n for n in LABELS if any(r["system"] == n for r in res.rows)]
    rows, costs, checks = [], [], []
    for case in cases:
        rows.append([case, *(res.cell(n, case) for n in names)])
        costs.append([case, *(f"{number(res.median(n, case, 'cpu_us_primary'))} / {number(res.median(n, case, 'cpu_us_others'))}" for n in names)])
        better = max((m for p in PEERS if (m := res.median(p, case))), default=None)
        for n, limit in (("pamir-3", 1.5), ("pamir-2", 2)):
            checks.append(Check(f"{case}, {LABELS[n]}, beside the better peer", ratio(res.median(n, case), better), limit))
    head = ["workload/threads", *(LABELS[n] for n in names)]
    text = "Transactions a second:\n\n" + table(head, rows)
    text += "\n\nMicroseconds of processor time a transaction, at the primary / at all others together:\n\n" + table(head, costs)
    return text, checks
