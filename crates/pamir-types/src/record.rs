//! Composite values: fields side by side, each with its type.
//!
//! Fields that are values of length are shared, not copied, so a row may hold another one twice for nothing: forty rounds of `r := row(r, r)` are eighty
//! fields in memory and 2^40 to whoever walks them. A record therefore knows how large and how deep it is unfolded, and none is made that is larger than
//! [`MAX_WEIGHT`] or deeper than [`MAX_DEPTH`]: whoever has one may walk it.
//!
//! ```text
//! Record -> | count | weight, depth | Type, Datum | Type, Datum | ...    one allocation
//! ```
use crate::range::Range;
use crate::{Datum, Result, Type, bail, err};
use std::fmt;
use std::ops::Deref;
use triomphe::ThinArc;

/// Bytes that a composite value takes at most when nothing in it is shared: what PostgreSQL allocates at most for one value.
pub const MAX_WEIGHT: usize = 0x3fff_ffff;
/// Rows within rows.
pub const MAX_DEPTH: usize = 250;
/// Levels of any value: around the rows an array, a multirange and its ranges.
pub const DEEPEST: usize = MAX_DEPTH + 4;

/// A composite value. Cheap to clone.
#[derive(Clone)]
pub struct Record(ThinArc<Unfolded, (Type, Datum)>);

/// A value's size with all that it shares counted each time.
#[derive(Clone, Copy, Default)]
struct Unfolded {
    /// Bytes, about.
    weight: usize,
    /// Levels of rows, arrays and ranges.
    depth: usize,
}
impl Unfolded {
    fn add(&mut self, d: &Datum) {
        let of = Unfolded::of(d);
        self.weight = self.weight.saturating_add(of.weight);
        self.depth = self.depth.max(of.depth);
    }
    fn of(d: &Datum) -> Unfolded {
        let flat = |weight: usize| Unfolded { weight: weight.saturating_add(size_of::<Datum>()), depth: 0 };
        match d {
            Datum::Record(r) => r.0.header.header,
            Datum::Array(a) => match a.items.iter().find(|d| !d.is_null()) {
                None => flat(a.items.len()),
                Some(one) if is_fixed(one) => flat(a.items.len().saturating_mul(size_of::<Datum>())),
                Some(_) => around(a.items.iter()),
            },
            Datum::Range(r) => around(bounds(r)),
            Datum::Multirange(m) => around(m.ranges.iter().flat_map(bounds)),
            Datum::Text(s) => flat(s.len()),
            Datum::Citext(v) => flat(v.text.len()),
            Datum::Bytea(b) => flat(b.len()),
            Datum::Jsonb(j) => flat(j.size()),
            Datum::Bits(b) => flat(b.bytes().len()),
            Datum::Numeric(crate::numeric::Numeric::Big(n)) => flat(n.0.bits() as usize / 8),
            _ => flat(0),
        }
    }
}
/// Bytes that a value takes, about, with all that it shares counted each time.
pub fn weight(d: &Datum) -> usize {
    Unfolded::of(d).weight
}
fn around<'a>(parts: impl Iterator<Item = &'a Datum>) -> Unfolded {
    let mut all = Unfolded { weight: size_of::<Datum>(), depth: 0 };
    parts.for_each(|d| all.add(d));
    Unfolded { depth: all.depth + 1, ..all }
}
fn bounds(r: &Range) -> impl Iterator<Item = &Datum> {
    [&r.lower.value, &r.upper.value].into_iter()
}
/// All values of its type are as large.
fn is_fixed(d: &Datum) -> bool {
    !matches!(
        d,
        Datum::Text(_)
            | Datum::Citext(_)
            | Datum::Bytea(_)
            | Datum::Jsonb(_)
            | Datum::Bits(_)
            | Datum::Numeric(_)
            | Datum::Record(_)
            | Datum::Array(_)
            | Datum::Range(_)
            | Datum::Multirange(_)
    )
}
/// 54000 for elements that are more than an array may hold. Only of rows it is not known already: they are shared.
pub fn admit_elements(items: &[Datum]) -> Result<()> {
    if !matches!(items.iter().find(|d| !d.is_null()), Some(Datum::Record(_))) {
        return Ok(());
    }
    if around(items.iter()).weight > MAX_WEIGHT {
        bail!(PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({MAX_WEIGHT})");
    }
    Ok(())
}

impl Record {
    /// 54000 beyond [`MAX_WEIGHT`], 54001 beyond [`MAX_DEPTH`].
    pub fn new(fields: Vec<(Type, Datum)>) -> Result<Record> {
        let u = around(fields.iter().map(|(_, d)| d));
        if u.depth > MAX_DEPTH {
            return Err(err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
                .detail(format!("Rows may nest {MAX_DEPTH} levels deep.")));
        }
        if u.weight > MAX_WEIGHT {
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "row is too large")
                .detail(format!("The values of a row may take {MAX_WEIGHT} bytes together.")));
        }
        Ok(Record(ThinArc::from_header_and_iter(u, fields.into_iter())))
    }
    /// Bytes, about, with all that it shares counted each time.
    pub fn weight(&self) -> usize {
        self.0.header.header.weight
    }
}
impl Deref for Record {
    type Target = [(Type, Datum)];
    fn deref(&self) -> &[(Type, Datum)] {
        &self.0.slice
    }
}
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Datum {
    /// A row of these fields: [`Record::new`].
    pub fn record(fields: Vec<(Type, Datum)>) -> Result<Datum> {
        Record::new(fields).map(Datum::Record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::oid;

    const RECORD: Type = Type::new(oid::RECORD);

    #[test]
    fn rows_that_double_end() {
        let mut d = Datum::record(vec![(Type::INT4, Datum::Int4(1))]).unwrap();
        let mut levels = 0;
        let e = loop {
            match Datum::record(vec![(RECORD, d.clone()), (RECORD, d.clone())]) {
                Ok(next) => d = next,
                Err(e) => break e,
            }
            levels += 1;
        };
        assert_eq!(e.code().as_str(), "54000");
        assert!((20..30).contains(&levels), "{levels}");
        assert!(admit_elements(&[d.clone()]).is_ok());
        let many = vec![d; 100];
        assert_eq!(admit_elements(&many).unwrap_err().code().as_str(), "54000");
        // An array in it counts with all its elements.
        let array = Datum::Array(Array::from_vec(oid::RECORD, many).into());
        assert_eq!(Datum::record(vec![(RECORD, array)]).unwrap_err().code().as_str(), "54000");
    }

    #[test]
    fn rows_that_deepen_end() {
        let mut d = Datum::record(Vec::new()).unwrap();
        for level in 2..=MAX_DEPTH {
            // Arrays around rows are levels too.
            d = Datum::record(vec![(RECORD, d)]).unwrap_or_else(|e| panic!("{level}: {e}"));
        }
        assert_eq!(Datum::record(vec![(RECORD, d)]).unwrap_err().code().as_str(), "54001");
    }
}
