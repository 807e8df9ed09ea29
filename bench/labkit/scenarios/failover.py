"""Leaders that die, stop and are cut off, under clients at every node; what clients were told is held against what is there.

Three processes, each in a network namespace of its own, TLS with certificates of `pamir cert` between them. Clients at all nodes append to lists, read them, move money and sum it up. In turn the
leader is killed (SIGKILL), stopped (SIGSTOP) for some seconds, cut off from the other nodes (its clients still reach it); then it comes back, and when all is well again the next round begins. A
round's figure is the time from the fault to the first acknowledged write that began after it, at another node than the faulty one.
"""
import os
import random
import shutil
import signal
import statistics
import subprocess
import threading
import time

from .. import cluster, history, netns, pgwire, proc
from ..history import Op, Transaction
from ..results import Check, number, table
from ..systems import Failed

TITLE = "Failover"
LINE = "The leader killed, stopped and cut off: no acknowledged commit lost, no anomaly, no stale read; writes resume in a median under 2 s and at worst under 5 s"
MINUTES = {"full": 35, "quick": 4}
NODES = 3
CLIENTS = 4
# Small enough that it is full soon: what grows after that is no cache.
CACHE_MB = 64
ACCOUNTS, MONEY = 50, 1000
# Lists in use at a time; they move on, so that none grows long.
KEYS, MOVE_SECONDS = 8, 1.0
# How long a leader is stopped, or cut off; and down.
AWAY_SECONDS, DOWN_SECONDS = 6, 2
WELL_SECONDS = 60
CERTAIN = ("40001", "40P01", "25006", "55P03", "57014", "57P03", "57P01", "53300", "53200", "25P02", "23514")


class Client:
    """One client at one node, statement by statement, with a record of all it did."""

    def __init__(self, world, node, seed):
        self.world, self.node, self.rng = world, node, random.Random(seed)
        self.connection, self.done, self.sums, self.codes = None, [], [], {}
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.world.stop.is_set():
            try:
                if self.connection is None:
                    self.connection = pgwire.Connection(self.node, timeout=30)
                self.rng.choice((self.one, self.one, self.several, self.read, self.move, self.sum))()
            except (Failed, OSError) as e:
                code = str(e).split(":")[0] if isinstance(e, Failed) and str(e)[5:6] == ":" else "lost"
                self.codes[code] = self.codes.get(code, 0) + 1
                self.end_of(code)
                time.sleep(0.02)

    def end_of(self, code):
        """After an error: the transaction is over, or the connection is."""
        if code != "lost":
            try:
                self.connection.query("rollback")
                return
            except (Failed, OSError):
                pass
        if self.connection:
            self.connection.close()
        self.connection = None

    def note(self, start, ops, act):
        """Runs `act`; how it ended goes into the history with its operations."""
        outcome = "unknown"
        try:
            act()
            outcome = "ok"
        except Failed as e:
            if str(e).split(":")[0] in CERTAIN:
                outcome = "failed"
            raise
        finally:
            self.done.append(Transaction(start, time.monotonic(), outcome, ops))

    def append(self):
        return Op("append", self.world.key(self.rng), self.world.value())

    def put(self, o):
        self.connection.query(f"insert into lists values ({o.key}, array[{o.value}]) on conflict (k) do update set v = lists.v || excluded.v")

    def get(self, key):
        got = self.connection.rows(f"select v from lists where k = {key}")
        return Op("read", key, [int(x) for x in got[0][0].strip("{}").split(",")] if got else [])

    def one(self):
        o = self.append()
        self.note(time.monotonic(), [o], lambda: self.put(o))

    def read(self):
        start, key = time.monotonic(), self.world.key(self.rng)
        o = self.get(key)
        self.done.append(Transaction(start, time.monotonic(), "ok", [o]))

    def several(self):
        start, ops, committing = time.monotonic(), [], False
        try:
            self.connection.query("begin isolation level serializable")
            for _ in range(self.rng.randint(2, 4)):
                if self.rng.random() < 0.5:
                    o = self.append()
                    ops.append(o)
                    self.put(o)
                else:
                    ops.append(self.get(self.world.key(self.rng)))
            committing = True
            self.note(start, ops, lambda: self.connection.query("commit"))
        finally:
            # Nothing of it can be there before COMMIT was sent.
            if not committing and ops:
                self.done.append(Transaction(start, time.monotonic(), "failed", ops))

    def move(self):
        a, b = self.rng.sample(range(ACCOUNTS), 2)
        self.connection.query("begin")
        self.connection.query(f"update accounts set money = money - 1 where id = {min(a, b)}")
        self.connection.query(f"update accounts set money = money + 1 where id = {max(a, b)}")
        self.connection.query("commit")

    def sum(self):
        self.sums.append(int(self.connection.rows("select sum(money) from accounts")[0][0]))


class World:
    def __init__(self):
        self.stop, self.lock, self.values = threading.Event(), threading.Lock(), 0

    def key(self, rng):
        return int(time.monotonic() / MOVE_SECONDS) * 2 + rng.randrange(KEYS)

    def value(self):
        with self.lock:
            self.values += 1
            return self.values


def nodes(lab, directory):
    """The nodes, each in its network, with certificates."""
    binary = lab.args.pamir or cluster.Node(0, 0, 0, None).binary
    all_nodes = []
    for n in range(1, NODES + 1):
        out = subprocess.run([binary, "cert", "--dir", f"{directory}/certs", "--node", str(n), "--hosts", f"10.77.1.{n}"], capture_output=True, text=True)
        if out.returncode:
            raise Failed(f"pamir cert: {out.stderr.strip()}")
        certs = f"{directory}/certs"
        node = Spaced(n, binary, ["--node-ca", f"{certs}/ca.crt", "--node-cert", f"{certs}/node-{n}.crt", "--node-key", f"{certs}/node-{n}.key"])
        all_nodes.append(node)
    return all_nodes


class Spaced(cluster.Node):
    """A node in a network of its own."""

    def __init__(self, number, binary, extra):
        super().__init__(number, 0, CACHE_MB, binary, extra=extra)
        self.group = netns.Space(number)
        self.host, self.port, self.http = f"10.77.2.{number}", 5433, 8432

    def command(self, directory, extra):
        join = ["--join", ",".join(f"10.77.1.{n}:7433" for n in range(1, NODES + 1) if n != self.number)] if self.number > 1 else []
        return [self.binary, "start", "--data-dir", directory, "--pg-addr", f"{self.host}:{self.port}", "--http-addr", f"{self.host}:{self.http}", "--insecure",
                "--cache-size", f"{self.buffer_mb}MiB", "--node-addr", f"10.77.1.{self.number}:7433", *join, *self.extra]

    def leads(self):
        return self.alive() and cluster.http(f"http://{self.host}:{self.http}/health/leader")[0] == 200

    def is_well(self):
        return self.alive() and cluster.http(f"http://{self.host}:{self.http}/health/ready")[0] == 200


def await_well(all_nodes, but=None):
    """Until somebody leads and all are ready; the leader."""
    end = time.time() + WELL_SECONDS
    while time.time() < end:
        leaders = [n for n in all_nodes if n.leads()]
        if len(leaders) == 1 and all(n.is_well() for n in all_nodes if n is not but):
            return leaders[0]
        time.sleep(0.05)
    raise Failed("the cluster is not well: " + ", ".join(f"node {n.number} {'leads' if n.leads() else 'is ready' if n.is_well() else 'is not ready'}" for n in all_nodes))


def resumed(clients, faulty, since, until):
    """Seconds from `since` to the first acknowledged write that began after it at another node."""
    ends = [t.end for c in clients if c.node is not faulty for t in list(c.done)[-2000:]
            if t.outcome == "ok" and since < t.start and t.end < until and any(o.kind == "append" for o in t.ops)]
    return min(ends) - since if ends else None


def kill(lab, node, directory):
    node.kill()
    return lambda: node.start(f"{directory}/{node.number}")


def stop(lab, node, directory):
    proc.send(node.pid, signal.SIGSTOP)
    return lambda: proc.send(node.pid, signal.SIGCONT)


def cut(lab, node, directory):
    node.group.cut()
    return lambda: node.group.mend()


FAULTS = {"killed": (kill, 100, 4), "stopped": (stop, 30, 2), "cut off": (cut, 30, 2)}


def run(lab):
    res = lab.results("failover")
    netns.enter()
    directory = f"{lab.base}/failover"
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    all_nodes, world, clients = [], World(), []
    try:
        all_nodes = nodes(lab, directory)
        for n in all_nodes:
            n.start(f"{directory}/{n.number}")
        first = pgwire.Connection(all_nodes[0])
        first.query("create table lists (k bigint primary key, v bigint[] not null)")
        first.query("create table accounts (id int primary key, money bigint not null)")
        first.query(f"insert into accounts select i, {MONEY} from generate_series(0, {ACCOUNTS - 1}) i")
        await_well(all_nodes)
        clients = [Client(world, n, 100 * n.number + i) for n in all_nodes for i in range(CLIENTS)]
        time.sleep(3)
        plan = [name for name, (_, full, quick) in FAULTS.items() for _ in range(lab.reps(full, quick))]
        random.Random(1).shuffle(plan)
        for i, name in enumerate(plan):
            leader = await_well(all_nodes)
            time.sleep(random.random())
            back = FAULTS[name][0](lab, leader, directory)
            since = time.monotonic()
            time.sleep(DOWN_SECONDS if name == "killed" else AWAY_SECONDS)
            end = time.monotonic() + 30
            while (gap := resumed(clients, leader, since, time.monotonic())) is None and time.monotonic() < end:
                time.sleep(0.1)
            back()
            if gap is None:
                raise Failed(f"{name}: writes did not resume")
            res.add("pamir", name, i, resumed_s=gap)
            for n in all_nodes:
                res.add("pamir", f"node {n.number}", i, memory=proc.memory_bytes(n.pid), files=proc.open_files(n.pid), disk=proc.disk_bytes(f"{directory}/{n.number}"))
            lab.say(f"failover {i + 1} of {len(plan)}, node {leader.number} {name}: writes again after {gap:.2f} s")
        await_well(all_nodes)
        time.sleep(2)
        world.stop.set()
        for c in clients:
            c.thread.join(60)
        lists = []
        for n in all_nodes:
            c = pgwire.Connection(n)
            got = c.rows("select k, v from lists order by k")
            lists.append({int(k): [int(x) for x in v.strip("{}").split(",")] for k, v in got})
            sums = c.rows("select sum(money) from accounts")
            if int(sums[0][0]) != ACCOUNTS * MONEY:
                res.add("pamir", "anomaly", error=f"node {n.number}: the accounts sum up to {sums[0][0]}")
        if any(l != lists[0] for l in lists):
            res.add("pamir", "anomaly", error="the nodes do not hold the same lists")
        done = [t for c in clients for t in c.done]
        found = history.check(done, lists[0])
        found += [f"sum: {s}" for c in clients for s in c.sums if s != ACCOUNTS * MONEY]
        for f in found:
            res.add("pamir", "anomaly", error=f[:500])
        codes = {}
        for c in clients:
            for k, v in c.codes.items():
                codes[k] = codes.get(k, 0) + v
        lab.say(f"errors that clients saw: {codes}")
        res.add("pamir", "history", transactions=len(done), acknowledged=sum(t.outcome == "ok" for t in done), unknown=sum(t.outcome == "unknown" for t in done),
                sums=sum(len(c.sums) for c in clients), anomalies=len(found), **{f"errors_{k}": v for k, v in codes.items()})
    finally:
        world.stop.set()
        for n in all_nodes:
            n.thaw()
            n.kill()
            n.group.remove()
        if not any(r["error"] for r in res.rows):
            shutil.rmtree(directory, ignore_errors=True)
    return res


def report(res):
    rows, checks = [], []
    everything = []
    for name in FAULTS:
        got = res.values("pamir", name, "resumed_s")
        everything += got
        if got:
            rows.append([name, len(got), number(statistics.median(got)), number(max(got))])
    text = "Seconds until writes went on:\n\n" + table(["the leader is", "times", "median", "worst"], rows)
    rows = []
    for n in range(1, NODES + 1):
        for metric, unit in (("memory", 1 << 20), ("files", 1), ("disk", 1 << 20)):
            got = res.values("pamir", f"node {n}", metric)
            if third := len(got) // 3:
                rows.append([n, metric, *(number(max(got[k * third:(k + 1) * third]) / unit) for k in range(3))])
    text += "\n\nThe most that nodes had in each third of the rounds (memory and disk in MiB):\n\n" + table(["node", "what", "first", "second", "last"], rows)
    seen = {r["metric"]: r["value"] for r in res.rows if r["case"] == "history"}
    text += "\n\n" + ", ".join(f"{k} {v}" for k, v in seen.items())
    checks.append(Check("writes resume, median", statistics.median(everything) if everything else None, 2, most=True, unit=" s"))
    checks.append(Check("writes resume, worst", max(everything, default=None), 5, most=True, unit=" s"))
    checks.append(Check("anomalies", float(seen["anomalies"]) if "anomalies" in seen else None, 0, most=True, unit=""))
    return text, checks
