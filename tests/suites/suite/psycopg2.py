"""psycopg2's own tests."""
from .common import python, sdist


def run(place):
    bin, tree = python(place), sdist(place, "psycopg2")
    place.sql("postgres", "create database psycopg2_test")
    place.sql("psycopg2_test", "create extension hstore")
    return place.recorded([bin, "-m", "pytest", "-p", "record", "-q", "tests"], tree, {"PSYCOPG2_TESTDB": "psycopg2_test"})
