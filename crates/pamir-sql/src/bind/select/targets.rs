//! The SELECT list (and RETURNING): expressions with names, `*`, set-returning calls lifted below the projection.
use super::super::Binder;
use super::super::coerce::show;
use super::super::expr::output_name;
use super::super::group::{columns, same};
use super::super::scope::Scope;
use super::{Bound, Target};
use crate::func;
use crate::ir::{Expr, OutCol, Rel};
use crate::parser::{MARK, fold};
use pamir_types::{Error, Oid, Result, bail, err, oid};
use sqlparser::ast::{self, Spanned};

/// The most columns that rows of a query have (PostgreSQL's MaxTupleAttributeNumber); the protocol's number of columns has two bytes.
pub(super) const MAX_TARGETS: usize = 1664;
pub(super) fn too_many_targets() -> Error {
    err!(TOO_MANY_COLUMNS, "target lists can have at most {MAX_TARGETS} entries")
}

/// Does it end in the parser's mark for `.*`?
fn is_star(chain: &[ast::AccessExpr]) -> bool {
    matches!(chain.last(), Some(ast::AccessExpr::Dot(ast::Expr::Identifier(i))) if i.value.strip_prefix(MARK) == Some("*"))
}

impl Binder<'_, '_> {
    /// SELECT list or RETURNING: the expressions with names, `*` expanded.
    pub(in crate::bind) fn targets(&mut self, items: &[ast::SelectItem], what: &'static str) -> Result<Vec<Target>> {
        let mut out = Vec::with_capacity(items.len());
        for i in items {
            match i {
                ast::SelectItem::UnnamedExpr(ast::Expr::CompoundFieldAccess { root, access_chain })
                    if is_star(access_chain) =>
                {
                    self.fields_of(root, access_chain, &mut out)?;
                }
                ast::SelectItem::UnnamedExpr(e) => {
                    let x = self.expr(e)?;
                    let origin = if matches!(e, ast::Expr::Collate { .. }) { None } else { self.origin(&x) };
                    out.push(Target { name: output_name(e), e: x, origin });
                }
                ast::SelectItem::ExprWithAlias { expr, alias } => {
                    if alias.quote_style == Some('\'') {
                        let s = alias.span;
                        return Err(self.at(
                            err!(
                                SYNTAX_ERROR,
                                "syntax error at or near \"{}\"",
                                crate::parser::slice(self.cx.text, s.start, s.end)
                            ),
                            s,
                        ));
                    }
                    let e = self.expr(expr)?;
                    let origin = self.origin(&e);
                    out.push(Target { name: fold(alias), e, origin });
                }
                ast::SelectItem::Wildcard(w) => {
                    let Some(scope) = self.scopes.last() else {
                        bail!(SYNTAX_ERROR, "{what} * with no tables specified is not valid")
                    };
                    if scope.rtes.is_empty() {
                        let e = err!(SYNTAX_ERROR, "{what} * with no tables specified is not valid");
                        return Err(self.at(e, w.wildcard_token.0.span));
                    }
                    let t = star(scope);
                    self.note(&t, w.wildcard_token.0.span.start);
                    out.extend(t);
                }
                ast::SelectItem::QualifiedWildcard(ast::SelectItemQualifiedWildcardKind::ObjectName(n), w) => {
                    let parts = crate::parser::name_parts(n)?;
                    let (schema, table) = match parts.as_slice() {
                        [t] => (None, t.as_str()),
                        [s, t] | [_, s, t] => (Some(s.as_str()), t.as_str()),
                        _ => bail!(SYNTAX_ERROR, "improper qualified name"),
                    };
                    let found =
                        self.scopes.iter().enumerate().rev().find_map(|(i, s)| s.rte(schema, table).map(|r| (i, r)));
                    let Some((_, r)) = found else {
                        let e = self.missing_table(schema, table);
                        return Err(self.at(e, n.span()));
                    };
                    let t: Vec<Target> = r
                        .cols
                        .iter()
                        .map(|c| Target { e: c.expr.clone(), name: c.name.clone(), origin: c.origin })
                        .collect();
                    self.note(&t, w.wildcard_token.0.span.start);
                    out.extend(t);
                }
                ast::SelectItem::QualifiedWildcard(ast::SelectItemQualifiedWildcardKind::Expr(_), _) => {
                    return Err(Error::unsupported("expansion of a composite value"));
                }
                ast::SelectItem::ExprWithAliases { .. } => bail!(SYNTAX_ERROR, "syntax error at or near \"(\""),
            }
        }
        if out.len() > MAX_TARGETS {
            return Err(too_many_targets());
        }
        Ok(out)
    }

    /// `(row).*`: its fields, each a column.
    fn fields_of(&mut self, root: &ast::Expr, chain: &[ast::AccessExpr], out: &mut Vec<Target>) -> Result<()> {
        let base = match chain {
            [_] => self.expr(root)?,
            [before @ .., _] => self.access(root, before)?,
            [] => return Err(Error::internal("a star without its dot")),
        };
        let ty = base.ty();
        let Some(shape) = func::rowtype::fields(ty) else {
            if ty.oid == oid::RECORD {
                return Err(Error::unsupported("expansion of a record whose fields have no names"));
            }
            return Err(self.place(err!(WRONG_OBJECT_TYPE, "type {} is not composite", show(ty.oid)), root));
        };
        match self.row_fields(base) {
            Expr::Row(fields) if fields.len() == shape.len() => {
                for (e, (name, _)) in std::iter::zip(fields, shape.iter()) {
                    let origin = self.origin(&e);
                    out.push(Target { e, name: name.clone(), origin });
                }
            }
            row => {
                for (index, (name, ty)) in shape.iter().enumerate() {
                    let e = Expr::Field { record: Box::new(row.clone()), index, ty: *ty };
                    out.push(Target { e, name: name.clone(), origin: None });
                }
            }
        }
        Ok(())
    }

    /// Remembers references made by `*`.
    pub(super) fn note(&mut self, t: &[Target], loc: sqlparser::tokenizer::Location) {
        for x in t {
            let mut ids = Vec::new();
            columns(&x.e, &mut |c| ids.push(c));
            for id in ids {
                self.uses.select_id(id);
                self.level().refs.push((id, loc));
            }
        }
    }

    fn origin(&self, e: &Expr) -> Option<(Oid, i16)> {
        let Expr::Col(id, _) = e else { return None };
        /// pg_attribute's number of tableoid.
        const TABLEOID: i16 = -6;
        if let Some(t) =
            self.scopes.iter().flat_map(|s| &s.rtes).find(|r| r.tableoid == Some(*id)).and_then(|r| r.table.as_ref())
        {
            return Some((t.oid, TABLEOID));
        }
        self.scopes
            .iter()
            .rev()
            .flat_map(|s| &s.rtes)
            .flat_map(|r| &r.cols)
            .find(|c| matches!(c.expr, Expr::Col(x, _) if x == *id))
            .and_then(|c| c.origin)
    }

    pub(in crate::bind) fn project(&mut self, rel: Rel, mut targets: Vec<Target>) -> Bound {
        let rel = if self.level().has_srf { self.lift_sets(rel, &mut targets) } else { rel };
        let mut cols = Vec::with_capacity(targets.len());
        let mut exprs = Vec::with_capacity(targets.len());
        for t in targets {
            let mut o = self.out(t.name, t.e.ty());
            o.origin = t.origin;
            cols.push(o.clone());
            exprs.push((t.e, o));
        }
        Bound { rel: Rel::Project { input: Box::new(rel), exprs }, cols }
    }

    /// Set-returning calls inside of other expressions are computed by a projection of their own below, in step with each other.
    pub(super) fn lift_sets(&mut self, rel: Rel, targets: &mut [Target]) -> Rel {
        let nested = |e: &Expr| {
            let mut yes = false;
            crate::exec::expr::children(e, &mut |c| yes |= has_set_call(c));
            yes
        };
        if !targets.iter().any(|t| nested(&t.e)) || targets.iter().any(|t| crate::plan::rels::has_subquery(&t.e)) {
            return rel;
        }
        let mut below: Vec<(Expr, OutCol)> = Vec::new();
        for t in targets {
            self.lift(&mut t.e, &mut below);
        }
        Rel::Project { input: Box::new(rel), exprs: below }
    }

    fn lift(&mut self, e: &mut Expr, below: &mut Vec<(Expr, OutCol)>) {
        let set = matches!(e, Expr::Call { f, .. } if f.body.is_set());
        if !set && !matches!(e, Expr::Col(..)) {
            return crate::exec::expr::children_mut(e, &mut |c| self.lift(c, below));
        }
        let ty = e.ty();
        let known = below.iter().find(|b| !set && same(&b.0, e)).map(|b| b.1.id);
        let id = known.unwrap_or_else(|| {
            let o = self.out("?column?", ty);
            let id = o.id;
            below.push((e.clone(), o));
            id
        });
        *e = Expr::Col(id, ty);
    }
}

pub(in crate::bind) fn star(s: &Scope) -> Vec<Target> {
    s.star
        .iter()
        .map(|at| s.col(*at))
        .map(|c| Target { e: c.expr.clone(), name: c.name.clone(), origin: c.origin })
        .collect()
}

pub(super) fn has_set_call(e: &Expr) -> bool {
    let mut yes = matches!(e, Expr::Call { f, .. } if f.body.is_set());
    crate::exec::expr::children(e, &mut |c| yes |= has_set_call(c));
    yes
}
