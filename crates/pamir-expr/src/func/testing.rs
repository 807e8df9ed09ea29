//! A session stand-in for unit tests: fixed clock, no shard, an empty catalog.
use crate::env::TxnInUse;
use crate::env::{Activity, Env};
use crate::ir::Expr;
use pamir_catalog::system::VirtualTable;
use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_txn::Engine;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Oid, Result, Type};
use std::sync::Arc;

pub struct TestEnv {
    pub text: TextCtx,
    pub catalog: Arc<Catalog>,
    pub scope: NameScope,
    seed: u64,
}
impl Default for TestEnv {
    fn default() -> TestEnv {
        TestEnv {
            text: TextCtx::default(),
            catalog: Arc::new(Catalog::default()),
            scope: NameScope { database: 5, search_path: vec!["public".into()], user: 0 },
            seed: 1,
        }
    }
}
impl Env for TestEnv {
    fn text_ctx(&self) -> &TextCtx {
        &self.text
    }
    fn txn_time(&self) -> i64 {
        self.text.now
    }
    fn statement_time(&self) -> i64 {
        self.text.now
    }
    fn clock(&self) -> i64 {
        self.text.now
    }
    fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }
    fn scope(&self) -> &NameScope {
        &self.scope
    }
    fn engine(&self) -> Result<&Arc<dyn Engine>> {
        unimplemented!("unit tests have no shard")
    }
    fn virtual_rows(&mut self, _: &VirtualTable, _: &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> {
        unimplemented!("unit tests read no system table")
    }
    fn bind_stored(&mut self, _: &Table, _: &SqlText, _: Option<Type>) -> Result<Expr> {
        unimplemented!("unit tests store no expression")
    }
    fn txn(&self) -> Option<TxnInUse> {
        None
    }
    fn current_user(&self) -> &str {
        "postgres"
    }
    fn session_user(&self) -> &str {
        "postgres"
    }
    fn database(&self) -> &str {
        "postgres"
    }
    fn backend_pid(&self) -> i32 {
        7
    }
    fn setting(&self, name: &str) -> Option<String> {
        (name == "work_mem").then(|| "4MB".to_string())
    }
    fn set_setting(&mut self, _: &str, _: &str, _: bool) -> Result<()> {
        Ok(())
    }
    fn nextval(&mut self, _: Oid, _: bool) -> Result<i64> {
        Ok(1)
    }
    fn currval(&mut self, _: Oid) -> Result<i64> {
        Ok(1)
    }
    fn lastval(&mut self) -> Result<i64> {
        Ok(1)
    }
    fn setval(&mut self, _: Oid, _: i64, _: bool) -> Result<()> {
        Ok(())
    }
    fn random(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 11) as f64 / (1u64 << 53) as f64
    }
    fn set_seed(&mut self, seed: f64) {
        self.seed = seed.to_bits();
    }
    fn check_cancel(&self) -> Result<()> {
        Ok(())
    }
    fn signal_backend(&mut self, _: i32, _: bool) -> Result<bool> {
        Ok(false)
    }
    fn activity(&self) -> Vec<Activity> {
        Vec::new()
    }
    fn notice(&mut self, _: pamir_types::Error) {}
    fn sleep(&mut self, _: f64) -> Result<()> {
        Ok(())
    }
}
