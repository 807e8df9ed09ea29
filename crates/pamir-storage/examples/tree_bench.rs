//! Micro-benchmark of the tree and the log: `cargo run --release --example tree_bench -p pamir-storage [rows] [directory]`.
//!
//! Budgets stand in the documentation of `pamir_storage::store`; times are of CPU, then of the wall clock.
use pamir_storage::disk::{Disk, real::RealDisk, sim::SimDisk};
use pamir_storage::log::{Log, LogOptions};
use pamir_storage::store::{Dir, FIRST_TREE, Store, StoreOptions, TreeId};
use pamir_testkit::Rng;
use std::sync::Arc;

fn key(i: u64) -> [u8; 9] {
    let mut k = [1; 9];
    k[1..].copy_from_slice(&(i | 1 << 63).to_be_bytes());
    k
}
/// CPU time of this thread, so that a busy machine does not count; and the wall clock beside it.
#[derive(Clone, Copy)]
struct Clock(u64, std::time::Instant);
impl Clock {
    fn now() -> Clock {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call fills the struct it is given.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) };
        Clock(t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64, std::time::Instant::now())
    }
}
fn report(what: &str, n: u64, start: Clock) {
    let per = |ns: u64| ns as f64 / n.max(1) as f64;
    println!(
        "{what:<40} {:>9.1} ns CPU {:>9.1} ns",
        per(Clock::now().0 - start.0),
        per(start.1.elapsed().as_nanos() as u64)
    );
}
fn main() -> pamir_error::Result<()> {
    let mut args = std::env::args().skip(1);
    let rows: u64 = args.next().and_then(|a| a.parse().ok()).unwrap_or(250_000);
    let dir = args.next();
    let disk: Arc<dyn Disk> = match &dir {
        Some(d) => RealDisk::open(std::path::Path::new(d))?,
        None => Arc::new(SimDisk::new(1)),
    };
    let o = Store::open(disk.clone(), StoreOptions { cache_size: 1 << 30, io_threads: 2 })?;
    let (store, mut w) = (o.store, o.writer);
    let (t, bulk) = (TreeId(FIRST_TREE), TreeId(FIRST_TREE + 1));
    w.create_tree(t)?;
    w.create_tree(bulk)?;
    let mut r = Rng::new(1);
    let mut next = || r.below(rows);
    let value = [7u8; 200];

    let start = Clock::now();
    for i in 0..rows {
        w.put(t, &key(i), &value, &mut |_| {})?;
    }
    report("ascending insert", rows, start);
    println!("    {:?} (leaf pages, height)", store.tree_size(t)?);

    let keys: Vec<[u8; 9]> = (0..rows).map(key).collect();
    let start = Clock::now();
    w.bulk_build(bulk, &mut keys.iter().map(|k| (&k[..], &value[..])))?;
    report("bulk build", rows, start);

    let mut out = Vec::with_capacity(256);
    let n = 1_000_000;
    for round in 0..2 {
        let start = Clock::now();
        for _ in 0..n {
            assert!(store.get(t, &key(next()), &mut out)?);
        }
        report(&format!("random get, round {round}"), n, start);
    }
    let start = Clock::now();
    for i in 0..n {
        assert!(store.get(t, &key(i % rows), &mut out)?);
    }
    report("ascending get", n, start);

    let mut c = store.cursor(t, None, Dir::Forward)?;
    for (dir, name) in [(Dir::Forward, "scan forward, a row"), (Dir::Backward, "scan backward, a row")] {
        let start = Clock::now();
        c.seek(t, None, None, dir)?;
        let mut seen = 0;
        while let Some((_, v)) = c.next()? {
            seen += v.len() as u64 / 200;
        }
        assert_eq!(seen, rows);
        report(name, rows, start);
    }
    let start = Clock::now();
    for _ in 0..n {
        c.seek(t, Some(&key(next())), None, Dir::Forward)?;
        assert!(c.next()?.is_some());
    }
    report("seek and one row", n, start);

    let start = Clock::now();
    for i in 0..n {
        w.put(t, &key(next()), &[i as u8; 200], &mut |_| {})?;
    }
    report("random replace, same size", n, start);
    let start = Clock::now();
    for i in 0..n / 2 {
        w.put(t, &key(next()), &value[..150 + (i % 50) as usize], &mut |_| {})?;
    }
    report("random replace, other size", n / 2, start);

    let start = Clock::now();
    let dirty = w.dirty_bytes();
    let mut ck = w.begin_checkpoint(1, &[])?;
    report("begin checkpoint, a dirty page", dirty / 8192, start);
    let start = Clock::now();
    while !ck.step(64)? {}
    ck.finish()?;
    report("checkpoint, a dirty page", dirty / 8192, start);

    let start = Clock::now();
    for _ in 0..rows {
        w.remove(t, &key(next()))?;
    }
    report("random remove", rows, start);

    let mut log = Log::open(disk, LogOptions::default(), 0, &mut |_, _| Ok(()))?;
    let start = Clock::now();
    for _ in 0..n {
        log.append(&value)?;
    }
    report("log append, 200 bytes", n, start);
    let (batches, size) = (200u64, 30);
    let start = Clock::now();
    for _ in 0..batches {
        for _ in 0..size {
            log.append(&value)?;
        }
        log.sync()?;
    }
    report("log batch of 30, synced", batches, start);
    Ok(())
}
