//! The shard: begin, read, lock, write, commit, prepare.
//!
//! ```text
//!   session ── LocalTxn: snapshot, write set, locks
//!      │ reads: Store (newest versions on pages) ──older?──► VersionStore
//!      │ commit: record ─► queue ─► LogMachine ─► Applier ─► pages, versions, applied_ts, locks released, answer
//!   checkpoint thread: CheckpointMachine
//! ```
//! Every leaf value at this layer is `[commit_ts u64 LE][flags u8: bit 0 tombstone][user value]`; callers see only the user value.
//! Trees up to [`FIRST_USER_TREE`] belong to this layer; the first [`LocalTxn::create_tree`] of a new shard returns exactly that number.
//!
//! Invariants: a page never holds an uncommitted byte; the applier is the only writer; whoever sees a timestamp above its snapshot finds the older
//! version in memory or gets 72000; locks outlive the visibility of what they guard; nothing is acknowledged before it is durable.
//!
//! Limits: one write set [`ShardOptions::write_set_memory`] in memory and [`ShardOptions::write_set_disk`] on disk, a prepared one [`ShardOptions::prepared_size`], all old versions [`ShardOptions::version_memory`] in memory and [`ShardOptions::version_disk`] on disk, 200 bytes for a gid.
use crate::applier::PreparedCell;
use crate::checkpoint::{CheckpointShare, TXN_ID_SKIP};
use crate::commit::{After, CommitDelay, LogMachine, Pending};
use crate::core::{Core, LogErrand};
use crate::handover;
use crate::hold::{Hold, Holds};
use crate::large;
pub use crate::lock::LockOutcome;
use crate::lock::{HeldLocks, LockLine, LockTarget, Owner, SessionLocks};
use crate::record;
use crate::recovery::Recovery;
use crate::scan::LocalScan;
pub use crate::snapshot::Snapshot;
use crate::txn::LocalTxn;
use crate::{Cancel, MemoryAccount};
use pamir_error::{Error, Result, bail, err};
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogOptions, Lsn};
use pamir_storage::platform::Platform;
use pamir_storage::store::image::Image;
use pamir_storage::store::{FIRST_TREE, Store, TreeId};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A commit timestamp: the order of commits in the log. 0 is before everything.
pub type Ts = u64;
pub type SavepointId = u32;

/// The tree that the first [`LocalTxn::create_tree`] of a new shard returns.
pub const FIRST_USER_TREE: TreeId = TreeId(FIRST_TREE + 16);
/// Longest identifier of a prepared transaction (PostgreSQL's GIDSIZE - 1).
pub const GID_MAX: usize = 199;
/// The idle applier looks this often whether something may be forgotten.
const FORGET_EVERY: Duration = Duration::from_millis(20);
const IDLE_EVERY: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub struct ShardOptions {
    pub cache_size: u64,
    pub io_threads: usize,
    pub log_segment_size: u64,
    /// log bytes, or bytes of changed pages, that start a checkpoint; up to half as much again may be replayed after a crash
    pub checkpoint_bytes: u64,
    /// limit of all old versions in memory; more move to disk as long as a snapshot needs them (see `history.rs`)
    pub version_memory: u64,
    /// limit of old versions on disk, and apart from those of what large commits replaced; 0: none are kept there
    pub version_disk: u64,
    /// limit of one transaction's write set and locks in memory
    pub write_set_memory: u64,
    /// Commits of more record bytes are logged in parts and applied in slices (see `large.rs`).
    pub large_commit_bytes: u64,
    /// operations of one slice, at most
    pub slice_ops: u32,
    /// bytes of logged parts kept in memory until they are applied, all commits together
    pub part_cache: u64,
    /// memory of one transaction's write set from which on it goes to a temporary file
    pub write_set_spill: u64,
    /// limit of that file
    pub write_set_disk: u64,
    /// Bytes of changes that a transaction may have to be prepared: they stay in memory, and in each checkpoint, until it is resolved. 54000 beyond it.
    pub prepared_size: u64,
    /// row locks of one transaction in one tree beyond which it takes the tree whole, if nobody else is there
    pub lock_escalation: usize,
    /// Each batch of a log of its own begins with the time at which it is written (see `record.rs`): for an archive.
    pub stamps: bool,
    /// What is kept of the log beyond what checkpoints need: of a shard's own log, or of the group's that it is a replica of.
    pub holds: Arc<Holds>,
    /// The checkpoint may be a replica's, with a log of its own behind it: a backup's (`pamir-backup`).
    pub adopt: bool,
    /// the clock and what else is the machine's; None: this machine's own
    pub platform: Option<Arc<dyn Platform>>,
    /// A shard with a log of its own keeps outcomes as a replica does: for tests of sessions elsewhere.
    pub outcomes: bool,
}

impl Default for ShardOptions {
    fn default() -> ShardOptions {
        ShardOptions {
            cache_size: 256 << 20,
            io_threads: 8,
            log_segment_size: 64 << 20,
            checkpoint_bytes: 160 << 20,
            version_memory: 256 << 20,
            version_disk: 4 << 30,
            write_set_memory: 1 << 30,
            large_commit_bytes: 1 << 20,
            slice_ops: 2048,
            part_cache: 32 << 20,
            write_set_spill: 96 << 20,
            write_set_disk: 64 << 30,
            prepared_size: 256 << 20,
            lock_escalation: 100_000,
            stamps: false,
            holds: Arc::default(),
            adopt: false,
            platform: None,
            outcomes: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// What [`LocalTxn::get_latest`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latest {
    /// Commit timestamp of the newest committed version (0: there never was one, or it, or its deletion, is older than every snapshot).
    pub ts: Ts,
    /// False: no row now (never there, or deleted by us or by a commit at `ts`).
    pub exists: bool,
    /// The value is this transaction's own write.
    pub own: bool,
    /// Statement number of the own write.
    pub statement: u32,
    /// The row lives on under another key, which is what was given out in place of a value. Never together with `exists`.
    pub moved: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedInfo {
    pub gid: String,
    /// microseconds since 1970
    pub prepared_at: i64,
    pub owner: String,
    pub database: String,
    pub txn: u64,
}

/// A sequence's fixed part.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct SequenceDef {
    pub start: i64,
    pub increment: i64,
    pub min: i64,
    pub max: i64,
    pub cycle: bool,
}

/// A commit on its way.
pub struct Submitted {
    /// Whose fate decides: the transaction's own, or, without writes, that of the commit it is tied to.
    pub(crate) owner: Option<Arc<Owner>>,
    pub(crate) ts: Ts,
}
impl Submitted {
    /// None: undecided.
    pub fn poll(&self, shard: &Shard) -> Option<Result<Ts>> {
        match &self.owner {
            None => Some(Ok(self.ts)),
            Some(o) => shard.core.verdict(o),
        }
    }
}

/// One shard. Shared by all sessions; see [`Shard::open`].
pub struct Shard {
    pub(crate) core: Arc<Core>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    closed: AtomicBool,
}

impl Shard {
    /// Opens or creates the shard in `disk`, recovers, and starts its log, applier and checkpoint threads.
    pub fn open(disk: Arc<dyn Disk>, opts: ShardOptions) -> Result<Arc<Shard>> {
        let core = Shard::recover(disk, opts, false)?;
        core.queue.lend(Arc::new(LogErrand(Arc::downgrade(&core))));
        let log = spawn("log", &core, |c| {
            let mut delay = CommitDelay::default();
            while c.queue.wait() {
                delay.give_way(&c.queue, c.snapshots.pinned());
                c.log_turn()
            }
        })?;
        Shard::start(core, vec![log])
    }
    /// Starts the threads that every shard has.
    fn start(core: Arc<Core>, mut threads: Vec<JoinHandle<()>>) -> Result<Arc<Shard>> {
        threads.push(spawn("applier", &core, run_applier)?);
        threads.push(spawn("checkpoint", &core, |c| {
            while c.checkpoints.wait() && c.failure().is_none() {
                if !c.is_readable() {
                    std::thread::sleep(FORGET_EVERY);
                }
                loop {
                    let started = Instant::now();
                    if !c.checkpointer.lock().step(c) {
                        break;
                    }
                    c.checkpoints.breathe(started.elapsed());
                }
            }
        })?);
        Ok(Arc::new(Shard { core, threads: Mutex::new(threads), closed: AtomicBool::new(false) }))
    }
    /// A recovered replica; its driver stands in for the log's thread.
    pub(crate) fn start_replica(core: Arc<Core>) -> Result<Arc<Shard>> {
        if core.stepped {
            return Ok(Arc::new(Shard { core, threads: Mutex::default(), closed: AtomicBool::new(false) }));
        }
        Shard::start(core, Vec::new())
    }
    /// As [`Shard::open`], without threads: whoever waits for a commit drives the machines, or the caller does with [`Shard::step_log`] and its
    /// sisters. For simulations: everything happens in one thread, in an order the caller chooses.
    pub fn open_stepped(disk: Arc<dyn Disk>, opts: ShardOptions) -> Result<Arc<Shard>> {
        let core = Shard::recover(disk, opts, true)?;
        Ok(Arc::new(Shard { core, threads: Mutex::default(), closed: AtomicBool::new(false) }))
    }
    fn recover(disk: Arc<dyn Disk>, opts: ShardOptions, stepped: bool) -> Result<Arc<Core>> {
        let log_opts = LogOptions { segment_size: opts.log_segment_size };
        let recovery = Recovery::begin(disk.clone(), opts, None, stepped)?;
        let core = recovery.core.clone();
        {
            let mut a = core.applier.lock();
            // Before what it is needed for is finished: a crash may come before the next checkpoint.
            let (mut keep, lsn) = (recovery.keep(&a), recovery.lsn);
            let held = core.opts.holds.lowest();
            // What is gone already cannot be held.
            if held < keep && Log::oldest(&*disk)?.is_some_and(|oldest| oldest <= held) {
                keep = held;
            }
            a.finish_recovered(&core)?;
            let stats = core.store.stats().clone();
            let log = Log::open_keeping(disk, log_opts, keep, lsn, recovery.reach, stats, &mut |lsn, bytes| {
                a.apply_record(&core, bytes, lsn, false)
            })?;
            a.flush_replay(&core)?;
            a.end_recovery(&core);
            // The log decides which timestamps exist: publish() saw the last one.
            core.queue.start_at(core.snapshots.applied() + 1);
            // Those that were told and left no trace are not given again.
            core.next_txn.fetch_add(TXN_ID_SKIP, Ordering::Relaxed);
            if let Some(o) = &core.outcomes {
                o.begin_reign(core.next_txn.load(Ordering::Relaxed));
            }
            core.begin_told(core.next_txn.load(Ordering::Relaxed));
            *core.log.lock() = Some(LogMachine::new(log));
        }
        recovery.finish_new()?;
        Ok(core)
    }
    /// Finishes what is queued, checkpoints, stops the threads. Later commits fail with 57P01.
    pub fn close(&self) -> Result<()> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        self.stop();
        if self.core.failure().is_none() {
            while self.core.step_applier() > 0 {}
            self.core.checkpoints.ask(CheckpointShare::Half);
            while self.core.step_all() {}
        }
        match self.core.failure() {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }
    fn stop(&self) {
        self.core.queue.close();
        let mut threads = self.threads.lock().drain(..).collect::<Vec<_>>().into_iter();
        // A replica's driver has ended already, and with it what the log's thread would do.
        let has_log = self.core.replica.is_none();
        let join = |t: Option<JoinHandle<()>>| {
            if let Some(t) = t
                && t.join().is_err()
            {
                self.core.fail(Error::internal("a thread of the shard panicked"));
            }
        };
        if has_log {
            join(threads.next());
        }
        self.core.applies.close();
        join(threads.next());
        self.core.checkpoints.close();
        join(threads.next());
    }
    /// Set after a failed write or sync: nothing is acknowledged any more and the process must stop.
    pub fn failure(&self) -> Option<Error> {
        self.core.failure()
    }

    /// `cancel` is the session's.
    pub fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> LocalTxn {
        LocalTxn::new(&self.core, iso, read_only, cancel)
    }

    // ---- sizes ----
    /// Estimated entries in a range; leaf pages and height.
    pub fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        if self.core.store.tree_exists(tree) { self.core.store.estimate(tree, lo, hi) } else { Ok(0) }
    }
    /// The leaf at a place of the tree, 0 to 1: its entries, and its first key.
    pub fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        self.core.store.leaf_at(tree, place, key)
    }
    /// Estimated entries of a whole tree.
    pub fn entries(&self, tree: TreeId) -> Result<u64> {
        if self.core.store.tree_exists(tree) { self.core.store.entries(tree) } else { Ok(0) }
    }
    /// (leaf pages, height); (0, 0) for a tree that is not committed yet.
    pub fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        if self.core.store.tree_exists(tree) { self.core.store.tree_size(tree) } else { Ok((0, 0)) }
    }

    /// A never used 64-bit id from a durable counter (hidden row ids, object ids by `space`). Not transactional.
    pub fn next_id(&self, space: u64) -> Result<u64> {
        self.core.sequences.next_id(&self.core, space)
    }

    // ---- sequences: not transactional; advances are logged ahead of their use ----
    pub fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> {
        self.core.sequences.seq_next(&self.core, seq, def)
    }
    pub fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> {
        self.core.sequences.seq_set(&self.core, seq, last, is_called)
    }
    /// (last value, is_called); None: never used.
    pub fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> {
        self.core.sequences.seq_read(&self.core, seq)
    }

    // ---- prepared transactions ----
    pub fn commit_prepared(&self, gid: &str) -> Result<Ts> {
        let owner = self.submit_commit_prepared(gid)?;
        self.core.await_outcome(&owner)
    }
    /// As [`Shard::commit_prepared`], without waiting.
    pub fn submit_prepared(&self, gid: &str) -> Result<Submitted> {
        Ok(Submitted { owner: Some(self.submit_commit_prepared(gid)?), ts: 0 })
    }
    fn submit_commit_prepared(&self, gid: &str) -> Result<Arc<Owner>> {
        let cell = self.claim_prepared(gid)?;
        let large = cell.body.ops.len() as u64 > self.core.opts.large_commit_bytes;
        let hand_over = !large && cell.owner.contended.load(Ordering::Relaxed);
        let passing = if hand_over { handover::plan_prepared(&cell) } else { None };
        let owner = self.push_resolution(cell, record::commit_prepared(gid, large), passing.is_some())?;
        if let Some(rows) = passing {
            let mut wake = Vec::new();
            self.core.locks.pass(&owner, &rows, &mut wake);
            wake.into_iter().for_each(Waker::wake);
        }
        Ok(owner)
    }
    pub fn rollback_prepared(&self, gid: &str) -> Result<()> {
        let cell = self.claim_prepared(gid)?;
        let owner = self.push_resolution(cell, record::abort_prepared(gid), false)?;
        self.core.await_outcome(&owner).map(|_| ())
    }
    /// The prepared transaction, for the caller alone to end.
    fn claim_prepared(&self, gid: &str) -> Result<Arc<PreparedCell>> {
        let cell = self.core.prepared.lock().get(gid).cloned();
        let Some(cell) = cell.filter(|c| c.ready.load(Ordering::Acquire)) else {
            bail!(UNDEFINED_OBJECT, "prepared transaction with identifier \"{gid}\" does not exist");
        };
        if cell.busy.swap(true, Ordering::AcqRel) {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "prepared transaction with identifier \"{gid}\" is busy");
        }
        Ok(cell)
    }
    /// Sends the end of a prepared transaction on its way. The owner it returns hears of the record's fate; the locks are `cell.owner`'s.
    fn push_resolution(&self, cell: Arc<PreparedCell>, record: Vec<u8>, handed: bool) -> Result<Arc<Owner>> {
        let owner = Arc::new(Owner::new(cell.owner.id));
        let p = Pending { handed, ..Pending::new(record, &owner, After::Resolve(cell.clone())) };
        if let Err(e) = self.core.push(p) {
            cell.busy.store(false, Ordering::Release);
            return Err(e);
        }
        Ok(owner)
    }
    pub fn prepared(&self) -> Vec<PreparedInfo> {
        let map = self.core.prepared.lock();
        let ready = map.values().filter(|c| c.ready.load(Ordering::Acquire));
        let mut all: Vec<PreparedInfo> = ready
            .map(|c| PreparedInfo {
                gid: c.body.gid.clone(),
                prepared_at: c.body.time,
                owner: c.body.owner.clone(),
                database: c.body.database.clone(),
                txn: c.body.txn,
            })
            .collect();
        all.sort_by(|a, b| a.gid.cmp(&b.gid));
        all
    }

    pub fn applied_ts(&self) -> Ts {
        self.core.snapshots.applied()
    }
    /// The newest commit that changed the catalog's tree: whoever's snapshot is not older sees it, and it is known before any snapshot can see it.
    pub fn catalog_ts(&self) -> Ts {
        self.core.catalog_ts.load(Ordering::Acquire)
    }
    /// From now on `listener` hears of what is put into [`MESSAGE_TREE`](crate::MESSAGE_TREE); the first one stays.
    pub fn listen(&self, listener: crate::Listener) {
        let _ = self.core.listener.set(listener);
    }
    pub fn memory(&self) -> Arc<MemoryAccount> {
        self.core.memory.clone()
    }
    pub fn platform(&self) -> &Arc<dyn Platform> {
        &self.core.platform
    }
    /// The trees beneath, for tools and benchmarks; values carry this layer's header.
    pub fn store(&self) -> &Arc<Store> {
        &self.core.store
    }
    /// Pins the newest checkpoint of a shard with a log of its own, for a backup, and what follows it in the log. None: it names parts of large commits in this log, and
    /// another one is to be taken later.
    pub fn pin(&self) -> Result<Option<(Image, Hold)>> {
        // No other checkpoint begins or ends meanwhile.
        let machine = self.core.checkpointer.lock();
        if machine.newest_alone().is_none() {
            return Ok(None);
        }
        let image = self.core.store.image()?;
        let hold = self.core.opts.holds.hold(image.lsn());
        Ok(Some((image, hold)))
    }
    /// Where the log of a shard with its own ends on the disk: the end of a record.
    pub fn log_durable(&self) -> Result<Lsn> {
        self.core.log_durable().ok_or_else(|| Error::internal("the shard has no log"))
    }
    /// What is held of the log.
    pub fn holds(&self) -> &Arc<Holds> {
        &self.core.opts.holds
    }
    /// Runs a checkpoint now and waits for it (CHECKPOINT). 53100 when the disk is too full for one.
    pub fn checkpoint(&self) -> Result<()> {
        self.checkpoint_within(CheckpointShare::Half)
    }
    /// The same with so much of the time, where nobody is in a hurry.
    pub fn checkpoint_within(&self, share: CheckpointShare) -> Result<()> {
        let n = self.core.checkpoints.ask(share);
        self.core.wait_until(|w| {
            if let Some(e) = self.core.failure() {
                return std::task::Poll::Ready(Err(e));
            }
            self.core.checkpoints.finished(n, w)
        })?
    }
    /// name, value pairs for /metrics.
    pub fn stats(&self) -> Vec<(&'static str, u64)> {
        let c = &*self.core;
        let (rows, ranges, waiting) = c.locks.counts();
        let n = |a: &std::sync::atomic::AtomicU64| a.load(Ordering::Relaxed);
        let pages = c.store.stats();
        vec![
            ("applied_ts", c.snapshots.applied()),
            ("horizon", c.snapshots.horizon()),
            ("snapshots", c.snapshots.registered()),
            ("snapshots_given_up", n(&c.stats.snapshots_given_up)),
            ("versions", c.versions.count()),
            ("version_bytes", c.versions.bytes()),
            ("version_disk_bytes", n(&c.history.bytes)),
            ("versions_moved", n(&c.history.moved)),
            ("row_locks", rows),
            ("range_locks", ranges),
            ("lock_waiting", waiting),
            ("lock_waits", n(&c.locks.waits)),
            ("lock_handovers", n(&c.overlay.handovers)),
            ("deadlocks", n(&c.locks.deadlocks)),
            ("commits", n(&c.stats.commits)),
            ("log_records", n(&c.stats.log_records)),
            ("log_syncs", n(&c.stats.log_syncs)),
            ("commits_refused", n(&c.stats.refused)),
            ("checkpoints", n(&c.stats.checkpoints)),
            ("purged", n(&c.stats.purged)),
            ("large_commits", n(&c.large.finished)),
            ("large_commit_slices", n(&c.large.slices)),
            ("large_commit_in_progress", c.large.in_progress() as u64),
            ("prepared", c.prepared.lock().len() as u64),
            ("write_set_bytes", c.write_sets.used()),
            ("pages_read", n(&pages.pages_read)),
            ("pages_written", n(&pages.pages_written)),
            ("pages_evicted", n(&pages.pages_evicted)),
            ("eviction_writes", n(&pages.eviction_writes)),
            ("checkpoint_bytes", n(&pages.checkpoint_bytes)),
            ("log_bytes", n(&pages.log_bytes)),
            ("log_sync_micros", n(&pages.log_sync_micros)),
            ("data_syncs", n(&pages.data_syncs)),
            ("data_sync_micros", n(&pages.data_sync_micros)),
        ]
    }

    /// For a session that takes locks beyond its transactions.
    pub fn session_locks(&self) -> SessionLocks {
        SessionLocks::new(&self.core)
    }
    /// Table locks and requests that wait (pg_locks).
    pub fn locks(&self) -> Vec<LockLine> {
        self.core.locks.report()
    }
    /// Processes that wait for a lock.
    pub fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        self.core.locks.waiting_processes()
    }

    // ---- stepping, for shards without threads ----
    /// Makes what is queued durable and hands it to the applier; the number of records.
    pub fn step_log(&self) -> usize {
        self.core.step_log()
    }
    /// Applies one durable batch and does a slice of a large commit; the number of records and slices.
    pub fn step_applier(&self) -> usize {
        self.core.step_applier()
    }
    /// Begins a checkpoint that is due or writes some of its pages; false: nothing to do.
    pub fn step_checkpoint(&self) -> bool {
        self.core.checkpointer.lock().step(&self.core)
    }
    /// Asks for a checkpoint without waiting.
    pub fn request_checkpoint(&self) {
        self.core.checkpoints.ask(CheckpointShare::Half);
    }
    /// Forgets a slice of what nobody can see any more.
    pub fn step_forget(&self) -> Result<bool> {
        self.core.applier.lock().forget(&self.core)
    }
}
impl Drop for Shard {
    fn drop(&mut self) {
        if !self.closed.swap(true, Ordering::AcqRel) {
            self.stop();
        }
    }
}

/// Runs one of the shard's threads. A panic in it (a bug, or a commit callback's) is a failure of the shard, not a silence.
fn spawn(name: &str, core: &Arc<Core>, f: fn(&Core)) -> Result<JoinHandle<()>> {
    let core = core.clone();
    let body = move || {
        while catch_unwind(AssertUnwindSafe(|| f(&core))).is_err() {
            core.fail(Error::internal("a thread of the shard panicked"));
        }
    };
    std::thread::Builder::new()
        .name(name.into())
        .spawn(body)
        .map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))
}
fn run_applier(core: &Core) {
    loop {
        let mut ahead = None;
        let pause = {
            let mut a = core.applier.lock();
            while a.step(core) > 0 {}
            let sliced = a.slice(core);
            if sliced {
                ahead = a.ahead(core);
                Duration::ZERO
            } else if core.failure().is_some() {
                IDLE_EVERY
            } else {
                match a.forget(core) {
                    Ok(true) => Duration::ZERO,
                    Ok(false) if a.has_leftovers(core) => FORGET_EVERY,
                    Ok(false) => IDLE_EVERY,
                    Err(e) => {
                        core.fail(e);
                        IDLE_EVERY
                    }
                }
            }
        };
        if let Some(ahead) = ahead {
            large::touch(core, &ahead);
        }
        if !core.applies.wait(pause) {
            break;
        }
    }
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    fn movable<T: Send>() {}
    shared::<Shard>();
    shared::<Snapshot>();
    movable::<LocalTxn>();
    movable::<LocalScan>();
    let _ = HeldLocks::default;
};
