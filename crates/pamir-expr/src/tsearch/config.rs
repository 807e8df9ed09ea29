//! Configurations: which dictionaries are asked about a token, and what becomes of it (ts_parse.c).
//!
//! ```text
//!   token (kind, text) --map--> dictionary --unknown--> dictionary ...     the first that knows the word has said what it is
//!                                   '-- filtered: the next is asked about another word
//! ```
//! The server's own configurations have a stemmer for words and take what has digits or marks in it as it is; users' are objects of the catalog.
//!
//! Invariants: a token whose kind has no dictionary, and one that no dictionary knows, has no place among the words; a stop word has.
use super::dictionary::{self, Answer, Dictionary};
use super::parser::{self, KINDS, Parser};
use crate::env::Env;
use pamir_catalog::Catalog;
use pamir_catalog::text_search::What;
use pamir_types::tsconfig::{LANGUAGES, SIMPLE_CONFIG, SIMPLE_DICTIONARY};
use pamir_types::tsvector::{Lexeme, MAX_LEXEME, MAX_POSITION, Position, Vector};
use pamir_types::{Error, Oid, Result, bail, err, work};

/// A configuration, open for use.
pub struct Config {
    /// Each once.
    dictionaries: Vec<(Oid, Dictionary)>,
    /// Places in that list, kind after kind.
    order: Vec<u32>,
    /// By kind of token less one: from where to where in `order`.
    spans: [(u32, u32); KINDS.len()],
}
/// What has become of a token.
pub enum Token {
    /// Nobody knows it.
    Unknown,
    Stop,
    Lexeme(String),
}
/// The dictionaries of one of the server's own configurations for words in ASCII and for other words.
fn own(config: Oid) -> Option<(Oid, Oid)> {
    if config == SIMPLE_CONFIG {
        return Some((SIMPLE_DICTIONARY, SIMPLE_DICTIONARY));
    }
    let l = LANGUAGES.iter().find(|l| l.0 == config)?;
    // Languages that are not written in Latin letters take those words for English.
    let english = || LANGUAGES.iter().find(|l| l.1 == "english").map(|l| l.2);
    let ascii = if matches!(l.1, "hindi" | "russian") { english()? } else { l.2 };
    Some((ascii, l.2))
}
/// The dictionary of one of the server's own configurations for a kind of token.
fn own_dictionary((ascii, words): (Oid, Oid), kind: u8) -> Option<Oid> {
    match kind {
        1 | 11 | 16 => Some(ascii),
        2 | 10 | 17 => Some(words),
        parser::BLANK | parser::TAG | parser::PROTOCOL | parser::ENTITY => None,
        _ => Some(SIMPLE_DICTIONARY),
    }
}
fn no_config(oid: Oid) -> Error {
    Error::internal(format!("cache lookup failed for text search configuration {oid}"))
}
/// By kind of token, ascending: its dictionaries. None: there is no such configuration.
pub fn map_of(config: Oid, catalog: &Catalog) -> Option<Vec<(u8, Vec<Oid>)>> {
    if let Some(own) = own(config) {
        let kinds = 1..=KINDS.len() as u8;
        return Some(kinds.filter_map(|k| own_dictionary(own, k).map(|d| (k, vec![d]))).collect());
    }
    catalog.ts_config(config).map(|c| c.map.clone())
}
impl Config {
    /// XX000 where there is no such configuration, 0A000 where a stemmer is not here.
    pub fn open(config: Oid, catalog: &Catalog) -> Result<Config> {
        let mut c = Config { dictionaries: Vec::new(), order: Vec::new(), spans: [(0, 0); KINDS.len()] };
        if let Some((ascii, words)) = own(config) {
            for d in [SIMPLE_DICTIONARY, ascii, words] {
                if c.place(d).is_none() {
                    c.dictionaries.push((d, dictionary::open(d, catalog)?));
                }
            }
            c.order.extend(0..c.dictionaries.len() as u32);
            for (kind, span) in (1u8..).zip(&mut c.spans) {
                let d = own_dictionary((ascii, words), kind);
                let at = d.and_then(|d| c.dictionaries.iter().position(|x| x.0 == d));
                *span = at.map_or((0, 0), |at| (at as u32, at as u32 + 1));
            }
            return Ok(c);
        }
        let users = catalog.ts_config(config).ok_or_else(|| no_config(config))?;
        for (kind, list) in &users.map {
            work::charge(list.len())?;
            c.add(*kind, list, catalog)?;
        }
        Ok(c)
    }
    fn place(&self, dictionary: Oid) -> Option<usize> {
        self.dictionaries.iter().position(|d| d.0 == dictionary)
    }
    fn add(&mut self, kind: u8, list: &[Oid], catalog: &Catalog) -> Result<()> {
        let from = self.order.len() as u32;
        for oid in list {
            let at = match self.place(*oid) {
                Some(at) => at,
                None => {
                    self.dictionaries.push((*oid, dictionary::open(*oid, catalog)?));
                    self.dictionaries.len() - 1
                }
            };
            self.order.push(at as u32);
        }
        if let Some(s) = self.spans.get_mut(usize::from(kind).wrapping_sub(1)) {
            *s = (from, self.order.len() as u32);
        }
        Ok(())
    }
    /// Which dictionaries look at a token of the kind, in their order.
    pub fn dictionaries(&self, kind: u8) -> impl Iterator<Item = (Oid, &Dictionary)> {
        let (from, to) = self.spans.get(usize::from(kind).wrapping_sub(1)).copied().unwrap_or_default();
        let order = self.order.get(from as usize..to as usize).unwrap_or_default();
        order.iter().filter_map(|i| self.dictionaries.get(*i as usize)).map(|d| (d.0, &d.1))
    }
    /// LexizeExec
    pub fn token(&self, kind: u8, text: &str) -> Result<Token> {
        let mut filtered: Option<String> = None;
        for (_, d) in self.dictionaries(kind) {
            work::charge(8)?;
            match d.answer(filtered.as_deref().unwrap_or(text))? {
                Answer::Unknown => {}
                Answer::Stop => return Ok(Token::Stop),
                Answer::Lexeme(l) => return Ok(Token::Lexeme(l)),
                Answer::Filtered(s) => filtered = Some(s),
            }
        }
        Ok(Token::Unknown)
    }
    /// Lexemes of a text with their places, which go on from `place`; stop words have places and no lexeme.
    pub fn lexemes(&self, text: &str, place: &mut usize, env: &mut dyn Env) -> Result<Vec<(String, u16)>> {
        let mut out = Vec::new();
        let mut parser = Parser::new(text);
        while let Some(t) = parser.next()? {
            work::charge(t.text.len() + 8)?;
            if t.text.len() >= MAX_LEXEME {
                env.notice(
                    err!(PROGRAM_LIMIT_EXCEEDED, "word is too long to be indexed")
                        .detail(format!("Words longer than {} characters are ignored.", MAX_LEXEME - 1)),
                );
                continue;
            }
            let lexeme = match self.token(t.kind, t.text)? {
                Token::Unknown => continue,
                Token::Stop => None,
                Token::Lexeme(l) => Some(l),
            };
            *place += 1;
            if let Some(l) = lexeme {
                if l.len() >= MAX_LEXEME {
                    bail!(PROGRAM_LIMIT_EXCEEDED, "word is too long ({} bytes, max {} bytes)", l.len(), MAX_LEXEME - 1);
                }
                out.push((l, (*place).min(MAX_POSITION.into()) as u16));
            }
        }
        Ok(out)
    }
}
/// A document's vector; texts of several parts go on counting.
pub fn vector(words: Vec<(String, u16)>) -> Vector {
    let lexeme = |(text, at)| Lexeme { text, positions: vec![Position { at, weight: 0 }] };
    Vector::from_lexemes(words.into_iter().map(lexeme).collect())
}

/// default_text_search_config (42704 where there is no such thing).
pub fn current(env: &dyn Env) -> Result<Oid> {
    let name = env.setting("default_text_search_config").unwrap_or_else(|| "pg_catalog.simple".into());
    named(&name, env)
}
/// A configuration that a text names.
pub fn named(name: &str, env: &dyn Env) -> Result<Oid> {
    env.catalog().ts_named(env.scope(), What::Config, &crate::func::reg::split_text_search(name)?)
}
