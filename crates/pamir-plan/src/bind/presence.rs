//! Whole rows of outer joins' missing sides.
//!
//! `count(t)`, `to_json(t)`, `coalesce(t, ...)` over `... LEFT JOIN t` tell a missing row (NULL) from a row of NULLs. A relation under a nullable side
//! therefore gives one more column, its *presence*: a constant where it has a row, NULL where the join found none. A whole-row reference is
//! `CASE WHEN presence IS NOT NULL THEN ROW(...) END`.
//!
//! The column's number is drawn when the join is bound, so that it counts among its level's columns; the relation is made to give it only when a whole
//! row was read: a table by its tableoid, anything else by a projection over it that adds a constant.
use super::Binder;
use pamir_expr::ir::{ColId, Expr, OutCol, Rel};
use pamir_expr::rels::rel_cols;
use pamir_types::Type;

impl Binder<'_, '_> {
    /// Makes the relations inside `rel` give the presences that were read; those of outer levels stay for them.
    pub(super) fn give_presence(&mut self, rel: &mut Rel) {
        if !self.presences.is_empty() {
            self.presences.retain(|(id, anchor)| !give(rel, *id, *anchor));
        }
    }
}

/// True when `rel` has the relation of `anchor` under a join and gives `id` now.
fn give(rel: &mut Rel, id: ColId, anchor: ColId) -> bool {
    match rel {
        Rel::Join { left, right, .. } => {
            for side in [left, right] {
                if rel_cols(side).iter().any(|c| c.id == anchor) {
                    if !matches!(**side, Rel::Join { .. }) {
                        add(side, id);
                        return true;
                    }
                    return give(side, id, anchor);
                }
            }
            false
        }
        Rel::Filter { input, .. }
        | Rel::Secured { input, .. }
        | Rel::Project { input, .. }
        | Rel::Aggregate { input, .. }
        | Rel::Sort { input, .. }
        | Rel::Limit { input, .. }
        | Rel::Distinct { input, .. }
        | Rel::Window { input, .. }
        | Rel::LockRows { input, .. } => give(input, id, anchor),
        _ => false,
    }
}

fn add(rel: &mut Rel, id: ColId) {
    if let Rel::Table { tableoid, .. } = rel {
        tableoid.get_or_insert(id);
        return;
    }
    // Read a second time: it is there.
    let cols = rel_cols(rel);
    if cols.iter().any(|c| c.id == id) {
        return;
    }
    let mut exprs: Vec<(Expr, OutCol)> = cols.into_iter().map(|c| (Expr::Col(c.id, c.ty), c)).collect();
    let presence = OutCol { id, name: "presence".into(), ty: Type::BOOL, origin: None };
    exprs.push((Expr::Const(true.into(), Type::BOOL), presence));
    let input = Box::new(std::mem::replace(rel, Rel::One));
    *rel = Rel::Project { input, exprs };
}
