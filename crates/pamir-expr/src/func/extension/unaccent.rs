//! unaccent: letters without their accents, by PostgreSQL's rules (contrib/unaccent), which are made of Unicode's data: unaccent.rules, a line `from TAB to`.
//!
//! Limits: the dictionary itself is not there, so unaccent(dictionary, text) finds none.
use crate::func::registry::{bad_args, funcs};
use crate::func::*;
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
fn unaccent(s: &str) -> Result<String> {
    let rules = rules();
    let (mut out, mut rest) = (String::with_capacity(s.len()), s);
    while let Some(c) = rest.chars().next() {
        work::charge(2)?;
        let ends = rest.char_indices().map(|(i, c)| i + c.len_utf8()).take(rules.longest);
        let longest = ends.filter_map(|n| Some((n, *rules.all.get(&rest[..n])?))).last();
        match longest.filter(|_| !c.is_ascii() || rules.all.contains_key(&rest[..1])) {
            Some((n, to)) => {
                out.push_str(to);
                rest = &rest[n..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    Ok(out)
}
fn call(args: &[Datum]) -> Result<Datum> {
    match args {
        [Datum::Text(s)] => Ok(unaccent(s)?.into()),
        [Datum::Oid(_), _] => Err(pamir_types::Error::unsupported("unaccent() with a dictionary")),
        _ => Err(bad_args("unaccent", args)),
    }
}

funcs! { pub FUNCS {
    unaccent_dict raw = |_, a, _| call(a);
} }
