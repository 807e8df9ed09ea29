//! LIKE and ILIKE (like_match.c): `%` any run, `_` one character, `\` (or ESCAPE's character) takes the next literally.
//!
//! Matching is greedy with one backtrack point, the last `%` seen: a later `%` makes earlier ones irrelevant, so time is bounded by
//! pattern times text and nothing is allocated. Letters fold as the C collation does: ASCII only.
use super::registry::funcs;
use super::*;
use pamir_types::{bail, err};
use std::sync::Arc;

/// Length of the UTF-8 character that starts with `b`.
fn width(b: u8) -> usize {
    match b {
        0..=0xbf => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    }
}

/// `bytewise`: `_` takes one byte (bytea) instead of one character.
pub fn like(s: &[u8], p: &[u8], fold: bool, bytewise: bool) -> Result<bool> {
    let same = |a: u8, b: u8| a == b || (fold && a.eq_ignore_ascii_case(&b));
    let step = |b: u8| if bytewise { 1 } else { width(b) };
    let (mut i, mut j) = (0, 0);
    // Where to resume: pattern position after the last %, and the text position it was tried at.
    let mut back: Option<(usize, usize)> = None;
    loop {
        let matched = match (p.get(j).copied(), s.get(i).copied()) {
            (Some(b'%'), _) => {
                j += 1;
                if j == p.len() {
                    return Ok(true);
                }
                back = Some((j, i));
                continue;
            }
            (None, None) => return Ok(true),
            // The escape only matters while there is text to compare.
            (Some(b'\\'), c @ Some(_)) => match p.get(j + 1) {
                None => bail!(INVALID_ESCAPE_SEQUENCE, "LIKE pattern must not end with escape character"),
                Some(&e) if c.is_some_and(|c| same(c, e)) => {
                    (i, j) = (i + 1, j + 2);
                    true
                }
                Some(_) => false,
            },
            (Some(b'_'), Some(c)) => {
                (i, j) = (i + step(c), j + 1);
                true
            }
            (Some(a), Some(c)) if same(a, c) => {
                (i, j) = (i + 1, j + 1);
                true
            }
            _ => false,
        };
        if !matched {
            match back {
                Some((pj, pi)) if pi < s.len() => {
                    let next = pi + step(s[pi]);
                    back = Some((pj, next));
                    (i, j) = (next, pj);
                }
                _ => return Ok(false),
            }
        }
    }
}

/// LIKE's pattern with another escape character, rewritten to `\` (like_escape).
fn like_escape(pat: &str, esc: &str) -> Result<String> {
    let mut out = String::with_capacity(pat.len());
    let mut it = esc.chars();
    let Some(e) = it.next() else {
        // No escape character: every backslash is literal.
        return Ok(pat.replace('\\', "\\\\"));
    };
    if it.next().is_some() {
        return Err(err!(INVALID_ESCAPE_SEQUENCE, "invalid escape string")
            .hint("Escape string must be empty or one character."));
    }
    if e == '\\' {
        return Ok(pat.to_string());
    }
    let mut after = false;
    for c in pat.chars() {
        if c == e && !after {
            out.push('\\');
            after = true;
        } else if c == '\\' {
            out.push('\\');
            if !after {
                out.push('\\');
            }
            after = false;
        } else {
            out.push(c);
            after = false;
        }
    }
    Ok(out)
}

/// SQL's SIMILAR TO pattern as a regular expression (similar_escape_internal), anchored; `"`-separators of SUBSTRING ... SIMILAR make groups.
pub fn similar_escape(pat: &str, esc: Option<&str>) -> Result<String> {
    let esc = match esc {
        None => Some('\\'),
        Some("") => None,
        Some(e) => {
            let mut it = e.chars();
            let c = it.next();
            if it.next().is_some() {
                return Err(err!(INVALID_ESCAPE_SEQUENCE, "invalid escape string")
                    .hint("Escape string must be empty or one character."));
            }
            c
        }
    };
    let mut out = String::from("^(?:");
    let (mut after, mut bracket, mut quotes) = (false, false, 0);
    for c in pat.chars() {
        if after {
            if c == '"' && !bracket {
                match quotes {
                    0 => out.push_str("){1,1}?("),
                    1 => out.push_str("){1,1}(?:"),
                    _ => bail!(
                        INVALID_ESCAPE_SEQUENCE,
                        "SQL regular expression may not contain more than two escape-double-quote separators"
                    ),
                }
                quotes += 1;
            } else {
                out.push('\\');
                out.push(c);
            }
            after = false;
        } else if Some(c) == esc {
            after = true;
        } else if bracket {
            if c == '\\' {
                out.push('\\');
            }
            out.push(c);
            bracket = c != ']';
        } else {
            match c {
                '[' => {
                    out.push(c);
                    bracket = true;
                }
                '%' => out.push_str(".*"),
                '_' => out.push('.'),
                '(' => out.push_str("(?:"),
                '\\' | '.' | '^' | '$' => {
                    out.push('\\');
                    out.push(c);
                }
                _ => out.push(c),
            }
        }
    }
    out.push_str(")$");
    Ok(out)
}

funcs! { pub FUNCS {
    textlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(Datum::Bool);
    textnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(|b| Datum::Bool(!b));
    texticlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(Datum::Bool);
    texticnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(|b| Datum::Bool(!b));
    namelike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(Datum::Bool);
    namenlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(|b| Datum::Bool(!b));
    nameiclike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(Datum::Bool);
    nameicnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(|b| Datum::Bool(!b));
    bytealike (s: Bytea, p: Bytea) => like(s, p, false, true).map(Datum::Bool);
    byteanlike (s: Bytea, p: Bytea) => like(s, p, false, true).map(|b| Datum::Bool(!b));
    like_escape (p: Text, e: Text) => like_escape(p, e).map(Datum::from);
    similar_to_escape_1 (p: Text) => similar_escape(p, None).map(Datum::from);
    similar_to_escape_2 (p: Text, e: Text) => similar_escape(p, Some(e)).map(Datum::from);
    similar_escape raw = |_, args, _| match args {
        [Datum::Text(p), Datum::Text(e)] => similar_escape(p, Some(e)).map(Datum::from),
        [Datum::Text(p), Datum::Null] => similar_escape(p, None).map(Datum::from),
        _ => Ok(Datum::Null),
    };
    text_starts_with (s: Text, p: Text) -> s.starts_with(&**p);
    like_escape_bytea (p: Bytea, e: Bytea) => match (std::str::from_utf8(p), std::str::from_utf8(e)) {
        (Ok(p), Ok(e)) => like_escape(p, e).map(|s| Datum::Bytea(Arc::from(s.into_bytes()))),
        _ => Err(pamir_types::Error::unsupported("ESCAPE in a bytea pattern that is not UTF-8")),
    };
} }
