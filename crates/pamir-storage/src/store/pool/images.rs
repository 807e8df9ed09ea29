//! Pages from frames to disk: copied under LOCKED, written without it.
//!
//! ```text
//! try_copy    LOCKED, words copied out           the writer waits, readers of the page retry
//! now_in      map entry names the new slot       under the pool's mutex; the page is in flight
//! write_images   sealed, written, out of flight
//! ```
//! *Invariant*: a page in flight stays resident until its image is on disk; one whose image could not be written counts as changed again.
use super::*;

impl Pool {
    /// Books that the image of `pid` now being copied will be in `slot`.
    pub(in crate::store) fn now_in(&self, g: &mut Inner, copied: &Copied<'_>, pid: u64, slot: u64) {
        let Some(row) = self.table.row(pid) else { return };
        let e = row.entry();
        let epoch = self.frame_dirty[copied.frame].load(Relaxed);
        if epoch < self.epoch.load(Relaxed)
            && let Some(r) = &mut g.running
        {
            r.written(pid, slot);
        }
        row.set(e.with_slot(slot));
        self.set_dirty(g, copied.frame, 0);
        g.release_slot(pid, e.slot());
        g.in_flight.insert(pid, false);
    }
    /// Locks a dirty resident page and copies it, if that goes without waiting.
    pub(in crate::store) fn try_copy(&self, pid: u64, frame: usize, to: &mut PageBuf) -> Option<Copied<'_>> {
        let row = self.table.row(pid)?;
        let s = row.state.load(Acquire);
        if !is_readable(s) || frame_of(s) != frame {
            return None;
        }
        if !state::try_lock(row.state, s) {
            return None;
        }
        let copied = Copied { state: row.state, was: s, frame };
        if self.frame_dirty[frame].load(Relaxed) == 0 {
            return None;
        }
        load_page(self.frame(frame), to);
        Some(copied)
    }
    /// The frame of a resident page.
    pub(in crate::store) fn frame_if_resident(&self, pid: u64) -> Option<usize> {
        let s = self.table.row(pid)?.state.load(Acquire);
        (s & RESIDENT != 0).then(|| frame_of(s))
    }
    /// The epoch of a resident page's unwritten changes; 0: there are none.
    pub(in crate::store) fn dirty_epoch(&self, frame: usize) -> u64 {
        self.frame_dirty[frame].load(Relaxed)
    }
    /// Writes images to their slots (neighbours in one call) and takes the pages out of flight. A failure is for good, but for a full disk: then all pages count
    /// as changed still, and the running checkpoint, which may name slots without content now, is broken.
    pub(in crate::store) fn write_images(&self, mut out: Vec<(u64, u64, Box<PageBuf>)>) -> Result<()> {
        out.sort_by_key(|x| x.1);
        let mut result = match out.iter().find(|(pid, _, image)| *pid != 0 && image.0[1] != *pid) {
            Some((pid, _, image)) => Err(err!(INTERNAL_ERROR, "the image of page {pid} is of page {}", image.0[1])),
            None => Ok(()),
        };
        let mut bytes = Vec::new();
        let mut i = 0;
        while i < out.len() && result.is_ok() {
            let start = i;
            bytes.clear();
            while i < out.len() && out[i].1 == out[start].1 + (i - start) as u64 {
                seal(&mut out[i].2);
                bytes.extend_from_slice(out[i].2.bytes());
                i += 1;
            }
            result = self.file.write_at(&bytes, byte_of(out[start].1));
        }
        let mut g = self.inner.lock();
        for (pid, slot, _) in &out {
            if *pid != 0 && g.in_flight.remove(pid) == Some(true) {
                g.release_slot(*pid, *slot);
            }
            if result.is_err()
                && let Some(row) = self.table.row(*pid)
                && row.entry().slot() == *slot
                && let Some(f) = self.frame_if_resident(*pid)
            {
                // its image is nowhere: it may not be evicted
                self.set_dirty(&mut g, f, self.epoch.load(Relaxed));
                g.changed.insert(*pid);
            }
        }
        add(&self.stats.pages_written, out.len() as u64);
        match &result {
            Err(e) if is_full(e) => {
                if let Some(r) = &mut g.running {
                    r.broken.get_or_insert_with(|| e.clone());
                }
            }
            Err(e) => {
                g.failed.get_or_insert_with(|| e.clone());
            }
            Ok(()) => {}
        }
        result
    }
}

/// A page locked for copying only: unlocking restores the very state, since nothing changed.
pub(crate) struct Copied<'a> {
    state: &'a AtomicU64,
    was: u64,
    pub frame: usize,
}
impl Drop for Copied<'_> {
    fn drop(&mut self) {
        state::unlock(self.state, self.was);
    }
}
