"""psycopg2's own tests."""
from .common import pytest, sdist


def run(place):
    tree = sdist(place, "psycopg2")
    place.sql("postgres", "create database psycopg2_test")
    place.sql("psycopg2_test", "create extension hstore")
    return pytest(place, tree, "tests", env={"PSYCOPG2_TESTDB": "psycopg2_test"})
