//! The two sides of the race between taking a snapshot and forgetting history; the picture and the argument are in [`super::snapshot`].
//!
//! Alone in a file, over the atomics of `super::sync`, so that `tests/loom.rs` can compile this very text against loom's.
use super::sync::{AtomicU64, Ordering, fence};

/// A slot that holds no snapshot.
pub(crate) const IDLE: u64 = u64::MAX;

/// Registers the newest snapshot in `slot` and returns it.
#[inline]
pub(crate) fn register(applied: &AtomicU64, slot: &AtomicU64) -> u64 {
    let mut t = applied.load(Ordering::Acquire);
    loop {
        slot.store(t, Ordering::Release);
        fence(Ordering::SeqCst);
        let now = applied.load(Ordering::Acquire);
        if now == t {
            return t;
        }
        t = now;
    }
}
/// The least timestamp that stands in a slot, or the newest applied. Slots below `floor` are snapshots that were given up.
pub(crate) fn horizon<'a>(
    applied: &AtomicU64,
    floor: &AtomicU64,
    slots: impl FnOnce() -> usize,
    slot: impl Fn(usize) -> &'a AtomicU64,
) -> u64 {
    let mut h = applied.load(Ordering::SeqCst);
    fence(Ordering::SeqCst);
    let floor = floor.load(Ordering::Relaxed);
    for n in 0..slots() {
        let s = slot(n).load(Ordering::Acquire);
        if s >= floor && s < h {
            h = s;
        }
    }
    h
}
/// A snapshot ends: the reads made through it come before.
#[inline]
pub(crate) fn clear(slot: &AtomicU64) {
    slot.store(IDLE, Ordering::Release);
}
/// Gives up all snapshots below `ts`, before the first version they need is dropped.
pub(crate) fn raise_floor(floor: &AtomicU64, ts: u64) {
    floor.fetch_max(ts, Ordering::SeqCst);
    fence(Ordering::SeqCst);
}
/// After a page or chain was read: is a snapshot at `ts` still served?
#[inline]
pub(crate) fn is_served(floor: &AtomicU64, ts: u64) -> bool {
    fence(Ordering::Acquire);
    ts >= floor.load(Ordering::Acquire)
}
