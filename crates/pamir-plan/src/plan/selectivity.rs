//! How many rows conditions leave: sizes of tables, distinct values, and PostgreSQL's estimates from most common values and histograms.
use super::strip::{strip, strip_key};
use super::*;
use pamir_catalog::IndexColumn;

/// IN lists up to this length are estimated element by element.
const EXACT_IN_LIST: usize = 100;
/// Shorter histograms say nothing about a pattern.
const LEAST_FOR_PATTERNS: usize = 10;
/// Rows taken to share one value of an index's first column while the table was never analyzed.
pub(super) const ROWS_PER_INDEXED_VALUE: f64 = 10.0;

impl Planner<'_> {
    /// (rows, leaf pages, height)
    pub fn table_size(&mut self, tree: u64) -> (f64, f64, f64) {
        if let Some(s) = self.size_cache.get(&tree) {
            return *s;
        }
        let (pages, height) = self.sizes.pages(tree);
        let s = ((self.sizes.entries(tree) as f64).max(1.0), (pages as f64).max(1.0), height as f64);
        self.size_cache.insert(tree, s);
        s
    }
    /// Distinct values of an expression, when anything is known.
    pub fn distinct(&mut self, e: &Expr) -> Option<f64> {
        let Expr::Col(c, _) = strip_key(e) else { return None };
        if self.given.contains(c) {
            return None;
        }
        let slot = self.slot_of(*c);
        let (t, col) = self.origin.get(&slot).cloned()?;
        let rows = self.table_size(t.tree).0;
        let unique = t.indexes.iter().any(|i| {
            i.is_unique()
                && t.is_readable(i)
                && i.predicate.is_none()
                && matches!(i.columns.as_slice(), [(IndexColumn::Attr(a), _)] if (*a - 1) as usize == col)
        });
        if unique || col == ROW_KEY {
            return Some(rows);
        }
        let Some(s) = t.stats.as_ref().and_then(|s| s.columns.iter().find(|s| (s.0 - 1) as usize == col)) else {
            // Never analyzed. Somebody made an index on it, so its values tell rows apart well.
            let leads = t.indexes.iter().any(|i| {
                i.predicate.is_none()
                    && i.sorts()
                    && matches!(i.columns.first(), Some((IndexColumn::Attr(a), _)) if (*a - 1) as usize == col)
            });
            return leads.then(|| (rows / ROWS_PER_INDEXED_VALUE).max(1.0));
        };
        let d = s.1.n_distinct as f64;
        Some(if d < 0.0 { (-d * rows).max(1.0) } else { d.max(1.0) })
    }
    /// The statistics of the column that `e` is: its table, its type and where they are in the table's.
    fn column_stats(&mut self, e: &Expr) -> Option<(Arc<Table>, Type, usize)> {
        let Expr::Col(c, _) = strip_key(e) else { return None };
        let slot = self.slot_of(*c);
        let (t, col) = self.origin.get(&slot).cloned()?;
        let at = t.stats.as_ref()?.columns.iter().position(|s| (s.0 - 1) as usize == col)?;
        let ty = t.columns.get(col)?.ty;
        Some((t, ty, at))
    }
    /// The part of the rows in which the column that `e` is is NULL.
    fn nulls(&mut self, e: &Expr) -> Option<f64> {
        let (t, _, at) = self.column_stats(e)?;
        Some(t.stats.as_ref()?.columns.get(at)?.1.null_frac as f64)
    }
    /// What the expression is now, for an estimate: a constant, or what gives the same value for all of a statement.
    pub(super) fn value_now(&mut self, e: &Expr) -> Option<(Datum, Type)> {
        let varies = |x: &Expr| matches!(x, Expr::Param(..) | Expr::Col(..) | Expr::Subquery(_) | Expr::Default);
        match e {
            Expr::Const(d, ty) => Some((d.clone(), *ty)),
            // An error is for the rows that meet it.
            e if !expr::any(e, &varies) && !is_volatile(e) => {
                Some((pamir_expr::expr::eval_const(e, &[], &mut self.moment).ok()?, e.ty()))
            }
            _ => None,
        }
    }
    /// `col op constant` by the column's most common values and histogram (PostgreSQL's eqsel and scalarineqsel). None: nothing is known.
    fn stats_selectivity(&mut self, op: CmpOp, a: &Expr, b: &Expr) -> Option<f64> {
        if let Expr::Col(..) = strip_key(b)
            && !matches!(strip_key(a), Expr::Col(..))
        {
            return self.stats_selectivity(op.flipped(), b, a);
        }
        let (t, ty, at) = self.column_stats(a)?;
        let (d, cty) = &self.value_now(b)?;
        if let (oid::DATE, Datum::Timestamp(t) | Datum::TimestampTz(t)) = (ty.oid, d) {
            // With a time zone: its day in UTC is near enough.
            let day = Datum::Date(pamir_expr::func::casts::ts_to_date(*t));
            return self.stats_selectivity(op, a, &Expr::Const(day, Type::new(oid::DATE)));
        }
        let s = &t.stats.as_ref()?.columns.get(at)?.1;
        if d.is_null() || !hash_compatible(*cty, ty) {
            return None;
        }
        let pamir_expr::ranges::Fit::Value(d) = pamir_expr::ranges::fit(d.clone(), ty) else { return None };
        let common: f64 = s.mcv.iter().map(|m| m.1 as f64).sum();
        let rest = (1.0 - s.null_frac as f64 - common).max(0.0);
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            // Values that are equal need not have the same bytes (char(n), numeric).
            let equal =
                |v: &[u8]| pamir_types::row::decode_value(v, ty).is_ok_and(|v| expr::compare(&v, &d, ty).is_eq());
            let eq = match s.mcv.iter().find(|m| equal(&m.0)) {
                Some(m) => m.1 as f64,
                None => {
                    let distinct = self.distinct(a)?;
                    rest / (distinct - s.mcv.len() as f64).max(1.0)
                }
            };
            return Some(if op == CmpOp::Eq { eq } else { (1.0 - s.null_frac as f64 - eq).max(0.0) });
        }
        if s.mcv.is_empty() && s.histogram.len() < 2 {
            return None;
        }
        let order = |v: &[u8]| pamir_types::row::decode_value(v, ty).ok().map(|v| expr::compare(&v, &d, ty));
        let holds = |o: std::cmp::Ordering| match op {
            CmpOp::Lt => o.is_lt(),
            CmpOp::Le => o.is_le(),
            CmpOp::Gt => o.is_gt(),
            _ => o.is_ge(),
        };
        let of_common: f64 = s.mcv.iter().filter(|m| order(&m.0).is_some_and(holds)).map(|m| m.1 as f64).sum();
        // Without a histogram the rest is taken to be spread like the common values.
        let below = if s.histogram.len() < 2 {
            0.5
        } else {
            let n = s.histogram.partition_point(|v| order(v).is_some_and(|o| o.is_lt()));
            if n == 0 {
                0.0
            } else if n == s.histogram.len() {
                1.0
            } else {
                // A bucket's values are taken to be spread evenly between its ends.
                let end = |i: usize| pamir_types::row::decode_value(s.histogram.get(i)?, ty).ok();
                let within = end(n - 1).zip(end(n)).map_or(0.5, |(a, b)| place(&a, &b, &d));
                ((n - 1) as f64 + within) / (s.histogram.len() - 1) as f64
            }
        };
        let of_rest = if matches!(op, CmpOp::Lt | CmpOp::Le) { below } else { 1.0 - below };
        Some((of_common + rest * of_rest).clamp(1e-6, 1.0))
    }
    pub fn selectivity(&mut self, e: &Expr) -> f64 {
        match e {
            Expr::Const(Datum::Bool(true), _) => 1.0,
            Expr::Const(..) => 0.0,
            Expr::And(v) => self.selectivity_all(v),
            Expr::Or(v) => 1.0 - v.iter().map(|e| 1.0 - self.selectivity(e)).product::<f64>(),
            Expr::Not(x) => 1.0 - self.selectivity(x),
            Expr::IsNull(x, negated) => {
                let nulls = self.nulls(x).unwrap_or(0.005);
                if *negated { 1.0 - nulls } else { nulls }
            }
            Expr::InList { e, list, .. } if list.len() <= EXACT_IN_LIST && self.column_stats(e).is_some() => {
                let other = self.distinct(e).map_or(0.005, |d| 1.0 / d);
                let each = list.iter().map(|x| self.stats_selectivity(CmpOp::Eq, e, x).unwrap_or(other));
                each.sum::<f64>().min(1.0)
            }
            Expr::InList { e, list, .. } => {
                let one = self.distinct(e).map_or(0.005, |d| 1.0 / d);
                (one * list.len() as f64).min(1.0)
            }
            // (a, b) < (x, y) is about a < x.
            Expr::RowCompare { op: op @ (CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge), pairs, .. } => {
                pairs.first().and_then(|(a, b)| self.stats_selectivity(*op, a, b)).unwrap_or(0.3333)
            }
            Expr::AnyAll { left, .. } => (self.distinct(left).map_or(0.005, |d| 1.0 / d) * 10.0).min(1.0),
            Expr::Call { f, args, .. } => {
                let [a, b] = args.as_slice() else { return 0.3333 };
                let op = expr::cmp_of(f);
                if let Some(s) = op.and_then(|op| self.stats_selectivity(op, a, b)) {
                    return s;
                }
                match op {
                    Some(CmpOp::Eq) => match (self.distinct(a), self.distinct(b)) {
                        (Some(x), Some(y)) => 1.0 / x.max(y),
                        (Some(x), None) | (None, Some(x)) => 1.0 / x,
                        _ => 0.005,
                    },
                    Some(CmpOp::Ne) => {
                        let equal = self
                            .distinct(a)
                            .into_iter()
                            .chain(self.distinct(b))
                            .reduce(f64::max)
                            .map_or(0.005, |d| 1.0 / d);
                        (1.0 - equal).max(0.005)
                    }
                    Some(_) => 0.3333,
                    None if let Some(s) = self.matches(f, a, b) => s,
                    None => match expr::operator_of(f).map(|o| &*o.name) {
                        Some("~~" | "~~*" | "~" | "~*") => 0.05,
                        Some("!~~" | "!~~*" | "!~" | "!~*") => 0.95,
                        _ => 0.3333,
                    },
                }
            }
            _ => 0.5,
        }
    }
    /// `column LIKE pattern` and its like: how many of the column's most common values, and of the ends of its histogram's buckets, do (PostgreSQL's patternsel).
    fn matches(&mut self, f: &pamir_expr::func::Function, a: &Expr, b: &Expr) -> Option<f64> {
        let operator = &expr::operator_of(f)?.name;
        let (Expr::Const(pattern, pty), pamir_expr::func::Body::Scalar(eval)) = (b, &f.body) else { return None };
        if !operator.trim_start_matches('!').starts_with('~') || !f.strict || f.args.len() != 2 || pattern.is_null() {
            return None;
        }
        let (t, ty, at) = self.column_stats(a)?;
        let s = &t.stats.as_ref()?.columns.get(at)?.1;
        let info = pamir_expr::func::CallInfo { arg_types: &[a.ty(), *pty], ret: Type::BOOL };
        let holds = |v: &[u8]| {
            let v = pamir_types::row::decode_value(v, ty).ok()?;
            match eval.call(&info, &[v, pattern.clone()], &mut pamir_expr::no_session::NoSession::empty()) {
                Ok(Datum::Bool(yes)) => Some(yes),
                _ => None,
            }
        };
        let (mut common, mut of_common) = (0.0, 0.0);
        for m in &s.mcv {
            common += m.1 as f64;
            of_common += if holds(&m.0)? { m.1 as f64 } else { 0.0 };
        }
        let others = if s.histogram.len() < LEAST_FOR_PATTERNS {
            if operator.starts_with('!') { 0.95 } else { 0.05 }
        } else {
            let mut n = 0;
            for v in &s.histogram {
                n += usize::from(holds(v)?);
            }
            (n as f64 / s.histogram.len() as f64).clamp(0.0001, 0.9999)
        };
        Some((of_common + (1.0 - s.null_frac as f64 - common).max(0.0) * others).clamp(0.0, 1.0))
    }
    /// All conditions together: two ends of a range on one column count once.
    pub fn selectivity_all(&mut self, conds: &[Expr]) -> f64 {
        let mut out = 1.0;
        // (column, upper end?, what statistics say of it)
        let mut ranged: Vec<(ColId, bool, Option<f64>)> = Vec::new();
        for c in conds {
            if let Expr::Call { f, args, .. } = c
                && let Some(op @ (CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge)) = expr::cmp_of(f)
                && let [a, b] = args.as_slice()
                && let Expr::Col(id, _) = strip(a)
            {
                let up = matches!(op, CmpOp::Lt | CmpOp::Le);
                let known = self.stats_selectivity(op, a, b);
                // Neither end holds where the column is NULL: counted twice by the sum below.
                let nulls = self.nulls(a).unwrap_or(0.0);
                if let Some(other) = ranged.iter().find(|r| r.0 == *id && r.1 != up) {
                    out *= match (other.2, known) {
                        (Some(x), Some(y)) => (x + y + nulls - 1.0).max(1e-6) / x.max(1e-6),
                        _ => 0.005 / 0.3333,
                    };
                    continue;
                }
                ranged.push((*id, up, known));
            }
            out *= self.selectivity(c);
        }
        out
    }
}

/// Where `d` lies between `a` and `b`: 0 to 1.
fn place(a: &Datum, b: &Datum, d: &Datum) -> f64 {
    let (Some(a), Some(b), Some(d)) = (scalar(a), scalar(b), scalar(d)) else {
        return match (a, b, d) {
            (Datum::Text(a), Datum::Text(b), Datum::Text(d)) => text_place(a, b, d),
            _ => 0.5,
        };
    };
    if b > a { ((d - a) / (b - a)).clamp(0.0, 1.0) } else { 0.5 }
}
fn scalar(d: &Datum) -> Option<f64> {
    Some(match d {
        Datum::Int2(v) => f64::from(*v),
        Datum::Int4(v) | Datum::Date(v) => f64::from(*v),
        Datum::Int8(v) | Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => *v as f64,
        Datum::Oid(v) => f64::from(*v),
        Datum::Float4(v) => f64::from(*v),
        Datum::Float8(v) => *v,
        Datum::Numeric(n) => n.to_f64(),
        _ => return None,
    })
    .filter(|v: &f64| v.is_finite())
}
/// By the bytes that follow what the ends have in common.
fn text_place(a: &str, b: &str, d: &str) -> f64 {
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let number = |s: &str| {
        let at = |i: usize| f64::from(s.as_bytes().get(shared + i).copied().unwrap_or(0));
        (0..6).fold(0.0, |n, i| n * 256.0 + at(i))
    };
    let (a, b, d) = (number(a), number(b), number(d));
    if b > a { ((d - a) / (b - a)).clamp(0.0, 1.0) } else { 0.5 }
}
