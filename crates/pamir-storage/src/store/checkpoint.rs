//! Checkpoints: snapshots of all trees at one moment, written beside the writer.
//!
//! ```text
//! begin (writer)     epoch += 1; for every page changed since the last checkpoint, freeze its map entry: a slot, or "to be written"
//! step (any thread)  write such pages from their frames, or from the image set aside
//! finish             write map pages and lists, sync, superblock, sync; then slots that only the old checkpoint named are free
//! ```
//! A page still to be written can meet three fates, each under the pool's mutex, each keeping the image as of the beginning:
//! the writer wants to change or free it: its image is first *set aside*, and step writes that; an evictor writes it: the slot goes into the frozen entry;
//! step reaches it first. A page changed after the beginning carries the new epoch and is none of this checkpoint's business.
//!
//! **Entries may be newer.** When the changes are those of a log that is replayed from the checkpoint's position ([`super::Writer::follow_log`]), one kind of them needs no image
//! set aside: entries that come, go or are replaced in a leaf that stays what it is ([`super::pool::Change::Entries`]). The page stays owed and is written as it is found; replay puts the
//! same entries again. So a checkpoint costs neither the writer copies nor memory for them, however long it takes, and a page written late
//! is clean for the next one. Exact as of the beginning remain: each leaf's bounds, inner pages, the directory of trees, the map, and overflow chains with the entries that
//! refer to them; for whatever would change those sets the image aside, newer entries and all. Without a log everything is exact.
//!
//! In return the log must reach as far as any page's entries do: the superblock says how far ([`Checkpoint::reaches`]), and who opens the store compares.
//!
//! A checkpoint dropped without [`Checkpoint::finish`], or one that fails before the superblock is written, is abandoned: its slots are freed, its pages counted as changed
//! again, and the previous checkpoint stays. So ends one that meets a full disk (53100), and another may be tried when there is room. An error after that point leaves unknown which superblock the disk has; the store then refuses all further work.
use super::mem::{PAGE_SIZE, PageBuf};
use super::page::*;
use super::pagemap::MapEntry;
use super::pool::{Inner, Pool};
use super::superblock::{self, MAP_ENTRIES, Superblock};
use super::{Shared, Store};
use crate::disk::sync_point;
use crate::log::Lsn;
use crate::stats::{add, timed};
use pamir_error::{Error, Result, bail};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The running checkpoint's state, in the pool.
pub(crate) struct Running {
    /// changed entries as of the beginning; slot 0 of a page not free: still to be written
    frozen: FxHashMap<u64, MapEntry>,
    aside: FxHashMap<u64, Box<PageBuf>>,
    todo: Vec<u64>,
    next_pid: u64,
    next_chain: u64,
    /// pages to write at the beginning, and of them written
    owed: u64,
    written: u64,
    /// Some image did not reach its slot because the disk is full: nothing but abandoning it is left.
    pub broken: Option<Error>,
}
impl Running {
    pub fn holds(&self, pid: u64, slot: u64) -> bool {
        self.frozen.get(&pid).is_some_and(|e| e.slot() == slot)
    }
    /// Images set aside, each to be written yet.
    pub fn aside(&self) -> u64 {
        self.aside.len() as u64
    }
    fn pending(&self, pid: u64) -> bool {
        self.frozen.get(&pid).is_some_and(|e| !e.is_free() && e.slot() == 0)
    }
    /// The image as of the beginning goes to `slot`.
    pub fn written(&mut self, pid: u64, slot: u64) {
        if self.pending(pid) && !self.aside.contains_key(&pid) {
            self.frozen.entry(pid).and_modify(|e| *e = e.with_slot(slot));
            self.written += 1;
        }
    }
    pub fn set_aside(&mut self, pid: u64, frame: &Frame) {
        if self.pending(pid) && !self.aside.contains_key(&pid) {
            let mut img = PageBuf::boxed();
            load_page(frame, &mut img);
            self.aside.insert(pid, img);
        }
    }
}

/// A stepper over the pages of one checkpoint; runs beside the writer on another thread.
pub struct Checkpoint {
    shared: Arc<Shared>,
    lsn: Lsn,
    reach: Lsn,
    meta: Vec<u8>,
    first: bool,
    over: bool,
}

/// Freezes the present state. The caller is the writer.
pub(crate) fn begin(store: &Store, lsn: Lsn, meta: &[u8], first: bool) -> Result<Checkpoint> {
    let pool = &store.shared.pool;
    let mut g = pool.lock_inner();
    if let Some(e) = &g.failed {
        return Err(e.clone());
    }
    if g.running.is_some() {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "a checkpoint is already running");
    }
    let changed = std::mem::take(&mut g.changed);
    let mut r = Running {
        frozen: FxHashMap::default(),
        aside: FxHashMap::default(),
        todo: Vec::new(),
        next_pid: g.next_pid,
        next_chain: g.next_chain,
        owed: 0,
        written: 0,
        broken: None,
    };
    r.frozen.reserve(changed.len());
    for pid in changed {
        let mut e = pool.row(pid)?.entry();
        if !e.is_free() && pool.frame_if_resident(pid).is_some_and(|f| pool.dirty_epoch(f) != 0) {
            e = e.with_slot(0);
            r.todo.push(pid);
        }
        assert!(
            e.is_free() || e.slot() != 0 || r.todo.last() == Some(&pid),
            "page {pid} is neither in memory nor on disk"
        );
        r.frozen.insert(pid, e);
    }
    // in page order, popped from the end: neighbours in a tree tend to be neighbours on disk
    r.todo.sort_unstable_by(|a, b| b.cmp(a));
    r.owed = r.todo.len() as u64;
    g.running = Some(r);
    pool.epoch.fetch_add(1, Relaxed);
    drop(g);
    Ok(Checkpoint { shared: store.shared.clone(), lsn, reach: lsn, meta: meta.to_vec(), first, over: false })
}

impl Checkpoint {
    /// Pages still to be written.
    pub fn left(&self) -> u64 {
        self.shared.pool.lock_inner().running.as_ref().map_or(0, |r| r.owed.saturating_sub(r.written))
    }
    /// Once all pages are written: no change in them comes later in the log than `lsn`.
    pub fn reaches(&mut self, lsn: Lsn) {
        self.reach = self.reach.max(lsn);
    }
    /// Writes up to `pages` pages; true when all are written.
    pub fn step(&mut self, pages: usize) -> Result<bool> {
        let pool: &Pool = &self.shared.pool;
        let mut out = Vec::new();
        let mut later = Vec::new();
        let mut problem = None;
        let mut g = pool.lock_inner();
        if let Some(e) = &g.failed {
            return Err(e.clone());
        }
        if let Some(e) = g.running.as_ref().and_then(|r| r.broken.clone()) {
            return Err(e);
        }
        while out.len() < pages {
            let Some(r) = &mut g.running else { break };
            let (pid, aside) = match r.aside.keys().next().copied() {
                Some(pid) => (pid, true),
                None => match r.todo.pop() {
                    Some(pid) => (pid, false),
                    None => break,
                },
            };
            if !r.pending(pid) {
                continue;
            }
            if aside {
                match pool.alloc_slot(&mut g) {
                    Ok(slot) => {
                        let Some(r) = &mut g.running else { break };
                        if let Some(img) = r.aside.remove(&pid) {
                            r.written(pid, slot);
                            out.push((0, slot, img));
                        }
                    }
                    Err(e) => {
                        problem = Some(e);
                        break;
                    }
                }
                continue;
            }
            let mut img = PageBuf::boxed();
            let copied = match pool.frame_if_resident(pid) {
                Some(f) if !g.in_flight.contains_key(&pid) => pool.try_copy(pid, f, &mut img),
                _ => None,
            };
            // being changed this moment (then set aside), or an older image is still on its way
            let Some(copied) = copied else {
                later.push(pid);
                continue;
            };
            match pool.alloc_slot(&mut g) {
                Ok(slot) => {
                    pool.now_in(&mut g, &copied, pid, slot);
                    out.push((pid, slot, img));
                }
                Err(e) => {
                    later.push(pid);
                    problem = Some(e);
                    break;
                }
            }
        }
        let waiting = !later.is_empty();
        if let Some(r) = &mut g.running {
            r.todo.append(&mut later);
        }
        let done = g.running.as_ref().is_none_or(|r| r.todo.is_empty() && r.aside.is_empty());
        drop(g);
        let idle = out.is_empty();
        if !idle {
            pool.write_images(out)?;
        } else if waiting {
            std::thread::yield_now();
        }
        match problem {
            Some(e) => Err(e),
            None => Ok(done),
        }
    }

    /// Syncs and flips the superblock. Afterwards the log before the checkpoint's LSN is not needed.
    pub fn finish(mut self) -> Result<Lsn> {
        while !self.step(256)? {}
        let shared = self.shared.clone();
        let pool: &Pool = &shared.pool;
        // an evictor may still be writing a page of ours
        let mut g = loop {
            let g = pool.lock_inner();
            if let Some(e) = &g.failed {
                return Err(e.clone());
            }
            let ours = g.running.as_ref().is_some_and(|r| g.in_flight.keys().any(|p| r.frozen.contains_key(p)));
            if !ours {
                break g;
            }
            drop(g);
            std::thread::sleep(std::time::Duration::from_micros(50));
        };
        if let Some(e) = g.running.as_ref().and_then(|r| r.broken.clone()) {
            return Err(e);
        }
        if let Some(r) = &g.running
            && let Some((pid, _)) = r.frozen.iter().find(|(_, e)| !e.is_free() && e.slot() == 0)
        {
            bail!(INTERNAL_ERROR, "the checkpoint has no image of page {pid}");
        }
        // lay out map pages and lists
        let generation = g.durable.generation + 1;
        let mut taken = Vec::new();
        let mut map = g.durable.map.clone();
        let laid = self.lay_out(pool, &mut g, generation, &mut map, &mut taken);
        let (images, sb) = match laid {
            Ok(x) => x,
            Err(e) => {
                for s in taken {
                    g.slots.release(s);
                }
                return Err(e);
            }
        };
        drop(g);
        let count = images.len() as u64;
        if let Err(e) = pool.write_images(images) {
            let mut g = pool.lock_inner();
            if g.failed.is_none() {
                taken.into_iter().for_each(|s| g.slots.release(s));
            }
            return Err(e);
        }
        let synced = timed(&pool.stats.data_syncs, &pool.stats.data_sync_micros, || {
            pool.file.sync_at(sync_point::CHECKPOINT_PAGES)
        })
        .and_then(|_| superblock::write(&*shared.disk, pool, &sb, self.first));
        let mut g = pool.lock_inner();
        if let Err(e) = synced {
            // which state the disk is in is unknown, and a failed sync may have dropped pages for good
            g.failed.get_or_insert_with(|| e.clone());
            return Err(e);
        }
        // the new checkpoint is durable: what only the old one named is free
        let Some(r) = g.running.take() else { bail!(INTERNAL_ERROR, "the checkpoint is gone") };
        let old_map = std::mem::replace(&mut g.durable.map, map);
        let new_blobs: Vec<u64> = taken.iter().copied().filter(|s| !g.durable.map.contains(s)).collect();
        let old_blobs = std::mem::replace(&mut g.durable.blobs, new_blobs);
        for (i, s) in old_map.iter().enumerate() {
            if g.durable.map.get(i) != Some(s) {
                g.slots.release(*s);
            }
        }
        for s in old_blobs {
            g.slots.release(s);
        }
        if g.durable.entries.len() < r.next_pid as usize {
            g.durable.entries.resize(r.next_pid as usize, MapEntry::default());
        }
        for (pid, e) in &r.frozen {
            let old = std::mem::replace(&mut g.durable.entries[*pid as usize], *e).slot();
            // a page that was set aside may still name its last written slot; it gives it back when written again
            let named = pool.row(*pid)?.entry().slot() == old;
            if old != 0 && old != e.slot() && !named {
                g.slots.release(old);
            }
        }
        g.durable.generation = generation;
        drop(g);
        self.over = true;
        add(&pool.stats.checkpoints, 1);
        add(&pool.stats.checkpoint_bytes, (r.written + count) * PAGE_SIZE as u64);
        Ok(self.lsn)
    }
    #[allow(clippy::type_complexity)]
    fn lay_out(
        &self,
        pool: &Pool,
        g: &mut Inner,
        generation: u64,
        map: &mut Vec<u64>,
        taken: &mut Vec<u64>,
    ) -> Result<(Vec<(u64, u64, Box<PageBuf>)>, Superblock)> {
        let mut images = Vec::new();
        let Some(r) = &g.running else { bail!(INTERNAL_ERROR, "the checkpoint is gone") };
        let (next_pid, next_chain) = (r.next_pid, r.next_chain);
        let pages: BTreeSet<u64> = r.frozen.keys().map(|pid| pid / MAP_ENTRIES as u64).collect();
        map.resize((next_pid as usize).div_ceil(MAP_ENTRIES), 0);
        for index in pages {
            let slot = pool.alloc_slot(g)?;
            taken.push(slot);
            map[index as usize] = slot;
            let Some(r) = &g.running else { bail!(INTERNAL_ERROR, "the checkpoint is gone") };
            let first = index * MAP_ENTRIES as u64;
            let entries = (first..first + MAP_ENTRIES as u64).map(|pid| match r.frozen.get(&pid) {
                Some(e) => *e,
                None => g.durable.entries.get(pid as usize).copied().unwrap_or_default(),
            });
            images.push((0, slot, superblock::map_page(index, generation, slot, entries)));
        }
        let list: Vec<u8> = map.iter().flat_map(|s| s.to_le_bytes()).collect();
        let mut blob = |bytes: &[u8]| -> Result<u64> {
            let pages = superblock::blob_pages(bytes, generation, &mut || {
                let s = pool.alloc_slot(g)?;
                taken.push(s);
                Ok(s)
            })?;
            let first = pages.first().map_or(0, |p| p.0);
            images.extend(pages.into_iter().map(|(s, p)| (0, s, p)));
            Ok(first)
        };
        let map_blob = blob(&list)?;
        let meta_blob = blob(&self.meta)?;
        let sb = Superblock {
            generation,
            lsn: self.lsn,
            reach: self.reach,
            next_pid,
            next_chain,
            slots: g.slots.end,
            map_pages: map.len() as u64,
            map_blob,
            meta_blob,
            meta_len: self.meta.len() as u64,
        };
        Ok((images, sb))
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let mut g = self.shared.pool.lock_inner();
        let Some(r) = g.running.take() else { return };
        if g.failed.is_some() {
            return; // what the disk holds is unknown: nothing may be reused
        }
        for (pid, e) in r.frozen {
            let now = self.shared.pool.row(pid).map(|row| row.entry().slot()).unwrap_or(0);
            let in_flight = g.in_flight.get(&pid) == Some(&true); // released when its write is done
            if e.slot() != 0 && e.slot() != now && e.slot() != g.durable.slot(pid) && !in_flight {
                g.slots.release(e.slot());
            }
            g.changed.insert(pid);
        }
    }
}
