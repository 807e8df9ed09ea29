//! Ranges: two bounds over a subtype, or nothing at all (rangetypes.c).
//!
//! A value knows its range type, and by that its subtype, so it is compared, stored and printed without a catalog:
//!
//! ```text
//! empty                                      no bound counts
//! [ lower , upper )     Bound { value, inclusive }     value NULL: without an end on that side
//! ```
//!
//! Invariants, kept by [`Range::new`], the only way to make one: the lower bound is not above the upper one; one that holds nothing is [`empty`](Range::empty);
//! an endless bound is exclusive; over a discrete subtype (integers, dates) the form is `[ )`. So equal ranges are equal field by field.
//!
//! [`crate::multirange`] has sets of them.
use crate::cmp::compare;
use crate::number_text::is_space;
use crate::oid::{self, Oid};
use crate::text::{self, TextCtx};
use crate::{Datum, Error, Result, Type, bail, datetime, err};
use std::cmp::Ordering;
use std::hash::Hash;

#[derive(Clone, Debug)]
pub struct Bound {
    /// NULL: no end.
    pub value: Datum,
    pub inclusive: bool,
}
impl Bound {
    pub const ENDLESS: Bound = Bound { value: Datum::Null, inclusive: false };
    pub fn is_endless(&self) -> bool {
        self.value.is_null()
    }
    fn flipped(&self) -> Bound {
        Bound { value: self.value.clone(), inclusive: !self.inclusive }
    }
}

#[derive(Clone, Debug)]
pub struct Range {
    /// The range type.
    pub ty: Oid,
    pub empty: bool,
    pub lower: Bound,
    pub upper: Bound,
}

/// PostgreSQL's flags, which the binary format and rows have.
const EMPTY: u8 = 0x01;
const LOWER_INC: u8 = 0x02;
const UPPER_INC: u8 = 0x04;
const LOWER_INF: u8 = 0x08;
const UPPER_INF: u8 = 0x10;

/// Which side a bound is of, where bounds of both meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Lower,
    Upper,
}
use Side::*;

/// range_cmp_bounds: where a bound of a side stands beside another.
pub fn compare_bounds(a: &Bound, a_side: Side, b: &Bound, b_side: Side) -> Ordering {
    let outward = |s: Side| if s == Lower { Ordering::Less } else { Ordering::Greater };
    match compare_bound_values(a, a_side, b, b_side) {
        Ordering::Equal if a.is_endless() => Ordering::Equal,
        Ordering::Equal => match (a.inclusive, b.inclusive) {
            (true, true) => Ordering::Equal,
            (false, false) if a_side == b_side => Ordering::Equal,
            (false, _) => outward(a_side).reverse(),
            (true, false) => outward(b_side),
        },
        o => o,
    }
}
/// range_cmp_bound_values: as [`compare_bounds`], but inclusive or not is all the same.
fn compare_bound_values(a: &Bound, a_side: Side, b: &Bound, b_side: Side) -> Ordering {
    let outward = |s: Side| if s == Lower { Ordering::Less } else { Ordering::Greater };
    match (a.is_endless(), b.is_endless()) {
        (true, true) if a_side == b_side => Ordering::Equal,
        (true, _) => outward(a_side),
        (_, true) => outward(b_side).reverse(),
        _ => compare(&a.value, &b.value),
    }
}
/// bounds_adjacent: is there nothing between an upper and a lower bound, nor in both?
pub fn adjacent_bounds(ty: Oid, upper: &Bound, lower: &Bound) -> Result<bool> {
    match compare_bound_values(upper, Upper, lower, Lower) {
        Ordering::Less if is_discrete(ty) => Ok(Range::new(ty, upper.flipped(), lower.flipped())?.empty),
        Ordering::Equal => Ok(upper.inclusive != lower.inclusive),
        _ => Ok(false),
    }
}
/// Has the range type a canonical form?
fn is_discrete(ty: Oid) -> bool {
    matches!(ty, oid::INT4RANGE | oid::INT8RANGE | oid::DATERANGE)
}
/// The value after this one; None where a date has none.
fn next(v: &Datum) -> Result<Option<Datum>> {
    Ok(Some(match v {
        Datum::Int4(v) => match v.checked_add(1) {
            Some(v) => Datum::Int4(v),
            None => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range"),
        },
        Datum::Int8(v) => match v.checked_add(1) {
            Some(v) => Datum::Int8(v),
            None => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "bigint out of range"),
        },
        Datum::Date(i32::MIN | i32::MAX) => return Ok(None),
        Datum::Date(v) => match datetime::check_date(v.saturating_add(1)) {
            Ok(next) if next != i32::MAX => Datum::Date(next),
            _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range."),
        },
        _ => return Ok(None),
    }))
}

impl Range {
    /// All flags that there are.
    pub const FLAGS: u8 = EMPTY | LOWER_INC | UPPER_INC | LOWER_INF | UPPER_INF;
    pub fn empty(ty: Oid) -> Range {
        Range { ty, empty: true, lower: Bound::ENDLESS, upper: Bound::ENDLESS }
    }
    /// make_range. 22000 for bounds in the wrong order.
    pub fn new(ty: Oid, lower: Bound, upper: Bound) -> Result<Range> {
        let mut r = Range::plain(ty, lower, upper)?;
        if r.empty || !is_discrete(ty) {
            return Ok(r);
        }
        let mut changed = false;
        if !r.lower.is_endless()
            && !r.lower.inclusive
            && let Some(v) = next(&r.lower.value)?
        {
            r.lower = Bound { value: v, inclusive: true };
            changed = true;
        }
        if r.upper.inclusive
            && let Some(v) = next(&r.upper.value)?
        {
            r.upper = Bound { value: v, inclusive: false };
            changed = true;
        }
        if changed { Range::plain(ty, r.lower, r.upper) } else { Ok(r) }
    }
    /// range_serialize's checks.
    fn plain(ty: Oid, mut lower: Bound, mut upper: Bound) -> Result<Range> {
        lower.inclusive &= !lower.is_endless();
        upper.inclusive &= !upper.is_endless();
        match compare_bound_values(&lower, Lower, &upper, Upper) {
            Ordering::Greater => {
                bail!(DATA_EXCEPTION, "range lower bound must be less than or equal to range upper bound")
            }
            Ordering::Equal if !(lower.inclusive && upper.inclusive) => Ok(Range::empty(ty)),
            _ => Ok(Range { ty, empty: false, lower, upper }),
        }
    }
    /// The type of the bounds.
    pub fn subtype(&self) -> Type {
        Type::new(oid::range_subtype(self.ty).unwrap_or(oid::UNKNOWN))
    }
    /// range_cmp
    pub fn compare(&self, other: &Range) -> Ordering {
        match (self.empty, other.empty) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.compare_lower(other).then_with(|| self.compare_upper(other)),
        }
    }
    pub fn compare_lower(&self, other: &Range) -> Ordering {
        compare_bounds(&self.lower, Lower, &other.lower, Lower)
    }
    pub fn compare_upper(&self, other: &Range) -> Ordering {
        compare_bounds(&self.upper, Upper, &other.upper, Upper)
    }
    fn neither_empty(&self, other: &Range) -> bool {
        !self.empty && !other.empty
    }
    /// `@>`
    pub fn contains(&self, other: &Range) -> bool {
        other.empty || !self.empty && self.compare_lower(other).is_le() && self.compare_upper(other).is_ge()
    }
    pub fn contains_value(&self, v: &Datum) -> bool {
        let within = |b: &Bound, outside: Ordering| {
            b.is_endless()
                || match compare(v, &b.value) {
                    Ordering::Equal => b.inclusive,
                    o => o != outside,
                }
        };
        !self.empty && within(&self.lower, Ordering::Less) && within(&self.upper, Ordering::Greater)
    }
    /// `&&`
    pub fn overlaps(&self, other: &Range) -> bool {
        self.neither_empty(other)
            && compare_bounds(&self.lower, Lower, &other.upper, Upper).is_le()
            && compare_bounds(&other.lower, Lower, &self.upper, Upper).is_le()
    }
    /// `<<`
    pub fn before(&self, other: &Range) -> bool {
        self.neither_empty(other) && compare_bounds(&self.upper, Upper, &other.lower, Lower).is_lt()
    }
    /// `&<`
    pub fn over_left(&self, other: &Range) -> bool {
        self.neither_empty(other) && self.compare_upper(other).is_le()
    }
    /// `&>`
    pub fn over_right(&self, other: &Range) -> bool {
        self.neither_empty(other) && self.compare_lower(other).is_ge()
    }
    /// `-|-`
    pub fn adjacent(&self, other: &Range) -> Result<bool> {
        Ok(self.neither_empty(other)
            && (adjacent_bounds(self.ty, &self.upper, &other.lower)?
                || adjacent_bounds(self.ty, &other.upper, &self.lower)?))
    }
    /// The least range that has both (range_merge).
    pub fn merge(&self, other: &Range) -> Range {
        if self.empty {
            return other.clone();
        }
        if other.empty {
            return self.clone();
        }
        let lower = if self.compare_lower(other).is_lt() { &self.lower } else { &other.lower };
        let upper = if self.compare_upper(other).is_gt() { &self.upper } else { &other.upper };
        Range { ty: self.ty, empty: false, lower: lower.clone(), upper: upper.clone() }
    }
    /// `+`
    pub fn union(&self, other: &Range) -> Result<Range> {
        if self.neither_empty(other) && !self.overlaps(other) && !self.adjacent(other)? {
            bail!(DATA_EXCEPTION, "result of range union would not be contiguous");
        }
        Ok(self.merge(other))
    }
    /// `*`
    pub fn intersect(&self, other: &Range) -> Result<Range> {
        if !self.overlaps(other) {
            return Ok(Range::empty(self.ty));
        }
        let lower = if self.compare_lower(other).is_ge() { &self.lower } else { &other.lower };
        let upper = if self.compare_upper(other).is_le() { &self.upper } else { &other.upper };
        Range::new(self.ty, lower.clone(), upper.clone())
    }
    /// What of this range is before another one and what is behind it.
    pub fn split(&self, other: &Range) -> Result<(Range, Range)> {
        let nothing = || Range::empty(self.ty);
        if !self.overlaps(other) {
            return if other.empty || self.before(other) {
                Ok((self.clone(), nothing()))
            } else {
                Ok((nothing(), self.clone()))
            };
        }
        let left = match self.compare_lower(other).is_lt() {
            true => Range::new(self.ty, self.lower.clone(), other.lower.flipped())?,
            false => nothing(),
        };
        let right = match self.compare_upper(other).is_gt() {
            true => Range::new(self.ty, other.upper.flipped(), self.upper.clone())?,
            false => nothing(),
        };
        Ok((left, right))
    }
    /// `-`
    pub fn minus(&self, other: &Range) -> Result<Range> {
        if self.empty || other.empty {
            return Ok(self.clone());
        }
        if self.compare_lower(other).is_lt() && self.compare_upper(other).is_gt() {
            bail!(DATA_EXCEPTION, "result of range difference would not be contiguous");
        }
        let (left, right) = self.split(other)?;
        Ok(if left.empty { right } else { left })
    }
    pub fn feed<H: std::hash::Hasher>(&self, h: &mut H) {
        self.flags().hash(h);
        for b in [&self.lower, &self.upper] {
            crate::cmp::hash(&b.value, h);
        }
    }
    /// Bytes held beside the value itself.
    pub fn weight(&self) -> usize {
        size_of::<Range>() + [&self.lower, &self.upper].map(|b| crate::quoted::length(&b.value)).iter().sum::<usize>()
    }

    // ---- text ----------------------------------------------------------------------------------------------------

    /// range_in; `item` reads one bound's text.
    pub fn parse(s: &str, ty: Oid, item: &mut dyn FnMut(&str) -> Result<Datum>) -> Result<Range> {
        let b = s.as_bytes();
        let skip = |mut at: usize| {
            while b.get(at).is_some_and(|c| is_space(*c)) {
                at += 1;
            }
            at
        };
        let mut at = skip(0);
        if b.get(at..at + 5).is_some_and(|w| w.eq_ignore_ascii_case(b"empty")) {
            return match skip(at + 5) == b.len() {
                true => Ok(Range::empty(ty)),
                false => Err(malformed(s, "Junk after \"empty\" key word.")),
            };
        }
        let lower_inc = match b.get(at) {
            Some(b'[') => true,
            Some(b'(') => false,
            _ => return Err(malformed(s, "Missing left parenthesis or bracket.")),
        };
        at += 1;
        let lower = read_bound(s, &mut at)?;
        if b.get(at) != Some(&b',') {
            return Err(malformed(s, "Missing comma after lower bound."));
        }
        at += 1;
        let upper = read_bound(s, &mut at)?;
        let upper_inc = match b.get(at) {
            Some(b']') => true,
            Some(b')') => false,
            _ => return Err(malformed(s, "Too many commas.")),
        };
        if skip(at + 1) != b.len() {
            return Err(malformed(s, "Junk after right parenthesis or bracket."));
        }
        let mut bound = |text: Option<String>, inclusive: bool| -> Result<Bound> {
            Ok(Bound { value: text.map_or(Ok(Datum::Null), |t| item(&t))?, inclusive })
        };
        let lower = bound(lower, lower_inc)?;
        let upper = bound(upper, upper_inc)?;
        Range::new(ty, lower, upper)
    }
    /// range_out
    pub fn format(&self, cx: &TextCtx, out: &mut Vec<u8>) {
        if self.empty {
            out.extend_from_slice(b"empty");
            return;
        }
        let mut text = Vec::new();
        let mut bound = |b: &Bound, out: &mut Vec<u8>| {
            if !b.is_endless() {
                text.clear();
                text::format(&b.value, self.subtype(), cx, &mut text);
                quote(&text, out);
            }
        };
        out.push(if self.lower.inclusive { b'[' } else { b'(' });
        bound(&self.lower, out);
        out.push(b',');
        bound(&self.upper, out);
        out.push(if self.upper.inclusive { b']' } else { b')' });
    }

    // ---- flags and bounds, as the binary format and rows have them -----------------------------------------------

    pub fn flags(&self) -> u8 {
        if self.empty {
            return EMPTY;
        }
        let bound = |b: &Bound, inc: u8, inf: u8| match (b.is_endless(), b.inclusive) {
            (true, _) => inf,
            (_, true) => inc,
            _ => 0,
        };
        bound(&self.lower, LOWER_INC, LOWER_INF) | bound(&self.upper, UPPER_INC, UPPER_INF)
    }
    /// The bounds that have values, the lower one first.
    pub fn values(&self) -> impl Iterator<Item = &Datum> {
        [&self.lower.value, &self.upper.value].into_iter().filter(|d| !d.is_null())
    }
    /// By flags; `value` is asked for each bound that has one. What the flags do not say is not looked at, as range_recv does.
    pub fn from_flags(ty: Oid, flags: u8, mut value: impl FnMut() -> Result<Datum>) -> Result<Range> {
        if flags & EMPTY != 0 {
            return Ok(Range::empty(ty));
        }
        let mut bound = |inc: u8, inf: u8| -> Result<Bound> {
            let value = if flags & inf == 0 { value()? } else { Datum::Null };
            Ok(Bound { value, inclusive: flags & inc != 0 })
        };
        let lower = bound(LOWER_INC, LOWER_INF)?;
        let upper = bound(UPPER_INC, UPPER_INF)?;
        Range::new(ty, lower, upper)
    }
}

#[cold]
fn malformed(s: &str, detail: &str) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "malformed range literal: \"{s}\"").detail(detail)
}
/// range_parse_bound: None where there is no text at all.
fn read_bound(s: &str, at: &mut usize) -> Result<Option<String>> {
    let b = s.as_bytes();
    if matches!(b.get(*at), Some(b',' | b')' | b']')) {
        return Ok(None);
    }
    let mut text = Vec::new();
    let mut quoted = false;
    loop {
        match b.get(*at) {
            Some(b',' | b')' | b']') if !quoted => break,
            None => return Err(malformed(s, "Unexpected end of input.")),
            Some(b'\\') => {
                *at += 1;
                let Some(c) = b.get(*at) else { return Err(malformed(s, "Unexpected end of input.")) };
                text.push(*c);
            }
            Some(b'"') if quoted && b.get(*at + 1) == Some(&b'"') => {
                text.push(b'"');
                *at += 1;
            }
            Some(b'"') => quoted = !quoted,
            Some(c) => text.push(*c),
        }
        *at += 1;
    }
    // Only ASCII was taken out of it.
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}
fn quote(text: &[u8], out: &mut Vec<u8>) {
    let special = |b: &u8| matches!(b, b'"' | b'\\' | b'(' | b')' | b'[' | b']' | b',') || is_space(*b);
    if !text.is_empty() && !text.iter().any(special) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for b in text {
        if matches!(b, b'"' | b'\\') {
            out.push(*b);
        }
        out.push(*b);
    }
    out.push(b'"');
}
