//! Counters of one thread that runs connections: the runtime's own; those of protocols, which count by [`seat`], look the same. Only it writes them, so an increment is a load and a store; anyone may read. What a gauge has gained on one thread it may lose on another: only
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

/// The calling thread's number, if it runs connections: no other such thread of its runtime has it at the same time, and all are below [`crate::Runtime::seats`].
#[inline]
pub fn seat() -> Option<usize> {
    HERE.with(|h| h.get().map(|c| c.seat))
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
    pub seat: usize,
    /// Open sockets.
    pub connections: Counter,
    pub accepted: Counter,
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
    pub fn all(&self) -> [(&'static str, bool, u64); 12] {
        [
            ("net_connections", true, self.connections.get()),
            ("net_connections_accepted_total", false, self.accepted.get()),
            ("net_read_syscalls_total", false, self.reads.get()),
            ("net_write_syscalls_total", false, self.writes.get()),
            ("net_received_bytes_total", false, self.bytes_in.get()),
            ("net_sent_bytes_total", false, self.bytes_out.get()),
            ("net_polls_total", false, self.polls.get()),
            ("net_parks_total", false, self.parks.get()),
            ("net_stacks", true, self.stacks.get()),
            ("net_moves_total", false, self.moves.get()),
            ("net_panics_total", false, self.panics.get()),
            ("net_newcomers_closed_total", false, self.evicted.get()),
        ]
    }
}
