"""Data four times the memory: each system in a memory control group of the same size, its page cache inside.

The limit is a quarter of the smallest system's tables on disk, so that every system holds at most a quarter. Buffers take the share of the limit named below; the rest is
for its sessions and, where it reads through it, the page cache. What copying left in the page cache is dropped first: it would be charged to nobody.
"""
import glob
import os
import subprocess

from .. import drive, proc, stage
from ..results import Check, comparison, NAMES, ratio, table
from ..systems import Failed

TITLE = "Data four times the memory"
LINE = "Data four times the memory (memory cgroups of the same size, page cache inside): oltp_read_write and point selects at least 1.5x both peers"
MINUTES = {"full": 35, "quick": 2}
BUFFER_SHARE = {"pamir": 0.5, "postgres": 0.4, "mariadb": 0.5}
# Where each keeps tables and indexes, without its log.
DATA = {"pamir": "pamir.data*", "postgres": "base", "mariadb": "sbtest"}
# A session costs PostgreSQL 5 MB and more: 64 of them would leave it no room under such a limit.
THREADS = 16
WORKLOADS = ["oltp_point_select", "oltp_read_write"]
# Less, and not every server starts; only a quick run's tables are that small.
FLOOR = 384 << 20


def disk_bytes(directory, name):
    paths = glob.glob(f"{directory}/{DATA[name]}") or [directory]
    out = subprocess.run(["du", "-sc", "--block-size=1", *paths], capture_output=True, text=True)
    return int(out.stdout.strip().splitlines()[-1].split()[0])


def forget(directory):
    """Writes back the directory's pages and drops them from the page cache."""
    subprocess.run(["sync", "-f", directory], check=False)
    for root, _, files in os.walk(directory):
        for f in files:
            fd = os.open(os.path.join(root, f), os.O_RDONLY)
            try:
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(fd)


def one(lab, name, workload, load, size, limit, seconds):
    for other in lab.all:
        lab.discard(other)
    system, old = lab.all[name], lab.all[name].buffer_mb
    lab.restore(name, load)
    forget(lab.live(name))
    forget(lab.copy(name, load))
    group = proc.MemoryGroup(f"pamir-lab-{os.getpid()}-{name}", limit)
    try:
        system.group, system.buffer_mb = group, max(8, int(limit * BUFFER_SHARE[name]) >> 20)
        # PostgreSQL's WAL buffers count in the group: back to their automatic size.
        system.start(lab.live(name), ["wal_buffers=-1"] if name == "postgres" else [])
        # Caches fill under the same load first.
        drive.measure(system, workload, THREADS, max(2, seconds // 3), **size)
        m = drive.measure(system, workload, THREADS, seconds, **size)
        return drive.figures(m) | {"limit_mb": limit / (1 << 20), "peak_mb": group.peak() / (1 << 20)}
    except Failed as e:
        raise Failed(f"{e} ({n} processes were ended for want of memory)" if (n := group.kills()) else e)
    finally:
        system.group, system.buffer_mb = None, old
        lab.discard(name)
        group.remove()


def run(lab):
    res = lab.results("memory")
    size = {"tables": lab.args.tables or 10, "rows": lab.args.rows or lab.pick(1_000_000, 25_000)}
    load = stage.sysbench_load(**size)
    sizes = {}
    for s in lab.systems(*NAMES):
        def measure():
            if not os.path.exists(lab.copy(s, load)):
                lab.restore(s, load)
                lab.discard(s)
            sizes[s] = disk_bytes(lab.copy(s, load), s)
            return {"data_mb": sizes[s] / (1 << 20)}
        res.point(lab, s, "data", 0, measure)
        if s not in sizes and (known := res.median(s, "data", "data_mb")):
            sizes[s] = known * (1 << 20)
    if not sizes:
        return res
    limit = max(FLOOR, int(min(sizes.values()) / 4))
    seconds = lab.seconds(60, 4)
    for workload in WORKLOADS:
        for rep in range(lab.reps(3)):
            for s in sizes:
                res.point(lab, s, f"{workload}/{THREADS}", rep, lambda: one(lab, s, workload, load, size, limit, seconds))
    return res


def report(res):
    cases = [f"{w}/{THREADS}" for w in WORKLOADS]
    text = "Transactions a second:\n\n" + comparison(res, cases, label="workload/threads")
    text += "\n\n" + table(["system", "tables and indexes, MB", "memory limit, MB", "most used, MB"],
                           [[NAMES[s], res.cell(s, "data", "data_mb"), res.cell(s, cases[0], "limit_mb"), res.cell(s, cases[1], "peak_mb")] for s in res.systems()])
    return text, [Check(f"{c} beside {NAMES[s]}", ratio(res.median("pamir", c), res.median(s, c)), 1.5) for c in cases for s in ("postgres", "mariadb")]
