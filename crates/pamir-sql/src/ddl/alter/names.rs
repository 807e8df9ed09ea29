//! Names, schemas and owners of relations.
use super::super::cx::{Name, Space};
use super::super::{DdlCtx, sequence, types, view};
use super::{current, open_any, skip};
use pamir_catalog::{Object, Relation, Sequence, temporary};
use pamir_txn::TableLock;
use pamir_types::{Oid, Result, bail};
use std::sync::Arc;

/// ALTER TABLE / INDEX / SEQUENCE ... RENAME TO, which are particular about a relation's kind only where the caller is.
pub fn rename_relation(name: &[String], to: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let (schema, n) = cx.split(name)?;
    let r = match cx.resolve(name)? {
        Some(r) => r,
        None if if_exists => return skip(name, cx),
        None => cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n)?,
    };
    match r {
        Relation::Table(t) => {
            cx.check_owner(t.owner, t.word(), &t.name)?;
            let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
            types::check_relation_name(t.schema, to, true, cx)?;
            let forms = view::forms_on(&[t.oid], cx)?;
            let mut t = (*t).clone();
            t.name = to.into();
            cx.put_table(t)?;
            view::write_forms(forms, cx)?;
        }
        Relation::Index(t, i) => {
            cx.check_owner(t.owner, "index", &n)?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            types::check_relation_name(t.schema, to, false, cx)?;
            let mut t = (*t).clone();
            t.indexes.iter_mut().filter(|x| x.oid == i).for_each(|x| x.name = to.into());
            cx.put_table(t)?;
        }
        Relation::Sequence(s) => {
            cx.check_owner(s.owner, "sequence", &s.name)?;
            let mut s = (*cx.lock_sequence(s.oid)?).clone();
            types::check_relation_name(s.schema, to, false, cx)?;
            s.name = to.into();
            cx.put(Object::Sequence(Arc::new(s)))?;
        }
        Relation::Virtual(_) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{n}\" is a system catalog"),
    }
    Ok(())
}
/// A table's owner is its sequences' too.
pub fn set_owner(oid: Oid, owner: Oid, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    cx.check_new_owner(owner, Some(t.schema))?;
    t.owner = owner;
    let t = cx.put_table(t)?;
    for s in sequence::owned(cx, &t, None) {
        let s = cx.lock_sequence(s.oid)?;
        cx.put(Object::Sequence(Arc::new(Sequence { owner, ..(*s).clone() })))?;
    }
    Ok(())
}
/// 0A000 into the temporary schema, and out of it.
pub fn check_move(from: Oid, to: Oid) -> Result<()> {
    if from == temporary::SCHEMA || to == temporary::SCHEMA {
        bail!(FEATURE_NOT_SUPPORTED, "cannot move objects into or out of temporary schemas");
    }
    Ok(())
}
/// ALTER TABLE ... SET SCHEMA: the table, its indexes (they live in its schema) and its sequences.
pub fn set_schema(name: &[String], schema: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let Some(oid) = open_any(name, if_exists, false, TableLock::AccessExclusive, cx)? else { return Ok(()) };
    let Some(to) = cx.catalog.schema_of_relations(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    let mut t = current(oid, cx)?;
    check_move(t.schema, to)?;
    cx.use_schema(to, &t.name)?;
    if t.schema == to {
        return Ok(());
    }
    let sequences = sequence::owned(cx, &t, None);
    types::check_move(&Name::relation(to, &t.name), schema, cx)?;
    types::check_move(&Name { space: Space::Type, parent: to, name: t.name.clone() }, schema, cx)?;
    let indexes = t.indexes.iter().map(|i| &i.name);
    for name in indexes.chain(sequences.iter().map(|s| &s.name)) {
        types::check_move(&Name::relation(to, name), schema, cx)?;
    }
    let forms = view::forms_on(&[t.oid], cx)?;
    t.schema = to;
    cx.put_table(t)?;
    view::write_forms(forms, cx)?;
    for s in sequences {
        let s = cx.lock_sequence(s.oid)?;
        cx.put(Object::Sequence(Arc::new(Sequence { schema: to, ..(*s).clone() })))?;
    }
    Ok(())
}
