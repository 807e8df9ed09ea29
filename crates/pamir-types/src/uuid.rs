//! uuid's text form: 32 hex digits, a hyphen allowed after every fourth, braces allowed around (uuid_in).
use crate::{Error, Result, err};

#[cold]
fn invalid(s: &str) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type uuid: \"{s}\"")
}

pub fn parse(s: &str) -> Result<[u8; 16]> {
    let mut b = s.as_bytes();
    let braces = b.first() == Some(&b'{');
    if braces {
        b = &b[1..];
    }
    let mut v = [0u8; 16];
    for (i, byte) in v.iter_mut().enumerate() {
        let digit = |at: usize| b.get(at).and_then(|c| (*c as char).to_digit(16)).ok_or_else(|| invalid(s));
        *byte = (digit(0)? << 4 | digit(1)?) as u8;
        b = &b[2..];
        if b.first() == Some(&b'-') && i % 2 == 1 && i < 15 {
            b = &b[1..];
        }
    }
    let rest: &[u8] = if braces { b"}" } else { b"" };
    if b == rest { Ok(v) } else { Err(invalid(s)) }
}

pub fn format(v: &[u8; 16], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (i, b) in v.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        out.extend_from_slice(&[DIGITS[(b >> 4) as usize], DIGITS[(b & 15) as usize]]);
    }
}
