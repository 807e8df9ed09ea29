//! Statements that are not planned: transaction control, SET and SHOW, prepared statements and cursors in SQL, EXPLAIN, COPY, DDL.
use super::Session;
use super::copy;
use super::query::{PreparedStmt, Told, is_query};
use super::settings::{SETTINGS, find};
use super::shared::Kept;
use super::state::{Altering, Block};
use crate::bind::{self, BindCtx};
use crate::catalog::acl;
use crate::client::{Client, Deaf, Field};
use crate::ddl::{self, DdlCtx};
use crate::exec::{self, Execution, RunState};
use crate::parser::special::zone_interval;
use crate::parser::{Discard, ReindexKind, Stmt, TableTarget};
use crate::plan::{self, ExplainFormat, ExplainOptions};
use pamir_txn::{TableLock, WaitPolicy};
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use sqlparser::ast::{self, Statement};
use std::sync::Arc;

/// True for what may run in a failed transaction block.
pub fn ends_block(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::RollbackPrepared(_) | Stmt::PrepareTransaction(_))
        || matches!(stmt, Stmt::Sql(s) if matches!(**s, Statement::Commit { .. } | Statement::Rollback { .. }))
}

fn text_field(name: &str) -> Field {
    Field { name: name.to_string(), table: 0, attnum: 0, ty: Type::TEXT }
}

/// EXPLAIN's column: a document of JSON has that type.
fn plan_field_as(format: ExplainFormat) -> Field {
    let ty = if format == ExplainFormat::Json { Type::new(pamir_types::oid::JSON) } else { Type::TEXT };
    Field { ty, ..text_field("QUERY PLAN") }
}
fn plan_field(options: &[ast::UtilityOption], format: Option<&ast::AnalyzeFormatKind>) -> Field {
    let mut o = ExplainOptions::default();
    // Options that make no sense are told of when it runs.
    let _ = explain_options(options, format, &mut o);
    plan_field_as(o.format)
}

/// Sends one row of text columns.
fn text_row(client: &mut dyn Client, cols: &[&str]) -> Result<()> {
    client.begin_row(cols.len());
    for c in cols {
        client.bytes(c.as_bytes());
    }
    client.end_row()
}

pub fn ident(i: &ast::Ident) -> String {
    if i.quote_style.is_some() { i.value.clone() } else { i.value.to_ascii_lowercase() }
}

/// A one- or two-part name as (schema, name).
pub fn object_name(n: &ast::ObjectName) -> Result<(Option<String>, String)> {
    let parts: Vec<String> = n.0.iter().filter_map(|p| p.as_ident().map(ident)).collect();
    match &parts[..] {
        [name] => Ok((None, name.clone())),
        [schema, name] => Ok((Some(schema.clone()), name.clone())),
        [_, schema, name] => Ok((Some(schema.clone()), name.clone())),
        _ => Err(err!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {n}")),
    }
}

fn dotted(n: &ast::ObjectName) -> String {
    n.0.iter().filter_map(|p| p.as_ident().map(|i| i.value.clone())).collect::<Vec<_>>().join(".")
}

/// A SET value as text: literals as their contents, words as themselves; None for DEFAULT.
fn set_value(values: &[ast::Expr]) -> Option<String> {
    fn one(e: &ast::Expr) -> String {
        match e {
            ast::Expr::Value(v) => match &v.value {
                ast::Value::SingleQuotedString(s)
                | ast::Value::EscapedStringLiteral(s)
                | ast::Value::DoubleQuotedString(s) => s.clone(),
                v => v.to_string(),
            },
            ast::Expr::Identifier(i) => i.value.clone(),
            ast::Expr::CompoundIdentifier(v) => v.iter().map(|i| i.value.clone()).collect::<Vec<_>>().join("."),
            ast::Expr::Interval(i) => one(&i.value),
            e => e.to_string(),
        }
    }
    if let [ast::Expr::Identifier(i)] = values
        && i.quote_style.is_none()
        && i.value.eq_ignore_ascii_case("default")
    {
        return None;
    }
    Some(joined(&values.iter().map(one).collect::<Vec<_>>()))
}

impl Session {
    /// The result columns of a statement without a plan.
    pub fn utility_fields(&mut self, stmt: &PreparedStmt) -> Result<Option<Vec<Field>>> {
        let s = match &stmt.stmt {
            Some(Stmt::Sql(s)) => s,
            Some(Stmt::Show(name)) => return Ok(Some(show_fields(name))),
            Some(Stmt::Fetch { cursor, is_move: false, .. }) => {
                return Ok(self.portals.get(cursor).and_then(|p| p.fields().map(<[Field]>::to_vec)));
            }
            _ => return Ok(None),
        };
        Ok(match &**s {
            Statement::ShowVariable { variable } => Some(show_fields(&show_name(variable))),
            Statement::Explain { options, format, .. } => {
                Some(vec![plan_field(options.as_deref().unwrap_or(&[]), format.as_ref())])
            }
            Statement::Execute { name: Some(n), .. } => {
                let target = self.statement(&object_name(n)?.1)?;
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
        let Some(kind) = &stmt.stmt else { return Ok(()) };
        // In the extended protocol the fields were described by the portal; in the simple one they are sent here.
        let tag = match kind {
            Stmt::Sql(s) => self.run_sql(s, stmt, params, client)?,
            Stmt::PrepareTransaction(gid) => self.prepare_transaction(gid)?,
            Stmt::CommitPrepared(gid) => {
                self.not_in_block("COMMIT PREPARED")?;
                self.may_finish_prepared(gid)?;
                self.state.db.shard.commit_prepared(gid)?;
                "COMMIT PREPARED".into()
            }
            Stmt::RollbackPrepared(gid) => {
                self.not_in_block("ROLLBACK PREPARED")?;
                self.may_finish_prepared(gid)?;
                self.state.db.shard.rollback_prepared(gid)?;
                "ROLLBACK PREPARED".into()
            }
            Stmt::Checkpoint => {
                if !self.state.who().has_role(acl::predefined::CHECKPOINT) {
                    bail!(
                        INSUFFICIENT_PRIVILEGE,
                        "must be superuser or have privileges of pg_checkpoint to do CHECKPOINT"
                    );
                }
                self.state.db.shard.checkpoint()?;
                "CHECKPOINT".into()
            }
            Stmt::Unlisten => "UNLISTEN".into(),
            Stmt::Unsupported(what) => return Err(Error::unsupported(what)),
            Stmt::Ddl(d) => {
                if let Some(name) = d.forbidden_in_block()
                    && self.state.block == Block::Explicit
                {
                    bail!(ACTIVE_SQL_TRANSACTION, "{name} cannot run inside a transaction block");
                }
                let words: Vec<&str> = stmt.text.split_whitespace().take(2).collect();
                let what = words.join(" ").to_ascii_uppercase();
                self.with_ddl(&what, &stmt.text, |cx| ddl::execute_own(d, cx))?
            }
            Stmt::Vacuum { analyze, tables } => {
                self.not_in_block("VACUUM")?;
                self.with_ddl("VACUUM", &stmt.text, |cx| ddl::vacuum(*analyze, &targets(tables), cx))?;
                "VACUUM".into()
            }
            Stmt::Analyze { tables } => {
                self.with_ddl("ANALYZE", &stmt.text, |cx| ddl::analyze_tables(&targets(tables), cx))?;
                "ANALYZE".into()
            }
            Stmt::Reindex { kind, name, concurrently } => {
                if *concurrently {
                    self.not_in_block("REINDEX CONCURRENTLY")?;
                }
                let kind = match kind {
                    ReindexKind::Index => ddl::ReindexKind::Index,
                    ReindexKind::Table => ddl::ReindexKind::Table,
                    ReindexKind::Schema => ddl::ReindexKind::Schema,
                    ReindexKind::Database => ddl::ReindexKind::Database,
                    ReindexKind::System => ddl::ReindexKind::System,
                };
                self.with_ddl("REINDEX", &stmt.text, |cx| ddl::reindex(kind, name, cx))?
            }
            Stmt::Comment { kind, name, on, text } => self.with_ddl("COMMENT", &stmt.text, |cx| {
                ddl::comment_on(kind, name, on.as_deref(), text.as_deref(), cx)
            })?,
            Stmt::Copy(c) => {
                // It sends what is buffered, from the statements before it as well.
                self.state.settle()?;
                copy::run(self, c, &stmt.text, client)?
            }
            Stmt::LockTable { tables, mode, nowait } => self.lock_tables(tables, *mode, *nowait)?,
            Stmt::Discard(d) => self.discard(*d)?,
            Stmt::SetConstraints { names, deferred } => self.set_constraints(names, *deferred)?,
            Stmt::DeclareCursor { name, options, query } => self.declare_cursor(name, *options, query, stmt, params)?,
            Stmt::Fetch { cursor, direction, is_move } => self.fetch(cursor, *direction, *is_move, client)?,
            Stmt::Close(name) => self.close_cursor(name.as_deref())?,
            Stmt::SetParam { name, values, local } => {
                let value = values.as_ref().map(|v| joined(v));
                self.state.set(name, value.as_deref(), *local)?;
                "SET".into()
            }
            Stmt::Reset(name) => self.reset(name.as_deref())?,
            Stmt::Show(name) => self.show(name, client)?,
        };
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

    /// 25001 inside a transaction block.
    fn not_in_block(&self, what: &str) -> Result<()> {
        if self.state.block == Block::Explicit {
            bail!(ACTIVE_SQL_TRANSACTION, "{what} cannot run inside a transaction block");
        }
        Ok(())
    }

    /// Only who prepared a transaction, or a superuser, ends it.
    fn may_finish_prepared(&mut self, gid: &str) -> Result<()> {
        let user = self.state.user.clone();
        let superuser = self.state.who().superuser;
        match self.state.db.shard.prepared().iter().find(|p| p.gid == gid) {
            Some(p) if p.owner != user && !superuser => {
                Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to finish prepared transaction")
                    .hint("Must be superuser or the user that prepared the transaction."))
            }
            Some(p) if p.database != self.state.database => {
                Err(err!(FEATURE_NOT_SUPPORTED, "prepared transaction belongs to another database")
                    .hint("Connect to the database where the transaction was prepared to finish it."))
            }
            _ => Ok(()),
        }
    }

    fn prepare_transaction(&mut self, gid: &str) -> Result<String> {
        if self.state.failed {
            self.drop_portals();
            self.state.rollback();
            return Ok("ROLLBACK".into());
        }
        if self.state.block != Block::Explicit {
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress"));
            return Ok("ROLLBACK".into());
        }
        if let Err(e) = self.drop_portals_for_prepare() {
            let e = self.state.settled(e);
            self.drop_portals();
            self.state.rollback();
            return Err(e);
        }
        self.state.prepare(gid)?;
        Ok("PREPARE TRANSACTION".into())
    }

    fn run_sql(
        &mut self,
        s: &Statement,
        stmt: &Arc<PreparedStmt>,
        params: &[Datum],
        client: &mut dyn Client,
    ) -> Result<String> {
        Ok(match s {
            Statement::StartTransaction { modes, begin, .. } => {
                self.state.begin_block()?;
                self.transaction_modes(modes)?;
                if *begin { "BEGIN" } else { "START TRANSACTION" }.into()
            }
            Statement::Commit { chain, .. } => self.end_transaction(true, *chain)?,
            Statement::Rollback { savepoint: Some(name), .. } => {
                self.state.rollback_to(&ident(name))?;
                self.portals_rolled_back();
                "ROLLBACK".into()
            }
            Statement::Rollback { chain, .. } => self.end_transaction(false, *chain)?,
            Statement::Savepoint { name } => {
                self.state.savepoint(&ident(name))?;
                "SAVEPOINT".into()
            }
            Statement::ReleaseSavepoint { name } => {
                self.state.release(&ident(name))?;
                self.portals_released();
                "RELEASE".into()
            }
            Statement::Set(set) => self.set_statement(set)?,
            Statement::Reset(r) => match &r.reset {
                ast::Reset::ALL => self.reset(None)?,
                ast::Reset::SessionAuthorization => self.reset(Some("session_authorization"))?,
                ast::Reset::ConfigurationParameter(n) => self.reset(Some(&dotted(n)))?,
            },
            Statement::ShowVariable { variable } => self.show(&show_name(variable), client)?,
            Statement::Prepare { name, data_types, statement } => {
                self.prepare_statement(name, data_types, statement, stmt)?
            }
            Statement::Execute { name: Some(name), parameters, .. } => {
                return self.execute_statement(name, parameters, client);
            }
            Statement::Deallocate { name, .. } => {
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("all") {
                    self.state.prepared.clear();
                    "DEALLOCATE ALL".into()
                } else {
                    let n = ident(name);
                    if self.state.prepared.remove(&n).is_none() {
                        bail!(INVALID_SQL_STATEMENT_NAME, "prepared statement \"{n}\" does not exist");
                    }
                    "DEALLOCATE".into()
                }
            }
            Statement::Discard { object_type } => self.discard(match object_type {
                ast::DiscardObject::ALL => Discard::All,
                ast::DiscardObject::PLANS => Discard::Plans,
                ast::DiscardObject::SEQUENCES => Discard::Sequences,
                ast::DiscardObject::TEMP => Discard::Temp,
            })?,
            Statement::Explain { analyze, verbose, statement, options, format, .. } => {
                let mut o = ExplainOptions { analyze: *analyze, verbose: *verbose, costs: true, ..Default::default() };
                explain_options(options.as_deref().unwrap_or(&[]), format.as_ref(), &mut o)?;
                self.explain(statement, &o, params, client, stmt)?
            }
            Statement::CreateTable(c) if c.query.is_some() => self.create_table_as(c, stmt)?,
            s if ddl::is_ddl(s) => self.run_ddl(s, &stmt.text)?,
            s => {
                let words: Vec<String> =
                    s.to_string().split_whitespace().take(2).map(str::to_ascii_uppercase).collect();
                return Err(Error::unsupported(words.join(" ")));
            }
        })
    }

    fn end_transaction(&mut self, commit: bool, chain: bool) -> Result<String> {
        if self.state.block != Block::Explicit {
            if chain {
                bail!(
                    NO_ACTIVE_SQL_TRANSACTION,
                    "{} can only be used in transaction blocks",
                    if commit { "COMMIT AND CHAIN" } else { "ROLLBACK AND CHAIN" }
                );
            }
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress"));
        }
        let modes = (self.state.settings.get("transaction_isolation"), self.state.read_only);
        let tag = if commit {
            self.commit()?
        } else {
            self.drop_portals();
            // Replies from before it leave with it.
            let settled = self.state.settle();
            self.state.rollback();
            settled?;
            "ROLLBACK"
        };
        if chain {
            self.state.begin_block()?;
            self.state.set_isolation(&modes.0.unwrap_or_default());
            self.state.set_read_only(modes.1);
        }
        Ok(tag.into())
    }

    fn transaction_modes(&mut self, modes: &[ast::TransactionMode]) -> Result<()> {
        for m in modes {
            match m {
                ast::TransactionMode::AccessMode(a) => self.state.set(
                    "transaction_read_only",
                    Some(if matches!(a, ast::TransactionAccessMode::ReadOnly) { "on" } else { "off" }),
                    false,
                )?,
                ast::TransactionMode::IsolationLevel(l) => {
                    self.state.set("transaction_isolation", Some(isolation_name(l)?), false)?
                }
            }
        }
        Ok(())
    }

    fn set_statement(&mut self, set: &ast::Set) -> Result<String> {
        match set {
            ast::Set::SingleAssignment { scope, variable, values, .. } => {
                let local = matches!(scope, Some(ast::ContextModifier::Local));
                let name = dotted(variable);
                let name = if name.eq_ignore_ascii_case("timezone") { "TimeZone".to_string() } else { name };
                self.state.set(&name, set_value(values).as_deref(), local)?;
            }
            ast::Set::SetTimeZone { local, value: ast::Expr::Interval(i) } => {
                use ast::{DateTimeField as F, IntervalFields};
                let fields = match (&i.leading_field, &i.last_field) {
                    (None, _) => None,
                    (Some(F::Hour | F::Hours), None) => Some(IntervalFields::Hour),
                    (Some(F::Hour), Some(F::Minute)) => Some(IntervalFields::HourToMinute),
                    _ => bail!(SYNTAX_ERROR, "time zone interval must be HOUR or HOUR TO MINUTE"),
                };
                let text = set_value(std::slice::from_ref(&*i.value)).unwrap_or_default();
                self.state.set("TimeZone", Some(&zone_interval(&text, fields)?), *local)?;
            }
            ast::Set::SetTimeZone { local, value } => {
                let v = set_value(std::slice::from_ref(value)).filter(|v| !v.eq_ignore_ascii_case("local"));
                self.state.set("TimeZone", v.as_deref(), *local)?;
            }
            ast::Set::SetNames { charset_name, .. } => {
                self.state.set("client_encoding", Some(&charset_name.value), false)?
            }
            ast::Set::SetNamesDefault {} => self.state.set("client_encoding", None, false)?,
            ast::Set::SetRole { context_modifier, role_name } => {
                let local = matches!(context_modifier, Some(ast::ContextModifier::Local));
                self.state.set("role", role_name.as_ref().map(ident).as_deref(), local)?;
            }
            ast::Set::SetTransaction { modes, session, snapshot } => {
                if snapshot.is_some() {
                    return Err(Error::unsupported("SET TRANSACTION SNAPSHOT"));
                }
                if *session {
                    for m in modes {
                        match m {
                            ast::TransactionMode::AccessMode(a) => self.state.set(
                                "default_transaction_read_only",
                                Some(if matches!(a, ast::TransactionAccessMode::ReadOnly) { "on" } else { "off" }),
                                false,
                            )?,
                            ast::TransactionMode::IsolationLevel(l) => {
                                self.state.set("default_transaction_isolation", Some(isolation_name(l)?), false)?
                            }
                        }
                    }
                } else {
                    if self.state.block != Block::Explicit {
                        self.state.warn(err!(
                            NO_ACTIVE_SQL_TRANSACTION,
                            "SET TRANSACTION can only be used in transaction blocks"
                        ));
                    }
                    self.transaction_modes(modes)?;
                }
            }
            ast::Set::SetSessionAuthorization(p) => {
                let name = match &p.kind {
                    ast::SetSessionAuthorizationParamKind::Default => None,
                    ast::SetSessionAuthorizationParamKind::User(name) => Some(ident(name)),
                };
                let local = matches!(p.scope, ast::ContextModifier::Local);
                self.state.set("session_authorization", name.as_deref(), local)?;
            }
            _ => return Err(Error::unsupported("this form of SET")),
        }
        Ok("SET".into())
    }

    fn show(&mut self, name: &str, client: &mut dyn Client) -> Result<String> {
        // Outside a transaction the modes of the last one stand until the next begins.
        self.state.next_modes();
        let fields = show_fields(name);
        if name == "all" {
            self.begin_rows(&fields, client);
            for s in SETTINGS {
                let v = self.state.settings.get(s.name).unwrap_or_default();
                text_row(client, &[s.name, &v, s.description])?;
            }
        } else {
            let v = self
                .state
                .settings
                .get(name)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "unrecognized configuration parameter \"{name}\""))?;
            self.begin_rows(&fields, client);
            text_row(client, &[&v])?;
        }
        Ok("SHOW".into())
    }

    /// Announces rows made here: RowDescription in the simple protocol, formats in the extended one.
    fn begin_rows(&mut self, fields: &[Field], client: &mut dyn Client) {
        let types: Vec<Type> = fields.iter().map(|f| f.ty).collect();
        let formats = vec![0; fields.len()];
        // In the extended protocol Bind chose the formats, and they are set.
        if !self.extended {
            client.row_description(fields, &formats);
            self.set_formats(client, &formats, &types);
        }
    }

    fn prepare_statement(
        &mut self,
        name: &ast::Ident,
        types: &[ast::DataType],
        inner: &Statement,
        whole: &PreparedStmt,
    ) -> Result<String> {
        let n = ident(name);
        if self.state.prepared.contains_key(&n) {
            bail!(DUPLICATE_PREPARED_STATEMENT, "prepared statement \"{n}\" already exists");
        }
        let catalog = self.state.catalog.clone();
        let declared =
            types.iter().map(|t| bind::bind_type(t, &catalog).map(|t| t.oid)).collect::<Result<Vec<Oid>>>()?;
        if !is_query(inner) {
            return Err(Error::unsupported("PREPARE of this kind of statement"));
        }
        let stmt = PreparedStmt::new(whole.text.clone(), Some(Stmt::Sql(Box::new(inner.clone()))), declared)
            .with_depth(whole.deep);
        self.plan_for(&stmt)?;
        let kept = Kept::own(Arc::new(stmt), self.state.statement_time).charged(&self.state.work().memory)?;
        self.state.prepared.insert(n, kept);
        Ok("PREPARE".into())
    }

    fn execute_statement(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::Expr],
        client: &mut dyn Client,
    ) -> Result<String> {
        let (stmt, params) = self.execute_target(name, args)?;
        self.run_statement(&stmt, &params, Told::Result, false, client)?;
        // The target sent its own tag.
        Ok(String::new())
    }

    /// The statement that EXECUTE names, and its arguments' values.
    fn execute_target(
        &mut self,
        name: &ast::ObjectName,
        args: &[ast::Expr],
    ) -> Result<(Arc<PreparedStmt>, Vec<Datum>)> {
        let n = object_name(name)?.1;
        let stmt = self.statement(&n)?;
        let types: Vec<Type> = if stmt.is_query() { self.plan_for(&stmt)?.param_types.clone() } else { Vec::new() };
        if args.len() != types.len() {
            return Err(err!(SYNTAX_ERROR, "wrong number of parameters for prepared statement \"{n}\"")
                .detail(format!("Expected {} parameters but got {}.", types.len(), args.len())));
        }
        let (catalog, scope) = (self.state.catalog.clone(), self.state.scope.clone());
        let mut params = Vec::with_capacity(args.len());
        for (e, ty) in args.iter().zip(types) {
            let bound = {
                let mut cx =
                    BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut self.state, text: "" };
                bind::bind_table_expr(e, None, Some(ty), &mut cx)?
            };
            params.push(exec::eval_const(&bound, &[], &mut self.state)?);
        }
        Ok((stmt, params))
    }

    fn discard(&mut self, what: Discard) -> Result<String> {
        Ok(match what {
            Discard::All => {
                self.not_in_block("DISCARD ALL")?;
                self.portals.clear();
                self.state.prepared.clear();
                self.shapes.clear();
                self.state.locks = None;
                self.state.forget_sequences();
                self.reset(Some("session_authorization"))?;
                self.reset(None)?;
                "DISCARD ALL"
            }
            Discard::Plans => {
                self.shapes.clear();
                "DISCARD PLANS"
            }
            Discard::Sequences => {
                self.state.forget_sequences();
                "DISCARD SEQUENCES"
            }
            Discard::Temp => "DISCARD TEMP",
        }
        .into())
    }

    /// RESET name, or ALL.
    fn reset(&mut self, name: Option<&str>) -> Result<String> {
        match name {
            Some(n) => self.state.set(n, None, false)?,
            None => {
                let in_txn = self.state.block != Block::Idle;
                self.state.settings.reset_all(in_txn);
                self.state.text_stale = true;
                self.state.resolve_scope();
            }
        }
        Ok("RESET".into())
    }

    fn lock_tables(&mut self, tables: &[Vec<String>], mode: TableLock, nowait: bool) -> Result<String> {
        self.state.require_block("LOCK TABLE")?;
        let txn = self.state.begin_if_needed();
        for parts in tables {
            let (schema, name) = match &parts[..] {
                [n] => (None, n),
                [.., s, n] => (Some(s.as_str()), n),
                [] => continue,
            };
            let t = self.state.catalog.resolve_table(&self.state.scope, schema, name)?;
            let writes = acl::UPDATE | acl::DELETE | acl::TRUNCATE;
            let any = match mode {
                TableLock::AccessShare => acl::SELECT,
                TableLock::RowExclusive => acl::INSERT | writes,
                _ => writes,
            };
            if self.state.who().on_table(&self.state.catalog, &t, any) == 0 {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for table {}", t.name);
            }
            let policy = if nowait { WaitPolicy::NoWait } else { WaitPolicy::Block };
            self.state.db.shard.lock_table(&txn, u64::from(t.oid), mode, policy).map_err(|e| {
                if nowait && e.code() == pamir_types::error::state::LOCK_NOT_AVAILABLE {
                    err!(LOCK_NOT_AVAILABLE, "could not obtain lock on relation \"{name}\"")
                } else {
                    e
                }
            })?;
            self.state.refresh_catalog();
        }
        Ok("LOCK TABLE".into())
    }

    /// IMMEDIATE runs the checks put off so far; DEFERRED is the constraint's own mode until then.
    fn set_constraints(&mut self, names: &[Vec<String>], deferred: bool) -> Result<String> {
        if self.state.block != Block::Explicit {
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "SET CONSTRAINTS can only be used in transaction blocks"));
            return Ok("SET CONSTRAINTS".into());
        }
        if names.is_empty() {
            self.state.deferred.modes.clear();
            self.state.deferred.all = Some(deferred);
        }
        for parts in names {
            let Some(name) = parts.last() else { continue };
            let found: Vec<(Oid, bool)> = self
                .state
                .catalog
                .tables(self.state.scope.database)
                .iter()
                .flat_map(|t| &t.foreign_keys)
                .filter(|f| &f.name == name)
                .map(|f| (f.oid, f.deferrable))
                .collect();
            if found.is_empty() {
                bail!(UNDEFINED_OBJECT, "constraint \"{name}\" does not exist");
            }
            for (oid, deferrable) in found {
                if !deferrable {
                    bail!(WRONG_OBJECT_TYPE, "constraint \"{name}\" is not deferrable");
                }
                self.state.deferred.modes.insert(oid, deferred);
            }
        }
        if !deferred {
            self.state.run_deferred(false)?;
        }
        Ok("SET CONSTRAINTS".into())
    }

    /// Runs `f` with a DDL context and takes over the catalog it leaves.
    fn with_ddl<R>(&mut self, what: &str, text: &str, f: impl FnOnce(&mut DdlCtx) -> Result<R>) -> Result<R> {
        // Begun first: until then the mode is that of the transaction before.
        let txn = self.state.begin_if_needed();
        if self.state.read_only && !matches!(what, "VACUUM" | "ANALYZE") {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {what} in a read-only transaction");
        }
        if self.state.altering.is_none() {
            self.state.altering = Some(Altering::new(&self.state.db.altering));
        }
        let (shard, cancel) = (self.state.db.shard.clone(), self.state.info.cancel.clone());
        let mut catalog = self.state.catalog.clone();
        let mut changes = std::mem::take(&mut self.state.changes);
        let r = f(&mut DdlCtx {
            shard: &shard,
            txn: &txn,
            catalog: &mut catalog,
            changes: &mut changes,
            env: &mut self.state,
            cancel: &cancel,
            text,
        });
        self.state.changes = changes;
        if !self.state.changes.is_empty() {
            self.state.private = true;
            self.state.catalog = catalog;
        }
        r
    }

    fn explain(
        &mut self,
        inner: &Statement,
        o: &ExplainOptions,
        params: &[Datum],
        client: &mut dyn Client,
        whole: &PreparedStmt,
    ) -> Result<String> {
        let started = std::time::Instant::now();
        let (stmt, params) = match (inner, whole.inner()) {
            (Statement::Execute { name: Some(name), parameters, .. }, _) => self.execute_target(name, parameters)?,
            (_, Some(query)) => (query.clone(), params.to_vec()),
            _ => return Err(Error::unsupported("EXPLAIN of this kind of statement")),
        };
        let planned = super::query::on_stack_for(stmt.deep, || self.locked_plan(&stmt, None, Told::Nothing))?;
        planned.takes(&params)?;
        let mut times =
            plan::explain::Timings { planning_nanos: started.elapsed().as_nanos() as u64, ..Default::default() };
        if o.settings {
            times.settings = self.state.settings.changed_for_plans();
        }
        let lines = if o.analyze {
            let txn = self.state.begin_if_needed();
            let snapshot = txn.statement();
            let mut execution = Execution::new(planned.plan.clone(), true);
            let started = std::time::Instant::now();
            self.in_exec(&txn, snapshot, &params, |cx| execution.run(cx, 0, &mut Deaf))?;
            times.execution_nanos = Some(started.elapsed().as_nanos() as u64);
            plan::explain(&planned.plan, o, &params, execution.stats(), &times)
        } else {
            plan::explain(&planned.plan, o, &params, None, &times)
        };
        self.begin_rows(&[plan_field_as(o.format)], client);
        for l in &lines {
            text_row(client, &[l])?;
        }
        Ok("EXPLAIN".into())
    }

    fn run_ddl(&mut self, s: &Statement, text: &str) -> Result<String> {
        if let Some(what) = ddl::forbidden_in_block(s) {
            self.not_in_block(what)?;
        }
        let words: Vec<String> = s.to_string().split_whitespace().take(2).map(str::to_ascii_uppercase).collect();
        self.with_ddl(&words.join(" "), text, |cx| ddl::execute(s, cx))
    }

    /// CREATE TABLE AS: the query's columns make the table, its rows fill it.
    fn create_table_as(&mut self, c: &ast::CreateTable, whole: &PreparedStmt) -> Result<String> {
        let Some(query) = &c.query else { return Err(Error::internal("CREATE TABLE AS without a query")) };
        let source = Statement::Query(query.clone());
        let planned = self.plan_statement(&source, &whole.text, &[])?;
        let mut names: Vec<String> = c.columns.iter().map(|d| ident(&d.name)).collect();
        if names.len() > planned.plan.fields.len() {
            bail!(SYNTAX_ERROR, "too many column names were specified");
        }
        names.extend(planned.plan.fields.iter().skip(names.len()).map(|f| f.name.clone()));
        let columns: Vec<ddl::NewColumn> =
            names.into_iter().zip(&planned.plan.fields).map(|(name, f)| ddl::NewColumn { name, ty: f.ty }).collect();
        let parameters = ddl::parameters(&c.table_options)?;
        if self
            .with_ddl("CREATE TABLE AS", &whole.text, |cx| {
                ddl::create_table_as(&c.name, c.if_not_exists, &columns, parameters, cx)
            })?
            .is_none()
        {
            return Ok("CREATE TABLE AS".into());
        }
        if matches!(c.with_data, Some(ast::WithData { data: false, .. })) {
            return Ok("CREATE TABLE AS".into());
        }
        let insert = crate::parser::parse(&format!("INSERT INTO {} {}", c.name, query))?;
        let Some(Stmt::Sql(s)) = insert.into_iter().next().map(|p| p.stmt) else {
            return Err(Error::internal("CREATE TABLE AS could not be rewritten"));
        };
        let stmt = PreparedStmt::new(whole.text.clone(), Some(Stmt::Sql(s)), Vec::new()).with_depth(whole.deep);
        let planned = self.locked_plan(&stmt, None, Told::Nothing)?;
        let txn = self.state.begin_if_needed();
        let snapshot = txn.statement();
        let mut execution = Execution::new(planned.plan.clone(), false);
        match self.in_exec(&txn, snapshot, &[], |cx| execution.run(cx, 0, &mut Deaf))? {
            RunState::Done(n) => Ok(format!("SELECT {n}")),
            RunState::Suspended => Err(Error::internal("execution stopped early")),
        }
    }
}

fn targets(tables: &[TableTarget]) -> Vec<(Vec<String>, Vec<String>)> {
    tables.iter().map(|t| (t.name.clone(), t.columns.clone())).collect()
}

/// A list of SET values as one text; elements of a list stay apart (search_path).
pub(crate) fn joined(values: &[String]) -> String {
    if let [one] = values {
        return one.clone();
    }
    let quote = |s: &String| {
        if s.contains([',', '$', ' ', '"']) || s.chars().any(char::is_uppercase) {
            format!("\"{}\"", s.replace('"', "\"\""))
        } else {
            s.clone()
        }
    };
    values.iter().map(quote).collect::<Vec<_>>().join(", ")
}

fn isolation_name(l: &ast::TransactionIsolationLevel) -> Result<&'static str> {
    use ast::TransactionIsolationLevel as L;
    Ok(match l {
        L::ReadUncommitted => "read uncommitted",
        L::ReadCommitted => "read committed",
        L::RepeatableRead => "repeatable read",
        L::Serializable => "serializable",
        L::Snapshot => bail!(SYNTAX_ERROR, "syntax error at or near \"SNAPSHOT\""),
    })
}

fn show_name(variable: &[ast::Ident]) -> String {
    let words: Vec<String> = variable.iter().map(|i| i.value.to_ascii_lowercase()).collect();
    match words.join(" ").as_str() {
        "transaction isolation level" => "transaction_isolation".into(),
        "time zone" => "timezone".into(),
        "session authorization" => "session_authorization".into(),
        _ => words.join("."),
    }
}

fn show_fields(name: &str) -> Vec<Field> {
    if name == "all" {
        return vec![text_field("name"), text_field("setting"), text_field("description")];
    }
    vec![text_field(find(name).map_or(name, |s| s.1.name))]
}

fn explain_options(
    options: &[ast::UtilityOption],
    format: Option<&ast::AnalyzeFormatKind>,
    o: &mut ExplainOptions,
) -> Result<()> {
    let format = format.map(|f| f.to_string().to_ascii_lowercase()).unwrap_or_default();
    let mut formats = vec![format];
    let (mut timing, mut summary) = (None, None);
    for opt in options {
        let arg = opt.arg.as_ref().map(|a| a.to_string().trim_matches('\'').to_ascii_lowercase());
        let name = opt.name.value.to_ascii_lowercase();
        if name == "format" {
            formats.push(arg.unwrap_or_default());
            continue;
        }
        let on = match arg.as_deref() {
            None | Some("true" | "on" | "1") => true,
            Some("false" | "off" | "0") => false,
            Some(_) => bail!(SYNTAX_ERROR, "{name} requires a Boolean value"),
        };
        match name.as_str() {
            "analyze" => o.analyze = on,
            "verbose" => o.verbose = on,
            "costs" => o.costs = on,
            "buffers" => o.buffers = on,
            "timing" => timing = Some(on),
            "summary" => summary = Some(on),
            "settings" => o.settings = on,
            "wal" => o.wal = on,
            other => bail!(SYNTAX_ERROR, "unrecognized EXPLAIN option \"{other}\""),
        }
    }
    if o.wal && !o.analyze {
        bail!(INVALID_PARAMETER_VALUE, "EXPLAIN option WAL requires ANALYZE");
    }
    o.timing = timing.unwrap_or(o.analyze);
    if o.timing && !o.analyze {
        bail!(INVALID_PARAMETER_VALUE, "EXPLAIN option TIMING requires ANALYZE");
    }
    o.summary = summary.unwrap_or(o.analyze);
    for f in formats {
        if f.contains("json") {
            o.format = ExplainFormat::Json;
        } else if f.contains("xml") {
            o.format = ExplainFormat::Xml;
        } else if f.contains("yaml") {
            o.format = ExplainFormat::Yaml;
        } else if !f.is_empty() && !f.contains("text") {
            bail!(INVALID_PARAMETER_VALUE, "unrecognized value for EXPLAIN option \"format\": \"{f}\"");
        }
    }
    Ok(())
}
