//! From text to tokens, by PostgreSQL's rules (its scan.l and the look-ahead of parser.c).
//!
//! ```text
//! select 'a' || U&'\0441' -- note        Keyword(Select) Str Op Str End
//!        ^ ^                             a token is its kind and where it stands; what it says is read when the parser takes it
//! ```
//! All tokens of a string are found at once, so that the parser may look ahead as far as it likes. An error ends the list with [`Kind::Error`]: whoever gets that
//! far raises it, so that an error of the grammar before it comes first, as it does where tokens are made one by one.
//!
//! Invariants: the kinds of one string end with exactly one `End` or `Error`. A literal that is in the list can be read: its escapes are valid.
//!
//! Limits: identifiers are cut to [`MAX_NAME`] bytes, operators of so many bytes are refused; a text holds less than 4 GiB.
use crate::keywords::Keyword;
use pamir_types::error::state;
use pamir_types::text::{MAX_NAME, cut_name};
use pamir_types::{Error, Result, SqlState, long, memory, work};
use std::borrow::Cow;

/// What a token costs, in units of work.
const TOKEN: usize = 20;
/// Bytes that are looked at in a nanosecond.
const BYTES: usize = 1;
/// Bytes of a literal or a comment between two charges.
const PIECE: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ident,
    Keyword(Keyword),
    /// A whole number that fits 32 bits; greater ones are `Float`.
    Integer,
    Float,
    /// Any form of string: '', E'', $$, U&''
    Str,
    Bits,
    Hex,
    /// `$1`
    Param,
    /// An operator without a kind of its own
    Op,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    Less,
    Greater,
    Equals,
    LessEquals,
    GreaterEquals,
    NotEquals,
    TypeCast,
    DotDot,
    ColonEquals,
    EqualsGreater,
    /// NOT before BETWEEN, IN, LIKE, ILIKE or SIMILAR
    NotLa,
    /// NULLS before FIRST or LAST
    NullsLa,
    /// WITH before TIME or ORDINALITY
    WithLa,
    /// A character that begins nothing
    Other,
    End,
    Error,
}

/// Bytes `start..end` of the text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// The tokens of a string, and why they end early.
pub struct Tokens {
    pub list: Vec<Token>,
    pub error: Option<Error>,
}

/// What is wrong, and where the message points: at `from`, near the text up to `to`.
struct Wrong {
    state: SqlState,
    message: Cow<'static, str>,
    hint: Option<&'static str>,
    from: usize,
    /// None: the message says nothing of what it is near.
    to: Option<usize>,
    /// Has it a place at all?
    placed: bool,
}
/// Why there is no token
enum Stop {
    /// Raised when the parser gets there
    Wrong(Wrong),
    /// The budget of work or of memory has ended: at once
    Ended(Error),
}
type Lexed<T> = std::result::Result<T, Stop>;
impl From<Error> for Stop {
    fn from(e: Error) -> Stop {
        Stop::Ended(e)
    }
}
impl Stop {
    fn error(self, text: &str) -> Error {
        match self {
            Stop::Wrong(w) => w.error(text),
            Stop::Ended(e) => e,
        }
    }
}
fn near(message: &'static str, from: usize, to: usize) -> Stop {
    Stop::Wrong(Wrong {
        state: state::SYNTAX_ERROR,
        message: message.into(),
        hint: None,
        from,
        to: Some(to),
        placed: true,
    })
}
impl Wrong {
    /// An error that quotes the text up to `to`: all of the rest perhaps.
    fn error(self, text: &str) -> Error {
        if let Err(e) = memory::admit(2 * self.to.unwrap_or(0).saturating_sub(self.from)) {
            return e;
        }
        let message = match self.to {
            None => self.message.into_owned(),
            Some(_) if self.from >= text.len() => format!("{} at end of input", self.message),
            Some(to) => format!("{} at or near \"{}\"", self.message, &text[self.from..ceil(text, to)]),
        };
        let mut e = Error::new(self.state, message);
        if let Some(h) = self.hint {
            e = e.hint(h);
        }
        e.at(self.placed.then(|| position(text, self.from)))
    }
}

/// The next boundary of a character at or after `at`.
fn ceil(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    at.min(text.len())
}

/// The number of the character at byte `at`, from 1, as error messages count.
pub fn position(text: &str, at: usize) -> u32 {
    // Counted bytewise: no continuation byte begins a character.
    text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b & 0xc0 != 0x80).count() as u32 + 1
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}
fn begins_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || b >= 0x80 || b == b'_'
}
fn goes_on_name(b: u8) -> bool {
    begins_name(b) || b.is_ascii_digit() || b == b'$'
}
fn is_op(b: u8) -> bool {
    matches!(
        b,
        b'~' | b'!'
            | b'@'
            | b'#'
            | b'^'
            | b'&'
            | b'|'
            | b'`'
            | b'?'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'<'
            | b'>'
            | b'='
    )
}
/// Operators with one of these may end with `+` or `-`.
fn is_odd_op(b: u8) -> bool {
    matches!(b, b'~' | b'!' | b'@' | b'#' | b'^' | b'&' | b'|' | b'`' | b'?' | b'%')
}

struct Lexer<'a> {
    text: &'a str,
    b: &'a [u8],
    at: usize,
}

/// The tokens of `text`. Errors: those of the budget of work only; what is wrong with the text is in [`Tokens::error`].
pub fn tokens(text: &str) -> Result<Tokens> {
    let mut l = Lexer { text, b: text.as_bytes(), at: 0 };
    let mut list: Vec<Token> = Vec::with_capacity(text.len().min(1 << 20) / 5 + 8);
    if text.len() > u32::MAX as usize / 2 {
        return Err(Error::new(state::PROGRAM_LIMIT_EXCEEDED, "statement is too long"));
    }
    let mut before = 0;
    let error = loop {
        let token = l.next().and_then(|t| if is_unicode(l.b, t) { l.unicode(t) } else { Ok(t) });
        // White space and comments count too.
        work::charge(TOKEN + (l.at - before) / BYTES)?;
        before = l.at;
        memory::admit_growth(list.capacity() * size_of::<Token>(), (list.len() + 1) * size_of::<Token>())?;
        match token {
            Ok(t) => {
                if let (Some(before), Kind::Keyword(k)) = (list.last_mut(), t.kind) {
                    before.kind = look_ahead(before.kind, k);
                }
                list.push(t);
                if t.kind == Kind::End {
                    return Ok(Tokens { list, error: None });
                }
            }
            Err(Stop::Wrong(w)) => break w,
            Err(Stop::Ended(e)) => return Err(e),
        }
    };
    list.push(Token { kind: Kind::Error, start: error.from as u32, end: text.len() as u32 });
    Ok(Tokens { list, error: Some(error.error(text)) })
}
/// Is it a string or a name with Unicode escapes (U&'..'), which what follows may say the character of?
fn is_unicode(b: &[u8], t: Token) -> bool {
    let start = t.start as usize;
    matches!(t.kind, Kind::Str | Kind::Ident)
        && matches!(b[start], b'u' | b'U')
        && b.get(start + 1) == Some(&b'&')
        && t.end - t.start > 3
}

/// What `kind` is where `next` follows: three words are others then, so that the grammar needs to look no further.
fn look_ahead(kind: Kind, next: Keyword) -> Kind {
    use Keyword as K;
    match (kind, next) {
        (Kind::Keyword(K::Not), K::Between | K::In | K::Like | K::Ilike | K::Similar) => Kind::NotLa,
        (Kind::Keyword(K::Nulls), K::First | K::Last) => Kind::NullsLa,
        (Kind::Keyword(K::With), K::Time | K::Ordinality) => Kind::WithLa,
        (k, _) => k,
    }
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.b.get(self.at + ahead).copied().unwrap_or(0)
    }
    fn token(&self, kind: Kind, start: usize) -> Lexed<Token> {
        Ok(Token { kind, start: start as u32, end: self.at as u32 })
    }
    /// Past white space and comments.
    fn skip_space(&mut self) -> Lexed<()> {
        loop {
            match self.peek(0) {
                b if is_space(b) => self.at += 1,
                b'-' if self.peek(1) == b'-' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => {
                    let start = self.at;
                    let mut depth = 0;
                    let mut breath = start;
                    loop {
                        match (self.peek(0), self.peek(1)) {
                            (b'/', b'*') => {
                                depth += 1;
                                self.at += 2;
                            }
                            (b'*', b'/') => {
                                depth -= 1;
                                self.at += 2;
                                if depth == 0 {
                                    break;
                                }
                            }
                            _ if self.at >= self.b.len() => {
                                return Err(near("unterminated /* comment", start, self.at));
                            }
                            _ => self.at += 1,
                        }
                        if self.at - breath > PIECE {
                            work::charge(PIECE / BYTES)?;
                            breath = self.at;
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }
    fn skip_line(&mut self) {
        while self.at < self.b.len() && !matches!(self.peek(0), b'\n' | b'\r') {
            self.at += 1;
        }
    }
    fn next(&mut self) -> Lexed<Token> {
        self.skip_space()?;
        let start = self.at;
        let Some(&b) = self.b.get(start) else { return self.token(Kind::End, start) };
        match b {
            b'\'' => self.quoted(start, 1, false, Kind::Str, "unterminated quoted string"),
            b'"' => self.name(start, 1),
            b'b' | b'B' if self.peek(1) == b'\'' => {
                self.quoted(start, 2, false, Kind::Bits, "unterminated bit string literal")
            }
            b'x' | b'X' if self.peek(1) == b'\'' => {
                self.quoted(start, 2, false, Kind::Hex, "unterminated hexadecimal string literal")
            }
            b'e' | b'E' if self.peek(1) == b'\'' => {
                self.quoted(start, 2, true, Kind::Str, "unterminated quoted string")
            }
            b'u' | b'U' if self.peek(1) == b'&' && self.peek(2) == b'\'' => {
                self.quoted(start, 3, false, Kind::Str, "unterminated quoted string")
            }
            b'u' | b'U' if self.peek(1) == b'&' && self.peek(2) == b'"' => self.name(start, 3),
            b'n' | b'N' if self.peek(1) == b'\'' => {
                self.at += 1;
                self.token(Kind::Keyword(Keyword::Nchar), start)
            }
            b if begins_name(b) => {
                while goes_on_name(self.peek(0)) {
                    self.at += 1;
                }
                let kind = Keyword::of(&self.text[start..self.at]).map_or(Kind::Ident, Kind::Keyword);
                self.token(kind, start)
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.peek(1).is_ascii_digit() => self.number(start),
            b'$' => self.dollar(start),
            b'(' => self.one(Kind::LParen),
            b')' => self.one(Kind::RParen),
            b'[' => self.one(Kind::LBracket),
            b']' => self.one(Kind::RBracket),
            b',' => self.one(Kind::Comma),
            b';' => self.one(Kind::Semicolon),
            b'.' if self.peek(1) == b'.' => self.two(Kind::DotDot),
            b'.' => self.one(Kind::Dot),
            b':' if self.peek(1) == b':' => self.two(Kind::TypeCast),
            b':' if self.peek(1) == b'=' => self.two(Kind::ColonEquals),
            b':' => self.one(Kind::Colon),
            b if is_op(b) => self.operator(start),
            _ => self.one(Kind::Other),
        }
    }
    fn one(&mut self, kind: Kind) -> Lexed<Token> {
        self.at += 1;
        self.token(kind, self.at - 1)
    }
    fn two(&mut self, kind: Kind) -> Lexed<Token> {
        self.at += 2;
        self.token(kind, self.at - 2)
    }
    /// A literal between single quotes, which begins after `prefix` bytes, and its continuations on further lines.
    fn quoted(&mut self, start: usize, prefix: usize, escapes: bool, kind: Kind, open: &'static str) -> Lexed<Token> {
        self.at = start + prefix;
        let mut escaped = false;
        loop {
            let rest = &self.b[self.at..];
            match rest.iter().position(|b| *b == b'\'' || (escapes && *b == b'\\')) {
                None => {
                    if escaped {
                        // An escape before the end may be wrong: that is met first.
                        unescape(self.text, start, self.b.len(), prefix)?;
                    }
                    self.at = self.b.len();
                    return Err(near(open, start, self.at));
                }
                Some(i) if rest[i] == b'\\' => {
                    escaped = true;
                    self.at = (self.at + i + 2).min(self.b.len());
                }
                // Bit strings know no doubled quotes.
                Some(i) if kind == Kind::Str && rest.get(i + 1) == Some(&b'\'') => self.at += i + 2,
                Some(i) => {
                    self.at += i + 1;
                    match self.continuation() {
                        Some(at) => self.at = at,
                        None => break,
                    }
                }
            }
        }
        if escaped {
            unescape(self.text, start, self.at, prefix)?;
        }
        self.token(kind, start)
    }
    /// After a closing quote: where the literal goes on, behind white space with a line's end and a quote.
    fn continuation(&self) -> Option<usize> {
        continuation(self.b, self.at)
    }
    /// A name in double quotes, which begins after `prefix` bytes.
    fn name(&mut self, start: usize, prefix: usize) -> Lexed<Token> {
        self.at = start + prefix;
        loop {
            match self.b[self.at..].iter().position(|b| *b == b'"') {
                None => {
                    self.at = self.b.len();
                    return Err(near("unterminated quoted identifier", start, self.at));
                }
                Some(i) if self.b.get(self.at + i + 1) == Some(&b'"') => self.at += i + 2,
                Some(i) => {
                    self.at += i + 1;
                    if self.at == start + prefix + 1 {
                        return Err(near("zero-length delimited identifier", start, self.at));
                    }
                    return self.token(Kind::Ident, start);
                }
            }
        }
    }
    fn digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
    }
    fn number(&mut self, start: usize) -> Lexed<Token> {
        self.digits();
        let mut whole = true;
        if self.peek(0) == b'.' && self.peek(1) != b'.' {
            self.at += 1;
            self.digits();
            whole = false;
        } else if self.peek(0) == b'.' {
            // `1..2`: the dots are a token of their own.
            return self.token(self.integer_kind(start), start);
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = matches!(self.peek(1), b'+' | b'-') as usize;
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits();
                whole = false;
            } else if sign == 1 {
                return Err(near("trailing junk after numeric literal", start, self.at + 2));
            }
        }
        if begins_name(self.peek(0)) {
            while goes_on_name(self.peek(0)) {
                self.at += 1;
            }
            return Err(near("trailing junk after numeric literal", start, self.at));
        }
        self.token(if whole { self.integer_kind(start) } else { Kind::Float }, start)
    }
    fn integer_kind(&self, start: usize) -> Kind {
        if self.text[start..self.at].parse::<i32>().is_ok() { Kind::Integer } else { Kind::Float }
    }
    fn dollar(&mut self, start: usize) -> Lexed<Token> {
        if self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.digits();
            if begins_name(self.peek(0)) {
                while goes_on_name(self.peek(0)) {
                    self.at += 1;
                }
                return Err(near("trailing junk after parameter", start, self.at));
            }
            return self.token(Kind::Param, start);
        }
        let Some(open) = dollar_quote(self.b, start) else { return self.one(Kind::Other) };
        let quote = &self.text[start..open];
        match find(&self.text[open..], quote) {
            Some(i) => {
                self.at = open + i + quote.len();
                self.token(Kind::Str, start)
            }
            None => {
                self.at = self.b.len();
                Err(near("unterminated dollar-quoted string", start, self.at))
            }
        }
    }
    fn operator(&mut self, start: usize) -> Lexed<Token> {
        let mut end = start;
        while end < self.b.len() && is_op(self.b[end]) {
            // A comment ends it; at the first character it would not have come here.
            if end > start && matches!((self.b[end], self.b.get(end + 1)), (b'/', Some(b'*')) | (b'-', Some(b'-'))) {
                break;
            }
            end += 1;
        }
        while end - start > 1
            && matches!(self.b[end - 1], b'+' | b'-')
            && !self.b[start..end - 1].iter().any(|b| is_odd_op(*b))
        {
            end -= 1;
        }
        self.at = end;
        let kind = match &self.b[start..end] {
            b"+" => Kind::Plus,
            b"-" => Kind::Minus,
            b"*" => Kind::Star,
            b"/" => Kind::Slash,
            b"%" => Kind::Percent,
            b"^" => Kind::Caret,
            b"<" => Kind::Less,
            b">" => Kind::Greater,
            b"=" => Kind::Equals,
            b"<=" => Kind::LessEquals,
            b">=" => Kind::GreaterEquals,
            b"<>" | b"!=" => Kind::NotEquals,
            b"=>" => Kind::EqualsGreater,
            op if op.len() > MAX_NAME => return Err(near("operator too long", start, end)),
            _ => Kind::Op,
        };
        self.token(kind, start)
    }
    /// Takes in UESCAPE and its character, if they follow, and looks at the escapes.
    fn unicode(&mut self, t: Token) -> Lexed<Token> {
        let (start, mut end) = (t.start as usize, t.end as usize);
        let mut escape = '\\';
        let before = self.at;
        match self.next() {
            Ok(u) if u.kind == Kind::Keyword(Keyword::Uescape) => {
                let c = self.next()?;
                let is_plain = c.kind == Kind::Str && !is_unicode(self.b, c);
                if !is_plain {
                    return Err(near(
                        "UESCAPE must be followed by a simple string literal",
                        c.start as usize,
                        c.end as usize,
                    ));
                }
                let s = read_string(self.text, c)?;
                let mut chars = s.chars();
                match (chars.next(), chars.next()) {
                    (Some(e), None)
                        if e.is_ascii()
                            && !e.is_ascii_hexdigit()
                            && !matches!(e, '+' | '\'' | '"')
                            && !is_space(e as u8) =>
                    {
                        escape = e
                    }
                    _ => return Err(near("invalid Unicode escape character", c.start as usize, c.end as usize)),
                }
                end = c.end as usize;
            }
            // What is wrong with it is met when its turn comes.
            _ => self.at = before,
        }
        unescape_unicode(self.text, start, t.end as usize, escape)?;
        Ok(Token { kind: t.kind, start: start as u32, end: end as u32 })
    }
}

/// After a closing quote at `at - 1`: behind white space with a line's end and a quote.
fn continuation(b: &[u8], mut at: usize) -> Option<usize> {
    let mut newline = false;
    loop {
        match b.get(at) {
            Some(b'\n' | b'\r') => {
                newline = true;
                at += 1;
            }
            Some(s) if is_space(*s) => at += 1,
            Some(b'-') if b.get(at + 1) == Some(&b'-') => {
                while at < b.len() && !matches!(b[at], b'\n' | b'\r') {
                    at += 1;
                }
                // A comment at the text's end belongs to nothing.
                if at == b.len() {
                    return None;
                }
            }
            Some(b'\'') if newline => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Where the text after `$tag$` at `start` begins.
fn dollar_quote(b: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    if b.get(at).is_some_and(|c| begins_name(*c)) {
        while b.get(at).is_some_and(|c| begins_name(*c) || c.is_ascii_digit()) {
            at += 1;
        }
    }
    (b.get(at) == Some(&b'$')).then_some(at + 1)
}

/// The first `$tag$` in `text`: linear also where dollars abound.
fn find(text: &str, quote: &str) -> Option<usize> {
    let (b, q) = (text.as_bytes(), quote.as_bytes());
    let mut from = 0;
    while let Some(i) = b[from..].iter().position(|c| *c == b'$') {
        if b[from + i..].starts_with(q) {
            return Some(from + i);
        }
        from += i + 1;
    }
    None
}

/// What the string token `t` of `text` says.
pub fn string(text: &str, t: Token) -> Result<String> {
    read_string(text, t).map_err(|s| s.error(text))
}
fn read_string(text: &str, t: Token) -> Lexed<String> {
    let (start, end) = (t.start as usize, t.end as usize);
    let b = text.as_bytes();
    memory::admit(2 * (end - start))?;
    Ok(match b[start] {
        b'$' => {
            let open = dollar_quote(b, start).unwrap_or(start);
            long::string(&text[open..end - (open - start)])?
        }
        b'e' | b'E' => unescape(text, start, end, 2)?,
        b'u' | b'U' => {
            let (end, escape) = unicode_escape(text, start, end)?;
            unescape_unicode(text, start, end, escape)?
        }
        b'\'' => plain(text, start + 1, end)?,
        // Bit strings keep their letter.
        l => format!("{}{}", l.to_ascii_lowercase() as char, plain(text, start + 2, end)?),
    })
}
/// A literal without escapes, from behind its first quote on.
fn plain(text: &str, from: usize, end: usize) -> Result<String> {
    let b = text.as_bytes();
    if !b[from..end - 1].contains(&b'\'') {
        return long::string(&text[from..end - 1]);
    }
    let mut out = String::with_capacity(end - from);
    let (mut at, mut breath) = (from, from);
    while at < end {
        if at - breath > PIECE {
            long::charge_copy(at - breath)?;
            breath = at;
        }
        let i = b[at..end].iter().position(|c| *c == b'\'').map_or(end, |i| at + i);
        out.push_str(&text[at..i]);
        if i + 1 < end && b[i + 1] == b'\'' {
            out.push('\'');
            at = i + 2;
        } else {
            at = continuation(&b[..end], i + 1).unwrap_or(end);
        }
    }
    Ok(out)
}
/// Of a token U&... with or without UESCAPE: where its literal ends and which character begins its escapes.
fn unicode_escape(text: &str, start: usize, end: usize) -> Lexed<(usize, char)> {
    let mut l = Lexer { text: &text[..end], b: &text.as_bytes()[..end], at: start };
    let literal = l.next()?.end as usize;
    if l.next()?.kind == Kind::End {
        return Ok((literal, '\\'));
    }
    let c = l.next()?;
    Ok((literal, read_string(text, c)?.chars().next().unwrap_or('\\')))
}

fn hex(b: &[u8], at: usize, n: usize) -> Option<u32> {
    let digits = b.get(at..at + n)?;
    digits.iter().try_fold(0u32, |v, d| Some((v << 4) | (*d as char).to_digit(16)?))
}
fn is_high(c: u32) -> bool {
    (0xd800..0xdc00).contains(&c)
}
fn is_low(c: u32) -> bool {
    (0xdc00..0xe000).contains(&c)
}
fn pair(high: u32, low: u32) -> u32 {
    ((high & 0x3ff) << 10) + 0x10000 + (low & 0x3ff)
}

/// A code unit of an escape, behind the first half of a pair perhaps: the character, None for a first half, or what is wrong.
fn code_unit(high: &mut Option<u32>, c: u32) -> std::result::Result<Option<char>, &'static str> {
    let c = match high.take() {
        Some(h) if is_low(c) => pair(h, c),
        None if is_high(c) => {
            *high = Some(c);
            return Ok(None);
        }
        None if !is_low(c) => c,
        _ => return Err(PAIR),
    };
    char::from_u32(c).filter(|c| *c != '\0').map(Some).ok_or("invalid Unicode escape value")
}
const PAIR: &str = "invalid Unicode surrogate pair";

/// `\101` or `\x41` behind its backslash: the byte, and how many characters behind the first belong to it. An `x` without digits is itself.
fn numeric_escape(b: &[u8]) -> (u8, usize) {
    let digits =
        |from: usize, most: usize, is: fn(&u8) -> bool| b[from..].iter().take(most).take_while(|c| is(c)).count();
    let octal = |c: &u8| matches!(c, b'0'..=b'7');
    match b[0] {
        b'x' => match digits(1, 2, u8::is_ascii_hexdigit) {
            0 => (b'x', 0),
            n => (hex(b, 1, n).unwrap_or(0) as u8, n),
        },
        _ => {
            let n = digits(0, 3, octal);
            (b[..n].iter().fold(0u32, |v, c| v * 8 + u32::from(c - b'0')) as u8, n - 1)
        }
    }
}

/// E'...': what it says. `start` is the token's, `prefix` the length of `E'`; an escape that is wrong points at itself.
fn unescape(text: &str, start: usize, end: usize, prefix: usize) -> Lexed<String> {
    let b = &text.as_bytes()[..end];
    memory::admit(end - start)?;
    let mut out: Vec<u8> = Vec::with_capacity(end - start);
    let mut high: Option<u32> = None;
    let mut odd = false;
    let mut at = start + prefix;
    let mut breath = at;
    let surrogate = |at: usize, to: usize| near(PAIR, at, to);
    while at < end {
        if at - breath > PIECE {
            work::charge(PIECE / BYTES)?;
            breath = at;
        }
        let unicode = b[at] == b'\\' && matches!(b.get(at + 1), Some(b'u' | b'U'));
        if high.is_some() && !unicode {
            return Err(surrogate(at, ceil(text, at + 1)));
        }
        match b[at] {
            b'\'' if b.get(at + 1) == Some(&b'\'') => {
                out.push(b'\'');
                at += 2;
            }
            b'\'' => match continuation(b, at + 1) {
                Some(next) => at = next,
                None => break,
            },
            b'\\' if unicode => {
                let n = if b[at + 1] == b'u' { 4 } else { 8 };
                let Some(c) = hex(b, at + 2, n) else {
                    return Err(Stop::Wrong(Wrong {
                        state: state::INVALID_ESCAPE_SEQUENCE,
                        message: "invalid Unicode escape".into(),
                        hint: Some("Unicode escapes must be \\uXXXX or \\UXXXXXXXX."),
                        from: at,
                        to: None,
                        placed: true,
                    }));
                };
                let after = at + 2 + n;
                match code_unit(&mut high, c) {
                    Ok(Some(c)) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    Ok(None) => {}
                    Err(m) => return Err(near(m, at, after)),
                }
                at = after;
            }
            b'\\' => {
                let Some(&c) = b.get(at + 1) else {
                    out.push(b'\\');
                    break;
                };
                at += 2;
                match c {
                    b'b' => out.push(8),
                    b'f' => out.push(12),
                    b'n' => out.push(b'\n'),
                    b'r' => out.push(b'\r'),
                    b't' => out.push(b'\t'),
                    b'0'..=b'7' | b'x' => {
                        let (v, n) = numeric_escape(&b[at - 1..]);
                        at += n;
                        odd |= v == 0 || v >= 0x80;
                        out.push(v);
                    }
                    c => out.push(c),
                }
            }
            c => {
                out.push(c);
                at += 1;
            }
        }
    }
    if high.is_some() {
        return Err(surrogate(at, at + 1));
    }
    escaped_text(out, odd)
}

/// The bytes that escapes made as text. `odd`: some are not ASCII, or zero.
fn escaped_text(out: Vec<u8>, odd: bool) -> Lexed<String> {
    if odd
        && let Some(i) = out.iter().position(|b| *b == 0)
        && std::str::from_utf8(&out[..i]).is_ok()
    {
        return Err(bad_bytes(i, 1, &out));
    }
    String::from_utf8(out).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let out = e.into_bytes();
        let len = match out[at] {
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0..0xf8 => 4,
            _ => 1,
        };
        bad_bytes(at, len, &out)
    })
}

fn bad_bytes(at: usize, len: usize, out: &[u8]) -> Stop {
    Stop::Wrong(Wrong {
        state: state::CHARACTER_NOT_IN_REPERTOIRE,
        message: format!(
            "invalid byte sequence for encoding \"UTF8\": {}",
            out[at..(at + len).min(out.len())].iter().map(|b| format!("0x{b:02x}")).collect::<Vec<_>>().join(" ")
        )
        .into(),
        hint: None,
        from: 0,
        to: None,
        placed: false,
    })
}

/// U&'...' and U&"...": what it says, `escape` beginning an escape.
fn unescape_unicode(text: &str, start: usize, end: usize, escape: char) -> Lexed<String> {
    let raw = if text.as_bytes()[start + 2] == b'"' {
        text[start + 3..end - 1].replace("\"\"", "\"")
    } else {
        plain(text, start + 3, end)?
    };
    // PostgreSQL's places are those of the text after its quotes were taken away.
    let place = |i: usize| start + 3 + i;
    let esc = escape as u8;
    let b = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    let mut high: Option<u32> = None;
    let mut at = 0;
    let hinted = |message: &'static str, at: usize, hint| {
        Stop::Wrong(Wrong {
            state: state::SYNTAX_ERROR,
            message: message.into(),
            hint,
            from: place(at),
            to: None,
            placed: true,
        })
    };
    let wrong = |message: &'static str, at: usize| hinted(message, at, None);
    while at < b.len() {
        if b[at] != esc {
            if high.is_some() {
                return Err(wrong(PAIR, at));
            }
            let next = b[at..].iter().position(|c| *c == esc).map_or(b.len(), |i| at + i);
            out.push_str(&raw[at..next]);
            at = next;
            continue;
        }
        if b.get(at + 1) == Some(&esc) {
            if high.is_some() {
                return Err(wrong(PAIR, at));
            }
            out.push(escape);
            at += 2;
            continue;
        }
        let (c, after) = match (hex(b, at + 1, 4), b.get(at + 1)) {
            (Some(c), _) => (c, at + 5),
            (None, Some(b'+')) if hex(b, at + 2, 6).is_some() => (hex(b, at + 2, 6).unwrap_or(0), at + 8),
            _ => {
                return Err(hinted("invalid Unicode escape", at, Some("Unicode escapes must be \\XXXX or \\+XXXXXX.")));
            }
        };
        match code_unit(&mut high, c) {
            Ok(Some(c)) => out.push(c),
            Ok(None) => {}
            Err(m) => return Err(wrong(m, at)),
        }
        at = after;
    }
    if high.is_some() {
        return Err(wrong(PAIR, at));
    }
    Ok(out)
}

/// What the identifier token `t` of `text` names: folded to lower case if it is not quoted, cut to [`MAX_NAME`] bytes. The second is the name before it was cut.
pub fn name(text: &str, t: Token) -> Result<(String, Option<String>)> {
    memory::admit(2 * (t.end - t.start) as usize)?;
    let (start, end) = (t.start as usize, t.end as usize);
    let s = match text.as_bytes()[start] {
        b'"' => {
            let inner = &text[start + 1..end - 1];
            if inner.contains('"') { inner.replace("\"\"", "\"") } else { inner.to_string() }
        }
        b'u' | b'U'
            if text.as_bytes().get(start + 1) == Some(&b'&') && text.as_bytes().get(start + 2) == Some(&b'"') =>
        {
            let read = unicode_escape(text, start, end).and_then(|(end, e)| unescape_unicode(text, start, end, e));
            read.map_err(|s| s.error(text))?
        }
        _ => text[start..end].to_ascii_lowercase(),
    };
    let cut = cut_name(&s);
    if cut.len() == s.len() { Ok((s, None)) } else { Ok((cut.to_string(), Some(s))) }
}
