//! Counters for `/metrics`: plain atomics that only grow.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Shared by a store and a log; times in microseconds.
#[derive(Default, Debug)]
pub struct Stats {
    pub pages_read: AtomicU64,
    pub pages_written: AtomicU64,
    pub pages_evicted: AtomicU64,
    /// pages written because a frame was needed, outside a checkpoint's own pace
    pub eviction_writes: AtomicU64,
    pub checkpoints: AtomicU64,
    pub checkpoint_bytes: AtomicU64,
    pub log_records: AtomicU64,
    pub log_bytes: AtomicU64,
    pub log_syncs: AtomicU64,
    pub log_sync_micros: AtomicU64,
    pub data_syncs: AtomicU64,
    pub data_sync_micros: AtomicU64,
    /// optimistic reads that had to start again
    pub restarts: AtomicU64,
}
pub(crate) fn add(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Relaxed);
}
/// Runs a sync and books it.
pub(crate) fn timed<T>(count: &AtomicU64, micros: &AtomicU64, f: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let r = f();
    add(count, 1);
    add(micros, start.elapsed().as_micros() as u64);
    r
}
