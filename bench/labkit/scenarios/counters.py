"""What a transaction costs besides time: CPU of all the system's processes, context switches, system calls.

CPU time is /proc's over the whole run. Switches and calls are counted by `perf stat` on the server's processes in the middle of the run, beside the transactions that
sysbench reports for those seconds.
"""
import time

from .. import drive, proc
from ..results import NAMES, table

TITLE = "CPU, switches and calls a transaction"
LINE = "Context switches, system calls and CPU microseconds per transaction for point select and update_index, beside both peers'"
MINUTES = {"full": 6, "quick": 1}
WORKLOADS = ["oltp_point_select", "oltp_update_index"]
THREADS = 64


def one(lab, name, workload, load, size, seconds):
    system = lab.enter(name, load, fresh=workload == "oltp_update_index")
    before = proc.cpu_seconds(system.pid)
    child = drive.start_sysbench(system, workload, THREADS, seconds, **size)
    time.sleep(1)
    window = max(1, seconds - 2)
    counts, why = proc.perf_counts(system.pid, window)
    m = drive.finish(child, seconds)
    cpu = proc.cpu_seconds(system.pid) - before
    got = drive.figures(m) | {"cpu_us": cpu * 1e6 / max(1.0, m["transactions"])}
    # The seconds that perf watched: from the second report on.
    during = sum(m["per_second"][1:1 + window]) or m["tps"] * window
    for key, n in counts.items():
        got[key] = n / max(1.0, during)
    if why:
        lab.say(f"no switches and calls: {why}")
    return got


def run(lab):
    res, load, size = lab.results("counters"), lab.sysbench_load(), lab.size()
    seconds = lab.seconds(15, 4)
    for w in WORKLOADS:
        for rep in range(lab.reps(3)):
            for s in lab.systems(*NAMES):
                res.point(lab, s, f"{w}/{THREADS}", rep, lambda: one(lab, s, w, load, size, seconds))
    return res


def report(res):
    rows = [[c, NAMES[s], *(res.cell(s, c, m) for m in ("cpu_us", "switches", "syscalls", "tps"))] for c in res.cases() for s in res.systems()]
    return table(["workload/threads", "system", "CPU us", "context switches", "system calls", "TPS"], rows), []
