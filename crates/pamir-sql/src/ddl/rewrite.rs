//! Rewriting a table into a new tree: a new primary key, a changed column type, a volatile default, a stored generated column.
//!
//! ```text
//!   old tree --each row: decode, change, encode--> new tree        other indexes: dropped, built again from the new tree
//! ```
//! Without a primary key rows get new hidden ids in their old order: ids are counted per tree.
use super::DdlCtx;
use super::build::{TreeBuilder, build_index, duplicate_error, each_row};
use pamir_catalog::Table;
use pamir_expr::access;
use pamir_txn::TreeId;
use pamir_types::{Datum, Error, Result};

/// Gives `new` a new tree filled from `old`'s rows, and new trees to its other indexes. The primary key of `new` may differ from `old`'s.
/// The caller holds ACCESS EXCLUSIVE and writes `new` afterwards.
pub fn rewrite(
    cx: &mut DdlCtx,
    old: &Table,
    new: &mut Table,
    change: &mut dyn FnMut(&mut DdlCtx, &mut Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let txn = cx.txn;
    new.cache = Default::default();
    new.tree = cx.new_tree(old.schema)?.0;
    let tree = new.tree;
    new.indexes.iter_mut().filter(|i| i.primary).for_each(|i| i.tree = tree);
    let pk = new.primary_key().cloned();
    let mut builder = TreeBuilder::new(txn, TreeId(tree));
    let (mut key, mut value) = (vec![], vec![]);
    let columns = new.columns.len();
    let target: &Table = new;
    each_row(cx, old, &mut |cx, _, row| {
        row.resize(columns, Datum::Null);
        change(cx, row)?;
        let rowid = if pk.is_some() { 0 } else { super::cx::new_rowid(cx.txn, target)? };
        access::row_key(target, row, rowid, &mut key)?;
        access::encode_row(target, row, &mut value)?;
        builder.add(&key, &value)
    })?;
    if let Some(k) = builder.duplicate()? {
        let Some(pk) = &pk else { return Err(Error::internal("two rows with one row id")) };
        let mut found = vec![Datum::Null; columns];
        each_row(cx, old, &mut |cx, _, row| {
            row.resize(columns, Datum::Null);
            change(cx, row)?;
            access::row_key(target, row, 0, &mut key)?;
            if key == k {
                found.clone_from(row);
            }
            Ok(())
        })?;
        return Err(duplicate_error(cx, target, pk, &found)?);
    }
    txn.drop_tree(old.tree())?;
    for i in old.indexes.iter().filter(|i| !i.primary) {
        txn.drop_tree(TreeId(i.tree))?;
    }
    for i in new.indexes.iter_mut().filter(|i| !i.primary) {
        i.tree = cx.new_tree(old.schema)?.0;
    }
    for i in new.indexes.clone().iter().filter(|i| !i.primary) {
        build_index(cx, new, i)?;
    }
    Ok(())
}
