//! tsquery: which lexemes a document must have (tsquery.c, tsquery_cleanup.c).
//!
//! In memory a value is [`crate::Datum::Bytea`] whose bytes order as PostgreSQL orders values; rows and keys hold them as they are:
//!
//! ```text
//! nodes u32 | size u32 | node | kinds             size: of PostgreSQL's struct
//!   node:  0 | !operator u8 | right node | left node | !distance u16      operator 1 not (its operand alone), 2 and, 3 or, 4 phrase (alone with a distance)
//!          1 | !checksum u32 | text, 00
//!   kinds: per operand, from left to right, weights u8 (bit 3 A .. bit 0 D), prefix u8
//! ```
//! All most significant byte first, `!` complemented. PostgreSQL's order does not look at weights and prefixes: here they decide where all else is equal.
//!
//! Limits: [`MAX_DEPTH`] operators within each other.
use crate::tsvector::{MAX_BYTES, MAX_LEXEME, Rules, Scanner, is_operator, quote};
use crate::{Error, Result, bail, err, work};

/// The greatest distance of a phrase.
pub const MAX_DISTANCE: i64 = 1 << 14;
/// How deep operators nest: everything that walks a query recurses.
pub const MAX_DEPTH: usize = 3000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    And,
    Or,
    Phrase(u16),
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    pub text: String,
    /// Bit 3: A ... bit 0: D; 0: any.
    pub weights: u8,
    pub prefix: bool,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    Operand(Operand),
    Not(Box<Node>),
    Op(Operator, Box<Node>, Box<Node>),
    /// Where a stop word was: in no finished query.
    Stop,
}
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Query {
    /// None: nothing is asked for.
    pub root: Option<Node>,
}

#[cold]
fn too_deep() -> Error {
    err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
}
/// PostgreSQL's legacy checksum of an operand: its table is of the other direction than its loop.
pub fn checksum(text: &str) -> i32 {
    let step = |mut v: u32| {
        for _ in 0..8 {
            v = if v & 1 == 1 { v >> 1 ^ 0xedb8_8320 } else { v >> 1 };
        }
        v
    };
    !text.bytes().fold(u32::MAX, |crc, b| step((crc >> 24 ^ u32::from(b)) & 0xff) ^ crc << 8) as i32
}

impl Operator {
    /// As PostgreSQL numbers them.
    fn code(self) -> u8 {
        match self {
            Operator::And => AND,
            Operator::Or => OR,
            Operator::Phrase(_) => PHRASE,
        }
    }
    fn priority(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Phrase(_) => 3,
        }
    }
}
const NOT: u8 = 1;
const AND: u8 = 2;
const OR: u8 = 3;
const PHRASE: u8 = 4;
const NOT_PRIORITY: u8 = 4;

impl Node {
    pub fn operand(text: impl Into<String>) -> Node {
        Node::Operand(Operand { text: text.into(), weights: 0, prefix: false })
    }
    pub fn op(op: Operator, left: Node, right: Node) -> Node {
        Node::Op(op, Box::new(left), Box::new(right))
    }
    pub fn depth(&self) -> usize {
        match self {
            Node::Operand(_) | Node::Stop => 1,
            Node::Not(n) => 1 + n.depth(),
            Node::Op(_, l, r) => 1 + l.depth().max(r.depth()),
        }
    }
    /// Calls `f` for every operand, left ones first.
    pub fn operands<'a>(&'a self, f: &mut dyn FnMut(&'a Operand)) {
        match self {
            Node::Operand(o) => f(o),
            Node::Not(n) => n.operands(f),
            Node::Op(_, l, r) => {
                l.operands(f);
                r.operands(f);
            }
            Node::Stop => {}
        }
    }
    fn pack(&self, out: &mut Vec<u8>) {
        match self {
            Node::Operand(o) => {
                out.push(1);
                out.extend_from_slice(&(!(checksum(&o.text) as u32 ^ 1 << 31)).to_be_bytes());
                out.extend_from_slice(o.text.as_bytes());
                out.push(0);
            }
            Node::Not(n) => {
                out.extend_from_slice(&[0, !NOT]);
                n.pack(out);
            }
            Node::Op(op, l, r) => {
                out.extend_from_slice(&[0, !op.code()]);
                r.pack(out);
                l.pack(out);
                if let Operator::Phrase(d) = op {
                    out.extend_from_slice(&(!d).to_be_bytes());
                }
            }
            Node::Stop => {}
        }
    }
    fn unpack(b: &[u8], depth: usize) -> Option<(Node, &[u8])> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (kind, b) = b.split_first()?;
        if *kind == 1 {
            let b = b.get(4..)?;
            let end = b.iter().position(|c| *c == 0)?;
            return Some((Node::operand(std::str::from_utf8(&b[..end]).ok()?), &b[end + 1..]));
        }
        let (op, b) = b.split_first()?;
        let (right, b) = Node::unpack(b, depth + 1)?;
        if !*op == NOT {
            return Some((Node::Not(Box::new(right)), b));
        }
        let (left, b) = Node::unpack(b, depth + 1)?;
        let (op, b) = match !*op {
            AND => (Operator::And, b),
            OR => (Operator::Or, b),
            PHRASE => {
                let (d, b) = b.split_first_chunk::<2>()?;
                (Operator::Phrase(!u16::from_be_bytes(*d)), b)
            }
            _ => return None,
        };
        Some((Node::op(op, left, right), b))
    }
    fn for_each_operand(&mut self, f: &mut dyn FnMut(&mut Operand)) {
        match self {
            Node::Operand(o) => f(o),
            Node::Not(n) => n.for_each_operand(f),
            Node::Op(_, l, r) => {
                l.for_each_operand(f);
                r.for_each_operand(f);
            }
            Node::Stop => {}
        }
    }
    fn count(&self) -> usize {
        match self {
            Node::Operand(_) | Node::Stop => 1,
            Node::Not(n) => 1 + n.count(),
            Node::Op(_, l, r) => 1 + l.count() + r.count(),
        }
    }
    fn format(&self, around: u8, right_of_phrase: bool, out: &mut Vec<u8>) {
        match self {
            Node::Operand(o) => {
                quote(&o.text, out);
                if o.weights != 0 || o.prefix {
                    out.push(b':');
                    out.extend(o.prefix.then_some(b'*'));
                    let letters = [(8, b'A'), (4, b'B'), (2, b'C'), (1, b'D')];
                    out.extend(letters.iter().filter(|l| o.weights & l.0 != 0).map(|l| l.1));
                }
            }
            Node::Not(n) => {
                out.push(b'!');
                n.format(NOT_PRIORITY, false, out);
            }
            Node::Op(op, l, r) => {
                let is_phrase = matches!(op, Operator::Phrase(_));
                let within = op.priority() < around || (is_phrase && right_of_phrase);
                if within {
                    out.extend_from_slice(b"( ");
                }
                l.format(op.priority(), false, out);
                match op {
                    Operator::And => out.extend_from_slice(b" & "),
                    Operator::Or => out.extend_from_slice(b" | "),
                    Operator::Phrase(1) => out.extend_from_slice(b" <-> "),
                    Operator::Phrase(d) => out.extend_from_slice(format!(" <{d}> ").as_bytes()),
                }
                r.format(op.priority(), is_phrase, out);
                if within {
                    out.extend_from_slice(b" )");
                }
            }
            Node::Stop => {}
        }
    }
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Node::Operand(o) => {
                out.extend_from_slice(&[1, o.weights, u8::from(o.prefix)]);
                out.extend_from_slice(o.text.as_bytes());
                out.push(0);
            }
            Node::Not(n) => {
                out.extend_from_slice(&[2, NOT]);
                n.encode(out);
            }
            Node::Op(op, l, r) => {
                out.extend_from_slice(&[2, op.code()]);
                if let Operator::Phrase(d) = op {
                    out.extend_from_slice(&d.to_be_bytes());
                }
                r.encode(out);
                l.encode(out);
            }
            Node::Stop => {}
        }
    }
    /// clean_stopword_intree: without stop words; what they leave of distances, to the left and to the right.
    fn without_stops(self) -> (Option<Node>, i64, i64) {
        match self {
            Node::Operand(_) => (Some(self), 0, 0),
            Node::Stop => (None, 0, 0),
            Node::Not(n) => {
                let (n, left, right) = n.without_stops();
                (n.map(|n| Node::Not(Box::new(n))), left, right)
            }
            Node::Op(op, l, r) => {
                let (l, ll, lr) = l.without_stops();
                let (r, rl, rr) = r.without_stops();
                let own = match op {
                    Operator::Phrase(d) => Some(i64::from(d)),
                    _ => None,
                };
                match (l, r, own) {
                    (None, None, Some(d)) => (None, ll + d + rl, ll + d + rl),
                    (None, None, None) => (None, ll.max(rl), ll.max(rl)),
                    (None, r, Some(d)) => (r, ll + d + rl, rr),
                    (None, r, None) => (r, rl, rr),
                    (l, None, Some(d)) => (l, ll, lr + d + rr),
                    (l, None, None) => (l, ll, lr),
                    (Some(l), Some(r), Some(d)) => {
                        let d = (d + lr + rl).clamp(0, i64::from(u16::MAX)) as u16;
                        (Some(Node::op(Operator::Phrase(d), l, r)), ll, rr)
                    }
                    (Some(l), Some(r), None) => (Some(Node::op(op, l, r)), 0, 0),
                }
            }
        }
    }
    /// clean_NOT: what an index could be asked for; None: nothing.
    pub fn without_not(&self) -> Option<Node> {
        match self {
            Node::Operand(_) => Some(self.clone()),
            Node::Not(_) | Node::Stop => None,
            Node::Op(Operator::Or, l, r) => Some(Node::op(Operator::Or, l.without_not()?, r.without_not()?)),
            Node::Op(op, l, r) => match (l.without_not(), r.without_not()) {
                (Some(l), Some(r)) => Some(Node::op(*op, l, r)),
                (one, None) | (None, one) => one,
            },
        }
    }
}

impl Query {
    pub fn nodes(&self) -> usize {
        self.root.as_ref().map_or(0, Node::count)
    }
    pub fn operands(&self) -> Vec<&Operand> {
        let mut all = Vec::new();
        if let Some(root) = &self.root {
            root.operands(&mut |o| all.push(o));
        }
        all
    }
    /// 54001 for what is too deep to be walked.
    pub fn checked(root: Node) -> Result<Query> {
        if root.depth() > MAX_DEPTH {
            return Err(too_deep());
        }
        Ok(Query { root: Some(root) })
    }
    /// Joins two; what asks for nothing is left out.
    pub fn join(self, op: Operator, other: Query) -> Result<Query> {
        match (self.root, other.root) {
            (Some(l), Some(r)) => Query::checked(Node::op(op, l, r)),
            (root, None) | (None, root) => Ok(Query { root }),
        }
    }
    pub fn pack(&self) -> Vec<u8> {
        let nodes = self.nodes();
        let operands = self.operands();
        let size = 8 + 12 * nodes + operands.iter().map(|o| o.text.len() + 1).sum::<usize>();
        let mut out = Vec::with_capacity(size);
        out.extend_from_slice(&(nodes as u32).to_be_bytes());
        out.extend_from_slice(&(size as u32).to_be_bytes());
        if let Some(root) = &self.root {
            root.pack(&mut out);
        }
        out.extend(operands.iter().flat_map(|o| [o.weights, u8::from(o.prefix)]));
        out
    }
    pub fn unpack(b: &[u8]) -> Option<Query> {
        let (nodes, b) = b.split_first_chunk::<4>()?;
        let b = b.get(4..)?;
        if u32::from_be_bytes(*nodes) == 0 {
            return b.is_empty().then_some(Query::default());
        }
        let (mut root, kinds) = Node::unpack(b, 0)?;
        let (mut kinds, mut whole) = (kinds.chunks_exact(2), true);
        root.for_each_operand(&mut |o| match kinds.next() {
            Some(k) => (o.weights, o.prefix) = (k[0] & 15, k[1] != 0),
            None => whole = false,
        });
        (whole && kinds.next().is_none()).then_some(Query { root: Some(root) })
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        if let Some(root) = &self.root {
            root.format(0, false, out);
        }
    }
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.nodes() as u32).to_be_bytes());
        if let Some(root) = &self.root {
            root.encode(out);
        }
    }
}
pub fn fits(b: &[u8]) -> bool {
    Query::unpack(b).is_some()
}

/// tsqueryrecv
pub fn decode(b: &[u8]) -> Result<Query> {
    let short = || err!(PROTOCOL_VIOLATION, "insufficient data left in message");
    fn node<'a>(mut b: &'a [u8], left: &mut u32, depth: usize) -> Result<(Node, &'a [u8])> {
        let short = || err!(PROTOCOL_VIOLATION, "insufficient data left in message");
        let byte = |b: &mut &'a [u8]| -> Result<u8> {
            let (v, rest) = b.split_first().ok_or_else(short)?;
            *b = rest;
            Ok(*v)
        };
        work::charge(16)?;
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        *left = left.checked_sub(1).ok_or_else(|| Error::internal("malformed tsquery: operand not found"))?;
        match byte(&mut b)? {
            1 => {
                let (weights, prefix) = (byte(&mut b)?, byte(&mut b)?);
                let end = b.iter().position(|c| *c == 0);
                let end = end.ok_or_else(|| err!(PROTOCOL_VIOLATION, "invalid string in message"))?;
                let text = std::str::from_utf8(&b[..end])
                    .map_err(|_| err!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\""))?;
                if weights > 15 {
                    return Err(Error::internal("invalid tsquery: invalid weight bitmap"));
                }
                if text.len() > MAX_LEXEME {
                    return Err(Error::internal("invalid tsquery: operand too long"));
                }
                let o = Operand { text: text.to_string(), weights, prefix: prefix != 0 };
                Ok((Node::Operand(o), &b[end + 1..]))
            }
            2 => {
                let op = match byte(&mut b)? {
                    NOT => None,
                    AND => Some(Operator::And),
                    OR => Some(Operator::Or),
                    PHRASE => Some(Operator::Phrase(u16::from_be_bytes([byte(&mut b)?, byte(&mut b)?]))),
                    n => return Err(Error::internal(format!("invalid tsquery: unrecognized operator type {n}"))),
                };
                let (right, b) = node(b, left, depth + 1)?;
                let Some(op) = op else { return Ok((Node::Not(Box::new(right)), b)) };
                let (l, b) = node(b, left, depth + 1)?;
                Ok((Node::op(op, l, right), b))
            }
            n => Err(Error::internal(format!("unrecognized tsquery node type: {n}"))),
        }
    }
    let (count, b) = b.split_first_chunk::<4>().ok_or_else(short)?;
    let mut left = u32::from_be_bytes(*count);
    let leftover = || err!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format in bind parameter");
    if left == 0 {
        return if b.is_empty() { Ok(Query::default()) } else { Err(leftover()) };
    }
    let (root, rest) = node(b, &mut left, 0)?;
    if left > 0 {
        return Err(Error::internal("malformed tsquery: extra nodes"));
    }
    if !rest.is_empty() {
        return Err(leftover());
    }
    Ok(Query { root: Some(root) })
}

/// How a query's text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// With operators.
    Standard,
    /// As people type it: quotes are phrases, `-` is not, `or` is or.
    Web,
    /// All of it one operand.
    Plain,
}
/// What a text comes to.
pub struct Parsed {
    pub query: Query,
    /// PostgreSQL's NOTICE about it.
    pub notice: Option<String>,
}
/// What an operand comes to: its text, weights, whether it is a prefix.
pub type Push<'a> = dyn FnMut(&str, u8, bool) -> Result<Node> + 'a;

/// tsqueryin
pub fn parse(s: &str) -> Result<Query> {
    let mut asis = |text: &str, weights, prefix| Ok(Node::Operand(Operand { text: text.to_string(), weights, prefix }));
    Ok(read(s, Reading::Standard, &mut asis)?.query)
}
/// parse_tsquery
pub fn read(s: &str, reading: Reading, push: &mut Push) -> Result<Parsed> {
    let mut r = Reader { text: s, at: 0, wait: Wait::First, open: 0, reading };
    let Some(root) = r.expression(push)? else {
        let notice = format!("text-search query doesn't contain lexemes: \"{s}\"");
        return Ok(Parsed { query: Query::default(), notice: Some(notice) });
    };
    let (root, ..) = root.without_stops();
    let stops = "text-search query contains only stop words or doesn't contain lexemes, ignored";
    let notice = root.is_none().then(|| stops.to_string());
    Ok(Parsed { query: Query { root }, notice })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    First,
    Operand,
    Operator,
}
enum Token {
    End,
    Value(String, u8, bool),
    /// A quoted phrase, or one whose operand is missing.
    Missing,
    Not,
    Op(Operator),
    Open,
    Close,
}
struct Reader<'a> {
    text: &'a str,
    at: usize,
    wait: Wait,
    open: usize,
    reading: Reading,
}
/// Operators whose operands are not all there yet; None: not.
#[derive(Default)]
struct Level {
    operators: Vec<Option<Operator>>,
    nodes: Vec<(Node, usize)>,
}
impl Level {
    fn put(&mut self, n: Node) -> Result<()> {
        let depth = n.depth();
        self.nodes.push((n, depth));
        if depth > MAX_DEPTH { Err(too_deep()) } else { Ok(()) }
    }
    fn apply(&mut self, op: Option<Operator>) -> Result<()> {
        let missing = || Error::internal("malformed tsquery: operand not found");
        let (right, right_depth) = self.nodes.pop().ok_or_else(missing)?;
        let (node, depth) = match op {
            None => (Node::Not(Box::new(right)), right_depth + 1),
            Some(op) => {
                let (left, left_depth) = self.nodes.pop().ok_or_else(missing)?;
                (Node::op(op, left, right), left_depth.max(right_depth) + 1)
            }
        };
        self.nodes.push((node, depth));
        if depth > MAX_DEPTH { Err(too_deep()) } else { Ok(()) }
    }
    /// cleanOpStack: what binds at least as strongly as an operator that comes is complete; not is right associative.
    fn reduce(&mut self, coming: Option<Operator>) -> Result<()> {
        let strength = |op: Option<Operator>| op.map_or(NOT_PRIORITY, Operator::priority);
        while let Some(top) = self.operators.last().copied() {
            let (new, old) = (strength(coming), strength(top));
            if new > old || (coming.is_none() && new == old) {
                break;
            }
            self.operators.pop();
            self.apply(top)?;
        }
        Ok(())
    }
    fn finish(&mut self) -> Result<Option<Node>> {
        while let Some(op) = self.operators.pop() {
            self.apply(op)?;
        }
        Ok(self.nodes.pop().map(|n| n.0))
    }
}
impl Reader<'_> {
    #[cold]
    fn bad(&self) -> Error {
        err!(SYNTAX_ERROR, "syntax error in tsquery: \"{}\"", self.text)
    }
    /// The whole text; None: it has no operand.
    fn expression(&mut self, push: &mut Push) -> Result<Option<Node>> {
        let mut levels = vec![Level::default()];
        let mut bytes = 0;
        loop {
            work::charge(8)?;
            let token = match self.reading {
                Reading::Standard => self.standard()?,
                Reading::Web => self.web()?,
                Reading::Plain => self.plain(),
            };
            let Some(level) = levels.last_mut() else { return Err(self.bad()) };
            match token {
                Token::End => break,
                Token::Value(text, weights, prefix) => {
                    bytes += text.len();
                    if self.reading == Reading::Standard && text.len() >= MAX_LEXEME {
                        bail!(PROGRAM_LIMIT_EXCEEDED, "word is too long in tsquery: \"{}\"", self.text);
                    }
                    if bytes > MAX_BYTES {
                        bail!(PROGRAM_LIMIT_EXCEEDED, "value is too big in tsquery: \"{}\"", self.text);
                    }
                    level.put(push(&text, weights, prefix)?)?;
                }
                Token::Missing => {
                    level.put(Node::Stop)?;
                    break;
                }
                Token::Not => {
                    level.reduce(None)?;
                    level.operators.push(None);
                }
                Token::Op(op) => {
                    level.reduce(Some(op))?;
                    level.operators.push(Some(op));
                }
                Token::Open => {
                    if levels.len() >= MAX_DEPTH {
                        return Err(too_deep());
                    }
                    levels.push(Level::default());
                }
                Token::Close => {
                    let inner = level.finish()?;
                    levels.pop();
                    if let (Some(level), Some(n)) = (levels.last_mut(), inner) {
                        level.put(n)?;
                    }
                }
            }
        }
        match levels.last_mut() {
            Some(l) => l.finish(),
            None => Ok(None),
        }
    }
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }
    fn is_space(c: char) -> bool {
        c.is_ascii() && crate::number_text::is_space(c as u8)
    }
    /// A word at the place at hand, by tsvector's rules.
    fn word(&mut self, rules: Rules) -> Result<Option<String>> {
        let mut s = Scanner::new(self.text, rules);
        s.at = self.at;
        let t = s.next()?;
        self.at = s.at;
        Ok(t.map(|t| t.text))
    }
    /// get_modifiers: `:*AB`
    fn modifiers(&mut self) -> (u8, bool) {
        let (mut weights, mut prefix) = (0, false);
        if self.peek() != Some(':') {
            return (0, false);
        }
        self.at += 1;
        while let Some(c) = self.peek() {
            match c.to_ascii_lowercase() {
                'a' => weights |= 8,
                'b' => weights |= 4,
                'c' => weights |= 2,
                'd' => weights |= 1,
                '*' => prefix = true,
                _ => break,
            }
            self.at += 1;
        }
        (weights, prefix)
    }
    /// `<->`, `<2>`
    fn phrase(&mut self) -> Result<Option<u16>> {
        let Some(rest) = self.text[self.at..].strip_prefix('<') else { return Ok(None) };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (distance, used) = match (digits, rest.starts_with('-')) {
            (0, true) => (1, 1),
            (0, false) => return Ok(None),
            (n, _) => match rest[..n].parse::<i64>() {
                Ok(d) if d <= MAX_DISTANCE => (d as u16, n),
                _ => return Err(bad_distance()),
            },
        };
        // As PostgreSQL reads it, something must follow.
        match rest[used..].strip_prefix('>') {
            Some(behind) if !behind.is_empty() => {
                self.at += used + 2;
                Ok(Some(distance))
            }
            _ => Ok(None),
        }
    }
    fn standard(&mut self) -> Result<Token> {
        loop {
            let c = self.peek();
            match (self.wait, c) {
                (Wait::First | Wait::Operand, Some('!')) => {
                    self.at += 1;
                    self.wait = Wait::Operand;
                    return Ok(Token::Not);
                }
                (Wait::First | Wait::Operand, Some('(')) => {
                    self.at += 1;
                    self.wait = Wait::Operand;
                    self.open += 1;
                    return Ok(Token::Open);
                }
                (Wait::First | Wait::Operand, Some(':')) => return Err(self.bad()),
                (Wait::First | Wait::Operand, c) if c.is_none_or(|c| !Self::is_space(c)) => {
                    if let Some(text) = self.word(Rules::Query)? {
                        let (weights, prefix) = self.modifiers();
                        self.wait = Wait::Operator;
                        return Ok(Token::Value(text, weights, prefix));
                    }
                    if self.wait == Wait::First {
                        return Ok(Token::End);
                    }
                    bail!(SYNTAX_ERROR, "no operand in tsquery: \"{}\"", self.text);
                }
                (Wait::Operator, Some(c @ ('&' | '|'))) => {
                    self.at += 1;
                    self.wait = Wait::Operand;
                    return Ok(Token::Op(if c == '&' { Operator::And } else { Operator::Or }));
                }
                (Wait::Operator, Some('<')) => {
                    let Some(d) = self.phrase()? else { return Err(self.bad()) };
                    self.wait = Wait::Operand;
                    return Ok(Token::Op(Operator::Phrase(d)));
                }
                (Wait::Operator, Some(')')) => {
                    self.at += 1;
                    self.open = self.open.checked_sub(1).ok_or_else(|| self.bad())?;
                    return Ok(Token::Close);
                }
                (Wait::Operator, None) => return if self.open > 0 { Err(self.bad()) } else { Ok(Token::End) },
                (Wait::Operator, Some(c)) if !Self::is_space(c) => return Err(self.bad()),
                _ => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }
    /// parse_or_operator: the word "or", with something behind it.
    fn or(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if !rest.get(..2).is_some_and(|w| w.eq_ignore_ascii_case("or")) {
            return false;
        }
        let rest = &rest[2..];
        if rest.chars().next().is_none_or(|c| c == '-' || c == '_' || c.is_alphanumeric()) {
            return false;
        }
        let mut behind = rest.chars();
        behind.next();
        if behind.all(Self::is_space) {
            return false;
        }
        self.at += 2;
        true
    }
    fn web(&mut self) -> Result<Token> {
        loop {
            let c = self.peek();
            match (self.wait, c) {
                (Wait::First | Wait::Operand, Some('-')) => {
                    self.at += 1;
                    self.wait = Wait::Operand;
                    return Ok(Token::Not);
                }
                (Wait::First | Wait::Operand, Some('"')) => {
                    let rest = &self.text[self.at + 1..];
                    let end = rest.find('"').unwrap_or(rest.len());
                    self.at += 1 + end + usize::from(end < rest.len());
                    self.wait = Wait::Operator;
                    return Ok(Token::Value(rest[..end].to_string(), 0, false));
                }
                (Wait::First | Wait::Operand, Some(c)) if is_operator(c) => {
                    self.at += 1;
                    self.wait = Wait::Operand;
                    continue;
                }
                (Wait::First | Wait::Operand, c) if c.is_none_or(|c| !Self::is_space(c)) => {
                    if let Some(text) = self.word(Rules::Web)? {
                        self.wait = Wait::Operator;
                        return Ok(Token::Value(text, 0, false));
                    }
                    return Ok(if self.wait == Wait::First { Token::End } else { Token::Missing });
                }
                (Wait::Operator, None) => return Ok(Token::End),
                (Wait::Operator, Some(_)) if self.or() => {
                    self.wait = Wait::Operand;
                    return Ok(Token::Op(Operator::Or));
                }
                (Wait::Operator, Some(c)) if is_operator(c) => {
                    self.at += 1;
                    continue;
                }
                (Wait::Operator, Some(c)) if !Self::is_space(c) => {
                    self.wait = Wait::Operand;
                    return Ok(Token::Op(Operator::And));
                }
                _ => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }
    fn plain(&mut self) -> Token {
        if self.at == self.text.len() {
            return Token::End;
        }
        self.at = self.text.len();
        Token::Value(self.text.to_string(), 0, false)
    }
}
/// What a distance that is not possible is refused with.
pub fn bad_distance() -> Error {
    err!(
        INVALID_PARAMETER_VALUE,
        "distance in phrase operator must be an integer value between zero and {MAX_DISTANCE} inclusive"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(q: &Query) -> String {
        let mut out = Vec::new();
        q.format(&mut out);
        String::from_utf8(out).unwrap()
    }
    #[test]
    fn forms_read_back() {
        for t in ["", "a", "!a:*AD", "a & (b | !c) <2> d", "a <-> (b <-> c)", "!(a | b) & 'it''s'", "!!a"] {
            let q = parse(t).unwrap();
            let bytes = q.pack();
            assert_eq!(Query::unpack(&bytes), Some(q.clone()), "{t}");
            assert_eq!(parse(&shown(&q)).unwrap(), q, "{t}");
            let mut sent = Vec::new();
            q.encode(&mut sent);
            assert_eq!(decode(&sent).unwrap(), q, "{t}");
            for n in 0..bytes.len() {
                assert!(Query::unpack(&bytes[..n]).is_none(), "{t} {n}");
            }
        }
    }
    /// On a stack as a session's is where debug assertions are on.
    #[test]
    fn depth_ends_with_an_error() {
        const STACK: usize = 32 << 20;
        std::thread::Builder::new().stack_size(STACK).spawn(depth_ends).unwrap().join().unwrap();
    }
    fn depth_ends() {
        let deep = |n: usize| format!("{}a", "!".repeat(n));
        assert!(parse(&deep(MAX_DEPTH - 1)).is_ok());
        assert_eq!(parse(&deep(MAX_DEPTH + 1)).unwrap_err().code().as_str(), "54001");
        let wide = vec!["a"; MAX_DEPTH + 1].join(" & ");
        assert_eq!(parse(&wide).unwrap_err().code().as_str(), "54001");
    }
}
