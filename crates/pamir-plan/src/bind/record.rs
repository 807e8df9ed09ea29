//! What a query says, kept while it is bound: for the texts of views ([`pamir_expr::query`]).
//!
//! Nothing is kept unless [`view`] asks. Each part that is bound leaves its form on a stack, and what it is a part of takes it from there:
//!
//! ```text
//! FROM a JOIN b ...        from: [a] [a, b] [a JOIN b]
//! SELECT ... UNION ...     queries: [left] [left, right] [left UNION right]
//! ```
//! *Invariant*: where a part is bound without an error, its stack is one higher than before, and no other is.
use super::from::Named;
use super::scope::{RteCol, Scope};
use super::select::Target;
use super::select::locking::lock_name;
use super::{BindCtx, Binder};
use pamir_catalog::acl;
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::{NameScope, Relation, Table, View};
use pamir_expr::deparse::{Layout, Naming, query_text};
use pamir_expr::env::Env;
use pamir_expr::expr::each_col;
use pamir_expr::ir::{CastHow, ColId, Expr, OutCol, Rel, SortKey};
use pamir_expr::query::{
    Body, Defined, From, Hypothetical, Item, ItemKind, JoinWord, Over, Query, Record, Sample, Select, Shared, Sort,
    With,
};
use pamir_parse::tree::{self, Alias, ColumnType, Statement};
use pamir_types::{Error, Oid, Result, Type, err, oid, oid::FIRST_USER};
use std::sync::Arc;

#[derive(Default)]
pub(super) struct Recorder {
    pub record: Record,
    from: Vec<From>,
    queries: Vec<Query>,
    ctes: Vec<With>,
    /// The items of each FROM that is open.
    open: Vec<Vec<usize>>,
    /// How the next relation is sampled.
    sample: Option<Sample>,
    /// Calls of functions in FROM that no item has taken yet.
    calls: Vec<Expr>,
    pub groups: Vec<pamir_expr::query::Group>,
    /// Primary keys that columns without a group hang on.
    pub keys: Vec<Oid>,
}

/// A query as a view's text says it: its form, and its columns.
pub struct Recorded {
    pub query: Query,
    pub record: Record,
    pub output: Vec<OutCol>,
}

/// Binds a query for its text. The bound tree is of no other use: views in it are not looked into. `text`: where the names of system columns stand.
pub fn view(q: &tree::Select, text: &str, cx: &mut BindCtx) -> Result<Recorded> {
    let mut b = Binder::new(cx);
    b.named = Named::by(text).into();
    b.recorder = Some(Box::default());
    let bound = b.query(q, None, true)?;
    let mut depends = b.named_objects();
    let Some(r) = b.recorder.take() else { return Err(Error::internal("a recorder was lost")) };
    depends.extend(r.keys.iter().map(|oid| ObjectRef { class: Class::Constraint, oid: *oid, sub: 0 }));
    depends.sort();
    depends.dedup();
    let (mut record, mut queries) = (r.record, r.queries);
    record.depends = depends;
    let query = queries.pop().ok_or_else(|| Error::internal("a query without its form"))?;
    Ok(Recorded { query, record, output: bound.cols })
}

/// Binds a condition on the rows of a table for its text, as the filter of a query of that table alone. `place`, `word`: what errors call where it stands.
pub fn condition(
    e: &tree::Expr,
    t: &Arc<Table>,
    place: &'static str,
    word: &'static str,
    cx: &mut BindCtx,
) -> Result<Recorded> {
    let mut b = Binder::new(cx);
    b.recorder = Some(Box::default());
    let (ids, rte) = b.row(t, &t.name);
    b.uses.begin(t.oid, 0);
    b.uses.columns(t, &rte);
    b.note_item(t, &ids, None);
    let mut s = Scope::default();
    s.add(rte);
    b.scopes.push(s);
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let bound = b.expr(e)?;
    let filter = b.to_bool(bound, word).map_err(|x| b.place(x, e.leftmost()))?;
    let mut depends = b.named_objects();
    let Some(r) = b.recorder.take() else { return Err(Error::internal("a recorder was lost")) };
    depends.extend(r.keys.iter().map(|oid| ObjectRef { class: Class::Constraint, oid: *oid, sub: 0 }));
    depends.sort();
    depends.dedup();
    let mut record = r.record;
    record.depends = depends;
    let select = Select { from: vec![From::Item(0)], filter: Some(filter), ..Select::default() };
    let query = Query { items: vec![0], ..query(Body::Select(Box::new(select))) };
    Ok(Recorded { query, record, output: Vec::new() })
}

/// What a statement of a function's body names itself: of a view the view, not what that reads.
pub fn named(stmt: &Statement, cx: &mut BindCtx) -> Result<Vec<ObjectRef>> {
    let mut b = Binder::knowing_names(cx);
    b.recorder = Some(Box::default());
    match stmt {
        Statement::Select(q) => b.query(q, None, true).map(|_| ())?,
        _ => b.modify(stmt).map(|_| ())?,
    }
    let mut depends = b.named_objects();
    let keys = b.recorder.take().map(|r| r.keys).unwrap_or_default();
    depends.extend(keys.into_iter().map(|oid| ObjectRef::new(Class::Constraint, oid)));
    depends.extend(b.uses.text_search_objects());
    Ok(depends)
}

/// The query of a view's text.
pub fn stored_query(text: &str) -> Result<tree::Select> {
    let mut script = crate::parser::parse(text)?;
    match script.statements.pop().map(|p| p.stmt) {
        Some(Statement::Select(q)) => Ok(*q),
        _ => Err(Error::internal("a view without a query")),
    }
}

/// pg_get_viewdef: a view's query with names as the session's search path has them.
pub fn definition(t: &Table, layout: Layout, env: &mut dyn Env) -> Result<String> {
    let Some(v) = &t.view else { return Ok(String::new()) };
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let stored = NameScope::stored(scope.database);
    let q = stored_query(&v.text.0)?;
    let form =
        view(&q, &v.text.0, &mut BindCtx { catalog: &catalog, scope: &stored, params: Vec::new(), env, text: "" })?;
    let names: Vec<String> = t.live_columns().map(|c| c.name.clone()).collect();
    let text = query_text(&form.query, &form.record, &names, Naming::Short(&catalog, &scope), layout)?;
    let named = |oid: &str| catalog.quoted_name(&scope, oid.parse().ok()?);
    Ok(pamir_catalog::defs::map_regclass(&text, named) + ";")
}

impl Recorder {
    /// What a change has recorded: of an INSERT its query too.
    pub fn changed(self) -> (Record, Option<Query>) {
        let mut queries = self.queries;
        (self.record, queries.pop())
    }
}
impl Binder<'_, '_> {
    /// Relations, columns and functions that were named.
    pub(super) fn named_objects(&mut self) -> Vec<ObjectRef> {
        let operator = |oid: &_| ObjectRef { class: Class::Operator, oid: *oid, sub: 0 };
        let mut depends: Vec<ObjectRef> = self.uses.operators().iter().map(operator).collect();
        for u in self.uses.done().iter().filter(|u| u.relation >= FIRST_USER) {
            if self.cx.catalog.function(u.relation).is_some() {
                depends.push(ObjectRef { class: Class::Function, oid: u.relation, sub: 0 });
                continue;
            }
            let columns = || u.selected.iter().chain(&u.inserted).chain(&u.updated);
            if columns().next().is_none() {
                depends.push(ObjectRef::relation(u.relation));
            }
            depends.extend(columns().map(|a| ObjectRef::column(u.relation, *a)));
        }
        depends.sort();
        depends.dedup();
        depends
    }
    pub(super) fn recording(&self) -> bool {
        self.recorder.is_some()
    }
    fn add_item(&mut self, kind: ItemKind, alias: Option<&Alias>, s: &Scope, lateral: bool) -> Option<usize> {
        let r = self.recorder.as_mut()?;
        let rte = s.rtes.first()?;
        let cols = rte.cols.iter().map(|c| (c.name.clone(), c.expr.clone())).collect();
        let system = [("tableoid", rte.tableoid), ("ctid", rte.ctid), ("xmax", rte.xmax)];
        let system = system.into_iter().filter_map(|(n, c)| Some((n, c?))).collect();
        let renamed = alias.is_some_and(|a| !a.columns.is_empty());
        // What has no name of its own is called as it is known.
        let own = !matches!(kind, ItemKind::Relation { .. } | ItemKind::Cte(_));
        let alias = alias.map(|a| a.name.clone()).or_else(|| rte.name.clone().filter(|_| own));
        r.record.items.push(Item {
            kind,
            alias,
            renamed,
            cols,
            written: Vec::new(),
            system,
            lateral,
            sample: r.sample.take(),
        });
        let n = r.record.items.len() - 1;
        r.open.last_mut()?.push(n);
        Some(n)
    }
    pub(super) fn record_named(&mut self, name: &tree::Relation, alias: Option<&Alias>, s: &Scope) -> Result<()> {
        if !self.recording() {
            return Ok(());
        }
        let (schema, table) = self.relation_parts(name)?;
        let mut written = Vec::new();
        let kind = match self.cte_names.iter().any(|c| schema.is_none() && c.name == table) {
            true => ItemKind::Cte(table.to_string()),
            false => match self.resolve(schema, table, name.at)? {
                Some(Relation::Table(t)) => {
                    let attnums = t.live_columns().map(|c| c.attnum).collect();
                    written = written_names(s, t.live_columns().map(|c| c.name.as_str()));
                    ItemKind::Relation { oid: t.oid, attnums, only: name.only }
                }
                Some(r) => ItemKind::Relation { oid: r.oid(), attnums: Vec::new(), only: name.only },
                None => return Ok(()),
            },
        };
        // An alias that is the relation's name is there for its list.
        let own = written.iter().any(Option::is_some) && alias.is_some_and(|a| a.name == table);
        if let (true, ItemKind::Relation { oid, attnums, .. }) = (own, &kind) {
            let t = self.cx.catalog.table(*oid);
            for (w, a) in std::iter::zip(&mut written, attnums) {
                let real = t.and_then(|t| t.column(*a)).map(|c| c.name.as_str());
                *w = w.take().filter(|w| real.is_none_or(|real| !is_numbered(w, real)));
            }
        }
        let n = self.add_item(kind, alias.filter(|_| !own), s, false);
        if let (Some(r), Some(n)) = (&mut self.recorder, n) {
            r.record.items[n].written = written;
        }
        self.record_from(n);
        Ok(())
    }
    fn record_from(&mut self, item: Option<usize>) {
        if let (Some(r), Some(n)) = (&mut self.recorder, item) {
            r.from.push(From::Item(n));
        }
    }
    pub(super) fn record_derived(&mut self, alias: &Alias, s: &Scope, lateral: bool) {
        if let Some(q) = self.recorder.as_mut().and_then(|r| r.queries.pop()) {
            let n = self.add_item(ItemKind::Query(Box::new(q)), Some(alias), s, lateral);
            self.record_from(n);
        }
    }
    pub(super) fn record_call(&mut self, calls: impl IntoIterator<Item = Expr>) {
        if let Some(r) = &mut self.recorder {
            r.calls.extend(calls);
        }
    }
    pub(super) fn record_functions(
        &mut self,
        t: &tree::TableRef,
        s: &Scope,
        lateral: bool,
        ordinality: bool,
        columns: &[ColumnType],
    ) -> Result<()> {
        let Some(r) = &mut self.recorder else { return Ok(()) };
        // What reads a neighbour is shown as LATERAL, whether that was written or not.
        let beside = r.open.last().into_iter().flatten().flat_map(|i| &r.record.items[*i].cols);
        let beside: Vec<ColId> =
            beside.filter_map(|c| if let Expr::Col(id, _) = c.1 { Some(id) } else { None }).collect();
        let mut lateral = lateral;
        r.calls.iter().for_each(|e| each_col(e, &mut |id| lateral |= beside.contains(&id)));
        let mut calls: Vec<(Expr, Vec<Defined>)> = r.calls.drain(..).map(|e| (e, Vec::new())).collect();
        let (catalog, scope) = (self.cx.catalog, self.cx.scope);
        let definitions = |list: &[ColumnType]| -> Result<Vec<Defined>> {
            let one = |c: &ColumnType| {
                Ok(Defined { name: c.name.clone(), ty: super::types::bind_type(&c.ty, catalog, scope)? })
            };
            list.iter().map(one).collect()
        };
        let defined = definitions(columns)?;
        let items = match &t.kind {
            tree::TableKind::Functions { items, .. } => items.as_slice(),
            _ => &[],
        };
        let mut at = 0;
        for i in items {
            if let Some(c) = calls.get_mut(at) {
                c.1 = definitions(&i.columns)?;
            }
            at += super::from::calls_of(i);
        }
        let several = items.len() > 1;
        let unnest = calls.len() > 1 && !several;
        let places = calls.iter().flat_map(|(e, defs)| self.places_of(e, defs)).collect();
        let kind = ItemKind::Functions { calls, unnest, ordinality, defined, places };
        let n = self.add_item(kind, t.alias.as_ref(), s, lateral);
        self.record_from(n);
        Ok(())
    }
    /// Which columns of a table the columns of a call in FROM are.
    fn places_of(&self, call: &Expr, defined: &[Defined]) -> Vec<Option<(Oid, i16)>> {
        if let Some(t) = self.table_of_rows(call.ty()) {
            return t.live_columns().map(|c| Some((t.oid, c.attnum))).collect();
        }
        let outs = if let Expr::Call { f, .. } = call { f.out.len() } else { 0 };
        let shape = self.shape(call.ty()).map_or(0, |s| s.len());
        vec![None; defined.len().max(outs).max(shape).max(1)]
    }
    /// The table whose rows have this type.
    fn table_of_rows(&self, ty: Type) -> Option<&Arc<Table>> {
        let of_rows = oid::user_class(ty.oid) == Some(oid::UserClass::Row);
        self.cx.catalog.table(oid::user_number(ty.oid)).filter(|_| of_rows)
    }
    /// Columns of a function in FROM that gives a table's rows are that table's.
    pub(super) fn record_rows(&mut self, ty: Type, cols: &[OutCol]) {
        if !self.recording() {
            return;
        }
        if let (Some(t), Some(first)) = (self.table_of_rows(ty).cloned(), cols.first()) {
            self.uses.rows(&t, first.id, cols.len());
        }
    }
    /// `merged`: the columns of USING; `using`: what they are on either side.
    pub(super) fn record_join(
        &mut self,
        j: &tree::Join,
        on: Option<&Expr>,
        merged: Vec<(String, Expr)>,
        using: Vec<Shared>,
    ) {
        let Some(r) = &mut self.recorder else { return };
        let (Some(right), Some(left)) = (r.from.pop(), r.from.pop()) else { return };
        let kind = match j.kind {
            tree::JoinKind::Inner | tree::JoinKind::Cross => JoinWord::Inner,
            tree::JoinKind::Left => JoinWord::Left,
            tree::JoinKind::Right => JoinWord::Right,
            tree::JoinKind::Full => JoinWord::Full,
        };
        let mut shared = None;
        if !merged.is_empty() {
            shared = Some(r.record.items.len());
            let (kind, cols) = (ItemKind::Join, merged);
            let written = Vec::new();
            let item = Item {
                kind,
                alias: None,
                renamed: false,
                cols,
                written,
                system: Vec::new(),
                lateral: false,
                sample: None,
            };
            r.record.items.push(item);
        }
        let (left, right, on) = (Box::new(left), Box::new(right), on.cloned());
        let using_alias = j.using_alias.clone();
        r.from.push(From::Join { kind, left, right, on, using, shared, using_alias, alias: None });
    }
    /// `inner`: the columns' names in what is joined.
    pub(super) fn record_join_alias(&mut self, a: &Alias, s: &Scope, inner: &[String]) {
        let n = self.add_item(ItemKind::Join, Some(a), s, false);
        if let (Some(r), Some(n)) = (&mut self.recorder, n) {
            r.record.items[n].written = written_names(s, inner.iter().map(String::as_str));
        }
        if let Some(r) = &mut self.recorder
            && let Some(From::Join { alias, .. }) = r.from.last_mut()
        {
            *alias = n;
        }
    }
    /// A FROM begins.
    pub(super) fn record_open(&mut self) {
        if let Some(r) = &mut self.recorder {
            r.open.push(Vec::new());
        }
    }
    /// What a SELECT says, but for LIMIT. `rel`: FROM with its filter.
    pub(super) fn record_select(
        &mut self,
        s: &tree::SelectCore,
        rel: &Rel,
        targets: &[Target],
        having: Option<&Expr>,
        groups: &[(Expr, OutCol)],
        order_by: Vec<Sort>,
    ) -> Result<()> {
        if !self.recording() {
            return Ok(());
        }
        let distinct = match &s.distinct {
            tree::Distinct::All => None,
            tree::Distinct::Distinct => Some(Vec::new()),
            tree::Distinct::On(on) => Some(self.distinct_values(on, targets)?),
        };
        let windows = self.recorded_windows(&s.windows)?;
        let (aggs, grouping) = (self.level().aggs.clone(), self.level().grouping.clone());
        let Some(r) = &mut self.recorder else { return Ok(()) };
        r.record.aggs.extend(aggs);
        r.record.grouping.extend(grouping.into_iter().map(|g| (g.id, g.args)));
        let filter = match rel {
            Rel::Filter { cond, .. } if s.filter.is_some() => Some(cond.clone()),
            _ => None,
        };
        let plain = s.group_by.iter().all(|g| matches!(g, tree::GroupItem::Expr(_)));
        let recorded = std::mem::take(&mut r.groups);
        let group = match plain {
            true => groups.iter().map(|g| pamir_expr::query::Group::Expr(g.0.clone())).collect(),
            false => recorded,
        };
        let from = r.from.split_off(r.from.len().saturating_sub(s.from.len()));
        let select = Select {
            distinct,
            targets: targets.iter().map(|t| (t.e.clone(), t.name.clone())).collect(),
            from,
            filter,
            group,
            group_distinct: s.group_distinct,
            having: having.cloned(),
            windows,
        };
        let items = r.open.pop().unwrap_or_default();
        let columns = targets.iter().map(|t| t.name.clone()).collect();
        r.queries.push(Query { items, order_by, columns, ..query(Body::Select(Box::new(select))) });
        Ok(())
    }
    pub(super) fn record_values(&mut self, rel: &Rel) {
        if let (Some(r), Rel::Values { rows, cols }) = (&mut self.recorder, rel) {
            let columns = cols.iter().map(|c| c.name.clone()).collect();
            r.queries.push(Query { columns, ..query(Body::Values(rows.clone())) });
        }
    }
    /// `want`: the types of the columns, which literals without one take.
    pub(super) fn record_set_operation(&mut self, op: pamir_expr::ir::SetOp, all: bool, arms: [&Rel; 2]) {
        let Some(r) = &mut self.recorder else { return };
        let (Some(mut right), Some(mut left)) = (r.queries.pop(), r.queries.pop()) else { return };
        for (q, rel) in std::iter::zip([&mut left, &mut right], arms) {
            settle(q, rel);
        }
        let columns = left.columns.clone();
        let body = Body::SetOp { op, all, left: Box::new(left), right: Box::new(right) };
        r.queries.push(Query { columns, ..query(body) });
    }
    /// The query that was bound last has these clauses of row locks, of each relation and subquery that they reach.
    pub(super) fn record_locks(&mut self, locks: &[tree::Locking]) {
        let catalog = self.cx.catalog;
        let Some(r) = &mut self.recorder else { return };
        let Some(q) = r.queries.last_mut() else { return };
        for l in locks {
            let wait = match l.wait {
                tree::Wait::Block => "",
                tree::Wait::NoWait => " NOWAIT",
                tree::Wait::SkipLocked => " SKIP LOCKED",
            };
            let clause = lock_name(l).to_string();
            for i in &q.items {
                let item = &r.record.items[*i];
                let name = match (&item.alias, &item.kind) {
                    (Some(a), ItemKind::Relation { .. } | ItemKind::Query(_)) => a.as_str(),
                    (None, ItemKind::Relation { oid, .. }) => catalog.relation_name(*oid).map_or("", |n| n.1),
                    _ => continue,
                };
                if l.of.is_empty() || l.of.iter().any(|o| o.parts.last().is_some_and(|n| n == name)) {
                    q.locks.push((clause.clone() + wait, *i));
                }
            }
        }
    }
    /// The query that was bound last gets its ORDER BY (of a combined result), LIMIT and OFFSET.
    pub(super) fn record_sorted(&mut self, order_by: Vec<Sort>) {
        if let Some(q) = self.recorder.as_mut().and_then(|r| r.queries.last_mut()) {
            q.order_by = order_by;
        }
    }
    pub(super) fn record_limit(&mut self, limit: Option<Expr>, offset: Option<Expr>, with_ties: bool) {
        if let Some(q) = self.recorder.as_mut().and_then(|r| r.queries.last_mut()) {
            (q.limit, q.offset, q.with_ties) = (limit, offset, with_ties);
        }
    }
    pub(super) fn record_cte(&mut self, c: &tree::Cte) {
        if let Some(r) = &mut self.recorder
            && let Some(query) = r.queries.pop()
        {
            let (name, columns) = (c.name.clone(), c.columns.clone());
            r.ctes.push(With { name, columns, materialized: c.materialized, query });
        }
    }
    pub(super) fn ctes_recorded(&self) -> usize {
        self.recorder.as_ref().map_or(0, |r| r.ctes.len())
    }
    pub(super) fn record_with(&mut self, w: Option<&tree::With>, mark: usize) {
        if let (Some(r), Some(w)) = (&mut self.recorder, w) {
            let with = r.ctes.split_off(mark);
            if let Some(q) = r.queries.last_mut() {
                (q.with, q.recursive) = (with, w.recursive);
            }
        }
    }
    /// Literals of the query that was bound last have types now.
    pub(super) fn record_settled(&mut self, rel: &Rel) {
        if let Some(q) = self.recorder.as_mut().and_then(|r| r.queries.last_mut()) {
            settle(q, rel);
        }
    }
    /// The number of the query that was bound last, as a subquery of an expression.
    pub(super) fn recorded_query(&mut self) -> u32 {
        let Some(r) = &mut self.recorder else { return 0 };
        r.record.subqueries.extend(r.queries.pop());
        r.record.subqueries.len() as u32
    }
    /// `x COLLATE name`: nothing but what is said of it.
    pub(super) fn record_collation(&mut self, x: Expr, name: &tree::QualifiedName) -> Result<Expr> {
        if !self.recording() {
            return Ok(x);
        }
        let x = self.known(x)?;
        let ty = x.ty();
        let e = Expr::Cast { e: Box::new(x), f: CastHow::Relabel, ty, explicit: true };
        let (shape, own) = (format!("{e:?}"), name.parts.last().map_or("", |n| n.as_str()));
        let shown = pamir_catalog::defs::quote_ident(own).into_owned();
        let Some(r) = &mut self.recorder else { return Ok(e) };
        match r.record.collations.iter().find(|c| c.0 == shape) {
            Some(c) if c.1 != shown => return Err(Error::unsupported("two collations of one expression in a view")),
            Some(_) => {}
            None => r.record.collations.push((shape, shown)),
        }
        Ok(e)
    }
    pub(super) fn record_case(&mut self, e: &Expr, operand: Option<Expr>) {
        if let (Some(r), Some(x)) = (&mut self.recorder, operand) {
            r.record.cases.push((format!("{e:?}"), x));
        }
    }
    /// What stands for the value of a hypothetical-set aggregate in what is printed.
    pub(super) fn record_hypothetical(
        &mut self,
        name: &str,
        keys: Vec<(Expr, SortKey)>,
        filter: Option<Expr>,
        ty: Type,
    ) -> Expr {
        let id = self.new_col();
        let (direct, keys) = keys.into_iter().unzip();
        if let Some(r) = &mut self.recorder {
            r.record.hypothetical.push(Hypothetical { id, name: name.into(), direct, keys, filter });
        }
        Expr::Col(id, ty)
    }
    /// The relation that is recorded next is read in part.
    pub(super) fn record_sample(&mut self, sample: Sample) {
        if let Some(r) = &mut self.recorder {
            r.sample = Some(sample);
        }
    }
    pub(super) fn record_window(&mut self, call: &pamir_expr::ir::WindowCall, over: &tree::Window) {
        if let Some(r) = &mut self.recorder {
            r.record.windows.push((call.clone(), over_of(over)));
        }
    }

    /// Binds what a view says, with its owner's privileges unless it says otherwise.
    pub(super) fn inside_view<T>(
        &mut self,
        t: &Arc<Table>,
        v: &View,
        f: impl FnOnce(&mut Binder<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        self.inside(t, !v.invoker, f)
    }
    /// Binds what a relation's definition says. `owned`: with its owner's privileges.
    pub(super) fn inside<T>(
        &mut self,
        t: &Arc<Table>,
        owned: bool,
        f: impl FnOnce(&mut Binder<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        if self.views.contains(&t.oid) {
            return Err(err!(
                INVALID_OBJECT_DEFINITION,
                "infinite recursion detected in rules for relation \"{}\"",
                t.name
            ));
        }
        let scope = NameScope { user: 0, ..NameScope::stored(self.cx.scope.database) };
        let mut cx =
            BindCtx { catalog: self.cx.catalog, scope: &scope, params: Vec::new(), env: &mut *self.cx.env, text: "" };
        let mut b = Binder::new(&mut cx);
        b.views.clone_from(&self.views);
        b.views.push(t.oid);
        b.reader = owned.then_some(t.owner);
        if let Some(v) = &t.view {
            b.named = Named::by(&v.text.0).into();
        }
        (b.next_col, b.depth) = (self.next_col, self.depth);
        b.ctes = std::mem::take(&mut self.ctes);
        b.tables = std::mem::take(&mut self.tables);
        (b.ruled, b.in_cte) = (std::mem::take(&mut self.ruled), self.in_cte);
        let r = f(&mut b);
        self.ruled = std::mem::take(&mut b.ruled);
        self.next_col = b.next_col;
        self.ctes = std::mem::take(&mut b.ctes);
        self.tables = std::mem::take(&mut b.tables);
        let (volatile, effects) = (b.volatile, b.effects);
        let mut uses = b.uses.done();
        drop(b);
        self.volatile |= volatile;
        self.effects |= effects;
        let role = if owned { t.owner } else { acl::INVOKER };
        uses.iter_mut().filter(|u| u.role == 0).for_each(|u| u.role = role);
        self.uses.inside(uses);
        r
    }
    /// A view in FROM.
    pub(super) fn view(&mut self, t: &Arc<Table>, v: &View, locks: &[tree::Locking]) -> Result<(Rel, Vec<OutCol>)> {
        let q = stored_query(&v.text.0)?;
        // Of a combined result nothing is locked.
        let locks = if matches!(q.body, tree::SelectBody::Select(_)) { locks } else { &[] };
        let (bound, _) = self.inside_view(t, v, |b| b.subquery_level(|b| b.query_locked(&q, locks, None, true)))?;
        let columns: Vec<&pamir_catalog::Column> = t.live_columns().collect();
        if columns.len() != bound.cols.len() {
            return Err(err!(DATA_CORRUPTED, "view \"{}\" has other columns than its query", t.name));
        }
        let mut exprs = Vec::with_capacity(columns.len());
        for (c, o) in std::iter::zip(columns, &bound.cols) {
            if c.ty.oid != o.ty.oid {
                return Err(err!(DATA_CORRUPTED, "column \"{}\" of view \"{}\" has another type", c.name, t.name));
            }
            let out = OutCol { id: self.new_col(), name: c.name.clone(), ty: o.ty, origin: Some((t.oid, c.attnum)) };
            exprs.push((Expr::Col(o.id, o.ty), out));
        }
        let mut rel = bound.rel;
        if v.barrier {
            rel = Rel::Secured { input: Box::new(rel), cond: Expr::Const(true.into(), Type::BOOL) };
        }
        let cols = exprs.iter().map(|x| x.1.clone()).collect();
        Ok((Rel::Project { input: Box::new(rel), exprs }, cols))
    }
}

/// The names of an item's columns, where they are not their own.
fn written_names<'a>(s: &Scope, own: impl Iterator<Item = &'a str>) -> Vec<Option<String>> {
    let called: &[RteCol] = s.rtes.first().map_or(&[], |r| &r.cols);
    std::iter::zip(called, own).map(|(c, own)| (c.name != own).then(|| c.name.clone())).collect()
}
/// Is it the name with a number, as the printer makes names that are alone?
fn is_numbered(name: &str, own: &str) -> bool {
    let number = name.strip_prefix(own).and_then(|r| r.strip_prefix('_'));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
/// A query of nothing but its body.
fn query(body: Body) -> Query {
    Query {
        recursive: false,
        with: Vec::new(),
        body,
        order_by: Vec::new(),
        limit: None,
        offset: None,
        with_ties: false,
        locks: Vec::new(),
        items: Vec::new(),
        columns: Vec::new(),
    }
}
pub(super) fn over_of(w: &tree::Window) -> Over {
    match (&w.base, w.bare) {
        (Some(n), true) => Over::Named(n.clone()),
        (base, _) => Over::Spec { base: base.clone(), copied_order: base.is_some() && w.order_by.is_empty() },
    }
}
/// Literals of the recorded arm that had no type have that of the set operation's columns.
fn settle(q: &mut Query, rel: &Rel) {
    let unknown = |e: &Expr| e.ty() == Type::UNKNOWN;
    match (&mut q.body, rel) {
        (Body::Select(s), Rel::Project { exprs, .. }) => {
            for ((e, _), (x, _)) in std::iter::zip(&mut s.targets, exprs) {
                if unknown(e) {
                    e.clone_from(x);
                }
            }
        }
        (Body::Select(_), Rel::Limit { input, .. } | Rel::Sort { input, .. } | Rel::Distinct { input, .. }) => {
            settle(q, input)
        }
        (Body::Values(rows), Rel::Values { rows: bound, .. }) => rows.clone_from(bound),
        (Body::SetOp { left, right, .. }, Rel::SetOp { left: l, right: r, .. }) => {
            settle(left, l);
            settle(right, r);
        }
        _ => {}
    }
}
