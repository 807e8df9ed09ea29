//! The text of a jsonpath, read by recursive descent.
//!
//! PostgreSQL's parser is bison's, whose errors name the token it had in hand; a token's text for that is what flex had last matched, so a word
//! before a special character shows nothing ("at end"), one before blanks shows the blanks, and a string its closing quote.
use super::{JsonPath, Like, MAX_DEPTH, Method, Node, Op, Path};
use crate::numeric::Numeric;
use crate::{Error, Result, bail, err, work};

#[derive(Clone, PartialEq, Debug)]
enum Token {
    End,
    Word(Box<str>),
    String(Box<str>),
    Variable(Box<str>),
    /// Digits alone.
    Int(Box<str>),
    Number(Box<str>),
    /// Operators and special characters.
    Mark(&'static str),
}
struct Lexed {
    token: Token,
    shown: String,
}

const SPECIAL: &str = "?%$.[]{}()|&!=<>@#,*:-+/";
const MARKS: [&str; 32] = [
    "&&", "||", "**", "<=", "==", "<>", "!=", ">=", "!", "<", ">", "?", "%", "$", ".", "[", "]", "{", "}", "(", ")",
    "|", "&", "=", "@", "#", ",", "*", ":", "-", "+", "/",
];
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}
fn is_other(c: char) -> bool {
    !SPECIAL.contains(c) && !matches!(c, '\\' | '"') && !is_blank(c)
}

#[cold]
fn wrong(message: &str, shown: &str) -> Error {
    match shown {
        "" => err!(SYNTAX_ERROR, "{message} at end of jsonpath input"),
        s => err!(SYNTAX_ERROR, "{message} at or near \"{s}\" of jsonpath input"),
    }
}

struct Lexer<'a> {
    s: &'a str,
    at: usize,
}
impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.s[self.at..]
    }
    fn next(&mut self) -> Result<Lexed> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
            self.at += blanks;
            match self.rest().strip_prefix("/*") {
                Some(comment) => self.comment(comment)?,
                None => break,
            }
        }
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok(Lexed { token: Token::End, shown: String::new() }) };
        if let Some(quoted) = rest.strip_prefix("$\"") {
            return self.quoted(quoted, Token::Variable);
        }
        if c == '"' {
            return self.quoted(&rest[1..], Token::String);
        }
        if c == '$' && rest[1..].starts_with(is_other) {
            let name = &rest[1..];
            let name = &name[..name.find(|c| !is_other(c)).unwrap_or(name.len())];
            self.at += 1 + name.len();
            return Ok(Lexed { token: Token::Variable(name.into()), shown: format!("${name}") });
        }
        if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        match MARKS.iter().find(|m| rest.starts_with(**m)) {
            Some(m) => {
                self.at += m.len();
                Ok(Lexed { token: Token::Mark(m), shown: m.to_string() })
            }
            None => self.word(),
        }
    }
    fn comment(&mut self, inner: &str) -> Result<()> {
        match inner.find("*/") {
            Some(n) => self.at += 2 + n + 2,
            None => return Err(wrong("unexpected end of comment", "")),
        }
        Ok(())
    }
    /// integer, decimal or real; what sticks to it is an error.
    fn number(&mut self) -> Result<Lexed> {
        let b = self.rest().as_bytes();
        let digits = |mut i: usize| {
            while b.get(i).is_some_and(u8::is_ascii_digit) {
                i += 1;
            }
            i
        };
        // A leading zero is a number of its own.
        let mut i = if b[0] == b'0' { 1 } else { digits(0) };
        let mut int = true;
        if b.get(i) == Some(&b'.') {
            (i, int) = (digits(i + 1), false);
        }
        if matches!(b.get(i), Some(b'e' | b'E')) {
            let signed = matches!(b.get(i + 1), Some(b'+' | b'-'));
            let start = i + 1 + usize::from(signed);
            if b.get(start).is_some_and(u8::is_ascii_digit) {
                (i, int) = (digits(start), false);
            } else if signed {
                return Err(wrong("invalid numeric literal", &self.rest()[..start]));
            }
        }
        let rest = self.rest();
        if let Some(junk) = rest[i..].chars().next().filter(|c| is_other(*c)) {
            // The longest match wins: with more than one character behind it, it is a word.
            let word = rest.find(|c| !is_other(c)).unwrap_or(rest.len());
            if word > i + junk.len_utf8() {
                return self.word();
            }
            return Err(wrong("trailing junk after numeric literal", &rest[..i + junk.len_utf8()]));
        }
        self.at += i;
        let text: Box<str> = rest[..i].into();
        Ok(Lexed { shown: rest[..i].into(), token: if int { Token::Int(text) } else { Token::Number(text) } })
    }
    fn quoted(&mut self, inner: &str, make: fn(Box<str>) -> Token) -> Result<Lexed> {
        self.at = self.s.len() - inner.len();
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let n = rest.find(['"', '\\']).unwrap_or(rest.len());
            out.push_str(&rest[..n]);
            self.at += n;
            match rest[n..].chars().next() {
                None => return Err(wrong("unexpected end of quoted string", "")),
                Some('"') => {
                    self.at += 1;
                    return Ok(Lexed { token: make(out.into()), shown: "\"".into() });
                }
                Some(_) => self.escape(&mut out)?,
            }
        }
    }
    /// A word without quotes, in which escapes may stand.
    fn word(&mut self) -> Result<Lexed> {
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let n = rest.find(|c| !is_other(c)).unwrap_or(rest.len());
            out.push_str(&rest[..n]);
            self.at += n;
            let rest = &rest[n..];
            if rest.starts_with('\\') {
                self.escape(&mut out)?;
                continue;
            }
            if rest.starts_with("/*") {
                // PostgreSQL's lexer forgets a word that a comment follows.
                return self.next();
            }
            let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
            self.at += blanks;
            return Ok(Lexed { token: Token::Word(out.into()), shown: rest[..blanks].into() });
        }
    }
    /// What stands behind a backslash.
    fn escape(&mut self, out: &mut String) -> Result<()> {
        let rest = self.rest();
        let Some(c) = rest[1..].chars().next() else { return Err(wrong("unexpected end after backslash", "\\")) };
        match c {
            'b' => out.push('\x08'),
            'f' => out.push('\x0c'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\x0b'),
            'x' => {
                let digits = rest[2..].bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
                let v = u32::from_str_radix(&rest[2..2 + digits], 16).unwrap_or(0);
                if digits < 2 {
                    return Err(wrong("invalid hex character sequence", &rest[..2 + digits]));
                }
                self.at += 4;
                return put_code(v, out);
            }
            'u' => return self.unicode(out),
            c => out.push(c),
        }
        self.at += 1 + c.len_utf8();
        Ok(())
    }
    /// One `\uXXXX` or `\u{X}`: its code and its length.
    fn code(&self, s: &str) -> Result<(u32, usize)> {
        let bad = |n: usize| wrong("invalid unicode sequence", &s[..n]);
        let hex = |t: &str, max: usize| t.bytes().take(max).take_while(u8::is_ascii_hexdigit).count();
        let inner = &s[2..];
        if let Some(braced) = inner.strip_prefix('{') {
            let n = hex(braced, 6);
            if n == 0 || !braced[n..].starts_with('}') {
                return Err(bad(3 + n));
            }
            return Ok((u32::from_str_radix(&braced[..n], 16).unwrap_or(0), 4 + n));
        }
        let n = hex(inner, 4);
        if n < 4 {
            return Err(bad(2 + n));
        }
        Ok((u32::from_str_radix(&inner[..4], 16).unwrap_or(0), 6))
    }
    fn unicode(&mut self, out: &mut String) -> Result<()> {
        const DETAIL_HIGH: &str = "Unicode high surrogate must not follow a high surrogate.";
        const DETAIL_LOW: &str = "Unicode low surrogate must follow a high surrogate.";
        let bad = |detail: &str| {
            Err(err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type jsonpath").detail(detail))
        };
        let mut high = None;
        while self.rest().starts_with("\\u") {
            let (v, n) = self.code(self.rest())?;
            self.at += n;
            match (v, high.take()) {
                (0xd800..=0xdbff, None) => high = Some(v),
                (0xd800..=0xdbff, Some(_)) => return bad(DETAIL_HIGH),
                (0xdc00..=0xdfff, Some(h)) => put_code(0x10000 + ((h - 0xd800) << 10) + (v - 0xdc00), out)?,
                (0xdc00..=0xdfff, None) | (_, Some(_)) => return bad(DETAIL_LOW),
                (v, None) => put_code(v, out)?,
            }
        }
        if high.is_some() { bad(DETAIL_LOW) } else { Ok(()) }
    }
}
fn put_code(v: u32, out: &mut String) -> Result<()> {
    if v == 0 {
        return Err(err!(UNTRANSLATABLE_CHARACTER, "unsupported Unicode escape sequence")
            .detail("\\u0000 cannot be converted to text."));
    }
    match char::from_u32(v) {
        Some(c) => out.push(c),
        None => return Err(err!(SYNTAX_ERROR, "could not convert Unicode to server encoding")),
    }
    Ok(())
}

/// Does the tree say a value, or whether something holds?
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Value,
    Predicate,
}
struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    shown: String,
    depth: usize,
}

pub(super) fn parse(s: &str) -> Result<JsonPath> {
    let mut p = Parser { lexer: Lexer { s, at: 0 }, token: Token::End, shown: String::new(), depth: 0 };
    p.advance()?;
    let mode = p.word_is("strict") || p.word_is("lax");
    let lax = !p.word_is("strict");
    if mode {
        p.advance()?;
    } else if p.token == Token::End {
        bail!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type jsonpath: \"{s}\"");
    }
    let (path, _) = p.or()?;
    if p.token != Token::End {
        return Err(p.unexpected());
    }
    check(&path, false, false)?;
    Ok(JsonPath { lax, path })
}

/// `@` and `last` stand where they mean something (flattenJsonPathParseItem).
fn check(p: &[Node], filter: bool, subscript: bool) -> Result<()> {
    for n in p {
        work::charge(20)?;
        match n {
            Node::Current if !filter => bail!(SYNTAX_ERROR, "@ is not allowed in root expressions"),
            Node::Last if !subscript => bail!(SYNTAX_ERROR, "LAST is allowed only in array subscripts"),
            Node::Filter(p) => check(p, true, subscript)?,
            Node::Index(list) => {
                for (from, to) in list {
                    check(from, filter, true)?;
                    check(to.as_deref().unwrap_or(&[]), filter, true)?;
                }
            }
            Node::Binary(_, a, b) => {
                check(a, filter, subscript)?;
                check(b, filter, subscript)?;
            }
            Node::Plus(p) | Node::Minus(p) | Node::Not(p) | Node::IsUnknown(p) | Node::Exists(p) | Node::Like(p, _) => {
                check(p, filter, subscript)?
            }
            _ => {}
        }
    }
    Ok(())
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<Token> {
        work::charge(50)?;
        let next = self.lexer.next()?;
        self.shown = next.shown;
        Ok(std::mem::replace(&mut self.token, next.token))
    }
    #[cold]
    fn unexpected(&self) -> Error {
        wrong("syntax error", &self.shown)
    }
    fn mark(&self, m: &str) -> bool {
        matches!(&self.token, Token::Mark(x) if *x == m)
    }
    fn eat(&mut self, m: &str) -> Result<bool> {
        let hit = self.mark(m);
        if hit {
            self.advance()?;
        }
        Ok(hit)
    }
    fn expect(&mut self, m: &str) -> Result<()> {
        if self.eat(m)? { Ok(()) } else { Err(self.unexpected()) }
    }
    /// Keywords in any case, but `true`, `false` and `null`, which are these letters.
    fn word_is(&self, w: &str) -> bool {
        let exact = matches!(w, "true" | "false" | "null");
        matches!(&self.token, Token::Word(x) if if exact { **x == *w } else { x.eq_ignore_ascii_case(w) })
    }
    fn eat_word(&mut self, w: &str) -> Result<bool> {
        let hit = self.word_is(w);
        if hit {
            self.advance()?;
        }
        Ok(hit)
    }
    fn expect_word(&mut self, w: &str) -> Result<()> {
        if self.eat_word(w)? { Ok(()) } else { Err(self.unexpected()) }
    }
    /// A string's text.
    fn string(&mut self) -> Result<Box<str>> {
        match &self.token {
            Token::String(s) => {
                let s = s.clone();
                self.advance()?;
                Ok(s)
            }
            _ => Err(self.unexpected()),
        }
    }
    /// Is what was just read of that kind? Else the token behind it is one too many.
    fn be(&self, is: Kind, wanted: Kind) -> Result<()> {
        if is == wanted { Ok(()) } else { Err(self.unexpected()) }
    }
    /// What reads itself again takes more of the stack than a level of the tree does.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        const FRAMES: usize = 8;
        let before = self.depth;
        self.depth += FRAMES - 1;
        self.deepen()?;
        let v = f(self)?;
        self.depth = before;
        Ok(v)
    }

    fn or(&mut self) -> Result<(Path, Kind)> {
        self.deeper(|p| p.logical(Op::Or, |p| p.logical(Op::And, Self::comparison)))
    }
    /// Operators of one priority between predicates; each one adds a level to the tree.
    fn logical(&mut self, op: Op, part: impl Fn(&mut Self) -> Result<(Path, Kind)>) -> Result<(Path, Kind)> {
        let (mut left, mut kind) = part(self)?;
        let depth = self.depth;
        while self.mark(op.name()) {
            self.be(kind, Kind::Predicate)?;
            self.advance()?;
            self.deepen()?;
            let (right, k) = part(self)?;
            self.be(k, Kind::Predicate)?;
            (left, kind) = (vec![Node::Binary(op, left, right)], Kind::Predicate);
        }
        self.depth = depth;
        Ok((left, kind))
    }
    fn deepen(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            bail!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
        }
        Ok(())
    }
    fn comparison(&mut self) -> Result<(Path, Kind)> {
        if self.eat("!")? {
            let inner = match self.word_is("exists") {
                true => self.exists()?,
                false => {
                    self.expect("(")?;
                    let (inner, kind) = self.or()?;
                    self.be(kind, Kind::Predicate)?;
                    self.expect(")")?;
                    inner
                }
            };
            return Ok((vec![Node::Not(inner)], Kind::Predicate));
        }
        if self.word_is("exists") {
            return Ok((self.exists()?, Kind::Predicate));
        }
        let (left, kind) = self.sum()?;
        let op = match &self.token {
            Token::Mark("==") => Op::Equal,
            Token::Mark("!=" | "<>") => Op::NotEqual,
            Token::Mark("<") => Op::Less,
            Token::Mark("<=") => Op::LessOrEqual,
            Token::Mark(">") => Op::Greater,
            Token::Mark(">=") => Op::GreaterOrEqual,
            Token::Word(_) if self.word_is("starts") || self.word_is("like_regex") => {
                self.be(kind, Kind::Value)?;
                return Ok((self.of_string(left)?, Kind::Predicate));
            }
            _ => return Ok((left, kind)),
        };
        self.be(kind, Kind::Value)?;
        self.advance()?;
        let (right, kind) = self.sum()?;
        self.be(kind, Kind::Value)?;
        Ok((vec![Node::Binary(op, left, right)], Kind::Predicate))
    }
    fn exists(&mut self) -> Result<Path> {
        self.advance()?;
        self.expect("(")?;
        let (inner, kind) = self.or()?;
        self.be(kind, Kind::Value)?;
        self.expect(")")?;
        Ok(vec![Node::Exists(inner)])
    }
    /// `starts with`, `like_regex`.
    fn of_string(&mut self, left: Path) -> Result<Path> {
        if self.eat_word("starts")? {
            self.expect_word("with")?;
            let initial = match &self.token {
                Token::Variable(v) => {
                    let v = v.clone();
                    self.advance()?;
                    Node::Variable(v)
                }
                _ => Node::String(self.string()?),
            };
            return Ok(vec![Node::Binary(Op::StartsWith, left, vec![initial])]);
        }
        self.advance()?;
        let pattern = self.string()?;
        let flags = if self.eat_word("flag")? { self.string()? } else { "".into() };
        let mut like = Like { pattern, icase: false, dotall: false, mline: false, quote: false };
        let mut expanded = false;
        for c in flags.chars() {
            match c {
                'i' => like.icase = true,
                's' => like.dotall = true,
                'm' => like.mline = true,
                'x' => expanded = true,
                'q' => like.quote = true,
                c => {
                    return Err(err!(SYNTAX_ERROR, "invalid input syntax for type jsonpath")
                        .detail(format!("Unrecognized flag character \"{c}\" in LIKE_REGEX predicate.")));
                }
            }
        }
        if expanded && !like.quote {
            bail!(FEATURE_NOT_SUPPORTED, "XQuery \"x\" flag (expanded regular expressions) is not implemented");
        }
        Ok(vec![Node::Like(left, Box::new(like))])
    }
    fn sum(&mut self) -> Result<(Path, Kind)> {
        self.arithmetic(&[("+", Op::Add), ("-", Op::Sub)], |p| {
            p.arithmetic(&[("*", Op::Mul), ("/", Op::Div), ("%", Op::Mod)], Self::signed)
        })
    }
    fn arithmetic(
        &mut self,
        ops: &[(&str, Op)],
        part: impl Fn(&mut Self) -> Result<(Path, Kind)>,
    ) -> Result<(Path, Kind)> {
        let (mut left, kind) = part(self)?;
        let depth = self.depth;
        while let Some((_, op)) = ops.iter().find(|o| self.mark(o.0)) {
            self.be(kind, Kind::Value)?;
            self.advance()?;
            self.deepen()?;
            let (right, k) = part(self)?;
            self.be(k, Kind::Value)?;
            left = vec![Node::Binary(*op, left, right)];
        }
        self.depth = depth;
        Ok((left, kind))
    }
    fn signed(&mut self) -> Result<(Path, Kind)> {
        let plus = self.mark("+");
        if !plus && !self.mark("-") {
            return self.accessor();
        }
        self.advance()?;
        let (inner, kind) = self.deeper(Self::signed)?;
        self.be(kind, Kind::Value)?;
        // makeItemUnary: a number takes its sign.
        Ok((
            match (inner.as_slice(), plus) {
                ([Node::Number(_)], true) => inner,
                ([Node::Number(n)], false) => vec![Node::Number(n.neg())],
                (_, true) => vec![Node::Plus(inner)],
                (_, false) => vec![Node::Minus(inner)],
            },
            Kind::Value,
        ))
    }
    fn accessor(&mut self) -> Result<(Path, Kind)> {
        let (mut path, mut kind) = self.primary()?;
        let bracketed = kind == Kind::Predicate;
        if bracketed && self.word_is("is") {
            self.advance()?;
            self.expect_word("unknown")?;
            return Ok((vec![Node::IsUnknown(path)], Kind::Predicate));
        }
        while matches!(&self.token, Token::Mark("." | "[" | "?")) {
            self.step(&mut path)?;
            kind = Kind::Value;
        }
        Ok((path, kind))
    }
    fn primary(&mut self) -> Result<(Path, Kind)> {
        if self.eat("(")? {
            let (inner, kind) = self.or()?;
            self.expect(")")?;
            return Ok((inner, kind));
        }
        let node = match &self.token {
            Token::String(s) => Node::String(s.clone()),
            Token::Variable(v) => Node::Variable(v.clone()),
            Token::Int(n) | Token::Number(n) => Node::Number(Numeric::parse(n)?),
            Token::Mark("$") => Node::Root,
            Token::Mark("@") => Node::Current,
            Token::Word(_) if self.word_is("null") => Node::Null,
            Token::Word(_) if self.word_is("true") => Node::Bool(true),
            Token::Word(_) if self.word_is("false") => Node::Bool(false),
            Token::Word(_) if self.word_is("last") => Node::Last,
            _ => return Err(self.unexpected()),
        };
        self.advance()?;
        Ok((vec![node], Kind::Value))
    }
    /// What stands behind a value: `.key`, `.method()`, `[...]`, `?(...)`.
    fn step(&mut self, path: &mut Path) -> Result<()> {
        if self.eat("?")? {
            self.expect("(")?;
            let (inner, kind) = self.or()?;
            self.be(kind, Kind::Predicate)?;
            self.expect(")")?;
            path.push(Node::Filter(inner));
            return Ok(());
        }
        if self.eat("[")? {
            if self.eat("*")? {
                self.expect("]")?;
                path.push(Node::AnyArray);
                return Ok(());
            }
            path.push(Node::Index(self.subscripts()?));
            return Ok(());
        }
        self.expect(".")?;
        if self.eat("*")? {
            path.push(Node::AnyKey);
            return Ok(());
        }
        if self.eat("**")? {
            path.push(self.levels()?);
            return Ok(());
        }
        let (key, word) = match &self.token {
            Token::Word(w) => (w.clone(), true),
            Token::String(s) => (s.clone(), false),
            _ => return Err(self.unexpected()),
        };
        self.advance()?;
        if !word || !self.mark("(") {
            path.push(Node::Key(key));
            return Ok(());
        }
        const METHODS: [Method; 7] =
            [Method::Type, Method::Size, Method::Double, Method::Ceiling, Method::Floor, Method::Abs, Method::KeyValue];
        let node = match METHODS.iter().find(|m| key.eq_ignore_ascii_case(m.name())) {
            Some(m) => Node::Method(*m),
            None if key.eq_ignore_ascii_case("datetime") => {
                self.advance()?;
                let template = if self.mark(")") { None } else { Some(self.string()?) };
                self.expect(")")?;
                path.push(Node::Datetime(template));
                return Ok(());
            }
            None => return Err(self.unexpected()),
        };
        self.advance()?;
        self.expect(")")?;
        path.push(node);
        Ok(())
    }
    fn subscripts(&mut self) -> Result<Vec<(Path, Option<Path>)>> {
        let mut list = Vec::new();
        let value = |p: &mut Self| {
            let (e, kind) = p.deeper(Self::sum)?;
            p.be(kind, Kind::Value)?;
            Ok(e)
        };
        loop {
            let from = value(self)?;
            let to = if self.eat_word("to")? { Some(value(self)?) } else { None };
            list.push((from, to));
            if self.eat("]")? {
                return Ok(list);
            }
            self.expect(",")?;
        }
    }
    fn levels(&mut self) -> Result<Node> {
        if !self.eat("{")? {
            return Ok(Node::Levels(0, u32::MAX));
        }
        let first = self.level()?;
        let last = if self.eat_word("to")? { self.level()? } else { first };
        self.expect("}")?;
        Ok(Node::Levels(first, last))
    }
    fn level(&mut self) -> Result<u32> {
        if self.eat_word("last")? {
            return Ok(u32::MAX);
        }
        let Token::Int(n) = &self.token else { return Err(self.unexpected()) };
        let v: i32 = n
            .parse()
            .map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{n}\" is out of range for type integer"))?;
        self.advance()?;
        Ok(v as u32)
    }
}
