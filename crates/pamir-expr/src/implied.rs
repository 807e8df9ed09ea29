//! Whether conditions that hold imply another: may a partial index serve a query (the rules of PostgreSQL's predtest.c that indexes meet).
//!
//! ```text
//!   known:  price > 20  AND  status IN ('new', 'paid')        wanted:  price >= 10 AND status <> 'gone' AND price IS NOT NULL
//! ```
//! Only what is proved counts: false means "not known". An AND is implied by what implies each part; an OR, or IN list, by what implies one; an OR that is
//! known implies what each of its arms implies. Constants are such after folding, which is the caller's. Comparisons of one expression with constants follow from each other by their order. What is NULL fails:
//! a strict comparison says that its arguments are not. Lists longer than [`MAX_LIST`] prove nothing.
use crate::expr;
use crate::ir::{CastHow, CmpOp, Expr};
use pamir_types::{Datum, Type};
use std::cmp::Ordering;
use std::slice::from_ref;

/// Items of a list up to which each is looked at (MAX_SAOP_ARRAY_SIZE).
const MAX_LIST: usize = 100;

/// `same`: whether two expressions are one, in whatever way the caller names columns.
pub struct Prover<'a> {
    pub same: &'a dyn Fn(&Expr, &Expr) -> bool,
}

/// `x op constant`.
struct Comparison<'e> {
    op: CmpOp,
    x: &'e Expr,
    value: &'e Datum,
    ty: Type,
}
impl Comparison<'_> {
    /// How two constants compare that are compared with one expression; None: by different rules, or NULL.
    fn order(&self, other: &Comparison) -> Option<Ordering> {
        if self.value.is_null() || other.value.is_null() {
            return None;
        }
        match (expr::int_of(self.value), expr::int_of(other.value)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ if self.ty.oid == other.ty.oid => Some(expr::compare(self.value, other.value, self.ty)),
            _ => None,
        }
    }
    /// Does `self` imply `want`, both about one expression?
    fn implies(&self, want: &Comparison) -> bool {
        use CmpOp::*;
        let Some(o) = self.order(want) else { return false };
        match (self.op, want.op) {
            (Eq, op) => expr::holds(op, o),
            (Ne, Ne) => o.is_eq(),
            (Lt, Lt | Le | Ne) => o.is_le(),
            (Le, Le) => o.is_le(),
            (Le, Lt | Ne) => o.is_lt(),
            (Gt, Gt | Ge | Ne) => o.is_ge(),
            (Ge, Ge) => o.is_ge(),
            (Ge, Gt | Ne) => o.is_gt(),
            _ => false,
        }
    }
}

fn comparison(e: &Expr) -> Option<Comparison<'_>> {
    let Expr::Call { f, args, .. } = e else { return None };
    let op = expr::cmp_of(f)?;
    match args.as_slice() {
        [x, Expr::Const(value, ty)] => Some(Comparison { op, x, value, ty: *ty }),
        [Expr::Const(value, ty), x] => Some(Comparison { op: op.flipped(), x, value, ty: *ty }),
        _ => None,
    }
}
fn constants(list: &[Expr]) -> Option<Vec<(&Datum, Type)>> {
    if list.len() > MAX_LIST {
        return None;
    }
    list.iter().map(|x| if let Expr::Const(d, t) = x { Some((d, *t)) } else { None }).collect()
}
/// The values that `x` is one of: an IN list, or `= ANY` of an array, of constants.
fn one_of(e: &Expr) -> Option<(&Expr, Vec<(&Datum, Type)>)> {
    match e {
        Expr::InList { e, list, .. } => Some((e, constants(list)?)),
        Expr::AnyAll { op, left, array, all: false } if expr::cmp_of(op) == Some(CmpOp::Eq) => match &**array {
            Expr::Array(list, _) => Some((left, constants(list)?)),
            Expr::Const(Datum::Array(a), t) => {
                let t = t.element().filter(|_| a.items.len() <= MAX_LIST)?;
                Some((left, a.items.iter().map(|d| (d, t)).collect()))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Prover<'_> {
    /// Do the conditions `known`, which all hold, imply `want`?
    pub fn implied(&self, want: &Expr, known: &[Expr]) -> bool {
        match want {
            Expr::And(parts) => parts.iter().all(|w| self.implied(w, known)),
            Expr::Or(arms) if arms.iter().any(|w| self.implied(w, known)) => true,
            _ => known.iter().any(|k| self.follows(want, k)),
        }
    }
    /// Does `known` alone imply `want`?
    fn follows(&self, want: &Expr, known: &Expr) -> bool {
        if (self.same)(known, want) {
            return true;
        }
        match known {
            Expr::And(parts) => return self.implied(want, parts),
            Expr::Or(arms) => return !arms.is_empty() && arms.iter().all(|k| self.implied(want, from_ref(k))),
            _ => {}
        }
        if let Some((x, values)) = one_of(known) {
            // NULL in the list never makes it true.
            let mut each = values.iter().filter(|v| !v.0.is_null());
            let equal =
                |(value, ty): &(&Datum, Type)| self.compared(want, &Comparison { op: CmpOp::Eq, x, value, ty: *ty });
            return self.not_null(want, known) || each.clone().next().is_some() && each.all(equal);
        }
        match comparison(known) {
            Some(k) if self.compared(want, &k) => true,
            _ => self.truth(want, known) || self.not_null(want, known),
        }
    }
    /// From a comparison with a constant.
    fn compared(&self, want: &Expr, k: &Comparison) -> bool {
        match want {
            Expr::And(parts) => return parts.iter().all(|w| self.compared(w, k)),
            Expr::Or(arms) => return arms.iter().any(|w| self.compared(w, k)),
            _ => {}
        }
        if let Some((x, values)) = one_of(want) {
            let among = |(value, ty): (&Datum, Type)| k.implies(&Comparison { op: CmpOp::Eq, x, value, ty });
            return (self.same)(x, k.x) && values.into_iter().any(among);
        }
        comparison(want).is_some_and(|w| (self.same)(w.x, k.x) && k.implies(&w))
    }
    /// `flag`, `flag IS TRUE` and `flag = true` say the same, as do `NOT flag`, `flag IS FALSE` and `flag = false`.
    fn truth(&self, want: &Expr, known: &Expr) -> bool {
        let (Some((x, yes)), Some((y, no))) = (said(want), said(known)) else { return false };
        yes == no && (self.same)(x, y)
    }
    /// `x IS NOT NULL`, from a condition that would not be true if x were.
    fn not_null(&self, want: &Expr, known: &Expr) -> bool {
        matches!(want, Expr::IsNull(x, true) if self.fails_without(x, known))
    }
    /// Is `e` false or NULL when `x` is NULL?
    fn fails_without(&self, x: &Expr, e: &Expr) -> bool {
        match e {
            Expr::Or(arms) => arms.iter().all(|a| self.fails_without(x, a)),
            Expr::And(parts) => parts.iter().any(|a| self.fails_without(x, a)),
            Expr::AnyAll { op, left, all: false, .. } => op.strict && self.null_with(x, left),
            Expr::IsBool(e, Some(_), false) | Expr::IsNull(e, true) => self.null_with(x, e),
            e => self.null_with(x, e),
        }
    }
    /// Is `e` NULL when `x` is?
    fn null_with(&self, x: &Expr, e: &Expr) -> bool {
        if (self.same)(x, e) {
            return true;
        }
        match e {
            Expr::Call { f, args, .. } => f.strict && !f.body.is_set() && args.iter().any(|a| self.null_with(x, a)),
            Expr::Cast { f: CastHow::Func(f), .. } if !f.strict => false,
            Expr::Cast { e, .. } | Expr::Not(e) | Expr::InList { e, .. } => self.null_with(x, e),
            _ => false,
        }
    }
}
/// A boolean expression and what is said of it.
fn said(e: &Expr) -> Option<(&Expr, bool)> {
    match e {
        // `NOT (x IS TRUE)` says less: x may be NULL.
        Expr::Not(x) if matches!(**x, Expr::IsBool(..)) => None,
        Expr::Not(x) => said(x).map(|(x, yes)| (x, !yes)),
        Expr::IsBool(x, Some(yes), false) => Some((x, *yes)),
        e => match comparison(e) {
            Some(Comparison { op, x, value: Datum::Bool(b), .. }) => match op {
                CmpOp::Eq => Some((x, *b)),
                CmpOp::Ne => Some((x, !*b)),
                _ => None,
            },
            Some(_) => None,
            None => Some((e, true)),
        },
    }
}
