//! Walks over bound expressions.
//!
//! [`children`] and [`children_mut`] are the only places that know which parts an expression has; everything that descends does it by them. None of the walks
//! goes into the relation of a subquery: who means that one too (`rels::deep_cols`) asks for it.
use crate::ir::{ColId, Expr, SubqueryKind};
use std::sync::Arc;

/// The direct parts of an expression, by reference or mutably.
macro_rules! children {
    ($e:expr, $f:expr, $iter:ident, $inside:path $(, $mut:tt)?) => {{
        let f = $f;
        match $e {
            Expr::Const(..) | Expr::Col(..) | Expr::Param(..) | Expr::Default => {}
            Expr::Call { args: v, .. }
            | Expr::And(v)
            | Expr::Or(v)
            | Expr::Coalesce(v, _)
            | Expr::Extreme(v, _, _)
            | Expr::Array(v, _)
            | Expr::Row(v) => v.$iter().for_each(f),
            Expr::Not(x)
            | Expr::IsNull(x, _)
            | Expr::IsBool(x, _, _)
            | Expr::Cast { e: x, .. }
            | Expr::Field { record: x, .. } => f(x),
            Expr::IsDistinct { left: a, right: b, .. }
            | Expr::NullIf { left: a, right: b, .. }
            | Expr::AnyAll { left: a, array: b, .. } => {
                f(a);
                f(b)
            }
            Expr::Case { whens, otherwise, .. } => {
                for (a, b) in whens {
                    f(a);
                    f(b)
                }
                f(otherwise)
            }
            Expr::InList { e: x, list: v, .. } => {
                f(x);
                $inside(v).$iter().for_each(f)
            }
            Expr::Subscript { array: x, index: v, .. } => {
                f(x);
                v.$iter().for_each(f)
            }
            Expr::RowCompare { pairs, .. } => {
                for (a, b) in pairs {
                    f(a);
                    f(b)
                }
            }
            Expr::Subquery(s) => match &$($mut)? $inside(s).kind {
                SubqueryKind::Any { left, .. } | SubqueryKind::All { left, .. } => left.$iter().for_each(f),
                _ => {}
            },
        }
    }};
}
/// Calls `f` for each direct sub-expression (not into subqueries' relations).
pub fn children(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    children!(e, f, iter, Arc::as_ref)
}
/// As [`children`], mutably.
pub fn children_mut(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    children!(e, f, iter_mut, Arc::make_mut, mut)
}
/// Calls `f` for an expression and all within, the outermost first.
pub fn each(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    children(e, &mut |x| each(x, f));
}
/// As [`each`], mutably: what `f` puts in an expression's place is walked too.
pub fn each_mut(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(e);
    children_mut(e, &mut |x| each_mut(x, f));
}
/// Is there an expression within, or this one itself, of which `f` is true?
pub fn any(e: &Expr, f: &dyn Fn(&Expr) -> bool) -> bool {
    let mut yes = f(e);
    children(e, &mut |x| yes = yes || any(x, f));
    yes
}
/// Calls `f` for every column an expression reads, those of its subqueries' outer references included.
pub fn each_col(e: &Expr, f: &mut dyn FnMut(ColId)) {
    match e {
        Expr::Col(c, _) => f(*c),
        Expr::Subquery(s) => s.outer.iter().for_each(|c| f(*c)),
        _ => {}
    }
    children(e, &mut |x| each_col(x, f));
}
