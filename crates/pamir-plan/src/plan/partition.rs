//! Which partitions conditions leave, and in which order their rows come.
//!
//! Conditions are turned into bounds of each partitioned table's key as if that were an index ([`Planner::index_bounds`]). Bounds whose values are constants decide now: no
//! arm is made of a partition that has no such rows. Others (parameters, columns of an outer row) are [`Gate`]s, which are asked once whenever the append opens, and tell
//! the arms to open.
use super::ranges::Target;
use super::*;
use crate::bind::bind_stored;
use pamir_catalog::partition::places;
use pamir_expr::access::KeyCol;
use pamir_expr::no_session::NoSession;
use pamir_expr::partition;
use pamir_expr::plan::node::{Bounds, Gate};
use pamir_types::Oid;
use std::collections::hash_map::Entry;

/// What conditions say of a partitioned table's key.
struct Level {
    /// By child: may it have rows for them, as far as that is known now?
    live: Vec<bool>,
    /// What is known later.
    later: Vec<Bounds>,
}
/// The named table and the partitioned ones below it that lead to a partition, with the child of each that does.
type Way = Vec<(Arc<Table>, usize)>;
/// A scan of one partition.
struct Arm {
    leaf: Arc<Table>,
    way: Way,
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
        let mut own: FxHashSet<ColId> = cols.iter().map(|c| c.1.id).collect();
        own.extend(key.iter().chain(tableoid));
        let by_pos: FxHashMap<usize, u32> = cols.iter().map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id)).collect();
        let mut levels: FxHashMap<Oid, Level> = FxHashMap::default();
        let before: Vec<_> = own.iter().map(|c| (*c, self.origin.get(c).cloned())).collect();
        let mut arms = Vec::new();
        for leaf in leaves.iter() {
            let Some(way) = self.way(table, leaf)? else { continue };
            let mut live = true;
            for (parent, child) in &way {
                let level = match levels.entry(parent.oid) {
                    Entry::Occupied(e) => e.into_mut(),
                    Entry::Vacant(e) => e.insert(self.level(table, parent, &conds, &by_pos, &own)?),
                };
                live &= level.live.get(*child).copied().unwrap_or(true);
            }
            if !live {
                continue;
            }
            self.tick()?;
            let node = self.plan_arm(r, leaf, &conds, want)?;
            if !is_nothing(&node) {
                // An arm of one row at most has it in any order; only what is put out can merge it with the others.
                let out = want.order.iter().take_while(|w| node.out.contains(&self.slot_of(w.col))).count();
                let order = want.order.get(..out).unwrap_or_default();
                let ordered = if self.delivers(&node, order) { out } else { self.presorted(&node, order) };
                arms.push(Arm { leaf: leaf.clone(), way, node, ordered });
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
        let rank = match want.order.get(..keys.len()) {
            Some(order) if !keys.is_empty() => self.ranks(table, &by_pos, &arms, order)?,
            _ => None,
        };
        if let Some(rank) = &rank {
            arms.sort_by_key(|a| a.way.first().and_then(|w| rank.get(w.1)).copied());
        }
        self.append(r, arms, levels, keys, rank.is_some())
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
        table: &Arc<Table>,
        by_pos: &FxHashMap<usize, u32>,
        arms: &[Arm],
        order: &[WantKey],
    ) -> Result<Option<Vec<usize>>> {
        let scheme = self.scheme(table)?;
        Ok(scheme.ascending().and_then(|rank| self.in_turn(rank, &scheme.lay.cols, by_pos, arms, order)))
    }
    fn in_turn(
        &self,
        mut rank: Vec<usize>,
        key: &[KeyCol],
        by_pos: &FxHashMap<usize, u32>,
        arms: &[Arm],
        order: &[WantKey],
    ) -> Option<Vec<usize>> {
        let desc = order.first()?.desc;
        for (i, c) in key.iter().enumerate() {
            let (k, slot) = (order.get(i)?, by_pos.get(&c.attr?)?);
            if self.slot_of(k.col) != *slot || k.desc != desc {
                return None;
            }
        }
        let mut children = FxHashSet::default();
        let mut alone = |child: usize| rank.get(child).is_some_and(|r| *r < rank.len()) && children.insert(child);
        if !arms.iter().all(|a| a.way.first().is_some_and(|w| alone(w.1))) {
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
        mut levels: FxHashMap<Oid, Level>,
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
        let (mut gates, mut ways) = (Vec::<Gate>::new(), Vec::with_capacity(arms.len()));
        for a in &arms {
            let mut way = Vec::new();
            for (parent, child) in &a.way {
                let known = gates.iter().position(|g| g.parent.oid == parent.oid);
                let gate = known.or_else(|| {
                    let bounds = levels.remove(&parent.oid)?.later;
                    (!bounds.is_empty()).then(|| {
                        gates.push(Gate { parent: parent.clone(), bounds });
                        gates.len() - 1
                    })
                });
                way.extend(gate.map(|g| (g, *child)));
            }
            ways.push(way);
        }
        // Values that come later leave few of them.
        if !gates.is_empty() {
            let share = (arms.len() as f64).recip();
            est.total = (est.total * share).max(est.startup);
            est.rows = (est.rows * share).max(1.0);
        }
        let arms = Arc::new(arms.into_iter().map(|a| a.node).collect());
        let (gates, ways, keys) = (Arc::new(gates), Arc::new(ways), Arc::new(keys));
        Ok(PNode { kind: Kind::Append { arms, gates, ways, keys, one_by_one }, est, out, id: 0 })
    }
    fn scheme<'t>(&self, table: &'t Arc<Table>) -> Result<&'t partition::Parts> {
        let mut env = NoSession::new(self.catalog, table.database);
        partition::parts_for(table, self.catalog, &mut |t| bind_stored(table, t, None, &mut env))
    }
    /// From the named table down to a partition below it.
    fn way(&self, table: &Table, leaf: &Table) -> Result<Option<Way>> {
        let (mut way, mut below) = (Way::new(), leaf.oid);
        for parent in self.catalog.partitioned_above(leaf) {
            let Some(child) = self.scheme(parent)?.at.get(&below).copied() else { break };
            way.push((parent.clone(), child));
            if parent.oid == table.oid {
                way.reverse();
                return Ok(Some(way));
            }
            below = parent.oid;
        }
        Ok(None)
    }
    /// What conditions leave of the children of `parent`, which is `table` or below it. `by_pos`: the columns of `table`.
    fn level(
        &mut self,
        table: &Table,
        parent: &Arc<Table>,
        conds: &[Expr],
        by_pos: &FxHashMap<usize, u32>,
        own: &FxHashSet<ColId>,
    ) -> Result<Level> {
        let scheme = self.scheme(parent)?;
        let mut level = Level { live: vec![true; scheme.children.len()], later: Vec::new() };
        if conds.is_empty() || !self.settings.enable_partition_pruning {
            return Ok(level);
        }
        let below = (parent.oid != table.oid).then(|| {
            let to = places(table, parent);
            by_pos.iter().filter_map(|(p, slot)| Some((*to.get(*p)?, *slot))).collect::<FxHashMap<_, _>>()
        });
        for (b, known) in self.key_bounds(scheme, conds, below.as_ref().unwrap_or(by_pos), own)? {
            if known {
                let mut env = NoSession::new(self.catalog, 0);
                scheme.leave_out(&b, &mut expr::ParamCx { params: &[], env: &mut env }, &mut level.live)?;
            } else {
                level.later.push(b);
            }
        }
        Ok(level)
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
}
