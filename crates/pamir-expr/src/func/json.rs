//! json and jsonb: operators, constructors, set-returning forms, aggregates (jsonfuncs.c, json.c, jsonb_util.c).
//!
//! json stays text: operators scan it (it was checked when it came in) and return slices as written. jsonb is a tree with sorted keys.
//! Rows become objects with fields f1, f2 ...: a record value carries its fields' types, not their names.
use super::registry::{bad_args, funcs};
use super::string::{arg_type, text};
use super::*;
use crate::casts::Ways;
use crate::expr::eval_const;
use crate::ir::{CastHow, Expr};
use pamir_types::array::Array;
use pamir_types::datetime::{DateStyle, DateTimeStyle};
use pamir_types::json::{Jsonb, Parts};
use pamir_types::numeric::Numeric;
use pamir_types::text::TextCtx;
use pamir_types::{bail, err, oid, work};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::sync::Arc;

/// Nesting of constructed values; parsed ones are limited by the parser.
const MAX_DEPTH: usize = 1000;

// ---- json as text ----

fn skip_space(b: &[u8], mut i: usize) -> usize {
    while matches!(b.get(i), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        i += 1;
    }
    i
}
/// The end of the string that starts at `i` (a quote).
fn skip_string(b: &[u8], mut i: usize) -> usize {
    i += 1;
    while let Some(c) = b.get(i) {
        match c {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    b.len()
}
/// The end of the value that starts at `i`.
fn skip_value(b: &[u8], mut i: usize) -> usize {
    match b.get(i) {
        Some(b'"') => skip_string(b, i),
        Some(b'{' | b'[') => {
            let mut depth = 0usize;
            while let Some(c) = b.get(i) {
                match c {
                    b'"' => {
                        i = skip_string(b, i);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return i + 1;
                        }
                    }
                    _ => {}
                }
                i += 1;
            }
            b.len()
        }
        _ => {
            while b.get(i).is_some_and(|c| !matches!(c, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r')) {
                i += 1;
            }
            i
        }
    }
}
/// The value inside its surrounding blanks.
pub(super) fn trimmed(s: &str) -> &str {
    s.trim_matches([' ', '\t', '\n', '\r'])
}
fn unquote(s: &str) -> String {
    match Jsonb::parse(s) {
        Ok(Jsonb::String(v)) => v.into(),
        _ => s.trim_matches('"').to_string(),
    }
}
/// The members of an object (key as written with quotes, value) or elements of an array (empty key), in order.
pub(super) fn parts(s: &str) -> Vec<(&str, &str)> {
    let b = s.as_bytes();
    let mut out = Vec::new();
    let mut i = skip_space(b, 0);
    let object = b.get(i) == Some(&b'{');
    if !object && b.get(i) != Some(&b'[') {
        return out;
    }
    i = skip_space(b, i + 1);
    while b.get(i).is_some_and(|c| !matches!(c, b'}' | b']')) {
        let mut key = "";
        if object {
            let end = skip_string(b, i);
            key = s.get(i..end).unwrap_or("");
            i = skip_space(b, end);
            i = skip_space(b, i + 1);
        }
        let end = skip_value(b, i);
        out.push((key, s.get(i..end).unwrap_or("")));
        i = skip_space(b, end);
        if b.get(i) == Some(&b',') {
            i = skip_space(b, i + 1);
        }
    }
    out
}
pub(super) fn kind(s: &str) -> &'static str {
    match trimmed(s).as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}
/// Refuses a text with an escape that stands for no character (halves of pairs, `\u0000`): json keeps it as written, reading parts of it decodes all.
pub(super) fn readable(s: &str) -> Result<&str> {
    if s.contains("\\u") {
        Jsonb::parse(s)?;
    }
    Ok(s)
}
pub(super) fn field<'a>(s: &'a str, key: &str) -> Option<&'a str> {
    if kind(s) != "object" {
        return None;
    }
    // The last of equal keys wins, as in PostgreSQL.
    parts(s)
        .into_iter()
        .rev()
        .find(|(k, _)| k.get(1..k.len() - 1) == Some(key) || (k.contains('\\') && unquote(k) == key))
        .map(|p| p.1)
}
fn index(len: usize, n: i64) -> Option<usize> {
    usize::try_from(if n < 0 { n + len as i64 } else { n }).ok().filter(|i| *i < len)
}
fn element(s: &str, n: i64) -> Option<&str> {
    if kind(s) != "array" {
        return None;
    }
    let p = parts(s);
    index(p.len(), n).and_then(|i| p.get(i)).map(|p| p.1)
}
pub(super) fn as_text(v: &str) -> Datum {
    match kind(v) {
        "null" => Datum::Null,
        "string" => unquote(trimmed(v)).into(),
        _ => text(trimmed(v)),
    }
}
/// The steps of a path: an array argument (operators) or the flattened variadic texts. None: a NULL step.
fn path(args: &[Datum]) -> Option<Vec<Arc<str>>> {
    let items: &[Datum] = match args {
        [Datum::Array(a)] => &a.items,
        items => items,
    };
    items.iter().map(|d| if let Datum::Text(t) = d { Some(t.clone()) } else { None }).collect()
}
fn json_path<'a>(s: &'a str, args: &[Datum]) -> Option<&'a str> {
    let mut v = s;
    for step in path(args)? {
        v = match kind(v) {
            "object" => field(v, &step)?,
            "array" => element(v, step.trim().parse().ok()?)?,
            _ => return None,
        };
    }
    Some(v)
}
fn strip_nulls(s: &str, out: &mut String) {
    match kind(s) {
        k @ ("object" | "array") => {
            let object = k == "object";
            out.push(if object { '{' } else { '[' });
            let mut first = true;
            for (k, v) in parts(s) {
                if object && kind(v) == "null" {
                    continue;
                }
                if !first {
                    out.push(',');
                }
                first = false;
                if object {
                    out.push_str(k);
                    out.push(':');
                }
                strip_nulls(v, out);
            }
            out.push(if object { '}' } else { ']' });
        }
        _ => out.push_str(trimmed(s)),
    }
}

// ---- values to json ----

pub fn escape(s: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for b in s.bytes() {
        match b {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            0..=0x1f => out.extend_from_slice(format!("\\u{b:04x}").as_bytes()),
            b => out.push(b),
        }
    }
    out.push(b'"');
}
/// ISO 8601 with a T, whatever DateStyle says (JsonEncodeDateTime).
pub(super) fn iso_datetime(d: &Datum, ty: Type, env: &dyn Env) -> String {
    let cx = TextCtx {
        dt: DateTimeStyle { date_style: DateStyle::Iso, ..env.text_ctx().dt.clone() },
        ..env.text_ctx().clone()
    };
    let mut s = pamir_types::text::to_string(d, ty, &cx);
    if matches!(d, Datum::Timestamp(_) | Datum::TimestampTz(_)) && s.starts_with(|c: char| c.is_ascii_digit()) {
        let (head, tail) = (s.find(' '), s.rfind(['+', '-']));
        if let (Some(at), Some(z)) = (head, tail) {
            // A zone of whole hours is written with minutes here.
            if matches!(d, Datum::TimestampTz(_)) && z > at && s.len() - z == 3 {
                s.push_str(":00");
                if s.ends_with(" BC:00") {
                    s.truncate(s.len() - 3);
                }
            }
        }
        s = s.replacen(' ', "T", 1);
    }
    s
}
/// A value as json text. `lines`: line feeds between array elements (array_to_json's second argument).
pub fn write(d: &Datum, ty: Type, env: &mut dyn Env, lines: bool, out: &mut Vec<u8>) -> Result<()> {
    if (oid::is_user(ty.oid) || oid::is_of_extension(ty.oid))
        && !d.is_null()
        && let Some(json) = cast(d, ty, env)?
    {
        if let Datum::Text(s) = &json {
            out.extend_from_slice(s.as_bytes());
        }
        return Ok(());
    }
    match d {
        Datum::Null => out.extend_from_slice(b"null"),
        Datum::Bool(b) => out.extend_from_slice(if *b { b"true" } else { b"false" }),
        Datum::Int8(_) if ty.oid == oid::MONEY => escape(&reg::output_string(d, ty, env), out),
        Datum::Int2(_) | Datum::Int4(_) | Datum::Int8(_) => reg::output(d, ty, env, out),
        Datum::Float4(_) | Datum::Float8(_) | Datum::Numeric(_) => {
            let s = reg::output_string(d, ty, env);
            if s.bytes().any(|b| b.is_ascii_digit()) { out.extend_from_slice(s.as_bytes()) } else { escape(&s, out) }
        }
        Datum::Text(s) if ty.oid == oid::JSON => out.extend_from_slice(s.as_bytes()),
        Datum::Text(s) if ty.oid != oid::XML => escape(s, out),
        Datum::Jsonb(j) => j.format(out),
        Datum::Date(_) | Datum::Timestamp(_) | Datum::TimestampTz(_) => escape(&iso_datetime(d, ty, env), out),
        Datum::Array(a) => {
            // A row's field names are its type's.
            let elem = ty.element().filter(|t| t.oid == a.elem).unwrap_or(Type::new(a.elem));
            write_array(elem, &a.dims, &mut a.items.iter(), env, lines, out)?
        }
        Datum::Record(r) => {
            out.push(b'{');
            let names = rowtype::fields_in(ty, env.catalog()).filter(|f| f.len() == r.len());
            for (i, (t, d)) in r.iter().enumerate() {
                if i > 0 {
                    out.extend_from_slice(if lines { b",\n " } else { b"," });
                }
                match names.as_ref().and_then(|n| n.get(i)) {
                    Some((name, _)) => {
                        escape(name, out);
                        out.push(b':');
                    }
                    None => out.extend_from_slice(format!("\"f{}\":", i + 1).as_bytes()),
                }
                write(d, *t, env, false, out)?;
            }
            out.push(b'}');
        }
        d => {
            let s = reg::output_string(d, ty, env);
            escape(&s, out);
        }
    }
    Ok(())
}
/// A value by its type's own cast to json, if a function makes it: a user's, or an extension's.
#[cold]
fn cast(d: &Datum, ty: Type, env: &mut dyn Env) -> Result<Option<Datum>> {
    let database = env.scope().database;
    if !oid::is_of_extension(ty.oid) && env.catalog().cast(database, ty.oid, oid::JSON).is_none() {
        return Ok(None);
    }
    let catalog = env.catalog().clone();
    let ways = Ways { catalog: &catalog, database };
    match ways.pathway(ty.oid, oid::JSON, CastContext::Explicit) {
        Some(f @ CastHow::Func(_)) => {
            let e = Expr::Cast { e: Box::new(Expr::Const(d.clone(), ty)), f, ty: Type::new(oid::JSON), explicit: true };
            eval_const(&e, &[], env).map(Some)
        }
        _ => Ok(None),
    }
}
fn write_array(
    elem: Type,
    dims: &[(i32, i32)],
    items: &mut std::slice::Iter<Datum>,
    env: &mut dyn Env,
    lines: bool,
    out: &mut Vec<u8>,
) -> Result<()> {
    out.push(b'[');
    if let Some(((n, _), rest)) = dims.split_first() {
        for i in 0..*n {
            if i > 0 {
                out.extend_from_slice(if lines { b",\n " } else { b"," });
            }
            match rest {
                [] => {
                    if let Some(d) = items.next() {
                        write(d, elem, env, false, out)?;
                    }
                }
                rest => write_array(elem, rest, items, env, false, out)?,
            }
        }
    }
    out.push(b']');
    Ok(())
}
fn json_text(v: Vec<u8>) -> Datum {
    reg::to_text(v)
}
pub fn to_jsonb(d: &Datum, ty: Type, env: &mut dyn Env) -> Result<Jsonb> {
    match d {
        Datum::Jsonb(j) => Ok((**j).clone()),
        d => as_part(d, ty, &mut Parts::default(), env),
    }
}
/// A value as a part of a document.
fn as_part(d: &Datum, ty: Type, of: &mut Parts, env: &mut dyn Env) -> Result<Jsonb> {
    Ok(match d {
        Datum::Null => Jsonb::Null,
        Datum::Bool(b) => Jsonb::Bool(*b),
        Datum::Int2(v) => Jsonb::Number(Numeric::from_i64((*v).into())),
        Datum::Int4(v) => Jsonb::Number(Numeric::from_i64((*v).into())),
        Datum::Int8(v) if ty.oid != oid::MONEY => Jsonb::Number(Numeric::from_i64(*v)),
        Datum::Numeric(n @ (Numeric::Small(..) | Numeric::Big(_))) => Jsonb::Number(n.clone()),
        Datum::Text(s) if ty.oid == oid::JSON => of.counted(Jsonb::parse(s)?)?,
        Datum::Text(s) if ty.oid != oid::XML => of.counted(Jsonb::String((&**s).into()))?,
        Datum::Jsonb(j) => of.copy(j)?,
        d => {
            let mut v = Vec::new();
            write(d, ty, env, false, &mut v)?;
            of.counted(Jsonb::parse(&String::from_utf8_lossy(&v))?)?
        }
    })
}
fn key_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.as_bytes().cmp(b.as_bytes()))
}
/// An object from pairs in any order: keys sorted as jsonb sorts them, the last of equals kept.
fn object(mut pairs: Vec<(Box<str>, Jsonb)>) -> Jsonb {
    pairs.sort_by(|a, b| key_order(&a.0, &b.0));
    let mut out: Vec<(Box<str>, Jsonb)> = Vec::with_capacity(pairs.len());
    for p in pairs {
        match out.last_mut() {
            Some(l) if l.0 == p.0 => *l = p,
            _ => out.push(p),
        }
    }
    Jsonb::Object(out)
}
/// The same of very many pairs: it is interrupted.
fn large_object(pairs: Vec<(Box<str>, Jsonb)>) -> Result<Jsonb> {
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    let name = |i: u32| pairs.get(i as usize).map_or("", |p| &*p.0);
    work::sort_unstable_by(&mut order, |a, b| {
        let (x, y) = (name(*a), name(*b));
        (key_order(x, y).then(a.cmp(b)), (LOOK_UP + x.len() / 16) as u32)
    })?;
    // Of equals the last is kept.
    let followers = order.iter().skip(1).map(Some).chain([None]);
    let last = order.iter().zip(followers).filter(|(i, next)| next.is_none_or(|n| name(**i) != name(*n)));
    let places: Vec<u32> = last.map(|(i, _)| *i).collect();
    let mut pairs: Vec<Option<(Box<str>, Jsonb)>> = pairs.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(places.len());
    for i in places {
        work::charge(SAME)?;
        out.extend(pairs.get_mut(i as usize).and_then(Option::take));
    }
    Ok(Jsonb::Object(out))
}
fn jsonb(j: Jsonb) -> Datum {
    Datum::Jsonb(Arc::new(j))
}
/// An object key: the text form of a scalar.
fn key(d: &Datum, ty: Type, env: &mut dyn Env) -> Result<String> {
    match d {
        Datum::Array(_) | Datum::Record(_) | Datum::Jsonb(_) => {
            bail!(INVALID_PARAMETER_VALUE, "key value must be scalar, not array, composite, or json")
        }
        _ if ty.oid == oid::JSON => {
            bail!(INVALID_PARAMETER_VALUE, "key value must be scalar, not array, composite, or json")
        }
        Datum::Bool(b) => Ok(if *b { "true" } else { "false" }.into()),
        d => Ok(reg::output_string(d, ty, env)),
    }
}
fn uneven(func: &str) -> pamir_types::Error {
    err!(INVALID_PARAMETER_VALUE, "argument list must have even number of elements")
        .hint(format!("The arguments of {func}() must consist of alternating keys and values."))
}
fn build_object(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    string::admit_text(args)?;
    if !args.len().is_multiple_of(2) {
        return Err(uneven("json_build_object"));
    }
    let mut out = vec![b'{'];
    for (i, p) in args.chunks_exact(2).enumerate() {
        let [k, v] = p else { continue };
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        if k.is_null() {
            return Err(err!(INVALID_PARAMETER_VALUE, "argument {} cannot be null", i * 2 + 1)
                .hint("Object keys should be text."));
        }
        escape(&key(k, arg_type(ci, i * 2), env)?, &mut out);
        out.extend_from_slice(b" : ");
        write(v, arg_type(ci, i * 2 + 1), env, false, &mut out)?;
    }
    out.push(b'}');
    Ok(json_text(out))
}
fn jsonb_build_object(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    if !args.len().is_multiple_of(2) {
        return Err(uneven("jsonb_build_object"));
    }
    let mut pairs = Vec::with_capacity(args.len() / 2);
    let mut of = Parts::default();
    for (i, p) in args.chunks_exact(2).enumerate() {
        let [k, v] = p else { continue };
        if k.is_null() {
            bail!(INVALID_PARAMETER_VALUE, "argument {}: key must not be null", i * 2 + 1);
        }
        pairs.push((key(k, arg_type(ci, i * 2), env)?.into(), as_part(v, arg_type(ci, i * 2 + 1), &mut of, env)?));
    }
    Ok(jsonb(object(pairs)))
}
fn build_array(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    string::admit_text(args)?;
    let mut out = vec![b'['];
    for (i, v) in args.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        write(v, arg_type(ci, i), env, false, &mut out)?;
    }
    out.push(b']');
    Ok(json_text(out))
}
fn jsonb_build_array(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let mut of = Parts::default();
    let part = |(i, v)| as_part(v, arg_type(ci, i), &mut of, env);
    let items: Result<Vec<Jsonb>> = args.iter().enumerate().map(part).collect();
    Ok(jsonb(Jsonb::Array(items?)))
}
fn to_json(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    string::admit_text(args)?;
    let (d, lines) = match args {
        [d] => (d, false),
        [d, Datum::Bool(l)] => (d, *l),
        _ => return Err(bad_args("to_json", args)),
    };
    let mut out = Vec::new();
    write(d, arg_type(ci, 0), env, lines, &mut out)?;
    Ok(json_text(out))
}
/// json_object(text[]) and json_object(keys, values).
fn pairs(args: &[Datum]) -> Result<Vec<(Arc<str>, Datum)>> {
    let flat = |d: &Datum| -> Result<Vec<Datum>> {
        match d {
            Datum::Array(a) if a.dims.len() > 1 => bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts"),
            Datum::Array(a) => Ok(a.items.clone()),
            _ => Err(bad_args("json_object", args)),
        }
    };
    let make = |k: &Datum, v: &Datum| match k {
        Datum::Text(k) => Ok((k.clone(), v.clone())),
        _ => Err(err!(NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")),
    };
    match args {
        [Datum::Array(a)] => {
            match a.dims.as_slice() {
                [] => return Ok(vec![]),
                [(n, _)] if n % 2 == 1 => bail!(ARRAY_SUBSCRIPT_ERROR, "array must have even number of elements"),
                [_] | [_, (2, _)] => {}
                [_, _] => bail!(ARRAY_SUBSCRIPT_ERROR, "array must have two columns"),
                _ => bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts"),
            }
            a.items.chunks_exact(2).map(|p| make(&p[0], &p[1])).collect()
        }
        [k, v] => {
            let (k, v) = (flat(k)?, flat(v)?);
            if k.len() != v.len() {
                bail!(ARRAY_SUBSCRIPT_ERROR, "mismatched array dimensions");
            }
            k.iter().zip(&v).map(|(k, v)| make(k, v)).collect()
        }
        _ => Err(bad_args("json_object", args)),
    }
}
fn json_object(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let mut out = vec![b'{'];
    for (i, (k, v)) in pairs(args)?.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        escape(k, &mut out);
        out.extend_from_slice(b" : ");
        write(v, Type::TEXT, env, false, &mut out)?;
    }
    out.push(b'}');
    Ok(json_text(out))
}
fn jsonb_object(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let list: Result<Vec<(Box<str>, Jsonb)>> =
        pairs(args)?.iter().map(|(k, v)| Ok(((&**k).into(), to_jsonb(v, Type::TEXT, env)?))).collect();
    Ok(jsonb(object(list?)))
}

// ---- jsonb ----

pub(super) fn type_of(j: &Jsonb) -> &'static str {
    match j {
        Jsonb::Null => "null",
        Jsonb::Bool(_) => "boolean",
        Jsonb::Number(_) => "number",
        Jsonb::String(_) => "string",
        Jsonb::Array(_) => "array",
        Jsonb::Object(_) => "object",
    }
}
fn cast_kind(j: &Jsonb) -> &'static str {
    match j {
        Jsonb::Number(_) => "numeric",
        j => type_of(j),
    }
}
pub(super) fn b_text(j: &Jsonb) -> Datum {
    match j {
        Jsonb::Null => Datum::Null,
        Jsonb::String(s) => text(s),
        j => {
            let mut v = Vec::new();
            j.format(&mut v);
            reg::to_text(v)
        }
    }
}
fn b_element(j: &Jsonb, n: i64) -> Option<&Jsonb> {
    match j {
        Jsonb::Array(a) => index(a.len(), n).and_then(|i| a.get(i)),
        _ => None,
    }
}
/// What `->` and `->>` give: a scalar that stands alone is the only element of itself.
fn b_item(j: &Jsonb, n: i64) -> Option<&Jsonb> {
    match j {
        Jsonb::Object(_) | Jsonb::Array(_) => b_element(j, n),
        scalar => index(1, n).map(|_| scalar),
    }
}
fn b_path<'a>(j: &'a Jsonb, args: &[Datum]) -> Option<&'a Jsonb> {
    let mut v = j;
    for step in path(args)? {
        v = match v {
            Jsonb::Object(_) => v.get(&step)?,
            Jsonb::Array(_) => b_element(v, step.trim().parse().ok()?)?,
            _ => return None,
        };
    }
    Some(v)
}
fn some(j: Option<&Jsonb>) -> Datum {
    j.map_or(Datum::Null, |j| jsonb(j.clone()))
}
/// What it costs to compare two elements, and to find a field.
const SAME: usize = 10;
const LOOK_UP: usize = 50;
fn same(a: &Jsonb, b: &Jsonb) -> bool {
    a.cmp(b).is_eq()
}
/// `a @> b`. A top-level array contains a scalar that is one of its elements. Arrays in arrays: each element is looked for among all.
fn contains(a: &Jsonb, b: &Jsonb, top: bool) -> Result<bool> {
    Ok(match (a, b) {
        (Jsonb::Object(_), Jsonb::Object(m)) => {
            for (k, v) in m {
                work::charge(LOOK_UP)?;
                match a.get(k) {
                    Some(x) if contains(x, v, false)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Jsonb::Array(x), Jsonb::Array(y)) => {
            for v in y {
                work::charge(x.len() * SAME)?;
                let mut found = false;
                for u in x {
                    if contains(u, v, false)? {
                        found = true;
                        break;
                    }
                }
                if !found {
                    return Ok(false);
                }
            }
            true
        }
        (Jsonb::Array(x), v @ (Jsonb::Null | Jsonb::Bool(_) | Jsonb::Number(_) | Jsonb::String(_))) if top => {
            x.iter().any(|u| same(u, v))
        }
        (Jsonb::Object(_) | Jsonb::Array(_), _) | (_, Jsonb::Object(_) | Jsonb::Array(_)) => false,
        (a, b) => same(a, b),
    })
}
fn exists(j: &Jsonb, k: &str) -> bool {
    match j {
        Jsonb::Object(_) => j.get(k).is_some(),
        Jsonb::Array(a) => a.iter().any(|v| matches!(v, Jsonb::String(s) if **s == *k)),
        Jsonb::String(s) => **s == *k,
        _ => false,
    }
}
/// Does any of the keys exist (`enough`), or do all?
fn exist(j: &Jsonb, keys: &Array, enough: bool) -> Result<bool> {
    let one = if let Jsonb::Array(a) = j { a.len() * SAME } else { LOOK_UP };
    for k in texts(keys) {
        work::charge(one)?;
        if exists(j, k) == enough {
            return Ok(enough);
        }
    }
    Ok(!enough)
}
fn texts(a: &Array) -> impl Iterator<Item = &str> {
    a.items.iter().filter_map(|d| if let Datum::Text(t) = d { Some(&**t) } else { None })
}
fn concat(a: &Jsonb, b: &Jsonb) -> Result<Jsonb> {
    let mut of = Parts::default();
    of.count(a)?;
    of.count(b)?;
    Ok(match (a, b) {
        (Jsonb::Object(x), Jsonb::Object(y)) => object(x.iter().chain(y).cloned().collect()),
        (a, b) => {
            let list = |j: &Jsonb| match j {
                Jsonb::Array(v) => v.clone(),
                j => vec![j.clone()],
            };
            let mut v = list(a);
            v.extend(list(b));
            Jsonb::Array(v)
        }
    })
}
fn scalar_error(what: &str) -> pamir_types::Error {
    err!(INVALID_PARAMETER_VALUE, "cannot {what}")
}
fn delete_keys(j: &Jsonb, keys: &[&str]) -> Result<Datum> {
    let keys: FxHashSet<&str> = keys.iter().copied().collect();
    Ok(jsonb(match j {
        Jsonb::Object(m) => Jsonb::Object(m.iter().filter(|(k, _)| !keys.contains(&**k)).cloned().collect()),
        Jsonb::Array(a) => {
            Jsonb::Array(a.iter().filter(|v| !matches!(v, Jsonb::String(s) if keys.contains(&**s))).cloned().collect())
        }
        _ => return Err(scalar_error("delete from scalar")),
    }))
}
fn delete_index(j: &Jsonb, n: i32) -> Result<Datum> {
    match j {
        Jsonb::Object(_) => Err(scalar_error("delete from object using integer index")),
        Jsonb::Array(a) => {
            let mut v = a.clone();
            if let Some(i) = index(v.len(), n.into()) {
                v.remove(i);
            }
            Ok(jsonb(Jsonb::Array(v)))
        }
        _ => Err(scalar_error("delete from scalar")),
    }
}
#[derive(Clone, Copy, PartialEq)]
enum Edit {
    /// jsonb_set; create what is missing at the end of the path?
    Set(bool),
    /// jsonb_insert; after the element?
    Insert(bool),
    Delete,
}
/// Follows `path` and edits its end; what the path does not reach is left as it is.
fn edit(j: &mut Jsonb, path: &[Datum], level: usize, new: &Jsonb, how: Edit) -> Result<()> {
    let Some((step, rest)) = path.split_first() else { return Ok(()) };
    // Only a step that is reached is looked at.
    let Datum::Text(step) = step else {
        bail!(NULL_VALUE_NOT_ALLOWED, "path element at position {} is null", level + 1);
    };
    match j {
        Jsonb::Object(m) => {
            let at = m.iter().position(|(k, _)| **k == **step);
            match (at, rest.is_empty()) {
                (Some(i), false) => {
                    if let Some(p) = m.get_mut(i) {
                        edit(&mut p.1, rest, level + 1, new, how)?;
                    }
                }
                (Some(i), true) => match how {
                    Edit::Set(_) => {
                        if let Some(p) = m.get_mut(i) {
                            p.1 = new.clone();
                        }
                    }
                    Edit::Insert(_) => {
                        return Err(err!(INVALID_PARAMETER_VALUE, "cannot replace existing key")
                            .hint("Try using the function jsonb_set to replace key value."));
                    }
                    Edit::Delete => {
                        m.remove(i);
                    }
                },
                (None, true) if matches!(how, Edit::Set(true) | Edit::Insert(_)) => {
                    let mut v = std::mem::take(m);
                    v.push(((&**step).into(), new.clone()));
                    *j = object(v);
                }
                _ => {}
            }
        }
        Jsonb::Array(a) => {
            let n: i64 = step.trim().parse::<i32>().map(i64::from).map_err(|_| {
                err!(
                    INVALID_TEXT_REPRESENTATION,
                    "path element at position {} is not an integer: \"{step}\"",
                    level + 1
                )
            })?;
            let at = index(a.len(), n);
            match (at, rest.is_empty()) {
                (Some(i), false) => {
                    if let Some(v) = a.get_mut(i) {
                        edit(v, rest, level + 1, new, how)?;
                    }
                }
                (Some(i), true) => match how {
                    Edit::Set(_) => {
                        if let Some(v) = a.get_mut(i) {
                            *v = new.clone();
                        }
                    }
                    Edit::Insert(after) => a.insert(i + usize::from(after), new.clone()),
                    Edit::Delete => {
                        a.remove(i);
                    }
                },
                (None, true) if matches!(how, Edit::Set(true) | Edit::Insert(_)) => {
                    if n < 0 {
                        a.insert(0, new.clone())
                    } else {
                        a.push(new.clone())
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
    Ok(())
}
fn is_empty(j: &Jsonb) -> bool {
    match j {
        Jsonb::Array(a) => a.is_empty(),
        Jsonb::Object(o) => o.is_empty(),
        _ => false,
    }
}
/// 2202E for a list of more dimensions than one.
fn one_dimension(a: &Array) -> Result<()> {
    if a.dims.len() > 1 {
        bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts");
    }
    Ok(())
}
fn delete_path(j: &Arc<Jsonb>, p: &Array) -> Result<Datum> {
    one_dimension(p)?;
    if !matches!(**j, Jsonb::Object(_) | Jsonb::Array(_)) {
        return Err(scalar_error("delete path in scalar"));
    }
    // There is nothing to find, so the path is not looked at.
    if is_empty(j) { Ok(Datum::Jsonb(j.clone())) } else { apply(j, p, &Jsonb::Null, Edit::Delete) }
}
fn set(args: &[Datum], insert: bool) -> Result<Datum> {
    let (j, p, new, flag) = match args {
        [Datum::Jsonb(j), Datum::Array(p), Datum::Jsonb(n)] => (j, p, n, !insert),
        [Datum::Jsonb(j), Datum::Array(p), Datum::Jsonb(n), Datum::Bool(f)] => (j, p, n, *f),
        _ => return Err(bad_args("jsonb_set", args)),
    };
    one_dimension(p)?;
    if !matches!(**j, Jsonb::Object(_) | Jsonb::Array(_)) {
        return Err(scalar_error("set path in scalar"));
    }
    if !insert && !flag && is_empty(j) {
        return Ok(Datum::Jsonb(j.clone()));
    }
    let how = if insert { Edit::Insert(flag) } else { Edit::Set(flag) };
    apply(j, p, new, how)
}
/// jsonb_set of a value that may be an SQL NULL; the last argument says what that does.
fn set_lax(args: &[Datum]) -> Result<Datum> {
    let [target, path, new, rest @ ..] = args else { return Err(bad_args("jsonb_set_lax", args)) };
    let create = rest.first().unwrap_or(&Datum::Bool(true));
    if target.is_null() || path.is_null() || create.is_null() {
        return Ok(Datum::Null);
    }
    let unknown = || {
        let ways = "\"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"";
        err!(INVALID_PARAMETER_VALUE, "null_value_treatment must be {ways}")
    };
    let treatment = match rest.get(1) {
        None => "use_json_null",
        Some(Datum::Text(t)) => t,
        Some(_) => return Err(unknown()),
    };
    let with = |v: Datum| set(&[target.clone(), path.clone(), v, create.clone()], false);
    if !new.is_null() {
        return with(new.clone());
    }
    match (treatment, target, path) {
        ("use_json_null", ..) => with(jsonb(Jsonb::Null)),
        ("return_target", ..) => Ok(target.clone()),
        ("delete_key", Datum::Jsonb(j), Datum::Array(p)) => delete_path(j, p),
        ("raise_exception", ..) => Err(err!(NULL_VALUE_NOT_ALLOWED, "JSON value must not be null")
            .detail("Exception was raised because null_value_treatment is \"raise_exception\".")
            .hint(
                "To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.",
            )),
        _ => Err(unknown()),
    }
}
fn apply(j: &Arc<Jsonb>, p: &Array, new: &Jsonb, how: Edit) -> Result<Datum> {
    let mut of = Parts::default();
    let mut v = of.copy(j)?;
    of.count_below(new, p.items.len())?;
    edit(&mut v, &p.items, 0, new, how)?;
    Ok(jsonb(v))
}
fn pretty(j: &Jsonb, indent: usize, out: &mut Vec<u8>) {
    let line = |out: &mut Vec<u8>, n: usize| {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', n * 4));
    };
    if indent > MAX_DEPTH {
        j.format(out);
        return;
    }
    match j {
        Jsonb::Array(a) => {
            out.push(b'[');
            for (i, v) in a.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                line(out, indent + 1);
                pretty(v, indent + 1, out);
            }
            line(out, indent);
            out.push(b']');
        }
        Jsonb::Object(m) => {
            out.push(b'{');
            for (i, (k, v)) in m.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                line(out, indent + 1);
                escape(k, out);
                out.extend_from_slice(b": ");
                pretty(v, indent + 1, out);
            }
            line(out, indent);
            out.push(b'}');
        }
        j => j.format(out),
    }
}
fn b_strip(j: &Jsonb) -> Jsonb {
    match j {
        Jsonb::Object(m) => Jsonb::Object(
            m.iter().filter(|(_, v)| !matches!(v, Jsonb::Null)).map(|(k, v)| (k.clone(), b_strip(v))).collect(),
        ),
        Jsonb::Array(a) => Jsonb::Array(a.iter().map(b_strip).collect()),
        j => j.clone(),
    }
}
fn b_number(j: &Jsonb, to: &str) -> Result<Numeric> {
    match j {
        Jsonb::Number(n) => Ok(n.clone()),
        j => bail!(INVALID_PARAMETER_VALUE, "cannot cast jsonb {} to type {to}", cast_kind(j)),
    }
}
fn length(j: &Jsonb) -> Result<i32> {
    match j {
        Jsonb::Array(a) => Ok(a.len() as i32),
        Jsonb::Object(_) => bail!(INVALID_PARAMETER_VALUE, "cannot get array length of a non-array"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot get array length of a scalar"),
    }
}
type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

fn json_each(args: &[Datum], func: &str, as_texts: bool, push: Push) -> Result<()> {
    let [Datum::Text(s)] = args else { return Err(bad_args(func, args)) };
    match kind(readable(s)?) {
        "object" => {}
        "array" => bail!(INVALID_PARAMETER_VALUE, "cannot deconstruct an array as an object"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot deconstruct a scalar"),
    }
    for (k, v) in parts(s) {
        push(vec![unquote(k).into(), if as_texts { as_text(v) } else { text(v) }])?;
    }
    Ok(())
}
fn jsonb_each(args: &[Datum], func: &str, as_texts: bool, push: Push) -> Result<()> {
    match args {
        [Datum::Jsonb(j)] => match &**j {
            Jsonb::Object(m) => {
                for (k, v) in m {
                    push(vec![text(k), if as_texts { b_text(v) } else { jsonb(v.clone()) }])?;
                }
                Ok(())
            }
            _ => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on a non-object"),
        },
        _ => Err(bad_args(func, args)),
    }
}
fn json_elements(args: &[Datum], func: &str, as_texts: bool, push: Push) -> Result<()> {
    let [Datum::Text(s)] = args else { return Err(bad_args(func, args)) };
    match kind(readable(s)?) {
        "array" => {}
        "object" => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on a non-array"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on a scalar"),
    }
    for (_, v) in parts(s) {
        push(vec![if as_texts { as_text(v) } else { text(v) }])?;
    }
    Ok(())
}
fn jsonb_elements(args: &[Datum], as_texts: bool, push: Push) -> Result<()> {
    match args {
        [Datum::Jsonb(j)] => match &**j {
            Jsonb::Array(a) => {
                for v in a {
                    push(vec![if as_texts { b_text(v) } else { jsonb(v.clone()) }])?;
                }
                Ok(())
            }
            Jsonb::Object(_) => bail!(INVALID_PARAMETER_VALUE, "cannot extract elements from an object"),
            _ => bail!(INVALID_PARAMETER_VALUE, "cannot extract elements from a scalar"),
        },
        _ => Err(bad_args("jsonb_array_elements", args)),
    }
}
fn json_keys(args: &[Datum], push: Push) -> Result<()> {
    let [Datum::Text(s)] = args else { return Err(bad_args("json_object_keys", args)) };
    match kind(readable(s)?) {
        "object" => {}
        "array" => bail!(INVALID_PARAMETER_VALUE, "cannot call json_object_keys on an array"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot call json_object_keys on a scalar"),
    }
    parts(s).into_iter().try_for_each(|(k, _)| push(vec![unquote(k).into()]))
}
fn jsonb_keys(args: &[Datum], push: Push) -> Result<()> {
    match args {
        [Datum::Jsonb(j)] => match &**j {
            Jsonb::Object(m) => m.iter().try_for_each(|(k, _)| push(vec![text(k)])),
            Jsonb::Array(_) => bail!(INVALID_PARAMETER_VALUE, "cannot call jsonb_object_keys on an array"),
            _ => bail!(INVALID_PARAMETER_VALUE, "cannot call jsonb_object_keys on a scalar"),
        },
        _ => Err(bad_args("jsonb_object_keys", args)),
    }
}

// ---- aggregates ----

/// Before the json text of `d` is added to `out`.
fn admit(d: &Datum, out: &mut Vec<u8>) -> Result<()> {
    let len = out.len() + pamir_types::record::weight(d);
    if len > string::MAX_VALUE {
        return Err(pamir_types::memory::out_of_memory(len));
    }
    pamir_types::memory::admit_growth(out.capacity(), len)
}
/// json_agg and jsonb_agg.
pub struct JsonAgg {
    ty: Type,
    binary: bool,
    out: Vec<u8>,
    items: Vec<Jsonb>,
    of: Parts,
    any: bool,
}
impl JsonAgg {
    pub fn new(ty: Type, binary: bool) -> JsonAgg {
        JsonAgg { ty, binary, out: Vec::new(), items: Vec::new(), of: Parts::default(), any: false }
    }
}
impl AggState for JsonAgg {
    fn update(&mut self, args: &[Datum], env: &mut dyn Env) -> Result<()> {
        let [d] = args else { return Err(bad_args("json_agg", args)) };
        admit(d, &mut self.out)?;
        if self.binary {
            self.items.push(as_part(d, self.ty, &mut self.of, env)?);
        } else {
            self.out.extend_from_slice(if self.any { b", " } else { b"[" });
            if self.any && matches!(d, Datum::Array(_) | Datum::Record(_)) {
                self.out.extend_from_slice(b"\n ");
            }
            write(d, self.ty, env, false, &mut self.out)?;
        }
        self.any = true;
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if !self.any {
            return Ok(Datum::Null);
        }
        if self.binary {
            return Ok(jsonb(Jsonb::Array(std::mem::take(&mut self.items))));
        }
        self.out.push(b']');
        Ok(json_text(std::mem::take(&mut self.out)))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if !self.any {
            return Ok(Datum::Null);
        }
        if self.binary {
            return Ok(jsonb(Jsonb::Array(self.items.clone())));
        }
        Ok(json_text([&self.out[..], b"]"].concat()))
    }
    fn size(&self) -> usize {
        64 + self.out.capacity() + self.items.len() * size_of::<Jsonb>() + self.of.memory()
    }
}
/// json_object_agg and jsonb_object_agg.
pub struct JsonObjectAgg {
    kt: Type,
    vt: Type,
    binary: bool,
    out: Vec<u8>,
    pairs: Vec<(Box<str>, Jsonb)>,
    of: Parts,
    any: bool,
}
impl JsonObjectAgg {
    pub fn new(kt: Type, vt: Type, binary: bool) -> JsonObjectAgg {
        JsonObjectAgg { kt, vt, binary, out: Vec::new(), pairs: Vec::new(), of: Parts::default(), any: false }
    }
}
impl AggState for JsonObjectAgg {
    fn update(&mut self, args: &[Datum], env: &mut dyn Env) -> Result<()> {
        let [k, v] = args else { return Err(bad_args("json_object_agg", args)) };
        if k.is_null() {
            bail!(INVALID_PARAMETER_VALUE, "field name must not be null");
        }
        admit(v, &mut self.out)?;
        let k = key(k, self.kt, env)?;
        if self.binary {
            let v = as_part(v, self.vt, &mut self.of, env)?;
            self.pairs.push((k.into(), v));
        } else {
            self.out.extend_from_slice(if self.any { b", " } else { b"{ " });
            escape(&k, &mut self.out);
            self.out.extend_from_slice(b" : ");
            write(v, self.vt, env, false, &mut self.out)?;
        }
        self.any = true;
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if !self.any {
            return Ok(Datum::Null);
        }
        if self.binary {
            return large_object(std::mem::take(&mut self.pairs)).map(jsonb);
        }
        self.out.extend_from_slice(b" }");
        Ok(json_text(std::mem::take(&mut self.out)))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if !self.any {
            return Ok(Datum::Null);
        }
        if self.binary {
            return Ok(jsonb(object(self.pairs.clone())));
        }
        Ok(json_text([&self.out[..], b" }"].concat()))
    }
    fn size(&self) -> usize {
        64 + self.out.capacity() + self.pairs.len() * 96 + self.of.memory()
    }
}

funcs! { pub FUNCS {
    // json
    json_object_field (s: Text, k: Text) => Ok(field(readable(s)?, k).into());
    json_object_field_text (s: Text, k: Text) => Ok(field(readable(s)?, k).map_or(Datum::Null, as_text));
    json_array_element (s: Text, n: Int4) => Ok(element(readable(s)?, (*n).into()).into());
    json_array_element_text (s: Text, n: Int4) => Ok(element(readable(s)?, (*n).into()).map_or(Datum::Null, as_text));
    json_extract_path raw = |_, args, _| match args { [Datum::Text(s), p @ ..] => Ok(json_path(readable(s)?, p).map(trimmed).into()), _ => Err(bad_args("json_extract_path", args)) };
    json_extract_path_text raw = |_, args, _| match args { [Datum::Text(s), p @ ..] => Ok(json_path(readable(s)?, p).map_or(Datum::Null, as_text)), _ => Err(bad_args("json_extract_path_text", args)) };
    json_typeof (s: Text) -> kind(s);
    json_array_length (s: Text) => match kind(s) {
        "array" => Ok(Datum::Int4(parts(s).len() as i32)),
        "object" => Err(err!(INVALID_PARAMETER_VALUE, "cannot get array length of a non-array")),
        _ => Err(err!(INVALID_PARAMETER_VALUE, "cannot get array length of a scalar")),
    };
    json_strip_nulls (s: Text) -> { let mut o = String::new(); strip_nulls(s, &mut o); o };
    json_each set = |_, a, _, p| json_each(a, "json_each", false, p);
    json_each_text set = |_, a, _, p| json_each(a, "json_each_text", true, p);
    json_array_elements set = |_, a, _, p| json_elements(a, "json_array_elements", false, p);
    json_array_elements_text set = |_, a, _, p| json_elements(a, "json_array_elements_text", true, p);
    json_object_keys set = |_, a, _, p| json_keys(a, p);
    json_build_object raw = build_object;
    json_build_object_noargs raw = build_object;
    json_build_array raw = build_array;
    json_build_array_noargs raw = build_array;
    json_object raw = |_, args, env| json_object(args, env);
    json_object_two_arg raw = |_, args, env| json_object(args, env);
    to_json raw = to_json;
    array_to_json raw = to_json;
    array_to_json_pretty raw = to_json;
    row_to_json raw = to_json;
    row_to_json_pretty raw = to_json;

    // jsonb
    jsonb_object_field (j: Jsonb, k: Text) -> some(j.get(k));
    jsonb_object_field_text (j: Jsonb, k: Text) -> j.get(k).map_or(Datum::Null, b_text);
    jsonb_array_element (j: Jsonb, n: Int4) -> some(b_item(j, (*n).into()));
    jsonb_array_element_text (j: Jsonb, n: Int4) -> b_item(j, (*n).into()).map_or(Datum::Null, b_text);
    jsonb_extract_path raw = |_, args, _| match args { [Datum::Jsonb(j), p @ ..] => Ok(some(b_path(j, p))), _ => Err(bad_args("jsonb_extract_path", args)) };
    jsonb_extract_path_text raw = |_, args, _| match args { [Datum::Jsonb(j), p @ ..] => Ok(b_path(j, p).map_or(Datum::Null, b_text)), _ => Err(bad_args("jsonb_extract_path_text", args)) };
    jsonb_contains (a: Jsonb, b: Jsonb) => contains(a, b, true).map(Datum::Bool);
    jsonb_contained (a: Jsonb, b: Jsonb) => contains(b, a, true).map(Datum::Bool);
    jsonb_exists (j: Jsonb, k: Text) -> exists(j, k);
    jsonb_exists_any (j: Jsonb, a: Array) => exist(j, a, true).map(Datum::Bool);
    jsonb_exists_all (j: Jsonb, a: Array) => exist(j, a, false).map(Datum::Bool);
    jsonb_concat (a: Jsonb, b: Jsonb) -> jsonb(concat(a, b)?);
    jsonb_delete (j: Jsonb, k: Text) => delete_keys(j, &[k]);
    jsonb_delete_array raw = |_, args, _| match args {
        [Datum::Jsonb(_), Datum::Array(a)] if a.dims.len() > 1 => one_dimension(a).map(|()| Datum::Null),
        [Datum::Jsonb(j), Datum::Array(a)] => delete_keys(j, &texts(a).collect::<Vec<_>>()),
        [Datum::Jsonb(j), rest @ ..] => delete_keys(j, &path(rest).unwrap_or_default().iter().map(|s| &**s).collect::<Vec<_>>()),
        _ => Err(bad_args("jsonb_delete", args)),
    };
    jsonb_delete_idx (j: Jsonb, n: Int4) => delete_index(j, *n);
    jsonb_delete_path (j: Jsonb, p: Array) => delete_path(j, p);
    jsonb_set raw = |_, args, _| set(args, false);
    jsonb_set_lax raw = |_, args, _| set_lax(args);
    jsonb_insert raw = |_, args, _| if args.len() == 3 { set(&[args, &[Datum::Bool(false)]].concat(), true) } else { set(args, true) };
    jsonb_pretty (j: Jsonb) -> { let mut v = Vec::new(); pretty(j, 0, &mut v); reg::to_text(v) };
    jsonb_typeof (j: Jsonb) -> type_of(j);
    jsonb_array_length (j: Jsonb) => length(j).map(Datum::Int4);
    jsonb_strip_nulls (j: Jsonb) -> jsonb(b_strip(j));
    jsonb_each set = |_, a, _, p| jsonb_each(a, "jsonb_each", false, p);
    jsonb_each_text set = |_, a, _, p| jsonb_each(a, "jsonb_each_text", true, p);
    jsonb_array_elements set = |_, a, _, p| jsonb_elements(a, false, p);
    jsonb_array_elements_text set = |_, a, _, p| jsonb_elements(a, true, p);
    jsonb_object_keys set = |_, a, _, p| jsonb_keys(a, p);
    jsonb_build_object raw = jsonb_build_object;
    jsonb_build_object_noargs raw = jsonb_build_object;
    jsonb_build_array raw = jsonb_build_array;
    jsonb_build_array_noargs raw = jsonb_build_array;
    jsonb_object raw = |_, args, env| jsonb_object(args, env);
    jsonb_object_two_arg raw = |_, args, env| jsonb_object(args, env);
    to_jsonb raw = |ci, args, env| match args { [d] => to_jsonb(d, arg_type(ci, 0), env).map(jsonb), _ => Err(bad_args("to_jsonb", args)) };
    jsonb_bool (j: Jsonb) => match &**j { Jsonb::Bool(b) => Ok(Datum::Bool(*b)), j => Err(err!(INVALID_PARAMETER_VALUE, "cannot cast jsonb {} to type boolean", cast_kind(j))) };
    jsonb_numeric (j: Jsonb) => b_number(j, "numeric").map(Datum::Numeric);
    jsonb_int2 (j: Jsonb) => b_number(j, "smallint")?.to_i16().map(Datum::Int2);
    jsonb_int4 (j: Jsonb) => b_number(j, "integer")?.to_i32().map(Datum::Int4);
    jsonb_int8 (j: Jsonb) => b_number(j, "bigint")?.to_i64().map(Datum::Int8);
    jsonb_float4 (j: Jsonb) -> Datum::Float4(b_number(j, "real")?.to_f64() as f32);
    jsonb_float8 (j: Jsonb) -> b_number(j, "double precision")?.to_f64();
} }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_objects_are_made_as_small_ones_are() {
        for n in [0u32, 1, 2, 500] {
            let pair = |i: u32| (format!("k{}", i * 7919 % 300).into_boxed_str(), Jsonb::Bool(i.is_multiple_of(3)));
            let pairs: Vec<_> = (0..n).map(pair).collect();
            assert_eq!(large_object(pairs.clone()).expect("not interrupted"), object(pairs));
        }
    }
}
