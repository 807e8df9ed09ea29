//! Access paths of one table: which index, which part of it, in which direction.
//!
//! A condition is *sargable* for an index column when it compares that column (or indexed expression) with something that needs no column
//! of this table: a constant, a parameter, or a column of another relation that is at hand when the scan opens (a parameterized
//! path, the inner side of a nested loop). Equalities, IN lists and `= ANY(array)` on leading columns make the prefix, then one range on the next column:
//! ```text
//! index (a, b, c):   a = 1 AND b IN (2,3) AND c > 4 AND d = 5
//!                    |_______prefix_____|     |range|   |filter|
//! ```
//! Conditions that the byte range expresses exactly are not tested again; LIKE 'abc%' gives a range and stays as a filter. [`super::ranges`] says what
//! becomes of ORs and row comparisons.
use super::inverted::Asks;
use super::ranges::{IndexBounds, Target, UnionPart};
use super::selectivity::ROWS_PER_INDEXED_VALUE;
use super::strip::{key_compatible, strip, strip_key};
use super::*;
use crate::bind::bind_stored;
use pamir_catalog::{Index, IndexColumn, SqlText};
use pamir_expr::access::{self, ExtraCol, IndexIrs, IndexLayout};
use pamir_expr::expr::encoded::Test;
use pamir_expr::implied::Prover;
use pamir_expr::no_session::NoSession;
use pamir_expr::plan::node::*;
use pamir_expr::rels::expr_free;
use pamir_storage::store::Dir;
use pamir_types::key;

/// One end of a range: value and whether it belongs to the range; None: open.
pub type End = Option<(Expr, bool)>;

/// A usable condition on one column.
#[derive(Clone, Debug)]
pub enum Sarg {
    Eq(Expr),
    In(Arc<Vec<Expr>>),
    Any(Expr),
    IsNull,
    /// (value, inclusive)
    Lo(Expr, bool),
    Hi(Expr, bool),
    /// Any of several ranges: lower and upper end.
    Ranges(Vec<(End, End)>),
}

/// The day that a timestamp is in. A date compared with the timestamp is its midnight, so that it is at most (or above) the one exactly when it is at most
/// (or above) the other; what else holds for the timestamp (`=`, `<`, `>=`) holds for the day with its end taken in, and is tested again.
pub(super) fn day_of(v: &Expr) -> Option<Expr> {
    const DATE_OF_TIMESTAMP: pamir_types::Oid = 2029;
    const DATE_OF_TIMESTAMPTZ: pamir_types::Oid = 1178;
    if let Expr::Const(Datum::Timestamp(t), _) = v {
        return Some(Expr::Const(Datum::Date(pamir_expr::func::casts::ts_to_date(*t)), Type::new(oid::DATE)));
    }
    let with_zone = v.ty().oid == oid::TIMESTAMPTZ;
    let f = pamir_expr::func::function_by_oid(if with_zone { DATE_OF_TIMESTAMPTZ } else { DATE_OF_TIMESTAMP })?.into();
    Some(Expr::Call { f, args: vec![v.clone()], ty: Type::new(oid::DATE) })
}
fn is_timestamp(t: Type) -> bool {
    matches!(t.oid, oid::TIMESTAMP | oid::TIMESTAMPTZ)
}
/// What `date op timestamp` says of the date. With a time zone the day is the session's, found when the scan opens; clocks that are set back over midnight
/// may show the day before once more when the date has begun, so that a day more is taken in, and all is tested again.
fn of_days(op: CmpOp, v: &Expr) -> Option<(Vec<Sarg>, bool)> {
    const DATE_AND_DAYS: pamir_types::Oid = 1141;
    let day = day_of(v)?;
    if v.ty().oid == oid::TIMESTAMPTZ {
        let f = pamir_expr::func::function_by_oid(DATE_AND_DAYS)?.into();
        let args = vec![day.clone(), Expr::Const(Datum::Int4(1), Type::INT4)];
        let next = Expr::Call { f, args, ty: Type::new(oid::DATE) };
        let (lo, hi) = (Sarg::Lo(day, true), Sarg::Hi(next, true));
        return Some(match op {
            CmpOp::Lt | CmpOp::Le => (vec![hi], false),
            CmpOp::Gt | CmpOp::Ge => (vec![lo], false),
            CmpOp::Eq => (vec![lo, hi], false),
            CmpOp::Ne => return None,
        });
    }
    Some(match op {
        CmpOp::Le => (vec![Sarg::Hi(day, true)], true),
        CmpOp::Gt => (vec![Sarg::Lo(day, false)], true),
        CmpOp::Lt => (vec![Sarg::Hi(day, true)], false),
        CmpOp::Ge => (vec![Sarg::Lo(day, true)], false),
        CmpOp::Eq => (vec![Sarg::Lo(day.clone(), true), Sarg::Hi(day, true)], false),
        CmpOp::Ne => return None,
    })
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
                if key_ty.oid == oid::DATE && [a, b].iter().any(|x| is_timestamp(x.ty())) {
                    let (op, v) = if is_key(a) { (op, b) } else { (op.flipped(), a) };
                    let known = (is_key(a) || is_key(b)) && is_timestamp(v.ty()) && is_value(v);
                    return if known { of_days(op, v) } else { None };
                }
                let (op, v) = if is_key(strip_key(a)) && fits(b) {
                    (op, b)
                } else if is_key(strip_key(b)) && fits(a) {
                    (op.flipped(), a)
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
        // The key itself is the condition: `a`, `NOT a`, `a IS TRUE`.
        e if key_ty.oid == oid::BOOL && is_key(e) => Some((vec![Sarg::Eq(bool_const(true))], true)),
        Expr::Not(e) if key_ty.oid == oid::BOOL && is_key(e) => Some((vec![Sarg::Eq(bool_const(false))], true)),
        Expr::IsBool(e, Some(b), false) if key_ty.oid == oid::BOOL && is_key(e) => {
            Some((vec![Sarg::Eq(bool_const(*b))], true))
        }
        Expr::IsNull(e, false) if is_key(e) => Some((vec![Sarg::IsNull], true)),
        // The range without ends has no NULL.
        Expr::IsNull(e, true) if is_key(e) => Some((vec![Sarg::Ranges(vec![(None, None)])], true)),
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
                            Sarg::In(l) if all.len() == 1 => list.extend(l.iter().cloned()),
                            Sarg::Lo(e, i) if lo.is_none() => lo = Some((e, i)),
                            Sarg::Hi(e, i) if hi.is_none() => hi = Some((e, i)),
                            Sarg::Ranges(r) if all.len() == 1 => ranges.extend(r),
                            _ => return None,
                        }
                    }
                }
                if lo.is_some() || hi.is_some() {
                    ranges.push((lo, hi));
                }
            }
            if ranges.is_empty() {
                return Some((vec![Sarg::In(Arc::new(list))], true));
            }
            ranges.extend(list.into_iter().map(|e| (Some((e.clone(), true)), Some((e, true)))));
            Some((vec![Sarg::Ranges(ranges)], true))
        }
        _ => None,
    }
}
fn bool_const(b: bool) -> Expr {
    Expr::Const(Datum::Bool(b), Type::BOOL)
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

/// As many rows by an index as are read in less time than a statement takes to be planned a few times.
const FEW_ROWS: f64 = 500.0;

/// What the ways into one table have in common.
struct Sight<'a> {
    table: &'a Arc<Table>,
    conds: &'a [Expr],
    by_pos: &'a FxHashMap<usize, u32>,
    needed: &'a [(usize, u32)],
    want: &'a Want,
    rows: f64,
    pages: f64,
    height: f64,
    out_rows: f64,
    width: u32,
    plain_total: f64,
}
impl Sight<'_> {
    /// What a way to the rows costs, with what it leaves to be done: sorting, and no more rows than are wanted. `groups`: 0 where the rows come in no order, else the
    /// parts of them that must still be sorted; as many as rows: none.
    fn cost(&self, e: &Est, groups: f64) -> f64 {
        let (want, n) = (self.want, e.rows);
        let sort_cost = |n: f64| 2.0 * CPU_OPERATOR * n.max(2.0) * n.max(2.0).log2();
        let whole = want.order.is_empty() || groups >= n;
        let t = match groups {
            _ if whole => e.total,
            0.0 => return e.total + sort_cost(n) + want.disorder(),
            g => e.total + g * sort_cost(n / g),
        };
        let group = if whole { 0.0 } else { n / groups };
        match want.limit {
            Some(l) => e.startup + (t - e.startup) * ((l + group) / n.max(1.0)).min(1.0),
            None => t,
        }
    }
}
/// Which part of a table is read, by what.
enum Part {
    Whole,
    Index(Path),
    /// Parts of several indexes, each row once.
    Union(Vec<UnionPart>),
    /// The rows' own places (`ctid`).
    Places(IndexBounds),
    /// What an inverted index leaves.
    Inverted(Asks),
}
/// A scan by an index.
struct Path {
    index: usize,
    bounds: IndexBounds,
    point: bool,
    dir: Dir,
    /// Into how many groups, each to be sorted by itself, the wanted order's first keys divide the rows; 0: they are in no such order.
    groups: f64,
    only: bool,
    est: Est,
}

impl Planner<'_> {
    /// Plans a base table under `conds`. What they compare with columns of other relations is one value for each row of these, and as many rows have it
    /// as have any: a join's estimate, which takes it that most of the other side's values are not here, would let a look-up seem to cost nothing.
    pub fn plan_table(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::Table { cols, key, tableoid, .. } = r else {
            return Err(Error::internal("not a table"));
        };
        let mut own: FxHashSet<ColId> = cols.iter().map(|c| c.1.id).collect();
        own.extend(*key);
        own.extend(*tableoid);
        let given = conds.iter().flat_map(expr_free).filter(|c| !own.contains(c)).collect();
        let before = std::mem::replace(&mut self.given, given);
        let node = self.plan_own(r, conds, &own, want);
        self.given = before;
        node
    }
    fn plan_own(&mut self, r: &Rel, conds: Vec<Expr>, own: &FxHashSet<ColId>, want: &Want) -> Result<PNode> {
        let Rel::Table { table, alias, cols, key, tableoid, .. } = r else {
            return Err(Error::internal("not a table"));
        };
        let b = access::layout(table);
        // Slot by column position.
        let by_pos: FxHashMap<usize, u32> = cols.iter().map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id)).collect();
        let filter_cols: FxHashSet<u32> = conds.iter().flat_map(expr_free).map(|c| self.slot_of(c)).collect();
        let needed: Vec<(usize, u32)> = cols
            .iter()
            .map(|(a, o)| ((*a as usize).wrapping_sub(1), o.id))
            .filter(|(_, s)| self.used.contains(s) || filter_cols.contains(s))
            .collect();
        let (rows, pages, height) = self.table_size(table.tree);
        let sel_all = self.selectivity_all(&conds);
        let mut out: Vec<u32> = needed.iter().map(|n| n.1).collect();
        let key_slot = key.filter(|k| self.used.contains(k) || filter_cols.contains(k));
        let oid_slot = tableoid.filter(|k| self.used.contains(k));
        out.extend(key_slot);
        out.extend(oid_slot);
        let width = self.width(&out);
        let choices = self.choices(&conds);
        let mut targets = Vec::new();
        let (mut found, mut asked) = (Vec::new(), Vec::new());
        for (xi, ix) in table.indexes.iter().enumerate() {
            let Some(lay) = b.indexes.get(xi) else { continue };
            if !table.is_readable(ix) {
                continue;
            }
            // A partial index serves when the conditions contain its predicate.
            if ix.predicate.is_some() && !self.implies(table, xi, &conds, &by_pos)? {
                continue;
            }
            let target = Target { lay, exprs: self.index_exprs(table, xi, &by_pos)?, by_pos: &by_pos, own };
            if lay.inverted.is_some() {
                asked.extend(self.asks(xi, table, &target, &conds));
                continue;
            }
            found.extend(self.index_bounds(&target, &conds, &choices).into_iter().map(|b| (xi, b)));
            if !choices.is_empty() {
                targets.push((xi, target));
            }
        }
        let known = if table.stats.is_none() { self.rows_by_indexes(table, &found, &conds, rows) } else { None };
        let out_rows = known.unwrap_or(rows * sel_all).max(1.0);
        let mut plain_total = pages * SEQ_PAGE + rows * (CPU_TUPLE + CPU_OPERATOR * conds.len() as f64);
        if !self.settings.enable_seqscan {
            plain_total += DISABLED;
        }
        let sight = Sight {
            table,
            conds: &conds,
            by_pos: &by_pos,
            needed: &needed,
            want,
            rows,
            pages,
            height,
            out_rows,
            width,
            plain_total,
        };
        let (mut part, mut est) = self.best_part(&sight, found, &targets, &choices, *key, own);
        for a in asked {
            // Where a tree's order or a limit lets another way end early, its cost says so.
            let now = match &part {
                Part::Index(p) => sight.cost(&est, p.groups),
                _ => sight.cost(&est, 0.0),
            };
            if let Some(e) = self.inverted_cost(&sight, &a)
                && sight.cost(&e, 0.0) < now
            {
                (part, est) = (Part::Inverted(a), e);
            }
        }
        let mut spec = ScanSpec {
            table: table.clone(),
            alias: alias.clone(),
            index: None,
            clustered: true,
            bounds: Bounds::default(),
            union: vec![],
            places: None,
            inverted: None,
            dir: Dir::Forward,
            only: false,
            few: false,
            pre: vec![],
            post: vec![],
            tests: vec![],
            key_slot,
            key_first: false,
            tableoid: oid_slot,
            filter: None,
            cond_ir: vec![],
            filter_ir: vec![],
        };
        let rest = self.set_part(&sight, part, &mut spec)?;
        self.set_filter(&sight, rest, &mut spec)?;
        Ok(PNode { kind: Kind::Scan(Arc::new(spec)), est, out, id: 0 })
    }
    /// The cheapest way to the rows, their order and the limit considered.
    fn best_part(
        &mut self,
        s: &Sight,
        found: Vec<(usize, IndexBounds)>,
        targets: &[(usize, Target)],
        choices: &[(usize, Vec<Vec<Expr>>)],
        key: Option<ColId>,
        own: &FxHashSet<ColId>,
    ) -> (Part, Est) {
        let plain = Est { startup: 0.0, total: s.plain_total, rows: s.out_rows, width: s.width };
        let mut best_cost = s.cost(&plain, 0.0);
        let mut best = (Part::Whole, plain);
        for (xi, bounds) in found {
            let Some(path) = self.index_path(s, xi, bounds) else { continue };
            let cost = s.cost(&path.est, path.groups);
            if cost < best_cost {
                best_cost = cost;
                let est = path.est;
                best = (Part::Index(path), est);
            }
        }
        for choice in choices {
            let Some(parts) = self.union_parts(s.table, targets, s.conds, choice, s.rows) else { continue };
            let est = self.union_cost(s, &parts);
            let cost = s.cost(&est, 0.0);
            if cost < best_cost {
                best_cost = cost;
                best = (Part::Union(parts), est);
            }
        }
        match self.places(s, key, own, choices) {
            Some((bounds, est)) if s.cost(&est, 0.0) < best_cost => (Part::Places(bounds), est),
            _ => best,
        }
    }
    /// Notes in the plan which part of the table is read. Gives the conditions that this does not settle.
    fn set_part(&mut self, s: &Sight, part: Part, spec: &mut ScanSpec) -> Result<Vec<Expr>> {
        let of = |v: &[usize], want: bool| -> Vec<Expr> {
            s.conds.iter().enumerate().filter(|(i, _)| v.contains(i) == want).map(|(_, c)| c.clone()).collect()
        };
        Ok(match part {
            Part::Whole => s.conds.to_vec(),
            Part::Union(parts) => {
                for part in &parts {
                    spec.union.push((part.index, self.compile_bounds(&part.bounds, false)?));
                }
                s.conds.to_vec()
            }
            Part::Places(bounds) => {
                spec.places = Some(self.compile_bounds(&bounds, true)?);
                spec.cond_ir = of(&bounds.used, true);
                of(&bounds.consumed, false)
            }
            Part::Inverted(a) => {
                spec.inverted = Some(self.compile_asks(&a)?);
                spec.cond_ir = of(&a.asks.iter().map(|x| x.cond).collect::<Vec<_>>(), true);
                s.conds.to_vec()
            }
            Part::Index(p) => {
                spec.index = Some(p.index);
                spec.clustered = s.table.indexes[p.index].primary;
                spec.dir = p.dir;
                spec.only = p.only;
                spec.few = self.few_for_any(s.table, &p);
                spec.bounds = self.compile_bounds(&p.bounds, p.point)?;
                spec.cond_ir = of(&p.bounds.used, true);
                of(&p.bounds.consumed, false)
            }
        })
    }
    /// The conditions tested on each row, and which columns are decoded before and after them.
    fn set_filter(&mut self, s: &Sight, mut rest: Vec<Expr>, spec: &mut ScanSpec) -> Result<()> {
        let b = access::layout(s.table);
        order_conds(&mut rest);
        let column = |slot: u32| {
            let (a, _) = s.needed.iter().find(|n| n.1 == slot)?;
            Some((*a, *b.types.get(*a)?))
        };
        let mut left = Vec::new();
        for e in &rest {
            let mut px = self.compile(e)?;
            walk::mark_once(&mut px, &mut self.onces);
            if spec.only || !left.is_empty() {
                left.push(px);
                continue;
            }
            match Test::of(px, column) {
                Ok(test) => spec.tests.push(test),
                Err(px) => left.push(px),
            }
        }
        spec.filter = if left.len() > 1 { Some(Px::And(left.into())) } else { left.pop() };
        let left = rest.get(spec.tests.len()..).unwrap_or(&[]);
        let in_filter: FxHashSet<u32> = left.iter().flat_map(expr_free).map(|c| self.slot_of(c)).collect();
        spec.key_first = spec.key_slot.is_some_and(|k| in_filter.contains(&k));
        let lay = spec.index.and_then(|i| b.indexes.get(i));
        let pk_cols = b.pk.and_then(|p| b.indexes.get(p));
        for (a, slot) in s.needed {
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
        Ok(())
    }
    /// The scan of a part of one index; None: it is of no use.
    fn index_path(&mut self, s: &Sight, xi: usize, bounds: IndexBounds) -> Option<Path> {
        let (table, rows) = (s.table, s.rows);
        let b = access::layout(table);
        let (ix, lay) = (table.indexes.get(xi)?, b.indexes.get(xi)?);
        let clustered = ix.primary;
        let point = ix.unique && bounds.full_key(lay.cols.len());
        let (single, multi) = bounds.single();
        let order = self.index_order(lay, &single, s.by_pos, table, b.pk, point, multi);
        let (dir, matched, varying) = order_prefix(&s.want.order, &order, &self.alias_fn(), table, s.by_pos);
        let dir = (matched > 0).then_some(dir);
        // Index-only: every needed column is in the entry.
        let only = !clustered && self.settings.enable_indexonlyscan && {
            let pk_cols = b.pk.and_then(|p| b.indexes.get(p));
            s.needed.iter().all(|(a, _)| source_in_entry(*a, lay, pk_cols).is_some())
        };
        let covering = only && self.settings.enable_indexscan;
        // All of a partial index may be little.
        if bounds.used.is_empty() && dir.is_none() && !covering && ix.predicate.is_none() {
            return None;
        }
        let points = bounds.points();
        let n = if point { points } else { self.index_rows(s, xi, &bounds) }.max(1.0).min(rows);
        let (ipages, iheight) = if clustered {
            (s.pages, s.height)
        } else {
            let s = self.table_size(ix.tree);
            (s.1, s.2)
        };
        let startup = DESCENT_LEVEL * (iheight + 1.0);
        let leaf = (ipages * (n / rows)).ceil().max(1.0);
        let mut total = startup
            + points * self.page_cost(ipages)
            + (leaf - 1.0).max(0.0) * SEQ_PAGE
            + n * (CPU_INDEX_TUPLE + CPU_TUPLE);
        if !clustered && !only {
            total += self.fetch_cost(s, n);
        }
        total += n * CPU_OPERATOR * s.conds.len().saturating_sub(bounds.consumed.len()) as f64;
        if clustered && !bounds.used.is_empty() {
            // A part of the table's own tree is never dearer than all of it. Small tables depend on this: a serializable scan locks what it
            // reads, and a walk over a table of two rows would lock both.
            total = total.min(s.plain_total * PART_OF_WHOLE);
        }
        if !self.settings.enable_indexscan {
            total += DISABLED;
        }
        let est_rows = if point { n.min(points) } else { s.out_rows.min(n) };
        let est = Est { startup, total, rows: est_rows, width: s.width };
        let groups = if matched == s.want.order.len() {
            f64::INFINITY
        } else if matched == 0 {
            0.0
        } else {
            self.groups_of(&varying, est_rows)
        };
        Some(Path { index: xi, bounds, point, dir: dir.unwrap_or(Dir::Forward), groups, only, est })
    }
    /// The places that the conditions leave (`ctid = ..`), and what it costs to look there.
    fn places(
        &mut self,
        s: &Sight,
        key: Option<ColId>,
        own: &FxHashSet<ColId>,
        choices: &[(usize, Vec<Vec<Expr>>)],
    ) -> Option<(IndexBounds, Est)> {
        let key = key.filter(|k| s.conds.iter().flat_map(expr_free).any(|c| self.slot_of(c) == *k))?;
        let ty = Type::new(oid::TID);
        let lay = IndexLayout::of_places();
        let target = Target { lay: &lay, exprs: vec![Some(Expr::Col(key, ty))], by_pos: s.by_pos, own };
        let all = self.index_bounds(&target, s.conds, choices);
        let bounds = all.into_iter().filter(|b| b.full_key(1)).min_by(|a, b| a.points().total_cmp(&b.points()))?;
        let n = bounds.points().max(1.0).min(s.rows);
        let startup = DESCENT_LEVEL * (s.height + 1.0);
        let mut total = startup + n * (self.page_cost(s.pages) + CPU_INDEX_TUPLE + CPU_TUPLE);
        total += n * CPU_OPERATOR * s.conds.len().saturating_sub(bounds.consumed.len()) as f64;
        if !self.settings.enable_tidscan {
            total += DISABLED;
        }
        Some((bounds, Est { startup, total, rows: n.min(s.out_rows), width: s.width }))
    }
    /// Into how many groups the values of these columns divide so many rows.
    pub(super) fn groups_of(&mut self, cols: &[u32], rows: f64) -> f64 {
        let mut groups = 1.0;
        for c in cols {
            let ty = self.types.get(c).copied().unwrap_or(Type::UNKNOWN);
            groups *= self.distinct(&Expr::Col(*c, ty)).unwrap_or(1.0);
        }
        groups.min(rows).max(1.0)
    }
    /// What a leaf at some place of a tree costs, by how much of the tree memory has room for.
    fn page_cost(&self, pages: f64) -> f64 {
        let room = self.sizes.cache_pages() as f64 / 2.0;
        let missing = (1.0 - room / pages.max(1.0)).max(0.0);
        MEMORY_PAGE + missing * (RANDOM_PAGE - MEMORY_PAGE)
    }
    /// One descent in the table's tree per row; pages repeat when many rows are read.
    fn fetch_cost(&self, s: &Sight, n: f64) -> f64 {
        // Whoever wants the first rows, or an order, does not read all of them or has no walk to turn to.
        let whole = s.want.order.is_empty() && s.want.limit.is_none();
        let far = if whole { (1.0 - CACHED_PAGES / s.pages.max(1.0)).max(0.0) } else { 0.0 };
        n.min(s.pages) * self.page_cost(s.pages)
            + n * (CPU_TUPLE + FETCH_TUPLE)
            + (n - s.pages).max(0.0) * far * FETCH_FAR
    }
    /// About how many entries a part of an index has.
    fn index_rows(&mut self, s: &Sight, xi: usize, bounds: &IndexBounds) -> f64 {
        let used: Vec<Expr> = bounds.used.iter().filter_map(|i| s.conds.get(*i).cloned()).collect();
        self.entries_in(s.table, xi, bounds, &used, s.rows)
    }
    /// As many of a table's `rows` as the index has in `bounds`, which `used` made.
    pub(super) fn entries_in(
        &mut self,
        table: &Table,
        xi: usize,
        bounds: &IndexBounds,
        used: &[Expr],
        rows: f64,
    ) -> f64 {
        let mut sel = self.selectivity_all(used);
        let (Some(ix), Some(lay)) = (table.indexes.get(xi), access::layout(table).indexes.get(xi)) else { return rows };
        if ix.predicate.is_some() {
            sel *= (self.table_size(ix.tree).0 / rows).min(1.0);
        }
        if lay.cols.first().is_some_and(|c| c.attr.is_none()) && bounds.arms.iter().all(|a| a.fixed_first()) {
            // Nothing is known of an expression's values, but that somebody made an index of them.
            sel = sel.min(bounds.points() * ROWS_PER_INDEXED_VALUE / rows);
        }
        // Constant bounds: the tree itself knows best.
        if !used.is_empty()
            && let Some(n) = self.counted(table, xi, bounds)
        {
            let tree = if ix.primary { table.tree } else { ix.tree };
            let leaf = rows / self.table_size(tree).1;
            // Of few rows that were analyzed the statistics know, which tell of all values alike.
            let n = if n <= 2.0 * leaf && table.stats.is_some() { n.min(sel * rows) } else { n };
            sel = (n / rows).clamp(0.0, 1.0);
        }
        rows * sel
    }
    /// As many entries as an index has in `bounds` now, as its inner pages tell. None: the bounds are not known yet.
    fn counted(&mut self, table: &Table, xi: usize, bounds: &IndexBounds) -> Option<f64> {
        let (ix, lay) = (table.indexes.get(xi)?, access::layout(table).indexes.get(xi)?);
        let known = bounds.known(&mut |e| self.value_now(e).map(|v| v.0))?;
        let tree = if ix.primary { table.tree } else { ix.tree };
        let mut env = pamir_expr::no_session::NoSession::new(self.catalog, table.database);
        let mut cx = expr::ParamCx { params: &[], env: &mut env };
        let mut ranges = Vec::new();
        pamir_expr::ranges::ranges(&known, &lay.cols, &mut cx, &mut ranges).ok()?;
        let n: u64 = ranges.iter().map(|r| self.sizes.range(tree, &r.lo, r.hi.as_deref())).sum();
        Some(n as f64)
    }
    /// The rows of a table that nobody analyzed: guesses from its conditions alone would take every value for a rare one, so its indexes are asked.
    fn rows_by_indexes(
        &mut self,
        table: &Table,
        found: &[(usize, IndexBounds)],
        conds: &[Expr],
        rows: f64,
    ) -> Option<f64> {
        let mut least: Option<f64> = None;
        for (xi, bounds) in found {
            let whole = table.indexes.get(*xi).is_some_and(|ix| ix.predicate.is_none());
            if !whole || bounds.used.is_empty() {
                continue;
            }
            let Some(n) = self.counted(table, *xi, bounds) else { continue };
            let rest: Vec<Expr> =
                conds.iter().enumerate().filter(|(i, _)| !bounds.used.contains(i)).map(|c| c.1.clone()).collect();
            let n = n.min(rows) * self.selectivity_all(&rest);
            least = Some(least.map_or(n, |l| l.min(n)));
        }
        least
    }
    /// The cost of reading parts of several indexes, then each row once.
    fn union_cost(&mut self, s: &Sight, parts: &[UnionPart]) -> Est {
        let (mut startup, mut entries) = (0.0, 0.0);
        for p in parts {
            let (tree, primary) = s.table.indexes.get(p.index).map_or((s.table.tree, true), |i| (i.tree, i.primary));
            let (rows, pages, height) = self.table_size(if primary { s.table.tree } else { tree });
            let n = p.rows.min(rows);
            startup += DESCENT_LEVEL * (height + 1.0) + p.bounds.points() * self.page_cost(pages);
            // Keys are kept and sorted.
            startup += pages * (n / rows) * SEQ_PAGE + n * (CPU_INDEX_TUPLE + CPU_TUPLE + 2.0 * CPU_OPERATOR);
            entries += n;
        }
        let n = entries.min(s.rows);
        let mut total = startup + self.fetch_cost(s, n) + n * CPU_OPERATOR * s.conds.len() as f64;
        if !self.settings.enable_indexscan {
            total += DISABLED;
        }
        Est { startup, total, rows: s.out_rows.min(n), width: s.width }
    }
    /// The cost of reading an inverted index's lists, then each row once. None: it leaves all rows.
    fn inverted_cost(&mut self, s: &Sight, a: &Asks) -> Option<Est> {
        let (read, left) = self.asked_rows(s.table, a, s.conds, s.rows)?;
        let (_, pages, height) = self.table_size(s.table.indexes.get(a.index)?.tree);
        let lists = a.asks.len() as f64;
        let startup = lists * (DESCENT_LEVEL * (height + 1.0) + self.page_cost(pages))
            + read * (CPU_INDEX_TUPLE + CPU_TUPLE + 2.0 * CPU_OPERATOR);
        let mut total = startup + self.fetch_cost(s, left) + left * CPU_OPERATOR * s.conds.len() as f64;
        if !self.settings.enable_indexscan {
            total += DISABLED;
        }
        Some(Est { startup, total, rows: s.out_rows.min(left.max(1.0)), width: s.width })
    }
    /// Would any other values in place of these give few rows too? A unique key does; of other columns the most common value tells.
    fn few_for_any(&self, table: &Table, p: &Path) -> bool {
        if p.point {
            return true;
        }
        let (Some(ix), Some(stats)) = (table.indexes.get(p.index), &table.stats) else { return false };
        let most = |c: &IndexColumn| {
            let IndexColumn::Attr(a) = c else { return None };
            let s = &stats.columns.iter().find(|s| s.0 == *a)?.1;
            let common = s.mcv.iter().map(|m| f64::from(m.1)).fold(0.0, f64::max) * stats.rows;
            let d = f64::from(s.n_distinct);
            let mean = if d < 0.0 { 1.0 / -d } else { stats.rows / d.max(1.0) };
            Some(common.max(mean))
        };
        let of_arm = |a: &super::ranges::Arm| {
            a.values() * ix.columns.iter().take(a.parts.len()).filter_map(|c| most(&c.0)).fold(f64::MAX, f64::min)
        };
        p.bounds.arms.iter().map(of_arm).sum::<f64>() <= FEW_ROWS
    }
    fn used_elsewhere(&self, slot: u32, in_filter: &FxHashSet<u32>) -> bool {
        self.used.contains(&slot) || in_filter.contains(&slot)
    }
    fn alias_fn(&self) -> impl Fn(ColId) -> u32 + '_ {
        |c| self.slot_of(c)
    }

    /// Index expressions over this scan's columns: stored ones use attnum - 1 as column ids.
    fn index_exprs(&self, table: &Table, index: usize, by_pos: &FxHashMap<usize, u32>) -> Result<Vec<Option<Expr>>> {
        let plain = |i: &Index| i.columns.iter().all(|(c, _)| matches!(c, IndexColumn::Attr(_)));
        if table.indexes.get(index).is_none_or(plain) {
            return Ok(vec![]);
        }
        let irs = index_irs(table, self.catalog)?;
        let renamed = |v: &Vec<Option<Expr>>| v.iter().map(|x| x.as_ref().map(|e| rename(e, by_pos))).collect();
        Ok(irs.exprs.get(index).map(renamed).unwrap_or_default())
    }
    /// Do the conditions imply the index's predicate?
    fn implies(&self, table: &Table, index: usize, conds: &[Expr], by_pos: &FxHashMap<usize, u32>) -> Result<bool> {
        let irs = index_irs(table, self.catalog)?;
        let Some(Some(pred)) = irs.predicates.get(index) else { return Ok(false) };
        let same = |a: &Expr, b: &Expr| same_expr(a, b, &|c| self.slot_of(c));
        let folded = |mut e: Expr| {
            fold::fold(&mut e);
            e
        };
        let known: Vec<Expr> = conds.iter().cloned().map(folded).collect();
        Ok(Prover { same: &same }.implied(&folded(rename(pred, by_pos)), &known))
    }

    /// What order an index scan gives: slots with direction, equal columns left out.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn index_order(
        &self,
        lay: &access::IndexLayout,
        single: &[bool],
        by_pos: &FxHashMap<usize, u32>,
        table: &Table,
        pk: Option<usize>,
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
        // Entries that are alike otherwise come in the order of the rows' keys.
        let rows = pk.and_then(|p| access::layout(table).indexes.get(p)).filter(|p| !std::ptr::eq(*p, lay));
        for c in rows.iter().flat_map(|p| &p.cols) {
            keys.push((c.attr.and_then(|a| by_pos.get(&a).copied()), c.ord.desc, c.ord.nulls_first));
        }
        IndexOrder { constant, keys, single_row: unique && !multi }
    }
}

pub struct IndexOrder {
    constant: Vec<u32>,
    keys: Vec<(Option<u32>, bool, bool)>,
    pub(super) single_row: bool,
}
/// The direction in which the index gives the wanted order, if it does.
pub(super) fn matches_order(
    want: &[WantKey],
    have: &IndexOrder,
    slot: &dyn Fn(ColId) -> u32,
    table: &Table,
    by_pos: &FxHashMap<usize, u32>,
) -> Option<Dir> {
    let (dir, n, _) = order_prefix(want, have, slot, table, by_pos);
    (n == want.len()).then_some(dir)
}
/// The direction in which the index gives the first of the wanted keys, how many of them, and which of these differ from row to row.
fn order_prefix(
    want: &[WantKey],
    have: &IndexOrder,
    slot: &dyn Fn(ColId) -> u32,
    table: &Table,
    by_pos: &FxHashMap<usize, u32>,
) -> (Dir, usize, Vec<u32>) {
    if have.single_row {
        return (Dir::Forward, want.len(), Vec::new());
    }
    let not_null = |s: u32| by_pos.iter().any(|(p, x)| *x == s && table.columns.get(*p).is_some_and(|c| c.not_null));
    let mut dir = None;
    let mut keys = have.keys.iter();
    let mut varying = Vec::new();
    for (n, w) in want.iter().enumerate() {
        let s = slot(w.col);
        if have.constant.contains(&s) {
            continue;
        }
        let next = keys.next().filter(|k| k.0 == Some(s));
        let d = next.map(|(_, desc, nf)| {
            let d = if *desc == w.desc { Dir::Forward } else { Dir::Backward };
            (d, not_null(s) || if d == Dir::Forward { *nf == w.nulls_first } else { *nf != w.nulls_first })
        });
        match d {
            Some((d, true)) if dir.is_none_or(|x| x == d) => dir = Some(d),
            _ => return (dir.unwrap_or(Dir::Forward), n, varying),
        }
        varying.push(s);
    }
    (dir.unwrap_or(Dir::Forward), want.len(), varying)
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
pub(super) fn rename(e: &Expr, by_pos: &FxHashMap<usize, u32>) -> Expr {
    let mut e = e.clone();
    expr::each_mut(&mut e, &mut |x| {
        if let Expr::Col(c, _) = x {
            // A column this statement does not name cannot be compared with.
            *c = by_pos.get(&(*c as usize)).copied().unwrap_or(u32::MAX);
        }
    });
    e
}
/// Structural equality, columns by slot.
pub fn same_expr(a: &Expr, b: &Expr, slot: &dyn Fn(ColId) -> u32) -> bool {
    let norm = |e: &Expr| {
        let mut e = strip(e).clone();
        expr::each_mut(&mut e, &mut |x| match x {
            Expr::Col(c, t) => {
                *c = if *c == u32::MAX { *c } else { slot(*c) };
                *t = t.base();
            }
            // A cast is the same whether it was written or not: `lower(c)` over varchar is kept as `lower((c)::text)`, `n + 1.5` as `(n)::numeric + 1.5`.
            // What only a written one may do is cut to a length.
            Expr::Cast { f, ty, explicit, .. } if matches!(f, CastHow::Relabel) || ty.typmod < 0 => *explicit = false,
            _ => {}
        });
        fold::fold(&mut e);
        format!("{e:?}")
    };
    std::mem::discriminant(strip(a)) == std::mem::discriminant(strip(b)) && norm(a) == norm(b)
}

/// What the planner needs of the table's indexes. There is no session: index expressions are immutable, so names and the catalog are enough. An index whose
/// expression cannot be bound so is not used by plans.
fn index_irs<'t>(table: &'t Table, catalog: &Arc<Catalog>) -> Result<&'t IndexIrs> {
    access::layout(table).index_irs(|| {
        let mut env = NoSession::new(catalog, table.database);
        // Folded as statements are: a condition on an enum has its label as a constant there.
        let folded = |s: &SqlText, env: &mut NoSession| {
            let mut e = bind_stored(table, s, None, env)?;
            fold::eager::stored(&mut e, env).map(|()| e)
        };
        let mut bind = |s: &SqlText| match folded(s, &mut env) {
            Ok(x) => Ok(Some(x)),
            // Not if only the statement is to end: what is made here is kept for others.
            Err(_) => work::breathe().map(|()| None),
        };
        let mut out = IndexIrs::default();
        for ix in &table.indexes {
            let mut exprs = Vec::with_capacity(ix.columns.len());
            for (c, _) in &ix.columns {
                exprs.push(match c {
                    IndexColumn::Attr(_) => None,
                    IndexColumn::Expr(s, _) => bind(s)?,
                });
            }
            out.exprs.push(exprs);
            out.predicates.push(ix.predicate.as_ref().map_or(Ok(None), &mut bind)?);
        }
        Ok(out)
    })
}
