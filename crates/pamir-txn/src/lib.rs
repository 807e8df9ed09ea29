//! One shard's transactional state machine over pamir-storage: timestamps, in-memory versions, locks, deferred write sets, commit.
//!
//! - [`face`]: what SQL knows of all this: an open transaction, and what needs none.
//!   `near`: the near side of a transaction that is elsewhere. `calls`, behind a feature: a second implementation, which records.
//! - [`shard`]: the shard: begin, sizes, sequences, prepared transactions. - [`txn`], `local`: one open transaction, what it reads and writes, its end. - [`scan`]: range scans.
//! - [`lock`]: row, key-range and table locks with deadlock detection.
//! - `snapshot`: who reads at which timestamp; `version`: old versions; `write_set`: a transaction's own changes.
//! - [`replica`]: a shard whose log is a group's; [`fresh`]: how old a follower's data is; `reign`: leaderships. - [`record`]: the log records' bytes; [`hold`]: what is kept of the log; `replay`: recovery's changes in key order; `commit`: queue and log machine; `handover`: hot rows pass to the next waiter before the sync; `applier`: the only writer, with `in_place`: deletions, and `purge`: tombstones that wait; `large`: commits too large for one record; `checkpoint`; `sequence`: durable counters.
//! - [`private`]: a session's own trees, beside all this. - [`outcome`]: what became of transactions. `told`: their numbers in SQL. - [`memory`]: memory accounts. - [`cancel`]: cancel requests and deadlines.
//!
//! This crate knows trees, keys and values as bytes; it knows no SQL, no row format, no catalog.
mod applier;
#[cfg(feature = "calls")]
pub mod calls;
pub mod cancel;
mod checkpoint;
mod commit;
mod core;
pub mod face;
pub mod fresh;
#[doc(hidden)]
pub mod fuzzing;
mod handover;
mod history;
pub mod hold;
mod horizon;
mod in_place;
mod large;
mod local;
pub mod lock;
pub mod memory;
mod near;
pub mod outcome;
mod padded;
pub mod plant;
pub mod private;
mod purge;
pub mod record;
mod recovery;
mod reign;
mod replay;
pub mod replica;
pub mod scan;
mod sequence;
pub mod shard;
mod snapshot;
mod sync;
mod table;
mod told;
pub mod txn;
mod version;
mod write_set;

pub use cancel::{Cancel, CancelReason};
pub use checkpoint::CheckpointShare;
pub use face::{
    Batch, Claims, Engine, Entries, Keys, Met, RangeEntries, Ranges, ReadAt, ReadFrom, Scan, Transaction, Txn, Until,
    Values, Want, Wants, Write, Writes,
};
pub use fresh::Closed;
pub use hold::{Hold, Holds};
pub use lock::{FarLocks, LockLine, LockOutcome, LockTarget, RowLock, SessionLocks, TableLock, WaitPolicy};
pub use memory::{Held, MemoryAccount};
pub use outcome::Outcome;
pub use pamir_storage::store::{Dir, TreeId};
pub use private::{PRIVATE, PrivateData, PrivateEngine, is_private};
pub use recovery::{RESTORE_FILE, ReplicaRecovery};
pub use replica::{Batch as ClosedBatch, Entered, EntryId, Journal};
pub use scan::LocalScan;
pub use shard::{Isolation, Latest, PreparedInfo, SavepointId, SequenceDef, Shard, ShardOptions, Snapshot, Ts};
pub use snapshot::{Exported, FarSnapshot};
pub use told::Xids;
pub use txn::LocalTxn;

/// The tree that holds the catalog's rows; `Shard::open` creates it in a new shard. Trees from `create_tree` have higher ids.
pub const CATALOG_TREE: TreeId = TreeId(17);
/// A tree that is not there: what a transaction puts into it is handed to whoever listens ([`Shard::listen`]), on every replica, when the commit is applied, and stored nowhere but in the log. Any key that nobody else
/// has does.
pub const MESSAGE_TREE: TreeId = TreeId(18);
/// The tree of the large objects of all databases, whose keys and values are SQL's; made when a shard is opened, in one from before there were any too. Nothing is put into it before every node of a cluster has a
/// build that makes it.
pub const LARGE_OBJECT_TREE: TreeId = TreeId(19);
/// The trees that every shard has, made where one is not there.
pub const OWN_TREES: [TreeId; 3] = [sequence::SYSTEM_TREE, CATALOG_TREE, LARGE_OBJECT_TREE];
/// Called by the applier, in the order of the commits, once their snapshots can be taken. It is not to wait.
pub type Listener = Box<dyn Fn(&[u8]) + Send + Sync>;
