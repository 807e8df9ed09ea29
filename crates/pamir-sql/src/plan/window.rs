//! Window functions: one sort and one node per distinct partitioning and order.
use super::node::{FrameEnd, Kind, PNode, WindowOne, WindowSpec};
use super::{CPU_OPERATOR, Planner, Want};
use crate::ir::{Expr, FrameBound, Rel, SortKey, WindowCall};
use pamir_types::{Result, Type};
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
        // No condition passes below: it would change what the functions see.
        let first = groups.first().map(|g| g.0.clone()).unwrap_or_default();
        let order = self.want_of(&first);
        let want = Want { order: order.clone().unwrap_or_default(), limit: None };
        let mut node = self.plan_rel(input, Vec::new(), &want)?;
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
                node = self.add_sort(node, &keys, None)?;
                sorted = keys.clone();
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
    fn window_one(&mut self, c: &WindowCall) -> Result<WindowOne> {
        Ok(WindowOne {
            f: c.f,
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
