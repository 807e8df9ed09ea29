"""Network namespaces: one for this process, with its own loopback; one a node, tied to it by two links, one for other nodes and one for clients.

    this process ── bridge "nodes"   10.77.1.0/24 ── link n1 ── node 1: 10.77.1.1
                 └─ bridge "clients" 10.77.2.0/24 ── link c1 ── node 1: 10.77.2.1

`cut` takes a node's first link down: it goes on serving its clients as far as it can alone. Everything goes with the processes. Needs root.
"""
import ctypes
import os
import subprocess

from .systems import Failed

CLONE_NEWNET = 0x40000000


def ip(*args):
    out = subprocess.run(["ip", *map(str, args)], capture_output=True, text=True)
    if out.returncode:
        raise Failed(f"ip {' '.join(map(str, args))}: {out.stderr.strip()}")


def enter():
    """This process, and what it starts from now on, has a network of its own."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
        raise Failed(f"no network namespace: {os.strerror(ctypes.get_errno())}")
    ip("link", "set", "lo", "up")
    for n, bridge in enumerate(("nodes", "clients"), 1):
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", f"10.77.{n}.254/24", "dev", bridge)
        ip("link", "set", bridge, "up")


class Space:
    """A node's network."""

    def __init__(self, number):
        self.number = number
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; exec sleep infinity"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.holder.stdout.readline()
        for n, (link, bridge) in enumerate(((f"n{number}", "nodes"), (f"c{number}", "clients")), 1):
            ip("link", "add", link, "type", "veth", "peer", "name", "inside")
            ip("link", "set", "inside", "netns", self.holder.pid)
            ip("link", "set", link, "master", bridge, "up")
            self.inside("ip", "link", "set", "inside", "name", bridge)
            self.inside("ip", "addr", "add", f"10.77.{n}.{number}/24", "dev", bridge)
            self.inside("ip", "link", "set", bridge, "up")
        self.inside("ip", "link", "set", "lo", "up")

    def wrap(self, cmd):
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", *cmd]

    def inside(self, *cmd):
        out = subprocess.run(self.wrap(list(cmd)), capture_output=True, text=True)
        if out.returncode:
            raise Failed(f"{' '.join(cmd)}: {out.stderr.strip()}")

    def cut(self):
        ip("link", "set", f"n{self.number}", "down")

    def mend(self):
        ip("link", "set", f"n{self.number}", "up")

    def remove(self):
        self.holder.kill()
        self.holder.wait()
