//! What the server counts of its own work, for the statistics views and for `/metrics`.
//!
//! ```text
//!   usage.rs        rows and scans of a table or index, transactions of a database: cells by thread, summed when read
//!   statements.rs   pg_stat_statements: one entry for each normalized text, its counters beside the shared statement that runs it
//!   fingerprint.rs  a text without its constants, and its number
//!   kinds.rs        how long statements took, by kind, as histograms
//! ```
//! Invariants: a counter only rises until it is reset; recording takes no lock that another thread wants but by chance, and allocates nothing once the statement is
//! known. Counters live in memory and start at zero with the server: nothing of them is written to the data directory.
pub mod fingerprint;
pub mod kinds;
pub mod statements;
pub mod usage;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More threads than this share cells.
const MAX_LANES: usize = 16;

/// How many cells each counter has: no more than the machine has processors.
pub fn lanes() -> usize {
    static LANES: OnceLock<usize> = OnceLock::new();
    *LANES
        .get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get()).next_power_of_two().min(MAX_LANES))
}

/// The calling thread's cell.
#[inline]
pub fn lane() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static LANE: usize = NEXT.fetch_add(1, Ordering::Relaxed) & (lanes() - 1);
    }
    LANE.with(|l| *l)
}
