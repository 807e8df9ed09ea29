#!/usr/bin/env python3
"""Who may do what: every statement below as every role below, the answers compared with PostgreSQL 15's.

    examine.py --dsn 'host=127.0.0.1 port=5433 user=postgres dbname=postgres'             compares with answers.tsv
    examine.py --dsn '...' --record                                                        writes answers.tsv (from a PostgreSQL 15)

A cell is one statement as one role: SET SESSION AUTHORIZATION role; BEGIN; statement; ROLLBACK. Its answer is the command's tag and rows, or SQLSTATE,
message and detail. It begins on an empty server (or one of which it may drop the roles it makes) as a superuser, over libpq (ctypes, no module needed).
EXCEPTIONS lists the cells that are known to differ, each with the reason; one that agrees by now is a failure too.
"""
import argparse, ctypes, ctypes.util, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ANSWERS = os.path.join(HERE, "answers.tsv")

# (statement pattern, role pattern): reason. Patterns are whole-match regular expressions.
EXCEPTIONS = {
    (r"REVOKE .* ON s\.t FROM .*", r"p_(select|insert|update|delete|truncate|references|all|rw|member|admin|deep|reads|writes)"):
        "PostgreSQL warns of each system column too (tableoid, cmax, ...), which have no lists here",
    (r"INSERT INTO s\.t DEFAULT VALUES", r"p_(insert|col_ins|writes)"):
        "owed: the failing row is shown to who may not read the table",
    (r"COMMENT ON COLUMN .*", r"(?!p_super$|p_owner$|p_of_owner$|p_none$|p_nousage$|p_noinherit$|p_monitor$|p_signals$|p_createrole$|p_createdb$|p_bypass$).*"):
        "PostgreSQL says relation for table",
}

ROLES = {
    # name: statements that make it what it is, after all objects stand. {r} is the role.
    "p_super": ["ALTER ROLE {r} SUPERUSER"],
    "p_owner": [],  # owns schema s and all in it
    "p_none": [],
    "p_usage": ["GRANT USAGE ON SCHEMA s TO {r}"],
    "p_select": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT SELECT ON s.t, s.k, s.q TO {r}"],
    "p_insert": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT INSERT ON s.t, s.k TO {r}"],
    "p_update": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT UPDATE ON s.t, s.k, s.q TO {r}"],
    "p_delete": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT DELETE ON s.t, s.k TO {r}"],
    "p_truncate": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT TRUNCATE ON s.t, s.k TO {r}"],
    "p_references": ["GRANT USAGE, CREATE ON SCHEMA s TO {r}", "GRANT REFERENCES ON s.t, s.k TO {r}"],
    "p_all": ["GRANT ALL ON SCHEMA s TO {r}", "GRANT ALL ON s.t, s.k, s.q TO {r}", "GRANT ALL ON DATABASE postgres TO {r}"],
    "p_option": ["GRANT ALL ON SCHEMA s TO {r} WITH GRANT OPTION", "GRANT ALL ON s.t, s.k, s.q TO {r} WITH GRANT OPTION"],
    "p_rw": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT SELECT, INSERT, UPDATE, DELETE ON s.t, s.k TO {r}"],
    "p_nousage": ["GRANT ALL ON s.t, s.k, s.q TO {r}"],
    "p_create": ["GRANT USAGE, CREATE ON SCHEMA s TO {r}"],
    "p_seq": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT USAGE ON SEQUENCE s.q TO {r}"],
    "p_col_a": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT SELECT (a), REFERENCES (a) ON s.t TO {r}"],
    "p_col_ab": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT SELECT (a), UPDATE (b) ON s.t TO {r}"],
    "p_col_ins": ["GRANT USAGE ON SCHEMA s TO {r}", "GRANT INSERT (a, b), SELECT (a, b, c) ON s.t TO {r}"],
    "p_member": ["GRANT p_rw_group TO {r}"],
    "p_noinherit": ["ALTER ROLE {r} NOINHERIT", "GRANT p_rw_group TO {r}"],
    "p_admin": ["GRANT p_rw_group TO {r} WITH ADMIN OPTION"],
    "p_deep": ["GRANT p_member TO {r}"],
    "p_of_owner": ["GRANT p_owner TO {r}"],
    "p_reads": ["GRANT pg_read_all_data TO {r}"],
    "p_writes": ["GRANT pg_write_all_data TO {r}"],
    "p_monitor": ["GRANT pg_monitor TO {r}"],
    "p_signals": ["GRANT pg_signal_backend, pg_checkpoint TO {r}"],
    "p_createrole": ["ALTER ROLE {r} CREATEROLE"],
    "p_createdb": ["ALTER ROLE {r} CREATEDB"],
    "p_bypass": ["ALTER ROLE {r} BYPASSRLS"],
}
GROUP = "p_rw_group"
SETUP = [
    "CREATE SCHEMA s AUTHORIZATION p_owner",
    "SET ROLE p_owner",
    "CREATE TABLE s.t (a int PRIMARY KEY, b int, c text)",
    "CREATE TABLE s.k (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int REFERENCES s.t, n bigserial)",
    "CREATE TABLE s.pub (a int)",
    "CREATE INDEX t_b ON s.t (b)",
    "CREATE SEQUENCE s.q",
    "INSERT INTO s.t VALUES (1, 10, 'x'), (2, 20, 'y')",
    "INSERT INTO s.k (a) VALUES (1)",
    "INSERT INTO s.pub VALUES (1)",
    "RESET ROLE",
    "CREATE SCHEMA sec AUTHORIZATION p_owner",
    "GRANT USAGE ON SCHEMA sec TO PUBLIC",
    "SET ROLE p_owner",
    "CREATE TABLE sec.r (a int PRIMARY KEY, who name)",
    "INSERT INTO sec.r VALUES (1, 'p_rw'), (2, 'p_select'), (3, 'p_none'), (4, 'p_owner')",
    "CREATE POLICY even ON sec.r USING (a % 2 = 0)",
    "CREATE POLICY own ON sec.r FOR UPDATE USING (who = current_user) WITH CHECK (a < 100)",
    "CREATE POLICY of_group ON sec.r FOR SELECT TO p_rw_group USING (a = 1)",
    "CREATE POLICY low ON sec.r AS RESTRICTIVE FOR INSERT TO p_rw_group WITH CHECK (a < 10)",
    "ALTER TABLE sec.r ENABLE ROW LEVEL SECURITY",
    "CREATE VIEW sec.v AS SELECT * FROM sec.r",
    "CREATE VIEW sec.vi WITH (security_invoker) AS SELECT * FROM sec.r",
    "RESET ROLE",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON sec.r TO PUBLIC",
    "GRANT SELECT, INSERT ON sec.v, sec.vi TO PUBLIC",
    "GRANT SELECT ON s.pub TO PUBLIC",
    "CREATE TABLE public.open (a int)",
    "GRANT USAGE ON SCHEMA s TO p_rw_group",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON s.t, s.k TO p_rw_group",
    "ALTER DEFAULT PRIVILEGES FOR ROLE p_owner IN SCHEMA s GRANT SELECT ON TABLES TO p_usage",
]
STATEMENTS = """
SELECT a FROM s.t ORDER BY a
SELECT * FROM s.t ORDER BY a
SELECT c FROM s.t ORDER BY a
SELECT count(*) FROM s.t
SELECT 1 FROM s.t
SELECT t FROM s.t ORDER BY a
SELECT a FROM s.t WHERE b = 10
SELECT a FROM s.t ORDER BY b
SELECT x.a FROM (SELECT * FROM s.t) x ORDER BY a
WITH w AS (SELECT a FROM s.t) SELECT count(*) FROM w
SELECT t.a FROM s.t JOIN s.k ON k.a = t.a
SELECT count(*) FROM s.t JOIN s.k USING (a)
SELECT (SELECT max(a) FROM s.t)
SELECT 1 WHERE EXISTS (SELECT FROM s.t)
SELECT a FROM s.t FOR UPDATE
SELECT a FROM s.t FOR SHARE
SELECT a FROM s.t UNION SELECT a FROM s.k ORDER BY 1
TABLE s.t
SELECT a FROM s.pub
SELECT a FROM open
SELECT last_value FROM s.q
SELECT count(*) FROM pg_catalog.pg_authid WHERE rolname = 'p_none'
SELECT count(*) FROM pg_shadow WHERE usename = 'p_none'
SELECT rolname FROM pg_roles WHERE rolname = 'p_none'
SELECT count(*) FROM pg_statistic WHERE false
INSERT INTO s.t VALUES (3, 30, 'z')
INSERT INTO s.t (a) VALUES (3)
INSERT INTO s.t (a, b) VALUES (3, 30)
INSERT INTO s.t (a, b) VALUES (3, DEFAULT)
INSERT INTO s.t (a) VALUES (3) RETURNING a
INSERT INTO s.t (a) VALUES (3) RETURNING *
INSERT INTO s.t (a, b) VALUES (1, 5) ON CONFLICT DO NOTHING
INSERT INTO s.t (a, b) VALUES (1, 5) ON CONFLICT (a) DO NOTHING
INSERT INTO s.t (a, b) VALUES (1, 5) ON CONFLICT (a) DO UPDATE SET b = 6
INSERT INTO s.t (a, b) VALUES (1, 5) ON CONFLICT (a) DO UPDATE SET b = excluded.b
INSERT INTO s.t (a, b) VALUES (1, 5) ON CONFLICT (a) DO UPDATE SET b = t.b + 1
INSERT INTO s.t (a) SELECT a + 10 FROM s.t
INSERT INTO s.k (a) VALUES (1)
INSERT INTO s.k (a, n) VALUES (1, 7)
INSERT INTO s.t DEFAULT VALUES
UPDATE s.t SET b = 1
UPDATE s.t SET b = b + 1
UPDATE s.t SET b = 1 WHERE a = 1
UPDATE s.t SET c = 'n'
UPDATE s.t SET b = 1, c = 'n'
UPDATE s.t SET b = 1 RETURNING a
UPDATE s.t SET b = k.a FROM s.k WHERE k.a = t.a
UPDATE s.t SET b = (SELECT max(a) FROM s.t)
DELETE FROM s.k
DELETE FROM s.k WHERE a = 1
DELETE FROM s.k RETURNING a
DELETE FROM s.t USING s.k WHERE k.a = t.a + 5
WITH d AS (DELETE FROM s.k RETURNING 1) SELECT count(*) FROM d
TRUNCATE s.k
TRUNCATE s.t CASCADE
LOCK TABLE s.t IN ACCESS SHARE MODE
LOCK TABLE s.t IN ROW SHARE MODE
LOCK TABLE s.t IN ROW EXCLUSIVE MODE
LOCK TABLE s.t IN ACCESS EXCLUSIVE MODE
EXPLAIN (COSTS OFF) UPDATE s.k SET a = 1 WHERE false
EXPLAIN (COSTS OFF) INSERT INTO s.t VALUES (9)
SELECT nextval('s.q') > 0
SELECT setval('s.q', 5)
SELECT last_value IS NULL FROM s.q
CREATE TABLE s.new (a int)
CREATE TABLE new (a int)
CREATE TABLE public.new (a int)
CREATE TABLE s.new AS SELECT 1 AS a
CREATE SEQUENCE s.new
CREATE INDEX ON s.t (c)
CREATE SCHEMA new
CREATE TABLE s.new (a int REFERENCES s.t)
CREATE TABLE s.new (a int REFERENCES s.t (a))
ALTER TABLE s.t ADD COLUMN d int
ALTER TABLE s.t RENAME TO u
ALTER TABLE s.t RENAME COLUMN b TO d
ALTER TABLE s.t OWNER TO p_none
ALTER TABLE s.t OWNER TO CURRENT_USER
ALTER TABLE s.t SET SCHEMA public
ALTER SEQUENCE s.q RESTART
ALTER SCHEMA s RENAME TO s2
DROP TABLE s.k
DROP TABLE public.open
DROP SEQUENCE s.q
DROP INDEX s.t_b
DROP SCHEMA s CASCADE
COMMENT ON TABLE s.t IS 'x'
COMMENT ON COLUMN s.t.a IS 'x'
ANALYZE s.t
GRANT SELECT ON s.t TO p_none
GRANT SELECT, DELETE ON s.t TO p_none WITH GRANT OPTION
GRANT SELECT (a) ON s.t TO p_none
GRANT ALL ON s.t TO p_none
GRANT UPDATE ON s.q TO p_none
GRANT USAGE ON SCHEMA s TO p_none
GRANT CONNECT ON DATABASE postgres TO p_none
GRANT SELECT ON ALL TABLES IN SCHEMA s TO p_none
REVOKE SELECT ON s.t FROM p_select
REVOKE ALL ON s.t FROM PUBLIC
REVOKE GRANT OPTION FOR SELECT ON s.t FROM p_option
GRANT p_rw_group TO p_none
REVOKE p_rw_group FROM p_member
GRANT p_super TO p_none
GRANT SELECT ON s.t TO nobody
GRANT USAGE ON s.t TO p_none
GRANT SELECT ON SCHEMA s TO p_none
ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT ON TABLES TO p_none
ALTER DEFAULT PRIVILEGES FOR ROLE p_owner GRANT SELECT ON TABLES TO p_none
CREATE ROLE p_new
CREATE ROLE p_new SUPERUSER
CREATE ROLE p_new REPLICATION
ALTER ROLE p_none CREATEDB
ALTER ROLE p_none SUPERUSER
ALTER ROLE p_super NOLOGIN
ALTER ROLE p_none PASSWORD 'x'
ALTER ROLE p_none SET work_mem = '8MB'
DROP ROLE p_none
DROP ROLE p_usage
SET ROLE p_rw_group
SET ROLE p_owner
SET ROLE p_super
SET SESSION AUTHORIZATION p_none
SET session_replication_role = replica
SET work_mem = '4MB'
CHECKPOINT
SELECT has_table_privilege('s.t', 'SELECT'), has_table_privilege('p_select', 's.t', 'SELECT')
SELECT has_table_privilege('s.t', 'INSERT, UPDATE'), has_table_privilege('s.t'::regclass, 'DELETE WITH GRANT OPTION')
SELECT has_column_privilege('s.t', 'a', 'SELECT'), has_any_column_privilege('s.t', 'UPDATE')
SELECT has_schema_privilege('s', 'USAGE'), has_schema_privilege('s', 'CREATE')
SELECT has_sequence_privilege('s.q', 'USAGE')
SELECT has_database_privilege('postgres', 'CREATE'), has_database_privilege('postgres', 'CONNECT')
SELECT pg_has_role('p_rw_group', 'USAGE'), pg_has_role('p_rw_group', 'MEMBER'), pg_has_role('p_rw_group', 'MEMBER WITH ADMIN OPTION')
SELECT pg_has_role('p_owner', 'USAGE'), pg_has_role('pg_database_owner', 'USAGE')
SELECT has_table_privilege('pg_authid', 'SELECT'), has_table_privilege('pg_class', 'SELECT'), has_table_privilege('s.t', 'nonsense')
SELECT current_schemas(false)
SELECT relacl FROM pg_class WHERE oid = 's.t'::regclass
COPY s.t TO STDOUT
COPY s.t (a) TO STDOUT
COPY (SELECT a FROM s.t) TO STDOUT
COPY s.t FROM STDIN
COPY s.t (a) FROM STDIN
COPY s.t FROM STDIN WHERE a > 0
SELECT a FROM sec.r ORDER BY a
SELECT a FROM sec.r ORDER BY a FOR UPDATE
SELECT a FROM sec.v ORDER BY a
SELECT a FROM sec.vi ORDER BY a
SELECT row_security_active('sec.r')
INSERT INTO sec.r VALUES (5, 'x')
INSERT INTO sec.r VALUES (6, 'x')
INSERT INTO sec.r VALUES (12, 'x')
INSERT INTO sec.r VALUES (6, 'x') RETURNING a
INSERT INTO sec.r VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET who = 'y'
INSERT INTO sec.r VALUES (2, 'x') ON CONFLICT (a) DO UPDATE SET who = 'y'
INSERT INTO sec.r VALUES (2, 'x')
INSERT INTO sec.v VALUES (5, 'x')
INSERT INTO sec.vi VALUES (5, 'x')
UPDATE sec.r SET who = 'z'
UPDATE sec.r SET who = 'z' WHERE a < 3
UPDATE sec.r SET a = a + 99
DELETE FROM sec.r
DELETE FROM sec.r WHERE a = 1 RETURNING a
MERGE INTO sec.r USING (VALUES (1), (2), (8)) v (x) ON r.a = v.x WHEN MATCHED THEN UPDATE SET who = 'm' WHEN NOT MATCHED THEN INSERT VALUES (v.x + 10, 'm')
COPY sec.r TO STDOUT
COPY sec.r FROM STDIN
CREATE POLICY new ON sec.r USING (true)
ALTER POLICY even ON sec.r USING (true)
ALTER POLICY even ON sec.r RENAME TO odd
DROP POLICY even ON sec.r
COMMENT ON POLICY even ON sec.r IS 'x'
ALTER TABLE sec.r DISABLE ROW LEVEL SECURITY
ALTER TABLE sec.r FORCE ROW LEVEL SECURITY
ALTER ROLE p_none BYPASSRLS
SET row_security = off
SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid() AND false
SELECT current_user, session_user
""".strip().splitlines()

#: libpq's ExecStatusType
COMMAND_OK, TUPLES_OK, COPY_OUT, COPY_IN = 1, 2, 3, 4
FIELDS = {"state": ord("C"), "message": ord("M"), "detail": ord("D")}


class Server:
    def __init__(self, dsn):
        self.pq = ctypes.CDLL(ctypes.util.find_library("pq") or "libpq.so.5")
        for f, res in [("PQconnectdb", ctypes.c_void_p), ("PQexec", ctypes.c_void_p), ("PQgetvalue", ctypes.c_char_p),
                       ("PQresultErrorField", ctypes.c_char_p), ("PQcmdStatus", ctypes.c_char_p), ("PQerrorMessage", ctypes.c_char_p)]:
            getattr(self.pq, f).restype = res
        for f in ["PQexec", "PQgetvalue", "PQresultErrorField", "PQcmdStatus", "PQstatus", "PQresultStatus", "PQntuples",
                  "PQnfields", "PQclear", "PQgetisnull", "PQerrorMessage"]:
            getattr(self.pq, f).argtypes = {"PQexec": [ctypes.c_void_p, ctypes.c_char_p], "PQgetvalue": [ctypes.c_void_p, ctypes.c_int, ctypes.c_int],
                "PQgetisnull": [ctypes.c_void_p, ctypes.c_int, ctypes.c_int], "PQresultErrorField": [ctypes.c_void_p, ctypes.c_int]}.get(f, [ctypes.c_void_p])
        self.pq.PQgetResult.restype, self.pq.PQgetResult.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        self.pq.PQputCopyEnd.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.pq.PQgetCopyData.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int]
        self.pq.PQfreemem.argtypes = [ctypes.c_void_p]
        self.conn = self.pq.PQconnectdb(dsn.encode())
        if self.pq.PQstatus(self.conn) != 0:
            sys.exit(self.pq.PQerrorMessage(self.conn).decode())
        self.pq.PQsetNoticeProcessor.argtypes = [ctypes.c_void_p] * 3
        self.quiet = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(lambda _, m: self.notices.append(m.decode().strip()))
        self.notices = []
        self.pq.PQsetNoticeProcessor(self.conn, ctypes.cast(self.quiet, ctypes.c_void_p), None)

    def run(self, sql):
        """The answer as one line."""
        pq, self.notices = self.pq, []
        r = pq.PQexec(self.conn, sql.encode())
        status = pq.PQresultStatus(r)
        if status in (COPY_OUT, COPY_IN):
            pq.PQclear(r)
            copied = self.copied() if status == COPY_OUT else pq.PQputCopyEnd(self.conn, None)
            r = pq.PQgetResult(self.conn)
            status = pq.PQresultStatus(r)
            while end := pq.PQgetResult(self.conn):
                pq.PQclear(end)
            if status == COMMAND_OK:
                out = f"{pq.PQcmdStatus(r).decode()}: {copied}"
                pq.PQclear(r)
                return out
        if status == TUPLES_OK:
            rows = [",".join("" if pq.PQgetisnull(r, i, j) else pq.PQgetvalue(r, i, j).decode() for j in range(pq.PQnfields(r)))
                    for i in range(pq.PQntuples(r))]
            out = pq.PQcmdStatus(r).decode() + ": " + " | ".join(rows)
        elif status == COMMAND_OK:
            out = pq.PQcmdStatus(r).decode()
        else:
            part = [pq.PQresultErrorField(r, f) for f in FIELDS.values()]
            out = "ERROR " + " / ".join(p.decode() for p in part if p) if any(part) else "LOST " + pq.PQerrorMessage(self.conn).decode()
        pq.PQclear(r)
        out = " & ".join([out] + [n for n in self.notices if n.startswith("WARNING")])
        return out.replace("\n", "; ").replace("\t", " ")

    def copied(self):
        """How many lines COPY TO STDOUT sends."""
        lines, buffer = 0, ctypes.c_void_p()
        while self.pq.PQgetCopyData(self.conn, ctypes.byref(buffer), 0) > 0:
            lines += 1
            self.pq.PQfreemem(buffer)
        return lines

    def must(self, sql):
        a = self.run(sql)
        if a.startswith(("ERROR", "LOST")):
            sys.exit(f"{sql}: {a}")


def build(s):
    """The world of ROLES and SETUP, anew."""
    for sql in ["RESET SESSION AUTHORIZATION", "ALTER DATABASE postgres RESET ALL", "DROP SCHEMA IF EXISTS s CASCADE", "DROP SCHEMA IF EXISTS sec CASCADE", "DROP TABLE IF EXISTS public.open"]:
        s.run(sql)
    for r in [GROUP, *ROLES]:
        s.run(f"DROP OWNED BY {r} CASCADE")
    for r in [GROUP, *ROLES]:
        s.run(f"DROP ROLE {r}")
        s.must(f"CREATE ROLE {r} LOGIN")
    for sql in SETUP:
        s.must(sql)
    for r, grants in ROLES.items():
        for sql in grants:
            s.must(sql.format(r=r))


def cell(s, role, statement):
    s.must(f"SET SESSION AUTHORIZATION {role}")
    s.must("BEGIN")
    a = s.run(statement)
    s.must("ROLLBACK")
    s.must("RESET SESSION AUTHORIZATION")
    return a


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--dsn", required=True)
    p.add_argument("--record", action="store_true")
    p.add_argument("--show", type=int, default=40, help="differences to print")
    a = p.parse_args()
    s = Server(a.dsn)
    build(s)
    answers = {(r, q): cell(s, r, q) for q in STATEMENTS for r in ROLES}
    if a.record:
        with open(ANSWERS, "w") as f:
            for (r, q), x in answers.items():
                f.write(f"{r}\t{q}\t{x}\n")
        print(f"{len(answers)} cells recorded")
        return 0
    with open(ANSWERS) as f:
        expected = {tuple(l.rstrip("\n").split("\t")[:2]): l.rstrip("\n").split("\t")[2] for l in f}
    if expected.keys() != answers.keys():
        sys.exit("answers.tsv is of other statements or roles: record it again")
    wrong, known, healed = [], 0, []
    for k, want in expected.items():
        reason = next((v for (q, r), v in EXCEPTIONS.items() if re.fullmatch(q, k[1]) and re.fullmatch(r, k[0])), None)
        if answers[k] == want:
            if reason:
                healed.append(k)
        elif reason:
            known += 1
        else:
            wrong.append((k, want))
    for (r, q), want in wrong[: a.show]:
        print(f"{r}: {q}\n  PostgreSQL: {want}\n  here:       {answers[r, q]}")
    for r, q in healed[: a.show]:
        print(f"{r}: {q}\n  is an exception no more")
    print(f"{len(answers)} cells: {len(answers) - len(wrong) - known} agree, {known} known exceptions, {len(wrong)} wrong")
    return 1 if wrong or healed else 0


sys.exit(main())
