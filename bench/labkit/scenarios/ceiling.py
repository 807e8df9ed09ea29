"""What client, kernel and protocol leave to any engine here: the reading workloads against a server that speaks the protocol and answers every statement with rows
made beforehand (crates/pamir-pg/examples/ceiling.rs), and Pamir beside it.

`cargo build --release -p pamir-pg --example ceiling` first. No target: it shows which of the others a machine of two cores, shared with the client, allows at all.
"""
import os

from .. import drive
from ..results import ratio, table, times
from ..systems import Failed, PgSystem, ROOT
from .compare import READS

TITLE = "The ceiling"
LINE = "The reading workloads against a server that does nothing, and Pamir's share of its figure"
MINUTES = {"full": 12, "quick": 2}
THREADS = [16, 64, 256]


class Ceiling(PgSystem):
    name, port = "ceiling", 25440

    def command(self, directory, extra):
        binary = os.path.join(ROOT, "target", "release", "examples", "ceiling")
        if not os.path.exists(binary):
            raise Failed(f"{binary} is missing: cargo build --release -p pamir-pg --example ceiling")
        return [binary, f"127.0.0.1:{self.port}"]

    def ready(self):
        # It answers, if not with what was asked.
        return bool(self.psql("-c", "select 1", check=False))


def nothing(lab, workload, t, seconds, size):
    lab.all["pamir"].freeze()
    server = Ceiling()
    os.makedirs(lab.live("ceiling"), exist_ok=True)
    server.start(lab.live("ceiling"))
    try:
        return drive.figures(drive.measure(server, workload, t, seconds, **size))
    finally:
        server.kill()


def run(lab):
    res, load, size, seconds = lab.results("ceiling"), lab.sysbench_load(), lab.size(), lab.seconds(10)
    for workload in READS:
        for t in THREADS:
            for rep in range(lab.reps(3)):
                case = f"{workload}/{t}"
                res.point(lab, "pamir", case, rep, lambda: drive.figures(drive.measure(lab.enter("pamir", load, fresh=False), workload, t, seconds, **size)))
                res.point(lab, "ceiling", case, rep, lambda: nothing(lab, workload, t, seconds, size))
    return res


def report(res):
    rows = []
    for w in READS:
        for t in THREADS:
            c = f"{w}/{t}"
            rows.append([c, res.cell("ceiling", c, "tps"), res.cell("pamir", c, "tps"), times(ratio(res.median("pamir", c), res.median("ceiling", c)))])
    return "Transactions a second:\n\n" + table(["workload/threads", "a server that does nothing", "Pamir", "share"], rows), []
