//! Functions and operators of ranges and multiranges (rangetypes.c, multirangetypes.c), and what gathers them.
//!
//! What a range is to another one is said by [`pamir_types::range`]. Of a multirange most operators look at its ends alone, which are those of its
//! span: so one list of relations serves both.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::multirange::Multirange;
use pamir_types::range::{Bound, Range};
use pamir_types::{bail, err, oid};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// A range, or the span of a multirange.
fn span(d: &Datum) -> Result<Cow<'_, Range>> {
    match d {
        Datum::Range(r) => Ok(Cow::Borrowed(r)),
        Datum::Multirange(m) => Ok(Cow::Owned(m.span())),
        _ => Err(bad_args("range operator", std::slice::from_ref(d))),
    }
}
/// A relation of two spans.
fn relate(args: &[Datum], holds: impl Fn(&Range, &Range) -> bool) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(holds(&*span(a)?, &*span(b)?))),
        _ => Err(bad_args("range operator", args)),
    }
}
fn adjacent(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(span(a)?.adjacent(&*span(b)?)?)),
        _ => Err(bad_args("range operator", args)),
    }
}
fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [a, b] => Ok(Datum::Bool(holds(pamir_types::cmp::compare(a, b)))),
        _ => Err(bad_args("range comparison", args)),
    }
}
fn contains(a: &Datum, b: &Datum) -> Result<Datum> {
    Ok(Datum::Bool(match (a, b) {
        (Datum::Range(a), Datum::Range(b)) => a.contains(b),
        (Datum::Range(a), Datum::Multirange(b)) => a.contains(&b.span()),
        (Datum::Multirange(a), Datum::Range(b)) => a.contains_range(b),
        (Datum::Multirange(a), Datum::Multirange(b)) => a.contains(b)?,
        (Datum::Range(a), v) => a.contains_value(v),
        (Datum::Multirange(a), v) => a.contains_value(v),
        _ => return Err(bad_args("range operator", &[a.clone(), b.clone()])),
    }))
}
fn holds(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => contains(a, b),
        _ => Err(bad_args("range operator", args)),
    }
}
fn held(args: &[Datum]) -> Result<Datum> {
    match args {
        [a, b] => contains(b, a),
        _ => Err(bad_args("range operator", args)),
    }
}
fn overlaps(args: &[Datum]) -> Result<Datum> {
    Ok(Datum::Bool(match args {
        [Datum::Range(a), Datum::Range(b)] => a.overlaps(b),
        [Datum::Range(r), Datum::Multirange(m)] | [Datum::Multirange(m), Datum::Range(r)] => m.overlaps_range(r),
        [Datum::Multirange(a), Datum::Multirange(b)] => a.overlaps(b)?,
        _ => return Err(bad_args("range operator", args)),
    }))
}
/// What a span says.
fn ask(args: &[Datum], of: impl Fn(&Range) -> Datum) -> Result<Datum> {
    match args {
        [a] => Ok(of(&*span(a)?)),
        _ => Err(bad_args("range function", args)),
    }
}
fn ranges(args: &[Datum], make: impl Fn(&Range, &Range) -> Result<Range>) -> Result<Datum> {
    match args {
        [Datum::Range(a), Datum::Range(b)] => Ok(make(a, b)?.into()),
        _ => Err(bad_args("range function", args)),
    }
}
fn multiranges(args: &[Datum], make: impl Fn(&Multirange, &Multirange) -> Result<Multirange>) -> Result<Datum> {
    match args {
        [Datum::Multirange(a), Datum::Multirange(b)] => Ok(make(a, b)?.into()),
        _ => Err(bad_args("multirange function", args)),
    }
}

fn construct(ci: &CallInfo, args: &[Datum], flags: &str) -> Result<Datum> {
    let (lower, upper) = match flags.as_bytes() {
        [l @ (b'[' | b'('), u @ (b']' | b')')] => (*l == b'[', *u == b']'),
        _ => {
            return Err(err!(SYNTAX_ERROR, "invalid range bound flags")
                .hint("Valid values are \"[]\", \"[)\", \"(]\", and \"()\"."));
        }
    };
    let bound = |d: &Datum, inclusive| Bound { value: d.clone(), inclusive };
    match args {
        [l, u, ..] => Ok(Range::new(ci.ret.oid, bound(l, lower), bound(u, upper))?.into()),
        _ => Err(bad_args("range constructor", args)),
    }
}
fn construct_with_flags(ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
    match args {
        [_, _, Datum::Text(f)] => construct(ci, args, f),
        [_, _, Datum::Null] => bail!(DATA_EXCEPTION, "range constructor flags argument must not be null"),
        _ => Err(bad_args("range constructor", args)),
    }
}
fn no_null_members() -> pamir_types::Error {
    err!(NULL_VALUE_NOT_ALLOWED, "multirange values cannot contain null members")
}
fn collect(ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
    let items: &[Datum] = match args {
        [Datum::Array(a)] => {
            if a.dims.len() > 1 {
                bail!(CARDINALITY_VIOLATION, "multiranges cannot be constructed from multidimensional arrays");
            }
            &a.items
        }
        args => args,
    };
    let mut ranges = Vec::with_capacity(items.len());
    for d in items {
        match d {
            Datum::Range(r) => ranges.push((**r).clone()),
            Datum::Null => return Err(no_null_members()),
            _ => return Err(bad_args("multirange constructor", args)),
        }
    }
    Ok(Multirange::new(ci.ret.oid, ranges)?.into())
}
/// `int4multirange(VARIADIC array)`
pub fn construct_of_array(ci: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    if args.iter().any(Datum::is_null) { Ok(Datum::Null) } else { collect(ci, args) }
}
/// The multirange type over the range type of a value.
fn over(r: &Range) -> Oid {
    oid::multirange_of(r.ty).unwrap_or(0)
}
fn unnest(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
    let [Datum::Multirange(m)] = args else { return Err(bad_args("unnest", args)) };
    m.ranges.iter().try_for_each(|r| push(vec![r.clone().into()]))
}
/// The distance of two values of a subtype, as GiST's penalty has it.
fn difference(args: &[Datum]) -> Result<Datum> {
    let seconds = |a: i64, b: i64| (a as f64 - b as f64) / 1e6;
    Ok(Datum::Float8(match args {
        [Datum::Int4(a), Datum::Int4(b)] => f64::from(*a) - f64::from(*b),
        [Datum::Int8(a), Datum::Int8(b)] => *a as f64 - *b as f64,
        [Datum::Numeric(a), Datum::Numeric(b)] => a.sub(b).to_f64(),
        [Datum::Date(a), Datum::Date(b)] => f64::from(*a) - f64::from(*b),
        [Datum::Timestamp(a), Datum::Timestamp(b)] | [Datum::TimestampTz(a), Datum::TimestampTz(b)] => seconds(*a, *b),
        _ => return Err(bad_args("range_subdiff", args)),
    }))
}

/// range_agg: all of them in one multirange; NULL of none.
#[derive(Default)]
pub struct RangeAgg {
    ranges: Vec<Range>,
    ty: Option<Oid>,
    weight: usize,
}
impl AggState for RangeAgg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        match args {
            [Datum::Null] => return Ok(()),
            [Datum::Range(r)] => {
                self.ty = Some(over(r));
                self.weight += r.weight();
                self.ranges.push((**r).clone());
            }
            [Datum::Multirange(m)] => {
                self.ty = Some(m.ty);
                self.weight += m.weight();
                work::charge(m.ranges.len())?;
                self.ranges.extend(m.ranges.iter().cloned());
            }
            _ => return Err(bad_args("range_agg", args)),
        }
        // Joined now and then, so that it stays as small as what it is to become.
        if self.ranges.len() >= 1024
            && self.ranges.len().is_power_of_two()
            && let Some(ty) = self.ty
        {
            self.ranges = Multirange::new(ty, std::mem::take(&mut self.ranges))?.ranges;
            self.weight = self.ranges.iter().map(Range::weight).sum();
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match self.ty {
            Some(ty) => Ok(Multirange::new(ty, std::mem::take(&mut self.ranges))?.into()),
            None => Ok(Datum::Null),
        }
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match self.ty {
            Some(ty) => Ok(Multirange::new(ty, self.ranges.clone())?.into()),
            None => Ok(Datum::Null),
        }
    }
    fn size(&self) -> usize {
        64 + self.weight
    }
}
/// range_intersect_agg
#[derive(Default)]
pub struct IntersectAgg(Option<Datum>);
impl AggState for IntersectAgg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v] = args else { return Err(bad_args("range_intersect_agg", args)) };
        self.0 = Some(match (&self.0, v) {
            (None, v) => v.clone(),
            (Some(Datum::Range(a)), Datum::Range(b)) => a.intersect(b)?.into(),
            (Some(Datum::Multirange(a)), Datum::Multirange(b)) => a.intersect(b)?.into(),
            _ => return Err(bad_args("range_intersect_agg", args)),
        });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.clone().unwrap_or(Datum::Null))
    }
    fn size(&self) -> usize {
        64 + self.0.as_ref().map_or(0, pamir_types::quoted::length)
    }
}

funcs! { pub FUNCS {
    range_constructor2 raw = |ci, a, _| construct(ci, a, "[)");
    range_constructor3 raw = |ci, a, _| construct_with_flags(ci, a);
    multirange_constructor0 raw = |ci, a, _| collect(ci, a);
    multirange_constructor1 raw = |ci, a, _| collect(ci, a);
    multirange_constructor2 raw = |ci, a, _| collect(ci, a);
    multirange_unnest set = unnest;
    range_lower raw = |_, a, _| ask(a, |r| r.lower.value.clone());
    range_upper raw = |_, a, _| ask(a, |r| r.upper.value.clone());
    range_empty raw = |_, a, _| ask(a, |r| Datum::Bool(r.empty));
    range_lower_inc raw = |_, a, _| ask(a, |r| Datum::Bool(r.lower.inclusive));
    range_upper_inc raw = |_, a, _| ask(a, |r| Datum::Bool(r.upper.inclusive));
    range_lower_inf raw = |_, a, _| ask(a, |r| Datum::Bool(!r.empty && r.lower.is_endless()));
    range_upper_inf raw = |_, a, _| ask(a, |r| Datum::Bool(!r.empty && r.upper.is_endless()));
    multirange_lower raw = |_, a, _| ask(a, |r| r.lower.value.clone());
    multirange_upper raw = |_, a, _| ask(a, |r| r.upper.value.clone());
    multirange_empty raw = |_, a, _| ask(a, |r| Datum::Bool(r.empty));
    multirange_lower_inc raw = |_, a, _| ask(a, |r| Datum::Bool(r.lower.inclusive));
    multirange_upper_inc raw = |_, a, _| ask(a, |r| Datum::Bool(r.upper.inclusive));
    multirange_lower_inf raw = |_, a, _| ask(a, |r| Datum::Bool(!r.empty && r.lower.is_endless()));
    multirange_upper_inf raw = |_, a, _| ask(a, |r| Datum::Bool(!r.empty && r.upper.is_endless()));
    range_eq raw = |_, a, _| order(a, Ordering::is_eq);
    range_ne raw = |_, a, _| order(a, Ordering::is_ne);
    range_lt raw = |_, a, _| order(a, Ordering::is_lt);
    range_le raw = |_, a, _| order(a, Ordering::is_le);
    range_gt raw = |_, a, _| order(a, Ordering::is_gt);
    range_ge raw = |_, a, _| order(a, Ordering::is_ge);
    range_cmp (a: Range, b: Range) -> a.compare(b) as i32;
    multirange_eq raw = |_, a, _| order(a, Ordering::is_eq);
    multirange_ne raw = |_, a, _| order(a, Ordering::is_ne);
    multirange_lt raw = |_, a, _| order(a, Ordering::is_lt);
    multirange_le raw = |_, a, _| order(a, Ordering::is_le);
    multirange_gt raw = |_, a, _| order(a, Ordering::is_gt);
    multirange_ge raw = |_, a, _| order(a, Ordering::is_ge);
    multirange_cmp (a: Multirange, b: Multirange) -> a.compare(b) as i32;
    range_contains raw = |_, a, _| holds(a);
    range_contains_elem raw = |_, a, _| holds(a);
    range_contains_multirange raw = |_, a, _| holds(a);
    multirange_contains_elem raw = |_, a, _| holds(a);
    multirange_contains_range raw = |_, a, _| holds(a);
    multirange_contains_multirange raw = |_, a, _| holds(a);
    range_contained_by raw = |_, a, _| held(a);
    elem_contained_by_range raw = |_, a, _| held(a);
    elem_contained_by_multirange raw = |_, a, _| held(a);
    range_contained_by_multirange raw = |_, a, _| held(a);
    multirange_contained_by_range raw = |_, a, _| held(a);
    multirange_contained_by_multirange raw = |_, a, _| held(a);
    range_overlaps raw = |_, a, _| overlaps(a);
    range_overlaps_multirange raw = |_, a, _| overlaps(a);
    multirange_overlaps_range raw = |_, a, _| overlaps(a);
    multirange_overlaps_multirange raw = |_, a, _| overlaps(a);
    range_before raw = |_, a, _| relate(a, Range::before);
    range_before_multirange raw = |_, a, _| relate(a, Range::before);
    multirange_before_range raw = |_, a, _| relate(a, Range::before);
    multirange_before_multirange raw = |_, a, _| relate(a, Range::before);
    range_after raw = |_, a, _| relate(a, |a, b| b.before(a));
    range_after_multirange raw = |_, a, _| relate(a, |a, b| b.before(a));
    multirange_after_range raw = |_, a, _| relate(a, |a, b| b.before(a));
    multirange_after_multirange raw = |_, a, _| relate(a, |a, b| b.before(a));
    range_overleft raw = |_, a, _| relate(a, Range::over_left);
    range_overleft_multirange raw = |_, a, _| relate(a, Range::over_left);
    multirange_overleft_range raw = |_, a, _| relate(a, Range::over_left);
    multirange_overleft_multirange raw = |_, a, _| relate(a, Range::over_left);
    range_overright raw = |_, a, _| relate(a, Range::over_right);
    range_overright_multirange raw = |_, a, _| relate(a, Range::over_right);
    multirange_overright_range raw = |_, a, _| relate(a, Range::over_right);
    multirange_overright_multirange raw = |_, a, _| relate(a, Range::over_right);
    range_adjacent raw = |_, a, _| adjacent(a);
    range_adjacent_multirange raw = |_, a, _| adjacent(a);
    multirange_adjacent_range raw = |_, a, _| adjacent(a);
    multirange_adjacent_multirange raw = |_, a, _| adjacent(a);
    range_union raw = |_, a, _| ranges(a, Range::union);
    range_minus raw = |_, a, _| ranges(a, Range::minus);
    range_intersect raw = |_, a, _| ranges(a, Range::intersect);
    range_intersect_agg_transfn raw = |_, a, _| ranges(a, Range::intersect);
    range_merge raw = |_, a, _| ranges(a, |a, b| Ok(a.merge(b)));
    range_merge_from_multirange raw = |_, a, _| ask(a, |r| r.clone().into());
    multirange_union raw = |_, a, _| multiranges(a, Multirange::union);
    multirange_minus raw = |_, a, _| multiranges(a, Multirange::minus);
    multirange_intersect raw = |_, a, _| multiranges(a, Multirange::intersect);
    multirange_intersect_agg_transfn raw = |_, a, _| multiranges(a, Multirange::intersect);
    int4range_canonical (a: Range) -> Datum::Range(Arc::clone(a));
    int8range_canonical (a: Range) -> Datum::Range(Arc::clone(a));
    daterange_canonical (a: Range) -> Datum::Range(Arc::clone(a));
    int4range_subdiff raw = |_, a, _| difference(a);
    int8range_subdiff raw = |_, a, _| difference(a);
    numrange_subdiff raw = |_, a, _| difference(a);
    daterange_subdiff raw = |_, a, _| difference(a);
    tsrange_subdiff raw = |_, a, _| difference(a);
    tstzrange_subdiff raw = |_, a, _| difference(a);
} }
