//! The environment of constant folding. [`super::foldable`] lets only functions through that never look at it; should one do so all the
//! same, it meets neutral values, and things that need a database answer with an error.
use super::NoEnv;
use crate::catalog::{Catalog, NameScope};
use crate::env::{Activity, Env};
use pamir_txn::{Shard, Txn};
use pamir_types::text::TextCtx;
use pamir_types::{Error, Oid, Result};
use std::sync::{Arc, OnceLock};

fn refuse<T>() -> Result<T> {
    Err(Error::internal("constant folding met a function that needs a session"))
}
impl Env for NoEnv {
    fn text_ctx(&self) -> &TextCtx {
        static T: OnceLock<TextCtx> = OnceLock::new();
        T.get_or_init(TextCtx::default)
    }
    fn txn_time(&self) -> i64 {
        0
    }
    fn statement_time(&self) -> i64 {
        0
    }
    fn clock(&self) -> i64 {
        0
    }
    fn catalog(&self) -> &Arc<Catalog> {
        static C: OnceLock<Arc<Catalog>> = OnceLock::new();
        C.get_or_init(|| Arc::new(Catalog::default()))
    }
    fn scope(&self) -> &NameScope {
        static S: OnceLock<NameScope> = OnceLock::new();
        S.get_or_init(|| NameScope { database: 0, search_path: Vec::new() })
    }
    fn shard(&self) -> &Arc<Shard> {
        unreachable!("foldable functions are arithmetic and comparisons")
    }
    fn txn(&self) -> Option<&Txn> {
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
    fn nextval(&mut self, _: Oid) -> Result<i64> {
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
    fn signal_backend(&mut self, _: i32, _: bool) -> bool {
        false
    }
    fn activity(&self) -> Vec<Activity> {
        Vec::new()
    }
    fn notice(&mut self, _: Error) {}
    fn sleep(&mut self, _: f64) -> Result<()> {
        refuse()
    }
}
