"""A rolling upgrade from an earlier build to this one, back, and there again, under clients at every node; what clients were told is held against what is there.

Three processes on this machine. The earlier build is made from a revision of this repository (`--revision`, by default the newest tag) in a cache outside of the tree, or named with `--before`. In
turn each node is drained, stopped in order and started with the other build, the leader last: to this build with `--hold-format`, back to the earlier one, to this one again. Then
`pamir cluster finalize-upgrade`; an old build that is started after that must be refused. Clients move money, append to lists, read and sum up all the while.
"""
import os
import shutil
import subprocess
import time

from .. import cluster, history, pgwire, systems
from ..results import Check, table
from ..systems import ROOT, Failed, run as sh
from .failover import ACCOUNTS, CLIENTS, MONEY, Client, World

TITLE = "Rolling upgrade"
LINE = "To the next build, back and there again, node by node under load: no acknowledged commit lost, no anomaly; the old build is refused once the format has risen"
MINUTES = {"full": 4, "quick": 2}
NODES, BASE = 3, 26400
WELL_SECONDS = 60
# How long an old build that comes too late may take to end, or must not serve.
LATE_SECONDS = 10


def earlier(lab):
    """The binary of an earlier build, and what it is called."""
    if lab.args.before:
        return lab.args.before, os.path.basename(lab.args.before)
    revision = lab.args.revision or sh(["git", "-C", ROOT, "describe", "--tags", "--abbrev=0"]).stdout.strip()
    commit = sh(["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]).stdout.strip() if revision else ""
    if not commit:
        raise Failed("which build is upgraded? --revision REV, as git knows it, or --before FILE; there is no tag" if not revision else f"there is no revision {revision}")
    cache = os.environ.get("PAMIR_LAB_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "pamir-lab")
    binary = f"{cache}/pamir-{commit[:12]}"
    if not os.path.exists(binary):
        lab.say(f"building {commit[:12]}, once")
        source = f"{cache}/source"
        shutil.rmtree(source, ignore_errors=True)
        os.makedirs(source)
        subprocess.run(f"git -C {ROOT} archive {commit} | tar -x -C {source}", shell=True, check=True)
        out = sh(["cargo", "build", "--release", "-p", "pamir"], cwd=source, env=os.environ | {"CARGO_TARGET_DIR": f"{cache}/target"})
        if out.returncode:
            raise Failed(f"{revision} does not build: {out.stderr.strip()[-400:]}")
        shutil.copy(f"{cache}/target/release/pamir", f"{binary}.new")
        os.rename(f"{binary}.new", binary)
    return binary, commit[:12]


def is_well(node):
    return node.alive() and cluster.http(f"http://127.0.0.1:{node.http}/health/ready")[0] == 200


def await_well(nodes):
    """Until somebody leads and all are ready; the leader."""
    end = time.time() + WELL_SECONDS
    while time.time() < end:
        leaders = [n for n in nodes if n.leads()]
        if len(leaders) == 1 and all(is_well(n) for n in nodes):
            return leaders[0]
        time.sleep(0.05)
    raise Failed("the cluster is not well: " + ", ".join(f"{n.name} {'leads' if n.leads() else 'is ready' if is_well(n) else 'is not ready'}" for n in nodes))


class Rolling:
    def __init__(self, lab, res, nodes, clients, directory):
        self.lab, self.res, self.nodes, self.clients, self.directory = lab, res, nodes, clients, directory

    def codes(self):
        all_codes = {}
        for c in self.clients:
            for k, v in list(c.codes.items()):
                all_codes[k] = all_codes.get(k, 0) + v
        return all_codes

    def acknowledged(self):
        return sum(t.outcome == "ok" for c in self.clients for t in list(c.done))

    def to(self, what, binary, extra):
        """Every node gets that build, the leader last. What clients saw meanwhile goes into the results."""
        before, acknowledged, since = self.codes(), self.acknowledged(), time.time()
        left = list(self.nodes)
        while left:
            leader = await_well(self.nodes)
            node = next((n for n in left if n is not leader), leader)
            number = int(node.sql("select node from pamir_catalog.cluster_status"))
            node.sql(f"select pamir_catalog.cluster_drain({number})")
            node.stop()
            node.binary, node.extra = binary, extra
            node.start(f"{self.directory}/{node.number}")
            left.remove(node)
        await_well(self.nodes)
        time.sleep(self.lab.pick(5, 1))
        errors = {k: v - before.get(k, 0) for k, v in self.codes().items() if v > before.get(k, 0)}
        took, commits = time.time() - since, self.acknowledged() - acknowledged
        self.lab.say(f"upgrade: {what}: {took:.0f} s, {commits} acknowledged, errors that clients saw: {errors or 'none'}")
        self.res.add("pamir", what, seconds=took, acknowledged=commits, errors=sum(errors.values()), **{f"errors_{k}": v for k, v in errors.items()})

    def wrong(self, why):
        self.res.add("pamir", "wrong", error=why)

    def format(self):
        return [n.sql("select format || coalesce(' ' || format_waits, '') from pamir_catalog.cluster_status") for n in self.nodes]

    def finalize(self, new):
        """The format rises, and the old build comes too late."""
        held = self.format()
        if any("held down" not in f for f in held):
            self.wrong(f"the format is not held down: {held}")
        out = sh([new, "cluster", "finalize-upgrade", "--pg-addr", f"127.0.0.1:{self.nodes[0].port}"])
        if out.returncode:
            self.wrong(f"finalize-upgrade: {out.stderr.strip()}")
        end = time.time() + WELL_SECONDS
        while len(set(self.format())) > 1 and time.time() < end:
            time.sleep(0.1)
        risen = self.format()
        if len(set(risen)) > 1 or risen[0] == held[0].split()[0]:
            self.wrong(f"the format has not risen: {risen}")
        self.lab.say(f"upgrade: finalized: format {held[0]} -> {risen[0]}")

    def too_late(self, old, new):
        leader = await_well(self.nodes)
        node = next(n for n in self.nodes if n is not leader)
        node.stop()
        node.binary, node.extra = old, []
        # It ends by itself, or runs without ever being let in.
        patience, systems.START_SECONDS = systems.START_SECONDS, LATE_SECONDS
        try:
            node.start(f"{self.directory}/{node.number}")
            end = time.time() + LATE_SECONDS
            while node.alive() and time.time() < end:
                if is_well(node):
                    self.wrong("an old build serves after the format has risen")
                    break
                time.sleep(0.1)
        except Failed as e:
            self.lab.say(f"upgrade: the old build, too late: {e}")
        finally:
            systems.START_SECONDS = patience
        node.kill()
        node.binary = new
        node.start(f"{self.directory}/{node.number}")
        await_well(self.nodes)


def check(res, nodes, clients):
    lists = []
    for n in nodes:
        c = pgwire.Connection(n)
        lists.append({int(k): [int(x) for x in v.strip("{}").split(",")] for k, v in c.rows("select k, v from lists order by k")})
        money = int(c.rows("select sum(money) from accounts")[0][0])
        if money != ACCOUNTS * MONEY:
            res.add("pamir", "wrong", error=f"{n.name}: the accounts sum up to {money}")
    if any(l != lists[0] for l in lists):
        res.add("pamir", "wrong", error="the nodes do not hold the same lists")
    done = [t for c in clients for t in c.done]
    found = history.check(done, lists[0]) + [f"sum: {s}" for c in clients for s in c.sums if s != ACCOUNTS * MONEY]
    for f in found:
        res.add("pamir", "wrong", error=f[:500])
    res.add("pamir", "history", transactions=len(done), acknowledged=sum(t.outcome == "ok" for t in done), unknown=sum(t.outcome == "unknown" for t in done), anomalies=len(found))


def run(lab):
    res = lab.results("upgrade")
    old, called = earlier(lab)
    new = lab.args.pamir or cluster.Node(0, 0, 0, None).binary
    directory = f"{lab.base}/upgrade"
    shutil.rmtree(directory, ignore_errors=True)
    servers = cluster.PamirCluster("pamir", NODES, lab.args.ports or BASE, 256, old)
    nodes, world, clients = servers.members, World(), []
    try:
        lab.say(f"upgrade: from {called} to {new}")
        servers.start(directory)
        first = pgwire.Connection(nodes[0])
        first.query("create table lists (k bigint primary key, v bigint[] not null)")
        first.query("create table accounts (id int primary key, money bigint not null)")
        first.query(f"insert into accounts select i, {MONEY} from generate_series(0, {ACCOUNTS - 1}) i")
        await_well(nodes)
        clients += [Client(world, n, 100 * n.number + i) for n in nodes for i in range(CLIENTS)]
        time.sleep(lab.pick(5, 1))
        rolling = Rolling(lab, res, nodes, clients, directory)
        rolling.to("to the next build", new, ["--hold-format"])
        rolling.to("back", old, [])
        rolling.to("there again", new, ["--hold-format"])
        rolling.finalize(new)
        rolling.too_late(old, new)
        time.sleep(lab.pick(5, 1))
        world.stop.set()
        for c in clients:
            c.thread.join(60)
        await_well(nodes)
        check(res, nodes, clients)
    finally:
        world.stop.set()
        for n in nodes:
            n.kill()
        if not any(r["error"] for r in res.rows):
            shutil.rmtree(directory, ignore_errors=True)
    return res


def report(res):
    whats = ("to the next build", "back", "there again")
    value = {(r["case"], r["metric"]): r["value"] for r in res.rows}
    text = "All three nodes, one by one:\n\n" + table(["", "seconds", "acknowledged", "errors that clients saw"], [[w, *(value.get((w, m), "") for m in ("seconds", "acknowledged", "errors"))] for w in whats])
    seen = {m: v for (c, m), v in value.items() if c == "history"}
    text += "\n\n" + ", ".join(f"{k} {v}" for k, v in seen.items())
    return text, [Check("anomalies", float(seen["anomalies"]) if "anomalies" in seen else None, 0, most=True, unit="")]
