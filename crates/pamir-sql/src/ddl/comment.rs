//! COMMENT ON.
use super::cx::{ident, one_name};
use super::{DdlCtx, column};
use crate::catalog::{Kind, Object, Relation};
use pamir_txn::{RowLock, TableLock};
use pamir_types::{Error, Result, bail, err};
use sqlparser::ast::{CommentObject, ObjectName};
use std::sync::Arc;

pub fn execute(kind: CommentObject, name: &ObjectName, text: Option<&str>, cx: &mut DdlCtx) -> Result<&'static str> {
    let text = text.filter(|t| !t.is_empty()).map(String::from);
    match kind {
        CommentObject::Table | CommentObject::Index | CommentObject::Sequence => {
            relation(&kind.to_string().to_ascii_lowercase(), name, text, cx)?
        }
        CommentObject::Column => {
            let mut parts = name.0.clone();
            let Some(column) = parts.pop().as_ref().and_then(|p| p.as_ident()).map(ident) else {
                bail!(SYNTAX_ERROR, "column name must be qualified")
            };
            if parts.is_empty() {
                bail!(SYNTAX_ERROR, "column name must be qualified");
            }
            let t = cx.open_table(&ObjectName(parts), TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            let a = t.column_by_name(&column).map(|c| c.attnum);
            match a.and_then(|a| column::column_mut(&mut t, a)) {
                Some(c) => c.comment = text,
                None => {
                    return Err(err!(
                        UNDEFINED_COLUMN,
                        "column \"{column}\" of relation \"{}\" does not exist",
                        t.name
                    ));
                }
            }
            cx.put_table_same(t)?;
        }
        CommentObject::Schema => {
            let n = one_name(name)?;
            let Some(s) = cx.catalog.schema_by_name(cx.database(), &n).cloned() else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
            };
            cx.check_owner(s.owner, "schema", &n)?;
            let mut s = (*cx.lock_schema(s.oid, RowLock::NoKeyUpdate)?).clone();
            s.comment = text;
            cx.put(Object::Schema(Arc::new(s)))?;
        }
        CommentObject::Database => {
            let n = one_name(name)?;
            let Some(d) = cx.catalog.database_by_name(&n).cloned() else {
                bail!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist")
            };
            cx.check_owner(d.owner, "database", &n)?;
            if let Some(Object::Database(d)) = cx.lock_object(Kind::Database, d.oid, RowLock::NoKeyUpdate)? {
                let mut d = (*d).clone();
                d.comment = text;
                cx.put(Object::Database(Arc::new(d)))?;
            }
        }
        other => return Err(Error::unsupported(format!("COMMENT ON {other}"))),
    }
    Ok("COMMENT")
}
fn relation(kind: &str, name: &ObjectName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let (schema, n) = cx.split(name)?;
    match (kind, cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n)?) {
        ("table", Relation::Table(_)) => {
            let t = cx.open_table(name, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.comment = text;
            cx.put_table_same(t)
        }
        ("index", Relation::Index(t, i)) => {
            cx.check_owner(t.owner, "index", &n)?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.indexes.iter_mut().filter(|x| x.oid == i).for_each(|x| x.comment = text.clone());
            cx.put_table_same(t)
        }
        ("sequence", Relation::Sequence(s)) => {
            cx.check_owner(s.owner, "sequence", &n)?;
            let mut s = (*cx.lock_sequence(s.oid)?).clone();
            s.comment = text;
            cx.put(Object::Sequence(Arc::new(s)))
        }
        (kind, _) => bail!(WRONG_OBJECT_TYPE, "\"{n}\" is not {} {kind}", if kind == "index" { "an" } else { "a" }),
    }
}
pub fn on_constraint(name: &str, table: &ObjectName, text: Option<&str>, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = cx.open_table(table, TableLock::ShareUpdateExclusive)?;
    let Some(oid) = super::constraint::by_name(&t, name) else {
        bail!(UNDEFINED_OBJECT, "constraint \"{name}\" for table \"{}\" does not exist", t.name);
    };
    let mut t = (*t).clone();
    t.declared.set_comment(oid, text.filter(|t| !t.is_empty()).map(String::from));
    cx.put_table_same(t)?;
    Ok("COMMENT")
}
