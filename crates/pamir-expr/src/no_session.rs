//! The environment where there is no session: constant folding, binding of stored expressions, `pamir check`. What is evaluated there never looks
//! at a session; should something do so all the same, it meets neutral values, and what needs a database answers with an error.
use crate::env::TxnInUse;
use crate::env::{Activity, Env};
use crate::ir::Expr;
use pamir_catalog::system::VirtualTable;
use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_txn::Engine;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Oid, Result, Type};
use std::sync::{Arc, OnceLock};

/// Binds an expression that a table stores: the planner's `bind_stored`, which this floor cannot see.
pub type Binder = fn(&Table, &SqlText, Option<Type>, &mut dyn Env) -> Result<Expr>;

pub struct NoSession {
    catalog: Arc<Catalog>,
    scope: NameScope,
    engine: Option<Arc<dyn Engine>>,
    text: Option<TextCtx>,
    binder: Option<Binder>,
}
impl NoSession {
    /// Names of `database`, no data.
    pub fn new(catalog: &Arc<Catalog>, database: Oid) -> NoSession {
        NoSession {
            catalog: catalog.clone(),
            scope: NameScope::public(database),
            engine: None,
            text: None,
            binder: None,
        }
    }
    pub fn with_engine(self, engine: Arc<dyn Engine>) -> NoSession {
        NoSession { engine: Some(engine), ..self }
    }
    /// ... and with a way to bind what tables store.
    pub fn with_binder(self, binder: Binder) -> NoSession {
        NoSession { binder: Some(binder), ..self }
    }
    /// No names at all: for calls of functions that ask nothing.
    pub fn empty() -> NoSession {
        static C: OnceLock<Arc<Catalog>> = OnceLock::new();
        let catalog = C.get_or_init(|| Arc::new(Catalog::default())).clone();
        NoSession {
            catalog,
            scope: NameScope { database: 0, search_path: Vec::new(), user: 0 },
            engine: None,
            text: None,
            binder: None,
        }
    }
    /// No names, but a session's way to read and write values, and the time of its transaction.
    pub fn with_text(text: TextCtx) -> NoSession {
        NoSession { text: Some(text), ..NoSession::empty() }
    }
    fn now(&self) -> i64 {
        self.text.as_ref().map_or(0, |t| t.now)
    }
}
fn refuse<T>() -> Result<T> {
    Err(Error::internal("an immutable expression asked for a session"))
}
impl Env for NoSession {
    fn text_ctx(&self) -> &TextCtx {
        static T: OnceLock<TextCtx> = OnceLock::new();
        self.text.as_ref().unwrap_or_else(|| T.get_or_init(TextCtx::default))
    }
    fn txn_time(&self) -> i64 {
        self.now()
    }
    fn statement_time(&self) -> i64 {
        self.now()
    }
    fn clock(&self) -> i64 {
        self.now()
    }
    fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }
    fn scope(&self) -> &NameScope {
        &self.scope
    }
    fn engine(&self) -> Result<&Arc<dyn Engine>> {
        self.engine.as_ref().map_or_else(refuse, Ok)
    }
    fn txn(&self) -> Option<TxnInUse> {
        None
    }
    fn current_user(&self) -> &str {
        ""
    }
    fn session_user(&self) -> &str {
        ""
    }
    fn database(&self) -> &str {
        ""
    }
    fn backend_pid(&self) -> i32 {
        0
    }
    fn setting(&self, _: &str) -> Option<String> {
        None
    }
    fn set_setting(&mut self, _: &str, _: &str, _: bool) -> Result<()> {
        refuse()
    }
    fn nextval(&mut self, _: Oid, _: bool) -> Result<i64> {
        refuse()
    }
    fn currval(&mut self, _: Oid) -> Result<i64> {
        refuse()
    }
    fn lastval(&mut self) -> Result<i64> {
        refuse()
    }
    fn setval(&mut self, _: Oid, _: i64, _: bool) -> Result<()> {
        refuse()
    }
    fn random(&mut self) -> f64 {
        0.0
    }
    fn set_seed(&mut self, _: f64) {}
    fn check_cancel(&self) -> Result<()> {
        Ok(())
    }
    fn signal_backend(&mut self, _: i32, _: bool) -> Result<bool> {
        Ok(false)
    }
    fn activity(&self) -> Vec<Activity> {
        Vec::new()
    }
    fn virtual_rows(&mut self, _: &VirtualTable, _: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
        refuse()
    }
    fn bind_stored(&mut self, table: &Table, text: &SqlText, target: Option<Type>) -> Result<Expr> {
        match self.binder {
            Some(bind) => bind(table, text, target, self),
            None => refuse(),
        }
    }
    fn notice(&mut self, _: Error) {}
    fn sleep(&mut self, _: f64) -> Result<()> {
        refuse()
    }
}
