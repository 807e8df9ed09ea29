"""pgjdbc's own tests, from the source that Maven's registry has beside the jar."""
import os
import shutil
import tarfile

from .common import INSIDE, PGJDBC, once, patch

#: What is taken out of a test's setup for both servers: 154 tests stand behind an UPDATE of pg_description, which Pamir refuses.
PATCHED = ("src/test/java/org/postgresql/test/jdbc2/DatabaseMetaDataTest.java", r'^ +TestUtil\.execute\(conPriv, "update pg_description .*\n')
SETUP = ("create user test password 'test'", "create database test owner test")


def source(place):
    """The unpacked and built source, and the class path of its tests with inside/Record.java."""
    tree = f"{place.cache}/postgresql-{PGJDBC}-jdbc-src"
    recorder = f"{INSIDE}/Record.java"
    with once(f"{tree}.done", f"{PATCHED}{open(recorder).read()}") as needed:
        if needed:
            shutil.rmtree(tree, ignore_errors=True)
            place.command(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact=org.postgresql:postgresql:{PGJDBC}:tar.gz:jdbc-src", f"-DoutputDirectory={place.cache}"], place.cache, check=True)
            with tarfile.open(f"{tree}.tar.gz") as t:
                t.extractall(place.cache, filter="data")
            patch(f"{tree}/{PATCHED[0]}", PATCHED[1], "")
            place.command(["mvn", "-q", "-B", "test-compile", "dependency:build-classpath", "-Dmdep.outputFile=cp.txt", "-Dmdep.includeScope=test"], tree, check=True)
            place.command(["javac", "-cp", open(f"{tree}/cp.txt").read(), "-d", f"{tree}/target/record", recorder], tree, check=True)
            services = f"{tree}/target/record/META-INF/services"
            os.makedirs(services)
            with open(f"{services}/org.junit.jupiter.api.extension.Extension", "w") as f:
                f.write("Record\n")
    return tree, ":".join(["target/record", "target/test-classes", "target/classes", open(f"{tree}/cp.txt").read()])


def run(place):
    tree, classes = source(place)
    place.sql("postgres", *SETUP)
    place.sql("test", "create extension hstore")
    server = [f"-Dtest.url.PGHOST={place.host}", f"-Dtest.url.PGPORT={place.port}", "-Dbuild.properties.relative.path=."]
    return place.recorded(["java", "-Xmx1536m", *server, "-cp", classes, "Record", "org.postgresql"], tree)
