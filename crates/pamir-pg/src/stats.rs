//! What the protocol counts, by thread: only that thread writes its own, so an increment is a load and a store; anyone may read.
use pamir_net::stats::{Counter, seat};

/// Aligned so that two threads' counters share no cache line.
#[derive(Default)]
#[repr(align(128))]
pub struct Counters {
    /// Simple queries and Execute messages.
    pub statements: Counter,
    pub errors: Counter,
}

/// One for each thread that may run connections.
pub struct Tally(Box<[Counters]>);

impl Tally {
    pub fn new(seats: usize) -> Tally {
        Tally((0..seats).map(|_| Counters::default()).collect())
    }
    /// Counts, on a thread that does.
    #[inline]
    pub fn count(&self, f: impl FnOnce(&Counters)) {
        if let Some(c) = seat().and_then(|n| self.0.get(n)) {
            f(c)
        }
    }
    /// (name, is a gauge, value)
    pub fn all(&self) -> [(&'static str, bool, u64); 2] {
        let sum = |of: fn(&Counters) -> &Counter| self.0.iter().fold(0u64, |n, c| n.wrapping_add(of(c).get()));
        [("pg_statements_total", false, sum(|c| &c.statements)), ("pg_errors_total", false, sum(|c| &c.errors))]
    }
}
