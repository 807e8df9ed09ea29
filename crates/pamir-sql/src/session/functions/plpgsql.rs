//! The interpreter's host: SQL of PL/pgSQL over the session.
//!
//! ```text
//!   expression of variables alone --bind_simple--> Px, evaluated over the frame         anything else --> a plan, as statements of functions run
//! ```
//! Either is kept with its function, under the catalog and the settings that it was made under, and made anew under others or where a record has another shape.
use super::{Running, State};
use crate::session::state::Block;
use crate::session::statement::PreparedStmt;
use pamir_expr::env::Env;
use pamir_expr::expr::{ParamCx, Px, compile_simple, eval};
use pamir_expr::names::Names;
use pamir_expr::spi::{Answer, Push, Spi};
use pamir_parse::tree::Statement;
use pamir_plan::bind::{self, BindCtx};
use pamir_plan::parser::Parsed;
use pamir_plpgsql::run::{self, Call};
use pamir_plpgsql::tree::{FetchHow, Function, Motion, Sql, SqlKind};
use pamir_plpgsql::{Asked, Dynamic, Host, Ready, Rows, VarType, Want};
use pamir_types::{Datum, Error, Result, Type, bail, err};
use std::sync::Arc;

/// An expression or a statement, ready to run.
struct Made {
    version: u64,
    context: u64,
    /// Variables whose type may change, as they were when it was made.
    shapes: Vec<(usize, Type)>,
    want: Want,
    what: What,
}
enum What {
    Simple(Px, Type),
    Query { stmt: Arc<PreparedStmt>, names: Arc<Names> },
}

/// Rows of an open cursor.
pub(in crate::session) struct Cursor {
    answer: Answer,
    /// Rows before the place.
    at: usize,
}

struct PlHost<'s> {
    state: &'s mut State,
    read_only: bool,
    top: bool,
}

impl State {
    pub(super) fn run_plpgsql(&mut self, f: &Arc<Function>, r: Running, push: Option<Push>) -> Result<Datum> {
        let types = f.types();
        let mut host = PlHost { state: self, read_only: r.def.volatility != b'v', top: r.top };
        run::call(&mut host, f, Call { args: r.args.to_vec(), types, push, trigger: None })
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
        let mut host = PlHost { state: self, read_only: r.def.volatility != b'v', top: false };
        run::call(&mut host, f, Call { args: Vec::new(), types: f.types(), push: None, trigger: Some(trigger) })
    }
    /// Runs DO's block.
    pub(super) fn run_block(&mut self, f: &Arc<Function>, top: bool) -> Result<()> {
        let mut host = PlHost { state: self, read_only: false, top };
        run::call(&mut host, f, Call { args: Vec::new(), types: f.types(), push: None, trigger: None }).map(|_| ())
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
                match simple {
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
        Ok(Made { version, context, shapes, want, what })
    }
    fn run(&mut self, stmt: &PreparedStmt, names: Option<Arc<Names>>, params: &[Datum], limit: u64) -> Result<Answer> {
        self.state.run_in_function(stmt, names, params, self.read_only, limit)
    }
}
fn rows(a: Answer) -> Rows {
    Rows {
        columns: a.columns,
        rows: a.rows,
        processed: a.processed,
        has_rows: a.has_rows,
        positions: Vec::new(),
        charged: a.charged,
    }
}

impl Host for PlHost<'_> {
    fn eval(&mut self, f: &Function, mut a: Asked, want: Want) -> Result<(Datum, Type)> {
        let made = self.made(f, &mut a, want).map_err(|e| of_expression(e, a.sql))?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("an expression was expected")) };
        match &m.what {
            What::Simple(px, ty) => {
                let d = eval(px, &mut ParamCx { params: a.vars, env: self.state })?;
                Ok((d, *ty))
            }
            What::Query { stmt, names } => {
                let text = &a.sql.text;
                let ran = self.run(stmt, Some(names.clone()), a.vars, 2);
                let answer = ran.map_err(|e| of_expression(e, a.sql))?;
                if answer.columns.len() != 1 {
                    let n = answer.columns.len();
                    bail!(SYNTAX_ERROR, "query returned {n} column{}", if n == 1 { "" } else { "s" });
                }
                if answer.rows.len() > 1 {
                    let e = err!(CARDINALITY_VIOLATION, "query returned more than one row");
                    return Err(e.context(format!("query: {text}")));
                }
                let ty = answer.columns[0].1;
                let d = answer.rows.into_iter().next().and_then(|r| r.into_iter().next()).unwrap_or(Datum::Null);
                match want {
                    Want::As(to) => Ok((self.state.converted(d, ty, to)?, to)),
                    Want::Any => Ok((d, ty)),
                }
            }
        }
    }
    fn query(&mut self, f: &Function, mut a: Asked, limit: u64) -> Result<Rows> {
        let (text, kind) = (&a.sql.text, a.sql.kind);
        let shown = if kind == SqlKind::Expr { format!("SELECT {text}") } else { text.clone() };
        let failed = |e: Error| {
            let at = e.data().position.map(|p| p + (shown.chars().count() - text.chars().count()) as u32);
            let e = if at.is_some() { e.placed_at(at) } else { e };
            with_statement(e, &shown, SqlKind::Statement)
        };
        let made = self.made(f, &mut a, Want::Any).map_err(failed)?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("a statement was expected")) };
        match &m.what {
            What::Simple(px, ty) => {
                let ran = eval(px, &mut ParamCx { params: a.vars, env: self.state });
                let d = ran.map_err(failed)?;
                let columns = vec![("".to_string(), *ty)];
                Ok(Rows { columns, rows: vec![vec![d]], processed: 1, has_rows: true, ..Rows::default() })
            }
            What::Query { stmt, names } => {
                let ran = self.run(stmt, Some(names.clone()), a.vars, limit);
                ran.map(rows).map_err(failed)
            }
        }
    }
    fn dynamic(&mut self, d: Dynamic, limit: u64) -> Result<Rows> {
        let types = d.params.iter().map(|p| p.0.oid).collect();
        let script = pamir_plan::parser::parse(d.text).map_err(|e| with_statement(e, d.text, SqlKind::Statement))?;
        let mut last = Rows::default();
        let params: Vec<Datum> = d.params.iter().map(|p| p.1.clone()).collect();
        let declared: Vec<u32> = types;
        for p in script.statements {
            let text = p.text.clone();
            let stmt = PreparedStmt::of(p, text, declared.clone())?;
            let ran = self.run(&stmt, None, &params, limit);
            last = ran.map(rows).map_err(|e| with_statement(e, d.text, SqlKind::Statement))?;
        }
        Ok(last)
    }
    fn open(&mut self, f: &Function, a: Asked, name: Option<&str>) -> Result<String> {
        let rows = self.query(f, a, 0)?;
        self.state.open_function_cursor(rows, name)
    }
    fn open_dynamic(&mut self, d: Dynamic, name: Option<&str>) -> Result<String> {
        let rows = self.dynamic(d, 0)?;
        self.state.open_function_cursor(rows, name)
    }
    fn fetch(&mut self, cursor: &str, how: FetchHow, count: i64) -> Result<Rows> {
        let Some(c) = self.state.function_cursors.get_mut(cursor) else {
            bail!(UNDEFINED_CURSOR, "cursor \"{cursor}\" does not exist")
        };
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
        let all = c.answer.rows.len() as i64;
        // Where it stands: 0 before the first row, n on the nth, all + 1 behind the last.
        let at = c.at as i64;
        let (to, passed) = match motion {
            Motion::Forward => ((at + count).clamp(0, all + 1), 0),
            Motion::Backward => ((at - count).clamp(0, all + 1), 0),
            Motion::Relative => ((at + count).clamp(0, all + 1), 1),
            Motion::Absolute if count < 0 => ((all + 1 + count).clamp(0, all + 1), 1),
            Motion::Absolute => (count.clamp(0, all + 1), 1),
            Motion::First => (1.min(all + 1), 1),
            Motion::Last => (if all == 0 { 1 } else { all }, 1),
            Motion::All => (all + 1, 0),
            Motion::BackwardAll => (0, 0),
        };
        c.at = to as usize;
        let on_row = (1..=all).contains(&to);
        let row = if on_row { c.answer.rows.get(to as usize - 1).cloned() } else { None };
        let between = (at.max(1).min(all + 1) - to.max(1).min(all + 1)).unsigned_abs();
        let processed = if moves && passed == 0 { between.max(u64::from(on_row)) } else { u64::from(on_row) };
        let rows = if moves { Vec::new() } else { row.into_iter().collect() };
        Ok(Rows { columns: c.answer.columns.clone(), rows, processed, has_rows: true, ..Rows::default() })
    }
    fn close(&mut self, cursor: &str) -> Result<()> {
        match self.state.function_cursors.remove(cursor) {
            Some(_) => Ok(()),
            None => bail!(UNDEFINED_CURSOR, "cursor \"{cursor}\" does not exist"),
        }
    }
    fn cast(&mut self, value: Datum, from: Type, to: Type) -> Result<Datum> {
        self.state.converted(value, from, to)
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
        if chain {
            return Err(Error::unsupported("AND CHAIN in a procedure"));
        }
        self.state.function_cursors.clear();
        if commit {
            self.state.commit()?;
        } else {
            self.state.rollback();
        }
        self.state.begin_implicit();
        Ok(())
    }
    fn call(&mut self, f: &Function, mut a: Asked) -> Result<Rows> {
        let made = self.made(f, &mut a, Want::Any)?;
        let Some(m) = made.downcast_ref::<Made>() else { return Err(Error::internal("a statement was expected")) };
        let What::Query { stmt, names } = &m.what else { return Err(Error::internal("CALL was expected")) };
        match &stmt.stmt {
            Some(Statement::Call(c)) => {
                let called = self.state.call_procedure(c, &stmt.text, Some(names.clone()), a.vars, self.top)?;
                Ok(Rows {
                    columns: called.columns,
                    rows: vec![called.row],
                    positions: called.positions,
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
        if e.data().severity != pamir_types::error::Severity::Debug
            && e.data().severity != pamir_types::error::Severity::Log
        {
            self.state.notice(e);
        }
    }
    fn asserts(&self) -> bool {
        self.state.settings.get("plpgsql.check_asserts").is_none_or(|v| v != "off")
    }
    fn check_cancel(&mut self) -> Result<()> {
        Env::check_cancel(self.state)
    }
}

impl State {
    fn open_function_cursor(&mut self, r: Rows, name: Option<&str>) -> Result<String> {
        if !r.has_rows {
            bail!(INVALID_CURSOR_DEFINITION, "cannot open query as cursor: it returns no rows");
        }
        let name = match name {
            Some(n) => n.to_string(),
            None => {
                self.unnamed_cursors += 1;
                format!("<unnamed portal {}>", self.unnamed_cursors)
            }
        };
        if self.function_cursors.contains_key(&name) {
            bail!(DUPLICATE_CURSOR, "cursor \"{name}\" already in use");
        }
        let answer =
            Answer { columns: r.columns, rows: r.rows, processed: r.processed, has_rows: true, charged: r.charged };
        self.function_cursors.insert(name.clone(), Cursor { answer, at: 0 });
        Ok(name)
    }
    /// Is a subtransaction of a function open?
    fn in_subtransaction(&self) -> bool {
        !self.frames.is_empty()
    }
}
