//! Room in the data file: who may change what, so that a full disk refuses changes (53100) and never a checkpoint.
//!
//! ```text
//! free slots >= dirty frames + images set aside + 2 * (map pages + lists) + what was promised
//! ```
//! The left side grows with the file. A change asks before it makes a frame dirty ([`Pool::secure_space`]), a commit before it is logged ([`Pool::reserve`]).
use super::*;

/// Slots kept for a checkpoint's lists beyond its map pages.
const SPARE_SLOTS: u64 = 8;
/// The data file grows by a sixteenth, within these slots.
const GROW_MIN: u64 = if cfg!(miri) { 8 } else { 128 };
const GROW_MAX: u64 = 8192;

impl Pool {
    /// A fresh slot; the file grows when there is none (53100 when it cannot, and nothing has changed).
    pub(in crate::store) fn alloc_slot(&self, g: &mut Inner) -> Result<u64> {
        if let Some(s) = g.slots.alloc() {
            return Ok(s);
        }
        self.grow(g, 1)?;
        g.slots.alloc().ok_or_else(|| Error::internal("no free slot in a file just grown"))
    }
    /// Grows the file by at least `least` slots.
    fn grow(&self, g: &mut Inner, least: u64) -> Result<()> {
        let handsome = (g.slots.end / 16).clamp(GROW_MIN, GROW_MAX).max(least);
        for by in [handsome, least] {
            let end = g.slots.end + by;
            match self.file.reserve(end * PAGE_SIZE as u64) {
                Ok(()) => {
                    g.slots.extend(end);
                    return Ok(());
                }
                Err(e) if by == least => return Err(e),
                Err(_) => {} // nearly full: what is needed, then
            }
        }
        Ok(())
    }

    /// Slots that must stay free so that everything changed so far can be written by evictions and checkpoints: one for each frame with changes and each image
    /// set aside, and the map pages and lists of this checkpoint and of one running.
    fn needed(&self, g: &Inner) -> u64 {
        let aside = g.running.as_ref().map_or(0, |r| r.aside());
        let map = g.durable.map.len().max((g.next_pid as usize).div_ceil(MAP_ENTRIES)) as u64;
        g.dirty + aside + 2 * (map + g.durable.blobs.len() as u64 + SPARE_SLOTS)
    }
    /// Before another page becomes dirty: sees to it that evictions and a checkpoint of all changed pages will find their slots, so that a full disk
    /// refuses the change (53100) rather than the checkpoint.
    pub(super) fn secure_space(&self, g: &mut Inner) -> Result<()> {
        let need = self.needed(g) + 1;
        if g.slots.free() >= need {
            return Ok(());
        }
        match self.grow(g, need - g.slots.free()) {
            Err(e) if self.follows_log.load(Relaxed) && is_full(&e) => Ok(()),
            r => r,
        }
    }
    /// Promises slots for changes still to come: how many, to be given back with [`Pool::unreserve`] once the changes are made. 53100: there is no room for them
    /// beside what has been changed so far.
    pub fn reserve(&self, before: (u64, u64), now: (u64, u64)) -> Result<u64> {
        let mut g = self.inner.lock();
        if let Some(e) = &g.failed {
            return Err(e.clone());
        }
        let live = g.next_pid - g.free_pids.len() as u64;
        let pages = demand(now.0, now.1, live).saturating_sub(demand(before.0, before.1, live));
        let need = self.needed(&g) + g.reserved + pages;
        if g.slots.free() < need {
            let by = need - g.slots.free();
            self.grow(&mut g, by)?;
        }
        g.reserved += pages;
        Ok(pages)
    }
    pub fn unreserve(&self, pages: u64) {
        let mut g = self.inner.lock();
        g.reserved = g.reserved.saturating_sub(pages);
    }
}

/// Pages that `ops` changes of `bytes` in all may touch in a store of `pages`. Few changes: one leaf each, and a split up to the root. Many: splits are rarer than
/// changes, and neither leaves touched nor leaves split outnumber those there are by more than what the new bytes fill.
fn demand(ops: u64, bytes: u64, pages: u64) -> u64 {
    const FEW: u64 = 16;
    const DEEP: u64 = 5;
    let few = ops.min(FEW) * DEEP;
    let many = ops.saturating_sub(FEW);
    few + many.min(pages) + (many / 2).min(pages / 4) + bytes / (PAGE_SIZE as u64 / 2)
}
