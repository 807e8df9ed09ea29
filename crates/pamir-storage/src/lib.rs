//! Storage: one page file of copy-on-write B+trees, one log, snapshot checkpoints.
//!
//! - [`mod@task`]: how code waits without blocking a worker.
//! - [`mod@helpers`]: threads for what cannot be interrupted. - [`mod@sched`]: which threads go first.
//! - [`mod@disk`]: the narrow interface to files, real or simulated. - [`mod@platform`]: to the clock, to chance, to processors, likewise.
//! - [`mod@log`]: the append-only log.
//! - [`mod@store`]: trees over the page file: any thread reads, one writer writes.
//! - [`mod@stats`] has the counters of both.
//!
//! Together they make an engine like this (`crash_tests.rs` is one in small): open the store; open the log from the store's LSN and replay it into
//! the writer; then append, sync, acknowledge, apply, in that order; now and then begin a checkpoint at an LSN that is durable and applied, step it
//! beside the writer, finish it, and truncate the log before it.
//!
//! This crate knows no SQL, no transaction, no timestamp: keys and values are bytes.
pub mod aio;
pub mod disk;
mod fuzz_script;
#[doc(hidden)]
pub mod fuzzing;
pub mod helpers;
pub mod log;
pub mod platform;
pub mod sched;
pub mod stats;
pub mod store;
pub mod task;

#[cfg(test)]
mod crash_tests;
