//! Subqueries in expressions.
use super::super::Binder;
use super::super::coerce::show;
use super::super::select::{Bound, has_set_call};
use super::rows::row_operator;
use pamir_expr::func::CastContext;
use pamir_expr::ir::{CmpOp, ColId, Expr, OutCol, Rel, RowOp, Subquery, SubqueryKind};
use pamir_parse::tree::{Expr as A, Select, SubLink, SubLinkKind};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use std::sync::Arc;

/// EXISTS asks for rows alone: what would be computed of a plain query's rows is not, whatever it would do.
fn forget_values(rel: &mut Rel) {
    let Rel::Project { input, exprs } = rel else { return };
    let grouped = match &**input {
        Rel::Filter { input, .. } => matches!(**input, Rel::Aggregate { .. }),
        r => matches!(r, Rel::Aggregate { .. } | Rel::Window { .. }),
    };
    if grouped || exprs.iter().any(|(e, _)| has_set_call(e)) {
        return;
    }
    for (e, _) in exprs {
        if !matches!(e, Expr::Col(..) | Expr::Const(..)) {
            *e = Expr::Const(Datum::Null, e.ty());
        }
    }
}

impl Binder<'_, '_> {
    pub(super) fn sublink(&mut self, s: &SubLink) -> Result<Expr> {
        match &s.kind {
            SubLinkKind::Exists => {
                let mut e = self.subquery(&s.query, SubqueryKind::Exists, |_| Ok(Type::BOOL))?;
                if let Expr::Subquery(s) = &mut e {
                    forget_values(&mut Arc::make_mut(s).rel);
                }
                Ok(e)
            }
            SubLinkKind::Scalar => self.subquery(&s.query, SubqueryKind::Scalar, one_column),
            SubLinkKind::Array => self.subquery(&s.query, SubqueryKind::Array, |cols| array_of(one_column(cols)?)),
            SubLinkKind::Any { arg, op } => {
                let name = op.as_ref().map_or(Ok("=".into()), |o| self.operator_name(o))?;
                self.quantified(arg, &name, &s.query, false)
            }
            SubLinkKind::All { arg, op } => {
                let name = self.operator_name(op)?;
                self.quantified(arg, &name, &s.query, true)
            }
        }
    }

    /// A query at its own level. What it says without a place has none out here either.
    fn nested(&mut self, q: &Select, resolve: bool) -> Result<(Bound, Vec<ColId>)> {
        self.may_have_subquery()?;
        let before = self.working_refs();
        let r = self.subquery_level(|b| b.query(q, None, resolve)).map_err(Error::nowhere)?;
        self.no_recursion(&before, &self.working_refs(), "a subquery")?;
        self.has_subquery = true;
        Ok(r)
    }
    fn subquery(&mut self, q: &Select, kind: SubqueryKind, ty: impl FnOnce(&[OutCol]) -> Result<Type>) -> Result<Expr> {
        let (b, outer) = self.nested(q, true)?;
        let number = self.recorded_query();
        Ok(Expr::Subquery(Arc::new(Subquery { kind, ty: ty(&b.cols)?, rel: b.rel, outer, number })))
    }

    /// The columns of a subquery of at most one row; `shared`: all run it once for one row that is modified.
    pub(in crate::bind) fn fields_of_subquery(&mut self, q: &Select, shared: bool) -> Result<Vec<Expr>> {
        let (b, outer) = self.nested(q, true)?;
        let kind = SubqueryKind::Row { shared };
        let (number, ty) = (self.recorded_query(), Type::new(oid::RECORD));
        let record = Expr::Subquery(Arc::new(Subquery { kind, rel: b.rel, outer, ty, number }));
        let field = |(index, c): (usize, &OutCol)| Expr::Field { record: Box::new(record.clone()), index, ty: c.ty };
        Ok(b.cols.iter().enumerate().map(field).collect())
    }

    /// `(a, b) = (SELECT x, y ...)`: NULL without a row.
    pub(super) fn row_and_subquery(&mut self, fields: &[A], name: &str, q: &Select, written: [&A; 2]) -> Result<Expr> {
        let a = self.fields(fields)?;
        let b = self.fields_of_subquery(q, false)?;
        same_width(a.len(), b.len())?;
        self.compare_rows(a, name, b, written)
    }

    /// `left op ANY (SELECT ...)`, with `all`: ALL
    fn quantified(&mut self, left: &A, op: &str, q: &Select, all: bool) -> Result<Expr> {
        let bound = self.operand(left)?;
        let (mut b, outer) = self.nested(q, false)?;
        // A whole row is one value beside one column.
        let one = !matches!(left.kind, pamir_parse::tree::ExprKind::Row { .. }) && b.cols.len() == 1;
        let lefts = match if one { bound } else { self.row_fields(bound) } {
            Expr::Row(v) => v,
            x => vec![x],
        };
        same_width(lefts.len(), b.cols.len())?;
        let by_row = if lefts.len() > 1 { Some(row_operator(op)?).filter(|op| *op != CmpOp::Eq) } else { None };
        let (mut ops, mut less) = (Vec::new(), Vec::new());
        let mut want = Vec::new();
        let mut out = Vec::new();
        for (l, c) in std::iter::zip(lefts, &b.cols) {
            let (o, _) = self.find_operator(op, Some(l.ty().oid), c.ty.oid)?;
            if o.ret != oid::BOOL {
                bail!(DATATYPE_MISMATCH, "operator {op} must return type boolean, not type {}", show(o.ret));
            }
            let l = self.coerce(l, Type::new(o.left), CastContext::Implicit);
            out.push(l.map_err(|e| self.place(e, left.leftmost()))?);
            want.push(if oid::is_polymorphic(o.right) { c.ty } else { Type::new(o.right) });
            if matches!(by_row, None | Some(CmpOp::Ne)) {
                ops.push(o.f.clone());
                continue;
            }
            let (left, right) = (Some(o.left), o.right);
            ops.push(self.find_operator("=", left, right)?.0.f.clone());
            less.push(self.find_operator("<", left, right)?.0.f.clone());
        }
        self.retype(&mut b, &want)?;
        self.record_settled(&b.rel);
        let number = self.recorded_query();
        let rows = by_row.map(|op| RowOp { op, less });
        let kind =
            if all { SubqueryKind::All { left: out, ops, rows } } else { SubqueryKind::Any { left: out, ops, rows } };
        Ok(Expr::Subquery(Arc::new(Subquery { kind, rel: b.rel, outer, ty: Type::BOOL, number })))
    }
}

fn one_column(cols: &[OutCol]) -> Result<Type> {
    match cols {
        [c] => Ok(c.ty),
        _ => bail!(SYNTAX_ERROR, "subquery must return only one column"),
    }
}
fn same_width(left: usize, right: usize) -> Result<()> {
    match right.cmp(&left) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => bail!(SYNTAX_ERROR, "subquery has too many columns"),
        std::cmp::Ordering::Less => bail!(SYNTAX_ERROR, "subquery has too few columns"),
    }
}
/// The type of `ARRAY(SELECT ...)`: arrays are stacked into one of one more dimension.
fn array_of(t: Type) -> Result<Type> {
    if t.is_array() {
        return Ok(Type::new(t.oid));
    }
    let a = oid::array_of(t.oid)
        .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(t.oid)))?;
    // Rows keep their fields' names in arrays.
    Ok(if t.oid == oid::RECORD { Type::with_mod(a, t.typmod) } else { Type::new(a) })
}
