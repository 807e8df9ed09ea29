//! LIKE and ILIKE (like_match.c): `%` any run, `_` one character, `\` (or ESCAPE's character) takes the next literally.
//!
//! Matching is greedy with one backtrack point, the last `%` seen: a later `%` makes earlier ones irrelevant, and nothing is allocated. Where that goes to and fro over
//! a long text, [`Pieces`] takes over, in linear time. Letters fold as the C collation does: ASCII only.
use super::registry::funcs;
use super::*;
use pamir_types::{bail, err};
use std::sync::Arc;

/// Length of the UTF-8 character that starts with `b`.
fn width(b: u8) -> usize {
    match b {
        0..=0xbf => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    }
}

/// `bytewise`: `_` takes one byte (bytea) instead of one character.
pub fn like(s: &[u8], p: &[u8], fold: bool, bytewise: bool) -> Result<bool> {
    let same = |a: u8, b: u8| a == b || (fold && a.eq_ignore_ascii_case(&b));
    let step = |b: u8| if bytewise { 1 } else { width(b) };
    let (mut i, mut j) = (0, 0);
    // Where to resume: pattern position after the last %, and the text position it was tried at.
    let mut back: Option<(usize, usize)> = None;
    // Steps taken beyond the text's length: matching goes to and fro.
    let mut steps = 0usize;
    loop {
        steps += 1;
        if steps > SIMPLE_STEPS + 4 * s.len() {
            return Pieces { fold, bytewise }.like(s, p);
        }
        let matched = match (p.get(j).copied(), s.get(i).copied()) {
            (Some(b'%'), _) => {
                j += 1;
                if j == p.len() {
                    return Ok(true);
                }
                back = Some((j, i));
                continue;
            }
            (None, None) => return Ok(true),
            // The escape only matters while there is text to compare.
            (Some(b'\\'), c @ Some(_)) => match p.get(j + 1) {
                None => bail!(INVALID_ESCAPE_SEQUENCE, "LIKE pattern must not end with escape character"),
                Some(&e) if c.is_some_and(|c| same(c, e)) => {
                    (i, j) = (i + 1, j + 2);
                    true
                }
                Some(_) => false,
            },
            (Some(b'_'), Some(c)) => {
                (i, j) = (i + step(c), j + 1);
                true
            }
            (Some(a), Some(c)) if same(a, c) => {
                (i, j) = (i + 1, j + 1);
                true
            }
            _ => false,
        };
        if !matched {
            match back {
                Some((pj, pi)) if pi < s.len() => {
                    let next = pi + step(s[pi]);
                    back = Some((pj, next));
                    (i, j) = (next, pj);
                }
                _ => return Ok(false),
            }
        }
    }
}

/// Beyond so many steps, and several for each byte of the text, [`like`] leaves a match to [`Pieces`].
const SIMPLE_STEPS: usize = 4096;

/// Longer pieces are not given bits.
const MAX_BITS: usize = 1 << 16;

/// One place of a pattern between two `%`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Any,
    Byte(u8),
    /// What follows a `_` of UTF-8 text is the next character: it takes the continuation bytes.
    Rest,
}
/// Matching in time linear in the text for patterns of any shape: the pieces between `%` are sought one after the other, each as early as possible, with a bit for each of their places
/// (Shift-And: Baeza-Yates and Gonnet, CACM 1992).
struct Pieces {
    fold: bool,
    bytewise: bool,
}
impl Pieces {
    /// The pieces of a pattern: the first and the last are anchored.
    fn split(&self, p: &[u8]) -> Result<Vec<Vec<Place>>> {
        let (mut all, mut piece, mut it) = (Vec::new(), Vec::new(), p.iter());
        while let Some(b) = it.next() {
            match b {
                b'%' => all.push(std::mem::take(&mut piece)),
                b'_' if self.bytewise => piece.push(Place::Any),
                b'_' => piece.extend([Place::Any, Place::Rest]),
                b'\\' => match it.next() {
                    Some(e) => piece.push(Place::Byte(self.folded(*e))),
                    None => bail!(INVALID_ESCAPE_SEQUENCE, "LIKE pattern must not end with escape character"),
                },
                b => piece.push(Place::Byte(self.folded(*b))),
            }
        }
        all.push(piece);
        Ok(all)
    }
    fn folded(&self, b: u8) -> u8 {
        if self.fold { b.to_ascii_lowercase() } else { b }
    }
    fn like(&self, s: &[u8], p: &[u8]) -> Result<bool> {
        let pieces = self.split(p)?;
        let [first, middle @ .., last] = pieces.as_slice() else {
            return Ok(self.at(s, pieces.first().map_or(&[], |p| p)) == Some(s.len()));
        };
        let Some(mut from) = self.at(s, first) else { return Ok(false) };
        for piece in middle {
            match self.find(s, from, piece)? {
                Some(end) => from = end,
                None => return Ok(false),
            }
        }
        // The last one ends where the text does: it may start wherever that fits.
        self.ends(s.get(from..).unwrap_or(&[]), last)
    }
    /// Where `piece` ends if it matches at the start of `s`.
    fn at(&self, s: &[u8], piece: &[Place]) -> Option<usize> {
        let mut i = 0;
        for place in piece {
            match place {
                Place::Byte(b) if self.folded(*s.get(i)?) == *b => i += 1,
                Place::Byte(_) => return None,
                Place::Any => {
                    s.get(i)?;
                    i += 1;
                }
                Place::Rest => {
                    while s.get(i).is_some_and(|b| *b & 0xc0 == 0x80) {
                        i += 1;
                    }
                }
            }
        }
        Some(i)
    }
    /// Does `piece` match the end of `s`?
    fn ends(&self, s: &[u8], piece: &[Place]) -> Result<bool> {
        let mut i = s.len();
        for place in piece.iter().rev() {
            match place {
                Place::Rest => {
                    while i > 0 && s[i - 1] & 0xc0 == 0x80 {
                        i -= 1;
                    }
                    continue;
                }
                Place::Byte(b) if i > 0 && self.folded(s[i - 1]) == *b => {}
                Place::Any if i > 0 => {}
                _ => return Ok(false),
            }
            i -= 1;
        }
        Ok(true)
    }
    /// As [`Pieces::find`], place by place.
    fn seek(&self, s: &[u8], from: usize, piece: &[Place]) -> Result<Option<usize>> {
        for i in (from..s.len()).filter(|i| self.bytewise || s[*i] & 0xc0 != 0x80) {
            pamir_types::work::charge(piece.len())?;
            if let Some(n) = self.at(&s[i..], piece) {
                return Ok(Some(i + n));
            }
        }
        Ok(None)
    }
    /// The end of the earliest match of `piece` at or after `from`.
    fn find(&self, s: &[u8], from: usize, piece: &[Place]) -> Result<Option<usize>> {
        // A character's later bytes stay in the place of its first: `Rest` loops.
        let steps: Vec<Place> = piece.iter().copied().filter(|p| *p != Place::Rest).collect();
        let Some(text) = s.get(from..).filter(|t| t.len() >= steps.len()) else { return Ok(None) };
        if steps.is_empty() {
            return Ok(Some(from));
        }
        let literal: Option<Vec<u8>> =
            steps.iter().map(|p| if let Place::Byte(b) = p { Some(*b) } else { None }).collect();
        if let Some(literal) = literal.filter(|_| !self.fold) {
            pamir_types::work::charge(text.len() / 4)?;
            return Ok(memchr::memmem::find(text, &literal).map(|i| from + i + literal.len()));
        }
        if steps.len() > MAX_BITS {
            return self.seek(s, from, piece);
        }
        let words = steps.len().div_ceil(64);
        let mut accept = vec![0u64; 256 * words];
        let mut loops = vec![0u64; words];
        for (n, place) in steps.iter().enumerate() {
            let (word, bit) = (n / 64, 1u64 << (n % 64));
            match place {
                Place::Byte(b) => {
                    accept[*b as usize * words + word] |= bit;
                    if self.fold && b.is_ascii_lowercase() {
                        accept[b.to_ascii_uppercase() as usize * words + word] |= bit;
                    }
                }
                _ => {
                    // One character: starts with any byte that starts one.
                    for b in (0..=255u8).filter(|b| self.bytewise || *b & 0xc0 != 0x80) {
                        accept[b as usize * words + word] |= bit;
                    }
                    if !self.bytewise {
                        loops[word] |= bit;
                    }
                }
            }
        }
        let (last, end) = (steps.len() - 1, 1u64 << ((steps.len() - 1) % 64));
        let mut state = vec![0u64; words];
        for (i, b) in s.iter().enumerate().skip(from) {
            pamir_types::work::charge(1 + words)?;
            let later = !self.bytewise && *b & 0xc0 == 0x80;
            let table = accept.get(*b as usize * words..(*b as usize + 1) * words).unwrap_or(&[]);
            let mut carry = u64::from(!later);
            for ((x, may), stays) in state.iter_mut().zip(table).zip(&loops) {
                let (old, out) = (*x, *x >> 63);
                *x = ((old << 1 | carry) & may) | if later { old & stays } else { 0 };
                carry = out;
            }
            let whole = self.bytewise || s.get(i + 1).is_none_or(|n| *n & 0xc0 != 0x80);
            if whole && state.get(last / 64).is_some_and(|x| x & end != 0) {
                return Ok(Some(i + 1));
            }
        }
        Ok(None)
    }
}

/// LIKE's pattern with another escape character, rewritten to `\` (like_escape).
fn like_escape(pat: &str, esc: &str) -> Result<String> {
    let mut out = String::with_capacity(pat.len());
    let mut it = esc.chars();
    let Some(e) = it.next() else {
        // No escape character: every backslash is literal.
        return Ok(pat.replace('\\', "\\\\"));
    };
    if it.next().is_some() {
        return Err(err!(INVALID_ESCAPE_SEQUENCE, "invalid escape string")
            .hint("Escape string must be empty or one character."));
    }
    if e == '\\' {
        return Ok(pat.to_string());
    }
    let mut after = false;
    for c in pat.chars() {
        if c == e && !after {
            out.push('\\');
            after = true;
        } else if c == '\\' {
            out.push('\\');
            if !after {
                out.push('\\');
            }
            after = false;
        } else {
            out.push(c);
            after = false;
        }
    }
    Ok(out)
}

/// SQL's SIMILAR TO pattern as a regular expression (similar_escape_internal), anchored; `"`-separators of SUBSTRING ... SIMILAR make groups.
pub fn similar_escape(pat: &str, esc: Option<&str>) -> Result<String> {
    let esc = match esc {
        None => Some('\\'),
        Some("") => None,
        Some(e) => {
            let mut it = e.chars();
            let c = it.next();
            if it.next().is_some() {
                return Err(err!(INVALID_ESCAPE_SEQUENCE, "invalid escape string")
                    .hint("Escape string must be empty or one character."));
            }
            c
        }
    };
    let mut out = String::from("^(?:");
    let (mut after, mut bracket, mut quotes) = (false, false, 0);
    for c in pat.chars() {
        if after {
            if c == '"' && !bracket {
                match quotes {
                    0 => out.push_str("){1,1}?("),
                    1 => out.push_str("){1,1}(?:"),
                    _ => bail!(
                        INVALID_USE_OF_ESCAPE_CHARACTER,
                        "SQL regular expression may not contain more than two escape-double-quote separators"
                    ),
                }
                quotes += 1;
            } else {
                out.push('\\');
                out.push(c);
            }
            after = false;
        } else if Some(c) == esc {
            after = true;
        } else if bracket {
            if c == '\\' {
                out.push('\\');
            }
            out.push(c);
            bracket = c != ']';
        } else {
            match c {
                '[' => {
                    out.push(c);
                    bracket = true;
                }
                '%' => out.push_str(".*"),
                '_' => out.push('.'),
                '(' => out.push_str("(?:"),
                '\\' | '.' | '^' | '$' => {
                    out.push('\\');
                    out.push(c);
                }
                _ => out.push(c),
            }
        }
    }
    out.push_str(")$");
    Ok(out)
}

funcs! { pub FUNCS {
    textlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(Datum::Bool);
    textnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(|b| Datum::Bool(!b));
    texticlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(Datum::Bool);
    texticnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(|b| Datum::Bool(!b));
    namelike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(Datum::Bool);
    namenlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), false, false).map(|b| Datum::Bool(!b));
    nameiclike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(Datum::Bool);
    nameicnlike (s: Text, p: Text) => like(s.as_bytes(), p.as_bytes(), true, false).map(|b| Datum::Bool(!b));
    bytealike (s: Bytea, p: Bytea) => like(s, p, false, true).map(Datum::Bool);
    byteanlike (s: Bytea, p: Bytea) => like(s, p, false, true).map(|b| Datum::Bool(!b));
    like_escape (p: Text, e: Text) => like_escape(p, e).map(Datum::from);
    similar_to_escape_1 (p: Text) => similar_escape(p, None).map(Datum::from);
    similar_to_escape_2 (p: Text, e: Text) => similar_escape(p, Some(e)).map(Datum::from);
    similar_escape raw = |_, args, _| match args {
        [Datum::Text(p), Datum::Text(e)] => similar_escape(p, Some(e)).map(Datum::from),
        [Datum::Text(p), Datum::Null] => similar_escape(p, None).map(Datum::from),
        _ => Ok(Datum::Null),
    };
    text_starts_with (s: Text, p: Text) -> s.starts_with(&**p);
    like_escape_bytea (p: Bytea, e: Bytea) => match (std::str::from_utf8(p), std::str::from_utf8(e)) {
        (Ok(p), Ok(e)) => like_escape(p, e).map(|s| Datum::Bytea(Arc::from(s.into_bytes()))),
        _ => Err(pamir_types::Error::unsupported("ESCAPE in a bytea pattern that is not UTF-8")),
    };
} }

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition, in exponential time.
    fn naive(s: &[char], p: &[char]) -> bool {
        match p {
            [] => s.is_empty(),
            ['%', rest @ ..] => (0..=s.len()).any(|i| naive(&s[i..], rest)),
            ['_', rest @ ..] => !s.is_empty() && naive(&s[1..], rest),
            ['\\', c, rest @ ..] | [c, rest @ ..] => s.first() == Some(c) && naive(&s[1..], rest),
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let (n, m) = (300_000, 20_000);
        let s = "a".repeat(n);
        let begun = std::time::Instant::now();
        for (p, want) in [
            (format!("%{}b%", "a".repeat(m)), false),
            (format!("%{}b", "a".repeat(m)), false),
            (format!("%{}a%", "_a".repeat(200)), true),
            (format!("%{}b%", "_a".repeat(200)), false),
            (format!("{}b", "a%".repeat(m)), false),
        ] {
            assert_eq!(like(s.as_bytes(), p.as_bytes(), false, false).unwrap(), want, "{}...", &p[..10]);
        }
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }

    proptest! {
        #[test]
        fn pieces_match_as_the_definition_says(s in "[abä€]{0,10}", p in "([abä€]|%|_|\\\\[ab%_]){0,8}") {
            let (sc, pc): (Vec<char>, Vec<char>) = (s.chars().collect(), p.chars().collect());
            let want = naive(&sc, &pc);
            let pieces = Pieces { fold: false, bytewise: false };
            prop_assert_eq!(pieces.like(s.as_bytes(), p.as_bytes()).unwrap(), want, "pieces: {} LIKE {}", s, p);
            prop_assert_eq!(like(s.as_bytes(), p.as_bytes(), false, false).unwrap(), want, "{} LIKE {}", s, p);
            let upper = s.to_ascii_uppercase();
            let folding = Pieces { fold: true, bytewise: false };
            prop_assert_eq!(folding.like(upper.as_bytes(), p.as_bytes()).unwrap(), want, "{} ILIKE {}", upper, p);
            let bytes = Pieces { fold: false, bytewise: true };
            prop_assert_eq!(bytes.like(s.as_bytes(), p.as_bytes()).unwrap(), simple_bytes(s.as_bytes(), p.as_bytes()));
        }
    }
    fn simple_bytes(s: &[u8], p: &[u8]) -> bool {
        like(s, p, false, true).unwrap()
    }
}
