//! Functions and operators of hstore (contrib/hstore/hstore_op.c).
use crate::func::registry::{bad_args, funcs};
use crate::func::*;
use pamir_types::array::Array;
use pamir_types::hstore::Pairs;
use pamir_types::json::Jsonb;
use pamir_types::{bail, err, oid};
use std::cmp::Ordering;

fn pairs(d: &Datum) -> Result<Pairs> {
    match d {
        Datum::Bytea(b) => Pairs::unpack(b),
        _ => None,
    }
    .ok_or_else(|| bad_args("hstore", std::slice::from_ref(d)))
}
fn pack(p: Pairs) -> Result<Datum> {
    Ok(Datum::Bytea(p.pack().into()))
}
fn one(args: &[Datum], f: impl FnOnce(Pairs) -> Result<Datum>) -> Result<Datum> {
    match args {
        [h] => f(pairs(h)?),
        _ => Err(bad_args("hstore", args)),
    }
}
/// A key that is a text, or NULL.
fn text(d: &Datum) -> Result<Option<&str>> {
    match d {
        Datum::Text(s) => Ok(Some(s)),
        Datum::Null => Ok(None),
        d => Err(bad_args("hstore", std::slice::from_ref(d))),
    }
}
fn keyed(args: &[Datum], f: impl FnOnce(Pairs, &str) -> Result<Datum>) -> Result<Datum> {
    match args {
        [h, Datum::Text(k)] => f(pairs(h)?, k),
        _ => Err(bad_args("hstore", args)),
    }
}
/// The keys of an array; NULLs are left out.
fn listed(args: &[Datum]) -> Result<(Pairs, Vec<&str>, &Array)> {
    let [h, Datum::Array(a)] = args else { return Err(bad_args("hstore", args)) };
    let mut keys = Vec::new();
    for d in &a.items {
        keys.extend(text(d)?);
    }
    Ok((pairs(h)?, keys, a))
}
fn value(v: Option<&Option<String>>) -> Datum {
    v.and_then(|v| v.as_deref()).map_or(Datum::Null, Datum::from)
}
fn texts(items: Vec<Datum>) -> Result<Datum> {
    Ok(Datum::Array(Arc::new(Array::from_vec(oid::TEXT, items))))
}
fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(holds(pamir_types::cmp::compare(a, b)))),
        _ => Err(bad_args("hstore comparison", args)),
    }
}
fn contains(a: &Datum, b: &Datum) -> Result<Datum> {
    let (a, b) = (pairs(a)?, pairs(b)?);
    work::charge(a.len() + b.len())?;
    Ok(Datum::Bool(b.iter().all(|(k, v)| a.get(k) == Some(v))))
}
fn concat(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => pack(pairs(a)?.concat(pairs(b)?)),
        _ => Err(bad_args("hs_concat", args)),
    }
}
fn without(args: &[Datum]) -> Result<Datum> {
    match args {
        [h, Datum::Text(k)] => pack(pairs(h)?.retain(|p| *p.0 != **k)),
        [_, Datum::Array(_)] => {
            let (h, keys, _) = listed(args)?;
            let keys: rustc_hash::FxHashSet<&str> = keys.into_iter().collect();
            pack(h.retain(|p| !keys.contains(p.0.as_str())))
        }
        [a, b] => {
            let b = pairs(b)?;
            pack(pairs(a)?.retain(|(k, v)| b.get(k) != Some(v)))
        }
        _ => Err(bad_args("delete", args)),
    }
}
fn slice_array(args: &[Datum]) -> Result<Datum> {
    let (h, _, a) = listed(args)?;
    let mut items = Vec::with_capacity(a.items.len());
    for d in &a.items {
        items.push(text(d)?.map_or(Datum::Null, |k| value(h.get(k))));
    }
    Ok(Datum::Array(Arc::new(Array { elem: oid::TEXT, dims: a.dims.clone(), items })))
}
fn slice(args: &[Datum]) -> Result<Datum> {
    let (h, keys, _) = listed(args)?;
    let all = keys.iter().filter_map(|k| Some(((*k).to_string(), h.get(k)?.clone())));
    pack(Pairs::new(all.collect()))
}
fn no_null_key() -> pamir_types::Error {
    err!(NULL_VALUE_NOT_ALLOWED, "null value not allowed for hstore key")
}
/// hstore(key, value): NULL for a NULL key.
fn from_text(args: &[Datum]) -> Result<Datum> {
    match args {
        [Datum::Null, _] => Ok(Datum::Null),
        [Datum::Text(k), v] => pack(Pairs::new(vec![(k.to_string(), text(v)?.map(str::to_string))])),
        _ => Err(bad_args("hstore", args)),
    }
}
/// hstore(array): keys and values in turn, or pairs of them.
fn from_array(args: &[Datum]) -> Result<Datum> {
    let [Datum::Array(a)] = args else { return Err(bad_args("hstore", args)) };
    match a.dims.as_slice() {
        [] => return pack(Pairs::default()),
        [(n, _)] if n % 2 == 1 => bail!(ARRAY_SUBSCRIPT_ERROR, "array must have even number of elements"),
        [_] | [_, (2, _)] => {}
        [_, _] => bail!(ARRAY_SUBSCRIPT_ERROR, "array must have two columns"),
        _ => bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts"),
    }
    let mut all = Vec::new();
    for p in a.items.chunks(2) {
        let [k, v] = p else { continue };
        let k = text(k)?.ok_or_else(no_null_key)?;
        all.push((k.to_string(), text(v)?.map(str::to_string)));
    }
    pack(Pairs::new(all))
}
fn from_arrays(args: &[Datum]) -> Result<Datum> {
    let [Datum::Array(k), v] = args else { return Ok(Datum::Null) };
    if k.dims.len() > 1 {
        bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts");
    }
    let values = match v {
        Datum::Array(v) => {
            if v.dims.len() > 1 {
                bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts");
            }
            if v.dims != k.dims {
                bail!(ARRAY_SUBSCRIPT_ERROR, "arrays must have same bounds");
            }
            Some(&v.items)
        }
        _ => None,
    };
    let mut all = Vec::new();
    for (i, k) in k.items.iter().enumerate() {
        let k = text(k)?.ok_or_else(no_null_key)?;
        let v = values.and_then(|v| v.get(i)).map(text).transpose()?.flatten();
        all.push((k.to_string(), v.map(str::to_string)));
    }
    pack(Pairs::new(all))
}
/// Is it a number as JSON writes them?
fn is_number(s: &str) -> bool {
    let s = s.strip_prefix('-').unwrap_or(s);
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let n = digits(s);
    if n == 0 || (n > 1 && s.starts_with('0')) {
        return false;
    }
    let mut rest = &s[n..];
    if let Some(f) = rest.strip_prefix('.') {
        let n = digits(f);
        if n == 0 {
            return false;
        }
        rest = &f[n..];
    }
    if let Some(e) = rest.strip_prefix(['e', 'E']) {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        let n = digits(e);
        return n > 0 && n == e.len();
    }
    rest.is_empty()
}
/// A JSON object; `loose`: numbers and truth values as such.
fn json(h: &Pairs, loose: bool) -> String {
    let quoted = |s: &str| {
        let mut out = Vec::new();
        Jsonb::String(s.into()).format(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let all: Vec<String> = h
        .iter()
        .map(|(k, v)| {
            let v = match v.as_deref() {
                None => "null".to_string(),
                Some("t") if loose => "true".into(),
                Some("f") if loose => "false".into(),
                Some(v) if loose && is_number(v) => v.into(),
                Some(v) => quoted(v),
            };
            format!("{}: {v}", quoted(k))
        })
        .collect();
    format!("{{{}}}", all.join(", "))
}
fn jsonb(h: &Pairs, loose: bool) -> Result<Datum> {
    Ok(Datum::Jsonb(Arc::new(Jsonb::parse(&json(h, loose))?)))
}
fn to_array(h: &Pairs) -> Vec<Datum> {
    h.iter().flat_map(|(k, v)| [Datum::from(k.as_str()), value(Some(v))]).collect()
}
fn matrix(h: Pairs) -> Result<Datum> {
    let dims = if h.is_empty() { vec![] } else { vec![(h.len() as i32, 1), (2, 1)] };
    Ok(Datum::Array(Arc::new(Array { elem: oid::TEXT, dims, items: to_array(&h) })))
}
/// The names and types of a row's fields: those of its type, or f1, f2, .. of one that has none.
fn shape(ty: Type, given: &Datum, env: &dyn Env) -> Option<rowtype::Shape> {
    rowtype::fields_in(ty, env.catalog()).or_else(|| match given {
        Datum::Record(r) => Some(r.iter().enumerate().map(|(i, (ty, _))| (format!("f{}", i + 1), *ty)).collect()),
        _ => None,
    })
}
fn no_row_type() -> pamir_types::Error {
    err!(WRONG_OBJECT_TYPE, "record type has not been registered")
}
/// hstore(row): names and texts of its fields; of a NULL row all NULL.
fn from_record(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [row] = args else { return Err(bad_args("hstore", args)) };
    let shape = shape(string::arg_type(ci, 0), row, env).ok_or_else(no_row_type)?;
    let mut all = Vec::with_capacity(shape.len());
    for (i, (name, ty)) in shape.iter().enumerate() {
        let v = match row {
            Datum::Record(r) => r.get(i).map_or(&Datum::Null, |f| &f.1),
            _ => &Datum::Null,
        };
        let stored = env.catalog().base_type(*ty);
        let text = (!v.is_null()).then(|| pamir_types::text::to_string(v, stored, env.text_ctx()));
        all.push((name.clone(), text));
    }
    pack(Pairs::new(all))
}
/// populate_record(row, hstore), `row #= hstore`: the row with the fields that the hstore has.
fn populate(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [row, h] = args else { return Err(bad_args("populate_record", args)) };
    let ty = string::arg_type(ci, 0);
    let base = env.catalog().base_type(ty);
    if !oid::is_composite(base.oid) && base.oid != oid::RECORD {
        bail!(DATATYPE_MISMATCH, "first argument must be a rowtype");
    }
    if h.is_null() {
        return Ok(row.clone());
    }
    let shape = shape(base, row, env).ok_or_else(no_row_type)?;
    let h = pairs(h)?;
    let mut out = Vec::with_capacity(shape.len());
    for (i, (name, ty)) in shape.iter().enumerate() {
        let stored = env.catalog().base_type(*ty);
        let d = match (h.get(name), row) {
            (Some(Some(v)), _) => pamir_types::text::parse(v, stored, env.text_ctx())?,
            (None, Datum::Record(r)) => r.get(i).map_or(Datum::Null, |f| f.1.clone()),
            _ => Datum::Null,
        };
        if oid::is_user(ty.oid) {
            crate::domains::check(&d, ty.oid, env)?;
        }
        out.push((stored, d));
    }
    let d = Datum::record(out)?;
    if oid::is_user(ty.oid) {
        crate::domains::check(&d, ty.oid, env)?;
    }
    Ok(d)
}
fn rows(
    args: &[Datum],
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
    row: fn(&(String, Option<String>)) -> Vec<Datum>,
) -> Result<()> {
    let [h] = args else { return Err(bad_args("hstore", args)) };
    for p in pairs(h)?.iter() {
        work::charge(8)?;
        push(row(p))?;
    }
    Ok(())
}

funcs! { pub FUNCS {
    hstore_eq raw = |_, a, _| order(a, Ordering::is_eq);
    hstore_ne raw = |_, a, _| order(a, Ordering::is_ne);
    hstore_lt raw = |_, a, _| order(a, Ordering::is_lt);
    hstore_le raw = |_, a, _| order(a, Ordering::is_le);
    hstore_gt raw = |_, a, _| order(a, Ordering::is_gt);
    hstore_ge raw = |_, a, _| order(a, Ordering::is_ge);
    hstore_cmp raw = |_, a, _| match a { [x, y] => Ok(Datum::Int4(pamir_types::cmp::compare(x, y) as i32)), _ => Err(bad_args("hstore_cmp", a)) };
    hstore_fetchval raw = |_, a, _| keyed(a, |h, k| Ok(value(h.get(k))));
    hstore_exists raw = |_, a, _| keyed(a, |h, k| Ok(Datum::Bool(h.get(k).is_some())));
    hstore_defined raw = |_, a, _| keyed(a, |h, k| Ok(Datum::Bool(h.get(k).is_some_and(|v| v.is_some()))));
    hstore_exists_any raw = |_, a, _| listed(a).map(|(h, keys, _)| Datum::Bool(keys.iter().any(|k| h.get(k).is_some())));
    hstore_exists_all raw = |_, a, _| listed(a).map(|(h, keys, _)| Datum::Bool(keys.iter().all(|k| h.get(k).is_some())));
    hstore_delete raw = |_, a, _| without(a);
    hstore_delete_array raw = |_, a, _| without(a);
    hstore_delete_hstore raw = |_, a, _| without(a);
    hstore_concat raw = |_, a, _| concat(a);
    hstore_contains raw = |_, a, _| match a { [x, y] => contains(x, y), _ => Err(bad_args("hs_contains", a)) };
    hstore_contained raw = |_, a, _| match a { [x, y] => contains(y, x), _ => Err(bad_args("hs_contained", a)) };
    hstore_slice_to_array raw = |_, a, _| slice_array(a);
    hstore_slice_to_hstore raw = |_, a, _| slice(a);
    hstore_from_text raw = |_, a, _| from_text(a);
    hstore_from_array raw = |_, a, _| from_array(a);
    hstore_from_arrays raw = |_, a, _| from_arrays(a);
    hstore_from_record raw = |ci, a, env| from_record(ci, a, env);
    hstore_populate_record raw = |ci, a, env| populate(ci, a, env);
    hstore_to_array raw = |_, a, _| one(a, |h| texts(to_array(&h)));
    hstore_to_matrix raw = |_, a, _| one(a, matrix);
    hstore_akeys raw = |_, a, _| one(a, |h| texts(h.iter().map(|p| p.0.as_str().into()).collect()));
    hstore_avals raw = |_, a, _| one(a, |h| texts(h.iter().map(|p| value(Some(&p.1))).collect()));
    hstore_skeys set = |_, a, _, push| rows(a, push, |p| vec![p.0.as_str().into()]);
    hstore_svals set = |_, a, _, push| rows(a, push, |p| vec![value(Some(&p.1))]);
    hstore_each set = |_, a, _, push| rows(a, push, |p| vec![p.0.as_str().into(), value(Some(&p.1))]);
    hstore_to_json raw = |_, a, _| one(a, |h| Ok(json(&h, false).into()));
    hstore_to_json_loose raw = |_, a, _| one(a, |h| Ok(json(&h, true).into()));
    hstore_to_jsonb raw = |_, a, _| one(a, |h| jsonb(&h, false));
    hstore_to_jsonb_loose raw = |_, a, _| one(a, |h| jsonb(&h, true));
    hstore_version_diag raw = |_, _, _| Ok(Datum::Int4(2));
} }
