//! Threads that each get, put and commit on a directory; prints commits per second, and nanoseconds of the single steps.
//!
//! `cargo run --release --example commit_bench -p pamir-txn [directory]`
use pamir_storage::disk::real::RealDisk;
use pamir_txn::*;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROWS: u32 = 100_000;

fn key(n: u32) -> [u8; 4] {
    n.wrapping_mul(2_654_435_761).rem_euclid(ROWS).to_be_bytes()
}
fn time(name: &str, n: u32, mut f: impl FnMut(u32)) -> f64 {
    for i in 0..n / 10 {
        f(i);
    }
    let t = Instant::now();
    for i in 0..n {
        f(i);
    }
    let ns = t.elapsed().as_nanos() as f64 / n as f64;
    println!("{name:<55} {ns:>9.0} ns");
    ns
}

/// Two seconds of threads that each update a row and commit.
fn commits(s: &Arc<Shard>, tree: TreeId, threads: u32, rows: u32, what: &str) {
    let syncs = || s.stats().iter().find(|n| n.0 == "log_syncs").map_or(0, |n| n.1);
    let before = syncs();
    let start = Instant::now();
    let deadline = start + Duration::from_secs(2);
    let total: u64 = std::thread::scope(|scope| {
        let work = |n: u32| {
            let (mut out, mut done) = (Vec::new(), 0u64);
            let cancel = Arc::new(Cancel::default());
            while Instant::now() < deadline {
                let t = s.begin(Isolation::ReadCommitted, false, cancel.clone());
                let k = key((done as u32).wrapping_mul(257).wrapping_add(n * 1_000_003) % rows);
                let snap = t.statement();
                let ok = t.get(&snap, tree, &k, &mut out).and_then(|_| t.put(tree, &k, &[9; 100]));
                drop(snap);
                if ok.and_then(|()| t.commit()).is_ok() {
                    done += 1;
                }
            }
            done
        };
        let all: Vec<_> = (0..threads).map(|n| scope.spawn(move || work(n))).collect();
        all.into_iter().map(|t| t.join().unwrap_or(0)).sum()
    });
    let rate = total as f64 / start.elapsed().as_secs_f64();
    println!(
        "{what}, {threads:>4} threads: {rate:>9.0} commits/s, {:.1} commits a sync",
        total as f64 / (syncs() - before).max(1) as f64
    );
}

fn main() -> pamir_error::Result<()> {
    let temp;
    let path = match std::env::args().nth(1) {
        Some(p) => std::path::PathBuf::from(p),
        None => {
            temp = tempfile::tempdir().expect("temporary directory");
            temp.path().to_path_buf()
        }
    };
    let s = Shard::open(RealDisk::open(&path)?, ShardOptions::default())?;
    let cancel = Arc::new(Cancel::default());
    let t = s.begin(Isolation::ReadCommitted, false, cancel.clone());
    let tree = t.create_tree()?;
    for i in 0..ROWS {
        t.put(tree, &i.to_be_bytes(), &[7; 100])?;
    }
    let start = Instant::now();
    t.commit()?;
    println!("bulk commit of {ROWS} rows: {:?}", start.elapsed());

    let mut out = Vec::new();
    time("Store::get", 1_000_000, |i| {
        black_box(s.store().get(tree, &key(i), &mut out).is_ok());
    });
    let t = s.begin(Isolation::ReadCommitted, true, cancel.clone());
    time("statement + get", 1_000_000, |i| {
        let snap = t.statement();
        black_box(t.get(&snap, tree, &key(i), &mut out).is_ok());
    });
    time("statement", 1_000_000, |_| {
        black_box(t.statement().ts());
    });
    drop(t);
    time("begin + statement + get + end (read only)", 1_000_000, |i| {
        let t = s.begin(Isolation::ReadCommitted, true, cancel.clone());
        let snap = t.statement();
        black_box(t.get(&snap, tree, &key(i), &mut out).is_ok());
        drop(snap);
        black_box(t.commit().is_ok());
    });
    time("... with a table lock", 1_000_000, |i| {
        let t = s.begin(Isolation::ReadCommitted, true, cancel.clone());
        black_box(t.lock_table(5, TableLock::AccessShare, WaitPolicy::Block).is_ok());
        let snap = t.statement();
        black_box(t.get(&snap, tree, &key(i), &mut out).is_ok());
        drop(snap);
        black_box(t.commit().is_ok());
    });
    let t = s.begin(Isolation::ReadCommitted, false, cancel.clone());
    let snap = t.statement();
    let mut scan_rows = 0u64;
    let ns = time("scan of 100 rows", 20_000, |i| {
        let lo = (key(i).iter().fold(0, |a, b| a << 8 | *b as u32)).min(ROWS - 100);
        let Ok(mut scan) = t.scan(&snap, tree, &lo.to_be_bytes(), Some(&(lo + 100).to_be_bytes()), Dir::Forward) else {
            return;
        };
        while let Ok(Some(e)) = scan.next(&t) {
            scan_rows += black_box(e.1.len() as u64) / 100;
        }
    });
    println!("{:<55} {:>9.0} ns", "  per row", ns / 100.0);
    drop((snap, t));
    time("begin + 5 puts with locks + rollback", 200_000, |i| {
        let t = s.begin(Isolation::ReadCommitted, false, cancel.clone());
        for n in 0..5 {
            black_box(t.put(tree, &key(i * 5 + n), &[8; 100]).is_ok());
        }
    });
    let start = Instant::now();
    let t = s.begin(Isolation::ReadCommitted, false, cancel.clone());
    for i in 0..ROWS * 5 {
        t.put(tree, &key(i).map(|b| b ^ (i % 3) as u8), &[8; 100])?;
    }
    let written = start.elapsed();
    t.commit()?;
    println!(
        "one transaction of {} puts with locks: {written:?}, its commit {:?}",
        ROWS * 5,
        start.elapsed() - written
    );
    for threads in [1u32, 2, 4, 16, 64, 256] {
        commits(&s, tree, threads, ROWS, "different rows");
    }
    for threads in [4, 64] {
        commits(&s, tree, threads, 1, "one row");
    }
    s.close()
}
