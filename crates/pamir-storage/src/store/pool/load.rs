//! Pages from disk into frames, one by one or a batch at a time.
//!
//! LOCKED without RESIDENT says that somebody loads the page: others wait for it or leave it for later, and its map entry stays as it is. Whoever loads takes its frame first,
//! since the pool's mutex may not be asked for while a page is locked for loading (`new_page` may wait for it under the mutex).
//!
//! *Invariant*: an image enters a frame only verified: checksum, page id and tree (XX001 else).
use super::*;

impl Pool {
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
        self.read_slots(slot, buf.bytes_mut())
    }
    /// The same of as many neighbours as have room.
    pub fn read_slots(&self, first: u64, buf: &mut [u8]) -> Result<()> {
        // a damaged list or map may say what is beyond any file's end
        let n = if first > MAX_SLOT { 0 } else { self.file.read_at(buf, byte_of(first))? };
        buf[n..].fill(0);
        Ok(())
    }
}
