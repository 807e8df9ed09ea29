"""One row updated by 64 clients (bench/lua/hot_row.lua). At the end the row must hold as many updates as were acknowledged: none lost, none twice."""
from .. import drive, stage, systems
from ..results import Check, comparison, NAMES, ratio

TITLE = "One hot row"
LINE = "A single hot row updated by 64 clients: at least 5x PostgreSQL's and MariaDB's TPS"
MINUTES = {"full": 6, "quick": 1}
CASE = "one row/64"


def fill(system):
    out = drive.sysbench(system, "hot_row", "prepare")
    if out.returncode:
        raise systems.Failed(f"hot_row prepare: {drive.why(out)}")


def one(lab, name, load, seconds):
    system = lab.enter(name, load)
    m = drive.measure(system, "hot_row", 64, seconds)
    count = int(system.sql("select n from hot"))
    # sysbench reports what it counted; statements in flight when the time is up are still run and counted.
    if count != int(m["transactions"]):
        raise systems.Failed(f"the row holds {count} updates, {m['transactions']:.0f} were acknowledged")
    return drive.figures(m)


def run(lab):
    res, load = lab.results("hotrow"), stage.Load("hot-row", fill, ["hot"])
    for rep in range(lab.reps(5)):
        for s in lab.systems(*NAMES):
            seconds = lab.seconds(15)
            res.point(lab, s, CASE, rep, lambda: one(lab, s, load, seconds))
    return res


def report(res):
    checks = [Check(f"hot row beside {NAMES[s]}", ratio(res.median("pamir", CASE), res.median(s, CASE)), 5) for s in ("postgres", "mariadb")]
    return "Updates a second:\n\n" + comparison(res, [CASE], label="case/clients"), checks
