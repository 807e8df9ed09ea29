//! Full text search in JSON: to_tsvector and ts_headline of documents.
//!
//! A document of type json is read from its text, in its order; one of type jsonb in the order of its keys.
use super::json::escape;
use super::registry::{bad_args, funcs};
use super::tsearch::{configured, pack, str_of, tsquery};
use super::*;
use crate::tsearch::config::{self, Config};
use crate::tsearch::headline::{self, Options};
use pamir_types::json::Jsonb;
use pamir_types::tsquery::Query;
use pamir_types::tsvector::Vector;
use pamir_types::{Error, bail, err, memory};
use std::sync::Arc;

/// Which values of a JSON document are words.
#[derive(Clone, Copy, Default)]
struct Wanted {
    strings: bool,
    numbers: bool,
    booleans: bool,
    keys: bool,
}
/// `"all"`, `["string", "numeric"]`
fn wanted(d: &Datum) -> Result<Wanted> {
    const HINT: &str = "Possible values are: \"string\", \"numeric\", \"boolean\", \"key\", and \"all\".";
    use pamir_types::json::Jsonb;
    let Datum::Jsonb(j) = d else { return Err(bad_args("json_to_tsvector", std::slice::from_ref(d))) };
    let list = match &**j {
        Jsonb::Array(a) => a.iter().collect(),
        Jsonb::Object(_) => bail!(INVALID_PARAMETER_VALUE, "wrong flag type, only arrays and scalars are allowed"),
        one => vec![one],
    };
    let mut w = Wanted::default();
    for v in list {
        let Jsonb::String(s) = v else {
            return Err(err!(INVALID_PARAMETER_VALUE, "flag array element is not a string").hint(HINT));
        };
        match s.to_ascii_lowercase().as_str() {
            "all" => w = Wanted { strings: true, numbers: true, booleans: true, keys: true },
            "key" => w.keys = true,
            "string" => w.strings = true,
            "numeric" => w.numbers = true,
            "boolean" => w.booleans = true,
            _ => return Err(err!(INVALID_PARAMETER_VALUE, "wrong flag in flag array: \"{s}\"").hint(HINT)),
        }
    }
    Ok(w)
}
/// The string that begins at `at`, which goes behind it.
fn string_at(json: &str, at: &mut usize) -> Result<String> {
    let (b, from) = (json.as_bytes(), *at);
    *at += 1;
    while b.get(*at).is_some_and(|c| *c != b'"') {
        *at += if b.get(*at) == Some(&b'\\') { 2 } else { 1 };
    }
    *at += 1;
    work::charge(*at - from)?;
    serde_json::from_str(json.get(from..*at).unwrap_or_default())
        .map_err(|e| Error::internal(format!("a string of JSON: {e}")))
}
/// Reads a document that is JSON for its words, in the order of its text; each value's stand apart from the one's before it.
fn json_words(json: &str, w: Wanted, config: &Config, env: &mut dyn Env) -> Result<Vector> {
    let (mut words, mut place, b, mut at) = (Vec::new(), 0, json.as_bytes(), 0);
    while let Some(c) = b.get(at) {
        work::charge(1)?;
        let from = at;
        let (text, is_wanted) = match c {
            b'"' => {
                let text = string_at(json, &mut at)?;
                let is_key = b.get(at..).unwrap_or_default().iter().find(|c| !c.is_ascii_whitespace()) == Some(&b':');
                (text, if is_key { w.keys } else { w.strings })
            }
            c if c.is_ascii_alphanumeric() || *c == b'-' => {
                let end = |c: &u8| !(c.is_ascii_alphanumeric() || matches!(c, b'-' | b'+' | b'.'));
                at += b[at..].iter().position(end).unwrap_or(b.len() - at);
                let text = json.get(from..at).unwrap_or_default();
                (
                    text.to_string(),
                    match text {
                        "true" | "false" => w.booleans,
                        "null" => false,
                        _ => w.numbers,
                    },
                )
            }
            _ => {
                at += 1;
                continue;
            }
        };
        if is_wanted {
            let new = config.lexemes(&text, &mut place, env)?;
            place += usize::from(!new.is_empty());
            words.extend(new);
        }
    }
    Ok(config::vector(words))
}
fn json_vector(args: &[Datum], flags: bool, env: &mut dyn Env) -> Result<Datum> {
    let (config, rest) = configured(args, env)?;
    let w = match rest {
        [_, f] if flags => wanted(f)?,
        _ => Wanted { strings: true, ..Wanted::default() },
    };
    match rest.first() {
        Some(Datum::Text(s)) => pack(json_words(s, w, &config, env)?),
        Some(Datum::Jsonb(j)) => {
            let mut text = Vec::new();
            j.format(&mut text);
            pack(json_words(&String::from_utf8_lossy(&text), w, &config, env)?)
        }
        _ => Err(bad_args("to_tsvector", args)),
    }
}

/// What shows words in strings.
struct Shown<'a> {
    config: &'a Config,
    query: &'a Query,
    options: &'a Options,
}
impl Shown<'_> {
    fn string(&self, s: &str) -> Result<String> {
        headline::headline(self.config, s, self.query, self.options)
    }
    /// Strings that are values; keys stay.
    fn jsonb(&self, j: &Jsonb) -> Result<Jsonb> {
        work::charge(1)?;
        Ok(match j {
            Jsonb::String(s) => Jsonb::String(self.string(s)?.into()),
            Jsonb::Array(a) => Jsonb::Array(a.iter().map(|v| self.jsonb(v)).collect::<Result<_>>()?),
            Jsonb::Object(o) => {
                let member = |(k, v): &(Box<str>, Jsonb)| Ok((k.clone(), self.jsonb(v)?));
                Jsonb::Object(o.iter().map(member).collect::<Result<_>>()?)
            }
            other => other.clone(),
        })
    }
    /// The same of a text, which loses the space between its tokens.
    fn json(&self, json: &str) -> Result<String> {
        let (mut out, b, mut at) = (Vec::with_capacity(json.len()), json.as_bytes(), 0);
        while let Some(c) = b.get(at) {
            work::charge(1)?;
            match c {
                b'"' => {
                    let text = string_at(json, &mut at)?;
                    let is_key =
                        b.get(at..).unwrap_or_default().iter().find(|c| !c.is_ascii_whitespace()) == Some(&b':');
                    let text = if is_key { text } else { self.string(&text)? };
                    memory::admit(out.len() + text.len())?;
                    escape(&text, &mut out);
                    continue;
                }
                c if c.is_ascii_whitespace() => {}
                c => out.push(*c),
            }
            at += 1;
        }
        String::from_utf8(out).map_err(|_| Error::internal("JSON that is no text"))
    }
}
/// ts_headline of a document.
fn show(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (config, rest) = configured(args, env)?;
    let (document, q, options) = match rest {
        [d, q] => (d, q, Options::default()),
        [d, q, o] => (d, q, Options::read(str_of(o)?)?),
        _ => return Err(bad_args("ts_headline", args)),
    };
    let query = tsquery(q)?;
    let s = Shown { config: &config, query: &query, options: &options };
    match document {
        Datum::Text(t) => Ok(s.json(t)?.into()),
        Datum::Jsonb(j) => Ok(Datum::Jsonb(Arc::new(s.jsonb(j)?))),
        _ => Err(bad_args("ts_headline", args)),
    }
}

funcs! { pub FUNCS {
    json_string_to_tsvector raw = |_, a, e| json_vector(a, false, e);
    json_string_to_tsvector_byid raw = |_, a, e| json_vector(a, false, e);
    jsonb_string_to_tsvector raw = |_, a, e| json_vector(a, false, e);
    jsonb_string_to_tsvector_byid raw = |_, a, e| json_vector(a, false, e);
    json_to_tsvector raw = |_, a, e| json_vector(a, true, e);
    json_to_tsvector_byid raw = |_, a, e| json_vector(a, true, e);
    jsonb_to_tsvector raw = |_, a, e| json_vector(a, true, e);
    jsonb_to_tsvector_byid raw = |_, a, e| json_vector(a, true, e);
    ts_headline_json raw = |_, a, e| show(a, e);
    ts_headline_json_opt raw = |_, a, e| show(a, e);
    ts_headline_json_byid raw = |_, a, e| show(a, e);
    ts_headline_json_byid_opt raw = |_, a, e| show(a, e);
    ts_headline_jsonb raw = |_, a, e| show(a, e);
    ts_headline_jsonb_opt raw = |_, a, e| show(a, e);
    ts_headline_jsonb_byid raw = |_, a, e| show(a, e);
    ts_headline_jsonb_byid_opt raw = |_, a, e| show(a, e);
} }
