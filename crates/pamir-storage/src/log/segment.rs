//! Segment files: `log.<seq in 16 hex digits>`, preallocated and zeroed; `log.spare.<n>` are waiting to be used (again).
//!
//! ```text
//! byte 0      8         12        16            24         32        40       48 .. 4096
//!      | magic | crc u32 | version | segment size | seq u64  | base u64 | synced u64 | 0     | fragments ...
//! ```
//! crc over bytes 12..48. *base* is the position of the segment's first fragment; *synced* the position known synced when the segment was put to use.
//! Positions count the bytes after the headers of all segments, endlessly. `seq` rises by one a segment and is never used again: it is the generation.
use super::Lsn;
use crate::disk::{BLOCK, Disk, File};
use pamir_error::{Result, err};
use std::sync::Arc;

/// File names of the log start so.
pub const SEGMENT_PREFIX: &str = "log.";
const SPARE: &str = "log.spare.";
pub(crate) const HEADER_SIZE: u64 = 4096;
const MAGIC: [u8; 8] = *b"PAMIRLOG";
/// No header is believed beyond these, so that sums of positions stay in range.
const MAX_SEGMENT: u64 = 1 << 40;
const MAX_LSN: Lsn = 1 << 62;
/// The format of segments and fragments.
pub const LOG_VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub size: u64,
    pub seq: u64,
    pub base: Lsn,
    pub synced: Lsn,
}
impl Header {
    pub fn encode(&self) -> [u8; 48] {
        let mut b = [0u8; 48];
        b[..8].copy_from_slice(&MAGIC);
        b[12..16].copy_from_slice(&LOG_VERSION.to_le_bytes());
        for (i, f) in [self.size, self.seq, self.base, self.synced].iter().enumerate() {
            b[16 + 8 * i..24 + 8 * i].copy_from_slice(&f.to_le_bytes());
        }
        let crc = crc32fast::hash(&b[12..]);
        b[8..12].copy_from_slice(&crc.to_le_bytes());
        b
    }
    /// None: no intact header (a crash while the segment was put to use). An error: another format version.
    pub fn decode(b: &[u8], name: &str) -> Result<Option<Header>> {
        let Some(b) = b.get(..48) else { return Ok(None) };
        let u32_at = |i: usize| u32::from_le_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]]);
        let u64_at = |i: usize| u32_at(i) as u64 | (u32_at(i + 4) as u64) << 32;
        if b[..8] != MAGIC || u32_at(8) != crc32fast::hash(&b[12..]) {
            return Ok(None);
        }
        if u32_at(12) != LOG_VERSION {
            return Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "log file \"{name}\" has format version {}, which this server does not know",
                u32_at(12)
            )
            .detail(format!("This server reads and writes log format version {LOG_VERSION}."))
            .hint("Start the server version that wrote it."));
        }
        let h = Header { size: u64_at(16), seq: u64_at(24), base: u64_at(32), synced: u64_at(40) };
        Ok((h.size <= MAX_SEGMENT && h.base <= MAX_LSN).then_some(h))
    }
    /// Position after the segment's last byte.
    pub fn end(&self) -> Lsn {
        self.base + (self.size - HEADER_SIZE)
    }
    /// Offset in the file of a position.
    pub fn offset(&self, pos: Lsn) -> u64 {
        HEADER_SIZE + (pos - self.base)
    }
}
pub(crate) struct Segment {
    pub header: Header,
    pub file: Arc<dyn File>,
}
pub(crate) fn name(seq: u64) -> String {
    format!("{SEGMENT_PREFIX}{seq:016x}")
}
pub(crate) fn spare_name(n: u64) -> String {
    format!("{SPARE}{n}")
}
/// Sequence number of a segment's file name.
pub(crate) fn parse(name: &str) -> Option<u64> {
    let hex = name.strip_prefix(SEGMENT_PREFIX)?;
    (hex.len() == 16).then(|| u64::from_str_radix(hex, 16).ok()).flatten()
}
pub(crate) fn is_spare(name: &str) -> bool {
    name.starts_with(SPARE)
}
/// Creates a spare whose every block is allocated and zero. Without room for it nothing is left behind.
pub(crate) fn make_spare(disk: &dyn Disk, name: &str, size: u64) -> Result<()> {
    let made = disk.open_direct(name, true).and_then(|f| f.allocate(size));
    if made.is_err() {
        // the first error is the one to tell
        let _ = disk.remove(name);
    }
    made
}
/// Puts a spare to use: header, then name. Durable only after the file and the directory are synced.
pub(crate) fn put_to_use(disk: &dyn Disk, spare: &str, header: Header) -> Result<Segment> {
    let file = disk.open_direct(spare, false)?;
    let mut block = [0; BLOCK as usize];
    let encoded = header.encode();
    block[..encoded.len()].copy_from_slice(&encoded);
    file.write_at(&block, 0)?;
    disk.rename(spare, &name(header.seq))?;
    Ok(Segment { header, file })
}
