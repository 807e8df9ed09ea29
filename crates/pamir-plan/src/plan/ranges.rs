//! What conditions make of an index: the part of its tree that a scan must read.
//!
//! Equalities, IN lists and `= ANY(array)` on leading columns make a prefix, then one range on the next column (an [`Arm`]). A condition that is a choice,
//! `(a = 1 AND b = 2) OR (a = 3 AND b > 4)`, `(a, b) IN ((1, 2), (3, 4))`, `(a, b) > (1, 2)`, makes an arm of each alternative, together with the other
//! conditions:
//! ```text
//! index (t, a, b):   t = 7 AND (a, b) > (1, 2)
//!                    = t = 7 AND a > 1              arm 1: prefix (7), range a > 1
//!                   or t = 7 AND a = 1 AND b > 2    arm 2: prefix (7, 1), range b > 2
//! ```
//! The executor sorts the arms' ranges and joins those that overlap, so that a scan gives a row once and in the index's order, in either direction. Where the
//! alternatives have no index in common, each may have its own ([`Union`]): the row keys that they find are sorted, and looked up once.
//!
//! Invariant: a condition is *consumed* (not tested again) only if every arm's ranges say exactly what it says; a union tests everything again.
//! Limits: one choice a scan; [`MAX_ARMS`] alternatives.
use super::path::{End, Sarg, same_expr, sargs};
use super::*;
use pamir_expr::access::IndexLayout;
use pamir_expr::ranges::MAX_POINTS;
use pamir_expr::rels::expr_free;
use pamir_types::key;

/// More alternatives than this stay a filter.
const MAX_ARMS: usize = 4096;
/// Values that `= ANY(array)` is taken to have.
const ANY_POINTS: f64 = ARRAY_ELEMENTS;
/// Arms whose ranges are looked up in the tree for the estimate, at most.
const COUNTED_ARMS: usize = 16;
/// Elements of an IN list that are, at most.
const COUNTED_VALUES: usize = 8;

pub(super) enum PartIr {
    Eq(Expr),
    In(Arc<Vec<Expr>>),
    Any(Expr),
    Null,
}
impl PartIr {
    fn single(&self) -> bool {
        matches!(self, PartIr::Eq(_) | PartIr::Null)
    }
}
/// A prefix and a range behind it.
#[derive(Default)]
pub(super) struct Arm {
    pub parts: Vec<PartIr>,
    lo: End,
    hi: End,
    or: Vec<(End, End)>,
    /// Conditions that it says exactly, and all that it uses.
    pub consumed: Vec<usize>,
    pub used: Vec<usize>,
    /// Its lists may multiply to more keys than the executor makes of them: it stops at the list that is too many, and the conditions are tested.
    open: bool,
}
impl Arm {
    /// About how many prefixes there are.
    fn points(&self) -> f64 {
        let of = |p: &PartIr| match p {
            PartIr::In(l) => l.len() as f64,
            PartIr::Any(_) => ANY_POINTS,
            PartIr::Eq(_) | PartIr::Null => 1.0,
        };
        self.parts.iter().map(of).product::<f64>() * (self.or.len() as f64).max(1.0)
    }
    /// How many prefixes there are, if values are given one by one; else infinitely many.
    pub fn values(&self) -> f64 {
        let listed = self.parts.iter().all(|p| matches!(p, PartIr::Eq(_) | PartIr::In(_)));
        if listed && !self.parts.is_empty() { self.points() } else { f64::INFINITY }
    }
    /// Takes one more column's values. With a list behind another one the scan may end up with less (`open`), unless so many keys are within its limit.
    fn push(&mut self, p: PartIr, cond: usize, exact: bool) {
        let behind = !p.single() && self.parts.iter().any(|p| !p.single());
        self.parts.push(p);
        self.open |= behind && self.values() > MAX_POINTS as f64;
        self.used.push(cond);
        if exact && !self.open {
            self.consumed.push(cond);
        }
    }
    /// Has its first column single values?
    pub fn fixed_first(&self) -> bool {
        !self.parts.is_empty()
    }
    fn full_key(&self, columns: usize) -> bool {
        !self.open && self.parts.len() == columns && !self.parts.iter().any(|p| matches!(p, PartIr::Null))
    }
    fn bounds(&self, make: &mut dyn FnMut(&Expr) -> Result<Px>) -> Result<Bounds> {
        let mut b = Bounds::default();
        for p in &self.parts {
            b.parts.push(match p {
                PartIr::Eq(e) => Part::Eq(make(e)?),
                PartIr::In(l) => Part::In(l.iter().map(&mut *make).collect::<Result<_>>()?),
                PartIr::Any(e) => Part::Any(make(e)?),
                PartIr::Null => Part::Null,
            });
        }
        let mut end = |e: &End| -> Result<Option<RangeEnd>> {
            e.as_ref().map(|(e, inclusive)| Ok(RangeEnd { e: make(e)?, inclusive: *inclusive })).transpose()
        };
        b.lo = end(&self.lo)?;
        b.hi = end(&self.hi)?;
        for (l, h) in &self.or {
            b.or.push((end(l)?, end(h)?));
        }
        Ok(b)
    }
}
/// The part of one index that the conditions leave.
pub(super) struct IndexBounds {
    /// One, or the alternatives.
    pub arms: Vec<Arm>,
    pub consumed: Vec<usize>,
    pub used: Vec<usize>,
    /// How many leading columns have the same single value in all of it, as [`Bounds::fixed`].
    pub fixed: usize,
}
impl IndexBounds {
    fn one(arm: Arm) -> IndexBounds {
        let (consumed, used) = (arm.consumed.clone(), arm.used.clone());
        let fixed = arm.parts.iter().take_while(|p| p.single()).count();
        IndexBounds { arms: vec![arm], consumed, used, fixed }
    }
    pub fn points(&self) -> f64 {
        self.arms.iter().map(Arm::points).sum()
    }
    /// Every arm has all columns of the key.
    pub fn full_key(&self, columns: usize) -> bool {
        self.arms.iter().all(|a| a.full_key(columns))
    }
    /// Which leading columns have a single value; whether there may be several prefixes.
    pub fn single(&self) -> (Vec<bool>, bool) {
        match self.arms.as_slice() {
            [a] => {
                let v: Vec<bool> = a.parts.iter().map(PartIr::single).collect();
                let multi = v.iter().any(|s| !s);
                (v, multi)
            }
            _ => (vec![true; self.fixed], true),
        }
    }
    fn bounds(&self, point: bool, make: &mut dyn FnMut(&Expr) -> Result<Px>) -> Result<Bounds> {
        if let [a] = self.arms.as_slice() {
            return Ok(Bounds { point, ..a.bounds(make)? });
        }
        let mut arms = Vec::with_capacity(self.arms.len());
        for a in &self.arms {
            arms.push(Bounds { point, ..a.bounds(make)? });
        }
        Ok(Bounds { arms, point, fixed: self.fixed, ..Bounds::default() })
    }
    /// The bounds where all values are constants.
    pub fn constant(&self, is: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Bounds> {
        let mut value = |e: &Expr| match is(e) {
            Some(Expr::Const(d, _)) => Ok(Px::Const(d)),
            _ => Err(Error::internal("not a constant")),
        };
        self.bounds(false, &mut value).ok()
    }
    /// The bounds where all values are known, and few.
    pub fn known(&self, value: &mut dyn FnMut(&Expr) -> Option<Datum>) -> Option<Bounds> {
        let many = |p: &PartIr| matches!(p, PartIr::In(l) if l.len() > COUNTED_VALUES) || matches!(p, PartIr::Any(_));
        if self.arms.len() > COUNTED_ARMS || self.arms.iter().any(|a| a.parts.iter().any(many)) {
            return None;
        }
        let mut constant = |e: &Expr| value(e).map(Px::Const).ok_or_else(|| Error::internal("not a constant"));
        self.bounds(false, &mut constant).ok()
    }
}
/// A part of one index of a [`Union`].
pub(super) struct UnionPart {
    pub index: usize,
    pub bounds: IndexBounds,
    pub rows: f64,
}

/// A table's conditions as its indexes see them.
pub(super) struct Target<'a> {
    pub lay: &'a IndexLayout,
    /// The index's expressions over this scan's columns.
    pub exprs: Vec<Option<Expr>>,
    pub by_pos: &'a FxHashMap<usize, u32>,
    pub own: &'a FxHashSet<ColId>,
}

impl Planner<'_> {
    /// What `conds`, all together, make of the index.
    fn arm(&self, t: &Target, conds: &[&Expr]) -> Arm {
        let mut arm = Arm::default();
        let is_value = |e: &Expr| {
            !is_volatile(e) && !expr_free(e).iter().any(|c| t.own.contains(c) || t.own.contains(&self.slot_of(*c)))
        };
        for (ci, col) in t.lay.cols.iter().enumerate() {
            if !key::is_orderable(col.ty) {
                break;
            }
            let slot = col.attr.and_then(|a| t.by_pos.get(&a).copied());
            let is_key = |e: &Expr| match (e, slot) {
                (Expr::Col(c, _), Some(s)) => self.slot_of(*c) == s,
                (e, None) => {
                    t.exprs.get(ci).and_then(|x| x.as_ref()).is_some_and(|x| same_expr(e, x, &|c| self.slot_of(c)))
                }
                _ => false,
            };
            let (mut eq, mut range, mut several) = (None, Vec::new(), None);
            for (i, c) in conds.iter().enumerate() {
                let Some((s, exact)) = sargs(c, &is_key, &is_value, col.ty) else { continue };
                for s in s {
                    match s {
                        Sarg::Eq(e) => eq = Some((PartIr::Eq(e), i, exact)),
                        Sarg::In(l) if eq.is_none() => eq = Some((PartIr::In(l), i, exact)),
                        Sarg::Any(a) if eq.is_none() => eq = Some((PartIr::Any(a), i, exact)),
                        Sarg::IsNull if eq.is_none() => eq = Some((PartIr::Null, i, exact)),
                        Sarg::Lo(e, incl) => range.push((true, e, incl, i, exact)),
                        Sarg::Hi(e, incl) => range.push((false, e, incl, i, exact)),
                        Sarg::Ranges(r) => several = Some((r, i)),
                        _ => {}
                    }
                }
            }
            if let Some((p, i, exact)) = eq {
                arm.push(p, i, exact);
                continue;
            }
            if range.is_empty()
                && let Some((r, i)) = several
            {
                arm.or = r;
                arm.used.push(i);
                if !arm.open {
                    arm.consumed.push(i);
                }
                break;
            }
            let mut left_out = Vec::new();
            for (is_lo, e, incl, i, exact) in range {
                let side = if is_lo { &mut arm.lo } else { &mut arm.hi };
                if side.is_some() {
                    left_out.push(i);
                    continue;
                }
                *side = Some((e, incl));
                arm.used.push(i);
                if exact && !arm.open {
                    arm.consumed.push(i);
                }
            }
            // A condition that gave both ends is exact only when both were taken.
            arm.consumed.retain(|i| !left_out.contains(i));
            break;
        }
        arm
    }
    /// What the conditions make of an index: all of them together, then with each choice among them taken apart.
    pub(super) fn index_bounds(
        &self,
        t: &Target,
        conds: &[Expr],
        choices: &[(usize, Vec<Vec<Expr>>)],
    ) -> Vec<IndexBounds> {
        let all: Vec<&Expr> = conds.iter().collect();
        let plain = IndexBounds::one(self.arm(t, &all));
        let mut out = Vec::new();
        for (at, alternatives) in choices {
            if !plain.used.contains(at) {
                out.extend(self.arms(t, conds, *at, alternatives));
            }
        }
        out.insert(0, plain);
        out
    }
    /// The arms of a choice; None: one of the alternatives is no bound for this index.
    fn arms(&self, t: &Target, conds: &[Expr], at: usize, alternatives: &[Vec<Expr>]) -> Option<IndexBounds> {
        let mut out = IndexBounds { arms: Vec::new(), consumed: Vec::new(), used: vec![at], fixed: usize::MAX };
        let mut exact = true;
        for alt in alternatives {
            let (arm, _, said) = self.alternative(t, conds, at, alt)?;
            exact &= said;
            for i in &arm.used {
                if !out.used.contains(i) {
                    out.used.push(*i);
                }
            }
            match out.arms.first() {
                None => {
                    out.consumed.clone_from(&arm.consumed);
                    out.fixed = arm.parts.iter().take_while(|p| p.single()).count();
                }
                Some(first) => {
                    out.consumed.retain(|i| arm.consumed.contains(i));
                    let slot = |c| self.slot_of(c);
                    let same = |(a, b): &(&PartIr, &PartIr)| match (a, b) {
                        (PartIr::Eq(a), PartIr::Eq(b)) => same_expr(a, b, &slot),
                        (PartIr::Null, PartIr::Null) => true,
                        _ => false,
                    };
                    out.fixed = out.fixed.min(first.parts.iter().zip(&arm.parts).take_while(same).count());
                }
            }
            out.arms.push(arm);
        }
        if exact {
            out.consumed.push(at);
        }
        (!out.arms.is_empty()).then_some(out)
    }
    /// One alternative with the other conditions: its arm, which of its own conditions that uses, and whether it says all of it; None: it bounds nothing
    /// by itself.
    fn alternative(&self, t: &Target, conds: &[Expr], at: usize, alt: &[Expr]) -> Option<(Arm, Vec<Expr>, bool)> {
        let others: Vec<usize> = (0..conds.len()).filter(|i| *i != at).collect();
        let list: Vec<&Expr> = alt.iter().chain(others.iter().filter_map(|i| conds.get(*i))).collect();
        let mut arm = self.arm(t, &list);
        let own: Vec<Expr> = arm.used.iter().filter_map(|i| alt.get(*i).cloned()).collect();
        if own.is_empty() {
            return None;
        }
        let exact = (0..alt.len()).all(|i| arm.consumed.contains(&i));
        for v in [&mut arm.consumed, &mut arm.used] {
            let theirs = v.iter().filter_map(|i| others.get(i.checked_sub(alt.len())?).copied()).collect();
            *v = theirs;
        }
        Some((arm, own, exact))
    }
    /// The choices among the conditions: their place, and their alternatives as lists of conditions that hold together.
    pub(super) fn choices(&self, conds: &[Expr]) -> Vec<(usize, Vec<Vec<Expr>>)> {
        let of = |(i, c): (usize, &Expr)| {
            let choice = matches!(c, Expr::Or(_))
                || matches!(c, Expr::RowCompare { op: CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge, .. });
            let mut alternatives = choice.then(|| alternatives(c))?;
            if alternatives.len() < 2 || is_volatile(c) {
                return None;
            }
            alternatives.retain(|a| !a.iter().any(|x| never(x) || conds.iter().any(|y| self.excludes(y, x))));
            Some((i, alternatives))
        };
        conds.iter().enumerate().filter_map(of).collect()
    }
    /// Does `k = v` say that `x`, `k > v` or `k < v`, does not hold? (`s = 'a' AND (s, b) > ('a', 2)` has an alternative like that.)
    fn excludes(&self, eq: &Expr, x: &Expr) -> bool {
        let (Expr::Call { f, args, .. }, Expr::Call { f: g, args: other, .. }) = (eq, x) else { return false };
        let strict = matches!(expr::cmp_of(g), Some(CmpOp::Lt | CmpOp::Gt));
        let slot = |c| self.slot_of(c);
        let same = || args.iter().zip(other).all(|(a, b)| same_expr(a, b, &slot));
        strict && expr::cmp_of(f) == Some(CmpOp::Eq) && args.len() == 2 && other.len() == 2 && same()
    }
    /// For each alternative of a choice the index that leaves the fewest rows; None: one has none.
    pub(super) fn union_parts(
        &mut self,
        table: &pamir_catalog::Table,
        targets: &[(usize, Target)],
        conds: &[Expr],
        choice: &(usize, Vec<Vec<Expr>>),
        rows: f64,
    ) -> Option<Vec<UnionPart>> {
        let mut parts = Vec::new();
        if choice.1.is_empty() {
            return None;
        }
        for alt in &choice.1 {
            let mut best: Option<UnionPart> = None;
            for (index, t) in targets {
                let Some((arm, mut used, _)) = self.alternative(t, conds, choice.0, alt) else { continue };
                used.extend(arm.used.iter().filter_map(|i| conds.get(*i).cloned()));
                let bounds = IndexBounds::one(arm);
                let n = self.entries_in(table, *index, &bounds, &used, rows).max(1.0);
                if best.as_ref().is_none_or(|b| n < b.rows) {
                    best = Some(UnionPart { index: *index, bounds, rows: n });
                }
            }
            parts.push(best?);
        }
        Some(parts)
    }
    pub(super) fn compile_bounds(&mut self, b: &IndexBounds, point: bool) -> Result<Bounds> {
        b.bounds(point, &mut |e| self.compile(e))
    }
}

/// A condition that no row meets.
fn never(e: &Expr) -> bool {
    matches!(e, Expr::Const(Datum::Bool(false) | Datum::Null, _))
}
/// A condition as alternatives of conditions that hold together; itself, where it is no choice or has too many.
fn alternatives(c: &Expr) -> Vec<Vec<Expr>> {
    let split = match c {
        Expr::Or(v) => {
            let mut out = Vec::new();
            for x in v {
                out.extend(alternatives(x));
                if out.len() > MAX_ARMS {
                    break;
                }
            }
            Some(out)
        }
        Expr::And(v) => {
            let mut out = vec![Vec::new()];
            for x in v {
                let more = alternatives(x);
                if out.len().saturating_mul(more.len()) > MAX_ARMS {
                    out = Vec::new();
                    break;
                }
                let with =
                    |o: &Vec<Expr>| more.iter().map(|m| o.iter().chain(m).cloned().collect()).collect::<Vec<_>>();
                out = out.iter().flat_map(with).collect();
            }
            Some(out)
        }
        Expr::RowCompare { op, pairs, eqs, lts } => row_alternatives(*op, pairs, eqs, lts),
        _ => None,
    };
    match split {
        Some(v) if !v.is_empty() && v.len() <= MAX_ARMS => v,
        _ => vec![vec![c.clone()]],
    }
}
type Fun2 = pamir_expr::func::FunctionRef;
/// `(a, b) > (x, y)` is `a > x OR a = x AND b > y`.
fn row_alternatives(op: CmpOp, pairs: &[(Expr, Expr)], eqs: &[Fun2], lts: &[Fun2]) -> Option<Vec<Vec<Expr>>> {
    let (strict, last) = match op {
        CmpOp::Lt => ("<", "<"),
        CmpOp::Le => ("<", "<="),
        CmpOp::Gt => (">", ">"),
        CmpOp::Ge => (">", ">="),
        CmpOp::Eq | CmpOp::Ne => return None,
    };
    let call =
        |f: &Fun2, (a, b): &(Expr, Expr)| Expr::Call { f: f.clone(), args: vec![a.clone(), b.clone()], ty: Type::BOOL };
    let mut out = Vec::new();
    let mut equal: Vec<Expr> = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        let name = if i + 1 == pairs.len() { last } else { strict };
        let mut alt = equal.clone();
        alt.push(call(&named_like(lts.get(i)?, name)?, pair));
        out.push(alt);
        equal.push(call(eqs.get(i)?, pair));
    }
    Some(out)
}
/// The operator of another name for the same types.
fn named_like(f: &Fun2, name: &str) -> Option<Fun2> {
    let o = expr::operator_of(f)?;
    if o.name == name {
        return Some(f.clone());
    }
    let same = |x: &&pamir_expr::func::Operator| x.name == name && x.left == o.left && x.right == o.right;
    pamir_expr::func::all_operators().iter().find(same).map(|x| x.f.clone())
}
