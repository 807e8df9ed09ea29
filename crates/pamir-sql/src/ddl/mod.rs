//! DDL: statements that change the catalog (skeleton).
use crate::catalog::Catalog;
use crate::env::Env;
use pamir_txn::{Cancel, Shard, Txn};
use pamir_types::Result;
use sqlparser::ast;
use std::sync::Arc;

/// What DDL works on. `catalog` is the transaction's private copy: replaced by the changed one.
pub struct DdlCtx<'a> { pub shard: &'a Arc<Shard>, pub txn: &'a Txn, pub catalog: &'a mut Arc<Catalog>, /// changed objects are remembered for publication
    pub changes: &'a mut Changes, pub env: &'a mut dyn Env, pub cancel: &'a Arc<Cancel>, pub text: &'a str }
/// The objects a transaction changed: applied onto the then newest catalog when the commit becomes visible.
#[derive(Default, Clone)]
pub struct Changes { _p: () }
#[allow(unused_variables)]
impl Changes {
    pub fn is_empty(&self) -> bool { todo!() }
    /// The newest published catalog with these changes on top, version + 1.
    pub fn apply(&self, base: &Catalog) -> Catalog { todo!() }
}
/// True for statements that `execute` handles.
#[allow(unused_variables)]
pub fn is_ddl(stmt: &ast::Statement) -> bool { todo!() }
/// Executes CREATE/ALTER/DROP/TRUNCATE/COMMENT/ANALYZE/VACUUM/REINDEX/... and returns the command tag (`CREATE TABLE`).
#[allow(unused_variables)]
pub fn execute(stmt: &ast::Statement, cx: &mut DdlCtx) -> Result<String> { todo!() }
/// Loads the catalog at start; creates the initial one in a new shard.
#[allow(unused_variables)]
pub fn load(shard: &Arc<Shard>) -> Result<Catalog> { todo!() }
