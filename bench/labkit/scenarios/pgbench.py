"""pgbench's TPC-B and select-only scripts over the simple, extended and prepared protocol."""
from .. import drive, stage, systems
from ..results import Check, comparison, ratio

TITLE = "pgbench, three protocols"
LINE = "`pgbench -M` simple, extended and prepared, TPC-B and -S, scale 20, 32 clients: at least 2x PostgreSQL"
MINUTES = {"full": 21, "quick": 2}
TABLES = ["pgbench_accounts", "pgbench_branches", "pgbench_tellers"]
CASES = [(script, mode) for script in ("select", "tpcb") for mode in ("simple", "extended", "prepared")]


def load(scale):
    def fill(system):
        out = systems.run(["pgbench", "-i", "-q", "-s", str(scale)], env=system.env())
        if out.returncode:
            raise systems.Failed(f"pgbench -i: {drive.why(out)}")

    return stage.Load(f"pgbench-{scale}", fill, TABLES)


def run(lab):
    res, data = lab.results("pgbench"), load(lab.pick(20, 4))
    seconds = lab.seconds(15)
    for script, mode in CASES:
        for rep in range(lab.reps(5)):
            for s in lab.systems("pamir", "postgres"):
                options = ["-M", mode, *(["-S"] if script == "select" else [])]
                fresh = script == "tpcb" and not (lab.quick and mode != "simple")
                res.point(lab, s, f"{script}/{mode}", rep, lambda: drive.pgbench(lab.enter(s, data, fresh=fresh), 32, seconds, options))
    return res


def report(res):
    checks = [Check(f"pgbench {c}", ratio(res.median("pamir", c), res.median("postgres", c)), 2) for c in res.cases()]
    return "Transactions a second, 32 clients:\n\n" + comparison(res, res.cases(), label="script/protocol"), checks
