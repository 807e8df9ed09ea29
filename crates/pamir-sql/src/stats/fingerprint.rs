//! A statement's text without its constants, as pg_stat_statements shows it, and a number for it.
//!
//! PostgreSQL walks the analyzed tree; here the text is read token by token, so that nothing need be parsed twice. Texts that differ in blanks, comments,
//! the case of words, or constants have one number:
//!
//! ```text
//!   SELECT * FROM t WHERE id = 4711 AND name = 'x'  -- y     the text
//!   SELECT * FROM t WHERE id = $1 AND name = $2  -- y        as it is shown (of the first that came)
//!   select * from t where id = $ and name = $                what the number is made of
//! ```
//! Limits: a table's schema is not looked up, so one name under two search paths is one statement; a constant and a parameter in its place are one, too (PostgreSQL
//! tells them apart). Numbers that are part of a type, `numeric(10,2)`, and positions right behind BY stay.
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Bytes of a normalized text that are kept; the number is made of all of it.
pub const MAX_TEXT: usize = 8 << 10;

/// Types whose parentheses hold no constant.
const WITH_MODIFIER: [&str; 12] = [
    "numeric",
    "decimal",
    "dec",
    "varchar",
    "char",
    "character",
    "varying",
    "bit",
    "timestamp",
    "timestamptz",
    "time",
    "float",
];

/// `constants`: replace them; a utility statement's stay, as in PostgreSQL.
pub fn fingerprint(sql: &str, constants: bool) -> (i64, String) {
    let sql = sql.trim_start();
    let mut r = Reader { s: sql.as_bytes(), at: 0 };
    let mut h = FxHasher::default();
    let mut out = String::with_capacity(sql.len().min(MAX_TEXT));
    let mut next = highest_parameter(sql) + 1;
    // Text up to here is in `out`.
    let mut copied = 0;
    let (mut last_word, mut in_modifier) = (String::new(), false);
    let end = sql.trim_end_matches(|c: char| c == ';' || c.is_ascii_whitespace()).len();
    while let Some(t) = r.next().filter(|t| t.start < end) {
        let text = sql.get(t.start..t.end).unwrap_or("");
        let kept_number = t.kind == Kind::Number && (in_modifier || last_word == "by");
        match t.kind {
            Kind::Number | Kind::String if constants && !kept_number => {
                h.write_u8(b'$');
                out.push_str(sql.get(copied..t.start).unwrap_or(""));
                out.push('$');
                out.push_str(&next.to_string());
                next += 1;
                copied = t.end;
            }
            Kind::Parameter => h.write_u8(b'$'),
            Kind::Word => {
                let word = text.to_ascii_lowercase();
                h.write(word.as_bytes());
                last_word = word;
            }
            _ => h.write(text.as_bytes()),
        }
        h.write_u8(0);
        match text {
            "(" => in_modifier = WITH_MODIFIER.contains(&last_word.as_str()),
            ")" => in_modifier = false,
            _ => {}
        }
        if t.kind != Kind::Word {
            last_word.clear();
        }
    }
    out.push_str(sql.get(copied..end).unwrap_or(""));
    if out.len() > MAX_TEXT {
        out.truncate(out.floor_char_boundary(MAX_TEXT));
    }
    // Zero means "no number".
    ((h.finish() as i64).max(i64::MIN + 1).wrapping_abs().max(1), out)
}

/// The largest n of `$n` outside of strings.
fn highest_parameter(sql: &str) -> u64 {
    let mut r = Reader { s: sql.as_bytes(), at: 0 };
    let mut most = 0;
    while let Some(t) = r.next() {
        if t.kind == Kind::Parameter {
            most = most.max(sql.get(t.start + 1..t.end).and_then(|n| n.parse().ok()).unwrap_or(0));
        }
    }
    most
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Word,
    Quoted,
    Number,
    String,
    Parameter,
    Other,
}
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
}

/// Tokens of a text, without blanks and comments. What is not closed goes to the end.
struct Reader<'a> {
    s: &'a [u8],
    at: usize,
}
fn in_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}
impl Reader<'_> {
    fn peek(&self, n: usize) -> u8 {
        self.s.get(self.at + n).copied().unwrap_or(0)
    }
    fn skip_while(&mut self, f: impl Fn(u8) -> bool) {
        while self.s.get(self.at).is_some_and(|b| f(*b)) {
            self.at += 1;
        }
    }
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|b| b.is_ascii_whitespace());
            match (self.peek(0), self.peek(1)) {
                (b'-', b'-') => self.skip_while(|b| b != b'\n'),
                (b'/', b'*') => {
                    let mut depth = 0;
                    while self.at < self.s.len() {
                        match (self.peek(0), self.peek(1)) {
                            (b'/', b'*') => (depth, self.at) = (depth + 1, self.at + 2),
                            (b'*', b'/') => (depth, self.at) = (depth - 1, self.at + 2),
                            _ => self.at += 1,
                        }
                        if depth == 0 {
                            break;
                        }
                    }
                }
                _ => return,
            }
        }
    }
    /// Behind the opening quote.
    fn quoted(&mut self, quote: u8, backslash: bool) {
        while let Some(b) = self.s.get(self.at) {
            self.at += 1;
            if backslash && *b == b'\\' {
                self.at += 1;
            } else if *b == quote {
                if self.peek(0) != quote {
                    return;
                }
                self.at += 1;
            }
        }
        self.at = self.at.min(self.s.len());
    }
    /// `$tag$ ... $tag$`, at its first dollar; false: it is none.
    fn dollar_quoted(&mut self) -> bool {
        let rest = self.s.get(self.at + 1..).unwrap_or(&[]);
        let tag = rest.iter().take_while(|b| in_word(**b) && **b != b'$').count();
        if rest.get(tag) != Some(&b'$') || rest.first().is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let (open, body) = self.s.split_at(self.at + tag + 2);
        let mark = open.get(self.at..).unwrap_or(&[]);
        let len = body.windows(mark.len()).position(|w| w == mark);
        self.at = len.map_or(self.s.len(), |n| self.at + mark.len() + n + mark.len());
        true
    }
    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let b = *self.s.get(start)?;
        let kind = match b {
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'\'' => {
                self.at += 1;
                self.quoted(b'\'', false);
                Kind::String
            }
            b'"' => {
                self.at += 1;
                self.quoted(b'"', false);
                Kind::Quoted
            }
            b'$' if self.peek(1).is_ascii_digit() => {
                self.at += 1;
                self.skip_while(|b| b.is_ascii_digit());
                Kind::Parameter
            }
            b'$' if self.dollar_quoted() => Kind::String,
            b if in_word(b) => {
                self.skip_while(in_word);
                let word = self.s.get(start..self.at).unwrap_or(&[]);
                match (word, self.peek(0), self.peek(1)) {
                    ([b'e' | b'E'], b'\'', _) => self.prefixed(1, true),
                    ([b'b' | b'B' | b'x' | b'X' | b'n' | b'N'], b'\'', _) => self.prefixed(1, false),
                    ([b'u' | b'U'], b'&', b'\'') => self.prefixed(2, false),
                    _ => Kind::Word,
                }
            }
            _ => {
                self.at += 1;
                Kind::Other
            }
        };
        Some(Token { kind, start, end: self.at.min(self.s.len()) })
    }
    fn prefixed(&mut self, skip: usize, backslash: bool) -> Kind {
        self.at += skip;
        self.quoted(b'\'', backslash);
        Kind::String
    }
    fn number(&mut self) -> Kind {
        self.skip_while(|b| b.is_ascii_digit());
        if self.peek(0) == b'.' && self.peek(1) != b'.' {
            self.at += 1;
            self.skip_while(|b| b.is_ascii_digit());
        }
        let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
        if matches!(self.peek(0), b'e' | b'E') && self.peek(1 + sign).is_ascii_digit() {
            self.at += 1 + sign;
            self.skip_while(|b| b.is_ascii_digit());
        }
        Kind::Number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants_become_parameters() {
        for (sql, shown) in [
            ("SELECT * FROM t WHERE id = 4711 AND name = 'x''y';", "SELECT * FROM t WHERE id = $1 AND name = $2"),
            ("select 1.5e-3, .5, E'a\\'b', $$q'$$, $t$ $$ $t$, b'01', U&'x'", "select $1, $2, $3, $4, $5, $6, $7"),
            ("select a from t1 where b = $2 and c in (1, 2)", "select a from t1 where b = $2 and c in ($3, $4)"),
            (
                "select cast(x as numeric(10,2)), left(y, 3) from t order by 1",
                "select cast(x as numeric(10,2)), left(y, $1) from t order by 1",
            ),
            ("select /* 1 /* 2 */ '3' */ \"4\" -- 5", "select /* 1 /* 2 */ '3' */ \"4\" -- 5"),
            ("select $1::int + 1", "select $1::int + $2"),
        ] {
            assert_eq!(fingerprint(sql, true).1, shown);
        }
        assert_eq!(fingerprint("\n SET work_mem = 64; ", false).1, "SET work_mem = 64");
    }

    #[test]
    fn one_number_for_one_statement() {
        let n = |s: &str| fingerprint(s, true).0;
        let same =
            ["select a from T where b=1", "SELECT a\n FROM t WHERE b = 'x' -- c", "select a from t where b = $1;"];
        assert!(same.iter().all(|s| n(s) == n(same[0])));
        for other in [
            "select a from t where c=1",
            "select a from \"T\" where b=1",
            "select ab from t where b=1",
            "select a from t where b=1 and b=1",
        ] {
            assert_ne!(n(other), n(same[0]), "{other}");
        }
        assert_ne!(fingerprint("set x = 1", false).0, fingerprint("set x = 2", false).0);
        assert!(n("") > 0);
    }

    #[test]
    fn long_texts_are_cut_but_told_apart() {
        let long = |tail: &str| format!("select {}{tail}", "a, ".repeat(MAX_TEXT));
        let (a, b) = (fingerprint(&long("b"), true), fingerprint(&long("c"), true));
        assert_ne!(a.0, b.0);
        assert_eq!(a.1.len(), MAX_TEXT);
    }

    proptest! {
        #[test]
        fn any_text_is_read(s in "[a-z0-9'\"$./*\\-\\\\é;() \n]{0,60}") {
            let (n, text) = fingerprint(&s, true);
            prop_assert!(n > 0);
            // What is shown has the same number.
            prop_assert!(text.len() <= MAX_TEXT);
        }
    }
}
