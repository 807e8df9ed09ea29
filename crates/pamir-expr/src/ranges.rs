//! The byte ranges of a tree that conditions on an index's columns are.
//!
//! Key ranges: `col = v` extends the prefix by v's key bytes; a lower (upper) bound becomes the inclusive (exclusive) end of the byte
//! range, or the successor of the prefix; on a descending column the two change places. NULLs sort at one end of the
//! column and are cut off whenever there is a range condition.
use crate::access::KeyCol;
use crate::expr::{self, Cx};
use crate::plan::node::{Bounds, Part, RangeEnd};
use pamir_types::{Datum, Result, Type, key, memory, oid, work};

/// A value as a key column's value.
pub enum Fit {
    Value(Datum),
    Null,
    /// Out of the column type's range: below or above all of its values.
    Below,
    Above,
}
/// Converts an integer of another width to the column's type; everything else is of the column's type already.
pub fn fit(d: Datum, ty: Type) -> Fit {
    if d.is_null() {
        return Fit::Null;
    }
    let Some(v) = expr::int_of(&d) else { return Fit::Value(d) };
    let lim = |lo: i64, hi: i64, make: fn(i64) -> Datum| {
        if v < lo {
            Fit::Below
        } else if v > hi {
            Fit::Above
        } else {
            Fit::Value(make(v))
        }
    };
    match ty.oid {
        oid::INT2 => lim(i16::MIN as i64, i16::MAX as i64, |v| Datum::Int2(v as i16)),
        oid::INT4 => lim(i32::MIN as i64, i32::MAX as i64, |v| Datum::Int4(v as i32)),
        oid::INT8 => Fit::Value(Datum::Int8(v)),
        _ => Fit::Value(d),
    }
}

/// A byte range of a tree: [lo, hi), hi None: to the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub lo: Vec<u8>,
    pub hi: Option<Vec<u8>>,
}

/// What a range takes, about: two short keys.
const RANGE_BYTES: usize = std::mem::size_of::<Range>() + 2 * (16 + ALLOCATION_BYTES);
/// What the allocator takes beside a key's bytes, about.
pub const ALLOCATION_BYTES: usize = 16;
/// The most keys that several lists may multiply to. The list that would make more of them stays a condition, as do the columns behind it: the plan
/// tests them all .
pub const MAX_POINTS: usize = 1 << 20;

/// The ranges that `b` means now, ascending and disjoint. For points, `lo` is the key.
pub fn ranges<C: Cx + ?Sized>(b: &Bounds, cols: &[KeyCol], c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    out.clear();
    if b.arms.is_empty() {
        return one_arm(b, cols, c, out);
    }
    for arm in &b.arms {
        one_arm(arm, cols, c, out)?;
        memory::check(out.len() * RANGE_BYTES)?;
    }
    // Overlapping alternatives must not give a row twice.
    if b.point {
        out.sort_unstable();
        out.dedup();
    } else {
        merge(out);
    }
    Ok(())
}
/// The rows' keys that values of `ctid` are, ascending, each once. What was read from a text may be no row's.
pub fn places<C: Cx + ?Sized>(b: &Bounds, c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    out.clear();
    let mut add = |d: Datum| {
        if let Datum::Bytea(k) = d {
            out.push(Range { lo: k.to_vec(), hi: None });
        }
        work::charge(work::ROW as usize)
    };
    for p in std::iter::once(b).chain(&b.arms).flat_map(|b| &b.parts) {
        match p {
            Part::Eq(e) => add(expr::eval(e, c)?)?,
            Part::In(list) => {
                for e in list {
                    add(expr::eval(e, c)?)?;
                }
            }
            Part::Any(e) => {
                if let Datum::Array(a) = expr::eval(e, c)? {
                    memory::admit(a.items.len().saturating_mul(RANGE_BYTES))?;
                    a.items.iter().try_for_each(|d| add(d.clone()))?;
                }
            }
            Part::Null => {}
        }
    }
    out.sort_unstable();
    out.dedup();
    Ok(())
}
/// Sorts ranges and joins those that overlap or touch.
fn merge(out: &mut Vec<Range>) {
    out.sort_unstable();
    let mut merged: Vec<Range> = Vec::with_capacity(out.len());
    for r in out.drain(..) {
        match merged.last_mut() {
            Some(last) if last.hi.as_ref().is_none_or(|h| *h >= r.lo) => {
                if last.hi.is_some() && (r.hi.is_none() || r.hi > last.hi) {
                    last.hi = r.hi;
                }
            }
            _ => merged.push(r),
        }
    }
    *out = merged;
}

/// Appends the ranges of bounds without alternatives.
fn one_arm<C: Cx + ?Sized>(b: &Bounds, cols: &[KeyCol], c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    let mut prefixes: Vec<Vec<u8>> = vec![Vec::new()];
    let (mut multi, mut whole) = (false, true);
    for (p, col) in b.parts.iter().zip(cols) {
        match p {
            Part::Eq(e) => {
                let Fit::Value(d) = fit(expr::eval(e, c)?, col.ty) else { return Ok(()) };
                for k in &mut prefixes {
                    key::encode_search(&d, col.ty, col.ord, k)?;
                }
            }
            Part::Null => {
                for k in &mut prefixes {
                    key::encode_search(&Datum::Null, col.ty, col.ord, k)?;
                }
            }
            Part::In(_) | Part::Any(_) => {
                let mut vals = Vec::new();
                match p {
                    Part::In(list) => {
                        for e in list {
                            vals.push(expr::eval(e, c)?);
                        }
                    }
                    Part::Any(e) => match expr::eval(e, c)? {
                        Datum::Array(a) => vals.extend(a.items.iter().cloned()),
                        _ => return Ok(()),
                    },
                    _ => {}
                }
                let keys = prefixes.len().saturating_mul(vals.len());
                if multi && keys > MAX_POINTS {
                    whole = false;
                    break;
                }
                multi = true;
                memory::admit(keys.saturating_mul(RANGE_BYTES))?;
                let mut next = Vec::with_capacity(prefixes.len() * vals.len());
                for v in vals {
                    work::charge(work::ROW as usize * prefixes.len())?;
                    let Fit::Value(d) = fit(v, col.ty) else { continue };
                    for k in &prefixes {
                        let mut k = k.clone();
                        key::encode_search(&d, col.ty, col.ord, &mut k)?;
                        next.push(k);
                    }
                }
                prefixes = next;
            }
        }
    }
    if multi {
        prefixes.sort_unstable();
        prefixes.dedup();
    }
    if b.point && whole {
        out.extend(prefixes.into_iter().map(|lo| Range { lo, hi: None }));
        return Ok(());
    }
    let ranged =
        (whole && (b.lo.is_some() || b.hi.is_some() || !b.or.is_empty())).then(|| cols.get(b.parts.len())).flatten();
    let Some(col) = ranged else {
        for lo in prefixes {
            let mut hi = lo.clone();
            let hi = key::prefix_successor(&mut hi).then_some(hi);
            out.push(Range { lo, hi });
        }
        return Ok(());
    };
    if b.or.is_empty() {
        return column_ranges(&prefixes, col, &b.lo, &b.hi, c, out);
    }
    for (lo, hi) in &b.or {
        column_ranges(&prefixes, col, lo, hi, c, out)?;
    }
    // Other alternatives' ranges before these are none of the call's concern.
    merge(out);
    Ok(())
}

/// The ranges of one column's bounds behind each prefix.
fn column_ranges<C: Cx + ?Sized>(
    prefixes: &[Vec<u8>],
    col: &KeyCol,
    b_lo: &Option<RangeEnd>,
    b_hi: &Option<RangeEnd>,
    c: &mut C,
    out: &mut Vec<Range>,
) -> Result<()> {
    // (value, inclusive); in the order of the bytes.
    let mut low: Option<(Datum, bool)> = None;
    let mut high: Option<(Datum, bool)> = None;
    for (bound, is_lo) in [(b_lo, true), (b_hi, false)] {
        let Some(bound) = bound else { continue };
        match (fit(expr::eval(&bound.e, c)?, col.ty), is_lo) {
            (Fit::Null, _) | (Fit::Above, true) | (Fit::Below, false) => return Ok(()),
            (Fit::Below, true) | (Fit::Above, false) => {}
            (Fit::Value(d), lo) => {
                let v = Some((d, bound.inclusive));
                if lo != col.ord.desc { low = v } else { high = v }
            }
        }
    }
    for p in prefixes {
        let mut lo = p.clone();
        match &low {
            Some((d, incl)) => {
                key::encode_search(d, col.ty, col.ord, &mut lo)?;
                if !incl && !key::prefix_successor(&mut lo) {
                    continue;
                }
            }
            None if col.ord.nulls_first => {
                key::encode_search(&Datum::Null, col.ty, col.ord, &mut lo)?;
                if !key::prefix_successor(&mut lo) {
                    continue;
                }
            }
            None => {}
        }
        let mut hi = p.clone();
        let hi = match &high {
            Some((d, incl)) => {
                key::encode_search(d, col.ty, col.ord, &mut hi)?;
                if *incl { key::prefix_successor(&mut hi).then_some(hi) } else { Some(hi) }
            }
            None if !col.ord.nulls_first => {
                key::encode_search(&Datum::Null, col.ty, col.ord, &mut hi)?;
                Some(hi)
            }
            None => key::prefix_successor(&mut hi).then_some(hi),
        };
        if hi.as_ref().is_none_or(|h| *h > lo) {
            out.push(Range { lo, hi });
        }
    }
    Ok(())
}
