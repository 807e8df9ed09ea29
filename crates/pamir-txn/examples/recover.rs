//! Times recovery: opens a data directory as the server does, says how long that took and what the log held, and ends without a checkpoint.
//!
//! `cargo run --release -p pamir-txn --example recover -- DIRECTORY` (of a killed server; a copy, since recovery settles the log's end).
use pamir_storage::disk::real::RealDisk;
use pamir_txn::{Shard, ShardOptions};
use std::path::Path;
use std::time::Instant;

/// User and system time of this process, in seconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |n: usize| after.split_whitespace().nth(n).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).ok_or("usage: recover DIRECTORY")?;
    let start = Instant::now();
    let opts = ShardOptions { cache_size: 4 << 30, ..ShardOptions::default() };
    let shard =
        Shard::open(RealDisk::open(Path::new(&dir)).map_err(|e| e.to_string())?, opts).map_err(|e| e.to_string())?;
    println!(
        "recovered in {:.2} s, {:.2} s of CPU time, up to timestamp {}",
        start.elapsed().as_secs_f64(),
        cpu(),
        shard.applied_ts()
    );
    // No close: the directory stays as a crash left it.
    std::process::exit(0);
}
