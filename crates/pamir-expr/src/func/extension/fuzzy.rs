//! fuzzystrmatch: distances and codes of how words sound (contrib/fuzzystrmatch/fuzzystrmatch.c, utils/adt/levenshtein.c).
//!
//! Limits: no metaphone, no dmetaphone.
use crate::func::registry::{bad_args, funcs};
use crate::func::*;
use pamir_types::bail;

const MAX_LEVENSHTEIN: usize = 255;
const SOUNDEX_LENGTH: usize = 4;

/// What changing one text into the other costs; insertions, deletions and substitutions have costs of their own.
fn levenshtein(a: &str, b: &str, [insert, delete, replace]: [i32; 3]) -> Result<i64> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > MAX_LEVENSHTEIN || b.len() > MAX_LEVENSHTEIN {
        bail!(INVALID_PARAMETER_VALUE, "levenshtein argument exceeds maximum length of {MAX_LEVENSHTEIN} characters");
    }
    let [insert, delete, replace] = [insert, delete, replace].map(i64::from);
    if a.is_empty() || b.is_empty() {
        return Ok(a.len() as i64 * delete + b.len() as i64 * insert);
    }
    let mut before: Vec<i64> = (0..=a.len() as i64).map(|n| n * delete).collect();
    for (j, y) in b.iter().enumerate() {
        work::charge(a.len())?;
        let mut row = vec![(j as i64 + 1) * insert];
        for (i, x) in a.iter().enumerate() {
            let same = before[i] + if x == y { 0 } else { replace };
            row.push((before[i + 1] + insert).min(row[i] + delete).min(same));
        }
        before = row;
    }
    Ok(before[a.len()])
}
fn distance(args: &[Datum], costs: bool, limited: bool) -> Result<Datum> {
    let (Some(Datum::Text(a)), Some(Datum::Text(b))) = (args.first(), args.get(1)) else {
        return Err(bad_args("levenshtein", args));
    };
    let mut numbers = Vec::new();
    for d in &args[2..] {
        match d {
            Datum::Int4(v) => numbers.push(*v),
            _ => return Err(bad_args("levenshtein", args)),
        }
    }
    let own = match (costs, numbers.as_slice()) {
        (true, [i, d, s, ..]) => [*i, *d, *s],
        _ => [1, 1, 1],
    };
    let d = levenshtein(a, b, own)?;
    let most = numbers.last().filter(|m| limited && **m >= 0).map(|m| i64::from(*m));
    let d = match most {
        Some(most) if d > most => most + 1,
        _ => d,
    };
    Ok(Datum::Int4(d.clamp(i32::MIN.into(), i32::MAX.into()) as i32))
}
fn code(b: u8) -> u8 {
    match b.to_ascii_uppercase() {
        c @ b'A'..=b'Z' => b"01230120022455012623010202"[usize::from(c - b'A')],
        c => c,
    }
}
fn soundex(s: &str) -> String {
    let b = s.as_bytes();
    let Some(first) = b.iter().position(u8::is_ascii_alphabetic) else { return String::new() };
    let mut out = String::from(b[first].to_ascii_uppercase() as char);
    for i in first + 1..b.len() {
        if out.len() == SOUNDEX_LENGTH {
            break;
        }
        if b[i].is_ascii_alphabetic() && code(b[i]) != code(b[i - 1]) && code(b[i]) != b'0' {
            out.push(code(b[i]) as char);
        }
    }
    while out.len() < SOUNDEX_LENGTH {
        out.push('0');
    }
    out
}
fn difference(a: &str, b: &str) -> i32 {
    // Nothing is as like nothing as can be.
    const LEN: usize = 4;
    let (a, b) = (soundex(a), soundex(b));
    let letter = |s: &str, i: usize| s.as_bytes().get(i).copied();
    (0..LEN).filter(|i| letter(&a, *i) == letter(&b, *i)).count() as i32
}

funcs! { pub FUNCS {
    levenshtein raw = |_, a, _| distance(a, false, false);
    levenshtein_with_costs raw = |_, a, _| distance(a, true, false);
    levenshtein_less_equal raw = |_, a, _| distance(a, false, true);
    levenshtein_less_equal_with_costs raw = |_, a, _| distance(a, true, true);
    soundex (s: Text) -> soundex(s);
    difference (a: Text, b: Text) -> difference(a, b);
} }
