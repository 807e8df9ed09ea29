#!/usr/bin/env python3
"""Asks PostgreSQL 15 what the calls in golden.in answer and writes golden.tsv.

usage: golden.py 'host=... port=... user=...' > golden.tsv      (needs psql on PATH)

A line of golden.in is `kind:name` and arguments `type=text` apart by tabs or two spaces (`\\_` is a space in a text); kind is fn, op, cast or agg (one argument list a
row there, several arguments joined by `&&`). \\N is NULL.
"""
import os, re, subprocess, sys
here = os.path.dirname(os.path.abspath(__file__))
lines = [l.rstrip('\n') for l in open(os.path.join(here, 'golden.in'))]
def lit(a):
    t, v = a.split('=', 1)
    if t == 'char': t = 'bpchar'
    if v == '\\N': return f'NULL::{t}'
    v = v.replace('\\t', '\t').replace('\\n', '\n').replace('\\_', ' ')
    return "'" + v.replace("'", "''") + f"'::{t}"
script = ["\\set ON_ERROR_STOP 0", "\\set VERBOSITY verbose", "\\pset null '\\\\N'", "set timezone = 'UTC';", "\\t on", "\\a", "\\pset fieldsep ','", "\\pset recordsep '|'"]
cases = []
for l in lines:
    if not l or l.startswith('#'): continue
    parts = [p for p in re.split(r'\t| {2,}', l) if p]
    kind, name = parts[0].split(':', 1)
    args = parts[1:]
    if kind == 'fn': sql = f'select * from pg_catalog."{name}"({", ".join(map(lit, args))})'
    elif kind == 'op': sql = 'select ' + (f'{name} {lit(args[0])}' if len(args) == 1 else f'{lit(args[0])} {name} {lit(args[1])}')
    elif kind == 'cast': sql = f'select {lit(args[0])}::{name}'
    else:
        rows = ', '.join('(' + ', '.join(map(lit, a.split('&&'))) + ')' for a in args)
        n = len(args[0].split('&&'))
        cols = ', '.join(f'column{i + 1}' for i in range(n))
        sql = f'select {name}({cols}) from (values {rows}) v'
    cases.append((l, parts))
    script += [f'\\echo @@{len(cases)}', sql + ';']
out = subprocess.run(['psql', sys.argv[1], '-Xq'], input='\n'.join(script), capture_output=True, text=True)
# stdout has the results, stderr the errors: run once more with both in one stream.
out = subprocess.run(['psql', sys.argv[1], '-Xq'], input='\n'.join(script), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
res = {}
for chunk in re.split(r'^@@', out, flags=re.M)[1:]:
    n, _, body = chunk.partition('\n')
    body = body[:-1] if body.endswith('\n') else body
    m = re.search(r'ERROR:  (\w{5}): (.*)', body)
    res[int(n)] = f'!{m.group(1)} {m.group(2)}' if m else body.replace('\t', '\\t').replace('\n', '\\n')
print('# Written by golden.py from a PostgreSQL 15 server; edit golden.in, not this.')
for i, (l, parts) in enumerate(cases):
    print('\t'.join(parts) + '\t' + res.get(i + 1, '??'))
