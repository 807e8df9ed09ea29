//! Fragments: how records lie in a segment.
//!
//! ```text
//! byte 0         4         8      9      12          16
//!      | crc u32 | len u32 | type | 0 0 0 | seq u32  | len bytes | zeros up to a multiple of 8
//! type: 1 FULL, 2 FIRST, 3 MIDDLE, 4 LAST (a record in pieces, across segments), 5 MARK
//! ```
//! The crc is CRC-32 over bytes 4.., then the fragment's position (u64) and its segment's sequence number (u64): a fragment left over in a recycled
//! segment, or one that was written elsewhere, is not valid here.
//!
//! A **MARK** opens each batch; its 8 bytes are the position up to which the log was known to be synced when the batch was written.
//! So a bad fragment below any later mark is corruption, and one above all marks may be a torn tail.
use super::Lsn;

pub(crate) const HEADER: usize = 16;
pub(crate) const FULL: u8 = 1;
pub(crate) const FIRST: u8 = 2;
pub(crate) const MIDDLE: u8 = 3;
pub(crate) const LAST: u8 = 4;
pub(crate) const MARK: u8 = 5;
/// Room below which a segment's rest is left unused.
pub(crate) const MIN_ROOM: u64 = HEADER as u64 + 16;

/// Bytes a fragment of `len` payload bytes takes.
pub(crate) fn footprint(len: usize) -> u64 {
    (HEADER + len).next_multiple_of(8) as u64
}
fn crc(body: &[u8], pos: Lsn, seq: u64) -> u32 {
    let mut h = crc32fast::Hasher::new();
    h.update(body);
    h.update(&pos.to_le_bytes());
    h.update(&seq.to_le_bytes());
    h.finalize()
}
/// Appends a fragment that will lie at `pos`.
pub(crate) fn encode(kind: u8, payload: &[u8], pos: Lsn, seq: u64, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    out.extend_from_slice(&[kind, 0, 0, 0]);
    out.extend_from_slice(&(seq as u32).to_le_bytes());
    out.extend_from_slice(payload);
    let crc = crc(&out[start + 4..], pos, seq);
    out[start..start + 4].copy_from_slice(&crc.to_le_bytes());
    out.resize(start + footprint(payload.len()) as usize, 0);
}
/// The fragment at the start of `b`, if it is intact and belongs at `pos` of segment `seq`.
pub(crate) fn decode(b: &[u8], pos: Lsn, seq: u64) -> Option<(u8, &[u8])> {
    let head = b.get(..HEADER)?;
    let u32_at = |i: usize| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]);
    let (len, kind) = (u32_at(4) as usize, head[8]);
    if !(FULL..=MARK).contains(&kind) || u32_at(12) != seq as u32 || len > b.len() - HEADER {
        return None;
    }
    (crc(&b[4..HEADER + len], pos, seq) == u32_at(0)).then(|| (kind, &b[HEADER..HEADER + len]))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn fragments() {
        let mut b = Vec::new();
        encode(FULL, b"hello", 4096, 7, &mut b);
        assert_eq!((b.len(), footprint(5)), (24, 24));
        assert_eq!(decode(&b, 4096, 7), Some((FULL, &b"hello"[..])));
        assert_eq!(decode(&b, 4104, 7), None, "elsewhere");
        assert_eq!(decode(&b, 4096, 8), None, "an older generation");
        for bit in 0..21 * 8 {
            let mut c = b.clone();
            c[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&c, 4096, 7), None, "bit {bit}");
        }
        for cut in 0..21 {
            assert_eq!(decode(&b[..cut], 4096, 7), None);
        }
    }
}
