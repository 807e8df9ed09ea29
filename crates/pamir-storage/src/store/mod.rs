//! The page file: copy-on-write B+trees that any thread reads and one writer changes.
//!
//! ```text
//!   Store (readers)   Writer (one)            Checkpoint (beside the writer)
//!        \              |                       /
//!       btree: read, write, bulk    cursor    overflow
//!                       |
//!        pool: frames, state words  ---- evict: the clock and the cleaner ---- io: threads that read missing pages
//!                       |
//!        pagemap: page id -> slot, free slots ---- superblock: which map is current
//!                       |
//!                  pamir.data, pamir.super
//! ```
//! - Readers are optimistic (`pool.rs`): they take no latch and write no shared memory but a frame's use count when it is 0.
//! - A tree's root keeps its page id for the tree's life. Tree 0 is the directory: tree id (big-endian u64) -> root page id (little-endian u64).
//! - Nothing is durable until a checkpoint: after a crash the store is what it was when the last finished checkpoint began. With a log behind it
//!   ([`Writer::follow_log`]) entries may be newer; replaying the log from there makes it whole.
//! - Values are bytes of any length below [`overflow::MAX_VALUE`]; keys have at most [`MAX_TREE_KEY`] bytes (54000).
//!
//! Budgets in nanoseconds of CPU, 250,000 rows of 200 bytes in cache, and what one core of a 2-core cloud machine took when this was written
//! (`cargo run --release --example tree_bench -p pamir-storage`):
//!
//! | operation | budget | measured |
//! |---|---|---|
//! | random get | 500 | 475 |
//! | seek and one row | 1000 | 650 |
//! | scan, a row | 50 | 33 |
//! | random replace, same size | 1000 | 560 |
//! | random replace, other size | 1500 | 1200 |
//! | ascending insert | 1000 | 700 |
//! | begin checkpoint, a dirty page | 100 | 45 |
//!
//! Not here: compression, shrinking the data file.
mod btree;
pub mod check;
mod checkpoint;
mod cursor;
mod evict;
pub mod image;
mod io;
mod mem;
mod overflow;
mod page;
mod pagemap;
mod pool;
mod state;
mod superblock;
/// The atomics of [`state`]; its models put loom's in their place.
mod sync {
    pub(crate) use std::sync::atomic::{AtomicU64, Ordering, fence};
}
#[cfg(test)]
mod tests;

pub use btree::bulk::Build;
mod fuzz;
pub(crate) use fuzz::{fuzz_damage, fuzz_page};

pub use btree::node::MAX_TREE_KEY;
pub use btree::read::Finger;
pub use btree::write::Writer;
pub use checkpoint::Checkpoint;
pub use cursor::Cursor;
pub use mem::PAGE_SIZE;
pub use overflow::MAX_VALUE;
pub use superblock::{DATA_FILE, FORMAT_VERSION, NODE_FILE, SUPER_FILE, replace as replace_superblock};

use crate::disk::Disk;
use crate::log::Lsn;
use crate::stats::Stats;
use pamir_error::{Result, bail, err};
use parking_lot::RwLock;
use pool::{COUNTS, Pool};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::*};

/// Never reused. 0 is the tree directory; users of this crate start at [`FIRST_TREE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TreeId(pub u64);
pub const FIRST_TREE: u64 = 16;
const DIRECTORY: TreeId = TreeId(0);
const DIRECTORY_ROOT: u64 = 1;

#[derive(Clone)]
pub struct StoreOptions {
    /// bytes of page memory (64 pages at least)
    pub cache_size: u64,
    /// threads that read missing pages; 0: the thread that misses reads
    pub io_threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dir {
    Forward,
    Backward,
}

/// What the newest checkpoint holds.
pub struct Opened {
    pub store: Arc<Store>,
    pub writer: Writer,
    /// replay the log after this
    pub lsn: Lsn,
    /// the log must go on at least up to here, or what is in the trees is more than it holds
    pub reach: Lsn,
    /// the opaque bytes given to [`Writer::begin_checkpoint`]; empty in a new store
    pub meta: Vec<u8>,
    /// the store is new, or a crash came while it was: it may have no log yet. To be ended with [`Store::finish_new`] once it has one.
    pub unfinished: bool,
}

/// Shared by all threads; reads are optimistic and take no latch.
pub struct Store {
    shared: Arc<Shared>,
}
/// What the store, its I/O threads and a running checkpoint have in common.
pub(crate) struct Shared {
    pub disk: Arc<dyn Disk>,
    pub pool: Pool,
    pub io: io::Queue,
    pub trees: Trees,
}

/// One tree.
pub(crate) struct Tree {
    pub root: u64,
    pub leaves: AtomicU64,
    /// Entries of a mean leaf in 1/256, and the number of leaves when that was found; 0: not yet.
    pub mean_leaf: AtomicU64,
}
/// Tree ids to roots. Readers look into a cache of their thread first; `drops` tells whether an entry there may be stale.
pub(crate) struct Trees {
    /// distinguishes stores in the thread's cache
    id: u64,
    map: RwLock<FxHashMap<u64, Arc<Tree>>>,
    /// raised before a dropped tree's pages are freed
    drops: AtomicU64,
}
static NEXT_STORE: AtomicU64 = AtomicU64::new(1);
const CACHED_ROOTS: usize = 64;
#[derive(Clone, Copy)]
struct CachedRoot {
    store: u64,
    tree: u64,
    drops: u64,
    root: u64,
}
thread_local! {
    static ROOTS: RefCell<[CachedRoot; CACHED_ROOTS]> =
        const { RefCell::new([CachedRoot { store: 0, tree: 0, drops: 0, root: 0 }; CACHED_ROOTS]) };
}
/// A root that was the tree's when `drops` was read.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub pid: u64,
    drops: u64,
}
impl Trees {
    fn new() -> Trees {
        Trees { id: NEXT_STORE.fetch_add(1, Relaxed), map: RwLock::new(FxHashMap::default()), drops: AtomicU64::new(1) }
    }
    pub fn get(&self, tree: TreeId) -> Option<Arc<Tree>> {
        self.map.read().get(&tree.0).cloned()
    }
    #[inline]
    pub fn root(&self, tree: TreeId) -> Result<Root> {
        let drops = self.drops.load(Acquire);
        ROOTS.with_borrow_mut(|c| {
            let c = &mut c[tree.0 as usize % CACHED_ROOTS];
            if c.store == self.id && c.tree == tree.0 && c.drops == drops {
                return Ok(Root { pid: c.root, drops });
            }
            let Some(root) = self.map.read().get(&tree.0).map(|t| t.root) else {
                bail!(INTERNAL_ERROR, "tree {} does not exist", tree.0)
            };
            *c = CachedRoot { store: self.id, tree: tree.0, drops, root };
            Ok(Root { pid: root, drops })
        })
    }
    /// No tree was dropped since `root` was looked up. Checked after the root page's state was loaded: then its version belongs to this tree.
    #[inline(always)]
    pub fn still(&self, root: Root) -> bool {
        std::sync::atomic::fence(Acquire);
        self.drops.load(Relaxed) == root.drops
    }
    fn insert(&self, tree: TreeId, root: u64, leaves: u64) {
        self.map
            .write()
            .insert(tree.0, Arc::new(Tree { root, leaves: AtomicU64::new(leaves), mean_leaf: AtomicU64::new(0) }));
    }
    fn remove(&self, tree: TreeId) {
        self.map.write().remove(&tree.0);
        self.drops.fetch_add(1, SeqCst);
    }
}

impl Store {
    /// Opens the newest checkpoint, or creates an empty store in a directory without one.
    pub fn open(disk: Arc<dyn Disk>, opts: StoreOptions) -> Result<Opened> {
        Store::open_with(disk, opts, Arc::new(Stats::default()))
    }
    /// [`Store::open`] with counters shared with others.
    pub fn open_with(disk: Arc<dyn Disk>, opts: StoreOptions, stats: Arc<Stats>) -> Result<Opened> {
        let sb = superblock::read(&*disk)?;
        if sb.is_none() {
            superblock::begin_new(&*disk)?;
        }
        let unfinished = superblock::is_unfinished(&*disk)?;
        let file = disk.open_direct(DATA_FILE, sb.is_none())?;
        if sb.is_none() {
            file.set_len(0)?;
        }
        let pool = Pool::new(opts.cache_size, file, pagemap::Slots::new(1), stats)?;
        let shared = Arc::new(Shared { disk, pool, io: io::Queue::default(), trees: Trees::new() });
        let store = Arc::new(Store { shared: shared.clone() });
        let mut writer = Writer::new(store.clone());
        let (mut lsn, mut reach, mut meta) = (0, 0, Vec::new());
        match sb {
            None => {
                writer.create_directory()?;
                checkpoint::begin(&store, 0, &[], true)?.finish()?;
            }
            Some(sb) => {
                superblock::settle(&*shared.disk)?;
                meta = superblock::load_map(&shared.pool, &sb)?;
                (lsn, reach) = (sb.lsn, sb.reach);
                store.load_directory()?;
            }
        }
        io::start(&shared, opts.io_threads)?;
        Ok(Opened { store, writer, lsn, reach, meta, unfinished })
    }
    /// The log of a new store is there: from now on nothing may be missing.
    pub fn finish_new(&self) -> Result<()> {
        superblock::end_new(&*self.shared.disk)
    }
    fn load_directory(self: &Arc<Self>) -> Result<()> {
        let pool = &self.shared.pool;
        let mut leaves: FxHashMap<u64, u64> = FxHashMap::default();
        for e in &pool.lock_inner().durable.entries {
            if e.kind() == page::KIND_LEAF {
                *leaves.entry(e.tree).or_default() += 1;
            }
        }
        let count = |t: u64| leaves.get(&t).copied().unwrap_or(0);
        self.shared.trees.insert(DIRECTORY, DIRECTORY_ROOT, count(0));
        let mut c = self.cursor(DIRECTORY, None, Dir::Forward)?;
        while let Some((k, v)) = c.next()? {
            let (Ok(k), Ok(v)) = (k.try_into(), v.try_into()) else {
                return Err(err!(DATA_CORRUPTED, "invalid entry in the tree directory"));
            };
            let tree = u64::from_be_bytes(k);
            self.shared.trees.insert(TreeId(tree), u64::from_le_bytes(v), count(tree));
        }
        Ok(())
    }
    pub fn tree_exists(&self, tree: TreeId) -> bool {
        self.shared.trees.map.read().contains_key(&tree.0)
    }
    /// All trees but the directory, ascending.
    pub fn trees(&self) -> Vec<TreeId> {
        let mut v: Vec<TreeId> = self.shared.trees.map.read().keys().filter(|t| **t != 0).map(|t| TreeId(*t)).collect();
        v.sort();
        v
    }
    /// Pages that this task touched, and of them read from disk, so far: the difference of two calls is what came between (EXPLAIN's BUFFERS).
    pub fn page_counts(&self) -> (u64, u64) {
        COUNTS.with(std::cell::Cell::get)
    }
    /// As [`Store::page_counts`], and starts again from zero.
    pub fn take_page_counts(&self) -> (u64, u64) {
        COUNTS.with(|c| c.replace((0, 0)))
    }
    /// Adds pages that were touched and read elsewhere, for this task.
    pub fn count_pages(&self, (touched, read): (u64, u64)) {
        COUNTS.with(|c| {
            let so_far = c.get();
            c.set((so_far.0 + touched, so_far.1 + read));
        })
    }
    /// The directory that the store lives in; queries make their temporary files there.
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.shared.disk
    }
    pub fn stats(&self) -> &Arc<Stats> {
        &self.shared.pool.stats
    }
    /// Bytes of the data file, and of it free.
    pub fn file_size(&self) -> (u64, u64) {
        let g = self.shared.pool.lock_inner();
        (g.slots.end * PAGE_SIZE as u64, g.slots.free() * PAGE_SIZE as u64)
    }
    /// Promises room in the data file for `ops` changes of `bytes` in all, to be made later: pages to be given back to [`Store::unreserve`] once they
    /// are made. 53100: the disk has no room for them; nothing has changed, and with room again they may come.
    pub fn reserve(&self, ops: u64, bytes: u64) -> Result<u64> {
        self.shared.pool.reserve((0, 0), (ops, bytes))
    }
    /// As [`Store::reserve`], for changes (and their bytes) that go on: `before` is what the caller has reserved for already, `now` includes the new ones.
    pub fn reserve_more(&self, before: (u64, u64), now: (u64, u64)) -> Result<u64> {
        self.shared.pool.reserve(before, now)
    }
    /// Why the store refuses all further work, if it does: a failed write or sync.
    pub fn failure(&self) -> Option<pamir_error::Error> {
        self.shared.pool.lock_inner().failed.clone()
    }
    pub fn unreserve(&self, pages: u64) {
        self.shared.pool.unreserve(pages)
    }
    /// Waits for a missing page; an error if it cannot be read.
    pub(crate) fn wait_page(&self, pid: u64) -> Result<()> {
        io::wait(&self.shared, pid)
    }
}
impl Drop for Store {
    fn drop(&mut self) {
        self.shared.pool.clean.stop();
        self.shared.io.stop();
    }
}
