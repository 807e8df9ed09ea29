//! Assignments to parts of a column: `SET a[2] = 5`, `SET a[1:2] = '{7,8}'`, `INSERT INTO t (a[1], a[2])`.
//!
//! The value of the whole column is computed from the value before: `a = set(set(a, 1, x), 2, y)`. In an UPDATE the innermost one is the row's column, in
//! an INSERT NULL. The parser hands the subscripts over as text in a marked name behind the column's (`parser::rewrite`).
use super::super::Binder;
use super::super::coerce::show;
use super::super::select::Target;
use crate::catalog::{Column, Table};
use crate::func::{self, CastContext};
use crate::ir::{Expr, Rel};
use crate::parser::MARK;
use crate::plan::rels::rel_cols;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use sqlparser::ast;

/// The subscripts behind a target's name, as written with their brackets.
pub(super) fn subscripts(n: &ast::ObjectName) -> Option<&str> {
    n.0.last().and_then(|p| p.as_ident()).and_then(|i| i.value.strip_prefix(MARK))
}

fn parse(subs: &str) -> Result<(Vec<ast::AccessExpr>, bool)> {
    let ast::Expr::CompoundFieldAccess { access_chain, .. } = crate::parser::parse_expr(&format!("a{subs}"))? else {
        bail!(SYNTAX_ERROR, "syntax error at or near \"[\"");
    };
    let slices = access_chain.iter().any(|a| matches!(a, ast::AccessExpr::Subscript(ast::Subscript::Slice { .. })));
    Ok((access_chain, slices))
}

/// The type of what is assigned to such a part of the column.
pub(super) fn part_type(subs: &str, c: &Column) -> Result<Type> {
    if c.ty.oid == oid::JSONB {
        return Err(Error::unsupported("assignment to a part of a column of type jsonb"));
    }
    let Some(elem) = c.ty.element() else {
        bail!(DATATYPE_MISMATCH, "cannot subscript type {} because it does not support subscripting", show(c.ty.oid));
    };
    Ok(if parse(subs)?.1 { c.ty } else { Type { typmod: c.ty.typmod, ..elem } })
}

impl Binder<'_, '_> {
    /// SET of a part: over the parts of the same column before it, or over the row's column.
    pub(super) fn set_part_of(
        &mut self,
        subs: &str,
        value: Expr,
        c: &Column,
        set: &mut Vec<(i16, Expr)>,
        parts: &mut Vec<i16>,
    ) -> Result<()> {
        Self::settable(c)?;
        let before = set.iter().position(|s| s.0 == c.attnum);
        let old = match before {
            Some(i) => set[i].1.clone(),
            // The target is the first of what SET sees.
            None => {
                let target = self.scopes.last().and_then(|s| s.rtes.first());
                match target.and_then(|r| r.cols.iter().find(|x| x.name == c.name)) {
                    Some(x) => x.expr.clone(),
                    None => return Err(Error::internal("SET without its target")),
                }
            }
        };
        let e = self.set_part(subs, value, c, old)?;
        match before {
            Some(i) => set[i].1 = e,
            None => {
                set.push((c.attnum, e));
                parts.push(c.attnum);
            }
        }
        Ok(())
    }

    /// INSERT's source with parts of columns put together: one value a column.
    pub(super) fn whole_columns(
        &mut self,
        source: Rel,
        columns: &mut Vec<i16>,
        cols: &mut Vec<Column>,
        written: &mut Vec<bool>,
        parts: &[(usize, &str)],
        table: &Table,
    ) -> Result<Rel> {
        let given = rel_cols(&source);
        let mut whole: Vec<(i16, Expr)> = Vec::new();
        let mut kept: Vec<(Column, bool)> = Vec::new();
        for (i, (o, attnum)) in std::iter::zip(&given, columns.iter()).enumerate() {
            let Some(c) = table.column(*attnum) else { return Err(Error::internal("INSERT into no column")) };
            let value = Expr::Col(o.id, o.ty);
            let Some((_, subs)) = parts.iter().find(|p| p.0 == i) else {
                whole.push((*attnum, value));
                kept.push((c.clone(), written[i]));
                continue;
            };
            if !written[i] {
                bail!(FEATURE_NOT_SUPPORTED, "cannot set an array element to DEFAULT");
            }
            match whole.iter().position(|w| w.0 == *attnum) {
                Some(at) => whole[at].1 = self.set_part(subs, value, c, whole[at].1.clone())?,
                None => {
                    let e = self.set_part(subs, value, c, Expr::Const(Datum::Null, c.ty))?;
                    whole.push((*attnum, e));
                    kept.push((c.clone(), true));
                }
            }
        }
        *columns = whole.iter().map(|w| w.0).collect();
        (*cols, *written) = kept.into_iter().unzip();
        let targets = std::iter::zip(whole, cols.iter())
            .map(|((_, e), c)| Target { e, name: c.name.clone(), origin: None })
            .collect();
        Ok(self.project(source, targets).rel)
    }

    /// `value` assigned to the part `subs` of `c`, whose value until then is `old`.
    pub(super) fn set_part(&mut self, subs: &str, value: Expr, c: &Column, old: Expr) -> Result<Expr> {
        if matches!(value, Expr::Default) {
            bail!(FEATURE_NOT_SUPPORTED, "cannot set an array element to DEFAULT");
        }
        let (access_chain, slices) = parse(subs)?;
        let wanted = part_type(subs, c)?;
        let from = value.ty().oid;
        let value = match self.try_coerce(value, wanted, CastContext::Assignment)? {
            Some(v) => v,
            None => {
                return Err(err!(
                    DATATYPE_MISMATCH,
                    "subscripted assignment to \"{}\" requires type {} but expression is of type {}",
                    c.name,
                    show(wanted.oid),
                    show(from)
                )
                .hint("You will need to rewrite or cast the expression."));
            }
        };
        let mut args = vec![old, value, Expr::Const(Datum::Bool(slices), Type::BOOL)];
        for a in &access_chain {
            match a {
                ast::AccessExpr::Subscript(ast::Subscript::Index { index }) => {
                    let upper = self.bound_of_part(Some(index))?;
                    args.push(if slices { Expr::Const(Datum::Int4(1), Type::INT4) } else { upper.clone() });
                    args.push(upper);
                }
                ast::AccessExpr::Subscript(ast::Subscript::Slice { lower_bound, upper_bound, stride: None }) => {
                    args.push(self.bound_of_part(lower_bound.as_ref())?);
                    args.push(self.bound_of_part(upper_bound.as_ref())?);
                }
                _ => bail!(SYNTAX_ERROR, "syntax error at or near \":\""),
            }
        }
        let Some(f) = func::functions(func::array_set::ASSIGN).first() else {
            return Err(Error::internal("array assignment is not registered"));
        };
        Ok(Expr::Call { f, args, ty: c.ty })
    }

    /// Its place is in a text of its own: errors have no position.
    fn bound_of_part(&mut self, e: Option<&ast::Expr>) -> Result<Expr> {
        let Some(e) = e else { return Ok(Expr::Const(Datum::Bool(false), Type::BOOL)) };
        let text = std::mem::take(&mut self.cx.text);
        let x = self.expr(e);
        self.cx.text = text;
        match self.try_coerce(x?, Type::INT4, CastContext::Assignment)? {
            Some(x) => Ok(x),
            None => bail!(DATATYPE_MISMATCH, "array subscript must have type integer"),
        }
    }
}
