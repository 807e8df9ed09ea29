//! Plans for the values of one run (custom plans), beside the one for any values (the generic plan), as plan_cache_mode has it.
//!
//! ```text
//!   runs 1 to 5 ............ planned with their values; what these plans do is held against the generic plan
//!   all of the same shape .. the generic plan from now on: nothing is to be gained
//!   otherwise .............. whichever costs less, planning included (choose_custom_plan in PostgreSQL's plancache.c)
//! ```
//! A value decides where few rows have it and many have others, where it puts a condition under a partial index, where a parameter is a LIMIT, and in `$1 IS NULL
//! OR a = $1`. Statements that find their rows by a unique key are left alone, as are those without parameters.
//!
//! *Invariant*: the choice belongs to one generic plan ([`super::statement::Planned`]) and is made anew with it. Sessions that share a statement share its choice.
use super::state::State;
use super::statement::{Planned, PreparedStmt, Tag};
use crate::settings::PlanCacheMode;
use pamir_expr::deep::on_stack_for;
use pamir_plan::plan;
use pamir_types::{Datum, Oid, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Runs that are planned with their values before a choice is made.
const TRIES: u32 = 5;
/// What planning costs, a relation (and one more), in the planner's units.
const PLANNING: f64 = 1000.0 * plan::CPU_OPERATOR;

/// What is known of a generic plan's rivals.
#[derive(Default)]
pub struct Choice {
    tried: AtomicU32,
    /// Those of another shape than the generic plan.
    others: AtomicU32,
    /// The sum of their costs, planning included, in thousandths.
    cost: AtomicU64,
}
impl Choice {
    fn note(&self, cost: f64, other: bool) {
        self.tried.fetch_add(1, Relaxed);
        self.others.fetch_add(u32::from(other), Relaxed);
        self.cost.fetch_add((cost * 1000.0) as u64, Relaxed);
    }
    /// Is a run worth a plan of its own? `generic`: the generic plan's cost.
    fn custom(&self, generic: f64) -> bool {
        let tried = self.tried.load(Relaxed);
        if tried < TRIES {
            return true;
        }
        let average = self.cost.load(Relaxed) as f64 / 1000.0 / f64::from(tried);
        self.others.load(Relaxed) > 0 && average < generic
    }
}

impl State {
    /// The plan for a run with these values, where that is not the generic plan (whose table locks this transaction holds).
    pub(super) fn custom_plan(
        &mut self,
        stmt: &PreparedStmt,
        generic: &Planned,
        params: &[Datum],
    ) -> Result<Option<Arc<Planned>>> {
        let mode = self.settings.plan_cache_mode;
        if params.is_empty() || generic.param_types.is_empty() || mode == PlanCacheMode::ForceGeneric {
            return Ok(None);
        }
        let (root, choice) = (&generic.plan.root, &generic.choice);
        let decided = root.fast.is_some() || generic.tag == Tag::Insert || !choice.custom(root.node.est.total);
        if mode == PlanCacheMode::Auto && decided {
            return Ok(None);
        }
        let Some(tree) = &stmt.stmt else { return Ok(None) };
        let types: Vec<Oid> = generic.param_types.iter().map(|t| t.oid).collect();
        let custom = on_stack_for(stmt.deep, || self.plan_with(tree, &stmt.text, &types, Some(params)))?;
        if custom.denied.is_some() {
            // A value that a constant cannot be made of: the run may never come to it.
            choice.note(root.node.est.total, false);
            return Ok(None);
        }
        let planning = PLANNING * (custom.locks.len() + 1) as f64;
        choice
            .note(custom.plan.root.node.est.total + planning, plan::shape(&custom.plan) != plan::shape(&generic.plan));
        Ok(Some(Arc::new(custom)))
    }
}
