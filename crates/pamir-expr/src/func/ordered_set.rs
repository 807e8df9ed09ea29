//! Ordered-set aggregates: percentile_cont, percentile_disc and mode (PostgreSQL's orderedsetaggs.c).
//!
//! Their rows come sorted, as those of any aggregate with an ORDER BY. An update has the direct argument (the fraction) first and the sorted value last;
//! rows with a NULL in either do not count. Limit: the values of a group are kept in memory, and charged.
use super::aggregate::is_bpchar;
use super::registry::bad_args;
use super::{AggState, CallInfo, string};
use crate::env::Env;
use pamir_types::array::Array;
use pamir_types::cmp::{compare, compare_bpchar};
use pamir_types::datetime::{interval_add, interval_mul, interval_sub};
use pamir_types::record::weight;
use pamir_types::{Datum, Oid, Result, bail};
use std::sync::Arc;

/// How many direct arguments an ordered-set aggregate has; None: it is none.
pub fn direct_args(name: &str) -> Option<usize> {
    match name {
        "percentile_cont" | "percentile_disc" => Some(1),
        "mode" => Some(0),
        _ => None,
    }
}

pub fn percentile(ci: &CallInfo, continuous: bool) -> Box<dyn AggState> {
    let elem = string::arg_type(ci, 1).oid;
    Box::new(Percentile { continuous, elem, fractions: None, values: Vec::new(), size: 64 })
}

pub fn mode(ci: &CallInfo) -> Box<dyn AggState> {
    Box::new(Mode { bpchar: is_bpchar(ci), run: None, best: None })
}

struct Percentile {
    continuous: bool,
    elem: Oid,
    fractions: Option<Datum>,
    values: Vec<Datum>,
    size: usize,
}
impl Percentile {
    /// The value below which the fraction `p` of the values lies.
    fn at(&self, p: f64) -> Result<Datum> {
        if p.is_nan() || !(0.0..=1.0).contains(&p) {
            bail!(NUMERIC_VALUE_OUT_OF_RANGE, "percentile value {p} is not between 0 and 1");
        }
        let value = |i: f64| self.values.get(i as usize).cloned().unwrap_or(Datum::Null);
        let n = self.values.len() as f64;
        if !self.continuous {
            return Ok(value(((p * n).ceil() - 1.0).max(0.0)));
        }
        let place = p * (n - 1.0);
        let (low, high) = (place.floor(), place.ceil());
        let share = place - low;
        Ok(match (value(low), value(high)) {
            (a, _) if low == high => a,
            (Datum::Float8(a), Datum::Float8(b)) => Datum::Float8(a + share * (b - a)),
            (Datum::Interval(a), Datum::Interval(b)) => {
                Datum::Interval(interval_add(&interval_mul(&interval_sub(&b, &a)?, share)?, &a)?)
            }
            (a, b) => return Err(bad_args("percentile_cont", &[a, b])),
        })
    }
}
impl AggState for Percentile {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [fractions, v] = args else { return Err(bad_args("percentile", args)) };
        let own = size_of::<Datum>();
        pamir_types::memory::admit_growth(self.values.capacity() * own, (self.values.len() + 1) * own)?;
        self.size += weight(v);
        if self.fractions.is_none() {
            self.fractions = Some(fractions.clone());
        }
        self.values.push(v.clone());
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        match &self.fractions {
            None => Ok(Datum::Null),
            Some(Datum::Float8(p)) => self.at(*p),
            Some(Datum::Array(a)) => {
                let mut items = Vec::with_capacity(a.items.len());
                for p in &a.items {
                    items.push(match p {
                        Datum::Float8(p) => self.at(*p)?,
                        _ => Datum::Null,
                    });
                }
                Ok(Datum::Array(Arc::new(Array { elem: self.elem, dims: a.dims.clone(), items })))
            }
            Some(d) => Err(bad_args("percentile", std::slice::from_ref(d))),
        }
    }
    fn size(&self) -> usize {
        self.size
    }
}

/// The most frequent value; of several the first in the order.
struct Mode {
    bpchar: bool,
    /// The value that is being counted.
    run: Option<(Datum, u64)>,
    best: Option<(Datum, u64)>,
}
impl Mode {
    fn end_run(&mut self) {
        if let Some((v, n)) = self.run.take()
            && self.best.as_ref().is_none_or(|b| n > b.1)
        {
            self.best = Some((v, n));
        }
    }
}
impl AggState for Mode {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [v] = args else { return Err(bad_args("mode", args)) };
        let same = match (&self.run, v) {
            (Some((Datum::Text(a), _)), Datum::Text(b)) if self.bpchar => compare_bpchar(a, b).is_eq(),
            (Some((a, _)), b) => compare(a, b).is_eq(),
            (None, _) => false,
        };
        match &mut self.run {
            Some((_, n)) if same => *n += 1,
            _ => {
                self.end_run();
                self.run = Some((v.clone(), 1));
            }
        }
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        self.end_run();
        Ok(self.best.take().map_or(Datum::Null, |b| b.0))
    }
}
