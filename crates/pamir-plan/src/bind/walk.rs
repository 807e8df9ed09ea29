//! Renaming in a bound relation.
use pamir_expr::expr::children_mut;
use pamir_expr::ir::{ColId, Expr, Rel};
use pamir_expr::rels::all_exprs_mut;
use std::sync::Arc;

/// Renames columns that a relation takes from outside (its own keep their ids).
pub(in crate::bind) fn rename(rel: &mut Rel, to: &dyn Fn(ColId) -> ColId) {
    all_exprs_mut(rel, &mut |e| rename_expr(e, to));
}

fn rename_expr(e: &mut Expr, to: &dyn Fn(ColId) -> ColId) {
    match e {
        Expr::Col(id, _) => *id = to(*id),
        Expr::Subquery(s) => {
            let s = Arc::make_mut(s);
            s.outer.iter_mut().for_each(|o| *o = to(*o));
            rename(&mut s.rel, to);
        }
        _ => {}
    }
    children_mut(e, &mut |c| rename_expr(c, to));
}
