//! PREPARE, EXECUTE, DEALLOCATE: prepared statements in SQL. They share their names with those of the extended protocol.
use super::Session;
use super::shared::Kept;
use super::statement::{PreparedStmt, Told};
use crate::client::Client;
use crate::ddl::def;
use pamir_parse::tree::{Execute, Prepare, TypeName};
use pamir_plan::bind::{self, BindCtx};
use pamir_types::{Datum, Oid, Result, Type, bail, err};
use std::sync::Arc;

impl Session {
    pub(super) fn prepare_statement(&mut self, p: &Prepare, whole: &PreparedStmt) -> Result<()> {
        let name = &p.name;
        if self.state.prepared.contains_key(name) {
            bail!(DUPLICATE_PREPARED_STATEMENT, "prepared statement \"{name}\" already exists");
        }
        let catalog = self.state.catalog.clone();
        let oid = |t: &TypeName| match bind::bind_type(t, &catalog, &self.state.scope) {
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
        self.state.plan_for(&stmt)?;
        let kept = Kept::own(Arc::new(stmt), self.state.statement_time).charged(&self.state.work().memory)?;
        self.state.prepared.insert(name.clone(), kept);
        Ok(())
    }

    /// The statement sends its own tag.
    pub(super) fn execute_statement(&mut self, e: &Execute, text: &str, client: &mut dyn Client) -> Result<()> {
        let (stmt, params) = self.execute_target(e, text)?;
        self.run_statement(&stmt, &params, Told::Result, false, client)
    }

    /// The statement that EXECUTE names, and its arguments' values. `text`: where they stand.
    pub(super) fn execute_target(&mut self, e: &Execute, text: &str) -> Result<(Arc<PreparedStmt>, Vec<Datum>)> {
        let stmt = self.statement(&e.name)?;
        let types: Vec<Type> =
            if stmt.is_query() { self.state.plan_for(&stmt)?.param_types.clone() } else { Vec::new() };
        if e.args.len() != types.len() {
            return Err(err!(SYNTAX_ERROR, "wrong number of parameters for prepared statement \"{}\"", e.name)
                .detail(format!("Expected {} parameters but got {}.", types.len(), e.args.len())));
        }
        let (catalog, scope) = (self.state.catalog.clone(), self.state.scope.clone());
        let mut params = Vec::with_capacity(types.len());
        for (i, (arg, ty)) in e.args.iter().zip(types).enumerate() {
            let bound = {
                let mut cx =
                    BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut self.state, text };
                bind::bind_argument(arg, i + 1, ty, &mut cx)?
            };
            params.push(pamir_expr::expr::eval_const(&bound, &[], &mut self.state)?);
        }
        Ok((stmt, params))
    }

    /// No name: all.
    pub(super) fn deallocate(&mut self, name: Option<&str>) -> Result<()> {
        match name {
            None => self.state.prepared.clear(),
            Some(n) if self.state.prepared.remove(n).is_some() => {}
            Some(n) => bail!(INVALID_SQL_STATEMENT_NAME, "prepared statement \"{n}\" does not exist"),
        }
        Ok(())
    }
}
