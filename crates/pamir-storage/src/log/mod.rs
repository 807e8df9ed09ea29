//! The log: append-only records of bytes in preallocated segment files.
//!
//! ```text
//!  log.0000000000000005          log.0000000000000006            log.spare.7
//! | header | MARK r r r MARK r | header | r MARK r r ....zeros | waiting          |
//!   [`segment`]   [`record`]
//! ```
//! - [`Log::append`] buffers, [`Log::sync`] writes one batch and syncs it. A position is durable once `sync` has returned it.
//! - Writes are whole blocks of 4096 bytes, past the operating system's cache; the block a batch ends in is written again by the next, its first part unchanged.
//! - [`Log::begin_sync`] hands out both, the write and the sync of a batch (`outgoing.rs`): the appender need not wait for the disk.
//! - A record of any size is cut into fragments; each carries a checksum over content, position and segment generation.
//! - Recovery (`reader.rs`) replays what is intact, refuses a log that is damaged below a position known to have been synced, cuts what
//!   was never synced, and syncs before it returns, so that what it replayed cannot vanish in a second crash.
//! - Single records, durable and still kept, are read back by position through a [`LogReader`].
//! - A failed write or sync poisons the log: what reached the disk is unknown from then on, and the node must stop.
//! - A full disk does not: segments are allocated and zeroed before anything is written into them, so [`Log::reserve`] knows beforehand whether a batch has
//!   room. When it has none, nothing of it was written and the log goes on as soon as there is room (a checkpoint gives some back by itself: its old segments).
//!
//! **Limits.** One batch is the unit of doubt: the last batch before a crash, if damaged, cannot be told from one never synced (a checkpoint, as on a clean
//! shutdown, closes that gap). At most [`MAX_SPARES`] recycled segments are kept.
mod at;
mod outgoing;
mod reader;
mod record;
mod segment;
#[cfg(test)]
mod tests;
pub use at::LogReader;
pub use segment::{LOG_VERSION, SEGMENT_PREFIX};

use crate::disk::{BLOCK, Disk, File, is_full, sync_point};
use crate::stats::{Stats, add, timed};
use outgoing::{Blocks, Outgoing};
use pamir_error::{Error, Result, bail, err};
use record::{FIRST, FULL, LAST, MARK, MIDDLE, MIN_ROOM};
use segment::{HEADER_SIZE, Header, Segment};
use std::sync::Arc;
use std::time::Duration;

/// A byte position in the log's endless address space; positions only grow. The LSN of a record is where its end lies.
pub type Lsn = u64;

/// Recycled segments kept for reuse.
pub const MAX_SPARES: usize = 4;
/// The smallest segment.
pub const MIN_SEGMENT: u64 = 2 * HEADER_SIZE;
/// Segments from this size on are prepared ahead of need by a thread of their own.
const PREPARE_FROM: u64 = 16 << 20;
/// Payload bytes of the mark that opens a batch.
const MARK_SIZE: usize = 8;
/// Buffered bytes that are written (not synced) before the batch is complete.
const WRITE_AT: usize = 4 << 20;

#[derive(Clone)]
pub struct LogOptions {
    pub segment_size: u64,
}
impl Default for LogOptions {
    fn default() -> Self {
        LogOptions { segment_size: 64 << 20 }
    }
}

/// What is to be written and synced so that everything up to a position is durable.
pub struct Syncing {
    write: Option<Arc<Outgoing>>,
    /// Segments that the batch filled, by their numbers.
    filled: Vec<(u64, Arc<dyn File>)>,
    current: Arc<dyn File>,
    /// A segment's name is new in it.
    dir: Option<Arc<dyn Disk>>,
    upto: Lsn,
    stats: Arc<Stats>,
}
impl Syncing {
    /// The first part of [`Syncing::run`], where it is not done yet.
    pub fn write(&self) -> Result<()> {
        self.write.as_ref().map_or(Ok(()), |w| w.land())
    }
    /// How long that took, whoever did it; zero where it was not done, or there was nothing to write.
    pub fn write_took(&self) -> Duration {
        self.write.as_ref().map_or(Duration::ZERO, |w| w.took())
    }
    pub fn run(&self) -> Result<()> {
        self.write()?;
        timed(&self.stats.log_syncs, &self.stats.log_sync_micros, || -> Result<()> {
            for (_, f) in &self.filled {
                f.sync_at(sync_point::LOG_FULL_SEGMENT)?;
            }
            self.current.sync_at(sync_point::LOG)?;
            self.dir.as_ref().map_or(Ok(()), |d| d.sync_dir_at(sync_point::LOG_DIR))
        })
    }
    /// Where the log ends that is durable then.
    pub fn upto(&self) -> Lsn {
        self.upto
    }
}

/// One appender. Not shared: the log thread owns it.
pub struct Log {
    disk: Arc<dyn Disk>,
    size: u64,
    current: Segment,
    /// segments filled by the batch under way: to be synced with it
    filled: Vec<Segment>,
    /// a segment's name is not yet durable
    new_name: bool,
    /// older segments still needed: sequence number, end position
    older: Vec<(u64, Lsn)>,
    spares: Vec<String>,
    next_spare: u64,
    preparing: Option<std::thread::JoinHandle<Result<String>>>,
    /// what a sync that was handed out is to write; nothing else is written before it
    outgoing: Option<Arc<Outgoing>>,
    /// what the blocks from position `buffer_at` (a block's first) of the current segment hold; written, or handed out, up to `written`
    buffer: Vec<u8>,
    /// one that was written, for the next
    old_buffer: Vec<u8>,
    buffer_at: Lsn,
    written: Lsn,
    end: Lsn,
    durable: Lsn,
    in_batch: bool,
    failed: Option<Error>,
    stats: Arc<Stats>,
}

impl Log {
    /// Is there a segment of a log?
    pub fn exists(disk: &dyn Disk) -> Result<bool> {
        Ok(disk.list()?.iter().any(|n| segment::parse(n).is_some()))
    }
    /// Where the oldest segment that is there begins, behind which nothing is missing; None: there is no log.
    pub fn oldest(disk: &dyn Disk) -> Result<Option<Lsn>> {
        let mut seqs: Vec<u64> = disk.list()?.iter().filter_map(|n| segment::parse(n)).collect();
        seqs.sort_unstable();
        let (mut oldest, mut next) = (None, None);
        for seq in seqs.into_iter().rev() {
            let name = segment::name(seq);
            // Old ones go meanwhile.
            let Ok(file) = disk.open(&name, false) else { break };
            let b = reader::read_range(&*file, 0, HEADER_SIZE)?;
            match Header::decode(&b, &name)?.filter(|h| h.seq == seq && h.size > HEADER_SIZE) {
                Some(h) if next.is_none_or(|n| n == (seq + 1, h.end())) => {
                    (oldest, next) = (Some(h.base), Some((seq, h.base)));
                }
                // The newest may have been on its way into use.
                None if oldest.is_none() => {}
                _ => break,
            }
        }
        Ok(oldest)
    }
    /// Opens or creates the log and replays every intact record after `from` (exclusive) in order into `each(lsn, record)`; cuts an unsynced torn
    /// tail; corruption below the last position known synced is XX001. Syncs what it keeps before it returns.
    pub fn open(
        disk: Arc<dyn Disk>,
        opts: LogOptions,
        from: Lsn,
        each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>,
    ) -> Result<Log> {
        Log::open_with(disk, opts, from, Arc::new(Stats::default()), each)
    }
    /// [`Log::open`] with counters shared with others.
    pub fn open_with(
        disk: Arc<dyn Disk>,
        opts: LogOptions,
        from: Lsn,
        stats: Arc<Stats>,
        each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>,
    ) -> Result<Log> {
        Log::open_keeping(disk, opts, from, from, from, stats, each)
    }
    /// Before the log is opened: the records that end at or before `upto` and are still there, whole ones, in order. Nobody has promised to keep them; an error says that some cannot be read.
    pub fn read_before(disk: &dyn Disk, upto: Lsn, each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>) -> Result<()> {
        reader::before(disk, upto, each)
    }
    /// [`Log::open_with`] that gives up nothing from `keep` on, the end of a record at or before `from`: a [`LogReader`] may go on reading there. A log known to
    /// have reached up to `reach` and that ends before is damaged: an error, and nothing is changed.
    pub fn open_keeping(
        disk: Arc<dyn Disk>,
        opts: LogOptions,
        keep: Lsn,
        from: Lsn,
        reach: Lsn,
        stats: Arc<Stats>,
        each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>,
    ) -> Result<Log> {
        let keep = keep.min(from);
        let size = opts.segment_size.max(MIN_SEGMENT).next_multiple_of(HEADER_SIZE);
        let found = reader::recover(&*disk, keep, from, each)?;
        let end = found.as_ref().map_or(from, |f| f.end);
        if end < reach {
            return Err(err!(
                DATA_CORRUPTED,
                "the log ends at {end}, but the newest checkpoint holds changes up to {reach}"
            )
            .detail("The end of the log is missing, and with it commits.")
            .hint("Restore the log files that are missing, or the whole directory from a backup."));
        }
        // No file found at start is used again but those in use. Any other may hold fragments of a segment number still to come (a crash lost the
        // segment's name, but not its bytes), and they would be valid there. Files retired in this run come from lower numbers.
        for name in disk.list()?.into_iter().filter(|n| segment::is_spare(n)) {
            disk.remove(&name)?;
        }
        let synced = found.as_ref().map_or(from, |f| f.synced);
        let mut log = match found {
            None => {
                let spare = segment::spare_name(0);
                segment::make_spare(&*disk, &spare, size)?;
                let current = segment::put_to_use(&*disk, &spare, Header { size, seq: 1, base: from, synced: from })?;
                Log::assemble(disk, size, current, from, stats)
            }
            Some(f) => {
                if f.dirty_tail {
                    // intact fragments beyond the end would come back to life once the gap before them is filled
                    let zeros = vec![0u8; (f.header.size - f.header.offset(f.end)) as usize];
                    f.file.write_at(&zeros, f.header.offset(f.end))?;
                }
                let mut log = Log::assemble(disk, size, Segment { header: f.header, file: f.file }, f.end, stats);
                log.older = f.before;
                for seq in f.beyond {
                    log.disk.remove(&segment::name(seq))?;
                }
                log
            }
        };
        // what was replayed must not vanish in a second crash
        log.current.file.sync_at(sync_point::LOG_RECOVER)?;
        for &(seq, _) in log.older.iter().filter(|s| s.1 > synced) {
            log.disk.open(&segment::name(seq), false)?.sync_at(sync_point::LOG_RECOVER_OLDER)?;
        }
        log.disk.sync_dir_at(sync_point::LOG_RECOVER_DIR)?;
        log.go_on()?;
        Ok(log)
    }
    /// From recovery's handle to a direct one, and the block that the log ends in into the buffer.
    fn go_on(&mut self) -> Result<()> {
        let h = self.current.header;
        self.current.file = self.disk.open_direct(&segment::name(h.seq), false)?;
        let within = (self.end - h.base) % BLOCK;
        self.buffer_at = self.end - within;
        self.buffer =
            reader::read_range(&*self.current.file, h.offset(self.buffer_at), if within > 0 { BLOCK } else { 0 })?;
        self.buffer.truncate(within as usize);
        Ok(())
    }
    fn assemble(disk: Arc<dyn Disk>, size: u64, current: Segment, end: Lsn, stats: Arc<Stats>) -> Log {
        Log {
            disk,
            size,
            current,
            filled: Vec::new(),
            new_name: false,
            older: Vec::new(),
            spares: Vec::new(),
            next_spare: 0,
            preparing: None,
            outgoing: None,
            buffer: Vec::new(),
            old_buffer: Vec::new(),
            buffer_at: end,
            written: end,
            end,
            durable: end,
            in_batch: false,
            failed: None,
            stats,
        }
    }
    fn healthy(&self) -> Result<()> {
        match &self.failed {
            Some(e) => Err(e.clone()),
            None => Ok(()),
        }
    }
    fn poison<T>(&mut self, r: Result<T>) -> Result<T> {
        if let Err(e) = &r {
            self.failed.get_or_insert_with(|| e.clone());
        }
        r
    }

    /// Sees to it that records of these lengths, appended next and in this order, need no further space on the disk. 53100 with [`Log::failure`] None:
    /// there is no room, nothing was written, the log is as before. Any other error is for good.
    pub fn reserve(&mut self, lengths: impl IntoIterator<Item = usize>) -> Result<()> {
        self.healthy()?;
        let (mut room, mut segments) = (self.room(), 0);
        let mark = (!self.in_batch).then_some(MARK_SIZE);
        // as `append_inner` cuts them
        for mut rest in mark.into_iter().chain(lengths) {
            loop {
                if room < MIN_ROOM {
                    room = self.size - HEADER_SIZE;
                    segments += 1;
                }
                let n = rest.min((room as usize - record::HEADER) & !7);
                room -= record::footprint(n);
                rest -= n;
                if rest == 0 {
                    break;
                }
            }
        }
        let had = self.spares.len();
        while self.spares.len() < segments {
            match self.make_spare() {
                Ok(name) => self.spares.push(name),
                Err(e) if is_full(&e) => {
                    // a batch too large for the disk must not keep what a small one, or the page file, could use
                    for name in self.spares.drain(had.max(1).min(self.spares.len())..) {
                        let _ = self.disk.remove(&name);
                    }
                    return Err(e);
                }
                Err(e) => return self.poison(Err(e)),
            }
        }
        Ok(())
    }
    /// Why the log refuses everything, if it does.
    pub fn failure(&self) -> Option<&Error> {
        self.failed.as_ref()
    }
    /// A checkpoint would give segments back.
    pub fn can_recycle(&self) -> bool {
        !self.older.is_empty()
    }
    /// Buffers one record (any size; it may span segments); returns its LSN. Refuses it, and it alone, as [`Log::reserve`] does.
    pub fn append(&mut self, record: &[u8]) -> Result<Lsn> {
        self.reserve([record.len()])?;
        let r = self.append_inner(record);
        self.poison(r)
    }
    fn append_inner(&mut self, record: &[u8]) -> Result<Lsn> {
        if !self.in_batch {
            self.in_batch = true;
            let synced = self.durable.to_le_bytes();
            if self.room() < MIN_ROOM {
                self.next_segment()?;
            }
            self.fragment(MARK, &synced);
        }
        let mut rest = record;
        let mut first = true;
        loop {
            if self.room() < MIN_ROOM {
                self.next_segment()?;
            }
            let most = (self.room() as usize - record::HEADER) & !7;
            let n = rest.len().min(most);
            let kind = match (first, n == rest.len()) {
                (true, true) => FULL,
                (true, false) => FIRST,
                (false, false) => MIDDLE,
                (false, true) => LAST,
            };
            self.fragment(kind, &rest[..n]);
            rest = &rest[n..];
            first = false;
            if kind == FULL || kind == LAST {
                break;
            }
        }
        add(&self.stats.log_records, 1);
        if self.buffer.len() >= WRITE_AT {
            self.write_out()?;
        }
        Ok(self.end)
    }
    /// Bytes left in the current segment.
    fn room(&self) -> u64 {
        self.current.header.end() - self.end
    }
    fn fragment(&mut self, kind: u8, payload: &[u8]) {
        // Beyond the segment's end it would lie over the next one.
        assert!(record::footprint(payload.len()) <= self.room(), "a log fragment exceeds its segment");
        record::encode(kind, payload, self.end, self.current.header.seq, &mut self.buffer);
        self.end += record::footprint(payload.len());
    }
    /// Takes the blocks that have something new; the last, if it is not full, stays too, and will be written again.
    fn take_new(&mut self) -> Option<Blocks> {
        if self.written == self.end {
            return None;
        }
        let whole = self.buffer.len() & !(BLOCK as usize - 1);
        let mut rest = std::mem::take(&mut self.old_buffer);
        rest.clear();
        rest.extend_from_slice(&self.buffer[whole..]);
        let mut bytes = std::mem::replace(&mut self.buffer, rest);
        bytes.resize(bytes.len().next_multiple_of(BLOCK as usize), 0);
        add(&self.stats.log_bytes, bytes.len() as u64);
        let blocks =
            Blocks { file: self.current.file.clone(), offset: self.current.header.offset(self.buffer_at), bytes };
        self.buffer_at += whole as u64;
        self.written = self.end;
        Some(blocks)
    }
    /// Writes the blocks that have something new, after those that were handed out.
    fn write_out(&mut self) -> Result<()> {
        self.outgoing.as_ref().map_or(Ok(()), |w| w.land())?;
        if let Some(blocks) = self.take_new() {
            blocks.write()?;
            self.old_buffer = blocks.bytes;
        }
        Ok(())
    }
    fn next_segment(&mut self) -> Result<()> {
        self.write_out()?;
        let old = self.current.header;
        let spare = self.take_spare()?;
        let header = Header { size: self.size, seq: old.seq + 1, base: old.end(), synced: self.durable };
        let next = segment::put_to_use(&*self.disk, &spare, header)?;
        self.new_name = true;
        self.older.push((old.seq, old.end()));
        self.filled.push(std::mem::replace(&mut self.current, next));
        (self.end, self.buffer_at, self.written) = (header.base, header.base, header.base);
        self.buffer.clear();
        Ok(())
    }
    /// One of those that `reserve` made.
    fn take_spare(&mut self) -> Result<String> {
        self.spares.pop().ok_or_else(|| Error::internal("a log record needs more segments than were reserved"))
    }
    /// A segment ready for use: the one being prepared, or a new one.
    fn make_spare(&mut self) -> Result<String> {
        if let Some(t) = self.preparing.take() {
            match t.join().unwrap_or_else(|_| Err(Error::internal("preparing a log segment panicked"))) {
                Ok(name) => return Ok(name),
                // there may be room by now
                Err(e) if is_full(&e) => {}
                Err(e) => return Err(e),
            }
        }
        self.next_spare += 1;
        let name = segment::spare_name(self.next_spare);
        segment::make_spare(&*self.disk, &name, self.size)?;
        Ok(name)
    }
    /// Has the next segment made while this one fills.
    fn prepare(&mut self) {
        let half = self.current.header.size / 2;
        if self.size < PREPARE_FROM || !self.spares.is_empty() || self.preparing.is_some() || self.room() > half {
            return;
        }
        self.next_spare += 1;
        let (disk, name, size) = (self.disk.clone(), segment::spare_name(self.next_spare), self.size);
        let make = move || segment::make_spare(&*disk, &name, size).map(|_| name);
        self.preparing = std::thread::Builder::new().name("pamir-log-prepare".into()).spawn(make).ok();
    }

    /// Writes what is buffered and syncs it; returns the durable LSN. After an error the log refuses everything (the node must stop).
    pub fn sync(&mut self) -> Result<Lsn> {
        self.healthy()?;
        if !self.in_batch {
            return Ok(self.durable);
        }
        let r = self.sync_inner();
        self.poison(r)
    }
    fn sync_inner(&mut self) -> Result<Lsn> {
        // Nobody else is to do it.
        self.write_out()?;
        let s = self.close_batch();
        s.run()?;
        Ok(self.synced(&s))
    }
    /// Hands out what is to be written and synced, which another thread may do while more is appended; None: nothing is new since the last one. One at a time:
    /// the next after [`Log::end_sync`]. A log that is dropped first writes nothing any more.
    pub fn begin_sync(&mut self) -> Result<Option<Syncing>> {
        self.healthy()?;
        if !self.in_batch {
            return Ok(None);
        }
        Ok(Some(self.close_batch()))
    }
    /// The sync has come to this result; returns the durable LSN.
    pub fn end_sync(&mut self, s: &Syncing, r: Result<()>) -> Result<Lsn> {
        self.poison(r)?;
        Ok(self.synced(s))
    }
    fn close_batch(&mut self) -> Syncing {
        debug_assert!(self.outgoing.is_none(), "one sync at a time");
        self.outgoing = self.take_new().map(Outgoing::new);
        self.in_batch = false;
        Syncing {
            write: self.outgoing.clone(),
            filled: self.filled.iter().map(|s| (s.header.seq, s.file.clone())).collect(),
            current: self.current.file.clone(),
            dir: std::mem::take(&mut self.new_name).then(|| self.disk.clone()),
            upto: self.end,
            stats: self.stats.clone(),
        }
    }
    fn synced(&mut self, s: &Syncing) -> Lsn {
        self.filled.retain(|f| s.filled.iter().all(|(seq, _)| *seq != f.header.seq));
        self.durable = self.durable.max(s.upto);
        if let Some(w) = self.outgoing.take() {
            self.old_buffer = w.give_back();
        }
        self.prepare();
        self.durable
    }
    /// Segments wholly below `lsn` may be recycled.
    pub fn truncate_before(&mut self, lsn: Lsn) -> Result<()> {
        self.healthy()?;
        if lsn > self.durable {
            bail!(INTERNAL_ERROR, "the log is durable up to {} only, not {lsn}", self.durable);
        }
        while let Some(&(seq, end)) = self.older.first() {
            if end > lsn || self.filled.iter().any(|s| s.header.seq == seq) {
                break;
            }
            self.older.remove(0);
            let r = self.retire(seq);
            self.poison(r)?;
        }
        Ok(())
    }
    /// Makes a segment a spare, or removes it.
    fn retire(&mut self, seq: u64) -> Result<()> {
        let name = segment::name(seq);
        if self.spares.len() < MAX_SPARES && self.disk.open(&name, false)?.len()? == self.size {
            self.next_spare += 1;
            let spare = segment::spare_name(self.next_spare);
            self.disk.rename(&name, &spare)?;
            self.spares.push(spare);
            Ok(())
        } else {
            self.disk.remove(&name)
        }
    }
    pub fn end(&self) -> Lsn {
        self.end
    }
    pub fn durable(&self) -> Lsn {
        self.durable
    }
    pub fn stats(&self) -> &Arc<Stats> {
        &self.stats
    }
}
/// A segment's header with a right checksum.
#[cfg(test)]
pub(crate) fn fuzz_header(size: u64, seq: u64, base: Lsn, synced: Lsn) -> Vec<u8> {
    Header { size, seq, base, synced }.encode().to_vec()
}
/// Segment files as a script says: mostly well-formed, with damage anywhere.
pub(crate) fn fuzz_segments(s: &mut crate::fuzz_script::Script<'_>, from: Lsn) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut base = if s.byte() & 1 == 0 { from } else { from.saturating_sub(s.u16() as u64) };
    let mut seq = 1u64;
    while !s.is_empty() && files.len() < 8 {
        let size = if s.byte() == 7 { s.number() % (4 * MIN_SEGMENT) } else { MIN_SEGMENT };
        let synced = if s.byte() & 1 == 0 { 0 } else { base.wrapping_add(s.number()) };
        let header = Header { size, seq, base, synced };
        let mut b = header.encode().to_vec();
        b.resize(HEADER_SIZE as usize, 0);
        let mut pos = base;
        while !s.is_empty() && b.len() < 2 * MIN_SEGMENT as usize {
            match s.byte() % 8 {
                kind @ FULL..=LAST => {
                    let n = s.u16() as usize % 600;
                    record::encode(kind, s.take(n), pos, seq, &mut b);
                }
                MARK => record::encode(MARK, &base.wrapping_add(s.number()).to_le_bytes(), pos, seq, &mut b),
                6 => {
                    let n = s.byte() as usize;
                    b.extend_from_slice(s.take(n));
                }
                7 => {
                    let at = s.u16() as usize % b.len();
                    b[at] ^= s.byte();
                }
                _ => break,
            }
            pos = base.wrapping_add(b.len() as u64 - HEADER_SIZE);
        }
        let named = if s.byte() == 9 { s.number() } else { seq };
        if s.byte() & 7 != 1 {
            b.resize(MIN_SEGMENT as usize, 0);
        }
        files.push((segment::name(named), b));
        base = if s.byte() == 5 { base.wrapping_add(s.number()) } else { base.wrapping_add(MIN_SEGMENT - HEADER_SIZE) };
        seq = seq.wrapping_add(if s.byte() == 5 { s.number() } else { 1 });
    }
    files
}

impl Drop for Log {
    fn drop(&mut self) {
        // The directory may be another log's by the time somebody writes it.
        if let Some(w) = &self.outgoing {
            w.give_up();
        }
        if let Some(t) = self.preparing.take() {
            let _ = t.join();
        }
    }
}
