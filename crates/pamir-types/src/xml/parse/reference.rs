//! References: characters by number, entities and what they stand for.
use super::super::is_char;
use super::super::tree::Kind;
use super::{MAX_ENTITIES, Parser};
use crate::{Result, work};
use std::rc::Rc;

impl Parser {
    /// What an entity of the internal subset stands for, as plain characters.
    pub(super) fn expand(&mut self, name: &str, out: &mut String, depth: usize) -> Result<()> {
        if let Some(c) = predefined(name) {
            out.push(c);
            return Ok(());
        }
        let Some(value) = self.entities.get(name).and_then(|e| e.value.clone()) else { return Ok(()) };
        if depth > MAX_ENTITIES || !self.grows(value.len()) {
            self.looping();
            return Ok(());
        }
        work::charge(value.len() + 8)?;
        let mut rest = &*value;
        while let Some(n) = rest.find(['&', '<']) {
            out.extend(rest[..n].chars().map(|c| if matches!(c, '\n' | '\t' | '\r') { ' ' } else { c }));
            if rest.as_bytes()[n] == b'<' {
                self.fatal(&format!("'<' in entity '{name}' is not allowed in attributes values"));
                return Ok(());
            }
            let Some(end) = rest[n..].find(';') else { return Ok(()) };
            let inner = rest[n + 1..n + end].to_string();
            match inner.strip_prefix('#') {
                Some(number) => out.extend(number_reference(number)),
                None if !self.halted => self.expand(&inner, out, depth + 1)?,
                None => {}
            }
            rest = &rest[n + end + 1..];
        }
        out.extend(rest.chars().map(|c| if matches!(c, '\n' | '\t' | '\r') { ' ' } else { c }));
        Ok(())
    }
    pub(super) fn grows(&mut self, by: usize) -> bool {
        let fits = by <= self.room;
        self.room = self.room.saturating_sub(by + 1);
        fits
    }
    pub(super) fn looping(&mut self) {
        self.fatal("Detected an entity reference loop");
        self.halted = true;
    }
    /// `&#n;`
    pub(in crate::xml) fn char_reference(&mut self) -> Option<char> {
        let (radix, what) = if self.byte(2) == b'x' { (16, "hexadecimal") } else { (10, "decimal") };
        self.at += if radix == 16 { 3 } else { 2 };
        let mut v: u32 = 0;
        loop {
            match (self.byte(0) as char).to_digit(radix) {
                _ if self.byte(0) == b';' => {
                    self.at += 1;
                    break;
                }
                Some(d) => {
                    v = (v * radix + d).min(0x11_0000);
                    self.at += 1;
                }
                None => {
                    self.fatal(&format!("CharRef: invalid {what} value"));
                    v = 0;
                    break;
                }
            }
        }
        if v >= 0x11_0000 {
            self.fatal("xmlParseCharRef: character reference out of bounds");
            return None;
        }
        let c = char::from_u32(v).filter(|c| is_char(*c));
        if c.is_none() {
            self.fatal(&format!("xmlParseCharRef: invalid xmlChar value {v}"));
        }
        c
    }
    /// `&name;`, if there is such an entity.
    pub(super) fn entity_name(&mut self, attribute: bool) -> Option<String> {
        self.at += 1;
        let Some(name) = self.name(true) else {
            self.fatal("xmlParseEntityRef: no name");
            return None;
        };
        if self.byte(0) != b';' {
            self.fatal("EntityRef: expecting ';'");
            return None;
        }
        self.at += 1;
        if predefined(&name).is_some() {
            return Some(name);
        }
        match self.entities.get(&name) {
            None if self.standalone || !self.elsewhere => self.fatal(&format!("Entity '{name}' not defined")),
            None => {}
            Some(e) if e.unparsed => self.fatal(&format!("Entity reference to unparsed entity {name}")),
            Some(e) if attribute && e.value.is_none() => {
                self.fatal(&format!("Attribute references external entity '{name}'"))
            }
            Some(_) => return Some(name),
        }
        None
    }
    pub(super) fn reference(&mut self) -> Result<()> {
        if self.byte(1) == b'#' {
            if let Some(c) = self.char_reference() {
                let mut b = [0; 4];
                self.add_text(c.encode_utf8(&mut b))?;
            }
            return Ok(());
        }
        let Some(name) = self.entity_name(false) else { return Ok(()) };
        if let Some(c) = predefined(&name) {
            let mut b = [0; 4];
            return self.add_text(c.encode_utf8(&mut b));
        }
        if self.broken {
            return Ok(());
        }
        let (value, read) = match self.entities.get_mut(&name) {
            Some(e) => (e.value.clone(), std::mem::replace(&mut e.read, true)),
            None => return Ok(()),
        };
        let mut shown = String::new();
        if let Some(value) = value {
            if self.depth >= MAX_ENTITIES || !self.grows(value.len()) {
                self.looping();
                return Ok(());
            }
            if !read || self.depth > 0 {
                self.within(&name, value.clone())?;
            }
            if self.tree.is_some() && !self.halted {
                self.plain(&value, &mut shown, 0)?;
            }
        }
        let name = self.intern(&name);
        self.add(Kind::Reference, |n| (n.name, n.value) = (name, shown.into()));
        Ok(())
    }
    /// The characters of an entity's text, without its tags.
    pub(super) fn plain(&mut self, value: &str, out: &mut String, depth: usize) -> Result<()> {
        let mut rest = value;
        work::charge(value.len() / 4 + 8)?;
        while let Some(n) = rest.find(['&', '<']) {
            out.push_str(&rest[..n]);
            let tag = rest.as_bytes()[n] == b'<';
            let Some(end) = rest[n..].find(if tag { '>' } else { ';' }) else { return Ok(()) };
            let inner = &rest[n + 1..n + end];
            if !tag {
                match (inner.strip_prefix('#'), predefined(inner)) {
                    (Some(number), _) => out.extend(number_reference(number)),
                    (None, Some(c)) => out.push(c),
                    (None, None) => {
                        let value = self.entities.get(inner).and_then(|e| e.value.clone());
                        if let Some(v) = value.filter(|v| depth < MAX_ENTITIES && self.grows(v.len())) {
                            self.plain(&v, out, depth + 1)?;
                        }
                    }
                }
            }
            rest = &rest[n + end + 1..];
        }
        out.push_str(rest);
        Ok(())
    }
    /// Reads an entity's text as content of the place where it is named; nothing of it becomes a part of the tree.
    pub(super) fn within(&mut self, name: &str, value: Rc<str>) -> Result<()> {
        work::charge(value.len() / 4 + 16)?;
        let outer = (std::mem::replace(&mut self.text, value), std::mem::take(&mut self.at));
        let count = (std::mem::take(&mut self.counted), std::mem::replace(&mut self.line, 1));
        self.end_text();
        let tree = self.tree.take();
        let node = self.node;
        let open = std::mem::take(&mut self.open);
        self.depth += 1;
        let done = self.content(0, false);
        if !self.open.is_empty() && !self.halted {
            self.premature();
        }
        if self.looks_at("</") && !self.broken {
            self.fatal("chunk is not well balanced");
        }
        self.depth -= 1;
        (self.tree, self.node, self.open) = (tree, node, open);
        (self.text, self.at) = outer;
        (self.counted, self.line) = count;
        done?;
        if self.broken {
            self.fatal(&format!("Entity '{name}' failed to parse"));
        }
        Ok(())
    }
}

fn number_reference(s: &str) -> Option<char> {
    let n = match s.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => s.parse().ok()?,
    };
    char::from_u32(n)
}
fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}
