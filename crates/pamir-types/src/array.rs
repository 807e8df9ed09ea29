//! Multi-dimensional arrays with lower bounds, PostgreSQL's array_in / array_out (arrayfuncs.c).
//!
//! An array is a box: `dims` gives each dimension's length and lower bound, `items` its values in row-major order, so
//! the product of the lengths is the number of items. The empty array has no dimensions at all. Items are of one type,
//! `elem`; a NULL item is [`Datum::Null`].
//!
//! Limits: [`MAX_DIM`] dimensions, [`MAX_ITEMS`] items.
use crate::number_text::{is_space, trim};
use crate::{Datum, Error, Oid, Result, bail, err};

/// `dims` is (length, lower bound) per dimension, empty for '{}'. `items` are in row-major order.
#[derive(Clone, Debug)]
pub struct Array {
    pub elem: Oid,
    pub dims: Vec<(i32, i32)>,
    pub items: Vec<Datum>,
}

/// PostgreSQL's MAXDIM.
pub const MAX_DIM: usize = 6;
/// PostgreSQL's MaxArraySize (MaxAllocSize / sizeof(Datum)).
pub const MAX_ITEMS: usize = 0x3fff_ffff / 8;

/// Multiplies a dimension into the item count (54000 beyond [`MAX_ITEMS`]).
pub(crate) fn checked_count(count: usize, len: i32) -> Result<usize> {
    match usize::try_from(len).ok().and_then(|l| count.checked_mul(l)) {
        Some(n) if n <= MAX_ITEMS => Ok(n),
        _ => bail!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_ITEMS})"),
    }
}
/// The last subscript must be an integer.
pub(crate) fn check_bounds(len: i32, lower: i32) -> Result<()> {
    if len < 0 {
        bail!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_ITEMS})");
    }
    if lower.checked_add(len).is_none() {
        bail!(PROGRAM_LIMIT_EXCEEDED, "array lower bound is too large: {lower}");
    }
    Ok(())
}

#[cold]
fn malformed(s: &str, detail: impl Into<String>) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "malformed array literal: \"{s}\"").detail(detail)
}

/// Where the scan of a literal stands (ArrayCount's states).
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NoLevel,
    LevelStarted,
    ElemStarted,
    QuotedStarted,
    QuotedCompleted,
    LevelCompleted,
    LevelDelimited,
    ElemDelimited,
}

/// An array literal's items as they are written (None: NULL), the lengths of its levels, what follows its last brace.
struct Texts<'a> {
    texts: Vec<Option<String>>,
    lengths: Vec<Option<i32>>,
    rest: &'a str,
}
impl<'a> Texts<'a> {
    /// `s`: the whole literal, for errors.
    fn read(s: &str, body: &'a str, delimiter: char) -> Result<Texts<'a>> {
        let mut texts: Vec<Option<String>> = Vec::new();
        // Items at each open level, and the length settled by the first closed brace of the level.
        let mut open: Vec<i32> = Vec::new();
        let mut lengths: Vec<Option<i32>> = Vec::new();
        let mut state = State::NoLevel;
        let mut text = String::new();
        // Bytes of `text` that trailing blanks must leave alone, and whether any were escaped or quoted.
        let mut keep = 0;
        let mut literal = false;
        let mut chars = body.char_indices();
        use State::*;
        loop {
            let Some((at, c)) = chars.next() else { return Err(malformed(s, "Unexpected end of input.")) };
            let quoted = state == QuotedStarted;
            match c {
                '\\' => {
                    if !matches!(state, LevelStarted | ElemStarted | QuotedStarted | ElemDelimited) {
                        return Err(malformed(s, "Unexpected \"\\\" character."));
                    }
                    if !quoted {
                        state = ElemStarted;
                    }
                    let Some((_, c)) = chars.next() else { return Err(malformed(s, "Unexpected end of input.")) };
                    text.push(c);
                    keep = text.len();
                    literal = true;
                }
                '"' => {
                    if !matches!(state, LevelStarted | QuotedStarted | ElemDelimited) {
                        return Err(malformed(s, "Unexpected array element."));
                    }
                    state = if quoted { QuotedCompleted } else { QuotedStarted };
                    keep = text.len();
                    literal = true;
                }
                c if quoted => text.push(c),
                '{' => {
                    if !matches!(state, NoLevel | LevelStarted | LevelDelimited) {
                        return Err(malformed(s, "Unexpected \"{\" character."));
                    }
                    if open.len() == MAX_DIM {
                        bail!(
                            PROGRAM_LIMIT_EXCEEDED,
                            "number of array dimensions ({}) exceeds the maximum allowed ({MAX_DIM})",
                            open.len() + 1
                        );
                    }
                    state = LevelStarted;
                    open.push(0);
                    if lengths.len() < open.len() {
                        lengths.push(None);
                    }
                }
                c if c == '}' || c == delimiter => {
                    let empty = c == '}' && state == LevelStarted && open.len() == 1;
                    if !empty && !matches!(state, ElemStarted | QuotedCompleted | LevelCompleted) {
                        return Err(malformed(s, format!("Unexpected \"{c}\" character.")));
                    }
                    if matches!(state, ElemStarted | QuotedCompleted) {
                        if open.len() != lengths.len() {
                            return Err(malformed(
                                s,
                                "Multidimensional arrays must have sub-arrays with matching dimensions.",
                            ));
                        }
                        texts.push(item_text(&mut text, keep, literal));
                        (keep, literal) = (0, false);
                    }
                    if !empty && let Some(n) = open.last_mut() {
                        *n += 1;
                    }
                    if c == delimiter {
                        state = if state == LevelCompleted { LevelDelimited } else { ElemDelimited };
                        continue;
                    }
                    state = LevelCompleted;
                    let n = open.pop().unwrap_or(0);
                    match &mut lengths[open.len()] {
                        Some(len) if *len != n => {
                            return Err(malformed(
                                s,
                                "Multidimensional arrays must have sub-arrays with matching dimensions.",
                            ));
                        }
                        len => *len = Some(n),
                    }
                    if open.is_empty() {
                        return Ok(Texts { texts, lengths, rest: &body[at + 1..] });
                    }
                }
                c if c.is_ascii() && is_space(c as u8) => {
                    if state == ElemStarted {
                        text.push(c);
                    }
                }
                c => {
                    if !matches!(state, LevelStarted | ElemStarted | ElemDelimited) {
                        return Err(malformed(s, "Unexpected array element."));
                    }
                    state = ElemStarted;
                    text.push(c);
                }
            }
        }
    }
}
/// What is read of one item; its text is taken away.
fn item_text(text: &mut String, keep: usize, literal: bool) -> Option<String> {
    let end = keep.max(text.trim_end_matches(|c: char| c.is_ascii() && is_space(c as u8)).len());
    text.truncate(end);
    if !literal && text.eq_ignore_ascii_case("null") {
        text.clear();
        return None;
    }
    Some(std::mem::take(text))
}

/// What stands between items (pg_type.typdelim): boxes have commas of their own.
fn delimiter(elem: Oid) -> char {
    if elem == crate::oid::BOX { ';' } else { ',' }
}

impl Array {
    pub fn from_vec(elem: Oid, items: Vec<Datum>) -> Array {
        Array { elem, dims: if items.is_empty() { vec![] } else { vec![(items.len() as i32, 1)] }, items }
    }

    /// `item` reads one element's text.
    pub fn parse(s: &str, elem: Oid, item: &mut dyn FnMut(&str) -> Result<Datum>) -> Result<Array> {
        let (bounds, body) = parse_bounds(s)?;
        // The structure is checked as a whole before any item is read: its errors come first.
        let Texts { texts, lengths, rest } = Texts::read(s, body, delimiter(elem))?;
        if !trim(rest).is_empty() {
            return Err(malformed(s, "Junk after closing right brace."));
        }
        let lengths: Vec<i32> =
            if texts.is_empty() { vec![] } else { lengths.into_iter().map(|n| n.unwrap_or(0)).collect() };
        let dims = match bounds {
            None => lengths.iter().map(|n| (*n, 1)).collect(),
            Some(dims) => {
                if dims.len() != lengths.len() || dims.iter().zip(&lengths).any(|(d, n)| d.0 != *n) {
                    return Err(malformed(s, "Specified array dimensions do not match array contents."));
                }
                dims
            }
        };
        let items = texts.iter().map(|t| t.as_deref().map_or(Ok(Datum::Null), &mut *item)).collect::<Result<_>>()?;
        Ok(Array { elem, dims, items })
    }

    /// `item` writes one element's text; quoting is done here.
    pub fn format(&self, item: &mut dyn FnMut(&Datum, &mut Vec<u8>), out: &mut Vec<u8>) {
        if self.items.is_empty() {
            out.extend_from_slice(b"{}");
            return;
        }
        if self.dims.iter().any(|d| d.1 != 1) {
            for (len, lower) in &self.dims {
                out.push(b'[');
                crate::number_text::format_int(*lower as i64, out);
                out.push(b':');
                crate::number_text::format_int(*lower as i64 + *len as i64 - 1, out);
                out.push(b']');
            }
            out.push(b'=');
        }
        let mut text = Vec::new();
        for (i, d) in self.items.iter().enumerate() {
            if i > 0 {
                out.push(delimiter(self.elem) as u8);
            }
            let braces = self.edges(i);
            out.resize(out.len() + braces, b'{');
            match d {
                Datum::Null => out.extend_from_slice(b"NULL"),
                d => {
                    text.clear();
                    item(d, &mut text);
                    quote(&text, delimiter(self.elem) as u8, out);
                }
            }
            let braces = self.edges(i + 1);
            out.resize(out.len() + braces, b'}');
        }
    }

    /// How many dimensions begin (or end) at row-major position `i`.
    fn edges(&self, i: usize) -> usize {
        let mut span = 1;
        self.dims
            .iter()
            .rev()
            .take_while(|d| {
                span *= d.0.max(1) as usize;
                i.is_multiple_of(span)
            })
            .count()
    }
}

fn quote(text: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    let special = |b: &u8| matches!(b, b'"' | b'\\' | b'{' | b'}') || *b == delimiter || is_space(*b);
    if !text.is_empty() && !text.eq_ignore_ascii_case(b"null") && !text.iter().any(special) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for b in text {
        if matches!(b, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*b);
    }
    out.push(b'"');
}

/// Reads `[l:u][l:u]=` and returns the (length, lower bound) pairs and the rest.
#[allow(clippy::type_complexity)]
fn parse_bounds(s: &str) -> Result<(Option<Vec<(i32, i32)>>, &str)> {
    let space = |c: char| c.is_ascii() && is_space(c as u8);
    let mut rest = s.trim_start_matches(space);
    let mut dims = Vec::new();
    while let Some(inner) = rest.strip_prefix('[') {
        if dims.len() == MAX_DIM {
            bail!(
                PROGRAM_LIMIT_EXCEEDED,
                "number of array dimensions ({}) exceeds the maximum allowed ({MAX_DIM})",
                dims.len() + 1
            );
        }
        let number = |s: &str| -> Result<(i32, usize)> {
            let sign = usize::from(s.starts_with(['-', '+']));
            let len = sign + s[sign..].bytes().take_while(|b| b.is_ascii_digit()).count();
            if len == sign {
                return Ok((0, 0));
            }
            match s[..len].parse::<i32>() {
                Ok(v) => Ok((v, len)),
                Err(_) => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "array bound is out of integer range"),
            }
        };
        let (first, len) = number(inner)?;
        if len == 0 {
            return Err(malformed(s, "\"[\" must introduce explicitly-specified array dimensions."));
        }
        let mut inner = &inner[len..];
        let (lower, upper) = match inner.strip_prefix(':') {
            Some(after) => {
                let (upper, len) = number(after)?;
                if len == 0 {
                    return Err(malformed(s, "Missing array dimension value."));
                }
                inner = &after[len..];
                (first, upper)
            }
            None => (1, first),
        };
        rest = inner.strip_prefix(']').ok_or_else(|| malformed(s, "Missing \"]\" after array dimensions."))?;
        if upper < lower {
            bail!(ARRAY_SUBSCRIPT_ERROR, "upper bound cannot be less than lower bound");
        }
        let len = i32::try_from(upper as i64 - lower as i64 + 1)
            .map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_ITEMS})"))?;
        check_bounds(len, lower)?;
        dims.push((len, lower));
        rest = rest.trim_start_matches(space);
    }
    if dims.is_empty() {
        if !rest.starts_with('{') {
            return Err(malformed(s, "Array value must start with \"{\" or dimension information."));
        }
        return Ok((None, rest));
    }
    let rest = rest.strip_prefix('=').ok_or_else(|| malformed(s, "Missing \"=\" after array dimensions."))?;
    let rest = rest.trim_start_matches(space);
    if !rest.starts_with('{') {
        return Err(malformed(s, "Array contents must start with \"{\"."));
    }
    Ok((Some(dims), rest))
}
