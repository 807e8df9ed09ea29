//! The optimizer: bound statements to physical plans (skeleton).
use crate::catalog::Catalog;
use crate::client::Field;
use crate::ir::BoundStatement;
use pamir_types::{Result, Type};
use std::sync::Arc;

/// A physical plan: immutable, shared, cached.
pub struct Plan { pub fields: Vec<Field>, pub params: Vec<Type>, /// catalog version it was made under
    pub catalog_version: u64, /// needs no write, no lock
    pub read_only: bool, pub root: Root }
/// (defined by the executor's owner)
pub struct Root {}

/// Optimizer settings of the session (enable_seqscan, ...).
#[derive(Clone, Debug)]
pub struct PlanSettings { pub enable_seqscan: bool, pub enable_indexscan: bool, pub enable_indexonlyscan: bool, pub enable_hashjoin: bool, pub enable_mergejoin: bool, pub enable_nestloop: bool, pub enable_hashagg: bool, pub enable_sort: bool, pub join_collapse_limit: usize }
impl Default for PlanSettings { fn default() -> Self { PlanSettings { enable_seqscan: true, enable_indexscan: true, enable_indexonlyscan: true, enable_hashjoin: true, enable_mergejoin: true, enable_nestloop: true, enable_hashagg: true, enable_sort: true, join_collapse_limit: 8 } } }

/// Plans a statement. Parameters stay parameters: the plan is generic.
#[allow(unused_variables)]
pub fn plan(stmt: BoundStatement, catalog: &Arc<Catalog>, shard: &pamir_txn::Shard, settings: &PlanSettings) -> Result<Plan> { todo!() }
/// EXPLAIN's lines (text format) or one document (json).
#[allow(unused_variables)]
pub fn explain(plan: &Plan, opts: &ExplainOptions, run: Option<&crate::exec::RunStats>) -> Vec<String> { todo!() }
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions { pub analyze: bool, pub verbose: bool, pub costs: bool, pub buffers: bool, pub timing: bool, pub summary: bool, pub json: bool }
