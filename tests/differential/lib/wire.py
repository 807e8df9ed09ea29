"""PostgreSQL's protocol, as much of it as a comparison needs: many statements on the way at once, simple or extended, and whole answers."""
import socket
import struct


class Lost(Exception):
    """The server closed the connection or did not answer in time."""


class Answer:
    """What a statement (or a message of several) came to."""

    __slots__ = ("columns", "rows", "tag", "code", "message", "detail", "hint", "position", "notices", "told", "status")

    def __init__(self):
        self.columns, self.rows, self.tag, self.code, self.message, self.position = None, [], None, None, None, None
        self.detail, self.hint, self.notices, self.told = None, None, [], []

    def __repr__(self):
        if self.code:
            return f"ERROR {self.code} {self.message}"
        return f"{self.tag} {self.columns} {self.rows}"


class Step:
    """One statement to send. `params`: (type oid, text) for the extended protocol; None: the simple one. `data`: what COPY FROM STDIN is sent."""

    __slots__ = ("sql", "params", "binary", "data")

    def __init__(self, sql, params=None, binary=False, data=None):
        self.sql, self.params, self.binary, self.data = sql, params, binary, data

    def message(self):
        def frame(kind, body):
            return kind + struct.pack("!i", len(body) + 4) + body

        sql = self.sql.encode() + b"\0"
        if self.params is None:
            return frame(b"Q", sql)
        oids = b"".join(struct.pack("!I", oid) for oid, _ in self.params)
        values = b""
        for _, text in self.params:
            raw = None if text is None else text.encode()
            values += struct.pack("!i", -1) if raw is None else struct.pack("!i", len(raw)) + raw
        count = struct.pack("!h", len(self.params))
        return (
            frame(b"P", b"\0" + sql + count + oids)
            + frame(b"B", b"\0\0" + struct.pack("!h", 0) + count + values + struct.pack("!hh", 1, 1 if self.binary else 0))
            + frame(b"D", b"P\0")
            + frame(b"E", b"\0" + struct.pack("!i", 0))
            # A Sync before the data is passed over or not, by when the server looks: it follows the data.
            + (frame(b"S", b"") if self.data is None else frame(b"H", b""))
        )


class Connection:
    def __init__(self, host, port, database="postgres", user="postgres", timeout=60):
        self.address, self.timeout = (host, port), timeout
        if host.startswith("/"):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(timeout)
            self.socket.connect(f"{host}/.s.PGSQL.{port}")
        else:
            self.socket = socket.create_connection((host, port), timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.at = bytearray(), 0
        body = struct.pack("!i", 196608)
        for k, v in (("user", user), ("database", database), ("client_encoding", "UTF8"), ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY")):
            body += k.encode() + b"\0" + v.encode() + b"\0"
        body += b"\0"
        self.socket.sendall(struct.pack("!i", len(body) + 4) + body)
        a = self.answer()
        if a.code:
            raise Lost(repr(a))

    def frame(self):
        while True:
            have = len(self.buffer) - self.at
            if have >= 5:
                (length,) = struct.unpack_from("!i", self.buffer, self.at + 1)
                if have >= length + 1:
                    kind = self.buffer[self.at]
                    body = bytes(self.buffer[self.at + 5 : self.at + 1 + length])
                    self.at += 1 + length
                    return kind, body
            if self.at:
                del self.buffer[: self.at]
                self.at = 0
            try:
                got = self.socket.recv(1 << 18)
            except OSError as e:
                raise Lost(f"no answer: {e}") from e
            if not got:
                raise Lost("the server closed the connection")
            self.buffer += got

    def synchronize(self, waiting):
        if waiting:
            self.socket.sendall(b"S" + struct.pack("!i", 4))
        return False

    def answer(self, step=None):
        """Everything up to ReadyForQuery. Of several results the last one is kept. A COPY from the client gets the step's data, or fails for want of it; one to the client gives its pieces as rows."""
        a = Answer()
        waiting = step is not None and step.data is not None and step.params is not None
        while True:
            kind, body = self.frame()
            if kind in (0x43, 0x45):  # what ends a COPY that never asked for its data
                waiting = self.synchronize(waiting)
            if kind == 0x44:  # DataRow
                row, at = [], 2
                for _ in range(struct.unpack_from("!h", body)[0]):
                    (n,) = struct.unpack_from("!i", body, at)
                    at += 4
                    if n < 0:
                        row.append(None)
                    else:
                        row.append(body[at : at + n])
                        at += n
                a.rows.append(tuple(row))
            elif kind == 0x54:  # RowDescription
                a.columns, a.rows, at = [], [], 2
                for _ in range(struct.unpack_from("!h", body)[0]):
                    end = body.index(b"\0", at)
                    (oid,) = struct.unpack_from("!I", body, end + 7)
                    a.columns.append((body[at:end].decode(), oid))
                    at = end + 19
            elif kind == 0x43:  # CommandComplete
                a.tag = body[:-1].decode()
            elif kind == 0x45:  # ErrorResponse
                fields = {f[:1]: f[1:].decode(errors="replace") for f in body.split(b"\0") if f}
                a.code, a.message, a.position = fields.get(b"C"), fields.get(b"M"), fields.get(b"P")
                a.detail, a.hint = fields.get(b"D"), fields.get(b"H")
            elif kind == 0x4E:  # NoticeResponse
                fields = {f[:1]: f[1:].decode(errors="replace") for f in body.split(b"\0") if f}
                a.notices.append((fields.get(b"C"), fields.get(b"M"), fields.get(b"D"), fields.get(b"H")))
            elif kind == 0x47:  # CopyInResponse
                if step is None or step.data is None:
                    reply = b"no data\0"
                    self.socket.sendall(b"f" + struct.pack("!i", len(reply) + 4) + reply)
                else:
                    raw = step.data.encode()
                    self.socket.sendall(b"d" + struct.pack("!i", len(raw) + 4) + raw + b"c" + struct.pack("!i", 4))
                    waiting = self.synchronize(waiting)
            elif kind == 0x64:  # CopyData
                a.rows.append((body,))
            elif kind == 0x41:  # NotificationResponse
                a.told.append(tuple(f.decode() for f in body[4:].split(b"\0")[:2]))
            elif kind == 0x52 and struct.unpack_from("!i", body)[0] != 0:
                raise Lost("the server asks for a password")
            elif kind == 0x5A:  # ReadyForQuery
                a.status = body
                return a

    def send(self, steps):
        try:
            self.socket.sendall(b"".join(s.message() for s in steps))
        except OSError as e:
            raise Lost(str(e)) from e

    def run(self, steps):
        """Sends all, then reads all answers."""
        steps = [Step(s) if isinstance(s, str) else s for s in steps]
        out = []
        # What is on the way stays below what the sockets hold, so that neither side waits for the other for ever.
        for i in range(0, len(steps), 16):
            part = steps[i : i + 16]
            self.send(part)
            out += [self.answer(s) for s in part]
        return out

    def one(self, sql):
        return self.run([sql])[0]

    def close(self):
        self.socket.close()


def run_both(a, sa, b, sb):
    """Both servers at once; their answers."""
    sa = [Step(s) if isinstance(s, str) else s for s in sa]
    sb = [Step(s) if isinstance(s, str) else s for s in sb]
    if sum(len(s.sql) for s in sa) + sum(len(s.sql) for s in sb) < 30_000:
        a.send(sa)
        b.send(sb)
        return [a.answer(s) for s in sa], [b.answer(s) for s in sb]
    return a.run(sa), b.run(sb)
