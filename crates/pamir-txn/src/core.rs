//! What all parts of a shard share. Threads, transactions and machines hold it; [`crate::Shard`] is its public face.
use crate::applier::{Applier, PreparedCell};
use crate::checkpoint::{CheckpointMachine, Requests};
use crate::commit::{After, ApplyQueue, CommitQueue, Inline, LogMachine, Logged, Pending};
use crate::handover::Overlay;
use crate::history::History;
use crate::large::LargeCommits;
use crate::lock::{LockManager, Owner};
use crate::memory::MemoryAccount;
use crate::outcome::Outcomes;
use crate::reign::Reign;
use crate::replica::{Entered, Replica};
use crate::sequence::Sequences;
use crate::shard::{ShardOptions, Ts};
use crate::snapshot::Registry;
use crate::told::Told;
use crate::version::VersionStore;
use pamir_error::{Error, Result, err};
use pamir_storage::disk::Disk;
use pamir_storage::log::Lsn;
use pamir_storage::platform::{Platform, Real};
use pamir_storage::store::{Store, TreeId};
use pamir_storage::task::{self, Errand};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Poll, Waker};

/// The longest record of a replica: it goes to other nodes in one message, and nobody is to wait long behind it.
pub(crate) const LONGEST_REPLICATED: usize = 24 << 20;
/// Ids from here on are of trees that one process has for itself: those of the others are the same at all replicas.
pub(crate) const LOCAL_TREES: u64 = 1 << 62;

#[derive(Default)]
pub(crate) struct Stats {
    pub commits: AtomicU64,
    pub log_records: AtomicU64,
    pub log_syncs: AtomicU64,
    /// Records rolled back because the disk is full.
    pub refused: AtomicU64,
    pub checkpoints: AtomicU64,
    pub purged: AtomicU64,
    pub snapshots_given_up: AtomicU64,
}

pub(crate) struct Core {
    /// For temporary files; log and store have their own.
    pub disk: Arc<dyn Disk>,
    pub store: Arc<Store>,
    pub opts: ShardOptions,
    pub platform: Arc<dyn Platform>,
    pub snapshots: Arc<Registry>,
    pub versions: VersionStore,
    pub locks: LockManager,
    pub queue: CommitQueue,
    pub applies: ApplyQueue,
    pub overlay: Overlay,
    pub checkpoints: Requests,
    pub sequences: Sequences,
    pub large: LargeCommits,
    pub history: History,
    pub prepared: Mutex<FxHashMap<String, Arc<PreparedCell>>>,
    /// Trees and when they were built, as long as some snapshot may be older.
    pub young_trees: Mutex<FxHashMap<TreeId, Ts>>,
    /// When the newest of them was built.
    newest_tree: AtomicU64,
    pub next_txn: AtomicU64,
    pub next_tree: AtomicU64,
    next_local_tree: AtomicU64,
    /// The newest commit that changed the catalog's tree, known before it is visible.
    pub catalog_ts: AtomicU64,
    /// Hears of what is put into [`MESSAGE_TREE`](crate::MESSAGE_TREE).
    pub listener: OnceLock<crate::Listener>,
    /// Which leadership this is; a shard of its own has but one.
    pub reign: Reign,
    /// None: a shard with a log of its own.
    pub replica: Option<Replica>,
    /// None: a shard with a log of its own, of which nobody asks.
    pub outcomes: Option<Outcomes>,
    /// Numbers that SQL was told.
    pub told: Told,
    /// Mutex order: checkpoint machine, log machine, applier; then any of the small ones.
    pub log: Mutex<Option<LogMachine>>,
    pub applier: Mutex<Applier>,
    pub checkpointer: Mutex<CheckpointMachine>,
    /// No threads: whoever waits drives the machines.
    pub stepped: bool,
    pub inline: Inline,
    pub memory: Arc<MemoryAccount>,
    pub write_sets: Arc<MemoryAccount>,
    /// Follows [`VersionStore::bytes`]; brought up to date by the applier after each batch.
    pub version_account: Arc<MemoryAccount>,
    pub stats: Stats,
    failure: OnceLock<Error>,
    failed: AtomicBool,
    /// Why the newest refused commits were refused: for those who wait for a counter.
    pub refusal: Mutex<Option<Error>>,
}

/// The log thread's turn, done by a worker whose only session waits for its commit.
pub(crate) struct LogErrand(pub Weak<Core>);
impl Errand for LogErrand {
    fn run(&self) {
        let Some(core) = self.0.upgrade() else { return };
        match catch_unwind(AssertUnwindSafe(|| core.log_turn_if_free())) {
            Ok(true) => {}
            Ok(false) => core.queue.ring(),
            Err(_) => core.fail(Error::internal("the log's turn panicked")),
        }
    }
    fn hand_over(&self) {
        if let Some(core) = self.0.upgrade() {
            core.queue.ring();
        }
    }
}

impl Core {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        disk: Arc<dyn Disk>,
        store: Arc<Store>,
        opts: ShardOptions,
        applier: Applier,
        first_tree: u64,
        replica: Option<Replica>,
        stepped: bool,
    ) -> Core {
        let reign = if replica.is_some() { Reign::of_replica() } else { Reign::default() };
        let platform = opts.platform.clone().unwrap_or_else(Real::shared);
        let memory = MemoryAccount::root("shard", u64::MAX);
        let write_sets = memory.child("write sets", u64::MAX);
        let version_account = memory.child("old versions", u64::MAX);
        let outcomes = (replica.is_some() || opts.outcomes).then(Outcomes::default);
        Core {
            disk,
            store,
            opts,
            snapshots: Arc::new(Registry::new(0)),
            versions: VersionStore::new(),
            locks: LockManager::in_reign(reign.clone()),
            queue: CommitQueue::default(),
            applies: ApplyQueue::default(),
            overlay: Overlay::new(),
            checkpoints: Requests::default(),
            sequences: Sequences::default(),
            large: LargeCommits::new(),
            history: History::default(),
            prepared: Mutex::default(),
            young_trees: Mutex::default(),
            newest_tree: AtomicU64::new(0),
            next_txn: AtomicU64::new(1),
            next_tree: AtomicU64::new(first_tree),
            next_local_tree: AtomicU64::new(LOCAL_TREES),
            catalog_ts: AtomicU64::new(0),
            listener: OnceLock::new(),
            reign,
            outcomes,
            told: Told::default(),
            replica,
            log: Mutex::new(None),
            applier: Mutex::new(applier),
            checkpointer: Mutex::default(),
            stepped,
            inline: Inline::on(platform.processors()),
            platform,
            memory,
            write_sets,
            version_account,
            stats: Stats::default(),
            failure: OnceLock::new(),
            failed: AtomicBool::new(false),
            refusal: Mutex::default(),
        }
    }
    /// The id of a tree that no record names: before-images and history. It dies with the process.
    pub fn local_tree(&self) -> TreeId {
        TreeId(self.next_local_tree.fetch_add(1, Ordering::Relaxed))
    }
    /// Local trees of before the start that are still there have ids of their own.
    pub fn skip_local_trees(&self) {
        let newest = self.store.trees().last().map_or(0, |t| t.0);
        self.next_local_tree.fetch_max(newest + 1, Ordering::Relaxed);
    }
    /// A tree comes with the commit at `ts`.
    pub fn note_young(&self, tree: TreeId, ts: Ts) {
        self.young_trees.lock().insert(tree, ts);
        self.newest_tree.fetch_max(ts, Ordering::Release);
    }
    /// Whether `tree` was built after the snapshot: then it lacks what only older snapshots see.
    #[inline]
    pub fn is_younger(&self, tree: TreeId, snap: Ts) -> bool {
        self.newest_tree.load(Ordering::Acquire) > snap
            && self.young_trees.lock().get(&tree).is_some_and(|built| *built > snap)
    }
    #[inline]
    pub fn failure(&self) -> Option<Error> {
        if self.failed.load(Ordering::Acquire) { self.failure.get().cloned() } else { None }
    }
    /// The first failure is the one that is told.
    pub fn fail(&self, e: Error) {
        tracing::error!(error = %e, "the shard stops");
        let _ = self.failure.set(e);
        self.failed.store(true, Ordering::Release);
        self.checkpoints.wake_all();
        self.locks.stop();
        self.sequences.wake_all();
        let mut wake = Vec::new();
        self.overlay.wake_all(&mut wake);
        if let Some(r) = &self.replica {
            r.wake_all(&mut wake);
        }
        wake.into_iter().for_each(Waker::wake);
    }
    /// Everything up to here is on disk; None: nobody knows.
    pub fn log_durable(&self) -> Option<Lsn> {
        match &self.replica {
            Some(r) => Some(r.journal.durable()),
            None => self.log.lock().as_ref().map(LogMachine::durable),
        }
    }
    pub fn log_failed(&self) -> bool {
        match &self.replica {
            Some(r) => r.journal.failed(),
            None => self.log.lock().as_ref().is_some_and(LogMachine::failed),
        }
    }
    /// No part of the log before `keep` is needed any more.
    pub fn truncate_log(&self, keep: Lsn, entered: &Entered) -> Result<()> {
        match &self.replica {
            Some(r) => r.journal.release(keep, entered),
            None => {
                let keep = keep.min(self.opts.holds.lowest());
                self.log.lock().as_mut().map_or(Ok(()), |l| l.truncate_before(keep))
            }
        }
    }
    /// The error of those who waited for something that was refused.
    pub fn refusal(&self) -> Error {
        self.refusal.lock().clone().unwrap_or_else(|| err!(DISK_FULL, "No space left on device"))
    }
    /// These will never be known durable; their locks stay, nobody may build on them.
    pub fn answer_failed(&self, batch: Vec<Pending>) {
        let mut wake = Vec::new();
        for p in batch {
            p.owner.decide(None, &mut wake);
            if let After::Refill { key, generation, end, .. } = p.after {
                self.sequences.refilled(key, generation, 0, end, &mut wake);
            }
        }
        self.overlay.wake_all(&mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
    pub fn push(&self, p: Pending) -> Result<()> {
        if let Some(e) = self.failure() {
            return Err(e);
        }
        self.enqueue(p).map_err(|r| r.0)
    }
    /// Gives the record its place in the queue, or gives it back.
    pub fn enqueue(&self, p: Pending) -> Result<(), (Error, Box<Pending>)> {
        if self.replica.is_some() && p.record.len() > LONGEST_REPLICATED {
            let e =
                err!(PROGRAM_LIMIT_EXCEEDED, "a change of {} bytes is too long for a cluster's log", p.record.len())
                    .detail(format!(
                        "One value, or one prepared transaction, may have up to {LONGEST_REPLICATED} bytes."
                    ));
            return Err((e, Box::new(p)));
        }
        // The transaction itself has given up its snapshot. An errand is no longer than a batch that the log thread applies itself.
        let alone = self.snapshots.pinned() == 0 && p.record.len() <= Inline::BYTES;
        self.queue.push(p, &self.overlay, alone)
    }
    /// Drives every machine once; false: nothing was to be done.
    pub fn step_all(&self) -> bool {
        let mut did = self.step_log() > 0;
        did |= self.step_applier() > 0;
        did |= self.checkpointer.lock().step(self);
        did
    }
    /// The number of records.
    pub fn step_log(&self) -> usize {
        self.log_once().records
    }
    fn log_once(&self) -> Logged {
        self.log.lock().as_mut().map_or_else(Logged::default, |l| l.step(self))
    }
    /// A batch and a slice of a large commit; the number of records and slices.
    pub fn step_applier(&self) -> usize {
        let mut a = self.applier.lock();
        a.step(self) + a.slice(self) as usize
    }
    /// One turn of the log thread: make durable, and apply at once if the applier is idle and the batch small.
    pub fn log_turn(&self) {
        let logged = self.log_once();
        self.apply_logged(logged);
    }
    pub fn apply_logged(&self, logged: Logged) {
        if self.inline.takes(logged)
            && let Some(mut a) = self.applier.try_lock()
        {
            while a.step(self) > 0 {}
            if a.has_large() {
                // Slices are the applier's work: the next batch must not wait for them.
                self.applies.poke();
            }
            return;
        }
        self.applies.notify();
    }
    /// A turn of the log thread's, by a thread that would only wait for it. False: it is at work.
    fn log_turn_if_free(&self) -> bool {
        let Some(mut log) = self.log.try_lock() else { return false };
        let logged = log.as_mut().map_or_else(Logged::default, |l| l.step(self));
        drop(log);
        self.apply_logged(logged);
        true
    }
    /// Waits until `poll` is ready. A simulation's task leaves the machines to it. Without threads the caller drives them meanwhile, and parks when they have nothing to do
    /// and this is a task: then it is for another task to come first. Where there is no other it is an error rather than a thread that hangs.
    pub fn wait_until<T>(&self, mut poll: impl FnMut(&Waker) -> Poll<T>) -> Result<T> {
        if !self.stepped || task::is_simulated() {
            return crate::sequence::park(poll).ok_or_else(|| Error::internal("a wait without a deadline ended"));
        }
        loop {
            if let Poll::Ready(v) = poll(Waker::noop()) {
                return Ok(v);
            }
            if !self.step_all() {
                if task::is_task() {
                    return crate::sequence::park(poll)
                        .ok_or_else(|| Error::internal("a wait without a deadline ended"));
                }
                return Err(Error::internal("stepped shard: waiting for something that cannot happen"));
            }
        }
    }
    /// Waits for the fate of a pushed record.
    pub fn await_outcome(&self, owner: &Owner) -> Result<Ts> {
        self.wait_until(|w| {
            if let Some(o) = owner.outcome() {
                return Poll::Ready(o);
            }
            owner.register(w);
            match owner.outcome() {
                Some(o) => Poll::Ready(o),
                None => Poll::Pending,
            }
        })?;
        self.verdict(owner).unwrap_or_else(|| Err(self.unknown()))
    }
    /// None: undecided.
    pub fn verdict(&self, owner: &Owner) -> Option<Result<Ts>> {
        owner.outcome().map(|o| o.ok_or_else(|| owner.refusal().unwrap_or_else(|| self.unknown())))
    }
    /// The error of a commit whose record may or may not be durable.
    pub fn unknown(&self) -> Error {
        let why = self.failure().map_or(String::new(), |e| e.message().to_string());
        err!(TRANSACTION_RESOLUTION_UNKNOWN, "could not make the transaction durable: {why}")
            .hint("The server stops; after its restart, check whether the transaction is there.")
    }
}
