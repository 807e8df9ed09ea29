//! UNION, INTERSECT, EXCEPT and VALUES: relations whose columns must agree on their types.
use super::super::Binder;
use super::super::coerce::show;
use super::super::scope::Scope;
use super::targets::{MAX_TARGETS, star, too_many_targets};
use super::{Bound, Target};
use crate::func::{self, CastContext};
use crate::ir::{Expr, OutCol, Rel, SetOp};
use pamir_types::{Result, Type, bail, err, oid};
use sqlparser::ast::{self, SetExpr, Spanned};

impl Binder<'_, '_> {
    pub(in crate::bind) fn set_expr(&mut self, s: &SetExpr, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        match s {
            SetExpr::Select(s) => self.select(s, None, hints, resolve),
            SetExpr::Query(q) => self.query(q, hints, resolve),
            SetExpr::Values(v) => self.values(v, hints, resolve),
            SetExpr::Table(t) => {
                let mut parts = Vec::new();
                parts.extend(t.schema_name.as_deref().map(|s| ast::Ident::new(s.to_string())));
                parts.extend(t.table_name.as_deref().map(|s| ast::Ident::new(s.to_string())));
                let item = ast::TableWithJoins {
                    relation: ast::TableFactor::Table {
                        name: ast::ObjectName::from(parts),
                        alias: None,
                        args: None,
                        with_hints: vec![],
                        version: None,
                        with_ordinality: false,
                        partitions: vec![],
                        json_path: None,
                        sample: None,
                        index_hints: vec![],
                    },
                    joins: vec![],
                };
                let (rel, scope) = self.from(std::slice::from_ref(&item))?;
                let targets = star(&scope);
                Ok(self.project(rel, targets))
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                self.set_operation(left, op, set_quantifier, right, resolve)
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                bail!(
                    FEATURE_NOT_SUPPORTED,
                    "WITH clause containing a data-modifying statement must be at the top level"
                )
            }
        }
    }

    fn set_operation(
        &mut self,
        left: &SetExpr,
        op: &ast::SetOperator,
        quantifier: &ast::SetQuantifier,
        right: &SetExpr,
        resolve: bool,
    ) -> Result<Bound> {
        let (op, name) = match op {
            ast::SetOperator::Union => (SetOp::Union, "UNION"),
            ast::SetOperator::Intersect => (SetOp::Intersect, "INTERSECT"),
            ast::SetOperator::Except | ast::SetOperator::Minus => (SetOp::Except, "EXCEPT"),
        };
        let all = *quantifier == ast::SetQuantifier::All;
        super::locking::refuse_locked_arms([left, right])?;
        let (mut l, _) = self.subquery_level(|b| b.set_expr(left, None, false))?;
        let (mut r, _) = self.subquery_level(|b| b.set_expr(right, None, false))?;
        if l.cols.len() != r.cols.len() {
            let e = err!(SYNTAX_ERROR, "each {name} query must have the same number of columns");
            return Err(match right {
                SetExpr::Select(s) => match s.projection.first() {
                    Some(p) => self.at(e, p.span()),
                    None => e,
                },
                _ => e,
            });
        }
        let mut want = Vec::new();
        for (i, (a, b)) in std::iter::zip(&l.cols, &r.cols).enumerate() {
            let t = super::super::coerce::common_type(&[a.ty.oid, b.ty.oid]).map_err(|(x, y)| {
                let e = err!(DATATYPE_MISMATCH, "{name} types {} and {} cannot be matched", show(x), show(y));
                match right {
                    SetExpr::Select(s) => match s.projection.get(i) {
                        Some(p) => self.at(e, p.span()),
                        None => e,
                    },
                    _ => e,
                }
            })?;
            want.push(if a.ty == b.ty && a.ty.oid == t { a.ty } else { Type::new(t) });
        }
        let item = |s: &SetExpr, i: Option<usize>| match s {
            SetExpr::Select(s) => i.and_then(|i| s.projection.get(i)).map(|p| p.span()),
            _ => None,
        };
        for (side, b) in [(left, &mut l), (right, &mut r)] {
            self.culprit = None;
            self.retype(b, &want).map_err(|e| match item(side, self.culprit) {
                Some(s) => self.at(e, s),
                None => e,
            })?;
        }
        let _ = resolve;
        if !all || op != SetOp::Union {
            for t in &want {
                if t.oid != oid::UNKNOWN && func::equality(t.oid).is_none() {
                    bail!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(t.oid));
                }
            }
        }
        let cols: Vec<OutCol> = std::iter::zip(&l.cols, &want)
            .map(|(c, t)| OutCol { id: 0, name: c.name.clone(), ty: *t, origin: None })
            .collect();
        let cols: Vec<OutCol> = cols.into_iter().map(|c| OutCol { id: self.new_col(), ..c }).collect();
        Ok(Bound {
            rel: Rel::SetOp { op, all, left: Box::new(l.rel), right: Box::new(r.rel), cols: cols.clone() },
            cols,
        })
    }

    /// Refuses a row of VALUES that has another number of expressions than the first.
    pub(in crate::bind) fn same_width(&self, row: &[ast::Expr], width: usize) -> Result<()> {
        if row.len() == width {
            return Ok(());
        }
        let e = err!(SYNTAX_ERROR, "VALUES lists must all be the same length");
        Err(match row.first() {
            Some(x) => self.place(e, x),
            None => e,
        })
    }
    /// The rows have a level without FROM of their own: what they name is outside, of a LATERAL's left side too.
    fn values(&mut self, v: &ast::Values, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        self.scopes.push(Scope::default());
        let r = self.values_rows(v, hints, resolve);
        self.scopes.pop();
        r
    }
    fn values_rows(&mut self, v: &ast::Values, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        let width = v.rows.first().map_or(0, |r| r.len());
        if width > MAX_TARGETS {
            return Err(too_many_targets());
        }
        let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(v.rows.len());
        for r in &v.rows {
            self.same_width(r, width)?;
            let mut row = Vec::with_capacity(width);
            for e in r.iter() {
                let x = self.expr(e)?;
                if matches!(x, Expr::Default) {
                    return Err(self.place(err!(SYNTAX_ERROR, "DEFAULT is not allowed in this context"), e));
                }
                row.push(x);
            }
            rows.push(row);
        }
        let mut cols = Vec::with_capacity(width);
        for i in 0..width {
            let column: Vec<Expr> = rows.iter_mut().map(|r| std::mem::replace(&mut r[i], Expr::Default)).collect();
            let unknown = column.iter().all(|e| e.ty().oid == oid::UNKNOWN);
            let (column, ty) = match hints.and_then(|h| h.get(i)).filter(|_| unknown) {
                Some(h) => {
                    let mut out = Vec::with_capacity(column.len());
                    for e in column {
                        out.push(self.coerce(e, *h, CastContext::Assignment)?);
                    }
                    (out, *h)
                }
                None if unknown && !resolve => (column, Type::UNKNOWN),
                None => self.unify(column, "VALUES")?,
            };
            for (r, e) in std::iter::zip(&mut rows, column) {
                r[i] = e;
            }
            cols.push(self.out(format!("column{}", i + 1), ty));
        }
        Ok(Bound { rel: Rel::Values { rows, cols: cols.clone() }, cols })
    }

    /// Converts output columns to `want`, inside the projection where there is one.
    pub(in crate::bind) fn retype(&mut self, b: &mut Bound, want: &[Type]) -> Result<()> {
        if std::iter::zip(&b.cols, want).all(|(c, w)| c.ty.oid == w.oid && (w.typmod == -1 || w.typmod == c.ty.typmod))
        {
            return Ok(());
        }
        match &mut b.rel {
            Rel::Project { exprs, .. } if exprs.len() == b.cols.len() => {
                for (i, w) in want.iter().enumerate() {
                    if exprs[i].1.ty.oid == w.oid && w.typmod == -1 {
                        continue;
                    }
                    let e = std::mem::replace(&mut exprs[i].0, Expr::Default);
                    let from = e.ty().oid;
                    self.culprit = Some(i);
                    exprs[i].0 = self
                        .try_coerce(e, *w, CastContext::Implicit)?
                        .ok_or_else(|| err!(CANNOT_COERCE, "cannot cast type {} to {}", show(from), show(w.oid)))?;
                    exprs[i].1.ty = *w;
                    b.cols[i].ty = *w;
                }
                return Ok(());
            }
            Rel::Values { rows, cols } => {
                for (i, w) in want.iter().enumerate() {
                    for r in rows.iter_mut() {
                        let e = std::mem::replace(&mut r[i], Expr::Default);
                        r[i] = self.coerce(e, *w, CastContext::Implicit)?;
                    }
                    cols[i].ty = *w;
                    b.cols[i].ty = *w;
                }
                return Ok(());
            }
            _ => {}
        }
        let mut targets = Vec::with_capacity(b.cols.len());
        for (c, w) in std::iter::zip(&b.cols, want) {
            let e = self.coerce(Expr::Col(c.id, c.ty), *w, CastContext::Implicit)?;
            targets.push(Target { e, name: c.name.clone(), origin: None });
        }
        let rel = std::mem::replace(&mut b.rel, Rel::One);
        *b = self.project(rel, targets);
        Ok(())
    }
}
