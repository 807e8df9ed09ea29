//! A transaction as locks and the commit pipeline see it.
use crate::reign::ReignNumber;
use crate::sync::lock::Mutex;
use crate::sync::lock::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use pamir_error::Error;
use std::sync::Arc;
use std::task::Waker;

const RUNNING: u8 = 0;
const WAITING: u8 = 1;
const GRANTED: u8 = 2;
/// Outcome of a commit that did not become durable; the shard's failure says why.
const FAILED: u64 = u64::MAX;
/// Outcome of a commit that the log refused: rolled back, the error stands in `tie`.
const REFUSED: u64 = u64::MAX - 1;

/// What the transaction rests on; see `handover.rs`.
#[derive(Default)]
enum Tie {
    #[default]
    None,
    /// The newest commit whose effects it may have met before they were durable.
    On(Arc<Owner>),
    /// Its own commit was refused, with this error.
    Refused(Error),
}

/// One allocation per transaction, shared by its locks' holders, its waits and its commit.
pub(crate) struct Owner {
    pub id: u64,
    /// Its number for SQL and in the log: the id, until it is told one (`told.rs`).
    number: std::sync::atomic::AtomicU64,
    /// It has written something.
    writes: std::sync::atomic::AtomicBool,
    /// The session's process number in deadlock reports; 0: unknown, the transaction id stands in.
    pub pid: AtomicU32,
    /// The other owner of the same session (see `session.rs`); 0: none.
    pub partner: AtomicU64,
    /// Somebody may wait for a lock of ours. Never cleared: it is only a shortcut.
    pub blocks_others: AtomicBool,
    /// Somebody waited for a lock of ours, or we for one we hold: more will come, and the commit hands its locks over. Only a hint.
    pub contended: AtomicBool,
    /// May be granted row locks that a commit on its way has handed over.
    pub follows: bool,
    /// The reign it belongs to and ends with; 0: none.
    reign: std::sync::atomic::AtomicU64,
    wait: AtomicU8,
    /// The commit timestamp, from the moment its record has its place in the log; 0 before.
    place: AtomicU64,
    /// 0: undecided, FAILED, REFUSED, else the commit timestamp (or 1 for records that have none).
    outcome: AtomicU64,
    waker: Mutex<Option<Waker>>,
    /// `tie` is not None.
    tied: AtomicBool,
    tie: Mutex<Tie>,
}

impl Owner {
    pub fn new(id: u64) -> Owner {
        Owner {
            id,
            number: id.into(),
            writes: false.into(),
            pid: AtomicU32::new(0),
            partner: AtomicU64::new(0),
            blocks_others: AtomicBool::new(false),
            contended: AtomicBool::new(false),
            follows: false,
            reign: Default::default(),
            wait: AtomicU8::new(RUNNING),
            place: AtomicU64::new(0),
            outcome: AtomicU64::new(0),
            waker: Mutex::new(None),
            tied: AtomicBool::new(false),
            tie: Mutex::default(),
        }
    }
    /// A transaction's. `follows`: it may be granted what commits on their way hand over.
    pub fn of_transaction(id: u64, follows: bool, reign: ReignNumber) -> Owner {
        Owner { follows, reign: reign.into(), ..Owner::new(id) }
    }
    #[inline]
    pub fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }
    pub fn is_told(&self) -> bool {
        self.number() != self.id
    }
    /// By its own session, before its commit.
    pub fn set_number(&self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
    }
    pub fn has_written(&self) -> bool {
        self.writes.load(Ordering::Acquire)
    }
    pub fn writes(&self) {
        self.writes.store(true, Ordering::Release);
    }
    #[inline]
    pub fn reign(&self) -> ReignNumber {
        self.reign.load(Ordering::Relaxed)
    }
    /// It is prepared: it outlives the leadership under which it began.
    pub fn outlive_reign(&self) {
        self.reign.store(0, Ordering::Relaxed);
    }
    pub fn partner(&self) -> Option<u64> {
        Some(self.partner.load(Ordering::SeqCst)).filter(|p| *p != 0)
    }
    /// Is it this one or its partner?
    pub fn same_session(&self, other: &Owner) -> bool {
        self.id == other.id || self.partner() == Some(other.id)
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
        self.contended.store(true, Ordering::Relaxed);
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

    /// The commit has its place in the log.
    pub fn set_place(&self, ts: u64) {
        self.place.store(ts, Ordering::Release);
    }
    pub fn place(&self) -> u64 {
        self.place.load(Ordering::Acquire)
    }
    /// From now on this transaction stands and falls with `to`, a commit that has its place.
    pub fn tie_to(&self, to: &Arc<Owner>) {
        let mut tie = self.tie.lock();
        match &*tie {
            // The older one is implied: whatever undoes it undoes all that came after it. Unless that has happened already.
            Tie::On(old) if old.place() >= to.place() || old.refused() => return,
            Tie::Refused(_) => return,
            _ => {}
        }
        *tie = Tie::On(to.clone());
        self.tied.store(true, Ordering::Release);
    }
    /// Has this transaction met a commit that was not durable then? It may be now.
    #[inline]
    pub fn tied(&self) -> bool {
        self.tied.load(Ordering::Relaxed)
    }
    /// The commit it rests on.
    pub fn tie(&self) -> Option<Arc<Owner>> {
        if !self.tied() {
            return None;
        }
        match &*self.tie.lock() {
            Tie::On(o) => Some(o.clone()),
            _ => None,
        }
    }
    /// `on` is durable and applied.
    pub fn untie(&self, on: &Arc<Owner>) {
        let mut tie = self.tie.lock();
        if matches!(&*tie, Tie::On(o) if Arc::ptr_eq(o, on)) {
            *tie = Tie::None;
            self.tied.store(false, Ordering::Release);
        }
    }

    /// Announces the fate of the commit; None: failed.
    pub fn decide(&self, ts: Option<u64>, wake: &mut Vec<Waker>) {
        self.outcome.store(ts.unwrap_or(FAILED), Ordering::Release);
        if self.tied() {
            // Else every commit of a chain would keep the one before it.
            *self.tie.lock() = Tie::None;
        }
        wake.extend(self.waker.lock().take());
    }
    /// Announces that the log did not take the record; nothing of it will ever be there.
    pub fn refuse(&self, e: Error, wake: &mut Vec<Waker>) {
        *self.tie.lock() = Tie::Refused(e);
        self.tied.store(true, Ordering::Release);
        self.outcome.store(REFUSED, Ordering::Release);
        wake.extend(self.waker.lock().take());
    }
    /// None: undecided; Some(None): failed or refused.
    pub fn outcome(&self) -> Option<Option<u64>> {
        match self.outcome.load(Ordering::Acquire) {
            0 => None,
            FAILED | REFUSED => Some(None),
            ts => Some(Some(ts)),
        }
    }
    pub fn refused(&self) -> bool {
        self.outcome.load(Ordering::Acquire) == REFUSED
    }
    /// Why the commit was refused.
    pub fn refusal(&self) -> Option<Error> {
        match &*self.tie.lock() {
            Tie::Refused(e) if self.refused() => Some(e.clone()),
            _ => None,
        }
    }
}
