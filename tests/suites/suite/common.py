"""What the suites share: versions, where a suite runs, its commands and their ends."""
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time

#: Every version that is fetched. What these depend on comes as their packages ask.
PYTHON = {
    "sqlalchemy": "2.0.58",
    "psycopg2-binary": "2.9.13",
    "psycopg2": "2.9.13",
    "psycopg-binary": "3.2.13",
    "psycopg": "3.2.13",
    "psycopg-pool": "3.2.8",
    "asyncpg": "0.32.0",
    "django": "5.2.19",
    "pytest": "8.4.2",
    "distro": "1.9.0",
}
PGX = "v5.7.6"
PGJDBC = "42.7.8"

#: A command stops by itself after about SECONDS and goes on with the rest in another; LIMIT ends it where it does not. A test has TEST_SECONDS.
SECONDS, LIMIT, TEST_SECONDS = 280, 360, 60
AGAIN = "again"
INSIDE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "inside")


class Place:
    """A suite's run against one server."""

    def __init__(self, args, suite, server, address):
        self.cache, self.lock = args.cache, args.lock
        self.host, self.port = address[0], str(address[1])
        self.name, self.server = suite, server
        self.log = f"{args.out}/{suite}.{server}.log"
        self.record = f"{args.out}/{suite}.{server}.record"
        open(self.log, "w").close()
        self.env = {"PGHOST": self.host, "PGPORT": self.port, "PGUSER": "postgres"}

    def command(self, command, cwd, env=None, limit=LIMIT, check=False, stdout=None):
        """Runs a command, its output to the log; its processes end with it, or at the limit. True when it ended by itself with status 0."""
        with open(self.log, "ab") as log, shared(self.lock):
            p = subprocess.Popen(command, cwd=cwd, env=dict(os.environ, **self.env, **(env or {})), stdin=subprocess.DEVNULL, stdout=stdout or log, stderr=log, start_new_session=True)
            try:
                rc = p.wait(limit)
            except subprocess.TimeoutExpired:
                rc = None
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(p.pid, signal.SIGKILL)
                p.wait()
        if check and rc != 0:
            raise SystemExit(f"{self.name} on {self.server}: {command[0]} failed ({rc}); see {self.log}")
        return rc == 0

    def sql(self, database, *statements):
        for s in statements:
            self.command(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", s], "/", check=True)

    def recorded(self, command, cwd, env=None):
        """Runs a command within which inside/record.py notes each test's end; what failed has a second try, since some tests depend on the clock. Returns
        test -> status."""
        open(self.record, "w").close()
        first = self.turns(command, cwd, env)
        failed = [t for t, s in first.items() if s.startswith("failed")]
        if not failed:
            return first
        with open(self.record, "a") as f:
            f.writelines(json.dumps([t, AGAIN]) + "\n" for t in failed)
        return {**first, **{t: s for t, s in self.turns(command, cwd, env).items() if s != AGAIN}}

    def turns(self, command, cwd, env):
        """Runs a command again and again until all tests had their turn."""
        before = -1
        env = {"SUITE_RECORD": self.record, "SUITE_SECONDS": str(SECONDS), "SUITE_TEST_SECONDS": str(TEST_SECONDS), "PYTHONPATH": INSIDE, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        while True:
            self.command(command, cwd, env)
            results, finished = records(self.record)
            ended = sum(s != AGAIN for s in results.values())
            if finished or ended == before:
                return results
            before = ended


def records(path):
    """What a record says; what began and did not end has failed."""
    results, finished = {}, False
    with open(path) as f:
        for line in f:
            with contextlib.suppress(ValueError):
                test, status = json.loads(line)
                finished = not test
                if test:
                    results[test] = status
    lost = [t for t, s in results.items() if s == "began"]
    with open(path, "a") as f:
        for t in lost:
            results[t] = "failed: the process ended"
            f.write(json.dumps([t, results[t]]) + "\n")
    return results, finished


@contextlib.contextmanager
def shared(path):
    if not path:
        yield
        return
    time.sleep(1)  # whoever waits for the file alone comes first
    with open(path, "a") as f:
        fcntl.flock(f, fcntl.LOCK_SH)
        yield


def python(place):
    """The Python of an environment with all that PYTHON names."""
    venv = f"{place.cache}/venv"
    # Of psycopg2 the source serves for its tests alone.
    pins = [f"{p}=={v}" for p, v in PYTHON.items() if p != "psycopg2"]
    with once(f"{venv}.done", " ".join(pins)) as needed:
        if needed:
            shutil.rmtree(venv, ignore_errors=True)
            place.command(["python3", "-m", "venv", venv], place.cache, check=True)
            place.command([f"{venv}/bin/pip", "install", "-q", *pins], place.cache, check=True)
    return f"{venv}/bin/python"


def pytest(place, tree, *args, env=None):
    """The results of tests that pytest finds in a source tree."""
    return place.recorded([python(place), "-m", "pytest", "-p", "record", "-q", "--continue-on-collection-errors", *args], tree, env)


def sdist(place, package):
    """The unpacked source distribution of a package."""
    tree = f"{place.cache}/{package}-{PYTHON[package]}"
    with once(f"{tree}.done", "") as needed:
        if needed:
            shutil.rmtree(tree, ignore_errors=True)
            # pip asks a source distribution for its metadata when it fetches it.
            place.command(["pip", "download", "-q", "--no-deps", "--no-binary", package, "-d", place.cache, f"{package}=={PYTHON[package]}"], place.cache, check=True)
            with tarfile.open(f"{tree}.tar.gz") as t:
                t.extractall(place.cache, filter="data")
    return tree


@contextlib.contextmanager
def once(stamp, text):
    """Whether something is to be made: the file `stamp` says that it was, from the same `text`."""
    made = os.path.exists(stamp) and open(stamp).read() == text
    yield not made
    with open(stamp, "w") as f:
        f.write(text)


def patch(path, pattern, by):
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(re.sub(pattern, by, text, flags=re.M))
