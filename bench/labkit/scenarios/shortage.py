"""What is short costs one session: churn of connections and tables keeps memory, descriptors and files level; greedy statements, few descriptors and half-open sockets.

- *churn*: connections that create, fill and drop a table and go; resident memory, descriptors and files at a quarter of the time and at its end.
- *greedy*: four sessions that build values as large as they can beside one that selects; the most memory resident, of what the settings add up to.
- *descriptors*: 1,000 clients under `ulimit -n 256`: held, refused (53300), or left waiting.
- *sockets*: 20,000 half-open sockets on both ports; how long a log-in and a /health take beside them.
"""
import os
import resource
import socket
import threading
import time
import urllib.request

from .. import pgwire, proc
from ..results import Check, table
from ..systems import Failed

TITLE = "Shortages"
LINE = "Churn keeps memory, descriptors and files level; greedy statements stay under cache, budgets and 20%; few descriptors and 20,000 half-open sockets lock nobody out"
MINUTES = {"full": 14, "quick": 2}
CHURNERS = 8
BUDGET_MB = {"--query-memory": 512, "--version-memory": 128}
# Of the settings, and what has none of its own: 64 MiB.
OVERHEAD_MB = 64
GREEDY = [
    "select length(repeat('x', 500000000))",
    "select length(string_agg(repeat('x', 1000000), '')) from generate_series(1, 900)",
    "select length(array_fill(repeat('x', 1000000), array[400])::text)",
    "select length(replace(repeat('a', 100000), 'a', repeat('b', 5000)))",
    "with recursive d (s, n) as (select repeat('x', 1000000), 1 union all select s || s, n + 1 from d where n < 12) select length(s) from d",
    "select array_length(array_agg(i), 1) from generate_series(1, 5000000) i",
]


def level(system):
    files = sum(len(f) for _, _, f in os.walk(system.directory))
    return {"rss_mb": resident(system, "VmRSS"), "fds": len(os.listdir(f"/proc/{system.pid}/fd")), "files": files}


def resident(system, line):
    text = proc.read(f"/proc/{system.pid}/status")
    return next(int(x.split()[1]) / 1024 for x in text.splitlines() if x.startswith(line))


def churn(lab, seconds):
    system = lab.empty("pamir")
    stop, errors, rounds = threading.Event(), [], [0]

    def one(n):
        i = 0
        while not stop.is_set():
            i += 1
            try:
                c = pgwire.Connection(system)
                c.query(f"create table churn_{n}_{i} (id int primary key, s text)")
                c.query(f"insert into churn_{n}_{i} select i, repeat('x', 50) from generate_series(1, 200) i")
                c.query(f"create index on churn_{n}_{i} (s)")
                c.query(f"drop table churn_{n}_{i}")
                c.close()
                rounds[0] += 1
            except (Failed, OSError) as e:
                errors.append(str(e))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(CHURNERS)]
    for t in threads:
        t.start()
    time.sleep(seconds / 4)
    early = level(system)
    time.sleep(seconds * 3 / 4)
    late = level(system)
    stop.set()
    for t in threads:
        t.join()
    if errors:
        raise Failed(f"{len(errors)} errors, first: {errors[0]}")
    return {"rounds": rounds[0]} | {f"{k}_early": v for k, v in early.items()} | {f"{k}_late": v for k, v in late.items()}


def greedy(lab, seconds):
    system = lab.empty("pamir", [x for k, v in BUDGET_MB.items() for x in (k, f"{v}MiB")])
    stop, codes = threading.Event(), {}

    def one(n):
        c = pgwire.Connection(system)
        i = n
        while not stop.is_set():
            i += 1
            try:
                c.query(GREEDY[i % len(GREEDY)])
                code = "done"
            except Failed as e:
                code = str(e).split(":")[0]
            codes[code] = codes.get(code, 0) + 1

    threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    neighbour, worst, end = pgwire.Connection(system), 0, time.time() + seconds
    while time.time() < end:
        started = time.time()
        neighbour.query("select 1")
        worst = max(worst, time.time() - started)
        time.sleep(0.01)
    stop.set()
    for t in threads:
        t.join()
    other = sum(n for c, n in codes.items() if c not in ("done", "53200"))
    allowed = system.buffer_mb + sum(BUDGET_MB.values()) + OVERHEAD_MB
    return {"done": codes.get("done", 0), "refused": codes.get("53200", 0), "other": other, "neighbour_ms": worst * 1000, "peak_share": resident(system, "VmHWM") / allowed}


def descriptors(lab):
    system = lab.all["pamir"]
    lab.discard("pamir")
    # A shell sets the limit for good: a server raises its own as far as it may.
    plain = system.command
    system.command = lambda *a: ["sh", "-c", 'ulimit -n 256 && exec "$0" "$@"', *plain(*a)]
    try:
        lab.empty("pamir")
    finally:
        system.command = plain
    held, refused, waiting = [], 0, 0
    for _ in range(1000):
        try:
            held.append(pgwire.Connection(system, timeout=5))
        except Failed as e:
            refused += "53300" in str(e) or "closed" in str(e)
        except OSError:
            waiting += 1
    for c in held:
        c.query("select 1")
    n = len(held)
    for c in held:
        c.close()
    time.sleep(0.5)
    pgwire.Connection(system).query("create table after (a int)")
    return {"held": n, "refused": refused, "waiting": waiting}


def sockets(lab, n):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    n = min(n, hard - 1000)
    system = lab.empty("pamir")
    mute = []
    for i in range(n):
        try:
            mute.append(socket.create_connection(("127.0.0.1", system.http if i % 4 == 0 else system.port), 5))
        except OSError:
            pass
    worst = {"login_ms": 0, "health_ms": 0}
    for _ in range(50):
        t = time.time()
        c = pgwire.Connection(system, timeout=5)
        c.query("select 1")
        worst["login_ms"] = max(worst["login_ms"], 1000 * (time.time() - t))
        c.close()
        t = time.time()
        urllib.request.urlopen(f"http://127.0.0.1:{system.http}/health", timeout=5).read()
        worst["health_ms"] = max(worst["health_ms"], 1000 * (time.time() - t))
        time.sleep(0.1)
    opened = len(mute)
    for s in mute:
        s.close()
    return {"opened": opened} | worst


def run(lab):
    res = lab.results("shortage")
    res.point(lab, "pamir", "churn", 0, lambda: churn(lab, lab.seconds(600, 20)))
    res.point(lab, "pamir", "greedy", 0, lambda: greedy(lab, lab.seconds(60, 15)))
    res.point(lab, "pamir", "descriptors", 0, lambda: descriptors(lab))
    res.point(lab, "pamir", "sockets", 0, lambda: sockets(lab, lab.pick(20_000, 4000)))
    return res


def report(res):
    m = lambda case, name: res.median("pamir", case, name)  # noqa: E731
    grown = lambda name: (m("churn", f"{name}_late") or 0) / m("churn", f"{name}_early") if m("churn", f"{name}_early") else None  # noqa: E731
    rows = [["churn, rounds", res.cell("pamir", "churn", "rounds")]]
    rows += [[f"churn, {k}", f"{m('churn', k + '_early') or 0:.0f} to {m('churn', k + '_late') or 0:.0f}"] for k in ("rss_mb", "fds", "files")]
    rows += [[f"greedy, {k}", res.cell("pamir", "greedy", k)] for k in ("done", "refused", "neighbour_ms")]
    rows += [[f"256 descriptors, {k}", res.cell("pamir", "descriptors", k)] for k in ("held", "refused", "waiting")]
    rows += [[f"half-open sockets, {k}", res.cell("pamir", "sockets", k)] for k in ("opened", "login_ms", "health_ms")]
    checks = [Check(f"churn: {k}, late beside early", grown(k), 1.1, most=True) for k in ("rss_mb", "fds", "files")]
    checks += [
        Check("greedy: most resident, of cache and budgets", m("greedy", "peak_share"), 1.2, most=True),
        Check("greedy: errors other than 53200", m("greedy", "other"), 0, most=True, unit=""),
        Check("256 descriptors: clients left waiting", m("descriptors", "waiting"), 0, most=True, unit=""),
        Check("half-open sockets: slowest log-in", m("sockets", "login_ms"), 100, most=True, unit=" ms"),
    ]
    return table(["what", ""], rows), checks
