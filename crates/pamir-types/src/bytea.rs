//! bytea's hex and escape text forms (byteain and byteaout).
use crate::{Result, bail};

fn hex_digit(c: char) -> Option<u8> {
    c.to_digit(16).map(|d| d as u8)
}

pub fn parse(s: &str) -> Result<Vec<u8>> {
    match s.strip_prefix("\\x") {
        Some(hex) => parse_hex(hex),
        None => parse_escape(s.as_bytes()),
    }
}

/// Hex pairs; white space may stand between pairs.
fn parse_hex(s: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len() / 2);
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        if matches!(c, ' ' | '\n' | '\t' | '\r') {
            continue;
        }
        let Some(high) = hex_digit(c) else { bail!(INVALID_PARAMETER_VALUE, "invalid hexadecimal digit: \"{c}\"") };
        let Some(c) = chars.next() else {
            bail!(INVALID_PARAMETER_VALUE, "invalid hexadecimal data: odd number of digits")
        };
        let Some(low) = hex_digit(c) else { bail!(INVALID_PARAMETER_VALUE, "invalid hexadecimal digit: \"{c}\"") };
        out.push(high << 4 | low);
    }
    Ok(out)
}

fn parse_escape(s: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len());
    let mut rest = s;
    loop {
        rest = match rest {
            [] => return Ok(out),
            [b'\\', b'\\', rest @ ..] => {
                out.push(b'\\');
                rest
            }
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', rest @ ..] => {
                out.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest
            }
            [b'\\', ..] => bail!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type bytea"),
            [b, rest @ ..] => {
                out.push(*b);
                rest
            }
        };
    }
}

pub fn format_hex(v: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(2 + 2 * v.len());
    out.extend_from_slice(b"\\x");
    for b in v {
        out.extend_from_slice(&[DIGITS[(b >> 4) as usize], DIGITS[(b & 15) as usize]]);
    }
}

pub fn format_escape(v: &[u8], out: &mut Vec<u8>) {
    out.reserve(v.len());
    for &b in v {
        match b {
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x20..=0x7e => out.push(b),
            _ => out.extend_from_slice(&[b'\\', b'0' + (b >> 6), b'0' + (b >> 3 & 7), b'0' + (b & 7)]),
        }
    }
}
