//! Rules: a change of a relation's rows that another statement stands for.
//!
//! ```text
//! UPDATE v SET a = 1 WHERE b = 2        rule: ON UPDATE TO v DO INSTEAD UPDATE t SET x = new.a WHERE t.k = old.b
//!   rows     SELECT old.*, new.* of v's rows that the statement is for: one row a row that would be changed
//!   becomes  UPDATE t SET x = new.a FROM rows WHERE t.k = old.b
//! ```
//! The action is bound with `old` and `new` around it, as a subquery sees the query outside, and joined with the rows that give them. It is run with the privileges of the relation's
//! owner. Of RETURNING the rule's own list gives the relation's columns.
//!
//! The same rows are what INSTEAD OF triggers of a view are for.
//!
//! Limits (0A000): rules with a condition, with several actions, and DO ALSO with any (`ddl/rule.rs` refuses to make them).
use super::super::record::Recorder;
use super::super::scope::{Rte, Scope};
use super::super::{BindCtx, Binder};
use super::through::{plant, put, put_all};
use pamir_catalog::acl;
use pamir_catalog::depend::ObjectRef;
use pamir_catalog::rule::{Event, Rule};
use pamir_catalog::{NameScope, SqlText, Table};
use pamir_expr::ir::{ColId, Expr, JoinKind, Modify, ModifyOp, OutCol, Rel};
use pamir_expr::query::{Change, Item, ItemKind, Query, Record};
use pamir_expr::rels::{free_cols, rel_cols};
use pamir_parse::tree::Statement;
use pamir_types::{Datum, Error, Result, Type, bail, err};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The statement of an action's text.
pub fn action(text: &SqlText) -> Result<Statement> {
    let mut script = crate::parser::parse(&text.0)?;
    script.statements.pop().map(|p| p.stmt).ok_or_else(|| Error::internal("a rule's action without a statement"))
}
fn event_of(op: &ModifyOp) -> Option<Event> {
    match op {
        ModifyOp::Insert { .. } => Some(Event::Insert),
        ModifyOp::Update { .. } => Some(Event::Update),
        ModifyOp::Delete { .. } => Some(Event::Delete),
        ModifyOp::Merge { .. } => None,
    }
}

impl Binder<'_, '_> {
    /// The rule that stands for this change.
    pub(super) fn rule_of(&mut self, m: &Modify) -> Result<Option<Arc<Rule>>> {
        let Some(event) = event_of(&m.op) else { return Ok(None) };
        let rules = self.cx.catalog.rules_of(m.table.oid);
        if rules.is_empty() {
            return Ok(None);
        }
        let conflict = matches!(&m.op, ModifyOp::Insert { on_conflict: Some(_), .. });
        let stands = |r: &&Arc<Rule>| match r.event {
            Event::Insert => r.fires() && !r.actions.is_empty(),
            Event::Update => true,
            Event::Delete => false,
        };
        if conflict && rules.iter().any(stands) {
            bail!(
                FEATURE_NOT_SUPPORTED,
                "INSERT with ON CONFLICT clause cannot be used with table that has INSERT or UPDATE rules"
            );
        }
        let mut fire = rules.into_iter().filter(|r| r.event == event && r.instead && r.fires()).cloned();
        let first = fire.next();
        // Of several that do nothing one is enough.
        match (&first, fire.find(|r| !r.actions.is_empty())) {
            (Some(f), Some(other)) if f.actions.is_empty() => Ok(Some(other)),
            (_, Some(_)) => Err(Error::unsupported("several INSTEAD rules of one event")),
            (_, None) => Ok(first),
        }
    }

    /// Does a rule stand for the change that needs this privilege?
    pub(super) fn has_rule(&self, t: &Table, mode: acl::Mode) -> bool {
        let event = match mode {
            acl::INSERT => Event::Insert,
            acl::UPDATE => Event::Update,
            acl::DELETE => Event::Delete,
            _ => return false,
        };
        self.cx.catalog.rules_of(t.oid).iter().any(|r| r.event == event && r.instead && r.fires())
    }
    /// A change of a view's rows that its triggers are handed: with what the view says of its columns.
    pub(super) fn for_triggers(&mut self, mut m: Modify) -> Result<Modify> {
        let t = m.table.clone();
        match &mut m.op {
            ModifyOp::Insert { source, columns, defaults, .. } => {
                if let Rel::Values { rows, .. } = source {
                    for (e, a) in rows.iter_mut().flat_map(|r| std::iter::zip(r, columns.iter())) {
                        if matches!(e, Expr::Default) {
                            *e = self.own_default(&t, *a)?;
                        }
                    }
                }
                defaults.clear();
                for c in t.live_columns().filter(|c| c.default.is_some() && !columns.contains(&c.attnum)) {
                    defaults.push((c.attnum, self.own_default(&t, c.attnum)?));
                }
            }
            ModifyOp::Update { source, set, recheck, .. } => {
                for (a, e) in set.iter_mut().filter(|s| matches!(s.1, Expr::Default)) {
                    *e = self.own_default(&t, *a)?;
                }
                filter(source, recheck);
            }
            ModifyOp::Delete { source, recheck, .. } => filter(source, recheck),
            ModifyOp::Merge { .. } => {}
        }
        Ok(m)
    }

    /// The rule's action in the place of `m`.
    pub(super) fn ruled(&mut self, m: Modify, rule: &Rule) -> Result<Modify> {
        let t = m.table.clone();
        let Some(text) = rule.actions.first() else {
            if m.returning.is_some() {
                return Err(no_returning_list(&t, rule.event));
            }
            let source = Rel::Values { rows: Vec::new(), cols: Vec::new() };
            let op = ModifyOp::Insert { source, columns: Vec::new(), defaults: Vec::new(), on_conflict: None };
            return Ok(Modify { op, returning: None, ..m });
        };
        let event = event_of(&m.op);
        let Modify { op, returning, row_cols, .. } = m;
        let (rows, [old, new]) = self.changed_rows(op, &t)?;
        let stmt = action(text)?;
        let mut done = self.inside(&t, true, |b| {
            let mut around = Scope::default();
            around.rtes.extend([old, new].into_iter().flatten());
            b.scopes.push(around);
            let (done, _) = b.subquery_level(|b| b.modify(&stmt))?;
            Ok(done)
        })?;
        beside(&mut done.op, rows)?;
        let counted = event_of(&done.op) == event;
        let given = done.returning.take();
        let returning = match (returning, given) {
            (None, _) => None,
            (Some(_), None) => return Err(no_returning_list(&t, rule.event)),
            (Some(mut list), Some(given)) => {
                let map: FxHashMap<ColId, Expr> =
                    std::iter::zip(&row_cols, given).map(|((_, id), (e, _))| (*id, e)).collect();
                list.iter_mut().for_each(|(e, _)| put(e, &map));
                Some(list)
            }
        };
        Ok(Modify { returning, uncounted: done.uncounted || !counted, ..done })
    }

    /// The rows that a statement changes, one a row: the old columns and the new ones under numbers of their own, and how they are named.
    #[allow(clippy::type_complexity)]
    pub(super) fn changed_rows(&mut self, op: ModifyOp, t: &Arc<Table>) -> Result<(Rel, [Option<Rte>; 2])> {
        let (source, old_cols, new, cond) = match op {
            ModifyOp::Insert { source, columns, defaults, .. } => {
                let new = self.new_row(&source, &columns, defaults, t)?;
                let (source, new) = new;
                (source, None, Some(new), None)
            }
            ModifyOp::Update { source, old_cols, set, recheck, .. } => {
                let mut new = Vec::with_capacity(t.columns.len());
                for c in t.live_columns() {
                    let given = set.iter().find(|s| s.0 == c.attnum).map(|s| s.1.clone());
                    let own = old_cols.iter().find(|o| o.0 == c.attnum).map(|o| Expr::Col(o.1, c.ty));
                    let e = match given {
                        Some(Expr::Default) => self.own_default(t, c.attnum)?,
                        Some(e) => e,
                        None => own.unwrap_or(Expr::Const(Datum::Null, c.ty)),
                    };
                    new.push(e);
                }
                (source, Some(old_cols), Some(new), recheck)
            }
            ModifyOp::Delete { source, old_cols, recheck, .. } => (source, Some(old_cols), None, recheck),
            ModifyOp::Merge { .. } => return Err(Error::internal("MERGE with a rule")),
        };
        let mut source = source;
        if let (Some(v), Some(old)) = (t.plain_view().cloned(), &old_cols) {
            // The view's rows, in the place that was left for them.
            let (rel, cols) = self.view(t, &v, &[])?;
            let map: FxHashMap<ColId, Expr> =
                std::iter::zip(old, cols).map(|((_, id), c)| (*id, Expr::Col(c.id, c.ty))).collect();
            plant(&mut source, rel);
            put_all(&mut source, &map);
            if let Some(mut cond) = cond {
                put(&mut cond, &map);
                source = Rel::Filter { input: Box::new(source), cond };
            }
            let new = new.map(|mut new: Vec<Expr>| {
                new.iter_mut().for_each(|e| put(e, &map));
                new
            });
            let own = old.iter().map(|(_, id)| map.get(id).cloned().unwrap_or(Expr::Default)).collect();
            return Ok(self.row_pair(source, Some(own), new, t));
        }
        let own = old_cols.map(|old| {
            let ty = |a: i16| t.column(a).map_or(Type::UNKNOWN, |c| c.ty);
            old.iter().map(|(a, id)| Expr::Col(*id, ty(*a))).collect()
        });
        Ok(self.row_pair(source, own, new, t))
    }
    /// What an INSERT makes of each column.
    fn new_row(
        &mut self,
        source: &Rel,
        columns: &[i16],
        defaults: Vec<(i16, Expr)>,
        t: &Arc<Table>,
    ) -> Result<(Rel, Vec<Expr>)> {
        let mut source = source.clone();
        if let Rel::Values { rows, .. } = &mut source {
            for (e, a) in rows.iter_mut().flat_map(|r| std::iter::zip(r, columns)) {
                if matches!(e, Expr::Default) {
                    *e = self.own_default(t, *a)?;
                }
            }
        }
        let given = rel_cols(&source);
        let mut new = Vec::with_capacity(t.columns.len());
        for c in t.live_columns() {
            let at = columns.iter().position(|a| *a == c.attnum);
            let default = defaults.iter().find(|d| d.0 == c.attnum && !matches!(d.1, Expr::Default));
            new.push(match (at.and_then(|i| given.get(i)), default) {
                (Some(o), _) => Expr::Col(o.id, o.ty),
                (None, Some((_, e))) => e.clone(),
                (None, None) => self.own_default(t, c.attnum)?,
            });
        }
        Ok((source, new))
    }
    /// A relation's own default of a column, or NULL.
    fn own_default(&mut self, t: &Arc<Table>, a: i16) -> Result<Expr> {
        let Some(c) = t.column(a).cloned() else { return Ok(Expr::Const(Datum::Null, Type::TEXT)) };
        match (&t.view, &c.default) {
            (None, _) if c.generated.is_none() => self.default_of(t, &c),
            (Some(_), Some(d)) => self.stored(&d.0, None, c.ty),
            _ => Ok(Expr::Const(Datum::Null, c.ty)),
        }
    }
    fn row_pair(
        &mut self,
        source: Rel,
        old: Option<Vec<Expr>>,
        new: Option<Vec<Expr>>,
        t: &Arc<Table>,
    ) -> (Rel, [Option<Rte>; 2]) {
        let mut exprs: Vec<(Expr, OutCol)> = Vec::new();
        let mut rtes = [None, None];
        for (n, (name, row)) in [("old", old), ("new", new)].into_iter().enumerate() {
            let Some(row) = row else { continue };
            let (ids, rte) = self.row(t, name);
            for (e, (a, id)) in std::iter::zip(row, ids) {
                let (name, ty) = t.column(a).map_or((String::new(), Type::UNKNOWN), |c| (c.name.clone(), c.ty));
                exprs.push((e, OutCol { id, name, ty, origin: None }));
            }
            rtes[n] = Some(rte);
        }
        (Rel::Project { input: Box::new(source), exprs }, rtes)
    }
}

fn filter(source: &mut Rel, cond: &Option<Expr>) {
    if let Some(cond) = cond.clone() {
        let input = Box::new(std::mem::replace(source, Rel::One));
        *source = Rel::Filter { input, cond };
    }
}
/// Joins an action with the rows that it is for.
fn beside(op: &mut ModifyOp, rows: Rel) -> Result<()> {
    let cross = |left: Rel, right: Rel, lateral: bool| Rel::Join {
        kind: JoinKind::Cross,
        left: Box::new(left),
        right: Box::new(right),
        on: None,
        lateral,
    };
    match op {
        ModifyOp::Insert { source, on_conflict: None, .. } => {
            let own = std::mem::replace(source, Rel::One);
            *source = match own {
                Rel::Values { rows: mut given, cols } if given.len() == 1 => {
                    let row = given.pop().unwrap_or_default();
                    Rel::Project { input: Box::new(rows), exprs: std::iter::zip(row, cols).collect() }
                }
                own => {
                    let cols = rel_cols(&own);
                    let exprs = cols.into_iter().map(|c| (Expr::Col(c.id, c.ty), c)).collect();
                    Rel::Project { input: Box::new(cross(rows, own, true)), exprs }
                }
            };
        }
        ModifyOp::Update { source, .. } | ModifyOp::Delete { source, .. } => {
            *source = match std::mem::replace(source, Rel::One) {
                Rel::Filter { input, cond } => Rel::Filter { input: Box::new(cross(*input, rows, false)), cond },
                own => cross(own, rows, false),
            };
        }
        _ => return Err(Error::unsupported("this action of a rule")),
    }
    Ok(())
}
fn no_returning_list(t: &Table, event: Event) -> Error {
    let word = event.word();
    err!(FEATURE_NOT_SUPPORTED, "cannot perform {word} RETURNING on relation \"{}\"", t.name)
        .hint(format!("You need an unconditional ON {word} DO INSTEAD rule with a RETURNING clause."))
}
/// Binds an action for its text.
pub fn recorded(stmt: &Statement, t: &Arc<Table>, event: Event, cx: &mut BindCtx) -> Result<Change> {
    let mut b = Binder::new(cx);
    b.recorder = Some(Box::<Recorder>::default());
    let mut around = Scope::default();
    let (mut hidden, mut around_cols) = (Vec::new(), Vec::new());
    for (name, there) in [("old", event != Event::Insert), ("new", event != Event::Delete)] {
        let (ids, rte) = b.row(t, name);
        b.note_item(t, &ids, Some(name.into()));
        if !there {
            hidden.extend(ids.iter().map(|i| (i.1, name)));
        }
        around_cols.extend(ids);
        around.rtes.push(rte);
    }
    b.scopes.push(around);
    let (m, _) = b.subquery_level(|b| b.modify(stmt))?;
    let free = free_cols(&Rel::Modify(Box::new(m.clone()), Vec::new()));
    if let Some((_, name)) = hidden.iter().find(|h| free.contains(&h.0)) {
        bail!(INVALID_OBJECT_DEFINITION, "ON {} rule cannot use {}", event.word(), name.to_ascii_uppercase());
    }
    let alias = match stmt {
        Statement::Insert(i) => i.alias.clone(),
        Statement::Update(u) => u.alias.clone(),
        Statement::Delete(d) => d.alias.clone(),
        _ => return Err(Error::unsupported("this action of a rule")),
    };
    let old_cols = match &m.op {
        ModifyOp::Update { old_cols, .. } | ModifyOp::Delete { old_cols, .. } => old_cols.clone(),
        _ => Vec::new(),
    };
    b.note_item(&m.table, &old_cols, alias.clone());
    b.note_item(&m.table, &m.row_cols, alias);
    let mut depends = b.named_objects();
    // Columns of `old` and `new` are the relation's.
    let own = around_cols.iter().filter(|(_, id)| free.contains(id));
    depends.extend(own.map(|(a, _)| ObjectRef::column(t.oid, *a)));
    depends.sort();
    depends.dedup();
    let Some(r) = b.recorder.take() else { return Err(Error::internal("a recorder was lost")) };
    let (mut record, query): (Record, Option<Query>) = r.changed();
    record.depends = depends;
    Ok(Change { modify: m, query, record })
}
impl Binder<'_, '_> {
    /// An item that no FROM has: the target, `old`, `new`.
    fn note_item(&mut self, t: &Arc<Table>, ids: &[(i16, ColId)], alias: Option<String>) {
        let cols = ids.iter().filter_map(|(a, id)| {
            let c = t.column(*a)?;
            Some((c.name.clone(), Expr::Col(*id, c.ty)))
        });
        let (cols, written) = (cols.collect(), Vec::new());
        let kind = ItemKind::Relation { oid: t.oid, attnums: ids.iter().map(|i| i.0).collect(), only: false };
        let item = Item { kind, alias, renamed: false, cols, written, system: Vec::new(), lateral: false };
        if let Some(r) = &mut self.recorder {
            r.record.items.push(item);
        }
    }
}

/// pg_get_ruledef of a rule that stands for a change.
pub fn definition(r: &Rule, layout: pamir_expr::deparse::Layout, env: &mut dyn pamir_expr::env::Env) -> Result<String> {
    use pamir_expr::deparse::{Naming, change_text};
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let Some(t) = catalog.table(r.relation) else { return Ok(String::new()) };
    let name = pamir_catalog::defs::quote_ident(&r.name);
    let schema = catalog.schema(t.schema).map_or("", |s| &s.name);
    let on = match layout.pretty {
        true => catalog.quoted_name(&scope, t.oid).unwrap_or_default(),
        false => pamir_catalog::defs::qualified(schema, &t.name),
    };
    let instead = if r.instead { "INSTEAD " } else { "" };
    let mut out = format!("CREATE RULE {name} AS\n    ON {} TO {on} DO {instead}", r.event.word());
    let Some(text) = r.actions.first() else { return Ok(out + "NOTHING;") };
    let stored = NameScope::stored(scope.database);
    let stmt = action(text)?;
    let mut cx = BindCtx { catalog: &catalog, scope: &stored, params: Vec::new(), env, text: "" };
    let c = recorded(&stmt, t, r.event, &mut cx)?;
    let text = change_text(&c, Naming::Short(&catalog, &scope), layout)?;
    let named = |oid: &str| catalog.quoted_name(&scope, oid.parse().ok()?);
    out.push_str(&pamir_catalog::defs::map_regclass(&text, named));
    Ok(out + ";")
}
