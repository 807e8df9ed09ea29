//! What the lock tables hold, for pg_locks, pg_blocking_pids and pg_stat_activity.
//!
//! A report is taken shard by shard: it is true of each lock table at its own moment, as PostgreSQL's is of each partition. Row locks are not listed one by one (as in
//! PostgreSQL, where they stand in the rows): who waits for a row waits for the transaction that holds it.
use super::manager::{LockManager, Resource};
use super::{Owner, RowLock, TableLock};
use pamir_storage::store::TreeId;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a lock is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockTarget {
    /// A table, by the number it was locked by.
    Table(u64),
    /// A row or a range of rows of a tree.
    Row(TreeId),
}
/// A lock that is held or waited for.
#[derive(Clone, Debug)]
pub struct LockLine {
    /// The session's process number; None: a prepared transaction.
    pub process: Option<u32>,
    /// The transaction's number.
    pub txn: u64,
    pub on: LockTarget,
    /// As pg_locks names it; a row's mode by the lock that PostgreSQL takes on a row.
    pub mode: &'static str,
    pub granted: bool,
    /// Who stands in the way of a request: process and transaction, those that hold the lock first.
    pub blockers: Vec<(Option<u32>, u64)>,
}

fn process(o: &Owner) -> Option<u32> {
    Some(o.pid.load(Ordering::Relaxed)).filter(|n| *n != 0)
}
/// PostgreSQL's lock on the row itself.
fn row_mode(m: RowLock) -> &'static str {
    match m {
        RowLock::KeyShare => TableLock::AccessShare,
        RowLock::Share => TableLock::RowShare,
        RowLock::NoKeyUpdate => TableLock::Exclusive,
        RowLock::ForUpdate | RowLock::Update => TableLock::AccessExclusive,
    }
    .name()
}

impl LockManager {
    /// Table locks and requests that wait.
    pub fn report(&self) -> Vec<LockLine> {
        let mut out = Vec::new();
        self.each_table(|table, locks| {
            locks.each_holder(|owner, mode| {
                let on = LockTarget::Table(table);
                let (process, mode) = (process(owner), mode.name());
                out.push(LockLine { process, txn: owner.number(), on, mode, granted: true, blockers: Vec::new() });
            });
        });
        for (owner, on) in self.waiting() {
            let mut blockers: Vec<Arc<Owner>> = Vec::new();
            let mut seen = FxHashSet::default();
            // Nobody has the number 0.
            let line = match on {
                Resource::Table(t) => self.with_table(t, |l| {
                    let mode = l.blockers_of(owner.id, 0, &mut seen, &mut blockers)?;
                    Some((LockTarget::Table(t), mode.name()))
                }),
                Resource::Tree(t) => self.with_tree(t, |l| {
                    let mode =
                        l.blockers_of(owner.id, 0, &mut seen, &mut blockers)?.mode().map_or("SIReadLock", row_mode);
                    Some((LockTarget::Row(t), mode))
                }),
            };
            // Granted or given up since.
            let Some((on, mode)) = line else { continue };
            let blockers = blockers.iter().map(|o| (process(o), o.number())).collect();
            out.push(LockLine { process: process(&owner), txn: owner.number(), on, mode, granted: false, blockers });
        }
        out
    }
    /// Ids of transactions that have written and hold a table for it, but for those that were told a number.
    pub fn untold_writers(&self) -> Vec<u64> {
        let mut out = Vec::new();
        self.each_table(|_, locks| {
            locks.each_holder(|owner, _| {
                if owner.has_written() && !owner.is_told() {
                    out.push(owner.id);
                }
            });
        });
        out.sort_unstable();
        out.dedup();
        out
    }
    /// The processes that wait for a lock, with what they wait for.
    pub fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        let target = |r: Resource| match r {
            Resource::Table(t) => LockTarget::Table(t),
            Resource::Tree(t) => LockTarget::Row(t),
        };
        self.waiting().into_iter().filter_map(|(o, r)| Some((process(&o)?, target(r)))).collect()
    }
}
