//! Definitions that are kept as texts, where one cannot be bound any more.
use pamir_types::error::state;
use pamir_types::{Error, Result};

/// What a stored definition says; `kept` for one that cannot be bound any more, which is no reason for a catalog not to be read.
pub(crate) fn readable<T>(bound: Result<T>, kept: impl FnOnce() -> T) -> Result<T> {
    bound.or_else(|e| if is_of_text(&e) { Ok(kept()) } else { Err(e) })
}
/// Is it the error of a text, not of the session or the server?
fn is_of_text(e: &Error) -> bool {
    let code = e.code();
    code == state::DATA_CORRUPTED || ["0A", "22", "42"].contains(&&code.as_str()[..2])
}
