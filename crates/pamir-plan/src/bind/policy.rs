//! Row level security: what policies make of the reading and the changing of a table's rows (PostgreSQL's get_row_security_policies).
//!
//! ```text
//!   read      FROM t                       Secured(t): USING of the policies for SELECT      FOR UPDATE: those for UPDATE, too
//!   changed   UPDATE, DELETE               Secured(t): USING of its own; and of SELECT's, where the statement needs the right to SELECT
//!   written   INSERT, UPDATE               WITH CHECK of its own on the new row, or USING where a policy has none; USING of SELECT's as above
//!             ON CONFLICT DO UPDATE        USING of UPDATE's on the row that is there, as an error; then as UPDATE
//!             MERGE                        the same for each action; INSERT's own
//! ```
//! Permissive policies are alternatives, one is enough: where none is for the command and the role nothing is seen and nothing written. Restrictive ones count each by
//! itself. The policies are those of the table that is named, whatever it is read with; they are bound as if whoever reads the table had written them there.
//!
//! Whose policies: of what a view reads, its owner's, else the user's ([`Binder::reader`]).
//!
//! *Invariant*: every relation with rows that a statement names goes through [`Binder::secured`] once for each thing that is done with it; plans depend on the user and on
//! `row_security` (`of_plans` in the settings).
use super::scope::{Rte, Scope};
use super::{BindCtx, Binder, record};
use pamir_catalog::acl::{self, Who};
use pamir_catalog::policy::{self, Active, Command, Policy};
use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_expr::env::Env;
use pamir_expr::ir::{ColId, Expr, Guards, MergeAction, MergeWhen, Modify, ModifyOp, OnConflictUpdate, Rel, RowGuard};
use pamir_parse::tree::{self, SelectBody};
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// A table's columns, and what they are called in the statement.
type Columns = [(i16, ColId)];

/// What one policy, or several as alternatives, ask of a row: nothing holds of no text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clause {
    /// The restrictive policy that it is.
    name: Option<String>,
    any: Vec<SqlText>,
}
/// A table that is read with its policies.
pub(super) struct Guarded {
    /// Its first column, or the number that it would have.
    first: ColId,
    table: Arc<Table>,
    clauses: Vec<Clause>,
    cols: Vec<(i16, ColId)>,
}
/// Which condition of a policy counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Using,
    /// WITH CHECK, or USING where there is none.
    Check,
}
/// When a guard's error is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    New,
    Conflict,
    Target,
}

fn clauses(policies: &[&Arc<Policy>], command: Command, who: &Who, of: Of) -> Vec<Clause> {
    let text = |p: &Policy| match of {
        Of::Check if p.check.is_some() => p.check.clone(),
        _ => p.using.clone(),
    };
    let concern =
        |permissive: bool| policies.iter().filter(move |p| p.permissive == permissive && p.concerns(command, who));
    let any: Vec<SqlText> = concern(true).rev().filter_map(|p| text(p)).collect();
    if any.is_empty() {
        return vec![Clause { name: None, any }];
    }
    let all = Clause { name: None, any };
    let restrictive = concern(false).filter_map(|p| Some(Clause { name: Some(p.name.clone()), any: vec![text(p)?] }));
    match of {
        // What is filtered is asked of the restrictive ones first, as PostgreSQL does.
        Of::Using => restrictive.chain([all]).collect(),
        Of::Check => [all].into_iter().chain(restrictive).collect(),
    }
}
/// The clauses that are not there yet.
fn more(list: &mut Vec<Clause>, new: Vec<Clause>) {
    for c in new {
        if !list.iter().any(|l| l.any == c.any && !c.any.is_empty()) {
            list.push(c);
        }
    }
}
fn message(table: &Table, c: &Clause, when: When) -> String {
    let row = if when == When::Target { "target" } else { "new" };
    let name = c.name.as_ref().map_or(String::new(), |n| format!(" \"{n}\""));
    let using = if when == When::New { "" } else { " (USING expression)" };
    format!("{row} row violates row-level security policy{name}{using} for table \"{}\"", table.name)
}
/// Is a role held to a table's policies (check_enable_rls)? 42501 where the session will not have rows left out.
pub fn is_held(t: &Table, catalog: &Catalog, role: Oid, env: &dyn Env) -> Result<bool> {
    let active = policy::active(catalog, t, role);
    if active == Active::No {
        return Ok(false);
    }
    if env.setting("row_security").as_deref() != Some("off") {
        return Ok(true);
    }
    let table = &t.name;
    let e = err!(INSUFFICIENT_PRIVILEGE, "query would be affected by row-level security policy for table \"{table}\"");
    let hint = "To disable the policy for the table's owner, use ALTER TABLE NO FORCE ROW LEVEL SECURITY.";
    Err(if active == Active::Owner { e.hint(hint) } else { e })
}
/// The condition that a stored text has.
pub fn stored_condition(text: &SqlText) -> Result<tree::Expr> {
    let q = record::stored_query(&text.0)?;
    let condition = match q.body {
        SelectBody::Select(s) => s.filter,
        _ => None,
    };
    condition.ok_or_else(|| Error::internal("a policy without a condition"))
}

impl Binder<'_, '_> {
    /// Whose policies count.
    fn subject(&self) -> Oid {
        self.reader.unwrap_or_else(|| self.cx.env.scope().user)
    }
    /// The role that is held to a table's policies; None: nobody is. 42501 where the session will not have rows left out.
    pub(super) fn secured(&mut self, t: &Table) -> Result<Option<Who>> {
        if t.view.is_some() || self.recording() || !is_held(t, self.cx.catalog, self.subject(), &*self.cx.env)? {
            return Ok(None);
        }
        Ok(Some(Who::new(self.cx.catalog, self.subject(), t.database)))
    }
    fn clauses_of(&self, t: &Table, command: Command, who: &Who, of: Of) -> Vec<Clause> {
        clauses(&self.cx.catalog.policies_of(t.oid), command, who, of)
    }

    /// A table that is read, with what its policies for SELECT let through.
    pub(super) fn read_secured(&mut self, rel: Rel, t: &Arc<Table>, rte: &Rte) -> Result<Rel> {
        let Some(who) = self.secured(t)? else { return Ok(rel) };
        let clauses = self.clauses_of(t, Command::Select, &who, Of::Using);
        let cols = row_of(t, rte);
        let rel = self.filtered(rel, t, &clauses, &cols)?;
        let first = cols.first().map_or(0, |c| c.1);
        self.guarded.push(Guarded { first, table: t.clone(), clauses, cols });
        Ok(rel)
    }
    /// Its rows are to be locked: those that the policies for UPDATE do not let through are not there.
    pub(super) fn lock_secured(&mut self, rel: &mut Rel, first: ColId) -> Result<()> {
        let Some(at) = self.guarded.iter().position(|g| g.first == first && first != 0) else { return Ok(()) };
        let (t, cols) = (self.guarded[at].table.clone(), self.guarded[at].cols.clone());
        let Some(who) = self.secured(&t)? else { return Ok(()) };
        let mut all = self.guarded[at].clauses.clone();
        let before = all.len();
        more(&mut all, self.clauses_of(&t, Command::Update, &who, Of::Using));
        let input = std::mem::replace(rel, Rel::One);
        *rel = self.filtered(input, &t, &all[before..], &cols)?;
        self.guarded[at].clauses = all;
        Ok(())
    }
    fn filtered(&mut self, mut rel: Rel, t: &Arc<Table>, clauses: &[Clause], cols: &Columns) -> Result<Rel> {
        for c in clauses {
            let cond = self.clause(t, c, cols)?;
            rel = Rel::Secured { input: Box::new(rel), cond };
        }
        Ok(rel)
    }
    fn clause(&mut self, t: &Arc<Table>, c: &Clause, cols: &Columns) -> Result<Expr> {
        let mut any = Vec::with_capacity(c.any.len());
        for text in &c.any {
            any.push(self.policy_condition(t, text, cols)?);
        }
        Ok(match any.len() {
            0 => Expr::Const(false.into(), Type::BOOL),
            1 => any.remove(0),
            _ => Expr::Or(any),
        })
    }
    fn guards(
        &mut self,
        t: &Arc<Table>,
        clauses: &[Clause],
        when: When,
        cols: &Columns,
        out: &mut Vec<RowGuard>,
    ) -> Result<()> {
        for c in clauses {
            let cond = self.clause(t, c, cols)?;
            out.push(RowGuard { message: message(t, c, when), cond });
        }
        Ok(())
    }
    /// A policy's condition over these columns, with the privileges of whoever reads the table.
    fn policy_condition(&mut self, t: &Arc<Table>, text: &SqlText, cols: &Columns) -> Result<Expr> {
        let e = stored_condition(text)?;
        let reader = self.reader;
        let recursion = self.views.contains(&t.oid).then(|| t.name.clone());
        let scope = NameScope { user: 0, ..NameScope::stored(self.cx.scope.database) };
        let mut cx =
            BindCtx { catalog: self.cx.catalog, scope: &scope, params: Vec::new(), env: &mut *self.cx.env, text: "" };
        let mut b = Binder::new(&mut cx);
        b.views.clone_from(&self.views);
        b.views.push(t.oid);
        (b.reader, b.no_subquery) = (reader, recursion);
        (b.next_col, b.depth, b.in_cte) = (self.next_col, self.depth, self.in_cte);
        b.ctes = std::mem::take(&mut self.ctes);
        b.tables = std::mem::take(&mut self.tables);
        let mut s = Scope::default();
        s.add(Rte::table_cols(&t.name, t, cols));
        b.scopes.push(s);
        let r = b.expr(&e).and_then(|e| b.to_bool(e, "POLICY"));
        self.next_col = b.next_col;
        self.ctes = std::mem::take(&mut b.ctes);
        self.tables = std::mem::take(&mut b.tables);
        let (volatile, effects, has_subquery) = (b.volatile, b.effects, b.has_subquery);
        let uses = b.uses.done();
        drop(b);
        self.volatile |= volatile;
        self.effects |= effects;
        self.has_subquery |= has_subquery;
        self.uses.inside(uses);
        r.map_err(Error::nowhere)
    }

    /// What policies say of a change of a table's own rows. `target`: the number of its use; `reads`: it needs the right to SELECT.
    pub(super) fn restrict(&mut self, m: &mut Modify, reads: bool) -> Result<()> {
        let t = m.table.clone();
        let Some(who) = self.secured(&t)? else { return Ok(()) };
        let row = m.row_cols.clone();
        let select = if reads { self.clauses_of(&t, Command::Select, &who, Of::Using) } else { Vec::new() };
        match &mut m.op {
            ModifyOp::Insert { on_conflict, .. } => {
                let mut new = self.clauses_of(&t, Command::Insert, &who, Of::Check);
                more(&mut new, checked(&select));
                self.guards(&t, &new, When::New, &row, &mut m.guards)?;
                if let Some(u) = on_conflict.as_mut().and_then(|c| c.update.as_mut()) {
                    self.restrict_conflict(u, &t, &who, &select, &row)?;
                }
            }
            ModifyOp::Update { source, old_cols, recheck, .. } => {
                self.restrict_old(source, old_cols, recheck, &t, (Command::Update, &who, &select))?;
                let mut new = self.clauses_of(&t, Command::Update, &who, Of::Check);
                more(&mut new, checked(&select));
                self.guards(&t, &new, When::New, &row, &mut m.guards)?;
            }
            ModifyOp::Delete { source, old_cols, recheck, .. } => {
                self.restrict_old(source, old_cols, recheck, &t, (Command::Delete, &who, &select))?;
            }
            ModifyOp::Merge { .. } => return Err(Error::internal("MERGE asks policies by itself")),
        }
        Ok(())
    }
    /// Which rows an UPDATE or DELETE meets.
    fn restrict_old(
        &mut self,
        source: &mut Rel,
        cols: &Columns,
        recheck: &mut Option<Expr>,
        t: &Arc<Table>,
        (command, who, select): (Command, &Who, &[Clause]),
    ) -> Result<()> {
        let mut old = self.clauses_of(t, command, who, Of::Using);
        more(&mut old, select.to_vec());
        let target = target_of(source);
        let scan = std::mem::replace(target, Rel::One);
        *target = self.filtered(scan, t, &old, cols)?;
        *recheck = self.all_of(t, &old, cols)?.map(|held| match recheck.take() {
            None => held,
            Some(own) => behind(held, own),
        });
        Ok(())
    }
    fn restrict_conflict(
        &mut self,
        u: &mut OnConflictUpdate,
        t: &Arc<Table>,
        who: &Who,
        select: &[Clause],
        row: &Columns,
    ) -> Result<()> {
        let mut old = checked(&self.clauses_of(t, Command::Update, who, Of::Using));
        more(&mut old, checked(select));
        let mut new = self.clauses_of(t, Command::Update, who, Of::Check);
        more(&mut new, checked(select));
        let cols = u.old_cols.clone();
        self.guards(t, &old, When::Conflict, &cols, &mut u.guards.old)?;
        self.guards(t, &new, When::New, row, &mut u.guards.new)
    }
    /// MERGE: which rows of the target are met at all, before the join; and those that are met again, when ON is asked of what they have become.
    pub(super) fn restrict_merged(
        &mut self,
        scan: Rel,
        on: Expr,
        t: &Arc<Table>,
        cols: &Columns,
        reads: bool,
    ) -> Result<(Rel, Expr)> {
        let Some(who) = self.secured(t)?.filter(|_| reads) else { return Ok((scan, on)) };
        let select = self.clauses_of(t, Command::Select, &who, Of::Using);
        let scan = self.filtered(scan, t, &select, cols)?;
        let held = self.all_of(t, &select, cols)?;
        Ok((
            scan,
            match held {
                Some(held) => behind(held, on),
                None => on,
            },
        ))
    }
    fn all_of(&mut self, t: &Arc<Table>, clauses: &[Clause], cols: &Columns) -> Result<Option<Expr>> {
        let mut held = Vec::with_capacity(clauses.len());
        for c in clauses {
            held.push(self.clause(t, c, cols)?);
        }
        Ok(pamir_expr::rels::conjunction(held))
    }
    /// ... and what is asked of the rows of each action. `old`, `row`: the columns of the row that is there, and of the new one.
    pub(super) fn restrict_whens(
        &mut self,
        whens: &mut [MergeWhen],
        t: &Arc<Table>,
        (old, row): (&Columns, &Columns),
        reads: bool,
    ) -> Result<()> {
        let Some(who) = self.secured(t)? else { return Ok(()) };
        let select = if reads { self.clauses_of(t, Command::Select, &who, Of::Using) } else { Vec::new() };
        for w in whens {
            let mut g = Guards::default();
            match w.action {
                MergeAction::Nothing => {}
                MergeAction::Update(_) => {
                    let using = checked(&self.clauses_of(t, Command::Update, &who, Of::Using));
                    self.guards(t, &using, When::Target, old, &mut g.old)?;
                    let mut new = self.clauses_of(t, Command::Update, &who, Of::Check);
                    more(&mut new, checked(&select));
                    self.guards(t, &new, When::New, row, &mut g.new)?;
                }
                MergeAction::Delete => {
                    let using = checked(&self.clauses_of(t, Command::Delete, &who, Of::Using));
                    self.guards(t, &using, When::Target, old, &mut g.old)?;
                }
                MergeAction::Insert(_) => {
                    let new = self.clauses_of(t, Command::Insert, &who, Of::Check);
                    self.guards(t, &new, When::New, row, &mut g.new)?;
                }
            }
            w.guards = g;
        }
        Ok(())
    }
    /// Does the use of a target need the right to SELECT?
    pub(super) fn reads_target(&self, target: usize) -> bool {
        self.uses.get(target).required & acl::SELECT != 0
    }
    /// 42P17 where a policy's subquery comes back to the table that the policy is of.
    pub(super) fn may_have_subquery(&self) -> Result<()> {
        if let Some(t) = &self.no_subquery {
            bail!(INVALID_OBJECT_DEFINITION, "infinite recursion detected in policy for relation \"{t}\"");
        }
        Ok(())
    }
}
/// A statement's own condition, which may tell of a row that the policies have come to leave out: it is asked of no such row.
fn behind(held: Expr, own: Expr) -> Expr {
    let otherwise = Box::new(Expr::Const(false.into(), Type::BOOL));
    Expr::Case { whens: vec![(held, own)], otherwise, ty: Type::BOOL }
}
/// USING's clauses in the order in which a new row is asked: alternatives first.
fn checked(using: &[Clause]) -> Vec<Clause> {
    let (own, all): (Vec<Clause>, Vec<Clause>) = using.iter().cloned().partition(|c| c.name.is_some());
    all.into_iter().chain(own).collect()
}
fn row_of(t: &Table, rte: &Rte) -> Vec<(i16, ColId)> {
    let id = |e: &Expr| if let Expr::Col(id, _) = e { Some(*id) } else { None };
    std::iter::zip(t.live_columns(), &rte.cols).filter_map(|(c, o)| Some((c.attnum, id(&o.expr)?))).collect()
}
/// The scan of the table whose rows a statement changes: the first of its FROM.
fn target_of(source: &mut Rel) -> &mut Rel {
    match source {
        Rel::Filter { input, .. } | Rel::Secured { input, .. } => target_of(input),
        Rel::Join { left, .. } => target_of(left),
        other => other,
    }
}

/// A policy's condition as its text says it: its form, over the columns of the table alone.
pub fn recorded(e: &tree::Expr, t: &Arc<Table>, cx: &mut BindCtx) -> Result<record::Recorded> {
    record::condition(e, t, "policy expressions", "POLICY", cx)
}
