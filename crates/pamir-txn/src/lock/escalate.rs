//! Escalation: a transaction with very many row locks in one tree takes the whole tree instead.
//!
//! ```text
//!   HeldLocks  rows [ (t1,a) (t1,b) ... (t2,x) ]   ──► rows [ (t2,x) ]  whole [ t1 ]
//!   TreeLocks  rows { a: me, b: me, ... }          ──► whole: me
//! ```
//! The whole-tree lock is a row lock on every key, in the strongest mode of those it stands for: it may be stricter than they were, never weaker. It is taken only when
//! nobody else holds or wants anything in the tree, so it is never waited for and closes no cycle; otherwise the transaction goes on with row locks and tries again when it
//! has a quarter more of them. A row that is wanted in a stronger mode than the tree is held in is locked on its own beside it.
//!
//! Rollback to a savepoint gives the whole tree back if its first lock there came after the savepoint. Otherwise it stays: which rows were locked before is not
//! known any more.
use super::held::HeldLocks;
use super::held::row_cost;
use super::manager::LockManager;
use super::tree::{TreeLocks, What};
use super::{LockMark, Owner, RowLock};
use pamir_storage::store::TreeId;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::task::Waker;

/// The lock table's side.
pub(super) struct WholeHold {
    pub owner: Arc<Owner>,
    pub mode: RowLock,
}
/// A tree held whole.
pub(super) struct Whole {
    pub tree: TreeId,
    pub mode: RowLock,
    /// Place of the first lock in this tree among the transaction's row locks.
    since: u32,
}

impl HeldLocks {
    /// Is it time to call [`HeldLocks::escalate`]? `limit`: row locks in one tree.
    #[inline]
    pub fn many(&self, limit: usize) -> bool {
        self.rows.len() > limit.max(self.look_at)
    }
    /// The mode in which the whole tree is held.
    #[inline]
    pub fn whole(&self, tree: TreeId) -> Option<RowLock> {
        self.whole.iter().find(|w| w.tree == tree).map(|w| w.mode)
    }
    /// Exchanges the row locks of trees with more than `limit` of them. Returns the memory that is free now, as it was charged.
    pub fn escalate(&mut self, owner: &Arc<Owner>, lm: &LockManager, limit: usize) -> u64 {
        struct Count {
            rows: usize,
            since: u32,
            mode: RowLock,
        }
        let mut trees: FxHashMap<TreeId, Count> = FxHashMap::default();
        for r in &self.rows {
            let c = trees.entry(r.tree).or_insert(Count { rows: 0, since: r.place, mode: r.mode });
            c.rows += 1;
            c.mode = c.mode.max(r.mode);
        }
        trees.retain(|tree, c| c.rows > limit && lm.take_whole(owner, *tree, c.mode));
        let mut freed = 0;
        if !trees.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            let mut kept = Vec::new();
            self.rows.retain_mut(|r| {
                let keep = !trees.contains_key(&r.tree);
                if keep {
                    let key = &bytes[r.off as usize..][..r.len as usize];
                    r.off = kept.len() as u32;
                    kept.extend_from_slice(key);
                } else {
                    freed += row_cost(&bytes[r.off as usize..][..r.len as usize]);
                }
                keep
            });
            self.rows.shrink_to_fit();
            self.bytes = kept;
            self.index_anew();
            for (tree, c) in trees {
                match self.whole.iter_mut().find(|w| w.tree == tree) {
                    Some(w) => w.mode = w.mode.max(c.mode),
                    None => self.whole.push(Whole { tree, mode: c.mode, since: c.since }),
                }
            }
        }
        self.look_at = self.rows.len() + limit / 4;
        freed
    }
    /// Gives back the trees whose first lock came after `mark`.
    pub(super) fn release_whole_to(&mut self, mark: LockMark, owner: &Owner, lm: &LockManager, wake: &mut Vec<Waker>) {
        self.whole.retain(|w| {
            let keep = w.since < mark.rows;
            if !keep {
                lm.release_whole(owner.id, w.tree, wake);
            }
            keep
        });
    }
    /// Recovery: a prepared transaction's.
    pub fn add_whole(&mut self, tree: TreeId, mode: RowLock) {
        self.whole.push(Whole { tree, mode, since: 0 });
    }
    pub fn wholes(&self) -> impl Iterator<Item = (TreeId, RowLock)> + '_ {
        self.whole.iter().map(|w| (w.tree, w.mode))
    }
}

impl LockManager {
    /// True: `owner` holds the tree now, and none of its rows.
    fn take_whole(&self, owner: &Arc<Owner>, tree: TreeId, mode: RowLock) -> bool {
        let rows = {
            let mut shard = self.tree_shard(tree).lock();
            let Some(t) = shard.get_mut(&tree) else { return false };
            if !t.only(owner.id) {
                return false;
            }
            let mode = t.whole.as_ref().map_or(mode, |w| w.mode.max(mode));
            t.whole = Some(WholeHold { owner: owner.clone(), mode });
            std::mem::take(&mut t.rows)
        };
        // Very many: not under the mutex.
        drop(rows);
        true
    }
    fn release_whole(&self, id: u64, tree: TreeId, wake: &mut Vec<Waker>) {
        if let Some(t) = self.tree_shard(tree).lock().get_mut(&tree)
            && t.whole.take_if(|w| w.owner.id == id).is_some()
        {
            t.grant_waiters(None, wake);
        }
    }
    /// Recovery: cannot conflict.
    pub fn adopt_whole(&self, owner: &Arc<Owner>, tree: TreeId, mode: RowLock) {
        self.tree_shard(tree).lock().entry(tree).or_default().whole = Some(WholeHold { owner: owner.clone(), mode });
    }
}

impl TreeLocks {
    /// Nobody but `id` holds or wants anything here.
    pub(super) fn only(&self, id: u64) -> bool {
        self.waiters.is_empty()
            && self.whole.as_ref().is_none_or(|w| w.owner.id == id)
            && self.ranges.iter().all(|r| r.owner.id == id)
            && self.intents.iter().all(|o| o.id == id)
            && self.rows.values().flatten().all(|h| h.owner.id == id)
    }
    /// The one whose lock on the whole tree a row lock must wait for.
    #[inline]
    pub(super) fn whole_against_row(&self, id: u64, mode: RowLock) -> Option<&Arc<Owner>> {
        self.whole.as_ref().filter(|w| w.owner.id != id && w.mode.conflicts(mode)).map(|w| &w.owner)
    }
    /// The same for a range lock.
    pub(super) fn whole_against_range(&self, id: u64) -> Option<&Arc<Owner>> {
        self.whole.as_ref().filter(|w| w.owner.id != id && w.mode.writes()).map(|w| &w.owner)
    }
    /// Does such a request wait for the whole tree, held by `id`?
    pub(super) fn waits_for_whole(&self, what: &What, id: u64) -> bool {
        self.whole.as_ref().is_some_and(|w| {
            w.owner.id == id
                && match what {
                    What::Row { mode, .. } => w.mode.conflicts(*mode),
                    What::Range { .. } => w.mode.writes(),
                }
        })
    }
}
