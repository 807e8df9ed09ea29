//! What is told of statements besides their answers: the log, pg_stat_statements, pg_stat_activity, the histograms of `/metrics`.
//!
//! ```text
//!   started(text)    activity: active, the text, its start       log_statement
//!   finished(...)    counters of the statement and its kind      log_min_duration_statement, log_duration, the samples, auto_explain
//!   failed(error)    counters of errors                          the error, its place, the statement (log_min_messages, log_min_error_statement)
//! ```
//! Lines go through `tracing` with fields of their own (pid, user, database, application, client, statement, duration): the binary writes them. The messages are
//! PostgreSQL's; the text of a statement and the values of parameters are fields where PostgreSQL puts them behind the message.
//!
//! Invariant: where no setting asks for a line, a statement costs two readings of the clock and a comparison. A failed statement has no duration line, as in PostgreSQL.
use super::state::Block;
use super::statement::{Planned, PreparedStmt};
use super::{MAX_ACTIVITY_QUERY, Session};
use crate::settings::{Logged, Settings, Track, Verbosity, level_of};
use crate::stats::fingerprint::fingerprint;
use crate::stats::kinds::StatementKind;
use crate::stats::statements::{Key, Took};
use pamir_catalog::usage::OfDatabase;
use pamir_expr::plan::RunStats;
use pamir_parse::tree::Statement;
use pamir_plan::plan;
use pamir_types::error::Severity;
use pamir_types::{Datum, Error, Type};
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The statement that the session runs now.
pub struct Current {
    pub started: Instant,
    /// What the task's page counters stood at.
    pages: (u64, u64),
    /// Its text is in the log already.
    logged: bool,
    /// pg_stat_statements counts it if it is a query, if it is a utility: as the settings were when it began.
    counted: (bool, bool),
}
impl Default for Current {
    fn default() -> Self {
        Current { started: Instant::now(), pages: (0, 0), logged: false, counted: (false, false) }
    }
}

/// Parameters' values and types.
pub(super) type Values<'a> = (&'a [Datum], &'a [Type]);

/// A statement that has ended well.
pub(super) struct Finished<'a> {
    pub stmt: &'a PreparedStmt,
    /// As the client sent it, where that is another text than the statement's.
    pub text: &'a str,
    pub planned: Option<&'a Planned>,
    pub values: Values<'a>,
    pub rows: u64,
    /// Time that earlier calls for the same portal took.
    pub before: Duration,
    pub stats: Option<&'a RunStats>,
}

/// What log_statement calls a statement (PostgreSQL's GetCommandLogLevel); `target`: what EXECUTE's statement is.
fn class(s: &Statement, target: &dyn Fn(&str) -> Option<Logged>) -> Logged {
    match s {
        Statement::Insert(_)
        | Statement::Update(_)
        | Statement::Delete(_)
        | Statement::Merge(_)
        | Statement::Truncate(_) => Logged::Mod,
        Statement::Copy(c) if !c.to => Logged::Mod,
        Statement::Select(q) if q.into_clause().is_some() => Logged::Ddl,
        Statement::Create(_)
        | Statement::Alter(_)
        | Statement::Drop(_)
        | Statement::Comment(_)
        | Statement::Grant(_)
        | Statement::GrantRole(_)
        | Statement::Reassign { .. }
        | Statement::DropRole { .. }
        | Statement::DropOwned { .. }
        | Statement::Cluster(_)
        | Statement::Refresh(_)
        | Statement::Other(_) => Logged::Ddl,
        Statement::Execute(e) => target(&e.name).unwrap_or(Logged::All),
        Statement::Prepare(p) => class(&p.statement, target),
        Statement::Explain(e) if super::explain::runs(e) => class(&e.statement, target),
        _ => Logged::All,
    }
}

/// PREPARE and DEALLOCATE are not among pg_stat_statements' statements, what they prepare is.
fn counts(utility: &PreparedStmt) -> bool {
    !matches!(&utility.stmt, Some(Statement::Prepare(_) | Statement::Deallocate(_)))
}

impl Session {
    /// A statement of a simple query begins.
    pub(super) fn started(&mut self, text: &str) {
        self.state.start_statement();
        self.shown(text);
    }
    /// From now on `text` is what the session is seen to do.
    pub(super) fn shown(&mut self, text: &str) {
        let o = &self.state.settings.observe;
        let tracks = o.track != Track::None;
        let counted = (tracks, tracks && o.track_utility);
        let pages = self.state.db.engine().page_counts();
        self.state.current = Current { started: Instant::now(), pages, logged: false, counted };
        let now = self.state.statement_time;
        let mut a = self.state.info.activity.lock();
        a.query.clear();
        let end = if text.len() <= MAX_ACTIVITY_QUERY {
            text.len()
        } else {
            text.char_indices().nth(MAX_ACTIVITY_QUERY).map_or(text.len(), |x| x.0)
        };
        a.query.push_str(&text[..end]);
        a.query_start = now;
        if a.state_is_idle_in_transaction() {
            let idle = now.saturating_sub(a.state_change).max(0) as u64;
            self.state.usage.idle_in_transaction_micros.fetch_add(idle, Ordering::Relaxed);
        }
        a.state_change = now;
        a.state = "active";
        if self.state.block == Block::Idle {
            a.xact_start = Some(now);
        }
    }
    /// As far as it concerns log_statement: its kind and its values are known now.
    #[inline]
    pub(super) fn log_start(&mut self, stmt: &PreparedStmt, text: &str, values: Values, portal: Option<&str>) {
        if self.state.settings.observe.statements != Logged::None {
            self.log_statement(stmt, text, values, portal);
        }
    }
    #[cold]
    fn log_statement(&mut self, stmt: &PreparedStmt, text: &str, values: Values, portal: Option<&str>) {
        let Some(kind) = &stmt.stmt else { return };
        let target = |name: &str| Some(class(self.state.prepared.get(name)?.stmt.stmt.as_ref()?, &|_| None));
        if class(kind, &target) > self.state.settings.observe.statements {
            return;
        }
        self.state.current.logged = true;
        let parameters = self.parameters(values, self.state.settings.observe.parameters);
        let how = if portal.is_some() { "execute" } else { "statement" };
        let a = self.state.info.activity.lock().clone();
        tracing::info!(target: "pamir::statement", pid = a.pid, user = a.user, database = a.database, application = a.application,
            client = client_of(&a), parameters, statement = text, "{how}");
    }

    /// The statement has ended, its answer is made.
    #[inline]
    pub(super) fn finished(&mut self, f: &Finished) {
        let took = self.state.current.started.elapsed() + f.before;
        let nanos = took.as_nanos() as u64;
        let kind = f.planned.map_or(StatementKind::Other, |p| p.kind());
        let db = &self.state.db;
        db.durations.record(kind, nanos);
        let (pages, before) = (db.engine().page_counts(), self.state.current.pages);
        let pages = (pages.0.saturating_sub(before.0), pages.1.saturating_sub(before.1));
        let usage = &self.state.usage.often;
        usage.add_of_database(OfDatabase::Pages, pages.0);
        if pages.1 > 0 {
            usage.add_of_database(OfDatabase::PagesRead, pages.1);
        }
        usage.add_of_database(OfDatabase::ActiveMicros, nanos / 1000);
        let (queries, utilities) = self.state.current.counted;
        if if f.planned.is_some() { queries } else { utilities && counts(f.stmt) } {
            let took = Took { nanos, rows: f.rows, pages };
            db.statement_stats.record(&f.stmt.place, self.state.context(), &took, || self.key_of(f));
        }
        if nanos >= self.state.settings.observe.over {
            self.log_duration(f, took);
        }
    }
    /// As [`Session::finished`], of a statement without a plan.
    pub(super) fn finished_utility(&mut self, stmt: &PreparedStmt, text: &str, rows: u64) {
        let (values, before) = ((&[][..], &[][..]), Duration::ZERO);
        self.finished(&Finished { stmt, text, planned: None, values, rows, before, stats: None });
    }
    /// The statement's key and text, when it runs for the first time.
    #[cold]
    fn key_of(&self, f: &Finished) -> (Key, String) {
        let made = f.stmt.counted_as.clone();
        let (query, text) = made.unwrap_or_else(|| fingerprint(&f.stmt.text, f.planned.is_some()));
        let user = self.state.catalog.role_by_name(&self.state.user).map_or(0, |r| r.oid);
        (Key { user, database: self.state.scope.database, query }, text)
    }
    #[cold]
    fn log_duration(&mut self, f: &Finished, took: Duration) {
        let nanos = took.as_nanos() as u64;
        let ms = took.as_secs_f64() * 1e3;
        let o = self.state.settings.observe.clone();
        let sampled = |rate: f64, random: &mut dyn FnMut() -> f64| rate >= 1.0 || (rate > 0.0 && random() < rate);
        let mut random = || pamir_expr::env::Env::random(&mut self.state);
        let long = nanos >= o.duration_over || (nanos >= o.sample_over && sampled(o.sample_rate, &mut random));
        let explained = nanos >= o.explain_over && f.planned.is_some() && sampled(o.explain_sample_rate, &mut random);
        let a = self.state.info.activity.lock().clone();
        if long || o.durations {
            let with_text = long && !self.state.current.logged;
            let parameters = if with_text { self.parameters(f.values, o.parameters) } else { None };
            let statement = with_text.then_some(f.text);
            tracing::info!(target: "pamir::statement", pid = a.pid, user = a.user, database = a.database, application = a.application,
                client = client_of(&a), duration_ms = ms, rows = f.rows, parameters, statement, "duration: {ms:.3} ms");
        }
        if let (true, Some(p)) = (explained, f.planned) {
            let mut times = plan::Timings { execution_nanos: Some(nanos), ..Default::default() };
            if o.explain.settings {
                times.settings = self.state.settings.changed_for_plans();
            }
            let names = (&*self.state.catalog, &self.state.scope);
            let lines = plan::explain(&p.plan, &o.explain, f.values.0, f.stats, &times, names);
            tracing::info!(target: "pamir::plan", pid = a.pid, user = a.user, database = a.database, application = a.application,
                client = client_of(&a), duration_ms = ms, statement = f.text, plan = lines.join("\n"), "duration: {ms:.3} ms  plan:");
        }
    }
    /// The values that a statement failed with, for [`Session::note_failure`].
    #[cold]
    pub(super) fn keep_failed_values(&mut self, values: Values) {
        let most = self.state.settings.observe.parameters_on_error;
        self.failed_values = self.parameters(values, most);
    }
    /// A statement failed, and the client will be told so.
    pub(super) fn note_failure(&mut self, e: &Error) {
        let d = e.data();
        if e.code() == pamir_types::error::state::DEADLOCK_DETECTED {
            self.state.usage.deadlocks.fetch_add(1, Ordering::Relaxed);
        }
        let o = &self.state.settings.observe;
        let level = level_of(d.severity);
        if level < o.min_messages {
            return;
        }
        let a = self.state.info.activity.lock().clone();
        let terse = o.verbosity == Verbosity::Terse;
        let detail = d.detail.as_deref().filter(|_| !terse);
        let hint = d.hint.as_deref().filter(|_| !terse);
        let code = e.code();
        let sqlstate = (!terse).then(|| code.as_str());
        let statement = (level >= o.min_error_statement && !a.query.is_empty()).then_some(a.query.as_str());
        let parameters = statement.and(self.failed_values.take());
        let position = d.position;
        match d.severity {
            Severity::Fatal | Severity::Panic => {
                tracing::error!(target: "pamir::error", pid = a.pid, user = a.user, database = a.database,
                application = a.application, client = client_of(&a), sqlstate, detail, hint, position, parameters, statement, "FATAL: {}", e.message_on_one_line())
            }
            _ => {
                tracing::error!(target: "pamir::error", pid = a.pid, user = a.user, database = a.database, application = a.application,
                client = client_of(&a), sqlstate, detail, hint, position, parameters, statement, "{}", e.message_on_one_line())
            }
        }
    }

    /// `$1 = '17', $2 = NULL`, each value of no more than `most` bytes (None: whole, 0: no line).
    fn parameters(&self, (params, types): Values, most: Option<usize>) -> Option<String> {
        if params.is_empty() || most == Some(0) {
            return None;
        }
        let mut out = String::new();
        for (i, (p, ty)) in params.iter().zip(types).enumerate() {
            let _ = write!(out, "{}${} = ", if i > 0 { ", " } else { "" }, i + 1);
            if p.is_null() {
                out.push_str("NULL");
                continue;
            }
            let text = pamir_types::text::to_string(p, *ty, &self.state.settings.text);
            let shown = most.map_or(text.as_str(), |n| pamir_types::text::cut(&text, n));
            let dots = if shown.len() < text.len() { "..." } else { "" };
            let _ = write!(out, "'{}{dots}'", shown.replace('\'', "''"));
        }
        Some(out)
    }

    /// The answer is on its way: what pg_stat_activity says from now on.
    pub(super) fn idle_activity(&self) {
        let c = &self.state.current;
        let now = self.state.statement_time.saturating_add(c.started.elapsed().as_micros() as i64);
        let mut a = self.state.info.activity.lock();
        a.state = match (self.state.block, self.state.failed) {
            (Block::Explicit, true) => "idle in transaction (aborted)",
            (Block::Explicit, false) => "idle in transaction",
            _ => "idle",
        };
        a.state_change = now;
        if self.state.block != Block::Explicit {
            a.xact_start = None;
        }
    }
}

fn client_of(a: &pamir_expr::env::Activity) -> Option<String> {
    a.client.as_ref().map(|p| format!("{}:{}", p.host, p.port))
}

/// What the log says when sessions begin and end (log_connections, log_disconnections).
pub(super) fn log_connection(a: &pamir_expr::env::Activity, settings: &Settings) {
    if settings.get_bool("log_connections") {
        tracing::info!(target: "pamir::connection", pid = a.pid, user = a.user, database = a.database, application = a.application,
            client = client_of(a), "connection authorized");
    }
}
pub(super) fn log_disconnection(a: &pamir_expr::env::Activity, now: i64, settings: &Settings) {
    if settings.get_bool("log_disconnections") {
        let micros = now.saturating_sub(a.backend_start).max(0);
        tracing::info!(target: "pamir::connection", pid = a.pid, user = a.user, database = a.database, application = a.application,
            client = client_of(a), session_seconds = micros as f64 / 1e6, "disconnection");
    }
}
