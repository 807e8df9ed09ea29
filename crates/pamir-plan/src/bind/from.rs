//! FROM: tables, joins, derived tables. Functions: [`functions`]; samples: [`sample`].
mod functions;
mod sample;
mod xml;

pub(super) use functions::calls_of;

use super::Binder;
use super::scope::{Rte, RteCol, Scope};
use super::select::locking;
use pamir_catalog::{Relation, Table, View, acl};
use pamir_expr::func;
use pamir_expr::ir::{ColId, Expr, JoinKind, OutCol, Rel};
use pamir_expr::query::Shared;
use pamir_parse::tree::{self, Alias, At, Join, Locking, TableKind, TableRef};
use pamir_txn::TableLock;
use pamir_types::{Error, Result, Type, bail, err};
use std::sync::Arc;

/// System columns whose names stand somewhere in a statement's text.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub tableoid: bool,
    pub ctid: bool,
    pub xmax: bool,
}
impl Binder<'_, '_> {
    /// The whole FROM list: items joined crosswise, each seeing the ones before it if LATERAL. `locks`: what reaches into subqueries.
    pub(super) fn from(&mut self, items: &[TableRef], locks: &[Locking]) -> Result<(Rel, Scope)> {
        let mut rel = Rel::One;
        let mut scope = Scope::default();
        for (i, item) in items.iter().enumerate() {
            let (r, s, lateral) = self.from_item(item, &scope, locks)?;
            no_duplicates(&scope, &s)?;
            scope.merge(s);
            rel = if i == 0 {
                r
            } else {
                Rel::Join { kind: JoinKind::Cross, left: Box::new(rel), right: Box::new(r), on: None, lateral }
            };
        }
        Ok((rel, scope))
    }

    /// How often each recursive term has referred to itself by now.
    pub(super) fn working_refs(&self) -> Vec<usize> {
        self.cte_names.iter().filter(|c| c.working).map(|c| c.refs.len()).collect()
    }
    /// 42P19 for the first reference of a recursive term to itself between two such looks.
    pub(super) fn no_recursion(&self, from: &[usize], to: &[usize], within: &str) -> Result<()> {
        for (c, (from, to)) in self.cte_names.iter().filter(|c| c.working).zip(from.iter().zip(to)) {
            if let Some(at) = c.refs.get(*from..*to).and_then(<[At]>::first) {
                let name = &c.name;
                let e =
                    err!(INVALID_RECURSION, "recursive reference to query \"{name}\" must not appear within {within}");
                return Err(self.at(e, *at));
            }
        }
        Ok(())
    }

    /// One FROM item; true when it uses columns of `before`.
    fn from_item(&mut self, t: &TableRef, before: &Scope, locks: &[Locking]) -> Result<(Rel, Scope, bool)> {
        match (&t.kind, &t.alias) {
            (TableKind::Relation(r, Some(sample)), alias) => {
                let (rel, s) = self.sampled(r, sample, alias.as_ref(), (t.at, locks))?;
                self.record_named(r, alias.as_ref(), &s)?;
                Ok((rel, s, false))
            }
            (TableKind::Relation(r, None), alias) => {
                let (rel, s) = self.named_table(r, alias.as_ref(), locks)?;
                self.record_named(r, alias.as_ref(), &s)?;
                Ok((rel, s, false))
            }
            (TableKind::Subquery { query, lateral }, alias) => {
                self.derived_table(query, *lateral, alias.as_ref(), before, locks)
            }
            (TableKind::Functions { .. }, _) => self.functions(t, before),
            (TableKind::Join(j), None) => self.joined(j, before, locks),
            (TableKind::Join(j), Some(a)) => {
                // Only the alias is visible then, to row locks too.
                let (r, s, lat) = self.joined(j, before, &locking::of_subquery(locks, None))?;
                let cols: Vec<RteCol> = s.star.iter().map(|at| s.col(*at).clone()).collect();
                let inner: Vec<String> = cols.iter().map(|c| c.name.clone()).collect();
                let mut rte = Rte { name: Some(a.name.clone()), cols, ..Rte::default() };
                rename(&mut rte, "join expression", a)?;
                if self.recording() {
                    let mut named = Scope::default();
                    named.add(rte.clone());
                    self.record_join_alias(a, &named, &inner);
                }
                let mut hidden = s.rtes;
                hidden.iter_mut().for_each(|r| r.hidden = true);
                let mut s = Scope::default();
                s.add(rte);
                s.rtes.extend(hidden);
                Ok((r, s, lat))
            }
            (TableKind::XmlTable { table, lateral }, _) => self.xml_table(t, table, *lateral, before),
        }
    }

    /// A join and those on its left side, which are walked in a loop: they may be many.
    fn joined(&mut self, j: &Join, before: &Scope, locks: &[Locking]) -> Result<(Rel, Scope, bool)> {
        if pamir_storage::task::stack_left().is_some_and(|n| n < super::STACK_RESERVE) {
            return Err(pamir_expr::deep::too_deep());
        }
        let mut joins = vec![j];
        let mut first = &j.left;
        while let (TableKind::Join(j), None) = (&first.kind, &first.alias) {
            joins.push(j);
            first = &j.left;
        }
        let begin = self.working_refs();
        let (mut rel, mut scope, mut lateral) = self.from_item(first, before, locks)?;
        while let Some(j) = joins.pop() {
            let left = self.working_refs();
            let kind = match j.kind {
                tree::JoinKind::Inner => JoinKind::Inner,
                tree::JoinKind::Cross => JoinKind::Cross,
                tree::JoinKind::Left => JoinKind::Left,
                tree::JoinKind::Right => JoinKind::Right,
                tree::JoinKind::Full => JoinKind::Full,
            };
            let mut visible = before.clone();
            let mut known = scope.clone();
            if matches!(kind, JoinKind::Right | JoinKind::Full) {
                known.rtes.iter_mut().for_each(|r| r.no_lateral = true);
            }
            visible.merge(known);
            let (r, s, lat) = self.from_item(&j.right, &visible, locks)?;
            let right = self.working_refs();
            for (missing, from, to) in [
                (matches!(kind, JoinKind::Right | JoinKind::Full), &begin, &left),
                (matches!(kind, JoinKind::Left | JoinKind::Full), &left, &right),
            ] {
                if missing {
                    self.no_recursion(from, to, "an outer join")?;
                }
            }
            no_duplicates(&scope, &s)?;
            lateral |= lat && !before.rtes.is_empty();
            (rel, scope) = self.join(kind, j, rel, scope, r, s, lat, before)?;
        }
        Ok((rel, scope, lateral))
    }

    #[allow(clippy::too_many_arguments)]
    fn join(
        &mut self,
        kind: JoinKind,
        j: &Join,
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
        if let Some(n) = &j.using_alias
            && ls.rtes.iter().chain(&rs.rtes).any(|r| !r.hidden && r.schema.is_none() && r.name.as_ref() == Some(n))
        {
            bail!(DUPLICATE_ALIAS, "table name \"{n}\" specified more than once");
        }
        if let Some(on) = &j.on {
            let mut s = ls;
            s.merge(rs);
            self.scopes.push(before.clone());
            self.scopes.push(s);
            let e = self.join_condition(on);
            let s = self.scopes.pop().unwrap_or_default();
            self.scopes.pop();
            self.record_join(j, e.as_ref().ok(), Vec::new(), Vec::new());
            return Ok((Rel::Join { kind, left: Box::new(left), right: Box::new(right), on: Some(e?), lateral }, s));
        }
        if kind == JoinKind::Cross {
            self.record_join(j, None, Vec::new(), Vec::new());
            let mut s = ls;
            s.merge(rs);
            return Ok((Rel::Join { kind, left: Box::new(left), right: Box::new(right), on: None, lateral }, s));
        }
        let names: Vec<String> = if j.natural {
            ls.star
                .iter()
                .map(|at| &ls.col(*at).name)
                .filter(|n| rs.star.iter().any(|b| rs.col(*b).name == **n))
                .cloned()
                .collect()
        } else {
            j.using.clone()
        };
        let kind = if names.is_empty() && kind == JoinKind::Inner { JoinKind::Cross } else { kind };
        let mut on = Vec::new();
        let mut merged = Vec::new();
        let mut using = Vec::new();
        let (mut lstar, mut rstar) = (ls.star.clone(), rs.star.clone());
        for n in &names {
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
            let l = find(&ls, "left")?;
            let r = find(&rs, "right")?;
            let (le, re) = (ls.col(l).expr.clone(), rs.col(r).expr.clone());
            self.uses.select(&le);
            self.uses.select(&re);
            if self.recording() {
                using.push(Shared { name: n.clone(), left: le.clone(), right: re.clone() });
            }
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
        if self.recording() {
            self.record_join(j, None, merged.iter().map(|m| (m.name.clone(), m.expr.clone())).collect(), using);
        }
        let n = ls.rtes.len();
        let mut s = Scope { rtes: ls.rtes, star: Vec::new() };
        s.rtes.extend(rs.rtes);
        let m = s.rtes.len();
        s.star.extend((0..merged.len()).map(|i| (m, i)));
        s.star.extend(lstar);
        s.star.extend(rstar.into_iter().map(|(r, c)| (r + n, c)));
        // Under its alias too, which no bare name means.
        let aliased =
            j.using_alias.as_ref().map(|n| Rte { name: Some(n.clone()), cols: merged.clone(), ..Rte::default() });
        s.rtes.push(Rte { cols: merged, ..Rte::default() });
        s.rtes.extend(aliased);
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

    fn derived_table(
        &mut self,
        query: &tree::Select,
        lateral: bool,
        alias: Option<&Alias>,
        before: &Scope,
        locks: &[Locking],
    ) -> Result<(Rel, Scope, bool)> {
        if lateral {
            self.scopes.push(before.clone());
        } else {
            let mut hidden = before.clone();
            hidden.star.clear();
            hidden.rtes.iter_mut().for_each(|r| r.hidden = true);
            self.scopes.push(hidden);
        }
        let locks = locking::of_subquery(locks, alias.map(|a| a.name.as_str()));
        let r = self.subquery_level(|b| b.query_locked(query, &locks, None, true));
        self.scopes.pop();
        let (q, outer) = r?;
        let ids = columns_of(before);
        let lat = outer.iter().any(|o| ids.contains(o));
        let Some(alias) = alias else { return Err(Error::internal("a subquery in FROM without an alias")) };
        let rte = self.aliased(q.cols.clone(), &alias.name, Some(alias))?;
        let mut s = Scope::default();
        s.add(rte);
        self.record_derived(alias, &s, lateral);
        Ok((q.rel, s, lat))
    }

    /// Names a relation's columns by an alias and its column list.
    fn aliased(&mut self, cols: Vec<OutCol>, name: &str, alias: Option<&Alias>) -> Result<Rte> {
        let mut rte = Rte::of(name, &cols);
        if let Some(a) = alias {
            rename(&mut rte, "table", a)?;
        }
        Ok(rte)
    }

    /// What stands behind ON.
    pub(super) fn join_condition(&mut self, on: &tree::Expr) -> Result<Expr> {
        let place = "JOIN conditions";
        let was = (self.level().no_agg.replace(place), self.level().no_srf.replace(place));
        let e = self.expr(on).and_then(|e| self.to_bool(e, "JOIN/ON").map_err(|e| self.place(e, on.leftmost())));
        (self.level().no_agg, self.level().no_srf) = was;
        e
    }

    /// A relation's schema, if one was said, and its own name.
    pub(super) fn relation_parts<'r>(&self, r: &'r tree::Relation) -> Result<(Option<&'r str>, &'r str)> {
        match r.parts.as_slice() {
            [t] => Ok((None, t.as_str())),
            [s, t] => Ok((Some(s.as_str()), t.as_str())),
            [db, s, t] if db == self.cx.env.database() => Ok((Some(s.as_str()), t.as_str())),
            parts => {
                let shown = parts.join(".");
                let e = err!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: \"{shown}\"");
                Err(self.at(e, r.at))
            }
        }
    }

    fn named_table(&mut self, name: &tree::Relation, alias: Option<&Alias>, locks: &[Locking]) -> Result<(Rel, Scope)> {
        let (schema, table) = self.relation_parts(name)?;
        let alias_name = alias.map_or(table, |a| a.name.as_str()).to_string();
        // A name made by WITH, innermost first.
        if schema.is_none()
            && let Some(i) = self.cte_names.iter().rposition(|c| c.name == table)
        {
            let c = &mut self.cte_names[i];
            c.refs.push(name.at);
            let (index, working, cols, varies) = (c.index, c.working, c.cols.clone(), c.varies);
            if working || varies.is_some() {
                self.varying.push(index);
            }
            self.level().reads_itself |= working;
            if cols.is_empty() && !working {
                return Err(self.at(
                    err!(FEATURE_NOT_SUPPORTED, "WITH query \"{table}\" does not have a RETURNING clause"),
                    name.at,
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
        if schema.is_none()
            && let Some(t) = self.cx.env.transition_table(table)
        {
            return self.transition_table(&t, table, &alias_name, alias);
        }
        match self.resolve(schema, table, name.at)? {
            Some(Relation::Table(t)) => {
                self.use_table(&t, TableLock::AccessShare);
                if let Some(v) = t.plain_view().filter(|_| !self.recording()).cloned() {
                    return self.named_view(&t, &v, &alias_name, alias, locks);
                }
                self.rows_of(&t, name.only, &alias_name, alias)
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
                rte.view = Some(v.oid);
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
                Ok((Rel::FunctionScan { f: (*f).into(), args, cols, ordinality: None }, s))
            }
            Some(Relation::Index(..)) => {
                let e = err!(WRONG_OBJECT_TYPE, "cannot open relation \"{table}\"")
                    .detail("This operation is not supported for indexes.");
                Err(self.at(e, name.at))
            }
            None => {
                let shown = schema.map_or(table.to_string(), |s| format!("{s}.{table}"));
                let mut e = err!(UNDEFINED_TABLE, "relation \"{shown}\" does not exist");
                if schema.is_none() && self.coming.iter().any(|c| c == table) {
                    let d = "but it cannot be referenced from this part of the query.";
                    e = e
                        .detail(format!("There is a WITH item named \"{table}\", {d}"))
                        .hint("Use WITH RECURSIVE, or re-order the WITH items to remove forward references.");
                }
                Err(self.at(e, name.at))
            }
        }
    }

    /// What has rows of its own: a table, a materialized view; anything where only the text is asked for.
    fn rows_of(&mut self, t: &Arc<Table>, only: bool, alias_name: &str, alias: Option<&Alias>) -> Result<(Rel, Scope)> {
        if t.view.as_ref().is_some_and(|v| v.materialized && !v.populated) && !self.recording() {
            let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "materialized view \"{}\" has not been populated", t.name);
            return Err(e.hint("Use the REFRESH MATERIALIZED VIEW command."));
        }
        let (mut rel, mut rte) = self.scan(t, alias_name);
        if !only && !t.children().is_empty() {
            rel = self.whole_family(rel, &mut rte, TableLock::AccessShare)?;
        }
        self.uses.begin(t.oid, acl::SELECT);
        self.uses.columns(t, &rte);
        rel = self.read_secured(rel, t, &rte)?;
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
    /// The rows that a trigger's statement changed.
    fn transition_table(
        &mut self,
        t: &Table,
        name: &str,
        alias_name: &str,
        alias: Option<&Alias>,
    ) -> Result<(Rel, Scope)> {
        let Some(f) = func::functions(func::srf::TRANSITION_ROWS).first() else {
            return Err(Error::internal("reading a transition table is not registered"));
        };
        self.volatile = true;
        let cols: Vec<OutCol> = t.live_columns().map(|c| self.out(&c.name, c.ty)).collect();
        let rte = self.aliased(cols.clone(), alias_name, alias)?;
        let mut s = Scope::default();
        s.add(rte);
        let args = vec![Expr::Const(pamir_types::Datum::from(name), Type::TEXT)];
        Ok((Rel::FunctionScan { f: (*f).into(), args, cols, ordinality: None }, s))
    }
    /// A view: its query, and the reader's own right to read it.
    fn named_view(
        &mut self,
        t: &Arc<Table>,
        v: &View,
        name: &str,
        alias: Option<&Alias>,
        locks: &[Locking],
    ) -> Result<(Rel, Scope)> {
        // A clause that reaches the view locks what its query reads.
        let locks = locking::of_subquery(locks, Some(name));
        self.uses.begin(t.oid, if locks.is_empty() { acl::SELECT } else { acl::SELECT | acl::UPDATE });
        let own = self.uses.newest();
        let (rel, cols) = self.view(t, v, &locks)?;
        let mut rte = Rte::of(name, &cols);
        rte.view = Some(t.oid);
        self.uses.columns_of(own, t, &rte);
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

    /// A relation by its name, which stands at `at`.
    pub(super) fn resolve(&mut self, schema: Option<&str>, name: &str, at: At) -> Result<Option<Relation>> {
        self.cx.catalog.resolve(self.cx.scope, schema, name).map_err(|e| self.at(e, at))
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
        (
            Rel::Table {
                table: t.clone(),
                alias: alias.to_string(),
                cols,
                key: ctid,
                tableoid,
                lock: None,
                parts: None,
            },
            rte,
        )
    }

    /// Which system columns may the statement name?
    pub(super) fn named(&self) -> Named {
        *self.named.get_or_init(|| Named::by(self.cx.text))
    }
}
impl Named {
    /// Those that a text may name.
    pub(super) fn by(text: &str) -> Named {
        let text = text.as_bytes();
        let has = |name: &[u8]| text.windows(name.len()).any(|w| w.eq_ignore_ascii_case(name));
        Named { tableoid: has(b"tableoid"), ctid: has(b"ctid"), xmax: has(b"xmax") }
    }
}

/// Gives columns the names of an alias's list, which may be shorter. `what`: the relation, in the error.
pub(super) fn rename(rte: &mut Rte, what: &str, alias: &Alias) -> Result<()> {
    if alias.columns.len() > rte.cols.len() {
        bail!(
            INVALID_COLUMN_REFERENCE,
            "{what} \"{}\" has {} columns available but {} columns specified",
            alias.name,
            rte.cols.len(),
            alias.columns.len()
        );
    }
    for (c, n) in std::iter::zip(&mut rte.cols, &alias.columns) {
        c.name.clone_from(n);
    }
    Ok(())
}

/// 42712 for a name that both sides of a join have.
fn no_duplicates(a: &Scope, b: &Scope) -> Result<()> {
    // What an alias of the join hides does not count.
    for r in b.rtes.iter().filter(|r| !r.hidden) {
        if let Some(n) = &r.name
            && a.rtes.iter().any(|x| {
                !x.hidden
                    && x.name.as_ref() == Some(n)
                    && (x.schema == r.schema || x.schema.is_none() || r.schema.is_none())
            })
        {
            bail!(DUPLICATE_ALIAS, "table name \"{n}\" specified more than once");
        }
    }
    Ok(())
}

/// The columns that a scope's items are made of.
fn columns_of(s: &Scope) -> Vec<ColId> {
    let columns = s.rtes.iter().flat_map(|r| &r.cols);
    columns.filter_map(|c| if let Expr::Col(id, _) = c.expr { Some(id) } else { None }).collect()
}
