//! The fuzz targets' bodies that need nothing but public interfaces; those of storage and of the log's records are in
//! `pamir_storage::fuzzing` and `pamir_txn::fuzzing`.
//!
//! A target fails by a panic, a failed assertion, memory beyond libFuzzer's limit, or a time-out. Errors that the engine reports are fine, except
//! internal ones (XX000).
pub mod copy;
pub mod protocol;
pub mod sql;
pub mod types;

use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

/// A database in memory, driven by whoever waits.
pub fn database() -> Arc<Database> {
    let opts = ShardOptions {
        cache_size: 16 << 20,
        io_threads: 0,
        version_memory: 4 << 20,
        write_set_memory: 4 << 20,
        ..ShardOptions::default()
    };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("an empty directory opens");
    Database::open(shard).expect("a new database")
}
pub fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").expect("a session")
}
/// Fails on an internal error.
pub fn fine<T>(r: Result<T>, what: &str) -> Option<T> {
    match r {
        Ok(v) => Some(v),
        Err(e) => {
            assert!(e.code().as_str() != "XX000", "{e}\n    {what}");
            None
        }
    }
}
