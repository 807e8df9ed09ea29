"""TPC-C's five transactions (bench/tpcc.lua), foreign keys on, no think times; the consistency conditions are bench/tpcc.sh's to check."""
import os

from .. import drive, stage, systems
from ..results import Check, comparison, ratio

TITLE = "TPC-C"
LINE = "TPC-C written in four ways, 4 warehouses, 16 clients: at least 2x PostgreSQL each"
MINUTES = {"full": 40, "quick": 3}
SCRIPT = os.path.join(os.path.dirname(drive.LUA), "tpcc.lua")
STYLES = ["text", "batch", "join", "function"]
TABLES = ["warehouse", "district", "customer", "history", "orders", "new_order", "item", "stock", "order_line"]


def run(lab):
    res = lab.results("tpcc")
    options = [f"--warehouses={lab.pick(4, 1)}", f"--customers={lab.pick(3000, 300)}", f"--items={lab.pick(100_000, 2000)}"]

    def fill(system):
        out = drive.sysbench(system, SCRIPT, "prepare", options=options)
        if out.returncode:
            raise systems.Failed(f"tpcc prepare: {drive.why(out)}")

    data = stage.Load("tpcc-functions-" + lab.pick("4", "small"), fill, TABLES)
    for rep in range(lab.reps(5)):
        for style in STYLES:
            for s in lab.systems("pamir", "postgres"):
                seconds, written = lab.seconds(60, 5), [*options, f"--style={style}"]
                res.point(lab, s, case(style), rep, lambda: drive.figures(drive.measure(lab.enter(s, data), SCRIPT, 16, seconds, options=written)))
    return res


def case(style):
    return f"4 warehouses, {style}/16"


def report(res):
    cases = [case(s) for s in STYLES]
    text = "All five transactions a second:\n\n" + comparison(res, cases, label="size, style/clients") + "\n\np95 in ms:\n\n" + comparison(res, cases, "p95_ms", label="size, style/clients")
    return text, [Check(f"TPC-C, {s}", ratio(res.median("pamir", case(s)), res.median("postgres", case(s))), 2) for s in STYLES]
