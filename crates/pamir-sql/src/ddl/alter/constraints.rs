//! ADD, DROP, RENAME and VALIDATE CONSTRAINT.
use super::super::build::is_empty;
use super::super::constraint::{CheckSpec, FkSpec, KeySpec};
use super::super::rewrite::rewrite;
use super::super::{DdlCtx, build, column, constraint, exclude, remove};
use super::current;
use pamir_catalog::Table;
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_parse::tree::{ConstraintAttributes, KeyOf, TableConstraint, TableConstraintKind};
use pamir_txn::{TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::key::KeyOrder;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

pub fn add(oid: Oid, c: &TableConstraint, cx: &mut DdlCtx) -> Result<()> {
    if let TableConstraintKind::PrimaryKey(of) | TableConstraintKind::Unique { key: of, .. } = &c.kind
        && let KeyOf::Index(index) = of
    {
        return add_using_index(oid, c, index, cx);
    }
    let mut p = column::Pending::default();
    constraint::collect(c, false, &mut p, cx)?;
    for k in &p.keys {
        add_key(oid, k, cx)?;
    }
    for c in &p.excludes {
        add_exclusion(oid, c, cx)?;
    }
    for c in &p.checks {
        add_check(oid, c, cx)?;
    }
    for f in &p.foreign_keys {
        add_foreign_key(oid, f, cx)?;
    }
    Ok(())
}
pub fn add_check(oid: Oid, c: &CheckSpec, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let check = cx.without_places(|cx| constraint::add_check(&mut t, c, cx))?;
    let t = cx.put_table(t)?;
    if check.not_valid { Ok(()) } else { constraint::validate_check(cx, &t, &check) }
}
pub fn add_foreign_key(oid: Oid, f: &FkSpec, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let fk = constraint::add_foreign_key(&mut t, f, cx)?;
    let t = cx.put_table(t)?;
    if fk.not_valid { Ok(()) } else { constraint::validate_foreign_key(cx, &t, &fk) }
}
/// A primary key clusters the table: its rows move into a tree ordered by it. A unique key gets a tree of its own.
pub fn add_key(oid: Oid, k: &KeySpec, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let mut t = old.clone();
    let was_nullable: Vec<i16> =
        k.columns.iter().filter_map(|n| old.column_by_name(n)).filter(|c| !c.not_null).map(|c| c.attnum).collect();
    let index = constraint::add_key(&mut t, k, cx)?;
    let not_null = || if was_nullable.is_empty() { None } else { Some(&was_nullable) };
    if index.primary {
        if is_empty(cx, &old)? {
            t.cache = Default::default();
        } else {
            if let Some(open) = not_null() {
                constraint::validate_not_null(cx, &old, open)?;
            }
            rewrite(cx, &old, &mut t, &mut |_, _| Ok(()))?;
        }
    } else {
        if let Some(open) = not_null().filter(|_| k.primary) {
            constraint::validate_not_null(cx, &old, open)?;
        }
        t.cache = Default::default();
        build::build_index(cx, &t, &index)?;
    }
    cx.put_table(t)?;
    Ok(())
}
fn add_exclusion(oid: Oid, c: &TableConstraint, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let index = exclude::add(&mut t, c, cx)?;
    build::build_index(cx, &t, &index)?;
    cx.put_table(t)?;
    Ok(())
}
/// An index that stands becomes a constraint's.
fn add_using_index(oid: Oid, c: &TableConstraint, index: &str, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let primary = matches!(c.kind, TableConstraintKind::PrimaryKey(_));
    let wrong = |e: Error, cx: &DdlCtx| Err(cx.place(e, c.at));
    let Some(i) = old.indexes.iter().find(|i| i.name == index).cloned() else {
        return wrong(err!(UNDEFINED_OBJECT, "index \"{index}\" does not exist"), cx);
    };
    if i.constraint {
        let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "index \"{index}\" is already associated with a constraint");
        return wrong(e, cx);
    }
    if !old.is_readable(&i) {
        return wrong(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "index \"{index}\" is not valid"), cx);
    }
    let columns = constraint::plain_columns(&i);
    let (true, None, Some(columns)) = (i.unique, &i.predicate, &columns) else {
        let e = if !i.unique {
            err!(WRONG_OBJECT_TYPE, "\"{index}\" is not a unique index")
        } else if columns.is_none() {
            err!(WRONG_OBJECT_TYPE, "index \"{index}\" contains expressions")
        } else {
            err!(WRONG_OBJECT_TYPE, "\"{index}\" is a partial index")
        };
        return wrong(e.detail("Cannot create a primary key or unique constraint using such an index."), cx);
    };
    if let Some(n) = i.columns.iter().position(|(_, o)| *o != KeyOrder::ASC) {
        let n = n + 1;
        let e = err!(WRONG_OBJECT_TYPE, "index \"{index}\" column number {n} does not have default sorting behavior");
        return wrong(e.detail("Cannot create a primary key or unique constraint using such an index."), cx);
    }
    let name = c.name.clone().unwrap_or_else(|| index.to_string());
    if name != index {
        cx.notice(
            state::SUCCESSFUL_COMPLETION,
            format!("ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index \"{index}\" to \"{name}\""),
        );
    }
    let mut t = old.clone();
    if !primary && !c.attributes.deferrable {
        for x in t.indexes.iter_mut().filter(|x| x.oid == i.oid) {
            x.constraint = true;
            x.name = name.clone();
        }
        cx.put_table(t)?;
        return Ok(());
    }
    // The clustered tree, or that of a deferrable key, replaces the index's own.
    t.indexes.retain(|x| x.oid != i.oid);
    cx.txn.drop_tree(TreeId(i.tree))?;
    cx.put_table(t.clone())?;
    let names = |v: &[i16]| v.iter().filter_map(|a| old.column(*a)).map(|c| c.name.clone()).collect::<Vec<_>>();
    let mut spec = KeySpec::new(Some(name), primary, names(columns), c.at);
    spec.include = names(&i.include);
    spec.nulls_not_distinct = i.nulls_not_distinct;
    spec.checked(c.attributes);
    add_key(oid, &spec, cx)
}
pub fn drop(oid: Oid, name: &str, if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    let of_check = || t.checks.iter().find(|c| c.name == name).map(|c| c.oid);
    let of_reference = || t.foreign_keys.iter().find(|f| f.name == name).map(|f| f.oid);
    if let Some(c) = of_check().or_else(of_reference) {
        return take(oid, c, cx);
    }
    let Some(i) = t.indexes.iter().find(|i| i.constraint && i.name == name) else {
        let e = err!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name);
        if !if_exists {
            return Err(e);
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
        return Ok(());
    };
    super::super::fall::drop(&[ObjectRef::new(Class::Constraint, i.oid)], cascade, false, cx)
}
/// Takes a constraint from a table.
pub fn take(oid: Oid, constraint: Oid, cx: &mut DdlCtx) -> Result<()> {
    cx.lock_table(oid, TableLock::AccessExclusive)?;
    let old = current(oid, cx)?;
    if old.checks.iter().any(|c| c.oid == constraint) {
        let mut t = old;
        t.checks.retain(|c| c.oid != constraint);
        return cx.put_table(t).map(|_| ());
    }
    if old.foreign_keys.iter().any(|f| f.oid == constraint) {
        return remove::drop_foreign_key(oid, constraint, cx);
    }
    let Some(i) = old.index(constraint).filter(|i| i.constraint) else { return Ok(()) };
    cx.check_idle(&old, "ALTER TABLE")?;
    let mut new = old.clone();
    new.indexes.retain(|x| x.oid != constraint);
    if !i.primary {
        cx.txn.drop_tree(TreeId(i.tree))?;
    } else if !is_empty(cx, &old)? {
        rewrite(cx, &old, &mut new, &mut |_, _| Ok(()))?;
    }
    cx.put_table(new)?;
    Ok(())
}
pub fn rename(oid: Oid, old: &str, new: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    // The index has the constraint's name.
    if t.indexes.iter().any(|i| i.constraint && i.name == old) {
        super::super::types::check_relation_name(t.schema, new, false, cx)?;
    }
    if !constraint::exists(&t, old) {
        bail!(UNDEFINED_OBJECT, "constraint \"{old}\" for table \"{}\" does not exist", t.name);
    }
    if constraint::exists(&t, new) {
        bail!(DUPLICATE_OBJECT, "constraint \"{new}\" for relation \"{}\" already exists", t.name);
    }
    t.checks.iter_mut().filter(|c| c.name == old).for_each(|c| c.name = new.into());
    t.foreign_keys.iter_mut().filter(|c| c.name == old).for_each(|c| c.name = new.into());
    t.indexes.iter_mut().filter(|c| c.constraint && c.name == old).for_each(|c| c.name = new.into());
    cx.put_table(t)?;
    Ok(())
}
/// ALTER CONSTRAINT: when a foreign key is checked.
pub fn alter(oid: Oid, name: &str, to: ConstraintAttributes, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    if !constraint::exists(&t, name) {
        bail!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name);
    }
    let Some(f) = t.foreign_keys.iter().find(|f| f.name == name).map(|f| f.oid) else {
        bail!(WRONG_OBJECT_TYPE, "constraint \"{name}\" of relation \"{}\" is not a foreign key constraint", t.name);
    };
    if let Some(from) = t.foreign_key_parent(f) {
        let of =
            |p: &Arc<Table>| p.foreign_keys.iter().find(|k| k.oid == from).map(|k| (k.name.clone(), p.name.clone()));
        let e = err!(INTERNAL_ERROR, "cannot alter constraint \"{name}\" on relation \"{}\"", t.name);
        let Some((origin, table)) = cx.catalog.partition_ancestors(&t).iter().find_map(of) else { return Err(e) };
        let detail = format!("Constraint \"{name}\" is derived from constraint \"{origin}\" of relation \"{table}\".");
        return Err(e.detail(detail).hint("You may alter the constraint it derives from, instead."));
    }
    set_deferrable(t, f, to, cx)
}
/// The partitions' copies of a foreign key are checked when it is.
fn set_deferrable(mut t: Table, key: Oid, to: ConstraintAttributes, cx: &mut DdlCtx) -> Result<()> {
    let parts = t.children().to_vec();
    let Some(f) = t.foreign_keys.iter_mut().find(|f| f.oid == key) else { return Ok(()) };
    if (f.deferrable, f.initially_deferred) != (to.deferrable, to.initially_deferred) {
        (f.deferrable, f.initially_deferred) = (to.deferrable, to.initially_deferred);
        cx.put_table(t)?;
    }
    for part in parts {
        let p = current(part, cx)?;
        let copy = p.foreign_keys.iter().map(|f| f.oid).find(|f| p.foreign_key_parent(*f) == Some(key));
        if let Some(copy) = copy {
            set_deferrable(p, copy, to, cx)?;
        }
    }
    Ok(())
}
pub fn validate(oid: Oid, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    if let Some(c) = t.checks.iter().find(|c| c.name == name).cloned() {
        if c.not_valid {
            constraint::validate_check(cx, &t, &c)?;
            t.checks.iter_mut().filter(|x| x.oid == c.oid).for_each(|x| x.not_valid = false);
            cx.put_table(t)?;
        }
        return Ok(());
    }
    if let Some(f) = t.foreign_keys.iter().find(|c| c.name == name).cloned() {
        if f.not_valid {
            constraint::validate_foreign_key(cx, &t, &f)?;
            t.foreign_keys.iter_mut().filter(|x| x.oid == f.oid).for_each(|x| x.not_valid = false);
            cx.put_table(t)?;
        }
        return Ok(());
    }
    if constraint::exists(&t, name) {
        bail!(
            WRONG_OBJECT_TYPE,
            "constraint \"{name}\" of relation \"{}\" is not a foreign key or check constraint",
            t.name
        );
    }
    bail!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name)
}
