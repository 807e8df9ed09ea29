//! Intent: one lock on a tree for all entries that a transaction writes there, where their keys follow rows (intention exclusive: Gray and others, 1976).
//!
//! ```text
//!   rows of the table   { 1: me, 2: me, 3: me, ... }     each locked: who writes a row's entries has locked the row
//!   its index by name   rows { (ann,1): me, (bob,2): me } intents [ me, other ]   from so many entries on no row of it is locked
//! ```
//! An entry of an index that is not unique holds its row's key, so two transactions want the same entry only if they want the same row, and that lock comes first. What the lock on
//! the entry is for are those who read the tree under lock (SERIALIZABLE): ranges, and keys locked shared. An intent stands against these as locks on all entries would, and against nothing
//! else: any number of writers have intents beside each other and beside locks on single entries. It may be stricter than the locks it stands for, never weaker.
//!
//! Locks that are weakened at a savepoint count as what they were: SERIALIZABLE alone locks entries shared, and gives nothing back there.
//!
//! It is taken only when nobody else reads the tree under lock or waits for anything there, so it is never waited for and closes no cycle; otherwise the transaction goes on with locks on
//! entries and tries again when it has written twice as many. Rollback to a savepoint gives back the intents that came after it: what was written before was locked before.
//!
//! A prepared transaction lists what it stands for key by key (`LocalTxn::prepare`): its record has no other form.
use super::manager::LockManager;
use super::tree::{TreeLocks, What};
use super::{HeldLocks, LockMark, Owner, RowLock};
use pamir_storage::store::TreeId;
use std::sync::Arc;
use std::task::Waker;

/// From so many entries in one tree on. Fewer are locked one by one: who reads a range waits for them alone.
pub(super) const INTENT_FROM: u32 = 64;
/// So many trees a transaction are counted.
const INTENT_TREES: usize = 64;
/// A tree with more row locks than this is not looked through for readers.
const INTENT_LOOK: usize = 4096;

/// Entries that follow rows, written to a tree by this transaction.
pub(super) struct Followed {
    tree: TreeId,
    written: u32,
    /// The intent's place among the transaction's row locks.
    intent: Option<u32>,
}

impl HeldLocks {
    /// An entry of `tree` is to be written, whose row is locked: is that enough? Else its key is to be locked.
    pub fn follows(&mut self, owner: &Arc<Owner>, lm: &LockManager, tree: TreeId) -> bool {
        let at = match self.followed.iter().position(|f| f.tree == tree) {
            Some(at) => at,
            None if self.followed.len() < INTENT_TREES => {
                self.followed.push(Followed { tree, written: 0, intent: None });
                self.followed.len() - 1
            }
            None => return false,
        };
        let f = &mut self.followed[at];
        if f.intent.is_some() {
            return true;
        }
        f.written = f.written.saturating_add(1);
        if f.written < INTENT_FROM || !f.written.is_power_of_two() || !lm.take_intent(owner, tree) {
            return false;
        }
        f.intent = Some(self.next_place);
        // A place of its own, so that a savepoint is before or after it.
        self.next_place += 1;
        true
    }
    /// The trees with an intent.
    pub fn intents(&self) -> impl Iterator<Item = TreeId> + '_ {
        self.followed.iter().filter(|f| f.intent.is_some()).map(|f| f.tree)
    }
    /// Gives back the intents that came after `mark`.
    pub(super) fn release_intents_to(
        &mut self,
        mark: LockMark,
        owner: &Owner,
        lm: &LockManager,
        wake: &mut Vec<Waker>,
    ) {
        for f in &mut self.followed {
            if f.intent.take_if(|place| *place >= mark.rows).is_some() {
                lm.release_intent(owner.id, f.tree, wake);
            }
        }
    }
}

impl LockManager {
    /// True: `owner` has an intent on the tree now.
    fn take_intent(&self, owner: &Arc<Owner>, tree: TreeId) -> bool {
        let mut shard = self.tree_shard(tree).lock();
        let t = shard.entry(tree).or_default();
        let free = t.nobody_reads(owner.id);
        if free {
            t.intents.push(owner.clone());
        }
        free
    }
    fn release_intent(&self, id: u64, tree: TreeId, wake: &mut Vec<Waker>) {
        let mut shard = self.tree_shard(tree).lock();
        let Some(t) = shard.get_mut(&tree) else { return };
        if let Some(at) = t.intents.iter().position(|o| o.id == id) {
            t.intents.swap_remove(at);
            t.grant_waiters(None, wake);
        }
        LockManager::throw_away(&mut shard, tree);
    }
}

impl TreeLocks {
    /// Nobody but `id` reads here under lock, and nobody waits.
    fn nobody_reads(&self, id: u64) -> bool {
        self.waiters.is_empty()
            && self.whole.as_ref().is_none_or(|w| w.owner.id == id)
            && self.ranges.iter().all(|r| r.owner.id == id)
            && self.rows.len() <= INTENT_LOOK
            && self.rows.values().flatten().all(|h| h.owner.id == id || h.mode.writes())
    }
    /// Those whose intents such a row lock must wait for.
    #[inline]
    pub(super) fn intents_against_row(&self, id: u64, mode: RowLock) -> impl Iterator<Item = &Arc<Owner>> {
        self.intents.iter().filter(move |o| !mode.writes() && o.id != id)
    }
    /// The same for a range lock.
    pub(super) fn intents_against_range(&self, id: u64) -> impl Iterator<Item = &Arc<Owner>> {
        self.intents.iter().filter(move |o| o.id != id)
    }
    /// Does such a request wait for the intent of `id`?
    pub(super) fn waits_for_intent(&self, what: &What, id: u64) -> bool {
        what.mode().is_none_or(|m| !m.writes()) && self.intents.iter().any(|o| o.id == id)
    }
}
