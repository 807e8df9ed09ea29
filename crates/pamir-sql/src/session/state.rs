//! What a session knows between and during statements, and the [`Env`] that functions see of it.
//!
//! The transaction block is a small machine:
//!
//! ```text
//!            BEGIN                       error
//!   Idle ------------> Explicit -----------------------> Failed (Explicit)
//!    ^ \                  |  ROLLBACK TO (savepoint)  <----/  |
//!    |  \ statement       | COMMIT / ROLLBACK                 | COMMIT = ROLLBACK
//!    |   +--> Implicit ---+-----------------------------------+
//!    +----------(end of the simple query, or Sync)------------+
//! ```
//! The shard's transaction itself is begun by the first statement that needs one, so `BEGIN; SET TRANSACTION ...` costs nothing below.
mod env;

use super::follower::{Follows, Seen};
use super::{Database, SessionInfo, Wait};
use crate::client::Client;
use crate::ddl::Changes;
use crate::settings::Settings;
use crate::stored::readable;
use crate::vtable::{self, ServerEnv};
use pamir_catalog::acl::{self, Mode, Who};
use pamir_catalog::system::VirtualTable;
use pamir_catalog::text_search::What;
use pamir_catalog::usage::{DatabaseUsage, OfDatabase};
use pamir_catalog::{Catalog, NameScope, Sequence, SqlText, Table};
use pamir_exec::{DeferredChecks, DeferredMark, ExecCtx};
use pamir_expr::backups::Backups;
use pamir_expr::env::{Activity, Backend, CursorInfo, Env, PreparedInfo, TxnInUse};
use pamir_expr::ir::Expr;
use pamir_expr::large_object::Descriptors;
use pamir_expr::names::Names;
use pamir_expr::spi::Spi;
use pamir_storage::task;
use pamir_txn::shard::{Isolation, SavepointId};
use pamir_txn::{Engine, LockOutcome, Snapshot, TableLock, Txn, WaitPolicy};
use pamir_types::error::{Severity, state};
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use parking_lot::ReentrantMutex;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// No role has this number: whoever's role was dropped has no privilege but PUBLIC's.
const NOBODY: Oid = Oid::MAX;
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    Idle,
    /// Begun by a statement outside a block; ends with the query string or Sync.
    Implicit,
    Explicit,
}

/// A savepoint: what to go back to.
pub struct Frame {
    pub name: String,
    pub id: SavepointId,
    settings: usize,
    changes: Changes,
    catalog: Arc<Catalog>,
    private: bool,
    published: u64,
    deferred: DeferredMark,
    talk: super::listen::Mark,
    /// A subtransaction's end brings it back, however it ends.
    read_only: bool,
}

/// One of the transactions that have run DDL and are still open: they are counted, so that a statement is prepared under its tables' locks only where
/// somebody may be about to change them.
pub struct Altering(Arc<AtomicUsize>);
impl Altering {
    pub fn new(count: &Arc<AtomicUsize>) -> Altering {
        count.fetch_add(1, Ordering::Relaxed);
        Altering(count.clone())
    }
}
impl Drop for Altering {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub struct State {
    pub db: Arc<Database>,
    /// The database's, with what is the session's own once it has something temporary.
    pub(super) engine: Arc<dyn Engine>,
    pub(super) temporary: Option<Box<super::temporary::Temporary>>,
    /// Which rows of a virtual table are being made.
    wanted: Vec<(&'static str, Datum)>,
    /// What this session's queries may hold; made anew when its settings change.
    work: Arc<pamir_exec::Work>,
    pub info: Arc<SessionInfo>,
    pub catalog: Arc<Catalog>,
    /// `catalog` holds this transaction's own uncommitted DDL.
    pub private: bool,
    /// ... on top of the published catalog of this version.
    pub published: u64,
    /// This transaction has run DDL.
    pub altering: Option<Altering>,
    pub changes: Changes,
    pub scope: NameScope,
    /// The newest [`State::who`], with the catalog version it is of.
    who: Option<(u64, Arc<Who>)>,
    /// (settings' generation, number) of the newest [`State::context`].
    context: Cell<(u64, u64)>,
    pub settings: Settings,
    /// The catalog version whose types the text settings know.
    named_at: u64,
    /// Binding a statement read a literal such as 'now'.
    pub read_a_moment: bool,
    /// Who logged in.
    authenticated: String,
    /// As SET SESSION AUTHORIZATION says.
    session_user: String,
    /// As SET ROLE says.
    pub user: String,
    pub database: String,
    pub block: Block,
    /// The statement is one of several in a query string, which are one transaction.
    pub(super) in_string: bool,
    pub failed: bool,
    pub txn: Option<Arc<ReentrantMutex<Txn>>>,
    /// Some: `txn` reads at this node's replica (`follower.rs`), and `catalog` stands still.
    pub(super) follows: Option<Follows>,
    pub(super) seen: Seen,
    /// The open transaction has read nothing but through snapshots.
    pub(super) by_snapshots: bool,
    pub isolation: Isolation,
    pub read_only: bool,
    pub frames: Vec<Frame>,
    pub deferred: DeferredChecks,
    /// What the running statement sees, kept only where functions may run statements beside it.
    pub(super) running: Option<Snapshot>,
    /// Statements of functions that run, one in another.
    pub(super) nested: usize,
    /// ... and that have run.
    pub(super) nested_so_far: u64,
    /// What the statement that is bound may name beside its columns.
    pub(super) names: Option<Arc<Names>>,
    /// Functions' bodies, compiled.
    pub(super) functions: super::functions::Kept,
    /// Triggers under way, the innermost last.
    pub(super) firing: Vec<super::functions::trigger::Frame>,
    /// Foreign keys' actions under way.
    key_actions: i32,
    /// Conversions that functions' values have needed.
    pub(super) casts: FxHashMap<(Type, Type), Arc<pamir_expr::expr::Px>>,
    /// Cursors that functions have opened, until the transaction ends.
    pub(super) function_cursors: super::functions::Cursors,
    /// Functions under way.
    pub(super) levels: Vec<super::functions::levels::Level>,
    /// Large objects that are open, until the transaction ends.
    large_objects: Descriptors,
    /// How many cursors without a name there have been.
    pub(super) unnamed_cursors: u64,
    pub txn_time: i64,
    pub statement_time: i64,
    /// statement_timeout runs since an earlier message of the extended protocol.
    clock: bool,
    /// See `again.rs`.
    pub(super) again: super::again::Done,
    pub notices: Vec<Error>,
    /// See `notices.rs`.
    pub(super) telling: super::notices::Telling,
    pub(super) talk: super::listen::Talk,
    /// Settings whose new value the client must be told.
    pub reports: Vec<&'static crate::settings::Setting>,
    /// As in_hot_standby says.
    pub(super) standby: bool,
    /// Settings changed: the client's text context is stale.
    pub text_stale: bool,
    /// What pg_cursors shows.
    pub cursors: super::cursor::CursorList,
    /// Prepared statements by name.
    pub prepared: FxHashMap<String, super::shared::Kept>,
    /// The statement that runs.
    pub current: super::observe::Current,
    /// The database's counters.
    pub usage: Arc<DatabaseUsage>,
    currvals: FxHashMap<Oid, i64>,
    /// Values that a statement is about to draw, the next one last, by the sequence's number in the shard.
    drawn_ahead: FxHashMap<u64, Vec<i64>>,
    /// Advisory locks beyond transactions, from the first one on.
    pub(super) locks: Option<pamir_txn::SessionLocks>,
    last_seq: Option<Oid>,
    rng: u64,
}

/// SET ROLE: to a role that `by` is in.
pub(super) fn may_set_role(catalog: &Catalog, by: &str, role: &str) -> Result<()> {
    let Some(to) = catalog.role_by_name(role) else { bail!(INVALID_PARAMETER_VALUE, "role \"{role}\" does not exist") };
    if catalog.role_by_name(by).is_some_and(|r| acl::is_member(catalog, r.oid, to.oid, 0)) {
        return Ok(());
    }
    bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set role \"{role}\"")
}
/// SET SESSION AUTHORIZATION: a superuser's, and back to oneself.
pub(super) fn may_be_session(catalog: &Catalog, by: &str, role: &str) -> Result<()> {
    if catalog.role_by_name(role).is_none() {
        bail!(INVALID_PARAMETER_VALUE, "role \"{role}\" does not exist");
    }
    if role != by && !catalog.role_by_name(by).is_some_and(|r| r.superuser) {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set session authorization");
    }
    Ok(())
}

impl State {
    pub fn new(
        db: Arc<Database>,
        info: Arc<SessionInfo>,
        scope: NameScope,
        user: String,
        database: String,
        settings: Settings,
    ) -> State {
        let now = db.now();
        let usage = db.usage_of(scope.database);
        let work = Arc::new(pamir_exec::Work {
            memory: {
                let limit = super::SESSION_QUERY_MEMORY.min(db.memory.limit() / super::SESSION_SHARE);
                db.memory.child("session queries", limit)
            },
            mem: settings.work_mem,
            hash_mem: settings.hash_mem,
            temp: Arc::new(pamir_exec::TempSpace::new(db.engine.disk(), db.temp_quota.clone(), usage.often.clone())),
        });
        State {
            work,
            catalog: db.catalog(),
            engine: db.engine.clone(),
            temporary: None,
            wanted: Vec::new(),
            rng: (now as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((info.pid as u64) << 32) | 1,
            db,
            info,
            private: false,
            published: 0,
            altering: None,
            changes: Changes::default(),
            scope,
            who: None,
            context: Cell::default(),
            named_at: 0,
            settings,
            read_a_moment: false,
            authenticated: user.clone(),
            session_user: user.clone(),
            user,
            database,
            block: Block::Idle,
            in_string: false,
            failed: false,
            txn: None,
            follows: None,
            seen: Seen::default(),
            by_snapshots: false,
            isolation: Isolation::ReadCommitted,
            read_only: false,
            frames: Vec::new(),
            deferred: DeferredChecks::default(),
            running: None,
            nested: 0,
            nested_so_far: 0,
            names: None,
            functions: Default::default(),
            firing: Vec::new(),
            key_actions: 0,
            casts: Default::default(),
            function_cursors: Default::default(),
            levels: Vec::new(),
            large_objects: Descriptors::default(),
            unnamed_cursors: 0,
            txn_time: now,
            statement_time: now,
            clock: false,
            again: Default::default(),
            notices: Vec::new(),
            telling: Default::default(),
            talk: Default::default(),
            reports: Vec::new(),
            standby: false,
            text_stale: false,
            cursors: Default::default(),
            prepared: FxHashMap::default(),
            current: Default::default(),
            usage,
            currvals: FxHashMap::default(),
            drawn_ahead: FxHashMap::default(),
            locks: None,
            last_seq: None,
        }
    }

    pub fn warn(&mut self, e: Error) {
        self.queue(e.severity(Severity::Warning));
    }

    /// Sends and forgets the notices gathered so far.
    pub fn flush_notices(&mut self, client: &mut dyn Client) {
        for n in self.notices.drain(..) {
            client.notice(&n);
        }
        self.telling.sent = None;
        if std::mem::take(&mut self.text_stale) {
            client.set_text_ctx(&self.settings.text);
            client.set_tcp(self.settings.tcp);
            for s in std::mem::take(&mut self.reports) {
                client.parameter_status(s.name, &self.settings.get(s.name).unwrap_or_default());
            }
        }
    }

    /// A message of the client begins. What was asked of the one before is forgotten.
    pub fn start_message(&mut self) {
        self.info.cancel.reset();
    }
    /// A message of the extended protocol begins. statement_timeout runs from the first of them, also while the next one is waited for, until [`Self::stop_clock`]: 57014 once it has passed.
    pub fn start_extended(&mut self) -> Result<()> {
        self.info.cancel.reset();
        self.start_now();
        if self.clock {
            return self.info.cancel.listen();
        }
        self.set_deadline();
        self.clock = self.settings.statement_timeout.is_some();
        Ok(())
    }
    /// As [`Self::start_extended`], of a message that does not set the clock going.
    pub fn hear_clock(&self) -> Result<()> {
        if self.clock { self.info.cancel.listen() } else { Ok(()) }
    }
    /// What statement_timeout is for is done (a portal ran to its end), or is to end (Sync, an error).
    pub fn stop_clock(&mut self) {
        self.clock = false;
    }
    /// A statement of a simple query starts: its own time, deadline and catalog.
    pub fn start_statement(&mut self) {
        self.clock = false;
        self.set_deadline();
        self.start_now();
    }
    fn set_deadline(&self) {
        if self.again.runs {
            // It runs on from the first time.
            return;
        }
        self.info.cancel.set_deadline(self.settings.statement_timeout.map(|d| task::now() + d));
    }
    /// What ran is to run once more, as if it came now.
    pub(super) fn start_anew(&mut self) {
        self.start_now();
    }
    /// The clock's time, a fresh catalog unless the transaction has its own.
    fn start_now(&mut self) {
        self.end_follower_statement();
        self.statement_time = self.db.now();
        if self.block == Block::Idle {
            self.txn_time = self.statement_time;
            self.settings.text.now = self.txn_time;
        }
        self.refresh_catalog();
        if let Some(c) = self.db.cluster()
            && c.in_recovery() != self.standby
        {
            self.change_standby();
        }
    }

    /// The leadership has come or gone since the last statement: the client is told.
    #[cold]
    fn change_standby(&mut self) {
        self.standby = !self.standby;
        self.settings.mirror("in_hot_standby", if self.standby { "on" } else { "off" });
        self.reports.extend(crate::settings::find("in_hot_standby").map(|s| s.1));
        self.text_stale = true;
    }

    /// Hands the catalog to those that read and write values of users' types.
    #[cold]
    pub fn name_types(&mut self) {
        self.named_at = self.catalog.version;
        let names = pamir_expr::func::reg::Names { catalog: self.catalog.clone(), scope: self.scope.clone() };
        self.settings.text.types = Some(Arc::new(names));
    }
    /// Takes the newest published catalog, with this transaction's own changes on top.
    pub fn refresh_catalog(&mut self) {
        if self.follows.is_some() {
            return;
        }
        let newest = self.db.catalog_version();
        if !self.private {
            if newest != self.catalog.version {
                self.renew_catalog(newest);
            }
        } else if newest != self.published {
            let base = self.db.catalog();
            self.published = base.version;
            let (temporary, new_labels) = (self.catalog.temporary.clone(), self.catalog.new_labels.clone());
            self.catalog = Arc::new(Catalog { temporary, new_labels, ..self.changes.apply_private(&base) });
        }
        if self.named_at != self.catalog.version {
            self.name_types();
        }
    }

    /// The open transaction, begun now if there is none.
    pub fn begin_if_needed(&mut self) -> TxnInUse {
        if let Some(t) = &self.txn {
            let t = t.lock_arc();
            t.set_limits(self.settings.lock_timeout, self.info.cancel.deadline());
            return t;
        }
        self.begin_implicit();
        self.again.begun_under = self.catalog.version;
        let t = self.engine.begin(self.isolation, self.read_only, self.info.cancel.clone());
        t.set_process(self.info.pid as u32);
        self.by_snapshots = false;
        if self.seen.at_replica > 0 {
            t.not_below(self.seen.at_replica);
        }
        t.set_limits(self.settings.lock_timeout, self.info.cancel.deadline());
        if let Some(l) = &self.locks {
            t.join(l);
        }
        self.txn.insert(Arc::new(ReentrantMutex::new(t))).lock_arc()
    }

    /// Outside a block a statement begins one of its own.
    pub(super) fn begin_implicit(&mut self) {
        if self.block == Block::Idle {
            self.block = Block::Implicit;
            self.default_modes();
        }
    }

    fn default_modes(&mut self) {
        // A transaction's end may take the mirrors in the settings back, not the modes themselves.
        let plain = !self.read_only && matches!(self.isolation, Isolation::ReadCommitted);
        if plain && self.settings.modes_are_default() {
            return;
        }
        let iso = self.settings.get("default_transaction_isolation").unwrap_or_default();
        self.set_isolation(&iso);
        self.set_read_only(self.settings.get_bool("default_transaction_read_only"));
        let deferrable = self.settings.get_bool("default_transaction_deferrable");
        self.settings.mirror("transaction_deferrable", if deferrable { "on" } else { "off" });
    }

    /// DISCARD SEQUENCES.
    pub fn forget_sequences(&mut self) {
        self.currvals.clear();
        self.last_seq = None;
    }
    /// A sequence as nextval and setval find it: who is changing it (RESTART) is waited for.
    fn settled_sequence(&mut self, seq: Oid) -> Result<Arc<Sequence>> {
        if self.follows.is_none() && self.others_alter() && !pamir_catalog::temporary::is_temporary(seq) {
            let txn = self.begin_if_needed();
            let key = pamir_catalog::store::key(pamir_catalog::Kind::Sequence, seq);
            txn.lock_row(pamir_txn::CATALOG_TREE, &key, pamir_txn::RowLock::Share, WaitPolicy::Block)?;
            self.refresh_catalog();
        }
        let s = self.catalog.sequence(seq).cloned();
        s.ok_or_else(|| err!(UNDEFINED_TABLE, "could not open relation with OID {seq}"))
    }

    /// Is a transaction of another session open that has run DDL?
    pub fn others_alter(&self) -> bool {
        self.db.altering.load(Ordering::Relaxed) > usize::from(self.altering.is_some())
    }

    /// Outside a transaction: the modes that one would have.
    pub fn next_modes(&mut self) {
        if self.block == Block::Idle && self.txn.is_none() {
            self.default_modes();
        }
    }

    /// `name` as in SHOW transaction_isolation.
    pub fn set_isolation(&mut self, name: &str) {
        self.isolation = match name {
            "repeatable read" => Isolation::RepeatableRead,
            "serializable" => Isolation::Serializable,
            _ => Isolation::ReadCommitted,
        };
        self.settings.mirror("transaction_isolation", name);
    }

    pub fn set_read_only(&mut self, ro: bool) {
        self.read_only = ro;
        self.settings.mirror("transaction_read_only", if ro { "on" } else { "off" });
    }

    /// BEGIN.
    pub fn begin_block(&mut self) -> Result<()> {
        match self.block {
            Block::Explicit => self.warn(err!(ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress")),
            Block::Implicit => self.block = Block::Explicit,
            Block::Idle => {
                self.block = Block::Explicit;
                self.txn_time = self.statement_time;
                self.settings.text.now = self.txn_time;
                self.default_modes();
            }
        }
        Ok(())
    }

    /// Ends the transaction, committing it. The tag is "ROLLBACK" when it had failed.
    pub fn commit(&mut self) -> Result<&'static str> {
        if self.failed {
            self.rollback();
            return Ok("ROLLBACK");
        }
        self.open_ears();
        let r = self.try_commit();
        self.settle_ears(r.is_ok());
        if r.is_err() {
            self.rollback();
        } else {
            self.end_block(true);
        }
        r.map(|_| "COMMIT")
    }

    fn try_commit(&mut self) -> Result<()> {
        if self.txn.is_none() {
            return Ok(());
        }
        self.run_deferred(true).map_err(|e| self.settled(e))?;
        if self.temporary.is_some() {
            self.commit_temporary().map_err(|e| self.settled(e))?;
        }
        if !self.talk.is_quiet()
            && let Some(txn) = self.txn.clone()
        {
            let r = self.write_said(&txn.lock());
            r.map_err(|e| self.settled(e))?;
        }
        // What it has told leaves with its end. One with writes needs not be asked: its place in the log says as much.
        if self.db.replicated && !self.again.told_before && !self.txn.as_ref().is_some_and(|t| t.lock().has_writes()) {
            self.settle()?;
        }
        // Who relied on them would have written without them.
        self.session_locks_stand()?;
        let Some(txn) = self.txn.take() else { return Ok(()) };
        self.usage.often.add_of_database(OfDatabase::Commits, 1);
        if !self.changes.is_empty() {
            let (db, changes) = (self.db.clone(), std::mem::take(&mut self.changes));
            txn.lock().on_commit(Box::new(move |_| db.publish(&changes)));
        }
        let txn = Arc::try_unwrap(txn).map_err(|_| Error::internal("transaction still in use at commit"))?;
        self.info.waits(Wait::Commit);
        let txn = txn.into_inner();
        let (wrote, told) = (self.db.is_replicated() && txn.has_writes(), txn.told());
        let r = txn.commit();
        self.info.waits(Wait::None);
        self.again.once |= r.is_ok();
        match r {
            Ok(ts) if wrote => self.seen.committed(ts),
            _ => self.leaves_leader(told),
        }
        r.map(|_| ())
    }

    /// Waits until all that the transaction has met is durable. To be called before anything leaves for the client that no commit answers for; see
    /// `pamir_txn::Txn::settle`.
    pub fn settle(&self) -> Result<()> {
        self.txn.as_ref().map_or(Ok(()), |t| t.lock().settle())
    }
    /// An error that may tell of what the transaction has met: it waits likewise. What was met and then refused is an error of its own.
    pub fn settled(&self, e: Error) -> Error {
        self.settle().err().unwrap_or(e)
    }

    /// Deferred constraint checks, at COMMIT, PREPARE TRANSACTION (all of them) or SET CONSTRAINTS (those that are deferred no more).
    pub fn run_deferred(&mut self, all: bool) -> Result<()> {
        if self.deferred.is_empty() {
            return Ok(());
        }
        // In a function its statement and subtransactions go on.
        let (running, depth) = (self.running.clone(), self.frames.len());
        loop {
            let mut deferred = self.deferred.lend_all();
            let r = self.with_exec(&[], &mut deferred, |cx| pamir_exec::run_deferred(cx, all));
            self.deferred.take_all_back(deferred);
            self.end_nested_above(depth);
            self.running.clone_from(&running);
            r?;
            // A trigger may have put off more.
            if !all || !self.deferred.is_due() {
                return Ok(());
            }
        }
    }

    /// What of the deferred checks holds already, where nobody has looked yet.
    pub(super) fn settle_unique(&mut self) -> Result<()> {
        if self.deferred.is_empty() {
            return Ok(());
        }
        let mut deferred = self.deferred.lend_all();
        let r = self.with_exec(&[], &mut deferred, pamir_exec::settle_unique);
        self.deferred.take_all_back(deferred);
        r
    }

    /// Runs `f` with an execution context over the open transaction (begun if needed) and a new statement's snapshot.
    pub fn with_exec<R>(
        &mut self,
        params: &[pamir_types::Datum],
        deferred: &mut DeferredChecks,
        f: impl FnOnce(&mut ExecCtx) -> Result<R>,
    ) -> Result<R> {
        let txn = self.begin_if_needed();
        let snapshot = txn.statement();
        let work = self.work();
        let mut cx = ExecCtx { txn: &txn, snapshot, env: self, params, work: &work, deferred };
        f(&mut cx)
    }

    /// The budget of a statement that starts now.
    pub fn work(&mut self) -> Arc<pamir_exec::Work> {
        let (s, w) = (&self.settings, &self.work);
        if w.mem != s.work_mem || w.hash_mem != s.hash_mem {
            let (memory, temp) = (w.memory.clone(), w.temp.clone());
            self.work = Arc::new(pamir_exec::Work { memory, mem: s.work_mem, hash_mem: s.hash_mem, temp });
        }
        self.work.temp.set_limit(self.settings.temp_file_limit);
        self.work.clone()
    }

    /// PREPARE TRANSACTION.
    pub fn prepare(&mut self, gid: &str) -> Result<()> {
        if !self.changes.is_empty() {
            return Err(Error::unsupported("PREPARE TRANSACTION of a transaction that changed the catalog"));
        }
        if !self.talk.is_quiet() {
            bail!(FEATURE_NOT_SUPPORTED, "cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY");
        }
        self.run_deferred(true)?;
        self.settle()?;
        drop(self.begin_if_needed());
        let Some(txn) = self.txn.take() else { return Ok(()) };
        let txn = Arc::try_unwrap(txn).map_err(|_| Error::internal("transaction still in use at prepare"))?;
        let txn = txn.into_inner();
        let told = txn.told();
        let r = txn.prepare(gid, &self.user, &self.database);
        self.leaves_leader(told);
        self.again.once |= r.is_ok();
        if r.is_ok() {
            self.end_block(true)
        } else {
            self.rollback()
        }
        r
    }

    pub fn rollback(&mut self) {
        if let Some(txn) = self.txn.take() {
            self.leaves_leader(txn.lock().told());
            self.usage.often.add_of_database(OfDatabase::Rollbacks, 1);
            match Arc::try_unwrap(txn) {
                Ok(t) => t.into_inner().rollback(),
                // Somebody up the stack still borrows it; dropping the last handle rolls back.
                Err(t) => drop(t),
            }
        }
        self.end_block(false);
    }

    fn end_block(&mut self, committed: bool) {
        self.follows = None;
        self.function_cursors.clear();
        self.large_objects.clear();
        self.block = Block::Idle;
        self.failed = false;
        self.again.shown.set(false);
        self.frames.clear();
        self.talk.end();
        self.deferred = DeferredChecks::default();
        self.changes = Changes::default();
        self.altering = None;
        let private = std::mem::take(&mut self.private);
        if self.temporary.is_some() {
            self.end_temporary(committed, private);
        }
        self.refresh_catalog();
        self.settle_settings(if committed { None } else { Some(0) });
        // What comes next may ask for the modes before it begins a transaction.
        self.default_modes();
    }

    /// Settings go back to what they were at a mark; None: they stay, or go back where they were set for the transaction.
    fn settle_settings(&mut self, back_to: Option<usize>) {
        let path_before = self.settings.generation;
        let undo = self.settings.mark() > back_to.unwrap_or(0);
        let reports = match back_to {
            None => self.settings.commit(),
            Some(mark) => self.settings.rollback_to(mark),
        };
        self.text_stale |= undo;
        self.text_stale |= !reports.is_empty();
        self.reports.extend(reports);
        if self.settings.generation != path_before {
            self.resolve_scope();
        }
    }

    /// The current statement failed: an implicit transaction is over; an explicit one waits for ROLLBACK. Locks go at once unless a savepoint could still need them.
    pub fn abort(&mut self) {
        match self.block {
            Block::Idle => {}
            Block::Implicit => self.rollback(),
            Block::Explicit => {
                self.failed = true;
                // Clients hear of what the transaction set with the error, not with its end.
                self.settle_settings(Some(self.frames.last().map_or(0, |f| f.settings)));
                if self.frames.is_empty()
                    && let Some(txn) = self.txn.take()
                {
                    self.leaves_leader(txn.lock().told());
                    self.large_objects.clear();
                    self.follows = None;
                    self.usage.often.add_of_database(OfDatabase::Rollbacks, 1);
                    if let Ok(t) = Arc::try_unwrap(txn) {
                        t.into_inner().rollback();
                    }
                    self.changes = Changes::default();
                    self.altering = None;
                    self.private = false;
                    self.end_temporary(false, false);
                    self.refresh_catalog();
                }
            }
        }
    }

    pub fn savepoint(&mut self, name: &str) -> Result<()> {
        self.require_block("SAVEPOINT")?;
        self.push_frame(name);
        Ok(())
    }
    /// Begins a subtransaction. Those of functions have no name.
    pub(super) fn push_frame(&mut self, name: &str) {
        let txn = self.begin_if_needed();
        self.frames.push(Frame {
            name: name.into(),
            id: txn.savepoint(),
            settings: self.settings.mark(),
            changes: self.changes.clone(),
            catalog: self.catalog.clone(),
            private: self.private,
            published: self.published,
            deferred: self.deferred.mark(),
            talk: self.talk.mark(),
            read_only: self.read_only,
        });
    }

    fn frame(&self, name: &str) -> Result<usize> {
        self.frames
            .iter()
            .rposition(|f| f.name == name)
            .ok_or_else(|| err!(INVALID_SAVEPOINT_SPECIFICATION, "savepoint \"{name}\" does not exist"))
    }

    pub fn rollback_to(&mut self, name: &str) -> Result<()> {
        self.require_block("ROLLBACK TO SAVEPOINT")?;
        let i = self.frame(name)?;
        self.back_to_frame(i);
        Ok(())
    }
    /// Undoes what was done in a subtransaction, which goes on.
    pub(super) fn back_to_frame(&mut self, i: usize) {
        self.frames.truncate(i + 1);
        self.large_objects.roll_back_to(i);
        let f = &self.frames[i];
        if let Some(t) = &self.txn {
            t.lock().rollback_to(f.id);
        }
        let (mark, changes, catalog, private) = (f.settings, f.changes.clone(), f.catalog.clone(), f.private);
        let read_only = f.read_only;
        self.published = f.published;
        self.deferred.back_to(&f.deferred);
        self.talk.back_to(f.talk);
        self.changes = changes;
        self.private = private;
        self.catalog = catalog;
        if self.temporary.is_some() {
            self.forget_context();
        }
        self.refresh_catalog();
        self.failed = false;
        let reports = self.settings.rollback_to(mark);
        self.text_stale |= !reports.is_empty();
        self.reports.extend(reports);
        self.set_read_only(read_only);
        self.resolve_scope();
    }

    pub fn release(&mut self, name: &str) -> Result<()> {
        self.require_block("RELEASE SAVEPOINT")?;
        let i = self.frame(name)?;
        self.drop_frame(i);
        Ok(())
    }
    /// Ends a subtransaction, and those in it; their effects stay.
    pub(super) fn drop_frame(&mut self, i: usize) {
        if let Some(t) = &self.txn {
            t.lock().release(self.frames[i].id);
        }
        let read_only = self.frames[i].read_only;
        self.frames.truncate(i);
        self.large_objects.release_to(i);
        self.set_read_only(read_only);
    }

    /// A block of BEGIN, which savepoints need.
    pub fn require_block(&self, what: &str) -> Result<()> {
        if self.block == Block::Explicit { Ok(()) } else { Err(no_block(what)) }
    }
    /// Several statements are one transaction: those of a block, or of one string.
    pub fn in_block(&self) -> bool {
        self.block == Block::Explicit || self.in_string
    }
    /// For what is of no use once its statement has ended.
    pub fn require_more(&self, what: &str) -> Result<()> {
        if self.in_block() { Ok(()) } else { Err(no_block(what)) }
    }

    /// search_path or role changed. Who the user is follows from the settings, so it comes and goes with them: at the end of a transaction, with a savepoint, by RESET.
    pub fn resolve_scope(&mut self) {
        let value = |name| self.settings.get(name).filter(|v| v != "none");
        self.session_user = value("session_authorization").unwrap_or_else(|| self.authenticated.clone());
        self.user = value("role").unwrap_or_else(|| self.session_user.clone());
        self.scope.search_path = self.settings.search_path(&self.user);
        // The types' names are of the search path.
        self.named_at = 0;
        let role = self.catalog.role_by_name(&self.user);
        self.scope.user = role.map_or(NOBODY, |r| r.oid);
        let superuser = role.is_some_and(|r| r.superuser);
        if let Some(s) = self.settings.show_superuser(superuser) {
            self.reports.push(s);
            self.text_stale = true;
        }
        self.who = None;
        self.context.set((0, 0));
    }

    /// The current user for a while: of a function that is SECURITY DEFINER, and back.
    pub(super) fn become_user(&mut self, name: String, oid: Oid) {
        (self.user, self.scope.user) = (name, oid);
        self.who = None;
        self.context.set((0, 0));
    }
    /// The current user's privileges in the current catalog.
    pub fn who(&mut self) -> Arc<Who> {
        match &self.who {
            Some((version, who)) if *version == self.catalog.version => who.clone(),
            _ => {
                let who = Arc::new(Who::of(&self.catalog, &self.scope));
                self.who = Some((self.catalog.version, who.clone()));
                who
            }
        }
    }
    /// 42501 unless one of the privileges in `any` on a sequence is there.
    fn may_use_sequence(&mut self, seq: Oid, any: Mode) -> Result<()> {
        let who = self.who();
        match self.catalog.sequence(seq) {
            Some(s) if !who.superuser && who.on_sequence(&self.catalog, s, any) == 0 => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for sequence {}", s.name)
            }
            _ => Ok(()),
        }
    }
    /// The number of what plans depend on besides the catalog (`shared.rs`).
    #[inline]
    pub fn context(&self) -> u64 {
        let (generation, number) = self.context.get();
        if generation == self.settings.generation { number } else { self.find_context() }
    }
    pub(super) fn forget_context(&mut self) {
        self.context.set((0, 0));
    }
    #[cold]
    fn find_context(&self) -> u64 {
        let mut text = format!("{} {}", self.scope.database, self.user);
        // No value holds a zero.
        self.scope.search_path.iter().map(String::as_str).chain(self.settings.of_plans()).for_each(|v| {
            text.push('\0');
            text.push_str(v);
        });
        if self.catalog.has_temporary() {
            text.push_str(&format!("\0temporary {}", self.info.pid));
        }
        let number = self.db.contexts.number(text);
        self.context.set((self.settings.generation, number));
        number
    }

    /// The text settings, with names for reg* values.
    pub(super) fn naming_ctx(&self) -> TextCtx {
        let names = pamir_expr::func::reg::Names { catalog: self.catalog.clone(), scope: self.scope.clone() };
        TextCtx { names: Some(Arc::new(names)), ..self.settings.text.clone() }
    }
    /// SET from SQL; `local` is SET LOCAL.
    pub fn set(&mut self, name: &str, value: Option<&str>, local: bool) -> Result<()> {
        if local && !self.in_block() {
            self.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "SET LOCAL can only be used in transaction blocks"));
        }
        self.set_in(name, value, local, self.block != Block::Idle)
    }
    pub(super) fn set_in(&mut self, name: &str, value: Option<&str>, local: bool, in_txn: bool) -> Result<()> {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "transaction_isolation" => {
                let v = value.unwrap_or("read committed").to_ascii_lowercase();
                if self.txn.is_some() && self.isolation != iso_of(&v) {
                    bail!(ACTIVE_SQL_TRANSACTION, "SET TRANSACTION ISOLATION LEVEL must be called before any query");
                }
                self.set_isolation(&v);
                return Ok(());
            }
            "transaction_read_only" => {
                let ro = value.is_some_and(|v| matches!(v.to_ascii_lowercase().as_str(), "on" | "true" | "1" | "yes"));
                if !self.frames.is_empty() && self.read_only && !ro {
                    bail!(
                        ACTIVE_SQL_TRANSACTION,
                        "cannot set transaction read-write mode inside a read-only transaction"
                    );
                }
                if self.txn.is_some() && self.read_only && !ro {
                    bail!(ACTIVE_SQL_TRANSACTION, "transaction read-write mode must be set before any query");
                }
                self.set_read_only(ro);
                return Ok(());
            }
            "transaction_deferrable" if !self.frames.is_empty() => bail!(
                ACTIVE_SQL_TRANSACTION,
                "SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction"
            ),
            "transaction_deferrable" if self.txn.is_some() => {
                bail!(ACTIVE_SQL_TRANSACTION, "SET TRANSACTION [NOT] DEFERRABLE must be called before any query")
            }
            n if crate::settings::superuser_only(n) && !self.who().superuser => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied to set parameter \"{n}\"");
            }
            "role" => {
                if let Some(role) = value.filter(|r| *r != "none") {
                    may_set_role(&self.catalog, &self.session_user, role)?;
                }
            }
            "session_authorization" => {
                if let Some(role) = value {
                    may_be_session(&self.catalog, &self.authenticated, role)?;
                }
                if !local || in_txn {
                    self.settings.set("role", Some("none"), local, in_txn)?;
                }
            }
            _ => {}
        }
        self.text_stale = true;
        // A configuration is kept with its schema.
        let config = match value.filter(|_| lower == TEXT_SEARCH) {
            Some(v) => Some(text_search_config(v, &self.catalog, &self.scope)?),
            None => None,
        };
        let value = config.as_deref().or(value);
        if let Some(s) = self.settings.set(name, value, local, in_txn)? {
            self.reports.push(s);
        }
        if lower == "search_path" || lower == "role" || lower == "session_authorization" {
            self.resolve_scope();
        }
        Ok(())
    }
}
/// The setting that names a text search configuration.
const TEXT_SEARCH: &str = "default_text_search_config";
/// Where a session that begins looks names up. A kept setting that names no text search configuration any more is passed over.
pub(super) fn first_scope(database: Oid, user: &str, catalog: &Catalog, settings: &mut Settings) -> NameScope {
    let scope = NameScope { database, search_path: settings.search_path(user), user: 0 };
    if settings.get(TEXT_SEARCH).is_some_and(|n| text_search_config(&n, catalog, &scope).is_err()) {
        settings.forget_session_default(TEXT_SEARCH);
    }
    scope
}
/// The whole name of a text search configuration; 22023 where there is none.
fn text_search_config(name: &str, catalog: &Catalog, scope: &NameScope) -> Result<String> {
    let invalid = || err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"{TEXT_SEARCH}\": \"{name}\"");
    let parts = pamir_expr::func::reg::split_text_search(name)?;
    let found = catalog.ts_named(scope, What::Config, &parts).map_err(|e| match e.code() {
        state::UNDEFINED_OBJECT | state::INVALID_SCHEMA_NAME => invalid(),
        _ => e,
    })?;
    catalog.ts_full_name(scope.database, What::Config, found).ok_or_else(invalid)
}

fn no_block(what: &str) -> Error {
    err!(NO_ACTIVE_SQL_TRANSACTION, "{what} can only be used in transaction blocks")
}
fn iso_of(name: &str) -> Isolation {
    match name {
        "repeatable read" => Isolation::RepeatableRead,
        "serializable" => Isolation::Serializable,
        _ => Isolation::ReadCommitted,
    }
}
