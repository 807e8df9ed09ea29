//! The declaration at the head of a text: `<?xml version="1.0" encoding="..." standalone="yes"?>`.
use super::{is_blank, is_name_char};

/// What a text's head declares.
#[derive(Debug, Default, PartialEq)]
pub struct Declaration {
    /// Bytes of it.
    pub len: usize,
    pub version: Option<String>,
    pub encoding: Option<String>,
    pub standalone: Option<bool>,
}

/// What a declaration lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Broken {
    Character,
    Space,
    Standalone,
    Version,
    Encoding,
    Unfinished,
}
impl Broken {
    /// As PostgreSQL says it, behind "invalid XML declaration".
    pub fn text(self) -> &'static str {
        match self {
            Broken::Character => "Invalid character value.",
            Broken::Space => "Space required.",
            Broken::Standalone => "standalone accepts only 'yes' or 'no'.",
            Broken::Version => "Malformed declaration: missing version.",
            Broken::Encoding => "Missing encoding in text declaration.",
            Broken::Unfinished => "Parsing XML declaration: '?>' expected.",
        }
    }
}

struct Reader<'a> {
    s: &'a str,
    at: usize,
}
impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.s[self.at..]
    }
    fn blanks(&mut self) -> usize {
        let n = self.rest().bytes().take_while(|b| is_blank(*b)).count();
        self.at += n;
        n
    }
    /// `= "value"`
    fn value(&mut self) -> Option<String> {
        self.blanks();
        self.at += self.rest().starts_with('=').then_some(1)?;
        self.blanks();
        let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inner = &self.rest()[1..];
        let n = inner.find(quote)?;
        self.at += n + 2;
        Some(inner[..n].to_string())
    }
    /// Blanks and a word; `Err` if the word is not set off, None (and nothing is read) if another one stands there.
    fn word(&mut self, word: &str) -> Result<bool, Broken> {
        let before = self.at;
        let blanks = self.blanks();
        if !self.rest().starts_with(word) {
            self.at = before;
            return Ok(false);
        }
        if blanks == 0 {
            return Err(Broken::Space);
        }
        self.at += word.len();
        Ok(true)
    }
}

/// Reads the declaration of a text; all is empty where there is none.
pub fn read(s: &str) -> Result<Declaration, Broken> {
    let mut d = Declaration::default();
    let Some(behind) = s.strip_prefix("<?xml") else { return Ok(d) };
    if behind.chars().next().is_some_and(is_name_char) {
        return Ok(d);
    }
    let mut r = Reader { s, at: 5 };
    if r.blanks() == 0 {
        return Err(Broken::Space);
    }
    if !r.rest().starts_with("version") {
        return Err(Broken::Version);
    }
    r.at += 7;
    d.version = Some(r.value().ok_or(Broken::Version)?);
    if r.word("encoding")? {
        d.encoding = Some(r.value().ok_or(Broken::Encoding)?);
    }
    if r.word("standalone")? {
        d.standalone = match r.value().as_deref() {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => return Err(Broken::Standalone),
        };
    }
    r.blanks();
    if !r.rest().starts_with("?>") {
        return Err(Broken::Unfinished);
    }
    d.len = r.at + 2;
    if !s[..d.len].is_ascii() { Err(Broken::Character) } else { Ok(d) }
}

/// Appends a declaration if it says anything; whether it does.
pub fn write(out: &mut String, version: Option<&str>, standalone: Option<bool>) -> bool {
    if version.is_none_or(|v| v == "1.0") && standalone.is_none() {
        return false;
    }
    out.push_str("<?xml version=\"");
    out.push_str(version.unwrap_or("1.0"));
    out.push('"');
    if let Some(alone) = standalone {
        out.push_str(if alone { " standalone=\"yes\"" } else { " standalone=\"no\"" });
    }
    out.push_str("?>");
    true
}

/// Does a DOCTYPE stand before the first element, behind comments and processing instructions alone?
pub fn has_doctype(s: &str) -> bool {
    let mut rest = s;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        if rest.starts_with("<!DOCTYPE") {
            return true;
        }
        let end = if let Some(c) = rest.strip_prefix("<!--") {
            // A comment has no two hyphens but at its end.
            match c.find("--") {
                Some(n) if c[n + 2..].starts_with('>') => 4 + n + 3,
                _ => return false,
            }
        } else if let Some(p) = rest.strip_prefix("<?") {
            match p.find("?>") {
                Some(n) => 2 + n + 2,
                None => return false,
            }
        } else {
            return false;
        };
        rest = &rest[end..];
    }
}
