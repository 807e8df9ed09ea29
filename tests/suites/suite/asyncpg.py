"""asyncpg's own tests: PGHOST keeps them from starting a server. The tests of what they would write to a server's files or read of its log are skipped."""
import shutil

from .common import pytest, sdist


def run(place):
    tree = sdist(place, "asyncpg")
    # The source's package, which is not built, must not stand before the installed one.
    shutil.rmtree(f"{tree}/asyncpg", ignore_errors=True)
    return pytest(place, tree, "tests", env={"PGDATABASE": "postgres"})
