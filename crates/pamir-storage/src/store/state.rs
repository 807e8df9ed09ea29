//! A page's state word: the protocol between readers, the writer, evictors and loaders. The picture and the argument are in [`super::pool`].
//!
//! Alone in a file, over the atomics of `super::sync`, so that `tests/loom.rs` can compile this very text against loom's and try every schedule and every
//! allowed reordering, also with one of the orderings left out (then the model must fail).
use super::sync::{AtomicU64, Ordering::*, fence};

pub(crate) const LOCKED: u64 = 1;
pub(crate) const RESIDENT: u64 = 2;
const VERSION: u64 = 1 << 32;

#[inline(always)]
pub(crate) fn frame_of(s: u64) -> usize {
    (s as u32 >> 4) as usize
}
/// The next version, in a frame, unlocked.
#[inline(always)]
pub(crate) fn resident(version_of: u64, frame: usize) -> u64 {
    ((version_of & !(VERSION - 1)).wrapping_add(VERSION)) | (frame as u64) << 4 | RESIDENT
}
/// The next version, not in memory.
#[inline(always)]
pub(crate) fn absent(version_of: u64) -> u64 {
    (version_of & !(VERSION - 1)).wrapping_add(VERSION)
}
#[inline(always)]
pub(crate) fn is_readable(s: u64) -> bool {
    s & (LOCKED | RESIDENT) == RESIDENT
}

// ---- readers

/// What a reader begins with; it may read words of the frame when it [`is_readable`].
#[inline(always)]
pub(crate) fn begin_read(state: &AtomicU64) -> u64 {
    state.load(Acquire)
}
/// Whether all words read since `seen` was loaded belong to one image.
#[inline(always)]
pub(crate) fn still(state: &AtomicU64, seen: u64) -> bool {
    fence(Acquire);
    state.load(Relaxed) == seen
}

// ---- whoever changes

/// Takes LOCKED; `s` is the state just seen, without it.
#[inline(always)]
pub(crate) fn try_lock(state: &AtomicU64, s: u64) -> bool {
    state.compare_exchange(s, s | LOCKED, AcqRel, Relaxed).is_ok()
}
/// Between taking a page (or a frame) and the first word stored in it.
#[inline(always)]
pub(crate) fn before_words() {
    fence(Release);
}
/// Lets readers in again: a new version, in `frame`.
#[inline(always)]
pub(crate) fn publish(state: &AtomicU64, was: u64, frame: usize) {
    state.store(resident(was, frame), Release);
}
/// Undoes [`try_lock`] where nothing was changed.
#[inline(always)]
pub(crate) fn unlock(state: &AtomicU64, was: u64) {
    state.store(was, Release);
}
/// Takes the frame from a readable, clean page; then it belongs to the caller.
#[inline(always)]
pub(crate) fn try_evict(state: &AtomicU64, s: u64) -> bool {
    state.compare_exchange(s, absent(s), AcqRel, Relaxed).is_ok()
}
/// Ends a page that the caller has locked.
#[inline(always)]
pub(crate) fn retire(state: &AtomicU64, was: u64) {
    state.store(absent(was), Release);
}
/// A free id becomes a new page in `frame`, locked. The state it will be unlocked from.
#[inline(always)]
pub(crate) fn try_take(state: &AtomicU64, s: u64, frame: usize) -> Option<u64> {
    let new = resident(s, frame);
    state.compare_exchange(s, new | LOCKED, AcqRel, Relaxed).is_ok().then_some(new)
}
