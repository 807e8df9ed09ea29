//! Window functions: one sort and one node per distinct partitioning and order.
use super::project::first_rows;
use super::{ARRAY_ELEMENTS, CPU_OPERATOR, Planner, Want};
use pamir_expr::expr::{cmp_of, int_of, is_int};
use pamir_expr::ir::{CmpOp, Expr, FrameBound, Rel, SortKey, WindowCall, WindowFn};
use pamir_expr::plan::node::{FrameEnd, Kind, LimitSpec, PNode, WindowOne, WindowSpec};
use pamir_expr::rels::{expr_free, has_subquery, is_volatile, produced};
use pamir_types::{Datum, Result, Type, oid};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Planner<'_> {
    pub(super) fn plan_window(&mut self, input: &Rel, calls: &[WindowCall], conds: Vec<Expr>) -> Result<PNode> {
        // Calls over the same rows in the same order share a node.
        let mut groups: Vec<(Vec<SortKey>, usize, String, Vec<&WindowCall>)> = Vec::new();
        for c in calls {
            let part = |e: &Expr| SortKey { e: e.clone(), desc: false, nulls_first: false };
            let keys: Vec<SortKey> = c.partition_by.iter().map(part).chain(c.order_by.iter().cloned()).collect();
            let name = format!("{} {keys:?}", c.partition_by.len());
            match groups.iter_mut().find(|g| g.2 == name) {
                Some(g) => g.3.push(c),
                None => groups.push((keys, c.partition_by.len(), name, vec![c])),
            }
        }
        let (down, conds) = self.by_partition(input, calls, conds);
        let counted = match groups.as_slice() {
            [(keys, 0, _, calls)] => self.first_numbers(keys, calls, &conds)?,
            _ => None,
        };
        let first = groups.first().map(|g| g.0.clone()).unwrap_or_default();
        let order = self.want_of(&first);
        let want = Want::order(order.clone().unwrap_or_default(), counted.as_ref().map(|c| c.1));
        let mut node = self.plan_rel(input, down, &want)?;
        let mut sorted: Vec<SortKey> = Vec::new();
        if let Some(o) = &order {
            node = match self.relies(node, o)? {
                Ok(ordered) => {
                    sorted = first;
                    ordered
                }
                Err(node) => node,
            };
        }
        for (keys, parts, _, calls) in groups {
            // Rows sorted by more than is asked for are sorted.
            let done = keys.len() <= sorted.len()
                && keys.iter().zip(&sorted).all(|(a, b)| format!("{a:?}") == format!("{b:?}"));
            if !done {
                let limit = counted.as_ref().filter(|(spec, _)| spec.ties.is_none()).map(|c| c.0.clone());
                node = self.add_sort(node, &keys, limit)?;
                sorted = keys.clone();
            }
            if let Some((spec, rows)) = counted.clone() {
                let (mut est, out) = (node.est, node.out.clone());
                est.total = first_rows(&est, rows);
                est.rows = est.rows.min(rows).max(1.0);
                node = PNode { kind: Kind::Limit { input: Box::new(node), spec }, est, out, id: 0 };
            }
            let mut est = node.est;
            est.total += est.rows * CPU_OPERATOR * (keys.len() + calls.len()) as f64;
            let mut out = node.out.clone();
            let mut ones = Vec::with_capacity(calls.len());
            for c in calls {
                let one = self.window_one(c)?;
                out.push(one.slot);
                ones.push(one);
            }
            let spec = WindowSpec { keys: self.key_specs(&keys)?, parts, calls: ones, input: node.out.clone() };
            let kind = Kind::Window { input: Box::new(node), spec: Arc::new(spec) };
            node = PNode { kind, est, out, id: 0 };
        }
        self.add_filter(node, conds)
    }
    /// The conditions that may as well select among the rows below, and the others: what is the same for all rows of a partition keeps or drops it as a whole.
    fn by_partition(&self, input: &Rel, calls: &[WindowCall], conds: Vec<Expr>) -> (Vec<Expr>, Vec<Expr>) {
        let mut own = FxHashSet::default();
        produced(input, &mut own);
        own.extend(calls.iter().map(|c| c.out.id));
        let slots: FxHashSet<u32> = own.iter().map(|c| self.slot_of(*c)).collect();
        let divides = |c: u32| {
            let is = |e: &Expr| matches!(e, Expr::Col(p, _) if self.slot_of(*p) == c);
            calls.iter().all(|w| w.partition_by.iter().any(is))
        };
        conds.into_iter().partition(|c| {
            let all = |c: &u32| !slots.contains(c) || divides(*c);
            !is_volatile(c) && !has_subquery(c) && expr_free(c).iter().map(|c| self.slot_of(*c)).all(|c| all(&c))
        })
    }
    /// `row_number() <= n` in all rows' order keeps the first n of them, `rank() <= n` also what ties with the last: what limits the input, and about how many
    /// rows that leaves. None: there is no such condition, or another of the functions looks at rows behind.
    fn first_numbers(
        &mut self,
        keys: &[SortKey],
        calls: &[&WindowCall],
        conds: &[Expr],
    ) -> Result<Option<(Arc<LimitSpec>, f64)>> {
        if !calls.iter().all(|c| matches!(c.f, WindowFn::RowNumber | WindowFn::Rank | WindowFn::DenseRank)) {
            return Ok(None);
        }
        let slot = |e: &Expr| if let Expr::Col(c, _) = e { Some(self.slot_of(*c)) } else { None };
        let bound = |c: &Expr| {
            let Expr::Call { f, args, .. } = c else { return None };
            let [a, b] = args.as_slice() else { return None };
            let (op, n, v) = match (slot(a), slot(b)) {
                (Some(n), _) => (cmp_of(f)?, n, b),
                (_, Some(n)) => (cmp_of(f)?.flipped(), n, a),
                _ => return None,
            };
            let call = calls.iter().find(|w| self.slot_of(w.out.id) == n && !matches!(w.f, WindowFn::DenseRank))?;
            let counts = matches!(op, CmpOp::Lt | CmpOp::Le | CmpOp::Eq) && is_int(v.ty().oid);
            (counts && matches!(v, Expr::Const(..) | Expr::Param(..))).then(|| (call.f.clone(), v.clone()))
        };
        let Some((f, v)) = conds.iter().find_map(bound) else { return Ok(None) };
        let rows = if let Expr::Const(d, _) = &v { int_of(d).map_or(0.0, |v| v.max(0) as f64) } else { ARRAY_ELEMENTS };
        // No number is negative, and none is at most NULL.
        let ty = v.ty();
        let zero = match ty.oid {
            oid::INT2 => Datum::Int2(0),
            oid::INT4 => Datum::Int4(0),
            _ => Datum::Int8(0),
        };
        let count = self.compile(&Expr::Extreme(vec![v, Expr::Const(zero, ty)], true, ty))?;
        let ties = if matches!(f, WindowFn::Rank) { Some(self.key_specs(keys)?) } else { None };
        Ok(Some((Arc::new(LimitSpec { limit: Some(count), offset: None, ties }), rows)))
    }
    fn window_one(&mut self, c: &WindowCall) -> Result<WindowOne> {
        Ok(WindowOne {
            f: c.f.clone(),
            args: self.compile_all(&c.args)?,
            arg_types: c.args.iter().map(|a| a.ty()).collect(),
            filter: c.filter.as_ref().map(|f| self.compile(f)).transpose()?,
            ret: c.out.ty,
            slot: self.slot_of(c.out.id),
            units: c.frame.units,
            start: self.frame_end(&c.frame.start)?,
            end: self.frame_end(&c.frame.end)?,
            exclude: c.frame.exclude,
            key: match &c.frame.key {
                Some(k) => Some((self.compile(k)?, k.ty())),
                None => None,
            },
        })
    }
    fn frame_end(&mut self, b: &FrameBound) -> Result<FrameEnd> {
        Ok(match b {
            FrameBound::Unbounded => FrameEnd::Unbounded,
            FrameBound::Current => FrameEnd::Current,
            FrameBound::Offset { e, following, value } => {
                let ty: Type = e.ty();
                let value = value.as_ref().map(|v| self.compile(v)).transpose()?;
                FrameEnd::Offset { e: self.compile(e)?, ty, following: *following, value }
            }
        })
    }
}
