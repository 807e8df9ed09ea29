//! A reader that never ends beside a million updates: writers go on and memory stays bounded; the reader keeps its exact snapshot where memory allows it,
//! else it is told 72000. PAMIR_UPDATES changes the number (the full one in release; a tenth of it otherwise).
mod common;
use common::*;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROWS: u32 = 1000;
/// Updates of one commit.
const BATCH: u64 = 100;

fn updates() -> u64 {
    let n = std::env::var("PAMIR_UPDATES").ok().and_then(|s| s.parse().ok());
    n.unwrap_or(if cfg!(debug_assertions) { 100_000 } else { 1_000_000 })
}
fn stat(s: &Shard, name: &str) -> u64 {
    s.stats().into_iter().find(|x| x.0 == name).unwrap().1
}
fn value(n: u64) -> Vec<u8> {
    let mut v = n.to_le_bytes().to_vec();
    v.resize(60, 7);
    v
}
struct Bench {
    s: Arc<Shard>,
    tree: TreeId,
    peak: u64,
}
impl Bench {
    fn new(version_memory: u64, version_disk: u64) -> Bench {
        let opts = ShardOptions {
            version_memory,
            version_disk,
            checkpoint_bytes: 64 << 20,
            log_segment_size: 16 << 20,
            cache_size: 16 << 20,
            ..options()
        };
        let s = Shard::open(Arc::new(SimDisk::new(3)) as Arc<dyn Disk>, opts).unwrap();
        let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
        let tree = t.create_tree().unwrap();
        for i in 0..ROWS {
            t.put(tree, &i.to_be_bytes(), &value(0)).unwrap();
        }
        t.commit().unwrap();
        Bench { s, tree, peak: 0 }
    }
    fn update(&mut self, n: u64) {
        let (mut r, mut slowest) = (Rng::new(n), Duration::ZERO);
        for batch in 0..n / BATCH {
            let start = Instant::now();
            let t = self.s.begin(Isolation::ReadCommitted, false, Arc::default());
            drop(t.statement());
            for i in 0..BATCH {
                let k = r.below(ROWS as u64) as u32;
                t.put(self.tree, &k.to_be_bytes(), &value(batch * BATCH + i + 1)).unwrap();
            }
            t.commit().unwrap();
            slowest = slowest.max(start.elapsed());
            self.peak = self.peak.max(stat(&self.s, "version_bytes"));
        }
        println!("slowest commit of {BATCH} updates: {slowest:?}, version memory at most {} kB", self.peak >> 10);
    }
    fn rows(&self, t: &LocalTxn, snap: &Snapshot) -> pamir_error::Result<Rows> {
        collect(t, t.scan(snap, self.tree, b"", None, Dir::Forward)?)
    }
}

#[test]
fn little_memory_tells_the_reader() {
    const LIMIT: u64 = 1 << 20;
    let mut b = Bench::new(LIMIT, 0);
    let reader = b.s.begin(Isolation::RepeatableRead, true, Arc::default());
    let snap = reader.statement();
    assert_eq!(b.rows(&reader, &snap).unwrap().len(), ROWS as usize);
    b.update(updates());
    // One batch may be on top before the applier has given the snapshot up.
    assert!(b.peak <= LIMIT + (256 << 10), "{} bytes of old versions", b.peak);
    assert_eq!(b.rows(&reader, &snap).unwrap_err().code().as_str(), "72000");
    assert_eq!(reader.get(&snap, b.tree, &0u32.to_be_bytes(), &mut vec![]).unwrap_err().code().as_str(), "72000");
    assert!(stat(&b.s, "snapshots_given_up") > 0);
    // A new reader reads, before and after the old one has gone.
    let fresh = b.s.begin(Isolation::RepeatableRead, true, Arc::default());
    assert_eq!(b.rows(&fresh, &fresh.statement()).unwrap().len(), ROWS as usize);
    drop((snap, reader));
    assert_eq!(b.rows(&fresh, &fresh.statement()).unwrap().len(), ROWS as usize);
    b.s.close().unwrap();
}

#[test]
fn enough_memory_keeps_the_snapshot() {
    kept(4 << 30, 0);
}

/// What does not fit into memory is read back from disk, and is gone from there when the snapshot is.
#[test]
fn the_disk_keeps_the_snapshot() {
    kept(1 << 20, 8 << 30);
}

fn kept(memory: u64, disk: u64) {
    let mut b = Bench::new(memory, disk);
    let trees = b.s.store().trees().len();
    b.update(10_000);
    let reader = b.s.begin(Isolation::RepeatableRead, true, Arc::default());
    let snap = reader.statement();
    let before = b.rows(&reader, &snap).unwrap();
    let mut later = vec![];
    for _ in 0..4 {
        b.update(updates() / 4);
        assert!(b.rows(&reader, &snap).unwrap() == before, "the snapshot changed");
        // Younger ones beside it need versions of their own.
        let t = b.s.begin(Isolation::RepeatableRead, true, Arc::default());
        let snap = t.statement();
        let rows = b.rows(&t, &snap).unwrap();
        later.push((t, snap, rows));
    }
    for (t, snap, rows) in &later {
        assert!(b.rows(t, snap).unwrap() == *rows, "a later snapshot changed");
    }
    drop(later);
    // One batch may be on top before versions have moved.
    assert!(b.peak <= memory + (256 << 10), "{} bytes of old versions in memory", b.peak);
    assert_eq!(stat(&b.s, "versions_moved") > 0, disk > 0);
    assert_eq!(stat(&b.s, "snapshots_given_up"), 0);
    for (k, v) in before.iter().take(50) {
        let mut out = vec![];
        assert!(reader.get(&snap, b.tree, k, &mut out).unwrap());
        assert_eq!(&out, v);
    }
    drop((snap, reader));
    // All of it goes when nobody needs it, the trees after what they count as.
    let end = Instant::now() + Duration::from_secs(60);
    let left = || (stat(&b.s, "versions"), stat(&b.s, "version_disk_bytes"), b.s.store().trees().len());
    while left() != (0, 0, trees) {
        assert!(Instant::now() < end, "versions, bytes and trees are left: {:?}, of {trees} trees", left());
        std::thread::sleep(Duration::from_millis(20));
    }
    b.s.close().unwrap();
}
