//! The default parser: words, numbers, addresses, files, tags (wparser_def.c).
//!
//! A machine with a stack. Its table is states.txt, a line a state: tests in order, the first that holds is done.
//!
//! ```text
//! State test:flags:next:token:special ...
//!   test     'c a character; eof; ascii letter digit alnum hex mark space other urlchar; ignore (within <script>); host, path (what follows is one);
//!            stop (this parser looks for a host alone); else
//!   flags    N on; U keeps the place at hand and tries another way from here; P gives the try up: goes on behind the test that began it;
//!            B a token ends here; C the try has come off: its place is forgotten; A all of them are; M it is taken over; R the state is entered again
//! ```
use pamir_types::{Result, work};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Kinds of tokens, as ts_token_type tells them; a token's kind is its place here plus one.
pub const KINDS: [(&str, &str); 23] = [
    ("asciiword", "Word, all ASCII"),
    ("word", "Word, all letters"),
    ("numword", "Word, letters and digits"),
    ("email", "Email address"),
    ("url", "URL"),
    ("host", "Host"),
    ("sfloat", "Scientific notation"),
    ("version", "Version number"),
    ("hword_numpart", "Hyphenated word part, letters and digits"),
    ("hword_part", "Hyphenated word part, all letters"),
    ("hword_asciipart", "Hyphenated word part, all ASCII"),
    ("blank", "Space symbols"),
    ("tag", "XML tag"),
    ("protocol", "Protocol head"),
    ("numhword", "Hyphenated word, letters and digits"),
    ("asciihword", "Hyphenated word, all ASCII"),
    ("hword", "Hyphenated word, all letters"),
    ("url_path", "URL path"),
    ("file", "File or path name"),
    ("float", "Decimal notation"),
    ("int", "Signed integer"),
    ("uint", "Unsigned integer"),
    ("entity", "XML entity"),
];
pub const URL: u8 = 5;
pub const HOST: u8 = 6;
pub const SFLOAT: u8 = 7;
pub const VERSION: u8 = 8;
pub const BLANK: u8 = 12;
pub const TAG: u8 = 13;
pub const PROTOCOL: u8 = 14;
pub const NUMHWORD: u8 = 15;
pub const ASCIIHWORD: u8 = 16;
pub const HWORD: u8 = 17;
pub const URL_PATH: u8 = 18;
pub const FLOAT: u8 = 20;
pub const INT: u8 = 21;
pub const UINT: u8 = 22;
pub const ENTITY: u8 = 23;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub kind: u8,
    pub text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Char(u8),
    Eof,
    Ascii,
    Letter,
    Digit,
    Alnum,
    Hex,
    Mark,
    Space,
    Other,
    UrlChar,
    Ignore,
    Host,
    Path,
    Stop,
    Else,
}
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    None,
    Again,
    Tags,
    Furl,
    Hyphen,
}
const BINGO: u8 = 1;
const PUSH: u8 = 2;
const POP: u8 = 4;
const RERUN: u8 = 8;
const CLEAR: u8 = 16;
const CLEAR_ALL: u8 = 32;
const MERGE: u8 = 64;

#[derive(Clone, Copy)]
struct Item {
    test: Test,
    flags: u8,
    next: Option<usize>,
    kind: u8,
    special: Special,
}
struct Table {
    states: Vec<Vec<Item>>,
    base: usize,
    url_path_first: usize,
}
/// Read once; a test reads all of it.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines: Vec<&str> = include_str!("states.txt").lines().collect();
        let name = |l: &&'static str| l.split(' ').next().unwrap_or_default();
        let numbers: FxHashMap<&str, usize> = lines.iter().enumerate().map(|(i, l)| (name(l), i)).collect();
        let states = lines.iter().map(|l| l.split(' ').skip(1).map(|i| item(i, &numbers)).collect()).collect();
        let of = |n: &str| numbers.get(n).copied().unwrap_or(0);
        Table { states, base: of("Base"), url_path_first: of("UrlPathFirst") }
    })
}
fn item(text: &str, numbers: &FxHashMap<&str, usize>) -> Item {
    let (test, rest) = match text.strip_prefix('\'') {
        Some(c) => (Test::Char(c.as_bytes()[0]), &c[1..]),
        None => {
            let at = text.find(':').unwrap_or(text.len());
            let test = match &text[..at] {
                "eof" => Test::Eof,
                "ascii" => Test::Ascii,
                "letter" => Test::Letter,
                "digit" => Test::Digit,
                "alnum" => Test::Alnum,
                "hex" => Test::Hex,
                "mark" => Test::Mark,
                "space" => Test::Space,
                "other" => Test::Other,
                "urlchar" => Test::UrlChar,
                "ignore" => Test::Ignore,
                "host" => Test::Host,
                "path" => Test::Path,
                "stop" => Test::Stop,
                _ => Test::Else,
            };
            (test, &text[at..])
        }
    };
    let mut parts = rest.split(':').skip(1);
    let mut part = || parts.next().unwrap_or_default();
    let flags = part().bytes().fold(0, |f, c| {
        f | match c {
            b'B' => BINGO,
            b'U' => PUSH,
            b'P' => POP,
            b'R' => RERUN,
            b'C' => CLEAR,
            b'A' => CLEAR_ALL,
            b'M' => MERGE,
            _ => 0,
        }
    });
    let next = numbers.get(part()).copied();
    let kind = part();
    let kind = KINDS.iter().position(|k| k.0 == kind).map_or(0, |i| i as u8 + 1);
    let special = match part() {
        "again" => Special::Again,
        "tags" => Special::Tags,
        "furl" => Special::Furl,
        "hyphen" => Special::Hyphen,
        _ => Special::None,
    };
    Item { test, flags, next, kind, special }
}

/// A place and what the machine knew there.
#[derive(Clone, Copy)]
struct Place {
    state: usize,
    at: usize,
    /// Bytes of the token so far.
    length: usize,
    /// Bytes of the character at hand; 0 at the end.
    width: usize,
    /// The item that kept this place.
    kept_by: Option<usize>,
}
pub struct Parser<'a> {
    text: &'a str,
    places: Vec<Place>,
    token: usize,
    ignore: bool,
    want_host: bool,
    depth: usize,
}
/// How deep hosts within addresses are looked for.
const MAX_DEPTH: usize = 16;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        Parser::within(text, table().base, 0)
    }
    fn within(text: &'a str, state: usize, depth: usize) -> Parser<'a> {
        let place = Place { state, at: 0, length: 0, width: 0, kept_by: None };
        Parser { text, places: vec![place], token: 0, ignore: false, want_host: false, depth }
    }
    fn here(&mut self) -> &mut Place {
        if self.places.is_empty() {
            self.places.push(Place { state: table().base, at: 0, length: 0, width: 0, kept_by: None });
        }
        let last = self.places.len() - 1;
        &mut self.places[last]
    }
    fn char(&self) -> Option<char> {
        self.places.last().and_then(|p| self.text[p.at..].chars().next())
    }
    /// A parser of its own looks from here for a token of the kind; what it finds belongs to the token at hand.
    fn look(&mut self, state: usize, kind: u8, want_host: bool) -> Result<bool> {
        if self.depth >= MAX_DEPTH {
            return Ok(false);
        }
        let at = self.here().at;
        let mut inner = Parser::within(&self.text[at..], state, self.depth + 1);
        inner.want_host = want_host;
        let Some(t) = inner.next()? else { return Ok(false) };
        if t.kind != kind {
            return Ok(false);
        }
        let width = inner.here().width;
        let here = self.here();
        here.at += t.text.len();
        here.length += t.text.len();
        here.width = width;
        Ok(true)
    }
    fn holds(&mut self, test: Test) -> Result<bool> {
        let c = self.char();
        let is = |f: fn(char) -> bool| c.is_some_and(f);
        Ok(match test {
            Test::Char(b) => c == Some(b as char),
            Test::Eof => c.is_none() || self.here().width == 0,
            Test::Ascii => is(|c| c.is_ascii_alphabetic()),
            Test::Letter => is(char::is_alphabetic),
            Test::Digit => is(|c| c.is_ascii_digit()),
            Test::Alnum => is(char::is_alphanumeric),
            Test::Hex => is(|c| c.is_ascii_hexdigit()),
            Test::Mark => is(unicode_normalization::char::is_combining_mark),
            Test::Space => is(char::is_whitespace),
            Test::Other => !is(char::is_alphanumeric),
            Test::UrlChar => {
                is(|c| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'))
            }
            Test::Ignore => self.ignore,
            Test::Stop => std::mem::take(&mut self.want_host),
            Test::Host => self.look(table().base, HOST, true)?,
            Test::Path => self.look(table().url_path_first, URL_PATH, false)?,
            Test::Else => true,
        })
    }
    /// Within <script> and <style> nothing counts.
    fn tags(&mut self) {
        let here = *self.here();
        let token = &self.text[self.token..here.at];
        let is = |t: &str| token.eq_ignore_ascii_case(t);
        if is("</script") || is("</style") {
            self.ignore = false;
        } else if is("<script") || is("<style") {
            self.ignore = true;
        }
    }
    fn special(&mut self, s: Special) {
        if s == Special::Tags {
            return self.tags();
        }
        self.want_host |= s == Special::Furl;
        if s != Special::None {
            let here = self.here();
            here.at -= here.length.min(here.at);
            if s == Special::Again {
                here.length = 0;
            }
        }
    }
    /// What an item's flags do with the places.
    fn shift(&mut self, item: &Item, number: usize) {
        let last = self.places.len().saturating_sub(1);
        let flags = item.flags;
        if flags & POP != 0 {
            self.places.pop();
        } else if flags & PUSH != 0 {
            let here = self.here();
            here.kept_by = Some(number);
            let mut new = *here;
            new.kept_by = None;
            self.places.push(new);
        } else if flags & CLEAR != 0 && last > 0 {
            self.places.remove(last - 1);
        } else if flags & CLEAR_ALL != 0 {
            self.places.drain(..last);
        } else if flags & MERGE != 0 && last > 0 {
            let top = self.places[last];
            self.places.pop();
            let here = self.here();
            (here.at, here.width, here.length) = (top.at, top.width, top.length);
        }
        if let Some(next) = item.next {
            self.here().state = next;
        }
    }
    /// The next token; None at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Token<'a>>> {
        let table = table();
        let end = self.text.len();
        if self.here().at >= end {
            return Ok(None);
        }
        self.token = self.here().at;
        self.here().kept_by = None;
        loop {
            work::charge(2)?;
            let width = self.char().map_or(0, char::len_utf8);
            self.here().width = width;
            let items = &table.states[self.here().state];
            let mut number = self.here().kept_by.take().map_or(0, |n| n + 1);
            while number + 1 < items.len() && !self.holds(items[number].test)? {
                number += 1;
            }
            let Some(item) = items.get(number) else { return Ok(None) };
            self.special(item.special);
            let length = self.here().length;
            if item.flags & BINGO != 0 {
                self.here().length = 0;
            }
            self.shift(item, number);
            if item.flags & BINGO != 0 {
                let text = &self.text[self.token..self.token + length];
                return Ok(Some(Token { kind: item.kind, text }));
            }
            if self.here().at >= end && item.flags & RERUN == 0 {
                return Ok(None);
            }
            if item.flags & (RERUN | POP) != 0 {
                continue;
            }
            let here = self.here();
            here.at += here.width;
            here.length += here.width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_read() {
        let t = table();
        for (line, items) in include_str!("states.txt").lines().zip(&t.states) {
            for (text, i) in line.split(' ').skip(1).zip(items) {
                let rest = if text.starts_with('\'') { &text[2..] } else { &text[text.find(':').unwrap()..] };
                let parts: Vec<&str> = rest.split(':').skip(1).collect();
                assert_eq!(parts.get(1).is_some_and(|p| !p.is_empty()), i.next.is_some(), "{line}: {text}");
                assert_eq!(parts.get(2).is_some_and(|p| !p.is_empty()), i.kind > 0, "{line}: {text}");
                assert_eq!(parts.get(3).is_some_and(|p| !p.is_empty()), i.special != Special::None, "{line}: {text}");
            }
            assert!(items.last().is_some_and(|i| i.test == Test::Else), "{line}");
        }
    }
    /// Whatever is read, its tokens are the text's, and they end.
    #[test]
    fn tokens_cover_the_text() {
        let parts = [
            "a", "-", ".", "/", "<", ">", "&", ";", "1", "e", "@", ":", "_", " ", "é", "'", "\"", "\\", "script", "+",
            "~", "?",
        ];
        let mut seed = 7u64;
        for _ in 0..20_000 {
            let mut s = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                s.push_str(parts[(seed >> 33) as usize % parts.len()]);
            }
            let mut p = Parser::new(&s);
            let mut n = 0;
            while let Some(t) = p.next().unwrap() {
                assert!(s.contains(t.text));
                n += 1;
                assert!(n < 100, "{s}");
            }
        }
    }
}
