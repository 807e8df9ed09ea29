//! FROM: tables, joins, derived tables, functions.
use super::Binder;
use super::scope::{Rte, RteCol, Scope};
use crate::catalog::{Relation, Table, acl};
use crate::func::{self, CastContext};
use crate::ir::{ColId, Expr, JoinKind, OutCol, Rel};
use crate::parser::{fold, name_parts};
use pamir_txn::TableLock;
use pamir_types::{Error, Result, Type, bail, err, oid};
use sqlparser::ast::{self, JoinConstraint as C, JoinOperator as J, Spanned, TableFactor as F};
use std::sync::Arc;

/// System columns whose names stand somewhere in a statement's text.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub tableoid: bool,
    pub ctid: bool,
    pub xmax: bool,
}
impl Binder<'_, '_> {
    /// The whole FROM list: items joined crosswise, each seeing the ones before it if LATERAL.
    pub(super) fn from(&mut self, items: &[ast::TableWithJoins]) -> Result<(Rel, Scope)> {
        let mut rel = Rel::One;
        let mut scope = Scope::default();
        for (i, item) in items.iter().enumerate() {
            let (r, s, lateral) = self.from_item(item, &scope)?;
            self.no_duplicates(&scope, &s, item)?;
            scope.merge(s);
            rel = if i == 0 {
                r
            } else {
                Rel::Join { kind: JoinKind::Cross, left: Box::new(rel), right: Box::new(r), on: None, lateral }
            };
        }
        Ok((rel, scope))
    }

    fn no_duplicates(&self, a: &Scope, b: &Scope, node: &impl Spanned) -> Result<()> {
        // What an alias of the join hides does not count.
        for r in b.rtes.iter().filter(|r| !r.hidden) {
            if let Some(n) = &r.name
                && a.rtes.iter().any(|x| {
                    !x.hidden
                        && x.name.as_ref() == Some(n)
                        && (x.schema == r.schema || x.schema.is_none() || r.schema.is_none())
                })
            {
                let _ = node;
                bail!(DUPLICATE_ALIAS, "table name \"{n}\" specified more than once");
            }
        }
        Ok(())
    }

    /// How often recursive terms have referred to themselves by now.
    fn working_refs(&self) -> usize {
        self.cte_names.iter().filter(|c| c.working).map(|c| c.refs).sum()
    }

    fn from_item(&mut self, t: &ast::TableWithJoins, before: &Scope) -> Result<(Rel, Scope, bool)> {
        let begin = self.working_refs();
        let (mut rel, mut scope, mut lateral) = self.factor(&t.relation, before)?;
        for j in &t.joins {
            let left = self.working_refs();
            let (kind, constraint) = match &j.join_operator {
                J::Join(c) | J::Inner(c) => (JoinKind::Inner, c),
                J::Left(c) | J::LeftOuter(c) => (JoinKind::Left, c),
                J::Right(c) | J::RightOuter(c) => (JoinKind::Right, c),
                J::FullOuter(c) => (JoinKind::Full, c),
                J::CrossJoin(c) => (JoinKind::Cross, c),
                _ => bail!(SYNTAX_ERROR, "syntax error in join"),
            };
            let mut visible = before.clone();
            let mut known = scope.clone();
            if matches!(kind, JoinKind::Right | JoinKind::Full) {
                known.rtes.iter_mut().for_each(|r| r.no_lateral = true);
            }
            visible.merge(known);
            let (r, s, lat) = self.factor(&j.relation, &visible)?;
            let right = self.working_refs();
            for (missing, from, to) in [
                (matches!(kind, JoinKind::Right | JoinKind::Full), begin, left),
                (matches!(kind, JoinKind::Left | JoinKind::Full), left, right),
            ] {
                if missing && from < to {
                    let name = self.cte_names.iter().rev().find(|c| c.working && c.refs > 0).map_or("", |c| &c.name);
                    bail!(
                        INVALID_RECURSION,
                        "recursive reference to query \"{name}\" must not appear within an outer join"
                    );
                }
            }
            self.no_duplicates(&scope, &s, &j.relation)?;
            lateral |= lat && !before.rtes.is_empty();
            (rel, scope) = self.join(kind, constraint, rel, scope, r, s, lat, before)?;
        }
        Ok((rel, scope, lateral))
    }

    #[allow(clippy::too_many_arguments)]
    fn join(
        &mut self,
        kind: JoinKind,
        constraint: &C,
        left: Rel,
        ls: Scope,
        right: Rel,
        rs: Scope,
        lateral: bool,
        before: &Scope,
    ) -> Result<(Rel, Scope)> {
        let (mut ls, mut rs) = (ls, rs);
        if matches!(kind, JoinKind::Left | JoinKind::Full) {
            self.may_miss(&mut rs);
        }
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            self.may_miss(&mut ls);
        }
        let names: Vec<(String, Option<sqlparser::tokenizer::Span>)> = match constraint {
            C::On(on) => {
                let mut s = ls;
                s.merge(rs);
                self.scopes.push(before.clone());
                self.scopes.push(s);
                let was =
                    (self.level().no_agg.replace("JOIN conditions"), self.level().no_srf.replace("JOIN conditions"));
                let e = self.expr(on).and_then(|e| self.to_bool(e, "JOIN/ON").map_err(|e| self.place(e, on)));
                (self.level().no_agg, self.level().no_srf) = was;
                let s = self.scopes.pop().unwrap_or_default();
                self.scopes.pop();
                return Ok((
                    Rel::Join { kind, left: Box::new(left), right: Box::new(right), on: Some(e?), lateral },
                    s,
                ));
            }
            C::None => {
                if kind != JoinKind::Cross {
                    bail!(SYNTAX_ERROR, "syntax error at end of input");
                }
                let mut s = ls;
                s.merge(rs);
                return Ok((Rel::Join { kind, left: Box::new(left), right: Box::new(right), on: None, lateral }, s));
            }
            C::Using(cols) => {
                let mut v = Vec::new();
                for c in cols {
                    v.push((name_parts(c)?.pop().unwrap_or_default(), Some(c.span())));
                }
                v
            }
            C::Natural => ls
                .star
                .iter()
                .map(|at| &ls.col(*at).name)
                .filter(|n| rs.star.iter().any(|b| rs.col(*b).name == **n))
                .map(|n| (n.clone(), None))
                .collect(),
        };
        let kind = if names.is_empty() && kind == JoinKind::Inner { JoinKind::Cross } else { kind };
        let mut on = Vec::new();
        let mut merged = Vec::new();
        let (mut lstar, mut rstar) = (ls.star.clone(), rs.star.clone());
        for (n, span) in &names {
            if merged.iter().any(|m: &RteCol| m.name == *n) {
                bail!(DUPLICATE_COLUMN, "column name \"{n}\" appears more than once in USING clause");
            }
            let find = |s: &Scope, side: &str| -> Result<(usize, usize)> {
                let mut hits = s.star.iter().filter(|at| s.col(**at).name == *n);
                let at = *hits.next().ok_or_else(|| {
                    err!(UNDEFINED_COLUMN, "column \"{n}\" specified in USING clause does not exist in {side} table")
                })?;
                if hits.next().is_some() {
                    bail!(AMBIGUOUS_COLUMN, "common column name \"{n}\" appears more than once in {side} table");
                }
                Ok(at)
            };
            let _ = span;
            let l = find(&ls, "left")?;
            let r = find(&rs, "right")?;
            let (le, re) = (ls.col(l).expr.clone(), rs.col(r).expr.clone());
            self.uses.select(&le);
            self.uses.select(&re);
            let origin = if kind == JoinKind::Right { rs.col(r).origin } else { ls.col(l).origin };
            let (eq, a, b) = self.equality(le.clone(), re.clone())?;
            on.push(Expr::Call { f: eq, args: vec![a, b], ty: Type::BOOL });
            let (both, ty) = self.unify(vec![le.clone(), re.clone()], "JOIN/USING")?;
            let mut both = both.into_iter();
            let (le, re) = (both.next().unwrap_or(le), both.next().unwrap_or(re));
            let expr = match kind {
                JoinKind::Right => re,
                JoinKind::Full => Expr::Coalesce(vec![le, re], ty),
                _ => le,
            };
            merged.push(RteCol { name: n.clone(), expr, origin });
            lstar.retain(|x| *x != l);
            rstar.retain(|x| *x != r);
        }
        let n = ls.rtes.len();
        let mut s = Scope { rtes: ls.rtes, star: Vec::new() };
        s.rtes.extend(rs.rtes);
        let m = s.rtes.len();
        s.star.extend((0..merged.len()).map(|i| (m, i)));
        s.star.extend(lstar);
        s.star.extend(rstar.into_iter().map(|(r, c)| (r + n, c)));
        s.rtes.push(Rte { cols: merged, ..Rte::default() });
        let on = match on.len() {
            0 => (kind != JoinKind::Cross).then_some(Expr::Const(true.into(), Type::BOOL)),
            1 => on.pop(),
            _ => Some(Expr::And(on)),
        };
        Ok((Rel::Join { kind, left: Box::new(left), right: Box::new(right), on, lateral }, s))
    }

    /// The items of `side` may have no row where the others do.
    fn may_miss(&mut self, side: &mut Scope) {
        for r in side.rtes.iter_mut().filter(|r| r.presence.is_none() && r.name.is_some()) {
            r.presence = Some(r.tableoid.unwrap_or_else(|| self.new_col()));
        }
    }

    /// One FROM item; true when it uses columns of `before`.
    fn factor(&mut self, f: &F, before: &Scope) -> Result<(Rel, Scope, bool)> {
        match f {
            F::Table { name, alias, args: None, with_ordinality: false, sample, .. } => {
                if sample.is_some() {
                    return Err(Error::unsupported("TABLESAMPLE"));
                }
                if let Some(f) = value_of_the_moment(name) {
                    let e = self.special_value(f)?;
                    let out = self.out(alias.as_ref().map_or(f.to_string(), |a| fold(&a.name)), e.ty());
                    return Ok(self.one_row(e, out, f, alias.as_ref(), false));
                }
                let (r, s) = self.named_table(name, alias.as_ref())?;
                Ok((r, s, false))
            }
            F::Table { name, alias, args: Some(a), with_ordinality, .. } => {
                self.table_function(name, &a.args, alias.as_ref(), *with_ordinality, before)
            }
            F::Function { name, args, alias, with_ordinality, .. } => {
                self.table_function(name, args, alias.as_ref(), *with_ordinality, before)
            }
            F::UNNEST { alias, array_exprs, with_ordinality, .. } => {
                let args: Vec<_> = array_exprs
                    .iter()
                    .map(|e| ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(e.clone())))
                    .collect();
                self.table_function(
                    &ast::ObjectName::from(ast::Ident::new("unnest")),
                    &args,
                    alias.as_ref(),
                    *with_ordinality,
                    before,
                )
            }
            F::Derived { lateral, subquery, alias, .. } => {
                if *lateral {
                    self.scopes.push(before.clone());
                } else {
                    let mut hidden = before.clone();
                    hidden.star.clear();
                    hidden.rtes.iter_mut().for_each(|r| r.hidden = true);
                    self.scopes.push(hidden);
                }
                let r = self.subquery_level(|b| b.query(subquery, None, true));
                self.scopes.pop();
                let (q, outer) = r?;
                let ids: Vec<ColId> = before
                    .rtes
                    .iter()
                    .flat_map(|r| &r.cols)
                    .filter_map(|c| if let Expr::Col(id, _) = c.expr { Some(id) } else { None })
                    .collect();
                let lat = outer.iter().any(|o| ids.contains(o));
                let Some(alias) = alias else {
                    return Err(self.at(
                        err!(SYNTAX_ERROR, "subquery in FROM must have an alias")
                            .hint("For example, FROM (SELECT ...) [AS] foo."),
                        subquery_span(subquery),
                    ));
                };
                let rte = self.aliased(q.cols.clone(), &fold(&alias.name), Some(alias))?;
                let mut s = Scope::default();
                s.add(rte);
                Ok((q.rel, s, lat))
            }
            F::NestedJoin { table_with_joins, alias } => {
                let (r, mut s, lat) = self.from_item(table_with_joins, before)?;
                if let Some(a) = alias {
                    // Only the alias is visible then.
                    let cols: Vec<RteCol> = s.star.iter().map(|at| s.col(*at).clone()).collect();
                    let mut rte = Rte { name: Some(fold(&a.name)), cols, ..Rte::default() };
                    rename(&mut rte, "join expression", a)?;
                    let mut hidden = std::mem::take(&mut s.rtes);
                    hidden.iter_mut().for_each(|r| r.hidden = true);
                    s = Scope::default();
                    s.add(rte);
                    s.rtes.extend(hidden);
                }
                Ok((r, s, lat))
            }
            F::JsonTable { .. } => Err(Error::unsupported("JSON_TABLE")),
            F::XmlTable { .. } => Err(Error::unsupported("XMLTABLE")),
            _ => Err(Error::unsupported("this FROM item")),
        }
    }

    /// Names a relation's columns by an alias and its column list.
    fn aliased(&mut self, cols: Vec<OutCol>, name: &str, alias: Option<&ast::TableAlias>) -> Result<Rte> {
        let mut rte = Rte::of(name, &cols);
        if let Some(a) = alias {
            rename(&mut rte, "table", a)?;
        }
        Ok(rte)
    }

    fn named_table(&mut self, name: &ast::ObjectName, alias: Option<&ast::TableAlias>) -> Result<(Rel, Scope)> {
        let parts = name_parts(name)?;
        let (schema, table) = match parts.as_slice() {
            [t] => (None, t.as_str()),
            [s, t] => (Some(s.as_str()), t.as_str()),
            [db, s, t] => {
                if db != self.cx.env.database() {
                    let e = err!(
                        FEATURE_NOT_SUPPORTED,
                        "cross-database references are not implemented: \"{}\"",
                        parts.join(".")
                    );
                    return Err(self.at(e, name.span()));
                }
                (Some(s.as_str()), t.as_str())
            }
            _ => bail!(SYNTAX_ERROR, "improper relation name (too many dotted names): {}", parts.join(".")),
        };
        let alias_name = alias.map_or(table.to_string(), |a| fold(&a.name));
        // A name made by WITH, innermost first.
        if schema.is_none()
            && let Some(i) = self.cte_names.iter().rposition(|c| c.name == table)
        {
            let c = &mut self.cte_names[i];
            c.refs += 1;
            let (index, working, cols, varies) = (c.index, c.working, c.cols.clone(), c.varies);
            if working || varies.is_some() {
                self.varying.push(index);
            }
            if cols.is_empty() && !working {
                return Err(self.at(
                    err!(FEATURE_NOT_SUPPORTED, "WITH query \"{table}\" does not have a RETURNING clause"),
                    name.span(),
                ));
            }
            let cols: Vec<OutCol> = cols.into_iter().map(|c| OutCol { id: self.new_col(), ..c }).collect();
            let rte = self.aliased(cols.clone(), &alias_name, alias)?;
            let mut s = Scope::default();
            s.add(rte);
            let rel =
                if working { Rel::WorkTable { cte: index, cols } } else { Rel::CteScan { cte: index, cols, varies } };
            return Ok((rel, s));
        }
        match self.resolve(schema, table, name.span())? {
            Some(Relation::Table(t)) => {
                self.use_table(&t, TableLock::AccessShare);
                let (rel, mut rte) = self.scan(&t, &alias_name);
                self.uses.begin(t.oid, acl::SELECT);
                self.uses.columns(&t, &rte);
                if alias.is_none() {
                    rte.schema = self.cx.catalog.schema(t.schema).map(|s| s.name.clone());
                }
                if let Some(a) = alias {
                    rename(&mut rte, "table", a)?;
                }
                let mut s = Scope::default();
                s.add(rte);
                Ok((rel, s))
            }
            Some(Relation::Virtual(v)) => {
                let mut cols: Vec<(usize, OutCol)> = v
                    .columns
                    .iter()
                    .enumerate()
                    .map(|(i, (n, ty))| {
                        (
                            i,
                            OutCol {
                                id: self.new_col(),
                                name: n.to_string(),
                                ty: *ty,
                                origin: Some((v.oid, i as i16 + 1)),
                            },
                        )
                    })
                    .collect();
                let outs: Vec<OutCol> = cols.iter().map(|c| c.1.clone()).collect();
                let mut rte = self.aliased(outs, &alias_name, alias)?;
                self.uses.begin(v.oid, acl::SELECT);
                if alias.is_none() {
                    rte.schema = Some(v.schema.to_string());
                }
                // tableoid stands after the last column, where the scan finds the constant.
                if !v.view && self.named().tableoid {
                    let id = self.new_col();
                    rte.tableoid = Some(id);
                    cols.push((v.columns.len(), OutCol { id, name: "tableoid".into(), ty: Type::OID, origin: None }));
                }
                let mut s = Scope::default();
                s.add(rte);
                Ok((Rel::Virtual { table: v, alias: alias_name, cols }, s))
            }
            Some(Relation::Sequence(q)) => {
                let Some(f) = func::functions(func::srf::SEQUENCE_STATE).first() else {
                    return Err(Error::internal("reading a sequence is not registered"));
                };
                self.volatile = true;
                self.uses.begin(q.oid, acl::SELECT);
                let columns = [("last_value", Type::INT8), ("log_cnt", Type::INT8), ("is_called", Type::BOOL)];
                let cols: Vec<OutCol> = columns.into_iter().map(|(n, t)| self.out(n, t)).collect();
                let mut rte = self.aliased(cols.clone(), &alias_name, alias)?;
                if alias.is_none() {
                    rte.schema = schema.map(Into::into);
                }
                let mut s = Scope::default();
                s.add(rte);
                let args = vec![Expr::Const(pamir_types::Datum::Oid(q.oid), Type::OID)];
                Ok((Rel::FunctionScan { f, args, cols, ordinality: None }, s))
            }
            Some(Relation::Index(..)) => {
                let e = err!(WRONG_OBJECT_TYPE, "cannot open relation \"{table}\"")
                    .detail("This operation is not supported for indexes.");
                Err(self.at(e, name.span()))
            }
            None => {
                let shown = schema.map_or(table.to_string(), |s| format!("{s}.{table}"));
                let e = err!(UNDEFINED_TABLE, "relation \"{shown}\" does not exist");
                Err(self.at(e, name.span()))
            }
        }
    }

    /// A relation by its name at `span`, which an error names.
    pub(super) fn resolve(
        &mut self,
        schema: Option<&str>,
        name: &str,
        span: sqlparser::tokenizer::Span,
    ) -> Result<Option<Relation>> {
        self.cx.catalog.resolve(self.cx.scope, schema, name).map_err(|e| self.at(e, span))
    }
    /// A base table with all its columns.
    pub(super) fn scan(&mut self, t: &Arc<Table>, alias: &str) -> (Rel, Rte) {
        let n = t.columns.len();
        let mut cols = Vec::with_capacity(n);
        let mut named = Vec::with_capacity(n);
        for c in t.live_columns() {
            let id = self.new_col();
            cols.push((c.attnum, OutCol { id, name: c.name.clone(), ty: c.ty, origin: Some((t.oid, c.attnum)) }));
            named.push(RteCol { name: c.name.clone(), expr: Expr::Col(id, c.ty), origin: Some((t.oid, c.attnum)) });
        }
        // The system column costs nothing where the statement cannot mean it.
        let tableoid = self.named().tableoid.then(|| self.new_col());
        let ctid = self.named().ctid.then(|| self.new_col());
        let name = Some(alias.to_string());
        let rte = Rte { name, cols: named, table: Some(t.clone()), tableoid, ctid, ..Rte::default() };
        (Rel::Table { table: t.clone(), alias: alias.to_string(), cols, key: ctid, tableoid, lock: None }, rte)
    }

    /// Which system columns may the statement name?
    pub(super) fn named(&self) -> Named {
        let text = self.cx.text.as_bytes();
        let has = |name: &[u8]| text.windows(name.len()).any(|w| w.eq_ignore_ascii_case(name));
        *self.named.get_or_init(|| Named { tableoid: has(b"tableoid"), ctid: has(b"ctid"), xmax: has(b"xmax") })
    }

    fn table_function(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::FunctionArg],
        alias: Option<&ast::TableAlias>,
        ordinality: bool,
        before: &Scope,
    ) -> Result<(Rel, Scope, bool)> {
        let parts = name_parts(name)?;
        let fname = parts.last().map(String::as_str).unwrap_or("");
        // Functions in FROM are LATERAL of themselves.
        self.scopes.push(before.clone());
        let mark = self.outer_refs.len();
        let was = self.level().no_agg.replace("functions in FROM");
        let r = (|b: &mut Self| -> Result<Vec<Expr>> {
            let mut out = Vec::new();
            for a in args {
                match a {
                    ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(e)) => out.push(b.expr(e)?),
                    _ => return Err(Error::unsupported("named arguments")),
                }
            }
            Ok(out)
        })(self);
        self.level().no_agg = was;
        // References to items of the same FROM list are not references of this level's own expressions.
        let refs: Vec<ColId> = self.level().refs.iter().map(|r| r.0).collect();
        let ids: Vec<ColId> = before
            .rtes
            .iter()
            .flat_map(|r| &r.cols)
            .filter_map(|c| if let Expr::Col(id, _) = c.expr { Some(id) } else { None })
            .collect();
        self.scopes.pop();
        let bound = r?;
        let mut lat = self.outer_refs[mark..].iter().any(|o| ids.contains(o));
        for e in &bound {
            super::group::columns(e, &mut |c| lat |= ids.contains(&c));
        }
        let _ = refs;
        if fname == "unnest" && bound.len() > 1 {
            return self.unnest_many(bound, alias, ordinality, lat);
        }
        let call = self.function(fname, bound, false).map_err(|e| self.at(e, name.span()))?;
        let (f, args, ty) = match call {
            Expr::Call { f, args, ty } => (f, args, ty),
            e => {
                // A cast written as a function, or the like: one row.
                let out = self.out(fname, e.ty());
                return Ok(self.one_row(e, out, fname, alias, lat));
            }
        };
        let alias_name = alias.map_or(fname.to_string(), |a| fold(&a.name));
        let shape = func::rowtype::fields(ty).filter(|_| f.out.is_empty());
        let defined = alias.is_some_and(|a| a.columns.iter().any(|c| c.data_type.is_some()));
        if defined && (ty.oid != oid::RECORD || !f.out.is_empty() || shape.is_some()) {
            let what = if !f.out.is_empty() {
                "a column definition list is redundant for a function with OUT parameters"
            } else if shape.is_some() {
                "a column definition list is redundant for a function returning a named composite type"
            } else {
                "a column definition list is only allowed for functions returning \"record\""
            };
            let first = alias.and_then(|a| a.columns.first()).map_or(name.span(), |c| c.name.span);
            return Err(self.at(err!(SYNTAX_ERROR, "{what}"), first));
        }
        if !f.body.is_set() && !defined && shape.is_none() && (ty.oid != oid::RECORD || !f.out.is_empty()) {
            let out = self.out(alias_name.clone(), ty);
            return Ok(self.one_row(Expr::Call { f, args, ty }, out, fname, alias, lat));
        }
        let mut cols: Vec<OutCol> = if f.out.is_empty() {
            vec![self.out(alias_name.clone(), ty)]
        } else {
            let mut v = Vec::new();
            for (n, t) in f.out {
                // A polymorphic column takes the result's type.
                let t = if super::coerce::is_polymorphic(*t) { ty } else { Type::new(*t) };
                v.push(self.out(*n, t));
            }
            v
        };
        if let Some(shape) = shape {
            cols = shape.iter().map(|(n, t)| self.out(n.clone(), *t)).collect();
        } else if ty.oid == oid::RECORD && f.out.is_empty() {
            let Some(a) = alias.filter(|a| a.columns.iter().any(|c| c.data_type.is_some())) else {
                return Err(self.at(
                    err!(SYNTAX_ERROR, "a column definition list is required for functions returning \"record\""),
                    name.span(),
                ));
            };
            cols.clear();
            for c in &a.columns {
                let ty = match &c.data_type {
                    Some(d) => super::types::bind_type(d, self.cx.catalog)?,
                    None => Type::TEXT,
                };
                cols.push(self.out(fold(&c.name), ty));
            }
        }
        let ord = if ordinality { Some(self.out("ordinality", Type::INT8)) } else { None };
        let mut all = cols.clone();
        all.extend(ord.clone());
        let scalar = all.len() == 1;
        let mut rte = self.aliased(all, &alias_name, alias)?;
        rte.scalar = scalar;
        let mut s = Scope::default();
        s.add(rte);
        Ok((Rel::FunctionScan { f, args, cols, ordinality: ord }, s, lat))
    }

    /// unnest(a, b, ...): one column per array.
    fn unnest_many(
        &mut self,
        arrays: Vec<Expr>,
        alias: Option<&ast::TableAlias>,
        ordinality: bool,
        lat: bool,
    ) -> Result<(Rel, Scope, bool)> {
        let mut cols = Vec::with_capacity(arrays.len());
        for a in &arrays {
            let Some(elem) = a.ty().element() else {
                return Err(super::coerce::no_function("unnest", &[a.ty().oid]));
            };
            cols.push(self.out("unnest", elem));
        }
        let Some(f) = func::functions(func::srf::UNNEST_MANY).first() else {
            return Err(Error::internal("unnest is not registered"));
        };
        let ord = if ordinality { Some(self.out("ordinality", Type::INT8)) } else { None };
        let mut all = cols.clone();
        all.extend(ord.clone());
        let name = alias.map_or("unnest".to_string(), |a| fold(&a.name));
        let rte = self.aliased(all, &name, alias)?;
        let mut s = Scope::default();
        s.add(rte);
        Ok((Rel::FunctionScan { f, args: arrays, cols, ordinality: ord }, s, lat))
    }

    fn one_row(
        &mut self,
        e: Expr,
        out: OutCol,
        fname: &str,
        alias: Option<&ast::TableAlias>,
        lat: bool,
    ) -> (Rel, Scope, bool) {
        let name = alias.map_or(fname.to_string(), |a| fold(&a.name));
        let mut out = out;
        out.name = alias.and_then(|a| a.columns.first()).map_or(name.clone(), |c| fold(&c.name));
        let mut rte = Rte::of(&name, std::slice::from_ref(&out));
        rte.scalar = true;
        let mut s = Scope::default();
        s.add(rte);
        (Rel::Project { input: Box::new(Rel::One), exprs: vec![(e, out)] }, s, lat)
    }

    /// A LIMIT or OFFSET value.
    pub(super) fn row_count(&mut self, e: &ast::Expr, what: &'static str) -> Result<Option<Expr>> {
        // LIMIT ALL
        if matches!(e, ast::Expr::Identifier(i) if i.quote_style.is_none() && i.value.eq_ignore_ascii_case("all")) {
            return Ok(None);
        }
        let was = self.level().no_agg.replace(what);
        let r = self.expr(e);
        self.level().no_agg = was;
        let x = r?;
        let mut uses = Vec::new();
        super::group::columns(&x, &mut |c| uses.push(c));
        let own = self.scopes.last().is_some_and(|s| {
            s.rtes.iter().flat_map(|r| &r.cols).any(|c| matches!(c.expr, Expr::Col(id, _) if uses.contains(&id)))
        });
        if own {
            return Err(self.place(err!(INVALID_COLUMN_REFERENCE, "argument of {what} must not contain variables"), e));
        }
        let from = x.ty().oid;
        match self.try_coerce(x, Type::INT8, CastContext::Assignment).map_err(|x| self.place(x, e))? {
            Some(Expr::Const(pamir_types::Datum::Null, _)) => Ok(None),
            Some(x) => Ok(Some(x)),
            None => Err(self.place(
                err!(
                    DATATYPE_MISMATCH,
                    "argument of {what} must be type bigint, not type {}",
                    super::coerce::show(from)
                ),
                e,
            )),
        }
    }
}

/// Where the subquery's parenthesis stands (its first token, one before).
pub(super) fn subquery_span(q: &ast::Query) -> sqlparser::tokenizer::Span {
    let mut s = q.span();
    if s.start.column > 1 {
        s.start.column -= 1;
    }
    s
}

/// A function without parentheses that stands where a table may (`FROM current_date`).
fn value_of_the_moment(name: &ast::ObjectName) -> Option<&'static str> {
    const NAMES: &[&str] = &[
        "current_catalog",
        "current_date",
        "current_role",
        "current_schema",
        "current_time",
        "current_timestamp",
        "current_user",
        "localtime",
        "localtimestamp",
        "session_user",
        "user",
    ];
    let [part] = name.0.as_slice() else { return None };
    let i = part.as_ident().filter(|i| i.quote_style.is_none())?;
    NAMES.iter().copied().find(|n| i.value.eq_ignore_ascii_case(n))
}

/// Gives columns the names of an alias's list, which may be shorter. `what`: the relation, in the error.
fn rename(rte: &mut Rte, what: &str, alias: &ast::TableAlias) -> Result<()> {
    if alias.columns.len() > rte.cols.len() {
        bail!(
            INVALID_COLUMN_REFERENCE,
            "{what} \"{}\" has {} columns available but {} columns specified",
            fold(&alias.name),
            rte.cols.len(),
            alias.columns.len()
        );
    }
    for (c, d) in std::iter::zip(&mut rte.cols, &alias.columns) {
        c.name = fold(&d.name);
    }
    Ok(())
}
