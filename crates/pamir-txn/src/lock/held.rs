//! What one transaction holds, in the order it was taken: for "do I hold it already", for release, for rollback to a savepoint.
use super::{LockManager, Owner, RowLock, TableLock};
use crate::padded::hash_key;
use pamir_storage::store::TreeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;
use std::task::Waker;

/// Up to so many rows are searched one by one, more through a hash table.
const LINEAR: usize = 8;
const NONE: u32 = u32::MAX;
/// What a row lock costs in memory beyond its key bytes (which are stored twice).
pub(crate) const ROW_LOCK_OVERHEAD: u64 = 120;

struct HeldRow {
    tree: TreeId,
    off: u32,
    len: u32,
    hash: u64,
    mode: RowLock,
    /// The weaker mode held before; what a rollback to a savepoint returns to.
    prev: Option<RowLock>,
    /// The entry of the same hash before this one.
    chain: u32,
}
struct HeldRange {
    tree: TreeId,
    lo: Box<[u8]>,
    hi: Option<Box<[u8]>>,
}
/// Lengths at a savepoint.
#[derive(Clone, Copy, Default)]
pub(crate) struct LockMark {
    rows: u32,
    bytes: u32,
    ranges: u32,
    tables: u32,
}

#[derive(Default)]
pub(crate) struct HeldLocks {
    rows: Vec<HeldRow>,
    bytes: Vec<u8>,
    index: Option<FxHashMap<u64, u32>>,
    ranges: Vec<HeldRange>,
    tables: SmallVec<[(u64, TableLock); 4]>,
}

impl HeldLocks {
    fn key(&self, r: &HeldRow) -> &[u8] {
        &self.bytes[r.off as usize..][..r.len as usize]
    }
    /// The mode held on a row, if any.
    pub fn row(&self, tree: TreeId, key: &[u8]) -> Option<RowLock> {
        let hash = hash_key(tree.0, key);
        let is = |r: &&HeldRow| r.hash == hash && r.tree == tree && self.key(r) == key;
        match &self.index {
            None => self.rows.iter().rev().find(is).map(|r| r.mode),
            Some(ix) => {
                let mut at = ix.get(&hash).copied().unwrap_or(NONE);
                while at != NONE {
                    let r = &self.rows[at as usize];
                    if is(&r) {
                        return Some(r.mode);
                    }
                    at = r.chain;
                }
                None
            }
        }
    }
    pub fn add_row(&mut self, tree: TreeId, key: &[u8], mode: RowLock, prev: Option<RowLock>) {
        let hash = hash_key(tree.0, key);
        let n = self.rows.len() as u32;
        if n as usize == LINEAR && self.index.is_none() {
            let mut ix = FxHashMap::default();
            for (i, r) in self.rows.iter_mut().enumerate() {
                r.chain = ix.insert(r.hash, i as u32).unwrap_or(NONE);
            }
            self.index = Some(ix);
        }
        let chain = self.index.as_mut().and_then(|ix| ix.insert(hash, n)).unwrap_or(NONE);
        let off = self.bytes.len() as u32;
        self.bytes.extend_from_slice(key);
        self.rows.push(HeldRow { tree, off, len: key.len() as u32, hash, mode, prev, chain });
    }
    pub fn add_range(&mut self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) {
        self.ranges.push(HeldRange { tree, lo: lo.into(), hi: hi.map(Into::into) });
    }
    /// Is [lo, hi) inside a range already locked?
    pub fn covers(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> bool {
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
        self.rows.is_empty() && self.ranges.is_empty() && self.tables.is_empty()
    }
    pub fn mark(&self) -> LockMark {
        LockMark {
            rows: self.rows.len() as u32,
            bytes: self.bytes.len() as u32,
            ranges: self.ranges.len() as u32,
            tables: self.tables.len() as u32,
        }
    }
    /// Gives back what was taken after `mark`.
    pub fn release_to(&mut self, mark: LockMark, owner: &Arc<Owner>, lm: &LockManager, wake: &mut Vec<Waker>) {
        {
            let mut batch = lm.batch(owner.id, wake);
            for r in self.rows[mark.rows as usize..].iter().rev() {
                if let Some(ix) = &mut self.index {
                    if r.chain == NONE {
                        ix.remove(&r.hash)
                    } else {
                        ix.insert(r.hash, r.chain)
                    };
                }
                let key = &self.bytes[r.off as usize..][..r.len as usize];
                batch.row(r.tree, key, r.prev);
            }
        }
        self.rows.truncate(mark.rows as usize);
        self.bytes.truncate(mark.bytes as usize);
        for r in self.ranges.drain(mark.ranges as usize..) {
            lm.release_range(owner.id, r.tree, &r.lo, r.hi.as_deref(), wake);
        }
        while self.tables.len() > mark.tables as usize {
            if let Some((table, mode)) = self.tables.pop() {
                lm.release_table(owner.id, table, mode.bit(), wake);
            }
        }
    }
    /// Gives back everything, at the transaction's end.
    pub fn release_all(&mut self, owner: &Arc<Owner>, lm: &LockManager, wake: &mut Vec<Waker>) {
        if !self.rows.is_empty() {
            let mut batch = lm.batch(owner.id, wake);
            for r in &self.rows {
                // An upgrade's entry repeats its key.
                if r.prev.is_none() {
                    batch.row(r.tree, &self.bytes[r.off as usize..][..r.len as usize], None);
                }
            }
        }
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
