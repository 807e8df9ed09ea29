//! Locks that belong to a session and outlive its transactions: advisory locks.
//!
//! They are held by an [`Owner`] of their own, which makes one *process* with the owner of the session's open transaction: each names the other as its
//! `partner`. What one of them holds is in neither's way, and in the waits-for graph a step to one of them goes on with whichever waits, so cycles
//! through row and table locks of the transaction are found.
//!
//! A lock taken n times is given back n times, each mode by itself. The numbers are those of [`super::TableLock`]s; who makes them sees to it that
//! they are no table's.
use super::{LockOutcome, Owner, TableLock, WaitPolicy};
use crate::core::Core;
use crate::txn::LocalTxn;
use pamir_error::Result;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;

/// The locks of one session. Dropping it gives them back.
pub struct SessionLocks {
    core: Arc<Core>,
    owner: Arc<Owner>,
    /// How often each is held.
    held: FxHashMap<(u64, TableLock), u64>,
}

impl SessionLocks {
    pub(crate) fn new(core: &Arc<Core>) -> SessionLocks {
        let id = core.next_txn.fetch_add(1, Ordering::Relaxed);
        SessionLocks { core: core.clone(), owner: Arc::new(Owner::new(id)), held: FxHashMap::default() }
    }
    /// `txn` is the session's transaction from now on.
    pub(crate) fn join(&self, txn: &LocalTxn) {
        self.owner.pid.store(txn.owner.pid.load(Ordering::Relaxed), Ordering::Relaxed);
        self.owner.partner.store(txn.owner.id, Ordering::SeqCst);
        txn.owner.partner.store(self.owner.id, Ordering::SeqCst);
        // Somebody may wait for the other one: whoever starts to wait looks for deadlocks.
        txn.owner.blocks_others.store(true, Ordering::SeqCst);
        self.owner.blocks_others.store(true, Ordering::SeqCst);
    }
    /// Takes a lock, waiting as `txn`, which is to have been joined, may.
    pub(crate) fn lock(
        &mut self,
        txn: &LocalTxn,
        number: u64,
        mode: TableLock,
        policy: WaitPolicy,
    ) -> Result<LockOutcome> {
        if let Some(n) = self.held.get_mut(&(number, mode)) {
            *n += 1;
            return Ok(LockOutcome::Granted);
        }
        let got = self.core.locks.lock_table(&self.owner, number, mode, policy, &txn.patience())?;
        if got == LockOutcome::Granted {
            self.held.insert((number, mode), 1);
        }
        Ok(got)
    }
    /// Gives a lock back once; false: it is not held.
    pub fn unlock(&mut self, number: u64, mode: TableLock) -> bool {
        let Some(n) = self.held.get_mut(&(number, mode)) else { return false };
        *n -= 1;
        if *n == 0 {
            self.held.remove(&(number, mode));
            self.release(number, mode);
        }
        true
    }
    pub fn unlock_all(&mut self) {
        for (number, mode) in std::mem::take(&mut self.held).into_keys() {
            self.release(number, mode);
        }
    }
    /// Does the session hold the lock, in any mode?
    pub fn holds(&self, number: u64) -> bool {
        self.held.keys().any(|k| k.0 == number)
    }
    fn release(&self, number: u64, mode: TableLock) {
        let mut wake = Vec::new();
        self.core.locks.release_table(self.owner.id, number, mode.bit(), &mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
}
impl Drop for SessionLocks {
    fn drop(&mut self) {
        self.unlock_all();
    }
}
