//! Which order the rows of a finished plan come in, and who relies on it.
//!
//! A claim is about slots that the node itself puts out: what another relation of the statement has in a column says nothing here. One row at most is in every
//! order, but only for its own slots: beside the rows of a join's other side it repeats, and is a constant there.
//!
//! Whoever leaves a sort out asks [`Planner::relies`]. In debug builds that puts [`Kind::Ordered`] between the two, which compares neighbours and fails the statement
//! where the claim is wrong, so that every test looks for such claims. EXPLAIN does not show it.
use super::path::matches_order;
use super::*;
use pamir_catalog::partition;
use pamir_expr::access;
use pamir_expr::plan::node::*;
use pamir_expr::plan::walk::at_most_one;

impl Planner<'_> {
    /// The node, if its rows come in this order: for the parent to rely on.
    pub(super) fn relies(&mut self, n: PNode, order: &[WantKey]) -> Result<std::result::Result<PNode, PNode>> {
        if !self.delivers(&n, order) {
            return Ok(Err(n));
        }
        if !cfg!(debug_assertions) || order.is_empty() {
            return Ok(Ok(n));
        }
        let ty = |p: &Self, c: ColId| p.types.get(&c).or_else(|| p.types.get(&p.slot_of(c))).copied();
        let keys: Vec<SortKey> = order
            .iter()
            .map(|k| SortKey {
                e: Expr::Col(k.col, ty(self, k.col).unwrap_or(Type::UNKNOWN)),
                desc: k.desc,
                nulls_first: k.nulls_first,
            })
            .collect();
        let keys = Arc::new(self.key_specs(&keys)?);
        let (est, out) = (n.est, n.out.clone());
        Ok(Ok(PNode { kind: Kind::Ordered { input: Box::new(n), keys }, est, out, id: 0 }))
    }

    /// How many of the first keys, not all, the node's rows come ordered by.
    pub(super) fn presorted(&self, n: &PNode, order: &[WantKey]) -> usize {
        (1..order.len()).rev().find(|k| self.delivers(n, &order[..*k])).unwrap_or(0)
    }
    /// Does the node's output come in this order?
    pub fn delivers(&self, n: &PNode, want: &[WantKey]) -> bool {
        at_most_one(n) || want.iter().all(|w| n.out.contains(&self.slot_of(w.col))) && self.delivers_own(n, want)
    }
    /// Which slots have which columns of the table, by position, those of a partitioned table that it is a partition of among them.
    fn places_of(&self, table: &Arc<Table>, out: &[u32]) -> FxHashMap<usize, u32> {
        let mut by_pos = FxHashMap::default();
        let above = |t: &Table| self.catalog.partitioned_above(table).any(|a| a.oid == t.oid);
        let places = |t: &Table| above(t).then(|| partition::places(t, table));
        let mut last: Option<(pamir_types::Oid, Vec<usize>)> = None;
        for slot in out {
            let Some((t, pos)) = self.origin.get(slot) else { continue };
            if t.oid == table.oid {
                by_pos.insert(*pos, *slot);
                continue;
            }
            if last.as_ref().is_none_or(|l| l.0 != t.oid) {
                last = Some((t.oid, places(t).unwrap_or_default()));
            }
            if let Some(p) = last.as_ref().and_then(|l| l.1.get(*pos)) {
                by_pos.insert(*p, *slot);
            }
        }
        by_pos
    }
    /// As [`Planner::delivers`], of columns that the node has.
    fn delivers_own(&self, n: &PNode, want: &[WantKey]) -> bool {
        match &n.kind {
            Kind::Scan(s) => {
                let Some(xi) = s.index else { return want.is_empty() };
                let b = access::layout(&s.table);
                let Some(lay) = b.indexes.get(xi) else { return false };
                let by_pos = self.places_of(&s.table, &n.out);
                let (single, multi) = s.bounds.single();
                let order = self.index_order(lay, &single, &by_pos, &s.table, b.pk, s.bounds.point, multi);
                matches_order(want, &order, &|c| self.slot_of(c), &s.table, &by_pos) == Some(s.dir) || order.single_row
            }
            Kind::Filter { input, .. }
            | Kind::Compute { input, .. }
            | Kind::Distinct { input, sorted: true, .. }
            | Kind::Ordered { input, .. }
            | Kind::With { input, .. }
            | Kind::Limit { input, .. } => self.delivers(input, want),
            // What hashes may go through its input in partitions, in any order.
            Kind::NestLoop { left, right, spec } => match spec.kind {
                JoinKind::Right | JoinKind::Full => false,
                // The left's one row is a constant beside the right's.
                JoinKind::Inner | JoinKind::Cross | JoinKind::Left if at_most_one(left) => {
                    let rest: Vec<WantKey> =
                        want.iter().filter(|w| !left.out.contains(&self.slot_of(w.col))).cloned().collect();
                    self.delivers(right, &rest)
                }
                _ => self.delivers(left, want),
            },
            Kind::Materialize { input } => self.delivers(input, want),
            Kind::Sort { keys, .. } | Kind::Append { keys, .. } => {
                keys.len() >= want.len()
                    && want.iter().zip(keys.iter()).all(|(w, k)| {
                        matches!(&k.ir, Expr::Col(c, _) if self.slot_of(*c) == self.slot_of(w.col))
                            && k.desc == w.desc
                            && k.nulls_first == w.nulls_first
                    })
            }
            Kind::Agg { spec, .. } if spec.sorted => want.iter().enumerate().all(|(i, w)| {
                !w.desc && !w.nulls_first && spec.groups.get(i).is_some_and(|g| g.2 == self.slot_of(w.col))
            }),
            _ => want.is_empty(),
        }
    }
}
