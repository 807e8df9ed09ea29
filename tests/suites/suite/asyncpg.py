"""asyncpg's own tests: PGHOST keeps them from starting a server. The tests of what they would write to a server's files or read of its log are skipped."""
import shutil

from .common import python, sdist


def run(place):
    bin, tree = python(place), sdist(place, "asyncpg")
    # The source's package, which is not built, must not stand before the installed one.
    shutil.rmtree(f"{tree}/asyncpg", ignore_errors=True)
    return place.recorded([bin, "-m", "pytest", "-p", "record", "-q", "tests"], tree, {"PGDATABASE": "postgres"})
