//! What one transaction holds, in the order it was taken: for "do I hold it already", for release, for rollback to a savepoint.
use super::escalate::Whole;
use super::intent::Followed;
use super::{LockManager, Owner, RowLock, TableLock};
use crate::padded::hash_key;
use crate::table::Table;
use pamir_storage::store::TreeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;
use std::task::Waker;

/// Up to so many rows are searched one by one, more through a hash table.
const LINEAR: usize = 8;
const NONE: u32 = u32::MAX;
/// From so many locks in one tree on, it is looked whether they are all that it has. Tests have no such numbers.
const BULK: usize = if cfg!(any(test, feature = "model")) { 2 } else { 256 };
/// What a row lock costs in memory beyond its key bytes (which are stored twice).
pub(crate) const ROW_LOCK_OVERHEAD: u64 = 120;

/// Bytes of memory that the lock on a row takes.
pub(crate) fn row_cost(key: &[u8]) -> u64 {
    ROW_LOCK_OVERHEAD + 2 * key.len() as u64
}

pub(super) struct HeldRow {
    pub tree: TreeId,
    pub off: u32,
    pub len: u32,
    hash: u32,
    /// Its number among all row locks the transaction took; rises.
    pub place: u32,
    /// The entry of the same key before this one.
    older: u32,
    pub mode: RowLock,
    /// The weaker mode held before; what a rollback to a savepoint returns to.
    prev: Option<RowLock>,
}
#[inline]
fn row_hash(tree: TreeId, key: &[u8]) -> u32 {
    (hash_key(tree.0, key) >> 32) as u32
}
struct HeldRange {
    tree: TreeId,
    lo: Box<[u8]>,
    hi: Option<Box<[u8]>>,
}
/// What was held at a savepoint.
#[derive(Clone, Copy, Default)]
pub(crate) struct LockMark {
    /// Place of the next row.
    pub(super) rows: u32,
    ranges: u32,
    tables: u32,
}

#[derive(Default)]
pub(crate) struct HeldLocks {
    pub(super) rows: Vec<HeldRow>,
    pub(super) bytes: Vec<u8>,
    index: Option<Table>,
    pub(super) next_place: u32,
    /// The entry asked for or added last: a row is locked, then read, then written.
    recent: Cell<u32>,
    /// Trees held whole; they have no entries in `rows`.
    pub(super) whole: SmallVec<[Whole; 2]>,
    /// Trees in which it has written entries that follow rows.
    pub(super) followed: SmallVec<[Followed; 2]>,
    /// More rows than this: see whether a tree could be taken whole.
    pub(super) look_at: usize,
    ranges: Vec<HeldRange>,
    tables: SmallVec<[(u64, TableLock); 4]>,
}

impl HeldLocks {
    fn key(&self, r: &HeldRow) -> &[u8] {
        &self.bytes[r.off as usize..][..r.len as usize]
    }
    /// The mode held on a row, if any.
    pub fn row(&self, tree: TreeId, key: &[u8]) -> Option<RowLock> {
        let whole = self.whole(tree);
        if whole == Some(RowLock::Update) {
            return whole;
        }
        // None is below every mode.
        self.row_alone(tree, key).max(whole)
    }
    /// Without a lock on the whole tree.
    fn row_alone(&self, tree: TreeId, key: &[u8]) -> Option<RowLock> {
        let hash = row_hash(tree, key);
        let is = |r: &HeldRow| r.hash == hash && r.tree == tree && self.key(r) == key;
        match &self.index {
            None => self.rows.iter().rev().find(|r| is(r)).map(|r| r.mode),
            Some(ix) => {
                // An entry of the same key that came later would be the recent one.
                let recent = self.rows.get(self.recent.get() as usize).filter(|r| is(r));
                let found = || ix.get(hash, |n| is(&self.rows[n as usize]));
                recent.map(|r| r.mode).or_else(|| {
                    let n = found()?;
                    self.recent.set(n);
                    Some(self.rows[n as usize].mode)
                })
            }
        }
    }
    /// `prev`: what [`HeldLocks::row`] said before.
    pub fn add_row(&mut self, tree: TreeId, key: &[u8], mode: RowLock, prev: Option<RowLock>) {
        let prev = if prev.is_some() && self.whole(tree).is_some() { self.row_alone(tree, key) } else { prev };
        let hash = row_hash(tree, key);
        if self.rows.len() >= LINEAR && self.index.is_none() {
            self.index_anew();
        }
        let off = self.bytes.len() as u32;
        self.bytes.extend_from_slice(key);
        let place = self.next_place;
        self.next_place += 1;
        self.rows.push(HeldRow { tree, off, len: key.len() as u32, hash, place, older: NONE, mode, prev });
        if self.index.is_some() {
            let n = self.rows.len() as u32 - 1;
            self.index_row(n);
            self.recent.set(n);
        }
    }
    /// Makes the index of what `rows` holds.
    pub(super) fn index_anew(&mut self) {
        self.recent.set(NONE);
        self.index = (self.rows.len() >= LINEAR).then(|| Table::with_room(self.rows.len()));
        if self.index.is_some() {
            (0..self.rows.len() as u32).for_each(|n| self.index_row(n));
        }
    }
    fn index_row(&mut self, n: u32) {
        let (rows, bytes) = (&mut self.rows, &self.bytes);
        let Some(ix) = &mut self.index else { return };
        let key = |r: &HeldRow| &bytes[r.off as usize..][..r.len as usize];
        let r = &rows[n as usize];
        let older = ix.set(r.hash, n, |m| {
            let m = &rows[m as usize];
            m.tree == r.tree && key(m) == key(r)
        });
        rows[n as usize].older = older.unwrap_or(NONE);
    }
    pub fn add_range(&mut self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) {
        self.ranges.push(HeldRange { tree, lo: lo.into(), hi: hi.map(Into::into) });
    }
    /// Is [lo, hi) inside a range already locked?
    pub fn covers(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> bool {
        if self.whole(tree) >= Some(RowLock::Share) {
            return true;
        }
        self.ranges.iter().any(|r| {
            r.tree == tree
                && *r.lo <= *lo
                && match (&r.hi, hi) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(h), Some(hi)) => hi <= &**h,
                }
        })
    }
    /// Is the table held in a mode that conflicts with all `mode` conflicts with?
    #[inline]
    pub fn table(&self, table: u64, mode: TableLock) -> bool {
        self.tables.iter().any(|t| t.0 == table && mode.conflict_bits() & !t.1.conflict_bits() == 0)
    }
    pub fn add_table(&mut self, table: u64, mode: TableLock) {
        self.tables.push((table, mode));
    }
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.ranges.is_empty()
            && self.tables.is_empty()
            && self.whole.is_empty()
            && self.intents().next().is_none()
    }
    pub fn mark(&self) -> LockMark {
        LockMark { rows: self.next_place, ranges: self.ranges.len() as u32, tables: self.tables.len() as u32 }
    }
    /// Gives back what was taken after `mark`; the bytes of memory that this frees.
    pub fn release_to(&mut self, mark: LockMark, owner: &Arc<Owner>, lm: &LockManager, wake: &mut Vec<Waker>) -> u64 {
        let mut freed = 0;
        let keep = self.rows.partition_point(|r| r.place < mark.rows);
        {
            let mut batch = lm.batch(owner.id, wake);
            for n in (keep..self.rows.len()).rev() {
                let r = &self.rows[n];
                if let Some(ix) = &mut self.index {
                    let is = |m: u32| m as usize == n;
                    match r.older {
                        NONE => ix.remove(r.hash, is),
                        older => drop(ix.set(r.hash, older, is)),
                    }
                }
                let key = &self.bytes[r.off as usize..][..r.len as usize];
                freed += row_cost(key);
                batch.row(r.tree, key, r.prev);
            }
        }
        if let Some(first) = self.rows.get(keep) {
            self.bytes.truncate(first.off as usize);
        }
        self.rows.truncate(keep);
        self.release_whole_to(mark, owner, lm, wake);
        self.release_intents_to(mark, owner, lm, wake);
        for r in self.ranges.drain(mark.ranges as usize..) {
            freed += ROW_LOCK_OVERHEAD;
            lm.release_range(owner.id, r.tree, &r.lo, r.hi.as_deref(), wake);
        }
        self.release_tables_to(mark, owner, lm, wake);
        freed
    }
    /// Of what was taken since the mark, the locks on tables only.
    pub fn release_tables_to(&mut self, mark: LockMark, owner: &Arc<Owner>, lm: &LockManager, wake: &mut Vec<Waker>) {
        while self.tables.len() > mark.tables as usize {
            if let Some((table, mode)) = self.tables.pop() {
                lm.release_table(owner.id, table, mode.bit(), wake);
            }
        }
    }
    /// Gives back the rows of trees in which nobody else holds or wants anything: all at once instead of each by its key. Which trees these were.
    fn release_alone(&self, owner: &Arc<Owner>, lm: &LockManager) -> SmallVec<[TreeId; 4]> {
        if self.rows.len() < BULK {
            return SmallVec::new();
        }
        let mut trees: FxHashMap<TreeId, usize> = FxHashMap::default();
        // An upgrade's entry repeats its key.
        for r in self.rows.iter().filter(|r| r.prev.is_none()) {
            *trees.entry(r.tree).or_default() += 1;
        }
        trees.into_iter().filter(|(t, n)| *n >= BULK && lm.release_alone(owner.id, *t, *n)).map(|t| t.0).collect()
    }
    /// Gives back everything, at the transaction's end.
    pub fn release_all(&mut self, owner: &Arc<Owner>, lm: &LockManager, wake: &mut Vec<Waker>) {
        let gone = self.release_alone(owner, lm);
        if !self.rows.is_empty() {
            let mut batch = lm.batch(owner.id, wake);
            for r in &self.rows {
                // An upgrade's entry repeats its key.
                if r.prev.is_none() && !gone.contains(&r.tree) {
                    batch.row(r.tree, &self.bytes[r.off as usize..][..r.len as usize], None);
                }
            }
        }
        self.release_whole_to(LockMark::default(), owner, lm, wake);
        self.release_intents_to(LockMark::default(), owner, lm, wake);
        for r in self.ranges.drain(..) {
            lm.release_range(owner.id, r.tree, &r.lo, r.hi.as_deref(), wake);
        }
        for (table, mode) in self.tables.drain(..) {
            lm.release_table(owner.id, table, mode.bit(), wake);
        }
        self.rows.clear();
        self.bytes.clear();
        self.index = None;
    }
    /// The rows, each once, if they are at most so many.
    pub fn few_rows(&self, most: usize) -> Option<Vec<(TreeId, Box<[u8]>)>> {
        // An upgrade's entry repeats its key.
        (self.rows.len() <= most)
            .then(|| self.rows.iter().filter(|r| r.prev.is_none()).map(|r| (r.tree, self.key(r).into())).collect())
    }
    /// About the bytes of all of it as a record lists it (`record::write_locks`).
    pub fn size_hint(&self) -> usize {
        const EACH: usize = 8;
        self.bytes.len() + EACH * (self.rows.len() + self.tables.len())
    }
    pub fn rows(&self) -> impl Iterator<Item = (TreeId, &[u8], RowLock)> {
        self.rows.iter().map(|r| (r.tree, self.key(r), r.mode))
    }
    pub fn ranges(&self) -> impl Iterator<Item = (TreeId, &[u8], Option<&[u8]>)> {
        self.ranges.iter().map(|r| (r.tree, &*r.lo, r.hi.as_deref()))
    }
    pub fn tables(&self) -> impl Iterator<Item = (u64, TableLock)> {
        self.tables.iter().copied()
    }
}
