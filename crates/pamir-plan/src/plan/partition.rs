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
/// A scan of one partition, and which child of the named table leads to it.
struct Arm {
    leaf: Arc<Table>,
    child: usize,
    node: PNode,
    /// By how many of the first keys of the order that is wanted its rows come.
    ordered: usize,
}
impl Planner<'_> {
    /// The scan of a partitioned table: of the partitions that conditions leave. Rows in the order that is wanted, if arms have them so: where the order is that of
    /// the partitions' bounds one arm after the other, else merged, arms that have no such order sorted for it.
    pub(super) fn plan_partitions(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::Table { table, cols, key, tableoid, parts: Some(leaves), .. } = r else {
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
        let before: Vec<_> = own.iter().map(|c| (*c, self.origin.get(c).cloned())).collect();
        let mut arms = Vec::new();
        for leaf in leaves.iter() {
            let Some(child) = self.leads(table, leaf, scheme) else { continue };
            if !live.get(child).copied().unwrap_or(true) {
                continue;
            }
            self.tick()?;
            let node = self.plan_arm(r, leaf, &conds, want)?;
            if !is_nothing(&node) {
                let all = self.delivers(&node, &want.order);
                let ordered = if all { want.order.len() } else { self.presorted(&node, &want.order) };
                arms.push(Arm { leaf: leaf.clone(), child, node, ordered });
            }
        }
        let keys = if arms.len() < 2 { Vec::new() } else { self.order_arms(r, &conds, want, &mut arms)? };
        for (c, origin) in before {
            match origin {
                Some(o) => self.origin.insert(c, o),
                None => self.origin.remove(&c),
            };
        }
        if arms.len() == 1 {
            return Ok(arms.remove(0).node);
        }
        let rank = if keys.is_empty() {
            None
        } else {
            self.ranks(scheme, &by_pos, &arms, want.order.get(..keys.len()).unwrap_or(&[]))
        };
        if let Some(rank) = &rank {
            arms.sort_by_key(|a| rank.get(a.child).copied());
        }
        self.append(r, arms, gates, keys, rank.is_some())
    }
    /// The scan of one partition, its columns in the slots of its parent's.
    fn plan_arm(&mut self, r: &Rel, leaf: &Arc<Table>, conds: &[Expr], want: &Want) -> Result<PNode> {
        let Rel::Table { table, alias, cols, key, tableoid, lock, .. } = r else {
            return Err(Error::internal("no partitioned table"));
        };
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
        let scan = Rel::Table { table, alias, cols: mine, key: *key, tableoid: *tableoid, lock: *lock, parts: None };
        self.plan_table(&scan, conds.to_vec(), want)
    }
    /// The first keys of the order that is wanted which the arms' rows come by; it sorts some for them where that is worth it. None: they are as they come.
    fn order_arms(&mut self, r: &Rel, conds: &[Expr], want: &Want, arms: &mut [Arm]) -> Result<Vec<KeySpec>> {
        let most = arms.iter().map(|a| a.ordered).max().unwrap_or(0);
        let rows = |k: usize| -> f64 { arms.iter().filter(|a| a.ordered >= k).map(|a| a.node.est.rows.max(1.0)).sum() };
        // Few rows are read: an arm that is read by its order saves all the others of its rows.
        let few = want.limit.is_some() || want.ordered;
        let Some(k) = (1..=most).rev().find(|k| few || rows(*k) * 2.0 >= rows(0)) else {
            for a in arms.iter_mut().filter(|a| a.ordered > 0) {
                a.node = self.plan_arm(r, &a.leaf, conds, &Want::default())?;
            }
            return Ok(Vec::new());
        };
        let ty = |p: &Self, c: ColId| p.types.get(&c).or_else(|| p.types.get(&p.slot_of(c))).copied();
        let keys: Vec<SortKey> = want
            .order
            .iter()
            .take(k)
            .map(|k| SortKey {
                e: Expr::Col(k.col, ty(self, k.col).unwrap_or(Type::UNKNOWN)),
                desc: k.desc,
                nulls_first: k.nulls_first,
            })
            .collect();
        for a in arms.iter_mut().filter(|a| a.ordered < k) {
            let node =
                std::mem::replace(&mut a.node, PNode { kind: Kind::Empty, est: Est::default(), out: vec![], id: 0 });
            a.node = self.add_sort(node, &keys, None)?;
        }
        self.key_specs(&keys)
    }
    /// The arms' places where one after the other they have all rows in this order: by RANGE over the first columns of it, each child one arm. There is no NULL then,
    /// which only DEFAULT takes.
    fn ranks(
        &self,
        scheme: &partition::Parts,
        by_pos: &FxHashMap<usize, u32>,
        arms: &[Arm],
        order: &[WantKey],
    ) -> Option<Vec<usize>> {
        let mut rank = scheme.ascending()?;
        let desc = order.first()?.desc;
        for (i, c) in scheme.lay.cols.iter().enumerate() {
            let (k, slot) = (order.get(i)?, by_pos.get(&c.attr?)?);
            if self.slot_of(k.col) != *slot || k.desc != desc {
                return None;
            }
        }
        let mut children = FxHashSet::default();
        if !arms.iter().all(|a| rank.get(a.child).is_some_and(|r| *r < rank.len()) && children.insert(a.child)) {
            return None;
        }
        if desc {
            let n = rank.len();
            rank.iter_mut().for_each(|r| *r = n.wrapping_sub(*r));
        }
        Some(rank)
    }
    fn append(
        &mut self,
        r: &Rel,
        arms: Vec<Arm>,
        gates: Vec<Gate>,
        keys: Vec<KeySpec>,
        one_by_one: bool,
    ) -> Result<PNode> {
        let Some(first) = arms.first() else {
            let out = self.out_slots(r);
            return Ok(PNode { kind: Kind::Empty, est: Est::default(), out, id: 0 });
        };
        let out = first.node.out.clone();
        let mut est = Est { startup: first.node.est.startup, width: first.node.est.width, ..Est::default() };
        for a in &arms {
            est.total += a.node.est.total;
            est.rows += a.node.est.rows;
        }
        if !keys.is_empty() && !one_by_one {
            est.startup = arms.iter().map(|a| a.node.est.startup).sum();
            est.total += est.rows * CPU_OPERATOR * (arms.len() as f64).log2();
        }
        // Values that come later leave few of them.
        if !gates.is_empty() {
            let share = (arms.len() as f64).recip();
            est.total = (est.total * share).max(est.startup);
            est.rows = (est.rows * share).max(1.0);
        }
        let children = Arc::new(arms.iter().map(|a| a.child).collect());
        let arms = Arc::new(arms.into_iter().map(|a| a.node).collect());
        let (gates, keys) = (Arc::new(gates), Arc::new(keys));
        Ok(PNode { kind: Kind::Append { arms, children, gates, keys, one_by_one }, est, out, id: 0 })
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
