//! Tables made of queries: CREATE TABLE AS, SELECT INTO, materialized views and their REFRESH, by a client's statement or a function's.
//!
//! ```text
//!   query --plan--> its columns --ddl--> the table --INSERT of the query, planned again--> its rows
//! ```
//! *Invariant*: the table and its rows are one statement: an error in either leaves neither. What variables of a function the query names are the INSERT's too.
use super::state::State;
use super::statement::PreparedStmt;
use crate::ddl;
use pamir_catalog::{NameScope, Table};
use pamir_parse::tree::{
    Create, CreateTableAs, Insert, Name, OnCommit, Persistence, Refresh, Relation, Select, Statement,
};
use pamir_types::{Datum, Error, Oid, Result, bail};

/// Is it one of this page's?
pub(super) fn made_of_query(s: &Statement) -> bool {
    match s {
        Statement::Select(q) => q.into_clause().is_some(),
        Statement::Create(c) => matches!(**c, Create::TableAs(_)),
        s => matches!(s, Statement::Refresh(_)),
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

/// The statement that is run: its command, its text with the types of its parameters, and their values.
#[derive(Clone, Copy)]
struct Run<'a> {
    tag: &'a str,
    whole: &'a PreparedStmt,
    params: &'a [Datum],
}

impl State {
    /// Runs a statement that is [`made_of_query`]; its tag.
    pub(super) fn make_of_query(&mut self, s: &Statement, whole: &PreparedStmt, params: &[Datum]) -> Result<String> {
        let fires = self.catalog.has_event_triggers();
        if fires {
            self.fire_events("ddl_command_start", s.tag())?;
        }
        let done = self.made(s, Run { tag: s.tag(), whole, params })?;
        if fires {
            self.fire_events("ddl_command_end", s.tag())?;
        }
        Ok(done)
    }
    fn made(&mut self, s: &Statement, run: Run) -> Result<String> {
        match s {
            Statement::Select(q) => self.select_into(q, run),
            Statement::Refresh(r) => self.refresh(r, run).map(|()| run.tag.into()),
            Statement::Create(c) if let Create::TableAs(t) = &**c => match t.materialized_view {
                true => self.create_materialized(t, run),
                false => self.create_table_as(t, run),
            },
            _ => Err(Error::internal("a table is made of a query")),
        }
    }
    fn create_table_as(&mut self, c: &CreateTableAs, run: Run) -> Result<String> {
        let query = match &c.source {
            Statement::Select(q) => q,
            _ => return Err(Error::unsupported("CREATE TABLE AS EXECUTE")),
        };
        let (parameters, on_commit) = (ddl::parameters(&c.tail)?, c.tail.on_commit);
        let (if_not_exists, with_data) = (c.if_not_exists, c.with_data);
        let (name, columns) = ((&c.name, c.persistence), &*c.columns);
        let new = NewTable { name, columns, if_not_exists, with_data, parameters, on_commit };
        self.fill(new, (**query).clone(), run)
    }
    fn select_into(&mut self, q: &Select, run: Run) -> Result<String> {
        let Some(into) = q.into_clause() else { return Err(Error::internal("SELECT INTO without a table")) };
        let (if_not_exists, with_data, parameters, on_commit) = (false, true, Vec::new(), OnCommit::Nothing);
        let name = (&into.relation, into.persistence);
        let new = NewTable { name, columns: &[], if_not_exists, with_data, parameters, on_commit };
        self.fill(new, q.clone().without_into(), run)
    }
    /// The query's columns make the table, its rows fill it.
    fn fill(&mut self, t: NewTable, query: Select, run: Run) -> Result<String> {
        let query = Statement::Select(Box::new(query));
        let planned = self.plan_statement(&query, &run.whole.text, &run.whole.declared)?;
        planned.takes(run.params)?;
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
        let made = self.with_ddl(run.tag, &run.whole.text, |cx| {
            let tail = (t.parameters, t.on_commit);
            ddl::create_table_as((&name.parts, persistence), t.if_not_exists, &columns, tail, cx)
        })?;
        let Some(made) = made.filter(|_| t.with_data) else { return Ok(run.tag.into()) };
        let n = self.insert_into(&made, *query, run)?;
        Ok(format!("SELECT {n}"))
    }
    /// A query's rows into a new table.
    fn insert_into(&mut self, made: &Table, query: Select, run: Run) -> Result<u64> {
        let stmt = self.insert_of(made, query, run.whole);
        Ok(self.run_planned_in_function(&stmt, run.params, false, 0)?.processed)
    }

    // ---- materialized views ----

    fn create_materialized(&mut self, c: &CreateTableAs, run: Run) -> Result<String> {
        let made = self.with_ddl(run.tag, &run.whole.text, |cx| ddl::begin_materialized(c, cx))?;
        let Some(made) = made else { return Ok(run.tag.into()) };
        let rows = match &c.source {
            Statement::Select(q) if c.with_data => Some(self.insert_into(&made.table, (**q).clone(), run)?),
            _ => None,
        };
        self.with_ddl(run.tag, &run.whole.text, |cx| ddl::finish_materialized(&made, cx))?;
        Ok(rows.map_or(run.tag.into(), |n| format!("SELECT {n}")))
    }
    fn refresh(&mut self, r: &Refresh, run: Run) -> Result<()> {
        let (made, query, owner) = self.with_ddl(run.tag, &run.whole.text, |cx| ddl::refresh(r, cx))?;
        if r.with_data {
            let before = self.become_owner(owner);
            // The view's own query: of the statement's text and parameters nothing is in it.
            let own = PreparedStmt::new(String::new(), None, Vec::new());
            let of_view = Run { tag: run.tag, whole: &own, params: &[] };
            let filled = self.with_names(None, |s| s.insert_into(&made.table, query, of_view));
            self.become_again(before);
            filled?;
        }
        self.with_ddl(run.tag, &run.whole.text, |cx| ddl::finish_materialized(&made, cx))
    }
    /// The statement that puts a query's rows into a new table.
    fn insert_of(&self, made: &Table, mut query: Select, whole: &PreparedStmt) -> PreparedStmt {
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
        PreparedStmt::new(whole.text.clone(), Some(insert), whole.declared.clone()).with_depth(whole.deep)
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
}
