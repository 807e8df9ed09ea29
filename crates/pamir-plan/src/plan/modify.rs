//! INSERT, UPDATE, DELETE, MERGE; what SELECT ... FOR UPDATE tests again on a row that changed meanwhile.
use super::*;

impl Planner<'_> {
    fn view_checks(&mut self, checks: &[ViewCheck]) -> Result<Vec<(String, Px)>> {
        checks.iter().map(|c| Ok((c.view.clone(), self.compile(&c.cond)?))).collect()
    }
    fn row_guards(&mut self, guards: &[RowGuard]) -> Result<Vec<(String, Px)>> {
        guards.iter().map(|g| Ok((g.message.clone(), self.compile(&g.cond)?))).collect()
    }
    fn guard_spec(&mut self, g: &Guards) -> Result<GuardSpec> {
        Ok(GuardSpec { old: self.row_guards(&g.old)?, new: self.row_guards(&g.new)? })
    }
    /// SELECT ... FOR UPDATE and its kin.
    pub(super) fn plan_lock_rows(
        &mut self,
        input: &Rel,
        targets: &[LockTarget],
        conds: Vec<Expr>,
        want: &Want,
    ) -> Result<PNode> {
        // A condition from above holds before a row is locked: rows that it leaves out are locked in vain, and it is tested again on one that changed.
        let (down, conds): (Vec<_>, Vec<_>) = conds.into_iter().partition(|c| !is_volatile(c) && !has_subquery(c));
        let filtered = conjunction(down).map(|cond| Rel::Filter { input: Box::new(input.clone()), cond });
        let input = filtered.as_ref().unwrap_or(input);
        let node = self.plan_rel(input, Vec::new(), &Want { limit: want.limit, ..Want::default() })?;
        let mut specs = Vec::new();
        for t in targets {
            let own: FxHashSet<ColId> = t.cols.iter().map(|c| c.1).chain([t.key]).collect();
            let mut found = Vec::new();
            collect_conds(input, &own, &mut found);
            let recheck = self.compile_and(&found)?;
            let mut outer = Vec::new();
            collect_outer(input, &own, &mut outer);
            let outer = outer
                .into_iter()
                .map(|(on, r)| {
                    let slots = self.out_slots(r);
                    Ok((self.compile_and(&on)?, slots))
                })
                .collect::<Result<Vec<_>>>()?;
            let outer = outer.into_iter().filter_map(|(on, s)| on.map(|on| (on, s))).collect();
            let cols = t.cols.iter().map(|(a, c)| ((*a as usize).wrapping_sub(1), self.slot_of(*c))).collect();
            let key = self.slot_of(t.key);
            let members = self.members_spec(&t.table, t.members.as_ref());
            let (table, mode, wait) = (t.table.clone(), t.mode, t.wait);
            specs.push(LockSpec { table, key, mode, wait, cols, recheck, outer, members });
        }
        let mut est = node.est;
        est.total += est.rows * CPU_TUPLE;
        let out = node.out.clone();
        let n = PNode { kind: Kind::LockRows { input: Box::new(node), targets: Arc::new(specs) }, est, out, id: 0 };
        self.add_filter(n, conds)
    }
    fn members_spec(&mut self, t: &Table, members: Option<&Members>) -> Option<MembersSpec> {
        let m = members?;
        let tables = m.tables.iter().map(|x| (x.clone(), pamir_catalog::partition::places(t, x)));
        Some(MembersSpec::new(self.slot_of(m.tableoid), tables))
    }
    pub(super) fn plan_modify(&mut self, m: &Modify, cols: &[OutCol]) -> Result<PNode> {
        let t = &m.table;
        let pos = |a: i16| (a as usize).wrapping_sub(1);
        let (source, op) = match &m.op {
            ModifyOp::Insert { source, columns, defaults, on_conflict, .. } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let src = rel_cols(source);
                let columns: Vec<(usize, u32)> =
                    columns.iter().zip(&src).map(|(a, o)| (pos(*a), self.slot_of(o.id))).collect();
                let mut ds = Vec::new();
                for (a, e) in defaults {
                    if columns.iter().any(|c| c.0 == pos(*a)) || matches!(e, Expr::Default) {
                        continue;
                    }
                    ds.push((pos(*a), self.compile(e)?));
                }
                let conflict = match on_conflict {
                    None => None,
                    Some(c) => {
                        let update = match &c.update {
                            None => None,
                            Some(u) => {
                                let mut set = Vec::new();
                                for (a, e) in &u.set {
                                    set.push((pos(*a), self.compile(e)?));
                                }
                                Some(ConflictUpdate {
                                    set,
                                    cond: u.cond.as_ref().map(|c| self.compile(c)).transpose()?,
                                    shown: self.view_checks(&u.shown)?,
                                    guards: self.guard_spec(&u.guards)?,
                                    old_cols: u.old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
                                    excluded: u.excluded.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
                                })
                            }
                        };
                        Some(ConflictSpec { arbiters: c.arbiters.clone(), asks: self.compile_all(&c.asks)?, update })
                    }
                };
                (node, ModifyKind::Insert { columns, defaults: ds, conflict })
            }
            ModifyOp::Update { source, key, old_cols, set, recheck } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let mut s = Vec::new();
                for (a, e) in set {
                    s.push((pos(*a), self.compile(e)?));
                }
                let old_cols = old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect();
                let recheck = recheck.as_ref().map(|r| self.compile(r)).transpose()?;
                (node, ModifyKind::Update { key: self.slot_of(*key), old_cols, set: s, recheck })
            }
            ModifyOp::Delete { source, key, old_cols, recheck } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let old_cols = old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect();
                let recheck = recheck.as_ref().map(|r| self.compile(r)).transpose()?;
                (node, ModifyKind::Delete { key: self.slot_of(*key), old_cols, recheck })
            }
            ModifyOp::Merge { source, key, old_cols, on, whens } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let old_cols = old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect();
                let whens = whens.iter().map(|w| self.plan_when(w)).collect::<Result<_>>()?;
                (node, ModifyKind::Merge { key: self.slot_of(*key), old_cols, on: self.compile(on)?, whens })
            }
        };
        let mut ret_slots = Vec::new();
        let returning = match &m.returning {
            None => None,
            Some(v) => {
                let mut out = Vec::new();
                for (i, (e, o)) in v.iter().enumerate() {
                    out.push((self.compile(e)?, o.id));
                    ret_slots.push(o.id);
                    // A reader may know the column by another id.
                    if let Some(c) = cols.get(i)
                        && c.id != o.id
                    {
                        self.alias.insert(c.id, o.id);
                    }
                }
                Some(out)
            }
        };
        let est = Est {
            startup: source.est.startup,
            total: source.est.total + source.est.rows * CPU_TUPLE,
            rows: if returning.is_some() { source.est.rows } else { 0.0 },
            width: 0,
        };
        let checks = self.view_checks(&m.checks)?;
        let guards = self.row_guards(&m.guards)?;
        let spec = ModifySpec {
            checks,
            guards,
            uncounted: m.uncounted,
            table: t.clone(),
            op,
            row_cols: m.row_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
            system: m.system.map(|c| self.slot_of(c)),
            returning,
            ret_slots: ret_slots.clone(),
            members: self.members_spec(t, m.members.as_ref()),
        };
        Ok(PNode { kind: Kind::Modify { input: Box::new(source), spec: Arc::new(spec) }, est, out: ret_slots, id: 0 })
    }
}

impl Planner<'_> {
    fn plan_when(&mut self, w: &MergeWhen) -> Result<MergeSpec> {
        let cond = w.cond.as_ref().map(|c| self.compile(c)).transpose()?;
        let guards = self.guard_spec(&w.guards)?;
        let mut values = |list: &[(i16, Expr)]| -> Result<Vec<(usize, Px)>> {
            list.iter().map(|(a, e)| Ok(((*a as usize).wrapping_sub(1), self.compile(e)?))).collect()
        };
        let action = match &w.action {
            MergeAction::Nothing => MergeKind::Nothing,
            MergeAction::Delete => MergeKind::Delete,
            MergeAction::Update(set) => MergeKind::Update(values(set)?),
            MergeAction::Insert(row) => MergeKind::Insert(values(row)?),
        };
        Ok(MergeSpec { matched: w.matched, cond, action, guards })
    }
}

/// Are a relation's rows those of what it reads?
fn passes(r: &Rel) -> bool {
    let filters = matches!(r, Rel::Filter { .. } | Rel::Secured { .. });
    filters || matches!(r, Rel::Join { .. } | Rel::Sort { .. } | Rel::Limit { .. } | Rel::Project { .. })
}
/// Conditions below a node that read any of `own` (to be tested again on a newer version of the row).
pub(super) fn collect_conds(r: &Rel, own: &FxHashSet<ColId>, out: &mut Vec<Expr>) {
    // The innermost first: what is asked above must not see rows that policies leave out.
    if passes(r) {
        inputs(r).into_iter().for_each(|i| collect_conds(i, own, out));
    }
    let mut take = |e: &Expr| {
        let mut v = Vec::new();
        conjuncts(e.clone(), &mut v);
        out.extend(v.into_iter().filter(|c| expr_free(c).iter().any(|c| own.contains(c))));
    };
    match r {
        Rel::Filter { cond, .. } | Rel::Secured { cond, .. } => take(cond),
        Rel::Join { kind: JoinKind::Inner | JoinKind::Cross, on: Some(on), .. } => take(on),
        _ => {}
    }
}

/// Outer joins that have the table of the columns `own` on the side that is kept: the conditions that use it, and the other side. Innermost first.
pub(super) fn collect_outer<'r>(r: &'r Rel, own: &FxHashSet<ColId>, out: &mut Vec<(Vec<Expr>, &'r Rel)>) {
    if passes(r) {
        inputs(r).into_iter().for_each(|i| collect_outer(i, own, out));
    }
    let (on, other) = match r {
        Rel::Join { kind: JoinKind::Left, on: Some(on), right, .. } => (on, right),
        Rel::Join { kind: JoinKind::Right, on: Some(on), left, .. } => (on, left),
        _ => return,
    };
    let mut v = Vec::new();
    conjuncts(on.clone(), &mut v);
    v.retain(|c| expr_free(c).iter().any(|c| own.contains(c)));
    if !v.is_empty() {
        out.push((v, other));
    }
}
