//! Join blocks: inner joins and filters flattened ([`super::search`] finds their order); outer joins, semi and anti joins.
//!
//! Join methods: a nested loop whose inner side is planned with the join conditions as its own (so that an index may serve
//! them with the outer row's values), or a hash join on the equalities.
//!
//! Estimates are not trusted with a plan that is quadratic when they are wrong: where the sides can be hashed, a nested loop that goes over all of
//! its inner side is only for an outer side that has one row at most whatever is in the tables ([`at_most_one`]).
use super::search::{Item, JoinCond};
use super::*;
use pamir_expr::plan::walk::{at_most_one, node_depends, px_slots, reads_whole};

/// As small a part of the left rows as is taken to have no match: that values are in equal numbers on both sides does not say that they are the same.
const LEAST_WITHOUT: f64 = 0.1;
/// More relations than this in one FROM are refused rather than planned badly.
const MAX_ITEMS: usize = 60;
impl Planner<'_> {
    fn flatten<'r>(&self, r: &'r Rel, items: &mut Vec<&'r Rel>, conds: &mut Vec<Expr>) {
        match r {
            Rel::Filter { input, cond } => {
                conjuncts(cond.clone(), conds);
                self.flatten(input, items, conds);
            }
            Rel::Join { kind: JoinKind::Inner | JoinKind::Cross, left, right, on, .. } => {
                self.flatten(left, items, conds);
                self.flatten(right, items, conds);
                if let Some(on) = on {
                    conjuncts(on.clone(), conds);
                }
            }
            r => items.push(r),
        }
    }

    pub fn plan_block(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let mut rels = Vec::new();
        let mut all = conds;
        self.flatten(r, &mut rels, &mut all);
        if rels.len() > MAX_ITEMS {
            return Err(Error::unsupported("a FROM list this long"));
        }
        // EXISTS and IN become joins on top of the block, or relations of it.
        let (mut plain, mut semis, mut members, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        all.reverse();
        while let Some(mut c) = all.pop() {
            conditions_outside(&mut c, &mut all);
            let semi = as_semi(&c).map(|(s, anti)| (s.clone(), anti));
            let member = match &semi {
                Some((s, anti)) => (!anti).then(|| self.as_member(s)).flatten(),
                None => locking_in(&c).and_then(|s| self.as_member(s)),
            };
            members.extend(member.clone());
            match semi {
                Some(semi) => {
                    if member.is_none() {
                        rest.push(semi.clone());
                    }
                    semis.push(semi)
                }
                None => plain.push((c, member.is_some())),
            }
        }
        let want_here = if semis.is_empty() { want.clone() } else { want.whole() };
        let conds = plain.iter().map(|c| c.0.clone()).collect();
        let node = self.block(&rels, conds, &want_here)?;
        let node = self.add_semis(node, semis, want)?;
        if members.is_empty() || want.ordered || !self.may_try() || rels.len() + members.len() > MAX_ITEMS {
            return Ok(node);
        }
        let of_sub = |c: &(Expr, bool)| match &c.0 {
            Expr::Subquery(s) if c.1 => Some(rel_cols(&s.rel).iter().map(|c| c.id).collect::<Vec<_>>()),
            _ => None,
        };
        let plain_subs: Vec<Vec<ColId>> = plain.iter().filter_map(of_sub).collect();
        // What the subqueries give, each value once, may lead to the block's rows.
        let mut conds: Vec<Expr> = plain.into_iter().filter(|c| !c.1).map(|c| c.0).collect();
        conds.extend(members.iter().flat_map(|m| m.1.iter().cloned()));
        rels.extend(members.iter().map(|m| &m.0));
        self.begin_again();
        let other = self.block(&rels, conds, &want.whole()).and_then(|n| self.add_semis(n, rest, want));
        self.replans -= 1;
        let other = other?;
        // Subqueries that stay conditions are in no node's estimate.
        let kept: f64 = plain_subs.iter().filter_map(|ids| self.sub_cost(ids)).sum();
        Ok(if other.est.total < node.est.total + kept { other } else { node })
    }
    /// A subquery of IN or EXISTS as a relation of the block around it: its distinct values, and the equalities that join them. None: it is compared
    /// otherwise than by equality of plain columns, or reads what is outside.
    fn as_member(&self, s: &Subquery) -> Option<(Rel, Vec<Expr>)> {
        let mut rel = s.rel.clone();
        let mut conds = Vec::new();
        if let SubqueryKind::Any { left, ops, .. } = &s.kind {
            let cols = rel_cols(&rel);
            for ((l, f), c) in left.iter().zip(ops).zip(&cols) {
                conds.push(Expr::Call { f: f.clone(), args: vec![l.clone(), Expr::Col(c.id, c.ty)], ty: Type::BOOL });
            }
        }
        if !rel_volatile(&rel) {
            pull_up(&mut rel, &mut conds);
        }
        if conds.is_empty() || !free_cols(&rel).is_empty() || reads_work_table(&rel) {
            return None;
        }
        let mut inside = FxHashSet::default();
        produced(&rel, &mut inside);
        let outside: FxHashSet<ColId> = conds.iter().flat_map(expr_free).filter(|c| !inside.contains(c)).collect();
        let mut exprs: Vec<(Expr, OutCol)> = Vec::new();
        for c in &conds {
            let (_, Expr::Col(id, ty)) = equi(c, &outside, &inside)? else { return None };
            if !exprs.iter().any(|e| e.1.id == id) {
                let name = self.names.get(&id).map_or_else(String::new, |n| n.1.clone());
                exprs.push((Expr::Col(id, ty), OutCol { id, name, ty, origin: None }));
            }
        }
        let values = Rel::Project { input: Box::new(rel), exprs };
        Some((Rel::Distinct { input: Box::new(values), on: None }, conds))
    }
    /// Relations joined, under conditions.
    fn block(&mut self, rels: &[&Rel], conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let cols: Vec<FxHashSet<ColId>> = rels
            .iter()
            .map(|r| {
                let mut s = FxHashSet::default();
                produced(r, &mut s);
                s
            })
            .collect();
        let mask_of = |e: &Expr| -> u64 {
            let free = expr_free(e);
            cols.iter().enumerate().filter(|(_, s)| free.iter().any(|c| s.contains(c))).fold(0, |m, (i, _)| m | 1 << i)
        };
        if let [r] = rels
            && !matches!(r, Rel::Join { .. } | Rel::Filter { .. })
        {
            // Volatile conditions and subqueries stay above what they may not be pushed through, the relation itself decides.
            return self.plan_rel(r, conds, want);
        }
        let mut item_conds: Vec<Vec<Expr>> = rels.iter().map(|_| Vec::new()).collect();
        let (mut joins, mut late) = (Vec::new(), Vec::new());
        let item = |c: ColId| cols.iter().position(|s| s.contains(&c));
        // A column of the block under the name that a projection gave it: the condition would go to a relation that does not have it.
        if cfg!(debug_assertions)
            && conds.iter().flat_map(expr_free).any(|c| item(c).is_none() && item(self.slot_of(c)).is_some())
        {
            return Err(Error::internal("condition reads a column by another name"));
        }
        for classes::Tied { e: c, class, implied } in classes::close(conds, &item) {
            let mask = mask_of(&c);
            if is_volatile(&c) {
                late.push(c);
            } else if mask.count_ones() == 1 {
                item_conds[mask.trailing_zeros() as usize].push(c);
            } else if mask == 0 {
                // No column of this block: as well tested with the first relation.
                item_conds[0].push(c);
            } else {
                for i in (0..rels.len()).filter(|i| mask >> i & 1 == 1) {
                    item_conds[i].extend(of_each_arm(&c, &|e| mask_of(e) == 1 << i));
                }
                let sel = if implied { 1.0 } else { self.selectivity(&c) };
                let sides = hashable_sides(&c, &mask_of);
                joins.push(JoinCond { e: c, mask, class, sel, sides });
            }
        }
        // Rows keep the order of the relation that comes first.
        let leads =
            want.order.first().and_then(|k| cols.iter().position(|s| s.iter().any(|c| self.slot_of(*c) == k.col)));
        let mut items = Vec::new();
        for ((rel, conds), own) in rels.iter().zip(item_conds).zip(&cols) {
            let node = if matches!(rel, Rel::Join { .. }) {
                let w = if leads.is_none_or(|i| i == items.len()) { want } else { &Want::default() };
                self.plan_join(rel, conds.clone(), w)?
            } else {
                let w = if leads == Some(items.len()) { want.whole() } else { Want::default() };
                let w = if rels.len() == 1 { want.clone() } else { w };
                self.plan_rel(rel, conds.clone(), &w)?
            };
            let at = items.len();
            let others =
                |c: &ColId| (0..cols.len()).filter(|i| *i != at && cols[*i].contains(c)).fold(0, |m, i| m | 1 << i);
            let needs = free_cols(rel).iter().fold(0, |m, c| m | others(c));
            items.push(Item { rel, cols: own.clone(), conds, node, needs, once: rel_volatile(rel) });
        }
        let node = if items.len() == 1 {
            match items.pop() {
                Some(i) => i.node,
                None => return Err(Error::internal("empty join")),
            }
        } else {
            self.order_joins(items, joins, leads.filter(|_| want.ordered))?
        };
        self.add_filter(node, late)
    }

    /// Does the relation (with conditions) read anything from outside, so that its result may not be kept over restarts?
    pub(super) fn depends(&self, r: &Rel, conds: &[Expr]) -> bool {
        let mut own = FxHashSet::default();
        produced(r, &mut own);
        !free_cols(r).is_empty()
            || reads_work_table(r)
            || conds.iter().any(|c| expr_free(c).iter().any(|c| !own.contains(c)))
    }

    /// A nested loop. `lateral`: the right side reads the left's columns; otherwise its rows are kept.
    pub fn nest(
        &mut self,
        l: PNode,
        r: PNode,
        kind: JoinKind,
        conds: Vec<Expr>,
        lateral: bool,
        rows: f64,
    ) -> Result<PNode> {
        let right_slots = r.out.clone();
        let r = if lateral || node_depends(&r) || matches!(r.kind, Kind::Materialize { .. } | Kind::One | Kind::Empty) {
            r
        } else {
            let est = Est { total: r.est.total + r.est.rows * CPU_OPERATOR, ..r.est };
            let out = r.out.clone();
            PNode { kind: Kind::Materialize { input: Box::new(r) }, est, out, id: 0 }
        };
        let mut conds = conds;
        order_conds(&mut conds);
        let cond = self.compile_and(&conds)?;
        let per = if lateral { r.est.total } else { r.est.rows * CPU_OPERATOR };
        let total = l.est.total + if lateral { 0.0 } else { r.est.total } + l.est.rows * per + rows * CPU_TUPLE;
        let mut out = l.out.clone();
        if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            out.extend(&right_slots);
        }
        let est = Est {
            startup: l.est.startup + if lateral { r.est.startup } else { r.est.total },
            total,
            rows: rows.max(1.0),
            width: l.est.width + r.est.width,
        };
        let spec = JoinSpec {
            kind,
            left_keys: vec![],
            right_keys: vec![],
            key_types: vec![],
            cond,
            left_slots: l.out.clone(),
            right_slots,
            probe_first: false,
            lateral,
            hash_ir: vec![],
            cond_ir: conds,
        };
        Ok(PNode {
            kind: Kind::NestLoop { left: Box::new(l), right: Box::new(r), spec: Arc::new(spec) },
            est,
            out,
            id: 0,
        })
    }
    #[allow(clippy::too_many_arguments)]
    pub fn hash(
        &mut self,
        l: PNode,
        r: PNode,
        kind: JoinKind,
        conds: Vec<Expr>,
        lc: &FxHashSet<ColId>,
        rc: &FxHashSet<ColId>,
        rebuild: bool,
        rows: f64,
    ) -> Result<PNode> {
        let (mut lk, mut rk, mut types, mut rest, mut ir) = (vec![], vec![], vec![], vec![], vec![]);
        for c in conds {
            match equi(&c, lc, rc) {
                Some((a, b)) => {
                    types.push(a.ty());
                    lk.push(self.compile(&a)?);
                    rk.push(self.compile(&b)?);
                    ir.push(c);
                }
                None => rest.push(c),
            }
        }
        let cond = self.compile_and(&rest)?;
        let mut out = l.out.clone();
        if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            out.extend(&r.out);
        }
        let total = l.est.total
            + r.est.total
            + r.est.rows * (CPU_TUPLE + CPU_OPERATOR) * 1.5
            + l.est.rows * CPU_OPERATOR * 2.0
            + rows * CPU_TUPLE;
        let est =
            Est { startup: l.est.startup + r.est.total, total, rows: rows.max(1.0), width: l.est.width + r.est.width };
        // Its keys may read a row outside although its rows do not: `on b.y = greatest(outside.x, a.y)`.
        let mut read = FxHashSet::default();
        rk.iter().for_each(|k| px_slots(k, &mut read));
        let rebuild = rebuild || node_depends(&r) || read.iter().any(|s| !r.out.contains(s));
        let mut right_slots = r.out.clone();
        if matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            // Nobody above reads them.
            let tested: FxHashSet<u32> = rest.iter().flat_map(expr_free).map(|c| self.slot_of(c)).collect();
            right_slots.retain(|s| tested.contains(s));
        }
        let probe_first = self.probes_first(&l, &r, kind);
        let spec = JoinSpec {
            kind,
            left_keys: lk,
            right_keys: rk,
            key_types: types,
            cond,
            left_slots: l.out.clone(),
            right_slots,
            probe_first,
            lateral: rebuild,
            hash_ir: ir,
            cond_ir: rest,
        };
        Ok(PNode {
            kind: Kind::HashJoin { left: Box::new(l), right: Box::new(r), spec: Arc::new(spec) },
            est,
            out,
            id: 0,
        })
    }

    /// Whether a hash join asks for a row of the left side before it makes the table: where there is none, the table is not needed. The other way round, an inner
    /// join of an empty table asks for no row. What is expected to cost less goes first; a side is the likelier to be empty the fewer rows it has. The first of
    /// many rows that a condition leaves may stand far from the beginning: at the square root of their number's part of the way.
    fn probes_first(&self, l: &PNode, r: &PNode, kind: JoinKind) -> bool {
        let (early, table) = (self.cte_cost(l), r.est.total + self.cte_cost(r));
        if !matches!(kind, JoinKind::Inner | JoinKind::Cross | JoinKind::Semi) {
            return l.est.startup + early < table;
        }
        let total = l.est.total + early;
        let first = l.est.startup + early + (l.est.total - l.est.startup) / l.est.rows.max(1.0).sqrt();
        let (left_empty, right_empty) = (1.0 / (1.0 + l.est.rows), 1.0 / (1.0 + r.est.rows));
        let rest = total - first;
        first + left_empty * rest + (1.0 - left_empty) * (table + (1.0 - right_empty) * rest)
            < table + (1.0 - right_empty) * total
    }
    /// What the common table expressions cost that the node reads: no node's estimate has them, whoever asks first pays.
    fn cte_cost(&self, n: &PNode) -> f64 {
        let own = match &n.kind {
            Kind::CteScan { cte, .. } => {
                self.cte_plans.get(*cte).and_then(|c| c.as_ref()).map_or(0.0, |c| c.node.est.total)
            }
            _ => 0.0,
        };
        if self.cte_plans.is_empty() { 0.0 } else { n.inputs().into_iter().fold(own, |sum, i| sum + self.cte_cost(i)) }
    }

    /// Outer joins and anything else that is not reordered. `conds` come from above the join.
    pub fn plan_join(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::Join { kind, left, right, on, lateral } = r else { return Err(Error::internal("not a join")) };
        let (mut lc, mut rc) = (FxHashSet::default(), FxHashSet::default());
        produced(left, &mut lc);
        produced(right, &mut rc);
        let only = |c: &Expr, own: &FxHashSet<ColId>, other: &FxHashSet<ColId>| {
            let f = expr_free(c);
            f.iter().any(|c| own.contains(c)) && !f.iter().any(|c| other.contains(c))
        };
        let mut kind = *kind;
        // A condition that no NULL row passes makes the outer join inner on that side.
        let rejects = |own: &FxHashSet<ColId>| conds.iter().any(|c| rejects_nulls(c, own));
        kind = match kind {
            JoinKind::Left if rejects(&rc) => JoinKind::Inner,
            JoinKind::Right if rejects(&lc) => JoinKind::Inner,
            JoinKind::Full => match (rejects(&lc), rejects(&rc)) {
                (true, true) => JoinKind::Inner,
                (true, false) => JoinKind::Left,
                (false, true) => JoinKind::Right,
                _ => JoinKind::Full,
            },
            k => k,
        };
        if kind == JoinKind::Inner && !matches!(r, Rel::Join { kind: JoinKind::Inner, .. }) {
            let inner = Rel::Join { kind, left: left.clone(), right: right.clone(), on: on.clone(), lateral: *lateral };
            return self.plan_block(&inner, conds, want);
        }
        // RIGHT is LEFT with the sides exchanged.
        if kind == JoinKind::Right && !*lateral {
            let swapped = Rel::Join {
                kind: JoinKind::Left,
                left: right.clone(),
                right: left.clone(),
                on: on.clone(),
                lateral: false,
            };
            return self.plan_join(&swapped, conds, want);
        }
        let (mut lconds, mut rconds, mut above) = (Vec::new(), Vec::new(), Vec::new());
        for c in conds {
            if !is_volatile(&c)
                && only(&c, &lc, &rc)
                && matches!(kind, JoinKind::Left | JoinKind::Semi | JoinKind::Anti)
            {
                lconds.push(c)
            } else {
                above.push(c)
            }
        }
        let mut on_conds = Vec::new();
        if let Some(on) = on {
            conjuncts(on.clone(), &mut on_conds);
        }
        let mut join_conds = Vec::new();
        for c in on_conds {
            if kind == JoinKind::Left && !is_volatile(&c) && only(&c, &rc, &lc) {
                rconds.push(c)
            } else {
                join_conds.push(c)
            }
        }
        let l = self.plan_rel(left, lconds, &want.whole())?;
        let plain = self.plan_rel(right, rconds.clone(), &Want::default())?;
        let sel: f64 = join_conds.iter().map(|c| self.selectivity(c)).product();
        let mut rows = (l.est.rows * plain.est.rows * sel).max(1.0);
        if matches!(kind, JoinKind::Left | JoinKind::Full) {
            rows = rows.max(l.est.rows);
        }
        let needs_left = free_cols(right).iter().any(|c| lc.contains(c));
        // `b.x IS NULL` above, and a match would have had one: only rows without a match are left.
        let unmatched = |c: &Expr| match c {
            Expr::IsNull(x, false) => {
                matches!(&**x, Expr::Col(id, _) if rc.contains(id) && (self.never_null(right, *id)
                || join_conds.iter().any(|c| rejects_nulls(c, &FxHashSet::from_iter([*id])))))
            }
            _ => false,
        };
        if kind == JoinKind::Left
            && !needs_left
            && !join_conds.iter().any(is_volatile)
            && let Some(i) = above.iter().position(unmatched)
        {
            above.remove(i);
            let lookup = self.replan(right, &plain, rconds, join_conds.clone(), &Want::first(1.0))?;
            let rows = self.rows_with_match(l.est.rows, plain.est.rows, &join_conds, &lc, &rc, true);
            let node = self.choose(l, plain, lookup, JoinKind::Anti, join_conds, &lc, &rc, false, rows, want)?;
            let node = self.null_side(node, right);
            return self.add_filter(node, above);
        }
        let node = if kind == JoinKind::Full || kind == JoinKind::Right {
            if join_conds.iter().any(|c| equi(c, &lc, &rc).is_some()) {
                self.hash(l, plain, kind, join_conds, &lc, &rc, false, rows)?
            } else {
                self.nest(l, plain, kind, join_conds, false, rows)?
            }
        } else {
            let more = join_conds.iter().filter(|c| !is_volatile(c)).cloned().collect();
            let lookup = self.replan(right, &plain, rconds, more, &Want::default())?;
            self.choose(l, plain, lookup, kind, join_conds, &lc, &rc, needs_left, rows, want)?
        };
        self.add_filter(node, above)
    }
    /// Is this column of the relation a table's own, and declared NOT NULL?
    fn never_null(&self, r: &Rel, id: ColId) -> bool {
        match r {
            Rel::Filter { input, .. } => self.never_null(input, id),
            Rel::Table { table, cols, .. } => {
                let column = cols.iter().find(|c| c.1.id == id).and_then(|c| table.column(c.0));
                column.is_some_and(|c| c.not_null)
            }
            _ => false,
        }
    }
    /// The rows of `n` with NULL for every column of `r` that anybody reads.
    fn null_side(&self, n: PNode, r: &Rel) -> PNode {
        let slots: Vec<u32> = self.out_slots(r).into_iter().filter(|s| self.is_used(*s)).collect();
        if slots.is_empty() {
            return n;
        }
        let exprs = slots.iter().map(|s| (Px::Const(Datum::Null), *s)).collect();
        let (est, mut out) = (n.est, n.out.clone());
        out.extend(&slots);
        PNode { kind: Kind::Compute { input: Box::new(n), exprs: Arc::new(exprs) }, est, out, id: 0 }
    }
    /// Nested loop with look-ups, hash join, or nested loop over kept rows, by cost.
    #[allow(clippy::too_many_arguments)]
    fn choose(
        &mut self,
        l: PNode,
        plain: PNode,
        lookup: PNode,
        kind: JoinKind,
        conds: Vec<Expr>,
        lc: &FxHashSet<ColId>,
        rc: &FxHashSet<ColId>,
        lateral: bool,
        rows: f64,
        want: &Want,
    ) -> Result<PNode> {
        let can_hash = !lateral && conds.iter().any(|c| equi(c, lc, rc).is_some());
        // A volatile join condition is tested pair by pair.
        let volatile = conds.iter().any(is_volatile);
        // Semi and anti joins stop at the first match.
        let each = if matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            lookup.est.startup + (lookup.est.total - lookup.est.startup) / lookup.est.rows.max(1.0)
        } else {
            lookup.est.total
        };
        let nest_cost = l.est.rows * each + if self.settings.enable_nestloop { 0.0 } else { DISABLED };
        let table_of = |build: f64, probe: f64| build * (CPU_TUPLE + CPU_OPERATOR) * 1.5 + probe * CPU_OPERATOR * 2.0;
        // A left join may keep its left rows in the table, and tell at the end which of them have found nothing.
        let turned = table_of(l.est.rows, plain.est.rows);
        let straight = table_of(plain.est.rows, l.est.rows);
        let turn = kind == JoinKind::Left && turned < straight;
        let hash_cost = plain.est.total
            + if turn { turned } else { straight }
            + want.disorder()
            + if self.settings.enable_hashjoin { 0.0 } else { DISABLED };
        let kept_cost = plain.est.total + l.est.rows * plain.est.rows * CPU_OPERATOR * 2.0;
        // What is quadratic if the estimate is wrong.
        let instead = can_hash && !volatile && self.settings.enable_hashjoin && !at_most_one(&l);
        let nest_cost = nest_cost + if instead && reads_whole(&lookup) { DISABLED } else { 0.0 };
        let kept_cost = kept_cost + if instead && !at_most_one(&plain) { DISABLED } else { 0.0 };
        if can_hash && hash_cost < nest_cost && hash_cost <= kept_cost.max(1.0) {
            return if turn {
                self.hash(plain, l, JoinKind::Right, conds, rc, lc, false, rows)
            } else {
                self.hash(l, plain, kind, conds, lc, rc, false, rows)
            };
        }
        if volatile || (!lateral && kept_cost < nest_cost) {
            return self.nest(l, plain, kind, conds, lateral, rows);
        }
        self.nest(l, lookup, kind, vec![], true, rows)
    }

    /// How many of the left rows have a match on the right, or have none: each value of the side that has fewer different ones is taken to be one
    /// of the other's (PostgreSQL's eqjoinsel_semi). What else is compared is taken to hold for half of them.
    fn rows_with_match(
        &mut self,
        left: f64,
        right: f64,
        conds: &[Expr],
        lc: &FxHashSet<ColId>,
        rc: &FxHashSet<ColId>,
        anti: bool,
    ) -> f64 {
        let mut part = 1.0f64;
        for c in conds {
            let pair = equi(c, lc, rc).and_then(|(a, b)| Some((self.distinct(&a)?, self.distinct(&b)?.min(right))));
            part *= pair.map_or(0.5, |(l, r)| (r / l.max(1.0)).min(1.0));
        }
        (left * if anti { (1.0 - part).max(LEAST_WITHOUT) } else { part }).max(1.0)
    }
    fn add_semis(&mut self, mut node: PNode, semis: Vec<(Subquery, bool)>, want: &Want) -> Result<PNode> {
        for (s, anti) in semis {
            let lc: FxHashSet<ColId> = s.outer.iter().copied().collect();
            let mut rel = s.rel;
            let mut conds = Vec::new();
            if let SubqueryKind::Any { left, ops, .. } = &s.kind {
                let cols = rel_cols(&rel);
                for ((l, f), c) in left.iter().zip(ops).zip(&cols) {
                    conds.push(Expr::Call {
                        f: f.clone(),
                        args: vec![l.clone(), Expr::Col(c.id, c.ty)],
                        ty: Type::BOOL,
                    });
                }
            }
            // Conditions that reach outside move from the subquery into the join.
            pull_up(&mut rel, &mut conds);
            let mut rc = FxHashSet::default();
            produced(&rel, &mut rc);
            let mut left_cols: FxHashSet<ColId> = lc;
            for c in &conds {
                left_cols.extend(expr_free(c).into_iter().filter(|c| !rc.contains(c)));
            }
            let plain = self.plan_rel(&rel, vec![], &Want::default())?;
            let first = Want::first(1.0);
            let lookup = self.replan(&rel, &plain, vec![], conds.clone(), &first)?;
            let correlated = !free_cols(&rel).is_empty();
            let kind = if anti { JoinKind::Anti } else { JoinKind::Semi };
            let rows = self.rows_with_match(node.est.rows, plain.est.rows, &conds, &left_cols, &rc, anti);
            node = self.choose(node, plain, lookup, kind, conds, &left_cols, &rc, correlated, rows, want)?;
        }
        Ok(node)
    }
}

/// What an OR over several relations says of one of them alone: the OR of what each arm says of it, if each does (PostgreSQL's extract_restriction_or_clauses).
fn of_each_arm(c: &Expr, own: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let Expr::Or(arms) = c else { return None };
    let mut out = Vec::with_capacity(arms.len());
    for arm in arms {
        let mut all = Vec::new();
        conjuncts(arm.clone(), &mut all);
        all.retain(|e| !is_volatile(e) && !has_subquery(e) && own(e));
        out.push(conjunction(all)?);
    }
    Some(Expr::Or(out))
}
/// Both sides of `a = b`, hashable alike.
fn hashable(c: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::Call { f, args, .. } = c else { return None };
    let [a, b] = args.as_slice() else { return None };
    let no =
        expr::cmp_of(f) != Some(CmpOp::Eq) || !hash_compatible(a.ty(), b.ty()) || is_volatile(c) || has_subquery(c);
    (!no).then_some((a, b))
}
pub(super) fn hashable_sides(c: &Expr, mask_of: &dyn Fn(&Expr) -> u64) -> Option<(u64, u64)> {
    hashable(c).map(|(a, b)| (mask_of(a), mask_of(b)))
}
/// `a = b` with one side from each input and hashable alike: (left's, right's).
pub fn equi(c: &Expr, lc: &FxHashSet<ColId>, rc: &FxHashSet<ColId>) -> Option<(Expr, Expr)> {
    let (a, b) = hashable(c)?;
    let (fa, fb) = (expr_free(a), expr_free(b));
    let within = |f: &FxHashSet<ColId>, own: &FxHashSet<ColId>, other: &FxHashSet<ColId>| {
        f.iter().any(|c| own.contains(c)) && !f.iter().any(|c| other.contains(c))
    };
    if within(&fa, lc, rc) && within(&fb, rc, lc) {
        Some((a.clone(), b.clone()))
    } else if within(&fb, lc, rc) && within(&fa, rc, lc) {
        Some((b.clone(), a.clone()))
    } else {
        None
    }
}
/// EXISTS, IN and NOT EXISTS as (subquery, anti). NOT IN keeps its NULL semantics as a sub-plan.
fn as_semi(c: &Expr) -> Option<(&Subquery, bool)> {
    let joinable = |s: &Subquery| {
        let plain = match &s.kind {
            SubqueryKind::Exists => true,
            SubqueryKind::Any { left, .. } => is_in(s) && !left.iter().any(|l| has_subquery(l) || is_volatile(l)),
            _ => false,
        };
        plain && !rel_volatile(&s.rel) && !matches!(s.rel, Rel::Modify(..))
    };
    match c {
        Expr::Subquery(s) if joinable(s) => Some((s, false)),
        Expr::Not(x) => match &**x {
            Expr::Subquery(s) if matches!(s.kind, SubqueryKind::Exists) && joinable(s) => Some((s, true)),
            _ => None,
        },
        _ => None,
    }
}
/// Takes out of an EXISTS or IN the subqueries that ask nothing of its own rows: `EXISTS (SELECT .. WHERE a AND NOT EXISTS (.. only of what is outside ..))`
/// is both of them side by side, and each a join of its own.
fn conditions_outside(c: &mut Expr, out: &mut Vec<Expr>) {
    if !matches!(as_semi(c), Some((_, false))) {
        return;
    }
    let Expr::Subquery(s) = c else { return };
    let mut at = &mut Arc::make_mut(s).rel;
    while let Rel::Project { input, .. } = at {
        at = &mut **input;
    }
    let Rel::Filter { input, cond } = at else { return };
    let mut own = FxHashSet::default();
    produced(input, &mut own);
    let mut all = Vec::new();
    conjuncts(std::mem::replace(cond, Expr::Const(Datum::Bool(true), Type::BOOL)), &mut all);
    let outside = |c: &Expr| as_semi(c).is_some() && !expr_free(c).iter().any(|c| own.contains(c));
    let (pull, keep): (Vec<Expr>, Vec<Expr>) = all.into_iter().partition(outside);
    out.extend(pull);
    if let Some(keep) = conjunction(keep) {
        *cond = keep;
    }
}
/// IN over a subquery that locks the rows it gives: a queue's `WHERE id IN (SELECT ... LIMIT 1 FOR UPDATE SKIP LOCKED)`.
fn locking_in(c: &Expr) -> Option<&Subquery> {
    fn volatile_but_locks(r: &Rel) -> bool {
        let mut v = matches!(r, Rel::Modify(..));
        exprs(r, &mut |e| v |= is_volatile(e));
        v || inputs(r).into_iter().any(volatile_but_locks)
    }
    let Expr::Subquery(s) = c else { return None };
    let SubqueryKind::Any { left, .. } = &s.kind else { return None };
    let plain = is_in(s) && !left.iter().any(|l| has_subquery(l) || is_volatile(l));
    (plain && has_locks(&s.rel) && !volatile_but_locks(&s.rel)).then_some(&**s)
}
/// Takes conditions with outside columns out of the top of a subquery.
pub(super) fn pull_up(r: &mut Rel, out: &mut Vec<Expr>) {
    match r {
        Rel::Filter { input, cond } => {
            let mut own = FxHashSet::default();
            produced(input, &mut own);
            let mut all = Vec::new();
            conjuncts(cond.clone(), &mut all);
            let (keep, pull): (Vec<Expr>, Vec<Expr>) = all
                .into_iter()
                .partition(|c| is_volatile(c) || has_subquery(c) || expr_free(c).iter().all(|c| own.contains(c)));
            out.extend(pull);
            let mut inner = std::mem::replace(&mut **input, Rel::One);
            pull_up(&mut inner, out);
            *r = match conjunction(keep) {
                Some(cond) => Rel::Filter { input: Box::new(inner), cond },
                None => inner,
            };
        }
        // The projection's input keeps the columns that pulled conditions read; plain projections only rename.
        Rel::Project { input, exprs } if exprs.iter().all(|(e, _)| !is_volatile(e)) => {
            let n = out.len();
            pull_up(input, out);
            if out.len() > n {
                // Its own columns become visible beside the listed ones.
                let listed: FxHashSet<ColId> = exprs.iter().map(|e| e.1.id).collect();
                for c in rel_cols(input) {
                    if !listed.contains(&c.id) {
                        exprs.push((Expr::Col(c.id, c.ty), c));
                    }
                }
            }
        }
        _ => {}
    }
}
/// Is the condition not true whenever all columns of `own` are NULL?
fn rejects_nulls(c: &Expr, own: &FxHashSet<ColId>) -> bool {
    match c {
        Expr::Call { f, args, .. } if f.strict => args.iter().any(|a| strict_on(a, own)),
        Expr::InList { e, .. } => strict_on(e, own),
        Expr::AnyAll { op, left, all: false, .. } => op.strict && strict_on(left, own),
        Expr::IsNull(e, true) => strict_on(e, own),
        Expr::And(v) => v.iter().any(|c| rejects_nulls(c, own)),
        Expr::Or(v) => !v.is_empty() && v.iter().all(|c| rejects_nulls(c, own)),
        Expr::Not(x) => matches!(&**x, Expr::Call { .. } | Expr::InList { .. }) && strict_on(x, own),
        _ => false,
    }
}
fn strict_on(e: &Expr, own: &FxHashSet<ColId>) -> bool {
    match e {
        Expr::Col(c, _) => own.contains(c),
        Expr::Call { f, args, .. } => f.strict && args.iter().any(|a| strict_on(a, own)),
        Expr::Cast { e, .. } => strict_on(e, own),
        Expr::InList { e, .. } => strict_on(e, own),
        _ => false,
    }
}
