//! UNION, INTERSECT, EXCEPT and VALUES: relations whose columns must agree on their types.
use super::super::Binder;
use super::super::coerce::show;
use super::super::scope::Scope;
use super::targets::{MAX_TARGETS, column_at, has_set_call, is_star, too_many_targets};
use super::{Bound, Target};
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{Expr, OutCol, Rel, SetOp};
use pamir_parse::tree::{self, At};
use pamir_types::{Error, Result, Type, bail, err, oid};

impl Binder<'_, '_> {
    pub(super) fn set_operation(
        &mut self,
        op: tree::SetOp,
        all: bool,
        left: &tree::Select,
        right: &tree::Select,
    ) -> Result<Bound> {
        let (op, name) = match op {
            tree::SetOp::Union => (SetOp::Union, "UNION"),
            tree::SetOp::Intersect => (SetOp::Intersect, "INTERSECT"),
            tree::SetOp::Except => (SetOp::Except, "EXCEPT"),
        };
        super::locking::refuse_locked_arms([left, right])?;
        if let Some(into) = right.into_clause() {
            let e = err!(SYNTAX_ERROR, "INTO is only allowed on first SELECT of UNION/INTERSECT/EXCEPT");
            return Err(self.at(e, into.relation.at));
        }
        let (l, _) = self.subquery_level(|b| b.query(left, None, false))?;
        let (r, _) = self.subquery_level(|b| b.query(right, None, false))?;
        self.unite((op, name), all, (left, l), (right, r))
    }
    /// Two queries, as written and bound with their literals' types open, as one relation with the types that both agree on.
    pub(super) fn unite(
        &mut self,
        (op, name): (SetOp, &str),
        all: bool,
        (left, mut l): (&tree::Select, Bound),
        (right, mut r): (&tree::Select, Bound),
    ) -> Result<Bound> {
        if l.cols.len() != r.cols.len() {
            let e = err!(SYNTAX_ERROR, "each {name} query must have the same number of columns");
            return Err(self.at(e, column_at(right, 0)));
        }
        let mut want = Vec::with_capacity(l.cols.len());
        for (i, (a, b)) in std::iter::zip(&l.cols, &r.cols).enumerate() {
            let t = super::super::coerce::common_type(self.ways(), &[a.ty.oid, b.ty.oid]).map_err(|(x, y)| {
                let e = err!(DATATYPE_MISMATCH, "{name} types {} and {} cannot be matched", show(x), show(y));
                self.at(e, column_at(right, i))
            })?;
            want.push(if a.ty == b.ty && a.ty.oid == t { a.ty } else { Type::new(t) });
        }
        for (side, b) in [(left, &mut l), (right, &mut r)] {
            self.culprit = None;
            self.retype(b, &want)
                .map_err(|e| self.place(e, self.culprit.map_or(At::NOWHERE, |i| column_at(side, i))))?;
        }
        self.record_set_operation(op, all, [&l.rel, &r.rel]);
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

    /// Refuses a row of VALUES that has another number of values than the first.
    pub(in crate::bind) fn same_width(&self, row: &[tree::Expr], values: usize, width: usize) -> Result<()> {
        if values == width {
            return Ok(());
        }
        let e = err!(SYNTAX_ERROR, "VALUES lists must all be the same length");
        Err(self.at(e, row.first().map_or(At::NOWHERE, |x| x.leftmost())))
    }
    /// The rows have a level without FROM of their own: what they name is outside, of a LATERAL's left side too.
    pub(super) fn values(&mut self, rows: &[Vec<tree::Expr>], hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        self.scopes.push(Scope::default());
        let r = self.values_rows(rows, hints, resolve);
        self.scopes.pop();
        r
    }
    fn values_rows(&mut self, written: &[Vec<tree::Expr>], hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(written.len());
        let mut width = None;
        for r in written {
            let row = self.row_of_values(r)?;
            if row.len() > MAX_TARGETS {
                return Err(too_many_targets());
            }
            self.same_width(r, row.len(), *width.get_or_insert(row.len()))?;
            rows.push(row);
        }
        let width = width.unwrap_or(0);
        let mut cols = Vec::with_capacity(width);
        for i in 0..width {
            let column: Vec<Expr> = rows.iter_mut().map(|r| std::mem::replace(&mut r[i], Expr::Default)).collect();
            let unknown = column.iter().all(|e| e.ty().oid == oid::UNKNOWN);
            let place = |b: &Self, e: Error, row: Option<usize>| {
                let written = row.and_then(|n| written.get(n)).filter(|r| r.len() == width);
                b.place(e, written.and_then(|r| r.get(i)).map_or(At::NOWHERE, |x| x.leftmost()))
            };
            let (column, ty) = match hints.and_then(|h| h.get(i)).filter(|_| unknown) {
                Some(h) => {
                    let mut out = Vec::with_capacity(column.len());
                    for (n, e) in column.into_iter().enumerate() {
                        let e = self.coerce(e, *h, CastContext::Assignment).map_err(|e| place(self, e, Some(n)))?;
                        out.push(e);
                    }
                    (out, *h)
                }
                None if unknown && !resolve => (column, Type::UNKNOWN),
                None => self.unify(column, "VALUES").map_err(|e| place(self, e, self.culprit))?,
            };
            for (r, e) in std::iter::zip(&mut rows, column) {
                r[i] = e;
            }
            cols.push(self.out(format!("column{}", i + 1), ty));
        }
        Ok(Bound { rel: Rel::Values { rows, cols: cols.clone() }, cols })
    }

    fn row_of_values(&mut self, r: &[tree::Expr]) -> Result<Vec<Expr>> {
        if r.iter().any(is_star) {
            return self.in_values(|b| b.fields(r));
        }
        let mut row = Vec::with_capacity(r.len());
        for e in r {
            row.push(self.in_values(|b| b.expr(e))?);
        }
        Ok(row)
    }
    /// What is bound as a part of VALUES.
    pub(in crate::bind) fn in_values<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let was = (self.level().no_agg.replace("VALUES"), self.level().no_srf.replace("VALUES"));
        let r = f(self);
        (self.level().no_agg, self.level().no_srf) = was;
        r
    }

    /// Converts output columns to `want`, inside the projection where there is one; of a function that returns a set above it.
    pub(in crate::bind) fn retype(&mut self, b: &mut Bound, want: &[Type]) -> Result<()> {
        if std::iter::zip(&b.cols, want).all(|(c, w)| c.ty.oid == w.oid && (w.typmod == -1 || w.typmod == c.ty.typmod))
        {
            return Ok(());
        }
        match &mut b.rel {
            Rel::Project { exprs, .. } if exprs.len() == b.cols.len() => {
                let mut sets = false;
                for (i, w) in want.iter().enumerate() {
                    if exprs[i].1.ty.oid == w.oid && w.typmod == -1 {
                        continue;
                    }
                    if has_set_call(&exprs[i].0) {
                        sets = true;
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
                if !sets {
                    return Ok(());
                }
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
        for (i, (c, w)) in std::iter::zip(&b.cols, want).enumerate() {
            self.culprit = Some(i);
            let e = self
                .try_coerce(Expr::Col(c.id, c.ty), *w, CastContext::Implicit)?
                .ok_or_else(|| err!(CANNOT_COERCE, "cannot cast type {} to {}", show(c.ty.oid), show(w.oid)))?;
            targets.push(Target { e, name: c.name.clone(), origin: None });
        }
        let rel = std::mem::replace(&mut b.rel, Rel::One);
        *b = self.project(rel, targets);
        Ok(())
    }
}
