"""Scripts of SQL, cut into statements as psql cuts them: a COPY from the client is followed by its lines and `\\.`."""
import re
from collections import namedtuple

#: `line`: where it begins in its file; `data`: what COPY FROM STDIN is sent, or None.
Statement = namedtuple("Statement", "line sql data")

TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*)|(?P<block>/\*)|(?P<escaped>\b[eE]'(?:[^'\\]|\\.|'')*')|(?P<string>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*")"""
    r"""|(?P<dollar>\$(?:[A-Za-z_][A-Za-z_0-9]*)?\$)|(?P<word>[A-Za-z_][A-Za-z_0-9$]*)|(?P<end>;)|(?P<open>[(\[])|(?P<close>[)\]])|(?P<parameter>\$\d+)|.""",
    re.S | re.X,
)
FROM_CLIENT = re.compile(r"\s*copy\b.*\bfrom\s+stdin\b", re.I | re.S)


def block_end(text, at):
    """Behind a comment that may hold others."""
    depth = 0
    for m in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if m.group() == "/*" else -1
        if depth == 0:
            return m.end()
    raise ValueError("a comment without an end")


def cut(text):
    """The statements of a script, without their semicolons."""
    out, start, at, words, depth, nested = [], 0, 0, [], 0, 0
    blank = True
    while at < len(text):
        m = TOKEN.match(text, at)
        kind, at = m.lastgroup, m.end()
        if kind == "block":
            at = block_end(text, m.start())
        elif kind == "dollar":
            end = text.find(m.group(), at)
            if end < 0:
                raise ValueError(f"{m.group()} without an end in {text[m.start():m.start() + 80]!r}")
            at = end + len(m.group())
        elif kind == "word":
            words.append(m.group().lower())
            # The bodies of functions of the standard's form: only there does a semicolon stand within a statement.
            if words[-2:] == ["begin", "atomic"] or nested and words[-1] == "case":
                nested += 1
            elif nested and words[-1] == "end":
                nested -= 1
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        if kind == "comment" or kind == "block" or kind is None and m.group().isspace():
            if blank:
                start = at
            continue
        if kind == "end" and not nested and depth <= 0:
            if not blank:
                sql, data = text[start : m.start()], None
                if FROM_CLIENT.match(sql):
                    end = text.index("\n\\.", at)
                    data = text[text.index("\n", at) + 1 : end + 1]
                    at = end + 3
                out.append(Statement(text.count("\n", 0, start) + 1, sql.rstrip(), data))
            start, words, depth, blank = at, [], 0, True
            continue
        blank = False
    if not blank:
        raise ValueError(f"no semicolon behind {text[start:].strip()[:80]!r}")
    return out
