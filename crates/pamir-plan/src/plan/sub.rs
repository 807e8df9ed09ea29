//! Subqueries used as values, and common table expressions that are computed once.
use super::*;
use pamir_expr::expr::Fun;
use pamir_expr::func::FunctionRef;

impl Planner<'_> {
    /// Plans a CTE that is computed by itself.
    pub(super) fn keep_cte(&mut self, i: usize, c: &Cte) -> Result<()> {
        let node = self.plan_cte(i, c)?;
        let cols = rel_cols(&c.rel);
        let out = cols.iter().map(|o| self.slot_of(o.id)).collect();
        let place = self.cte_plans.get_mut(i).ok_or_else(|| Error::internal("no such CTE"))?;
        *place = Some(CtePlan {
            name: c.name.clone(),
            node,
            out,
            types: cols.iter().map(|c| c.ty).collect(),
            modifies: matches!(c.rel, Rel::Modify(..)),
        });
        Ok(())
    }
    pub(super) fn plan_cte(&mut self, i: usize, c: &Cte) -> Result<PNode> {
        if !c.recursive {
            return self.plan_rel(&c.rel, Vec::new(), &Want::default());
        }
        let Rel::SetOp { op: SetOp::Union, all, left, right, cols } = &c.rel else {
            return self.plan_rel(&c.rel, Vec::new(), &Want::default());
        };
        let base = self.plan_rel(left, Vec::new(), &Want::default())?;
        let rec = self.plan_rel(right, Vec::new(), &Want::default())?;
        let spec = self.set_spec(SetOp::Union, *all, left, right, cols);
        let rows = base.est.rows + 10.0 * rec.est.rows;
        let est = Est {
            startup: base.est.startup,
            total: base.est.total + 10.0 * rec.est.total,
            rows,
            width: base.est.width,
        };
        let out = spec.out.clone();
        Ok(PNode {
            kind: Kind::RecursiveUnion { cte: i, base: Box::new(base), rec: Box::new(rec), spec: Arc::new(spec) },
            est,
            out,
            id: 0,
        })
    }
    /// What it costs to run the sub-plan of these columns once.
    pub(super) fn sub_cost(&self, ids: &[ColId]) -> Option<f64> {
        self.subs.get(*self.sub_plans.get(ids)?).map(|s| s.node.est.total)
    }
    /// A subquery used as a value.
    pub(super) fn sub_plan(&mut self, s: &Subquery) -> Result<usize> {
        let limit = match s.kind {
            SubqueryKind::Exists => Some(1.0),
            _ => None,
        };
        let cols = rel_cols(&s.rel);
        let ids: Vec<ColId> = cols.iter().map(|c| c.id).collect();
        if let Some(i) = self.sub_plans.get(&ids) {
            return Ok(*i);
        }
        let node = self.plan_rel(&s.rel, Vec::new(), &Want { limit, ..Want::default() })?;
        let kind = match &s.kind {
            SubqueryKind::Row { shared } => SubKind::Row { shared: *shared },
            SubqueryKind::Scalar => SubKind::Scalar,
            SubqueryKind::Exists => SubKind::Exists,
            SubqueryKind::Array => SubKind::Array(oid::element_of(s.ty.oid).unwrap_or(oid::TEXT)),
            SubqueryKind::Any { left, ops, rows } | SubqueryKind::All { left, ops, rows } => {
                let all = matches!(s.kind, SubqueryKind::All { .. });
                let mut funs = Vec::new();
                let mut hashable = !all && rows.is_none();
                let fun = |l: &Expr, f: &FunctionRef, c: &OutCol| Fun::new(f.clone(), vec![l.ty(), c.ty], Type::BOOL);
                for ((l, f), c) in left.iter().zip(ops).zip(&cols) {
                    hashable &= expr::cmp_of(f) == Some(CmpOp::Eq) && hash_compatible(l.ty(), c.ty);
                    funs.push(fun(l, f, c)?);
                }
                let rows = match rows {
                    Some(r) => {
                        let less = left.iter().zip(&r.less).zip(&cols).map(|((l, f), c)| fun(l, f, c));
                        Some((r.op, less.collect::<Result<_>>()?))
                    }
                    None => None,
                };
                SubKind::Any { left: self.compile_all(left)?, ops: funs, rows, all, hashable }
            }
        };
        let correlated = !free_cols(&s.rel).is_empty() || reads_work_table(&s.rel);
        let hashed = match kind {
            SubKind::Exists | SubKind::Scalar if correlated => self.hashed(s, &node)?,
            _ => None,
        };
        let out = cols.iter().map(|c| self.slot_of(c.id)).collect();
        self.subs.push(SubPlan {
            node,
            kind,
            out,
            types: cols.iter().map(|c| c.ty).collect(),
            correlated,
            ids: ids.clone(),
            hashed,
        });
        let at = self.subs.len() - 1;
        // EXISTS may have no column to be known by.
        if !ids.is_empty() {
            self.sub_plans.insert(ids, at);
        }
        Ok(at)
    }
    /// The other way to answer a correlated EXISTS or aggregate; None: its conditions on the outside are not all equalities that hash, or too much would
    /// be planned twice.
    fn hashed(&mut self, s: &Subquery, lookup: &PNode) -> Result<Option<HashedSub>> {
        if rel_volatile(&s.rel)
            || reads_work_table(&s.rel)
            || self.alternatives >= MAX_ALTERNATIVES
            || !self.settings.enable_hashjoin
        {
            return Ok(None);
        }
        let (mut rel, mut pairs) = (s.rel.clone(), Vec::new());
        let value = match s.kind {
            SubqueryKind::Exists => {
                let mut conds = Vec::new();
                join::pull_up(&mut rel, &mut conds);
                let Some(p) = outside_and_inside(&rel, &conds) else { return Ok(None) };
                pairs = p;
                None
            }
            _ => {
                let mut none = s.rel.clone();
                if !self.group_by_keys(&mut rel, &mut pairs) || !without_rows(&mut none) {
                    return Ok(None);
                }
                Some(none)
            }
        };
        if pairs.is_empty() || !free_cols(&rel).is_empty() {
            return Ok(None);
        }
        self.begin_again();
        let node = self.plan_rel(&rel, Vec::new(), &Want::default());
        let value = value.map(|none| self.plan_rel(&none, Vec::new(), &Want::default())).transpose();
        self.replans -= 1;
        let (node, value) = (node?, value?);
        let after = if walk::reads_whole(lookup) {
            1
        } else {
            // As many look-ups as cost what the table does.
            let each = lookup.est.startup + (lookup.est.total - lookup.est.startup) / lookup.est.rows.max(1.0);
            let build = node.est.total + node.est.rows * (CPU_TUPLE + CPU_OPERATOR) * 1.5;
            (build / each.max(CPU_TUPLE)).ceil().max(1.0) as u64
        };
        let slot = rel_cols(&s.rel).first().map_or(0, |c| self.slot_of(c.id));
        let value = value.map(|none| (slot, none));
        let mut h = HashedSub { node, inside: vec![], outside: vec![], types: vec![], after, value };
        for (o, i) in pairs {
            h.types.push(o.ty());
            h.outside.push(self.compile(&o)?);
            h.inside.push(self.compile(&i)?);
        }
        Ok(Some(h))
    }
    /// An aggregate over rows that equal something outside, without that condition: a group for each of the keys, which become columns of `r`. `pairs`
    /// are what is compared outside, and the key. False: it is of another form.
    fn group_by_keys(&mut self, r: &mut Rel, pairs: &mut Vec<(Expr, Expr)>) -> bool {
        match r {
            Rel::Project { input, exprs } if exprs.iter().all(|(e, _)| !has_subquery(e)) => {
                if !self.group_by_keys(input, pairs) {
                    return false;
                }
                for (_, key) in pairs.iter() {
                    if let Expr::Col(id, ty) = key {
                        let col = OutCol { id: *id, name: String::new(), ty: *ty, origin: None };
                        exprs.push((key.clone(), col));
                    }
                }
                true
            }
            Rel::Aggregate { input, groups, sets, .. } if groups.is_empty() && sets.is_empty() => {
                let mut conds = Vec::new();
                join::pull_up(input, &mut conds);
                let Some(found) = outside_and_inside(input, &conds) else { return false };
                for (o, i) in found {
                    let key = self.fresh(i.ty());
                    pairs.push((o, Expr::Col(key.id, key.ty)));
                    groups.push((i, key));
                }
                true
            }
            _ => false,
        }
    }
}

/// Conditions taken out of a relation as equalities that hash, what is outside first. None: one is anything else, or there are none.
fn outside_and_inside(rel: &Rel, conds: &[Expr]) -> Option<Vec<(Expr, Expr)>> {
    let mut inside = FxHashSet::default();
    produced(rel, &mut inside);
    let outside = conds.iter().flat_map(expr_free).filter(|c| !inside.contains(c)).collect();
    let pairs: Option<Vec<_>> = conds.iter().map(|c| join::equi(c, &outside, &inside)).collect();
    pairs.filter(|p| !p.is_empty())
}
/// The same aggregate of no rows at all.
fn without_rows(r: &mut Rel) -> bool {
    match r {
        Rel::Project { input, .. } => without_rows(input),
        Rel::Aggregate { input, .. } => {
            let rows = std::mem::replace(&mut **input, Rel::One);
            **input = Rel::Filter { input: Box::new(rows), cond: Expr::Const(Datum::Bool(false), Type::BOOL) };
            true
        }
        _ => false,
    }
}
