//! Locks that belong to a session and outlive its transactions: advisory locks.
//!
//! They are held by an [`Owner`] of their own, which makes one *process* with the owner of the session's open transaction: each names the other as its
//! `partner`. What one of them holds is in neither's way, and in the waits-for graph a step to one of them goes on with whichever waits, so cycles
//! through row and table locks of the transaction are found.
//!
//! A lock taken n times is given back n times, each mode by itself. The numbers are those of [`super::TableLock`]s; who makes them sees to it that
//! they are no table's.
//!
//! They are where the session's transactions are: in this process's shard, or elsewhere ([`FarLocks`]). Lock tables are not replicated, so a session's locks are lost when the leadership ends
//! under which they were taken: from then on it holds none, and takes its next ones where its transaction is then.
use super::{LockOutcome, Owner, TableLock, WaitPolicy};
use crate::core::Core;
use crate::reign::ReignNumber;
use crate::txn::LocalTxn;
use pamir_error::Result;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;

/// The locks of one session. Dropping it gives them back.
pub struct SessionLocks(Place);
enum Place {
    Local(Local),
    Far(Box<dyn FarLocks>),
}

/// A session's locks elsewhere. They are taken by the transaction that is there ([`crate::Transaction::lock_for_session`]), which knows what this is. Dropping it gives them back.
pub trait FarLocks: Any + Send {
    /// See [`SessionLocks::unlock`].
    fn unlock(&mut self, number: u64, mode: TableLock) -> bool;
    fn unlock_all(&mut self);
    fn holds(&self, number: u64) -> bool;
    /// See [`SessionLocks::is_lost`].
    fn is_lost(&self) -> bool;
}

/// Those in this process's shard.
struct Local {
    core: Arc<Core>,
    owner: Arc<Owner>,
    reign: ReignNumber,
    /// How often each is held.
    held: FxHashMap<(u64, TableLock), u64>,
}

impl SessionLocks {
    pub(crate) fn new(core: &Arc<Core>) -> SessionLocks {
        SessionLocks(Place::Local(Local::new(core)))
    }
    pub fn elsewhere(far: Box<dyn FarLocks>) -> SessionLocks {
        SessionLocks(Place::Far(far))
    }
    /// What [`SessionLocks::elsewhere`] was given.
    pub fn far(&self) -> Option<&dyn Any> {
        match &self.0 {
            Place::Far(f) => Some(&**f),
            Place::Local(_) => None,
        }
    }
    pub fn far_mut(&mut self) -> Option<&mut dyn Any> {
        match &mut self.0 {
            Place::Far(f) => Some(&mut **f),
            Place::Local(_) => None,
        }
    }
    /// `txn` is the session's transaction from now on.
    pub(crate) fn join(&self, txn: &LocalTxn) {
        if let Place::Local(l) = &self.0 {
            l.join(txn)
        }
    }
    /// Takes a lock, waiting as `txn`, which is to have been joined, may.
    pub(crate) fn lock(
        &mut self,
        txn: &LocalTxn,
        number: u64,
        mode: TableLock,
        policy: WaitPolicy,
    ) -> Result<LockOutcome> {
        // Locks of elsewhere, or of a leadership that is over, are lost.
        if !matches!(&self.0, Place::Local(l) if l.stands()) {
            let l = Local::new(&txn.core);
            l.join(txn);
            self.0 = Place::Local(l);
        }
        match &mut self.0 {
            Place::Local(l) => l.lock(txn, number, mode, policy),
            Place::Far(_) => Err(pamir_error::Error::internal("locks that are elsewhere")),
        }
    }
    /// Gives a lock back once; false: it is not held.
    pub fn unlock(&mut self, number: u64, mode: TableLock) -> bool {
        match &mut self.0 {
            Place::Local(l) => l.stands() && l.unlock(number, mode),
            Place::Far(f) => f.unlock(number, mode),
        }
    }
    pub fn unlock_all(&mut self) {
        match &mut self.0 {
            Place::Local(l) => l.unlock_all(),
            Place::Far(f) => f.unlock_all(),
        }
    }
    /// Were there locks that the session has lost with the leadership under which it took them? Whoever may rely on them is to be told.
    pub fn is_lost(&self) -> bool {
        match &self.0 {
            Place::Local(l) => !l.stands() && !l.held.is_empty(),
            Place::Far(f) => f.is_lost(),
        }
    }
    /// Does the session hold the lock, in any mode?
    pub fn holds(&self, number: u64) -> bool {
        match &self.0 {
            Place::Local(l) => l.stands() && l.held.keys().any(|k| k.0 == number),
            Place::Far(f) => f.holds(number),
        }
    }
}

impl Local {
    fn new(core: &Arc<Core>) -> Local {
        let id = core.next_txn.fetch_add(1, Ordering::Relaxed);
        let reign = core.reign.now();
        let owner = Arc::new(Owner::of_transaction(id, false, reign));
        Local { core: core.clone(), owner, reign, held: FxHashMap::default() }
    }
    /// The leadership under which they were taken lasts.
    fn stands(&self) -> bool {
        self.core.reign.still(self.reign)
    }
    fn join(&self, txn: &LocalTxn) {
        self.owner.pid.store(txn.owner.pid.load(Ordering::Relaxed), Ordering::Relaxed);
        self.owner.partner.store(txn.owner.id, Ordering::SeqCst);
        txn.owner.partner.store(self.owner.id, Ordering::SeqCst);
        // Somebody may wait for the other one: whoever starts to wait looks for deadlocks.
        txn.owner.blocks_others.store(true, Ordering::SeqCst);
        self.owner.blocks_others.store(true, Ordering::SeqCst);
    }
    fn lock(&mut self, txn: &LocalTxn, number: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
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
    fn unlock(&mut self, number: u64, mode: TableLock) -> bool {
        let Some(n) = self.held.get_mut(&(number, mode)) else { return false };
        *n -= 1;
        if *n == 0 {
            self.held.remove(&(number, mode));
            self.release(number, mode);
        }
        true
    }
    fn unlock_all(&mut self) {
        for (number, mode) in std::mem::take(&mut self.held).into_keys() {
            self.release(number, mode);
        }
    }
    fn release(&self, number: u64, mode: TableLock) {
        let mut wake = Vec::new();
        self.core.locks.release_table(self.owner.id, number, mode.bit(), &mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
}
impl Drop for Local {
    fn drop(&mut self) {
        self.unlock_all();
    }
}
