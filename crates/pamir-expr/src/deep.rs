//! Statements that nest too deep for a session's own stack: they are bound, planned and run on a larger one.
use pamir_storage::task;
use pamir_types::{Error, Result, err};

/// Stack for what is done with a deep statement.
pub const DEEP_STACK: usize = if cfg!(debug_assertions) { 1 << 30 } else { 256 << 20 };

/// Does this run where deep statements do?
pub fn is_deep_stack() -> bool {
    task::stack_left().is_some_and(|n| n >= DEEP_STACK / 2)
}
/// Is so little stack left that what nests had better end here (54001)?
pub fn is_short_of(bytes: usize) -> bool {
    task::stack_left().is_some_and(|n| n < bytes)
}
/// Runs `f` with stack enough for what it does with a statement.
pub fn on_stack_for<R>(deep: bool, f: impl FnOnce() -> Result<R>) -> Result<R> {
    if !deep || is_deep_stack() {
        return f();
    }
    task::with_stack(DEEP_STACK, f).unwrap_or_else(|| Err(too_deep()))
}

pub fn too_deep() -> Error {
    err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
        .hint("Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.")
}
