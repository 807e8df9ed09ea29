//! Eviction: frames for pages to come, by second chance, and the thread that has some ready beforehand.
//!
//! ```text
//!              hand ->                                 cleaner: keeps LOW..HIGH frames free
//!   frames:  [ 2 | 0 clean | 1 | 0 dirty | 0 clean ...]   clean and cold  -> free list
//!              1    free     0   written                  dirty and cold  -> written to fresh slots, a batch in one go, then free
//! ```
//! A frame's use count (0..=2; set to 1 by readers who find it 0, 2 after a load so that the waiter finds its page) falls as the hand passes; at 0 the page goes.
//!
//! Whoever needs a frame takes a free one, which costs nothing. Below [`Pool::low`] of them the **cleaner** is woken; only when it cannot keep up, or there is none
//! (no I/O threads: deterministic tests), the one who needs a frame looks for a victim itself. Fresh slots lie side by side, so evicted pages are
//! written in large pieces whatever their place in the trees.
//!
//! On a full disk dirty pages stay; clean ones are taken then as long as there are any.
use super::Shared;
use super::mem::PageBuf;
use super::pool::{Inner, Pool, USED};
use super::state::{self, frame_of, is_readable};
use crate::disk::is_full;
use crate::stats::add;
use pamir_error::{Error, Result, bail};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::atomic::Ordering::*;
use std::time::Duration;

/// Dirty pages an evictor writes at once.
const EVICT_BATCH: usize = 32;
/// The same of the cleaner.
const CLEAN_BATCH: usize = 64;
/// Frames the cleaner looks at while it holds the mutex.
const CLEAN_LOOKS: usize = 256;
/// Free frames below which the cleaner is woken: this part of all, within these.
const LOW_PART: usize = 64;
const LOW: std::ops::RangeInclusive<usize> = 2..=512;
/// The cleaner's pause after a write that found no space.
const FULL_PAUSE: Duration = Duration::from_millis(100);

/// Where the cleaner sleeps.
#[derive(Default)]
pub(crate) struct Cleaner {
    state: Mutex<CleanerState>,
    wake: Condvar,
}
#[derive(Default)]
struct CleanerState {
    called: bool,
    stop: bool,
}
impl Cleaner {
    fn call(&self) {
        self.state.lock().called = true;
        self.wake.notify_one();
    }
    pub fn stop(&self) {
        self.state.lock().stop = true;
        self.wake.notify_one();
    }
    /// False: stop.
    fn wait(&self) -> bool {
        let mut s = self.state.lock();
        while !s.called && !s.stop {
            self.wake.wait(&mut s);
        }
        s.called = false;
        !s.stop
    }
    /// False: stop.
    fn pause(&self) -> bool {
        let mut s = self.state.lock();
        if !s.stop {
            self.wake.wait_for(&mut s, FULL_PAUSE);
        }
        !s.stop
    }
}
/// The cleaner's thread.
pub(crate) fn serve(shared: &Shared) {
    let pool = &shared.pool;
    // the hand goes around a few times at most: then all pages are hot, and those in need decide
    let turns = pool.frames / CLEAN_LOOKS * 4 + 16;
    while pool.clean.wait() {
        for _ in 0..turns {
            match pool.replenish() {
                Ok(true) => {}
                Ok(false) => break,
                Err(e) if is_full(&e) => {
                    if !pool.clean.pause() {
                        return;
                    }
                }
                // the store has failed, and says so to whoever comes
                Err(_) => break,
            }
        }
        pool.lock_inner().cleaning = false;
    }
}

/// What the hand found in a frame.
enum Look {
    Free(usize),
    Dirty(usize),
    Stays,
}

impl Pool {
    /// Moves the hand on by one frame; a page that is clean and cold is evicted.
    fn look(&self, g: &mut Inner) -> Look {
        let f = g.hand;
        g.hand = if f + 1 == self.frames { 0 } else { f + 1 };
        self.look_at(g, f)
    }
    fn look_at(&self, g: &mut Inner, f: usize) -> Look {
        let pid = self.frame_pid[f].load(Relaxed);
        if pid == 0 {
            return Look::Stays;
        }
        let used = self.frame_used[f].load(Relaxed);
        if used > 0 {
            self.frame_used[f].store(used - 1, Relaxed);
            return Look::Stays;
        }
        let Some(row) = self.table.row(pid) else { return Look::Stays };
        let s = row.state.load(Acquire);
        if !is_readable(s) || frame_of(s) != f || g.in_flight.contains_key(&pid) {
            return Look::Stays;
        }
        if self.dirty_epoch(f) != 0 {
            return Look::Dirty(f);
        }
        // the version in `s` proves that it is still as clean as it was when looked at
        if state::try_evict(row.state, s) {
            self.frame_pid[f].store(0, Relaxed);
            add(&self.stats.pages_evicted, 1);
            return Look::Free(f);
        }
        Look::Stays
    }
    fn low(&self) -> usize {
        (self.frames / LOW_PART).clamp(*LOW.start(), *LOW.end())
    }
    /// Pages are being evicted: not all fit into memory.
    pub fn evicts(&self) -> bool {
        self.stats.pages_evicted.load(Relaxed) > 0
    }

    /// A frame of one's own; evicts when all are in use.
    pub(super) fn take_frame(&self) -> Result<usize> {
        let mut idle = 0u32;
        // set when dirty pages could not be written: then only clean ones will do
        let mut full: Option<Error> = None;
        loop {
            let mut g = self.lock_inner();
            if g.next_frame < self.frames && g.free_frames.is_empty() {
                g.next_frame += 1;
                return Ok(g.next_frame - 1);
            }
            if !g.cleaning && g.next_frame == self.frames && g.free_frames.len() <= self.low() {
                g.cleaning = true;
                self.clean.call();
            }
            if let Some(f) = g.free_frames.pop() {
                return Ok(f as usize);
            }
            let mut dirty: Vec<usize> = Vec::new();
            let most = if full.is_some() { 0 } else { EVICT_BATCH };
            for _ in 0..self.frames * (USED as usize + 1) {
                match self.look(&mut g) {
                    Look::Free(f) => return Ok(f),
                    Look::Dirty(f) if dirty.len() < most && !dirty.contains(&f) => {
                        dirty.push(f);
                        if dirty.len() == most {
                            break;
                        }
                    }
                    _ => {}
                }
            }
            match dirty.first() {
                Some(&first) => {
                    if let Some(e) = &g.failed {
                        return Err(e.clone());
                    }
                    g.hand = first;
                    match self.write_back(g, &dirty) {
                        Err(e) if is_full(&e) => full = Some(e),
                        r => r?,
                    }
                }
                None => {
                    drop(g);
                    if let Some(e) = full {
                        return Err(e);
                    }
                    idle += 1;
                    if idle > 200_000 {
                        bail!(OUT_OF_MEMORY, "no page of the cache could be evicted");
                    }
                    if idle < 100 { std::thread::yield_now() } else { std::thread::sleep(Duration::from_micros(50)) }
                }
            }
        }
    }
    /// One turn of the cleaner; false: there are frames enough, or nothing can be had now.
    fn replenish(&self) -> Result<bool> {
        let mut g = self.lock_inner();
        let high = (self.low() * 2).min(self.frames / 4);
        let mut dirty = Vec::new();
        for _ in 0..CLEAN_LOOKS {
            if g.free_frames.len() > high || dirty.len() == CLEAN_BATCH {
                break;
            }
            match self.look(&mut g) {
                Look::Free(f) => g.free_frames.push(f as u32),
                Look::Dirty(f) if !dirty.contains(&f) => dirty.push(f),
                _ => {}
            }
        }
        let enough = g.free_frames.len() > high;
        if dirty.is_empty() || enough {
            return Ok(!enough);
        }
        if let Some(e) = &g.failed {
            return Err(e.clone());
        }
        self.write_back(g, &dirty)?;
        let mut g = self.lock_inner();
        for f in dirty {
            if let Look::Free(f) = self.look_at(&mut g, f) {
                g.free_frames.push(f as u32);
            }
        }
        Ok(g.free_frames.len() <= high)
    }
    /// Evicts until `n` frames are free (others may take them meanwhile: a favour, not a promise).
    pub fn make_room(&self, n: usize) -> Result<()> {
        loop {
            let g = self.lock_inner();
            if g.free_frames.len() + (self.frames - g.next_frame) >= n {
                return Ok(());
            }
            let taken = g.free_frames.len();
            drop(g);
            // take_frame prefers free ones, so all have to be held at once
            let mut held = Vec::new();
            for _ in 0..taken.min(n) + 1 {
                match self.take_frame() {
                    Ok(f) => held.push(f as u32),
                    Err(e) => {
                        self.lock_inner().free_frames.append(&mut held);
                        return Err(e);
                    }
                }
            }
            self.lock_inner().free_frames.append(&mut held);
        }
    }
    /// Writes dirty pages to fresh slots so that they can be evicted.
    fn write_back(&self, mut g: MutexGuard<'_, Inner>, frames: &[usize]) -> Result<()> {
        let mut out: Vec<(u64, u64, Box<PageBuf>)> = Vec::new();
        let mut problem = None;
        for &f in frames {
            let pid = self.frame_pid[f].load(Relaxed);
            let mut img = PageBuf::boxed();
            let Some(copied) = self.try_copy(pid, f, &mut img) else { continue };
            match self.alloc_slot(&mut g) {
                Ok(slot) => {
                    self.now_in(&mut g, &copied, pid, slot);
                    out.push((pid, slot, img));
                }
                Err(e) => problem = Some(e),
            }
            drop(copied);
            if problem.is_some() {
                break;
            }
        }
        drop(g);
        match problem {
            Some(e) if out.is_empty() => Err(e),
            _ => {
                add(&self.stats.eviction_writes, out.len() as u64);
                self.write_images(out)
            }
        }
    }
}
