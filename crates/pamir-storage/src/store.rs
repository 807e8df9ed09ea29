//! The page file's trees (skeleton: the public shape that pamir-txn builds on).
use crate::disk::Disk;
use crate::log::Lsn;
use pamir_types::Result;
use std::sync::Arc;

/// Never reused. 0 is the tree directory; users of this crate start at [`FIRST_TREE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TreeId(pub u64);
pub const FIRST_TREE: u64 = 16;

#[derive(Clone)]
pub struct StoreOptions { /// bytes of page memory
    pub cache_size: u64, /// threads that read missing pages
    pub io_threads: usize }

/// Shared by all threads; reads are optimistic and take no latch.
pub struct Store { _p: () }
/// What the newest checkpoint holds.
pub struct Opened { pub store: Arc<Store>, pub writer: Writer, /// replay the log after this
    pub lsn: Lsn, /// the opaque bytes given to [`Writer::begin_checkpoint`]; empty in a new store
    pub meta: Vec<u8> }
/// The one writer: the applier owns it.
pub struct Writer { _p: () }
/// A stepper over the pages of one checkpoint; runs beside the writer on another thread.
pub struct Checkpoint { _p: () }
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dir { Forward, Backward }
/// Walks one tree; holds a private copy of the current leaf, so it never blocks the writer.
pub struct Cursor { _p: () }

#[allow(unused_variables)]
impl Store {
    pub fn open(disk: Arc<dyn Disk>, opts: StoreOptions) -> Result<Opened> { todo!() }
    pub fn tree_exists(&self, tree: TreeId) -> bool { todo!() }
    /// Copies the value under `key` into `out` (cleared first); false when absent. A page that is not in memory is awaited through [`crate::task`].
    pub fn get(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> { todo!() }
    /// A cursor before the first entry >= `from` (Forward) or after the last entry < `from` (Backward; None: the tree's end).
    pub fn cursor(self: &Arc<Self>, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Result<Cursor> { todo!() }
    /// Estimated entries in [lo, hi), from inner pages; for the optimizer.
    pub fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> { todo!() }
    /// (leaf pages, height)
    pub fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> { todo!() }
    /// Pages touched and read from disk by this thread since the last call (EXPLAIN ANALYZE).
    pub fn take_page_counts(&self) -> (u64, u64) { todo!() }
}
#[allow(unused_variables)]
impl Cursor {
    /// The next entry in the cursor's direction, borrowed until the next call.
    pub fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> { todo!() }
    /// Re-positions without a new allocation, as [`Store::cursor`].
    pub fn seek(&mut self, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Result<()> { todo!() }
}
#[allow(unused_variables)]
impl Writer {
    pub fn create_tree(&mut self, tree: TreeId) -> Result<()> { todo!() }
    /// Frees the tree's pages (after readers' epochs).
    pub fn drop_tree(&mut self, tree: TreeId) -> Result<()> { todo!() }
    /// Inserts or replaces. `old` receives the replaced value (cleared first); returns whether there was one. `old` runs before the page changes,
    /// so a reader that sees the new value can already find what was done with the old one.
    pub fn put(&mut self, tree: TreeId, key: &[u8], value: &[u8], old: &mut dyn FnMut(Option<&[u8]>)) -> Result<()> { todo!() }
    pub fn remove(&mut self, tree: TreeId, key: &[u8]) -> Result<bool> { todo!() }
    /// Fills an empty tree bottom-up from strictly ascending entries.
    pub fn bulk_build(&mut self, tree: TreeId, entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Result<()> { todo!() }
    pub fn get(&mut self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> { todo!() }
    /// Marks the current state as the checkpoint at `lsn`. One at a time.
    pub fn begin_checkpoint(&mut self, lsn: Lsn, meta: &[u8]) -> Result<Checkpoint> { todo!() }
    /// Bytes of dirty pages not yet in a checkpoint.
    pub fn dirty_bytes(&self) -> u64 { todo!() }
}
#[allow(unused_variables)]
impl Checkpoint {
    /// Writes up to `pages` pages; true when all are written.
    pub fn step(&mut self, pages: usize) -> Result<bool> { todo!() }
    /// Syncs and flips the superblock. Afterwards the log before the checkpoint's LSN is not needed.
    pub fn finish(self) -> Result<Lsn> { todo!() }
}
