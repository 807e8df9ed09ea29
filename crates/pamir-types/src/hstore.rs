//! hstore, the extension's type: keys with texts or NULL (contrib/hstore/hstore_io.c, hstore_op.c).
//!
//! In memory a value is [`crate::Datum::Bytea`] whose bytes order as PostgreSQL orders values; rows and keys hold them as they are:
//!
//! ```text
//! key value key value ... | 00 | count u32 | per key and value: end u32, is NULL u8       most significant byte first
//! ```
//! Ends count from the first key's begin. Texts hold no 00, so the first one ends them.
//!
//! Invariant: keys are there once, shorter ones first, then by their bytes.
use crate::number_text::is_space;
use crate::{Error, Result, bail, err, work};

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Pairs(Vec<(String, Option<String>)>);

/// The longest key or value.
const MAX_TEXT: usize = 0x3fff_ffff;

fn order(a: &str, b: &str) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.as_bytes().cmp(b.as_bytes()))
}

impl Pairs {
    /// Of keys of which the first counts.
    pub fn new(mut pairs: Vec<(String, Option<String>)>) -> Pairs {
        pairs.sort_by(|a, b| order(&a.0, &b.0));
        pairs.dedup_by(|later, first| later.0 == first.0);
        Pairs(pairs)
    }
    pub fn iter(&self) -> impl Iterator<Item = &(String, Option<String>)> {
        self.0.iter()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// None: no such key.
    pub fn get(&self, key: &str) -> Option<&Option<String>> {
        self.0.binary_search_by(|p| order(&p.0, key)).ok().map(|i| &self.0[i].1)
    }
    /// The keys of both; of those that both have, the other's values.
    pub fn concat(mut self, other: Pairs) -> Pairs {
        let mut all = other.0;
        all.append(&mut self.0);
        Pairs::new(all)
    }
    pub fn retain(mut self, f: impl FnMut(&(String, Option<String>)) -> bool) -> Pairs {
        self.0.retain(f);
        self
    }

    pub fn pack(&self) -> Vec<u8> {
        let texts: usize = self.0.iter().map(|(k, v)| k.len() + v.as_ref().map_or(0, String::len)).sum();
        let mut out = Vec::with_capacity(texts + 5 + 10 * self.0.len());
        let mut ends = Vec::with_capacity(10 * self.0.len());
        for (k, v) in &self.0 {
            out.extend_from_slice(k.as_bytes());
            ends.extend_from_slice(&(out.len() as u32).to_be_bytes());
            ends.push(0);
            out.extend_from_slice(v.as_deref().unwrap_or_default().as_bytes());
            ends.extend_from_slice(&(out.len() as u32).to_be_bytes());
            ends.push(u8::from(v.is_none()));
        }
        out.push(0);
        out.extend_from_slice(&(self.0.len() as u32).to_be_bytes());
        out.extend_from_slice(&ends);
        out
    }
    pub fn unpack(b: &[u8]) -> Option<Pairs> {
        let end = b.iter().position(|c| *c == 0)?;
        let texts = std::str::from_utf8(&b[..end]).ok()?;
        let (count, ends) = b[end + 1..].split_first_chunk::<4>()?;
        if ends.len() != u32::from_be_bytes(*count) as usize * 10 {
            return None;
        }
        let mut from = 0;
        let mut next = |e: &[u8]| -> Option<(String, bool)> {
            let to = u32::from_be_bytes(e[..4].try_into().ok()?) as usize;
            let text = texts.get(from..to)?.to_string();
            from = to;
            Some((text, e[4] != 0))
        };
        let pairs = ends.chunks_exact(10).map(|e| {
            let (key, _) = next(&e[..5])?;
            let (value, null) = next(&e[5..])?;
            Some((key, (!null).then_some(value)))
        });
        pairs.collect::<Option<_>>().map(Pairs)
    }
    /// hstore_in
    pub fn parse(s: &str) -> Result<Pairs> {
        Reader { text: s, at: 0 }.pairs().map(Pairs::new)
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        let quote = |s: &str, out: &mut Vec<u8>| {
            out.push(b'"');
            for b in s.bytes() {
                if matches!(b, b'"' | b'\\') {
                    out.push(b'\\');
                }
                out.push(b);
            }
            out.push(b'"');
        };
        for (i, (k, v)) in self.0.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(b", ");
            }
            quote(k, out);
            out.extend_from_slice(b"=>");
            match v {
                Some(v) => quote(v, out),
                None => out.extend_from_slice(b"NULL"),
            }
        }
    }
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.0.len() as i32).to_be_bytes());
        for (k, v) in &self.0 {
            out.extend_from_slice(&(k.len() as i32).to_be_bytes());
            out.extend_from_slice(k.as_bytes());
            match v {
                Some(v) => {
                    out.extend_from_slice(&(v.len() as i32).to_be_bytes());
                    out.extend_from_slice(v.as_bytes());
                }
                None => out.extend_from_slice(&(-1i32).to_be_bytes()),
            }
        }
    }
    /// hstore_recv
    pub fn decode(mut b: &[u8]) -> Result<Pairs> {
        let short = || err!(PROTOCOL_VIOLATION, "insufficient data left in message");
        let number = |b: &mut &[u8]| -> Result<i32> {
            let (n, rest) = b.split_first_chunk::<4>().ok_or_else(short)?;
            *b = rest;
            Ok(i32::from_be_bytes(*n))
        };
        let text = |n: i32, b: &mut &[u8]| -> Result<String> {
            let (t, rest) = usize::try_from(n).ok().and_then(|n| b.split_at_checked(n)).ok_or_else(short)?;
            *b = rest;
            match std::str::from_utf8(t) {
                Ok(t) if !t.contains('\0') => Ok(t.to_string()),
                _ => bail!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\""),
            }
        };
        let count = number(&mut b)?;
        if !(0..=(0x3fff_ffff / 24)).contains(&count) {
            bail!(
                PROGRAM_LIMIT_EXCEEDED,
                "number of pairs ({count}) exceeds the maximum allowed ({})",
                0x3fff_ffff / 24
            );
        }
        let mut pairs = Vec::new();
        for _ in 0..count {
            work::charge(16)?;
            let n = number(&mut b)?;
            if n < 0 {
                bail!(NULL_VALUE_NOT_ALLOWED, "null value not allowed for hstore key");
            }
            let key = text(n, &mut b)?;
            let n = number(&mut b)?;
            let value = if n < 0 { None } else { Some(text(n, &mut b)?) };
            pairs.push((key, value));
        }
        if !b.is_empty() {
            bail!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format in bind parameter");
        }
        Ok(Pairs::new(pairs))
    }
}
/// Are they bytes of a value?
pub fn fits(b: &[u8]) -> bool {
    Pairs::unpack(b).is_some()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}
impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }
    fn pass(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }
    fn spaces(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii() && is_space(c as u8)) {
            self.at += 1;
        }
    }
    #[cold]
    fn bad(&self) -> Error {
        match self.peek() {
            Some(c) => Error::internal(format!("Syntax error near \"{c}\" at position {}", self.at)),
            None => Error::internal("Unexpected end of string"),
        }
    }
    fn escaped(&mut self, out: &mut String) -> Result<()> {
        self.at += 1;
        let Some(c) = self.peek() else { return Err(self.bad()) };
        out.push(c);
        self.pass();
        Ok(())
    }
    /// A key (`key`), which `=` ends, or a value, which a comma ends; was any of it quoted? None at the end.
    fn word(&mut self, key: bool) -> Result<Option<(String, bool)>> {
        self.spaces();
        let mut out = String::new();
        match self.peek() {
            None => return Ok(None),
            Some('"') => {
                self.at += 1;
                loop {
                    work::charge(1)?;
                    match self.peek() {
                        None => return Err(self.bad()),
                        Some('"') => break self.at += 1,
                        Some('\\') => self.escaped(&mut out)?,
                        Some(c) => {
                            out.push(c);
                            self.pass();
                        }
                    }
                }
                return Ok(Some((out, true)));
            }
            Some('=') if key => return Err(self.bad()),
            _ => {}
        }
        let first = self.at;
        loop {
            work::charge(1)?;
            match self.peek() {
                Some('\\') => self.escaped(&mut out)?,
                Some('=') if key && self.at > first => break,
                Some(',') if !key && self.at > first => break,
                None => break,
                Some(c) if c.is_ascii() && is_space(c as u8) => break,
                Some(c) => {
                    out.push(c);
                    self.pass();
                }
            }
        }
        Ok(Some((out, false)))
    }
    fn sign(&mut self, c: char) -> Result<()> {
        if self.peek() != Some(c) {
            return Err(self.bad());
        }
        self.at += 1;
        Ok(())
    }
    fn pairs(&mut self) -> Result<Vec<(String, Option<String>)>> {
        let mut out = Vec::new();
        while let Some((key, _)) = self.word(true)? {
            if key.len() > MAX_TEXT {
                bail!(STRING_DATA_RIGHT_TRUNCATION, "string too long for hstore key");
            }
            self.spaces();
            self.sign('=')?;
            self.sign('>')?;
            let Some((value, quoted)) = self.word(false)? else { return Err(self.bad()) };
            let null = !quoted && value.eq_ignore_ascii_case("null");
            out.push((key, (!null).then_some(value)));
            self.spaces();
            match self.peek() {
                None => break,
                Some(',') => self.at += 1,
                Some(_) => return Err(self.bad()),
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_read_back() {
        for t in ["", "a=>1", "a=>NULL, bb=>\"\"", "\"a\\\"b\"=>\"c\\\\\", x=>y"] {
            let p = Pairs::parse(t).unwrap();
            let bytes = p.pack();
            assert_eq!(Pairs::unpack(&bytes), Some(p.clone()), "{t}");
            let (mut text, mut sent) = (Vec::new(), Vec::new());
            p.format(&mut text);
            p.encode(&mut sent);
            assert_eq!(Pairs::parse(std::str::from_utf8(&text).unwrap()).unwrap(), p, "{t}");
            assert_eq!(Pairs::decode(&sent).unwrap(), p, "{t}");
            for n in 0..bytes.len() {
                assert!(Pairs::unpack(&bytes[..n]).is_none(), "{t} {n}");
            }
        }
    }
}
