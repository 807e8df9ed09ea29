//! The interpreter's host: SQL of PL/pgSQL over the session.
//!
//! ```text
//!   expression of variables alone --bind_simple--> Px, evaluated over the frame         anything else --> a plan, as statements of functions run
//! ```
//! Either is kept with its function, under the catalog and the settings that it was made under, and made anew under others or where a record has another shape.
use super::levels::{How, Level, Runs};
use super::{Running, State};
use crate::session::state::Block;
use crate::session::statement::PreparedStmt;
use pamir_expr::env::Env;
use pamir_expr::expr::{ParamCx, Px, compile_simple, eval_to};
use pamir_expr::func::rowtype::{self, Shape};
use pamir_expr::names::Names;
use pamir_expr::spi::{Answer, Push, Spi};
use pamir_parse::tree::{CopyTarget, Direction, Statement};
use pamir_plan::bind::{self, BindCtx};
use pamir_plan::parser::Parsed;
use pamir_plpgsql::run::{self, Call};
use pamir_plpgsql::tree::{FetchHow, Function, Motion, Sql, SqlKind};
use pamir_plpgsql::{Asked, Dynamic, Host, Look, NewCursor, Ready, Rows, VarType, Want};
use pamir_types::error::Severity;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use std::sync::Arc;

/// An expression or a statement, ready to run.
struct Made {
    version: u64,
    context: u64,
    /// Variables whose type may change, as they were when it was made.
    shapes: Vec<(usize, Type)>,
    want: Want,
    /// Functions that are written in SQL are called: they see what was done until now.
    calls: bool,
    what: What,
}
enum What {
    Simple(Px, Type),
    Query { stmt: Arc<PreparedStmt>, names: Arc<Names> },
}

struct PlHost<'s> {
    state: &'s mut State,
    read_only: bool,
    top: bool,
}

impl State {
    pub(super) fn run_plpgsql(&mut self, f: &Arc<Function>, r: Running, push: Option<Push>) -> Result<Datum> {
        let mut types = f.types();
        // A record that is given says its fields' names.
        for (n, t) in std::iter::zip(&f.inputs, &r.arg_types) {
            if f.vars[*n].ty == VarType::Record {
                types[*n] = *t;
            }
        }
        let args = r.args.to_vec();
        let (read_only, top) = (r.def.volatility != b'v', r.top);
        let row = (r.ret.oid == oid::RECORD && r.ret.typmod >= 0 && r.def.outputs().next().is_none()).then_some(r.ret);
        self.in_level(f, read_only, top, Call { args, types, push, row, trigger: None })
    }
}

impl State {
    /// Runs a trigger's function; the record that it gives, or NULL.
    pub(super) fn run_plpgsql_trigger(
        &mut self,
        f: &Arc<Function>,
        r: &Running,
        trigger: run::TriggerCall,
    ) -> Result<Datum> {
        let call = Call { args: Vec::new(), types: f.types(), push: None, row: None, trigger: Some(trigger) };
        self.in_level(f, r.def.volatility != b'v', false, call)
    }
    /// Runs DO's block.
    pub(super) fn run_block(&mut self, f: &Arc<Function>, top: bool) -> Result<()> {
        let call = Call { args: Vec::new(), types: f.types(), push: None, row: None, trigger: None };
        self.in_level(f, false, top, call).map(|_| ())
    }
    /// Runs a body as one level more.
    fn in_level(&mut self, f: &Arc<Function>, read_only: bool, top: bool, call: Call) -> Result<Datum> {
        self.levels.push(Level::Pl { f: f.clone(), here: Default::default(), runs: None });
        let depth = self.levels.len();
        let out = run::call(&mut PlHost { state: self, read_only, top }, f, call);
        self.levels.truncate(depth - 1);
        out
    }
}

/// An error of preparing or running SQL: with its place in it, or told of it.
fn with_statement(e: Error, text: &str, kind: SqlKind) -> Error {
    if e.data().position.is_some() {
        return e.within(text);
    }
    let what = if kind == SqlKind::Expr { "SQL expression" } else { "SQL statement" };
    let before = e.data().context.clone();
    let line = format!("{what} \"{text}\"");
    e.placed_at(None).context(before.map_or_else(|| line.clone(), |c| format!("{c}\n{line}")))
}

/// The same of an expression, which may be what is assigned.
fn of_expression(e: Error, s: &Sql) -> Error {
    // What a declaration or a condition is converted to is PL/pgSQL's, not the expression's.
    if s.before.is_empty() && e.code().as_str().starts_with("22") {
        return e.placed_at(None);
    }
    let whole = format!("{}{}", s.before, s.text);
    if let Some(p) = e.data().position {
        let before = s.before.chars().count() as u32;
        return e.placed_at(Some(p + before)).within(&whole);
    }
    if s.before.is_empty() {
        return with_statement(e, &s.text, SqlKind::Expr);
    }
    let line = format!("PL/pgSQL assignment \"{whole}\"");
    let before = e.data().context.clone();
    e.placed_at(None).context(before.map_or_else(|| line.clone(), |c| format!("{c}\n{line}")))
}

impl PlHost<'_> {
    fn fits(&self, m: &Made, types: &[Type], want: Want) -> bool {
        m.version == self.state.catalog.version
            && m.want == want
            && m.context == self.state.context()
            && m.shapes.iter().all(|(n, t)| types.get(*n) == Some(t))
    }
    /// What is kept of it, or made now.
    fn made(&mut self, f: &Function, a: &mut Asked, want: Want) -> Result<Ready> {
        if let Some(r) = a.ready.as_ref()
            && r.downcast_ref::<Made>().is_some_and(|m| self.fits(m, a.types, want))
        {
            return Ok(r.clone());
        }
        let kept = a.sql.slot.lock().clone();
        if let Some(r) = kept
            && r.downcast_ref::<Made>().is_some_and(|m| self.fits(m, a.types, want))
        {
            *a.ready = Some(r.clone());
            return Ok(r);
        }
        let new: Ready = Arc::new(self.make(f, a, want)?);
        *a.ready = Some(new.clone());
        if !self.state.private {
            *a.sql.slot.lock() = Some(new.clone());
        }
        Ok(new)
    }
    fn make(&mut self, f: &Function, a: &Asked, want: Want) -> Result<Made> {
        let names = Arc::new(f.names(a.sql, a.types));
        let changes = |i: &usize| f.vars.get(*i).is_some_and(|v| v.ty == VarType::Record);
        let shapes = (0..f.vars.len()).filter(changes).map(|i| (i, a.types[i])).collect();
        let (version, context) = (self.state.catalog.version, self.state.context());
        let text = &a.sql.text;
        let mut calls = false;
        let what = match a.sql.kind {
            SqlKind::Statement => {
                let script = pamir_plan::parser::parse(text)?;
                let mut statements = script.statements;
                let Some(p) = statements.pop() else { bail!(SYNTAX_ERROR, "a statement was expected") };
                What::Query { stmt: Arc::new(PreparedStmt::of(p, text.clone(), Vec::new())?), names }
            }
            SqlKind::Expr => {
                let tree = pamir_parse::parse_plpgsql_expr(text, pamir_parse::PLAIN)?;
                let to = match want {
                    Want::As(t) => Some(t),
                    Want::Any => None,
                };
                let simple = self.state.with_names(Some(names.clone()), |s| {
                    let (catalog, scope) = (s.catalog.clone(), s.scope.clone());
                    let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: s, text };
                    bind::bind_simple(&tree, to, &mut cx)
                })?;
                for f in simple.iter().flat_map(|s| &s.1) {
                    if let Some(def) = self.state.catalog.function(*f).cloned() {
                        self.state.may_execute(&def)?;
                    }
                }
                calls = simple.as_ref().is_some_and(|s| !s.1.is_empty());
                match simple.map(|s| s.0) {
                    // A row is as it is: who assigns it fits it.
                    Some(e) if to.is_some_and(|t| is_row(t, e.ty())) => What::Simple(compile_simple(&e)?, e.ty()),
                    Some(e) => What::Simple(compile_simple(&e)?, to.unwrap_or(e.ty())),
                    None => {
                        let p = Parsed {
                            text: text.clone(),
                            offset: 0,
                            stmt: Statement::Select(Box::new(tree)),
                            deep: false,
                        };
                        What::Query { stmt: Arc::new(PreparedStmt::of(p, text.clone(), Vec::new())?), names }
                    }
                }
            }
        };
        Ok(Made { version, context, shapes, want, calls, what })
    }
    /// The value of an expression without a plan. In a volatile function what it calls sees what was done before.
    fn simple(&mut self, calls: bool, px: &Px, vars: &[Datum], out: &mut Datum) -> Result<()> {
        if !calls || self.read_only {
            return eval_to(px, &mut ParamCx { params: vars, env: self.state }, out);
        }
        let seen = self.state.begin_if_needed().statement();
        let outer = self.state.running.replace(seen);
        let r = eval_to(px, &mut ParamCx { params: vars, env: self.state }, out);
        self.state.running = outer;
        r
    }
    /// Statements that the language has not, whether they stand in it or are made by EXECUTE.
    fn check(&self, stmt: &PreparedStmt, dynamic: bool) -> Result<()> {
        match &stmt.stmt {
            Some(Statement::Copy(c)) if matches!(c.target, CopyTarget::Client) => {
                bail!(FEATURE_NOT_SUPPORTED, "cannot COPY to/from client in PL/pgSQL")
            }
            Some(Statement::Transaction(_)) if dynamic => {
                bail!(FEATURE_NOT_SUPPORTED, "EXECUTE of transaction commands is not implemented")
            }
            Some(Statement::Transaction(_)) => {
                bail!(FEATURE_NOT_SUPPORTED, "unsupported transaction command in PL/pgSQL")
            }
            Some(Statement::Select(q)) if dynamic && has_into(q) => {
                Err(err!(FEATURE_NOT_SUPPORTED, "EXECUTE of SELECT ... INTO is not implemented")
                    .hint("You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead."))
            }
            _ => Ok(()),
        }
    }
    /// The value of an expression that is to be made ready, or that has a plan.
    fn eval_anew(&mut self, f: &Function, a: &mut Asked, want: Want) -> Result<(Datum, Type)> {
        let made = self.made(f, a, want).map_err(|e| of_expression(e, a.sql))?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("an expression was expected")) };
        match &m.what {
            What::Simple(px, ty) => {
                let mut d = Datum::Null;
                self.simple(m.calls, px, a.vars, &mut d)?;
                Ok((d, *ty))
            }
            What::Query { stmt, names } => {
                let text = &a.sql.text;
                let how = match a.sql.before.is_empty() {
                    true => How::Expression,
                    false => How::Assignment(a.sql.before.clone()),
                };
                let ran = self.run(stmt, Some(names.clone()), a.vars, 2, how);
                let answer = ran.map_err(|e| of_expression(e, a.sql))?;
                if answer.columns.len() != 1 {
                    let n = answer.columns.len();
                    let e = err!(
                        SYNTAX_ERROR,
                        "{} {n} columns",
                        if a.sql.before.is_empty() { "query returned" } else { "assignment source returned" }
                    );
                    return Err(of_expression(e, a.sql));
                }
                if answer.rows.len() > 1 {
                    let e = err!(CARDINALITY_VIOLATION, "query returned more than one row");
                    return Err(e.context(format!("query: {text}")));
                }
                let ty = answer.columns[0].1;
                let d = answer.rows.into_iter().next().and_then(|r| r.into_iter().next()).unwrap_or(Datum::Null);
                match want {
                    Want::As(to) if is_row(to, ty) => Ok((d, ty)),
                    Want::As(to) => Ok((self.state.converted(d, ty, to)?, to)),
                    Want::Any => Ok((d, ty)),
                }
            }
        }
    }
    fn run(
        &mut self,
        stmt: &Arc<PreparedStmt>,
        names: Option<Arc<Names>>,
        params: &[Datum],
        limit: u64,
        how: How,
    ) -> Result<Answer> {
        self.state.runs(Some(Runs { stmt: stmt.clone(), how }));
        let ran = self.state.run_in_function(stmt, names, params, self.read_only, limit);
        self.state.runs(None);
        ran
    }
}
/// Is a row asked for, and is it one?
fn is_row(to: Type, have: Type) -> bool {
    oid::is_composite(to.oid) && (have.oid == oid::RECORD || oid::is_composite(have.oid))
}
fn has_into(q: &pamir_parse::tree::Select) -> bool {
    matches!(&q.body, pamir_parse::tree::SelectBody::Select(core) if core.into.is_some())
}
fn rows(a: Answer) -> Rows {
    Rows { columns: a.columns, rows: a.rows, processed: a.processed, has_rows: a.has_rows, charged: a.charged }
}

impl Host for PlHost<'_> {
    fn eval(&mut self, f: &Function, mut a: Asked, want: Want, out: &mut Datum) -> Result<Type> {
        self.state.at(a.here);
        // What was ready in this call stays where it is: no reference is counted for it.
        if let Some(r) = a.ready.as_ref()
            && let Some(m) = r.downcast_ref::<Made>()
            && let What::Simple(px, ty) = &m.what
            && self.fits(m, a.types, want)
        {
            self.simple(m.calls, px, a.vars, out)?;
            return Ok(*ty);
        }
        let (d, ty) = self.eval_anew(f, &mut a, want)?;
        *out = d;
        Ok(ty)
    }
    fn query(&mut self, f: &Function, mut a: Asked, limit: u64) -> Result<Rows> {
        self.state.at(a.here);
        let (text, kind) = (&a.sql.text, a.sql.kind);
        let shown = if kind == SqlKind::Expr { format!("SELECT {text}") } else { text.clone() };
        let cursor = a.cursor;
        let failed = |e: Error| {
            if cursor && e.data().position.is_none() {
                return e;
            }
            let at = e.data().position.map(|p| p + (shown.chars().count() - text.chars().count()) as u32);
            let e = if at.is_some() { e.placed_at(at) } else { e };
            with_statement(e, &shown, SqlKind::Statement)
        };
        let made = self.made(f, &mut a, Want::Any).map_err(failed)?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("a statement was expected")) };
        match &m.what {
            What::Simple(px, ty) => {
                let mut d = Datum::Null;
                self.simple(m.calls, px, a.vars, &mut d).map_err(failed)?;
                let columns = vec![("".to_string(), *ty)];
                Ok(Rows { columns, rows: vec![vec![d]], processed: 1, has_rows: true, ..Rows::default() })
            }
            What::Query { stmt, names } => {
                self.check(stmt, false)?;
                let how = if kind == SqlKind::Expr { How::Select } else { How::Statement };
                let how = if cursor { How::Untold } else { how };
                let ran = self.run(stmt, Some(names.clone()), a.vars, limit, how);
                ran.map(rows).map_err(failed)
            }
        }
    }
    fn dynamic(&mut self, d: Dynamic, limit: u64) -> Result<Rows> {
        self.state.at(d.here);
        let types = d.params.iter().map(|p| p.0.oid).collect();
        let script = pamir_plan::parser::parse(d.text).map_err(|e| with_statement(e, d.text, SqlKind::Statement))?;
        let mut last = Rows::default();
        let params: Vec<Datum> = d.params.iter().map(|p| p.1.clone()).collect();
        let declared: Vec<u32> = types;
        for p in script.statements {
            let text = p.text.clone();
            let stmt = Arc::new(PreparedStmt::of(p, text, declared.clone())?);
            self.check(&stmt, true)?;
            let how = if d.cursor { How::Untold } else { How::Statement };
            let ran = self.run(&stmt, None, &params, limit, how);
            last = ran.map(rows).map_err(|e| match d.cursor && e.data().position.is_none() {
                true => e,
                false => with_statement(e, d.text, SqlKind::Statement),
            })?;
        }
        Ok(last)
    }
    fn open(&mut self, f: &Function, mut a: Asked, new: NewCursor) -> Result<String> {
        let text = a.sql.text.clone();
        self.state.at(a.here);
        // What is wrong with it is told by running it as it is.
        if let Ok(made) = self.made(f, &mut a, Want::Any)
            && let Some(What::Query { stmt, names }) = made.downcast_ref::<Made>().map(|m| &m.what)
            && let Some((stmt, row)) = self.state.with_places(stmt, Some(names.clone()))
        {
            let ran = self.run(&stmt, Some(names.clone()), a.vars, 0, How::Untold)?;
            return self.state.open_function_cursor(rows(ran), new, &text, Some(row));
        }
        let rows = self.query(f, a, 0)?;
        self.state.open_function_cursor(rows, new, &text, None)
    }
    fn open_dynamic(&mut self, d: Dynamic, new: NewCursor) -> Result<String> {
        let text = d.text.to_string();
        self.state.at(d.here);
        let script = pamir_plan::parser::parse(d.text).map(|s| s.statements);
        if let Ok([p]) = script.map(<[_; 1]>::try_from).unwrap_or_else(|_| Err(Vec::new())) {
            let declared = d.params.iter().map(|p| p.0.oid).collect();
            let stmt = Arc::new(PreparedStmt::of(p, text.clone(), declared)?);
            if let Some((stmt, row)) = self.state.with_places(&stmt, None) {
                let params: Vec<Datum> = d.params.iter().map(|p| p.1.clone()).collect();
                let ran = self.run(&stmt, None, &params, 0, How::Untold)?;
                return self.state.open_function_cursor(rows(ran), new, &text, Some(row));
            }
        }
        let rows = self.dynamic(d, 0)?;
        self.state.open_function_cursor(rows, new, &text, None)
    }
    fn fetch(&mut self, cursor: &str, how: FetchHow, count: i64) -> Result<Rows> {
        let (motion, moves) = match how {
            FetchHow::Move(m) => (m, true),
            FetchHow::Forward => (Motion::Forward, false),
            FetchHow::Backward => (Motion::Backward, false),
            FetchHow::Absolute => (Motion::Absolute, false),
            FetchHow::Relative => (Motion::Relative, false),
            FetchHow::All => (Motion::All, false),
            FetchHow::BackwardAll => (Motion::BackwardAll, false),
            FetchHow::First => (Motion::First, false),
            FetchHow::Last => (Motion::Last, false),
        };
        let direction = match motion {
            Motion::Forward => Direction::Forward(count),
            Motion::Backward => Direction::Backward(count),
            Motion::Relative => Direction::Relative(count),
            Motion::Absolute => Direction::Absolute(count),
            Motion::First => Direction::Absolute(1),
            Motion::Last => Direction::Absolute(-1),
            Motion::All => Direction::Forward(Direction::ALL),
            Motion::BackwardAll => Direction::Backward(Direction::ALL),
        };
        let Some(fetched) = self.state.fetch_of_function(cursor, direction, moves) else {
            return Err(self.state.no_cursor(cursor));
        };
        let f = fetched?;
        Ok(Rows { columns: f.columns, rows: f.rows, processed: f.processed, has_rows: true, ..Rows::default() })
    }
    fn close(&mut self, cursor: &str) -> Result<()> {
        match self.state.close_function_cursor(Some(cursor)) {
            true => Ok(()),
            false => Err(self.state.no_cursor(cursor)),
        }
    }
    fn cast(&mut self, value: Datum, from: Type, to: Type) -> Result<Datum> {
        self.state.converted(value, from, to)
    }
    fn shape(&self, ty: Type) -> Option<Shape> {
        match oid::is_user(ty.oid) {
            true => rowtype::fields_in(self.state.catalog.base_type(ty), &self.state.catalog),
            false => rowtype::fields(ty),
        }
    }
    fn base(&self, ty: Type) -> Type {
        if oid::is_user(ty.oid) { self.state.catalog.base_type(ty) } else { ty }
    }
    fn text_of(&mut self, value: &Datum, ty: Type) -> Result<String> {
        match value {
            Datum::Text(s) => Ok(s.to_string()),
            d => Ok(pamir_types::text::to_string(d, ty, &self.state.naming_ctx())),
        }
    }
    fn savepoint(&mut self) -> Result<()> {
        Spi::savepoint(self.state)
    }
    fn release(&mut self) -> Result<()> {
        Spi::release(self.state)
    }
    fn rollback_to(&mut self) -> Result<()> {
        Spi::rollback_to(self.state)
    }
    fn end_transaction(&mut self, commit: bool, chain: bool) -> Result<()> {
        if !self.top || self.state.block == Block::Explicit || self.state.in_subtransaction() {
            let e = match self.state.in_subtransaction() && self.top {
                true if commit => {
                    err!(INVALID_TRANSACTION_TERMINATION, "cannot commit while a subtransaction is active")
                }
                true => err!(INVALID_TRANSACTION_TERMINATION, "cannot roll back while a subtransaction is active"),
                false => err!(INVALID_TRANSACTION_TERMINATION, "invalid transaction termination"),
            };
            return Err(e);
        }
        let modes = (self.state.settings.get("transaction_isolation"), self.state.read_only);
        let deferrable = self.state.settings.get_bool("transaction_deferrable");
        self.state.close_function_cursor(None);
        if commit {
            self.state.commit()?;
        } else {
            self.state.rollback();
        }
        self.state.begin_implicit();
        // It begins now, not with the statement that called (StartTransaction).
        self.state.txn_time = self.state.db.now();
        self.state.settings.text.now = self.state.txn_time;
        if chain {
            self.state.set_isolation(&modes.0.unwrap_or_default());
            self.state.set_read_only(modes.1);
            self.state.settings.mirror("transaction_deferrable", if deferrable { "on" } else { "off" });
        }
        Ok(())
    }
    fn call(&mut self, f: &Function, mut a: Asked, look: &mut Look) -> Result<Rows> {
        self.state.at(a.here);
        let made = self.made(f, &mut a, Want::Any)?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("a statement was expected")) };
        let What::Query { stmt, names } = &m.what else { return Err(Error::internal("CALL was expected")) };
        match &stmt.stmt {
            Some(Statement::Call(c)) => {
                self.state.runs(Some(Runs { stmt: stmt.clone(), how: How::Statement }));
                let called =
                    self.state.call_procedure(c, &stmt.text, Some(names.clone()), (a.vars, &[]), self.top, look);
                self.state.runs(None);
                let called = called.map_err(|e| e.within(&stmt.text))?;
                Ok(Rows {
                    columns: called.columns,
                    rows: vec![called.row],
                    has_rows: true,
                    processed: 0,
                    charged: None,
                })
            }
            Some(Statement::Do(d)) => {
                self.state.do_block(d, self.top, "")?;
                Ok(Rows::default())
            }
            _ => Err(Error::internal("CALL was expected")),
        }
    }
    fn say(&mut self, e: Error) {
        if self.state.hears(e.data().severity) {
            let own = e.data().context.clone();
            let lines: Vec<String> = own.into_iter().chain(self.callers()).collect();
            self.state.notice(e.context(lines.join("\n")));
        }
    }
    fn callers(&self) -> Vec<String> {
        self.state.context_lines(1)
    }
    fn asserts(&self) -> bool {
        self.state.settings.get("plpgsql.check_asserts").is_none_or(|v| v != "off")
    }
    fn extra(&self, check: &str) -> Option<Severity> {
        crate::compile::extra(check, &|n| self.state.settings.get(n))
    }
    fn check_cancel(&mut self) -> Result<()> {
        Env::check_cancel(self.state)
    }
}

impl State {
    /// Is a subtransaction of a function open?
    fn in_subtransaction(&self) -> bool {
        !self.frames.is_empty()
    }
}
