//! Queries: SELECT, set operations, VALUES, WITH.
//!
//! A SELECT becomes, from the inside out:
//! ```text
//! plain:               FROM -> Filter -> [Aggregate -> Filter] -> Sort -> LockRows -> Limit -> Project
//! DISTINCT, or a sort
//! by a computed column: ...                               -> Project (+ hidden sort columns) -> Distinct -> Sort -> Limit [-> Project]
//! ```
use super::coerce::show;
use super::expr::output_name;
use super::group::{Grouping, children_mut, columns, same};
use super::scope::Scope;
use super::{Binder, CteName};
use crate::func::{self, CastContext};
use crate::ir::{ColId, Cte, Expr, LockTarget, Modify, ModifyOp, OutCol, Rel, SetOp, SortKey, SubqueryKind};
use crate::parser::{MARK, fold};
use pamir_txn::{RowLock, TableLock, WaitPolicy};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use sqlparser::ast::{self, SetExpr, Spanned};

/// A relation and its columns in order.
pub(super) struct Bound {
    pub rel: Rel,
    pub cols: Vec<OutCol>,
}

pub(super) struct Target {
    pub e: Expr,
    pub name: String,
    pub origin: Option<(Oid, i16)>,
}

enum Key {
    Target(usize),
    Expr(Expr),
}

impl Binder<'_, '_> {
    /// `hints`: the types an INSERT wants; `resolve`: leave no output column of type unknown.
    pub(super) fn query(&mut self, q: &ast::Query, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        let mark = self.with(q.with.as_ref())?;
        let r = self.query_body(q, hints, resolve);
        self.end_with(mark);
        r
    }

    /// WITH ... INSERT / UPDATE / DELETE.
    pub(super) fn dml_in_query(&mut self, q: &ast::Query) -> Result<Option<Modify>> {
        let stmt = match q.body.as_ref() {
            SetExpr::Insert(s) | SetExpr::Update(s) | SetExpr::Delete(s) => s,
            SetExpr::Merge(_) => return Err(Error::unsupported("MERGE")),
            _ => return Ok(None),
        };
        let mark = self.with(q.with.as_ref())?;
        let m = self.modify(stmt);
        self.end_with(mark);
        m.map(Some)
    }

    fn with(&mut self, w: Option<&ast::With>) -> Result<usize> {
        let mark = self.cte_names.len();
        for c in w.iter().flat_map(|w| &w.cte_tables) {
            self.cte(c, w.is_some_and(|w| w.recursive), mark)?;
        }
        Ok(mark)
    }
    fn end_with(&mut self, mark: usize) {
        for c in self.cte_names.drain(mark..) {
            if c.refs > 1 {
                self.ctes[c.index].materialize = true;
            }
        }
    }

    fn cte(&mut self, c: &ast::Cte, recursive: bool, mark: usize) -> Result<()> {
        let name = fold(&c.alias.name);
        if self.cte_names[mark..].iter().any(|x| x.name == name) {
            return Err(self
                .at(err!(DUPLICATE_ALIAS, "WITH query name \"{name}\" specified more than once"), c.alias.name.span));
        }
        let index = self.ctes.len();
        let materialize = matches!(c.materialized, Some(ast::CteAsMaterialized::Materialized));
        self.ctes.push(Cte { name: name.clone(), rel: Rel::One, cols: Vec::new(), recursive: false, materialize });
        let alias = |cols: &mut [OutCol]| -> Result<()> {
            if c.alias.columns.len() > cols.len() {
                bail!(
                    INVALID_COLUMN_REFERENCE,
                    "WITH query \"{name}\" has {} columns available but {} columns specified",
                    cols.len(),
                    c.alias.columns.len()
                );
            }
            for (o, a) in std::iter::zip(cols, &c.alias.columns) {
                o.name = fold(&a.name);
            }
            Ok(())
        };
        if let SetExpr::Insert(s) | SetExpr::Update(s) | SetExpr::Delete(s) = c.query.body.as_ref() {
            let inner = self.with(c.query.with.as_ref())?;
            let (m, _) = self.subquery_level(|b| b.modify(s))?;
            self.end_with(inner);
            let mut cols: Vec<OutCol> = m.returning.iter().flatten().map(|r| r.1.clone()).collect();
            alias(&mut cols)?;
            let ids = cols.clone();
            self.ctes[index] = Cte {
                name: name.clone(),
                rel: Rel::Modify(Box::new(m), ids),
                cols: cols.clone(),
                recursive: false,
                materialize: true,
            };
            self.cte_names.push(CteName { name, index, working: false, cols, refs: 0 });
            return Ok(());
        }
        if recursive
            && let SetExpr::SetOperation { left, op: ast::SetOperator::Union, set_quantifier, right } =
                c.query.body.as_ref()
            && c.query.order_by.is_none()
            && c.query.limit_clause.is_none()
            && c.query.with.is_none()
        {
            let (l, outer) = self.subquery_level(|b| b.set_expr(left, None, true))?;
            self.refuse_outer(&outer)?;
            let mut cols: Vec<OutCol> = l.cols.iter().map(|x| OutCol { origin: None, ..x.clone() }).collect();
            alias(&mut cols)?;
            self.cte_names.push(CteName { name: name.clone(), index, working: true, cols: cols.clone(), refs: 0 });
            let (mut r, outer) = self.subquery_level(|b| b.set_expr(right, None, false))?;
            self.refuse_outer(&outer)?;
            let used = self.cte_names.pop().map_or(0, |c| c.refs);
            if used > 1 {
                bail!(INVALID_RECURSION, "recursive reference to query \"{name}\" must not appear more than once");
            }
            if l.cols.len() != r.cols.len() {
                bail!(SYNTAX_ERROR, "each UNION query must have the same number of columns");
            }
            for (i, (a, b)) in std::iter::zip(&l.cols, &r.cols).enumerate() {
                let common = super::coerce::common_type(&[a.ty.oid, b.ty.oid]).map_err(|(x, y)| {
                    err!(DATATYPE_MISMATCH, "UNION types {} and {} cannot be matched", show(x), show(y))
                })?;
                if common != a.ty.oid {
                    let item = match left.as_ref() {
                        SetExpr::Select(s) => s.projection.get(i).map(|p| p.span()),
                        _ => None,
                    };
                    let pos = item.and_then(|s| self.position(s.start));
                    return Err(err!(
                        DATATYPE_MISMATCH,
                        "recursive query \"{name}\" column {} has type {} in non-recursive term but type {} overall",
                        i + 1,
                        show(a.ty.oid),
                        show(common)
                    )
                    .hint("Cast the output of the non-recursive term to the correct type.")
                    .at(pos));
                }
            }
            let want: Vec<Type> = l.cols.iter().map(|c| c.ty).collect();
            self.retype(&mut r, &want)?;
            let all = *set_quantifier == ast::SetQuantifier::All;
            let out: Vec<OutCol> = cols.iter().map(|c| OutCol { id: self.new_col(), ..c.clone() }).collect();
            let rel =
                Rel::SetOp { op: SetOp::Union, all, left: Box::new(l.rel), right: Box::new(r.rel), cols: out.clone() };
            self.ctes[index] = Cte {
                name: name.clone(),
                rel,
                cols: out.clone(),
                recursive: used > 0,
                materialize: materialize || used > 0,
            };
            self.cte_names.push(CteName { name, index, working: false, cols: out, refs: 0 });
            return Ok(());
        }
        let (b, outer) = self.subquery_level(|b| b.query(&c.query, None, true)).map_err(|e| {
            let missing = format!("relation \"{name}\" does not exist");
            if recursive && e.code() == pamir_types::error::state::UNDEFINED_TABLE && e.message() == missing {
                return err!(
                    INVALID_RECURSION,
                    "recursive query \"{name}\" does not have the form non-recursive-term UNION [ALL] recursive-term"
                );
            }
            e
        })?;
        self.refuse_outer(&outer)?;
        let mut cols = b.cols;
        alias(&mut cols)?;
        let volatile = materialize || self.volatile;
        self.ctes[index] =
            Cte { name: name.clone(), rel: b.rel, cols: cols.clone(), recursive: false, materialize: volatile };
        self.cte_names.push(CteName { name, index, working: false, cols, refs: 0 });
        Ok(())
    }
    fn refuse_outer(&self, outer: &[ColId]) -> Result<()> {
        if outer.is_empty() {
            Ok(())
        } else {
            Err(Error::unsupported("a WITH query that uses columns of an outer query"))
        }
    }

    fn query_body(&mut self, q: &ast::Query, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        if q.for_clause.is_some() || q.settings.is_some() || q.format_clause.is_some() || !q.pipe_operators.is_empty() {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        if let SetExpr::Select(s) = q.body.as_ref() {
            return self.select(s, Some(q), hints, resolve);
        }
        if !q.locks.is_empty() {
            let what = match q.body.as_ref() {
                SetExpr::Values(_) => "FOR UPDATE cannot be applied to VALUES",
                SetExpr::SetOperation { .. } => "FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT",
                _ => return Err(Error::unsupported("row locks on a parenthesized query")),
            };
            bail!(FEATURE_NOT_SUPPORTED, "{what}");
        }
        let sorted = q.order_by.is_some();
        let mut b = self.set_expr(&q.body, if sorted { None } else { hints }, resolve || sorted)?;
        if let Some(o) = &q.order_by {
            let ast::OrderByKind::Expressions(items) = &o.kind else {
                bail!(SYNTAX_ERROR, "syntax error at or near \"ALL\"")
            };
            let mut keys = Vec::new();
            for i in items {
                let at = match &i.expr {
                    ast::Expr::Value(v) if matches!(v.value, ast::Value::Number(..)) => {
                        self.ordinal(v, b.cols.len(), "ORDER BY")?
                    }
                    ast::Expr::Identifier(id) => {
                        let n = fold(id);
                        let mut hits = b.cols.iter().enumerate().filter(|c| c.1.name == n);
                        match (hits.next(), hits.next()) {
                            (Some((i, _)), None) => i,
                            (Some(_), Some(_)) => {
                                return Err(self.at(err!(AMBIGUOUS_COLUMN, "ORDER BY \"{n}\" is ambiguous"), id.span));
                            }
                            _ => return Err(self.at(err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"), id.span)),
                        }
                    }
                    e => {
                        return Err(self.place(
                            err!(FEATURE_NOT_SUPPORTED, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause")
                                .detail("Only result column names can be used, not expressions or functions.")
                                .hint("Add the expression/function to every SELECT, or move the UNION into a FROM clause."),
                            e,
                        ));
                    }
                };
                let c = &b.cols[at];
                keys.push(self.sort_key(Expr::Col(c.id, c.ty), &i.options)?);
            }
            b.rel = Rel::Sort { input: Box::new(b.rel), keys };
        }
        b.rel = self.limit(q, b.rel)?;
        Ok(b)
    }

    fn limit(&mut self, q: &ast::Query, rel: Rel) -> Result<Rel> {
        let (mut limit, mut offset, mut with_ties) = (None, None, false);
        match &q.limit_clause {
            Some(ast::LimitClause::LimitOffset { limit: l, offset: o, limit_by }) => {
                if !limit_by.is_empty() {
                    bail!(SYNTAX_ERROR, "syntax error at or near \"BY\"");
                }
                if let Some(l) = l {
                    limit = self.row_count(l, "LIMIT")?;
                }
                if let Some(o) = o {
                    offset = self.row_count(&o.value, "OFFSET")?;
                }
            }
            Some(ast::LimitClause::OffsetCommaLimit { .. }) => {
                return Err(err!(SYNTAX_ERROR, "LIMIT #,# syntax is not supported")
                    .hint("Use separate LIMIT and OFFSET clauses."));
            }
            None => {}
        }
        if let Some(f) = &q.fetch {
            if f.percent {
                bail!(SYNTAX_ERROR, "syntax error at or near \"PERCENT\"");
            }
            with_ties = f.with_ties;
            if with_ties && q.order_by.is_none() {
                bail!(SYNTAX_ERROR, "WITH TIES cannot be specified without ORDER BY clause");
            }
            limit = match &f.quantity {
                Some(e) => self.row_count(e, "LIMIT")?,
                None => Some(Expr::Const(Datum::Int8(1), Type::INT8)),
            };
        }
        Ok(if limit.is_some() || offset.is_some() {
            Rel::Limit { input: Box::new(rel), limit, offset, with_ties }
        } else {
            rel
        })
    }

    pub(super) fn set_expr(&mut self, s: &SetExpr, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
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
            let t = super::coerce::common_type(&[a.ty.oid, b.ty.oid]).map_err(|(x, y)| {
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

    fn values(&mut self, v: &ast::Values, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        let width = v.rows.first().map_or(0, |r| r.len());
        let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(v.rows.len());
        for r in &v.rows {
            if r.len() != width {
                let e = err!(SYNTAX_ERROR, "VALUES lists must all be the same length");
                return Err(match r.first() {
                    Some(x) => self.place(e, x),
                    None => e,
                });
            }
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

    /// Set-returning calls inside of other expressions are computed by a projection of their own below, in step with each other.
    fn lift_sets(&mut self, rel: Rel, targets: &mut [Target]) -> Rel {
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
        let set = matches!(e, Expr::Call { f, .. } if matches!(f.body, func::Body::Set(_)));
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

    pub(super) fn project(&mut self, rel: Rel, mut targets: Vec<Target>) -> Bound {
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

    /// Converts output columns to `want`, inside the projection where there is one.
    pub(super) fn retype(&mut self, b: &mut Bound, want: &[Type]) -> Result<()> {
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

    /// SELECT list or RETURNING: the expressions with names, `*` expanded.
    pub(super) fn targets(&mut self, items: &[ast::SelectItem], what: &'static str) -> Result<Vec<Target>> {
        let mut out = Vec::with_capacity(items.len());
        for i in items {
            match i {
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
        Ok(out)
    }
    /// Remembers references made by `*`.
    fn note(&mut self, t: &[Target], loc: sqlparser::tokenizer::Location) {
        for x in t {
            let mut ids = Vec::new();
            columns(&x.e, &mut |c| ids.push(c));
            for id in ids {
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

    fn ordinal(&self, v: &ast::ValueWithSpan, n: usize, what: &str) -> Result<usize> {
        let ast::Value::Number(s, _) = &v.value else { bail!(SYNTAX_ERROR, "non-integer constant in {what}") };
        match s.parse::<usize>() {
            Ok(i) if (1..=n).contains(&i) => Ok(i - 1),
            Ok(i) => Err(self.at(err!(INVALID_COLUMN_REFERENCE, "{what} position {i} is not in select list"), v.span)),
            Err(_) => Err(self.at(err!(SYNTAX_ERROR, "non-integer constant in {what}"), v.span)),
        }
    }

    fn condition(&mut self, e: &ast::Expr, what: &'static str) -> Result<Expr> {
        let was = (self.level().no_agg.replace(what), self.level().no_srf.replace(what));
        let r = self.expr(e).and_then(|x| self.to_bool(x, what).map_err(|x| self.place(x, e)));
        (self.level().no_agg, self.level().no_srf) = was;
        r
    }

    fn select(
        &mut self,
        s: &ast::Select,
        q: Option<&ast::Query>,
        hints: Option<&[Type]>,
        resolve: bool,
    ) -> Result<Bound> {
        if s.into.is_some() {
            return Err(Error::unsupported("SELECT INTO"));
        }
        if s.top.is_some()
            || !s.lateral_views.is_empty()
            || s.prewhere.is_some()
            || s.qualify.is_some()
            || !s.connect_by.is_empty()
            || !s.cluster_by.is_empty()
        {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        let first = self.next_col;
        let was = self.level().no_agg.replace("FROM");
        let r = self.from(&s.from);
        self.level().no_agg = was;
        let (rel, scope) = r?;
        let end = self.next_col;
        let sub = self.sub_scope(scope);
        let r = self.window_clause(&s.named_window);
        let r = r.and_then(|()| self.select_body(s, q, hints, resolve, rel, first..end));
        self.leave(sub);
        r
    }

    fn select_body(
        &mut self,
        s: &ast::Select,
        q: Option<&ast::Query>,
        hints: Option<&[Type]>,
        resolve: bool,
        mut rel: Rel,
        from: std::ops::Range<ColId>,
    ) -> Result<Bound> {
        self.level().window_ok = true;
        let targets = self.targets(&s.projection, "SELECT");
        self.level().window_ok = false;
        let mut targets = targets?;
        for (i, t) in targets.iter_mut().enumerate() {
            if t.e.ty().oid != oid::UNKNOWN {
                continue;
            }
            if matches!(t.e, Expr::Default) {
                let e = err!(SYNTAX_ERROR, "DEFAULT is not allowed in this context");
                return Err(match s.projection.get(i) {
                    Some(p) => self.at(e, p.span()),
                    None => e,
                });
            }
            let e = std::mem::replace(&mut t.e, Expr::Default);
            t.e = match hints.and_then(|h| h.get(i)) {
                Some(h) => self.coerce(e, *h, CastContext::Assignment).map_err(|e| match s.projection.get(i) {
                    Some(p) => self.at(e, p.span()),
                    None => e,
                })?,
                None if resolve => self.known(e)?,
                None => e,
            };
        }
        if let Some(w) = &s.selection {
            let cond = self.condition(w, "WHERE")?;
            rel = Rel::Filter { input: Box::new(rel), cond };
        }
        let mut having = match &s.having {
            Some(h) => {
                self.level().no_window = Some("HAVING");
                let e = self.expr(h);
                self.level().no_window = None;
                Some(self.to_bool(e?, "HAVING").map_err(|e| self.place(e, h))?)
            }
            None => None,
        };
        // ORDER BY
        let mut keys: Vec<(Key, ast::OrderByOptions)> = Vec::new();
        let mut key_spans = Vec::new();
        if let Some(o) = q.and_then(|q| q.order_by.as_ref()) {
            let ast::OrderByKind::Expressions(items) = &o.kind else {
                bail!(SYNTAX_ERROR, "syntax error at or near \"ALL\"")
            };
            for i in items {
                self.level().window_ok = true;
                let k = self.order_item(&i.expr, &targets);
                self.level().window_ok = false;
                let k = k?;
                if let Key::Expr(e) = &k
                    && let Expr::Const(..) = e
                    && matches!(&i.expr, ast::Expr::Value(_))
                {
                    return Err(self.place(err!(SYNTAX_ERROR, "non-integer constant in ORDER BY"), &i.expr));
                }
                key_spans.push(i.expr.span());
                keys.push((k, i.options.clone()));
            }
        }
        // GROUP BY
        let (mut groups, sets, dependent) = self.group_by(&s.group_by, &targets)?;
        let aggregated = !groups.is_empty() || !sets.is_empty() || having.is_some() || !self.level().aggs.is_empty();
        let distinct = match &s.distinct {
            None | Some(ast::Distinct::All) => None,
            Some(ast::Distinct::Distinct) => Some(None),
            Some(ast::Distinct::On(on)) => Some(Some(on)),
        };
        let locks = q.map(|q| q.locks.as_slice()).unwrap_or(&[]);
        let has_srf = self.level().has_srf;
        // Row locks
        if !locks.is_empty() {
            for (bad, what) in [
                (distinct.is_some(), "DISTINCT clause"),
                (!s.group_by_is_empty(), "GROUP BY clause"),
                (s.having.is_some(), "HAVING clause"),
                (aggregated, "aggregate functions"),
                (has_srf, "set-returning functions in the target list"),
            ] {
                if bad {
                    bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with {what}", lock_name(&locks[0]));
                }
            }
        }
        if aggregated {
            let mut g = Grouping { groups: &mut groups, from: from.clone(), dependent: dependent && sets.is_empty() };
            for t in &mut targets {
                self.above_groups(&mut t.e, &mut g)?;
            }
            if let Some(h) = &mut having {
                self.above_groups(h, &mut g)?;
            }
            for (k, _) in &mut keys {
                if let Key::Expr(e) = k {
                    self.above_groups(e, &mut g)?;
                }
            }
            let mut windows = std::mem::take(&mut self.level().windows);
            for w in &mut windows {
                w.try_exprs_mut(&mut |e| self.above_groups(e, &mut g))?;
            }
            self.level().windows = windows;
            // GROUPING(): bits of the keys absent from the set; only 0 without sets.
            let grouping = std::mem::take(&mut self.level().grouping);
            if !grouping.is_empty() {
                if !sets.is_empty() {
                    return Err(Error::unsupported("GROUPING()"));
                }
                let ids: Vec<ColId> = grouping.iter().map(|g| g.0).collect();
                for t in &mut targets {
                    zero(&mut t.e, &ids)?;
                }
                if let Some(h) = &mut having {
                    zero(h, &ids)?;
                }
            }
            let aggs = std::mem::take(&mut self.level().aggs);
            rel = Rel::Aggregate { input: Box::new(rel), groups, aggs, sets };
            if let Some(cond) = having {
                rel = Rel::Filter { input: Box::new(rel), cond };
            }
        } else if !self.level().grouping.is_empty() {
            bail!(GROUPING_ERROR, "arguments to GROUPING must be grouping expressions of the associated query level");
        }
        let windows = std::mem::take(&mut self.level().windows);
        let windowed = !windows.is_empty();
        if windowed {
            rel = Rel::Window { input: Box::new(rel), calls: windows };
        }
        if windowed && !locks.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with window functions", lock_name(&locks[0]));
        }
        let mut lock_targets = Vec::new();
        if !locks.is_empty() {
            for l in locks {
                self.lock_clause(l, &mut rel, &mut lock_targets)?;
            }
        }
        // Expressions of the keys.
        let below = distinct.is_none()
            && !has_srf
            && (!locks.is_empty()
                || keys.iter().all(|(k, _)| {
                    matches!(k, Key::Expr(_)) || matches!(k, Key::Target(i) if matches!(targets[*i].e, Expr::Col(..)))
                }));
        if below {
            if !keys.is_empty() {
                let mut v = Vec::with_capacity(keys.len());
                for (k, o) in keys {
                    let e = match k {
                        Key::Target(i) => targets[i].e.clone(),
                        Key::Expr(e) => self.known(e)?,
                    };
                    v.push(self.sort_key(e, &o)?);
                }
                rel = Rel::Sort { input: Box::new(rel), keys: v };
            }
            if !lock_targets.is_empty() {
                rel = Rel::LockRows { input: Box::new(rel), targets: lock_targets };
            }
            if let Some(q) = q {
                rel = self.limit(q, rel)?;
            }
            return Ok(self.project(rel, targets));
        }
        let visible = targets.len();
        let mut sort = Vec::with_capacity(keys.len());
        for (n, (k, o)) in keys.into_iter().enumerate() {
            let i = match k {
                Key::Target(i) => i,
                Key::Expr(e) => {
                    let e = self.known(e)?;
                    match targets.iter().position(|t| same(&t.e, &e)) {
                        Some(i) => i,
                        None => {
                            if matches!(distinct, Some(None)) {
                                return Err(self.at(
                                    err!(
                                        INVALID_COLUMN_REFERENCE,
                                        "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
                                    ),
                                    key_spans[n],
                                ));
                            }
                            targets.push(Target { e, name: "?column?".into(), origin: None });
                            targets.len() - 1
                        }
                    }
                }
            };
            sort.push((i, o));
        }
        let mut on_keys = Vec::new();
        if let Some(Some(on)) = distinct {
            for e in on.iter() {
                let i = match self.order_item_for(e, &targets[..visible.min(targets.len())], "SELECT DISTINCT ON")? {
                    Key::Target(i) => i,
                    Key::Expr(x) => {
                        let x = self.known(x)?;
                        match targets.iter().position(|t| same(&t.e, &x)) {
                            Some(i) => i,
                            None => {
                                targets.push(Target { e: x, name: "?column?".into(), origin: None });
                                targets.len() - 1
                            }
                        }
                    }
                };
                if !on_keys.contains(&i) {
                    on_keys.push(i);
                }
            }
            // The leading sort keys must be the ON expressions, in any order.
            let n = sort.len().min(on_keys.len());
            if sort[..n].iter().any(|k| !on_keys.contains(&k.0)) {
                let e = err!(
                    INVALID_COLUMN_REFERENCE,
                    "SELECT DISTINCT ON expressions must match initial ORDER BY expressions"
                );
                return Err(match on.first() {
                    Some(x) => self.place(e, x),
                    None => e,
                });
            }
        }
        let b = self.project(rel, targets);
        let (mut rel, mut cols) = (b.rel, b.cols);
        let col = |i: usize| Expr::Col(cols[i].id, cols[i].ty);
        if distinct.is_some() {
            let over: Vec<usize> = if on_keys.is_empty() { (0..visible).collect() } else { on_keys.clone() };
            for i in over {
                if func::equality(cols[i].ty.oid).is_none() && cols[i].ty.oid != oid::RECORD && !cols[i].ty.is_array() {
                    bail!(
                        UNDEFINED_FUNCTION,
                        "could not identify an equality operator for type {}",
                        show(cols[i].ty.oid)
                    );
                }
            }
        }
        if matches!(distinct, Some(None)) {
            rel = Rel::Distinct { input: Box::new(rel), on: None };
        }
        if !sort.is_empty() {
            let mut v: Vec<SortKey> = Vec::with_capacity(sort.len());
            for (i, o) in sort {
                let e = col(i);
                v.push(self.sort_key(e, &o)?);
            }
            rel = Rel::Sort { input: Box::new(rel), keys: v };
        }
        if matches!(distinct, Some(Some(_))) {
            rel = Rel::Distinct {
                input: Box::new(rel),
                on: Some(on_keys.iter().map(|i| Expr::Col(cols[*i].id, cols[*i].ty)).collect()),
            };
        }
        if let Some(q) = q {
            rel = self.limit(q, rel)?;
        }
        if cols.len() > visible {
            cols.truncate(visible);
            let t = cols
                .iter()
                .map(|c| Target { e: Expr::Col(c.id, c.ty), name: c.name.clone(), origin: c.origin })
                .collect();
            return Ok(self.project(rel, t));
        }
        Ok(Bound { rel, cols })
    }

    fn order_item(&mut self, e: &ast::Expr, targets: &[Target]) -> Result<Key> {
        self.order_item_for(e, targets, "ORDER BY")
    }
    fn order_item_for(&mut self, e: &ast::Expr, targets: &[Target], what: &str) -> Result<Key> {
        match e {
            ast::Expr::Value(v) if matches!(v.value, ast::Value::Number(..)) => {
                return Ok(Key::Target(self.ordinal(v, targets.len(), what)?));
            }
            ast::Expr::Value(v) if !matches!(v.value, ast::Value::Placeholder(_) | ast::Value::Null) => {
                return Err(self.at(err!(SYNTAX_ERROR, "non-integer constant in {what}"), v.span));
            }
            ast::Expr::Identifier(id) => {
                let n = fold(id);
                let mut hits = targets.iter().enumerate().filter(|t| t.1.name == n);
                if let Some((i, t)) = hits.next() {
                    if hits.any(|h| !same(&h.1.e, &t.e)) {
                        return Err(self.at(err!(AMBIGUOUS_COLUMN, "{what} \"{n}\" is ambiguous"), id.span));
                    }
                    return Ok(Key::Target(i));
                }
            }
            _ => {}
        }
        let x = self.expr(e)?;
        Ok(match targets.iter().position(|t| same(&t.e, &x)) {
            Some(i) => Key::Target(i),
            None => Key::Expr(x),
        })
    }

    /// The grouping expressions, the sets, and whether it is a plain list.
    #[allow(clippy::type_complexity)]
    fn group_by(
        &mut self,
        g: &ast::GroupByExpr,
        targets: &[Target],
    ) -> Result<(Vec<(Expr, OutCol)>, Vec<Vec<usize>>, bool)> {
        let mut groups: Vec<(Expr, OutCol)> = Vec::new();
        let ast::GroupByExpr::Expressions(items, modifiers) = g else {
            return Err(Error::unsupported("GROUP BY ALL"));
        };
        let mut elements: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut special = false;
        let all = items.iter().chain(
            modifiers
                .iter()
                .filter_map(|m| if let ast::GroupByWithModifier::GroupingSets(e) = m { Some(e) } else { None }),
        );
        for item in all {
            match item {
                ast::Expr::Rollup(sets) => {
                    special = true;
                    let parts = self.group_lists(sets, targets, &mut groups)?;
                    elements.push((0..=parts.len()).rev().map(|n| parts[..n].concat()).collect());
                }
                ast::Expr::Cube(sets) => {
                    special = true;
                    let parts = self.group_lists(sets, targets, &mut groups)?;
                    /// PostgreSQL's limit.
                    const MAX_CUBE: usize = 12;
                    if parts.len() > MAX_CUBE {
                        bail!(TOO_MANY_COLUMNS, "CUBE is limited to {MAX_CUBE} elements");
                    }
                    let n = parts.len();
                    elements.push(
                        (0..1usize << n)
                            .rev()
                            .map(|bits| {
                                (0..n).filter(|i| bits >> (n - 1 - i) & 1 == 1).flat_map(|i| parts[i].clone()).collect()
                            })
                            .collect(),
                    );
                }
                ast::Expr::GroupingSets(sets) => {
                    special = true;
                    let mut lists = Vec::new();
                    for s in sets {
                        match s.as_slice() {
                            [ast::Expr::Rollup(inner)] => {
                                let parts = self.group_lists(inner, targets, &mut groups)?;
                                lists.extend((0..=parts.len()).rev().map(|n| parts[..n].concat()));
                            }
                            [ast::Expr::Cube(inner)] => {
                                let parts = self.group_lists(inner, targets, &mut groups)?;
                                let n = parts.len();
                                lists.extend((0..1usize << n).rev().map(|bits| {
                                    (0..n)
                                        .filter(|i| bits >> (n - 1 - i) & 1 == 1)
                                        .flat_map(|i| parts[i].clone())
                                        .collect::<Vec<_>>()
                                }));
                            }
                            _ => lists.extend(self.group_lists(std::slice::from_ref(s), targets, &mut groups)?),
                        }
                    }
                    elements.push(lists);
                }
                ast::Expr::Tuple(es) if es.is_empty() => {
                    special = true;
                    elements.push(vec![vec![]]);
                }
                ast::Expr::Tuple(es) => {
                    let l = self.group_lists(std::slice::from_ref(es), targets, &mut groups)?;
                    elements.push(l);
                }
                e => {
                    let i = self.group_item(e, targets, &mut groups)?;
                    elements.push(vec![vec![i]]);
                }
            }
        }
        if !special {
            return Ok((groups, Vec::new(), true));
        }
        // The cross product of the elements.
        let mut sets: Vec<Vec<usize>> = vec![vec![]];
        for e in elements {
            sets = sets
                .iter()
                .flat_map(|s| {
                    e.iter().map(move |x| {
                        let mut v = s.clone();
                        v.extend(x.iter().filter(|i| !s.contains(i)));
                        v
                    })
                })
                .collect();
        }
        for s in &mut sets {
            let mut seen = Vec::new();
            s.retain(|i| {
                let new = !seen.contains(i);
                seen.push(*i);
                new
            });
        }
        Ok((groups, sets, false))
    }
    fn group_lists(
        &mut self,
        lists: &[Vec<ast::Expr>],
        targets: &[Target],
        groups: &mut Vec<(Expr, OutCol)>,
    ) -> Result<Vec<Vec<usize>>> {
        let mut out = Vec::new();
        for l in lists {
            let mut v = Vec::new();
            for e in l {
                match e {
                    ast::Expr::Tuple(es) => {
                        for e in es {
                            v.push(self.group_item(e, targets, groups)?);
                        }
                    }
                    ast::Expr::Nested(e) => v.push(self.group_item(e, targets, groups)?),
                    e => v.push(self.group_item(e, targets, groups)?),
                }
            }
            out.push(v);
        }
        Ok(out)
    }
    fn group_item(&mut self, e: &ast::Expr, targets: &[Target], groups: &mut Vec<(Expr, OutCol)>) -> Result<usize> {
        let was = (self.level().no_agg.replace("GROUP BY"), self.level().no_srf.replace("GROUP BY"));
        let bound = match e {
            ast::Expr::Value(v) if matches!(v.value, ast::Value::Number(..)) => {
                self.ordinal(v, targets.len(), "GROUP BY").map(|i| targets[i].e.clone())
            }
            ast::Expr::Value(v) if !matches!(v.value, ast::Value::Placeholder(_) | ast::Value::Null) => {
                Err(self.at(err!(SYNTAX_ERROR, "non-integer constant in GROUP BY"), v.span))
            }
            ast::Expr::Identifier(id) => match self.local_column(&fold(id)) {
                // An input column comes before an output name.
                true => self.column(id),
                false => {
                    let n = fold(id);
                    match targets.iter().find(|t| t.name == n) {
                        Some(t) => Ok(t.e.clone()),
                        None => self.column(id),
                    }
                }
            },
            e => self.expr(e),
        };
        (self.level().no_agg, self.level().no_srf) = was;
        let bound = self.known(bound?)?;
        let aggs: Vec<ColId> = self.level().aggs.iter().map(|a| a.out.id).collect();
        let mut has_agg = false;
        columns(&bound, &mut |c| has_agg |= aggs.contains(&c));
        if has_agg {
            return Err(self.place(err!(GROUPING_ERROR, "aggregate functions are not allowed in GROUP BY"), e));
        }
        if func::equality(bound.ty().oid).is_none() && !bound.ty().is_array() && bound.ty().oid != oid::RECORD {
            return Err(self.place(
                err!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(bound.ty().oid)),
                e,
            ));
        }
        if let Some(i) = groups.iter().position(|g| same(&g.0, &bound)) {
            return Ok(i);
        }
        let out = self.out(output_name(e), bound.ty());
        groups.push((bound, out));
        Ok(groups.len() - 1)
    }
    fn local_column(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|s| s.star.iter().any(|at| s.col(*at).name == name))
    }

    fn lock_clause(&mut self, l: &ast::LockClause, rel: &mut Rel, out: &mut Vec<LockTarget>) -> Result<()> {
        let mut names = Vec::new();
        let mut mode = match l.lock_type {
            ast::LockType::Share => RowLock::Share,
            ast::LockType::Update => RowLock::Update,
        };
        for p in l.of.iter().flat_map(|n| &n.0).filter_map(|p| p.as_ident()) {
            match p.value.strip_prefix(MARK) {
                Some("lock:u") => mode = RowLock::Update,
                Some("lock:n") => mode = RowLock::NoKeyUpdate,
                Some("lock:s") => mode = RowLock::Share,
                Some("lock:k") => mode = RowLock::KeyShare,
                _ => names.push((fold(p), p.span)),
            }
        }
        let wait = match l.nonblock {
            None => WaitPolicy::Block,
            Some(ast::NonBlock::Nowait) => WaitPolicy::NoWait,
            Some(ast::NonBlock::SkipLocked) => WaitPolicy::Skip,
        };
        for (n, span) in &names {
            let Some(r) = self.scopes.last().and_then(|s| s.rte(None, n)) else {
                let e =
                    err!(UNDEFINED_TABLE, "relation \"{n}\" in {} clause not found in FROM clause", lock_mode(mode));
                return Err(self.at(e, *span));
            };
            if r.table.is_none() {
                return Err(Error::unsupported(format!("{} of something other than a table", lock_mode(mode))));
            }
        }
        let names: Vec<String> = names.into_iter().map(|n| n.0).collect();
        self.lock_tables(rel, &names, mode, wait, false, out)
    }

    fn lock_tables(
        &mut self,
        rel: &mut Rel,
        names: &[String],
        mode: RowLock,
        wait: WaitPolicy,
        nullable: bool,
        out: &mut Vec<LockTarget>,
    ) -> Result<()> {
        match rel {
            Rel::Table { table, alias, cols, key, lock, .. } => {
                if !names.is_empty() && !names.contains(alias) {
                    return Ok(());
                }
                if nullable {
                    bail!(
                        FEATURE_NOT_SUPPORTED,
                        "{} cannot be applied to the nullable side of an outer join",
                        lock_mode(mode)
                    );
                }
                let id = match *key {
                    Some(k) => k,
                    None => {
                        let k = self.next_col;
                        self.next_col += 1;
                        *key = Some(k);
                        k
                    }
                };
                // The stronger of two clauses wins; NOWAIT over SKIP over waiting.
                let (mode, wait) = match *lock {
                    Some((m, w)) => (
                        m.max(mode),
                        if w == WaitPolicy::NoWait || wait == WaitPolicy::NoWait {
                            WaitPolicy::NoWait
                        } else if w == WaitPolicy::Skip {
                            w
                        } else {
                            wait
                        },
                    ),
                    None => (mode, wait),
                };
                *lock = Some((mode, wait));
                let t = table.clone();
                let cols = cols.iter().map(|(n, c)| (*n, c.id)).collect();
                self.use_table(&t, TableLock::RowShare);
                out.retain(|x| x.key != id);
                out.push(LockTarget { table: t, key: id, mode, wait, cols });
                Ok(())
            }
            Rel::Join { kind, left, right, .. } => {
                use crate::ir::JoinKind::*;
                let (l, r) = (matches!(kind, Right | Full), matches!(kind, Left | Full));
                self.lock_tables(left, names, mode, wait, nullable || l, out)?;
                self.lock_tables(right, names, mode, wait, nullable || r, out)
            }
            Rel::Filter { input, .. } => self.lock_tables(input, names, mode, wait, nullable, out),
            // Nothing that could be locked.
            Rel::One
            | Rel::Values { .. }
            | Rel::FunctionScan { .. }
            | Rel::Virtual { .. }
            | Rel::CteScan { .. }
            | Rel::WorkTable { .. }
            | Rel::Modify(..) => Ok(()),
            r if !names.is_empty() => {
                let _ = r;
                Ok(())
            }
            // PostgreSQL locks inside subqueries too; what it refuses there has its message, the rest is not there yet.
            r => {
                let mut at = &*r;
                loop {
                    at = match at {
                        Rel::Aggregate { groups, .. } => {
                            let what = if groups.is_empty() { "aggregate functions" } else { "GROUP BY clause" };
                            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with {what}", lock_mode(mode));
                        }
                        Rel::Distinct { .. } => {
                            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with DISTINCT clause", lock_mode(mode))
                        }
                        Rel::SetOp { .. } => bail!(
                            FEATURE_NOT_SUPPORTED,
                            "{} is not allowed with UNION/INTERSECT/EXCEPT",
                            lock_mode(mode)
                        ),
                        Rel::One | Rel::Values { .. } | Rel::FunctionScan { .. } | Rel::CteScan { .. } => return Ok(()),
                        Rel::Project { input, .. }
                        | Rel::Filter { input, .. }
                        | Rel::Sort { input, .. }
                        | Rel::Limit { input, .. } => input,
                        _ => return Err(Error::unsupported(format!("{} of a subquery in FROM", lock_mode(mode)))),
                    };
                }
            }
        }
    }
}

trait GroupByIsEmpty {
    fn group_by_is_empty(&self) -> bool;
}
impl GroupByIsEmpty for ast::Select {
    fn group_by_is_empty(&self) -> bool {
        matches!(&self.group_by, ast::GroupByExpr::Expressions(e, m) if e.is_empty() && m.is_empty())
    }
}

fn lock_mode(m: RowLock) -> &'static str {
    match m {
        RowLock::Update => "FOR UPDATE",
        RowLock::NoKeyUpdate => "FOR NO KEY UPDATE",
        RowLock::Share => "FOR SHARE",
        RowLock::KeyShare => "FOR KEY SHARE",
    }
}
pub(crate) fn lock_name(l: &ast::LockClause) -> &'static str {
    for p in l.of.iter().flat_map(|n| &n.0).filter_map(|p| p.as_ident()) {
        match p.value.strip_prefix(MARK) {
            Some("lock:n") => return "FOR NO KEY UPDATE",
            Some("lock:s") => return "FOR SHARE",
            Some("lock:k") => return "FOR KEY SHARE",
            _ => {}
        }
    }
    "FOR UPDATE"
}

pub(super) fn star(s: &Scope) -> Vec<Target> {
    s.star
        .iter()
        .map(|at| s.col(*at))
        .map(|c| Target { e: c.expr.clone(), name: c.name.clone(), origin: c.origin })
        .collect()
}

/// Replaces columns by the constant 0.
fn zero(e: &mut Expr, ids: &[ColId]) -> Result<()> {
    if matches!(e, Expr::Col(id, _) if ids.contains(id)) {
        *e = Expr::Const(Datum::Int4(0), Type::INT4);
        return Ok(());
    }
    children_mut(e, &mut |c| zero(c, ids))
}

/// Renames columns that a relation takes from outside (its own keep their ids).
pub(super) fn rename(rel: &mut Rel, to: &dyn Fn(ColId) -> ColId) {
    exprs_mut(rel, &mut |e| rename_expr(e, to));
}
fn rename_expr(e: &mut Expr, to: &dyn Fn(ColId) -> ColId) {
    match e {
        Expr::Col(id, _) => *id = to(*id),
        Expr::Subquery(s) => {
            for o in &mut s.outer {
                *o = to(*o);
            }
            rename(&mut s.rel, to);
            if let SubqueryKind::Any { left, .. } | SubqueryKind::All { left, .. } = &mut s.kind {
                left.iter_mut().for_each(|e| rename_expr(e, to));
            }
            return;
        }
        _ => {}
    }
    let _ = children_mut(e, &mut |c| {
        rename_expr(c, to);
        Ok(())
    });
}

/// Every expression of a relation, nested relations included.
pub(super) fn exprs_mut(rel: &mut Rel, f: &mut dyn FnMut(&mut Expr)) {
    match rel {
        Rel::One | Rel::Table { .. } | Rel::Virtual { .. } | Rel::CteScan { .. } | Rel::WorkTable { .. } => {}
        Rel::Values { rows, .. } => rows.iter_mut().flatten().for_each(f),
        Rel::FunctionScan { args, .. } => args.iter_mut().for_each(f),
        Rel::Join { left, right, on, .. } => {
            exprs_mut(left, f);
            exprs_mut(right, f);
            on.iter_mut().for_each(f);
        }
        Rel::Filter { input, cond } => {
            exprs_mut(input, f);
            f(cond);
        }
        Rel::Project { input, exprs } => {
            exprs_mut(input, f);
            exprs.iter_mut().for_each(|e| f(&mut e.0));
        }
        Rel::Aggregate { input, groups, aggs, .. } => {
            exprs_mut(input, f);
            groups.iter_mut().for_each(|g| f(&mut g.0));
            for a in aggs {
                a.args.iter_mut().for_each(&mut *f);
                a.order_by.iter_mut().for_each(|k| f(&mut k.e));
                a.filter.iter_mut().for_each(&mut *f);
            }
        }
        Rel::Sort { input, keys } => {
            exprs_mut(input, f);
            keys.iter_mut().for_each(|k| f(&mut k.e));
        }
        Rel::Limit { input, limit, offset, .. } => {
            exprs_mut(input, f);
            limit.iter_mut().for_each(&mut *f);
            offset.iter_mut().for_each(f);
        }
        Rel::Distinct { input, on } => {
            exprs_mut(input, f);
            on.iter_mut().flatten().for_each(f);
        }
        Rel::SetOp { left, right, .. } => {
            exprs_mut(left, f);
            exprs_mut(right, f);
        }
        Rel::Modify(m, _) => match &mut m.op {
            ModifyOp::Insert { source, .. } | ModifyOp::Update { source, .. } | ModifyOp::Delete { source, .. } => {
                exprs_mut(source, f)
            }
        },
        Rel::Window { input, calls } => {
            exprs_mut(input, f);
            calls.iter_mut().for_each(|c| c.exprs_mut(f));
        }
        Rel::LockRows { input, .. } => exprs_mut(input, f),
    }
}

fn has_set_call(e: &Expr) -> bool {
    let mut yes = matches!(e, Expr::Call { f, .. } if matches!(f.body, func::Body::Set(_)));
    crate::exec::expr::children(e, &mut |c| yes |= has_set_call(c));
    yes
}
