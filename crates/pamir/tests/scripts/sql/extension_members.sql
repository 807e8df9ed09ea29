# What an extension is made of depends on it: a dump has the extension alone.
> create extension citext; create extension hstore
CREATE EXTENSION
CREATE EXTENSION

> select typname, extname from pg_type t join pg_depend d on d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e' join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass where typname in ('citext', 'hstore') order by 1
typname:name | extname:name
citext | citext
hstore | hstore
SELECT 2

> select a.typname, d.deptype from pg_depend d join pg_type t on t.oid = d.refobjid and d.refclassid = 'pg_type'::regclass join pg_type a on a.oid = d.objid where t.typname in ('citext', 'hstore') and d.classid = 'pg_type'::regclass order by 1
typname:name | deptype:char
_citext | i
_hstore | i
SELECT 2

> select n.nspname, d.deptype from pg_depend d join pg_extension e on e.oid = d.objid and d.classid = 'pg_extension'::regclass join pg_namespace n on n.oid = d.refobjid where extname in ('citext', 'hstore')
nspname:name | deptype:char
public | n
public | n
SELECT 2
