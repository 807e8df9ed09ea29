//! Which partitions conditions leave.
//!
//! Conditions are turned into bounds of the partition key as if that were an index ([`Planner::index_bounds`]). Bounds whose values are constants decide now: no arm is
//! made of a partition that has no such rows. Others (parameters, columns of an outer row) are [`Gate`]s: those of the named table are asked once, whenever the
//! append opens, and tell the arms to open; those of levels below are asked by each scan.
use super::ranges::Target;
use super::*;
use crate::bind::bind_stored;
use pamir_expr::no_session::NoSession;
use pamir_expr::partition;
use pamir_expr::plan::node::{Bounds, Gate};

/// What conditions say of a partition key.
enum Asked {
    /// No row of the child meets them.
    Nothing,
    /// Perhaps some do; and bounds that are known later.
    Some(Vec<Bounds>),
}
impl Planner<'_> {
    /// The scan of a partitioned table: of the partitions that conditions leave.
    pub(super) fn plan_partitions(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::Table { table, alias, cols, key, tableoid, lock, parts: Some(leaves) } = r else {
            return Err(Error::internal("no partitioned table"));
        };
        let catalog = self.catalog.clone();
        let mut own: FxHashSet<ColId> = cols.iter().map(|c| c.1.id).collect();
        own.extend(key.iter().chain(tableoid));
        let by_pos: FxHashMap<usize, u32> = cols.iter().map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id)).collect();
        let mut env = NoSession::new(&catalog, table.database);
        let scheme = partition::parts_for(table, &catalog, &mut |t| bind_stored(table, t, None, &mut env))?;
        let mut live = vec![true; scheme.children.len()];
        let mut gates = Vec::new();
        if self.settings.enable_partition_pruning && !conds.is_empty() {
            for (b, known) in self.key_bounds(scheme, &conds, &by_pos, &own)? {
                match known {
                    true => {
                        let mut env = NoSession::new(&catalog, 0);
                        scheme.leave_out(&b, &mut expr::ParamCx { params: &[], env: &mut env }, &mut live)?;
                    }
                    false => gates.push(Gate { parent: table.clone(), child: usize::MAX, bounds: b }),
                }
            }
        }
        let (mut arms, mut children) = (Vec::new(), Vec::new());
        let limit = want.limit.filter(|_| want.order.is_empty());
        let before: Vec<_> = own.iter().map(|c| (*c, self.origin.get(c).cloned())).collect();
        for leaf in leaves.iter() {
            let Some(child) = self.leads(table, leaf, scheme) else { continue };
            if !live.get(child).copied().unwrap_or(true) {
                continue;
            }
            self.tick()?;
            let mut mine = Vec::with_capacity(cols.len());
            for (a, o) in cols {
                let Some(c) = table.column(*a).and_then(|c| leaf.column_by_name(&c.name)) else { continue };
                mine.push((c.attnum, OutCol { origin: Some((leaf.oid, c.attnum)), ..o.clone() }));
                self.origin.insert(o.id, (leaf.clone(), (c.attnum as usize).wrapping_sub(1)));
            }
            if let Some(k) = key {
                self.origin.insert(*k, (leaf.clone(), super::ROW_KEY));
            }
            let (table, alias) = (leaf.clone(), alias.clone());
            let scan =
                Rel::Table { table, alias, cols: mine, key: *key, tableoid: *tableoid, lock: *lock, parts: None };
            let arm = self.plan_table(&scan, conds.clone(), &Want { limit, ..Want::default() })?;
            if !is_nothing(&arm) {
                arms.push(arm);
                children.push(child);
            }
        }
        for (c, origin) in before {
            match origin {
                Some(o) => self.origin.insert(c, o),
                None => self.origin.remove(&c),
            };
        }
        if arms.len() == 1 {
            return Ok(arms.remove(0));
        }
        let Some(first) = arms.first() else {
            let out = self.out_slots(r);
            return Ok(PNode { kind: Kind::Empty, est: Est::default(), out, id: 0 });
        };
        let out = first.out.clone();
        let mut est = Est { startup: first.est.startup, width: first.est.width, ..Est::default() };
        for a in &arms {
            est.total += a.est.total;
            est.rows += a.est.rows;
        }
        // Values that come later leave few of them.
        if !gates.is_empty() {
            let share = (arms.len() as f64).recip();
            est.total = (est.total * share).max(est.startup);
            est.rows = (est.rows * share).max(1.0);
        }
        let (arms, children, gates) = (Arc::new(arms), Arc::new(children), Arc::new(gates));
        Ok(PNode { kind: Kind::Append { arms, children, gates }, est, out, id: 0 })
    }
    /// Which child of a partitioned table leads to a partition below it.
    fn leads(&self, table: &Table, leaf: &Table, scheme: &partition::Parts) -> Option<usize> {
        if let Some(at) = scheme.at.get(&leaf.oid) {
            return Some(*at);
        }
        let above = self.catalog.partition_ancestors(leaf);
        let at = above.iter().position(|p| p.oid == table.oid)?;
        scheme.at.get(&above.get(at.checked_sub(1)?)?.oid).copied()
    }
    /// What conditions make of a partition key, as of an index over it; whether all values are constants.
    fn key_bounds(
        &mut self,
        parts: &partition::Parts,
        conds: &[Expr],
        by_key: &FxHashMap<usize, u32>,
        own: &FxHashSet<ColId>,
    ) -> Result<Vec<(Bounds, bool)>> {
        let renamed = |e: &Option<(Expr, Px)>| e.as_ref().map(|e| super::path::rename(&e.0, by_key));
        let exprs = parts.exprs.iter().map(renamed).collect();
        let target = Target { lay: &parts.lay, exprs, by_pos: by_key, own };
        let choices = self.choices(conds);
        let mut out = Vec::new();
        for b in self.index_bounds(&target, conds, &choices).into_iter().filter(|b| !b.used.is_empty()) {
            match b.constant(&|e: &Expr| matches!(e, Expr::Const(..)).then(|| e.clone())) {
                Some(bounds) => out.push((bounds, true)),
                None => out.push((self.compile_bounds(&b, false)?, false)),
            }
        }
        Ok(out)
    }
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
            let Some(at) = parts.at.get(&child).copied() else { return Ok(Some(gates)) };
            child = parent.oid;
            let to = pamir_catalog::partition::places(&parent, table);
            let by_key: FxHashMap<usize, u32> =
                to.iter().enumerate().filter_map(|(p, c)| by_pos.get(c).map(|s| (p, *s))).collect();
            match self.asked(parts, at, conds, &by_key, own)? {
                Asked::Nothing => return Ok(None),
                Asked::Some(later) => {
                    gates.extend(later.into_iter().map(|bounds| Gate { parent: parent.clone(), child: at, bounds }))
                }
            }
        }
        Ok(Some(gates))
    }
    fn asked(
        &mut self,
        parts: &partition::Parts,
        child: usize,
        conds: &[Expr],
        by_key: &FxHashMap<usize, u32>,
        own: &FxHashSet<ColId>,
    ) -> Result<Asked> {
        let mut later = Vec::new();
        for (b, known) in self.key_bounds(parts, conds, by_key, own)? {
            if !known {
                later.push(b);
                continue;
            }
            let mut env = NoSession::new(self.catalog, 0);
            if !parts.may_hold(child, &b, &mut expr::ParamCx { params: &[], env: &mut env })? {
                return Ok(Asked::Nothing);
            }
        }
        Ok(Asked::Some(later))
    }
}
