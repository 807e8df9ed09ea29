//! Comparison operators of every type: = <> < <= > >= and PostgreSQL's cross-type variants.
//!
//! Integers, booleans and text compare without a call into the generic [`pamir_types::cmp::compare`]; the rest go through it, so that
//! operators, sorting, hashing and keys cannot disagree.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::cmp::{compare, compare_bpchar};
use pamir_types::datetime::{self, USECS_PER_DAY};
use pamir_types::{bail, oid};
use std::cmp::Ordering;

/// PostgreSQL's float order: NaN = NaN, above all others; -0 = 0.
#[inline]
pub fn float_cmp(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
fn pair(args: &[Datum]) -> Result<Ordering> {
    match args {
        [a, b] => Ok(compare(a, b)),
        _ => Err(bad_args("comparison", args)),
    }
}
/// btoidvectorcmp(): the shorter one first, then by values; where they begin to count does not matter.
fn vectors(args: &[Datum]) -> Result<Ordering> {
    match args {
        [Datum::Array(a), Datum::Array(b)] => {
            let values = || std::iter::zip(&a.items, &b.items).map(|(x, y)| compare(x, y)).find(|o| o.is_ne());
            Ok(a.items.len().cmp(&b.items.len()).then_with(|| values().unwrap_or(Ordering::Equal)))
        }
        _ => Err(bad_args("comparison", args)),
    }
}
fn larger(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => Ok(if compare(a, b).is_gt() { a.clone() } else { b.clone() }),
        _ => Err(bad_args("larger", args)),
    }
}
fn smaller(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => Ok(if compare(a, b).is_lt() { a.clone() } else { b.clone() }),
        _ => Err(bad_args("smaller", args)),
    }
}
fn id_value(args: &[Datum], i: usize) -> Result<u32> {
    match args.get(i) {
        Some(Datum::Oid(v)) => Ok(*v),
        Some(Datum::Int4(v)) => Ok(*v as u32),
        _ => Err(bad_args("xid comparison", args)),
    }
}
#[inline]
fn instants(args: &[Datum]) -> Result<(i64, i64)> {
    match args {
        [Datum::Timestamp(a) | Datum::TimestampTz(a), Datum::Timestamp(b) | Datum::TimestampTz(b)] => Ok((*a, *b)),
        _ => Err(bad_args("timestamp comparison", args)),
    }
}
/// A date's midnight as a timestamp that orders correctly even where the timestamp's range ends.
fn midnight(d: i32) -> i64 {
    match d {
        i32::MIN => i64::MIN,
        i32::MAX => i64::MAX,
        d => (i64::from(d)).checked_mul(USECS_PER_DAY).unwrap_or(i64::MAX - 1),
    }
}
/// Dates, timestamps and timestamptzs against each other: local ones become instants in the session's zone when the other is one.
fn mixed(args: &[Datum], env: &mut dyn Env) -> Result<Ordering> {
    let local = |d: &Datum| match d {
        Datum::Date(v) => Some(midnight(*v)),
        Datum::Timestamp(v) => Some(*v),
        _ => None,
    };
    match args {
        [Datum::TimestampTz(a), b] => match local(b) {
            Some(b) => Ok(a.cmp(&datetime::local_to_timestamptz(b, &env.text_ctx().dt.tz).unwrap_or(b))),
            None => Err(bad_args("timestamp comparison", args)),
        },
        [a, Datum::TimestampTz(b)] => match local(a) {
            Some(a) => Ok(datetime::local_to_timestamptz(a, &env.text_ctx().dt.tz).unwrap_or(a).cmp(b)),
            None => Err(bad_args("timestamp comparison", args)),
        },
        [a, b] => match (local(a), local(b)) {
            (Some(a), Some(b)) => Ok(a.cmp(&b)),
            _ => Err(bad_args("timestamp comparison", args)),
        },
        _ => Err(bad_args("timestamp comparison", args)),
    }
}
/// Arrays and records: elements must have a comparison (json has none).
fn composite(ci: &CallInfo, args: &[Datum]) -> Result<Ordering> {
    let [a, b] = args else { return Err(bad_args("comparison", args)) };
    match (a, b) {
        (Datum::Array(x), Datum::Array(y)) => {
            if x.elem != y.elem {
                bail!(DATATYPE_MISMATCH, "cannot compare arrays of different element types");
            }
            known(x.elem)?;
            if x.elem == oid::BPCHAR {
                for (p, q) in x.items.iter().zip(&y.items) {
                    let o = match (p, q) {
                        (Datum::Text(p), Datum::Text(q)) => compare_bpchar(p, q),
                        (p, q) => compare(p, q),
                    };
                    if o.is_ne() {
                        return Ok(o);
                    }
                }
                return Ok(x.items.len().cmp(&y.items.len()).then_with(|| x.dims.cmp(&y.dims)));
            }
        }
        (Datum::Record(x), Datum::Record(y)) => {
            for ((s, p), (t, q)) in x.iter().zip(y.iter()) {
                if s.oid != t.oid && (oid::is_user(s.oid) || types::ordering_type(s.oid) != types::ordering_type(t.oid))
                {
                    bail!(
                        DATATYPE_MISMATCH,
                        "cannot compare dissimilar column types {} and {} at record column {}",
                        pamir_types::text::type_named(s.oid),
                        pamir_types::text::type_named(t.oid),
                        1 + x.iter().zip(y.iter()).take_while(|((s, _), (t, _))| s.oid == t.oid).count()
                    );
                }
                known(s.oid)?;
                let o = match (p, q) {
                    (Datum::Text(p), Datum::Text(q)) if s.oid == oid::BPCHAR => compare_bpchar(p, q),
                    (p, q) => compare(p, q),
                };
                if o.is_ne() {
                    return Ok(o);
                }
            }
            if x.len() != y.len() {
                bail!(DATATYPE_MISMATCH, "cannot compare record types with different numbers of columns");
            }
            return Ok(Ordering::Equal);
        }
        _ => return Err(bad_args("comparison", args)),
    }
    let _ = ci;
    Ok(compare(a, b))
}
fn known(ty: Oid) -> Result<()> {
    if registry::get().ordering(ty).is_none() {
        bail!(
            UNDEFINED_FUNCTION,
            "could not identify a comparison function for type {}",
            pamir_types::text::type_named(ty)
        );
    }
    Ok(())
}

funcs! { pub FUNCS {
    // integers, alone and mixed
    int2eq (a: Int2, b: Int2) -> a == b;
    int2ne (a: Int2, b: Int2) -> a != b;
    int2lt (a: Int2, b: Int2) -> a < b;
    int2gt (a: Int2, b: Int2) -> a > b;
    int2le (a: Int2, b: Int2) -> a <= b;
    int2ge (a: Int2, b: Int2) -> a >= b;
    int4eq (a: Int4, b: Int4) -> a == b;
    int4ne (a: Int4, b: Int4) -> a != b;
    int4lt (a: Int4, b: Int4) -> a < b;
    int4gt (a: Int4, b: Int4) -> a > b;
    int4le (a: Int4, b: Int4) -> a <= b;
    int4ge (a: Int4, b: Int4) -> a >= b;
    int8eq (a: Int8, b: Int8) -> a == b;
    int8ne (a: Int8, b: Int8) -> a != b;
    int8lt (a: Int8, b: Int8) -> a < b;
    int8gt (a: Int8, b: Int8) -> a > b;
    int8le (a: Int8, b: Int8) -> a <= b;
    int8ge (a: Int8, b: Int8) -> a >= b;
    int24eq (a: Int2, b: Int4) -> i32::from(*a) == *b;
    int24ne (a: Int2, b: Int4) -> i32::from(*a) != *b;
    int24lt (a: Int2, b: Int4) -> i32::from(*a) < *b;
    int24gt (a: Int2, b: Int4) -> i32::from(*a) > *b;
    int24le (a: Int2, b: Int4) -> i32::from(*a) <= *b;
    int24ge (a: Int2, b: Int4) -> i32::from(*a) >= *b;
    int28eq (a: Int2, b: Int8) -> i64::from(*a) == *b;
    int28ne (a: Int2, b: Int8) -> i64::from(*a) != *b;
    int28lt (a: Int2, b: Int8) -> i64::from(*a) < *b;
    int28gt (a: Int2, b: Int8) -> i64::from(*a) > *b;
    int28le (a: Int2, b: Int8) -> i64::from(*a) <= *b;
    int28ge (a: Int2, b: Int8) -> i64::from(*a) >= *b;
    int42eq (a: Int4, b: Int2) -> *a == i32::from(*b);
    int42ne (a: Int4, b: Int2) -> *a != i32::from(*b);
    int42lt (a: Int4, b: Int2) -> *a < i32::from(*b);
    int42gt (a: Int4, b: Int2) -> *a > i32::from(*b);
    int42le (a: Int4, b: Int2) -> *a <= i32::from(*b);
    int42ge (a: Int4, b: Int2) -> *a >= i32::from(*b);
    int48eq (a: Int4, b: Int8) -> i64::from(*a) == *b;
    int48ne (a: Int4, b: Int8) -> i64::from(*a) != *b;
    int48lt (a: Int4, b: Int8) -> i64::from(*a) < *b;
    int48gt (a: Int4, b: Int8) -> i64::from(*a) > *b;
    int48le (a: Int4, b: Int8) -> i64::from(*a) <= *b;
    int48ge (a: Int4, b: Int8) -> i64::from(*a) >= *b;
    int82eq (a: Int8, b: Int2) -> *a == i64::from(*b);
    int82ne (a: Int8, b: Int2) -> *a != i64::from(*b);
    int82lt (a: Int8, b: Int2) -> *a < i64::from(*b);
    int82gt (a: Int8, b: Int2) -> *a > i64::from(*b);
    int82le (a: Int8, b: Int2) -> *a <= i64::from(*b);
    int82ge (a: Int8, b: Int2) -> *a >= i64::from(*b);
    int84eq (a: Int8, b: Int4) -> *a == i64::from(*b);
    int84ne (a: Int8, b: Int4) -> *a != i64::from(*b);
    int84lt (a: Int8, b: Int4) -> *a < i64::from(*b);
    int84gt (a: Int8, b: Int4) -> *a > i64::from(*b);
    int84le (a: Int8, b: Int4) -> *a <= i64::from(*b);
    int84ge (a: Int8, b: Int4) -> *a >= i64::from(*b);
    // floats: NaN is equal to itself and above everything
    float4eq (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_eq();
    float4ne (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_ne();
    float4lt (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_lt();
    float4gt (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_gt();
    float4le (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_le();
    float4ge (a: Float4, b: Float4) -> float_cmp(f64::from(*a), f64::from(*b)).is_ge();
    float8eq (a: Float8, b: Float8) -> float_cmp(*a, *b).is_eq();
    float8ne (a: Float8, b: Float8) -> float_cmp(*a, *b).is_ne();
    float8lt (a: Float8, b: Float8) -> float_cmp(*a, *b).is_lt();
    float8gt (a: Float8, b: Float8) -> float_cmp(*a, *b).is_gt();
    float8le (a: Float8, b: Float8) -> float_cmp(*a, *b).is_le();
    float8ge (a: Float8, b: Float8) -> float_cmp(*a, *b).is_ge();
    float48eq (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_eq();
    float48ne (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_ne();
    float48lt (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_lt();
    float48gt (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_gt();
    float48le (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_le();
    float48ge (a: Float4, b: Float8) -> float_cmp(f64::from(*a), *b).is_ge();
    float84eq (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_eq();
    float84ne (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_ne();
    float84lt (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_lt();
    float84gt (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_gt();
    float84le (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_le();
    float84ge (a: Float8, b: Float4) -> float_cmp(*a, f64::from(*b)).is_ge();
    // numeric, bool, "char", oid, uuid, bytea
    numeric_eq (a: Numeric, b: Numeric) -> a == b;
    numeric_ne (a: Numeric, b: Numeric) -> a != b;
    numeric_lt (a: Numeric, b: Numeric) -> a < b;
    numeric_gt (a: Numeric, b: Numeric) -> a > b;
    numeric_le (a: Numeric, b: Numeric) -> a <= b;
    numeric_ge (a: Numeric, b: Numeric) -> a >= b;
    booleq (a: Bool, b: Bool) -> a == b;
    boolne (a: Bool, b: Bool) -> a != b;
    boollt (a: Bool, b: Bool) -> a < b;
    boolgt (a: Bool, b: Bool) -> a > b;
    boolle (a: Bool, b: Bool) -> a <= b;
    boolge (a: Bool, b: Bool) -> a >= b;
    chareq (a: Char, b: Char) -> a == b;
    charne (a: Char, b: Char) -> a != b;
    charlt (a: Char, b: Char) -> a < b;
    chargt (a: Char, b: Char) -> a > b;
    charle (a: Char, b: Char) -> a <= b;
    charge (a: Char, b: Char) -> a >= b;
    oideq (a: Oid, b: Oid) -> a == b;
    oidne (a: Oid, b: Oid) -> a != b;
    oidlt (a: Oid, b: Oid) -> a < b;
    oidgt (a: Oid, b: Oid) -> a > b;
    oidle (a: Oid, b: Oid) -> a <= b;
    oidge (a: Oid, b: Oid) -> a >= b;
    uuid_eq (a: Uuid, b: Uuid) -> a == b;
    uuid_ne (a: Uuid, b: Uuid) -> a != b;
    uuid_lt (a: Uuid, b: Uuid) -> a < b;
    uuid_gt (a: Uuid, b: Uuid) -> a > b;
    uuid_le (a: Uuid, b: Uuid) -> a <= b;
    uuid_ge (a: Uuid, b: Uuid) -> a >= b;
    byteaeq (a: Bytea, b: Bytea) -> a == b;
    byteane (a: Bytea, b: Bytea) -> a != b;
    bytealt (a: Bytea, b: Bytea) -> a < b;
    byteagt (a: Bytea, b: Bytea) -> a > b;
    byteale (a: Bytea, b: Bytea) -> a <= b;
    byteage (a: Bytea, b: Bytea) -> a >= b;
    tideq (a: Bytea, b: Bytea) -> a == b;
    tidne (a: Bytea, b: Bytea) -> a != b;
    tidlt (a: Bytea, b: Bytea) -> a < b;
    tidgt (a: Bytea, b: Bytea) -> a > b;
    tidle (a: Bytea, b: Bytea) -> a <= b;
    tidge (a: Bytea, b: Bytea) -> a >= b;
    xideq raw = |_, args, _| Ok(Datum::Bool(id_value(args, 0)? == id_value(args, 1)?));
    cideq raw = |_, args, _| Ok(Datum::Bool(id_value(args, 0)? == id_value(args, 1)?));
    xidneq raw = |_, args, _| Ok(Datum::Bool(id_value(args, 0)? != id_value(args, 1)?));
    // text and name, C collation: the order of the bytes
    texteq (a: Text, b: Text) -> a.as_bytes() == b.as_bytes();
    textne (a: Text, b: Text) -> a.as_bytes() != b.as_bytes();
    text_lt (a: Text, b: Text) -> a.as_bytes() < b.as_bytes();
    text_gt (a: Text, b: Text) -> a.as_bytes() > b.as_bytes();
    text_le (a: Text, b: Text) -> a.as_bytes() <= b.as_bytes();
    text_ge (a: Text, b: Text) -> a.as_bytes() >= b.as_bytes();
    nameeq (a: Text, b: Text) -> a.as_bytes() == b.as_bytes();
    namene (a: Text, b: Text) -> a.as_bytes() != b.as_bytes();
    namelt (a: Text, b: Text) -> a.as_bytes() < b.as_bytes();
    namegt (a: Text, b: Text) -> a.as_bytes() > b.as_bytes();
    namele (a: Text, b: Text) -> a.as_bytes() <= b.as_bytes();
    namege (a: Text, b: Text) -> a.as_bytes() >= b.as_bytes();
    nameeqtext (a: Text, b: Text) -> a.as_bytes() == b.as_bytes();
    namenetext (a: Text, b: Text) -> a.as_bytes() != b.as_bytes();
    namelttext (a: Text, b: Text) -> a.as_bytes() < b.as_bytes();
    namegttext (a: Text, b: Text) -> a.as_bytes() > b.as_bytes();
    nameletext (a: Text, b: Text) -> a.as_bytes() <= b.as_bytes();
    namegetext (a: Text, b: Text) -> a.as_bytes() >= b.as_bytes();
    texteqname (a: Text, b: Text) -> a.as_bytes() == b.as_bytes();
    textnename (a: Text, b: Text) -> a.as_bytes() != b.as_bytes();
    textltname (a: Text, b: Text) -> a.as_bytes() < b.as_bytes();
    textgtname (a: Text, b: Text) -> a.as_bytes() > b.as_bytes();
    textlename (a: Text, b: Text) -> a.as_bytes() <= b.as_bytes();
    textgename (a: Text, b: Text) -> a.as_bytes() >= b.as_bytes();
    text_pattern_lt (a: Text, b: Text) -> a.as_bytes() < b.as_bytes();
    text_pattern_gt (a: Text, b: Text) -> a.as_bytes() > b.as_bytes();
    text_pattern_le (a: Text, b: Text) -> a.as_bytes() <= b.as_bytes();
    text_pattern_ge (a: Text, b: Text) -> a.as_bytes() >= b.as_bytes();
    bpchareq (a: Text, b: Text) -> compare_bpchar(a, b).is_eq();
    bpcharne (a: Text, b: Text) -> compare_bpchar(a, b).is_ne();
    bpcharlt (a: Text, b: Text) -> compare_bpchar(a, b).is_lt();
    bpchargt (a: Text, b: Text) -> compare_bpchar(a, b).is_gt();
    bpcharle (a: Text, b: Text) -> compare_bpchar(a, b).is_le();
    bpcharge (a: Text, b: Text) -> compare_bpchar(a, b).is_ge();
    bpchar_pattern_lt (a: Text, b: Text) -> compare_bpchar(a, b).is_lt();
    bpchar_pattern_gt (a: Text, b: Text) -> compare_bpchar(a, b).is_gt();
    bpchar_pattern_le (a: Text, b: Text) -> compare_bpchar(a, b).is_le();
    bpchar_pattern_ge (a: Text, b: Text) -> compare_bpchar(a, b).is_ge();
    // dates and times; timestamptz shares the functions of timestamp
    date_eq (a: Date, b: Date) -> a == b;
    date_ne (a: Date, b: Date) -> a != b;
    date_lt (a: Date, b: Date) -> a < b;
    date_gt (a: Date, b: Date) -> a > b;
    date_le (a: Date, b: Date) -> a <= b;
    date_ge (a: Date, b: Date) -> a >= b;
    time_eq (a: Time, b: Time) -> a == b;
    time_ne (a: Time, b: Time) -> a != b;
    time_lt (a: Time, b: Time) -> a < b;
    time_gt (a: Time, b: Time) -> a > b;
    time_le (a: Time, b: Time) -> a <= b;
    time_ge (a: Time, b: Time) -> a >= b;
    timestamp_eq raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a == b)) };
    timestamp_ne raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a != b)) };
    timestamp_lt raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a < b)) };
    timestamp_gt raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a > b)) };
    timestamp_le raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a <= b)) };
    timestamp_ge raw = |_, args, _| { let (a, b) = instants(args)?; Ok(Datum::Bool(a >= b)) };
    date_eq_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    timestamp_eq_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    date_eq_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    timestamptz_eq_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    timestamp_eq_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    timestamptz_eq_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_eq()));
    date_ne_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    timestamp_ne_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    date_ne_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    timestamptz_ne_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    timestamp_ne_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    timestamptz_ne_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ne()));
    date_lt_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    timestamp_lt_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    date_lt_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    timestamptz_lt_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    timestamp_lt_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    timestamptz_lt_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_lt()));
    date_gt_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    timestamp_gt_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    date_gt_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    timestamptz_gt_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    timestamp_gt_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    timestamptz_gt_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_gt()));
    date_le_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    timestamp_le_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    date_le_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    timestamptz_le_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    timestamp_le_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    timestamptz_le_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_le()));
    date_ge_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    timestamp_ge_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    date_ge_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    timestamptz_ge_date raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    timestamp_ge_timestamptz raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    timestamptz_ge_timestamp raw = |_, args, env| Ok(Datum::Bool(mixed(args, env)?.is_ge()));
    // interval
    interval_eq raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_eq()));
    interval_ne raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ne()));
    interval_lt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_lt()));
    interval_gt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_gt()));
    interval_le raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_le()));
    interval_ge raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ge()));
    // timetz
    timetz_eq raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_eq()));
    timetz_ne raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ne()));
    timetz_lt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_lt()));
    timetz_gt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_gt()));
    timetz_le raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_le()));
    timetz_ge raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ge()));
    // jsonb
    jsonb_eq raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_eq()));
    jsonb_ne raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ne()));
    jsonb_lt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_lt()));
    jsonb_gt raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_gt()));
    jsonb_le raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_le()));
    jsonb_ge raw = |_, args, _| Ok(Datum::Bool(pair(args)?.is_ge()));
    // array
    array_eq raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_eq()));
    array_ne raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_ne()));
    array_lt raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_lt()));
    array_gt raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_gt()));
    array_le raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_le()));
    array_ge raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_ge()));
    // record
    record_eq raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_eq()));
    record_ne raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_ne()));
    record_lt raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_lt()));
    record_gt raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_gt()));
    record_le raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_le()));
    record_ge raw = |ci, args, _| Ok(Datum::Bool(composite(ci, args)?.is_ge()));
    oidvectoreq raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_eq()));
    oidvectorne raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_ne()));
    oidvectorlt raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_lt()));
    oidvectorgt raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_gt()));
    oidvectorle raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_le()));
    oidvectorge raw = |_, args, _| Ok(Datum::Bool(vectors(args)?.is_ge()));
    // three-way comparison as functions
    date_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    timestamp_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    time_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    timetz_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    interval_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    uuid_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    numeric_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    byteacmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    jsonb_cmp raw = |_, args, _| Ok(Datum::Int4(pair(args)? as i32));
    bpcharcmp (a: Text, b: Text) -> compare_bpchar(a, b) as i32;
    // the larger and the smaller of two (what max and min are made of)
    int2larger raw = |_, args, _| larger(args);
    int2smaller raw = |_, args, _| smaller(args);
    int4larger raw = |_, args, _| larger(args);
    int4smaller raw = |_, args, _| smaller(args);
    int8larger raw = |_, args, _| larger(args);
    int8smaller raw = |_, args, _| smaller(args);
    float4larger raw = |_, args, _| larger(args);
    float4smaller raw = |_, args, _| smaller(args);
    float8larger raw = |_, args, _| larger(args);
    float8smaller raw = |_, args, _| smaller(args);
    oidlarger raw = |_, args, _| larger(args);
    oidsmaller raw = |_, args, _| smaller(args);
    tidlarger raw = |_, args, _| larger(args);
    text_larger raw = |_, args, _| larger(args);
    tidsmaller raw = |_, args, _| smaller(args);
    text_smaller raw = |_, args, _| smaller(args);
    bpchar_larger raw = |_, args, _| larger(args);
    bpchar_smaller raw = |_, args, _| smaller(args);
    numeric_larger raw = |_, args, _| larger(args);
    numeric_smaller raw = |_, args, _| smaller(args);
    date_larger raw = |_, args, _| larger(args);
    date_smaller raw = |_, args, _| smaller(args);
    time_larger raw = |_, args, _| larger(args);
    time_smaller raw = |_, args, _| smaller(args);
    timetz_larger raw = |_, args, _| larger(args);
    timetz_smaller raw = |_, args, _| smaller(args);
    timestamp_larger raw = |_, args, _| larger(args);
    timestamp_smaller raw = |_, args, _| smaller(args);
    interval_larger raw = |_, args, _| larger(args);
    interval_smaller raw = |_, args, _| smaller(args);
    array_larger raw = |_, args, _| larger(args);
    array_smaller raw = |_, args, _| smaller(args);
} }
