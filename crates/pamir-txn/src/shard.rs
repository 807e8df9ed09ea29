//! The shard (skeleton: the public shape that pamir-sql builds on).
use crate::{Cancel, MemoryAccount, RowLock, TableLock, WaitPolicy};
use pamir_storage::disk::Disk;
use pamir_storage::store::{Dir, TreeId};
use pamir_types::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A commit timestamp: the order of commits in the log. 0 is before everything.
pub type Ts = u64;

#[derive(Clone)]
pub struct ShardOptions { pub cache_size: u64, pub io_threads: usize, pub log_segment_size: u64, /// dirty bytes or log bytes that start a checkpoint
    pub checkpoint_bytes: u64, /// limit of all old versions in memory
    pub version_memory: u64, /// limit of one transaction's write set
    pub write_set_memory: u64 }

/// One shard. Shared by all sessions; see `Shard::open`.
pub struct Shard { _p: () }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation { ReadCommitted, RepeatableRead, Serializable }

/// A registered snapshot: what it sees is kept until the last clone is dropped.
#[derive(Clone)]
pub struct Snapshot { _p: Arc<()> }
impl Snapshot { pub fn ts(&self) -> Ts { todo!() } /// The statement that took it: own writes of later statements are unseen through it.
    pub fn statement(&self) -> u32 { todo!() } }

/// One open transaction; belongs to one session. Dropping it rolls back.
pub struct Txn { _p: () }
pub type SavepointId = u32;

/// What [`Shard::get_latest`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latest { /// Commit timestamp of the newest committed version (0: there never was one).
    pub ts: Ts, /// False: no row now (never there, or deleted by us or by a commit at `ts`).
    pub exists: bool, /// The value is this transaction's own write.
    pub own: bool, /// Statement number of the own write.
    pub statement: u32 }

pub struct PreparedInfo { pub gid: String, pub prepared_at: i64, pub owner: String, pub database: String }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockOutcome { Granted, /// WaitPolicy::Skip and somebody else holds it
    Skipped }

/// A sequence's fixed part.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct SequenceDef { pub start: i64, pub increment: i64, pub min: i64, pub max: i64, pub cycle: bool }

#[allow(unused_variables)]
impl Shard {
    /// Opens or creates the shard in `disk`, recovers, and starts its log, applier and checkpoint threads.
    pub fn open(disk: Arc<dyn Disk>, opts: ShardOptions) -> Result<Arc<Shard>> { todo!() }
    /// Finishes what is queued, checkpoints, stops the threads.
    pub fn close(&self) -> Result<()> { todo!() }
    /// Set after a failed write or sync: nothing is acknowledged any more and the process must stop.
    pub fn failure(&self) -> Option<pamir_types::Error> { todo!() }

    /// `cancel` is the session's.
    pub fn begin(self: &Arc<Self>, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn { todo!() }

    // ---- reads: `snap` comes from Txn::statement ----
    /// The version of `key` that `snap` sees, own earlier writes first. At SERIALIZABLE locks the key and reads the newest committed version.
    pub fn get(&self, txn: &Txn, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> { todo!() }
    /// Entries of [lo, hi) that `snap` sees, merged with own earlier writes. hi None: to the end.
    pub fn scan(&self, txn: &Txn, snap: &Snapshot, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<Scan> { todo!() }
    /// Estimated entries in a range; leaf pages and height.
    pub fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> { todo!() }
    pub fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> { todo!() }

    // ---- locks ----
    pub fn lock_row(&self, txn: &Txn, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> { todo!() }
    /// `table` is any stable number (the table's OID). Weak modes (up to RowExclusive) are cheap.
    pub fn lock_table(&self, txn: &Txn, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> { todo!() }
    /// The newest committed version, or the own write over it. To be called with the row locked.
    pub fn get_latest(&self, txn: &Txn, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> { todo!() }
    /// Newest committed entries (and own writes) of a range, whatever the snapshot: unique and foreign key checks under lock.
    pub fn scan_latest(&self, txn: &Txn, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<Scan> { todo!() }

    // ---- writes: into the transaction's own write set; each locks its key (at least NoKeyUpdate) first if that is not yet held ----
    pub fn put(&self, txn: &Txn, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> { todo!() }
    pub fn delete(&self, txn: &Txn, tree: TreeId, key: &[u8]) -> Result<()> { todo!() }
    /// A new tree, empty, others' after commit. Puts into it need no locks and are built bottom-up at commit.
    pub fn create_tree(&self, txn: &Txn) -> Result<TreeId> { todo!() }
    /// Takes effect at commit; the tree lives on until the last snapshot that may read it is gone.
    pub fn drop_tree(&self, txn: &Txn, tree: TreeId) -> Result<()> { todo!() }
    /// A never used 64-bit id from a durable counter (hidden row ids, object ids by `space`). Not transactional.
    pub fn next_id(&self, space: u64) -> Result<u64> { todo!() }

    // ---- sequences: not transactional; advances are logged ahead of their use ----
    pub fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> { todo!() }
    pub fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> { todo!() }
    /// (last value, is_called); None: never used.
    pub fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> { todo!() }

    // ---- end ----
    /// Waits until the commit is durable and visible. An error other than 08007 means it is rolled back.
    pub fn commit(&self, txn: Txn) -> Result<Ts> { todo!() }
    pub fn rollback(&self, txn: Txn) { todo!() }
    pub fn prepare(&self, txn: Txn, gid: &str, owner: &str, database: &str) -> Result<()> { todo!() }
    pub fn commit_prepared(&self, gid: &str) -> Result<Ts> { todo!() }
    pub fn rollback_prepared(&self, gid: &str) -> Result<()> { todo!() }
    pub fn prepared(&self) -> Vec<PreparedInfo> { todo!() }

    pub fn applied_ts(&self) -> Ts { todo!() }
    pub fn memory(&self) -> Arc<MemoryAccount> { todo!() }
    /// Runs a checkpoint now and waits for it (CHECKPOINT).
    pub fn checkpoint(&self) -> Result<()> { todo!() }
    /// name, value pairs for /metrics.
    pub fn stats(&self) -> Vec<(&'static str, u64)> { todo!() }
}

#[allow(unused_variables)]
impl Txn {
    pub fn id(&self) -> u64 { todo!() }
    pub fn isolation(&self) -> Isolation { todo!() }
    pub fn read_only(&self) -> bool { todo!() }
    pub fn has_writes(&self) -> bool { todo!() }
    /// Starts the next statement: a fresh snapshot at READ COMMITTED, else the transaction's.
    pub fn statement(&self) -> Snapshot { todo!() }
    /// Makes the own writes so far visible to later snapshots of the same statement (between a statement's parts: triggers, foreign key actions, data-modifying CTEs).
    pub fn advance_statement(&self) -> Snapshot { todo!() }
    /// lock_timeout and the statement's deadline, for all waits that follow.
    pub fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>) { todo!() }
    pub fn savepoint(&self) -> SavepointId { todo!() }
    /// Drops writes and locks made since.
    pub fn rollback_to(&self, sp: SavepointId) { todo!() }
    pub fn release(&self, sp: SavepointId) { todo!() }
    /// Runs in the applier right after the commit became visible and before its locks are released (a new catalog is published so).
    pub fn on_commit(&self, f: Box<dyn FnOnce(Ts) + Send>) { todo!() }
}

/// A range scan's state. Reusable buffers; entries are borrowed until the next call.
pub struct Scan { _p: () }
#[allow(unused_variables)]
impl Scan {
    pub fn next(&mut self, shard: &Shard, txn: &Txn) -> Result<Option<(&[u8], &[u8])>> { todo!() }
}
