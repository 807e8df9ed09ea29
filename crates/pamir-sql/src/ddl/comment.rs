//! COMMENT ON, and SECURITY LABEL, for which there are no providers.
use super::cx::one_name;
use super::{DdlCtx, column, routine};
use pamir_catalog::{self, Kind, Relation};
use pamir_parse::tree::{Comment, Object, ObjectKind};
use pamir_txn::{RowLock, TableLock};
use pamir_types::error::Severity;
use pamir_types::{Error, Result, bail, err};
use std::sync::Arc;

pub fn execute(c: &Comment, cx: &mut DdlCtx) -> Result<&'static str> {
    // Who would give labels a meaning is loaded by the server.
    match &c.label {
        None => {}
        Some(None) => bail!(INVALID_PARAMETER_VALUE, "no security label providers have been loaded"),
        Some(Some(p)) => bail!(INVALID_PARAMETER_VALUE, "security label provider \"{p}\" is not loaded"),
    }
    let text = c.text.clone().filter(|t| !t.is_empty());
    match &c.on {
        Object::Named(kind @ (ObjectKind::Table | ObjectKind::View | ObjectKind::Index | ObjectKind::Sequence), n) => {
            relation(*kind, &n.parts, text, cx)?
        }
        Object::Named(ObjectKind::Column, n) => on_column(&n.parts, text, cx)?,
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
        Object::Routine(kind, r) => routine::comment(*kind, r, text, cx)?,
        Object::On { kind: ObjectKind::Constraint, name, of, domain: false } => {
            on_constraint(name, &of.parts, text, cx)?
        }
        Object::On { kind: ObjectKind::Constraint, name, of, domain: true } => {
            super::domain::comment(name, of, text, cx)?
        }
        Object::Type(kind, t) => super::types::comment(*kind, t, text, cx)?,
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
        (ObjectKind::View, Relation::Table(t)) if t.plain_view().is_some() => {
            cx.check_owner(t.owner, "view", &n)?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.comment = text;
            cx.put_table_same(t)
        }
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
