"""Bulk loading into a new directory: sysbench's prepare (many-row INSERTs, then CREATE INDEX), and one COPY into a table with a primary key and two indexes."""
import os
import random
import subprocess
import time

from .. import drive
from ..results import Check, comparison, ratio
from ..systems import Failed

TITLE = "Loading"
LINE = "`sysbench prepare`, and a COPY of 5 million rows with two indexes, no slower than PostgreSQL"
MINUTES = {"full": 13, "quick": 2}
TABLE = "create table copied (id int primary key, a int not null, b varchar(60) not null); create index copied_a on copied (a); create index copied_b on copied (b)"


def rows_file(lab, rows):
    path = f"{lab.base}/copied-{rows}.tsv"
    if not os.path.exists(path):
        r = random.Random(1)
        with open(path + ".part", "w") as f:
            for i in range(rows):
                f.write(f"{i}\t{r.randrange(1 << 30)}\t{r.getrandbits(128):032x}\n")
        os.rename(path + ".part", path)
    return path


def prepare(lab, name, size):
    system = lab.empty(name)
    started = time.time()
    out = drive.sysbench(system, "oltp_read_write", "prepare", **size)
    took = time.time() - started
    if out.returncode:
        raise Failed(f"sysbench prepare: {drive.why(out)}")
    return {"seconds": took}


def copy(lab, name, path, rows):
    system = lab.empty(name)
    system.sql(TABLE)
    started = time.time()
    with open(path) as f:
        out = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", "copy copied from stdin"], stdin=f, capture_output=True, text=True, env=system.env())
    took = time.time() - started
    if out.returncode:
        raise Failed(f"COPY: {out.stderr.strip()[:300]}")
    if (n := int(system.sql("select count(*) from copied"))) != rows:
        raise Failed(f"{n} rows after a COPY of {rows}")
    return {"seconds": took}


def run(lab):
    res, size, rows = lab.results("load"), lab.size(), lab.args.rows or lab.pick(5_000_000, 100_000)
    for rep in range(lab.reps(3)):
        for s in lab.systems("pamir", "postgres", "mariadb"):
            res.point(lab, s, "sysbench prepare", rep, lambda: prepare(lab, s, size))
        for s in lab.systems("pamir", "postgres"):
            res.point(lab, s, "COPY", rep, lambda: copy(lab, s, rows_file(lab, rows), rows))
    return res


def report(res):
    checks = [Check(f"{c}: time beside PostgreSQL's", ratio(res.median("pamir", c, "seconds"), res.median("postgres", c, "seconds")), 1, most=True)
              for c in ("sysbench prepare", "COPY")]
    return "Seconds:\n\n" + comparison(res, ["sysbench prepare", "COPY"], "seconds", label="what"), checks
