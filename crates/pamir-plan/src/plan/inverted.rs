//! Which conditions an inverted index answers, and what that costs.
//!
//! Conditions `column op value` whose operator is the column's class's are asked together, each for the keys that it needs; all of them are tested again on the rows.
//! Where the values are known the index says how long the keys' lists are.
use super::ranges::Target;
use super::*;
use pamir_expr::inverted::{self, Class, Need, Strategy};
use pamir_expr::plan::node::{Ask, Inverted};
use pamir_expr::rels::expr_free;

/// A condition that the index answers.
pub(super) struct AskIr {
    /// Its place among the conditions.
    pub cond: usize,
    column: u8,
    class: Class,
    strategy: Strategy,
    query: Expr,
}
/// What one inverted index is asked.
pub(super) struct Asks {
    pub index: usize,
    pub asks: Vec<AskIr>,
}

impl Planner<'_> {
    /// The conditions that an inverted index answers; None: none of them.
    pub(super) fn asks(&self, index: usize, table: &Table, t: &Target, conds: &[Expr]) -> Option<Asks> {
        let ix = table.indexes.get(index)?;
        let classes = t.lay.inverted.as_ref()?;
        let is_value = |e: &Expr| {
            !is_volatile(e) && !expr_free(e).iter().any(|c| t.own.contains(c) || t.own.contains(&self.slot_of(*c)))
        };
        let mut asks = Vec::new();
        for (n, (class, (c, _))) in classes.iter().zip(&ix.columns).enumerate() {
            let Some(class) = *class else { continue };
            let slot = match c {
                pamir_catalog::IndexColumn::Attr(a) => t.by_pos.get(&(*a as usize).wrapping_sub(1)).copied(),
                pamir_catalog::IndexColumn::Expr(..) => None,
            };
            let is_key = |e: &Expr| match (strip::strip(e), slot) {
                (Expr::Col(c, _), Some(s)) => self.slot_of(*c) == s,
                (e, None) => {
                    let of = t.exprs.get(n).and_then(|x| x.as_ref());
                    of.is_some_and(|x| path::same_expr(e, x, &|c| self.slot_of(c)))
                }
                _ => false,
            };
            for (cond, e) in conds.iter().enumerate() {
                let (strategy, query) = match e {
                    Expr::Call { f, args, .. } => {
                        let [a, b] = args.as_slice() else { continue };
                        let (second, query) = match (is_key(a), is_key(b)) {
                            (true, false) => (false, b),
                            (false, true) => (true, a),
                            _ => continue,
                        };
                        let Some(s) = inverted::strategy(class, f, second) else { continue };
                        if let Class::Scalar(ty) = class
                            && !compares_as(query.ty(), ty)
                        {
                            continue;
                        }
                        (s, query)
                    }
                    Expr::AnyAll { op, left, array, all: false }
                        if is_key(array) && inverted::asks_for_element(class, op, left.ty(), array.ty()) =>
                    {
                        (Strategy::Element, &**left)
                    }
                    _ => continue,
                };
                if is_value(query) {
                    asks.push(AskIr { cond, column: n as u8, class, strategy, query: query.clone() });
                }
            }
        }
        (!asks.is_empty()).then_some(Asks { index, asks })
    }
    /// About how many entries are read, and rows left, of a table's `rows`. None: the index leaves them all.
    pub(super) fn asked_rows(&mut self, table: &Table, a: &Asks, conds: &[Expr], rows: f64) -> Option<(f64, f64)> {
        let tree = table.indexes.get(a.index)?.tree;
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for ask in &a.asks {
            match self.value_now(&ask.query) {
                // What cannot be computed says so when it runs.
                Some((d, ty)) => known.push(
                    inverted::need(ask.class, ask.strategy, ask.column, (&d, ty.oid), &|_| None).unwrap_or(Need::Any),
                ),
                None => unknown.extend(conds.get(ask.cond).cloned()),
            }
        }
        let need = Need::all(known);
        if need == Need::Any && unknown.is_empty() {
            return None;
        }
        let (mut read, mut left) = match need {
            Need::Any => (0.0, rows),
            need => self.lists(tree, &need, rows),
        };
        if !unknown.is_empty() {
            let n = rows * self.selectivity_all(&unknown);
            read += n;
            left = left.min(n);
        }
        Some((read, left))
    }
    /// Entries read for a need, and rows that it leaves.
    fn lists(&self, tree: u64, need: &Need, rows: f64) -> (f64, f64) {
        match need {
            Need::Any => return (0.0, rows),
            Need::Nothing => return (0.0, 0.0),
            Need::Key(_) | Need::Prefix(_) | Need::Span(..) => {}
            Need::All(needs) => {
                let all: Vec<(f64, f64)> = needs.iter().map(|n| self.lists(tree, n, rows)).collect();
                let least = all.iter().map(|l| l.1).fold(rows, f64::min);
                return (all.iter().map(|l| l.0.min(4.0 * least)).sum(), least);
            }
            Need::Some(n, needs) => {
                let read: f64 = needs.iter().map(|n| self.lists(tree, n, rows).0).sum();
                return (read, (read / *n as f64).min(rows));
            }
        }
        let Ok(Some((lo, hi))) = inverted::entries(need) else { return (0.0, rows) };
        let n = self.sizes.range(tree, &lo, hi.as_deref()) as f64;
        (n, n.min(rows))
    }
    pub(super) fn compile_asks(&mut self, a: &Asks) -> Result<Inverted> {
        let mut asks = Vec::with_capacity(a.asks.len());
        for x in &a.asks {
            let (column, class, strategy) = (x.column, x.class, x.strategy);
            asks.push(Ask { column, class, strategy, query: self.compile(&x.query)?, ty: x.query.ty().oid });
        }
        Ok(Inverted { index: a.index, asks })
    }
}
/// Has a value of the type the same key as one of a column's?
fn compares_as(value: Type, column: pamir_types::Oid) -> bool {
    let text = |t: pamir_types::Oid| matches!(t, oid::TEXT | oid::VARCHAR);
    value.oid == column || text(value.oid) && text(column)
}
