//! WHERE CURRENT OF: a cursor's query gives, behind its columns, the places (`ctid`) of the tables' rows that each of its rows is made of.
//!
//! ```text
//!   DECLARE c CURSOR FOR SELECT a FROM t FOR UPDATE        planned as   SELECT a, t.ctid FROM t FOR UPDATE
//!   FETCH c                     a goes to the client; ctid to the cursor's line in the session's list (`CursorInfo::row`)
//!   UPDATE t ... WHERE CURRENT OF c                        planned as   UPDATE t ... WHERE ctid = current_of('c', t)
//! ```
//! Which cursors have places is PostgreSQL's rule (execCurrentOf): those that lock rows have the places of what they lock; others only where they are a scan of
//! one table, without a sort.
//!
//! *Invariant*: the hidden columns are the last ones, and neither clients nor functions see them.
use super::state::State;
use super::statement::PreparedStmt;
use pamir_catalog::{Catalog, NameScope, Relation};
use pamir_expr::env::{CursorRow, Env};
use pamir_expr::names::Names;
use pamir_expr::plan::node::{Kind, PNode};
use pamir_parse::tree::{Distinct, Expr, ExprKind, Select, SelectBody, Statement, TableKind, TableRef, Target};
use pamir_types::Oid;
use std::sync::Arc;

/// A query with hidden columns.
pub(super) struct Placed {
    pub query: Select,
    /// Whose places they are, one a column.
    pub tables: Vec<Oid>,
    pub locks: bool,
}
/// None: no place could be told.
pub(super) fn placed(q: &Select, catalog: &Catalog, scope: &NameScope) -> Option<Placed> {
    let SelectBody::Select(core) = &q.body else { return None };
    let plain = matches!(core.distinct, Distinct::All) && core.group_by.is_empty() && core.having.is_none();
    if !plain || core.into.is_some() || core.from.is_empty() || q.with.is_some() {
        return None;
    }
    let locks = !q.locking.is_empty();
    let mut found = Vec::new();
    for t in &core.from {
        tables(t, catalog, scope, &mut found);
    }
    if locks {
        let named =
            |n: &String| q.locking.iter().any(|l| l.of.is_empty() || l.of.iter().any(|o| o.parts.last() == Some(n)));
        found.retain(|(n, _)| named(n));
    } else if core.from.len() != 1 || found.len() != 1 || !matches!(core.from[0].kind, TableKind::Relation(..)) {
        return None;
    }
    if found.is_empty() {
        return None;
    }
    let (mut query, mut oids) = (q.clone(), Vec::new());
    let SelectBody::Select(core) = &mut query.body else { return None };
    for (name, oid) in found {
        let expr = Expr { kind: ExprKind::Column { path: vec![name, "ctid".into()], star: false }, at: q.at };
        core.targets.push(Target { expr, name: None, at: q.at });
        oids.push(oid);
    }
    Some(Placed { query, tables: oids, locks })
}
/// The tables of a FROM item, each as it is known.
fn tables(t: &TableRef, catalog: &Catalog, scope: &NameScope, out: &mut Vec<(String, Oid)>) {
    match &t.kind {
        TableKind::Relation(r, None) => {
            let (schema, name) = match r.parts.as_slice() {
                [n] => (None, n),
                [.., s, n] => (Some(s.as_str()), n),
                [] => return,
            };
            if let Ok(Some(Relation::Table(found))) = catalog.resolve(scope, schema, name)
                && found.view.is_none()
                // A place does not say in which table of a family it is.
                && (r.only || found.children().is_empty())
            {
                let known = t.alias.as_ref().map_or(name, |a| &a.name);
                out.push((known.clone(), found.oid));
            }
        }
        TableKind::Join(j) if t.alias.is_none() => {
            tables(&j.left, catalog, scope, out);
            tables(&j.right, catalog, scope, out);
        }
        _ => {}
    }
}
/// Is the plan a scan of a table, whose rows come as they are?
pub(super) fn is_scan(n: &PNode) -> bool {
    match &n.kind {
        Kind::Scan(_) => true,
        Kind::Filter { input, .. }
        | Kind::Compute { input, .. }
        | Kind::Ordered { input, .. }
        | Kind::Limit { input, .. } => is_scan(input),
        _ => false,
    }
}

impl State {
    /// The query of a function's cursor with places behind its columns; None: as it is, it has none.
    pub(super) fn with_places(
        &mut self,
        stmt: &PreparedStmt,
        names: Option<Arc<Names>>,
    ) -> Option<(Arc<PreparedStmt>, CursorRow)> {
        let Some(Statement::Select(q)) = &stmt.stmt else { return None };
        let p = placed(q, &self.catalog, &self.scope)?;
        let stmt = stmt.placed(&p.tables, p.query);
        let before = self.set_names(names);
        let planned = self.plan_for(&stmt);
        self.set_names(before);
        let fits = p.locks || is_scan(&planned.ok()?.plan.root.node);
        fits.then(|| (stmt, CursorRow { locks: p.locks, tables: p.tables, ..CursorRow::default() }))
    }
}
