"""TPC-C's five transactions (bench/tpcc.lua), foreign keys on, no think times; the consistency conditions are bench/tpcc.sh's to check."""
import os

from .. import drive, stage, systems
from ..results import Check, comparison, ratio

TITLE = "TPC-C"
LINE = "TPC-C, 4 warehouses, 16 clients: at least 2x PostgreSQL"
MINUTES = {"full": 15, "quick": 1}
SCRIPT = os.path.join(os.path.dirname(drive.LUA), "tpcc.lua")
TABLES = ["warehouse", "district", "customer", "history", "orders", "new_order", "item", "stock", "order_line"]


def run(lab):
    res = lab.results("tpcc")
    options = [f"--warehouses={lab.pick(4, 1)}", f"--customers={lab.pick(3000, 300)}", f"--items={lab.pick(100_000, 2000)}"]

    def fill(system):
        out = drive.sysbench(system, SCRIPT, "prepare", options=options)
        if out.returncode:
            raise systems.Failed(f"tpcc prepare: {drive.why(out)}")

    data = stage.Load("tpcc-" + lab.pick("4", "small"), fill, TABLES)
    for rep in range(lab.reps(5)):
        for s in lab.systems("pamir", "postgres"):
            seconds = lab.seconds(60, 5)
            res.point(lab, s, "4 warehouses/16", rep, lambda: drive.figures(drive.measure(lab.enter(s, data), SCRIPT, 16, seconds, options=options)))
    return res


def report(res):
    case = "4 warehouses/16"
    text = "All five transactions a second:\n\n" + comparison(res, [case], label="size/clients") + "\n\np95 in ms:\n\n" + comparison(res, [case], "p95_ms", label="size/clients")
    return text, [Check("TPC-C", ratio(res.median("pamir", case), res.median("postgres", case)), 2)]
