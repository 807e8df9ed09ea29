//! An image of the newest checkpoint: its pages as they are on the disk, read beside the store at work, to be a store elsewhere (a new replica, a backup).
//!
//! ```text
//!   Store::image ── pins the slots that the newest checkpoint names: what they hold is not replaced while the image lives
//!        │            (later checkpoints go on; slots they free meanwhile are given back when it is dropped)
//!        ▼
//!   superblock, pages by slot ───► ImageWriter: the same slots of another data file ── finish, superblock ──► a store
//! ```
//! Pages keep their places, so the copy is the same store, byte for byte, without what was free. Its superblock may say other log positions than the original's: the copy's log is another.
//! A page is checked when it is read and again when it is written: what was damaged on the way is found before it is put to use.
//!
//! Limits: [`MOST_IMAGES`] of a store at a time (55006); each takes a bit in memory for every slot of the file.
use super::mem::PAGE_SIZE;
use super::pagemap::{MAX_SLOT, SlotSet, byte_of};
use super::superblock::{self, Superblock};
use super::{DATA_FILE, Shared, Store};
use crate::disk::{Disk, File, sync_point};
use crate::log::Lsn;
use pamir_error::{Result, bail, err};
use std::sync::Arc;

/// Images of a store at a time: what a node that joins takes, another one for who comes later, a backup.
pub const MOST_IMAGES: usize = 4;

/// Pages read at once: few, so that who waits for the same disk waits little, and what is read stays in the processor's cache until it is checked.
const RUN: usize = 32;

/// See the module's words.
pub struct Image {
    shared: Arc<Shared>,
    superblock: Superblock,
    slots: Arc<SlotSet>,
    /// The pin's number.
    pin: u64,
}
impl Store {
    /// Pins the newest checkpoint. Its pages stay until the image is dropped.
    pub fn image(&self) -> Result<Image> {
        let pool = &self.shared.pool;
        let mut g = pool.lock_inner();
        if let Some(e) = &g.failed {
            return Err(e.clone());
        }
        if g.slots.pins() >= MOST_IMAGES {
            return Err(err!(OBJECT_IN_USE, "too many checkpoints are being copied already")
                .detail(format!("There are {MOST_IMAGES}: for backups, and for nodes that join or were away for long."))
                .hint("Try again when one of the copies has ended."));
        }
        // Under the mutex no other checkpoint comes to its end.
        let superblock = superblock::read(&*self.shared.disk)?;
        let Some(superblock) = superblock.filter(|s| s.generation == g.durable.generation) else {
            bail!(INTERNAL_ERROR, "the superblock is not that of the newest checkpoint")
        };
        let entries = g.durable.entries.iter().filter(|e| !e.is_free()).map(|e| e.slot());
        let all = entries.chain(g.durable.map.iter().copied()).chain(g.durable.blobs.iter().copied());
        let slots = Arc::new(SlotSet::new(g.slots.end, all));
        let pin = g.slots.pin(slots.clone());
        drop(g);
        Ok(Image { shared: self.shared.clone(), superblock, slots, pin })
    }
}
impl Image {
    /// Pages in all.
    pub fn len(&self) -> usize {
        self.slots.len()
    }
    pub fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }
    /// The log position of the checkpoint.
    pub fn lsn(&self) -> Lsn {
        self.superblock.lsn
    }
    /// Up to which log position its pages may hold changes.
    pub fn reach(&self) -> Lsn {
        self.superblock.reach
    }
    /// The superblock for a copy whose log begins at `lsn`.
    pub fn superblock(&self, lsn: Lsn) -> Vec<u8> {
        Superblock { lsn, reach: lsn, ..self.superblock }.encode()
    }
    /// The pages `from..to` (or up to the last): slot (u64, little-endian) and page, one after the other. Neighbours are read at once, up to [`RUN`].
    pub fn read(&self, from: usize, to: usize, out: &mut Vec<u8>) -> Result<()> {
        let slots: Vec<u64> = self.slots.from(from).take(to.saturating_sub(from)).collect();
        let mut pages = vec![0; slots.len().min(RUN) * PAGE_SIZE];
        out.reserve(slots.len() * IMAGE_PAGE);
        for run in slots.chunk_by(|a, b| a + 1 == *b).flat_map(|neighbours| neighbours.chunks(RUN)) {
            let pages = &mut pages[..run.len() * PAGE_SIZE];
            self.shared.pool.read_slots(run[0], pages)?;
            for (slot, page) in run.iter().zip(pages.chunks_exact(PAGE_SIZE)) {
                if !is_intact(page) {
                    return Err(err!(DATA_CORRUPTED, "invalid page at byte {} of \"{DATA_FILE}\"", byte_of(*slot)));
                }
                out.extend_from_slice(&slot.to_le_bytes());
                out.extend_from_slice(page);
            }
        }
        Ok(())
    }
}
impl Drop for Image {
    fn drop(&mut self) {
        self.shared.pool.lock_inner().slots.unpin(self.pin);
    }
}

/// Bytes of a page as an image hands it out.
pub const IMAGE_PAGE: usize = 8 + PAGE_SIZE;

fn is_intact(page: &[u8]) -> bool {
    let crc = crc32fast::hash(page.get(4..).unwrap_or_default());
    page.first_chunk::<4>().is_some_and(|b| u32::from_le_bytes(*b) == crc)
}

/// Writes the pages of an image into a data file of their own, under any name.
pub struct ImageWriter {
    file: Arc<dyn File>,
    end: u64,
}
impl ImageWriter {
    /// A file that is there already is written anew.
    pub fn create(disk: &dyn Disk, name: &str) -> Result<ImageWriter> {
        let file = disk.open_direct(name, true)?;
        file.set_len(0)?;
        Ok(ImageWriter { file, end: 0 })
    }
    /// Some pages as [`Image::read`] gave them. XX001 where they were damaged on the way. Neighbours are written at once.
    pub fn write(&mut self, pages: &[u8]) -> Result<()> {
        if !pages.len().is_multiple_of(IMAGE_PAGE) {
            bail!(DATA_CORRUPTED, "a part of an image is not whole pages");
        }
        let mut run: Vec<u8> = Vec::new();
        let mut next = 0;
        for one in pages.chunks_exact(IMAGE_PAGE) {
            let Some((slot, bytes)) = one.split_first_chunk::<8>() else { continue };
            let slot = u64::from_le_bytes(*slot);
            if slot == 0 || slot > MAX_SLOT || !is_intact(bytes) {
                bail!(DATA_CORRUPTED, "a page of an image is damaged");
            }
            if slot != next {
                self.write_run(next, &mut run)?;
            }
            run.extend_from_slice(bytes);
            next = slot + 1;
        }
        self.write_run(next, &mut run)
    }
    /// Pages that end before the slot `end`.
    fn write_run(&mut self, end: u64, run: &mut Vec<u8>) -> Result<()> {
        if !run.is_empty() {
            self.file.write_at(run, byte_of(end) - run.len() as u64)?;
            self.end = self.end.max(byte_of(end));
            run.clear();
        }
        Ok(())
    }
    /// All pages are there and on the disk. `superblock` is the image's; the file gets the length that it says.
    pub fn finish(self, superblock: &[u8]) -> Result<()> {
        let Some(s) = superblock::decode(superblock) else {
            bail!(DATA_CORRUPTED, "the superblock of an image is damaged")
        };
        if byte_of(s.slots) < self.end {
            bail!(DATA_CORRUPTED, "an image has pages beyond its end");
        }
        self.file.reserve(byte_of(s.slots))?;
        self.file.sync_at(sync_point::CHECKPOINT_PAGES)
    }
}
