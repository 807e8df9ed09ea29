//! Tags: an element's name, its attributes, the namespaces that it declares.
use super::super::tree::{Kind, NONE, NodeId, XML_NAMESPACE};
use super::super::{is_char, uri};
use super::{Attribute, MAX_DEPTH, Open, Parser, Started};
use crate::{Result, work};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Parser {
    /// True: the element is open now, and content follows.
    pub(super) fn element_start(&mut self) -> Result<bool> {
        if self.open.len() > MAX_DEPTH {
            let says = format!("internal error: Excessive depth in document: {MAX_DEPTH} use XML_PARSE_HUGE option");
            self.fatal(&says);
            self.halted = true;
            return Ok(false);
        }
        let from = self.at;
        let declared = self.namespaces.len();
        let Some((prefix, name, node)) = self.start_tag()? else { return Ok(false) };
        let line = self.line_of(from);
        if self.looks_at("/>") {
            self.at += 2;
            self.namespaces.truncate(declared);
            return Ok(false);
        }
        if self.byte(0) != b'>' {
            self.fatal(&format!("Couldn't find end of Start Tag {name} line {line}"));
            self.namespaces.truncate(declared);
            return Ok(false);
        }
        self.at += 1;
        self.open.push(Open { prefix, name, line, node: self.node, declared });
        self.node = node;
        Ok(true)
    }
    pub(super) fn start_tag(&mut self) -> Result<Option<Started>> {
        self.at += 1;
        let Some((prefix, name)) = self.qname() else {
            self.fatal("StartTag: invalid element name");
            return Ok(None);
        };
        self.blanks();
        let first = self.namespaces.len();
        let mut attributes: Vec<Attribute> = Vec::new();
        while self.byte(0) != b'>' && !self.looks_at("/>") && self.char().is_some_and(|c| c >= ' ' || is_char(c)) {
            work::charge(8)?;
            let Some((p, local)) = self.qname() else {
                self.fatal("error parsing attribute name");
                self.fatal("attributes construct error");
                break;
            };
            self.blanks();
            if self.byte(0) == b'=' {
                self.at += 1;
                self.blanks();
                if let Some(value) = self.attribute_value()? {
                    self.attribute(p, local, value, first, &mut attributes);
                }
            } else {
                let full = p.map_or(local.to_string(), |_| local.to_string());
                self.fatal(&format!("Specification mandates value for attribute {full}"));
            }
            if self.byte(0) == b'>' || self.looks_at("/>") {
                break;
            }
            if self.blanks() == 0 {
                self.fatal("attributes construct error");
                break;
            }
        }
        let spaces = self.check_attributes(&name, &attributes)?;
        let space = self.namespace(prefix.as_deref());
        if let (Some(p), None) = (&prefix, &space) {
            self.of_namespace(&format!("Namespace prefix {p} on {name} is not defined"));
        }
        let node = self.make_element(prefix.clone(), name.clone(), space, first, attributes, spaces);
        Ok(Some((prefix, name, node)))
    }
    pub(super) fn make_element(
        &mut self,
        prefix: Option<Arc<str>>,
        name: Arc<str>,
        space: Option<Arc<str>>,
        first: usize,
        attributes: Vec<Attribute>,
        spaces: Vec<Option<Arc<str>>>,
    ) -> NodeId {
        let declares = self.namespaces[first..].to_vec();
        let node = self.add(Kind::Element, |n| {
            (n.prefix, n.name, n.namespace, n.declares) = (prefix, name, space, declares);
        });
        let Some(t) = &mut self.tree else { return NONE };
        for ((prefix, name, value), space) in attributes.into_iter().zip(spaces) {
            t.push(Kind::Attribute, node, |n| {
                (n.prefix, n.name, n.namespace, n.value) = (prefix, name, space, value.into());
            });
        }
        node
    }
    /// An attribute, or a declaration of a namespace.
    pub(super) fn attribute(
        &mut self,
        prefix: Option<Arc<str>>,
        name: Arc<str>,
        value: String,
        first: usize,
        attributes: &mut Vec<Attribute>,
    ) {
        let xmlns = "http://www.w3.org/2000/xmlns/";
        let of = match (prefix.as_deref(), &*name) {
            (None, "xmlns") => None,
            (Some("xmlns"), _) => Some(name.clone()),
            _ => return attributes.push((prefix, name, value)),
        };
        match &of {
            None if !value.is_empty() => {
                match uri::absolute(&value) {
                    None => self.of_namespace(&format!("xmlns: '{value}' is not a valid URI")),
                    Some(false) if self.strict => self.warn(&format!("xmlns: URI {value} is not absolute")),
                    Some(_) => {}
                }
                if value == XML_NAMESPACE {
                    return self.of_namespace("xml namespace URI cannot be the default namespace");
                }
                if value == xmlns {
                    return self.of_namespace("reuse of the xmlns namespace name is forbidden");
                }
            }
            None => {}
            Some(p) if &**p == "xml" => {
                if value != XML_NAMESPACE {
                    self.of_namespace("xml namespace prefix mapped to wrong URI");
                }
                return;
            }
            Some(_) if value == XML_NAMESPACE => return self.of_namespace("xml namespace URI mapped to wrong prefix"),
            Some(p) if &**p == "xmlns" => return self.of_namespace("redefinition of the xmlns prefix is forbidden"),
            Some(_) if value == xmlns => return self.of_namespace("reuse of the xmlns namespace name is forbidden"),
            Some(p) if value.is_empty() => {
                return self.of_namespace(&format!("xmlns:{p}: Empty XML namespace is not allowed"));
            }
            Some(p) if uri::absolute(&value).is_none() => {
                self.of_namespace(&format!("xmlns:{p}: '{value}' is not a valid URI"));
            }
            Some(_) => {}
        }
        let _ = work::charge((self.namespaces.len() - first) / 8);
        if self.namespaces[first..].iter().any(|n| n.0 == of) {
            let full = prefix.map_or(name.to_string(), |p| format!("{p}:{name}"));
            return self.fatal(&format!("Attribute {full} redefined"));
        }
        let uri = self.intern(&value);
        self.namespaces.push((of, uri));
    }
    /// The attributes' namespaces; two of one name are one too many.
    pub(super) fn check_attributes(
        &mut self,
        element: &str,
        attributes: &[Attribute],
    ) -> Result<Vec<Option<Arc<str>>>> {
        let mut spaces: Vec<Option<Arc<str>>> = Vec::with_capacity(attributes.len());
        let mut seen: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (i, (prefix, name, _)) in attributes.iter().enumerate() {
            work::charge(8)?;
            let space = match prefix {
                Some(p) => self.namespace(Some(p)),
                None => None,
            };
            if let (Some(p), None) = (prefix, &space) {
                self.of_namespace(&format!("Namespace prefix {p} for {name} on {element} is not defined"));
            }
            let others = seen.entry(name).or_default();
            work::charge(others.len())?;
            for &j in others.iter() {
                if attributes[j].0 == *prefix {
                    let full = prefix.as_ref().map_or(name.to_string(), |p| format!("{p}:{name}"));
                    self.fatal(&format!("Attribute {full} redefined"));
                    break;
                }
                if let Some(uri) = space.as_ref().filter(|s| spaces[j].as_ref() == Some(s)) {
                    self.of_namespace(&format!("Namespaced Attribute {name} in '{uri}' redefined"));
                    break;
                }
            }
            others.push(i);
            spaces.push(space);
        }
        Ok(spaces)
    }
    /// A value in quotes, normalized; None: there is none.
    pub(super) fn attribute_value(&mut self) -> Result<Option<String>> {
        let quote = match self.byte(0) {
            q @ (b'"' | b'\'') => q,
            _ => {
                self.fatal("AttValue: \" or ' expected");
                return Ok(None);
            }
        };
        self.at += 1;
        let mut out = String::new();
        while let Some(c) = self.char() {
            work::charge(1)?;
            match c {
                '<' => {
                    self.fatal("Unescaped '<' not allowed in attributes values");
                    return Ok(Some(out));
                }
                '&' if self.byte(1) == b'#' => {
                    if let Some(c) = self.char_reference() {
                        out.push(c);
                    }
                }
                '&' => {
                    if let Some(name) = self.entity_name(true) {
                        self.expand(&name, &mut out, 0)?;
                    }
                }
                c if c as u32 == u32::from(quote) => {
                    self.at += 1;
                    return Ok(Some(out));
                }
                '\r' if self.byte(1) == b'\n' => self.at += 1,
                '\n' | '\t' | '\r' => {
                    out.push(' ');
                    self.at += 1;
                }
                c if !is_char(c) => {
                    self.fatal("invalid character in attribute value");
                    return Ok(Some(out));
                }
                c => {
                    out.push(c);
                    self.bump();
                }
            }
        }
        self.fatal("AttValue: ' expected");
        Ok(Some(out))
    }
    pub(super) fn element_end(&mut self) {
        let Some(o) = self.open.pop() else { return };
        self.at += 2;
        let before = self.at;
        let full = o.prefix.as_ref().map_or_else(|| o.name.to_string(), |p| format!("{p}:{}", o.name));
        let mut other = None;
        if self.looks_at(&full) && matches!(self.byte(full.len()), b'>' | b' ' | b'\t' | b'\n' | b'\r') {
            self.at += full.len();
        } else if o.prefix.is_none() {
            let name = self.name(true);
            other = (name.as_deref() != Some(&*o.name)).then(|| name.unwrap_or_else(|| "unparsable".into()));
        } else {
            self.at = before;
            let name = self.qname();
            let same = name.as_ref().is_some_and(|n| n.0 == o.prefix && n.1 == o.name);
            other = (!same).then(|| name.map_or("unparsable".into(), |n| n.1.to_string()));
        }
        self.blanks();
        if self.byte(0) != b'>' {
            self.fatal("expected '>'");
        } else {
            self.at += 1;
        }
        if let Some(other) = other {
            self.fatal(&format!("Opening and ending tag mismatch: {} line {} and {other}", o.name, o.line));
        }
        self.namespaces.truncate(o.declared);
        self.end_text();
        self.node = o.node;
    }
}
