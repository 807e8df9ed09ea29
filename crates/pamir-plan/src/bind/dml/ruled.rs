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
//! Several rules, or actions, make several statements of one, each of which is bound by itself (`bind` asks for them one by one) and sees what those before it did:
//!
//! ```text
//! INSERT   itself, then the actions in the order of the rules' names        UPDATE, DELETE   the actions, then itself
//! itself is left out where a rule is INSTEAD, or leaves out the rows for which a conditional INSTEAD rule is
//! ```
//! What stands for a change may be changed by rules in turn: a statement is named by its way through all of them ([`Path`]).
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
use pamir_expr::rels::{expr_free, free_cols, produced, rel_cols};
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

/// One of the statements that rules make of a change.
pub(super) enum Step {
    /// The change itself, of the rows that no conditional INSTEAD rule is for.
    Own,
    /// The action of a rule, by its number.
    Action(Arc<Rule>, usize),
}
/// The statements that rules make of a change, in the order in which they are run.
pub(super) struct Steps {
    list: Vec<Step>,
    /// The one that answers.
    main: usize,
    /// Of conditional INSTEAD rules: which rows the change itself leaves out.
    conds: Vec<SqlText>,
}
/// Where the statements that rules make branch, the one that is bound goes this way.
#[derive(Default)]
pub(in crate::bind) struct Path {
    pub given: Vec<usize>,
    /// How many of them were taken.
    taken: usize,
    /// Behind the end of the way: how many there were each time, and which of them answers.
    pub found: Vec<(usize, usize)>,
}
impl Path {
    fn choose(&mut self, n: usize, main: usize) -> usize {
        match self.given.get(self.taken) {
            Some(step) => {
                self.taken += 1;
                *step
            }
            None => {
                self.found.push((n, main));
                main
            }
        }
    }
}
/// What became of a change.
pub(super) enum Ruled {
    Done(Box<Modify>),
    /// The change is still to be made.
    Own(Box<Modify>),
}

impl Binder<'_, '_> {
    /// What rules make of this change; None: none of them concerns it.
    pub(super) fn steps_of(&mut self, m: &Modify) -> Result<Option<Steps>> {
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
        let fire: Vec<Arc<Rule>> = rules.into_iter().filter(|r| r.event == event && r.fires()).cloned().collect();
        if fire.is_empty() {
            return Ok(None);
        }
        let instead = fire.iter().any(|r| r.stands_for_all());
        let conds: Vec<SqlText> = fire.iter().filter(|r| r.instead).filter_map(|r| r.cond.clone()).collect();
        let mut list: Vec<Step> = Vec::new();
        for r in &fire {
            list.extend((0..r.actions.len()).map(|n| Step::Action(r.clone(), n)));
        }
        if !instead {
            if !conds.is_empty() && m.table.plain_view().is_some() {
                return Err(conditional(&m.table, event));
            }
            match event {
                Event::Insert => list.insert(0, Step::Own),
                Event::Update | Event::Delete => list.push(Step::Own),
            }
        }
        let returning = m.returning.is_some();
        if returning && !instead && !conds.is_empty() {
            return Err(no_returning_list(&m.table, event));
        }
        let mut main = list.iter().position(|s| matches!(s, Step::Own));
        if main.is_none() {
            for (i, s) in list.iter().enumerate() {
                let Step::Action(r, n) = s else { continue };
                let stmt = action(&r.actions[*n])?;
                let fits = if returning { gives_rows(&stmt) } else { command(&stmt) == Some(event) };
                if r.stands_for_all() && fits {
                    main = Some(i);
                }
            }
        }
        let main = main.unwrap_or(list.len().saturating_sub(1));
        Ok(Some(Steps { list, main, conds }))
    }
    /// The change itself, or what stands for it: of several statements the one that is being bound.
    pub(super) fn ruled_step(&mut self, mut m: Modify, steps: Steps) -> Result<Ruled> {
        if self.in_cte && steps.list.len() != 1 {
            return Err(not_in_with(&steps));
        }
        let at = if steps.list.len() > 1 { self.ruled.choose(steps.list.len(), steps.main) } else { steps.main };
        if at != steps.main {
            m.returning = None;
        }
        match steps.list.get(at) {
            None => Ok(Ruled::Done(Box::new(nothing(m)?))),
            Some(Step::Own) => Ok(Ruled::Own(Box::new(self.but_for(m, &steps.conds)?))),
            Some(Step::Action(rule, n)) => Ok(Ruled::Done(Box::new(self.ruled(m, rule, *n)?))),
        }
    }
    /// The change of those rows for which none of the conditions holds.
    fn but_for(&mut self, m: Modify, conds: &[SqlText]) -> Result<Modify> {
        if conds.is_empty() {
            return Ok(m);
        }
        let t = m.table.clone();
        let Modify { op, .. } = m;
        let op = match op {
            ModifyOp::Insert { source, columns, defaults, on_conflict } => {
                let (source, new) = self.new_row(&source, &columns, defaults, &t)?;
                let (mut rel, rtes) = self.row_pair(source, None, Some(new), &t);
                for c in conds {
                    let cond = Expr::IsBool(Box::new(self.condition_over(c, &t, &rtes)?), Some(true), true);
                    rel = Rel::Filter { input: Box::new(rel), cond };
                }
                let kept: Vec<(i16, OutCol)> = std::iter::zip(t.live_columns(), rel_cols(&rel))
                    .filter(|(c, _)| c.generated.is_none())
                    .map(|(c, o)| (c.attnum, o))
                    .collect();
                let columns = kept.iter().map(|k| k.0).collect();
                let exprs = kept.into_iter().map(|(_, o)| (Expr::Col(o.id, o.ty), OutCol { id: self.new_col(), ..o }));
                let source = Rel::Project { exprs: exprs.collect(), input: Box::new(rel) };
                ModifyOp::Insert { source, columns, defaults: Vec::new(), on_conflict }
            }
            ModifyOp::Update { mut source, key, old_cols, set, mut recheck } => {
                for c in conds {
                    let cond = self.condition_on(c, &t, &old_cols, Some(&set))?;
                    leave_out(&mut source, &mut recheck, cond);
                }
                ModifyOp::Update { source, key, old_cols, set, recheck }
            }
            ModifyOp::Delete { mut source, key, old_cols, mut recheck } => {
                for c in conds {
                    let cond = self.condition_on(c, &t, &old_cols, None)?;
                    leave_out(&mut source, &mut recheck, cond);
                }
                ModifyOp::Delete { source, key, old_cols, recheck }
            }
            op @ ModifyOp::Merge { .. } => op,
        };
        Ok(Modify { op, ..m })
    }
    /// A rule's condition over rows that have names.
    fn condition_over(&mut self, text: &SqlText, t: &Arc<Table>, rtes: &[Option<Rte>; 2]) -> Result<Expr> {
        let mut e = super::super::bind_when(t, text, &mut *self.cx.env)?;
        let mut map: FxHashMap<ColId, Expr> = FxHashMap::default();
        for (rte, base) in std::iter::zip(rtes, [0, pamir_expr::access::NEW]) {
            let cols = rte.iter().flat_map(|r| &r.cols);
            for (c, col) in std::iter::zip(t.live_columns(), cols) {
                map.insert(base + (c.attnum - 1) as ColId, col.expr.clone());
            }
        }
        put(&mut e, &map);
        Ok(e)
    }
    /// A rule's condition over the columns of a row that is changed, and what they become.
    fn condition_on(
        &mut self,
        text: &SqlText,
        t: &Arc<Table>,
        old: &[(i16, ColId)],
        set: Option<&[(i16, Expr)]>,
    ) -> Result<Expr> {
        let mut e = super::super::bind_when(t, text, &mut *self.cx.env)?;
        let mut map: FxHashMap<ColId, Expr> = FxHashMap::default();
        for c in t.live_columns().cloned().collect::<Vec<_>>() {
            let of = old.iter().find(|o| o.0 == c.attnum).map(|o| Expr::Col(o.1, c.ty));
            let own = of.unwrap_or(Expr::Const(Datum::Null, c.ty));
            let new = match set.and_then(|s| s.iter().find(|s| s.0 == c.attnum)) {
                Some((_, Expr::Default)) => self.own_default(t, c.attnum)?,
                Some((_, e)) => e.clone(),
                None => own.clone(),
            };
            let at = (c.attnum - 1) as ColId;
            map.insert(at, own);
            map.insert(pamir_expr::access::NEW + at, new);
        }
        put(&mut e, &map);
        Ok(e)
    }

    /// Does a rule stand for the change that needs this privilege?
    pub(super) fn has_rule(&self, t: &Table, mode: acl::Mode) -> bool {
        let event = match mode {
            acl::INSERT => Event::Insert,
            acl::UPDATE => Event::Update,
            acl::DELETE => Event::Delete,
            _ => return false,
        };
        self.cx.catalog.rules_of(t.oid).iter().any(|r| r.event == event && r.stands_for_all() && r.fires())
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

    /// The rule's `n`-th action in the place of `m`.
    fn ruled(&mut self, m: Modify, rule: &Rule, n: usize) -> Result<Modify> {
        let t = m.table.clone();
        let Some(text) = rule.actions.get(n) else { return nothing(m) };
        let event = event_of(&m.op);
        let Modify { op, returning, row_cols, .. } = m;
        let alone = others(&op);
        let (mut rows, [old, new]) = self.changed_rows(op, &t)?;
        let pair: Vec<ColId> = rel_cols(&rows).iter().map(|c| c.id).collect();
        let mut stmt = action(text)?;
        // Nobody asked for its rows.
        if returning.is_none() {
            match &mut stmt {
                Statement::Insert(i) => i.returning.clear(),
                Statement::Update(u) => u.returning.clear(),
                Statement::Delete(d) => d.returning.clear(),
                _ => {}
            }
        }
        let queries = |q: &pamir_parse::tree::Select| !matches!(q.body, pamir_parse::tree::SelectBody::Values(_));
        let queries = matches!(&stmt, Statement::Insert(i) if i.source.as_ref().is_some_and(queries));
        if queries && self.ctes.iter().any(|c| matches!(c.rel, Rel::Modify(..))) {
            bail!(
                FEATURE_NOT_SUPPORTED,
                "INSERT...SELECT rule actions are not supported for queries having data-modifying statements in WITH"
            );
        }
        let rtes = [old, new];
        let cond = rule.cond.as_ref().map(|c| self.condition_over(c, &t, &rtes)).transpose()?;
        let [old, new] = rtes;
        let mut done = self.inside(&t, true, |b| {
            let mut around = Scope::default();
            around.rtes.extend([old, new].into_iter().flatten());
            b.scopes.push(around);
            let (done, _) = b.subquery_level(|b| b.modify(&stmt))?;
            Ok(done)
        })?;
        if let ModifyOp::Insert { on_conflict: Some(c), .. } = &done.op
            && c.update.as_ref().is_some_and(reads_around)
        {
            return Err(Error::unsupported("old and new in ON CONFLICT of a rule's action"));
        }
        let read = |of: &rustc_hash::FxHashSet<ColId>| pair.iter().any(|c| of.contains(c));
        if let Some(alone) = alone
            && !cond.as_ref().is_some_and(|c| read(&expr_free(c)))
            && !read(&free_cols(&Rel::Modify(Box::new(done.clone()), Vec::new())))
        {
            rows = alone;
        }
        if let Some(cond) = cond {
            rows = Rel::Filter { input: Box::new(rows), cond };
        }
        beside(&mut done.op, rows)?;
        let counted = event_of(&done.op) == event && rule.stands_for_all();
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
/// What an UPDATE or a DELETE reads beside the rows that it changes, where its condition asks nothing of these: an action that reads none of them either
/// is run once for each row of that, and once where there is nothing (rewriteRuleAction), however many rows would be changed.
fn others(op: &ModifyOp) -> Option<Rel> {
    let (ModifyOp::Update { source, recheck, .. } | ModifyOp::Delete { source, recheck, .. }) = op else { return None };
    let source = match source {
        Rel::Filter { input, .. } => input,
        s => s,
    };
    let (target, rest) = match source {
        Rel::Join { kind: JoinKind::Cross, left, right, on: None, .. } => (&**left, (**right).clone()),
        s => (s, Rel::One),
    };
    let mut own = rustc_hash::FxHashSet::default();
    produced(target, &mut own);
    match recheck {
        None => Some(rest),
        Some(cond) if expr_free(cond).is_disjoint(&own) => {
            Some(Rel::Filter { input: Box::new(rest), cond: cond.clone() })
        }
        Some(_) => None,
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
        ModifyOp::Insert { source, .. } => {
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
/// Why there cannot be these statements in WITH.
fn not_in_with(steps: &Steps) -> Error {
    let of = |f: &dyn Fn(&Rule) -> bool| steps.list.iter().any(|s| matches!(s, Step::Action(r, _) if f(r)));
    let what = if steps.list.is_empty() {
        "DO INSTEAD NOTHING rules"
    } else if of(&|r| r.instead && r.cond.is_some()) {
        "conditional DO INSTEAD rules"
    } else if of(&|r| !r.instead) {
        "DO ALSO rules"
    } else {
        "multi-statement DO INSTEAD rules"
    };
    err!(FEATURE_NOT_SUPPORTED, "{what} are not supported for data-modifying statements in WITH")
}
/// Does DO UPDATE read anything but the two rows that meet?
fn reads_around(u: &pamir_expr::ir::OnConflictUpdate) -> bool {
    let own = |id: ColId| u.old_cols.iter().chain(&u.excluded).any(|c| c.1 == id);
    let mut around = false;
    for e in u.set.iter().map(|s| &s.1).chain(&u.cond) {
        pamir_expr::expr::each_col(e, &mut |id| around |= !own(id));
    }
    around
}
/// A change of no row: DO INSTEAD NOTHING.
fn nothing(m: Modify) -> Result<Modify> {
    if let (true, Some(event)) = (m.returning.is_some(), event_of(&m.op)) {
        return Err(no_returning_list(&m.table, event));
    }
    let source = Rel::Values { rows: Vec::new(), cols: Vec::new() };
    let op = ModifyOp::Insert { source, columns: Vec::new(), defaults: Vec::new(), on_conflict: None };
    Ok(Modify { op, returning: None, ..m })
}
/// Leaves out the rows for which a condition is true, also when they are looked at again.
fn leave_out(source: &mut Rel, recheck: &mut Option<Expr>, cond: Expr) {
    let cond = Expr::IsBool(Box::new(cond), Some(true), true);
    let input = Box::new(std::mem::replace(source, Rel::One));
    *source = Rel::Filter { input, cond: cond.clone() };
    *recheck = Some(match recheck.take() {
        Some(r) => Expr::And(vec![r, cond]),
        None => cond,
    });
}
/// What an action changes rows by.
fn command(stmt: &Statement) -> Option<Event> {
    match stmt {
        Statement::Insert(_) => Some(Event::Insert),
        Statement::Update(_) => Some(Event::Update),
        Statement::Delete(_) => Some(Event::Delete),
        _ => None,
    }
}
fn gives_rows(stmt: &Statement) -> bool {
    match stmt {
        Statement::Insert(i) => !i.returning.is_empty(),
        Statement::Update(u) => !u.returning.is_empty(),
        Statement::Delete(d) => !d.returning.is_empty(),
        _ => false,
    }
}
/// A view is not updatable where a rule stands for some of its rows alone.
fn conditional(t: &Table, event: Event) -> Error {
    let (what, doing) = match event {
        Event::Insert => ("insert into", "inserting into"),
        Event::Update => ("update", "updating"),
        Event::Delete => ("delete from", "deleting from"),
    };
    let word = event.word();
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot {what} view \"{}\"", t.name)
        .detail("Views with conditional DO INSTEAD rules are not automatically updatable.")
        .hint(format!("To enable {doing} the view, provide an INSTEAD OF {word} trigger or an unconditional ON {word} DO INSTEAD rule."))
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
    if let ModifyOp::Insert { on_conflict: Some(c), .. } = &m.op
        && let Some(u) = &c.update
    {
        b.note_item(&m.table, &u.old_cols, alias.clone());
        b.note_item(&m.table, &u.excluded, Some("excluded".into()));
    }
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
    pub(in crate::bind) fn note_item(&mut self, t: &Arc<Table>, ids: &[(i16, ColId)], alias: Option<String>) {
        let cols = ids.iter().filter_map(|(a, id)| {
            let c = t.column(*a)?;
            Some((c.name.clone(), Expr::Col(*id, c.ty)))
        });
        let (cols, written) = (cols.collect(), Vec::new());
        let kind = ItemKind::Relation { oid: t.oid, attnums: ids.iter().map(|i| i.0).collect(), only: false };
        let item =
            Item { kind, alias, renamed: false, cols, written, system: Vec::new(), lateral: false, sample: None };
        if let Some(r) = &mut self.recorder {
            r.record.items.push(item);
        }
    }
}

/// pg_get_ruledef of a rule that stands for a change.
pub fn definition(r: &Rule, layout: pamir_expr::deparse::Layout, env: &mut dyn pamir_expr::env::Env) -> Result<String> {
    use pamir_expr::deparse::{Naming, change_text, deparse_when};
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let Some(t) = catalog.table(r.relation) else { return Ok(String::new()) };
    let name = pamir_catalog::defs::quote_ident(&r.name);
    let schema = catalog.schema(t.schema).map_or("", |s| &s.name);
    let on = match layout.pretty {
        true => catalog.quoted_name(&scope, t.oid).unwrap_or_default(),
        false => pamir_catalog::defs::qualified(schema, &t.name),
    };
    let instead = if r.instead { "INSTEAD " } else { "" };
    let mut out = format!("CREATE RULE {name} AS\n    ON {} TO {on}", r.event.word());
    let named = |oid: &str| catalog.quoted_name(&scope, oid.parse().ok()?);
    if let Some(c) = &r.cond {
        let bound = super::super::bind_when(t, c, env)?;
        let text = deparse_when(&bound, t, Naming::Short(&catalog, &scope));
        let text = pamir_catalog::defs::map_regclass(&text, named);
        let text = if layout.pretty { pamir_catalog::pretty::pretty(&text) } else { text };
        out.push_str(&format!("\n   WHERE {text}"));
    }
    out.push_str(&format!(" DO {instead}"));
    if r.actions.is_empty() {
        return Ok(out + "NOTHING;");
    }
    let stored = NameScope::stored(scope.database);
    let several = r.actions.len() > 1;
    if several {
        out.push('(');
    }
    for text in &r.actions {
        let stmt = action(text)?;
        let mut cx = BindCtx { catalog: &catalog, scope: &stored, params: Vec::new(), env: &mut *env, text: "" };
        let c = recorded(&stmt, t, r.event, &mut cx)?;
        let text = change_text(&c, Naming::Short(&catalog, &scope), layout)?;
        out.push_str(&pamir_catalog::defs::map_regclass(&text, named));
        if several {
            out.push_str(";\n");
        }
    }
    Ok(out + if several { ");" } else { ";" })
}
