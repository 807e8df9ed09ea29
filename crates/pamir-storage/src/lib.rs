//! Storage: one page file of copy-on-write B+trees, one log, exact-snapshot checkpoints.
//!
//! - [`task`]: how code waits without blocking a worker. - [`disk`]: the narrow interface to files (real or simulated).
//! - [`log`]: the append-only log. - [`store`]: trees over the page file: any thread reads, one writer writes.
//! - [`stats`]: counters.
//!
//! This crate knows no SQL, no transaction, no timestamp: keys and values are bytes.
pub mod disk;
pub mod log;
pub mod stats;
pub mod store;
pub mod task;

#[cfg(test)]
mod crash_tests;
