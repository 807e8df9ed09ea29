//! Encodings of text: what is inside is UTF-8.
use crate::long::{self, PIECE};
use crate::{Error, Result, err, memory};
use std::borrow::Cow;

/// 22021 with PostgreSQL's wording: the bytes of the first character that is not UTF-8.
pub fn utf8(b: &[u8]) -> Result<&str> {
    std::str::from_utf8(b).map_err(|e| invalid_utf8(b.get(e.valid_up_to()..).unwrap_or_default()))
}
/// 22021: `b` begins with what is no character.
fn invalid_utf8(b: &[u8]) -> Error {
    // PostgreSQL shows as many bytes as the first one announces.
    let announced = match b.first() {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        _ => 1,
    };
    let bad: Vec<String> = b.iter().take(announced).map(|c| format!("0x{c:02x}")).collect();
    err!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\": {}", bad.join(" "))
}

/// [`utf8`] of a value, in which no byte is zero either; long ones in pieces.
pub fn utf8_text(b: &[u8]) -> Result<Cow<'_, str>> {
    if b.len() > PIECE {
        let mut s = String::new();
        append_utf8(&mut s, b)?;
        return Ok(s.into());
    }
    let s = utf8(b)?;
    if b.contains(&0) { Err(invalid_utf8(&[0])) } else { Ok(s.into()) }
}

/// Appends a value's text to `out`, in pieces.
pub fn append_utf8(out: &mut String, b: &[u8]) -> Result<()> {
    memory::admit_growth(out.capacity(), out.len() + b.len())?;
    long::append_utf8(out, b)?.map_err(|at| invalid_utf8(b.get(at..).unwrap_or_default()))
}
