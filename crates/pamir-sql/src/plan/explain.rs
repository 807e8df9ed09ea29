//! EXPLAIN (skeleton).
use super::*;
pub fn explain(_plan: &Plan, _opts: &ExplainOptions, _run: Option<&crate::exec::RunStats>) -> Vec<String> {
    vec![]
}
