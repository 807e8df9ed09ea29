//! ON CONFLICT: the indexes that decide, and what is done with the row that is there.
use super::super::scope::Scope;
use super::super::types::known_collation;
use super::super::{BindCtx, Binder, bind_table_expr};
use pamir_catalog::{IndexColumn, Table, acl};
use pamir_expr::deparse::{Naming, deparse};
use pamir_expr::fold;
use pamir_expr::implied::Prover;
use pamir_expr::ir::{CastHow, ColId, Expr, OnConflict, OnConflictUpdate};
use pamir_parse::tree::{self, At, ConflictTarget, ExprKind, IndexElement, IndexOf};
use pamir_types::{Oid, Result, Type, bail, err};
use std::sync::Arc;

/// The columns and expressions that ON CONFLICT says are unique, over columns by their numbers.
pub(super) struct Inference {
    pub items: Vec<Expr>,
    pub predicate: Option<Expr>,
}

impl Binder<'_, '_> {
    pub(super) fn on_conflict(
        &mut self,
        c: &tree::OnConflict,
        t: &Arc<Table>,
        alias: &str,
        target: usize,
    ) -> Result<(OnConflict, Option<Inference>)> {
        let mut inference = None;
        let mut asks = Vec::new();
        let arbiters = match &c.target {
            ConflictTarget::Any if c.update.is_some() => {
                let e = err!(SYNTAX_ERROR, "ON CONFLICT DO UPDATE requires inference specification or constraint name")
                    .hint("For example, ON CONFLICT (column_name).");
                return Err(self.at(e, c.at));
            }
            ConflictTarget::Any => Vec::new(),
            ConflictTarget::Constraint(name, _) => match t.indexes.iter().find(|i| i.name == *name && i.constraint) {
                Some(i) if i.excludes.is_some() && c.update.is_some() => {
                    bail!(WRONG_OBJECT_TYPE, "ON CONFLICT DO UPDATE not supported with exclusion constraints")
                }
                Some(i) => {
                    // As if the columns were written.
                    self.uses.require(target, acl::SELECT);
                    for c in &i.columns {
                        if let IndexColumn::Attr(a) = c.0 {
                            self.uses.select_column(target, a);
                        }
                    }
                    vec![i.oid]
                }
                None => bail!(UNDEFINED_OBJECT, "constraint \"{name}\" for table \"{}\" does not exist", t.name),
            },
            ConflictTarget::Index { elements, filter, at } => {
                let i = self.inference(elements, filter.as_ref(), *at, t, target)?;
                // A view's indexes are its base table's.
                if t.view.is_some() {
                    inference = Some(i);
                    Vec::new()
                } else {
                    let found = self.arbiters(&i, t)?;
                    asks = found.1;
                    found.0
                }
            }
        };
        let update = match &c.update {
            None => None,
            Some((list, filter)) => {
                let (old_cols, rte) = self.row(t, alias);
                let (excluded, ex) = self.row(t, "excluded");
                self.uses.require(target, acl::UPDATE);
                self.uses.columns_of(target, t, &rte);
                self.uses.columns_of(target, t, &ex);
                let mut s = Scope::default();
                // Unqualified names mean the existing row.
                s.add(rte);
                s.rtes.push(ex);
                let sub = self.sub_scope(s);
                let r = self.assignments(list, t, target).and_then(|set| {
                    let cond = filter.as_ref().map(|w| self.condition(w, "WHERE")).transpose()?;
                    Ok((set, cond))
                });
                self.leave(sub);
                let (set, cond) = r?;
                let (shown, guards) = (Vec::new(), Default::default());
                Some(OnConflictUpdate { set, cond, shown, guards, old_cols, excluded })
            }
        };
        Ok((OnConflict { arbiters, asks, update }, inference))
    }

    /// What ON CONFLICT says is unique. `at`: the place of the specification, which is to blame for its columns.
    fn inference(
        &mut self,
        elements: &[IndexElement],
        filter: Option<&tree::Expr>,
        at: At,
        t: &Arc<Table>,
        target: usize,
    ) -> Result<Inference> {
        let ids: Vec<(i16, ColId)> = t.live_columns().map(|c| c.attnum).map(|n| (n, n as ColId)).collect();
        let mut items = Vec::with_capacity(elements.len());
        for e in elements {
            self.inferable(e, at)?;
            let item = match &e.of {
                IndexOf::Column(n) if let Some(c) = t.column_by_name(n) => Expr::Col(c.attnum as ColId, c.ty),
                IndexOf::Column(n) => {
                    let kind = ExprKind::Column { path: vec![n.clone()], star: false };
                    self.of_row(&tree::Expr { kind, at }, t, &ids, None)?
                }
                IndexOf::Expr(e) => self.of_row(e, t, &ids, None)?,
            };
            if let Expr::Col(id, _) = item {
                self.uses.select_column(target, id as i16);
            }
            items.push(item);
        }
        let predicate = match filter {
            Some(w) => {
                let mut e = self.of_row(w, t, &ids, Some(Type::BOOL))?;
                fold::fold(&mut e);
                Some(e)
            }
            None => None,
        };
        Ok(Inference { items, predicate })
    }
    /// Unique index inference (infer_arbiter_indexes), and what must hold of parameters for it: PostgreSQL looks for the index with their values at hand.
    pub(super) fn arbiters(&mut self, i: &Inference, t: &Arc<Table>) -> Result<(Vec<Oid>, Vec<Expr>)> {
        let mut attrs: Vec<i16> = Vec::new();
        let mut exprs: Vec<String> = Vec::new();
        let ids: Vec<(i16, ColId)> = t.live_columns().map(|c| c.attnum).map(|n| (n, n as ColId)).collect();
        let name = |id: ColId| t.column(id as i16).map_or(String::new(), |c| c.name.clone());
        let naming = Naming::Full(self.cx.catalog);
        for e in &i.items {
            match e {
                Expr::Col(id, _) => attrs.push(*id as i16),
                e => exprs.push(deparse(e, &name, naming)),
            }
        }
        let predicate = &i.predicate;
        let same = |a: &Expr, b: &Expr| deparse(a, &name, naming) == deparse(b, &name, naming);
        let prover = Prover { same: &same };
        attrs.sort_unstable();
        attrs.dedup();
        exprs.sort();
        exprs.dedup();
        let (mut out, mut values) = (Vec::new(), Vec::new());
        for i in t.indexes.iter().filter(|i| i.is_unique() && t.is_readable(i)) {
            let mut a: Vec<i16> = i
                .columns
                .iter()
                .filter_map(|c| if let IndexColumn::Attr(n) = &c.0 { Some(*n) } else { None })
                .collect();
            a.sort_unstable();
            a.dedup();
            if a != attrs {
                continue;
            }
            let mut e = Vec::new();
            for c in &i.columns {
                if let IndexColumn::Expr(x, ty) = &c.0 {
                    let bound = self.stored(&x.0, Some((t, &ids)), *ty)?;
                    e.push(deparse(&bound, &name, naming));
                }
            }
            e.sort();
            e.dedup();
            if e != exprs {
                continue;
            }
            if let Some(p) = &i.predicate {
                let mut bound = self.stored(&p.0, Some((t, &ids)), Type::BOOL)?;
                fold::fold(&mut bound);
                let Some(w) = predicate else { continue };
                let mut asked = Vec::new();
                if !prover.implied(&bound, std::slice::from_ref(w)) {
                    if !fits_with(&bound, w, &same, &mut asked) || asked.is_empty() {
                        continue;
                    }
                    values.append(&mut asked);
                }
            }
            out.push(i.oid);
        }
        if out.is_empty() {
            bail!(
                INVALID_COLUMN_REFERENCE,
                "there is no unique or exclusion constraint matching the ON CONFLICT specification"
            );
        }
        let mut asks = Vec::with_capacity(values.len());
        for (param, value) in values {
            let (eq, left, right) = self.equality(param, value)?;
            asks.push(Expr::IsDistinct { eq, left: Box::new(left), right: Box::new(right), negated: true });
        }
        Ok((out, asks))
    }
    /// Only what is unique counts, not how it is ordered.
    fn inferable(&self, e: &IndexElement, at: At) -> Result<()> {
        let what = match e {
            IndexElement { descending: Some(_), .. } => "ASC/DESC",
            IndexElement { nulls_first: Some(_), .. } => "NULLS FIRST/LAST",
            _ => {
                // Classes of one type order their keys alike or are refused where an index is made.
                if let Some(c) = &e.collation {
                    // Keys of all collations are compared alike.
                    known_collation(c).map_err(|x| self.place(x, c.at))?;
                }
                return Ok(());
            }
        };
        let x = err!(INVALID_COLUMN_REFERENCE, "{what} is not allowed in ON CONFLICT clause");
        Err(self.at(x, at))
    }
    /// An expression over the target's own columns.
    fn of_row(&mut self, e: &tree::Expr, t: &Table, ids: &[(i16, ColId)], ty: Option<Type>) -> Result<Expr> {
        let mut cx = BindCtx {
            catalog: self.cx.catalog,
            scope: self.cx.scope,
            params: std::mem::take(&mut self.cx.params),
            env: &mut *self.cx.env,
            text: self.cx.text,
        };
        let bound = bind_table_expr(e, Some((t, ids)), ty, &mut cx);
        let params = std::mem::take(&mut cx.params);
        self.cx.params = params;
        bound
    }
}

/// Is a condition an index's, but for parameters where that has constants? `values`: which stand for which.
fn fits_with(index: &Expr, said: &Expr, same: &dyn Fn(&Expr, &Expr) -> bool, values: &mut Vec<(Expr, Expr)>) -> bool {
    fn bare(mut e: &Expr) -> &Expr {
        while let Expr::Cast { e: inner, f: CastHow::Relabel, .. } = e {
            e = inner;
        }
        e
    }
    match (index, said) {
        (Expr::Const(..), e) if matches!(bare(e), Expr::Param(..)) => {
            values.push((e.clone(), index.clone()));
            true
        }
        (Expr::And(a), Expr::And(b)) | (Expr::Or(a), Expr::Or(b)) => {
            a.len() == b.len() && std::iter::zip(a, b).all(|(a, b)| fits_with(a, b, same, values))
        }
        (Expr::Call { f, args: a, .. }, Expr::Call { f: g, args: b, .. }) => {
            f.is(g) && a.len() == b.len() && std::iter::zip(a, b).all(|(a, b)| fits_with(a, b, same, values))
        }
        (Expr::Not(a), Expr::Not(b)) => fits_with(a, b, same, values),
        _ => same(index, said),
    }
}
