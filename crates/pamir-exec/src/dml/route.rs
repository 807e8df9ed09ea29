//! Rows of partitioned tables: which partition takes one, what becomes of one that leaves its own.
//!
//! ```text
//!   INSERT, COPY, MERGE    row of the named table ── key ──► partition ── its BEFORE triggers ──► insert_row
//!   UPDATE                 row of a partition, changed ── still its own? ── yes ──► update_row
//!                                                             └── no: DELETE there, INSERT where it belongs, with the triggers of both
//! ```
//! A row that a partition was named for is tested as by a CHECK (23514).
//!
//! Who waits for a row that is moved meanwhile gets 40001: its place in the partition that it left names itself as the one where it is now.
use super::{Seen, WriteBuf, Wx, delete_index_entries, detailed, failing, insert_row, with_table};
use crate::fk::Checks;
use crate::trigger;
use pamir_catalog::Table;
use pamir_catalog::partition::{as_parent_has, places};
use pamir_catalog::trigger::{Event, Timing};
use pamir_expr::env::Env;
use pamir_expr::partition;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Result, err};
use std::sync::Arc;

/// 23514: a partition does not take the row.
pub(super) fn violates(t: &Table, row: &[Datum], wx: &Wx) -> Error {
    let e = err!(CHECK_VIOLATION, "new row for relation \"{}\" violates partition constraint", t.name);
    with_table(detailed(e, failing(t, row, wx.env)), t, wx.env)
}
/// The partition that takes a row of a partitioned table, and the row as it has it where it differs.
pub(super) fn place(root: &Arc<Table>, row: &[Datum], wx: &mut Wx) -> Result<(Arc<Table>, Option<Vec<Datum>>)> {
    if root.bound().is_some() && !partition::accepts(root, row, wx.env)? {
        return Err(violates(root, row, wx));
    }
    partition::route(root, row, wx.env)
}
/// A row of a partition as the table has it that was named.
fn as_named(root: &Table, t: &Table, row: &[Datum]) -> Vec<Datum> {
    as_parent_has(&places(root, t), row)
}
/// An error about a row of a partition shows it as one of the table that was named.
pub(super) fn shown_as(e: Error, root: &Table, t: &Table, row: &[Datum], env: &dyn Env) -> Error {
    if !matches!(e.code(), state::NOT_NULL_VIOLATION | state::CHECK_VIOLATION) {
        return e;
    }
    let mut e = e;
    if e.data().detail.is_some() && e.data().detail == failing(t, row, env) {
        e.data_mut().detail = failing(root, &as_named(root, t, row), env);
    }
    e
}
/// Fires BEFORE INSERT triggers of the partition that a row was routed to; false: nothing is to be done with it.
pub(super) fn before_insert(t: &Arc<Table>, row: &mut [Datum], wx: &mut Wx) -> Result<bool> {
    let Some(all) = t.triggers.as_ref().filter(|a| a.any(Timing::Before, true, Event::Insert)) else { return Ok(true) };
    if !trigger::before_row(t, Event::Insert, &[], None, Some(row), wx)? {
        return Ok(false);
    }
    if !partition::accepts(t, row, wx.env)? {
        let e = err!(
            FEATURE_NOT_SUPPORTED,
            "moving row to another partition during a BEFORE FOR EACH ROW trigger is not supported"
        );
        let name = all.of(Timing::Before, true, Event::Insert).last().map_or("", |g| g.1.name.as_str());
        let schema = wx.env.catalog().schema(t.schema).map_or_else(String::new, |s| s.name.clone());
        let (schema, table) = (pamir_catalog::defs::quote_ident(&schema), pamir_catalog::defs::quote_ident(&t.name));
        let was = format!("Before executing trigger \"{name}\", the row was to be in partition");
        return Err(e.detail(format!("{was} \"{schema}.{table}\".")));
    }
    Ok(true)
}
/// Inserts a row of a partitioned table; where it went, or None. The row becomes what was inserted, as the partition has it.
pub(crate) fn insert(
    root: &Arc<Table>,
    row: &mut Vec<Datum>,
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<Option<Arc<Table>>> {
    let (t, own) = place(root, row, wx)?;
    if let Some(own) = own {
        *row = own;
    }
    if !before_insert(&t, row, wx)? {
        return Ok(None);
    }
    insert_placed(root, &t, row, wx, checks, buf)?;
    Ok(Some(t))
}
/// Inserts a row into its partition `t`, whose BEFORE triggers have fired.
pub(super) fn insert_placed(
    root: &Arc<Table>,
    t: &Arc<Table>,
    row: &mut [Datum],
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<()> {
    buf.routed = true;
    let done = insert_row(t, row, None, wx, checks, buf);
    buf.routed = false;
    done.map(|_| ()).map_err(|e| shown_as(e, root, t, row, wx.env))
}
/// Moves a changed row that is no longer of its partition to the one of `root` that takes it. None: a trigger would not have it.
#[allow(clippy::too_many_arguments)] // As `update_row`.
pub(crate) fn leave(
    root: &Arc<Table>,
    from: &Arc<Table>,
    key: &[u8],
    seen: Option<Seen>,
    (old, new): (&[Datum], &[Datum]),
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<Option<(Arc<Table>, Vec<Datum>)>> {
    if !root.is_partitioned() {
        return Err(violates(from, new, wx));
    }
    let mut row = as_named(root, from, new);
    if root.bound().is_some() && !partition::accepts(root, &row, wx.env)? {
        return Err(violates(root, &row, wx));
    }
    if !trigger::before_row(from, Event::Delete, &[], Some(old), None, wx)? {
        return Ok(None);
    }
    if let Some(s) = seen {
        s.is_as_it_was(from, key, "updated", wx, &mut buf.found)?;
    }
    // In this tree it is nowhere else, and yet not gone: whoever waits for it is told so.
    wx.txn.delete_moved(from.tree(), key, key)?;
    delete_index_entries(from, key, old, wx, &mut buf.was)?;
    let before = checks.changes_of(None);
    let done = checks.left(from, old, new, wx).and_then(|()| insert(root, &mut row, wx, checks, buf));
    checks.changes_of(before);
    let Some(to) = done? else { return Ok(None) };
    checks.moved((from, old), (&to, &row), wx)?;
    Ok(Some((to, row)))
}
