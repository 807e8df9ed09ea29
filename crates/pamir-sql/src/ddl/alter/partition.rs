//! ATTACH and DETACH PARTITION, of tables and of indexes; foreign keys that partitions have of their parent.
use super::super::{DdlCtx, inherit, partition, remove, trigger};
use super::current;
use pamir_catalog::partition::places;
use pamir_catalog::{ForeignKey, Table};
use pamir_parse::tree::{self, PartitionBound};
use pamir_txn::TableLock;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

pub fn attach(oid: Oid, name: &tree::Relation, bound: &PartitionBound, cx: &mut DdlCtx) -> Result<()> {
    let p = current(oid, cx)?;
    if !p.is_partitioned() {
        bail!(WRONG_OBJECT_TYPE, "table \"{}\" is not partitioned", p.name);
    }
    let t = cx.open_stored(&name.parts, TableLock::AccessExclusive)?;
    cx.check_idle(&t, "ALTER TABLE")?;
    attachable(&p, &t, cx)?;
    let new = partition::bound(&p, bound, cx)?;
    partition::check_free(&p, &t.name, &new, bound, cx)?;
    partition::check_default_against(&p, &new, cx)?;
    let family = cx.catalog.descendants(&t);
    for d in &family {
        cx.lock_table(d.oid, TableLock::AccessExclusive)?;
    }
    let mut t = (*t).clone();
    super::family::match_parent(&p, &mut t)?;
    t.change_family(|f| f.parents.push(p.oid));
    t.change_partition(|x| x.bound = Some(new));
    let child = cx.put_table(t)?;
    inherit::add_child(p.oid, child.oid, cx)?;
    partition::validate(&child, cx)?;
    partition::give_all(p.oid, child.oid, cx)
}
/// What may become a partition.
fn attachable(p: &Table, t: &Table, cx: &DdlCtx) -> Result<()> {
    let name = &t.name;
    if t.view.is_some() {
        bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a table");
    }
    if t.bound().is_some() {
        bail!(WRONG_OBJECT_TYPE, "\"{name}\" is already a partition");
    }
    if t.of_type().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot attach a typed table as partition");
    }
    if !t.parents().is_empty() {
        bail!(WRONG_OBJECT_TYPE, "cannot attach inheritance child as partition");
    }
    if !t.is_partitioned() && !t.children().is_empty() {
        bail!(WRONG_OBJECT_TYPE, "cannot attach inheritance parent as partition");
    }
    if t.oid == p.oid || cx.catalog.descendants(t).iter().any(|d| d.oid == p.oid) {
        let e = err!(DUPLICATE_TABLE, "circular inheritance not allowed");
        return Err(e.detail(format!("\"{}\" is already a child of \"{name}\".", p.name)));
    }
    match (p.is_temporary(), t.is_temporary()) {
        (true, false) => bail!(
            WRONG_OBJECT_TYPE,
            "cannot attach a permanent relation as partition of temporary relation \"{}\"",
            p.name
        ),
        (false, true) => bail!(
            WRONG_OBJECT_TYPE,
            "cannot attach a temporary relation as partition of permanent relation \"{}\"",
            p.name
        ),
        _ => {}
    }
    for c in t.live_columns() {
        if p.column_by_name(&c.name).is_none() {
            let e = err!(
                DATATYPE_MISMATCH,
                "table \"{name}\" contains column \"{}\" not found in parent \"{}\"",
                c.name,
                p.name
            );
            return Err(e.detail("The new partition may contain only the columns present in parent."));
        }
    }
    let transitions =
        |g: &&Arc<pamir_catalog::trigger::Trigger>| g.each_row && (g.old_table.is_some() || g.new_table.is_some());
    if let Some(g) = t.all_triggers().iter().find(transitions) {
        let e = format!("trigger \"{}\" prevents table \"{name}\" from becoming a partition", g.name);
        let e = Error::new(pamir_types::error::state::OBJECT_NOT_IN_PREREQUISITE_STATE, e);
        return Err(e.detail("ROW triggers with transition tables are not supported on partitions."));
    }
    Ok(())
}
pub fn detach(oid: Oid, name: &tree::Relation, online: bool, cx: &mut DdlCtx) -> Result<()> {
    let p = current(oid, cx)?;
    if !p.is_partitioned() {
        bail!(WRONG_OBJECT_TYPE, "table \"{}\" is not partitioned", p.name);
    }
    if online && cx.catalog.default_partition(&p).is_some() {
        let e = "cannot detach partitions concurrently when a default partition exists";
        return Err(Error::new(pamir_types::error::state::OBJECT_NOT_IN_PREREQUISITE_STATE, e));
    }
    let (schema, n) = cx.split(&name.parts)?;
    let t = cx.catalog.resolve_table(cx.env.scope(), schema.as_deref(), &n)?;
    let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
    if t.bound().is_none() || !t.parents().contains(&p.oid) {
        bail!(UNDEFINED_TABLE, "relation \"{}\" is not a partition of relation \"{}\"", t.name, p.name);
    }
    let referenced = !p.referenced_by.is_empty() || cx.catalog.is_referenced(&p);
    if referenced {
        let all: Vec<Arc<Table>> = [t.clone()].into_iter().chain(cx.catalog.descendants(&t)).collect();
        for x in &all {
            if !super::super::build::is_empty(cx, x)? {
                return Err(Error::unsupported("DETACH of a partition with rows that foreign keys may refer to"));
            }
        }
    }
    let given: Vec<_> = t.all_triggers().iter().filter(|g| t.trigger_parent(g.oid).is_some()).cloned().collect();
    trigger::remove_given(&t, &given, cx)?;
    let mut t = current(t.oid, cx)?;
    super::family::forget_parent(&p, &mut t);
    t.change_partition(|x| {
        x.bound = None;
        x.indexes.clear();
        x.foreign_keys.clear();
        x.triggers.clear();
    });
    let t = cx.put_table(t)?;
    inherit::remove_child(p.oid, t.oid, cx)
}
/// Gives a partition, and those below it, the foreign keys of its parent.
pub fn give_foreign_keys(parent: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let p = current(parent, cx)?;
    for fk in &p.foreign_keys {
        give_foreign_key(parent, fk.oid, child, cx)?;
    }
    Ok(())
}
pub fn give_foreign_key(parent: Oid, fk: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let p = current(parent, cx)?;
    let Some(fk) = p.foreign_keys.iter().find(|f| f.oid == fk).cloned() else { return Ok(()) };
    cx.lock_table(child, TableLock::ShareRowExclusive)?;
    let mut t = current(child, cx)?;
    if t.partition().is_some_and(|x| x.foreign_keys.iter().any(|e| e.1 == fk.oid)) {
        return Ok(());
    }
    let to = places(&p, &t);
    let moved = |a: &i16| to.get((*a as usize).wrapping_sub(1)).map_or(0, |c| (*c + 1) as i16);
    let columns: Vec<i16> = fk.columns.iter().map(moved).collect();
    let same = |f: &&ForeignKey| {
        f.columns == columns
            && f.ref_table == fk.ref_table
            && f.ref_columns == fk.ref_columns
            && (f.on_delete, f.on_update, f.match_full) == (fk.on_delete, fk.on_update, fk.match_full)
            && (f.deferrable, f.initially_deferred, f.not_valid) == (fk.deferrable, fk.initially_deferred, fk.not_valid)
            && t.foreign_key_parent(f.oid).is_none()
    };
    if let Some(mine) = t.foreign_keys.iter().find(same).map(|f| f.oid) {
        t.change_partition(|x| x.foreign_keys.push((mine, fk.oid)));
        cx.put_table(t)?;
        return below(child, mine, cx);
    }
    let taken = |n: &str| super::super::constraint::exists(&t, n);
    let name = if taken(&fk.name) {
        let names: Vec<&str> = columns.iter().filter_map(|a| t.column(*a)).map(|c| c.name.as_str()).collect();
        let middle = pamir_catalog::names::join_columns(names);
        pamir_catalog::choose_name(&t.name, Some(&middle), "fkey", taken)
    } else {
        fk.name.clone()
    };
    let new = ForeignKey { oid: cx.new_oid_in(t.schema)?, name, columns, ..fk.clone() };
    t.foreign_keys.push(new.clone());
    if let Some(set) = p.declared.set_columns(fk.oid) {
        let set = set.iter().map(moved).collect();
        t.declared.set_columns.push((new.oid, set));
    }
    t.change_partition(|x| x.foreign_keys.push((new.oid, fk.oid)));
    let t = cx.put_table(t)?;
    let target = super::super::constraint::lock_referenced(fk.ref_table, cx)?;
    let mut target = (*target).clone();
    target.referenced_by.push((t.oid, new.oid));
    cx.put_table(target)?;
    if !new.not_valid && !t.is_partitioned() {
        super::super::constraint::validate_foreign_key(cx, &t, &new)?;
    }
    below(child, new.oid, cx)
}
fn below(t: Oid, fk: Oid, cx: &mut DdlCtx) -> Result<()> {
    current(t, cx)?.children().to_vec().into_iter().try_for_each(|c| give_foreign_key(t, fk, c, cx))
}
/// ALTER INDEX ... ATTACH PARTITION.
pub fn attach_index(t: Oid, index: Oid, part: &tree::Relation, cx: &mut DdlCtx) -> Result<()> {
    let p = current(t, cx)?;
    let (child, own) = remove::find_index(&part.parts, cx).map_err(|e| match e.code() {
        pamir_types::error::state::WRONG_OBJECT_TYPE => err!(INVALID_OBJECT_DEFINITION, "{}", e.message()),
        _ => e,
    })?;
    let Some(of) = p.index(index).cloned() else { return Ok(()) };
    if !p.is_partitioned() {
        bail!(WRONG_OBJECT_TYPE, "\"{}\" is not a partitioned index", of.name);
    }
    let child = cx.lock_table(child.oid, TableLock::ShareUpdateExclusive)?;
    let Some(i) = child.index(own).cloned() else { return Ok(()) };
    if child.index_parent(own) == Some(of.oid) {
        return Ok(());
    }
    let cannot = || {
        err!(INVALID_OBJECT_DEFINITION, "cannot attach index \"{}\" as a partition of index \"{}\"", i.name, of.name)
    };
    let not_now = || {
        let e = format!("cannot attach index \"{}\" as a partition of index \"{}\"", i.name, of.name);
        Error::new(pamir_types::error::state::OBJECT_NOT_IN_PREREQUISITE_STATE, e)
    };
    if child.index_parent(own).is_some() {
        return Err(not_now().detail(format!("Index \"{}\" is already attached to another index.", i.name)));
    }
    if !child.parents().contains(&p.oid) || child.bound().is_none() {
        return Err(
            not_now().detail(format!("Index \"{}\" is not an index on any partition of table \"{}\".", i.name, p.name))
        );
    }
    let to = places(&p, &child);
    if !partition::alike(&p, &of, &child, &i, &to) {
        return Err(cannot().detail("The index definitions do not match."));
    }
    if of.constraint && !i.constraint {
        return Err(cannot().detail(format!(
            "The index \"{}\" belongs to a constraint in table \"{}\" but no constraint exists for index \"{}\".",
            of.name, p.name, i.name
        )));
    }
    if child.index_part(of.oid).is_some() {
        return Err(not_now().detail(format!("Another index is already attached for partition \"{}\".", child.name)));
    }
    let mut child = (*child).clone();
    child.change_partition(|x| x.indexes.push((own, of.oid)));
    cx.put_table(child)?;
    partition::settle_index(p.oid, of.oid, cx)
}
