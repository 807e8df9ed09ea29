//! Statements that are not planned: what they show, and which of the pages beside this one runs them. Here: CHECKPOINT, and definitions ([`crate::ddl`]) with the
//! transaction's own catalog; CREATE TABLE AS and SELECT INTO, whose query the session runs.
use super::follower::Taken;
use super::state::{Block, State};
use super::statement::{PreparedStmt, Told};
use super::{Session, copy, explain, set};
use crate::client::{Client, Field, NullClient};
use crate::ddl;
use pamir_catalog::{NameScope, Table, acl};
use pamir_exec::{Execution, RunState};
use pamir_expr::deep::on_stack_for;
use pamir_parse::tree::{
    Create, CreateTableAs, Insert, Name, OnCommit, Persistence, Refresh, Relation, Select, Statement,
};
use pamir_types::{Datum, Error, Oid, Result, Type, bail};
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

/// What a query's rows are to be put in.
struct NewTable<'a> {
    name: (&'a Relation, Persistence),
    columns: &'a [Name],
    if_not_exists: bool,
    with_data: bool,
    parameters: Vec<(String, String)>,
    on_commit: OnCommit,
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
                self.prepare_statement(p, whole)?
            }
            Statement::Execute(e) => {
                self.execute_statement(e, &whole.text, client)?;
                return Ok(String::new());
            }
            Statement::Deallocate(name) => {
                self.state.again.once = true;
                self.deallocate(name.as_deref())?
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
                self.lock_tables(l)?;
            }
            Statement::Constraints { names, deferred } => self.set_constraints(names.as_deref(), *deferred)?,
            Statement::Checkpoint => self.checkpoint()?,
            Statement::Discard(what) => {
                self.state.again.once = true;
                self.discard(*what)?
            }
            Statement::Call(c) => {
                let top = self.state.block != Block::Explicit;
                let called =
                    self.state.call_procedure(c, &whole.text, None, (params, &whole.parameter_types()), top)?;
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
                let top = self.state.block != Block::Explicit;
                self.state.do_block(d, top, &whole.text)?
            }
            Statement::Listen(channel) => self.state.listen(channel),
            Statement::Unlisten(channel) => self.state.unlisten(channel.as_deref()),
            Statement::Notify { channel, payload } => self.state.notify(channel, payload.as_deref().unwrap_or(""))?,
            Statement::Select(q) if q.into_clause().is_some() => return self.select_into(q, s.tag(), whole),
            Statement::Create(c) => match &**c {
                Create::TableAs(t) if t.materialized_view => return self.create_materialized(t, s.tag(), whole),
                Create::TableAs(t) => return self.create_table_as(t, s.tag(), whole),
                _ => return self.define(s, &whole.text),
            },
            Statement::Refresh(r) => self.refresh(r, s.tag(), &whole.text)?,
            s if ddl::is_ddl(s) => return self.define(s, &whole.text),
            s => return Err(Error::unsupported(s.tag())),
        }
        Ok(s.tag().into())
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
        if let Some(what) = ddl::forbidden_in_block(s) {
            self.not_in_block(what)?;
        }
        self.state.define(s, text)
    }

    fn create_table_as(&mut self, c: &CreateTableAs, tag: &str, whole: &PreparedStmt) -> Result<String> {
        let query = match &c.source {
            Statement::Select(q) => q,
            _ => return Err(Error::unsupported("CREATE TABLE AS EXECUTE")),
        };
        let (parameters, on_commit) = (ddl::parameters(&c.tail)?, c.tail.on_commit);
        let (if_not_exists, with_data) = (c.if_not_exists, c.with_data);
        let (name, columns) = ((&c.name, c.persistence), &*c.columns);
        let new = NewTable { name, columns, if_not_exists, with_data, parameters, on_commit };
        self.fill(new, (**query).clone(), tag, whole)
    }
    fn select_into(&mut self, q: &Select, tag: &str, whole: &PreparedStmt) -> Result<String> {
        let Some(into) = q.into_clause() else { return Err(Error::internal("SELECT INTO without a table")) };
        let (if_not_exists, with_data, parameters, on_commit) = (false, true, Vec::new(), OnCommit::Nothing);
        let name = (&into.relation, into.persistence);
        let new = NewTable { name, columns: &[], if_not_exists, with_data, parameters, on_commit };
        self.fill(new, q.clone().without_into(), tag, whole)
    }
    /// The query's columns make the table, its rows fill it.
    fn fill(&mut self, t: NewTable, query: Select, tag: &str, whole: &PreparedStmt) -> Result<String> {
        let fires = self.state.catalog.has_event_triggers();
        if fires {
            self.state.fire_events("ddl_command_start", tag)?;
        }
        let done = self.fill_silently(t, query, tag, whole)?;
        if fires {
            self.state.fire_events("ddl_command_end", tag)?;
        }
        Ok(done)
    }
    fn fill_silently(&mut self, t: NewTable, query: Select, tag: &str, whole: &PreparedStmt) -> Result<String> {
        let query = Statement::Select(Box::new(query));
        let planned = self.state.plan_statement(&query, &whole.text, &[])?;
        planned.takes(&[])?;
        let Statement::Select(query) = query else { return Err(Error::internal("a table is made of a query")) };
        let mut names = t.columns.to_vec();
        if names.len() > planned.plan.fields.len() {
            bail!(SYNTAX_ERROR, "too many column names were specified");
        }
        names.extend(planned.plan.fields.iter().skip(names.len()).map(|f| f.name.clone()));
        let columns: Vec<ddl::NewColumn> = names
            .into_iter()
            .zip(&planned.plan.fields)
            .map(|(name, f)| {
                let origin = (f.table != 0).then_some((f.table, f.attnum));
                ddl::NewColumn { name, ty: f.ty, origin }
            })
            .collect();
        let (name, persistence) = t.name;
        let made = self.state.with_ddl(tag, &whole.text, |cx| {
            let tail = (t.parameters, t.on_commit);
            ddl::create_table_as((&name.parts, persistence), t.if_not_exists, &columns, tail, cx)
        })?;
        let Some(made) = made.filter(|_| t.with_data) else { return Ok(tag.into()) };
        let n = self.insert_into(&made, *query, &whole.text, whole.deep)?;
        Ok(format!("SELECT {n}"))
    }
    /// A query's rows into a new table.
    fn insert_into(&mut self, made: &Table, query: Select, text: &str, deep: bool) -> Result<u64> {
        let stmt = self.state.insert_of(made, query, text, deep);
        let planned = self.state.locked_plan(&stmt, None, Told::Nothing, Taken::Whole)?;
        let txn = self.state.begin_if_needed();
        let snapshot = txn.statement();
        let mut execution = Execution::new(planned.plan.clone(), false);
        match self.in_exec(&txn, snapshot, &[], |cx| execution.run(cx, 0, &mut NullClient))? {
            RunState::Done(n) => Ok(n),
            RunState::Suspended => Err(Error::internal("execution stopped early")),
        }
    }

    // ---- materialized views ----

    fn create_materialized(&mut self, c: &CreateTableAs, tag: &str, whole: &PreparedStmt) -> Result<String> {
        let made = self.state.with_ddl(tag, &whole.text, |cx| ddl::begin_materialized(c, cx))?;
        let Some(made) = made else { return Ok(tag.into()) };
        let rows = match &c.source {
            Statement::Select(q) if c.with_data => {
                Some(self.insert_into(&made.table, (**q).clone(), &whole.text, whole.deep)?)
            }
            _ => None,
        };
        self.state.with_ddl(tag, &whole.text, |cx| ddl::finish_materialized(&made, cx))?;
        Ok(rows.map_or(tag.into(), |n| format!("SELECT {n}")))
    }
    fn refresh(&mut self, r: &Refresh, tag: &str, text: &str) -> Result<()> {
        let (made, query, owner) = self.state.with_ddl(tag, text, |cx| ddl::refresh(r, cx))?;
        if r.with_data {
            let before = self.state.become_owner(owner);
            let filled = self.insert_into(&made.table, query, "", false);
            self.state.become_again(before);
            filled?;
        }
        self.state.with_ddl(tag, text, |cx| ddl::finish_materialized(&made, cx))
    }
}
impl State {
    /// The statement that puts a query's rows into a new table.
    pub(super) fn insert_of(&self, made: &Table, mut query: Select, text: &str, deep: bool) -> PreparedStmt {
        let schema = self.catalog.schema(made.schema).map_or(String::new(), |s| s.name.clone());
        let at = pamir_parse::tree::At::NOWHERE;
        let insert = Statement::Insert(Box::new(Insert {
            // At the top, where it may modify data.
            with: query.with.take(),
            // Its own name may be that of another, found before it.
            into: Relation { parts: vec![schema, made.name.clone()], only: false, at },
            alias: None,
            columns: None,
            overriding: None,
            source: Some(query),
            on_conflict: None,
            returning: Vec::new(),
        }));
        PreparedStmt::new(text.to_string(), Some(insert), Vec::new()).with_depth(deep)
    }
    /// Runs as a definition's owner, with names as they are stored; what it was before.
    fn become_owner(&mut self, owner: Oid) -> (String, NameScope) {
        let before = (self.user.clone(), self.scope.clone());
        let name = self.catalog.role(owner).map(|o| o.name.clone());
        self.become_user(name.unwrap_or_default(), owner);
        self.scope = NameScope { user: owner, ..NameScope::stored(self.scope.database) };
        before
    }
    fn become_again(&mut self, (user, scope): (String, NameScope)) {
        self.become_user(user, scope.user);
        self.scope = scope;
    }
    /// REFRESH as a statement of a function.
    pub(super) fn refresh_in_function(&mut self, r: &Refresh, tag: &str, text: &str) -> Result<()> {
        let (made, query, owner) = self.with_ddl(tag, text, |cx| ddl::refresh(r, cx))?;
        if r.with_data {
            let before = self.become_owner(owner);
            let stmt = self.insert_of(&made.table, query, "", false);
            let filled = self.with_names(None, |s| s.run_planned_in_function(&stmt, &[], false, 0));
            self.become_again(before);
            filled?;
        }
        self.with_ddl(tag, text, |cx| ddl::finish_materialized(&made, cx))
    }
}
