//! Plans of statements: made under the session's catalog, kept with their statement, locked before they run.
//!
//! ```text
//!   text, declared types --shared--> a statement that this thread's sessions use
//!   statement --plan_for--> its newest plan, or a new one where the catalog or the settings are others
//!             --locked_plan--> ... whose tables' locks this transaction holds, and which is still valid under them
//! ```
//! All of it is the session's state's: who runs statements within a statement (`spi.rs`) has no more than that.
use super::custom::Choice;
use super::follower::{Taken, not_here};
use super::query::fields_of;
use super::shared::{self, Origin};
use super::state::State;
use super::statement::{LONGEST_KEPT, Planned, PreparedStmt, Tag, Told};
use pamir_expr::deep::{is_deep_stack, on_stack_for};
use pamir_expr::ir::BoundKind;
use pamir_expr::plan::Plan;
use pamir_parse::tree::Statement;
use pamir_plan::bind::{self, BindCtx};
use pamir_plan::plan;
use pamir_txn::{TableLock, WaitPolicy};
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, bail, err, oid};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl State {
    /// Binds and plans one statement under the session's current catalog.
    pub fn plan_statement(&mut self, stmt: &Statement, text: &str, declared: &[Oid]) -> Result<Planned> {
        self.plan_with(stmt, text, declared, None)
    }
    /// The same; `values`: the plan is for these alone.
    pub(super) fn plan_with(
        &mut self,
        stmt: &Statement,
        text: &str,
        declared: &[Oid],
        values: Option<&[Datum]>,
    ) -> Result<Planned> {
        match self.plan_known(stmt, text, declared, values) {
            Err(e) if self.knows_more_after(&e) => self.plan_known(stmt, text, declared, values),
            r => r,
        }
    }
    /// What a statement names may have been made at another node a moment ago: true if there is a newer catalog than the one that `e` came from.
    #[cold]
    fn knows_more_after(&mut self, e: &Error) -> bool {
        let code = e.code();
        // Syntax error or access rule violation, invalid catalog and schema names.
        let of_names = ["42", "3D", "3F"].iter().any(|c| code.as_str().starts_with(c)) && code != state::SYNTAX_ERROR;
        of_names && self.await_newest_catalog()
    }
    /// In a cluster: takes the newest catalog that there is anywhere. True: it is another one.
    pub(super) fn await_newest_catalog(&mut self) -> bool {
        let before = self.catalog.version;
        if !self.db.replicated || self.db.engine.await_newest_catalog().is_err() {
            return false;
        }
        self.refresh_catalog();
        self.catalog.version != before
    }
    fn plan_known(
        &mut self,
        stmt: &Statement,
        text: &str,
        declared: &[Oid],
        values: Option<&[Datum]>,
    ) -> Result<Planned> {
        let catalog = self.catalog.clone();
        let scope = self.scope.clone();
        self.read_a_moment = false;
        let mut bound = {
            let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: declared.to_vec(), env: self, text };
            bind::bind(stmt, &mut cx)?
        };
        // Nobody else knows a temporary table.
        let locks: Vec<_> = bound.tables.iter().filter(|(t, _)| !t.is_temporary()).map(|(t, l)| (t.oid, *l)).collect();
        let temporary = locks.len() < bound.tables.len();
        let idle = matches!(&bound.kind, BoundKind::Modify(m) if m.op.changes_nothing());
        let harmless = idle || temporary && locks.iter().all(|(_, mode)| *mode == TableLock::AccessShare);
        // By what was said: a rule may have put another command in its place.
        let tag = match stmt {
            Statement::Insert(_) => Tag::Insert,
            Statement::Update(_) => Tag::Update,
            Statement::Delete(_) => Tag::Delete,
            Statement::Merge(_) => Tag::Merge,
            _ => Tag::Select,
        };
        let (param_types, has_rows) = (bound.params.clone(), tag == Tag::Select || !bound.output.is_empty());
        if let Some(n) = param_types.iter().position(|t| t.oid == 0 || t.oid == pamir_types::oid::UNKNOWN) {
            bail!(INDETERMINATE_DATATYPE, "could not determine data type of parameter ${}", n + 1);
        }
        let fields = fields_of(&bound.output);
        let who = self.who();
        let mut denied = bound.uses.iter().find_map(|u| who.check(&catalog, u).err());
        let check = || pamir_expr::env::Env::check_cancel(self);
        let text = self.settings.text.clone();
        let (heavy, effects) = (bound.folded > LONGEST_KEPT, bound.effects);
        let (params, planning) = (bound.params.clone(), &self.settings.plan);
        if let Some(values) = values {
            plan::give(&mut bound, values);
        }
        let failed = bound.failed.clone();
        let is_constants = failed.is_some();
        let made = match failed {
            Some(e) => Err(e),
            None => plan::plan(bound, &catalog, &self.engine, planning, text, &check),
        };
        let mut plan = match made {
            Ok(plan) => plan,
            // An error of the data, or of a function that is called with constants, is the run's, not the description's: `SELECT 1/0` can be prepared.
            Err(e) if is_constants || e.code().as_str().starts_with("22") => {
                denied = Some(e);
                Plan::without_rows(params, catalog.version)
            }
            Err(e) => return Err(e),
        };
        plan.fields = fields;
        plan.deep = is_deep_stack();
        Ok(Planned {
            plan: Arc::new(plan),
            locks,
            catalog_version: catalog.version,
            context: self.context(),
            private: self.private,
            temporary,
            harmless,
            heavy,
            of_a_moment: self.read_a_moment,
            denied,
            tag,
            effects,
            param_types,
            has_rows,
            choice: Choice::default(),
        })
    }

    /// It has no plan yet, or one that needs not be made anew. (A new Parse of the same text may get columns other than the old plan's.)
    pub fn is_current(&self, stmt: &PreparedStmt) -> bool {
        stmt.cached.lock().as_ref().is_none_or(|p| self.usable(p))
    }
    pub(super) fn usable(&self, p: &Planned) -> bool {
        p.catalog_version == self.catalog.version && p.context == self.context() && !p.private && !self.private
    }

    /// The statement's plan, made anew when the catalog or the settings it depends on changed. 0A000 if its result is no longer what clients were told.
    pub fn plan_for(&mut self, stmt: &PreparedStmt) -> Result<Arc<Planned>> {
        self.plan_as(stmt, Told::Result)
    }
    fn plan_as(&mut self, stmt: &PreparedStmt, told: Told) -> Result<Arc<Planned>> {
        let old = stmt.cached.lock().clone();
        if let Some(p) = &old
            && self.usable(p)
        {
            return Ok(p.clone());
        }
        let Some(tree) = &stmt.stmt else { return Err(Error::internal("not a planned statement")) };
        let new = Arc::new(on_stack_for(stmt.deep, || self.plan_typed(stmt, tree))?);
        if let Some(old) = old {
            let same = old.plan.fields.len() == new.plan.fields.len()
                && old.plan.fields.iter().zip(&new.plan.fields).all(|(a, b)| a.ty == b.ty && a.name == b.name);
            if !same && !stmt.declared.is_empty() | old.has_rows {
                if told != Told::Result {
                    // Those who share the statement were told.
                    return Ok(new);
                }
                // Drivers know by the routine that they may prepare it again.
                return Err(err!(FEATURE_NOT_SUPPORTED, "cached plan must not change result type")
                    .routine("RevalidateCachedQuery"));
            }
        }
        // Other sessions may share the statement: they must not meet what is not committed.
        if !new.private && !new.heavy {
            let mut cached = stmt.cached.lock();
            // One of a session that met a newer catalog meanwhile stays.
            if cached.as_ref().is_none_or(|p| p.context != new.context || p.catalog_version <= new.catalog_version) {
                *cached = Some(new.clone());
            }
        }
        Ok(new)
    }
    /// Is it a type of a user's, or an array of one, that was dropped?
    fn is_gone(&self, ty: Oid) -> bool {
        let item = oid::element_of(ty).unwrap_or(ty);
        oid::user_class(item).is_some() && self.catalog.type_place(item).is_none()
    }
    /// Plans with the parameters' types of the first plan.
    fn plan_typed(&mut self, stmt: &PreparedStmt, tree: &Statement) -> Result<Planned> {
        if let Some(gone) = stmt.types.get().and_then(|t| t.iter().find(|t| self.is_gone(**t))) {
            // Drivers that keep what they know of types empty their caches at this SQLSTATE.
            return Err(Error::internal(format!("cache lookup failed for type {gone}")));
        }
        let inferred = self.plan_statement(tree, &stmt.text, &stmt.declared);
        let of_new = |new: &Planned| new.param_types.iter().map(|t| t.oid).collect::<Vec<Oid>>();
        let types = match (&inferred, stmt.types.get()) {
            (_, Some(types)) => types,
            (Ok(new), None) => stmt.types.get_or_init(|| of_new(new)),
            (Err(_), None) => return inferred,
        };
        let as_before = match &inferred {
            Ok(new) => new.param_types.iter().map(|t| t.oid).eq(types.iter().copied()),
            Err(_) => *types == stmt.declared,
        };
        if as_before {
            return inferred;
        }
        let new = self.plan_statement(tree, &stmt.text, types)?;
        stmt.retyped.store(true, Ordering::Relaxed);
        Ok(new)
    }

    /// A plan that is valid now and whose table locks this transaction holds, or whose snapshot, where it reads at this node's replica.
    pub fn locked_plan(
        &mut self,
        stmt: &PreparedStmt,
        mut planned: Option<Arc<Planned>>,
        told: Told,
        taken: Taken,
    ) -> Result<Arc<Planned>> {
        let mut placed = false;
        loop {
            let p = match planned.take() {
                Some(p) if self.usable(&p) => p,
                _ => self.plan_as(stmt, told)?,
            };
            if !std::mem::replace(&mut placed, true) {
                self.place(&p, taken)?;
            }
            if self.lock_for(&p, told != Told::Plan)? {
                return Ok(p);
            }
        }
    }
    /// Takes a plan's table locks; true: it is still valid under them. `runs`: it is to be run.
    pub(super) fn lock_for(&mut self, p: &Planned, runs: bool) -> Result<bool> {
        let writes = runs && !p.plan.read_only && !p.harmless;
        if let Some(e) = &p.denied {
            // That a transaction only reads is said before that somebody may not.
            let later = writes && e.code() == state::INSUFFICIENT_PRIVILEGE;
            if later {
                drop(self.begin_if_needed());
            }
            if !later || !self.read_only {
                return Err(e.clone());
            }
        }
        let first = self.txn.is_none();
        let txn = self.begin_if_needed();
        self.note_reads(p, first);
        if p.temporary {
            txn.touch_private(&self.private_data());
        }
        if self.read_only && writes {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {} in a read-only transaction", p.tag.verb());
        }
        if self.follows.is_some() {
            if !p.plan.read_only || p.effects {
                return Err(not_here(if p.effects { "this function" } else { p.tag.verb() }));
            }
            return Ok(p.catalog_version == self.catalog.version);
        }
        let ahead = first && self.again.anew();
        for (oid, mode) in &p.locks {
            match ahead {
                true => txn.lock_table_ahead(u64::from(*oid), *mode)?,
                false => drop(txn.lock_table(u64::from(*oid), *mode, WaitPolicy::Block)?),
            }
        }
        // Whoever changes a table publishes the new catalog before it lets go of the table's lock.
        self.refresh_catalog();
        Ok(p.catalog_version == self.catalog.version)
    }

    /// The statement of this text that sessions in the same context use, with a plan that is valid here (`shared.rs`).
    pub(super) fn shared(&self, origin: Origin, text: &str, declared: &[Oid]) -> Option<Arc<PreparedStmt>> {
        if self.private {
            return None;
        }
        let key = shared::Key { context: self.context(), origin, text, declared };
        shared::find(key).filter(|s| self.is_current(s) && s.serves_new())
    }
    pub(super) fn share(&self, origin: Origin, text: &str, named: bool, stmt: &Arc<PreparedStmt>) {
        if !self.private {
            let key = shared::Key { context: self.context(), origin, text, declared: stmt.declared() };
            shared::note(key, named, stmt);
        }
    }
}
