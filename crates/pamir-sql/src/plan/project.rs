//! Projections, sorts and limits.
use super::*;

impl Planner<'_> {
    pub(super) fn plan_project(
        &mut self,
        input: &Rel,
        exprs: &[(Expr, OutCol)],
        conds: Vec<Expr>,
        want: &Want,
    ) -> Result<PNode> {
        let set = exprs.iter().any(|(e, _)| matches!(e, Expr::Call { f, .. } if f.body.is_set()));
        let map: HashMap<ColId, Expr> =
            exprs.iter().filter(|(e, _)| !is_volatile(e) && !has_subquery(e)).map(|(e, o)| (o.id, e.clone())).collect();
        let own: HashSet<ColId> = exprs.iter().map(|e| e.1.id).collect();
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for c in conds {
            let cols = expr_free(&c);
            let ok = !set && cols.iter().all(|c| !own.contains(c) || map.contains_key(c));
            // Inside a subquery only renamed columns can be followed: by their slots.
            let plain = cols.iter().filter(|c| own.contains(c)).all(|c| matches!(map.get(c), Some(Expr::Col(..))));
            if ok && (!has_subquery(&c) || plain) {
                let mut c = c;
                substitute(&mut c, &map);
                down.push(c)
            } else {
                up.push(c)
            }
        }
        let node = self.plan_rel(input, down, want)?;
        let mut out = node.out.clone();
        if set {
            let mut list = Vec::new();
            for (e, o) in exprs {
                let item = match e {
                    Expr::Call { f, args, ty } if f.body.is_set() => SetExpr::Set {
                        f,
                        args: self.compile_all(args)?,
                        arg_types: args.iter().map(Expr::ty).collect(),
                        ret: *ty,
                    },
                    e if self.renames(e, o) => continue,
                    e => SetExpr::Plain(self.compile(e)?),
                };
                out.push(o.id);
                list.push((item, o.id));
            }
            let mut est = node.est;
            est.rows *= 10.0;
            est.total += est.rows * CPU_TUPLE;
            est.width = self.width(&out);
            let n = PNode {
                kind: Kind::ProjectSet { input: Box::new(node), spec: Arc::new(ProjectSetSpec { exprs: list }) },
                est,
                out,
                id: 0,
            };
            return self.add_filter(n, up);
        }
        let mut list = Vec::new();
        for (e, o) in exprs {
            // Plain columns are aliases; what nobody reads is not computed, unless it does something.
            if self.renames(e, o) || (!self.used.contains(&o.id) && !is_volatile(e)) {
                continue;
            }
            list.push((self.compile(e)?, o.id));
            out.push(o.id);
        }
        let mut est = node.est;
        est.width = self.width(&out);
        let n = if list.is_empty() {
            PNode { est, ..node }
        } else {
            est.total += est.rows * CPU_OPERATOR * list.len() as f64;
            PNode { kind: Kind::Compute { input: Box::new(node), exprs: Arc::new(list) }, est, out, id: 0 }
        };
        self.add_filter(n, up)
    }
    /// Is it a column of the projection's input under another id?
    fn renames(&self, e: &Expr, o: &OutCol) -> bool {
        matches!(e, Expr::Col(c, _) if *c == o.id || self.alias.contains_key(&o.id))
    }
    pub(super) fn plan_limit(
        &mut self,
        input: &Rel,
        limit: &Option<Expr>,
        offset: &Option<Expr>,
        with_ties: bool,
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        let known = |e: &Option<Expr>| match e {
            Some(Expr::Const(d, _)) => expr::int_of(d).map(|v| v.max(0) as f64),
            Some(_) => Some(10.0),
            None => None,
        };
        let hint = known(limit).map(|l| l + known(offset).unwrap_or(0.0));
        let compile_opt = |p: &mut Self, e: &Option<Expr>| e.as_ref().map(|e| p.compile(e)).transpose();
        let (l, o) = (compile_opt(self, limit)?, compile_opt(self, offset)?);
        let mut ties = None;
        if with_ties && let Rel::Sort { keys, .. } = input {
            ties = Some(self.key_specs(keys)?);
        }
        let spec = Arc::new(LimitSpec { limit: l, offset: o, ties });
        let want = Want { order: vec![], limit: hint };
        let node = match input {
            // The sort learns how many rows it must keep.
            Rel::Sort { input: inner, keys } => {
                let order = self.want_of(keys);
                let n =
                    self.plan_rel(inner, Vec::new(), &Want { order: order.clone().unwrap_or_default(), limit: hint })?;
                let n = match &order {
                    Some(o) => self.relies(n, o)?,
                    None => Err(n),
                };
                match n {
                    Ok(ordered) => ordered,
                    Err(n) => self.add_sort(n, keys, Some(spec.clone()))?,
                }
            }
            r => self.plan_rel(r, Vec::new(), &want)?,
        };
        let mut est = node.est;
        if let Some(h) = hint {
            let f = (h / est.rows.max(1.0)).min(1.0);
            est.total = est.startup + (est.total - est.startup) * f;
            est.rows = est.rows.min(known(limit).unwrap_or(est.rows)).max(1.0);
        }
        let out = node.out.clone();
        let n = PNode { kind: Kind::Limit { input: Box::new(node), spec }, est, out, id: 0 };
        self.add_filter(n, conds)
    }
    pub(super) fn add_sort(&mut self, input: PNode, keys: &[SortKey], limit: Option<Arc<LimitSpec>>) -> Result<PNode> {
        let specs = self.key_specs(keys)?;
        let order: Vec<WantKey> = keys
            .iter()
            .map_while(|k| match &k.e {
                Expr::Col(c, _) => Some(WantKey { col: self.slot_of(*c), desc: k.desc, nulls_first: k.nulls_first }),
                _ => None,
            })
            .collect();
        let presorted = match order.len() {
            n if n < keys.len() && self.delivers(&input, &order) => n,
            _ => self.presorted(&input, &order),
        };
        let first: Vec<u32> = order.iter().take(presorted).map(|k| k.col).collect();
        let n = input.est.rows.max(2.0);
        let groups = if presorted == 0 { 1.0 } else { self.groups_of(&first, n) };
        let mut est = input.est;
        let (from, sort) = (est.startup, 2.0 * CPU_OPERATOR * n * (n / groups + 1.0).log2());
        let all = est.total + sort;
        est.startup = if presorted == 0 { all } else { from + (all - from) / groups };
        est.total = all + CPU_OPERATOR * n;
        if !self.settings.enable_sort {
            est.startup += DISABLED;
            est.total += DISABLED;
        }
        // Sorting group by group relies on the groups' order.
        let input = match order.get(..presorted) {
            Some(o) if presorted > 0 => self.relies(input, o)?.unwrap_or_else(|n| n),
            _ => input,
        };
        let out = input.out.clone();
        let kind = Kind::Sort { input: Box::new(input), keys: Arc::new(specs), presorted, limit };
        Ok(PNode { kind, est, out, id: 0 })
    }
    pub(super) fn want_of(&self, keys: &[SortKey]) -> Option<Vec<WantKey>> {
        keys.iter()
            .map(|k| match &k.e {
                Expr::Col(c, _) => Some(WantKey { col: self.slot_of(*c), desc: k.desc, nulls_first: k.nulls_first }),
                _ => None,
            })
            .collect()
    }
    pub(super) fn key_specs(&mut self, keys: &[SortKey]) -> Result<Vec<KeySpec>> {
        keys.iter()
            .map(|k| {
                Ok(KeySpec {
                    e: self.compile(&k.e)?,
                    ty: k.e.ty(),
                    desc: k.desc,
                    nulls_first: k.nulls_first,
                    ir: k.e.clone(),
                })
            })
            .collect()
    }
}
