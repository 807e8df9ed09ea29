//! Functions and operators of tsvector and tsquery by PostgreSQL's names; what they do is [`crate::tsearch`]'s.
use super::registry::{bad_args, funcs};
use super::*;
use crate::tsearch::config::{self, Config};
use crate::tsearch::dictionary::{self, Answer};
use crate::tsearch::document;
use crate::tsearch::headline::{self, Options};
use crate::tsearch::matching;
use crate::tsearch::parser::{KINDS, Parser};
use crate::tsearch::query::{self, Join};
use crate::tsearch::rank;
use crate::tsearch::rewrite;
use pamir_types::array::Array;
use pamir_types::tsquery::{self, MAX_DISTANCE, Node, Operator as Op, Query, Reading};
use pamir_types::tsvector::{Lexeme, MAX_POSITION, MAX_POSITIONS, Position, Vector};
use pamir_types::{Error, bail, err, oid};
use std::cmp::Ordering;
use std::sync::Arc;

fn vector(d: &Datum) -> Result<Vector> {
    match d {
        Datum::Bytea(b) => Vector::unpack(b),
        _ => None,
    }
    .ok_or_else(|| bad_args("tsvector function", std::slice::from_ref(d)))
}
pub(super) fn tsquery(d: &Datum) -> Result<Query> {
    match d {
        Datum::Bytea(b) => Query::unpack(b),
        _ => None,
    }
    .ok_or_else(|| bad_args("tsquery function", std::slice::from_ref(d)))
}
pub(super) fn pack(v: Vector) -> Result<Datum> {
    Ok(Datum::Bytea(v.pack()?.into()))
}
fn pack_query(q: Query) -> Result<Datum> {
    Ok(Datum::Bytea(q.pack().into()))
}
pub(super) fn str_of(d: &Datum) -> Result<&str> {
    match d {
        Datum::Text(s) => Ok(s),
        _ => Err(bad_args("text search function", std::slice::from_ref(d))),
    }
}
fn items(d: &Datum) -> Result<&[Datum]> {
    match d {
        Datum::Array(a) => Ok(&a.items),
        _ => Err(bad_args("text search function", std::slice::from_ref(d))),
    }
}
fn texts(v: Vec<Datum>) -> Datum {
    Datum::Array(Arc::new(Array::from_vec(oid::TEXT, v)))
}
fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(holds(pamir_types::cmp::compare(a, b)))),
        _ => Err(bad_args("text search comparison", args)),
    }
}
fn compare(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Int4(pamir_types::cmp::compare(a, b) as i32)),
        _ => Err(bad_args("text search comparison", args)),
    }
}
fn one(args: &[Datum], f: impl FnOnce(Vector) -> Result<Datum>) -> Result<Datum> {
    match args {
        [v] => f(vector(v)?),
        _ => Err(bad_args("tsvector function", args)),
    }
}
fn strip(mut v: Vector) -> Result<Datum> {
    v.lexemes.iter_mut().for_each(|l| l.positions.clear());
    pack(v)
}
fn weight_of(c: u8) -> Option<u8> {
    Some(match c.to_ascii_uppercase() {
        b'A' => 3,
        b'B' => 2,
        b'C' => 1,
        b'D' => 0,
        _ => return None,
    })
}
/// Gives positions a weight: of all lexemes, or of those of a list.
fn set_weight(args: &[Datum]) -> Result<Datum> {
    let [v, Datum::Char(c), rest @ ..] = args else { return Err(bad_args("setweight", args)) };
    let mut v = vector(v)?;
    let weight =
        weight_of(*c).ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "unrecognized weight: \"{}\"", *c as char))?;
    let heavier = |l: &mut Lexeme| l.positions.iter_mut().for_each(|p| p.weight = weight);
    match rest {
        [] => v.lexemes.iter_mut().for_each(heavier),
        [list, ..] => {
            for d in items(list)?.iter().filter(|d| !d.is_null()) {
                if let Ok(i) = v.find(str_of(d)?) {
                    heavier(&mut v.lexemes[i]);
                }
            }
        }
    }
    pack(v)
}
/// ts_filter: positions of some weights.
fn filter(args: &[Datum]) -> Result<Datum> {
    let [v, list] = args else { return Err(bad_args("ts_filter", args)) };
    let mut keep = [false; 4];
    for d in items(list)? {
        let Datum::Char(c) = d else { bail!(NULL_VALUE_NOT_ALLOWED, "weight array may not contain nulls") };
        match weight_of(*c) {
            Some(w) => keep[usize::from(w)] = true,
            None => bail!(INVALID_PARAMETER_VALUE, "unrecognized weight: \"{}\"", *c as char),
        }
    }
    let mut v = vector(v)?;
    for l in &mut v.lexemes {
        l.positions.retain(|p| keep[usize::from(p.weight & 3)]);
    }
    v.lexemes.retain(|l| !l.positions.is_empty());
    pack(v)
}
fn delete(args: &[Datum]) -> Result<Datum> {
    let [v, what] = args else { return Err(bad_args("ts_delete", args)) };
    let mut v = vector(v)?;
    let list = match what {
        Datum::Text(_) => std::slice::from_ref(what),
        _ => items(what)?,
    };
    let mut gone: Vec<usize> = Vec::new();
    for d in list.iter().filter(|d| !d.is_null()) {
        gone.extend(v.find(str_of(d)?).ok());
    }
    gone.sort_unstable();
    let mut n = 0;
    v.lexemes.retain(|_| {
        n += 1;
        gone.binary_search(&(n - 1)).is_err()
    });
    pack(v)
}
fn unnest(args: &[Datum], push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    let [v] = args else { return Err(bad_args("unnest", args)) };
    let array = |elem, items| Datum::Array(Arc::new(Array::from_vec(elem, items)));
    for l in vector(v)?.lexemes {
        work::charge(16 + l.positions.len())?;
        let (mut at, mut weights) = (Datum::Null, Datum::Null);
        if !l.positions.is_empty() {
            at = array(oid::INT2, l.positions.iter().map(|p| Datum::Int2(p.at as i16)).collect());
            let letter = |p: &Position| Datum::from(["D", "C", "B", "A"][usize::from(p.weight & 3)]);
            weights = texts(l.positions.iter().map(letter).collect());
        }
        push(vec![Datum::from(l.text), at, weights])?;
    }
    Ok(())
}
fn of_array(args: &[Datum]) -> Result<Datum> {
    let [list] = args else { return Err(bad_args("array_to_tsvector", args)) };
    let mut lexemes = Vec::new();
    for d in items(list)? {
        if d.is_null() {
            bail!(NULL_VALUE_NOT_ALLOWED, "lexeme array may not contain nulls");
        }
        let text = str_of(d)?;
        if text.is_empty() {
            bail!(ZERO_LENGTH_CHARACTER_STRING, "lexeme array may not contain empty strings");
        }
        lexemes.push(Lexeme { text: text.to_string(), positions: Vec::new() });
    }
    pack(Vector::from_lexemes(lexemes))
}
/// `||`: the second one's positions follow the first one's.
fn concat(args: &[Datum]) -> Result<Datum> {
    let [a, b] = args else { return Err(bad_args("tsvector_concat", args)) };
    let (mut a, b) = (vector(a)?, vector(b)?);
    let last = a.lexemes.iter().flat_map(|l| l.positions.last()).map(|p| p.at).max().unwrap_or(0);
    work::charge(a.lexemes.len() + b.lexemes.len())?;
    let mut new = Vec::new();
    for l in b.lexemes {
        let moved = l.positions.iter().map(|p| Position { at: (p.at + last).min(MAX_POSITION), weight: p.weight });
        let mut own = Vec::new();
        let at = a.find(&l.text);
        let positions = match at {
            Ok(i) => &mut a.lexemes[i].positions,
            Err(_) => &mut own,
        };
        for p in moved {
            if positions.len() >= MAX_POSITIONS || positions.last().is_some_and(|l| l.at == MAX_POSITION) {
                break;
            }
            positions.push(p);
        }
        if at.is_err() {
            new.push(Lexeme { text: l.text, positions: own });
        }
    }
    a.lexemes.append(&mut new);
    a.lexemes.sort_by(|a, b| a.text.as_bytes().cmp(b.text.as_bytes()));
    pack(a)
}
fn matches(v: &Datum, q: &Datum) -> Result<Datum> {
    Ok(Datum::Bool(matching::matches(&vector(v)?, &tsquery(q)?)?))
}
fn join(args: &[Datum], op: Op) -> Result<Datum> {
    match args {
        [a, b] => pack_query(tsquery(a)?.join(op, tsquery(b)?)?),
        _ => Err(bad_args("tsquery operator", args)),
    }
}
fn phrase(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b, Datum::Int4(d)] if (0..=MAX_DISTANCE).contains(&i64::from(*d)) => {
            pack_query(tsquery(a)?.join(Op::Phrase(*d as u16), tsquery(b)?)?)
        }
        [_, _, Datum::Int4(_)] => Err(tsquery::bad_distance()),
        _ => Err(bad_args("tsquery_phrase", args)),
    }
}
fn not(args: &[Datum]) -> Result<Datum> {
    let [q] = args else { return Err(bad_args("tsquery_not", args)) };
    match tsquery(q)?.root {
        Some(root) => pack_query(Query::checked(Node::Not(Box::new(root)))?),
        None => pack_query(Query::default()),
    }
}
/// querytree
fn tree(args: &[Datum]) -> Result<Datum> {
    let [q] = args else { return Err(bad_args("querytree", args)) };
    let Some(root) = tsquery(q)?.root else { return Ok("".into()) };
    let Some(root) = root.without_not() else { return Ok("T".into()) };
    let mut out = Vec::new();
    Query { root: Some(root) }.format(&mut out);
    Ok(String::from_utf8_lossy(&out).into_owned().into())
}
/// `@>`: has the first all the operands of the second?
fn contains(a: &Datum, b: &Datum) -> Result<Datum> {
    let (a, b) = (tsquery(a)?, tsquery(b)?);
    let mut has: Vec<&str> = a.operands().iter().map(|o| o.text.as_str()).collect();
    has.sort_unstable();
    Ok(Datum::Bool(b.operands().iter().all(|o| has.binary_search(&o.text.as_str()).is_ok())))
}

/// Arguments of ts_rank and ts_rank_cd: weights and a method, if they are there.
fn ranked(args: &[Datum], f: fn(&[f32; 4], &Vector, &Query, i32) -> Result<f32>) -> Result<Datum> {
    let (weights, rest) = match args {
        [Datum::Array(a), rest @ ..] => {
            if a.dims.len() != 1 {
                bail!(ARRAY_SUBSCRIPT_ERROR, "array of weight must be one-dimensional");
            }
            if a.items.len() < rank::WEIGHTS.len() {
                bail!(ARRAY_SUBSCRIPT_ERROR, "array of weight is too short");
            }
            let mut given = Vec::new();
            for d in &a.items {
                match d {
                    Datum::Float4(v) => given.push(*v),
                    _ => bail!(NULL_VALUE_NOT_ALLOWED, "array of weight must not contain nulls"),
                }
            }
            (rank::weights(&given)?, rest)
        }
        _ => (rank::WEIGHTS, args),
    };
    let (v, q, method) = match rest {
        [v, q] => (v, q, 0),
        [v, q, Datum::Int4(m)] => (v, q, *m),
        _ => return Err(bad_args("ts_rank", args)),
    };
    Ok(Datum::Float4(f(&weights, &vector(v)?, &tsquery(q)?, method)?))
}

/// The configuration that a call names first, or the session's, and the other arguments.
pub(super) fn configured<'a>(args: &'a [Datum], env: &dyn Env) -> Result<(Config, &'a [Datum])> {
    match args {
        [Datum::Oid(c), rest @ ..] => Ok((Config::open(*c, env.catalog())?, rest)),
        _ => Ok((Config::open(config::current(env)?, env.catalog())?, args)),
    }
}
fn to_vector(args: &[Datum], env: &mut dyn Env) -> Result<Vector> {
    let (config, rest) = configured(args, env)?;
    let [text] = rest else { return Err(bad_args("to_tsvector", args)) };
    Ok(config::vector(config.lexemes(str_of(text)?, &mut 0, env)?))
}
fn to_query(args: &[Datum], reading: Reading, join: Join, env: &mut dyn Env) -> Result<Datum> {
    let (config, rest) = configured(args, env)?;
    let [text] = rest else { return Err(bad_args("to_tsquery", args)) };
    pack_query(query::read(str_of(text)?, reading, join, &config, env)?)
}
fn match_text(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [text, q] = args else { return Err(bad_args("ts_match", args)) };
    let v = to_vector(std::slice::from_ref(text), env)?;
    let q = match q {
        Datum::Text(_) => tsquery(&to_query(std::slice::from_ref(q), Reading::Plain, Join::And, env)?)?,
        q => tsquery(q)?,
    };
    Ok(Datum::Bool(matching::matches(&v, &q)?))
}
fn rewritten(args: &[Datum]) -> Result<Datum> {
    match args {
        [q, part, by] => pack_query(rewrite::rewrite(tsquery(q)?, tsquery(part)?, tsquery(by)?)?),
        _ => Err(bad_args("ts_rewrite", args)),
    }
}
fn stat(args: &[Datum], env: &mut dyn Env, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    match args {
        [Datum::Text(q)] => document::stat(q, None, env, push),
        [Datum::Text(q), Datum::Text(w)] => document::stat(q, Some(w), env, push),
        _ => Err(bad_args("ts_stat", args)),
    }
}
fn lexize(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Oid(d), text] = args else { return Err(bad_args("ts_lexize", args)) };
    Ok(answered(dictionary::open(*d, env.catalog())?.answer(str_of(text)?)?))
}
/// What a dictionary said as an array; NULL: it does not know the word.
fn answered(a: Answer) -> Datum {
    match a {
        Answer::Unknown => Datum::Null,
        Answer::Stop => texts(Vec::new()),
        Answer::Lexeme(s) | Answer::Filtered(s) => texts(vec![s.into()]),
    }
}
fn show(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (config, rest) = configured(args, env)?;
    let (text, q, options) = match rest {
        [t, q] => (t, q, Options::default()),
        [t, q, o] => (t, q, Options::read(str_of(o)?)?),
        _ => return Err(bad_args("ts_headline", args)),
    };
    Ok(headline::headline(&config, str_of(text)?, &tsquery(q)?, &options)?.into())
}

/// Is it the default parser, the only one there is? By name or OID.
fn check_parser(d: &Datum) -> Result<()> {
    const DEFAULT: Oid = 3722;
    match d {
        Datum::Oid(DEFAULT) => Ok(()),
        Datum::Text(n) if matches!(&**n, "default" | "pg_catalog.default") => Ok(()),
        Datum::Text(n) => bail!(UNDEFINED_OBJECT, "text search parser \"{n}\" does not exist"),
        Datum::Oid(n) => Err(Error::internal(format!("cache lookup failed for text search parser {n}"))),
        d => Err(bad_args("ts_parse", std::slice::from_ref(d))),
    }
}
fn parse(args: &[Datum], push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    let [parser, text] = args else { return Err(bad_args("ts_parse", args)) };
    check_parser(parser)?;
    let mut parser = Parser::new(str_of(text)?);
    while let Some(t) = parser.next()? {
        push(vec![Datum::Int4(t.kind.into()), t.text.into()])?;
    }
    Ok(())
}
fn token_types(args: &[Datum], push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    check_parser(args.first().unwrap_or(&Datum::Null))?;
    for (i, (alias, description)) in KINDS.iter().enumerate() {
        push(vec![Datum::Int4(i as i32 + 1), (*alias).into(), (*description).into()])?;
    }
    Ok(())
}
/// ts_debug
fn debug(args: &[Datum], env: &mut dyn Env, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    let (config, rest) = configured(args, env)?;
    let [text] = rest else { return Err(bad_args("ts_debug", args)) };
    let mut parser = Parser::new(str_of(text)?);
    while let Some(t) = parser.next()? {
        let (alias, description) = KINDS[usize::from(t.kind) - 1];
        let all = config.dictionaries(t.kind).map(|d| Datum::Oid(d.0)).collect();
        let all = Datum::Array(Arc::new(Array::from_vec(oid::REGDICTIONARY, all)));
        // The first that knows the word; where none does, the first.
        let mut found: Option<(Oid, Answer)> = None;
        for (oid, d) in config.dictionaries(t.kind) {
            work::charge(t.text.len() + 8)?;
            let answer = d.answer(t.text)?;
            let knows = answer != Answer::Unknown;
            if knows || found.is_none() {
                found = Some((oid, answer));
            }
            if knows {
                break;
            }
        }
        let (dictionary, lexemes) = match found {
            Some((oid, answer)) => (Datum::Oid(oid), answered(answer)),
            None => (Datum::Null, Datum::Null),
        };
        push(vec![alias.into(), description.into(), t.text.into(), all, dictionary, lexemes])?;
    }
    Ok(())
}

funcs! { pub FUNCS {
    tsvector_lt raw = |_, a, _| order(a, Ordering::is_lt);
    tsvector_le raw = |_, a, _| order(a, Ordering::is_le);
    tsvector_eq raw = |_, a, _| order(a, Ordering::is_eq);
    tsvector_ne raw = |_, a, _| order(a, Ordering::is_ne);
    tsvector_ge raw = |_, a, _| order(a, Ordering::is_ge);
    tsvector_gt raw = |_, a, _| order(a, Ordering::is_gt);
    tsvector_cmp raw = |_, a, _| compare(a);
    tsquery_lt raw = |_, a, _| order(a, Ordering::is_lt);
    tsquery_le raw = |_, a, _| order(a, Ordering::is_le);
    tsquery_eq raw = |_, a, _| order(a, Ordering::is_eq);
    tsquery_ne raw = |_, a, _| order(a, Ordering::is_ne);
    tsquery_ge raw = |_, a, _| order(a, Ordering::is_ge);
    tsquery_gt raw = |_, a, _| order(a, Ordering::is_gt);
    tsquery_cmp raw = |_, a, _| compare(a);
    tsvector_length raw = |_, a, _| one(a, |v| Ok(Datum::Int4(v.lexemes.len() as i32)));
    tsvector_strip raw = |_, a, _| one(a, strip);
    tsvector_setweight raw = |_, a, _| set_weight(a);
    tsvector_setweight_by_filter raw = |_, a, _| set_weight(a);
    tsvector_filter raw = |_, a, _| filter(a);
    tsvector_delete_str raw = |_, a, _| delete(a);
    tsvector_delete_arr raw = |_, a, _| delete(a);
    tsvector_unnest set = |_, a, _, push| unnest(a, push);
    tsvector_to_array raw = |_, a, _| one(a, |v| Ok(texts(v.lexemes.into_iter().map(|l| l.text.into()).collect())));
    array_to_tsvector raw = |_, a, _| of_array(a);
    tsvector_concat raw = |_, a, _| concat(a);
    ts_match_vq raw = |_, a, _| match a { [v, q] => matches(v, q), _ => Err(bad_args("ts_match_vq", a)) };
    ts_match_qv raw = |_, a, _| match a { [q, v] => matches(v, q), _ => Err(bad_args("ts_match_qv", a)) };
    ts_match_tt raw = |_, a, e| match_text(a, e);
    ts_match_tq raw = |_, a, e| match_text(a, e);
    tsquery_and raw = |_, a, _| join(a, Op::And);
    tsquery_or raw = |_, a, _| join(a, Op::Or);
    tsquery_phrase raw = |_, a, _| join(a, Op::Phrase(1));
    tsquery_phrase_distance raw = |_, a, _| phrase(a);
    tsquery_not raw = |_, a, _| not(a);
    tsquery_numnode raw = |_, a, _| match a { [q] => Ok(Datum::Int4(tsquery(q)?.nodes() as i32)), _ => Err(bad_args("numnode", a)) };
    tsquerytree raw = |_, a, _| tree(a);
    tsq_mcontains raw = |_, a, _| match a { [a, b] => contains(a, b), _ => Err(bad_args("tsq_mcontains", a)) };
    tsq_mcontained raw = |_, a, _| match a { [a, b] => contains(b, a), _ => Err(bad_args("tsq_mcontained", a)) };
    ts_rank_wttf raw = |_, a, _| ranked(a, rank::rank);
    ts_rank_wtt raw = |_, a, _| ranked(a, rank::rank);
    ts_rank_ttf raw = |_, a, _| ranked(a, rank::rank);
    ts_rank_tt raw = |_, a, _| ranked(a, rank::rank);
    ts_rankcd_wttf raw = |_, a, _| ranked(a, rank::rank_cd);
    ts_rankcd_wtt raw = |_, a, _| ranked(a, rank::rank_cd);
    ts_rankcd_ttf raw = |_, a, _| ranked(a, rank::rank_cd);
    ts_rankcd_tt raw = |_, a, _| ranked(a, rank::rank_cd);
    to_tsvector_byid raw = |_, a, e| pack(to_vector(a, e)?);
    to_tsvector raw = |_, a, e| pack(to_vector(a, e)?);
    to_tsquery_byid raw = |_, a, e| to_query(a, Reading::Standard, Join::Phrase, e);
    to_tsquery raw = |_, a, e| to_query(a, Reading::Standard, Join::Phrase, e);
    plainto_tsquery_byid raw = |_, a, e| to_query(a, Reading::Plain, Join::And, e);
    plainto_tsquery raw = |_, a, e| to_query(a, Reading::Plain, Join::And, e);
    phraseto_tsquery_byid raw = |_, a, e| to_query(a, Reading::Plain, Join::Phrase, e);
    phraseto_tsquery raw = |_, a, e| to_query(a, Reading::Plain, Join::Phrase, e);
    websearch_to_tsquery_byid raw = |_, a, e| to_query(a, Reading::Web, Join::Phrase, e);
    websearch_to_tsquery raw = |_, a, e| to_query(a, Reading::Web, Join::Phrase, e);
    tsquery_rewrite raw = |_, a, _| rewritten(a);
    tsquery_rewrite_query raw = |_, a, e| match a {
        [q, Datum::Text(s)] => pack_query(document::rewrite(tsquery(q)?, s, e)?),
        _ => Err(bad_args("ts_rewrite", a)),
    };
    ts_stat1 set = |_, a, e, push| stat(a, e, push);
    ts_stat2 set = |_, a, e, push| stat(a, e, push);
    ts_lexize raw = |_, a, e| lexize(a, e);
    get_current_ts_config raw = |_, _, e| config::current(e).map(Datum::Oid);
    ts_headline_byid_opt raw = |_, a, e| show(a, e);
    ts_headline_byid raw = |_, a, e| show(a, e);
    ts_headline_opt raw = |_, a, e| show(a, e);
    ts_headline raw = |_, a, e| show(a, e);
    ts_parse_byid set = |_, a, _, push| parse(a, push);
    ts_parse_byname set = |_, a, _, push| parse(a, push);
    ts_token_type_byid set = |_, a, _, push| token_types(a, push);
    ts_token_type_byname set = |_, a, _, push| token_types(a, push);
    ts_debug_6183 set = |_, a, e, push| debug(a, e, push);
    ts_debug_6184 set = |_, a, e, push| debug(a, e, push);
} }
