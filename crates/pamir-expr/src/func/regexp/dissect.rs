//! Who matched what: the parts of a match as PostgreSQL's engine divides them (regcomp.c's tree, regexec.c's dissection), back references and look-around.
//!
//! The `regex` crate takes, of all ways to match, the first in the order of the pattern. PostgreSQL takes the earliest start, then the longest end (or the shortest, as the
//! first quantifier with a preference says), and divides the span from left to right, each part as long or as short as *its* preference says. So the two differ where
//! alternatives or repeated groups leave a choice, and where greedy and non-greedy quantifiers are mixed:
//!
//! ```text
//! '(a|ab)(c|bcd)(d*)' on abcd           crate: a bcd ''           here: ab c d
//!
//! tree of '^(a*){1,1}?(b|bc)\1'         .                         nodes that must be told apart: '.' concatenation, '|' alternatives, '*' iterations,
//!                                      / \                        '(' groups, 'b' back references
//!                                     ^   .                       leaves '=' are regular: what they match need not be divided
//!                                        / \
//!                                  (a*)     .
//!                                          / \
//!                                    (b|bc)   \1
//! ```
//! Every node has a regular shape (`Reg`), of which `ends` finds all ends from a start, by sets of places: no exponential walk there. The walk of the tree tries the
//! places where two parts may meet, longest or shortest first. Without back references the first division that fits in the shapes is nearly always it; with them the time
//! may grow exponentially, as PostgreSQL's does. All of it charges work and so hears of a cancel.
//!
//! Invariant: the pattern was read by [`super::translate`] before, which knows every error; a pattern that this parser cannot read is "too complex".
//! Limits: [`DEPTH`] parts that must be told apart, in a row or within each other; [`CLASSES`] different sets of characters.
use super::{Flags, Spans, bracket, escape_char, invalid};
use pamir_types::{Result, memory, work};
use regex::Regex;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep a tree may be, and how many parts a branch may have that must be told apart.
const DEPTH: usize = 200;

/// Different sets of characters in a pattern: each is a small program of the crate.
const CLASSES: usize = 500;

const LONGER: u8 = 1;
const SHORTER: u8 = 2;
const MIXED: u8 = 4;
const CAPTURES: u8 = 8;
const BACK: u8 = 16;
/// What a node takes from those below it.
fn up(f: u8) -> u8 {
    let both = if f & LONGER != 0 && f & SHORTER != 0 { MIXED } else { 0 };
    f & (MIXED | CAPTURES | BACK) | both
}
fn preference(f: u8) -> u8 {
    f & (LONGER | SHORTER)
}
fn combine(a: u8, b: u8) -> u8 {
    let preferred = if preference(a) != 0 { preference(a) } else { preference(b) };
    up(a | b) | preferred
}
fn is_messy(f: u8) -> bool {
    f & (MIXED | CAPTURES | BACK) != 0
}

/// A set of characters: ASCII by a table, others by the crate.
struct Class {
    ascii: [bool; 128],
    others: Regex,
}
impl Class {
    fn new(text: &str, icase: bool) -> Result<Class> {
        let others = super::build(&format!("^{text}$"), Flags { icase, ..Flags::default() })?;
        let ascii = std::array::from_fn(|i| others.is_match((i as u8 as char).encode_utf8(&mut [0; 4])));
        Ok(Class { ascii, others })
    }
    fn has(&self, c: char) -> bool {
        match self.ascii.get(c as usize) {
            Some(b) => *b,
            None => self.others.is_match(c.encode_utf8(&mut [0; 4])),
        }
    }
}
#[derive(Clone, Copy)]
enum Place {
    Begin,
    End,
    LineBegin,
    LineEnd,
    WordBegin,
    WordEnd,
    WordEdge,
    NoWordEdge,
}
/// A regular shape.
enum Reg {
    Char(char),
    Class(Rc<Class>),
    Seq(Vec<Rc<Reg>>),
    Alt(Vec<Rc<Reg>>),
    Repeat(Rc<Reg>, u32, Option<u32>),
    At(Place),
    Look { ahead: bool, negated: bool, what: Rc<Reg> },
}
enum Op {
    Regular,
    Concat,
    Alternatives,
    Iterate(u32, Option<u32>),
    Group,
    Back(usize, u32, Option<u32>),
}
/// A node of the tree.
struct Node {
    op: Op,
    flags: u8,
    /// The group that it is; 0: none.
    capture: usize,
    shape: Rc<Reg>,
    below: Vec<Node>,
}
impl Node {
    fn regular(shape: Reg, flags: u8) -> Node {
        Node { op: Op::Regular, flags, capture: 0, shape: Rc::new(shape), below: Vec::new() }
    }
}

pub struct Tree {
    root: Node,
    groups: usize,
    icase: bool,
}

struct Parser<'p> {
    c: &'p [char],
    i: usize,
    f: Flags,
    groups: usize,
    shapes: Vec<Option<Rc<Reg>>>,
    classes: FxHashMap<String, Rc<Class>>,
}
fn complex() -> pamir_types::Error {
    invalid("regular expression is too complex")
}
impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.c.get(self.i).copied()
    }
    fn eat(&mut self, s: &str) -> bool {
        let is = s.chars().enumerate().all(|(k, x)| self.c.get(self.i + k) == Some(&x));
        if is {
            self.i += s.len();
        }
        is
    }
    /// What means nothing: white space and comments of the expanded syntax, `(?#...)`.
    fn skip(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r') if self.f.expanded => self.i += 1,
                Some('#') if self.f.expanded => {
                    while self.peek().is_some_and(|x| x != '\n') {
                        self.i += 1;
                    }
                }
                Some('(') if self.c.get(self.i + 1) == Some(&'?') && self.c.get(self.i + 2) == Some(&'#') => {
                    while self.peek().is_some_and(|x| x != ')') {
                        self.i += 1;
                    }
                    self.i += 1;
                }
                _ => return,
            }
        }
    }
    /// Branches, up to a closing parenthesis or the end.
    fn alternatives(&mut self, within_look: bool, depth: usize) -> Result<Node> {
        if depth > DEPTH {
            return Err(complex());
        }
        let mut branches = vec![self.branch(within_look, depth)?];
        while self.peek() == Some('|') {
            self.i += 1;
            branches.push(self.branch(within_look, depth)?);
        }
        if branches.len() == 1 {
            return branches.pop().ok_or_else(complex);
        }
        let flags = branches.iter().fold(LONGER, |f, b| f | up(f | b.flags));
        let shape = Rc::new(Reg::Alt(branches.iter().map(|b| b.shape.clone()).collect()));
        let messy = is_messy(flags);
        let op = if messy { Op::Alternatives } else { Op::Regular };
        Ok(Node { op, flags, capture: 0, shape, below: if messy { branches } else { Vec::new() } })
    }
    /// A sequence of atoms (parsebranch, parseqatom): those that are all alike are one leaf, and what comes behind one that must be told apart is a branch of its own.
    fn branch(&mut self, within_look: bool, depth: usize) -> Result<Node> {
        if depth > DEPTH {
            return Err(complex());
        }
        let (mut prefix, mut flags) = (Vec::new(), 0);
        loop {
            self.skip();
            match self.peek() {
                None | Some('|' | ')') => return Ok(Node::regular(Reg::Seq(prefix), flags)),
                _ => {}
            }
            if let Some(r) = self.constraint(depth)? {
                prefix.push(Rc::new(r));
                continue;
            }
            let group = self.peek() == Some('(');
            let mut atom = self.atom(within_look, depth)?;
            let (m, n, prefers) = self.quantifier()?;
            if n == Some(0) {
                continue;
            }
            let own = atom.flags & (LONGER | SHORTER | MIXED);
            let back = matches!(atom.op, Op::Back(..));
            let vacuous = m == 1 && n == Some(1) && (prefers == 0 || own == 0 || prefers == own);
            let all = flags | prefers | atom.flags;
            if !group && !back && !is_messy(up(all)) {
                flags = all;
                prefix.push(if vacuous { atom.shape } else { Rc::new(Reg::Repeat(atom.shape, m, n)) });
                continue;
            }
            // A group that captures nothing and prefers nothing else is as good as a part of the leaf.
            if group && !is_messy(atom.flags) && !is_messy(up(all)) {
                flags = combine(flags, combine(prefers, atom.flags));
                prefix.push(if vacuous { atom.shape } else { Rc::new(Reg::Repeat(atom.shape, m, n)) });
                continue;
            }
            atom = repeated(atom, m, n, prefers, vacuous);
            let rest = self.branch(within_look, depth + 1)?;
            let ends_here = matches!(&*rest.shape, Reg::Seq(v) if v.is_empty());
            let tail = if ends_here { atom } else { concat(atom, rest) };
            if prefix.is_empty() {
                return Ok(tail);
            }
            return Ok(concat(Node::regular(Reg::Seq(prefix), flags), tail));
        }
    }
    /// What takes no character: anchors, edges of words, look-around.
    fn constraint(&mut self, depth: usize) -> Result<Option<Reg>> {
        let lines = self.f.newline_anchor;
        let at = match self.peek() {
            Some('^') => (1, if lines { Place::LineBegin } else { Place::Begin }),
            Some('$') => (1, if lines { Place::LineEnd } else { Place::End }),
            Some('\\') => match self.c.get(self.i + 1) {
                Some('A') => (2, Place::Begin),
                Some('Z') => (2, Place::End),
                Some('m') => (2, Place::WordBegin),
                Some('M') => (2, Place::WordEnd),
                Some('y') => (2, Place::WordEdge),
                Some('Y') => (2, Place::NoWordEdge),
                _ => return Ok(None),
            },
            Some('[') if self.eat("[[:<:]]") => (0, Place::WordBegin),
            Some('[') if self.eat("[[:>:]]") => (0, Place::WordEnd),
            Some('(') => {
                let look = [("(?=", true, false), ("(?!", true, true), ("(?<=", false, false), ("(?<!", false, true)];
                for (s, ahead, negated) in look {
                    if self.eat(s) {
                        let what = self.alternatives(true, depth + 1)?.shape;
                        self.close()?;
                        return Ok(Some(Reg::Look { ahead, negated, what }));
                    }
                }
                return Ok(None);
            }
            _ => return Ok(None),
        };
        self.i += at.0;
        Ok(Some(Reg::At(at.1)))
    }
    fn close(&mut self) -> Result<()> {
        if self.eat(")") { Ok(()) } else { Err(complex()) }
    }
    fn atom(&mut self, within_look: bool, depth: usize) -> Result<Node> {
        let Some(ch) = self.peek() else { return Err(complex()) };
        if ch == '(' {
            let plain = self.eat("(?:");
            self.i += usize::from(!plain);
            let captures = !plain && !within_look;
            let n = if captures {
                self.groups += 1;
                self.shapes.push(None);
                self.groups
            } else {
                0
            };
            let mut node = self.alternatives(within_look, depth + 1)?;
            self.close()?;
            if captures {
                if let Some(s) = self.shapes.get_mut(n) {
                    *s = Some(node.shape.clone());
                }
                node.flags |= CAPTURES;
                if node.capture != 0 {
                    let (flags, shape) = (node.flags, node.shape.clone());
                    node = Node { op: Op::Group, flags, capture: 0, shape, below: vec![node] };
                }
                node.capture = n;
            }
            return Ok(node);
        }
        self.i += 1;
        let shape = match ch {
            '.' => self.class(if self.f.newline_stop { r"[^\n]" } else { "(?s:.)" })?,
            '[' => {
                let mut text = String::new();
                bracket(self.c, &mut self.i, &self.f, &mut text)?;
                self.class(&text)?
            }
            '\\' => return self.escaped(),
            c => self.one(c)?,
        };
        Ok(Node::regular(shape, 0))
    }
    fn escaped(&mut self) -> Result<Node> {
        let Some(ch) = self.peek() else { return Err(complex()) };
        self.i += 1;
        if ch.is_ascii_digit() && ch != '0' {
            let n = ch as usize - '0' as usize;
            let shape = self.shapes.get(n).cloned().flatten().unwrap_or_else(|| Rc::new(Reg::Seq(Vec::new())));
            return Ok(Node { op: Op::Back(n, 1, Some(1)), flags: BACK, capture: 0, shape, below: Vec::new() });
        }
        let class = match ch {
            'd' => "[0-9]",
            'D' => "[^0-9]",
            'w' => "[0-9A-Za-z_]",
            'W' => "[^0-9A-Za-z_]",
            's' => r"[ \t\n\r\x0b\x0c]",
            'S' => r"[^ \t\n\r\x0b\x0c]",
            _ => "",
        };
        if !class.is_empty() {
            return Ok(Node::regular(self.class(class)?, 0));
        }
        let v = escape_char(ch, self.c, &mut self.i)?.and_then(char::from_u32).ok_or_else(complex)?;
        Ok(Node::regular(self.one(v)?, 0))
    }
    fn class(&mut self, text: &str) -> Result<Reg> {
        if let Some(k) = self.classes.get(text) {
            return Ok(Reg::Class(k.clone()));
        }
        if self.classes.len() >= CLASSES {
            return Err(complex());
        }
        work::charge(20_000)?;
        let k = Rc::new(Class::new(text, self.f.icase)?);
        self.classes.insert(text.to_string(), k.clone());
        Ok(Reg::Class(k))
    }
    fn one(&mut self, c: char) -> Result<Reg> {
        match self.f.icase && (c.is_alphabetic() || !c.is_ascii()) {
            true => self.class(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            false => Ok(Reg::Char(c)),
        }
    }
    /// The counts, and what is preferred.
    fn quantifier(&mut self) -> Result<(u32, Option<u32>, u8)> {
        self.skip();
        let (m, n, prefers) = match self.peek() {
            Some('*') => (0, None, true),
            Some('+') => (1, None, true),
            Some('?') => (0, Some(1), true),
            Some('{') if self.c.get(self.i + 1).is_some_and(char::is_ascii_digit) => {
                let rest = self.c.get(self.i + 1..).unwrap_or(&[]);
                let end = rest.iter().position(|x| *x == '}').ok_or_else(complex)?;
                let body: String = rest.iter().take(end).collect();
                self.i += end + 1;
                let count = |s: &str| s.parse::<u32>().map_err(|_| complex());
                match body.split_once(',') {
                    None => (count(&body)?, Some(count(&body)?), false),
                    Some((m, "")) => (count(m)?, None, true),
                    Some((m, n)) => (count(m)?, Some(count(n)?), true),
                }
            }
            _ => return Ok((1, Some(1), 0)),
        };
        self.i += 1;
        let shorter = self.eat("?");
        Ok((
            m,
            n,
            if !prefers {
                0
            } else if shorter {
                SHORTER
            } else {
                LONGER
            },
        ))
    }
}
/// An atom with its quantifier, as a node.
fn repeated(mut atom: Node, m: u32, n: Option<u32>, prefers: u8, vacuous: bool) -> Node {
    if let Op::Back(_, from, to) = &mut atom.op {
        (*from, *to) = (m, n);
        atom.flags |= combine(prefers, atom.flags);
        if !vacuous {
            atom.shape = Rc::new(Reg::Repeat(atom.shape, m, n));
        }
        return atom;
    }
    if vacuous {
        return atom;
    }
    let flags = combine(prefers, atom.flags);
    let shape = Rc::new(Reg::Repeat(atom.shape.clone(), m, n));
    if atom.flags & (CAPTURES | BACK) == 0 {
        return Node { op: Op::Regular, flags, capture: 0, shape, below: Vec::new() };
    }
    if m > 0 && atom.flags & BACK == 0 {
        // Only the last round's groups matter: x{m,n} is x{m-1,n-1}x.
        let before = Reg::Repeat(atom.shape.clone(), m - 1, n.map(|n| n - 1));
        let before = Node::regular(before, preference(flags));
        return Node { op: Op::Concat, flags, capture: 0, shape, below: vec![before, atom] };
    }
    Node { op: Op::Iterate(m, n), flags, capture: 0, shape, below: vec![atom] }
}
fn concat(a: Node, b: Node) -> Node {
    let shape = Rc::new(Reg::Seq(vec![a.shape.clone(), b.shape.clone()]));
    Node { op: Op::Concat, flags: combine(a.flags, b.flags), capture: 0, shape, below: vec![a, b] }
}

impl Tree {
    /// `pattern` without its prefix of options, as [`super::translate`] has read it.
    pub fn parse(pattern: &str, f: Flags) -> Result<Tree> {
        let c: Vec<char> = pattern.chars().collect();
        let mut p = Parser { c: &c, i: 0, f, groups: 0, shapes: vec![None], classes: FxHashMap::default() };
        let root = p.alternatives(false, 0)?;
        if p.i < c.len() {
            return Err(complex());
        }
        Ok(Tree { root, groups: p.groups, icase: f.icase })
    }
    /// The first match at or after character `from`, in characters. `start`: where it begins, if that is known.
    pub fn find(&self, s: &[char], from: usize, start: Option<usize>) -> Result<Option<Spans>> {
        let last = start.unwrap_or(s.len());
        let mut run = Run { s, icase: self.icase, caps: vec![None; self.groups + 1] };
        for at in start.unwrap_or(from)..=last {
            let mut ends = run.ends(&self.root.shape, &[at], s.len())?;
            if self.root.flags & SHORTER == 0 {
                ends.reverse();
            }
            for end in ends {
                run.caps.fill(None);
                if run.dissect(&self.root, at, end)? {
                    if let Some(c) = run.caps.first_mut() {
                        *c = Some((at, end));
                    }
                    return Ok(Some(run.caps));
                }
            }
        }
        Ok(None)
    }
}

/// A search in a text.
struct Run<'s> {
    s: &'s [char],
    icase: bool,
    caps: Vec<Option<(usize, usize)>>,
}
fn is_word(c: Option<&char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
}
impl Run<'_> {
    /// All places up to `limit` where a match of the shape ends that begins at one of `starts`, ascending, as these are.
    fn ends(&self, r: &Reg, starts: &[usize], limit: usize) -> Result<Vec<usize>> {
        work::charge(10 + starts.len() * 4)?;
        let step = |is: &dyn Fn(char) -> bool| -> Vec<usize> {
            let takes = |p: &&usize| **p < limit && self.s.get(**p).is_some_and(|c| is(*c));
            starts.iter().filter(takes).map(|p| p + 1).collect()
        };
        Ok(match r {
            Reg::Char(c) => step(&|x| x == *c),
            Reg::Class(k) => step(&|x| k.has(x)),
            Reg::At(place) => starts.iter().copied().filter(|p| self.is_at(*place, *p)).collect(),
            Reg::Seq(list) => {
                let mut at = starts.to_vec();
                for r in list {
                    if at.is_empty() {
                        break;
                    }
                    at = self.ends(r, &at, limit)?;
                }
                at
            }
            Reg::Alt(list) => {
                let mut out = Vec::new();
                for r in list {
                    out.extend(self.ends(r, starts, limit)?);
                }
                out.sort_unstable();
                out.dedup();
                out
            }
            Reg::Repeat(r, m, n) => self.repeated(r, *m, *n, starts, limit)?,
            Reg::Look { ahead, negated, what } => {
                let mut out = Vec::new();
                for p in starts {
                    let found = match ahead {
                        true => !self.ends(what, &[*p], self.s.len())?.is_empty(),
                        false => {
                            let all: Vec<usize> = (0..=*p).collect();
                            self.ends(what, &all, *p)?.last() == Some(p)
                        }
                    };
                    if found != *negated {
                        out.push(*p);
                    }
                }
                out
            }
        })
    }
    fn repeated(&self, r: &Reg, m: u32, n: Option<u32>, starts: &[usize], limit: usize) -> Result<Vec<usize>> {
        let mut at = starts.to_vec();
        for _ in 0..m {
            let next = self.ends(r, &at, limit)?;
            if next == at || next.is_empty() {
                return Ok(next);
            }
            at = next;
        }
        let mut seen = vec![false; limit + 1];
        let mut mark = |places: Vec<usize>| -> Vec<usize> {
            let fresh = |p: &usize| seen.get_mut(*p).is_some_and(|s| !std::mem::replace(s, true));
            places.into_iter().filter(fresh).collect()
        };
        let mut out = mark(at);
        let mut fresh = out.clone();
        let mut round = m;
        while !fresh.is_empty() && n.is_none_or(|n| round < n) {
            fresh = mark(self.ends(r, &fresh, limit)?);
            out.extend_from_slice(&fresh);
            round = round.saturating_add(1);
        }
        work::charge(out.len() * 4)?;
        out.sort_unstable();
        Ok(out)
    }
    fn is_at(&self, place: Place, p: usize) -> bool {
        let before = p.checked_sub(1).and_then(|i| self.s.get(i));
        let after = self.s.get(p);
        match place {
            Place::Begin => p == 0,
            Place::End => p == self.s.len(),
            Place::LineBegin => before.is_none_or(|c| *c == '\n'),
            Place::LineEnd => after.is_none_or(|c| *c == '\n'),
            Place::WordBegin => !is_word(before) && is_word(after),
            Place::WordEnd => is_word(before) && !is_word(after),
            Place::WordEdge => is_word(before) != is_word(after),
            Place::NoWordEdge => is_word(before) == is_word(after),
        }
    }
    fn fits(&self, r: &Reg, a: usize, b: usize) -> Result<bool> {
        Ok(self.ends(r, &[a], b)?.last() == Some(&b))
    }
    /// Forgets what the groups of a node have matched.
    fn forget(&mut self, n: &Node) {
        if n.flags & CAPTURES == 0 {
            return;
        }
        if let Some(c) = self.caps.get_mut(n.capture).filter(|_| n.capture > 0) {
            *c = None;
        }
        for b in &n.below {
            self.forget(b);
        }
    }
    /// Divides `a..b`, which the node's shape matches, among what is below it (cdissect). False: back references do not allow it.
    fn dissect(&mut self, n: &Node, a: usize, b: usize) -> Result<bool> {
        work::charge(20)?;
        let done = match &n.op {
            Op::Regular => true,
            Op::Group => match n.below.first() {
                Some(below) => self.dissect(below, a, b)?,
                None => true,
            },
            Op::Back(k, m, most) => self.is_back(*k, *m, *most, a, b)?,
            Op::Alternatives => {
                let mut done = false;
                for alternative in &n.below {
                    if self.fits(&alternative.shape, a, b)? && self.dissect(alternative, a, b)? {
                        done = true;
                        break;
                    }
                    self.forget(alternative);
                }
                done
            }
            Op::Concat => {
                let [left, right] = n.below.as_slice() else { return Ok(false) };
                let mut middles = self.ends(&left.shape, &[a], b)?;
                if left.flags & SHORTER == 0 {
                    middles.reverse();
                }
                let mut done = false;
                for middle in middles {
                    if self.fits(&right.shape, middle, b)?
                        && self.dissect(left, a, middle)?
                        && self.dissect(right, middle, b)?
                    {
                        done = true;
                        break;
                    }
                    self.forget(left);
                    self.forget(right);
                }
                done
            }
            Op::Iterate(m, most) => match n.below.first() {
                Some(below) => self.iterate(below, *m as usize, *most, a, b)?,
                None => true,
            },
        };
        if let Some(c) = self.caps.get_mut(n.capture).filter(|_| done && n.capture > 0) {
            *c = Some((a, b));
        }
        Ok(done)
    }
    fn is_back(&self, k: usize, m: u32, most: Option<u32>, a: usize, b: usize) -> Result<bool> {
        let Some((from, to)) = self.caps.get(k).copied().flatten() else { return Ok(false) };
        let (len, all) = (to - from, b - a);
        if all == 0 {
            return Ok(len == 0 || m == 0);
        }
        if len == 0 || all % len != 0 {
            return Ok(false);
        }
        let rounds = all / len;
        if rounds < m as usize || most.is_some_and(|n| rounds > n as usize) {
            return Ok(false);
        }
        work::charge(all)?;
        let folded = |c: &char| c.to_lowercase().next().unwrap_or(*c);
        let same = |x: &char, y: &char| x == y || self.icase && folded(x) == folded(y);
        let (want, have) = (self.s.get(from..to).unwrap_or(&[]), self.s.get(a..b).unwrap_or(&[]));
        Ok(have.chunks(len).all(|part| std::iter::zip(part, want).all(|(x, y)| same(x, y))))
    }
    /// Rounds of one node that make `a..b` up (citerdissect, creviterdissect): empty ones only where the least number needs them.
    fn iterate(&mut self, n: &Node, least: usize, most: Option<u32>, a: usize, b: usize) -> Result<bool> {
        // Of nothing one empty round is made if it can be, but where short ones are preferred none.
        let none_will_do = least == 0 && a == b;
        if none_will_do && n.flags & SHORTER != 0 {
            return Ok(true);
        }
        let least = least.max(1);
        let most = most.map_or(usize::MAX, |n| n as usize).min(b - a).max(least);
        // For each round under way the ends that are still to be tried, the next one last.
        let mut rounds: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut at = a;
        loop {
            // A next round from `at`.
            if rounds.len() < most {
                let left = least.saturating_sub(rounds.len() + 1);
                let needed = rounds.len() < least && left >= b - at;
                let mut ends = self.ends(&n.shape, &[at], b)?;
                ends.retain(|e| *e != at || needed);
                if n.flags & SHORTER != 0 {
                    ends.reverse();
                }
                memory::check(ends.len() * size_of::<usize>())?;
                rounds.push((at, ends));
            }
            // The next end that its own parts allow; without one the round before tries its next.
            let next = loop {
                let k = rounds.len();
                let Some((begin, ends)) = rounds.last_mut() else { return Ok(none_will_do) };
                let (begin, end) = (*begin, ends.pop());
                let Some(end) = end else {
                    rounds.pop();
                    continue;
                };
                let whole = end == b;
                if whole && k < least && begin != end || !whole && k >= most {
                    continue;
                }
                self.forget(n);
                if self.dissect(n, begin, end)? {
                    break end;
                }
            };
            if next == b && rounds.len() >= least {
                return Ok(true);
            }
            at = next;
        }
    }
}
