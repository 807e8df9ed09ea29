//! Ranking window functions: row_number, rank, dense_rank.
//!
//! The input comes sorted by partition, then order, so one pass that remembers the row before is enough:
//!
//! ```text
//!   partition changed     all counters start again
//!   order key changed     rank = row number, dense rank + 1
//!   the same ("peer")     rank stays
//! ```
//! Limits: windows over whole partitions (aggregates, lag, lead, frames) are not here; the binder refuses them.
use super::sort::compare_keys;
use super::{Op, Rt, expr};
use crate::ir::WindowFn;
use crate::plan::node::WindowSpec;
use pamir_types::{Datum, Result};
use std::sync::Arc;

pub struct Window {
    input: Box<dyn Op>,
    spec: Arc<WindowSpec>,
    /// Keys of the row before; None at the start.
    last: Option<Vec<Datum>>,
    row: i64,
    rank: i64,
    dense: i64,
}
impl Window {
    pub fn new(input: Box<dyn Op>, spec: Arc<WindowSpec>) -> Window {
        Window { input, spec, last: None, row: 0, rank: 0, dense: 0 }
    }
}
impl Op for Window {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.last = None;
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.input.next(rt)? {
            return Ok(false);
        }
        let spec = &self.spec;
        let mut keys = Vec::with_capacity(spec.keys.len());
        for k in &spec.keys {
            keys.push(expr::eval(&k.e, rt)?);
        }
        let n = spec.parts.min(keys.len());
        let same = |last: &[Datum], from: usize, to: usize| match (last.get(from..to), spec.keys.get(from..to)) {
            (Some(l), Some(k)) => compare_keys(l, &keys[from..to], k).is_eq(),
            _ => false,
        };
        match &self.last {
            Some(l) if same(l, 0, n) => {
                self.row += 1;
                if !same(l, n, keys.len()) {
                    self.rank = self.row;
                    self.dense += 1;
                }
            }
            _ => (self.row, self.rank, self.dense) = (1, 1, 1),
        }
        self.last = Some(keys);
        let v = match spec.f {
            WindowFn::RowNumber => self.row,
            WindowFn::Rank => self.rank,
            WindowFn::DenseRank => self.dense,
        };
        rt.set(spec.slot, Datum::Int8(v));
        Ok(true)
    }
}
