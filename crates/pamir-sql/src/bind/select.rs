//! Queries: SELECT, set operations, VALUES, WITH.
//!
//! A SELECT becomes, from the inside out:
//! ```text
//! plain:               FROM -> Filter -> [Aggregate -> Filter] -> Sort -> LockRows -> Limit -> Project
//! DISTINCT, or a sort
//! by a computed column: ...                               -> Project (+ hidden sort columns) -> Distinct -> Sort -> Limit [-> Project]
//! ```
mod grouping;
pub(crate) mod locking;
mod sets;
mod targets;
mod with;

use super::Binder;
use super::coerce::show;
use super::group::{Grouping, same};
use crate::func::{self, CastContext};
use crate::ir::{ColId, Expr, Modify, OutCol, Rel, SortKey};
use crate::parser::fold;
use grouping::replace;
use locking::lock_name;
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
        let defs = self.end_with(mark);
        let mut b = r?;
        if !defs.is_empty() {
            b.rel = Rel::With { input: Box::new(b.rel), defs };
        }
        Ok(b)
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

    fn query_body(&mut self, q: &ast::Query, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        if q.for_clause.is_some() || q.settings.is_some() || q.format_clause.is_some() || !q.pipe_operators.is_empty() {
            bail!(SYNTAX_ERROR, "syntax error");
        }
        if let SetExpr::Select(s) = q.body.as_ref() {
            return self.select(s, Some(q), hints, resolve);
        }
        if !q.locks.is_empty() {
            if let SetExpr::Query(_) = q.body.as_ref() {
                return self.query_body(&locking::lock_inside(q), hints, resolve);
            }
            let what = match q.body.as_ref() {
                SetExpr::Values(_) => "cannot be applied to VALUES",
                SetExpr::SetOperation { .. } => "is not allowed with UNION/INTERSECT/EXCEPT",
                _ => return Err(Error::unsupported("row locks on a parenthesized query")),
            };
            bail!(FEATURE_NOT_SUPPORTED, "{} {what}", lock_name(&q.locks[0]));
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
            if with_ties && q.locks.iter().any(|l| matches!(l.nonblock, Some(ast::NonBlock::SkipLocked))) {
                bail!(SYNTAX_ERROR, "SKIP LOCKED and WITH TIES options cannot be used together");
            }
            limit = match &f.quantity {
                Some(_) if limit.is_some() => bail!(SYNTAX_ERROR, "syntax error at or near \"FETCH\""),
                Some(e) => self.row_count(e, "LIMIT")?,
                // The parser's rewriting put the count of FETCH FIRST (expression) ROWS WITH TIES into LIMIT.
                None if with_ties && limit.is_some() => limit,
                None if limit.is_some() => bail!(SYNTAX_ERROR, "syntax error at or near \"FETCH\""),
                None => Some(Expr::Const(Datum::Int8(1), Type::INT8)),
            };
        }
        Ok(if limit.is_some() || offset.is_some() {
            Rel::Limit { input: Box::new(rel), limit, offset, with_ties }
        } else {
            rel
        })
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
        let r = match q.map(|q| q.locks.as_slice()) {
            None | Some([]) => self.from(&s.from),
            Some(locks) => self.from(&locking::lock_subqueries(&s.from, locks)),
        };
        self.level().no_agg = was;
        let (rel, scope) = r?;
        let end = self.next_col;
        let sub = self.sub_scope(scope);
        let r = self.window_clause(&s.named_window);
        let r = r.and_then(|()| self.select_body(s, q, hints, resolve, rel, first..end));
        self.leave(sub);
        let mut bound = r?;
        self.give_presence(&mut bound.rel);
        Ok(bound)
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
        let (mut groups, mut sets, dependent) = self.group_by(&s.group_by, &targets)?;
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
            for mut e in std::mem::take(&mut self.level().direct_args) {
                // Where a set leaves a column out it would have to be NULL here, and is not among what an aggregate reads.
                if !sets.is_empty() && !crate::plan::rels::expr_free(&e).is_empty() {
                    return Err(Error::unsupported(
                        "a column in the direct arguments of an aggregate with grouping sets",
                    ));
                }
                self.above_groups(&mut e, &mut g).map_err(|e| {
                    e.detail("Direct arguments of an ordered-set aggregate must use only grouped columns.")
                })?;
            }
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
            let grouping = std::mem::take(&mut self.level().grouping);
            if !grouping.is_empty() {
                let values = self.grouping_values(grouping, &mut groups, &mut sets)?;
                for t in &mut targets {
                    replace(&mut t.e, &values)?;
                }
                if let Some(h) = &mut having {
                    replace(h, &values)?;
                }
                for (k, _) in &mut keys {
                    if let Key::Expr(e) = k {
                        replace(e, &values)?;
                    }
                }
                let mut windows = std::mem::take(&mut self.level().windows);
                for w in &mut windows {
                    w.try_exprs_mut(&mut |e| replace(e, &values))?;
                }
                self.level().windows = windows;
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
                self.lock_clause(l, &s.from, &mut rel, &mut lock_targets)?;
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
        // PostgreSQL sorts and takes the first rows before it calls a function whose rows no key reads.
        let later = |(i, t): (usize, &Target)| {
            targets::has_set_call(&t.e) && !on_keys.contains(&i) && !sort.iter().any(|s| s.0 == i)
        };
        if !on_keys.is_empty() && !sort.is_empty() && targets.iter().enumerate().any(later) {
            return Err(Error::unsupported("a set-returning function beside DISTINCT ON and ORDER BY"));
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
}

trait GroupByIsEmpty {
    fn group_by_is_empty(&self) -> bool;
}
impl GroupByIsEmpty for ast::Select {
    fn group_by_is_empty(&self) -> bool {
        matches!(&self.group_by, ast::GroupByExpr::Expressions(e, m) if e.is_empty() && m.is_empty())
    }
}
