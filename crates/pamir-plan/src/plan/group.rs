//! Grouping and DISTINCT: by hash or over sorted input, min and max from one end of an index.
use super::*;

impl Planner<'_> {
    pub(super) fn plan_aggregate(
        &mut self,
        input: &Rel,
        groups: &[(Expr, OutCol)],
        aggs: &[AggCall],
        sets: &[Vec<usize>],
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        if groups.is_empty()
            && sets.is_empty()
            && let Some(n) = self.plan_extremes(input, aggs)?
        {
            return self.add_filter(n, conds);
        }
        // One row a set whatever the input holds (HAVING alone, GROUP BY ()): it is not read.
        let input = if groups.is_empty() && aggs.is_empty() { &Rel::One } else { input };
        let (down, up) = split_conditions(groups, aggs, sets, conds);
        let (node, sorted) = self.plan_grouped_input(input, groups, aggs, sets, down)?;
        let mut gs = Vec::new();
        for (e, o) in groups {
            gs.push((self.compile(e)?, o.ty, o.id));
        }
        let mut ags = Vec::new();
        for a in aggs {
            ags.push(AggOne {
                f: a.f.clone(),
                args: self.compile_all(&a.args)?,
                ir: a.args.clone(),
                arg_types: a.args.iter().map(Expr::ty).collect(),
                distinct: a.distinct,
                order_by: self.key_specs(&a.order_by)?,
                filter: a.filter.as_ref().map(|f| self.compile(f)).transpose()?,
                ret: a.out.ty,
                slot: a.out.id,
            });
        }
        let out: Vec<u32> = gs.iter().map(|g| g.2).chain(ags.iter().map(|a| a.slot)).collect();
        let rows = if groups.is_empty() {
            1.0
        } else {
            let d: f64 = groups.iter().map(|(e, _)| self.distinct(e).unwrap_or(200.0)).product();
            d.min(node.est.rows).max(1.0)
        };
        let cost = node.est.total + node.est.rows * CPU_OPERATOR * (groups.len() + aggs.len()) as f64;
        let est = Est {
            startup: if sorted { node.est.startup } else { cost },
            total: cost + rows * CPU_TUPLE,
            rows,
            width: self.width(&out),
        };
        let spec = AggSpec {
            groups: gs,
            aggs: ags,
            sets: sets.to_vec(),
            sorted,
            group_ir: groups.iter().map(|g| g.0.clone()).collect(),
        };
        let n = PNode { kind: Kind::Agg { input: Box::new(node), spec: Arc::new(spec) }, est, out, id: 0 };
        self.add_filter(n, up)
    }
    /// The rows to be grouped; whether each group's come together.
    fn plan_grouped_input(
        &mut self,
        input: &Rel,
        groups: &[(Expr, OutCol)],
        aggs: &[AggCall],
        sets: &[Vec<usize>],
        down: Vec<Expr>,
    ) -> Result<(PNode, bool)> {
        let end = if groups.is_empty() && sets.is_empty() { self.plan_extreme(input, aggs, &down)? } else { None };
        let order: Vec<WantKey> = groups
            .iter()
            .filter_map(|(e, _)| match e {
                Expr::Col(c, _) => Some(WantKey { col: self.slot_of(*c), desc: false, nulls_first: false }),
                _ => None,
            })
            .collect();
        let ordered = sets.is_empty() && !groups.is_empty() && order.len() == groups.len();
        let node = match end {
            Some(n) => n,
            None => self.plan_rel(input, down, &Want::default())?,
        };
        let (mut node, mut sorted) = match if ordered { self.relies(node, &order)? } else { Err(node) } {
            Ok(n) => (n, true),
            Err(n) => (n, false),
        };
        // DISTINCT and ORDER BY of an aggregate keep rows for each group: one group at a time, as PostgreSQL has it.
        let keeps = aggs.iter().any(|a| a.distinct || !a.order_by.is_empty());
        let sortable = |g: &(Expr, OutCol)| pamir_expr::func::less_than(g.0.ty().oid).is_some();
        let sorts = keeps || !self.settings.enable_hashagg && groups.iter().all(sortable);
        if sorts && !sorted && sets.is_empty() && !groups.is_empty() && !groups.iter().any(|g| is_volatile(&g.0)) {
            let keys: Vec<SortKey> =
                groups.iter().map(|g| SortKey { e: g.0.clone(), desc: false, nulls_first: false }).collect();
            node = self.add_sort(node, &keys, None)?;
            sorted = true;
        }
        Ok((node, sorted))
    }
    /// min / max of one column: one end of an index.
    fn plan_extreme(&mut self, input: &Rel, aggs: &[AggCall], down: &[Expr]) -> Result<Option<PNode>> {
        if let [a] = aggs
            && let Some(min) = a.f.extreme
            && a.filter.is_none()
            && let [Expr::Col(c, ty)] = a.args.as_slice()
            && self.may_replan(input)
        {
            let order = vec![WantKey { col: self.slot_of(*c), desc: !min, nulls_first: !min }];
            let mut with = down.to_vec();
            with.push(Expr::IsNull(Box::new(Expr::Col(*c, *ty)), true));
            self.begin_again();
            let n = self.plan_rel(input, with, &Want::order(order.clone(), Some(1.0)));
            self.replans -= 1;
            let n = n?;
            if let Ok(n) = self.relies(n, &order)? {
                let spec = LimitSpec { limit: Some(Px::Const(Datum::Int8(1))), offset: None, ties: None };
                let est = Est {
                    total: n.est.startup + (n.est.total - n.est.startup) / n.est.rows.max(1.0),
                    rows: 1.0,
                    ..n.est
                };
                let out = n.out.clone();
                return Ok(Some(PNode {
                    kind: Kind::Limit { input: Box::new(n), spec: Arc::new(spec) },
                    est,
                    out,
                    id: 0,
                }));
            }
        }
        Ok(None)
    }
    /// Several min and max: each reads one end of an index, if all of them can. Each has the input to itself and is done before the next begins, so
    /// that they may share its slots.
    pub(super) fn plan_extremes(&mut self, input: &Rel, aggs: &[AggCall]) -> Result<Option<PNode>> {
        /// Beyond that one pass over the rows is likely as good, and planning costs.
        const MAX_EXTREMES: usize = 4;
        let one =
            |a: &AggCall| a.f.extreme.is_some() && a.filter.is_none() && matches!(a.args.as_slice(), [Expr::Col(..)]);
        if !(2..=MAX_EXTREMES).contains(&aggs.len())
            || !aggs.iter().all(one)
            || rel_volatile(input)
            || !self.may_replan(input)
        {
            return Ok(None);
        }
        let subs = self.subs.len();
        let mut all: Option<PNode> = None;
        for a in aggs {
            let n = self.plan_aggregate(input, &[], std::slice::from_ref(a), &[], Vec::new())?;
            if !matches!(&n.kind, Kind::Agg { input, .. } if matches!(input.kind, Kind::Limit { .. })) {
                self.subs.truncate(subs);
                self.sub_plans.retain(|_, i| *i < subs);
                return Ok(None);
            }
            all = Some(match all {
                None => n,
                Some(l) => {
                    let spec = JoinSpec {
                        kind: JoinKind::Inner,
                        left_keys: vec![],
                        right_keys: vec![],
                        key_types: vec![],
                        cond: None,
                        left_slots: l.out.clone(),
                        right_slots: n.out.clone(),
                        probe_first: false,
                        lateral: true,
                        hash_ir: vec![],
                        cond_ir: vec![],
                    };
                    let est = Est {
                        startup: l.est.total + n.est.total,
                        total: l.est.total + n.est.total + CPU_TUPLE,
                        rows: 1.0,
                        width: l.est.width + n.est.width,
                    };
                    let out = l.out.iter().chain(&n.out).copied().collect();
                    let kind = Kind::NestLoop { left: Box::new(l), right: Box::new(n), spec: Arc::new(spec) };
                    PNode { kind, est, out, id: 0 }
                }
            });
        }
        Ok(all)
    }
    /// How many of `rows` differ in `keys`, as far as statistics tell.
    pub(super) fn distinct_rows(&mut self, keys: &[Expr], rows: f64) -> Option<f64> {
        keys.iter().map(|k| self.distinct(k)).product::<Option<f64>>().map(|d| d.min(rows))
    }
    /// DISTINCT under ORDER BY: one sort may serve both. Hashing first pays when it leaves few rows to sort.
    pub(super) fn sorted_distinct(&mut self, node: PNode, keys: &[Expr], order: &[WantKey]) -> Result<(PNode, bool)> {
        let slots: Vec<(u32, Type)> = keys
            .iter()
            .filter_map(|k| if let Expr::Col(c, t) = k { Some((self.slot_of(*c), *t)) } else { None })
            .collect();
        let order: Vec<WantKey> = order.iter().map(|k| WantKey { col: self.slot_of(k.col), ..k.clone() }).collect();
        let among = |k: &WantKey| slots.iter().find(|s| s.0 == k.col).map(|s| s.1);
        if order.is_empty() && self.settings.enable_hashagg
            || slots.len() < keys.len()
            || slots.iter().any(|s| pamir_expr::func::less_than(s.1.oid).is_none())
            || order.iter().any(|k| among(k).is_none())
        {
            return Ok((node, false));
        }
        let mut all = order;
        for (c, _) in &slots {
            if !all.iter().any(|k| k.col == *c) {
                all.push(WantKey { col: *c, desc: false, nulls_first: false });
            }
        }
        let node = match self.relies(node, &all)? {
            Ok(ordered) => return Ok((ordered, true)),
            Err(node) => node,
        };
        let sort = |n: f64| 2.0 * CPU_OPERATOR * n.max(2.0) * n.max(2.0).log2();
        let (n, each) = (node.est.rows, keys.len() as f64 * CPU_OPERATOR);
        if let Some(d) = self.distinct_rows(keys, n)
            && self.settings.enable_hashagg
            && n * each + sort(d) < sort(n)
        {
            return Ok((node, false));
        }
        let keys: Vec<SortKey> = all
            .iter()
            .map(|k| {
                let ty = self.types.get(&k.col).copied().unwrap_or(Type::UNKNOWN);
                SortKey { e: Expr::Col(k.col, among(k).unwrap_or(ty)), desc: k.desc, nulls_first: k.nulls_first }
            })
            .collect();
        Ok((self.add_sort(node, &keys, None)?, true))
    }
    /// DISTINCT ON: its input sorted by the keys. ORDER BY begins with them, or there is none.
    pub(super) fn sorted_on(&mut self, node: PNode, input: &Rel, keys: &[Expr]) -> Result<(PNode, bool)> {
        let mut r = input;
        while let Rel::Project { input, .. } = r {
            r = input;
        }
        if let Rel::Sort { keys: order, .. } = r {
            let same = |a: &Expr, b: &Expr| path::same_expr(a, b, &|c| self.slot_of(c));
            let lead = order.get(..keys.len()).unwrap_or(order);
            let sorted = keys.iter().all(|k| lead.iter().any(|o| same(k, &o.e)));
            return Ok((node, sorted));
        }
        if keys.iter().any(is_volatile) {
            return Ok((node, false));
        }
        let order: Vec<SortKey> =
            keys.iter().map(|e| SortKey { e: e.clone(), desc: false, nulls_first: false }).collect();
        let node = match self.want_of(&order) {
            Some(w) => match self.relies(node, &w)? {
                Ok(ordered) => return Ok((ordered, true)),
                Err(node) => node,
            },
            None => node,
        };
        Ok((self.add_sort(node, &order, None)?, true))
    }
}

/// The conditions over a grouping that go below it, and those that stay above.
fn split_conditions(
    groups: &[(Expr, OutCol)],
    aggs: &[AggCall],
    sets: &[Vec<usize>],
    conds: Vec<Expr>,
) -> (Vec<Expr>, Vec<Expr>) {
    // A condition on group columns alone selects groups: it may as well select rows.
    let map: FxHashMap<ColId, Expr> =
        groups.iter().filter(|(e, _)| !is_volatile(e) && !has_subquery(e)).map(|(e, o)| (o.id, e.clone())).collect();
    let own: FxHashSet<ColId> = groups.iter().map(|g| g.1.id).chain(aggs.iter().map(|a| a.out.id)).collect();
    let (mut down, mut up) = (Vec::new(), Vec::new());
    for mut c in conds {
        let cols = expr_free(&c);
        let uses_group = cols.iter().any(|c| own.contains(c));
        if sets.is_empty()
            && !groups.is_empty()
            && uses_group
            && !has_subquery(&c)
            && !is_volatile(&c)
            && cols.iter().all(|c| !own.contains(c) || map.contains_key(c))
        {
            substitute(&mut c, &map);
            down.push(c);
        } else {
            up.push(c);
        }
    }
    (down, up)
}
