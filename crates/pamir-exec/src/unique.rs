//! Deferrable unique keys: PRIMARY KEY and UNIQUE that are checked after the rows are written.
//!
//! The index of such a key is one whose entries end with the row's key, so any number of rows may have the same values for a time. Uniqueness is a check of the newest state:
//!
//! ```text
//!   an entry is put      lock on the values, if it is free: no other entry has them .... nothing is left to do
//!                        else [`Key`], queued among the foreign keys' events (`fk.rs`): to the statement's end, or put off to COMMIT
//!   its turn comes       lock on the values, waited for
//!                        the row has left them again ................................... nothing
//!                        another entry: lock it; gone with whoever held that .......... nothing
//!                                                 still there ......................... 23505
//! ```
//! The lock on the values is one of the index's tree under the values alone, which is no entry's key; it is held to the transaction's end.
//!
//! *Invariant*: whoever commits an entry holds the lock on its values from a moment on in which no other entry had them. Of two transactions with the same values the second one's
//! check waits for the first one's end, and sees its row then. That is so at every isolation level: the check looks at no snapshot.
//!
//! A savepoint's rollback may release the lock, and bring back rows that were deleted before: what was put off is checked again at COMMIT, and what never was queued was written after
//! the savepoint too. A table that was rewritten, or an index that was built since, has been checked whole then.
//!
//! Limits: triggers that are disabled, and session_replication_role, leave these checks alone (PostgreSQL's are triggers). Where data is elsewhere every key is queued, and
//! checked in batches; of those that are put off a statement locks the first [`ASKED`] at its end, the others wait for COMMIT with nobody kept away.
use super::dml::{Wx, duplicate};
use super::exclusion;
use super::fk::Event;
use pamir_catalog::{Catalog, Index, Table};
use pamir_expr::access;
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::{Keys, LockOutcome, Ranges, RowLock, Until, WaitPolicy};
use pamir_types::{Datum, Oid, Result, key};
use std::sync::Arc;

/// The names that PostgreSQL gives the triggers which check: where they stand among others of the same row.
pub(super) const PRIMARY: &str = "PK_ConstraintTrigger_";
pub(super) const UNIQUE: &str = "Unique_ConstraintTrigger_";

/// Of how many keys that are put off a statement asks whether they are alone, one by one, where data is elsewhere.
pub(super) const ASKED: usize = 16;

/// An entry whose values another one may have.
#[derive(Clone)]
pub(super) struct Key {
    pub table: Arc<Table>,
    index: Oid,
    tree: TreeId,
    pub primary: bool,
    entry: Box<[u8]>,
    /// Where the values end and the row's key begins.
    values: usize,
    /// Of an EXCLUDE constraint: `entry` is the row's key alone, all of it its values.
    excludes: bool,
}
impl Key {
    /// A row that an EXCLUDE constraint is to be checked for.
    pub fn of_row(t: &Arc<Table>, ix: &Index, row_key: &[u8]) -> Key {
        let (entry, values) = (row_key.into(), row_key.len());
        Key { table: t.clone(), index: ix.oid, tree: TreeId(ix.tree), primary: false, entry, values, excludes: true }
    }
    /// What it holds, roughly.
    pub fn size(&self) -> usize {
        size_of::<Key>() + self.entry.len() + size_of::<Event>()
    }
    /// The values, and whose they are.
    pub fn of(&self) -> (TreeId, &[u8]) {
        (self.tree, self.values())
    }
    fn values(&self) -> &[u8] {
        self.entry.get(..self.values).unwrap_or_default()
    }
    /// The constraint, and its table, as they are now.
    pub fn constraint<'a>(&self, catalog: &'a Catalog) -> Option<(&'a Arc<Table>, &'a Index)> {
        let t = catalog.table(self.table.oid)?;
        t.index(self.index).filter(|i| i.deferrable.is_some()).map(|i| (t, i))
    }
}

/// The entry of the index at `at` is put for a row: None where its values are nobody else's.
pub(super) fn put(
    t: &Arc<Table>,
    at: usize,
    row: &[Datum],
    row_key: &[u8],
    entry: &[u8],
    wx: &mut Wx,
) -> Result<Option<Key>> {
    let Some(ix) = t.indexes.get(at) else { return Ok(None) };
    let Some(d) = ix.deferrable.filter(|_| ix.nulls_not_distinct || !access::has_null_key(ix, row)) else {
        return Ok(None);
    };
    let values = entry.len().saturating_sub(row_key.len());
    let (tree, primary, entry) = (TreeId(ix.tree), d.primary, entry.into());
    let key = Key { table: t.clone(), index: ix.oid, tree, primary, entry, values, excludes: false };
    if !wx.txn.far() && is_alone(&key, wx)? {
        return Ok(None);
    }
    Ok(Some(key))
}
/// Where the entries with these values end; None: with the tree.
pub(super) fn end(values: &[u8]) -> Option<Vec<u8>> {
    let mut hi = values.to_vec();
    key::prefix_successor(&mut hi).then_some(hi)
}
/// Has no other entry its values, nor will any have them before this transaction ends? Nobody is waited for.
pub(super) fn is_alone(key: &Key, wx: &mut Wx) -> Result<bool> {
    if key.excludes
        || wx.txn.lock_row(key.tree, key.values(), RowLock::Update, WaitPolicy::Skip)? == LockOutcome::Skipped
    {
        return Ok(false);
    }
    let mut s = wx.txn.scan_latest(key.tree, key.values(), end(key.values()).as_deref(), Dir::Forward)?;
    while let Some((k, _)) = s.next(wx.txn)? {
        if *k != *key.entry {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Locks the values of keys that are checked next, and asks for their entries.
pub(super) fn ahead<'a>(keys: impl Iterator<Item = &'a Key>, wx: &mut Wx) -> Result<()> {
    let catalog = wx.env.catalog().clone();
    let (mut locks, mut ranges) = (Keys::default(), Ranges::default());
    for k in keys.filter(|k| !k.excludes && stands(k, &catalog).is_some()) {
        locks.push(k.tree, k.values(), &[]);
        let hi = end(k.values());
        ranges.push((k.tree, hi.is_some()), k.values(), hi.as_deref().unwrap_or_default());
    }
    // One is asked for as well when its turn comes.
    if locks.len() > 1 {
        wx.txn.claim_ahead(&locks, RowLock::Update, Until::End)?;
        wx.txn.ranges_ahead(None, &ranges, Dir::Forward, 2 * ranges.len())?;
    }
    Ok(())
}
/// The constraint, unless its index has been built anew, and checked whole, since.
fn stands<'a>(key: &Key, catalog: &'a Catalog) -> Option<(&'a Arc<Table>, &'a Index)> {
    key.constraint(catalog).filter(|(_, i)| i.tree == key.tree.0)
}
/// 23505 where another row has the values, too.
pub(super) fn check(key: &Key, wx: &mut Wx) -> Result<()> {
    let catalog = wx.env.catalog().clone();
    let Some((t, ix)) = stands(key, &catalog) else { return Ok(()) };
    if key.excludes {
        return exclusion::check_late(t, ix, &key.entry, wx);
    }
    let (mut others, mut found) = (Vec::new(), Vec::new());
    // Where that is a call of its own, it is asked only when there are others.
    if !wx.txn.far() && !wx.txn.get_latest(key.tree, &key.entry, &mut found)?.exists {
        return Ok(());
    }
    wx.txn.lock_row(key.tree, key.values(), RowLock::Update, WaitPolicy::Block)?;
    let mut s = wx.txn.scan_latest(key.tree, key.values(), end(key.values()).as_deref(), Dir::Forward)?;
    while let Some((k, _)) = s.next(wx.txn)? {
        if *k != *key.entry {
            others.push(k.to_vec());
            // With the values locked there is one committed row at most; more are this transaction's own, of which one is enough.
            if others.len() > 1 {
                break;
            }
        }
    }
    drop(s);
    if others.is_empty() || !wx.txn.get_latest(key.tree, &key.entry, &mut found)?.exists {
        return Ok(());
    }
    for other in &others {
        if wx.txn.claim(key.tree, other, RowLock::Share, &mut found)?.exists {
            return violation(key, t, ix, wx);
        }
    }
    Ok(())
}
fn violation(key: &Key, t: &Table, ix: &Index, wx: &mut Wx) -> Result<()> {
    let (mut bytes, mut row) = (Vec::new(), Vec::new());
    let row_key = key.entry.get(key.values..).unwrap_or_default();
    if wx.txn.get_latest(t.tree(), row_key, &mut bytes)?.exists {
        access::decode_row(t, &bytes, &mut row)?;
    }
    Err(duplicate(t, ix, &row, wx))
}
