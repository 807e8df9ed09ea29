//! A page as 1024 words: how every byte is read and written, and the header all kinds share.
//!
//! In the pool a page is `[AtomicU64; 1024]`. Readers load words relaxed and validate the page's version afterwards (see
//! [`super::pool`]); a torn read is therefore possible inside every function here, and each must stay in bounds and terminate whatever
//! the words say: offsets wrap at the page's end, lengths are clamped. Whether the result means anything is decided by the
//! validation that follows.
//!
//! ```text
//! byte 0        4         6      7       8         16         24                32                40           48
//!      | crc u32| ver u16 | kind | level | pid u64 | tree u64 | w3: kind's own  | w4: kind's own  | w5: link   | body
//! leaf, inner   w3 = count u16, heap u16, garbage u16, prefix_len u16     w4 = prefix_off u16, skip u16, 0 u32    w5 = first child (inner)
//! overflow      w3 = index u32, bytes u32                                 w4 = chain id                           w5 = next page
//! map           w3 = index of the map page                                w4 = generation                         w5 = 0
//! blob          w3 = bytes                                                w4 = generation                         w5 = next slot
//! ```
//! The crc is CRC-32 over bytes 4..8192. All integers are little-endian.
use super::mem::{PAGE_SIZE, PageBuf, WORDS};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The page format this code writes and reads.
pub(crate) const PAGE_VERSION: u16 = 1;
pub(crate) const HEADER: usize = 48;

pub(crate) const KIND_FREE: u8 = 0;
pub(crate) const KIND_LEAF: u8 = 1;
pub(crate) const KIND_INNER: u8 = 2;
pub(crate) const KIND_OVERFLOW: u8 = 3;
pub(crate) const KIND_MAP: u8 = 4;
pub(crate) const KIND_BLOB: u8 = 5;

/// Read access to a page's words; the index wraps.
pub(crate) trait Words {
    fn word(&self, i: usize) -> u64;
}
pub(crate) type Frame = [AtomicU64; WORDS];
impl Words for Frame {
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        self[i & (WORDS - 1)].load(Relaxed)
    }
}
impl Words for PageBuf {
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        self.0[i & (WORDS - 1)]
    }
}

/// Eight bytes at any offset.
#[inline(always)]
pub(crate) fn u64_at<W: Words + ?Sized>(p: &W, off: usize) -> u64 {
    let (i, s) = (off >> 3, (off & 7) * 8);
    let a = p.word(i);
    if s == 0 { a } else { (a >> s) | (p.word(i + 1) << (64 - s)) }
}
/// `N` bytes at `off`.
#[inline]
pub(crate) fn bytes_at<const N: usize, W: Words + ?Sized>(p: &W, off: usize) -> [u8; N] {
    let mut out = [0; N];
    for (i, eight) in out.chunks_mut(8).enumerate() {
        eight.copy_from_slice(&u64_at(p, off + 8 * i).to_le_bytes()[..eight.len()]);
    }
    out
}
#[inline(always)]
pub(crate) fn u16_at<W: Words + ?Sized>(p: &W, off: usize) -> u16 {
    if off & 7 == 7 { u64_at(p, off) as u16 } else { (p.word(off >> 3) >> ((off & 7) * 8)) as u16 }
}
/// Appends `len` bytes from `off`, clamped to the page.
#[inline]
pub(crate) fn copy_out<W: Words + ?Sized>(p: &W, off: usize, len: usize, out: &mut Vec<u8>) {
    let len = len.min(PAGE_SIZE.saturating_sub(off));
    let start = out.len();
    out.resize(start + len.next_multiple_of(8), 0);
    let mut at = off;
    for c in out[start..].chunks_exact_mut(8) {
        c.copy_from_slice(&u64_at(p, at).to_le_bytes());
        at += 8;
    }
    out.truncate(start + len);
}
/// The first bytes of `b` as a big-endian number, zero-padded.
#[inline(always)]
pub(crate) fn be_head(b: &[u8]) -> u32 {
    if let Some(h) = b.first_chunk::<4>() {
        return u32::from_be_bytes(*h);
    }
    let mut h = [0u8; 4];
    h[..b.len()].copy_from_slice(b);
    u32::from_be_bytes(h)
}
/// The head of the `len` bytes at `off`, as [`be_head`].
#[inline(always)]
pub(crate) fn head_at<W: Words + ?Sized>(p: &W, off: usize, len: usize) -> u32 {
    let w = (u64_at(p, off) as u32).swap_bytes();
    match len {
        0 => 0,
        1..=3 => w & (!0u32 << (32 - 8 * len as u32)),
        _ => w,
    }
}
/// Compares the `len` bytes at `off` with `key`.
#[inline]
pub(crate) fn cmp_at<W: Words + ?Sized>(p: &W, off: usize, len: usize, key: &[u8]) -> Ordering {
    let n = len.min(key.len());
    let mut at = off;
    let mut chunks = key[..n].chunks_exact(8);
    for c in &mut chunks {
        let a = u64_at(p, at).swap_bytes();
        let b = u64::from_be_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
        if a != b {
            return a.cmp(&b);
        }
        at += 8;
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mask = !0u64 << (64 - 8 * rest.len());
        let a = u64_at(p, at).swap_bytes() & mask;
        let mut b = [0u8; 8];
        b[..rest.len()].copy_from_slice(rest);
        let b = u64::from_be_bytes(b);
        if a != b {
            return a.cmp(&b);
        }
    }
    len.cmp(&key.len())
}
/// Bytes at `off` that equal the start of `key`, at most `len`.
pub(crate) fn common_at<W: Words + ?Sized>(p: &W, off: usize, len: usize, key: &[u8]) -> usize {
    (0..len.min(key.len())).find(|&i| u64_at(p, off + i) as u8 != key[i]).unwrap_or(len.min(key.len()))
}

/// Overwrites bytes of a locked page.
pub(crate) fn write_bytes(p: &Frame, off: usize, b: &[u8]) {
    assert!(off + b.len() <= PAGE_SIZE);
    let mut at = off;
    let mut rest = b;
    while !rest.is_empty() {
        let (i, s) = (at >> 3, at & 7);
        let n = (8 - s).min(rest.len());
        let mut w = [0u8; 8];
        if n < 8 {
            w = p[i].load(Relaxed).to_le_bytes();
        }
        w[s..s + n].copy_from_slice(&rest[..n]);
        p[i].store(u64::from_le_bytes(w), Relaxed);
        at += n;
        rest = &rest[n..];
    }
}
#[inline(always)]
pub(crate) fn set_word(p: &Frame, i: usize, v: u64) {
    p[i & (WORDS - 1)].store(v, Relaxed);
}
pub(crate) fn store_page(p: &Frame, from: &PageBuf) {
    for (d, s) in p.iter().zip(&from.0) {
        d.store(*s, Relaxed);
    }
}
pub(crate) fn load_page(p: &Frame, to: &mut PageBuf) {
    for (d, s) in to.0.iter_mut().zip(p) {
        *d = s.load(Relaxed);
    }
}

/// Word 0 without the checksum.
#[inline(always)]
pub(crate) fn word0(kind: u8, level: u8) -> u64 {
    (PAGE_VERSION as u64) << 32 | (kind as u64) << 48 | (level as u64) << 56
}
#[inline(always)]
pub(crate) fn kind_of<W: Words + ?Sized>(p: &W) -> u8 {
    (p.word(0) >> 48) as u8
}
#[inline(always)]
pub(crate) fn level_of<W: Words + ?Sized>(p: &W) -> u8 {
    (p.word(0) >> 56) as u8
}
/// Stamps the checksum; the last thing before a page goes to disk.
pub(crate) fn seal(p: &mut PageBuf) {
    let crc = crc32fast::hash(&p.bytes()[4..]);
    p.0[0] = (p.0[0] & !0xffff_ffff) | crc as u64;
}
/// What is wrong with an image read from disk, if anything.
pub(crate) fn verify(p: &PageBuf, pid: u64, tree: u64) -> Option<String> {
    let crc = crc32fast::hash(&p.bytes()[4..]);
    if p.0[0] as u32 != crc {
        return Some(format!("checksum is {:08x}, expected {:08x}", crc, p.0[0] as u32));
    }
    let version = (p.0[0] >> 32) as u16;
    if version != PAGE_VERSION {
        return Some(format!("page format version is {version}, expected {PAGE_VERSION}"));
    }
    if p.0[1] != pid || p.0[2] != tree {
        return Some(format!("the image is of page {} of tree {}", p.0[1], p.0[2]));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn unaligned_words() {
        let mut p = PageBuf::boxed();
        for (i, b) in p.bytes_mut().iter_mut().enumerate() {
            *b = (i * 7 + i / 256) as u8;
        }
        let bytes = p.bytes().to_vec();
        for off in (0..200).chain(PAGE_SIZE - 40..PAGE_SIZE) {
            for len in [0usize, 1, 3, 7, 8, 9, 17, 40] {
                let len = len.min(PAGE_SIZE - off);
                let mut out = vec![9u8];
                copy_out(&*p, off, len, &mut out);
                assert_eq!(out[1..], bytes[off..off + len]);
                assert_eq!(cmp_at(&*p, off, len, &bytes[off..off + len]), Ordering::Equal);
                assert_eq!(head_at(&*p, off, len), be_head(&bytes[off..off + len]));
                let mut other = bytes[off..off + len].to_vec();
                other.push(0);
                assert_eq!(cmp_at(&*p, off, len, &other), Ordering::Less);
                if len > 0 {
                    for i in [0, len / 2, len - 1] {
                        let mut other = bytes[off..off + len].to_vec();
                        other[i] = other[i].wrapping_add(1);
                        assert_eq!(cmp_at(&*p, off, len, &other), bytes[off..off + len].cmp(&other[..]));
                        assert_eq!(common_at(&*p, off, len, &other), i);
                    }
                }
            }
        }
        let f: Frame = std::array::from_fn(|i| AtomicU64::new(p.0[i]));
        write_bytes(&f, 13, b"hello, unaligned world");
        let mut out = Vec::new();
        copy_out(&f, 12, 24, &mut out);
        assert_eq!(out[1..23], *b"hello, unaligned world");
        assert_eq!((out[0], out[23]), (bytes[12], bytes[35]));
    }
}
