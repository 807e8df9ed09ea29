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
        let map: FxHashMap<ColId, Expr> =
            exprs.iter().filter(|(e, _)| !is_volatile(e) && !has_subquery(e)).map(|(e, o)| (o.id, e.clone())).collect();
        let own: FxHashSet<ColId> = exprs.iter().map(|e| e.1.id).collect();
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for c in conds {
            let cols = expr_free(&c);
            let ok = !set && cols.iter().all(|c| !own.contains(c) || map.contains_key(c));
            // Inside a subquery a column can only become a column.
            let plain = cols.iter().filter(|c| own.contains(c)).all(|c| matches!(map.get(c), Some(Expr::Col(..))));
            if ok && (!has_subquery(&c) || plain) {
                let mut c = c;
                substitute(&mut c, &map);
                // A side of a view may be known to have none of the rows: `'event' = 'order'`.
                fold::fold(&mut c);
                conjuncts(c, &mut down);
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
                        f: f.clone(),
                        args: self.compile_all(args)?,
                        arg_types: args.iter().map(Expr::ty).collect(),
                        ret: *ty,
                    },
                    e if self.renames(e, o) => continue,
                    e => SetExpr::Plain(self.compile(e)?),
                };
                out.push(o.id);
                list.push((item, o.id));
                self.computed.insert(o.id, e.clone());
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
            self.computed.insert(o.id, e.clone());
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
        let of_sides = if with_ties { None } else { self.limit_sides(input, limit, offset) };
        let input = of_sides.as_ref().unwrap_or(input);
        let compile_opt = |p: &mut Self, e: &Option<Expr>| e.as_ref().map(|e| p.compile(e)).transpose();
        let (l, o) = (compile_opt(self, limit)?, compile_opt(self, offset)?);
        let mut ties = None;
        if with_ties && let Rel::Sort { keys, .. } = input {
            ties = Some(self.key_specs(keys)?);
        }
        let spec = Arc::new(LimitSpec { limit: l, offset: o, ties });
        let want = Want { limit: hint, ..Want::default() };
        let node = match input {
            // The sort learns how many rows it must keep.
            Rel::Sort { input: inner, keys } => {
                let order = self.want_of(keys);
                let n = self.plan_rel(inner, Vec::new(), &Want::order(order.clone().unwrap_or_default(), hint))?;
                let n = match &order {
                    Some(o) => self.relies(n, o)?,
                    None => Err(n),
                };
                let n = match n {
                    Ok(ordered) => ordered,
                    Err(n) => self.add_sort(n, keys, Some(spec.clone()))?,
                };
                self.in_order(inner, keys, &order, hint, &n, &spec)?.unwrap_or(n)
            }
            r => self.plan_rel(r, Vec::new(), &want)?,
        };
        let mut est = node.est;
        if let Some(h) = hint {
            est.total = first_rows(&est, h);
            est.rows = est.rows.min(known(limit).unwrap_or(est.rows)).max(1.0);
        }
        let out = node.out.clone();
        let n = PNode { kind: Kind::Limit { input: Box::new(node), spec }, est, out, id: 0 };
        self.add_filter(n, conds)
    }
    /// The first rows of a join in an order that one of its relations comes in: the others are looked up for so many of its rows as are asked for. None: to
    /// join all and sort costs less, or not much more.
    fn in_order(
        &mut self,
        input: &Rel,
        keys: &[SortKey],
        order: &Option<Vec<WantKey>>,
        limit: Option<f64>,
        sorted: &PNode,
        spec: &Arc<LimitSpec>,
    ) -> Result<Option<PNode>> {
        let (Some(order), Some(limit)) = (order, limit) else { return Ok(None) };
        // Something that has to come to its end before the first row is what there is to gain.
        let waits = sorted.est.startup * 2.0 > first_rows(&sorted.est, limit);
        if !waits || !joins(input) || rel_volatile(input) || !self.may_try() || sorted.est.rows <= limit {
            return Ok(None);
        }
        self.begin_again();
        let n = self.plan_rel(input, Vec::new(), &Want { order: order.clone(), limit: Some(limit), ordered: true });
        self.replans -= 1;
        let n = n?;
        if !self.delivers(&n, order) && self.presorted(&n, order) == 0 {
            return Ok(None);
        }
        let n = match self.relies(n, order)? {
            Ok(n) => n,
            Err(n) => self.add_sort(n, keys, Some(spec.clone()))?,
        };
        Ok((first_rows(&n.est, limit) * SURE_OF_ORDER < first_rows(&sorted.est, limit)).then_some(n))
    }
    /// The first rows of a UNION ALL are among the first rows of its sides. `input`: a sort over it.
    fn limit_sides(&self, input: &Rel, limit: &Option<Expr>, offset: &Option<Expr>) -> Option<Rel> {
        let Rel::Sort { input, keys } = input else { return None };
        let count = rows_of(limit.as_ref()?, offset.as_ref())?;
        let limited = self.with_limits(input, keys.clone(), Vec::new(), &count)?;
        Some(Rel::Sort { input: Box::new(limited), keys: keys.clone() })
    }
    /// `r` with a sort and a limit in each side of the UNION ALL at its bottom, under `conds`, which go with it. None: there is none, or something between that
    /// does not keep rows as they are.
    fn with_limits(&self, r: &Rel, mut keys: Vec<SortKey>, mut conds: Vec<Expr>, count: &Expr) -> Option<Rel> {
        let plain = |e: &Expr| !is_volatile(e) && !has_subquery(e);
        if !keys.iter().all(|k| plain(&k.e)) {
            return None;
        }
        let follow = |map: &FxHashMap<ColId, Expr>, keys: &mut [SortKey], conds: &mut [Expr]| {
            keys.iter_mut().map(|k| &mut k.e).chain(conds).for_each(|e| substitute(e, map));
        };
        match r {
            Rel::Project { input, exprs } if exprs.iter().all(|(e, _)| plain(e)) => {
                let map = exprs.iter().map(|(e, o)| (o.id, e.clone())).collect();
                follow(&map, &mut keys, &mut conds);
                let input = Box::new(self.with_limits(input, keys, conds, count)?);
                Some(Rel::Project { input, exprs: exprs.clone() })
            }
            Rel::Filter { input, cond } if plain(cond) => {
                conds.push(cond.clone());
                self.with_limits(input, keys, conds, count)
            }
            Rel::SetOp { op: SetOp::Union, all: true, left, right, cols } => {
                let mut sides = [left, right].into_iter().map(|side| {
                    let own = rel_cols(side);
                    let map = cols.iter().zip(&own).map(|(o, i)| (o.id, Expr::Col(i.id, i.ty))).collect();
                    let (mut keys, mut conds) = (keys.clone(), conds.clone());
                    follow(&map, &mut keys, &mut conds);
                    if matches!(**side, Rel::SetOp { op: SetOp::Union, all: true, .. }) {
                        return self.with_limits(side, keys, conds, count);
                    }
                    let mut r = (**side).clone();
                    if let Some(cond) = conjunction(conds) {
                        r = Rel::Filter { input: Box::new(r), cond };
                    }
                    let input = Box::new(Rel::Sort { input: Box::new(r), keys });
                    Some(Rel::Limit { input, limit: Some(count.clone()), offset: None, with_ties: false })
                });
                let (left, right) = (Box::new(sides.next()??), Box::new(sides.next()??));
                Some(Rel::SetOp { op: SetOp::Union, all: true, left, right, cols: cols.clone() })
            }
            _ => None,
        }
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

/// By so much a plan that stops early must be better than one that does not: it costs more where the rows that are asked for come late.
const SURE_OF_ORDER: f64 = 2.0;
/// What it costs to read so many of a node's rows.
pub(super) fn first_rows(est: &Est, limit: f64) -> f64 {
    est.startup + (est.total - est.startup) * (limit / est.rows.max(1.0)).min(1.0)
}
/// Is there a join in it that rows come from, in an order that may be another relation's?
fn joins(r: &Rel) -> bool {
    match r {
        Rel::Join { .. } => true,
        Rel::Filter { input, cond } => has_subquery(cond) || joins(input),
        Rel::Project { input, .. } | Rel::Distinct { input, .. } => joins(input),
        _ => false,
    }
}
/// LIMIT and OFFSET together, as a count; the limit above has looked at their signs before this one is asked. None: they are no plain values.
fn rows_of(limit: &Expr, offset: Option<&Expr>) -> Option<Expr> {
    const INT8_PLUS: pamir_types::Oid = 463;
    /// Nobody asks for more, and twice as many are a count too.
    const ALL: i64 = 1 << 61;
    let capped = |e: &Expr| {
        let plain = !is_volatile(e) && !has_subquery(e) && expr_free(e).is_empty() && e.ty().oid == oid::INT8;
        // LEAST passes NULL over, which is no limit (and, as an offset, one that only asks for more than is needed).
        plain.then(|| Expr::Extreme(vec![e.clone(), Expr::Const(Datum::Int8(ALL), Type::INT8)], false, Type::INT8))
    };
    let known = |e: &Expr| match e {
        Expr::Const(d, _) => expr::int_of(d).map(|v| v.clamp(0, ALL)),
        _ => None,
    };
    match (known(limit), offset) {
        (None, None) => capped(limit),
        (Some(l), None) => Some(Expr::Const(Datum::Int8(l), Type::INT8)),
        (l, Some(o)) => match (l, known(o)) {
            (Some(l), Some(o)) => Some(Expr::Const(Datum::Int8(l + o), Type::INT8)),
            _ => {
                let f = pamir_expr::func::function_by_oid(INT8_PLUS)?.into();
                Some(Expr::Call { f, args: vec![capped(limit)?, capped(o)?], ty: Type::INT8 })
            }
        },
    }
}
