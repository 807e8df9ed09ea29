"""A day of an operator, under load: a node joins and one leaves, every node is restarted, the leader is backed up and its log archived, reads are spread over the nodes.

Three processes with a cluster's own directories. sysbench's oltp_read_write runs with its own settings (an error that is not 40001 or 40P01 ends it) while

    join       a fourth node joins, gets a checkpoint's pages and follows; later it is removed
    restart    each node in turn is drained, stopped, started; the load is at another node, each time
    backup     a base backup is made of the leader, again and again; beside it the log is archived (two clusters, one with an archive, in turn)
    reads      point selects at one node, then at three, each answered by the node at hand
"""
import os
import shutil
import subprocess
import threading
import time

from .. import cluster, drive, stage
from ..results import Check, number, ratio, table
from ..systems import Failed

TITLE = "Operating a cluster"
LINE = ("A node joins and one leaves under oltp_read_write: no client error, p95 under 2x of before; a restart of every node: no error of clients at others; base backup and archive take at most a tenth "
        "of the leader's throughput")
MINUTES = {"full": 15, "quick": 4}
THREADS = 16
BASE = 27300
WAIT_SECONDS = 120


def answer(node, text):
    return node.sql(text)


def nodes_of(node):
    return int(answer(node, "select count(*) from pamir_catalog.cluster_nodes"))


def wait(what, holds):
    end = time.time() + WAIT_SECONDS
    while not holds():
        if time.time() > end:
            raise Failed(f"{what}: not within {WAIT_SECONDS} s")
        time.sleep(0.1)


def ready(node):
    return node.alive() and cluster.http(f"http://127.0.0.1:{node.http}/health/ready")[0] == 200


def part(latency, first, last):
    """The median of the seconds' p95 within an interval of the run."""
    got = sorted(latency[int(first):int(last)])
    return got[len(got) // 2] if got else None


class Load:
    """sysbench beside what is done."""

    def __init__(self, node, script, seconds, size, session="", threads=THREADS):
        self.seconds, self.began = seconds, time.monotonic()
        self.child = drive.start_sysbench(node, script, threads, seconds, size["tables"], size["rows"], session=session)

    def at(self):
        return time.monotonic() - self.began

    def until(self, second):
        time.sleep(max(0, second - self.at()))

    def end(self):
        return drive.finish(self.child, self.seconds)


def join(lab, res, c, directory, size):
    calm = lab.seconds(20, 6)
    fourth = cluster.Node(3, BASE, c.members[0].buffer_mb, lab.args.pamir, join=c.members[0].node)
    leader = c.primary()
    # It ends some seconds after the last of it; how long joining takes is not known before.
    load = Load(leader, "oltp_read_write", calm * 4 + 60, size)
    try:
        load.until(calm)
        joins = load.at()
        fourth.start(f"{directory}/3")
        wait("the fourth node is not ready", lambda: ready(fourth) and nodes_of(leader) == 4)
        joined = load.at()
        load.until(joined + calm)
        leaves = load.at()
        answer(leader, "select pamir_catalog.cluster_remove(4)")
        wait("the fourth node is still a member", lambda: nodes_of(leader) == 3)
        left = load.at()
        load.until(left + calm)
        over = load.at()
        got = load.end()
    finally:
        fourth.kill()
        load.child.poll() is None and load.child.kill()
    before = part(got["latency"], 2, joins)
    out = {"joined_s": joined - joins, "left_s": left - leaves, "before_p95_ms": before, "joining_p95_ms": part(got["latency"], joins, max(joined, joins + 2)),
           "four_p95_ms": part(got["latency"], joined, leaves), "leaving_p95_ms": part(got["latency"], leaves, left + 2), "after_p95_ms": part(got["latency"], left, over),
           "before_tps": sum(got["per_second"][2:int(joins)]) / max(1, int(joins) - 2), "four_tps": sum(got["per_second"][int(joined):int(leaves)]) / max(1, int(leaves) - int(joined)),
           "ignored_errors_s": got["errors_s"]}
    res.add("pamir", "join", 0, **{k: v for k, v in out.items() if v is not None})
    lab.say(f"join: {out}")


def restart(lab, res, c, directory, size):
    seconds = lab.seconds(30, 12)
    for i, node in enumerate(c.members):
        leader = c.primary()
        other = c.members[(i + 1) % len(c.members)]
        load = Load(other, "oltp_read_write", seconds, size)
        try:
            load.until(4)
            began = load.at()
            answer(other, f"select pamir_catalog.cluster_drain({node.number + 1})")
            node.stop()
            node.start(f"{directory}/{node.number}")
            wait("a restarted node is not ready", lambda: ready(node) or cluster.http(f"http://127.0.0.1:{node.http}/health")[0] == 200)
            answer(other, f"select pamir_catalog.cluster_undrain({node.number + 1})")
            took = load.at() - began
            got = load.end()
        finally:
            load.child.poll() is None and load.child.kill()
        worst = min(got["per_second"][2:] or [0])
        res.add("pamir", f"restart/{node.number + 1}", 0, seconds=took, led=float(node is leader), tps=got["tps"], worst_second_tps=worst, max_ms=got["max_ms"], ignored_errors_s=got["errors_s"])
        lab.say(f"restart: node {node.number + 1}{' (led)' if node is leader else ''}: {took:.1f} s, {got['tps']:.0f} TPS, worst second {worst:.0f}, slowest {got['max_ms']:.0f} ms, {got['errors_s']:.2f} ignored errors a second")


def backups(leader, target, over, done):
    """One base backup after the other, each into a directory of its own, at the default rate."""
    while not over.is_set():
        shutil.rmtree(target, ignore_errors=True)
        answer(leader, f"select pamir_backup('{target}')")
        done.append(time.monotonic())


def backup(lab, res, c, directory, size):
    seconds = lab.seconds(15, 5)
    for rep in range(lab.reps(5, 1)):
        for case in ("without", "with"):
            leader = c.primary()
            over, done = threading.Event(), []
            worker = threading.Thread(target=backups, args=(leader, f"{lab.base}/operations/backup", over, done)) if case == "with" else None
            if worker:
                worker.start()
                time.sleep(1)
            try:
                got = drive.measure(leader, "oltp_update_index", THREADS, seconds, **size)
            finally:
                over.set()
                if worker:
                    worker.join()
            res.add("pamir", f"backup/{case}", rep, **drive.figures(got), backups=len(done))
            lab.say(f"backup {rep}: {case}: {got['tps']:.0f} TPS, {len(done)} backups")


def archive(lab, res, size):
    """Two clusters of one node's commits, one with an archive, in turn."""
    seconds = lab.seconds(15, 5)
    both = {"without": [], "with": ["--archive", f"{lab.base}/operations/archive", "--archive-timeout", "5"]}
    clusters = {k: cluster.PamirCluster(k, 3, BASE + 100 + 20 * i, lab.args.buffer_mb // 4, lab.args.pamir, extra=x) for i, (k, x) in enumerate(both.items())}
    try:
        for rep in range(lab.reps(3, 1)):
            for case, c in clusters.items():
                c.start(f"{lab.base}/operations/{case}")
                leader = c.primary()
                if rep == 0:
                    stage.sysbench_load(size["tables"], size["rows"]).fill(leader)
                got = drive.measure(leader, "oltp_update_index", THREADS, seconds, **size)
                res.add("pamir", f"archive/{case}", rep, **drive.figures(got))
                lab.say(f"archive {rep}: {case}: {got['tps']:.0f} TPS")
                c.stop()
    finally:
        for c in clusters.values():
            c.kill()


def reads(lab, res, c, size):
    seconds = lab.seconds(10, 3)
    for rep in range(lab.reps(3, 1)):
        for case, at in (("leader", [c.primary()]), ("one follower", [n for n in c.members if n is not c.primary()][:1]), ("three", c.members)):
            session = "" if case == "leader" else "-c pamir.read_from=follower -c pamir.max_staleness=2s"
            loads = [Load(n, "oltp_point_select", seconds, size, session, threads=48 // len(at)) for n in at]
            got = [l.end() for l in loads]
            res.add("pamir", f"reads/{case}", rep, tps=sum(g["tps"] for g in got), p95_ms=max(g["p95_ms"] for g in got))
            lab.say(f"reads {rep}: {case}: {sum(g['tps'] for g in got):.0f} TPS")


def run(lab):
    res, size = lab.results("operations"), {"tables": 4, "rows": lab.pick(100_000, 10_000)}
    directory = f"{lab.base}/operations/three"
    shutil.rmtree(f"{lab.base}/operations", ignore_errors=True)
    c = cluster.PamirCluster("pamir-3", 3, BASE, lab.args.buffer_mb // 4, lab.args.pamir)
    try:
        c.start(directory)
        leader = c.primary()
        stage.sysbench_load(size["tables"], size["rows"]).fill(leader)
        leader.sql("analyze")
        join(lab, res, c, directory, size)
        restart(lab, res, c, directory, size)
        backup(lab, res, c, directory, size)
        reads(lab, res, c, size)
        c.stop()
        archive(lab, res, size)
    finally:
        c.kill()
        shutil.rmtree(f"{lab.base}/operations", ignore_errors=True)
    return res


def report(res):
    checks = []

    def get(case, metric):
        return res.median("pamir", case, metric)

    before = get("join", "before_p95_ms")
    head = ["before", "joining", "with four", "leaving", "after"]
    text = "oltp_read_write at 16 threads, p95 in ms (median of its seconds):\n\n" + table(head, [[number(get("join", f"{k}_p95_ms")) for k in ("before", "joining", "four", "leaving", "after")]])
    text += f"\n\nJoining took {number(get('join', 'joined_s'))} s, leaving {number(get('join', 'left_s'))} s.\n\n"
    for k in ("joining", "four", "leaving", "after"):
        checks.append(Check(f"p95, {k}, of before", ratio(get("join", f"{k}_p95_ms"), before), 2, most=True, unit="x"))
    rows = []
    for n in (1, 2, 3):
        if get(f"restart/{n}", "seconds") is not None:
            rows.append([n, "leader" if get(f"restart/{n}", "led") else "follower", *(number(get(f"restart/{n}", m)) for m in ("seconds", "tps", "worst_second_tps", "max_ms", "ignored_errors_s"))])
    checks.append(Check("nodes restarted without an error of clients at others", float(len(rows)), 3, unit=""))
    text += "Each node drained, stopped and started, 16 clients at another:\n\n" + table(["node", "was", "took s", "TPS", "worst second", "slowest ms", "40001, 40P01 a second"], rows)
    rows = []
    for what in ("backup", "archive"):
        a, b = res.median("pamir", f"{what}/without"), res.median("pamir", f"{what}/with")
        rows.append([what, res.cell("pamir", f"{what}/without"), res.cell("pamir", f"{what}/with"), number(ratio(b, a))])
        checks.append(Check(f"TPS beside {what}", ratio(b, a), 0.9, unit="x"))
    text += "\n\noltp_update_index at 16 threads, TPS:\n\n" + table(["", "without", "with", "part"], rows)
    rows = [[k, res.cell("pamir", f"reads/{k}")] for k in ("leader", "one follower", "three")]
    return text + "\n\nPoint selects, 48 clients, TPS:\n\n" + table(["answered by", "TPS"], rows), checks
