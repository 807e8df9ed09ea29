//! A transaction as locks and the commit pipeline see it.
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::task::Waker;

const RUNNING: u8 = 0;
const WAITING: u8 = 1;
const GRANTED: u8 = 2;
/// Outcome of a commit that did not become durable; the shard's failure says why.
const FAILED: u64 = u64::MAX;
/// Outcome of a commit of which nothing was written, because the disk is full: it is rolled back.
const REFUSED: u64 = u64::MAX - 1;

/// One allocation per transaction, shared by its locks' holders, its waits and its commit.
pub(crate) struct Owner {
    pub id: u64,
    /// The session's process number in deadlock reports; 0: unknown, the transaction id stands in.
    pub pid: AtomicU32,
    /// Somebody may wait for a lock of ours. Never cleared: it is only a shortcut.
    pub blocks_others: AtomicBool,
    wait: AtomicU8,
    /// 0: undecided, FAILED, REFUSED, else the commit timestamp (or 1 for records that have none).
    outcome: AtomicU64,
    waker: Mutex<Option<Waker>>,
}

impl Owner {
    pub fn new(id: u64) -> Owner {
        Owner {
            id,
            pid: AtomicU32::new(0),
            blocks_others: AtomicBool::new(false),
            wait: AtomicU8::new(RUNNING),
            outcome: AtomicU64::new(0),
            waker: Mutex::new(None),
        }
    }
    pub fn process(&self) -> u64 {
        match self.pid.load(Ordering::Relaxed) {
            0 => self.id,
            n => n as u64,
        }
    }
    pub fn register(&self, w: &Waker) {
        let mut slot = self.waker.lock();
        if !slot.as_ref().is_some_and(|old| old.will_wake(w)) {
            *slot = Some(w.clone());
        }
    }
    /// Before the request is queued.
    pub fn start_waiting(&self) {
        self.wait.store(WAITING, Ordering::Release);
    }
    /// Under the queue's mutex. The waker is to be woken after the mutex is released.
    pub fn grant(&self, wake: &mut Vec<Waker>) {
        self.wait.store(GRANTED, Ordering::Release);
        wake.extend(self.waker.lock().take());
    }
    /// Wakes without a grant: something else is to be looked at.
    pub fn rouse(&self, wake: &mut Vec<Waker>) {
        wake.extend(self.waker.lock().take());
    }
    pub fn granted(&self) -> bool {
        self.wait.load(Ordering::Acquire) == GRANTED
    }
    pub fn stop_waiting(&self) {
        self.wait.store(RUNNING, Ordering::Release);
    }
    /// Announces the fate of the commit; None: failed.
    pub fn decide(&self, ts: Option<u64>, wake: &mut Vec<Waker>) {
        self.outcome.store(ts.unwrap_or(FAILED), Ordering::Release);
        wake.extend(self.waker.lock().take());
    }
    /// Announces that the commit is rolled back; [`crate::core::Core::refusal`] says why.
    pub fn refuse(&self, wake: &mut Vec<Waker>) {
        self.outcome.store(REFUSED, Ordering::Release);
        wake.extend(self.waker.lock().take());
    }
    pub fn refused(&self) -> bool {
        self.outcome.load(Ordering::Acquire) == REFUSED
    }
    /// None: undecided; Some(None): failed or refused.
    pub fn outcome(&self) -> Option<Option<u64>> {
        match self.outcome.load(Ordering::Acquire) {
            0 => None,
            FAILED | REFUSED => Some(None),
            ts => Some(Some(ts)),
        }
    }
}
