#!/usr/bin/env python3
"""Writes rows.rs: the functions, operators, casts and aggregates of the extensions that are built in, as a PostgreSQL 15 server with contrib has them.

usage: generate.py 'host=... port=... user=...' > rows.rs      (needs psql on PATH; the extensions must have been created)
"""
import subprocess, sys
conn = sys.argv[1]
EXTENSIONS = ['citext', 'hstore', 'pg_trgm', 'fuzzystrmatch', 'unaccent']
FIRST = 0x30001000
TYPES = {'citext': 0x30000000, '_citext': 0x30000001, 'hstore': 0x30000002, '_hstore': 0x30000003}
def q(sql):
    out = subprocess.run(['psql', conn, '-XAtF', '\t', '-c', sql], check=True, capture_output=True, text=True).stdout
    return [l.split('\t') for l in out.splitlines() if l]
def s(x): return '"' + x.replace('\\', '\\\\').replace('"', '\\"') + '"'
ids = {int(o): TYPES[n] for o, n in q("select oid, typname from pg_type where typname in ('citext','_citext','hstore','_hstore')")}
NOT = {2275, 2281, 2287}
def ty(o):
    o = int(o)
    if o in ids: return ids[o]
    return o if 0 < o < 16384 and o not in NOT else None
w = sys.stdout.write
w('''//! What the extensions have that are built in, as PostgreSQL 15's contrib makes it.
//!
//! Written by generate.py from a PostgreSQL 15 server; edit that, not this.
use super::Rows;
use crate::func::registry::{SET, STABLE, STRICT, VOLATILE, proc};

#[rustfmt::skip]
pub static ROWS: &[Rows] = &[
''')
n = FIRST
for e in EXTENSIONS:
    known = {}
    w(f'    Rows {{\n        extension: {s(e)},\n        procs: &[\n')
    for oid, name, lang, src, args, variadic, ndef, ret, strict, vol, setof, allargs, modes, names in q(f"""select p.oid, proname, lanname, case when lanname = 'sql' then '' else prosrc end, proargtypes::text, provariadic, pronargdefaults, prorettype,
      proisstrict, provolatile, proretset, coalesce(array_to_string(proallargtypes, ' '), ''), coalesce(array_to_string(proargmodes, ' '), ''), coalesce(array_to_string(proargnames, ' ', '-'), '')
      from pg_proc p join pg_language l on l.oid = prolang join pg_depend d on d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e' join pg_extension x on x.oid = d.refobjid
      where extname = '{e}' and prokind = 'f' order by p.oid"""):
        a = [ty(x) for x in args.split()]
        r = ty(ret)
        if None in a or r is None or '_hash' in name: continue
        if lang == 'sql': src = f"{e}_{name}_{len(a)}"
        out = []
        if modes:
            aa, mm, nn = allargs.split(), modes.split(), names.split()
            out = [(nn[i], ty(aa[i])) for i in range(len(aa)) if mm[i] in 'tob']
        fl = [f for f, c in [('STRICT', strict == 't'), ('SET', setof == 't'), ('VARIADIC', variadic != '0'), ('STABLE', vol == 's'), ('VOLATILE', vol == 'v')] if c]
        known[oid] = n
        w(f"            proc::<{n}>({s(name)}, {s(src)}, &[{', '.join(map(str, a))}], {r}, {' | '.join(fl) or 0}, {ndef}, &[{', '.join(f'({s(k)}, {t})' for k, t in out)}]),\n")
        n += 1
    w('        ],\n        operators: &[\n')
    for name, l, r, ret, f, com, neg in q(f"""select o.oprname, o.oprleft, o.oprright, o.oprresult, o.oprcode::oid, coalesce(c.oprname, ''), coalesce(g.oprname, '')
      from pg_operator o left join pg_operator c on c.oid = o.oprcom left join pg_operator g on g.oid = o.oprnegate join pg_depend d on d.objid = o.oid and d.classid = 'pg_operator'::regclass and d.deptype = 'e'
      join pg_extension x on x.oid = d.refobjid where extname = '{e}' order by o.oid"""):
        if f not in known: continue
        l = ty(l) if l != '0' else 0
        w(f"            ({n}, {s(name)}, {l}, {ty(r)}, {ty(ret)}, {known[f]}, {s(com)}, {s(neg)}),\n")
        n += 1
    w('        ],\n        casts: &[\n')
    for a, b, f, c, m in q(f"""select castsource, casttarget, castfunc, castcontext, castmethod from pg_cast k join pg_depend d on d.objid = k.oid and d.classid = 'pg_cast'::regclass and d.deptype = 'e'
      join pg_extension x on x.oid = d.refobjid where extname = '{e}' order by k.oid"""):
        if ty(a) is None or ty(b) is None: continue
        if f != '0' and f not in known: continue
        w(f"            ({ty(a)}, {ty(b)}, {known.get(f, 0)}, '{c}', '{m}'),\n")
    w('        ],\n        aggregates: &[\n')
    for name, args, ret in q(f"""select proname, proargtypes::text, prorettype from pg_proc p join pg_depend d on d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
      join pg_extension x on x.oid = d.refobjid where extname = '{e}' and prokind = 'a' order by p.oid"""):
        a = [ty(x) for x in args.split()]
        if None in a or ty(ret) is None: continue
        w(f"            ({n}, {s(name)}, &[{', '.join(map(str, a))}], {ty(ret)}),\n")
        n += 1
    w('        ],\n        classes: &[\n')
    for t, e1, l1 in q(f"""select opcintype, eq.oprcode::oid, lt.oprcode::oid from pg_opclass c
      join pg_amop e on e.amopfamily = c.opcfamily and e.amoplefttype = opcintype and e.amoprighttype = opcintype and e.amopstrategy = 3 join pg_operator eq on eq.oid = e.amopopr
      join pg_amop l on l.amopfamily = c.opcfamily and l.amoplefttype = opcintype and l.amoprighttype = opcintype and l.amopstrategy = 1 join pg_operator lt on lt.oid = l.amopopr
      where opcmethod = 403 and opcdefault order by 1"""):
        if int(t) in ids and e1 in known: w(f"            ({ids[int(t)]}, {known[e1]}, {known[l1]}),\n")
    w('        ],\n    },\n')
w('];\n')
