#!/usr/bin/env python3
"""Writes queries.out: what PostgreSQL answers to Parse + Describe of each line of queries.sql.

usage: pg_answers.py HOST PORT USER DATABASE   (trust authentication; schema.sql loaded)
"""
import os, socket, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {}


def connect(host, port, user, db):
    s = socket.create_connection((host, int(port)))
    body = struct.pack("!i", 196608) + b"user\0" + user.encode() + b"\0database\0" + db.encode() + b"\0\0"
    s.sendall(struct.pack("!i", len(body) + 4) + body)
    return s


def message(s):
    def take(n):
        out = b""
        while len(out) < n:
            part = s.recv(n - len(out))
            if not part:
                raise EOFError
            out += part
        return out

    head = take(5)
    return head[:1], take(struct.unpack("!i", head[1:])[0] - 4)


def until_ready(s):
    out = []
    while True:
        t, b = message(s)
        out.append((t, b))
        if t == b"Z":
            return out


def send(s, t, body):
    s.sendall(t + struct.pack("!i", len(body) + 4) + body)


def describe(s, sql):
    send(s, b"P", b"\0" + sql.encode() + b"\0" + struct.pack("!h", 0))
    send(s, b"D", b"S\0")
    send(s, b"S", b"")
    params, cols, error = [], None, None
    for t, b in until_ready(s):
        if t == b"E":
            f = {chr(x[0]): x[1:].decode() for x in b.split(b"\0") if x}
            error = f
        elif t == b"t":
            n = struct.unpack("!h", b[:2])[0]
            params = struct.unpack("!%di" % n, b[2:])
        elif t == b"T":
            n, at, cols = struct.unpack("!h", b[:2])[0], 2, []
            for _ in range(n):
                end = b.index(b"\0", at)
                name = b[at:end].decode()
                table, att, typ, size, mod, fmt = struct.unpack("!ihihih", b[end + 1 : end + 19])
                at = end + 19
                cols.append(f"{name}:{typ}" + (f"({mod})" if mod != -1 else "") + ("*" if table else ""))
    if error:
        line = f"error {error['C']} {error['M']}"
        if "P" in error:
            line += f" | at {error['P']}"
        if "D" in error:
            line += f" | detail {error['D']}"
        if "H" in error:
            line += f" | hint {error['H']}"
        return line
    return "ok (" + ",".join(map(str, params)) + ") " + ("-" if cols is None else ", ".join(cols))


def main():
    s = connect(*sys.argv[1:5])
    until_ready(s)
    with open(os.path.join(HERE, "queries.sql")) as f, open(os.path.join(HERE, "queries.out"), "w") as out:
        for line in f:
            line = line.rstrip("\n")
            out.write(describe(s, line) + "\n" if line else "\n")


main()
