//! Reading single records back, by position, beside the appender.
//!
//! A record's LSN is where its end lies; with the end of the record before it, it can be found: what lies between is marks, the unused rests of
//! segments, and the fragments of this one record. Only what is durable and not yet given up ([`super::Log::truncate_before`]) may be asked for; then no
//! segment in question can be recycled, and its file, opened by name, is the right one. Everything read is checked like in recovery.
use super::Lsn;
use super::record::{self, FIRST, FULL, LAST, MARK, MIDDLE, MIN_ROOM};
use super::segment::{self, HEADER_SIZE, Header};
use crate::disk::{Disk, File};
use pamir_error::{Result, bail};
use std::sync::Arc;

/// Bytes that [`LogReader::read_some`] reads at a time, at least.
const MIN_WINDOW: usize = 64 << 10;

/// See the module's words. Keeps the segment it read last open.
pub struct LogReader {
    disk: Arc<dyn Disk>,
    last: Option<(Header, Arc<dyn File>)>,
}

impl LogReader {
    pub fn new(disk: Arc<dyn Disk>) -> LogReader {
        LogReader { disk, last: None }
    }
    /// The record that ends at `end`, where the record before it ends at `after` (or anywhere between that and its first fragment, or further back).
    pub fn read(&mut self, after: Lsn, end: Lsn) -> Result<Vec<u8>> {
        let mut last = Vec::new();
        self.read_each(after, end, &mut |_, record| last = record)?;
        Ok(last)
    }
    /// The records between the one that ends at `after` and the one that ends at `end`, which is the last, each with its LSN.
    pub fn read_each(&mut self, after: Lsn, end: Lsn, each: &mut dyn FnMut(Lsn, Vec<u8>)) -> Result<()> {
        if self.read_some(after, end, usize::MAX, each)? == end {
            return Ok(());
        }
        bail!(DATA_CORRUPTED, "no record of the log ends at position {end}")
    }
    /// The records that stand behind `after`, the end of a record, up to `upto`, the end of a later one, each with its LSN: as many as fit into about `most` bytes, at
    /// least one. Returns where the last of them ends; `after` where there is none.
    pub fn read_some(&mut self, after: Lsn, upto: Lsn, most: usize, each: &mut dyn FnMut(Lsn, Vec<u8>)) -> Result<Lsn> {
        let (mut pos, mut done, mut taken) = (after, after, 0);
        let mut record = Vec::new();
        let mut bytes = Vec::new();
        let mut window = most.max(MIN_WINDOW) as u64;
        while pos < upto {
            let (header, file) = self.segment(pos)?;
            if header.end() - pos < MIN_ROOM {
                pos = header.end();
                continue;
            }
            let from = pos;
            let whole = upto.min(header.end());
            let stop = whole.min(from.saturating_add(window));
            bytes.resize((stop - from) as usize, 0);
            read_all(&*file, &mut bytes, header.offset(from))?;
            while pos < stop && header.end() - pos >= MIN_ROOM {
                let rest = bytes.get((pos - from) as usize..).unwrap_or_default();
                let Some((kind, payload)) = record::decode(rest, pos, header.seq) else {
                    if stop == whole {
                        return damaged(header.seq, header.offset(pos));
                    }
                    // The window ends within a fragment.
                    break;
                };
                match kind {
                    MARK => {}
                    FULL | FIRST => {
                        record.clear();
                        record.extend_from_slice(payload);
                    }
                    MIDDLE | LAST => record.extend_from_slice(payload),
                    _ => return damaged(header.seq, header.offset(pos)),
                }
                pos += record::footprint(payload.len());
                if kind == FULL || kind == LAST {
                    done = pos;
                    taken += record.len();
                    each(pos, std::mem::take(&mut record));
                    if taken >= most {
                        return Ok(done);
                    }
                }
            }
            if pos == from {
                window = window.saturating_mul(2);
            } else if stop == whole && pos < stop {
                pos = stop;
            }
        }
        Ok(done)
    }
    /// The segment that holds `pos`.
    fn segment(&mut self, pos: Lsn) -> Result<(Header, Arc<dyn File>)> {
        let holds = |h: &Header| h.base <= pos && pos < h.end();
        if let Some((h, f)) = self.last.as_ref().filter(|l| holds(&l.0)) {
            return Ok((*h, f.clone()));
        }
        let mut failed = None;
        for seq in self.disk.list()?.iter().filter_map(|n| segment::parse(n)) {
            let name = segment::name(seq);
            let file = match self.disk.open(&name, false) {
                Ok(file) => file,
                Err(e) => {
                    // Given back since it was listed, as a rule; not the one that is needed, which is kept.
                    failed = Some(e);
                    continue;
                }
            };
            let mut b = vec![0; HEADER_SIZE as usize];
            // One that is being put to use is not what we look for.
            if read_all(&*file, &mut b, 0).is_err() {
                continue;
            }
            if let Some(h) = Header::decode(&b, &name)?.filter(|h| h.seq == seq && holds(h)) {
                self.last = Some((h, file.clone()));
                return Ok((h, file));
            }
        }
        if let Some(e) = failed {
            return Err(e);
        }
        bail!(DATA_CORRUPTED, "no segment of the log holds position {pos}")
    }
}

fn damaged<T>(seq: u64, offset: u64) -> Result<T> {
    bail!(DATA_CORRUPTED, "log file \"{}\" is corrupt at byte {offset}", segment::name(seq))
}
fn read_all(file: &dyn File, buf: &mut [u8], offset: u64) -> Result<()> {
    let mut n = 0;
    while n < buf.len() {
        match file.read_at(&mut buf[n..], offset + n as u64)? {
            0 => bail!(DATA_CORRUPTED, "a log file ends at byte {} too early", offset + n as u64),
            k => n += k,
        }
    }
    Ok(())
}
