# All that an extension brings is its member: pg_dump writes none of it.

> create extension citext; create extension hstore; create extension pg_trgm; create extension fuzzystrmatch; create extension unaccent; create extension "uuid-ossp"; create extension pgcrypto; create extension btree_gin; create extension btree_gist
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION
CREATE EXTENSION

> select 'proc', count(*) from pg_proc c where oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
proc | 0
SELECT 1

> select 'operator', count(*) from pg_operator c where oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_operator'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
operator | 0
SELECT 1

> select 'opclass', count(*) from pg_opclass c where oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_opclass'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
opclass | 0
SELECT 1

> select 'opfamily', count(*) from pg_opfamily c where oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_opfamily'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
opfamily | 0
SELECT 1

> select 'cast', count(*) from pg_cast c where oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_cast'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
cast | 0
SELECT 1

> select 'type', count(*) from pg_type c where oid >= 16384 and typelem = 0 and typrelid = 0 and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = c.oid and d.deptype = 'e')
?column?:text | count:int8
type | 0
SELECT 1

> drop extension btree_gist, btree_gin, pgcrypto, "uuid-ossp", unaccent, fuzzystrmatch, pg_trgm, hstore, citext
DROP EXTENSION
