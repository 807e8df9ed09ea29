//! A shard that is one replica of a group: its log is the group's, and whoever drives the group (`pamir-cluster`) drives its commits.
//!
//! ```text
//!   leads     sessions ── push ──► CommitQueue ── close_batch ──► Batch ──► an entry of the group's log: appended, sent, stored by a quorum
//!                                                                              │ decided                    │ revoke: another entry stands there
//!   follows   entries of another's leadership ── replicate ────────────────────┤                            ▼
//!                                                                              ▼                          40001
//!                                                                  ApplyQueue ──► Applier ──► pages, answers
//! ```
//! - **An entry** is a closed batch: the records of many commits, in the order of the queue, which is that of their timestamps. The end of each comes to the applier as well
//!   ([`Entered`]): a checkpoint says up to which entry it holds everything, and what the group was then.
//! - **Roles.** A replica begins by following: versions are kept for its readers, nobody is answered. It leads after [`Shard::lead`], which the driver calls once an entry of its own term is
//!   applied, and so everything before it. [`Shard::follow`] ends a leadership: what has no place yet is rolled back (40001), with the transactions that are open and the values of counters that
//!   were ahead; what has a place, a batch that the driver still holds, waits for its fate and holds its locks.
//! - **Answers.** What a transaction of the leader read leaves only while no other node can lead ([`Shard::extend_lease`]); a reader at a follower sees a prefix of the log, whose age
//!   `fresh.rs` knows.
//! - **After a start** entries of the log come again that the checkpoint's pages may hold already, and entries beyond what the group is known to have decided stay with the driver
//!   until it knows. Until all that pages may hold is applied, nobody reads ([`Shard::is_readable`]).
//! - **Large commits.** Parts and the record that decides them are of one term: with the first entry of another they are void. A Finish is pushed by whoever leads when
//!   its own slices are done; the others do what is left of theirs when they meet it.
//! - **A cold cache.** A follower has no sessions that read what they change: while its applier has to read pages, the applier's thread applies and not the driver's, and the pages of an entry are asked for together
//!   when it is decided.
//!
//! *Invariants*: entries are applied in the order of the group's log, each once; a record is answered only after `decided`; what `decided` or `replicate` is given is on this disk.
//!
//! Limits: a record of [`crate::core::LONGEST_REPLICATED`] bytes (54000 beyond); a follower without room for what it applies waits, and it is for the driver to reserve before it stores an entry.
use crate::Cancel;
use crate::applier::Applier;
use crate::checkpoint::TXN_ID_SKIP;
use crate::commit::{After, Pending, reserve_pages, stamp};
use crate::core::Core;
use crate::fresh::{Closed, Fresh};
use crate::large::Clock;
use crate::lock::Owner;
use crate::outcome::first_of_term;
use crate::plant::{self, Bug};
use crate::record::{self, Op};
use crate::reign::{self, is_led};
use crate::shard::Shard;
use crate::shard::Ts;
use crate::txn::LocalTxn;
use pamir_error::{Error, Result};
use pamir_storage::log::Lsn;
use pamir_storage::store::image::Image;
use pamir_storage::task;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Of an entry's record pages for so many changes are asked for ahead.
const ASK_AHEAD: usize = 512;

/// The name of an entry of a group's log: no two entries have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct EntryId {
    pub term: u64,
    pub index: u64,
}

/// How far a replica is in its group's log, and what the group was there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entered {
    pub id: EntryId,
    /// The driver's own: who the members are. Empty in what goes with an entry: as before.
    pub group: Arc<[u8]>,
}
impl Entered {
    pub(crate) fn follow(&mut self, next: Entered) {
        self.id = next.id;
        if !next.group.is_empty() {
            self.group = next.group;
        }
    }
}

/// The log that a replica's records stand in, as its checkpoints know it.
pub trait Journal: Send + Sync {
    /// What the driver must find again whatever of the log is given up: it goes into each checkpoint, as it is when that begins.
    fn state(&self) -> Vec<u8>;
    /// Everything up to here is on the disk.
    fn durable(&self) -> Lsn;
    /// This replica has a checkpoint that holds everything up to `entered`, and needs nothing of the log before `lsn`.
    fn release(&self, lsn: Lsn, entered: &Entered) -> Result<()>;
    /// Nobody knows any more what the disk holds.
    fn failed(&self) -> bool;
}

/// What a shard knows of being a replica.
pub(crate) struct Replica {
    pub journal: Arc<dyn Journal>,
    /// The instants of `lease` are counted from here.
    base: Instant,
    /// Nanoseconds; until then no other replica can lead.
    lease: AtomicU64,
    readable: AtomicBool,
    /// Pages may hold changes up to here.
    reach: AtomicU64,
    reach_index: AtomicU64,
    newest: Mutex<EntryId>,
    fresh: Fresh,
    waiting: Mutex<Vec<Waker>>,
}

impl Replica {
    pub fn new(journal: Arc<dyn Journal>) -> Replica {
        let base = task::now();
        Replica {
            journal,
            base,
            fresh: Fresh::new(base),
            lease: AtomicU64::new(0),
            readable: AtomicBool::new(false),
            reach: AtomicU64::new(0),
            reach_index: AtomicU64::new(0),
            newest: Mutex::default(),
            waiting: Mutex::default(),
        }
    }
    /// Recovery has come to `entered`; pages may hold changes up to `reach`, a position of this log and an index of the group's.
    pub fn begin_at(&self, entered: &Entered, applied: Lsn, reach: (Lsn, u64), resumed: bool) {
        self.reach.store(reach.0, Ordering::Relaxed);
        self.reach_index.store(reach.1, Ordering::Relaxed);
        self.entered(entered, applied, resumed, &mut Vec::new());
    }
    /// The applier has come to the end of an entry.
    pub fn entered(&self, entered: &Entered, applied: Lsn, resumed: bool, wake: &mut Vec<Waker>) {
        *self.newest.lock() = entered.id;
        if !self.readable.load(Ordering::Relaxed) && !resumed {
            let reached = applied >= self.reach.load(Ordering::Relaxed)
                && entered.id.index >= self.reach_index.load(Ordering::Relaxed);
            self.readable.store(reached, Ordering::Release);
        }
        self.fresh.entered(entered.id.index);
        self.wake_all(wake);
    }
    pub fn wake_all(&self, wake: &mut Vec<Waker>) {
        wake.append(&mut self.waiting.lock());
    }
    fn holds_lease(&self) -> bool {
        let now = task::now().saturating_duration_since(self.base).as_nanos();
        now < u128::from(self.lease.load(Ordering::Acquire))
    }
    /// What `txn` has read may be told. Of one that began under this node's leadership: as long as that lasts, and only while nobody else can lead; in doubt it waits.
    pub fn may_answer(&self, txn: &LocalTxn) -> Result<()> {
        let core = &txn.core;
        if !is_led(txn.owner.reign()) {
            return Ok(());
        }
        // The reign after the lease: who holds one that began in this reign has not lost it between.
        if self.holds_lease() && core.reign.still(txn.owner.reign()) {
            return Ok(());
        }
        self.await_lease(txn)
    }
    #[cold]
    fn await_lease(&self, txn: &LocalTxn) -> Result<()> {
        let core = &txn.core;
        let p = txn.patience();
        let verdict = |w: &Waker| {
            self.waiting.lock().push(w.clone());
            p.cancel.register(w);
            if let Some(e) = core.failure() {
                Poll::Ready(Err(e))
            } else if !core.reign.still(txn.owner.reign()) {
                Poll::Ready(Err(reign::over()))
            } else if self.holds_lease() {
                Poll::Ready(Ok(()))
            } else if let Err(e) = p.cancel.check() {
                Poll::Ready(Err(e))
            } else {
                Poll::Pending
            }
        };
        task::wait(p.deadline, verdict)
            .unwrap_or_else(|| Err(pamir_error::err!(QUERY_CANCELED, "canceling statement due to statement timeout")))
    }
}

/// Records that were closed together, on their way to become one entry.
pub struct Batch {
    items: Vec<Pending>,
}
impl Batch {
    pub fn records(&self) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        self.items.iter().map(|p| p.record.as_slice())
    }
}

impl Core {
    pub fn is_readable(&self) -> bool {
        self.replica.as_ref().is_none_or(|r| r.readable.load(Ordering::Acquire))
    }
    /// None: there is nothing. What finds no room on the disk is refused, with all that stands behind it.
    fn close_batch(&self, bytes: usize) -> Option<Batch> {
        let mut items = Vec::new();
        if !self.queue.drain_some(bytes, &mut items) {
            return None;
        }
        if let Some(e) = self.failure() {
            self.fail(e);
            self.answer_failed(items);
            return None;
        }
        match reserve_pages(self, &mut items).and_then(|()| stamp(&mut items)) {
            Ok(()) => Some(Batch { items }),
            Err(e) => {
                self.refuse_batch(items, e);
                None
            }
        }
    }
    /// What a leadership had ahead of sequences is lost with it.
    fn forget_counters(&self) {
        if !plant::has(Bug::SequenceKept) {
            self.sequences.forget();
        }
    }
    fn refuse_batch(&self, mut items: Vec<Pending>, e: Error) {
        items.iter_mut().for_each(|p| self.store.unreserve(std::mem::take(&mut p.pages)));
        let full = pamir_storage::disk::is_full(&e);
        self.refuse(items, e);
        if full {
            self.checkpoints.ask_for_room();
        }
    }
}

/// For who drives a replica; of a shard of its own these do nothing.
impl Shard {
    /// Closes a batch of what the queue holds, of about `bytes`, at least one record.
    pub fn close_batch(&self, bytes: usize) -> Option<Batch> {
        self.core.close_batch(bytes)
    }
    /// The batch is entry `entered` of the group's log, and decided; its records end at `ends` on this disk.
    pub fn decided(&self, mut batch: Batch, ends: &[Lsn], entered: Entered, end: Lsn) {
        for (p, lsn) in batch.items.iter_mut().zip(ends) {
            p.lsn = *lsn;
        }
        let n = batch.items.len() as u64;
        self.core.stats.log_records.fetch_add(n, Ordering::Relaxed);
        batch.items.push(entry(entered, end));
        self.core.applies.push(batch.items);
    }
    /// Nothing of the batch will ever be there: another entry stands in its place, or its log had no room. What the queue holds goes with it: it may rest on it.
    pub fn revoke(&self, batch: Batch, e: Error) {
        self.core.refuse_batch(batch.items, e);
    }
    /// The batch's fate is unknown, and will be learnt by nobody here (08007).
    pub fn forsake(&self, batch: Batch) {
        self.core.answer_failed(batch.items);
    }
    /// An entry of another node's leadership is decided: its records, each with its end on this disk.
    pub fn replicate(&self, records: Vec<(Lsn, Vec<u8>)>, entered: Entered, end: Lsn) -> Result<()> {
        let nobody = Arc::new(Owner::new(0));
        let mut items: Vec<Pending> = records
            .into_iter()
            .map(|(lsn, record)| Pending { lsn, ..Pending::new(record, &nobody, After::Replicated) })
            .collect();
        reserve_pages(&self.core, &mut items)?;
        if self.core.inline.is_cold() {
            items.iter().for_each(|p| ask_ahead(&self.core, &p.record));
        }
        items.push(entry(entered, end));
        self.core.applies.push(items);
        Ok(())
    }
    /// Applies what is decided, if that is little and nobody else does; else the applier's thread is woken for it.
    pub fn apply_decided(&self, records: usize, bytes: usize) {
        self.core.apply_logged(crate::commit::Logged { records, bytes });
    }
    /// Begins a leadership. Everything before the driver's first entry of its own term is applied.
    pub fn lead(&self) {
        let core = &self.core;
        // Those that the leadership before gave to transactions that left no trace; and no two leaderships give the same.
        let term = self.applied_entry().term;
        core.next_txn.fetch_add(TXN_ID_SKIP, Ordering::Relaxed);
        core.next_txn.fetch_max(first_of_term(term), Ordering::Relaxed);
        if let Some(o) = &core.outcomes {
            o.begin_reign(core.next_txn.load(Ordering::SeqCst));
        }
        core.begin_told(core.next_txn.load(Ordering::SeqCst));
        if !plant::has(Bug::LocksKept) {
            core.locks.forget_past();
        }
        core.forget_counters();
        let large = core.applier.lock().newest_large();
        let reserved = if plant::has(Bug::LargeClockForgotten) { 0 } else { large };
        core.queue.begin_reign(&core.reign, Clock::going_on(core.snapshots.applied() + 1, reserved));
        tracing::info!("this node leads");
    }
    /// Ends a leadership: rolls back what has no place in the log. Batches that the driver holds wait for their fate.
    pub fn follow(&self) {
        let core = &self.core;
        if !is_led(core.reign.now()) {
            return;
        }
        self.end_lease();
        let mut items = Vec::new();
        core.queue.end_reign(&core.reign, &mut items);
        core.forget_counters();
        core.told.begin(0, Vec::new(), Vec::new());
        core.locks.rouse_all();
        core.refuse(items, reign::over());
        self.wake_waiting();
        tracing::info!("this node leads no longer");
    }
    /// Entries that are decided and not applied yet.
    pub fn backlog(&self) -> usize {
        self.core.applies.len()
    }
    /// Nothing is acknowledged any more: the driver cannot go on.
    pub fn fail(&self, e: Error) {
        self.core.fail(e);
        // Nobody closes a batch any more: what waits for one hears of it, and nothing more comes.
        self.core.queue.close();
        let _ = self.core.close_batch(usize::MAX);
    }
    pub fn leads(&self) -> bool {
        is_led(self.core.reign.now())
    }
    /// No other replica can lead before `until`.
    pub fn extend_lease(&self, until: Instant) {
        let Some(r) = &self.core.replica else { return };
        let nanos = until.saturating_duration_since(r.base).as_nanos();
        let held = r.holds_lease();
        r.lease.fetch_max(u64::try_from(nanos).unwrap_or(u64::MAX), Ordering::AcqRel);
        if !held {
            self.wake_waiting();
        }
    }
    /// Others may lead from now on.
    pub fn end_lease(&self) {
        if let Some(r) = &self.core.replica {
            r.lease.store(0, Ordering::Release);
        }
    }
    pub fn is_replica(&self) -> bool {
        self.core.replica.is_some()
    }
    pub fn holds_lease(&self) -> bool {
        self.core.replica.as_ref().is_some_and(Replica::holds_lease)
    }
    fn wake_waiting(&self) {
        let mut wake = Vec::new();
        if let Some(r) = &self.core.replica {
            r.wake_all(&mut wake);
        }
        wake.into_iter().for_each(Waker::wake);
    }
    /// The newest entry that is applied.
    pub fn applied_entry(&self) -> EntryId {
        self.core.replica.as_ref().map_or_else(EntryId::default, |r| *r.newest.lock())
    }
    /// What the leader has said of how far the log is.
    pub fn take_closed(&self, c: Closed) {
        let Some(r) = &self.core.replica else { return };
        if r.fresh.take(c, || r.newest.lock().index) {
            self.wake_waiting();
        }
    }
    /// A snapshot that is taken after this sees everything that anybody was told before that moment, of this process's clock. None: that is not known, or nobody may read yet.
    pub fn fresh_since(&self) -> Option<Instant> {
        self.core.replica.as_ref().filter(|_| self.is_readable())?.fresh.since()
    }
    /// No commit at or below it is missing here, or will come.
    pub fn closed_ts(&self) -> Ts {
        self.core.replica.as_ref().map_or(0, |r| r.fresh.closed())
    }
    /// Everything that pages may hold is applied: readers see a prefix of the log.
    pub fn is_readable(&self) -> bool {
        self.core.is_readable()
    }
    /// Pins the newest checkpoint, to be sent to another replica: its pages, what it holds for certain, and up to which entry its pages may hold more. None: it names
    /// parts of large commits in this replica's log, and another one is to be taken later.
    pub fn snapshot(&self) -> Result<Option<(Image, Entered, u64)>> {
        // No other checkpoint begins or ends meanwhile.
        let machine = self.core.checkpointer.lock();
        let Some(entered) = machine.newest_alone() else { return Ok(None) };
        let image = self.core.store.image()?;
        Ok(Some((image, entered, self.applied_entry().index)))
    }
    /// Waits until `ready` says so, which is asked again whenever an entry was applied or the role has changed; false: not within `at_most`.
    pub fn await_replica(&self, at_most: Duration, mut ready: impl FnMut(&Shard) -> bool) -> bool {
        let Some(r) = &self.core.replica else { return true };
        let poll = |w: &Waker| {
            r.waiting.lock().push(w.clone());
            if self.core.failure().is_some() || ready(self) { Poll::Ready(()) } else { Poll::Pending }
        };
        task::wait(Some(task::now() + at_most), poll).is_some() && self.core.failure().is_none()
    }
    /// The same for a session: false, not until then; an error where `cancel` asks it to stop.
    pub fn await_replica_until(
        &self,
        until: Instant,
        cancel: &Cancel,
        mut ready: impl FnMut(&Shard) -> bool,
    ) -> Result<bool> {
        let Some(r) = &self.core.replica else { return Ok(true) };
        let poll = |w: &Waker| {
            r.waiting.lock().push(w.clone());
            cancel.register(w);
            if let Some(e) = self.core.failure() {
                return Poll::Ready(Err(e));
            }
            match ready(self) {
                true => Poll::Ready(Ok(true)),
                false => cancel.check().map_or_else(|e| Poll::Ready(Err(e)), |()| Poll::Pending),
            }
        };
        task::wait(Some(until), poll).unwrap_or(Ok(false))
    }
}

/// Has the pages that a commit changes read, beside each other, and waits for none. (Where it was made its session did so, or had read them itself.)
fn ask_ahead(core: &Core, record: &[u8]) {
    let mut ops = record::ops_of(record);
    for _ in 0..ASK_AHEAD {
        match record::next_op(&mut ops) {
            // An error, or a tree that is not there yet, will meet the applier.
            Ok(Some(Op::Put(tree, key, _) | Op::Delete(tree, key) | Op::Move(tree, key, _))) => {
                if let Ok(false) = core.store.prefetch(tree, key) {
                    core.inline.begin_cold();
                }
            }
            Ok(Some(_)) => {}
            _ => return,
        }
    }
}
fn entry(entered: Entered, end: Lsn) -> Pending {
    Pending { lsn: end, ..Pending::new(Vec::new(), &Arc::new(Owner::new(0)), After::Entry(entered)) }
}

impl Applier {
    /// The end of a replica's recovery.
    pub(crate) fn end_replica_recovery(&mut self, core: &Core, reach: Lsn, reach_index: u64) {
        self.resume_large();
        core.skip_local_trees();
        core.inline.begin_cold();
        if let Some(r) = &core.replica {
            r.begin_at(&self.entered, self.applied_lsn, (reach, reach_index), self.has_resumed());
        }
    }
}
