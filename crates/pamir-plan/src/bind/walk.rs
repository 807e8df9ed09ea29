//! Walks over the expressions of a bound relation.
use super::group::children_mut;
use pamir_expr::ir::{ColId, Expr, ModifyOp, Rel, SubqueryKind};

/// Renames columns that a relation takes from outside (its own keep their ids).
pub(in crate::bind) fn rename(rel: &mut Rel, to: &dyn Fn(ColId) -> ColId) {
    exprs_mut(rel, &mut |e| rename_expr(e, to));
}

fn rename_expr(e: &mut Expr, to: &dyn Fn(ColId) -> ColId) {
    match e {
        Expr::Col(id, _) => *id = to(*id),
        Expr::Subquery(s) => {
            for o in &mut s.outer {
                *o = to(*o);
            }
            rename(&mut s.rel, to);
            if let SubqueryKind::Any { left, .. } | SubqueryKind::All { left, .. } = &mut s.kind {
                left.iter_mut().for_each(|e| rename_expr(e, to));
            }
            return;
        }
        _ => {}
    }
    let _ = children_mut(e, &mut |c| {
        rename_expr(c, to);
        Ok(())
    });
}

/// Every expression of a relation, nested relations included.
pub(in crate::bind) fn exprs_mut(rel: &mut Rel, f: &mut dyn FnMut(&mut Expr)) {
    match rel {
        Rel::One | Rel::Table { .. } | Rel::Virtual { .. } | Rel::CteScan { .. } | Rel::WorkTable { .. } => {}
        Rel::Values { rows, .. } => rows.iter_mut().flatten().for_each(f),
        Rel::FunctionScan { args, .. } => args.iter_mut().for_each(f),
        Rel::Join { left, right, on, .. } => {
            exprs_mut(left, f);
            exprs_mut(right, f);
            on.iter_mut().for_each(f);
        }
        Rel::Filter { input, cond } => {
            exprs_mut(input, f);
            f(cond);
        }
        Rel::Project { input, exprs } => {
            exprs_mut(input, f);
            exprs.iter_mut().for_each(|e| f(&mut e.0));
        }
        Rel::Aggregate { input, groups, aggs, .. } => {
            exprs_mut(input, f);
            groups.iter_mut().for_each(|g| f(&mut g.0));
            for a in aggs {
                a.args.iter_mut().for_each(&mut *f);
                a.order_by.iter_mut().for_each(|k| f(&mut k.e));
                a.filter.iter_mut().for_each(&mut *f);
            }
        }
        Rel::Sort { input, keys } => {
            exprs_mut(input, f);
            keys.iter_mut().for_each(|k| f(&mut k.e));
        }
        Rel::Limit { input, limit, offset, .. } => {
            exprs_mut(input, f);
            limit.iter_mut().for_each(&mut *f);
            offset.iter_mut().for_each(f);
        }
        Rel::Distinct { input, on } => {
            exprs_mut(input, f);
            on.iter_mut().flatten().for_each(f);
        }
        Rel::SetOp { left, right, .. } => {
            exprs_mut(left, f);
            exprs_mut(right, f);
        }
        Rel::Modify(m, _) => match &mut m.op {
            ModifyOp::Insert { source, .. } | ModifyOp::Update { source, .. } | ModifyOp::Delete { source, .. } => {
                exprs_mut(source, f)
            }
        },
        Rel::Window { input, calls } => {
            exprs_mut(input, f);
            calls.iter_mut().for_each(|c| c.exprs_mut(f));
        }
        Rel::LockRows { input, .. } => exprs_mut(input, f),
        Rel::With { input, defs } => {
            defs.iter_mut().for_each(|d| exprs_mut(&mut d.cte.rel, f));
            exprs_mut(input, f);
        }
    }
}
