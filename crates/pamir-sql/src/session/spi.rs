//! Statements within statements: what [`pamir_expr::spi`] promises to functions.
//!
//! ```text
//!   in_exec: the outer statement's context; its deferred checks are lent to it, its snapshot is noted
//!     function --execute--> statement of this text (shared with clients' ones) -> plan, locks -> an execution of its own, in the same transaction
//!                             read-only: at the outer statement's snapshot       else: a new statement's
//! ```
//! *Invariants*: when the outer statement ends, no subtransaction of its functions is open ([`State::end_nested`]). Constraint checks that a statement of a function puts
//! off come after those of the outer one. A stack that is nearly used up is left for a larger one before a statement runs on it.
use super::follower::Taken;
use super::shared::Origin;
use super::state::State;
use super::statement::{PreparedStmt, Told};
use super::table_as::made_of_query;
use crate::ddl;
use pamir_catalog::Table;
use pamir_exec::rows::Charge;
use pamir_exec::{ExecCtx, Execution, RunState, datum_size};
use pamir_expr::deep::{on_stack_for, too_deep};
use pamir_expr::env::Env;
use pamir_expr::func::CallInfo;
use pamir_expr::names::Names;
use pamir_expr::sink::RowSink;
use pamir_expr::spi::{Answer, Changed, Firing, MAX_DEPTH, Push, Query, Spi};
use pamir_parse::tree::{SetStatement, Setting, Statement};
use pamir_storage::task;
use pamir_txn::MemoryAccount;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// Stack that a statement of a function finds at least.
const NESTED_STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 192 << 10 };
/// The name of functions' subtransactions, which no SAVEPOINT can have.
const UNNAMED: &str = "";

/// Rows as they come.
struct Rows {
    all: Vec<Vec<Datum>>,
    row: Vec<Datum>,
    size: usize,
    charge: Charge,
    memory: Arc<MemoryAccount>,
}
impl RowSink for Rows {
    fn begin_row(&mut self, columns: usize) {
        self.row = Vec::with_capacity(columns);
        self.size = size_of::<Vec<Datum>>();
    }
    fn datum(&mut self, d: &Datum, _: Type) {
        self.size += datum_size(d);
        self.row.push(d.clone());
    }
    fn bytes(&mut self, b: &[u8]) {
        // Only statements that run without operators hand out bytes.
        self.datum(&Datum::Bytea(b.into()), Type::new(pamir_types::oid::BYTEA));
    }
    fn null(&mut self) {
        self.datum(&Datum::Null, Type::TEXT);
    }
    fn end_row(&mut self) -> Result<()> {
        self.charge.add(self.size, &self.memory)?;
        self.all.push(std::mem::take(&mut self.row));
        Ok(())
    }
    fn leaves(&self) -> bool {
        false
    }
}

impl State {
    /// The outermost statement has ended.
    #[inline]
    pub(super) fn end_nested(&mut self) {
        self.end_nested_above(0);
    }
    /// As [`State::end_nested`] for what stands above so many savepoints.
    pub(super) fn end_nested_above(&mut self, depth: usize) {
        self.running = None;
        while self.frames.len() > depth && self.frames.last().is_some_and(|f| f.name == UNNAMED) {
            self.drop_frame(self.frames.len() - 1);
        }
    }

    /// The statement of a text, which must be one; None: it has none.
    fn nested_statement(&mut self, text: &str, types: &[Oid]) -> Result<Option<Arc<PreparedStmt>>> {
        if let Some(stmt) = self.shared(Origin::Parse, text, types) {
            return Ok(Some(stmt));
        }
        let script = pamir_plan::parser::parse(text)?;
        let told = !script.notices.is_empty();
        script.notices.into_iter().for_each(|n| self.notice(n));
        let mut parsed = script.statements;
        if parsed.len() > 1 {
            bail!(SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
        }
        let Some(p) = parsed.pop() else { return Ok(None) };
        let stmt = Arc::new(PreparedStmt::of(p, pamir_types::long::string(text)?, types.to_vec())?);
        if !stmt.deep && !told {
            self.share(Origin::Parse, text, true, &stmt);
        }
        Ok(Some(stmt))
    }
    fn run_nested(&mut self, q: &Query) -> Result<Answer> {
        let types: Vec<Oid> = q.params.iter().map(|p| p.0.oid).collect();
        let Some(stmt) = self.with_names(None, |s| s.nested_statement(q.text, &types))? else {
            return Ok(Answer::default());
        };
        let params: Vec<Datum> = q.params.iter().map(|p| p.1.clone()).collect();
        self.run_in_function(&stmt, None, &params, q.read_only, q.limit)
    }
    /// Runs a statement of a function; `names`: what it may name beside its columns, which are its parameters.
    pub(super) fn run_in_function(
        &mut self,
        stmt: &PreparedStmt,
        names: Option<Arc<Names>>,
        params: &[Datum],
        read_only: bool,
        limit: u64,
    ) -> Result<Answer> {
        self.tell_late();
        if self.nested >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.check_cancel()?;
        self.nested += 1;
        self.nested_so_far += 1;
        let r = self.with_names(names, |s| match stmt.is_query() {
            true => s.run_planned_in_function(stmt, params, read_only, limit),
            false => s.utility_in_function(stmt, params, read_only, limit),
        });
        self.nested -= 1;
        r
    }
    pub(super) fn run_planned_in_function(
        &mut self,
        stmt: &PreparedStmt,
        params: &[Datum],
        read_only: bool,
        limit: u64,
    ) -> Result<Answer> {
        let mut planned = self.locked_plan(stmt, None, Told::Nothing, Taken::Whole)?;
        if read_only && !planned.plan.read_only {
            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed in a non-volatile function", planned.tag.verb());
        }
        planned.takes(params)?;
        if let Some(custom) = self.custom_plan(stmt, &planned, params)? {
            planned = custom;
        }
        let txn = self.begin_if_needed();
        let seen = self.running.clone().filter(|_| read_only);
        let snapshot = seen.unwrap_or_else(|| txn.statement());
        let work = self.work();
        let memory = work.memory.clone();
        let mut rows = Rows { all: Vec::new(), row: Vec::new(), size: 0, charge: Charge::default(), memory };
        let outer = self.running.replace(snapshot.clone());
        let names = self.names.take();
        let mut deferred = self.deferred.lend();
        let mut execution = Execution::new(planned.plan.clone(), false);
        let mut cx = ExecCtx { txn: &txn, snapshot, env: self, params, work: &work, deferred: &mut deferred };
        let ran = execution.run(&mut cx, limit, &mut rows);
        self.deferred.take_back(deferred);
        self.running = outer;
        self.names = names;
        let processed = match ran? {
            RunState::Done(n) => n,
            RunState::Suspended => limit,
        };
        let fields = if planned.has_rows { &planned.plan.fields[..] } else { &[] };
        let columns = fields.iter().map(|f| (f.name.clone(), f.ty)).collect();
        let has_rows = planned.has_rows;
        Ok(Answer { columns, rows: rows.all, processed, has_rows, charged: Some(Box::new(rows.charge)) })
    }
    /// A statement without a plan: definitions, settings.
    fn utility_in_function(
        &mut self,
        stmt: &PreparedStmt,
        params: &[Datum],
        read_only: bool,
        limit: u64,
    ) -> Result<Answer> {
        let Some(s) = &stmt.stmt else { return Ok(Answer::default()) };
        if let Statement::Explain(e) = s {
            return self.explain_in_function(e, stmt, params, read_only);
        }
        if read_only {
            bail!(FEATURE_NOT_SUPPORTED, "{} is not allowed in a non-volatile function", s.tag());
        }
        match s {
            Statement::Set(x) => self.set_in_function(x)?,
            Statement::Prepare(p) => self.prepare_statement(p, stmt)?,
            Statement::Deallocate(name) => self.deallocate(name.as_deref())?,
            Statement::Execute(e) => {
                let (named, values) = self.execute_target(e, &stmt.text)?;
                return self.run_in_function(&named, None, &values, read_only, limit);
            }
            Statement::Call(c) => {
                let names = self.names.clone();
                let called = self.call_procedure(c, &stmt.text, names, (params, &[]), false, &mut |_| Ok(()))?;
                let has_rows = !called.columns.is_empty();
                let rows = if has_rows { vec![called.row] } else { Vec::new() };
                return Ok(Answer { columns: called.columns, rows, has_rows, ..Answer::default() });
            }
            Statement::Do(d) => self.do_block(d, false, "")?,
            Statement::Notify { channel, payload } => self.notify(channel, payload.as_deref().unwrap_or(""))?,
            Statement::Lock(l) => {
                self.await_newest_catalog();
                self.lock_tables(l)?
            }
            Statement::Constraints { names, deferred } => self.set_constraints(names.as_deref(), *deferred)?,
            Statement::Listen(channel) => self.listen(channel),
            Statement::Unlisten(channel) => self.unlisten(channel.as_deref()),
            s if made_of_query(s) => {
                let tag = self.make_of_query(s, stmt, params)?;
                let processed = tag.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
                return Ok(Answer { processed, ..Answer::default() });
            }
            s if ddl::is_ddl(s) => {
                if ddl::forbidden_in_block(s).is_some() {
                    bail!(ACTIVE_SQL_TRANSACTION, "{} cannot be executed from a function", s.tag());
                }
                self.define(s, &stmt.text)?;
            }
            _ => return Err(not_here(stmt)),
        }
        Ok(Answer::default())
    }
    fn set_in_function(&mut self, x: &SetStatement) -> Result<()> {
        match &x.what {
            Setting::Value { name, values } => {
                let value = pamir_plan::parser::setting_text(name, values)?;
                self.set_in(name, Some(&value), x.local, true)
            }
            Setting::Default(name) => self.set_in(name, None, x.local, true),
            Setting::Transaction(modes) => self.transaction_modes(modes),
            _ => Err(Error::unsupported("this form of SET within a function")),
        }
    }
    /// The subtransaction that ends now.
    fn innermost(&self) -> Result<usize> {
        match self.frames.last() {
            Some(f) if f.name == UNNAMED => Ok(self.frames.len() - 1),
            _ => Err(Error::internal("no subtransaction of a function is open")),
        }
    }
}
/// Why a function may not run a statement that has no plan.
fn not_here(stmt: &PreparedStmt) -> Error {
    match &stmt.stmt {
        Some(Statement::Transaction(_)) => err!(INVALID_TRANSACTION_TERMINATION, "invalid transaction termination"),
        Some(s) => Error::unsupported(format!("{} within a function", s.tag())),
        None => Error::internal("a statement without a tree"),
    }
}
impl Spi for State {
    fn execute(&mut self, q: &Query) -> Result<Answer> {
        self.check_cancel()?;
        let used_up = task::stack_left().is_some_and(|n| n < NESTED_STACK);
        on_stack_for(used_up, || self.run_nested(q))
    }
    fn call(&mut self, f: Oid, ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
        self.run_function(f, ci, args, false, None)
    }
    fn call_set(&mut self, f: Oid, ci: &CallInfo, args: &[Datum], push: Push) -> Result<()> {
        self.run_function(f, ci, args, false, Some(push)).map(|_| ())
    }
    fn fire(&mut self, f: &Firing) -> Result<Option<Vec<Datum>>> {
        self.fire_trigger(f)
    }
    fn transition_table(&self, name: &str) -> Option<(Arc<Table>, Arc<Changed>, bool)> {
        self.transition_of(name).map(|(f, new)| (f.table().clone(), f.changed(), new))
    }
    fn savepoint(&mut self) -> Result<()> {
        self.push_frame(UNNAMED);
        Ok(())
    }
    fn release(&mut self) -> Result<()> {
        let i = self.innermost()?;
        self.drop_frame(i);
        Ok(())
    }
    fn rollback_to(&mut self) -> Result<()> {
        let i = self.innermost()?;
        self.back_to_frame(i);
        self.drop_frame(i);
        self.function_cursors_rolled_back(i);
        Ok(())
    }
}
