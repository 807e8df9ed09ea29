//! A store in memory whose operations fail, and a single node's shard without threads.
#![allow(dead_code)]
use pamir_backup::objects::{Fault, Memory, Objects, Outcome, Pace};
use pamir_backup::store::Store;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::platform::{Platform, Sim};
use pamir_testkit::chance::Rng;
use pamir_txn::{Dir, Isolation, LocalTxn, Shard, ShardOptions, TreeId};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Fails before or after it did what it was asked, one of `of` times (0: never); refuses everything once `left` operations are done.
pub struct Faulty {
    pub inner: Memory,
    rng: Mutex<Rng>,
    of: AtomicU64,
    left: AtomicU64,
}
impl Faulty {
    pub fn new(seed: u64) -> Arc<Faulty> {
        Arc::new(Faulty {
            inner: Memory::default(),
            rng: Mutex::new(Rng::new(seed)),
            of: AtomicU64::new(0),
            left: AtomicU64::new(u64::MAX),
        })
    }
    /// One of `of` operations fails.
    pub fn fail(&self, of: u64) {
        self.of.store(of, Relaxed);
    }
    /// After so many operations the writer is gone.
    pub fn kill_after(&self, n: u64) {
        self.left.store(n, Relaxed);
    }
    pub fn heal(&self) {
        self.fail(0);
        self.kill_after(u64::MAX);
    }
    pub fn store(self: &Arc<Self>) -> Store {
        Store::new(self.clone()).without_pauses()
    }
    fn fails<T>(&self, f: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        if self.left.load(Relaxed) == 0 {
            return Err(Fault::Refused("the writer is gone".into()));
        }
        self.left.fetch_sub(1, Relaxed);
        let of = self.of.load(Relaxed);
        let (fails, after) = {
            let mut r = self.rng.lock().unwrap();
            (of > 0 && r.chance(of), r.chance(2))
        };
        if !fails {
            return f();
        }
        if after {
            let _ = f();
        }
        Err(Fault::Transient("away".into()))
    }
}
impl Objects for Faulty {
    fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
        self.fails(|| self.inner.put(name, bytes, create, pace))
    }
    fn get(&self, name: &str) -> Outcome<Vec<u8>> {
        self.fails(|| self.inner.get(name))
    }
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
        self.fails(|| self.inner.get_range(name, from, len))
    }
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
        self.fails(|| self.inner.list(prefix))
    }
    fn delete(&self, name: &str) -> Outcome<()> {
        self.fails(|| self.inner.delete(name))
    }
    fn describe(&self) -> String {
        "the test's store".into()
    }
}

pub type Map = BTreeMap<(u64, Vec<u8>), Vec<u8>>;

pub const SEGMENT: u64 = 16 << 10;

pub fn options(platform: Option<Arc<Sim>>) -> ShardOptions {
    ShardOptions {
        cache_size: 8 << 20,
        io_threads: 0,
        log_segment_size: SEGMENT,
        checkpoint_bytes: 60_000,
        large_commit_bytes: 2_000,
        slice_ops: 7,
        platform: platform.map(|p| p as Arc<dyn Platform>),
        ..ShardOptions::default()
    }
}
pub fn begin(shard: &Arc<Shard>) -> LocalTxn {
    shard.begin(Isolation::ReadCommitted, false, Default::default())
}
pub fn read_all(shard: &Arc<Shard>, trees: &[TreeId]) -> Map {
    let mut m = Map::new();
    let t = begin(shard);
    let snap = t.statement();
    for tree in trees.iter().filter(|t| shard.store().tree_exists(**t)) {
        let mut scan = t.scan(&snap, *tree, &[], None, Dir::Forward).unwrap();
        while let Some((k, v)) = scan.next(&t).unwrap() {
            m.insert((tree.0, k.to_vec()), v.to_vec());
        }
    }
    m
}
/// What a restored directory holds.
pub fn content(disk: &SimDisk, trees: &[TreeId]) -> Map {
    let shard = Shard::open_stepped(Arc::new(disk.clone()), options(None)).unwrap();
    read_all(&shard, trees)
}
