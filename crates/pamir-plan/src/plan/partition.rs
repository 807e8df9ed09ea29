//! Which partitions conditions leave.
//!
//! A partition's scan that is part of its parent's is planned under the query's conditions; at each level above, they are turned into bounds of the partition key as if
//! that were an index ([`Planner::index_bounds`]). Bounds whose values are constants decide now: the scan becomes nothing. Others (parameters, columns of an outer row)
//! are a [`Gate`], asked whenever the scan opens.
use super::ranges::{IndexBounds, Target};
use super::*;
use crate::bind::bind_stored;
use pamir_expr::no_session::NoSession;
use pamir_expr::partition;
use pamir_expr::plan::node::Gate;

impl Planner<'_> {
    /// The gates of a partition's scan under `conds`; None: no row of it meets them.
    pub(super) fn gates(
        &mut self,
        table: &Arc<Table>,
        conds: &[Expr],
        by_pos: &FxHashMap<usize, u32>,
        own: &FxHashSet<ColId>,
    ) -> Result<Option<Vec<Gate>>> {
        let mut gates = Vec::new();
        if conds.is_empty() || !self.settings.enable_partition_pruning {
            return Ok(Some(gates));
        }
        let catalog = self.catalog.clone();
        let mut child = table.oid;
        for parent in catalog.partition_ancestors(table) {
            let mut env = NoSession::new(&catalog, table.database);
            let parts = partition::parts_for(&parent, &catalog, &mut |t| bind_stored(&parent, t, None, &mut env))?;
            let Some(at) = parts.children.iter().position(|c| *c == child) else { return Ok(Some(gates)) };
            child = parent.oid;
            let to = pamir_catalog::partition::places(&parent, table);
            let by_key: FxHashMap<usize, u32> =
                to.iter().enumerate().filter_map(|(p, c)| by_pos.get(c).map(|s| (p, *s))).collect();
            let renamed = |e: &Option<(Expr, Px)>| e.as_ref().map(|e| super::path::rename(&e.0, &by_key));
            let exprs = parts.exprs.iter().map(renamed).collect();
            let target = Target { lay: &parts.lay, exprs, by_pos: &by_key, own };
            let choices = self.choices(conds);
            for b in self.index_bounds(&target, conds, &choices).into_iter().filter(|b| !b.used.is_empty()) {
                match self.holds_now(parts, at, &b)? {
                    Some(false) => return Ok(None),
                    Some(true) => {}
                    None => {
                        let bounds = self.compile_bounds(&b, false)?;
                        gates.push(Gate { parent: parent.clone(), child: at, bounds });
                    }
                }
            }
        }
        Ok(Some(gates))
    }
    /// Whether a child may have rows within bounds of constants; None: there are other values in them.
    fn holds_now(&mut self, parts: &partition::Parts, child: usize, b: &IndexBounds) -> Result<Option<bool>> {
        let constant = |e: &Expr| matches!(e, Expr::Const(..)).then(|| e.clone());
        let Some(bounds) = b.constant(&constant) else { return Ok(None) };
        let mut env = NoSession::new(self.catalog, 0);
        let mut cx = expr::ParamCx { params: &[], env: &mut env };
        parts.may_hold(child, &bounds, &mut cx).map(Some)
    }
}
