//! The store's part of [`crate::fuzzing`]: pages and superblocks damaged behind right checksums.
use super::btree::node::{Flat, Node, Value, build};
use super::mem::{PAGE_SIZE, PageBuf, WORDS};
use super::page::*;
use super::superblock::{DATA_FILE, SUPER_FILE, reseal};
use crate::fuzz_script::Script;
use std::sync::atomic::AtomicU64;

/// Everything that reads a page, over the script's bytes, as a reader meets them in the pool before it validates.
pub(crate) fn fuzz_page(data: &[u8]) {
    let mut s = Script(data);
    let key = {
        let n = s.byte() as usize;
        s.take(n)
    };
    let mut p = PageBuf::boxed();
    // The header as given, the rest of the bytes wherever they are told to be.
    let head = s.take(HEADER);
    p.bytes_mut()[..head.len()].copy_from_slice(head);
    while !s.is_empty() {
        let at = s.u16() as usize % PAGE_SIZE;
        let n = (s.byte() as usize).min(PAGE_SIZE - at);
        let part = s.take(n);
        p.bytes_mut()[at..at + part.len()].copy_from_slice(part);
    }
    let _ = verify(&p, p.0[1], p.0[2]);
    let frame: Box<Frame> = (0..WORDS).map(|i| AtomicU64::new(p.0[i])).collect::<Vec<_>>().try_into().expect("WORDS");
    let (a, b) = (read(Node(&*p), key), read(Node(&*frame), key));
    assert_eq!(a, b, "a page reads alike from both kinds of memory");
    let mut flat = Flat::default();
    flat.read(&p);
    assert_eq!(flat.len(), Node(&*p).count());
    // What was read can be laid out anew if it is in order and fits.
    let ordered = (1..flat.len()).all(|i| flat.key(i - 1) < flat.key(i));
    let level = Node(&*p).level();
    let sized = (0..flat.len()).all(|i| flat.payload(i).len() >= if level == 0 { 2 } else { 8 });
    let mut q = PageBuf::boxed();
    if ordered && sized && build(&mut q, level, 1, 2, &[], &flat, 0..flat.len(), flat.first) {
        let n = Node(&*q);
        assert_eq!(n.count(), flat.len());
        for i in 0..flat.len() {
            assert_eq!(n.search(flat.key(i)), (i, true));
        }
    }
}
fn read<W: Words + ?Sized>(n: Node<'_, W>, key: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (at, found) = n.search(key);
    out.extend_from_slice(&[n.level(), found as u8]);
    for x in [at, n.count(), n.heap(), n.garbage(), n.free(), n.used(), n.skip(), n.child_for(key)] {
        out.extend_from_slice(&(x as u64).to_le_bytes());
    }
    for i in 0..n.count() {
        n.key_into(i, &mut out);
        out.extend_from_slice(&n.child(i).to_le_bytes());
        out.extend_from_slice(&(n.entry_len(i) as u64).to_le_bytes());
        if let Value::Inline { off, len } = n.value(i) {
            copy_out(n.0, off, len, &mut out);
        }
    }
    out
}

/// One change of a store's files, with checksums put right after it (or not).
pub(crate) fn fuzz_damage(s: &mut Script<'_>, files: &mut [(String, Vec<u8>)]) {
    let kind = s.byte();
    let file = if kind & 1 == 0 { DATA_FILE } else { SUPER_FILE };
    let Some((_, bytes)) = files.iter_mut().find(|f| f.0 == file) else { return };
    let unit = if file == DATA_FILE { PAGE_SIZE } else { 4096 };
    if bytes.len() < unit {
        return;
    }
    let start = s.byte() as usize % (bytes.len() / unit) * unit;
    for _ in 0..s.byte() % 8 {
        // Words of the header more often than the rest.
        let at = if s.byte() & 3 > 0 { s.byte() as usize % 96 } else { s.u16() as usize % unit };
        let value = s.number().to_le_bytes();
        let n = [1, 2, 4, 8][s.byte() as usize & 3];
        let end = (start + at + n).min(start + unit);
        let n = end - start - at;
        bytes[start + at..end].copy_from_slice(&value[..n]);
    }
    if kind & 2 == 0 {
        let block = &mut bytes[start..start + unit];
        if file == DATA_FILE {
            let crc = crc32fast::hash(&block[4..]);
            block[..4].copy_from_slice(&crc.to_le_bytes());
        } else {
            reseal(block);
        }
    }
    if kind & 0xfc == 0xfc {
        let n = s.u16() as usize % bytes.len();
        bytes.truncate(n);
    }
}
