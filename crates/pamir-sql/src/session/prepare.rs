//! PREPARE, EXECUTE, DEALLOCATE: prepared statements in SQL. They share their names with those of the extended protocol.
use super::Session;
use super::shared::{Kept, Origin};
use super::state::State;
use super::statement::{PreparedStmt, Told};
use crate::client::Client;
use crate::ddl::def;
use pamir_parse::tree::{Execute, Prepare, TypeName};
use pamir_plan::bind::{self, BindCtx};
use pamir_types::{Datum, Oid, Result, Type, bail, err};
use std::sync::Arc;

impl State {
    pub(super) fn prepare_statement(&mut self, p: &Prepare, whole: &PreparedStmt) -> Result<()> {
        let name = &p.name;
        if self.prepared.contains_key(name) {
            bail!(DUPLICATE_PREPARED_STATEMENT, "prepared statement \"{name}\" already exists");
        }
        let catalog = self.catalog.clone();
        let oid = |t: &TypeName| match bind::bind_type(t, &catalog, &self.scope) {
            Ok(ty) => Ok(ty.oid),
            Err(e) => Err(def::placed(e, &whole.text, t.at)),
        };
        let declared = p.types.iter().map(oid).collect::<Result<Vec<Oid>>>()?;
        // SELECT INTO: the grammar has nothing else here that is no query.
        if !p.statement.is_query() {
            bail!(INVALID_PSTATEMENT_DEFINITION, "utility statements cannot be prepared");
        }
        let stmt = PreparedStmt::new(whole.text.clone(), Some(p.statement.clone()), declared).with_depth(whole.deep);
        let stmt = stmt.come_in(whole.within.clone());
        self.plan_for(&stmt)?;
        let kept = Kept::own(Arc::new(stmt), self.statement_time).charged(&self.work().memory)?;
        self.prepared.insert(name.clone(), kept);
        Ok(())
    }

    /// The statement of a name.
    pub(super) fn named_statement(&mut self, name: &str) -> Result<Arc<PreparedStmt>> {
        let Some(kept) = self.prepared.get(name) else {
            bail!(INVALID_SQL_STATEMENT_NAME, "prepared statement \"{name}\" does not exist")
        };
        let (stmt, thread, at) = (kept.stmt.clone(), kept.thread, kept.at);
        let Some(own) = self.statement_here(&stmt, thread, true)? else { return Ok(stmt) };
        let here = self.sharing();
        if let Some(place) = self.prepared.get_mut(name) {
            *place = Kept::by(here, own.clone(), at);
        }
        Ok(own)
    }
    /// This thread's counterpart of a statement from another one; None: that itself, being of this thread, or where its own plan is not valid now (whether a new one
    /// fits is seen when it is made).
    pub(super) fn statement_here(
        &mut self,
        stmt: &Arc<PreparedStmt>,
        thread: u64,
        named: bool,
    ) -> Result<Option<Arc<PreparedStmt>>> {
        if thread == 0 || thread == self.sharing() {
            return Ok(None);
        }
        if self.catalog.has_temporary() {
            // Its plans are nobody else's.
            return Ok(Some(Arc::new(stmt.own_copy()?)));
        }
        if self.private || stmt.deep || !self.is_current(stmt) || !stmt.serves_new() {
            return Ok(None);
        }
        let found = self.shared(Origin::Parse, &stmt.text, stmt.declared()).filter(|s| s.agrees(stmt));
        Ok(Some(found.unwrap_or_else(|| {
            let new = Arc::new(PreparedStmt::new(stmt.text.clone(), stmt.stmt.clone(), stmt.declared().to_vec()));
            new.agrees(stmt);
            self.share(Origin::Parse, &new.text, named, &new);
            new
        })))
    }

    /// The statement that EXECUTE names, and its arguments' values. `text`: where they stand.
    pub(super) fn execute_target(&mut self, e: &Execute, text: &str) -> Result<(Arc<PreparedStmt>, Vec<Datum>)> {
        let stmt = self.named_statement(&e.name)?;
        let types: Vec<Type> = if stmt.is_query() { self.plan_for(&stmt)?.param_types.clone() } else { Vec::new() };
        if e.args.len() != types.len() {
            return Err(err!(SYNTAX_ERROR, "wrong number of parameters for prepared statement \"{}\"", e.name)
                .detail(format!("Expected {} parameters but got {}.", types.len(), e.args.len())));
        }
        let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
        let mut params = Vec::with_capacity(types.len());
        for (i, (arg, ty)) in e.args.iter().zip(types).enumerate() {
            let bound = {
                let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *self, text };
                bind::bind_argument(arg, i + 1, ty, &mut cx)?
            };
            params.push(pamir_expr::expr::eval_const(&bound, &[], self)?);
        }
        Ok((stmt, params))
    }

    /// No name: all.
    pub(super) fn deallocate(&mut self, name: Option<&str>) -> Result<()> {
        match name {
            None => self.prepared.clear(),
            Some(n) if self.prepared.remove(n).is_some() => {}
            Some(n) => bail!(INVALID_SQL_STATEMENT_NAME, "prepared statement \"{n}\" does not exist"),
        }
        Ok(())
    }
}

impl Session {
    /// The statement sends its own tag.
    pub(super) fn execute_statement(&mut self, e: &Execute, text: &str, client: &mut dyn Client) -> Result<()> {
        let (stmt, params) = self.state.execute_target(e, text)?;
        self.run_statement(&stmt, &params, Told::Result, false, client)
    }
}
