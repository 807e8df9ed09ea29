//! Subqueries used as values, and common table expressions that are computed once.
use super::*;

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
        let node = self.plan_rel(&s.rel, Vec::new(), &Want { order: vec![], limit })?;
        let kind = match &s.kind {
            SubqueryKind::Row => SubKind::Row,
            SubqueryKind::Scalar => SubKind::Scalar,
            SubqueryKind::Exists => SubKind::Exists,
            SubqueryKind::Array => SubKind::Array(oid::element_of(s.ty.oid).unwrap_or(oid::TEXT)),
            SubqueryKind::Any { left, ops } | SubqueryKind::All { left, ops } => {
                let all = matches!(s.kind, SubqueryKind::All { .. });
                let mut funs = Vec::new();
                let mut hashable = !all;
                for ((l, f), c) in left.iter().zip(ops).zip(&cols) {
                    hashable &= expr::cmp_of(f) == Some(CmpOp::Eq) && hash_compatible(l.ty(), c.ty);
                    funs.push(crate::exec::expr::Fun::new(f, vec![l.ty(), c.ty], Type::BOOL)?);
                }
                SubKind::Any { left: self.compile_all(left)?, ops: funs, all, hashable }
            }
        };
        let correlated = !free_cols(&s.rel).is_empty() || reads_work_table(&s.rel);
        let hashed = match kind {
            SubKind::Exists if correlated => self.hashed_exists(s, &node)?,
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
    /// The other way to answer a correlated EXISTS; None: its conditions on the outside are not all equalities that hash, or too much would be planned twice.
    fn hashed_exists(&mut self, s: &Subquery, lookup: &PNode) -> Result<Option<HashedExists>> {
        if rel_volatile(&s.rel)
            || reads_work_table(&s.rel)
            || self.alternatives >= MAX_ALTERNATIVES
            || !self.settings.enable_hashjoin
        {
            return Ok(None);
        }
        let (mut rel, mut conds) = (s.rel.clone(), Vec::new());
        join::pull_up(&mut rel, &mut conds);
        if conds.is_empty() || !free_cols(&rel).is_empty() {
            return Ok(None);
        }
        let mut inside = HashSet::new();
        produced(&rel, &mut inside);
        let outside = conds.iter().flat_map(expr_free).filter(|c| !inside.contains(c)).collect();
        let pairs: Option<Vec<_>> = conds.iter().map(|c| join::equi(c, &outside, &inside)).collect();
        let Some(pairs) = pairs else { return Ok(None) };
        self.begin_again();
        let node = self.plan_rel(&rel, Vec::new(), &Want::default());
        self.replans -= 1;
        let node = node?;
        let after = if walk::reads_whole(lookup) {
            1
        } else {
            // As many look-ups as cost what the table does.
            let each = lookup.est.startup + (lookup.est.total - lookup.est.startup) / lookup.est.rows.max(1.0);
            let build = node.est.total + node.est.rows * (CPU_TUPLE + CPU_OPERATOR) * 1.5;
            (build / each.max(CPU_TUPLE)).ceil().max(1.0) as u64
        };
        let mut h = HashedExists { node, inside: vec![], outside: vec![], types: vec![], after };
        for (o, i) in pairs {
            h.types.push(o.ty());
            h.outside.push(self.compile(&o)?);
            h.inside.push(self.compile(&i)?);
        }
        Ok(Some(h))
    }
}
