"""Are two answers the same? Rows as multisets unless they come in a total order; floating point with a tolerance; the SQLSTATE of errors."""
import struct
from collections import Counter
from decimal import Decimal

FLOATS = {700, 701}
NUMERIC, INTERVAL = 1700, 1186
TOLERANCE = 1e-9
#: Running out of time on either side says nothing.
TIMEOUTS = {"57014", "53200", "53400"}
#: What is not there says so with this; it is counted, not compared.
UNSUPPORTED = "0A000"

#: Deliberate differences: (what tells, why). Kept short; everything else is a bug here.
DELIBERATE = [
    (lambda p, q: q.code == "XX000", "an internal error of PostgreSQL (failed to build any 4-way joins)"),
    (lambda p, q: q.code == "55006" and "pending trigger events" in q.message,
     "PostgreSQL looks once more for a key that is as it was, where a transaction changes a row twice; and so has something pending"),
    (lambda p, q: p.code == "54001" or q.code == "54001", "how deep a statement may nest is each server's own"),
]


def close(a, b):
    if a == b:
        return True
    if a is None or b is None:
        return False
    try:
        x, y = float(a), float(b)
    except ValueError:
        return False
    return x == y or abs(x - y) <= TOLERANCE * max(abs(x), abs(y), 1.0)


def length(v, binary):
    """An interval as its operators take it: a month is 30 days, a day 24 hours. In microseconds."""
    if binary:
        time, days, months = struct.unpack("!qii", v)
    else:
        time = days = months = 0
        words = v.decode().split()
        while len(words) > 1:
            n, unit = int(words.pop(0)), words.pop(0)
            days += n if unit.startswith("day") else 0
            months += {"y": 12, "m": 1, "d": 0}[unit[0]] * n
        if words:
            h, m, s = words[0].lstrip("+-").split(":")
            time = int((int(h) * 3600 + int(m) * 60 + Decimal(s)) * 1_000_000) * (-1 if words[0][0] == "-" else 1)
    return time + (days + months * 30) * 86_400_000_000


def by_value(answer, binary, types):
    """The rows with numerics or intervals as values: 1.5 and 1.50, 1 day and 24 hours are equal to ORDER BY and to GROUP BY, so either may come first, or alone."""
    kinds = {i: c[1] for i, c in enumerate(answer.columns or []) if c[1] in types}

    def value(i, v):
        if v is None or i not in kinds:
            return v
        if kinds[i] == INTERVAL:
            return length(v, binary)
        # Bytes 6 and 7 of the binary form are the scale.
        return v if v == b"NaN" else v[:6] + v[8:] if binary else Decimal(v.decode())

    return [tuple(value(i, v) for i, v in enumerate(row)) for row in answer.rows]


def same_rows(p, q, ordered, binary):
    if len(p.rows) != len(q.rows):
        return False
    if p.rows == q.rows:
        return True
    if ordered and by_value(p, binary, {NUMERIC, INTERVAL}) == by_value(q, binary, {NUMERIC, INTERVAL}):
        return True
    a, b = by_value(p, binary, {INTERVAL}), by_value(q, binary, {INTERVAL})
    floats = [i for i, c in enumerate(p.columns or []) if c[1] in FLOATS]
    if not floats or binary:
        return not ordered and Counter(a) == Counter(b)

    def rounded(row):
        return tuple((b"%.6g" % float(v) if v not in (None, b"NaN", b"Infinity", b"-Infinity") else v) if i in floats else v for i, v in enumerate(row))

    if not ordered:
        key = lambda row: tuple((v is None, v or (0 if isinstance(v, int) else b"")) for v in rounded(row))
        a, b = sorted(a, key=key), sorted(b, key=key)
    return all(len(x) == len(y) and all(close(v, w) if i in floats else v == w for i, (v, w) in enumerate(zip(x, y))) for x, y in zip(a, b))


#: From here on OIDs are users' types, and each server's own.
FIRST_USER = 16384


def named(columns):
    return columns and [(c[0], "own" if c[1] >= FIRST_USER else c[1], *c[2:]) for c in columns]


def differ(pamir, peer, ordered=False, binary=False, messages=False):
    """None, or what is different in a few words. `unsupported: ...` is for counting."""
    if pamir.code in TIMEOUTS or peer.code in TIMEOUTS:
        return "timeout"
    if any(f(pamir, peer) for f, _ in DELIBERATE):
        return None
    if pamir.code or peer.code:
        if pamir.code == peer.code:
            return f"message: {pamir.message!r} for {peer.message!r}" if messages and pamir.message != peer.message else None
        if pamir.code == UNSUPPORTED:
            return f"unsupported: {pamir.message}"
        return f"error {pamir.code or 'none'} ({pamir.message}) for {peer.code or 'none'} ({peer.message})"
    if named(pamir.columns) != named(peer.columns):
        return f"columns {pamir.columns} for {peer.columns}"
    if pamir.tag != peer.tag:
        return f"tag {pamir.tag} for {peer.tag}"
    if not same_rows(pamir, peer, ordered, binary):
        return "rows"
    return None


def kind(difference):
    """The class of a difference, for shrinking: the same bug stays in it."""
    return difference.split(" ")[0] + (" " + difference.split(" ")[1] if difference.startswith("error") else "")
