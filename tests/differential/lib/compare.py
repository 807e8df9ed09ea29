"""Are two answers the same? Rows as multisets unless they come in a total order; floating point with a tolerance; the SQLSTATE of errors."""
from collections import Counter
from decimal import Decimal

FLOATS = {700, 701}
NUMERIC = 1700
TOLERANCE = 1e-9
#: Running out of time on either side says nothing.
TIMEOUTS = {"57014", "53200", "53400"}
#: What is not there says so with this; it is counted, not compared.
UNSUPPORTED = "0A000"

#: Deliberate differences: (what tells, why). Kept short; everything else is a bug here.
DELIBERATE = [
    (lambda p, q: q.code == "XX000", "an internal error of PostgreSQL (failed to build any 4-way joins)"),
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


def by_value(answer, binary):
    """The rows with numerics as values: 1.5 and 1.50 are equal to ORDER BY, so either may come first."""
    numeric = {i for i, c in enumerate(answer.columns or []) if c[1] == NUMERIC}

    def value(v):
        if v is None or v == b"NaN":
            return v
        # Bytes 6 and 7 of the binary form are the scale.
        return v[:6] + v[8:] if binary else Decimal(v.decode())

    return [tuple(value(v) if i in numeric else v for i, v in enumerate(row)) for row in answer.rows]


def same_rows(p, q, ordered, binary):
    if len(p.rows) != len(q.rows):
        return False
    if p.rows == q.rows:
        return True
    floats = [i for i, c in enumerate(p.columns or []) if c[1] in FLOATS]
    if not floats or binary:
        return Counter(p.rows) == Counter(q.rows) and (not ordered or by_value(p, binary) == by_value(q, binary))

    def rounded(row):
        return tuple((b"%.6g" % float(v) if v not in (None, b"NaN", b"Infinity", b"-Infinity") else v) if i in floats else v for i, v in enumerate(row))

    a, b = p.rows, q.rows
    if not ordered:
        key = lambda row: tuple((v is None, v or b"") for v in rounded(row))
        a, b = sorted(a, key=key), sorted(b, key=key)
    return all(len(x) == len(y) and all(close(v, w) if i in floats else v == w for i, (v, w) in enumerate(zip(x, y))) for x, y in zip(a, b))


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
    if pamir.columns != peer.columns:
        return f"columns {pamir.columns} for {peer.columns}"
    if pamir.tag != peer.tag:
        return f"tag {pamir.tag} for {peer.tag}"
    if not same_rows(pamir, peer, ordered, binary):
        return "rows"
    return None


def kind(difference):
    """The class of a difference, for shrinking: the same bug stays in it."""
    return difference.split(" ")[0] + (" " + difference.split(" ")[1] if difference.startswith("error") else "")
