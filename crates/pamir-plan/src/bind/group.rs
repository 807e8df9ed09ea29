//! Expression structure: equality, columns used, and the replacement of grouping expressions above an Aggregate.
use super::Binder;
use pamir_expr::expr::children_mut;
use pamir_expr::ir::{AggCall, ColId, Cte, Expr, OutCol};
use pamir_expr::rels::{has_subquery, is_volatile, numbered_by_place};
use pamir_types::{Oid, Result, err};
use std::sync::Arc;

/// Structural equality. Columns are the common case; the rest is compared by its printed form. Two subqueries that are written alike are equal: each has
/// columns and CTEs (of `ctes`, the statement's) of its own, which are told by where they stand.
pub(super) fn same(ctes: &[Cte], a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Col(x, _), Expr::Col(y, _)) => x == y,
        (Expr::Col(..), _) | (_, Expr::Col(..)) => false,
        _ if std::mem::discriminant(a) != std::mem::discriminant(b) || has_subquery(a) != has_subquery(b) => false,
        _ if has_subquery(a) => match (numbered_by_place(a, ctes), numbered_by_place(b, ctes)) {
            (Some(a), Some(b)) => format!("{a:?}") == format!("{b:?}"),
            _ => format!("{a:?}") == format!("{b:?}"),
        },
        _ => format!("{a:?}") == format!("{b:?}"),
    }
}

pub(super) fn same_agg(ctes: &[Cte], a: &AggCall, b: &AggCall) -> bool {
    a.f.is(&b.f)
        && a.distinct == b.distinct
        && a.args.len() == b.args.len()
        && a.order_by.len() == b.order_by.len()
        && std::iter::zip(&a.args, &b.args).all(|(x, y)| same(ctes, x, y))
        && std::iter::zip(&a.order_by, &b.order_by)
            .all(|(x, y)| x.desc == y.desc && x.nulls_first == y.nulls_first && same(ctes, &x.e, &y.e))
        && match (&a.filter, &b.filter) {
            (None, None) => true,
            (Some(x), Some(y)) => same(ctes, x, y),
            _ => false,
        }
        && !a.args.iter().any(is_volatile)
}
/// What an expression above an Aggregate may refer to.
pub(super) struct Grouping<'g> {
    pub groups: &'g mut Vec<(Expr, OutCol)>,
    /// ColIds of this level's FROM are in [first, end).
    pub from: std::ops::Range<ColId>,
    /// The groups that every grouping set has; None: all. A primary key among them determines its table's other columns.
    pub common: Option<Vec<usize>>,
}

impl Binder<'_, '_> {
    /// Replaces grouping expressions by their columns; 42803 for other columns of this level.
    pub(super) fn above_groups(&mut self, e: &mut Expr, g: &mut Grouping) -> Result<()> {
        // A constant stays one, whatever is grouped by: in the totals of grouping sets a key is NULL.
        if !matches!(e, Expr::Const(..) | Expr::Param(..))
            && let Some((_, c)) = g.groups.iter().find(|(x, _)| same(&self.ctes, x, e))
        {
            *e = Expr::Col(c.id, c.ty);
            return Ok(());
        }
        match e {
            Expr::Col(id, ty) if g.from.contains(id) => {
                let (id, ty) = (*id, *ty);
                if let Some(key) = self.determined(id, g) {
                    let mut c = self.out(key, ty);
                    c.ty = ty;
                    *e = Expr::Col(c.id, ty);
                    g.groups.push((Expr::Col(id, ty), c));
                    return Ok(());
                }
                Err(self.ungrouped(id, false))
            }
            Expr::Subquery(s) => {
                // Columns that the subquery takes from this level must be grouped; the relation's own references are renamed.
                let mut map = Vec::new();
                for c in s.outer.iter().copied().filter(|c| g.from.contains(c)) {
                    match g.groups.iter().find(|(x, _)| matches!(x, Expr::Col(id, _) if *id == c)) {
                        Some((_, out)) => map.push((c, out.id)),
                        None if self.determined(c, g).is_some() => {
                            let ty = self.column_type(c);
                            let out = self.out("", ty);
                            map.push((c, out.id));
                            g.groups.push((Expr::Col(c, ty), out));
                        }
                        None => return Err(self.ungrouped(c, true)),
                    }
                }
                if !map.is_empty() {
                    let to = |id: ColId| map.iter().find(|m| m.0 == id).map_or(id, |m| m.1);
                    let s = Arc::make_mut(s);
                    super::walk::rename(&mut s.rel, &to);
                    for o in &mut s.outer {
                        *o = to(*o);
                    }
                }
                self.parts_above_groups(e, g)
            }
            e => self.parts_above_groups(e, g),
        }
    }
    fn parts_above_groups(&mut self, e: &mut Expr, g: &mut Grouping) -> Result<()> {
        let mut r = Ok(());
        children_mut(e, &mut |c| {
            if r.is_ok() {
                r = self.above_groups(c, g)
            }
        });
        r
    }

    fn ungrouped(&mut self, id: ColId, outer: bool) -> pamir_types::Error {
        let name = self.column_name(id);
        let loc = self.level().refs.iter().find(|r| r.0 == id).map(|r| r.1);
        let pos = loc.and_then(|l| self.position(l));
        if outer {
            return err!(GROUPING_ERROR, "subquery uses ungrouped column \"{name}\" from outer query").at(pos);
        }
        err!(GROUPING_ERROR, "column \"{name}\" must appear in the GROUP BY clause or be used in an aggregate function")
            .at(pos)
    }

    /// `alias.column` of a column in the innermost scope.
    fn column_name(&self, id: ColId) -> String {
        for s in self.scopes.iter().rev() {
            for r in &s.rtes {
                if r.presence == Some(id) {
                    return format!("{}.*", r.name.as_deref().unwrap_or(""));
                }
                for c in &r.cols {
                    if matches!(c.expr, Expr::Col(x, _) if x == id) {
                        return match &r.name {
                            Some(n) => format!("{n}.{}", c.name),
                            None => c.name.clone(),
                        };
                    }
                }
            }
        }
        "?column?".into()
    }
    fn column_type(&self, id: ColId) -> pamir_types::Type {
        for s in self.scopes.iter().rev() {
            if let Some(r) = s.rtes.iter().find(|r| r.presence == Some(id)) {
                return r.presence_type();
            }
            for c in s.rtes.iter().flat_map(|r| &r.cols) {
                if let Expr::Col(x, t) = c.expr
                    && x == id
                {
                    return t;
                }
            }
        }
        pamir_types::Type::TEXT
    }

    /// The column's name, when its table's whole primary key is grouped by.
    fn determined(&mut self, id: ColId, g: &Grouping) -> Option<String> {
        let (name, key) = self.determining(id, g)?;
        if let Some(r) = &mut self.recorder {
            r.keys.push(key);
        }
        Some(name)
    }
    /// ... with that key.
    fn determining(&self, id: ColId, g: &Grouping) -> Option<(String, Oid)> {
        let scope = self.scopes.last()?;
        for r in &scope.rtes {
            let column = r.cols.iter().find(|c| matches!(c.expr, Expr::Col(x, _) if x == id));
            if column.is_none() && r.presence != Some(id) {
                continue;
            }
            let t = r.table.as_ref()?;
            let pk = t.primary_key()?;
            let keyed = |e: &Expr| {
                let at = g.groups.iter().position(|(x, _)| same(&self.ctes, x, e));
                at.is_some_and(|i| g.common.as_ref().is_none_or(|c| c.contains(&i)))
            };
            let grouped = |n: i16| r.cols.iter().any(|c| c.origin.is_some_and(|o| o.1 == n) && keyed(&c.expr));
            let all = pk.columns.iter().all(|(k, _)| matches!(k, pamir_catalog::IndexColumn::Attr(n) if grouped(*n)));
            return all.then(|| (column.map_or(String::new(), |c| c.name.clone()), pk.oid));
        }
        None
    }
}
