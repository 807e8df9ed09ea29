//! The executor (skeleton).
use crate::client::RowSink;
use crate::env::Env;
use crate::ir::Expr;
use crate::plan::Plan;
use pamir_txn::{MemoryAccount, Shard, Snapshot, Txn};
use pamir_types::{Datum, Result};
use std::sync::Arc;

/// All that a running statement may touch. `env.txn()` is this same transaction.
pub struct ExecCtx<'a> { pub shard: &'a Shard, pub txn: &'a Txn, pub snapshot: Snapshot, pub env: &'a mut dyn Env, pub params: &'a [Datum], pub memory: &'a Arc<MemoryAccount>, /// work_mem in bytes: what one sort or hash may hold before it spills
    pub work_mem: usize, /// constraint checks put off to the end of the transaction
    pub deferred: &'a mut DeferredChecks }
/// (defined by the executor)
#[derive(Default)]
pub struct DeferredChecks {}
impl DeferredChecks { pub fn is_empty(&self) -> bool { true } pub fn set_immediate(&mut self) {} }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState { /// All rows are out; rows returned or affected since the start.
    Done(u64), /// `max` rows were sent; more may follow.
    Suspended }

/// Counters of EXPLAIN ANALYZE, by plan node.
#[derive(Default)]
pub struct RunStats {}

/// One execution of a plan: a portal's inside. Holds no borrow of the session, so that portals survive between messages.
pub struct Execution { _p: () }
#[allow(unused_variables)]
impl Execution {
    pub fn new(plan: Arc<Plan>, analyze: bool) -> Execution { todo!() }
    /// Runs until `max` more rows were sent (0: no limit) or the end. The first call starts the operators (and, for DML, runs it whole and keeps RETURNING rows for later calls when suspended).
    pub fn run(&mut self, cx: &mut ExecCtx, max: u64, sink: &mut dyn RowSink) -> Result<RunState> { todo!() }
    pub fn stats(&self) -> Option<&RunStats> { todo!() }
}
/// The whole of a prepared point statement in one call, reusing `scratch`; None: the plan has no such form.
#[allow(unused_variables)]
pub fn run_fast(plan: &Plan, cx: &mut ExecCtx, scratch: &mut Scratch, sink: &mut dyn RowSink) -> Option<Result<u64>> { todo!() }
/// Buffers that a session keeps between statements.
#[derive(Default)]
pub struct Scratch { pub key: Vec<u8>, pub value: Vec<u8>, pub row: Vec<Datum>, pub key2: Vec<u8>, pub value2: Vec<u8> }

/// Evaluates an expression without columns (EXECUTE's arguments, defaults, LIMIT).
#[allow(unused_variables)]
pub fn eval_const(e: &Expr, params: &[Datum], env: &mut dyn Env) -> Result<Datum> { todo!() }

/// COPY FROM's sink: rows (one datum per listed column) into a table, with defaults, constraints and indexes, in batches.
pub struct CopyInsert { _p: () }
#[allow(unused_variables)]
impl CopyInsert {
    pub fn new(table: &Arc<crate::catalog::Table>, columns: &[i16], cx: &mut ExecCtx) -> Result<CopyInsert> { todo!() }
    pub fn row(&mut self, values: Vec<Datum>, cx: &mut ExecCtx) -> Result<()> { todo!() }
    pub fn finish(self, cx: &mut ExecCtx) -> Result<u64> { todo!() }
}
/// Deferred constraint checks of the transaction (before COMMIT, or SET CONSTRAINTS ... IMMEDIATE).
#[allow(unused_variables)]
pub fn run_deferred(cx: &mut ExecCtx) -> Result<()> { todo!() }
