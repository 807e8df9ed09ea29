#!/usr/bin/env python3
"""Makes single.rs and the texts of double.rs from a PostgreSQL server's conversions: generate.py [psql arguments]."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SINGLE = "LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9 LATIN10 WIN1256 WIN1258 WIN866 WIN874 KOI8R WIN1251 WIN1252 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 WIN1250 WIN1253 WIN1254 WIN1255 WIN1257 KOI8U".split()
DOUBLE = "EUC_JP EUC_CN SJIS BIG5 GBK UHC".split()
SETUP = """
create or replace function pg_temp.f(b bytea, e text) returns int language plpgsql as $$
declare t text; begin t := convert_from(b, e); return case when length(t) = 1 then ascii(t) else 0 end; exception when others then return 0; end $$;
create or replace function pg_temp.g(c int, e text) returns bytea language plpgsql as $$
begin return convert_to(chr(c), e); exception when others then return null; end $$;
"""


def ask(sql):
    run = subprocess.run(["psql", "-XAtq", "-F", " ", *sys.argv[1:]], input=SETUP + sql, capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


def single():
    out = "//! Encodings of one byte a character: what the bytes from 0x80 on stand for, as PostgreSQL 15 converts them (0: nothing). Made by generate.py.\n\n"
    out += f"/// By PostgreSQL's number of the encoding, from [`FIRST`] on.\npub const TABLES: [&[u16; 128]; {len(SINGLE)}] = [\n"
    out += "".join(f"    &{n},\n" for n in SINGLE) + "];\npub const FIRST: u8 = 8;\n"
    for n in SINGLE:
        chars = [int(r[0]) for r in ask(f"select pg_temp.f(set_byte('\\x00', 0, b), '{n}') from generate_series(128, 255) b order by b;")]
        rows = [", ".join(f"0x{c:x}" for c in chars[i : i + 16]) for i in range(0, 128, 16)]
        out += f"const {n}: [u16; 128] = [\n" + "".join(f"    {r},\n" for r in rows) + "];\n"
    (HERE / "single.rs").write_text(out)


def code(b):
    if len(b) == 3:
        return b[1] << 8 | (b[2] & 0x7F)
    return int.from_bytes(b, "big")


def runs(sign, chars):
    out, last = [], None
    for c in sorted(chars):
        if last is not None and c == last + 1 and c >> 8 == last >> 8:
            out[-1] += chr(chars[c])
        else:
            out.append(f"{sign}{c:x} {chr(chars[c])}")
        last = c
    return "".join(line + "\n" for line in out)


def double(n):
    codes = """select set_byte('\\x00'::bytea, 0, i) b from generate_series(128, 255) i
        union all select set_byte(set_byte('\\x0000'::bytea, 0, i), 1, j) from generate_series(128, 255) i, generate_series(48, 255) j"""
    if n == "EUC_JP":
        codes += " union all select set_byte(set_byte('\\x8f0000'::bytea, 1, i), 2, j) from generate_series(161, 254) i, generate_series(161, 254) j"
    read = {code(bytes.fromhex(b)): int(c) for b, c in ask(f"select encode(b, 'hex'), pg_temp.f(b, '{n}') from ({codes}) s where pg_temp.f(b, '{n}') > 0;")}
    written = {int(c): code(bytes.fromhex(b)) for c, b in ask(f"select c, encode(pg_temp.g(c, '{n}'), 'hex') from generate_series(128, 262143) c where (c < 55296 or c > 57343) and pg_temp.g(c, '{n}') is not null;")}
    both = {k: c for k, c in read.items() if written.get(c) == k}
    text = runs("", both) + runs("<", {k: c for k, c in read.items() if k not in both})
    text += runs(">", {k: c for c, k in written.items() if read.get(k) != c})
    (HERE / f"{n.lower()}.txt").write_text(text)


single()
for name in DOUBLE:
    double(name)
