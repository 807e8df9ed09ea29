//! Configurations and dictionaries: what becomes of a token (dict_simple.c, dict_snowball.c, ts_parse.c).
//!
//! A configuration has a stemmer for words and takes what has digits or marks in it as it is. Stop words are Snowball's lists (BSD licence,
//! snowballstem.org), those that PostgreSQL comes with.
use super::parser::{self, Parser};
use crate::env::Env;
use pamir_types::tsconfig::{LANGUAGES, SIMPLE_CONFIG, SIMPLE_DICTIONARY};
use pamir_types::tsvector::{Lexeme, MAX_LEXEME, MAX_POSITION, Position, Vector};
use pamir_types::{Error, Oid, Result, bail, err, oid, text, work};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// Words of more bytes are not stemmed.
const MAX_STEMMED: usize = 1000;

macro_rules! stemmers { ($($name:literal $algorithm:ident $($stop:literal)?;)*) => {
    fn algorithm(language: &str) -> Option<Algorithm> {
        match language { $($name => Some(Algorithm::$algorithm),)* _ => None }
    }
    fn stop_words(language: &str) -> Option<&'static FxHashSet<&'static str>> {
        match language {
            $($($name => {
                static WORDS: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
                Some(WORDS.get_or_init(|| include_str!($stop).split_whitespace().collect()))
            })?)*
            _ => None,
        }
    }
} }
stemmers! {
    "arabic" Arabic;
    "danish" Danish "stop/danish.stop";
    "dutch" Dutch "stop/dutch.stop";
    "english" English "stop/english.stop";
    "finnish" Finnish "stop/finnish.stop";
    "french" French "stop/french.stop";
    "german" German "stop/german.stop";
    "greek" Greek;
    "hungarian" Hungarian "stop/hungarian.stop";
    "italian" Italian "stop/italian.stop";
    "norwegian" Norwegian "stop/norwegian.stop";
    "portuguese" Portuguese "stop/portuguese.stop";
    "romanian" Romanian;
    "russian" Russian "stop/russian.stop";
    "spanish" Spanish "stop/spanish.stop";
    "swedish" Swedish "stop/swedish.stop";
    "tamil" Tamil;
    "turkish" Turkish "stop/turkish.stop";
}

/// A dictionary by its OID.
pub struct Dictionary {
    pub oid: Oid,
    /// None: it only folds letters.
    language: Option<(&'static str, Stemmer)>,
}
impl Dictionary {
    pub fn open(dictionary: Oid) -> Result<Dictionary> {
        if dictionary == SIMPLE_DICTIONARY {
            return Ok(Dictionary { oid: dictionary, language: None });
        }
        let Some(l) = LANGUAGES.iter().find(|l| l.2 == dictionary) else {
            return Err(Error::internal(format!("cache lookup failed for text search dictionary {dictionary}")));
        };
        let Some(a) = algorithm(l.1) else {
            return Err(Error::unsupported(format!("text search dictionary \"{}_stem\"", l.1)));
        };
        Ok(Dictionary { oid: dictionary, language: Some((l.1, Stemmer::create(a))) })
    }
    /// The lexeme of a word; None: it is a stop word.
    pub fn lexeme(&self, word: &str) -> Option<String> {
        let word = word.to_lowercase();
        if word.is_empty() {
            return None;
        }
        let Some((language, stemmer)) = &self.language else {
            return Some(word);
        };
        if word.len() > MAX_STEMMED {
            return Some(word);
        }
        if stop_words(language).is_some_and(|s| s.contains(word.as_str())) {
            return None;
        }
        Some(stemmer.stem(&word).into_owned())
    }
}

/// A configuration, open for use.
pub struct Config {
    words: Dictionary,
    ascii_words: Option<Dictionary>,
    simple: Dictionary,
}
impl Config {
    pub fn open(config: Oid) -> Result<Config> {
        let simple = Dictionary { oid: SIMPLE_DICTIONARY, language: None };
        if config == SIMPLE_CONFIG {
            return Ok(Config { words: Dictionary::open(SIMPLE_DICTIONARY)?, ascii_words: None, simple });
        }
        let Some(l) = LANGUAGES.iter().find(|l| l.0 == config) else {
            return Err(Error::internal(format!("cache lookup failed for text search configuration {config}")));
        };
        // Languages that are not written in Latin letters take those words for English.
        let english = LANGUAGES.iter().find(|l| l.1 == "english").map_or(0, |l| l.2);
        let ascii_words = match l.1 {
            "hindi" | "russian" => Some(Dictionary::open(english)?),
            _ => None,
        };
        Ok(Config { words: Dictionary::open(l.2)?, ascii_words, simple })
    }
    /// Which dictionary looks at a token of the kind.
    pub fn dictionary(&self, kind: u8) -> Option<&Dictionary> {
        match kind {
            1 | 11 | 16 => Some(self.ascii_words.as_ref().unwrap_or(&self.words)),
            2 | 10 | 17 => Some(&self.words),
            parser::BLANK | parser::TAG | parser::PROTOCOL | parser::ENTITY => None,
            _ => Some(&self.simple),
        }
    }
    /// Lexemes of a text with their places, which go on from `place`; stop words have places and no lexeme.
    pub fn lexemes(&self, text: &str, place: &mut usize, env: &mut dyn Env) -> Result<Vec<(String, u16)>> {
        let mut out = Vec::new();
        let mut parser = Parser::new(text);
        while let Some(t) = parser.next()? {
            work::charge(t.text.len() + 8)?;
            let Some(d) = self.dictionary(t.kind) else { continue };
            if t.text.len() >= MAX_LEXEME {
                env.notice(
                    err!(PROGRAM_LIMIT_EXCEEDED, "word is too long to be indexed")
                        .detail(format!("Words longer than {} characters are ignored.", MAX_LEXEME - 1)),
                );
                continue;
            }
            *place += 1;
            if let Some(l) = d.lexeme(t.text) {
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
    match text::parse(&name, pamir_types::Type::new(oid::REGCONFIG), env.text_ctx())? {
        pamir_types::Datum::Oid(v) => Ok(v),
        _ => Err(Error::internal("default_text_search_config is no configuration")),
    }
}
