//! One shard's transactional state machine over pamir-storage: timestamps, in-memory versions, locks, deferred write sets, commit.
//!
//! - [`shard`]: the shard: begin, read, lock, write, commit, prepare. - [`lock`]: row, key-range and table locks with deadlock detection.
//! - [`memory`]: memory accounts. - [`cancel`]: cancel requests and deadlines.
//!
//! This crate knows trees, keys and values as bytes; it knows no SQL, no row format, no catalog.
pub mod cancel;
pub mod lock;
pub mod memory;
pub mod shard;

pub use cancel::{Cancel, CancelReason};
pub use lock::{RowLock, TableLock, WaitPolicy};
pub use memory::MemoryAccount;
pub use pamir_storage::store::{Dir, TreeId};
pub use shard::{Shard, ShardOptions, Snapshot, Txn, Ts};

/// The tree that holds the catalog's rows; `Shard::open` creates it in a new shard. Trees from `create_tree` have higher ids.
pub const CATALOG_TREE: TreeId = TreeId(17);
