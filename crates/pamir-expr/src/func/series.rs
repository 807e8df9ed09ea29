//! Set-returning functions whose rows are made one at a time, as they are asked for: generate_series, generate_subscripts, unnest. Their number is the user's to
//! choose, so nothing keeps them.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::array::Array;
use pamir_types::bail;
use pamir_types::datetime::{self as dt, Interval};
use pamir_types::numeric::Numeric;
use std::sync::Arc;

/// The rows of one call, each of one column.
pub trait Series: Send {
    /// None: that was the last one.
    fn next(&mut self, env: &mut dyn Env) -> Result<Option<Datum>>;
}
type Made = Result<Box<dyn Series>>;

fn zero_step<T>() -> Result<T> {
    bail!(INVALID_PARAMETER_VALUE, "step size cannot equal zero")
}

/// start, start + step ... while not past `stop`; ends quietly where the type's range does.
struct Ints {
    next: Option<i64>,
    stop: i64,
    step: i64,
    limit: (i64, i64),
    make: fn(i64) -> Datum,
}
impl Series for Ints {
    fn next(&mut self, _: &mut dyn Env) -> Result<Option<Datum>> {
        let Some(v) = self.next.filter(|v| if self.step > 0 { *v <= self.stop } else { *v >= self.stop }) else {
            return Ok(None);
        };
        self.next = v.checked_add(self.step).filter(|n| (self.limit.0..=self.limit.1).contains(n));
        Ok(Some((self.make)(v)))
    }
}
fn ints(start: i64, stop: i64, step: i64, limit: (i64, i64), make: fn(i64) -> Datum) -> Made {
    if step == 0 {
        return zero_step();
    }
    Ok(Box::new(Ints { next: Some(start), stop, step, limit, make }))
}
fn int4(v: i64) -> Datum {
    Datum::Int4(v as i32)
}
fn int4_series(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let (a, b, s) = match args {
        [Datum::Int4(a), Datum::Int4(b)] => (*a, *b, 1),
        [Datum::Int4(a), Datum::Int4(b), Datum::Int4(s)] => (*a, *b, *s),
        _ => return Err(bad_args("generate_series", args)),
    };
    ints(a.into(), b.into(), s.into(), (i32::MIN.into(), i32::MAX.into()), int4)
}
fn int8_series(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let (a, b, s) = match args {
        [Datum::Int8(a), Datum::Int8(b)] => (*a, *b, 1),
        [Datum::Int8(a), Datum::Int8(b), Datum::Int8(s)] => (*a, *b, *s),
        _ => return Err(bad_args("generate_series", args)),
    };
    ints(a, b, s, (i64::MIN, i64::MAX), Datum::Int8)
}
fn subscripts(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let (a, dim, reverse) = match args {
        [Datum::Array(a), Datum::Int4(d)] => (a, *d, false),
        [Datum::Array(a), Datum::Int4(d), Datum::Bool(r)] => (a, *d, *r),
        _ => return Err(bad_args("generate_subscripts", args)),
    };
    let Some((len, lower)) = usize::try_from(dim).ok().and_then(|d| a.dims.get(d.wrapping_sub(1))) else {
        return ints(1, 0, 1, (0, 1), int4);
    };
    let (lo, hi) = (i64::from(*lower), i64::from(*lower) + i64::from(*len) - 1);
    let (from, to, step) = if reverse { (hi, lo, -1) } else { (lo, hi, 1) };
    ints(from, to, step, (i64::MIN, i64::MAX), int4)
}

struct Numerics {
    next: Numeric,
    stop: Numeric,
    step: Numeric,
}
impl Series for Numerics {
    fn next(&mut self, _: &mut dyn Env) -> Result<Option<Datum>> {
        let up = self.step.sign() > 0;
        if if up { self.next > self.stop } else { self.next < self.stop } {
            return Ok(None);
        }
        let after = self.next.add(&self.step);
        Ok(Some(Datum::Numeric(std::mem::replace(&mut self.next, after))))
    }
}
fn numeric_series(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let one = Numeric::from_i64(1);
    let (a, b, s) = match args {
        [Datum::Numeric(a), Datum::Numeric(b)] => (a, b, &one),
        [Datum::Numeric(a), Datum::Numeric(b), Datum::Numeric(s)] => (a, b, s),
        _ => return Err(bad_args("generate_series", args)),
    };
    for (v, what) in [(a, "start value"), (b, "stop value"), (s, "step size")] {
        match v {
            Numeric::NaN => bail!(INVALID_PARAMETER_VALUE, "{what} cannot be NaN"),
            Numeric::PosInf | Numeric::NegInf => bail!(INVALID_PARAMETER_VALUE, "{what} cannot be infinity"),
            _ => {}
        }
    }
    if s.is_zero() {
        return zero_step();
    }
    Ok(Box::new(Numerics { next: a.clone(), stop: b.clone(), step: s.clone() }))
}

struct Times {
    /// The value before the next one; None: before the first.
    last: Option<i64>,
    start: i64,
    stop: i64,
    step: Interval,
    up: bool,
    tz: bool,
}
impl Series for Times {
    fn next(&mut self, env: &mut dyn Env) -> Result<Option<Datum>> {
        let v = match self.last {
            None => self.start,
            Some(v) if self.tz => dt::timestamptz_add(v, &self.step, &env.text_ctx().dt.tz)?,
            Some(v) => dt::timestamp_add(v, &self.step)?,
        };
        if if self.up { v > self.stop } else { v < self.stop } {
            return Ok(None);
        }
        self.last = Some(v);
        Ok(Some(if self.tz { Datum::TimestampTz(v) } else { Datum::Timestamp(v) }))
    }
}
fn time_series(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let (start, stop, step, tz) = match args {
        [Datum::Timestamp(a), Datum::Timestamp(b), Datum::Interval(s)] => (*a, *b, s, false),
        [Datum::TimestampTz(a), Datum::TimestampTz(b), Datum::Interval(s)] => (*a, *b, s, true),
        _ => return Err(bad_args("generate_series", args)),
    };
    let sign = dt::interval_cmp_value(step).cmp(&dt::interval_cmp_value(&Interval::default()));
    if sign.is_eq() {
        return zero_step();
    }
    Ok(Box::new(Times { last: None, start, stop, step: *step, up: sign.is_gt(), tz }))
}

struct Items {
    array: Arc<Array>,
    at: usize,
}
impl Series for Items {
    fn next(&mut self, _: &mut dyn Env) -> Result<Option<Datum>> {
        let d = self.array.items.get(self.at).cloned();
        self.at += 1;
        Ok(d)
    }
}
fn unnest(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Made {
    let [Datum::Array(a)] = args else { return Err(bad_args("unnest", args)) };
    Ok(Box::new(Items { array: a.clone(), at: 0 }))
}

funcs! { pub FUNCS {
    generate_series_int4 series = int4_series;
    generate_series_step_int4 series = int4_series;
    generate_series_int8 series = int8_series;
    generate_series_step_int8 series = int8_series;
    generate_series_numeric series = numeric_series;
    generate_series_step_numeric series = numeric_series;
    generate_series_timestamp series = time_series;
    generate_series_timestamptz series = time_series;
    array_unnest series = unnest;
    generate_subscripts series = subscripts;
    generate_subscripts_nodir series = subscripts;
} }
