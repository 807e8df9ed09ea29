//! Queries: SELECT, set operations, VALUES, WITH.
//!
//! A SELECT becomes, from the inside out:
//! ```text
//! plain:               FROM -> Filter -> [Aggregate -> Filter] -> Sort -> LockRows -> Limit -> Project
//! DISTINCT, or a sort
//! by a computed column: ...                               -> Project (+ hidden sort columns) -> Distinct -> Sort -> Limit [-> Project]
//! ```
mod grouping;
pub mod locking;
mod search;
mod sets;
mod targets;
mod with;

use super::Binder;
use super::coerce::show;
use super::group::{Grouping, same};
use grouping::replace;
use locking::lock_name;
use pamir_expr::func::{self, CastContext};
use pamir_expr::ir::{ColId, Cte, Expr, OutCol, Rel, SortKey, WindowCall};
use pamir_expr::rels::is_volatile;
use pamir_parse::tree::{self, At, Distinct, ExprKind, Literal, Locking, SelectBody, SelectCore, SortBy};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};

pub(super) use targets::{column_at, has_set_call, is_star};

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

/// What of a SELECT is computed above grouping.
struct Upper<'s> {
    targets: Vec<Target>,
    having: Option<Expr>,
    keys: Vec<(Key, &'s SortBy)>,
    windows: Vec<WindowCall>,
}
impl Upper<'_> {
    fn exprs_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.targets.iter_mut().for_each(|t| f(&mut t.e));
        self.having.iter_mut().for_each(&mut *f);
        for (k, _) in &mut self.keys {
            if let Key::Expr(e) = k {
                f(e);
            }
        }
        self.windows.iter_mut().for_each(|w| w.exprs_mut(f));
    }
}

/// The place of `e` among the columns, as a new one that nobody sees if it is none of them.
fn hidden_target(ctes: &[Cte], targets: &mut Vec<Target>, e: Expr) -> usize {
    targets.iter().position(|t| same(ctes, &t.e, &e)).unwrap_or_else(|| {
        targets.push(Target { e, name: "?column?".into(), origin: None });
        targets.len() - 1
    })
}

/// Rows can be locked where each row of the result is one row of each table.
fn refuse_locks(s: &SelectCore, locks: &[Locking], aggregated: bool, has_srf: bool) -> Result<()> {
    let wrong = [
        (!matches!(s.distinct, Distinct::All), "DISTINCT clause"),
        (!s.group_by.is_empty(), "GROUP BY clause"),
        (s.having.is_some(), "HAVING clause"),
        (aggregated, "aggregate functions"),
        (has_srf, "set-returning functions in the target list"),
    ];
    match wrong.iter().find(|w| w.0) {
        Some((_, what)) => bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with {what}", lock_name(&locks[0])),
        None => Ok(()),
    }
}

impl Binder<'_, '_> {
    /// `hints`: the types an INSERT wants; `resolve`: leave no output column of type unknown.
    pub(super) fn query(&mut self, q: &tree::Select, hints: Option<&[Type]>, resolve: bool) -> Result<Bound> {
        self.query_locked(q, &[], hints, resolve)
    }
    /// As [`Self::query`], under row locks that the query outside asks for.
    pub(super) fn query_locked(
        &mut self,
        q: &tree::Select,
        outer: &[Locking],
        hints: Option<&[Type]>,
        resolve: bool,
    ) -> Result<Bound> {
        let recorded = self.ctes_recorded();
        let mark = self.with(q.with.as_ref())?;
        let r = match &q.body {
            SelectBody::Select(s) => match outer {
                [] => self.select(s, q, &q.locking, hints, resolve),
                outer => self.select(s, q, &[q.locking.as_slice(), outer].concat(), hints, resolve),
            },
            _ => self.combined(q, outer, hints, resolve),
        };
        let defs = self.end_with(mark);
        let mut b = r?;
        self.record_with(q.with.as_ref(), recorded);
        if !defs.is_empty() {
            b.rel = Rel::With { input: Box::new(b.rel), defs };
        }
        Ok(b)
    }

    /// VALUES or a set operation, with the clauses behind it.
    fn combined(
        &mut self,
        q: &tree::Select,
        outer: &[Locking],
        hints: Option<&[Type]>,
        resolve: bool,
    ) -> Result<Bound> {
        let sorted = !q.order_by.is_empty();
        let mut b = match &q.body {
            SelectBody::Values(rows) => {
                // A clause from outside finds nothing to lock.
                if let Some(l) = q.locking.first() {
                    bail!(FEATURE_NOT_SUPPORTED, "{} cannot be applied to VALUES", lock_name(l));
                }
                let b = self.values(rows, if sorted { None } else { hints }, resolve || sorted)?;
                self.record_values(&b.rel);
                b
            }
            SelectBody::SetOp { op, all, left, right } => {
                if let Some(l) = q.locking.first().or(outer.first()) {
                    bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with UNION/INTERSECT/EXCEPT", lock_name(l));
                }
                self.set_operation(*op, *all, left, right)?
            }
            SelectBody::Select(_) => return Err(Error::internal("a SELECT is bound elsewhere")),
        };
        if sorted {
            let mut keys = Vec::with_capacity(q.order_by.len());
            let mut shown = Vec::new();
            for k in &q.order_by {
                let number = self.result_column(&k.expr, &b.cols)?;
                let c = &b.cols[number];
                let key = self.written_key(Expr::Col(c.id, c.ty), k)?;
                if self.recording() {
                    shown.push(recorded_key(key.e.clone(), Some(number), &key));
                }
                keys.push(key);
            }
            self.record_sorted(shown);
            b.rel = Rel::Sort { input: Box::new(b.rel), keys };
        }
        b.rel = self.limit(q, b.rel)?;
        Ok(b)
    }

    /// The column of a combined result that ORDER BY names.
    fn result_column(&self, e: &tree::Expr, cols: &[OutCol]) -> Result<usize> {
        if let Some(l) = constant(e) {
            return self.ordinal(l, e.at, cols.len(), "ORDER BY");
        }
        let Some(n) = bare_name(e) else {
            let x = err!(FEATURE_NOT_SUPPORTED, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause")
                .detail("Only result column names can be used, not expressions or functions.")
                .hint("Add the expression/function to every SELECT, or move the UNION into a FROM clause.");
            return Err(self.at(x, e.leftmost()));
        };
        let mut hits = cols.iter().enumerate().filter(|c| c.1.name == n);
        match (hits.next(), hits.next()) {
            (Some((i, _)), None) => Ok(i),
            (Some(_), Some(_)) => Err(self.at(err!(AMBIGUOUS_COLUMN, "ORDER BY \"{n}\" is ambiguous"), e.at)),
            _ => Err(self.at(err!(UNDEFINED_COLUMN, "column \"{n}\" does not exist"), e.at)),
        }
    }

    fn limit(&mut self, q: &tree::Select, rel: Rel) -> Result<Rel> {
        let offset = match &q.offset {
            Some(e) => self.row_count(e, "OFFSET")?,
            None => None,
        };
        let limit = match &q.limit {
            Some(e) if q.with_ties && matches!(e.kind, ExprKind::Literal(Literal::Null)) => {
                bail!(INVALID_ROW_COUNT_IN_LIMIT, "row count cannot be null in FETCH FIRST ... WITH TIES clause")
            }
            Some(e) => self.row_count(e, "LIMIT")?,
            None => None,
        };
        if self.recording() {
            self.record_limit(limit.clone(), offset.clone(), q.with_ties);
        }
        Ok(if limit.is_some() || offset.is_some() {
            Rel::Limit { input: Box::new(rel), limit, offset, with_ties: q.with_ties }
        } else {
            rel
        })
    }

    /// A LIMIT or OFFSET value; None: no limit.
    fn row_count(&mut self, e: &tree::Expr, what: &'static str) -> Result<Option<Expr>> {
        let was = self.level().no_agg.replace(what);
        let r = self.expr(e);
        self.level().no_agg = was;
        let x = r?;
        let mut uses = Vec::new();
        pamir_expr::expr::each_col(&x, &mut |c| uses.push(c));
        let own = self.scopes.last().is_some_and(|s| {
            s.rtes.iter().flat_map(|r| &r.cols).any(|c| matches!(c.expr, Expr::Col(id, _) if uses.contains(&id)))
        });
        if own {
            let x = err!(INVALID_COLUMN_REFERENCE, "argument of {what} must not contain variables");
            return Err(self.at(x, e.leftmost()));
        }
        let from = x.ty().oid;
        match self.try_coerce(x, Type::INT8, CastContext::Assignment).map_err(|x| self.place(x, e.leftmost()))? {
            Some(Expr::Const(Datum::Null, _)) => Ok(None),
            Some(x) => Ok(Some(x)),
            None => {
                let x = err!(DATATYPE_MISMATCH, "argument of {what} must be type bigint, not type {}", show(from));
                Err(self.at(x, e.leftmost()))
            }
        }
    }

    /// The output column that a constant in ORDER BY and the like stands for.
    fn ordinal(&self, l: &Literal, at: At, n: usize, what: &str) -> Result<usize> {
        let Literal::Integer(i) = l else {
            return Err(self.at(err!(SYNTAX_ERROR, "non-integer constant in {what}"), at));
        };
        match usize::try_from(*i) {
            Ok(i) if (1..=n).contains(&i) => Ok(i - 1),
            _ => Err(self.at(err!(INVALID_COLUMN_REFERENCE, "{what} position {i} is not in select list"), at)),
        }
    }

    pub(super) fn condition(&mut self, e: &tree::Expr, what: &'static str) -> Result<Expr> {
        let was = (self.level().no_agg.replace(what), self.level().no_srf.replace(what));
        let r = self.expr(e).and_then(|x| self.to_bool(x, what).map_err(|x| self.place(x, e.leftmost())));
        (self.level().no_agg, self.level().no_srf) = was;
        r
    }

    fn select(
        &mut self,
        s: &SelectCore,
        q: &tree::Select,
        locks: &[Locking],
        hints: Option<&[Type]>,
        resolve: bool,
    ) -> Result<Bound> {
        if let Some(into) = &s.into {
            return Err(self.at(err!(SYNTAX_ERROR, "SELECT ... INTO is not allowed here"), into.relation.at));
        }
        self.record_open();
        let first = self.next_col;
        let was = self.level().no_agg.replace("FROM");
        let r = self.from(&s.from, locks);
        self.level().no_agg = was;
        let (rel, scope) = r?;
        let end = self.next_col;
        let sub = self.sub_scope(scope);
        let r = self.window_clause(&s.windows);
        // What is grouped by is known again by how it is written: a call that becomes its body's constant would be taken for every such constant.
        let sets = s.group_by.iter().any(|g| !matches!(g, tree::GroupItem::Expr(_)));
        let inlining = if sets { self.inlining.take() } else { None };
        let r = r.and_then(|()| self.select_body(s, q, locks, hints, resolve, rel, first..end));
        if sets {
            self.inlining = inlining;
        }
        self.leave(sub);
        let mut bound = r?;
        self.give_presence(&mut bound.rel);
        Ok(bound)
    }

    #[allow(clippy::too_many_arguments)]
    fn select_body(
        &mut self,
        s: &SelectCore,
        q: &tree::Select,
        locks: &[Locking],
        hints: Option<&[Type]>,
        resolve: bool,
        mut rel: Rel,
        from: std::ops::Range<ColId>,
    ) -> Result<Bound> {
        let targets = self.typed_targets(s, hints, resolve)?;
        if let Some(w) = &s.filter {
            let cond = self.condition(w, "WHERE")?;
            rel = Rel::Filter { input: Box::new(rel), cond };
        }
        let having = self.having(s)?;
        let mut keys: Vec<(Key, &SortBy)> = Vec::with_capacity(q.order_by.len());
        for k in &q.order_by {
            self.level().window_ok = true;
            let key = self.output_item(&k.expr, &targets, "ORDER BY");
            self.level().window_ok = false;
            keys.push((key?, k));
        }
        let (by, sets, dependent) = self.group_by(&s.group_by, s.group_distinct, &targets)?;
        let aggregated = !by.groups.is_empty() || !sets.is_empty() || having.is_some() || !self.level().aggs.is_empty();
        let has_srf = self.level().has_srf;
        if !locks.is_empty() {
            refuse_locks(s, locks, aggregated, has_srf)?;
        }
        if self.recording() {
            if by.has_twins(&self.ctes) {
                // The text of a view would have one expression for both.
                return Err(Error::unsupported(
                    "a view whose grouping sets tell output columns of one expression apart",
                ));
            }
            let mut shown = Vec::with_capacity(keys.len());
            for (k, written) in &keys {
                let e = match k {
                    Key::Target(i) => targets[*i].e.clone(),
                    Key::Expr(e) => e.clone(),
                };
                let key = self.written_key(e, written)?;
                shown.push(recorded_key(key.e.clone(), None, &key));
            }
            self.record_select(s, &rel, &targets, having.as_ref(), &by.groups, shown)?;
            self.record_locks(&q.locking);
        }
        let windows = std::mem::take(&mut self.level().windows);
        let mut upper = Upper { targets, having, keys, windows };
        if aggregated {
            by.own_columns(&self.ctes, &mut upper.targets);
            rel = self.grouped(rel, &mut upper, by.groups, sets, dependent, from)?;
        } else if !self.level().grouping.is_empty() {
            let at = self.level().grouping.first().map_or(At::NOWHERE, |g| g.at);
            return Err(self.at(grouping::not_grouped(), at));
        }
        let Upper { targets, keys, windows, .. } = upper;
        if !windows.is_empty() {
            rel = Rel::Window { input: Box::new(rel), calls: windows };
            if let Some(l) = locks.first() {
                bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed with window functions", lock_name(l));
            }
        }
        let mut lock_targets = Vec::new();
        for l in locks {
            self.lock_clause(l, &s.from, &mut rel, &mut lock_targets)?;
        }
        let column = |k: &Key| {
            matches!(k, Key::Expr(_)) || matches!(k, Key::Target(i) if matches!(targets[*i].e, Expr::Col(..)))
        };
        let below = matches!(s.distinct, Distinct::All)
            && !has_srf
            && (!locks.is_empty() || keys.iter().all(|(k, _)| column(k)));
        if !below {
            return self.sorted_above(s, q, rel, targets, keys);
        }
        if !keys.is_empty() {
            let mut v = Vec::with_capacity(keys.len());
            for (k, written) in keys {
                let e = match k {
                    Key::Target(i) => targets[i].e.clone(),
                    Key::Expr(e) => e,
                };
                v.push(self.written_key(e, written)?);
            }
            rel = Rel::Sort { input: Box::new(rel), keys: v };
        }
        if !lock_targets.is_empty() {
            rel = Rel::LockRows { input: Box::new(rel), targets: lock_targets };
        }
        // Rows that OFFSET skips are made, too: functions count them.
        if q.offset.is_some() && targets.iter().any(|t| is_volatile(&t.e)) {
            let made = self.project(rel, targets);
            return Ok(Bound { rel: self.limit(q, made.rel)?, cols: made.cols });
        }
        rel = self.limit(q, rel)?;
        Ok(self.project(rel, targets))
    }

    /// The output columns; those of type unknown as the INSERT around wants them, or as text.
    pub(super) fn typed_targets(
        &mut self,
        s: &SelectCore,
        hints: Option<&[Type]>,
        resolve: bool,
    ) -> Result<Vec<Target>> {
        self.level().window_ok = true;
        let targets = self.targets(&s.targets, "SELECT");
        self.level().window_ok = false;
        let mut targets = targets?;
        for (i, t) in targets.iter_mut().enumerate() {
            if t.e.ty().oid != oid::UNKNOWN {
                continue;
            }
            let e = std::mem::replace(&mut t.e, Expr::Default);
            t.e = match hints.and_then(|h| h.get(i)) {
                Some(h) => self
                    .coerce(e, *h, CastContext::Assignment)
                    .map_err(|x| self.place(x, targets::target_at(&s.targets, i)))?,
                None if resolve => self.known(e)?,
                None => e,
            };
        }
        Ok(targets)
    }

    fn having(&mut self, s: &SelectCore) -> Result<Option<Expr>> {
        let Some(h) = &s.having else { return Ok(None) };
        self.level().no_window = Some("HAVING");
        let e = self.expr(h);
        self.level().no_window = None;
        self.to_bool(e?, "HAVING").map_err(|x| self.place(x, h.leftmost())).map(Some)
    }

    /// Aggregation, and HAVING over it. What stands above reads groups and aggregates from here on.
    fn grouped(
        &mut self,
        rel: Rel,
        upper: &mut Upper,
        mut groups: Vec<(Expr, OutCol)>,
        mut sets: Vec<Vec<usize>>,
        dependent: bool,
        from: std::ops::Range<ColId>,
    ) -> Result<Rel> {
        let own = groups.len();
        let in_all = |i: &usize| sets.iter().all(|s| s.contains(i));
        let common = (!dependent).then(|| (0..own).filter(in_all).collect());
        let mut g = Grouping { groups: &mut groups, from, common };
        for mut e in std::mem::take(&mut self.level().direct_args) {
            // Where a set leaves a column out it would have to be NULL here, and is not among what an aggregate reads.
            if !sets.is_empty() && !pamir_expr::rels::expr_free(&e).is_empty() {
                return Err(Error::unsupported("a column in the direct arguments of an aggregate with grouping sets"));
            }
            self.above_groups(&mut e, &mut g)
                .map_err(|e| e.detail("Direct arguments of an ordered-set aggregate must use only grouped columns."))?;
        }
        let mut all = Ok(());
        upper.exprs_mut(&mut |e| {
            // A whole item that is grouped by is the key, though it is a constant.
            match g.groups.iter().find(|(x, _)| matches!(e, Expr::Const(..)) && same(&self.ctes, x, e)) {
                Some((_, c)) => *e = Expr::Col(c.id, c.ty),
                None if all.is_ok() => all = self.above_groups(e, &mut g),
                None => {}
            }
        });
        all?;
        // What a key of all sets determines is in all of them.
        sets.iter_mut().for_each(|s| s.extend(own..groups.len()));
        let grouping = std::mem::take(&mut self.level().grouping);
        if !grouping.is_empty() {
            let values = self.grouping_values(grouping, &mut groups, &mut sets)?;
            upper.exprs_mut(&mut |e| replace(e, &values));
        }
        let mut aggs = std::mem::take(&mut self.level().aggs);
        let sets_grouped = groups.iter().any(|g| has_set_call(&g.0));
        let rel = if sets_grouped { self.sets_below_groups(rel, &mut groups, &mut aggs) } else { rel };
        let rel = Rel::Aggregate { input: Box::new(rel), groups, aggs, sets };
        Ok(match upper.having.take() {
            Some(cond) => Rel::Filter { input: Box::new(rel), cond },
            None => rel,
        })
    }

    /// DISTINCT, and sorting by what is computed: over the projection, which makes hidden columns for keys that nobody sees.
    fn sorted_above(
        &mut self,
        s: &SelectCore,
        q: &tree::Select,
        rel: Rel,
        mut targets: Vec<Target>,
        keys: Vec<(Key, &SortBy)>,
    ) -> Result<Bound> {
        let visible = targets.len();
        let all = matches!(s.distinct, Distinct::Distinct);
        let mut sort = Vec::with_capacity(keys.len());
        for (k, written) in keys {
            let i = match k {
                Key::Target(i) => i,
                Key::Expr(e) => {
                    let e = self.known(e)?;
                    if all && !targets.iter().any(|t| same(&self.ctes, &t.e, &e)) {
                        let x = err!(
                            INVALID_COLUMN_REFERENCE,
                            "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
                        );
                        return Err(self.at(x, written.expr.leftmost()));
                    }
                    hidden_target(&self.ctes, &mut targets, e)
                }
            };
            sort.push((i, written));
        }
        let on_keys = match &s.distinct {
            Distinct::On(on) => self.on_keys(on, &mut targets, visible, &sort)?,
            _ => Vec::new(),
        };
        // PostgreSQL sorts and takes the first rows before it calls a function whose rows no key reads.
        let later =
            |(i, t): (usize, &Target)| has_set_call(&t.e) && !on_keys.contains(&i) && !sort.iter().any(|s| s.0 == i);
        if !on_keys.is_empty() && !sort.is_empty() && targets.iter().enumerate().any(later) {
            return Err(Error::unsupported("a set-returning function beside DISTINCT ON and ORDER BY"));
        }
        let Bound { mut rel, mut cols } = self.project(rel, targets);
        let col = |i: usize| Expr::Col(cols[i].id, cols[i].ty);
        if !matches!(s.distinct, Distinct::All) {
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
        if all {
            rel = Rel::Distinct { input: Box::new(rel), on: None };
        }
        if !sort.is_empty() {
            let mut v: Vec<SortKey> = Vec::with_capacity(sort.len());
            for (i, written) in sort {
                let e = col(i);
                v.push(self.written_key(e, written)?);
            }
            rel = Rel::Sort { input: Box::new(rel), keys: v };
        }
        if matches!(s.distinct, Distinct::On(_)) {
            rel = Rel::Distinct { input: Box::new(rel), on: Some(on_keys.iter().map(|i| col(*i)).collect()) };
        }
        rel = self.limit(q, rel)?;
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

    /// What DISTINCT ON compares, for the query's text.
    pub(super) fn distinct_values(&mut self, on: &[tree::Expr], targets: &[Target]) -> Result<Vec<Expr>> {
        let mut out = Vec::with_capacity(on.len());
        for e in on {
            out.push(match self.output_item(e, targets, "DISTINCT ON")? {
                Key::Target(i) => targets[i].e.clone(),
                Key::Expr(x) => self.known(x)?,
            });
        }
        Ok(out)
    }

    /// The columns of DISTINCT ON, each once. The leading sort keys must be these, in any order: nothing else may stand before one of them.
    fn on_keys(
        &mut self,
        on: &[tree::Expr],
        targets: &mut Vec<Target>,
        visible: usize,
        sort: &[(usize, &SortBy)],
    ) -> Result<Vec<usize>> {
        // The column of each expression.
        let mut on_cols = Vec::with_capacity(on.len());
        let mut on_keys = Vec::new();
        for e in on {
            let i = match self.output_item(e, &targets[..visible.min(targets.len())], "DISTINCT ON")? {
                Key::Target(i) => i,
                Key::Expr(x) => {
                    let x = self.known(x)?;
                    hidden_target(&self.ctes, targets, x)
                }
            };
            on_cols.push(i);
            if !on_keys.contains(&i) {
                on_keys.push(i);
            }
        }
        let n = sort.len().min(on_keys.len());
        if let Some(other) = sort[..n].iter().position(|k| !on_keys.contains(&k.0)) {
            let after = sort[other..].iter().find_map(|k| on_cols.iter().position(|c| *c == k.0));
            let wrong = after.or_else(|| on_cols.iter().position(|c| sort.iter().all(|k| k.0 != *c)));
            let e = err!(
                INVALID_COLUMN_REFERENCE,
                "SELECT DISTINCT ON expressions must match initial ORDER BY expressions"
            );
            return Err(match wrong.and_then(|i| on.get(i)) {
                Some(x) => self.at(e, x.leftmost()),
                None => e,
            });
        }
        Ok(on_keys)
    }

    /// An item of ORDER BY or DISTINCT ON: an output column by its number or name, or an expression.
    fn output_item(&mut self, e: &tree::Expr, targets: &[Target], what: &str) -> Result<Key> {
        if let Some(l) = constant(e) {
            return Ok(Key::Target(self.ordinal(l, e.at, targets.len(), what)?));
        }
        if let Some(n) = bare_name(e)
            && let Some(i) = self.output_named(n, e.at, targets, what)?
        {
            return Ok(Key::Target(i));
        }
        let x = self.expr(e)?;
        Ok(match targets.iter().position(|t| same(&self.ctes, &t.e, &x)) {
            Some(i) => Key::Target(i),
            None => Key::Expr(x),
        })
    }
    /// The output column of this name; of several, all must be the same.
    fn output_named(&self, name: &str, at: At, targets: &[Target], what: &str) -> Result<Option<usize>> {
        let mut hits = targets.iter().enumerate().filter(|t| t.1.name == name);
        let Some((i, t)) = hits.next() else { return Ok(None) };
        if hits.any(|h| !same(&self.ctes, &h.1.e, &t.e)) {
            return Err(self.at(err!(AMBIGUOUS_COLUMN, "{what} \"{name}\" is ambiguous"), at));
        }
        Ok(Some(i))
    }
}

fn recorded_key(e: Expr, number: Option<usize>, k: &SortKey) -> pamir_expr::query::Sort {
    pamir_expr::query::Sort { e, number, desc: k.desc, nulls_first: k.nulls_first }
}

/// A constant where an output column's number may stand.
fn constant(e: &tree::Expr) -> Option<&Literal> {
    if let ExprKind::Literal(l) = &e.kind { Some(l) } else { None }
}
/// A name alone.
fn bare_name(e: &tree::Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Column { path, star: false } => match path.as_slice() {
            [n] => Some(n),
            _ => None,
        },
        _ => None,
    }
}
