"""PostgreSQL's source tree, for the tests it has: Debian's source package by apt's own lists in a directory of ours (some 24 MB)."""
import glob
import os
import subprocess
import tarfile

SOURCES = "deb-src http://deb.debian.org/debian bookworm main\n"
#: What is taken of it.
PARTS = ("/src/test/regress/", "/src/test/isolation/", "/src/pl/plpgsql/src/sql/", "/contrib/")


def fetch(into):
    with open(f"{into}/sources.list", "w") as f:
        f.write(SOURCES)
    os.makedirs(f"{into}/lists/partial")
    own = ["-o", f"Dir::Etc::SourceList={into}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={into}/lists", "-o", "APT::Sandbox::User=root"]
    subprocess.run(["apt-get", *own, "update"], check=True, cwd=into, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", *own, "source", "--download-only", "--tar-only", "postgresql-15"], check=True, cwd=into, stdout=subprocess.DEVNULL)
    (tar,) = glob.glob(f"{into}/*.orig.tar.*")
    with tarfile.open(tar) as t:
        t.extractall(into, [m for m in t.getmembers() if any(p in m.name for p in PARTS)], filter="data")
    (tree,) = glob.glob(f"{into}/*/src/test/regress")
    return tree.removesuffix("/src/test/regress")
