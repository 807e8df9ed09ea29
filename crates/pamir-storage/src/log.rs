//! The log (skeleton: the public shape that pamir-txn builds on).
use crate::disk::Disk;
use pamir_types::Result;
use std::sync::Arc;

/// A byte position in the log's endless address space; positions only grow. The LSN of a record is where its end lies.
pub type Lsn = u64;

#[derive(Clone)]
pub struct LogOptions { pub segment_size: u64 }
impl Default for LogOptions { fn default() -> Self { LogOptions { segment_size: 64 << 20 } } }

/// One appender. Not shared: the log thread owns it.
pub struct Log { _p: () }

#[allow(unused_variables)]
impl Log {
    /// Opens or creates the log and replays every intact record after `from` (exclusive) in order into `each(lsn, record)`; cuts an unsynced torn
    /// tail; corruption below the last position known synced is XX001. Syncs what it keeps before it returns.
    pub fn open(disk: Arc<dyn Disk>, opts: LogOptions, from: Lsn, each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>) -> Result<Log> { todo!() }
    /// Buffers one record (any size; it may span segments); returns its LSN.
    pub fn append(&mut self, record: &[u8]) -> Result<Lsn> { todo!() }
    /// Writes what is buffered and syncs it; returns the durable LSN. After an error the log refuses everything (the node must stop).
    pub fn sync(&mut self) -> Result<Lsn> { todo!() }
    /// Segments wholly below `lsn` may be recycled.
    pub fn truncate_before(&mut self, lsn: Lsn) -> Result<()> { todo!() }
    pub fn end(&self) -> Lsn { todo!() }
    pub fn durable(&self) -> Lsn { todo!() }
}
