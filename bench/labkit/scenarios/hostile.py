"""Hostile statements, one, two and four attackers at a time, beside eight clients that select by key: how long the neighbours wait, how long a log-in takes, and how soon a statement ends
after its timeout, a cancel, its client's going; then three heavy reports in a loop beside the same clients; at last SIGTERM while attackers are at work.

The neighbours are a process of their own. A statement that ends by itself is begun again until its time is up. PostgreSQL is told to look for its clients (client_connection_check_interval), which
it does not by default.
"""
import multiprocessing
import random
import re
import selectors
import socket
import struct
import threading
import time
import urllib.request

from .. import hostile, pgwire
from ..results import Check, NAMES, table
from ..stage import Load
from ..systems import Failed

TITLE = "Hostile statements"
LINE = "beside each of the hostile statements the neighbours' p99 is under 50 ms and their worst under 250 ms, a log-in under 100 ms; every statement ends within 1 s of its timeout, of a cancel, of its client's going; its memory is free again within 2 s; SIGTERM ends the server within 10 s"
MINUTES = {"full": 45, "quick": 8}
NEIGHBOURS = 8
TIMEOUT = 1.0
# A statement that is told to end and does not is given up after this long.
PATIENCE = 30.0
# What plans, statistics and connections may keep of a statement that has ended.
KEPT = 64 << 20
REPORTS = [
    "select a.k, count(*), sum(length(b.v)) from hostile a join hostile b on a.k = b.k group by a.k order by 2 desc limit 10",
    "select v, rank() over (partition by k order by v) from hostile order by v desc limit 20",
    "select count(*) from hostile a join hostile b on a.id = b.id + 1 join hostile c on c.k = b.k where a.v < c.v",
]


class Attacker(pgwire.Connection):
    """A connection that can be left alone with its statement."""

    def __init__(self, system, timeout=PATIENCE + 30):
        self.key = None
        super().__init__(system, timeout)
        self.system = system

    def until_ready(self):
        if self.key is None:
            while True:
                kind, length = struct.unpack("!ci", self.read(5))
                body = self.read(length - 4)
                if kind == b"K":
                    self.key = body
                elif kind == b"E":
                    raise Failed(f"log-in: {body!r}")
                elif kind == b"Z":
                    return
        super().until_ready()

    @property
    def pid(self):
        return struct.unpack("!i", self.key[:4])[0]

    def send(self, sql):
        body = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)

    def outcome(self):
        """Its SQLSTATE, or an empty string."""
        try:
            self.until_ready()
            return ""
        except Failed as e:
            return str(e)[:5]

    def cancel(self):
        with socket.create_connection(("127.0.0.1", self.system.port), 10) as s:
            s.sendall(struct.pack("!ii", 16, 80877102) + self.key)
            s.settimeout(PATIENCE)
            s.recv(1)


def neighbours(system, pipe):
    """Closed loops of point selects; answers each word from the pipe with (median, p99, worst, count) since the word before."""
    poll, waiting, times = selectors.DefaultSelector(), {}, []
    connections = [pgwire.Connection(system) for _ in range(NEIGHBOURS)]

    def ask(c):
        waiting[c] = time.perf_counter()
        body = b"select v from hostile where id = %d\0" % random.randint(1, 100000)
        c.socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)

    for c in connections:
        poll.register(c.socket, selectors.EVENT_READ, c)
        ask(c)
    poll.register(pipe, selectors.EVENT_READ)
    while True:
        for key, _ in poll.select():
            if key.data is None:
                if pipe.recv() == "end":
                    return
                now = time.perf_counter()
                # Who waits now has waited that long at least.
                all_ = sorted(times + [now - t for t in waiting.values()])
                pipe.send((all_[len(all_) // 2], all_[int(len(all_) * 0.99)], all_[-1], len(times)))
                times = []
                continue
            c = key.data
            c.until_ready()
            times.append(time.perf_counter() - waiting[c])
            ask(c)


class Neighbours:
    def __init__(self, system):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=neighbours, args=(system, theirs), daemon=True)
        self.process.start()
        self.take()

    def take(self):
        self.pipe.send("now")
        if not self.pipe.poll(120):
            raise Failed("the neighbours' clients stand still")
        return dict(zip(("median", "p99", "worst", "count"), self.pipe.recv()))

    def end(self):
        self.pipe.send("end")
        self.process.join(10)
        self.process.kill()


def logins(system, pipe):
    """Log-ins, one every tenth of a second, until the pipe says something; answers with the longest."""
    worst = 0.0
    while not pipe.poll(0.1):
        begun = time.perf_counter()
        try:
            pgwire.Connection(system, PATIENCE).close()
        except (Failed, OSError):
            pass
        worst = max(worst, time.perf_counter() - begun)
    pipe.send(worst)


class Logins:
    """A process of its own too: the attackers' long texts keep the interpreter to themselves for tenths of a second while they are put together."""

    def __init__(self, system):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=logins, args=(system, theirs), daemon=True)
        self.process.start()

    def end(self):
        self.pipe.send("end")
        worst = self.pipe.recv() if self.pipe.poll(PATIENCE + 5) else PATIENCE
        self.process.join(1)
        return worst

    def kill(self):
        self.process.kill()


def together(n, work):
    """n threads; their results."""
    out, threads = [], []
    def one():
        try:
            out.append(work())
        except (Failed, OSError):
            # Not even a log-in.
            out.append(PATIENCE)

    for _ in range(n):
        threads.append(threading.Thread(target=one, daemon=True))
        threads[-1].start()
    for t in threads:
        t.join(PATIENCE * 2)
    return out + [PATIENCE] * (n - len(out))


def after_timeout(system, sql):
    """How long after its timeout the statement ends."""
    c = Attacker(system)
    try:
        c.query(f"set statement_timeout = {int(TIMEOUT * 1000)}")
        until, late = time.perf_counter() + TIMEOUT, 0.0
        while time.perf_counter() < until:
            begun = time.perf_counter()
            c.send(sql)
            # The clock starts when all of it is there.
            begun = time.perf_counter() if len(sql) > 1 << 20 else begun
            c.outcome()
            late = max(late, time.perf_counter() - begun - TIMEOUT)
        return late
    except OSError:
        return PATIENCE
    finally:
        c.close()


def after_cancel(system, sql):
    c = Attacker(system)
    try:
        c.send(sql)
        time.sleep(0.3)
        begun = time.perf_counter()
        c.cancel()
        c.outcome()
        return time.perf_counter() - begun
    except OSError:
        return PATIENCE
    finally:
        c.close()


def after_going(system, sql):
    c = Attacker(system)
    pid = c.pid
    c.send(sql)
    time.sleep(0.3)
    c.close()
    begun = time.perf_counter()
    watch = Attacker(system)
    try:
        while time.perf_counter() - begun < PATIENCE:
            try:
                watch.query(f"select 1 / (select count(*) from pg_stat_activity where pid = {pid})::int")
            except Failed:
                return time.perf_counter() - begun
            time.sleep(0.02)
        return PATIENCE
    finally:
        watch.close()


def in_use(system):
    """Bytes that count against Pamir's limit; others do not say."""
    if system.name != "pamir":
        return 0
    with urllib.request.urlopen(f"http://127.0.0.1:{system.http}/metrics", timeout=PATIENCE) as page:
        return float(re.search(r"(?m)^pamir_process_memory_used_bytes (.*)$", page.read().decode()).group(1))


def given_back(system, before):
    """How long it takes until the memory of statements that have ended is free again, but for what caches may keep of them."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < PATIENCE:
        if in_use(system) <= before + KEPT:
            return time.perf_counter() - begun
        time.sleep(0.02)
    return PATIENCE


def attack(system, name, n):
    sql = hostile.text(name)
    before = in_use(system)
    beside, entering = Neighbours(system), Logins(system)
    try:
        beside.take()
        late = max(together(n, lambda: after_timeout(system, sql)))
        got = beside.take()
        got |= {"timeout": max(late, 0.0), "cancel": max(together(n, lambda: after_cancel(system, sql))), "gone": max(together(n, lambda: after_going(system, sql)))}
        got["memory"] = given_back(system, before)
        return {k: v * (1 if k == "count" else 1000) for k, v in (got | {"login": entering.end()}).items()}
    finally:
        entering.kill()
        beside.end()


def reports(system, seconds):
    """Three heavy reports in a loop."""
    beside, stop = Neighbours(system), threading.Event()

    def loop(sql):
        c = Attacker(system)
        n = 0
        while not stop.is_set():
            c.query(sql)
            n += 1
        c.close()
        return n

    threads = [threading.Thread(target=loop, args=(sql,), daemon=True) for sql in REPORTS]
    try:
        for t in threads:
            t.start()
        time.sleep(1)
        beside.take()
        time.sleep(seconds)
        return {k: v * (1 if k == "count" else 1000) for k, v in beside.take().items()}
    finally:
        stop.set()
        for t in threads:
            t.join(PATIENCE)
        beside.end()


def termination(system, names):
    """SIGTERM while each of `names` runs."""
    held = []
    for n in names:
        c = Attacker(system)
        c.send(hostile.text(n))
        held.append(c)
    time.sleep(0.5)
    begun = time.perf_counter()
    system.stop()
    took = time.perf_counter() - begun
    for c in held:
        c.close()
    return {"seconds": took}


def fill(system):
    system.sql(";\n".join(hostile.TABLE))


def run(lab):
    res, load = lab.results("hostile"), Load("hostile", fill, ["hostile"])
    extra = {"postgres": ["client_connection_check_interval=500ms"]}
    names = lab.args.workloads.split(",") if getattr(lab.args, "workloads", None) else list(hostile.STATEMENTS)
    for s in lab.systems("pamir", "postgres"):
        def enter(fresh):
            return lab.enter(s, load, fresh=fresh, extra=extra.get(s, []))

        for n in lab.pick([1, 2, 4], [2]):
            for name in names:
                res.point(lab, s, f"{name} x{n}", 0, lambda: attack(enter(False), name, n))
        res.point(lab, s, "reports", 0, lambda: reports(enter(True), lab.seconds(20, 5)))
        ends = ["series bigint", "md5", "regexp states", "in list", "like one piece", "sleep"]
        res.point(lab, s, "SIGTERM", 0, lambda: termination(enter(True), ends))
    return res


def report(res):
    systems = res.systems()
    cases = [c for c in dict.fromkeys(r["case"] for r in res.rows) if " x" in c]
    columns = ["median", "p99", "worst", "login", "timeout", "cancel", "gone", "memory"]
    rows = [[c, NAMES[s], *(res.cell(s, c, m) for m in columns)] for c in cases for s in systems]
    worst = lambda m: max((res.median("pamir", c, m) or 0 for c in cases), default=0)  # noqa: E731
    checks = [
        Check("the neighbours' p99", worst("p99"), 50, most=True, unit=" ms"),
        Check("the neighbours' worst", worst("worst"), 250, most=True, unit=" ms"),
        Check("a log-in", worst("login"), 100, most=True, unit=" ms"),
        *(Check(f"a statement's end after {what}", worst(m), 1000, most=True, unit=" ms") for m, what in (("timeout", "its timeout"), ("cancel", "a cancel"), ("gone", "its client's going"))),
        Check("memory given back after the end", worst("memory"), 2000, most=True, unit=" ms"),
        Check("SIGTERM", res.median("pamir", "SIGTERM", "seconds"), 10, most=True, unit=" s"),
    ]
    for m in ("median", "p99"):
        checks.append(Check(f"{m} beside three reports, beside PostgreSQL's", res.median("pamir", "reports", m), res.median("postgres", "reports", m) or 0, most=True, unit=" ms"))
    rows += [["three reports", NAMES[s], *(res.cell(s, "reports", m) for m in columns[:3]), "", "", "", "", ""] for s in systems]
    return table(["statement, attackers", "system", "median ms", "p99", "worst", "log-in", "end after timeout", "after cancel", "after going", "memory back"], rows), checks
