//! What catalog queries ask about objects: format_type, pg_get_*def, comments, owners of sequences.
//!
//! Definitions are written by [`pamir_catalog::defs`]; these are thin calls. What Pamir does not have (views, rules, triggers, partitions,
//! statistics objects) has no definition: NULL, as PostgreSQL answers for an unknown OID.
use super::partitions;
use super::registry::funcs;
use super::string::quote_ident;
use super::*;
use crate::deparse::{Layout, Naming, deparse};
use pamir_catalog::pretty::pretty;
use pamir_catalog::rule::Event;
use pamir_catalog::system::internal;
use pamir_catalog::text_search::own_descriptions;
use pamir_catalog::types::shown;
use pamir_catalog::{Index, Method, Relation, Table, defs};
use pamir_types::key::KeyOrder;
use pamir_types::{bail, err, oid};

fn format_type(args: &[Datum], env: &dyn Env) -> Result<Datum> {
    let (o, m) = match args {
        [Datum::Oid(o), Datum::Int4(m)] => (*o, Some(*m)),
        [Datum::Oid(o), _] => (*o, None),
        _ => return Ok(Datum::Null),
    };
    Ok(type_text(o, m, env).into())
}
/// Without a modifier argument `character` and `bit` are the standard's; with -1 they are PostgreSQL's unbounded ones.
fn type_text(o: Oid, m: Option<i32>, env: &dyn Env) -> String {
    if o == 0 {
        return "-".into();
    }
    if oid::is_user(o) || oid::is_of_extension(o) {
        return env.catalog().type_name(env.scope(), o).unwrap_or_else(|| "???".into());
    }
    if oid::type_name(o).is_none() {
        return "???".into();
    }
    match (o, m) {
        (o, None) => pamir_types::text::type_named(o),
        (o, Some(m)) => pamir_types::text::type_display(Type::with_mod(o, m)),
    }
}
fn index_def(o: Oid, column: i32, pretty: bool, env: &mut dyn Env) -> Datum {
    let catalog = env.catalog().clone();
    let Some((t, i)) = index_of(o, env) else { return Datum::Null };
    if column == 0 {
        return defs::index_def(&catalog, &t, &i, pretty, env.scope()).into();
    }
    let Ok(n) = usize::try_from(column - 1) else { return Datum::Null };
    match i.columns.get(n) {
        Some((c, _)) => shown(&catalog, env.scope(), &defs::index_column_def(&t, c, pretty)).into(),
        None => match i.include.get(n - i.columns.len()).and_then(|a| t.column(*a)) {
            Some(c) => Datum::from(&*quote_ident(&c.name)),
            None => Datum::text(""),
        },
    }
}
/// The index of this number, and its table.
fn index_of(o: Oid, env: &dyn Env) -> Option<(Arc<Table>, Index)> {
    let t = env.catalog().index_table(o).filter(|t| t.database == env.scope().database)?;
    Some((t.clone(), t.index(o)?.clone()))
}
/// What an access method can do (PostgreSQL's documentation, "Index Access Method Properties"); None: no such property.
fn method_property(method: Oid, name: &str) -> Option<bool> {
    use Method::*;
    const SPGIST: Oid = 4000;
    let m = [Btree, Hash, Gin, Brin, Gist].into_iter().find(|m| m.oid() == method);
    if m.is_none() && method != SPGIST {
        return None;
    }
    Some(match &*name.to_ascii_lowercase() {
        "can_order" | "can_unique" => m == Some(Btree),
        "can_multi_col" => !matches!(m, Some(Hash) | None),
        "can_exclude" => !matches!(m, Some(Gin | Brin)),
        "can_include" => matches!(m, Some(Btree | Gist) | None),
        _ => return None,
    })
}
/// The same of an index ("Index Properties").
fn index_property(m: Method, name: &str) -> Option<bool> {
    use Method::*;
    Some(match &*name.to_ascii_lowercase() {
        "clusterable" => matches!(m, Btree | Gist),
        "index_scan" => matches!(m, Btree | Hash | Gist),
        "bitmap_scan" => true,
        "backward_scan" => matches!(m, Btree | Hash),
        _ => return None,
    })
}
/// The same of one of its columns ("Index Column Properties").
fn column_property(t: &Table, i: &Index, n: i32, name: &str) -> Option<bool> {
    use Method::*;
    let n = usize::try_from(n).ok()?.checked_sub(1).filter(|n| *n < i.columns.len() + i.include.len())?;
    let key = i.columns.get(n);
    // Of an INCLUDE column nothing is known of an order; other methods have none.
    let order = |f: fn(&KeyOrder) -> bool| key.map(|(_, o)| i.method == Btree && f(o));
    // A signature does not give its vector back.
    let returnable = || key.is_none_or(|(c, _)| c.ty(t).oid != oid::TSVECTOR);
    match &*name.to_ascii_lowercase() {
        "asc" => order(|o| !o.desc),
        "desc" => order(|o| o.desc),
        "nulls_first" => order(|o| o.nulls_first),
        "nulls_last" => order(|o| !o.nulls_first),
        "orderable" => Some(key.is_some() && i.method == Btree),
        "distance_orderable" => Some(false),
        "returnable" => Some(i.method == Btree || i.method == Gist && returnable()),
        "search_array" => key.map(|_| i.method == Btree),
        "search_nulls" => key.map(|_| matches!(i.method, Btree | Gist | Brin)),
        _ => None,
    }
}
fn col_description(o: Oid, n: i32, env: &mut dyn Env) -> Datum {
    use pamir_catalog::types::Body;
    let Ok(n) = i16::try_from(n) else { return Datum::Null };
    let (catalog, db) = (env.catalog(), env.scope().database);
    let of_type = || {
        let attribute = |t: &std::sync::Arc<pamir_catalog::types::UserType>| match &t.body {
            Body::Composite(c) if c.relation == o => c.fields.iter().find(|f| f.attnum == n)?.comment.clone(),
            _ => None,
        };
        catalog.user_types(db).into_iter().find_map(attribute)
    };
    match catalog.table(o) {
        Some(t) => t.column(n).and_then(|c| c.comment.clone()),
        None => of_type(),
    }
    .into()
}
/// The comment on an object of a catalog; without its name, on any of that number.
fn obj_description(o: Oid, class: Option<&str>, env: &mut dyn Env) -> Result<Datum> {
    let (catalog, db) = (env.catalog(), env.scope().database);
    let of = |name: &str| class.is_none_or(|c| c == name);
    let mut found = None;
    if of("pg_class") {
        found = match (catalog.table(o), catalog.sequence(o)) {
            (Some(t), _) => t.comment.clone(),
            (_, Some(s)) => s.comment.clone(),
            _ => catalog.tables(db).into_iter().find_map(|t| t.index(o)?.comment.clone()),
        };
    }
    if found.is_none() && of("pg_constraint") {
        found = catalog.tables(db).into_iter().find_map(|t| t.declared.comment(o).map(String::from));
    }
    if found.is_none() && of("pg_type") {
        found = catalog.user_type(o).and_then(|t| t.comment.clone());
    }
    if found.is_none() && of("pg_proc") {
        found = catalog.function(o).and_then(|f| f.comment.clone());
    }
    if found.is_none() && of("pg_extension") {
        found = match o {
            pamir_catalog::extension::PLPGSQL_OID => Some("PL/pgSQL procedural language".into()),
            _ => catalog.extension(o).and_then(|e| e.comment.clone()),
        };
    }
    if found.is_none() && of("pg_operator") {
        found = catalog.operator(o).and_then(|x| x.comment.clone());
    }
    if found.is_none() && of("pg_cast") {
        found = catalog.cast_by_oid(o).and_then(|x| x.comment.clone());
    }
    if found.is_none() && of("pg_rewrite") {
        found = catalog.rule(o).and_then(|r| r.comment.clone());
    }
    if found.is_none() && of("pg_policy") {
        found = catalog.policy(o).and_then(|p| p.comment.clone());
    }
    if found.is_none() && of("pg_trigger") {
        found = catalog.trigger(o).and_then(|g| g.comment.clone());
    }
    if found.is_none() && of("pg_event_trigger") {
        found = catalog.event_trigger(o).and_then(|g| g.comment.clone());
    }
    if found.is_none() && of("pg_namespace") {
        found = catalog.schema(o).and_then(|s| s.comment.clone());
    }
    if found.is_none() {
        let said = catalog.comments(o).into_iter().flat_map(|c| &c.list).filter(|c| c.database == db);
        let wanted = class.map(class_named);
        found = said.into_iter().find(|c| wanted.is_none_or(|w| w == Some(c.class))).map(|c| c.text.clone());
    }
    if found.is_none() && o < oid::FIRST_USER {
        found = own_descriptions().into_iter().find(|d| d.1 == o && of(d.0.table())).map(|d| d.2);
    }
    if found.is_none() {
        found = super::large_object::comment(o, class, env)?;
    }
    Ok(found.into())
}
/// A catalog's OID by its name.
fn class_named(name: &str) -> Option<Oid> {
    pamir_catalog::system::find("pg_catalog", name).map(|t| t.oid)
}
fn statistics_expressions(o: Oid, env: &mut dyn Env) -> Datum {
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let Some(e) = catalog.extended(o).filter(|e| !e.exprs.is_empty()) else { return Datum::Null };
    let one = |e: &pamir_catalog::SqlText| Datum::from(shown(&catalog, &scope, &e.0));
    let all: Vec<Datum> = e.exprs.iter().map(one).collect();
    Datum::Array(pamir_types::array::Array::from_vec(oid::TEXT, all).into())
}
/// The index that tells a replica which row is meant: the one that was chosen, else the primary key's.
fn replica_index(o: Oid, env: &mut dyn Env) -> Datum {
    use pamir_catalog::declared::ReplicaIdentity;
    let Some(t) = env.catalog().table(o) else { return Datum::Null };
    match t.declared.more.replica_identity {
        ReplicaIdentity::Index(i) => Datum::Oid(i),
        ReplicaIdentity::Default => t.primary_key().map_or(Datum::Null, |i| Datum::Oid(i.oid)),
        ReplicaIdentity::Nothing | ReplicaIdentity::Full => Datum::Null,
    }
}
fn trigger_def(o: Oid, pretty: bool, env: &mut dyn Env) -> Datum {
    let (catalog, scope) = (env.catalog(), env.scope());
    catalog.trigger(o).and_then(|g| defs::trigger_def(catalog, g, pretty, scope)).into()
}
fn serial_sequence(table: &str, column: &str, env: &mut dyn Env) -> Result<Datum> {
    let catalog = env.catalog().clone();
    let parts = reg::split_name(table)?;
    let (schema, name) = match parts.as_slice() {
        [n] => (None, n),
        [s, n] => (Some(s.as_str()), n),
        _ => bail!(INVALID_NAME, "invalid name syntax"),
    };
    let (t, missing) = match catalog.resolve_relation(env.scope(), schema, name)? {
        Relation::Table(t) => {
            let missing = t.column_by_name(column).is_none();
            (Some(t), missing)
        }
        Relation::Virtual(v) => (None, v.columns.iter().all(|c| c.0 != column)),
        _ => (None, false),
    };
    if missing {
        return Err(err!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{name}\" does not exist"));
    }
    // Nothing else than a table's columns owns a sequence.
    let Some((t, c)) = t.as_ref().and_then(|t| Some((t, t.column_by_name(column)?))) else { return Ok(Datum::Null) };
    // By what owns it, whether it came with the column or was given to it.
    let owned = |s: &&Arc<pamir_catalog::Sequence>| s.owned_by == Some((t.oid, c.attnum));
    let first = catalog.sequences(t.database).into_iter().filter(|s| owned(s)).min_by_key(|s| s.oid);
    let of_identity = || c.identity.and(c.sequence).and_then(|s| catalog.sequence(s));
    let Some(seq) = first.or_else(of_identity) else { return Ok(Datum::Null) };
    let schema = catalog.defined_schema(seq.schema).unwrap_or_default();
    Ok(format!("{}.{}", quote_ident(schema), quote_ident(&seq.name)).into())
}
/// How deep views of views are looked into.
const MAX_VIEWS: usize = 1000;
/// Bits of pg_relation_is_updatable.
const DELETE: i32 = 1 << 4;
const UPDATE_DELETE: i32 = 1 << 2 | DELETE;
const ALL: i32 = 1 << 3 | UPDATE_DELETE;
/// Which changes a relation takes, as bits; `columns`: of these.
pub fn updatable(o: Oid, columns: Option<&[i16]>, depth: usize, env: &mut dyn Env) -> Result<i32> {
    let Some(t) = env.catalog().table(o).cloned() else { return Ok(0) };
    let Some(v) = &t.view else { return Ok(ALL) };
    let ruled = env.catalog().rules_of(o).into_iter().filter(|r| r.instead).fold(0, |bits, r| {
        bits | match r.event {
            Event::Update => 1 << 2,
            Event::Insert => 1 << 3,
            Event::Delete => DELETE,
        }
    });
    if ruled == ALL {
        return Ok(ALL);
    }
    if v.materialized || depth > MAX_VIEWS {
        return Ok(0);
    }
    let Some((base, places)) = env.view_shows(&t)? else { return Ok(ruled) };
    let among = |i: usize| columns.is_none_or(|c| c.contains(&(i as i16 + 1)));
    let below: Vec<i16> = places.iter().enumerate().filter(|p| among(p.0)).filter_map(|p| *p.1).collect();
    let events = if below.is_empty() { DELETE } else { ALL };
    Ok(ruled | events & updatable(base, Some(&below), depth + 1, env)?)
}
/// NULL for what is no relation; nothing to see of a table.
fn view_definition(o: Oid, layout: Layout, env: &mut dyn Env) -> Result<Datum> {
    let catalog = env.catalog().clone();
    match catalog.relation(o) {
        Some(pamir_catalog::Relation::Table(t)) if t.view.is_some() => env.view_definition(&t, layout).map(Datum::from),
        Some(_) => Ok("Not a view".into()),
        None => Ok(Datum::Null),
    }
}
fn rule_definition(o: Oid, layout: Layout, env: &mut dyn Env) -> Result<Datum> {
    let text = env.rule_definition(o, layout)?;
    Ok(if text.is_empty() { Datum::Null } else { text.into() })
}
fn view_named(name: &str, layout: Layout, env: &mut dyn Env) -> Result<Datum> {
    let catalog = env.catalog().clone();
    let parts = reg::split_name(name)?;
    let (schema, own) = match parts.as_slice() {
        [n] => (None, n),
        [s, n] => (Some(s.as_str()), n),
        _ => bail!(INVALID_NAME, "invalid name syntax"),
    };
    let r = catalog.resolve_relation(env.scope(), schema, own)?;
    view_definition(r.oid(), layout, env)
}
/// `identity`: without what arguments have for defaults.
fn argument_list(o: Oid, identity: bool, env: &dyn Env) -> Option<String> {
    if let Some(f) = env.catalog().function(o) {
        return Some(stored::arguments(f, identity, env));
    }
    let (mut variadic, mut names, mut defaults) = (false, Vec::new(), Vec::new());
    let args = if let Some(f) = lookup::by_oid::<Function>(env.catalog(), o) {
        (variadic, names) = (f.variadic, f.arg_names.clone());
        if !identity {
            let naming = Naming::Short(env.catalog(), env.scope());
            defaults = f.defaults.iter().map(|e| deparse(e, &|_| String::new(), naming)).collect();
        }
        f.args.to_vec()
    } else if let Some(a) = lookup::by_oid::<Aggregate>(env.catalog(), o) {
        a.args.to_vec()
    } else {
        internal::by_oid(o)?.args.clone()
    };
    let list: Vec<String> = args
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let last = variadic && i + 1 == args.len();
            let name =
                names.get(i).filter(|n| !n.is_empty()).map_or_else(String::new, |n| format!("{} ", quote_ident(n)));
            let default = defaults.get((i + defaults.len()).wrapping_sub(args.len()));
            let default = default.map_or_else(String::new, |d| format!(" DEFAULT {d}"));
            match (last, *a) {
                (true, oid::ANY) => format!("VARIADIC {name}\"any\""),
                (true, a) => format!("VARIADIC {name}{}[]", type_text(a, None, env)),
                (false, a) => format!("{name}{}{default}", type_text(a, None, env)),
            }
        })
        .collect();
    Some(list.join(", "))
}
fn result_type(o: Oid, env: &dyn Env) -> Option<String> {
    if let Some(f) = env.catalog().function(o) {
        return stored::result(f, env);
    }
    match lookup::by_oid::<Function>(env.catalog(), o) {
        Some(f) => {
            let set = if f.body.is_set() { "SETOF " } else { "" };
            Some(format!("{set}{}", type_text(f.ret, None, env)))
        }
        None => {
            let aggregate = lookup::by_oid::<Aggregate>(env.catalog(), o).map(|a| a.ret);
            let ret = aggregate.or_else(|| internal::by_oid(o).map(|f| f.ret))?;
            Some(type_text(ret, None, env))
        }
    }
}
/// The default of the nth parameter, counted among all.
fn arg_default(o: Oid, n: i32, env: &dyn Env) -> Option<String> {
    let f = env.catalog().function(o)?;
    let p = f.params.get(usize::try_from(n).ok()?.checked_sub(1)?)?;
    p.default.as_ref().map(|d| d.0.clone())
}
fn empty(_: &CallInfo, _: &[Datum], _: &mut dyn Env, _: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    Ok(())
}
/// `name=value` in two; without a value NULL is its place.
fn options(
    _: &CallInfo,
    args: &[Datum],
    _: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let [Datum::Array(a)] = args else { return Ok(()) };
    for o in &a.items {
        let Datum::Text(o) = o else { continue };
        let (name, value) = o.split_once('=').map_or((&**o, Datum::Null), |(n, v)| (n, v.into()));
        push(vec![name.into(), value])?;
    }
    Ok(())
}
fn oids(args: &[Datum], env: &dyn Env) -> String {
    match args.first() {
        Some(Datum::Array(a)) => {
            let names: Vec<String> = a
                .items
                .iter()
                .map(|d| if let Datum::Oid(o) = d { type_text(*o, None, env) } else { "-".into() })
                .collect();
            names.join(", ")
        }
        _ => String::new(),
    }
}
fn sequence_parameters(o: Oid, env: &mut dyn Env) -> Result<Datum> {
    let catalog = env.catalog().clone();
    let Some(s) = catalog.sequence(o) else { bail!(UNDEFINED_TABLE, "could not open relation with OID {o}") };
    let int8 = |v: i64| (Type::INT8, Datum::Int8(v));
    Datum::record(vec![
        int8(s.def.start),
        int8(s.def.min),
        int8(s.def.max),
        int8(s.def.increment),
        (Type::BOOL, Datum::Bool(s.def.cycle)),
        int8(s.cache),
        (Type::OID, Datum::Oid(s.ty.oid)),
    ])
}

funcs! { pub FUNCS {
    format_type raw = |_, args, env| format_type(args, env);
    oidvectortypes raw = |_, args, env| Ok(oids(args, env).into());
    col_description_1216 (_ci env; o: Oid, n: Int4) -> col_description(*o, *n, env);
    obj_description_1215 (_ci env; o: Oid, c: Text) => obj_description(*o, Some(c), env);
    obj_description_1348 (_ci env; o: Oid) => obj_description(*o, None, env);
    shobj_description_1993 (_ci env; o: Oid, c: Text) -> if &**c == "pg_database" {
        env.catalog().databases().into_iter().find(|d| d.oid == *o).and_then(|d| d.comment.clone())
    } else {
        class_named(c).and_then(|class| env.catalog().comment(class, *o, 0).map(String::from))
    };
    pg_get_expr (_ci env; s: Text, _r: Oid) -> shown(env.catalog(), env.scope(), s);
    pg_get_expr_ext (_ci env; s: Text, _r: Oid, p: Bool) -> {
        let s = shown(env.catalog(), env.scope(), s);
        if *p { pretty(&s) } else { s }
    };
    pg_get_indexdef (_ci env; o: Oid) -> index_def(*o, 0, false, env);
    pg_get_indexdef_ext (_ci env; o: Oid, n: Int4, p: Bool) -> index_def(*o, *n, *p, env);
    pg_indexam_has_property (_ci _env; o: Oid, p: Text) -> method_property(*o, p);
    pg_index_has_property (_ci env; o: Oid, p: Text) -> index_of(*o, env).and_then(|(_, i)| index_property(i.method, p));
    pg_index_column_has_property (_ci env; o: Oid, n: Int4, p: Text) -> index_of(*o, env).and_then(|(t, i)| column_property(&t, &i, *n, p));
    pg_get_constraintdef (_ci env; o: Oid) -> defs::constraint_def(env.catalog(), *o, env.scope());
    pg_get_constraintdef_ext (_ci env; o: Oid, p: Bool) -> if *p { defs::constraint_def_pretty(env.catalog(), *o, env.scope()) } else { defs::constraint_def(env.catalog(), *o, env.scope()) };
    pg_get_serial_sequence (_ci env; t: Text, c: Text) => serial_sequence(t, c, env);
    pg_get_function_arguments (_ci env; o: Oid) -> argument_list(*o, false, env);
    pg_get_function_identity_arguments (_ci env; o: Oid) -> argument_list(*o, true, env);
    pg_get_function_result (_ci env; o: Oid) -> result_type(*o, env);
    pg_get_functiondef (_ci env; o: Oid) => stored::definition_of(*o, env);
    pg_get_function_arg_default (_ci env; o: Oid, n: Int4) -> arg_default(*o, *n, env);
    pg_get_function_sqlbody (_ci env; o: Oid) -> env.catalog().function(*o).and_then(|f| stored::sql_body(f));
    pg_get_viewdef_name (_ci env; s: Text) => view_named(s, Layout::default(), env);
    pg_get_viewdef_name_ext (_ci env; s: Text, p: Bool) => view_named(s, Layout { pretty: *p, wrap: 0 }, env);
    pg_get_viewdef (_ci env; o: Oid) => view_definition(*o, Layout::default(), env);
    pg_get_viewdef_ext (_ci env; o: Oid, p: Bool) => view_definition(*o, Layout { pretty: *p, wrap: 0 }, env);
    pg_get_viewdef_wrap (_ci env; o: Oid, n: Int4) => view_definition(*o, Layout { pretty: true, wrap: (*n).max(0) as usize }, env);
    pg_get_ruledef (_ci env; o: Oid) => rule_definition(*o, Layout::default(), env);
    pg_get_ruledef_ext (_ci env; o: Oid, p: Bool) => rule_definition(*o, Layout { pretty: *p, wrap: 0 }, env);
    pg_get_triggerdef (_ci env; o: Oid) -> trigger_def(*o, false, env);
    pg_get_triggerdef_ext (_ci env; o: Oid, p: Bool) -> trigger_def(*o, *p, env);
    pg_get_partkeydef (_ci env; o: Oid) -> env.catalog().table(*o).and_then(|t| defs::partition_key(env.catalog(), t, env.scope()));
    pg_get_partition_constraintdef (_ci env; o: Oid) => partitions::constraint_def(*o, env);
    pg_get_statisticsobjdef (_ci env; o: Oid) -> env.catalog().extended(*o).map(|e| e.definition(env.catalog(), env.scope(), false));
    pg_get_statisticsobjdef_columns (_ci env; o: Oid) -> env.catalog().extended(*o).map(|e| e.definition(env.catalog(), env.scope(), true));
    pg_get_statisticsobjdef_expressions (_ci env; o: Oid) -> statistics_expressions(*o, env);
    satisfies_hash_partition raw = |ci, a, env| partitions::satisfies_hash(ci, a, env);
    pg_get_replica_identity_index (_ci env; o: Oid) -> replica_index(*o, env);
    pg_partition_root (_ci env; o: Oid) -> partitions::root(*o, env);
    pg_partition_ancestors set = |_, a, env, p| partitions::ancestors(a, env, p);
    pg_partition_tree set = |_, a, env, p| partitions::tree(a, env, p);
    pg_available_extensions set = empty;
    pg_available_extension_versions set = empty;
    pg_get_publication_tables set = empty;
    pg_options_to_table set = options;
    pg_relation_is_publishable raw = |_, _, _| Ok(Datum::Bool(false));
    pg_relation_is_updatable (_ci env; o: Oid, _t: Bool) -> updatable(*o, None, 0, env)?;
    pg_column_is_updatable (_ci env; o: Oid, n: Int2, _t: Bool) -> *n > 0 && updatable(*o, Some(&[*n]), 0, env)? & UPDATE_DELETE == UPDATE_DELETE;
    pg_sequence_parameters (_ci env; o: Oid) => sequence_parameters(*o, env);
    pg_sequence_last_value (_ci env; o: Oid) => Ok(match env.engine()?.seq_read(env.catalog().sequence(*o).map_or(u64::from(*o), |s| s.storage))? { Some((v, true)) => Datum::Int8(v), _ => Datum::Null });
} }
