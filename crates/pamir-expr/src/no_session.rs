//! The environment where there is no session: constant folding, binding of stored expressions, `pamir check`. What is evaluated there never looks
//! at a session; should something do so all the same, it meets neutral values, and what needs a database answers with an error.
use crate::env::TxnInUse;
use crate::env::{Activity, Backend, Env};
use crate::func::reg;
use crate::ir::Expr;
use pamir_catalog::system::VirtualTable;
use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_storage::platform::{Platform, Real};
use pamir_txn::Engine;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Oid, Result, Type};
use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

/// Binds an expression that a table stores: the planner's `bind_stored`, which this floor cannot see.
pub type Binder = fn(&Table, &SqlText, Option<Type>, &mut dyn Env) -> Result<Expr>;

pub struct NoSession {
    catalog: Arc<Catalog>,
    scope: NameScope,
    engine: Option<Arc<dyn Engine>>,
    text: Option<TextCtx>,
    /// Without a text context: values of the catalog's types are read and written. Made when it is asked for, for the planner seldom does.
    named: Option<OnceCell<TextCtx>>,
    binder: Option<Binder>,
    /// The user's and the database's.
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    /// Of [`Env::random`].
    seed: u64,
}
impl NoSession {
    /// Names of `database`, no data.
    pub fn new(catalog: &Arc<Catalog>, database: Oid) -> NoSession {
        NoSession {
            catalog: catalog.clone(),
            scope: NameScope::public(database),
            engine: None,
            text: None,
            named: Some(OnceCell::new()),
            binder: None,
            name: "",
            settings: &[],
            seed: 0,
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
            named: None,
            binder: None,
            name: "",
            settings: &[],
            seed: 0,
        }
    }
    /// No names, but a session's way to read and write values, and the time of its transaction.
    pub fn with_text(text: TextCtx) -> NoSession {
        NoSession { text: Some(text), ..NoSession::empty() }
    }
    /// For unit tests: the user, the database and some settings of a new server.
    pub fn of_test(catalog: Arc<Catalog>, scope: NameScope) -> NoSession {
        let none = NoSession::with_text(TextCtx::default());
        NoSession { catalog, scope, name: "postgres", settings: &[("work_mem", "4MB")], ..none }
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
        let named = || {
            let names = reg::Names { catalog: self.catalog.clone(), scope: self.scope.clone() };
            TextCtx { types: Some(Arc::new(names)), ..TextCtx::default() }
        };
        match (&self.text, &self.named) {
            (Some(text), _) => text,
            (None, Some(cell)) => cell.get_or_init(named),
            (None, None) => T.get_or_init(TextCtx::default),
        }
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
        self.name
    }
    fn session_user(&self) -> &str {
        self.name
    }
    fn database(&self) -> &str {
        self.name
    }
    fn setting(&self, name: &str) -> Option<String> {
        self.settings.iter().find(|s| s.0 == name).map(|s| s.1.to_string())
    }
    fn nextval(&mut self, _: Oid, _: bool) -> Result<i64> {
        refuse()
    }
    fn random(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 11) as f64 / (1u64 << 53) as f64
    }
    fn random_bytes(&mut self, out: &mut [u8]) -> Result<()> {
        Real.random(out)
    }
    fn check_cancel(&self) -> Result<()> {
        Ok(())
    }
    fn bind_stored(&mut self, table: &Table, text: &SqlText, target: Option<Type>) -> Result<Expr> {
        match self.binder {
            Some(bind) => bind(table, text, target, self),
            None => refuse(),
        }
    }
    fn view_definition(&mut self, _: &Table, _: crate::deparse::Layout) -> Result<String> {
        refuse()
    }
    fn notice(&mut self, _: Error) {}
    fn sleep(&mut self, _: f64) -> Result<()> {
        refuse()
    }
    fn backend(&mut self) -> Result<&mut dyn Backend> {
        Ok(self)
    }
}
impl Backend for NoSession {
    fn pid(&self) -> i32 {
        0
    }
    fn set_setting(&mut self, _: &str, _: &str, _: bool) -> Result<()> {
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
    fn set_seed(&mut self, seed: f64) {
        self.seed = seed.to_bits();
    }
    fn signal(&mut self, _: i32, _: bool) -> Result<bool> {
        Ok(false)
    }
    fn activity(&self) -> Vec<Activity> {
        Vec::new()
    }
    fn waits_for(&self, _: i32) -> Vec<i32> {
        Vec::new()
    }
    fn virtual_rows(
        &mut self,
        _: &VirtualTable,
        _: Vec<(&'static str, Datum)>,
        _: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
    ) -> Result<()> {
        refuse()
    }
}
