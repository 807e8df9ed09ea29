"""SQLAlchemy's own tests, as its README.unittests.rst has them set up."""
import re

from .common import pytest, sdist

CORE = ["test/dialect/postgresql", "test/dialect/test_suite.py", "test/engine", "test/base", "test/sql"]


def core(place):
    return tests(place, "psycopg2", CORE)


def orm(place):
    return tests(place, "psycopg2", ["test/orm", "test/ext", "--ignore=test/ext/mypy"])


def drivers(place):
    """The dialect's tests over the other drivers."""
    return {f"{d}: {t}": s for d in ("psycopg", "asyncpg") for t, s in tests(place, d, CORE[:2]).items()}


def tests(place, driver, paths):
    tree = sdist(place, "sqlalchemy")
    database = f"sqlalchemy_{driver}"
    place.sql("postgres", f"create database {database} template template0", f"alter database {database} set default_text_search_config = 'pg_catalog.english'")
    place.sql(database, "create schema test_schema", "create schema test_schema_2", "create extension hstore", "create extension citext")
    url = f"postgresql+{driver}://postgres:any@{place.host}:{place.port}/{database}"
    results = pytest(place, tree, "--maxfail=100000", "--dropfirst", "--dburi", url, *paths)
    # The names hold the server's version.
    return {re.sub(rf"_postgresql\+{driver}(_\d+)*", "", t): s for t, s in results.items()}
