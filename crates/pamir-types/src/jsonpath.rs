//! jsonpath: what the SQL/JSON path language says (jsonpath_scan.l, jsonpath_gram.y), as a tree, and its text (jsonpath.c).
//!
//! A value is kept as its text, in the one form that PostgreSQL prints ([`normalize`]); who runs it reads that again ([`JsonPath::parse`]).
//! What a path does to a document is pamir-expr's.
//!
//! ```text
//! lax $.a[*] ? (@.b > 1).type()
//! |   |                  Path: a head (Root) and steps (Key, AnyArray, Filter, Method), each over what the step before found
//! |   a filter, a subscript and an operand of an operator are paths in turn
//! mode
//! ```
//! Invariants: `@` stands inside of filters only, `last` inside of subscripts only; a path has a head. Limit: [`MAX_DEPTH`] levels of
//! operators (54001).
use crate::numeric::Numeric;
use crate::{Result, json};
use std::io::Write;

mod parse;
#[cfg(test)]
mod tests;

/// How deep operators stand within each other; a bracket or a filter counts as eight of them.
pub const MAX_DEPTH: usize = 480;

#[derive(Clone, Debug)]
pub struct JsonPath {
    pub lax: bool,
    pub path: Path,
}
/// A head and the steps behind it.
pub type Path = Vec<Node>;

#[derive(Clone, Debug)]
pub enum Node {
    Null,
    Bool(bool),
    Number(Numeric),
    String(Box<str>),
    Variable(Box<str>),
    /// `$`
    Root,
    /// `@`
    Current,
    Last,
    Key(Box<str>),
    /// `.*`
    AnyKey,
    /// `[*]`
    AnyArray,
    /// `[1, 2 to last]`
    Index(Vec<(Path, Option<Path>)>),
    /// `.**{first to last}`; u32::MAX: the last level.
    Levels(u32, u32),
    Method(Method),
    Datetime(Option<Box<str>>),
    Filter(Path),
    Binary(Op, Path, Path),
    Plus(Path),
    Minus(Path),
    Not(Path),
    IsUnknown(Path),
    Exists(Path),
    Like(Path, Box<Like>),
}
/// `like_regex "pattern" flag "flags"`
#[derive(Clone, Debug)]
pub struct Like {
    pub pattern: Box<str>,
    pub icase: bool,
    pub dotall: bool,
    pub mline: bool,
    pub quote: bool,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    StartsWith,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    Type,
    Size,
    Double,
    Ceiling,
    Floor,
    Abs,
    KeyValue,
}

impl Op {
    pub fn name(self) -> &'static str {
        match self {
            Op::Or => "||",
            Op::And => "&&",
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::Less => "<",
            Op::LessOrEqual => "<=",
            Op::Greater => ">",
            Op::GreaterOrEqual => ">=",
            Op::StartsWith => "starts with",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Mod => "%",
        }
    }
    fn priority(self) -> u8 {
        match self {
            Op::Or => 0,
            Op::And => 1,
            Op::Add | Op::Sub => 3,
            Op::Mul | Op::Div | Op::Mod => 4,
            _ => 2,
        }
    }
}
impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Type => "type",
            Method::Size => "size",
            Method::Double => "double",
            Method::Ceiling => "ceiling",
            Method::Floor => "floor",
            Method::Abs => "abs",
            Method::KeyValue => "keyvalue",
        }
    }
}
impl Node {
    /// operationPriority: of the tightest binding the greatest.
    fn priority(&self) -> u8 {
        match self {
            Node::Binary(op, ..) => op.priority(),
            Node::Plus(_) | Node::Minus(_) => 5,
            _ => 6,
        }
    }
    /// Is it true, false or unknown?
    pub fn is_predicate(&self) -> bool {
        match self {
            Node::Binary(op, ..) => op.priority() <= 2,
            Node::Not(_) | Node::IsUnknown(_) | Node::Exists(_) | Node::Like(..) => true,
            _ => false,
        }
    }
}

/// The text that PostgreSQL prints of what it was given; the errors of one that is none.
pub fn normalize(s: &str) -> Result<String> {
    let p = JsonPath::parse(s)?;
    let mut out = Vec::with_capacity(s.len() + 8);
    p.format(&mut out);
    Ok(String::from_utf8_lossy(&out).into_owned())
}

impl JsonPath {
    pub fn parse(s: &str) -> Result<JsonPath> {
        parse::parse(s)
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        if !self.lax {
            out.extend_from_slice(b"strict ");
        }
        put_path(&self.path, false, true, out);
    }
}

/// printJsonPathItem
fn put_path(p: &[Node], within_key: bool, brackets: bool, out: &mut Vec<u8>) {
    for (i, n) in p.iter().enumerate() {
        let (key, brackets) = if i == 0 { (within_key, brackets) } else { (true, true) };
        put_node(n, key, brackets, p.len() > i + 1, out);
    }
}
/// An operand, in brackets where it binds no tighter than `than`.
fn put_operand(p: &[Node], than: u8, out: &mut Vec<u8>) {
    put_path(p, false, p.first().is_none_or(|n| n.priority() <= than), out);
}
fn put_node(n: &Node, within_key: bool, brackets: bool, more: bool, out: &mut Vec<u8>) {
    let text = |s: &str, out: &mut Vec<u8>| out.extend_from_slice(s.as_bytes());
    let open = |out: &mut Vec<u8>| out.extend_from_slice(if brackets { b"(" } else { b"" });
    let close = |out: &mut Vec<u8>| out.extend_from_slice(if brackets { b")" } else { b"" });
    match n {
        Node::Null => text("null", out),
        Node::Bool(b) => text(if *b { "true" } else { "false" }, out),
        Node::Number(v) if more => {
            out.push(b'(');
            v.format(out);
            out.push(b')');
        }
        Node::Number(v) => v.format(out),
        Node::String(s) => json::escape(s, out),
        Node::Variable(s) => {
            out.push(b'$');
            json::escape(s, out);
        }
        Node::Root => out.push(b'$'),
        Node::Current => out.push(b'@'),
        Node::Last => text("last", out),
        Node::Key(k) => {
            text(if within_key { "." } else { "" }, out);
            json::escape(k, out);
        }
        Node::AnyKey => text(if within_key { ".*" } else { "*" }, out),
        Node::AnyArray => text("[*]", out),
        Node::Index(list) => {
            for (i, (from, to)) in list.iter().enumerate() {
                out.push(if i == 0 { b'[' } else { b',' });
                put_path(from, false, false, out);
                if let Some(to) = to {
                    text(" to ", out);
                    put_path(to, false, false, out);
                }
            }
            out.push(b']');
        }
        Node::Levels(first, last) => {
            text(if within_key { "." } else { "" }, out);
            put_levels(*first, *last, out);
        }
        Node::Method(m) => drop(write!(out, ".{}()", m.name())),
        Node::Datetime(template) => {
            text(".datetime(", out);
            if let Some(t) = template {
                json::escape(t, out);
            }
            out.push(b')');
        }
        Node::Filter(p) => {
            text("?(", out);
            put_path(p, false, false, out);
            out.push(b')');
        }
        Node::Binary(op, left, right) => {
            open(out);
            put_operand(left, op.priority(), out);
            let _ = write!(out, " {} ", op.name());
            put_operand(right, op.priority(), out);
            close(out);
        }
        Node::Plus(p) | Node::Minus(p) => {
            open(out);
            out.push(if matches!(n, Node::Plus(_)) { b'+' } else { b'-' });
            put_operand(p, n.priority(), out);
            close(out);
        }
        Node::Not(p) => {
            text("!(", out);
            put_path(p, false, false, out);
            out.push(b')');
        }
        Node::IsUnknown(p) => {
            out.push(b'(');
            put_path(p, false, false, out);
            text(") is unknown", out);
        }
        Node::Exists(p) => {
            text("exists (", out);
            put_path(p, false, false, out);
            out.push(b')');
        }
        Node::Like(p, like) => {
            open(out);
            put_operand(p, n.priority(), out);
            text(" like_regex ", out);
            json::escape(&like.pattern, out);
            let flags: String = [(like.icase, 'i'), (like.dotall, 's'), (like.mline, 'm'), (like.quote, 'q')]
                .iter()
                .filter(|f| f.0)
                .map(|f| f.1)
                .collect();
            if !flags.is_empty() {
                let _ = write!(out, " flag \"{flags}\"");
            }
            close(out);
        }
    }
}
fn put_levels(first: u32, last: u32, out: &mut Vec<u8>) {
    const LAST: u32 = u32::MAX;
    let _ = match (first, last) {
        (0, LAST) => write!(out, "**"),
        (LAST, LAST) => write!(out, "**{{last}}"),
        (a, b) if a == b => write!(out, "**{{{a}}}"),
        (LAST, b) => write!(out, "**{{last to {b}}}"),
        (a, LAST) => write!(out, "**{{{a} to last}}"),
        (a, b) => write!(out, "**{{{a} to {b}}}"),
    };
}
