//! MERGE.
//!
//! ```text
//!   source ──LEFT JOIN target ON──► row ─┬─ target row is there: the first WHEN MATCHED whose condition holds      DO NOTHING, UPDATE, DELETE
//!     (without an INSERT: JOIN)          └─ it is not:           the first WHEN NOT MATCHED ...                     DO NOTHING, INSERT
//! ```
//! WHEN MATCHED sees both sides' columns, WHEN NOT MATCHED the source's alone. An action's expressions are those of the statement that it is called after.
use super::super::Binder;
use super::super::scope::{Rte, Scope};
use pamir_catalog::{Table, acl};
use pamir_expr::ir::{Expr, JoinKind, MergeAction, MergeWhen, Modify, ModifyOp, Rel};
use pamir_parse::tree::{self, Overriding, Place};
use pamir_types::{Error, Result, err};
use std::sync::Arc;

const CONDITION: &str = "MERGE WHEN conditions";

impl Binder<'_, '_> {
    pub(super) fn merge(&mut self, m: &tree::Merge) -> Result<Modify> {
        use tree::MergeAction as A;
        if m.with.as_ref().is_some_and(|w| w.recursive) {
            return Err(err!(SYNTAX_ERROR, "WITH RECURSIVE is not supported for MERGE statement"));
        }
        // What comes after a WHEN without a condition is never reached.
        let mut last = [false; 2];
        for w in &m.whens {
            if last[usize::from(w.matched)] {
                let e = err!(SYNTAX_ERROR, "unreachable WHEN clause specified after unconditional WHEN clause");
                return Err(e);
            }
            last[usize::from(w.matched)] = w.condition.is_none();
        }
        let mode = m.whens.iter().fold(0, |mode, w| {
            mode | match w.action {
                A::Nothing => 0,
                A::Update(_) => acl::UPDATE,
                A::Delete => acl::DELETE,
                A::Insert { .. } => acl::INSERT,
            }
        });
        let inserts = m.whens.iter().any(|w| matches!(w.action, A::Insert { .. }));
        let (table, alias) = self.dml_target(&m.into, m.alias.as_deref(), mode, true)?;
        let target = self.uses.newest();
        if table.view.is_some() {
            let e = err!(FEATURE_NOT_SUPPORTED, "cannot execute MERGE on relation \"{}\"", table.name);
            return Err(e.detail("This operation is not supported for views."));
        }
        let (scan, key, old_cols, rte) = self.dml_scan(&table, m.into.only, &alias, 0)?;
        self.uses.columns_of(target, &table, &rte);
        let (source, of_source) = self.from(std::slice::from_ref(&m.using), &[])?;
        if of_source.rtes.iter().any(|r| r.name == rte.name) {
            let e = err!(DUPLICATE_ALIAS, "name \"{alias}\" specified more than once")
                .detail("The name is used both as MERGE target table and data source.");
            return Err(e.nowhere());
        }
        let mut both = of_source.clone();
        both.add(rte.clone());
        let on = self.seen_as(both.clone(), |b| b.join_condition(&m.on))?;
        let mut whens = Vec::new();
        for w in &m.whens {
            let seen = if w.matched { both.clone() } else { hidden(&of_source, &rte) };
            whens.push(self.seen_as(seen, |b| b.merge_when(w, &table, target))?);
        }
        let kind = if inserts { JoinKind::Left } else { JoinKind::Inner };
        let reads = self.reads_target(target);
        let (scan, again) = self.restrict_merged(scan, on.clone(), &table, &old_cols, reads)?;
        let (left, right) = (Box::new(source), Box::new(scan));
        let mut source = Rel::Join { kind, left, right, on: Some(on), lateral: false };
        self.give_presence(&mut source);
        let (row_cols, _) = self.row(&table, &alias);
        self.restrict_whens(&mut whens, &table, (&old_cols, &row_cols), reads)?;
        let op = ModifyOp::Merge { source, key, old_cols, on: again, whens };
        Ok(Modify {
            table,
            op,
            returning: None,
            row_cols,
            system: Default::default(),
            checks: Vec::new(),
            guards: Vec::new(),
            uncounted: false,
            members: self.members(key),
        })
    }
    fn seen_as<R>(&mut self, s: Scope, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let sub = self.sub_scope(s);
        let r = f(self);
        self.leave(sub);
        r
    }
    fn merge_when(&mut self, w: &tree::MergeWhen, table: &Arc<Table>, target: usize) -> Result<MergeWhen> {
        let cond = w.condition.as_ref().map(|c| self.merge_condition(c)).transpose()?;
        let action = match &w.action {
            tree::MergeAction::Nothing => MergeAction::Nothing,
            tree::MergeAction::Delete => MergeAction::Delete,
            tree::MergeAction::Update(set) => {
                self.merging = true;
                let set = self.assignments(set, table, target);
                self.merging = false;
                let mut set = set?;
                set.retain(|s| !matches!(s.1, Expr::Default));
                MergeAction::Update(set)
            }
            tree::MergeAction::Insert { columns, overriding, values } => MergeAction::Insert(self.merge_insert(
                columns.as_deref(),
                *overriding,
                values.as_deref(),
                table,
                target,
            )?),
        };
        Ok(MergeWhen { matched: w.matched, cond, action, guards: Default::default() })
    }
    fn merge_condition(&mut self, c: &tree::Expr) -> Result<Expr> {
        let was = (self.level().no_agg.replace(CONDITION), self.level().no_srf.replace(CONDITION));
        let r = self.expr(c).and_then(|e| self.to_bool(e, "WHEN").map_err(|e| self.place(e, c.leftmost())));
        (self.level().no_agg, self.level().no_srf) = was;
        r
    }
    /// Every column's value, the defaults among them.
    fn merge_insert(
        &mut self,
        written: Option<&[Place]>,
        overriding: Option<Overriding>,
        values: Option<&[tree::Expr]>,
        table: &Arc<Table>,
        target: usize,
    ) -> Result<Vec<(i16, Expr)>> {
        let (mut columns, parts, mut cols) = self.insert_columns(written, table)?;
        if !parts.is_empty() {
            return Err(Error::unsupported("assignment to parts of columns in MERGE"));
        }
        let mut row = match values {
            None => {
                cols.given = 0;
                Rel::One
            }
            Some(v) => self.insert_values(&[v.to_vec()], &mut cols)?,
        };
        columns.truncate(cols.given);
        for n in &columns {
            self.uses.insert(target, *n);
        }
        self.settle_columns(&mut row, &mut columns, &cols, overriding)?;
        let defaults = self.defaults_beside(table, &columns)?;
        let given = match row {
            Rel::Values { rows, .. } => rows.into_iter().next().unwrap_or_default(),
            _ => Vec::new(),
        };
        let given = std::iter::zip(columns, given).filter(|(_, e)| !matches!(e, Expr::Default));
        Ok(given.chain(defaults).collect())
    }
}
/// The source's names, beside the target's, which may not be used.
fn hidden(of_source: &Scope, target: &Rte) -> Scope {
    let mut s = of_source.clone();
    s.rtes.push(Rte { hidden: true, ..target.clone() });
    s
}
