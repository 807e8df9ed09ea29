"""The servers of a run: Pamir from a binary, PostgreSQL 15 from Debian's package, both in a directory that goes when the run ends; or given by address."""
import os
import shutil
import socket
import subprocess
import tempfile
import time

from .wire import Connection, Lost

BIN = "/usr/lib/postgresql/15/bin"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(host, port, process, seconds=60):
    end = time.time() + seconds
    while True:
        try:
            Connection(host, port).close()
            return
        except (OSError, Lost):
            if time.time() > end or (process and process.poll() is not None):
                raise SystemExit(f"the server at {host}:{port} does not start")
            time.sleep(0.1)


class Servers:
    def __init__(self, pamir_binary, pamir_address, peer_address, with_peer, tcp=False):
        self.work = tempfile.mkdtemp(prefix="pamir-differential-")
        self.pamir_process, self.peer_started, self.binary, self.tcp = None, False, pamir_binary, tcp
        self.peer = None
        if with_peer:
            self.peer = address(peer_address) if peer_address else self.start_peer()
        if pamir_address:
            self.pamir = address(pamir_address)
        else:
            self.start_pamir()

    def start_pamir(self):
        port = free_port()
        log = open(f"{self.work}/pamir.log", "a")
        command = [self.binary, "start", "--data-dir", f"{self.work}/pamir", "--pg-addr", f"127.0.0.1:{port}", "--http-addr", "127.0.0.1:0"]
        self.pamir_process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_for("127.0.0.1", port, self.pamir_process)
        self.pamir = ("127.0.0.1", port)

    def start_peer(self):
        as_user = []
        if os.getuid() == 0:  # initdb refuses root
            as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self.work, "postgres")
        self.as_user = as_user
        data, quiet = f"{self.work}/peer", {"stdout": subprocess.DEVNULL, "cwd": self.work}
        subprocess.run([*as_user, f"{BIN}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"], check=True, **quiet)
        # PostgreSQL 15's Memoize does not know of outer columns that a window's run condition below it reads, and gives one outer row's answer to another: it
        # is no judge with it. (case 9100502: EXISTS over a lateral count(*) OVER compared with a column of the query outside.)
        where = ("127.0.0.1", free_port()) if self.tcp else (self.work, 5432)
        listen = where[0] if self.tcp else "''"
        options = f"-k {self.work} -p {where[1]} -c listen_addresses={listen} -c fsync=off -c max_prepared_transactions=10 -c jit=off -c enable_memoize=off"
        subprocess.run([*as_user, f"{BIN}/pg_ctl", "-D", data, "-w", "-l", f"{self.work}/peer.log", "-o", options, "start"], check=True, **quiet)
        self.peer_started = True
        return where

    def pamir_alive(self):
        return self.pamir_process is None or self.pamir_process.poll() is None

    def stop(self):
        if self.pamir_process and self.pamir_process.poll() is None:
            self.pamir_process.terminate()
            try:
                self.pamir_process.wait(20)
            except subprocess.TimeoutExpired:
                self.pamir_process.kill()
        if self.peer_started:
            subprocess.run([*self.as_user, f"{BIN}/pg_ctl", "-D", f"{self.work}/peer", "-m", "immediate", "stop"], stdout=subprocess.DEVNULL, cwd=self.work)
        shutil.rmtree(self.work, ignore_errors=True)


def address(text):
    host, _, port = text.rpartition(":")
    return host, int(port)
