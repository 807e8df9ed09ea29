//! Parameters' values put into a statement, for a plan of these values alone.
use super::*;

/// Puts `values` in place of `$1..`, folded into what they stand in: `$1 IS NULL OR a = $1` becomes `a = 7`.
pub fn give(stmt: &mut BoundStatement, values: &[Datum]) {
    for c in &mut stmt.ctes {
        within(&mut c.rel, values);
    }
    let select = match std::mem::replace(&mut stmt.kind, BoundKind::Select(Rel::One)) {
        BoundKind::Select(mut r) => {
            within(&mut r, values);
            BoundKind::Select(r)
        }
        BoundKind::Modify(m) => {
            let mut r = Rel::Modify(Box::new(m), Vec::new());
            within(&mut r, values);
            match r {
                Rel::Modify(m, _) => BoundKind::Modify(*m),
                r => BoundKind::Select(r),
            }
        }
    };
    stmt.kind = select;
    stmt.beside.iter_mut().for_each(|(_, other)| give(other, values));
}
fn within(r: &mut Rel, values: &[Datum]) {
    all_exprs_mut(r, &mut |e| {
        put(e, values);
        fold::fold(e);
    });
}
fn put(e: &mut Expr, values: &[Datum]) {
    match e {
        Expr::Param(n, ty) => {
            if let Some(v) = values.get(usize::from(*n)) {
                *e = Expr::Const(v.clone(), *ty);
            }
            return;
        }
        Expr::Subquery(s) => within(&mut Arc::make_mut(s).rel, values),
        _ => {}
    }
    expr::children_mut(e, &mut |x| put(x, values));
}

/// What a plan does, without what it is compared with: two plans of one statement with the same shape do the same work in the same way.
pub fn shape(plan: &Plan) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut h = rustc_hash::FxHasher::default();
    fn node(n: &PNode, h: &mut rustc_hash::FxHasher) {
        std::mem::discriminant(&n.kind).hash(h);
        if let Kind::Scan(s) = &n.kind {
            let ends = (s.bounds.parts.len(), s.bounds.lo.is_some(), s.bounds.hi.is_some(), s.bounds.or.len());
            let union: Vec<usize> = s.union.iter().map(|u| u.0).collect();
            let inverted = s.inverted.as_ref().map(|i| (i.index, i.asks.len()));
            (s.table.oid, s.index, s.clustered, s.only, s.dir as u8, s.places.is_some(), inverted, union, ends).hash(h);
        }
        let inputs = n.inputs();
        inputs.len().hash(h);
        inputs.into_iter().for_each(|i| node(i, h));
    }
    node(&plan.root.node, &mut h);
    plan.root.subs.iter().for_each(|s| node(&s.node, &mut h));
    plan.root.ctes.iter().flatten().for_each(|c| node(&c.node, &mut h));
    h.finish()
}
