//! Where pages are: the translation table (page id -> state word, slot, tree) and the slots of the data file.
//!
//! A page id (PID) is logical and stable while the page lives; a slot is 8 KiB of the data file. Writing is copy-on-write: a changed page
//! goes to a fresh slot, so the slot of the last durable checkpoint stays as it was.
//!
//! Three maps from PID to slot exist side by side:
//! - the table here: the newest image written, by eviction or checkpoint;
//! - `durable` ([`Durable`]): the map of the last checkpoint, as on disk;
//! - `frozen` (in the running checkpoint): entries that differ from `durable` as of its beginning.
//!
//! **Invariant**: a slot is free exactly when none of the three names it. A slot only ever belongs to one PID between two times of being free, so
//! the test when a map moves on is local to the PID. PIDs are bounded by [`MAX_PAGES`].
use super::mem::{Zeroed, zeroed_box};
use super::page::KIND_FREE;
use pamir_error::{Result, err};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::*};

/// Miri follows every word, so it gets a small table.
const CHUNK_BITS: u32 = if cfg!(miri) { 6 } else { 13 };
const CHUNK: usize = 1 << CHUNK_BITS;
const TOP: usize = if cfg!(miri) { 1 << 6 } else { 1 << 19 };
/// 32 TiB of pages.
pub(crate) const MAX_PAGES: u64 = (TOP as u64) << CHUNK_BITS;
/// Slots are named by 48 bits.
pub(crate) const MAX_SLOT: u64 = (1 << 48) - 1;
/// Where a slot lies in the data file.
pub(crate) fn byte_of(slot: u64) -> u64 {
    slot.saturating_mul(super::mem::PAGE_SIZE as u64)
}

struct Chunk {
    state: [AtomicU64; CHUNK],
    slot: [AtomicU64; CHUNK],
    tree: [AtomicU64; CHUNK],
}
// SAFETY: arrays of atomics only.
unsafe impl super::mem::Zeroable for Chunk {}

/// One page's row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub state: &'a AtomicU64,
    /// [`MapEntry::place`]
    pub place: &'a AtomicU64,
    pub tree: &'a AtomicU64,
}
impl Row<'_> {
    pub fn entry(&self) -> MapEntry {
        MapEntry { place: self.place.load(Relaxed), tree: self.tree.load(Relaxed) }
    }
    pub fn set(&self, e: MapEntry) {
        self.place.store(e.place, Relaxed);
        self.tree.store(e.tree, Relaxed);
    }
}

/// A map entry as memory and the map pages hold it: 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct MapEntry {
    /// slot in the low 48 bits (0: never written), the page's kind above; 0 in all: the PID is free
    pub place: u64,
    pub tree: u64,
}
impl MapEntry {
    pub fn new(slot: u64, kind: u8, tree: u64) -> MapEntry {
        MapEntry { place: slot | (kind as u64) << 48, tree }
    }
    pub fn slot(&self) -> u64 {
        self.place & MAX_SLOT
    }
    pub fn kind(&self) -> u8 {
        (self.place >> 48) as u8
    }
    pub fn is_free(&self) -> bool {
        self.kind() == KIND_FREE
    }
    pub fn with_slot(self, slot: u64) -> MapEntry {
        MapEntry::new(slot, self.kind(), self.tree)
    }
}

/// Grows by chunks that never move, so readers index it without a lock.
pub(crate) struct PageTable {
    top: Zeroed<AtomicPtr<Chunk>>,
}
impl PageTable {
    pub fn new() -> Result<PageTable> {
        Ok(PageTable { top: Zeroed::new(TOP)? })
    }
    /// None for ids that were never handed out (a torn read).
    #[inline(always)]
    pub fn row(&self, pid: u64) -> Option<Row<'_>> {
        let p = self.top.get((pid >> CHUNK_BITS) as usize)?.load(Acquire);
        // SAFETY: a chunk is published once, fully initialized (Release in `grow`), and freed only when the table drops.
        let c = unsafe { p.as_ref()? };
        let i = pid as usize & (CHUNK - 1);
        Some(Row { state: &c.state[i], place: &c.slot[i], tree: &c.tree[i] })
    }
    /// Makes `pid` addressable. Callers are serialized by the pool's mutex.
    pub fn grow(&self, pid: u64) -> Result<()> {
        let top = self
            .top
            .get((pid >> CHUNK_BITS) as usize)
            .ok_or_else(|| err!(PROGRAM_LIMIT_EXCEEDED, "the page file has reached its limit of {MAX_PAGES} pages"))?;
        if top.load(Relaxed).is_null() {
            top.store(Box::into_raw(zeroed_box::<Chunk>()?), Release);
        }
        Ok(())
    }
}
impl Drop for PageTable {
    fn drop(&mut self) {
        for p in self.top.iter() {
            let p = p.load(Relaxed);
            if p.is_null() {
                break; // PIDs grow from 0, so chunks are contiguous
            }
            // SAFETY: made by Box::into_raw in `grow`, freed nowhere else; no reader is left (we are dropped).
            drop(unsafe { Box::from_raw(p) });
        }
    }
}

/// The last durable checkpoint's map, and what else on disk belongs to it.
#[derive(Default)]
pub(crate) struct Durable {
    pub entries: Vec<MapEntry>,
    /// slots of the map pages
    pub map: Vec<u64>,
    /// slots of the blobs (list of map pages, meta)
    pub blobs: Vec<u64>,
    pub generation: u64,
}
impl Durable {
    pub fn slot(&self, pid: u64) -> u64 {
        self.entries.get(pid as usize).map_or(0, |e| e.slot())
    }
}

/// The data file's slots: a bitmap with a rotating hand, so that neighbours in time become neighbours on disk.
pub(crate) struct Slots {
    used: Vec<u64>,
    /// slots the file has room for
    pub end: u64,
    hand: usize,
    free: u64,
    /// Those an image names, as a bitmap; freed ones among them wait in `later`.
    pinned: Option<Vec<u64>>,
    later: Vec<u64>,
}
impl Slots {
    /// Slot 0 is never used: it means "none".
    pub fn new(end: u64) -> Slots {
        let mut s = Slots { used: Vec::new(), end: 0, hand: 0, free: 0, pinned: None, later: Vec::new() };
        s.extend(end);
        s.mark(0);
        s
    }
    pub fn extend(&mut self, end: u64) {
        self.used.resize((end as usize).div_ceil(64), 0);
        self.free += end - self.end;
        self.end = end;
    }
    /// False if the slot was taken already or lies outside the file.
    pub fn mark(&mut self, slot: u64) -> bool {
        if slot >= self.end {
            return false;
        }
        let (w, b) = (slot as usize / 64, 1u64 << (slot % 64));
        let fresh = self.used[w] & b == 0;
        self.used[w] |= b;
        self.free -= fresh as u64;
        fresh
    }
    pub fn release(&mut self, slot: u64) {
        let (w, b) = (slot as usize / 64, 1u64 << (slot % 64));
        // Given out again while somebody still names it, it would hold two pages.
        assert!(slot != 0 && self.used[w] & b != 0, "slot {slot} freed twice");
        if let Some(p) = &mut self.pinned
            && let Some(word) = p.get_mut(w)
            && *word & b != 0
        {
            *word &= !b;
            self.later.push(slot);
            return;
        }
        self.used[w] &= !b;
        self.free += 1;
    }
    pub fn is_pinned(&self) -> bool {
        self.pinned.is_some()
    }
    /// Slots in use that stay as they are until [`Slots::unpin`], whoever frees them.
    pub fn pin(&mut self, slots: &[u64]) {
        let mut bits = vec![0; self.used.len()];
        for slot in slots {
            bits[*slot as usize / 64] |= 1u64 << (slot % 64);
        }
        self.pinned = Some(bits);
    }
    pub fn unpin(&mut self) {
        self.pinned = None;
        std::mem::take(&mut self.later).into_iter().for_each(|s| self.release(s));
    }
    /// None: the file must grow.
    pub fn alloc(&mut self) -> Option<u64> {
        if self.free == 0 {
            return None;
        }
        let n = self.used.len();
        for i in 0..=n {
            let w = (self.hand + i) % n;
            if self.used[w] != !0 {
                let slot = w as u64 * 64 + self.used[w].trailing_ones() as u64;
                self.hand = w;
                if slot < self.end && self.mark(slot) {
                    return Some(slot);
                }
            }
        }
        None
    }
    pub fn free(&self) -> u64 {
        self.free
    }
}
