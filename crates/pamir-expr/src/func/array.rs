//! Array operators and functions (arrayfuncs.c, array_userfuncs.c).
//!
//! An array value knows its element type and bounds; elements compare with their type's default ordering.
use super::registry::{OWN_OIDS, OwnRow, VARIADIC, bad_args, funcs};
use super::*;
use pamir_types::array::{Array, MAX_DIM};
use pamir_types::cmp::{compare, compare_bpchar};
use pamir_types::memory::{admit, admit_growth};
use pamir_types::record::admit_elements;
use pamir_types::{bail, err, oid, work};
use std::sync::Arc;

/// PostgreSQL's MaxArraySize.
const MAX_ITEMS: i64 = 0x7ff_ffff;

pub fn text_array(items: Vec<Datum>) -> Datum {
    Datum::Array(Arc::new(Array::from_vec(oid::TEXT, items)))
}
fn make(elem: Oid, dims: Vec<(i32, i32)>, items: Vec<Datum>) -> Result<Datum> {
    admit_elements(&items)?;
    Ok(Datum::Array(Arc::new(Array { elem, dims, items })))
}
/// What it costs to compare two elements.
const SAME: usize = 4;
/// Element equality; NULL equals NULL.
fn same(a: &Datum, b: &Datum, elem: Oid) -> bool {
    match (a, b) {
        (Datum::Null, Datum::Null) => true,
        (Datum::Null, _) | (_, Datum::Null) => false,
        (Datum::Text(a), Datum::Text(b)) if elem == oid::BPCHAR => compare_bpchar(a, b).is_eq(),
        (a, b) => compare(a, b).is_eq(),
    }
}
fn has_equality(elem: Oid) -> Result<()> {
    if registry::get().ordering(elem).is_none() {
        bail!(
            UNDEFINED_FUNCTION,
            "could not identify an equality operator for type {}",
            pamir_types::text::type_named(elem)
        );
    }
    Ok(())
}
fn two(args: &[Datum]) -> Result<(&Array, &Array)> {
    match args {
        [Datum::Array(a), Datum::Array(b)] => {
            if a.elem != b.elem {
                bail!(DATATYPE_MISMATCH, "cannot compare arrays of different element types");
            }
            has_equality(a.elem)?;
            Ok((a, b))
        }
        _ => Err(bad_args("array operator", args)),
    }
}
/// `a @> b`: every element of b is in a; a NULL is in nothing.
fn contains(a: &Array, b: &Array) -> Result<bool> {
    for x in &b.items {
        // Each is looked for among all: this is quadratic, as PostgreSQL's is.
        work::charge(a.items.len() * SAME)?;
        if x.is_null() || !a.items.iter().any(|y| !y.is_null() && same(x, y, a.elem)) {
            return Ok(false);
        }
    }
    Ok(true)
}
/// `a && b`: some element of a is in b.
fn overlap(a: &Array, b: &Array) -> Result<bool> {
    for x in &a.items {
        work::charge(b.items.len() * SAME)?;
        if !x.is_null() && b.items.iter().any(|y| same(x, y, a.elem)) {
            return Ok(true);
        }
    }
    Ok(false)
}
fn dim(a: &Array, n: i32) -> Option<(i32, i32)> {
    usize::try_from(n).ok().filter(|n| (1..=MAX_DIM).contains(n)).and_then(|n| a.dims.get(n - 1)).copied()
}
/// The element type that an anyarray argument or result of this call has.
fn elem_of(ci: &CallInfo) -> Oid {
    ci.ret.element().map_or(oid::TEXT, |t| t.oid)
}
fn too_big() -> pamir_types::Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_ITEMS})")
}
/// Before an array of `n` items is made. `bytes`: of what they hold beyond their places, which items may share here, but whoever writes the array down
/// cannot: PostgreSQL's limit on an array's size holds for them.
fn admit_items(n: usize, bytes: usize) -> Result<()> {
    if bytes > string::MAX_VALUE {
        bail!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({})", string::MAX_VALUE);
    }
    admit(n.saturating_mul(size_of::<Datum>()))
}
fn add_end(a: &Datum, d: &Datum, front: bool, elem: Oid) -> Result<Datum> {
    let old = match a {
        Datum::Array(a) => Some(a),
        _ => None,
    };
    let Some(old) = old.filter(|a| !a.dims.is_empty()) else {
        return make(elem, vec![(1, 1)], vec![d.clone()]);
    };
    let [(len, lower)] = old.dims.as_slice() else {
        bail!(DATA_EXCEPTION, "argument must be empty or one-dimensional array");
    };
    admit_items(old.items.len() + 1, 0)?;
    let mut items = Vec::with_capacity(old.items.len() + 1);
    if front {
        items.push(d.clone());
    }
    items.extend(old.items.iter().cloned());
    if !front {
        items.push(d.clone());
    }
    // array_prepend keeps the lower bound; the subscripts of the old elements move up.
    make(old.elem, vec![(len + 1, *lower)], items)
}
fn cat(args: &[Datum]) -> Result<Datum> {
    let (a, b) = match args {
        [Datum::Null, b] => return Ok(b.clone()),
        [a, Datum::Null] => return Ok(a.clone()),
        [Datum::Array(a), Datum::Array(b)] => (a, b),
        _ => return Err(bad_args("array_cat", args)),
    };
    if a.dims.is_empty() {
        return Ok(Datum::Array(b.clone()));
    }
    if b.dims.is_empty() {
        return Ok(Datum::Array(a.clone()));
    }
    let incompatible =
        |detail: String| err!(ARRAY_SUBSCRIPT_ERROR, "cannot concatenate incompatible arrays").detail(detail);
    let (na, nb) = (a.dims.len(), b.dims.len());
    let lengths = |d: &[(i32, i32)]| d.iter().map(|x| x.0).collect::<Vec<_>>();
    let element = "Arrays with differing element dimensions are not compatible for concatenation.";
    let dims = if na == nb {
        if lengths(&a.dims[1..]) != lengths(&b.dims[1..]) {
            return Err(incompatible(element.into()));
        }
        let mut d = a.dims.clone();
        d[0].0 = d[0].0.checked_add(b.dims[0].0).ok_or_else(too_big)?;
        d
    } else if na + 1 == nb {
        if lengths(&a.dims) != lengths(&b.dims[1..]) {
            return Err(incompatible("Arrays with differing dimensions are not compatible for concatenation.".into()));
        }
        let mut d = b.dims.clone();
        d[0].0 += 1;
        d
    } else if na == nb + 1 {
        if lengths(&a.dims[1..]) != lengths(&b.dims) {
            return Err(incompatible("Arrays with differing dimensions are not compatible for concatenation.".into()));
        }
        let mut d = a.dims.clone();
        d[0].0 += 1;
        d
    } else {
        return Err(incompatible(format!("Arrays of {na} and {nb} dimensions are not compatible for concatenation.")));
    };
    admit_items(a.items.len() + b.items.len(), 0)?;
    let items: Vec<Datum> = a.items.iter().chain(&b.items).cloned().collect();
    if items.len() as i64 > MAX_ITEMS {
        return Err(too_big());
    }
    make(a.elem, dims, items)
}
/// The function behind `a[l:u]`: the array, then a lower and an upper bound per dimension; false stands for a bound left out.
pub const SLICE: &str = "pamir_array_slice";
pub static OWN: &[OwnRow] = &[OwnRow {
    oid: OWN_OIDS + 60,
    name: SLICE,
    args: &[oid::ANYARRAY, oid::ANY],
    ret: oid::ANYARRAY,
    flags: VARIADIC,
    body: Body::scalar(slice),
}];
/// array_get_slice: the part within the bounds, its own bounds from 1 on; what does not overlap is the empty array.
fn slice(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let Some((Datum::Array(a), bounds)) = args.split_first() else { return Ok(Datum::Null) };
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let empty = || make(a.elem, Vec::new(), Vec::new());
    let mut outside = bounds.len() / 2 > a.dims.len() || a.dims.is_empty();
    for (i, pair) in bounds.chunks(2).enumerate() {
        let bound = |d: Option<&Datum>, missing: i64| match d {
            Some(Datum::Int4(v)) => Ok(Some(i64::from(*v))),
            Some(Datum::Bool(_)) | None => Ok(Some(missing)),
            Some(Datum::Null) => Ok(None),
            Some(_) => Err(bad_args(SLICE, args)),
        };
        let (len, lower) = a.dims.get(i).map_or((0, 1), |d| (i64::from(d.0), i64::from(d.1)));
        let (Some(l), Some(u)) = (bound(pair.first(), lower)?, bound(pair.get(1), lower + len - 1)?) else {
            return Ok(Datum::Null);
        };
        let (l, u) = (l.max(lower), u.min(lower + len - 1));
        if l > u {
            outside = true;
            continue;
        }
        ranges.push(((l - lower) as usize, (u - lower) as usize + 1));
    }
    if outside {
        return empty();
    }
    for d in a.dims.iter().skip(ranges.len()) {
        ranges.push((0, d.0.max(0) as usize));
    }
    let mut items = Vec::new();
    let mut at: Vec<usize> = ranges.iter().map(|r| r.0).collect();
    'all: loop {
        let mut pos = 0;
        for (i, d) in at.iter().zip(&a.dims) {
            pos = pos * d.0.max(0) as usize + i;
        }
        items.push(a.items.get(pos).cloned().unwrap_or(Datum::Null));
        let mut k = at.len();
        loop {
            if k == 0 {
                break 'all;
            }
            k -= 1;
            at[k] += 1;
            if at[k] < ranges[k].1 {
                break;
            }
            at[k] = ranges[k].0;
        }
    }
    let dims = ranges.iter().map(|r| ((r.1 - r.0) as i32, 1)).collect();
    make(a.elem, dims, items)
}
fn position(args: &[Datum]) -> Result<Datum> {
    let (a, x, from) = match args {
        [Datum::Null, ..] => return Ok(Datum::Null),
        [Datum::Array(a), x] => (a, x, None),
        [Datum::Array(a), x, Datum::Int4(n)] => (a, x, Some(*n)),
        [_, _, Datum::Null] => bail!(NULL_VALUE_NOT_ALLOWED, "initial position must not be null"),
        _ => return Err(bad_args("array_position", args)),
    };
    if a.dims.len() > 1 {
        bail!(FEATURE_NOT_SUPPORTED, "searching for elements in multidimensional arrays is not supported");
    }
    has_equality(a.elem)?;
    let lower = a.dims.first().map_or(1, |d| d.1);
    let skip = from.map_or(0, |f| (i64::from(f) - i64::from(lower)).max(0) as usize);
    let found = a.items.iter().enumerate().skip(skip).find(|(_, y)| same(x, y, a.elem));
    Ok(found.map(|(i, _)| lower + i as i32).into())
}
fn positions(args: &[Datum]) -> Result<Datum> {
    let (a, x) = match args {
        [Datum::Null, _] => return Ok(Datum::Null),
        [Datum::Array(a), x] => (a, x),
        _ => return Err(bad_args("array_positions", args)),
    };
    if a.dims.len() > 1 {
        bail!(FEATURE_NOT_SUPPORTED, "searching for elements in multidimensional arrays is not supported");
    }
    has_equality(a.elem)?;
    let lower = a.dims.first().map_or(1, |d| d.1);
    let hits = a
        .items
        .iter()
        .enumerate()
        .filter(|(_, y)| same(x, y, a.elem))
        .map(|(i, _)| Datum::Int4(lower + i as i32))
        .collect();
    Ok(Datum::Array(Arc::new(Array::from_vec(oid::INT4, hits))))
}
fn remove(args: &[Datum]) -> Result<Datum> {
    let (a, x) = match args {
        [Datum::Null, _] => return Ok(Datum::Null),
        [Datum::Array(a), x] => (a, x),
        _ => return Err(bad_args("array_remove", args)),
    };
    if a.dims.len() > 1 {
        bail!(FEATURE_NOT_SUPPORTED, "removing elements from multidimensional arrays is not supported");
    }
    has_equality(a.elem)?;
    let items: Vec<Datum> = a.items.iter().filter(|y| !same(x, y, a.elem)).cloned().collect();
    if items.len() == a.items.len() {
        return Ok(Datum::Array(a.clone()));
    }
    let dims = if items.is_empty() { vec![] } else { vec![(items.len() as i32, a.dims.first().map_or(1, |d| d.1))] };
    make(a.elem, dims, items)
}
fn replace(args: &[Datum]) -> Result<Datum> {
    let (a, x, y) = match args {
        [Datum::Null, _, _] => return Ok(Datum::Null),
        [Datum::Array(a), x, y] => (a, x, y),
        _ => return Err(bad_args("array_replace", args)),
    };
    has_equality(a.elem)?;
    let items = a.items.iter().map(|d| if same(d, x, a.elem) { y.clone() } else { d.clone() }).collect();
    make(a.elem, a.dims.clone(), items)
}
fn fill(ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
    let ints = |d: &Datum| -> Result<Vec<i32>> {
        let Datum::Array(a) = d else {
            bail!(NULL_VALUE_NOT_ALLOWED, "dimension array or low bound array cannot be null")
        };
        if a.dims.len() > 1 {
            return Err(err!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts")
                .detail("Dimension array must be one dimensional."));
        }
        a.items
            .iter()
            .map(|d| match d {
                Datum::Int4(v) => Ok(*v),
                _ => Err(err!(NULL_VALUE_NOT_ALLOWED, "dimension values cannot be null")),
            })
            .collect()
    };
    let (v, lens) = match args {
        [v, d, ..] => (v, ints(d)?),
        _ => return Err(bad_args("array_fill", args)),
    };
    let lowers = match args.get(2) {
        Some(l) => ints(l)?,
        None => vec![1; lens.len()],
    };
    if lowers.len() != lens.len() {
        return Err(err!(ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts")
            .detail("Low bound array has different size than dimensions array."));
    }
    if lens.len() > MAX_DIM {
        bail!(
            PROGRAM_LIMIT_EXCEEDED,
            "number of array dimensions ({}) exceeds the maximum allowed ({MAX_DIM})",
            lens.len()
        );
    }
    let mut n = 1i64;
    for l in &lens {
        if *l < 0 {
            return Err(too_big());
        }
        n = n.checked_mul(i64::from(*l)).filter(|n| *n <= MAX_ITEMS).ok_or_else(too_big)?;
    }
    let elem = elem_of(ci);
    if n == 0 || lens.is_empty() {
        return make(elem, vec![], vec![]);
    }
    let each = pamir_types::record::weight(v) - size_of::<Datum>();
    admit_items(n as usize, each.saturating_mul(n as usize))?;
    make(elem, lens.into_iter().zip(lowers).collect(), vec![v.clone(); n as usize])
}
fn dims_text(a: &Array) -> Datum {
    if a.dims.is_empty() {
        return Datum::Null;
    }
    a.dims.iter().map(|(n, l)| format!("[{l}:{}]", i64::from(*l) + i64::from(*n) - 1)).collect::<String>().into()
}
fn to_string(args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (a, sep, null) = match args {
        [Datum::Array(a), Datum::Text(s)] => (a, s, None),
        [Datum::Array(a), Datum::Text(s), Datum::Text(n)] => (a, s, Some(n)),
        [Datum::Array(a), Datum::Text(s), Datum::Null] => (a, s, None),
        _ => return Ok(Datum::Null),
    };
    string::admit_text(&a.items)?;
    let (mut out, mut first) = (Vec::new(), true);
    for d in &a.items {
        admit_growth(out.capacity(), out.len() + sep.len())?;
        if d.is_null() && null.is_none() {
            continue;
        }
        if !first {
            out.extend_from_slice(sep.as_bytes());
        }
        first = false;
        match (d, null) {
            (Datum::Null, Some(n)) => out.extend_from_slice(n.as_bytes()),
            (d, _) => reg::output(d, Type::new(a.elem), env, &mut out),
        }
    }
    Ok(reg::to_text(out))
}
/// string_to_array / string_to_table: a NULL separator splits into characters, an empty one not at all.
pub fn split_each(args: &[Datum], each: &mut dyn FnMut(Datum) -> Result<()>) -> Result<()> {
    let (s, sep, null) = match args {
        [Datum::Text(s), sep] => (s, sep, None),
        [Datum::Text(s), sep, Datum::Text(n)] => (s, sep, Some(n)),
        [Datum::Text(s), sep, _] => (s, sep, None),
        _ => return Ok(()),
    };
    if s.is_empty() {
        return Ok(());
    }
    let mut one = |p: &str| each(if null.is_some_and(|n| **n == *p) { Datum::Null } else { string::text(p) });
    match sep {
        Datum::Text(sep) if sep.is_empty() => one(s),
        Datum::Text(sep) => s.split(&**sep).try_for_each(one),
        _ => s.chars().try_for_each(|c| one(c.encode_utf8(&mut [0; 4]))),
    }
}
fn split(args: &[Datum]) -> Result<Datum> {
    if args.first().is_none_or(Datum::is_null) {
        return Ok(Datum::Null);
    }
    let mut items = Vec::new();
    split_each(args, &mut |d| {
        work::charge(work::CALL as usize)?;
        admit_growth(items.capacity() * size_of::<Datum>(), (items.len() + 1) * size_of::<Datum>())?;
        items.push(d);
        Ok(())
    })?;
    Ok(text_array(items))
}
fn trim(a: &Array, n: i32) -> Result<Datum> {
    let len = a.dims.first().map_or(0, |d| d.0);
    if n < 0 || n > len {
        bail!(ARRAY_SUBSCRIPT_ERROR, "number of elements to trim must be between 0 and {len}");
    }
    let row = if len == 0 { 0 } else { a.items.len() / len as usize };
    let items = a.items.get(..row * (len - n) as usize).unwrap_or(&[]).to_vec();
    let mut dims = a.dims.clone();
    match dims.first_mut() {
        Some(d) if len > n => {
            d.0 -= n;
            dims.iter_mut().for_each(|d| d.1 = 1);
        }
        _ => dims.clear(),
    }
    make(a.elem, dims, items)
}

funcs! { pub FUNCS {
    arraycontains raw = |_, args, _| two(args).and_then(|(a, b)| contains(a, b)).map(Datum::Bool);
    arraycontained raw = |_, args, _| two(args).and_then(|(a, b)| contains(b, a)).map(Datum::Bool);
    arrayoverlap raw = |_, args, _| two(args).and_then(|(a, b)| overlap(a, b)).map(Datum::Bool);
    array_append raw = |ci, args, _| match args { [a, d] => add_end(a, d, false, elem_of(ci)), _ => Err(bad_args("array_append", args)) };
    array_prepend raw = |ci, args, _| match args { [d, a] => add_end(a, d, true, elem_of(ci)), _ => Err(bad_args("array_prepend", args)) };
    array_cat raw = |_, args, _| cat(args);
    array_length (a: Array, n: Int4) -> dim(a, *n).map(|d| d.0);
    array_lower (a: Array, n: Int4) -> dim(a, *n).map(|d| d.1);
    array_upper (a: Array, n: Int4) -> dim(a, *n).map(|d| d.1 + d.0 - 1);
    array_ndims (a: Array) -> if a.dims.is_empty() { None } else { Some(a.dims.len() as i32) };
    array_dims (a: Array) -> dims_text(a);
    array_cardinality (a: Array) -> a.items.len() as i32;
    array_position raw = |_, args, _| position(args);
    array_position_start raw = |_, args, _| position(args);
    array_positions raw = |_, args, _| positions(args);
    array_remove raw = |_, args, _| remove(args);
    array_replace raw = |_, args, _| replace(args);
    array_fill raw = |ci, args, _| fill(ci, args);
    array_fill_with_lower_bounds raw = |ci, args, _| fill(ci, args);
    array_to_text raw = |_, args, env| to_string(args, env);
    array_to_text_null raw = |_, args, env| to_string(args, env);
    text_to_array raw = |_, args, _| split(args);
    text_to_array_null raw = |_, args, _| split(args);
    trim_array (a: Array, n: Int4) => trim(a, *n);
} }
