//! Content: characters, CDATA sections, comments, processing instructions.
use super::super::is_char;
use super::super::tree::{Kind, NONE, Node, NodeId};
use super::Parser;
use crate::{Result, memory, work};
use std::sync::Arc;

const CDATA: &str = "<![CDATA[";

impl Parser {
    /// Content up to the end of the text, or to an end tag of an element that was open before. With `one` up to the end of the elements that are open.
    pub(super) fn content(&mut self, floor: usize, one: bool) -> Result<()> {
        while self.at < self.text.len() && !self.halted {
            if one && self.open.len() <= floor {
                return Ok(());
            }
            work::charge(4)?;
            match (self.byte(0), self.byte(1)) {
                (b'<', b'?') => self.instruction()?,
                (b'<', b'!') if self.looks_at(CDATA) => self.cdata()?,
                (b'<', b'!') if self.looks_at("<!--") => self.comment()?,
                (b'<', b'/') => {
                    if self.open.len() <= floor {
                        return Ok(());
                    }
                    self.element_end();
                }
                (b'<', _) => {
                    self.element_start()?;
                }
                (b'&', _) => self.reference()?,
                _ => self.characters()?,
            }
        }
        Ok(())
    }
    /// Appends text to the tree, to the text before it if that is one.
    pub(super) fn add_text(&mut self, s: &str) -> Result<()> {
        if self.tree.is_some() {
            work::charge(s.len() / 16 + 1)?;
            pamir_error::memory::admit_growth(self.pending.capacity(), self.pending.len() + s.len())?;
            self.pending.push_str(s);
        }
        Ok(())
    }
    /// Adds a node at the place that is reached, behind the text before it.
    pub(super) fn add(&mut self, kind: Kind, fill: impl FnOnce(&mut Node)) -> NodeId {
        self.end_text();
        let parent = self.node;
        self.tree.as_mut().map_or(NONE, |t| t.push(kind, parent, fill))
    }
    pub(super) fn end_text(&mut self) {
        if !self.pending.is_empty() {
            let value: Arc<str> = self.pending.as_str().into();
            self.pending.clear();
            let parent = self.node;
            if let Some(t) = &mut self.tree {
                t.push(Kind::Text, parent, |n| n.value = value);
            }
        }
    }
    pub(super) fn characters(&mut self) -> Result<()> {
        let text = self.text.clone();
        let b = text.as_bytes();
        let from = self.at;
        let mut i = from;
        // ASCII goes fast, and what is wrong in it is told where the run began.
        while let Some(c) = b.get(i) {
            match c {
                b'<' | b'&' => break,
                b']' if b[i..].starts_with(b"]]>") => {
                    self.broken = true;
                    self.complain("Sequence ']]>' not allowed in content", i);
                    self.at = i + 1;
                    return Ok(());
                }
                b'\t' | b'\n' | 0x20..0x80 => i += 1,
                b'\r' if b.get(i + 1) == Some(&b'\n') => i += 1,
                _ => break,
            }
            if i - from > 1 << 12 && i.is_multiple_of(1 << 12) {
                work::charge(1 << 8)?;
            }
        }
        self.at = i;
        while let Some(c) = self.char() {
            if matches!(c, '<' | '&') || !is_char(c) {
                break;
            }
            if c == ']' && self.looks_at("]]>") {
                self.fatal("Sequence ']]>' not allowed in content");
            }
            self.at += c.len_utf8();
            if self.at.is_multiple_of(1 << 12) {
                work::charge(1 << 8)?;
            }
        }
        if self.tree.is_some() {
            let run = &text[from..self.at];
            if run.contains("\r\n") { self.add_text(&run.replace("\r\n", "\n"))? } else { self.add_text(run)? }
        }
        if let Some(c) = self.char().filter(|c| !is_char(*c)) {
            self.fatal(&format!("PCDATA invalid Char value {}", c as u32));
            self.bump();
        }
        Ok(())
    }
    /// A CDATA section, and those that follow at once: they are one node.
    pub(super) fn cdata(&mut self) -> Result<()> {
        let mut value = String::new();
        while self.rest().starts_with(CDATA) {
            self.at += CDATA.len();
            let Some(n) = self.rest().find("]]>") else {
                let kept = behind(self.rest()).map(|kept| cut(kept, 50).to_string());
                self.at = self.text.len();
                match kept {
                    Some(head) => self.fatal(&format!("CData section not finished\n{head}")),
                    None => self.fatal("Unregistered error message"),
                }
                return Ok(());
            };
            work::charge(n / 8 + 4)?;
            if let Some(bad) = self.rest()[..n].find(|c| !is_char(c)) {
                let head = cut(&self.rest()[..bad], 50).to_string();
                self.at += bad;
                self.fatal(&format!("CData section not finished\n{head}"));
                return Ok(());
            }
            memory::admit_growth(value.capacity(), value.len() + n)?;
            value.push_str(&self.rest()[..n].replace("\r\n", "\n"));
            self.at += n + 3;
        }
        self.add(Kind::Cdata, |x| x.value = value.into());
        Ok(())
    }
    pub(in crate::xml) fn comment(&mut self) -> Result<()> {
        self.at += 4;
        let from = self.at;
        loop {
            work::charge(8)?;
            let next = self.rest().find("--").map(|n| self.at + n);
            let reach = next.unwrap_or(self.text.len());
            if let Some(bad) = self.text[self.at..reach].find(|c| !is_char(c)) {
                self.at += bad;
                let c = self.char().map_or(0, |c| c as u32);
                self.fatal(&format!("xmlParseComment: invalid xmlChar value {c}"));
                return Ok(());
            }
            let Some(at) = next else {
                self.at = self.text.len();
                // What is not ASCII is read in another way.
                let plain = self.text[from..].is_ascii();
                let head = cut(behind(&self.text[from..]).unwrap_or(""), 50).to_string();
                match plain {
                    true => self.fatal("Comment not terminated"),
                    false => self.fatal(&format!("Comment not terminated \n<!--{head}")),
                }
                return Ok(());
            };
            self.at = at;
            if self.looks_at("-->") {
                break;
            }
            if !self.text[from..at].is_ascii() {
                self.at += 2;
                self.fatal("Comment must not contain '--' (double-hyphen)");
                continue;
            }
            let head = cut(&self.text[from..at], 50).to_string();
            let says = if head.is_empty() {
                "Double hyphen within comment".into()
            } else {
                format!("Double hyphen within comment: <!--{head}")
            };
            self.fatal(&says);
            self.at += 2;
        }
        let value: Arc<str> = self.text[from..self.at].replace("\r\n", "\n").into();
        self.add(Kind::Comment, |n| n.value = value);
        self.at += 3;
        Ok(())
    }
    pub(in crate::xml) fn instruction(&mut self) -> Result<()> {
        self.at += 2;
        let Some(name) = self.name(true) else {
            self.fatal("xmlParsePI : no target name");
            return Ok(());
        };
        if name == "xml" {
            self.fatal("XML declaration allowed only at the start of the document");
        } else if name.eq_ignore_ascii_case("xml") {
            self.fatal("Invalid PI name");
        } else if name.get(..3).is_some_and(|n| n.eq_ignore_ascii_case("xml"))
            && !matches!(&*name, "xml-stylesheet" | "xml-model")
        {
            self.warn("xmlParsePITarget: invalid name prefix 'xml'");
        }
        if name.contains(':') {
            self.of_namespace(&format!("colons are forbidden from PI names '{name}'"));
        }
        let (mut value, mut follows): (Arc<str>, _) = ("".into(), None);
        if !self.looks_at("?>") {
            follows = Some("".into());
            if self.blanks() == 0 {
                self.fatal(&format!("ParsePI: PI {name} space expected"));
            }
            let Some(n) = self.rest().find("?>").filter(|n| self.rest()[..*n].chars().all(is_char)) else {
                let bad = self.rest().find(|c| !is_char(c)).unwrap_or(self.rest().len());
                self.at += bad;
                self.fatal(&format!("ParsePI: PI {name} never end ..."));
                return Ok(());
            };
            work::charge(n / 8)?;
            value = self.rest()[..n].replace("\r\n", "\n").into();
            self.at += n;
        }
        self.at += 2;
        let name = self.intern(&name);
        self.add(Kind::Instruction, |n| (n.name, n.value, n.prefix) = (name, value, follows));
        Ok(())
    }
}

/// What the reader has kept of a text that ends too early: it is two characters ahead. None: there are not so many.
fn behind(s: &str) -> Option<&str> {
    let mut it = s.char_indices();
    it.next_back()?;
    Some(&s[..it.next_back()?.0])
}
/// The first bytes of a text, whole characters of them.
fn cut(s: &str, n: usize) -> &str {
    &s[..s.floor_char_boundary(n.min(s.len()))]
}
