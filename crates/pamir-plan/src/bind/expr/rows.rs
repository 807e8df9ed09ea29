//! Rows: what is written out, their comparison, and rows as values of named types (`null::t`, `row(1, 'x')::t`).
//!
//! A whole row of a table is a record whose fields' names travel with the type ([`pamir_expr::func::rowtype`]); of a named composite type the catalog knows them.
use super::super::Binder;
use super::super::coerce::show;
use super::super::scope::bare_row;
use pamir_expr::expr::cmp_named;
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{CastHow, CmpOp, Expr};
use pamir_parse::tree::{Expr as A, ExprKind as K, Step};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};

/// The comparison that an operator between rows is.
pub(super) fn row_operator(name: &str) -> Result<CmpOp> {
    // The operators of the fields are those of the schema that is named.
    let symbol = name.rsplit_once('.').map_or(name, |n| n.1);
    cmp_named(symbol).ok_or_else(|| Error::unsupported(format!("row comparison with operator {name}")))
}

impl Binder<'_, '_> {
    /// The fields of a row that is written out, literals among them still without a type. `t.*` and `(x).*` stand for their fields.
    pub(in crate::bind) fn fields(&mut self, written: &[A]) -> Result<Vec<Expr>> {
        let mut out = Vec::with_capacity(written.len());
        for x in written {
            if let K::Column { path, star: true } = &x.kind
                && let Some(fields) = self.variable_fields(path)
            {
                out.extend(fields.into_iter().map(|f| f.1));
                continue;
            }
            let row = match &x.kind {
                K::Column { path, star: true } => self.star_value(path, x.at)?,
                K::Indirection { arg, steps } if let [before @ .., Step::Star] = steps.as_slice() => {
                    let row = self.access(arg, before)?;
                    if self.shape(row.ty()).is_none() {
                        if row.ty().oid == oid::RECORD {
                            return Err(Error::unsupported("expansion of a record whose fields have no names"));
                        }
                        let shown = show(row.ty().oid);
                        let e = err!(WRONG_OBJECT_TYPE, "type {shown} is not composite");
                        return Err(self.place(e, arg.leftmost()));
                    }
                    row
                }
                _ => {
                    out.push(self.expr(x)?);
                    continue;
                }
            };
            let shape = self.shape(row.ty());
            match (self.row_fields(row), shape) {
                (Expr::Row(fields), _) => out.extend(fields),
                (row, Some(shape)) => {
                    let field = |(index, f): (usize, &(String, Type))| Expr::Field {
                        record: Box::new(row.clone()),
                        index,
                        ty: f.1,
                    };
                    out.extend(shape.iter().enumerate().map(field));
                }
                (row, None) => out.push(row),
            }
        }
        Ok(out)
    }

    /// An operand of a comparison: of a row that is written out the fields as they are, anything else bound.
    pub(super) fn operand(&mut self, e: &A) -> Result<Expr> {
        match &e.kind {
            K::Row { fields, .. } => self.fields(fields).map(Expr::Row),
            _ => self.expr(e),
        }
    }

    /// `a` and `b` are the fields of two rows, `written` how the rows were written, for the places of their literals.
    pub(super) fn compare_rows(&mut self, a: Vec<Expr>, name: &str, b: Vec<Expr>, written: [&A; 2]) -> Result<Expr> {
        if a.len() != b.len() {
            bail!(SYNTAX_ERROR, "unequal number of entries in row expressions");
        }
        if a.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "cannot compare rows of zero length");
        }
        let n = a.len();
        let op = row_operator(name)?;
        let schema = name.rsplit_once('.').map_or(String::new(), |(s, _)| format!("{s}."));
        let (equal, less) = (schema.clone() + "=", schema + "<");
        let (mut pairs, mut eqs, mut lts) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (x, y)) in std::iter::zip(a, b).enumerate() {
            let (eq, x, y) = self.equality_by(&equal, x, y).map_err(|e| {
                let field = |side: usize| match &written[side].kind {
                    K::Row { fields, .. } if fields.len() == n => Some(&fields[i]),
                    _ => None,
                };
                match self.culprit.and_then(field) {
                    Some(f) => self.place(e, f.leftmost()),
                    None => e,
                }
            })?;
            let (lt, _) = self.find_operator(&less, Some(x.ty().oid), y.ty().oid)?;
            eqs.push(eq);
            lts.push(lt.f.clone());
            pairs.push((x, y));
        }
        Ok(match op {
            CmpOp::Eq => Expr::And(
                std::iter::zip(pairs, eqs)
                    .map(|((x, y), f)| Expr::Call { f, args: vec![x, y], ty: Type::BOOL })
                    .collect(),
            ),
            op => Expr::RowCompare { op, pairs, eqs, lts },
        })
    }

    /// What a row's fields are called and of what types they are; None: they have no names, or it is no row.
    pub(in crate::bind) fn shape(&self, ty: Type) -> Option<func::rowtype::Shape> {
        func::rowtype::fields_in(ty, self.cx.catalog)
    }
    /// An expression that is to become one of `ty`: of a row that is written out for a composite type, literals are read as its fields' types.
    pub(in crate::bind) fn row_for(&mut self, e: &A, ty: Type) -> Result<Expr> {
        let star = |x: &A| match &x.kind {
            K::Column { star, .. } => *star,
            K::Indirection { steps, .. } => matches!(steps.last(), Some(Step::Star)),
            _ => false,
        };
        let K::Row { fields, .. } = &e.kind else { return self.expr(e) };
        if !oid::is_user(ty.oid) || fields.iter().any(star) {
            return self.expr(e);
        }
        let Some(shape) = self.shape(self.cx.catalog.base_type(ty)).filter(|s| s.len() == fields.len()) else {
            return self.expr(e);
        };
        let mut out = Vec::with_capacity(fields.len());
        for (f, (_, t)) in std::iter::zip(fields, shape.iter()) {
            let x = self.row_for(f, *t)?;
            let literal = matches!(x, Expr::Const(..)) && x.ty().oid == oid::UNKNOWN;
            out.push(match literal {
                true => self.coerce(x, *t, CastContext::Assignment).map_err(|e| self.place(e, f.leftmost()))?,
                false => x,
            });
        }
        Ok(Expr::Row(out))
    }
    /// A row that is written out, or a whole-row reference, as one of the composite type `named`: its fields are cast one by one. None: it cannot be.
    pub(in crate::bind) fn to_composite(
        &mut self,
        x: Expr,
        ty: Type,
        named: Oid,
        ctx: CastContext,
    ) -> Result<Option<Expr>> {
        let relabel =
            |e| Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty, explicit: ctx == CastContext::Explicit };
        let Some(shape) = self.shape(ty) else { return Ok(None) };
        match bare_row(x) {
            Expr::Const(Datum::Null, _) => Ok(Some(Expr::Const(Datum::Null, ty))),
            Expr::Row(fields) => {
                if fields.len() != shape.len() {
                    let much = if fields.len() < shape.len() { "few" } else { "many" };
                    return Err(err!(CANNOT_COERCE, "cannot cast type record to {}", show(named))
                        .detail(format!("Input has too {much} columns.")));
                }
                let mut out = Vec::with_capacity(fields.len());
                for (i, (f, (_, t))) in std::iter::zip(fields, shape.iter()).enumerate() {
                    let from = f.ty().oid;
                    let Some(f) = self.try_coerce(f, *t, ctx)? else {
                        return Err(err!(CANNOT_COERCE, "cannot cast type record to {}", show(named)).detail(format!(
                            "Cannot cast type {} to {} in column {}.",
                            show(from),
                            show(t.oid),
                            i + 1
                        )));
                    };
                    out.push(self.stored_as(f));
                }
                Ok(Some(relabel(Expr::Row(out))))
            }
            x if x.ty() == ty => Ok(Some(x)),
            x if x.ty().oid == oid::RECORD && func::rowtype::fields(x.ty()).is_some_and(|s| *s == *shape) => {
                Ok(Some(relabel(x)))
            }
            x if x.ty().oid == oid::RECORD => Err(Error::unsupported("a cast of this record to a composite type")),
            _ => Ok(None),
        }
    }
}
