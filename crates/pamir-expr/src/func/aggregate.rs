//! Aggregates: one state machine per group, with PostgreSQL's result types and arithmetic.
//!
//! Sums and averages of integers are exact (128-bit sums, numeric division); floats use Youngs and Cramer's updates (float8_accum), so that
//! variances match PostgreSQL's digits; numeric variances use exact sums of squares (numeric_var_samp).
use super::registry::{FuncList, bad_args};
use super::*;
use pamir_types::array::Array;
use pamir_types::cmp::{compare, compare_bpchar};
use pamir_types::datetime::{self, Interval};
use pamir_types::numeric::Numeric;
use pamir_types::record::{admit_elements, weight};
use pamir_types::{bail, oid};
use std::cmp::Ordering;
use std::sync::Arc;

/// Aggregates contribute no plain functions; pg_proc's transition functions are not callable here.
pub static FUNCS: FuncList = &[];

type New = fn(&CallInfo) -> Box<dyn AggState>;

/// The state constructor of an aggregate and whether it skips rows with a NULL argument.
pub fn constructor(name: &str, args: &[Oid]) -> (bool, New) {
    let of = args.first().copied().unwrap_or(0);
    let new: New = match (name, of) {
        ("count", _) => |_| Box::new(Count(0)),
        ("sum", oid::INT2 | oid::INT4) => |_| Box::new(IntSum { sum: 0, n: 0, end: IntEnd::Int8 }),
        ("sum", oid::INT8) => |_| Box::new(IntSum { sum: 0, n: 0, end: IntEnd::Numeric }),
        ("sum", oid::MONEY) => |_| Box::new(money::Sum(None)),
        ("avg", oid::INT2 | oid::INT4 | oid::INT8) => |_| Box::new(IntSum { sum: 0, n: 0, end: IntEnd::Avg }),
        ("sum", oid::NUMERIC) => |_| Box::new(NumericSum { sum: None, n: 0, avg: false }),
        ("avg", oid::NUMERIC) => |_| Box::new(NumericSum { sum: None, n: 0, avg: true }),
        ("sum", oid::FLOAT4) => |_| Box::new(Float4Sum(None)),
        ("sum", oid::FLOAT8) => |_| Box::new(Float8Sum(None)),
        ("sum", oid::INTERVAL) => |_| Box::new(IntervalSum { sum: Interval::default(), n: 0, avg: false }),
        ("avg", oid::INTERVAL) => |_| Box::new(IntervalSum { sum: Interval::default(), n: 0, avg: true }),
        ("avg", oid::FLOAT4 | oid::FLOAT8) => |_| Box::new(FloatVar::new(Stat::Avg)),
        ("min", _) => |ci| Box::new(Extreme { best: None, want: Ordering::Less, bpchar: is_bpchar(ci) }),
        ("max", _) => |ci| Box::new(Extreme { best: None, want: Ordering::Greater, bpchar: is_bpchar(ci) }),
        ("bool_and" | "every", _) => |_| Box::new(BoolFold { v: None, and: true }),
        ("bool_or", _) => |_| Box::new(BoolFold { v: None, and: false }),
        ("bit_and", _) => |_| Box::new(BitFold { name: "AND", v: None, op: |a, b| a & b }),
        ("bit_or", _) => |_| Box::new(BitFold { name: "OR", v: None, op: |a, b| a | b }),
        ("bit_xor", _) => |_| Box::new(BitFold { name: "XOR", v: None, op: |a, b| a ^ b }),
        ("string_agg", oid::BYTEA) => return (false, |_| Box::new(ByteaAgg(None))),
        ("string_agg", _) => return (false, |_| Box::new(StringAgg(None))),
        ("array_agg", oid::ANYARRAY) => {
            return (false, |_| Box::new(ArrayStack { elem: 0, inner: None, n: 0, items: Vec::new(), size: 0 }));
        }
        ("array_agg", _) => {
            return (false, |ci| Box::new(ArrayAgg { elem: string::arg_type(ci, 0).oid, items: Vec::new(), size: 64 }));
        }
        ("range_agg", _) => return (false, |_| Box::new(range::RangeAgg::default())),
        ("range_intersect_agg", _) => |_| Box::new(range::IntersectAgg::default()),
        ("xmlagg", _) => return (false, |_| Box::<xml::Agg>::default()),
        ("json_agg", _) => return (false, |ci| Box::new(json::JsonAgg::new(string::arg_type(ci, 0), false))),
        ("jsonb_agg", _) => return (false, |ci| Box::new(json::JsonAgg::new(string::arg_type(ci, 0), true))),
        ("json_object_agg", _) => {
            return (false, |ci| {
                Box::new(json::JsonObjectAgg::new(string::arg_type(ci, 0), string::arg_type(ci, 1), false))
            });
        }
        ("jsonb_object_agg", _) => {
            return (false, |ci| {
                Box::new(json::JsonObjectAgg::new(string::arg_type(ci, 0), string::arg_type(ci, 1), true))
            });
        }
        ("percentile_cont", _) => |ci| super::ordered_set::percentile(ci, true),
        ("percentile_disc", _) => |ci| super::ordered_set::percentile(ci, false),
        ("mode", _) => super::ordered_set::mode,
        ("variance" | "var_samp", oid::FLOAT4 | oid::FLOAT8) => |_| Box::new(FloatVar::new(Stat::VarSamp)),
        ("var_pop", oid::FLOAT4 | oid::FLOAT8) => |_| Box::new(FloatVar::new(Stat::VarPop)),
        ("stddev" | "stddev_samp", oid::FLOAT4 | oid::FLOAT8) => |_| Box::new(FloatVar::new(Stat::StdSamp)),
        ("stddev_pop", oid::FLOAT4 | oid::FLOAT8) => |_| Box::new(FloatVar::new(Stat::StdPop)),
        ("variance" | "var_samp", _) => |_| Box::new(NumericVar::new(Stat::VarSamp)),
        ("var_pop", _) => |_| Box::new(NumericVar::new(Stat::VarPop)),
        ("stddev" | "stddev_samp", _) => |_| Box::new(NumericVar::new(Stat::StdSamp)),
        ("stddev_pop", _) => |_| Box::new(NumericVar::new(Stat::StdPop)),
        ("regr_count", _) => |_| Box::new(Regression::new(|r| Some(Datum::Int8(r.n as i64)), true)),
        ("regr_sxx", _) => |_| Box::new(Regression::new(|r| r.some(r.sxx), false)),
        ("regr_syy", _) => |_| Box::new(Regression::new(|r| r.some(r.syy), false)),
        ("regr_sxy", _) => |_| Box::new(Regression::new(|r| r.some(r.sxy), false)),
        ("regr_avgx", _) => |_| Box::new(Regression::new(|r| r.some(r.sx / r.n), false)),
        ("regr_avgy", _) => |_| Box::new(Regression::new(|r| r.some(r.sy / r.n), false)),
        ("covar_pop", _) => |_| Box::new(Regression::new(|r| r.some(r.sxy / r.n), false)),
        ("covar_samp", _) => {
            |_| Box::new(Regression::new(|r| if r.n < 2.0 { None } else { r.some(r.sxy / (r.n - 1.0)) }, false))
        }
        ("corr", _) => |_| {
            Box::new(Regression::new(
                |r| if r.sxx == 0.0 || r.syy == 0.0 { None } else { r.some(r.sxy / (r.sxx * r.syy).sqrt()) },
                false,
            ))
        },
        ("regr_r2", _) => |_| {
            Box::new(Regression::new(
                |r| match (r.sxx == 0.0, r.syy == 0.0) {
                    (true, _) => None,
                    (_, true) => r.some(1.0),
                    _ => r.some((r.sxy * r.sxy) / (r.sxx * r.syy)),
                },
                false,
            ))
        },
        ("regr_slope", _) => {
            |_| Box::new(Regression::new(|r| if r.sxx == 0.0 { None } else { r.some(r.sxy / r.sxx) }, false))
        }
        ("regr_intercept", _) => |_| {
            Box::new(Regression::new(
                |r| if r.sxx == 0.0 { None } else { r.some((r.sy - r.sx * r.sxy / r.sxx) / r.n) },
                false,
            ))
        },
        _ => |_| Box::new(Unsupported),
    };
    (true, new)
}
pub fn is_bpchar(ci: &CallInfo) -> bool {
    string::arg_type(ci, 0).oid == oid::BPCHAR
}

struct Unsupported;
impl AggState for Unsupported {
    fn update(&mut self, _: &[Datum], _: &mut dyn Env) -> Result<()> {
        Err(pamir_types::Error::unsupported("this aggregate function"))
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Err(pamir_types::Error::unsupported("this aggregate function"))
    }
}

/// count(*) and count(x): the latter is strict, so it sees no NULLs.
struct Count(i64);
impl AggState for Count {
    fn update(&mut self, _: &[Datum], _: &mut dyn Env) -> Result<()> {
        self.0 += 1;
        Ok(())
    }
    fn repeat(&mut self, n: u64, _: &mut dyn Env) -> Result<()> {
        self.0 += n as i64;
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(Datum::Int8(self.0))
    }
    fn remove(&mut self, _: &[Datum]) -> Result<bool> {
        self.0 -= 1;
        Ok(true)
    }
}

enum IntEnd {
    Int8,
    Numeric,
    Avg,
}
struct IntSum {
    sum: i128,
    n: i64,
    end: IntEnd,
}
impl AggState for IntSum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let v = match args {
            [Datum::Int4(v)] => i128::from(*v),
            [Datum::Int8(v)] => i128::from(*v),
            [Datum::Int2(v)] => i128::from(*v),
            _ => return Err(bad_args("sum", args)),
        };
        // 2^63 additions of 63-bit values cannot overflow 127 bits.
        self.sum += v;
        self.n += 1;
        Ok(())
    }
    fn remove(&mut self, args: &[Datum]) -> Result<bool> {
        let v = match args {
            [Datum::Int4(v)] => i128::from(*v),
            [Datum::Int8(v)] => i128::from(*v),
            [Datum::Int2(v)] => i128::from(*v),
            _ => return Ok(false),
        };
        self.sum -= v;
        self.n -= 1;
        Ok(true)
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if self.n == 0 {
            return Ok(Datum::Null);
        }
        match self.end {
            IntEnd::Int8 => i64::try_from(self.sum).map(Datum::Int8).map_err(|_| arith::int8_range()),
            IntEnd::Numeric => Ok(Datum::Numeric(Numeric::from_i128(self.sum))),
            IntEnd::Avg => Numeric::from_i128(self.sum).div(&Numeric::from_i64(self.n)).map(Datum::Numeric),
        }
    }
}
struct NumericSum {
    sum: Option<Numeric>,
    n: i64,
    avg: bool,
}
impl AggState for NumericSum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Numeric(v)] = args else { return Err(bad_args("sum", args)) };
        self.n += 1;
        self.sum = Some(match &self.sum {
            None => v.clone(),
            Some(s) => s.add(v),
        });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match &self.sum {
            None => Ok(Datum::Null),
            Some(s) if self.avg => s.div(&Numeric::from_i64(self.n)).map(Datum::Numeric),
            Some(s) => Ok(Datum::Numeric(s.clone())),
        }
    }
}
struct Float4Sum(Option<f32>);
impl AggState for Float4Sum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Float4(v)] = args else { return Err(bad_args("sum", args)) };
        let s = self.0.unwrap_or(0.0);
        let r = s + v;
        if r.is_infinite() && s.is_finite() && v.is_finite() {
            return Err(arith::overflow());
        }
        self.0 = Some(if self.0.is_none() { *v } else { r });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.map_or(Datum::Null, Datum::Float4))
    }
}
struct Float8Sum(Option<f64>);
impl AggState for Float8Sum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Float8(v)] = args else { return Err(bad_args("sum", args)) };
        let s = self.0.unwrap_or(0.0);
        let r = s + v;
        if r.is_infinite() && s.is_finite() && v.is_finite() {
            return Err(arith::overflow());
        }
        self.0 = Some(if self.0.is_none() { *v } else { r });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.map_or(Datum::Null, Datum::Float8))
    }
}
struct IntervalSum {
    sum: Interval,
    n: i64,
    avg: bool,
}
impl AggState for IntervalSum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Interval(v)] = args else { return Err(bad_args("sum", args)) };
        self.sum = datetime::interval_add(&self.sum, v)?;
        self.n += 1;
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match self.n {
            0 => Ok(Datum::Null),
            n if self.avg => datetime::interval_div(&self.sum, n as f64).map(Datum::Interval),
            _ => Ok(Datum::Interval(self.sum)),
        }
    }
}

struct Extreme {
    best: Option<Datum>,
    want: Ordering,
    bpchar: bool,
}
impl AggState for Extreme {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v] = args else { return Err(bad_args("min", args)) };
        let better = match (&self.best, v) {
            (None, _) => true,
            (Some(Datum::Text(b)), Datum::Text(v)) if self.bpchar => compare_bpchar(v, b) == self.want,
            (Some(Datum::Int4(b)), Datum::Int4(v)) => v.cmp(b) == self.want,
            (Some(Datum::Int8(b)), Datum::Int8(v)) => v.cmp(b) == self.want,
            // Of equal values that look different (1.0, 1.00) the later stays, as numeric_larger has it.
            (Some(b), v) => compare(v, b) != self.want.reverse(),
        };
        if better {
            self.best = Some(v.clone());
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.best.take().unwrap_or(Datum::Null))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.best.clone().unwrap_or(Datum::Null))
    }
}
struct BoolFold {
    v: Option<bool>,
    and: bool,
}
impl AggState for BoolFold {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Bool(b)] = args else { return Err(bad_args("bool_and", args)) };
        self.v = Some(match self.v {
            None => *b,
            Some(v) if self.and => v && *b,
            Some(v) => v || *b,
        });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.v.into())
    }
}
struct BitFold {
    /// As the operator of bit strings is called in errors.
    name: &'static str,
    v: Option<Datum>,
    op: fn(i64, i64) -> i64,
}
impl AggState for BitFold {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [b] = args else { return Err(bad_args("bit_and", args)) };
        self.v = Some(match (self.v.take(), b) {
            (None, b) => b.clone(),
            (Some(Datum::Int2(a)), Datum::Int2(b)) => Datum::Int2((self.op)(a.into(), (*b).into()) as i16),
            (Some(Datum::Int4(a)), Datum::Int4(b)) => Datum::Int4((self.op)(a.into(), (*b).into()) as i32),
            (Some(Datum::Int8(a)), Datum::Int8(b)) => Datum::Int8((self.op)(a, *b)),
            (Some(Datum::Bits(a)), Datum::Bits(b)) => {
                let f = |a, b| (self.op)(i64::from(a), i64::from(b)) as u8;
                a.combine(b, self.name, f)?.into()
            }
            _ => return Err(bad_args("bit_and", args)),
        });
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.v.take().unwrap_or(Datum::Null))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.v.clone().unwrap_or(Datum::Null))
    }
}
/// Before a value that is being collected grows to `len` bytes.
fn admit_value(capacity: usize, len: usize) -> Result<()> {
    if len > string::MAX_VALUE {
        return Err(string::too_long());
    }
    pamir_types::memory::admit_growth(capacity, len)
}
/// string_agg(text, text): NULL values are skipped, a NULL delimiter is empty; the first value's delimiter is not used.
struct StringAgg(Option<String>);
impl AggState for StringAgg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v, sep] = args else { return Err(bad_args("string_agg", args)) };
        let Datum::Text(v) = v else { return Ok(()) };
        match &mut self.0 {
            None => self.0 = Some(v.to_string()),
            Some(s) => {
                let sep: &str = if let Datum::Text(sep) = sep { sep } else { "" };
                admit_value(s.capacity(), s.len() + sep.len() + v.len())?;
                s.push_str(sep);
                s.push_str(v);
            }
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.take().into())
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.clone().into())
    }
    fn size(&self) -> usize {
        64 + self.0.as_ref().map_or(0, String::capacity)
    }
}
struct ByteaAgg(Option<Vec<u8>>);
impl AggState for ByteaAgg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v, sep] = args else { return Err(bad_args("string_agg", args)) };
        let Datum::Bytea(v) = v else { return Ok(()) };
        match &mut self.0 {
            None => self.0 = Some(v.to_vec()),
            Some(s) => {
                let sep: &[u8] = if let Datum::Bytea(sep) = sep { sep } else { &[] };
                admit_value(s.capacity(), s.len() + sep.len() + v.len())?;
                s.extend_from_slice(sep);
                s.extend_from_slice(v);
            }
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.take().map_or(Datum::Null, |v| Datum::Bytea(v.into())))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.as_deref().map_or(Datum::Null, |v| Datum::Bytea(v.into())))
    }
    fn size(&self) -> usize {
        64 + self.0.as_ref().map_or(0, Vec::capacity)
    }
}
struct ArrayAgg {
    elem: Oid,
    items: Vec<Datum>,
    size: usize,
}
impl AggState for ArrayAgg {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v] = args else { return Err(bad_args("array_agg", args)) };
        let own = size_of::<Datum>();
        pamir_types::memory::admit_growth(self.items.capacity() * own, (self.items.len() + 1) * own)?;
        self.size += weight(v);
        self.items.push(v.clone());
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if self.items.is_empty() {
            return Ok(Datum::Null);
        }
        admit_elements(&self.items)?;
        Ok(Datum::Array(Arc::new(Array::from_vec(self.elem, std::mem::take(&mut self.items)))))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if self.items.is_empty() {
            return Ok(Datum::Null);
        }
        admit_elements(&self.items)?;
        Ok(Datum::Array(Arc::new(Array::from_vec(self.elem, self.items.clone()))))
    }
    fn size(&self) -> usize {
        self.size
    }
}
/// ARRAY(SELECT array ...).
pub fn stack_arrays(elem: Oid, arrays: &[Datum]) -> Result<Datum> {
    let mut stack = ArrayStack { elem, inner: None, n: 0, items: Vec::new(), size: 0 };
    for a in arrays {
        stack.push(a)?;
    }
    admit_elements(&stack.items)?;
    Ok(stack.whole().unwrap_or_else(|| Datum::Array(Arc::new(Array::from_vec(elem, Vec::new())))))
}
/// array_agg(anyarray): arrays of one shape stacked into one more dimension.
struct ArrayStack {
    elem: Oid,
    inner: Option<Vec<(i32, i32)>>,
    n: i32,
    items: Vec<Datum>,
    /// Bytes of the items.
    size: usize,
}
impl ArrayStack {
    fn push(&mut self, v: &Datum) -> Result<()> {
        let Datum::Array(a) = v else { bail!(NULL_VALUE_NOT_ALLOWED, "cannot accumulate null arrays") };
        if a.dims.is_empty() {
            bail!(ARRAY_SUBSCRIPT_ERROR, "cannot accumulate empty arrays");
        }
        if a.dims.len() >= pamir_types::array::MAX_DIM {
            bail!(
                PROGRAM_LIMIT_EXCEEDED,
                "number of array dimensions ({}) exceeds the maximum allowed (6)",
                a.dims.len() + 1
            );
        }
        match &self.inner {
            None => {
                self.elem = a.elem;
                self.inner = Some(a.dims.clone());
            }
            Some(d) if *d != a.dims => {
                bail!(ARRAY_SUBSCRIPT_ERROR, "cannot accumulate arrays of different dimensionality")
            }
            Some(_) => {}
        }
        self.n += 1;
        self.size += a.items.iter().map(weight).sum::<usize>();
        self.items.extend(a.items.iter().cloned());
        Ok(())
    }
    /// None: of no array.
    fn whole(&mut self) -> Option<Datum> {
        let mut dims = vec![(self.n, 1)];
        dims.extend(self.inner.take()?);
        Some(Datum::Array(Arc::new(Array { elem: self.elem, dims, items: std::mem::take(&mut self.items) })))
    }
}
impl AggState for ArrayStack {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        match args {
            [v] => self.push(v),
            _ => Err(bad_args("array_agg", args)),
        }
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        admit_elements(&self.items)?;
        Ok(self.whole().unwrap_or(Datum::Null))
    }
    fn current(&mut self, _: &mut dyn Env) -> Result<Datum> {
        let Some(inner) = &self.inner else { return Ok(Datum::Null) };
        let mut dims = vec![(self.n, 1)];
        dims.extend(inner.iter().cloned());
        Ok(Datum::Array(Arc::new(Array { elem: self.elem, dims, items: self.items.clone() })))
    }
    fn size(&self) -> usize {
        64 + self.size
    }
}

#[derive(Clone, Copy)]
enum Stat {
    Avg,
    VarPop,
    VarSamp,
    StdPop,
    StdSamp,
}
/// float8_accum: count, sum and sum of squared differences, updated as Youngs and Cramer (1971) do.
struct FloatVar {
    n: f64,
    sx: f64,
    sxx: f64,
    stat: Stat,
}
impl FloatVar {
    fn new(stat: Stat) -> FloatVar {
        FloatVar { n: 0.0, sx: 0.0, sxx: 0.0, stat }
    }
}
impl AggState for FloatVar {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let x = match args {
            [Datum::Float8(v)] => *v,
            [Datum::Float4(v)] => f64::from(*v),
            _ => return Err(bad_args("avg", args)),
        };
        let before = self.sx;
        self.n += 1.0;
        self.sx += x;
        if self.n > 1.0 {
            let d = x * self.n - self.sx;
            self.sxx += d * d / (self.n * (self.n - 1.0));
            if self.sx.is_infinite() || self.sxx.is_infinite() {
                if before.is_finite() && x.is_finite() {
                    return Err(arith::overflow());
                }
                self.sxx = f64::NAN;
            }
        } else if !x.is_finite() {
            self.sxx = f64::NAN;
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        let (n, sxx) = (self.n, self.sxx);
        let least = if matches!(self.stat, Stat::VarSamp | Stat::StdSamp) { 2.0 } else { 1.0 };
        if n < least {
            return Ok(Datum::Null);
        }
        Ok(Datum::Float8(match self.stat {
            Stat::Avg => self.sx / n,
            Stat::VarPop => sxx / n,
            Stat::VarSamp => sxx / (n - 1.0),
            Stat::StdPop => (sxx / n).sqrt(),
            Stat::StdSamp => (sxx / (n - 1.0)).sqrt(),
        }))
    }
}
/// Exact variance of integers and numerics: N, sum and sum of squares (numeric_stddev_internal).
struct NumericVar {
    n: i64,
    sum: Numeric,
    squares: Numeric,
    special: bool,
    stat: Stat,
}
impl NumericVar {
    fn new(stat: Stat) -> NumericVar {
        NumericVar { n: 0, sum: Numeric::from_i64(0), squares: Numeric::from_i64(0), special: false, stat }
    }
}
impl AggState for NumericVar {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let v = match args {
            [Datum::Numeric(v)] => v.clone(),
            [Datum::Int2(v)] => Numeric::from_i64((*v).into()),
            [Datum::Int4(v)] => Numeric::from_i64((*v).into()),
            [Datum::Int8(v)] => Numeric::from_i64(*v),
            _ => return Err(bad_args("variance", args)),
        };
        self.n += 1;
        if matches!(v, Numeric::NaN | Numeric::PosInf | Numeric::NegInf) {
            self.special = true;
            return Ok(());
        }
        self.sum = self.sum.add(&v);
        self.squares = self.squares.add(&v.mul_exact(&v));
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        let sample = matches!(self.stat, Stat::VarSamp | Stat::StdSamp);
        if self.n == 0 || (sample && self.n == 1) {
            return Ok(Datum::Null);
        }
        if self.special {
            return Ok(Datum::Numeric(Numeric::NaN));
        }
        let n = Numeric::from_i64(self.n);
        let top = n.mul_exact(&self.squares).sub(&self.sum.mul_exact(&self.sum));
        if top.sign() <= 0 {
            return Ok(Datum::Numeric(Numeric::from_i64(0)));
        }
        let var = top.div(&n.mul(&Numeric::from_i64(if sample { self.n - 1 } else { self.n })))?;
        Ok(Datum::Numeric(match self.stat {
            Stat::StdPop | Stat::StdSamp => var.sqrt_at(var.scale())?,
            _ => var,
        }))
    }
}
/// The two-argument statistics f(Y, X) (float8_regr_accum).
struct Regression {
    n: f64,
    sx: f64,
    sxx: f64,
    sy: f64,
    syy: f64,
    sxy: f64,
    end: fn(&Regression) -> Option<Datum>,
    counts: bool,
}
impl Regression {
    fn new(end: fn(&Regression) -> Option<Datum>, counts: bool) -> Regression {
        Regression { n: 0.0, sx: 0.0, sxx: 0.0, sy: 0.0, syy: 0.0, sxy: 0.0, end, counts }
    }
    fn some(&self, v: f64) -> Option<Datum> {
        Some(Datum::Float8(v))
    }
}
impl AggState for Regression {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Float8(y), Datum::Float8(x)] = args else { return Err(bad_args("regr", args)) };
        self.n += 1.0;
        if self.counts {
            return Ok(());
        }
        // As float8_regr_accum: what is not finite spoils the sums that it goes into.
        let (sx, sy) = (self.sx, self.sy);
        self.sx += x;
        self.sy += y;
        if self.n > 1.0 {
            let (dx, dy) = (x * self.n - self.sx, y * self.n - self.sy);
            let scale = 1.0 / (self.n * (self.n - 1.0));
            self.sxx += dx * dx * scale;
            self.syy += dy * dy * scale;
            self.sxy += dx * dy * scale;
            let given = |before: f64, v: f64| before.is_infinite() || v.is_infinite();
            let (over_x, over_y) = (!given(sx, *x), !given(sy, *y));
            if over_x && (self.sx.is_infinite() || self.sxx.is_infinite())
                || over_y && (self.sy.is_infinite() || self.syy.is_infinite())
                || over_x && over_y && self.sxy.is_infinite()
            {
                return Err(arith::overflow());
            }
            for sum in [&mut self.sxx, &mut self.syy, &mut self.sxy].into_iter().filter(|s| s.is_infinite()) {
                *sum = f64::NAN;
            }
        } else {
            if !x.is_finite() {
                (self.sxx, self.sxy) = (f64::NAN, f64::NAN);
            }
            if !y.is_finite() {
                (self.syy, self.sxy) = (f64::NAN, f64::NAN);
            }
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        if self.n < 1.0 && !self.counts {
            return Ok(Datum::Null);
        }
        Ok((self.end)(self).unwrap_or(Datum::Null))
    }
}
