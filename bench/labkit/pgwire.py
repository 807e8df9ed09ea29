"""Just enough of PostgreSQL's protocol for what psql cannot do: thousands of connections from one process, and a prober that times each commit."""
import random
import socket
import struct
import subprocess
import threading
import time

from .systems import Failed


class Connection:
    """Trusted log-in and simple queries."""

    def __init__(self, system, timeout=60):
        self.socket = socket.create_connection((system.host, system.port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.at = b"", 0
        body = struct.pack("!i", 196608) + b"user\0postgres\0database\0" + system.database.encode() + b"\0\0"
        self.socket.sendall(struct.pack("!i", len(body) + 4) + body)
        self.until_ready()

    def read(self, n):
        # What was read stays in front until more comes: a message of a few bytes costs no copy of what follows it.
        while len(self.buffer) - self.at < n:
            got = self.socket.recv(1 << 18)
            if not got:
                raise Failed("the server closed the connection")
            self.buffer, self.at = self.buffer[self.at:] + got, 0
        self.at += n
        return self.buffer[self.at - n:self.at]

    def until_ready(self, rows=None):
        """To the end of an answer; its rows, as lists of texts, go into `rows`."""
        error = None
        while True:
            kind, length = struct.unpack("!ci", self.read(5))
            body = self.read(length - 4)
            if kind == b"E":
                fields = dict((f[:1], f[1:].decode(errors="replace")) for f in body.split(b"\0") if f)
                error = f"{fields.get(b'C', '')}: {fields.get(b'M', '')}"
                if fields.get(b"V") == "FATAL":
                    raise Failed(error)
            elif kind == b"D" and rows is not None:
                row, at = [], 2
                for _ in range(struct.unpack("!h", body[:2])[0]):
                    n, at = struct.unpack_from("!i", body, at)[0], at + 4
                    row.append(None if n < 0 else body[at:at + n].decode())
                    at += max(n, 0)
                rows.append(row)
            elif kind == b"R" and struct.unpack("!i", body[:4])[0] != 0:
                raise Failed("the server asks for a password")
            elif kind == b"Z":
                if error:
                    raise Failed(error)
                return

    def query(self, sql):
        body = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)
        self.until_ready()

    def rows(self, sql):
        body, rows = sql.encode() + b"\0", []
        self.socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)
        self.until_ready(rows)
        return rows

    def close(self):
        self.socket.close()


class Prober:
    """One client that updates random rows, one commit after another, and keeps when each was answered."""

    def __init__(self, system, tables, rows):
        self.connection, self.tables, self.rows = Connection(system), tables, rows
        self.answered, self.failure, self.stop = [], "", threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        try:
            while not self.stop.is_set():
                self.connection.query(f"update sbtest{random.randint(1, self.tables)} set k = k + 1 where id = {random.randint(1, self.rows)}")
                self.answered.append(time.time())
        except (Failed, OSError) as e:
            self.failure = str(e)

    def end(self):
        self.stop.set()
        self.thread.join(120)
        self.connection.close()
        if self.failure:
            raise Failed(self.failure)

    def gap(self, start, end):
        """The longest time without an answer, in ms, of those that touch start..end."""
        pairs = zip(self.answered, self.answered[1:])
        return max((b - a for a, b in pairs if b >= start and a <= end), default=0.0) * 1000


class Psql:
    """A psql that stays open, for a transaction over several statements."""

    END = "lab-end-of-answer"

    def __init__(self, system):
        self.child = subprocess.Popen(["psql", "-XqAt"], env=system.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, sql):
        self.child.stdin.write(f"{sql};\n\\echo {self.END}\n")
        self.child.stdin.flush()
        lines = []
        for line in self.child.stdout:
            if line.strip() == self.END:
                if error := next((l for l in lines if "ERROR:" in l or "FATAL:" in l), None):
                    raise Failed(error)
                return "\n".join(lines)
            lines.append(line.rstrip("\n"))
        raise Failed("psql ended: " + " ".join(lines))

    def close(self):
        self.child.stdin.close()
        self.child.wait(30)
