"""psycopg 3 against a server: types in both formats, prepared, pipelined, COPY, cancel, errors, TLS + SCRAM."""
import datetime as dt
import decimal
import os
import sys
import threading
import uuid

import psycopg
from psycopg import errors, sql
from psycopg.types.json import Json, Jsonb

failures = 0
T = "smoke_python"


def check(name):
    def run(f):
        global failures
        try:
            f()
            print(f"ok python {name}", flush=True)
        except Exception as e:  # every check is reported, whatever it met
            failures += 1
            print(f"FAIL python {name}: {type(e).__name__}: {str(e).strip().splitlines()[:1]}", flush=True)
    return run


def connect(**kw):
    return psycopg.connect(autocommit=True, connect_timeout=10, **kw)


VALUES = [
    ("bool", True), ("int2", -7), ("int4", 2**31 - 1), ("int8", -(2**63)), ("float8", 1.25e300), ("float4", 1.5),
    ("numeric", decimal.Decimal("12345678901234567890.0123")), ("numeric", decimal.Decimal("0.00")),
    ("text", "h\u00e9llo 'quoted' \\ back"), ("varchar(10)", "abc"), ("bytea", b"\x00\xff'\\"),
    ("date", dt.date(1999, 12, 31)), ("time", dt.time(1, 2, 3, 4)),
    ("timestamp", dt.datetime(2024, 2, 29, 23, 59, 59, 999999)),
    ("timestamptz", dt.datetime(2024, 2, 29, 12, tzinfo=dt.timezone.utc)),
    ("interval", dt.timedelta(days=3, seconds=5)), ("uuid", uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
    ("int4[]", [1, None, 3]), ("text[]", ["a", "b c", None]),
]
c = connect()


@check("types in both formats")
def _():
    for binary in (False, True):
        for ty, v in VALUES:
            got = c.execute(f"SELECT %{'b' if binary else 't'}::{ty}", (v,), binary=binary).fetchone()[0]
            assert got == v, (ty, binary, got, v)
            assert c.execute(f"SELECT NULL::{ty}", binary=binary).fetchone()[0] is None
    for wrap in (Json, Jsonb):
        assert c.execute("SELECT %s", (wrap({"a": [1, 2.5, None]}),)).fetchone()[0] == {"a": [1, 2.5, None]}


@check("prepared")
def _():
    c.execute(f"DROP TABLE IF EXISTS {T}")
    c.execute(f"CREATE TABLE {T} (id int PRIMARY KEY, v text NOT NULL)")
    for i in range(50):
        c.execute(f"INSERT INTO {T} VALUES (%s, %s)", (i, f"v{i}"), prepare=True)
    for i in (0, 17, 49):
        assert c.execute(f"SELECT v FROM {T} WHERE id = %s", (i,), prepare=True).fetchone() == (f"v{i}",)
    cur = c.cursor()
    cur.executemany(f"INSERT INTO {T} VALUES (%s, %s)", [(i, "m") for i in range(50, 100)])
    assert cur.rowcount == 50


@check("pipeline")
def _():
    with c.pipeline():
        cursors = [c.execute(f"SELECT v FROM {T} WHERE id = %s", (i,)) for i in range(50)]
    assert [x.fetchone()[0] for x in cursors] == [f"v{i}" for i in range(50)]


@check("transactions and savepoints")
def _():
    with c.transaction():
        c.execute(f"UPDATE {T} SET v = 'changed' WHERE id = 1")
        try:
            with c.transaction():
                c.execute(f"UPDATE {T} SET v = 'lost' WHERE id = 1")
                c.execute("SELECT 1/0")
        except errors.DivisionByZero:
            pass
    assert c.execute(f"SELECT v FROM {T} WHERE id = 1").fetchone() == ("changed",)


@check("server-side cursor")
def _():
    with c.transaction(), c.cursor(name="cur") as cur:
        cur.execute(f"SELECT id FROM {T} ORDER BY id")
        assert len(cur.fetchmany(30)) == 30 and len(cur.fetchall()) == 70


@check("copy")
def _():
    cur = c.cursor()
    with cur.copy(f"COPY {T} FROM STDIN") as copy:
        for i in range(1000, 6000):
            copy.write_row((i, f"tab\t{i}"))
    with cur.copy(f"COPY (SELECT * FROM {T} WHERE id >= 1000 ORDER BY id) TO STDOUT") as copy:
        rows = list(copy.rows())
    assert len(rows) == 5000 and rows[7] == ("1007", "tab\t1007")
    with cur.copy(f"COPY {T} FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["int4", "text"])
        copy.write_row((9999, "binary"))
    assert c.execute(f"SELECT v FROM {T} WHERE id = 9999").fetchone() == ("binary",)


@check("cancel")
def _():
    timer = threading.Timer(0.3, c.cancel)
    timer.start()
    try:
        c.execute("SELECT pg_sleep(20)")
        raise AssertionError("not cancelled")
    except errors.QueryCanceled:
        pass
    assert c.execute("SELECT 1").fetchone() == (1,)


@check("errors")
def _():
    try:
        c.execute(f"INSERT INTO {T} VALUES (1, 'x')")
        raise AssertionError("no error")
    except errors.UniqueViolation as e:
        assert e.diag.constraint_name == f"{T}_pkey" and e.diag.message_detail == "Key (id)=(1) already exists.", e.diag.message_detail
    for q, kind in (("SELECT nope", errors.UndefinedColumn), ("SELEC", errors.SyntaxError), ("SELECT * FROM nope", errors.UndefinedTable)):
        try:
            c.execute(q)
            raise AssertionError(q)
        except kind as e:
            assert e.diag.severity == "ERROR"


@check("notices")
def _():
    got = []
    c.add_notice_handler(lambda d: got.append(d.severity))
    c.execute("DROP TABLE IF EXISTS no_such_table_at_all")
    assert got == ["NOTICE"], got


ca = os.environ.get("PAMIR_TLS_CA")
if ca:
    @check("TLS and SCRAM")
    def _():
        c.execute("DROP ROLE IF EXISTS smoke_tls")
        c.execute("CREATE ROLE smoke_tls LOGIN PASSWORD 'sm0ke pass'")
        kw = dict(user="smoke_tls", host="localhost", hostaddr=os.environ["PGHOST"], sslmode="verify-full", sslrootcert=ca)
        with connect(password="sm0ke pass", **kw) as t:
            assert t.execute("SELECT current_user").fetchone() == ("smoke_tls",)
            assert t.pgconn.ssl_in_use
        try:
            connect(password="wrong", **kw)
            raise AssertionError("a wrong password was accepted")
        except psycopg.OperationalError as e:
            assert "password authentication failed" in str(e)

c.execute(f"DROP TABLE IF EXISTS {T}")
sys.exit(1 if failures else 0)
