//! tsvector: the lexemes of a document, each with the places where it stands and how much they weigh (tsvector.c, tsvector_parser.c).
//!
//! In memory a value is [`crate::Datum::Bytea`] whose bytes order as PostgreSQL orders values; rows and keys hold them as they are:
//!
//! ```text
//! size u32 | count u32 | lexeme ...              size: of PostgreSQL's struct, by which it orders first
//!   lexeme:  0 | bytes, 00 | !count u16 | !(position << 2 | weight) u16 ...
//!            1 | bytes, 00                       without positions
//! ```
//! All most significant byte first, `!` complemented: more positions, and higher ones, come first.
//!
//! Invariants: lexemes are sorted by their bytes and are there once; positions are sorted and there once, 1 to [`MAX_POSITION`], at most
//! [`MAX_POSITIONS`] a lexeme. Weights: 3 is A, 0 is D.
use crate::number_text::is_space;
use crate::{Error, Result, bail, err, work};

/// What is behind the last position counts as there.
pub const MAX_POSITION: u16 = (1 << 14) - 1;
/// Positions of a lexeme.
pub const MAX_POSITIONS: usize = 256;
/// A lexeme has fewer bytes.
pub const MAX_LEXEME: usize = 1 << 11;
/// Bytes of all lexemes with their positions.
pub const MAX_BYTES: usize = (1 << 20) - 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub at: u16,
    /// 3 A, 2 B, 1 C, 0 D.
    pub weight: u8,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lexeme {
    pub text: String,
    pub positions: Vec<Position>,
}
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Vector {
    pub lexemes: Vec<Lexeme>,
}

#[cold]
fn too_long(bytes: usize) -> Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "string is too long for tsvector ({bytes} bytes, max {MAX_BYTES} bytes)")
}
/// Sorts positions and keeps each once, with the greatest of its weights.
pub fn settle(positions: &mut Vec<Position>) {
    positions.sort_by_key(|p| (p.at, std::cmp::Reverse(p.weight)));
    positions.dedup_by_key(|p| p.at);
    positions.truncate(MAX_POSITIONS - 1 + usize::from(positions.len() >= MAX_POSITIONS));
    if let Some(last) = positions.iter().position(|p| p.at == MAX_POSITION) {
        positions.truncate(last + 1);
    }
}

impl Vector {
    /// Of lexemes in any order, which may be there several times.
    pub fn from_lexemes(mut lexemes: Vec<Lexeme>) -> Vector {
        lexemes.sort_by(|a, b| a.text.as_bytes().cmp(b.text.as_bytes()));
        let mut out: Vec<Lexeme> = Vec::with_capacity(lexemes.len());
        for l in lexemes {
            match out.last_mut() {
                Some(last) if last.text == l.text => last.positions.extend(l.positions),
                _ => out.push(l),
            }
        }
        out.iter_mut().for_each(|l| settle(&mut l.positions));
        Vector { lexemes: out }
    }
    /// Where lexemes and positions would be in PostgreSQL's struct: how many bytes.
    fn data_bytes(&self) -> usize {
        self.lexemes.iter().fold(0, |n: usize, l| {
            let n = n + l.text.len();
            if l.positions.is_empty() { n } else { n.next_multiple_of(2) + 2 + 2 * l.positions.len() }
        })
    }
    /// 54000 where PostgreSQL's struct has no room.
    pub fn pack(&self) -> Result<Vec<u8>> {
        let data = self.data_bytes();
        if data > MAX_BYTES {
            return Err(too_long(data));
        }
        let size = 8 + 4 * self.lexemes.len() + data;
        let mut out = Vec::with_capacity(size + 2 * self.lexemes.len());
        out.extend_from_slice(&(size as u32).to_be_bytes());
        out.extend_from_slice(&(self.lexemes.len() as u32).to_be_bytes());
        for l in &self.lexemes {
            out.push(u8::from(l.positions.is_empty()));
            out.extend_from_slice(l.text.as_bytes());
            out.push(0);
            if !l.positions.is_empty() {
                out.extend_from_slice(&(!(l.positions.len() as u16)).to_be_bytes());
                for p in &l.positions {
                    out.extend_from_slice(&(!(p.at << 2 | u16::from(p.weight))).to_be_bytes());
                }
            }
        }
        Ok(out)
    }
    pub fn unpack(b: &[u8]) -> Option<Vector> {
        let (_, b) = b.split_first_chunk::<4>()?;
        let (count, mut b) = b.split_first_chunk::<4>()?;
        let mut lexemes = Vec::new();
        for _ in 0..u32::from_be_bytes(*count) {
            let (bare, rest) = b.split_first()?;
            let end = rest.iter().position(|c| *c == 0)?;
            let text = std::str::from_utf8(&rest[..end]).ok()?.to_string();
            b = &rest[end + 1..];
            let mut positions = Vec::new();
            if *bare == 0 {
                let (n, rest) = b.split_first_chunk::<2>()?;
                let n = usize::from(!u16::from_be_bytes(*n));
                let (bytes, rest) = rest.split_at_checked(n * 2)?;
                for p in bytes.chunks_exact(2) {
                    let p = !u16::from_be_bytes([p[0], p[1]]);
                    positions.push(Position { at: p >> 2, weight: (p & 3) as u8 });
                }
                b = rest;
            }
            lexemes.push(Lexeme { text, positions });
        }
        b.is_empty().then_some(Vector { lexemes })
    }
    /// tsvectorin
    pub fn parse(s: &str) -> Result<Vector> {
        let mut scan = Scanner::new(s, Rules::Vector);
        let (mut lexemes, mut bytes) = (Vec::new(), 0);
        while let Some(t) = scan.next()? {
            work::charge(16)?;
            if t.text.len() >= MAX_LEXEME {
                let (n, max) = (t.text.len(), MAX_LEXEME - 1);
                bail!(PROGRAM_LIMIT_EXCEEDED, "word is too long ({n} bytes, max {max} bytes)");
            }
            if bytes > MAX_BYTES {
                return Err(too_long(bytes));
            }
            bytes += t.text.len();
            lexemes.push(Lexeme { text: t.text, positions: t.positions });
        }
        Ok(Vector::from_lexemes(lexemes))
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        for (i, l) in self.lexemes.iter().enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            quote(&l.text, out);
            for (k, p) in l.positions.iter().enumerate() {
                out.push(if k == 0 { b':' } else { b',' });
                crate::number_text::format_int(i64::from(p.at), out);
                out.extend_from_slice(["", "C", "B", "A"][usize::from(p.weight & 3)].as_bytes());
            }
        }
    }
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.lexemes.len() as u32).to_be_bytes());
        for l in &self.lexemes {
            out.extend_from_slice(l.text.as_bytes());
            out.push(0);
            out.extend_from_slice(&(l.positions.len() as u16).to_be_bytes());
            for p in &l.positions {
                out.extend_from_slice(&(u16::from(p.weight) << 14 | p.at).to_be_bytes());
            }
        }
    }
    /// tsvectorrecv
    pub fn decode(b: &[u8]) -> Result<Vector> {
        let short = || err!(PROTOCOL_VIOLATION, "insufficient data left in message");
        let (count, mut b) = b.split_first_chunk::<4>().ok_or_else(short)?;
        let count = i32::from_be_bytes(*count);
        if !(0..=(0x3fff_ffff / 4)).contains(&count) {
            return Err(Error::internal("invalid size of tsvector"));
        }
        let (mut lexemes, mut sorted, mut bytes) = (Vec::<Lexeme>::new(), true, 0);
        for _ in 0..count {
            work::charge(16)?;
            let end = b.iter().position(|c| *c == 0);
            let end = end.ok_or_else(|| err!(PROTOCOL_VIOLATION, "invalid string in message"))?;
            let text = std::str::from_utf8(&b[..end])
                .map_err(|_| err!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\""))?;
            let (n, rest) = b[end + 1..].split_first_chunk::<2>().ok_or_else(short)?;
            let n = usize::from(u16::from_be_bytes(*n));
            if text.len() > MAX_LEXEME {
                return Err(Error::internal("invalid tsvector: lexeme too long"));
            }
            bytes += text.len();
            if bytes > MAX_BYTES {
                return Err(Error::internal("invalid tsvector: maximum total lexeme length exceeded"));
            }
            if n > MAX_POSITIONS {
                return Err(Error::internal("unexpected number of tsvector positions"));
            }
            let (given, rest) = rest.split_at_checked(n * 2).ok_or_else(short)?;
            let mut positions = Vec::with_capacity(n);
            for p in given.chunks_exact(2) {
                let p = u16::from_be_bytes([p[0], p[1]]);
                let p = Position { at: p & MAX_POSITION, weight: (p >> 14) as u8 };
                if positions.last().is_some_and(|l: &Position| l.at >= p.at) {
                    return Err(Error::internal("position information is misordered"));
                }
                positions.push(p);
            }
            sorted &= lexemes.last().is_none_or(|l| l.text.as_bytes() < text.as_bytes());
            lexemes.push(Lexeme { text: text.to_string(), positions });
            b = rest;
        }
        if !b.is_empty() {
            bail!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format in bind parameter");
        }
        Ok(if sorted { Vector { lexemes } } else { Vector::from_lexemes(lexemes) })
    }
    /// Where the lexeme is, or would be.
    pub fn find(&self, text: &str) -> std::result::Result<usize, usize> {
        self.lexemes.binary_search_by(|l| l.text.as_bytes().cmp(text.as_bytes()))
    }
}
/// `'it''s'`
pub(crate) fn quote(text: &str, out: &mut Vec<u8>) {
    out.push(b'\'');
    for b in text.bytes() {
        if matches!(b, b'\'' | b'\\') {
            out.push(b);
        }
        out.push(b);
    }
    out.push(b'\'');
}

/// Whose words a [`Scanner`] reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    Vector,
    /// Operators end words; positions are not read.
    Query,
    /// The same of what a person types: quotes are not special.
    Web,
}
pub struct Token {
    pub text: String,
    pub positions: Vec<Position>,
}
/// gettoken_tsvector: words, quoted or not, with their positions.
pub struct Scanner<'a> {
    text: &'a str,
    pub at: usize,
    rules: Rules,
}
/// Is it an operator of tsquery?
pub fn is_operator(c: char) -> bool {
    matches!(c, '!' | '&' | '|' | '(' | ')' | '<')
}
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Word,
    EndWord,
    Quoted,
    Quote,
    PositionMark,
    Number,
    Delimiter,
}
impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, rules: Rules) -> Scanner<'a> {
        Scanner { text, at: 0, rules }
    }
    #[cold]
    fn bad(&self) -> Error {
        let what = if self.rules == Rules::Vector { "tsvector" } else { "tsquery" };
        err!(SYNTAX_ERROR, "syntax error in {what}: \"{}\"", self.text)
    }
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }
    /// The next word; None at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Token>> {
        let space = |c: char| c.is_ascii() && is_space(c as u8);
        let delimits = self.rules != Rules::Vector;
        let web = self.rules == Rules::Web;
        let (mut state, mut text, mut positions) = (State::Word, String::new(), Vec::new());
        loop {
            work::charge(1)?;
            let c = self.peek();
            match (state, c) {
                (State::Word, None) => return Ok(None),
                (State::Word, Some('\'')) if !web => state = State::Quoted,
                (State::Word, Some('\\')) if !web => {
                    text.push(self.escaped()?);
                    state = State::EndWord;
                }
                (State::Word, Some(c)) if delimits && is_operator(c) => return Err(self.bad()),
                (State::Word, Some(c)) if !space(c) => {
                    text.push(c);
                    state = State::EndWord;
                }
                (State::Word, _) => {}
                (State::EndWord, Some('\\')) if !web => text.push(self.escaped()?),
                (State::EndWord, c)
                    if c.is_none_or(space) || (delimits && c.is_some_and(is_operator)) || (web && c == Some('"')) =>
                {
                    if text.is_empty() {
                        return Err(self.bad());
                    }
                    return Ok(Some(Token { text, positions }));
                }
                (State::EndWord, Some(':')) => {
                    if text.is_empty() {
                        return Err(self.bad());
                    }
                    if delimits {
                        return Ok(Some(Token { text, positions }));
                    }
                    state = State::Number;
                }
                (State::EndWord, c) => text.extend(c),
                (State::Quoted, Some('\'')) => state = State::Quote,
                (State::Quoted, Some('\\')) => text.push(self.escaped()?),
                (State::Quoted, None) => return Err(self.bad()),
                (State::Quoted, c) => text.extend(c),
                (State::Quote, Some('\'')) => {
                    text.push('\'');
                    state = State::Quoted;
                }
                (State::Quote, _) => {
                    if text.is_empty() {
                        return Err(self.bad());
                    }
                    if delimits {
                        return Ok(Some(Token { text, positions }));
                    }
                    state = State::PositionMark;
                    continue;
                }
                (State::PositionMark, Some(':')) => state = State::Number,
                (State::PositionMark, _) => return Ok(Some(Token { text, positions })),
                (State::Number, Some(c)) if c.is_ascii_digit() => {
                    let rest = &self.text[self.at..];
                    let n = rest.bytes().take_while(u8::is_ascii_digit).count();
                    let at = rest[..n].parse::<u64>().map_or(MAX_POSITION, |v| v.min(MAX_POSITION.into()) as u16);
                    if at == 0 {
                        bail!(SYNTAX_ERROR, "wrong position info in tsvector: \"{}\"", self.text);
                    }
                    positions.push(Position { at, weight: 0 });
                    state = State::Delimiter;
                    self.at += n - 1;
                }
                (State::Number, _) => return Err(self.bad()),
                (State::Delimiter, Some(',')) => state = State::Number,
                (State::Delimiter, Some(c @ ('a'..='d' | 'A'..='D' | '*'))) => {
                    let weight = match c.to_ascii_lowercase() {
                        'b' => 2,
                        'c' => 1,
                        'd' => 0,
                        _ => 3,
                    };
                    match positions.last_mut() {
                        Some(p) if p.weight == 0 => p.weight = weight,
                        _ => return Err(self.bad()),
                    }
                }
                (State::Delimiter, c) if c.is_none_or(space) => return Ok(Some(Token { text, positions })),
                (State::Delimiter, Some(c)) if !c.is_ascii_digit() => return Err(self.bad()),
                (State::Delimiter, _) => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }
    /// What follows a backslash, which is at hand; it stays the next to be passed.
    fn escaped(&mut self) -> Result<char> {
        self.at += 1;
        match self.peek() {
            Some(c) => Ok(c),
            None => Err(err!(SYNTAX_ERROR, "there is no escaped character: \"{}\"", self.text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(v: &Vector) -> String {
        let mut out = Vec::new();
        v.format(&mut out);
        String::from_utf8(out).unwrap()
    }
    /// In PostgreSQL's order; each is read back from its bytes and from its text.
    #[test]
    fn bytes_order_as_values_do() {
        let texts = ["", "b", "b:9", "b:1,2A", "aa:1", "a b", "a:3 b", "a:1 b", "b:1 c", "a:1,2 b:2"];
        let mut all: Vec<(usize, Vec<u8>)> = Vec::new();
        for (i, t) in texts.iter().enumerate() {
            let v = Vector::parse(t).unwrap();
            let bytes = v.pack().unwrap();
            assert_eq!(Vector::unpack(&bytes), Some(v.clone()));
            assert_eq!(Vector::parse(&shown(&v)).unwrap(), v);
            let mut sent = Vec::new();
            v.encode(&mut sent);
            assert_eq!(Vector::decode(&sent).unwrap(), v);
            all.push((i, bytes));
        }
        all.sort_by(|a, b| a.1.cmp(&b.1));
        // As `order by` of PostgreSQL 15 has them.
        let order: Vec<usize> = all.iter().map(|x| x.0).collect();
        assert_eq!(order, [0, 1, 4, 2, 5, 3, 6, 7, 8, 9]);
    }
    #[test]
    fn whatever_is_cut_off_is_no_value() {
        let bytes = Vector::parse("a:1,2B b 'c d':3A").unwrap().pack().unwrap();
        for n in 0..bytes.len() {
            assert!(Vector::unpack(&bytes[..n]).is_none(), "{n}");
        }
    }
}
