"""Writes data/*.tsv from a running PostgreSQL 15 (psql finds it through PGHOST, PGPORT, PGUSER) and, for pg_proc, a Pamir (PAMIR, host:port)."""
import os, re, subprocess
def q(sql):
    r=subprocess.run(["psql","-At","-F","\t","-P","null=\\N","-c",sql],capture_output=True,text=True)
    if r.returncode: raise SystemExit(r.stderr)
    return [l.split("\t") for l in r.stdout.split("\n")[:-1]]
MAP={'sql_identifier':'NAME','character_data':'VARCHAR','cardinal_number':'INT4','yes_or_no':'VARCHAR','time_stamp':'TIMESTAMPTZ','inet':'TEXT','pg_lsn':'TEXT','pg_ndistinct':'TEXT','pg_dependencies':'TEXT','pg_mcv_list':'TEXT','anyarray':'TEXT','_pg_statistic':'TEXT'}
rows=q("""select n.nspname,c.oid,c.relname,c.relkind,a.attname,t.typname,coalesce(e.oid,0),a.attnotnull from pg_attribute a join pg_class c on c.oid=attrelid join pg_namespace n on n.oid=relnamespace join pg_type t on t.oid=atttypid left join pg_type e on e.typarray=t.oid
 where attnum>0 and relkind in ('r','v') and nspname in ('pg_catalog','information_schema') and c.relname not like '\\_pg\\_%' order by nspname desc, relname, attnum""")
tabs={}
for s,o,t,k,a,ty,e,n in rows: tabs.setdefault((s,int(o),t),[]).append((a,ty+('!' if n=='t' else ''))); kinds={(x[1]):x[3] for x in rows}
out=[]
for (s,o,t),cols in tabs.items():
    line=[s,str(o),t,kinds[str(o)]]
    for a,ty in cols:
        plain=ty.rstrip('!')
        m=MAP.get(plain, plain)
        line.append(a+":"+m.lower()+ty[len(plain):])
    out.append("\t".join(line))
D = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "")
open(D+"tables.tsv","w").write("\n".join(out)+"\n")
def dump(name, sql):
    rows=q(sql)
    open(D+name+".tsv","w").write("".join("\t".join(r)+"\n" for r in rows))
    print(name,len(rows))
own=open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../pamir-types/src/oid.rs")).read()
ids=set()
for a,b in re.findall(r"= (\d+), (\d+), \"",own): ids|={a,b}
ids.discard('0')
inl=",".join(sorted(ids,key=int))
reg=["typinput","typoutput","typreceive","typsend","typmodin","typmodout","typanalyze","typsubscript"]
cols=[c for c,_ in tabs[('pg_catalog',1247,'pg_type')]]
dump("pg_type","select "+",".join((c+"::oid" if c in reg else c) for c in cols)+f" from pg_type where oid in ({inl}) order by oid")
# Those that indexes can be made with.
FAMILIES = "opfmethod in (403,405,2742) or opfmethod = 3580 and opfname ~ '_(minmax|minmax_multi|bloom)_ops$|^(range|network)_inclusion_ops$' or opfmethod = 783 and opfname in ('range_ops','tsvector_ops')"
CLASSES = "(opcmethod in (403,405,2742) or opcmethod = 3580 and opcname ~ '_(minmax|minmax_multi|bloom)_ops$|^(range|inet)_inclusion_ops$' or opcmethod = 783 and opcname in ('range_ops','tsvector_ops')) and opcintype in (%s)"
for t,oid,regs,where in [("pg_am",2601,["amhandler"],"true"),("pg_collation",3456,[], "oid in (100,950,951) or collname in ('ucs_basic')"),("pg_language",2612,[],"lanname in ('internal','c','sql')"),("pg_opfamily",2753,[],FAMILIES),("pg_opclass",2616,[],CLASSES % inl),("pg_range",3541,["rngcanonical","rngsubdiff"],f"rngtypid in ({inl})"),("pg_tablespace",1213,[],"true"),("pg_cast",2605,[],f"castsource in ({inl}) and casttarget in ({inl})"),("pg_timezone_abbrevs",12122,[],"true"),("pg_ts_config",3602,[],"true"),("pg_ts_config_map",3603,[],"true"),("pg_ts_dict",3600,[],"oid < 16384"),("pg_ts_parser",3601,["prsstart","prstoken","prsend","prsheadline","prslextype"],"true"),("pg_ts_template",3764,["tmplinit","tmpllexize"],"oid < 16384"),("pg_operator",2617,["oprcode","oprrest","oprjoin"],f"array[oprleft,oprright,oprresult] <@ array[0,{inl}]::oid[] and oid < 16384"),("pg_amop",2602,[],f"oid < 16384 and amopfamily in (select oid from pg_opfamily where {FAMILIES}) and array[amoplefttype,amoprighttype] <@ array[{inl}]::oid[] and amopopr in (select oid from pg_operator where array[oprleft,oprright,oprresult] <@ array[0,{inl}]::oid[]) and amopopr <> 974"),("pg_amproc",2603,["amproc"],f"oid < 16384 and amprocfamily in (select oid from pg_opfamily where {FAMILIES}) and array[amproclefttype,amprocrighttype] <@ array[{inl}]::oid[] and amproc in (select oid from pg_proc where array_append(proargtypes::oid[],prorettype) <@ array[{inl}]::oid[])")]:
    cols=[c for c,_ in tabs[('pg_catalog',oid,t)]]
    dump(t,"select "+",".join((c+"::oid" if c in regs else c) for c in cols)+f" from pg_catalog.{t} where {where} order by 1")
for t in ["sql_features","sql_parts","sql_sizing","sql_implementation_info"]:
    dump(t,f"select * from information_schema.{t} order by 1,2")
# Functions that nobody calls by name, which pg_proc has all the same: types' texts and bytes, estimators, what indexes and windows use. Left out are those that
# the Pamir at PAMIR (host:port) has itself, and those over types that are not known.
pamir=dict(zip(("PGHOST","PGPORT"),os.environ["PAMIR"].split(":")))
have=subprocess.run(["psql","-At","-c","select proname||' '||array_to_string(proargtypes::oid[],' ') from pg_proc where pronamespace=11"],capture_output=True,text=True,check=True,env={**os.environ,**pamir}).stdout.split("\n")
cols=[c for c,_ in tabs[('pg_catalog',1255,'pg_proc')]]
shown=lambda c: "prosupport::oid" if c=="prosupport" else "null" if c in ("proargdefaults","prosqlbody","proacl") else c
procs=q("select proname||' '||array_to_string(proargtypes::oid[],' '),"+",".join(map(shown,cols))+f" from pg_proc where pronamespace=11 and oid<16384 and array_append(proargtypes::oid[]||coalesce(proallargtypes,'{{}}'),prorettype) <@ array[{inl}]::oid[] order by oid")
with open(D+"pg_proc.tsv","w") as f:
    for r in procs:
        if r[0] not in have: f.write("\t".join(r[1:])+"\n")
