//! json (text kept as written, checked) and jsonb (parsed, keys sorted by length then bytes, last duplicate wins).
//!
//! One recursive-descent reader serves both: [`validate`] runs it for its errors alone, [`Jsonb::parse`] builds the tree. Messages and details
//! are PostgreSQL's (jsonapi.c); like it, the error's context names the line.
//!
//! A jsonb value in a row is the tree, tag by tag:
//!
//! ```text
//! 0 null | 1 false | 2 true
//! 3 number: length, then its row bytes (numeric/codec.rs)
//! 4 string: length, bytes
//! 5 array: count, values
//! 6 object: count, then (length, key bytes, value) each      lengths and counts: LEB128
//! ```
//!
//! Limits: [`MAX_DEPTH`] levels of nesting (54001 beyond them).
use crate::numeric::Numeric;
use crate::{Error, Result, bail, err, work};
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub enum Jsonb {
    Null,
    Bool(bool),
    Number(Numeric),
    String(Box<str>),
    Array(Vec<Jsonb>),
    Object(Vec<(Box<str>, Jsonb)>),
}

/// Levels of arrays and objects, which a stack of 1 MiB can recurse through. (PostgreSQL stops where its stack does, at some 6000.)
pub const MAX_DEPTH: usize = 500;

impl PartialEq for Jsonb {
    fn eq(&self, o: &Jsonb) -> bool {
        self.cmp(o).is_eq()
    }
}
impl Eq for Jsonb {}
impl std::hash::Hash for Jsonb {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        h.write_u8(self.rank());
        match self {
            Jsonb::Null => {}
            Jsonb::Bool(v) => v.hash(h),
            Jsonb::Number(v) => v.hash(h),
            Jsonb::String(v) => v.hash(h),
            Jsonb::Array(v) => v.hash(h),
            Jsonb::Object(v) => v.hash(h),
        }
    }
}
type Pair = (Box<str>, Jsonb);

/// Bytes of a document, at most: what the lengths in PostgreSQL's format can say (JENTRY_OFFLENMASK).
pub const MAX_SIZE: usize = 0x0fff_ffff;

/// What a document takes, about.
#[derive(Clone, Copy, Default)]
struct Size {
    /// Bytes in PostgreSQL's format.
    stored: usize,
    /// Bytes in memory.
    memory: usize,
    depth: usize,
}
impl Size {
    fn add(&mut self, part: Size) {
        self.stored = self.stored.saturating_add(part.stored);
        self.memory = self.memory.saturating_add(part.memory);
        self.depth = self.depth.max(part.depth);
    }
    fn of(j: &Jsonb) -> Size {
        /// Where a part begins.
        const ENTRY: usize = 4;
        /// A number of few digits, with its own header.
        const NUMBER: usize = 8;
        let leaf = |stored, memory| Size { stored: ENTRY + stored, memory: size_of::<Jsonb>() + memory, depth: 0 };
        let mut all = Size { depth: 1, ..leaf(ENTRY, 0) };
        match j {
            Jsonb::Null | Jsonb::Bool(_) => return leaf(0, 0),
            Jsonb::Number(Numeric::Big(n)) => {
                let bytes = n.0.bits() as usize / 8;
                return leaf(NUMBER + bytes, NUMBER + bytes);
            }
            Jsonb::Number(_) => return leaf(NUMBER, 0),
            Jsonb::String(s) => return leaf(s.len(), s.len()),
            Jsonb::Array(items) => items.iter().for_each(|j| all.inside(Size::of(j))),
            Jsonb::Object(pairs) => {
                for (k, v) in pairs {
                    all.add(leaf(k.len(), k.len()));
                    all.inside(Size::of(v));
                }
            }
        }
        all
    }
    fn inside(&mut self, part: Size) {
        self.add(Size { depth: part.depth + 1, ..part });
    }
}
/// What documents are copied into a new one, and how much they are together: a copy is made of all that a document shares with nobody, so whoever doubles one
/// doubles the memory.
#[derive(Default)]
pub struct Parts(Size);
impl Parts {
    /// A document copied to become a part. 54000 beyond [`MAX_SIZE`], 54001 beyond [`MAX_DEPTH`] below another one, 53200 where there is no memory.
    pub fn copy(&mut self, j: &Jsonb) -> Result<Jsonb> {
        self.count(j)?;
        Ok(j.clone())
    }
    /// The same of one that was made to become a part.
    pub fn counted(&mut self, j: Jsonb) -> Result<Jsonb> {
        self.count(&j)?;
        Ok(j)
    }
    /// Of one that is put below so many levels.
    pub fn count_below(&mut self, j: &Jsonb, levels: usize) -> Result<()> {
        if self.count(j)? + levels >= MAX_DEPTH { Err(too_deep()) } else { Ok(()) }
    }
    /// Bytes in memory.
    pub fn memory(&self) -> usize {
        self.0.memory
    }
    /// Only counts; its levels.
    pub fn count(&mut self, j: &Jsonb) -> Result<usize> {
        if matches!(j, Jsonb::Null | Jsonb::Bool(_) | Jsonb::Number(Numeric::Small(..))) {
            // Whoever has so many of them has charged for their places.
            return Ok(0);
        }
        let part = Size::of(j);
        work::charge(part.memory / 8)?;
        self.0.add(part);
        if self.0.depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        if self.0.stored > MAX_SIZE {
            bail!(PROGRAM_LIMIT_EXCEEDED, "total size of jsonb elements exceeds the maximum of {MAX_SIZE} bytes");
        }
        crate::memory::admit(part.memory)?;
        Ok(part.depth)
    }
}

impl Jsonb {
    /// Bytes that it takes in memory: for whoever makes room for it, or for its text.
    pub fn size(&self) -> usize {
        Size::of(self).memory
    }
    /// About how many bytes it takes, guessed from its first parts, for what work with it may cost: quick for any value, and far too little for one whose
    /// first parts are its least.
    pub fn weight(&self) -> usize {
        fn guess(j: &Jsonb, levels: u32) -> usize {
            /// Elements looked at, on each level.
            const FIRST: usize = 4;
            fn of<'a>(len: usize, parts: impl Iterator<Item = &'a Jsonb>, levels: u32) -> usize {
                let n = len.min(FIRST);
                if n == 0 || levels == 0 {
                    return len * 32;
                }
                let seen: usize = parts.take(n).map(|p| guess(p, levels - 1)).sum();
                len * 32 + seen / n * len
            }
            match j {
                Jsonb::String(s) => s.len(),
                Jsonb::Array(v) => of(v.len(), v.iter(), levels),
                Jsonb::Object(v) => of(v.len(), v.iter().map(|(_, v)| v), levels),
                _ => 8,
            }
        }
        guess(self, 3)
    }
    /// 22P02 "invalid input syntax for type json" with PostgreSQL's detail; nesting limited.
    pub fn parse(s: &str) -> Result<Jsonb> {
        let mut r = Reader { s, at: 0, build: true };
        r.document()
    }
    /// PostgreSQL's jsonb output: `{"a": 1, "b": [1, 2]}`.
    pub fn format(&self, out: &mut Vec<u8>) {
        match self {
            Jsonb::Null => out.extend_from_slice(b"null"),
            Jsonb::Bool(true) => out.extend_from_slice(b"true"),
            Jsonb::Bool(false) => out.extend_from_slice(b"false"),
            Jsonb::Number(n) => n.format(out),
            Jsonb::String(s) => escape(s, out),
            Jsonb::Array(a) => {
                out.push(b'[');
                for (i, v) in a.iter().enumerate() {
                    if i > 0 {
                        out.extend_from_slice(b", ");
                    }
                    v.format(out);
                }
                out.push(b']');
            }
            Jsonb::Object(o) => {
                out.push(b'{');
                for (i, (k, v)) in o.iter().enumerate() {
                    if i > 0 {
                        out.extend_from_slice(b", ");
                    }
                    escape(k, out);
                    out.extend_from_slice(b": ");
                    v.format(out);
                }
                out.push(b'}');
            }
        }
    }
    /// jsonb_cmp: object > array > boolean > number > string > null; containers by size first. At the top an empty array is the
    /// least of all, as it is in PostgreSQL.
    #[allow(clippy::should_implement_trait)] // pinned name; a total order all the same
    pub fn cmp(&self, o: &Jsonb) -> Ordering {
        let empty = |v: &Jsonb| matches!(v, Jsonb::Array(a) if a.is_empty());
        match (empty(self), empty(o)) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.cmp_nested(o),
        }
    }
    fn rank(&self) -> u8 {
        match self {
            Jsonb::Null => 1,
            Jsonb::String(_) => 2,
            Jsonb::Number(_) => 3,
            Jsonb::Bool(_) => 4,
            Jsonb::Array(_) => 5,
            Jsonb::Object(_) => 6,
        }
    }
    fn cmp_nested(&self, o: &Jsonb) -> Ordering {
        match (self, o) {
            (Jsonb::String(a), Jsonb::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Jsonb::Number(a), Jsonb::Number(b)) => Ord::cmp(a, b),
            (Jsonb::Bool(a), Jsonb::Bool(b)) => a.cmp(b),
            (Jsonb::Array(a), Jsonb::Array(b)) => a.len().cmp(&b.len()).then_with(|| {
                a.iter().zip(b).map(|(a, b)| a.cmp_nested(b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            }),
            (Jsonb::Object(a), Jsonb::Object(b)) => a.len().cmp(&b.len()).then_with(|| {
                let pair =
                    |(a, b): (&Pair, &Pair)| a.0.as_bytes().cmp(b.0.as_bytes()).then_with(|| a.1.cmp_nested(&b.1));
                a.iter().zip(b).map(pair).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            }),
            _ => self.rank().cmp(&o.rank()),
        }
    }
    /// The value of `key`, of an object.
    pub fn get(&self, key: &str) -> Option<&Jsonb> {
        match self {
            Jsonb::Object(o) => o.binary_search_by(|(k, _)| key_order(k, key)).ok().map(|i| &o[i].1),
            _ => None,
        }
    }
    /// An object of these pairs: keys sorted, of equal ones the last stays.
    pub fn object(mut pairs: Vec<(Box<str>, Jsonb)>) -> Jsonb {
        pairs.sort_by(|a, b| key_order(&a.0, &b.0));
        pairs.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Jsonb::Object(pairs)
    }

    /// Where `part`, an array or object within this one, would begin in PostgreSQL's binary form, counted from this one's beginning
    /// (jsonb_util.c, convertJsonbValue): jsonpath's `keyvalue()` makes the objects' ids of it.
    pub fn place_of(&self, part: &Jsonb) -> Option<usize> {
        self.lay(part, &mut 0)
    }
    fn lay(&self, part: &Jsonb, at: &mut usize) -> Option<usize> {
        /// Of a container, of each of its entries.
        const WORD: usize = 4;
        let pad = |at: &mut usize| *at = at.next_multiple_of(WORD);
        match self {
            Jsonb::Null | Jsonb::Bool(_) => None,
            Jsonb::String(s) => {
                *at += s.len();
                None
            }
            Jsonb::Number(n) => {
                pad(at);
                *at += n.varlena_size();
                None
            }
            Jsonb::Array(_) | Jsonb::Object(_) if std::ptr::eq(self, part) => Some(at.next_multiple_of(WORD)),
            Jsonb::Array(v) => {
                pad(at);
                *at += WORD + WORD * v.len();
                v.iter().find_map(|v| v.lay(part, at))
            }
            Jsonb::Object(v) => {
                pad(at);
                *at += WORD + 2 * WORD * v.len() + v.iter().map(|(k, _)| k.len()).sum::<usize>();
                v.iter().find_map(|(_, v)| v.lay(part, at))
            }
        }
    }

    pub(crate) fn encode_row(&self, out: &mut Vec<u8>) {
        match self {
            Jsonb::Null => out.push(0),
            Jsonb::Bool(b) => out.push(1 + *b as u8),
            Jsonb::Number(n) => {
                let mut bytes = Vec::new();
                n.encode_row(&mut bytes);
                out.push(3);
                put_len(bytes.len(), out);
                out.extend_from_slice(&bytes);
            }
            Jsonb::String(s) => {
                out.push(4);
                put_len(s.len(), out);
                out.extend_from_slice(s.as_bytes());
            }
            Jsonb::Array(a) => {
                out.push(5);
                put_len(a.len(), out);
                a.iter().for_each(|v| v.encode_row(out));
            }
            Jsonb::Object(o) => {
                out.push(6);
                put_len(o.len(), out);
                for (k, v) in o {
                    put_len(k.len(), out);
                    out.extend_from_slice(k.as_bytes());
                    v.encode_row(out);
                }
            }
        }
    }
    pub(crate) fn decode_row(mut b: &[u8]) -> Option<Jsonb> {
        let v = take_value(&mut b, 0)?;
        b.is_empty().then_some(v)
    }
}

/// A jsonb value as a row stores it, looked into without being decoded.
#[derive(Clone, Copy)]
pub struct Stored<'a>(&'a [u8]);

/// What a stored value is.
pub enum StoredKind<'a> {
    Null,
    Bool(bool),
    /// Its bytes, as numerics have them in rows
    Number(&'a [u8]),
    String(&'a str),
    Array,
    Object,
}

impl<'a> Stored<'a> {
    /// `b`: the bytes of a jsonb column.
    pub fn new(b: &'a [u8]) -> Stored<'a> {
        Stored(b)
    }
    /// None: the bytes are none of a value.
    pub fn kind(self) -> Option<StoredKind<'a>> {
        let (tag, mut rest) = self.0.split_first()?;
        Some(match tag {
            0 => StoredKind::Null,
            1 => StoredKind::Bool(false),
            2 => StoredKind::Bool(true),
            3 => StoredKind::Number(take_bytes(&mut rest)?),
            4 => StoredKind::String(std::str::from_utf8(take_bytes(&mut rest)?).ok()?),
            5 => StoredKind::Array,
            6 => StoredKind::Object,
            _ => return None,
        })
    }
    /// The value of `key`, of an object: `Some(None)` if it has none or is no object. None: the bytes are none of a value, or too deep.
    pub fn get(self, key: &str) -> Option<Option<Stored<'a>>> {
        let (tag, mut b) = self.0.split_first()?;
        if *tag != 6 {
            return Some(None);
        }
        for _ in 0..take_len(&mut b)? {
            let k = take_bytes(&mut b)?;
            if k.len() == key.len() && k == key.as_bytes() {
                return Some(Some(Stored(b)));
            }
            // Keys are in order: shorter ones first.
            if k.len() > key.len() {
                return Some(None);
            }
            skip_value(&mut b, 0)?;
        }
        Some(None)
    }
    /// Does it contain `needle`, an object of scalars? None: `needle` is something else, or the bytes are none of a value.
    pub fn contains(self, needle: &Jsonb) -> Option<bool> {
        let Jsonb::Object(wanted) = needle else { return None };
        if !matches!(self.kind()?, StoredKind::Object) {
            return Some(false);
        }
        for (key, value) in wanted {
            let Some(found) = self.get(key)? else { return Some(false) };
            let same = match (found.kind()?, value) {
                (_, Jsonb::Array(_) | Jsonb::Object(_)) => return None,
                (StoredKind::Null, Jsonb::Null) => true,
                (StoredKind::Bool(a), Jsonb::Bool(b)) => a == *b,
                (StoredKind::String(a), Jsonb::String(b)) => *a == **b,
                (StoredKind::Number(a), Jsonb::Number(b)) => Numeric::decode_row(a)? == *b,
                _ => false,
            };
            if !same {
                return Some(false);
            }
        }
        Some(true)
    }
}
fn skip_value(b: &mut &[u8], depth: usize) -> Option<()> {
    let (tag, rest) = b.split_first()?;
    *b = rest;
    match tag {
        0..=2 => {}
        3 | 4 => {
            take_bytes(b)?;
        }
        5 | 6 if depth > MAX_DEPTH => return None,
        5 | 6 => {
            for _ in 0..take_len(b)? {
                if *tag == 6 {
                    take_bytes(b)?;
                }
                skip_value(b, depth + 1)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Keys are kept by length, then bytes.
fn key_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.as_bytes().cmp(b.as_bytes()))
}

fn put_len(mut n: usize, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
fn take_len(b: &mut &[u8]) -> Option<usize> {
    let mut n = 0usize;
    for shift in (0..35).step_by(7) {
        let (first, rest) = b.split_first()?;
        *b = rest;
        n |= ((first & 0x7f) as usize) << shift;
        if first & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}
fn take_bytes<'a>(b: &mut &'a [u8]) -> Option<&'a [u8]> {
    let n = take_len(b)?;
    let (head, rest) = b.split_at_checked(n)?;
    *b = rest;
    Some(head)
}
fn take_str(b: &mut &[u8]) -> Option<Box<str>> {
    std::str::from_utf8(take_bytes(b)?).ok().map(Into::into)
}
fn take_value(b: &mut &[u8], depth: usize) -> Option<Jsonb> {
    let (tag, rest) = b.split_first()?;
    *b = rest;
    Some(match tag {
        0 => Jsonb::Null,
        1 => Jsonb::Bool(false),
        2 => Jsonb::Bool(true),
        3 => Jsonb::Number(Numeric::decode_row(take_bytes(b)?)?),
        4 => Jsonb::String(take_str(b)?),
        5 | 6 if depth > MAX_DEPTH => return None,
        5 => {
            // Every item takes a byte at least: the bytes bound the count.
            let n = take_len(b).filter(|n| *n <= b.len())?;
            Jsonb::Array((0..n).map(|_| take_value(b, depth + 1)).collect::<Option<_>>()?)
        }
        6 => {
            let n = take_len(b).filter(|n| *n <= b.len())?;
            Jsonb::Object((0..n).map(|_| Some((take_str(b)?, take_value(b, depth + 1)?))).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Appends `s` as a JSON string (escape_json).
pub fn escape(s: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for &b in s.as_bytes() {
        match b {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            0..=0x1f => out.extend_from_slice(format!("\\u{b:04x}").as_bytes()),
            _ => out.push(b),
        }
    }
    out.push(b'"');
}

/// Checks the syntax of a json value.
pub fn validate(s: &str) -> Result<()> {
    Reader { s, at: 0, build: false }.document().map(drop)
}

#[cold]
fn too_deep() -> Error {
    err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded").detail(format!("JSON may nest {MAX_DEPTH} levels deep."))
}

/// What a value may be followed or preceded by, for the error's wording.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    End,
    ArrayFirst,
    ArrayNext,
    ObjectFirst,
    ObjectLabel,
    ObjectNext,
    ObjectComma,
}

struct Reader<'a> {
    s: &'a str,
    at: usize,
    build: bool,
}
impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.s.as_bytes().get(self.at).copied()
    }
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
    /// The error with its CONTEXT: the line up to `end`, cut at the left when long.
    #[cold]
    fn error(&self, detail: String, end: usize) -> Error {
        self.error_as(err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type json"), detail, end)
    }
    fn error_as(&self, e: Error, detail: String, end: usize) -> Error {
        /// Bytes of the line shown before the error.
        const SHOWN: usize = 50;
        let mut end = end.min(self.s.len());
        while !self.s.is_char_boundary(end) {
            end += 1;
        }
        let head = &self.s[..end];
        let line = 1 + head.matches('\n').count();
        let line_start = head.rfind('\n').map_or(0, |p| p + 1);
        let mut start = line_start;
        while end - start >= SHOWN {
            start += 1;
            while !self.s.is_char_boundary(start) {
                start += 1;
            }
        }
        // Cutting three bytes would save nothing over the ellipsis.
        if start - line_start <= 3 {
            start = line_start;
        }
        let prefix = if start > line_start { "..." } else { "" };
        let suffix = if end < self.s.len() && !self.s[end..].starts_with(['\n', '\r']) { "..." } else { "" };
        e.detail(detail).context(format!("JSON data, line {line}: {prefix}{}{suffix}", &self.s[start..end]))
    }
    /// The token at `at`: an error names it whole.
    fn token_end(&self) -> usize {
        let b = self.s.as_bytes();
        let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_' || *c >= 0x80;
        let len = b[self.at.min(b.len())..].iter().take_while(|c| word(c)).count();
        self.at + len.max(1)
    }
    #[cold]
    fn unexpected(&self, expect: Expect) -> Error {
        let end = match self.peek() {
            None => return self.error("The input string ended unexpectedly.".into(), self.s.len()),
            // Lexical errors come before the parser's.
            Some(b'"') => match self.string_end() {
                Ok(end) => end,
                Err(e) => return e,
            },
            Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => self.at + 1,
            Some(b'-' | b'0'..=b'9') => match self.number_end() {
                Ok(end) => end,
                Err(e) => return e,
            },
            Some(_) => {
                let end = self.token_end();
                if !matches!(&self.s[self.at..end.min(self.s.len())], "true" | "false" | "null") {
                    return self.invalid_token(end);
                }
                end
            }
        };
        let token = &self.s[self.at..end];
        let what = match expect {
            Expect::End => format!("Expected end of input, but found \"{token}\"."),
            Expect::Value => format!("Expected JSON value, but found \"{token}\"."),
            Expect::ArrayFirst => format!("Expected array element or \"]\", but found \"{token}\"."),
            Expect::ArrayNext => format!("Expected \",\" or \"]\", but found \"{token}\"."),
            Expect::ObjectFirst => format!("Expected string or \"}}\", but found \"{token}\"."),
            Expect::ObjectLabel => format!("Expected \":\", but found \"{token}\"."),
            Expect::ObjectNext => format!("Expected \",\" or \"}}\", but found \"{token}\"."),
            Expect::ObjectComma => format!("Expected string, but found \"{token}\"."),
        };
        self.error(what, end)
    }
    #[cold]
    fn invalid_token(&self, end: usize) -> Error {
        let mut end = end.min(self.s.len());
        while !self.s.is_char_boundary(end) {
            end += 1;
        }
        self.error(format!("Token \"{}\" is invalid.", &self.s[self.at..end]), end)
    }
    fn eat(&mut self, c: u8) -> bool {
        self.space();
        let hit = self.peek() == Some(c);
        self.at += usize::from(hit);
        hit
    }
    fn document(&mut self) -> Result<Jsonb> {
        let v = self.value(Expect::Value, 0)?;
        self.space();
        if self.at < self.s.len() { Err(self.unexpected(Expect::End)) } else { Ok(v) }
    }
    /// One value. Small frames: this recurses.
    fn value(&mut self, expect: Expect, depth: usize) -> Result<Jsonb> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            _ => self.scalar(expect),
        }
    }
    fn object(&mut self, depth: usize) -> Result<Jsonb> {
        self.at += 1;
        let mut pairs = Vec::new();
        if self.eat(b'}') {
            return Ok(Jsonb::Object(pairs));
        }
        let mut expect = Expect::ObjectFirst;
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected(expect));
            }
            let key = self.string()?;
            if !self.eat(b':') {
                return Err(self.unexpected(Expect::ObjectLabel));
            }
            let v = self.value(Expect::Value, depth + 1)?;
            if self.build {
                pairs.push((key.into(), v));
            }
            if self.eat(b',') {
                expect = Expect::ObjectComma;
            } else if self.eat(b'}') {
                return Ok(Jsonb::object(pairs));
            } else {
                return Err(self.unexpected(Expect::ObjectNext));
            }
        }
    }
    fn array(&mut self, depth: usize) -> Result<Jsonb> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Jsonb::Array(items));
        }
        let mut expect = Expect::ArrayFirst;
        loop {
            let v = self.value(expect, depth + 1)?;
            if self.build {
                items.push(v);
            }
            if self.eat(b',') {
                expect = Expect::Value;
            } else if self.eat(b']') {
                return Ok(Jsonb::Array(items));
            } else {
                return Err(self.unexpected(Expect::ArrayNext));
            }
        }
    }
    fn scalar(&mut self, expect: Expect) -> Result<Jsonb> {
        match self.peek() {
            Some(b'"') => Ok(Jsonb::String(self.string()?.into())),
            Some(b'-' | b'0'..=b'9') => {
                let end = self.number_end()?;
                let text = &self.s[self.at..end];
                self.at = end;
                if self.build { Ok(Jsonb::Number(Numeric::parse(text)?)) } else { Ok(Jsonb::Null) }
            }
            Some(c) if c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80 => {
                let end = self.token_end();
                let v = match self.s.as_bytes().get(self.at..end) {
                    Some(b"true") => Jsonb::Bool(true),
                    Some(b"false") => Jsonb::Bool(false),
                    Some(b"null") => Jsonb::Null,
                    _ => return Err(self.invalid_token(end)),
                };
                self.at = end;
                Ok(v)
            }
            _ => Err(self.unexpected(if expect == Expect::ArrayFirst { Expect::Value } else { expect })),
        }
    }
    /// The end of the number at `at`, or the error for it.
    fn number_end(&self) -> Result<usize> {
        let b = self.s.as_bytes();
        let mut i = self.at;
        let digits = |mut i: usize| {
            while b.get(i).is_some_and(u8::is_ascii_digit) {
                i += 1;
            }
            i
        };
        let mut ok = true;
        i += usize::from(b.get(i) == Some(&b'-'));
        match b.get(i) {
            Some(b'0') => i += 1,
            Some(b'1'..=b'9') => i = digits(i),
            _ => ok = false,
        }
        if b.get(i) == Some(&b'.') {
            let end = digits(i + 1);
            ok &= end > i + 1;
            i = end;
        }
        if matches!(b.get(i), Some(b'e' | b'E')) {
            let start = i + 1 + usize::from(matches!(b.get(i + 1), Some(b'+' | b'-')));
            i = digits(start);
            ok &= i > start;
        }
        // Junk stuck to the number is part of the bad token.
        let junk =
            b[i.min(b.len())..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_' || **c >= 0x80).count();
        if ok && junk == 0 { Ok(i) } else { Err(self.invalid_token(i + junk)) }
    }
    /// The end of the string at `at`.
    fn string_end(&self) -> Result<usize> {
        let mut copy = Reader { s: self.s, at: self.at, build: false };
        copy.string()?;
        Ok(copy.at)
    }
    fn string(&mut self) -> Result<String> {
        let b = self.s.as_bytes();
        let mut out = String::new();
        let mut i = self.at + 1;
        // Half of a surrogate pair waiting for the other.
        let mut high: Option<u32> = None;
        const PAIR: &str = "Unicode low surrogate must follow a high surrogate.";
        loop {
            let start = i;
            while b.get(i).is_some_and(|c| !matches!(c, b'"' | b'\\' | 0..=0x1f)) {
                i += 1;
            }
            if i > start {
                if high.is_some() {
                    return Err(self.error(PAIR.into(), start + 1));
                }
                if self.build {
                    out.push_str(&self.s[start..i]);
                }
            }
            match b.get(i) {
                None => {
                    let token = &self.s[self.at..];
                    return Err(self.error(format!("Token \"{token}\" is invalid."), self.s.len()));
                }
                Some(b'"') => {
                    if high.is_some() {
                        return Err(self.error(PAIR.into(), i + 1));
                    }
                    self.at = i + 1;
                    return Ok(out);
                }
                Some(b'\\') => {}
                Some(c) => {
                    return Err(self.error(format!("Character with value 0x{c:02x} must be escaped."), i));
                }
            }
            let Some(c) = self.s[i + 1..].chars().next() else {
                let token = &self.s[self.at..];
                return Err(self.error(format!("Token \"{token}\" is invalid."), self.s.len()));
            };
            if c == 'u' {
                let mut v = 0;
                for k in 0..4 {
                    match b.get(i + 2 + k).map(|c| (*c as char).to_digit(16)) {
                        Some(Some(d)) => v = v << 4 | d,
                        Some(None) => {
                            let detail = "\"\\u\" must be followed by four hexadecimal digits.";
                            return Err(self.error(detail.into(), i + 3 + k));
                        }
                        None => {
                            let token = &self.s[self.at..];
                            return Err(self.error(format!("Token \"{token}\" is invalid."), self.s.len()));
                        }
                    }
                }
                i += 6;
                if !self.build {
                    continue; // json keeps the escape as written
                }
                match (v, high.take()) {
                    (0xd800..=0xdbff, None) => high = Some(v),
                    (0xd800..=0xdbff, Some(_)) => {
                        let detail = "Unicode high surrogate must not follow a high surrogate.";
                        return Err(self.error(detail.into(), i));
                    }
                    (0xdc00..=0xdfff, Some(h)) => {
                        out.extend(char::from_u32(0x10000 + ((h - 0xd800) << 10) + (v - 0xdc00)));
                    }
                    (0xdc00..=0xdfff, None) | (_, Some(_)) => return Err(self.error(PAIR.into(), i)),
                    // A json value may say it; a text value cannot hold it.
                    (0, _) => {
                        let e = err!(UNTRANSLATABLE_CHARACTER, "unsupported Unicode escape sequence");
                        return Err(self.error_as(e, "\\u0000 cannot be converted to text.".into(), i));
                    }
                    (v, None) => out.extend(char::from_u32(v)),
                }
                continue;
            }
            if high.is_some() {
                return Err(self.error(PAIR.into(), i + 1 + c.len_utf8()));
            }
            out.push(match c {
                '"' | '\\' | '/' => c,
                'b' => '\x08',
                'f' => '\x0c',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                c => {
                    let end = i + 1 + c.len_utf8();
                    return Err(self.error(format!("Escape sequence \"\\{c}\" is invalid."), end));
                }
            });
            i += 2;
        }
    }
}
