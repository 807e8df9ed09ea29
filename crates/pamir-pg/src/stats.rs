//! Counters of one thread that runs sessions. Only it writes them, so an increment is a load and a store; anyone may read. What a gauge has gained on one thread it may lose on another: only
//! the sum means something.
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static HERE: OnceCell<Arc<Counters>> = const { OnceCell::new() };
}
/// This thread counts there from now on.
pub fn count_in(c: Arc<Counters>) {
    HERE.with(|h| drop(h.set(c)));
}
/// Counts, on a thread that does.
#[inline]
pub fn count(f: impl FnOnce(&Counters)) {
    HERE.with(|h| {
        if let Some(c) = h.get() {
            f(c)
        }
    });
}

#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// By the owning thread only.
    #[inline]
    pub fn add(&self, n: u64) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }
    #[inline]
    pub fn sub(&self, n: u64) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_sub(n), Ordering::Relaxed);
    }
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Aligned so that two threads' counters share no cache line.
#[derive(Default)]
#[repr(align(128))]
pub struct Counters {
    /// Open sockets.
    pub connections: Counter,
    pub accepted: Counter,
    /// Simple queries and Execute messages.
    pub statements: Counter,
    pub errors: Counter,
    pub reads: Counter,
    pub writes: Counter,
    pub bytes_in: Counter,
    pub bytes_out: Counter,
    /// Calls of epoll_wait.
    pub polls: Counter,
    /// Suspensions of a statement.
    pub parks: Counter,
    /// Coroutine stacks, in use or pooled.
    pub stacks: Counter,
    /// Connections taken over from other workers.
    pub moves: Counter,
    pub panics: Counter,
    /// Sockets closed because too many others had not authenticated either.
    pub evicted: Counter,
}

impl Counters {
    /// (name, is a gauge, value)
    pub fn all(&self) -> [(&'static str, bool, u64); 14] {
        [
            ("pg_connections", true, self.connections.get()),
            ("pg_connections_accepted_total", false, self.accepted.get()),
            ("pg_statements_total", false, self.statements.get()),
            ("pg_errors_total", false, self.errors.get()),
            ("pg_read_syscalls_total", false, self.reads.get()),
            ("pg_write_syscalls_total", false, self.writes.get()),
            ("pg_received_bytes_total", false, self.bytes_in.get()),
            ("pg_sent_bytes_total", false, self.bytes_out.get()),
            ("pg_polls_total", false, self.polls.get()),
            ("pg_parks_total", false, self.parks.get()),
            ("pg_stacks", true, self.stacks.get()),
            ("pg_moves_total", false, self.moves.get()),
            ("pg_panics_total", false, self.panics.get()),
            ("pg_newcomers_closed_total", false, self.evicted.get()),
        ]
    }
}
