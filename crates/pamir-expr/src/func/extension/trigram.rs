//! pg_trgm: how alike texts are by the groups of three letters that they share (contrib/pg_trgm/trgm_op.c).
//!
//! A word is letters and digits, in small letters, with two blanks before it and one behind. What is not three bytes is known by three bytes of a checksum.
use crate::func::registry::{bad_args, funcs};
use crate::func::*;
use crate::inverted::Strategy;
use pamir_types::array::Array;
use pamir_types::citext::fold;
use pamir_types::{bail, oid};

type Trigram = [u8; 3];
/// A trigram of a text in its order, and whether it begins or ends a word.
struct Placed {
    trigram: Trigram,
    begins: bool,
    ends: bool,
}
fn trigrams(s: &str) -> Result<Vec<Placed>> {
    let mut out = Vec::new();
    for word in s.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        work::charge(word.len() * 2)?;
        let chars: Vec<char> = [' ', ' '].into_iter().chain(fold(word).chars()).chain([' ']).collect();
        let last = chars.len() - 3;
        for (i, w) in chars.windows(3).enumerate() {
            out.push(Placed { trigram: trigram([w[0], w[1], w[2]]), begins: i == 0, ends: i == last });
        }
    }
    Ok(out)
}
fn set(s: &str) -> Result<Vec<Trigram>> {
    let mut all: Vec<Trigram> = trigrams(s)?.into_iter().map(|p| p.trigram).collect();
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
/// A text's trigrams, ascending, each once.
pub fn trigrams_of(s: &str) -> Result<Vec<Trigram>> {
    set(s)
}
/// Trigrams that every text has which a LIKE pattern matches: those of its words, and of a word that goes on in a wildcard those within.
pub fn trigrams_of_pattern(pattern: &str) -> Result<Vec<Trigram>> {
    let mut out = Vec::new();
    // The letters of a word so far, with blanks before it where it begins here. None: a wildcard is before it, or there is none.
    let mut word: Vec<char> = Vec::new();
    let mut begins = true;
    let mut end = |word: &mut Vec<char>, ends: bool| {
        if ends && !word.is_empty() {
            word.push(' ');
        }
        out.extend(word.windows(3).map(|w| [w[0], w[1], w[2]]).map(trigram));
        word.clear();
    };
    let mut letters = pattern.chars();
    while let Some(c) = letters.next() {
        work::charge(4)?;
        let c = match c {
            '%' | '_' => {
                end(&mut word, false);
                begins = false;
                continue;
            }
            '\\' => letters.next().unwrap_or('\\'),
            c => c,
        };
        if c.is_alphanumeric() {
            if word.is_empty() && begins {
                word.extend([' ', ' ']);
            }
            begins = false;
            word.extend(c.to_lowercase());
        } else {
            end(&mut word, true);
            begins = true;
        }
    }
    end(&mut word, true);
    out.sort_unstable();
    out.dedup();
    Ok(out)
}
fn trigram(letters: [char; 3]) -> Trigram {
    let text: String = letters.iter().collect();
    match text.as_bytes() {
        [a, b, c] => [*a, *b, *c],
        _ => {
            let [a, b, c, _] = pamir_types::tsquery::checksum(&text).to_le_bytes();
            [a, b, c]
        }
    }
}
/// As many of `n` trigrams as a text shares, at least, that is as like as the threshold asks: the likeness is at most what they are of `n`.
pub fn shared_at_least(s: Strategy, n: usize, setting: &dyn Fn(&str) -> Option<String>) -> usize {
    let (name, usual) = match s {
        Strategy::WordSimilar => WORD,
        Strategy::StrictWordSimilar => STRICT_WORD,
        _ => SIMILARITY,
    };
    let least = setting(name).and_then(|v| v.parse().ok()).unwrap_or(usual);
    if least <= 0.0 {
        return 0;
    }
    // Below by what rounding may have done.
    ((f64::from(least) * n as f64 - 1e-3).ceil() as usize).max(1)
}
fn likeness(shared: usize, a: usize, b: usize) -> f32 {
    shared as f32 / (a + b - shared) as f32
}
fn similarity(a: &str, b: &str) -> Result<f32> {
    let (a, b) = (set(a)?, set(b)?);
    if a.is_empty() || b.is_empty() {
        return Ok(0.0);
    }
    let shared = a.iter().filter(|t| b.binary_search(t).is_ok()).count();
    Ok(likeness(shared, a.len(), b.len()))
}
/// The likeness of the first text to the run of the second one that is most like it; `strict`: to a run of whole words.
fn word_similarity(a: &str, b: &str, strict: bool) -> Result<f32> {
    let (wanted, text) = (set(a)?, trigrams(b)?);
    let found: Vec<bool> = text.iter().map(|p| wanted.binary_search(&p.trigram).is_ok()).collect();
    // Where each trigram was seen last, of those that are in the run.
    let mut last: rustc_hash::FxHashMap<Trigram, usize> = rustc_hash::FxHashMap::default();
    let mut lower: Option<usize> = strict.then_some(0);
    let (mut shared, mut size, mut best) = (0usize, 0usize, 0f32);
    for i in 0..text.len() {
        work::charge(4)?;
        let t = text[i].trigram;
        if (lower.is_some() || found[i]) && last.insert(t, i).is_none() {
            size += 1;
            shared += usize::from(found[i]);
        }
        if !(if strict { text[i].ends } else { found[i] }) {
            continue;
        }
        let from = *lower.get_or_insert_with(|| {
            size = 1;
            i
        });
        let mut now = likeness(shared, wanted.len(), size);
        let (mut less_shared, mut less_size, mut new) = (shared, size, (from, shared, size));
        for k in from..=i {
            work::charge(2)?;
            if !strict || text[k].begins {
                let v = likeness(less_shared, wanted.len(), less_size);
                if v > now {
                    now = v;
                    new = (k, less_shared, less_size);
                }
            }
            if last.get(&text[k].trigram) == Some(&k) {
                less_size -= 1;
                less_shared -= usize::from(found[k]);
            }
        }
        best = best.max(now);
        (shared, size) = (new.1, new.2);
        lower = Some(new.0);
        for k in from..new.0 {
            if last.get(&text[k].trigram) == Some(&k) {
                last.remove(&text[k].trigram);
            }
        }
    }
    Ok(best)
}
fn show(s: &str) -> Result<Datum> {
    let readable = |t: &Trigram| t.iter().all(|b| (b' '..0x7f).contains(b));
    let mut all = set(s)?;
    // As chars compare in C.
    all.sort_by_key(|t| t.map(|b| b as i8));
    let shown = all.iter().map(|t| match readable(t) {
        true => Datum::from(String::from_utf8_lossy(t).into_owned()),
        false => Datum::from(format!("0x{:02x}{:02x}{:02x}", t[0], t[1], t[2])),
    });
    Ok(Datum::Array(Arc::new(Array::from_vec(oid::TEXT, shown.collect()))))
}
/// A threshold: a setting of the extension's.
fn threshold(name: &str, usual: f32, env: &dyn Env) -> f32 {
    env.setting(name).and_then(|v| v.parse().ok()).unwrap_or(usual)
}
const SIMILARITY: (&str, f32) = ("pg_trgm.similarity_threshold", 0.3);
const WORD: (&str, f32) = ("pg_trgm.word_similarity_threshold", 0.6);
const STRICT_WORD: (&str, f32) = ("pg_trgm.strict_word_similarity_threshold", 0.5);

fn two(args: &[Datum], f: impl FnOnce(&str, &str) -> Result<Datum>) -> Result<Datum> {
    match args {
        [Datum::Text(a), Datum::Text(b)] => f(a, b),
        _ => Err(bad_args("similarity", args)),
    }
}
fn real(args: &[Datum], f: impl FnOnce(&str, &str) -> Result<f32>) -> Result<Datum> {
    two(args, |a, b| f(a, b).map(Datum::Float4))
}
fn at_least(
    args: &[Datum],
    (name, usual): (&str, f32),
    env: &dyn Env,
    f: impl FnOnce(&str, &str) -> Result<f32>,
) -> Result<Datum> {
    two(args, |a, b| Ok(Datum::Bool(f(a, b)? >= threshold(name, usual, env))))
}
fn set_limit(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Float4(v)] = args else { return Err(bad_args("set_limit", args)) };
    if !(0.0..=1.0).contains(v) {
        let name = SIMILARITY.0;
        bail!(INVALID_PARAMETER_VALUE, "{v} is outside the valid range for parameter \"{name}\" (0 .. 1)");
    }
    env.backend()?.set_setting(SIMILARITY.0, &v.to_string(), false)?;
    Ok(Datum::Float4(*v))
}

funcs! { pub FUNCS {
    set_limit raw = |_, a, e| set_limit(a, e);
    show_limit raw = |_, _, e| Ok(Datum::Float4(threshold(SIMILARITY.0, SIMILARITY.1, e)));
    show_trgm (s: Text) => show(s);
    similarity raw = |_, a, _| real(a, similarity);
    similarity_dist raw = |_, a, _| real(a, |a, b| Ok(1.0 - similarity(a, b)?));
    similarity_op raw = |_, a, e| at_least(a, SIMILARITY, e, similarity);
    word_similarity raw = |_, a, _| real(a, |a, b| word_similarity(a, b, false));
    word_similarity_op raw = |_, a, e| at_least(a, WORD, e, |a, b| word_similarity(a, b, false));
    word_similarity_commutator_op raw = |_, a, e| at_least(a, WORD, e, |a, b| word_similarity(b, a, false));
    word_similarity_dist_op raw = |_, a, _| real(a, |a, b| Ok(1.0 - word_similarity(a, b, false)?));
    word_similarity_dist_commutator_op raw = |_, a, _| real(a, |a, b| Ok(1.0 - word_similarity(b, a, false)?));
    strict_word_similarity raw = |_, a, _| real(a, |a, b| word_similarity(a, b, true));
    strict_word_similarity_op raw = |_, a, e| at_least(a, STRICT_WORD, e, |a, b| word_similarity(a, b, true));
    strict_word_similarity_commutator_op raw = |_, a, e| at_least(a, STRICT_WORD, e, |a, b| word_similarity(b, a, true));
    strict_word_similarity_dist_op raw = |_, a, _| real(a, |a, b| Ok(1.0 - word_similarity(a, b, true)?));
    strict_word_similarity_dist_commutator_op raw = |_, a, _| real(a, |a, b| Ok(1.0 - word_similarity(b, a, true)?));
} }
