//! Access paths of one table: which index, which part of it, in which direction.
//!
//! A condition is *sargable* for an index column when it compares that column (or indexed expression) with something that needs no column
//! of this table: a constant, a parameter, or a column of another relation that is at hand when the scan opens (a parameterized
//! path, the inner side of a nested loop). Equalities, IN lists and `= ANY(array)` on leading columns make the prefix, then one range on the next column:
//! ```text
//! index (a, b, c):   a = 1 AND b IN (2,3) AND c > 4 AND d = 5
//!                    |_______prefix_____|     |range|   |filter|
//! ```
//! Conditions that the byte range expresses exactly are not tested again; LIKE 'abc%' gives a range and stays as a filter.
use super::node::*;
use super::rels::expr_free;
use super::*;
use crate::access::{self, ExtraCol};
use pamir_storage::store::Dir;
use pamir_types::key;

/// One end of a range: value and whether it belongs to the range; None: open.
pub type End = Option<(Expr, bool)>;

/// A usable condition on one column.
#[derive(Clone, Debug)]
pub enum Sarg {
    Eq(Expr),
    In(Vec<Expr>),
    Any(Expr),
    IsNull,
    /// (value, inclusive)
    Lo(Expr, bool),
    Hi(Expr, bool),
    /// Any of several ranges: lower and upper end.
    Ranges(Vec<(End, End)>),
}

/// Strips conversions that do not change the key bytes.
pub fn strip(e: &Expr) -> &Expr {
    match e {
        Expr::Cast { e: inner, f: CastHow::Relabel, ty, .. } if key_compatible(inner.ty(), *ty) => strip(inner),
        e => e,
    }
}
/// As [`strip`], and also strips integer widening: `k::int8 IN ($1, ...)` over an int4 column asks the same of the key, whose
/// range [`crate::exec::scan::fit`] checks for every value.
pub(super) fn strip_key(e: &Expr) -> &Expr {
    let width = |t: Type| match t.oid {
        oid::INT2 => 2,
        oid::INT4 => 4,
        _ => 8,
    };
    match strip(e) {
        Expr::Cast { e: inner, f: CastHow::Func(_), ty, .. }
            if expr::is_int(inner.ty().oid) && expr::is_int(ty.oid) && width(*ty) >= width(inner.ty()) =>
        {
            strip_key(inner)
        }
        e => e,
    }
}
/// Do values of the two types have the same key bytes (or can [`crate::exec::scan::fit`] convert)?
pub fn key_compatible(a: Type, b: Type) -> bool {
    let text = |t: Type| matches!(t.oid, oid::TEXT | oid::VARCHAR);
    a.oid == b.oid || (text(a) && text(b)) || (expr::is_int(a.oid) && expr::is_int(b.oid))
}

/// The conditions of `cond` on the column or expression for which `is_key` holds: sargs, and whether they say all of it.
pub fn sargs(
    cond: &Expr,
    is_key: &dyn Fn(&Expr) -> bool,
    is_value: &dyn Fn(&Expr) -> bool,
    key_ty: Type,
) -> Option<(Vec<Sarg>, bool)> {
    let fits = |v: &Expr| key_compatible(v.ty(), key_ty) && is_value(v);
    match cond {
        Expr::Call { f, args, .. } => {
            let [a, b] = args.as_slice() else { return None };
            if let Some(op) = expr::cmp_of(f) {
                let (op, v) = if is_key(strip_key(a)) && fits(b) {
                    (op, b)
                } else if is_key(strip_key(b)) && fits(a) {
                    (flip(op), a)
                } else {
                    return None;
                };
                let v = v.clone();
                return Some((
                    vec![match op {
                        CmpOp::Eq => Sarg::Eq(v),
                        CmpOp::Lt => Sarg::Hi(v, false),
                        CmpOp::Le => Sarg::Hi(v, true),
                        CmpOp::Gt => Sarg::Lo(v, false),
                        CmpOp::Ge => Sarg::Lo(v, true),
                        CmpOp::Ne => return None,
                    }],
                    true,
                ));
            }
            if expr::operator_of(f)?.name == "~~"
                && is_key(strip(a))
                && matches!(key_ty.oid, oid::TEXT | oid::VARCHAR)
                && let Expr::Const(Datum::Text(p), _) = b
            {
                let (prefix, rest) = like_prefix(p);
                if prefix.is_empty() {
                    return None;
                }
                let t = Type::TEXT;
                if rest.is_empty() {
                    return Some((vec![Sarg::Eq(Expr::Const(Datum::text(prefix), t))], true));
                }
                let mut out = vec![Sarg::Lo(Expr::Const(Datum::text(prefix.clone()), t), true)];
                if let Some(next) = text_successor(&prefix) {
                    out.push(Sarg::Hi(Expr::Const(Datum::text(next), t), false));
                }
                return Some((out, rest == "%"));
            }
            None
        }
        Expr::InList { eq, e, list }
            if expr::cmp_of(eq) == Some(CmpOp::Eq) && is_key(strip_key(e)) && list.iter().all(fits) =>
        {
            Some((vec![Sarg::In(list.clone())], true))
        }
        Expr::AnyAll { op, left, array, all: false }
            if expr::cmp_of(op) == Some(CmpOp::Eq)
                && is_key(strip_key(left))
                && array.ty().element().is_some_and(|t| key_compatible(t, key_ty))
                && is_value(array) =>
        {
            Some((vec![Sarg::Any((**array).clone())], true))
        }
        Expr::IsNull(e, false) if is_key(e) => Some((vec![Sarg::IsNull], true)),
        // a = 1 OR a = 2; a BETWEEN 1 AND 2 OR a BETWEEN 5 AND 6
        Expr::Or(v) => {
            let mut list = Vec::new();
            let mut ranges = Vec::new();
            for c in v {
                let mut all = Vec::new();
                conjuncts(c.clone(), &mut all);
                let (mut lo, mut hi) = (None, None);
                for c in &all {
                    let (s, true) = sargs(c, is_key, is_value, key_ty)? else { return None };
                    for s in s {
                        match s {
                            Sarg::Eq(e) if all.len() == 1 => list.push(e),
                            Sarg::In(l) if all.len() == 1 => list.extend(l),
                            Sarg::Lo(e, i) if lo.is_none() => lo = Some((e, i)),
                            Sarg::Hi(e, i) if hi.is_none() => hi = Some((e, i)),
                            _ => return None,
                        }
                    }
                }
                if lo.is_some() || hi.is_some() {
                    ranges.push((lo, hi));
                }
            }
            if ranges.is_empty() {
                return Some((vec![Sarg::In(list)], true));
            }
            ranges.extend(list.into_iter().map(|e| (Some((e.clone(), true)), Some((e, true)))));
            Some((vec![Sarg::Ranges(ranges)], true))
        }
        _ => None,
    }
}
/// The literal start of a LIKE pattern and what follows it.
fn like_prefix(p: &str) -> (String, String) {
    let mut out = String::new();
    let mut it = p.char_indices();
    while let Some((i, c)) = it.next() {
        match c {
            '%' | '_' => return (out, p[i..].to_string()),
            '\\' => match it.next() {
                Some((_, c)) => out.push(c),
                None => return (out, "\\".into()),
            },
            c => out.push(c),
        }
    }
    (out, String::new())
}
/// The least string greater than all that start with `s` (in C collation); None if there is none.
fn text_successor(s: &str) -> Option<String> {
    let mut v: Vec<char> = s.chars().collect();
    while let Some(c) = v.pop() {
        let mut n = c as u32 + 1;
        if (0xd800..0xe000).contains(&n) {
            n = 0xe000;
        }
        if let Some(c) = char::from_u32(n) {
            v.push(c);
            return Some(v.into_iter().collect());
        }
    }
    None
}

impl Planner<'_> {
    /// Plans a base table under `conds`.
    pub fn plan_table(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::Table { table, alias, cols, key, tableoid, .. } = r else {
            return Err(Error::internal("not a table"));
        };
        let b = access::bound(table);
        let mut own: HashSet<ColId> = cols.iter().map(|c| c.1.id).collect();
        own.extend(*key);
        own.extend(*tableoid);
        let is_own = |p: &Planner, c: ColId| own.contains(&c) || own.contains(&p.slot_of(c));
        // Slot by column position.
        let by_pos: HashMap<usize, u32> = cols.iter().map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id)).collect();
        let filter_cols: HashSet<u32> = conds.iter().flat_map(expr_free).map(|c| self.slot_of(c)).collect();
        let needed: Vec<(usize, u32)> = cols
            .iter()
            .map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id))
            .filter(|(_, s)| self.used.contains(s) || filter_cols.contains(s))
            .collect();
        let (rows, pages, height) = self.table_size(table.tree);
        let sel_all = self.selectivity_all(&conds);
        let out_rows = (rows * sel_all).max(1.0);
        let mut out: Vec<u32> = needed.iter().map(|n| n.1).collect();
        let key_slot = key.filter(|k| self.used.contains(k));
        let oid_slot = tableoid.filter(|k| self.used.contains(k));
        out.extend(key_slot);
        out.extend(oid_slot);
        let width = self.width(&out);

        // The sequential path.
        let mut best_cost = pages * SEQ_PAGE + rows * (CPU_TUPLE + CPU_OPERATOR * conds.len() as f64);
        if !self.settings.enable_seqscan {
            best_cost += DISABLED;
        }
        let plain_total = best_cost;
        let sort_cost = |n: f64| 2.0 * CPU_OPERATOR * n.max(2.0) * n.max(2.0).log2();
        let adjust = |total: f64, startup: f64, ordered: bool, n: f64| -> f64 {
            let mut t = total;
            if !want.order.is_empty() && !ordered {
                return t + sort_cost(n);
            }
            if let Some(l) = want.limit
                && (ordered || want.order.is_empty())
            {
                t = startup + (t - startup) * (l / n.max(1.0)).min(1.0);
            }
            t
        };
        best_cost = adjust(best_cost, 0.0, false, out_rows);
        struct Path {
            index: usize,
            bounds: Vec<(Part0, usize)>,
            lo: Option<(Expr, bool)>,
            hi: Option<(Expr, bool)>,
            or: Vec<(End, End)>,
            consumed: Vec<usize>,
            cond_used: Vec<usize>,
            point: bool,
            dir: Dir,
            only: bool,
            est: Est,
            cost: f64,
        }
        enum Part0 {
            Eq(Expr),
            In(Vec<Expr>),
            Any(Expr),
            Null,
        }
        let mut best: Option<Path> = None;
        for (xi, ix) in table.indexes.iter().enumerate() {
            let Some(lay) = b.indexes.get(xi) else { continue };
            let clustered = ix.primary;
            // A partial index serves when the conditions contain its predicate.
            if ix.predicate.is_some() && !self.implies(table, xi, &conds, &by_pos) {
                continue;
            }
            let exprs = self.index_exprs(table, xi, &by_pos);
            let mut parts: Vec<(Part0, usize)> = Vec::new();
            let (mut lo, mut hi) = (None, None);
            let mut or = Vec::new();
            let mut consumed = Vec::new();
            let mut cond_used = Vec::new();
            let mut points = 1.0f64;
            let mut multi = false;
            'cols: for (ci, col) in lay.cols.iter().enumerate() {
                if !key::is_orderable(col.ty) {
                    break;
                }
                let slot = col.attr.and_then(|a| by_pos.get(&a).copied());
                let is_key = |e: &Expr| match (e, slot) {
                    (Expr::Col(c, _), Some(s)) => self.slot_of(*c) == s,
                    (e, None) => {
                        exprs.get(ci).and_then(|x| x.as_ref()).is_some_and(|x| same_expr(e, x, &|c| self.slot_of(c)))
                    }
                    _ => false,
                };
                let is_value = |e: &Expr| !is_volatile(e) && !expr_free(e).iter().any(|c| is_own(self, *c));
                let (mut eq, mut range, mut several) = (None, Vec::new(), None);
                for (i, c) in conds.iter().enumerate() {
                    let Some((s, exact)) = sargs(c, &is_key, &is_value, col.ty) else { continue };
                    for s in s {
                        match s {
                            Sarg::Eq(e) => eq = Some((Part0::Eq(e), i, exact)),
                            Sarg::In(l) if eq.is_none() => eq = Some((Part0::In(l), i, exact)),
                            Sarg::Any(a) if eq.is_none() => eq = Some((Part0::Any(a), i, exact)),
                            Sarg::IsNull if eq.is_none() => eq = Some((Part0::Null, i, exact)),
                            Sarg::Lo(e, incl) => range.push((true, e, incl, i, exact)),
                            Sarg::Hi(e, incl) => range.push((false, e, incl, i, exact)),
                            Sarg::Ranges(r) => several = Some((r, i)),
                            _ => {}
                        }
                    }
                }
                if let Some((p, i, exact)) = eq {
                    match &p {
                        Part0::In(l) => {
                            points *= l.len() as f64;
                            multi = true
                        }
                        Part0::Any(_) => {
                            points *= 10.0;
                            multi = true
                        }
                        _ => {}
                    }
                    if exact {
                        consumed.push(i);
                    }
                    cond_used.push(i);
                    parts.push((p, ci));
                    continue;
                }
                if range.is_empty()
                    && let Some((r, i)) = several
                {
                    or = r;
                    consumed.push(i);
                    cond_used.push(i);
                    break 'cols;
                }
                let mut left_out = Vec::new();
                for (is_lo, e, incl, i, exact) in range {
                    let side = if is_lo { &mut lo } else { &mut hi };
                    if side.is_some() {
                        left_out.push(i);
                        continue;
                    }
                    *side = Some((e, incl));
                    cond_used.push(i);
                    if exact {
                        consumed.push(i);
                    }
                }
                // A condition that gave both ends is exact only when both were taken.
                consumed.retain(|i| !left_out.contains(i));
                break 'cols;
            }
            let unique_here =
                ix.unique && parts.len() == lay.cols.len() && !parts.iter().any(|p| matches!(p.0, Part0::Null));
            let point = unique_here;
            let order = self.index_order(
                lay,
                &parts.iter().map(|p| !matches!(p.0, Part0::In(_) | Part0::Any(_))).collect::<Vec<_>>(),
                &by_pos,
                table,
                b.pk,
                unique_here,
                multi,
            );
            let dir =
                match (&want.order.is_empty(), matches_order(&want.order, &order, &self.alias_fn(), table, &by_pos)) {
                    (true, _) => None,
                    (false, d) => d,
                };
            let usable = !cond_used.is_empty() || dir.is_some();
            // Index-only: every needed column is in the entry.
            let only = !clustered && self.settings.enable_indexonlyscan && {
                let pk_cols = b.pk.and_then(|p| b.indexes.get(p));
                needed.iter().all(|(a, _)| source_in_entry(*a, lay, pk_cols).is_some())
            };
            let covering = only && self.settings.enable_indexscan;
            if !(usable || covering) {
                continue;
            }
            let used_conds: Vec<Expr> = cond_used.iter().filter_map(|i| conds.get(*i).cloned()).collect();
            let mut sel = if unique_here { (points / rows).min(1.0) } else { self.selectivity_all(&used_conds) };
            if !or.is_empty() {
                sel = sel.min(0.005 * or.len() as f64);
            }
            if ix.predicate.is_some() {
                sel *= 0.5;
            }
            // Constant bounds: the tree itself knows best.
            if !unique_here && !used_conds.is_empty() {
                let tree = if clustered { table.tree } else { ix.tree };
                let mut known = Bounds::default();
                let constant = |e: &Expr| if let Expr::Const(d, _) = e { Some(Px::Const(d.clone())) } else { None };
                let parts_known = parts.iter().all(|(p, _)| {
                    let part = match p {
                        Part0::Eq(e) => constant(e).map(Part::Eq),
                        Part0::In(l) if l.len() <= 8 => {
                            l.iter().map(constant).collect::<Option<Vec<_>>>().map(Part::In)
                        }
                        Part0::Null => Some(Part::Null),
                        _ => None,
                    };
                    part.map(|p| known.parts.push(p)).is_some()
                });
                let end = |b: &Option<(Expr, bool)>| match b {
                    None => Some(None),
                    Some((e, inclusive)) => constant(e).map(|e| Some(Bound { e, inclusive: *inclusive })),
                };
                let alternatives: Option<Vec<_>> = or.iter().map(|(l, h)| Some((end(l)?, end(h)?))).collect();
                if parts_known && let (Some(l), Some(h), Some(alternatives)) = (end(&lo), end(&hi), alternatives) {
                    known.lo = l;
                    known.hi = h;
                    known.or = alternatives;
                    let mut env = crate::no_session::NoSession::new(self.catalog, table.database);
                    let mut cx = expr::ParamCx { params: &[], env: &mut env };
                    let mut ranges = Vec::new();
                    if crate::exec::scan::ranges(&known, &lay.cols, &mut cx, &mut ranges).is_ok() {
                        let n: u64 = ranges.iter().map(|r| self.sizes.range(tree, &r.lo, r.hi.as_deref())).sum();
                        let n = n as f64;
                        // It counts by leaves: a range within one or two of them is not told apart from its neighbours.
                        let leaf = rows / self.table_size(tree).1;
                        sel = (if n <= 2.0 * leaf { n.min(sel * rows) } else { n } / rows).clamp(0.0, 1.0);
                    }
                }
            }
            let n = (rows * sel).max(1.0).min(rows);
            let (ipages, iheight) = if clustered {
                (pages, height)
            } else {
                let s = self.table_size(ix.tree);
                (s.1, s.2)
            };
            let startup = 0.15 * (iheight + 1.0);
            let leaf = (ipages * (n / rows)).ceil().max(1.0);
            let mut total =
                startup + points * RANDOM_PAGE + (leaf - 1.0).max(0.0) * SEQ_PAGE + n * (CPU_INDEX_TUPLE + CPU_TUPLE);
            if !clustered && !only {
                // One descent in the table's tree per row; pages repeat when many rows are read.
                total += n.min(pages) * RANDOM_PAGE + n * (CPU_TUPLE + 0.02 * (height + 1.0));
            }
            total += n * CPU_OPERATOR * (conds.len() - consumed.len().min(conds.len())) as f64;
            if clustered && !cond_used.is_empty() {
                // A part of the table's own tree is never dearer than all of it. Small tables depend on this: a serializable scan locks what it
                // reads, and a walk over a table of two rows would lock both.
                total = total.min(plain_total * PART_OF_WHOLE);
            }
            if !self.settings.enable_indexscan {
                total += DISABLED;
            }
            let est_rows = if unique_here { n.min(points) } else { out_rows.min(n) };
            let cost = adjust(total, startup, dir.is_some(), est_rows);
            if cost < best_cost {
                best_cost = cost;
                best = Some(Path {
                    index: xi,
                    bounds: parts,
                    lo,
                    hi,
                    or,
                    consumed,
                    cond_used,
                    point,
                    dir: dir.unwrap_or(Dir::Forward),
                    only,
                    est: Est { startup, total, rows: est_rows, width },
                    cost,
                });
            }
        }
        let mut spec = ScanSpec {
            table: table.clone(),
            alias: alias.clone(),
            index: None,
            clustered: true,
            bounds: Bounds::default(),
            dir: Dir::Forward,
            only: false,
            pre: vec![],
            post: vec![],
            key_slot,
            tableoid: oid_slot,
            filter: None,
            cond_ir: vec![],
            filter_ir: vec![],
        };
        let mut est = Est { startup: 0.0, total: plain_total, rows: out_rows, width };
        let mut rest: Vec<Expr> = conds.clone();
        if let Some(p) = best {
            let _ = p.cost;
            est = p.est;
            let lay = &b.indexes[p.index];
            spec.index = Some(p.index);
            spec.clustered = table.indexes[p.index].primary;
            spec.dir = p.dir;
            spec.only = p.only;
            for (part, _) in &p.bounds {
                spec.bounds.parts.push(match part {
                    Part0::Eq(e) => Part::Eq(self.compile(e)?),
                    Part0::In(l) => Part::In(l.iter().map(|e| self.compile(e)).collect::<Result<_>>()?),
                    Part0::Any(e) => Part::Any(self.compile(e)?),
                    Part0::Null => Part::Null,
                });
            }
            spec.bounds.point = p.point;
            if let Some((e, inclusive)) = &p.lo {
                spec.bounds.lo = Some(Bound { e: self.compile(e)?, inclusive: *inclusive });
            }
            if let Some((e, inclusive)) = &p.hi {
                spec.bounds.hi = Some(Bound { e: self.compile(e)?, inclusive: *inclusive });
            }
            let end = |p: &mut Self, b: &Option<(Expr, bool)>| -> Result<Option<Bound>> {
                b.as_ref().map(|(e, inclusive)| Ok(Bound { e: p.compile(e)?, inclusive: *inclusive })).transpose()
            };
            for (l, h) in &p.or {
                let pair = (end(self, l)?, end(self, h)?);
                spec.bounds.or.push(pair);
            }
            spec.cond_ir =
                conds.iter().enumerate().filter(|(i, _)| p.cond_used.contains(i)).map(|(_, c)| c.clone()).collect();
            rest = conds.iter().enumerate().filter(|(i, _)| !p.consumed.contains(i)).map(|(_, c)| c.clone()).collect();
            let _ = lay;
        }
        order_conds(&mut rest);
        spec.filter = self.compile_and(&rest)?;
        let in_filter: HashSet<u32> = rest.iter().flat_map(expr_free).map(|c| self.slot_of(c)).collect();
        let lay = spec.index.and_then(|i| b.indexes.get(i));
        let pk_cols = b.pk.and_then(|p| b.indexes.get(p));
        for (a, slot) in &needed {
            // Columns of conditions that the key range settles are not decoded for nothing.
            if !self.used_elsewhere(*slot, &in_filter) {
                continue;
            }
            let src = match (spec.only, lay) {
                (true, Some(l)) => source_in_entry(*a, l, pk_cols).unwrap_or(Src::Row(*a)),
                _ => Src::Row(*a),
            };
            let load = Load { src, slot: *slot };
            if in_filter.contains(slot) { spec.pre.push(load) } else { spec.post.push(load) }
        }
        spec.filter_ir = rest;
        Ok(PNode { kind: Kind::Scan(Arc::new(spec)), est, out, id: 0 })
    }
    fn used_elsewhere(&self, slot: u32, in_filter: &HashSet<u32>) -> bool {
        self.used.contains(&slot) || in_filter.contains(&slot)
    }
    fn alias_fn(&self) -> impl Fn(ColId) -> u32 + '_ {
        |c| self.slot_of(c)
    }

    /// Index expressions over this scan's columns: stored ones use attnum - 1 as column ids.
    fn index_exprs(&self, table: &Table, index: usize, by_pos: &HashMap<usize, u32>) -> Vec<Option<Expr>> {
        if access::bound(table).indexes.get(index).is_none_or(|l| l.cols.iter().all(|c| c.attr.is_some())) {
            return vec![];
        }
        let irs = access::index_irs(table, self.catalog);
        irs.exprs
            .get(index)
            .map(|v| v.iter().map(|x| x.as_ref().map(|e| rename(e, by_pos))).collect())
            .unwrap_or_default()
    }
    /// Simple implication: each conjunct of the predicate is among the conditions, or is `col IS NOT NULL` of a column in a strict comparison.
    fn implies(&self, table: &Table, index: usize, conds: &[Expr], by_pos: &HashMap<usize, u32>) -> bool {
        let irs = access::index_irs(table, self.catalog);
        let Some(Some(pred)) = irs.predicates.get(index) else { return false };
        let mut want = Vec::new();
        conjuncts(rename(pred, by_pos), &mut want);
        want.iter().all(|w| {
            conds.iter().any(|c| {
                same_expr(c, w, &|c| self.slot_of(c))
                    || matches!((w, c), (Expr::IsNull(x, true), Expr::Call { f, args, .. })
                        if f.strict && expr::cmp_of(f).is_some() && args.iter().any(|a| same_expr(strip(a), strip(x), &|c| self.slot_of(c))))
            })
        })
    }

    /// What order an index scan gives: slots with direction, equal columns left out.
    #[allow(clippy::too_many_arguments)]
    fn index_order(
        &self,
        lay: &access::IndexLayout,
        single: &[bool],
        by_pos: &HashMap<usize, u32>,
        _table: &Table,
        _pk: Option<usize>,
        unique: bool,
        multi: bool,
    ) -> IndexOrder {
        let mut constant = Vec::new();
        let mut keys = Vec::new();
        for (i, c) in lay.cols.iter().enumerate() {
            let slot = c.attr.and_then(|a| by_pos.get(&a).copied());
            match single.get(i) {
                Some(true) => constant.extend(slot),
                // After several points nothing is ordered any more but the leading columns themselves.
                Some(false) => keys.push((slot, c.ord.desc, c.ord.nulls_first)),
                None => keys.push((slot, c.ord.desc, c.ord.nulls_first)),
            }
        }
        IndexOrder { constant, keys, single_row: unique && !multi }
    }

    /// Does the node's output come in this order?
    pub fn delivers(&self, n: &PNode, want: &[WantKey]) -> bool {
        match &n.kind {
            Kind::Scan(s) => {
                let Some(xi) = s.index else { return want.is_empty() };
                let b = access::bound(&s.table);
                let Some(lay) = b.indexes.get(xi) else { return false };
                let mut by_pos = HashMap::new();
                for (slot, (t, pos)) in &self.origin {
                    if t.oid == s.table.oid && n.out.contains(slot) {
                        by_pos.insert(*pos, *slot);
                    }
                }
                let single: Vec<bool> = s.bounds.parts.iter().map(|p| matches!(p, Part::Eq(_) | Part::Null)).collect();
                let multi = single.iter().any(|s| !s);
                let order = self.index_order(lay, &single, &by_pos, &s.table, b.pk, s.bounds.point, multi);
                matches_order(want, &order, &|c| self.slot_of(c), &s.table, &by_pos) == Some(s.dir) || order.single_row
            }
            Kind::Filter { input, .. }
            | Kind::Compute { input, .. }
            | Kind::Distinct { input, sorted: true, .. }
            | Kind::Limit { input, .. } => self.delivers(input, want),
            // What hashes may go through its input in partitions, in any order.
            Kind::NestLoop { left, spec, .. } => {
                !matches!(spec.kind, JoinKind::Right | JoinKind::Full) && self.delivers(left, want)
            }
            Kind::One | Kind::Empty => true,
            Kind::Sort { keys, .. } => {
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
            Kind::Agg { spec, .. } => spec.groups.is_empty() && spec.sets.is_empty(),
            _ => false,
        }
    }
}

pub struct IndexOrder {
    constant: Vec<u32>,
    keys: Vec<(Option<u32>, bool, bool)>,
    single_row: bool,
}
/// The direction in which the index gives the wanted order, if it does.
fn matches_order(
    want: &[WantKey],
    have: &IndexOrder,
    slot: &dyn Fn(ColId) -> u32,
    table: &Table,
    by_pos: &HashMap<usize, u32>,
) -> Option<Dir> {
    if have.single_row {
        return Some(Dir::Forward);
    }
    let not_null = |s: u32| by_pos.iter().any(|(p, x)| *x == s && table.columns.get(*p).is_some_and(|c| c.not_null));
    let mut dir = None;
    let mut keys = have.keys.iter();
    for w in want {
        let s = slot(w.col);
        if have.constant.contains(&s) {
            continue;
        }
        let (k, desc, nf) = keys.next()?;
        if *k != Some(s) {
            return None;
        }
        let d = if *desc == w.desc { Dir::Forward } else { Dir::Backward };
        let nulls_ok = not_null(s) || if d == Dir::Forward { *nf == w.nulls_first } else { *nf != w.nulls_first };
        if !nulls_ok || dir.is_some_and(|x| x != d) {
            return None;
        }
        dir = Some(d);
    }
    Some(dir.unwrap_or(Dir::Forward))
}

/// Where an index entry has a column (attnum - 1).
fn source_in_entry(col: usize, lay: &access::IndexLayout, pk: Option<&access::IndexLayout>) -> Option<Src> {
    for (i, c) in lay.cols.iter().enumerate() {
        if c.attr == Some(col) {
            return Some(match c.extra {
                None => Src::Key(i),
                Some(x) => Src::Extra(x),
            });
        }
    }
    for (i, e) in lay.extra.iter().enumerate() {
        if matches!(e, ExtraCol::Include(a) if *a == col) {
            return Some(Src::Extra(i));
        }
    }
    let pk = pk?;
    let i = pk.cols.iter().position(|c| c.attr == Some(col))?;
    key::is_decodable(pk.cols[i].ty).then_some(Src::Pk(i))
}
fn rename(e: &Expr, by_pos: &HashMap<usize, u32>) -> Expr {
    let mut e = e.clone();
    fn go(e: &mut Expr, m: &HashMap<usize, u32>) {
        if let Expr::Col(c, _) = e {
            // A column this statement does not name cannot be compared with.
            *c = m.get(&(*c as usize)).copied().unwrap_or(u32::MAX);
            return;
        }
        expr::children_mut(e, &mut |x| go(x, m));
    }
    go(&mut e, by_pos);
    e
}
/// Structural equality, columns by slot.
pub fn same_expr(a: &Expr, b: &Expr, slot: &dyn Fn(ColId) -> u32) -> bool {
    let norm = |e: &Expr| {
        let mut e = strip(e).clone();
        fn go(e: &mut Expr, slot: &dyn Fn(ColId) -> u32) {
            if let Expr::Col(c, t) = e {
                *c = if *c == u32::MAX { *c } else { slot(*c) };
                *t = t.base();
                return;
            }
            expr::children_mut(e, &mut |x| go(x, slot));
        }
        go(&mut e, slot);
        fold::fold(&mut e);
        format!("{e:?}")
    };
    std::mem::discriminant(strip(a)) == std::mem::discriminant(strip(b)) && norm(a) == norm(b)
}
