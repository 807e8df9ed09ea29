//! The commit pipeline: queue, log machine, apply queue.
//!
//! ```text
//!   sessions ──push──► CommitQueue ──drain──► LogMachine ──one sync per batch──► ApplyQueue ──► Applier ──► answers
//!                      (mutex)               appends                            (mutex)        changes trees, publishes,
//!                      gives timestamps                                                        releases locks, wakes
//! ```
//! While the applier works on one batch the log machine already syncs the next. But a hand-off costs two switches of threads and a place in the scheduler's queue: when the
//! batch is small ([`Inline`]) and the applier idle, the log thread applies it itself (the applier is behind a mutex and drains the queue in order, so it does not matter who drives it).
//!
//! Invariants: the order of the queue is the order of the log and of the timestamps; a batch enters the apply queue only after it is durable; nothing is
//! answered before it is applied. After a failed append or sync nothing is answered with success any more ([`crate::Shard::failure`]). When the log refuses a batch
//! and goes on, everything pushed after it is refused as well ([`Core::refuse`]): it may rest on what is not there (`handover.rs`).
//!
//! **Commit delay.** A fast disk and a busy machine would make many small batches: the log thread is woken by the first commit, runs at once, and writes it alone, while the sessions
//! whose commits could join it wait for the processor that it takes. So a worker's sessions wake it together ([`Bell::ring_at_rest`]), and when many transactions are open it first lets
//! those run that are ready to ([`CommitDelay`]). With a processor to spare that takes no time, and when it does not pay, it is left.
//!
//! **Alone.** Where no other transaction reads and the worker has nothing else to run, the log thread's turn is an errand that the worker runs itself before it would sleep
//! ([`task::run_at_rest`]): two hand-overs between threads less around the sync, a quarter of one client's update. The machines are behind mutexes, so it does not matter who drives them;
//! an errand that finds the log thread at work leaves the rest to it.
//!
//! **A full disk** is no failure. Before anything of a batch is written, the log reserves its bytes and the page file the pages it may change. If either finds no
//! room, the whole batch and all behind it is refused with 53100 and rolled back; the next batch tries again. A checkpoint is asked for if it would give
//! back old segments or old page images.
use crate::applier::PreparedCell;
use crate::core::Core;
use crate::handover::Overlay;
use crate::large::Clock;
use crate::lock::{HeldLocks, Owner};
use crate::plant::{self, Bug};
use crate::record;
use crate::reign::{self, Reign, ReignNumber};
use crate::replica::Entered;
use crate::shard::Ts;
use pamir_error::{Error, Result, err};
use pamir_storage::disk::is_full;
use pamir_storage::log::{Log, Lsn};
use pamir_storage::task::{self, Bell, Errand};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Waker;
use std::time::{Duration, Instant};

/// What a turn of the log machine took from the queue.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Logged {
    pub records: usize,
    pub bytes: usize,
}

/// Which batches the log thread applies itself when the applier is idle. To apply beside the next sync takes a processor that has nothing else to do; where sessions
/// keep all of them busy, the applier waits for its turn while theirs wait for it: on two processors 64 records rather than 8 are 10% of the
/// commits at 16 and at 64 sessions.
///
/// After one whose pages had to be read from disk the next [`Inline::AFTER_READ`] are the applier's, and so are a replica's first ones: whoever applies in place keeps the log waiting meanwhile, and in a replica all
/// that its turns do. A follower whose cache is cold reads a page for almost every change, and nobody was there before it.
#[derive(Debug)]
pub(crate) struct Inline {
    records: usize,
    /// So many more batches are the applier's.
    pause: AtomicU32,
}
impl Inline {
    const AFTER_READ: u32 = 64;
    const RECORDS: usize = 8;
    const RECORDS_FEW_PROCESSORS: usize = 64;
    const FEW_PROCESSORS: usize = 4;
    /// The next batch must not wait for long: about half a millisecond's changes.
    pub const BYTES: usize = 64 << 10;

    pub fn on(processors: usize) -> Inline {
        let few = processors <= Inline::FEW_PROCESSORS;
        let records = if few { Inline::RECORDS_FEW_PROCESSORS } else { Inline::RECORDS };
        Inline { records, pause: AtomicU32::new(0) }
    }
    pub fn takes(&self, batch: Logged) -> bool {
        let left = self.pause.load(Ordering::Relaxed);
        if left > 0 {
            // What a race loses is one batch.
            self.pause.store(left - 1, Ordering::Relaxed);
            return false;
        }
        batch.records <= self.records && batch.bytes <= Inline::BYTES
    }
    /// A batch has been applied, and so many pages were read for it.
    pub fn applied(&self, read: u64) {
        if read > 0 {
            self.begin_cold();
        }
    }
    /// What batches need will have to be read.
    pub fn begin_cold(&self) {
        self.pause.store(Inline::AFTER_READ, Ordering::Relaxed);
    }
    /// Pages have been read lately.
    pub fn is_cold(&self) -> bool {
        self.pause.load(Ordering::Relaxed) > 0
    }
}

pub(crate) type Callback = Box<dyn FnOnce(Ts) + Send>;

/// What is to be done when the record is durable, beside what its bytes say.
pub(crate) enum After {
    Commit {
        locks: HeldLocks,
        callbacks: Vec<Callback>,
    },
    /// The locks stay; they belong to the prepared transaction from now on.
    Prepare(Arc<PreparedCell>),
    /// CommitParts: as for a commit, once the last slice is applied (see `large.rs`).
    Large {
        locks: HeldLocks,
        callbacks: Vec<Callback>,
    },
    /// A part of a large commit.
    Part,
    /// Finish: what is to be done waits with the large commit.
    Finish,
    /// CommitPrepared, AbortPrepared.
    Resolve(Arc<PreparedCell>),
    /// A counter got room for more values; see `sequence.rs`.
    Refill {
        key: [u8; 9],
        generation: u64,
        steps: u32,
        end: i64,
        /// what `end` was before, should this be refused
        before: (i64, bool),
    },
    /// A counter was set.
    Set {
        key: [u8; 9],
        generation: u64,
    },
    /// A replica's: what another node's leadership brought; all that is to be done stands in the record.
    Replicated,
    /// A replica's, with an empty record: the end of an entry of its group's log.
    Entry(Entered),
}

/// Whoever waits for the record's fate gets an answer, come what may: dropped undecided (a failure, a panic) it says "failed".
pub(crate) struct Answer(Arc<Owner>);
impl Answer {
    pub fn to_nobody() -> Answer {
        Answer(Arc::new(Owner::new(0)))
    }
}
impl std::ops::Deref for Answer {
    type Target = Arc<Owner>;
    fn deref(&self) -> &Arc<Owner> {
        &self.0
    }
}
impl Drop for Answer {
    fn drop(&mut self) {
        if self.0.outcome().is_none() {
            let mut wake = Vec::new();
            self.0.decide(None, &mut wake);
            wake.into_iter().for_each(Waker::wake);
        }
    }
}

pub(crate) struct Pending {
    pub record: Vec<u8>,
    pub owner: Answer,
    pub after: After,
    /// Set when it is pushed; 0: has none.
    pub ts: Ts,
    /// Set by the log machine.
    pub lsn: Lsn,
    /// Pages of the data file reserved for it, by the log machine.
    pub pages: u64,
    /// For how many changes, of how many bytes.
    pub changes: (u64, u64),
    /// Its changes stand in the overlay while it is on its way; see `handover.rs`.
    pub handed: bool,
}

impl Pending {
    pub fn new(record: Vec<u8>, owner: &Arc<Owner>, after: After) -> Pending {
        Pending { record, owner: Answer(owner.clone()), after, ts: 0, lsn: 0, handed: false, pages: 0, changes: (0, 0) }
    }
}

#[derive(Default)]
struct QueueState {
    items: Vec<Pending>,
    /// Gives the timestamps.
    clock: Clock,
    /// The log thread sleeps.
    idle: bool,
    closed: bool,
    /// Of a replica: nothing gets a place that belongs to another reign, or while the replica follows.
    reign: ReignNumber,
    follows: bool,
}
impl QueueState {
    /// Why a record that belongs to `reign` gets no place.
    fn refusal(&self, reign: ReignNumber) -> Option<Error> {
        if self.closed {
            return Some(err!(ADMIN_SHUTDOWN, "the database system is shutting down"));
        }
        let of_now = reign == 0 || reign == self.reign || plant::has(Bug::ReignOutlived);
        match self.follows {
            false if of_now => None,
            true if !reign::is_led(reign) => Some(reign::not_leading()),
            _ => Some(reign::over()),
        }
    }
}
#[derive(Default)]
pub(crate) struct CommitQueue {
    state: Mutex<QueueState>,
    bell: Bell,
    /// The log thread's work, for who is alone.
    errand: OnceLock<Arc<dyn Errand>>,
    /// Who is to be woken instead of the log thread: the machine that drives a replica.
    driver: OnceLock<Waker>,
}
impl CommitQueue {
    /// The first timestamp to be given.
    pub fn start_at(&self, ts: Ts) {
        self.state.lock().clock = Clock::new(ts);
    }
    /// Gives the record its place. `overlay` receives its changes if it hands its locks over: in this order they are there before the record can be
    /// applied. Refused: the queue is closed, or what the transaction rests on was refused.
    /// `alone`: nobody else is known to want anything; the pushing thread may do the log's work itself.
    pub fn push(&self, mut p: Pending, overlay: &Overlay, alone: bool) -> Result<(), (Error, Box<Pending>)> {
        let mut s = self.state.lock();
        if let Some(e) = s.refusal(p.owner.reign()) {
            return Err((e, Box::new(p)));
        }
        // Under the mutex: who comes after a refusal finds it, who came before is refused with the rest.
        if let Some(e) = p.owner.tie().and_then(|on| on.refusal()) {
            return Err((e, Box::new(p)));
        }
        p.ts = s.clock.next(&p.record);
        if p.ts != 0 {
            p.owner.set_place(p.ts);
        }
        if p.handed {
            overlay.enter(&p);
        }
        s.items.push(p);
        let wake = s.idle;
        drop(s);
        if wake && !(alone && self.errand.get().is_some_and(task::run_at_rest)) {
            // Not once for all: the worker that was first may be kept from resting, and the next one's commits must not wait for it.
            match self.driver.get() {
                None => self.bell.ring_at_rest(),
                Some(w) => task::wake_at_rest(w),
            }
        }
        Ok(())
    }
    /// A replica's queue: it begins by following, and `driver` takes what is pushed ([`CommitQueue::drain_some`]).
    pub fn follow_only(&self, reign: &Reign, driver: Waker) {
        let mut s = self.state.lock();
        (s.reign, s.follows, s.idle) = (reign.now(), true, true);
        let _ = self.driver.set(driver);
    }
    /// The replica leads: from now on records get a place, with timestamps of `clock`.
    pub fn begin_reign(&self, reign: &Reign, clock: Clock) {
        let mut s = self.state.lock();
        (s.reign, s.follows, s.clock) = (reign.change(true), false, clock);
    }
    /// The replica leads no longer: hands out what has no place in the log yet.
    pub fn end_reign(&self, reign: &Reign, into: &mut Vec<Pending>) {
        let mut s = self.state.lock();
        (s.reign, s.follows) = (reign.change(false), true);
        into.append(&mut s.items);
    }
    /// Takes the oldest records, of about `bytes` in all, but at least one; false: there are none, and the driver is woken by the next.
    pub fn drain_some(&self, bytes: usize, into: &mut Vec<Pending>) -> bool {
        let mut s = self.state.lock();
        s.idle = s.items.is_empty();
        let mut left = bytes;
        let n = s.items.iter().take_while(|p| {
            let fits = left > 0;
            left = left.saturating_sub(p.record.len());
            fits
        });
        let n = n.count();
        if n == s.items.len() {
            into.append(&mut s.items);
        } else {
            into.extend(s.items.drain(..n));
        }
        n > 0
    }
    /// Tells `batch` and all that is queued behind it, which joins it, that they are refused.
    pub fn refuse(&self, batch: &mut Vec<Pending>, e: &Error, wake: &mut Vec<Waker>) {
        let mut s = self.state.lock();
        batch.append(&mut s.items);
        for p in batch {
            p.owner.refuse(e.clone(), wake);
        }
    }
    pub fn drain(&self, into: &mut Vec<Pending>) {
        std::mem::swap(&mut self.state.lock().items, into);
    }
    pub fn len(&self) -> usize {
        self.state.lock().items.len()
    }
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.bell.ring_all();
    }
    /// Nothing is queued and nothing will be.
    pub fn is_over(&self) -> bool {
        let s = self.state.lock();
        s.closed && s.items.is_empty()
    }
    /// The log's turn as an errand; see [`CommitQueue::push`].
    pub fn lend(&self, turn: Arc<dyn Errand>) {
        let _ = self.errand.set(turn);
    }
    /// Wakes the log thread.
    pub fn ring(&self) {
        self.bell.ring();
    }
    /// Sleeps until there is something; false: closed and empty.
    pub fn wait(&self) -> bool {
        let mut s = self.state.lock();
        while s.items.is_empty() {
            if s.closed {
                return false;
            }
            s.idle = true;
            self.bell.wait(&mut s);
        }
        s.idle = false;
        true
    }
}

/// Where fewer transactions are open than this, waiting for their commits costs more than it brings (PostgreSQL's commit_siblings is alike).
const COMMIT_SIBLINGS: usize = 16;
/// Giving way has paid when it took no longer than this, and as long again for each record that came meanwhile.
const DELAY_PRICE: Duration = Duration::from_micros(200);
/// After it did not, so many batches are written without it.
const DELAY_PAUSE: u32 = 64;

/// The log thread's delay: it gives way before it takes a batch. Without a lasting delay for those who wait for it: beside somebody who keeps the
/// processor (a long statement) at most one batch of [`DELAY_PAUSE`] waits for a slice of the scheduler's.
#[derive(Default)]
pub(crate) struct CommitDelay {
    /// Batches to go without.
    pause: u32,
}
impl CommitDelay {
    /// `open`: transactions that may soon commit.
    pub fn give_way(&mut self, queue: &CommitQueue, open: usize) {
        if open < COMMIT_SIBLINGS {
            return;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let (before, started) = (queue.len(), Instant::now());
        std::thread::yield_now();
        self.judge(started.elapsed(), queue.len().saturating_sub(before));
    }
    fn judge(&mut self, took: Duration, came: usize) {
        let worth = DELAY_PRICE.saturating_mul(u32::try_from(came).unwrap_or(u32::MAX).saturating_add(1));
        if took > worth {
            self.pause = DELAY_PAUSE;
        }
    }
}

#[derive(Default)]
struct ApplyState {
    batches: VecDeque<Vec<Pending>>,
    /// There is something to do beside batches.
    poked: bool,
    closed: bool,
}
/// Durable batches on their way to the applier.
#[derive(Default)]
pub(crate) struct ApplyQueue {
    state: Mutex<ApplyState>,
    wake: Condvar,
}
impl ApplyQueue {
    pub fn push(&self, batch: Vec<Pending>) {
        self.state.lock().batches.push_back(batch);
    }
    pub fn notify(&self) {
        self.wake.notify_one();
    }
    /// Has the applier look whether there is work other than batches.
    pub fn poke(&self) {
        self.state.lock().poked = true;
        self.wake.notify_one();
    }
    pub fn pop(&self) -> Option<Vec<Pending>> {
        self.state.lock().batches.pop_front()
    }
    pub fn is_empty(&self) -> bool {
        self.state.lock().batches.is_empty()
    }
    pub fn len(&self) -> usize {
        self.state.lock().batches.len()
    }
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.wake.notify_all();
    }
    /// Sleeps until there is a batch or the time is up; false: closed and empty.
    pub fn wait(&self, at_most: std::time::Duration) -> bool {
        let mut s = self.state.lock();
        if s.batches.is_empty() && !s.closed && !s.poked && !at_most.is_zero() {
            self.wake.wait_for(&mut s, at_most);
        }
        s.poked = false;
        !(s.closed && s.batches.is_empty())
    }
}

/// Microseconds between two stamps of the log at least.
const STAMP_EVERY: i64 = 1_000;

/// Appends and syncs. Owns the log.
pub struct LogMachine {
    log: Log,
    spare: Vec<Pending>,
    /// The newest time that was stamped.
    stamped: i64,
}
impl LogMachine {
    pub(crate) fn new(log: Log) -> LogMachine {
        LogMachine { log, spare: Vec::new(), stamped: i64::MIN }
    }
    /// Makes everything queued durable and hands it on.
    pub(crate) fn step(&mut self, core: &Core) -> Logged {
        let mut batch = std::mem::take(&mut self.spare);
        core.queue.drain(&mut batch);
        if batch.is_empty() {
            self.spare = batch;
            return Logged::default();
        }
        let stamp = if core.opts.stamps { self.stamp(core.platform.time()) } else { None };
        let result = match core.failure() {
            Some(e) => Err(e),
            None => match self.make_room(core, &mut batch, stamp.as_deref()) {
                Ok(()) => self.write(&mut batch, stamp.as_deref()),
                Err(e) if is_full(&e) && self.log.failure().is_none() => return self.refuse(core, batch, e),
                Err(e) => Err(e),
            },
        };
        let logged = Logged { records: batch.len(), bytes: batch.iter().map(|p| p.record.len()).sum() };
        match result {
            Ok(()) => {
                core.stats.log_syncs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                core.stats.log_records.fetch_add(logged.records as u64, std::sync::atomic::Ordering::Relaxed);
                core.applies.push(batch);
            }
            Err(e) => {
                core.fail(e);
                core.answer_failed(batch);
            }
        }
        logged
    }
    /// Room in the log and in the page file for all of the batch. After an error nothing stays reserved.
    fn make_room(&mut self, core: &Core, batch: &mut [Pending], stamp: Option<&[u8]>) -> Result<()> {
        self.log.reserve(stamp.into_iter().map(<[u8]>::len).chain(batch.iter().map(|p| p.record.len())))?;
        reserve_pages(core, batch)
    }
    /// Rolls back the batch and all that is queued behind it.
    #[cold]
    fn refuse(&mut self, core: &Core, batch: Vec<Pending>, e: Error) -> Logged {
        let records = core.refuse(batch, e);
        core.checkpoints.ask_for_room();
        Logged { records, bytes: 0 }
    }
    /// What a batch written at `now` begins with: times do not go back, and are [`STAMP_EVERY`] apart.
    fn stamp(&mut self, now: i64) -> Option<Vec<u8>> {
        if now < self.stamped.saturating_add(STAMP_EVERY) {
            return None;
        }
        self.stamped = now;
        Some(record::stamp(now))
    }
    fn write(&mut self, batch: &mut [Pending], time: Option<&[u8]>) -> Result<()> {
        // All of them before the first is appended: an error after that is the log's.
        stamp(batch)?;
        if let Some(time) = time {
            self.log.append(time)?;
        }
        for p in batch.iter_mut() {
            p.lsn = self.log.append(&p.record)?;
        }
        self.log.sync()?;
        Ok(())
    }
    pub(crate) fn failed(&self) -> bool {
        self.log.failure().is_some()
    }
    pub(crate) fn durable(&self) -> Lsn {
        self.log.durable()
    }
    pub(crate) fn truncate_before(&mut self, lsn: Lsn) -> Result<()> {
        self.log.truncate_before(lsn)
    }
}

/// Room in the page file for what a batch will change. After an error nothing stays reserved.
pub(crate) fn reserve_pages(core: &Core, batch: &mut [Pending]) -> Result<()> {
    let (mut ops, mut bytes) = (0, 0);
    let is_large = |p: &Pending| record::kind(&p.record) == record::COMMIT_LARGE_PREPARED;
    let mut reserve = || -> Result<()> {
        for p in batch.iter_mut() {
            let (o, b) = match &p.after {
                After::Resolve(cell) => record::count_ops(&cell.body.ops, &|_| false)?,
                _ => record::count(&p.record, &|t| !core.store.tree_exists(t))?,
            };
            p.changes = (o, b);
            if is_large(p) {
                // applied in slices, after the rest of the batch
                p.pages = core.store.reserve(o, b)?;
            } else {
                ops += o;
                bytes += b;
            }
        }
        let pages = core.store.reserve(ops, bytes)?;
        // the rest stays together until it is applied
        match batch.iter_mut().find(|p| !is_large(p)) {
            Some(p) => p.pages = pages,
            None => core.store.unreserve(pages),
        }
        Ok(())
    };
    let r = reserve();
    if r.is_err() {
        batch.iter_mut().for_each(|p| core.store.unreserve(std::mem::take(&mut p.pages)));
    }
    r
}
/// Writes the timestamps that the queue gave into the records.
pub(crate) fn stamp(batch: &mut [Pending]) -> Result<()> {
    batch.iter_mut().filter(|p| p.ts != 0).try_for_each(|p| record::set_ts(&mut p.record, p.ts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_batches_are_applied_at_once() {
        let logged = |records, bytes| Logged { records, bytes };
        let (few, many) = (Inline::on(2), Inline::on(64));
        assert!(few.takes(logged(64, 10_000)) && !few.takes(logged(65, 10_000)));
        assert!(many.takes(logged(8, 10_000)) && !many.takes(logged(9, 10_000)));
        assert!(
            few.takes(logged(1, 64 << 10)) && !few.takes(logged(1, (64 << 10) + 1)),
            "one large record is the applier's"
        );
        few.applied(0);
        assert!(few.takes(logged(1, 100)));
        few.applied(3);
        assert!((0..Inline::AFTER_READ).all(|_| !few.takes(logged(1, 100))), "it waited for the disk");
        assert!(few.takes(logged(1, 100)));
    }

    #[test]
    fn delay_ends_when_it_does_not_pay() {
        let mut c = CommitDelay::default();
        c.judge(DELAY_PRICE, 0);
        c.judge(DELAY_PRICE * 5, 4);
        assert_eq!(c.pause, 0);
        c.judge(DELAY_PRICE * 5, 3);
        assert_eq!(c.pause, DELAY_PAUSE);
        let queue = CommitQueue::default();
        for left in (0..DELAY_PAUSE).rev() {
            c.give_way(&queue, COMMIT_SIBLINGS - 1);
            assert_eq!(c.pause, left + 1);
            c.give_way(&queue, COMMIT_SIBLINGS);
            assert_eq!(c.pause, left);
        }
    }
}
