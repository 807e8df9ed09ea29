//! Functions of citext, most of them those of text without regard to case.
use crate::func::registry::{OwnRow, STRICT, bad_args, funcs};
use crate::func::*;
use pamir_types::citext::Citext;
use pamir_types::oid;
use std::cmp::Ordering;

/// The text of a citext, or a text.
fn text(d: &Datum) -> Datum {
    match d {
        Datum::Citext(v) => Datum::Text(v.text.clone()),
        d => d.clone(),
    }
}
fn citext(d: &Datum) -> Result<Datum> {
    match d {
        Datum::Text(s) => Ok(Citext::new(s.clone()).into()),
        d => Err(bad_args("citext", std::slice::from_ref(d))),
    }
}
fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(holds(pamir_types::cmp::compare(a, b)))),
        _ => Err(bad_args("citext comparison", args)),
    }
}
fn outer(args: &[Datum], wanted: Ordering) -> Result<Datum> {
    match args {
        [a, b] => Ok(if pamir_types::cmp::compare(a, b) == wanted { a.clone() } else { b.clone() }),
        _ => Err(bad_args("citext", args)),
    }
}
const TEXTS: [Oid; 4] = [oid::TEXT; 4];
fn base(name: &str, types: &[Oid]) -> Result<&'static Function> {
    functions(name)
        .iter()
        .find(|f| &*f.args == types)
        .copied()
        .ok_or_else(|| pamir_types::Error::internal(format!("no function {name}")))
}
/// The server's function of the name over these values.
fn call(name: &str, types: &[Oid], args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let f = base(name, types)?;
    let arg_types: Vec<Type> = types.iter().map(|t| Type::new(*t)).collect();
    let ci = CallInfo { arg_types: &arg_types, ret: Type::new(f.ret) };
    match &f.body {
        Body::Scalar(code) => code.call(&ci, args, env),
        _ => Err(pamir_types::Error::internal(format!("{name} is no scalar function"))),
    }
}
fn call_set(
    name: &str,
    args: &[Datum],
    env: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let f = base(name, &TEXTS[..args.len()])?;
    let arg_types = vec![Type::TEXT; args.len()];
    let ci = CallInfo { arg_types: &arg_types, ret: Type::new(f.ret) };
    match &f.body {
        Body::Set(code) => code.call(&ci, args, env, push),
        Body::Series(code) => {
            let mut series = code.call(&ci, args, env)?;
            while let Some(d) = series.next(env)? {
                push(vec![d])?;
            }
            Ok(())
        }
        Body::Scalar(_) => Err(pamir_types::Error::internal(format!("{name} is no set function"))),
    }
}
/// Flags of regular expressions with `i`, unless they say `c`.
fn flags(d: Option<&Datum>) -> Datum {
    match d {
        Some(Datum::Text(s)) if s.contains('c') => Datum::Text(s.clone()),
        Some(Datum::Text(s)) => format!("{s}i").into(),
        _ => "i".into(),
    }
}
/// A regular expression's function: its texts, then flags.
fn with_flags(args: &[Datum], texts: usize) -> Vec<Datum> {
    args.iter().take(texts).map(text).chain([flags(args.get(texts))]).collect()
}
fn regexp(name: &str, args: &[Datum], texts: usize, env: &mut dyn Env) -> Result<Datum> {
    call(name, &TEXTS[..texts + 1], &with_flags(args, texts), env)
}
fn same(name: &str, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let args: Vec<Datum> = args.iter().map(text).collect();
    call(name, &TEXTS[..args.len()], &args, env)
}
/// What is looked for, as a regular expression.
fn literal(d: &Datum, env: &mut dyn Env) -> Result<Datum> {
    let all = [text(d), "([^a-zA-Z_0-9])".into(), "\\\\\\1".into(), "g".into()];
    call("regexp_replace", &TEXTS, &all, env)
}
fn replace(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [a, what, with] = args else { return Err(bad_args("replace", args)) };
    let all = [text(a), literal(what, env)?, text(with), "gi".into()];
    call("regexp_replace", &TEXTS, &all, env)
}
fn split_part(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [a, delimiter, Datum::Int4(n)] = args else { return Err(bad_args("split_part", args)) };
    let all = [text(a), literal(delimiter, env)?, "i".into()];
    let parts = call("regexp_split_to_array", &TEXTS[..3], &all, env)?;
    let Datum::Array(parts) = parts else { return Ok(Datum::Null) };
    let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1));
    Ok(at.and_then(|n| parts.items.get(n)).cloned().unwrap_or(Datum::Null))
}
fn lower(d: &Datum, env: &mut dyn Env) -> Result<Datum> {
    call("lower", &TEXTS[..1], &[text(d)], env)
}
fn strpos(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [a, b] = args else { return Err(bad_args("strpos", args)) };
    let all = [lower(a, env)?, lower(b, env)?];
    call("strpos", &TEXTS[..2], &all, env)
}
fn translate(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [a, from, to] = args else { return Err(bad_args("translate", args)) };
    let small = [text(a), lower(from, env)?, to.clone()];
    let small = call("translate", &TEXTS[..3], &small, env)?;
    let large = call("upper", &TEXTS[..1], &[text(from)], env)?;
    call("translate", &TEXTS[..3], &[small, large, to.clone()], env)
}

/// Where PostgreSQL relabels, values are remade here.
const TO_TEXT: Oid = 9190;
const FROM_TEXT: Oid = 9191;
pub static OWN: &[OwnRow] = &[
    OwnRow {
        oid: TO_TEXT,
        name: "citext_to_text",
        args: &[oid::CITEXT],
        ret: oid::TEXT,
        flags: STRICT,
        body: Body::scalar(|_, a, _| match a {
            [a] => Ok(text(a)),
            _ => Err(bad_args("text", a)),
        }),
    },
    OwnRow {
        oid: FROM_TEXT,
        name: "text_to_citext",
        args: &[oid::TEXT],
        ret: oid::CITEXT,
        flags: STRICT,
        body: Body::scalar(|_, a, _| match a {
            [a] => citext(a),
            _ => Err(bad_args("citext", a)),
        }),
    },
];
/// The function of a cast that PostgreSQL relabels for.
pub fn relabelling(from: Oid, to: Oid) -> Option<Oid> {
    match (from, to) {
        (oid::CITEXT, _) => Some(TO_TEXT),
        (_, oid::CITEXT) => Some(FROM_TEXT),
        _ => None,
    }
}

funcs! { pub FUNCS {
    citext_eq raw = |_, a, _| order(a, Ordering::is_eq);
    citext_ne raw = |_, a, _| order(a, Ordering::is_ne);
    citext_lt raw = |_, a, _| order(a, Ordering::is_lt);
    citext_le raw = |_, a, _| order(a, Ordering::is_le);
    citext_gt raw = |_, a, _| order(a, Ordering::is_gt);
    citext_ge raw = |_, a, _| order(a, Ordering::is_ge);
    citext_cmp (a: Citext, b: Citext) -> a.folded.as_bytes().cmp(b.folded.as_bytes()) as i32;
    citext_pattern_lt raw = |_, a, _| order(a, Ordering::is_lt);
    citext_pattern_le raw = |_, a, _| order(a, Ordering::is_le);
    citext_pattern_gt raw = |_, a, _| order(a, Ordering::is_gt);
    citext_pattern_ge raw = |_, a, _| order(a, Ordering::is_ge);
    citext_pattern_cmp (a: Citext, b: Citext) -> a.folded.as_bytes().cmp(b.folded.as_bytes()) as i32;
    citext_larger raw = |_, a, _| outer(a, Ordering::Greater);
    citext_smaller raw = |_, a, _| outer(a, Ordering::Less);
    rtrim1 raw = |_, a, _| match a { [Datum::Text(s)] => citext(&Datum::from(s.trim_end_matches(' '))), _ => Err(bad_args("citext", a)) };
    booltext raw = |_, a, _| match a { [Datum::Bool(v)] => citext(&Datum::from(if *v { "true" } else { "false" })), _ => Err(bad_args("citext", a)) };
    network_show raw = |_, a, e| citext(&call("text", &[oid::INET], a, e)?);
    texticlike raw = |_, a, e| same("texticlike", a, e);
    texticnlike raw = |_, a, e| same("texticnlike", a, e);
    texticregexeq raw = |_, a, e| same("texticregexeq", a, e);
    texticregexne raw = |_, a, e| same("texticregexne", a, e);
    citext_regexp_match_2 raw = |_, a, e| regexp("regexp_match", a, 2, e);
    citext_regexp_match_3 raw = |_, a, e| regexp("regexp_match", a, 2, e);
    citext_regexp_matches_2 set = |_, a, e, push| call_set("regexp_matches", &with_flags(a, 2), e, push);
    citext_regexp_matches_3 set = |_, a, e, push| call_set("regexp_matches", &with_flags(a, 2), e, push);
    citext_regexp_replace_3 raw = |_, a, e| regexp("regexp_replace", a, 3, e);
    citext_regexp_replace_4 raw = |_, a, e| regexp("regexp_replace", a, 3, e);
    citext_regexp_split_to_array_2 raw = |_, a, e| regexp("regexp_split_to_array", a, 2, e);
    citext_regexp_split_to_array_3 raw = |_, a, e| regexp("regexp_split_to_array", a, 2, e);
    citext_regexp_split_to_table_2 set = |_, a, e, push| call_set("regexp_split_to_table", &with_flags(a, 2), e, push);
    citext_regexp_split_to_table_3 set = |_, a, e, push| call_set("regexp_split_to_table", &with_flags(a, 2), e, push);
    citext_replace_3 raw = |_, a, e| replace(a, e);
    citext_split_part_3 raw = |_, a, e| split_part(a, e);
    citext_strpos_2 raw = |_, a, e| strpos(a, e);
    citext_translate_3 raw = |_, a, e| translate(a, e);
} }
