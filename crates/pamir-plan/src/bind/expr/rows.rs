//! Rows: what is written out, their comparison, and tables' rows as types (`null::t`, `row(1, 'x')::t`).
//!
//! A table has no type of its own: its rows are records whose fields' names travel with the type ([`pamir_expr::func::rowtype`]), and so is the type of such a cast.
use super::super::Binder;
use super::super::coerce::show;
use super::super::scope::bare_row;
use pamir_expr::expr::cmp_named;
use pamir_expr::func;
use pamir_expr::ir::{CastHow, CmpOp, Expr};
use pamir_parse::tree::{Expr as A, ExprKind as K, Step, TypeName};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

/// The comparison that an operator between rows is.
pub(super) fn row_operator(name: &str) -> Result<CmpOp> {
    cmp_named(name).ok_or_else(|| Error::unsupported(format!("row comparison with operator {name}")))
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
                    if func::rowtype::fields(row.ty()).is_none() {
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
            let shape = func::rowtype::fields(row.ty());
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
        let (mut pairs, mut eqs, mut lts) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (x, y)) in std::iter::zip(a, b).enumerate() {
            let (eq, x, y) = self.equality(x, y).map_err(|e| {
                let field = |side: usize| match &written[side].kind {
                    K::Row { fields, .. } if fields.len() == n => Some(&fields[i]),
                    _ => None,
                };
                match self.culprit.and_then(field) {
                    Some(f) => self.place(e, f.leftmost()),
                    None => e,
                }
            })?;
            let (lt, _) = self.find_operator("<", Some(x.ty().oid), y.ty().oid)?;
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

    /// A cast to a table's rows: NULL, a row with a field for each column, or such a row already.
    pub(super) fn cast_to_row(&mut self, x: Expr, ty: Type, name: &str) -> Result<Expr> {
        match bare_row(x) {
            Expr::Const(Datum::Null, _) => Ok(Expr::Const(Datum::Null, ty)),
            Expr::Row(fields) => {
                let shape =
                    func::rowtype::fields(ty).ok_or_else(|| Error::internal("a row type without its fields"))?;
                if fields.len() != shape.len() {
                    let much = if fields.len() < shape.len() { "few" } else { "many" };
                    return Err(err!(CANNOT_COERCE, "cannot cast type record to {name}")
                        .detail(format!("Input has too {much} columns.")));
                }
                let mut out = Vec::with_capacity(fields.len());
                for (f, (_, t)) in std::iter::zip(fields, shape.iter()) {
                    out.push(self.cast(f, *t)?);
                }
                Ok(Expr::Cast { e: Box::new(Expr::Row(out)), f: CastHow::Relabel, ty, explicit: true })
            }
            x if x.ty() == ty => Ok(x),
            _ => Err(Error::unsupported("a cast of this value to a table's row type")),
        }
    }

    /// A table's name as a type: its rows. Asked where no type has the name.
    pub(super) fn row_type(&self, t: &TypeName) -> Option<(Type, String)> {
        if !t.modifiers.is_empty() || !t.array.is_empty() {
            return None;
        }
        let (schema, name) = match t.parts.as_slice() {
            [t] => (None, t.as_str()),
            [s, t] => (Some(s.as_str()), t.as_str()),
            _ => return None,
        };
        match self.cx.catalog.resolve(self.cx.scope, schema, name) {
            Ok(Some(pamir_catalog::Relation::Table(t))) => {
                let ty = func::rowtype::of(t.live_columns().map(|c| (c.name.clone(), c.ty)).collect());
                Some((ty, t.name.clone()))
            }
            _ => None,
        }
    }
}
