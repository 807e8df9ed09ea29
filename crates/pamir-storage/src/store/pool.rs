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
mod images;
mod load;
mod space;

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

pub(crate) fn bad_page(pid: u64, tree: u64, slot: u64, what: &str) -> Error {
    err!(DATA_CORRUPTED, "invalid page {pid} of tree {tree}")
        .detail(format!("At byte {} of the data file: {what}.", byte_of(slot)))
        .hint("The disk returned other bytes than were written. Restore from a backup or a replica.")
}
