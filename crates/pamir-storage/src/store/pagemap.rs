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
//! **Invariant**: a slot is free exactly when none of the three names it, and no image (`image.rs`). A slot only ever belongs to one PID between two times of being free, so
//! the test when a map moves on is local to the PID. PIDs are bounded by [`MAX_PAGES`].
use super::mem::{Zeroed, zeroed_box};
use super::page::KIND_FREE;
use pamir_error::{Result, err};
use std::sync::Arc;
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

/// Some slots: a bitmap, with the number of those before each [`RANK_WORDS`] of its words.
pub(crate) struct SlotSet {
    words: Vec<u64>,
    ranks: Vec<u64>,
    len: usize,
}
const RANK_WORDS: usize = 8;
impl SlotSet {
    /// `slots` are below `end`.
    pub fn new(end: u64, slots: impl Iterator<Item = u64>) -> SlotSet {
        let mut words = vec![0u64; (end as usize).div_ceil(64)];
        slots.for_each(|s| words[s as usize / 64] |= 1 << (s % 64));
        let mut len = 0;
        let ranks = words.chunks(RANK_WORDS).map(|c| {
            let before = len;
            len += c.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
            before
        });
        let ranks = ranks.collect();
        SlotSet { words, ranks, len: len as usize }
    }
    pub fn len(&self) -> usize {
        self.len
    }
    fn word(&self, n: usize) -> u64 {
        self.words.get(n).copied().unwrap_or(0)
    }
    /// Its members in order, from the `n`th on (0 is the first).
    pub fn from(&self, n: usize) -> impl Iterator<Item = u64> + '_ {
        let chunk = self.ranks.partition_point(|r| *r <= n as u64).saturating_sub(1);
        let skip = n - self.ranks.get(chunk).map_or(0, |r| *r as usize);
        let words = self.words.iter().enumerate().skip(chunk * RANK_WORDS);
        let slots = words.flat_map(|(n, w)| {
            let mut left = *w;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(n as u64 * 64 + u64::from(bit))
            })
        });
        slots.skip(skip)
    }
}

/// The data file's slots: a bitmap with a rotating hand, so that neighbours in time become neighbours on disk.
pub(crate) struct Slots {
    used: Vec<u64>,
    /// slots the file has room for
    pub end: u64,
    hand: usize,
    free: u64,
    /// Those that images name, by a number of each.
    pins: Vec<(u64, Arc<SlotSet>)>,
    /// A bitmap of those that were freed and that an image names: still in use.
    parked: Vec<u64>,
    next_pin: u64,
}
impl Slots {
    /// Slot 0 is never used: it means "none".
    pub fn new(end: u64) -> Slots {
        let (used, pins, parked) = (Vec::new(), Vec::new(), Vec::new());
        let mut s = Slots { used, end: 0, hand: 0, free: 0, pins, parked, next_pin: 0 };
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
        let parked = self.parked.get(w).copied().unwrap_or(0);
        // Given out again while somebody still names it, it would hold two pages.
        assert!(slot != 0 && self.used[w] & b != 0 && parked & b == 0, "slot {slot} freed twice");
        if self.pins.iter().any(|p| p.1.word(w) & b != 0) {
            self.parked[w] |= b;
            return;
        }
        self.used[w] &= !b;
        self.free += 1;
    }
    pub fn pins(&self) -> usize {
        self.pins.len()
    }
    /// Slots in use that stay as they are until [`Slots::unpin`], whoever frees them. Returns the pin's number.
    pub fn pin(&mut self, slots: Arc<SlotSet>) -> u64 {
        self.parked.resize(self.parked.len().max(slots.words.len()), 0);
        self.next_pin += 1;
        self.pins.push((self.next_pin, slots));
        self.next_pin
    }
    pub fn unpin(&mut self, number: u64) {
        self.pins.retain(|p| p.0 != number);
        for (w, parked) in self.parked.iter_mut().enumerate() {
            let named = self.pins.iter().fold(0, |all, p| all | p.1.word(w));
            let freed = *parked & !named;
            *parked &= named;
            self.used[w] &= !freed;
            self.free += u64::from(freed.count_ones());
        }
        if self.pins.is_empty() {
            self.parked = Vec::new();
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::Rng;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_set_gives_its_members_from_any_place() {
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            let end = 1 + rng.below(3_000);
            let kept = 1 + rng.below(20);
            let slots: Vec<u64> = (0..end).filter(|_| rng.below(kept) == 0).collect();
            let set = SlotSet::new(end, slots.iter().rev().copied());
            assert_eq!(set.len(), slots.len());
            for n in (0..=slots.len()).step_by(1 + rng.below(70) as usize).chain([slots.len() + 7]) {
                assert!(set.from(n).eq(slots.iter().skip(n).copied()));
            }
        }
    }
    /// Slots come and go while images of all that is in use are pinned and unpinned: none that one of them names is given out, and in the end all are free.
    #[test]
    fn what_an_image_names_is_not_given_out() {
        for seed in 0..if cfg!(miri) { 2 } else { 100 } {
            let mut rng = Rng::new(seed);
            let mut s = Slots::new(40);
            let mut used = BTreeSet::new();
            let mut pins: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for _ in 0..400 {
                match rng.below(10) {
                    0 => {
                        let number = s.pin(Arc::new(SlotSet::new(s.end, used.iter().copied())));
                        pins.insert(number, used.clone());
                    }
                    1 | 2 => {
                        if let Some((number, _)) = pins.pop_first() {
                            s.unpin(number);
                        }
                    }
                    3..=6 => {
                        let slot = s.alloc().unwrap_or_else(|| {
                            s.extend(s.end + 40);
                            s.alloc().unwrap()
                        });
                        assert!(pins.values().all(|p| !p.contains(&slot)) && used.insert(slot), "slot {slot}");
                    }
                    _ => {
                        let n = rng.below(used.len().max(1) as u64) as usize;
                        if let Some(slot) = used.iter().nth(n).copied() {
                            used.remove(&slot);
                            s.release(slot);
                        }
                    }
                }
                let named: BTreeSet<&u64> = used.iter().chain(pins.values().flatten()).collect();
                // Beside slot 0.
                assert_eq!(s.free(), s.end - 1 - named.len() as u64);
            }
            pins.keys().for_each(|n| s.unpin(*n));
            assert_eq!(s.free(), s.end - 1 - used.len() as u64);
        }
    }
    #[test]
    #[should_panic(expected = "freed twice")]
    fn a_slot_that_an_image_names_is_not_freed_twice() {
        let mut s = Slots::new(10);
        let slot = s.alloc().unwrap();
        s.pin(Arc::new(SlotSet::new(10, std::iter::once(slot))));
        s.release(slot);
        s.release(slot);
    }
}
