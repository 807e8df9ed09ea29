"""Data directories and turns: each load is made once and kept as a clean copy, a writing point starts from a fresh copy of it, and only one system runs at a time.

    DIR/copies/LOAD/SYSTEM   loaded, checkpointed, stopped in order; Pamir's carry the binary's hash, so that another build loads anew
    DIR/SYSTEM               what the system runs over now; thrown away at the next restore

`enter(system, load, fresh)` is all a scenario needs: the other systems are frozen (SIGSTOP) or, before a restore, ended; the system runs over the load, its pages read
into memory, everything checkpointed and the disk's queue empty.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

from . import drive, results, systems
from .systems import Failed


class Load:
    """Data that a scenario starts from. `fill(system)` makes it; `tables` are read into memory after a restore."""

    def __init__(self, key, fill, tables=()):
        self.key, self.fill, self.tables = key, fill, tables


def sysbench_load(tables, rows):
    def fill(system):
        out = drive.sysbench(system, "oltp_read_write", "prepare", tables=tables, rows=rows, threads=2)
        if out.returncode:
            raise Failed(f"{system.name}: sysbench prepare: {drive.why(out)}")

    return Load(f"sysbench-{tables}x{rows}", fill, [f"sbtest{i + 1}" for i in range(tables)])


class Lab:
    def __init__(self, args):
        self.args = args
        self.quick = args.quick
        self.temporary = not args.dir
        self.base = os.path.abspath(args.dir) if args.dir else tempfile.mkdtemp(prefix="pamir-lab-")
        os.makedirs(self.base, exist_ok=True)
        os.chmod(self.base, 0o755)
        systems.install()
        systems.MariaDb.binlog = not args.no_maria_binlog
        self.all = {}
        for name in systems.CLASSES:
            binary = {"pamir": (args.pamir,), "before": (args.before,)}.get(name, ())
            self.all[name] = systems.CLASSES[name](args.buffer_mb, *binary)
        if args.ports:
            self.all["postgres"].port, self.all["pamir"].port, self.all["pamir"].http, self.all["mariadb"].port = range(args.ports, args.ports + 4)
        self.loaded = {}
        self.extra = {}
        self.clean = set()

    # -- choices that the command line may override --
    def pick(self, full, quick):
        return quick if self.quick else full

    def seconds(self, full, quick=2):
        return self.args.seconds or self.pick(full, quick)

    def reps(self, full, quick=1):
        return self.args.reps or self.pick(full, quick)

    def systems(self, *names):
        """Those of `names` that the command line did not leave out."""
        return [n for n in names if n in self.args.systems.split(",")]

    def sysbench_load(self):
        """The issue's 10 x 250,000 rows; a tenth of it in a quick run."""
        tables = self.args.tables or 10
        return sysbench_load(tables, self.args.rows or self.pick(250_000, 25_000))

    def size(self):
        return {"tables": self.args.tables or 10, "rows": self.args.rows or self.pick(250_000, 25_000)}

    def results(self, name):
        note = "" if systems.MariaDb.binlog else ", MariaDB without its binary log"
        return results.Results(name, self.args.out, quick=self.quick, resume=self.args.resume, commit=self.all["pamir"].version() + note)

    def say(self, text):
        print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)

    # -- directories --
    def live(self, name):
        return f"{self.base}/{name}"

    def copy(self, name, load):
        tag = name
        if name in ("pamir", "before"):
            with open(self.all[name].binary, "rb") as f:
                tag += "-" + hashlib.file_digest(f, "sha256").hexdigest()[:12]
        elif name == "mariadb" and not systems.MariaDb.binlog:
            tag += "-without-binlog"
        return f"{self.base}/copies/{load.key}/{tag}"

    def discard(self, name):
        self.all[name].kill()
        for path in (self.live(name), self.live(name) + ".log"):
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
        self.loaded.pop(name, None)

    def restore(self, name, load):
        """The system's directory becomes a clean copy of the load; made first when there is none."""
        source = self.copy(name, load)
        self.discard(name)
        if not os.path.exists(source):
            system = self.all[name]
            self.say(f"{name}: loading {load.key}")
            parent = os.path.dirname(source)
            os.makedirs(parent, exist_ok=True)
            for old in os.listdir(parent):
                # Copies of earlier Pamir builds.
                if name in ("pamir", "before") and old.startswith(f"{name}-"):
                    shutil.rmtree(f"{parent}/{old}", ignore_errors=True)
            system.start(self.live(name))
            load.fill(system)
            if name != "mariadb":
                system.sql("analyze")
            system.checkpoint()
            system.stop()
            system.pack(self.live(name))
            os.rename(self.live(name), source)
        # Reflinks where the file system has them; holes stay holes.
        subprocess.run(["cp", "-a", "--reflink=auto", source, self.live(name)], check=True)
        self.all[name].unpack(self.live(name))
        subprocess.run(["sync", "-f", self.live(name)], check=False)

    def enter(self, name, load, fresh=True, extra=()):
        """The named system, alone on the machine, over `load`. `fresh`: as loaded; otherwise it may go on as it stands, when it runs over that load."""
        system = self.all[name]
        extra = list(extra)
        for other, s in self.all.items():
            if other != name and s.alive():
                if fresh:
                    self.discard(other)
                else:
                    s.freeze()
        going = self.loaded.get(name) == load.key and self.extra.get(name) == extra and system.alive()
        if going and not fresh and name in self.clean:
            system.thaw()
            return system
        self.restore(name, load)
        system.start(self.live(name), extra)
        system.warm(load.tables)
        system.checkpoint()
        self.loaded[name], self.extra[name] = load.key, extra
        # A point that may write calls for a fresh start; what only reads leaves the system clean.
        (self.clean.discard if fresh else self.clean.add)(name)
        return system

    def empty(self, name, extra=()):
        """The named system over a new directory, alone."""
        for other in self.all:
            self.discard(other)
        self.all[name].start(self.live(name), extra)
        return self.all[name]

    def close(self):
        for s in self.all.values():
            s.kill()
        for name in self.all:
            self.discard(name)
        if self.temporary:
            shutil.rmtree(self.base, ignore_errors=True)
