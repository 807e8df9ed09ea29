//! Dictionaries: what one makes of a word, by its template (dict_simple.c, dict_snowball.c, contrib/unaccent).
//!
//! ```text
//!   word --simple, snowball--> [lexeme] | [] (a stop word)        --unaccent--> another word, for the dictionaries behind it
//!                         \--> unknown: the next dictionary is asked
//! ```
//! A dictionary is its template and its options ([`open`]); the server's own and unaccent's have theirs here, users' are objects of the catalog. Stop words are
//! Snowball's lists (BSD licence, snowballstem.org), those that PostgreSQL comes with, found by their files' names there.
//!
//! Invariants: opening one is cheap, since it is done for each call; what is slow to make (lists, rules) is made once for the process.
//!
//! Limits: no files of users': of stop words there are the lists here, of unaccent's rules PostgreSQL's; the templates synonym, ispell and thesaurus, which
//! live on such files, are refused (0A000), as are stemmers that are not here.
use crate::func::extension::without_accents;
use pamir_catalog::Catalog;
use pamir_catalog::text_search::{self as ts, Setting};
use pamir_types::tsconfig::{LANGUAGES, SIMPLE_DICTIONARY};
use pamir_types::{Error, Oid, Result, SqlState, bail, err};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// Words of more bytes are not stemmed.
const MAX_STEMMED: usize = 1000;
/// Where PostgreSQL 15 has its files, as its messages name them.
const FILES: &str = "/usr/share/postgresql/15/tsearch_data";
const CONFIG_FILE_ERROR: SqlState = SqlState::new("F0000");

type Words = FxHashSet<&'static str>;
macro_rules! stemmers { ($($name:literal $algorithm:ident $($stop:literal)?;)*) => {
    fn algorithm(language: &str) -> Option<Algorithm> {
        match language { $($name => Some(Algorithm::$algorithm),)* _ => None }
    }
    fn stop_words(list: &str) -> Option<&'static Words> {
        match list {
            $($($name => {
                static WORDS: OnceLock<Words> = OnceLock::new();
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
/// A language that PostgreSQL stems and this server does not.
fn is_known(language: &str) -> bool {
    language == "porter" || LANGUAGES.iter().any(|l| l.1 == language)
}

/// What a dictionary says of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It does not know it.
    Unknown,
    /// Nothing: a stop word.
    Stop,
    Lexeme(String),
    /// The word that the dictionaries behind it are asked about.
    Filtered(String),
}

/// An open dictionary.
pub enum Dictionary {
    Simple { stop: Option<&'static Words>, accept: bool },
    Snowball { stemmer: Stemmer, stop: Option<&'static Words> },
    Unaccent,
}
impl Dictionary {
    pub fn answer(&self, word: &str) -> Result<Answer> {
        let stops = |list: &Option<&'static Words>, w: &str| w.is_empty() || list.is_some_and(|s| s.contains(w));
        Ok(match self {
            Dictionary::Simple { stop, accept } => {
                let word = word.to_lowercase();
                match () {
                    () if stops(stop, &word) => Answer::Stop,
                    () if *accept => Answer::Lexeme(word),
                    () => Answer::Unknown,
                }
            }
            Dictionary::Snowball { stemmer, stop } => {
                let word = word.to_lowercase();
                match () {
                    () if word.len() > MAX_STEMMED => Answer::Lexeme(word),
                    () if stops(stop, &word) => Answer::Stop,
                    () => Answer::Lexeme(stemmer.stem(&word).into_owned()),
                }
            }
            Dictionary::Unaccent => without_accents(word)?.map_or(Answer::Unknown, Answer::Filtered),
        })
    }
}

/// A dictionary by its OID. XX000 where there is none, 0A000 where its stemmer is not here.
pub fn open(oid: Oid, catalog: &Catalog) -> Result<Dictionary> {
    if oid == SIMPLE_DICTIONARY {
        return Ok(Dictionary::Simple { stop: None, accept: true });
    }
    if oid == ts::UNACCENT_DICTIONARY {
        return Ok(Dictionary::Unaccent);
    }
    if let Some((_, language, _)) = LANGUAGES.iter().find(|l| l.2 == oid) {
        let stemmer = algorithm(language).map(Stemmer::create);
        let missing = || Error::unsupported(format!("text search dictionary \"{language}_stem\""));
        return Ok(Dictionary::Snowball { stemmer: stemmer.ok_or_else(missing)?, stop: stop_words(language) });
    }
    match catalog.ts_dictionary(oid) {
        Some(d) => init(d.template, &d.options),
        None => Err(Error::internal(format!("cache lookup failed for text search dictionary {oid}"))),
    }
}
/// A dictionary of a template with options, which are looked at as the template's init function does (22023, 42601, 42704, F0000).
pub fn init(template: Oid, options: &[Setting]) -> Result<Dictionary> {
    match template {
        ts::SIMPLE => simple(options),
        ts::SNOWBALL => snowball(options),
        ts::UNACCENT => unaccent(options),
        other => {
            let name = ts::TEMPLATES.iter().find(|t| t.0 == other).map_or("", |t| t.1);
            Err(Error::unsupported(format!("text search template \"{name}\"")))
        }
    }
}
fn simple(options: &[Setting]) -> Result<Dictionary> {
    let (mut stop, mut accept) = (None, None);
    for o in options {
        match o.name.as_str() {
            "stopwords" if stop.is_some() => bail!(INVALID_PARAMETER_VALUE, "multiple StopWords parameters"),
            "stopwords" => stop = Some(stop_list(&o.value)?),
            "accept" if accept.is_some() => bail!(INVALID_PARAMETER_VALUE, "multiple Accept parameters"),
            "accept" => accept = Some(boolean(o)?),
            other => bail!(INVALID_PARAMETER_VALUE, "unrecognized simple dictionary parameter: \"{other}\""),
        }
    }
    Ok(Dictionary::Simple { stop, accept: accept.unwrap_or(true) })
}
fn snowball(options: &[Setting]) -> Result<Dictionary> {
    let (mut stop, mut stemmer) = (None, None);
    for o in options {
        match o.name.as_str() {
            "stopwords" if stop.is_some() => bail!(INVALID_PARAMETER_VALUE, "multiple StopWords parameters"),
            "stopwords" => stop = Some(stop_list(&o.value)?),
            "language" if stemmer.is_some() => bail!(INVALID_PARAMETER_VALUE, "multiple Language parameters"),
            "language" => stemmer = Some(stemmer_of(&o.value)?),
            other => bail!(INVALID_PARAMETER_VALUE, "unrecognized Snowball parameter: \"{other}\""),
        }
    }
    let missing = || err!(INVALID_PARAMETER_VALUE, "missing Language parameter");
    Ok(Dictionary::Snowball { stemmer: stemmer.ok_or_else(missing)?, stop })
}
fn stemmer_of(language: &str) -> Result<Stemmer> {
    let name = language.to_ascii_lowercase();
    match algorithm(&name) {
        Some(a) => Ok(Stemmer::create(a)),
        None if is_known(&name) => Err(Error::unsupported(format!("the Snowball stemmer of language \"{name}\""))),
        None => {
            bail!(UNDEFINED_OBJECT, "no Snowball stemmer available for language \"{language}\" and encoding \"UTF8\"")
        }
    }
}
fn unaccent(options: &[Setting]) -> Result<Dictionary> {
    let mut rules = false;
    for o in options {
        match o.name.as_str() {
            "rules" if rules => bail!(INVALID_PARAMETER_VALUE, "multiple Rules parameters"),
            "rules" => {
                let path = file(&o.value, "rules")?;
                if o.value != "unaccent" {
                    return Err(no_file("unaccent", &path));
                }
                rules = true;
            }
            other => bail!(INVALID_PARAMETER_VALUE, "unrecognized Unaccent parameter: \"{other}\""),
        }
    }
    if !rules {
        bail!(INVALID_PARAMETER_VALUE, "missing Rules parameter");
    }
    Ok(Dictionary::Unaccent)
}
fn boolean(o: &Setting) -> Result<bool> {
    match o.value.to_ascii_lowercase().as_str() {
        "1" if o.number => Ok(true),
        "0" if o.number => Ok(false),
        "true" | "on" if !o.number => Ok(true),
        "false" | "off" if !o.number => Ok(false),
        _ => bail!(SYNTAX_ERROR, "{} requires a Boolean value", o.name),
    }
}
/// Where PostgreSQL looks for a file; 22023 for a name that no file may have.
fn file(name: &str, extension: &str) -> Result<String> {
    if !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
        bail!(INVALID_PARAMETER_VALUE, "invalid text search configuration file name \"{name}\"");
    }
    Ok(format!("{FILES}/{name}.{extension}"))
}
fn no_file(what: &str, path: &str) -> Error {
    Error::new(CONFIG_FILE_ERROR, format!("could not open {what} file \"{path}\": No such file or directory"))
}
fn stop_list(name: &str) -> Result<&'static Words> {
    let path = file(name, "stop")?;
    stop_words(name).ok_or_else(|| no_file("stop-word", &path))
}
