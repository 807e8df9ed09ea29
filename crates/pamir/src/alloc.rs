//! The process's allocator: jemalloc, with every allocation counted.
//!
//! jemalloc (BSD) because a statement asks for some hundred small blocks and gives them all back: a thread's cache hands out the block that was given back last, which is
//! in the processor's cache still, and knows it from an array without touching it. mimalloc's lists go through the free blocks themselves and round the whole page: the read of
//! the next one, from memory, was 10% of the server's time in TPC-C by functions. The C library's allocator cost 10 to 15% of the user time more than mimalloc in
//! `oltp_read_only` at 64 connections.
//!
//! What is in use follows from what was asked for and what was given back; [`pamir_types::memory`] holds it against the process's limit. When the operating system
//! refuses memory all the same (a limit on the address space), a reserve of [`RESERVE`] bytes is given up, so that small allocations, which nobody asks
//! leave for, go on while statements get their 53200; it is taken again as soon as that is possible.
//!
//! What is [`MAPPED`] or larger is a mapping of its own: a buffer that doubles is moved by its page tables (mremap), not copied, so that growing it to a gigabyte holds nobody up, and its
//! pages are made as they are first touched.
//!
//! Counting costs a thread-local read and a plain store: each of the first [`SLOTS`] - 1 threads owns a slot; all later ones share the last
//! and add to it atomically. `/metrics` shows the sums, so that allocations a statement can be watched.
//!
//! Invariants: a slot other than the last is written by one thread only; nothing in here allocates.
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Threads with a counter of their own, and one for all others.
const SLOTS: usize = 64;
/// Not numbered yet.
const UNKNOWN: usize = usize::MAX;

#[repr(align(128))]
struct Slot {
    calls: AtomicU64,
    bytes: AtomicU64,
    freed: AtomicU64,
}

static COUNTS: [Slot; SLOTS] =
    [const { Slot { calls: AtomicU64::new(0), bytes: AtomicU64::new(0), freed: AtomicU64::new(0) } }; SLOTS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    // Initialized at compile time and without a destructor: reading it neither allocates nor fails while a thread ends.
    static MINE: Cell<usize> = const { Cell::new(UNKNOWN) };
}

/// jemalloc's settings, which it reads before the first allocation. What is given back returns to the operating system within a second or so of its threads' going on, address space
/// and all, so that the process's size is about what it uses, and so that [`Source::map`] finds room where the address space is limited.
// SAFETY: the name and the type (a C string) are jemalloc's; nothing else has this name.
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static SETTINGS: Option<&'static std::ffi::c_char> =
    // SAFETY: the first character of a string that ends with a zero and lives for ever.
    Some(unsafe { &*c"dirty_decay_ms:1000,muzzy_decay_ms:0,retain:false".as_ptr() });

pub struct Counting(Source);

impl Counting {
    pub const fn new() -> Counting {
        Counting(Source)
    }
}

/// The thread's slot.
#[inline]
fn mine() -> usize {
    let mut n = MINE.get();
    if n == UNKNOWN {
        n = NEXT.fetch_add(1, Ordering::Relaxed).min(SLOTS - 1);
        MINE.set(n);
    }
    n
}
#[inline]
fn count_freed(bytes: usize) {
    let n = mine();
    let s = &COUNTS[n];
    if n < SLOTS - 1 {
        s.freed.store(s.freed.load(Ordering::Relaxed).wrapping_add(bytes as u64), Ordering::Relaxed);
    } else {
        s.freed.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}
#[inline]
fn count(bytes: usize) {
    let n = mine();
    let s = &COUNTS[n];
    if n < SLOTS - 1 {
        s.calls.store(s.calls.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        s.bytes.store(s.bytes.load(Ordering::Relaxed).wrapping_add(bytes as u64), Ordering::Relaxed);
    } else {
        s.calls.fetch_add(1, Ordering::Relaxed);
        s.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Bytes in use: asked for and not given back.
pub fn used() -> u64 {
    let slots = &COUNTS[..NEXT.load(Ordering::Relaxed).min(SLOTS)];
    // What one thread took another may have given back: only the sum means something.
    slots.iter().fold(0u64, |sum, s| {
        sum.wrapping_add(s.bytes.load(Ordering::Relaxed)).wrapping_sub(s.freed.load(Ordering::Relaxed))
    })
}

/// Bytes held back for small allocations when the operating system has no more.
const RESERVE: usize = 16 << 20;
/// Larger requests do not get at the reserve: whoever makes them can fail.
const SMALL: usize = 256 << 10;
const RESERVE_LAYOUT: Layout = match Layout::from_size_align(RESERVE, 4096) {
    Ok(l) => l,
    Err(_) => panic!(),
};
static HELD: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// Takes the reserve, if it is not there; false: it is not to be had.
pub fn hold_reserve() -> bool {
    // SAFETY: the layout is not of zero size.
    let p = unsafe { tikv_jemallocator::Jemalloc.alloc(RESERVE_LAYOUT) };
    if p.is_null() {
        return false;
    }
    if HELD.compare_exchange(std::ptr::null_mut(), p, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        // SAFETY: just allocated with this layout.
        unsafe { tikv_jemallocator::Jemalloc.dealloc(p, RESERVE_LAYOUT) };
    }
    EXHAUSTED.store(false, Ordering::Release);
    true
}
/// The reserve is in use, and there is none to be had yet.
pub fn exhausted() -> bool {
    EXHAUSTED.load(Ordering::Acquire) && !hold_reserve()
}
/// After a refusal: gives the reserve up for a small request. True: try again.
#[cold]
fn give_up_reserve(size: usize) -> bool {
    if size > SMALL {
        return false;
    }
    EXHAUSTED.store(true, Ordering::Release);
    let p = HELD.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if p.is_null() {
        return false;
    }
    // SAFETY: it was allocated with this layout, and the swap made it this thread's alone.
    unsafe { tikv_jemallocator::Jemalloc.dealloc(p, RESERVE_LAYOUT) };
    true
}

/// (allocations and reallocations, bytes asked for) since the start, of all threads.
pub fn allocated() -> (u64, u64) {
    let sum = |f: fn(&Slot) -> &AtomicU64| COUNTS.iter().map(|s| f(s).load(Ordering::Relaxed)).sum();
    (sum(|s| &s.calls), sum(|s| &s.bytes))
}

/// Requests of so many bytes are mappings of their own.
const MAPPED: usize = 8 << 20;
/// The least page of any system: a mapping has this alignment.
const MAPPED_ALIGN: usize = 4096;

fn is_mapped(layout: &Layout) -> bool {
    layout.size() >= MAPPED && layout.align() <= MAPPED_ALIGN
}

/// Where blocks come from: jemalloc, or the system for large ones. The layout says which, so it is the same for a block's whole life.
struct Source;

impl Source {
    #[cold]
    fn map(size: usize) -> *mut u8 {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping where the kernel likes it touches nothing that there is.
        let p = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0) };
        if p == libc::MAP_FAILED { std::ptr::null_mut() } else { p.cast() }
    }
}

// SAFETY: small blocks are jemalloc's, which is a correct GlobalAlloc; a mapping is zeroed, has its own pages, and its alignment is that of a page. `is_mapped` answers the same for a block at each call,
// as callers pass the layout that it was allocated with, and `realloc` keeps the alignment.
unsafe impl GlobalAlloc for Source {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_mapped(&layout) {
            return Source::map(layout.size());
        }
        // SAFETY: the caller's promise on `layout`.
        unsafe { tikv_jemallocator::Jemalloc.alloc(layout) }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_mapped(&layout) {
            return Source::map(layout.size());
        }
        // SAFETY: the caller's promise on `layout`.
        unsafe { tikv_jemallocator::Jemalloc.alloc_zeroed(layout) }
    }
    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        if is_mapped(&layout) {
            // SAFETY: the caller gives back a whole block, which is a whole mapping.
            unsafe { libc::munmap(p.cast(), layout.size()) };
            return;
        }
        // SAFETY: the caller's promise that `p` came from here with `layout`, which is jemalloc's.
        unsafe { tikv_jemallocator::Jemalloc.dealloc(p, layout) }
    }
    #[inline]
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that `size`, rounded up to the alignment, is a valid size.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_mapped(&layout), is_mapped(&new)) {
            // SAFETY: as for `dealloc`.
            (false, false) => unsafe { tikv_jemallocator::Jemalloc.realloc(p, layout, size) },
            (true, true) => {
                // SAFETY: `p` is a whole mapping of the layout's size.
                let moved = unsafe { libc::mremap(p.cast(), layout.size(), size, libc::MREMAP_MAYMOVE) };
                if moved == libc::MAP_FAILED { std::ptr::null_mut() } else { moved.cast() }
            }
            // SAFETY: two blocks, the shorter one's bytes are in both; the old one is given back once.
            _ => unsafe {
                let to = self.alloc(new);
                if !to.is_null() {
                    std::ptr::copy_nonoverlapping(p, to, layout.size().min(size));
                    self.dealloc(p, layout);
                }
                to
            },
        }
    }
}

// SAFETY: every call is passed on unchanged to `Source`, which is a correct GlobalAlloc; `count` touches no memory but its
// counters, allocates nothing and does not unwind.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise on `layout`.
        let mut p = unsafe { self.0.alloc(layout) };
        if p.is_null() {
            if give_up_reserve(layout.size()) {
                // SAFETY: as above.
                p = unsafe { self.0.alloc(layout) };
            }
            if p.is_null() {
                count_freed(layout.size());
            }
        }
        p
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise on `layout`.
        let mut p = unsafe { self.0.alloc_zeroed(layout) };
        if p.is_null() {
            if give_up_reserve(layout.size()) {
                // SAFETY: as above.
                p = unsafe { self.0.alloc_zeroed(layout) };
            }
            if p.is_null() {
                count_freed(layout.size());
            }
        }
        p
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        count_freed(layout.size());
        // SAFETY: the caller's promise that `p` came from this allocator, which is jemalloc's, with `layout`.
        unsafe { self.0.dealloc(p, layout) }
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as for `dealloc`, and the caller's promise on `size`.
        let mut new = unsafe { self.0.realloc(p, layout, size) };
        if new.is_null() && give_up_reserve(size) {
            // SAFETY: a realloc that failed has left `p` as it was.
            new = unsafe { self.0.realloc(p, layout, size) };
        }
        // What did not succeed is taken back; what did has replaced the old block.
        count_freed(if new.is_null() { size } else { layout.size() });
        new
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
    /// Blocks given back, on whatever thread, are not in use; a request that cannot be met is not counted.
    #[test]
    fn what_is_in_use() {
        const BIG: usize = 64 << 20;
        let before = used();
        let held = vec![1u8; BIG];
        // Half of it: the tests beside this one take the reserve and give it back.
        assert!(used() >= before + BIG as u64 / 2);
        std::thread::spawn(move || drop(std::hint::black_box(held))).join().unwrap();
        assert!(used() < before + BIG as u64 / 2);
        let mut v: Vec<u8> = Vec::new();
        assert!(v.try_reserve_exact(1 << 60).is_err());
        assert!(used() < before + BIG as u64 / 2);
    }
    #[test]
    fn large_blocks_grow_and_shrink_with_their_content() {
        let mut v: Vec<u64> = Vec::new();
        // From a small block to a mapping of its own, to a larger one, and back.
        for n in [1000, MAPPED / 8 - 1, MAPPED / 8, MAPPED / 8 * 3 / 2, MAPPED / 8, 1000, MAPPED / 8 + 1] {
            v.resize(n, 0);
            v.shrink_to_fit();
            for i in (0..n).step_by(509) {
                assert!(v[i] == 0 || v[i] == i as u64);
                v[i] = i as u64;
            }
            assert!((0..n.min(1000)).step_by(509).all(|i| v[i] == i as u64));
        }
        let zeroed = vec![0u8; MAPPED + 1];
        assert!(zeroed.iter().all(|b| *b == 0));
        let mut v: Vec<u8> = Vec::with_capacity(MAPPED);
        assert!(v.try_reserve_exact(1 << 60).is_err(), "the block stays as it was");
        v.push(1);
    }
    #[test]
    fn the_reserve_comes_back() {
        assert!(hold_reserve());
        assert!(!give_up_reserve(SMALL + 1), "large requests do not get at it");
        assert!(give_up_reserve(SMALL));
        assert!(!give_up_reserve(SMALL), "it is gone");
        assert!(EXHAUSTED.load(Ordering::Acquire));
        assert!(!exhausted(), "there is memory: it is held again");
        assert!(give_up_reserve(1));
        assert!(hold_reserve());
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
