//! `tid`: where a row is (system column `ctid`).
//!
//! Rows here live in a tree by their key, so a row's place is its key's bytes: they stay when the row changes, unless the key itself does. PostgreSQL's pair
//! of block and offset is the form of keys that the server numbers (tables without a primary key); every other key shows its bytes.
//! ```text
//! key                                 text                     binary
//! 8 bytes, the first two zero         (block,offset)           u32 block, u16 offset     the other six bytes: block is the upper four
//! anything else                       (\\x68657861..)           u32 2^32 - 1, u16 2^16 - 1, the key's bytes
//! ```
//! Both forms read back to the same bytes. No key is empty. Order and equality are those of the bytes, which for numbered rows is PostgreSQL's.
use crate::{Result, err};

/// Bytes of block and offset.
const PLACE: usize = 6;
/// What stands before a key that is not a number: PostgreSQL's invalid block and an offset that no page has.
const KEY_MARK: [u8; PLACE] = [0xff; PLACE];
/// The longest key that is read, in bytes; rows' own are a few kilobytes at most.
const MAX_KEY: usize = 1 << 15;

fn number(key: &[u8]) -> Option<[u8; PLACE]> {
    match key {
        [0, 0, rest @ ..] => rest.try_into().ok(),
        _ => None,
    }
}
fn numbered(place: [u8; PLACE]) -> Vec<u8> {
    [&[0, 0], &place[..]].concat()
}

/// Reads either text form. Errors: 22P02.
pub fn parse(s: &str) -> Result<Vec<u8>> {
    let bad = || err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type tid: \"{s}\"");
    let inner = s
        .trim_matches(|c: char| c.is_ascii() && crate::number_text::is_space(c as u8))
        .strip_prefix('(')
        .and_then(|r| r.strip_suffix(')'))
        .ok_or_else(bad)?;
    if inner.starts_with("\\x") {
        let fits = (4..=2 + 2 * MAX_KEY).contains(&inner.len());
        return fits.then(|| crate::bytea::parse(inner).ok()).flatten().ok_or_else(bad);
    }
    let (block, offset) = inner.split_once(',').ok_or_else(bad)?;
    // As strtoul reads: blanks and a sign before the digits, a negative block counted from the end.
    let block: i64 = block.trim_start().parse().map_err(|_| bad())?;
    let offset: u16 = offset.trim_start().parse().map_err(|_| bad())?;
    let block = u32::try_from(block).or_else(|_| i32::try_from(block).map(|b| b as u32)).map_err(|_| bad())?;
    let mut place = [0; PLACE];
    place[..4].copy_from_slice(&block.to_be_bytes());
    place[4..].copy_from_slice(&offset.to_be_bytes());
    Ok(numbered(place))
}
pub fn format(key: &[u8], out: &mut Vec<u8>) {
    out.push(b'(');
    match number(key) {
        Some([a, b, c, d, e, f]) => {
            let place = format!("{},{}", u32::from_be_bytes([a, b, c, d]), u16::from_be_bytes([e, f]));
            out.extend_from_slice(place.as_bytes());
        }
        None => crate::bytea::format_hex(key, out),
    }
    out.push(b')');
}
/// Reads the binary form. Errors: 22P03.
pub fn decode(b: &[u8]) -> Result<Vec<u8>> {
    match b.split_first_chunk::<PLACE>() {
        Some((place, [])) => Ok(numbered(*place)),
        Some((&KEY_MARK, key)) if key.len() <= MAX_KEY => Ok(key.to_vec()),
        _ => Err(err!(INVALID_BINARY_REPRESENTATION, "invalid length in external \"tid\" value")),
    }
}
pub fn encode(key: &[u8], out: &mut Vec<u8>) {
    match number(key) {
        Some(place) => out.extend_from_slice(&place),
        None => {
            out.extend_from_slice(&KEY_MARK);
            out.extend_from_slice(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places() {
        for (text, key) in [
            ("(0,1)", vec![0, 0, 0, 0, 0, 0, 0, 1]),
            ("(4294967295,65535)", vec![0, 0, 255, 255, 255, 255, 255, 255]),
            ("(7,3)", vec![0, 0, 0, 0, 0, 7, 0, 3]),
            ("(\\x80000001)", vec![128, 0, 0, 1]),
        ] {
            assert_eq!(parse(text).unwrap(), key);
            let mut out = Vec::new();
            format(&key, &mut out);
            assert_eq!(out, text.as_bytes());
        }
        assert_eq!(parse("(-1,0)").unwrap(), [0, 0, 255, 255, 255, 255, 0, 0]);
        for bad in ["", "0,1", "(0)", "(0,65536)", "(4294967296,1)", "(\\x1)", "(0,-1)", "(x,1)", "(\\x)"] {
            assert_eq!(parse(bad).unwrap_err().code(), crate::error::state::INVALID_TEXT_REPRESENTATION, "{bad}");
        }
    }
    proptest! {
        #[test]
        fn both_forms_read_back(key in proptest::collection::vec(prop_oneof![Just(0u8), Just(255), any::<u8>()], 1..20)) {
            let (mut text, mut binary) = (Vec::new(), Vec::new());
            format(&key, &mut text);
            encode(&key, &mut binary);
            prop_assert_eq!(&parse(std::str::from_utf8(&text).unwrap()).unwrap(), &key);
            prop_assert_eq!(&decode(&binary).unwrap(), &key);
        }
    }
}
