"""The three systems under test, each on its own ports and over a directory it is given.

All keep their defaults but for what the method asks: the same buffer size, room for the connections, commits that wait for a real sync, a log that a replica could follow
(wal_level = replica, the binary log with sync_binlog = 1). PostgreSQL also gets a large `max_wal_size` and WAL buffers, MariaDB a large redo log, a thread pool and
READ COMMITTED, each to its advantage. `--no-maria-binlog` takes MariaDB without its binary log, which is its own default: faster, and nothing to replicate from.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

from . import proc

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PGBIN = "/usr/lib/postgresql/15/bin"
CONNECTIONS = 1100
START_SECONDS = 120
STOP_SECONDS = 300


class Failed(Exception):
    """A system refused what a scenario needs; the text goes into the results."""


def run(cmd, **kw):
    return subprocess.run(cmd, capture_output=True, text=True, **kw)


def install():
    """Debian's packages of the peers and the load generators, when they are missing."""
    if os.path.exists(f"{PGBIN}/postgres") and all(shutil.which(c) for c in ("mariadbd", "sysbench", "pgbench", "psql")):
        return
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for cmd in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "postgresql-15", "postgresql-contrib", "mariadb-server", "sysbench"]):
        subprocess.run(cmd, check=True, env=env, stdout=subprocess.DEVNULL)


class System:
    """One server. `process` is its root process while it runs; everything it starts is a descendant."""

    name = ""
    host = "127.0.0.1"
    port = 0
    process = None
    log = None

    def __init__(self, buffer_mb=2048):
        self.buffer_mb = buffer_mb
        self.group = None

    # What each system says for itself: init(dir), command(dir, extra), ready(), sql(text), checkpoint(), warm(tables), sysbench(), version().
    def owner(self):
        return None

    def init(self, directory):
        os.makedirs(directory, exist_ok=True)

    def setup(self):
        """Once, after the first start over a new directory."""

    def pack(self, directory):
        """Makes a stopped directory cheap to copy."""

    def unpack(self, directory):
        """Undoes `pack` in a copy."""

    def look_at_port(self):
        """Nobody else is there. (A network of its own has nobody.)"""
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind((self.host, self.port))
            except OSError as e:
                raise Failed(f"port {self.port} is taken: {e}")

    def start(self, directory, extra=()):
        if self.host == System.host:
            self.look_at_port()
        fresh = not os.path.exists(directory)
        if fresh:
            self.init(directory)
        self.directory = directory
        cmd = self.command(directory, list(extra))
        if self.group:
            cmd = self.group.wrap(cmd)
        self.log = f"{directory}.log"
        with open(self.log, "a") as log:
            # In a session of its own: an interrupted lab stops it in order, the terminal's signal does not.
            self.process = subprocess.Popen(cmd, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, cwd="/",
                                            **({} if self.group else self.credentials()))
        deadline = time.time() + START_SECONDS
        while not self.ready():
            if self.process.poll() is not None or time.time() > deadline:
                self.kill()
                raise Failed(f"{self.name} did not start: " + " / ".join(proc.read(self.log).strip().splitlines()[-3:]))
            time.sleep(0.05)
        if fresh:
            self.setup()

    def credentials(self):
        return {"user": self.owner(), "group": self.owner(), "extra_groups": []} if self.owner() else {}

    stop_signal = signal.SIGTERM

    def stop(self):
        """An orderly end: what is in memory reaches the directory."""
        if self.process:
            self.thaw()
            proc.end(self.process, self.stop_signal, STOP_SECONDS)
            self.process = None

    def kill(self):
        """The quick end for a directory that is thrown away."""
        if self.process:
            proc.send(self.process.pid, signal.SIGKILL)
            self.process.wait(60)
            self.process = None

    def freeze(self):
        if self.process:
            proc.send(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        if self.process:
            proc.send(self.process.pid, signal.SIGCONT)

    @property
    def pid(self):
        return self.process.pid

    def alive(self):
        return bool(self.process) and self.process.poll() is None

    def error_tail(self):
        return " / ".join(proc.read(self.log).strip().splitlines()[-2:]) if self.log else ""


class PgSystem(System):
    """What speaks PostgreSQL's protocol."""

    database = "postgres"

    def env(self, options=""):
        return os.environ | {"PGHOST": self.host, "PGPORT": str(self.port), "PGUSER": "postgres", "PGDATABASE": self.database, "PGOPTIONS": options}

    def psql(self, *args, check=True, **kw):
        out = run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", *args], env=self.env(), **kw)
        if check and out.returncode:
            raise Failed(f"{self.name}: {out.stderr.strip()[-400:]}")
        return out.stdout.strip()

    def sql(self, text):
        return self.psql("-c", text)

    def ready(self):
        return run(["psql", "-XqAt", "-d", "postgres", "-c", "select 1"], env=self.env()).stdout.strip() == "1"

    def checkpoint(self):
        self.sql("checkpoint")

    def sysbench(self):
        return ["--db-driver=pgsql", "--pgsql-host=127.0.0.1", f"--pgsql-port={self.port}", "--pgsql-user=postgres", f"--pgsql-db={self.database}"]


class Pamir(PgSystem):
    name, port, http = "pamir", 25433, 28432

    def __init__(self, buffer_mb=2048, binary=None):
        super().__init__(buffer_mb)
        self.binary = binary or os.path.join(ROOT, "target", "release", "pamir")

    def init(self, directory):
        if not os.path.exists(self.binary):
            raise Failed(f"{self.binary} is missing: cargo build --release -p pamir")
        os.makedirs(directory, exist_ok=True)

    def command(self, directory, extra):
        return [self.binary, "start", "--data-dir", directory, "--pg-addr", f"127.0.0.1:{self.port}", "--http-addr", f"127.0.0.1:{self.http}",
                "--cache-size", f"{self.buffer_mb}MiB", *extra]

    def warm(self, tables):
        for t in tables:
            # A column that no index holds: the table itself is read. Then each index, in its order.
            column = self.sql(f"select attname from pg_attribute where attrelid = '{t}'::regclass and attnum > 0 order by attnum desc limit 1")
            self.sql(f"select count({column}) from {t}")
            indexed = self.sql(f"select distinct attname from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0] "
                               f"where indrelid = '{t}'::regclass and not indisprimary")
            for k in indexed.split():
                self.sql(f"select count(*) from (select {k} from {t} where {k} is not null order by {k}) s")

    def metrics(self):
        """/metrics as a dictionary without the common prefix; {} when it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/metrics", timeout=5) as r:
                text = r.read().decode()
        except OSError:
            return {}
        return {k: float(v) for k, v in re.findall(r"^pamir_(\S+) ([-\d.e+]+)$", text, re.M)}

    def checkpoints(self):
        return int(self.metrics().get("shard_checkpoints", 0))

    def version(self):
        commit = run(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"]).stdout.strip()
        return f"Pamir {commit or 'unknown'}"


class Before(Pamir):
    """Another binary of ours, to compare with."""

    name, port, http = "before", 25434, 28434

    def init(self, directory):
        if not self.binary:
            raise Failed("which binary is compared with? --before FILE")
        super().init(directory)


class Postgres(PgSystem):
    name, port, database = "postgres", 25432, "sbtest"
    stop_signal = signal.SIGINT

    def owner(self):
        # PostgreSQL refuses to run as root.
        return "postgres" if os.geteuid() == 0 else None

    def kill(self):
        """At once and without a checkpoint, but leaving no shared memory segment behind."""
        if self.alive():
            self.thaw()
            proc.end(self.process, signal.SIGQUIT, 30)
        super().kill()

    def init(self, directory):
        os.makedirs(directory)
        if self.owner():
            shutil.chown(directory, "postgres", "postgres")
        out = run([f"{PGBIN}/initdb", "-D", directory, "-A", "trust", "-U", "postgres"], cwd="/", **self.credentials())
        if out.returncode:
            raise Failed(f"initdb: {out.stderr.strip()[-300:]}")

    def command(self, directory, extra):
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": CONNECTIONS,
                    "max_prepared_transactions": CONNECTIONS, "shared_buffers": f"{self.buffer_mb}MB", "wal_level": "replica", "fsync": "on",
                    "synchronous_commit": "on", "wal_sync_method": "fdatasync", "full_page_writes": "on", "max_wal_size": "8GB", "wal_buffers": "64MB"}
        settings |= dict(e.split("=", 1) for e in extra)
        cmd = [f"{PGBIN}/postgres", "-D", directory, *(x for k, v in settings.items() for x in ("-c", f"{k}={v}"))]
        if self.group and self.owner():
            # The control group is entered as root, the server runs as its owner.
            cmd = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *cmd]
        return cmd

    def setup(self):
        run(["psql", "-Xq", "-d", "postgres", "-c", f"create database {self.database}"], env=self.env())
        self.sql("create extension if not exists pg_prewarm")

    def warm(self, tables):
        names = ",".join(f"'{t}'" for t in tables)
        self.sql(f"select sum(pg_prewarm(c.oid)) from pg_class c where oid in (select unnest(array[{names}])::regclass) "
                 f"or oid in (select indexrelid from pg_index where indrelid in (select unnest(array[{names}])::regclass))")

    def checkpoints(self):
        return int(self.sql("select checkpoints_timed + checkpoints_req from pg_stat_bgwriter"))

    def version(self):
        return "PostgreSQL " + run([f"{PGBIN}/postgres", "--version"]).stdout.strip().split()[2]


class MariaDb(System):
    name, port = "mariadb", 23306
    binlog = True

    def socket_path(self):
        # A socket's path is limited to 107 bytes, a data directory's is not.
        return f"/tmp/pamir-lab-maria-{self.port}.sock"

    def init(self, directory):
        os.makedirs(directory)
        out = run(["mariadb-install-db", *self.user(), f"--datadir={directory}", "--auth-root-authentication-method=normal"])
        if out.returncode:
            raise Failed(f"mariadb-install-db: {out.stderr.strip()[-300:]}")

    def pack(self, directory):
        # Most of the redo log is space set aside: as holes it takes none and is not copied.
        log = f"{directory}/ib_logfile0"
        if run(["cp", "-p", "--sparse=always", log, log + ".packed"]).returncode == 0:
            os.replace(log + ".packed", log)

    def unpack(self, directory):
        path = f"{directory}/ib_logfile0"
        with open(path, "r+b") as f:
            os.posix_fallocate(f.fileno(), 0, os.path.getsize(path))

    def user(self):
        return ["--user=root"] if os.geteuid() == 0 else []

    def command(self, directory, extra):
        log = [f"--log-bin={directory}/bin", "--sync-binlog=1", "--binlog-format=ROW"] if self.binlog else []
        return ["mariadbd", "--no-defaults", *self.user(), f"--datadir={directory}", f"--socket={self.socket_path()}", f"--port={self.port}",
                "--bind-address=127.0.0.1", f"--innodb-buffer-pool-size={self.buffer_mb}M", "--innodb-flush-log-at-trx-commit=1",
                "--innodb-log-file-size=4G", "--innodb-flush-method=O_DIRECT", f"--max-connections={CONNECTIONS}", "--thread-handling=pool-of-threads",
                "--transaction-isolation=READ-COMMITTED", "--max-prepared-stmt-count=1000000", *log, *(f"--{e}" for e in extra)]

    def sql(self, text):
        out = run(["mariadb", "-uroot", "-S", self.socket_path(), "-NB", "-e", text, "sbtest"])
        if out.returncode:
            raise Failed(f"mariadb: {out.stderr.strip()[-400:]}")
        return out.stdout.strip()

    def ready(self):
        return run(["mariadb", "-uroot", "-S", self.socket_path(), "-NB", "-e", "select 1"]).stdout.strip() == "1"

    def setup(self):
        text = "create database if not exists sbtest; " + "; ".join(
            f"create user if not exists 'sb'@'{h}' identified by 'sb'; grant all on *.* to 'sb'@'{h}'" for h in ("%", "localhost"))
        out = run(["mariadb", "-uroot", "-S", self.socket_path(), "-e", text])
        if out.returncode:
            raise Failed(f"mariadb: {out.stderr.strip()[-300:]}")

    def status(self, name):
        return int(self.sql(f"show global status like '{name}'").split()[-1])

    def checkpoint(self):
        """Flushes every dirty page; at full speed, as the default io_capacity would take minutes. The settings are put back."""
        self.sql("set global innodb_io_capacity_max = 20000, innodb_io_capacity = 20000, innodb_max_dirty_pages_pct_lwm = 0, innodb_max_dirty_pages_pct = 0")
        for _ in range(1200):
            if self.status("Innodb_buffer_pool_pages_dirty") <= 2:
                break
            time.sleep(0.1)
        self.sql("set global innodb_max_dirty_pages_pct = 90, innodb_io_capacity = 200, innodb_io_capacity_max = 2000")

    def warm(self, tables):
        for t in tables:
            named = f"table_schema = 'sbtest' and table_name = '{t}'"
            column = self.sql(f"select column_name from information_schema.columns where {named} order by ordinal_position desc limit 1")
            self.sql(f"select count({column}) from {t} force index (primary)")
            for line in self.sql(f"select index_name, column_name from information_schema.statistics where {named} and seq_in_index = 1 and index_name <> 'PRIMARY'").splitlines():
                index, k = line.split("\t")
                self.sql(f"select count({k}) from {t} force index ({index})")

    def sysbench(self):
        return ["--db-driver=mysql", "--mysql-host=127.0.0.1", f"--mysql-port={self.port}", "--mysql-user=sb", "--mysql-password=sb", "--mysql-db=sbtest",
                "--mysql-ignore-errors=1213,1205,1020,1062"]

    def env(self, options=""):
        return os.environ

    def version(self):
        return "MariaDB " + run(["mariadbd", "--version"]).stdout.split()[2].split("-")[0]


NAMES = {"pamir": "Pamir", "before": "Pamir before", "postgres": "PostgreSQL", "mariadb": "MariaDB"}
CLASSES = {"pamir": Pamir, "before": Before, "postgres": Postgres, "mariadb": MariaDb}
