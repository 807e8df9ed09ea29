//! xml: what its text may be, and the tree that paths are asked of.
//!
//! ```text
//!   text --- decl::read ---> declaration | rest --- parse::Parser ---> complaints, and a tree::Tree where one is wanted
//!                                                        '--- dtd: entities of the internal subset
//!   value = the text as it was written; written out without a declaration that says nothing
//! ```
//! A value is its text ([`crate::Datum::Text`]): it is looked at when it comes in, and taken apart again by who asks for its parts. What a broken text
//! is told is what PostgreSQL's library for XML (libxml2 2.9) tells, with the line and the place in it, and as there an error does not always end the reading: [`parse`]
//! goes on in that library's manner, which no crate for XML does, since they stop at the first one and in words of their own. So the reader is ours.
//!
//! Invariants: no file and no network is ever asked; elements nest [`parse::MAX_DEPTH`] deep and entities [`parse::MAX_ENTITIES`]; what entities grow to is
//! charged as work and is bounded. Names and text are UTF-8, whatever a declaration says.
//!
//! Limits: of a DTD the internal subset's general entities count; attributes' defaults and external subsets do not.
pub mod decl;
mod dtd;
pub mod parse;
#[cfg(test)]
mod tests;
pub mod tree;
mod uri;

use crate::{Error, Result, encoding};
use pamir_error::error::state;
pub use parse::{Parsed, Strictness, Want};
pub use tree::{Kind, Node, NodeId, Tree};

/// Is a text to be a whole document, or what may stand in one?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Document,
    Content,
}

/// The input function: `s` as it is, if it is well-formed. 2200M and 2200N otherwise, with the reader's complaints as the detail.
pub fn check(s: &str, part: Part) -> Result<()> {
    let (at, whole) = match part {
        Part::Document => (0, true),
        Part::Content => {
            let d = decl::read(s).map_err(|why| {
                Error::new(state::INVALID_XML_CONTENT, "invalid XML content: invalid XML declaration")
                    .detail(why.text())
            })?;
            (d.len, decl::has_doctype(&s[d.len..]))
        }
    };
    if !whole && at == s.len() {
        return Ok(());
    }
    let want = if whole { Want::Document } else { Want::Content };
    let parsed = parse::parse(&s[at..], want, Strictness::WellFormed)?;
    if parsed.complaints.is_empty() {
        return Ok(());
    }
    let (code, says) = match part {
        Part::Document => (state::INVALID_XML_DOCUMENT, "invalid XML document"),
        Part::Content => (state::INVALID_XML_CONTENT, "invalid XML content"),
    };
    Err(Error::new(code, says).detail(parsed.complaints))
}

/// Is the text well-formed? Other errors than its own (the statement is to end) are errors.
pub fn is_well_formed(s: &str, part: Part) -> Result<bool> {
    match check(s, part) {
        Ok(()) => Ok(true),
        Err(e) if matches!(e.code(), state::INVALID_XML_CONTENT | state::INVALID_XML_DOCUMENT) => Ok(false),
        Err(e) => Err(e),
    }
}

/// The output function: the text, without a declaration that says nothing that is not so anyway.
pub fn format(s: &str, out: &mut Vec<u8>) {
    let Ok(d) = decl::read(s) else { return out.extend_from_slice(s.as_bytes()) };
    let mut rest = &s[d.len..];
    let mut shown = String::new();
    if !decl::write(&mut shown, d.version.as_deref(), d.standalone) {
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.extend_from_slice(shown.as_bytes());
    out.extend_from_slice(rest.as_bytes());
}

/// The binary input: as [`check`]ed content, in the encoding that its declaration names.
pub fn decode(b: &[u8]) -> Result<std::sync::Arc<str>> {
    let head = String::from_utf8_lossy(&b[..b.len().min(200)]);
    let declared = decl::read(&head).ok().and_then(|d| d.encoding).and_then(|n| encoding::Encoding::by_name(&n));
    let s = match declared {
        Some(e) if e != encoding::UTF8 => {
            let mut out = String::new();
            e.decode(b, &mut out)?;
            out
        }
        _ => encoding::utf8_text(b)?.into_owned(),
    };
    check(&s, Part::Content)?;
    pamir_error::long::shared(&s)
}

/// Appends `s` as content: `<`, `>`, `&` and the carriage return as references.
pub fn escape(s: &str, out: &mut String) {
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#x0d;"),
            c => out.push(c),
        }
    }
}

/// May a name begin with it (the standard's fifth edition, with the colon)?
pub fn is_name_start(c: char) -> bool {
    matches!(c, ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}
/// May it stand in a name?
pub fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
/// May it stand in a text at all?
pub fn is_char(c: char) -> bool {
    c >= ' ' && c != '\u{fffe}' && c != '\u{ffff}' || matches!(c, '\t' | '\n' | '\r')
}
/// White space of the standard.
pub fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}
