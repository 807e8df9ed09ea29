//! COMMENT ON, and SECURITY LABEL, for which there are no providers.
use super::cx::one_name;
use super::{DdlCtx, column, extended, operator, routine, text_search, types};
use pamir_catalog::comments::Comments;
use pamir_catalog::system::{read_fixed, types::collation_named};
use pamir_catalog::text_search::What;
use pamir_catalog::well_known::{PG_CATALOG, POSTGRES_ROLE};
use pamir_catalog::{self, Kind, Relation};
use pamir_expr::func;
use pamir_parse::tree::{Comment, Object, ObjectKind, OperatorRef, ParameterMode, RoutineRef, TypeName};
use pamir_plan::bind::bind_type;
use pamir_txn::{RowLock, TableLock};
use pamir_types::error::Severity;
use pamir_types::text::{type_display, type_named};
use pamir_types::{Datum, Error, Oid, Result, bail, err};
use std::sync::Arc;

/// Catalogs whose objects have no place for what is said of them.
const PG_PROC: Oid = 1255;
const PG_AUTHID: Oid = 1260;
const PG_TABLESPACE: Oid = 1213;
const PG_OPERATOR: Oid = 2617;
const PG_CAST: Oid = 2605;
const PG_COLLATION: Oid = 3456;
const PG_LANGUAGE: Oid = 2612;
const PG_AM: Oid = 2601;
pub const PG_STATISTIC_EXT: Oid = 3381;

pub fn execute(c: &Comment, cx: &mut DdlCtx) -> Result<&'static str> {
    // Who would give labels a meaning is loaded by the server.
    match &c.label {
        None => {}
        Some(None) => bail!(INVALID_PARAMETER_VALUE, "no security label providers have been loaded"),
        Some(Some(p)) => bail!(INVALID_PARAMETER_VALUE, "security label provider \"{p}\" is not loaded"),
    }
    let text = c.text.clone().filter(|t| !t.is_empty());
    match &c.on {
        Object::Named(
            kind @ (ObjectKind::Table
            | ObjectKind::View
            | ObjectKind::MaterializedView
            | ObjectKind::Index
            | ObjectKind::Sequence),
            n,
        ) => relation(*kind, &n.parts, text, cx)?,
        Object::Named(ObjectKind::Column, n) => on_column(&n.parts, text, cx)?,
        Object::Named(ObjectKind::EventTrigger, n) => super::event_trigger::comment(&one_name(&n.parts)?, text, cx)?,
        Object::Named(ObjectKind::Schema, n) => {
            let n = one_name(&n.parts)?;
            let Some(s) = cx.catalog.schema_by_name(cx.database(), &n).cloned() else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
            };
            cx.check_owner(s.owner, "schema", &n)?;
            let mut s = (*cx.lock_schema(s.oid, RowLock::NoKeyUpdate)?).clone();
            s.comment = text;
            cx.put(pamir_catalog::Object::Schema(Arc::new(s)))?;
        }
        Object::Named(ObjectKind::Database, n) => {
            let n = one_name(&n.parts)?;
            let Some(d) = cx.catalog.database_by_name(&n).cloned() else {
                // A dump may have been made under another name.
                let e = err!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist");
                cx.env.notice(e.severity(Severity::Warning));
                return Ok("COMMENT");
            };
            cx.check_owner(d.owner, "database", &n)?;
            if let Some(pamir_catalog::Object::Database(d)) =
                cx.lock_object(Kind::Database, d.oid, RowLock::NoKeyUpdate)?
            {
                let mut d = (*d).clone();
                d.comment = text;
                cx.put(pamir_catalog::Object::Database(Arc::new(d)))?;
            }
        }
        Object::Named(ObjectKind::Extension, n) => super::extension::comment(&one_name(&n.parts)?, text, cx)?,
        Object::Routine(kind, r) => match built_in_routine(r, cx)? {
            Some(oid) => of_built_in((PG_PROC, oid), "function", r.name.last(), text, cx)?,
            None => routine::comment(*kind, r, text, cx)?,
        },
        Object::Aggregate(r) if built_in_aggregate(r, cx)?.is_some() => {
            let oid = built_in_aggregate(r, cx)?.unwrap_or_default();
            of_built_in((PG_PROC, oid), "aggregate", r.name.last(), text, cx)?
        }
        Object::Operator(o) => on_operator(o, text, cx)?,
        Object::Cast(from, to) => on_cast(from, to, text, cx)?,
        Object::Named(ObjectKind::Role, n) => on_role(&one_name(&n.parts)?, text, cx)?,
        Object::Named(ObjectKind::Statistics, n) => {
            let e = extended::open(&n.parts, cx)?;
            keep((PG_STATISTIC_EXT, e.oid), cx.database(), text, cx)?
        }
        Object::Named(
            kind @ (ObjectKind::Collation | ObjectKind::Language | ObjectKind::AccessMethod | ObjectKind::Tablespace),
            n,
        ) => on_fixed(*kind, &n.parts, text, cx)?,
        Object::On { kind: ObjectKind::Rule, name, of, .. } => super::rule::comment(name, &of.parts, text, cx)?,
        Object::On { kind: ObjectKind::Policy, name, of, .. } => super::policy::comment(name, &of.parts, text, cx)?,
        Object::Aggregate(r) => routine::comment(ObjectKind::Aggregate, r, text, cx)?,
        Object::On { kind: ObjectKind::Constraint, name, of, domain: false } => {
            on_constraint(name, &of.parts, text, cx)?
        }
        Object::On { kind: ObjectKind::Constraint, name, of, domain: true } => {
            super::domain::comment(name, of, text, cx)?
        }
        Object::On { kind: ObjectKind::Trigger, name, of, .. } => super::trigger::comment(name, of, text, cx)?,
        Object::LargeObject(v) => super::large_object::comment(v, text, cx)?,
        Object::Type(kind, t) => super::types::comment(*kind, t, text, cx)?,
        Object::Named(kind, n) if text_search::what(*kind).is_some() => {
            let what = text_search::what(*kind).unwrap_or(What::Config);
            text_search::comment(what, &n.parts, text, cx)?
        }
        other => return Err(Error::unsupported(format!("COMMENT ON {}", other.kind().words()))),
    }
    Ok("COMMENT")
}
fn on_column(name: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let (column, table) = match name.split_last() {
        Some((c, t)) if !t.is_empty() => (c, t),
        _ => bail!(SYNTAX_ERROR, "column name must be qualified"),
    };
    let t = match cx.resolve(table)? {
        Some(Relation::Table(v)) if v.view.is_some() => {
            cx.check_owner(v.owner, v.word(), &v.name)?;
            cx.lock_table(v.oid, TableLock::ShareUpdateExclusive)?
        }
        None if types::comment_attribute(table, column, &text, cx)? => return Ok(()),
        _ => cx.open_table(table, TableLock::ShareUpdateExclusive)?,
    };
    let mut t = (*t).clone();
    let a = t.column_by_name(column).map(|c| c.attnum);
    match a.and_then(|a| column::column_mut(&mut t, a)) {
        Some(c) => c.comment = text,
        None => bail!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{}\" does not exist", t.name),
    }
    cx.put_table_same(t)
}
fn relation(kind: ObjectKind, name: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let (schema, n) = cx.split(name)?;
    match (kind, cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n)?) {
        (ObjectKind::Table, Relation::Table(_)) => {
            let t = cx.open_table(name, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.comment = text;
            cx.put_table_same(t)
        }
        (k @ (ObjectKind::View | ObjectKind::MaterializedView), Relation::Table(t))
            if t.view.as_ref().is_some_and(|v| v.materialized == (k == ObjectKind::MaterializedView)) =>
        {
            cx.check_owner(t.owner, t.word(), &n)?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.comment = text;
            cx.put_table_same(t)
        }
        (ObjectKind::MaterializedView, _) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a materialized view"),
        (ObjectKind::View, _) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a view"),
        (ObjectKind::Index, Relation::Index(t, i)) => {
            cx.check_owner(t.owner, "index", &n)?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.indexes.iter_mut().filter(|x| x.oid == i).for_each(|x| x.comment = text.clone());
            cx.put_table_same(t)
        }
        (ObjectKind::Sequence, Relation::Sequence(s)) => {
            cx.check_owner(s.owner, "sequence", &n)?;
            let mut s = (*cx.lock_sequence(s.oid)?).clone();
            s.comment = text;
            cx.put(pamir_catalog::Object::Sequence(Arc::new(s)))
        }
        (ObjectKind::Index, _) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not an index"),
        (ObjectKind::Sequence, _) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a sequence"),
        _ => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table"),
    }
}
fn on_constraint(name: &str, table: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let t = cx.open_table(table, TableLock::ShareUpdateExclusive)?;
    let Some(oid) = super::constraint::by_name(&t, name) else {
        bail!(UNDEFINED_OBJECT, "constraint \"{name}\" for table \"{}\" does not exist", t.name);
    };
    let mut t = (*t).clone();
    t.declared.set_comment(oid, text);
    cx.put_table_same(t)
}

// ---- what has no place of its own ----

/// Says something of an object of a catalog; `database` 0: everywhere.
pub fn keep((class, oid): (Oid, Oid), database: Oid, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let mut c = match cx.lock_object(Kind::Comments, oid, RowLock::Update)? {
        Some(pamir_catalog::Object::Comments(c)) => (*c).clone(),
        _ => Comments { oid, list: Vec::new() },
    };
    let before = c.clone();
    c.set(class, database, text);
    if c == before {
        return Ok(());
    }
    if c.list.is_empty() {
        return cx.remove(Kind::Comments, oid);
    }
    cx.put(pamir_catalog::Object::Comments(Arc::new(c)))
}
/// What was said in a database that goes.
pub fn forget_database(database: Oid, cx: &mut DdlCtx) -> Result<()> {
    let said: Vec<(Oid, Oid)> = cx.catalog.comments_in(database).iter().map(|(oid, c)| (c.class, *oid)).collect();
    said.into_iter().try_for_each(|object| keep(object, database, None, cx))
}
fn of_built_in(
    object: (Oid, Oid),
    word: &str,
    name: Option<&String>,
    text: Option<String>,
    cx: &mut DdlCtx,
) -> Result<()> {
    cx.check_owner(POSTGRES_ROLE, word, name.map_or("", String::as_str))?;
    keep(object, cx.database(), text, cx)
}
/// The types of a routine's inputs; None where there is one that is not known.
fn inputs(r: &RoutineRef, cx: &mut DdlCtx) -> Option<Vec<Oid>> {
    let of = |t: &TypeName, cx: &DdlCtx| bind_type(t, cx.catalog, cx.env.scope()).ok().map(|t| t.oid);
    r.args.as_ref()?.iter().filter(|p| p.mode != ParameterMode::Out).map(|p| of(&p.ty, cx)).collect()
}
fn built_in_name(name: &[String]) -> Option<&str> {
    column::built_in(name)
}
fn built_in_routine(r: &RoutineRef, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    let (Some(name), Some(args)) = (built_in_name(&r.name), inputs(r, cx)) else { return Ok(None) };
    let is = |f: &&func::Function| f.schema == PG_CATALOG && f.name == name && *f.args == *args;
    Ok(func::all_functions().iter().find(is).map(|f| f.oid))
}
fn built_in_aggregate(r: &RoutineRef, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    let (Some(name), Some(args)) = (built_in_name(&r.name), inputs(r, cx)) else { return Ok(None) };
    Ok(func::all_aggregates()
        .iter()
        .find(|f| f.schema == PG_CATALOG && f.name == name && *f.args == *args)
        .map(|f| f.oid))
}
fn on_operator(o: &OperatorRef, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let side = |t: &Option<TypeName>, cx: &DdlCtx| match t {
        Some(t) => bind_type(t, cx.catalog, cx.env.scope()).map(|t| t.oid),
        None => Ok(0),
    };
    let (left, right) = (side(&o.left, cx)?, side(&o.right, cx)?);
    let is = |x: &&func::Operator| {
        x.schema == PG_CATALOG && x.name == o.name.symbol.as_str() && (x.left, x.right) == (left, right)
    };
    let own = o.name.schema.iter().all(|s| s == "pg_catalog");
    let Some(found) = func::all_operators().iter().filter(|_| own).find(is) else {
        return operator::comment(o, text, cx);
    };
    of_built_in((PG_OPERATOR, found.oid), "operator", Some(&o.name.symbol.as_str().to_string()), text, cx)
}
fn on_cast(from: &TypeName, to: &TypeName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let source = bind_type(from, cx.catalog, cx.env.scope())?;
    let target = bind_type(to, cx.catalog, cx.env.scope())?;
    let is = |r: &&Vec<Datum>| matches!(r.as_slice(), [_, Datum::Oid(s), Datum::Oid(t), ..] if *s == source.oid && *t == target.oid);
    let all = read_fixed("pg_catalog", "pg_cast");
    if cx.catalog.cast(cx.database(), source.oid, target.oid).is_some() {
        return operator::comment_cast(from, to, text, cx);
    }
    let Some(Datum::Oid(oid)) = all.iter().find(is).and_then(|r| r.first()) else {
        bail!(
            UNDEFINED_OBJECT,
            "cast from type {} to type {} does not exist",
            type_display(source.base()),
            type_display(target.base())
        );
    };
    // Whoever owns one of the types may speak of it.
    if !cx.who()?.has_role(POSTGRES_ROLE) {
        bail!(
            INSUFFICIENT_PRIVILEGE,
            "must be owner of type {} or type {}",
            type_named(source.oid),
            type_named(target.oid)
        );
    }
    keep((PG_CAST, *oid), cx.database(), text, cx)
}
fn on_role(name: &str, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let Some(r) = cx.catalog.role_by_name(name).cloned() else {
        bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist")
    };
    let user = cx.user()?;
    if r.superuser && !user.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser");
    }
    if !user.createrole && !user.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must have CREATEROLE privilege");
    }
    keep((PG_AUTHID, r.oid), 0, text, cx)
}
/// What never changes and has a name.
fn on_fixed(kind: ObjectKind, name: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let shown = super::cx::shown_name(name);
    let row = |table: &str| {
        let named = |r: &Vec<Datum>| match r.as_slice() {
            [Datum::Oid(o), Datum::Text(n), ..] if **n == *shown => Some(*o),
            _ => None,
        };
        read_fixed("pg_catalog", table).iter().find_map(named)
    };
    let (class, found, word) = match kind {
        ObjectKind::Collation => (PG_COLLATION, built_in_name(name).and_then(collation_named), "collation"),
        ObjectKind::Language => (PG_LANGUAGE, row("pg_language"), "language"),
        ObjectKind::AccessMethod => (PG_AM, row("pg_am"), "access method"),
        _ => (PG_TABLESPACE, row("pg_tablespace"), "tablespace"),
    };
    let Some(oid) = found else {
        let encoding = if kind == ObjectKind::Collation { " for encoding \"UTF8\"" } else { "" };
        bail!(UNDEFINED_OBJECT, "{word} \"{shown}\"{encoding} does not exist");
    };
    cx.check_owner(POSTGRES_ROLE, word, &shown)?;
    let database = if kind == ObjectKind::Tablespace { 0 } else { cx.database() };
    keep((class, oid), database, text, cx)
}
