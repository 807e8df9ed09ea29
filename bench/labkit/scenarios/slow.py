"""Nodes that are slow and not dead: a disk of 50 and 500 ms an answer, a link of 100 and 500 ms a round trip, a processor that others take, a disk that fails, at a follower and at the leader, under writes.

Three processes, each in a network namespace of its own; what nodes say to each other goes through a relay that can delay it, their disks through a preloaded library that can (labkit/delay.py). Clients at the two other
nodes insert rows. Figures of a case: acknowledged inserts a second before the fault, in the seconds right after it, and when it has lasted; seconds until another node led; what the node was said to suffer from.
"""
import os
import shutil
import signal
import threading
import time

from .. import cluster, delay, netns, pgwire, proc
from ..results import Check, number, ratio, table
from ..systems import Failed
from . import failover

TITLE = "Slow nodes"
LINE = "A slow follower costs less than a tenth of the throughput; a slow leader leads no more within 10 s"
MINUTES = {"full": 15, "quick": 5}
CLIENTS = 8
LED_SECONDS = 20
# A processor that is taken: for so long, its own for so long.
STOP_SECONDS, RUN_SECONDS = 0.4, 0.1


class Slowed(failover.Spaced):
    """A node whose disk and links can be slow."""

    def __init__(self, number, binary, directory, library):
        super().__init__(number, binary, [])
        self.disk = delay.Dial(f"{directory}/disk{number}")
        self.library = library

    def command(self, directory, extra):
        join = ["--join", ",".join(delay.Relay.address(n) for n in range(1, failover.NODES + 1) if n != self.number)] if self.number > 1 else []
        return ["env", f"LD_PRELOAD={self.library}", f"LAB_SLOW_DISK={self.disk.path}", self.binary, "start", "--data-dir", directory, "--pg-addr", f"{self.host}:{self.port}",
                "--http-addr", f"{self.host}:{self.http}", "--insecure", "--cache-size", f"{self.buffer_mb}MiB", "--node-addr", f"10.77.1.{self.number}:{delay.NODE_PORT}",
                "--node-advertise", delay.Relay.address(self.number), *join, *self.extra]

    def moves(self):
        """How often it has given the leadership away because it was slow."""
        text = cluster.http(f"http://{self.host}:{self.http}/metrics")[1] if self.alive() else ""
        return next((float(l.split()[1]) for l in text.splitlines() if l.startswith("pamir_raft_slow_leader_changes_total ")), 0.0)


class Writer:
    """One client that inserts, one row after the other."""

    def __init__(self, world, node):
        self.world, self.node, self.done, self.errors = world, node, 0, 0
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        c = None
        while not self.world.is_set():
            try:
                c = c or pgwire.Connection(self.node, timeout=30)
                c.query("insert into rows (v) values ('a row of some forty characters, or so')")
                self.done += 1
            except (Failed, OSError):
                self.errors += 1
                c = c and c.close()
                time.sleep(0.05)


class Taken:
    """A processor that others take."""

    def __init__(self, node):
        self.node, self.over = node, threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.over.is_set():
            proc.send(self.node.pid, signal.SIGSTOP)
            time.sleep(STOP_SECONDS)
            proc.send(self.node.pid, signal.SIGCONT)
            self.over.wait(RUN_SECONDS)

    def end(self):
        self.over.set()
        self.thread.join()


def disk(ms):
    def begin(relay, node):
        node.disk.set(ms)
        return lambda: node.disk.set(0)
    return begin


def link(ms):
    def begin(relay, node):
        relay.slow(node.number, ms)
        return lambda: relay.slow(node.number, 0)
    return begin


def processor(relay, node):
    return Taken(node).end


FAULTS = {"disk 50 ms": disk(50), "disk 500 ms": disk(500), "link 100 ms": link(100), "link 500 ms": link(500), "processor taken": processor}
# The last one: it ends the node.
FAILS = "disk fails"


def rate(writers, seconds):
    before, began = sum(w.done for w in writers), time.monotonic()
    time.sleep(seconds)
    return (sum(w.done for w in writers) - before) / (time.monotonic() - began)


def said(node, of):
    """What a node says of another's health; '' where it does not answer."""
    try:
        c = pgwire.Connection(node, timeout=10)
        got = c.rows(f"select health from pamir_catalog.cluster_nodes where node = {of.number}")
        c.close()
        return got[0][0] if got else ""
    except (Failed, OSError):
        return ""


def leader(nodes):
    return next((n for n in nodes if n.leads()), None)


def case(lab, relay, nodes, role, name, begin, seconds):
    """One fault at one node; the figures."""
    first = failover.await_well(nodes)
    victim = first if role == "leader" else next(n for n in nodes if n is not first)
    others = [n for n in nodes if n is not victim]
    over = threading.Event()
    writers = [Writer(over, others[i % 2]) for i in range(CLIENTS)]
    try:
        time.sleep(3)
        out = {"before": rate(writers, seconds)}
        changes, count = sum(n.moves() for n in nodes), sum(w.done for w in writers)
        end_of = begin(relay, victim)
        since = time.monotonic()
        try:
            while (past := time.monotonic() - since) < 5 or role == "leader" and "moved_s" not in out and past < LED_SECONDS:
                if past >= 5 and "at_once" not in out:
                    out["at_once"] = (sum(w.done for w in writers) - count) / past
                if role == "leader" and "moved_s" not in out and leader(others):
                    out["moved_s"] = time.monotonic() - since
                time.sleep(0.05)
            out.setdefault("at_once", (sum(w.done for w in writers) - count) / (time.monotonic() - since))
            time.sleep(3)
            out["with"] = rate(writers, seconds)
            words = said(others[0], victim)
            led = leader(nodes)
        finally:
            end_of()
        out["changes"] = sum(n.moves() for n in nodes) - changes
        out["stayed"] = float(role == "follower" and led is first)
        out["errors"] = float(sum(w.errors for w in writers))
        return out, words
    finally:
        over.set()
        for w in writers:
            w.thread.join(60)


def begin_anew(nodes, directory):
    for n in nodes:
        n.thaw()
        n.kill()
    os.makedirs(directory)
    for n in nodes:
        n.disk.set(0)
        n.start(f"{directory}/{n.number}")
    c = pgwire.Connection(nodes[0])
    c.query("create table rows (id bigint generated always as identity primary key, v text not null)")
    c.close()


def run(lab):
    res = lab.results("slow")
    netns.enter()
    directory = f"{lab.base}/slow"
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    nodes, relay = [], None
    try:
        library = delay.shim(directory)
        relay = delay.Relay(directory, failover.NODES)
        binary = lab.args.pamir or cluster.Node(0, 0, 0, None).binary
        nodes = [Slowed(n, binary, directory, library) for n in range(1, failover.NODES + 1)]
        seconds = lab.seconds(15, 6)
        for role in ("follower", "leader"):
            for name, begin in {**FAULTS, FAILS: disk(-1)}.items():
                # Anew: changes before would make the next one wait.
                begin_anew(nodes, f"{directory}/{role}-{name.replace(' ', '-')}")
                out, words = case(lab, relay, nodes, role, name, begin, seconds)
                res.add("pamir", f"{role}/{name}", 0, **out)
                moved = f"another led after {out['moved_s']:.1f} s" if "moved_s" in out else "the leadership stayed" if out["stayed"] else "no other led"
                lab.say(f"slow: {role}, {name}: {out['before']:.0f} inserts a second, first 5 s {out['at_once']:.0f}, with it {out['with']:.0f} ({moved}, {out['changes']:.0f} by the rule, "
                        f"{out['errors']:.0f} errors); {words}")
    finally:
        for n in nodes:
            n.thaw()
            n.kill()
            n.group.remove()
        if relay:
            relay.end()
        if not any(r["error"] for r in res.rows):
            shutil.rmtree(directory, ignore_errors=True)
    return res


def report(res):
    rows, checks = [], []

    def get(role, name, metric):
        got = res.values("pamir", f"{role}/{name}", metric)
        return got[0] if got else None

    for role in ("follower", "leader"):
        for name in (*FAULTS, FAILS):
            before, with_it, moved = (get(role, name, m) for m in ("before", "with", "moved_s"))
            if before is None:
                continue
            rows.append([role, name, number(before), number(get(role, name, "at_once")), number(with_it), number(ratio(with_it, before)), number(moved) if moved is not None else "", number(get(role, name, "changes"))])
            if role == "follower":
                checks.append(Check(f"{name} at a follower: throughput", with_it / before, 0.9, unit="x"))
            else:
                checks.append(Check(f"{name} at the leader: another leads", moved, 10, most=True, unit=" s"))
    head = ["slow is", "how", "before", "first 5 s", "with it", "part", "another led after s", "changes by the rule"]
    return "Inserts a second, 8 clients at the two other nodes:\n\n" + table(head, rows), checks
