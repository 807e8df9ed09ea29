"""A schema of everything, and what the catalogs say of it: pg_catalog's tables row by row, pg_get_*def, information_schema, functions about objects; the same again after some changes."""

MADE = """create schema s
create type mood as enum ('sad', 'ok', 'happy')
create type comp as (x int, y text, z numeric(6,2)[])
create type collated as (x int, y text collate "C")
create domain pos as int default 3 not null constraint is_pos check (value > 0)
create domain code as varchar(5) check (value ~ '^[a-z]+$') check (length(value) > 1)
create type span as range (subtype = float8, subtype_diff = float8mi)
create sequence sq as int increment 2 start 7 maxvalue 99 cycle
create function f1(a int, b text default 'x', variadic c int[] default '{1}') returns int language sql immutable strict parallel safe cost 5 as 'select 1'
create function f2(inout a int, out b text) language plpgsql volatile security definer set work_mem = '1MB' as 'begin b := a; end'
create function f3(int) returns table (p int, q mood) language sql stable rows 50 as $$ select 1, 'ok'::mood $$
create function f4(anyelement, anyarray) returns setof anyelement language plpgsql leakproof as 'begin return; end'
create function f5() returns trigger language plpgsql as 'begin return new; end'
create procedure p1(a int, inout b text default 'y') language plpgsql as 'begin end'
create function acc(int, int) returns int language sql immutable as 'select coalesce($1, 0) + $2'
create aggregate ag(int) (sfunc = acc, stype = int, initcond = '0', parallel = safe)
create table parent (id int generated always as identity (start 5 increment 5) primary key, code code, m mood default 'ok' not null, created timestamptz(3) default now(), check (id > 0))
create table child (extra pos, tags text[] default '{}', c comp, g int generated always as (id * 2) stored, constraint child_pk primary key (id), unique (extra, m)) inherits (parent)
create table ref (a int, b mood, s span, n numeric(8,3) default 1.5, v varchar(10) default 'it''s', ch char(3), bi bit(4), iv interval day to second(2), j jsonb default '{"a": 1}', big serial8, foreign key (a, b) references child (extra, m) match full on update cascade on delete set null deferrable initially deferred)
alter table ref add constraint uq unique nulls not distinct (n, v)
alter table ref add constraint chk check (n > 0 or v is null) not valid
alter table ref add constraint ni check (ch <> 'x') no inherit
create index i1 on ref (lower(v), n desc nulls last) include (a) where n > 1 and b = 'ok'
create unique index i2 on ref using btree (a, (n + 1)) with (fillfactor = 70)
create index i3 on ref using hash (v)
create index i4 on ref (v text_pattern_ops, ch collate "C")
create table s.t (id int primary key references parent on delete cascade, "Odd Name" text, "select" int default nextval('sq'))
create view v1 as select p.id, p.m, r.n * 2 as twice, coalesce(r.v, 'none') as v from parent p left join ref r on r.a = p.id where p.m <> 'sad' or r.n between 1 and 5
create view v2 with (security_barrier, check_option = local) as select id, "Odd Name" from s.t where id in (1, 2, 3)
create view v3 as with recursive w (n) as (values (1) union all select n + 1 from w where n < 5) select n, (select count(*) from parent where id = w.n) as c, exists (select 1 from ref) as e, case n when 1 then 'one' else null end as k, array[n, 2] as arr, (row(1, 'x', null)::comp).y as y from w order by n desc limit 3 offset 1
create view v4 as select m, count(*) filter (where id > 1) as f, sum(id) over (partition by m order by id rows between 1 preceding and current row), string_agg(code::text, ',' order by code desc) from parent group by grouping sets ((m, id), ()) having count(*) > 0
create view v5 as select 1 as a union all (select 2 except select 3) union select x.y from (values (1), (2)) x (y)
create view v6 as select t.id::text || 'x' as a, t.id = any (array[1, 2]) as b, t."Odd Name" like 'a%' as c, not t.id > 5 as d, t.id is distinct from 3 as e, extract(year from now()) > 1 as f, t."select"::numeric(5,2) as g, current_user as h, 'a'::mood as i from s.t t join lateral (select 1 as q) l on true natural join parent
create view v6 as select t.id::text || 'x' as a, t.id = any (array[1, 2]) as b, t."Odd Name" like 'a%' as c, not t.id > 5 as d, t.id is distinct from 3 as e, extract(year from now()) > 1 as f, t."select"::numeric(5,2) as g, current_user as h, 'ok'::mood as i from s.t t join lateral (select 1 as q) l on true natural join parent
create view v7 as select * from f3(1) with ordinality as o (x, y, z), generate_series(1, 2) g, unnest(array[1], array['a']) u (k, l), rows from (f3(2), f3(3)) r
create materialized view mv as select id, m from parent with no data
create unique index mvi on mv (id)
create rule ru as on delete to v1 do instead delete from parent where id = old.id and old.m = 'ok'
create rule rn as on insert to v1 do instead nothing
create trigger tr1 before insert or update of m, code on parent for each row when (new.id > 5) execute function f5('a', 'b''c')
create constraint trigger tr2 after delete on ref deferrable initially deferred for each row execute function f5()
create trigger tr3 after update on ref referencing old table as o new table as n for each statement execute function f5()
create statistics st (ndistinct, dependencies) on a, n from ref
create statistics st2 on (n + 1), lower(v) from ref
create function opf(comp, int) returns bool language sql as 'select true'
create operator === (leftarg = comp, rightarg = int, function = opf)
create function ctoi(comp) returns int language sql as 'select 1'
create cast (comp as int) with function ctoi(comp) as assignment
create function etf() returns event_trigger language plpgsql as 'begin end'
create event trigger et on ddl_command_end when tag in ('CREATE CAST', 'DROP CAST') execute function etf()
create extension citext with schema s
create role corpus_r nologin
create role corpus_u login connection limit 5 in role corpus_r
grant select, insert (a, b) on ref to corpus_r with grant option
grant usage, create on schema s to corpus_u
grant execute on function f1(int, text, int[]) to corpus_r
revoke execute on function f3(int) from public
grant usage on sequence sq to public
grant usage on type mood to corpus_r
alter default privileges in schema s grant select on tables to corpus_u
comment on table ref is 'references'
comment on column ref.a is 'first'
comment on function f1(int, text, int[]) is 'f one'
comment on constraint uq on ref is 'unique'
alter table ref alter v set statistics 50, alter j set storage external
alter table ref drop column bi
alter table ref set (fillfactor = 80)
alter table parent cluster on parent_pkey
alter table s.t replica identity full
insert into parent (code, m) values ('ab', 'happy'), (null, 'sad')""".split("\n")

#: With the place of user objects: everything in public or s.
OURS = "in ('public'::regnamespace, 's'::regnamespace)"
PLAIN = """select relname, relnamespace::regnamespace, reltype <> 0, reloftype, relkind, relpersistence, relnatts, relchecks, relhasindex, relhasrules, relhastriggers, relhassubclass, relispopulated, relreplident, relispartition, reloptions, relacl, relam from pg_class where relnamespace {OURS} and relname not like 'citext%' order by 1, 2
select c.relname, attname, format_type(atttypid, atttypmod), attlen, attnum, attndims, atttypmod, attbyval, attalign, attstorage, attnotnull, atthasdef, atthasmissing, attidentity, attgenerated, attisdropped, attislocal, attinhcount, attcollation <> 0, attstattarget, attacl from pg_attribute a join pg_class c on c.oid = attrelid where relnamespace {OURS} and attnum > 0 order by 1, attnum
select c.relname, attname, atttypid::regtype, attnum from pg_attribute a join pg_class c on c.oid = attrelid where relname in ('ref', 'v1') and attnum < 0 order by 1, attnum
select adrelid::regclass, adnum, pg_get_expr(adbin, adrelid), pg_get_expr(adbin, adrelid, true) from pg_attrdef
select conrelid::regclass, contypid::regtype, conname, contype, condeferrable, condeferred, convalidated, conindid::regclass, confrelid::regclass, confupdtype, confdeltype, confmatchtype, conislocal, coninhcount, connoinherit, conkey, confkey, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) from pg_constraint where connamespace {OURS}
select indexrelid::regclass, indrelid::regclass, indnatts, indnkeyatts, indisunique, indnullsnotdistinct, indisprimary, indisexclusion, indimmediate, indisclustered, indisvalid, indisready, indislive, indisreplident, indkey, indoption, pg_get_indexdef(indexrelid), pg_get_expr(indpred, indrelid), pg_get_expr(indexprs, indrelid) from pg_index i join pg_class c on c.oid = indrelid where relnamespace {OURS}
select pg_get_indexdef('i1'::regclass, 1, true), pg_get_indexdef('i1'::regclass, 2, false), pg_get_indexdef('i1'::regclass, 3, true), pg_get_indexdef('i1'::regclass, 9, true), pg_get_indexdef('i2'::regclass, 0, true), pg_get_indexdef('ref'::regclass)
select indexrelid::regclass, pg_index_column_has_property(indexrelid, 1, 'asc'), pg_index_column_has_property(indexrelid, 2, 'nulls_last'), pg_index_has_property(indexrelid, 'clusterable'), amname, pg_indexam_has_property(c.relam, 'can_unique') from pg_index i join pg_class c on c.oid = indexrelid join pg_am on pg_am.oid = c.relam where indrelid = 'ref'::regclass
select typname, typnamespace::regnamespace, typlen, typbyval, typtype, typcategory, typispreferred, typisdefined, typdelim, typrelid::regclass, typelem::regtype, typarray::regtype, typinput::text, typalign, typstorage, typnotnull, typbasetype::regtype, typtypmod, typndims, typcollation <> 0, typdefault, typacl from pg_type where typnamespace = 'public'::regnamespace and typname !~ '^_' order by 1
select typname, typelem::regtype, typlen, typcategory, typinput::text from pg_type where typnamespace = 'public'::regnamespace and typname ~ '^_' order by 1
select enumtypid::regtype, enumlabel, row_number() over (order by enumsortorder) from pg_enum where enumtypid = 'mood'::regtype order by 3
select rngtypid::regtype, rngsubtype::regtype, rngmultitypid::regtype, rngsubdiff from pg_range where rngtypid = 'span'::regtype
select proname, prokind, prosecdef, proleakproof, proisstrict, proretset, provolatile, proparallel, procost, prorows, pronargs, pronargdefaults, prorettype::regtype, proargtypes::regtype[], proallargtypes is null, proargmodes, proargnames, prosrc, proconfig, proacl, provariadic::regtype, prosqlbody is null, lanname from pg_proc p join pg_language l on l.oid = prolang where pronamespace = 'public'::regnamespace and proname !~ '^span' order by 1, pronargs
select proname, pg_get_function_arguments(oid), pg_get_function_identity_arguments(oid), pg_get_function_result(oid), pg_get_function_arg_default(oid, 2), oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and proname !~ '^span' order by 1, 2
select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') and proname ~ '^[fp][0-9]' order by proname
select pg_get_functiondef('ag'::regproc)
select aggfnoid::regproc, aggkind, aggnumdirectargs, aggtransfn::regproc, aggfinalfn, aggtranstype::regtype, agginitval, aggfinalextra, aggsortop, aggtransspace from pg_aggregate where aggfnoid = 'ag'::regproc
select relname, viewdef, pretty, wrapped from (select relname, pg_get_viewdef(oid) as viewdef, pg_get_viewdef(oid, true) as pretty, pg_get_viewdef(oid, 30) as wrapped from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace) x order by 1
select rulename, ev_class::regclass, ev_type, ev_enabled, is_instead, pg_get_ruledef(oid), pg_get_ruledef(oid, true) from pg_rewrite where ev_class >= 16384
select tgrelid::regclass, tgname, tgfoid::regproc, tgtype, tgenabled, tgisinternal, tgconstrrelid::regclass, tgdeferrable, tginitdeferred, tgnargs, tgattr::text, tgargs, pg_get_triggerdef(oid), tgoldtable, tgnewtable from pg_trigger where not tgisinternal
select tgrelid::regclass, tgfoid::regproc, tgtype, tgconstrrelid::regclass, tgdeferrable from pg_trigger where tgisinternal
select stxname, stxrelid::regclass, stxkeys::text, stxkind, pg_get_statisticsobjdef(oid), pg_get_statisticsobjdef_columns(oid) from pg_statistic_ext order by 1
select oprname, oprkind, oprcanmerge, oprcanhash, oprleft::regtype, oprright::regtype, oprresult::regtype, oprcode::regproc, oid::regoperator from pg_operator where oprnamespace = 'public'::regnamespace
select castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod from pg_cast where castfunc >= 16384 and castsource = 'comp'::regtype
select evtname, evtevent, evtenabled, evttags, evtfoid::regproc from pg_event_trigger
select extname, extversion, extnamespace::regnamespace, extrelocatable from pg_extension order by 1
select seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle from pg_sequence
select inhrelid::regclass, inhparent::regclass, inhseqno from pg_inherits
select nspname, nspacl, nspowner::regrole from pg_namespace where nspname in ('public', 's') order by 1
select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, rolbypassrls, rolvaliduntil, rolconfig from pg_roles where rolname like 'corpus%' order by 1
select roleid::regrole, member::regrole, grantor::regrole, admin_option from pg_auth_members where member::regrole::text like 'corpus%'
select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl
select classoid::regclass, objsubid, description, case when classoid = 'pg_class'::regclass then objoid::regclass::text end from pg_description where description in ('references', 'first', 'f one', 'unique') order by 3
select d.classid::regclass, d.refclassid::regclass, d.deptype, count(*) from pg_depend d where objid >= 16384 and classid in ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass) and refclassid in ('pg_class'::regclass, 'pg_constraint'::regclass) group by 1, 2, 3
select objid::regclass, refobjid::regclass, refobjsubid, deptype from pg_depend where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and objid >= 16384 and deptype <> 'i' and objid::regclass::text !~ '^pg_toast'
select * from pg_tables where schemaname in ('public', 's') order by 1, 2
select * from pg_views where schemaname in ('public', 's') order by 1, 2
select * from pg_matviews order by 1
select * from pg_indexes where schemaname in ('public', 's') order by 1, 2, 3
select schemaname, sequencename, sequenceowner, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value from pg_sequences order by 1, 2
select * from pg_rules where schemaname in ('public', 's') order by 1, 2, 3
select schemaname, tablename, statistics_schemaname, statistics_name, attnames, exprs, kinds from pg_stats_ext order by 3, 4
select pg_get_serial_sequence('ref', 'big'), pg_get_serial_sequence('parent', 'id'), pg_get_serial_sequence('ref', 'a')
select pg_get_serial_sequence('ref', 'nope')
select pg_get_userbyid(10), pg_get_userbyid(0), pg_get_viewdef(0), pg_get_ruledef(0), pg_get_functiondef(0), pg_get_indexdef(0), pg_get_constraintdef(0), pg_get_triggerdef(0), pg_get_expr(null, 0)
select to_regclass('ref'), to_regclass('nope'), to_regtype('mood'), to_regtype('nope'), to_regproc('f2'), to_regproc('nope'), to_regprocedure('f2(int)'), to_regnamespace('s'), to_regrole('corpus_r'), to_regoper('==='), to_regoperator('===(comp,int)'), to_regcollation('"C"')
select pg_table_is_visible('ref'::regclass), pg_table_is_visible('s.t'::regclass), pg_type_is_visible('mood'::regtype), pg_function_is_visible('f2'::regproc), pg_table_is_visible(0)
select has_table_privilege('corpus_r', 'ref', 'select'), has_table_privilege('corpus_r', 'ref', 'insert'), has_column_privilege('corpus_r', 'ref', 'a', 'insert'), has_any_column_privilege('corpus_r', 'ref', 'insert'), has_schema_privilege('corpus_u', 's', 'create'), has_function_privilege('corpus_r', 'f3(int)', 'execute'), has_sequence_privilege('corpus_u', 'sq', 'usage'), has_type_privilege('corpus_r', 'mood', 'usage'), has_database_privilege('corpus_r', current_database(), 'connect'), pg_has_role('corpus_u', 'corpus_r', 'member'), has_table_privilege('corpus_r', 'ref', 'select with grant option')
select has_table_privilege('corpus_r', 'nope', 'select')
select has_table_privilege('nope', 'ref', 'select')
select has_table_privilege('corpus_r', 'ref', 'nope')
select relname, acl.grantor::regrole, acl.grantee::regrole::text, privilege_type, is_grantable from pg_class, aclexplode(relacl) acl where relname in ('ref', 'sq') order by 1, 3, 4
select format_type(1043, 9), format_type(1700, 393222), format_type(1186, 2147418114), format_type(1560, 4), format_type('mood'::regtype, null), format_type(0, null), format_type(99999999, null), format_type(1042, null), format_type(1042, 5), format_type(18, null), format_type(1231, 393222)
select pg_describe_object('pg_class'::regclass, 'ref'::regclass, 0), pg_describe_object('pg_class'::regclass, 'ref'::regclass, 1), pg_describe_object('pg_class'::regclass, 'v1'::regclass, 0), pg_describe_object('pg_class'::regclass, 'i1'::regclass, 0), pg_describe_object('pg_proc'::regclass, 'f2'::regproc, 0), pg_describe_object('pg_type'::regclass, 'mood'::regtype, 0), pg_describe_object('pg_namespace'::regclass, 's'::regnamespace, 0)
select pg_describe_object('pg_constraint'::regclass, oid, 0) from pg_constraint where conname in ('uq', 'is_pos', 'chk') order by 1
select (pg_identify_object('pg_class'::regclass, 'ref'::regclass, 1)).*
select (pg_identify_object('pg_proc'::regclass, 'f2'::regproc, 0)).*
select (pg_identify_object_as_address('pg_type'::regclass, 'mood'::regtype, 0)).*
select (pg_get_object_address('table', '{s,t}', '{}')).classid::regclass, (pg_get_object_address('table column', '{s,t,id}', '{}')).objsubid
select col_description('ref'::regclass, 1), obj_description('ref'::regclass, 'pg_class'), obj_description('f1'::regproc, 'pg_proc')
select pg_relation_is_updatable('v1'::regclass, true), pg_relation_is_updatable('v2'::regclass, false), pg_column_is_updatable('v2'::regclass, 1::smallint, false)
select amname, amtype, amhandler::text from pg_am order by 1
select count(*) from pg_type where typnamespace = 'pg_catalog'::regnamespace and typtype = 'b' and typname in ('int4', 'text', 'jsonb', 'point', 'inet')
select typname, typlen, typbyval, typcategory, typispreferred, typdelim, typelem::regtype, typarray::regtype, typinput::text, typoutput::text, typreceive::text, typmodin::text, typalign, typstorage, typcollation from pg_type where typname in ('int4', 'text', 'numeric', 'bpchar', 'box', '_int4', 'oidvector', 'name', 'interval', 'char', 'jsonb', 'int4range', 'unknown', 'record', 'anyelement', 'void') order by 1
select oid::regoperator, oprcom::regoperator, oprnegate::regoperator, oprcode, oprrest, oprjoin, oprcanhash, oprcanmerge from pg_operator where oid in ('=(int4,int4)'::regoperator, '<(text,text)'::regoperator, '@>(jsonb,jsonb)'::regoperator, '||(text,text)'::regoperator)
select oid::regprocedure, prokind, provolatile, proisstrict, proretset, proargnames, pg_get_function_result(oid) from pg_proc where proname in ('abs', 'generate_series', 'now', 'json_each', 'sum', 'rank', 'pg_get_viewdef')
select castsource::regtype, casttarget::regtype, castcontext, castmethod from pg_cast where castsource in ('int4'::regtype, 'text'::regtype, 'date'::regtype)
select opcname, opcintype::regtype, opcdefault, amname from pg_opclass join pg_am on pg_am.oid = opcmethod where amname in ('btree', 'hash') and opcintype in ('int4'::regtype, 'text'::regtype, 'jsonb'::regtype) order by 1, 4
select collname, collprovider, collisdeterministic, collencoding from pg_collation where collname in ('C', 'default', 'POSIX') order by 1
select lanname, lanispl, lanpltrusted from pg_language order by 1
select spcname from pg_tablespace order by 1
select datname, datallowconn, datistemplate, datconnlimit, pg_encoding_to_char(encoding) from pg_database where datname in ('postgres', 'template0', 'template1') order by 1
select cfgname from pg_ts_config where cfgname in ('simple', 'english') order by 1
select relname, relkind, relnatts from pg_class where relnamespace = 'pg_catalog'::regnamespace and relname in ('pg_class', 'pg_attribute', 'pg_type', 'pg_proc', 'pg_tables', 'pg_settings', 'pg_locks', 'pg_stat_activity') order by 1
select attname, atttypid::regtype, attnotnull from pg_attribute where attrelid = 'pg_class'::regclass and attnum > 0 order by attnum
select attname, atttypid::regtype, attnotnull from pg_attribute where attrelid = 'pg_proc'::regclass and attnum > 0 order by attnum
select attname, atttypid::regtype from pg_attribute where attrelid in ('pg_index'::regclass, 'pg_constraint'::regclass, 'pg_type'::regclass) and attnum > 0 order by attrelid, attnum
select oid, typname from pg_type where oid < 1000 and typtype = 'b' and typname !~ '^_' order by 1
select 'public'::regnamespace::oid, 'pg_catalog'::regnamespace::oid, 'postgres'::regrole::oid
select 'pg_class'::regclass::oid, 'pg_class'::regtype::text""".replace("{OURS}", OURS).split("\n")

INFORMATION = """schemata: catalog_name, schema_name, schema_owner where schema_name in ('public', 's', 'information_schema')
tables: table_schema, table_name, table_type, is_insertable_into, is_typed, commit_action
columns: table_name, column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision, interval_type, domain_name, udt_schema, udt_name, is_identity, identity_generation, identity_start, identity_increment, identity_maximum, identity_cycle, is_generated, generation_expression, is_updatable, collation_name
table_constraints: table_name, constraint_name, constraint_type, is_deferrable, initially_deferred, enforced, nulls_distinct where constraint_name !~ 'not_null'
table_constraints: table_name, constraint_type, count(*) where constraint_name ~ 'not_null' group by 1, 2
key_column_usage: constraint_name, table_name, column_name, ordinal_position, position_in_unique_constraint
constraint_column_usage: constraint_name, table_name, column_name
constraint_table_usage: constraint_name, table_name
check_constraints: constraint_name, check_clause where constraint_name !~ 'not_null'
referential_constraints: constraint_name, unique_constraint_name, match_option, update_rule, delete_rule
views: table_name, view_definition, check_option, is_updatable, is_insertable_into, is_trigger_updatable
view_table_usage: view_name, table_name
view_column_usage: view_name, table_name, column_name
view_routine_usage: table_name, specific_schema
triggers: trigger_name, event_manipulation, event_object_table, action_order, action_condition, action_statement, action_orientation, action_timing, action_reference_old_table, action_reference_new_table
triggered_update_columns: trigger_name, event_object_column
routines: routine_name, routine_type, data_type, type_udt_name, routine_body, routine_definition, external_language, is_deterministic, sql_data_access, security_type, is_null_call, is_user_defined_cast where routine_schema = 'public' and routine_name !~ '^span'
parameters: parameter_name, ordinal_position, parameter_mode, data_type, udt_name, parameter_default where specific_schema = 'public' and specific_name !~ '^span'
sequences: sequence_name, data_type, numeric_precision, start_value, minimum_value, maximum_value, increment, cycle_option
domains: domain_name, data_type, character_maximum_length, domain_default, udt_name where domain_schema = 'public'
domain_constraints: domain_name, constraint_name, is_deferrable where domain_schema = 'public' and constraint_name !~ 'not_null'
domain_udt_usage: domain_name, udt_name where domain_schema = 'public'
column_domain_usage: domain_name, table_name, column_name
column_udt_usage: udt_name, table_name, column_name
attributes: udt_name, attribute_name, ordinal_position, data_type, attribute_udt_name, numeric_precision
user_defined_types: user_defined_type_name, user_defined_type_category
element_types: regexp_replace(object_name, '_\\d+$', ''), object_type, collection_type_identifier, data_type, udt_name where object_schema = 'public'
table_privileges: grantor, grantee, table_name, privilege_type, is_grantable, with_hierarchy where grantee like 'corpus%'
column_privileges: grantee, table_name, column_name, privilege_type where grantee like 'corpus%'
role_table_grants: grantee, table_name, privilege_type where grantee like 'corpus%'
routine_privileges: grantee, routine_name, privilege_type where routine_schema = 'public' and routine_name ~ '^f[0-9]'
usage_privileges: grantee, object_name, object_type, privilege_type where object_schema = 'public' and grantee <> 'postgres'
udt_privileges: grantee, udt_name, privilege_type where udt_schema = 'public' and grantee like 'corpus%'
enabled_roles: role_name where role_name like 'corpus%'
applicable_roles: grantee, role_name, is_grantable where grantee like 'corpus%'
administrable_role_authorizations: grantee, role_name where grantee like 'corpus%'
character_sets: character_set_name, form_of_use
collations: collation_name, pad_attribute where collation_name = 'C'
sql_features: feature_id, is_supported where feature_id ~ '^E0'
sql_implementation_info: implementation_info_name, integer_value where implementation_info_id < '25'
foreign_tables: foreign_table_name
column_column_usage: table_name, column_name, dependent_column
column_options: option_name
routine_routine_usage: specific_name
data_type_privileges: object_name, object_type where object_schema = 'public' and object_name in ('ref', 'pos')
information_schema_catalog_name: catalog_name is not null
transforms: transform_type
role_column_grants: grantee, column_name, privilege_type where grantee like 'corpus%'""".split("\n")
#: The column with the schema, of those that also show the catalogs' own objects.
SCHEMA = dict.fromkeys("tables columns key_column_usage table_constraints constraint_column_usage constraint_table_usage views".split(), "table_schema") | dict.fromkeys("view_table_usage view_column_usage".split(), "view_schema")
SCHEMA |= {"view_routine_usage": "table_schema", "check_constraints": "constraint_schema", "column_domain_usage": "table_schema", "column_udt_usage": "table_schema"}
CHANGES = """alter type mood rename value 'ok' to 'fine'
alter type mood rename to feeling
alter table parent rename to ancestor
alter table ref rename column v to vv
alter table ref rename to refs
alter function f5() rename to trigger_function
alter schema s rename to s2
alter domain pos rename to positive
alter type comp rename attribute y to why
alter sequence sq rename to counter""".split("\n")
AFTER = """select relname, pg_get_viewdef(oid, true) from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace order by 1
select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1
select indexname, indexdef from pg_indexes where schemaname in ('public', 's2') order by 1
select adrelid::regclass, adnum, pg_get_expr(adbin, adrelid) from pg_attrdef
select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1
select rulename, pg_get_ruledef(oid) from pg_rewrite where rulename in ('ru', 'rn') order by 1
select pg_get_statisticsobjdef(oid) from pg_statistic_ext order by 1
select pg_get_functiondef('f3'::regproc)
select oid::regprocedure, prosrc from pg_proc where pronamespace = 'public'::regnamespace and proname ~ '^f[0-9]'
select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'i') order by 1
select column_name, data_type, udt_name, domain_name from information_schema.columns where table_name in ('refs', 'child') order by table_name, ordinal_position""".split("\n")


def statements():
    yield from MADE
    yield from PLAIN
    for line in INFORMATION:
        view, _, rest = line.partition(": ")
        what, where, tail = rest.partition(" where ")
        own = f"{SCHEMA[view]} in ('public', 's')" if view in SCHEMA else ""
        conditions = " and ".join(c for c in (own, tail.partition(" group by ")[0]) if c)
        group = " group by " + tail.partition(" group by ")[2] if " group by " in tail else ""
        columns = ", ".join(str(i + 1) for i in range(len(what.split(", "))))
        yield f"select {what} from information_schema.{view}" + (f" where {conditions}" if conditions else "") + group + f" order by {columns}"
        # Names and types of all columns.
        yield f"select * from information_schema.{view} where false"
    yield from CHANGES
    yield from AFTER
