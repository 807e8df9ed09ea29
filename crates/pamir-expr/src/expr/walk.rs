//! Walks over bound expressions.
use crate::ir::{ColId, Expr};

/// Calls `f` for every column an expression reads, those of its subqueries' outer references included.
pub fn each_col(e: &Expr, f: &mut dyn FnMut(ColId)) {
    match e {
        Expr::Col(c, _) => f(*c),
        Expr::Subquery(s) => {
            s.outer.iter().for_each(|c| f(*c));
            if let crate::ir::SubqueryKind::Any { left, .. } | crate::ir::SubqueryKind::All { left, .. } = &s.kind {
                left.iter().for_each(|e| each_col(e, f));
            }
        }
        _ => children(e, &mut |x| each_col(x, f)),
    }
}
/// Calls `f` for each direct sub-expression (not into subqueries' relations).
pub fn children(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    match e {
        Expr::Const(..) | Expr::Col(..) | Expr::Param(..) | Expr::Default => {}
        Expr::Call { args, .. } => args.iter().for_each(f),
        Expr::And(v)
        | Expr::Or(v)
        | Expr::Coalesce(v, _)
        | Expr::Extreme(v, _, _)
        | Expr::Array(v, _)
        | Expr::Row(v) => v.iter().for_each(f),
        Expr::Not(x) | Expr::IsNull(x, _) | Expr::IsBool(x, _, _) => f(x),
        Expr::IsDistinct { left, right, .. } | Expr::NullIf { left, right, .. } => {
            f(left);
            f(right)
        }
        Expr::Case { whens, otherwise, .. } => {
            for (a, b) in whens {
                f(a);
                f(b)
            }
            f(otherwise)
        }
        Expr::Cast { e, .. } => f(e),
        Expr::InList { e, list, .. } => {
            f(e);
            list.iter().for_each(f)
        }
        Expr::AnyAll { left, array, .. } => {
            f(left);
            f(array)
        }
        Expr::RowCompare { pairs, .. } => {
            for (a, b) in pairs {
                f(a);
                f(b)
            }
        }
        Expr::Subscript { array, index, .. } => {
            f(array);
            index.iter().for_each(f)
        }
        Expr::Field { record, .. } => f(record),
        Expr::Subquery(s) => {
            if let crate::ir::SubqueryKind::Any { left, .. } | crate::ir::SubqueryKind::All { left, .. } = &s.kind {
                left.iter().for_each(f)
            }
        }
    }
}
/// As [`children`], mutably.
pub fn children_mut(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match e {
        Expr::Const(..) | Expr::Col(..) | Expr::Param(..) | Expr::Default => {}
        Expr::Call { args, .. } => args.iter_mut().for_each(f),
        Expr::And(v)
        | Expr::Or(v)
        | Expr::Coalesce(v, _)
        | Expr::Extreme(v, _, _)
        | Expr::Array(v, _)
        | Expr::Row(v) => v.iter_mut().for_each(f),
        Expr::Not(x) | Expr::IsNull(x, _) | Expr::IsBool(x, _, _) => f(x),
        Expr::IsDistinct { left, right, .. } | Expr::NullIf { left, right, .. } => {
            f(left);
            f(right)
        }
        Expr::Case { whens, otherwise, .. } => {
            for (a, b) in whens {
                f(a);
                f(b)
            }
            f(otherwise)
        }
        Expr::Cast { e, .. } => f(e),
        Expr::InList { e, list, .. } => {
            f(e);
            list.iter_mut().for_each(f)
        }
        Expr::AnyAll { left, array, .. } => {
            f(left);
            f(array)
        }
        Expr::RowCompare { pairs, .. } => {
            for (a, b) in pairs {
                f(a);
                f(b)
            }
        }
        Expr::Subscript { array, index, .. } => {
            f(array);
            index.iter_mut().for_each(f)
        }
        Expr::Field { record, .. } => f(record),
        Expr::Subquery(s) => {
            if let crate::ir::SubqueryKind::Any { left, .. } | crate::ir::SubqueryKind::All { left, .. } = &mut s.kind {
                left.iter_mut().for_each(f)
            }
        }
    }
}
