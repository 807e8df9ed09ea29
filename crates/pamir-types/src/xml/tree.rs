//! A text taken apart: nodes in one vector, in document order.
//!
//! ```text
//!   0 Document -> Element -> Text, Cdata, Comment, Instruction, Reference, Element ...
//!                    '-- attributes (nodes of their own behind their element), declarations of namespaces
//! ```
//! *Invariants*: a node's number is its place in document order; an element's attributes follow it directly; parents come before children.
use super::escape;
use crate::{Result, memory, work};
use std::sync::Arc;

pub type NodeId = u32;
/// A namespace: its prefix (None: the default), its URI.
pub type Declared = (Option<Arc<str>>, Arc<str>);
/// The document node.
pub const ROOT: NodeId = 0;
/// No node.
pub const NONE: NodeId = u32::MAX;
/// The namespace of the prefix `xml`.
pub const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Document,
    Element,
    Attribute,
    Text,
    Cdata,
    Comment,
    Instruction,
    /// `&name;` of an entity that is not put in; its value is what it stands for.
    Reference,
    /// The document type's declaration: no node of XPath's.
    Doctype,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub parent: NodeId,
    pub first: NodeId,
    pub last: NodeId,
    pub next: NodeId,
    pub previous: NodeId,
    /// Of elements, attributes, instructions, references: the name behind its prefix.
    pub name: Arc<str>,
    /// Of an instruction: is there anything behind its target, be it a blank?
    pub prefix: Option<Arc<str>>,
    /// The URI of its namespace.
    pub namespace: Option<Arc<str>>,
    /// The text, or an attribute's value.
    pub value: Arc<str>,
    /// How many attributes follow it.
    pub attributes: u32,
    /// The namespaces that it declares.
    pub declares: Vec<Declared>,
}

#[derive(Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
}

/// A node's text behind `out`, which may be as long as a document for each of its nested elements.
fn push(text: &str, out: &mut String) -> Result<()> {
    memory::admit_growth(out.capacity(), out.len() + text.len())?;
    out.push_str(text);
    Ok(())
}
impl Tree {
    /// A tree of the document node alone.
    pub fn new() -> Tree {
        let mut t = Tree::default();
        t.nodes.push(blank(Kind::Document, NONE));
        t
    }
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
    /// Appends a node to `parent`'s children; an attribute is none of them.
    pub fn push(&mut self, kind: Kind, parent: NodeId, fill: impl FnOnce(&mut Node)) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let mut n = blank(kind, parent);
        fill(&mut n);
        if n.kind == Kind::Attribute {
            self.nodes[parent as usize].attributes += 1;
        } else {
            let last = self.nodes[parent as usize].last;
            n.previous = last;
            match last {
                NONE => self.nodes[parent as usize].first = id,
                last => self.nodes[last as usize].next = id,
            }
            self.nodes[parent as usize].last = id;
        }
        self.nodes.push(n);
        id
    }
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let start = self.node(id).first;
        std::iter::successors((start != NONE).then_some(start), |n| {
            let next = self.node(*n).next;
            (next != NONE).then_some(next)
        })
    }
    pub fn attributes(&self, id: NodeId) -> std::ops::Range<NodeId> {
        id + 1..id + 1 + self.node(id).attributes
    }
    /// The URI that a prefix stands for at an element; None where it is not declared, or is undeclared again.
    pub fn namespace_at(&self, mut id: NodeId, prefix: Option<&str>) -> Option<Arc<str>> {
        if prefix == Some("xml") {
            return Some(XML_NAMESPACE.into());
        }
        while id != NONE {
            let n = self.node(id);
            if let Some((_, uri)) = n.declares.iter().find(|d| d.0.as_deref() == prefix) {
                return (!uri.is_empty()).then(|| uri.clone());
            }
            id = n.parent;
        }
        None
    }
    /// XPath's string-value, appended.
    pub fn string_value(&self, id: NodeId, out: &mut String) -> Result<()> {
        let n = self.node(id);
        match n.kind {
            Kind::Document | Kind::Element => self.content(id, out),
            _ => {
                work::charge(n.value.len() / 8 + 1)?;
                push(&n.value, out)
            }
        }
    }
    /// The texts below a node.
    fn content(&self, top: NodeId, out: &mut String) -> Result<()> {
        let mut at = self.node(top).first;
        while at != NONE {
            let n = self.node(at);
            work::charge(4 + n.value.len() / 8)?;
            if matches!(n.kind, Kind::Text | Kind::Cdata | Kind::Reference) {
                push(&n.value, out)?;
            }
            at = self.following(at, top, n.kind == Kind::Element);
        }
        Ok(())
    }
    /// The next node in document order within `top`, its own children first if `down`; attributes are left out.
    pub fn following(&self, at: NodeId, top: NodeId, down: bool) -> NodeId {
        let n = self.node(at);
        if down && n.first != NONE {
            return n.first;
        }
        let mut at = at;
        while at != top && at != NONE {
            let n = self.node(at);
            if n.next != NONE {
                return n.next;
            }
            at = n.parent;
        }
        NONE
    }
    /// A node as text: an element with all in it and with the declarations that it needs from above.
    pub fn serialize(&self, id: NodeId, out: &mut String) -> Result<()> {
        let needed = if self.node(id).kind == Kind::Element { self.needed(id)? } else { Vec::new() };
        if self.node(id).kind == Kind::Document {
            for c in self.children(id) {
                self.write(c, None, out)?;
                out.push('\n');
            }
            return Ok(());
        }
        self.write(id, Some(&needed), out)
    }
    /// The declarations above `top` that what is in it uses, in the order of their use.
    fn needed(&self, top: NodeId) -> Result<Vec<Declared>> {
        let mut needed: Vec<Declared> = Vec::new();
        let mut at = top;
        while at != NONE {
            work::charge(8 + needed.len())?;
            let n = self.node(at);
            for named in std::iter::once(at).chain(self.attributes(at)) {
                let x = self.node(named);
                let Some(uri) = &x.namespace else { continue };
                if x.prefix.as_deref() == Some("xml") || needed.iter().any(|d| d.0 == x.prefix) {
                    continue;
                }
                if !self.declared_within(at, top, x.prefix.as_deref()) {
                    needed.push((x.prefix.clone(), uri.clone()));
                }
            }
            at = self.following(at, top, n.kind == Kind::Element);
        }
        Ok(needed)
    }
    fn declared_within(&self, mut at: NodeId, top: NodeId, prefix: Option<&str>) -> bool {
        loop {
            let n = self.node(at);
            if n.declares.iter().any(|d| d.0.as_deref() == prefix) {
                return true;
            }
            if at == top || n.parent == NONE {
                return false;
            }
            at = n.parent;
        }
    }
    /// `copied`: what a node that is taken out of its document has to declare; None: the document is written.
    fn write(&self, top: NodeId, copied: Option<&[Declared]>, out: &mut String) -> Result<()> {
        let needed = copied.unwrap_or(&[]);
        let mut at = top;
        loop {
            let n = self.node(at);
            work::charge(8 + n.value.len() / 8)?;
            let opened = self.open(at, if at == top { needed } else { &[] }, copied.is_some(), out);
            if opened {
                at = n.first;
                continue;
            }
            // Upwards, past all that end here.
            loop {
                if at == top {
                    return Ok(());
                }
                let n = self.node(at);
                if n.next != NONE {
                    at = n.next;
                    break;
                }
                at = n.parent;
                self.close(at, out);
            }
        }
    }
    /// Writes a node, or the tag that begins an element with children (true).
    fn open(&self, id: NodeId, needed: &[Declared], ascii: bool, out: &mut String) -> bool {
        let n = self.node(id);
        match n.kind {
            Kind::Document => return n.first != NONE,
            Kind::Text => text(&n.value, out),
            Kind::Cdata => {
                out.push_str("<![CDATA[");
                out.push_str(&n.value.replace("]]>", "]]]]><![CDATA[>"));
                out.push_str("]]>");
            }
            Kind::Comment => {
                out.push_str("<!--");
                out.push_str(&n.value);
                out.push_str("-->");
            }
            Kind::Instruction => {
                out.push_str("<?");
                out.push_str(&n.name);
                if n.prefix.is_some() {
                    out.push(' ');
                    out.push_str(&n.value);
                }
                out.push_str("?>");
            }
            Kind::Reference => {
                out.push('&');
                out.push_str(&n.name);
                out.push(';');
            }
            Kind::Doctype => out.push_str(&n.value),
            Kind::Attribute => escape(&n.value, out),
            Kind::Element => {
                out.push('<');
                self.name(n, out);
                for (prefix, uri) in n.declares.iter().chain(needed) {
                    match prefix {
                        Some(p) => {
                            out.push_str(" xmlns:");
                            out.push_str(p);
                        }
                        None => out.push_str(" xmlns"),
                    }
                    out.push('=');
                    uri_value(uri, out);
                }
                for a in self.attributes(id) {
                    let a = self.node(a);
                    out.push(' ');
                    self.name(a, out);
                    out.push_str("=\"");
                    attribute(&a.value, ascii, out);
                    out.push('"');
                }
                if n.first == NONE {
                    out.push_str("/>");
                    return false;
                }
                out.push('>');
                return true;
            }
        }
        false
    }
    fn close(&self, id: NodeId, out: &mut String) {
        let n = self.node(id);
        if n.kind == Kind::Element {
            out.push_str("</");
            self.name(n, out);
            out.push('>');
        }
    }
    fn name(&self, n: &Node, out: &mut String) {
        if let Some(p) = &n.prefix {
            out.push_str(p);
            out.push(':');
        }
        out.push_str(&n.name);
    }
}

fn blank(kind: Kind, parent: NodeId) -> Node {
    Node {
        kind,
        parent,
        first: NONE,
        last: NONE,
        next: NONE,
        previous: NONE,
        name: "".into(),
        prefix: None,
        namespace: None,
        value: "".into(),
        attributes: 0,
        declares: Vec::new(),
    }
}

/// A text node's characters as the library writes them.
fn text(s: &str, out: &mut String) {
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
}
/// An attribute's value. `ascii`: what is more than that stands there by its number, since a copied node has no document that names an encoding.
fn attribute(s: &str, ascii: bool, out: &mut String) {
    for c in s.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_ascii() || !ascii => {
                let mut b = [0; 4];
                text(c.encode_utf8(&mut b), out);
            }
            c => out.push_str(&format!("&#x{:X};", c as u32)),
        }
    }
}
/// A namespace's URI is quoted as it is.
fn uri_value(s: &str, out: &mut String) {
    let quote = if s.contains('"') && !s.contains('\'') { '\'' } else { '"' };
    out.push(quote);
    if s.contains('"') && quote == '"' {
        out.push_str(&s.replace('"', "&quot;"))
    } else {
        out.push_str(s)
    }
    out.push(quote);
}
