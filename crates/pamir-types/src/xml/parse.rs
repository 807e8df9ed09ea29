//! Reading a text: well-formedness, complaints, and the tree.
//!
//! The reader has libxml2's manner (parser.c of 2.9): it goes over the text once, an error is noted with the line and the place where it stands, and it
//! reads on where that library does, so that the same errors follow. `open` is the stack of elements; only entities make it call itself.
//!
//! - here: the whole, names, complaints, the declaration. [`content`]: characters, comments and the like, [`element`]: tags, [`reference`]: entities.
mod content;
mod element;
mod reference;

use super::tree::{Declared, Kind, NodeId, ROOT, Tree, XML_NAMESPACE};
use super::{dtd, is_blank, is_name_char, is_name_start};
use crate::{Result, work};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

/// Elements within each other.
pub const MAX_DEPTH: usize = 256;
/// Entities within each other.
pub const MAX_ENTITIES: usize = 40;
/// Bytes that entities may grow a text by, beside ten times its length.
const MAX_GROWTH: usize = 1 << 20;
/// Bytes of complaints that are kept.
const MAX_COMPLAINTS: usize = 1 << 16;
/// Bytes of a line that a complaint shows.
const SHOWN: usize = 80;

/// What the text is to be, and whether a tree is made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    Document,
    Content,
    /// A document's tree, for paths; entities that are not the standard's stay references.
    Tree,
}
/// Do names count that belong to no namespace?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    WellFormed,
    All,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Parsed {
    /// Errors as one text; empty: there were none.
    pub complaints: String,
    pub warnings: Vec<String>,
    /// Where one was wanted, and there were no errors.
    pub tree: Option<Tree>,
}

/// An entity of the internal subset.
pub(super) struct Entity {
    /// None: it is elsewhere, and is not read.
    pub value: Option<Rc<str>>,
    pub unparsed: bool,
    /// Its text was read as content once.
    pub read: bool,
}

/// An attribute: prefix, name, value.
type Attribute = (Option<Arc<str>>, Arc<str>, String);
/// A tag that began an element: prefix, name, its node.
type Started = (Option<Arc<str>>, Arc<str>, NodeId);

struct Open {
    prefix: Option<Arc<str>>,
    name: Arc<str>,
    line: usize,
    node: NodeId,
    /// Declarations of namespaces before it.
    declared: usize,
}

pub(super) struct Parser {
    text: Rc<str>,
    pub(super) at: usize,
    /// Where `line` was counted to.
    counted: usize,
    line: usize,
    strict: bool,
    complaints: String,
    occurred: bool,
    warnings: Vec<String>,
    pub(super) broken: bool,
    halted: bool,
    tree: Option<Tree>,
    node: NodeId,
    /// Characters of a text node whose end is not reached.
    pending: String,
    open: Vec<Open>,
    namespaces: Vec<Declared>,
    names: FxHashMap<Rc<str>, Arc<str>>,
    pub(super) entities: FxHashMap<String, Entity>,
    /// Entities may be declared where nobody looks.
    pub(super) elsewhere: bool,
    standalone: bool,
    depth: usize,
    room: usize,
}

/// Reads `s`. Only what ends a statement is an error of this function.
pub fn parse(s: &str, want: Want, strictness: Strictness) -> Result<Parsed> {
    pamir_error::memory::admit(s.len())?;
    let mut p = Parser {
        text: s.into(),
        at: 0,
        counted: 0,
        line: 1,
        strict: strictness == Strictness::All,
        complaints: String::new(),
        occurred: false,
        warnings: Vec::new(),
        broken: false,
        halted: false,
        tree: (want == Want::Tree).then(Tree::new),
        node: ROOT,
        pending: String::new(),
        open: Vec::new(),
        namespaces: Vec::new(),
        names: FxHashMap::default(),
        entities: FxHashMap::default(),
        elsewhere: false,
        standalone: false,
        depth: 0,
        room: s.len().saturating_mul(10).saturating_add(MAX_GROWTH),
    };
    if want == Want::Content {
        p.chunk()?
    } else {
        p.document()?
    }
    let tree = if p.occurred { None } else { p.tree };
    Ok(Parsed { complaints: p.complaints.trim_end_matches('\n').to_string(), warnings: p.warnings, tree })
}

impl Parser {
    // Reading

    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }
    pub(super) fn looks_at(&self, s: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(s.as_bytes())
    }
    pub(super) fn char(&self) -> Option<char> {
        self.rest().chars().next()
    }
    pub(super) fn bump(&mut self) {
        self.at += self.char().map_or(0, char::len_utf8);
    }
    pub(super) fn blanks(&mut self) -> usize {
        let n = self.text.as_bytes()[self.at..].iter().take_while(|b| is_blank(**b)).count();
        self.at += n;
        n
    }
    fn line_of(&mut self, at: usize) -> usize {
        if at < self.counted {
            (self.counted, self.line) = (0, 1);
        }
        let at = at.min(self.text.len());
        self.line += self.text.as_bytes()[self.counted..at].iter().filter(|b| **b == b'\n').count();
        self.counted = at;
        self.line
    }

    // Complaints

    /// Something is wrong here, and the text is not well-formed.
    pub(super) fn fatal(&mut self, says: &str) {
        self.broken = true;
        self.complain(says, self.at);
    }
    fn complain(&mut self, says: &str, line_at: usize) {
        if self.halted {
            return;
        }
        self.occurred = true;
        let shown = self.shown(says, line_at);
        if self.complaints.len() < MAX_COMPLAINTS {
            if !self.complaints.is_empty() {
                self.complaints.push('\n');
            }
            self.complaints.push_str(&shown);
        }
    }
    /// A name is wrong for its namespace: the text is well-formed all the same.
    fn of_namespace(&mut self, says: &str) {
        if self.strict {
            self.complain(says, self.at);
        }
    }
    fn warn(&mut self, says: &str) {
        let shown = self.shown(says, self.at);
        if self.warnings.len() < 100 {
            self.warnings.push(shown);
        }
    }
    /// The message, the line it is about, and a mark below the place.
    fn shown(&mut self, says: &str, line_at: usize) -> String {
        let mut out = format!("line {}: {}\n", self.line_of(line_at), says.trim_end_matches('\n'));
        let b = self.text.as_bytes();
        let end = |i: usize| b.get(i).is_none_or(|c| matches!(c, b'\n' | b'\r'));
        let mut cur = self.at;
        while cur > 0 && b.get(cur).is_some_and(|c| matches!(c, b'\n' | b'\r')) {
            cur -= 1;
        }
        let mut n = 0;
        while n < SHOWN && cur > 0 && !b.get(cur).is_some_and(|c| matches!(c, b'\n' | b'\r')) {
            cur -= 1;
            n += 1;
        }
        if b.get(cur).is_some_and(|c| matches!(c, b'\n' | b'\r')) {
            cur += 1;
        }
        // A place before the line counts as one far behind it.
        let col = self.at.checked_sub(cur).unwrap_or(SHOWN);
        let len = (cur..).take(SHOWN).take_while(|i| !end(*i)).count();
        let line = &b[cur.min(b.len())..cur + len];
        let _ = writeln!(out, "{}", String::from_utf8_lossy(line));
        out.extend(line.iter().take(col.min(SHOWN - 1)).map(|c| if *c == b'\t' { '\t' } else { ' ' }));
        out.push('^');
        out
    }

    // Names

    fn intern(&mut self, s: &str) -> Arc<str> {
        match self.names.get(s) {
            Some(n) => n.clone(),
            None => {
                let n: Arc<str> = s.into();
                self.names.insert(s.into(), n.clone());
                n
            }
        }
    }
    /// A name, with colons or without; None: none stands here.
    pub(super) fn name(&mut self, colons: bool) -> Option<String> {
        let fits = |c: char| colons || c != ':';
        let mut it = self.rest().chars();
        let mut n = it.next().filter(|c| is_name_start(*c) && fits(*c))?.len_utf8();
        n += it.take_while(|c| is_name_char(*c) && fits(*c)).map(char::len_utf8).sum::<usize>();
        let s = self.rest()[..n].to_string();
        self.at += n;
        Some(s)
    }
    fn nmtoken(&mut self) -> String {
        let n = self.rest().chars().take_while(|c| is_name_char(*c)).map(char::len_utf8).sum();
        let s = self.rest()[..n].to_string();
        self.at += n;
        s
    }
    /// (prefix, local part)
    fn qname(&mut self) -> Option<(Option<Arc<str>>, Arc<str>)> {
        let Some(first) = self.name(false) else {
            let whole = if self.byte(0) == b':' { self.name(true)? } else { return None };
            self.of_namespace(&format!("Failed to parse QName '{whole}'"));
            return Some((None, self.intern(&whole)));
        };
        if self.byte(0) != b':' {
            return Some((None, self.intern(&first)));
        }
        self.at += 1;
        let Some(mut local) = self.name(false) else {
            self.of_namespace(&format!("Failed to parse QName '{first}:'"));
            let rest = self.nmtoken();
            return Some((None, self.intern(&format!("{first}:{rest}"))));
        };
        if self.byte(0) == b':' {
            self.of_namespace(&format!("Failed to parse QName '{first}:{local}:'"));
            self.at += 1;
            let rest = self.name(true).unwrap_or_default();
            local = format!("{local}:{rest}");
        }
        Some((Some(self.intern(&first)), self.intern(&local)))
    }
    fn namespace(&self, prefix: Option<&str>) -> Option<Arc<str>> {
        if prefix == Some("xml") {
            return Some(XML_NAMESPACE.into());
        }
        // Who is to end hears it with the next charge.
        let _ = work::charge(self.namespaces.len() / 8);
        let found = self.namespaces.iter().rev().find(|n| n.0.as_deref() == prefix)?;
        (!found.1.is_empty() || prefix.is_some()).then(|| found.1.clone())
    }

    // The whole

    fn document(&mut self) -> Result<()> {
        if self.text.is_empty() {
            if self.tree.is_none() {
                self.fatal("switching encoding : no input");
            }
            self.fatal("Document is empty");
            return Ok(());
        }
        if self.looks_at("<?xml") && is_blank(self.byte(5)) {
            self.declaration();
        }
        self.misc()?;
        if self.looks_at("<!DOCTYPE") {
            let from = self.at;
            dtd::doctype(self)?;
            let shown: Arc<str> = self.text[from..self.at].into();
            if let Some(t) = &mut self.tree {
                t.push(Kind::Doctype, ROOT, |n| n.value = shown);
            }
            self.misc()?;
        }
        if self.byte(0) != b'<' {
            self.fatal("Start tag expected, '<' not found");
            return Ok(());
        }
        self.element()?;
        if self.halted {
            return Ok(());
        }
        self.misc()?;
        if self.at < self.text.len() {
            self.fatal("Extra content at the end of the document");
        }
        Ok(())
    }
    /// The root element. An end that is missing, or a beginning that is none, ends it.
    fn element(&mut self) -> Result<()> {
        if !self.element_start()? {
            return Ok(());
        }
        self.content(0, true)?;
        if !self.halted && !self.open.is_empty() {
            self.premature();
        }
        Ok(())
    }
    fn premature(&mut self) {
        if let Some(o) = self.open.last() {
            let says = format!("Premature end of data in tag {} line {}", o.name, o.line);
            self.fatal(&says);
        }
    }
    /// What may stand in an element, as the whole text.
    fn chunk(&mut self) -> Result<()> {
        self.content(0, false)?;
        if self.halted {
            return Ok(());
        }
        if !self.open.is_empty() {
            self.premature();
        }
        if self.looks_at("</") && !self.occurred {
            self.fatal("chunk is not well balanced");
        }
        Ok(())
    }
    /// Comments, instructions and blanks around the root element.
    fn misc(&mut self) -> Result<()> {
        loop {
            self.blanks();
            let before = self.at;
            if self.looks_at("<?") {
                self.instruction()?;
            } else if self.looks_at("<!--") {
                self.comment()?;
            }
            if self.at == before {
                return Ok(());
            }
        }
    }
    fn quoted(&mut self) -> Option<String> {
        let q = self.char().filter(|c| matches!(c, '"' | '\''))?;
        let n = self.rest()[1..].find(q)?;
        let s = self.rest()[1..n + 1].to_string();
        self.at += n + 2;
        Some(s)
    }
    /// `= "value"` of the declaration.
    fn declared(&mut self) -> Option<char> {
        self.blanks();
        if self.byte(0) != b'=' {
            self.fatal("expected '='");
            return None;
        }
        self.at += 1;
        self.blanks();
        match self.char().filter(|c| matches!(c, '"' | '\'')) {
            Some(c) => Some(c),
            None => {
                self.fatal("String not started expecting ' or \"");
                None
            }
        }
    }
    fn closed(&mut self, quote: char) {
        if self.char() == Some(quote) {
            self.at += 1;
        } else {
            self.fatal("String not closed expecting \" or '");
        }
    }
    fn declaration(&mut self) {
        self.at += 5;
        self.blanks();
        let mut version = None;
        if self.looks_at("version") {
            self.at += 7;
            if let Some(q) = self.declared() {
                self.at += 1;
                let b = self.text.as_bytes();
                let mut n = 0;
                if b.get(self.at).is_some_and(u8::is_ascii_digit) {
                    n = 1;
                }
                if n == 1 && b.get(self.at + 1) == Some(&b'.') {
                    n = 2 + b[self.at + 2..].iter().take_while(|c| c.is_ascii_digit()).count();
                    version = Some(self.rest()[..n].to_string());
                }
                self.at += n;
                self.closed(q);
            }
        }
        match &version {
            None => self.fatal("Malformed declaration expecting version"),
            Some(v) if v.starts_with("1.") => {}
            Some(v) => {
                let says = format!("Unsupported version '{v}'");
                self.fatal(&says);
            }
        }
        if !is_blank(self.byte(0)) {
            if self.looks_at("?>") {
                self.at += 2;
                return;
            }
            self.fatal("Blank needed here");
        }
        self.blanks();
        if self.looks_at("encoding") {
            self.at += 8;
            let known = self.encoding();
            if self.looks_at("?>") {
                self.at += 2;
                return;
            }
            if known && !is_blank(self.byte(0)) {
                self.fatal("Blank needed here");
            }
            self.blanks();
        }
        if self.looks_at("standalone") {
            self.at += 10;
            if let Some(q) = self.declared() {
                self.at += 1;
                if self.looks_at("no") {
                    self.at += 2;
                } else if self.looks_at("yes") {
                    self.at += 3;
                    self.standalone = true;
                } else {
                    self.fatal("standalone accepts only 'yes' or 'no'");
                }
                self.closed(q);
            }
            self.blanks();
        }
        if self.looks_at("?>") {
            self.at += 2;
        } else {
            self.fatal("parsing XML declaration: '?>' expected");
            let skip = self.rest().find('>').map_or(self.rest().len(), |n| n + 1);
            self.at += skip;
        }
    }
    /// Whether an encoding was named that is to be converted.
    fn encoding(&mut self) -> bool {
        let Some(q) = self.declared() else { return false };
        self.at += 1;
        let b = &self.text.as_bytes()[self.at..];
        let n = match b.first() {
            Some(c) if c.is_ascii_alphabetic() => {
                b.iter().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-')).count()
            }
            _ => 0,
        };
        if n == 0 {
            self.fatal("Invalid XML encoding name");
        }
        let name = self.rest()[..n].to_string();
        self.at += n;
        let closed = self.char() == Some(q);
        self.closed(q);
        if closed && n > 0 && !known_encoding(&name) {
            self.fatal(&format!("Unsupported encoding {name}"));
            self.halted = true;
        }
        closed && n > 0 && !name.eq_ignore_ascii_case("UTF-8")
    }
    pub(super) fn literal(&mut self) -> Option<String> {
        self.quoted()
    }
}

/// Names that the library, with the C library's converter behind it, takes: a name is good for nothing here but to be known.
fn known_encoding(name: &str) -> bool {
    let n = name.to_ascii_uppercase().replace(['-', '_'], "");
    let known = [
        "UTF8", "UTF16", "UTF16LE", "UTF16BE", "UCS4", "UCS2", "ASCII", "USASCII", "HTML", "KOI8R", "KOI8U", "BIG5",
        "GBK", "GB2312", "GB18030", "SHIFTJIS", "SJIS",
    ];
    known.contains(&&*n)
        || ["ISO8859", "LATIN", "WINDOWS", "EUC", "CP", "ISO2022", "ISO10646", "IBM", "ISOLATIN", "MAC", "UTF32", "UCS"]
            .iter()
            .any(|p| n.starts_with(p))
}
