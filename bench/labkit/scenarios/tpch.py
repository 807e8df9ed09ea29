"""TPC-H, all 22 queries beside PostgreSQL (labkit/tpc)."""
from .. import tpc

TITLE = "TPC-H"
LINE = "all 22 queries equal and finished, their total at most PostgreSQL's without parallel workers"
MINUTES = {"full": 8, "quick": 1}
STATEMENT_SECONDS = 30


def run(lab):
    return tpc.measure("tpch", lab, lab.args.scale or lab.pick(0.1, 0.01), STATEMENT_SECONDS)


def report(res):
    return tpc.report(res, most=None, total=1.0)
