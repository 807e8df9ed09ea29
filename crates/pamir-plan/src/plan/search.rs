//! The order of a block's joins: by dynamic programming over subsets (System R, "Access Path Selection in a Relational Database Management System",
//! SIGMOD 1979), greedily beyond [`ALL_ORDERS`] relations.
//!
//! ```text
//! {a} {b} {c} --> {a b} {b c} {a c} --> {a b c}     each by its cheapest split into a left and a right side, and way to join them
//! ```
//! Sets that nothing ties together are left out while there are others, but for what is certain to be one row. All that a split asks is known before: the
//! selectivity of a condition, which items each side of an equality reads, what a look-up costs with the neighbours that its indexes can use.
//!
//! Invariant: a look-up is priced without the conditions that no index uses, and planned with all of them once it is chosen.
use super::*;
use pamir_expr::plan::walk::{at_most_one, reads_whole};

pub(super) struct Item<'r> {
    pub rel: &'r Rel,
    pub cols: FxHashSet<ColId>,
    pub conds: Vec<Expr>,
    pub node: PNode,
    /// The other items whose columns it reads (LATERAL).
    pub needs: u64,
    /// Must not run again for each row of others (it locks rows, say).
    pub once: bool,
}
pub(super) struct JoinCond {
    pub e: Expr,
    pub mask: u64,
    pub class: Option<usize>,
    pub sel: f64,
    /// `a = b` that a hash join can serve: the items that either side reads.
    pub sides: Option<(u64, u64)>,
}
impl JoinCond {
    fn between(&self, left: u64, right: u64) -> bool {
        self.mask & !(left | right) == 0 && self.mask & left != 0 && self.mask & right != 0
    }
    /// As [`equi`] has it for the columns of both.
    fn hashes(&self, left: u64, right: u64) -> bool {
        let apart = |a: u64, b: u64| a & left != 0 && a & right == 0 && b & right != 0 && b & left == 0;
        self.sides.is_some_and(|(a, b)| apart(a, b) || apart(b, a))
    }
}
#[derive(Clone, Copy)]
struct Best {
    cost: f64,
    /// One at least; `fraction` is what the selectivities say, which tells apart orders that all come down to one row.
    rows: f64,
    fraction: f64,
    /// Certain to have no more than one row.
    single: bool,
    step: Step,
}
impl Best {
    /// How likely it is to have no row. What is expected to have one, or half of one, is taken to have some; so is what has been joined, of which less is known.
    fn empty(&self) -> f64 {
        if matches!(self.step, Step::Leaf) { (1.0 - 2.0 * self.fraction).clamp(0.0, 1.0) } else { 0.0 }
    }
}
/// What looking an item up costs for a row of others.
#[derive(Clone, Copy)]
struct Look {
    est: Est,
    single: bool,
    whole: bool,
}
/// What the search for an order knows.
struct Search<'r> {
    items: Vec<Item<'r>>,
    joins: Vec<JoinCond>,
    memo: FxHashMap<u64, Best>,
    /// By the item and those whose columns its indexes can use.
    looks: FxHashMap<(usize, u64), Look>,
    /// The item whose order the rows must keep: it comes first, and what is joined to it is looked up.
    leads: Option<u64>,
}
#[derive(Clone, Copy)]
enum Step {
    Leaf,
    /// Looks the right side up for each row of the left.
    Lookup(u64, u64),
    /// Keeps the right side's rows and tests each pair.
    Pairs(u64, u64),
    Hash(u64, u64),
}
/// Up to here all orders are tried, unless join_collapse_limit is set lower than it is by itself (PostgreSQL: below geqo_threshold).
const ALL_ORDERS: usize = 11;

impl Planner<'_> {
    /// `leads`: the place of the item whose order the result must have.
    pub(super) fn order_joins(
        &mut self,
        items: Vec<Item>,
        joins: Vec<JoinCond>,
        leads: Option<usize>,
    ) -> Result<PNode> {
        let n = items.len();
        let full: u64 = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        let mut s = Search { items, joins, memo: FxHashMap::default(), looks: FxHashMap::default(), leads: None };
        s.leads = leads.filter(|i| s.items[*i].needs == 0).map(|i| 1 << i);
        for (i, it) in s.items.iter().enumerate() {
            let Est { total: cost, rows, .. } = it.node.est;
            let single = at_most_one(&it.node);
            let fraction = match it.rel {
                Rel::Table { table, parts: None, .. } if rows <= 1.0 && table.stats.is_some() => {
                    (self.table_size(table.tree).0 * self.selectivity_all(&it.conds)).min(rows)
                }
                _ => rows,
            };
            s.memo.insert(1 << i, Best { cost, rows, fraction, single, step: Step::Leaf });
        }
        let limit = self.settings.join_collapse_limit;
        let all = if limit < PlanSettings::default().join_collapse_limit {
            limit.max(2)
        } else {
            limit.clamp(ALL_ORDERS, 12)
        };
        if n <= all {
            // Products of what nothing ties together only where nothing else is left.
            for products in [false, true] {
                if !s.memo.contains_key(&full) {
                    self.try_all(&mut s, full, products)?;
                }
            }
        } else {
            self.greedy(&mut s, full)?;
        }
        if !s.memo.contains_key(&full) {
            return Err(Error::internal("no join order"));
        }
        self.build_join(&s, full)
    }
    /// Every set of items from all its splits into a left and a right side.
    fn try_all(&mut self, s: &mut Search, full: u64, products: bool) -> Result<()> {
        for set in 1u64..=full {
            if set.count_ones() < 2 {
                continue;
            }
            // Of what costs the same the first is kept: the order in which the statement names them.
            let mut left = set & set.wrapping_neg();
            while left != set {
                self.try_join(s, left, set & !left, products)?;
                left = left.wrapping_sub(set) & set;
            }
        }
        Ok(())
    }
    /// Starts from the smallest, adds what costs least.
    fn greedy(&mut self, s: &mut Search, full: u64) -> Result<()> {
        let mut best: Option<(f64, usize)> = None;
        for (i, it) in s.items.iter().enumerate() {
            if it.needs == 0 && best.is_none_or(|b| it.node.est.rows < b.0) {
                best = Some((it.node.est.rows, i));
            }
        }
        let mut set = s.leads.unwrap_or(1 << best.map_or(0, |b| b.1));
        while set != full {
            let mut pick: Option<(f64, u64)> = None;
            for connected in [true, false] {
                for i in 0..s.items.len() {
                    let right = 1u64 << i;
                    let linked = s.joins.iter().any(|j| j.mask & right != 0 && j.mask & set != 0);
                    if set & right != 0 || linked != connected {
                        continue;
                    }
                    self.try_join(s, set, right, true)?;
                    if let Some(b) = s.memo.get(&(set | right))
                        && pick.is_none_or(|p| b.cost < p.0)
                    {
                        pick = Some((b.cost, right));
                    }
                }
                if pick.is_some() {
                    break;
                }
            }
            let Some((_, right)) = pick else { return Err(Error::internal("no join order")) };
            set |= right;
        }
        Ok(())
    }

    /// The conditions that a join of the two tests.
    fn conds_between(joins: &[JoinCond], left: u64, right: u64) -> impl Iterator<Item = &JoinCond> {
        classes::needed(joins.iter().filter(move |j| j.between(left, right)), |j| j.class)
    }
    /// May an index of the item use the condition, whose other side is at hand?
    fn serves(&self, item: &Item, c: &Expr) -> bool {
        use pamir_catalog::IndexColumn;
        let Rel::Table { table, cols, key, .. } = item.rel else { return true };
        let leads = |a: i16| {
            table.indexes.iter().any(|x| x.columns.iter().any(|k| matches!(k.0, IndexColumn::Attr(b) if a == b)))
        };
        let of_expression = |x: &pamir_catalog::Index| x.columns.iter().any(|k| !matches!(k.0, IndexColumn::Attr(_)));
        table.indexes.iter().any(of_expression) || {
            let free = expr_free(c);
            key.is_some_and(|k| free.contains(&k)) || cols.iter().any(|(a, o)| free.contains(&o.id) && leads(*a))
        }
    }
    /// The item looked up by what the join conditions say. Only the neighbours whose columns an index can use tell plans apart.
    fn look(&mut self, s: &mut Search, i: usize, left: u64) -> Result<Look> {
        let (right, it) = (1u64 << i, &s.items[i]);
        let used = || Self::conds_between(&s.joins, left, right).filter(|j| self.serves(it, &j.e));
        let near = used().fold(0, |m, j| m | j.mask) & !right;
        if let Some(l) = s.looks.get(&(i, near)) {
            return Ok(*l);
        }
        let node = if near == 0 {
            None
        } else {
            let more = used().map(|j| j.e.clone()).collect();
            Some(self.replan(it.rel, &it.node, it.conds.clone(), more, &Want::default())?)
        };
        let node = node.as_ref().unwrap_or(&it.node);
        let look = Look { est: node.est, single: at_most_one(node), whole: reads_whole(node) };
        s.looks.insert((i, near), look);
        Ok(look)
    }
    fn try_join(&mut self, s: &mut Search, left: u64, right: u64, products: bool) -> Result<()> {
        let (Some(l), Some(r)) = (s.memo.get(&left).copied(), s.memo.get(&right).copied()) else { return Ok(()) };
        if s.leads.is_some_and(|i| right & i != 0) {
            return Ok(());
        }
        let keeps = s.leads.is_some_and(|i| left & i != 0);
        // LATERAL: what the right side needs is on the left, and nothing on the left needs the right.
        let (mut lateral, set) = (false, left | right);
        for (i, x) in s.items.iter().enumerate().filter(|x| x.1.needs != 0) {
            if right >> i & 1 == 1 {
                lateral = true;
                if x.needs & !set != 0 {
                    return Ok(());
                }
            } else if left >> i & 1 == 1 && x.needs & right != 0 {
                return Ok(());
            }
        }
        let (mut conds, mut sel, mut hashes) = (0, 1.0, false);
        for j in Self::conds_between(&s.joins, left, right) {
            (conds, sel, hashes) = (conds + 1, sel * j.sel, hashes || j.hashes(left, right));
        }
        if conds == 0 && !products && !lateral && !l.single && !r.single {
            return Ok(());
        }
        self.tick()?;
        let rows = (l.rows * r.rows * sel).max(1.0);
        let fraction = l.fraction * r.fraction * sel;
        let out = fraction.min(rows) * CPU_TUPLE;
        let offer = |memo: &mut FxHashMap<u64, Best>, cost: f64, single: bool, step: Step| {
            if memo.get(&set).is_none_or(|b| cost < b.cost) {
                memo.insert(set, Best { cost, rows, fraction, single, step });
            }
        };
        let can_hash = !lateral && hashes && !keeps;
        let instead = !lateral && hashes && self.settings.enable_hashjoin;
        let nest_penalty = if self.settings.enable_nestloop { 0.0 } else { DISABLED };
        // Nor is a product of relations that nothing ties together, while there are others to join them with.
        let quadratic = instead || conds == 0;
        let pairs_penalty = if quadratic && !l.single && !r.single { DISABLED } else { 0.0 };
        let tests = CPU_OPERATOR * (1 + conds) as f64;
        let both = l.single && r.single;
        if right.count_ones() == 1 {
            let i = right.trailing_zeros() as usize;
            let once = s.items[i].once && !lateral;
            let plain = s.items[i].node.est;
            if lateral || conds > 0 && !once {
                let look = if lateral {
                    let node = &s.items[i].node;
                    Look { est: node.est, single: at_most_one(node), whole: reads_whole(node) }
                } else {
                    self.look(s, i, left)?
                };
                let whole_penalty = if instead && !l.single && look.whole { DISABLED } else { 0.0 };
                let cost = l.cost + l.rows * look.est.total + out + whole_penalty;
                offer(&mut s.memo, cost + nest_penalty, l.single && look.single, Step::Lookup(left, right));
            }
            if !lateral {
                let cost = l.cost + plain.total + l.rows * plain.rows * tests + out;
                offer(&mut s.memo, cost + nest_penalty + pairs_penalty, both, Step::Pairs(left, right));
            }
        } else {
            let cost = l.cost + r.cost + l.rows * r.rows * tests + out;
            offer(&mut s.memo, cost + nest_penalty + pairs_penalty, both, Step::Pairs(left, right));
        }
        if can_hash {
            let penalty = if self.settings.enable_hashjoin { 0.0 } else { DISABLED };
            // The other side of one without rows is not read.
            let sides = (r.cost + (1.0 - r.empty()) * l.cost).min(l.cost + (1.0 - l.empty()) * r.cost);
            let cost = sides + r.rows * (CPU_TUPLE + CPU_OPERATOR) * 1.5 + l.rows * CPU_OPERATOR * 2.0 + out;
            offer(&mut s.memo, cost + penalty, both, Step::Hash(left, right));
        }
        Ok(())
    }
    fn build_join(&mut self, s: &Search, set: u64) -> Result<PNode> {
        let Some(b) = s.memo.get(&set) else { return Err(Error::internal("no join order")) };
        let (left, right) = match b.step {
            Step::Leaf => return Ok(s.items[set.trailing_zeros() as usize].node.clone()),
            Step::Lookup(left, right) | Step::Pairs(left, right) | Step::Hash(left, right) => (left, right),
        };
        let l = self.build_join(s, left)?;
        let conds: Vec<Expr> = Self::conds_between(&s.joins, left, right).map(|j| j.e.clone()).collect();
        if let Step::Lookup(..) = b.step {
            let it = &s.items[right.trailing_zeros() as usize];
            if it.needs != 0 {
                return self.nest(l, it.node.clone(), JoinKind::Inner, conds, true, b.rows);
            }
            let lookup = self.replan(it.rel, &it.node, it.conds.clone(), conds, &Want::default())?;
            return self.nest(l, lookup, JoinKind::Inner, vec![], true, b.rows);
        }
        let r = self.build_join(s, right)?;
        if let Step::Pairs(..) = b.step {
            return self.nest(l, r, JoinKind::Inner, conds, false, b.rows);
        }
        let (lc, rc) = (mask_cols(&s.items, left), mask_cols(&s.items, right));
        let outer_free = s.items.iter().enumerate().any(|(i, x)| right >> i & 1 == 1 && self.depends(x.rel, &x.conds));
        self.hash(l, r, JoinKind::Inner, conds, &lc, &rc, outer_free, b.rows)
    }
}

fn mask_cols(items: &[Item], m: u64) -> FxHashSet<ColId> {
    items.iter().enumerate().filter(|(i, _)| m >> i & 1 == 1).flat_map(|(_, x)| x.cols.iter().copied()).collect()
}
