#!/usr/bin/env python3
"""Writes tables.rs: the rows of pg_proc, pg_operator, pg_cast, pg_aggregate, pg_type and the default
B-tree operator classes of a running PostgreSQL 15, restricted to the types that pamir-types knows.

usage: generate.py 'host=... port=... user=...' > tables.rs      (needs psql on PATH)
"""
import re, subprocess, sys, os
conn = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
src = open(os.path.join(here, '../../../pamir-types/src/oid.rs')).read()
types = {}
for n, o, a in re.findall(r'(\w+) = (\d+), (\d+), "', src):
    types[int(o)] = (n, int(a))
NOT = {'INTERNAL', 'CSTRING', 'TRIGGER', 'ACLITEM'}
ok = set()
for o, (n, a) in types.items():
    if n in NOT: continue
    ok.add(o)
    if a: ok.add(a)
def q(sql):
    out = subprocess.run(['psql', conn, '-XAtF', '\t', '-c', sql], check=True, capture_output=True, text=True).stdout
    return [l.split('\t') for l in out.splitlines() if l]
def s(x): return '"' + x.replace('\\', '\\\\').replace('"', '\\"') + '"'
def arr(x): return '&[' + ', '.join(map(str, x)) + ']'
w = sys.stdout.write
w('''//! PostgreSQL 15's pg_proc, pg_operator, pg_cast, pg_aggregate and pg_type rows for the types Pamir knows.
//!
//! Written by generate.py from a PostgreSQL 15 server; edit that, not this.
use super::registry::{AggRow, CastRow, OpRow, ProcRow, SET, STRICT, STABLE, VARIADIC, VOLATILE, proc};

''')
procs = {}
rows = q("""select p.oid, proname, case lanname when 'sql' then proname || '_' || p.oid else prosrc end, proargtypes::text, provariadic, pronargdefaults, prorettype,
  proisstrict, provolatile, proretset, coalesce(array_to_string(proallargtypes, ' '), ''), coalesce(array_to_string(proargmodes, ' '), ''), coalesce(array_to_string(proargnames, ' ', '-'), '')
  from pg_proc p join pg_language l on l.oid = prolang where prokind = 'f' and pronamespace = 11 and p.oid < 12000 order by p.oid""")
w('#[rustfmt::skip]\npub static PROCS: &[ProcRow] = &[\n')
for oid, name, psrc, args, variadic, ndef, ret, strict, vol, setof, allargs, modes, names in rows:
    args = [int(x) for x in args.split()]
    ret = int(ret); variadic = int(variadic)
    if any(a not in ok for a in args) or ret not in ok: continue
    if variadic:
        args[-1] = variadic
        if variadic not in ok: continue
    out = []
    if psrc.startswith(('pg_stat_', 'binary_upgrade', 'fmgr_')) or (psrc.startswith('bt') and 'trim' not in psrc) or psrc.endswith(('send', '_hash', '_hash_extended', '_accum', '_accum_inv', '_combine')) or psrc.startswith('in_range_'): continue
    if modes:
        aa, mm, nn = allargs.split(), modes.split(), names.split()
        nn += [f'column{i + 1}' for i in range(len(nn), len(aa))]
        out = [(nn[i], int(aa[i])) for i in range(len(aa)) if mm[i] in 'tob']
        if any(t not in ok for _, t in out): continue
    fl = []
    if strict == 't': fl.append('STRICT')
    if setof == 't': fl.append('SET')
    if variadic: fl.append('VARIADIC')
    if vol == 's': fl.append('STABLE')
    if vol == 'v': fl.append('VOLATILE')
    procs[int(oid)] = psrc
    w(f"    proc::<{oid}>({s(name)}, {s(psrc)}, {arr(args)}, {ret}, {' | '.join(fl) or 0}, {ndef}, &[{', '.join(f'({s(n)}, {t})' for n, t in out)}]),\n")
w('];\n\n/// oid, name, left, right, result, function, commutator, negator\n#[rustfmt::skip]\npub static OPERATORS: &[OpRow] = &[\n')
for oid, name, l, r, ret, f, com, neg in q("""select o.oid, o.oprname, o.oprleft, o.oprright, o.oprresult, o.oprcode::oid, coalesce(c.oprname, ''), coalesce(n.oprname, '')
   from pg_operator o left join pg_operator c on c.oid = o.oprcom left join pg_operator n on n.oid = o.oprnegate order by o.oid"""):
    if int(f) not in procs: continue
    w(f"    ({oid}, {s(name)}, {l}, {r}, {ret}, {f}, {s(com)}, {s(neg)}),\n")
w('];\n\n/// source, target, function (0: none), context, method\n#[rustfmt::skip]\npub static CASTS: &[CastRow] = &[\n')
for a, b, f, c, m in q("select castsource, casttarget, castfunc, castcontext, castmethod from pg_cast order by 1, 2"):
    if int(a) not in ok or int(b) not in ok: continue
    if int(f) and int(f) not in procs: continue
    w(f"    ({a}, {b}, {f}, '{c}', '{m}'),\n")
w('];\n\n/// oid, name, arguments, result\n#[rustfmt::skip]\npub static AGGREGATES: &[AggRow] = &[\n')
for oid, name, args, ret in q("select p.oid, proname, proargtypes::text, prorettype from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid where aggkind in ('n', 'o') order by p.oid"):
    args = [int(x) for x in args.split()]
    if any(a not in ok for a in args) or int(ret) not in ok: continue
    w(f"    ({oid}, {s(name)}, {arr(args)}, {ret}),\n")
w('];\n\n/// type, equality function, less-than function of its default B-tree operator class\n#[rustfmt::skip]\npub static ORDERINGS: &[(u32, u32, u32)] = &[\n')
for t, e, l in q("""select opcintype, eq.oprcode::oid, lt.oprcode::oid from pg_opclass c
   join pg_amop e on e.amopfamily = c.opcfamily and e.amoplefttype = opcintype and e.amoprighttype = opcintype and e.amopstrategy = 3 join pg_operator eq on eq.oid = e.amopopr
   join pg_amop l on l.amopfamily = c.opcfamily and l.amoplefttype = opcintype and l.amoprighttype = opcintype and l.amopstrategy = 1 join pg_operator lt on lt.oid = l.amopopr
   where opcmethod = 403 and opcdefault order by 1"""):
    if int(t) in ok and int(e) in procs: w(f"    ({t}, {e}, {l}),\n")
w("];\n\n/// type, category, preferred\n#[rustfmt::skip]\npub static CATEGORIES: &[(u32, char, bool)] = &[\n")
for t, c, p in q("select oid, typcategory, typispreferred from pg_type where oid < 16384 order by oid"):
    if int(t) in types or int(t) in ok: w(f"    ({t}, '{c}', {'true' if p == 't' else 'false'}),\n")
w('];\n')
