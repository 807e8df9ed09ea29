"""TPC-H and TPC-DS: data and queries of DuckDB's extensions, loaded by COPY into PostgreSQL and Pamir, each query beside the other's.

    pip install duckdb==1.5.5 duckdb-extension-tpch==1.5.5 duckdb-extension-tpcds==1.5.5

Tables have the primary keys of the specifications and no other index; both systems are analyzed. A query runs until `SPEND` seconds are spent on it, at most `MOST_REPS`
times, and the least time counts: the clock's, and the CPU time of the backend or of Pamir's process, which the ratios are of, so that what else the machine does is no part of them.
PostgreSQL's parallel workers are a column of their own, by the clock; a quick run leaves it out. Answers are compared as sets of rows, numbers by nine digits. Both plans of what takes over
`SHOWN` times PostgreSQL's time, or is wrong, go to NAME.txt beside the CSV.

`--scale` takes another scale factor, `--workloads` a regular expression of the queries' numbers.
"""
import glob
import importlib.util
import os
import re
import shutil
import time

from .. import proc
from ..results import Check, number, table, times
from ..scenarios.plans import Client
from ..systems import Failed

SHOWN, LEAST_MS = 2, 2.0
SPEND, MOST_REPS = 0.5, 5

KEYS = {
    "tpch": "region r_regionkey; nation n_nationkey; part p_partkey; supplier s_suppkey; customer c_custkey; orders o_orderkey; "
    "partsupp ps_partkey, ps_suppkey; lineitem l_orderkey, l_linenumber",
    "tpcds": "call_center cc_call_center_sk; catalog_page cp_catalog_page_sk; catalog_returns cr_item_sk, cr_order_number; "
    "catalog_sales cs_item_sk, cs_order_number; customer c_customer_sk; customer_address ca_address_sk; customer_demographics cd_demo_sk; date_dim d_date_sk; "
    "household_demographics hd_demo_sk; income_band ib_income_band_sk; inventory inv_date_sk, inv_item_sk, inv_warehouse_sk; item i_item_sk; promotion p_promo_sk; "
    "reason r_reason_sk; ship_mode sm_ship_mode_sk; store s_store_sk; store_returns sr_item_sk, sr_ticket_number; store_sales ss_item_sk, ss_ticket_number; "
    "time_dim t_time_sk; warehouse w_warehouse_sk; web_page wp_web_page_sk; web_returns wr_item_sk, wr_order_number; "
    "web_sales ws_item_sk, ws_order_number; web_site web_site_sk",
}
GENERATE = {"tpch": "dbgen", "tpcds": "dsdgen"}
# What is DuckDB's and not SQL's.
TYPES = {"VARCHAR": "text"}


def keys(name):
    return {t.split(" ", 1)[0]: t.split(" ", 1)[1] for t in KEYS[name].split("; ")}


def duck(name):
    """A DuckDB with the extension, from its package or from where DuckDB keeps its own."""
    try:
        import duckdb
    except ImportError as e:
        raise Failed(f"{e}: see bench/labkit/tpc/__init__.py") from e
    db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    found = [f for d in (spec.submodule_search_locations if spec else []) for f in glob.glob(f"{d}/extensions/*/{name}.duckdb_extension")]
    try:
        db.execute(f"load '{found[0]}'" if found else f"load {name}")
    except duckdb.Error as e:
        raise Failed(str(e)) from e
    return db


def make(name, scale, directory):
    """One CSV a table, schema.sql and NUMBER.sql for the queries; kept for the next run."""
    if os.path.exists(f"{directory}/schema.sql"):
        return
    os.makedirs(directory, exist_ok=True)
    db = duck(name)
    db.execute(f"call {GENERATE[name]}(sf={scale})")
    schema = []
    for t, key in keys(name).items():
        db.execute(f"copy {t} to '{directory}/{t}.csv' (format csv, header false, nullstr '\\N')")
        columns = db.execute("select column_name, data_type from duckdb_columns() where table_name = ? order by column_index", [t]).fetchall()
        parts = [f"{c} {TYPES.get(d, d)}" for c, d in columns]
        schema.append(f"create table {t} ({', '.join(parts)}, primary key ({key}))")
    for n, text in db.execute(f"select query_nr, query from {name}_queries()").fetchall():
        with open(f"{directory}/{n}.sql", "w") as f:
            f.write(text.strip().rstrip(";") + "\n")
    with open(f"{directory}/schema.sql", "w") as f:
        f.write(";\n".join(schema) + "\n")


def load(name, system, directory):
    with open(f"{directory}/schema.sql") as f:
        schema = f.read()
    for statement in schema.split(";\n"):
        system.psql("-c", statement)
    for t in keys(name):
        system.psql("-c", f"\\copy {t} from '{directory}/{t}.csv' (format csv, null '\\N')")
    system.checkpoint()
    # Outside of a transaction block, for the peer: a visibility map as a table has that stands for a while.
    system.sql("vacuum analyze" if system.name == "postgres" else "analyze")


def value(field):
    """A number by nine digits, so that sums of doubles and scales of numerics do not count; else the text."""
    if field is not None and re.fullmatch(rb"-?\d+\.\d+([eE][-+]?\d+)?", field):
        return f"{float(field):.9g}"
    return field if field is None else field.decode()


def rows(client):
    """The last answer's rows, in an order of their own."""
    out = []
    for body in client.rows:
        fields, at = [], 2
        for _ in range(int.from_bytes(body[:2], "big")):
            n = int.from_bytes(body[at:at + 4], "big", signed=True)
            at += 4
            fields.append(value(None if n < 0 else bytes(body[at:at + n])))
            at += max(n, 0)
        out.append(tuple(fields))
    return sorted(out, key=repr)


class Asker(Client):
    """A client that knows whose CPU time its queries take."""

    pid = 0

    def ask(self, sql):
        self.simple(sql)
        return self.rows[0][6:].decode()

    def timed(self, sql):
        before = proc.cpu_ns(self.pid)
        took, _ = self.simple(sql)
        return took, (proc.cpu_ns(self.pid) - before) / 1e6


def connect(system, workers, limit):
    c = Asker(system, timeout=limit + 60)
    for q in (f"set statement_timeout = '{limit}s'", "set jit = off", f"set max_parallel_workers_per_gather = {workers}"):
        try:
            c.simple(q)
        except Failed:
            if system.name == "postgres":
                raise
    c.pid = int(c.ask("select pg_backend_pid()")) if system.name == "postgres" else system.pid
    return c


def plan(client, sql):
    """As it ran, where it ends in time."""
    for how in ("explain (analyze, timing off)", "explain"):
        try:
            client.simple(f"{how} {sql}")
            return "\n".join("  " + r[6:].decode(errors="replace") for r in client.rows)
        except Failed as e:
            told = f"  {e}"
        except OSError as e:
            return f"  {e}"
    return told


COLUMNS = (("pamir", "pamir", 0), ("postgres", "postgres", 0), ("workers", "postgres", 2))


def measure(name, lab, scale, limit):
    res = lab.results(f"{name}-{scale:g}" if scale != 0.1 else name)
    data = f"{lab.base}/{name}-{scale:g}"
    make(name, scale, data)
    pair = [lab.all[n] for n in ("postgres", "pamir")]
    columns = COLUMNS[:2] if lab.quick else COLUMNS
    for s in pair:
        directory = f"{data}-{s.name}"
        kept = os.path.exists(directory + ".loaded")
        if not kept:
            shutil.rmtree(directory, ignore_errors=True)
        s.start(directory)
        if not kept:
            started = time.time()
            load(name, s, data)
            open(directory + ".loaded", "w").close()
            lab.say(f"{name}: {s.name} loaded in {time.time() - started:.0f} s")
    clients = {column: connect(lab.all[s], workers, limit) for column, s, workers in columns}
    queries = sorted(int(f[:-4]) for f in os.listdir(data) if re.fullmatch(r"\d+\.sql", f))
    with open(res.path.replace(".csv", ".txt"), "w") as notes:
        for n in queries:
            if lab.args.workloads and not re.fullmatch(lab.args.workloads, str(n)):
                continue
            with open(f"{data}/{n}.sql") as f:
                sql = f.read()
            got, answers, errors = {}, {}, {}
            for column, s, workers in columns:
                spent, reps, best, cpu = 0, 0, None, None
                try:
                    while reps < (lab.args.reps or MOST_REPS) and (reps == 0 or spent < SPEND * 1000):
                        took, used = clients[column].timed(sql)
                        spent, reps = spent + took, reps + 1
                        best, cpu = (took, used) if best is None else (min(best, took), min(cpu, used))
                    got[column], answers[column] = best if workers else cpu, rows(clients[column])
                    res.add(s, f"{n} workers" if workers else n, ms=best, cpu=cpu)
                except (Failed, OSError) as e:
                    errors[column] = " ".join(str(e).split())
                    res.add(s, f"{n} workers" if workers else n, error=errors[column])
                    if not lab.all[s].alive():
                        raise Failed(f"{s} has ended at {n}: {lab.all[s].error_tail()}") from e
                    if isinstance(e, OSError):
                        clients[column] = connect(lab.all[s], workers, limit)
            mine, peer = got.get("pamir"), got.get("postgres")
            wrong = mine is not None and peer is not None and answers["pamir"] != answers["postgres"]
            if wrong:
                res.add("pamir", n, wrong=1)
            over = mine is not None and peer is not None and mine > LEAST_MS and mine > SHOWN * peer
            lab.say(f"{name} {n}: " + ", ".join(f"{c} {number(got[c]) if c in got else errors[c]}" for c, _, _ in columns) + (" WRONG" if wrong else " over" if over else ""))
            if wrong or over or (mine is None and peer is not None):
                notes.write(f"{'WRONG ' if wrong else ''}{n}: {number(mine)} ms beside {number(peer)}\n")
                if wrong:
                    for mark, a, b in (("+", "pamir", "postgres"), ("-", "postgres", "pamir")):
                        others = set(answers[b])
                        notes.writelines(f"  {mark} {r}\n" for r in [r for r in answers[a] if r not in others][:5])
                notes.write(f"{sql}pamir\n{plan(clients['pamir'], sql)}\npostgres\n{plan(clients['postgres'], sql)}\n\n")
                notes.flush()
    for s in pair:
        s.stop()
    return res


def report(res, most, total):
    """`most`: the greatest ratio a query may have (None: any), `total`: the sum's."""
    lines, ratios, sums, unequal, failed = [], {}, {"pamir": 0.0, "postgres": 0.0, "workers": 0.0}, 0, 0
    for n in sorted({int(c.split()[0]) for c in res.cases()}):
        mine, peer, workers = res.median("pamir", n, "cpu"), res.median("postgres", n, "cpu"), res.median("postgres", f"{n} workers", "ms")
        wrong = bool(res.values("pamir", n, "wrong"))
        unequal += wrong
        failed += mine is None and peer is not None
        if mine is not None and peer is not None:
            ratios[n] = mine / max(peer, 0.001) if mine > LEAST_MS else min(mine / max(peer, 0.001), 1)
            sums["pamir"] += mine
            sums["postgres"] += peer
            sums["workers"] += workers or peer
        lines.append([n, *(res.cell(s, n, m) for s in ("pamir", "postgres") for m in ("ms", "cpu")), res.cell("postgres", f"{n} workers", "ms"), times(ratios.get(n)) + (", wrong" if wrong else "")])
    lines.append(["all that both finished", "", number(sums["pamir"]), "", number(sums["postgres"]), number(sums["workers"]), times(sums["pamir"] / sums["postgres"] if sums["postgres"] else None)])
    checks = [Check("unequal answers", unequal, 0, most=True, unit=""), Check("queries that PostgreSQL finishes and Pamir does not", failed, 0, most=True, unit="")]
    if total:
        checks.append(Check("total beside PostgreSQL without workers", sums["pamir"] / sums["postgres"] if sums["postgres"] else None, total, most=True))
    if most:
        checks.append(Check(f"queries over {most}x", sum(r > most for r in ratios.values()), 0, most=True, unit=""))
    return table(["query", "Pamir, ms", "CPU", "PostgreSQL, ms", "CPU", "with workers, ms", "Pamir / PostgreSQL, CPU"], lines), checks
