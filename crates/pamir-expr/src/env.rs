//! What expressions may ask of the session that evaluates them.
//!
//! ```text
//!   functions, operators ---- Env: catalog, transaction, settings, clock, chance, cancel
//!                              |-- Env::backend --> Backend: the session's and the server's own business (pg_stat_activity, signals, cursors, session locks)
//!                              '-- Env::spi ------> Spi: statements that functions run ([`crate::spi`])
//! ```
//! *Invariant*: there is no other way from an expression to its session.
use crate::backups::Backups;
use crate::ir::Expr;
use crate::large_object::Descriptors;
use crate::names::Names;
use crate::spi::Spi;
use pamir_catalog::system::VirtualTable;
use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_txn::{Engine, LockOutcome, TableLock, Txn, WaitPolicy};
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Oid, Result, Type};
use parking_lot::{ArcReentrantMutexGuard, RawMutex, RawThreadId};
use std::sync::Arc;

/// The open transaction in the hands of a running statement. A session may change threads between statements, never with one of these.
pub type TxnInUse = ArcReentrantMutexGuard<RawMutex, RawThreadId, Txn>;

/// Implemented by the session. Functions that need no context never touch it.
pub trait Env {
    fn text_ctx(&self) -> &TextCtx;
    /// Transaction start, statement start, and the clock: microseconds since 2000-01-01 UTC.
    fn txn_time(&self) -> i64;
    fn statement_time(&self) -> i64;
    fn clock(&self) -> i64;
    /// A literal such as 'now' was read while a statement was bound.
    fn read_a_moment(&mut self) {}
    fn catalog(&self) -> &Arc<Catalog>;
    fn scope(&self) -> &NameScope;
    /// Where the data is; an error where there is none.
    fn engine(&self) -> Result<&Arc<dyn Engine>>;
    /// The open transaction, if a statement runs.
    fn txn(&self) -> Option<TxnInUse>;
    /// The open transaction, begun now where a routine has just ended the one before.
    fn txn_begun(&mut self) -> Option<TxnInUse> {
        self.txn()
    }
    fn current_user(&self) -> &str;
    fn session_user(&self) -> &str;
    fn database(&self) -> &str;
    /// SHOW name; None if there is no such setting.
    fn setting(&self, name: &str) -> Option<String>;
    /// `checked`: the user must be allowed to.
    fn nextval(&mut self, seq: Oid, checked: bool) -> Result<i64>;
    /// So many values of a sequence are about to be drawn: they are taken in one call. 0: those that were not drawn are given up.
    fn nextval_ahead(&mut self, _seq: Oid, _checked: bool, _n: usize) {}
    /// Uniform in [0, 1), from the session's generator (setseed).
    fn random(&mut self) -> f64;
    /// Fills `out` with bytes that nobody can guess.
    fn random_bytes(&mut self, out: &mut [u8]) -> Result<()>;
    /// 57014 when a cancel is pending; long loops call it.
    fn check_cancel(&self) -> Result<()>;
    /// Binds an expression that `table` stores, with slot = attnum - 1.
    fn bind_stored(&mut self, table: &Table, text: &SqlText, target: Option<Type>) -> Result<Expr>;
    /// Binds a trigger's condition: `old.a` is slot attnum - 1, `new.a` the same behind [`crate::access::NEW`].
    fn bind_when(&mut self, table: &Table, _: &SqlText) -> Result<Expr> {
        Err(Error::unsupported(format!("a trigger of {} outside of a session", table.name)))
    }
    /// A foreign key's action begins or ends, on a table with triggers: it counts among those under way.
    fn key_action(&mut self, _begins: bool) {}
    /// Triggers under way, one in another.
    fn trigger_depth(&self) -> i32 {
        0
    }
    /// Is session_replication_role replica?
    fn is_replica(&self) -> bool {
        false
    }
    /// A transition table that the statement may name (see [`Spi::transition_table`]).
    fn transition_table(&self, _name: &str) -> Option<Arc<Table>> {
        None
    }
    /// A view's definition as the session sees names.
    fn view_definition(&mut self, view: &Table, layout: crate::deparse::Layout) -> Result<String>;
    /// pg_get_ruledef, of a view's own rule too; empty where there is none.
    fn rule_definition(&mut self, _rule: Oid, _layout: crate::deparse::Layout) -> Result<String> {
        Ok(String::new())
    }
    /// The relation whose rows are changed through a view, and by column which of that one's it is; None: nothing is changed through it.
    fn view_shows(&mut self, _view: &Arc<Table>) -> Result<Option<(Oid, Vec<Option<i16>>)>> {
        Ok(None)
    }
    fn notice(&mut self, e: Error);
    /// Sleeps without blocking the worker (pg_sleep).
    fn sleep(&mut self, seconds: f64) -> Result<()>;
    /// The session itself; an error where there is none.
    fn backend(&mut self) -> Result<&mut dyn Backend>;
    /// How many statements functions have run so far: who finds it changed over an evaluation reads again what it holds.
    fn nested(&self) -> u64 {
        0
    }
    /// What the statement that is bound may name beside its columns.
    fn names(&self) -> Option<Arc<Names>> {
        None
    }
    /// Sets [`Self::names`]; what it was before.
    fn set_names(&mut self, _: Option<Arc<Names>>) -> Option<Arc<Names>> {
        None
    }
    /// Who runs statements for functions; an error where nobody does.
    fn spi(&mut self) -> Result<&mut dyn Spi> {
        Err(Error::unsupported("statements of functions outside of a session"))
    }
}

/// What functions about the session and its server ask.
pub trait Backend {
    /// Its number, as clients cancel it by.
    fn pid(&self) -> i32;
    /// Up to where the log is on disk; None: this node has none of its own.
    fn log_durable(&self) -> Option<u64> {
        None
    }
    /// Is the session the server's own (see [`Activity::background`])?
    fn is_background(&self) -> bool {
        false
    }
    fn set_setting(&mut self, name: &str, value: &str, local: bool) -> Result<()>;
    /// Where a setting's value comes from (pg_settings.source), the value RESET goes back to.
    fn setting_source(&self, _name: &str) -> Option<(&'static str, String)> {
        None
    }
    /// currval / lastval / setval with the session's memory of them.
    fn currval(&mut self, seq: Oid) -> Result<i64>;
    fn lastval(&mut self) -> Result<i64>;
    fn setval(&mut self, seq: Oid, value: i64, is_called: bool) -> Result<()>;
    fn set_seed(&mut self, seed: f64);
    /// 42501 where the user may not signal a session.
    fn may_signal(&mut self, _pid: i32, _terminate: bool) -> Result<()> {
        Ok(())
    }
    /// The cluster that the server is a node of.
    fn cluster(&self) -> Option<Arc<dyn crate::cluster::Operations>> {
        None
    }
    /// The statement is about to end what its transaction may depend on: one that it has begun by itself is given up. 25001 in a transaction block.
    fn let_go(&mut self, _function: &str) -> Result<()> {
        Ok(())
    }
    /// pg_cancel_backend / pg_terminate_backend.
    fn signal(&mut self, pid: i32, terminate: bool) -> Result<bool>;
    /// (pid, database, user, application, client address, state, query, started) of every session: pg_stat_activity.
    fn activity(&self) -> Vec<Activity>;
    /// The processes that a process waits for without a place in a lock's queue.
    fn waits_for(&self, pid: i32) -> Vec<i32>;
    /// Resets counters of pg_stat_statements: of a role, a database, a statement; 0 stands for all.
    fn reset_statement_statistics(&mut self, _role: Oid, _database: Oid, _query: i64) {}
    /// Pushes the rows of a table of pg_catalog or information_schema.
    /// Pushes the rows of a table, all that have the values of `keys` in its columns among them.
    fn virtual_rows(
        &mut self,
        table: &VirtualTable,
        keys: Vec<(&'static str, Datum)>,
        push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
    ) -> Result<()>;
    /// The session's prepared statements: pg_prepared_statements.
    fn prepared_statements(&self) -> Vec<PreparedInfo> {
        Vec::new()
    }
    /// The session's cursors and named portals by name: pg_cursors.
    fn cursors(&self) -> Vec<(String, CursorInfo)> {
        Vec::new()
    }
    /// Takes an advisory lock for the session, beyond its transaction.
    fn lock(&mut self, _: u64, _: TableLock, _: WaitPolicy) -> Result<LockOutcome> {
        Err(Error::unsupported("session locks outside of a session"))
    }
    /// Gives one back; false: the session does not hold it.
    fn unlock(&mut self, _: u64, _: TableLock) -> bool {
        false
    }
    fn unlock_all(&mut self) {}
    /// NOTIFY.
    fn notify(&mut self, _channel: &str, _payload: &str) -> Result<()> {
        Err(Error::unsupported("notifications outside of a session"))
    }
    /// The channels that the session listens to.
    fn listening(&self) -> Vec<String> {
        Vec::new()
    }
    /// pg_export_snapshot
    fn export_snapshot(&mut self) -> Result<String> {
        Err(Error::unsupported("snapshots for others outside of a session"))
    }
    /// The large objects that the transaction has open.
    fn large_objects(&mut self) -> Result<&mut Descriptors> {
        Err(Error::unsupported("large objects outside of a session"))
    }
    /// The server's backups; an error where it has none.
    fn backups(&self) -> Result<Arc<dyn Backups>> {
        Err(Error::unsupported("backups outside of a server"))
    }
}
/// A line of pg_prepared_statements.
#[derive(Clone, Debug)]
pub struct PreparedInfo {
    pub name: String,
    pub statement: String,
    pub prepared: i64,
    pub types: Vec<Oid>,
    pub from_sql: bool,
}
/// A line of pg_cursors.
#[derive(Clone, Debug)]
pub struct CursorInfo {
    pub statement: String,
    pub holdable: bool,
    pub binary: bool,
    pub scrollable: bool,
    pub created: i64,
    /// What UPDATE and DELETE ... WHERE CURRENT OF go by; None: it is no scan whose rows are a table's.
    pub row: Option<CursorRow>,
}
/// Whose rows a cursor shows, and which it is on.
#[derive(Clone, Debug, Default)]
pub struct CursorRow {
    /// It locks them: FOR UPDATE, FOR SHARE.
    pub locks: bool,
    pub tables: Vec<Oid>,
    /// The places of the current row in each of the tables; None: it is on none.
    pub places: Option<Vec<Datum>>,
    /// Its transaction is over.
    pub held: bool,
}
impl CursorInfo {
    /// The place of the current row in a table, as execCurrentOf has it. `cursor`, `table`: their names.
    pub fn place(&self, cursor: &str, table: Oid, named: &str) -> Result<Datum> {
        let simple = || {
            let what = format!("cursor \"{cursor}\" is not a simply updatable scan of table \"{named}\"");
            pamir_types::err!(INVALID_CURSOR_STATE, "{what}")
        };
        let row = self.row.as_ref().ok_or_else(simple)?;
        if row.held {
            pamir_types::bail!(INVALID_CURSOR_STATE, "cursor \"{cursor}\" is held from a previous transaction");
        }
        let mut found = row.tables.iter().enumerate().filter(|(_, t)| **t == table).map(|(i, _)| i);
        let at = match (found.next(), found.next(), row.locks) {
            (Some(i), None, _) => i,
            (Some(_), Some(_), true) => pamir_types::bail!(
                INVALID_CURSOR_STATE,
                "cursor \"{cursor}\" has multiple FOR UPDATE/SHARE references to table \"{named}\""
            ),
            (None, _, true) => pamir_types::bail!(
                INVALID_CURSOR_STATE,
                "cursor \"{cursor}\" does not have a FOR UPDATE/SHARE reference to table \"{named}\""
            ),
            _ => return Err(simple()),
        };
        match &row.places {
            Some(p) => Ok(p.get(at).cloned().unwrap_or(Datum::Null)),
            None => pamir_types::bail!(INVALID_CURSOR_STATE, "cursor \"{cursor}\" is not positioned on a row"),
        }
    }
}
impl Activity {
    pub fn state_is_idle_in_transaction(&self) -> bool {
        self.state.starts_with("idle in")
    }
}
#[derive(Clone, Debug, Default)]
pub struct Activity {
    pub pid: i32,
    pub database: String,
    pub user: String,
    pub application: String,
    pub client: Option<Peer>,
    pub state: &'static str,
    pub query: String,
    /// The number of the newest statement in pg_stat_statements; None: it has none, or none yet.
    pub query_id: Option<i64>,
    pub backend_start: i64,
    /// None: no transaction is open.
    pub xact_start: Option<i64>,
    pub query_start: i64,
    /// The server's own (it gathers statistics): it is in nobody's way, and soon gone.
    pub background: bool,
    pub state_change: i64,
    /// What it waits for besides locks: (type, event).
    pub wait: Option<(&'static str, &'static str)>,
    /// The processes whose transactions' end it waits for without a place in a lock's queue.
    pub waits_for: Vec<i32>,
}
/// Who is at the other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    pub host: String,
    pub port: u16,
    /// None: without TLS.
    pub tls: Option<Tls>,
}
/// A connection's protection, as pg_stat_ssl shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// `TLSv1.3`
    pub version: String,
    pub cipher: String,
    /// Of the cipher's key.
    pub bits: i32,
}
