//! Sessions: a connection's statements, portals, transaction block and settings, driven by a wire protocol through [`Session`]'s methods.
//!
//! ```text
//! protocol --parse/bind/execute/simple_query--> Session --+-- prepared statements (text, tree, cached plan)
//!    ^                                                    +-- portals (parameters, execution, snapshot)
//!    +------ Client: rows, tags, notices <---- State -----+-- transaction, catalog copy, settings (Env for functions)
//! ```
//! A prepared statement keeps its plan and the table locks the plan needs. Executing it takes the locks first and then compares one version number: only DDL in
//! between makes it bind and plan again. So a prepared point statement parses and plans nothing.
//!
//! - [`follower`]: reads that this node's replica answers. - [`temporary`]: temporary tables.
//! - [`statement`], [`query`]: statements with plans, portals. [`shared`], [`literals`], [`values`]: plans that serve many. - [`utility`]: all other statements, with
//!   [`transaction`], [`set`], [`prepare`], [`explain`], [`cursor`], [`copy`]. - [`state`], [`settings`]: what a session knows. [`observe`]: logs and counters.
//!
//! Invariants: an error leaves the session usable (the block is Failed or Idle); a portal never outlives its transaction, except as stored rows (a cursor WITH HOLD).
mod again;
pub mod autoanalyze;
mod copy;
mod copy_file;
mod copy_in;
mod copy_lines;
mod copy_options;
mod copy_out;
mod current;
mod cursor;
mod custom;
mod explain;
mod export;
mod fastpath;
mod follower;
pub(crate) mod functions;
mod listen;
mod literals;
mod notices;
mod observe;
mod online;
mod plans;
mod prepare;
mod query;
#[cfg(test)]
mod rescans;
mod routines;
mod set;
mod shared;
mod spi;
mod state;
mod statement;
mod table_as;
mod temporary;
mod transaction;
mod utility;
mod values;

use crate::client::{Client, Field, Peer};
use crate::ddl::Changes;
use crate::settings::{self, SETTINGS, ServerValues, Settings};
use crate::stats::kinds::{Durations, StatementKind};
use crate::stats::statements::Registry;
pub use fastpath::FunctionCall;
use pamir_catalog::acl::{self, Who};
use pamir_catalog::usage::{DatabaseUsage, OfDatabase};
use pamir_catalog::{self, Catalog, Role};
use pamir_exec::Quota;
use pamir_expr::backups::Backups;
use pamir_expr::deep::on_stack_for;
use pamir_expr::env::Activity;
use pamir_parse::tree::{Statement, Transaction};
use pamir_plan::parser;
use pamir_storage::platform::Platform;
use pamir_txn::{Cancel, CancelReason, Engine, MemoryAccount};
use pamir_types::{Error, Oid, Result, bail, err, long};
use parking_lot::{Mutex, RwLock};
use query::Portal;
use rustc_hash::FxHashMap;
pub use shared::ThreadStatements;
use shared::{Kept, Origin};
use state::{Block, State};
use statement::{PreparedStmt, Told};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The catalog that new statements start from.
struct Published {
    catalog: RwLock<Arc<Catalog>>,
    version: AtomicU64,
    /// Of a replica: the catalog holds what was committed up to here.
    as_of: AtomicU64,
}

/// What other sessions may know of one.
pub struct SessionInfo {
    pub pid: i32,
    secret: i32,
    pub cancel: Arc<Cancel>,
    activity: Mutex<Activity>,
    /// A [`Wait`].
    wait: AtomicU8,
}

/// What a running statement waits for besides locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Wait {
    None = 0,
    /// Its commit's place in the log.
    Commit,
    Sleep,
    /// Rows of a COPY.
    Client,
    /// The end of others' transactions.
    Others,
}
impl SessionInfo {
    #[inline]
    fn waits(&self, w: Wait) {
        self.wait.store(w as u8, Ordering::Relaxed);
    }
    /// What pg_stat_activity shows.
    fn read(&self) -> Activity {
        let mut a = self.activity.lock().clone();
        a.wait = match self.wait.load(Ordering::Relaxed) {
            n if n == Wait::Commit as u8 => Some(("IO", "WALSync")),
            n if n == Wait::Sleep as u8 => Some(("Timeout", "PgSleep")),
            n if n == Wait::Client as u8 => Some(("Client", "ClientRead")),
            n if n == Wait::Others as u8 => Some(("Lock", "virtualxid")),
            _ => None,
        };
        a
    }
}

/// One open database directory: the shard, the published catalog, the list of sessions. Shared by all connections.
pub struct Database {
    engine: Arc<dyn Engine>,
    /// The engine's data has a log that other nodes write too.
    replicated: bool,
    published: Published,
    sessions: Mutex<FxHashMap<i32, Arc<SessionInfo>>>,
    next_pid: AtomicI32,
    /// What its sessions' plans depend on.
    contexts: shared::Contexts,
    mock_secret: [u8; 32],
    memory: Arc<MemoryAccount>,
    /// For the temporary files of all sessions.
    temp_quota: Arc<Quota>,
    /// Transactions that have run DDL and are open.
    altering: Arc<AtomicUsize>,
    listeners: Arc<listen::Listeners>,
    exported: export::Snapshots,
    /// How long statements took.
    pub durations: Durations,
    /// What each of them cost.
    pub statement_stats: Registry,
    /// Counters of databases that had a session.
    usages: Mutex<FxHashMap<Oid, Arc<DatabaseUsage>>>,
    /// What the server's configuration says of settings.
    server_values: RwLock<Arc<ServerValues>>,
    /// The cluster that this server is a node of.
    cluster: std::sync::OnceLock<Arc<dyn crate::cluster::Operations>>,
    /// Microseconds since 2000-01-01 UTC.
    pub started_at: i64,
    /// Simple queries that ran with the plan of their shape.
    shapes_reused: AtomicU64,
    errors: AtomicU64,
    /// Set once by the server.
    pub backups: OnceLock<Arc<dyn Backups>>,
}

/// What all sorts, hashes and materializations of the process may hold together.
pub const QUERY_MEMORY: u64 = 4 << 30;
/// ... and those of one session (53200 beyond it), or this part of what all may hold, if that is less.
const SESSION_QUERY_MEMORY: u64 = 1 << 30;
const SESSION_SHARE: u64 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExecuteOutcome {
    /// CommandComplete, PortalSuspended or EmptyQueryResponse was sent.
    Sent,
}

/// A prepared statement's description.
pub struct Description<'a> {
    pub params: &'a [Oid],
    /// None: returns no rows.
    pub fields: Option<&'a [Field]>,
}

/// Seconds from 1970-01-01 to 2000-01-01.
const PG_EPOCH_SECS: i64 = 946_684_800;
/// Microseconds since 1970 as SQL counts them.
pub(crate) fn since_2000(micros: i64) -> i64 {
    micros.saturating_sub(PG_EPOCH_SECS * 1_000_000)
}
/// A clock's time as SQL counts it: microseconds since 2000-01-01 UTC.
pub(crate) fn sql_time(p: &dyn Platform) -> i64 {
    p.time() - PG_EPOCH_SECS * 1_000_000
}

impl Database {
    /// Loads the catalog (a new shard gets its first one).
    pub fn open(engine: Arc<dyn Engine>) -> Result<Arc<Database>> {
        Database::open_with(engine, QUERY_MEMORY, u64::MAX)
    }
    /// As [`Database::open`], with `query_memory` bytes for what statements and sessions hold, and `temp_disk` for temporary files.
    pub fn open_with(engine: Arc<dyn Engine>, query_memory: u64, temp_disk: u64) -> Result<Arc<Database>> {
        let (catalog, as_of) = crate::ddl::load(&*engine)?;
        let now = sql_time(&**engine.platform());
        let mut mock_secret = [0u8; 32];
        engine.platform().random(&mut mock_secret)?;
        let memory = engine.memory().child("queries", query_memory);
        let listeners = Arc::new(listen::Listeners::new(memory.clone()));
        let of = listeners.clone();
        engine.listen(Box::new(move |entry| of.deliver(entry)));
        Ok(Arc::new(Database {
            published: Published {
                version: AtomicU64::new(catalog.version),
                catalog: RwLock::new(Arc::new(catalog)),
                as_of: AtomicU64::new(as_of),
            },
            temp_quota: Quota::new(temp_disk),
            memory,
            replicated: engine.catalog_ts().is_some(),
            engine,
            sessions: Mutex::default(),
            next_pid: AtomicI32::new(1000),
            contexts: Default::default(),
            mock_secret,
            altering: Arc::default(),
            listeners,
            exported: Default::default(),
            durations: Durations::default(),
            statement_stats: Registry::new(now),
            usages: Mutex::default(),
            server_values: RwLock::default(),
            cluster: Default::default(),
            started_at: now,
            shapes_reused: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            backups: OnceLock::new(),
        }))
    }
    /// This server is a node of a cluster. Told once, before there are sessions.
    pub fn set_cluster(&self, cluster: Arc<dyn crate::cluster::Operations>) {
        let _ = self.cluster.set(cluster);
    }
    pub fn cluster(&self) -> Option<&Arc<dyn crate::cluster::Operations>> {
        self.cluster.get()
    }
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }
    /// The clock: microseconds since 2000-01-01 UTC.
    pub fn now(&self) -> i64 {
        sql_time(&**self.engine.platform())
    }
    /// What the configuration says of settings: sessions that begin from now on start there.
    pub fn configure(&self, values: ServerValues) {
        *self.server_values.write() = Arc::new(values);
    }
    /// The counters of a database.
    pub fn usage_of(&self, database: Oid) -> Arc<DatabaseUsage> {
        self.usages.lock().entry(database).or_default().clone()
    }
    pub fn catalog(&self) -> Arc<Catalog> {
        self.published.catalog.read().clone()
    }
    /// The newest that this node knows of: for who has no statement yet that would look.
    fn newest_here(&self) -> Arc<Catalog> {
        self.catalog_version();
        self.catalog()
    }
    /// The published catalog's version, without taking a lock.
    pub fn catalog_version(&self) -> u64 {
        if self.replicated && self.engine.catalog_ts() > Some(self.published.as_of.load(Ordering::Acquire)) {
            self.catch_up();
        }
        self.published.version.load(Ordering::Acquire)
    }
    /// The data is a replica's, of which other nodes have theirs.
    #[inline]
    fn is_replicated(&self) -> bool {
        self.replicated
    }
    /// Of a replica: is the published catalog, of this version, what a snapshot at `ts` sees?
    fn catalog_holds_for(&self, ts: u64, version: u64) -> bool {
        let newest = self.engine.catalog_ts().unwrap_or(0);
        newest <= ts
            && self.published.as_of.load(Ordering::Acquire) >= newest
            && self.published.version.load(Ordering::Acquire) == version
    }
    /// A replica's log has brought changes of the catalog: takes them from the catalog's tree. What cannot be read now will be by the next statement.
    #[cold]
    fn catch_up(&self) {
        // Read before the lock is taken: reading may wait for the disk.
        let (objects, as_of) = match crate::ddl::reload(&*self.engine) {
            Ok(read) => read,
            Err(e) => return tracing::warn!(error = %e, "the catalog was not brought up to date"),
        };
        let mut current = self.published.catalog.write();
        // Another session may have been faster.
        if self.published.as_of.load(Ordering::Acquire) < as_of {
            let next = current.replaced_by(objects);
            self.published.version.store(next.version, Ordering::Release);
            *current = Arc::new(next);
            // Last: who finds it new finds the catalog new.
            self.published.as_of.store(as_of, Ordering::Release);
        }
    }
    /// Puts a committed transaction's changes on top of the published catalog.
    fn publish(&self, changes: &Changes) {
        if self.replicated {
            // Its replica's log brings them, in their order with those of other nodes.
            return;
        }
        // What is made here cannot fail.
        let _ = self.republish(|current| Ok(changes.apply(current)));
    }
    /// Publishes what `make` makes of the published catalog.
    fn republish(&self, make: impl FnOnce(&Catalog) -> Result<Catalog>) -> Result<()> {
        let mut current = self.published.catalog.write();
        let next = make(&current)?;
        self.published.version.store(next.version, Ordering::Release);
        *current = Arc::new(next);
        Ok(())
    }
    /// Cancels by the BackendKeyData pair; true if there was such a session.
    pub fn cancel(&self, pid: i32, secret: i32) -> bool {
        let sessions = self.sessions.lock();
        let Some(s) = sessions.get(&pid).filter(|s| s.secret == secret) else { return false };
        s.cancel.request(CancelReason::User);
        true
    }
    fn signal(&self, pid: i32, terminate: bool) -> bool {
        let info = self.sessions.lock().get(&pid).cloned();
        match info {
            Some(s) => {
                s.cancel.request(if terminate { CancelReason::Terminate } else { CancelReason::User });
                true
            }
            None => false,
        }
    }
    /// The text of what session `pid` runs, in `most` bytes at most. None also where whoever knows it is busy: it is asked for about sessions that make no progress.
    pub fn statement_of(&self, pid: i32, most: usize) -> Option<String> {
        let info = self.sessions.try_lock()?.get(&pid)?.clone();
        let activity = info.activity.try_lock()?;
        Some(pamir_types::text::cut(&activity.query, most).to_string())
    }
    fn activity(&self) -> Vec<Activity> {
        let infos: Vec<_> = self.sessions.lock().values().cloned().collect();
        let mut v: Vec<Activity> = infos.iter().map(|i| i.read()).collect();
        v.sort_by_key(|a| a.pid);
        v
    }
    /// The counters of every database that there is, by its name.
    pub fn usages(&self) -> Vec<(String, Arc<DatabaseUsage>)> {
        self.catalog().databases().into_iter().map(|d| (d.name.clone(), self.usage_of(d.oid))).collect()
    }
    /// Asks every session to end (shutdown).
    pub fn terminate_all(&self) {
        let infos: Vec<_> = self.sessions.lock().values().cloned().collect();
        for s in infos {
            s.cancel.request(CancelReason::Shutdown);
        }
    }
    /// The stored SCRAM verifier of a role that may log in; Err(28000) if there is no such role.
    pub fn verifier(&self, role: &str) -> Result<Option<String>> {
        let c = self.newest_here();
        let r = c
            .role_by_name(role)
            .ok_or_else(|| err!(INVALID_AUTHORIZATION_SPECIFICATION, "role \"{role}\" does not exist"))?;
        if !r.login {
            bail!(INVALID_AUTHORIZATION_SPECIFICATION, "role \"{role}\" is not permitted to log in");
        }
        // VALID UNTIL: no password is the right one from then on, and nobody is told why.
        if r.password.is_some() && r.valid_until.is_some_and(|t| t < self.now()) {
            return Ok(Some(String::new()));
        }
        Ok(r.password.clone())
    }
    /// May the role begin a session in the database, beside those there are?
    fn may_connect(&self, c: &Catalog, role: &Role, d: &pamir_catalog::Database) -> Result<()> {
        let name = &d.name;
        if !d.allow_connections {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "database \"{name}\" is not currently accepting connections");
        }
        if role.superuser {
            return Ok(());
        }
        if Who::new(c, role.oid, d.oid).on_database(c, d.oid, acl::CONNECT) == 0 {
            return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied for database \"{name}\"")
                .detail("User does not have CONNECT privilege."));
        }
        let count = |is: &dyn Fn(&Activity) -> bool| {
            self.sessions.lock().values().filter(|s| is(&s.activity.lock())).count() as i64
        };
        if d.connection_limit >= 0 && count(&|a| a.database == *name) >= i64::from(d.connection_limit) {
            bail!(TOO_MANY_CONNECTIONS, "too many connections for database \"{name}\"");
        }
        if role.connection_limit >= 0 && count(&|a| a.user == role.name) >= i64::from(role.connection_limit) {
            bail!(TOO_MANY_CONNECTIONS, "too many connections for role \"{}\"", role.name);
        }
        Ok(())
    }
    /// The secret from which salts for unknown roles are made, so that they cannot be told from known ones.
    pub fn mock_secret(&self) -> [u8; 32] {
        self.mock_secret
    }
    /// Name and value of SQL-level counters for /metrics.
    pub fn stats(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("sessions", self.sessions.lock().len() as u64),
            ("statements", StatementKind::ALL.iter().map(|k| self.durations.read(*k).count).sum()),
            ("statement_errors", self.errors.load(Ordering::Relaxed)),
            ("catalog_version", self.catalog_version()),
            ("shapes_reused", self.shapes_reused.load(Ordering::Relaxed)),
            ("query_memory_bytes", self.memory.used()),
            ("temp_file_bytes", self.temp_quota.used()),
        ]
    }
}

/// BEGIN and COMMIT, which need no parser, as pg_stat_statements counts them.
struct Common {
    begin: Arc<PreparedStmt>,
    commit: Arc<PreparedStmt>,
}
impl Common {
    fn new() -> Common {
        let of =
            |text: &str, what| Arc::new(PreparedStmt::new(text.into(), Some(Statement::Transaction(what)), Vec::new()));
        Common {
            begin: of("BEGIN", Transaction::Begin(Vec::new())),
            commit: of("COMMIT", Transaction::Commit { chain: false }),
        }
    }
}

/// One connection's state.
pub struct Session {
    state: State,
    unnamed: Option<Kept>,
    portals: FxHashMap<String, Portal>,
    unnamed_portal: Option<Portal>,
    shapes: literals::Shapes,
    /// The transaction of extended messages since the last Sync; see `again.rs`.
    pipeline: again::Pipeline,
    /// A utility statement runs through Execute: its rows were described before.
    extended: bool,
    /// Statements that are not parsed.
    common: Common,
    /// The values that the newest failed statement ran with, for the log.
    failed_values: Option<String>,
    /// The last statement description handed out.
    described: (Vec<Oid>, Vec<Field>),
}

impl Drop for Session {
    fn drop(&mut self) {
        self.portals.clear();
        self.unnamed_portal = None;
        self.state.rollback();
        observe::log_disconnection(&self.state.info.activity.lock(), self.state.db.now(), &self.state.settings);
        self.state.db.sessions.lock().remove(&self.state.info.pid);
    }
}

impl Session {
    /// After authentication. `params` are the startup packet's (user, database, application_name, options, ...). 3D000 for an unknown database.
    /// Sends every ParameterStatus through `client`.
    pub fn start(
        db: Arc<Database>,
        params: &[(String, String)],
        peer: Option<Peer>,
        client: &mut dyn Client,
    ) -> Result<Session> {
        let get = |k: &str| params.iter().find(|p| p.0 == k).map(|p| p.1.as_str());
        let user = get("user")
            .filter(|u| !u.is_empty())
            .ok_or_else(|| {
                err!(INVALID_AUTHORIZATION_SPECIFICATION, "no PostgreSQL user name specified in startup packet")
            })?
            .to_string();
        let database = get("database").filter(|d| !d.is_empty()).unwrap_or(&user).to_string();
        let mut catalog = db.newest_here();
        let is_there = |c: &Catalog| c.role_by_name(&user).is_some() && c.database_by_name(&database).is_some();
        // Made at another node a moment ago?
        if db.replicated && !is_there(&catalog) && db.engine.await_newest_catalog().is_ok() {
            catalog = db.newest_here();
        }
        let Some(role) = catalog.role_by_name(&user) else {
            bail!(INVALID_AUTHORIZATION_SPECIFICATION, "role \"{user}\" does not exist")
        };
        let d = catalog
            .database_by_name(&database)
            .ok_or_else(|| err!(INVALID_CATALOG_NAME, "database \"{database}\" does not exist"))?;
        db.may_connect(&catalog, role, d)?;
        let mut settings = Settings::on(db.server_values.read().clone());
        // The database's, the role's, the role's in this database: the later win, and what the client asks for wins over them. One that is
        // not valid any more keeps nobody out.
        let kept = d.settings.iter().map(|(n, v)| (n, v));
        let of_role = |in_database: Oid| {
            role.settings.iter().filter(move |s| s.database == in_database).map(|s| (&s.name, &s.value))
        };
        for (n, v) in kept.chain(of_role(0)).chain(of_role(d.oid)) {
            let _ = settings.set_session_default(n, v);
        }
        let d = d.oid;
        let own = |name: &str| -> Result<()> {
            if !role.superuser && settings::superuser_only(name) {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set parameter \"{name}\"");
            }
            Ok(())
        };
        for (k, v) in params {
            match k.as_str() {
                "user" | "database" | "replication" => {}
                "options" => {
                    for (name, value) in startup_options(v)? {
                        own(&name)?;
                        settings.set_session_default(&name, &value)?;
                    }
                }
                _ if k.starts_with("_pq_.") => {}
                _ => {
                    own(k)?;
                    settings.set_session_default(k, v)?
                }
            }
        }
        settings.set_session_default("session_authorization", &user)?;
        let other = settings.get("role").filter(|r| r != "none");
        if let Some(role) = &other {
            state::may_set_role(&catalog, &user, role)?;
        }
        let current = other.map_or(Some(role), |r| catalog.role_by_name(&r));
        settings.show_superuser(current.is_some_and(|r| r.superuser));
        let pid = db.next_pid.fetch_add(1, Ordering::Relaxed);
        let mut secret = [0u8; 4];
        db.engine.platform().random(&mut secret)?;
        let now = db.now();
        let info = Arc::new(SessionInfo {
            pid,
            secret: i32::from_le_bytes(secret),
            cancel: Arc::new(Cancel::default()),
            activity: Mutex::new(Activity {
                pid,
                database: database.clone(),
                user: user.clone(),
                application: settings.get("application_name").unwrap_or_default(),
                client: peer,
                state: "idle",
                backend_start: now,
                query_start: now,
                state_change: now,
                ..Activity::default()
            }),
            wait: AtomicU8::new(Wait::None as u8),
        });
        db.sessions.lock().insert(pid, info.clone());
        let scope = state::first_scope(d, &user, &catalog, &mut settings);
        client.set_text_ctx(&settings.text);
        let standby = db.cluster().is_some_and(|c| c.in_recovery());
        settings.mirror("in_hot_standby", if standby { "on" } else { "off" });
        for s in SETTINGS.iter().filter(|s| s.report) {
            client.parameter_status(s.name, &settings.get(s.name).unwrap_or_default());
        }
        let mut state = State::new(db, info, scope, user, database, settings);
        state.telling = notices::Telling::by(client.lane());
        state.standby = standby;
        state.resolve_scope();
        state.usage.often.add_of_database(OfDatabase::Sessions, 1);
        observe::log_connection(&state.info.activity.lock(), &state.settings);
        Ok(Session {
            state,
            unnamed: None,
            portals: FxHashMap::default(),
            unnamed_portal: None,
            shapes: Default::default(),
            pipeline: Default::default(),
            extended: false,
            common: Common::new(),
            failed_values: None,
            described: Default::default(),
        })
    }
    /// BackendKeyData.
    pub fn key(&self) -> (i32, i32) {
        (self.state.info.pid, self.state.info.secret)
    }
    pub fn cancel_handle(&self) -> Arc<Cancel> {
        self.state.info.cancel.clone()
    }
    /// ReadyForQuery's byte: I, T or E.
    pub fn status(&self) -> u8 {
        match (self.state.block, self.state.failed) {
            (Block::Explicit, true) => b'E',
            (Block::Explicit, false) => b'T',
            _ => b'I',
        }
    }

    /// Simple query: runs every statement of `sql`, sending all results. An Err is to be sent as ErrorResponse (the session has already aborted what it must).
    pub fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        self.state.start_message();
        let r = match self.simple_steadily(sql, client) {
            Ok(()) => Ok(()),
            Err(e) => {
                let e = self.told(e);
                self.fail(&e);
                Err(e)
            }
        };
        if self.state.block == Block::Idle {
            self.drop_portals();
        }
        self.state.flush_notices(client);
        self.idle_activity();
        r
    }
    fn simple_once(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        let ran = self.state.hear_clock().and_then(|()| self.run_simple(sql, client));
        self.state.in_string = false;
        ran.map_err(|e| self.state.settled(e))?;
        if self.state.block == Block::Implicit {
            self.commit().map(|_| ())?;
        }
        Ok(())
    }
    /// `last` of a query string: what it and those before it tell the client leaves now.
    fn end_statement(&mut self, last: bool) -> Result<()> {
        match self.state.block {
            _ if !last => Ok(()),
            Block::Implicit => self.commit().map(|_| ()),
            _ => {
                self.state.settle()?;
                // A block that idles holds no history.
                self.state.end_follower_statement();
                Ok(())
            }
        }
    }
    /// The protocol is about to send what is buffered, though no Sync has come yet. An error is to be handled as one of a statement.
    pub fn settle(&mut self) -> Result<()> {
        if self.has_told_all() {
            return Ok(());
        }
        self.state.settle()
    }

    fn run_simple(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        // The two most common statements of all need no parser.
        let trimmed = sql.trim_end_matches([';', ' ', '\n', '\t', '\r']);
        if trimmed.eq_ignore_ascii_case("begin") {
            self.started(sql);
            let stmt = self.common.begin.clone();
            self.check_failed(&stmt)?;
            self.log_start(&stmt, sql, (&[], &[]), None);
            self.state.begin_block()?;
            self.state.flush_notices(client);
            client.command_complete("BEGIN");
            self.finished_utility(&stmt, sql, 0);
            return Ok(());
        }
        if trimmed.eq_ignore_ascii_case("commit") && self.state.block == Block::Explicit {
            self.started(sql);
            let stmt = self.common.commit.clone();
            self.log_start(&stmt, sql, (&[], &[]), None);
            let tag = self.commit()?;
            self.state.flush_notices(client);
            client.command_complete(tag);
            self.finished_utility(&stmt, sql, 0);
            return Ok(());
        }
        self.state.refresh_catalog();
        if let Some(stmt) = self.state.shared(Origin::Simple, sql, &[]) {
            self.started(sql);
            self.log_start(&stmt, sql, (&[], &[]), None);
            return self.run_statement(&stmt, &[], Told::Nothing, true, client);
        }
        if let Some(r) = self.run_shape(sql, client) {
            return r;
        }
        // Parsing is part of the first statement.
        self.started(sql);
        let script = parser::parse(sql)?;
        // Such a text is parsed each time, so that each time its sender is told.
        let told = self.tell(script.notices, client);
        if script.statements.is_empty() {
            client.empty_query();
            return Ok(());
        }
        let last = script.statements.len() - 1;
        for (i, mut p) in script.statements.into_iter().enumerate() {
            match i {
                0 if last == 0 => {}
                0 => self.shown(&p.text),
                _ => self.started(&p.text),
            }
            let (offset, deep) = (p.offset, p.deep);
            let text = std::mem::take(&mut p.text);
            let mut stmt = PreparedStmt::of(p, text, Vec::new())?;
            if let Some(Statement::Prepare(_) | Statement::Declare(_)) = &stmt.stmt {
                stmt.within = Some(long::string(sql)?);
            }
            let stmt = Arc::new(stmt);
            // Several statements are a block of their own.
            if last > 0 {
                self.state.in_string = true;
                self.state.begin_implicit();
                if let Some(what) = stmt.stmt.as_ref().and_then(crate::ddl::forbidden_in_block) {
                    self.not_in_block(what)?;
                }
            }
            if last == 0 && offset == 0 && !deep && !told {
                self.state.share(Origin::Simple, sql, false, &stmt);
            }
            self.log_start(&stmt, &stmt.text, (&[], &[]), None);
            // Several statements in one string are one implicit transaction; the last one's tag goes out after its commit.
            let r = on_stack_for(deep, || self.run_statement(&stmt, &[], Told::Nothing, i == last, client));
            r.map_err(|mut e| {
                if let Some(pos) = &mut e.data_mut().position {
                    *pos += sql.get(..offset).map_or(0, |s| s.chars().count() as u32);
                }
                e
            })?;
        }
        Ok(())
    }

    /// Sends what the parser has to say of a text; false: nothing.
    fn tell(&mut self, notices: Vec<Error>, client: &mut dyn Client) -> bool {
        if notices.is_empty() {
            return false;
        }
        notices.into_iter().for_each(|n| self.state.queue(n));
        self.state.flush_notices(client);
        true
    }

    pub fn parse(&mut self, name: &str, sql: &str, param_types: &[Oid], client: &mut dyn Client) -> Result<()> {
        self.parse_statement(name, sql, param_types, client).inspect_err(|_| self.shown(sql))
    }
    fn parse_statement(&mut self, name: &str, sql: &str, param_types: &[Oid], client: &mut dyn Client) -> Result<()> {
        self.state.start_extended()?;
        if let Some(stmt) = self.state.shared(Origin::Parse, sql, param_types) {
            return self.keep_statement(name, stmt);
        }
        let script = parser::parse(sql)?;
        let told = self.tell(script.notices, client);
        let mut parsed = script.statements;
        if parsed.len() > 1 {
            bail!(SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
        }
        let (text, types) = (long::string(sql)?, param_types.to_vec());
        let stmt = match parsed.pop() {
            None => PreparedStmt::new(text, None, types),
            Some(p) => PreparedStmt::of(p, text, types)?,
        };
        let stmt = Arc::new(stmt);
        self.keep_statement(name, stmt.clone())?;
        // What a CALL's parameters are depends on who sends it.
        if !stmt.deep && !told && !matches!(&stmt.stmt, Some(Statement::Call(_))) {
            self.state.share(Origin::Parse, sql, !name.is_empty(), &stmt);
        }
        Ok(())
    }

    /// Checks and plans a parsed statement, and remembers it under `name`.
    fn keep_statement(&mut self, name: &str, stmt: Arc<PreparedStmt>) -> Result<()> {
        self.check_failed(&stmt)?;
        if !name.is_empty() && self.state.prepared.contains_key(name) {
            bail!(DUPLICATE_PREPARED_STATEMENT, "prepared statement \"{name}\" already exists");
        }
        let mut stmt = stmt;
        if let Some(Statement::Call(c)) = &stmt.stmt {
            let described = || self.state.describe_call(c, &stmt.text, &stmt.declared);
            let (types, _) = on_stack_for(stmt.deep, described)?;
            stmt.types.get_or_init(|| types);
        }
        if stmt.is_query() {
            let mut p = self.state.plan_for(&stmt)?;
            // Somebody may be changing the tables: as in PostgreSQL this waits here, so that what Describe says holds at Execute. Who waited and finds them
            // changed begins anew; nobody was told of the first plan.
            while self.state.others_alter() && !p.is_denied() && !self.state.lock_for(&p, false)? {
                stmt = Arc::new(stmt.again()?);
                p = self.state.plan_for(&stmt)?;
            }
        }
        if name.is_empty() {
            self.unnamed = Some(Kept::by(self.state.sharing(), stmt, self.state.statement_time));
        } else {
            let at = self.state.statement_time;
            let kept = Kept::by(self.state.sharing(), stmt, at).charged(&self.state.work().memory)?;
            self.state.prepared.insert(name.to_string(), kept);
        }
        Ok(())
    }

    fn statement(&mut self, name: &str) -> Result<Arc<PreparedStmt>> {
        if !name.is_empty() {
            return self.state.named_statement(name);
        }
        let Some(kept) = &self.unnamed else {
            bail!(INVALID_SQL_STATEMENT_NAME, "unnamed prepared statement does not exist")
        };
        let (stmt, thread) = (kept.stmt.clone(), kept.thread);
        let Some(own) = self.state.statement_here(&stmt, thread, false)? else { return Ok(stmt) };
        let at = self.unnamed.as_ref().map_or(0, |k| k.at);
        self.unnamed = Some(Kept::by(self.state.sharing(), own.clone(), at));
        Ok(own)
    }

    pub fn describe_statement(&mut self, name: &str) -> Result<Description<'_>> {
        self.state.start_extended()?;
        let stmt = self.statement(name)?;
        let (params, fields) = self.describe(&stmt)?;
        let has_rows = fields.is_some();
        self.described = (params, fields.unwrap_or_default());
        Ok(Description { params: &self.described.0, fields: has_rows.then_some(&self.described.1[..]) })
    }

    /// Fields and formats of a portal; None: no rows.
    pub fn describe_portal(&mut self, name: &str) -> Result<Option<(&[Field], &[i16])>> {
        self.state.start_extended()?;
        let p = self.portal_ref(name)?;
        Ok(p.fields().map(|f| (f, &p.formats[..])))
    }

    fn portal_ref(&self, name: &str) -> Result<&Portal> {
        let p = if name.is_empty() { self.unnamed_portal.as_ref() } else { self.portals.get(name) };
        p.ok_or_else(|| err!(INVALID_CURSOR_NAME, "portal \"{name}\" does not exist"))
    }

    pub fn close_statement(&mut self, name: &str) -> Result<()> {
        self.state.hear_clock()?;
        if name.is_empty() {
            self.unnamed = None
        } else {
            drop(self.state.prepared.remove(name))
        }
        Ok(())
    }
    pub fn close_portal(&mut self, name: &str) -> Result<()> {
        self.state.hear_clock()?;
        if name.is_empty() {
            self.unnamed_portal = None
        } else {
            drop(self.portals.remove(name))
        }
        Ok(())
    }

    /// Sync: ends the implicit transaction (commits it; after an error `fail` has already rolled it back).
    pub fn sync(&mut self, client: &mut dyn Client) -> Result<()> {
        let late = self.state.hear_clock().inspect_err(|e| self.fail(e));
        self.state.stop_clock();
        let r = if self.state.block == Block::Implicit {
            let r = self.end_steadily(client);
            if let Err(e) = &r {
                self.state.db.errors.fetch_add(1, Ordering::Relaxed);
                self.note_failure(e);
            }
            r
        } else {
            let settled = self.end_steadily(client).inspect_err(|e| self.fail(e));
            self.state.end_follower_statement();
            settled
        };
        if self.state.block == Block::Idle {
            self.drop_portals();
        }
        self.state.flush_notices(client);
        self.idle_activity();
        late.and(r)
    }

    /// An error as it is to be sent: with the names of the users' types that it speaks of.
    pub fn told(&self, e: Error) -> Error {
        pamir_expr::func::enums::name_types(e, &self.state.catalog, &self.state.scope)
    }
    /// An error was sent: the implicit transaction is aborted, an explicit one fails (status E).
    pub fn fail(&mut self, e: &Error) {
        self.pipeline = Default::default();
        self.state.stop_clock();
        self.note_failure(e);
        // Replies of the statements before it leave with it.
        let _ = self.state.settle();
        self.state.db.errors.fetch_add(1, Ordering::Relaxed);
        self.state.abort();
        // With a savepoint to go back to, portals may be read on after that.
        if self.state.txn.is_none() {
            self.drop_portals();
        } else if let Some(p) = &mut self.unnamed_portal {
            p.end();
        }
    }

    /// How long the session may idle now: idle_in_transaction_session_timeout inside a block, idle_session_timeout outside.
    pub fn idle_timeout(&self) -> Option<std::time::Duration> {
        match self.state.block {
            Block::Explicit => self.state.settings.idle_in_transaction_timeout,
            _ => self.state.settings.idle_session_timeout,
        }
    }
    /// The FATAL error to send when `idle_timeout` passed.
    pub fn idle_timeout_error(&self) -> Error {
        let e = match self.state.block {
            Block::Explicit => {
                err!(IDLE_IN_TRANSACTION_SESSION_TIMEOUT, "terminating connection due to idle-in-transaction timeout")
            }
            _ => err!(IDLE_SESSION_TIMEOUT, "terminating connection due to idle-session timeout"),
        };
        e.severity(pamir_types::error::Severity::Fatal)
    }

    /// 25P02 unless `stmt` may run in a failed block: it ends the block, or is empty.
    fn check_failed(&self, stmt: &PreparedStmt) -> Result<()> {
        match self.state.failed && stmt.stmt.as_ref().is_some_and(|s| !transaction::ends_block(s)) {
            true => Err(aborted()),
            false => Ok(()),
        }
    }
}

fn aborted() -> Error {
    err!(IN_FAILED_SQL_TRANSACTION, "current transaction is aborted, commands ignored until end of transaction block")
}

/// Characters of a query text that pg_stat_activity shows (PostgreSQL's track_activity_query_size is alike).
const MAX_ACTIVITY_QUERY: usize = 1024;

/// `-c name=value` and `--name=value` of the startup packet's options.
fn startup_options(s: &str) -> Result<Vec<(String, String)>> {
    let mut words: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => current.extend(chars.next()),
            c if c.is_whitespace() => {
                if !current.is_empty() {
                    words.push(std::mem::take(&mut current));
                }
            }
            c => current.push(c),
        }
    }
    if !current.is_empty() {
        words.push(current);
    }
    let mut out = Vec::new();
    let mut it = words.into_iter();
    while let Some(w) = it.next() {
        let assignment = if w == "-c" {
            it.next().unwrap_or_default()
        } else if let Some(rest) = w.strip_prefix("--").or_else(|| w.strip_prefix("-c")) {
            rest.to_string()
        } else {
            bail!(INVALID_PARAMETER_VALUE, "invalid command-line argument for server process: {w}");
        };
        let (k, v) = assignment.split_once('=').ok_or_else(|| {
            err!(INVALID_PARAMETER_VALUE, "invalid command-line argument for server process: {assignment}")
        })?;
        out.push((k.replace('-', "_"), v.to_string()));
    }
    Ok(out)
}
