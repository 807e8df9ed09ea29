//! The changes of the catalog that CREATE INDEX, REINDEX and DROP INDEX CONCURRENTLY are made of. The session commits each and waits between them
//! (`session/online.rs` has the picture); all ask for SHARE UPDATE EXCLUSIVE, which keeps other definitions out and lets rows be read and written.
//!
//! An index is in one of three states: *whole* (read and written), *invalid* (written, not read) and gone (its tree is left, in [`Online::freeing`]). Each step goes to
//! a neighbouring state, so that two sessions that are one version of the catalog apart agree: who writes by the older one keeps what is read by the newer one.
//!
//! [`Online::freeing`]: pamir_catalog::declared::Online::freeing
use super::index::{check_options, make, reindexed};
use super::{DdlCtx, fall, remove};
use pamir_catalog::depend::ObjectRef;
use pamir_catalog::{Kind, Object, Table};
use pamir_parse::tree::{self, CreateIndex, DropBehavior, Reindex};
use pamir_txn::{RowLock, TableLock, TreeId};
use pamir_types::error::{Severity, state};
use pamir_types::{Error, Oid, Result, bail};
use std::sync::Arc;

/// What a build's index and the one that it replaces are called meanwhile (PostgreSQL's).
const NEW: &str = "ccnew";
const OLD: &str = "ccold";

/// A table and its indexes that are to be filled or to go.
#[derive(Debug)]
pub struct Of {
    pub table: Oid,
    pub indexes: Vec<Oid>,
}
/// An index that is built to replace another one.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub old: Oid,
    pub new: Oid,
}

/// The table as it is now, held against other definitions until this transaction ends.
fn held(table: Oid, cx: &mut DdlCtx) -> Result<Option<Arc<Table>>> {
    if cx.lock_table_if_exists(table, TableLock::ShareUpdateExclusive)?.is_none() {
        return Ok(None);
    }
    match cx.lock_object(Kind::Table, table, RowLock::Update)? {
        Some(Object::Table(t)) => Ok(Some(t)),
        _ => Ok(None),
    }
}
/// An empty, invalid index. None: there is nothing to wait for.
pub fn create(c: &CreateIndex, cx: &mut DdlCtx) -> Result<Option<Of>> {
    Ok(make(c, true, cx)?.map(|(table, index)| Of { table, indexes: vec![index] }))
}
/// Filled indexes become whole, for snapshots from `since` on.
pub fn complete(of: &Of, since: u64, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = held(of.table, cx)? else { return Ok(()) };
    let mut t = (*t).clone();
    t.change_online(|o| {
        o.invalid.retain(|i| !of.indexes.contains(i));
        o.whole_since.extend(of.indexes.iter().map(|i| (*i, since)));
    });
    cx.put_table(t).map(|_| ())
}
/// The indexes that are to be built anew, each beside the old one, empty and invalid. None: the table is gone, or has none.
pub fn rebuild(table: Oid, only: Option<Oid>, cx: &mut DdlCtx) -> Result<Option<Vec<Pair>>> {
    let Some(t) = held(table, cx)? else { return Ok(None) };
    if t.is_partitioned() || t.is_temporary() {
        return Ok(None);
    }
    let (mut new, mut pairs) = ((*t).clone(), Vec::new());
    for i in t.indexes.iter().filter(|i| !i.primary && only.is_none_or(|o| o == i.oid)) {
        let shown = || format!("{}.{}", cx.catalog.schema(t.schema).map_or("", |s| s.name.as_str()), i.name);
        if i.excludes.is_some() {
            let e = format!("cannot reindex exclusion constraint index \"{}\" concurrently, skipping", shown());
            cx.env.notice(Error::new(state::FEATURE_NOT_SUPPORTED, e).severity(Severity::Warning));
            continue;
        }
        if only.is_none() && !t.is_readable(i) {
            let e = format!("cannot reindex invalid index \"{}\" concurrently, skipping", shown());
            cx.env.notice(Error::new(state::INDEX_CORRUPTED, e).severity(Severity::Warning));
            continue;
        }
        let mut copy = i.clone();
        copy.oid = cx.new_oid_in(t.schema)?;
        copy.tree = cx.new_tree(t.schema)?.0;
        copy.name = free_name(&i.name, NEW, &new, cx)?;
        (copy.constraint, copy.comment, copy.usage) = (false, None, Default::default());
        let oid = copy.oid;
        let d = &mut new.declared;
        d.classes.extend(t.declared.classes.iter().filter(|c| c.0 == i.oid).map(|c| (oid, c.1, c.2)));
        let collated = t.declared.index_collations.iter().filter(|c| c.0 == i.oid);
        d.index_collations.extend(collated.map(|c| (oid, c.1, c.2)));
        new.indexes.push(copy);
        new.change_online(|o| o.invalid.push(oid));
        pairs.push(Pair { old: i.oid, new: oid });
    }
    if pairs.is_empty() {
        return Ok(None);
    }
    cx.put_table(new)?;
    Ok(Some(pairs))
}
/// A name for an index that stands in for `name`.
fn free_name(name: &str, what: &str, t: &Table, cx: &mut DdlCtx) -> Result<String> {
    for n in 0..=t.indexes.len() + 1 {
        let tail = if n == 0 { String::new() } else { n.to_string() };
        let name =
            pamir_catalog::choose_name(name, None, &format!("{what}{tail}"), |n| t.indexes.iter().any(|i| i.name == n));
        if !cx.name_taken(&super::cx::Name::relation(t.schema, &name))? {
            return Ok(name);
        }
    }
    bail!(DUPLICATE_TABLE, "relation \"{name}\" already exists")
}
/// The old indexes take the new ones' trees, whole for snapshots from `since` on; the new ones theirs, invalid.
pub fn swap(table: Oid, pairs: &[Pair], since: u64, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = held(table, cx)? else { return Ok(()) };
    let mut t = (*t).clone();
    for p in pairs {
        let at = |o: Oid| t.indexes.iter().position(|i| i.oid == o);
        let (Some(old), Some(new)) = (at(p.old), at(p.new)) else { continue };
        let name = free_name(&t.indexes[old].name, OLD, &t, cx)?;
        let trees = (t.indexes[old].tree, t.indexes[new].tree);
        (t.indexes[old].tree, t.indexes[new].tree) = (trees.1, trees.0);
        t.indexes[new].name = name;
    }
    t.change_online(|o| {
        let of = |i: Oid| pairs.iter().any(|p| p.old == i);
        o.invalid.retain(|i| !of(*i));
        o.whole_since.retain(|i| !of(i.0));
        o.whole_since.extend(pairs.iter().map(|p| (p.old, since)));
    });
    cx.put_table(t).map(|_| ())
}
/// The index that is to go becomes invalid. Nothing inside: there is none, which was said. None: it goes as others do.
pub fn drop(d: &tree::Drop, cx: &mut DdlCtx) -> Result<Option<Option<Of>>> {
    let [object] = d.objects.as_slice() else { return Ok(None) };
    let tree::Object::Named(_, n) = object else { return Ok(None) };
    if matches!(d.behavior, DropBehavior::Cascade) {
        return Ok(None);
    }
    let Some((t, index)) = remove::droppable(&n.parts, d.if_exists, true, TableLock::ShareUpdateExclusive, cx)? else {
        return Ok(Some(None));
    };
    // What needs it is told as always.
    let needed = |(child, key): &(Oid, Oid)| {
        let child = cx.catalog.table(*child);
        child.is_some_and(|c| c.foreign_keys.iter().any(|f| f.oid == *key && f.ref_index == index))
    };
    if t.is_temporary() || t.referenced_by.iter().any(needed) {
        return Ok(None);
    }
    let Some(t) = held(t.oid, cx)? else { return Ok(Some(None)) };
    let mut new = (*t).clone();
    new.change_online(|o| {
        if !o.invalid.contains(&index) {
            o.invalid.push(index);
        }
    });
    cx.put_table(new)?;
    Ok(Some(Some(Of { table: t.oid, indexes: vec![index] })))
}
/// Invalid indexes leave the catalog; their trees stay for those who write by the version before.
pub fn take_out(of: &Of, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = held(of.table, cx)? else { return Ok(()) };
    let mut new = (*t).clone();
    let trees: Vec<_> = of.indexes.iter().filter_map(|i| t.index(*i)).map(|i| i.tree).collect();
    new.change_online(|o| o.freeing.extend(trees));
    cx.put_table(new)?;
    let all: Vec<ObjectRef> = of.indexes.iter().map(|i| ObjectRef::relation(*i)).collect();
    fall::drop(&all, false, false, cx)
}
/// Frees the trees of indexes that are gone.
pub fn free(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = held(table, cx)? else { return Ok(()) };
    let mut new = (*t).clone();
    for tree in t.declared.online.iter().flat_map(|o| &o.freeing) {
        cx.txn.drop_tree(TreeId(*tree))?;
    }
    new.change_online(|o| o.freeing.clear());
    cx.put_table(new).map(|_| ())
}
/// What REINDEX CONCURRENTLY means: tables, of one an index; partitions for their table.
pub fn targets(r: &Reindex, cx: &mut DdlCtx) -> Result<Vec<(Oid, Option<Oid>)>> {
    check_options(r, cx)?;
    let mut out = Vec::new();
    for (table, only) in reindexed(r, TableLock::ShareUpdateExclusive, cx)? {
        let Some(t) = cx.catalog.table(table).cloned() else { continue };
        if !t.is_partitioned() {
            out.push((table, only));
            continue;
        }
        for below in cx.catalog.descendants(&t) {
            let part = |i: Oid| below.indexes.iter().find(|x| is_part(&below, x.oid, i, cx)).map(|x| x.oid);
            match only {
                None => out.push((below.oid, None)),
                Some(i) => out.extend(part(i).map(|x| (below.oid, Some(x)))),
            }
        }
    }
    out.dedup();
    Ok(out)
}
/// Does an index of a partition belong to `of`, at whatever level?
fn is_part(t: &Table, index: Oid, of: Oid, cx: &DdlCtx) -> bool {
    let mut above = t.index_parent(index);
    while let Some(i) = above {
        if i == of {
            return true;
        }
        above = cx.catalog.index_table(i).and_then(|p| p.index_parent(i));
    }
    false
}
