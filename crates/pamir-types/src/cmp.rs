//! Ordering, equality and hashing of two datums of one type (the default B-tree operator class; C collation).
//!
//! The order is the one [`crate::key`] writes into index keys: for every orderable type, comparing two keys' bytes
//! gives what [`compare`] gives. Integers of different widths compare by value; datums of otherwise different
//! variants (which the planner never lets meet) order by variant, so that the order stays total.
use crate::Datum;
use crate::array::Array;
use crate::datetime::{self, USECS_PER_SEC};
use std::cmp::Ordering;
use std::hash::Hash;

/// NULL sorts last and equals NULL here; SQL's three-valued comparison is the executor's business.
/// bpchar compares without trailing blanks only through [`compare_bpchar`] (inside arrays and records it is done here).
#[inline]
pub fn compare(a: &Datum, b: &Datum) -> Ordering {
    use Datum::*;
    match (a, b) {
        (Int4(a), Int4(b)) => a.cmp(b),
        (Int8(a), Int8(b)) => a.cmp(b),
        (Text(a), Text(b)) => a.as_bytes().cmp(b.as_bytes()),
        _ => compare_rest(a, b),
    }
}

fn compare_rest(a: &Datum, b: &Datum) -> Ordering {
    use Datum::*;
    match (a, b) {
        (Null, Null) => Ordering::Equal,
        (Null, _) => Ordering::Greater,
        (_, Null) => Ordering::Less,
        (Bool(a), Bool(b)) => a.cmp(b),
        (Float4(a), Float4(b)) => compare_f64(*a as f64, *b as f64),
        (Float8(a), Float8(b)) => compare_f64(*a, *b),
        (Numeric(a), Numeric(b)) => a.cmp(b),
        (Bytea(a), Bytea(b)) => a.cmp(b),
        (Date(a), Date(b)) => a.cmp(b),
        (Time(a), Time(b)) | (Timestamp(a), Timestamp(b)) | (TimestampTz(a), TimestampTz(b)) => a.cmp(b),
        (TimeTz(a, az), TimeTz(b, bz)) => (timetz_utc(*a, *az), az).cmp(&(timetz_utc(*b, *bz), bz)),
        (Interval(a), Interval(b)) => datetime::interval_cmp_value(a).cmp(&datetime::interval_cmp_value(b)),
        (Uuid(a), Uuid(b)) => a.cmp(b),
        (Jsonb(a), Jsonb(b)) => a.cmp(b),
        (Oid(a), Oid(b)) => a.cmp(b),
        (Char(a), Char(b)) => a.cmp(b),
        (Enum(a), Enum(b)) => a.cmp(b),
        (Array(a), Array(b)) => compare_arrays(a, b),
        (Bits(a), Bits(b)) => a.compare(b),
        (Range(a), Range(b)) => a.compare(b),
        (Multirange(a), Multirange(b)) => a.compare(b),
        (Citext(a), Citext(b)) => a.folded.as_bytes().cmp(b.folded.as_bytes()),
        (Record(a), Record(b)) => {
            for ((at, a), (bt, b)) in a.iter().zip(b.iter()) {
                let o = compare_typed(a, b, at.oid == crate::oid::BPCHAR && bt.oid == crate::oid::BPCHAR);
                if o.is_ne() {
                    return o;
                }
            }
            a.len().cmp(&b.len())
        }
        _ => match (as_i64(a), as_i64(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => rank(a).cmp(&rank(b)),
        },
    }
}

/// PostgreSQL's float order: -0 equals 0, NaN equals NaN and is the greatest.
#[inline]
pub fn compare_f64(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn timetz_utc(t: i64, zone: i32) -> i64 {
    t.saturating_add(zone as i64 * USECS_PER_SEC)
}

fn compare_typed(a: &Datum, b: &Datum, bpchar: bool) -> Ordering {
    match (a, b) {
        (Datum::Text(a), Datum::Text(b)) if bpchar => compare_bpchar(a, b),
        _ => compare(a, b),
    }
}

/// array_cmp(): items first, then their number, then dimensions, lengths and lower bounds.
fn compare_arrays(a: &Array, b: &Array) -> Ordering {
    let bpchar = a.elem == crate::oid::BPCHAR;
    for (x, y) in a.items.iter().zip(&b.items) {
        let o = compare_typed(x, y, bpchar);
        if o.is_ne() {
            return o;
        }
    }
    a.items
        .len()
        .cmp(&b.items.len())
        .then(a.dims.len().cmp(&b.dims.len()))
        .then_with(|| a.dims.iter().map(|d| d.0).cmp(b.dims.iter().map(|d| d.0)))
        .then_with(|| a.dims.iter().map(|d| d.1).cmp(b.dims.iter().map(|d| d.1)))
}

fn as_i64(d: &Datum) -> Option<i64> {
    match d {
        Datum::Int2(v) => Some(*v as i64),
        Datum::Int4(v) => Some(*v as i64),
        Datum::Int8(v) => Some(*v),
        _ => None,
    }
}

fn rank(d: &Datum) -> u8 {
    match d {
        Datum::Bool(_) => 0,
        Datum::Int2(_) | Datum::Int4(_) | Datum::Int8(_) => 1,
        Datum::Float4(_) => 2,
        Datum::Float8(_) => 3,
        Datum::Numeric(_) => 4,
        Datum::Text(_) => 5,
        Datum::Bytea(_) => 6,
        Datum::Date(_) => 7,
        Datum::Time(_) => 8,
        Datum::TimeTz(..) => 9,
        Datum::Timestamp(_) => 10,
        Datum::TimestampTz(_) => 11,
        Datum::Interval(_) => 12,
        Datum::Uuid(_) => 13,
        Datum::Jsonb(_) => 14,
        Datum::Oid(_) => 15,
        Datum::Char(_) => 16,
        Datum::Array(_) => 17,
        Datum::Record(_) => 18,
        Datum::Enum(_) => 19,
        Datum::Range(_) => 20,
        Datum::Multirange(_) => 21,
        Datum::Bits(_) => 22,
        Datum::Citext(_) => 23,
        Datum::Null => 24,
    }
}

/// Without trailing blanks, as bpcharcmp.
#[inline]
pub fn compare_bpchar(a: &str, b: &str) -> Ordering {
    a.trim_end_matches(' ').as_bytes().cmp(b.trim_end_matches(' ').as_bytes())
}

/// Consistent with `compare`: equal datums of one type hash alike (1.0 and 1.00, -0.0 and 0.0, '1 mon' and '30 days').
/// Integers hash alike at every width. A bpchar at the top must be trimmed by the caller.
pub fn hash<H: std::hash::Hasher>(d: &Datum, h: &mut H) {
    match d {
        Datum::Null => h.write_u8(0),
        Datum::Bool(v) => v.hash(h),
        Datum::Int2(v) => h.write_i64(*v as i64),
        Datum::Int4(v) => h.write_i64(*v as i64),
        Datum::Int8(v) => h.write_i64(*v),
        Datum::Float4(v) => hash_f64(*v as f64, h),
        Datum::Float8(v) => hash_f64(*v, h),
        Datum::Numeric(v) => v.hash(h),
        Datum::Text(v) => v.hash(h),
        Datum::Bytea(v) => v.hash(h),
        Datum::Date(v) => h.write_i32(*v),
        Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => h.write_i64(*v),
        Datum::TimeTz(t, z) => (timetz_utc(*t, *z), z).hash(h),
        Datum::Interval(v) => h.write_i128(datetime::interval_cmp_value(v)),
        Datum::Uuid(v) => v.hash(h),
        Datum::Jsonb(v) => v.hash(h),
        Datum::Oid(v) => h.write_u32(*v),
        Datum::Char(v) => h.write_u8(*v),
        Datum::Enum(v) => h.write_u64(*v),
        Datum::Array(a) => {
            a.dims.hash(h);
            a.items.iter().for_each(|d| hash_typed(d, a.elem == crate::oid::BPCHAR, h));
        }
        Datum::Bits(b) => b.hash(h),
        Datum::Range(r) => r.feed(h),
        Datum::Multirange(m) => m.feed(h),
        Datum::Citext(v) => v.folded.hash(h),
        Datum::Record(fields) => {
            h.write_usize(fields.len());
            fields.iter().for_each(|(ty, d)| hash_typed(d, ty.oid == crate::oid::BPCHAR, h));
        }
    }
}

fn hash_typed<H: std::hash::Hasher>(d: &Datum, bpchar: bool, h: &mut H) {
    match d {
        Datum::Text(v) if bpchar => v.trim_end_matches(' ').hash(h),
        _ => hash(d, h),
    }
}

fn hash_f64<H: std::hash::Hasher>(v: f64, h: &mut H) {
    let v = match v {
        v if v.is_nan() => f64::NAN,
        0.0 => 0.0,
        v => v,
    };
    h.write_u64(v.to_bits());
}
