//! The first walk over a bound statement: CTEs of one reader put where they are read, column aliases, types and names noted, which columns anybody reads,
//! constants folded. Who reads comes before what is read (from above, and from the left where the right side of a join looks at it), so a projection drops what nobody reads
//! when its turn comes: `count(*)` over a subquery decodes none of its columns, and EXISTS (SELECT * ...) only those of its conditions.
use super::*;

impl Planner<'_> {
    /// Inlines CTEs, notes aliases, types, names and every column that is read.
    pub(super) fn prepare(&mut self, r: &mut Rel, ctes: &[Cte]) -> Result<()> {
        check_stack()?;
        self.tick()?;
        if let Rel::With { input, defs } = r {
            return self.prepare_with(input, defs, ctes);
        }
        self.inline_cte(r, ctes)?;
        for o in rel_cols(r) {
            self.note(&o);
        }
        self.read_columns(r);
        let used = &mut self.used;
        exprs(r, &mut |e| {
            expr::each_col(e, &mut |c| {
                used.insert(c);
            })
        });
        let mut result = Ok(());
        exprs_mut(r, &mut |e| {
            fold::fold(e);
            self.factor(e);
            if result.is_ok() {
                result = self.prepare_subs(e, ctes);
            }
        });
        result?;
        match r {
            Rel::Filter { cond, .. } | Rel::Secured { cond, .. } => fold::fold_condition(cond),
            Rel::Join { on: Some(on), .. } => fold::fold_condition(on),
            _ => {}
        }
        for i in inputs_mut(r) {
            self.prepare(i, ctes)?;
        }
        Ok(())
    }
    /// A scan of a CTE that goes where it is read becomes the CTE's relation.
    fn inline_cte(&mut self, r: &mut Rel, ctes: &[Cte]) -> Result<()> {
        if let Rel::CteScan { cte, cols, .. } = r {
            let c = ctes.get(*cte).ok_or_else(|| Error::internal("no such CTE"))?;
            if inlined(c) {
                let exprs = c.cols.iter().zip(cols.iter()).map(|(i, o)| (Expr::Col(i.id, i.ty), o.clone())).collect();
                // The CTE's own columns may be those of its relation under other ids.
                let inner = rel_cols(&c.rel);
                for (a, b) in c.cols.iter().zip(&inner) {
                    if a.id != b.id {
                        self.alias.insert(a.id, b.id);
                    }
                    self.used.insert(b.id);
                    self.used.insert(a.id);
                }
                *r = Rel::Project { input: Box::new(c.rel.clone()), exprs };
            }
        }
        Ok(())
    }
    /// Notes where a relation's columns come from and which of its input's it reads itself; drops what nobody reads.
    fn read_columns(&mut self, r: &mut Rel) {
        match r {
            Rel::Table { table, alias, cols, key, tableoid, .. } => {
                for (a, o) in cols.iter() {
                    self.origin.insert(o.id, (table.clone(), (*a as usize).wrapping_sub(1)));
                    let name = table.column(*a).map_or_else(|| o.name.clone(), |c| c.name.clone());
                    self.names.insert(o.id, (alias.clone(), name));
                }
                if let Some(k) = key {
                    self.types.insert(*k, Type::new(oid::TID));
                    self.origin.insert(*k, (table.clone(), ROW_KEY));
                    self.names.insert(*k, (alias.clone(), "ctid".into()));
                }
                if let Some(k) = tableoid {
                    self.types.insert(*k, Type::OID);
                }
            }
            Rel::Project { input, exprs } => {
                exprs.retain(|(e, o)| self.used.contains(&o.id) || is_volatile(e) || has_volatile_subquery(e));
                // A column from outside is a value of its own here: an outer join above may make it NULL, and who keeps these rows keeps it too.
                let mut own = FxHashSet::default();
                produced(input, &mut own);
                for (e, o) in exprs.iter() {
                    if let Expr::Col(c, _) = e
                        && *c != o.id
                        && own.contains(c)
                    {
                        self.alias.insert(o.id, *c);
                    }
                }
            }
            // The left side's turn is first.
            Rel::Join { right, .. } if !matches!(**right, Rel::Table { .. }) => self.used.extend(free_cols(right)),
            Rel::SetOp { op: SetOp::Union, all: true, left, right, cols } => {
                // Rows pass through one by one: what nobody reads of them is made by neither side.
                let kept: Vec<bool> = (0..cols.len())
                    .map(|i| self.used.contains(&cols[i].id) || computes(left, i) || computes(right, i))
                    .collect();
                for s in [&mut **left, &mut **right] {
                    narrow(s, &kept);
                    self.used.extend(rel_cols(s).iter().map(|c| c.id));
                }
                retain(cols, &kept);
            }
            Rel::SetOp { left, right, .. } => {
                for s in [left, right] {
                    self.used.extend(rel_cols(s).iter().map(|c| c.id));
                }
            }
            Rel::Distinct { input, on: None } => self.used.extend(rel_cols(input).iter().map(|c| c.id)),
            Rel::LockRows { targets, .. } => {
                self.used.extend(targets.iter().map(|t| t.key));
                self.used.extend(targets.iter().filter_map(|t| t.members.as_ref()).map(|m| m.tableoid));
            }
            Rel::Modify(m, cols) => self.read_modify(m, cols),
            _ => {}
        }
    }
    fn read_modify(&mut self, m: &Modify, cols: &[OutCol]) {
        for c in cols.iter() {
            self.note(c);
        }
        if let Some(ret) = &m.returning {
            for (_, o) in ret {
                self.types.insert(o.id, o.ty);
                self.used.insert(o.id);
            }
        }
        for (a, c) in &m.row_cols {
            if let Some(col) = m.table.column(*a) {
                self.types.insert(*c, col.ty);
                self.names.entry(*c).or_insert_with(|| (m.table.name.clone(), col.name.clone()));
            }
        }
        self.types.extend(m.system.ctid.map(|c| (c, Type::new(oid::TID))));
        self.types.extend(m.system.xmax.map(|c| (c, Type::new(oid::XID))));
        self.types.extend(m.system.tableoid.map(|c| (c, Type::OID)));
        self.used.extend(m.members.as_ref().map(|m| m.tableoid));
        match &m.op {
            ModifyOp::Insert { source, on_conflict, .. } => {
                self.used.extend(rel_cols(source).iter().map(|c| c.id));
                if let Some(u) = on_conflict.as_ref().and_then(|c| c.update.as_ref()) {
                    for (a, c) in u.old_cols.iter().chain(&u.excluded) {
                        if let Some(col) = m.table.column(*a) {
                            self.types.insert(*c, col.ty);
                        }
                    }
                }
            }
            ModifyOp::Update { key, .. } | ModifyOp::Delete { key, .. } | ModifyOp::Merge { key, .. } => {
                self.used.insert(*key);
            }
        }
        // A view's triggers are handed its whole row.
        if let ModifyOp::Update { old_cols, .. } | ModifyOp::Delete { old_cols, .. } = &m.op
            && m.table.view.is_some()
        {
            self.used.extend(old_cols.iter().map(|c| c.1));
        }
    }
    /// CTEs that stay with their query: those of one reader go where they are read, as everywhere.
    fn prepare_with(&mut self, input: &mut Rel, defs: &mut Vec<WithDef>, ctes: &[Cte]) -> Result<()> {
        let mut all = ctes.to_vec();
        for d in defs.iter() {
            if let Some(c) = all.get_mut(d.index) {
                *c = d.cte.clone();
            }
        }
        defs.retain(|d| !inlined(&d.cte));
        for d in defs {
            self.used.extend(rel_cols(&d.cte.rel).iter().map(|c| c.id));
            self.used.extend(free_cols(&d.cte.rel));
            self.prepare(&mut d.cte.rel, &all)?;
            d.cte.cols.iter().for_each(|o| self.note(o));
        }
        self.prepare(input, &all)
    }
    /// Takes out of an OR what all its arms share: `(a AND b) OR (a AND c)` is `a AND (b OR c)`.
    fn factor(&self, e: &mut Expr) {
        match e {
            Expr::And(v) => v.iter_mut().for_each(|x| self.factor(x)),
            Expr::Or(v) => {
                v.iter_mut().for_each(|x| self.factor(x));
                // A single comparison in an arm is no conjunction: nothing but the whole arm could be shared.
                if !v.iter().any(|x| matches!(x, Expr::And(_))) {
                    return;
                }
                let mut arms: Vec<Vec<Expr>> = Vec::with_capacity(v.len());
                for x in v.iter() {
                    let mut all = Vec::new();
                    conjuncts(x.clone(), &mut all);
                    arms.push(all);
                }
                let Some((first, others)) = arms.split_first() else { return };
                let slot = |c| self.slot_of(c);
                let same = |a: &Expr, b: &Expr| path::same_expr(a, b, &slot);
                let everywhere = |x: &&Expr| {
                    let plain = !is_volatile(x) && !has_subquery(x);
                    plain && others.iter().all(|a| a.iter().any(|y| same(x, y)))
                };
                let shared: Vec<Expr> = first.iter().filter(everywhere).cloned().collect();
                if shared.is_empty() {
                    return;
                }
                for a in &mut arms {
                    a.retain(|x| !shared.iter().any(|s| same(s, x)));
                }
                let mut all = shared;
                // An arm that is nothing else decides the whole: what the others add is of no account.
                if let Some(rest) = arms.into_iter().map(conjunction).collect::<Option<Vec<_>>>() {
                    all.push(Expr::Or(rest));
                }
                if let Some(x) = conjunction(all) {
                    *e = x;
                }
            }
            _ => {}
        }
    }
    pub(super) fn prepare_subs(&mut self, e: &mut Expr, ctes: &[Cte]) -> Result<()> {
        if let Expr::Subquery(s) = e {
            // EXISTS needs no column, but one to be known by.
            let read = if matches!(s.kind, SubqueryKind::Exists) { 1 } else { usize::MAX };
            self.used.extend(rel_cols(&s.rel).iter().take(read).map(|c| c.id));
            self.used.extend(s.outer.iter().copied());
            self.prepare(&mut Arc::make_mut(s).rel, ctes)?;
        }
        let mut r = Ok(());
        expr::children_mut(e, &mut |x| {
            if r.is_ok() {
                r = self.prepare_subs(x, ctes);
            }
        });
        r
    }
}

pub(super) fn has_volatile_subquery(e: &Expr) -> bool {
    expr::any(e, &|x| matches!(x, Expr::Subquery(s) if rel_volatile(&s.rel)))
}

/// Does column `i` do something when it is made?
fn computes(r: &Rel, i: usize) -> bool {
    match r {
        Rel::Project { exprs, .. } => exprs.get(i).is_some_and(|(e, _)| is_volatile(e) || has_volatile_subquery(e)),
        Rel::SetOp { op: SetOp::Union, all: true, left, right, .. } => computes(left, i) || computes(right, i),
        _ => false,
    }
}
/// Leaves a relation with these of its columns.
fn narrow(r: &mut Rel, kept: &[bool]) {
    if kept.iter().all(|k| *k) {
        return;
    }
    match r {
        Rel::Project { exprs, .. } => retain(exprs, kept),
        Rel::SetOp { op: SetOp::Union, all: true, left, right, cols } => {
            narrow(left, kept);
            narrow(right, kept);
            retain(cols, kept);
        }
        _ => {
            let mut exprs: Vec<_> = rel_cols(r).into_iter().map(|c| (Expr::Col(c.id, c.ty), c)).collect();
            retain(&mut exprs, kept);
            let input = Box::new(std::mem::replace(r, Rel::One));
            *r = Rel::Project { input, exprs };
        }
    }
}
fn retain<T>(v: &mut Vec<T>, kept: &[bool]) {
    let mut k = kept.iter();
    v.retain(|_| k.next().copied().unwrap_or(true));
}
