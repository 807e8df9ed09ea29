//! Entries for the rows that were there before their index: what CREATE INDEX CONCURRENTLY does between its two changes of the catalog.
//!
//! Whoever writes keeps the index already, nobody reads it yet. So only rows that nobody has changed since lack their entries, and these are added in runs of
//! [`ROWS`] rows, each a transaction of its own: the row is locked against writers, read in its newest version, and its entries are put where they are not yet.
//!
//! ```text
//!   rows in their order   ......................................
//!                         done^   a run: locked, read, put^   not looked at yet
//! ```
//!
//! *Invariants*: an entry is put only under a lock of the row that it comes from, from the version that is then the newest; a run never waits while it holds a row's
//! lock, so it stands in no deadlock: it ends before a row that somebody has locked, and begins there anew (after [`POLITE`] vain tries by waiting for that one row, holding nothing).
use crate::{ExecCtx, dml};
use pamir_catalog::{Index, Table};
use pamir_expr::access;
use pamir_expr::env::Env;
use pamir_storage::store::TreeId;
use pamir_txn::{Dir, LockOutcome, RowLock, WaitPolicy};
use pamir_types::{Datum, Error, Result, err, work};
use std::sync::Arc;

/// Rows of a run.
pub const ROWS: usize = 500;
/// Tries that a locked row is met with before it is waited for.
pub const POLITE: u32 = 20;

/// Where a build stands.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next row's key is not below this.
    from: Vec<u8>,
    /// How often the row at `from` was found locked.
    vain: u32,
    /// Rows looked at.
    pub rows: u64,
}
/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Run {
    /// All rows have their entries, once this transaction is committed.
    Done,
    /// There are more.
    More,
    /// Somebody has locked the next row, or a unique key like its.
    Locked,
}

/// Adds the entries of the next rows to the index at `at` of a table. To be committed before the next run. 23505 where two rows have the same unique key.
pub fn run(t: &Arc<Table>, at: usize, p: &mut Progress, cx: &mut ExecCtx) -> Result<Run> {
    let (txn, tree) = (cx.txn, t.tree());
    if p.vain >= POLITE {
        txn.lock_row(tree, &p.from, RowLock::Share, WaitPolicy::Block)?;
    }
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut scan = txn.scan(&cx.snapshot, tree, &p.from, None, Dir::Forward)?;
    while let Some((key, _)) = scan.next(txn)? {
        if keys.len() == ROWS {
            break;
        }
        keys.push(key.to_vec());
        work::charge(work::ROW as usize)?;
    }
    drop(scan);
    let more = keys.len() == ROWS;
    let (mut value, mut row, mut room) = (Vec::new(), Vec::new(), access::EntryRoom::default());
    for key in &keys {
        cx.env.check_cancel()?;
        if txn.lock_row(tree, key, RowLock::Share, WaitPolicy::Skip)? != LockOutcome::Granted {
            return Ok(p.stopped(key));
        }
        if txn.get_latest(tree, key, &mut value)?.exists {
            access::decode_row(t, &value, &mut row)?;
            if !put(t, at, (&row, key), &mut room, cx)? {
                return Ok(p.stopped(key));
            }
        }
        p.passed(key);
    }
    Ok(if more { Run::More } else { Run::Done })
}
impl Progress {
    fn stopped(&mut self, key: &[u8]) -> Run {
        self.vain = if self.from == key { self.vain + 1 } else { 0 };
        self.from.clear();
        self.from.extend_from_slice(key);
        Run::Locked
    }
    fn passed(&mut self, key: &[u8]) {
        self.vain = 0;
        self.rows += 1;
        self.from.clear();
        self.from.extend_from_slice(key);
        // The smallest key above it.
        self.from.push(0);
    }
}
/// Puts a locked row's entries where they are not yet. False: somebody is at its unique key.
fn put(
    t: &Table,
    at: usize,
    (row, pk): (&[Datum], &[u8]),
    room: &mut access::EntryRoom,
    cx: &mut ExecCtx,
) -> Result<bool> {
    let (Some(ix), Some(lay)) = (t.indexes.get(at), access::layout(t).indexes.get(at)) else {
        return Err(Error::internal("index does not belong to its table"));
    };
    let (tree, mut found) = (TreeId(ix.tree), Vec::new());
    if lay.inverted.is_some() {
        access::inverted_keys(t, at, row, pk, cx.env, &mut room.inverted)?;
        for key in &room.inverted {
            if !cx.txn.get_latest(tree, key, &mut found)?.exists {
                cx.txn.put(tree, key, &access::NO_VALUE)?;
            }
        }
        return Ok(true);
    }
    let Some(unique) = access::index_entry_at(t, at, row, pk, cx.env, &mut room.key, &mut room.value)? else {
        return Ok(true);
    };
    let key = &room.key;
    let free = !unique || cx.txn.lock_row(tree, key, RowLock::Update, WaitPolicy::Skip)? == LockOutcome::Granted;
    if !cx.txn.get_latest(tree, key, &mut found)?.exists {
        if free {
            cx.txn.put(tree, key, &room.value)?;
        }
        return Ok(free);
    }
    if !unique || access::entry_pk(lay, key, &found)? == pk {
        return Ok(true);
    }
    if free { Err(twice(t, ix, row, cx.env)) } else { Ok(false) }
}
/// 23505: two rows have a key that was to be unique.
pub fn twice(t: &Table, ix: &Index, row: &[Datum], env: &mut dyn Env) -> Error {
    let schema = env.catalog().schema(t.schema).map_or(String::new(), |s| s.name.clone());
    let detail = match dml::may_tell(t, env) {
        true => format!("Key {} is duplicated.", dml::key_of(t, ix, row, env)),
        false => "Duplicate keys exist.".to_string(),
    };
    err!(UNIQUE_VIOLATION, "could not create unique index \"{}\"", ix.name)
        .detail(detail)
        .table(schema, &*t.name)
        .constraint(&*ix.name)
}
