//! Types whose values are a few octets in order: pg_lsn, xid8, macaddr, macaddr8.
//!
//! In memory they are [`crate::Datum::Bytea`] of their width, most significant octet first; so order, equality, hash, keys and rows are those of bytes, as a
//! [`crate::tid`]'s are, and only the text form tells them apart.
//!
//! | type | octets | text |
//! |---|---|---|
//! | pg_lsn, xid8 | 8 | `16/B374D848`, `42` |
//! | macaddr, macaddr8 | 6, 8 | `08:00:2b:01:02:03` |
use crate::number_text::{invalid_syntax, is_space};
use crate::oid::{self, Oid};
use crate::{Error, Result, bail, err};
use std::io::Write;

/// How many octets a value of the type has; None for other types.
#[inline]
pub fn width(ty: Oid) -> Option<usize> {
    match ty {
        oid::PG_LSN | oid::XID8 | oid::MACADDR8 => Some(8),
        oid::MACADDR => Some(6),
        _ => None,
    }
}
pub fn parse(s: &str, ty: Oid) -> Result<Vec<u8>> {
    match ty {
        oid::PG_LSN => parse_lsn(s).map(|v| v.to_be_bytes().to_vec()).ok_or_else(|| invalid_syntax("pg_lsn", s)),
        oid::XID8 => Ok(parse_xid8(s).to_be_bytes().to_vec()),
        oid::MACADDR => parse_mac(s),
        oid::MACADDR8 => parse_mac8(s),
        _ => Err(Error::internal("no type of octets")),
    }
}
pub fn format(v: &[u8], ty: Oid, out: &mut Vec<u8>) {
    match ty {
        oid::PG_LSN => {
            let v = number(v);
            let _ = write!(out, "{:X}/{:X}", v >> 32, v as u32);
        }
        oid::XID8 => {
            let _ = write!(out, "{}", number(v));
        }
        _ => {
            for (i, b) in v.iter().enumerate() {
                let colon = if i > 0 { ":" } else { "" };
                let _ = write!(out, "{colon}{b:02x}");
            }
        }
    }
}
/// pg_lsn's or xid8's octets as the number that they are.
pub fn number(v: &[u8]) -> u64 {
    v.iter().fold(0, |n, b| n << 8 | u64::from(*b))
}
fn parse_lsn(s: &str) -> Option<u64> {
    let part = |p: &str| {
        let fits = (1..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_hexdigit());
        fits.then(|| u64::from_str_radix(p, 16).ok()).flatten()
    };
    let (high, low) = s.split_once('/')?;
    Some(part(high)? << 32 | part(low)?)
}
/// The same of 32 bits: xid and cid.
pub fn parse_xid(s: &str) -> u32 {
    let v = parse_xid8(s);
    // strtoul has 64 bits, of which the lower are taken.
    v as u32
}
/// As strtoull with base 0 reads it, which PostgreSQL takes at its word: no digits are 0, what follows them is nobody's, too large is the largest.
fn parse_xid8(s: &str) -> u64 {
    let s = s.trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
    let (negative, s) = match s.as_bytes().first() {
        Some(b'-') => (true, &s[1..]),
        Some(b'+') => (false, &s[1..]),
        _ => (false, s),
    };
    let hex = s.len() > 2 && s.as_bytes()[..2].eq_ignore_ascii_case(b"0x") && s.as_bytes()[2].is_ascii_hexdigit();
    let (radix, digits) = match (hex, s.starts_with('0')) {
        (true, _) => (16, &s[2..]),
        (_, true) => (8, s),
        _ => (10, s),
    };
    let mut v = 0u64;
    for d in digits.chars().map_while(|c| c.to_digit(radix)) {
        match v.checked_mul(u64::from(radix)).and_then(|v| v.checked_add(u64::from(d))) {
            Some(n) => v = n,
            None => return u64::MAX,
        }
    }
    if negative { v.wrapping_neg() } else { v }
}

/// What a form of macaddr is: octets of at most so many digits, and what stands behind each.
const MAC_FORMS: [(usize, [&str; 5]); 7] = [
    (usize::MAX, [":", ":", ":", ":", ":"]),
    (usize::MAX, ["-", "-", "-", "-", "-"]),
    (2, ["", "", ":", "", ""]),
    (2, ["", "", "-", "", ""]),
    (2, ["", ".", "", ".", ""]),
    (2, ["", "-", "", "-", ""]),
    (2, ["", "", "", "", ""]),
];
/// macaddr_in, whose forms are scanf's: blanks before each octet, a sign or 0x too.
fn parse_mac(s: &str) -> Result<Vec<u8>> {
    let Some(octets) = MAC_FORMS.iter().find_map(|(digits, marks)| mac_form(s, *digits, marks)) else {
        return Err(invalid_syntax("macaddr", s));
    };
    octets
        .iter()
        .map(|v| match u8::try_from(*v) {
            Ok(v) => Ok(v),
            Err(_) => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "invalid octet value in \"macaddr\" value: \"{s}\""),
        })
        .collect()
}
fn mac_form(s: &str, digits: usize, marks: &[&str; 5]) -> Option<[i64; 6]> {
    let mut rest = s;
    let mut out = [0; 6];
    for (i, o) in out.iter_mut().enumerate() {
        rest = rest.trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
        let signed = rest.starts_with(['-', '+']);
        let room = digits.saturating_sub(usize::from(signed)).min(15);
        let figures = &rest[usize::from(signed)..];
        let n = figures.bytes().take(room).take_while(u8::is_ascii_hexdigit).count();
        *o = i64::from_str_radix(&figures[..n], 16).ok()? * if rest.starts_with('-') { -1 } else { 1 };
        let n = n + usize::from(signed);
        rest = &rest[n..];
        if let Some(mark) = marks.get(i) {
            rest = rest.strip_prefix(mark)?;
        }
    }
    rest.bytes().all(is_space).then_some(out)
}
/// macaddr8_in: pairs of digits, of which one kind of mark stands between; six octets get ff:fe in their middle.
fn parse_mac8(s: &str) -> Result<Vec<u8>> {
    let bad = || invalid_syntax("macaddr8", s);
    let b = s.as_bytes();
    let mut at = b.iter().take_while(|c| is_space(**c)).count();
    let digit = |at: usize| b.get(at).and_then(|c| (*c as char).to_digit(16));
    let mut mark = None;
    let mut out: Vec<u8> = Vec::with_capacity(8);
    while out.len() < 8 {
        let (Some(high), Some(low)) = (digit(at), digit(at + 1)) else { return Err(bad()) };
        out.push((high << 4 | low) as u8);
        at += 2;
        match b.get(at) {
            Some(c @ (b':' | b'-' | b'.')) => {
                if mark.is_some_and(|m| m != *c) {
                    return Err(bad());
                }
                mark = Some(*c);
                at += 1;
            }
            Some(c) if is_space(*c) => break,
            None => break,
            _ => {}
        }
        if (out.len() == 6 || out.len() == 8) && b.get(at).is_some_and(|c| is_space(*c)) {
            break;
        }
    }
    if b[at.min(b.len())..].iter().any(|c| !is_space(*c)) {
        return Err(bad());
    }
    match out.len() {
        8 => Ok(out),
        6 => Ok([&out[..3], &[0xff, 0xfe], &out[3..]].concat()),
        _ => Err(bad()),
    }
}
/// The address of 48 bits that one of 64 bits was made of (22003 if of none).
pub fn mac_of_mac8(v: &[u8]) -> Result<Vec<u8>> {
    match v {
        [a, b, c, 0xff, 0xfe, d, e, f] => Ok(vec![*a, *b, *c, *d, *e, *f]),
        _ => Err(err!(NUMERIC_VALUE_OUT_OF_RANGE, "macaddr8 data out of range to convert to macaddr").hint(
            "Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.",
        )),
    }
}
