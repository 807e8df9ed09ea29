//! unaccent: letters without their accents, by PostgreSQL's rules (contrib/unaccent), which are made of Unicode's data: unaccent.rules, a line `from TAB to`.
//!
//! The dictionary of the name is a filter of text search configurations (`tsearch/dictionary.rs`).
use crate::func::registry::{bad_args, funcs};
use crate::func::*;
use crate::tsearch::dictionary::{self, Answer};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

struct Rules {
    /// What each text becomes.
    all: FxHashMap<&'static str, &'static str>,
    /// Characters of the longest text.
    longest: usize,
}
fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut all = FxHashMap::default();
        for line in include_str!("unaccent.rules").lines() {
            let mut words = line.split_whitespace();
            if let Some(from) = words.next() {
                all.entry(from).or_insert(words.next().unwrap_or_default());
            }
        }
        let longest = all.keys().map(|k| k.chars().count()).max().unwrap_or(0);
        Rules { all, longest }
    })
}
/// A text without its accents; None: it has none.
pub(crate) fn without_accents(s: &str) -> Result<Option<String>> {
    let rules = rules();
    let (mut out, mut rest, mut changed) = (String::with_capacity(s.len()), s, false);
    while let Some(c) = rest.chars().next() {
        work::charge(2)?;
        let ends = rest.char_indices().map(|(i, c)| i + c.len_utf8()).take(rules.longest);
        let longest = ends.filter_map(|n| Some((n, *rules.all.get(&rest[..n])?))).last();
        match longest.filter(|_| !c.is_ascii() || rules.all.contains_key(&rest[..1])) {
            Some((n, to)) => {
                out.push_str(to);
                rest = &rest[n..];
                changed = true;
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    Ok(changed.then_some(out))
}
fn call(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (answer, text) = match args {
        [Datum::Text(s)] => (without_accents(s)?.map_or(Answer::Unknown, Answer::Filtered), s),
        [Datum::Oid(d), Datum::Text(s)] => (dictionary::open(*d, env.catalog())?.answer(s)?, s),
        _ => return Err(bad_args("unaccent", args)),
    };
    Ok(match answer {
        Answer::Filtered(s) | Answer::Lexeme(s) => s.into(),
        Answer::Unknown | Answer::Stop => Datum::Text(text.clone()),
    })
}

funcs! { pub FUNCS {
    unaccent_dict raw = |_, a, e| call(a, e);
} }
