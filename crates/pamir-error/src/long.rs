//! Copies of long values, in pieces with breaths between.
//!
//! A copy of a hundred megabytes takes tens of milliseconds, most of them for the pages that it touches first. Whoever makes one of a value whose length a user decides makes it here, so that others of the
//! thread have their turn meanwhile and a cancel is heard ([`work`](crate::work)). Memory is asked for by the caller.
//!
//! The one place of this crate that writes to memory which is not initialized.
use crate::{Error, Result, work};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// What is copied between two charges.
pub const PIECE: usize = 64 << 10;
/// Bytes that are copied in a nanosecond, first touched as they are.
const BYTES: usize = 2;

/// Charges a copy of so many bytes.
#[inline]
pub fn charge_copy(bytes: usize) -> Result<()> {
    work::charge(bytes / BYTES)
}

/// `s.to_string()`
pub fn string(s: &str) -> Result<String> {
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while rest.len() > PIECE {
        let (piece, tail) = rest.split_at(rest.floor_char_boundary(PIECE));
        out.push_str(piece);
        charge_copy(piece.len())?;
        rest = tail;
    }
    out.push_str(rest);
    Ok(out)
}

/// Appends bytes that should be UTF-8 without zeros. `Err(at)`: from there on they are not.
pub fn append_utf8(out: &mut String, b: &[u8]) -> Result<std::result::Result<(), usize>> {
    out.reserve(b.len());
    let mut at = 0;
    while at < b.len() {
        let piece = b.get(at..at + PIECE).unwrap_or(&b[at..]);
        let valid = match std::str::from_utf8(piece) {
            Ok(s) => s,
            // Cut within a character, unless nothing follows.
            Err(e) if e.valid_up_to() > 0 && (e.error_len().is_some() || at + piece.len() < b.len()) => {
                std::str::from_utf8(&piece[..e.valid_up_to()]).unwrap_or_default()
            }
            Err(e) => return Ok(Err(at + e.valid_up_to())),
        };
        if let Some(zero) = CStr::from_bytes_until_nul(valid.as_bytes()).ok().map(CStr::count_bytes) {
            return Ok(Err(at + zero));
        }
        out.push_str(valid);
        at += valid.len();
        // Looked at, and copied.
        work::charge(valid.len())?;
    }
    Ok(Ok(()))
}

/// `out.extend_from_slice(b)`
pub fn append(out: &mut Vec<u8>, b: &[u8]) -> Result<()> {
    if b.len() > PIECE {
        // Once, as the pieces would make it grow more often.
        out.reserve(b.len());
        for piece in b.chunks(PIECE) {
            out.extend_from_slice(piece);
            charge_copy(piece.len())?;
        }
        return Ok(());
    }
    out.extend_from_slice(b);
    Ok(())
}

/// `Arc::from(b)`
pub fn shared_bytes(b: &[u8]) -> Result<Arc<[u8]>> {
    let mut error = None;
    let made = made_bytes(b, &mut |e| {
        error = Some(e);
        false
    });
    error.map_or(Ok(made), Err)
}
/// `Arc::from(s)`
pub fn shared(s: &str) -> Result<Arc<str>> {
    shared_bytes(s.as_bytes()).map(|b| as_str(b, s))
}
/// As [`shared`], for code that knows no errors: who is to end hears it with the next charge.
pub fn shared_at_last(s: &str) -> Arc<str> {
    as_str(bytes_at_last(s.as_bytes()), s)
}
/// As [`shared_at_last`].
pub fn bytes_at_last(b: &[u8]) -> Arc<[u8]> {
    made_bytes(b, &mut |_| true)
}

/// A copy of `b`; `goes_on` is asked what an error of a breath means. If it does not, something shorter.
fn made_bytes(b: &[u8], goes_on: &mut dyn FnMut(Error) -> bool) -> Arc<[u8]> {
    if b.len() <= PIECE {
        return Arc::from(b);
    }
    let mut made: Arc<[MaybeUninit<u8>]> = Arc::new_uninit_slice(b.len());
    // Nobody else has it yet.
    let Some(to) = Arc::get_mut(&mut made) else { return Arc::from(b) };
    for (to, from) in to.chunks_mut(PIECE).zip(b.chunks(PIECE)) {
        to.write_copy_of_slice(from);
        if let Err(e) = charge_copy(from.len())
            && !goes_on(e)
        {
            return Arc::default();
        }
    }
    // SAFETY: both slices have the same length and were gone through in pieces of the same length: every byte has been written.
    unsafe { made.assume_init() }
}
/// `b`, the bytes of `s`.
fn as_str(b: Arc<[u8]>, s: &str) -> Arc<str> {
    if b.len() != s.len() {
        return Arc::default();
    }
    let b = Arc::into_raw(b);
    // SAFETY: the bytes are a copy of those of a `str`, which is laid out as a slice of bytes is, and the pointer comes from `into_raw` of an `Arc` that is given up with it.
    unsafe { Arc::from_raw(b as *const str) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn copies_are_equal() {
        for n in [0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE + 3] {
            // Characters of two and three bytes across the pieces' ends.
            let s: String = "aäb€".chars().cycle().take(n).collect();
            assert!(string(&s).unwrap() == s && *shared(&s).unwrap() == *s);
            assert!(*shared_bytes(s.as_bytes()).unwrap() == *s.as_bytes() && *shared_at_last(&s) == *s);
            let mut again = String::new();
            assert_eq!(append_utf8(&mut again, s.as_bytes()).unwrap(), Ok(()));
            assert!(again == s);
            for wrong in [&b"\xff"[..], b"\xe2\x82", b"\xe2\x82a", b"\0a"] {
                let bad = [s.as_bytes(), wrong].concat();
                assert_eq!(append_utf8(&mut again, &bad).unwrap(), Err(s.len()));
            }
            let mut v = b"x".to_vec();
            append(&mut v, s.as_bytes()).unwrap();
            assert!(v[0] == b'x' && v[1..] == *s.as_bytes());
        }
    }
    #[test]
    fn copies_are_interrupted() {
        std::thread::spawn(|| {
            thread_local!(static BREATHS: Cell<u32> = const { Cell::new(0) });
            work::set_listener(|| {
                BREATHS.set(BREATHS.get() + 1);
                if BREATHS.get().is_multiple_of(4) { Err(Error::internal("enough")) } else { Ok(()) }
            });
            let s = "x".repeat(100 * PIECE);
            assert!(string(&s).is_err() && shared(&s).is_err() && append(&mut Vec::new(), s.as_bytes()).is_err());
            assert_eq!(BREATHS.get(), 12);
            assert!(*shared_at_last(&s) == *s && BREATHS.get() > 12 + 4);
        })
        .join()
        .unwrap();
    }
}
