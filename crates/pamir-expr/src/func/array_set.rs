//! Assignment to parts of values: elements and slices of arrays (array_set_element, array_set_slice), fields of composite values, paths of jsonb.
//!
//! A one-dimensional array grows at either end to hold what is assigned, NULLs in the gap; one of more dimensions keeps its bounds; an empty or
//! NULL one gets the bounds assigned to.
use super::registry::{OWN_OIDS, OwnRow, VARIADIC, bad_args};
use super::*;
use pamir_types::array::{Array, MAX_DIM, MAX_ITEMS};
use pamir_types::json::{Jsonb, Parts};
use pamir_types::memory::admit;
use pamir_types::record::{MAX_WEIGHT, admit_elements};
use pamir_types::{bail, err, oid};
use std::sync::Arc;

/// The array, the value, whether it is a slice, then a lower and an upper bound per dimension; false stands for a bound left out.
pub const ASSIGN: &str = "pamir_array_assign";
/// The composite value, the field's place from 0, its new value.
pub const SET_FIELD: &str = "pamir_record_assign";
/// The jsonb, the new value, whether an array is made of NULL, the path.
pub const SET_JSONB: &str = "pamir_jsonb_assign";
pub static OWN: &[OwnRow] = &[
    OwnRow {
        oid: OWN_OIDS + 120,
        name: ASSIGN,
        args: &[oid::ANYARRAY, oid::ANY, oid::BOOL, oid::ANY],
        ret: oid::ANYARRAY,
        flags: VARIADIC,
        body: Body::scalar(assign),
    },
    OwnRow {
        oid: OWN_OIDS + 121,
        name: SET_FIELD,
        args: &[oid::RECORD, oid::INT4, oid::ANY],
        ret: oid::RECORD,
        flags: 0,
        body: Body::scalar(set_field),
    },
    OwnRow {
        oid: OWN_OIDS + 122,
        name: SET_JSONB,
        args: &[oid::JSONB, oid::JSONB, oid::BOOL, 1009],
        ret: oid::JSONB,
        flags: 0,
        body: Body::scalar(set_jsonb),
    },
];

/// A composite value with another field; of NULL one whose other fields are NULL.
fn set_field(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [old, Datum::Int4(at), value] = args else { return Err(bad_args(SET_FIELD, args)) };
    let Some(types) = env.catalog().fields_of(ci.ret.oid) else { return Err(bad_args(SET_FIELD, args)) };
    let old: &[(Type, Datum)] = match old {
        Datum::Record(f) => f,
        _ => &[],
    };
    let stored = |t: Type| env.catalog().base_type(t);
    let field = |(i, (_, ty)): (usize, &(String, Type))| match old.get(i) {
        _ if i as i32 == *at => (stored(*ty), value.clone()),
        Some(f) => f.clone(),
        None => (stored(*ty), Datum::Null),
    };
    Datum::record(types.iter().enumerate().map(field).collect())
}

fn set_jsonb(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let [old, value, Datum::Bool(array), Datum::Array(path)] = args else { return Err(bad_args(SET_JSONB, args)) };
    let mut steps = Vec::with_capacity(path.items.len());
    for p in &path.items {
        match p {
            Datum::Text(s) => steps.push(&**s),
            Datum::Null => bail!(NULL_VALUE_NOT_ALLOWED, "jsonb subscript in assignment must not be null"),
            _ => return Err(bad_args(SET_JSONB, args)),
        }
    }
    let mut of = Parts::default();
    let mut j = match old {
        Datum::Jsonb(j) => of.copy(j)?,
        _ if *array => Jsonb::Array(Vec::new()),
        _ => Jsonb::Object(Vec::new()),
    };
    let new = match value {
        Datum::Jsonb(v) => of.copy(v)?,
        _ => Jsonb::Null,
    };
    of.count_below(&new, steps.len())?;
    put(&mut j, &steps, 0, new)?;
    Ok(Datum::Jsonb(Arc::new(j)))
}
/// setPath of an assignment: what the path lacks is made, gaps in arrays are NULLs.
fn put(j: &mut Jsonb, path: &[&str], level: usize, new: Jsonb) -> Result<()> {
    let Some((step, rest)) = path.split_first() else {
        *j = new;
        return Ok(());
    };
    match j {
        Jsonb::Object(pairs) => {
            if let Some(p) = pairs.iter_mut().find(|p| *p.0 == **step) {
                return put(&mut p.1, rest, level + 1, new);
            }
            let mut all = std::mem::take(pairs);
            all.push(((*step).into(), made(rest, new)?));
            *j = Jsonb::object(all);
        }
        Jsonb::Array(items) => {
            let Ok(i) = step.trim_start().parse::<i32>() else {
                bail!(
                    INVALID_TEXT_REPRESENTATION,
                    "path element at position {} is not an integer: \"{step}\"",
                    level + 1
                );
            };
            let at = if i < 0 { items.len() as i64 + i64::from(i) } else { i64::from(i) };
            let Ok(at) = usize::try_from(at) else {
                bail!(INVALID_PARAMETER_VALUE, "path element at position {} is out of range: {i}", level + 1)
            };
            if let Some(item) = items.get_mut(at) {
                return put(item, rest, level + 1, new);
            }
            fill(items, at)?;
            items.push(made(rest, new)?);
        }
        _ => {
            return Err(err!(INVALID_PARAMETER_VALUE, "cannot replace existing key")
                .detail("The path assumes key is a composite object, but it is a scalar value."));
        }
    }
    Ok(())
}
fn fill(items: &mut Vec<Jsonb>, upto: usize) -> Result<()> {
    let more = upto.saturating_sub(items.len());
    work::charge(more)?;
    admit(more.saturating_mul(size_of::<Jsonb>()))?;
    items.resize(upto.max(items.len()), Jsonb::Null);
    Ok(())
}
/// Objects and arrays around a value, as the path says.
fn made(path: &[&str], new: Jsonb) -> Result<Jsonb> {
    let mut v = new;
    for step in path.iter().rev() {
        v = match step.trim_start().parse::<i32>() {
            Ok(i) => {
                let mut items = Vec::new();
                fill(&mut items, usize::try_from(i).unwrap_or(0))?;
                items.push(v);
                Jsonb::Array(items)
            }
            Err(_) => Jsonb::Object(vec![((*step).into(), v)]),
        };
    }
    Ok(v)
}

/// A bound, None where it was left out.
pub type Bounds = [(Option<i32>, Option<i32>)];

/// The array with an element set: what a variable's `a[i] := value` comes to. Both bounds of a dimension are the subscript.
pub fn with_element(old: &Datum, elem: Type, bounds: &Bounds, value: Datum) -> Result<Datum> {
    let empty;
    let old = match old {
        Datum::Array(a) => a,
        _ => {
            empty = Arc::new(Array::from_vec(elem.oid, Vec::new()));
            &empty
        }
    };
    if bounds.len() > MAX_DIM {
        let n = bounds.len();
        bail!(PROGRAM_LIMIT_EXCEEDED, "number of array dimensions ({n}) exceeds the maximum allowed ({MAX_DIM})");
    }
    if !old.dims.is_empty() && old.dims.len() != bounds.len() {
        bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts");
    }
    let new = set(old, std::slice::from_ref(&value), bounds)?;
    admit_elements(&new.items)?;
    Ok(Datum::Array(Arc::new(new)))
}

/// The same of a slice, to which an array's items go; of NULL nothing goes.
pub fn with_slice(old: &Datum, elem: Type, bounds: &Bounds, value: Datum) -> Result<Datum> {
    let whole = Type::new(oid::array_of(elem.oid).unwrap_or(oid::ANYARRAY));
    let ci = CallInfo { arg_types: &[], ret: whole };
    let bound = |b: Option<i32>| b.map_or(Datum::Bool(false), Datum::Int4);
    let mut args = vec![old.clone(), value, Datum::Bool(true)];
    args.extend(bounds.iter().flat_map(|(l, u)| [bound(*l), bound(*u)]));
    written(&ci, &args)
}
/// Sets an element of an array of one dimension where it is, or behind its last; else the value comes back.
pub fn set_in_place(a: &mut Array, at: i32, value: Datum) -> Result<Option<Datum>> {
    let [(len, lower)] = a.dims.as_mut_slice() else { return Ok(Some(value)) };
    let place = i64::from(at) - i64::from(*lower);
    let Ok(place) = usize::try_from(place) else { return Ok(Some(value)) };
    // Rows that may be too much together are counted.
    if matches!(&value, Datum::Record(r) if r.weight().saturating_mul(a.items.len() + 1) > MAX_WEIGHT) {
        return Ok(Some(value));
    }
    if let Some(old) = a.items.get_mut(place) {
        *old = value;
        return Ok(None);
    }
    if place != a.items.len() || at == i32::MAX || place + 1 >= MAX_ITEMS {
        return Ok(Some(value));
    }
    pamir_types::memory::admit_growth(a.items.capacity() * size_of::<Datum>(), (place + 1) * size_of::<Datum>())?;
    a.items.push(value);
    *len += 1;
    Ok(None)
}

fn assign(ci: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    written(ci, args)
}
fn written(ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
    let [old, value, Datum::Bool(slice), written @ ..] = args else { return Err(bad_args(ASSIGN, args)) };
    let mut bounds = Vec::with_capacity(written.len() / 2);
    let one = |d: &Datum| match d {
        Datum::Int4(v) => Ok(Some(*v)),
        Datum::Bool(_) => Ok(None),
        Datum::Null => Err(err!(NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null")),
        _ => Err(bad_args(ASSIGN, args)),
    };
    for pair in written.chunks_exact(2) {
        bounds.push((one(&pair[0])?, one(&pair[1])?));
    }
    if bounds.len() > MAX_DIM {
        bail!(
            PROGRAM_LIMIT_EXCEEDED,
            "number of array dimensions ({}) exceeds the maximum allowed ({MAX_DIM})",
            bounds.len()
        );
    }
    let empty;
    let old = match old {
        Datum::Array(a) => a,
        _ => {
            let elem = ci.ret.element().map_or(oid::TEXT, |t| t.oid);
            empty = Arc::new(Array::from_vec(elem, Vec::new()));
            &empty
        }
    };
    let new = match (slice, value) {
        (true, Datum::Null) => return Ok(Datum::Array(old.clone())),
        (true, Datum::Array(v)) => set(old, &v.items, &bounds)?,
        (true, _) => return Err(bad_args(ASSIGN, args)),
        (false, _) if !old.dims.is_empty() && old.dims.len() != bounds.len() => {
            bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts")
        }
        (false, v) => set(old, std::slice::from_ref(v), &bounds)?,
    };
    admit_elements(&new.items)?;
    Ok(Datum::Array(Arc::new(new)))
}

fn too_big() -> pamir_types::Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_ITEMS})")
}
fn span(lower: i64, upper: i64) -> Result<i32> {
    i32::try_from(upper - lower + 1).map_err(|_| too_big())
}
/// Items that dimensions hold.
fn count(dims: &[(i32, i32)]) -> Result<usize> {
    let mut n = 1usize;
    for (len, lower) in dims {
        let len = usize::try_from(*len).map_err(|_| too_big())?;
        n = n.checked_mul(len).filter(|n| *n <= MAX_ITEMS).ok_or_else(too_big)?;
        if i64::from(*lower) + len as i64 > i64::from(i32::MAX) {
            bail!(PROGRAM_LIMIT_EXCEEDED, "array lower bound is too large: {lower}");
        }
    }
    Ok(n)
}
fn too_few() -> pamir_types::Error {
    err!(ARRAY_SUBSCRIPT_ERROR, "source array too small")
}

fn set(old: &Array, values: &[Datum], bounds: &Bounds) -> Result<Array> {
    if old.dims.is_empty() {
        return first(old.elem, values, bounds);
    }
    if old.dims.len() < bounds.len() {
        bail!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts");
    }
    let mut dims = old.dims.clone();
    // Where the values go, by dimension.
    let mut to: Vec<(i64, i64)> = Vec::with_capacity(dims.len());
    let several = dims.len() > 1;
    for (i, (len, lower)) in old.dims.iter().enumerate() {
        let (first, last) = (i64::from(*lower), i64::from(*lower) + i64::from(*len) - 1);
        let (l, u) = bounds.get(i).copied().unwrap_or((None, None));
        let (l, u) = (l.map_or(first, i64::from), u.map_or(last, i64::from));
        if l > u {
            bail!(ARRAY_SUBSCRIPT_ERROR, "upper bound cannot be less than lower bound");
        }
        if several && (l < first || u > last) {
            bail!(ARRAY_SUBSCRIPT_ERROR, "array subscript out of range");
        }
        let (low, high) = (l.min(first), u.max(last));
        dims[i] = (span(low, high)?, low as i32);
        to.push((l, u));
    }
    let mut wanted = 1usize;
    for (l, u) in &to {
        wanted = wanted.saturating_mul(span(*l, *u)? as usize);
    }
    if values.len() < wanted {
        return Err(too_few());
    }
    let total = count(&dims)?;
    // All items are made anew.
    work::charge(total)?;
    admit(total.saturating_mul(size_of::<Datum>()))?;
    let mut items = vec![Datum::Null; total];
    // Only one dimension can have grown: the old items are one run.
    let shift = usize::try_from(i64::from(old.dims[0].1) - i64::from(dims[0].1)).unwrap_or(0);
    if let Some(run) = items.get_mut(shift..shift + old.items.len()) {
        run.clone_from_slice(&old.items);
    }
    let mut at: Vec<i64> = to.iter().map(|t| t.0).collect();
    for v in &values[..wanted] {
        let mut pos = 0usize;
        for (i, d) in at.iter().zip(&dims) {
            pos = pos * d.0 as usize + (i - i64::from(d.1)) as usize;
        }
        if let Some(place) = items.get_mut(pos) {
            place.clone_from(v);
        }
        for k in (0..at.len()).rev() {
            at[k] += 1;
            if at[k] <= to[k].1 {
                break;
            }
            at[k] = to[k].0;
        }
    }
    Ok(Array { elem: old.elem, dims, items })
}

/// Into an array without dimensions.
fn first(elem: Oid, values: &[Datum], bounds: &Bounds) -> Result<Array> {
    let mut dims = Vec::with_capacity(bounds.len());
    for b in bounds {
        let (Some(l), Some(u)) = b else {
            return Err(err!(ARRAY_SUBSCRIPT_ERROR, "array slice subscript must provide both boundaries").detail(
                "When assigning to a slice of an empty array value, slice boundaries must be fully specified.",
            ));
        };
        dims.push((span(i64::from(*l), i64::from(*u))?, *l));
    }
    let n = count(&dims)?;
    let Some(items) = values.get(..n) else { return Err(too_few()) };
    if n == 0 {
        return Ok(Array::from_vec(elem, Vec::new()));
    }
    Ok(Array { elem, dims, items: items.to_vec() })
}
