//! TRUNCATE: new empty trees in place of the old ones, which live on until no snapshot can read them.
use super::{DdlCtx, sequence};
use pamir_catalog::{Object, Table, acl};
use pamir_parse::tree::{DropBehavior, Truncate};
use pamir_txn::{TableLock, TreeId};
use pamir_types::{Oid, Result, bail, err};
use std::sync::Arc;

fn check(t: &Table, cx: &DdlCtx) -> Result<()> {
    if cx.who()?.on_table(cx.catalog, t, acl::TRUNCATE) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for table {}", t.name);
    }
    Ok(())
}
/// The tables that a statement empties, locked and seen to be fit for it.
pub fn tables(statement: &Truncate, cx: &mut DdlCtx) -> Result<Vec<Arc<Table>>> {
    let cascade = statement.behavior == DropBehavior::Cascade;
    let mut tables: Vec<Arc<Table>> = vec![];
    for n in &statement.tables {
        let (schema, name) = cx.split(&n.parts)?;
        let table = cx.catalog.resolve_table(cx.env.scope(), schema.as_deref(), &name)?;
        check(&table, cx)?;
        let table = cx.lock_table(table.oid, TableLock::AccessExclusive)?;
        let family = if n.only { Vec::new() } else { cx.catalog.descendants(&table) };
        if !tables.iter().any(|x| x.oid == table.oid) {
            tables.push(table);
        }
        // Nobody asks for a privilege on children.
        for t in family {
            if !tables.iter().any(|x| x.oid == t.oid) {
                tables.push(cx.lock_table(t.oid, TableLock::AccessExclusive)?);
            }
        }
    }
    // Tables that refer to the truncated ones must be truncated too.
    let mut i = 0;
    while let Some(table) = tables.get(i).cloned() {
        i += 1;
        let above = cx.catalog.partition_ancestors(&table);
        for (child, _) in table.referenced_by.iter().chain(above.iter().flat_map(|p| &p.referenced_by)) {
            if tables.iter().any(|x| x.oid == *child) {
                continue;
            }
            let child = cx.catalog.table(*child).cloned();
            let Some(child) = child else { continue };
            if !cascade {
                return Err(err!(
                    FEATURE_NOT_SUPPORTED,
                    "cannot truncate a table referenced in a foreign key constraint"
                )
                .detail(format!("Table \"{}\" references \"{}\".", child.name, table.name))
                .hint(format!("Truncate table \"{}\" at the same time, or use TRUNCATE ... CASCADE.", child.name)));
            }
            let shown = cx.shown(child.oid);
            cx.notice(
                pamir_types::error::state::SUCCESSFUL_COMPLETION,
                format!("truncate cascades to table \"{shown}\""),
            );
            check(&child, cx)?;
            tables.push(cx.lock_table(child.oid, TableLock::AccessExclusive)?);
        }
    }
    for t in &tables {
        cx.check_idle(t, "TRUNCATE")?;
    }
    Ok(tables)
}
/// Empties locked tables.
pub fn empty(statement: &Truncate, tables: &[Oid], cx: &mut DdlCtx) -> Result<&'static str> {
    for oid in tables {
        // The newest: truncating one table may have changed another's entry.
        let Some(t) = cx.catalog.table(*oid).cloned() else { continue };
        let mut new = (*t).clone();
        cx.txn.drop_tree(t.tree())?;
        new.tree = cx.new_tree(t.schema)?.0;
        let tree = new.tree;
        for i in &mut new.indexes {
            if i.primary {
                i.tree = tree;
            } else {
                cx.txn.drop_tree(TreeId(i.tree))?;
                i.tree = cx.new_tree(t.schema)?.0;
            }
        }
        new.stats = None;
        cx.put_table(new)?;
        if statement.restart_identity {
            for s in sequence::owned(cx, &t, None) {
                let mut s = (*cx.lock_sequence(s.oid)?).clone();
                sequence::restart(&mut s, None, cx)?;
                cx.put(Object::Sequence(Arc::new(s)))?;
            }
        }
    }
    Ok("TRUNCATE TABLE")
}
