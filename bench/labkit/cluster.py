"""Clusters on this machine: Pamir's nodes, a PostgreSQL primary with a synchronous standby, a MariaDB primary with a semi-synchronous replica.

Each is started over a directory of its own, a subdirectory a member; the first member of the peers is the primary for good, Pamir's leader is asked for (`/health/leader`).
All members sync what they acknowledge: PostgreSQL's standby by `synchronous_commit` on or remote_apply, MariaDB's by `sync_relay_log = 1`, Pamir's always.
"""
import os
import shutil
import threading
import time
import urllib.error
import urllib.request

from . import proc, systems
from .systems import Failed

READY_SECONDS = 60


def http(url, timeout=2):
    """Status and text; (0, why) where nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=timeout) as r:
            return r.status, r.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()
    except OSError as e:
        return 0, str(e)


class Node(systems.Pamir):
    """One Pamir node, on 127.0.0.1 with ports of its own."""

    def __init__(self, number, base, buffer_mb, binary, join=None, extra=()):
        super().__init__(buffer_mb, binary)
        self.number, self.name = number, f"node {number}"
        self.port, self.http, self.node = base + 3 * number, base + 3 * number + 1, base + 3 * number + 2
        self.join, self.extra = join, list(extra)

    def command(self, directory, extra):
        join = ["--join", f"127.0.0.1:{self.join}"] if self.join else []
        return [*super().command(directory, extra), "--node-addr", f"127.0.0.1:{self.node}", *join, *self.extra]

    def leads(self):
        return self.alive() and http(f"http://127.0.0.1:{self.http}/health/leader")[0] == 200


class Cluster:
    """What several servers are to a load: where it goes, whose processor time counts as the primary's and as the others'."""

    def __init__(self, name, members):
        self.name, self.members = name, members

    def start(self, directory):
        os.makedirs(directory, exist_ok=True)
        os.chmod(directory, 0o755)
        for n, m in enumerate(self.members):
            m.start(f"{directory}/{n}")

    def primary(self):
        return self.members[0]

    def stop(self):
        for m in self.members:
            m.stop()

    def kill(self):
        for m in self.members:
            m.kill()

    def cpu(self):
        """Seconds of processor time: the primary's, all others' together."""
        first = self.primary()
        others = [m for m in self.members if m is not first]
        return proc.cpu_seconds(first.pid), sum(proc.cpu_seconds(m.pid) for m in others)


class PamirCluster(Cluster):
    def __init__(self, name, nodes, base, buffer_mb, binary, extra=()):
        first = Node(0, base, buffer_mb, binary, extra=extra)
        rest = [Node(n, base, buffer_mb, binary, join=first.node, extra=extra) for n in range(1, nodes)]
        super().__init__(name, [first, *rest])

    def start(self, directory):
        """A new cluster grows node by node. One that was there starts at once: a node alone has no majority, and is ready only when somebody leads."""
        if not os.path.exists(f"{directory}/0"):
            return super().start(directory)
        failed = []

        def one(n, m):
            try:
                m.start(f"{directory}/{n}")
            except Failed as e:
                failed.append(e)

        threads = [threading.Thread(target=one, args=x) for x in enumerate(self.members)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if failed:
            raise failed[0]

    def primary(self):
        """The leader; waits for one."""
        end = time.time() + READY_SECONDS
        while time.time() < end:
            for m in self.members:
                if m.leads():
                    return m
            time.sleep(0.02)
        raise Failed(f"{self.name}: no node leads")


class Standby(systems.Postgres):
    """A streaming standby of the server at `port_of`."""

    def __init__(self, buffer_mb, primary, port):
        super().__init__(buffer_mb)
        self.primary, self.port = primary, port
        self.name = "standby"

    def init(self, directory):
        os.makedirs(directory, mode=0o700)
        if self.owner():
            shutil.chown(directory, "postgres", "postgres")
        out = systems.run([f"{systems.PGBIN}/pg_basebackup", "-h", "127.0.0.1", "-p", str(self.primary.port), "-U", "postgres", "-D", directory, "-R", "-X", "stream", "-c", "fast"],
                          cwd="/", **self.credentials())
        if out.returncode:
            raise Failed(f"pg_basebackup: {out.stderr.strip()[-300:]}")

    def setup(self):
        pass


class PostgresPair(Cluster):
    def __init__(self, name, base, buffer_mb, commit):
        first = systems.Postgres(buffer_mb)
        first.port = base
        super().__init__(name, [first, Standby(buffer_mb, first, base + 1)])
        self.commit = commit

    def start(self, directory):
        first, second = self.members
        os.makedirs(directory, exist_ok=True)
        os.chmod(directory, 0o755)
        first.start(f"{directory}/0", [f"synchronous_commit={self.commit}"])
        second.start(f"{directory}/1", ["hot_standby=on"])
        first.sql("alter system set synchronous_standby_names = '*'")
        first.sql("select pg_reload_conf()")
        end = time.time() + READY_SECONDS
        while first.sql("select count(*) from pg_stat_replication where sync_state = 'sync'") != "1":
            if time.time() > end:
                raise Failed("the standby is not synchronous")
            time.sleep(0.1)

    def stop(self):
        # The primary's last record must find its standby.
        self.members[0].stop()
        self.members[1].stop()


class MariaPair(Cluster):
    def __init__(self, name, base, buffer_mb):
        first, second = systems.MariaDb(buffer_mb), systems.MariaDb(buffer_mb)
        first.port, second.port = base, base + 1
        super().__init__(name, [first, second])

    def start(self, directory):
        first, second = self.members
        new = not os.path.exists(f"{directory}/0")
        os.makedirs(directory, exist_ok=True)
        # Semi-synchronous from the moment that the replica is there: the primary's own first start would wait for it.
        first.start(f"{directory}/0", ["server-id=1"])
        second.start(f"{directory}/1", ["server-id=2", "rpl-semi-sync-slave-enabled=1", "sync-relay-log=1", f"relay-log={directory}/1/relay"])
        if new:
            second.sql("reset master; change master to master_host='127.0.0.1', master_port=%d, master_user='sb', master_password='sb', master_use_gtid=no, "
                       "master_log_file='bin.000001', master_log_pos=4" % first.port)
        second.sql("start slave")
        first.sql("set global rpl_semi_sync_master_wait_point = 'AFTER_SYNC', rpl_semi_sync_master_timeout = 3600000, rpl_semi_sync_master_enabled = 1")
        end = time.time() + READY_SECONDS
        while first.status("Rpl_semi_sync_master_clients") != 1 or "ON" not in first.sql("show global status like 'Rpl_semi_sync_master_status'"):
            if time.time() > end:
                raise Failed("the replica is not semi-synchronous")
            time.sleep(0.1)

    def stop(self):
        self.members[1].stop()
        self.members[0].stop()

