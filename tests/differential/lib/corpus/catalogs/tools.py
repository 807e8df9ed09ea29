"""What tools ask of the catalogs: drivers' metadata, mappers' introspection, migrations, clients' completion. Over the objects of objects.py."""
from .objects import MADE

QUERIES = """select n.nspname, c.relname, case c.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized' when 'S' then 'sequence' when 'f' then 'foreign' when 'p' then 'partitioned' end, pg_get_userbyid(c.relowner), obj_description(c.oid, 'pg_class') from pg_class c left join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', '') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_table_is_visible(c.oid) order by 1, 2
select a.attname, format_type(a.atttypid, a.atttypmod), (select substring(pg_get_expr(d.adbin, d.adrelid, true) for 128) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum and a.atthasdef), a.attnotnull, (select c.collname from pg_collation c, pg_type t where c.oid = a.attcollation and t.oid = a.atttypid and a.attcollation <> t.typcollation) as attcollation, a.attidentity, a.attgenerated from pg_attribute a where a.attrelid = 'ref'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum
select c2.relname, i.indisprimary, i.indisunique, i.indisclustered, i.indisvalid, pg_get_indexdef(i.indexrelid, 0, true), pg_get_constraintdef(con.oid, true), contype, condeferrable, condeferred, i.indisreplident, c2.reltablespace from pg_class c, pg_class c2, pg_index i left join pg_constraint con on (conrelid = i.indrelid and conindid = i.indexrelid and contype in ('p', 'u', 'x')) where c.oid = 'ref'::regclass and c.oid = i.indrelid and i.indexrelid = c2.oid order by i.indisprimary desc, c2.relname
select r.conname, pg_get_constraintdef(r.oid, true) from pg_constraint r where r.conrelid = 'ref'::regclass and r.contype = 'c' order by 1
select conname, pg_get_constraintdef(r.oid, true) as condef, conrelid::regclass as ontable from pg_constraint r where r.conrelid = 'ref'::regclass and r.contype = 'f' order by conname
select conname, conrelid::regclass as ontable, pg_get_constraintdef(oid, true) as condef from pg_constraint c where confrelid = 'parent'::regclass and contype = 'f' order by conname
select t.tgname, pg_get_triggerdef(t.oid, true), t.tgenabled, t.tgisinternal from pg_trigger t where t.tgrelid = 'parent'::regclass and (not t.tgisinternal or (t.tgisinternal and t.tgenabled = 'D')) order by 1
select c.oid::regclass, c.relkind, inhdetachpending from pg_class c, pg_inherits i where c.oid = i.inhrelid and i.inhparent = 'parent'::regclass order by c.oid::regclass::text
select oid, stxrelid::regclass, stxnamespace::regnamespace::text as nsp, stxname, pg_get_statisticsobjdef_columns(oid) as columns, 'd' = any(stxkind) as d, 'f' = any(stxkind) as f, 'm' = any(stxkind) as m from pg_statistic_ext where stxrelid = 'nope'::name::text::regclass
select n.nspname, p.proname, pg_get_function_result(p.oid), pg_get_function_arguments(p.oid), case p.prokind when 'a' then 'agg' when 'w' then 'window' when 'p' then 'proc' else 'func' end from pg_proc p left join pg_namespace n on n.oid = p.pronamespace where pg_function_is_visible(p.oid) and n.nspname <> 'pg_catalog' and n.nspname <> 'information_schema' and p.proname !~ '^span' order by 1, 2, 4
select n.nspname, format_type(t.oid, null), t.typname, case when t.typrelid != 0 then 'tuple' when t.typlen < 0 then 'var' else t.typlen::text end, array_to_string(array(select e.enumlabel from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder), ','), obj_description(t.oid, 'pg_type') from pg_type t left join pg_namespace n on n.oid = t.typnamespace where (t.typrelid = 0 or (select c.relkind = 'c' from pg_class c where c.oid = t.typrelid)) and not exists (select 1 from pg_type el where el.oid = t.typelem and el.typarray = t.oid) and n.nspname = 'public' order by 1, 2
select n.nspname, t.typname, format_type(t.typbasetype, t.typtypmod), (select c.collname from pg_collation c, pg_type bt where c.oid = t.typcollation and bt.oid = t.typbasetype and t.typcollation <> bt.typcollation), case when t.typnotnull then 'not null' end, t.typdefault, array_to_string(array(select pg_get_constraintdef(r.oid, true) from pg_constraint r where t.oid = r.contypid order by r.conname), ' ') from pg_type t left join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'd' and n.nspname = 'public' order by 1, 2
select format_type(castsource, null), format_type(casttarget, null), case when c.castmethod = 'b' then 'binary' when c.castmethod = 'i' then 'inout' else p.proname end, case when c.castcontext = 'e' then 'no' when c.castcontext = 'a' then 'assignment' else 'yes' end from pg_cast c left join pg_proc p on c.castfunc = p.oid left join pg_type ts on c.castsource = ts.oid where ts.typname in ('comp', 'int8', 'date', 'bool') order by 1, 2
select n.nspname, o.oprname, format_type(o.oprleft, null), format_type(o.oprright, null), format_type(o.oprresult, null), coalesce(obj_description(o.oid, 'pg_operator'), obj_description(o.oprcode, 'pg_proc')) from pg_operator o left join pg_namespace n on n.oid = o.oprnamespace where n.nspname = 'public' order by 1, 2
select evtname, evtevent, pg_get_userbyid(e.evtowner), case evtenabled when 'O' then 'enabled' when 'D' then 'disabled' end, e.evtfoid::regproc, array_to_string(array(select x from unnest(evttags) as t(x)), ', ') from pg_event_trigger e order by 1
select e.extname, e.extversion, n.nspname, c.description from pg_extension e left join pg_namespace n on n.oid = e.extnamespace left join pg_description c on c.objoid = e.oid and c.classoid = 'pg_extension'::regclass order by 1
select n.nspname, pg_get_userbyid(n.nspowner), array_to_string(n.nspacl, E'\\n'), obj_description(n.oid, 'pg_namespace') from pg_namespace n where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1
select r.rolname, r.rolsuper, r.rolinherit, r.rolconnlimit, array(select b.rolname from pg_auth_members m join pg_roles b on m.roleid = b.oid where m.member = r.oid) as memberof from pg_roles r where r.rolname ~ '^corpus' order by 1
select n.nspname, c.relname, c.relkind, array_to_string(c.relacl, E'\\n'), array_to_string(array(select attname || ': ' || array_to_string(attacl, ',') from pg_attribute a where attrelid = c.oid and not attisdropped and attacl is not null order by attnum), E'\\n') from pg_class c left join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'v', 'm', 'S') and n.nspname in ('public', 's') order by 1, 2
select pg_get_userbyid(d.defaclrole), n.nspname, d.defaclobjtype, array_to_string(d.defaclacl, ',') from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace order by 1, 2
select table_name from information_schema.tables where table_schema = any (current_schemas(false)) and table_type = 'BASE TABLE' order by 1
select kcu.column_name, kcu.ordinal_position from information_schema.table_constraints tc join information_schema.key_column_usage kcu on tc.constraint_name = kcu.constraint_name and tc.table_schema = kcu.table_schema where tc.constraint_type = 'PRIMARY KEY' and tc.table_name = 'child' order by 2
select kcu.constraint_name, kcu.column_name, rel.table_name, rel.column_name from information_schema.referential_constraints rc join information_schema.key_column_usage kcu on kcu.constraint_name = rc.constraint_name join information_schema.key_column_usage rel on rel.constraint_name = rc.unique_constraint_name and rel.ordinal_position = kcu.position_in_unique_constraint where kcu.table_name in ('ref', 't') order by 1, 2
select a.attname, a.attnum, i.indkey, generate_subscripts(i.indkey, 1) as k from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey) where i.indrelid = 'child'::regclass order by 2, 4
select i.relname, ix.indisunique, array_agg(a.attname order by k.n) from pg_index ix join pg_class i on i.oid = ix.indexrelid cross join lateral unnest(ix.indkey) with ordinality k (attnum, n) left join pg_attribute a on a.attrelid = ix.indrelid and a.attnum = k.attnum where ix.indrelid = 'ref'::regclass group by 1, 2 order by 1
select ct.conname, ct.contype, array(select a.attname from unnest(ct.conkey) with ordinality k (n, o) join pg_attribute a on a.attrelid = ct.conrelid and a.attnum = k.n order by k.o) as cols, (select array_agg(a.attname order by k.o) from unnest(ct.confkey) with ordinality k (n, o) join pg_attribute a on a.attrelid = ct.confrelid and a.attnum = k.n) as refs, confrelid::regclass from pg_constraint ct where conrelid = 'ref'::regclass order by 1
select n.nspname, c.relname, a.attname, a.atttypid, a.attnotnull or (t.typtype = 'd' and t.typnotnull) as notnull, a.atttypmod, a.attlen, t.typtypmod, row_number() over (partition by a.attrelid order by a.attnum) as attnum, nullif(a.attidentity, '') as ident, nullif(a.attgenerated, '') as gen, pg_get_expr(def.adbin, def.adrelid) as adsrc, dsc.description, t.typbasetype <> 0, t.typtype from pg_namespace n join pg_class c on c.relnamespace = n.oid join pg_attribute a on a.attrelid = c.oid join pg_type t on a.atttypid = t.oid left join pg_attrdef def on a.attrelid = def.adrelid and a.attnum = def.adnum left join pg_description dsc on c.oid = dsc.objoid and a.attnum = dsc.objsubid where c.relname = 'ref' and a.attnum > 0 and not a.attisdropped and t.oid < 16384 order by a.attnum
select result.table_name, result.column_name, result.key_seq, result.pk_name from (select ct.relname as table_name, a.attname as column_name, (information_schema._pg_expandarray(i.indkey)).n as key_seq, ci.relname as pk_name, information_schema._pg_expandarray(i.indkey) as keys, a.attnum as a_attnum from pg_class ct join pg_attribute a on ct.oid = a.attrelid join pg_namespace n on ct.relnamespace = n.oid join pg_index i on a.attrelid = i.indrelid join pg_class ci on ci.oid = i.indexrelid where ct.relname = 'child' and i.indisprimary) result where result.a_attnum = (result.keys).x order by 1, 4, 3
select t.typname, t.oid < 16384, e.enumlabel from pg_type t join pg_enum e on e.enumtypid = t.oid order by 1, e.enumsortorder
select t.typname, t.typelem::regtype, t.typdelim, t.typinput::text, r.rngsubtype::regtype, t.typtype, t.typbasetype::regtype from pg_type as t left join pg_range as r on t.oid = rngtypid where t.typname in ('int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'text', 'varchar', 'char', 'name', 'bpchar', 'bool', 'bit', 'varbit', 'date', 'money', 'bytea', 'point', 'hstore', 'json', 'jsonb', 'cidr', 'inet', 'uuid', 'tsvector', 'macaddr', 'citext', 'ltree', 'line', 'lseg', 'box', 'path', 'polygon', 'circle', 'time', 'timestamp', 'timestamptz', 'numeric', 'interval') order by 1
select t.typname, t.typelem::regtype, t.typinput::text from pg_type as t where t.typinput = 'array_in(cstring,oid,integer)'::regprocedure and t.oid < 1100 order by 1
select seq.relname, dep.deptype, tab.relname, attr.attname from pg_class seq join pg_depend dep on seq.oid = dep.objid and dep.classid = 'pg_class'::regclass join pg_class tab on tab.oid = dep.refobjid join pg_attribute attr on attr.attrelid = tab.oid and attr.attnum = dep.refobjsubid where seq.relkind = 'S' order by 1
select distinct dependent.relname, source.relname from pg_depend join pg_rewrite on pg_depend.objid = pg_rewrite.oid join pg_class dependent on pg_rewrite.ev_class = dependent.oid join pg_class source on pg_depend.refobjid = source.oid where pg_depend.deptype = 'n' and dependent.relkind = 'v' and dependent.relnamespace = 'public'::regnamespace order by 1, 2
select pg_size_pretty(pg_total_relation_size('ref')) is not null, pg_relation_size('ref') >= 0, pg_table_size('ref') >= 0, pg_indexes_size('ref') >= 0, pg_database_size(current_database()) > 0
select relname, reltuples >= -1, relpages >= 0 from pg_class where relname in ('ref', 'parent') order by 1
select schemaname, relname, n_live_tup >= 0, seq_scan >= 0 from pg_stat_user_tables where schemaname in ('public', 's') order by 1, 2
select indexrelname, relname, idx_scan >= 0 from pg_stat_user_indexes where schemaname = 'public' order by 1
select attname, n_distinct is null, null_frac is null from pg_stats where tablename = 'nope'
select datname = current_database(), usename, state, query ~ '^select', backend_type, wait_event is null from pg_stat_activity where pid = pg_backend_pid()
select locktype, mode, granted, relation::regclass from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and relation = 'pg_locks'::regclass
select name, setting from pg_settings where name in ('server_version_num', 'standard_conforming_strings', 'max_identifier_length', 'integer_datetimes', 'transaction_isolation', 'default_transaction_isolation', 'server_encoding', 'block_size') and name <> 'nope' order by 1
select current_database() = current_catalog, current_schema(), current_schemas(true), session_user, version() ~ '^PostgreSQL 15', pg_backend_pid() > 0, inet_server_addr() is null or true, pg_is_in_recovery(), txid_current() > 0, pg_postmaster_start_time() < now(), pg_conf_load_time() is not null, pg_client_encoding()
select has_schema_privilege('s', 'usage'), has_table_privilege('parent', 'select, insert'), has_database_privilege('create'), pg_has_role('corpus_r', 'usage')
select quote_ident(nspname), quote_ident('Odd "Name"') from pg_namespace where nspname = 's'
select oidvectortypes(proargtypes), pronargs from pg_proc where proname in ('f1', 'f4', 'acc') order by 2, 1
select unnest(proargnames), unnest(proargmodes), unnest(proallargtypes)::regtype from pg_proc where proname = 'f3'
select c.relname, a.attname from pg_class c, pg_attribute a where a.attrelid = c.oid and c.relname = 'mv' and a.attnum > 0 order by a.attnum
select (select count(*) from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace), (select count(*) from pg_type where typnamespace = 'public'::regnamespace and typtype = 'e'), (select count(*) from pg_constraint where connamespace = 'public'::regnamespace and contype = 'c')
select classid::regclass, objid::regprocedure, deptype from pg_depend where refclassid = 'pg_type'::regclass and refobjid = 'comp'::regtype and classid = 'pg_proc'::regclass order by 2::text
select refclassid::regclass, refobjid::regtype, deptype from pg_depend where classid = 'pg_proc'::regclass and objid = 'opf'::regproc and refclassid = 'pg_type'::regclass
select deptype, count(*) from pg_depend where refclassid = 'pg_extension'::regclass and refobjid = (select oid from pg_extension where extname = 'citext') group by 1
select objid::regrole::text is null, classid::regclass, deptype from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = 'corpus_u'::regrole and dbid = (select oid from pg_database where datname = current_database()) order by 2::text
select pg_get_keywords() is not null limit 1
select word, catcode, barelabel from pg_get_keywords() where word in ('select', 'abort', 'between', 'year', 'authorization') order by 1
select name, abbrev <> '' , is_dst is not null from pg_timezone_names where name in ('UTC', 'Europe/Berlin') order by 1
select abbrev, utc_offset from pg_timezone_abbrevs where abbrev in ('UTC', 'PST', 'CET') order by 1
select name, default_version, installed_version from pg_available_extensions where name in ('citext', 'plpgsql') order by 1
select name, version, installed, superuser, trusted from pg_available_extension_versions where name = 'plpgsql'
select collname, collnamespace::regnamespace from pg_collation where collname in ('C', 'POSIX', 'default', 'ucs_basic') order by 1
select amopfamily is not null, amopstrategy, amopopr::regoperator from pg_amop where amoplefttype = 'int4'::regtype and amoprighttype = 'int4'::regtype and amopmethod = 403 order by 2
select amprocnum, amproc::regproc from pg_amproc where amproclefttype = 'int4'::regtype and amprocrighttype = 'int4'::regtype and amprocfamily = (select opcfamily from pg_opclass where opcname = 'int4_ops' and opcmethod = 403) order by 1
select conname, conislocal, coninhcount, conparentid, conpfeqop is null, conexclop is null, confdelsetcols from pg_constraint where conrelid = 'child'::regclass order by 1
select tgname, tgparentid, tgconstrindid::regclass, tgconstraint <> 0, tgqual is null from pg_trigger where not tgisinternal order by 1
select indcollation, indclass is not null, array_length(indclass, 1) from pg_index where indexrelid = 'i4'::regclass
select attname, attmissingval, attfdwoptions, attcompression from pg_attribute where attrelid = 'parent'::regclass and attnum > 0 order by attnum
select relrowsecurity, relforcerowsecurity, relfrozenxid is not null, relminmxid is not null, relpartbound, relrewrite, reltoastrelid >= 0, relisshared from pg_class where relname = 'parent'
select typsubscript::text, typanalyze::text, typmodout::text, typsend::text from pg_type where typname in ('_int4', 'jsonb', 'mood', 'numeric') order by typname
select proname, prosupport::text, probin, protrftypes, prosqlbody is null, proargdefaults is null from pg_proc where proname in ('f1', 'f2', 'acc') order by 1
select datname = current_database() as here, datcollate is not null, datistemplate, datallowconn, datacl, dattablespace > 0 from pg_database where datname = current_database()
select usename, usecreatedb, usesuper, userepl, usebypassrls, passwd, valuntil, useconfig from pg_user where usename ~ '^corpus' order by 1
select rolname, rolpassword is null from pg_authid where rolname ~ '^corpus' order by 1
select groname, array_length(grolist, 1) from pg_group where groname ~ '^corpus' order by 1
select * from pg_publication
select * from pg_foreign_table
select * from pg_largeobject_metadata
select * from pg_policies
select * from pg_seclabels limit 1
select * from pg_partitioned_table
select * from pg_user_mappings
select * from pg_replication_slots
select * from pg_prepared_xacts where gid = 'nope'
select * from pg_file_settings limit 0
select * from pg_hba_file_rules limit 0
select * from pg_shmem_allocations limit 0
select * from pg_stat_progress_vacuum
select * from pg_ts_dict where dictname = 'nope'
select * from pg_conversion where conname = 'nope'
select * from pg_init_privs where objoid = 0
select * from pg_transform
select * from pg_statistic where starelid = 0
select * from pg_stat_database where datname = 'nope'
select * from pg_stat_bgwriter limit 0
select * from pg_stat_wal limit 0
select * from pg_stat_io limit 0
select * from pg_stat_user_functions limit 0
select * from pg_statio_user_tables limit 0
select * from pg_stat_ssl limit 0
select * from pg_rules where tablename = 'nope'
select * from pg_cursors limit 0
select * from pg_config limit 0
select * from pg_backend_memory_contexts limit 0""".split("\n")  # fmt: skip


def statements():
    yield from MADE
    yield from QUERIES
