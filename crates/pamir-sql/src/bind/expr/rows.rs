//! Tables' rows as types: `null::t`, `row(1, 'x')::t`.
//!
//! A table has no type of its own: its rows are records whose fields' names travel with the type ([`crate::func::rowtype`]), and so is the type of such a cast.
use super::super::Binder;
use super::super::scope::bare_row;
use super::super::types;
use crate::func;
use crate::ir::{CastHow, Expr};
use pamir_types::{Datum, Error, Result, Type, err};
use sqlparser::ast;

impl Binder<'_, '_> {
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

    /// A table's name as a type: its rows.
    pub(super) fn row_type(&mut self, t: &ast::DataType) -> Option<(Type, String)> {
        let ast::DataType::Custom(n, mods) = t else { return None };
        if !mods.is_empty() || types::bind_type(t, self.cx.catalog).is_ok() {
            return None;
        }
        let parts = crate::parser::name_parts(n).ok()?;
        let (schema, name) = match parts.as_slice() {
            [t] => (None, t.as_str()),
            [s, t] => (Some(s.as_str()), t.as_str()),
            _ => return None,
        };
        match self.cx.catalog.resolve(self.cx.scope, schema, name) {
            Ok(Some(crate::catalog::Relation::Table(t))) => {
                let ty = func::rowtype::of(t.live_columns().map(|c| (c.name.clone(), c.ty)).collect());
                Some((ty, t.name.clone()))
            }
            _ => None,
        }
    }
}
