//! Recovery: reading the log in order, finding its end, and telling a torn tail from corruption.
//!
//! Fragments are read until one is not intact, at position p. Then everything after p, in this segment and later ones, is searched for marks
//! (and segment headers) that say that p was synced: then the log is corrupt and the server refuses to start. Otherwise what
//! lies after p was never acknowledged, and is cut: from the first fragment of an unfinished record on.
use super::Lsn;
use super::record::{self, FIRST, FULL, LAST, MARK, MIDDLE};
use super::segment::{self, HEADER_SIZE, Header};
use crate::disk::{Disk, File};
use pamir_error::{Error, Result, bail, err};
use std::sync::Arc;

pub(crate) struct Found {
    pub header: Header,
    pub file: Arc<dyn File>,
    /// where the kept part ends
    pub end: Lsn,
    /// intact fragments may lie beyond `end`
    pub dirty_tail: bool,
    /// segments that lie after the end, or wholly below what is needed
    pub beyond: Vec<u64>,
    /// kept segments before the last, ascending: sequence number and end position
    pub before: Vec<(u64, Lsn)>,
    /// the log was known to be synced up to here
    pub synced: Lsn,
}

fn corrupt(seq: u64, offset: u64, what: &str) -> Error {
    err!(DATA_CORRUPTED, "log file \"{}\" is corrupt at byte {offset}", segment::name(seq))
        .detail(what.to_string())
        .hint("Records before this place are intact. Restore from a backup or a replica, or copy the directory and seek help before changing it.")
}
/// Up to `size` bytes, as far as the file has them: a damaged header's claim allocates nothing.
pub(crate) fn read_segment(file: &dyn File, size: u64) -> Result<Vec<u8>> {
    read_range(file, 0, size.min(file.len()?))
}
/// `len` bytes from `at`; zeros beyond the file's end.
pub(crate) fn read_range(file: &dyn File, at: u64, len: u64) -> Result<Vec<u8>> {
    let mut b = vec![0u8; len as usize];
    let mut n = 0;
    while n < b.len() {
        match file.read_at(&mut b[n..], at + n as u64)? {
            0 => break,
            k => n += k,
        }
    }
    Ok(b)
}

/// Reads all segments from the one that holds `keep` (at most `from`, the end of a record) on; hands out what comes after `from`. None: there is no log yet.
pub(crate) fn recover(
    disk: &dyn Disk,
    keep: Lsn,
    from: Lsn,
    each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>,
) -> Result<Option<Found>> {
    let Chain { mut segs, beyond, stale, mut synced } = chain(disk, keep, from)?;
    let Some(first) = segs.first() else {
        if from > 0 || synced.upto > 0 {
            bail!(DATA_CORRUPTED, "the log is missing: the newest checkpoint needs it from position {from}");
        }
        // The very first segment was being created, if anything is there.
        for seq in beyond {
            disk.remove(&segment::name(seq))?;
        }
        return Ok(None);
    };
    if first.0.base > keep {
        bail!(
            DATA_CORRUPTED,
            "the log starts at position {}, but the newest checkpoint needs it from {keep}",
            first.0.base
        );
    }
    let read = replay(&segs, keep, from, &mut synced, each)?;
    let mut dirty_tail = search_tail(disk, &segs, &beyond, &read, &mut synced)?;
    let last = end_of(&segs, &read, &synced, &mut dirty_tail)?;
    let mut after: Vec<u64> = segs[last.0 + 1..].iter().map(|(h, _)| h.seq).collect();
    after.extend(beyond);
    after.extend(stale);
    let before = segs[..last.0].iter().map(|(h, _)| (h.seq, h.end())).collect();
    let (header, file) = segs.swap_remove(last.0);
    Ok(Some(Found { header, file, end: last.1, dirty_tail, beyond: after, before, synced: synced.upto }))
}

/// Hands out the records that end at or before `upto`, from the oldest segment on that the log's chain still has: what nobody has promised to keep. An error where one of them cannot be read;
/// nothing is changed.
pub(crate) fn before(disk: &dyn Disk, upto: Lsn, each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>) -> Result<()> {
    let mut seqs: Vec<u64> = disk.list()?.iter().filter_map(|n| segment::parse(n)).collect();
    seqs.sort_unstable_by(|a, b| b.cmp(a));
    let mut segs: Vec<Seg> = Vec::new();
    for seq in seqs {
        let name = segment::name(seq);
        let file = disk.open(&name, false)?;
        let b = read_segment(&*file, HEADER_SIZE)?;
        let header = Header::decode(&b, &name).ok().flatten().filter(|h| h.seq == seq && h.size > HEADER_SIZE);
        let precedes = |h: &Header| segs.last().is_none_or(|(l, _)| l.seq == seq + 1 && l.base == h.end());
        match header {
            // Behind it.
            Some(h) if h.base >= upto && segs.is_empty() => {}
            Some(h) if precedes(&h) => segs.push((h, file)),
            None if segs.is_empty() => {}
            _ => break,
        }
    }
    segs.reverse();
    let mut synced = Synced { upto: 0, witness: String::new() };
    // It may begin in the middle of a record, however long that is.
    replay(&segs, upto, 0, &mut synced, &mut |lsn, r| if lsn <= upto { each(lsn, r) } else { Ok(()) })?;
    Ok(())
}

/// A segment that can be read.
type Seg = (Header, Arc<dyn File>);

/// Up to which position the log is known to have been synced, and who says so.
struct Synced {
    upto: Lsn,
    witness: String,
}
impl Synced {
    /// The segment `seq` says that all up to `upto` was synced.
    fn said(&mut self, upto: Lsn, seq: u64) {
        if upto > self.upto {
            (self.upto, self.witness) = (upto, segment::name(seq));
        }
    }
    /// As `said`, by a MARK's payload.
    fn marked(&mut self, payload: &[u8], seq: u64) {
        if let Ok(m) = payload.try_into() {
            self.said(u64::from_le_bytes(m), seq);
        }
    }
    /// `what` happened though the log was synced beyond.
    fn contradicted(&self, seq: u64, offset: u64, what: &str) -> Error {
        let Synced { upto, witness } = self;
        corrupt(
            seq,
            offset,
            &format!("{what}, though the log was synced up to position {upto} (according to {witness})."),
        )
    }
}

/// The segments of a directory.
struct Chain {
    /// From the one that holds `keep` on, as far as each follows the one before
    segs: Vec<Seg>,
    /// Those behind the first that does not
    beyond: Vec<u64>,
    /// Those below: of no use any more, in whatever state they are
    stale: Vec<u64>,
    synced: Synced,
}

/// Reads all headers and finds the segments that make up the log.
fn chain(disk: &dyn Disk, keep: Lsn, from: Lsn) -> Result<Chain> {
    let mut seqs: Vec<u64> = disk.list()?.iter().filter_map(|n| segment::parse(n)).collect();
    seqs.sort_unstable();
    // None: not intact, or of another segment (it was being put to use in a crash, or is a spare whose renaming was lost).
    let mut headers = Vec::new();
    for &seq in &seqs {
        let name = segment::name(seq);
        let b = read_segment(&*disk.open(&name, false)?, HEADER_SIZE)?;
        headers.push(Header::decode(&b, &name)?.filter(|h| h.seq == seq && h.size > HEADER_SIZE));
    }
    let start = headers.iter().rposition(|h| h.is_some_and(|h| h.base <= keep)).unwrap_or(0);
    let stale: Vec<u64> = seqs.drain(..start).collect();
    headers.drain(..start);
    let mut segs: Vec<Seg> = Vec::new();
    let mut beyond = Vec::new();
    for (i, &seq) in seqs.iter().enumerate() {
        let follows = |h: &Header| segs.last().is_none_or(|(l, _)| l.seq + 1 == seq && h.base == l.end());
        match headers[i] {
            Some(h) if follows(&h) => segs.push((h, disk.open(&segment::name(seq), false)?)),
            _ if i == 0 && from > 0 => return Err(corrupt(seq, 0, "The segment's header is damaged.")),
            _ => {
                beyond = seqs[i..].to_vec();
                break;
            }
        }
    }
    let upto = segs.iter().map(|(h, _)| h.synced).max().unwrap_or(0).max(from);
    let mut synced = Synced { upto, witness: String::from("the checkpoint") };
    // Later headers still testify to what was synced.
    for h in headers[segs.len()..].iter().flatten() {
        synced.said(h.synced, h.seq);
    }
    Ok(Chain { segs, beyond, stale, synced })
}

/// How far the records of a log could be read.
struct Replayed {
    /// Segment and position of the first fragment of a record whose end did not come
    partial: Option<(usize, Lsn)>,
    /// Where a fragment is not intact
    stop: Option<(usize, Lsn)>,
    /// Behind the last intact fragment
    last: (usize, Lsn),
}

/// Hands every whole record beyond `from` to `each`, in order, up to the first fragment that is not intact.
fn replay(
    segs: &[Seg],
    keep: Lsn,
    from: Lsn,
    synced: &mut Synced,
    each: &mut dyn FnMut(Lsn, &[u8]) -> Result<()>,
) -> Result<Replayed> {
    let mut partial: Option<(usize, Lsn, Vec<u8>)> = None;
    let mut last = (0, segs.first().map_or(0, |(h, _)| h.base));
    for (i, (h, file)) in segs.iter().enumerate() {
        let b = read_segment(&**file, h.size)?;
        let mut pos = h.base;
        while h.end() - pos >= record::MIN_ROOM {
            let at = h.offset(pos) as usize;
            let Some((kind, payload)) = record::decode(b.get(at..).unwrap_or_default(), pos, h.seq) else {
                return Ok(Replayed { partial: partial.map(|p| (p.0, p.1)), stop: Some((i, pos)), last });
            };
            let next = pos + record::footprint(payload.len());
            let damaged = match (kind, &mut partial) {
                (FULL, None) => {
                    if next > from {
                        each(next, payload)?;
                    }
                    false
                }
                (FIRST, None) => {
                    partial = Some((i, pos, payload.to_vec()));
                    false
                }
                (MIDDLE, Some(p)) => {
                    p.2.extend_from_slice(payload);
                    false
                }
                (LAST, Some(p)) => {
                    p.2.extend_from_slice(payload);
                    let record = std::mem::take(&mut p.2);
                    partial = None;
                    if next > from {
                        each(next, &record)?;
                    }
                    false
                }
                // The log may begin in the middle of a record that `keep` is beyond.
                (MIDDLE | LAST, None) => pos >= keep,
                (MARK, _) => {
                    synced.marked(payload, h.seq);
                    false
                }
                _ => true,
            };
            if damaged {
                return Err(corrupt(h.seq, at as u64, "A record's fragments are out of order."));
            }
            pos = next;
            last = (i, pos);
        }
        last = (i, h.end());
    }
    Ok(Replayed { partial: partial.map(|p| (p.0, p.1)), stop: None, last })
}

/// Does anything behind the first bad fragment say that it was synced? True: intact fragments lie behind it in its own segment.
fn search_tail(disk: &dyn Disk, segs: &[Seg], beyond: &[u64], read: &Replayed, synced: &mut Synced) -> Result<bool> {
    let mut dirty = false;
    if let Some((i, pos)) = read.stop {
        for (k, (h, file)) in segs.iter().enumerate().skip(i) {
            let start = if k == i { h.offset(pos) } else { HEADER_SIZE };
            let intact = testify(&read_segment(&**file, h.size)?, start, h.base, h.seq, synced);
            dirty |= intact && k == i;
        }
    }
    // A next segment whose header is damaged may still hold batches.
    if let (Some(&seq), Some((h, _))) = (beyond.first(), segs.last())
        && seq == h.seq + 1
    {
        let file = disk.open(&segment::name(seq), false)?;
        testify(&read_segment(&*file, file.len()?)?, HEADER_SIZE, h.end(), seq, synced);
        if read.stop.is_none() && h.end() < synced.upto {
            return Err(synced.contradicted(seq, 0, "The segment's header is damaged"));
        }
    }
    Ok(dirty)
}
/// Looks for intact fragments in a segment's bytes from `from` on and hears their marks. True: there is one.
fn testify(b: &[u8], from: u64, base: Lsn, seq: u64, synced: &mut Synced) -> bool {
    let mut intact = false;
    let mut at = from as usize;
    while at + record::HEADER <= b.len() {
        if b[at + 8] != 0
            && let Some((kind, payload)) = record::decode(&b[at..], base + (at as u64 - HEADER_SIZE), seq)
        {
            intact = true;
            if kind == MARK {
                synced.marked(payload, seq);
            }
        }
        at += 8;
    }
    intact
}

/// Where the log ends: its torn tail is cut, unless what is torn had been synced.
fn end_of(segs: &[Seg], read: &Replayed, synced: &Synced, dirty_tail: &mut bool) -> Result<(usize, Lsn)> {
    let mut last = read.last;
    if let Some((i, pos)) = read.stop {
        if pos < synced.upto {
            let h = segs[i].0;
            return Err(synced.contradicted(h.seq, h.offset(pos), "The record there is damaged"));
        }
        last = (i, pos);
    }
    // An unfinished record goes as well.
    if let Some((i, pos)) = read.partial {
        if pos < synced.upto {
            let h = segs[last.0].0;
            let what = format!("A record that starts at position {pos} ends in the middle");
            return Err(synced.contradicted(h.seq, h.offset(last.1), &what));
        }
        *dirty_tail |= last != (i, pos);
        last = (i, pos);
    }
    if last.1 < synced.upto {
        let h = segs[last.0].0;
        return Err(synced.contradicted(h.seq, h.offset(last.1.min(h.end())), "The log ends there"));
    }
    Ok(last)
}
