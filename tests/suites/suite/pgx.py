"""pgx's own tests, those of all packages of its module."""
import json
import os
import re
import shutil

from .common import PGX, once

MODULE = "github.com/jackc/pgx/v5"


def source(place):
    """A copy of the module that can be written to, with its tests' binaries built once."""
    tree, env = f"{place.cache}/pgx-{PGX}", {"GOPATH": f"{place.cache}/go", "GOFLAGS": "-modcacherw"}
    with once(f"{tree}.done", "") as needed:
        if needed:
            shutil.rmtree(tree, ignore_errors=True)
            place.command(["go", "mod", "download", f"{MODULE}@{PGX}"], place.cache, env, check=True)
            shutil.copytree(f"{place.cache}/go/pkg/mod/{MODULE}@{PGX}", tree, copy_function=shutil.copyfile)
            place.command(["go", "test", "-run", "^$", "./..."], tree, env, check=True)
    return tree, env


def run(place):
    tree, env = source(place)
    place.sql("postgres", "create database pgx_test")
    place.command(["psql", "-X", "-q", "-d", "pgx_test", "-f", f"{tree}/testsetup/postgresql_setup.sql"], "/", {"PGOPTIONS": "-c client_min_messages=error"})
    url = f"host={place.host} port={place.port} user=postgres dbname=pgx_test"
    env = {**env, "PGX_TEST_DATABASE": url, "PGX_TEST_TCP_CONN_STRING": url}
    packages = sorted({os.path.relpath(d, tree) for d, _, files in os.walk(tree) if any(f.endswith("_test.go") for f in files)})
    results = {}
    for p in packages:
        results.update(package(place, tree, env, p))
    return results


def package(place, tree, env, name):
    """A package's tests: what failed has a second try, and what did not end, since a panic or the time limit ends all tests."""
    results, again = {}, set()
    while True:
        skip = "|".join(sorted(re.escape(t) for t in results if "/" not in t))
        with open(place.record, "w") as out:
            place.command(["go", "test", "-json", "-count=1", "-timeout=240s", f"-skip=^({skip or '-'})$", f"./{name}"], tree, env, stdout=out)
        results.update(events(place))
        failed = {t for t, s in results.items() if s.startswith("failed")} - again
        if not failed:
            # Of a test that has tests within, these alone count.
            return {f"{name}: {t}": s for t, s in results.items() if not any(o.startswith(f"{t}/") for o in results)}
        again |= failed
        results = {t: s for t, s in results.items() if t not in failed}


def events(place):
    results, said = {}, {}
    with open(place.record) as f, open(place.log, "a") as log:
        for line in f:
            try:
                e = json.loads(line)
            except ValueError:
                continue
            test, action = e.get("Test"), e["Action"]
            if action == "output":
                log.write(e["Output"])
                said.setdefault(test, []).append(e["Output"].strip())
            elif test:
                if action == "run":
                    results[test] = "failed: the process ended"
                elif action in ("pass", "skip"):
                    results[test] = {"pass": "passed", "skip": "skipped"}[action]
                elif action == "fail":
                    results[test] = f"failed: {error(said.get(test, []))}"
    return results


def error(lines):
    """The line that tells most: testify's Error and the line under it, or the first that names a place in a test."""
    for i, line in enumerate(lines):
        if line.startswith("Error:"):
            return re.sub(r"\s+", " ", " ".join(lines[i : i + 2]))[:300]
    return next((x for x in lines if re.match(r"\w+\.go:\d+: .", x)), lines[-1] if lines else "")[:300]
