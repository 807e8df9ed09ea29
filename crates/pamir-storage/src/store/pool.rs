//! The buffer pool: pages by id through a translation array, optimistic readers, eviction by the engine.
//!
//! After "Virtual-Memory Assisted Buffer Management" (Leis et al., SIGMOD 2023), with an array of state words in place of the page table.
//!
//! ```text
//! state word:  version u32 | frame 28 bits | 0 0 RESIDENT LOCKED
//!     RESIDENT            the page is in `frame`; readers welcome
//!     RESIDENT | LOCKED   someone changes it (the writer) or copies it out (eviction, checkpoint)
//!     LOCKED              being loaded
//!     0                   not in memory
//! ```
//! **Reading** (a seqlock, after Boehm, "Can seqlocks get along with programming language memory models?", 2012): load the state (Acquire), load
//! words (Relaxed), fence (Acquire), load the state again; equal and unlocked means that the words were one consistent image. Whoever writes words first sets LOCKED
//! (or, for a recycled frame, has taken RESIDENT from the page that had it), fences (Release), stores words (Relaxed), and publishes a greater
//! version (Release). If a reader saw any of those words, its fence synchronizes with the writer's, so its second load sees the lock or a later state.
//!
//! **Recycled ids.** A reader takes a child's id from a parent, loads the *child's* state, then validates the *parent*: at that moment the id
//! still meant that child. Whatever happens to the id afterwards (freed, reused by another tree) raises its version and fails the reader's validation of
//! the child. So freed pages need not wait for readers: versions only grow, also across eviction and reuse. (A version wraps after 2^32
//! changes of one page; a reader would have to sleep through exactly that many between two loads.)
//!
//! **Who takes what.** One writer changes pages; it, evictors and the checkpoint take LOCKED by compare-and-swap. Holders of the pool's mutex only *try*
//! LOCKED, never wait for it; the writer may take the mutex while it holds LOCKED. Hence no deadlock. (One exception: a new page may get the id of a freed one
//! that a reader is still trying to load; such a loader needs no mutex to let go.) No page is read or written under the mutex; growing the file is done there.
//!
//! **Dirty pages** carry the epoch in which they first were (a page is clean again once written). One of an earlier epoch than the present is one that a checkpoint
//! still owes: [`Pool::make_dirty`] says what a change does to it, [`super::checkpoint`] why. Which page goes when a frame is needed is decided in [`super::evict`].
use super::checkpoint::Running;
use super::evict::Cleaner;
use super::mem::{PAGE_SIZE, PageBuf, WORDS, Zeroed, prefer_huge_pages, prefetch};
use super::page::*;
use super::pagemap::*;
use super::state::{self, LOCKED, RESIDENT, frame_of, is_readable};
use super::superblock::MAP_ENTRIES;
use crate::disk::{File, is_full};
use crate::stats::{Stats, add};
use pamir_error::{Error, Result, bail, err};
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::*};

/// Frames below which a pool does not work well with deep trees and several threads.
pub(crate) const MIN_FRAMES: usize = 64;
const MAX_FRAMES: usize = 1 << 27;
/// A frame's use count after a load.
pub(super) const USED: u8 = 2;
/// Header and the slots of some thirty entries, fetched together rather than one miss after another.
const PREFETCH_LINES: usize = 5;
/// Looks at a locked page before the traversal restarts.
const SPINS: u32 = 200;
/// Slots kept for a checkpoint's lists beyond its map pages.
const SPARE_SLOTS: u64 = 8;
/// The data file grows by a sixteenth, within these slots.
const GROW_MIN: u64 = if cfg!(miri) { 8 } else { 128 };
const GROW_MAX: u64 = 8192;

/// Why an optimistic traversal stopped.
#[derive(Debug)]
pub(crate) enum Miss {
    /// Something changed underneath: start again.
    Restart,
    /// This page is needed and not in memory.
    Missing(u64),
    Fail(Error),
}
impl From<Error> for Miss {
    fn from(e: Error) -> Miss {
        Miss::Fail(e)
    }
}

/// A page being read; nothing read from it counts until [`PageRef::valid`].
#[derive(Clone, Copy)]
pub(crate) struct PageRef<'a> {
    pub words: &'a Frame,
    state: &'a AtomicU64,
    seen: u64,
}
impl PageRef<'_> {
    /// The same value later means the same content.
    #[inline(always)]
    pub fn seen(&self) -> u64 {
        self.seen
    }
    #[inline(always)]
    pub fn valid(&self) -> bool {
        state::still(self.state, self.seen)
    }
    pub fn check(&self) -> Result<(), Miss> {
        if self.valid() { Ok(()) } else { Err(Miss::Restart) }
    }
}
/// A page the writer has locked; dropping it publishes a new version.
pub(crate) struct PageMut<'a> {
    pub words: &'a Frame,
    pub pid: u64,
    frame: usize,
    state: &'a AtomicU64,
    /// the state before the lock
    was: u64,
}
impl PageMut<'_> {
    /// For a page that was not changed after all.
    fn unlock_unchanged(self) {
        state::unlock(self.state, self.was);
        std::mem::forget(self);
    }
}
impl Drop for PageMut<'_> {
    fn drop(&mut self) {
        state::publish(self.state, self.was, self.frame);
    }
}

/// What is about to happen to a page, see [`Pool::make_dirty`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Any,
    /// Entries of a leaf come, go or are replaced; no other page changes its meaning by it: the leaf keeps its bounds, no entry that comes or goes refers to a page.
    Entries,
}

pub(crate) struct Inner {
    pub free_frames: Vec<u32>,
    /// frames from here on were never used
    pub next_frame: usize,
    pub hand: usize,
    /// the cleaner was woken and is not done yet
    pub cleaning: bool,
    /// pages whose image is on its way to disk: they must stay resident until it is there. True: freed meanwhile, the slot is to be released after
    pub in_flight: FxHashMap<u64, bool>,
    pub slots: Slots,
    pub durable: Durable,
    /// pages whose map entry differs (or will, once written) from the last checkpoint's; every dirty page is among them
    pub changed: FxHashSet<u64>,
    pub running: Option<Running>,
    pub next_pid: u64,
    pub free_pids: Vec<u64>,
    pub next_chain: u64,
    /// frames that hold changes not yet written; each will need a slot
    dirty: u64,
    /// slots promised to changes still to come (see [`Pool::reserve`])
    reserved: u64,
    /// set for good by a failed write or sync
    pub failed: Option<Error>,
}
impl Inner {
    /// `pid` no longer lives in `slot`; frees it unless a checkpoint needs it.
    pub fn release_slot(&mut self, pid: u64, slot: u64) {
        if slot == 0 || self.durable.slot(pid) == slot || self.running.as_ref().is_some_and(|r| r.holds(pid, slot)) {
            return;
        }
        self.slots.release(slot);
    }
}

pub(crate) use crate::task::PAGES as COUNTS;
thread_local! {
    static BUF: Cell<Option<Box<PageBuf>>> = const { Cell::new(None) };
}
/// Lends this thread's page buffer.
pub(crate) fn with_buf<R>(f: impl FnOnce(&mut PageBuf) -> R) -> R {
    let mut b = BUF.take().unwrap_or_else(PageBuf::boxed);
    let r = f(&mut b);
    BUF.set(Some(b));
    r
}

pub(crate) struct Pool {
    words: Zeroed<AtomicU64>,
    /// words before the first frame, so that frames start on cache lines
    base: usize,
    pub frames: usize,
    pub(super) frame_pid: Zeroed<AtomicU64>,
    /// epoch of the changes not yet written; 0: clean
    frame_dirty: Zeroed<AtomicU64>,
    pub(super) frame_used: Zeroed<AtomicU8>,
    pub table: PageTable,
    /// grows at each checkpoint; changed by the writer alone
    pub epoch: AtomicU64,
    /// changes are those of a log, which will be replayed (see [`Pool::follow_log`])
    follows_log: AtomicBool,
    inner: Mutex<Inner>,
    /// wakes the cleaner (`evict.rs`), if there is one
    pub(super) clean: Cleaner,
    pub file: Arc<dyn File>,
    pub stats: Arc<Stats>,
}

impl Pool {
    pub fn new(cache_size: u64, file: Arc<dyn File>, slots: Slots, stats: Arc<Stats>) -> Result<Pool> {
        let frames = ((cache_size / PAGE_SIZE as u64) as usize).clamp(MIN_FRAMES, MAX_FRAMES);
        let words: Zeroed<AtomicU64> = Zeroed::new(frames * WORDS + 8)?;
        prefer_huge_pages(&words);
        let base = words.as_ptr().align_offset(64).min(8);
        Ok(Pool {
            words,
            base,
            frames,
            frame_pid: Zeroed::new(frames)?,
            frame_dirty: Zeroed::new(frames)?,
            frame_used: Zeroed::new(frames)?,
            table: PageTable::new()?,
            epoch: AtomicU64::new(1),
            follows_log: AtomicBool::new(false),
            inner: Mutex::new(Inner {
                free_frames: Vec::new(),
                next_frame: 0,
                hand: 0,
                cleaning: false,
                in_flight: FxHashMap::default(),
                slots,
                durable: Durable::default(),
                changed: FxHashSet::default(),
                running: None,
                next_pid: 1,
                free_pids: Vec::new(),
                next_chain: 1,
                dirty: 0,
                reserved: 0,
                failed: None,
            }),
            clean: Cleaner::default(),
            file,
            stats,
        })
    }
    pub fn lock_inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }
    #[inline(always)]
    pub(super) fn frame(&self, f: usize) -> &Frame {
        let at = self.base + f * WORDS;
        match self.words[at..at + WORDS].try_into() {
            Ok(w) => w,
            Err(_) => unreachable!(),
        }
    }
    /// For ids known to be handed out.
    pub fn row(&self, pid: u64) -> Result<Row<'_>> {
        self.table.row(pid).ok_or_else(|| err!(DATA_CORRUPTED, "page {pid} was never allocated"))
    }

    // ---- reading

    /// A page to read optimistically.
    #[inline]
    pub fn fetch(&self, pid: u64) -> Result<PageRef<'_>, Miss> {
        let Some(row) = self.table.row(pid) else { return Err(Miss::Restart) };
        let mut s = state::begin_read(row.state);
        if !is_readable(s) {
            s = self.fetch_slow(pid, row.state)?;
        }
        let f = frame_of(s);
        let words = self.frame(f);
        prefetch(words, PREFETCH_LINES);
        if self.frame_used[f].load(Relaxed) == 0 {
            self.frame_used[f].store(1, Relaxed);
        }
        Ok(PageRef { words, state: row.state, seen: s })
    }
    #[cold]
    fn fetch_slow(&self, pid: u64, state: &AtomicU64) -> Result<u64, Miss> {
        for i in 0..SPINS {
            let s = state.load(Acquire);
            if s & RESIDENT == 0 {
                return Err(Miss::Missing(pid));
            }
            if s & LOCKED == 0 {
                return Ok(s);
            }
            if i % 32 == 31 { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        Err(Miss::Restart)
    }
    pub fn is_resident(&self, pid: u64) -> bool {
        self.table.row(pid).is_some_and(|r| r.state.load(Acquire) & RESIDENT != 0)
    }

    /// Brings a page into memory on this thread; returns when it is there, or gone (the id was freed: the caller restarts).
    pub fn load(&self, pid: u64) -> Result<()> {
        let Some(row) = self.table.row(pid) else { return Ok(()) };
        if row.state.load(Acquire) & RESIDENT != 0 {
            return Ok(());
        }
        let f = self.take_frame()?;
        let mut tries = 0;
        let was = loop {
            let s = row.state.load(Acquire);
            if s & RESIDENT != 0 {
                self.lock_inner().free_frames.push(f as u32);
                return Ok(());
            }
            if s & LOCKED != 0 {
                // another thread loads it
                tries += 1;
                if tries < 100 {
                    std::thread::yield_now()
                } else {
                    std::thread::sleep(std::time::Duration::from_micros(50))
                }
                continue;
            }
            if state::try_lock(row.state, s) {
                break s;
            }
        };
        // LOCKED without RESIDENT: the entry stays as it is until we let go
        let e = row.entry();
        let result = if e.is_free() || e.slot() == 0 {
            Ok(false)
        } else {
            with_buf(|b| self.read_into(pid, e, f, b)).map(|_| true)
        };
        match result {
            Ok(true) => {
                COUNTS.with(|c| c.set((c.get().0, c.get().1 + 1)));
                state::publish(row.state, was, f);
                Ok(())
            }
            other => {
                state::unlock(row.state, was);
                self.lock_inner().free_frames.push(f as u32);
                other.map(|_| ())
            }
        }
    }
    /// As [`Pool::load`] for several pages, their reads in one batch; tells each page's fate to `done`.
    pub fn load_many(&self, pids: &[u64], done: &mut dyn FnMut(u64, Result<()>)) {
        struct Loading<'a> {
            pid: u64,
            state: &'a AtomicU64,
            was: u64,
            frame: usize,
            entry: MapEntry,
        }
        // Frames first: whoever holds a page locked for loading may not want the pool's mutex (see `new_page`).
        let mut frames = Vec::with_capacity(pids.len());
        for &pid in pids {
            if self.is_resident(pid) {
                done(pid, Ok(()));
                continue;
            }
            match self.take_frame() {
                Ok(f) => frames.push((pid, f)),
                Err(e) => done(pid, Err(e)),
            }
        }
        let (mut unused, mut later, mut loading) = (Vec::new(), Vec::new(), Vec::with_capacity(frames.len()));
        for (pid, frame) in frames {
            let Some(row) = self.table.row(pid) else {
                unused.push(frame as u32);
                done(pid, Ok(()));
                continue;
            };
            let s = row.state.load(Acquire);
            if s & RESIDENT != 0 {
                unused.push(frame as u32);
                done(pid, Ok(()));
            } else if s & LOCKED != 0 || !state::try_lock(row.state, s) {
                unused.push(frame as u32);
                later.push(pid);
            } else {
                loading.push(Loading { pid, state: row.state, was: s, frame, entry: row.entry() });
            }
        }
        let mut bufs: Vec<Box<PageBuf>> = loading.iter().map(|_| PageBuf::boxed()).collect();
        let mut reads: Vec<(&mut [u8], u64)> = Vec::with_capacity(loading.len());
        for (l, b) in loading.iter().zip(&mut bufs) {
            // a slot that only damage can name is left to `read_slot`
            let slot = if l.entry.slot() > MAX_SLOT { 0 } else { l.entry.slot() };
            reads.push((&mut b.bytes_mut()[..], byte_of(slot)));
        }
        let results = self.file.read_many(&mut reads);
        drop(reads);
        for ((l, buf), result) in loading.into_iter().zip(&mut bufs).zip(results) {
            let e = l.entry;
            let read = match result {
                _ if e.is_free() || e.slot() == 0 => Ok(false),
                Ok(PAGE_SIZE) if e.slot() <= MAX_SLOT => self.accept(l.pid, e, l.frame, buf).map(|_| true),
                Ok(_) => self.read_into(l.pid, e, l.frame, buf).map(|_| true),
                Err(e) => Err(e),
            };
            if let Ok(true) = read {
                state::publish(l.state, l.was, l.frame);
            } else {
                state::unlock(l.state, l.was);
                unused.push(l.frame as u32);
            }
            done(l.pid, read.map(|_| ()));
        }
        if !unused.is_empty() {
            self.lock_inner().free_frames.append(&mut unused);
        }
        for pid in later {
            done(pid, self.load(pid));
        }
    }
    fn read_into(&self, pid: u64, e: MapEntry, f: usize, buf: &mut PageBuf) -> Result<()> {
        self.read_slot(e.slot(), buf)?;
        self.accept(pid, e, f, buf)
    }
    /// Verifies an image just read and puts it into a frame.
    fn accept(&self, pid: u64, e: MapEntry, f: usize, buf: &PageBuf) -> Result<()> {
        if let Some(what) = verify(buf, pid, e.tree) {
            return Err(bad_page(pid, e.tree, e.slot(), &what));
        }
        add(&self.stats.pages_read, 1);
        state::before_words();
        store_page(self.frame(f), buf);
        self.frame_pid[f].store(pid, Relaxed);
        self.frame_dirty[f].store(0, Relaxed);
        self.frame_used[f].store(USED, Relaxed);
        Ok(())
    }
    /// An image as it is on disk, unverified; what lies beyond the file's end reads as zeros.
    pub fn read_slot(&self, slot: u64, buf: &mut PageBuf) -> Result<()> {
        let mut at = 0;
        if slot > MAX_SLOT {
            // a damaged list or map said so: as beyond any file's end
            buf.bytes_mut().fill(0);
            return Ok(());
        }
        while at < PAGE_SIZE {
            let n = self.file.read_at(&mut buf.bytes_mut()[at..], byte_of(slot) + at as u64)?;
            if n == 0 {
                buf.bytes_mut()[at..].fill(0);
                break;
            }
            at += n;
        }
        Ok(())
    }

    // ---- writing

    /// Books that the image of `pid` now being copied will be in `slot`.
    pub(super) fn now_in(&self, g: &mut Inner, copied: &Copied<'_>, pid: u64, slot: u64) {
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
    pub(super) fn try_copy(&self, pid: u64, frame: usize, to: &mut PageBuf) -> Option<Copied<'_>> {
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
    pub(super) fn frame_if_resident(&self, pid: u64) -> Option<usize> {
        let s = self.table.row(pid)?.state.load(Acquire);
        (s & RESIDENT != 0).then(|| frame_of(s))
    }
    /// The epoch of a resident page's unwritten changes; 0: there are none.
    pub(super) fn dirty_epoch(&self, frame: usize) -> u64 {
        self.frame_dirty[frame].load(Relaxed)
    }
    /// Writes images to their slots (neighbours in one call) and takes the pages out of flight. A failure is for good, but for a full disk: then all pages count
    /// as changed still, and the running checkpoint, which may name slots without content now, is broken.
    pub(super) fn write_images(&self, mut out: Vec<(u64, u64, Box<PageBuf>)>) -> Result<()> {
        out.sort_by_key(|x| x.1);
        let mut result = Ok(());
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
    /// A fresh slot; the file grows when there is none (53100 when it cannot, and nothing has changed).
    pub(super) fn alloc_slot(&self, g: &mut Inner) -> Result<u64> {
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

    /// Notes the epoch of a frame's unwritten changes; 0: it is clean.
    pub(super) fn set_dirty(&self, g: &mut Inner, frame: usize, epoch: u64) {
        let was = self.frame_dirty[frame].swap(epoch, Relaxed);
        match (was != 0, epoch != 0) {
            (false, true) => g.dirty += 1,
            (true, false) => g.dirty -= 1,
            _ => {}
        }
    }

    // ---- the writer

    /// Locks a page for change, loading it if need be, and notes it as changed.
    pub fn lock(&self, pid: u64) -> Result<PageMut<'_>> {
        self.lock_to(pid, Change::Any)
    }
    /// [`Pool::lock`], if only for a change of this kind.
    pub fn lock_to(&self, pid: u64, change: Change) -> Result<PageMut<'_>> {
        let page = self.lock_to_free(pid)?;
        if let Err(e) = self.make_dirty(&page, change) {
            page.unlock_unchanged();
            return Err(e);
        }
        state::before_words();
        Ok(page)
    }
    /// Locks a page, loading it if need be, only to read it and give it back: that needs no space on disk.
    pub fn lock_to_free(&self, pid: u64) -> Result<PageMut<'_>> {
        let row = self.row(pid)?;
        let mut spins = 0u32;
        loop {
            let s = row.state.load(Acquire);
            if s & RESIDENT == 0 {
                if row.entry().is_free() {
                    bail!(DATA_CORRUPTED, "page {pid} is used by a tree, but free in the page map");
                }
                self.load(pid)?;
                continue;
            }
            if s & LOCKED == 0 && state::try_lock(row.state, s) {
                let frame = frame_of(s);
                return Ok(PageMut { words: self.frame(frame), pid, frame, state: row.state, was: s });
            }
            spins += 1;
            if spins.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
    }
    /// Before a change. An image that the running checkpoint still owes is saved first, but for a change of a leaf's own entries when a log has
    /// it: then the page stays in the epoch it is in, and the checkpoint writes it as it finds it.
    #[inline]
    fn make_dirty(&self, page: &PageMut<'_>, change: Change) -> Result<()> {
        let epoch = self.epoch.load(Relaxed);
        let was = self.frame_dirty[page.frame].load(Relaxed);
        let owed = was != 0 && change == Change::Entries && self.follows_log.load(Relaxed);
        if was != epoch && !owed {
            let mut g = self.inner.lock();
            self.secure_space(&mut g)?;
            self.set_aside(&mut g, page.pid, page.frame);
            self.set_dirty(&mut g, page.frame, epoch);
            g.changed.insert(page.pid);
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
    fn secure_space(&self, g: &mut Inner) -> Result<()> {
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
    /// From now on changes are those of a log, decided and durable there, and what comes after a checkpoint's position is replayed. So a full disk no longer
    /// refuses them one by one: they wait in memory for a checkpoint that finds room, and [`Pool::reserve`] refuses further ones before they are logged. And a
    /// checkpoint may hold newer entries ([`Change::Entries`]).
    pub fn follow_log(&self) {
        self.follows_log.store(true, Relaxed);
    }
    fn set_aside(&self, g: &mut Inner, pid: u64, frame: usize) {
        let d = self.frame_dirty[frame].load(Relaxed);
        if d != 0
            && d < self.epoch.load(Relaxed)
            && let Some(r) = &mut g.running
        {
            r.set_aside(pid, self.frame(frame));
        }
    }
    /// A new page, locked, its words undefined.
    pub fn new_page(&self, tree: u64, kind: u8) -> Result<PageMut<'_>> {
        let frame = self.take_frame()?;
        let mut g = self.inner.lock();
        if let Err(e) = self.secure_space(&mut g) {
            g.free_frames.push(frame as u32);
            return Err(e);
        }
        let pid = match g.free_pids.pop() {
            Some(p) => p,
            None => {
                let p = g.next_pid;
                if let Err(e) = self.table.grow(p) {
                    g.free_frames.push(frame as u32);
                    return Err(e);
                }
                g.next_pid += 1;
                p
            }
        };
        let row = self.row(pid)?;
        row.set(MapEntry::new(0, kind, tree));
        // a reader may be loading a freed id in vain; it lets go soon
        let was = loop {
            let s = row.state.load(Acquire);
            if s & LOCKED == 0
                && let Some(was) = state::try_take(row.state, s, frame)
            {
                break was;
            }
            std::thread::yield_now();
        };
        self.frame_pid[frame].store(pid, Relaxed);
        self.set_dirty(&mut g, frame, self.epoch.load(Relaxed));
        self.frame_used[frame].store(USED, Relaxed);
        g.changed.insert(pid);
        drop(g);
        state::before_words();
        Ok(PageMut { words: self.frame(frame), pid, frame, state: row.state, was })
    }
    /// The page's kind in the map (a root grows from leaf to inner).
    pub fn set_kind(&self, pid: u64, kind: u8) {
        if let Some(row) = self.table.row(pid) {
            let g = self.inner.lock();
            let e = row.entry();
            row.set(MapEntry::new(e.slot(), kind, e.tree));
            drop(g);
        }
    }
    /// Gives back a page the writer has locked.
    pub fn free_locked(&self, page: PageMut<'_>) {
        let mut g = self.inner.lock();
        self.set_aside(&mut g, page.pid, page.frame);
        self.frame_pid[page.frame].store(0, Relaxed);
        self.set_dirty(&mut g, page.frame, 0);
        g.free_frames.push(page.frame as u32);
        self.freed(&mut g, page.pid);
        state::retire(page.state, page.was);
        std::mem::forget(page);
    }
    /// Gives back a page, in memory or not, without reading it.
    pub fn free_page(&self, pid: u64) {
        let Some(row) = self.table.row(pid) else { return };
        loop {
            let s = row.state.load(Acquire);
            if s & LOCKED != 0 {
                std::thread::yield_now();
                continue;
            }
            if !state::try_lock(row.state, s) {
                continue;
            }
            if s & RESIDENT != 0 {
                let f = frame_of(s);
                return self.free_locked(PageMut { words: self.frame(f), pid, frame: f, state: row.state, was: s });
            }
            let mut g = self.inner.lock();
            self.freed(&mut g, pid);
            state::retire(row.state, s);
            return;
        }
    }
    fn freed(&self, g: &mut Inner, pid: u64) {
        let Some(row) = self.table.row(pid) else { return };
        let slot = row.entry().slot();
        row.set(MapEntry::default());
        match g.in_flight.get_mut(&pid) {
            Some(freed) => *freed |= slot != 0,
            None => g.release_slot(pid, slot),
        }
        g.changed.insert(pid);
        g.free_pids.push(pid);
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

pub(crate) fn bad_page(pid: u64, tree: u64, slot: u64, what: &str) -> Error {
    err!(DATA_CORRUPTED, "invalid page {pid} of tree {tree}")
        .detail(format!("At byte {} of the data file: {what}.", byte_of(slot)))
        .hint("The disk returned other bytes than were written. Restore from a backup or a replica.")
}
