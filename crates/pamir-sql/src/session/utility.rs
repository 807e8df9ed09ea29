//! Statements that are not planned: what they show, and which of the pages beside this one runs them. Here: CHECKPOINT, and definitions ([`crate::ddl`]) with the
//! transaction's own catalog.
use super::statement::PreparedStmt;
use super::table_as::made_of_query;
use super::{Session, copy, explain, set};
use crate::client::{Client, Field};
use crate::ddl;
use pamir_catalog::acl;
use pamir_expr::deep::on_stack_for;
use pamir_parse::tree::{Create, Name, Statement};
use pamir_types::{Datum, Error, Result, Type, bail, err};
use std::sync::Arc;

pub(super) fn text_field(name: &str) -> Field {
    Field { name: name.to_string(), table: 0, attnum: 0, ty: Type::TEXT }
}
/// Sends one row of text columns.
pub(super) fn text_row(client: &mut dyn Client, cols: &[&str]) -> Result<()> {
    client.begin_row(cols.len());
    for c in cols {
        client.bytes(c.as_bytes());
    }
    client.end_row()
}

/// A relation's name as (schema, name).
pub(super) fn schema_and_name(parts: &[Name]) -> (Option<&str>, &str) {
    match parts {
        [.., schema, name] => (Some(schema), name),
        [name] => (None, name),
        [] => (None, ""),
    }
}

impl Session {
    /// The result columns of a statement without a plan.
    pub fn utility_fields(&mut self, stmt: &PreparedStmt) -> Result<Option<Vec<Field>>> {
        Ok(match &stmt.stmt {
            Some(Statement::Show(name)) => Some(set::show_fields(name)),
            Some(Statement::Call(c)) => {
                let types = stmt.parameter_types();
                let (_, fields) = on_stack_for(stmt.deep, || self.state.describe_call(c, &stmt.text, &types))?;
                (!fields.is_empty()).then_some(fields)
            }
            Some(Statement::Explain(e)) => Some(vec![explain::plan_field(e)]),
            Some(Statement::Fetch(f)) if !f.is_move => {
                let own = self.portals.get(&f.cursor).and_then(|p| p.fields().map(<[Field]>::to_vec));
                own.or_else(|| self.state.function_cursor_fields(&f.cursor))
            }
            Some(Statement::Execute(e)) => {
                let target = self.statement(&e.name)?;
                self.describe(&target)?.1
            }
            _ => None,
        })
    }

    /// Runs a statement that is not planned and sends its tag. `last` as in run_statement.
    pub fn run_utility(
        &mut self,
        stmt: &Arc<PreparedStmt>,
        params: &[Datum],
        client: &mut dyn Client,
        last: bool,
    ) -> Result<()> {
        let Some(s) = &stmt.stmt else { return Ok(()) };
        let tag = self.utility(s, stmt, params, client)?;
        self.end_statement(last)?;
        self.state.flush_notices(client);
        // EXECUTE's target sent its own tag, and counts for itself.
        if !tag.is_empty() {
            client.command_complete(&tag);
            let rows = tag.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
            self.finished_utility(stmt, &stmt.text, rows);
        }
        Ok(())
    }
    /// The tag. Rows made here are sent at once: in the extended protocol the portal described their fields, in the simple one they are announced.
    fn utility(
        &mut self,
        s: &Statement,
        whole: &PreparedStmt,
        params: &[Datum],
        client: &mut dyn Client,
    ) -> Result<String> {
        match s {
            Statement::Transaction(t) => return Ok(self.transaction(t)?.into()),
            Statement::Set(x) => self.set_statement(x)?,
            Statement::Show(name) => self.show(name, client)?,
            Statement::Explain(e) => self.explain(e, params, client, whole)?,
            Statement::Prepare(p) => {
                self.state.again.once = true;
                self.state.prepare_statement(p, whole)?
            }
            Statement::Execute(e) => {
                self.execute_statement(e, &whole.text, client)?;
                return Ok(String::new());
            }
            Statement::Deallocate(name) => {
                self.state.again.once = true;
                self.state.deallocate(name.as_deref())?
            }
            Statement::Declare(d) => {
                self.state.again.once = true;
                self.declare_cursor(d, whole, params)?
            }
            Statement::Fetch(f) => {
                self.state.again.once = true;
                return self.fetch(f, client);
            }
            Statement::Close(name) => {
                self.state.again.once = true;
                self.close_cursor(name.as_deref())?
            }
            Statement::Copy(c) => {
                // It sends what is buffered, from the statements before it as well.
                self.state.settle()?;
                self.state.await_newest_catalog();
                return copy::run(self, c, whole, client);
            }
            Statement::Lock(l) => {
                self.state.await_newest_catalog();
                self.state.require_more("LOCK TABLE")?;
                self.state.lock_tables(l)?;
            }
            Statement::Constraints { names, deferred } => {
                if !self.state.in_block() {
                    let e = "SET CONSTRAINTS can only be used in transaction blocks";
                    self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "{e}"));
                }
                self.state.set_constraints(names.as_deref(), *deferred)?
            }
            Statement::Checkpoint => self.checkpoint()?,
            Statement::Discard(what) => {
                self.state.again.once = true;
                self.discard(*what)?
            }
            Statement::Call(c) => {
                let top = !self.state.in_block();
                let called = self.state.call_procedure(
                    c,
                    &whole.text,
                    None,
                    (params, &whole.parameter_types()),
                    top,
                    &mut |_| Ok(()),
                )?;
                if !called.columns.is_empty() {
                    self.state.flush_notices(client);
                    let fields: Vec<Field> = called.fields();
                    self.begin_rows(&fields, client);
                    client.begin_row(called.row.len());
                    for (d, f) in std::iter::zip(&called.row, &fields) {
                        client.datum(d, f.ty);
                    }
                    client.end_row()?;
                }
            }
            Statement::Do(d) => {
                let top = !self.state.in_block();
                self.state.do_block(d, top, &whole.text)?
            }
            Statement::Listen(channel) => self.state.listen(channel),
            Statement::Unlisten(channel) => self.state.unlisten(channel.as_deref()),
            Statement::Notify { channel, payload } => self.state.notify(channel, payload.as_deref().unwrap_or(""))?,
            s if made_of_query(s) => {
                let made = match self.of_prepared(s, whole)? {
                    Some((s, whole, params)) => self.state.make_of_query(&s, &whole, &params),
                    None => self.state.make_of_query(s, whole, params),
                };
                self.state.end_nested();
                return made;
            }
            s if ddl::is_ddl(s) => return self.define(s, &whole.text),
            s => return Err(Error::unsupported(s.tag())),
        }
        Ok(s.tag().into())
    }

    /// CREATE TABLE AS EXECUTE as the same of the prepared query, whose parameters are the arguments.
    fn of_prepared(
        &mut self,
        s: &Statement,
        whole: &PreparedStmt,
    ) -> Result<Option<(Statement, PreparedStmt, Vec<Datum>)>> {
        let Statement::Create(c) = s else { return Ok(None) };
        let Create::TableAs(t) = &**c else { return Ok(None) };
        let Statement::Execute(e) = &t.source else { return Ok(None) };
        let (stmt, params) = self.state.execute_target(e, &whole.text)?;
        let Some(source @ Statement::Select(_)) = &stmt.stmt else {
            bail!(WRONG_OBJECT_TYPE, "prepared statement is not a SELECT");
        };
        let types = self.state.plan_for(&stmt)?.param_types.iter().map(|t| t.oid).collect();
        let mut c = c.clone();
        if let Create::TableAs(t) = &mut *c {
            t.source = source.clone();
        }
        let whole = PreparedStmt::new(stmt.text.clone(), None, types).with_depth(stmt.deep);
        Ok(Some((Statement::Create(c), whole, params)))
    }

    /// Announces rows made here: RowDescription in the simple protocol, formats in the extended one.
    pub(super) fn begin_rows(&mut self, fields: &[Field], client: &mut dyn Client) {
        let types: Vec<Type> = fields.iter().map(|f| f.ty).collect();
        let formats = vec![0; fields.len()];
        // In the extended protocol Bind chose the formats, and they are set.
        if !self.extended {
            client.row_description(fields, &formats);
            self.set_formats(client, &formats, &types);
        }
    }

    fn checkpoint(&mut self) -> Result<()> {
        if !self.state.who().has_role(acl::predefined::CHECKPOINT) {
            bail!(INSUFFICIENT_PRIVILEGE, "must be superuser or have privileges of pg_checkpoint to do CHECKPOINT");
        }
        self.state.db.engine.checkpoint()
    }

    // ---- definitions ----

    fn define(&mut self, s: &Statement, text: &str) -> Result<String> {
        // What statements before it in a pipeline have written is not to be committed by one that ends transactions.
        let written = self.state.txn.as_ref().is_some_and(|t| t.lock().has_writes());
        if let Some(what) = ddl::forbidden_in_block(s) {
            self.not_in_block(what)?;
            if written {
                bail!(ACTIVE_SQL_TRANSACTION, "{what} cannot be executed within a pipeline");
            }
        }
        if let Statement::Vacuum(v) = s
            && !self.state.in_block()
            && !written
        {
            return self.state.visit_each(v, s.tag(), text);
        }
        self.state.define(s, text)
    }
}
