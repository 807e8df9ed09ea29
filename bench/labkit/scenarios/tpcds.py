"""TPC-DS, all 99 queries beside PostgreSQL (labkit/tpc)."""
from .. import tpc

TITLE = "TPC-DS"
LINE = "all 99 queries equal and finished, none over 5x PostgreSQL's time"
MINUTES = {"full": 15, "quick": 3}
STATEMENT_SECONDS = 30


def run(lab):
    return tpc.measure("tpcds", lab, lab.args.scale or lab.pick(0.1, 0.01), STATEMENT_SECONDS)


def report(res):
    return tpc.report(res, most=5, total=None)
