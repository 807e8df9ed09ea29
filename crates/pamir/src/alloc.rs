//! The process's allocator: mimalloc, with every allocation counted.
//!
//! mimalloc (MIT) because sessions move between statements on one thread while their buffers live for a connection: its thread-local
//! free lists took 10 to 15% of the user time off `oltp_read_only` at 64 connections, measured beside the C library's allocator.
//!
//! Counting costs a thread-local read and a plain store: each of the first [`SLOTS`] - 1 threads owns a slot; all later ones share the last
//! and add to it atomically. `/metrics` shows the sums, so that allocations a statement can be watched.
//!
//! Invariants: a slot other than the last is written by one thread only; nothing in here allocates.
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Threads with a counter of their own, and one for all others.
const SLOTS: usize = 64;
/// Not numbered yet.
const UNKNOWN: usize = usize::MAX;

#[repr(align(128))]
struct Slot {
    calls: AtomicU64,
    bytes: AtomicU64,
}

static COUNTS: [Slot; SLOTS] = [const { Slot { calls: AtomicU64::new(0), bytes: AtomicU64::new(0) } }; SLOTS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    // Initialized at compile time and without a destructor: reading it neither allocates nor fails while a thread ends.
    static MINE: Cell<usize> = const { Cell::new(UNKNOWN) };
}

pub struct Counting(mimalloc::MiMalloc);

impl Counting {
    pub const fn new() -> Counting {
        Counting(mimalloc::MiMalloc)
    }
}

#[inline]
fn count(bytes: usize) {
    let mut n = MINE.get();
    if n == UNKNOWN {
        n = NEXT.fetch_add(1, Ordering::Relaxed).min(SLOTS - 1);
        MINE.set(n);
    }
    let s = &COUNTS[n];
    if n < SLOTS - 1 {
        s.calls.store(s.calls.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        s.bytes.store(s.bytes.load(Ordering::Relaxed).wrapping_add(bytes as u64), Ordering::Relaxed);
    } else {
        s.calls.fetch_add(1, Ordering::Relaxed);
        s.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// (allocations and reallocations, bytes asked for) since the start, of all threads.
pub fn allocated() -> (u64, u64) {
    let sum = |f: fn(&Slot) -> &AtomicU64| COUNTS.iter().map(|s| f(s).load(Ordering::Relaxed)).sum();
    (sum(|s| &s.calls), sum(|s| &s.bytes))
}

// SAFETY: every call is passed on unchanged to mimalloc, which is a correct GlobalAlloc; `count` touches no memory but its
// counters, allocates nothing and does not unwind.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise on `layout`.
        unsafe { self.0.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise on `layout`.
        unsafe { self.0.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise that `p` came from this allocator, which is mimalloc's, with `layout`.
        unsafe { self.0.dealloc(p, layout) }
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as for `dealloc`, and the caller's promise on `size`.
        unsafe { self.0.realloc(p, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_allocation_is_counted() {
        let (calls, bytes) = allocated();
        for i in 1..=100usize {
            std::hint::black_box(vec![0u8; i * 1000]);
        }
        let (calls2, bytes2) = allocated();
        assert!(calls2 - calls >= 100, "{}", calls2 - calls);
        assert!(bytes2 - bytes >= 5_050_000, "{}", bytes2 - bytes);
    }
    #[test]
    fn threads_beyond_the_slots_are_counted_too() {
        for _ in 0..2 * SLOTS {
            std::thread::spawn(|| drop(std::hint::black_box(Box::new([1u8; 64])))).join().unwrap();
        }
        let before = allocated().0;
        std::thread::spawn(|| (0..1000).for_each(|i| drop(std::hint::black_box(Box::new(i))))).join().unwrap();
        assert!(allocated().0 - before >= 1000);
    }
}
