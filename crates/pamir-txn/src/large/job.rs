//! A decided large commit: when it is worked on, and how it becomes visible.
//!
//! ```text
//!   Waiting ── first slice ──► Applying ── last operation ──► Applied ── Finish pushed ──► Finishing ── Finish durable ──► visible
//! ```
//! *Invariants*: only the first job has begun; one becomes visible in the order of CommitParts; its row locks go after its timestamp was published. After an error nothing
//! of it is answered: recovery finishes what is decided.
use super::parts::PartRef;
use super::slice::Budget;
use super::{NONE, RESERVE_AHEAD};
use crate::applier::{Applier, PreparedCell, in_order, release_adopted};
use crate::commit::{After, Answer, Callback, Pending};
use crate::core::Core;
use crate::lock::{HeldLocks, Owner};
use crate::purge::PurgeQueue;
use crate::record::{self, Op, PART_OPS_AT, Reader, Record};
use crate::shard::Ts;
use pamir_error::{Result, bail};
use pamir_storage::log::Lsn;
use pamir_storage::store::{Build, TreeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;
use std::time::{Duration, Instant};

/// How long a slice lasts, on a shard with threads.
pub const SLICE_TIME: Duration = Duration::from_millis(1);
/// Value bytes of one slice.
const SLICE_BYTES: u64 = 1 << 20;
/// Keys whose leaves are brought into memory before a slice; whether a batch has come is looked at after every few of them.
const TOUCH_KEYS: usize = 512;
const TOUCH_GLANCE: usize = 16;

/// Operations that a slice will begin with: the bytes they lie in, and where.
pub(crate) struct Ahead(Bytes, usize);

/// Brings the leaves of the next slice into memory. Done by the applier's thread, but beside the applier: whoever has a small batch may apply it meanwhile.
pub(crate) fn touch(core: &Core, ahead: &Ahead) {
    let mut ops = Reader(ahead.0.get(ahead.1..).unwrap_or_default());
    let mut value = Vec::new();
    for n in 1..=TOUCH_KEYS {
        let Ok(Some(Op::Put(tree, key, _) | Op::Delete(tree, key) | Op::Move(tree, key, _))) =
            record::next_op(&mut ops)
        else {
            return;
        };
        // An error, or a tree that is gone, will meet the applier, who can tell it.
        let _ = core.store.get(tree, key, &mut value);
        if n % TOUCH_GLANCE == 0 && !core.applies.is_empty() {
            return;
        }
    }
}

#[derive(Clone)]
pub(super) enum Stage {
    Waiting,
    Applying,
    /// All is applied; Finish is to be pushed.
    Applied,
    /// Finish is on its way.
    Finishing,
}

/// Who waits for it.
pub(crate) struct Session {
    pub answer: Answer,
    /// Who holds the locks.
    pub owner: Arc<Owner>,
    pub locks: HeldLocks,
    pub callbacks: Vec<Callback>,
}

impl Session {
    /// Of a commit that this process knows from the log alone. `owner` holds `locks`.
    pub fn nobody(owner: Arc<Owner>, locks: HeldLocks) -> Session {
        Session { answer: Answer::to_nobody(), owner, locks, callbacks: Vec::new() }
    }
}

/// Where the operations are.
pub(super) enum Source {
    Parts(u64, Vec<PartRef>),
    Prepared(Arc<PreparedCell>),
}
/// Bytes with operations in them.
#[derive(Clone)]
pub(super) enum Bytes {
    Part(Arc<Vec<u8>>),
    Prepared(Arc<PreparedCell>),
}
impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Part(b) => b,
            Bytes::Prepared(c) => &c.body.ops,
        }
    }
}

/// A decided large commit.
pub(crate) struct Job {
    pub ts: Ts,
    pub(super) source: Source,
    /// The next operation: in this part at this byte.
    pub(super) part: usize,
    pub(super) at: usize,
    pub(super) bytes: Option<Bytes>,
    /// The tree last put into: it was empty then, or it is not any more.
    pub(super) tree: Option<TreeId>,
    pub(super) build: Option<Build>,
    pub(super) created: Vec<TreeId>,
    pub drops: Vec<TreeId>,
    pub purge: PurgeQueue,
    pub sweeps: BTreeSet<TreeId>,
    pub before: Vec<TreeId>,
    pub(super) before_bytes: u64,
    /// Reserved in the page file for a prepared transaction; parts have their own.
    pub(super) pages: u64,
    pub(super) stage: Stage,
    /// None in recovery.
    pub(super) session: Option<Session>,
    /// A replica's, of before it was started: entries of it may be on pages without a before-image, so nobody reads until it is finished.
    pub(super) resumed: bool,
    /// It changes the catalog's tree.
    pub(super) catalog: bool,
    /// What it says to those who listen.
    pub(super) messages: Vec<Box<[u8]>>,
}
impl Job {
    pub(super) fn new(ts: Ts, source: Source) -> Job {
        Job {
            ts,
            part: 0,
            at: if matches!(source, Source::Parts(..)) { PART_OPS_AT } else { 0 },
            source,
            bytes: None,
            tree: None,
            build: None,
            created: Vec::new(),
            drops: Vec::new(),
            purge: PurgeQueue::default(),
            sweeps: BTreeSet::new(),
            before: Vec::new(),
            before_bytes: 0,
            pages: 0,
            stage: Stage::Waiting,
            session: None,
            resumed: false,
            catalog: false,
            messages: Vec::new(),
        }
    }
}

impl Job {
    /// Readers are told, before the first of its entries is on a page.
    fn begin(&mut self, core: &Core) {
        core.large.known.write().insert(self.ts, FxHashMap::default());
        core.large.current.store(self.ts, Ordering::Release);
        self.stage = Stage::Applying;
    }
}

/// The large commits of an applier.
#[derive(Default)]
pub(crate) struct Large {
    /// Parts without a CommitParts so far, by transaction.
    pub(super) undecided: FxHashMap<u64, Vec<PartRef>>,
    /// Transactions of which a part found no room.
    pub(super) refused: FxHashSet<u64>,
    /// Bytes of parts in memory.
    pub(super) cached: usize,
    /// Oldest first; only the first has begun.
    pub jobs: VecDeque<Job>,
    /// The newest timestamp that recovery has applied, but not yet met the Finish of.
    pub recovered: Ts,
    /// The tree under construction.
    pub building: Option<TreeId>,
    /// Finished ones that a snapshot may be older than: timestamp, before-images, their bytes.
    pub retired: VecDeque<(Ts, Vec<TreeId>, u64)>,
}

impl Applier {
    /// The end of recovery: what is not decided now never will be, and what is decided is visible.
    pub(crate) fn end_recovery(&mut self, core: &Core) {
        core.snapshots.publish(self.large.recovered.max(core.snapshots.applied()));
        let all: Vec<u64> = self.large.undecided.keys().copied().collect();
        all.into_iter().for_each(|t| self.drop_parts(core, t));
    }
    /// CommitParts: takes the parts together. The work is done by [`Applier::slice`].
    pub(crate) fn decide(&mut self, core: &Core, record: &[u8], lsn: Lsn, session: Option<Session>) -> Result<()> {
        let Record::CommitParts { ts, txn, parts: n } = record::read(record)? else { return Reader::damaged() };
        core.next_txn.fetch_max(txn.saturating_add(1), Ordering::Relaxed);
        in_order(core, ts, session.is_some())?;
        let parts = self.large.undecided.remove(&txn).unwrap_or_default();
        if parts.len() != n as usize {
            bail!(DATA_CORRUPTED, "the log commits transaction {txn} of {n} parts, {} of which it has", parts.len());
        }
        self.large.jobs.push_back(Job { session, ..Job::new(ts, Source::Parts(txn, parts)) });
        core.note_decided(txn, ts);
        self.applied_lsn = lsn;
        Ok(())
    }
    /// The same in a replica's recovery: it becomes visible with its Finish.
    pub(crate) fn decide_recovered(&mut self, cell: Arc<PreparedCell>, ts: Ts, lsn: Lsn) {
        self.large.jobs.push_back(Job::new(ts, Source::Prepared(cell)));
        self.applied_lsn = lsn;
    }
    /// COMMIT PREPARED of a large transaction.
    pub(crate) fn decide_prepared(
        &mut self,
        cell: Arc<PreparedCell>,
        ts: Ts,
        lsn: Lsn,
        pages: u64,
        session: Session,
    ) -> Result<()> {
        self.large.jobs.push_back(Job { session: Some(session), pages, ..Job::new(ts, Source::Prepared(cell)) });
        self.applied_lsn = lsn;
        Ok(())
    }
    /// The end of a replica's recovery: what is decided becomes visible with its Finish, which is still to come; what is not may be decided yet.
    pub(crate) fn resume_large(&mut self) {
        for job in &mut self.large.jobs {
            let (owner, locks) = match &job.source {
                Source::Parts(..) => (Arc::new(Owner::new(0)), HeldLocks::default()),
                Source::Prepared(cell) => (cell.owner.clone(), cell.take_held().0),
            };
            job.session = Some(Session::nobody(owner, locks));
            job.resumed = true;
        }
    }
    /// Is there a large commit of before the start?
    pub(crate) fn has_resumed(&self) -> bool {
        self.large.jobs.iter().any(|j| j.resumed)
    }
    /// The newest timestamp of a commit that is decided and not finished; 0: there is none.
    pub(crate) fn newest_large(&self) -> Ts {
        self.large.jobs.back().map_or(0, |j| j.ts)
    }
    /// The Finish of the first large commit got no place: it is to be pushed again, by whoever leads.
    pub(crate) fn unfinish(&mut self) {
        if let Some(job) = self.large.jobs.front_mut().filter(|j| matches!(j.stage, Stage::Finishing)) {
            job.stage = Stage::Applied;
        }
    }
    /// The log of the group has the Finish of timestamp `ts`: what is left of that commit is done now.
    pub(crate) fn finish_replicated(&mut self, core: &Core, ts: Ts, wake: &mut Vec<Waker>) -> Result<()> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Reader::damaged() };
        if job.ts != ts {
            bail!(DATA_CORRUPTED, "the log finishes the large commit {ts} before {}", job.ts);
        }
        if matches!(job.stage, Stage::Waiting) {
            job.begin(core);
        }
        let done = match job.stage {
            Stage::Applying => self.work(core, &mut job, true, &mut Budget { ..Budget::ALL }).map(drop),
            _ => Ok(()),
        };
        self.large.jobs.push_front(job);
        done?;
        self.finish(core, wake)
    }
    /// Does a slice of the oldest large commit. False: there is nothing to be done now.
    pub(crate) fn slice(&mut self, core: &Core) -> bool {
        if self.large.jobs.is_empty() {
            return false;
        }
        if core.failure().is_some() {
            // Recovery will finish them. Dropped, they answer that the outcome is unknown.
            self.large.jobs.clear();
            return false;
        }
        let r = self.try_slice(core);
        if let Err(e) = &r {
            core.fail(e.clone());
            self.large.jobs.clear();
        }
        r.unwrap_or(false)
    }
    /// What [`touch`] is to look at; None while all pages fit into memory.
    pub(crate) fn ahead(&self, core: &Core) -> Option<Ahead> {
        let job = self.large.jobs.front()?;
        if job.build.is_some() || core.store.stats().pages_evicted.load(Ordering::Relaxed) == 0 {
            return None;
        }
        Some(Ahead(job.bytes.clone()?, job.at))
    }
    fn try_slice(&mut self, core: &Core) -> Result<bool> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Ok(false) };
        let r = self.try_slice_of(core, &mut job);
        self.large.jobs.push_front(job);
        if matches!(r, Ok(None)) {
            // Nobody can commit any more, and the log is closed: it needs no Finish to come after everybody.
            let mut wake = Vec::new();
            self.finish(core, &mut wake)?;
            wake.into_iter().for_each(Waker::wake);
            return Ok(true);
        }
        r.map(|did| did.unwrap_or(false))
    }
    /// None: it is to be finished without a record.
    fn try_slice_of(&mut self, core: &Core, job: &mut Job) -> Result<Option<bool>> {
        match &job.stage {
            Stage::Waiting => job.begin(core),
            Stage::Applying => {}
            Stage::Finishing => return Ok(Some(false)),
            Stage::Applied => {}
        }
        if matches!(job.stage, Stage::Applied) {
            let p = Pending::new(record::finish(job.ts), &Arc::new(Owner::new(0)), After::Finish);
            return match core.queue.push(p, &core.overlay, false) {
                Ok(()) => {
                    job.stage = Stage::Finishing;
                    Ok(Some(true))
                }
                Err(_) if core.replica.is_none() && core.queue.is_over() && core.applies.is_empty() => Ok(None),
                Err(_) => Ok(Some(false)),
            };
        }
        // Commits beside it come near the reserved timestamp: now without a pause.
        let hurry = core.snapshots.applied() + RESERVE_AHEAD / 2 > job.ts;
        let mut budget = if hurry {
            Budget::ALL
        } else {
            Budget {
                ops: core.opts.slice_ops.max(1) as u64,
                bytes: SLICE_BYTES,
                deadline: (!core.stepped).then(|| Instant::now() + SLICE_TIME),
            }
        };
        core.large.slices.fetch_add(1, Ordering::Relaxed);
        if self.work(core, job, true, &mut budget)? {
            job.stage = Stage::Applied;
        }
        Ok(Some(true))
    }
    /// Recovery: applies all that is decided.
    pub(crate) fn finish_recovered(&mut self, core: &Core) -> Result<()> {
        while let Some(mut job) = self.large.jobs.pop_front() {
            self.work(core, &mut job, false, &mut Budget { ..Budget::ALL })?;
            self.large.jobs.push_front(job);
            self.finish(core, &mut Vec::new())?;
        }
        Ok(())
    }
    /// A replica's recovery meets the Finish of timestamp `ts`: applies that commit, which is the first.
    pub(crate) fn finish_first_recovered(&mut self, core: &Core, ts: Ts) -> Result<()> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Reader::damaged() };
        if job.ts != ts {
            bail!(DATA_CORRUPTED, "the log finishes the large commit {ts} before {}", job.ts);
        }
        self.work(core, &mut job, false, &mut Budget { ..Budget::ALL })?;
        self.large.jobs.push_front(job);
        self.finish(core, &mut Vec::new())
    }
    /// Finish: the first job becomes visible, its locks go, its session is answered.
    pub(crate) fn finish(&mut self, core: &Core, wake: &mut Vec<Waker>) -> Result<()> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Reader::damaged() };
        let ts = job.ts;
        self.purge.append(&mut job.purge);
        core.store.unreserve(job.pages);
        std::mem::take(&mut job.sweeps).into_iter().for_each(|t| self.sweeps.insert(t));
        self.drops.extend(job.drops.iter().map(|t| (ts, *t)));
        if let Source::Prepared(cell) = &job.source {
            core.prepared.lock().remove(&cell.body.gid);
        }
        let Some(mut session) = job.session.take() else {
            self.large.recovered = self.large.recovered.max(ts);
            if let Source::Prepared(cell) = &job.source {
                release_adopted(core, cell);
            }
            return Ok(());
        };
        self.young.extend(job.created.iter().map(|t| (ts, *t)));
        self.large.retired.push_back((ts, job.before, job.before_bytes));
        self.catalog |= job.catalog;
        self.messages.append(&mut job.messages);
        self.publish(core, ts);
        core.large.current.store(NONE, Ordering::Release);
        core.large.finished.fetch_add(1, Ordering::Relaxed);
        session.callbacks.into_iter().for_each(|f| f(ts));
        session.locks.release_all(&session.owner, &core.locks, wake);
        session.answer.decide(Some(ts), wake);
        Ok(())
    }
    /// The Finish record of timestamp `ts` is durable.
    pub(crate) fn finish_at(&mut self, core: &Core, ts: Ts, wake: &mut Vec<Waker>) -> Result<()> {
        let first = self.large.jobs.front();
        if !first.is_some_and(|j| j.ts == ts && matches!(j.stage, Stage::Finishing)) {
            bail!(INTERNAL_ERROR, "the large commit {ts} is to be finished out of order");
        }
        self.finish(core, wake)
    }
}
